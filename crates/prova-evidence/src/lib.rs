//! Evidence of violations that somebody else can check.
//!
//! | file | what it holds |
//! |---|---|
//! | [`mod@confirm`] | the way from an engine's violation to one that may be printed |
//! | `native` | the native run |
//! | [`told`] | inputs of a test for people |
//! | [`recording`] | the second run, by interpretation, and everything it was given |
//! | `simplify` | tests made plainer |
//! | [`harness`] | the C harness |
//! | [`copy`] | copies of sources with a few insertions |
//! | [`build`] | the compiler's command lines |
//! | [`shown`] | how a compiled program shows an error |
//! | [`sandbox`] | children with limits, and compiled programs behind a wall |
//! | [`suite`] | test suites, and what they cover |
//! | [`witness`] | witness files, out and in |
//! | `folder` | folders for the time being |
//! | `text` | C text word by word |
//! | `c_types` | values as C text |
//! | [`supply`] | how each input gets into a native run |
//!
//! An engine's word is not taken for anything here: its test is run again by interpretation on the
//! program as written, and then natively.

pub mod build;
mod c_types;
pub mod confirm;
pub mod copy;
mod folder;
pub mod harness;
mod native;
pub mod recording;
pub mod sandbox;
pub mod shown;
mod simplify;
mod sources;
pub mod suite;
pub mod supply;
mod text;
pub mod told;
pub mod witness;

pub use c_types::Scalar;
pub use confirm::{confirm, Confirmed, How, NotConfirmed, Options};
pub use folder::{remove_folders, Folder};
pub use recording::Recording;
pub use sources::Sources;

use prova_ir::{Program, Span};

/// A place for people: `lock.c:12:5`.
pub fn place(program: &Program, span: Span) -> String {
    match program.files.get(span.file.index()) {
        Some(file) if span.is_known() => format!("{}:{}:{}", file.name, span.line, span.column),
        _ => "an unknown place".into(),
    }
}
