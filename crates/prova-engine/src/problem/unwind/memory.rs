//! Memory as plain values where addresses are known.
//!
//! A cell whose address is an object and a constant inside it is a value of its own: two such cells
//! never overlap, so reading one that was written costs nothing, and a small buffer is so many
//! variables. What is written to other addresses may be any of the known cells, or lie outside of
//! them: each cell then holds what it held or what was written, whichever the address says, and an
//! array below remembers the write for addresses that no cell is known of.

use super::values::Values;
use prova_logic::{Op, Term, Terms};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A read that may be of more cells than this is left to the solver's arrays.
const MOST_CELLS: usize = 300;

/// The contents of a memory class.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Values by address, each inside an object and constant.
    cells: Rc<BTreeMap<Term, Term>>,
    /// What all other addresses hold.
    below: Term,
}

impl Memory {
    /// All of it in an array.
    pub fn of(array: Term) -> Memory {
        Memory {
            cells: Rc::default(),
            below: array,
        }
    }

    /// Whether an address differs in every run from all cells that are not it: all are places in
    /// objects, or all are constants.
    fn has_room_for(&self, terms: &Terms, address: Term) -> bool {
        let constant = terms.is_const(address);
        let first = self.cells.keys().next();
        (constant || is_place(terms, address))
            && first.is_none_or(|&c| terms.is_const(c) == constant)
    }

    /// The cells that an address may be.
    fn met(&self, terms: &mut Terms, values: &mut Values, address: Term) -> Vec<(Term, Term)> {
        let mut met = Vec::new();
        for (&cell, &value) in &*self.cells {
            if values.may_equal(terms, cell, address) {
                met.push((cell, value));
            }
        }
        met
    }

    /// The value at an address.
    pub fn read(&self, terms: &mut Terms, values: &mut Values, address: Term) -> Term {
        if let Some(&value) = self.cells.get(&address) {
            return value;
        }
        if self.has_room_for(terms, address) {
            return below(terms, values, self.below, address);
        }
        let met = self.met(terms, values, address);
        if met.len() > MOST_CELLS {
            let array = self.array(terms);
            return terms.select(array, address);
        }
        // If the address can only be one of these cells, the last of them needs no question.
        let mut met = met.into_iter().rev();
        let all_known = values.all_among(terms, address, &self.cells);
        let mut value = match all_known.then(|| met.next()).flatten() {
            Some((_, value)) => value,
            None => below(terms, values, self.below, address),
        };
        for (cell, held) in met {
            let here = terms.eq(cell, address);
            value = terms.ite(here, held, value);
        }
        value
    }

    /// Writes a value.
    pub fn write(&mut self, terms: &mut Terms, values: &mut Values, address: Term, value: Term) {
        if self.has_room_for(terms, address) {
            Rc::make_mut(&mut self.cells).insert(address, value);
            return;
        }
        for (cell, held) in self.met(terms, values, address) {
            let here = terms.eq(cell, address);
            let now = terms.ite(here, value, held);
            Rc::make_mut(&mut self.cells).insert(cell, now);
        }
        if !values.all_among(terms, address, &self.cells) {
            self.below = terms.store(self.below, address, value);
        }
    }

    /// All of it as one array.
    pub fn array(&self, terms: &mut Terms) -> Term {
        let mut array = self.below;
        for (&cell, &value) in &*self.cells {
            array = terms.store(array, cell, value);
        }
        array
    }

    /// This where a condition holds, and another one where it does not.
    pub fn or(
        &self,
        terms: &mut Terms,
        values: &mut Values,
        condition: Term,
        other: &Memory,
    ) -> Memory {
        let same = Rc::ptr_eq(&self.cells, &other.cells);
        if same && self.below == other.below {
            return self.clone();
        }
        let mut cells = (*self.cells).clone();
        if let (Some(ours), Some(theirs)) = (self.cells.keys().next(), other.cells.keys().next()) {
            if terms.is_const(*ours) != terms.is_const(*theirs) {
                let (ours, theirs) = (self.array(terms), other.array(terms));
                return Memory::of(terms.ite(condition, ours, theirs));
            }
        }
        if !same {
            for (&cell, &theirs) in &*other.cells {
                let ours = match self.cells.get(&cell) {
                    Some(&ours) if ours == theirs => continue,
                    Some(&ours) => ours,
                    None => below(terms, values, self.below, cell),
                };
                cells.insert(cell, terms.ite(condition, ours, theirs));
            }
            for (&cell, &ours) in &*self.cells {
                if !other.cells.contains_key(&cell) {
                    let theirs = below(terms, values, other.below, cell);
                    cells.insert(cell, terms.ite(condition, ours, theirs));
                }
            }
        }
        Memory {
            cells: Rc::new(cells),
            below: terms.ite(condition, self.below, other.below),
        }
    }
}

/// Whether an address is an object's with a constant that stays inside it.
fn is_place(terms: &Terms, address: Term) -> bool {
    let (base, offset) = match (terms.op(address), terms.children(address)) {
        (Op::Add, &[base, offset]) => (base, terms.as_u64(offset)),
        _ => (address, Some(0)),
    };
    match (terms.object(base), offset) {
        (Some(object), Some(offset)) => offset < object.size,
        _ => false,
    }
}

/// What an array holds at an address: through what was written, and both sides where ways met.
fn below(terms: &mut Terms, values: &mut Values, array: Term, address: Term) -> Term {
    // Along the chain first, then back with what was found at its end.
    let mut written = Vec::new();
    let mut at = array;
    loop {
        match (terms.op(at), terms.children(at)) {
            (Op::Store, &[under, index, value]) => {
                at = under;
                match terms.decide_eq(index, address) {
                    Some(false) => {}
                    Some(true) => return back(terms, written, value),
                    None if !values.may_equal(terms, index, address) => {}
                    None => {
                        let here = terms.eq(index, address);
                        written.push((here, value));
                    }
                }
            }
            (Op::Ite, &[condition, yes, no]) => {
                if let Some(known) = values.read_before(at, address) {
                    return back(terms, written, known);
                }
                let yes = below(terms, values, yes, address);
                let no = below(terms, values, no, address);
                let value = terms.ite(condition, yes, no);
                values.remember_read(at, address, value);
                return back(terms, written, value);
            }
            _ => {
                let first = terms.select(at, address);
                return back(terms, written, first);
            }
        }
    }
}

fn back(terms: &mut Terms, written: Vec<(Term, Term)>, found: Term) -> Term {
    let ways = written.into_iter().rev();
    ways.fold(found, |other, (here, value)| terms.ite(here, value, other))
}
