//! Checks certificates of proofs.
//!
//! A certificate claims what holds at the cutpoints of a program. This crate reads it with a
//! parser of its own, makes the verification conditions from the program with a generator of its
//! own, and has them refuted by a solver, another than the engines' where one is installed. It
//! shares no code with the engines, nor with the terms and the simplifier they use: a bug there
//! must show here. It is small, so that it can be read in an afternoon:
//!
//! | file | what it holds |
//! |---|---|
//! | [`certificate`] | the format: header and claims |
//! | `sexpr`, `formula` | its expressions, and its terms |
//! | [`prepare`] | from the woven program to the one the certificate speaks of |
//! | `sort`, `script` | sort-checked, hash-consed formulas in SMT-LIB 2 |
//! | `machine` | the state as constants, and what is assumed of memory |
//! | `expression`, `path`, `start` | what the program does, as formulas |
//! | `conditions` | what has to hold: initiation, consecution, safety, calls |
//!
//! What is trusted besides: the front end, the passes that prepare a program, the points-to
//! analysis that splits memory, and the solver. `docs/certificates.md` tells why each is.

pub mod certificate;
mod conditions;
mod expression;
mod formula;
mod machine;
mod path;
pub mod prepare;
mod script;
mod sexpr;
mod sort;
mod start;

use certificate::Certificate;
use conditions::Conditions;
use prova_exec::points_to::Partition;
use prova_ir::{EdgeId, LocId, ProcId, Program};
use prova_logic::{ask_all, Answer, SolverChoice};
use std::time::{Duration, Instant};

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It is not written as certificates are, or speaks of what is not there.
    #[error("line {line}, column {column}: {message}")]
    Malformed {
        /// Counted from one.
        line: u32,
        /// Counted from one.
        column: u32,
        /// What is wrong there.
        message: String,
    },
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
    /// No solver could be asked.
    #[error("{0}")]
    NoSolver(String),
    /// There was no time left.
    #[error("interrupted")]
    Interrupted,
}

impl Failure {
    /// Whether the certificate itself, rather than what it claims, is to blame.
    pub fn is_bad_input(&self) -> bool {
        matches!(self, Failure::Malformed { .. } | Failure::Mismatch(_))
    }
}

/// Limits of a check.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// For one query of the last solver; those before it get an eighth.
    pub query: Duration,
    /// For all.
    pub deadline: Option<Instant>,
    /// Says that the check should end.
    pub cancelled: &'a dyn Fn() -> bool,
}

/// A proof that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// Conditions in all.
    pub conditions: usize,
    /// How many of them each solver was needed for; the rest are plain to see.
    pub by: Vec<(String, usize)>,
    /// Functions without a body: assumed to return an arbitrary value and to change nothing.
    pub undefined: Vec<String>,
}

/// Checks a certificate against a program that the property is woven into. Solvers are asked in
/// the order given, each what the ones before it could not decide.
pub fn check(
    program: &Program,
    certificate: &Certificate,
    solvers: &[SolverChoice],
    limits: &Limits,
) -> Result<Accepted, Failure> {
    let (program, undefined) = prepare::prepare(program, certificate.header("passes"))?;
    if certificate.header("prepared") != [prepare::digest(&program)] {
        return Err(Failure::Mismatch("it is about another program".into()));
    }
    let partition = Partition::new(&program);
    let mut machine = machine::Machine::new(&program, &partition);
    let contexts = certificate.contexts(&mut machine)?;
    let mut conditions = Conditions::new(&mut machine, &contexts);
    conditions.all()?;
    let (count, mut open) = (conditions.count, conditions.found);
    let (mut by, mut reason) = (Vec::new(), "there is no solver".to_string());
    for (i, solver) in solvers.iter().enumerate() {
        let name = match solver {
            SolverChoice::Z3 => "Z3 in this process",
            SolverChoice::Pipe(name) => name,
        };
        let share = if i + 1 < solvers.len() { 8 } else { 1 };
        let limit = || {
            let left = limits.deadline.map(|d| d.saturating_duration_since(Instant::now()));
            let over = (limits.cancelled)() || left.is_some_and(|l| l.is_zero());
            (!over).then(|| left.map_or(limits.query, |l| l.min(limits.query)) / share)
        };
        let questions = open.iter().map(|c| machine.script.question(&c.assertions));
        let questions: Vec<String> = questions.collect();
        if let Some(failure) = machine.script.error {
            return Err(failure);
        }
        let answers =
            ask_all(solver, &questions, limit).map_err(|e| Failure::NoSolver(e.to_string()))?;
        let (asked, whole) = (open.len(), answers.len() == open.len());
        let mut left = Vec::new();
        for (condition, answer) in open.into_iter().zip(answers) {
            let place = || describe(&program, condition.step);
            match answer {
                Answer::Unsat => {}
                Answer::Sat => return Err(Failure::Refuted(format!("{} ({name})", place()))),
                Answer::Unknown(why) => {
                    reason = format!("{} ({name}: {why})", place());
                    left.push(condition);
                }
            }
        }
        if !whole {
            return Err(Failure::Interrupted);
        }
        by.push((name.to_string(), asked - left.len()));
        open = left;
    }
    match open.is_empty() {
        true => Ok(Accepted { conditions: count, by, undefined }),
        false => Err(Failure::Undecided(reason)),
    }
}

/// A step for people.
fn describe(program: &Program, step: (ProcId, Option<LocId>, Option<EdgeId>)) -> String {
    let (procedure, Some(from), Some(edge)) = step else {
        return "the start of the program".into();
    };
    let procedure = program.procedure(procedure);
    let to = procedure.body.as_ref().map_or(from, |b| b.edge(edge).target);
    format!("the step from L{} to L{} of `{}`", from.0, to.0, procedure.name)
}
