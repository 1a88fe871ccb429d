//! The program unwound: its loops are followed round by round, and all paths are one formula.
//!
//! As in Clarke, Kroening and Lerda, "A Tool for Checking ANSI-C Programs" (TACAS 2004), a run is
//! followed symbolically in the order of the program, and where ways meet their states are joined by
//! if-then-elses. What is constant is folded on the way: a branch that is not taken is not followed,
//! and a loop that counts to a constant ends by itself, without a question to a solver. What the
//! errors do not depend on is in no formula.
//!
//! | file | what it holds |
//! |---|---|
//! | [`order`] | loops before what lies behind them |
//! | [`condition`] | path conditions that become short again where ways meet |
//! | [`state`], [`memory`] | what variables and cells hold, over what was read |
//! | [`values`] | the few constants that a term can be |
//! | [`arrays`], [`ask`] | the question, without arrays and as bits |
//!
//! What would be unsound: two ways out of a cutpoint that one state may both take, for then the
//! if-then-else loses one of them. Where guards do not plainly exclude each other, a fresh choice
//! decides ([`super::step`]).

pub mod arrays;
pub mod ask;
pub mod condition;
pub mod memory;
pub mod order;
pub mod state;
pub mod values;

use super::blocks::{BlockId, Cutpoint};
use super::step::chosen;
use super::{Problem, Steps};
use condition::Condition;
use order::{Order, Turn};
use prova_exec::transfer::Input;
use prova_ir::Span;
use prova_logic::{Evaluator, Model, Term, Terms};
use rustc_hash::FxHashMap;
use state::{Live, Mover, Places, State};
use std::collections::BTreeMap;
use values::Values;

/// A program that can be unwound, again and again and further each time: what is read in a round has
/// the same name each time, so that most of the formula is there already.
pub struct Unwinding<'p> {
    problem: &'p Problem,
    steps: &'p Steps,
    /// The order of places, and loops.
    pub order: Order,
    outgoing: Vec<Vec<BlockId>>,
    /// For each cutpoint, when its ways out are taken, beyond their guards.
    chosen: Vec<Vec<Term>>,
    choices: Vec<Vec<Term>>,
    live: Vec<Live>,
    /// Heads of loops that can be left, other than by an error.
    leavable: Vec<bool>,
    places: Places,
    before: State,
    values: Values,
    names: FxHashMap<(Term, Vec<u64>), Term>,
}

/// How far to go.
pub struct Limits<'a> {
    /// Rounds of the loop with this head. Rounds that constants decide do not count.
    pub rounds: &'a dyn Fn(Cutpoint) -> u64,
    /// Places visited in all.
    pub visits: u64,
    /// Whether to stop now.
    pub stop: &'a mut dyn FnMut() -> bool,
}

/// Why unwinding stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Somebody said so.
    Asked,
    /// Too many places were visited.
    Visits,
}

/// A place on a way, visited by many runs at once.
#[derive(Debug)]
pub struct Visit {
    /// Where.
    pub cutpoint: Cutpoint,
    ways: Vec<Way>,
}

#[derive(Debug)]
struct Way {
    block: BlockId,
    condition: Term,
    inputs: Vec<Input>,
    /// The visit it leads to.
    to: Option<usize>,
}

/// A program unwound so far.
#[derive(Debug, Default)]
pub struct Unwound {
    /// All places visited, the start first.
    pub visits: Vec<Visit>,
    /// Errors: the visit, and when a run gets there.
    pub errors: Vec<(usize, Term)>,
    /// Loops that would go further: when, and how many rounds were followed.
    pub further: Vec<(Cutpoint, u64, Term)>,
    /// What is not modelled, and when a run gets there.
    pub unmodelled: Vec<((String, Span), Term)>,
    /// The most rounds of each loop.
    pub rounds: BTreeMap<Cutpoint, u64>,
}

/// Places visited from one place at most, where not the whole program is followed.
const MOST_IN_STEPS: u64 = 20_000;

/// The ways out of a place, with the condition and the state behind each.
#[derive(Default)]
struct WaysOut {
    ways: Vec<(Way, Condition, State)>,
    unmodelled: Vec<((String, Span), Term)>,
}

/// Runs that come to a place on one way.
struct Arrival {
    condition: Condition,
    state: State,
    /// The visit and its way.
    from: (usize, usize),
}

impl<'p> Unwinding<'p> {
    /// A program that nobody has unwound yet.
    pub fn new(terms: &mut Terms, problem: &'p Problem, steps: &'p Steps) -> Unwinding<'p> {
        let order = Order::of(&steps.blocks);
        let outgoing = steps.blocks.outgoing();
        let (places, before) = Places::new(terms, &problem.encoding.vars.all());
        let (mut all_chosen, mut all_choices) = (Vec::new(), Vec::new());
        for ways in &outgoing {
            let mut choices = Vec::new();
            all_chosen.push(chosen(terms, steps, ways, &mut choices));
            all_choices.push(choices);
        }
        let mut leavable = vec![false; outgoing.len()];
        for block in &steps.blocks.blocks {
            if steps.blocks.errors.contains(&block.target) {
                continue;
            }
            for head in &order.around[block.source.index()] {
                leavable[head.index()] |= !order.inside(block.target, *head);
            }
        }
        Unwinding {
            problem,
            steps,
            live: steps.live.iter().map(|l| places.live(l)).collect(),
            order,
            outgoing,
            chosen: all_chosen,
            choices: all_choices,
            leavable,
            places,
            before,
            values: Values::default(),
            names: FxHashMap::default(),
        }
    }

    /// Unwinds the program from its start.
    pub fn unwind(&mut self, terms: &mut Terms, limits: Limits) -> Result<Unwound, Stopped> {
        let mut found = Unwound::default();
        // Rounds of each loop since it was entered; those that count; whether runs left this one.
        let n = self.outgoing.len();
        let (mut rounds, mut counted, mut left) = (vec![0; n], vec![0; n], vec![false; n]);
        let mut been: FxHashMap<(Cutpoint, Vec<u64>), u64> = FxHashMap::default();
        let start = Arrival {
            condition: Condition::default(),
            state: self.before.clone(),
            from: (usize::MAX, 0),
        };
        let mut waiting: BTreeMap<Turn, (Cutpoint, Vec<Arrival>)> = BTreeMap::new();
        waiting.insert((0, 0), (Cutpoint::START, vec![start]));
        while let Some((_, (at, arrivals))) = waiting.pop_first() {
            let visit = found.visits.len();
            if visit as u64 >= limits.visits {
                return Err(Stopped::Visits);
            }
            if visit % 32 == 0 && (limits.stop)() {
                return Err(Stopped::Asked);
            }
            for arrival in arrivals.iter().filter(|a| a.from.0 != usize::MAX) {
                found.visits[arrival.from.0].ways[arrival.from.1].to = Some(visit);
            }
            let index = at.index();
            let back = self.order.is_head(at)
                && arrivals.iter().any(|a| {
                    let from = found.visits.get(a.from.0);
                    from.is_some_and(|v| self.order.inside(v.cutpoint, at))
                });
            let (condition, state) = self.joined(terms, at, arrivals);
            if self.order.is_head(at) {
                if back {
                    rounds[index] += 1;
                    counted[index] += u64::from(left[index] || !self.leavable[index]);
                } else {
                    (rounds[index], counted[index]) = (0, 0);
                }
                left[index] = false;
                let most = found.rounds.entry(at).or_insert(0);
                *most = (*most).max(rounds[index]);
                if counted[index] > (limits.rounds)(at) {
                    let when = condition.term(terms);
                    found.further.push((at, counted[index] - 1, when));
                    found.visits.push(Visit {
                        cutpoint: at,
                        ways: Vec::new(),
                    });
                    continue;
                }
            }
            // A run ends where it goes wrong.
            if self.steps.blocks.errors.contains(&at) {
                found.errors.push((visit, condition.term(terms)));
                found.visits.push(Visit {
                    cutpoint: at,
                    ways: Vec::new(),
                });
                continue;
            }
            let around = self.order.around[index].iter();
            let mut round: Vec<u64> = around.map(|h| rounds[h.index()]).collect();
            // What is read has a name of its own each time, whatever the order of places.
            let again = been.entry((at, round.clone())).or_insert(0);
            *again += 1;
            if *again > 1 {
                round.push(*again);
            }
            let around = self.order.around[index].clone();
            let out = self.ways_out(terms, at, &condition, &state, &round);
            found.unmodelled.extend(out.unmodelled);
            let mut ways = Vec::new();
            for (way, condition, state) in out.ways {
                let target = self.steps.blocks.block(way.block).target;
                ways.push(way);
                let error = self.steps.blocks.errors.contains(&target);
                for head in &around {
                    left[head.index()] |= !error && !self.order.inside(target, *head);
                }
                if !error && self.outgoing[target.index()].is_empty() {
                    continue;
                }
                let turn = self.order.turn(at, target);
                let waiting = waiting.entry(turn).or_insert((target, Vec::new()));
                waiting.1.push(Arrival {
                    condition,
                    state,
                    from: (visit, ways.len() - 1),
                });
            }
            found.visits.push(Visit { cutpoint: at, ways });
        }
        Ok(found)
    }

    /// The ways out of a place that are not plainly closed.
    fn ways_out(
        &mut self,
        terms: &mut Terms,
        at: Cutpoint,
        condition: &Condition,
        state: &State,
        round: &[u64],
    ) -> WaysOut {
        let mut out = WaysOut::default();
        let index = at.index();
        let mut inputs = FxHashMap::default();
        for &choice in &self.choices[index] {
            inputs.insert(choice, name(&mut self.names, terms, choice, round));
        }
        for &block in &self.outgoing[index] {
            for input in &self.steps.transitions.get(block).transfer.inputs {
                let own = name(&mut self.names, terms, input.var, round);
                inputs.insert(input.var, own);
            }
        }
        let mut mover = Mover::new(&self.places, state, inputs.clone());
        for (&block, &chosen) in self.outgoing[index].iter().zip(&self.chosen[index]) {
            let transfer = &self.steps.transitions.get(block).transfer;
            let mut taken = Some(condition.clone());
            for &guard in [chosen].iter().chain(&transfer.guard) {
                let Some(so_far) = taken else { break };
                let guard = mover.term(terms, &mut self.values, guard);
                taken = so_far.and(terms, guard);
            }
            let Some(taken) = taken else { continue };
            if let Some(marker) = self.marker(block) {
                out.unmodelled.push((marker, taken.term(terms)));
                continue;
            }
            let renamed = transfer.inputs.iter().map(|input| Input {
                var: inputs[&input.var],
                ..input.clone()
            });
            let way = Way {
                block,
                condition: taken.term(terms),
                inputs: renamed.collect(),
                to: None,
            };
            let target = self.steps.blocks.block(block).target;
            let live = &self.steps.live[target.index()];
            let updates = &transfer.updates;
            let after = mover.updated(terms, &mut self.values, updates, |v| live.contains(&v));
            out.ways.push((way, taken, after));
        }
        out
    }

    /// Follows all runs from an arbitrary state at a cutpoint, for so many steps between heads of
    /// loops, with facts that hold at these. Gives when the last step ends in an error, or any step
    /// comes to what is not modelled.
    pub fn steps_from(
        &mut self,
        terms: &mut Terms,
        from: Cutpoint,
        facts: &dyn Fn(Cutpoint) -> Vec<Term>,
        steps: u64,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<Term>, Stopped> {
        let mut bad = Vec::new();
        let start = Arrival {
            condition: Condition::default(),
            state: self.before.clone(),
            from: (usize::MAX, 0),
        };
        // By the step, and the order of places in it; heads that were come to end it.
        let mut waiting = BTreeMap::from([((1, 0u64), (from, vec![start]))]);
        let mut visits = 0;
        while let Some(((step, _), (at, arrivals))) = waiting.pop_first() {
            visits += 1;
            if visits > MOST_IN_STEPS {
                return Err(Stopped::Visits);
            }
            if visits % 32 == 0 && stop() {
                return Err(Stopped::Asked);
            }
            let (condition, state) = self.joined(terms, at, arrivals);
            if self.steps.blocks.errors.contains(&at) {
                if step == steps {
                    bad.push(condition.term(terms));
                }
                continue;
            }
            let mut here = Some(condition);
            if self.order.is_head(at) {
                let mut mover = Mover::new(&self.places, &state, FxHashMap::default());
                for fact in facts(at) {
                    let Some(so_far) = here else { break };
                    let fact = mover.term(terms, &mut self.values, fact);
                    here = so_far.and(terms, fact);
                }
            }
            let Some(condition) = here else { continue };
            let round = [u64::MAX, u64::from(from.0), step];
            let out = self.ways_out(terms, at, &condition, &state, &round);
            bad.extend(out.unmodelled.into_iter().map(|m| m.1));
            for (way, condition, state) in out.ways {
                let target = self.steps.blocks.block(way.block).target;
                let next = step + u64::from(self.order.is_head(target));
                let ends = self.outgoing[target.index()].is_empty();
                let error = self.steps.blocks.errors.contains(&target);
                if next > steps || ends && !error {
                    continue;
                }
                // The place where a step begins comes first in it.
                let rank = match self.order.is_head(target) {
                    true => 0,
                    false => 1 + self.order.rank[target.index()],
                };
                let key = (next, (u64::from(rank) << 32) | u64::from(target.0));
                waiting
                    .entry(key)
                    .or_insert((target, Vec::new()))
                    .1
                    .push(Arrival {
                        condition,
                        state,
                        from: (usize::MAX, 0),
                    });
            }
        }
        Ok(bad)
    }

    /// Several ways to one place, which no run takes two of: those that parted last are joined first.
    fn joined(
        &mut self,
        terms: &mut Terms,
        at: Cutpoint,
        mut ways: Vec<Arrival>,
    ) -> (Condition, State) {
        while ways.len() > 1 {
            let last = ways.len() - 1;
            let pairs = (0..last).flat_map(|i| (i + 1..=last).map(move |j| (i, j)));
            // Of many only neighbours are compared.
            let pairs = pairs.filter(|(i, j)| last < 16 || j - i == 1);
            let closest = pairs.max_by_key(|&(i, j)| {
                (
                    ways[i].condition.closeness(&ways[j].condition),
                    std::cmp::Reverse(i),
                )
            });
            let (i, j) = closest.unwrap_or((0, 1));
            let second = ways.remove(j);
            let first = &mut ways[i];
            let (condition, tells) = first.condition.or(terms, &second.condition);
            let live = &self.live[at.index()];
            let state = first
                .state
                .or(terms, &mut self.values, tells, &second.state, live);
            first.condition = condition;
            first.state = state;
        }
        let only = ways.pop().expect("somebody arrives");
        (only.condition, only.state)
    }

    fn marker(&self, block: BlockId) -> Option<(String, Span)> {
        let mut edges = self.steps.blocks.block(block).edges.iter();
        edges.find_map(|&e| self.problem.prepared.marker_on(e))
    }
}

/// What something that is read is called in a round of the loops around it.
fn name(
    names: &mut FxHashMap<(Term, Vec<u64>), Term>,
    terms: &mut Terms,
    variable: Term,
    round: &[u64],
) -> Term {
    let sort = terms.sort(variable);
    let key = (variable, round.to_vec());
    *names
        .entry(key)
        .or_insert_with(|| terms.fresh("read", sort))
}

/// A path that a model takes.
#[derive(Debug, Default)]
pub struct Taken {
    /// Its blocks.
    pub blocks: Vec<BlockId>,
    /// What its first block reads.
    pub start: Vec<Input>,
    /// What the others read, in order.
    pub inputs: Vec<Input>,
}

impl Unwound {
    /// The path that a model takes, up to its end.
    pub fn path(&self, terms: &Terms, model: &Model) -> Taken {
        let mut taken = Taken::default();
        let mut evaluator = Evaluator::new();
        let mut at = Some(0);
        while let Some(visit) = at {
            let mut holds = |t: Term| {
                let value = evaluator.eval(terms, t, |v| model.get(v).cloned());
                value.as_bool() == Some(true)
            };
            let mut ways = self.visits[visit].ways.iter();
            let Some(way) = ways.find(|w| holds(w.condition)) else {
                break;
            };
            match taken.blocks.is_empty() {
                true => taken.start.extend(way.inputs.iter().cloned()),
                false => taken.inputs.extend(way.inputs.iter().cloned()),
            }
            taken.blocks.push(way.block);
            at = way.to;
        }
        taken
    }
}
