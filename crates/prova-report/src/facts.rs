//! Invariants beside their source lines, in C as far as it goes.

use prova_engine::Proof;
use prova_ir::Span;
use serde::Serialize;

/// What a proof says at a place.
#[derive(Clone, Debug, Serialize)]
pub struct FactsAt {
    /// Where.
    #[serde(skip)]
    pub span: Span,
    /// One of these holds; each is a conjunction.
    pub cases: Vec<Vec<String>>,
    /// Whether the place is the head of a loop.
    pub loop_head: bool,
}

/// Facts with more cases or longer ones are no longer read by anybody.
const MOST_CASES: usize = 4;
const LONGEST: usize = 100;

/// All that a proof says, by place; loop heads are marked.
pub fn facts(proof: &Proof) -> Vec<FactsAt> {
    let mut heads = rustc_hash::FxHashMap::default();
    let mut found: Vec<FactsAt> = Vec::new();
    for invariant in proof.invariants.iter().filter(|i| i.says_something()) {
        if invariant.cases.is_empty() || !invariant.span.is_known() {
            continue;
        }
        let body = proof.program.procedure(invariant.procedure).body.as_ref();
        let loops = heads
            .entry(invariant.procedure)
            .or_insert_with(|| body.map(prova_ir::passes::loops::Loops::of));
        let head = loops
            .as_ref()
            .is_some_and(|l| l.is_head(invariant.location));
        let cases = invariant
            .cases
            .iter()
            .map(|case| {
                case.iter()
                    .map(|&t| plain(&proof.terms.display(t).to_string()))
                    .collect()
            })
            .collect();
        found.push(FactsAt {
            span: invariant.span,
            cases,
            loop_head: head,
        });
    }
    found.sort_by_key(|f| (!f.loop_head, f.span));
    found
}

/// `mem[disk.0][&disk + 4]` reads `*(&disk + 4)`: which part of memory it is, people know.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("mem[") {
        plain += &rest[..at];
        let behind = &rest[at + 4..];
        let address = behind
            .find("][")
            .and_then(|close| Some((close + 2, matching(&behind[close + 2..])?)));
        match address {
            Some((start, length)) => {
                let inside = self::plain(&behind[start..start + length]);
                plain += &match inside.strip_prefix('&').filter(|name| is_name(name)) {
                    Some(name) => name.to_string(),
                    None => format!("*({inside})"),
                };
                rest = &behind[start + length + 1..];
            }
            None => {
                plain += "mem[";
                rest = behind;
            }
        }
    }
    plain + rest
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Where the bracket that encloses the text's beginning closes.
fn matching(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => return Some(i),
            ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

impl FactsAt {
    /// In one line, or how much it would be.
    pub fn text(&self) -> String {
        let conjunction = |case: &Vec<String>| case.join(" && ");
        let text = match self.cases.as_slice() {
            [one] => conjunction(one),
            cases if cases.len() <= MOST_CASES => {
                let cases: Vec<String> = cases
                    .iter()
                    .map(|c| format!("({})", conjunction(c)))
                    .collect();
                cases.join(" || ")
            }
            _ => return self.size(),
        };
        if text.chars().count() > LONGEST {
            self.size()
        } else {
            text
        }
    }

    fn size(&self) -> String {
        let facts: usize = self.cases.iter().map(Vec::len).sum();
        match self.cases.len() {
            1 => format!("{facts} facts"),
            n => format!("one of {n} cases, {facts} facts in all"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn memory_reads_like_c() {
        assert_eq!(plain("mem[disk.0][&tape] == 0"), "tape == 0");
        assert_eq!(plain("mem[a][&a + 4] < mem[a][p]"), "*(&a + 4) < *(p)");
        assert_eq!(plain("mem[x][mem[y][&p]] == 1"), "*(p) == 1");
        assert_eq!(plain("x == mem["), "x == mem[");
    }
}
