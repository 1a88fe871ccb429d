//! The algorithms, each after its paper.

pub mod dart;
pub mod dash;
pub mod lee_yannakakis;
pub mod random;
pub mod synergy;
pub mod values;
