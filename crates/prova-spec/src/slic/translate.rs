//! Syntax to C: state becomes static variables, a handler a function without parameters. The
//! rule's own text goes over as it is, behind line markers, so that messages of the front end
//! show it; names of the state and `abort` are replaced in place.

use super::syntax::*;
use prova_c::fixups::encode_name;
use prova_c::interpose::{
    Handler, Watcher, When, ABORT, CHOOSE, FRESH, FULL, FUNCTIONS, HALT, OBJECT,
};
use prova_c::lines::Edit;
use prova_c::tokens::Kind;
use std::ops::Range;

/// So many objects that were not chosen are told from those that are seen for the first time.
const TOLD_APART: usize = 6;

/// The code that a rule stands for.
pub fn translate(rule: &Rule) -> Watcher {
    let mut out = Output {
        rule,
        text: String::new(),
        edits: Vec::new(),
        handlers: Vec::new(),
    };
    for declaration in &rule.state {
        out.own(declaration.range.start, "static");
        out.copy(declaration.range.clone());
    }
    if !rule.watches.is_empty() {
        let own = out.own_name("");
        let mut passed = String::new();
        for i in 0..TOLD_APART {
            passed += &format!(", {own}passed{i}");
        }
        let first = rule.watches[0].function.range.start;
        let line = format!(
            "static int {own}passed, {own}asked; \
             static unsigned long long {own}object, {own}wanted{passed};"
        );
        out.own(first, &line);
    }
    for watch in &rule.watches {
        out.watch(watch);
    }
    for handler in &rule.handlers {
        for function in &handler.functions {
            out.handler(handler, function);
        }
    }
    Watcher {
        name: rule.name.clone(),
        text: out.text,
        edits: out.edits,
        source: rule.source.clone(),
        handlers: out.handlers,
    }
}

struct Output<'r> {
    rule: &'r Rule,
    text: String,
    edits: Vec<Edit>,
    handlers: Vec<Handler>,
}

impl Output<'_> {
    /// A name that only this rule has.
    fn own_name(&self, name: &str) -> String {
        format!("{}${name}", self.rule.name)
    }

    fn file(&self) -> String {
        self.rule.source.name.replace(['"', '\\'], "_")
    }

    /// A line of our own that stands for the rule's line at an offset.
    fn own(&mut self, at: usize, line: &str) {
        let number = self.line(at);
        let file = self.file();
        self.text += &format!("# {number} \"{file}\"\n{line}\n");
    }

    /// The line of an offset.
    fn line(&self, at: usize) -> usize {
        self.rule.source.before[..at].matches('\n').count() + 1
    }

    /// A part of the rule's text, at its own line and column.
    fn copy(&mut self, range: Range<usize>) {
        let rule = self.rule;
        let before = &rule.source.before[..range.start];
        let line = self.line(range.start);
        let column = range.start - before.rfind('\n').map_or(0, |n| n + 1);
        let file = self.file();
        self.text += &format!("# {line} \"{file}\"\n{}", " ".repeat(column));
        let shift = self.text.len();
        self.text += &rule.source.before[range.clone()];
        self.text.push('\n');
        let inside: Vec<usize> = (0..rule.tokens.len())
            .filter(|&i| range.contains(&rule.tokens[i].range().start))
            .collect();
        for i in inside {
            self.edit(i, shift, range.start);
        }
    }

    fn word(&self, token: usize) -> &str {
        match self.rule.tokens.get(token) {
            Some(t) => &self.rule.source.before[t.range()],
            None => "",
        }
    }

    /// What is replaced at a token of the rule that went over.
    fn edit(&mut self, token: usize, shift: usize, start: usize) {
        let before = token.checked_sub(1).map_or("", |t| self.word(t));
        if matches!(before, "." | "->") {
            return;
        }
        for (token, text) in self.replacements(token) {
            let range = self.rule.tokens[token].range();
            self.edits.push(Edit {
                start: range.start - start + shift,
                end: range.end - start + shift,
                text,
            });
        }
    }

    fn replacements(&self, token: usize) -> Vec<(usize, String)> {
        match self.word(token) {
            "abort" => {
                let mut end = token + 1;
                while self.rule.tokens.get(end).map(|t| t.kind) == Some(Kind::Literal) {
                    end += 1;
                }
                match self.word(end) {
                    ";" => vec![(token, format!("{ABORT}(")), (end, ");".into())],
                    _ => vec![(token, ABORT.into())],
                }
            }
            "halt" if self.word(token + 1) == ";" => vec![(token, format!("{HALT}()"))],
            "halt" => vec![(token, HALT.into())],
            name if self.rule.names.iter().any(|n| n == name) => {
                vec![(token, encode_name(&self.own_name(name)))]
            }
            _ => Vec::new(),
        }
    }

    /// The name of the next handler.
    fn function(&self, function: &Name, event: Event) -> String {
        let event = match event {
            Event::Entry => "entry",
            Event::Exit => "exit",
        };
        let (rule, number) = (&self.rule.name, self.handlers.len());
        format!("{FUNCTIONS}{rule}${}${event}${number}", function.text)
    }

    fn add(
        &mut self,
        function: &Name,
        event: Event,
        procedure: String,
        uses: Vec<(String, Range<usize>)>,
    ) {
        self.handlers.push(Handler {
            function: function.text.clone(),
            when: match event {
                Event::Entry => When::Before,
                Event::Exit => When::After,
            },
            procedure,
            place: function.range.clone(),
            optional: self.rule.optional.contains(&function.text),
            uses,
        });
    }

    /// The object that is watched is chosen arbitrarily, so that what holds of it holds of all:
    /// one that a function returns at any of its returns, another where it is seen first.
    fn watch(&mut self, watch: &Watch) {
        let procedure = self.function(&watch.function, watch.event);
        let own = self.own_name("");
        let object = format!("(unsigned long long){}", watch.object.text);
        let choice = format!("if ({CHOOSE}()) {own}object = {object};");
        let text = if watch.object.text == "$return" {
            // Arbitrary values may be the same at several returns; then the first one counts.
            format!(
                "if ({object} == 0 || {own}object) return; if ({FRESH}()) {{ {choice} }} \
                 else {{ if (!{own}asked) {{ {own}asked = 1; {own}wanted = {OBJECT}(); }} \
                 if ({own}wanted == {object}) {own}object = {object}; }}"
            )
        } else {
            let mut text = format!("if ({object} == 0 || {own}object) return; ");
            for i in 0..TOLD_APART {
                text +=
                    &format!("if ({own}passed > {i}) {{ if ({own}passed{i} == {object}) return; ");
            }
            text += &"}".repeat(TOLD_APART);
            text.push(' ');
            text += &choice;
            for i in 0..TOLD_APART {
                text += &format!(" else if ({own}passed == {i}) {own}passed{i} = {object};");
            }
            text += &format!(" else {FULL}(); ++{own}passed;");
            text
        };
        let at = watch.function.range.start;
        self.own(at, &format!("void {procedure}(void) {{ {text} }}"));
        let uses = vec![(watch.object.text.clone(), watch.object.range.clone())];
        self.add(&watch.function, watch.event, procedure, uses);
    }

    fn handler(&mut self, handler: &EventHandler, function: &Name) {
        let procedure = self.function(function, handler.event);
        let own = self.own_name("");
        let at = function.range.start;
        self.own(at, &format!("void {procedure}(void) {{"));
        if let Some(guard) = &handler.guard {
            let object = &guard.text;
            let condition =
                format!("if ({own}object && (unsigned long long){object} == {own}object)");
            self.own(guard.range.start, &condition);
        }
        self.copy(handler.body.clone());
        self.own(handler.body.end, "}");
        let mut uses: Vec<(String, Range<usize>)> = Vec::new();
        if let Some(guard) = &handler.guard {
            uses.push((guard.text.clone(), guard.range.clone()));
        }
        for token in &self.rule.tokens {
            let range = token.range();
            let word = &self.rule.source.before[range.clone()];
            let numbered = word
                .strip_prefix('$')
                .is_some_and(|n| n.parse::<u32>().is_ok());
            if handler.body.contains(&range.start) && (numbered || word == "$return") {
                uses.push((word.to_owned(), range));
            }
        }
        self.add(function, handler.event, procedure, uses);
    }
}
