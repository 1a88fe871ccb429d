//! The algorithms, each after its paper.

pub mod ai;
pub mod bmc;
pub mod cells;
pub mod classes;
pub mod dart;
pub mod dash;
pub mod fabricate;
pub mod fuzz;
pub mod impact;
pub mod kind;
pub mod lazy;
pub mod lee_yannakakis;
pub mod pdr;
pub mod random;
pub mod slam;
pub mod states;
pub mod synergy;
pub mod tables;
pub mod values;
