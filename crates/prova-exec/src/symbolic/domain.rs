//! The machine's operations on values with terms. Each computes the bits exactly as the concrete
//! machine does, and a term only where an operand is one.

use super::store::Write;
use super::values::{operand_shape, wide_bits, Kind, SymVal};
use super::{PathInput, Source, Symbolic, Why};
use crate::arith;
use crate::code::{Shape, Slot, Written};
use crate::domain::{Base, Concrete, Domain, Fresh, Span, Target};
use crate::layout::heap_size;
use crate::memory::Memory;
use crate::state_vars::sort_of;
use crate::transfer::align;
use crate::translate::{alignment, cells, Unencodable};
use prova_ir::{BinaryOp, CastOp, ObjectId, ProcId, Type, UnaryOp};
use prova_logic::Sort;

type Plain = Concrete<false>;

impl Domain for Symbolic<'_> {
    type V = SymVal;

    #[inline(always)]
    fn known(bits: u64) -> SymVal {
        SymVal::known(bits)
    }

    #[inline(always)]
    fn bits(v: SymVal) -> u64 {
        v.bits
    }

    fn base(&mut self, which: Base, bits: u64) -> SymVal {
        let index = self.base_index(which);
        let term = match which {
            Base::Object(o) => self.context.vars.base(o),
            Base::Function(p) => self.context.vars.function(p),
            Base::Heap => self.context.vars.heap(),
        };
        let at = index as usize;
        if at >= self.bases.len() {
            self.bases.resize(at + 1, (0, term));
        }
        self.bases[at] = (bits, term);
        let value = SymVal {
            bits,
            kind: Kind::Based(index),
        };
        if which == Base::Heap {
            self.heap.push((0, value));
        }
        value
    }

    #[inline(always)]
    fn unary(&mut self, op: UnaryOp, w: u8, a: SymVal) -> SymVal {
        let bits = arith::unary(op, w, a.bits);
        if a.kind == Kind::Known {
            return SymVal::known(bits);
        }
        let term = self.unary_term(op, w, [a, SymVal::known(0)]);
        self.result(term, bits)
    }

    #[inline(always)]
    fn binary(&mut self, op: BinaryOp, w: u8, a: SymVal, b: SymVal) -> SymVal {
        let bits = arith::binary(op, w, a.bits, b.bits);
        if a.kind == Kind::Known && b.kind == Kind::Known {
            return SymVal::known(bits);
        }
        self.binary_slow(op, w, a, b, bits)
    }

    #[inline(always)]
    fn cast(&mut self, op: CastOp, from: u8, to: u8, a: SymVal) -> SymVal {
        let bits = arith::cast(op, from, to, a.bits);
        if a.kind == Kind::Known {
            return SymVal::known(bits);
        }
        if matches!(op, CastOp::PtrToInt | CastOp::IntToPtr) {
            return a;
        }
        match self.cast_term(op, from, to, [a, SymVal::known(0)]) {
            Some(term) => self.result(term, bits),
            None => SymVal::known(bits),
        }
    }

    #[inline(always)]
    fn select(&mut self, w: u8, shape: Shape, c: SymVal, t: SymVal, e: SymVal) -> SymVal {
        if c.kind == Kind::Known || t == e {
            return if c.bits != 0 { t } else { e };
        }
        let zero = SymVal::known(0);
        self.select_wide(w, shape, c, [t, zero], [e, zero])[0]
    }

    fn unary_wide(&mut self, op: UnaryOp, w: u8, a: [SymVal; 2]) -> [SymVal; 2] {
        let bits = Plain::default().unary_wide(op, w, wide_bits(a));
        if a[0].kind == Kind::Known {
            return bits.map(SymVal::known);
        }
        let term = self.unary_term(op, w, a);
        self.of_term(term, bits)
    }

    fn binary_wide(&mut self, op: BinaryOp, w: u8, a: [SymVal; 2], b: [SymVal; 2]) -> [SymVal; 2] {
        let bits = Plain::default().binary_wide(op, w, wide_bits(a), wide_bits(b));
        if a[0].kind == Kind::Known && b[0].kind == Kind::Known {
            return bits.map(SymVal::known);
        }
        let shape = operand_shape(op);
        let (x, y) = (self.term(a, w, shape), self.term(b, w, shape));
        match self.binary_term(op, w, x, y) {
            Some(term) => self.of_term(term, bits),
            None => bits.map(SymVal::known),
        }
    }

    fn cast_wide(&mut self, op: CastOp, from: u8, to: u8, a: [SymVal; 2]) -> [SymVal; 2] {
        let bits = Plain::default().cast_wide(op, from, to, wide_bits(a));
        if a[0].kind == Kind::Known {
            return bits.map(SymVal::known);
        }
        match self.cast_term(op, from, to, a) {
            Some(term) => self.of_term(term, bits),
            None => bits.map(SymVal::known),
        }
    }

    fn select_wide(
        &mut self,
        w: u8,
        shape: Shape,
        c: SymVal,
        t: [SymVal; 2],
        e: [SymVal; 2],
    ) -> [SymVal; 2] {
        let chosen = if c.bits != 0 { t } else { e };
        if c.kind == Kind::Known || t == e {
            return chosen;
        }
        let (x, y) = (self.term(t, w, shape), self.term(e, w, shape));
        let condition = self.narrow(c, 1, Shape::Bits);
        let term = self.terms.ite(condition, x, y);
        self.of_term(term, wide_bits(chosen))
    }

    #[inline(always)]
    fn nonzero(&mut self, step: u32, _: u8, low: SymVal) {
        if let Kind::Term(term) = low.kind {
            let zero = self.terms.bv(0, self.terms.width(term));
            let condition = self.terms.ne(term, zero);
            self.constrain(step, condition, Why::Defined);
        }
    }

    #[inline(always)]
    fn decided(&mut self, step: u32, c: SymVal) {
        if let Kind::Term(term) = c.kind {
            let term = if c.bits != 0 {
                term
            } else {
                self.terms.not(term)
            };
            self.constrain(step, term, Why::Branch);
        }
    }

    fn fixed(&mut self, step: u32, v: SymVal, to: Target) {
        let Kind::Term(term) = v.kind else { return };
        // The target, not its address in this run: other runs may lay it elsewhere.
        let target = match to {
            Target::Function(proc) => self.context.vars.function(proc),
            Target::Block => {
                let block = self.blocks.get(&v.bits).copied();
                self.address(block.unwrap_or(SymVal::known(v.bits)))
            }
        };
        let same = self.terms.eq(term, target);
        self.constrain(step, same, Why::Fixed);
    }

    fn input(&mut self, step: u32, register: Written, bits: [u64; 2]) -> [SymVal; 2] {
        let program = self.context.program;
        let ty = program.register(register.reg).ty;
        let number = self.values_asked;
        self.values_asked += 1;
        let sort = sort_of(ty, program.model);
        let var = self.terms.var(&format!("in.{number}:{sort}"), sort);
        self.inputs.push(PathInput {
            step,
            var,
            source: Source::Value(number),
        });
        if ty == Type::Ptr {
            let align = align::pointee(program, program.register(register.reg).ctype);
            let valid = self
                .context
                .vars
                .arbitrary_pointer(&mut self.terms, var, align);
            self.constrain(step, valid, Why::Input);
        }
        bits.map(|bits| SymVal {
            bits,
            kind: Kind::Term(var),
        })
    }

    fn library(&mut self, step: u32, register: Written, bits: u64) -> SymVal {
        let program = self.context.program;
        let sort = sort_of(program.register(register.reg).ty, program.model);
        let name = format!("library.{}:{sort}", self.library.len());
        let var = self.terms.var(&name, sort);
        self.library.insert(var, (step, register.reg));
        SymVal {
            bits,
            kind: Kind::Term(var),
        }
    }

    fn first(&mut self, register: Written, bits: [u64; 2]) -> [SymVal; 2] {
        match self.first.get(&register.reg).copied() {
            Some(term) => self.of_term(term, bits),
            None => {
                let var = self.context.vars.register[register.reg.index()];
                let source = Source::Register(register.reg);
                self.inputs.push(PathInput {
                    step: 0,
                    var,
                    source,
                });
                bits.map(|bits| SymVal {
                    bits,
                    kind: Kind::Term(var),
                })
            }
        }
    }

    fn begins(&mut self, register: Written, value: [SymVal; 2]) {
        self.record(0, register.slot, value[0].kind);
    }

    fn allocate(&mut self, step: u32, top: SymVal, size: SymVal, next: u64) -> (SymVal, SymVal) {
        let after = if size.kind == Kind::Known && !matches!(top.kind, Kind::Term(_)) {
            SymVal {
                bits: next,
                kind: top.kind,
            }
        } else {
            let model = self.context.program.model;
            let width = model.pointer_bits();
            let (top, size) = (
                self.address(top),
                self.narrow(size, width as u8, Shape::Bits),
            );
            let terms = &mut self.terms;
            let most = terms.bv(u128::from(heap_size(model)), width);
            let fits = terms.ule(size, most);
            let (zero, one) = (terms.bv(0, width), terms.bv(1, width));
            let empty = terms.eq(size, zero);
            let size = terms.ite(empty, one, size);
            let fifteen = terms.bv(15, width);
            let raised = terms.add(size, fifteen);
            let mask = terms.bv_signed(-16, width);
            let rounded = terms.bv_and(raised, mask);
            let gap = terms.bv(16, width);
            let by = terms.add(rounded, gap);
            let term = terms.add(top, by);
            self.constrain(step, fits, Why::Defined);
            self.result(term, next)
        };
        self.heap.push((step + 1, after));
        self.blocks.insert(top.bits, top);
        (top, after)
    }

    #[inline(always)]
    fn loaded(
        &mut self,
        step: u32,
        from: Span<SymVal>,
        shape: Shape,
        bits: [u64; 2],
    ) -> [SymVal; 2] {
        let Some(class) = self.class_at(step, from) else {
            self.valid(step, from.address, 1);
            return bits.map(SymVal::known);
        };
        self.valid(step, from.address, alignment(self.context, class));
        self.accessed(step, from.address, class);
        let value = self.read(step, class, from.address, from.size, bits);
        if shape == Shape::Pointer {
            self.first_pointer(step, value[0]);
        }
        if shape != Shape::Float || !matches!(value[0].kind, Kind::Term(_)) {
            return value;
        }
        let ty = self.type_of(shape, (8 * from.size) as u8);
        let term = self.cell_term(value, from.size as u32);
        let term = cells::from_bits(&mut self.terms, term, ty);
        self.of_term(term, bits)
    }

    #[inline(always)]
    fn will_write(&mut self, _: &Memory, _: u64, _: u64) {}

    #[inline(always)]
    fn stored(
        &mut self,
        step: u32,
        _: &Memory,
        to: Span<SymVal>,
        shape: Shape,
        value: [SymVal; 2],
    ) {
        let Some(class) = self.class_at(step, to) else {
            self.valid(step, to.address, 1);
            return;
        };
        self.valid(step, to.address, alignment(self.context, class));
        self.accessed(step, to.address, class);
        if shape == Shape::Float {
            self.number(step, class, value, (8 * to.size) as u8);
        }
        let mut value = self.bits_of(value, to.size, shape);
        if to.size < 8 {
            value[0].bits &= arith::mask(8 * to.size as u8);
        }
        self.write(step, class, to.address, to.size, value);
    }

    fn copied(&mut self, step: u32, memory: &Memory, to: Span<SymVal>, from: Span<SymVal>) {
        self.valid(step, to.address, 1);
        self.valid(step, from.address, 1);
        let (Some(targets), Some(sources)) = (self.cells(step, to), self.cells(step, from)) else {
            return;
        };
        // All is read before anything is written. The bytes are already copied: what lies in the
        // target now is what the source held.
        let held = |cell: &crate::points_to::Cell| {
            let at = to.address.bits.wrapping_add(cell.offset);
            Self::peek(memory, at, u64::from(cell.bytes))
        };
        let mut read = Vec::with_capacity(sources.len());
        for cell in &sources {
            let at = self.offset(from.address, cell.offset);
            read.push(self.read_cell(step, cell.class, at, held(cell)));
        }
        for cell in &targets {
            let same = sources
                .binary_search_by_key(&cell.offset, |s| s.offset)
                .ok()
                .filter(|&i| sources[i].bytes == cell.bytes);
            let at = self.offset(to.address, cell.offset);
            let value = match same {
                Some(i) => Some(read[i]),
                None => self.reassembled(&sources, &read, cell, held(cell)),
            };
            let Some(value) = value else {
                self.fail(step, Unencodable::CellsDiffer);
                return;
            };
            self.write_cell(
                cell.class,
                Write {
                    state: step + 1,
                    address: at,
                    value,
                },
            );
        }
    }

    fn filled(&mut self, step: u32, memory: &Memory, range: Span<SymVal>, fresh: Fresh) {
        let number = match fresh {
            Fresh::First => return,
            Fresh::Library => return self.fail(step, Unencodable::Call),
            Fresh::Again(number) => number,
        };
        self.valid(step, range.address, 1);
        let Some(cells) = self.cells(step, range) else {
            return;
        };
        for cell in cells {
            let name = format!("fresh.{number}+{}:{}", cell.offset, cell.bytes);
            let var = self.terms.var(&name, Sort::BitVec(cell.bytes * 8));
            let source = Source::Fresh {
                number,
                offset: cell.offset,
                bytes: cell.bytes,
            };
            self.inputs.push(PathInput { step, var, source });
            if self.context.partition.class(cell.class).cell_type == Some(Type::Ptr) {
                let valid = self.context.vars.arbitrary_pointer(&mut self.terms, var, 1);
                self.constrain(step, valid, Why::Input);
            }
            let at = self.offset(range.address, cell.offset);
            let bits = Self::peek(memory, at.bits, u64::from(cell.bytes));
            let value = bits.map(|bits| SymVal {
                bits,
                kind: Kind::Term(var),
            });
            self.write_cell(
                cell.class,
                Write {
                    state: step + 1,
                    address: at,
                    value,
                },
            );
        }
    }

    fn entered(&mut self, _: u32, _: ObjectId, _: SymVal) {}

    #[inline(always)]
    fn wrote(&mut self, step: u32, slot: Slot, value: SymVal) {
        self.record(step + 1, slot, value.kind);
    }

    fn wrote_wide(&mut self, step: u32, slot: Slot, value: [SymVal; 2]) {
        self.record(step + 1, slot, value[0].kind);
    }

    #[inline(always)]
    fn path(&mut self, _: u32, _: u32) {}

    fn called(&mut self, _: u32, _: ProcId, registers: u32) {
        let start = self.logs.len();
        self.logs.resize_with(start + registers as usize, Vec::new);
        self.frames.push(start as u32);
        self.callers.push(self.current);
        self.current = self.frames.len() as u32 - 1;
        self.current_logs = start as u32;
    }

    fn returned(&mut self, _: u32) {
        self.current = self.callers[self.current as usize];
        self.current_logs = self.frames[self.current as usize];
    }

    fn size(&self) -> usize {
        0
    }
}
