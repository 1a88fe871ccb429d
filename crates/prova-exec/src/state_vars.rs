//! The variables a state is made of: one per register, one array per memory class, the top of
//! the heap. Predicates of the engines are terms over these and over the objects' bases.

use crate::domain::Base;
use crate::layout::{heap_size, unknown_zone};
use crate::points_to::{ClassId, Partition};
use prova_ir::{DataModel, FloatKind, ObjectId, Pinned, ProcId, Program, RegId, Type};
use prova_logic::{FloatFormat, Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// Addresses below this are never valid.
pub const NULL_PAGE: u64 = 4096;

/// What a state variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StateVar {
    /// The value of a register.
    Register(RegId),
    /// The cells of a memory class.
    Memory(ClassId),
    /// Where the next block will be allocated.
    HeapTop,
}

/// The state variables of a program, and the bases of what has an address.
#[derive(Clone, Debug)]
pub struct StateVars {
    /// By register: a `Bool`, bit-vector or float.
    pub register: Vec<Term>,
    /// By class: an array from addresses to cells.
    pub memory: Vec<Term>,
    /// By class: the contents when the program starts.
    pub initial_memory: Vec<Term>,
    /// Where the next block will be allocated.
    pub heap_top: Term,
    heap: Term,
    objects: Vec<Term>,
    functions: Vec<Term>,
    model: DataModel,
    lookup: FxHashMap<Term, StateVar>,
    bases: FxHashMap<Term, Base>,
}

/// The format of a float type.
pub fn float_format(kind: FloatKind) -> FloatFormat {
    match kind {
        FloatKind::F32 => FloatFormat::F32,
        FloatKind::F64 => FloatFormat::F64,
        FloatKind::X87 => FloatFormat::X87,
    }
}

/// The sort of a type's values.
pub fn sort_of(ty: Type, model: DataModel) -> Sort {
    match ty {
        Type::BOOL => Sort::Bool,
        Type::Int(width) => Sort::BitVec(u32::from(width)),
        Type::Ptr => Sort::BitVec(model.pointer_bits()),
        Type::Float(kind) => Sort::Float(float_format(kind)),
    }
}

impl StateVars {
    /// Makes the variables of a program. Registers keep their names; `mem[class]`, `mem0[class]`,
    /// `heap[top]`, `&object`, `&function()` and `&heap[]` are the others'.
    pub fn new(terms: &mut Terms, program: &Program, partition: &Partition) -> StateVars {
        let model = program.model;
        let width = model.pointer_bits();
        let mut lookup = FxHashMap::default();
        let mut register = Vec::with_capacity(program.registers.len());
        for (i, r) in program.registers.iter().enumerate() {
            let term = terms.var(&r.name, sort_of(r.ty, model));
            lookup.insert(term, StateVar::Register(RegId::new(i)));
            register.push(term);
        }
        let mut memory = Vec::new();
        let mut initial_memory = Vec::new();
        for (i, class) in partition.classes().iter().enumerate() {
            let sort = Sort::Array {
                index: width,
                element: class.cell_bytes * 8,
            };
            let term = terms.var(&format!("mem[{}]", class.name), sort);
            lookup.insert(term, StateVar::Memory(ClassId::new(i)));
            memory.push(term);
            initial_memory.push(terms.var(&format!("mem0[{}]", class.name), sort));
        }
        let heap_top = terms.var("heap[top]", Sort::BitVec(width));
        lookup.insert(heap_top, StateVar::HeapTop);
        let heap = terms.object_base("&heap[]", width, heap_size(model), 1 << model.slot_bits());
        let objects: Vec<Term> = program
            .objects
            .iter()
            .map(|o| match o.pinned() {
                Some(Pinned::HeapStart) => heap,
                Some(Pinned::Table) => terms.bv(u128::from(model.ghost_zone().start), width),
                None => terms.object_base(&format!("&{}", o.name), width, o.size, o.align),
            })
            .collect();
        let functions: Vec<Term> = program
            .procedures
            .iter()
            .map(|p| terms.object_base(&format!("&{}()", p.name), width, 16, 16))
            .collect();
        let mut bases = FxHashMap::default();
        let ids = (0..objects.len()).map(|i| Base::Object(ObjectId::new(i)));
        bases.extend(objects.iter().copied().zip(ids));
        bases.retain(|&base, _| terms.object(base).is_some());
        bases.insert(heap, Base::Heap);
        let ids = (0..functions.len()).map(|i| Base::Function(ProcId::new(i)));
        bases.extend(functions.iter().copied().zip(ids));
        StateVars {
            register,
            memory,
            initial_memory,
            heap_top,
            heap,
            objects,
            functions,
            model,
            lookup,
            bases,
        }
    }

    /// The address of an object's first byte.
    pub fn base(&self, object: ObjectId) -> Term {
        self.objects[object.index()]
    }

    /// The address of a function.
    pub fn function(&self, procedure: ProcId) -> Term {
        self.functions[procedure.index()]
    }

    /// The first address of the heap.
    pub fn heap(&self) -> Term {
        self.heap
    }

    /// What a variable is the base of, if it is one.
    pub fn base_of(&self, variable: Term) -> Option<Base> {
        self.bases.get(&variable).copied()
    }

    /// What a variable stands for, if it is a state variable.
    pub fn meaning(&self, variable: Term) -> Option<StateVar> {
        self.lookup.get(&variable).copied()
    }

    /// The variable of a part of the state.
    pub fn variable(&self, part: StateVar) -> Term {
        match part {
            StateVar::Register(r) => self.register[r.index()],
            StateVar::Memory(c) => self.memory[c.index()],
            StateVar::HeapTop => self.heap_top,
        }
    }

    /// Where the objects that `roots` speak of can lie: [`Terms::object_axioms`], above the null
    /// page, outside the unknown zone. With addresses of 32 bits the heap is among them always:
    /// a model that scatters objects all over could leave no room for it.
    pub fn layout_axioms(&self, terms: &mut Terms, roots: &[Term]) -> Vec<Term> {
        let mut bases = terms.object_bases_in(roots);
        let scarce = self.model == DataModel::Ilp32;
        if scarce && !bases.is_empty() && !bases.contains(&self.heap) {
            bases.push(self.heap);
        }
        let mut axioms = terms.object_axioms(&bases);
        axioms.extend(self.zone_axioms(terms, &bases));
        axioms
    }

    /// All variables of the state.
    pub fn all(&self) -> Vec<Term> {
        let mut all = self.register.clone();
        all.extend(&self.memory);
        all.push(self.heap_top);
        all
    }

    /// What [`Terms::object_axioms`] does not say of bases: they lie above the null page, outside
    /// the unknown zone, and where a process has its memory.
    fn zone_axioms(&self, terms: &mut Terms, bases: &[Term]) -> Vec<Term> {
        let width = self.model.pointer_bits();
        let zone = unknown_zone(self.model);
        let mut axioms = Vec::new();
        for &base in bases {
            let Some(object) = terms.object(base) else {
                continue;
            };
            let low = terms.bv(u128::from(NULL_PAGE), width);
            axioms.push(terms.ule(low, base));
            let size = object.size.max(1);
            let before = terms.bv(u128::from(zone.start.saturating_sub(size)), width);
            let below = terms.ule(base, before);
            let end = terms.bv(u128::from(self.model.ghost_zone().end), width);
            let above = terms.ule(end, base);
            axioms.push(terms.or2(below, above));
            let last = terms.bv(u128::from(self.model.address_end() - size), width);
            axioms.push(terms.ule(base, last));
        }
        axioms
    }

    /// What holds of an arbitrary pointer: it is null, or in the unknown zone and aligned.
    pub fn arbitrary_pointer(&self, terms: &mut Terms, pointer: Term, align: u64) -> Term {
        let width = self.model.pointer_bits();
        let zone = self.model.arbitrary_pointers();
        let zero = terms.bv(0, width);
        let null = terms.eq(pointer, zero);
        let start = terms.bv(u128::from(zone.start), width);
        let end = terms.bv(u128::from(zone.end), width);
        let low = terms.ule(start, pointer);
        let high = terms.ult(pointer, end);
        let inside = terms.and2(low, high);
        let valid = terms.or2(null, inside);
        let zeros = align.max(1).trailing_zeros().min(width);
        if zeros == 0 {
            return valid;
        }
        let bits = terms.extract(pointer, zeros - 1, 0);
        let none = terms.bv(0, zeros);
        let aligned = terms.eq(bits, none);
        terms.and2(valid, aligned)
    }
}
