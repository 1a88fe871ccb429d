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
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(u32);

impl Term {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An object's extent: two of them do not overlap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    pub size: u64,
    pub align: u64,
}

struct Node {
    sort: Sort,
    /// The operator, or for a leaf the whole text.
    head: String,
    parts: Vec<Term>,
    /// A constant that the solver chooses, rather than a definition or a literal.
    free: bool,
    facts: Vec<Term>,
    extent: Option<Extent>,
    /// One of 128 bits per free constant in it: what a substitution cannot touch it passes by.
    mask: u128,
}

/// What cannot be built, and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct IllSorted(pub String);

/// All terms.
#[derive(Default)]
pub struct Script {
    nodes: Vec<Node>,
    known: FxHashMap<String, Term>,
    /// Arrays whose cells are pointers that nobody wrote yet.
    pristine: FxHashMap<Term, Zone>,
}

/// What free constants are replaced by, and what was replaced before.
#[derive(Clone, Default)]
pub struct Substitution {
    map: FxHashMap<Term, Term>,
    done: FxHashMap<Term, Term>,
    mask: u128,
}

/// The addresses of memory that the program does not name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Zone {
    pub start: u64,
    pub end: u64,
}

impl Script {
    fn add(&mut self, node: Node) -> Term {
        self.nodes.push(node);
        Term(self.nodes.len() as u32 - 1)
    }

    /// A new constant about which nothing is known.
    pub fn constant(&mut self, sort: Sort) -> Term {
        let bit = self.nodes.len() % 128;
        self.add(Node {
            sort,
            head: String::new(),
            parts: Vec::new(),
            free: true,
            facts: Vec::new(),
            extent: None,
            mask: 1 << bit,
        })
    }

    /// A literal, as SMT-LIB writes it.
    fn literal(&mut self, sort: Sort, text: &str) -> Term {
        if let Some(&known) = self.known.get(text) {
            return known;
        }
        let term = self.add(Node {
            sort,
            head: text.to_string(),
            parts: Vec::new(),
            free: false,
            facts: Vec::new(),
            extent: None,
            mask: 0,
        });
        self.known.insert(text.to_string(), term);
        term
    }

    pub fn boolean(&mut self, value: bool) -> Term {
        self.literal(Sort::Bool, if value { "true" } else { "false" })
    }

    /// A bit-vector; bits beyond its width are cut off.
    pub fn bits(&mut self, value: u128, width: u32) -> Term {
        let one = |i: u32| i < 128 && value >> i & 1 == 1;
        let digits: String = (0..width)
            .rev()
            .map(|i| if one(i) { '1' } else { '0' })
            .collect();
        self.digits(&digits)
    }

    /// A bit-vector from its digits, the highest first.
    pub fn digits(&mut self, digits: &str) -> Term {
        self.literal(Sort::Bits(digits.len() as u32), &format!("#b{digits}"))
    }

    /// A rounding mode.
    pub fn mode(&mut self, name: &str) -> Option<Term> {
        let known = ["RNE", "RNA", "RTP", "RTN", "RTZ"].contains(&name);
        known.then(|| self.literal(Sort::Mode, name))
    }

    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term.index()].sort
    }

    /// The operator at the top and its operands.
    pub fn view(&self, term: Term) -> (&str, &[Term]) {
        let node = &self.nodes[term.index()];
        (&node.head, &node.parts)
    }

    /// Applies an operator, if the sorts allow it.
    pub fn apply(&mut self, head: &str, parts: &[Term]) -> Result<Term, IllSorted> {
        let sorts: Vec<Sort> = parts.iter().map(|&p| self.sort(p)).collect();
        let Some(sort) = result(head, &sorts) else {
            let sorts: Vec<String> = sorts.iter().map(Sort::to_string).collect();
            return Err(IllSorted(format!(
                "`{head}` cannot be applied to {}",
                sorts.join(", ")
            )));
        };
        // The three simplifications there are; each spares queries.
        match (head, parts) {
            ("not", [a]) => match self.view(*a) {
                ("not", inner) => return Ok(inner[0]),
                ("true", _) => return Ok(self.boolean(false)),
                ("false", _) => return Ok(self.boolean(true)),
                _ => {}
            },
            ("=", [a, b]) if a == b => return Ok(self.boolean(true)),
            ("and" | "or", [a]) => return Ok(*a),
            _ => {}
        }
        let mut key = head.to_string();
        for part in parts {
            let _ = write!(key, " {}", part.0);
        }
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let mask = parts.iter().fold(0, |m, p| m | self.nodes[p.index()].mask);
        let term = self.add(Node {
            sort,
            head: head.to_string(),
            parts: parts.to_vec(),
            // SMT-LIB cannot name the bits of a float: they are a constant with a fact.
            free: head == "fp.to_ieee_bv",
            facts: Vec::new(),
            extent: None,
            mask,
        });
        self.known.insert(key, term);
        if let ("fp.to_ieee_bv", Sort::Float(e, s)) = (head, sorts[0]) {
            let float = self.apply(&format!("(_ to_fp {e} {s})"), &[term])?;
            let same = self.apply("=", &[float, parts[0]])?;
            self.assume(term, same);
        }
        if head == "select" {
            self.read_pristine(term, parts[0], parts[1])?;
        }
        Ok(term)
    }

    /// The cell of an array that was never written holds an arbitrary pointer.
    fn read_pristine(&mut self, cell: Term, array: Term, at: Term) -> Result<(), IllSorted> {
        let mut root = array;
        while let ("store", parts) = self.view(root) {
            root = parts[0];
        }
        let Some(&zone) = self.pristine.get(&root) else {
            return Ok(());
        };
        if root != array {
            // The original cell gets the fact when its own term is made.
            let original = self.apply("select", &[root, at])?;
            let facts = self.nodes[original.index()].facts.clone();
            facts.into_iter().for_each(|f| self.assume(cell, f));
            return Ok(());
        }
        let fact = self.arbitrary_pointer(cell, zone)?;
        self.assume(cell, fact);
        Ok(())
    }

    /// Says that the cells of this array are pointers that nobody wrote.
    pub fn make_pristine(&mut self, array: Term, zone: Zone) {
        self.pristine.insert(array, zone);
    }

    /// A pointer is null or points to memory that the program does not name.
    pub fn arbitrary_pointer(&mut self, pointer: Term, zone: Zone) -> Result<Term, IllSorted> {
        let width = self.width(pointer);
        let zero = self.bits(0, width);
        let (start, end) = (u128::from(zone.start), u128::from(zone.end));
        let (start, end) = (self.bits(start, width), self.bits(end, width));
        let null = self.apply("=", &[pointer, zero])?;
        let low = self.apply("bvule", &[start, pointer])?;
        let high = self.apply("bvult", &[pointer, end])?;
        let inside = self.apply("and", &[low, high])?;
        self.apply("or", &[null, inside])
    }

    /// Makes a fact known wherever the term is spoken of.
    pub fn assume(&mut self, term: Term, fact: Term) {
        let facts = &mut self.nodes[term.index()].facts;
        if !facts.contains(&fact) {
            facts.push(fact);
        }
    }

    /// Makes a constant the address of an object that overlaps no other.
    pub fn place(&mut self, base: Term, extent: Extent) {
        self.nodes[base.index()].extent = Some(extent);
    }

    /// The width of a bit-vector; zero for anything else.
    pub fn width(&self, term: Term) -> u32 {
        match self.sort(term) {
            Sort::Bits(n) => n,
            _ => 0,
        }
    }

    pub fn not(&mut self, term: Term) -> Result<Term, IllSorted> {
        self.apply("not", &[term])
    }

    /// A conjunction or disjunction of any number.
    pub fn junction(&mut self, head: &str, parts: &[Term]) -> Result<Term, IllSorted> {
        match parts {
            [] => Ok(self.boolean(head == "and")),
            _ => self.apply(head, parts),
        }
    }

    /// The term with free constants replaced, all at once.
    pub fn substitute(&mut self, term: Term, by: &mut Substitution) -> Result<Term, IllSorted> {
        let mut work = vec![term];
        while let Some(&at) = work.last() {
            let node = &self.nodes[at.index()];
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
                    by.done.insert(at, self.apply(&head, &parts)?);
                }
            }
        }
        Ok(by.done[&term])
    }

    /// Adds a replacement of a free constant.
    pub fn replace(&self, by: &mut Substitution, constant: Term, value: Term) {
        if constant != value {
            by.mask |= self.nodes[constant.index()].mask;
            by.map.insert(constant, value);
            by.done.clear();
        }
    }

    /// Everything a query with these assertions speaks of, in an order in which each term comes
    /// behind its parts, and everything it asserts: the assertions, the facts of all terms, and
    /// that its objects do not overlap.
    pub fn query(&mut self, assertions: &[Term]) -> Result<(Vec<Term>, Vec<Term>), IllSorted> {
        let mut asserted: Vec<Term> = assertions.to_vec();
        let mut seen: BTreeSet<Term> = BTreeSet::new();
        let mut work = asserted.clone();
        let mut bases: Vec<(Term, Extent)> = Vec::new();
        while let Some(at) = work.pop() {
            if !seen.insert(at) {
                continue;
            }
            let node = &self.nodes[at.index()];
            work.extend(node.parts.iter().chain(&node.facts));
            asserted.extend(&node.facts);
            let Some(extent) = node.extent else { continue };
            for (other, its) in bases.clone() {
                let apart = self.apart((at, extent), (other, its))?;
                asserted.push(apart);
                work.push(apart);
            }
            bases.push((at, extent));
        }
        asserted.sort_unstable();
        asserted.dedup();
        Ok((seen.into_iter().collect(), asserted))
    }

    /// One ends before the other begins.
    fn apart(&mut self, a: (Term, Extent), b: (Term, Extent)) -> Result<Term, IllSorted> {
        let (a, b) = if a.0 < b.0 { (a, b) } else { (b, a) };
        let width = self.width(a.0);
        let mut ends_before = |(x, extent): (Term, Extent), y: Term| {
            let size = self.bits(u128::from(extent.size.max(1)), width);
            let end = self.apply("bvadd", &[x, size])?;
            self.apply("bvule", &[end, y])
        };
        let (before, behind) = (ends_before(a, b.0)?, ends_before(b, a.0)?);
        self.apply("or", &[before, behind])
    }

    /// The term as it is referred to.
    pub fn name(&self, term: Term) -> String {
        let node = &self.nodes[term.index()];
        match node.parts.is_empty() && !node.free {
            true => node.head.clone(),
            false => format!("t{}", term.0),
        }
    }

    /// The command that makes the term known to a solver; empty for a literal.
    pub fn definition(&self, term: Term) -> String {
        let node = &self.nodes[term.index()];
        if node.free {
            return format!("(declare-fun t{} () {})\n", term.0, node.sort);
        }
        if node.parts.is_empty() {
            return String::new();
        }
        let parts: Vec<String> = node.parts.iter().map(|&p| self.name(p)).collect();
        let (number, sort, head) = (term.0, node.sort, &node.head);
        format!(
            "(define-fun t{number} () {sort} ({head} {}))\n",
            parts.join(" ")
        )
    }
}
