//! Terms as text: SMT-LIB 2 for solvers, C-like infix for people.

mod infix;
mod script;
mod smtlib;

pub use infix::Infix;
pub use script::Script;
pub(crate) use smtlib::symbol;
