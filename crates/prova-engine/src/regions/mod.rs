//! Partitions of states, and the graph of steps between their parts.

pub mod claim;
pub mod distance;
pub mod graph;
