//! Base addresses of objects, and what is known of them without a layout.
//!
//! A base is a variable that is not null and aligned, with `[base, base + size]` not wrapping
//! round, at least `max(size, 1)` bytes away from every other. The simplifier uses these facts;
//! a solver does not know them unless [`Terms::object_axioms`] is asserted beside the query. So
//! a term over bases is equivalent to what was written only under those axioms.

use crate::sort::Sort;
use crate::term::{Op, Term};
use crate::terms::{Object, Terms};
use std::cmp::Ordering;
use std::collections::BTreeSet;

impl Terms {
    /// The base address of an object.
    ///
    /// # Panics
    /// If the name is in use for something else, the width is over 64 bits, or the alignment is
    /// no power of two.
    pub fn object_base(&mut self, name: &str, width: u32, size: u64, align: u64) -> Term {
        assert!(
            width <= 64 && align.is_power_of_two(),
            "{name}: bad width or alignment"
        );
        let object = Object { size, align };
        if let Some(found) = self.find_var(name) {
            let known = self.object(found);
            assert_eq!(known, Some(object), "{name} is already something else");
            assert_eq!(
                self.sort(found),
                Sort::BitVec(width),
                "{name} has two sorts"
            );
            return found;
        }
        self.new_variable(name, Sort::BitVec(width), Some(object))
    }

    /// The object whose base address this variable is.
    pub fn object(&self, t: Term) -> Option<Object> {
        self.variable(t).and_then(|v| v.object)
    }

    /// A base with a constant offset.
    fn object_offset(&self, t: Term) -> Option<(Term, Object, u64)> {
        let (base, offset) = self.split_offset(t);
        self.object(base).map(|object| (base, object, offset))
    }

    /// Whether two addresses, given as the sides of a reduced equation, differ because they lie
    /// in different objects, or one in an object and the other is null.
    pub(super) fn distinct_objects(&self, a: Term, b: Term) -> bool {
        let distinct = |a: Term, b: Term| {
            let Some((base, object, offset)) = self.object_offset(a) else {
                return false;
            };
            let mask = u64::MAX >> (64 - self.width(a));
            if let Some(value) = self.as_u64(b) {
                // base + offset = value, that is base - (value - offset) = 0.
                return offset.wrapping_sub(value) & mask <= object.size;
            }
            match self.object_offset(b) {
                Some((other_base, other, other_offset)) if other_base != base => {
                    let ahead = other_offset.wrapping_sub(offset) & mask;
                    let behind = offset.wrapping_sub(other_offset) & mask;
                    ahead < other.size.max(1) || behind < object.size.max(1)
                }
                _ => false,
            }
        };
        distinct(a, b) || distinct(b, a)
    }

    /// Order of two addresses inside (or one past the end of) one object.
    pub(super) fn compare_in_object(&self, a: Term, b: Term) -> Option<Ordering> {
        let (base, object, x) = self.object_offset(a)?;
        let (other, _, y) = self.object_offset(b)?;
        (base == other && x <= object.size && y <= object.size).then(|| x.cmp(&y))
    }

    /// The object bases free in any of the terms, in order of creation.
    pub fn object_bases_in(&self, terms: &[Term]) -> Vec<Term> {
        let mut bases = BTreeSet::new();
        for variable in self.free_vars_of(terms) {
            if self.object(variable).is_some() {
                bases.insert(variable);
            }
        }
        bases.into_iter().collect()
    }

    /// What is known of these bases, as explicit terms: not null, aligned, not wrapping round,
    /// pairwise disjoint.
    pub fn object_axioms(&mut self, bases: &[Term]) -> Vec<Term> {
        let mut axioms = Vec::new();
        let objects: Vec<(Term, Object)> = bases
            .iter()
            .filter_map(|&b| self.object(b).map(|o| (b, o)))
            .collect();
        for &(base, object) in &objects {
            let width = self.width(base);
            let extent = object.size.max(1);
            // These are made without the constructors, which would use each axiom to turn it
            // into `true` before any solver sees it.
            let zero = self.bv(0, width);
            axioms.push(self.raw_ne(base, zero));
            let zeros = object.align.trailing_zeros().min(width);
            if zeros > 0 {
                let low = self.mk_extract(base, zeros - 1, 0);
                let zero = self.bv(0, zeros);
                axioms.push(self.mk(Op::Eq, Sort::Bool, &[low, zero]));
            }
            let mask = u64::MAX >> (64 - width);
            let last = self.bv(u128::from(mask.saturating_sub(extent)), width);
            axioms.push(self.mk(Op::Ule, Sort::Bool, &[base, last]));
        }
        for (i, &(a, first)) in objects.iter().enumerate() {
            for &(b, second) in &objects[i + 1..] {
                if !self.same_sort(a, b) {
                    continue;
                }
                axioms.push(self.apart(a, first, b, second));
            }
        }
        axioms
    }

    /// The end of one lies at or before the other's base.
    fn apart(&mut self, a: Term, first: Object, b: Term, second: Object) -> Term {
        let width = self.width(a);
        let size = self.bv(u128::from(first.size.max(1)), width);
        let end_of_a = self.add(a, size);
        let size = self.bv(u128::from(second.size.max(1)), width);
        let end_of_b = self.add(b, size);
        let before = self.ule(end_of_a, b);
        let after = self.ule(end_of_b, a);
        self.or2(before, after)
    }

    fn raw_ne(&mut self, a: Term, b: Term) -> Term {
        let same = self.mk(Op::Eq, Sort::Bool, &[a, b]);
        self.not(same)
    }
}
