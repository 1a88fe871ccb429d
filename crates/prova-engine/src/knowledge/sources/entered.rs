//! What a loop was entered with, as a loop's invariants speak of it: variables that the loop
//! changes are compared with their values from before, and what the program asks of a variable is
//! tried on its value from before. `x - i == x@7` and `(x@7 ^ y) == 85` together give what neither
//! a linear relation of the variables nor any number of steps does.
//!
//! The pass [`mod@prova_ir::passes::entries`] keeps the values; like every candidate these are only
//! believed once Houdini keeps them.

use super::states::states;
use super::View;
use crate::problem::blocks::Cutpoint;
use prova_ir::passes::{Entry, Loops};
use prova_ir::LocId;
use prova_logic::{Op, Substitution, Term, Value};
use std::collections::BTreeSet;

/// Conditions of the program that are tried, at one cutpoint and of one loop.
const MOST: usize = 16;
/// Larger ones are not, in nodes.
const LARGEST: usize = 40;

/// The kept values, by loop.
pub struct Entered {
    by_loop: Vec<(LocId, Vec<Entry>)>,
    loops: Option<Loops>,
    /// What the program asks.
    atoms: Vec<Term>,
}

impl Entered {
    /// Looks at the program.
    pub fn new(view: &View) -> Entered {
        let prepared = &view.problem.prepared;
        let mut by_loop: Vec<(LocId, Vec<Entry>)> = Vec::new();
        for &entry in &prepared.entries {
            match by_loop.last_mut().filter(|l| l.0 == entry.head) {
                Some((_, list)) => list.push(entry),
                None => by_loop.push((entry.head, vec![entry])),
            }
        }
        let loops = (!by_loop.is_empty()).then(|| Loops::of(prepared.body()));
        let atoms = match by_loop.is_empty() {
            true => Vec::new(),
            false => atoms(view),
        };
        Entered {
            by_loop,
            loops,
            atoms,
        }
    }

    /// Loops that every run to a cutpoint has entered.
    fn before(&self, view: &View, cutpoint: Cutpoint) -> impl Iterator<Item = &[Entry]> {
        let at = view.steps.blocks.locations[cutpoint.index()];
        self.by_loop.iter().filter_map(move |(head, entries)| {
            let loops = self.loops.as_ref()?;
            loops.dominates(*head, at?).then_some(&entries[..])
        })
    }

    /// The kept values of the variables that are watched.
    pub fn values(&self, view: &View, cutpoint: Cutpoint, watched: &[Term]) -> Vec<Term> {
        let register = &view.problem.encoding.vars.register;
        let entries = self.before(view, cutpoint).flatten();
        let watched = |e: &&Entry| watched.contains(&register[e.variable.index()]);
        let entries = entries.filter(watched);
        entries.map(|e| register[e.kept.index()]).collect()
    }

    /// What the program asks of variables, said of their kept values; before any of the loops, of
    /// the variables themselves. Only what no test refutes.
    pub fn said_before(&self, view: &mut View, cutpoint: Cutpoint) -> Vec<Term> {
        let mut found: Vec<Term> = Vec::new();
        let states = states(view, cutpoint);
        if self.by_loop.is_empty() || states.is_empty() {
            return found;
        }
        let behind: Vec<&[Entry]> = self.before(view, cutpoint).collect();
        let ahead = behind.is_empty();
        let loops = match ahead {
            true => self.by_loop.iter().map(|l| &l.1[..]).collect(),
            false => behind,
        };
        let register = &view.problem.encoding.vars.register;
        let terms = &mut *view.terms;
        for entries in loops {
            let mut values = Substitution::new();
            for e in entries {
                let [variable, kept] = [e.variable, e.kept].map(|r| register[r.index()]);
                values.insert(terms, variable, kept);
            }
            let mut tried = 0;
            for &atom in &self.atoms {
                let before = terms.substitute(atom, &mut values);
                if before == atom {
                    continue;
                }
                if tried == MOST {
                    break;
                }
                tried += 1;
                let now = if ahead { atom } else { before };
                for candidate in [now, terms.not(now)] {
                    let holds = |s| view.forest.evaluate(terms, s, candidate) == Value::Bool(true);
                    if !found.contains(&candidate) && states.iter().all(|&s| holds(s)) {
                        found.push(candidate);
                    }
                }
            }
        }
        found
    }
}

/// Atoms of the program's conditions, the small ones first.
fn atoms(view: &View) -> Vec<Term> {
    let terms = &*view.terms;
    let mut seen = BTreeSet::new();
    let mut atoms = BTreeSet::new();
    let transitions = view.steps.transitions.all();
    let mut work: Vec<Term> = transitions
        .flat_map(|(_, t)| t.transfer.guard.clone())
        .collect();
    while let Some(t) = work.pop() {
        if !seen.insert(t) {
            continue;
        }
        match terms.op(t) {
            Op::And | Op::Or | Op::Not => work.extend(terms.children(t)),
            _ => drop(atoms.insert((terms.size(t), t))),
        }
    }
    let small = atoms.into_iter().take_while(|a| a.0 <= LARGEST);
    small.map(|a| a.1).collect()
}
