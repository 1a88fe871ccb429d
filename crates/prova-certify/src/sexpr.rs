//! S-expressions with their places: all a certificate is made of.

use crate::Failure;

/// Lists nested deeper than this are refused, so that everything behind may recurse.
const DEPTH: usize = 200;

/// One expression, with its line and column, both from one.
#[derive(Clone, Debug)]
pub struct Sexpr {
    pub place: (u32, u32),
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub enum Kind {
    /// A plain word.
    Word(String),
    /// `|a name|` or `"a text"`, which is never a keyword.
    Name(String),
    List(Vec<Sexpr>),
}

impl Sexpr {
    /// An error here.
    pub fn wrong(&self, message: impl Into<String>) -> Failure {
        wrong(self.place, message)
    }

    pub fn word(&self) -> Option<&str> {
        match &self.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// A list as its first word and the rest.
    pub fn form(&self) -> Option<(&str, &[Sexpr])> {
        match &self.kind {
            Kind::List(items) => items.split_first().and_then(|(f, r)| Some((f.word()?, r))),
            _ => None,
        }
    }

    /// Any word, name or text.
    pub fn text(&self) -> Result<String, Failure> {
        match &self.kind {
            Kind::Word(text) | Kind::Name(text) => Ok(text.clone()),
            Kind::List(_) => Err(self.wrong("a word is needed here")),
        }
    }
}

impl std::fmt::Display for Sexpr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.kind {
            Kind::Word(w) | Kind::Name(w) => f.write_str(w),
            Kind::List(items) => {
                let items: Vec<String> = items.iter().map(Sexpr::to_string).collect();
                write!(f, "({})", items.join(" "))
            }
        }
    }
}

fn wrong((line, column): (u32, u32), message: impl Into<String>) -> Failure {
    let message = message.into();
    Failure::Malformed { line, column, message }
}

/// All expressions of a text. `;` starts a comment.
pub fn read(text: &str) -> Result<Vec<Sexpr>, Failure> {
    // The lists that are open, outermost first; the first stands for the whole text.
    let mut open = vec![((1, 1), Vec::new())];
    let mut place = (1, 1);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let start = place;
        let length = match c {
            '(' | ')' => 1,
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '|' | '"' => match rest[1..].find(c) {
                Some(end) => end + 2,
                None => return Err(wrong(start, format!("this {c} is never closed"))),
            },
            c if c.is_whitespace() => c.len_utf8(),
            c if c.is_control() => return Err(wrong(start, "a control character")),
            _ => {
                let ends = |c: char| c.is_whitespace() || "()|\";".contains(c);
                rest.find(ends).unwrap_or(rest.len())
            }
        };
        let (token, behind) = rest.split_at(length);
        rest = behind;
        for c in token.chars() {
            place = if c == '\n' { (place.0 + 1, 1) } else { (place.0, place.1 + 1) };
        }
        let (start, kind) = match c {
            '(' if open.len() > DEPTH => {
                return Err(wrong(start, format!("nested deeper than {DEPTH} lists")));
            }
            '(' => {
                open.push((start, Vec::new()));
                continue;
            }
            ')' if open.len() == 1 => return Err(wrong(start, "nothing is open here")),
            ')' => {
                let (start, items) = open.pop().unwrap_or_default();
                (start, Kind::List(items))
            }
            '|' | '"' => (start, Kind::Name(token[1..length - 1].to_string())),
            c if c == ';' || c.is_whitespace() => continue,
            _ => (start, Kind::Word(token.to_string())),
        };
        if let Some((_, items)) = open.last_mut() {
            items.push(Sexpr { place: start, kind });
        }
    }
    match open.pop() {
        Some((_, all)) if open.is_empty() => Ok(all),
        Some((start, _)) => Err(wrong(start, "this list is never closed: is the file whole?")),
        None => Ok(Vec::new()),
    }
}
