//! The loop: one dispatch per instruction, the machine's registers in local variables.

use super::{Machine, Stop};
use crate::code::*;
use crate::domain::{Domain, Span};
use crate::end::{At, RunEnd, Trap};
use crate::memory::Fault;
use prova_ir::{BinaryOp, CastOp};
use std::sync::Arc;

impl<D: Domain> Machine<D> {
    pub(super) fn execute(&mut self, until: u32) -> Result<(), Stop> {
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
    pub(super) fn wide(&mut self, wide: Wide) -> Result<bool, Stop> {
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

    pub(super) fn load_wide(&mut self, at: u64, n: u64) -> Result<[u64; 2], Stop> {
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
}
