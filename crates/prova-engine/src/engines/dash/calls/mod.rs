//! DASH for programs with procedures (seed 003 §4.4): queries to callees, kept as summaries.
//! `docs/procedures.md` tells the algorithm as built and each departure from the paper.
//!
//! | file | what it holds |
//! |---|---|
//! | [`effects`] | mod-sets |
//! | [`units`] | procedures as blocks and calls |
//! | [`goals`] | what is asked of a callee |
//! | [`queries`] | the stack of queries, and which calls of the tests matter to each |
//! | `draw` | the graph that is worked on, for people to see |
//! | `search`, `lookahead`, `iterate` | the loop, looking ahead, and one iteration |
//! | [`contracts`], `learn` | invariants and contracts that hold in every run, from tests |
//! | `export` | the proof as contracts, for certificates |
//! | [`certify`] | everything re-proved before *proved* is said |

pub mod certify;
pub mod contracts;
mod draw;
pub mod effects;
mod export;
pub mod goals;
mod iterate;
mod learn;
mod lookahead;
pub mod queries;
mod search;
pub mod units;

pub(super) use search::begin;
