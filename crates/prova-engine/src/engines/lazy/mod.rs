//! Lazy abstraction: an abstract reachability graph with predicates of their own at every place
//! (Henzinger, Jhala, Majumdar, Sutre, *Lazy Abstraction*, POPL 2002; the predicates from
//! interpolants, place by place: Henzinger, Jhala, Majumdar, McMillan, *Abstractions from Proofs*,
//! POPL 2004).
//!
//! The graph is explored with the predicates that are there, at first none. A path to an error is
//! run or refuted; what holds along it where it is refuted becomes predicates at the places where it
//! holds. The *pivot* is the first node of the path that did not know what holds there: it and what
//! was reached through it is taken away and explored again, and the rest of the graph stays.
//!
//! Why it makes progress: the state before the pivot implies the interpolant there, and the parts of
//! the next interpolant are predicates now, each of which follows by itself. So the same path is not
//! found twice, unless the solver gives up.
//!
//! | file | what it holds |
//! |---|---|
//! | [`domain`] | predicates as a domain for [`crate::reach`] |
//! | [`questions`] | whether conditions can hold together, each asked once |
//! | this | the search |

pub mod domain;
pub mod questions;

use crate::engine::{Engine, Progress, Search, Turn};
use crate::interpolation::along::{Backward, Forward};
use crate::interpolation::language::SmallLanguage;
use crate::interpolation::suspect::{Examined, Examiner};
use crate::interpolation::Question;
use crate::problem::names::Names;
use crate::problem::{Problem, Steps};
use crate::proof::conclude::{proved, violated};
use crate::proof::inductive::{without_larger, Inductive};
use crate::reach::domain::Scan;
use crate::reach::explore::{Exploration, Found, Manner};
use crate::reach::flow::Flow;
use crate::reach::graph::{NodeId, Step};
use domain::{Abstraction, PredicateDomain, Predicates, State};
use prova_logic::{SolverConfig, Term, Terms};
use prova_task::{Statistics, Unknown};

/// Steps between two looks at the clock.
const POLL: u64 = 16;

/// The engine and its parameters.
#[derive(Clone, Debug, Default)]
pub struct Lazy {
    /// Its solver.
    pub solver: SolverConfig,
    /// How combinations of predicates are kept.
    pub abstraction: Abstraction,
}

impl Engine for Lazy {
    fn name(&self) -> &'static str {
        "lazy"
    }

    fn begin<'p>(
        &self,
        problem: &'p Problem,
        terms: &mut Terms,
    ) -> Result<Box<dyn Search<'p> + 'p>, Unknown> {
        let steps = problem.steps(terms)?;
        let flow = Flow::new(&steps.blocks);
        let cutpoints = steps.blocks.locations.len();
        Ok(Box::new(LazySearch {
            engine: self.clone(),
            problem,
            steps,
            exploration: Exploration::new(&flow, Manner::SEARCH, State::new()),
            flow,
            examiner: Examiner::new(problem, steps, &self.solver)?,
            predicates: Predicates::new(cutpoints, self.abstraction),
            statistics: Statistics {
                locations: problem.locations(),
                ..Statistics::default()
            },
        }))
    }
}

/// A search, between its turns.
struct LazySearch<'p> {
    engine: Lazy,
    problem: &'p Problem,
    steps: &'p Steps,
    flow: Flow,
    exploration: Exploration<State, Scan>,
    examiner: Examiner<'p>,
    predicates: Predicates,
    statistics: Statistics,
}

impl<'p> Search<'p> for LazySearch<'p> {
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        turn.known.begin(turn.budget);
        self.statistics.tests = turn.known.forest.count().into();
        if let Some(verdict) = violated(&turn.known.forest) {
            return verdict;
        }
        self.examiner.limit(turn.budget);
        let facts = self.facts(turn);
        let budget = turn.budget;
        let last = self.exploration.steps.saturating_add(turn.quota.steps);
        let rounds = turn.quota.iterations_over(self.statistics.locations);
        let last_round = self.statistics.iterations.saturating_add(rounds);
        let asked = self.predicates.questions.count;
        let last_question = asked.saturating_add(turn.quota.questions);
        loop {
            if self.statistics.iterations >= last_round {
                return Progress::Working;
            }
            let mut domain = PredicateDomain {
                problem: self.problem,
                steps: self.steps,
                predicates: &mut self.predicates,
                facts: &facts,
                solver: &mut *self.examiner.solver,
            };
            let stop = |steps: u64, domain: &PredicateDomain| {
                steps > last
                    || domain.predicates.questions.count > last_question
                    || (steps.is_multiple_of(POLL) && budget.poll().is_some())
            };
            let found = self
                .exploration
                .go_on(turn.terms, &self.flow, &mut domain, stop);
            let states = self.exploration.graph.count() as u64;
            self.statistics.regions = states;
            let asked = self.predicates.questions.count;
            self.statistics.set("predicate_questions", asked);
            turn.observer.progress(&self.statistics);
            let step = match found {
                Found::Limit => {
                    return match budget.poll() {
                        Some(stop) => Progress::Exhausted(Unknown::Stopped(stop)),
                        None => Progress::Working,
                    };
                }
                Found::Closed | Found::Trapped(_) => return self.conclude(turn, &facts),
                Found::Error(step) => step,
            };
            if let Some(progress) = self.refine(turn, step) {
                return progress;
            }
        }
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

impl<'p> LazySearch<'p> {
    /// What holds in all runs, by cutpoint.
    fn facts(&self, turn: &Turn) -> Vec<Vec<Term>> {
        let cutpoints = self.steps.blocks.cutpoints();
        let terms = |c| turn.known.facts(c).iter().map(|f| f.term).collect();
        cutpoints.map(terms).collect()
    }

    /// A path to an error: runs it, or lets predicates exclude it.
    fn refine(&mut self, turn: &mut Turn<'_, 'p>, (node, block): Step) -> Option<Progress> {
        self.statistics.iterations += 1;
        let mut path = self.exploration.graph.path(node);
        path.push(block);
        let core = match self.examiner.examine(turn, &path, &mut self.statistics) {
            Examined::Ended(progress) => return Some(progress),
            Examined::Impossible(core) => core,
        };
        let question = Question::impossible(turn.terms, &path);
        let sequence = self.examiner.interpolate(
            turn.terms,
            &question,
            &core,
            &mut [&mut SmallLanguage, &mut Backward, &mut Forward::default()],
        );
        let stuck = |turn: &Turn, reason: &str| {
            Some(Progress::Exhausted(match turn.budget.poll() {
                Some(stop) => Unknown::Stopped(stop),
                None => Unknown::Undecided {
                    edges: 1,
                    reason: reason.into(),
                    span: None,
                },
            }))
        };
        let Some(sequence) = sequence else {
            let reason = "a path cannot be run, but nothing was found that holds along it";
            return stuck(turn, reason);
        };
        let no = turn.terms.fals();
        let lineage = self.lineage(node);
        let mut pivot = None;
        for (&node, facts) in lineage.iter().zip(&sequence).skip(1) {
            let cutpoint = self.exploration.graph[node].cutpoint;
            if facts.contains(&no) {
                // It cannot be reached at all: the step before it excludes it.
                pivot = pivot.or(Some(node));
                break;
            }
            for &fact in facts {
                let new = self.predicates.add(turn.terms, cutpoint, fact);
                self.statistics.splits += u64::from(new);
            }
            let state = &self.exploration.graph[node].state;
            if !facts.iter().all(|t| state.binary_search(t).is_ok()) {
                pivot = pivot.or(Some(node));
            }
        }
        self.explain(turn, &lineage, &sequence, pivot);
        let Some(pivot) = pivot else {
            return stuck(turn, "predicates do not exclude a path that cannot be run");
        };
        self.exploration.cut(&self.flow, pivot);
        None
    }

    /// The nodes from the start to one.
    fn lineage(&self, node: NodeId) -> Vec<NodeId> {
        let mut all = vec![node];
        let mut at = node;
        while let Some((parent, _)) = self.exploration.graph[at].parent {
            all.push(parent);
            at = parent;
        }
        all.reverse();
        all
    }

    fn conclude(&mut self, turn: &mut Turn<'_, 'p>, facts: &[Vec<Term>]) -> Progress {
        let mut cases = vec![Vec::new(); facts.len()];
        let graph = &self.exploration.graph;
        for node in graph.ids() {
            let at = graph[node].cutpoint.index();
            let mut case = [&graph[node].state[..], &facts[at][..]].concat();
            case.sort_unstable();
            case.dedup();
            cases[at].push(case);
        }
        let cases = cases.into_iter().map(without_larger).collect();
        let mut claim = Inductive::new(self.problem, self.steps, cases);
        self.statistics.solver_time += self.examiner.solver.statistics().time;
        self.statistics.set("predicates", self.predicates.count());
        proved(
            self.problem,
            &self.engine.solver,
            turn,
            &mut claim,
            &mut self.statistics,
        )
    }

    fn explain(
        &self,
        turn: &mut Turn,
        lineage: &[NodeId],
        sequence: &[Vec<Term>],
        pivot: Option<NodeId>,
    ) {
        if !turn.observer.explains() {
            return;
        }
        let mut lines = vec![format!(
            "{:>5}  {} states, {} predicates; a path of {} blocks cannot be run:",
            self.statistics.iterations,
            self.exploration.graph.count(),
            self.predicates.count(),
            lineage.len(),
        )];
        let names = Names {
            prepared: &self.problem.prepared,
            terms: turn.terms,
        };
        for (&node, facts) in lineage.iter().zip(sequence) {
            if !facts.is_empty() {
                let at = self.exploration.graph[node].cutpoint.0;
                let mark = if pivot == Some(node) { " (pivot)" } else { "" };
                lines.push(format!("       at {at}: {}{mark}", names.facts(facts)));
            }
        }
        for line in lines {
            turn.observer.explain(&line);
        }
    }
}
