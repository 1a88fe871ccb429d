//! Expressions of a witness, looked at before they go into the program's text: one expression, that
//! changes nothing and calls nothing.

use super::weave::WeaveError;
use crate::text::{pieces, Piece};

/// An expression, if it is one and only says something. The parser has the last word.
pub fn checked(said_at: usize, text: &str) -> Result<String, WeaveError> {
    let refuse = |what| {
        Err(WeaveError::Expression {
            said_at,
            expression: text.to_owned(),
            what,
        })
    };
    let mut open = Vec::new();
    let mut before: Option<Piece> = None;
    // What stands between the last parentheses, and whether that is a type to convert to.
    let (mut inside, mut casts) = (Vec::new(), false);
    let mut count = 0;
    for (_, end, piece) in pieces(text, 0) {
        count += 1;
        let next = text[end..].chars().next();
        match piece {
            Piece::Mark(mark @ ('(' | '[')) => {
                let callable = match before {
                    Some(Piece::Word(w)) => w != "sizeof",
                    Some(Piece::Mark(')')) => !casts,
                    Some(Piece::Mark(m)) => m == ']',
                    None => false,
                };
                if mark == '(' && callable {
                    return refuse("calls a function");
                }
                open.push(mark);
                inside = Vec::new();
            }
            Piece::Mark(')') if open.pop() == Some('(') => {
                casts = is_type(&inside);
            }
            Piece::Mark(']') if open.pop() == Some('[') => {}
            Piece::Mark(')' | ']') => return refuse("has parentheses that do not match"),
            Piece::Mark(';' | '{' | '}' | '#' | '\\' | '@' | '`') => {
                return refuse("is no expression")
            }
            Piece::Mark('=') => {
                let compares = matches!(before, Some(Piece::Mark('=' | '!' | '<' | '>')));
                let shifts = text[..end - 1].ends_with("<<") || text[..end - 1].ends_with(">>");
                if (!compares && next != Some('=')) || shifts {
                    return refuse("changes something");
                }
            }
            Piece::Mark(mark @ ('+' | '-')) if next == Some(mark) => {
                return refuse("changes something")
            }
            _ => {}
        }
        if piece != Piece::Mark('(') {
            inside.push(piece);
        }
        before = Some(piece);
    }
    if !open.is_empty() {
        return refuse("has parentheses that do not match");
    }
    if count == 0 {
        return refuse("is no expression");
    }
    // Comments and line ends would swallow what comes behind.
    if text.contains("//") || text.contains("/*") || text.contains(['"', '\'', '\n', '\r']) {
        return refuse("is no expression that is taken");
    }
    Ok(text.to_owned())
}

/// Whether this is a type, and no function in parentheses: built of the language's own words, or a
/// name that ends as names of types do.
fn is_type(inside: &[Piece]) -> bool {
    const WORDS: &[&str] = &[
        "void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool",
        "const", "volatile", "__int128",
    ];
    let mut tagged = false;
    let own = |piece: &Piece| match piece {
        Piece::Word("struct" | "union" | "enum") => {
            tagged = true;
            true
        }
        Piece::Word(word) => {
            std::mem::take(&mut tagged) || WORDS.contains(word) || word.ends_with("_t")
        }
        Piece::Mark(mark) => *mark == '*',
    };
    !inside.is_empty() && inside.iter().all(own)
}

/// Whether an expression divides or follows pointers.
pub fn may_be_undefined(text: &str) -> bool {
    let mut before: Option<Piece> = None;
    for (_, _, piece) in pieces(text, 0) {
        match piece {
            Piece::Mark('/' | '%' | '[') => return true,
            Piece::Mark('>') if before == Some(Piece::Mark('-')) => return true,
            Piece::Mark('*')
                if !matches!(before, Some(Piece::Word(_) | Piece::Mark(')' | ']'))) =>
            {
                return true
            }
            _ => {}
        }
        before = Some(piece);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_expressions_that_say_something_are_taken() {
        for good in [
            "x == 1",
            "(x <= y) && !(a[2] != 3)",
            "x >= -1 - (-2)",
            "p->f == 1 || s.g",
            "sizeof(x) == 4",
            "x << 2 == 8",
            "(unsigned int)(x + 1) == (struct s *)(0)",
            "((x))",
        ] {
            assert!(checked(1, good).is_ok(), "{good}");
        }
        for bad in [
            "",
            " ",
            "x = 1",
            "x += 1",
            "x++",
            "--x",
            "f(x)",
            "x; y",
            "1) { } if (1",
            "(x",
            "x)",
            "a[1",
            "x // y",
            "x /* y",
            "\"a\"",
            "x <<= 1",
            "x >>= 1",
            "#x",
            "x\n+1",
            "x *= 2",
            "(f)(x)",
            "x ^= 3",
            "a[(]1)",
            "a[0](x)",
            "(*p)(x)",
        ] {
            assert!(checked(1, bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn division_and_pointers_are_noticed() {
        for partial in ["x / y == 1", "a[i] > 0", "p->x", "*p == 1", "x && *p"] {
            assert!(may_be_undefined(partial), "{partial}");
        }
        for total in ["x * y == 1", "a - b > c", "(x) * 3"] {
            assert!(!may_be_undefined(total), "{total}");
        }
    }
}
