//! Explicit values of some bits only. Where a search keeps few variables, of each it keeps the bits that
//! somebody asked for ([`super::bits`]): of a word with ten bit-fields the one that is the state.
//!
//! A word that is known in part has an entry like others, with a value over itself, `word & ~mask | bits`:
//! so a state is still a list of facts, and the engine's own step can be taken. It is taken on a transition
//! that was made for the state: values put in, and what the bits decide decided.

use super::bits::{low, partly, width, Demand, Folding, Known};
use prova_engine::engines::values::domain::{Through, ValuesDomain};
use prova_engine::engines::values::state::{ground, Cells, State};
use prova_engine::problem::blocks::BlockId;
use prova_engine::problem::encoding::Encoding;
use prova_engine::problem::transitions::Transitions;
use prova_engine::reach::domain::Post;
use prova_exec::transfer::Transfer;
use prova_logic::{Op, Sort, Substitution, Term, Terms};
use rustc_hash::FxHashMap;

/// Which bits are kept of variables; of arrays, of each element.
#[derive(Default)]
pub struct Masks {
    /// By variable; all bits where there is none.
    bits: FxHashMap<Term, u64>,
    /// The variables that are kept at a cutpoint, once somebody comes there.
    at: FxHashMap<usize, Vec<Term>>,
    cells: Cells,
}

impl Masks {
    /// Variables are kept from now on, or more of them; `false` if they were, with these bits. A variable
    /// that was not kept before is so in its asked bits only.
    pub fn widen(&mut self, terms: &Terms, kept: impl Fn(Term) -> bool, asked: &Asked) -> bool {
        let mut grew = false;
        for (&variable, &bits) in &asked.0 .0 {
            let all = width(terms, variable).map_or(u64::MAX, low);
            let before = match (self.bits.get(&variable), kept(variable)) {
                (Some(&bits), _) => bits,
                (None, true) => all,
                (None, false) => 0,
            };
            let after = (before | bits) & all;
            grew |= after != before;
            match after == all {
                true => self.bits.remove(&variable),
                false => self.bits.insert(variable, after),
            };
        }
        self.forget();
        grew
    }

    /// All bits of these variables are kept from now on; `false` if they were.
    pub fn whole(&mut self, variables: &[Term]) -> bool {
        let partial = |v: &&Term| self.bits.contains_key(v);
        let partial: Vec<Term> = variables.iter().filter(partial).copied().collect();
        partial.iter().for_each(|v| {
            self.bits.remove(v);
        });
        self.forget();
        !partial.is_empty()
    }

    /// Other variables are kept now.
    fn forget(&mut self) {
        self.at.clear();
        self.cells = Cells::default();
    }

    /// What is kept, for people: how many words are kept in part.
    pub fn partial(&self) -> usize {
        self.bits.len()
    }

    /// The states behind a block.
    pub fn post(
        &mut self,
        values: &mut ValuesDomain,
        terms: &mut Terms,
        state: &State,
        opened: &mut Substitution,
        block: BlockId,
    ) -> Post<State> {
        let target = values.steps.blocks.block(block).target;
        let precision = &values.kept.precision;
        let error = values.steps.blocks.errors.contains(&target);
        let wanted: &[Term] = self.at.entry(target.index()).or_insert_with(|| {
            let live = values.steps.live[target.index()].iter().copied();
            let mut wanted: Vec<Term> = match error {
                true => Vec::new(),
                false => live.filter(|v| precision.values.contains(v)).collect(),
            };
            wanted.sort_unstable();
            wanted
        });
        let transition = values.steps.transitions.get(block);
        let mut folding = Folding::default();
        let mut folded = |terms: &mut Terms, t: Term| {
            let t = terms.substitute(t, opened);
            folding.fold(terms, t)
        };
        let mut transfer = Transfer::default();
        for &g in &transition.transfer.guard {
            let folded = folded(terms, g).0;
            transfer.guard.push(folded);
            if transition.transfer.assumed.contains(&g) {
                transfer.assumed.push(folded);
            }
        }
        let mut known: Vec<(Term, Known)> = Vec::new();
        for &variable in wanted {
            let (value, bits) = folded(terms, transition.update(variable));
            transfer.updates.push((variable, value));
            if let Sort::BitVec(_) = terms.sort(variable) {
                known.push((variable, bits));
            }
        }
        for &(array, value) in &transfer.updates {
            if let Sort::Array { .. } = terms.sort(array) {
                for (address, bits) in contents(terms, &mut folding, value) {
                    known.push((terms.select(array, address), bits));
                }
            }
        }
        let made = match Transitions::new(terms, vec![Ok(transfer)]) {
            Ok(made) => made,
            Err(_) => return Post::To(vec![State::default()]),
        };
        let mut through = Through {
            precision,
            cells: &mut self.cells,
            asked: values.asked,
        };
        let wanted = (!error).then_some(wanted);
        let made = made.get(BlockId(0));
        let mut post = through.post(terms, made, wanted, state, &mut Substitution::new());
        if let Post::To(states) = &mut post {
            for state in states {
                self.restrict(terms, state, &known);
            }
        }
        post
    }

    /// Keeps what is kept of a state's words, and adds what is known of others in part.
    fn restrict(&self, terms: &mut Terms, state: &mut State, known: &[(Term, Known)]) {
        let mut entries = Vec::with_capacity(state.entries.len());
        for &(key, value) in &state.entries {
            let Some(&bits) = self.bits.get(&variable_of(terms, key)) else {
                entries.push((key, value));
                continue;
            };
            let word = Known {
                mask: u64::MAX,
                value: match terms.as_u64(value) {
                    Some(value) => value,
                    None => {
                        entries.push((key, value));
                        continue;
                    }
                },
            };
            let word = word.among(bits);
            if bits != 0 {
                entries.push((key, partly(terms, key, word)));
            }
        }
        for &(key, word) in known {
            let bits = self.bits.get(&variable_of(terms, key)).copied();
            let word = word.among(bits.unwrap_or(u64::MAX));
            if word.mask != 0 && !state.entries.iter().any(|e| e.0 == key) {
                entries.push((key, partly(terms, key, word)));
            }
        }
        entries.sort_unstable();
        state.entries = entries;
    }
}

/// The variable that a key is, or a cell of.
fn variable_of(terms: &Terms, key: Term) -> Term {
    match terms.op(key) {
        Op::Select => terms.children(key)[0],
        _ => key,
    }
}

/// What is known in part of an array's cells: of the latest writes at fixed addresses, down to the first
/// that may be anywhere. Where a condition decides between two contents, what both agree on.
fn contents(terms: &mut Terms, folding: &mut Folding, value: Term) -> Vec<(Term, Known)> {
    let (mut at, mut found): (Term, Vec<(Term, Known)>) = (value, Vec::new());
    loop {
        let parts = terms.children(at).to_vec();
        let more = match terms.op(at) {
            Op::Store if ground(terms, parts[1]) => {
                vec![(parts[1], folding.fold(terms, parts[2]).1)]
            }
            Op::Ite => {
                let yes = contents(terms, folding, parts[1]);
                let no = contents(terms, folding, parts[2]);
                let both = |&(address, known): &(Term, Known)| {
                    let other = no.iter().find(|n| n.0 == address)?;
                    Some((address, known.agreed(other.1)))
                };
                yes.iter().filter_map(both).collect()
            }
            _ => return found,
        };
        let newer: Vec<Term> = found.iter().map(|f| f.0).collect();
        for (address, known) in more {
            let same: Vec<Option<bool>> =
                newer.iter().map(|&n| terms.decide_eq(n, address)).collect();
            if same.contains(&None) {
                return found;
            }
            if !same.contains(&Some(true)) {
                found.push((address, known));
            }
        }
        if terms.op(at) == Op::Ite {
            return found;
        }
        at = parts[0];
    }
}

/// The bits of variables that show why a path cannot be run.
#[derive(Default)]
pub struct Asked(pub Demand);

impl Asked {
    /// Goes back along a path from conditions that are blamed, each at its place.
    pub fn back(
        &mut self,
        terms: &Terms,
        transitions: &Transitions,
        encoding: &Encoding,
        path: &[BlockId],
        blamed: &[(usize, Term)],
    ) {
        let mut needed = Demand::default();
        for (k, &block) in path.iter().enumerate().rev() {
            let transition = transitions.get(block);
            let mut before = Demand::default();
            for (&variable, &bits) in &needed.0 {
                before.ask(terms, transition.update(variable), bits);
            }
            for (_, guard) in blamed.iter().filter(|b| b.0 == k) {
                before.ask(terms, *guard, 1);
            }
            before.0.retain(|&v, _| encoding.vars.meaning(v).is_some());
            for (&variable, &bits) in &before.0 {
                *self.0 .0.entry(variable).or_default() |= bits;
            }
            needed = before;
        }
    }
}
