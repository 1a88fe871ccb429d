//! Forward exploration: one algorithm, many analyses.
//!
//! An analysis that follows the program forward says what its states are and what a block makes of
//! them: a [`domain::Domain`]. Everything else is here: the graph of states, who covers whom,
//! paths, the worklist, joining and widening, pausing. The idea is Beyer, Henzinger and
//! Théoduloz's (*Configurable Software Verification*, CAV 2007: transfer, merge, stop); the form is
//! ours.
//!
//! | file | what it holds |
//! |---|---|
//! | [`domain`] | what an analysis says of itself |
//! | [`flow`] | cutpoints and blocks as exploration needs them: order, loop heads, errors |
//! | [`graph`] | the states found and the steps between them; covering and uncovering |
//! | [`explore`] | the worklist: search for an error, or a fixed point |
//! | [`product`] | two domains as one |
//!
//! # How an analysis is written
//!
//! 1. A state: what is known at a cutpoint. Less known means more states of the program.
//! 2. [`Domain::post`](domain::Domain::post): the states behind a block. *All* that can come out
//!    must be in one of them; this is the only obligation of soundness. States may be several: a
//!    domain that splits cases gives each case. [`Post::Impossible`](domain::Post::Impossible)
//!    says that nobody comes through, [`Post::Trap`](domain::Post::Trap) that whoever does meets
//!    undefined behaviour. That a block ends in an error is for the exploration to see.
//! 3. [`Domain::covers`](domain::Domain::covers), and if asking one state after another is too
//!    slow an [`Index`](domain::Index) that finds a covering state otherwise.
//! 4. For a fixed point: [`Domain::JOINS`](domain::Domain::JOINS) with
//!    [`join`](domain::Domain::join) and [`widen`](domain::Domain::widen).
//!
//! [`Exploration::go_on`](explore::Exploration::go_on) works until an error is found, nothing is
//! left, or its `stop` says that the turn is over; called again it goes on at the very block. A
//! search that refines (lazy abstraction) cuts away what it no longer believes with
//! [`Exploration::cut`](explore::Exploration::cut), or strengthens a node with
//! [`Exploration::restate`](explore::Exploration::restate); the steps that led there are taken
//! again, and the rest of the graph stays.
//!
//! A closed graph is no proof yet: [`crate::proof::conclude`] has the last word, here as elsewhere.
//!
//! Instances: [`crate::engines::values`] (breadth first, states apart, an index) and
//! [`crate::knowledge::sources::intervals`] (reverse postorder, one state a cutpoint, widening and
//! narrowing).

pub mod domain;
pub mod explore;
pub mod flow;
pub mod graph;
pub mod product;
