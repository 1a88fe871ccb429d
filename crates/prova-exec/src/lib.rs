//! One machine, two kinds of values: concrete and symbolic execution
//!
//! | file | what it holds |
//! |---|---|
//! | [`points_to`] | splits memory into arrays that cannot overlap |
//! | [`state_vars`] | the variables a state is made of |
//! | [`translate`] | expressions to terms |
//! | [`transfer`] | what statements do, as terms over the state before |

pub mod points_to;
pub mod state_vars;
pub mod transfer;
pub mod translate;
