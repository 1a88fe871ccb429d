//! Before the first edge: objects, first contents, first values.

use super::{memory_limit, unsupported, Machine, Stop};
use crate::code::*;
use crate::domain::{Base, Domain};
use crate::memory::{Live, LiveKind};
use prova_ir::{BinaryOp, Expr, ExprId, Initial, ObjectId, ProcId, Program, RegId, Storage};
use std::sync::Arc;

impl<D: Domain> Machine<D> {
    pub(super) fn prepare(&mut self, program: &Program) -> Result<(), Stop> {
        let code = Arc::clone(&self.code);
        for (i, &base) in self.layout.objects.iter().enumerate() {
            self.slots[i] = self.domain.base(Base::Object(ObjectId::new(i)), base);
        }
        for (i, &base) in self.layout.functions.iter().enumerate() {
            let slot = program.objects.len() + i;
            self.slots[slot] = self.domain.base(Base::Function(ProcId::new(i)), base);
        }
        for (i, &constant) in code.constants.iter().enumerate() {
            self.slots[code.constants_from as usize + i] = D::known(constant);
        }
        self.heap_top = self.domain.base(Base::Heap, self.layout.heap);
        for (i, object) in program.objects.iter().enumerate() {
            let (kind, writable) = match &object.storage {
                Storage::Static { constant, .. } => (LiveKind::Static, !constant),
                Storage::External => (LiveKind::External, true),
                Storage::Frame(_) => continue,
            };
            let base = self.layout.objects[i];
            self.memory.add(
                base,
                Live {
                    size: object.size,
                    writable,
                    kind,
                },
            );
        }
        for (i, object) in program.objects.iter().enumerate() {
            if let Storage::Static { initial, .. } = &object.storage {
                for (offset, part) in initial {
                    let at = self.layout.objects[i] + offset;
                    let bytes = self.initial_bytes(program, part)?;
                    for (k, byte) in bytes.into_iter().enumerate() {
                        if offset + k as u64 >= object.size {
                            return Err(unsupported("an initial value beyond its object"));
                        }
                        self.memory
                            .poke(at + k as u64, byte)
                            .map_err(|_| memory_limit())?;
                    }
                }
            }
        }
        self.enter_entry(program)
    }

    pub(super) fn enter_entry(&mut self, program: &Program) -> Result<(), Stop> {
        let code = Arc::clone(&self.code);
        let entry = code.entry;
        let proc = &code.procs[entry.index()];
        self.domain.called(0, entry, proc.registers);
        self.push_frame(entry, 0, NO_POSITION, None)?;
        self.pc = proc.entry as usize;
        self.note_path(proc.entry_position);
        let own = proc.regs.iter().map(|r| code.registers[r.index()]);
        for register in code.globals.iter().copied().chain(own).collect::<Vec<_>>() {
            let value = self.first_value(program, register.reg)?;
            let known = [D::known(value as u64), D::known((value >> 64) as u64)];
            let given = program.register(register.reg).initial.is_some();
            let value = if given {
                match self.constant_base(program, register.reg) {
                    Some(v) => [v, D::known(0)],
                    None => known,
                }
            } else {
                self.domain
                    .first(register, [value as u64, (value >> 64) as u64])
            };
            let slot = self.index(register.slot);
            self.slots[slot] = value[0];
            if register.width > 64 {
                self.slots[slot + 1] = value[1];
            }
            self.domain.begins(register, value);
        }
        Ok(())
    }

    /// The value of a register whose initial value is an address, base and all.
    pub(super) fn constant_base(&mut self, program: &Program, reg: RegId) -> Option<D::V> {
        let mut e = program.exprs.kept_address(program.register(reg).initial?);
        let mut offset = 0u64;
        loop {
            match program.exprs.get(e) {
                Expr::Binary {
                    op: BinaryOp::PtrAdd,
                    left,
                    right,
                } => {
                    let Expr::Int { value, .. } = program.exprs.get(right) else {
                        return None;
                    };
                    offset = offset.wrapping_add(value as u64);
                    e = left;
                }
                Expr::Address(o) => return self.based(program, o.index(), offset),
                Expr::Function(p) => {
                    return self.based(program, program.objects.len() + p.index(), offset)
                }
                _ => return None,
            }
        }
    }

    pub(super) fn based(&mut self, program: &Program, slot: usize, offset: u64) -> Option<D::V> {
        let base = self.slots[slot];
        let w = program.model.pointer_bits() as u8;
        Some(self.domain.binary(
            BinaryOp::Add,
            w,
            base,
            D::known(offset & crate::arith::mask(w)),
        ))
    }

    pub(super) fn first_value(&mut self, program: &Program, reg: RegId) -> Result<u128, Stop> {
        let register = program.register(reg);
        if let Some(initial) = register.initial {
            return self.constant(program, initial);
        }
        if let Some(&value) = self.test.registers.get(&reg) {
            let width = register.ty.bits(program.model).min(128);
            return Ok(value & (u128::MAX >> (128 - width)));
        }
        let arbitrary = register.owner.is_none();
        if arbitrary && register.ty != prova_ir::Type::Ptr {
            let width = register.ty.bits(program.model);
            return Ok(self
                .test
                .rest
                .input(0x4_0000_0000 + reg.index() as u64, width));
        }
        Ok(0)
    }

    /// The bits of a constant expression.
    pub(super) fn constant(&self, program: &Program, e: ExprId) -> Result<u128, Stop> {
        let mut e = program.exprs.kept_address(e);
        let mut offset = 0u64;
        loop {
            let base = match program.exprs.get(e) {
                Expr::Int { value, .. } | Expr::Float { bits: value, .. } => return Ok(value),
                Expr::Binary {
                    op: BinaryOp::PtrAdd,
                    left,
                    right,
                } => {
                    let Expr::Int { value, .. } = program.exprs.get(right) else {
                        return Err(unsupported("an initial value that is no constant"));
                    };
                    offset = offset.wrapping_add(value as u64);
                    e = left;
                    continue;
                }
                Expr::Pointer(address) => address,
                Expr::Address(object) => self.layout.object(object),
                Expr::Function(proc) => self.layout.function(proc),
                _ => return Err(unsupported("an initial value that is no constant")),
            };
            let mask = u64::MAX >> (64 - program.model.pointer_bits());
            return Ok(u128::from(base.wrapping_add(offset) & mask));
        }
    }

    pub(super) fn initial_bytes(&self, program: &Program, part: &Initial) -> Result<Vec<u8>, Stop> {
        match part {
            Initial::Bytes(bytes) => Ok(bytes.clone()),
            Initial::Value(e) => {
                let n = program.exprs.ty(*e).bytes(program.model) as usize;
                let value = self.constant(program, *e)?;
                Ok(value.to_le_bytes()[..n.min(16)].to_vec())
            }
        }
    }
}
