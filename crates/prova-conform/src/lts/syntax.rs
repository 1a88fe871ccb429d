//! A file of machines and abstractions as it was written.

use super::Value;
use prova_c::lines::Source;
use prova_c::{Diagnostic, Place};
use std::ops::Range;
use std::sync::Arc;

/// A file.
#[derive(Debug)]
pub struct File {
    /// Its text.
    pub source: Arc<Source>,
    /// Machines, pieces with parameters among them.
    pub machines: Vec<Machine>,
    /// What procedures are to show, or are known to.
    pub abstractions: Vec<Abstraction>,
    /// C labels whose passing is an action.
    pub labels: Vec<(Name, Name)>,
    /// Actions that are not looked at.
    pub hidden: Vec<Name>,
}

/// A word and where it stands.
#[derive(Clone, Debug)]
pub struct Name {
    /// The word.
    pub text: String,
    /// Where.
    pub range: Range<usize>,
}

/// A machine, or a piece of one that has parameters.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Its name.
    pub name: Name,
    /// What stands for something else wherever it is used.
    pub parameters: Vec<Name>,
    /// Its states; it starts in the first.
    pub states: Vec<State>,
}

/// A state.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name.
    pub name: Name,
    /// What it may do.
    pub moves: Vec<Move>,
}

/// What a state may do.
#[derive(Clone, Debug)]
pub enum Move {
    /// It shows an action (or `tau`) and goes on.
    Step {
        /// The action.
        action: Name,
        /// Where it goes.
        to: Name,
    },
    /// It returns.
    Return {
        /// What.
        value: Returned,
        /// Where that is written.
        range: Range<usize>,
    },
    /// It is a piece, with these words for its parameters.
    Piece {
        /// The piece.
        name: Name,
        /// The words; numbers are values that are returned.
        arguments: Vec<Name>,
    },
}

/// What is returned: a value, or a parameter that stands for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Returned {
    /// A value.
    Value(Value),
    /// A parameter.
    Parameter(String),
}

/// What an abstraction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is to be shown.
    Target,
    /// It is taken for granted.
    Assumption {
        /// The routine may write whatever it can reach, besides.
        havoc: bool,
    },
}

/// What a procedure shows (§3: a *procedure abstraction*).
#[derive(Clone, Debug)]
pub struct Abstraction {
    /// What it is for.
    pub role: Role,
    /// The procedure.
    pub name: Name,
    /// What it returns, in C.
    pub result: Range<usize>,
    /// Its parameters in C, without parentheses.
    pub parameters: Range<usize>,
    /// Their names.
    pub names: Vec<String>,
    /// Machines, each where its guard holds.
    pub cases: Vec<Case>,
}

/// A machine where a guard holds.
#[derive(Clone, Debug)]
pub struct Case {
    /// A C expression over parameters and globals; `None` for whatever is left.
    pub guard: Option<Range<usize>>,
    /// The machine.
    pub machine: Name,
}

impl File {
    /// A message about a place in the file.
    pub fn error(&self, range: &Range<usize>, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(message, self.place(range)))
    }

    /// A place in the file.
    pub fn place(&self, range: &Range<usize>) -> Place {
        Place {
            source: self.source.clone(),
            range: range.clone(),
        }
    }

    /// The text of a range.
    pub fn text(&self, range: &Range<usize>) -> &str {
        &self.source.before[range.clone()]
    }

    /// The line that an offset lies on, from one.
    pub fn line(&self, offset: usize) -> usize {
        self.source.before[..offset].matches('\n').count() + 1
    }
}

impl Abstraction {
    /// Whether the procedure returns nothing.
    pub fn is_void(&self, file: &File) -> bool {
        let words = file.text(&self.result).split_whitespace();
        let mut words = words.filter(|w| !["static", "extern", "inline"].contains(w));
        words.next() == Some("void") && words.next().is_none()
    }
}
