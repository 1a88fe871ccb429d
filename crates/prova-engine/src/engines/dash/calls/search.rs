//! The loop: which query to work on, where its frontier is, and how the search ends.

mod conclude;
mod explain;
mod graphs;

use super::contracts::{Contracts, Facts, Place};
use super::goals::{question, Question};
use super::queries::{Call, Level, View};
use super::units::{Kind, SiteId, Units};
use crate::engine::{Progress, Quota, Search, Turn};
use crate::engines::dash::{Dash, FIRST_PATIENCE};
use crate::knowledge::Knowledge;
use crate::problem::blocks::{BlockId, Cutpoint};
use crate::problem::encoding::Encoding;
use crate::problem::transitions::Transitions;
use crate::problem::Problem;
use crate::proof::conclude::violated;
use crate::regions::graph::Goal;
use crate::regions::graph::RegionId;
use crate::regions::graph::{Edge, GraphId, Regions};
use prova_exec::Test;
use prova_ir::{ProcId, Program, Span};
use prova_logic::{Solver, Terms};
use prova_task::effort::{Focus, Splits};
use prova_task::{Budget, Observer, Statistics, Unknown};
use rustc_hash::{FxHashMap, FxHashSet};

/// Iterations after which a query is left for a while: others may be nearer to an answer.
const PATIENCE: u64 = 64;
/// How deep the tests' own recursion is followed before other ways to enter are tried first.
const FOLLOWED: usize = 6;
/// Queries inside one another; deeper ones are given up.
const DEEPEST: usize = 256;

/// Begins a search procedure by procedure.
pub(in crate::engines::dash) fn begin<'p>(
    dash: &Dash,
    problem: &'p Problem,
    terms: &mut Terms,
) -> Result<Box<dyn Search<'p> + 'p>, Unknown> {
    let mut transitions = Transitions::default();
    let encoding = &problem.encoding;
    let mut units = Units::new(encoding, terms, &mut transitions, dash.granularity)?;
    let entry = problem.prepared.entry();
    let contracts = Contracts::new(&mut units, terms, &mut transitions, entry);
    Ok(Box::new(CallSearch {
        dash: dash.clone(),
        problem,
        units,
        abstraction: Regions::default(),
        transitions,
        levels: Vec::new(),
        solver: dash.searching_solver()?,
        checker: None,
        statistics: Statistics {
            locations: problem.locations(),
            ..Statistics::default()
        },
        undecided: Vec::new(),
        placed: 0,
        contracts,
        facts: Facts::new(),
        stated: FxHashSet::default(),
        tried: FxHashSet::default(),
        swept: FxHashSet::default(),
        split_counts: FxHashMap::default(),
        splits: Splits::default(),
        patience: FIRST_PATIENCE,
        main: GraphId(0),
        graphs: FxHashMap::default(),
    }))
}

/// A search by procedures, between its turns.
pub(super) struct CallSearch<'p> {
    pub(super) dash: Dash,
    problem: &'p Problem,
    pub(super) units: Units,
    pub(super) abstraction: Regions,
    pub(super) transitions: Transitions,
    pub(super) levels: Vec<Level>,
    pub(super) solver: Box<dyn Solver>,
    pub(super) checker: Option<Box<dyn Solver>>,
    pub(super) statistics: Statistics,
    pub(super) undecided: Vec<(String, Option<Span>)>,
    /// Tests whose states are in their regions.
    placed: u32,
    /// Old values, and the steps that facts must survive.
    pub(super) contracts: Contracts,
    /// What holds in every run, by cutpoint.
    pub(super) facts: Facts,
    /// Calls whose steps know the callee's contract.
    pub(super) stated: FxHashSet<SiteId>,
    /// Ways past calls that the contract alone did not decide.
    pub(super) tried: FxHashSet<(RegionId, BlockId, RegionId)>,
    /// Entry regions that were looked at from before a call.
    pub(super) swept: FxHashSet<RegionId>,
    /// Splits by cutpoint.
    pub(super) split_counts: FxHashMap<Place, u32>,
    /// The same by place, for people.
    pub(super) splits: Splits,
    /// How often a cutpoint has to be split before invariants are sought again.
    pub(super) patience: u32,
    main: GraphId,
    graphs: FxHashMap<(ProcId, Goal), GraphId>,
}

impl<'p> CallSearch<'p> {
    pub(super) fn encoding(&self) -> &'p Encoding {
        &self.problem.encoding
    }

    pub(super) fn program(&self) -> &'p Program {
        &self.problem.prepared.program
    }
}

/// A search in its turn.
pub(super) struct Work<'t, 'p> {
    pub(super) own: &'t mut CallSearch<'p>,
    pub(super) encoding: &'p Encoding,
    pub(super) terms: &'t mut Terms,
    pub(super) known: &'t mut Knowledge<'p>,
    pub(super) budget: &'t Budget,
    pub(super) observer: &'t mut dyn Observer,
}

impl<'p> Search<'p> for CallSearch<'p> {
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        let problem = self.problem;
        let mut work = Work {
            own: self,
            encoding: &problem.encoding,
            terms: &mut *turn.terms,
            known: &mut *turn.known,
            budget: turn.budget,
            observer: &mut *turn.observer,
        };
        let progress = work.run(turn.quota);
        work.own.statistics.regions = work.own.abstraction.size() as u64;
        // A proof has taken the terms away.
        if !matches!(progress, Progress::Done(_)) {
            let names = work.names();
            work.own.statistics.refined = work.own.splits.most(|t| names.predicate(t));
        }
        progress
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

pub(super) enum Next {
    Go,
    Done(Progress),
}

/// What to do next.
pub(super) enum Choice {
    /// Ask about a step of the level's own procedure.
    Local(RegionId, Edge),
    /// A step through a call.
    Call(RegionId, Edge),
    /// No member gets near: ask whether the callee can be entered elsewhere.
    Enter(Edge),
    /// A member attains the graph's goal, and yet the region behind the call was not reached.
    Attained,
    /// The goal is out of reach.
    Nothing,
}

impl<'p> Work<'_, 'p> {
    fn run(&mut self, quota: Quota) -> Progress {
        if self.own.levels.is_empty() {
            let entry = self.encoding.prepared.entry();
            self.own.main = self.make_graph(entry, Goal::Error, Vec::new(), true);
            self.own.levels.push(Level::new(self.own.main, None));
        }
        if self.own.abstraction.distance(self.start()).is_some() {
            self.known.begin(self.budget);
        }
        self.place_tests();
        if let Some(verdict) = violated(&self.known.forest) {
            return verdict;
        }
        let so_far = self.own.statistics.iterations;
        let locations = self.own.statistics.locations;
        let last = self.own.dash.last_iteration(quota, locations, so_far);
        loop {
            if let Some(stop) = self.budget.poll() {
                return Progress::Exhausted(Unknown::Stopped(stop));
            }
            let iterations = self.own.statistics.iterations;
            if iterations >= last {
                return self.own.dash.turn_over(iterations);
            }
            self.observer.focus(&self.focus());
            self.observer.progress(&self.own.statistics);
            self.draw();
            match self.advance() {
                Next::Go => {}
                Next::Done(progress) => return progress,
            }
        }
    }

    /// Where the search is, for people.
    fn focus(&self) -> Focus {
        let level = &self.own.levels[self.own.levels.len() - 1];
        let regions = level.states.keys().copied();
        let nearest = regions
            .filter_map(|r| Some((self.own.abstraction.distance(r)?, r)))
            .min();
        let region = nearest.map(|(_, r)| self.own.abstraction.region(r));
        Focus {
            span: region.and_then(|r| self.span_of(r.graph, r.cutpoint)),
            regions: self.own.abstraction.size() as u64,
            depth: nearest
                .and_then(|(_, r)| level.states[&r].first())
                .map_or(0, |p| p.state.step),
            distance: nearest.map_or(0, |(d, _)| u32::try_from(d).unwrap_or(u32::MAX)),
            queries: self.own.levels.len() as u32 - 1,
            solving: self.own.solver.statistics().time,
        }
    }

    /// The region before the program.
    fn start(&self) -> RegionId {
        let mut regions = self
            .own
            .abstraction
            .regions_at(self.own.main, Cutpoint::START);
        regions.next().expect("the start is a region")
    }

    fn advance(&mut self) -> Next {
        self.leave_stale();
        let top = self.own.levels.len() - 1;
        match self.choose(top) {
            Choice::Local(_, edge) if self.sweep(edge.target) => Next::Go,
            Choice::Local(region, edge) => self.cross(top, region, edge),
            Choice::Enter(edge) => self.enter(top, edge),
            Choice::Call(region, edge) if self.contract_may_decide(region, &edge) => {
                self.pass(top, region, edge)
            }
            Choice::Call(region, edge) => {
                self.descend(top, region, edge);
                Next::Go
            }
            Choice::Attained => {
                self.sharpen(top);
                Next::Go
            }
            Choice::Nothing if top == 0 => Next::Done(self.conclude()),
            Choice::Nothing => {
                self.leave(top);
                Next::Go
            }
        }
    }

    /// Leaves queries that are answered, or have had their turn.
    fn leave_stale(&mut self) {
        for at in 1..self.own.levels.len() {
            let level = &self.own.levels[at];
            let call = level.call.as_ref().expect("only the program has none");
            let below = &self.own.levels[at - 1];
            let abstraction = &self.own.abstraction;
            let open = abstraction.is_alive(call.source)
                && abstraction.is_alive(call.target)
                && below.visits(call.source)
                && !below.visits(call.target)
                && Self::entries(abstraction, call, level.graph)
                    .next()
                    .is_some();
            if !open || level.spent >= PATIENCE {
                self.leave(at);
                return;
            }
        }
    }

    /// Leaves a query and those above it.
    pub(super) fn leave(&mut self, at: usize) {
        for level in &self.own.levels[at..] {
            if !level.worked {
                self.own.statistics.count("summaries_used", 1);
            }
        }
        self.own.levels.truncate(at);
    }

    /// Searchable edges of a call into a graph.
    fn entries<'s>(
        abstraction: &'s Regions,
        call: &'s Call,
        graph: GraphId,
    ) -> impl Iterator<Item = (u64, Edge)> + 's {
        let edges = abstraction.region(call.source).outgoing.iter();
        edges.filter_map(move |e| {
            let entry = e.entry?;
            let own = e.block == call.block
                && e.target == call.target
                && abstraction.region(entry.region).graph == graph;
            own.then(|| abstraction.cost(e)).flatten().map(|c| (c, *e))
        })
    }

    pub(super) fn choose(&self, top: usize) -> Choice {
        let level = &self.own.levels[top];
        let start = (top == 0).then(|| self.start());
        let nearest = level
            .states
            .keys()
            .copied()
            .chain(start)
            .filter_map(|r| Some((self.own.abstraction.distance(r)?, r)))
            .min();
        let elsewhere = level.call.as_ref().and_then(|call| {
            Self::entries(&self.own.abstraction, call, level.graph)
                .filter_map(|(cost, edge)| {
                    let entry = edge.entry?.region;
                    (!level.visits(entry)).then_some((cost, edge))
                })
                .min_by_key(|e| e.0)
        });
        if let (Some((distance, _)), Some((_, edge))) = (nearest, elsewhere) {
            // An entry that no member took may lie nearer to the goal than all that they reach:
            // in deep recursion, the members go on calling where another entry would bottom out.
            let entry = edge.entry.expect("entries have one").region;
            let again = self.own.levels[..top]
                .iter()
                .filter(|l| l.graph == level.graph);
            let nearer = self
                .own
                .abstraction
                .distance(entry)
                .is_some_and(|d| d < distance);
            if distance > 0 && nearer && again.count() >= FOLLOWED {
                return Choice::Enter(edge);
            }
        }
        if let Some((distance, region)) = nearest {
            if distance == 0 {
                return Choice::Attained;
            }
            let edge = self.own.abstraction.best_edge(region);
            let edge = edge.expect("a finite distance has a supporting edge");
            let step = self.own.units.step(edge.block);
            return match step.map(|s| s.kind) {
                Some(Kind::Return(_) | Kind::Fail(_)) => Choice::Call(region, edge),
                Some(Kind::Local) | None => Choice::Local(region, edge),
            };
        }
        match elsewhere {
            Some((_, edge)) => Choice::Enter(edge),
            None => Choice::Nothing,
        }
    }

    /// Whether the callee's contract was not asked yet about this way past a call.
    fn contract_may_decide(&self, region: RegionId, edge: &Edge) -> bool {
        let step = self.own.units.step(edge.block);
        let Some(Kind::Return(site)) = step.map(|s| s.kind) else {
            return false;
        };
        self.own.stated.contains(&site)
            && !self.own.abstraction.region(edge.target).facts.is_empty()
            && !self.own.tried.contains(&(region, edge.block, edge.target))
    }

    /// What the region behind a call demands of the callee.
    fn question(&mut self, block: BlockId, target: RegionId) -> (SiteId, Question) {
        let site = self.own.units.site_of(block).expect("the step is a call");
        let callee = self.own.units.site(site).callee;
        let returns = matches!(
            self.own.units.step(block).map(|s| s.kind),
            Some(Kind::Return(_))
        );
        let asked = if returns {
            question(
                self.terms,
                self.encoding,
                self.own.units.site(site),
                &self.own.units.effects[callee.index()],
                &self.own.abstraction.region(target).facts,
            )
        } else {
            Question {
                frame: Vec::new(),
                goal: Goal::Error,
                ghosts: Vec::new(),
            }
        };
        (site, asked)
    }

    /// The frontier is a call: ask the callee.
    fn descend(&mut self, top: usize, source: RegionId, edge: Edge) {
        if self.own.levels.len() >= DEEPEST {
            let edges = self.edges_to(source, edge.block, edge.target);
            for e in edges {
                self.give_up(top, source, &e, "calls are nested too deeply".into());
            }
            return;
        }
        let (site, asked) = self.question(edge.block, edge.target);
        let Some(entry) = edge.entry else {
            let graph = self.graph_for(top, source, site, &asked);
            self.ask(source, edge.block, edge.target, site, graph, &asked);
            return;
        };
        let graph = self.own.abstraction.region(entry.region).graph;
        let call = Call {
            source,
            block: edge.block,
            target: edge.target,
            bind: entry.bind,
            site,
            frame: asked.frame,
        };
        let mut level = Level::new(graph, Some(call));
        self.view()
            .add_calls(&self.own.levels[top], &mut level, None);
        self.own.levels.push(level);
    }

    /// A member attains the goal that was asked for, and the region behind the call demands more.
    fn sharpen(&mut self, top: usize) {
        let level = &self.own.levels[top];
        let Some(call) = level.call.clone() else {
            // A test in an error region has ended the search before.
            return;
        };
        let graph = level.graph;
        let (site, asked) = self.question(call.block, call.target);
        if self.own.abstraction.graph(graph).goal == asked.goal {
            let edges = self.edges_to(call.source, call.block, call.target);
            for e in edges {
                let reason = "a test did not come back from a call".to_string();
                self.give_up(top - 1, call.source, &e, reason);
            }
        } else {
            let graph = self.exact_graph(site, &asked);
            self.ask(call.source, call.block, call.target, site, graph, &asked);
        }
        self.leave(top);
    }

    /// Asks the callee about a step past a call or an error in it.
    pub(super) fn ask_exactly(&mut self, source: RegionId, edge: &Edge) {
        let (site, asked) = self.question(edge.block, edge.target);
        let graph = self.exact_graph(site, &asked);
        self.ask(source, edge.block, edge.target, site, graph, &asked);
    }

    /// Whether the region behind a call demands more than the graph that was asked.
    pub(super) fn asks_too_little(&mut self, edge: &Edge, entry: RegionId) -> bool {
        let graph = self.own.abstraction.region(entry).graph;
        let (_, asked) = self.question(edge.block, edge.target);
        self.own.abstraction.graph(graph).goal != asked.goal
    }

    fn edges_to(&self, source: RegionId, block: BlockId, target: RegionId) -> Vec<Edge> {
        let edges = self.own.abstraction.region(source).outgoing.iter();
        edges
            .filter(|e| e.block == block && e.target == target)
            .copied()
            .collect()
    }

    pub(super) fn view(&self) -> View<'_, 'p> {
        View {
            forest: &self.known.forest,
            terms: &*self.terms,
            units: &self.own.units,
            abstraction: &self.own.abstraction,
        }
    }

    /// Runs a test and puts its states where they belong, on all levels. Returns its number.
    pub(super) fn add_test(&mut self, test: Test) -> u32 {
        let number = self.known.forest.add(test, self.budget.remaining());
        self.place_tests();
        number
    }

    /// Puts the states of tests that are new into their regions, whoever ran them.
    fn place_tests(&mut self) {
        for test in self.own.placed..self.known.forest.count() {
            self.own.statistics.tests += 1;
            let mut levels = std::mem::take(&mut self.own.levels);
            let view = self.view();
            view.add_run(&mut levels[0], test);
            for at in 1..levels.len() {
                let (below, above) = levels.split_at_mut(at);
                view.add_calls(&below[at - 1], &mut above[0], Some(test));
            }
            self.own.levels = levels;
        }
        self.own.placed = self.known.forest.count();
    }

    pub(super) fn give_up(&mut self, level: usize, region: RegionId, edge: &Edge, reason: String) {
        if self.observer.explains() {
            let frontier = self.edge_text(region, edge);
            self.tell(&format!("{frontier}: undecided: {reason}"));
        }
        let graph = self.own.levels[level].graph;
        let span = self.span_of(graph, self.own.abstraction.region(region).cutpoint);
        self.own.undecided.push((reason, span));
        self.own.abstraction.mark_undecided(region, edge);
    }

    pub(super) fn span_of(&self, graph: GraphId, cutpoint: Cutpoint) -> Option<Span> {
        let procedure = self.own.abstraction.graph(graph).procedure;
        let unit = self.own.units.unit(procedure);
        let location = unit.blocks.locations.get(cutpoint.index()).copied()??;
        let body = self.encoding.prepared.body_of(procedure);
        Some(body.location(location).span)
    }
}
