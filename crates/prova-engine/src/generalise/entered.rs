//! What a loop was entered with, as a loop's invariants speak of it: variables that the loop
//! changes are compared with their values from before, and what the program asks of a variable is
//! tried on its value from before. `x - i == x@7` and `(x@7 ^ y) == 85` together give what neither
//! a linear relation of the variables nor any number of steps does.
//!
//! The pass [`prova_ir::passes::entries`] keeps the values; like every candidate these are only
//! believed once Houdini keeps them.

use super::sources::View;
use super::states;
use crate::dash::graph::Cutpoint;
use prova_ir::passes::{Kept, Loops};
use prova_ir::LocId;
use prova_logic::{Op, Substitution, Term, Value};
use std::collections::BTreeSet;

/// Conditions of the program that are tried, at one cutpoint and of one loop.
const MOST: usize = 16;
/// Larger ones are not, in nodes.
const LARGEST: usize = 40;

/// The kept values, by loop.
pub struct Entered {
    by_loop: Vec<(LocId, Vec<Kept>)>,
    loops: Option<Loops>,
}

impl Entered {
    /// Looks at the program.
    pub fn new(view: &View) -> Entered {
        let prepared = view.encoding.prepared;
        let mut by_loop: Vec<(LocId, Vec<Kept>)> = Vec::new();
        for &kept in &prepared.kept {
            match by_loop.last_mut().filter(|l| l.0 == kept.head) {
                Some((_, list)) => list.push(kept),
                None => by_loop.push((kept.head, vec![kept])),
            }
        }
        let loops = (!by_loop.is_empty()).then(|| Loops::of(prepared.body()));
        Entered { by_loop, loops }
    }

    /// Loops that every run to a cutpoint has entered.
    fn before(&self, view: &View, cutpoint: Cutpoint) -> impl Iterator<Item = &[Kept]> {
        let at = view.blocks.locations[cutpoint.index()];
        self.by_loop.iter().filter_map(move |(head, kept)| {
            let loops = self.loops.as_ref()?;
            loops.dominates(*head, at?).then_some(&kept[..])
        })
    }

    /// The kept values of the variables that are watched.
    pub fn values(&self, view: &View, cutpoint: Cutpoint, watched: &[Term]) -> Vec<Term> {
        let register = &view.encoding.vars.register;
        let kept = self.before(view, cutpoint).flatten();
        let kept = kept.filter(|k| watched.contains(&register[k.variable.index()]));
        kept.map(|k| register[k.entry.index()]).collect()
    }

    /// What the program asks of variables, said of their kept values; before any of the loops, of
    /// the variables themselves. Only what no test refutes.
    pub fn said_before(&self, view: &mut View, cutpoint: Cutpoint) -> Vec<Term> {
        let mut found: Vec<Term> = Vec::new();
        let states = states(view.graph, cutpoint);
        if self.by_loop.is_empty() || states.is_empty() {
            return found;
        }
        let behind: Vec<&[Kept]> = self.before(view, cutpoint).collect();
        let all = self.by_loop.iter().map(|(_, kept)| &kept[..]);
        let ahead: Vec<&[Kept]> = all.filter(|_| behind.is_empty()).collect();
        let said = atoms(view);
        let register = &view.encoding.vars.register;
        let terms = &mut view.transitions.terms;
        for kept in behind.iter().chain(&ahead) {
            let mut values = Substitution::new();
            for k in *kept {
                let [variable, entry] = [k.variable, k.entry].map(|r| register[r.index()]);
                values.insert(terms, variable, entry);
            }
            let mut tried = 0;
            for &atom in &said {
                let before = terms.substitute(atom, &mut values);
                if before == atom || tried == MOST {
                    continue;
                }
                tried += 1;
                let now = if behind.is_empty() { atom } else { before };
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
    let terms = &view.transitions.terms;
    let mut seen = BTreeSet::new();
    let mut atoms = BTreeSet::new();
    let transitions = view.transitions.all();
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
