//! Does it end? A run that never does, or measures that show that none can.
//!
//! Everything is made a question about error locations, so that all engines can be asked:
//!
//! | file | what it holds |
//! |---|---|
//! | [`search`] | the order of things, with little effort first and then with more |
//! | `measures` | tuples chosen, proved or refuted |
//! | `never` | runs that never end, asked for |
//! | [`reading`] | a program as it is read, and what tests have shown of it |
//! | [`shape`] | the loops and circles of calls of a program, and what their guards say |
//! | [`linear`] | expressions of a program as linear terms |
//! | [`traces`] | what tests show of rounds and calls |
//! | [`choose`] | a tuple that falls in all rounds that were seen |
//! | [`returned`] | what tests show of what procedures return that call themselves |
//! | [`bound`] | bounds on rounds, from measures |
//! | [`closed`] | runs that never end though values grow |
//! | [`forever`] | runs whose state comes again, made violations |
//! | [`say`] | measures for people |
//!
//! The search for measures is that of invariants in this house: tests propose, the solver decides. A
//! tuple is chosen that falls in every round that any test went through; it is woven in
//! (`prova-rank`), and an engine is asked whether it always falls. If not, there is a test of a round
//! in which it does not, and another tuple is chosen (Gonnord, Monniaux, Radanne: *Synthesis of
//! Ranking Functions using Extremal Counterexamples*, PLDI 2015, have the same circle with another
//! way of choosing). What an engine proves is the proof: its certificate speaks of the woven program.

pub mod bound;
pub mod choose;
pub mod closed;
pub mod forever;
pub mod linear;
mod measures;
mod never;
pub mod reading;
pub mod returned;
pub mod say;
pub mod search;
pub mod shape;
pub mod traces;

pub use search::{check, Answer, Effort, Question};
