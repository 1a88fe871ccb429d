//! SYNERGY (Gulavani, Henzinger, Kannan, Nori, Rajamani: *SYNERGY: A New Algorithm for Property
//! Checking*, Figure 2): tests and a partition, refined together.
//!
//! The comments in [`Work::run`] and [`Work::iterate`] name the lines of the figure. `docs/synergy.md`
//! compares what comes out with the paper's own table. How it differs from DASH, which grew out of it:
//!
//! * a region is split by the preimage of the *whole* target ([`preimage`]), not by what an
//!   unsatisfiable core leaves of it, and without looking at what the test's path says of aliasing;
//! * the abstract program is maintained by questions of its own: whether an edge is real is asked
//!   ([`exists`]), where DASH reads it off the one answer it has.
//!
//! `CreateAbstractProgram` (line 11) is lazy: an edge is asked about when a trace first uses it, and
//! what is plain to see of a step is not asked. So an iteration takes one question if the test is
//! found, and mostly two if not. What would be unsound: to take an edge away that a run needs; one
//! goes only if a solver said that no state takes it.
//!
//! `RefineWithGeneralization` (line 35), which the figure has commented out, is [`generalise`]; it is
//! on if any source of facts is ([`Sources::path`], [`Sources::tests`], [`Sources::ai`]).

mod generalise;

use crate::engine::{Engine, Progress, Quota, Search, Turn};
use crate::knowledge::sources::Sources;
use crate::knowledge::Knowledge;
use crate::problem::alias::{resolve, AliasOracle};
use crate::problem::blocks::{BlockId, Cutpoint};
use crate::problem::names::Names;
use crate::problem::{Problem, Steps};
use crate::proof::conclude::{proved, violated};
use crate::regions::claim::Partition;
use crate::regions::exact::{exists, place, preimage, split};
use crate::regions::graph::{Dropped, Edge, RegionId, Regions};
use crate::testing::cross::{Asker, Crossed, Whose};
use prova_exec::Test;
use prova_ir::Span;
use prova_logic::{Answer, SolverConfig, Term, Terms};
use prova_task::effort::{Focus, Splits};
use prova_task::{Budget, Observer, Statistics, Unknown};
use rustc_hash::FxHashSet;

/// The engine and its parameters.
#[derive(Clone, Debug)]
pub struct Synergy {
    /// The solver.
    pub solver: SolverConfig,
    /// Where generalisation comes from; [`Sources::NONE`] is the figure as it is printed.
    pub sources: Sources,
}

impl Default for Synergy {
    fn default() -> Self {
        Synergy {
            solver: SolverConfig::default(),
            sources: Sources::NONE,
        }
    }
}

impl Engine for Synergy {
    fn name(&self) -> &'static str {
        "synergy"
    }

    fn begin<'p>(
        &self,
        problem: &'p Problem,
        terms: &mut Terms,
    ) -> Result<Box<dyn Search<'p> + 'p>, Unknown> {
        let steps = problem.steps(terms)?;
        Ok(Box::new(SynergySearch {
            synergy: self.clone(),
            problem,
            steps,
            // Line 2, and footnote 1: a region for each place.
            graph: Regions::of(problem.prepared.entry(), &steps.blocks),
            asker: Asker::new(&self.solver)?,
            real: FxHashSet::default(),
            placed: 0,
            undecided: Vec::new(),
            generalised: generalise::State::new(steps),
            splits: Splits::default(),
            statistics: Statistics {
                locations: problem.locations(),
                ..Statistics::default()
            },
        }))
    }
}

/// A search between its turns. The forest F is everybody's.
struct SynergySearch<'p> {
    synergy: Synergy,
    problem: &'p Problem,
    steps: &'p Steps,
    graph: Regions,
    asker: Asker,
    /// Edges that some state takes.
    real: FxHashSet<(RegionId, BlockId, RegionId)>,
    /// Tests whose states are in their regions.
    placed: u32,
    undecided: Vec<(String, Option<Span>)>,
    generalised: generalise::State,
    splits: Splits,
    statistics: Statistics,
}

/// A search in its turn.
struct Work<'t, 'p> {
    own: &'t mut SynergySearch<'p>,
    problem: &'p Problem,
    steps: &'p Steps,
    terms: &'t mut Terms,
    known: &'t mut Knowledge<'p>,
    budget: &'t Budget,
    observer: &'t mut dyn Observer,
}

impl<'p> Search<'p> for SynergySearch<'p> {
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        let (problem, steps) = (self.problem, self.steps);
        let mut work = Work {
            own: self,
            problem,
            steps,
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
        let so_far = self.own.statistics.iterations;
        let locations = self.own.statistics.locations;
        let last = so_far.saturating_add(quota.iterations_over(locations));
        self.take_facts();
        loop {
            self.place_tests();
            // Lines 4 to 10.
            if let Some(verdict) = violated(&self.known.forest) {
                return verdict;
            }
            if let Some(stop) = self.budget.poll() {
                return Progress::Exhausted(Unknown::Stopped(stop));
            }
            if self.own.statistics.iterations >= last {
                return Progress::Working;
            }
            // Lines 11 to 14.
            let Some((region, edge)) = self.trace() else {
                return self.conclude();
            };
            self.observer.focus(&self.focus(region));
            self.observer.progress(&self.own.statistics);
            if let Err(unknown) = self.iterate(region, edge) {
                return Progress::Exhausted(unknown);
            }
        }
    }

    /// `GetAbstractTrace` and `GetOrderedAbstractTrace`: the frontier of an abstract error trace all
    /// of whose edges behind the frontier are real.
    fn trace(&mut self) -> Option<(RegionId, Edge)> {
        loop {
            let (region, edge) = self.own.graph.frontier()?;
            let Some((source, doubtful)) = self.doubtful(edge.target) else {
                return Some((region, edge));
            };
            self.is_real(source, doubtful);
            if self.budget.poll().is_some() {
                return Some((region, edge));
            }
        }
    }

    /// The first edge between a region and the error that nobody has asked about.
    fn doubtful(&self, mut at: RegionId) -> Option<(RegionId, Edge)> {
        let graph = &self.own.graph;
        while graph.distance(at) != Some(0) {
            let edge = graph.best_edge(at)?;
            let plain = self.steps.transitions.guard(edge.block).is_empty()
                && graph.region(edge.target).facts.is_empty();
            if !plain && !self.own.real.contains(&(at, edge.block, edge.target)) {
                return Some((at, edge));
            }
            at = edge.target;
        }
        None
    }

    /// Line 11, for one edge: whether the abstract program has it. If not, it goes.
    fn is_real(&mut self, source: RegionId, edge: Edge) -> bool {
        let own = &mut *self.own;
        if own.real.contains(&(source, edge.block, edge.target)) {
            return true;
        }
        let step = (source, edge);
        let answer = exists(
            self.problem,
            self.steps,
            self.terms,
            &mut own.asker,
            self.budget,
            &own.graph,
            step,
        );
        own.statistics.count("edges_asked", 1);
        if answer == Answer::Unsat {
            own.graph.remove(source, Dropped::Edge(edge));
            own.statistics.count("removed_edges", 1);
            return false;
        }
        own.real.insert((source, edge.block, edge.target));
        true
    }

    /// Lines 16 to 35: the forest grows, or the partition is refined at the frontier.
    fn iterate(&mut self, region: RegionId, edge: Edge) -> Result<(), Unknown> {
        let start = self.own.graph.region(region).cutpoint == Cutpoint::START;
        // Any test starts in the first region: no question while the forest is empty.
        if self.known.forest.count() == 0 {
            self.own.statistics.iterations += 1;
            self.known.forest.add(Test::zero(), self.budget.remaining());
            return Ok(());
        }
        // The states of a region are in the order in which they were added (section 6): the
        // first one mostly has the shortest trace.
        let state = self.own.graph.region(region).states.first().copied();
        let whose = match state {
            Some(state) => Whose::Path(state),
            None => Whose::Start,
        };
        // Line 17.
        let facts = self.own.graph.region(edge.target).facts.clone();
        let crossed = self.own.asker.cross(
            self.problem,
            self.steps,
            self.terms,
            &mut self.known.forest,
            self.budget,
            whose,
            edge.block,
            &facts,
        )?;
        match crossed {
            // Lines 23 to 29: the test runs to its end, and all of its states are added.
            Crossed::Test(test) => {
                self.own.statistics.iterations += 1;
                let number = self.known.forest.add(test, self.budget.remaining());
                self.place_tests();
                self.explain(region, || "a test".into());
                let failed = self.known.forest.failing().is_some();
                if !failed && !self.own.graph.is_visited(edge.target) {
                    let reason = self.known.forest.why_not(number);
                    self.give_up(region, edge, reason);
                }
            }
            Crossed::No if start => {
                self.own.graph.remove(region, Dropped::Edge(edge));
                self.own.statistics.count("removed_edges", 1);
            }
            Crossed::No => {
                if self.is_real(region, edge) {
                    self.own.statistics.iterations += 1;
                    self.refine(region, edge);
                }
            }
            Crossed::Undecided(reason) => {
                self.own.statistics.iterations += 1;
                self.give_up(region, edge, reason);
            }
        }
        Ok(())
    }

    /// Lines 20 and 21, then line 35.
    fn refine(&mut self, region: RegionId, edge: Edge) {
        let own = &mut *self.own;
        let before = preimage(self.terms, &self.steps.transitions, &own.graph, edge);
        let predicate = self.terms.and(&before);
        let state = own.graph.region(region).states.first().copied();
        if state.is_none_or(|s| self.known.forest.holds(self.terms, s, predicate)) {
            let reason = "no predicate without the block's own inputs was found".to_string();
            return self.give_up(region, edge, reason);
        }
        let size = self.terms.size(predicate) as u64;
        own.statistics.splits += 1;
        own.statistics.at_least("largest_predicate", size);
        let open = open_addresses(self.terms, predicate) as u64;
        own.statistics.at_least("open_addresses", open);
        let cutpoint = own.graph.region(region).cutpoint;
        let forest = &self.known.forest;
        let step = (region, edge);
        let halves = split(
            self.steps,
            self.terms,
            forest,
            &mut own.graph,
            step,
            &before,
        );
        if edge.target != region {
            own.real.insert((halves.yes, edge.block, edge.target));
        }
        let span = self.span_of(cutpoint);
        self.own.splits.add(span, predicate);
        self.explain_split(region, predicate);
        self.refine_with_generalisation(cutpoint);
    }

    fn give_up(&mut self, region: RegionId, edge: Edge, reason: String) {
        self.explain(region, || format!("undecided: {reason}"));
        let span = self.span_of(self.own.graph.region(region).cutpoint);
        self.own.undecided.push((reason, span));
        self.own.graph.mark_undecided(region, &edge);
    }

    /// Puts the states of tests that are new into their regions, whoever ran them.
    fn place_tests(&mut self) {
        let own = &mut *self.own;
        for test in own.placed..self.known.forest.count() {
            let forest = &self.known.forest;
            own.statistics.tests += 1;
            own.statistics.forest_states +=
                place(self.steps, self.terms, forest, &mut own.graph, test);
        }
        own.placed = self.known.forest.count();
    }

    /// No trace is left: a proof, unless undecided edges stand in the way.
    fn conclude(&mut self) -> Progress {
        let own = &mut *self.own;
        let mut reached = own.graph.reachable().into_iter().zip(0..);
        if reached.any(|(seen, r)| seen && own.graph.distance(RegionId(r)) == Some(0)) {
            return Progress::Exhausted(Unknown::undecided(&own.undecided));
        }
        if self.known.forest.count() == 0 {
            // No trace from the very beginning; what no run gets past is still to be seen.
            self.known.forest.add(Test::zero(), self.budget.remaining());
            if let Some(verdict) = violated(&self.known.forest) {
                return verdict;
            }
        }
        let mut claim = Partition::new(self.problem, self.steps, &own.graph);
        let mut turn = Turn {
            terms: &mut *self.terms,
            known: &mut *self.known,
            quota: Quota::ALL,
            budget: self.budget,
            observer: &mut *self.observer,
        };
        let config = &own.synergy.solver;
        proved(
            self.problem,
            config,
            &mut turn,
            &mut claim,
            &mut own.statistics,
        )
    }

    fn span_of(&self, cutpoint: Cutpoint) -> Option<Span> {
        let location = self.steps.blocks.locations[cutpoint.index()]?;
        Some(self.problem.prepared.body().location(location).span)
    }

    fn names(&self) -> Names<'_> {
        Names {
            prepared: &self.problem.prepared,
            terms: &*self.terms,
        }
    }

    fn explain(&mut self, region: RegionId, what: impl FnOnce() -> String) {
        if self.observer.explains() {
            let place = match self.span_of(self.own.graph.region(region).cutpoint) {
                None => "start".to_string(),
                Some(span) => self.names().place(span),
            };
            let line = format!("{:>5}  {place}: {}", self.own.statistics.iterations, what());
            self.observer.explain(&line);
        }
    }

    fn explain_split(&mut self, region: RegionId, predicate: Term) {
        if self.observer.explains() {
            let text = self.names().predicate(predicate);
            self.explain(region, || format!("no test can: split by {text}"));
        }
    }

    fn finish_statistics(&mut self, progress: &Progress) {
        let own = &mut *self.own;
        own.statistics.regions = own.graph.size() as u64;
        own.statistics.solver_calls = own.asker.calls();
        own.statistics.solver_time = own.asker.time();
        // A proof has taken the terms away.
        if !matches!(progress, Progress::Done(_)) {
            let names = self.names();
            self.own.statistics.refined = self.own.splits.most(|t| names.predicate(t));
        }
    }

    /// Where the search is, for people.
    fn focus(&self, region: RegionId) -> Focus {
        let at = self.own.graph.region(region);
        let distance = self.own.graph.distance(region);
        Focus {
            span: self.span_of(at.cutpoint),
            regions: self.own.graph.size() as u64,
            depth: at.states.first().map_or(0, |s| s.step),
            distance: distance.map_or(0, |d| u32::try_from(d).unwrap_or(u32::MAX)),
            queries: 0,
            solving: self.own.asker.time(),
        }
    }
}

/// Pairs of addresses of which a predicate does not say whether they are the same: of k pairs there
/// are 2^k cases, each a disjunct of the weakest precondition written out (*Proofs from Tests*, 4.2).
fn open_addresses(terms: &mut Terms, predicate: Term) -> usize {
    struct Open(FxHashSet<Term>);
    impl AliasOracle for Open {
        fn settled(&mut self, _: &mut Terms, equality: Term) -> Option<bool> {
            self.0.insert(equality);
            None
        }
    }
    let mut open = Open(FxHashSet::default());
    resolve(terms, predicate, &mut open);
    open.0.len()
}
