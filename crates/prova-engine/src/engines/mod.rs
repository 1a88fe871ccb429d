//! The algorithms, each after its paper.

pub mod bmc;
pub mod dash;
pub mod kind;
pub mod random;
pub mod values;
