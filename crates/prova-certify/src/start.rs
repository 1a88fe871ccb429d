//! The state in which a program starts: initial values, and the contents of static memory.
//!
//! The first contents of a class are the free array `mem0[…]`, with the cells of static objects
//! stored into it. Where all cells of a class lie in static objects, it is an array of zeros: exact inside the objects, and no other address of the class can be read by a
//! valid access. A cell that nothing is said of is arbitrary, which is always sound.

use crate::machine::Machine;
use crate::path::Path;
use prova_exec::points_to::ClassId;
use prova_formula::Term;
use prova_ir::{Initial, ObjectId, RegId, Storage};
use std::collections::BTreeMap;

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
        for (i, class) in self.partition.classes().iter().enumerate() {
            let (first, zero) = (self.first[i], self.script.bits(0, class.cell_bytes * 8));
            let zeros = format!("(as const {})", self.script.sort(first));
            let zeros = self.script.apply(&zeros, &[zero]);
            let place = self.memory(ClassId::new(i));
            path.state[place] = if class.static_only { zeros } else { first };
        }
        for (i, object) in self.program.objects.iter().enumerate() {
            let Storage::Static { initial, .. } = &object.storage else { continue };
            let (id, zero) = (ObjectId::new(i), self.script.bits(0, 8));
            let bytes = self.bytes(path, initial);
            let start = bytes.first_key_value().map_or(0, |b| *b.0);
            let end = bytes.last_key_value().map_or(0, |b| b.0 + 1);
            let said = |_| self.partition.object_cells_in(id, start, end, LARGE);
            let cells = self.partition.object_cells(id, object.size, LARGE).or_else(said);
            if cells.is_err() {
                for class in self.partition.object_classes(id) {
                    let place = self.memory(class);
                    path.state[place] = self.first[class.index()];
                }
            }
            for cell in cells.unwrap_or_default() {
                let range = cell.offset..cell.offset + u64::from(cell.bytes);
                let said = bytes.range(range.clone()).next().is_some();
                if said || !self.partition.class(cell.class).static_only {
                    let all: Vec<Term> = range.map(|b| *bytes.get(&b).unwrap_or(&zero)).collect();
                    let at = self.offset(self.addresses[i], cell.offset);
                    let bits = self.whole(&all);
                    self.write(path, cell.class, at, bits);
                }
            }
        }
    }

    /// What is said of the bytes of an object.
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
}
