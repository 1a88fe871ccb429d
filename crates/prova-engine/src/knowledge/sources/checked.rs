//! What a program checks and what its stores leave, as invariants of its loops: the conditions that
//! keep it from its errors, cells that hold what was put into them, how a pointer lies to another
//! (`p == q + v`), and that a size in a wide number is so many times a narrow one. A loop that walks to the end of a text needs all three: the terminator is where it was
//! put, the pointer is as far from the start as its ghost says, and that is less than the size.
//!
//! The conditions of a program as candidates are the first of all templates (Flanagan and Leino,
//! *Houdini, an Annotation Assistant for ESC/Java*, FME 2001, section 3). Nothing here is believed
//! before Houdini keeps it.

use super::states::{bases, collect, sample, states, watched};
use super::{Generalise, View};
use crate::problem::blocks::Cutpoint;
use prova_logic::{Op, Sort, Term, Terms, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Conditions and cells larger than this, in nodes, are not tried.
const LARGEST: usize = 24;
/// Candidates of each kind at a cutpoint.
const MOST: usize = 40;
/// Numbers below this are no addresses.
const LOWEST_ADDRESS: u64 = 0x1000;

/// Elements are not larger than this.
const LARGEST_FACTOR: i64 = 4096;

/// What is checked, and what stores leave.
#[derive(Debug, Default)]
pub struct Checked;

impl Generalise for Checked {
    fn name(&self) -> &'static str {
        "checks"
    }

    fn candidates(&mut self, view: &mut View) -> Vec<Vec<Term>> {
        let conditions = conditions(view);
        let cells = cells(view);
        let variables = variables(view);
        let bases = bases(view.terms, &view.steps.transitions);
        let mut candidates = vec![Vec::new(); view.steps.blocks.locations.len()];
        for (index, slot) in candidates.iter_mut().enumerate().skip(1) {
            let cutpoint = Cutpoint(index as u32);
            if view.steps.blocks.errors.contains(&cutpoint) {
                continue;
            }
            let rows = states(view, cutpoint);
            let hold = |tried: &[Term]| -> Vec<Term> {
                let holds = |t: &Term, s| view.forest.evaluate(view.terms, s, *t);
                let holds = |t: &&Term| rows.iter().all(|&s| holds(t, s) == Value::Bool(true));
                tried.iter().filter(holds).take(MOST).copied().collect()
            };
            if rows.is_empty() {
                continue;
            }
            *slot = hold(&conditions);
            slot.extend(hold(&cells));
            let all = [&variables[..], &bases].concat();
            let samples = sample(view, cutpoint, &all);
            let columns: Vec<Vec<u64>> = (0..all.len())
                .map(|i| samples.rows.iter().map(|r| r[i]).collect())
                .collect();
            slot.extend(distances(view.terms, &all, variables.len(), &columns));
            slot.extend(multiples(view.terms, &variables, &columns));
        }
        candidates
    }
}

/// What keeps the program from its errors: each part of a condition that leads there, negated.
fn conditions(view: &mut View) -> Vec<Term> {
    let blocks = &view.steps.blocks;
    let mut parts: BTreeSet<(usize, Term)> = BTreeSet::new();
    for id in blocks.ids() {
        if !blocks.errors.contains(&blocks.block(id).target) {
            continue;
        }
        for &part in &view.steps.transitions.get(id).transfer.guard {
            parts.insert((view.terms.size(part), part));
        }
    }
    let mut found = Vec::new();
    for (size, part) in parts {
        if size <= LARGEST {
            let not = view.terms.not(part);
            // A conjunction is kept in parts.
            match view.terms.op(not) {
                Op::And => found.extend(view.terms.children(not)),
                _ => found.push(not),
            }
        }
    }
    found.dedup();
    found
}

/// Cells that hold what a step put into them.
fn cells(view: &mut View) -> Vec<Term> {
    let mut stores: BTreeSet<(Term, Term, Term)> = BTreeSet::new();
    for (_, transition) in view.steps.transitions.all() {
        for &(memory, value) in &transition.transfer.updates {
            if !matches!(view.terms.sort(memory), Sort::Array { .. }) {
                continue;
            }
            let mut now = value;
            while view.terms.op(now) == Op::Store {
                let [array, index, stored] = view.terms.children(now)[..] else {
                    break;
                };
                if view.terms.op(stored) == Op::BvConst && view.terms.size(index) <= LARGEST {
                    stores.insert((memory, index, stored));
                }
                now = array;
            }
        }
    }
    let stores = stores.into_iter();
    let cell = |(memory, index, stored)| {
        let read = view.terms.select(memory, index);
        view.terms.eq(read, stored)
    };
    stores.map(cell).collect()
}

/// Variables of conditions that lead to errors, and of addresses.
fn variables(view: &View) -> Vec<Term> {
    let terms = &*view.terms;
    let mut seeds: BTreeSet<Term> = BTreeSet::new();
    let blocks = &view.steps.blocks;
    for (id, transition) in view.steps.transitions.all() {
        let transfer = &transition.transfer;
        if blocks.errors.contains(&blocks.block(id).target) {
            collect(terms, &transfer.guard, &mut seeds);
        }
        let values = transfer.updates.iter().map(|u| u.1);
        let roots: Vec<Term> = transfer.guard.iter().copied().chain(values).collect();
        for t in terms.post_order(&roots) {
            if matches!(terms.op(t), Op::Select | Op::Store) {
                collect(terms, &[terms.children(t)[1]], &mut seeds);
            }
        }
    }
    let seeds: Vec<Term> = seeds.into_iter().collect();
    watched(terms, &view.steps.transitions, &seeds)
}

/// `p == q + v`, where `q` is an address: a variable or, from `own` on, an object's.
fn distances(terms: &mut Terms, all: &[Term], own: usize, columns: &[Vec<u64>]) -> Vec<Term> {
    let mut at: FxHashMap<&[u64], Vec<usize>> = FxHashMap::default();
    for (i, column) in columns.iter().enumerate() {
        if column.iter().all(|&a| a >= LOWEST_ADDRESS) {
            at.entry(column).or_default().push(i);
        }
    }
    let addresses: Vec<usize> = at.values().flatten().copied().collect();
    let addresses: BTreeSet<usize> = addresses.into_iter().filter(|&i| i < own).collect();
    let mut found = Vec::new();
    for &p in &addresses {
        for v in 0..own {
            let constant = columns[v].iter().all(|x| *x == columns[v][0]);
            if v == p || constant || terms.sort(all[v]) != terms.sort(all[p]) {
                continue;
            }
            let pairs = columns[p].iter().zip(&columns[v]);
            let mask = match terms.width(all[p]) {
                width if width < 64 => (1 << width) - 1,
                _ => u64::MAX,
            };
            let far: Vec<u64> = pairs.map(|(a, b)| a.wrapping_sub(*b) & mask).collect();
            for &q in at.get(&far[..]).map_or(&[][..], Vec::as_slice) {
                if q == p || q == v || terms.sort(all[q]) != terms.sort(all[p]) {
                    continue;
                }
                if found.len() < MOST {
                    let sum = terms.add(all[q], all[v]);
                    found.push(terms.eq(all[p], sum));
                }
            }
        }
    }
    found
}

/// `v == w * k`, where `w` has fewer bits: a size that a number of elements gives.
fn multiples(terms: &mut Terms, variables: &[Term], columns: &[Vec<u64>]) -> Vec<Term> {
    let mut found = Vec::new();
    for (v, &wide) in variables.iter().enumerate() {
        for (w, &narrow) in variables.iter().enumerate() {
            let (Sort::BitVec(bits), Sort::BitVec(fewer)) = (terms.sort(wide), terms.sort(narrow))
            else {
                continue;
            };
            let varies = columns[w].iter().any(|x| *x != columns[w][0]);
            if fewer >= bits || fewer < 16 || !varies || found.len() == MOST {
                continue;
            }
            let shift = 64 - fewer;
            let signed = |x: u64| ((x << shift) as i64) >> shift;
            let rows = || columns[v].iter().zip(&columns[w]);
            let Some(factor) = rows().find_map(|(&a, &b)| match signed(b) {
                0 => None,
                b => (a as i64).checked_div(b),
            }) else {
                continue;
            };
            let fits = |(&a, &b): (&u64, &u64)| a as i64 == signed(b).wrapping_mul(factor);
            if (1..=LARGEST_FACTOR).contains(&factor) && rows().all(fits) {
                let extended = terms.sext(narrow, bits);
                let by = terms.bv(factor as u128, bits);
                let product = terms.mul(extended, by);
                found.push(terms.eq(wide, product));
            }
        }
    }
    found
}
