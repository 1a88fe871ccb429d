//! The loop: which query to work on, where its frontier is, and how the search ends.

mod conclude;
mod explain;
mod graphs;

use super::contracts::{Contracts, Facts, Place};
use super::goals::{question, Goal, Question};
use super::queries::{Call, Level, View};
use super::regions::{Abstraction, Edge, GraphId};
use super::units::{Kind, SiteId, Units};
use crate::engines::dash::{Dash, FIRST_PATIENCE, QUERY_RESOURCE, RANDOM_TESTS};
use crate::problem::blocks::{BlockId, Cutpoint};
use crate::problem::encoding::Encoding;
use crate::problem::transitions::Transitions;
use crate::regions::graph::RegionId;
use crate::testing::forest::Forest;
use prova_exec::Test;
use prova_ir::{ProcId, Span};
use prova_logic::{new_solver, Limit, Solver, SolverConfig, Terms};
use prova_task::budget::Budget;
use prova_task::effort::{Focus, Splits};
use prova_task::prepare::Prepared;
use prova_task::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Iterations after which a query is left for a while: others may be nearer to an answer.
const PATIENCE: u64 = 64;
/// How deep the tests' own recursion is followed before other ways to enter are tried first.
const FOLLOWED: usize = 6;
/// Queries inside one another; deeper ones are given up.
const DEEPEST: usize = 256;

/// Decides a task procedure by procedure.
pub(crate) fn check(
    dash: &Dash,
    task: &Task,
    prepared: &Prepared,
    budget: &Budget,
    observer: &mut dyn Observer,
    statistics: &mut Statistics,
) -> (Outcome, Scope) {
    let mut terms = Terms::new();
    let encoding = Encoding::new(&mut terms, prepared);
    let mut search = match Search::new(dash, &encoding, terms, budget, observer) {
        Ok(search) => search,
        Err(unknown) => return (Outcome::Unknown(unknown), prepared.scope()),
    };
    let outcome = search.run(task);
    search.statistics.regions = search.abstraction.size() as u64;
    search.statistics.solver_time += search.solver.statistics().time;
    // A proof has taken the terms away.
    if matches!(outcome, Outcome::Unknown(_)) {
        let names = search.names();
        let refined = search.splits.most(|t| names.predicate(t));
        search.statistics.refined = refined;
    }
    *statistics = search.statistics.clone();
    let mut scope = prepared.scope();
    search.forest.complete_scope(&mut scope, prepared);
    (outcome, scope)
}

/// The state of one check.
pub(super) struct Search<'a> {
    pub(super) dash: &'a Dash,
    pub(super) encoding: &'a Encoding<'a>,
    pub(super) budget: &'a Budget,
    pub(super) observer: &'a mut dyn Observer,
    pub(super) units: Units,
    pub(super) abstraction: Abstraction,
    pub(super) transitions: Transitions,
    pub(super) forest: Forest<'a>,
    pub(super) levels: Vec<Level>,
    pub(super) solver: Box<dyn Solver>,
    pub(super) checker: Option<Box<dyn Solver>>,
    pub(super) statistics: Statistics,
    pub(super) undecided: Vec<(String, Option<Span>)>,
    /// Old values, and the steps that facts must survive.
    pub(super) contracts: Contracts,
    /// What holds in every run, by cutpoint.
    pub(super) known: Facts,
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
    violation: Option<(u32, Span)>,
}

pub(super) enum Next {
    Go,
    Done(Outcome),
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

impl<'a> Search<'a> {
    fn new(
        dash: &'a Dash,
        encoding: &'a Encoding<'a>,
        terms: Terms,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
    ) -> Result<Self, Unknown> {
        let mut transitions =
            Transitions::new(terms, Vec::new()).map_err(|failure| Unknown::Unsupported {
                what: failure.error.to_string(),
                span: None,
            })?;
        let mut units = Units::new(encoding, &mut transitions, dash.granularity)?;
        let contracts = Contracts::new(&mut units, &mut transitions, encoding.prepared.entry());
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
        let mut search = Search {
            dash,
            encoding,
            budget,
            observer,
            units,
            abstraction: Abstraction::default(),
            transitions,
            forest,
            levels: Vec::new(),
            solver,
            checker: None,
            statistics: Statistics::default(),
            undecided: Vec::new(),
            contracts,
            known: Facts::new(),
            stated: FxHashSet::default(),
            tried: FxHashSet::default(),
            swept: FxHashSet::default(),
            split_counts: FxHashMap::default(),
            splits: Splits::default(),
            patience: FIRST_PATIENCE,
            main: GraphId(0),
            graphs: FxHashMap::default(),
            violation: None,
        };
        search.main = search.make_graph(encoding.prepared.entry(), Goal::Error, Vec::new(), true);
        search.levels.push(Level::new(search.main, None));
        Ok(search)
    }

    fn run(&mut self, task: &Task) -> Outcome {
        let program = &self.encoding.prepared.program;
        let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
        self.statistics.locations = bodies.map(|b| b.locations.len() as u64).sum();
        if self.abstraction.distance(self.start()).is_some() {
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
        loop {
            if let Some(stop) = self.budget.poll() {
                return Outcome::Unknown(Unknown::Stopped(stop));
            }
            let limit = self.dash.iterations;
            if limit.is_some_and(|limit| self.statistics.iterations >= limit) {
                return Outcome::Unknown(Unknown::Stopped(prova_task::budget::Stop::Cancelled));
            }
            self.observer.focus(&self.focus());
            self.observer.progress(&self.statistics);
            self.draw();
            match self.advance() {
                Next::Go => {}
                Next::Done(outcome) => return outcome,
            }
        }
    }

    /// Where the search is, for people.
    fn focus(&self) -> Focus {
        let level = &self.levels[self.levels.len() - 1];
        let regions = level.states.keys().copied();
        let nearest = regions
            .filter_map(|r| Some((self.abstraction.distance(r)?, r)))
            .min();
        let region = nearest.map(|(_, r)| self.abstraction.region(r));
        Focus {
            span: region.and_then(|r| self.span_of(r.graph, r.cutpoint)),
            regions: self.abstraction.size() as u64,
            depth: nearest
                .and_then(|(_, r)| level.states[&r].first())
                .map_or(0, |p| p.state.step),
            distance: nearest.map_or(0, |(d, _)| u32::try_from(d).unwrap_or(u32::MAX)),
            queries: self.levels.len() as u32 - 1,
            solving: self.solver.statistics().time,
        }
    }

    /// The region before the program.
    fn start(&self) -> RegionId {
        let mut regions = self.abstraction.regions_at(self.main, Cutpoint::START);
        regions.next().expect("the start is a region")
    }

    fn advance(&mut self) -> Next {
        self.leave_stale();
        let top = self.levels.len() - 1;
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
        for at in 1..self.levels.len() {
            let level = &self.levels[at];
            let call = level.call.as_ref().expect("only the program has none");
            let below = &self.levels[at - 1];
            let abstraction = &self.abstraction;
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
        for level in &self.levels[at..] {
            if !level.worked {
                self.statistics.summaries_used += 1;
            }
        }
        self.levels.truncate(at);
    }

    /// Searchable edges of a call into a graph.
    fn entries<'s>(
        abstraction: &'s Abstraction,
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
        let level = &self.levels[top];
        let start = (top == 0).then(|| self.start());
        let nearest = level
            .states
            .keys()
            .copied()
            .chain(start)
            .filter_map(|r| Some((self.abstraction.distance(r)?, r)))
            .min();
        let elsewhere = level.call.as_ref().and_then(|call| {
            Self::entries(&self.abstraction, call, level.graph)
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
            let again = self.levels[..top].iter().filter(|l| l.graph == level.graph);
            let nearer = self
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
            let edge = self.abstraction.best_edge(region);
            let edge = edge.expect("a finite distance has a supporting edge");
            let step = self.units.step(edge.block);
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
        let step = self.units.step(edge.block);
        let Some(Kind::Return(site)) = step.map(|s| s.kind) else {
            return false;
        };
        self.stated.contains(&site)
            && !self.abstraction.region(edge.target).facts.is_empty()
            && !self.tried.contains(&(region, edge.block, edge.target))
    }

    /// What the region behind a call demands of the callee.
    fn question(&mut self, block: BlockId, target: RegionId) -> (SiteId, Question) {
        let site = self.units.site_of(block).expect("the step is a call");
        let callee = self.units.site(site).callee;
        let returns = matches!(
            self.units.step(block).map(|s| s.kind),
            Some(Kind::Return(_))
        );
        let asked = if returns {
            question(
                &mut self.transitions.terms,
                self.encoding,
                self.units.site(site),
                &self.units.effects[callee.index()],
                &self.abstraction.region(target).facts,
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
        if self.levels.len() >= DEEPEST {
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
        let graph = self.abstraction.region(entry.region).graph;
        let call = Call {
            source,
            block: edge.block,
            target: edge.target,
            bind: entry.bind,
            site,
            frame: asked.frame,
        };
        let mut level = Level::new(graph, Some(call));
        self.view().add_calls(&self.levels[top], &mut level, None);
        self.levels.push(level);
    }

    /// A member attains the goal that was asked for, and the region behind the call demands more.
    fn sharpen(&mut self, top: usize) {
        let level = &self.levels[top];
        let Some(call) = level.call.clone() else {
            // A test in an error region has ended the search before.
            return;
        };
        let graph = level.graph;
        let (site, asked) = self.question(call.block, call.target);
        if self.abstraction.graph(graph).goal == asked.goal {
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
        let graph = self.abstraction.region(entry).graph;
        let (_, asked) = self.question(edge.block, edge.target);
        self.abstraction.graph(graph).goal != asked.goal
    }

    fn edges_to(&self, source: RegionId, block: BlockId, target: RegionId) -> Vec<Edge> {
        let edges = self.abstraction.region(source).outgoing.iter();
        edges
            .filter(|e| e.block == block && e.target == target)
            .copied()
            .collect()
    }

    pub(super) fn view(&self) -> View<'_, 'a> {
        View {
            forest: &self.forest,
            terms: &self.transitions.terms,
            units: &self.units,
            abstraction: &self.abstraction,
        }
    }

    /// Runs a test and puts its states where they belong, on all levels. Returns its number.
    pub(super) fn add_test(&mut self, test: Test) -> u32 {
        let added = self.forest.add(test, self.budget.remaining());
        self.statistics.tests += 1;
        if let Some(span) = added.error {
            self.violation.get_or_insert((added.number, span));
        }
        let mut levels = std::mem::take(&mut self.levels);
        let view = self.view();
        view.add_run(&mut levels[0], added.number);
        for at in 1..levels.len() {
            let (below, above) = levels.split_at_mut(at);
            view.add_calls(&below[at - 1], &mut above[0], Some(added.number));
        }
        self.levels = levels;
        added.number
    }

    pub(super) fn violated(&mut self) -> Option<Outcome> {
        let (number, span) = self.violation?;
        Some(self.forest.judge(number, span))
    }

    pub(super) fn give_up(&mut self, level: usize, region: RegionId, edge: &Edge, reason: String) {
        if self.observer.explains() {
            let frontier = self.edge_text(region, edge);
            self.tell(&format!("{frontier}: undecided: {reason}"));
        }
        let graph = self.levels[level].graph;
        let span = self.span_of(graph, self.abstraction.region(region).cutpoint);
        self.undecided.push((reason, span));
        self.abstraction.mark_undecided(region, edge);
    }

    pub(super) fn span_of(&self, graph: GraphId, cutpoint: Cutpoint) -> Option<Span> {
        let procedure = self.abstraction.graph(graph).procedure;
        let unit = self.units.unit(procedure);
        let location = unit.blocks.locations.get(cutpoint.index()).copied()??;
        let body = self.encoding.prepared.body_of(procedure);
        Some(body.location(location).span)
    }
}
