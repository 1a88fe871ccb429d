//! The machine: one interpreter of flat code, generic in its values.
//!
//! It can be stopped at any step and goes on from there, which is how the symbolic side extends a
//! run only as far as somebody asks.

use crate::code::*;
use crate::domain::{Base, Domain, Fresh, Span};
use crate::end::{At, RunEnd, Trap};
use crate::layout::{heap_size, unknown_zone, Layout};
use crate::memory::{Fault, Live, LiveKind, Memory};
use crate::test::{Exhausted, Policy, Test};
use prova_ir::{
    Allocation, BinaryOp, CastOp, Expr, ExprId, Initial, ObjectId, ProcId, Program, RegId, Storage,
};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How far a run may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Edges.
    pub steps: u64,
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes for memory and history together.
    pub memory: usize,
    /// Nested calls.
    pub depth: usize,
    /// Bytes of program output kept.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 1_000_000_000,
            time: None,
            memory: 2 << 30,
            depth: 100_000,
            output: 16 << 20,
        }
    }
}

/// An input a run asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsedInput {
    /// Step of the edge that asked.
    pub step: u32,
    /// Position of that edge.
    pub position: u32,
    /// Width in bits.
    pub width: u8,
    /// Whether it is a pointer.
    pub pointer: bool,
    /// Whether it is a floating number.
    pub float: bool,
    /// What it got.
    pub value: u128,
    /// Whether the test gave it; otherwise the policy did.
    pub given: bool,
}

pub(crate) struct Frame {
    pub(crate) proc: ProcId,
    return_pc: u32,
    return_position: u32,
    fp: usize,
    result: Option<Written>,
    entered: usize,
    allocated: usize,
}

/// A live instance of a frame object.
struct Entered {
    object: ObjectId,
    base: u64,
    at_home: bool,
}

/// The machine.
pub struct Machine<D: Domain> {
    pub(crate) code: Arc<Code>,
    /// Values and what is remembered.
    pub domain: D,
    pub(crate) test: Test,
    pub(crate) layout: Layout,
    limits: Limits,
    started: Instant,
    slots: Vec<D::V>,
    frames: Vec<Frame>,
    /// Memory as it is now.
    pub memory: Memory,
    pc: usize,
    fp: usize,
    step: u32,
    segment: (u32, u32),
    next_check: u32,
    heap_top: D::V,
    heap_used: u64,
    /// Where allocation went on, from each step that allocated.
    pub heap_tops: Vec<(u32, u64)>,
    entered: Vec<Entered>,
    allocated: Vec<u64>,
    at_home: Vec<bool>,
    entered_before: Vec<bool>,
    fresh: u32,
    next_input: usize,
    drawn: u64,
    /// Inputs asked for so far.
    pub inputs: Vec<UsedInput>,
    /// What the program printed.
    pub output: Vec<u8>,
    /// How it ended, once it has.
    pub end: Option<RunEnd>,
    /// Functions without a body that were called and not modelled, in order.
    pub unknown_calls: Vec<ProcId>,
}

/// How often limits other than steps are looked at.
const CHECK_EVERY: u32 = 1 << 18;

pub(crate) type Stop = Box<RunEnd>;

impl<D: Domain> Machine<D> {
    /// A machine that stands before the first edge. Ends at once if the test's layout is bad.
    pub fn new(code: Arc<Code>, domain: D, test: Test, limits: Limits) -> Self {
        let program = Arc::clone(&code.program);
        let memory = Memory::new(program.model, &test, limits.memory);
        let layout = match &test.layout {
            Some(layout) => layout.check(&program).map(|()| layout.clone()),
            None => Layout::sequential(&program),
        };
        let (layout, bad) = match layout {
            Ok(layout) => (layout, None),
            Err(e) => {
                let none = Layout {
                    objects: vec![0; program.objects.len()],
                    functions: vec![0; program.procedures.len()],
                    heap: 0,
                };
                (none, Some(RunEnd::Unsupported(e.to_string())))
            }
        };
        let mut machine = Machine {
            domain,
            test,
            limits,
            started: Instant::now(),
            slots: vec![D::V::default(); code.fixed as usize],
            frames: Vec::new(),
            memory,
            pc: 0,
            fp: code.fixed as usize,
            step: 0,
            segment: (0, 0),
            next_check: CHECK_EVERY,
            heap_top: D::known(layout.heap),
            heap_used: 0,
            heap_tops: Vec::new(),
            entered: Vec::new(),
            allocated: Vec::new(),
            at_home: vec![false; program.objects.len()],
            entered_before: vec![false; program.objects.len()],
            fresh: 0,
            next_input: 0,
            drawn: 0,
            inputs: Vec::new(),
            output: Vec::new(),
            end: bad,
            unknown_calls: Vec::new(),
            layout,
            code,
        };
        if machine.end.is_none() {
            if let Err(end) = machine.prepare(&program) {
                machine.end = Some(*end);
            }
        }
        machine
    }

    /// States passed so far.
    pub fn step(&self) -> u32 {
        self.step
    }

    fn prepare(&mut self, program: &Program) -> Result<(), Stop> {
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

    fn enter_entry(&mut self, program: &Program) -> Result<(), Stop> {
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
    fn constant_base(&mut self, program: &Program, reg: RegId) -> Option<D::V> {
        let mut e = program.register(reg).initial?;
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

    fn based(&mut self, program: &Program, slot: usize, offset: u64) -> Option<D::V> {
        let base = self.slots[slot];
        let w = program.model.pointer_bits() as u8;
        Some(self.domain.binary(
            BinaryOp::Add,
            w,
            base,
            D::known(offset & crate::arith::mask(w)),
        ))
    }

    fn first_value(&mut self, program: &Program, reg: RegId) -> Result<u128, Stop> {
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
    fn constant(&self, program: &Program, e: ExprId) -> Result<u128, Stop> {
        let mut e = e;
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

    fn initial_bytes(&self, program: &Program, part: &Initial) -> Result<Vec<u8>, Stop> {
        match part {
            Initial::Bytes(bytes) => Ok(bytes.clone()),
            Initial::Value(e) => {
                let n = program.exprs.ty(*e).bytes(program.model) as usize;
                let value = self.constant(program, *e)?;
                Ok(value.to_le_bytes()[..n.min(16)].to_vec())
            }
        }
    }

    #[inline(always)]
    fn index(&self, slot: Slot) -> usize {
        let frame = if slot & FIXED == 0 { self.fp } else { 0 };
        (slot & !FIXED) as usize + frame
    }

    #[inline(always)]
    fn get(&self, slot: Slot) -> D::V {
        self.slots[self.index(slot)]
    }

    fn pair(&self, slot: Slot) -> [D::V; 2] {
        let i = self.index(slot);
        [self.slots[i], self.slots[i + 1]]
    }

    #[inline(always)]
    fn set(&mut self, slot: Slot, value: D::V) {
        let i = self.index(slot);
        self.slots[i] = value;
    }

    fn set_pair(&mut self, slot: Slot, value: [D::V; 2]) {
        let i = self.index(slot);
        self.slots[i] = value[0];
        self.slots[i + 1] = value[1];
    }

    #[inline(always)]
    fn note_path(&mut self, position: u32) {
        if position != NO_POSITION {
            self.segment = (self.step, position);
            self.domain.path(self.step, position);
        }
    }

    /// The position of the edge about to run or running.
    pub(crate) fn position(&self) -> u32 {
        self.segment.1 + (self.step - self.segment.0)
    }

    pub(crate) fn here(&self) -> At {
        let place = self.code.places.get(self.position() as usize);
        match place {
            Some(place) => At {
                proc: place.proc,
                location: place.source,
            },
            None => At {
                proc: self.code.entry,
                location: prova_ir::LocId(0),
            },
        }
    }

    pub(crate) fn trap(&self, trap: Trap) -> Stop {
        Box::new(RunEnd::Trap(trap, self.here()))
    }

    pub(crate) fn read_fault(&self, fault: Fault, address: u64) -> Stop {
        match fault {
            Fault::Limit => memory_limit(),
            _ => self.trap(Trap::InvalidRead(address)),
        }
    }

    pub(crate) fn write_fault(&self, fault: Fault, address: u64) -> Stop {
        match fault {
            Fault::Limit => memory_limit(),
            Fault::Constant => self.trap(Trap::WriteToConstant(address)),
            Fault::Invalid => self.trap(Trap::InvalidWrite(address)),
        }
    }

    /// Runs until `until` edges have run or the run ends. True if it has ended.
    pub fn run_until(&mut self, until: u32) -> bool {
        if self.end.is_none() {
            if let Err(end) = self.execute(until) {
                self.end = Some(*end);
            }
        }
        self.end.is_some()
    }

    /// Runs to the end.
    pub fn run(&mut self) -> &RunEnd {
        self.run_until(u32::MAX);
        self.end
            .get_or_insert(RunEnd::StepLimit(u64::from(u32::MAX)))
    }

    fn check_limits(&mut self) -> Result<(), Stop> {
        self.next_check = self.step.saturating_add(CHECK_EVERY);
        if let Ok(limit) = u32::try_from(self.limits.steps) {
            if self.step >= limit {
                return Err(Box::new(RunEnd::StepLimit(self.limits.steps)));
            }
            self.next_check = self.next_check.min(limit);
        }
        if self.step == u32::MAX {
            return Err(Box::new(RunEnd::StepLimit(u64::from(u32::MAX))));
        }
        if self
            .limits
            .time
            .is_some_and(|t| self.started.elapsed() >= t)
        {
            return Err(Box::new(RunEnd::TimeLimit));
        }
        if self.domain.size() + self.memory.used() > self.limits.memory {
            return Err(memory_limit());
        }
        Ok(())
    }

    fn execute(&mut self, until: u32) -> Result<(), Stop> {
        let code = Arc::clone(&self.code);
        let instrs = &code.instrs[..];
        if self.step == 0 {
            self.next_check = 0;
        }
        if self.step >= until {
            return Ok(());
        }
        // The machine's own fields are written back before anything that looks at them.
        let (mut pc, mut step, mut fp) = (self.pc, self.step, self.fp);
        let mut slots = self.slots.as_mut_ptr();
        macro_rules! at {
            ($slot:expr) => {{
                let slot: Slot = $slot;
                let frame = if slot & FIXED == 0 { fp } else { 0 };
                let index = (slot & !FIXED) as usize + frame;
                debug_assert!(index < self.slots.len());
                // SAFETY: the compiler numbers slots below the size of the frame or of the fixed
                // part, `push_frame` makes room for them, and `slots` is read anew after every
                // call that may move them.
                unsafe { slots.add(index) }
            }};
        }
        macro_rules! get {
            ($slot:expr) => {{
                let place = at!($slot);
                // SAFETY: as above; all slots hold values.
                unsafe { *place }
            }};
        }
        macro_rules! set {
            ($slot:expr, $value:expr) => {{
                let value = $value;
                let place = at!($slot);
                // SAFETY: as above.
                unsafe { *place = value }
            }};
        }
        macro_rules! leave {
            () => {{
                self.pc = pc;
                self.step = step;
            }};
        }
        macro_rules! enter {
            () => {{
                pc = self.pc;
                step = self.step;
                fp = self.fp;
                slots = self.slots.as_mut_ptr();
            }};
        }
        macro_rules! end_step {
            () => {{
                step += 1;
                if step >= until {
                    pc += 1;
                    leave!();
                    return Ok(());
                }
            }};
        }
        macro_rules! binary {
            ($op:ident, $w:expr, $d:expr, $a:expr, $b:expr) => {{
                let v = self.domain.binary(BinaryOp::$op, $w, get!($a), get!($b));
                set!($d, v);
            }};
        }
        macro_rules! binary_end {
            ($op:ident, $w:expr, $d:expr, $a:expr, $b:expr) => {{
                let v = self.domain.binary(BinaryOp::$op, $w, get!($a), get!($b));
                set!($d, v);
                self.domain.wrote(step, $d, v);
                end_step!();
            }};
        }
        macro_rules! branch {
            ($c:expr, $table:expr) => {{
                let c = $c;
                self.domain.decided(step, c);
                let branch = &code.branches[$table as usize];
                let way = if D::bits(c) != 0 {
                    branch.yes
                } else {
                    branch.no
                };
                if step >= self.next_check {
                    leave!();
                    self.check_limits()?;
                }
                self.segment = (step, way.position);
                self.domain.path(step, way.position);
                step += 1;
                if way.next != NO_POSITION {
                    self.segment = (step, way.next);
                    self.domain.path(step, way.next);
                }
                pc = way.pc as usize;
                if step >= until {
                    leave!();
                    return Ok(());
                }
                continue;
            }};
        }
        loop {
            match instrs[pc] {
                Instr::AddEnd { w, d, a, b } => binary_end!(Add, w, d, a, b),
                Instr::SubEnd { w, d, a, b } => binary_end!(Sub, w, d, a, b),
                Instr::MulEnd { w, d, a, b } => binary_end!(Mul, w, d, a, b),
                Instr::AndEnd { w, d, a, b } => binary_end!(And, w, d, a, b),
                Instr::XorEnd { w, d, a, b } => binary_end!(Xor, w, d, a, b),
                Instr::Move { d, a } => set!(d, get!(a)),
                Instr::Add { w, d, a, b } => binary!(Add, w, d, a, b),
                Instr::Sub { w, d, a, b } => binary!(Sub, w, d, a, b),
                Instr::Mul { w, d, a, b } => binary!(Mul, w, d, a, b),
                Instr::And { w, d, a, b } => binary!(And, w, d, a, b),
                Instr::Xor { w, d, a, b } => binary!(Xor, w, d, a, b),
                Instr::Eq { w, d, a, b } => binary!(Eq, w, d, a, b),
                Instr::Ne { w, d, a, b } => binary!(Ne, w, d, a, b),
                Instr::ULt { w, d, a, b } => binary!(ULt, w, d, a, b),
                Instr::SLt { w, d, a, b } => binary!(SLt, w, d, a, b),
                Instr::SLe { w, d, a, b } => binary!(SLe, w, d, a, b),
                Instr::Binary { op, w, d, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    if op.traps_on_zero() {
                        if D::bits(b) == 0 {
                            leave!();
                            return Err(self.trap(Trap::DivisionByZero));
                        }
                        self.domain.nonzero(step, w, b);
                    }
                    set!(d, self.domain.binary(op, w, a, b));
                }
                Instr::Unary { op, w, d, a } => set!(d, self.domain.unary(op, w, get!(a))),
                Instr::ZExt { from, to, d, a } => {
                    set!(d, self.domain.cast(CastOp::ZExt, from, to, get!(a)))
                }
                Instr::SExt { from, to, d, a } => {
                    set!(d, self.domain.cast(CastOp::SExt, from, to, get!(a)))
                }
                Instr::Cast { op, from, to, d, a } => {
                    set!(d, self.domain.cast(op, from, to, get!(a)))
                }
                Instr::Select { w, shape, d, c, t } => {
                    set!(d, self.domain.select(w, shape, get!(c), get!(t), get!(d)))
                }
                Instr::Load {
                    n,
                    shape,
                    d,
                    a,
                    site,
                } => {
                    let address = get!(a);
                    let at = D::bits(address);
                    let bits = match self.memory.load(at, u64::from(n)) {
                        Ok(bits) => bits,
                        Err(fault) => {
                            leave!();
                            return Err(self.read_fault(fault, at));
                        }
                    };
                    let from = Span {
                        address,
                        size: u64::from(n),
                        site: Some(site),
                        object: None,
                    };
                    set!(d, self.domain.loaded(step, from, shape, [bits, 0])[0]);
                }
                Instr::Wrote { d } => {
                    self.domain.wrote(step, d, get!(d));
                    end_step!();
                }
                Instr::Assign { d, a } => {
                    let v = get!(a);
                    set!(d, v);
                    self.domain.wrote(step, d, v);
                    end_step!();
                }
                Instr::WroteWide { d } => {
                    let value = self.pair(d);
                    self.domain.wrote_wide(step, d, value);
                    end_step!();
                }
                Instr::Skip => end_step!(),
                Instr::Store {
                    n,
                    shape,
                    a,
                    v,
                    site,
                } => {
                    let (address, value) = (get!(a), get!(v));
                    let (at, n) = (D::bits(address), u64::from(n));
                    self.domain.will_write(&self.memory, at, n);
                    if let Err(fault) = self.memory.store(at, n, D::bits(value)) {
                        leave!();
                        return Err(self.write_fault(fault, at));
                    }
                    let to = Span {
                        address,
                        size: n,
                        site: Some(site),
                        object: None,
                    };
                    let zero = D::known(0);
                    self.domain
                        .stored(step, &self.memory, to, shape, [value, zero]);
                    end_step!();
                }
                Instr::Branch { c, table } => branch!(get!(c), table),
                Instr::CompareBranch { op, w, a, b, table } => {
                    branch!(self.domain.binary(op, w, get!(a), get!(b)), table)
                }
                Instr::Assume { c } => {
                    let c = get!(c);
                    if D::bits(c) == 0 {
                        leave!();
                        return Err(Box::new(RunEnd::AssumeFailed(self.here())));
                    }
                    self.domain.decided(step, c);
                    end_step!();
                }
                Instr::Jump { pc: to, position } => {
                    leave!();
                    if step >= self.next_check {
                        self.check_limits()?;
                    }
                    self.note_path(position);
                    pc = to as usize;
                    continue;
                }
                Instr::Wide(index) => {
                    leave!();
                    if self.wide(code.wide[index as usize])? {
                        end_step!();
                    }
                }
                Instr::Slow(index) => {
                    leave!();
                    let entered = self.slow(&code.slow[index as usize])?;
                    self.step += 1;
                    self.pc += 1;
                    if let Some(proc) = entered {
                        let callee = &code.procs[proc.index()];
                        self.pc = callee.entry as usize;
                        self.note_path(callee.entry_position);
                    }
                    enter!();
                    if step >= until {
                        return Ok(());
                    }
                    continue;
                }
                Instr::Return => {
                    leave!();
                    self.return_from()?;
                    enter!();
                    if step >= until {
                        return Ok(());
                    }
                    continue;
                }
                Instr::Error { at } => {
                    leave!();
                    let proc = self.frames.last().map_or(code.entry, |f| f.proc);
                    return Err(Box::new(RunEnd::ErrorReached(At { proc, location: at })));
                }
                Instr::Stuck { at } => {
                    leave!();
                    let proc = self.frames.last().map_or(code.entry, |f| f.proc);
                    return Err(Box::new(RunEnd::Aborted(At { proc, location: at })));
                }
            }
            pc += 1;
        }
    }

    /// Wide operations. True if this one ends its edge.
    fn wide(&mut self, wide: Wide) -> Result<bool, Stop> {
        match wide {
            Wide::Move { d, a } => self.set_pair(d, self.pair(a)),
            Wide::Unary { op, w, d, a } => {
                let v = self.domain.unary_wide(op, w, self.pair(a));
                self.set_pair(d, v);
            }
            Wide::Binary { op, w, d, a, b } => {
                let (a, b) = (self.pair(a), self.pair(b));
                if op.traps_on_zero() {
                    if D::bits(b[0]) == 0 && D::bits(b[1]) == 0 {
                        return Err(self.trap(Trap::DivisionByZero));
                    }
                    self.domain.nonzero(self.step, w, b[0]);
                }
                let v = self.domain.binary_wide(op, w, a, b);
                if op.is_comparison() {
                    self.set(d, v[0]);
                } else {
                    self.set_pair(d, v);
                }
            }
            Wide::Cast { op, from, to, d, a } => {
                let a = if from > 64 {
                    self.pair(a)
                } else {
                    [self.get(a), D::known(0)]
                };
                let v = self.domain.cast_wide(op, from, to, a);
                if to > 64 {
                    self.set_pair(d, v);
                } else {
                    self.set(d, v[0]);
                }
            }
            Wide::Select { w, shape, d, c, t } => {
                let v = self
                    .domain
                    .select_wide(w, shape, self.get(c), self.pair(t), self.pair(d));
                self.set_pair(d, v);
            }
            Wide::Load {
                n,
                shape,
                d,
                a,
                site,
            } => {
                let address = self.get(a);
                let at = D::bits(address);
                let bits = self.load_wide(at, u64::from(n))?;
                let from = Span {
                    address,
                    size: u64::from(n),
                    site: Some(site),
                    object: None,
                };
                let v = self.domain.loaded(self.step, from, shape, bits);
                self.set_pair(d, v);
            }
            Wide::Store {
                n,
                shape,
                a,
                v,
                site,
            } => {
                let (address, value) = (self.get(a), self.pair(v));
                let (at, n) = (D::bits(address), u64::from(n));
                self.memory
                    .check_write(at, n)
                    .map_err(|f| self.write_fault(f, at))?;
                self.domain.will_write(&self.memory, at, n);
                let stored = self
                    .memory
                    .store(at, 8, D::bits(value[0]))
                    .and_then(|()| self.memory.store(at + 8, n - 8, D::bits(value[1])));
                stored.map_err(|f| self.write_fault(f, at))?;
                let to = Span {
                    address,
                    size: n,
                    site: Some(site),
                    object: None,
                };
                self.domain
                    .stored(self.step, &self.memory, to, shape, value);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn load_wide(&mut self, at: u64, n: u64) -> Result<[u64; 2], Stop> {
        let low = self
            .memory
            .load(at, 8)
            .map_err(|f| self.read_fault(f, at))?;
        let high = match at.checked_add(8) {
            Some(next) => self.memory.load(next, n - 8),
            None => Err(Fault::Invalid),
        };
        Ok([low, high.map_err(|f| self.read_fault(f, at))?])
    }

    fn write(&mut self, target: Written, value: [D::V; 2]) {
        if target.width > 64 {
            self.set_pair(target.slot, value);
            self.domain.wrote_wide(self.step, target.slot, value);
        } else {
            self.set(target.slot, value[0]);
            self.domain.wrote(self.step, target.slot, value[0]);
        }
    }

    /// Edges that take longer. Gives the procedure that was entered, if one was.
    fn slow(&mut self, slow: &Slow) -> Result<Option<ProcId>, Stop> {
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
                let w = self.code.program.model.pointer_bits() as u8;
                self.domain.fixed(self.step, w, address);
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

    fn enter(&mut self, object: ObjectId, slot: Slot) -> Result<(), Stop> {
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

    fn leave(&mut self, gone: Entered) {
        self.memory.remove(gone.base);
        if gone.at_home {
            self.at_home[gone.object.index()] = false;
        }
    }

    /// Gives a range that may have been written new arbitrary contents.
    fn refill(&mut self, range: Span<D::V>) -> Result<(), Stop> {
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

    fn allocate(&mut self, size: D::V, kind: Allocation) -> Result<D::V, Stop> {
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
    fn bump(&mut self, size: D::V, live: Live) -> Result<D::V, Stop> {
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
    fn input(&mut self, target: Written) -> Result<[D::V; 2], Stop> {
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
                    let zone = unknown_zone(self.code.program.model);
                    u128::from(self.test.rest.pointer(n, zone))
                } else {
                    self.test.rest.input(n, u32::from(width))
                }
            }
        };
        self.next_input += 1;
        let zone = unknown_zone(self.code.program.model);
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

    fn push_frame(
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

    fn call(
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
                let w = code.program.model.pointer_bits() as u8;
                self.domain.fixed(self.step, w, pointer);
                let bits = D::bits(pointer);
                match self
                    .layout
                    .functions
                    .iter()
                    .position(|&f| f == bits && f != 0)
                {
                    Some(index) => ProcId::new(index),
                    None => return Err(self.trap(Trap::NoFunction(bits))),
                }
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

    fn return_from(&mut self) -> Result<(), Stop> {
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

    fn external(
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
                // What a library function returns counts as arbitrary: no proof rests on it.
                let value = value & crate::arith::mask(target.width.min(64));
                let v = [D::known(value), D::known(0)];
                self.write(target, v);
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

pub(crate) fn unsupported(reason: impl Into<String>) -> Stop {
    Box::new(RunEnd::Unsupported(reason.into()))
}

fn memory_limit() -> Stop {
    Box::new(RunEnd::MemoryLimit)
}
