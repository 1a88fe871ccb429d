//! Parsing of declarations: files, C types, markers, registers, objects, procedures.

use super::lex::Token;
use super::parse::{Named, Parser, Result, ROLES};
use super::print::usual_c_name;
use crate::ctype::{CField, CType};
use crate::ids::*;
use crate::program::*;
use crate::source::{SourceFile, Span};
use crate::types::{DataModel, FloatKind, Type};

impl Parser<'_> {
    pub(super) fn program(&mut self) -> Result<()> {
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
        let mut read_only = Vec::new();
        if self.accept_word("reads") {
            self.sign("(")?;
            while !self.accept(")") {
                read_only.push(self.number("a parameter's position")?);
            }
        }
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
            read_only,
            ctype,
            span,
            body,
        });
        self.end_of_line()
    }
}
