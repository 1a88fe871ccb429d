//! What a proof knows of procedures that were not inlined, in C as far as it goes.

use crate::facts::{plain, shortened};
use prova_engine::{Promise, Proof};
use prova_ir::Span;
use prova_logic::Term;

/// A contract in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The procedure's name.
    pub function: String,
    /// Where it is defined.
    pub span: Span,
    /// What must hold when it is entered; empty if nothing.
    pub requires: String,
    /// What is promised then.
    pub promises: String,
}

/// Longer texts are counted, not printed.
const LONGEST: usize = 100;

/// All contracts of a proof, by procedure, without those that say nothing new.
pub fn contracts(proof: &Proof) -> Vec<Told> {
    let mut told: Vec<Told> = Vec::new();
    for contract in &proof.contracts {
        let text = |t: Term| {
            let mut text = proof.terms.display(t).to_string();
            for &(old, of) in &contract.olds {
                let name = proof.terms.display(old).to_string();
                let of = proof.terms.display(of).to_string();
                text = replace_word(&text, &name, &format!("old({of})"));
            }
            ghosts(&plain(&proof.program, &text))
        };
        let all = |facts: &[Term]| -> Vec<String> { facts.iter().map(|&f| text(f)).collect() };
        // When it is entered, old values are the values.
        let now = |c: &Vec<Term>| -> Vec<String> {
            let mut facts = all(c);
            facts.retain(|f| !f.contains("old("));
            facts
        };
        let mut cases: Vec<Vec<String>> = contract.requires.iter().map(now).collect();
        cases.sort();
        cases.dedup();
        let requires = match cases.as_slice() {
            [one] => shortened(one),
            many if many.iter().any(Vec::is_empty) => String::new(),
            many => {
                let each: Vec<String> =
                    many.iter().map(|c| format!("({})", shortened(c))).collect();
                cut(each.join(" || "), many.len())
            }
        };
        // What the caller cannot see says nothing to it.
        let own: Vec<&str> = proof
            .program
            .registers
            .iter()
            .filter(|r| r.owner == Some(contract.procedure) && r.role != prova_ir::Role::Result)
            .map(|r| r.name.as_str())
            .collect();
        let seen = |facts: &[Term]| -> Vec<String> {
            let own_term = |t: &&Term| {
                let text = proof.terms.display(**t).to_string();
                let mut words = text.split(|c| !is_name(c));
                words.any(|w| own.contains(&w))
            };
            let seen: Vec<Term> = facts.iter().filter(|t| !own_term(t)).copied().collect();
            let mut told = all(if seen.is_empty() { facts } else { &seen });
            // Results first.
            told.sort_by_key(|f| !f.contains("return"));
            told
        };
        let promises = match &contract.promise {
            Promise::Holds(facts) => format!("ensures {}", first_ones(&seen(facts))),
            Promise::NotAll(facts) if facts.is_empty() => "never returns".into(),
            Promise::NotAll(facts) => format!("never returns with {}", shortened(&all(facts))),
            Promise::NoError => "reaches no error".into(),
        };
        let procedure = proof.program.procedure(contract.procedure);
        let one = Told {
            function: procedure.c_name.clone(),
            span: procedure.span,
            requires,
            promises,
        };
        if !told.contains(&one) {
            told.push(one);
        }
    }
    told.sort_by(|a, b| (a.span, &a.function).cmp(&(b.span, &b.function)));
    told
}

impl Told {
    /// In one line.
    pub fn text(&self) -> String {
        match self.requires.as_str() {
            "" => self.promises.clone(),
            requires => format!("requires {requires}: {}", self.promises),
        }
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
fn ghosts(text: &str) -> String {
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
