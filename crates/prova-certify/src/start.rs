//! The state in which a program starts: initial values, and the contents of static memory.
//!
//! The first contents of a class are the free array `mem0[…]`, and what is known of its cells
//! are facts of that array; but where its cells are pointers, of which `mem0[…]` says that they
//! are arbitrary, those that are not null are stored into it. Where all cells of a class lie in static objects and many are zero,
//! it is an array of zeros with the other cells stored into it: exact inside the objects, and no
//! other address of the class can be read by a valid access. A cell that nothing is said of here
//! is arbitrary, which is always sound.

use crate::expression::{offset, to_bits};
use crate::path::{Path, Steps};
use crate::script::Term;
use crate::Failure;
use prova_exec::points_to::{Cell, ClassId};
use prova_ir::{Initial, ObjectId, RegId, Storage, Type};
use std::collections::{BTreeMap, BTreeSet};

/// An object with more cells than this is looked at part by part.
const LARGE: usize = 4096;
/// Zeros beyond this number make an array of zeros.
const ZEROS: usize = 16;

/// What a cell holds at first: the object, the cell, its bits; `None` for zero.
type Content = (ObjectId, Cell, Option<Term>);

impl Steps<'_> {
    /// A path that stands at the entry of the program.
    pub fn start(&mut self) -> Result<Path, Failure> {
        let program = self.words.program;
        let mut path = Path::new(self.words.now.clone());
        let entry = program.entry.map(|p| &program.procedure(p).parameters);
        for (i, register) in program.registers.iter().enumerate() {
            let id = RegId::new(i);
            let argument = entry.is_some_and(|p| p.contains(&id));
            path.values.registers[i] = match register.initial {
                Some(value) if register.owner.is_none() => self.value(&mut path, value)?,
                _ if register.owner.is_none() || argument => self.fresh_register(&mut path, id)?,
                _ => continue,
            };
        }
        path.values.heap_top = self.words.heap;
        self.static_memory(&mut path)?;
        Ok(path)
    }

    fn static_memory(&mut self, path: &mut Path) -> Result<(), Failure> {
        let partition = self.words.partition;
        let mut contents: BTreeMap<ClassId, Vec<Content>> = BTreeMap::new();
        // Classes with an object of which not every cell that is not zero is known.
        let mut arbitrary: BTreeSet<ClassId> = BTreeSet::new();
        // Classes with an object of which the zeros were not listed.
        let mut sparse: BTreeSet<ClassId> = BTreeSet::new();
        for i in 0..self.words.program.objects.len() {
            let id = ObjectId::new(i);
            let object = self.words.program.object(id);
            let Storage::Static { initial, .. } = &object.storage else {
                continue;
            };
            let parts = self.parts(path, initial)?;
            let cells = match partition.object_cells(id, object.size, LARGE) {
                Ok(cells) => cells,
                Err(_) => {
                    let classes = partition.object_classes(id);
                    sparse.extend(&classes);
                    let mut found = Vec::new();
                    for (&from, bits) in &parts {
                        let to = from + bits.len() as u64;
                        match partition.object_cells_in(id, from, to, LARGE) {
                            Ok(cells) if found.len() <= LARGE => found.extend(cells),
                            _ => arbitrary.extend(&classes),
                        }
                    }
                    found.sort_by_key(|c| (c.offset, c.class));
                    found.dedup();
                    found
                }
            };
            for cell in cells {
                let bits = self.content(&parts, &cell)?;
                contents
                    .entry(cell.class)
                    .or_default()
                    .push((id, cell, bits));
            }
        }
        for (i, class) in partition.classes().iter().enumerate() {
            let id = ClassId::new(i);
            let cells = contents.remove(&id).unwrap_or_default();
            let zeros = cells.iter().filter(|c| c.2.is_none()).count();
            let many = zeros > ZEROS || sparse.contains(&id);
            let zero = self.script.bits(0, class.cell_bytes * 8);
            let mut memory = self.words.first[i];
            let from_zeros = class.static_only && many && !arbitrary.contains(&id);
            let stored = from_zeros || class.cell_type == Some(Type::Ptr);
            if from_zeros {
                let array = format!("(as const {})", self.script.sort(memory));
                memory = self.script.apply(&array, &[zero])?;
            }
            for (object, cell, bits) in cells {
                let at = offset(&mut self.script, self.words.object(object), cell.offset)?;
                match bits {
                    Some(bits) if stored => {
                        memory = self.script.apply("store", &[memory, at, bits])?;
                    }
                    None if from_zeros => {}
                    bits => {
                        let first = self.words.first[i];
                        let cell = self.script.apply("select", &[first, at])?;
                        let same = self.script.apply("=", &[cell, bits.unwrap_or(zero)])?;
                        self.script.assume(first, same);
                    }
                }
            }
            path.values.memory[i] = memory;
        }
        Ok(())
    }

    /// The bytes of an object that something is said of, by offset.
    fn parts(
        &mut self,
        path: &mut Path,
        initial: &[(u64, Initial)],
    ) -> Result<BTreeMap<u64, Vec<Term>>, Failure> {
        let mut parts = BTreeMap::new();
        for (offset, part) in initial {
            let bytes: Vec<Term> = match part {
                Initial::Bytes(raw) => raw
                    .iter()
                    .map(|&b| self.script.bits(u128::from(b), 8))
                    .collect(),
                Initial::Value(expr) => {
                    let program = self.words.program;
                    let value = self.value(path, *expr)?;
                    let ty = program.exprs.ty(*expr);
                    let bits = to_bits(&mut self.script, value, ty, program.model)?;
                    let byte = |i: u32| format!("(_ extract {} {})", i * 8 + 7, i * 8);
                    let count = self.script.width(bits) / 8;
                    (0..count)
                        .map(|i| self.script.apply(&byte(i), &[bits]))
                        .collect::<Result<_, _>>()?
                }
            };
            parts.insert(*offset, bytes);
        }
        Ok(parts)
    }

    /// The bits of a cell; `None` if nothing is said of any of its bytes.
    fn content(
        &mut self,
        parts: &BTreeMap<u64, Vec<Term>>,
        cell: &Cell,
    ) -> Result<Option<Term>, Failure> {
        let mut said = false;
        let mut whole: Option<Term> = None;
        for at in cell.offset..cell.offset + u64::from(cell.bytes) {
            let part = parts.range(..=at).next_back();
            let byte = part.and_then(|(start, bytes)| bytes.get((at - start) as usize));
            said |= byte.is_some();
            let byte = byte.copied().unwrap_or_else(|| self.script.bits(0, 8));
            whole = Some(match whole {
                Some(rest) => self.script.apply("concat", &[byte, rest])?,
                None => byte,
            });
        }
        Ok(whole.filter(|_| said))
    }
}
