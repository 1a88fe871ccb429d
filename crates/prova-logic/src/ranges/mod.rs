//! Ranges: what terms can be where variables are in theirs, and what cannot hold for that reason.
//!
//! | file | what it holds |
//! |---|---|
//! | `range` | the values of a bit-vector: intervals and known bits |
//! | `floats` | the values of a float: an interval, and whether it may be a NaN |
//! | `eval` | terms and conditions over ranges |
//! | `refute` | conditions that cannot hold together, and values with which others do |
//!
//! No solver is asked: of floats in particular, solvers see much too late what an interval shows.

mod eval;
mod floats;
mod range;
mod refute;

pub use eval::{width_of, with_constant, Memo, Ranges};
pub use floats::Floats;
pub use range::Range;
pub use refute::{impossible, witness};
