//! Many runs of one machine: it goes back to where it stood before its first edge, which costs a
//! copy of what the first state holds, and not the making of a machine. Fuzzing lives by it.

use super::{Frame, Machine};
use crate::domain::Domain;
use crate::memory;
use crate::test::Test;
use std::time::Instant;

/// A machine that stands before its first edge, as it was made.
pub struct Origin<D: Domain> {
    slots: Vec<D::V>,
    frames: Vec<Frame>,
    memory: memory::Origin,
    pc: usize,
    fp: usize,
    segment: (u32, u32),
    heap_top: D::V,
}

impl<D: Domain> Machine<D> {
    /// Keeps where the machine stands, before its first edge.
    pub fn origin(&mut self) -> Origin<D> {
        debug_assert_eq!(self.step, 0, "a run begins at its beginning");
        Origin {
            slots: self.slots.clone(),
            frames: self.frames.clone(),
            memory: self.memory.origin(),
            pc: self.pc,
            fp: self.fp,
            segment: self.segment,
            heap_top: self.heap_top,
        }
    }

    /// Stands there again, with another test: one that gives input values, first contents and new
    /// contents, and agrees in everything else with the one that the machine was made for. What the
    /// domain remembers is the caller's business.
    pub fn restart(&mut self, origin: &Origin<D>, test: Test) {
        self.slots.clone_from(&origin.slots);
        self.frames.clone_from(&origin.frames);
        self.memory.go_back(&origin.memory, &test.contents);
        (self.pc, self.fp, self.segment) = (origin.pc, origin.fp, origin.segment);
        (self.step, self.next_check, self.fresh) = (0, 0, 0);
        (self.heap_top, self.heap_used) = (origin.heap_top, 0);
        (self.next_input, self.drawn) = (0, 0);
        self.heap_tops.clear();
        self.entered.clear();
        self.allocated.clear();
        self.at_home.fill(false);
        self.entered_before.fill(false);
        self.inputs.clear();
        self.output.clear();
        self.unknown_calls.clear();
        self.end = None;
        self.started = Instant::now();
        self.test = test;
    }

    /// The test, to be used again for another one.
    pub fn take_test(&mut self) -> Test {
        std::mem::take(&mut self.test)
    }

    /// What it runs.
    pub fn code(&self) -> &std::sync::Arc<crate::Code> {
        &self.code
    }
}
