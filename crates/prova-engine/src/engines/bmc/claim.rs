//! Complete unwinding as a proof: how many rounds each loop takes, and the order in which places are
//! followed. The checker unwinds the program itself.

use crate::problem::unwind::ask::{Asker, Found};
use crate::problem::unwind::order::Order;
use crate::problem::unwind::Unwound;
use crate::problem::{Problem, Steps};
use crate::proof::conclude::Claim;
use crate::proof::recheck::Flaw;
use prova_ir::Span;
use prova_logic::{Solver, Term, Terms};
use prova_task::{Contract, Invariant};

/// A program of which every run was followed to its end.
pub struct Unrolled<'a> {
    problem: &'a Problem,
    steps: &'a Steps,
    order: &'a Order,
    unwound: &'a Unwound,
}

impl<'a> Unrolled<'a> {
    /// The claim that nothing was left out.
    pub fn new(
        problem: &'a Problem,
        steps: &'a Steps,
        order: &'a Order,
        unwound: &'a Unwound,
        _asker: &Asker,
    ) -> Self {
        Unrolled {
            problem,
            steps,
            order,
            unwound,
        }
    }
}

impl Claim for Unrolled<'_> {
    fn recheck(
        &mut self,
        terms: &mut Terms,
        _solver: &mut dyn Solver,
        _stop: &mut dyn FnMut() -> bool,
    ) -> Result<u64, Flaw> {
        let _ = (terms, self.order, self.steps, self.problem, self.unwound);
        let _: Option<(Found, Term)> = None;
        Err(Flaw::Malformed(
            "complete unwinding is not certified".into(),
        ))
    }

    fn unmodelled(&self) -> Option<(String, Span)> {
        None
    }

    fn says(&mut self, _: &mut Terms) -> (Vec<Invariant>, Vec<Contract>) {
        (Vec::new(), Vec::new())
    }
}
