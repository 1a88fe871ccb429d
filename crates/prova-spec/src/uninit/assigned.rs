//! Variables that have a value on every path to a location: a forward analysis of what must hold.

use prova_ir::{Body, LocId, Origin, Program, RegId, Statement};
use rustc_hash::FxHashMap;

/// What is assigned where.
pub(super) struct Assigned {
    index: FxHashMap<RegId, usize>,
    words: usize,
    bits: Vec<u64>,
}

impl Assigned {
    /// Follows the registers that `followed` names.
    pub fn of(program: &Program, body: &Body, followed: impl Fn(RegId) -> bool) -> Assigned {
        let mut index: FxHashMap<RegId, usize> = FxHashMap::default();
        for edge in &body.edges {
            for reg in super::reads(program, &edge.statement) {
                if followed(reg) {
                    let next = index.len();
                    index.entry(reg).or_insert(next);
                }
            }
        }
        let words = index.len().div_ceil(64).max(1);
        let mut bits = vec![u64::MAX; words * body.locations.len()];
        bits[words * body.entry.index()..][..words].fill(0);
        let mut changed = true;
        while changed {
            changed = false;
            for edge in &body.edges {
                let mut out = bits[words * edge.source.index()..][..words].to_vec();
                if let Some(&i) = edge
                    .statement
                    .written_register()
                    .and_then(|r| index.get(&r))
                {
                    let unset = matches!(
                        edge.statement,
                        Statement::Nondet {
                            origin: Origin::Uninitialised,
                            ..
                        }
                    );
                    match unset {
                        true => out[i / 64] &= !(1 << (i % 64)),
                        false => out[i / 64] |= 1 << (i % 64),
                    }
                }
                let target = &mut bits[words * edge.target.index()..][..words];
                for (old, new) in target.iter_mut().zip(&out) {
                    if *old & new != *old {
                        *old &= new;
                        changed = true;
                    }
                }
            }
        }
        Assigned { index, words, bits }
    }

    /// Whether a register has a value at a location, whatever the path.
    pub fn has(&self, location: LocId, reg: RegId) -> bool {
        self.index.get(&reg).is_some_and(|i| {
            let word = self.bits[self.words * location.index() + i / 64];
            word >> (i % 64) & 1 == 1
        })
    }
}
