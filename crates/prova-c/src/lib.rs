//! C in: preprocess, parse, types and layout, lowering to prova-ir.
//!
//! | file | what it holds |
//! |---|---|
//! | [`preprocess`] | a C file becomes preprocessed text, through the system's compiler |
//! | `tokens`, `nesting` | the text split into tokens; how deep it nests |
//! | [`fixups`], `implicit_int`, `attributes`, `packing`, `clauses`, `inserted` | edits for what the parser does not take |
//! | [`parse`] | a syntax tree |
//! | [`lines`], [`diagnostic`] | positions in the user's files, messages that show them |
//! | [`stack`] | work that recurses over the program |
//! | `types`, `layout` | C types; sizes, alignments, placement of members |
//! | `literal`, `fold`, `range` | spellings of constants; constant expressions; bounds of values |
//! | [`interpose`] | functions called when others are: what rules become |
//! | `scan` | whose address is taken, what an operand changes |
//! | `effects` | what an expression reads and writes, calls included |
//! | `lower` | declarations, statements and expressions become edges |
//! | `tidy`, `compact` | the result without what nothing needs |
//! | `models` | the C library, in C |
//! | [`load()`], [`lower()`] | all of it in a row |

mod attributes;
mod clauses;
mod compact;
pub mod diagnostic;
mod effects;
pub mod fixups;
mod fold;
mod implicit_int;
mod inserted;
pub mod interpose;
mod layout;
pub mod lines;
mod link;
mod literal;
mod lower;
mod models;
mod nesting;
mod packing;
pub mod parse;
pub mod preprocess;
mod range;
mod scan;
pub mod stack;
mod tidy;
pub mod tokens;
mod types;

pub use diagnostic::{Diagnostic, Place, Severity};
pub use link::{load, lower, Lowered};
pub use lower::contract;
pub use parse::{parse_file, parse_text, Unit};
pub use preprocess::{Assembly, FileOptions, Malloc, Options, Volatile};
pub use stack::with_large_stack;

/// What marks an order of evaluation that C leaves open and of which one is taken: no verdict passes
/// there, but a run may.
pub const OPEN_ORDER: &str = "an order of evaluation that C leaves open";
