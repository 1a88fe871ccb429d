//! Conformance of a C procedure to a state machine.
//!
//! Chaki, Clarke, Jha, Veith, *An Iterative Framework for Simulation Conformance* (the verification
//! engine of MAGIC): what a procedure shows is compared with what a labelled transition system
//! allows, by simulation. `docs/conform.md` tells it for users.
//!
//! | module | what it holds | section |
//! |---|---|---|
//! | [`lts`] | machines: the format, pictures, smaller ones | §3 |
//! | [`plan`], [`unit`](mod@unit), [`session`] | a C program that shows its actions | §3, §6 |
//! | [`model`] | the abstract model for some predicates | §6 |
//! | [`game`] | the simulation game and its strategies | §4, §5 |
//! | [`refine`] | what strategies teach | §7 |
//! | [`search`] | the loop | §3 |
//! | [`values`] | the loop, with values in the place of predicates | |
//! | [`facts`] | facts of other engines in the model | |
//! | [`document`] | the machine that a procedure itself is | |
//! | [`relation`], [`shown`], [`conform`] | evidence, and verdicts that rest on it | |
//! | [`told`], [`page`] | strategies and answers for people | |
//!
//! Nothing in here is trusted: a relation is accepted by `prova-relation`, a violation is seen in
//! native runs, and anything else is unknown.

pub mod conform;
pub mod document;
pub mod facts;
pub mod game;
pub mod lts;
pub mod model;
pub mod page;
pub mod plan;
pub mod refine;
pub mod relation;
pub mod search;
pub mod session;
pub mod shown;
pub mod told;
pub mod unit;
pub mod values;
