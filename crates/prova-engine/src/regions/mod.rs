//! Partitions of states, and the graph of steps between their parts: for one procedure and for many.
//!
//! | file | what it holds |
//! |---|---|
//! | [`partition`] | the regions of a cutpoint: a decision tree |
//! | [`graph`] | regions and abstract edges |
//! | `join` | regions that no test has visited, made one |
//! | [`distance`] | how far the goal is from each region |
//! | [`exact`] | whole preimages, and whether an edge is real |
//! | [`claim`] | a partition without a way to an error, as a claim |
//! | [`draw`] | a graph for people to look at |

pub mod claim;
pub mod distance;
pub mod draw;
pub mod exact;
pub mod graph;
mod join;
pub mod partition;
