//! Reads S-expressions: words, names and lists, and the terms and sorts of SMT-LIB they make.
//! A reader makes no claims: what it made of a text is what its caller goes on with.

use crate::script::{Script, Term};
use crate::sort::{Sort, WIDEST};
use crate::Error;

/// Lists nested deeper than this are refused, so that reading them may recurse.
const DEPTH: usize = 200;

/// What texts are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token<'a> {
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// A plain word.
    Word(&'a str),
    /// `|a name|` or `"a text"`, which is never a keyword.
    Name(&'a str),
}

/// A text, how much of it was read, and where the last token began.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    text: &'a str,
    /// Where the next token is looked for.
    pub at: usize,
    start: usize,
}

/// What names in terms stand for.
pub type Lookup<'a> = &'a dyn Fn(Token) -> Option<Term>;

impl<'a> Reader<'a> {
    /// Reads a text from here on.
    pub fn new(text: &'a str, at: usize) -> Reader<'a> {
        Reader { text, at, start: at }
    }

    /// An error at the last token.
    pub fn wrong(&self, message: impl AsRef<str>) -> Error {
        let before = &self.text[..self.start];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        Error(format!("line {line}, column {column}: {}", message.as_ref()))
    }

    /// The next token of a list.
    pub fn token(&mut self) -> Result<Token<'a>, Error> {
        match self.token_if_any()? {
            Some(token) if token == Token::Close || self.at < self.text.len() => Ok(token),
            _ => Err(self.wrong("this list is never closed: is the file whole?")),
        }
    }

    /// The next token. `;` starts a comment.
    fn token_if_any(&mut self) -> Result<Option<Token<'a>>, Error> {
        loop {
            let rest = &self.text[self.at..];
            let Some(c) = rest.chars().next() else {
                return Ok(None);
            };
            self.start = self.at;
            let length = match c {
                '(' | ')' => 1,
                ';' => rest.find('\n').unwrap_or(rest.len()),
                '|' | '"' => match rest[1..].find(c) {
                    Some(end) => end + 2,
                    None => return Err(self.wrong(format!("this {c} is never closed"))),
                },
                c if c.is_whitespace() => c.len_utf8(),
                c if c.is_control() => return Err(self.wrong("a control character")),
                _ => {
                    let ends = |c: char| c.is_whitespace() || "()|\";".contains(c);
                    rest.find(ends).unwrap_or(rest.len())
                }
            };
            self.at += length;
            return Ok(Some(match c {
                '(' => Token::Open,
                ')' => Token::Close,
                '|' | '"' => Token::Name(&rest[1..length - 1]),
                c if c == ';' || c.is_whitespace() => continue,
                _ => Token::Word(&rest[..length]),
            }));
        }
    }

    /// The first word of a list, unless the text ends before it.
    pub fn form(&mut self) -> Result<Option<&'a str>, Error> {
        match self.token_if_any()? {
            Some(Token::Open) => self.text().map(Some),
            None => Ok(None),
            _ => Err(self.wrong("a list is needed here")),
        }
    }

    /// Whether the list that is open goes on; if not, its end is read.
    pub fn more(&mut self) -> Result<bool, Error> {
        let mut ahead = *self;
        let ends = ahead.token()? == Token::Close;
        if ends {
            *self = ahead;
        }
        Ok(!ends)
    }

    /// The end of a list.
    pub fn close(&mut self) -> Result<(), Error> {
        match self.token()? {
            Token::Close => Ok(()),
            _ => Err(self.wrong("the list should end here")),
        }
    }

    /// Any word, name or text.
    pub fn text(&mut self) -> Result<&'a str, Error> {
        match self.token()? {
            Token::Word(text) | Token::Name(text) => Ok(text),
            _ => Err(self.wrong("a word is needed here")),
        }
    }

    /// A number below a limit.
    pub fn index(&mut self, limit: usize, what: &str) -> Result<usize, Error> {
        let number = self.text()?.parse().ok().filter(|&n| n < limit);
        number.ok_or_else(|| self.wrong(format!("there is no such {what}")))
    }

    /// A word, or a list of such, as text: an operator, or a sort.
    fn raw(&mut self, depth: usize) -> Result<String, Error> {
        match self.token()? {
            Token::Word(text) => Ok(text.to_string()),
            Token::Open if depth < DEPTH => {
                let mut items = Vec::new();
                while self.more()? {
                    items.push(self.raw(depth + 1)?);
                }
                Ok(format!("({})", items.join(" ")))
            }
            _ => Err(self.wrong("an operator or a sort is needed here")),
        }
    }

    /// A sort.
    pub fn sort(&mut self) -> Result<Sort, Error> {
        let text = self.raw(0)?;
        Sort::parse(&text).ok_or_else(|| self.wrong("no sort"))
    }

    /// A term.
    pub fn term(&mut self, script: &mut Script, names: Lookup) -> Result<Term, Error> {
        self.nested(script, names, 0)
    }

    /// A term that must be a truth value.
    pub fn formula(&mut self, script: &mut Script, names: Lookup) -> Result<Term, Error> {
        let found = self.term(script, names)?;
        match script.sort(found) {
            Sort::Bool => Ok(found),
            other => Err(self.wrong(format!("a truth value is needed, this has sort {other}"))),
        }
    }

    fn nested(&mut self, script: &mut Script, names: Lookup, depth: usize) -> Result<Term, Error> {
        let token = self.token()?;
        let start = self.start;
        match token {
            Token::Word(word @ ("true" | "false" | "RNE" | "RNA" | "RTP" | "RTN" | "RTZ")) => {
                Ok(script.literal(word))
            }
            Token::Word(word) if word.starts_with('#') => {
                literal(script, word).ok_or_else(|| self.wrong("no number"))
            }
            Token::Word(word) | Token::Name(word) => {
                let unknown = || self.wrong(format!("there is no variable `{word}` here"));
                names(token).ok_or_else(unknown)
            }
            Token::Open if depth < DEPTH => {
                let head = self.raw(0)?;
                if head == "_" {
                    return self.indexed(script);
                }
                let mut parts = Vec::new();
                while self.more()? {
                    parts.push(self.nested(script, names, depth + 1)?);
                }
                let applied = script.try_apply(&head, &parts);
                self.start = start;
                applied.map_err(|e| self.wrong(e.0))
            }
            Token::Open => Err(self.wrong(format!("nested deeper than {DEPTH} lists"))),
            Token::Close => Err(self.wrong("a term is needed here")),
        }
    }

    /// The rest of `(_ bv10 32)`, `(_ NaN 8 24)`.
    fn indexed(&mut self, script: &mut Script) -> Result<Term, Error> {
        let mut words = Vec::new();
        while self.more()? {
            words.push(self.text()?);
        }
        let found = match words[..] {
            [value, width] if value.starts_with("bv") => {
                let width = width.parse().ok().filter(|w| (1..=WIDEST).contains(w));
                let value = value[2..].parse::<u128>().ok().zip(width);
                let value = value.filter(|&(n, width)| width >= 128 || n >> width == 0);
                value.map(|(n, width)| script.bits(n, width))
            }
            _ => script.try_apply(&format!("(_ {})", words.join(" ")), &[]).ok(),
        };
        found.ok_or_else(|| self.wrong("no such constant, or it does not fit"))
    }
}

/// `#x0f`, `#b01`.
fn literal(script: &mut Script, word: &str) -> Option<Term> {
    let (digits, width) = match word.strip_prefix("#x") {
        Some(digits) => (digits, 4),
        None => (word.strip_prefix("#b")?, 1),
    };
    let digit = |c: char| c.to_digit(1 << width).map(|d| format!("{d:0width$b}"));
    let digits: String = digits.chars().map(digit).collect::<Option<_>>()?;
    let fits = (1..=WIDEST as usize).contains(&digits.len());
    fits.then(|| script.literal(&format!("#b{digits}")))
}

impl Script {
    /// A term written in SMT-LIB over `$0`, `$1`, …: for what takes many operators to say.
    pub fn say(&mut self, text: &str, arguments: &[Term]) -> Term {
        if let Some(said) = self.said.get(text).and_then(|of| of.get(arguments)) {
            return *said;
        }
        let names = |token: Token| match token {
            Token::Word(w) => arguments.get(w.strip_prefix('$')?.parse::<usize>().ok()?).copied(),
            _ => None,
        };
        match Reader::new(text, 0).term(self, &names) {
            Ok(said) => {
                self.said.entry(text.into()).or_default().insert(arguments.into(), said);
                said
            }
            Err(error) => self.fail(error),
        }
    }
}
