//! What engines take and what they give: the same for every algorithm.
//!
//! An [`Outcome`] cannot be built without its evidence: a violation holds the test that shows it,
//! a proof the partition that is one. Everything else is [`Unknown`], with its reason as data.

use crate::budget::{Budget, Stop};
use crate::effort::{Focus, Refined};
use prova_exec::{Given, Test};
use prova_ir::{Assumption, EdgeId, LocId, ProcId, Program, Span};
use prova_logic::{Term, Terms};
use std::sync::Arc;
use std::time::Duration;

/// A program with error locations woven in, and its entry set.
#[derive(Clone, Debug)]
pub struct Task {
    /// The program.
    pub program: Program,
    /// Seed for everything random.
    pub seed: u64,
    /// What earlier checks of the same program ran: tests to begin with.
    pub earlier: Vec<Given>,
    /// What the program was made with: assumptions that every verdict rests on.
    pub assumed: Vec<Assumption>,
    /// Where runs of it end because nothing is known of what comes, as far as its graphs tell.
    pub unmodelled: Vec<(String, Span)>,
}

impl Task {
    /// A task on its own.
    pub fn new(program: Program, seed: u64) -> Task {
        Task {
            program,
            seed,
            earlier: Vec::new(),
            assumed: Vec::new(),
            unmodelled: Vec::new(),
        }
    }
}

/// An algorithm that decides tasks.
pub trait Engine {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Decides a task within a budget, telling an observer what happens.
    fn check(&self, task: &Task, budget: &Budget, observer: &mut dyn Observer) -> Report;
}

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

/// A partition from which no error is reachable.
pub struct Proof {
    /// The prepared program that the invariants speak of.
    pub program: Arc<Program>,
    /// How it was prepared, as certificates name the passes.
    pub passes: Vec<&'static str>,
    /// The arena that the invariants' terms live in.
    pub terms: Terms,
    /// What holds whenever execution is there, for every cutpoint; see [`Invariant::says_something`].
    pub invariants: Vec<Invariant>,
    /// What holds in procedures that were not inlined, the entry first. Empty where there is one
    /// procedure only.
    pub contracts: Vec<Contract>,
}

impl std::fmt::Debug for Proof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Proof")
            .field("invariants", &self.invariants)
            .finish_non_exhaustive()
    }
}

/// What holds in the runs of a procedure that begin where the invariant at its entry holds.
#[derive(Clone, Debug)]
pub struct Contract {
    /// The procedure of the prepared program.
    pub procedure: ProcId,
    /// Whether it leaves errors out: it says what holds where a run gets, not that it meets none.
    pub partial: bool,
    /// Constants of such a run that its caller chooses.
    pub ghosts: Vec<Term>,
    /// Constants of such a run that have the value of a term at its entry.
    pub olds: Vec<(Term, Term)>,
    /// By cutpoint.
    pub invariants: Vec<Invariant>,
    /// What its calls rest on.
    pub calls: Vec<Reliance>,
}

/// What a call rests on: another contract, by its number, with values for its ghosts over the
/// state before the call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reliance {
    /// The edge of the call.
    pub edge: EdgeId,
    /// The contract.
    pub contract: usize,
    /// Values of its ghosts.
    pub ghosts: Vec<Term>,
}

/// What holds at a location: one of `cases`, each a conjunction.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// The procedure of the prepared program.
    pub procedure: ProcId,
    /// Location in it.
    pub location: LocId,
    /// Its place in the source.
    pub span: Span,
    /// A disjunction of conjunctions over the state variables; empty where nothing ever gets.
    pub cases: Vec<Vec<Term>>,
}

impl Invariant {
    /// Whether it is more than *true*.
    pub fn says_something(&self) -> bool {
        !self.cases.iter().any(Vec::is_empty)
    }
}

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The budget ran out.
    Stopped(Stop),
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
    pub(crate) fn undecided(edges: &[(String, Option<Span>)]) -> Unknown {
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
            Unknown::Unsupported { what, .. } => write!(f, "cannot encode {what}"),
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
    pub(crate) fn at_end(
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

/// What a check took. Counts are reproducible; times are not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Iterations of the main loop: frontiers extended or refined.
    pub iterations: u64,
    /// Solver calls of the main loop; one per iteration.
    pub solver_calls: u64,
    /// Solver calls spent on invariants from tests.
    pub learning_calls: u64,
    /// Facts learned for all runs.
    pub learned: u64,
    /// Candidates that were tried for such facts.
    pub candidates: u64,
    /// Time spent on finding and checking them.
    pub learning_time: Duration,
    /// Solver calls of the final check of a proof.
    pub certify_calls: u64,
    /// Time in the solver.
    pub solver_time: Duration,
    /// Tests run.
    pub tests: u64,
    /// States at cutpoints in the forest.
    pub forest_states: u64,
    /// Regions at the end.
    pub regions: u64,
    /// Splits.
    pub splits: u64,
    /// Edges found impossible in themselves.
    pub removed_edges: u64,
    /// Region graphs made: one per procedure and goal.
    pub graphs: u64,
    /// Queries to callees that were worked on.
    pub queries: u64,
    /// Splits made by looking ahead, without a question.
    pub foreseen: u64,
    /// Questions at calls that a known summary answered.
    pub summaries_used: u64,
    /// Largest split predicate, in term nodes.
    pub largest_predicate: u64,
    /// Sum of the sizes of all split predicates.
    pub predicate_nodes: u64,
    /// Locations of the analysed procedure.
    pub locations: u64,
    /// The places that were split most, most often first.
    pub refined: Vec<Refined>,
    /// Peak resident memory in bytes.
    pub peak_memory: u64,
    /// Whole time.
    pub time: Duration,
}

impl Statistics {
    /// Adds the time that another search took, and what it did besides its own iterations.
    pub fn add_time_of(&mut self, other: &Statistics) {
        self.solver_time += other.solver_time;
        self.learning_time += other.learning_time;
        self.learning_calls += other.learning_calls;
        self.candidates += other.candidates;
    }
}

/// What a verdict rests on; printed beside every proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// What the program was read with: assumptions that the user chose or left as they are.
    pub assumptions: Vec<Assumption>,
    /// Unmodelled constructs that every path to the error avoids.
    pub markers: Vec<(String, Span)>,
    /// Source lines that no test reached.
    pub unreached: Vec<Span>,
    /// Set when the proof says nothing about real runs, with the reason.
    pub vacuous: Option<String>,
    /// The tests that were run, told without addresses.
    pub tests: Vec<Given>,
}

/// What happens while an engine works.
pub trait Observer {
    /// One line a person can follow; called only if [`Observer::explains`].
    fn explain(&mut self, line: &str);

    /// Whether explanations are wanted.
    fn explains(&self) -> bool {
        false
    }

    /// How far it is; called once per iteration.
    fn progress(&mut self, _: &Statistics) {}

    /// Where it is; called once per iteration, before [`Observer::progress`].
    fn focus(&mut self, _: &Focus) {}

    /// Whether region graphs are wanted.
    fn draws(&self) -> bool {
        false
    }

    /// The region graph before an iteration; called only if [`Observer::draws`].
    fn draw(&mut self, _: GraphView) {}
}

/// A region graph for people to look at.
#[derive(Clone, Debug)]
pub struct GraphView {
    /// The procedure it is about; empty if there is one only.
    pub title: String,
    /// The iteration that begins.
    pub iteration: u64,
    /// Regions; the first is the start.
    pub regions: Vec<RegionView>,
    /// Steps, as positions of regions.
    pub edges: Vec<(u32, u32)>,
    /// The step that is asked about.
    pub frontier: Option<(u32, u32)>,
}

/// A region for people to look at.
#[derive(Clone, Debug)]
pub struct RegionView {
    /// Its place in the source; `None` for the start.
    pub span: Option<Span>,
    /// What holds in it.
    pub facts: String,
    /// States of tests in it.
    pub states: usize,
    /// Whether it is an error.
    pub error: bool,
}

/// An observer that looks away.
pub struct Silent;

impl Observer for Silent {
    fn explain(&mut self, _: &str) {}
}
