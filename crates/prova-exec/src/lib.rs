//! One machine, two kinds of values: concrete and symbolic execution
//!
//! | file | what it holds |
//! |---|---|
//! | [`points_to`] | splits memory into arrays that cannot overlap |

pub mod points_to;
