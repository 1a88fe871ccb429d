//! Tests that were run: their states, what they show, and how others are made of them.

pub mod branches;
mod confirm;
pub mod cross;
pub mod forest;
pub mod rounds;
