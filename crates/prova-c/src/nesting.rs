//! How deep a program nests, measured before anything recurses over it.
//!
//! The measure bounds the depth of the syntax tree from above: every open bracket counts, and
//! within each bracket every operator since the last separator and every statement keyword since
//! the last complete statement (`else if` chains, stacked `case` labels, `a + b + …`, `- - x`).
//! What passes the check fits the stack that [`crate::stack`] reserves, in the parser, in the
//! lowering and when the tree is dropped.

use crate::tokens::{Kind, NotC, Token};

/// Brackets of all kinds inside one another. Compilers commonly stop at 256.
pub const MOST_BRACKETS: u32 = 1_000;
/// Depth of the tree, however it comes about.
pub const MOST_DEPTH: u32 = 10_000;

/// What is counted within one pair of brackets.
#[derive(Clone, Copy, Default)]
struct Level {
    operators: u32,
    statements: u32,
}

/// The greatest depth of a program, or the place where it is too deep.
pub fn depth(text: &str, tokens: &[Token]) -> Result<u32, NotC> {
    let bytes = text.as_bytes();
    let mut levels = vec![Level::default()];
    // The sum over all levels, kept up to date.
    let mut total: u32 = 0;
    let mut deepest = 0;
    for (index, token) in tokens.iter().enumerate() {
        let first = bytes[token.start as usize];
        let top = levels.len() - 1;
        match token.kind {
            Kind::Directive | Kind::Number | Kind::Literal => continue,
            Kind::Word => match &text[token.range()] {
                "if" | "else" | "while" | "for" | "do" | "switch" | "case" | "default" => {
                    levels[top].statements += 1;
                    total += 1;
                }
                "sizeof" | "struct" | "union" => {
                    levels[top].operators += 1;
                    total += 1;
                }
                _ => continue,
            },
            Kind::Punct => match first {
                b'(' | b'[' | b'{' => {
                    levels[top].operators += 1;
                    total += 2;
                    levels.push(Level::default());
                    if levels.len() as u32 > MOST_BRACKETS {
                        return Err(too_deep(
                            *token,
                            format!("brackets are nested more than {MOST_BRACKETS} deep here"),
                        ));
                    }
                }
                b')' | b']' | b'}' => {
                    if top > 0 {
                        total -= levels[top].operators + levels[top].statements + 1;
                        levels.pop();
                    }
                    if first == b'}' {
                        end_statement(text, tokens, index, levels.last_mut(), &mut total);
                    }
                }
                b';' => end_statement(text, tokens, index, levels.last_mut(), &mut total),
                b',' => {
                    total -= levels[top].operators;
                    levels[top].operators = 0;
                }
                _ => {
                    levels[top].operators += 1;
                    total += 1;
                }
            },
        }
        deepest = deepest.max(total);
        if total > MOST_DEPTH {
            return Err(too_deep(
                *token,
                format!("the program nests more than {MOST_DEPTH} levels deep here"),
            ));
        }
    }
    Ok(deepest)
}

/// A statement ends behind token `index`; the chain it belongs to goes on only with `else`.
fn end_statement(
    text: &str,
    tokens: &[Token],
    index: usize,
    level: Option<&mut Level>,
    total: &mut u32,
) {
    let Some(level) = level else { return };
    *total -= level.operators;
    level.operators = 0;
    let next = tokens[index + 1..]
        .iter()
        .find(|t| t.kind != Kind::Directive);
    if next.is_none_or(|t| &text[t.range()] != "else") {
        *total -= level.statements;
        level.statements = 0;
    }
}

fn too_deep(token: Token, message: String) -> NotC {
    NotC {
        message,
        range: token.range(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::tokenize;

    fn measure(text: &str) -> Result<u32, NotC> {
        depth(text, &tokenize(text).unwrap().tokens)
    }

    #[test]
    fn flat_programs_are_shallow() {
        assert!(
            measure(&"int f(int a) { if (a) return -a; else { a++; } }\n".repeat(500)).unwrap()
                < 20
        );
        assert!(measure(&format!("int a[] = {{ {} }};", "-1, ".repeat(50_000))).unwrap() < 10);
        assert!(measure(&"#pragma x\nx = 1;".repeat(20_000)).unwrap() < 5);
    }

    #[test]
    fn every_kind_of_depth_is_seen() {
        let many = 20_000;
        for deep in [
            "(".repeat(many),
            "{".repeat(many),
            "x[".repeat(many),
            format!("{}x", "- ".repeat(many)),
            "a + ".repeat(many),
            "a ? b : ".repeat(many),
            "if (a) x; else ".repeat(many),
            "if (a) { x; } else ".repeat(many),
            "case 1: ".repeat(many),
            "l: ".repeat(many),
            "while (1) ".repeat(many),
            "f(x)".repeat(many),
            "sizeof ".repeat(many),
            format!("int {}p;", "*".repeat(many)),
            "a.b".repeat(many),
        ] {
            assert!(measure(&deep).is_err(), "{}", &deep[..20]);
        }
        assert!(measure(")))]}").is_ok());
    }
}
