//! Where objects, functions and the heap lie. C leaves it open; a run needs one choice, and a
//! solver's model may ask for a particular one.

use prova_ir::{DataModel, Object, ObjectId, Pinned, ProcId, Program};
use std::ops::Range;

/// Addresses of everything that has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Of each object.
    pub objects: Vec<u64>,
    /// Of each procedure.
    pub functions: Vec<u64>,
    /// Where allocation starts.
    pub heap: u64,
}

/// Bytes a function takes: it has an address, nothing can be read there.
pub const FUNCTION_SIZE: u64 = 16;

/// Why no layout could be made or accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// The objects do not fit the address space.
    #[error("the program's objects need more than the {0} bytes there are for them")]
    TooLarge(u64),
    /// A base is null, misaligned, in the unknown zone, or overlaps another.
    #[error("`{0}` cannot lie at {1:#x}")]
    Bad(String, u64),
}

/// The addresses that stand for objects nobody declared: an arbitrary pointer is null or points
/// there. Disjoint from everything else.
pub fn unknown_zone(model: DataModel) -> Range<u64> {
    model.unknown_zone()
}

/// How many bytes can be allocated in a run.
pub fn heap_size(model: DataModel) -> u64 {
    model.heap_size()
}

fn default_heap(model: DataModel) -> u64 {
    match model {
        DataModel::Lp64 => 0x2000_0000_0000,
        DataModel::Ilp32 => 0x2f00_0000,
    }
}

/// Where an object lies if that is not open.
pub fn pinned(object: &Object, model: DataModel, heap: u64) -> Option<u64> {
    object.pinned().map(|pinned| match pinned {
        Pinned::HeapStart => heap,
        Pinned::Table => model.ghost_zone().start,
    })
}

impl Layout {
    /// Objects one behind the other with a gap between, aligned to 16 at least.
    pub fn sequential(program: &Program) -> Result<Self, LayoutError> {
        let limit = default_heap(program.model);
        let mut next = 0x1_0000u64;
        let mut place = |size: u64, align: u64| {
            let align = align.max(16);
            let at = next.checked_next_multiple_of(align)?;
            next = at.checked_add(size)?.checked_add(16)?;
            (next <= limit).then_some(at)
        };
        let too_large = LayoutError::TooLarge(limit);
        let mut objects = Vec::with_capacity(program.objects.len());
        for object in &program.objects {
            objects.push(match pinned(object, program.model, limit) {
                Some(at) => at,
                None => place(object.size, object.align).ok_or(too_large.clone())?,
            });
        }
        let mut functions = Vec::with_capacity(program.procedures.len());
        for _ in &program.procedures {
            functions.push(place(FUNCTION_SIZE, 16).ok_or(too_large.clone())?);
        }
        Ok(Self {
            objects,
            functions,
            heap: limit,
        })
    }

    /// The base of an object.
    pub fn object(&self, id: ObjectId) -> u64 {
        self.objects[id.index()]
    }

    /// The address of a function.
    pub fn function(&self, id: ProcId) -> u64 {
        self.functions[id.index()]
    }

    /// Checks that everything is non-null, aligned, disjoint and outside the unknown zone.
    pub fn check(&self, program: &Program) -> Result<(), LayoutError> {
        let model = program.model;
        let space = u128::from(model.address_end());
        let mut ranges: Vec<(u64, u64, String)> = Vec::new();
        let zone = unknown_zone(model).start..model.ghost_zone().end;
        ranges.push((zone.start, zone.end - zone.start, "the unknown zone".into()));
        ranges.push((self.heap, heap_size(model), "the heap".into()));
        if !self.heap.is_multiple_of(1 << model.slot_bits()) {
            return Err(LayoutError::Bad("the heap".into(), self.heap));
        }
        for (object, &base) in program.objects.iter().zip(&self.objects) {
            if let Some(at) = pinned(object, model, self.heap) {
                if at != base {
                    return Err(LayoutError::Bad(object.name.clone(), base));
                }
                continue;
            }
            if !base.is_multiple_of(object.align.max(1)) {
                return Err(LayoutError::Bad(object.name.clone(), base));
            }
            ranges.push((base, object.size.max(1), object.name.clone()));
        }
        for (procedure, &base) in program.procedures.iter().zip(&self.functions) {
            ranges.push((base, FUNCTION_SIZE, procedure.name.clone()));
        }
        ranges.sort();
        let mut free_from = 0x1000u128;
        for (base, size, name) in ranges {
            let end = u128::from(base) + u128::from(size);
            if u128::from(base) < free_from || end > space {
                return Err(LayoutError::Bad(name, base));
            }
            free_from = end;
        }
        Ok(())
    }
}
