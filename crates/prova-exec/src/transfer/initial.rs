//! The state in which a program starts.
//!
//! Memory starts as the free arrays `mem0[class]` with the contents of static objects stored
//! into them. Storing each cell of a large table would burden every later query; where all cells
//! of a class lie in static objects, its array starts as all zeros instead, and only what
//! differs is stored. That is exact for addresses inside the objects, and no other address of
//! the class can be read without following an indeterminate pointer. Objects that are too large
//! and of mixed classes keep arbitrary contents, which over-approximates, and are named.

use super::{align, Composer, Input, Receiver, Transfer};
use crate::points_to::{Cell, ClassId};
use crate::state_vars::{sort_of, StateVar};
use crate::translate::{cells, translate, Context, Unencodable};
use prova_ir::{Initial as Content, ObjectId, Origin, RegId, Storage, Type};
use prova_logic::{Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// Cells beyond this are not stored one by one.
const LARGE: usize = 4096;
/// A class with more zero cells than this starts as all zeros where it may.
const MANY_ZEROS: usize = 16;

/// The first state.
#[derive(Clone, Debug)]
pub struct Initial {
    /// Gives every global register, the memory arrays and the top of the heap their values.
    pub transfer: Transfer,
    /// Static objects whose contents are left arbitrary because they are too large. Proofs stay
    /// sound; a predicted test may run differently.
    pub arbitrary: Vec<ObjectId>,
}

/// The state at the start of the program.
pub fn initial(terms: &mut Terms, context: Context) -> Result<Initial, Unencodable> {
    let mut composer = Composer::new(context);
    registers(terms, context, &mut composer)?;
    let mut arbitrary = Vec::new();
    let mut stores: Vec<(Term, Cell, Term)> = Vec::new();
    let mut zeros: BTreeMap<ClassId, usize> = BTreeMap::new();
    for (i, object) in context.program.objects.iter().enumerate() {
        let id = ObjectId::new(i);
        let Storage::Static { initial, .. } = &object.storage else {
            continue;
        };
        let parts = parts(terms, context, initial)?;
        match context.partition.object_cells(id, object.size, LARGE) {
            Ok(cells) => {
                for cell in cells {
                    let value = content(terms, &parts, &cell);
                    if terms.as_u64(value) == Some(0) {
                        *zeros.entry(cell.class).or_insert(0) += 1;
                    }
                    stores.push((context.vars.base(id), cell, value));
                }
            }
            Err(_) => large(terms, context, id, &parts, &mut stores, &mut zeros)
                .unwrap_or_else(|| arbitrary.push(id)),
        }
    }
    let blocked: BTreeSet<ClassId> = arbitrary
        .iter()
        .flat_map(|&o| context.partition.object_classes(o))
        .collect();
    for (i, class) in context.partition.classes().iter().enumerate() {
        let id = ClassId::new(i);
        let many = zeros.get(&id).is_some_and(|&n| n > MANY_ZEROS);
        let start = if class.static_only && many && !blocked.contains(&id) {
            let zero = terms.bv(0, class.cell_bytes * 8);
            terms.const_array(context.program.model.pointer_bits(), zero)
        } else {
            zeros.remove(&id);
            context.vars.initial_memory[i]
        };
        composer.set(StateVar::Memory(id), start);
    }
    for (base, cell, value) in stores {
        // What is left in `zeros` are the classes that start as zeros.
        if zeros.contains_key(&cell.class) && terms.as_u64(value) == Some(0) {
            continue;
        }
        composer.write_cell(terms, base, &cell, value);
    }
    composer.set(StateVar::HeapTop, context.vars.heap());
    Ok(Initial {
        transfer: composer.finish(),
        arbitrary,
    })
}

fn registers(
    terms: &mut Terms,
    context: Context,
    composer: &mut Composer,
) -> Result<(), Unencodable> {
    let program = context.program;
    for (i, register) in program.registers.iter().enumerate() {
        let id = RegId::new(i);
        let entry = program.entry.map(|p| program.procedure(p));
        let argument = entry.is_some_and(|p| p.parameters.contains(&id));
        match register.initial {
            Some(value) if register.owner.is_none() => {
                let value = translate(terms, context, value, context.vars, &mut Vec::new())?;
                composer.set(StateVar::Register(id), value);
            }
            _ if register.owner.is_none() || argument => {
                let sort = sort_of(register.ty, program.model);
                let var = terms.fresh(&format!("in.{}@start", register.name), sort);
                if register.ty == Type::Ptr {
                    let align = align::pointee(program, register.ctype);
                    let valid = context.vars.arbitrary_pointer(terms, var, align);
                    composer.assume(terms, valid);
                }
                composer.inputs.push(Input {
                    var,
                    origin: Origin::Entry,
                    ty: register.ty,
                    receiver: Receiver::Register(id),
                });
                composer.set(StateVar::Register(id), var);
            }
            _ => {}
        }
    }
    Ok(())
}

/// A part of an object's contents: bits, or raw bytes.
enum Part<'a> {
    Bits(Term),
    Bytes(&'a [u8]),
}

fn parts<'a>(
    terms: &mut Terms,
    context: Context,
    initial: &'a [(u64, Content)],
) -> Result<BTreeMap<u64, (u64, Part<'a>)>, Unencodable> {
    let mut parts = BTreeMap::new();
    for (offset, content) in initial {
        let (size, part) = match content {
            Content::Bytes(bytes) => (bytes.len() as u64, Part::Bytes(bytes)),
            Content::Value(value) => {
                let ty = context.program.exprs.ty(*value);
                let term = translate(terms, context, *value, context.vars, &mut Vec::new())?;
                let bits = cells::to_bits(terms, term, ty, context.program.model);
                (u64::from(terms.width(bits)) / 8, Part::Bits(bits))
            }
        };
        parts.insert(*offset, (size, part));
    }
    Ok(parts)
}

/// What a cell of an object holds at first: zero where nothing is said.
fn content(terms: &mut Terms, parts: &BTreeMap<u64, (u64, Part)>, cell: &Cell) -> Term {
    let bytes = u64::from(cell.bytes);
    if let Some((size, Part::Bits(bits))) = parts.get(&cell.offset) {
        if *size == bytes {
            return *bits;
        }
    }
    let mut whole: Option<Term> = None;
    for at in cell.offset..cell.offset + bytes {
        let part = parts.range(..=at).next_back();
        let byte = match part {
            Some((start, (size, part))) if at - start < *size => match part {
                Part::Bytes(raw) => terms.bv(u128::from(raw[(at - start) as usize]), 8),
                Part::Bits(bits) => {
                    let low = ((at - start) * 8) as u32;
                    terms.extract(*bits, low + 7, low)
                }
            },
            _ => terms.bv(0, 8),
        };
        whole = Some(match whole {
            Some(rest) => terms.concat(byte, rest),
            None => byte,
        });
    }
    whole.unwrap_or_else(|| terms.bv(0, 8))
}

/// A large object of classes that may start as zeros: only the cells its parts speak of are
/// stored. `None` if that is not possible.
fn large(
    terms: &mut Terms,
    context: Context,
    id: ObjectId,
    parts: &BTreeMap<u64, (u64, Part)>,
    stores: &mut Vec<(Term, Cell, Term)>,
    zeros: &mut BTreeMap<ClassId, usize>,
) -> Option<()> {
    let partition = context.partition;
    let classes = partition.object_classes(id);
    if !classes.iter().all(|&c| partition.class(c).static_only) {
        return None;
    }
    let mut found = Vec::new();
    for (&offset, (size, _)) in parts {
        let size = *size;
        let cells = partition.object_cells_in(id, offset, offset + size, LARGE);
        for cell in cells.ok()? {
            let value = content(terms, parts, &cell);
            found.push((context.vars.base(id), cell, value));
        }
        if found.len() > 4 * LARGE {
            return None;
        }
    }
    stores.extend(found);
    for class in classes {
        *zeros.entry(class).or_insert(0) += MANY_ZEROS + 1;
    }
    Some(())
}
