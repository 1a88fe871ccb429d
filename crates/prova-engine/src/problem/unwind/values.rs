//! The few constants that a term can be: behind an `if` a counter is one of two numbers, and a
//! comparison or an address made from it is decided although it is no constant.
//!
//! What would be unsound: a value that is left out. So whatever is not understood may be anything.

use prova_logic::{Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A term that may be more numbers than this may be any.
const MOST: usize = 80;
/// Terms are looked into so deep.
const DEEP: u32 = 60;

/// What terms can be, as far as somebody asked.
#[derive(Default)]
pub struct Values {
    sets: FxHashMap<Term, Option<Rc<[u64]>>>,
    reads: FxHashMap<(Term, Term), Term>,
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

impl Values {
    /// All values that a bit-vector of at most 64 bits can have, in order, if they are few.
    pub fn of(&mut self, terms: &Terms, t: Term) -> Option<Rc<[u64]>> {
        self.within(terms, t, DEEP)
    }

    fn within(&mut self, terms: &Terms, t: Term, deep: u32) -> Option<Rc<[u64]>> {
        let Sort::BitVec(width @ 1..=64) = terms.sort(t) else {
            return None;
        };
        if let Some(n) = terms.as_u64(t) {
            return Some(Rc::from([n]));
        }
        if let Some(known) = self.sets.get(&t) {
            return known.clone();
        }
        if deep == 0 {
            return None;
        }
        let children = terms.children(t).to_vec();
        let mut part = |i: usize| self.within(terms, children[i], deep - 1);
        let found = match terms.op(t) {
            Op::Ite => match (part(1), part(2)) {
                (Some(a), Some(b)) => Some(a.iter().chain(&*b).copied().collect()),
                _ => None,
            },
            Op::Zext => part(0).map(|a| a.to_vec()),
            Op::Sext => {
                let from = terms.width(children[0]);
                let extend = |n: &u64| (((*n << (64 - from)) as i64) >> (64 - from)) as u64;
                part(0).map(|a| a.iter().map(extend).collect())
            }
            Op::Extract => {
                let low = terms.bounds(t).1;
                part(0).map(|a| a.iter().map(|n| n >> low).collect())
            }
            Op::Neg => part(0).map(|a| a.iter().map(|n| n.wrapping_neg()).collect()),
            Op::BvNot => part(0).map(|a| a.iter().map(|n| !n).collect()),
            op @ (Op::Add | Op::Mul | Op::BvAnd | Op::BvOr | Op::BvXor | Op::Shl | Op::Lshr)
                if children.len() == 2 =>
            {
                match (part(0), part(1)) {
                    (Some(a), Some(b)) if a.len() * b.len() <= MOST * 4 => {
                        let pairs = a.iter().flat_map(|&x| b.iter().map(move |&y| (x, y)));
                        Some(pairs.map(|(x, y)| applied(op, x, y, width)).collect())
                    }
                    _ => None,
                }
            }
            Op::Concat if children.len() == 2 => {
                let low = terms.width(children[1]);
                match (part(0), part(1)) {
                    (Some(a), Some(b)) if a.len() * b.len() <= MOST * 4 => {
                        let pairs = a.iter().flat_map(|&x| b.iter().map(move |&y| (x, y)));
                        Some(pairs.map(|(x, y)| (x << low) | y).collect())
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        let found: Option<Rc<[u64]>> = found.and_then(|mut all: Vec<u64>| {
            all.iter_mut().for_each(|n| *n &= mask(width));
            all.sort_unstable();
            all.dedup();
            (all.len() <= MOST).then(|| all.into())
        });
        self.sets.insert(t, found.clone());
        found
    }

    /// A comparison that the possible values decide, or as it is.
    pub fn decided(&mut self, terms: &Terms, t: Term) -> Term {
        let op = terms.op(t);
        if !matches!(op, Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::Eq) {
            return t;
        }
        let (a, b) = (terms.children(t)[0], terms.children(t)[1]);
        let Sort::BitVec(width @ 1..=64) = terms.sort(a) else {
            return t;
        };
        let (Some(a), Some(b)) = (self.of(terms, a), self.of(terms, b)) else {
            return t;
        };
        let signed = |n: u64| ((n << (64 - width)) as i64) >> (64 - width);
        let holds = |x: u64, y: u64| match op {
            Op::Ult => x < y,
            Op::Ule => x <= y,
            Op::Slt => signed(x) < signed(y),
            Op::Sle => signed(x) <= signed(y),
            _ => x == y,
        };
        let mut pairs = a.iter().flat_map(|&x| b.iter().map(move |&y| (x, y)));
        let Some(first) = pairs.next().map(|(x, y)| holds(x, y)) else {
            return t;
        };
        match pairs.all(|(x, y)| holds(x, y) == first) {
            true => terms.bool_const(first),
            false => t,
        }
    }

    /// Whether two addresses may be the same, as far as their shapes and values tell.
    pub fn may_equal(&mut self, terms: &mut Terms, a: Term, b: Term) -> bool {
        if let Some(decided) = terms.decide_eq(a, b) {
            return decided;
        }
        match (self.places(terms, a), self.places(terms, b)) {
            (Some((x, at)), Some((y, other))) if x == y => {
                at.iter().any(|n| other.binary_search(n).is_ok())
            }
            // Both stay inside of different objects.
            (Some((x, at)), Some((y, other))) => {
                !(stays_inside(terms, x, &at) && stays_inside(terms, y, &other))
            }
            _ => true,
        }
    }

    /// An address as an object and its possible offsets.
    fn places(&mut self, terms: &Terms, address: Term) -> Option<(Term, Rc<[u64]>)> {
        if terms.object(address).is_some() {
            return Some((address, Rc::from([0])));
        }
        // Sums lean to the left: the base is the first of all summands.
        let width = terms.width(address);
        let (mut base, mut all): (Term, Rc<[u64]>) = (address, Rc::from([0u64]));
        while let (Op::Add, &[rest, summand]) = (terms.op(base), terms.children(base)) {
            let (rest, summand) = match terms.object(summand) {
                Some(_) => (summand, rest),
                None => (rest, summand),
            };
            let more = self.of(terms, summand)?;
            if more.len() * all.len() > MOST * 4 {
                return None;
            }
            let sums = all
                .iter()
                .flat_map(|x| more.iter().map(|y| x.wrapping_add(*y)));
            let mut sums: Vec<u64> = sums.map(|n| n & mask(width)).collect();
            sums.sort_unstable();
            sums.dedup();
            all = sums.into();
            base = rest;
        }
        terms.object(base).is_some().then_some((base, all))
    }

    /// Whether an address can be nothing but one of these.
    pub fn all_among(
        &mut self,
        terms: &mut Terms,
        address: Term,
        cells: &BTreeMap<Term, Term>,
    ) -> bool {
        let Some((base, offsets)) = self.places(terms, address) else {
            return false;
        };
        let width = terms.width(address);
        offsets.iter().all(|&offset| {
            let offset = terms.bv(u128::from(offset), width);
            let place = terms.add(base, offset);
            cells.contains_key(&place)
        })
    }

    pub(super) fn read_before(&self, array: Term, address: Term) -> Option<Term> {
        self.reads.get(&(array, address)).copied()
    }

    pub(super) fn remember_read(&mut self, array: Term, address: Term, value: Term) {
        self.reads.insert((array, address), value);
    }
}

fn stays_inside(terms: &Terms, base: Term, offsets: &[u64]) -> bool {
    let size = terms.object(base).map_or(0, |o| o.size);
    offsets.iter().all(|&n| n < size)
}

fn applied(op: Op, x: u64, y: u64, width: u32) -> u64 {
    match op {
        Op::Add => x.wrapping_add(y),
        Op::Mul => x.wrapping_mul(y),
        Op::BvAnd => x & y,
        Op::BvOr => x | y,
        Op::BvXor => x ^ y,
        _ if y >= u64::from(width) => 0,
        Op::Shl => x << y,
        _ => x >> y,
    }
}
