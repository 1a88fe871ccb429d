//! Syntax to C: state becomes static variables, a handler a function without parameters. The
//! rule's own text goes over as it is, behind line markers, so that messages of the front end
//! show it; names of the state and `abort` are replaced in place.

use super::syntax::*;
use prova_c::fixups::encode_name;
use prova_c::interpose::{Handler, Watcher, When, ABORT, CHOOSE, FUNCTIONS, HALT};
use prova_c::lines::Edit;
use prova_c::tokens::Kind;
use std::ops::Range;

/// The code that a rule stands for.
pub fn translate(rule: &Rule) -> Watcher {
    let mut out = Output {
        rule,
        text: String::new(),
        edits: Vec::new(),
        handlers: Vec::new(),
    };
    for declaration in &rule.state {
        out.own("static");
        out.copy(declaration.range.clone());
    }
    if !rule.watches.is_empty() {
        let own = out.own_name("");
        out.own(&format!(
            "static int {own}watching; static unsigned long long {own}object;"
        ));
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

    /// A line of our own.
    fn own(&mut self, line: &str) {
        let file = self.file();
        self.text += &format!("# 1 \"{file}\"\n{line}\n");
    }

    /// A part of the rule's text, at its own line and column.
    fn copy(&mut self, range: Range<usize>) {
        let rule = self.rule;
        let before = &rule.source.before[..range.start];
        let line = before.matches('\n').count() + 1;
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

    fn function(&self) -> String {
        format!("{FUNCTIONS}{}${}", self.rule.name, self.handlers.len())
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

    /// The first object at an event may be the one that is watched, or may not.
    fn watch(&mut self, watch: &Watch) {
        let (procedure, own) = (self.function(), self.own_name(""));
        let object = &watch.object.text;
        self.own(&format!(
            "void {procedure}(void) {{ if (!{own}watching && {CHOOSE}()) \
             {{ {own}watching = 1; {own}object = (unsigned long long){object}; }} }}"
        ));
        let uses = vec![(object.clone(), watch.object.range.clone())];
        self.add(&watch.function, watch.event, procedure, uses);
    }

    fn handler(&mut self, handler: &EventHandler, function: &Name) {
        let (procedure, own) = (self.function(), self.own_name(""));
        self.own(&format!("void {procedure}(void) {{"));
        if let Some(guard) = &handler.guard {
            self.own(&format!(
                "if ({own}watching && (unsigned long long){} == {own}object)",
                guard.text
            ));
        }
        self.copy(handler.body.clone());
        self.own("}");
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
