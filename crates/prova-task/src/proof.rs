//! A proof as data: what holds where. Nothing here says that it is one: engines make proofs through
//! one function only, and the checker of certificates believes none of them.

use prova_ir::{EdgeId, LocId, ProcId, Program, Span};
use prova_logic::{Term, Terms};
use std::sync::Arc;

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
    /// Why that proves anything.
    pub manner: Manner,
    /// Why loops and calls end, where that was asked.
    pub ends: Option<Vec<Ending>>,
}

/// Why a loop, or a circle of calls, ends: for people. What is proved stands in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Where it is.
    pub span: Span,
    /// The function that calls itself, if it is about calls.
    pub calls: Option<String>,
    /// The tuple that falls in every round, as C text; empty where rounds are counted.
    pub measure: Vec<String>,
    /// How many rounds there are at most each time the loop is entered, as C text; `max(0, …)` of it
    /// where it is negative.
    pub bound: Option<String>,
}

/// What makes a proof one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Manner {
    /// Every step from what is said to hold leads to what is said to hold.
    #[default]
    Inductive,
    /// The same, seen by running the program from each case by itself.
    CaseByCase,
    /// So does every one of so many steps together, and the first ones lead to no error.
    KInductive(u64),
    /// Nothing is said to hold: every run was followed to its end.
    Unwound {
        /// Locations in the order in which they are left.
        order: Vec<LocId>,
        /// How many rounds the loop that begins at a location takes at most.
        rounds: Vec<(LocId, u64)>,
    },
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
