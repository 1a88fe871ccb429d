//! Which solver, with which options.

use super::{Limit, LoggingSolver, PipeSolver, PlainSolver, Solver, SolverError, Z3Solver};
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

/// `z3` is Z3 in process, `z3-pipe` is the program `z3`, anything else a program's name or path.
impl From<&str> for SolverChoice {
    fn from(name: &str) -> SolverChoice {
        match name {
            "z3" => SolverChoice::Z3,
            "z3-pipe" => SolverChoice::Pipe("z3".to_string()),
            other => SolverChoice::Pipe(other.to_string()),
        }
    }
}

impl SolverChoice {
    /// Its name, for people.
    pub fn name(&self) -> &str {
        match self {
            SolverChoice::Z3 => "Z3 in this process",
            SolverChoice::Pipe(name) => name,
        }
    }
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
    let mut solver: Box<dyn Solver> = match &config.choice {
        SolverChoice::Z3 => Box::new(Z3Solver::new()),
        SolverChoice::Pipe(program) => Box::new(PipeSolver::new(program)?),
    };
    solver.set_limit(config.limit);
    if let Some(directory) = &config.log {
        solver = Box::new(LoggingSolver::new(solver, directory)?);
    }
    Ok(Box::new(PlainSolver::new(solver)))
}
