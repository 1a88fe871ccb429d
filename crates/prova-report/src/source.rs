//! The user's own source lines, read once per file.

use prova_ir::{FileId, Program, Span};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Source files, read when first asked for. A file that cannot be read has no lines.
#[derive(Debug, Default)]
pub struct Sources(RefCell<BTreeMap<FileId, Rc<Vec<String>>>>);

impl Sources {
    /// All lines of a file.
    pub fn lines(&self, program: &Program, file: FileId) -> Rc<Vec<String>> {
        let mut files = self.0.borrow_mut();
        let lines = files.entry(file).or_insert_with(|| {
            let bytes = program
                .files
                .get(file.index())
                .and_then(|f| std::fs::read(&f.name).ok())
                .unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            Rc::new(text.lines().map(str::to_string).collect())
        });
        Rc::clone(lines)
    }

    /// The line of a position; empty if it is not known.
    pub fn line(&self, program: &Program, span: Span) -> String {
        if !span.is_known() {
            return String::new();
        }
        let lines = self.lines(program, span.file);
        lines
            .get(span.line as usize - 1)
            .cloned()
            .unwrap_or_default()
    }
}

/// `file.c:12:5`, as compilers write it.
pub fn place(program: &Program, span: Span) -> String {
    match program.files.get(span.file.index()) {
        Some(file) if span.is_known() => format!("{}:{}:{}", file.name, span.line, span.column),
        _ => "an unknown place".into(),
    }
}

/// The name of a position's file.
pub fn file_name(program: &Program, span: Span) -> &str {
    program
        .files
        .get(span.file.index())
        .map_or("?", |f| f.name.as_str())
}
