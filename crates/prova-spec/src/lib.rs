//! What to check, woven into the program as error locations, and where to start.
//!
//! | file | what it holds |
//! |---|---|
//! | [`unreach`] | reachability of error functions, failed assertions and labels |
//! | [`entry`] | a harness that calls any function with arbitrary arguments and globals |
//!
//! Every property becomes locations that must not be reached, so that engines know one question
//! only. Nothing here decides anything.

pub mod entry;
pub mod unreach;

pub use entry::{make_entry, EntryError};
pub use unreach::{weave_unreach_call, ErrorSite, Spec, WeaveReport};
