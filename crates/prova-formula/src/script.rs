//! Terms: hash-consed, sort-checked, written in SMT-LIB 2.
//!
//! Every term has a number, greater than those of its parts, and is sent to a solver as a
//! definition of its own (`define-fun t7 …`): nothing nests, what is shared is sent once. Terms
//! that are written alike have equal numbers; with the simplifier, so have many that are equal.
//!
//! A question asserts the facts of all the terms in it, and that its objects do not overlap;
//! nothing else is ever assumed.

use crate::sort::{result, Sort};
use crate::{Error, NULL_PAGE};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(u32);

#[derive(Default)]
struct Node {
    sort: Sort,
    /// The operator, or for a literal the whole text.
    head: Rc<str>,
    parts: Rc<[Term]>,
    /// A constant that the solver chooses, rather than a definition or a literal.
    free: bool,
    facts: Vec<Term>,
    /// The constant is the address of an object of this size, which overlaps no other.
    size: Option<u64>,
    /// One of 128 bits per free constant in it: what a replacement cannot touch it passes by.
    mask: u128,
}

/// More reads than this are left in arrays.
const MOST_READS: usize = 300;

/// All terms.
pub struct Script {
    nodes: Vec<Node>,
    known: FxHashMap<Rc<str>, FxHashMap<Rc<[Term]>, Term>>,
    /// What was written over `$0`, `$1`, … before, and of which terms.
    pub(crate) said: FxHashMap<Rc<str>, FxHashMap<Rc<[Term]>, Term>>,
    /// Bit-vectors by value and width.
    numbers: FxHashMap<(u128, u32), Term>,
    /// Whether `simplify` is used. Nothing of it is, if not.
    pub(crate) simplifies: bool,
    /// Whether reads say what each of the writes before them would give, and questions are large
    /// and few: a solver may then take each as a whole.
    pub(crate) large: bool,
    /// The first thing that could not be built. Terms mean nothing then.
    pub error: Option<Error>,
}

/// What terms are replaced by, and what was replaced before.
#[derive(Default)]
pub struct Replacement {
    map: FxHashMap<Term, Term>,
    done: FxHashMap<Term, Term>,
    mask: u128,
    /// Both sides of each replacement are equal where it is used. So it may be used again on what
    /// another one has led to, which would be wrong for moving a claim to another state.
    equal: bool,
}

impl Replacement {
    /// For terms that are equal to what replaces them.
    pub(crate) fn of_equals() -> Replacement {
        Replacement { equal: true, ..Replacement::default() }
    }

    /// What a term as a whole is replaced by.
    pub(crate) fn value(&self, term: Term) -> Option<Term> {
        self.map.get(&term).copied()
    }
}

impl Script {
    /// No terms yet. They will be simplified, or stay as they are written.
    pub fn new(simplifies: bool) -> Script {
        Script {
            nodes: Vec::new(),
            known: FxHashMap::default(),
            said: FxHashMap::default(),
            numbers: FxHashMap::default(),
            simplifies,
            large: false,
            error: None,
        }
    }

    /// From now on there are few questions, and each is large.
    pub fn expect_large_questions(&mut self) {
        self.large = true;
    }

    fn add(&mut self, node: Node) -> Term {
        self.nodes.push(node);
        Term(self.nodes.len() as u32 - 1)
    }

    /// A new constant about which nothing is known.
    pub fn constant(&mut self, sort: Sort) -> Term {
        let mask = 1 << (self.nodes.len() % 128);
        self.add(Node { sort, free: true, mask, ..Node::default() })
    }

    /// A new address of an object of this size: above the null page, and so that the object ends
    /// before the address space does.
    pub fn object(&mut self, width: u32, size: u64) -> Term {
        let base = self.constant(Sort::Bits(width));
        self.nodes[base.0 as usize].size = Some(size);
        let last = (u64::MAX >> 64u32.saturating_sub(width)).saturating_sub(size);
        let [first, last] = [NULL_PAGE, last].map(|n| self.bits(n.into(), width));
        // Not applied: the simplifier knows of objects, and would call these true.
        for parts in [[first, base], [base, last]] {
            let fact = self.written(Sort::Bool, "bvule".into(), parts.into());
            self.assume(base, fact);
        }
        base
    }

    /// The size of the object whose address this constant is.
    pub(crate) fn size(&self, term: Term) -> Option<u64> {
        self.nodes[term.0 as usize].size
    }

    /// A literal: a truth value, binary digits `#b01`, or a rounding mode.
    pub fn literal(&mut self, text: &str) -> Term {
        if let Some(known) = self.built(text, &[]) {
            return known;
        }
        let sort = match (text.strip_prefix("#b"), text) {
            (Some(digits), _) => Sort::Bits(digits.len() as u32),
            (None, "true" | "false") => Sort::Bool,
            (None, _) => Sort::Mode,
        };
        let term = self.add(Node { sort, head: text.into(), ..Node::default() });
        self.known.entry(text.into()).or_default().insert([].into(), term);
        term
    }

    /// A truth value.
    pub fn boolean(&mut self, value: bool) -> Term {
        self.literal(if value { "true" } else { "false" })
    }

    /// A bit-vector; bits beyond its width are cut off.
    pub fn bits(&mut self, value: u128, width: u32) -> Term {
        if let Some(&known) = self.numbers.get(&(value, width)) {
            return known;
        }
        let digit = |i: u32| {
            if i < 128 && value >> i & 1 == 1 {
                '1'
            } else {
                '0'
            }
        };
        let digits: String = (0..width).rev().map(digit).collect();
        let term = self.literal(&format!("#b{digits}"));
        self.numbers.insert((value, width), term);
        term
    }

    /// The sort of a term.
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

    /// Whether it is a truth value or a bit-vector written down. Different ones are different.
    pub(crate) fn is_literal(&self, term: Term) -> bool {
        matches!(self.view(term).0.as_bytes(), [b'#', ..] | b"true" | b"false")
    }

    /// The operator at the top and its operands.
    pub fn view(&self, term: Term) -> (&str, &[Term]) {
        let node = &self.nodes[term.0 as usize];
        (&node.head, &node.parts)
    }

    /// Applies an operator. If the sorts do not allow it, that is a failure.
    pub fn apply(&mut self, head: &str, parts: &[Term]) -> Term {
        let applied = self.try_apply(head, parts);
        applied.unwrap_or_else(|error| self.fail(error))
    }

    /// Something cannot be said. What stands for it is meaningless; [`Script::error`] tells.
    pub fn fail(&mut self, error: Error) -> Term {
        self.error.get_or_insert(error);
        self.boolean(false)
    }

    /// An application or a literal that was built before.
    pub(crate) fn built(&self, head: &str, parts: &[Term]) -> Option<Term> {
        self.known.get(head)?.get(parts).copied()
    }

    /// Applies an operator, if the sorts allow it.
    pub fn try_apply(&mut self, head: &str, parts: &[Term]) -> Result<Term, Error> {
        if let Some(known) = self.built(head, parts) {
            return Ok(known);
        }
        let sorts: Vec<Sort> = parts.iter().map(|&p| self.sort(p)).collect();
        let Some(sort) = result(head, &sorts) else {
            let sorts: Vec<String> = sorts.iter().map(Sort::to_string).collect();
            return Err(Error(format!("`{head}` cannot be applied to {}", sorts.join(", "))));
        };
        let simple = if self.simplifies { self.simpler(head, parts) } else { None };
        let (name, all): (Rc<str>, Rc<[Term]>) = (head.into(), parts.into());
        let term = simple.unwrap_or_else(|| self.written(sort, name.clone(), all.clone()));
        self.known.entry(name).or_default().insert(all, term);
        if let ("fp.to_ieee_bv", [Sort::Float(e, s)]) = (head, &sorts[..]) {
            let float = self.apply(&format!("(_ to_fp {e} {s})"), &[term]);
            let same = self.apply("=", &[float, parts[0]]);
            self.assume(term, same);
        }
        Ok(term)
    }

    /// A term as it is written.
    fn written(&mut self, sort: Sort, head: Rc<str>, parts: Rc<[Term]>) -> Term {
        let mask = parts.iter().fold(0, |m, p| m | self.nodes[p.0 as usize].mask);
        // SMT-LIB cannot name the bits of a float: they are a constant with a fact.
        let free = &*head == "fp.to_ieee_bv";
        self.add(Node { sort, head, parts, free, mask, ..Node::default() })
    }

    /// A negation.
    pub fn not(&mut self, term: Term) -> Term {
        self.apply("not", &[term])
    }

    /// A conjunction or disjunction (`and`, `or`) of any number.
    pub fn junction(&mut self, head: &str, parts: &[Term]) -> Term {
        match parts {
            [] => self.boolean(head == "and"),
            [one] => *one,
            _ => self.apply(head, parts),
        }
    }

    /// Makes a fact known wherever the term is spoken of.
    pub fn assume(&mut self, term: Term, fact: Term) {
        self.nodes[term.0 as usize].facts.push(fact);
    }

    /// Adds a replacement.
    pub fn replace(&self, by: &mut Replacement, term: Term, value: Term) {
        if term != value {
            by.mask |= self.nodes[term.0 as usize].mask;
            by.map.insert(term, value);
            by.done.insert(term, value);
        }
    }

    /// The term with parts replaced, all at once.
    pub fn replaced(&mut self, term: Term, by: &mut Replacement) -> Term {
        if let Some(&done) = by.done.get(&term) {
            return done;
        }
        let mut work = vec![term];
        while let Some(&at) = work.last() {
            let node = &self.nodes[at.0 as usize];
            if by.done.contains_key(&at) {
                work.pop();
            } else if node.mask & by.mask == 0 || node.parts.is_empty() {
                by.done.insert(at, at);
            } else {
                let waiting = work.len();
                work.extend(node.parts.iter().filter(|p| !by.done.contains_key(p)));
                if work.len() == waiting {
                    let parts: Vec<Term> = node.parts.iter().map(|p| by.done[p]).collect();
                    let head = node.head.clone();
                    let new = self.apply(&head, &parts);
                    let new = if by.equal { self.again(new, by) } else { new };
                    by.done.insert(at, new);
                }
            }
        }
        by.done[&term]
    }

    /// The terms where facts hold: one of which a fact says what it equals is that. Nothing is lost or
    /// gained by it where the facts are asserted, too.
    pub fn given(&mut self, facts: &[Term], terms: &[Term]) -> Vec<Term> {
        let mut values = FxHashMap::default();
        for &fact in facts {
            let (term, value) = match self.view(fact) {
                ("=", &[a, b]) => (a, b),
                ("not", &[a]) => (a, self.boolean(false)),
                _ => (fact, self.boolean(true)),
            };
            values.insert(term, value);
        }
        terms.iter().map(|t| values.get(t).copied().unwrap_or(*t)).collect()
    }

    /// What a solver has to refute for one of the cases, each a conjunction, to follow from the
    /// facts: these cannot all hold. `None` if it is plain to see that one follows.
    pub fn refutation(&mut self, facts: &[Term], cases: &[Vec<Term>]) -> Option<Vec<Term>> {
        if self.simplifies {
            return self.open(facts, cases);
        }
        let mut assertions = facts.to_vec();
        for case in cases {
            let all = self.junction("and", case);
            assertions.push(self.not(all));
        }
        Some(assertions)
    }

    /// A question: can these hold together? It asserts the facts of all terms in it, too, and
    /// that its objects do not overlap; and it leaves nothing behind in the solver.
    pub fn question(&mut self, assertions: &[Term]) -> String {
        let mut asserted: BTreeSet<Term> = assertions.iter().copied().collect();
        let (mut seen, mut work) = (BTreeSet::new(), assertions.to_vec());
        let mut objects: Vec<(Term, u64)> = Vec::new();
        while let Some(at) = work.pop() {
            if !seen.insert(at) {
                continue;
            }
            let node = &self.nodes[at.0 as usize];
            work.extend(node.parts.iter().chain(&node.facts));
            asserted.extend(&node.facts);
            if let Some(size) = node.size {
                let apart = objects.clone().into_iter().map(|o| self.apart((at, size), o));
                let apart: Vec<Term> = apart.collect();
                asserted.extend(&apart);
                work.extend(apart);
                objects.push((at, size));
            }
        }
        // In the order of their numbers each term comes behind its parts.
        if self.large {
            return self.large_question(&seen, &asserted);
        }
        let mut text = String::from("(push 1)\n");
        seen.iter().for_each(|&t| text += &self.definition(t));
        asserted.iter().for_each(|&t| text += &format!("(assert {})\n", self.name(t)));
        text + "(check-sat)\n(pop 1)\n"
    }

    /// A question that stands alone. If arrays are only read, what is read at an address is a
    /// constant, and two of them are equal where the addresses are: it is about bits then, and says so
    /// in its first line.
    fn large_question(&self, seen: &BTreeSet<Term>, asserted: &BTreeSet<Term>) -> String {
        let arrays = |t: &Term| matches!(self.sort(*t), Sort::Array(..));
        let read = |t: &&Term| self.view(**t).0 == "select";
        let reads: Vec<Term> = seen.iter().filter(read).copied().collect();
        let only_read = seen.iter().filter(|t| arrays(t)).all(|t| self.nodes[t.0 as usize].free)
            && !seen.iter().any(|t| !read(&t) && self.view(*t).1.iter().any(arrays));
        let flat = self.simplifies && only_read && reads.len() < MOST_READS;
        let floats = |t: &Term| matches!(self.sort(*t), Sort::Float(..) | Sort::Mode);
        let bits = !seen.iter().any(floats) && (flat || reads.is_empty() && only_read);
        let mut text = String::from(if bits { "; QF_BV\n" } else { "" });
        for t in seen.iter().filter(|t| !(flat && arrays(t))) {
            text += &match flat && read(&t) {
                true => format!("(declare-fun t{} () {})\n", t.0, self.sort(*t)),
                false => self.definition(*t),
            };
        }
        for (i, &a) in reads.iter().enumerate().filter(|_| flat) {
            for &b in &reads[..i] {
                let (x, y) = (self.view(a).1, self.view(b).1);
                if x[0] == y[0] {
                    let [p, q] = [x[1], y[1]].map(|t| self.name(t));
                    text += &format!("(assert (=> (= {p} {q}) (= t{} t{})))\n", a.0, b.0);
                }
            }
        }
        asserted.iter().for_each(|&t| text += &format!("(assert {})\n", self.name(t)));
        text + "(check-sat)\n(reset-assertions)\n"
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

    /// The term as it is referred to.
    fn name(&self, term: Term) -> String {
        let node = &self.nodes[term.0 as usize];
        match node.parts.is_empty() && !node.free {
            true => node.head.to_string(),
            false => format!("t{}", term.0),
        }
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
