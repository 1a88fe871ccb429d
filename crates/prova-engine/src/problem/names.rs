//! Regions and steps in the user's own words, for `--explain`.

use prova_ir::Span;
use prova_logic::{Term, Terms};
use prova_task::prepare::Prepared;

/// Names things for people.
pub struct Names<'a> {
    /// The program.
    pub prepared: &'a Prepared,
    /// The terms.
    pub terms: &'a Terms,
}

/// Longer predicates are cut: a person reads no more.
const LONGEST: usize = 200;

impl Names<'_> {
    /// A place in the source: `lock.c:12:5`.
    pub fn place(&self, span: Span) -> String {
        let file = self
            .prepared
            .program
            .files
            .get(span.file.index())
            .map_or("?", |f| &f.name);
        let short = file.rsplit('/').next().unwrap_or(file);
        format!("{short}:{}:{}", span.line, span.column)
    }

    /// A predicate as C-like text.
    pub fn predicate(&self, t: Term) -> String {
        let mut text = self.terms.display(t).to_string();
        if text.chars().count() > LONGEST {
            text = text.chars().take(LONGEST).collect();
            text.push('…');
        }
        text
    }

    /// The facts of a region: `[x == 1, y < z]`.
    pub fn facts(&self, facts: &[Term]) -> String {
        match facts {
            [] => String::new(),
            _ => {
                let all: Vec<String> = facts.iter().map(|&f| self.predicate(f)).collect();
                format!("[{}]", all.join(", "))
            }
        }
    }
}
