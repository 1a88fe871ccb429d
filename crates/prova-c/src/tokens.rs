//! A small tokenizer for preprocessed C, exact about strings, characters, comments and line
//! markers. It finds what has to be edited before parsing and measures nesting; the parser reads
//! the text itself.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An identifier or keyword.
    Word,
    /// A number.
    Number,
    /// A string or character literal, with its prefix.
    Literal,
    /// An operator or punctuator; digraphs count as what they stand for.
    Punct,
    /// A whole line that starts with `#`.
    Directive,
}

/// A token: where it stands in the text.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// First byte.
    pub start: u32,
    /// Byte behind the last.
    pub end: u32,
}

impl Token {
    /// Its bytes' range.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Tokens, and the comments and odd white space between them.
#[derive(Debug, Default)]
pub struct Tokens {
    /// Tokens in order.
    pub tokens: Vec<Token>,
    /// What the parser would not take for white space, to be blanked.
    pub blanks: Vec<Range<usize>>,
}

/// Why a text is not made of C tokens.
#[derive(Debug, PartialEq, Eq)]
pub struct NotC {
    /// What is wrong.
    pub message: String,
    /// Where.
    pub range: Range<usize>,
}

const PUNCTUATORS: [&str; 29] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=",
    "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##", "::", "<:", ":>", "<%", "%>", "%:",
];

/// Splits a text into tokens.
pub fn tokenize(text: &str) -> Result<Tokens, NotC> {
    let bytes = text.as_bytes();
    if u32::try_from(bytes.len()).is_err() {
        return Err(NotC {
            message: "the text has more than 4 GB".into(),
            range: 0..0,
        });
    }
    let mut found = Tokens {
        tokens: Vec::with_capacity(bytes.len() / 4),
        blanks: Vec::new(),
    };
    let mut at = 0;
    let mut line_start = true;
    while at < bytes.len() {
        let start = at;
        let kind = match bytes[at] {
            b'\n' => {
                line_start = true;
                at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' => {
                // The parser takes a carriage return only before a newline.
                if bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
                    found.blanks.push(at..at + 1);
                }
                at += 1;
                continue;
            }
            b'\x0b' | b'\x0c' => {
                found.blanks.push(at..at + 1);
                at += 1;
                continue;
            }
            b'\\' if matches!(bytes.get(at + 1), Some(b'\n')) => {
                found.blanks.push(at..at + 1);
                at += 2;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let Some(end) = text[at + 2..].find("*/") else {
                    return Err(NotC {
                        message: "this comment never ends".into(),
                        range: at..at + 2,
                    });
                };
                at += end + 4;
                found.blanks.push(start..at);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at += line_length(&bytes[at..]);
                found.blanks.push(start..at);
                continue;
            }
            b'#' if line_start => {
                at += line_length(&bytes[at..]);
                Kind::Directive
            }
            b'"' | b'\'' => {
                at = literal_end(text, start, at)?;
                Kind::Literal
            }
            b'0'..=b'9' => {
                at = number_end(bytes, at);
                Kind::Number
            }
            b'.' if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => {
                at = number_end(bytes, at);
                Kind::Number
            }
            b if is_word_byte(b) || is_ucn(&bytes[at..]) => {
                while at < bytes.len() {
                    if is_word_byte(bytes[at]) || bytes[at].is_ascii_digit() {
                        at += 1;
                    } else if let Some(length) = ucn_length(&bytes[at..]) {
                        at += length;
                    } else {
                        break;
                    }
                }
                let prefix = matches!(&text[start..at], "L" | "u" | "U" | "u8");
                if prefix && matches!(bytes.get(at), Some(b'"' | b'\'')) {
                    at = literal_end(text, start, at)?;
                    Kind::Literal
                } else {
                    Kind::Word
                }
            }
            b'!'..=b'~' if !matches!(bytes[at], b'\\' | b'@' | b'`') => {
                let long = PUNCTUATORS.iter().find(|p| text[at..].starts_with(**p));
                at += long.map_or(1, |p| p.len());
                Kind::Punct
            }
            byte => {
                let what = match byte {
                    b'!'..=b'~' => format!("`{}`", byte as char),
                    _ => format!("the byte 0x{byte:02x}"),
                };
                return Err(NotC {
                    message: format!("{what} cannot stand here; is this a C file?"),
                    range: at..at + 1,
                });
            }
        };
        line_start = false;
        found.tokens.push(Token {
            kind,
            start: start as u32,
            end: at as u32,
        });
    }
    Ok(found)
}

fn line_length(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .position(|&b| b == b'\n')
        .unwrap_or(bytes.len())
}

/// Letters, `_`, `$`, and every byte of a character beyond ASCII.
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// Length of a universal character name (`\u00e9`) at the start, if there is one.
pub(crate) fn ucn_length(bytes: &[u8]) -> Option<usize> {
    let digits = match bytes {
        [b'\\', b'u', ..] => 4,
        [b'\\', b'U', ..] => 8,
        _ => return None,
    };
    let hex = bytes.get(2..2 + digits)?;
    hex.iter().all(u8::is_ascii_hexdigit).then_some(2 + digits)
}

fn is_ucn(bytes: &[u8]) -> bool {
    ucn_length(bytes).is_some()
}

fn number_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        match bytes[at] {
            b'e' | b'E' | b'p' | b'P' if matches!(bytes.get(at + 1), Some(b'+' | b'-')) => at += 2,
            b if b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.') => at += 1,
            _ => break,
        }
    }
    at
}

/// The end of the literal whose prefix starts at `start` and whose quote stands at `quote`.
fn literal_end(text: &str, start: usize, quote: usize) -> Result<usize, NotC> {
    let bytes = text.as_bytes();
    let mut at = quote + 1;
    loop {
        match bytes.get(at) {
            Some(b'\\') => at += 2,
            Some(b'\n') | None => {
                let what = match bytes[quote] {
                    b'"' => "this string",
                    _ => "this character constant",
                };
                return Err(NotC {
                    message: format!("{what} is not closed on its line"),
                    range: start..quote + 1,
                });
            }
            Some(&b) if b == bytes[quote] => return Ok(at + 1),
            Some(_) => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        let found = tokenize(text).unwrap();
        found.tokens.iter().map(|t| &text[t.range()]).collect()
    }

    #[test]
    fn splits_c() {
        assert_eq!(
            split("int a$b=0x1p-3+L\"x\\\"/*\"[.5e+3];//c\n# 1 \"f\"\nx+++y/* ; */<<='\\''"),
            [
                "int",
                "a$b",
                "=",
                "0x1p-3",
                "+",
                "L\"x\\\"/*\"",
                "[",
                ".5e+3",
                "]",
                ";",
                "# 1 \"f\"",
                "x",
                "++",
                "+",
                "y",
                "<<=",
                "'\\''"
            ]
        );
        assert_eq!(
            split("a.b...c\\u00e9d é"),
            ["a", ".", "b", "...", "c\\u00e9d", "é"]
        );
    }

    #[test]
    fn says_what_is_not_c() {
        let error = |text| tokenize(text).unwrap_err();
        assert_eq!(error("x /* y").range, 2..4);
        assert_eq!(error("x = \"abc\ny\"").range, 4..5);
        assert_eq!(error("'\\").range, 0..1);
        assert!(error("a \0 b").message.contains("0x00"));
        assert!(error("@").message.contains("`@`"));
    }
}
