//! Formulas of SMT-LIB 2: read, sort-checked, hash-consed, printed as text; and what is plain to
//! see of them.
//!
//! The certificate checker speaks to its solvers through this crate. It knows nothing of programs,
//! certificates or engines, and shares no code with the terms of the engines.
//!
//! | file | what it holds |
//! |---|---|
//! | `sort` | sorts, and what sort each operator gives |
//! | `script` | terms, replacements in them, questions to a solver |
//! | `reader` | words, lists and terms as text; terms written over `$0`, `$1`, … |
//! | `simplify` | what is plain to see, without a solver |
//! | `floats` | what bounds of floats show |
//! | `ranges` | what bounds of bit-vectors show |
//!
//! Beyond SMT-LIB there are two notions. A term may carry *facts*, which every question that
//! speaks of the term asserts. And a constant may be an *object*: the address of so many bytes,
//! which lie above the [null page](NULL_PAGE), end before the address space does, and overlap no
//! other object. Questions assert that too. It is up to the caller that there is room for all
//! objects and that facts can hold: of what is impossible everything follows.
//!
//! A [`Script`] is made with the simplifier or without. Without, terms are as they were written
//! and nothing is plain to see: then none of `simplify`, `floats` and
//! `ranges` has to be trusted.

mod floats;
mod ranges;
mod reader;
mod script;
mod simplify;
mod sort;

pub use ranges::Ranges;
pub use reader::{Lookup, Reader, Token};
pub use script::{Replacement, Script, Term};
pub use sort::Sort;

/// Objects have addresses from here on.
pub const NULL_PAGE: u64 = 4096;

/// Why a text is no formula, or why a formula cannot be built, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(pub String);

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}
