//! Coverage in which every goal ends: with a test, with a proof that there is none, or open with the
//! reason.
//!
//! | file | what it holds |
//! |---|---|
//! | [`goal`] | what is to be covered, made of the marks of a program |
//! | [`meter`] | what a run covers |
//! | [`session`] | tests that were kept, and what they cover |
//! | [`explore`] | tests without a goal: random ones, and directed ones path by path |
//! | [`pursue`] | goals that are left, all together and then fewer at a time |
//! | [`minimise`] | a small suite that covers the same |
//! | [`near`] | how near tests came to a goal that is open |
//! | [`page`] | the source in colours |
//! | [`wanted`] | which kinds of goals somebody wants, from words or a property file |
//!
//! A proof is nobody's word here: [`pursue::Prover`] gives one only if the checker accepted its
//! certificate. A test counts if its run ends as C describes: what is reached on the way to
//! undefined behaviour is not covered by anything that a suite could run.

pub mod explore;
pub mod goal;
pub mod meter;
pub mod minimise;
pub mod near;
pub mod page;
pub mod pursue;
pub mod session;
pub mod wanted;

pub use goal::{goals, Goal, Kind};
pub use pursue::{Answer, Prover};
pub use session::{End, Session};
pub use wanted::Wanted;
