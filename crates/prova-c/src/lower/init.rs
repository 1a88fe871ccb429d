//! Initialisers (C11 6.7.9): braces, designators and elided braces are flattened into leaves, each
//! a scalar, a string or a whole structure at an offset; leaves become static contents or stores.

use super::lvalue::{LPlace, Location};
use super::*;
use crate::types::{BitField, Field};
use lang_c::ast::*;
use std::collections::BTreeMap;
use std::rc::Rc;

/// One initialised part.
pub(crate) struct Leaf<'a> {
    pub offset: u64,
    pub bits: Option<BitField>,
    pub ty: QType,
    pub source: Source<'a>,
}

/// What a part is initialised with.
pub(crate) enum Source<'a> {
    Expr(&'a Node<Expression>),
    /// Elements of a string, terminator included where it fits.
    Text(Vec<u32>),
}

/// More cells than this are initialised by copying a constant object.
const MOST_STORES: usize = 32;

type Items<'a> = &'a [Node<InitializerListItem>];

impl<'a> Lowerer<'a> {
    /// Flattens an initialiser; the type comes back with its array length filled in.
    pub fn flatten(
        &mut self,
        ty: QType,
        init: &'a Node<Initializer>,
    ) -> Result<(QType, Vec<Leaf<'a>>)> {
        let mut leaves = Vec::new();
        let mut length = 0;
        match &init.node {
            Initializer::List(items) => {
                length = self.flatten_items(ty, items, init.span, &mut leaves)?;
            }
            Initializer::Expression(e) => {
                if let (Expression::StringLiteral(text), Some(_)) =
                    (&e.node, self.types.array(ty.id))
                {
                    length = self.string_leaf(ty, 0, text, &mut leaves)?;
                } else if let (Expression::CompoundLiteral(literal), Some((_, n))) =
                    (&e.node, self.types.array(ty.id))
                {
                    // gcc lets a compound literal initialise an array.
                    let items = &literal.node.initializer_list;
                    length = self.braced(ty, 0, items, &mut leaves, init.span)?;
                    if n == Length::Unknown {
                        let named = self.type_name(&literal.node.type_name)?;
                        if let Some((_, Length::Known(n))) = self.types.array(named.id) {
                            length = n;
                        }
                    }
                } else {
                    leaves.push(Leaf {
                        offset: 0,
                        bits: None,
                        ty,
                        source: Source::Expr(e),
                    });
                }
            }
        }
        let mut ty = ty;
        if let Some((element, Length::Unknown)) = self.types.array(ty.id) {
            let id = Ty::Array(element, Length::Known(length));
            ty.id = self.types.make(id);
        }
        Ok((ty, leaves))
    }

    /// Flattens a brace-enclosed list; returns the number of elements of an array.
    pub fn flatten_items(
        &mut self,
        ty: QType,
        items: Items<'a>,
        span: CSpan,
        leaves: &mut Vec<Leaf<'a>>,
    ) -> Result<u64> {
        if self.types.is_scalar(ty.id) {
            self.scalar_braces(ty, 0, None, items, span, leaves)?;
            Ok(0)
        } else if let Some(text) = self.braced_string(ty, items) {
            self.string_leaf(ty, 0, text, leaves)
        } else {
            self.braced(ty, 0, items, leaves, span)
        }
    }

    fn braced_string(&self, ty: QType, items: Items<'a>) -> Option<&'a Node<StringLiteral>> {
        let (element, _) = self.types.array(ty.id)?;
        self.types.integer(element.id)?;
        match items {
            [only] if only.node.designation.is_empty() => match &only.node.initializer.node {
                Initializer::Expression(e) => match &e.node {
                    Expression::StringLiteral(text) => Some(text),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// A string for an array of characters; returns the number of elements.
    fn string_leaf(
        &mut self,
        ty: QType,
        offset: u64,
        text: &'a Node<StringLiteral>,
        leaves: &mut Vec<Leaf<'a>>,
    ) -> Result<u64> {
        let Some((_, mut elements)) = crate::literal::string(&text.node) else {
            return Err(self.error(text.span, "this is not a string"));
        };
        elements.push(0);
        let length = elements.len() as u64;
        if let Some((_, Length::Known(n))) = self.types.array(ty.id) {
            elements.truncate(usize::try_from(n).unwrap_or(usize::MAX));
        }
        leaves.push(Leaf {
            offset,
            bits: None,
            ty,
            source: Source::Text(elements),
        });
        Ok(length)
    }

    fn scalar_braces(
        &mut self,
        ty: QType,
        offset: u64,
        bits: Option<BitField>,
        items: Items<'a>,
        span: CSpan,
        leaves: &mut Vec<Leaf<'a>>,
    ) -> Result<()> {
        let Some(first) = items.first() else {
            // `int x = {};` is zero.
            return Ok(());
        };
        if !first.node.designation.is_empty() {
            return Err(self.error(span, "a scalar has no members"));
        }
        match &first.node.initializer.node {
            Initializer::Expression(e) => {
                leaves.push(Leaf {
                    offset,
                    bits,
                    ty,
                    source: Source::Expr(e),
                });
                Ok(())
            }
            Initializer::List(inner) => self.scalar_braces(ty, offset, bits, inner, span, leaves),
        }
    }

    fn fields(&self, ty: TypeId, span: CSpan) -> Result<(Rc<Vec<Field>>, bool)> {
        let record = self.types.record(ty);
        let record = record.map(|r| &self.types.records[r.0 as usize]);
        match record.and_then(|r| r.fields.clone().map(|f| (f, r.union))) {
            Some(found) => Ok(found),
            None => {
                let shown = self.types.show(ty.into());
                Err(self.error(span, format!("`{shown}` cannot be initialised")))
            }
        }
    }

    /// A brace-enclosed list; returns the number of elements of an array.
    fn braced(
        &mut self,
        ty: QType,
        base: u64,
        items: Items<'a>,
        leaves: &mut Vec<Leaf<'a>>,
        span: CSpan,
    ) -> Result<u64> {
        let mut at = 0;
        let mut next = 0u64;
        let mut most = 0u64;
        while at < items.len() {
            let item = &items[at];
            if let Some((first, rest)) = item.node.designation.split_first() {
                next = self.designated(ty, base, first, rest, items, &mut at, leaves)?;
            } else {
                let Some((sub, offset, bits)) = self.element(ty, base, next, span)? else {
                    self.warn(item.span, "there are more initialisers than members");
                    break;
                };
                self.one(sub, offset, bits, items, &mut at, leaves)?;
                next += 1;
            }
            most = most.max(next);
        }
        Ok(most)
    }

    /// The `index`-th thing to initialise in an aggregate.
    fn element(
        &mut self,
        ty: QType,
        base: u64,
        index: u64,
        span: CSpan,
    ) -> Result<Option<(QType, u64, Option<BitField>)>> {
        if let Some((element, length)) = self.types.array(ty.id) {
            if matches!(length, Length::Known(n) if index >= n) {
                return Ok(None);
            }
            if matches!(length, Length::Variable(_)) {
                return Err(self.error(span, "a variable-length array cannot be initialised"));
            }
            let size = self.size_of(element.id, span)?;
            return Ok(Some((element, base + index * size, None)));
        }
        let (fields, union) = self.fields(ty.id, span)?;
        if union && index > 0 {
            return Ok(None);
        }
        let field = fields
            .iter()
            .filter(|f| self.initialisable(f))
            .nth(index as usize);
        Ok(field.map(|f| (f.ty, base + f.offset, f.bits)))
    }

    fn initialisable(&self, field: &Field) -> bool {
        field.name.is_some() || (field.bits.is_none() && self.types.record(field.ty.id).is_some())
    }

    /// A designated element, and those that follow within the same inner aggregate. Returns the
    /// index of the next element of this aggregate.
    #[allow(clippy::too_many_arguments)]
    fn designated(
        &mut self,
        ty: QType,
        base: u64,
        first: &'a Node<Designator>,
        rest: &'a [Node<Designator>],
        items: Items<'a>,
        at: &mut usize,
        leaves: &mut Vec<Leaf<'a>>,
    ) -> Result<u64> {
        match &first.node {
            Designator::Index(e) => {
                let index = self.designated_index(ty, e)?;
                self.designated_at(ty, base, index, rest, items, at, leaves, first.span)?;
                Ok(index + 1)
            }
            Designator::Range(r) => {
                let from = self.designated_index(ty, &r.node.from)?;
                let to = self.designated_index(ty, &r.node.to)?;
                if to < from {
                    return Err(self.error(first.span, "this range is empty"));
                }
                let start = *at;
                for index in from..=to {
                    *at = start;
                    self.designated_at(ty, base, index, rest, items, at, leaves, first.span)?;
                }
                Ok(to + 1)
            }
            Designator::Member(name) => {
                let text = name.node.name.as_str();
                let (fields, _) = self.fields(ty.id, first.span)?;
                let candidates: Vec<&Field> =
                    fields.iter().filter(|f| self.initialisable(f)).collect();
                let direct = candidates
                    .iter()
                    .position(|f| f.name.as_deref() == Some(text));
                if let Some(index) = direct {
                    let index = index as u64;
                    self.designated_at(ty, base, index, rest, items, at, leaves, first.span)?;
                    return Ok(index + 1);
                }
                // A member of an anonymous member.
                for (index, field) in candidates.iter().enumerate() {
                    if field.name.is_none() {
                        if let Some(record) = self.types.record(field.ty.id) {
                            if self.types.find_field(record, text).is_some() {
                                let (sub, offset) = (field.ty, base + field.offset);
                                let next =
                                    self.designated(sub, offset, first, rest, items, at, leaves)?;
                                self.fill(sub, offset, next, items, at, leaves, first.span)?;
                                return Ok(index as u64 + 1);
                            }
                        }
                    }
                }
                let shown = self.types.show(ty);
                Err(self.error(first.span, format!("`{shown}` has no member `{text}`")))
            }
        }
    }

    fn designated_index(&mut self, ty: QType, e: &'a Node<Expression>) -> Result<u64> {
        let Some((_, length)) = self.types.array(ty.id) else {
            return Err(self.error(e.span, "this is not an array"));
        };
        let (index, _) = self.constant(e)?;
        let fits = match length {
            Length::Known(n) => index < i128::from(n),
            _ => index < 1 << 32,
        };
        if index < 0 || !fits {
            return Err(self.error(e.span, "this index lies outside of the array"));
        }
        Ok(index as u64)
    }

    #[allow(clippy::too_many_arguments)]
    fn designated_at(
        &mut self,
        ty: QType,
        base: u64,
        index: u64,
        rest: &'a [Node<Designator>],
        items: Items<'a>,
        at: &mut usize,
        leaves: &mut Vec<Leaf<'a>>,
        span: CSpan,
    ) -> Result<()> {
        // The members of a union are addressed by name, not by order.
        let found = if let Some(record) = self.types.record(ty.id) {
            let fields = self.types.records[record.0 as usize].fields.clone();
            fields.and_then(|fields| {
                let field = fields
                    .iter()
                    .filter(|f| self.initialisable(f))
                    .nth(index as usize)?;
                Some((field.ty, base + field.offset, field.bits))
            })
        } else {
            self.element(ty, base, index, span)?
        };
        let Some((sub, offset, bits)) = found else {
            return Err(self.error(span, "this index lies outside of the array"));
        };
        match rest.split_first() {
            None => self.one(sub, offset, bits, items, at, leaves),
            Some((first, rest)) => {
                let next = self.designated(sub, offset, first, rest, items, at, leaves)?;
                self.fill(sub, offset, next, items, at, leaves, span)
            }
        }
    }

    /// Initialises one thing from the item at hand (and from those after it, if it is an
    /// aggregate without braces of its own).
    fn one(
        &mut self,
        ty: QType,
        offset: u64,
        bits: Option<BitField>,
        items: Items<'a>,
        at: &mut usize,
        leaves: &mut Vec<Leaf<'a>>,
    ) -> Result<()> {
        let item = &items[*at];
        match &item.node.initializer.node {
            Initializer::List(inner) => {
                *at += 1;
                if self.types.is_scalar(ty.id) {
                    return self.scalar_braces(ty, offset, bits, inner, item.span, leaves);
                }
                if let Some(text) = self.braced_string(ty, inner) {
                    self.string_leaf(ty, offset, text, leaves)?;
                    return Ok(());
                }
                self.braced(ty, offset, inner, leaves, item.span)?;
                Ok(())
            }
            Initializer::Expression(e) => {
                if let (Some((element, _)), Expression::StringLiteral(text)) =
                    (self.types.array(ty.id), &e.node)
                {
                    if self.types.integer(element.id).is_some() {
                        *at += 1;
                        self.string_leaf(ty, offset, text, leaves)?;
                        return Ok(());
                    }
                }
                let aggregate =
                    self.types.array(ty.id).is_some() || self.types.record(ty.id).is_some();
                if aggregate {
                    let whole = self.types.record(ty.id).is_some() && {
                        let of = self.type_of(e)?;
                        self.types.record(of.id).is_some() && self.types.compatible(of.id, ty.id)
                    };
                    if !whole {
                        // Nothing to initialise: an empty structure consumes no item.
                        return self.fill(ty, offset, 0, items, at, leaves, item.span);
                    }
                }
                *at += 1;
                leaves.push(Leaf {
                    offset,
                    bits,
                    ty,
                    source: Source::Expr(e),
                });
                Ok(())
            }
        }
    }

    /// Initialises the rest of an aggregate from items without designators.
    #[allow(clippy::too_many_arguments)]
    fn fill(
        &mut self,
        ty: QType,
        base: u64,
        from: u64,
        items: Items<'a>,
        at: &mut usize,
        leaves: &mut Vec<Leaf<'a>>,
        span: CSpan,
    ) -> Result<()> {
        let mut next = from;
        let mut first = from == 0;
        while *at < items.len() && (first || items[*at].node.designation.is_empty()) {
            first = false;
            if self.types.is_scalar(ty.id) {
                return Ok(());
            }
            if from > 0 && self.is_union(ty.id) {
                return Ok(());
            }
            let Some((sub, offset, bits)) = self.element(ty, base, next, span)? else {
                return Ok(());
            };
            self.one(sub, offset, bits, items, at, leaves)?;
            next += 1;
        }
        Ok(())
    }

    fn is_union(&self, ty: TypeId) -> bool {
        let record = self.types.record(ty);
        record.is_some_and(|r| self.types.records[r.0 as usize].union)
    }

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
                    let (value, clean) = self.aside(|s| s.leaf_value(leaf.ty, e))?;
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
                    if !clean || !fold::is_constant(&self.program.exprs, value.expr) {
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
        for (index, leaf) in leaves.iter().enumerate() {
            let value = match &leaf.source {
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
