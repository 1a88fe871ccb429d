//! A program that is run again and again.

use crate::candidate::Candidate;
use crate::coverage::Coverage;
use prova_exec::domain::Concrete;
use prova_exec::machine::Origin;
use prova_exec::{Code, Exhausted, Limits, Machine, RunEnd, Test, UsedInput};
use std::sync::Arc;

type Looking<const COMPARE: bool> = Concrete<false, Coverage<COMPARE>>;

/// A machine, and where its runs begin.
pub struct Target<const COMPARE: bool> {
    machine: Machine<Looking<COMPARE>>,
    origin: Origin<Looking<COMPARE>>,
}

/// What is left of a run.
pub struct Ran<'t, const COMPARE: bool> {
    /// How it ended.
    pub end: RunEnd,
    /// Edges that it took.
    pub steps: u32,
    /// Inputs that it asked for.
    pub inputs: &'t [UsedInput],
    /// What it did.
    pub coverage: &'t Coverage<COMPARE>,
}

impl<const COMPARE: bool> Target<COMPARE> {
    /// A target whose runs take at most so many steps.
    pub fn new(code: &Arc<Code>, distances: &Arc<[u32]>, steps: u64) -> Self {
        let domain = Concrete {
            watch: Coverage::new(distances),
            ..Concrete::default()
        };
        let test = Test {
            exhausted: Exhausted::Stop,
            ..Test::default()
        };
        let limits = Limits {
            steps,
            memory: 64 << 20,
            depth: 2_000,
            output: 0,
            ..Limits::default()
        };
        let mut machine = Machine::new(Arc::clone(code), domain, test, limits);
        let origin = machine.origin();
        Target { machine, origin }
    }

    /// Runs a test.
    pub fn run(&mut self, candidate: &Candidate) -> Ran<'_, COMPARE> {
        let mut test = self.machine.take_test();
        candidate.onto(&mut test);
        self.machine.restart(&self.origin, test);
        self.machine.domain.watch.clear();
        let end = self.machine.run().clone();
        Ran {
            end,
            steps: self.machine.step(),
            inputs: &self.machine.inputs,
            coverage: &self.machine.domain.watch,
        }
    }
}
