//! What an engine is: it begins a search on a problem, and the search is given turns.
//!
//! A search keeps its state between turns. It reads what is known before it works and leaves what
//! it proves ([`Knowledge`]). It ends by saying why it cannot go on, or with a [`Verdict`], which
//! only [`crate::proof::conclude`] makes: no engine says *proved* or *violated* by itself.

use crate::knowledge::Knowledge;
use crate::problem::Problem;
use crate::proof::conclude::Verdict;
use prova_logic::{Limit, Terms};
use prova_task::{Budget, Observer, Statistics, Unknown};
use std::time::Duration;

/// An algorithm.
pub trait Engine {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Whether it works on several procedures that call one another. Others get one procedure.
    fn takes_procedures(&self) -> bool {
        false
    }

    /// Begins a search.
    fn begin<'p>(
        &self,
        problem: &'p Problem,
        terms: &mut Terms,
    ) -> Result<Box<dyn Search<'p> + 'p>, Unknown>;
}

/// A search that goes on.
pub trait Search<'p> {
    /// Works until there is an answer or the turn is over.
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress;

    /// What it took so far.
    fn statistics(&self) -> &Statistics;
}

/// How far a search has come.
pub enum Progress {
    /// The turn is over, and there is more to do.
    Working,
    /// It cannot go on.
    Exhausted(Unknown),
    /// It has an answer.
    Done(Verdict),
}

/// What a search is lent for a turn.
pub struct Turn<'t, 'p> {
    /// The problem's arena.
    pub terms: &'t mut Terms,
    /// What is known.
    pub known: &'t mut Knowledge<'p>,
    /// How much may be done.
    pub quota: Quota,
    /// Limits of the whole check.
    pub budget: &'t Budget,
    /// Whom to tell.
    pub observer: &'t mut dyn Observer,
}

/// How much a turn may do. Counted in steps, not in seconds: the same input takes the same way
/// every time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// About so many steps of the program; engines with iterations count each as going through
    /// the whole program once.
    pub steps: u64,
    /// At least so many iterations, however large the program is.
    pub least_iterations: u64,
    /// At most so many iterations.
    pub iterations: u64,
    /// At most so many questions to a solver, for engines that follow single states.
    pub questions: u64,
    /// The limit of one question, as the solver counts, for engines that ask about all paths at
    /// once: one that is too hard may be asked again in a later turn.
    pub resource: u64,
}

impl Quota {
    /// As much as the budget allows.
    pub const ALL: Quota = Quota {
        steps: u64::MAX,
        least_iterations: 0,
        iterations: u64::MAX,
        questions: u64::MAX,
        resource: u64::MAX,
    };

    /// The limit of a question.
    pub fn limit(&self, time: Option<Duration>) -> Limit {
        Limit {
            resource: (self.resource != u64::MAX).then_some(self.resource),
            time,
        }
    }

    /// Iterations of an engine for which each goes through a program with so many locations.
    pub fn iterations_over(&self, locations: u64) -> u64 {
        match self.steps {
            u64::MAX => self.iterations,
            steps => {
                let enough = (steps / locations.max(1)).max(self.least_iterations);
                enough.min(self.iterations)
            }
        }
    }
}
