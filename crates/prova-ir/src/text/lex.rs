//! Words, numbers, strings and signs of the text form, with their places.

use super::{is_word_part, is_word_start};

/// Why a text is no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    /// Line, from one.
    pub line: u32,
    /// Column in bytes, from one.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'a> {
    Newline,
    /// A plain word: a keyword or a name.
    Word(&'a str),
    /// A name in quotes.
    Quoted(String),
    Text(Vec<u8>),
    /// As written; may begin with `-`.
    Number(&'a str),
    /// `%3`.
    Let(u32),
    /// Any operator or sign.
    Sign(&'a str),
    End,
}

#[derive(Clone, Debug)]
pub(super) struct Spanned<'a> {
    pub token: Token<'a>,
    pub line: u32,
    pub column: u32,
}

/// Signs that are not operators with a suffix; longest first.
const SIGNS: &[&str] = &[
    "...", ":=", "->", ":", ",", "(", ")", "[", "]", "{", "}", "@", "#", "~", "?",
];
/// Operators that may have a suffix letter; longest first.
const BASES: &[&str] = &[
    "<<", ">>", "==", "!=", "<=", "<", "+", "-", "*", "/", "%", "&", "|", "^", "!", "=",
];

pub(super) fn lex(text: &str) -> Result<Vec<Spanned<'_>>, ParseError> {
    let mut lexer = Lexer {
        text,
        at: 0,
        line: 1,
        line_start: 0,
        tokens: Vec::new(),
    };
    while lexer.at < text.len() {
        lexer.step()?;
    }
    lexer.push(text.len(), Token::Newline);
    lexer.push(text.len(), Token::End);
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    line_start: usize,
    tokens: Vec<Spanned<'a>>,
}

impl<'a> Lexer<'a> {
    fn push(&mut self, start: usize, token: Token<'a>) {
        let column = (start - self.line_start + 1) as u32;
        self.tokens.push(Spanned {
            token,
            line: self.line,
            column,
        });
    }

    fn error(&self, at: usize, message: impl Into<String>) -> ParseError {
        ParseError {
            line: self.line,
            column: (at - self.line_start + 1) as u32,
            message: message.into(),
        }
    }

    fn peek(&self, ahead: usize) -> u8 {
        *self.text.as_bytes().get(self.at + ahead).unwrap_or(&0)
    }

    fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.at < self.text.len() && accept(self.peek(0)) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn step(&mut self) -> Result<(), ParseError> {
        let start = self.at;
        match self.peek(0) {
            b'\n' => {
                if !matches!(
                    self.tokens.last(),
                    None | Some(Spanned {
                        token: Token::Newline,
                        ..
                    })
                ) {
                    self.push(start, Token::Newline);
                }
                self.at += 1;
                self.line += 1;
                self.line_start = self.at;
            }
            b' ' | b'\t' | b'\r' => self.at += 1,
            b'/' if self.peek(1) == b'/' => {
                self.take_while(|c| c != b'\n');
            }
            b'\'' => {
                let bytes = self.quoted(b'\'')?;
                let name = String::from_utf8(bytes)
                    .map_err(|_| self.error(start, "this name is not UTF-8"))?;
                self.push(start, Token::Quoted(name));
            }
            b'"' => {
                let bytes = self.quoted(b'"')?;
                self.push(start, Token::Text(bytes));
            }
            b'%' if self.peek(1).is_ascii_digit() => {
                self.at += 1;
                let digits = self.take_while(|c| c.is_ascii_digit());
                let number = digits
                    .parse()
                    .map_err(|_| self.error(start, "this number is too large"))?;
                self.push(start, Token::Let(number));
            }
            c if c.is_ascii_digit() || (c == b'-' && self.peek(1).is_ascii_digit()) => {
                self.number();
                self.push(start, Token::Number(&self.text[start..self.at]));
            }
            c if is_word_start(c) => {
                let word = self.take_while(is_word_part);
                self.push(start, Token::Word(word));
            }
            _ => return self.sign(),
        }
        Ok(())
    }

    fn number(&mut self) {
        if self.peek(0) == b'-' {
            self.at += 1;
        }
        if self.peek(0) == b'0' && self.peek(1) == b'x' {
            self.at += 2;
            self.take_while(|c| c.is_ascii_hexdigit());
            return;
        }
        self.take_while(|c| c.is_ascii_digit());
        if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
            self.at += 1;
            self.take_while(|c| c.is_ascii_digit());
        }
        let signed = matches!(self.peek(1), b'-' | b'+');
        if self.peek(0) == b'e' && self.peek(if signed { 2 } else { 1 }).is_ascii_digit() {
            self.at += if signed { 2 } else { 1 };
            self.take_while(|c| c.is_ascii_digit());
        }
    }

    fn quoted(&mut self, quote: u8) -> Result<Vec<u8>, ParseError> {
        let start = self.at;
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            let c = self.peek(0);
            if self.at >= self.text.len() || c == b'\n' {
                return Err(self.error(start, "this quote is not closed on its line"));
            }
            self.at += 1;
            if c == quote {
                return Ok(bytes);
            }
            if c != b'\\' {
                bytes.push(c);
                continue;
            }
            let escape = self.peek(0);
            self.at += 1;
            bytes.push(match escape {
                b'n' => b'\n',
                b't' => b'\t',
                b'\\' | b'"' | b'\'' => escape,
                b'x' => {
                    let digits = self.text.as_bytes().get(self.at..self.at + 2);
                    let value = digits
                        .and_then(|d| std::str::from_utf8(d).ok())
                        .filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))
                        .and_then(|d| u8::from_str_radix(d, 16).ok());
                    self.at += 2;
                    value.ok_or_else(|| self.error(start, "`\\x` needs two hexadecimal digits"))?
                }
                _ => return Err(self.error(start, "unknown escape in quotes")),
            });
        }
    }

    fn sign(&mut self) -> Result<(), ParseError> {
        let start = self.at;
        let rest = &self.text[start..];
        if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
            self.at += sign.len();
            self.push(start, Token::Sign(&rest[..sign.len()]));
            return Ok(());
        }
        let Some(base) = BASES.iter().find(|s| rest.starts_with(**s)) else {
            let what = rest.chars().next().unwrap_or(' ');
            return Err(self.error(start, format!("unexpected character {what:?}")));
        };
        self.at += base.len();
        let suffixed = matches!(self.peek(0), b'u' | b's' | b'p' | b'f')
            && !is_word_part(self.peek(1))
            && super::OPERATORS
                .iter()
                .any(|(op, _)| rest.as_bytes().starts_with(op.as_bytes()) && op.len() > base.len());
        if suffixed {
            self.at += 1;
        }
        self.push(start, Token::Sign(&self.text[start..self.at]));
        Ok(())
    }
}
