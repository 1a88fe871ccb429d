//! The algorithms, each after its paper.

pub mod classes;
pub mod dash;
pub mod random;
pub mod tables;
pub mod values;
