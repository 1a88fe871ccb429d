//! Edges that take longer than a dispatch: inputs, allocation, lifetimes, copies.

use super::{memory_limit, unsupported, Entered, Machine, Stop, UsedInput};
use crate::code::*;
use crate::domain::{Domain, Fresh, Span, Target};
use crate::end::{RunEnd, Trap};
use crate::layout::heap_size;
use crate::memory::{Live, LiveKind};
use crate::test::{Exhausted, Policy};
use prova_ir::{Allocation, ObjectId, ProcId};

impl<D: Domain> Machine<D> {
    pub(super) fn write(&mut self, target: Written, value: [D::V; 2]) {
        if target.width > 64 {
            self.set_pair(target.slot, value);
            self.domain.wrote_wide(self.step, target.slot, value);
        } else {
            self.set(target.slot, value[0]);
            self.domain.wrote(self.step, target.slot, value[0]);
        }
    }

    /// Edges that take longer. Gives the procedure that was entered, if one was.
    pub(super) fn slow(&mut self, slow: &Slow) -> Result<Option<ProcId>, Stop> {
        match slow {
            Slow::Marker => {}
            Slow::Nondet { target, .. } => {
                let value = self.input(*target)?;
                self.write(*target, value);
            }
            Slow::Copy {
                target,
                source,
                size,
            } => {
                let (to, from) = (self.get(target.0), self.get(source.0));
                let (to_bits, from_bits) = (D::bits(to), D::bits(from));
                self.memory
                    .check_read(from_bits, *size)
                    .map_err(|f| self.read_fault(f, from_bits))?;
                self.memory
                    .check_write(to_bits, *size)
                    .map_err(|f| self.write_fault(f, to_bits))?;
                self.domain.will_write(&self.memory, to_bits, *size);
                self.memory
                    .copy(to_bits, from_bits, *size)
                    .map_err(|f| self.write_fault(f, to_bits))?;
                let to = Span {
                    address: to,
                    size: *size,
                    site: Some(target.1),
                    object: None,
                };
                let from = Span {
                    address: from,
                    size: *size,
                    site: Some(source.1),
                    object: None,
                };
                self.domain.copied(self.step, &self.memory, to, from);
            }
            Slow::Havoc { address, size } => {
                let at = self.get(address.0);
                let bits = D::bits(at);
                self.memory
                    .check_write(bits, *size)
                    .map_err(|f| self.write_fault(f, bits))?;
                self.refill(Span {
                    address: at,
                    size: *size,
                    site: Some(address.1),
                    object: None,
                })?;
            }
            Slow::Allocate {
                size, target, kind, ..
            } => {
                let size = self.get(*size);
                let base = self.allocate(size, *kind)?;
                self.write(*target, [base, D::known(0)]);
            }
            Slow::Free { address } => {
                let address = self.get(*address);
                let at = D::bits(address);
                self.domain.fixed(self.step, address, Target::Block);
                if at != 0 {
                    match self.memory.object(at) {
                        Some(live) if live.kind == LiveKind::Heap => self.memory.remove(at),
                        _ => return Err(self.trap(Trap::BadFree(at))),
                    }
                }
            }
            Slow::Enter { object, slot } => self.enter(*object, *slot)?,
            Slow::Leave { object, .. } => {
                let from = self.frames.last().map_or(0, |f| f.entered);
                let found = self.entered[from..]
                    .iter()
                    .rposition(|e| e.object == *object);
                if let Some(found) = found {
                    let gone = self.entered.remove(from + found);
                    self.leave(gone);
                }
            }
            Slow::Exit { code } => {
                return Err(Box::new(RunEnd::Exited(D::bits(self.get(*code)))));
            }
            Slow::Trap => return Err(self.trap(Trap::Explicit)),
            Slow::Abort => return Err(Box::new(RunEnd::Aborted(self.here()))),
            Slow::Call {
                callee,
                arguments,
                result,
                next,
            } => return self.call(*callee, arguments, *result, *next),
        }
        Ok(None)
    }

    pub(super) fn enter(&mut self, object: ObjectId, slot: Slot) -> Result<(), Stop> {
        let size = self.code.program.object(object).size;
        let from = self.frames.last().map_or(0, |f| f.entered);
        if let Some(again) = self.entered[from..].iter().find(|e| e.object == object) {
            debug_assert_eq!(again.base, D::bits(self.get(slot)));
            let address = self.get(slot);
            self.refill(Span {
                address,
                size,
                site: None,
                object: Some(object),
            })?;
            self.domain.entered(self.step, object, address);
            return Ok(());
        }
        let live = Live {
            size,
            writable: true,
            kind: LiveKind::Frame,
        };
        let at_home = !self.at_home[object.index()];
        let address = if at_home {
            let home = self.slots[object.index()];
            self.at_home[object.index()] = true;
            self.memory.add(D::bits(home), live);
            let range = Span {
                address: home,
                size,
                site: None,
                object: Some(object),
            };
            if std::mem::replace(&mut self.entered_before[object.index()], true) {
                self.refill(range)?;
            } else {
                self.domain
                    .filled(self.step, &self.memory, range, Fresh::First);
            }
            home
        } else {
            self.bump(D::known(size), live)?
        };
        self.entered.push(Entered {
            object,
            base: D::bits(address),
            at_home,
        });
        self.set(slot, address);
        self.domain.entered(self.step, object, address);
        Ok(())
    }

    pub(super) fn leave(&mut self, gone: Entered) {
        self.memory.remove(gone.base);
        if gone.at_home {
            self.at_home[gone.object.index()] = false;
        }
    }

    /// Gives a range that may have been written new arbitrary contents.
    pub(super) fn refill(&mut self, range: Span<D::V>) -> Result<(), Stop> {
        let at = D::bits(range.address);
        let number = self.fresh;
        self.fresh += 1;
        self.domain.will_write(&self.memory, at, range.size);
        if self.test.rest == Policy::Zero {
            self.memory.zero(at, range.size);
        } else {
            for i in 0..range.size {
                let byte = self
                    .test
                    .rest
                    .byte(number + 1, at + i, self.code.program.model);
                self.memory.poke(at + i, byte).map_err(|_| memory_limit())?;
            }
        }
        let given: Vec<(u64, u8)> = self
            .test
            .fresh
            .range((number, 0)..(number, range.size))
            .map(|(&(_, offset), &byte)| (offset, byte))
            .collect();
        for (offset, byte) in given {
            self.memory
                .poke(at + offset, byte)
                .map_err(|_| memory_limit())?;
        }
        self.domain
            .filled(self.step, &self.memory, range, Fresh::Again(number));
        Ok(())
    }

    pub(super) fn allocate(&mut self, size: D::V, kind: Allocation) -> Result<D::V, Stop> {
        let (kind, is_stack) = match kind {
            Allocation::Heap => (LiveKind::Heap, false),
            Allocation::Stack => (LiveKind::Stack, true),
        };
        let live = Live {
            size: D::bits(size),
            writable: true,
            kind,
        };
        let base = self.bump(size, live)?;
        if is_stack {
            self.allocated.push(D::bits(base));
        }
        Ok(base)
    }

    /// The allocator: addresses only grow.
    pub(super) fn bump(&mut self, size: D::V, live: Live) -> Result<D::V, Stop> {
        let top = D::bits(self.heap_top);
        let room = heap_size(self.code.program.model) - self.heap_used;
        let taken = live
            .size
            .max(1)
            .checked_next_multiple_of(16)
            .and_then(|s| s.checked_add(16));
        let Some(taken) = taken.filter(|&t| t <= room) else {
            return Err(memory_limit());
        };
        self.heap_used += taken;
        let (base, next) = self
            .domain
            .allocate(self.step, self.heap_top, size, top + taken);
        self.heap_top = next;
        self.heap_tops.push((self.step, top + taken));
        self.memory.add(top, live);
        let range = Span {
            address: base,
            size: live.size,
            site: None,
            object: None,
        };
        self.domain
            .filled(self.step, &self.memory, range, Fresh::First);
        Ok(base)
    }

    /// The next input.
    pub(super) fn input(&mut self, target: Written) -> Result<[D::V; 2], Stop> {
        let (width, shape) = (target.width, target.shape);
        let given = self.test.values.get(self.next_input).copied();
        let value = match given {
            Some(value) => value & crate::arith::mask_wide(width),
            None if self.test.exhausted == Exhausted::Stop => {
                return Err(Box::new(RunEnd::InputsExhausted(self.here())))
            }
            None => {
                let n = self.drawn;
                self.drawn += 1;
                if shape == Shape::Pointer {
                    let zone = self.code.program.model.arbitrary_pointers();
                    u128::from(self.test.rest.pointer(n, zone))
                } else {
                    self.test.rest.input(n, u32::from(width))
                }
            }
        };
        self.next_input += 1;
        let zone = self.code.program.model.arbitrary_pointers();
        if shape == Shape::Pointer && value != 0 && !zone.contains(&(value as u64)) {
            return Err(unsupported(format!(
                "input {} is a pointer: it must be null or in {:#x}..{:#x}, not {value:#x}",
                self.next_input, zone.start, zone.end
            )));
        }
        self.inputs.push(UsedInput {
            step: self.step,
            position: self.position(),
            width,
            pointer: shape == Shape::Pointer,
            float: shape == Shape::Float,
            value,
            given: given.is_some(),
        });
        Ok(self
            .domain
            .input(self.step, target, [value as u64, (value >> 64) as u64]))
    }
}
