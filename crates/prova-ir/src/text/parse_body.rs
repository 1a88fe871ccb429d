//! Parsing of procedure bodies: registers, frame objects, locations, edges, statements.

use super::lex::Token;
use super::parse::{Parser, Result};
use crate::ids::*;
use crate::program::*;
use crate::source::Span;

impl Parser<'_> {
    /// Everything up to the closing brace; for a procedure without a body, its registers.
    pub(super) fn body(&mut self, owner: ProcId, defined: bool) -> Result<Option<Body>> {
        self.lets.clear();
        while matches!(
            self.peek(),
            Token::Word("global" | "local" | "param" | "result" | "temp")
        ) {
            self.register_declaration(Some(owner))?;
        }
        while self.is_word("frame") {
            self.object_declaration(Some(owner))?;
        }
        if !defined {
            self.sign("}")?;
            return Ok(None);
        }
        self.word("entry")?;
        let entry = self.location_name()?;
        self.word("exit")?;
        let exit = self.location_name()?;
        self.end_of_line()?;
        while self.is_word("let") {
            self.let_line()?;
        }
        let mut body = Body {
            locations: Vec::new(),
            edges: Vec::new(),
            entry,
            exit,
            errors: Vec::new(),
        };
        // Edges whose position is that of their source, which may come later.
        let mut unplaced = Vec::new();
        loop {
            if self.accept("}") {
                break;
            }
            if self.accept_word("error") {
                let location = self.location_name()?;
                self.mention(&mut body, location)?;
                let property = self.string()?;
                let message = self.string()?;
                body.errors.push(ErrorLocation {
                    location,
                    property,
                    message,
                });
            } else {
                self.location_line(&mut body, &mut unplaced)?;
            }
            self.end_of_line()?;
        }
        self.mention(&mut body, entry)?;
        self.mention(&mut body, exit)?;
        for i in unplaced {
            let edge: &mut Edge = &mut body.edges[i];
            edge.span = body.locations[edge.source.index()].span;
        }
        Ok(Some(body))
    }

    fn location_name(&mut self) -> Result<LocId> {
        if let Token::Word(word) = self.peek() {
            if let Some(n) = word.strip_prefix('L').and_then(|n| n.parse().ok()) {
                self.at += 1;
                return Ok(LocId(n));
            }
        }
        self.expected("a location such as `L0`")
    }

    fn mention(&self, body: &mut Body, location: LocId) -> Result<()> {
        let i = location.index();
        // Every location has a line or an edge of its own: a larger number is a slip.
        if i >= self.tokens.len() {
            return self.error_at(
                self.at.saturating_sub(1),
                "this location's number is too large",
            );
        }
        if body.locations.len() <= i {
            let none = Location {
                span: Span::NONE,
                label: None,
            };
            body.locations.resize(i + 1, none);
        }
        Ok(())
    }

    fn location_line(&mut self, body: &mut Body, unplaced: &mut Vec<usize>) -> Result<()> {
        let source = self.location_name()?;
        self.mention(body, source)?;
        if self.is_sign("@") {
            body.locations[source.index()].span = self.position(Span::NONE)?;
        }
        if self.accept_word("label") {
            body.locations[source.index()].label = Some(self.string()?);
        }
        if !self.accept("->") {
            return Ok(());
        }
        let target = self.location_name()?;
        self.mention(body, target)?;
        self.sign(":")?;
        let statement = self.statement()?;
        if !self.is_sign("@") {
            unplaced.push(body.edges.len());
        }
        let span = self.position(Span::NONE)?;
        body.add_edge(source, target, statement, span);
        Ok(())
    }

    fn let_line(&mut self) -> Result<()> {
        self.at += 1;
        let n = self.lets.len();
        match self.peek() {
            Token::Let(number) if *number as usize == n => self.at += 1,
            _ => return self.expected(&format!("`%{n}`")),
        }
        self.sign("=")?;
        let expr = self.expr()?;
        self.lets.push(expr);
        self.end_of_line()
    }

    fn place(&mut self) -> Result<ExprId> {
        self.sign("[")?;
        let address = self.expr()?;
        self.sign("]")?;
        Ok(address)
    }

    fn statement(&mut self) -> Result<Statement> {
        if self.is_sign("[") {
            let address = self.place()?;
            self.sign(":=")?;
            let value = self.expr()?;
            return Ok(Statement::Store { address, value });
        }
        let keyword = match self.peek() {
            Token::Word(w) if super::KEYWORDS.contains(w) => *w,
            _ => return self.assignment(),
        };
        self.at += 1;
        Ok(match keyword {
            "skip" => Statement::Skip,
            "copy" => {
                let target = self.place()?;
                self.sign(":=")?;
                let source = self.place()?;
                self.sign(",")?;
                let size = self.number("a size")?;
                Statement::Copy {
                    target,
                    source,
                    size,
                }
            }
            "assume" => Statement::Assume(self.expr()?),
            "call" => self.call(None)?,
            "havoc" => {
                let address = self.place()?;
                self.sign(",")?;
                let size = self.number("a size")?;
                self.sign(",")?;
                let origin = self.origin()?;
                Statement::Havoc {
                    address,
                    size,
                    origin,
                }
            }
            "free" => Statement::Free(self.expr()?),
            "enter" => Statement::Enter(self.object()?),
            "leave" => Statement::Leave(self.object()?),
            "marker" => Statement::Marker(MarkerId(self.number("a marker")?)),
            "halt" => {
                if self.accept_word("exit") {
                    Statement::Halt(Halt::Exit(self.expr()?))
                } else if self.accept_word("abort") {
                    Statement::Halt(Halt::Abort)
                } else if self.accept_word("trap") {
                    Statement::Halt(Halt::Trap)
                } else {
                    return self.expected("`exit`, `abort` or `trap`");
                }
            }
            _ => return self.error_at(self.at - 1, format!("`{keyword}` is no statement")),
        })
    }

    fn assignment(&mut self) -> Result<Statement> {
        let target = self.register()?;
        self.sign(":=")?;
        if self.accept_word("call") {
            return self.call(Some(target));
        }
        if self.accept_word("nondet") {
            let origin = self.origin()?;
            return Ok(Statement::Nondet { target, origin });
        }
        if self.accept_word("alloc") {
            let kind = if self.accept_word("heap") {
                Allocation::Heap
            } else if self.accept_word("stack") {
                Allocation::Stack
            } else {
                return self.expected("`heap` or `stack`");
            };
            let size = self.expr()?;
            return Ok(Statement::Allocate { target, size, kind });
        }
        let value = self.expr()?;
        Ok(Statement::Assign { target, value })
    }

    fn call(&mut self, result: Option<RegId>) -> Result<Statement> {
        let callee = match self.is_sign("[") {
            true => Callee::Indirect(self.place()?),
            false => Callee::Direct(self.procedure_name()?),
        };
        let mut arguments = Vec::new();
        self.sign("(")?;
        while !self.accept(")") {
            arguments.push(self.expr()?);
            if !self.is_sign(")") {
                self.sign(",")?;
            }
        }
        Ok(Statement::Call {
            result,
            callee,
            arguments,
        })
    }

    fn origin(&mut self) -> Result<Origin> {
        let Token::Word(word) = *self.peek() else {
            return self.expected("an origin");
        };
        self.at += 1;
        Ok(match word {
            "input" => Origin::Input(self.string()?),
            "choice" => Origin::Choice(self.string()?),
            "undefined" => Origin::Undefined(self.string()?),
            "uninitialised" => Origin::Uninitialised,
            "unmodelled" => Origin::Unmodelled(MarkerId(self.number("a marker")?)),
            "entry" => Origin::Entry,
            _ => return self.error_at(self.at - 1, format!("`{word}` is no origin")),
        })
    }
}
