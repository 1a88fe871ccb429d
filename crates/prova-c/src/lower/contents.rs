//! What initialisers put into memory: the contents of static objects, stores and copies for
//! automatic ones.

use super::init::{Leaf, Source};
use super::lvalue::{LPlace, Location};
use super::order::Operand;
use super::*;
use crate::types::Field;
use lang_c::ast::*;
use std::collections::BTreeMap;

/// More cells than this are initialised by copying a constant object.
const MOST_STORES: usize = 32;

impl<'a> Lowerer<'a> {
    /// A leaf's value, converted to its type.
    fn leaf_value(&mut self, ty: QType, e: &'a Node<Expression>) -> Result<Value> {
        let value = self.expr(e)?;
        if self.types.array(ty.id).is_some() {
            return Err(self.error(e.span, "an array is initialised by a list or a string"));
        }
        self.convert_for_assignment(value, ty.id, e.span)
    }

    /// The contents of a static object, and how many bytes beyond its type they take (a
    /// flexible array member's).
    pub fn static_contents(&mut self, leaves: Vec<Leaf<'a>>) -> Result<(Vec<(u64, Initial)>, u64)> {
        let mut parts: BTreeMap<u64, (u64, Part)> = BTreeMap::new();
        let mut end = 0;
        for leaf in leaves {
            match leaf.source {
                Source::Text(elements) => {
                    let (element, _) = self.types.array(leaf.ty.id).expect("strings fill arrays");
                    let size = self.size_of(element.id, CSpan::none())? as usize;
                    let bytes: Vec<u8> = elements
                        .iter()
                        .flat_map(|e| e.to_le_bytes()[..size.min(4)].to_vec())
                        .collect();
                    end = end.max(leaf.offset + bytes.len() as u64);
                    if !bytes.is_empty() {
                        place_part(
                            &mut parts,
                            leaf.offset,
                            bytes.len() as u64,
                            Part::Bytes(bytes),
                        );
                    }
                }
                Source::Expr(e) => {
                    let (value, clean) = self.unchecked_aside(|s| s.leaf_value(leaf.ty, e))?;
                    if self.types.record(leaf.ty.id).is_some() {
                        // A structure: the contents of a constant object (a compound literal).
                        let found = self.constant_record(value.expr, e)?;
                        let size = self.size_of(leaf.ty.id, e.span)?;
                        end = end.max(leaf.offset + size);
                        for (at, initial) in found {
                            let length = self.initial_size(&initial);
                            let part = match initial {
                                Initial::Bytes(b) => Part::Bytes(b),
                                Initial::Value(v) => Part::Value(v),
                            };
                            place_part(&mut parts, leaf.offset + at, length, part);
                        }
                        continue;
                    }
                    let pool = &self.program.exprs;
                    if !clean || !fold::is_constant(pool, pool.kept_address(value.expr)) {
                        return Err(self.error(e.span, "this initialiser is not constant"));
                    }
                    let ir = self.program.exprs.ty(value.expr);
                    if let Some(bits) = leaf.bits {
                        let (number, _) =
                            fold::as_int(&self.program.exprs, value.expr).unwrap_or((0, 0));
                        let bytes = u64::from(bits.unit.div_ceil(8));
                        let field = (number & fold::mask(bits.width)) << bits.shift;
                        let hole = fold::mask(bits.width) << bits.shift;
                        end = end.max(leaf.offset + bytes);
                        merge_bits(&mut parts, leaf.offset, bytes as usize, field, hole);
                        continue;
                    }
                    let length = ir.bytes(self.model);
                    end = end.max(leaf.offset + length);
                    place_part(&mut parts, leaf.offset, length, Part::Value(value.expr));
                }
            }
        }
        let initial = parts
            .into_iter()
            .map(|(offset, (_, part))| match part {
                Part::Bytes(bytes) => (offset, Initial::Bytes(bytes)),
                Part::Value(value) => (offset, Initial::Value(value)),
            })
            .collect();
        Ok((initial, end))
    }

    fn initial_size(&self, initial: &Initial) -> u64 {
        match initial {
            Initial::Bytes(bytes) => bytes.len() as u64,
            Initial::Value(value) => self.program.exprs.ty(*value).bytes(self.model),
        }
    }

    fn constant_record(
        &mut self,
        address: ExprId,
        e: &'a Node<Expression>,
    ) -> Result<Vec<(u64, Initial)>> {
        if let Expr::Address(object) = self.program.exprs.get(address) {
            if let Storage::Static { initial, .. } = &self.program.object(object).storage {
                return Ok(initial.clone());
            }
        }
        Err(self.error(e.span, "this initialiser is not constant"))
    }

    /// Initialises an object in memory at run time; everything not mentioned is zero.
    pub fn initialise(
        &mut self,
        address: ExprId,
        ty: QType,
        leaves: Vec<Leaf<'a>>,
        span: CSpan,
    ) -> Result<()> {
        // A whole structure or scalar from one expression.
        if let [Leaf {
            offset: 0,
            bits: None,
            source: Source::Expr(e),
            ty: leaf,
        }] = leaves[..]
        {
            if leaf.id == ty.id && self.types.array(ty.id).is_none() {
                let value = self.leaf_value(ty, e)?;
                self.stand(span);
                let place = LPlace {
                    at: Location::Memory(address),
                    ty,
                };
                self.write_place(place, value, false, span)?;
                return Ok(());
            }
        }
        let size = self.size_of(ty.id, span)?;
        let mut cells = Vec::new();
        let many = !self.cells(ty.id, 0, &mut cells);
        // Values first, in order, kept where a later one may change them.
        let mut values = Vec::with_capacity(leaves.len());
        let mut later: Vec<Effects<'_>> = Vec::with_capacity(leaves.len());
        for leaf in &leaves {
            later.push(match &leaf.source {
                Source::Expr(e) => Effects::of(e),
                Source::Text(_) => Effects::default(),
            });
        }
        // Elements of a range (`[0 ... 3] = e`) share one value.
        let mut first: FxHashMap<*const Node<Expression>, usize> = FxHashMap::default();
        let mut operands: Vec<Operand<'a>> = Vec::new();
        for (index, leaf) in leaves.iter().enumerate() {
            if let Source::Expr(e) = leaf.source {
                first.entry(std::ptr::from_ref(e)).or_insert_with(|| {
                    operands.push(Operand::Value(e));
                    index
                });
            }
        }
        let settled = self.in_any_order(&operands, span)?;
        for (index, leaf) in leaves.iter().enumerate() {
            let value = match &leaf.source {
                Source::Expr(e) if first[&std::ptr::from_ref(*e)] < index => {
                    values[first[&std::ptr::from_ref(*e)]]
                }
                Source::Expr(e) => {
                    let mut value = self.leaf_value(leaf.ty, e)?;
                    if self.types.record(value.ty).is_none() {
                        for effects in &later[index + 1..] {
                            if !effects.is_none() {
                                value.expr = self.keep_from(value.expr, effects);
                            }
                        }
                    }
                    Some(value)
                }
                Source::Text(_) => None,
            };
            values.push(value);
        }
        self.ordered_done(settled);
        self.stand(span);
        if many {
            self.initialise_by_copy(address, size, leaves, values, span)
        } else {
            self.initialise_by_stores(address, cells, leaves, values, span)
        }
    }

    fn initialise_by_stores(
        &mut self,
        address: ExprId,
        cells: Vec<(u64, Type)>,
        leaves: Vec<Leaf<'a>>,
        values: Vec<Option<Value>>,
        span: CSpan,
    ) -> Result<()> {
        for (offset, cell) in cells {
            let length = cell.bytes(self.model);
            let covered = leaves.iter().any(|leaf| {
                let size = layout::size_of(&self.types, self.model, leaf.ty.id).unwrap_or(0);
                leaf.bits.is_none()
                    && leaf.offset <= offset
                    && offset + length <= leaf.offset + size
                    && !matches!(&leaf.source, Source::Text(t)
                        if offset >= leaf.offset + t.len() as u64)
            });
            if !covered {
                let zero = self.zero(cell);
                let at = self.offset(address, offset);
                self.store(at, zero);
            }
        }
        self.store_leaves(address, leaves, values, span)
    }

    fn store_leaves(
        &mut self,
        address: ExprId,
        leaves: Vec<Leaf<'a>>,
        values: Vec<Option<Value>>,
        span: CSpan,
    ) -> Result<()> {
        for (leaf, value) in leaves.into_iter().zip(values) {
            let base = self.offset(address, leaf.offset);
            match (leaf.source, value) {
                (Source::Text(elements), _) => {
                    let (element, _) = self.types.array(leaf.ty.id).expect("strings fill arrays");
                    let size = self.size_of(element.id, span)?;
                    for (index, unit) in elements.into_iter().enumerate() {
                        let at = self.offset(base, index as u64 * size);
                        let value = self.int(u128::from(unit), 8 * size as u16);
                        self.store(at, value);
                    }
                }
                (Source::Expr(_), Some(value)) => {
                    let at = match leaf.bits {
                        Some(bits) => Location::Bits(base, bits),
                        None => Location::Memory(base),
                    };
                    let place = LPlace { at, ty: leaf.ty };
                    self.write_place(place, value, false, span)?;
                }
                (Source::Expr(_), None) => {}
            }
        }
        Ok(())
    }

    /// Constant parts come from a constant object that is copied, the others are stored.
    fn initialise_by_copy(
        &mut self,
        address: ExprId,
        size: u64,
        leaves: Vec<Leaf<'a>>,
        values: Vec<Option<Value>>,
        span: CSpan,
    ) -> Result<()> {
        let mut constant = Vec::new();
        let mut rest = Vec::new();
        let mut rest_values = Vec::new();
        for (leaf, value) in leaves.into_iter().zip(values) {
            let fixed = match value {
                None => true,
                Some(v) => {
                    self.types.record(leaf.ty.id).is_none() && self.is_static_constant(v.expr)
                }
            };
            // Once something is stored at run time, what follows must not be overwritten.
            if fixed && rest.is_empty() {
                constant.push(leaf);
            } else {
                rest.push(leaf);
                rest_values.push(value);
            }
        }
        let source = if constant.is_empty() {
            self.filled_object(0, size)
        } else {
            let (initial, _) = self.static_contents(constant)?;
            let name = self.unique_name("init");
            let here = self.frame.here;
            self.program.add_object(Object {
                name,
                c_name: String::new(),
                size,
                align: 16,
                storage: Storage::Static {
                    initial,
                    constant: true,
                },
                ctype: None,
                span: here,
            })
        };
        let source = self.address(source);
        if size > 0 {
            self.emit(Op::Copy {
                target: address,
                source,
                size,
            });
        }
        self.store_leaves(address, rest, rest_values, span)
    }

    fn is_static_constant(&self, expr: ExprId) -> bool {
        let pool = &self.program.exprs;
        fold::is_constant(pool, expr)
            && pool
                .children(expr)
                .chain([expr])
                .all(|id| match pool.get(id) {
                    Expr::Address(object) => {
                        !matches!(self.program.object(object).storage, Storage::Frame(_))
                    }
                    _ => true,
                })
    }

    /// A constant object of `size` bytes that all have this value.
    pub fn filled_object(&mut self, byte: u8, size: u64) -> ObjectId {
        if let Some(&object) = self.fills.get(&(byte, size)) {
            return object;
        }
        let name = self.unique_name(if byte == 0 { "zero" } else { "fill" });
        let initial = if byte == 0 {
            Vec::new()
        } else {
            vec![(0, Initial::Bytes(vec![byte; size as usize]))]
        };
        let object = self.program.add_object(Object {
            name,
            c_name: String::new(),
            size,
            align: 16,
            storage: Storage::Static {
                initial,
                constant: true,
            },
            ctype: None,
            span: Span::NONE,
        });
        self.fills.insert((byte, size), object);
        object
    }

    pub fn zero(&mut self, ty: Type) -> ExprId {
        match ty {
            Type::Int(width) => self.int(0, width),
            Type::Float(kind) => self.program.exprs.add(Expr::Float { kind, bits: 0 }),
            Type::Ptr => self.program.exprs.add(Expr::Pointer(0)),
        }
    }

    /// The scalar cells of a type, in order; false if there are too many to store one by one.
    fn cells(&self, ty: TypeId, base: u64, found: &mut Vec<(u64, Type)>) -> bool {
        if found.len() > MOST_STORES {
            return false;
        }
        if let Ok(ir) = self.ir_type(ty, CSpan::none()) {
            found.push((base, ir));
            return true;
        }
        if let Some((element, length)) = self.types.array(ty) {
            let Length::Known(n) = length else {
                return true;
            };
            let size = layout::size_of(&self.types, self.model, element.id).unwrap_or(0);
            return (0..n).all(|i| self.cells(element.id, base + i * size, found));
        }
        let Some(record) = self.types.record(ty) else {
            return true;
        };
        let record = &self.types.records[record.0 as usize];
        let Some(fields) = &record.fields else {
            return true;
        };
        let size = |f: &Field| layout::size_of(&self.types, self.model, f.ty.id).unwrap_or(0);
        let cell = |f: &Field, found: &mut Vec<(u64, Type)>| match f.bits {
            Some(bits) if bits.width == 0 => true,
            Some(bits) => {
                let cell = (base + f.offset, Type::Int(bits.unit));
                if !found.contains(&cell) {
                    found.push(cell);
                }
                true
            }
            None => self.cells(f.ty.id, base + f.offset, found),
        };
        if record.union {
            let largest = fields.iter().rev().max_by_key(|f| size(f));
            return largest.is_none_or(|f| cell(f, found));
        }
        fields.iter().all(|f| cell(f, found))
    }
}

/// A piece of static contents.
enum Part {
    Bytes(Vec<u8>),
    Value(ExprId),
}

/// Puts a part where later parts replace earlier ones.
fn place_part(parts: &mut BTreeMap<u64, (u64, Part)>, offset: u64, length: u64, part: Part) {
    let end = offset + length;
    let mut overlapping: Vec<u64> = parts
        .range(..end)
        .rev()
        .take_while(|(at, (n, _))| **at + n > offset || **at >= offset)
        .map(|(at, _)| *at)
        .collect();
    overlapping.retain(|at| at + parts[at].0 > offset);
    for at in overlapping {
        let (n, old) = parts.remove(&at).expect("found above");
        // What sticks out of replaced bytes stays.
        if let Part::Bytes(bytes) = old {
            if at < offset {
                let keep = (offset - at) as usize;
                parts.insert(at, (keep as u64, Part::Bytes(bytes[..keep].to_vec())));
            }
            if at + n > end {
                let from = (end - at) as usize;
                let tail = bytes[from..].to_vec();
                parts.insert(end, (tail.len() as u64, Part::Bytes(tail)));
            }
        }
    }
    parts.insert(offset, (length, part));
}

/// Sets the bits of a bit-field in the bytes of its unit.
fn merge_bits(
    parts: &mut BTreeMap<u64, (u64, Part)>,
    offset: u64,
    bytes: usize,
    field: u128,
    hole: u128,
) {
    let old: Vec<u8> = (0..bytes as u64)
        .map(|i| {
            let at = offset + i;
            let found = parts.range(..=at).next_back();
            match found {
                Some((start, (n, Part::Bytes(b)))) if at < start + n => b[(at - start) as usize],
                _ => 0,
            }
        })
        .collect();
    for (i, byte) in old.iter().enumerate() {
        let (mask, set) = ((hole >> (8 * i)) as u8, (field >> (8 * i)) as u8);
        if mask != 0 {
            let new = (byte & !mask) | set;
            place_part(parts, offset + i as u64, 1, Part::Bytes(vec![new]));
        }
    }
}
