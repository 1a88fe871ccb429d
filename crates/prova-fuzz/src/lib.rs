//! Many tests, quickly: fuzzing.
//!
//! A program that was prepared for a check runs on the machine that runs all tests, without its
//! history, again and again from where it stood before the first edge. A test is a sequence of typed
//! input values and of bytes for memory that starts arbitrary, so what is changed is what the program
//! really reads, and a test that was found here is one that every engine can go on from. Nothing here
//! is evidence: who wants to say *violated* runs the test once more, with history and natively.
//!
//! | module | what it is |
//! |---|---|
//! | [`candidate`] | a test as it is changed |
//! | [`coverage`] | what a run did: pairs of edges, comparisons, how near to an error it came |
//! | [`target`] | a program that is run again and again |
//! | [`mutate`] | new tests from old ones |
//! | [`solve`] | new tests from comparisons: input-to-state correspondence (Aschermann and others: *REDQUEEN*, NDSS 2019, section III) |
//! | [`campaign`] | the corpus, who is next, what is kept (Böhme, Pham, Roychoudhury: *Coverage-based Greybox Fuzzing as Markov Chain*, CCS 2016: tests that were chosen rarely are chosen next) |
//! | [`text`] | tests as files |
//!
//! No solver, no C and no file access here.

pub mod campaign;
pub mod candidate;
pub mod coverage;
pub mod mutate;
pub mod solve;
pub mod target;
pub mod text;

pub use campaign::{Campaign, Find};
pub use candidate::Candidate;
