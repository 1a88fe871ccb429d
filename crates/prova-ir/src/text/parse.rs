//! Parsing of whole programs: declarations. Names may be used before they are declared, so a
//! first walk over the lines collects them.

use super::lex::{lex, ParseError, Spanned, Token};
use super::print::usual_c_name;
use crate::ctype::{CField, CType};
use crate::ids::*;
use crate::program::*;
use crate::source::{SourceFile, Span};
use crate::types::{DataModel, FloatKind, Type};
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
struct Named<T> {
    ids: FxHashMap<String, usize>,
    slots: Vec<Option<T>>,
    next: usize,
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
    registers: Named<Register>,
    objects: Named<Object>,
    procedures: FxHashMap<String, ProcId>,
    /// What the `let` lines of this procedure name.
    pub lets: Vec<ExprId>,
    /// How deep the expression being read nests.
    pub depth: u32,
}

const ROLES: &[(&str, Role)] = &[
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
    fn collect(&mut self) -> Result<()> {
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
    fn numbered_name(&mut self, next: &mut usize) -> Result<(String, usize)> {
        let name = self.name()?;
        let id = match self.accept("#") {
            true => self.number::<u32>("a number")? as usize,
            false => *next,
        };
        *next = id + 1;
        Ok((name, id))
    }

    // Declarations.

    fn program(&mut self) -> Result<()> {
        self.word("prova")?;
        self.sign("-")?;
        self.word("ir")?;
        if self.number::<u32>("a version")? != 1 {
            return self.error("this reader knows version 1 only");
        }
        self.program.model = match self.peek() {
            Token::Word("lp64") => DataModel::Lp64,
            Token::Word("ilp32") => DataModel::Ilp32,
            _ => return self.expected("`lp64` or `ilp32`"),
        };
        self.at += 1;
        self.program.exprs = crate::ExprPool::new(self.program.model);
        self.end_of_line()?;
        self.collect()?;
        loop {
            match self.peek() {
                Token::End => break,
                Token::Newline => self.at += 1,
                Token::Word("file") => self.file()?,
                Token::Word("ctype") => self.ctype_declaration()?,
                Token::Word("marker") => self.marker()?,
                Token::Word("object") => self.object_declaration(None)?,
                Token::Word("extern" | "proc") => self.procedure()?,
                Token::Word("entry") => {
                    self.at += 1;
                    self.program.entry = Some(self.procedure_name()?);
                    self.end_of_line()?;
                }
                Token::Word(w) if ROLES.iter().any(|(role, _)| role == w) => {
                    self.register_declaration(None)?
                }
                _ => return self.expected("a declaration"),
            }
        }
        self.program.registers = self.all("registers", |p| &mut p.registers)?;
        self.program.objects = self.all("objects", |p| &mut p.objects)?;
        Ok(())
    }

    fn all<T>(&mut self, what: &str, of: impl Fn(&mut Self) -> &mut Named<T>) -> Result<Vec<T>> {
        let slots = std::mem::take(&mut of(self).slots);
        let count = slots.len();
        let found: Vec<T> = slots.into_iter().flatten().collect();
        match found.len() == count {
            true => Ok(found),
            false => self.error(format!("the numbers of the {what} leave a gap")),
        }
    }

    fn index(&mut self, what: &str, expected: usize) -> Result<()> {
        let start = self.at;
        match self.number::<usize>("a number")? == expected {
            true => Ok(()),
            false => self.error_at(start, format!("{what} are numbered in order: {expected}")),
        }
    }

    fn file(&mut self) -> Result<()> {
        self.at += 1;
        self.index("files", self.program.files.len())?;
        let name = self.string()?;
        self.program.files.push(SourceFile { name });
        self.end_of_line()
    }

    fn marker(&mut self) -> Result<()> {
        self.at += 1;
        self.index("markers", self.program.markers.len())?;
        let kind = match self.peek() {
            Token::Word("assembly") => {
                self.at += 1;
                MarkerKind::Assembly
            }
            Token::Word("builtin") => {
                self.at += 1;
                MarkerKind::Builtin(self.string()?)
            }
            Token::Word("other") => {
                self.at += 1;
                MarkerKind::Other(self.string()?)
            }
            _ => return self.expected("`assembly`, `builtin` or `other`"),
        };
        let span = self.position(Span::NONE)?;
        self.program.markers.push(Marker { kind, span });
        self.end_of_line()
    }

    /// A position, or `usual` where none is given.
    pub(super) fn position(&mut self, usual: Span) -> Result<Span> {
        if !self.accept("@") {
            return Ok(usual);
        }
        if self.accept_word("none") {
            return Ok(Span::NONE);
        }
        let first = self.number("a line")?;
        self.sign(":")?;
        let second = self.number("a column")?;
        let (file, line, column) = match self.accept(":") {
            true => (first, second, self.number("a column")?),
            false => (0, first, second),
        };
        let file = FileId(file);
        Ok(Span { file, line, column })
    }

    fn c_name(&mut self, usual: &str) -> Result<String> {
        match self.accept_word("c") {
            true => self.string(),
            false => Ok(usual.to_owned()),
        }
    }

    fn optional_ctype(&mut self) -> Result<Option<CTypeId>> {
        match self.accept_word("ctype") {
            true => Ok(Some(self.ctype_id()?)),
            false => Ok(None),
        }
    }

    fn ctype_id(&mut self) -> Result<CTypeId> {
        Ok(CTypeId(self.number("the number of a C type")?))
    }

    fn ctype_declaration(&mut self) -> Result<()> {
        self.at += 1;
        self.index("C types", self.program.ctypes.len())?;
        self.sign("=")?;
        let start = self.at;
        let Token::Word(kind) = self.next() else {
            return self.error_at(start, "expected a C type");
        };
        let ctype = match kind {
            "void" => CType::Void,
            "bool" => CType::Bool,
            "int" => {
                let name = self.string()?;
                let bits = self.number("a width")?;
                let signed = self.accept_word("signed");
                if !signed {
                    self.word("unsigned")?;
                }
                CType::Int { name, bits, signed }
            }
            "float" => CType::Float {
                bits: self.number("a width")?,
            },
            "pointer" => CType::Pointer(self.ctype_id()?),
            "array" => CType::Array {
                element: self.ctype_id()?,
                length: match self.accept("?") {
                    true => None,
                    false => Some(self.number("a length")?),
                },
            },
            "struct" | "union" => self.record(kind == "union")?,
            "function" => {
                let result = self.ctype_id()?;
                let mut parameters = Vec::new();
                let mut variadic = false;
                self.sign("(")?;
                while !self.accept(")") {
                    variadic = self.accept("...");
                    if variadic {
                        self.sign(")")?;
                        break;
                    }
                    parameters.push(self.ctype_id()?);
                    if !self.is_sign(")") {
                        self.sign(",")?;
                    }
                }
                CType::Function {
                    result,
                    parameters,
                    variadic,
                }
            }
            _ => return self.error_at(start, format!("`{kind}` is no kind of C type")),
        };
        self.program.ctypes.push(ctype);
        self.end_of_line()
    }

    fn record(&mut self, union: bool) -> Result<CType> {
        let name = self.string()?;
        let size = self.number("a size")?;
        let mut fields = Vec::new();
        self.sign("{")?;
        while !self.accept("}") {
            let name = self.string()?;
            let offset = self.number("an offset")?;
            let bits = match self.accept_word("bits") {
                true => Some((self.number("a bit")?, self.number("a width")?)),
                false => None,
            };
            self.sign(":")?;
            let ctype = self.ctype_id()?;
            fields.push(CField {
                name,
                offset,
                bits,
                ctype,
            });
            if !self.is_sign("}") {
                self.sign(",")?;
            }
        }
        Ok(CType::Record {
            name,
            union,
            size,
            fields,
        })
    }

    pub(super) fn ty(&mut self) -> Result<Type> {
        if let Token::Word(word) = self.peek() {
            let ty = match *word {
                "ptr" => Some(Type::Ptr),
                "f32" => Some(Type::Float(FloatKind::F32)),
                "f64" => Some(Type::Float(FloatKind::F64)),
                "f80" => Some(Type::Float(FloatKind::X87)),
                _ => word
                    .strip_prefix('i')
                    .and_then(|w| w.parse().ok())
                    .filter(|w| (1..=128).contains(w))
                    .map(Type::Int),
            };
            if let Some(ty) = ty {
                self.at += 1;
                return Ok(ty);
            }
        }
        self.expected("a type (`i1` … `i128`, `f32`, `f64`, `f80`, `ptr`)")
    }

    fn slot<T>(
        &mut self,
        at: usize,
        id: usize,
        of: impl Fn(&mut Self) -> &mut Named<T>,
    ) -> Result<()> {
        let limit = self.tokens.len();
        let named = of(self);
        named.next = id + 1;
        if id >= limit {
            return self.error_at(at, "this number leaves a gap");
        }
        if named.slots.len() <= id {
            named.slots.resize_with(id + 1, || None);
        }
        match named.slots[id].is_some() {
            true => self.error_at(at, format!("number {id} is taken")),
            false => Ok(()),
        }
    }

    pub(super) fn register_declaration(&mut self, owner: Option<ProcId>) -> Result<()> {
        let Token::Word(word) = *self.peek() else {
            return self.expected("a register");
        };
        let Some(&(_, role)) = ROLES.iter().find(|(r, _)| *r == word) else {
            return self.expected("a register");
        };
        self.at += 1;
        let at = self.at;
        let mut next = self.registers.next;
        let (name, id) = self.numbered_name(&mut next)?;
        self.slot(at, id, |p| &mut p.registers)?;
        self.sign(":")?;
        let ty = self.ty()?;
        let initial = match self.accept("=") {
            true => Some(self.expr()?),
            false => None,
        };
        let c_name = self.c_name(usual_c_name(role, &name))?;
        let ctype = self.optional_ctype()?;
        let span = self.position(Span::NONE)?;
        self.registers.slots[id] = Some(Register {
            name,
            c_name,
            ty,
            ctype,
            owner,
            role,
            initial,
            span,
        });
        self.end_of_line()
    }

    pub(super) fn object_declaration(&mut self, owner: Option<ProcId>) -> Result<()> {
        self.at += 1;
        let at = self.at;
        let mut next = self.objects.next;
        let (name, id) = self.numbered_name(&mut next)?;
        self.slot(at, id, |p| &mut p.objects)?;
        self.sign(":")?;
        let size = self.number("a size")?;
        self.word("align")?;
        let align = self.number("an alignment")?;
        let storage = match owner {
            Some(owner) => Storage::Frame(owner),
            None if self.accept_word("external") => Storage::External,
            None => {
                let constant = self.accept_word("constant");
                if !constant {
                    self.word("static")?;
                }
                let initial = match self.accept("=") {
                    true => self.contents()?,
                    false => Vec::new(),
                };
                Storage::Static { initial, constant }
            }
        };
        let c_name = self.c_name(&name)?;
        let ctype = self.optional_ctype()?;
        let span = self.position(Span::NONE)?;
        self.objects.slots[id] = Some(Object {
            name,
            c_name,
            size,
            align,
            storage,
            ctype,
            span,
        });
        self.end_of_line()
    }

    fn contents(&mut self) -> Result<Vec<(u64, Initial)>> {
        let mut parts = Vec::new();
        self.sign("{")?;
        while !self.accept("}") {
            let offset = self.number("an offset")?;
            self.sign(":")?;
            let part = match self.peek() {
                Token::Text(_) => Initial::Bytes(self.bytes()?),
                _ => Initial::Value(self.expr()?),
            };
            parts.push((offset, part));
            if !self.is_sign("}") {
                self.sign(",")?;
            }
        }
        Ok(parts)
    }

    fn procedure(&mut self) -> Result<()> {
        let defined = !self.accept_word("extern");
        self.word("proc")?;
        let name = self.name()?;
        let id = ProcId::new(self.program.procedures.len());
        let mut parameters = Vec::new();
        self.sign("(")?;
        while !self.accept(")") {
            parameters.push(self.register()?);
            if !self.is_sign(")") {
                self.sign(",")?;
            }
        }
        let result = match self.accept("->") {
            true => Some(self.register()?),
            false => None,
        };
        let variadic = self.accept_word("variadic");
        let noreturn = self.accept_word("noreturn");
        let c_name = self.c_name(&name)?;
        let ctype = self.optional_ctype()?;
        let span = self.position(Span::NONE)?;
        let mut body = None;
        if defined || self.is_sign("{") {
            self.sign("{")?;
            self.end_of_line()?;
            body = self.body(id, defined)?;
        }
        self.program.procedures.push(Procedure {
            name,
            c_name,
            parameters,
            result,
            variadic,
            noreturn,
            ctype,
            span,
            body,
        });
        self.end_of_line()
    }
}
