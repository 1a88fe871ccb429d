//! Which solver, with which options.

use super::{Limit, Solver, SolverError, Z3Solver};
use std::path::PathBuf;

/// Which solver.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum SolverChoice {
    /// Z3 in process.
    #[default]
    Z3,
    /// A program that speaks SMT-LIB 2 over a pipe, by name or path.
    Pipe(String),
}

/// A solver and its options.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SolverConfig {
    /// Which solver.
    pub choice: SolverChoice,
    /// The limit for each check.
    pub limit: Limit,
    /// Where to write every query as a replayable file.
    pub log: Option<PathBuf>,
}

/// Makes a solver.
pub fn new_solver(config: &SolverConfig) -> Result<Box<dyn Solver>, SolverError> {
    if let SolverChoice::Pipe(command) = &config.choice {
        let reason = "solvers over a pipe are not built in yet".to_string();
        return Err(SolverError::Start {
            command: command.clone(),
            reason,
        });
    }
    let mut solver = Z3Solver::new();
    solver.set_limit(config.limit);
    Ok(Box::new(solver))
}
