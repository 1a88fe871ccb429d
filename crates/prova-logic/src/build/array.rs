//! Arrays: read-over-write and write-over-write where indices are decided by their shape.

use crate::sort::Sort;
use crate::term::{Op, Term};
use crate::terms::Terms;

/// How many stores a read looks through. Beyond it the read stays on top of the chain.
const DEPTH: usize = 64;

impl Terms {
    /// The array that holds `value` at every index of the given width.
    pub fn const_array(&mut self, index: u32, value: Term) -> Term {
        let element = self.width(value);
        self.mk(Op::ConstArray, Sort::Array { index, element }, &[value])
    }

    /// Whether two indices are equal, if their shapes decide it.
    pub fn decide_eq(&mut self, a: Term, b: Term) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        // The common cases, with no term made: constants, and offsets from one base.
        if self.is_const(a) && self.is_const(b) {
            return Some(false);
        }
        if self.width(a) <= 64 {
            let ((x, c), (y, d)) = (self.split_offset(a), self.split_offset(b));
            if x == y {
                return Some(c == d);
            }
            if self.distinct_objects(a, b) {
                return Some(false);
            }
        }
        let same = self.eq(a, b);
        self.as_bool(same)
    }

    fn array_widths(&self, array: Term) -> (u32, u32) {
        match self.sort(array) {
            Sort::Array { index, element } => (index, element),
            other => panic!("an array was expected, not a term of sort {other}"),
        }
    }

    /// The element at an index.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let (index_width, element) = self.array_widths(array);
        assert_eq!(self.width(index), index_width, "index of the wrong width");
        let mut array = array;
        for _ in 0..DEPTH {
            match self.op(array) {
                Op::ConstArray => return self.child(array, 0),
                Op::Store => match self.decide_eq(self.child(array, 1), index) {
                    Some(true) => return self.child(array, 2),
                    Some(false) => array = self.child(array, 0),
                    None => break,
                },
                _ => break,
            }
        }
        self.mk(Op::Select, Sort::BitVec(element), &[array, index])
    }

    /// The array with one element replaced.
    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        let (index_width, element) = self.array_widths(array);
        assert_eq!(self.width(index), index_width, "index of the wrong width");
        assert_eq!(self.width(value), element, "element of the wrong width");
        let mut array = array;
        // Writing back what is there changes nothing.
        if self.op(value) == Op::Select
            && self.child(value, 0) == array
            && self.child(value, 1) == index
        {
            return array;
        }
        if self.op(array) == Op::Store && self.child(array, 1) == index {
            array = self.child(array, 0);
        }
        if self.op(array) == Op::ConstArray && self.child(array, 0) == value {
            return array;
        }
        self.mk(
            Op::Store,
            Sort::Array {
                index: index_width,
                element,
            },
            &[array, index, value],
        )
    }
}
