//! A state of many runs at once: what every variable holds, over all that was read on the way.
//!
//! Terms of blocks are moved into a state by rebuilding them from their leaves, so that whatever has
//! become a constant is folded on the way up. Memory is not an array here but cells.

use super::memory::Memory;
use super::values::Values;
use prova_logic::{Op, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Where each state variable stands in a state.
#[derive(Debug)]
pub struct Places {
    scalars: FxHashMap<Term, usize>,
    memories: FxHashMap<Term, usize>,
}

/// What all variables hold.
#[derive(Clone, Debug)]
pub struct State {
    scalars: Rc<Vec<Term>>,
    memories: Rc<Vec<Memory>>,
}

/// The places of variables that still matter somewhere.
#[derive(Debug)]
pub struct Live {
    scalars: Vec<usize>,
    memories: Vec<usize>,
}

impl Places {
    /// The places of these variables.
    pub fn live(&self, variables: &FxHashSet<Term>) -> Live {
        let of = |places: &FxHashMap<Term, usize>| {
            let mut found: Vec<usize> = variables
                .iter()
                .filter_map(|v| places.get(v))
                .copied()
                .collect();
            found.sort_unstable();
            found
        };
        Live {
            scalars: of(&self.scalars),
            memories: of(&self.memories),
        }
    }

    /// Places for these variables, and the state in which they hold themselves.
    pub fn new(terms: &Terms, variables: &[Term]) -> (Places, State) {
        let is_memory = |v: &&Term| matches!(terms.sort(**v), Sort::Array { .. });
        let (memories, scalars): (Vec<Term>, Vec<Term>) = variables.iter().partition(is_memory);
        let numbered = |all: &[Term]| all.iter().enumerate().map(|(i, &v)| (v, i)).collect();
        let places = Places {
            scalars: numbered(&scalars),
            memories: numbered(&memories),
        };
        let state = State {
            memories: Rc::new(memories.into_iter().map(Memory::of).collect()),
            scalars: Rc::new(scalars),
        };
        (places, state)
    }
}

impl State {
    /// A state that is this one where a condition holds, and another one where it does not.
    pub fn or(
        &self,
        terms: &mut Terms,
        values: &mut Values,
        condition: Term,
        other: &State,
        live: &Live,
    ) -> State {
        let mut joined = self.clone();
        if !Rc::ptr_eq(&self.scalars, &other.scalars) {
            let ours = Rc::make_mut(&mut joined.scalars);
            for &i in &live.scalars {
                let (a, b) = (ours[i], other.scalars[i]);
                if a != b {
                    ours[i] = terms.ite(condition, a, b);
                }
            }
        }
        if !Rc::ptr_eq(&self.memories, &other.memories) {
            let ours = Rc::make_mut(&mut joined.memories);
            for &i in &live.memories {
                ours[i] = ours[i].or(terms, values, condition, &other.memories[i]);
            }
        }
        joined
    }
}

/// Moves terms into a state.
pub struct Mover<'a> {
    places: &'a Places,
    state: &'a State,
    /// What is read, as it is called this time.
    inputs: FxHashMap<Term, Term>,
    done: FxHashMap<Term, Term>,
    memories: FxHashMap<Term, Memory>,
}

impl<'a> Mover<'a> {
    /// For terms over a state and inputs.
    pub fn new(places: &'a Places, state: &'a State, inputs: FxHashMap<Term, Term>) -> Self {
        Mover {
            places,
            state,
            inputs,
            done: FxHashMap::default(),
            memories: FxHashMap::default(),
        }
    }

    /// What a variable holds.
    fn leaf(&self, t: Term) -> Option<Term> {
        let place = self.places.scalars.get(&t);
        let value = place.map(|&i| self.state.scalars[i]);
        value.or_else(|| self.inputs.get(&t).copied())
    }

    /// A term that is no memory.
    pub fn term(&mut self, terms: &mut Terms, values: &mut Values, t: Term) -> Term {
        let mut work = vec![t];
        let mut children = Vec::new();
        while let Some(&at) = work.last() {
            if self.done.contains_key(&at) {
                work.pop();
                continue;
            }
            if terms.is_var(at) || terms.children(at).is_empty() {
                let value = self.leaf(at).unwrap_or(at);
                self.done.insert(at, value);
                work.pop();
                continue;
            }
            let parts = terms.children(at).to_vec();
            // Only one side of a decided branch is looked at.
            if terms.op(at) == Op::Ite {
                if let Some(&condition) = self.done.get(&parts[0]) {
                    if let Some(side) = terms.as_bool(condition) {
                        let side = parts[if side { 1 } else { 2 }];
                        match self.done.get(&side) {
                            Some(&value) => {
                                self.done.insert(at, value);
                                work.pop();
                            }
                            None => work.push(side),
                        }
                        continue;
                    }
                } else {
                    work.push(parts[0]);
                    continue;
                }
            }
            children.clear();
            let waiting = work.len();
            let reads = terms.op(at) == Op::Select;
            for &part in &parts[usize::from(reads)..] {
                match self.done.get(&part) {
                    Some(&done) => children.push(done),
                    None => work.push(part),
                }
            }
            if work.len() > waiting {
                continue;
            }
            let value = match reads {
                true => {
                    let memory = self.memory(terms, values, parts[0]);
                    memory.read(terms, values, children[0])
                }
                false => terms.rebuild(at, &children),
            };
            let value = values.decided(terms, value);
            self.done.insert(at, value);
            work.pop();
        }
        self.done[&t]
    }

    /// A term that is a memory.
    pub fn memory(&mut self, terms: &mut Terms, values: &mut Values, t: Term) -> Memory {
        if let Some(known) = self.memories.get(&t) {
            return known.clone();
        }
        let (mut writes, mut at) = (Vec::new(), t);
        while let (Op::Store, &[under, address, value]) = (terms.op(at), terms.children(at)) {
            writes.push((address, value));
            at = under;
        }
        let mut memory = match (self.places.memories.get(&at), terms.op(at)) {
            (Some(&i), _) => self.state.memories[i].clone(),
            (None, Op::Ite) => {
                let parts = terms.children(at).to_vec();
                let condition = self.term(terms, values, parts[0]);
                let yes = self.memory(terms, values, parts[1]);
                let no = self.memory(terms, values, parts[2]);
                yes.or(terms, values, condition, &no)
            }
            (None, Op::ConstArray) => {
                let Sort::Array { index, .. } = terms.sort(at) else {
                    unreachable!("it is an array");
                };
                let element = terms.children(at)[0];
                let element = self.term(terms, values, element);
                Memory::of(terms.const_array(index, element))
            }
            (None, _) => Memory::of(at),
        };
        for (address, value) in writes.into_iter().rev() {
            let address = self.term(terms, values, address);
            let value = self.term(terms, values, value);
            memory.write(terms, values, address, value);
        }
        self.memories.insert(t, memory.clone());
        memory
    }

    /// The state behind updates, without those of variables that do not matter any more.
    pub fn updated(
        &mut self,
        terms: &mut Terms,
        values: &mut Values,
        updates: &[(Term, Term)],
        matters: impl Fn(Term) -> bool,
    ) -> State {
        let mut after = self.state.clone();
        for &(variable, value) in updates {
            if !matters(variable) {
                continue;
            }
            if let Some(&place) = self.places.memories.get(&variable) {
                let memory = self.memory(terms, values, value);
                Rc::make_mut(&mut after.memories)[place] = memory;
            } else if let Some(&place) = self.places.scalars.get(&variable) {
                let value = self.term(terms, values, value);
                Rc::make_mut(&mut after.scalars)[place] = value;
            }
        }
        after
    }
}
