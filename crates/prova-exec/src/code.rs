//! Flat code: what the machine runs. A procedure's graph becomes a sequence of instructions over
//! numbered slots; every edge has a *position*, and edges that follow one another without a
//! branch have consecutive positions, so that a path is a list of (step, position) where it jumps.

use prova_ir::{
    Allocation, BinaryOp, CastOp, EdgeId, ExprId, LocId, ObjectId, ProcId, Program, RegId, Span,
    UnaryOp,
};
use std::sync::Arc;

/// Where a value lives: in the current frame, or, with the top bit set, at a fixed place.
pub type Slot = u32;

/// The bit that marks a slot at a fixed place: bases, constants, global registers.
pub const FIXED: Slot = 1 << 31;

/// No position: the instruction that follows reports its own.
pub const NO_POSITION: u32 = u32::MAX;

/// How a value's bits are meant; the symbolic side needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// An integer or truth value.
    Bits,
    /// An IEEE float.
    Float,
    /// An address.
    Pointer,
}

/// One instruction: sixteen bytes. `w` is a width in bits, `n` one in bytes, `d` the slot written.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Instr {
    Move {
        d: Slot,
        a: Slot,
    },
    Add {
        w: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Sub {
        w: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Mul {
        w: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    And {
        w: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Xor {
        w: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Eq {
        w: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Ne {
        w: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    ULt {
        w: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    SLt {
        w: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    SLe {
        w: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    /// The other operators, divisions among them.
    Binary {
        op: BinaryOp,
        w: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Unary {
        op: UnaryOp,
        w: u8,
        d: Slot,
        a: Slot,
    },
    ZExt {
        from: u8,
        to: u8,
        d: Slot,
        a: Slot,
    },
    SExt {
        from: u8,
        to: u8,
        d: Slot,
        a: Slot,
    },
    Cast {
        op: CastOp,
        from: u8,
        to: u8,
        d: Slot,
        a: Slot,
    },
    /// `d := if c then t else d`.
    Select {
        w: u8,
        shape: Shape,
        d: Slot,
        c: Slot,
        t: Slot,
    },
    /// An operation with values wider than 64 bits: see [`Wide`].
    Wide(u32),
    Load {
        n: u8,
        shape: Shape,
        d: Slot,
        a: Slot,
        site: ExprId,
    },
    /// The frequent operators once more, for the edge that writes the result to a register.
    AddEnd {
        w: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    SubEnd {
        w: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    MulEnd {
        w: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    AndEnd {
        w: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    XorEnd {
        w: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    /// Ends an edge that wrote a register.
    Wrote {
        d: Slot,
    },
    /// Ends an edge that wrote a wide register.
    WroteWide {
        d: Slot,
    },
    /// Copies into a register and ends the edge.
    Assign {
        d: Slot,
        a: Slot,
    },
    /// Ends an edge that did nothing.
    Skip,
    Store {
        n: u8,
        shape: Shape,
        a: Slot,
        v: Slot,
        site: ExprId,
    },
    Branch {
        c: Slot,
        table: u32,
    },
    /// A comparison and a branch on it.
    CompareBranch {
        op: BinaryOp,
        w: u8,
        a: Slot,
        b: Slot,
        table: u32,
    },
    Assume {
        c: Slot,
    },
    Jump {
        pc: u32,
        position: u32,
    },
    /// An edge that takes longer: see [`Slow`].
    Slow(u32),
    /// The procedure's exit.
    Return,
    /// An error location.
    Error {
        at: LocId,
    },
    /// A place no edge leaves.
    Stuck {
        at: LocId,
    },
}

/// Operations with values wider than 64 bits; such a value takes two slots, low half first.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Wide {
    Move {
        d: Slot,
        a: Slot,
    },
    Unary {
        op: UnaryOp,
        w: u8,
        d: Slot,
        a: Slot,
    },
    /// The result of a comparison takes one slot.
    Binary {
        op: BinaryOp,
        w: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    /// Either side may be narrow.
    Cast {
        op: CastOp,
        from: u8,
        to: u8,
        d: Slot,
        a: Slot,
    },
    Select {
        w: u8,
        shape: Shape,
        d: Slot,
        c: Slot,
        t: Slot,
    },
    Load {
        n: u8,
        shape: Shape,
        d: Slot,
        a: Slot,
        site: ExprId,
    },
    /// Ends its edge.
    Store {
        n: u8,
        shape: Shape,
        a: Slot,
        v: Slot,
        site: ExprId,
    },
}

/// Where a branch goes.
#[derive(Clone, Copy, Debug, Default)]
pub struct BranchTarget {
    /// Where the condition holds.
    pub yes: Target,
    /// Where it does not.
    pub no: Target,
}

/// One way of a branch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Target {
    /// Code behind the edge.
    pub pc: u32,
    /// Position of the edge itself.
    pub position: u32,
    /// Position of what follows, unless it is the next one.
    pub next: u32,
}

/// Edges that take longer than a dispatch.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Slow {
    Copy {
        target: (Slot, ExprId),
        source: (Slot, ExprId),
        size: u64,
    },
    Call {
        callee: CallTarget,
        arguments: Vec<Operand>,
        result: Option<Written>,
        next: u32,
    },
    Nondet {
        target: Written,
        edge: (ProcId, EdgeId),
    },
    Havoc {
        address: (Slot, ExprId),
        size: u64,
    },
    Allocate {
        size: Slot,
        target: Written,
        kind: Allocation,
        edge: (ProcId, EdgeId),
    },
    Free {
        address: Slot,
    },
    Enter {
        object: ObjectId,
        slot: Slot,
    },
    Leave {
        object: ObjectId,
        slot: Slot,
    },
    Marker,
    Exit {
        code: Slot,
    },
    Abort,
    Trap,
}

/// What a call calls.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum CallTarget {
    Direct(ProcId),
    Indirect(Slot),
}

/// A value with its type.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Operand {
    pub slot: Slot,
    pub width: u8,
    pub shape: Shape,
}

/// A register that an edge writes.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Written {
    pub reg: RegId,
    pub slot: Slot,
    pub width: u8,
    pub shape: Shape,
}

/// A procedure's part of the code.
#[derive(Clone, Debug, Default)]
pub struct ProcCode {
    /// Where it starts.
    pub entry: u32,
    /// Position of its first edge, or [`NO_POSITION`].
    pub entry_position: u32,
    /// Slots a frame takes.
    pub frame: u32,
    /// How many slots its registers take: the first ones of the frame.
    pub registers: u32,
    /// Its registers.
    pub regs: Vec<RegId>,
    /// Parameters as written.
    pub parameters: Vec<Written>,
    /// The result.
    pub result: Option<Written>,
    /// Frame objects with the slot that holds their base.
    pub objects: Vec<(ObjectId, Slot)>,
    /// Position of the pseudo edge that stands for returning.
    pub return_position: u32,
    /// Whether it has a body.
    pub defined: bool,
}

/// What stands at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Procedure.
    pub proc: ProcId,
    /// The edge; `None` for the return at the procedure's exit.
    pub edge: Option<EdgeId>,
    /// Where it starts.
    pub source: LocId,
    /// Where it ends (the exit itself for a return).
    pub target: LocId,
}

/// A program ready to run. Made once, shared by all its runs.
#[derive(Debug)]
pub struct Code {
    /// What it was made from.
    pub program: Arc<Program>,
    pub(crate) instrs: Vec<Instr>,
    pub(crate) wide: Vec<Wide>,
    pub(crate) slow: Vec<Slow>,
    pub(crate) branches: Vec<BranchTarget>,
    pub(crate) procs: Vec<ProcCode>,
    /// By position.
    pub places: Vec<Place>,
    /// Constants in fixed slots, from `constants_from` on.
    pub(crate) constants: Vec<u64>,
    pub(crate) constants_from: u32,
    /// Global registers, in the order of their slots.
    pub(crate) globals: Vec<Written>,
    /// Fixed slots altogether.
    pub(crate) fixed: u32,
    /// Per register: its slot within its owner's frame.
    pub(crate) registers: Vec<Written>,
    pub(crate) entry: ProcId,
}

impl Code {
    /// The procedure that runs first.
    pub fn entry(&self) -> ProcId {
        self.entry
    }

    /// The source position of what stands at a position.
    pub fn span(&self, position: u32) -> Span {
        let place = self.places[position as usize];
        let body = self.program.procedure(place.proc).body.as_ref();
        match (body, place.edge) {
            (Some(body), Some(edge)) => body.edge(edge).span,
            (Some(body), None) => body.location(place.source).span,
            _ => Span::NONE,
        }
    }
}

/// Why a program cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// It has no entry.
    #[error("the program has no entry function")]
    NoEntry,
    /// Its entry is only declared.
    #[error("`{0}` is declared but not defined")]
    EntryUndefined(String),
    /// The program breaks a rule of the intermediate form.
    #[error("malformed program: {0}")]
    Malformed(String),
    /// A value is wider than the machine's 128 bits.
    #[error("a value of {0} bits; at most 128 can be run")]
    TooWide(u32),
}
