//! Where things stand in the user's own files.

use crate::ids::FileId;

/// A source file as named by the user or by a line marker of the preprocessor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The name as it should be shown.
    pub name: String,
}

impl SourceFile {
    /// Whether it is no file of the program's: a library model, named in angle brackets, or a
    /// rule that watches the program.
    pub fn is_library(&self) -> bool {
        self.name.starts_with('<') || self.is_rule()
    }

    /// Whether it is a rule that watches the program.
    pub fn is_rule(&self) -> bool {
        self.name.ends_with(".slic")
    }
}

/// A position in a source file. Line and column count from one; zero means unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The line, from one.
    pub line: u32,
    /// The column in bytes, from one.
    pub column: u32,
}

impl Span {
    /// A position nothing is known about; used only for code that no line of C stands for.
    pub const NONE: Span = Span {
        file: FileId(0),
        line: 0,
        column: 0,
    };

    /// Whether this is a real position.
    pub fn is_known(self) -> bool {
        self.line != 0
    }
}
