//! A cheap abstract interpretation of the whole program before the search: what each variable can
//! be, and how variables differ, at every cutpoint (Cousot and Cousot; widening with thresholds
//! from the program's text, then narrowing).
//!
//! | file | what it holds |
//! |---|---|
//! | [`zones`] | differences of variables |
//! | [`octagons`] | their sums, too |
//! | `spoken` | what is known, as terms |
//!
//! What single variables can be, and what terms over them, is [`prova_logic::ranges`]' to say.
//!
//! What it says is a set of candidates like any other: [`mod@crate::knowledge::houdini`] has the last word.

pub mod octagons;
mod spoken;
pub mod zones;

use super::states::constants;
use super::{Generalise, View};
use crate::problem::blocks::BlockId;
use crate::problem::transitions::Transitions;
use crate::problem::Steps;
use crate::reach::domain::{Domain, Merged, Post, Scan};
use crate::reach::explore::{Exploration, Found, Manner};
use crate::reach::flow::Flow;
use octagons::Octagon;
use prova_logic::ranges::{width_of, Floats, Range, Ranges};
use prova_logic::{float, FloatFormat, RoundingMode, Term, Terms};
use spoken::spoken;
use std::collections::BTreeSet;
use zones::{Among, Zones};

/// Joins at a cutpoint before its bounds are widened.
const PATIENCE: u32 = 3;
/// Rounds that take back what widening gave away.
const NARROWING: usize = 2;
/// Variables among which differences are followed.
const RELATED: usize = 16;
/// And among which sums are.
const SUMMED: usize = 10;
/// Block steps after which the analysis is given up.
const STEPS: u64 = 60_000;

/// What is known at a cutpoint.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    ranges: Ranges,
    zones: Zones,
    octagon: Octagon,
}

/// Facts by cutpoint that the abstract interpretation finds.
pub fn facts(
    terms: &mut Terms,
    steps: &Steps,
    constants: &BTreeSet<u64>,
    most_steps: u64,
) -> Vec<Vec<Term>> {
    let flow = Flow::new(&steps.blocks);
    let mut analysis = Analysis::new(terms, steps, constants);
    let initial = analysis.initial(terms);
    let mut exploration = Exploration::new(&flow, Manner::fixed_point(PATIENCE), initial);
    let stop = |steps, _: &Analysis| steps > most_steps;
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
            spoken(terms, known, &analysis, live)
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
    summed: Among,
    balanced: BTreeSet<(Term, Term)>,
    stops: Vec<i128>,
    float_stops: Vec<(FloatFormat, u128)>,
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
        let moved = octagons::moved(terms, transitions);
        let mut stops: Vec<i128> = constants
            .iter()
            .flat_map(|&c| [i128::from(c), i128::from(c as i32), i128::from(c as i64)])
            .collect();
        stops.sort_unstable();
        stops.dedup();
        let summed = moved.and(&among).first(SUMMED);
        Analysis {
            transitions,
            balanced: octagons::balanced(terms, transitions, &summed),
            summed,
            among,
            stops,
            float_stops: float_constants(terms, transitions),
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
                let Known {
                    ranges,
                    zones,
                    octagon,
                } = &mut known;
                zones.assume(terms, ranges, &self.among, guard, true);
                octagon.assume(terms, ranges, &self.summed, guard, true);
            }
        }
        known.zones.close();
        known.octagon.close();
        let mut octagon = known
            .octagon
            .assign(terms, &known.ranges, &self.summed, |v| transition.update(v));
        octagon.close();
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
                let range = met.unwrap_or(range);
                let read = known
                    .octagon
                    .reading(terms, &known.ranges, &self.summed, value);
                let met = read.and_then(|n| n.meet(&range));
                ranges.set(variable, met.unwrap_or(range));
            }
            if let Some(range) = known.ranges.eval_float_with(terms, value, &mut memo) {
                ranges.set_float(variable, range);
            }
        }
        Some(Known {
            ranges,
            zones,
            octagon,
        })
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
            octagon: Octagon::new(&self.summed),
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
                ranges: old.ranges.combine(&new.ranges, Range::join, Floats::join),
                zones: old.zones.join(&new.zones),
                octagon: old.octagon.join(&new.octagon),
            },
        )
    }

    fn widen(&mut self, _: &mut Terms, old: &Known, new: &Known) -> Merged<Known> {
        let widen = |a: &Range, b: &Range| a.widen(b, &self.stops);
        let widen_float = |a: &Floats, b: &Floats| a.widen(b, &self.float_stops);
        grown(
            old,
            Known {
                ranges: old.ranges.combine(&new.ranges, widen, widen_float),
                zones: old.zones.widen(&new.zones),
                octagon: old.octagon.widen(&new.octagon),
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

/// The floats that the program's steps name, and their opposites: where loops may stop.
fn float_constants(terms: &Terms, transitions: &Transitions) -> Vec<(FloatFormat, u128)> {
    let mut found = BTreeSet::new();
    for (_, transition) in transitions.all() {
        let transfer = &transition.transfer;
        let updates = transfer.updates.iter().map(|u| u.1);
        let roots: Vec<Term> = transfer.guard.iter().copied().chain(updates).collect();
        for t in terms.post_order(&roots) {
            let Some((format, bits)) = terms.as_float(t) else {
                continue;
            };
            // A float is compared as a double: what one format names stops others.
            for to in [format, FloatFormat::F32, FloatFormat::F64] {
                let mode = RoundingMode::NearestTiesToEven;
                let bits = float::convert(format, to, mode, bits);
                if !float::is_nan(to, bits) {
                    found.extend([(to, bits), (to, float::neg(to, bits))]);
                }
            }
        }
    }
    found.into_iter().collect()
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
        facts(view.terms, view.steps, &constants, STEPS)
    }
}
