//! The state of a program as constants of the script, and what is assumed of memory.
//!
//! One constant per register, one array per memory class, the top of the heap; and what never
//! changes in a run: the addresses of objects and functions, the first contents of memory. How
//! memory splits into classes is the points-to analysis's word: it is trusted.

use prova_exec::points_to::{Cell, ClassId, Partition};
use prova_formula::{Error, Script, Sort, Term, NULL_PAGE};
use prova_ir::{BinaryOp, DataModel, ExprId, FloatKind, Pinned, ProcId, Program, Type};
use rustc_hash::FxHashMap;

/// A value for each part of the state: registers, memory classes, the top of the heap.
pub type State = Vec<Term>;

/// What names in certificates stand for, and the procedure that knows them if not all do.
pub type Names = FxHashMap<String, (Term, Option<ProcId>)>;

/// Everything paths are made with.
pub struct Machine<'a> {
    /// The program.
    pub program: &'a Program,
    pub(crate) partition: &'a Partition,
    /// All terms.
    pub script: Script,
    /// The state where a path begins: constants.
    pub now: State,
    /// The contents of memory before the program starts.
    pub first: Vec<Term>,
    /// Where objects lie, then functions, then the heap: constants that never change in a run.
    pub addresses: Vec<Term>,
    /// Names in certificates.
    pub names: Names,
    /// Arbitrary values: paths are looked at one by one, so they may take the same ones.
    arbitrary: FxHashMap<(Sort, bool, usize), Term>,
    pub(crate) operators: FxHashMap<(BinaryOp, bool), String>, // as written, also on truth values
}

/// More cells than this are not copied or made arbitrary by one statement.
const CELLS: usize = 1 << 16;

/// How many bytes the heap may have.
pub fn heap_size(model: DataModel) -> u64 {
    match model {
        DataModel::Lp64 => 0x1000_4000_0000,
        DataModel::Ilp32 => 0x8040_0000,
    }
}

/// The sort of a type's values.
pub fn sort_of(ty: Type, model: DataModel) -> Sort {
    match ty {
        Type::BOOL => Sort::Bool,
        Type::Int(width) => Sort::Bits(u32::from(width)),
        Type::Ptr => Sort::Bits(model.pointer_bits()),
        Type::Float(FloatKind::F32) => Sort::Float(8, 24),
        Type::Float(FloatKind::F64) => Sort::Float(11, 53),
        Type::Float(FloatKind::X87) => Sort::Float(15, 64),
    }
}

impl<'a> Machine<'a> {
    /// A machine for a program.
    pub fn new(program: &'a Program, partition: &'a Partition, mut script: Script) -> Machine<'a> {
        let model = program.model;
        let width = model.pointer_bits();
        let classes = partition.classes().iter();
        let arrays: Vec<Sort> = classes.map(|c| Sort::Array(width, c.cell_bytes * 8)).collect();
        let registers = program.registers.iter().map(|r| sort_of(r.ty, model));
        let sorts = registers.chain(arrays.iter().copied()).chain([Sort::Bits(width)]);
        let heap = place(&mut script, model, heap_size(model), 1 << model.slot_bits());
        let objects = program.objects.iter().map(|object| match object.pinned() {
            Some(Pinned::HeapStart) => heap,
            Some(Pinned::Table) => script.bits(model.ghost_zone().start.into(), width),
            None => place(&mut script, model, object.size, object.align),
        });
        let mut addresses: Vec<Term> = objects.collect();
        addresses.extend(program.procedures.iter().map(|_| place(&mut script, model, 16, 16)));
        addresses.push(heap);
        // Behind the addresses: of two equal terms the older one is kept.
        let first: Vec<Term> = arrays.iter().map(|&a| script.constant(a)).collect();
        let now: State = sorts.map(|s| script.constant(s)).collect();
        // Where nothing fits, everything follows: objects must have room below unknown memory.
        let sizes = program.objects.iter().filter(|o| o.pinned().is_none());
        let sizes = sizes.map(|o| o.size.saturating_add(o.align)).fold(0, u64::saturating_add);
        let functions = 32 * program.procedures.len() as u64;
        let heap = heap_size(model) + (2 << model.slot_bits()) + 2 * NULL_PAGE;
        if sizes.saturating_add(functions + heap) > model.unknown_zone().start {
            script.fail(Error("more memory than there is".into()));
        }

        let mut names = Names::default();
        for (register, &value) in program.registers.iter().zip(&now) {
            names.insert(register.name.clone(), (value, register.owner));
        }
        for (i, class) in partition.classes().iter().enumerate() {
            let array = now[program.registers.len() + i];
            names.insert(format!("mem[{}]", class.name), (array, None));
            names.insert(format!("mem0[{}]", class.name), (first[i], None));
        }
        names.insert("heap[top]".into(), (now[now.len() - 1], None));
        let objects = program.objects.iter().map(|o| format!("&{}", o.name));
        let functions = program.procedures.iter().map(|p| format!("&{}()", p.name));
        let placed = objects.chain(functions).chain(["&heap[]".to_string()]);
        names.extend(placed.zip(addresses.iter().map(|&a| (a, None))));
        let (arbitrary, operators) = Default::default();
        Machine { program, partition, script, now, first, addresses, names, arbitrary, operators }
    }

    /// Where a memory class stands in a state. A register stands at its own number.
    pub fn memory(&self, class: ClassId) -> usize {
        self.program.registers.len() + class.index()
    }

    /// Where the top of the heap stands in a state.
    pub fn top(&self) -> usize {
        self.now.len() - 1
    }

    /// Something that cannot be said: nothing is accepted any more.
    pub fn unsupported(&mut self, what: impl ToString) -> Term {
        self.script.fail(Error(what.to_string()))
    }

    /// The class of loads and stores at an address.
    pub fn class_of(&mut self, address: ExprId) -> Option<ClassId> {
        let class = self.partition.class_of(address);
        if class.is_none() {
            self.unsupported("an address outside the analysis");
        }
        class
    }

    /// The cells of a range of memory.
    pub fn cells(&mut self, address: ExprId, size: u64) -> Vec<Cell> {
        self.partition.cells(address, size, CELLS).unwrap_or_else(|error| {
            self.unsupported(error);
            Vec::new()
        })
    }

    /// The `n`th arbitrary value of its kind. An arbitrary pointer is null or points to memory
    /// that the program does not name.
    pub fn arbitrary(&mut self, sort: Sort, pointer: bool, n: usize) -> Term {
        if let Some(&known) = self.arbitrary.get(&(sort, pointer, n)) {
            return known;
        }
        let term = self.script.constant(sort);
        self.arbitrary.insert((sort, pointer, n), term);
        if pointer {
            let width = self.script.width(term);
            let zone = self.program.model.arbitrary_pointers();
            let [zero, start, end] =
                [0, zone.start, zone.end].map(|n| self.script.bits(n.into(), width));
            let text = "(or (= $0 $1) (and (bvule $2 $0) (bvult $0 $3)))";
            let fact = self.script.say(text, &[term, zero, start, end]);
            self.script.assume(term, fact);
        }
        term
    }
}

/// The address of an object: aligned, outside unknown memory and the ghost table behind it, below the
/// end of all addresses.
fn place(script: &mut Script, model: DataModel, size: u64, align: u64) -> Term {
    let (width, size) = (model.pointer_bits(), size.max(1));
    let base = script.object(width, size);
    let (start, end) = (model.unknown_zone().start, model.ghost_zone().end);
    let last = model.address_end().saturating_sub(size);
    let numbers = [start.saturating_sub(size), end, align.max(1) - 1, 0, last];
    let [before, end, low, zero, last] = numbers.map(|n| script.bits(n.into(), width));
    let text = "(and (or (bvule $0 $1) (bvule $2 $0)) (= (bvand $0 $3) $4) (bvule $0 $5))";
    let fact = script.say(text, &[base, before, end, low, zero, last]);
    script.assume(base, fact);
    base
}
