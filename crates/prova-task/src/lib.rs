//! What is asked and what is answered: everything that engines share with those who ask them, and
//! with those who look at their answers.
//!
//! | file | what it holds |
//! |---|---|
//! | [`task`] | a program with its error locations |
//! | [`border`] | what everything means that the program uses and does not define |
//! | [`prepare`] | from a program to the form that engines work on |
//! | [`checker`] | whoever decides tasks; places that leave the answer open |
//! | [`outcome`] | the answer and its evidence |
//! | [`proof`] | what holds where, as data |
//! | [`scope`] | what a verdict rests on |
//! | [`statistics`], [`effort`] | what it took, and where |
//! | [`observer`] | what is told meanwhile |
//! | [`identity`] | what a program is apart from positions and numbering |
//! | [`lasting`] | facts that outlive a check, in words that other programs understand |
//! | [`budget`] | time, memory, cancellation |
//!
//! No search here, and no solver.

pub mod border;
pub mod budget;
pub mod checker;
pub mod effort;
pub mod identity;
pub mod lasting;
pub mod observer;
pub mod outcome;
pub mod prepare;
pub mod proof;
pub mod scope;
pub mod statistics;
pub mod task;

pub use budget::{Budget, Stop};
pub use checker::{check_modelled, Checker};
pub use effort::{Focus, Refined};
pub use lasting::Lasting;
pub use observer::{GraphView, Observer, RegionView, Silent};
pub use outcome::{Input, Outcome, Report, Unknown, Violation};
pub use prepare::{Inline, Prepared};
pub use proof::{Contract, Invariant, Manner, Proof, Reliance};
pub use scope::Scope;
pub use statistics::Statistics;
pub use task::Task;
