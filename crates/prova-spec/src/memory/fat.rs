//! What is known of a pointer besides its value: where in its object it points, how large that
//! object is, and which one it is.
//!
//! Every object has a *slot* of addresses to itself: `SLOT` bytes, with the object's first byte
//! in the middle of it, so to speak: half a slot before and half a slot behind it belong to no
//! other. So a pointer's bits say which object it was made from, however it travelled: through
//! memory, through integers, byte by byte. Where a pointer is in a register, three ghost
//! registers say the same in a form that engines reason about with ease.
//!
//! Slot zero stands for null and for objects that live for ever; no bytes can be accessed there.
//!
//! `extent[slot]` is a table: the kind of what lives in a slot, 0 if nothing does, and the size of what
//! lives or lived there. Two numbers, because the kind is a constant wherever an object is made: whether
//! it is alive can be seen without knowing how large it is.

use super::Weaver;
use crate::access::{add, split};
use prova_ir::{
    BinaryOp, CastOp, DataModel, Expr, ExprId, ObjectId, RegId, Register, Role, Span, Storage, Type,
};

/// A block of the heap.
pub(super) const HEAP: u128 = 1;
/// Any other object.
pub(super) const OTHER: u128 = 2;

/// `if`s nested deeper count as unknown pointers.
const DEPTH: u32 = 16;

/// Half a slot: the most that an object may take.
pub(crate) fn half_slot(model: DataModel) -> u64 {
    1 << (model.slot_bits() - 1)
}

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
                    true => self.slot_of(root),
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
    fn is_in_scope(&self, object: ObjectId) -> bool {
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

    /// The distance of a pointer from the start of the heap, plus one and a half slots: the first
    /// block is in slot one, so that slot zero is free for what has no slot.
    fn distance(&mut self, pointer: ExprId) -> ExprId {
        let start = self.program.exprs.add(Expr::Address(self.first));
        let (a, b) = (self.number_of(pointer), self.number_of(start));
        let apart = self.binary(BinaryOp::Sub, a, b);
        let by = self.int(u128::from(3 * half_slot(self.program.model)));
        self.binary(BinaryOp::Add, apart, by)
    }

    /// The slot of a pointer that is not null.
    pub(super) fn new_slot(&mut self, pointer: ExprId) -> ExprId {
        let distance = self.distance(pointer);
        let size = self.int(1 << self.program.model.slot_bits());
        self.binary(BinaryOp::UDiv, distance, size)
    }

    /// The slot that a pointer's bits name.
    pub(super) fn slot_of(&mut self, pointer: ExprId) -> ExprId {
        let slot = self.new_slot(pointer);
        if matches!(self.program.exprs.get(pointer), Expr::Address(_)) {
            return slot;
        }
        // Null has no slot.
        let null = self.program.exprs.add(Expr::Pointer(0));
        let is_null = self.binary(BinaryOp::Eq, pointer, null);
        let zero = self.int(0);
        self.program.exprs.add(Expr::Ite {
            cond: is_null,
            then: zero,
            otherwise: slot,
        })
    }

    /// What a pointer's bits and the table say of it.
    pub(super) fn looked_up(&mut self, pointer: ExprId) -> Fat {
        self.facts.looks_up = true;
        let distance = self.distance(pointer);
        let slot_size = self.int(1 << self.program.model.slot_bits());
        let half = self.int(u128::from(half_slot(self.program.model)));
        let within = self.binary(BinaryOp::URem, distance, slot_size);
        let slot = self.slot_of(pointer);
        let ty = self.program.model.pointer_int();
        let entry = self.size_address(slot);
        Fat {
            offset: self.binary(BinaryOp::Sub, within, half),
            size: self.program.exprs.load(entry, ty),
            slot,
        }
    }

    /// Where the table has the kind of what lives in a slot.
    pub(super) fn kind_address(&mut self, slot: ExprId) -> ExprId {
        let bytes = self.int(2 * u128::from(self.program.model.pointer_bytes()));
        let by = self.binary(BinaryOp::Mul, slot, bytes);
        let table = self.program.exprs.add(Expr::Address(self.table));
        self.binary(BinaryOp::PtrAdd, table, by)
    }

    /// Where the table has its size.
    pub(super) fn size_address(&mut self, slot: ExprId) -> ExprId {
        let kind = self.kind_address(slot);
        let by = self.int(u128::from(self.program.model.pointer_bytes()));
        self.binary(BinaryOp::PtrAdd, kind, by)
    }

    /// The kind of what lives in a slot.
    pub(super) fn kind(&mut self, slot: ExprId) -> ExprId {
        let address = self.kind_address(slot);
        let ty: Type = self.program.model.pointer_int();
        self.program.exprs.load(address, ty)
    }
}
