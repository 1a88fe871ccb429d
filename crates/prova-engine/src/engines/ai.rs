//! The abstract interpretation alone: a fixed point, then a claim, and no search (Cousot and Cousot,
//! *Abstract Interpretation*, POPL 1977; Miné, *The Octagon Abstract Domain*, HOSC 2006).
//!
//! The analysis is the source of facts that other engines begin with
//! ([`crate::knowledge::sources::intervals`]): intervals of words and of floats, known bits,
//! differences and sums. Its facts enter what is known as everybody's do, by induction; if no step
//! leads from where they hold to an error, they are the proof. It never finds a violation that the
//! first tests do not find.

use crate::engine::{Engine, Progress, Search, Turn};
use crate::knowledge::sources::intervals::Facts;
use crate::knowledge::Request;
use crate::problem::blocks::BlockId;
use crate::problem::{Problem, Steps};
use crate::proof::conclude::{proved, violated};
use crate::proof::inductive::Inductive;
use crate::proof::recheck::step_possible;
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
        let open = self.open(turn);
        self.statistics.solver_time = self.solver.statistics().time;
        if let Some(stop) = budget.poll() {
            return Progress::Exhausted(Unknown::Stopped(stop));
        }
        match open {
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
    fn facts(&self, turn: &Turn<'_, 'p>, block: BlockId) -> Vec<Term> {
        let source = self.steps.blocks.block(block).source;
        turn.known.facts(source).iter().map(|f| f.term).collect()
    }

    /// A step to an error that the facts do not exclude.
    fn open(&mut self, turn: &mut Turn<'_, 'p>) -> Option<BlockId> {
        let blocks = &self.steps.blocks;
        blocks.ids().find(|&id| {
            if !blocks.errors.contains(&blocks.block(id).target) {
                return false;
            }
            let facts = self.facts(turn, id);
            self.statistics.solver_calls += 1;
            let answer = step_possible(
                &self.problem.encoding,
                turn.terms,
                &self.steps.transitions,
                &mut *self.solver,
                &facts,
                id,
                &[Vec::new()],
            );
            answer != Answer::Unsat
        })
    }

    fn span(&self, block: BlockId) -> Option<Span> {
        let edges = &self.steps.blocks.block(block).edges;
        let body = self.problem.prepared.body();
        edges.last().map(|&e| body.edge(e).span)
    }

    fn conclude(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        let never = turn.terms.fals();
        let cases = self.steps.blocks.cutpoints().map(|cutpoint| {
            let facts = turn.known.facts(cutpoint).iter();
            let facts: Vec<Term> = facts.map(|f| f.term).collect();
            match facts.contains(&never) {
                true => Vec::new(),
                false => vec![facts],
            }
        });
        let mut claim = Inductive::new(self.problem, self.steps, cases.collect());
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
