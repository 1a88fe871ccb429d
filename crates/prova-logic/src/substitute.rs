//! Substitution of terms for variables, all at once.
//!
//! A [`Substitution`] remembers what it has rewritten, so that related terms share the work. A
//! term none of whose variables is replaced comes back at once: frames cost nothing.

use crate::term::{Op, Term};
use crate::terms::Terms;
use rustc_hash::FxHashMap;

/// A map from variables to terms of the same sort, with a memo of the terms it has rewritten.
#[derive(Clone, Default)]
pub struct Substitution {
    map: FxHashMap<Term, Term>,
    signature: u64,
    memo: FxHashMap<Term, Term>,
}

impl Substitution {
    /// The identity.
    pub fn new() -> Substitution {
        Substitution::default()
    }

    /// A substitution from pairs of variable and replacement.
    pub fn from_pairs(terms: &Terms, pairs: &[(Term, Term)]) -> Substitution {
        let mut substitution = Substitution::new();
        for &(variable, replacement) in pairs {
            substitution.insert(terms, variable, replacement);
        }
        substitution
    }

    /// Replaces a variable from now on. What was rewritten before is forgotten.
    ///
    /// # Panics
    /// If the first term is no variable, or the sorts differ.
    pub fn insert(&mut self, terms: &Terms, variable: Term, replacement: Term) {
        assert_eq!(terms.op(variable), Op::Var, "only variables are replaced");
        assert!(
            terms.same_sort(variable, replacement),
            "replacement of another sort"
        );
        self.memo.clear();
        if variable == replacement {
            self.map.remove(&variable);
        } else {
            self.signature |= terms.var_sets.bit(variable);
            self.map.insert(variable, replacement);
        }
    }

    /// What a variable is replaced by.
    pub fn get(&self, variable: Term) -> Option<Term> {
        self.map.get(&variable).copied()
    }

    /// Number of variables replaced.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Whether nothing is replaced.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// Whether the term certainly has no variable that is replaced.
    fn misses(&self, terms: &Terms, t: Term) -> bool {
        let set = terms.var_set(t);
        if self.map.is_empty() || terms.var_sets.signature(set) & self.signature == 0 {
            return true;
        }
        match terms.var_sets.variables(set) {
            Some(variables) => !variables.iter().any(|v| self.map.contains_key(v)),
            None => false,
        }
    }
}

impl Terms {
    /// The term with its variables replaced.
    pub fn substitute(&mut self, t: Term, substitution: &mut Substitution) -> Term {
        // Most terms that are asked for are variables, and need no memory.
        if self.op(t) == Op::Var {
            return substitution.map.get(&t).copied().unwrap_or(t);
        }
        if substitution.misses(self, t) {
            return t;
        }
        let mut stack = vec![t];
        let mut children = Vec::new();
        while let Some(&top) = stack.last() {
            if substitution.memo.contains_key(&top) {
                stack.pop();
                continue;
            }
            if let Some(&replacement) = substitution.map.get(&top) {
                substitution.memo.insert(top, replacement);
                stack.pop();
                continue;
            }
            children.clear();
            let waiting = stack.len();
            for &child in self.children(top) {
                match substitution.memo.get(&child) {
                    Some(&done) => children.push(done),
                    None if substitution.misses(self, child) => children.push(child),
                    None => stack.push(child),
                }
            }
            if stack.len() == waiting {
                let rebuilt = self.rebuild(top, &children);
                substitution.memo.insert(top, rebuilt);
                stack.pop();
            }
        }
        substitution.memo[&t]
    }

    /// The term with one variable replaced.
    pub fn replace(&mut self, t: Term, variable: Term, replacement: Term) -> Term {
        let mut substitution = Substitution::from_pairs(self, &[(variable, replacement)]);
        self.substitute(t, &mut substitution)
    }
}
