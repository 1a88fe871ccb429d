//! C in: preprocess, parse, types and layout, lowering to prova-ir.
//!
//! | file | what it holds |
//! |---|---|
//! | [`preprocess`] | a C file becomes preprocessed text, through the system's compiler |
//! | `tokens`, `nesting` | the text split into tokens; how deep it nests |
//! | [`fixups`], `implicit_int`, `attributes`, `packing` | edits for what the parser does not take |
//! | [`parse`] | a syntax tree |
//! | [`lines`], [`diagnostic`] | positions in the user's files, messages that show them |
//! | [`stack`] | work that recurses over the program |

mod attributes;
pub mod diagnostic;
pub mod fixups;
mod implicit_int;
pub mod lines;
mod nesting;
mod packing;
pub mod parse;
pub mod preprocess;
pub mod stack;
mod tokens;

pub use diagnostic::{Diagnostic, Place, Severity};
pub use parse::{parse_file, parse_text, Unit};
pub use preprocess::Options;
pub use stack::with_large_stack;
