//! The algorithms, and the house they live in.
//!
//! | folder | what it holds |
//! |---|---|
//! | [`engine`] | what an engine is: searches that are given turns |
//! | [`problem`] | the prepared program as terms: encoding, blocks, transitions |
//! | [`testing`] | tests that were run, and what they show |
//! | [`knowledge`] | facts for all runs, who proposes them and who judges them |
//! | [`interpolation`] | what holds along a path that cannot be run |
//! | [`reach`] | forward exploration: one algorithm, many analyses |
//! | [`regions`] | partitions of states and the graph of their steps |
//! | [`proof`] | the end of a search: everything proved again, and written down |
//! | [`engines`] | the algorithms |
//! | [`registry`] | the engines by their names |
//! | [`portfolio`] | engines by turns |
//!
//! No C, no files and no printing here. Engines see reachability of error locations and nothing
//! else; they ask questions of [`prova_logic::Solver`] and run tests with [`prova_exec`].

pub mod engine;
pub mod engines;
pub mod interpolation;
pub mod knowledge;
pub mod portfolio;
pub mod problem;
pub mod proof;
pub mod reach;
pub mod regions;
pub mod registry;
pub mod testing;

pub use engines::dash::Dash;
pub use engines::lazy::domain::Abstraction;
pub use engines::values::Values;
pub use knowledge::sources::Sources;
pub use portfolio::accept::{Accept, Acceptance};
pub use portfolio::exchange::Exchange;
pub use portfolio::Auto;
pub use problem::blocks::Granularity;
pub use registry::Settings;
