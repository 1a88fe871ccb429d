//! A path through the program: the state it leads to, over the state where it began, and the
//! conditions under which it is taken.

use crate::machine::{heap_size, Machine, State};
use prova_exec::points_to::Cell;
use prova_formula::{Sort, Term};
use prova_ir::{ExprId, Halt, RegId, Statement, Type};
use rustc_hash::FxHashMap;

/// An object with more cells loses its contents as a whole, with all of their classes.
const FEW: usize = 64;

/// Where a path stands.
#[derive(Clone)]
pub struct Path {
    /// The state.
    pub state: State,
    /// All of these hold.
    pub assumed: Vec<Term>,
    /// How many arbitrary values it took.
    pub taken: usize,
    /// How many edges.
    pub length: usize,
}

impl Path {
    /// A path that has just begun.
    pub fn new(state: State) -> Path {
        Path { state, assumed: Vec::new(), taken: 0, length: 0 }
    }

    /// Adds a condition.
    pub fn assume(&mut self, condition: Term) {
        if !self.assumed.contains(&condition) {
            self.assumed.push(condition);
        }
    }

    /// A value that the path did not meet before.
    pub fn arbitrary(&mut self, machine: &mut Machine, sort: Sort, pointer: bool) -> Term {
        self.taken += 1;
        machine.arbitrary(sort, pointer, self.taken)
    }

    /// Any value that a part of the state can have.
    pub fn anything(&mut self, machine: &mut Machine, place: usize) -> Term {
        self.arbitrary(machine, machine.script.sort(machine.now[place]), false)
    }

    /// Makes a part of the state an input: a pointer is null or points to unknown memory.
    pub fn forget(&mut self, machine: &mut Machine, place: usize) {
        let register = machine.program.registers.get(place);
        let pointer = register.is_some_and(|r| r.ty == Type::Ptr);
        let sort = machine.script.sort(machine.now[place]);
        self.state[place] = self.arbitrary(machine, sort, pointer);
    }
}

impl Machine<'_> {
    /// Takes a statement. Says whether the run goes on. Calls and markers are not for here.
    pub fn take(&mut self, path: &mut Path, statement: &Statement) -> bool {
        match *statement {
            Statement::Skip | Statement::Leave(_) | Statement::Halt(Halt::Abort | Halt::Trap) => {}
            Statement::Free(value) | Statement::Halt(Halt::Exit(value)) => {
                self.value(path, value);
            }
            Statement::Assign { target, value } => {
                path.state[target.index()] = self.value(path, value);
            }
            Statement::Assume(condition) => {
                let condition = self.value(path, condition);
                path.assume(condition);
            }
            Statement::Store { address, value } => {
                let (at, bits) = (self.value(path, address), self.value(path, value));
                self.valid(path, at);
                let bits = self.untyped(path, bits, self.program.exprs.ty(value));
                if let Some(class) = self.class_of(address) {
                    self.write(path, class, at, bits);
                }
            }
            Statement::Copy { target, source, size } => self.copy(path, target, source, size),
            Statement::Nondet { target, .. } => path.forget(self, target.index()),
            Statement::Havoc { address, size, .. } => {
                let at = self.value(path, address);
                self.valid(path, at);
                let cells = self.cells(address, size);
                self.forget_cells(path, at, &cells);
            }
            // An object may come to life again: what it held then is gone.
            Statement::Enter(object) => {
                let size = self.program.object(object).size;
                match self.partition.object_cells(object, size, FEW) {
                    Ok(cells) => {
                        self.forget_cells(path, self.addresses[object.index()], &cells);
                    }
                    Err(_) => {
                        for class in self.partition.object_classes(object) {
                            path.forget(self, self.memory(class));
                        }
                    }
                }
            }
            Statement::Allocate { target, size, .. } => {
                let size = self.value(path, size);
                self.allocate(path, target, size);
            }
            Statement::Call { .. } | Statement::Marker(_) => {
                self.unsupported("a call through a pointer");
            }
        }
        !matches!(statement, Statement::Halt(_))
    }

    /// Copies cell by cell, all being read before anything is written; where the cells of the two
    /// sides differ, byte by byte.
    fn copy(&mut self, path: &mut Path, target: ExprId, source: ExprId, size: u64) {
        let (to, from) = (self.value(path, target), self.value(path, source));
        [to, from].into_iter().for_each(|at| self.valid(path, at));
        let mut known: FxHashMap<(u64, u32), Term> = FxHashMap::default();
        for cell in self.cells(source, size) {
            let at = self.offset(from, cell.offset);
            let bits = self.read(path, cell.class, at, cell.bytes.into());
            known
                .extend((0..cell.bytes.into()).map(|i| ((cell.offset + i, 1), self.byte(bits, i))));
            known.insert((cell.offset, cell.bytes), bits);
        }
        for cell in self.cells(target, size) {
            let at = self.offset(to, cell.offset);
            let bytes = (0..cell.bytes.into()).map(|i| known.get(&(cell.offset + i, 1)).copied());
            let bits =
                match (known.get(&(cell.offset, cell.bytes)), bytes.collect::<Option<Vec<_>>>()) {
                    (Some(&bits), _) => bits,
                    (None, Some(bytes)) => self.whole(&bytes),
                    (None, None) => path.arbitrary(self, Sort::Bits(cell.bytes * 8), false),
                };
            self.write(path, cell.class, at, bits);
        }
    }

    fn forget_cells(&mut self, path: &mut Path, at: Term, cells: &[Cell]) {
        for cell in cells {
            let pointer = self.partition.class(cell.class).cell_type == Some(Type::Ptr);
            let bits = path.arbitrary(self, Sort::Bits(cell.bytes * 8), pointer);
            let at = self.offset(at, cell.offset);
            self.write(path, cell.class, at, bits);
        }
    }

    /// `target := top; top := top + round_up(max(size, 1), 16) + 16`.
    fn allocate(&mut self, path: &mut Path, target: RegId, size: Term) {
        let width = self.script.width(size);
        let most = u128::from(heap_size(self.program.model));
        let n = [most, 0, 1, 15, !15, 16].map(|n| self.script.bits(n, width));
        path.assume(self.script.apply("bvule", &[size, n[0]]));
        let (place, top) = (self.top(), path.state[self.top()]);
        let text = "(bvadd $6 (bvand (bvadd (ite (= $0 $1) $2 $0) $3) $4) $5)";
        path.state[place] = self.script.say(text, &[size, n[1], n[2], n[3], n[4], n[5], top]);
        path.state[target.index()] = top;
    }
}
