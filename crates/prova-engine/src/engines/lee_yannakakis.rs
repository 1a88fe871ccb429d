//! Lee and Yannakakis: the reachable part of the bisimulation quotient (*Online Minimization of
//! Transition Systems*, as Figure 5 of Gulavani et al., *SYNERGY: A New Algorithm for Property
//! Checking*, has it).
//!
//! Two phases take turns. *Search* looks for a state of every region that one step leads to from a
//! state of the tree T; a region keeps one witness. Where it finds no more, *split* takes a region
//! with a witness that is not stable (some of its states step to another region, some do not) and
//! parts it by the preimage. If all are stable, the regions with a witness are the quotient.
//!
//! A witness is one state of one run, so its step is evaluated; only what the step itself reads is
//! asked of the solver. An iteration, as the paper's table counts them, is one search and the split
//! behind it. The engine does not end where the quotient is infinite. It is here to be compared with.

use crate::engine::{Engine, Progress, Quota, Search, Turn};
use crate::problem::blocks::{BlockId, Cutpoint};
use crate::problem::{Problem, Steps};
use crate::proof::conclude::{proved, violated};
use crate::regions::claim::Partition;
use crate::regions::exact::{exists, preimage, split};
use crate::regions::graph::{Dropped, Edge, RegionId, Regions, MAIN};
use crate::testing::cross::{Asker, Crossed, Whose};
use crate::testing::forest::StateRef;
use prova_exec::Test;
use prova_ir::Span;
use prova_logic::{Answer, SolverConfig, Terms};
use prova_task::{Statistics, Unknown};
use rustc_hash::FxHashSet;

/// The engine.
#[derive(Clone, Debug, Default)]
pub struct LeeYannakakis {
    /// The solver.
    pub solver: SolverConfig,
}

type Pair = (RegionId, BlockId, RegionId);

/// A search between its turns. T is the states that regions hold.
struct LeeYannakakisSearch<'p> {
    engine: LeeYannakakis,
    problem: &'p Problem,
    steps: &'p Steps,
    graph: Regions,
    asker: Asker,
    /// Steps that the witness of their source does not take.
    not_taken: FxHashSet<Pair>,
    /// Pairs that are stable.
    stable: FxHashSet<Pair>,
    undecided: Vec<(String, Option<Span>)>,
    statistics: Statistics,
}

impl Engine for LeeYannakakis {
    fn name(&self) -> &'static str {
        "lee-yannakakis"
    }

    fn begin<'p>(
        &self,
        problem: &'p Problem,
        terms: &mut Terms,
    ) -> Result<Box<dyn Search<'p> + 'p>, Unknown> {
        let steps = problem.steps(terms)?;
        Ok(Box::new(LeeYannakakisSearch {
            engine: self.clone(),
            problem,
            steps,
            // Line 2, with a region for each place.
            graph: Regions::of(problem.prepared.entry(), &steps.blocks),
            asker: Asker::new(&self.solver)?,
            not_taken: FxHashSet::default(),
            stable: FxHashSet::default(),
            undecided: Vec::new(),
            statistics: Statistics {
                locations: problem.locations(),
                ..Statistics::default()
            },
        }))
    }
}

impl<'p> Search<'p> for LeeYannakakisSearch<'p> {
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        let progress = self.run(turn);
        self.statistics.regions = self.graph.size() as u64;
        self.statistics.solver_calls = self.asker.calls();
        self.statistics.solver_time = self.asker.time();
        progress
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

/// What a phase found to do.
enum Found {
    Something,
    Nothing,
}

impl<'p> LeeYannakakisSearch<'p> {
    fn run(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        let quota = turn.quota.iterations_over(self.statistics.locations);
        let last = self.statistics.iterations.saturating_add(quota);
        if turn.known.forest.count() == 0 {
            // Any run begins in an initial state; the machine is asked for the layout of one.
            let time = turn.budget.remaining();
            turn.known.forest.add_within(Test::zero(), 1, time);
        }
        loop {
            if let Some(stop) = turn.budget.poll() {
                return Progress::Exhausted(Unknown::Stopped(stop));
            }
            if self.statistics.iterations >= last {
                return Progress::Working;
            }
            self.statistics.iterations += 1;
            turn.observer.progress(&self.statistics);
            // Lines 11 to 15, and 4 to 10 again.
            if let Err(unknown) = self.search(turn) {
                return Progress::Exhausted(unknown);
            }
            if let Some(verdict) = violated(&turn.known.forest) {
                return verdict;
            }
            // Lines 17 to 22.
            if let Found::Nothing = self.split(turn) {
                return self.conclude(turn);
            }
        }
    }

    /// Regions that may step somewhere, oldest first: with a witness, or the start itself.
    fn edges(&self) -> Vec<(RegionId, Edge)> {
        let places = self.steps.blocks.cutpoints();
        let regions = places.flat_map(|c| self.graph.regions_at(MAIN, c));
        let mut reached: Vec<RegionId> = regions.filter(|&r| self.graph.is_visited(r)).collect();
        reached.sort_unstable();
        let edges = |r: RegionId| self.graph.region(r).outgoing.iter().map(move |&e| (r, e));
        reached.into_iter().flat_map(edges).collect()
    }

    /// Adds states to the tree, in regions that have none, until there is nothing to add.
    fn search(&mut self, turn: &mut Turn<'_, 'p>) -> Result<(), Unknown> {
        while let Found::Something = self.add_state(turn)? {
            if turn.known.forest.failing().is_some() || turn.budget.poll().is_some() {
                break;
            }
        }
        Ok(())
    }

    fn add_state(&mut self, turn: &mut Turn<'_, 'p>) -> Result<Found, Unknown> {
        for (source, edge) in self.edges() {
            let pair = (source, edge.block, edge.target);
            let open = !edge.undecided && !self.graph.is_visited(edge.target);
            if !open || self.not_taken.contains(&pair) {
                continue;
            }
            let witness = self.graph.region(source).states.first().copied();
            let facts = self.graph.region(edge.target).facts.clone();
            let crossed = self.asker.cross(
                self.problem,
                self.steps,
                turn.terms,
                &mut turn.known.forest,
                turn.budget,
                witness.map_or(Whose::Start, Whose::State),
                edge.block,
                &facts,
            )?;
            match crossed {
                Crossed::No => {
                    self.not_taken.insert(pair);
                }
                Crossed::Undecided(reason) => self.give_up(source, edge, reason),
                Crossed::Test(test) => {
                    self.take(turn, test, witness, source, edge);
                    return Ok(Found::Something);
                }
            }
        }
        Ok(Found::Nothing)
    }

    /// Runs a test to the end of its last step and no further, and keeps the state there.
    fn take(
        &mut self,
        turn: &mut Turn<'_, 'p>,
        test: Test,
        witness: Option<StateRef>,
        source: RegionId,
        edge: Edge,
    ) {
        let block = self.steps.blocks.block(edge.block);
        let step = witness.map_or(0, |w| w.step) + block.edges.len() as u32;
        let forest = &mut turn.known.forest;
        // One edge more: where a run stands is told by the edge that it takes from there.
        let steps = u64::from(step) + 1;
        let number = forest.add_within(test, steps, turn.budget.remaining());
        self.statistics.tests += 1;
        let state = StateRef { test: number, step };
        let arrived = forest.run(number).steps() >= step && {
            let at = forest.run(number).location_at(step);
            Some(at.location) == self.steps.blocks.locations[block.target.index()]
        };
        let terms = &*turn.terms;
        let holds = |p| forest.holds(terms, state, p);
        if arrived && self.graph.locate(MAIN, block.target, holds) == edge.target {
            self.graph.add_state(edge.target, state);
            self.statistics.forest_states += 1;
        } else {
            let reason = forest.why_not(number);
            self.give_up(source, edge, reason);
        }
    }

    /// Parts a region that has a witness and is not stable.
    fn split(&mut self, turn: &mut Turn<'_, 'p>) -> Found {
        for (source, edge) in self.edges() {
            let pair = (source, edge.block, edge.target);
            let start = self.graph.region(source).cutpoint == Cutpoint::START;
            if edge.undecided || self.stable.contains(&pair) {
                continue;
            }
            if turn.budget.poll().is_some() {
                return Found::Something;
            }
            // Pre(Q) ∩ P = ∅: the pair is stable, and the abstract program has no such edge.
            let step = (source, edge);
            let answer = exists(
                self.problem,
                self.steps,
                turn.terms,
                &mut self.asker,
                turn.budget,
                &self.graph,
                step,
            );
            if answer == Answer::Unsat {
                self.graph.remove(source, Dropped::Edge(edge));
                self.statistics.count("removed_edges", 1);
                continue;
            }
            // P ⊆ Pre(Q); the start is before all states, and has no parts.
            let transitions = &self.steps.transitions;
            let before = preimage(turn.terms, transitions, &self.graph, edge);
            let predicate = turn.terms.and(&before);
            if start || turn.terms.as_bool(predicate) == Some(true) {
                self.stable.insert(pair);
                continue;
            }
            let mut asserted = self.graph.region(source).facts.clone();
            asserted.push(turn.terms.not(predicate));
            let (answer, _) = self
                .asker
                .ask(self.problem, turn.terms, turn.budget, asserted);
            match answer {
                Answer::Unsat => {
                    self.stable.insert(pair);
                }
                Answer::Unknown(reason) => self.give_up(source, edge, reason.to_string()),
                Answer::Sat => {
                    let (forest, graph) = (&turn.known.forest, &mut self.graph);
                    split(self.steps, turn.terms, forest, graph, step, &before);
                    self.statistics.splits += 1;
                    let size = turn.terms.size(predicate) as u64;
                    self.statistics.at_least("largest_predicate", size);
                    return Found::Something;
                }
            }
        }
        Found::Nothing
    }

    fn give_up(&mut self, region: RegionId, edge: Edge, reason: String) {
        let cutpoint = self.graph.region(region).cutpoint;
        let location = self.steps.blocks.locations[cutpoint.index()];
        let span = location.map(|l| self.problem.prepared.body().location(l).span);
        self.undecided.push((reason, span));
        self.graph.mark_undecided(region, &edge);
    }

    /// All pairs are stable.
    fn conclude(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        let mut reached = self.graph.reachable().into_iter().zip(0..);
        if reached.any(|(seen, r)| seen && self.graph.distance(RegionId(r)) == Some(0)) {
            if self.undecided.is_empty() {
                // A preimage said less than the exact one.
                let reason = "no predicate without a block's own inputs was found";
                self.undecided.push((reason.into(), None));
            }
            return Progress::Exhausted(Unknown::undecided(&self.undecided));
        }
        let mut claim = Partition::new(self.problem, self.steps, &self.graph);
        let mut lent = Turn {
            terms: &mut *turn.terms,
            known: &mut *turn.known,
            quota: Quota::ALL,
            budget: turn.budget,
            observer: &mut *turn.observer,
        };
        let (problem, config) = (self.problem, &self.engine.solver);
        proved(problem, config, &mut lent, &mut claim, &mut self.statistics)
    }
}
