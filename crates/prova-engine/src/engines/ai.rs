//! The abstract interpretation alone: a fixed point, then a claim, and no search (Cousot and Cousot,
//! *Abstract Interpretation*, POPL 1977; Miné, *The Octagon Abstract Domain*, HOSC 2006).
//!
//! The analysis is the source of facts that other engines begin with
//! ([`crate::knowledge::sources::intervals`]): intervals of words and of floats, known bits,
//! differences and sums. Its facts enter what is known as everybody's do, by induction; if no step
//! leads from where they hold to an error, they are the proof. If one does, a few random tests may
//! show that it can be taken; nobody searches for it.

use crate::engine::{Engine, Progress, Search, Turn};
use crate::knowledge::sources::intervals::Facts;
use crate::knowledge::{Knowledge, Request};
use crate::problem::blocks::BlockId;
use crate::problem::{Problem, Steps};
use crate::proof::conclude::{proved, violated};
use crate::proof::inductive::Inductive;
use crate::proof::recheck::step_possible;
use prova_exec::{Policy, Test};
use prova_ir::Span;
use prova_logic::{new_solver, Answer, Limit, Solver, SolverConfig, Term, Terms};
use prova_task::{Statistics, Unknown};

/// The engine.
#[derive(Clone, Debug, Default)]
pub struct Interpretation {
    /// Its solver, which judges the facts.
    pub solver: SolverConfig,
}

/// The deterministic limit of one question.
const RESOURCE: u64 = 20_000_000;
/// Random tests that are run where the facts do not suffice, and where their seeds begin: other
/// ones than those of the first tests.
const RANDOM_TESTS: u64 = 50;
const FIRST_SEED: u64 = 1_000;

impl Engine for Interpretation {
    fn name(&self) -> &'static str {
        "ai"
    }

    fn begin<'p>(
        &self,
        problem: &'p Problem,
        terms: &mut Terms,
    ) -> Result<Box<dyn Search<'p> + 'p>, Unknown> {
        let steps = problem.steps(terms)?;
        let solver = new_solver(&self.solver).map_err(|e| Unknown::Unsupported {
            what: format!("this solver: {e}"),
            span: None,
        })?;
        Ok(Box::new(InterpretationSearch {
            config: self.solver.clone(),
            solver,
            problem,
            steps,
            statistics: Statistics {
                locations: problem.locations(),
                ..Statistics::default()
            },
        }))
    }
}

struct InterpretationSearch<'p> {
    config: SolverConfig,
    solver: Box<dyn Solver>,
    problem: &'p Problem,
    steps: &'p Steps,
    statistics: Statistics,
}

impl<'p> Search<'p> for InterpretationSearch<'p> {
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        turn.known.begin(turn.budget);
        self.statistics.tests = turn.known.forest.count().into();
        if let Some(verdict) = violated(&turn.known.forest) {
            return verdict;
        }
        self.statistics.iterations += 1;
        let budget = turn.budget;
        self.solver.set_limit(Limit {
            resource: Some(RESOURCE),
            time: budget.for_a_question(),
        });
        let request = Request {
            spoken: &[],
            path: None,
            solver: &mut *self.solver,
        };
        let stop = || budget.poll().is_some();
        let learned = turn
            .known
            .learn(turn.terms, request, &mut [&mut Facts], stop);
        match learned {
            Err(unknown) => return Progress::Exhausted(unknown),
            Ok(learned) => {
                self.statistics.learning_calls += learned.kept.calls;
                self.statistics.candidates += learned.candidates;
                self.statistics.learned = turn.known.count() as u64;
            }
        }
        self.statistics.solver_calls += 1;
        let open = open_block(
            self.problem,
            self.steps,
            turn.known,
            turn.terms,
            &mut *self.solver,
        );
        self.statistics.solver_time = self.solver.statistics().time;
        if let Some(stop) = budget.poll() {
            return Progress::Exhausted(Unknown::Stopped(stop));
        }
        match open {
            Some(_) if self.random_test_fails(turn) => {
                violated(&turn.known.forest).expect("a test has just failed")
            }
            Some(block) => Progress::Exhausted(Unknown::Undecided {
                edges: 1,
                reason: "what the abstract interpretation knows does not exclude an error".into(),
                span: self.span(block),
            }),
            None => self.conclude(turn),
        }
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

impl<'p> InterpretationSearch<'p> {
    /// Runs a few random tests, until one fails.
    fn random_test_fails(&mut self, turn: &mut Turn<'_, 'p>) -> bool {
        (0..RANDOM_TESTS).any(|i| {
            let seed = turn.known.seed.wrapping_add(FIRST_SEED + i);
            let test = Test {
                rest: Policy::SeededInputs(seed),
                ..Test::default()
            };
            self.statistics.tests += 1;
            let time = turn.budget.remaining();
            turn.known.forest.add_where(test, time, |_| false);
            turn.known.forest.failing().is_some()
        })
    }

    fn span(&self, block: BlockId) -> Option<Span> {
        let edges = &self.steps.blocks.block(block).edges;
        let body = self.problem.prepared.body();
        edges.last().map(|&e| body.edge(e).span)
    }

    fn conclude(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        let mut claim = claim_of_facts(self.problem, self.steps, turn.known, turn.terms);
        let config = self.config.clone();
        proved(
            self.problem,
            &config,
            turn,
            &mut claim,
            &mut self.statistics,
        )
    }
}

/// A step to an error that what is known does not exclude.
pub(crate) fn open_block(
    problem: &Problem,
    steps: &Steps,
    known: &Knowledge,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Option<BlockId> {
    let blocks = &steps.blocks;
    blocks.ids().find(|&id| {
        let block = blocks.block(id);
        if !blocks.errors.contains(&block.target) {
            return false;
        }
        let facts = known.facts(block.source).iter();
        let facts: Vec<Term> = facts.map(|f| f.term).collect();
        let (encoding, transitions) = (&problem.encoding, &steps.transitions);
        let answer = step_possible(encoding, terms, transitions, solver, &facts, id, &[vec![]]);
        answer != Answer::Unsat
    })
}

/// The claim that nothing but what is known is a proof.
pub(crate) fn claim_of_facts<'p>(
    problem: &'p Problem,
    steps: &'p Steps,
    known: &Knowledge,
    terms: &Terms,
) -> Inductive<'p> {
    let cases = steps.blocks.cutpoints().map(|cutpoint| {
        let facts = known.facts(cutpoint).iter();
        let facts: Vec<Term> = facts.map(|f| f.term).collect();
        match facts.iter().any(|&f| terms.as_bool(f) == Some(false)) {
            true => Vec::new(),
            false => vec![facts],
        }
    });
    Inductive::new(problem, steps, cases.collect())
}
