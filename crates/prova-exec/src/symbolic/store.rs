//! Memory with terms: per class a log of writes, and arrays made from it when somebody asks.

use super::values::{wide_bits, Kind, SymVal};
use super::Symbolic;
use crate::points_to::ClassId;
use crate::translate::{cells, Unencodable};
use prova_logic::Term;
use rustc_hash::{FxHashMap, FxHashSet};

/// A cell that was written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    /// From this state on.
    pub(super) state: u32,
    pub(super) address: SymVal,
    /// The cell's bits, low half first.
    pub(super) value: [SymVal; 2],
}

/// The cells of a class.
pub(super) struct ClassStore {
    /// Contents at the start.
    start: Term,
    writes: Vec<Write>,
    /// The last write to each address that is an object with an offset, or a number.
    last: FxHashMap<(u64, Kind), u32>,
    /// The last write through an address that is a term: it may have hit any cell.
    last_unsure: Option<u32>,
    /// First contents read so far.
    first: FxHashMap<(u64, Kind), [SymVal; 2]>,
    /// The array after so many writes.
    latest: (usize, Term),
}

/// A few stores are appended one by one; more are first freed of those that others cover.
const FEW: usize = 32;

impl ClassStore {
    pub(super) fn new(start: Term) -> Self {
        ClassStore {
            start,
            writes: Vec::new(),
            last: FxHashMap::default(),
            last_unsure: None,
            first: FxHashMap::default(),
            latest: (0, start),
        }
    }

    /// How many writes a state has behind it.
    pub(super) fn count_at(&self, state: u32) -> usize {
        self.writes.partition_point(|w| w.state <= state)
    }
}

impl Symbolic<'_> {
    /// Writes a cell.
    pub(super) fn write_cell(&mut self, class: ClassId, write: Write) {
        let store = &mut self.classes[class.index()];
        let index = store.writes.len() as u32;
        match write.address.kind {
            Kind::Term(_) => store.last_unsure = Some(index),
            kind => {
                store.last.insert((write.address.bits, kind), index);
            }
        }
        store.writes.push(write);
    }

    /// Reads a cell that holds these bits.
    pub(super) fn read_cell(
        &mut self,
        step: u32,
        class: ClassId,
        address: SymVal,
        bits: [u64; 2],
    ) -> [SymVal; 2] {
        let key = (address.bits, address.kind);
        let store = &self.classes[class.index()];
        if !matches!(address.kind, Kind::Term(_)) {
            let last = store.last.get(&key).copied();
            match (last, store.last_unsure) {
                (Some(last), unsure) if unsure.is_none_or(|u| u < last) => {
                    let value = store.writes[last as usize].value;
                    if wide_bits(value) != bits {
                        // Two objects met by luck of the layout: an access outside its object.
                        self.fail(step, Unencodable::CellsDiffer);
                        return bits.map(SymVal::known);
                    }
                    return value;
                }
                (None, None) => {
                    if let Some(&known) = store.first.get(&key) {
                        return known;
                    }
                    let (start, at) = (store.start, self.address(address));
                    let term = self.terms.select(start, at);
                    let value = self.of_term(term, bits);
                    self.classes[class.index()].first.insert(key, value);
                    return value;
                }
                _ => {}
            }
        }
        let count = self.classes[class.index()].writes.len();
        let array = self.array(class, count);
        let at = self.address(address);
        let term = self.terms.select(array, at);
        self.of_term(term, bits)
    }

    /// The array after the first `count` writes.
    pub(super) fn array(&mut self, class: ClassId, count: usize) -> Term {
        let store = &self.classes[class.index()];
        let (done, term) = store.latest;
        if done == count {
            return term;
        }
        let cell = self.context.partition.class(class).cell_bytes;
        let (mut array, wanted): (Term, Vec<Write>) = if done < count && count - done <= FEW {
            (term, store.writes[done..count].to_vec())
        } else {
            let mut covered = FxHashSet::default();
            let mut kept: Vec<Write> = Vec::new();
            for write in store.writes[..count].iter().rev() {
                // A write to the very same address later covers this one, whatever lies between.
                if covered.insert((write.address.bits, write.address.kind)) {
                    kept.push(*write);
                }
            }
            kept.reverse();
            (store.start, kept)
        };
        for write in wanted {
            let at = self.address(write.address);
            let value = self.cell_term(write.value, cell);
            array = cells::write(&mut self.terms, array, at, value);
        }
        self.classes[class.index()].latest = (count, array);
        array
    }
}
