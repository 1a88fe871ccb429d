//! The arena: nodes of 16 bytes, found again by their content (`unique`).
//!
//! A node holds operator, arity, sort and three words; the words are children, or parameters
//! (bounds of a slice, a rounding mode, a small constant), or an index into a side table (wide
//! constants, wide conjunctions, variables). Sharing is total: building the same term twice
//! gives the same id. Nothing here simplifies; the constructors in `build` do, and they are the
//! only callers of [`Terms::mk`].

use crate::bits::Bits;
use crate::float::RoundingMode;
use crate::sort::{FloatFormat, Sort};
use crate::term::{Node, Op, Term};
use crate::unique::{hash_words, Place, Unique};
use crate::var_sets::{VarSet, VarSets, EMPTY};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::sync::atomic::{AtomicU64, Ordering};

/// Arity that marks a node whose children are in the side table.
const WIDE: u8 = u8::MAX;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct NodeData {
    op: Op,
    arity: u8,
    sort: u16,
    words: [Term; 3],
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name, unique in the arena.
    pub name: Box<str>,
    /// The term that stands for it.
    pub term: Term,
    /// What is known of it, if it is the base address of an object.
    pub object: Option<Object>,
}

/// An object whose base address is a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Object {
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
}

/// All terms. Passed `&mut` to build and `&` to read.
pub struct Terms {
    arena: u64,
    nodes: Vec<NodeData>,
    sets: Vec<VarSet>,
    unique: Unique,
    /// Sort ids of narrow bit-vectors, plus one; zero if there is none yet.
    bv_sorts: [u16; 129],
    sorts: IndexSet<Sort, FxBuildHasher>,
    constants: IndexSet<Bits, FxBuildHasher>,
    wide: Vec<Term>,
    variables: Vec<Variable>,
    by_name: FxHashMap<Box<str>, u32>,
    fresh: FxHashMap<Box<str>, u64>,
    pub(crate) var_sets: VarSets,
}

impl Default for Terms {
    fn default() -> Self {
        Terms::new()
    }
}

const TRUE: Term = Term(0);
const FALSE: Term = Term(1);
/// The first sort there is.
const BOOL: u16 = 0;

impl Terms {
    /// An arena that holds nothing but `true` and `false`.
    pub fn new() -> Terms {
        static ARENAS: AtomicU64 = AtomicU64::new(0);
        let mut terms = Terms {
            arena: ARENAS.fetch_add(1, Ordering::Relaxed),
            nodes: Vec::new(),
            sets: Vec::new(),
            unique: Unique::new(),
            bv_sorts: [0; 129],
            sorts: IndexSet::default(),
            constants: IndexSet::default(),
            wide: Vec::new(),
            variables: Vec::new(),
            by_name: FxHashMap::default(),
            fresh: FxHashMap::default(),
            var_sets: VarSets::new(),
        };
        let yes = terms.mk(Op::True, Sort::Bool, &[]);
        let no = terms.mk(Op::False, Sort::Bool, &[]);
        debug_assert_eq!((yes, no), (TRUE, FALSE));
        terms
    }

    /// A number that no other arena of this process has: what remembers terms by their ids
    /// checks by it that they are of one arena.
    pub(crate) fn arena(&self) -> u64 {
        self.arena
    }

    /// Number of terms made so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: `true` and `false` are always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// `true`.
    pub fn tru(&self) -> Term {
        TRUE
    }

    /// `false`.
    pub fn fals(&self) -> Term {
        FALSE
    }

    /// `true` or `false`.
    pub fn bool_const(&self, value: bool) -> Term {
        if value {
            TRUE
        } else {
            FALSE
        }
    }

    pub(crate) fn sort_id(&mut self, sort: Sort) -> u16 {
        if sort == Sort::Bool && !self.sorts.is_empty() {
            return BOOL;
        }
        if let Sort::BitVec(width @ ..=128) = sort {
            let known = self.bv_sorts[width as usize];
            if known != 0 {
                return known - 1;
            }
        }
        let (index, _) = self.sorts.insert_full(sort);
        assert!(index < usize::from(u16::MAX), "more than 65534 sorts");
        if let Sort::BitVec(width @ ..=128) = sort {
            self.bv_sorts[width as usize] = index as u16 + 1;
        }
        index as u16
    }

    fn intern(&mut self, data: NodeData) -> Term {
        let hash = hash_words(data.op as u8, data.sort, &data.words);
        let children = &data.words[..data.arity as usize];
        let newest = children.iter().copied().max();
        let nodes = &self.nodes;
        let same = |id: u32| nodes[id as usize] == data;
        let place = match self.unique.find(newest, hash, same) {
            Ok(found) => return found,
            Err(place) => place,
        };
        let set = match children {
            [] => EMPTY,
            [first, rest @ ..] => rest.iter().fold(self.sets[first.index()], |set, child| {
                self.var_sets.union(set, self.sets[child.index()])
            }),
        };
        self.insert(data, place, hash, set)
    }

    fn insert(&mut self, data: NodeData, place: Place, hash: u32, set: VarSet) -> Term {
        let id = u32::try_from(self.nodes.len()).expect("more than 2^32 terms");
        self.nodes.push(data);
        self.sets.push(set);
        self.unique.insert(place, hash, id);
        Term(id)
    }

    fn intern_wide(&mut self, op: Op, sort: u16, children: &[Term]) -> Term {
        let hash = hash_words(op as u8, sort, children);
        let (nodes, wide) = (&self.nodes, &self.wide);
        let found = self.unique.find(None, hash, |id| {
            let data = &nodes[id as usize];
            data.op == op && data.arity == WIDE && words_of(data, wide) == children
        });
        let place = match found {
            Ok(found) => return found,
            Err(place) => place,
        };
        let mut set = EMPTY;
        for child in children {
            set = self.var_sets.union(set, self.sets[child.index()]);
        }
        let start = u32::try_from(self.wide.len()).expect("more than 2^32 children");
        self.wide.extend_from_slice(children);
        let words = [Term(start), Term(children.len() as u32), Term(0)];
        self.insert(
            NodeData {
                op,
                arity: WIDE,
                sort,
                words,
            },
            place,
            hash,
            set,
        )
    }

    /// Makes a node as it stands, with no simplification.
    pub(crate) fn mk(&mut self, op: Op, sort: Sort, children: &[Term]) -> Term {
        let sort = self.sort_id(sort);
        self.mk_sorted(op, sort, children)
    }

    fn mk_sorted(&mut self, op: Op, sort: u16, children: &[Term]) -> Term {
        if children.len() > 3 {
            return self.intern_wide(op, sort, children);
        }
        let mut words = [Term(0); 3];
        words[..children.len()].copy_from_slice(children);
        self.intern(NodeData {
            op,
            arity: children.len() as u8,
            sort,
            words,
        })
    }

    /// Makes a node of the same sort as its first child.
    pub(crate) fn mk_like(&mut self, op: Op, children: &[Term]) -> Term {
        let sort = self.nodes[children[0].index()].sort;
        self.mk_sorted(op, sort, children)
    }

    /// A raw slice.
    pub(crate) fn mk_extract(&mut self, x: Term, hi: u32, lo: u32) -> Term {
        let sort = self.sort_id(Sort::BitVec(hi - lo + 1));
        self.intern(NodeData {
            op: Op::Extract,
            arity: 1,
            sort,
            words: [x, Term(hi), Term(lo)],
        })
    }

    /// A raw float operator of one or two operands with a rounding mode.
    pub(crate) fn mk_rounded(
        &mut self,
        op: Op,
        sort: Sort,
        mode: RoundingMode,
        children: &[Term],
    ) -> Term {
        let sort = self.sort_id(sort);
        let mut words = [Term(0); 3];
        words[..children.len()].copy_from_slice(children);
        words[2] = Term(mode as u32);
        self.intern(NodeData {
            op,
            arity: children.len() as u8,
            sort,
            words,
        })
    }

    fn mk_constant(&mut self, op: Op, sort: Sort, bits: Bits) -> Term {
        let sort = self.sort_id(sort);
        let words = if bits.width() <= 64 {
            let value = bits.to_u64().unwrap_or(0);
            [Term(value as u32), Term((value >> 32) as u32), Term(0)]
        } else {
            let (index, _) = self.constants.insert_full(bits);
            [Term(index as u32), Term(0), Term(1)]
        };
        self.intern(NodeData {
            op,
            arity: 0,
            sort,
            words,
        })
    }

    /// A bit-vector constant.
    pub fn bits(&mut self, bits: Bits) -> Term {
        self.mk_constant(Op::BvConst, Sort::BitVec(bits.width()), bits)
    }

    /// A float constant from its IEEE bits; every NaN is the canonical one.
    pub fn float_const(&mut self, format: FloatFormat, bits: u128) -> Term {
        assert!(format.is_supported(), "unsupported float format {format:?}");
        let bits = Bits::new(format.canonical(bits), format.width());
        self.mk_constant(Op::FloatConst, Sort::Float(format), bits)
    }

    /// The variable of this name, made if it is new.
    ///
    /// # Panics
    /// If the name is in use for a variable of another sort.
    pub fn var(&mut self, name: &str, sort: Sort) -> Term {
        if let Some(&index) = self.by_name.get(name) {
            let term = self.variables[index as usize].term;
            assert_eq!(self.sort(term), sort, "variable {name} has two sorts");
            return term;
        }
        self.new_variable(name, sort, None)
    }

    /// A variable that did not exist before; its name starts with the prefix.
    pub fn fresh(&mut self, prefix: &str, sort: Sort) -> Term {
        loop {
            let counter = match self.fresh.get_mut(prefix) {
                Some(counter) => counter,
                None => self.fresh.entry(prefix.into()).or_insert(0),
            };
            let name = format!("{prefix}!{counter}");
            *counter += 1;
            if !self.by_name.contains_key(name.as_str()) {
                return self.new_variable(&name, sort, None);
            }
        }
    }

    pub(crate) fn new_variable(&mut self, name: &str, sort: Sort, object: Option<Object>) -> Term {
        match sort {
            Sort::Float(format) => assert!(format.is_supported(), "unsupported {format:?}"),
            Sort::BitVec(width) => assert!(width > 0, "a bit-vector has at least one bit"),
            _ => {}
        }
        let index = u32::try_from(self.variables.len()).expect("more than 2^32 variables");
        let sort = self.sort_id(sort);
        let words = [Term(index), Term(0), Term(0)];
        let data = NodeData {
            op: Op::Var,
            arity: 0,
            sort,
            words,
        };
        let term = Term(self.nodes.len() as u32);
        let set = self.var_sets.singleton(term);
        // Variables are found by their names, not by their content.
        self.nodes.push(data);
        self.sets.push(set);
        self.variables.push(Variable {
            name: name.into(),
            term,
            object,
        });
        self.by_name.insert(name.into(), index);
        term
    }

    /// Looks a variable up by its name.
    pub fn find_var(&self, name: &str) -> Option<Term> {
        self.by_name
            .get(name)
            .map(|&index| self.variables[index as usize].term)
    }

    /// What a term is.
    pub fn node(&self, t: Term) -> Node<'_> {
        Node {
            op: self.op(t),
            sort: self.sort(t),
            children: self.children(t),
            bounds: self.bounds(t),
            rounding: self.rounding(t),
        }
    }

    /// The operator at the top.
    pub fn op(&self, t: Term) -> Op {
        self.nodes[t.index()].op
    }

    /// The sort.
    pub fn sort(&self, t: Term) -> Sort {
        self.sorts[self.nodes[t.index()].sort as usize]
    }

    pub(crate) fn same_sort(&self, a: Term, b: Term) -> bool {
        self.nodes[a.index()].sort == self.nodes[b.index()].sort
    }

    /// The width of a bit-vector term.
    ///
    /// # Panics
    /// If the term is of another sort.
    pub fn width(&self, t: Term) -> u32 {
        match self.sort(t) {
            Sort::BitVec(width) => width,
            other => panic!("a bit-vector was expected, not a term of sort {other}"),
        }
    }

    /// The format of a float term.
    ///
    /// # Panics
    /// If the term is of another sort.
    pub fn format(&self, t: Term) -> FloatFormat {
        match self.sort(t) {
            Sort::Float(format) => format,
            other => panic!("a float was expected, not a term of sort {other}"),
        }
    }

    /// The operands.
    pub fn children(&self, t: Term) -> &[Term] {
        let data = &self.nodes[t.index()];
        match data.arity {
            WIDE => words_of(data, &self.wide),
            arity => &data.words[..arity as usize],
        }
    }

    pub(crate) fn child(&self, t: Term, position: usize) -> Term {
        self.children(t)[position]
    }

    /// The bounds `(hi, lo)` of a slice; zeros for anything else.
    pub fn bounds(&self, t: Term) -> (u32, u32) {
        let data = &self.nodes[t.index()];
        match data.op {
            Op::Extract => (data.words[1].0, data.words[2].0),
            _ => (0, 0),
        }
    }

    /// The rounding mode of a float operator.
    pub fn rounding(&self, t: Term) -> RoundingMode {
        use Op::*;
        let data = &self.nodes[t.index()];
        match data.op {
            Fadd | Fsub | Fmul | Fdiv | Fsqrt | Fround | FloatToFloat | SbvToFloat | UbvToFloat => {
                RoundingMode::from_index(data.words[2].0)
            }
            _ => RoundingMode::NearestTiesToEven,
        }
    }

    fn constant_bits(&self, t: Term, width: u32) -> Bits {
        let words = &self.nodes[t.index()].words;
        if words[2].0 == 0 {
            Bits::new(u128::from(words[0].0) | u128::from(words[1].0) << 32, width)
        } else {
            self.constants[words[0].index()].clone()
        }
    }

    /// The value of a bit-vector constant.
    pub fn as_bits(&self, t: Term) -> Option<Bits> {
        match self.op(t) {
            Op::BvConst => Some(self.constant_bits(t, self.width(t))),
            _ => None,
        }
    }

    /// The unsigned value of a bit-vector constant, if it is one and fits.
    pub fn as_u64(&self, t: Term) -> Option<u64> {
        let data = &self.nodes[t.index()];
        if data.op != Op::BvConst {
            return None;
        }
        if data.words[2].0 == 0 {
            return Some(u64::from(data.words[0].0) | u64::from(data.words[1].0) << 32);
        }
        self.constants[data.words[0].index()].to_u64()
    }

    /// The signed value of a bit-vector constant of at most 128 bits.
    pub fn as_i128(&self, t: Term) -> Option<i128> {
        self.as_bits(t)?.to_i128()
    }

    /// Format and IEEE bits of a float constant.
    pub fn as_float(&self, t: Term) -> Option<(FloatFormat, u128)> {
        match self.op(t) {
            Op::FloatConst => {
                let format = self.format(t);
                Some((format, self.constant_bits(t, format.width()).to_u128()?))
            }
            _ => None,
        }
    }

    /// The value of `true` or `false`.
    pub fn as_bool(&self, t: Term) -> Option<bool> {
        match t {
            TRUE => Some(true),
            FALSE => Some(false),
            _ => None,
        }
    }

    /// Whether the term is a constant of sort Bool, BitVec or Float.
    pub fn is_const(&self, t: Term) -> bool {
        matches!(
            self.op(t),
            Op::True | Op::False | Op::BvConst | Op::FloatConst
        )
    }

    /// Whether the term is a variable.
    pub fn is_var(&self, t: Term) -> bool {
        self.op(t) == Op::Var
    }

    /// The variable a term stands for, if it is one.
    pub fn variable(&self, t: Term) -> Option<&Variable> {
        let data = &self.nodes[t.index()];
        (data.op == Op::Var).then(|| &self.variables[data.words[0].index()])
    }

    /// The position of a variable in order of creation.
    pub(crate) fn variable_index(&self, t: Term) -> usize {
        self.nodes[t.index()].words[0].index()
    }

    /// Name of a variable; empty for any other term.
    pub fn name(&self, t: Term) -> &str {
        self.variable(t).map_or("", |v| &v.name)
    }

    /// All variables, in order of creation.
    pub fn variables(&self) -> impl Iterator<Item = &Variable> {
        self.variables.iter()
    }

    pub(crate) fn var_set(&self, t: Term) -> VarSet {
        self.sets[t.index()]
    }
}

fn words_of<'a>(data: &'a NodeData, wide: &'a [Term]) -> &'a [Term] {
    match data.arity {
        WIDE => {
            let start = data.words[0].index();
            &wide[start..start + data.words[1].index()]
        }
        _ => &data.words,
    }
}
