//! What is known of a pointer besides its value: where in its object it points, how large that
//! object is, and which one it is.
//!
//! Where a pointer is in a register, three ghost registers say it. What came out of memory, or out of
//! an integer, is looked up by its bits (`slots`).

use super::Weaver;
use crate::access::{add, split};
use prova_ir::{BinaryOp, CastOp, Expr, ExprId, ObjectId, RegId, Register, Role, Span, Storage};

/// `if`s nested deeper count as unknown pointers.
const DEPTH: u32 = 16;

/// A pointer, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fat {
    /// Bytes from the start of its object.
    pub offset: ExprId,
    /// Size of the object.
    pub size: ExprId,
    /// Its slot.
    pub slot: ExprId,
}

/// The ghost registers of a pointer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ghost {
    pub offset: RegId,
    pub size: RegId,
    pub slot: RegId,
}

impl Ghost {
    /// Offset, size and slot with the parts of a pointer that they are to hold.
    pub fn paired(self, fat: Fat) -> [(RegId, ExprId); 3] {
        [
            (self.offset, fat.offset),
            (self.size, fat.size),
            (self.slot, fat.slot),
        ]
    }
}

impl Weaver<'_> {
    pub(super) fn int(&mut self, value: u128) -> ExprId {
        let width = self.program.model.pointer_bits() as u16;
        self.program.exprs.int(value, width)
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        let expr = self.program.exprs.binary(op, a, b);
        self.folder.fold(&mut self.program.exprs, expr)
    }

    pub(super) fn number_of(&mut self, pointer: ExprId) -> ExprId {
        let ty = self.program.model.pointer_int();
        self.program.exprs.cast(CastOp::PtrToInt, pointer, ty)
    }

    /// A ghost register of pointer width.
    pub(super) fn ghost_register(&mut self, name: String, like: Option<RegId>) -> RegId {
        let owner = like.and_then(|r| self.program.register(r).owner);
        let mut unique = name.clone();
        let mut number = 1;
        while !self.names.insert(unique.clone()) {
            number += 1;
            unique = format!("{name}#{number}");
        }
        let zero = self.int(0);
        self.program.add_register(Register {
            name: unique,
            c_name: String::new(),
            ty: self.program.model.pointer_int(),
            ctype: None,
            owner,
            role: match owner {
                Some(_) => Role::Temporary,
                None => Role::Global,
            },
            initial: owner.is_none().then_some(zero),
            span: Span::NONE,
        })
    }

    /// The ghost registers of a pointer register.
    pub(super) fn ghost(&mut self, register: RegId) -> Ghost {
        if let Some(&ghost) = self.ghosts.get(&register) {
            return ghost;
        }
        let name = self.program.register(register).name.clone();
        let ghost = self.new_ghost(&name, Some(register));
        self.ghosts.insert(register, ghost);
        ghost
    }

    pub(super) fn new_ghost(&mut self, name: &str, like: Option<RegId>) -> Ghost {
        Ghost {
            offset: self.ghost_register(format!("offset.{name}"), like),
            size: self.ghost_register(format!("size.{name}"), like),
            slot: self.ghost_register(format!("slot.{name}"), like),
        }
    }

    pub(super) fn read_ghost(&mut self, ghost: Ghost) -> Fat {
        Fat {
            offset: self.program.read(ghost.offset),
            size: self.program.read(ghost.size),
            slot: self.program.read(ghost.slot),
        }
    }

    /// A pointer to nothing: null, a function, an uninitialised one.
    pub(super) fn nowhere(&mut self) -> Fat {
        let zero = self.int(0);
        Fat {
            offset: zero,
            size: zero,
            slot: zero,
        }
    }

    /// What is known of a pointer.
    pub(super) fn fat(&mut self, pointer: ExprId) -> Fat {
        self.fat_within(pointer, DEPTH)
    }

    fn fat_within(&mut self, pointer: ExprId, depth: u32) -> Fat {
        let (root, offset) = split(&mut self.program.exprs, pointer);
        let fat = match self.program.exprs.get(root) {
            Expr::Address(object) => {
                let size = self.program.object(object).size;
                // Slot zero is always alive.
                let slot = match self.flow.outlives[object.index()] {
                    true => self.slot_of_object(object),
                    false => self.int(0),
                };
                Fat {
                    offset: self.int(0),
                    size: self.int(u128::from(size)),
                    slot,
                }
            }
            Expr::Function(_) | Expr::Pointer(_) => self.nowhere(),
            Expr::Reg(r) if self.known.contains_key(&r) => self.known[&r],
            Expr::Reg(r) => {
                let ghost = self.ghost(r);
                self.read_ghost(ghost)
            }
            Expr::Ite {
                cond,
                then,
                otherwise,
            } if depth > 0 => {
                let a = self.fat_within(then, depth - 1);
                let b = self.fat_within(otherwise, depth - 1);
                let mut choose = |a: ExprId, b: ExprId| match a == b {
                    true => a,
                    false => self.program.exprs.add(Expr::Ite {
                        cond,
                        then: a,
                        otherwise: b,
                    }),
                };
                Fat {
                    offset: choose(a.offset, b.offset),
                    size: choose(a.size, b.size),
                    slot: choose(a.slot, b.slot),
                }
            }
            Expr::Load { .. } => match self.observations.only_object(root) {
                Some(object) if self.is_in_scope(object) => self.pointer_into(root, object),
                _ => self.looked_up(root),
            },
            _ => self.looked_up(root),
        };
        Fat {
            offset: add(&mut self.program.exprs, fat.offset, offset),
            ..fat
        }
    }

    /// Whether statements of the procedure that is woven may name an object: a copy of another one's
    /// frame has an address of its own.
    pub(super) fn is_in_scope(&self, object: ObjectId) -> bool {
        match self.program.object(object).storage {
            Storage::Frame(owner) => owner == self.procedure && self.program.entry == Some(owner),
            _ => true,
        }
    }

    /// What is known of a pointer that is null or leads to one object: no table has to be asked.
    fn pointer_into(&mut self, pointer: ExprId, object: ObjectId) -> Fat {
        let base = self.program.exprs.add(Expr::Address(object));
        let whole = self.fat_within(base, 0);
        let null = self.program.exprs.add(Expr::Pointer(0));
        let is_null = self.binary(BinaryOp::Eq, pointer, null);
        let (at, start, none) = (self.number_of(pointer), self.number_of(base), self.int(0));
        Fat {
            offset: self.binary(BinaryOp::Sub, at, start),
            size: self.program.exprs.add(Expr::Ite {
                cond: is_null,
                then: none,
                otherwise: whole.size,
            }),
            ..whole
        }
    }
}
