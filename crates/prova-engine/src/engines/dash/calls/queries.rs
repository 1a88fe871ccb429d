//! Where the search stands: a stack of queries, each with the calls of the forest that matter.
//!
//! The bottom level is the program, its members are the whole runs of all tests. A query about a
//! call from region S to region T is a level above: its graph is the callee's, its members are
//! those activations of the callee that tests really entered from S, with all of T that crosses
//! the call in place. So whatever a member reaches is reached from S, and a member that attains
//! the graph's goal has passed from S to T.
//!
//! Ghosts have, in each member, the values that the caller's variables had at the call.

use super::units::{SiteId, Units};
use crate::engines::dash::extend::Prefix;
use crate::problem::blocks::{BlockId, Cutpoint};
use crate::regions::graph::Goal;
use crate::regions::graph::RegionId;
use crate::regions::graph::{GraphId, Regions};
use crate::testing::forest::{Forest, StateRef};
use prova_logic::{Op, Substitution, Term, Terms, Value};
use prova_task::Unknown;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// States kept per member and cutpoint at each end of a long visit list.
const KEPT: usize = 64;
/// Visits looked at per member and cutpoint, where nested activations have to be skipped.
const LOOKED_AT: usize = 1 << 14;
/// Members taken from the states that a level finds when it is made.
const MEMBERS: usize = 48;

/// An activation that tests entered.
#[derive(Clone, Debug)]
pub struct Member {
    /// The test.
    pub test: u32,
    /// The activation in its run.
    pub activation: u32,
    /// The state before the call.
    pub call: u32,
    /// The member of the level below that called.
    pub parent: u32,
    /// Values of the graph's ghosts.
    pub ghosts: Vec<Value>,
}

/// A state of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The state.
    pub state: StateRef,
    /// Whose.
    pub member: u32,
}

/// The call that a level is about.
#[derive(Clone, Debug)]
pub struct Call {
    /// Region before the call.
    pub source: RegionId,
    /// The step.
    pub block: BlockId,
    /// Region behind the call.
    pub target: RegionId,
    /// How the callee is entered.
    pub bind: BlockId,
    /// Where the call stands.
    pub site: SiteId,
    /// What must hold before the call because it crosses it.
    pub frame: Vec<Term>,
}

/// One query.
pub struct Level {
    /// The abstraction it works on.
    pub graph: GraphId,
    /// The call it is about; `None` for the program.
    pub call: Option<Call>,
    /// Activations.
    pub members: Vec<Member>,
    /// Their states.
    pub states: BTreeMap<RegionId, Vec<Placed>>,
    /// Iterations since it was made.
    pub spent: u64,
    /// Whether something was asked inside the callee.
    pub worked: bool,
    known: FxHashSet<(u32, u32)>,
    constraints: FxHashMap<u32, Vec<Term>>,
    ghost_terms: FxHashMap<u32, Vec<(Term, Term)>>,
}

impl Level {
    /// A level without members.
    pub fn new(graph: GraphId, call: Option<Call>) -> Level {
        Level {
            graph,
            call,
            members: Vec::new(),
            states: BTreeMap::new(),
            spent: 0,
            worked: false,
            known: FxHashSet::default(),
            constraints: FxHashMap::default(),
            ghost_terms: FxHashMap::default(),
        }
    }

    /// Whether a member went through a region.
    pub fn visits(&self, region: RegionId) -> bool {
        self.states.contains_key(&region)
    }

    /// States in a region.
    pub fn states_in(&self, region: RegionId) -> &[Placed] {
        self.states.get(&region).map_or(&[], Vec::as_slice)
    }
}

/// What placing states needs to see.
pub struct View<'v, 'a> {
    /// The tests.
    pub forest: &'v Forest<'a>,
    /// The terms.
    pub terms: &'v Terms,
    /// The procedures.
    pub units: &'v Units,
    /// The regions.
    pub abstraction: &'v Regions,
}

impl View<'_, '_> {
    /// Whether a predicate of a level's graph holds in a state of a member.
    pub fn holds(&self, level: &Level, placed: Placed, t: Term) -> bool {
        let member = &level.members[placed.member as usize];
        self.holds_in(level.graph, member, placed.state, t)
    }

    fn holds_in(&self, graph: GraphId, member: &Member, state: StateRef, t: Term) -> bool {
        self.value(graph, member, state, t).as_bool() == Some(true)
    }

    /// The value of a term of a graph in a state of a member.
    pub fn value(&self, graph: GraphId, member: &Member, state: StateRef, t: Term) -> Value {
        let ghosts = &self.abstraction.graph(graph).ghosts;
        self.forest.evaluate_with(self.terms, state, t, |v| {
            let at = ghosts.iter().position(|&g| g == v)?;
            member.ghosts.get(at).cloned()
        })
    }

    /// Adds a test's whole run to the bottom level.
    pub fn add_run(&self, level: &mut Level, test: u32) {
        self.add_member(
            level,
            Member {
                test,
                activation: 0,
                call: 0,
                parent: 0,
                ghosts: Vec::new(),
            },
        );
    }

    /// Adds to a level the activations that states of the level below entered, as far as they
    /// are not known; of all tests, or of one.
    pub fn add_calls(&self, below: &Level, level: &mut Level, test: Option<u32>) {
        let Some(call) = level.call.clone() else {
            return;
        };
        let all = below.states_in(call.source);
        let chosen: Vec<Placed> = match test {
            Some(test) => all
                .iter()
                .filter(|p| p.state.test == test)
                .copied()
                .collect(),
            None => all.to_vec(),
        };
        let stride = chosen.len().div_ceil(MEMBERS).max(1);
        for placed in chosen.into_iter().step_by(stride) {
            if let Some(member) = self.entered(below, &call, level.graph, placed) {
                self.add_member(level, member);
            }
        }
    }

    /// The activation that a state before a call enters, if it does and the frame holds.
    fn entered(
        &self,
        below: &Level,
        call: &Call,
        graph: GraphId,
        placed: Placed,
    ) -> Option<Member> {
        let run = self.forest.run(placed.state.test);
        let start = placed.state.step + 1;
        let activations = run.activations();
        let index = activations.partition_point(|a| a.start < start);
        let activation = activations.get(index).filter(|a| a.start == start)?;
        if activation.proc != self.abstraction.graph(graph).procedure {
            return None;
        }
        let caller = &below.members[placed.member as usize];
        let crosses = |&f: &Term| self.holds_in(below.graph, caller, placed.state, f);
        if !call.frame.iter().all(crosses) {
            return None;
        }
        let ghosts = self.units.ghosts(call.bind).iter();
        let ghosts = ghosts
            .map(|&(_, variable)| self.value(below.graph, caller, placed.state, variable))
            .collect();
        Some(Member {
            test: placed.state.test,
            activation: index as u32,
            call: placed.state.step,
            parent: placed.member,
            ghosts,
        })
    }

    fn add_member(&self, level: &mut Level, member: Member) {
        if !level.known.insert((member.test, member.activation)) {
            return;
        }
        let graph = self.abstraction.graph(level.graph);
        let unit = self.units.unit(graph.procedure);
        let run = self.forest.run(member.test);
        let activation = run.activations()[member.activation as usize];
        let end = activation.last.min(run.steps());
        let number = level.members.len() as u32;
        for (index, location) in unit.blocks.locations.iter().enumerate() {
            let Some(location) = *location else { continue };
            let visits = run.visits(graph.procedure, location);
            let from = visits.partition_point(|&s| s < activation.start);
            let to = visits.partition_point(|&s| s <= end);
            let own: Vec<u32> = visits[from..to.max(from)]
                .iter()
                .copied()
                .take(LOOKED_AT)
                .filter(|&s| run.activation_at(s) == member.activation)
                .collect();
            let skipped = own.len().saturating_sub(2 * KEPT);
            for (i, &step) in own.iter().enumerate() {
                if i >= KEPT && i < KEPT + skipped {
                    continue;
                }
                let state = StateRef {
                    test: member.test,
                    step,
                };
                let cutpoint = Cutpoint(index as u32);
                let holds = |t| self.holds_in(level.graph, &member, state, t);
                let region = self.abstraction.locate(level.graph, cutpoint, holds);
                let placed = Placed {
                    state,
                    member: number,
                };
                level.states.entry(region).or_default().push(placed);
                if let (Some(exit), Goal::Exit(facts)) = (unit.exit, &graph.goal) {
                    if cutpoint == exit && facts.iter().all(|&f| holds(f)) {
                        let goal = level
                            .states
                            .entry(graph.goal_region.expect("queries have one"))
                            .or_default();
                        goal.push(placed);
                    }
                }
            }
        }
        level.members.push(member);
    }

    /// Moves the states of a region that was split to its halves.
    pub fn divide(
        &self,
        level: &mut Level,
        old: RegionId,
        predicate: Term,
        yes: RegionId,
        no: RegionId,
    ) {
        let Some(states) = level.states.remove(&old) else {
            return;
        };
        let (inside, outside): (Vec<Placed>, Vec<Placed>) = states
            .into_iter()
            .partition(|&p| self.holds(level, p, predicate));
        for (region, states) in [(yes, inside), (no, outside)] {
            if !states.is_empty() {
                level.states.insert(region, states);
            }
        }
    }
}

/// The path to a state of the level at `top`, as terms: what the run decided on its way, and that
/// it passed the regions before the calls it is inside of.
#[allow(clippy::too_many_arguments)]
pub fn prefix(
    levels: &mut [Level],
    top: usize,
    forest: &mut Forest,
    terms: &mut Terms,
    units: &Units,
    abstraction: &Regions,
    placed: Placed,
    variables: &[Term],
) -> Result<Prefix, Unknown> {
    // From the state's member down to the program's run.
    let mut chain = vec![placed.member];
    for level in levels[1..=top].iter().rev() {
        let last = *chain.last().expect("not empty");
        chain.push(level.members[last as usize].parent);
    }
    chain.reverse();
    let mut constraints = Vec::new();
    for at in 1..=top {
        let member = chain[at];
        if !levels[at].constraints.contains_key(&member) {
            let call = levels[at].call.as_ref().expect("only the program has none");
            let record = &levels[at].members[member as usize];
            let state = StateRef {
                test: record.test,
                step: record.call,
            };
            // What is known of the place holds of itself.
            let mut facts = abstraction.region(call.source).facts.clone();
            facts.extend_from_slice(&call.frame);
            let ghosts = units.ghosts(call.bind);
            let mut spoken = terms.free_vars_of(&facts);
            spoken.extend(ghosts.iter().map(|g| g.1));
            spoken.sort_unstable();
            spoken.dedup();
            let mut values = forest.values_at(terms, state, &spoken)?;
            add_ghosts(terms, &levels[at - 1], chain[at - 1], &mut values);
            let mut demands = Vec::new();
            for fact in facts {
                let value = terms.substitute(fact, &mut values);
                demands.extend(terms.conjuncts(value));
            }
            demands.retain(|&d| terms.op(d) != Op::True);
            let mut bound = Vec::with_capacity(ghosts.len());
            for &(ghost, variable) in ghosts {
                bound.push((ghost, terms.substitute(variable, &mut values)));
            }
            levels[at].constraints.insert(member, demands);
            levels[at].ghost_terms.insert(member, bound);
        }
        constraints.extend_from_slice(&levels[at].constraints[&member]);
    }
    let path = forest.prefix(terms, placed.state, variables)?;
    let mut values = path.values;
    add_ghosts(terms, &levels[top], placed.member, &mut values);
    let mut all = path.constraints;
    all.extend(constraints);
    Ok(Prefix::new(terms, values, all, path.accesses))
}

fn add_ghosts(terms: &Terms, level: &Level, member: u32, values: &mut Substitution) {
    for &(ghost, value) in level.ghost_terms.get(&member).into_iter().flatten() {
        values.insert(terms, ghost, value);
    }
}
