//! One machine, two kinds of values: concrete and symbolic execution.
//!
//! | file | what it holds |
//! |---|---|
//! | [`arith`] | what each operator computes on bits |
//! | [`code`], `compile` | flat code, and how graphs become it |
//! | [`test`](mod@test), [`layout`] | what a run depends on besides the program |
//! | [`memory`] | flat byte memory with a liveness bit per byte |
//! | [`domain`] | what the machine asks of its values; plain bits with and without history |
//! | [`machine`], `library`, `format` | the interpreter; functions that print |
//! | [`log`](mod@log), [`history`], [`run`] | the write log and a finished run |
//! | [`end`] | the ways a run can end |
//! | [`lasso`] | runs whose state comes again |
//! | [`nan_bits`] | stores that may show the bits of a NaN, made a case of their own |
//! | [`cells`] | ghosts that follow arbitrary cells of arrays |
//! | [`passes`] | all passes by their names |
//! | [`transplant`] | a test of one form of a program made a test of another |
//! | [`undefined`] | what functions without a body may write |
//! | [`points_to`] | splits memory into arrays that cannot overlap |
//! | [`state_vars`] | the variables a state is made of |
//! | [`translate`] | expressions to terms |
//! | [`evaluate`] | predicates at a state of a run |
//! | [`symbolic`] | a run once more, with terms |
//! | [`transfer`] | what statements do, as terms over the state before |
//!
//! No solver, no C and no file access here.

pub mod arith;
pub mod cells;
pub mod code;
mod compile;
pub mod domain;
pub mod end;
pub mod evaluate;
mod format;
pub mod history;
pub mod lasso;
pub mod layout;
mod library;
pub mod log;
pub mod machine;
pub mod memory;
pub mod nan_bits;
pub mod passes;
pub mod points_to;
pub mod run;
pub mod state_vars;
pub mod symbolic;
pub mod test;
pub mod transfer;
pub mod translate;
pub mod transplant;
pub mod undefined;

pub use code::{Code, CompileError, Place};
pub use end::{At, RunEnd, Trap};
pub use evaluate::{eval_at, holds_at};
pub use lasso::Lasso;
pub use layout::{Layout, LayoutError};
pub use machine::{Limits, Machine, UsedInput};
pub use nan_bits::separate_nan_bits;
pub use run::{run_plain, Run, Summary};
pub use symbolic::SymbolicRun;
pub use test::{Exhausted, Policy, Test};
pub use transplant::Given;
