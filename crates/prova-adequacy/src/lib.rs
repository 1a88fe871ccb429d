//! Whether tests are enough (Yorsh, Ball, Sagiv: *Testing, Abstraction, Theorem Proving: Better
//! Together!*): a suite is adequate if the abstract states that it covers are closed under the
//! program, and where they are not, a fabricated state shows what is missing.
//!
//! | file | what it holds |
//! |---|---|
//! | [`predicates`] | the file that says what is asked of states, and where |
//! | [`probe`] | predicates as C functions: typed by the front end, read back as expressions |
//! | [`carry`] | expressions of one program in another |
//! | [`places`] | places of the source in a program |
//! | [`judge`] | the procedure with somebody's tests and predicates, and what came of it |
//! | [`ranges`] | the same with intervals in the place of predicates |
//! | [`module`] | a module as a program: its initialiser, and then any of its functions again and again |
//!
//! No verdict is made here. That an abstract state is real, or that nothing reaches it, is for an
//! engine to say, with evidence; [`places::woven`] puts the question.

pub mod carry;
pub mod judge;
pub mod module;
pub mod places;
pub mod predicates;
pub mod probe;
pub mod ranges;

pub use judge::{Judged, Missing};
pub use predicates::{Group, Written};
