//! The simplifications there are. Each is an equality that holds for all values (or by the facts
//! that a query would assert: that objects do not overlap, and lie above the null page), and each
//! spares queries. `tests/simplify.rs` has a solver check them. No rule recurses along a chain of
//! terms: a certificate could make it as long as it likes.

use crate::script::{Replacement, Script, Term};
use crate::NULL_PAGE;

/// A read that may be of more writes than this is left to the solver.
const MOST_MET: usize = 300;

/// Operators that are said with others.
const OTHERWISE: [(&str, &str); 8] = [
    ("=>", "(or (not $0) $1)"),
    ("xor", "(not (= $0 $1))"),
    ("bvule", "(not (bvult $1 $0))"),
    ("bvsle", "(not (bvslt $1 $0))"),
    ("bvuge", "(not (bvult $0 $1))"),
    ("bvsge", "(not (bvslt $0 $1))"),
    ("bvugt", "(bvult $1 $0)"),
    ("bvsgt", "(bvslt $1 $0)"),
];

impl Script {
    /// A term that equals this application, if a simpler one is known.
    pub(crate) fn simpler(&mut self, head: &str, parts: &[Term]) -> Option<Term> {
        if let Some(folded) = self.folded(head, parts) {
            return Some(folded);
        }
        if let Some((_, other)) = OTHERWISE.iter().find(|o| o.0 == head) {
            return Some(self.say(other, parts));
        }
        match (head, parts) {
            ("and" | "or", _) => self.simpler_junction(head, parts),
            ("not", &[a]) => match self.view(a) {
                ("not", &[inner]) => Some(inner),
                _ => None,
            },
            ("ite", &[c, a, b]) => match self.view(c) {
                ("true", _) => Some(a),
                ("false", _) => Some(b),
                _ if a == b => Some(a),
                ("not", &[other]) => Some(self.apply("ite", &[other, b, a])),
                _ => match (self.view(a), self.view(b)) {
                    (("ite", &[d, x, _]), _) if d == c => Some(self.apply("ite", &[c, x, b])),
                    (_, ("ite", &[d, _, y])) if d == c => Some(self.apply("ite", &[c, a, y])),
                    _ => None,
                },
            },
            ("=", &[a, b]) => self.simpler_equality(a, b),
            ("bvadd" | "bvmul" | "bvand" | "bvor" | "bvxor", &[a, b, ref rest @ ..]) => {
                if !rest.is_empty() {
                    let first = self.apply(head, &[a, b]);
                    let join = |all, &next: &Term| self.apply(head, &[all, next]);
                    return Some(rest.iter().fold(first, join));
                }
                // A number comes last; else the older term comes first.
                if self.order(a) > self.order(b) {
                    return Some(self.apply(head, &[b, a]));
                }
                let ((x, m), n) = (self.split(a), self.number(b).filter(|_| head == "bvadd")?);
                let sum = self.bits(m.wrapping_add(n), self.width(b));
                match x {
                    _ if n == 0 => Some(a),
                    Some(x) if x != a => Some(self.apply(head, &[x, sum])),
                    _ => None,
                }
            }
            ("bvsub", &[a, b]) => {
                let less = self.number(b)?.wrapping_neg();
                let less = self.bits(less, self.width(b));
                Some(self.apply("bvadd", &[a, less]))
            }
            ("bvult" | "bvslt", &[a, b]) => self.simpler_less(head, a, b),
            ("select", &[memory, at]) => {
                if let Some(value) = self.stored(memory, at) {
                    return Some(value);
                }
                let mut below = memory;
                let mut met = Vec::new();
                while let ("store", &[next, there, value]) = self.view(below) {
                    if !self.differ(there, at) {
                        if !self.large || met.len() == MOST_MET {
                            break;
                        }
                        met.push((there, value));
                    }
                    below = next;
                }
                if below == memory {
                    return None;
                }
                let mut value = self.apply("select", &[below, at]);
                for (there, written) in met.into_iter().rev() {
                    let here = self.apply("=", &[there, at]);
                    value = self.apply("ite", &[here, written, value]);
                }
                Some(value)
            }
            ("store", &[memory, at, value]) => match self.view(memory) {
                ("store", &[below, there, _]) if there == at => {
                    Some(self.apply("store", &[below, at, value]))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn simpler_junction(&mut self, head: &str, parts: &[Term]) -> Option<Term> {
        let (neutral, other) = (self.boolean(head == "and"), self.boolean(head == "or"));
        let mut kept: Vec<Term> = parts.iter().copied().filter(|&p| p != neutral).collect();
        kept.sort_unstable();
        kept.dedup();
        match kept[..] {
            _ if kept.contains(&other) => Some(other),
            [] => Some(neutral),
            [one] => Some(one),
            _ => (kept != parts).then(|| self.apply(head, &kept)),
        }
    }

    fn simpler_equality(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b || self.is_literal(a) && self.is_literal(b) {
            return Some(self.boolean(a == b));
        }
        if self.order(a) > self.order(b) {
            return Some(self.apply("=", &[b, a]));
        }
        match self.view(b).0 {
            "true" => return Some(a),
            "false" => return Some(self.not(a)),
            _ => {}
        }
        if self.width(a) == 0 || self.width(a) > 128 {
            return None;
        }
        let ((x, m), (_, n)) = (self.split(a), self.split(b));
        let low = self.number(b).is_some_and(|n| n < NULL_PAGE.into());
        if self.differ(a, b) || low && self.inside(a) {
            return Some(self.boolean(false));
        }
        // What is added to both sides does not matter.
        if let (("bvadd", &[p, q]), ("bvadd", &[r, s])) = (self.view(a), self.view(b)) {
            let rest = [(p, r, q, s), (p, s, q, r), (q, r, p, s), (q, s, p, r)];
            if let Some(&(_, _, y, z)) = rest.iter().find(|(x, same, _, _)| x == same) {
                return Some(self.apply("=", &[y, z]));
            }
        }
        let literal = self.is_literal(b);
        if let (true, (head, &[inner])) = (literal, self.view(a)) {
            if head.starts_with("(_ zero_extend") {
                let width = self.width(inner);
                let low = self.bits(n, width);
                return Some(match n.checked_shr(width) {
                    Some(0) | None => self.apply("=", &[inner, low]),
                    Some(_) => self.boolean(false),
                });
            }
        }
        match (self.view(a), x) {
            (_, Some(x)) if literal && m != 0 => {
                let number = self.bits(n.wrapping_sub(m), self.width(b));
                Some(self.apply("=", &[x, number]))
            }
            // A choice of numbers with zeros above; of nothing else, for that could go on.
            ((head, &[inner]), _) if literal && self.view(inner).0 == "ite" => {
                let width = self.width(inner);
                let fits = n.checked_shr(width).unwrap_or(0) == 0;
                head.starts_with("(_ zero_extend ").then(|| {
                    let low = self.bits(n, width);
                    match fits {
                        true => self.apply("=", &[inner, low]),
                        false => self.boolean(false),
                    }
                })
            }
            // What C makes of a truth value: `(c ? 1 : 0) == 0`.
            (("ite", &[c, p, q]), _) if [p, q, b].iter().all(|&t| self.is_literal(t)) => {
                Some(match (p == b, q == b) {
                    (true, _) => c,
                    (false, true) => self.not(c),
                    (false, false) => self.boolean(false),
                })
            }
            _ => None,
        }
    }

    /// `a < b`. A number stands on the right.
    fn simpler_less(&mut self, head: &str, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if a == b {
            return Some(self.boolean(false));
        }
        if let Some(n) = self.number(a) {
            let most = u128::MAX >> (128 - width) >> u32::from(head == "bvslt");
            if n == most {
                return Some(self.boolean(false));
            }
            let next = self.bits(n.wrapping_add(1), width);
            let least = self.apply(head, &[b, next]);
            return Some(self.not(least));
        }
        let most = if self.inside(a) { NULL_PAGE.into() } else { 0 };
        let low = head == "bvult" && self.number(b).is_some_and(|n| n <= most);
        low.then(|| self.boolean(false))
    }

    /// Where a term stands among the operands of an operator that does not mind.
    fn order(&self, term: Term) -> (bool, Term) {
        (self.is_literal(term), term)
    }

    /// The value of a bit-vector literal, if it has at most 128 bits.
    pub(crate) fn number(&self, term: Term) -> Option<u128> {
        let digits = self.view(term).0.strip_prefix("#b").filter(|d| d.len() <= 128)?;
        u128::from_str_radix(digits, 2).ok()
    }

    /// A term as another one and a number added to it, or as a number alone.
    fn split(&self, term: Term) -> (Option<Term>, u128) {
        match (self.number(term), self.view(term)) {
            (Some(n), _) => (None, n),
            (None, ("bvadd", &[a, b])) => self.number(b).map_or((Some(term), 0), |n| (Some(a), n)),
            _ => (Some(term), 0),
        }
    }

    /// Whether it is an address inside an object.
    fn inside(&self, address: Term) -> bool {
        let (base, offset) = self.split(address);
        base.and_then(|b| self.size(b)).is_some_and(|size| offset < size.into())
    }

    /// Whether two numbers or addresses surely differ.
    fn differ(&self, a: Term, b: Term) -> bool {
        let ((x, m), (y, n)) = (self.split(a), self.split(b));
        if x == y {
            m != n
        } else {
            self.inside(a) && self.inside(b)
        }
    }

    /// What a memory holds at an address, if all stores that may have written there have written
    /// the same: then it does not matter which of them did.
    fn stored(&self, memory: Term, at: Term) -> Option<Term> {
        let (mut below, mut found) = (memory, None);
        loop {
            let (value, last) = match self.view(below) {
                ("store", &[next, there, value]) => {
                    below = next;
                    if self.differ(there, at) {
                        continue;
                    }
                    (value, there == at)
                }
                (constant, &[value]) if constant.starts_with("(as const") => (value, true),
                _ => return None,
            };
            match *found.get_or_insert(value) == value {
                true if last => return found,
                true => {}
                false => return None,
            }
        }
    }

    /// What an operator makes of numbers.
    fn folded(&mut self, head: &str, parts: &[Term]) -> Option<Term> {
        let first = self.view(*parts.first()?).0;
        if let ("not", "true" | "false") = (head, first) {
            return Some(self.boolean(first == "false"));
        }
        let numbers = parts.iter().map(|&p| self.number(p)).collect::<Option<Vec<_>>>()?;
        let width = self.width(parts[0]);
        let signed = |n: u128| (n << (128 - width)) as i128 >> (128 - width);
        let (value, to) = match (head, &numbers[..]) {
            ("bvult", &[a, b]) => return Some(self.boolean(a < b)),
            ("bvslt", &[a, b]) => return Some(self.boolean(signed(a) < signed(b))),
            ("bvadd", &[a, b]) => (a.wrapping_add(b), width),
            ("bvmul", &[a, b]) => (a.wrapping_mul(b), width),
            ("bvand", &[a, b]) => (a & b, width),
            ("bvor", &[a, b]) => (a | b, width),
            ("bvxor", &[a, b]) => (a ^ b, width),
            ("bvshl", &[a, b]) if b < width.into() => (a << b, width),
            ("bvlshr", &[a, b]) if b < width.into() => (a >> b, width),
            ("bvshl" | "bvlshr", &[_, _]) => (0, width),
            ("bvudiv", &[a, b]) if b != 0 => (a / b, width),
            ("bvurem", &[a, b]) if b != 0 => (a % b, width),
            ("bvnot", &[a]) => (!a, width),
            ("bvneg", &[a]) => (a.wrapping_neg(), width),
            ("concat", &[a, b]) => {
                let low = self.width(parts[1]);
                (a.checked_shl(low).unwrap_or(0) | b, width + low)
            }
            (_, &[a]) => {
                let words: Vec<&str> = head.split([' ', ')']).collect();
                let number = |word: &str| word.parse::<u32>().ok();
                match words[..] {
                    ["(_", "extract", h, l, ..] => (a >> number(l)?, number(h)? - number(l)? + 1),
                    ["(_", "zero_extend", n, ..] => (a, width + number(n)?),
                    ["(_", "sign_extend", n, ..] => (signed(a) as u128, width + number(n)?),
                    _ => return None,
                }
            }
            _ => return None,
        };
        (to <= 128).then(|| self.bits(value, to))
    }

    /// What a solver has to refute for one of the cases to follow from the facts, of each case only
    /// what these leave open; `None` if one does follow.
    pub(crate) fn open(&mut self, facts: &[Term], cases: &[Vec<Term>]) -> Option<Vec<Term>> {
        let [truth, falsity] = [true, false].map(|b| self.boolean(b));
        let mut assertions = facts.to_vec();
        // If these cannot hold together, everything follows.
        let mut known = self.known(facts)?;
        let ranges = self.ranges(facts);
        if ranges.empty {
            return None;
        }
        let mut left = Vec::new();
        for case in cases {
            let mut open = Vec::new();
            let failed = case.iter().any(|&t| {
                let now = self.replaced(t, &mut known);
                let now = match self.decided(&ranges, now) {
                    Some(true) => truth,
                    Some(false) => falsity,
                    None => now,
                };
                open.extend((now != truth).then_some(now));
                now == falsity
            });
            if open.is_empty() {
                return None;
            }
            if !failed {
                let all = self.junction("and", &open);
                assertions.push(self.not(all));
                left.push(open);
            }
        }
        if !left.is_empty() && self.cover(&ranges, &left) {
            return None;
        }
        (!self.out_of_bounds(&assertions)).then_some(assertions)
    }

    /// What these facts make of other terms, as far as that is plain; `None` if they contradict
    /// each other. Only equal terms ever replace each other, so what this overlooks is asked.
    fn known(&mut self, facts: &[Term]) -> Option<Replacement> {
        let mut by = Replacement::of_equals();
        let [truth, falsity] = [true, false].map(|b| self.boolean(b));
        // What is replaced has a greater number than its parts: the smallest come first.
        let mut work: Vec<(Term, Term)> = facts.iter().map(|&f| (self.rule(f).0, f)).collect();
        work.sort_unstable_by(|a, b| b.cmp(a));
        while let Some((_, said)) = work.pop() {
            let fact = self.replaced(said, &mut by);
            self.replace(&mut by, said, truth);
            self.replace(&mut by, fact, truth);
            let (value, inner) = match self.view(fact) {
                ("not", &[inner]) => (falsity, inner),
                _ => (truth, fact),
            };
            match (self.view(inner), value == truth) {
                (("true", _), true) => {}
                (("false", _), true) => return None,
                (("and", parts), true) => work.extend(parts.iter().map(|&p| (p, p))),
                (("or", parts), false) => {
                    let parts = parts.to_vec();
                    work.extend(parts.into_iter().map(|p| (p, self.not(p))));
                }
                _ => {
                    let (term, value) = self.rule(fact);
                    self.replace(&mut by, term, value);
                }
            }
        }
        Some(by)
    }

    /// What facts make of a term that others were replaced in: a load does not see a store which
    /// by the facts is elsewhere.
    pub(crate) fn again(&mut self, mut term: Term, by: &Replacement) -> Term {
        let falsity = self.boolean(false);
        while let ("select", &[memory, at]) = self.view(term) {
            let ("store", &[below, there, _]) = self.view(memory) else { break };
            let mut pair = [there, at];
            pair.sort_by_key(|&t| self.order(t));
            if self.built("=", &pair).and_then(|same| by.value(same)) != Some(falsity) {
                break;
            }
            term = self.apply("select", &[below, at]);
        }
        by.value(term).unwrap_or(term)
    }

    /// What a fact says equals what. The one with the greater number is replaced, without what is
    /// added to it, and never a literal.
    fn rule(&mut self, fact: Term) -> (Term, Term) {
        match self.view(fact) {
            ("=", &[a, b]) if self.is_literal(b) => (a, b),
            ("=", &[a, b]) => {
                let ((x, m), (y, n)) = (self.split(a), self.split(b));
                let (from, to) = if x > y { ((x, m), (y, n)) } else { ((y, n), (x, m)) };
                let difference = self.bits(to.1.wrapping_sub(from.1), self.width(a));
                let (from, to) = (from.0.unwrap_or(a), to.0.unwrap_or(b));
                match m == n {
                    true => (from, to),
                    false => (from, self.apply("bvadd", &[to, difference])),
                }
            }
            ("not", &[a]) => (a, self.boolean(false)),
            _ => (fact, self.boolean(true)),
        }
    }
}
