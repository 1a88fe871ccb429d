//! Clauses that somebody wants to try on a function, put at the start of its body before the text is parsed.
//!
//! `prova contract` asks what a function needs by trying: the text on disk stays as it is, and positions are
//! those of the text on disk, because what is inserted is an edit like all others (`fixups`) and has
//! no lines. The clauses are written as the parser takes them (`__prova_requires(…)`).

use crate::fixups::Code;
use crate::lines::Edit;
use crate::tokens::tokenize;

/// Edits that put clauses behind the brace that opens the body of each function that is named.
pub(crate) fn edits(text: &str, contracts: &[(String, String)]) -> Vec<Edit> {
    let mut found = Vec::new();
    if contracts.is_empty() {
        return found;
    }
    // What cannot be split into words is refused later, with a message.
    let Ok(tokens) = tokenize(text) else {
        return found;
    };
    let code = Code::new(text, &tokens.tokens);
    let mut at = 0;
    while at < code.len() {
        let contract = contracts.iter().find(|(name, _)| *name == code.word(at));
        let body = contract.and_then(|_| body_behind(&code, at + 1));
        if let (Some((_, clauses)), Some(open)) = (contract, body) {
            let start = code.end(open);
            found.push(Edit {
                start,
                end: start,
                text: clauses.clone(),
            });
        }
        // Names inside of bodies and parameters are no definitions.
        at = code.behind(at);
    }
    found
}

/// The brace of the body of a function whose parameters begin at `at`.
fn body_behind(code: &Code, at: usize) -> Option<usize> {
    let close = code.close(at).filter(|_| code.word(at) == "(")?;
    let mut next = close + 1;
    while next < code.len() {
        match code.word(next) {
            "{" => return Some(next),
            // A declaration; declarations of parameters in the old style are not looked through.
            ";" | "=" | "," => return None,
            _ => next = code.behind(next),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::edits;
    use crate::fixups::apply;

    fn with(text: &str) -> String {
        let contracts = [("f".to_owned(), " C;".to_owned())];
        apply(text, &edits(text, &contracts))
    }

    #[test]
    fn clauses_come_first_in_the_body() {
        assert_eq!(
            with("int f(int x) { return x; }"),
            "int f(int x) { C; return x; }"
        );
        let old = "static int f(void)\n__attribute__((cold))\n{ return g(f); }";
        assert_eq!(with(old), old.replace("{ return", "{ C; return"));
    }

    #[test]
    fn calls_and_declarations_are_left_alone() {
        for text in [
            "int f(int x);",
            "int g(void) { if (f(1)) { return 2; } }",
            "int f, g(int f) { }",
        ] {
            assert_eq!(with(text), text);
        }
    }
}
