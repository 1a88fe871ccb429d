//! What a proof knows of procedures that were not inlined, in C as far as it goes.

use crate::facts::{plain, shortened};
use prova_ir::{LocId, Role, Span};
use prova_logic::Term;
use prova_task::{Contract, Proof};

/// A contract in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The procedure's name.
    pub function: String,
    /// Where it is defined.
    pub span: Span,
    /// What must hold when it is entered; empty if nothing.
    pub requires: String,
    /// What holds when it returns; empty if nothing is known.
    pub ensures: String,
    /// Whether no error happens in it.
    pub safe: bool,
}

/// Longer texts are counted, not printed.
const LONGEST: usize = 100;

/// All contracts of a proof, by procedure, without those that say nothing new.
pub fn contracts(proof: &Proof) -> Vec<Told> {
    let mut told: Vec<Told> = Vec::new();
    // The first one is the program's own.
    for contract in proof.contracts.iter().skip(1) {
        let procedure = proof.program.procedure(contract.procedure);
        let Some(body) = &procedure.body else {
            continue;
        };
        let at = |location: LocId| {
            let mut invariants = contract.invariants.iter();
            let found = invariants.find(|i| i.location == location);
            found.map(|i| i.cases.as_slice())
        };
        let text = |t: &Term| words(proof, contract, *t);
        // When it is entered, old values are the values.
        let requires = at(body.entry).map_or(String::new(), |cases| {
            disjunction(cases.iter().map(|case| {
                let mut facts: Vec<String> = case.iter().map(text).collect();
                facts.retain(|f| !f.contains("old("));
                facts
            }))
        });
        let own: Vec<&str> = proof
            .program
            .registers
            .iter()
            .filter(|r| r.owner == Some(contract.procedure) && r.role != Role::Result)
            .map(|r| r.name.as_str())
            .collect();
        // What the caller cannot see says nothing to it.
        let seen = |t: &&Term| {
            let text = proof.terms.display(**t).to_string();
            !text.split(|c| !is_name(c)).any(|w| own.contains(&w))
        };
        let ensures = match at(body.exit) {
            Some([]) => "it never returns".into(),
            Some(cases) => disjunction(cases.iter().map(|case| {
                let mut facts: Vec<String> = case.iter().filter(seen).map(text).collect();
                // Facts about old values alone are no news; results come first.
                facts.retain(|f| !only_old(f));
                facts.sort_by_key(|f| !f.contains("return"));
                facts
            })),
            None => String::new(),
        };
        let one = Told {
            function: procedure.c_name.clone(),
            span: procedure.span,
            requires,
            ensures,
            safe: !contract.partial,
        };
        if !told.contains(&one) && (one.safe || !one.ensures.is_empty()) {
            told.push(one);
        }
    }
    told.sort_by(|a, b| (a.span, &a.function).cmp(&(b.span, &b.function)));
    told
}

/// A fact of a contract, with `old(x)` for values at the entry.
pub(crate) fn words(proof: &Proof, contract: &Contract, t: Term) -> String {
    let mut text = proof.terms.display(t).to_string();
    for &(old, of) in &contract.olds {
        let name = proof.terms.display(old).to_string();
        let of = proof.terms.display(of).to_string();
        text = replace_word(&text, &name, &format!("old({of})"));
    }
    ghosts(&plain(&proof.program, &text))
}

/// Whether a fact speaks of values at the entry and of nothing else.
fn only_old(fact: &str) -> bool {
    let mut rest = fact.to_string();
    while let Some(at) = rest.find("old(") {
        let Some(end) = rest[at..].find(')') else {
            break;
        };
        rest.replace_range(at..at + end + 1, "");
    }
    fact.contains("old(") && !rest.contains(|c: char| c.is_alphabetic())
}

/// Cases, each a conjunction, in one line; empty if they say nothing.
fn disjunction(cases: impl Iterator<Item = Vec<String>>) -> String {
    let mut cases: Vec<Vec<String>> = cases.collect();
    cases.sort();
    cases.dedup();
    match cases.as_slice() {
        [one] => first_ones(one),
        many if many.iter().any(Vec::is_empty) => String::new(),
        many => {
            let each: Vec<String> = many.iter().map(|c| format!("({})", shortened(c))).collect();
            cut(each.join(" || "), many.len())
        }
    }
}

impl Told {
    /// In one line.
    pub fn text(&self) -> String {
        let mut parts = Vec::new();
        if !self.requires.is_empty() {
            parts.push(format!("requires {}", self.requires));
        }
        if !self.ensures.is_empty() {
            parts.push(format!("ensures {}", self.ensures));
        }
        if self.safe {
            parts.push("reaches no error".into());
        }
        parts.join("; ")
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '#')
}

/// The facts that fit a line, in their order, and how many more there are.
fn first_ones(facts: &[String]) -> String {
    let mut text = String::new();
    for (i, fact) in facts.iter().enumerate() {
        if i > 0 && text.chars().count() + fact.chars().count() > LONGEST {
            return format!("{text} and {} more", facts.len() - i);
        }
        if i > 0 {
            text += " && ";
        }
        text += fact;
    }
    text
}

/// A disjunction that fits a line, or how long it is.
fn cut(text: String, cases: usize) -> String {
    match text.chars().count() > LONGEST {
        true => format!("one of {cases} cases"),
        false => text,
    }
}

/// Replaces a name where it stands alone.
fn replace_word(text: &str, word: &str, with: &str) -> String {
    let mut told = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let behind = &rest[at + word.len()..];
        let alone = !rest[..at].ends_with(is_name) && !behind.starts_with(is_name);
        told += &rest[..at];
        told += if alone { with } else { word };
        rest = behind;
    }
    told + rest
}

/// Constants of the caller that a callee does not know: `ghost.0:…` is `any$0`.
pub(crate) fn ghosts(text: &str) -> String {
    let mut told = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("ghost.") {
        told += &rest[..at];
        rest = &rest[at + 6..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        told += &format!("any${}", &rest[..digits]);
        rest = &rest[digits..];
        rest = without_sort(rest);
    }
    told + rest
}

/// A text without the sort that it begins with: `:(_ BitVec 32) < x` is ` < x`.
fn without_sort(text: &str) -> &str {
    let Some(sort) = text.strip_prefix(':') else {
        return text;
    };
    let mut depth = 0;
    for (i, c) in sort.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            _ if depth > 0 || c.is_alphanumeric() => {}
            _ => return &sort[i..],
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_where_they_stand_alone() {
        assert_eq!(ghosts("x == ghost.1:(_ BitVec 32) + 1"), "x == any$1 + 1");
        assert_eq!(
            replace_word("old.1.0 < old.1.01", "old.1.0", "old(n)"),
            "old(n) < old.1.01"
        );
    }
}
