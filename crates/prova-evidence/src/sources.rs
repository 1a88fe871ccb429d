//! The program's C files and how they are read.

use prova_ir::{Program, Span};
use prova_spec::Spec;
use std::path::PathBuf;

/// The program's C files and how they are read.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The files.
    pub files: Vec<PathBuf>,
    /// What the front end was told.
    pub options: prova_c::Options,
    /// What counts as an error of `unreach-call`.
    pub calls: Spec,
    /// The properties that were checked; `unreach-call` if there is none.
    pub properties: Vec<String>,
}

impl Sources {
    /// A file's name as messages show it.
    pub fn name(&self, index: usize) -> String {
        self.files[index].display().to_string()
    }

    /// All names.
    pub fn names(&self) -> Vec<String> {
        (0..self.files.len()).map(|i| self.name(i)).collect()
    }

    /// A file's path, whatever the current folder is.
    pub fn absolute(&self, index: usize) -> PathBuf {
        let path = &self.files[index];
        std::path::absolute(path).unwrap_or_else(|_| path.clone())
    }

    /// Which file a position lies in; the first if that cannot be told.
    pub fn holding(&self, program: &Program, span: Span) -> usize {
        let file = program.files.get(span.file.index());
        let named = |i: &usize| file.is_some_and(|f| f.name == self.name(*i));
        (0..self.files.len()).find(named).unwrap_or(0)
    }

    /// The text of a file as the compiler sees it after preprocessing.
    pub fn text(&self, index: usize) -> Result<String, String> {
        prova_c::preprocess::read(&self.files[index], &self.options).map_err(|e| e.to_string())
    }
}
