//! Initialisers that take back what earlier ones said (C11 6.7.9 §19), as gcc reads them.
//!
//! | in a list | what is left of what stood before |
//! |---|---|
//! | `.a[1] = 5, .a = { … }` | nothing of `a`: braces are about all of it |
//! | `.s = v, .s.x = 3` | nothing of `v`: what is not mentioned again is zero |
//! | `.text = "hello", .text[1] = 'u'` | the other characters |
//! | `.first = 1, .second = 2` of a union | nothing |
//! | `[0] = f(), [0] = 2` | nothing: `f` is not called |

use super::init::{Leaf, Source};
use super::*;
use crate::types::BitField;
use std::ops::Range;

/// Something that may take back earlier leaves.
struct Cleared {
    /// How many leaves stood before it.
    before: usize,
    bits: Range<u64>,
    /// A union's type and which of its members is spoken of; otherwise these are braces.
    member: Option<(TypeId, u64)>,
}

/// Leaves in the order of the text, and what lies between them.
#[derive(Default)]
pub(crate) struct Leaves<'a> {
    list: Vec<Leaf<'a>>,
    cleared: Vec<Cleared>,
}

impl<'a> Leaves<'a> {
    pub fn push(&mut self, leaf: Leaf<'a>) {
        self.list.push(leaf);
    }
}

impl<'a> Lowerer<'a> {
    /// The bits that something of this type takes at an offset, to the end if nobody knows.
    fn taken_bits(&self, ty: TypeId, offset: u64, bits: Option<BitField>) -> Range<u64> {
        if let Some(field) = bits {
            let start = offset * 8 + u64::from(field.shift);
            return start..start + u64::from(field.width);
        }
        let size = layout::size_of(&self.types, self.model, ty);
        let end = size.map_or(u64::MAX, |s| (offset + s).saturating_mul(8));
        offset * 8..end
    }

    /// Braces stand for all of an aggregate.
    pub fn braces(&self, ty: QType, offset: u64, leaves: &mut Leaves<'a>) {
        leaves.cleared.push(Cleared {
            before: leaves.list.len(),
            bits: self.taken_bits(ty.id, offset, None),
            member: None,
        });
    }

    /// A union has one member at a time.
    pub fn union_member(&self, ty: QType, offset: u64, index: u64, leaves: &mut Leaves<'a>) {
        let record = self.types.record(ty.id);
        if record.is_some_and(|r| self.types.records[r.0 as usize].union) {
            leaves.cleared.push(Cleared {
                before: leaves.list.len(),
                bits: self.taken_bits(ty.id, offset, None),
                member: Some((ty.id, index)),
            });
        }
    }

    /// What is left when the list is read to its end.
    pub fn not_overridden(&self, leaves: Leaves<'a>) -> Vec<Leaf<'a>> {
        let ranges: Vec<Range<u64>> = leaves
            .list
            .iter()
            .map(|l| self.taken_bits(l.ty.id, l.offset, l.bits))
            .collect();
        let mut clears = leaves.cleared.iter().peekable();
        let mut end = 0;
        let in_order = ranges.iter().enumerate().all(|(index, range)| {
            let mut fine = range.start >= end;
            while let Some(clear) = clears.next_if(|c| c.before <= index) {
                fine &= clear.bits.start >= end;
            }
            end = range.end;
            fine
        });
        if in_order && clears.all(|c| c.bits.start >= end) {
            return leaves.list;
        }
        let mut kept: Vec<(Range<u64>, Leaf<'a>)> = Vec::new();
        let mut members: FxHashMap<(u64, TypeId), u64> = FxHashMap::default();
        let mut clears = leaves.cleared.into_iter().peekable();
        let mut take_back = |kept: &mut Vec<(Range<u64>, Leaf<'a>)>, clear: Cleared| {
            let bits = clear.bits;
            let other = match clear.member {
                None => true,
                Some((ty, index)) => {
                    let before = members.insert((bits.start, ty), index);
                    before.is_some_and(|b| b != index)
                }
            };
            if other {
                kept.retain(|(earlier, leaf)| self.survives(earlier, leaf, &bits));
            }
        };
        for (index, (leaf, range)) in leaves.list.into_iter().zip(ranges).enumerate() {
            while let Some(clear) = clears.next_if(|c| c.before <= index) {
                take_back(&mut kept, clear);
            }
            kept.retain(|(earlier, old)| self.survives(earlier, old, &range));
            kept.push((range, leaf));
        }
        clears.for_each(|clear| take_back(&mut kept, clear));
        kept.into_iter().map(|(_, leaf)| leaf).collect()
    }

    /// Whether an earlier leaf still says something when these bits are spoken of again.
    fn survives(&self, earlier: &Range<u64>, leaf: &Leaf<'a>, bits: &Range<u64>) -> bool {
        let inside = bits.start <= earlier.start && earlier.end <= bits.end;
        let around = earlier.start <= bits.start && bits.end <= earlier.end;
        let whole = matches!(leaf.source, Source::Expr(_));
        !(inside || around && whole)
    }
}
