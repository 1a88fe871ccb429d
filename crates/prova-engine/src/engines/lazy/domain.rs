//! Predicates as a domain: what is known at a cutpoint is which predicates hold and which do not.
//!
//! *Cartesian*: each predicate behind a block is decided by itself, so a state is one conjunction
//! and costs a question or two a predicate. *Boolean*: all combinations that can come out, each a
//! state of its own: exact, and up to 2ⁿ of them (Ball, Podelski, Rajamani, *Boolean and Cartesian
//! Abstraction for Model Checking C Programs*, TACAS 2001).

use super::questions::Questions;
use crate::problem::blocks::{BlockId, Cutpoint};
use crate::problem::{Problem, Steps};
use crate::reach::domain::{Domain, Post, Scan};
use prova_logic::{Answer, Solver, Term, Terms};

/// How much of what predicates say together is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Abstraction {
    /// What each says by itself.
    #[default]
    Cartesian,
    /// All combinations.
    Boolean,
}

/// States that Boolean abstraction gives behind one block, at most; then it is Cartesian there.
const MOST_STATES: usize = 64;
/// What is known: predicates that hold, and negations of those that do not, sorted.
pub type State = Vec<Term>;

/// The predicates at each cutpoint, and what was asked about them.
pub struct Predicates {
    /// By cutpoint.
    pub at: Vec<Vec<Term>>,
    /// How combinations are kept.
    pub abstraction: Abstraction,
    /// What was asked about them.
    pub questions: Questions,
}

impl Predicates {
    /// None at any of so many cutpoints.
    pub fn new(cutpoints: usize, abstraction: Abstraction) -> Predicates {
        Predicates {
            at: vec![Vec::new(); cutpoints],
            abstraction,
            questions: Questions::default(),
        }
    }

    /// Adds a predicate at a cutpoint, unless it or its negation is there.
    pub fn add(&mut self, terms: &mut Terms, cutpoint: Cutpoint, predicate: Term) -> bool {
        let negation = terms.not(predicate);
        let here = &mut self.at[cutpoint.index()];
        let new = terms.as_bool(predicate).is_none()
            && !here.contains(&predicate)
            && !here.contains(&negation);
        if new {
            here.push(predicate);
        }
        new
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.at.iter().map(|p| p.len() as u64).sum()
    }
}

/// The domain for one exploration.
pub struct PredicateDomain<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// Its steps.
    pub steps: &'a Steps,
    /// The predicates.
    pub predicates: &'a mut Predicates,
    /// What holds in all runs, by cutpoint.
    pub facts: &'a [Vec<Term>],
    /// A solver with a limit; what it leaves open counts as possible.
    pub solver: &'a mut dyn Solver,
}

impl PredicateDomain<'_> {
    fn possible(&mut self, terms: &mut Terms, context: &[Term], conditions: &[Term]) -> bool {
        let (encoding, solver) = (&self.problem.encoding, &mut *self.solver);
        let questions = &mut self.predicates.questions;
        questions.possible(encoding, terms, solver, context, conditions)
    }

    /// All combinations of predicates, given by their preimages, that can hold beside what is known.
    fn combinations(
        &mut self,
        terms: &mut Terms,
        known: &[Term],
        open: &[(Term, Term)],
    ) -> Option<Vec<State>> {
        let preimages: Vec<Term> = open.iter().map(|o| o.1).collect();
        let roots = [known, &preimages[..]].concat();
        let axioms = self.problem.encoding.axioms(terms, &roots);
        self.solver.push();
        for &t in known.iter().chain(&axioms) {
            self.solver.assert(terms, t);
        }
        let mut found = Vec::new();
        let complete = loop {
            self.predicates.questions.count += 1;
            match self.solver.check(terms, &[]) {
                Answer::Unsat => break true,
                Answer::Unknown(_) => break false,
                Answer::Sat => {}
            }
            let Ok(model) = self.solver.model(terms, &terms.free_vars_of(&roots)) else {
                break false;
            };
            let (mut state, mut cube) = (Vec::new(), Vec::new());
            for &(predicate, preimage) in open {
                let holds = terms.eval(preimage, &model).as_bool() == Some(true);
                state.push(if holds {
                    predicate
                } else {
                    terms.not(predicate)
                });
                cube.push(if holds { preimage } else { terms.not(preimage) });
            }
            found.push(state);
            if found.len() > MOST_STATES {
                break false;
            }
            let cube = terms.and(&cube);
            let other = terms.not(cube);
            self.solver.assert(terms, other);
        };
        self.solver.pop(1);
        complete.then_some(found)
    }
}

impl Domain for PredicateDomain<'_> {
    type State = State;
    type Opened = ();
    type Index = Scan;

    fn initial(&mut self, _: &mut Terms) -> State {
        Vec::new()
    }

    fn open(&mut self, _: &mut Terms, _: &State) {}

    fn post(
        &mut self,
        terms: &mut Terms,
        state: &State,
        (): &mut (),
        block: BlockId,
    ) -> Post<State> {
        let (source, target) = {
            let block = self.steps.blocks.block(block);
            (block.source, block.target)
        };
        let transitions = &self.steps.transitions;
        let mut guard: Vec<Term> = Vec::new();
        for &g in transitions.guard(block) {
            guard.extend(terms.conjuncts(g));
        }
        let mut context = state.clone();
        context.extend(&self.facts[source.index()]);
        let shares = {
            let spoken = terms.free_vars_of(&guard);
            let known = terms.free_vars_of(&context);
            known.iter().any(|v| spoken.contains(v))
        };
        if guard.contains(&terms.fals()) || shares && !self.possible(terms, &context, &guard) {
            return Post::Impossible;
        }
        context.extend(&guard);
        let (mut decided, mut open) = (Vec::new(), Vec::new());
        for predicate in self.predicates.at[target.index()].clone() {
            let before = transitions.preimage(terms, block, predicate);
            let outside = terms.not(before);
            let negation = terms.not(predicate);
            if context.contains(&before) || !self.possible(terms, &context, &[outside]) {
                decided.push(predicate);
            } else if context.contains(&outside) || !self.possible(terms, &context, &[before]) {
                decided.push(negation);
            } else {
                open.push((predicate, before));
            }
        }
        let mut states = vec![Vec::new()];
        if self.predicates.abstraction == Abstraction::Boolean && !open.is_empty() {
            if let Some(found) = self.combinations(terms, &context, &open) {
                states = found;
            }
        }
        for state in &mut states {
            state.extend(&decided);
            state.sort_unstable();
        }
        Post::To(states)
    }

    fn covers(&mut self, _: &mut Terms, state: &State, other: &State) -> bool {
        state.iter().all(|t| other.binary_search(t).is_ok())
    }
}
