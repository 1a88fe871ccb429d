//! Whole states of a machine, to be compared: two that are the same have the same future, as far as
//! they are given the same from then on.
//!
//! What is left out: how many steps were taken, inputs that were used, what was printed. What is
//! compared though it may not matter: memory where nothing lives any more, and temporaries.

use super::Machine;
use crate::domain::Domain;
use crate::memory::Image;
use prova_ir::{ObjectId, ProcId};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// A state, or the part of one that a call starts with.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Snapshot {
    pc: usize,
    slots: Vec<u64>,
    frames: Vec<(ProcId, u32, usize)>,
    heap: (u64, u64),
    entered: Vec<(ObjectId, u64, bool)>,
    allocated: Vec<u64>,
    at_home: Vec<bool>,
    entered_before: Vec<bool>,
    memory: Image,
}

impl<D: Domain> Machine<D> {
    /// How many calls are active.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The next instruction.
    pub fn next_instruction(&self) -> usize {
        self.pc
    }

    /// Whether a call was just made: the next instruction is the first of a procedure.
    pub fn stands_at_entry(&self) -> bool {
        let frame = self.frames.last();
        frame.is_some_and(|f| self.code.procs[f.proc.index()].entry as usize == self.pc)
    }

    /// How many inputs were asked for.
    pub fn inputs_used(&self) -> usize {
        self.next_input
    }

    /// How many pieces of memory were given new contents.
    pub fn refills(&self) -> u32 {
        self.fresh
    }

    /// Where execution stands.
    pub fn stands(&self) -> crate::end::At {
        self.here()
    }

    /// The whole state, but for these slots of global registers.
    pub fn snapshot(&self, without: &[prova_ir::RegId]) -> Snapshot {
        let end = self.frames.last().map_or(self.fp, |f| {
            self.fp + self.code.procs[f.proc.index()].frame as usize
        });
        let frames = self.frames.iter();
        let mut snapshot = self.around(0..end);
        snapshot.frames = frames.map(|f| (f.proc, f.return_pc, f.fp)).collect();
        self.leave_out(&mut snapshot, without);
        snapshot
    }

    fn leave_out(&self, snapshot: &mut Snapshot, without: &[prova_ir::RegId]) {
        for register in without {
            let slot = (self.code.registers[register.index()].slot & !crate::code::FIXED) as usize;
            if let Some(value) = snapshot.slots.get_mut(slot) {
                *value = 0;
            }
        }
    }

    /// What the innermost call goes on from, whoever called it.
    pub fn snapshot_of_call(&self, without: &[prova_ir::RegId]) -> Snapshot {
        let fixed = self.code.fixed as usize;
        let size = self
            .frames
            .last()
            .map_or(0, |f| self.code.procs[f.proc.index()].frame as usize);
        let mut snapshot = self.around(0..fixed);
        self.leave_out(&mut snapshot, without);
        snapshot.slots.extend(
            self.slots[self.fp..self.fp + size]
                .iter()
                .map(|&v| D::bits(v)),
        );
        snapshot
    }

    fn around(&self, slots: std::ops::Range<usize>) -> Snapshot {
        let entered = self.entered.iter();
        let end = slots.end.min(self.slots.len());
        Snapshot {
            pc: self.pc,
            slots: self.slots[slots.start..end]
                .iter()
                .map(|&v| D::bits(v))
                .collect(),
            frames: Vec::new(),
            heap: (D::bits(self.heap_top), self.heap_used),
            entered: entered.map(|e| (e.object, e.base, e.at_home)).collect(),
            allocated: self.allocated.clone(),
            at_home: self.at_home.clone(),
            entered_before: self.entered_before.clone(),
            memory: self.memory.image(),
        }
    }
}

impl Snapshot {
    /// A number that is the same for the same states, and rarely for others.
    pub fn digest(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.hash(&mut hasher);
        hasher.finish()
    }
}
