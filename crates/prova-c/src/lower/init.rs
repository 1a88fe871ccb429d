//! Initialisers (C11 6.7.9): braces, designators and elided braces are flattened into leaves, each
//! a scalar, a string or a whole structure at an offset; leaves become static contents or stores.

use super::overridden::Leaves;
use super::*;
use crate::types::{BitField, Field};
use lang_c::ast::*;
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

type Items<'a> = &'a [Node<InitializerListItem>];

impl<'a> Lowerer<'a> {
    /// Flattens an initialiser; the type comes back with its array length filled in.
    pub fn flatten(
        &mut self,
        ty: QType,
        init: &'a Node<Initializer>,
    ) -> Result<(QType, Vec<Leaf<'a>>)> {
        let mut leaves = Leaves::default();
        let mut length = 0;
        match &init.node {
            Initializer::List(items) => {
                length = self.flatten_list(ty, items, init.span, &mut leaves)?;
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
        Ok((ty, self.not_overridden(leaves)))
    }

    /// Flattens a brace-enclosed list; returns the number of elements of an array, too.
    pub fn flatten_items(
        &mut self,
        ty: QType,
        items: Items<'a>,
        span: CSpan,
    ) -> Result<(u64, Vec<Leaf<'a>>)> {
        let mut leaves = Leaves::default();
        let length = self.flatten_list(ty, items, span, &mut leaves)?;
        Ok((length, self.not_overridden(leaves)))
    }

    fn flatten_list(
        &mut self,
        ty: QType,
        items: Items<'a>,
        span: CSpan,
        leaves: &mut Leaves<'a>,
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
        leaves: &mut Leaves<'a>,
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
        leaves: &mut Leaves<'a>,
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
        leaves: &mut Leaves<'a>,
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
                self.union_member(ty, base, next, leaves);
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
        leaves: &mut Leaves<'a>,
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
        leaves: &mut Leaves<'a>,
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
        self.union_member(ty, base, index, leaves);
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
        leaves: &mut Leaves<'a>,
    ) -> Result<()> {
        let item = &items[*at];
        match &item.node.initializer.node {
            Initializer::List(inner) => {
                *at += 1;
                if self.types.is_scalar(ty.id) {
                    return self.scalar_braces(ty, offset, bits, inner, item.span, leaves);
                }
                self.braces(ty, offset, leaves);
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
        leaves: &mut Leaves<'a>,
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
            self.union_member(ty, base, next, leaves);
            self.one(sub, offset, bits, items, at, leaves)?;
            next += 1;
        }
        Ok(())
    }

    fn is_union(&self, ty: TypeId) -> bool {
        let record = self.types.record(ty);
        record.is_some_and(|r| self.types.records[r.0 as usize].union)
    }
}
