//! What bounds of bit-vectors show: facts such as `(bvslt x 5)` bound terms, operators carry bounds
//! on, in the signed reading and without wrapping, and comparisons are settled by them.

use crate::script::{Script, Term};
use crate::sort::Sort;
use rustc_hash::FxHashMap;

/// The least and the greatest value in the signed reading.
type Range = (i128, i128);

/// Wider terms are not looked at.
const WIDEST: u32 = 64;
/// Nor what is nested deeper.
const DEEPEST: u32 = 24;
/// Facts that are looked at for bounds, and how often a box is to see what boxes cover.
const MOST_LOOKED: usize = 100_000;

/// What is known of terms by the facts they were made from.
#[derive(Default)]
pub struct Ranges {
    of: FxHashMap<Term, Range>,
    /// The facts contradict each other.
    pub(crate) empty: bool,
}

impl Script {
    /// The bounds that facts give.
    pub fn ranges(&self, facts: &[Term]) -> Ranges {
        let mut ranges = Ranges::default();
        let mut work: Vec<(Term, bool)> = facts.iter().map(|&fact| (fact, true)).collect();
        for _ in 0..MOST_LOOKED {
            let Some((fact, holds)) = work.pop() else { break };
            match (self.view(fact), holds) {
                (("not", &[inner]), _) => work.push((inner, !holds)),
                (("and", parts), true) | (("or", parts), false) => {
                    work.extend(parts.iter().map(|&part| (part, holds)));
                }
                _ => {}
            }
            for (term, known) in self.bounds(fact, holds) {
                let Some(all) = self.all_of(term) else { continue };
                let old = ranges.of.entry(term).or_insert(all);
                *old = (old.0.max(known.0), old.1.min(known.1));
                ranges.empty |= old.0 > old.1;
            }
        }
        ranges
    }

    /// The terms that an atom compares with numbers, each with the values for which that is so, or not.
    fn bounds(&self, atom: Term, holds: bool) -> impl Iterator<Item = (Term, Range)> + '_ {
        let (head, parts) = self.view(atom);
        let pairs = match *parts {
            [a, b] => [Some((a, b, true)), Some((b, a, false))],
            _ => [None, None],
        };
        pairs.into_iter().flatten().filter_map(move |(term, other, first)| {
            let (all, n) = (self.all_of(term)?, self.signed(other)?);
            let values = match (head, holds, first) {
                ("=", true, _) => (n, n),
                ("bvslt", true, true) => (all.0, n - 1),
                ("bvslt", true, false) => (n + 1, all.1),
                ("bvslt", false, true) => (n, all.1),
                ("bvslt", false, false) => (all.0, n),
                _ => return None,
            };
            Some((term, values))
        })
    }

    /// Whether one of these cases, each a conjunction, holds whatever values the terms in them have that
    /// bounds allow. What is no bound of a term by a number may be true or false by itself.
    pub(crate) fn cover(&self, ranges: &Ranges, cases: &[Vec<Term>]) -> bool {
        let bound = |&fact: &Term| {
            let (atom, holds) = match self.view(fact) {
                ("not", &[atom]) => (atom, false),
                _ => (fact, true),
            };
            let truth = (atom, (i128::from(holds), i128::from(holds)));
            self.bounds(atom, holds).next().unwrap_or(truth)
        };
        let cases = cases.iter().map(|case| case.iter().map(bound).collect());
        let mut cases: Vec<Vec<(Term, Range)>> = cases.collect();
        let mut terms: Vec<Term> = cases.iter().flatten().map(|b| b.0).collect();
        terms.sort_unstable();
        terms.dedup();
        // That a sum has one value is said of what something is added to: say it of the sum again.
        for (term, values) in cases.iter_mut().flatten().filter(|b| b.1 .0 == b.1 .1) {
            let sum = terms.iter().find_map(|&t| match self.view(t) {
                ("bvadd", &[a, b]) if a == *term => Some((t, self.signed(b)?, self.all_of(t)?)),
                _ => None,
            });
            let Some((sum, more, (low, high))) = sum else { continue };
            let value = (values.0 + more - low).rem_euclid(high - low + 1) + low;
            (*term, *values) = (sum, (value, value));
        }
        let place = |term: Term| terms.binary_search(&term).unwrap_or(terms.len());
        let boxes = cases.iter().map(|case| case.iter().map(|b| (place(b.0), b.1)).collect());
        let boxes: Vec<Vec<(usize, Range)>> = boxes.collect();
        let all = |&t: &Term| (t, self.range(ranges, t, DEEPEST).unwrap_or((0, 1)));
        let terms: Vec<(Term, Range)> = terms.iter().map(all).collect();
        let boxes: Vec<&Vec<(usize, Range)>> = boxes.iter().collect();
        covered(&terms, 0, &boxes, &mut 0)
    }

    /// Whether bounds show that a formula holds, or that it does not.
    pub fn decided(&self, ranges: &Ranges, formula: Term) -> Option<bool> {
        self.truth(ranges, formula, DEEPEST)
    }

    /// Leaves out the formulas that bounds show to hold. Says whether they show of one that it does
    /// not: then these cannot all hold.
    pub fn sift(&self, ranges: &Ranges, formulas: &mut Vec<Term>) -> bool {
        if !self.simplifies {
            return false;
        }
        formulas.retain(|&f| self.decided(ranges, f) != Some(true));
        ranges.empty || formulas.iter().any(|&f| self.decided(ranges, f) == Some(false))
    }

    fn truth(&self, ranges: &Ranges, formula: Term, depth: u32) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
        let (head, parts) = self.view(formula);
        match (head, parts) {
            ("true", _) => Some(true),
            ("false", _) => Some(false),
            ("not", &[a]) => Some(!self.truth(ranges, a, depth)?),
            ("and" | "or", _) => {
                let mut open = false;
                for &part in parts {
                    match self.truth(ranges, part, depth) {
                        Some(truth) if truth == (head == "or") => return Some(truth),
                        Some(_) => {}
                        None => open = true,
                    }
                }
                (!open).then_some(head == "and")
            }
            ("=" | "bvslt", &[a, b]) => {
                let ((al, ah), (bl, bh)) =
                    (self.range(ranges, a, depth)?, self.range(ranges, b, depth)?);
                match head {
                    "=" if ah < bl || bh < al => Some(false),
                    "=" if al == ah && bl == bh => Some(true),
                    "bvslt" if ah < bl => Some(true),
                    "bvslt" if al >= bh => Some(false),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn range(&self, ranges: &Ranges, term: Term, depth: u32) -> Option<Range> {
        let all = self.all_of(term)?;
        if let Some(n) = self.signed(term) {
            return Some((n, n));
        }
        if let Some(&known) = ranges.of.get(&term) {
            return Some(known);
        }
        let Some(depth) = depth.checked_sub(1) else { return Some(all) };
        let (head, parts) = self.view(term);
        let of = |t: Term| self.range(ranges, t, depth).unwrap_or(all);
        let computed = match (head, parts) {
            ("bvneg", &[a]) => {
                let (low, high) = of(a);
                (-high, -low)
            }
            ("bvadd", &[a, b]) => {
                let ((al, ah), (bl, bh)) = (of(a), of(b));
                (al + bl, ah + bh)
            }
            ("bvsub", &[a, b]) => {
                let ((al, ah), (bl, bh)) = (of(a), of(b));
                (al - bh, ah - bl)
            }
            ("bvmul", &[a, b]) => {
                let ((al, ah), (bl, bh)) = (of(a), of(b));
                let products = [al * bl, al * bh, ah * bl, ah * bh];
                let ends = [products.iter().min(), products.iter().max()];
                ends.map(|e| e.copied().unwrap_or(0)).into()
            }
            ("bvsdiv", &[a, b]) => match (of(a), self.signed(b)?) {
                (_, 0) => all,
                ((low, high), n) => ((low / n).min(high / n), (low / n).max(high / n)),
            },
            ("bvsrem", &[a, b]) => match (of(a), self.signed(b)?) {
                ((low, high), n @ 1..) if -n < low && high < n => (low, high),
                ((low, high), n @ 1..) => {
                    let low = if low >= 0 { 0 } else { low.max(1 - n) };
                    (low, if high <= 0 { 0 } else { high.min(n - 1) })
                }
                _ => all,
            },
            ("ite", &[c, a, b]) => match (self.truth(ranges, c, depth), of(a), of(b)) {
                (Some(true), range, _) | (Some(false), _, range) => range,
                (None, a, b) => (a.0.min(b.0), a.1.max(b.1)),
            },
            (_, &[a]) if head.starts_with("(_ sign_extend") => of(a),
            (_, &[a]) if head.starts_with("(_ zero_extend") && of(a).0 >= 0 => of(a),
            _ => all,
        };
        // What does not fit may have wrapped around.
        let fits = all.0 <= computed.0 && computed.1 <= all.1 && computed.0 <= computed.1;
        Some(if fits { computed } else { all })
    }

    fn all_of(&self, term: Term) -> Option<Range> {
        match self.sort(term) {
            Sort::Bits(width @ 1..=WIDEST) => Some((-(1 << (width - 1)), (1 << (width - 1)) - 1)),
            _ => None,
        }
    }

    fn signed(&self, term: Term) -> Option<i128> {
        let (n, (_, high)) = (self.number(term)? as i128, self.all_of(term)?);
        Some(if n > high { n - 2 * (high + 1) } else { n })
    }
}

/// Whether boxes cover all values of the terms from one on: for each piece of that term's values that no
/// side of a box divides, those boxes must do so that hold the piece.
fn covered(
    terms: &[(Term, Range)],
    at: usize,
    boxes: &[&Vec<(usize, Range)>],
    looked: &mut usize,
) -> bool {
    let Some(&(_, (low, high))) = terms.get(at) else { return !boxes.is_empty() };
    let sides = |sides: &Vec<(usize, Range)>| {
        let here = sides.iter().filter(|s| s.0 == at).map(|s| s.1);
        here.fold((low, high), |a, b| (a.0.max(b.0), a.1.min(b.1)))
    };
    let spans: Vec<Range> = boxes.iter().map(|b| sides(b)).collect();
    let mut cuts: Vec<i128> = spans.iter().flat_map(|s| [s.0, s.1 + 1]).collect();
    cuts.push(low);
    cuts.retain(|&c| low <= c && c <= high);
    cuts.sort_unstable();
    cuts.dedup();
    // A piece goes from a cut to before the next one, so a box that holds the one holds the other.
    cuts.into_iter().all(|cut| {
        *looked += boxes.len();
        let inside = spans.iter().zip(boxes).filter(|(s, _)| s.0 <= cut && cut <= s.1);
        let inside: Vec<_> = inside.map(|(_, b)| *b).collect();
        *looked <= MOST_LOOKED && !inside.is_empty() && covered(terms, at + 1, &inside, looked)
    })
}
