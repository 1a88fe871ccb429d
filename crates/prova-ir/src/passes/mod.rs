//! Passes: a program in, an equivalent or simpler one out. Each validates its result in debug
//! builds.
//!
//! | pass | what it does |
//! |---|---|
//! | [`simplify_graph`](mod@simplify_graph) | folds constants, removes skips, decided branches, unreachable locations |
//! | [`unmodelled`] | ends runs where nothing is known of what comes |
//! | [`devirtualise`](mod@devirtualise) | calls through pointers become branches over direct calls |
//! | [`foreign`] | which pointers may come from outside of the program |
//! | [`externals`](mod@externals) | calls of unknown functions become arbitrary values, and are reported |
//! | [`uninitialised`](mod@uninitialised) | registers read before they are written get arbitrary values |
//! | [`call_graph`](mod@call_graph) | who calls whom, and who recurses |
//! | [`inline`](mod@inline) | everything the entry calls becomes one procedure |
//! | [`slice`](mod@slice) | removes what cannot matter for any error |
//! | [`entries`](mod@entries) | keeps what loops were entered with |
//! | [`precision`] | whether floats are rounded |
//! | [`loops`] | dominators, loop heads, back edges |
//! | [`activations`] | what an activation means, said with statements, where procedures are kept |
//! | [`named`] | passes by their names |
//! | [`blocks`] | statements folded into the larger steps that engines take |
//!
//! The usual order: weave the property, `devirtualise`, `externals`, `uninitialised`, `inline`,
//! `simplify_graph`, `slice`, then `blocks`. From `uninitialised` on, the inputs a run takes are
//! the same, in the same order.

pub mod activations;
pub mod blocks;
pub mod call_graph;
pub mod devirtualise;
pub mod entries;
pub mod externals;
pub mod foreign;
pub mod inline;
pub mod loops;
pub mod named;
pub mod precision;
pub mod simplify_graph;
pub mod slice;
pub mod uninitialised;
pub mod unmodelled;

pub use blocks::{BlockEdge, BlockGraph, Granularity};
pub use call_graph::{call_graph, CallGraph};
pub use devirtualise::{devirtualise, Devirtualised};
pub use entries::{entries, Entry};
pub use externals::{externals, External};
pub use inline::{inline, inline_with, InlineError, Inlined, Instance, Recursion};
pub use loops::Loops;
pub use simplify_graph::{simplify_graph, Labels, LocationMap};
pub use slice::{slice, SliceOptions, Sliced};
pub use uninitialised::uninitialised;
pub use unmodelled::end_unmodelled;
