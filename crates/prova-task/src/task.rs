//! What is to be decided.

use crate::lasting::Lasting;
use prova_exec::Given;
use prova_ir::{Assumption, Program, Span};

/// A program with error locations woven in, and its entry set.
#[derive(Clone, Debug)]
pub struct Task {
    /// The program.
    pub program: Program,
    /// Seed for everything random.
    pub seed: u64,
    /// What earlier checks of the same program ran: tests to begin with.
    pub earlier: Vec<Given>,
    /// What earlier checks proved of the same functions, or of earlier versions of them: candidates,
    /// which nobody believes.
    pub candidates: Vec<Lasting>,
    /// What the program was made with: assumptions that every verdict rests on.
    pub assumed: Vec<Assumption>,
    /// Where runs of it end because nothing is known of what comes, as far as its graphs tell.
    pub unmodelled: Vec<(String, Span)>,
}

impl Task {
    /// A task on its own.
    pub fn new(program: Program, seed: u64) -> Task {
        Task {
            program,
            seed,
            earlier: Vec::new(),
            candidates: Vec::new(),
            assumed: Vec::new(),
            unmodelled: Vec::new(),
        }
    }
}
