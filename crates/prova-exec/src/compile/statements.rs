//! Statements to instructions.

use super::{form, malformed, Compiler};
use crate::code::*;
use prova_ir::{Callee, EdgeId, Halt, ProcId, RegId, Statement};

impl Compiler<'_> {
    /// Ends an edge whose last instruction wrote a register: one instruction does both, if there
    /// is one for it. No jump leads in between: an edge's code is entered at its start.
    pub(super) fn end_write(&mut self, slot: Slot) {
        let both = match self.code.instrs.last() {
            Some(&Instr::Add { w, d, a, b }) => Some(Instr::AddEnd { w, d, a, b }),
            Some(&Instr::Sub { w, d, a, b }) => Some(Instr::SubEnd { w, d, a, b }),
            Some(&Instr::Mul { w, d, a, b }) => Some(Instr::MulEnd { w, d, a, b }),
            Some(&Instr::And { w, d, a, b }) => Some(Instr::AndEnd { w, d, a, b }),
            Some(&Instr::Xor { w, d, a, b }) => Some(Instr::XorEnd { w, d, a, b }),
            _ => None,
        };
        match (both, self.code.instrs.last_mut()) {
            (Some(both), Some(last)) => *last = both,
            _ => self.emit(Instr::Wrote { d: slot }),
        }
    }

    pub(super) fn slow(&mut self, slow: Slow) {
        self.code.slow.push(slow);
        self.emit(Instr::Slow(self.code.slow.len() as u32 - 1));
    }

    pub(super) fn written(&self, reg: RegId) -> Result<Written, CompileError> {
        let written = self.code.registers.get(reg.index()).copied();
        written.map_or_else(|| malformed("a register that does not exist"), Ok)
    }

    pub(super) fn statement(
        &mut self,
        id: ProcId,
        edge: EdgeId,
        statement: &Statement,
    ) -> Result<(), CompileError> {
        self.begin();
        match statement {
            Statement::Skip => self.emit(Instr::Skip),
            Statement::Assign { target, value } => {
                let w = self.written(*target)?;
                let slot = self.value_into(*value, w.slot)?;
                match (slot == w.slot, w.width > 64) {
                    (true, false) => self.end_write(w.slot),
                    (false, false) => self.emit(Instr::Assign { d: w.slot, a: slot }),
                    (same, true) => {
                        if !same {
                            self.wide(Wide::Move { d: w.slot, a: slot });
                        }
                        self.emit(Instr::WroteWide { d: w.slot });
                    }
                }
            }
            Statement::Store { address, value } => {
                let ty = self.program.exprs.ty(*value);
                let (width, shape) = form(self.program, ty)?;
                let n = ty.bytes(self.program.model) as u8;
                let slots = self.values(&[*address, *value])?;
                let (a, v, site) = (slots[0], slots[1], *address);
                if width > 64 {
                    self.wide(Wide::Store {
                        n,
                        shape,
                        a,
                        v,
                        site,
                    });
                } else {
                    self.emit(Instr::Store {
                        n,
                        shape,
                        a,
                        v,
                        site,
                    });
                }
            }
            Statement::Copy {
                target,
                source,
                size,
            } => {
                let slots = self.values(&[*target, *source])?;
                self.slow(Slow::Copy {
                    target: (slots[0], *target),
                    source: (slots[1], *source),
                    size: *size,
                });
            }
            Statement::Assume(condition) => {
                let c = self.values(&[*condition])?[0];
                self.emit(Instr::Assume { c });
            }
            Statement::Call {
                result,
                callee,
                arguments,
            } => {
                let mut roots = arguments.clone();
                if let Callee::Indirect(e) = callee {
                    roots.push(*e);
                }
                let slots = self.values(&roots)?;
                let mut operands = Vec::with_capacity(arguments.len());
                for (&argument, &slot) in arguments.iter().zip(&slots) {
                    let (width, shape) = form(self.program, self.program.exprs.ty(argument))?;
                    operands.push(Operand { slot, width, shape });
                }
                let callee = match callee {
                    Callee::Direct(proc) => CallTarget::Direct(*proc),
                    Callee::Indirect(_) => CallTarget::Indirect(slots[arguments.len()]),
                };
                let result = result.map(|r| self.written(r)).transpose()?;
                let next = self.code.places.len() as u32;
                self.slow(Slow::Call {
                    callee,
                    arguments: operands,
                    result,
                    next,
                });
            }
            Statement::Nondet { target, .. } => {
                let target = self.written(*target)?;
                self.slow(Slow::Nondet {
                    target,
                    edge: (id, edge),
                });
            }
            Statement::Havoc { address, size, .. } => {
                let a = self.values(&[*address])?[0];
                self.slow(Slow::Havoc {
                    address: (a, *address),
                    size: *size,
                });
            }
            Statement::Allocate { target, size, kind } => {
                let size = self.values(&[*size])?[0];
                let target = self.written(*target)?;
                self.slow(Slow::Allocate {
                    size,
                    target,
                    kind: *kind,
                    edge: (id, edge),
                });
            }
            Statement::Free(address) => {
                let address = self.values(&[*address])?[0];
                self.slow(Slow::Free { address });
            }
            Statement::Enter(object) | Statement::Leave(object) => {
                let Some(&slot) = self.frame_objects.get(object) else {
                    return malformed("an object entered outside its procedure");
                };
                let object = *object;
                self.slow(if matches!(statement, Statement::Enter(_)) {
                    Slow::Enter { object, slot }
                } else {
                    Slow::Leave { object, slot }
                });
            }
            Statement::Marker(_) => self.slow(Slow::Marker),
            Statement::Halt(Halt::Exit(code)) => {
                let code = self.values(&[*code])?[0];
                self.slow(Slow::Exit { code });
            }
            Statement::Halt(Halt::Abort) => self.slow(Slow::Abort),
            Statement::Halt(Halt::Trap) => self.slow(Slow::Trap),
        }
        Ok(())
    }
}
