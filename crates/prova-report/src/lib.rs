//! What people look at. An outcome goes in; stories for a terminal, a report for a browser and
//! SARIF for other tools come out.
//!
//! | file | what it holds |
//! |---|---|
//! | [`source`] | the user's own lines |
//! | [`values`] | addresses and values of a run, by the names in the source |
//! | [`expression`] | expressions as C, with names or with values |
//! | [`slice`](mod@slice) | the steps of a failing run that matter |
//! | [`story`] | a failing run as a story: lines, calls, folded loops |
//! | [`terminal`] | stories, proofs and unknowns as text |
//! | [`facts`], [`contracts`], [`c_text`] | invariants and contracts beside their source lines, in C |
//! | [`help`] | what to tell people who get no answer |
//! | [`sarif`] | results with code flows for code-scanning sites and editors |
//! | [`html`], [`layout`] | one self-contained page |
//!
//! Nothing here decides anything: a report may leave out, never add.

pub mod c_text;
pub mod contracts;
pub mod expression;
pub mod facts;
pub mod help;
pub mod html;
pub mod layout;
pub mod sarif;
pub mod slice;
pub mod source;
pub mod story;
pub mod terminal;
pub mod values;
