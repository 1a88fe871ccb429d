//! DASH: proofs from tests (seed 003, Figure 8). `docs/dash.md` tells the algorithm as built and
//! each departure from the paper.

pub mod calls;
mod choose;
mod draw;
pub mod extend;
mod learn;
pub mod refute;
mod verdict;

use crate::knowledge::sources::Sources;
use crate::problem::blocks::{Blocks, Cutpoint, Granularity};
use crate::problem::encoding::Encoding;
use crate::problem::names::Names;
use crate::problem::transitions::Transitions;
use crate::proof::recheck;
use crate::regions::graph::{AbstractEdge, RegionGraph, RegionId};
use crate::testing::forest::{spread, Added, Crossing, Forest, StateRef};
use extend::{extend, Extension, Prefix, Refinement, Verdicts};
use prova_exec::Test;
use prova_ir::Span;
use prova_logic::{new_solver, Limit, Solver, SolverConfig, Substitution, Term, Terms};
use prova_task::budget::Budget;
use prova_task::effort::{Focus, Splits};
use prova_task::prepare::Prepared;
use prova_task::*;

/// The DASH engine and its parameters.
#[derive(Clone, Debug, Default)]
pub struct Dash {
    /// How large a step is.
    pub granularity: Granularity,
    /// The solver of the main loop.
    pub solver: SolverConfig,
    /// What split predicates and invariants come from.
    pub sources: Sources,
    /// Stop after this many iterations, for tests that count them.
    pub iterations: Option<u64>,
    /// Which calls are inlined.
    pub inline: Inline,
    /// Ask callees anew at every call, to see what summaries are worth.
    pub without_summaries: bool,
}

/// Random tests run before the search; they spare it the branches that any inputs reach.
pub(crate) const RANDOM_TESTS: u64 = 4;

/// States of a region that are asked about a predicate.
pub(crate) const WITNESSES: usize = 48;

/// Queries after which the solver forgets everything: an incremental solver slows down.
pub(crate) const SOLVER_LIFE: u64 = 64;

/// A cutpoint that was split this often makes the search look for invariants.
pub(crate) const FIRST_PATIENCE: u32 = 12;

/// The deterministic limit of one query of the main loop, in the solver's units.
pub(crate) const QUERY_RESOURCE: u64 = 20_000_000;

impl Checker for Dash {
    fn name(&self) -> &'static str {
        "dash"
    }

    fn check(&self, task: &Task, budget: &Budget, observer: &mut dyn Observer) -> Report {
        let mut statistics = Statistics::default();
        let decided = match self.prepare(&task.program) {
            Err(unknown) => (Outcome::Unknown(unknown), Scope::default()),
            Ok(prepared) => self.decide(task, &prepared, budget, observer, &mut statistics),
        };
        Report::at_end(budget, statistics, decided)
    }
}

impl Dash {
    /// Inlines what is to be inlined.
    pub fn prepare(&self, program: &prova_ir::Program) -> Result<Prepared, Unknown> {
        self.inline.prepare(program)
    }

    /// A solver of its own for the last check of a proof: it knows nothing of the search.
    pub(crate) fn fresh_solver(&self, budget: &Budget) -> Result<Box<dyn Solver>, Unknown> {
        let failed = |e: prova_logic::SolverError| Unknown::CheckFailed(e.to_string());
        let mut fresh = new_solver(&self.solver).map_err(failed)?;
        fresh.set_limit(Limit {
            resource: None,
            time: budget.for_a_question(),
        });
        Ok(fresh)
    }

    /// Decides a prepared program.
    pub fn decide(
        &self,
        task: &Task,
        prepared: &Prepared,
        budget: &Budget,
        observer: &mut dyn Observer,
        statistics: &mut Statistics,
    ) -> (Outcome, Scope) {
        if !prepared.is_one_procedure() {
            return crate::engines::dash::calls::check(
                self, task, prepared, budget, observer, statistics,
            );
        }
        let entered = self.sources.tests.then(|| prepared.with_entries());
        let entered = entered.flatten();
        let prepared = entered.as_ref().unwrap_or(prepared);
        let mut terms = Terms::new();
        let encoding = Encoding::new(&mut terms, prepared);
        let mut search = match Search::new(self, &encoding, terms, budget, observer) {
            Ok(search) => search,
            Err(unknown) => return (Outcome::Unknown(unknown), prepared.scope()),
        };
        let outcome = search.run(task);
        search.finish_statistics(&outcome);
        *statistics = search.statistics.clone();
        let scope = search.scope();
        (outcome, scope)
    }
}

/// The state of one check.
struct Search<'a> {
    dash: &'a Dash,
    prepared: &'a Prepared,
    encoding: &'a Encoding<'a>,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    blocks: Blocks,
    graph: RegionGraph,
    transitions: Transitions,
    forest: Forest<'a>,
    solver: Box<dyn Solver>,
    /// Confirms refinements in debug builds.
    checker: Option<Box<dyn Solver>>,
    statistics: Statistics,
    undecided: Vec<(String, Option<Span>)>,
    /// What was learned for all runs, by cutpoint.
    facts: Vec<Vec<Term>>,
    /// The loop nest each cutpoint belongs to: its strongly connected component.
    component: Vec<u32>,
    /// Splits by cutpoint since the search began.
    split_counts: Vec<u32>,
    /// The same by place, for people.
    splits: Splits,
    /// How often a cutpoint has to be split before invariants are sought again.
    patience: u32,
    violation: Option<(u32, Span)>,
    seed: u64,
    /// Whether invariants were sought because a step could not be decided.
    despaired: bool,
}

enum Next {
    Go,
    Done(Outcome),
}

impl<'a> Search<'a> {
    fn new(
        dash: &'a Dash,
        encoding: &'a Encoding<'a>,
        terms: Terms,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
    ) -> Result<Self, Unknown> {
        let prepared = encoding.prepared;
        let blocks = Blocks::new(prepared.body(), dash.granularity);
        let graph = blocks.regions();
        let transitions = encoding.transitions(terms, &blocks)?;
        let forest = Forest::new(encoding)?;
        let config = SolverConfig {
            limit: Limit {
                resource: Some(QUERY_RESOURCE),
                ..dash.solver.limit
            },
            ..dash.solver.clone()
        };
        let solver = new_solver(&config).map_err(|e| Unknown::Unsupported {
            what: format!("this solver: {e}"),
            span: None,
        })?;
        let split_counts = vec![0; blocks.locations.len()];
        let facts = vec![Vec::new(); blocks.locations.len()];
        let component = blocks.components();
        Ok(Search {
            dash,
            prepared,
            encoding,
            budget,
            observer,
            blocks,
            graph,
            transitions,
            forest,
            solver,
            checker: None,
            statistics: Statistics::default(),
            undecided: Vec::new(),
            facts,
            component,
            split_counts,
            splits: Splits::default(),
            patience: FIRST_PATIENCE,
            violation: None,
            seed: 0,
            despaired: false,
        })
    }

    fn run(&mut self, task: &Task) -> Outcome {
        self.seed = task.seed;
        self.statistics.locations = self.prepared.body().locations.len() as u64;
        if self.graph.frontier().is_some() {
            for test in self.forest.tests_to_begin_with(task, RANDOM_TESTS) {
                self.add_test(test);
                if let Some(outcome) = self.violated() {
                    return outcome;
                }
                if !self.forest.reads_inputs(0) {
                    break;
                }
            }
        }
        self.interpret();
        loop {
            // A test that was run for its states may have failed, too.
            if let Some(outcome) = self.violated() {
                return outcome;
            }
            if let Some(stop) = self.budget.poll() {
                return Outcome::Unknown(Unknown::Stopped(stop));
            }
            if self
                .dash
                .iterations
                .is_some_and(|limit| self.statistics.iterations >= limit)
            {
                return Outcome::Unknown(Unknown::Stopped(prova_task::budget::Stop::Cancelled));
            }
            let Some((region, edge)) = self.graph.frontier() else {
                self.draw(None);
                return self.conclude();
            };
            self.observer.focus(&self.focus(region));
            self.observer.progress(&self.statistics);
            self.draw(Some((region, edge.target)));
            match self.iterate(region, edge) {
                Next::Go => {}
                Next::Done(outcome) => return outcome,
            }
        }
    }

    /// One iteration: the frontier moves forward by a test or backward by a refinement.
    fn iterate(&mut self, region: RegionId, edge: AbstractEdge) -> Next {
        self.statistics.iterations += 1;
        let source = self.graph.region(region).clone();
        let target_facts = self.graph.region(edge.target).facts.clone();
        let state = self.nearest_state(&source.states, edge, &target_facts);
        let limit = Limit {
            resource: Some(QUERY_RESOURCE),
            time: self.budget.for_a_question(),
        };
        if self.statistics.iterations.is_multiple_of(SOLVER_LIFE) {
            self.solver.reset();
        }
        self.solver.set_limit(limit);
        let before = self.solver.statistics().queries;
        let keep = self.belonging(region, edge);
        let witnesses = spread(&source.states, WITNESSES);
        // Path and evaluation both want the forest; they take turns.
        let forest = std::cell::RefCell::new(&mut self.forest);
        let extension = extend(
            self.encoding,
            &mut self.transitions,
            &mut *self.solver,
            &source.facts,
            edge.block,
            &target_facts,
            &[],
            |terms, variables| match state {
                Some(state) => forest.borrow_mut().prefix(terms, state, variables),
                None => Ok(Prefix::new(
                    terms,
                    Substitution::new(),
                    Vec::new(),
                    Vec::new(),
                )),
            },
            |terms, t| {
                let forest = forest.borrow();
                Verdicts {
                    at_frontier: state.is_some_and(|s| forest.holds(terms, s, t)),
                    all: witnesses
                        .iter()
                        .map(|&s| forest.holds(terms, s, t))
                        .collect(),
                }
            },
            &keep,
            false,
        );
        let extension = match extension {
            Ok(extension) => extension,
            Err(unknown) => return Next::Done(Outcome::Unknown(unknown)),
        };
        self.statistics.solver_calls += self.solver.statistics().queries - before;
        match extension {
            Extension::Test { model, query } => {
                let inputs = self.transitions.get(edge.block).transfer.inputs.clone();
                let edges = self.blocks.block(edge.block).edges.clone();
                let crossing = Crossing {
                    model: &model,
                    query: &query,
                    edges: &edges,
                    inputs: &inputs,
                };
                match self
                    .forest
                    .test_from_model(&self.transitions.terms, state, &crossing)
                {
                    Ok(test) => {
                        let number = self.add_test(test);
                        self.explain_test(region, edge, number);
                        if let Some(outcome) = self.violated() {
                            return Next::Done(outcome);
                        }
                        if !self.graph.is_visited(edge.target) {
                            let reason = self.forest.why_not(number);
                            self.give_up(region, edge, reason);
                        }
                    }
                    Err(reason) => self.give_up(region, edge, reason),
                }
            }
            Extension::Impossible => {
                self.debug_check_step(&source.facts, edge, &target_facts);
                self.graph.remove(region, edge.block, edge.target);
                self.statistics.removed_edges += 1;
                self.explain(
                    region,
                    edge,
                    "impossible from the whole region: the step is removed",
                );
            }
            Extension::Split(refinement) => {
                self.split(region, edge, state, refinement, &target_facts)
            }
            Extension::Undecided(reason) => self.give_up(region, edge, reason),
        }
        Next::Go
    }

    fn split(
        &mut self,
        region: RegionId,
        edge: AbstractEdge,
        state: Option<StateRef>,
        refinement: Refinement,
        target_facts: &[Term],
    ) {
        let Some(state) = state else {
            self.give_up(region, edge, "the start cannot be split".into());
            return;
        };
        if self
            .forest
            .holds(&self.transitions.terms, state, refinement.predicate)
        {
            self.give_up(
                region,
                edge,
                "the refinement does not exclude the test's own state".into(),
            );
            return;
        }
        let mut facts = self.graph.region(region).facts.clone();
        facts.extend_from_slice(&refinement.no);
        self.debug_check_step(&facts, edge, target_facts);
        let size = self.transitions.terms.size(refinement.predicate) as u64;
        self.statistics.splits += 1;
        self.statistics.predicate_nodes += size;
        self.statistics.largest_predicate = self.statistics.largest_predicate.max(size);
        if self.observer.explains() {
            let text = self.names().predicate(refinement.predicate);
            self.explain(region, edge, &format!("no test can: split by {text}"));
        }
        // The oracle builds terms, evaluation only reads them: evaluate first.
        let holds: rustc_hash::FxHashMap<StateRef, bool> = self
            .graph
            .region(region)
            .states
            .iter()
            .map(|&s| {
                (
                    s,
                    self.forest
                        .holds(&self.transitions.terms, s, refinement.predicate),
                )
            })
            .collect();
        let cutpoint = self.graph.region(region).cutpoint;
        self.graph.split(
            region,
            refinement.predicate,
            &refinement.yes,
            &refinement.no,
            Some((edge.block, edge.target)),
            |s| holds[&s],
            &mut self.transitions,
        );
        self.split_counts[cutpoint.index()] += 1;
        self.splits
            .add(self.span_of(cutpoint), refinement.predicate);
        if self.split_counts[cutpoint.index()] >= self.patience {
            self.learn();
        }
    }

    fn give_up(&mut self, region: RegionId, edge: AbstractEdge, reason: String) {
        // Facts for all runs may settle what this step alone does not.
        if !std::mem::replace(&mut self.despaired, true) {
            let before = self.statistics.learned;
            self.learn();
            if self.statistics.learned > before {
                return;
            }
        }
        self.explain(region, edge, &format!("undecided: {reason}"));
        let span = self.span_of(self.graph.region(region).cutpoint);
        self.undecided.push((reason, span));
        self.graph.mark_undecided(region, edge.block, edge.target);
    }

    /// Runs a test and puts its states where they belong. Returns its number.
    fn add_test(&mut self, test: Test) -> u32 {
        let added = self.forest.add(test, self.budget.remaining());
        self.place(added)
    }

    fn place(&mut self, added: Added) -> u32 {
        self.statistics.tests += 1;
        if let Some(span) = added.error {
            self.violation.get_or_insert((added.number, span));
        }
        self.statistics.forest_states += self.place_states(added.number);
        added.number
    }

    /// Puts the states of a test into their regions; gives their number.
    fn place_states(&mut self, test: u32) -> u64 {
        let mut placed = 0;
        for (cutpoint, states) in self.forest.states_of(test, &self.blocks) {
            for state in states {
                let forest = &self.forest;
                let terms = &self.transitions.terms;
                let region = self
                    .graph
                    .locate(cutpoint, |p| forest.holds(terms, state, p));
                self.graph.add_state(region, state);
                placed += 1;
            }
        }
        placed
    }

    fn debug_check_step(&mut self, facts: &[Term], edge: AbstractEdge, target: &[Term]) {
        if !cfg!(debug_assertions) {
            return;
        }
        let checker = self
            .checker
            .get_or_insert_with(|| new_solver(&self.dash.solver).expect("it was made before"));
        checker.set_limit(Limit {
            resource: Some(QUERY_RESOURCE / 40),
            time: self.budget.for_a_question(),
        });
        let answer = recheck::step_possible(
            self.encoding,
            &mut self.transitions,
            &mut **checker,
            facts,
            edge.block,
            &[target.to_vec()],
        );
        assert!(
            answer != prova_logic::Answer::Sat,
            "Definition 1 (2): a transition is left from the half without the predicate"
        );
    }

    fn span_of(&self, cutpoint: Cutpoint) -> Option<Span> {
        let location = self.blocks.locations[cutpoint.index()]?;
        Some(self.prepared.body().location(location).span)
    }

    fn names(&self) -> Names<'_> {
        Names {
            prepared: self.prepared,
            terms: &self.transitions.terms,
        }
    }

    fn explain(&mut self, region: RegionId, edge: AbstractEdge, what: &str) {
        if self.observer.explains() {
            let frontier = self.frontier_text(region, edge);
            let line = format!("{:>5}  {frontier}: {what}", self.statistics.iterations);
            self.observer.explain(&line);
        }
    }

    fn explain_test(&mut self, region: RegionId, edge: AbstractEdge, number: u32) {
        if self.observer.explains() {
            let what = self.forest.story(number);
            self.explain(region, edge, &format!("test {what}"));
        }
    }

    fn frontier_text(&self, region: RegionId, edge: AbstractEdge) -> String {
        let names = self.names();
        let place = |c: Cutpoint| match self.span_of(c) {
            None => "start".to_string(),
            Some(span) => names.place(span),
        };
        let (s, t) = (self.graph.region(region), self.graph.region(edge.target));
        format!(
            "{} {} -> {} {}",
            place(s.cutpoint),
            names.facts(&s.facts),
            place(t.cutpoint),
            names.facts(&t.facts)
        )
    }

    fn finish_statistics(&mut self, outcome: &Outcome) {
        self.statistics.regions = self.graph.len() as u64;
        self.statistics.solver_time += self.solver.statistics().time;
        // A proof has taken the terms away.
        if matches!(outcome, Outcome::Unknown(_)) {
            let names = self.names();
            let refined = self.splits.most(|t| names.predicate(t));
            self.statistics.refined = refined;
        }
    }

    /// Where the search is, for people.
    fn focus(&self, region: RegionId) -> Focus {
        let at = self.graph.region(region);
        Focus {
            span: self.span_of(at.cutpoint),
            regions: self.graph.len() as u64,
            depth: at.states.first().map_or(0, |s| s.step),
            distance: self.graph.distance(region).unwrap_or(0),
            queries: 0,
            solving: self.solver.statistics().time,
        }
    }

    fn scope(&self) -> Scope {
        let mut scope = self.prepared.scope();
        self.forest.complete_scope(&mut scope, self.prepared);
        scope
    }
}
