//! Hash-consed terms, a simplifier, models, and the `Solver` trait with its backends.
//!
//! The map:
//!
//! | module | what is there |
//! |---|---|
//! | `sort`, `term` | [`Sort`], [`Term`], [`Op`], [`Node`]: what a term is |
//! | `terms`, `unique` | [`Terms`]: the arena; finding terms again |
//! | `build` | the constructors, which simplify (as methods of [`Terms`]) |
//! | `bits`, [`float`](mod@float) | arithmetic of constants |
//! | `walk`, `substitute`, `eval` | sizes, free variables, [`Substitution`], [`Evaluator`] |
//! | [`ranges`] | what terms can be where variables are in ranges, and what is impossible then |
//! | `value` | [`Value`], [`Model`] |
//! | `print` | SMT-LIB 2 and C-like text |
//! | [`solver`] | [`Solver`], Z3 in process, any solver over a pipe, query logging |
//!
//! What is not here: no program, no C, no quantifiers, no uninterpreted functions. Terms never
//! leave their arena, and a solver's own terms never leave its module.
//!
//! Everything that walks a term does so iteratively, since a term may be a million deep; the
//! constructors look at a bounded number of levels.

mod bits;
mod build;
mod eval;
pub mod float;
mod print;
pub mod ranges;
pub mod solver;
mod sort;
mod substitute;
mod term;
mod terms;
mod unique;
mod value;
mod var_sets;
mod walk;

pub use bits::Bits;
pub use eval::Evaluator;
pub use float::RoundingMode;
pub use print::{Infix, Script};
pub use solver::{
    decide_all, new_solver, read_term, Answer, Limit, Solver, SolverChoice, SolverConfig,
    SolverError, Statistics, TextSolver, UnknownReason, Z3Solver,
};
pub use sort::{FloatFormat, Sort};
pub use substitute::Substitution;
pub use term::{Node, Op, Term};
pub use terms::{Object, Terms, Variable};
pub use value::{ArrayValue, Model, Value};
