//! Clauses of CBMC's, which the parser does not take, as calls of ours that it does:
//!
//! | in the program | as parsed |
//! |---|---|
//! | `f(…) __CPROVER_requires(a) {…}` | `f(…) { __prova_requires(a); …}` |
//! | the same with `;` instead of a body | without the clauses |
//! | `while (c) __CPROVER_loop_invariant(a) {…}` | `while (c) { __prova_invariant(a); …}` |
//! | `__CPROVER_assigns(a, b)`, `prova_assigns(a, b)` | `__prova_assigns(&(a), &(b))` |
//! | `__CPROVER_forall { T i; (a <= i && i < b) ==> c }`, or `i >= a` | `__prova_forall(i, a, b, c)` |
//! | `a ==> b` | `!(a) || (b)` |
//!
//! A quantifier of another shape is left as a call of its name, which is not modelled.

use crate::fixups::Fix;

/// Clauses behind the declarator of a function.
const OF_FUNCTIONS: &[(&str, &str)] = &[
    ("__CPROVER_requires", "__prova_requires"),
    ("__CPROVER_ensures", "__prova_ensures"),
    ("__CPROVER_assigns", "__prova_assigns"),
    ("__CPROVER_frees", ""),
];

/// Clauses behind the head of a loop.
const OF_LOOPS: &[(&str, &str)] = &[
    ("__CPROVER_loop_invariant", "__prova_invariant"),
    ("__CPROVER_decreases", "__prova_decreases"),
    ("__CPROVER_assigns", ""),
];

/// Names that only change.
const RENAMED: &[(&str, &str)] = &[
    ("__CPROVER_return_value", "__prova_result"),
    ("__CPROVER_old", "__prova_old"),
    ("__CPROVER_is_fresh", "__prova_fresh"),
    ("__CPROVER_object_upto", "__prova_range"),
    ("__CPROVER_object_whole", "__prova_whole"),
    ("__CPROVER_object_from", "__prova_from"),
];

/// Whether a word begins a clause.
pub(crate) fn is_clause(word: &str) -> bool {
    let all = OF_FUNCTIONS.iter().chain(OF_LOOPS);
    word.starts_with("__CPROVER_") && all.into_iter().any(|(name, _)| *name == word)
}

impl Fix<'_> {
    /// Looks at a word of these; gives where to go on, if it is one.
    pub(crate) fn clause(&mut self, at: usize, word: &str) -> Option<usize> {
        if word == "__prova_assigns" {
            self.targets(at);
            return Some(at + 1);
        }
        if !word.starts_with("__CPROVER_") {
            return None;
        }
        if let Some((_, ours)) = RENAMED.iter().find(|(name, _)| *name == word) {
            self.replace_token(at, *ours);
            return Some(at + 1);
        }
        match word {
            "__CPROVER_forall" | "__CPROVER_exists" => Some(self.quantifier(at, word)),
            _ if is_clause(word) => self.clauses(at),
            _ => None,
        }
    }

    /// What a function may write, as addresses.
    fn targets(&mut self, at: usize) {
        for (from, to) in self.arguments(at + 1) {
            self.insert(self.code.start(from), "&(");
            self.insert(self.code.end(to), ")");
        }
    }

    /// All clauses from `at` on; gives the index of the first word inside of them.
    fn clauses(&mut self, at: usize) -> Option<usize> {
        let code = self.code;
        let mut each = Vec::new();
        let mut next = at;
        while is_clause(code.word(next)) {
            let close = code
                .close(next + 1)
                .filter(|_| code.word(next + 1) == "(")?;
            each.push((next, close));
            next = close + 1;
        }
        let before = at.checked_sub(1)?;
        let of_loop = match code.word(before) {
            "do" => true,
            ")" => {
                let open = code.opening(before)?;
                open > 0 && matches!(code.word(open - 1), "while" | "for")
            }
            _ => false,
        };
        let table = if of_loop { OF_LOOPS } else { OF_FUNCTIONS };
        if code.word(next) != "{" {
            // A declaration, or a loop whose body is no block.
            for (from, to) in each {
                self.blank_tokens(from, to);
            }
            return Some(next);
        }
        self.insert(code.start(at), "{ ");
        for &(from, to) in &each {
            let ours = table.iter().find(|(name, _)| *name == code.word(from));
            let ours = ours.map_or("", |(_, ours)| *ours);
            let inside = (from + 2..to).any(|i| matches!(code.word(i), ":" | ";"));
            if ours.is_empty() || (ours == "__prova_assigns" && inside) {
                self.blank_tokens(from, to);
                continue;
            }
            self.replace_token(from, ours);
            self.insert(code.end(to), ";");
            if ours == "__prova_assigns" {
                self.targets(from);
            }
        }
        self.blank_tokens(next, next);
        // What stands inside of the clauses is edited like anything else.
        self.done.insert(next);
        for &(from, _) in &each {
            self.done.insert(from);
        }
        Some(at + 1)
    }

    /// A quantifier; gives where to go on.
    fn quantifier(&mut self, at: usize, word: &str) -> usize {
        let code = self.code;
        let open = at + 1;
        let Some(close) = code.close(open).filter(|_| code.word(open) == "{") else {
            return at + 1;
        };
        match self.bounded(at, open, close, word == "__CPROVER_forall") {
            Some(next) => next,
            None => {
                self.replace_lines(at, close, format!("{word}()"));
                close + 1
            }
        }
    }

    /// `{ T i; (low <= i && i < high) ==> e }`, or with `&&`.
    fn bounded(&mut self, at: usize, open: usize, close: usize, all: bool) -> Option<usize> {
        let code = self.code;
        let end = (open..close).find(|&i| code.word(i) == ";")?;
        let variable = code.word(end - 1);
        let low = end + 1;
        let inside = code.close(low).filter(|_| code.word(low) == "(")?;
        // `low <= i`, or `i >= low`.
        let turned = code.word(low + 1) == variable && code.word(low + 2) == ">=";
        let mut less = if turned { low + 3 } else { low + 1 };
        let from = less;
        let end_of_low = if turned { "&&" } else { "<=" };
        while less < inside && code.word(less) != end_of_low {
            less = code.behind(less);
        }
        let shape: &[&str] = match turned {
            true => &["&&", variable, "<"],
            false => &["<=", variable, "&&", variable, "<"],
        };
        if end < open + 2 || less == from || less + shape.len() >= inside {
            return None;
        }
        if (0..shape.len()).any(|i| code.word(less + i) != shape[i]) {
            return None;
        }
        let mut high = less + shape.len();
        while high < inside {
            if matches!(code.word(high), "&&" | "||" | "?" | ",") {
                return None;
            }
            high = code.behind(high);
        }
        let behind = inside + 1;
        let body = match (all, code.word(behind), code.word(behind + 1)) {
            (true, "==", ">") => behind + 2,
            (false, "&&", _) => behind + 1,
            _ => return None,
        };
        self.replace_token(
            at,
            if all {
                "__prova_forall("
            } else {
                "__prova_exists("
            },
        );
        self.blank_tokens(open, end - 2);
        self.replace_token(end, ", ");
        self.blank_tokens(low, from - 1);
        self.replace_token(less, ", ");
        self.blank_tokens(less + 1, less + shape.len() - 1);
        self.replace_token(inside, ", ");
        self.blank_tokens(behind, body - 1);
        self.replace_token(close, ")");
        for i in [open, end, low, inside, close, behind, behind + 1, less] {
            self.done.insert(i);
        }
        Some(at + 1)
    }

    /// `a ==> b`: the comparison and the sign behind it are one.
    pub(crate) fn implication(&mut self, at: usize) -> bool {
        let code = self.code;
        let one = code.word(at) == "==" && code.word(at + 1) == ">";
        if !one || code.end(at) != code.start(at + 1) {
            return false;
        }
        let mut from = at;
        while from > 0 {
            let previous = from - 1;
            match code.word(previous) {
                ")" | "]" | "}" => match code.opening(previous) {
                    Some(open) => from = open,
                    None => return false,
                },
                "(" | "[" | "{" | "," | ";" | "return" | "=" | ">" => break,
                _ => from = previous,
            }
        }
        let mut to = at + 2;
        while to < code.len() && !matches!(code.word(to), ")" | "]" | "}" | "," | ";") {
            to = code.behind(to);
        }
        self.insert(code.start(from), "!(");
        self.replace_token(at, ") || (");
        self.blank_tokens(at + 1, at + 1);
        self.insert(code.end(to - 1), ")");
        self.done.insert(at + 1);
        true
    }
}
