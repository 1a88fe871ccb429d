//! Invariants learned from tests.

pub mod houdini;
pub mod mine;
