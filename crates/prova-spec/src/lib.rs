//! What to check, woven into the program as error locations, and where to start.
//!
//! | file | what it holds |
//! |---|---|
//! | [`property`] | the properties by name; a check: some of them with one verdict |
//! | [`prp`] | the competition's property files |
//! | [`weave`](mod@weave) | a check, woven |
//! | [`slic`] | rules for interfaces |
//! | `memory` | bounds, lives and leaks of objects |
//! | `addresses` | what a program may not learn of where objects lie |
//! | `arguments` | what `main` is promised |
//! | `null` | accesses through null pointers |
//! | `sizes` | sizes of blocks, for models that ask |
//! | `uninit` | reads of what has no value |
//! | `access`, `steps`, `redundant` | what they share: accesses, insertion of checks, checks that are known to hold |
//! | [`goals`] | goals of coverage |
//! | [`unreach`] | reachability of error functions, failed assertions and labels |
//! | [`contracts`] | contracts at calls, and what functions under contract write |
//! | [`entry`] | a harness that calls any function with arbitrary arguments and globals |
//!
//! Every property becomes locations that must not be reached, so that engines know one question
//! only. Nothing here decides anything.

mod access;
mod addresses;
mod arguments;
pub mod contracts;
pub mod entry;
pub mod goals;
mod memory;
mod null;
mod overlaps;
mod pinned;
pub mod property;
pub mod prp;
mod redundant;
mod shapes;
mod sizes;
pub mod slic;
mod steps;
mod uninit;
pub mod unreach;
pub mod weave;

pub use access::rests_on_accesses;
pub use entry::{make_entry, make_entry_with, takes_pointers, EntryError, Pointers};
pub use property::{Check, Property};
pub use prp::{parse_prp, PrpError};
pub use unreach::{weave_unreach_call, ErrorSite, Spec, WeaveReport};
pub use weave::{weave, WeaveError};
