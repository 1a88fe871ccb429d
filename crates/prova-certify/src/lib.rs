//! Checks certificates of proofs.
//!
//! A certificate claims what holds at the cutpoints of a program. This crate reads it, makes the
//! verification conditions from the program with a generator of its own, and has them refuted by a
//! solver, another than the engines' where one is installed. It shares no code with the engines,
//! nor with the terms and the simplifier they use: a bug there must show here. Its formulas are
//! those of `prova-formula`, which nothing else uses. It is kept small, to be read as a whole:
//!
//! | file | what it holds |
//! |---|---|
//! | [`certificate`] | the format: header and claims |
//! | [`prepare`] | from the woven program to the one the certificate speaks of |
//! | `machine` | the state as constants, and what is assumed of memory |
//! | `expression`, `path`, `start` | what the program does, as formulas |
//! | `conditions`, `unroll` | what has to hold, and where loops are followed to their end |
//!
//! What is trusted: this crate, except `certificate`; `prova-formula`, except its simplifier if
//! every condition is asked ([`Limits::ask_all`]); the front end, the passes that prepare a program,
//! the points-to analysis that splits memory, and the solver. `docs/certificates.md` tells why.

pub mod certificate;
mod conditions;
mod expression;
pub mod machine;
pub mod path;
pub mod prepare;
mod start;
mod unroll;

use certificate::Certificate;
pub use conditions::Condition;
use prova_formula::Script;
use prova_logic::{decide_all, Answer, SolverChoice};
use std::time::{Duration, Instant};

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It is not written as certificates are, or speaks of what is not there.
    #[error("{0}")]
    Malformed(#[from] prova_formula::Error),
    /// It is about another program, or leaves out what it must say.
    #[error("{0}")]
    Mismatch(String),
    /// A condition does not hold.
    #[error("the claims are no proof: {0}")]
    Refuted(String),
    /// A condition could not be decided.
    #[error("not decided: {0}")]
    Undecided(String),
    /// The program does something that the checker cannot encode.
    #[error("cannot encode {0}")]
    Unsupported(String),
    /// There was no time left.
    #[error("interrupted")]
    Interrupted,
}

impl Failure {
    /// Whether the certificate itself, rather than what it claims, is to blame.
    pub fn is_bad_input(&self) -> bool {
        matches!(self, Failure::Malformed(_) | Failure::Mismatch(_))
    }
}

/// How a check is done, and its limits.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// For one query, at most.
    pub query: Duration,
    /// For all.
    pub deadline: Option<Instant>,
    /// Says that the check should end. Asked every 4096 edges, and before every query.
    pub cancelled: &'a dyn Fn() -> bool,
    /// Solvers are asked about every condition, also the plain ones: nothing is simplified.
    pub ask_all: bool,
}

/// A proof that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// Conditions in all.
    pub conditions: usize,
    /// How many of them each solver was needed for; the rest are plain to see.
    pub by: Vec<(String, usize)>,
}

/// Checks a certificate against a program that the property is woven into. Solvers are asked in
/// the order given, each what the ones before it could not decide.
pub fn check(
    program: &prova_ir::Program,
    certificate: &Certificate,
    solvers: &[SolverChoice],
    limits: &Limits,
) -> Result<Accepted, Failure> {
    let program = prepare::prepare(program, certificate.header("passes"))?;
    if certificate.header("prepared") != [prepare::digest(&program)] {
        return Err(Failure::Mismatch("it is about another program".into()));
    }
    let partition = prova_exec::points_to::Partition::new(&program);
    let script = Script::new(!limits.ask_all);
    let mut machine = machine::Machine::new(&program, &partition, script);
    let contexts = certificate.contexts(&mut machine)?;
    let mut conditions = conditions::Conditions::new(&mut machine, &contexts);
    conditions.cancelled = limits.cancelled;
    conditions.all()?;
    let (count, found) = (conditions.count, conditions.found);
    decide(machine.script, count, found, solvers, limits)
}

/// Accepts if solvers refute all that was found, of so many conditions.
pub fn decide(
    mut script: Script,
    count: usize,
    found: Vec<Condition>,
    solvers: &[SolverChoice],
    limits: &Limits,
) -> Result<Accepted, Failure> {
    let questions: Vec<String> = found.iter().map(|c| script.question(&c.assertions)).collect();
    script.error.map_or(Ok(()), |error| Err(Failure::Unsupported(error.0)))?;
    let limit = || {
        let left = limits.deadline.map(|d| d.saturating_duration_since(Instant::now()));
        let over = (limits.cancelled)() || left.is_some_and(|l| l.is_zero());
        (!over).then(|| left.map_or(limits.query, |l| l.min(limits.query)))
    };
    let answers = decide_all(solvers, &questions, limit);
    let answers = answers.map_err(|e| Failure::Undecided(e.to_string()))?;
    let mut by: Vec<_> = solvers.iter().map(|s| (s.name().to_string(), 0)).collect();
    let mut open = None;
    for (condition, answer) in found.into_iter().zip(answers) {
        let place = |solver: usize| format!("{} ({})", condition.step, solvers[solver].name());
        match answer {
            Some((Answer::Unsat, solver)) => by[solver].1 += 1,
            Some((Answer::Sat, solver)) => return Err(Failure::Refuted(place(solver))),
            Some((Answer::Unknown(why), solver)) => {
                open = Some(Failure::Undecided(format!("{}: {why}", place(solver))));
            }
            None => open = open.or(Some(Failure::Interrupted)),
        }
    }
    open.map_or(Ok(Accepted { conditions: count, by }), Err)
}
