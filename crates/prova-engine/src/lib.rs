//! The algorithms behind one [`Engine`] trait; DASH first.
//!
//! | file | what it holds |
//! |---|---|
//! | [`outcome`] | [`Task`], [`Engine`], [`Outcome`] and its evidence, [`Statistics`], [`Scope`] |
//! | [`effort`] | where a search spends itself |
//! | [`budget`] | time, memory, cancellation |
//! | [`border`] | what everything means that the program uses and does not define |
//! | [`prepare`] | from a program to the one procedure that engines work on |
//! | [`dash`] | the DASH algorithm |
//! | [`procedures`] | DASH procedure by procedure |
//! | [`auto`] | engines in turn |
//! | [`values`] | explicit values |
//! | [`unmodelled`] | places that leave the answer open |
//! | [`generalise`] | facts for all runs, from several sources |
//! | [`certificate`] | a proof in the words of `docs/certificates.md` |
//!
//! No C, no files and no printing here. Engines see reachability of error locations and nothing
//! else; they ask questions of [`prova_logic::Solver`] and run tests with [`prova_exec`].

pub mod auto;
pub mod border;
pub mod budget;
pub mod certificate;
pub mod dash;
pub mod effort;
pub mod generalise;
pub mod outcome;
pub mod prepare;
pub mod procedures;
pub mod unmodelled;
pub mod values;

pub use auto::Auto;
pub use budget::{Budget, Stop};
pub use dash::blocks::Granularity;
pub use dash::{Dash, Inline};
pub use effort::{Focus, Refined};
pub use outcome::{
    Contract, Engine, Invariant, Observer, Outcome, Proof, Report, Scope, Silent, Statistics, Task,
    Unknown, Violation,
};
pub use unmodelled::check_modelled;
pub use values::Values;
