//! A path's blocks one after another: every state variable as a term over what was read on the way.

use crate::problem::blocks::BlockId;
use crate::problem::transitions::Transitions;
use prova_exec::transfer::Input;
use prova_logic::{Substitution, Term, Terms};

/// Where a walk has come to; at the start by default.
#[derive(Default)]
pub struct Walk {
    store: Substitution,
}

impl Walk {
    /// Another walk that has come to the same place.
    pub fn fork(&self) -> Walk {
        Walk {
            store: self.store.clone(),
        }
    }

    /// Gives the state before the path names of its own, and says them: then what is said of a
    /// place speaks of no other.
    pub fn name(&mut self, terms: &mut Terms, variables: &[Term]) -> Vec<Term> {
        let name = |&variable: &Term| {
            let sort = terms.sort(variable);
            let first = terms.fresh("first", sort);
            self.store.insert(terms, variable, first);
            first
        };
        variables.iter().map(name).collect()
    }

    /// Comes to a block: its inputs are read anew, each time round a loop. Gives them.
    pub fn enter(
        &mut self,
        terms: &mut Terms,
        transitions: &Transitions,
        block: BlockId,
    ) -> Vec<Input> {
        let inputs = transitions.get(block).transfer.inputs.clone();
        let read = |input: Input| {
            let sort = terms.sort(input.var);
            let var = terms.fresh("path", sort);
            self.store.insert(terms, input.var, var);
            Input { var, ..input }
        };
        inputs.into_iter().map(read).collect()
    }

    /// A term over the state before the block, and its inputs, as one over the path.
    pub fn term(&mut self, terms: &mut Terms, t: Term) -> Term {
        terms.substitute(t, &mut self.store)
    }

    /// The value of a variable, if the path gave it one.
    pub fn value(&self, variable: Term) -> Option<Term> {
        self.store.get(variable)
    }

    /// Passes the block.
    pub fn leave(&mut self, terms: &mut Terms, transitions: &Transitions, block: BlockId) {
        let updates = transitions.get(block).transfer.updates.clone();
        let values: Vec<(Term, Term)> = updates
            .into_iter()
            .map(|(v, value)| (v, self.term(terms, value)))
            .collect();
        for (variable, value) in values {
            self.store.insert(terms, variable, value);
        }
    }
}
