//! The state as constants of the script, their names, and what is assumed of memory.
//!
//! One constant per register, one array per memory class, the top of the heap; their values at
//! the entry of the procedure (`old`); and what never changes in a run: the addresses of objects
//! and functions, the first contents of memory. How memory splits into classes is the points-to
//! analysis's word: it is trusted.

use crate::formula::Scope;
use crate::script::{Extent, IllSorted, Script, Substitution, Term, Zone};
use crate::sort::Sort;
use crate::Failure;
use prova_exec::points_to::{ClassId, Partition};
use prova_ir::{DataModel, ExprId, FloatKind, ObjectId, Pinned, ProcId, Program, RegId, Type};
use std::collections::BTreeMap;

/// Addresses below this are never valid.
pub const NULL_PAGE: u64 = 4096;

/// Where memory lies that the program does not name.
pub fn unknown_zone(model: DataModel) -> Zone {
    let (start, end) = match model {
        DataModel::Lp64 => (0x6000_0000_0000, 0x7000_0000_0000),
        DataModel::Ilp32 => (0xa000_0000, 0xe000_0000),
    };
    Zone { start, end }
}

/// How many bytes the heap may have.
pub fn heap_size(model: DataModel) -> u64 {
    match model {
        DataModel::Lp64 => 0x1000_0000_0000,
        DataModel::Ilp32 => 0x4000_0000,
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

/// The parts of a state, as terms: constants, or their values.
#[derive(Clone, PartialEq, Debug)]
pub struct Values {
    pub registers: Vec<Term>,
    pub memory: Vec<Term>,
    pub heap_top: Term,
}

/// All constants of a program.
pub struct Vocabulary<'a> {
    pub program: &'a Program,
    pub partition: &'a Partition,
    /// The state now.
    pub now: Values,
    /// The state at the procedure's entry.
    pub old: Values,
    /// The contents of memory before the program starts.
    pub first: Vec<Term>,
    pub objects: Vec<Term>,
    pub functions: Vec<Term>,
    pub heap: Term,
}

impl<'a> Vocabulary<'a> {
    pub fn new(
        script: &mut Script,
        program: &'a Program,
        partition: &'a Partition,
    ) -> Result<Vocabulary<'a>, IllSorted> {
        let model = program.model;
        let width = model.pointer_bits();
        let array = |class: usize| Sort::Array(width, partition.classes()[class].cell_bytes * 8);
        let classes = partition.classes().len();
        let mut values = || Values {
            registers: program
                .registers
                .iter()
                .map(|r| script.constant(sort_of(r.ty, model)))
                .collect(),
            memory: (0..classes).map(|c| script.constant(array(c))).collect(),
            heap_top: script.constant(Sort::Bits(width)),
        };
        let (now, old) = (values(), values());
        let first: Vec<Term> = (0..classes).map(|c| script.constant(array(c))).collect();
        for (class, &memory) in partition.classes().iter().zip(&first) {
            if class.cell_type == Some(Type::Ptr) {
                script.make_pristine(memory, unknown_zone(model));
            }
        }
        let table = script.bits(u128::from(model.ghost_zone().start), width);
        let mut place = |size, align| place(script, model, Extent { size, align });
        let heap = place(heap_size(model), 1 << model.slot_bits())?;
        let objects = program.objects.iter().map(|o| match o.pinned() {
            Some(Pinned::HeapStart) => Ok(heap),
            Some(Pinned::Table) => Ok(table),
            None => place(o.size, o.align),
        });
        let objects = objects.collect::<Result<_, _>>()?;
        let functions = program.procedures.iter().map(|_| place(16, 16));
        let functions = functions.collect::<Result<_, _>>()?;
        Ok(Vocabulary {
            heap,
            program,
            partition,
            now,
            old,
            first,
            objects,
            functions,
        })
    }

    /// The names that invariants of a procedure may use.
    pub fn scope(&self, procedure: ProcId) -> Scope {
        let (mut variables, mut old) = (BTreeMap::new(), BTreeMap::new());
        let parameters = &self.program.procedure(procedure).parameters;
        for (i, register) in self.program.registers.iter().enumerate() {
            if register.owner.is_none() || register.owner == Some(procedure) {
                variables.insert(register.name.clone(), self.now.registers[i]);
            }
            if register.owner.is_none() || parameters.contains(&RegId::new(i)) {
                old.insert(register.name.clone(), self.old.registers[i]);
            }
        }
        for (i, class) in self.partition.classes().iter().enumerate() {
            variables.insert(format!("mem[{}]", class.name), self.now.memory[i]);
            variables.insert(format!("mem0[{}]", class.name), self.first[i]);
            old.insert(format!("mem[{}]", class.name), self.old.memory[i]);
        }
        variables.insert("heap[top]".into(), self.now.heap_top);
        old.insert("heap[top]".into(), self.old.heap_top);
        variables.insert("&heap[]".into(), self.heap);
        for (object, &base) in self.program.objects.iter().zip(&self.objects) {
            variables.insert(format!("&{}", object.name), base);
        }
        for (procedure, &base) in self.program.procedures.iter().zip(&self.functions) {
            variables.insert(format!("&{}()", procedure.name), base);
        }
        Scope {
            variables,
            old,
            definitions: BTreeMap::new(),
        }
    }

    /// The substitution that gives the state (and the old one) values.
    pub fn substitution(&self, script: &Script, now: &Values, old: &Values) -> Substitution {
        let mut found = Substitution::default();
        for (constants, values) in [(&self.now, now), (&self.old, old)] {
            let all = |v: &Values| v.registers.len() + v.memory.len();
            debug_assert_eq!(all(constants), all(values));
            let registers = constants.registers.iter().zip(&values.registers);
            let memory = constants.memory.iter().zip(&values.memory);
            for (&constant, &value) in registers.chain(memory) {
                script.replace(&mut found, constant, value);
            }
            script.replace(&mut found, constants.heap_top, values.heap_top);
        }
        found
    }

    pub fn object(&self, id: ObjectId) -> Term {
        self.objects[id.index()]
    }

    /// The class of loads and stores at an address.
    pub fn class_of(&self, address: ExprId) -> Result<ClassId, Failure> {
        let class = self.partition.class_of(address);
        class.ok_or_else(|| Failure::Unsupported("an address outside the analysis".into()))
    }

    pub fn cell_bytes(&self, class: ClassId) -> u64 {
        u64::from(self.partition.class(class).cell_bytes)
    }
}

/// The address of an object: above the null page, aligned, outside unknown memory, and so that
/// the object ends before the address space does.
fn place(script: &mut Script, model: DataModel, extent: Extent) -> Result<Term, IllSorted> {
    let width = model.pointer_bits();
    let zone = unknown_zone(model);
    let base = script.constant(Sort::Bits(width));
    script.place(base, extent);
    let size = extent.size.max(1);
    let mut at_most = |low: Option<u64>, high: Option<u64>| {
        let mut side = |s: Option<u64>| s.map_or(base, |s| script.bits(u128::from(s), width));
        let (low, high) = (side(low), side(high));
        script.apply("bvule", &[low, high])
    };
    let above = at_most(Some(NULL_PAGE), None)?;
    let below_zone = at_most(None, Some(zone.start.saturating_sub(size)))?;
    let above_zone = at_most(Some(model.ghost_zone().end), None)?;
    let last = (u64::MAX >> (64 - width)).saturating_sub(size);
    let ends = at_most(None, Some(last))?;
    let outside = script.apply("or", &[below_zone, above_zone])?;
    let mut facts = vec![above, outside, ends];
    let zeros = extent.align.max(1).trailing_zeros().min(width);
    if zeros > 0 {
        let low = script.apply(&format!("(_ extract {} 0)", zeros - 1), &[base])?;
        let none = script.bits(0, zeros);
        facts.push(script.apply("=", &[low, none])?);
    }
    facts.into_iter().for_each(|f| script.assume(base, f));
    Ok(base)
}
