//! The algorithms, each after its paper.

pub mod dash;
pub mod pdr;
pub mod random;
pub mod tables;
pub mod values;
