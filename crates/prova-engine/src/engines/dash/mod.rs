//! DASH (Beckman, Nori, Rajamani, Simmons, Tetali, Thakur: *Proofs from Tests*, Figure 8).
//! `docs/dash.md` tells the algorithm as built and each departure from the paper.

pub mod calls;
mod choose;
pub mod extend;
mod learn;
pub mod refute;

use crate::engine::{Engine, Progress, Quota, Search, Turn};
use crate::knowledge::sources::Sources;
use crate::knowledge::Knowledge;
use crate::problem::blocks::{Cutpoint, Granularity};
use crate::problem::encoding::Encoding;
use crate::problem::names::Names;
use crate::problem::transitions::{Exclusion, Transitions};
use crate::problem::{Problem, Steps};
use crate::proof::conclude::{proved, violated};
use crate::proof::recheck::step_possible;
use crate::regions::claim::Partition;
use crate::regions::draw::Picture;
use crate::regions::graph::{Cut, Dropped, Edge, RegionId, Regions, MAIN};
use crate::testing::forest::{spread, Crossing, StateRef};
use extend::{extend, Extension, Prefix, Refinement, Verdicts};
use prova_exec::Test;
use prova_ir::Span;
use prova_logic::{new_solver, Limit, Solver, SolverConfig, Substitution, Term, Terms};
use prova_task::effort::{Focus, Splits};
use prova_task::{Budget, Inline, Observer, Prepared, Statistics, Unknown};

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

/// States of a region that are asked about a predicate.
pub(crate) const WITNESSES: usize = 48;

/// Queries after which the solver forgets everything: an incremental solver slows down.
pub(crate) const SOLVER_LIFE: u64 = 64;

/// A cutpoint that was split this often makes the search look for invariants.
pub(crate) const FIRST_PATIENCE: u32 = 12;

/// The deterministic limit of one query of the main loop, in the solver's units.
pub(crate) const QUERY_RESOURCE: u64 = 20_000_000;

impl Engine for Dash {
    fn name(&self) -> &'static str {
        "dash"
    }

    fn takes_procedures(&self) -> bool {
        true
    }

    fn begin<'p>(
        &self,
        problem: &'p Problem,
        terms: &mut Terms,
    ) -> Result<Box<dyn Search<'p> + 'p>, Unknown> {
        if !problem.prepared.is_one_procedure() {
            return calls::begin(self, problem, terms);
        }
        let steps = problem.steps(terms)?;
        Ok(Box::new(DashSearch {
            dash: self.clone(),
            problem,
            steps,
            graph: coarsest(problem, steps),
            solver: self.searching_solver()?,
            checker: None,
            statistics: Statistics {
                locations: problem.locations(),
                ..Statistics::default()
            },
            undecided: Vec::new(),
            placed: 0,
            taken: vec![0; steps.blocks.locations.len()],
            interpreted: false,
            split_counts: vec![0; steps.blocks.locations.len()],
            splits: Splits::default(),
            patience: FIRST_PATIENCE,
            despaired: false,
        }))
    }
}

/// The coarsest abstraction, to be searched from the program's end.
fn coarsest(problem: &Problem, steps: &Steps) -> Regions {
    let mut graph = Regions::of(problem.prepared.entry(), &steps.blocks);
    graph.search_from_the_end(steps.component.clone());
    graph
}

impl Dash {
    /// A solver for the main loop.
    pub(crate) fn searching_solver(&self) -> Result<Box<dyn Solver>, Unknown> {
        let config = SolverConfig {
            limit: Limit {
                resource: Some(QUERY_RESOURCE),
                ..self.solver.limit
            },
            ..self.solver.clone()
        };
        new_solver(&config).map_err(|e| Unknown::Unsupported {
            what: format!("this solver: {e}"),
            span: None,
        })
    }

    /// Iterations that a search may have had when a turn is over.
    pub(crate) fn last_iteration(&self, quota: Quota, locations: u64, so_far: u64) -> u64 {
        let turn = so_far.saturating_add(quota.iterations_over(locations));
        turn.min(self.iterations.unwrap_or(u64::MAX))
    }

    /// What a turn ends with when it had its iterations.
    pub(crate) fn turn_over(&self, so_far: u64) -> Progress {
        match self.iterations.is_some_and(|limit| so_far >= limit) {
            true => Progress::Exhausted(Unknown::TurnsOver),
            false => Progress::Working,
        }
    }
}

/// A search of one procedure, between its turns.
struct DashSearch<'p> {
    dash: Dash,
    problem: &'p Problem,
    steps: &'p Steps,
    graph: Regions,
    solver: Box<dyn Solver>,
    /// Confirms refinements in debug builds.
    checker: Option<Box<dyn Solver>>,
    statistics: Statistics,
    undecided: Vec<(String, Option<Span>)>,
    /// Tests whose states are in their regions.
    placed: u32,
    /// Facts that the graph has been told, by cutpoint.
    taken: Vec<usize>,
    /// Whether the abstract interpretation had its say.
    interpreted: bool,
    /// Splits by cutpoint since the search began.
    split_counts: Vec<u32>,
    /// The same by place, for people.
    splits: Splits,
    /// How often a cutpoint has to be split before invariants are sought again.
    patience: u32,
    /// Whether invariants were sought because a step could not be decided.
    despaired: bool,
}

/// A search in its turn.
struct Work<'t, 'p> {
    own: &'t mut DashSearch<'p>,
    prepared: &'p Prepared,
    encoding: &'p Encoding,
    steps: &'p Steps,
    transitions: &'p Transitions,
    terms: &'t mut Terms,
    known: &'t mut Knowledge<'p>,
    budget: &'t Budget,
    observer: &'t mut dyn Observer,
}

enum Next {
    Go,
    Done(Progress),
}

impl<'p> Search<'p> for DashSearch<'p> {
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        let (problem, steps) = (self.problem, self.steps);
        let mut work = Work {
            own: self,
            prepared: &problem.prepared,
            encoding: &problem.encoding,
            steps,
            transitions: &steps.transitions,
            terms: &mut *turn.terms,
            known: &mut *turn.known,
            budget: turn.budget,
            observer: &mut *turn.observer,
        };
        let progress = work.run(turn.quota);
        work.finish_statistics(&progress);
        progress
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

impl<'p> Work<'_, 'p> {
    fn run(&mut self, quota: Quota) -> Progress {
        if self.own.graph.frontier().is_some() {
            self.known.begin(self.budget);
        }
        self.place_tests();
        if let Some(verdict) = violated(&self.known.forest) {
            return verdict;
        }
        self.take_facts();
        self.interpret();
        let so_far = self.own.statistics.iterations;
        let locations = self.own.statistics.locations;
        let last = self.own.dash.last_iteration(quota, locations, so_far);
        loop {
            // A test that was run for its states may have failed, too.
            if let Some(verdict) = violated(&self.known.forest) {
                return verdict;
            }
            if let Some(stop) = self.budget.poll() {
                return Progress::Exhausted(Unknown::Stopped(stop));
            }
            let iterations = self.own.statistics.iterations;
            if iterations >= last {
                return self.own.dash.turn_over(iterations);
            }
            let Some((region, edge)) = self.own.graph.frontier() else {
                self.draw(None);
                return self.conclude();
            };
            self.observer.focus(&self.focus(region));
            self.observer.progress(&self.own.statistics);
            self.draw(Some((region, edge.target)));
            match self.iterate(region, edge) {
                Next::Go => {}
                Next::Done(progress) => return progress,
            }
        }
    }

    /// One iteration: the frontier moves forward by a test or backward by a refinement.
    fn iterate(&mut self, region: RegionId, edge: Edge) -> Next {
        self.own.statistics.iterations += 1;
        let source = self.own.graph.region(region).clone();
        let target_facts = self.own.graph.region(edge.target).facts.clone();
        let state = self.nearest_state(&source.states, edge, &target_facts);
        let limit = Limit {
            resource: Some(QUERY_RESOURCE),
            time: self.budget.for_a_question(),
        };
        if self.own.statistics.iterations.is_multiple_of(SOLVER_LIFE) {
            self.own.solver.reset();
        }
        self.own.solver.set_limit(limit);
        let before = self.own.solver.statistics();
        let keep = self.belonging(region, edge);
        let witnesses = spread(&source.states, WITNESSES);
        // Path and evaluation both want the forest; they take turns.
        let forest = std::cell::RefCell::new(&mut self.known.forest);
        let extension = extend(
            self.encoding,
            self.terms,
            self.transitions,
            &mut *self.own.solver,
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
            Err(unknown) => return Next::Done(Progress::Exhausted(unknown)),
        };
        self.own.statistics.solver_calls += self.own.solver.statistics().queries - before.queries;
        self.own.statistics.solver_time += self.own.solver.statistics().time - before.time;
        match extension {
            Extension::Test { model, query } => {
                let inputs = self.transitions.get(edge.block).transfer.inputs.clone();
                let edges = self.steps.blocks.block(edge.block).edges.clone();
                let crossing = Crossing {
                    model: &model,
                    query: &query,
                    edges: &edges,
                    inputs: &inputs,
                };
                match self
                    .known
                    .forest
                    .test_from_model(&*self.terms, state, &crossing)
                {
                    Ok(test) => {
                        let number = self.add_test(test);
                        self.explain_test(region, edge, number);
                        if let Some(verdict) = violated(&self.known.forest) {
                            return Next::Done(verdict);
                        }
                        if !self.own.graph.is_visited(edge.target) {
                            let reason = self.known.forest.why_not(number);
                            self.give_up(region, edge, reason);
                        }
                    }
                    Err(reason) => self.give_up(region, edge, reason),
                }
            }
            Extension::Impossible => {
                self.debug_check_step(&source.facts, edge, &target_facts);
                self.own.graph.remove(region, Dropped::Edge(edge));
                self.own.statistics.count("removed_edges", 1);
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
        edge: Edge,
        state: Option<StateRef>,
        refinement: Refinement,
        target_facts: &[Term],
    ) {
        let Some(state) = state else {
            self.give_up(region, edge, "the start cannot be split".into());
            return;
        };
        if self
            .known
            .forest
            .holds(self.terms, state, refinement.predicate)
        {
            self.give_up(
                region,
                edge,
                "the refinement does not exclude the test's own state".into(),
            );
            return;
        }
        let mut facts = self.own.graph.region(region).facts.clone();
        facts.extend_from_slice(&refinement.no);
        self.debug_check_step(&facts, edge, target_facts);
        let size = self.terms.size(refinement.predicate) as u64;
        self.own.statistics.splits += 1;
        self.own.statistics.count("predicate_nodes", size);
        self.own.statistics.at_least("largest_predicate", size);
        if self.observer.explains() {
            let text = self.names().predicate(refinement.predicate);
            self.explain(region, edge, &format!("no test can: split by {text}"));
        }
        // The oracle builds terms, evaluation only reads them: evaluate first.
        let holds: rustc_hash::FxHashMap<StateRef, bool> = self
            .own
            .graph
            .region(region)
            .states
            .iter()
            .map(|&s| {
                (
                    s,
                    self.known.forest.holds(self.terms, s, refinement.predicate),
                )
            })
            .collect();
        let cutpoint = self.own.graph.region(region).cutpoint;
        let mut oracle = Exclusion {
            terms: &mut *self.terms,
            transitions: self.transitions,
        };
        let cut = Cut {
            predicate: refinement.predicate,
            yes: &refinement.yes,
            no: &refinement.no,
            dropped: Some(Dropped::Edge(edge)),
        };
        let graph = &mut self.own.graph;
        let halves = graph.split(region, &cut, |s| holds[&s], &mut oracle);
        // In a loop regions are told apart by the round they are in: there, they stay apart.
        if !self.steps.in_loop[cutpoint.index()] {
            graph.join(halves, &refinement.yes, self.terms);
        }
        self.own.split_counts[cutpoint.index()] += 1;
        self.own
            .splits
            .add(self.span_of(cutpoint), refinement.predicate);
        if self.own.split_counts[cutpoint.index()] >= self.own.patience {
            self.learn();
        }
    }

    fn give_up(&mut self, region: RegionId, edge: Edge, reason: String) {
        // Facts for all runs may settle what this step alone does not.
        if !std::mem::replace(&mut self.own.despaired, true) {
            let before = self.own.statistics.learned;
            self.learn();
            if self.own.statistics.learned > before {
                return;
            }
        }
        self.explain(region, edge, &format!("undecided: {reason}"));
        let span = self.span_of(self.own.graph.region(region).cutpoint);
        self.own.undecided.push((reason, span));
        self.own.graph.mark_undecided(region, &edge);
    }

    /// Runs a test and puts its states where they belong. Returns its number.
    fn add_test(&mut self, test: Test) -> u32 {
        let number = self.known.forest.add(test, self.budget.remaining());
        self.place_tests();
        number
    }

    /// Puts the states of tests that are new into their regions, whoever ran them.
    fn place_tests(&mut self) {
        for test in self.own.placed..self.known.forest.count() {
            self.own.statistics.tests += 1;
            self.own.statistics.forest_states += self.place_states(test);
        }
        self.own.placed = self.known.forest.count();
    }

    /// Puts the states of a test into their regions; gives their number.
    fn place_states(&mut self, test: u32) -> u64 {
        let mut placed = 0;
        for (cutpoint, states) in self.known.forest.states_of(test, &self.steps.blocks) {
            for state in states {
                let forest = &self.known.forest;
                let terms = &*self.terms;
                let graph = &mut self.own.graph;
                let region = graph.locate(MAIN, cutpoint, |p| forest.holds(terms, state, p));
                graph.add_state(region, state);
                placed += 1;
            }
        }
        placed
    }

    /// No frontier is left: a proof, unless undecided edges stand in the way.
    fn conclude(&mut self) -> Progress {
        let graph = &self.own.graph;
        let mut reached = graph.reachable().into_iter().zip(0..);
        if reached.any(|(seen, r)| seen && graph.distance(RegionId(r)) == Some(0)) {
            return Progress::Exhausted(Unknown::undecided(&self.own.undecided));
        }
        let own = &mut *self.own;
        let mut claim = Partition::new(own.problem, self.steps, &own.graph);
        let mut turn = Turn {
            terms: &mut *self.terms,
            known: &mut *self.known,
            quota: Quota::ALL,
            budget: self.budget,
            observer: &mut *self.observer,
        };
        let config = &own.dash.solver;
        proved(
            own.problem,
            config,
            &mut turn,
            &mut claim,
            &mut own.statistics,
        )
    }

    fn debug_check_step(&mut self, facts: &[Term], edge: Edge, target: &[Term]) {
        if !cfg!(debug_assertions) {
            return;
        }
        let checker = self
            .own
            .checker
            .get_or_insert_with(|| new_solver(&self.own.dash.solver).expect("it was made before"));
        checker.set_limit(Limit {
            resource: Some(QUERY_RESOURCE / 40),
            time: self.budget.for_a_question(),
        });
        let answer = step_possible(
            self.encoding,
            self.terms,
            self.transitions,
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

    /// Shows the graph and its frontier to an observer that wants to see it.
    fn draw(&mut self, frontier: Option<(RegionId, RegionId)>) {
        if !self.observer.draws() {
            return;
        }
        let mut cutpoints: Vec<Cutpoint> = self.steps.blocks.cutpoints().collect();
        cutpoints.sort_by_key(|&c| self.span_of(c).is_some());
        let graph = &self.own.graph;
        let view = Picture {
            title: String::new(),
            iteration: self.own.statistics.iterations,
            regions: graph,
            graph: MAIN,
            cutpoints,
            frontier,
            names: self.names(),
        }
        .view(
            |cutpoint| self.span_of(cutpoint),
            |region| graph.region(region).states.len(),
            |cutpoint| self.steps.blocks.errors.contains(&cutpoint),
        );
        if let Some(view) = view {
            self.observer.draw(view);
        }
    }

    fn span_of(&self, cutpoint: Cutpoint) -> Option<Span> {
        let location = self.steps.blocks.locations[cutpoint.index()]?;
        Some(self.prepared.body().location(location).span)
    }

    fn names(&self) -> Names<'_> {
        Names {
            prepared: self.prepared,
            terms: &*self.terms,
        }
    }

    fn explain(&mut self, region: RegionId, edge: Edge, what: &str) {
        if self.observer.explains() {
            let frontier = self.frontier_text(region, edge);
            let line = format!("{:>5}  {frontier}: {what}", self.own.statistics.iterations);
            self.observer.explain(&line);
        }
    }

    fn explain_test(&mut self, region: RegionId, edge: Edge, number: u32) {
        if self.observer.explains() {
            let what = self.known.forest.story(number);
            self.explain(region, edge, &format!("test {what}"));
        }
    }

    fn frontier_text(&self, region: RegionId, edge: Edge) -> String {
        let names = self.names();
        let place = |c: Cutpoint| match self.span_of(c) {
            None => "start".to_string(),
            Some(span) => names.place(span),
        };
        let (s, t) = (
            self.own.graph.region(region),
            self.own.graph.region(edge.target),
        );
        format!(
            "{} {} -> {} {}",
            place(s.cutpoint),
            names.facts(&s.facts),
            place(t.cutpoint),
            names.facts(&t.facts)
        )
    }

    fn finish_statistics(&mut self, progress: &Progress) {
        self.own.statistics.regions = self.own.graph.size() as u64;
        // A proof has taken the terms away.
        if !matches!(progress, Progress::Done(_)) {
            let names = self.names();
            self.own.statistics.refined = self.own.splits.most(|t| names.predicate(t));
        }
    }

    /// Where the search is, for people.
    fn focus(&self, region: RegionId) -> Focus {
        let at = self.own.graph.region(region);
        Focus {
            span: self.span_of(at.cutpoint),
            regions: self.own.graph.size() as u64,
            depth: at.states.first().map_or(0, |s| s.step),
            distance: self
                .own
                .graph
                .distance(region)
                .map_or(0, |d| u32::try_from(d).unwrap_or(u32::MAX)),
            queries: 0,
            solving: self.own.solver.statistics().time,
        }
    }
}
