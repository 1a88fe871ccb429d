//! What is known at a cutpoint, as terms over the variables that matter.

use super::{Analysis, Known};
use prova_logic::ranges::{Floats, Range};
use prova_logic::{Op, Sort, Term, Terms};
use rustc_hash::FxHashSet;

/// What is known, as terms over the variables that matter.
pub(super) fn spoken(
    terms: &mut Terms,
    known: &Known,
    analysis: &Analysis,
    live: &FxHashSet<Term>,
) -> Vec<Term> {
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
    let bounds: Vec<(Term, Term, i128)> = known.zones.bounds(&analysis.among).collect();
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
    sums(terms, known, analysis, live, &mut facts);
    floats(terms, known, live, &mut facts);
    facts.retain(|&f| terms.op(f) != Op::True);
    facts
}

/// Sums of two variables, as far as their ranges do not say it.
fn sums(
    terms: &mut Terms,
    known: &Known,
    analysis: &Analysis,
    live: &FxHashSet<Term>,
    facts: &mut Vec<Term>,
) {
    for (x, y, least, most) in known.octagon.sums(&analysis.summed) {
        let same = terms.sort(x) == terms.sort(y);
        let (Some(a), Some(b)) = (known.ranges.get(terms, x), known.ranges.get(terms, y)) else {
            continue;
        };
        if !same || !live.contains(&x) || !live.contains(&y) {
            continue;
        }
        let width = a.width();
        let sum = (a.signed().0 + b.signed().0, a.signed().1 + b.signed().1);
        if let (Some(least), true) = (least, least == most) {
            // Whether it wraps or not.
            let (sum, c) = (terms.add(x, y), terms.bv_signed(least, width));
            facts.push(terms.eq(sum, c));
            continue;
        }
        // Bounds of sums are costly to ask about: only where something keeps the sum.
        if !analysis.balanced.contains(&(x, y)) {
            continue;
        }
        let all = Range::all(width).signed();
        // A sum that may wrap is read with one bit more.
        let wide = if sum.0 >= all.0 && sum.1 <= all.1 {
            width
        } else {
            width + 1
        };
        let added = |terms: &mut Terms| {
            let (x, y) = (terms.sext(x, wide), terms.sext(y, wide));
            terms.add(x, y)
        };
        if let Some(least) = least.filter(|&c| c > sum.0) {
            let (sum, c) = (added(terms), terms.bv_signed(least, wide));
            facts.push(terms.sle(c, sum));
        }
        if let Some(most) = most.filter(|&c| c < sum.1) {
            let (sum, c) = (added(terms), terms.bv_signed(most, wide));
            facts.push(terms.sle(sum, c));
        }
    }
}

/// Bounds of floats.
fn floats(terms: &mut Terms, known: &Known, live: &FxHashSet<Term>, facts: &mut Vec<Term>) {
    let mut ranges: Vec<_> = known.ranges.known_floats().collect();
    ranges.retain(|(v, _)| live.contains(v));
    ranges.sort_unstable_by_key(|r| r.0);
    for (variable, range) in ranges {
        let format = range.format();
        if let Some(value) = range.value() {
            let c = terms.float_const(format, value);
            facts.push(terms.eq(variable, c));
            continue;
        }
        let Some((low, high)) = range.bounds().filter(|_| !range.may_be_nan()) else {
            continue;
        };
        let nan = terms.is_nan(variable);
        facts.push(terms.not(nan));
        let all = Floats::all(format).bounds();
        if all.is_some_and(|(least, _)| low != least) {
            let c = terms.float_const(format, low);
            facts.push(terms.fle(c, variable));
        }
        if all.is_some_and(|(_, most)| high != most) {
            let c = terms.float_const(format, high);
            facts.push(terms.fle(variable, c));
        }
    }
}
