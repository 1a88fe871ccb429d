//! SMT-LIB 2 scripts, written command by command along push and pop.
//!
//! A [`Script`] remembers what is declared and defined in the scopes that are open. What is
//! shared, and what nests too deeply for a recursive parser, gets a name by `define-fun`. The
//! bits of a float, for which SMT-LIB has no operator, are a fresh variable tied to it by an
//! assertion, so that any solver can read the script.

use super::smtlib::{application, declaration, leaf, references, symbol, DEPTH};
use crate::bits::Bits;
use crate::term::{Op, Term};
use crate::terms::Terms;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Writes terms into a script, each shared part once per scope.
#[derive(Clone, Default)]
pub struct Script {
    /// Names of what is declared or defined.
    names: FxHashMap<Term, String>,
    /// What the open scopes added, innermost last.
    scopes: Vec<Vec<Term>>,
}

impl Script {
    /// A script with nothing declared.
    pub fn new() -> Script {
        Script::default()
    }

    /// Opens a scope. The caller writes `(push 1)` itself.
    pub fn push(&mut self) {
        self.scopes.push(Vec::new());
    }

    /// Closes the innermost scope and forgets what it declared.
    pub fn pop(&mut self) {
        for t in self.scopes.pop().unwrap_or_default() {
            self.names.remove(&t);
        }
    }

    fn name(&mut self, t: Term, name: String) {
        self.names.insert(t, name);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(t);
        }
    }

    /// Writes `(assert t)` with the declarations and definitions it needs.
    pub fn assert(&mut self, terms: &Terms, t: Term, out: &mut String) {
        let text = self.term(terms, t, out);
        let _ = writeln!(out, "(assert {text})");
    }

    /// The symbol of a variable, if it is declared.
    pub fn symbol_of(&self, variable: Term) -> Option<&str> {
        self.names.get(&variable).map(String::as_str)
    }

    /// Declares a variable if it is new, and gives its symbol.
    pub fn declare(&mut self, terms: &Terms, variable: Term, out: &mut String) -> String {
        if let Some(name) = self.names.get(&variable) {
            return name.clone();
        }
        let symbol = symbol(terms, variable);
        out.push_str(&declaration(&symbol, terms.sort(variable)));
        self.name(variable, symbol.clone());
        symbol
    }

    /// Writes the declarations and definitions a term needs; returns an expression for it.
    pub fn term(&mut self, terms: &Terms, t: Term, out: &mut String) -> String {
        let order = self.new_subterms(terms, t);
        let count = references(terms, &order);
        let mut texts: FxHashMap<Term, String> = FxHashMap::default();
        let mut depths: FxHashMap<Term, u32> = FxHashMap::default();
        for &s in &order {
            let text = if let Some(name) = self.names.get(&s) {
                name.clone()
            } else if terms.op(s) == Op::Var {
                self.declare(terms, s, out)
            } else if terms.children(s).is_empty() {
                leaf(terms, s)
            } else if terms.op(s) == Op::FloatToBits {
                self.float_bits(terms, s, &texts, out)
            } else {
                let depth = terms
                    .children(s)
                    .iter()
                    .map(|c| depths.get(c).unwrap_or(&0) + 1);
                let depth = depth.max().unwrap_or(0);
                let operands = terms.take_texts(s, &count, &mut texts);
                let text = application(terms, s, &operands);
                if s != t && (depth > DEPTH || count.get(&s).is_some_and(|c| *c > 1)) {
                    self.define(terms, s, &text, out)
                } else {
                    depths.insert(s, depth);
                    text
                }
            };
            texts.insert(s, text);
        }
        texts.remove(&t).unwrap_or_default()
    }

    fn define(&mut self, terms: &Terms, t: Term, text: &str, out: &mut String) -> String {
        let name = format!("$t{}", t.index());
        let _ = writeln!(out, "(define-fun {name} () {} {text})", terms.sort(t));
        self.name(t, name.clone());
        name
    }

    /// A variable for the bits of a float, and what ties it to the float.
    fn float_bits(
        &mut self,
        terms: &Terms,
        t: Term,
        texts: &FxHashMap<Term, String>,
        out: &mut String,
    ) -> String {
        let float = terms.child(t, 0);
        let mut text = texts.get(&float).cloned().unwrap_or_default();
        if text.len() > 64 && !self.names.contains_key(&float) {
            text = self.define(terms, float, &text, out);
        }
        let format = terms.format(float);
        let name = format!("$b{}", t.index());
        out.push_str(&declaration(&name, terms.sort(t)));
        let nan = Bits::new(format.canonical_nan(), format.width()).smtlib();
        let (e, s) = (format.exponent, format.significand);
        let _ = writeln!(
            out,
            "(assert (ite (fp.isNaN {text}) (= {name} {nan}) (= ((_ to_fp {e} {s}) {name}) {text})))"
        );
        self.name(t, name.clone());
        name
    }

    /// Subterms in post-order, not looking below what already has a name.
    fn new_subterms(&self, terms: &Terms, root: Term) -> Vec<Term> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut order = Vec::new();
        let mut stack = vec![(root, 0usize)];
        seen.insert(root);
        while let Some((t, next)) = stack.last_mut() {
            let below: &[Term] = if self.names.contains_key(t) {
                &[]
            } else {
                terms.children(*t)
            };
            match below.get(*next) {
                Some(&child) => {
                    *next += 1;
                    if seen.insert(child) {
                        stack.push((child, 0));
                    }
                }
                None => {
                    order.push(*t);
                    stack.pop();
                }
            }
        }
        order
    }
}
