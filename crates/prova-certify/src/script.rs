//! The formulas of a check: hash-consed, sort-checked, written in SMT-LIB 2.
//!
//! Every term has a number, greater than those of its parts, and is sent to a solver as a
//! definition of its own (`define-fun t7 …`): nothing nests, what is shared is sent once.
//! Equal terms have equal numbers. So what a step does not touch stays the *same* term, and
//! many conditions are settled by looking.
//!
//! A term may carry *facts*: what is known wherever it is spoken of (where an object lies, that
//! an arbitrary pointer is null or points to unknown memory). A query asserts the facts of all
//! the terms in it. These facts are the assumptions of the memory model, listed in
//! `docs/certificates.md`; nothing else is ever assumed.

use crate::sort::{result, Sort};
use crate::Failure;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(u32);

#[derive(Default)]
struct Node {
    sort: Sort,
    /// The operator, or for a literal the whole text.
    head: String,
    parts: Vec<Term>,
    /// A constant that the solver chooses, rather than a definition or a literal.
    free: bool,
    facts: Vec<Term>,
    /// The constant is the address of an object of this size, which overlaps no other.
    size: Option<u64>,
    /// One of 128 bits per free constant in it: what a substitution cannot touch it passes by.
    mask: u128,
}

/// All terms.
#[derive(Default)]
pub struct Script {
    nodes: Vec<Node>,
    known: FxHashMap<String, Term>,
    /// What could not be built. Nothing is accepted then.
    pub error: Option<Failure>,
}

/// What free constants are replaced by, and what was replaced before.
#[derive(Default)]
pub struct Substitution {
    map: FxHashMap<Term, Term>,
    done: FxHashMap<Term, Term>,
    mask: u128,
}

impl Script {
    fn add(&mut self, node: Node) -> Term {
        self.nodes.push(node);
        Term(self.nodes.len() as u32 - 1)
    }

    /// A new constant about which nothing is known.
    pub fn constant(&mut self, sort: Sort) -> Term {
        let mask = 1 << (self.nodes.len() % 128);
        self.add(Node { sort, free: true, mask, ..Node::default() })
    }

    /// A new address of an object of this size.
    pub fn object(&mut self, width: u32, size: u64) -> Term {
        let base = self.constant(Sort::Bits(width));
        self.nodes[base.0 as usize].size = Some(size);
        base
    }

    /// A literal: a truth value, binary digits `#b01`, or a rounding mode.
    pub fn literal(&mut self, text: &str) -> Term {
        if let Some(&known) = self.known.get(text) {
            return known;
        }
        let sort = match (text.strip_prefix("#b"), text) {
            (Some(digits), _) => Sort::Bits(digits.len() as u32),
            (None, "true" | "false") => Sort::Bool,
            (None, _) => Sort::Mode,
        };
        let term = self.add(Node { sort, head: text.to_string(), ..Node::default() });
        self.known.insert(text.to_string(), term);
        term
    }

    pub fn boolean(&mut self, value: bool) -> Term {
        self.literal(&value.to_string())
    }

    /// A bit-vector; bits beyond its width are cut off.
    pub fn bits(&mut self, value: u128, width: u32) -> Term {
        let digit = |i: u32| if i < 128 && value >> i & 1 == 1 { '1' } else { '0' };
        let digits: String = (0..width).rev().map(digit).collect();
        self.literal(&format!("#b{digits}"))
    }

    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term.0 as usize].sort
    }

    /// The width of a bit-vector; zero for anything else.
    pub fn width(&self, term: Term) -> u32 {
        match self.sort(term) {
            Sort::Bits(n) => n,
            _ => 0,
        }
    }

    /// Whether it is a bit-vector literal; different ones are different numbers.
    fn is_number(&self, term: Term) -> bool {
        self.view(term).0.starts_with("#b")
    }

    /// If this says that a term is a number: both.
    pub fn value(&self, fact: Term) -> Option<(Term, Term)> {
        match self.view(fact) {
            ("=", &[a, b]) if self.is_number(b) => Some((a, b)),
            ("=", &[a, b]) if self.is_number(a) => Some((b, a)),
            _ => None,
        }
    }

    /// The operator at the top and its operands.
    pub fn view(&self, term: Term) -> (&str, &[Term]) {
        let node = &self.nodes[term.0 as usize];
        (&node.head, &node.parts)
    }

    /// Applies an operator. If the sorts do not allow it the result is meaningless, and nothing is
    /// accepted any more.
    pub fn apply(&mut self, head: &str, parts: &[Term]) -> Term {
        let applied = self.try_apply(head, parts);
        applied.unwrap_or_else(|message| self.fail(Failure::Unsupported(message)))
    }

    /// Something went wrong: nothing is accepted any more.
    pub fn fail(&mut self, failure: Failure) -> Term {
        self.error.get_or_insert(failure);
        self.boolean(false)
    }

    /// Applies an operator, if the sorts allow it.
    pub fn try_apply(&mut self, head: &str, parts: &[Term]) -> Result<Term, String> {
        let sorts: Vec<Sort> = parts.iter().map(|&p| self.sort(p)).collect();
        let Some(sort) = result(head, &sorts) else {
            let sorts: Vec<String> = sorts.iter().map(Sort::to_string).collect();
            return Err(format!("`{head}` cannot be applied to {}", sorts.join(", ")));
        };
        // The few simplifications there are; each spares queries.
        match (head, parts) {
            ("not", [a]) => match self.view(*a) {
                ("not", inner) => return Ok(inner[0]),
                ("true", _) => return Ok(self.boolean(false)),
                ("false", _) => return Ok(self.boolean(true)),
                _ => {}
            },
            ("=", [a, b]) if a == b => return Ok(self.boolean(true)),
            ("=", [a, b]) if self.is_number(*a) && self.is_number(*b) => {
                return Ok(self.boolean(false));
            }
            ("and" | "or", [a]) => return Ok(*a),
            _ => {}
        }
        let numbers: Vec<String> = parts.iter().map(|p| p.0.to_string()).collect();
        let key = format!("{head} {}", numbers.join(" "));
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let term = self.add(Node {
            sort,
            head: head.to_string(),
            parts: parts.to_vec(),
            // SMT-LIB cannot name the bits of a float: they are a constant with a fact.
            free: head == "fp.to_ieee_bv",
            mask: parts.iter().fold(0, |m, p| m | self.nodes[p.0 as usize].mask),
            ..Node::default()
        });
        self.known.insert(key, term);
        if let ("fp.to_ieee_bv", [Sort::Float(e, s)]) = (head, &sorts[..]) {
            let float = self.apply(&format!("(_ to_fp {e} {s})"), &[term]);
            let same = self.apply("=", &[float, parts[0]]);
            self.assume(term, same);
        }
        Ok(term)
    }

    pub fn not(&mut self, term: Term) -> Term {
        self.apply("not", &[term])
    }

    /// A conjunction or disjunction of any number.
    pub fn junction(&mut self, head: &str, parts: &[Term]) -> Term {
        let neutral = self.boolean(head == "and");
        self.apply(head, if parts.is_empty() { std::slice::from_ref(&neutral) } else { parts })
    }

    /// Makes a fact known wherever the term is spoken of.
    pub fn assume(&mut self, term: Term, fact: Term) {
        self.nodes[term.0 as usize].facts.push(fact);
    }

    /// Adds a replacement of a free constant.
    pub fn replace(&self, by: &mut Substitution, constant: Term, value: Term) {
        if constant != value {
            by.mask |= self.nodes[constant.0 as usize].mask;
            by.map.insert(constant, value);
        }
    }

    /// The term with free constants replaced, all at once.
    pub fn substitute(&mut self, term: Term, by: &mut Substitution) -> Term {
        let mut work = vec![term];
        while let Some(&at) = work.last() {
            let node = &self.nodes[at.0 as usize];
            if by.done.contains_key(&at) {
                work.pop();
            } else if node.mask & by.mask == 0 || node.parts.is_empty() {
                by.done.insert(at, *by.map.get(&at).unwrap_or(&at));
            } else {
                let waiting = work.len();
                work.extend(node.parts.iter().filter(|p| !by.done.contains_key(p)));
                if work.len() == waiting {
                    let parts: Vec<Term> = node.parts.iter().map(|p| by.done[p]).collect();
                    let head = node.head.clone();
                    by.done.insert(at, self.apply(&head, &parts));
                }
            }
        }
        by.done[&term]
    }

    /// Everything a query with these assertions speaks of, in an order in which each term comes
    /// behind its parts, and everything it asserts: the assertions, the facts of all terms, and
    /// that its objects do not overlap.
    fn query(&mut self, assertions: &[Term]) -> (Vec<Term>, Vec<Term>) {
        let mut asserted = assertions.to_vec();
        let mut seen = BTreeSet::new();
        let mut work = asserted.clone();
        let mut objects: Vec<(Term, u64)> = Vec::new();
        while let Some(at) = work.pop() {
            if !seen.insert(at) {
                continue;
            }
            let node = &self.nodes[at.0 as usize];
            work.extend(node.parts.iter().chain(&node.facts));
            asserted.extend(&node.facts);
            if let Some(size) = node.size {
                for &other in &objects {
                    let apart = self.apart((at, size), other);
                    asserted.push(apart);
                    work.push(apart);
                }
                objects.push((at, size));
            }
        }
        asserted.sort_unstable();
        asserted.dedup();
        (seen.into_iter().collect(), asserted)
    }

    /// One ends before the other begins.
    fn apart(&mut self, a: (Term, u64), b: (Term, u64)) -> Term {
        let mut ends_before = |(x, size): (Term, u64), y: Term| {
            let size = self.bits(size.into(), self.width(x));
            let end = self.apply("bvadd", &[x, size]);
            self.apply("bvule", &[end, y])
        };
        let (low, high) = (a.min(b), a.max(b));
        let ways = [ends_before(low, high.0), ends_before(high, low.0)];
        self.apply("or", &ways)
    }

    /// A question: can these hold together? It leaves nothing behind in the solver.
    pub fn question(&mut self, assertions: &[Term]) -> String {
        let (terms, asserted) = self.query(assertions);
        let definitions: String = terms.iter().map(|&t| self.definition(t)).collect();
        let asserted = asserted.iter().map(|&t| format!("(assert {})\n", self.name(t)));
        let asserted: String = asserted.collect();
        format!("(push 1)\n{definitions}{asserted}(check-sat)\n(pop 1)\n")
    }

    /// The term as it is referred to.
    fn name(&self, term: Term) -> String {
        let node = &self.nodes[term.0 as usize];
        let literal = (node.parts.is_empty() && !node.free).then(|| node.head.clone());
        literal.unwrap_or_else(|| format!("t{}", term.0))
    }

    /// The command that makes the term known to a solver; empty for a literal.
    fn definition(&self, term: Term) -> String {
        let node = &self.nodes[term.0 as usize];
        let (number, sort, head) = (term.0, node.sort, &node.head);
        match (node.free, node.parts.is_empty()) {
            (true, _) => format!("(declare-fun t{number} () {sort})\n"),
            (false, true) => String::new(),
            (false, false) => {
                let parts: Vec<String> = node.parts.iter().map(|&p| self.name(p)).collect();
                format!("(define-fun t{number} () {sort} ({head} {}))\n", parts.join(" "))
            }
        }
    }
}
