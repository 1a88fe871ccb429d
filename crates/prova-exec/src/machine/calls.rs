//! Calls, returns, and functions without a body.

use super::{memory_limit, unsupported, Frame, Machine, Stop};
use crate::code::*;
use crate::domain::{Domain, Fresh, Span, Target};
use crate::end::{RunEnd, Trap};
use prova_ir::ProcId;
use std::sync::Arc;

impl<D: Domain> Machine<D> {
    pub(super) fn push_frame(
        &mut self,
        proc: ProcId,
        return_pc: u32,
        return_position: u32,
        result: Option<Written>,
    ) -> Result<(), Stop> {
        let code = Arc::clone(&self.code);
        let callee = &code.procs[proc.index()];
        let top = match self.frames.last() {
            Some(frame) => self.fp + code.procs[frame.proc.index()].frame as usize,
            None => code.fixed as usize,
        };
        let end = top + callee.frame as usize;
        if end * std::mem::size_of::<D::V>() > self.limits.memory {
            return Err(memory_limit());
        }
        self.slots.truncate(top);
        self.slots.resize(end, D::known(0));
        for &(object, slot) in &callee.objects {
            self.slots[top + slot as usize] = self.slots[object.index()];
        }
        self.frames.push(Frame {
            proc,
            return_pc,
            return_position,
            fp: self.fp,
            result,
            entered: self.entered.len(),
            allocated: self.allocated.len(),
        });
        self.fp = top;
        Ok(())
    }

    pub(super) fn call(
        &mut self,
        callee: CallTarget,
        arguments: &[Operand],
        result: Option<Written>,
        next: u32,
    ) -> Result<Option<ProcId>, Stop> {
        let code = Arc::clone(&self.code);
        let proc = match callee {
            CallTarget::Direct(proc) => proc,
            CallTarget::Indirect(slot) => {
                let pointer = self.get(slot);
                let bits = D::bits(pointer);
                let found = self.layout.functions.iter().position(|&f| f == bits);
                let Some(index) = found.filter(|_| bits != 0) else {
                    return Err(self.trap(Trap::NoFunction(bits)));
                };
                let proc = ProcId::new(index);
                self.domain
                    .fixed(self.step, pointer, Target::Function(proc));
                proc
            }
        };
        let target = &code.procs[proc.index()];
        if !target.defined {
            self.external(proc, arguments, result)?;
            return Ok(None);
        }
        let fits = arguments.len() == target.parameters.len()
            && arguments
                .iter()
                .zip(&target.parameters)
                .all(|(a, p)| a.width == p.width);
        let result_fits = match (result, target.result) {
            (Some(r), Some(own)) => r.width == own.width,
            (None, _) => true,
            (Some(_), None) => false,
        };
        if !fits || !result_fits {
            return Err(self.trap(Trap::CallMismatch(proc)));
        }
        if self.frames.len() >= self.limits.depth {
            return Err(Box::new(RunEnd::StackOverflow(self.here())));
        }
        let values: Vec<[D::V; 2]> = arguments
            .iter()
            .map(|a| {
                if a.width > 64 {
                    self.pair(a.slot)
                } else {
                    [self.get(a.slot), D::known(0)]
                }
            })
            .collect();
        self.domain.called(self.step, proc, target.registers);
        self.push_frame(proc, self.pc as u32 + 1, next, result)?;
        for (parameter, value) in target.parameters.iter().zip(values) {
            self.write(*parameter, value);
        }
        Ok(Some(proc))
    }

    pub(super) fn return_from(&mut self) -> Result<(), Stop> {
        let code = Arc::clone(&self.code);
        let Some(frame) = self.frames.pop() else {
            return Err(unsupported("a return without a call"));
        };
        if self.step >= self.next_check {
            self.check_limits()?;
        }
        let own = code.procs[frame.proc.index()].result;
        let value = own.map(|r| {
            if r.width > 64 {
                self.pair(r.slot)
            } else {
                [self.get(r.slot), D::known(0)]
            }
        });
        if self.frames.is_empty() {
            let bits = value.map(|v| u128::from(D::bits(v[0])) | u128::from(D::bits(v[1])) << 64);
            self.frames.push(frame);
            return Err(Box::new(RunEnd::Returned(bits)));
        }
        while self.entered.len() > frame.entered {
            if let Some(gone) = self.entered.pop() {
                self.leave(gone);
            }
        }
        for base in self.allocated.drain(frame.allocated..) {
            self.memory.remove(base);
        }
        self.domain.returned(self.step);
        self.fp = frame.fp;
        if let (Some(target), Some(value)) = (frame.result, value) {
            self.write(target, value);
        }
        self.step += 1;
        self.note_path(frame.return_position);
        self.pc = frame.return_pc as usize;
        Ok(())
    }

    pub(super) fn external(
        &mut self,
        proc: ProcId,
        arguments: &[Operand],
        result: Option<Written>,
    ) -> Result<(), Stop> {
        let values: Vec<D::V> = arguments.iter().map(|a| self.get(a.slot)).collect();
        let bits: Vec<u64> = values.iter().map(|&v| D::bits(v)).collect();
        let known = self.library(proc, &bits)?;
        match (known, result) {
            (Some(value), Some(target)) => {
                let value = value & crate::arith::mask(target.width.min(64));
                let value = self.domain.library(self.step, target, value);
                self.write(target, [value, D::known(0)]);
            }
            (None, Some(target)) => {
                self.unknown_calls.push(proc);
                let value = self.input(target)?;
                self.write(target, value);
            }
            (None, None) => self.unknown_calls.push(proc),
            (Some(_), None) => {}
        }
        Ok(())
    }

    /// Writes bytes as a library function does.
    pub(crate) fn library_write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Stop> {
        let n = bytes.len() as u64;
        self.memory
            .check_write(address, n)
            .map_err(|f| self.write_fault(f, address))?;
        self.domain.will_write(&self.memory, address, n);
        for (i, &byte) in bytes.iter().enumerate() {
            self.memory
                .store(address + i as u64, 1, u64::from(byte))
                .map_err(|f| self.write_fault(f, address))?;
        }
        let range = Span {
            address: D::known(address),
            size: n,
            site: None,
            object: None,
        };
        self.domain
            .filled(self.step, &self.memory, range, Fresh::Library);
        Ok(())
    }

    /// Prints, up to the limit.
    pub(crate) fn print(&mut self, bytes: &[u8]) {
        let room = self.limits.output.saturating_sub(self.output.len());
        self.output
            .extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}
