//! What the machine asks of its values. One machine, monomorphised for each kind of value: plain
//! bits, bits with a history, and bits with terms beside them.
//!
//! A value always has bits: also the symbolic side runs one test, so every decision (which way a
//! branch goes, which byte is read) is taken by the same code on the same bits in all of them.
//! What differs is what is remembered on the way.

use crate::arith;
use crate::code::{Shape, Slot, Written};
use crate::history::{Fill, History};
use crate::memory::Memory;
use prova_ir::{BinaryOp, CastOp, ExprId, ObjectId, ProcId, UnaryOp};

/// Something with a base address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Base {
    /// A named object.
    Object(ObjectId),
    /// A function.
    Function(ProcId),
    /// The start of the heap.
    Heap,
}

/// What a pointer was used for, where only one target will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// It was called: this function.
    Function(ProcId),
    /// It was freed: the block at its address, or null.
    Block,
}

/// Where memory gets arbitrary contents from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fresh {
    /// It was never written: the first contents.
    First,
    /// The n-th `Havoc` or repeated `Enter` of the run.
    Again(u32),
    /// A library function wrote there; its result is not known symbolically.
    Library,
}

/// A range of memory, as the machine names it.
#[derive(Clone, Copy, Debug)]
pub struct Span<V> {
    /// First byte.
    pub address: V,
    /// Bytes.
    pub size: u64,
    /// The expression that gave the address, if one did.
    pub site: Option<ExprId>,
    /// The object that lies there, where the machine made it.
    pub object: Option<ObjectId>,
}

/// Values and what is remembered about a run. `step` is the number of edges before this one.
#[allow(missing_docs)]
pub trait Domain {
    type V: Copy + Default + std::fmt::Debug;

    fn known(bits: u64) -> Self::V;
    fn bits(v: Self::V) -> u64;
    fn base(&mut self, which: Base, bits: u64) -> Self::V;

    fn unary(&mut self, op: UnaryOp, w: u8, a: Self::V) -> Self::V;
    fn binary(&mut self, op: BinaryOp, w: u8, a: Self::V, b: Self::V) -> Self::V;
    fn cast(&mut self, op: CastOp, from: u8, to: u8, a: Self::V) -> Self::V;
    fn select(&mut self, w: u8, shape: Shape, c: Self::V, t: Self::V, e: Self::V) -> Self::V;
    fn unary_wide(&mut self, op: UnaryOp, w: u8, a: [Self::V; 2]) -> [Self::V; 2];
    fn binary_wide(
        &mut self,
        op: BinaryOp,
        w: u8,
        a: [Self::V; 2],
        b: [Self::V; 2],
    ) -> [Self::V; 2];
    fn cast_wide(&mut self, op: CastOp, from: u8, to: u8, a: [Self::V; 2]) -> [Self::V; 2];
    fn select_wide(
        &mut self,
        w: u8,
        shape: Shape,
        c: Self::V,
        t: [Self::V; 2],
        e: [Self::V; 2],
    ) -> [Self::V; 2];

    /// A divisor that turned out not to be zero.
    fn nonzero(&mut self, step: u32, w: u8, low: Self::V);
    /// A condition that the run decided as its bits say.
    fn decided(&mut self, step: u32, condition: Self::V);
    /// A pointer that turned out to lead to this.
    fn fixed(&mut self, step: u32, v: Self::V, to: Target);

    /// An input, and the register that receives it.
    fn input(&mut self, step: u32, register: Written, bits: [u64; 2]) -> [Self::V; 2];
    /// What a library function returned that the machine runs by itself.
    fn library(&mut self, step: u32, register: Written, bits: u64) -> Self::V;
    /// The first value of a register nobody has written yet.
    fn first(&mut self, register: Written, bits: [u64; 2]) -> [Self::V; 2];
    /// The value a register of the entry procedure, or a global one, starts with.
    fn begins(&mut self, register: Written, value: [Self::V; 2]);
    /// What the allocator gives, and where it goes on.
    fn allocate(&mut self, step: u32, top: Self::V, size: Self::V, next: u64)
        -> (Self::V, Self::V);

    /// A value read from memory; `bits` is what lies there.
    fn loaded(
        &mut self,
        step: u32,
        from: Span<Self::V>,
        shape: Shape,
        bits: [u64; 2],
    ) -> [Self::V; 2];
    /// Before a range of memory changes.
    fn will_write(&mut self, memory: &Memory, address: u64, size: u64);
    /// After a value was stored.
    fn stored(
        &mut self,
        step: u32,
        memory: &Memory,
        to: Span<Self::V>,
        shape: Shape,
        value: [Self::V; 2],
    );
    /// After a range was copied.
    fn copied(&mut self, step: u32, memory: &Memory, to: Span<Self::V>, from: Span<Self::V>);
    /// After a range got arbitrary contents.
    fn filled(&mut self, step: u32, memory: &Memory, range: Span<Self::V>, fresh: Fresh);
    /// An object came to life there.
    fn entered(&mut self, step: u32, object: ObjectId, base: Self::V);

    /// A register was written.
    fn wrote(&mut self, step: u32, slot: Slot, value: Self::V);
    /// A wide register was written.
    fn wrote_wide(&mut self, step: u32, slot: Slot, value: [Self::V; 2]);
    /// From this step on the path follows consecutive positions.
    fn path(&mut self, step: u32, position: u32);
    /// A procedure whose registers take this many slots was entered.
    fn called(&mut self, step: u32, proc: ProcId, registers: u32);
    /// And left.
    fn returned(&mut self, step: u32);
    /// Bytes remembered.
    fn size(&self) -> usize;
}

/// Whoever looks on while plain bits are computed. `()` does not.
pub trait Watch: Default {
    /// Whether comparisons are to be told.
    const COMPARISONS: bool = false;

    /// From here on the path follows consecutive positions.
    #[inline(always)]
    fn path(&mut self, _position: u32) {}
    /// Two words of this width were compared.
    #[inline(always)]
    fn compared(&mut self, _w: u8, _a: u64, _b: u64) {}
    /// A range of memory got arbitrary contents, first or anew.
    #[inline(always)]
    fn filled(&mut self, _address: u64, _size: u64, _fresh: Fresh) {}
}

impl Watch for () {}

/// Plain bits; with `HISTORY`, everything written is remembered.
#[derive(Default)]
pub struct Concrete<const HISTORY: bool, W: Watch = ()> {
    /// What was written.
    pub history: History,
    /// Who looks on.
    pub watch: W,
}

fn join(v: [u64; 2]) -> u128 {
    u128::from(v[0]) | u128::from(v[1]) << 64
}

fn split(v: u128) -> [u64; 2] {
    [v as u64, (v >> 64) as u64]
}

impl<const HISTORY: bool, W: Watch> Domain for Concrete<HISTORY, W> {
    type V = u64;

    #[inline(always)]
    fn known(bits: u64) -> u64 {
        bits
    }
    #[inline(always)]
    fn bits(v: u64) -> u64 {
        v
    }
    fn base(&mut self, _: Base, bits: u64) -> u64 {
        bits
    }
    #[inline(always)]
    fn unary(&mut self, op: UnaryOp, w: u8, a: u64) -> u64 {
        arith::unary(op, w, a)
    }
    #[inline(always)]
    fn binary(&mut self, op: BinaryOp, w: u8, a: u64, b: u64) -> u64 {
        if W::COMPARISONS && op.is_comparison() {
            self.watch.compared(w, a, b);
        }
        arith::binary(op, w, a, b)
    }
    #[inline(always)]
    fn cast(&mut self, op: CastOp, from: u8, to: u8, a: u64) -> u64 {
        arith::cast(op, from, to, a)
    }
    #[inline(always)]
    fn select(&mut self, _: u8, _: Shape, c: u64, t: u64, e: u64) -> u64 {
        if c != 0 {
            t
        } else {
            e
        }
    }
    fn unary_wide(&mut self, op: UnaryOp, w: u8, a: [u64; 2]) -> [u64; 2] {
        split(arith::unary_wide(op, w, join(a)))
    }
    fn binary_wide(&mut self, op: BinaryOp, w: u8, a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
        split(arith::binary_wide(op, w, join(a), join(b)))
    }
    fn cast_wide(&mut self, op: CastOp, from: u8, to: u8, a: [u64; 2]) -> [u64; 2] {
        split(arith::cast_wide(op, from, to, join(a)))
    }
    fn select_wide(&mut self, _: u8, _: Shape, c: u64, t: [u64; 2], e: [u64; 2]) -> [u64; 2] {
        if c != 0 {
            t
        } else {
            e
        }
    }
    #[inline(always)]
    fn nonzero(&mut self, _: u32, _: u8, _: u64) {}
    #[inline(always)]
    fn decided(&mut self, _: u32, _: u64) {}
    #[inline(always)]
    fn fixed(&mut self, _: u32, _: u64, _: Target) {}
    fn input(&mut self, _: u32, _: Written, bits: [u64; 2]) -> [u64; 2] {
        bits
    }
    fn library(&mut self, _: u32, _: Written, bits: u64) -> u64 {
        bits
    }
    fn first(&mut self, _: Written, bits: [u64; 2]) -> [u64; 2] {
        bits
    }
    fn begins(&mut self, register: Written, value: [u64; 2]) {
        if HISTORY {
            self.history.first(register.slot, value[0]);
            if register.width > 64 {
                self.history.first(register.slot + 1, value[1]);
            }
        }
    }
    fn allocate(&mut self, _: u32, top: u64, _: u64, next: u64) -> (u64, u64) {
        (top, next)
    }
    #[inline(always)]
    fn loaded(&mut self, _: u32, _: Span<u64>, _: Shape, bits: [u64; 2]) -> [u64; 2] {
        bits
    }
    #[inline(always)]
    fn will_write(&mut self, memory: &Memory, address: u64, size: u64) {
        if HISTORY {
            self.history.will_write(memory, address, size);
        }
    }
    #[inline(always)]
    fn stored(&mut self, step: u32, memory: &Memory, to: Span<u64>, _: Shape, _: [u64; 2]) {
        if HISTORY {
            self.history.wrote_memory(step, memory, to.address, to.size);
        }
    }
    fn copied(&mut self, step: u32, memory: &Memory, to: Span<u64>, _: Span<u64>) {
        if HISTORY {
            self.history.wrote_memory(step, memory, to.address, to.size);
        }
    }
    fn filled(&mut self, step: u32, memory: &Memory, range: Span<u64>, fresh: Fresh) {
        let (address, size) = (range.address, range.size);
        self.watch.filled(address, size, fresh);
        if !HISTORY {
            return;
        }
        if fresh != Fresh::First {
            self.history.wrote_memory(step, memory, address, size);
        }
        let number = match fresh {
            Fresh::First => None,
            Fresh::Again(number) => Some(number),
            Fresh::Library => return,
        };
        self.history.fills.push(Fill {
            step,
            address,
            size,
            number,
        });
    }
    fn entered(&mut self, _: u32, _: ObjectId, _: u64) {}
    #[inline(always)]
    fn wrote(&mut self, step: u32, slot: Slot, value: u64) {
        if HISTORY {
            self.history.wrote(step, slot, value);
        }
    }
    fn wrote_wide(&mut self, step: u32, slot: Slot, value: [u64; 2]) {
        if HISTORY {
            self.history.wrote(step, slot, value[0]);
            self.history.wrote(step, slot + 1, value[1]);
        }
    }
    #[inline(always)]
    fn path(&mut self, step: u32, position: u32) {
        if HISTORY {
            self.history.path.append(step, u64::from(position));
        }
        self.watch.path(position);
    }
    fn called(&mut self, step: u32, proc: ProcId, registers: u32) {
        if HISTORY {
            self.history.called(step, proc, registers);
        }
    }
    fn returned(&mut self, step: u32) {
        if HISTORY {
            self.history.returned(step);
        }
    }
    fn size(&self) -> usize {
        self.history.size()
    }
}
