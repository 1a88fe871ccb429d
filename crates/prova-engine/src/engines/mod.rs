//! The algorithms, each after its paper.

pub mod ai;
pub mod dash;
pub mod pdr;
pub mod random;
pub mod values;
