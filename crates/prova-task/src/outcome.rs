//! The answer, with its evidence: the same for every algorithm.
//!
//! An [`Outcome`] cannot be built without its evidence: a violation holds the test that shows it,
//! a proof the partition that is one. Everything else is [`Unknown`], with its reason as data.

use crate::budget::{Budget, Stop};
use crate::proof::Proof;
use crate::scope::Scope;
use crate::statistics::Statistics;
use prova_exec::Test;
use prova_ir::Span;

/// Everything an engine has to say about a task.
#[derive(Debug)]
pub struct Report {
    /// The answer.
    pub outcome: Outcome,
    /// What it took.
    pub statistics: Statistics,
    /// What the answer rests on.
    pub scope: Scope,
}

/// The answer, with its evidence.
#[derive(Debug)]
pub enum Outcome {
    /// A test reaches an error location.
    Violated(Box<Violation>),
    /// No run reaches one.
    Proved(Box<Proof>),
    /// No run does that takes these loops for no more than so many rounds.
    Bounded(Bounded),
    /// Neither was found.
    Unknown(Unknown),
}

/// A test that fails.
#[derive(Debug)]
pub struct Violation {
    /// Its inputs, for the program [as written](crate::prepare::as_written).
    pub test: Test,
    /// The property that is broken.
    pub property: String,
    /// What happens, for people.
    pub message: String,
    /// Where.
    pub span: Span,
    /// The inputs in the order in which the run asks for them.
    pub inputs: Vec<Input>,
    /// The source lines the run passes, in order.
    pub path: Vec<Span>,
    /// For a run that never ends: which inputs come again and again.
    pub again: Option<Again>,
}

/// A run that never ends: how it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Again {
    /// How many inputs there are before the state is there for the first time, and before it is
    /// there again: those between are given again and again.
    pub inputs: (usize, usize),
    /// Whether it is a call that begins as one around it began.
    pub call: bool,
    /// Whether it is not the state that comes again, but a set of states that is never left: values
    /// may change for ever. Whoever says so has a certificate that no run with these inputs ends.
    pub closed: bool,
}

/// An input of a failing run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// What asked for it.
    pub name: String,
    /// Its value, as C would print it.
    pub value: String,
    /// Where it was asked for.
    pub span: Span,
}

/// Loops that were followed for some rounds and would go on. What they do then is not known: this is
/// no proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounded {
    /// The loops, each once.
    pub loops: Vec<BoundedLoop>,
}

/// A loop that was followed for some rounds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BoundedLoop {
    /// Where it begins.
    pub span: Span,
    /// All runs of at most so many rounds were looked at.
    pub rounds: u64,
}

impl Bounded {
    /// What it says, with the places of the loops as somebody writes them.
    pub fn message(&self, place: impl Fn(Span) -> String) -> String {
        let rounds = |n: u64| {
            if n == 1 {
                "1 round".into()
            } else {
                format!("{n} rounds")
            }
        };
        let each = self.loops.iter();
        let each: Vec<String> = each
            .map(|l| format!("{} of the loop at {}", rounds(l.rounds), place(l.span)))
            .collect();
        format!("no violation within {}", each.join(", "))
    }
}

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The budget ran out.
    Stopped(Stop),
    /// The turns that engines were given are over.
    TurnsOver,
    /// The program uses something the engine cannot encode; what, and where.
    Unsupported {
        /// What it is.
        what: String,
        /// Where it stands.
        span: Option<Span>,
    },
    /// All that is left to search are steps on which the solver or the machine gave up.
    Undecided {
        /// How many such steps there are.
        edges: usize,
        /// What happened at the first of them.
        reason: String,
        /// Where.
        span: Option<Span>,
    },
    /// A path to the error runs through something that is not modelled.
    Unmodelled {
        /// What it is.
        what: String,
        /// Where it stands.
        span: Option<Span>,
    },
    /// A test fails here, but not where it counts: compiled and run, or interpreted once more.
    Replay(String),
    /// The engine's own evidence did not pass its check: a bug worth reporting.
    CheckFailed(String),
    /// The proof's certificate was not accepted, or not in time.
    Certificate(String),
}

impl Unknown {
    /// Edges that nobody could decide; the first reason stands for all.
    pub fn undecided(edges: &[(String, Option<Span>)]) -> Unknown {
        let first = edges.first().cloned();
        let (reason, span) = first.unwrap_or(("no reason".into(), None));
        Unknown::Undecided {
            edges: edges.len(),
            reason,
            span,
        }
    }

    /// Where it happened, if that is one place.
    pub fn span(&self) -> Option<Span> {
        match self {
            Unknown::Unsupported { span, .. }
            | Unknown::Undecided { span, .. }
            | Unknown::Unmodelled { span, .. } => *span,
            Unknown::Stopped(_)
            | Unknown::TurnsOver
            | Unknown::Replay(_)
            | Unknown::CheckFailed(_)
            | Unknown::Certificate(_) => None,
        }
    }

    /// One word for machines.
    pub fn keyword(&self) -> &'static str {
        match self {
            Unknown::Stopped(Stop::Time) => "timeout",
            Unknown::Stopped(Stop::Memory) => "memory",
            Unknown::Stopped(Stop::Cancelled) => "interrupted",
            Unknown::TurnsOver => "turns",
            Unknown::Unsupported { .. } => "unsupported",
            Unknown::Undecided { .. } => "undecided",
            Unknown::Unmodelled { .. } => "unmodelled",
            Unknown::Replay(_) => "replay",
            Unknown::CheckFailed(_) => "check-failed",
            Unknown::Certificate(_) => "certificate",
        }
    }
}

impl std::fmt::Display for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unknown::Stopped(stop) => write!(f, "{stop}"),
            Unknown::TurnsOver => f.write_str("the engines' turns are over"),
            Unknown::Unsupported { what, .. } => write!(f, "cannot encode {what}"),
            Unknown::Undecided {
                edges: 0, reason, ..
            } => f.write_str(reason),
            Unknown::Undecided { edges, reason, .. } => {
                write!(f, "{edges} step(s) could not be decided: {reason}")
            }
            Unknown::Unmodelled { what, .. } => write!(f, "every way on runs through {what}"),
            Unknown::Replay(what) => write!(f, "a test fails here, but not when replayed: {what}"),
            Unknown::CheckFailed(what) => write!(f, "the evidence failed its own check: {what}"),
            Unknown::Certificate(what) => write!(f, "the proof was not certified: {what}"),
        }
    }
}

impl Report {
    /// A report at the end of a check: what it took in time and memory is known then.
    pub fn at_end(
        budget: &Budget,
        mut statistics: Statistics,
        (outcome, scope): (Outcome, Scope),
    ) -> Report {
        statistics.time = budget.elapsed();
        statistics.peak_memory = crate::budget::peak_bytes().unwrap_or(0);
        Report {
            outcome,
            statistics,
            scope,
        }
    }
}
