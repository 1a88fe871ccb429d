//! Invariant candidates about addresses. In a test an address is a number; what holds in every run
//! is how it lies to the objects and to other pointers: inside one object, at a stride, at or
//! before another pointer there, at one of a few places, not null.

use super::mine::Samples;
use prova_logic::{Sort, Term, Terms};
use std::collections::BTreeSet;

/// A pointer that can only be at so many places is said to be at one of these.
const FEW_PLACES: usize = 4;
/// More pointers into one object than this are not compared with each other.
const COMPARED: usize = 12;

/// Candidates that all rows satisfy; `bases` has the addresses of objects in the same states.
pub fn pointers(terms: &mut Terms, samples: &Samples, bases: &Samples) -> Vec<Term> {
    let mut found = Vec::new();
    let mut inside: Vec<(Term, Inside)> = Vec::new();
    for (i, &variable) in samples.variables.iter().enumerate() {
        let places: Vec<Place> = (samples.rows.iter().zip(&bases.rows))
            .map(|(row, bases_at)| place(terms, variable, row[i], bases, bases_at))
            .collect();
        if !places.iter().any(|p| matches!(p, Place::In { .. })) {
            continue;
        }
        if !places.contains(&Place::Null) {
            let null = terms.bv(0, terms.width(variable));
            found.push(terms.ne(variable, null));
        }
        few_places(terms, variable, &places, &mut found);
        if let Some(one) = Inside::of(&places) {
            one.candidates(terms, variable, &mut found);
            inside.push((variable, one));
        }
    }
    for (k, (a, first)) in inside.iter().enumerate().take(COMPARED) {
        for (b, second) in inside.iter().take(COMPARED).skip(k + 1) {
            if first.base == second.base {
                order(
                    terms,
                    (*a, &first.offsets),
                    (*b, &second.offsets),
                    &mut found,
                );
            }
        }
    }
    found.retain(|&t| terms.as_bool(t).is_none());
    found
}

/// Where an address points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// To no object.
    Null,
    /// Into an object, or right behind it.
    In { base: Term, offset: u64 },
    /// Anywhere else.
    Else,
}

fn place(terms: &Terms, variable: Term, value: u64, bases: &Samples, at: &[u64]) -> Place {
    if terms.sort(variable) == Sort::Bool || value == 0 {
        return Place::Null;
    }
    let mut behind = Place::Else;
    for (&base, &start) in bases.variables.iter().zip(at) {
        let Some(object) = terms.object(base) else {
            continue;
        };
        let offset = value.wrapping_sub(start);
        if terms.sort(variable) != terms.sort(base) || offset > object.size {
            continue;
        }
        let found = Place::In { base, offset };
        // The end of one object may be the start of the next: then this is that.
        if offset < object.size {
            return found;
        }
        behind = found;
    }
    behind
}

/// `p = &a`, or `p = &b + 4`, or null.
fn few_places(terms: &mut Terms, variable: Term, places: &[Place], found: &mut Vec<Term>) {
    let distinct: BTreeSet<Place> = places.iter().copied().collect();
    if distinct.len() > FEW_PLACES || distinct.contains(&Place::Else) {
        return;
    }
    let width = terms.width(variable);
    let mut cases = Vec::new();
    for place in distinct {
        let address = match place {
            Place::In { base, offset } => {
                let offset = terms.bv(u128::from(offset), width);
                terms.add(base, offset)
            }
            _ => terms.bv(0, width),
        };
        cases.push(terms.eq(variable, address));
    }
    found.push(terms.or(&cases));
}

/// A pointer that stays in one object.
struct Inside {
    base: Term,
    offsets: Vec<u64>,
}

impl Inside {
    fn of(places: &[Place]) -> Option<Inside> {
        let Some(&Place::In { base, .. }) = places.first() else {
            return None;
        };
        let offsets: Option<Vec<u64>> = places
            .iter()
            .map(|p| match p {
                Place::In { base: b, offset } if *b == base => Some(*offset),
                _ => None,
            })
            .collect();
        offsets.map(|offsets| Inside { base, offsets })
    }

    /// Bounds of the offset, and its stride.
    fn candidates(&self, terms: &mut Terms, variable: Term, found: &mut Vec<Term>) {
        let width = terms.width(variable);
        let offset = terms.sub(variable, self.base);
        let size = terms.object(self.base).map_or(0, |o| o.size);
        let most = self.offsets.iter().copied().max().unwrap_or(size);
        for bound in BTreeSet::from([most, size]) {
            let bound = terms.bv(u128::from(bound), width);
            found.push(terms.ule(offset, bound));
        }
        let first = self.offsets[0];
        let differences = self.offsets.iter().map(|o| o.wrapping_sub(first));
        // The largest power of two that all differences have: what wrapping keeps.
        let stride = differences.fold(0, |bits, d| bits | d).trailing_zeros();
        if (1..=6).contains(&stride) {
            let low = terms.extract(offset, stride - 1, 0);
            let residue = terms.bv(u128::from(first & ((1 << stride) - 1)), stride);
            found.push(terms.eq(low, residue));
        }
    }
}

/// The order of two pointers into one object.
fn order(terms: &mut Terms, (a, x): (Term, &[u64]), (b, y): (Term, &[u64]), found: &mut Vec<Term>) {
    let all = |holds: fn(&u64, &u64) -> bool| x.iter().zip(y).all(|(p, q)| holds(p, q));
    if all(|p, q| p < q) {
        found.push(terms.ult(a, b));
    }
    if all(|p, q| p > q) {
        found.push(terms.ult(b, a));
    }
    if all(|p, q| p <= q) {
        found.push(terms.ule(a, b));
    }
    if all(|p, q| p >= q) {
        found.push(terms.ule(b, a));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(variables: &[Term], rows: &[&[u64]]) -> Samples {
        Samples {
            variables: variables.to_vec(),
            rows: rows.iter().map(|r| r.to_vec()).collect(),
        }
    }

    #[test]
    fn pointers_into_one_array_are_bounded_ordered_and_at_a_stride() {
        let mut terms = Terms::new();
        let array = terms.object_base("array", 64, 40, 8);
        let (p, q) = (
            terms.var("p", Sort::BitVec(64)),
            terms.var("q", Sort::BitVec(64)),
        );
        // Two runs that place the array differently.
        let pointing = samples(&[p, q], &[&[1000, 1040], &[1008, 1036], &[5008, 5008]]);
        let bases = samples(&[array], &[&[1000], &[1000], &[5000]]);
        let found = pointers(&mut terms, &pointing, &bases);
        let offset = terms.sub(p, array);
        let size = terms.bv(40, 64);
        let zero = terms.bv(0, 64);
        let low = terms.extract(offset, 2, 0);
        let residue = terms.bv(0, 3);
        let expected = [
            terms.ule(offset, size),
            terms.eq(low, residue),
            terms.ule(p, q),
            terms.ne(p, zero),
        ];
        for fact in expected {
            assert!(found.contains(&fact), "{} is missing", terms.display(fact));
        }
        let strict = terms.ult(p, q);
        assert!(!found.contains(&strict), "one row refutes it");
    }

    #[test]
    fn a_pointer_to_different_objects_has_no_bounds_but_few_places() {
        let mut terms = Terms::new();
        let (a, b) = (
            terms.object_base("a", 64, 4, 4),
            terms.object_base("b", 64, 4, 4),
        );
        let p = terms.var("p", Sort::BitVec(64));
        let pointing = samples(&[p], &[&[100], &[200]]);
        let bases = samples(&[a, b], &[&[100, 200], &[100, 200]]);
        let found = pointers(&mut terms, &pointing, &bases);
        let (at_a, at_b) = (terms.eq(p, a), terms.eq(p, b));
        let either = terms.or(&[at_a, at_b]);
        let null = terms.bv(0, 64);
        let not_null = terms.ne(p, null);
        assert_eq!(found, [not_null, either]);
    }

    #[test]
    fn numbers_that_point_nowhere_give_nothing() {
        let mut terms = Terms::new();
        let a = terms.object_base("a", 64, 4, 4);
        let n = terms.var("n", Sort::BitVec(64));
        let numbers = samples(&[n], &[&[0], &[7], &[300]]);
        let bases = samples(&[a], &[&[100], &[100], &[100]]);
        assert!(pointers(&mut terms, &numbers, &bases).is_empty());
    }
}
