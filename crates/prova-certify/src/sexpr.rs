//! S-expressions with their places: all a certificate is made of.

use crate::Failure;

/// Lists nested deeper than this are refused, so that everything behind may recurse.
const DEPTH: usize = 200;

/// A place in the text; both count from one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

/// One expression.
#[derive(Clone, Debug)]
pub struct Sexpr {
    pub place: Place,
    pub kind: Kind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// A plain word.
    Word(String),
    /// `|a name|`, which is never a keyword.
    Name(String),
    /// `"text"`.
    Text(String),
    List(Vec<Sexpr>),
}

impl PartialEq for Sexpr {
    fn eq(&self, other: &Sexpr) -> bool {
        self.kind == other.kind
    }
}

impl Sexpr {
    /// An error here.
    pub fn wrong(&self, message: impl Into<String>) -> Failure {
        malformed(self.place, message)
    }

    pub fn word(&self) -> Option<&str> {
        match &self.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Sexpr]> {
        match &self.kind {
            Kind::List(items) => Some(items),
            _ => None,
        }
    }

    /// A list as its first word and the rest.
    pub fn form(&self) -> Option<(&str, &[Sexpr])> {
        let (first, rest) = self.list()?.split_first()?;
        Some((first.word()?, rest))
    }
}

pub fn malformed(place: Place, message: impl Into<String>) -> Failure {
    Failure::Malformed {
        line: place.line,
        column: place.column,
        message: message.into(),
    }
}

/// All expressions of a text. `;` starts a comment.
pub fn read(text: &str) -> Result<Vec<Sexpr>, Failure> {
    let mut open: Vec<(Place, Vec<Sexpr>)> = Vec::new();
    let mut all = Vec::new();
    let mut place = Place { line: 1, column: 1 };
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let start = place;
        let length = match c {
            '(' | ')' => 1,
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '|' | '"' => {
                let end = rest[1..]
                    .find(c)
                    .ok_or_else(|| malformed(start, format!("this {c} is never closed")))?;
                end + 2
            }
            c if c.is_whitespace() => c.len_utf8(),
            c if c.is_control() => return Err(malformed(start, "a control character")),
            _ => rest
                .find(|c: char| c.is_whitespace() || "()|\";".contains(c))
                .unwrap_or(rest.len()),
        };
        let (token, behind) = rest.split_at(length);
        rest = behind;
        for c in token.chars() {
            match c {
                '\n' => {
                    place = Place {
                        line: place.line + 1,
                        column: 1,
                    }
                }
                _ => place.column += 1,
            }
        }
        let kind = match c {
            '(' => {
                if open.len() == DEPTH {
                    return Err(malformed(
                        start,
                        format!("nested deeper than {DEPTH} lists"),
                    ));
                }
                open.push((start, Vec::new()));
                continue;
            }
            ')' => match open.pop() {
                Some((start, items)) => {
                    let place = start;
                    let kind = Kind::List(items);
                    let into = open.last_mut().map_or(&mut all, |(_, items)| items);
                    into.push(Sexpr { place, kind });
                    continue;
                }
                None => return Err(malformed(start, "nothing is open here")),
            },
            '|' => Kind::Name(token[1..length - 1].to_string()),
            '"' => Kind::Text(token[1..length - 1].to_string()),
            c if c == ';' || c.is_whitespace() => continue,
            _ => Kind::Word(token.to_string()),
        };
        let into = open.last_mut().map_or(&mut all, |(_, items)| items);
        into.push(Sexpr { place: start, kind });
    }
    match open.last() {
        Some((start, _)) => Err(malformed(
            *start,
            "this list is never closed: is the file whole?",
        )),
        None => Ok(all),
    }
}
