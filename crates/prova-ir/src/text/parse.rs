//! Parsing: walking over tokens and looking up names. Names may be used before they are declared,
//! so a first walk over the lines collects them.

use super::lex::{lex, ParseError, Spanned, Token};
use crate::ids::*;
use crate::program::*;
use crate::types::{DataModel, Type};
use rustc_hash::FxHashMap;

pub(super) type Result<T> = std::result::Result<T, ParseError>;

/// Reads a program in the text form. The result has the shape the text says; whether it is a
/// valid program is for the validator.
pub fn parse(text: &str) -> Result<Program> {
    let tokens = lex(text)?;
    let mut parser = Parser {
        tokens,
        at: 0,
        program: Program::new(DataModel::Lp64),
        registers: Named::default(),
        objects: Named::default(),
        procedures: FxHashMap::default(),
        lets: Vec::new(),
        depth: 0,
    };
    parser.program()?;
    Ok(parser.program)
}

/// Elements that are declared once, perhaps with a number of their own.
pub(super) struct Named<T> {
    pub ids: FxHashMap<String, usize>,
    pub slots: Vec<Option<T>>,
    pub next: usize,
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self {
            ids: FxHashMap::default(),
            slots: Vec::new(),
            next: 0,
        }
    }
}

pub(super) struct Parser<'a> {
    pub tokens: Vec<Spanned<'a>>,
    pub at: usize,
    pub program: Program,
    pub registers: Named<Register>,
    pub objects: Named<Object>,
    procedures: FxHashMap<String, ProcId>,
    /// What the `let` lines of this procedure name.
    pub lets: Vec<ExprId>,
    /// How deep the expression being read nests.
    pub depth: u32,
}

pub(super) const ROLES: &[(&str, Role)] = &[
    ("global", Role::Global),
    ("local", Role::Local),
    ("param", Role::Parameter),
    ("result", Role::Result),
    ("temp", Role::Temporary),
];

impl<'a> Parser<'a> {
    // Tokens.

    pub(super) fn peek(&self) -> &Token<'a> {
        &self.tokens[self.at].token
    }

    pub(super) fn next(&mut self) -> Token<'a> {
        let token = self.tokens[self.at].token.clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    pub(super) fn error_at<T>(&self, at: usize, message: impl Into<String>) -> Result<T> {
        let token = &self.tokens[at.min(self.tokens.len() - 1)];
        Err(ParseError {
            line: token.line,
            column: token.column,
            message: message.into(),
        })
    }

    pub(super) fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        self.error_at(self.at, message)
    }

    pub(super) fn expected<T>(&self, what: &str) -> Result<T> {
        let found = match self.peek() {
            Token::Newline => "the end of the line".into(),
            Token::End => "the end of the text".into(),
            Token::Word(w) | Token::Number(w) | Token::Sign(w) => format!("`{w}`"),
            Token::Quoted(name) => format!("'{name}'"),
            Token::Text(_) => "a string".into(),
            Token::Let(n) => format!("`%{n}`"),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(w) if *w == word)
    }

    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.at += 1;
        }
        found
    }

    pub(super) fn word(&mut self, word: &str) -> Result<()> {
        match self.accept_word(word) {
            true => Ok(()),
            false => self.expected(&format!("`{word}`")),
        }
    }

    pub(super) fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(s) if *s == sign)
    }

    pub(super) fn accept(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.at += 1;
        }
        found
    }

    pub(super) fn sign(&mut self, sign: &str) -> Result<()> {
        match self.accept(sign) {
            true => Ok(()),
            false => self.expected(&format!("`{sign}`")),
        }
    }

    pub(super) fn end_of_line(&mut self) -> Result<()> {
        match self.peek() {
            Token::Newline => {
                self.at += 1;
                Ok(())
            }
            Token::End => Ok(()),
            _ => self.expected("the end of the line"),
        }
    }

    pub(super) fn number<T: std::str::FromStr>(&mut self, what: &str) -> Result<T> {
        if let Token::Number(text) = self.peek() {
            return match text.parse() {
                Ok(value) => {
                    self.at += 1;
                    Ok(value)
                }
                Err(_) => self.error(format!("`{text}` cannot be {what}")),
            };
        }
        self.expected(what)
    }

    pub(super) fn bytes(&mut self) -> Result<Vec<u8>> {
        match self.peek() {
            Token::Text(_) => match self.next() {
                Token::Text(bytes) => Ok(bytes),
                _ => self.expected("a string"),
            },
            _ => self.expected("a string"),
        }
    }

    pub(super) fn string(&mut self) -> Result<String> {
        let start = self.at;
        match String::from_utf8(self.bytes()?) {
            Ok(text) => Ok(text),
            Err(_) => self.error_at(start, "this string is not UTF-8"),
        }
    }

    pub(super) fn name(&mut self) -> Result<String> {
        match self.peek() {
            Token::Word(w) => {
                let name = (*w).to_owned();
                self.at += 1;
                Ok(name)
            }
            Token::Quoted(name) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            _ => self.expected("a name"),
        }
    }

    // Names.

    fn lookup<T>(&mut self, what: &str, find: impl Fn(&Self, &str) -> Option<T>) -> Result<T> {
        let start = self.at;
        let name = self.name()?;
        match find(self, &name) {
            Some(found) => Ok(found),
            None => self.error_at(start, format!("no {what} is named `{name}`")),
        }
    }

    pub(super) fn register(&mut self) -> Result<RegId> {
        self.lookup("register", |p, n| {
            p.registers.ids.get(n).map(|&i| RegId::new(i))
        })
    }

    pub(super) fn register_type(&self, id: RegId) -> Option<Type> {
        let slot = self.registers.slots.get(id.index())?;
        slot.as_ref().map(|r| r.ty)
    }

    pub(super) fn object(&mut self) -> Result<ObjectId> {
        self.lookup("object", |p, n| {
            p.objects.ids.get(n).map(|&i| ObjectId::new(i))
        })
    }

    pub(super) fn procedure_name(&mut self) -> Result<ProcId> {
        self.lookup("procedure", |p, n| p.procedures.get(n).copied())
    }

    /// Collects the names of procedures, objects and registers.
    pub(super) fn collect(&mut self) -> Result<()> {
        let start = self.at;
        let (mut register, mut object) = (0, 0);
        loop {
            match self.peek() {
                Token::End => break,
                Token::Word("extern" | "proc") => {
                    self.accept_word("extern");
                    self.word("proc")?;
                    let at = self.at;
                    let name = self.name()?;
                    let id = ProcId::new(self.procedures.len());
                    if self.procedures.insert(name.clone(), id).is_some() {
                        return self.error_at(at, format!("a second procedure `{name}`"));
                    }
                }
                Token::Word("object" | "frame") => {
                    self.at += 1;
                    let at = self.at;
                    let (name, id) = self.numbered_name(&mut object)?;
                    if self.objects.ids.insert(name.clone(), id).is_some() {
                        return self.error_at(at, format!("a second object `{name}`"));
                    }
                }
                Token::Word(w) if ROLES.iter().any(|(role, _)| role == w) => {
                    self.at += 1;
                    let at = self.at;
                    let (name, id) = self.numbered_name(&mut register)?;
                    if self.registers.ids.insert(name.clone(), id).is_some() {
                        return self.error_at(at, format!("a second register `{name}`"));
                    }
                }
                _ => {}
            }
            while !matches!(self.peek(), Token::Newline | Token::End) {
                self.at += 1;
            }
            if matches!(self.peek(), Token::Newline) {
                self.at += 1;
            }
        }
        self.at = start;
        Ok(())
    }

    /// A declared name with its number: the next one unless `#n` follows.
    pub(super) fn numbered_name(&mut self, next: &mut usize) -> Result<(String, usize)> {
        let name = self.name()?;
        let id = match self.accept("#") {
            true => self.number::<u32>("a number")? as usize,
            false => *next,
        };
        *next = id + 1;
        Ok((name, id))
    }
}
