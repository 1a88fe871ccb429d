//! Tests that were run: their states, what they show, and how others are made of them.

mod confirm;
pub mod forest;
pub mod rounds;
