//! The algorithms, each after its paper.

pub mod bmc;
pub mod dart;
pub mod classes;
pub mod dash;
pub mod lee_yannakakis;
pub mod pdr;
pub mod kind;
pub mod random;
pub mod synergy;
pub mod tables;
pub mod impact;
pub mod lazy;
pub mod slam;
pub mod values;
