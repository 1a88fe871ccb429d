//! A path through the program: the state it leads to, over the state where it began, and the
//! conditions under which it is taken.

use crate::expression::{offset, read, to_bits, valid_address, value, write};
use crate::script::{Script, Term};
use crate::sort::Sort;
use crate::vocabulary::{heap_size, sort_of, unknown_zone, Values, Vocabulary};
use crate::Failure;
use prova_exec::points_to::{Cell, ClassId};
use prova_ir::{ExprId, Halt, RegId, Statement, Type};
use rustc_hash::FxHashMap;

/// More cells than this are not written by one statement.
const CELLS: usize = 512;

/// Where a path stands.
#[derive(Clone)]
pub struct Path {
    pub values: Values,
    /// All of these hold.
    pub assumed: Vec<Term>,
    /// How many arbitrary values of each kind it took.
    taken: FxHashMap<(Sort, bool), usize>,
}

/// Arbitrary values. Paths are looked at one by one, so they may take the same ones.
#[derive(Default)]
pub struct Supply {
    constants: FxHashMap<(Sort, bool), Vec<Term>>,
}

impl Path {
    /// A path that has just begun.
    pub fn new(values: Values) -> Path {
        Path {
            values,
            assumed: Vec::new(),
            taken: FxHashMap::default(),
        }
    }

    /// Adds a condition.
    pub fn assume(&mut self, condition: Term) {
        if !self.assumed.contains(&condition) {
            self.assumed.push(condition);
        }
    }
}

/// Everything paths are made with.
pub struct Steps<'a> {
    pub words: Vocabulary<'a>,
    pub script: Script,
    pub supply: Supply,
}

impl Steps<'_> {
    /// A value nothing is known of, except that a pointer is arbitrary.
    pub fn fresh(&mut self, path: &mut Path, sort: Sort, pointer: bool) -> Result<Term, Failure> {
        let known = self.supply.constants.entry((sort, pointer)).or_default();
        let taken = path.taken.entry((sort, pointer)).or_default();
        *taken += 1;
        if known.len() < *taken {
            let term = self.script.constant(sort);
            if pointer {
                let zone = unknown_zone(self.words.program.model);
                let fact = self.script.arbitrary_pointer(term, zone)?;
                self.script.assume(term, fact);
            }
            known.push(term);
        }
        Ok(known[*taken - 1])
    }

    /// An arbitrary value for a register.
    pub fn fresh_register(&mut self, path: &mut Path, id: RegId) -> Result<Term, Failure> {
        let ty = self.words.program.register(id).ty;
        self.fresh(path, sort_of(ty, self.words.program.model), ty == Type::Ptr)
    }

    /// The value of an expression.
    pub fn value(&mut self, path: &mut Path, expr: ExprId) -> Result<Term, Failure> {
        value(&mut self.script, &self.words, path, expr)
    }

    /// Takes a statement. Says whether the run goes on. `again` tells of an `Enter` that it may
    /// be executed more than once. Calls and markers are not for here.
    pub fn take(
        &mut self,
        path: &mut Path,
        statement: &Statement,
        again: bool,
    ) -> Result<bool, Failure> {
        match statement {
            Statement::Skip | Statement::Leave(_) => {}
            Statement::Halt(halt) => {
                if let Halt::Exit(code) = halt {
                    self.value(path, *code)?;
                }
                return Ok(false);
            }
            Statement::Free(pointer) => {
                self.value(path, *pointer)?;
            }
            Statement::Assign { target, value } => {
                path.values.registers[target.index()] = self.value(path, *value)?;
            }
            Statement::Assume(condition) => {
                let condition = self.value(path, *condition)?;
                path.assume(condition);
            }
            Statement::Store { address, value } => {
                let class = self.words.class_of(*address)?;
                let at = self.value(path, *address)?;
                let bits = self.value(path, *value)?;
                self.valid(path, *address, at, Some(class))?;
                let ty = self.words.program.exprs.ty(*value);
                let bits = to_bits(&mut self.script, bits, ty, self.words.program.model)?;
                self.write(path, class, at, bits)?;
            }
            Statement::Copy {
                target,
                source,
                size,
            } => self.copy(path, *target, *source, *size)?,
            Statement::Nondet { target, .. } => {
                path.values.registers[target.index()] = self.fresh_register(path, *target)?;
            }
            Statement::Havoc { address, size, .. } => {
                let at = self.value(path, *address)?;
                self.valid(path, *address, at, None)?;
                let cells = self.words.partition.cells(*address, *size, CELLS);
                self.forget_cells(path, at, &cells.map_err(too_many)?)?;
            }
            Statement::Enter(object) if again => {
                let size = self.words.program.object(*object).size;
                let at = self.words.object(*object);
                match self.words.partition.object_cells(*object, size, CELLS) {
                    Ok(cells) => self.forget_cells(path, at, &cells)?,
                    Err(_) => self.forget(path, &self.words.partition.object_classes(*object))?,
                }
            }
            // Nobody wrote to it before, so its first contents are as arbitrary as any.
            Statement::Enter(_) => {}
            Statement::Allocate { target, size, .. } => {
                let size = self.value(path, *size)?;
                self.allocate(path, *target, size)?;
            }
            Statement::Call { .. } | Statement::Marker(_) => {
                return Err(Failure::Unsupported("this statement".into()))
            }
        }
        Ok(true)
    }

    fn valid(
        &mut self,
        path: &mut Path,
        address: ExprId,
        at: Term,
        class: Option<ClassId>,
    ) -> Result<(), Failure> {
        valid_address(&mut self.script, &self.words, path, address, at, class)
    }

    fn write(
        &mut self,
        path: &mut Path,
        class: ClassId,
        at: Term,
        bits: Term,
    ) -> Result<(), Failure> {
        let memory = path.values.memory[class.index()];
        let new = write(&mut self.script, &self.words, class, memory, at, bits)?;
        path.values.memory[class.index()] = new;
        Ok(())
    }

    /// Copies cell by cell, all being read before anything is written; where the cells of the two
    /// sides differ, byte by byte.
    fn copy(
        &mut self,
        path: &mut Path,
        target: ExprId,
        source: ExprId,
        size: u64,
    ) -> Result<(), Failure> {
        let partition = self.words.partition;
        let to_at = self.value(path, target)?;
        let from_at = self.value(path, source)?;
        self.valid(path, target, to_at, None)?;
        self.valid(path, source, from_at, None)?;
        let to = partition.cells(target, size, CELLS).map_err(too_many)?;
        let from = partition.cells(source, size, CELLS).map_err(too_many)?;
        let mut bytes: FxHashMap<u64, (Term, u64)> = FxHashMap::default();
        let mut whole: FxHashMap<(u64, u32), Term> = FxHashMap::default();
        for cell in &from {
            let at = offset(&mut self.script, from_at, cell.offset)?;
            let memory = path.values.memory[cell.class.index()];
            let size = u64::from(cell.bytes);
            let bits = read(&mut self.script, &self.words, cell.class, memory, at, size)?;
            whole.insert((cell.offset, cell.bytes), bits);
            bytes.extend((0..size).map(|i| (cell.offset + i, (bits, i * 8))));
        }
        for cell in &to {
            let bits = match whole.get(&(cell.offset, cell.bytes)) {
                Some(&bits) => bits,
                None => self.assemble(cell, &bytes)?,
            };
            let at = offset(&mut self.script, to_at, cell.offset)?;
            self.write(path, cell.class, at, bits)?;
        }
        Ok(())
    }

    fn assemble(
        &mut self,
        cell: &Cell,
        bytes: &FxHashMap<u64, (Term, u64)>,
    ) -> Result<Term, Failure> {
        let mut whole = None;
        for i in 0..u64::from(cell.bytes) {
            let &(bits, low) = bytes
                .get(&(cell.offset + i))
                .ok_or_else(|| Failure::Unsupported("a copy between unlike cells".into()))?;
            let byte = self
                .script
                .apply(&format!("(_ extract {} {low})", low + 7), &[bits])?;
            whole = Some(match whole {
                Some(rest) => self.script.apply("concat", &[byte, rest])?,
                None => byte,
            });
        }
        whole.ok_or_else(|| Failure::Unsupported("an empty cell".into()))
    }

    fn forget_cells(&mut self, path: &mut Path, at: Term, cells: &[Cell]) -> Result<(), Failure> {
        for cell in cells {
            let pointer = self.words.partition.class(cell.class).cell_type == Some(Type::Ptr);
            let bits = self.fresh(path, Sort::Bits(cell.bytes * 8), pointer)?;
            let at = offset(&mut self.script, at, cell.offset)?;
            self.write(path, cell.class, at, bits)?;
        }
        Ok(())
    }

    /// Makes all that the classes hold arbitrary.
    pub fn forget(&mut self, path: &mut Path, classes: &[ClassId]) -> Result<(), Failure> {
        for &class in classes {
            let sort = self.script.sort(path.values.memory[class.index()]);
            path.values.memory[class.index()] = self.fresh(path, sort, false)?;
        }
        Ok(())
    }

    /// `target := top; top := top + round_up(max(size, 1), 16) + 16`.
    fn allocate(&mut self, path: &mut Path, target: RegId, size: Term) -> Result<(), Failure> {
        let width = self.script.width(size);
        let most = self
            .script
            .bits(heap_size(self.words.program.model).into(), width);
        let fits = self.script.apply("bvule", &[size, most])?;
        path.assume(fits);
        let number = |script: &mut Script, n: i128| script.bits(n as u128, width);
        let (zero, one) = (number(&mut self.script, 0), number(&mut self.script, 1));
        let (fifteen, mask) = (number(&mut self.script, 15), number(&mut self.script, -16));
        let gap = number(&mut self.script, 16);
        let top = path.values.heap_top;
        let text = "(bvadd $5 (bvadd (bvand (bvadd (ite (= $0 $1) $2 $0) $3) $4) $6))";
        let arguments = [size, zero, one, fifteen, mask, top, gap];
        let next = crate::formula::template(&mut self.script, text, &arguments)?;
        path.values.registers[target.index()] = top;
        path.values.heap_top = next;
        Ok(())
    }
}

fn too_many(error: prova_exec::points_to::TooManyCells) -> Failure {
    Failure::Unsupported(error.to_string())
}
