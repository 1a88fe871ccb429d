//! Bits of words: which of them are known where not all are, and which of them somebody asks for.
//!
//! State, flags and errors of a parser are often bit-fields of one word. To know the word is to know all
//! of them, in all combinations; so a word may be known in part. Both directions are plain recursions over
//! terms and say nothing where they do not know better. What would be unsound is a bit that is called
//! known and is not; but whatever is found by it is a certificate, and checked.

use prova_logic::{Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// Words are followed up to this width.
const WIDEST: u32 = 64;

/// The lowest bits, so many.
pub fn low(width: u32) -> u64 {
    match width {
        0 => 0,
        1..=63 => (1 << width) - 1,
        _ => u64::MAX,
    }
}

/// The width of a variable's contents: its own, or that of an array's elements. Nothing if it is no word.
pub fn width(terms: &Terms, variable: Term) -> Option<u32> {
    let width = match terms.sort(variable) {
        Sort::BitVec(width) => width,
        Sort::Array { element, .. } => element,
        _ => return None,
    };
    (width <= WIDEST).then_some(width)
}

/// Bits that are known, and what they are: zero where they are not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Which bits.
    pub mask: u64,
    /// What they are.
    pub value: u64,
}

impl Known {
    fn of(mask: u64, value: u64) -> Known {
        Known {
            mask,
            value: value & mask,
        }
    }

    /// Only what is known among these bits.
    pub fn among(self, bits: u64) -> Known {
        Known::of(self.mask & bits, self.value)
    }

    /// What is known either way.
    pub fn agreed(self, other: Known) -> Known {
        let same = !(self.value ^ other.value);
        Known::of(self.mask & other.mask & same, self.value)
    }

    /// The least and the greatest that a word with these bits can be.
    fn range(self, width: u32) -> (u64, u64) {
        (self.value, self.value | (!self.mask & low(width)))
    }
}

/// A word of which nothing but these bits is known: over itself, so that it is a fact of its state.
pub fn partly(terms: &mut Terms, word: Term, known: Known) -> Term {
    let width = terms.width(word);
    let open = terms.bv(u128::from(!known.mask & low(width)), width);
    let value = terms.bv(u128::from(known.value), width);
    let rest = terms.bv_and(word, open);
    terms.bv_or(rest, value)
}

/// Puts constants in the place of what its bits decide.
#[derive(Default)]
pub struct Folding(FxHashMap<Term, (Term, Known)>);

impl Folding {
    /// The term, folded, and what is known of its bits.
    pub fn fold(&mut self, terms: &mut Terms, root: Term) -> (Term, Known) {
        if let Some(&done) = self.0.get(&root) {
            return done;
        }
        for t in terms.post_order(&[root]) {
            if self.0.contains_key(&t) {
                continue;
            }
            let children: Vec<(Term, Known)> =
                terms.children(t).iter().map(|c| self.0[c]).collect();
            let folded = folded(terms, t, &children);
            self.0.insert(t, folded);
        }
        self.0[&root]
    }
}

fn folded(terms: &mut Terms, t: Term, children: &[(Term, Known)]) -> (Term, Known) {
    if terms.sort(t) == Sort::Bool {
        if let Some(decided) = decided(terms, t, children) {
            return (terms.bool_const(decided), Known::default());
        }
    }
    let width = match terms.sort(t) {
        Sort::BitVec(width) if width <= WIDEST => Some(width),
        _ => None,
    };
    let known = width.map_or(Known::default(), |w| known(terms, t, w, children));
    if let Some(width) = width.filter(|&w| known.mask == low(w)) {
        return (terms.bv(u128::from(known.value), width), known);
    }
    let new: Vec<Term> = children.iter().map(|c| c.0).collect();
    (terms.rebuild(t, &new), known)
}

/// A comparison that the bits decide.
fn decided(terms: &Terms, t: Term, children: &[(Term, Known)]) -> Option<bool> {
    let &[(a, x), (b, y)] = children else {
        return None;
    };
    let width = match (terms.sort(a), terms.sort(b)) {
        (Sort::BitVec(w), Sort::BitVec(_)) if w <= WIDEST => w,
        _ => return None,
    };
    let ((least, most), (other_least, other_most)) = (x.range(width), y.range(width));
    match terms.op(t) {
        Op::Eq if (x.value ^ y.value) & x.mask & y.mask != 0 => Some(false),
        Op::Ult if most < other_least => Some(true),
        Op::Ult if least >= other_most => Some(false),
        Op::Ule if most <= other_least => Some(true),
        Op::Ule if least > other_most => Some(false),
        _ => None,
    }
}

/// What is known of a word by what is known of its parts.
fn known(terms: &Terms, t: Term, width: u32, children: &[(Term, Known)]) -> Known {
    let all = low(width);
    let part = |i: usize| children[i].1;
    let wide = |i: usize| terms.sort(children[i].0).width().unwrap_or(0);
    // How far it is shifted, if that is known.
    let shift = || {
        let full = wide(1) <= WIDEST && part(1).mask == low(wide(1));
        full.then_some(part(1).value)
    };
    match terms.op(t) {
        Op::BvConst => terms
            .as_u64(t)
            .map_or(Known::default(), |v| Known::of(all, v)),
        Op::BvNot => Known::of(part(0).mask, !part(0).value),
        Op::BvAnd => {
            let (a, b) = (part(0), part(1));
            let zero = (a.mask & !a.value) | (b.mask & !b.value);
            Known::of((a.mask & b.mask) | zero, a.value & b.value)
        }
        Op::BvOr => {
            let (a, b) = (part(0), part(1));
            Known::of((a.mask & b.mask) | a.value | b.value, a.value | b.value)
        }
        Op::BvXor => Known::of(part(0).mask & part(1).mask, part(0).value ^ part(1).value),
        Op::Shl => match shift() {
            Some(by) if by < u64::from(width) => {
                let by = by as u32;
                Known::of(((part(0).mask << by) | low(by)) & all, part(0).value << by)
            }
            Some(_) => Known::of(all, 0),
            None => Known::default(),
        },
        Op::Lshr => match shift() {
            Some(by) if by < u64::from(width) => {
                let above = all & !(all >> by);
                Known::of((part(0).mask >> by) | above, part(0).value >> by)
            }
            Some(_) => Known::of(all, 0),
            None => Known::default(),
        },
        Op::Concat => {
            let by = wide(1);
            let mask = (part(0).mask << by) | part(1).mask;
            Known::of(mask & all, (part(0).value << by) | part(1).value)
        }
        Op::Extract if wide(0) <= WIDEST => {
            let (_, lo) = terms.bounds(t);
            Known::of((part(0).mask >> lo) & all, part(0).value >> lo)
        }
        Op::Zext => Known::of((part(0).mask | !low(wide(0))) & all, part(0).value),
        Op::Sext => {
            let (inner, sign) = (low(wide(0)), 1 << (wide(0) - 1));
            let above = match (part(0).mask & sign != 0, part(0).value & sign != 0) {
                (false, _) => return part(0),
                (true, negative) => (all & !inner, u64::from(negative).wrapping_neg()),
            };
            Known::of(part(0).mask | above.0, part(0).value | (above.0 & above.1))
        }
        Op::Ite => part(1).agreed(part(2)),
        // Below the first bit that is not known, carries are.
        Op::Add => {
            let both = part(0).mask & part(1).mask;
            let sure = low(both.trailing_ones()) & all;
            Known::of(sure, part(0).value.wrapping_add(part(1).value))
        }
        // A shift to the left is written as a product.
        Op::Mul => match (0..2).find_map(|i| Some((power(terms, children[i].0)?, 1 - i))) {
            Some((by, i)) => Known::of(((part(i).mask << by) | low(by)) & all, part(i).value << by),
            None => {
                let sure = low((part(0).mask & part(1).mask).trailing_ones()) & all;
                Known::of(sure, part(0).value.wrapping_mul(part(1).value))
            }
        },
        _ => Known::default(),
    }
}

/// The power of two that a term is.
fn power(terms: &Terms, t: Term) -> Option<u32> {
    let value = terms.as_u64(t).filter(|v| v.is_power_of_two())?;
    Some(value.trailing_zeros())
}

/// The bits of variables that some bits of terms depend on: of arrays, those of their elements.
#[derive(Default)]
pub struct Demand(pub FxHashMap<Term, u64>);

impl Demand {
    /// What these bits of a term depend on; for a condition, any of them.
    pub fn ask(&mut self, terms: &Terms, root: Term, bits: u64) {
        let mut asked: FxHashMap<Term, u64> = FxHashMap::default();
        asked.insert(root, bits);
        // Backwards, a term comes before its parts.
        for t in terms.post_order(&[root]).into_iter().rev() {
            let bits = asked.get(&t).copied().unwrap_or(0);
            if bits == 0 {
                continue;
            }
            if terms.op(t) == Op::Var {
                *self.0.entry(t).or_default() |= bits;
            }
            for (i, &child) in terms.children(t).iter().enumerate() {
                let more = passed(terms, t, i, bits);
                *asked.entry(child).or_default() |= more;
            }
        }
    }
}

/// The bits of a part that some bits of a term depend on.
fn passed(terms: &Terms, t: Term, part: usize, bits: u64) -> u64 {
    let children = terms.children(t);
    let child = children[part];
    let own = width(terms, child).map_or(u64::MAX, low);
    let constant = |i: usize| children.get(i).and_then(|&c| terms.as_u64(c));
    let passed = match terms.op(t) {
        Op::BvAnd => constant(1 - part).map_or(bits, |mask| bits & mask),
        Op::BvOr => constant(1 - part).map_or(bits, |set| bits & !set),
        Op::BvXor | Op::BvNot => bits,
        Op::Shl if part == 0 => match constant(1) {
            Some(by) if by < 64 => bits >> by,
            _ => own,
        },
        Op::Lshr if part == 0 => match constant(1) {
            Some(by) if by < 64 => bits << by,
            _ => own,
        },
        Op::Concat => {
            let by = terms.width(children[1]);
            match part {
                0 => bits.checked_shr(by).unwrap_or(0),
                _ => bits & low(by),
            }
        }
        Op::Extract => bits.checked_shl(terms.bounds(t).1).unwrap_or(u64::MAX),
        Op::Zext => bits & own,
        Op::Sext if bits & !own == 0 => bits,
        Op::Ite if part > 0 => bits,
        Op::Mul => match power(terms, children[1 - part]) {
            Some(by) => bits >> by,
            None => low(64 - bits.leading_zeros()),
        },
        // Carries only go up.
        Op::Add | Op::Neg => low(64 - bits.leading_zeros()),
        Op::Select if part == 0 => bits,
        Op::Store if part != 1 => bits,
        _ => own,
    };
    passed & own
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `state : 3` above four other bits, as a compiler reads and writes it.
    fn read(terms: &mut Terms, word: Term) -> Term {
        let (by, mask) = (terms.bv(4, 32), terms.bv(7, 32));
        let shifted = terms.lshr(word, by);
        terms.bv_and(shifted, mask)
    }

    fn written(terms: &mut Terms, word: Term, value: Term) -> Term {
        let (by, mask, rest) = (terms.bv(4, 32), terms.bv(7, 32), terms.bv(!0x70, 32));
        let value = terms.bv_and(value, mask);
        let (value, rest) = (terms.shl(value, by), terms.bv_and(word, rest));
        terms.bv_or(rest, value)
    }

    #[test]
    fn a_field_is_known_where_its_word_is_not() {
        let mut terms = Terms::new();
        let word = terms.var("word", Sort::BitVec(32));
        let other = terms.var("other", Sort::BitVec(32));
        let five = terms.bv(5, 32);
        let new = written(&mut terms, word, five);
        let (_, known) = Folding::default().fold(&mut terms, new);
        assert_eq!((known.mask, known.value), (0x70, 0x50));
        // What is kept of it is enough to read the field again, also behind a write of another.
        let kept = partly(&mut terms, word, known);
        let read = read(&mut terms, kept);
        assert_eq!(Folding::default().fold(&mut terms, read).0, five);
        let low_bits = terms.bv(0xf, 32);
        let (rest, low_bits) = (terms.bv(!0xf, 32), terms.bv_and(other, low_bits));
        let rest = terms.bv_and(kept, rest);
        let changed = terms.bv_or(rest, low_bits);
        let (_, known) = Folding::default().fold(&mut terms, changed);
        assert_eq!((known.mask, known.value), (0x70, 0x50));
    }

    #[test]
    fn conditions_are_decided_by_bits() {
        let mut terms = Terms::new();
        let word = terms.var("word", Sort::BitVec(32));
        let kept = partly(&mut terms, word, Known::of(0x70, 0x50));
        let field = read(&mut terms, kept);
        let six = terms.bv(6, 32);
        let (same, less) = (terms.eq(field, six), terms.ult(field, six));
        assert_eq!(Folding::default().fold(&mut terms, same).0, terms.fals());
        assert_eq!(Folding::default().fold(&mut terms, less).0, terms.tru());
        let all = terms.bv(0x50, 32);
        let open = terms.eq(kept, all);
        let folded = Folding::default().fold(&mut terms, open).0;
        assert_eq!(terms.as_bool(folded), None);
    }

    #[test]
    fn a_condition_asks_for_its_own_bits() {
        let mut terms = Terms::new();
        let word = terms.var("word", Sort::BitVec(32));
        let field = read(&mut terms, word);
        let two = terms.bv(2, 32);
        let condition = terms.eq(field, two);
        let mut demand = Demand::default();
        demand.ask(&terms, condition, 1);
        assert_eq!(demand.0[&word], 0x70);
        // Who asks for the field behind a write of it does not ask for the word before.
        let new = written(&mut terms, word, two);
        let mut demand = Demand::default();
        demand.ask(&terms, new, 0x70);
        assert_eq!(demand.0.get(&word).copied().unwrap_or(0), 0);
    }

    /// Every answer agrees with plain numbers, for words of four bits.
    #[test]
    fn known_bits_are_what_they_are() {
        let mut terms = Terms::new();
        let (a, b) = (
            terms.var("a", Sort::BitVec(4)),
            terms.var("b", Sort::BitVec(4)),
        );
        let one = terms.bv(1, 4);
        let made = [
            terms.add(a, b),
            terms.bv_and(a, b),
            terms.bv_or(a, b),
            terms.bv_xor(a, b),
            terms.shl(a, one),
            terms.lshr(a, one),
            terms.mul(a, b),
            terms.ult(a, b),
            terms.ule(a, b),
            terms.eq(a, b),
        ];
        let (wide, wider) = (terms.zext(a, 8), terms.sext(b, 8));
        let made = made
            .into_iter()
            .chain([terms.add(wide, wider), terms.concat(a, b)]);
        let made: Vec<Term> = made.collect();
        for mask in 0..16 {
            for value in (0..16).filter(|v| v & !mask == 0) {
                let known = Known::of(mask, value);
                let kept = partly(&mut terms, a, known);
                for x in (0..16u64).filter(|x| x & mask == value) {
                    for y in [0, 3, 9, 15] {
                        let (x_term, y_term) = (terms.bv(x.into(), 4), terms.bv(y, 4));
                        for &t in &made {
                            let exact = terms.replace(t, a, x_term);
                            let exact = terms.replace(exact, b, y_term);
                            let open = terms.replace(t, a, kept);
                            let open = terms.replace(open, b, y_term);
                            let (folded, known) = Folding::default().fold(&mut terms, open);
                            if let Some(said) = terms.as_bool(folded) {
                                assert_eq!(Some(said), terms.as_bool(exact));
                            }
                            if let Some(number) = terms.as_u64(exact) {
                                assert_eq!(number & known.mask, known.value);
                            }
                        }
                    }
                }
            }
        }
    }
}
