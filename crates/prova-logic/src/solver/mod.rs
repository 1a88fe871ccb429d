//! The `Solver` trait, and what all backends share.
//!
//! A backend never guesses: whatever it cannot translate, parse or finish becomes
//! [`Answer::Unknown`] with the reason, and stays so until the offending scope is popped.

mod child;
mod factory;
mod interpolant;
mod limit;
mod log;
mod pipe;
mod plain;
mod reader;
mod sexpr;
mod text;
mod values;
mod z3;

use crate::term::Term;
use crate::terms::Terms;
use crate::value::Model;
use std::time::Duration;

pub use factory::{new_solver, SolverChoice, SolverConfig};
pub use interpolant::interpolant;
pub use limit::Limit;
pub use log::LoggingSolver;
pub use pipe::PipeSolver;
pub use plain::PlainSolver;
pub use reader::read_term;
pub use text::{decide_all, TextSolver};
pub use z3::{Interrupt, Z3Solver};

/// What came of a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// The solver gave up.
    Unknown(UnknownReason),
}

/// Why a solver gave up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownReason {
    /// The deterministic resource limit was reached.
    Resource,
    /// The time limit was reached.
    Time,
    /// Somebody interrupted it.
    Interrupted,
    /// The solver is not complete here, in its own words.
    Incomplete(String),
    /// Something went wrong: the solver's error, or its process died.
    Error(String),
}

impl std::fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            UnknownReason::Resource => write!(f, "resource limit reached"),
            UnknownReason::Time => write!(f, "time limit reached"),
            UnknownReason::Interrupted => write!(f, "interrupted"),
            UnknownReason::Incomplete(why) => write!(f, "the solver gave up: {why}"),
            UnknownReason::Error(why) => write!(f, "solver error: {why}"),
        }
    }
}

/// What can go wrong outside a query.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolverError {
    /// The solver program could not be started.
    #[error("cannot start solver `{command}`: {reason}")]
    Start {
        /// The command as given.
        command: String,
        /// The system's error.
        reason: String,
    },
    /// There is no model to be had.
    #[error("no model: {0}")]
    NoModel(String),
    /// The query log cannot be written.
    #[error("cannot write query log in `{directory}`: {reason}")]
    Log {
        /// Where it should go.
        directory: String,
        /// The system's error.
        reason: String,
    },
}

/// Counts and times over a solver's life.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Number of checks.
    pub queries: u64,
    /// Checks answered [`Answer::Sat`].
    pub sat: u64,
    /// Checks answered [`Answer::Unsat`].
    pub unsat: u64,
    /// Checks answered [`Answer::Unknown`].
    pub unknown: u64,
    /// Wall-clock time inside checks.
    pub time: Duration,
}

impl Statistics {
    pub(crate) fn record(&mut self, answer: &Answer, time: Duration) {
        self.queries += 1;
        self.time += time;
        match answer {
            Answer::Sat => self.sat += 1,
            Answer::Unsat => self.unsat += 1,
            Answer::Unknown(_) => self.unknown += 1,
        }
    }
}

/// An incremental solver.
pub trait Solver {
    /// Opens a scope.
    fn push(&mut self);

    /// Closes the innermost `n` scopes, forgetting what they asserted.
    fn pop(&mut self, n: usize);

    /// Asserts a Bool term in the innermost scope.
    fn assert(&mut self, terms: &Terms, t: Term);

    /// Whether the assertions and the assumptions can hold together. Assumptions are any Bool
    /// terms; they hold for this check only.
    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer;

    /// Values of at least these variables, after [`Answer::Sat`] and before anything else is
    /// asked of the solver.
    fn model(&mut self, terms: &Terms, variables: &[Term]) -> Result<Model, SolverError>;

    /// After [`Answer::Unsat`]: assumptions of the last check that suffice for it.
    fn core(&mut self) -> Vec<Term>;

    /// Whether cores are made minimal, if the solver can: they are unless this says otherwise.
    /// It takes many checks, which no limit holds for.
    fn set_minimal_cores(&mut self, minimal: bool);

    /// The limit for each check from now on.
    fn set_limit(&mut self, limit: Limit);

    /// Counts and times so far.
    fn statistics(&self) -> Statistics;

    /// Forgets all assertions and scopes. Limits and statistics stay.
    fn reset(&mut self);

    /// A name to report.
    fn name(&self) -> String;
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn push(&mut self) {
        (**self).push();
    }
    fn pop(&mut self, n: usize) {
        (**self).pop(n);
    }
    fn assert(&mut self, terms: &Terms, t: Term) {
        (**self).assert(terms, t);
    }
    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        (**self).check(terms, assumptions)
    }
    fn model(&mut self, terms: &Terms, variables: &[Term]) -> Result<Model, SolverError> {
        (**self).model(terms, variables)
    }
    fn core(&mut self) -> Vec<Term> {
        (**self).core()
    }
    fn set_minimal_cores(&mut self, minimal: bool) {
        (**self).set_minimal_cores(minimal);
    }
    fn set_limit(&mut self, limit: Limit) {
        (**self).set_limit(limit);
    }
    fn statistics(&self) -> Statistics {
        (**self).statistics()
    }
    fn reset(&mut self) {
        (**self).reset();
    }
    fn name(&self) -> String {
        (**self).name()
    }
}
