//! Free-variable sets, shared between terms.
//!
//! A term carries the id of its set. Sets of up to [`EXACT`] variables are exact, sorted and
//! interned; larger ones keep a 64-bit Bloom signature only, so that a sum of a million inputs
//! costs no quadratic memory. The signature answers "certainly disjoint" for both kinds.

use crate::term::Term;
use rustc_hash::FxHashMap;

/// The size up to which a set is kept exactly.
const EXACT: usize = 24;

/// Id of a set; [`EMPTY`] is the empty one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct VarSet(u32);

/// The set of a closed term.
pub(crate) const EMPTY: VarSet = VarSet(0);

pub(crate) struct VarSets {
    signatures: Vec<u64>,
    /// `None` for a set too large to be exact.
    variables: Vec<Option<Box<[Term]>>>,
    exact: FxHashMap<Box<[Term]>, VarSet>,
    large: FxHashMap<u64, VarSet>,
    unions: FxHashMap<(VarSet, VarSet), VarSet>,
    /// Signature bit of each variable of an exact set, by variable.
    bits: FxHashMap<Term, u64>,
}

impl VarSets {
    pub(crate) fn new() -> VarSets {
        let mut sets = VarSets {
            signatures: Vec::new(),
            variables: Vec::new(),
            exact: FxHashMap::default(),
            large: FxHashMap::default(),
            unions: FxHashMap::default(),
            bits: FxHashMap::default(),
        };
        sets.exact(Box::default());
        sets
    }

    /// The set of one new variable. Signature bits go round: up to 64 variables have their own.
    pub(crate) fn singleton(&mut self, variable: Term) -> VarSet {
        let bit = 1u64 << (self.bits.len() % 64);
        self.bits.insert(variable, bit);
        self.exact(Box::new([variable]))
    }

    fn exact(&mut self, variables: Box<[Term]>) -> VarSet {
        if let Some(set) = self.exact.get(&variables) {
            return *set;
        }
        let signature = variables.iter().fold(0, |s, v| s | self.bits[v]);
        let set = self.push(signature, Some(variables.clone()));
        self.exact.insert(variables, set);
        set
    }

    fn push(&mut self, signature: u64, variables: Option<Box<[Term]>>) -> VarSet {
        let set = VarSet(self.signatures.len() as u32);
        self.signatures.push(signature);
        self.variables.push(variables);
        set
    }

    pub(crate) fn union(&mut self, a: VarSet, b: VarSet) -> VarSet {
        if a == b || b == EMPTY {
            return a;
        }
        if a == EMPTY {
            return b;
        }
        let key = if a.0 < b.0 { (a, b) } else { (b, a) };
        if let Some(set) = self.unions.get(&key) {
            return *set;
        }
        let set = self.merge(a, b);
        self.unions.insert(key, set);
        set
    }

    fn merge(&mut self, a: VarSet, b: VarSet) -> VarSet {
        let signature = self.signature(a) | self.signature(b);
        if let (Some(x), Some(y)) = (self.variables(a), self.variables(b)) {
            let merged = merge_sorted(x, y);
            if merged.len() <= EXACT {
                return self.exact(merged.into_boxed_slice());
            }
        }
        if let Some(set) = self.large.get(&signature) {
            return *set;
        }
        let set = self.push(signature, None);
        self.large.insert(signature, set);
        set
    }

    /// A superset's bits; disjoint signatures mean disjoint sets.
    pub(crate) fn signature(&self, set: VarSet) -> u64 {
        self.signatures[set.0 as usize]
    }

    /// The sorted variables, if the set is exact.
    pub(crate) fn variables(&self, set: VarSet) -> Option<&[Term]> {
        self.variables[set.0 as usize].as_deref()
    }

    /// The signature bit of a variable.
    pub(crate) fn bit(&self, variable: Term) -> u64 {
        self.bits.get(&variable).copied().unwrap_or(0)
    }
}

fn merge_sorted(a: &[Term], b: &[Term]) -> Vec<Term> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => {
                out.push(a[i]);
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                out.push(b[j]);
                j += 1;
            }
            std::cmp::Ordering::Equal => {
                out.push(a[i]);
                i += 1;
                j += 1;
            }
        }
    }
    out.extend_from_slice(&a[i..]);
    out.extend_from_slice(&b[j..]);
    out
}
