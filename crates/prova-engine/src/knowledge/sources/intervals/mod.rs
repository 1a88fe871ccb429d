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
//! What it says is a set of candidates like any other: [`mod@crate::knowledge::houdini`] has the last word.

pub mod eval;
pub mod range;
pub mod zones;

use super::states::constants;
use super::{Generalise, View};
use crate::problem::blocks::BlockId;
use crate::problem::transitions::Transitions;
use crate::problem::Steps;
use crate::reach::domain::{Domain, Merged, Post, Scan};
use crate::reach::explore::{Exploration, Found, Manner};
use crate::reach::flow::Flow;
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
    let flow = Flow::new(&steps.blocks);
    let mut analysis = Analysis::new(terms, steps, constants);
    let initial = analysis.initial(terms);
    let mut exploration = Exploration::new(&flow, Manner::fixed_point(PATIENCE), initial);
    let stop = |steps, _: &Analysis| steps > STEPS;
    if exploration.go_on(terms, &flow, &mut analysis, stop) == Found::Limit {
        return vec![Vec::new(); steps.blocks.locations.len()];
    }
    for _ in 0..NARROWING {
        exploration.narrow(terms, &flow, &mut analysis);
    }
    let places = exploration.graph.places().zip(&steps.live);
    let known = places.map(|(nodes, live)| match nodes {
        [] => vec![terms.fals()],
        [node, ..] => {
            let known = &exploration.graph[*node].state;
            spoken(terms, known, &analysis.among, live)
        }
    });
    known.collect()
}

/// Ranges and zones as one domain. It is no product of two: a difference is read off a term only
/// where the ranges *between* a block's conditions and its assignments show that the term does not
/// wrap, and each condition narrows the ranges for the next one. Behind the step, where the halves
/// of a product tell each other what they know, these ranges are gone.
struct Analysis<'a> {
    transitions: &'a Transitions,
    among: Among,
    stops: Vec<i128>,
}

impl<'a> Analysis<'a> {
    fn new(terms: &Terms, steps: &'a Steps, constants: &BTreeSet<u64>) -> Self {
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
            transitions,
            among,
            stops,
        }
    }

    /// What is known behind a block; `None` if nobody comes through.
    fn step(&self, terms: &Terms, before: &Known, id: BlockId) -> Option<Known> {
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
}

impl Domain for Analysis<'_> {
    type State = Known;
    type Opened = ();
    type Index = Scan;
    const JOINS: bool = true;

    fn initial(&mut self, _: &mut Terms) -> Known {
        Known {
            ranges: Ranges::default(),
            zones: Zones::new(&self.among),
        }
    }

    fn open(&mut self, _: &mut Terms, _: &Known) {}

    fn post(&mut self, terms: &mut Terms, known: &Known, _: &mut (), id: BlockId) -> Post<Known> {
        match self.step(terms, known, id) {
            Some(behind) => Post::To(vec![behind]),
            None => Post::Impossible,
        }
    }

    fn covers(&mut self, terms: &mut Terms, known: &Known, other: &Known) -> bool {
        self.join(terms, known, other) == Merged::Covered
    }

    fn join(&mut self, _: &mut Terms, old: &Known, new: &Known) -> Merged<Known> {
        grown(
            old,
            Known {
                ranges: old.ranges.combine(&new.ranges, Range::join),
                zones: old.zones.join(&new.zones),
            },
        )
    }

    fn widen(&mut self, _: &mut Terms, old: &Known, new: &Known) -> Merged<Known> {
        let widen = |a: &Range, b: &Range| a.widen(b, &self.stops);
        grown(
            old,
            Known {
                ranges: old.ranges.combine(&new.ranges, widen),
                zones: old.zones.widen(&new.zones),
            },
        )
    }
}

fn grown(old: &Known, both: Known) -> Merged<Known> {
    match both == *old {
        true => Merged::Covered,
        false => Merged::Grown(both),
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
