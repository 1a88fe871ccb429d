//! The algorithms, each after its paper.

pub mod dart;
pub mod dash;
pub mod pdr;
pub mod random;
pub mod tables;
pub mod lee_yannakakis;
pub mod synergy;
pub mod values;
