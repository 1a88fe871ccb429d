//! The algorithms, each after its paper.

pub mod dash;
pub mod impact;
pub mod lazy;
pub mod random;
pub mod slam;
pub mod values;
