//! A proof needs less than the search kept: of every state only the values that block a way, and
//! those from which such values are computed further on. Going back through the closed set of
//! states finds them; what is left of the states mostly coincides. The result is checked like the
//! whole, so that a mistake here costs a proof, never the truth.
//!
//! That an arbitrary pointer is aligned is asked of tests, so that they can be run; a proof that says
//! it would have to show it, and whoever checks proofs does not assume it. So it goes first.

use super::domain::States;
use super::state::{ground, State};
use crate::problem::blocks::BlockId;
use crate::problem::transitions::Transitions;
use crate::problem::Steps;
use crate::reach::flow::Flow;
use crate::reach::graph::NodeId;
use prova_logic::{Op, Sort, Substitution, Term, Terms};
use rustc_hash::FxHashSet;

/// Whether a literal says that the lowest bits of a variable are zero.
fn is_alignment(terms: &Terms, literal: Term) -> bool {
    let [a, b] = terms.children(literal)[..] else {
        return false;
    };
    let low = |t: Term| {
        let slice = terms.op(t) == Op::Extract && terms.bounds(t).1 == 0;
        slice && terms.op(terms.children(t)[0]) == Op::Var
    };
    let zero = |t: Term| terms.as_u64(t) == Some(0);
    terms.op(literal) == Op::Eq && ((low(a) && zero(b)) || (low(b) && zero(a)))
}

/// Whether some state says that.
pub fn says_alignment(terms: &Terms, all: &States) -> bool {
    let mut states = all.ids().map(|node| &all[node].state);
    states.any(|s| s.literals.iter().any(|&l| is_alignment(terms, l)))
}

/// The states with the values that their proof needs, and no others; with `aligned`, what they say of
/// the lowest bits of pointers, too.
pub fn slim(terms: &mut Terms, steps: &Steps, flow: &Flow, all: &States, aligned: bool) -> States {
    let needed = needed_keys(terms, &steps.transitions, flow, all);
    let literals = |state: &State| -> Vec<Term> {
        let own = state.literals.iter().copied();
        own.filter(|&l| aligned || !is_alignment(terms, l))
            .collect()
    };
    let states = all.ids().map(|node| {
        let (state, needed) = (&all[node].state, &needed[node.index()]);
        let entries = state.entries.iter().copied();
        State {
            entries: entries.filter(|(key, _)| needed.contains(key)).collect(),
            literals: literals(state),
        }
    });
    // Those that know least come first: they cover the others.
    let size = |s: &State| s.entries.len() + s.literals.len();
    all.with_states(states.collect(), size, State::covers)
}

/// For each state, the variables and cells of which the proof needs the values.
fn needed_keys(
    terms: &mut Terms,
    transitions: &Transitions,
    flow: &Flow,
    all: &States,
) -> Vec<FxHashSet<Term>> {
    let count = all.next().index();
    let mut needed: Vec<FxHashSet<Term>> = vec![FxHashSet::default(); count];
    let mut before: Vec<Vec<NodeId>> = vec![Vec::new(); count];
    for ((node, _), successors) in all.steps() {
        for successor in successors {
            before[successor.index()].push(node);
        }
    }
    let mut waiting = vec![true; count];
    let mut work: Vec<NodeId> = all.ids().collect();
    while let Some(number) = work.pop() {
        waiting[number.index()] = false;
        let node = &all[number];
        let state = &node.state;
        let mut substitution = state.substitution(terms);
        let mut found = needed[number.index()].clone();
        for &block in &flow.outgoing[node.cutpoint.index()] {
            let mut need = |terms: &mut Terms, t: Term| {
                keys_of(terms, state, &mut substitution, t, &mut found);
            };
            let transition = transitions.get(block);
            let guard = transition.transfer.guard.clone();
            let Some(successors) = all.successors((number, block)) else {
                let mut own = state.substitution(terms);
                let closed = guard
                    .iter()
                    .copied()
                    .find(|&g| terms.substitute(g, &mut own) == terms.fals());
                match closed {
                    Some(g) => need(terms, g),
                    None => guard.iter().for_each(|&g| need(terms, g)),
                }
                continue;
            };
            let mut values: Vec<Term> = Vec::new();
            for &successor in successors {
                let behind = &all[successor].state;
                if !behind.literals.is_empty() {
                    values.extend(&guard);
                    for v in terms.free_vars_of(&behind.literals) {
                        values.push(transitions.get(block).update(v));
                    }
                }
                for &(key, _) in &behind.entries {
                    if needed[successor.index()].contains(&key) || successors.len() > 1 {
                        values.extend(computed_from(terms, transitions, block, key));
                    }
                }
            }
            values.sort_unstable();
            values.dedup();
            for value in values {
                need(terms, value);
            }
        }
        if found.len() > needed[number.index()].len() {
            needed[number.index()] = found;
            for &earlier in &before[number.index()] {
                if !std::mem::replace(&mut waiting[earlier.index()], true) {
                    work.push(earlier);
                }
            }
        }
    }
    needed
}

/// Terms before a block that give a key its value behind it.
fn computed_from(terms: &Terms, transitions: &Transitions, block: BlockId, key: Term) -> Vec<Term> {
    if terms.op(key) != Op::Select {
        return vec![transitions.get(block).update(key)];
    }
    // The cell as it was, unless one of the writes is to it.
    let mut found = vec![key];
    let mut at = transitions.get(block).update(terms.children(key)[0]);
    while terms.op(at) == Op::Store {
        found.extend(&terms.children(at)[1..]);
        at = terms.children(at)[0];
    }
    if terms.op(at) != Op::Var {
        found.push(at);
    }
    found
}

/// The keys of a state that a term reads.
fn keys_of(
    terms: &mut Terms,
    state: &State,
    substitution: &mut Substitution,
    root: Term,
    found: &mut FxHashSet<Term>,
) {
    let has = |key: Term| state.entries.binary_search_by_key(&key, |e| e.0).is_ok();
    for t in terms.post_order(&[root]) {
        match terms.op(t) {
            Op::Var if !matches!(terms.sort(t), Sort::Array { .. }) && has(t) => {
                found.insert(t);
            }
            Op::Select => {
                let mut array = terms.children(t)[0];
                while terms.op(array) == Op::Store {
                    array = terms.children(array)[0];
                }
                let address = terms.substitute(terms.children(t)[1], substitution);
                if terms.op(array) == Op::Var && ground(terms, address) {
                    let key = terms.select(array, address);
                    if has(key) {
                        found.insert(key);
                    }
                } else {
                    found.extend(state.entries.iter().map(|e| e.0).filter(|&k| {
                        terms.op(k) == Op::Select
                            && terms.free_vars(array).contains(&terms.children(k)[0])
                    }));
                }
            }
            _ => {}
        }
    }
}
