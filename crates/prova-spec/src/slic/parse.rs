//! Text to syntax. Only the frame of a rule is read here; the C inside of it is the front end's.
//!
//! ```text
//! rule     := item*
//! item     := "state" "{" declaration* "}"
//!           | "watch" function "." event "." object ";"
//!           | "optional" function ("," function)* ";"
//!           | functions "." event [ "[" "guard" object "]" ] block
//! functions := name | "[" name ("," name)* "]"
//! event    := "entry" | "call" | "exit" | "return"
//! object   := "$" number | "$return"
//! ```

use super::syntax::*;
use prova_c::lines::Source;
use prova_c::tokens::{tokenize, Kind, Token};
use prova_c::{Diagnostic, Place};
use std::ops::Range;
use std::sync::Arc;

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// Reads a rule from the text of a file.
///
/// # Errors
/// What keeps the text from being a rule.
pub fn parse(file: &str, text: &str) -> std::result::Result<Rule, Diagnostic> {
    let source = Arc::new(Source::plain(file, text));
    let place = |range: Range<usize>| Place {
        source: source.clone(),
        range,
    };
    let tokens = tokenize(text)
        .map_err(|e| Diagnostic::error(e.message, place(e.range)))?
        .tokens;
    let stem = std::path::Path::new(file).file_stem().unwrap_or_default();
    let name: String = stem
        .to_string_lossy()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let mut parser = Parser {
        text,
        at: 0,
        rule: Rule {
            name,
            source: source.clone(),
            tokens,
            state: Vec::new(),
            names: Vec::new(),
            watches: Vec::new(),
            handlers: Vec::new(),
            optional: Vec::new(),
        },
    };
    while parser.at < parser.rule.tokens.len() {
        parser.item().map_err(|e| *e)?;
    }
    if parser.rule.handlers.is_empty() {
        let end = text.len();
        let message = "a rule needs a handler, such as `f.entry { … }`";
        return Err(Diagnostic::error(message, place(end..end)));
    }
    parser.check_guards().map_err(|e| *e)?;
    Ok(parser.rule)
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    rule: Rule,
}

impl<'t> Parser<'t> {
    fn token(&self, at: usize) -> Option<Token> {
        self.rule.tokens.get(at).copied()
    }

    fn word(&self) -> &'t str {
        self.word_at(self.at)
    }

    fn word_at(&self, at: usize) -> &'t str {
        let text = self.text;
        self.token(at).map_or("", |t| &text[t.range()])
    }

    fn range(&self) -> Range<usize> {
        let end = self.text.len();
        self.token(self.at).map_or(end..end, Token::range)
    }

    fn error(&self, range: Range<usize>, message: impl Into<String>) -> Box<Diagnostic> {
        let place = Place {
            source: self.rule.source.clone(),
            range,
        };
        Box::new(Diagnostic::error(message, place))
    }

    fn expected(&self, what: &str) -> Box<Diagnostic> {
        let found = match self.word() {
            "" => "the end of the file".to_owned(),
            word => format!("`{word}`"),
        };
        self.error(self.range(), format!("expected {what}, found {found}"))
    }

    fn take(&mut self, word: &str) -> Result<Range<usize>> {
        if self.word() != word {
            return Err(self.expected(&format!("`{word}`")));
        }
        let range = self.range();
        self.at += 1;
        Ok(range)
    }

    fn name(&mut self, what: &str) -> Result<Name> {
        match self.token(self.at) {
            Some(token) if token.kind == Kind::Word && !self.word().contains('$') => {
                let name = Name {
                    text: self.word().to_owned(),
                    range: token.range(),
                };
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.expected(what)),
        }
    }

    fn object(&mut self) -> Result<Name> {
        let word = self.word();
        let number = word.strip_prefix('$').map(|n| n.parse::<u32>());
        if word != "$return" && !matches!(number, Some(Ok(n)) if n > 0) {
            return Err(self.expected("`$1`, `$2`, … or `$return`"));
        }
        let name = Name {
            text: word.to_owned(),
            range: self.range(),
        };
        self.at += 1;
        Ok(name)
    }

    fn event(&mut self) -> Result<Event> {
        match Event::named(self.word()) {
            Some(event) => {
                self.at += 1;
                Ok(event)
            }
            None => Err(self.expected("`entry`, `exit`, `call` or `return`")),
        }
    }

    /// The index behind the block that starts here.
    fn block(&mut self) -> Result<Range<usize>> {
        let start = self.range();
        if self.word() != "{" {
            return Err(self.expected("`{`"));
        }
        let mut depth = 0usize;
        while self.at < self.rule.tokens.len() {
            match self.word() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                let end = self.rule.tokens[self.at - 1].range().end;
                return Ok(start.start..end);
            }
        }
        Err(self.error(start, "this `{` has no `}`"))
    }

    fn item(&mut self) -> Result<()> {
        let directive = self.token(self.at).map(|t| t.kind) == Some(Kind::Directive);
        if directive {
            return Err(self.error(self.range(), "a rule is not preprocessed"));
        }
        let next = self.word_at(self.at + 1);
        match self.word() {
            ";" => self.at += 1,
            "state" if next == "{" => self.state()?,
            "watch" if next != "." => self.watch()?,
            "optional" if next != "." => {
                self.at += 1;
                loop {
                    let name = self.name("the name of a function")?;
                    self.rule.optional.push(name.text);
                    if self.word() != "," {
                        break;
                    }
                    self.at += 1;
                }
                self.take(";")?;
            }
            _ => self.handler()?,
        }
        Ok(())
    }

    fn state(&mut self) -> Result<()> {
        self.at += 1;
        let first = self.at + 1;
        self.block()?;
        let last = self.at - 1;
        let mut start = first;
        let mut depth = 0usize;
        for i in first..last {
            match self.word_at(i) {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth = depth.saturating_sub(1),
                ";" if depth == 0 => {
                    self.declaration(start, i)?;
                    start = i + 1;
                }
                _ => {}
            }
        }
        if start < last {
            let end = self.rule.tokens[last].range();
            return Err(self.error(end, "expected `;` behind the declaration"));
        }
        Ok(())
    }

    /// A declaration from token `first` to its semicolon: notes the names it introduces.
    fn declaration(&mut self, first: usize, semicolon: usize) -> Result<()> {
        let range = |p: &Self, i: usize| p.rule.tokens[i].range();
        if first == semicolon {
            return Ok(());
        }
        let mut depth = 0usize;
        // The word that a declarator ends with: before `=`, `[`, `,` and `;`.
        let mut last: Option<usize> = None;
        let mut in_value = false;
        let mut pointer = false;
        let mut found = 0;
        for i in first..=semicolon {
            let word = self.word_at(i);
            match word {
                "{" => {
                    if !in_value && depth == 0 && self.word_before_brace(first, i) == "enum" {
                        self.enumerators(i)?;
                    }
                    depth += 1;
                }
                "(" => {
                    // `int (*handler)(int)`
                    if !in_value && depth == 0 && self.word_at(i + 1) == "*" {
                        let inside = (i + 1..semicolon).find(|&j| self.word_at(j) != "*");
                        last = inside.filter(|&j| self.rule.tokens[j].kind == Kind::Word);
                        pointer = last.is_some();
                    }
                    depth += 1;
                }
                "}" | ")" => depth = depth.saturating_sub(1),
                "[" => depth += 1,
                "]" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > 0 && word != "[" {
                continue;
            }
            match word {
                "=" | "," | ";" | "[" => {
                    if let (Some(name), false) = (last.take(), in_value) {
                        self.rule.names.push(self.word_at(name).to_owned());
                        found += 1;
                    }
                    in_value = word == "=" || (in_value && word == "[");
                    pointer = false;
                }
                _ if !in_value && depth == 0 && !pointer => {
                    let is_word = self.rule.tokens[i].kind == Kind::Word;
                    last = is_word.then_some(i).or(last);
                }
                _ => {}
            }
        }
        let whole = range(self, first).start..range(self, semicolon).end;
        if found == 0 {
            return Err(self.error(whole, "this declares no variable"));
        }
        for keyword in ["static", "extern", "typedef", "register", "auto"] {
            if self.word_at(first) == keyword {
                let message = format!("state needs no `{keyword}`");
                return Err(self.error(range(self, first), message));
            }
        }
        self.rule.state.push(Declaration { range: whole });
        Ok(())
    }

    fn word_before_brace(&self, first: usize, brace: usize) -> &'t str {
        let words = (first..brace).rev().map(|i| self.word_at(i));
        words.take(2).find(|w| *w == "enum").unwrap_or("")
    }

    fn enumerators(&mut self, brace: usize) -> Result<()> {
        let mut at = brace + 1;
        loop {
            if self.word_at(at) == "}" {
                return Ok(());
            }
            if self.token(at).map(|t| t.kind) != Some(Kind::Word) {
                self.at = at;
                return Err(self.expected("a name"));
            }
            self.rule.names.push(self.word_at(at).to_owned());
            while !matches!(self.word_at(at), "," | "}" | "") {
                at += 1;
            }
            if self.word_at(at) == "," {
                at += 1;
            }
        }
    }

    fn watch(&mut self) -> Result<()> {
        self.at += 1;
        let function = self.name("the name of a function")?;
        self.take(".")?;
        let event = self.event()?;
        self.take(".")?;
        let object = self.object()?;
        self.take(";")?;
        self.result_is_known(event, &object)?;
        self.rule.watches.push(Watch {
            function,
            event,
            object,
        });
        Ok(())
    }

    fn handler(&mut self) -> Result<()> {
        let mut functions = Vec::new();
        if self.word() == "[" {
            self.at += 1;
            loop {
                functions.push(self.name("the name of a function")?);
                if self.word() != "," {
                    break;
                }
                self.at += 1;
            }
            self.take("]")?;
        } else {
            let what = "`state`, `watch`, `optional` or the name of a function";
            functions.push(self.name(what)?);
        }
        self.take(".")?;
        let event = self.event()?;
        let mut guard = None;
        if self.word() == "[" {
            self.at += 1;
            self.take("guard")?;
            let object = self.object()?;
            self.result_is_known(event, &object)?;
            guard = Some(object);
            self.take("]")?;
        }
        let body = self.block()?;
        for token in &self.rule.tokens {
            let range = token.range();
            if event == Event::Entry
                && body.contains(&range.start)
                && &self.text[range.clone()] == "$return"
            {
                return Err(self.error(range, "there is no `$return` before the function returns"));
            }
        }
        self.rule.handlers.push(EventHandler {
            functions,
            event,
            guard,
            body,
        });
        Ok(())
    }

    fn result_is_known(&self, event: Event, object: &Name) -> Result<()> {
        if event == Event::Entry && object.text == "$return" {
            let message = "there is no `$return` before the function returns";
            return Err(self.error(object.range.clone(), message));
        }
        Ok(())
    }

    fn check_guards(&self) -> Result<()> {
        let guarded = self.rule.handlers.iter().find_map(|h| h.guard.as_ref());
        match guarded {
            Some(guard) if self.rule.watches.is_empty() => Err(self.error(
                guard.range.clone(),
                "a guard needs a `watch` that says which objects there are",
            )),
            None if !self.rule.watches.is_empty() => {
                let range = self.rule.watches[0].function.range.clone();
                Err(self.error(range, "no handler is guarded by what is watched here"))
            }
            _ => Ok(()),
        }
    }
}
