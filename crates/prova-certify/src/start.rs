//! The state in which a program starts: initial values, and the contents of static memory.
//!
//! The first contents of a class are the free array `mem0[…]`, with facts about its cells. Where
//! all cells of a class lie in static objects, it is an array of zeros with the other cells
//! stored into it: exact inside the objects, and no other address of the class can be read by a
//! valid access. A cell that nothing is said of is arbitrary, which is always sound.

use crate::machine::Machine;
use crate::path::Path;
use crate::script::Term;
use prova_exec::points_to::{Cell, ClassId};
use prova_ir::{Initial, ObjectId, RegId, Storage};
use std::collections::{BTreeMap, BTreeSet};

/// Of an object with more cells only those that are not zero are looked at, and not more.
const LARGE: usize = 4096;

impl Machine<'_> {
    /// A path that stands at the entry of the program.
    pub fn start(&mut self) -> Path {
        let program = self.program;
        let mut path = Path::new(self.now.clone());
        let parameters = program.entry.map(|p| &program.procedure(p).parameters);
        for (i, register) in program.registers.iter().enumerate() {
            let argument = parameters.is_some_and(|p| p.contains(&RegId::new(i)));
            match register.initial {
                Some(value) if register.owner.is_none() => {
                    path.state[i] = self.value(&mut path, value);
                }
                _ if register.owner.is_none() || argument => path.forget(self, i),
                _ => {}
            }
        }
        let top = self.top();
        path.state[top] = self.addresses[self.addresses.len() - 1];
        self.static_memory(&mut path);
        path
    }

    fn static_memory(&mut self, path: &mut Path) {
        let mut contents: BTreeMap<ClassId, Vec<(Term, Option<Term>)>> = BTreeMap::new();
        // Classes of which not all cells that are not zero are known.
        let mut arbitrary: BTreeSet<ClassId> = BTreeSet::new();
        for (i, object) in self.program.objects.iter().enumerate() {
            let Storage::Static { initial, .. } = &object.storage else { continue };
            let id = ObjectId::new(i);
            let bytes = self.bytes(path, initial);
            let ends = (bytes.first_key_value(), bytes.last_key_value());
            let said = ends.0.map_or(0, |b| *b.0)..ends.1.map_or(0, |b| b.0 + 1);
            let some = |_| self.partition.object_cells_in(id, said.start, said.end, LARGE);
            let Ok(cells) = self.partition.object_cells(id, object.size, LARGE).or_else(some)
            else {
                arbitrary.extend(self.partition.object_classes(id));
                continue;
            };
            for cell in cells {
                let bits = self.content(&bytes, &cell);
                let at = self.offset(self.addresses[i], cell.offset);
                contents.entry(cell.class).or_default().push((at, bits));
            }
        }
        for (i, class) in self.partition.classes().iter().enumerate() {
            let (id, first) = (ClassId::new(i), self.first[i]);
            let (place, zero) = (self.memory(id), self.script.bits(0, class.cell_bytes * 8));
            let from_zeros = class.static_only && !arbitrary.contains(&id);
            let zeros = format!("(as const {})", self.script.sort(first));
            path.state[place] = if from_zeros { self.script.apply(&zeros, &[zero]) } else { first };
            for (at, bits) in contents.remove(&id).unwrap_or_default() {
                if !from_zeros {
                    let cell = self.script.apply("select", &[first, at]);
                    let same = self.script.apply("=", &[cell, bits.unwrap_or(zero)]);
                    self.script.assume(first, same);
                } else if let Some(bits) = bits {
                    path.state[place] = self.script.apply("store", &[path.state[place], at, bits]);
                }
            }
        }
    }

    fn bytes(&mut self, path: &mut Path, initial: &[(u64, Initial)]) -> BTreeMap<u64, Term> {
        let mut bytes = BTreeMap::new();
        for (offset, part) in initial {
            let part: Vec<Term> = match part {
                Initial::Bytes(raw) => raw.iter().map(|&b| self.script.bits(b.into(), 8)).collect(),
                Initial::Value(expr) => {
                    let value = self.value(path, *expr);
                    let bits = self.untyped(path, value, self.program.exprs.ty(*expr));
                    let count = u64::from(self.script.width(bits) / 8);
                    (0..count).map(|i| self.byte(bits, i)).collect()
                }
            };
            bytes.extend((*offset..).zip(part));
        }
        bytes
    }

    /// The bits of a cell; `None` if nothing is said of any of its bytes.
    fn content(&mut self, bytes: &BTreeMap<u64, Term>, cell: &Cell) -> Option<Term> {
        let range = cell.offset..cell.offset + u64::from(cell.bytes);
        let said = bytes.range(range.clone()).next().is_some();
        let zero = self.script.bits(0, 8);
        let all: Vec<Term> = range.map(|at| *bytes.get(&at).unwrap_or(&zero)).collect();
        said.then(|| self.whole(&all))
    }
}
