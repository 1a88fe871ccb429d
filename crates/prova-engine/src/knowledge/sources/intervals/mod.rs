//! A cheap abstract interpretation of the whole program before the search: what each variable can
//! be, and how variables differ, at every cutpoint (Cousot and Cousot; widening with thresholds
//! from the program's text, then narrowing).
//!
//! | file | what it holds |
//! |---|---|
//! | [`range`] | the values of one variable: intervals and known bits |
//! | [`eval`] | terms and conditions over ranges |
//! | [`zones`] | differences of variables |
//!
//! What it says is a set of candidates like any other: [`super::houdini`] has the last word.

pub mod eval;
pub mod range;
pub mod zones;

use super::states::constants;
use super::{Generalise, View};
use crate::problem::blocks::{BlockId, Blocks, Cutpoint};
use crate::problem::transitions::Transitions;
use crate::problem::Steps;
use eval::{width_of, Ranges};
use prova_logic::{Op, Sort, Term, Terms};
use range::Range;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use zones::{Among, Zones};

/// Joins at a cutpoint before its bounds are widened.
const PATIENCE: u32 = 3;
/// Rounds that take back what widening gave away.
const NARROWING: usize = 2;
/// Variables among which differences are followed.
const RELATED: usize = 16;
/// Block steps after which the analysis is given up.
const STEPS: u64 = 60_000;

/// What is known at a cutpoint.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    ranges: Ranges,
    zones: Zones,
}

/// Facts by cutpoint that the abstract interpretation finds.
pub fn facts(terms: &mut Terms, steps: &Steps, constants: &BTreeSet<u64>) -> Vec<Vec<Term>> {
    let count = steps.blocks.locations.len();
    let analysis = Analysis::new(terms, steps, constants);
    let Some(found) = analysis.run() else {
        return vec![Vec::new(); count];
    };
    let among = analysis.among;
    let mut facts = Vec::with_capacity(count);
    for (index, known) in found.into_iter().enumerate() {
        facts.push(match known {
            None => vec![terms.fals()],
            Some(known) => spoken(terms, &known, &among, &steps.live[index]),
        });
    }
    facts
}

struct Analysis<'a> {
    terms: &'a Terms,
    transitions: &'a Transitions,
    blocks: &'a Blocks,
    outgoing: Vec<Vec<BlockId>>,
    among: Among,
    stops: Vec<i128>,
}

impl<'a> Analysis<'a> {
    fn new(terms: &'a Terms, steps: &'a Steps, constants: &BTreeSet<u64>) -> Self {
        let transitions = &steps.transitions;
        let guards = transitions
            .all()
            .flat_map(|(_, t)| t.transfer.guard.iter().copied());
        let updates: Vec<(Term, Term)> = transitions
            .all()
            .flat_map(|(_, t)| t.transfer.updates.iter().copied())
            .collect();
        let among = zones::related(terms, guards, &updates, RELATED);
        let mut stops: Vec<i128> = constants
            .iter()
            .flat_map(|&c| [i128::from(c), i128::from(c as i32), i128::from(c as i64)])
            .collect();
        stops.sort_unstable();
        stops.dedup();
        Analysis {
            terms,
            transitions,
            blocks: &steps.blocks,
            outgoing: steps.blocks.outgoing(),
            among,
            stops,
        }
    }

    /// A fixed point, by cutpoint; `None` where nothing arrives. Nothing at all if it took too long.
    fn run(&self) -> Option<Vec<Option<Known>>> {
        let count = self.blocks.locations.len();
        let (order, heads) = self.order();
        let position: Vec<usize> = {
            let mut position = vec![usize::MAX; count];
            for (i, c) in order.iter().enumerate() {
                position[c.index()] = i;
            }
            position
        };
        let mut found: Vec<Option<Known>> = vec![None; count];
        found[Cutpoint::START.index()] = Some(Known {
            ranges: Ranges::default(),
            zones: Zones::new(&self.among),
        });
        let mut visits = vec![0u32; count];
        let mut work: BTreeSet<usize> = [position[Cutpoint::START.index()]].into();
        let mut steps = 0;
        while let Some(next) = work.pop_first() {
            let here = order[next];
            for &id in &self.outgoing[here.index()] {
                steps += 1;
                if steps > STEPS {
                    return None;
                }
                let before = found[here.index()].as_ref().expect("it was reached");
                let Some(arriving) = self.step(before, id) else {
                    continue;
                };
                let target = self.blocks.block(id).target.index();
                let merged = match &found[target] {
                    None => arriving,
                    Some(old) => {
                        let widen = heads[target] && visits[target] >= PATIENCE;
                        visits[target] += u32::from(heads[target]);
                        self.merged(old, &arriving, widen)
                    }
                };
                if found[target].as_ref() != Some(&merged) {
                    found[target] = Some(merged);
                    work.insert(position[target]);
                }
            }
        }
        for _ in 0..NARROWING {
            self.narrow(&order, &mut found);
        }
        Some(found)
    }

    fn merged(&self, old: &Known, new: &Known, widen: bool) -> Known {
        if widen {
            Known {
                ranges: old
                    .ranges
                    .combine(&new.ranges, |a, b| a.widen(b, &self.stops)),
                zones: old.zones.widen(&new.zones),
            }
        } else {
            Known {
                ranges: old.ranges.combine(&new.ranges, Range::join),
                zones: old.zones.join(&new.zones),
            }
        }
    }

    /// Computes every cutpoint again from those before it: what widening overshot comes back.
    fn narrow(&self, order: &[Cutpoint], found: &mut [Option<Known>]) {
        let incoming = self.blocks.incoming();
        for cutpoint in order {
            let index = cutpoint.index();
            if *cutpoint == Cutpoint::START || found[index].is_none() {
                continue;
            }
            let mut again: Option<Known> = None;
            for &id in &incoming[index] {
                let source = self.blocks.block(id).source.index();
                let Some(before) = &found[source] else {
                    continue;
                };
                let Some(arriving) = self.step(before, id) else {
                    continue;
                };
                again = Some(match again {
                    None => arriving,
                    Some(old) => self.merged(&old, &arriving, false),
                });
            }
            if again.is_some() {
                found[index] = again;
            }
        }
    }

    /// What is known behind a block; `None` if nobody comes through.
    fn step(&self, before: &Known, id: BlockId) -> Option<Known> {
        let terms = self.terms;
        let transition = self.transitions.get(id);
        let mut known = before.clone();
        // Twice: a condition may tell more once others are taken in.
        for _ in 0..2 {
            for &guard in &transition.transfer.guard {
                if !known.ranges.assume(terms, guard, true) {
                    return None;
                }
                known
                    .zones
                    .assume(terms, &known.ranges, &self.among, guard, true);
            }
        }
        known.zones.close();
        let mut zones = known
            .zones
            .assign(terms, &known.ranges, &self.among, |v| transition.update(v));
        zones.close();
        let mut ranges = known.ranges.clone();
        let mut memo = Default::default();
        for &(variable, value) in &transition.transfer.updates {
            if let Some(width) = width_of(terms, variable) {
                let range = known.ranges.eval_with(terms, value, &mut memo);
                let range = range.unwrap_or(Range::all(width));
                let narrower = known
                    .zones
                    .difference(terms, &known.ranges, &self.among, value);
                let met = narrower.and_then(|n| n.meet(&range));
                ranges.set(variable, met.unwrap_or(range));
            }
        }
        Some(Known { ranges, zones })
    }

    /// Cutpoints in reverse postorder, and where cycles are entered: the targets of edges back to
    /// a cutpoint that the walk is still inside of.
    fn order(&self) -> (Vec<Cutpoint>, Vec<bool>) {
        #[derive(Clone, Copy)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let mut marks = vec![Mark::New; self.outgoing.len()];
        let mut heads = vec![false; self.outgoing.len()];
        let mut order = Vec::new();
        let mut stack = vec![(Cutpoint::START, 0)];
        marks[Cutpoint::START.index()] = Mark::Open;
        while let Some((at, next)) = stack.pop() {
            let Some(&id) = self.outgoing[at.index()].get(next) else {
                marks[at.index()] = Mark::Done;
                order.push(at);
                continue;
            };
            stack.push((at, next + 1));
            let target = self.blocks.block(id).target;
            match marks[target.index()] {
                Mark::New => {
                    marks[target.index()] = Mark::Open;
                    stack.push((target, 0));
                }
                Mark::Open => heads[target.index()] = true,
                Mark::Done => {}
            }
        }
        order.reverse();
        (order, heads)
    }
}

/// What is known, as terms over the variables that matter.
fn spoken(terms: &mut Terms, known: &Known, among: &Among, live: &FxHashSet<Term>) -> Vec<Term> {
    let mut facts = Vec::new();
    let mut ranges: Vec<(Term, Range)> = known
        .ranges
        .known()
        .filter(|(v, _)| live.contains(v))
        .collect();
    ranges.sort_unstable_by_key(|r| r.0);
    for &(variable, range) in &ranges {
        if terms.object(variable).is_some() {
            continue;
        }
        if terms.sort(variable) == Sort::Bool {
            if let Some(value) = range.value() {
                facts.push(if value == 1 {
                    variable
                } else {
                    terms.not(variable)
                });
            }
            continue;
        }
        let width = range.width();
        let all = Range::all(width);
        if let Some(value) = range.value() {
            let c = terms.bv(u128::from(value), width);
            facts.push(terms.eq(variable, c));
            continue;
        }
        let (low, high) = range.signed();
        if low > all.signed().0 {
            let c = terms.bv_signed(low, width);
            facts.push(terms.sle(c, variable));
        }
        if high < all.signed().1 {
            let c = terms.bv_signed(high, width);
            facts.push(terms.sle(variable, c));
        }
        let (low, high) = range.unsigned();
        if range.signed().0 < 0 && high < all.unsigned().1 {
            let c = terms.bv(high as u128, width);
            facts.push(terms.ule(variable, c));
        }
        if range.signed().0 < 0 && low > 0 {
            let c = terms.bv(low as u128, width);
            facts.push(terms.ule(c, variable));
        }
        let bits = range.low_bits();
        if bits > 0 && bits < width {
            let slice = terms.extract(variable, bits - 1, 0);
            let c = terms.bv(u128::from(range.bits().1 & ((1 << bits) - 1)), bits);
            facts.push(terms.eq(slice, c));
        }
    }
    let bounds: Vec<(Term, Term, i128)> = known.zones.bounds(among).collect();
    for &(x, y, c) in &bounds {
        let same = terms.sort(x) == terms.sort(y);
        if !same || !live.contains(&x) || !live.contains(&y) {
            continue;
        }
        let (Some(a), Some(b)) = (known.ranges.get(terms, x), known.ranges.get(terms, y)) else {
            continue;
        };
        // What the ranges say anyway is not said again.
        if a.signed().1 - b.signed().0 <= c {
            continue;
        }
        let width = a.width();
        let all = Range::all(width).signed();
        let exact = bounds.iter().any(|&(p, q, d)| (p, q, d) == (y, x, -c));
        let offset = terms.bv_signed(c, width);
        let sum = terms.add(y, offset);
        if exact && x < y {
            facts.push(terms.eq(x, sum));
        } else if !exact && b.signed().0 + c >= all.0 && b.signed().1 + c <= all.1 {
            facts.push(terms.sle(x, sum));
        }
    }
    facts.retain(|&f| terms.op(f) != Op::True);
    facts
}

/// The abstract interpretation as a source.
#[derive(Debug, Default)]
pub struct Facts;

impl Generalise for Facts {
    fn name(&self) -> &'static str {
        "ai"
    }

    fn candidates(&mut self, view: &mut View) -> Vec<Vec<Term>> {
        let constants = constants(view.terms, &view.steps.transitions);
        facts(view.terms, view.steps, &constants)
    }
}
