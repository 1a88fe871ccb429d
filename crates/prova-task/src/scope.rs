//! What a verdict rests on.

use prova_exec::Given;
use prova_ir::{Assumption, Span};

/// What a verdict rests on; printed beside every proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// What the program was read with: assumptions that the user chose or left as they are.
    pub assumptions: Vec<Assumption>,
    /// Unmodelled constructs that every path to the error avoids.
    pub markers: Vec<(String, Span)>,
    /// Source lines that no test reached.
    pub unreached: Vec<Span>,
    /// Set when the proof says nothing about real runs, with the reason.
    pub vacuous: Option<String>,
    /// The tests that were run, told without addresses.
    pub tests: Vec<Given>,
}
