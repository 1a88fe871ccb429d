//! Expressions to instructions: shared parts of a statement are computed once.

use super::{form, malformed, slots, Compiler};
use crate::code::*;
use prova_ir::{BinaryOp, CastOp, Expr, ExprId, Storage};

impl Compiler<'_> {
    pub(super) fn begin(&mut self) {
        self.done.clear();
        self.next_temporary = self.first_temporary;
    }

    pub(super) fn temporary(&mut self, width: u8) -> Slot {
        let slot = self.next_temporary;
        self.next_temporary += slots(width);
        self.most_temporaries = self.most_temporaries.max(self.next_temporary);
        slot
    }

    pub(super) fn constant(&mut self, value: u128, width: u8) -> Slot {
        if width > 64 {
            // Two slots side by side.
            let slot = self.code.constants_from + self.constants.0.len() as u32;
            self.constants.0.push(value as u64);
            self.constants.0.push((value >> 64) as u64);
            return slot | FIXED;
        }
        let value = value as u64;
        let from = self.code.constants_from;
        let (list, index) = &mut self.constants;
        *index.entry(value).or_insert_with(|| {
            list.push(value);
            (from + list.len() as u32 - 1) | FIXED
        })
    }

    /// Slots with the values of these expressions.
    pub(super) fn values(&mut self, roots: &[ExprId]) -> Result<Vec<Slot>, CompileError> {
        for &root in roots {
            for id in self.program.exprs.subexpressions(root) {
                self.value(id, None)?;
            }
        }
        Ok(roots.iter().map(|r| self.done[r]).collect())
    }

    /// Computes an expression into a slot of our choice. True if that needed no instruction of
    /// its own: the value then lies in the slot returned.
    pub(super) fn value_into(&mut self, root: ExprId, d: Slot) -> Result<Slot, CompileError> {
        for id in self.program.exprs.subexpressions(root) {
            self.value(id, (id == root).then_some(d))?;
        }
        Ok(self.done[&root])
    }

    /// Emits code for one expression whose operands are there.
    pub(super) fn value(&mut self, id: ExprId, into: Option<Slot>) -> Result<(), CompileError> {
        if self.done.contains_key(&id) {
            return Ok(());
        }
        let pool = &self.program.exprs;
        let (width, shape) = form(self.program, pool.ty(id))?;
        let simple = match pool.get(id) {
            Expr::Int { value, .. } | Expr::Float { bits: value, .. } => {
                Some(self.constant(value, width))
            }
            Expr::Pointer(value) => Some(self.constant(u128::from(value), width)),
            Expr::Reg(reg) => {
                let Some(written) = self.code.registers.get(reg.index()) else {
                    return malformed("a register that does not exist");
                };
                let owner = self.program.register(reg).owner;
                if owner.is_some_and(|o| o != self.current) {
                    return malformed(format!(
                        "`{}` used outside its procedure",
                        self.program.register(reg).name
                    ));
                }
                Some(written.slot)
            }
            Expr::Address(object) => Some(match self.program.object(object).storage {
                Storage::Frame(owner) if owner != self.current => {
                    return malformed(format!(
                        "`{}` used outside its procedure",
                        self.program.object(object).name
                    ))
                }
                Storage::Frame(_) => self.frame_objects[&object],
                _ => object.0 | FIXED,
            }),
            Expr::Function(proc) => Some((self.program.objects.len() as u32 + proc.0) | FIXED),
            _ => None,
        };
        if let Some(slot) = simple {
            self.done.insert(id, slot);
            return Ok(());
        }
        let d = into.unwrap_or_else(|| self.temporary(width));
        match pool.get(id) {
            Expr::Load { address, .. } => {
                let n = pool.ty(id).bytes(self.program.model) as u8;
                let (a, site) = (self.done[&address], address);
                if width > 64 {
                    self.wide(Wide::Load {
                        n,
                        shape,
                        d,
                        a,
                        site,
                    });
                } else {
                    self.emit(Instr::Load {
                        n,
                        shape,
                        d,
                        a,
                        site,
                    });
                }
            }
            Expr::Unary { op, arg } => {
                let a = self.done[&arg];
                if width > 64 {
                    self.wide(Wide::Unary { op, w: width, d, a });
                } else {
                    self.emit(Instr::Unary { op, w: width, d, a });
                }
            }
            Expr::Binary { op, left, right } => {
                let (w, _) = form(self.program, pool.ty(left))?;
                let (a, b) = (self.done[&left], self.done[&right]);
                self.binary(op, w, d, a, b);
            }
            Expr::Cast { op, arg, .. } => {
                let (from, from_shape) = form(self.program, pool.ty(arg))?;
                let a = self.done[&arg];
                if (from_shape, shape) == (Shape::Pointer, Shape::Bits) && from != width {
                    return malformed("a pointer converted to an integer of another width");
                }
                if from > 64 || width > 64 {
                    self.wide(Wide::Cast {
                        op,
                        from,
                        to: width,
                        d,
                        a,
                    });
                } else {
                    self.emit(match op {
                        CastOp::ZExt => Instr::ZExt {
                            from,
                            to: width,
                            d,
                            a,
                        },
                        CastOp::SExt => Instr::SExt {
                            from,
                            to: width,
                            d,
                            a,
                        },
                        _ => Instr::Cast {
                            op,
                            from,
                            to: width,
                            d,
                            a,
                        },
                    });
                }
            }
            Expr::Ite {
                cond,
                then,
                otherwise,
            } => {
                let (c, t, e) = (self.done[&cond], self.done[&then], self.done[&otherwise]);
                // The slot is written before it is read: it must not be one of the operands.
                let own = if into.is_some() {
                    self.temporary(width)
                } else {
                    d
                };
                if width > 64 {
                    self.wide(Wide::Move { d: own, a: e });
                    self.wide(Wide::Select {
                        w: width,
                        shape,
                        d: own,
                        c,
                        t,
                    });
                } else {
                    self.emit(Instr::Move { d: own, a: e });
                    self.emit(Instr::Select {
                        w: width,
                        shape,
                        d: own,
                        c,
                        t,
                    });
                }
                self.done.insert(id, own);
                return Ok(());
            }
            _ => {}
        }
        self.done.insert(id, d);
        Ok(())
    }

    pub(super) fn wide(&mut self, wide: Wide) {
        self.code.wide.push(wide);
        self.emit(Instr::Wide(self.code.wide.len() as u32 - 1));
    }

    pub(super) fn binary(&mut self, op: BinaryOp, w: u8, d: Slot, a: Slot, b: Slot) {
        if w > 64 {
            self.wide(Wide::Binary { op, w, d, a, b });
            return;
        }
        self.emit(match op {
            BinaryOp::Add | BinaryOp::PtrAdd => Instr::Add { w, d, a, b },
            BinaryOp::Sub => Instr::Sub { w, d, a, b },
            BinaryOp::Mul => Instr::Mul { w, d, a, b },
            BinaryOp::And => Instr::And { w, d, a, b },
            BinaryOp::Xor => Instr::Xor { w, d, a, b },
            BinaryOp::Eq => Instr::Eq { w, d, a, b },
            BinaryOp::Ne => Instr::Ne { w, d, a, b },
            BinaryOp::ULt => Instr::ULt { w, d, a, b },
            BinaryOp::SLt => Instr::SLt { w, d, a, b },
            BinaryOp::SLe => Instr::SLe { w, d, a, b },
            _ => Instr::Binary { op, w, d, a, b },
        });
    }
}
