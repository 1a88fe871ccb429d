//! What a chain of statements does to the state, as terms over the state before it.
//!
//! A [`Composer`] is a symbolic store: it starts as the identity (or from given values), each
//! statement is applied to it, and [`Composer::finish`] gives the [`Transfer`]. Substituting a
//! transfer's updates into a predicate gives its weakest precondition under the guard.

pub(crate) mod align;
mod initial;
#[cfg(test)]
mod tests;

pub use initial::{initial, Initial};

use crate::layout::heap_size;
use crate::points_to::{Cell, ClassId, Partition, TooManyCells};
use crate::state_vars::{sort_of, StateVar};
use crate::translate::{alignment, cells, valid_address, Context, Env, Translator, Unencodable};
use prova_ir::{ExprId, Halt, Origin, RegId, Statement, Type};
use prova_logic::{Sort, Substitution, Term, Terms};
use std::collections::BTreeMap;

/// More cells than this are not copied or made arbitrary by one statement.
pub const CELL_LIMIT: usize = 1 << 16;

/// What an input gives a value to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Receiver {
    /// A register.
    Register(RegId),
    /// Memory at an address (over the state before the transfer).
    Memory {
        /// The cell's first byte.
        address: Term,
        /// Its class.
        class: ClassId,
        /// Its size.
        bytes: u32,
    },
}

/// A value the environment chooses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The variable that stands for it.
    pub var: Term,
    /// Why it is arbitrary.
    pub origin: Origin,
    /// Its type; an integer of the cell's size where a cell has no type.
    pub ty: Type,
    /// What receives it.
    pub receiver: Receiver,
}

/// A guarded simultaneous assignment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Transfer {
    /// All of these hold in the states (and for the inputs) that pass.
    pub guard: Vec<Term>,
    /// State variables and their new values over the old ones; what is not here stays.
    pub updates: Vec<(Term, Term)>,
    /// In the order in which they are read.
    pub inputs: Vec<Input>,
    /// Those of the guard that the program itself asks for; the rest says that nothing traps.
    pub assumed: Vec<Term>,
    /// Addresses in unknown objects that are read or written.
    pub accesses: Vec<Access>,
}

/// An access to an object that the program does not name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Access {
    /// Where.
    pub address: Term,
    /// The class it belongs to.
    pub class: ClassId,
}

impl Transfer {
    /// The updates as a substitution.
    pub fn substitution(&self, terms: &Terms) -> Substitution {
        Substitution::from_pairs(terms, &self.updates)
    }
}

/// A symbolic store that statements are applied to.
#[derive(Clone)]
pub struct Composer<'a> {
    context: Context<'a>,
    values: Values<'a>,
    translator: Translator,
    guard: Vec<Term>,
    inputs: Vec<Input>,
    assumed: Vec<Term>,
    accesses: Vec<Access>,
    halted: Option<Halt>,
}

#[derive(Clone)]
struct Values<'a> {
    context: Context<'a>,
    registers: BTreeMap<RegId, Term>,
    memory: BTreeMap<ClassId, Term>,
    heap_top: Option<Term>,
    generation: u64,
}

impl Env for Values<'_> {
    fn register(&self, register: RegId) -> Term {
        let own = self.registers.get(&register).copied();
        own.unwrap_or_else(|| self.context.vars.register(register))
    }

    fn memory(&self, class: ClassId) -> Term {
        let own = self.memory.get(&class).copied();
        own.unwrap_or_else(|| self.context.vars.memory(class))
    }

    fn generation(&self) -> u64 {
        self.generation
    }
}

impl<'a> Composer<'a> {
    /// The identity.
    pub fn new(context: Context<'a>) -> Composer<'a> {
        Composer {
            context,
            values: Values {
                context,
                registers: BTreeMap::new(),
                memory: BTreeMap::new(),
                heap_top: None,
                generation: 0,
            },
            translator: Translator::default(),
            guard: Vec::new(),
            inputs: Vec::new(),
            assumed: Vec::new(),
            accesses: Vec::new(),
            halted: None,
        }
    }

    /// Continues behind a transfer.
    pub fn after(context: Context<'a>, transfer: &Transfer) -> Composer<'a> {
        let mut composer = Composer::new(context);
        composer.guard.clone_from(&transfer.guard);
        composer.inputs.clone_from(&transfer.inputs);
        for &(variable, value) in &transfer.updates {
            if let Some(part) = context.vars.meaning(variable) {
                composer.set(part, value);
            }
        }
        composer
    }

    /// Gives a part of the state a value.
    pub fn set(&mut self, part: StateVar, value: Term) {
        self.values.generation += 1;
        match part {
            StateVar::Register(r) => {
                self.values.registers.insert(r, value);
            }
            StateVar::Memory(c) => {
                self.values.memory.insert(c, value);
            }
            StateVar::HeapTop => self.values.heap_top = Some(value),
        }
    }

    /// The value of a part of the state.
    pub fn get(&self, part: StateVar) -> Term {
        match part {
            StateVar::Register(r) => self.values.register(r),
            StateVar::Memory(c) => self.values.memory(c),
            StateVar::HeapTop => self.values.heap_top.unwrap_or(self.context.vars.heap_top),
        }
    }

    /// The conditions so far.
    pub fn guard(&self) -> &[Term] {
        &self.guard
    }

    /// The inputs so far.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// How the program ended, if a statement ended it.
    pub fn halted(&self) -> Option<Halt> {
        self.halted
    }

    /// Adds a condition, unless it is there.
    pub fn assume(&mut self, terms: &Terms, condition: Term) {
        if condition != terms.tru() && !self.guard.contains(&condition) {
            self.guard.push(condition);
        }
    }

    /// The value of an expression here; the conditions of its definedness join the guard.
    pub fn value(&mut self, terms: &mut Terms, expr: ExprId) -> Result<Term, Unencodable> {
        let (translator, guard) = (&mut self.translator, &mut self.guard);
        translator.translate(terms, self.context, expr, &self.values, guard)
    }

    /// Applies a statement. `site` names its inputs; `again` says that an [`Statement::Enter`]
    /// may be executed more than once in a run, so that contents do not survive it.
    pub fn apply(
        &mut self,
        terms: &mut Terms,
        statement: &Statement,
        site: &str,
        again: bool,
    ) -> Result<(), Unencodable> {
        match statement {
            Statement::Skip
            | Statement::Leave(_)
            | Statement::Marker(_)
            | Statement::Halt(Halt::Abort | Halt::Trap) => {
                if let Statement::Halt(halt) = statement {
                    self.halted = Some(*halt);
                }
                Ok(())
            }
            Statement::Halt(halt @ Halt::Exit(code)) => {
                self.value(terms, *code)?;
                self.halted = Some(*halt);
                Ok(())
            }
            Statement::Free(pointer) => self.value(terms, *pointer).map(|_| ()),
            Statement::Assign { target, value } => {
                let value = self.value(terms, *value)?;
                self.set(StateVar::Register(*target), value);
                Ok(())
            }
            Statement::Assume(condition) => {
                let condition = self.value(terms, *condition)?;
                for conjunct in terms.conjuncts(condition) {
                    self.assume(terms, conjunct);
                    self.assumed.push(conjunct);
                }
                Ok(())
            }
            Statement::Store { address, value } => self.store(terms, *address, *value),
            Statement::Copy {
                target,
                source,
                size,
            } => self.copy(terms, *target, *source, *size),
            Statement::Nondet { target, origin } => {
                self.nondet(terms, *target, origin, site);
                Ok(())
            }
            Statement::Havoc {
                address,
                size,
                origin,
            } => {
                let cells = self.context.partition.cells(*address, *size, CELL_LIMIT);
                let cells = cells.map_err(too_large("havoc"))?;
                let base = self.value(terms, *address)?;
                valid_address(terms, base, 1, &mut self.guard);
                self.havoc(terms, base, &cells, origin, site);
                Ok(())
            }
            Statement::Enter(object) if again => {
                let size = self.context.program.object(*object).size;
                let cells = self
                    .context
                    .partition
                    .object_cells(*object, size, CELL_LIMIT);
                let cells = cells.map_err(too_large("entering an object again"))?;
                let base = self.context.vars.base(*object);
                self.havoc(terms, base, &cells, &Origin::Uninitialised, site);
                Ok(())
            }
            Statement::Enter(_) => Ok(()),
            Statement::Allocate { target, size, .. } => {
                let size = self.value(terms, *size)?;
                self.allocate(terms, *target, size);
                Ok(())
            }
            Statement::Call { .. } => Err(Unencodable::Call),
        }
    }

    fn store(
        &mut self,
        terms: &mut Terms,
        address: ExprId,
        value: ExprId,
    ) -> Result<(), Unencodable> {
        let class = self.context.partition.class_of(address);
        let class = class.ok_or(Unencodable::UnknownAddress(address))?;
        let at = self.value(terms, address)?;
        let ty = self.context.program.exprs.ty(value);
        let value = self.value(terms, value)?;
        let cell = self.context.partition.class(class);
        if matches!(ty, Type::Float(_)) && cells::shows_nan(terms, cell, value) {
            return Err(Unencodable::NanBits);
        }
        valid_address(terms, at, alignment(self.context, class), &mut self.guard);
        self.accesses
            .extend(unknown_access(terms, self.context, at, class));
        let bits = cells::to_bits(terms, value, ty, self.context.program.model);
        let memory = cells::write(terms, self.values.memory(class), at, bits);
        self.set(StateVar::Memory(class), memory);
        Ok(())
    }

    fn copy(
        &mut self,
        terms: &mut Terms,
        target: ExprId,
        source: ExprId,
        size: u64,
    ) -> Result<(), Unencodable> {
        let partition = self.context.partition;
        let limit = too_large("a copy");
        let to = partition.cells(target, size, CELL_LIMIT).map_err(&limit)?;
        let from = partition.cells(source, size, CELL_LIMIT).map_err(&limit)?;
        let shape = |cells: &[Cell]| {
            cells
                .iter()
                .map(|c| (c.offset, c.bytes))
                .collect::<Vec<_>>()
        };
        let same = shape(&to) == shape(&from);
        let to_address = self.value(terms, target)?;
        let from_address = self.value(terms, source)?;
        valid_address(terms, to_address, 1, &mut self.guard);
        valid_address(terms, from_address, 1, &mut self.guard);
        // All is read before anything is written: the ranges may be the same.
        let mut values = Vec::with_capacity(from.len());
        for cell in &from {
            let at = cells::offset(terms, from_address, cell.offset);
            let bytes = u64::from(cell.bytes);
            values.push(cells::read(
                terms,
                self.values.memory(cell.class),
                at,
                bytes,
            ));
        }
        if !same {
            values = reassemble(terms, &from, &values, &to).ok_or(Unencodable::CellsDiffer)?;
        }
        for (cell, value) in to.iter().zip(values) {
            self.write_cell(terms, to_address, cell, value);
        }
        Ok(())
    }

    fn write_cell(&mut self, terms: &mut Terms, base: Term, cell: &Cell, value: Term) {
        let at = cells::offset(terms, base, cell.offset);
        let memory = cells::write(terms, self.values.memory(cell.class), at, value);
        self.set(StateVar::Memory(cell.class), memory);
    }

    fn nondet(&mut self, terms: &mut Terms, target: RegId, origin: &Origin, site: &str) {
        let register = self.context.program.register(target);
        let sort = sort_of(register.ty, self.context.program.model);
        let var = terms.fresh(&format!("in.{}@{site}", register.name), sort);
        if register.ty == Type::Ptr {
            let align = align::pointee(self.context.program, register.ctype);
            let valid = self.context.vars.arbitrary_pointer(terms, var, align);
            self.guard.push(valid);
        }
        self.inputs.push(Input {
            var,
            origin: origin.clone(),
            ty: register.ty,
            receiver: Receiver::Register(target),
        });
        self.set(StateVar::Register(target), var);
    }

    fn havoc(
        &mut self,
        terms: &mut Terms,
        base: Term,
        cells: &[Cell],
        origin: &Origin,
        site: &str,
    ) {
        for cell in cells {
            let class = self.context.partition.class(cell.class);
            let bits = cell.bytes * 8;
            let name = format!("in.{}@{site}", class.name);
            let var = terms.fresh(&name, Sort::BitVec(bits));
            if class.cell_type == Some(Type::Ptr) {
                let valid = self.context.vars.arbitrary_pointer(terms, var, 1);
                self.guard.push(valid);
            }
            let address = cells::offset(terms, base, cell.offset);
            self.inputs.push(Input {
                var,
                origin: origin.clone(),
                ty: match class.cell_type {
                    Some(Type::Ptr) => Type::Ptr,
                    _ => Type::Int(bits as u16),
                },
                receiver: Receiver::Memory {
                    address,
                    class: cell.class,
                    bytes: cell.bytes,
                },
            });
            self.write_cell(terms, base, cell, var);
        }
    }

    /// `target := top; top := top + round_up(max(size, 1), 16) + 16`.
    fn allocate(&mut self, terms: &mut Terms, target: RegId, size: Term) {
        let width = terms.width(size);
        let most = terms.bv(u128::from(heap_size(self.context.program.model)), width);
        let fits = terms.ule(size, most);
        self.assume(terms, fits);
        let (zero, one) = (terms.bv(0, width), terms.bv(1, width));
        let empty = terms.eq(size, zero);
        let size = terms.ite(empty, one, size);
        let fifteen = terms.bv(15, width);
        let raised = terms.add(size, fifteen);
        let mask = terms.bv_signed(-16, width);
        let rounded = terms.bv_and(raised, mask);
        let gap = terms.bv(16, width);
        let step = terms.add(rounded, gap);
        let top = self.get(StateVar::HeapTop);
        let next = terms.add(top, step);
        self.set(StateVar::Register(target), top);
        self.set(StateVar::HeapTop, next);
    }

    /// The transfer of everything applied so far.
    pub fn finish(self) -> Transfer {
        let vars = self.context.vars;
        let mut accesses = self.accesses;
        accesses.extend(self.translator.accesses());
        accesses.sort_unstable();
        accesses.dedup();
        let mut updates = Vec::new();
        let registers = self.values.registers.into_iter();
        updates.extend(registers.map(|(r, value)| (vars.register(r), value)));
        let memory = self.values.memory.into_iter();
        updates.extend(memory.map(|(c, value)| (vars.memory(c), value)));
        updates.extend(self.values.heap_top.map(|value| (vars.heap_top, value)));
        updates.retain(|(variable, value)| variable != value);
        Transfer {
            guard: self.guard,
            updates,
            inputs: self.inputs,
            assumed: self.assumed,
            accesses,
        }
    }
}

/// The access to record, if the address may lie in an object the program does not name.
pub fn unknown_access(
    terms: &Terms,
    context: Context,
    address: Term,
    class: ClassId,
) -> Option<Access> {
    let own = terms.is_const(address) || !terms.object_bases_in(&[address]).is_empty();
    let unknown = context.partition.class(class).unknown;
    (unknown && !own).then_some(Access { address, class })
}

/// Cells of different classes do not overlap: an object that the program does not name is
/// accessed with one type (C11 6.5 §7), as the partition assumes. At most `most` accesses are
/// kept apart from the `most` that follow them.
pub fn separation(
    terms: &mut Terms,
    partition: &Partition,
    accesses: &[Access],
    most: usize,
) -> Vec<Term> {
    let mut found = Vec::new();
    for (i, a) in accesses.iter().take(most).enumerate() {
        for b in accesses[i + 1..].iter().take(most) {
            if a.class == b.class {
                continue;
            }
            let width = terms.width(a.address);
            let mut end = |access: &Access| {
                let bytes = u128::from(partition.class(access.class).cell_bytes);
                let size = terms.bv(bytes, width);
                terms.add(access.address, size)
            };
            let (a_end, b_end) = (end(a), end(b));
            let (before, behind) = (terms.ule(a_end, b.address), terms.ule(b_end, a.address));
            found.push(terms.or2(before, behind));
        }
    }
    found
}

fn too_large(what: &'static str) -> impl Fn(TooManyCells) -> Unencodable {
    move |error| Unencodable::TooLarge {
        what,
        limit: error.limit,
    }
}

/// Values for the cells `to`, put together from the bytes of others; `None` where some are
/// missing.
fn reassemble(terms: &mut Terms, from: &[Cell], values: &[Term], to: &[Cell]) -> Option<Vec<Term>> {
    let mut bytes = BTreeMap::new();
    for (cell, &value) in from.iter().zip(values) {
        for i in 0..cell.bytes {
            bytes.insert(cell.offset + u64::from(i), (value, i * 8));
        }
    }
    to.iter()
        .map(|cell| {
            let mut whole: Option<Term> = None;
            for i in 0..u64::from(cell.bytes) {
                let &(value, low) = bytes.get(&(cell.offset + i))?;
                let byte = terms.extract(value, low + 7, low);
                whole = Some(match whole {
                    Some(rest) => terms.concat(byte, rest),
                    None => byte,
                });
            }
            whole
        })
        .collect()
}
