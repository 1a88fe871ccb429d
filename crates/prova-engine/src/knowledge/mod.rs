//! What is known of a problem, whoever found it: tests with their runs, and facts that hold in all
//! runs. Every engine reads it before it works, and leaves here what it finds.
//!
//! | file | what it holds |
//! |---|---|
//! | [`sources`] | those who propose facts |
//! | [`mod@houdini`] | the inductive ones among all candidates |
//! | [`prune`] | what others say already |
//! | [`lasting`] | facts of earlier checks, told and read |
//!
//! A fact enters only through [`Knowledge::learn`], which keeps what it can prove by induction over
//! the steps of the program: a wrong engine or source cannot poison another. (Gulavani et al.,
//! "SYNERGY", section 5, leaves the hook open.) Two more sources need no candidates: the
//! unsatisfiable core of the one query, and the branch condition that is dropped where it only
//! unrolls a loop (`engines/dash/extend.rs`, `engines/dash/choose.rs`).

pub mod houdini;
pub mod lasting;
pub mod prune;
pub mod sources;

use crate::problem::blocks::{BlockId, Cutpoint};
use crate::problem::Problem;
use crate::testing::forest::Forest;
use houdini::{houdini, Kept};
use prova_logic::{Op, Solver, Term, Terms};
use prova_task::{Budget, Task, Unknown};
use prune::prune;
use rustc_hash::FxHashMap;
use sources::{Generalise, View};

/// Candidates kept per cutpoint.
pub(crate) const MOST_CANDIDATES: usize = 300;
/// Random tests run before all searches; they spare them the branches that any inputs reach.
const RANDOM_TESTS: u64 = 4;

/// What is known of one problem.
pub struct Knowledge<'p> {
    /// The tests and their runs.
    pub forest: Forest<'p>,
    /// Seed for everything random.
    pub seed: u64,
    problem: &'p Problem,
    first: Vec<prova_exec::Test>,
    facts: Vec<Vec<Fact>>,
    candidates: Vec<Vec<Term>>,
}

/// A fact that holds in all runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What holds.
    pub term: Term,
    /// Who proposed it.
    pub origin: &'static str,
}

/// What came of candidates.
#[derive(Debug, Default)]
pub struct Learned {
    /// What was kept, by cutpoint.
    pub kept: Kept,
    /// The source of each fact at a cutpoint.
    pub origin: FxHashMap<(usize, Term), &'static str>,
    /// Candidates that were tried.
    pub candidates: u64,
}

/// What a search asks sources for.
pub struct Request<'a> {
    /// What it speaks of already.
    pub spoken: &'a [Term],
    /// Steps to an error that it cannot exclude.
    pub path: Option<&'a [BlockId]>,
    /// A solver with a limit.
    pub solver: &'a mut dyn Solver,
}

impl<'p> Knowledge<'p> {
    /// Nothing is known of a problem yet, but what tests it is worth beginning with.
    pub fn new(problem: &'p Problem, task: &Task) -> Result<Self, Unknown> {
        let forest = Forest::new(&problem.encoding)?;
        let first = forest.tests_to_begin_with(task, RANDOM_TESTS);
        Ok(Knowledge {
            forest,
            seed: task.seed,
            problem,
            first,
            facts: Vec::new(),
            candidates: Vec::new(),
        })
    }

    /// Nothing is known of a problem beside the task's own, and there are no tests for it.
    pub fn beside(problem: &'p Problem, seed: u64) -> Result<Self, Unknown> {
        Ok(Knowledge {
            forest: Forest::new(&problem.encoding)?,
            seed,
            problem,
            first: Vec::new(),
            facts: Vec::new(),
            candidates: Vec::new(),
        })
    }

    /// Runs the tests to begin with, if nobody did; stops at one that fails.
    pub fn begin(&mut self, budget: &Budget) {
        for test in std::mem::take(&mut self.first) {
            let number = self.forest.add(test, budget.remaining());
            if self.forest.failing().is_some() || number == 0 && !self.forest.reads_inputs(0) {
                break;
            }
        }
    }

    /// Facts at a cutpoint of the problem's steps.
    pub fn facts(&self, cutpoint: Cutpoint) -> &[Fact] {
        self.facts.get(cutpoint.index()).map_or(&[], Vec::as_slice)
    }

    /// How many facts there are.
    pub fn count(&self) -> usize {
        self.facts.iter().map(Vec::len).sum()
    }

    /// Leaves candidates for the next search that learns: nobody believes them.
    pub fn propose(&mut self, cutpoint: Cutpoint, candidate: Term) {
        if self.candidates.len() <= cutpoint.index() {
            self.candidates.resize(cutpoint.index() + 1, Vec::new());
        }
        let here = &mut self.candidates[cutpoint.index()];
        if here.len() < MOST_CANDIDATES && !here.contains(&candidate) {
            here.push(candidate);
        }
    }

    /// Asks sources for candidates and keeps those that are inductive.
    pub fn learn(
        &mut self,
        terms: &mut Terms,
        request: Request,
        sources: &mut [&mut dyn Generalise],
        stop: impl FnMut() -> bool,
    ) -> Result<Learned, Unknown> {
        let steps = self.problem.steps(terms)?;
        let mut view = View {
            problem: self.problem,
            steps,
            terms,
            forest: &self.forest,
            solver: request.solver,
            spoken: request.spoken,
            path: request.path,
        };
        let left = std::mem::take(&mut self.candidates);
        let terms_of = |facts: &Vec<Fact>| facts.iter().map(|f| f.term).collect();
        let known: Vec<Vec<Term>> = self.facts.iter().map(terms_of).collect();
        let learned = learn(&mut view, &known, left, sources, stop);
        self.facts.resize(steps.blocks.locations.len(), Vec::new());
        for (index, facts) in learned.kept.invariants.iter().enumerate() {
            for &term in facts {
                if !self.facts[index].iter().any(|f| f.term == term) {
                    let origin = learned.origin[&(index, term)];
                    self.facts[index].push(Fact { term, origin });
                }
            }
        }
        Ok(learned)
    }
}

/// Who left the candidates that nobody else proposes.
const LEFT: &str = "what was left";

/// The inductive ones among what sources propose, where what is known by cutpoint holds.
pub fn learn(
    view: &mut View,
    known: &[Vec<Term>],
    left: Vec<Vec<Term>>,
    sources: &mut [&mut dyn Generalise],
    stop: impl FnMut() -> bool,
) -> Learned {
    let mut candidates = vec![Vec::new(); view.steps.blocks.locations.len()];
    let mut origin = FxHashMap::default();
    let mut add = |view: &View, proposed: Vec<Vec<Term>>, name: &'static str| {
        for (index, mut found) in proposed.into_iter().enumerate() {
            found.truncate(MOST_CANDIDATES);
            for t in found {
                // What a block reads is nothing behind it: facts speak of states only.
                let vars = &view.problem.encoding.vars;
                let lasting =
                    |v: &Term| vars.meaning(*v).is_some() || view.terms.object(*v).is_some();
                if view.terms.free_vars(t).iter().all(lasting)
                    && index != Cutpoint::START.index()
                    && !origin.contains_key(&(index, t))
                    && !known.get(index).is_some_and(|facts| facts.contains(&t))
                    && view.terms.op(t) != Op::True
                {
                    origin.insert((index, t), name);
                    candidates[index].push(t);
                }
            }
        }
    };
    for source in sources {
        let proposed = source.candidates(view);
        add(view, proposed, source.name());
    }
    add(view, left, LEFT);
    let mut kept = houdini(
        &view.problem.encoding,
        view.terms,
        &view.steps.transitions,
        &view.steps.blocks,
        known,
        candidates,
        view.solver,
        stop,
    );
    for facts in &mut kept.invariants {
        prune(view.terms, facts);
    }
    Learned {
        kept,
        candidates: origin.len() as u64,
        origin,
    }
}
