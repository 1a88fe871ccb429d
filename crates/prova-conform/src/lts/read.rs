//! Text to syntax.
//!
//! ```text
//! file        := item*
//! item        := "machine" name [ "(" name ("," name)* ")" ] "{" state+ "}"
//!              | "label" name "=" name ";"
//!              | "hidden" name ("," name)* ";"
//!              | ("target" | "assume") declaration ["havoc"] (":" name ";" | "{" case+ "}")
//! declaration := C, up to the parenthesis behind the parameters
//! case        := (C expression | "else") ":" name ";"
//! state       := name ":" [ move ("|" move)* ] ";"
//! move        := (name | "tau") "->" name
//!              | "return" ("void" | "any" | "other" | ["-"] number | name)
//!              | name "(" word ("," word)* ")"
//! ```
//!
//! Only the frame is read here; guards and declarations are C, and the front end's business.

use super::syntax::*;
use super::Value;
use prova_c::lines::Source;
use prova_c::tokens::{tokenize, Kind, Token};
use prova_c::{Diagnostic, Place};
use std::ops::Range;
use std::sync::Arc;

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// The state that returns lead to; no machine has one with this name.
pub const STOP: &str = "STOP";

/// Reads a file of machines from its text.
///
/// # Errors
/// What keeps the text from being one.
pub fn parse(name: &str, text: &str) -> Result<File> {
    let source = Arc::new(Source::plain(name, text));
    let tokens = tokenize(text).map_err(|e| {
        let place = Place {
            source: source.clone(),
            range: e.range,
        };
        Box::new(Diagnostic::error(e.message, place))
    })?;
    let mut parser = Parser {
        text,
        tokens: tokens.tokens,
        at: 0,
        file: File {
            source,
            machines: Vec::new(),
            abstractions: Vec::new(),
            labels: Vec::new(),
            hidden: Vec::new(),
        },
    };
    while parser.at < parser.tokens.len() {
        parser.item()?;
    }
    if parser.file.machines.is_empty() {
        let end = text.len();
        return Err(parser.file.error(&(end..end), "there is no machine here"));
    }
    Ok(parser.file)
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    file: File,
}

impl<'t> Parser<'t> {
    fn word_at(&self, at: usize) -> &'t str {
        let text = self.text;
        self.tokens.get(at).map_or("", |t| &text[t.range()])
    }

    fn word(&self) -> &'t str {
        self.word_at(self.at)
    }

    fn range(&self) -> Range<usize> {
        let end = self.text.len();
        self.tokens.get(self.at).map_or(end..end, |t| t.range())
    }

    fn expected(&self, what: &str) -> Box<Diagnostic> {
        let found = match self.word() {
            "" => "the end of the file".to_owned(),
            word => format!("`{word}`"),
        };
        let message = format!("expected {what}, found {found}");
        self.file.error(&self.range(), message)
    }

    fn take(&mut self, word: &str) -> Result<()> {
        if self.word() != word {
            return Err(self.expected(&format!("`{word}`")));
        }
        self.at += 1;
        Ok(())
    }

    fn skip(&mut self, word: &str) -> bool {
        let there = self.word() == word;
        self.at += usize::from(there);
        there
    }

    fn name(&mut self, what: &str) -> Result<Name> {
        match self.tokens.get(self.at) {
            Some(token) if token.kind == Kind::Word => {
                let found = Name {
                    text: self.word().to_string(),
                    range: token.range(),
                };
                self.at += 1;
                Ok(found)
            }
            _ => Err(self.expected(what)),
        }
    }

    fn item(&mut self) -> Result<()> {
        match self.word() {
            "machine" => self.machine(),
            "label" => {
                self.at += 1;
                let label = self.name("a C label")?;
                self.take("=")?;
                let action = self.visible()?;
                self.take(";")?;
                if let Some((first, _)) =
                    self.file.labels.iter().find(|(l, _)| l.text == label.text)
                {
                    let place = self.file.place(&first.range);
                    let message = format!("the label `{}` has an action already", label.text);
                    let error = self.file.error(&label.range, message);
                    return Err(Box::new(error.with_note("here", place)));
                }
                self.file.labels.push((label, action));
                Ok(())
            }
            "hidden" => {
                self.at += 1;
                loop {
                    let action = self.visible()?;
                    self.file.hidden.push(action);
                    if !self.skip(",") {
                        break;
                    }
                }
                self.take(";")
            }
            "target" | "assume" => self.abstraction(),
            _ => Err(self.expected("`machine`, `target`, `assume`, `label` or `hidden`")),
        }
    }

    fn action(&mut self) -> Result<Name> {
        let name = self.name("an action")?;
        if ["return", "void", "any", "else"].contains(&name.text.as_str()) {
            let message = format!("`{}` cannot be the name of an action", name.text);
            return Err(self.file.error(&name.range, message));
        }
        Ok(name)
    }

    /// An action that somebody sees.
    fn visible(&mut self) -> Result<Name> {
        let name = self.action()?;
        if name.text == "tau" {
            let message = "`tau` is what nobody sees";
            return Err(self.file.error(&name.range, message));
        }
        Ok(name)
    }

    fn machine(&mut self) -> Result<()> {
        self.take("machine")?;
        let name = self.name("the machine's name")?;
        if let Some(first) = self.file.machines.iter().find(|m| m.name.text == name.text) {
            let message = format!("there are two machines with the name `{}`", name.text);
            let place = self.file.place(&first.name.range);
            let error = self.file.error(&name.range, message);
            return Err(Box::new(error.with_note("the other one", place)));
        }
        let mut parameters = Vec::new();
        if self.skip("(") {
            loop {
                let parameter = self.name("a parameter")?;
                if parameters.iter().any(|p: &Name| p.text == parameter.text) {
                    let message = format!("there are two parameters `{}`", parameter.text);
                    return Err(self.file.error(&parameter.range, message));
                }
                parameters.push(parameter);
                if !self.skip(",") {
                    break;
                }
            }
            self.take(")")?;
        }
        self.take("{")?;
        let mut states: Vec<State> = Vec::new();
        while !self.skip("}") {
            let state = self.state()?;
            if let Some(first) = states.iter().find(|s| s.name.text == state.name.text) {
                let message = format!("there are two states with the name `{}`", state.name.text);
                let place = self.file.place(&first.name.range);
                let error = self.file.error(&state.name.range, message);
                return Err(Box::new(error.with_note("the other one", place)));
            }
            if parameters.iter().any(|p| p.text == state.name.text) {
                let message = format!(
                    "`{}` is a parameter, and cannot be a state",
                    state.name.text
                );
                return Err(self.file.error(&state.name.range, message));
            }
            states.push(state);
        }
        if states.is_empty() {
            let message = "a machine needs a state; it starts in the first";
            return Err(self.file.error(&name.range, message));
        }
        self.file.machines.push(Machine {
            name,
            parameters,
            states,
        });
        Ok(())
    }

    fn state(&mut self) -> Result<State> {
        let name = self.name("a state, or `}`")?;
        if name.text == STOP {
            let message = "`STOP` is where returns lead, and has no moves";
            return Err(self.file.error(&name.range, message));
        }
        self.take(":")?;
        let mut moves = Vec::new();
        if self.word() != ";" {
            loop {
                moves.push(self.one_move()?);
                if !self.skip("|") {
                    break;
                }
            }
        }
        self.take(";")?;
        Ok(State { name, moves })
    }

    fn one_move(&mut self) -> Result<Move> {
        if self.word() == "return" {
            let start = self.range().start;
            self.at += 1;
            let value = self.returned()?;
            let end = self.tokens[self.at - 1].range().end;
            return Ok(Move::Return {
                value,
                range: start..end,
            });
        }
        let action = self.action()?;
        if self.skip("(") {
            let mut arguments = Vec::new();
            loop {
                arguments.push(self.argument()?);
                if !self.skip(",") {
                    break;
                }
            }
            self.take(")")?;
            return Ok(Move::Piece {
                name: action,
                arguments,
            });
        }
        self.take("->")?;
        let to = self.name("the state it leads to")?;
        if to.text == STOP {
            let message = "only `return` leads to `STOP`";
            return Err(self.file.error(&to.range, message));
        }
        Ok(Move::Step { action, to })
    }

    fn argument(&mut self) -> Result<Name> {
        let start = self.range().start;
        match self.returned()? {
            Returned::Parameter(text) => Ok(Name {
                text,
                range: self.tokens[self.at - 1].range(),
            }),
            Returned::Value(_) => {
                let range = start..self.tokens[self.at - 1].range().end;
                let text = self.text[range.clone()].to_string();
                Ok(Name { text, range })
            }
        }
    }

    fn returned(&mut self) -> Result<Returned> {
        if let Some(token) = self.tokens.get(self.at).filter(|t| t.kind == Kind::Word) {
            let word = &self.text[token.range()];
            self.at += 1;
            return Ok(match word {
                "void" => Returned::Value(Value::Void),
                "any" => Returned::Value(Value::Any),
                "other" => Returned::Value(Value::Other),
                other => Returned::Parameter(other.to_string()),
            });
        }
        let negative = self.skip("-");
        let range = self.range();
        let is_number = self
            .tokens
            .get(self.at)
            .is_some_and(|t| t.kind == Kind::Number);
        if !is_number {
            return Err(self.expected("a number, `void`, `any` or `other`"));
        }
        self.at += 1;
        let text = &self.text[range.clone()];
        let digits = text.strip_prefix("0x").or(text.strip_prefix("0X"));
        let number = match digits {
            Some(digits) => i64::from_str_radix(digits, 16),
            None => text.parse::<i64>(),
        };
        match number {
            Ok(n) => Ok(Returned::Value(Value::Int(if negative {
                -i128::from(n)
            } else {
                i128::from(n)
            }))),
            Err(_) => {
                let message = "this is no number that can be returned: decimal or 0x, 64 bits";
                Err(self.file.error(&range, message))
            }
        }
    }

    fn abstraction(&mut self) -> Result<()> {
        let target = self.word() == "target";
        self.at += 1;
        let begin = self.range().start;
        let mut name = None;
        while self.word() != "(" {
            name = Some(self.at);
            if self.word().is_empty() || matches!(self.word(), ";" | "{" | ":") {
                return Err(self.expected("the `(` of a C declaration, as in `int f(int x)`"));
            }
            self.at += 1;
        }
        let open = self.at;
        self.close()?;
        let close = self.at - 1;
        let name = name.filter(|&n| self.tokens[n].kind == Kind::Word);
        let Some(name) = name else {
            self.at = open;
            return Err(self.expected("the procedure's name"));
        };
        let result = begin..self.tokens[name].range().start;
        if self.text[result.clone()].trim().is_empty() {
            self.at = name;
            return Err(self.expected("the type of what the procedure returns"));
        }
        let parameters = self.tokens[open].range().end..self.tokens[close].range().start;
        let names = self.parameter_names(open + 1, close)?;
        let name = Name {
            text: self.word_at(name).to_string(),
            range: self.tokens[name].range(),
        };
        let havoc = self.skip("havoc");
        let role = match target {
            true if havoc => {
                let message = "`havoc` is what an assumed routine may do, not a target";
                return Err(self.file.error(&self.tokens[self.at - 1].range(), message));
            }
            true => Role::Target,
            false => Role::Assumption { havoc },
        };
        let cases = self.cases()?;
        let same = |a: &&Abstraction| a.name.text == name.text && a.role == role;
        if let Some(first) = self.file.abstractions.iter().find(same) {
            let place = self.file.place(&first.name.range);
            let message = format!("`{}` is abstracted twice", name.text);
            let error = self.file.error(&name.range, message);
            return Err(Box::new(error.with_note("the other one", place)));
        }
        self.file.abstractions.push(Abstraction {
            role,
            name,
            result,
            parameters,
            names,
            cases,
        });
        Ok(())
    }

    fn cases(&mut self) -> Result<Vec<Case>> {
        if self.skip(":") {
            let machine = self.name("a machine")?;
            self.take(";")?;
            return Ok(vec![Case {
                guard: None,
                machine,
            }]);
        }
        self.take("{")?;
        let mut cases: Vec<Case> = Vec::new();
        while !self.skip("}") {
            if cases.last().is_some_and(|c| c.guard.is_none()) {
                let message = "`else` comes last: nothing is left for another guard";
                return Err(self.file.error(&self.range(), message));
            }
            // The last colon before the semicolon: an expression may have others.
            let begin = self.at;
            let mut end = begin;
            while !matches!(self.word_at(end), "" | ";" | "}") {
                end += 1;
            }
            let colon = (begin..end).rev().find(|&i| self.word_at(i) == ":");
            let Some(colon) = colon.filter(|&c| c > begin) else {
                return Err(self.expected("a guard and its machine, as in `x > 0 : M;`"));
            };
            let guard = self.tokens[begin].range().start..self.tokens[colon - 1].range().end;
            let guard = (&self.text[guard.clone()] != "else").then_some(guard);
            self.at = colon + 1;
            let machine = self.name("a machine")?;
            self.take(";")?;
            cases.push(Case { guard, machine });
        }
        if cases.is_empty() {
            return Err(self.expected("a guard and its machine"));
        }
        Ok(cases)
    }

    /// Passes the closing parenthesis.
    fn close(&mut self) -> Result<()> {
        let mut depth = 0usize;
        loop {
            match self.word() {
                "" => return Err(self.expected("`)`")),
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// The names of parameters between two tokens.
    fn parameter_names(&self, begin: usize, end: usize) -> Result<Vec<String>> {
        let words: Vec<usize> = (begin..end).collect();
        if words.is_empty() || (words.len() == 1 && self.word_at(begin) == "void") {
            return Ok(Vec::new());
        }
        let mut names = Vec::new();
        for part in words.split(|&i| self.word_at(i) == ",") {
            let plain = part.iter().take_while(|&&i| self.word_at(i) != "[");
            let name = plain.filter(|&&i| self.tokens[i].kind == Kind::Word).last();
            let odd = part.iter().any(|&i| matches!(self.word_at(i), "(" | "..."));
            match name {
                Some(&name) if part.len() > 1 && !odd => names.push(self.word_at(name).into()),
                _ => {
                    let at = part.first().copied().unwrap_or(begin);
                    let message = "a parameter needs a type and a name here; use a typedef for a \
                                   pointer to a function";
                    return Err(self.file.error(&self.tokens[at].range(), message));
                }
            }
        }
        Ok(names)
    }
}
