//! Splits memory into arrays that cannot overlap: a unification-based points-to analysis
//! (Steensgaard, POPL 1996), field-sensitive by byte offset in the manner of data-structure
//! analysis (Lattner, Lenharth, Adve, PLDI 2007).
//!
//! [`Partition::new`] looks at the whole program. Each load and store belongs to one [`Class`];
//! a class becomes one array from addresses to cells in the symbolic encoding. The promise:
//!
//! > Two accesses that may touch the same byte in a run without undefined behaviour are in one
//! > class, and there they either name the same cell or the class is made of bytes.
//!
//! `char` loops over structures, unions, integers made pointers and the like are covered by
//! unification: integers of any width carry the targets of the pointers that flow into them.
//!
//! # What it assumes
//!
//! Breaking one of these would be unsound; each is a rule of C or of the memory model.
//!
//! * **Pointer arithmetic stays in its object** (C11 6.5.6): the result of `p + i` points into
//!   what `p` points to, and the multiplication that scales an index does not wrap.
//! * **Addresses are not rebuilt from distances, products or quotients of addresses.** A
//!   difference of two pointers is a number; sums, masks, shifts and exclusive ors of addresses
//!   are followed.
//! * **Arbitrary pointers do not point to the program's own objects**, as the memory model says.
//! * **Effective types** (C11 6.5 §7) for unknown objects: what two arbitrary pointers reach may
//!   be the same bytes, but these are then accessed with one scalar kind (size, and whether it
//!   is a pointer) at the same address, unless flow connects the pointers. So their cells are
//!   shared by kind rather than by offset. A `char` access meets wider ones of the same object
//!   where flow connects them, and wherever one of the program's own objects was stored into
//!   unknown memory.
//! * **Indeterminate pointers of different nodes do not alias**: following a pointer that was
//!   never written is undefined in C. Following it still gives memory that reads twice the same.

mod classes;
mod graph;
pub mod reach;
mod solve;
mod stride;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::program as program_of_lines;

use prova_ir::{ExprId, ObjectId, ProcId, Program, Type};
use rustc_hash::FxHashMap;

/// A class of memory: one array of the encoding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClassId(pub u32);

impl ClassId {
    /// The id of the class at `index`.
    pub fn new(index: usize) -> Self {
        ClassId(u32::try_from(index).expect("more than 2^32 classes"))
    }

    /// The position this id stands for.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of cells that accesses may share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class {
    /// A name for people, unique: an object with an offset, `heap3.8`, `unknown.ptr`.
    pub name: String,
    /// The width all accesses agree on, or 1.
    pub cell_bytes: u32,
    /// The type all accesses agree on.
    pub cell_type: Option<Type>,
    /// Whether its cells may lie in the unknown zone by rule, that is, other than through
    /// indeterminate pointers.
    pub unknown: bool,
    /// Whether all its cells lie in static objects (unless indeterminate pointers are followed).
    pub static_only: bool,
}

/// A cell within a range of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Bytes from the start of the range.
    pub offset: u64,
    /// The class it belongs to.
    pub class: ClassId,
    /// Its size.
    pub bytes: u32,
}

/// The memory classes of a program.
#[derive(Clone, Debug, Default)]
pub struct Partition {
    classes: Vec<Class>,
    grids: Vec<Grid>,
    objects: Vec<Place>,
    addresses: FxHashMap<ExprId, Place>,
    callees: FxHashMap<ExprId, Vec<ProcId>>,
}

/// The cells of a node.
#[derive(Clone, Debug)]
struct Grid {
    /// By increasing offset, disjoint.
    spans: Vec<Span>,
    /// Offsets count modulo this unless it is zero.
    modulus: u64,
    /// One span of bytes stands for every offset.
    collapsed: bool,
}

#[derive(Clone, Copy, Debug)]
struct Span {
    offset: i64,
    size: u64,
    class: ClassId,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    grid: u32,
    /// Unknown only in nodes without cells.
    offset: Option<i64>,
}

/// More cells than the caller wanted to hear of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("more than {limit} memory cells at once")]
pub struct TooManyCells {
    /// The caller's limit.
    pub limit: usize,
}

impl Partition {
    /// Analyses a program.
    pub fn new(program: &Program) -> Partition {
        classes::classes(solve::Solver::solve(program))
    }

    /// All classes, by their ids.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// A class.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    /// The class of the loads and stores at this address expression; `None` if no statement of
    /// the analysed program loads or stores there.
    pub fn class_of(&self, address: ExprId) -> Option<ClassId> {
        let place = self.addresses.get(&address)?;
        let grid = &self.grids[place.grid as usize];
        if grid.collapsed {
            return Some(grid.spans.first()?.class);
        }
        let offset = place.offset?;
        let next = grid.spans.partition_point(|s| s.offset <= offset);
        let span = grid.spans.get(next.checked_sub(1)?)?;
        (span.offset.saturating_add_unsigned(span.size) > offset).then_some(span.class)
    }

    /// The cells that make up `size` bytes from this address, by increasing offset. Bytes that
    /// no statement reads or writes have none.
    pub fn cells(
        &self,
        address: ExprId,
        size: u64,
        limit: usize,
    ) -> Result<Vec<Cell>, TooManyCells> {
        match self.addresses.get(&address) {
            Some(&place) => self.cells_at(place, size, limit),
            None => Ok(Vec::new()),
        }
    }

    /// The cells of an object's first `size` bytes.
    pub fn object_cells(
        &self,
        object: ObjectId,
        size: u64,
        limit: usize,
    ) -> Result<Vec<Cell>, TooManyCells> {
        self.cells_at(self.objects[object.index()], size, limit)
    }

    /// The cells of an object that overlap the bytes `from..to`, with their offsets in the object.
    pub fn object_cells_in(
        &self,
        object: ObjectId,
        from: u64,
        to: u64,
        limit: usize,
    ) -> Result<Vec<Cell>, TooManyCells> {
        // No cell is wider than this, so those that reach in from outside are found too.
        const WIDEST: u64 = 16;
        let start = from.saturating_sub(WIDEST);
        let place = self.objects[object.index()];
        let place = Place {
            offset: place.offset.map(|o| o.saturating_add_unsigned(start)),
            ..place
        };
        let size = (to - start).saturating_add(WIDEST);
        let mut cells = self.cells_at(place, size, limit)?;
        for cell in &mut cells {
            cell.offset += start;
        }
        cells.retain(|c| c.offset < to && c.offset + u64::from(c.bytes) > from);
        Ok(cells)
    }

    /// Every class that cells of an object may belong to.
    pub fn object_classes(&self, object: ObjectId) -> Vec<ClassId> {
        let grid = &self.grids[self.objects[object.index()].grid as usize];
        let mut found: Vec<ClassId> = grid.spans.iter().map(|s| s.class).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The procedures a called pointer expression may stand for.
    pub fn callees(&self, pointer: ExprId) -> &[ProcId] {
        self.callees.get(&pointer).map_or(&[], Vec::as_slice)
    }

    fn cells_at(&self, place: Place, size: u64, limit: usize) -> Result<Vec<Cell>, TooManyCells> {
        let grid = &self.grids[place.grid as usize];
        let mut found = Vec::new();
        if grid.spans.is_empty() || size == 0 {
            return Ok(found);
        }
        if grid.collapsed {
            if size > limit as u64 {
                return Err(TooManyCells { limit });
            }
            let class = grid.spans[0].class;
            found.extend((0..size).map(|offset| Cell {
                offset,
                class,
                bytes: 1,
            }));
            return Ok(found);
        }
        // A range at an unknown offset collapses its node, so the offset is known here.
        let start = i128::from(place.offset.unwrap_or(0));
        let end = start + i128::from(size);
        let period = i128::from(grid.modulus);
        let mut base = 0;
        loop {
            for span in &grid.spans {
                let first = base + i128::from(span.offset);
                let last = first + i128::from(span.size);
                let bytes = self.class(span.class).cell_bytes;
                // A cell that the range cuts is not part of it; the analysis sees to it that
                // copies and the like cut bytes only.
                let mut at = first;
                if at < start {
                    let cell = i128::from(bytes);
                    at += (start - at + cell - 1) / cell * cell;
                }
                while at < last && at + i128::from(bytes) <= end {
                    if found.len() == limit {
                        return Err(TooManyCells { limit });
                    }
                    found.push(Cell {
                        offset: (at - start) as u64,
                        class: span.class,
                        bytes,
                    });
                    at += i128::from(bytes);
                }
            }
            base += period;
            // A folded node repeats from its first byte on, also before the range.
            if period != 0 && base + period < start {
                base += (start - base) / period * period;
            }
            if period == 0 || base >= end {
                return Ok(found);
            }
        }
    }
}
