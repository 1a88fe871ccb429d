//! The algorithms, each after its paper.

pub mod dash;
pub mod random;
pub mod values;
