//! Values with terms: what they are, and how terms are made of them.

use super::store::Write;
use super::{Symbolic, Why};
use crate::arith;
use crate::code::{Shape, Slot, FIXED};
use crate::domain::{Domain, Span};
use crate::memory::Memory;
use crate::points_to::{Cell, ClassId};
use crate::state_vars::float_format;
use crate::transfer::unknown_access;
use crate::transfer::CELL_LIMIT;
use crate::translate::{self, cells, valid_address, Unencodable};
use prova_ir::{BinaryOp, CastOp, FloatKind, Type, UnaryOp};
use prova_logic::{float, Op, Term};

/// What is known of a value besides its bits in this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Kind {
    /// It has these bits in every run along this path.
    #[default]
    Known,
    /// It is an address in or behind the object with this base, at a fixed distance.
    Based(u32),
    /// It is this term. Both halves of a wide value name the whole.
    Term(Term),
}

/// A value: its bits in this run, and what it is in others along the same path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SymVal {
    /// In this run.
    pub bits: u64,
    /// In others.
    pub kind: Kind,
}

impl SymVal {
    /// The same in every run along the path.
    #[inline(always)]
    pub const fn known(bits: u64) -> SymVal {
        SymVal {
            bits,
            kind: Kind::Known,
        }
    }
}

/// The bits of both halves.
pub(super) fn wide_bits(v: [SymVal; 2]) -> [u64; 2] {
    [v[0].bits, v[1].bits]
}

fn join(v: [SymVal; 2]) -> u128 {
    u128::from(v[0].bits) | u128::from(v[1].bits) << 64
}

/// Whether operands are floats.
pub(super) fn operand_shape(op: BinaryOp) -> Shape {
    use BinaryOp::*;
    match op {
        FAdd | FSub | FMul | FDiv | FEq | FNe | FLt | FLe => Shape::Float,
        _ => Shape::Bits,
    }
}

impl Symbolic<'_> {
    pub(super) fn type_of(&self, shape: Shape, width: u8) -> Type {
        match shape {
            Shape::Bits => Type::Int(u16::from(width)),
            Shape::Pointer => Type::Ptr,
            Shape::Float => Type::Float(match width {
                32 => FloatKind::F32,
                64 => FloatKind::F64,
                _ => FloatKind::X87,
            }),
        }
    }

    /// The term of a value.
    pub(super) fn term(&mut self, v: [SymVal; 2], width: u8, shape: Shape) -> Term {
        match v[0].kind {
            Kind::Term(term) => term,
            Kind::Based(_) => self.address(v[0]),
            Kind::Known => {
                let bits = if width > 64 {
                    join(v)
                } else {
                    u128::from(v[0].bits)
                };
                match self.type_of(shape, width) {
                    Type::Float(kind) => {
                        let bits = match kind {
                            FloatKind::X87 => float::x87_from_storage(bits),
                            _ => bits,
                        };
                        self.terms.float_const(float_format(kind), bits)
                    }
                    Type::BOOL => self.terms.bool_const(bits != 0),
                    _ => self.terms.bv(bits, u32::from(width)),
                }
            }
        }
    }

    pub(super) fn narrow(&mut self, v: SymVal, width: u8, shape: Shape) -> Term {
        self.term([v, SymVal::known(0)], width, shape)
    }

    /// The term of an address.
    pub(super) fn address(&mut self, v: SymVal) -> Term {
        let width = self.context.program.model.pointer_bits();
        match v.kind {
            Kind::Term(term) => term,
            Kind::Known => self.terms.bv(u128::from(v.bits), width),
            Kind::Based(index) => {
                let (bits, base) = self.bases[index as usize];
                let offset = v.bits.wrapping_sub(bits) & arith::mask(width as u8);
                cells::offset(&mut self.terms, base, offset)
            }
        }
    }

    /// The bits of a cell as one bit-vector term.
    pub(super) fn cell_term(&mut self, v: [SymVal; 2], bytes: u32) -> Term {
        self.term(v, (bytes * 8) as u8, Shape::Bits)
    }

    /// A value from a term that has these bits in this run.
    pub(super) fn of_term(&self, term: Term, bits: [u64; 2]) -> [SymVal; 2] {
        let kind = if self.terms.is_const(term) {
            debug_assert!(self
                .terms
                .as_u64(term)
                .is_none_or(|v| bits[1] != 0 || v == bits[0]));
            debug_assert!(self.terms.as_bool(term).is_none_or(|v| v == (bits[0] != 0)));
            Kind::Known
        } else if self.terms.object(term).is_some() {
            // An address that a term spells as a base stays one.
            let found = self.bases.iter().position(|&(_, base)| base == term);
            found.map_or(Kind::Term(term), |index| Kind::Based(index as u32))
        } else {
            Kind::Term(term)
        };
        bits.map(|bits| SymVal { bits, kind })
    }

    pub(super) fn result(&self, term: Term, bits: u64) -> SymVal {
        self.of_term(term, [bits, 0])[0]
    }

    #[cold]
    #[inline(never)]
    pub(super) fn binary_slow(
        &mut self,
        op: BinaryOp,
        w: u8,
        a: SymVal,
        b: SymVal,
        bits: u64,
    ) -> SymVal {
        use BinaryOp::*;
        match (op, a.kind, b.kind) {
            (Add | Sub, Kind::Based(_), Kind::Known) => return SymVal { bits, kind: a.kind },
            (Add, Kind::Known, Kind::Based(_)) => return SymVal { bits, kind: b.kind },
            (Sub | Eq | Ne, x, y) if x == y && matches!(x, Kind::Based(_)) => {
                return SymVal::known(bits)
            }
            _ => {}
        }
        let shape = operand_shape(op);
        let (x, y) = (self.narrow(a, w, shape), self.narrow(b, w, shape));
        match self.binary_term(op, w, x, y) {
            Some(term) => self.result(term, bits),
            None => SymVal::known(bits),
        }
    }

    pub(super) fn binary_term(&mut self, op: BinaryOp, w: u8, a: Term, b: Term) -> Option<Term> {
        if w == 1 {
            let term = translate::boolean(&mut self.terms, op, a, b);
            return term.map_err(|error| self.fail(0, error)).ok();
        }
        // That the divisor is not zero was said before.
        Some(translate::binary(
            &mut self.terms,
            op,
            a,
            b,
            &mut Vec::new(),
        ))
    }

    pub(super) fn unary_term(&mut self, op: UnaryOp, w: u8, v: [SymVal; 2]) -> Term {
        let shape = if op == UnaryOp::FNeg {
            Shape::Float
        } else {
            Shape::Bits
        };
        let a = self.term(v, w, shape);
        match op {
            UnaryOp::Not if w == 1 => self.terms.not(a),
            UnaryOp::Not => self.terms.bv_not(a),
            UnaryOp::Neg if w == 1 => a,
            UnaryOp::Neg => self.terms.neg(a),
            UnaryOp::FNeg => self.terms.fneg(a),
        }
    }

    pub(super) fn cast_term(
        &mut self,
        op: CastOp,
        from: u8,
        to: u8,
        a: [SymVal; 2],
    ) -> Option<Term> {
        let of_float = matches!(op, CastOp::FToS | CastOp::FToU | CastOp::FToF);
        let to_float = matches!(op, CastOp::SToF | CastOp::UToF | CastOp::FToF);
        let shape = |float| if float { Shape::Float } else { Shape::Bits };
        let term = self.term(a, from, shape(of_float));
        let (from, to) = (
            self.type_of(shape(of_float), from),
            self.type_of(shape(to_float), to),
        );
        let term = translate::cast(&mut self.terms, op, term, from, to);
        term.map_err(|error| self.fail(0, error)).ok()
    }

    /// An address that is a term is not in the null page, and aligned.
    pub(super) fn valid(&mut self, step: u32, address: SymVal, align: u64) {
        if let Kind::Term(term) = address.kind {
            let mut defined = Vec::new();
            valid_address(&mut self.terms, term, align, &mut defined);
            for condition in defined {
                let recent = self.constraints.iter().rev().take(64);
                if recent.into_iter().all(|c| c.term != condition) {
                    self.constrain(step, condition, Why::Defined);
                }
            }
        }
    }

    /// Remembers an access to an object that the program does not name.
    pub(super) fn accessed(&mut self, step: u32, address: SymVal, class: ClassId) {
        let Kind::Term(term) = address.kind else {
            return;
        };
        if let Some(access) = unknown_access(&self.terms, self.context, term, class) {
            if self.known_accesses.insert(access) {
                self.accesses.push((step, access));
            }
        }
    }

    /// A pointer that nobody wrote is null or leads to the unknown zone.
    pub(super) fn first_pointer(&mut self, step: u32, value: SymVal) {
        let Kind::Term(term) = value.kind else { return };
        if self.terms.op(term) != Op::Select {
            return;
        }
        let array = self.terms.children(term)[0];
        if self.context.vars.initial_memory.contains(&array) && self.first_pointers.insert(term) {
            let valid = self
                .context
                .vars
                .arbitrary_pointer(&mut self.terms, term, 1);
            self.constrain(step, valid, Why::Input);
        }
    }

    pub(super) fn offset(&mut self, address: SymVal, by: u64) -> SymVal {
        if by == 0 {
            return address;
        }
        let w = self.context.program.model.pointer_bits() as u8;
        self.binary(BinaryOp::Add, w, address, SymVal::known(by))
    }

    /// Reads a whole value of this many bytes.
    pub(super) fn read(
        &mut self,
        step: u32,
        class: ClassId,
        address: SymVal,
        size: u64,
        bits: [u64; 2],
    ) -> [SymVal; 2] {
        let cell = u64::from(self.context.partition.class(class).cell_bytes);
        if cell == size {
            return self.read_cell(step, class, address, bits);
        }
        let whole = u128::from(bits[0]) | u128::from(bits[1]) << 64;
        let mut all_known = true;
        let mut parts = Vec::with_capacity(size as usize);
        for i in 0..size {
            let at = self.offset(address, i);
            let byte = (whole >> (8 * i)) as u8;
            let part = self.read_cell(step, class, at, [u64::from(byte), 0]);
            all_known &= part[0].kind == Kind::Known;
            parts.push(part);
        }
        if all_known {
            return bits.map(SymVal::known);
        }
        let mut term = self.cell_term(parts[0], 1);
        for part in &parts[1..] {
            let byte = self.cell_term(*part, 1);
            term = self.terms.concat(byte, term);
        }
        self.of_term(term, bits)
    }

    /// Writes a whole value of this many bytes; its kind must be bits, not a float.
    pub(super) fn write(
        &mut self,
        step: u32,
        class: ClassId,
        address: SymVal,
        size: u64,
        value: [SymVal; 2],
    ) {
        let state = step + 1;
        let cell = u64::from(self.context.partition.class(class).cell_bytes);
        if cell == size {
            self.write_cell(
                class,
                Write {
                    state,
                    address,
                    value,
                },
            );
            return;
        }
        let whole = join(value);
        let term = match value[0].kind {
            Kind::Known => None,
            _ => Some(self.cell_term(value, size as u32)),
        };
        for i in 0..size {
            let at = self.offset(address, i);
            let bits = u64::from((whole >> (8 * i)) as u8);
            let low = (8 * i) as u32;
            let byte = match term {
                None => SymVal::known(bits),
                Some(term) => {
                    let byte = self.terms.extract(term, low + 7, low);
                    self.result(byte, bits)
                }
            };
            let value = [byte, SymVal::known(0)];
            self.write_cell(
                class,
                Write {
                    state,
                    address: at,
                    value,
                },
            );
        }
    }

    /// A float that goes where its bits can be seen is a number in this run, and must be one in
    /// others: terms do not know the bits of NaNs.
    pub(super) fn number(&mut self, step: u32, class: ClassId, value: [SymVal; 2], width: u8) {
        let Kind::Term(term) = value[0].kind else {
            return;
        };
        let class = self.context.partition.class(class);
        if !cells::shows_nan(&mut self.terms, class, term) {
            return;
        }
        let Type::Float(kind) = self.type_of(Shape::Float, width) else {
            return;
        };
        let bits = match kind {
            FloatKind::X87 => float::x87_from_storage(join(value)),
            _ => join(value),
        };
        if float::is_nan(float_format(kind), bits) {
            return self.fail(step, Unencodable::NanBits);
        }
        let nan = self.terms.is_nan(term);
        let number = self.terms.not(nan);
        self.constrain(step, number, Why::Defined);
    }

    /// A value as memory holds it.
    pub(super) fn bits_of(&mut self, value: [SymVal; 2], size: u64, shape: Shape) -> [SymVal; 2] {
        if shape != Shape::Float || !matches!(value[0].kind, Kind::Term(_)) {
            return value;
        }
        let width = (8 * size) as u8;
        let ty = self.type_of(shape, width);
        let model = self.context.program.model;
        let term = self.term(value, width, shape);
        let term = cells::to_bits(&mut self.terms, term, ty, model);
        self.of_term(term, wide_bits(value))
    }

    pub(super) fn class_at(&mut self, step: u32, span: Span<SymVal>) -> Option<ClassId> {
        let class = span
            .site
            .and_then(|site| self.context.partition.class_of(site));
        if class.is_none() {
            let error = span
                .site
                .map_or(Unencodable::Call, Unencodable::UnknownAddress);
            self.fail(step, error);
        }
        class
    }

    pub(super) fn cells(&mut self, step: u32, span: Span<SymVal>) -> Option<Vec<Cell>> {
        let partition = self.context.partition;
        let found = match (span.object, span.site) {
            (Some(object), _) => partition.object_cells(object, span.size, CELL_LIMIT),
            (None, Some(site)) => partition.cells(site, span.size, CELL_LIMIT),
            (None, None) => {
                self.fail(step, Unencodable::Call);
                return None;
            }
        };
        match found {
            Ok(cells) => Some(cells),
            Err(error) => {
                let what = "a copy or fresh contents";
                self.fail(
                    step,
                    Unencodable::TooLarge {
                        what,
                        limit: error.limit,
                    },
                );
                None
            }
        }
    }

    fn log(&mut self, slot: Slot) -> &mut Vec<(u32, Kind)> {
        let (logs, index) = if slot & FIXED == 0 {
            (&mut self.logs, (self.current_logs + slot) as usize)
        } else {
            (&mut self.globals, (slot & !FIXED) as usize)
        };
        if index >= logs.len() {
            logs.resize_with(index + 1, Vec::new);
        }
        &mut logs[index]
    }

    /// Remembers what kind of value a register has from a state on; its bits are in the run.
    #[inline(always)]
    pub(super) fn record(&mut self, state: u32, slot: Slot, kind: Kind) {
        let log = self.log(slot);
        match log.last() {
            Some(&(_, last)) if last == kind => {}
            _ => log.push((state, kind)),
        }
    }

    /// Bits of memory as this run has them.
    pub(super) fn peek(memory: &Memory, address: u64, bytes: u64) -> [u64; 2] {
        let mut value = 0u128;
        for i in 0..bytes {
            let at = address.wrapping_add(i);
            let byte = memory.word(at) >> (8 * (at & 7)) & 0xff;
            value |= u128::from(byte) << (8 * i);
        }
        [value as u64, (value >> 64) as u64]
    }

    /// A cell put together from the bytes of others; `None` where some are missing.
    pub(super) fn reassembled(
        &mut self,
        sources: &[Cell],
        read: &[[SymVal; 2]],
        cell: &Cell,
        bits: [u64; 2],
    ) -> Option<[SymVal; 2]> {
        let mut whole: Option<Term> = None;
        for offset in cell.offset..cell.offset + u64::from(cell.bytes) {
            let after = sources.partition_point(|s| s.offset <= offset);
            let index = after.checked_sub(1)?;
            let source = &sources[index];
            if offset >= source.offset + u64::from(source.bytes) {
                return None;
            }
            let low = (8 * (offset - source.offset)) as u32;
            let term = self.cell_term(read[index], source.bytes);
            let byte = self.terms.extract(term, low + 7, low);
            whole = Some(match whole {
                Some(rest) => self.terms.concat(byte, rest),
                None => byte,
            });
        }
        Some(self.of_term(whole?, bits))
    }
}
