//! Removes what cannot matter for any error: backward relevance on one procedure without calls,
//! for safety properties only (after Weiser, *Program Slicing*, 1981).
//!
//! Which error locations can be reached, and by which inputs, stays the same:
//! * every condition before a possible error is relevant, and everything its value is made of,
//!   whatever the order (registers without regard to flow; memory by object where the address
//!   is plain, as a whole otherwise);
//! * **traps end runs**, so what can trap stays, with all that decides whether it does: to drop
//!   a trap would let runs go on to errors they never reach;
//! * **inputs are counted**: `Nondet`, `Havoc`, allocations and the lives of objects stay, so
//!   that a test of the slice is a test of the program;
//! * an assignment to an irrelevant register, or a store to an irrelevant static object at an
//!   address inside it, does nothing.
//!
//! With [`SliceOptions::cut`], paths that can reach no error any more end: they lead to the exit.
//! Whether such a path terminates is not preserved, and no safety property asks.

use super::simplify_graph::{compose, simplify_graph, Labels, LocationMap};
use crate::expr::{BinaryOp, Expr};
use crate::fold::traps;
use crate::graph::can_reach;
use crate::ids::*;
use crate::program::*;

/// What to remove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceOptions {
    /// Whether paths end where no error can be reached any more.
    pub cut: bool,
}

impl Default for SliceOptions {
    fn default() -> Self {
        Self { cut: true }
    }
}

/// What was removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sliced {
    /// Statements that became skips.
    pub statements: usize,
    /// Locations before and after.
    pub locations: (usize, usize),
    /// Where the entry's locations went.
    pub map: LocationMap,
}

/// Slices the entry procedure and simplifies its graph, until nothing changes.
pub fn slice(program: &mut Program, options: SliceOptions) -> Sliced {
    let mut report = Sliced::default();
    let Some(entry) = program.entry else {
        return report;
    };
    let size = |program: &Program| {
        let body = program.procedure(entry).body.as_ref();
        body.map_or(0, |b| b.locations.len())
    };
    let before = size(program);
    report.locations = (before, before);
    report.map = (0..before).map(|i| Some(LocId::new(i))).collect();
    loop {
        let Some(mut body) = program.procedures[entry.index()].body.take() else {
            return report;
        };
        let removed = slice_body(program, &mut body, options);
        program.procedures[entry.index()].body = Some(body);
        let maps = simplify_graph(program, Labels::Drop);
        report.map = compose(&report.map, &maps[entry.index()]);
        report.statements += removed;
        let now = size(program);
        if removed == 0 && now == report.locations.1 {
            break;
        }
        report.locations.1 = now;
    }
    crate::debug_validate(program, "slice");
    report
}

fn slice_body(program: &Program, body: &mut Body, options: SliceOptions) -> usize {
    let errors = body.errors.iter().map(|e| e.location);
    let useful = can_reach(body, errors);
    if options.cut {
        let exit = body.exit;
        if !useful[body.entry.index()] {
            body.entry = exit;
        }
        for edge in &mut body.edges {
            let stops = matches!(edge.statement, Statement::Halt(_));
            if !stops && !useful[edge.target.index()] {
                edge.target = exit;
            }
        }
    }
    let relevant = Relevant::of(program, body, &useful);
    let mut removed = 0;
    for edge in &mut body.edges {
        let source_useful = useful[edge.source.index()];
        if relevant.is_idle(&edge.statement) || !source_useful && is_assignment(&edge.statement) {
            edge.statement = Statement::Skip;
            removed += 1;
        }
    }
    removed
}

fn is_assignment(statement: &Statement) -> bool {
    matches!(statement, Statement::Assign { .. })
}

/// An object and an offset inside it that an address is plainly made of.
fn plain_place(program: &Program, address: ExprId) -> Option<(ObjectId, u64)> {
    let pool = &program.exprs;
    match pool.get(address) {
        Expr::Address(o) => Some((o, 0)),
        Expr::Binary {
            op: BinaryOp::PtrAdd,
            left,
            right,
        } => match (pool.get(left), pool.get(right)) {
            (Expr::Address(o), Expr::Int { value, .. }) => Some((o, u64::try_from(value).ok()?)),
            _ => None,
        },
        _ => None,
    }
}

/// The object that an access of `size` bytes at `address` stays inside, if that is plain.
fn plain_object(program: &Program, address: ExprId, size: u64) -> Option<ObjectId> {
    let (object, offset) = plain_place(program, address)?;
    let end = offset.checked_add(size)?;
    (end <= program.object(object).size).then_some(object)
}

/// What matters, grown to a fixed point. A statement is looked at again when what it writes
/// turns out to matter, and not otherwise.
struct Relevant<'a> {
    program: &'a Program,
    registers: Vec<bool>,
    objects: Vec<bool>,
    /// Some object is relevant.
    any_object: bool,
    /// All of memory is relevant.
    everything: bool,
    /// Expressions whose value was found relevant, or whose traps.
    needed: Vec<bool>,
    guarded: Vec<bool>,
    /// Whether evaluating an expression can trap.
    traps: Vec<bool>,
    writers: Writers,
    /// Edges to look at.
    work: Vec<usize>,
}

/// Edges by what they write.
struct Writers {
    registers: Vec<Vec<usize>>,
    objects: Vec<Vec<usize>>,
    somewhere: Vec<usize>,
}

impl<'a> Relevant<'a> {
    fn of(program: &'a Program, body: &Body, useful: &[bool]) -> Self {
        let mut writers = Writers {
            registers: vec![Vec::new(); program.registers.len()],
            objects: vec![Vec::new(); program.objects.len()],
            somewhere: Vec::new(),
        };
        let mut work = Vec::new();
        for (i, edge) in body.edges.iter().enumerate() {
            if !useful[edge.source.index()] {
                continue;
            }
            work.push(i);
            let written = match &edge.statement {
                Statement::Assign { target, .. } => {
                    writers.registers[target.index()].push(i);
                    continue;
                }
                Statement::Store { address, value } => {
                    let size = program.exprs.ty(*value).bytes(program.model);
                    plain_object(program, *address, size)
                }
                Statement::Copy { target, size, .. } => plain_object(program, *target, *size),
                _ => continue,
            };
            match written {
                Some(o) => writers.objects[o.index()].push(i),
                None => writers.somewhere.push(i),
            }
        }
        let count = program.exprs.len();
        let mut relevant = Self {
            program,
            registers: vec![false; program.registers.len()],
            objects: vec![false; program.objects.len()],
            any_object: false,
            everything: false,
            needed: vec![false; count],
            guarded: vec![false; count],
            traps: traps(&program.exprs),
            writers,
            work,
        };
        while let Some(i) = relevant.work.pop() {
            relevant.statement(&body.edges[i].statement);
        }
        relevant
    }

    fn register_matters(&mut self, r: RegId) {
        if !std::mem::replace(&mut self.registers[r.index()], true) {
            self.work.extend(&self.writers.registers[r.index()]);
        }
    }

    /// What `size` bytes at an address hold matters.
    fn contents_matter(&mut self, address: ExprId, size: u64) {
        match plain_object(self.program, address, size) {
            Some(o) => {
                if !std::mem::replace(&mut self.objects[o.index()], true) {
                    self.work.extend(&self.writers.objects[o.index()]);
                }
            }
            None => self.all_contents_matter(),
        }
        if !std::mem::replace(&mut self.any_object, true) {
            self.work.extend(&self.writers.somewhere);
        }
    }

    fn all_contents_matter(&mut self) {
        if !std::mem::replace(&mut self.everything, true) {
            self.work.extend(self.writers.objects.iter().flatten());
        }
        if !std::mem::replace(&mut self.any_object, true) {
            self.work.extend(&self.writers.somewhere);
        }
    }

    /// The value of an expression matters.
    fn value(&mut self, root: ExprId) {
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            if std::mem::replace(&mut self.needed[id.index()], true) {
                continue;
            }
            match self.program.exprs.get(id) {
                Expr::Reg(r) => self.register_matters(r),
                Expr::Load { address, ty } => {
                    self.contents_matter(address, ty.bytes(self.program.model));
                }
                _ => {}
            }
            work.extend(self.program.exprs.children(id));
        }
    }

    /// Whether an expression traps matters.
    fn trap(&mut self, root: ExprId) {
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            if !std::mem::replace(&mut self.guarded[id.index()], true) {
                let pool = &self.program.exprs;
                work.extend(pool.children(id));
                match pool.get(id) {
                    Expr::Load { address, .. } => self.value(address),
                    Expr::Binary { op, right, .. } if op.traps_on_zero() => self.value(right),
                    _ => {}
                }
            }
        }
    }

    /// Whether what is written there can be read where it matters.
    fn is_read(&self, address: ExprId, size: u64) -> bool {
        match plain_object(self.program, address, size) {
            Some(o) => self.everything || self.objects[o.index()],
            None => self.any_object,
        }
    }

    fn statement(&mut self, statement: &Statement) {
        for e in statement.expressions() {
            self.trap(e);
        }
        match statement {
            Statement::Skip
            | Statement::Nondet { .. }
            | Statement::Enter(_)
            | Statement::Leave(_)
            | Statement::Marker(_)
            | Statement::Halt(_) => {}
            Statement::Assign { target, value } => {
                if self.registers[target.index()] {
                    self.value(*value);
                }
            }
            Statement::Store { address, value } => {
                self.value(*address);
                let size = self.program.exprs.ty(*value).bytes(self.program.model);
                if self.is_read(*address, size) {
                    self.value(*value);
                }
            }
            Statement::Copy {
                target,
                source,
                size,
            } => {
                self.value(*target);
                self.value(*source);
                if self.is_read(*target, *size) {
                    self.contents_matter(*source, *size);
                }
            }
            Statement::Assume(c) => self.value(*c),
            Statement::Havoc { address, .. } => self.value(*address),
            Statement::Allocate { size, .. } => self.value(*size),
            Statement::Free(pointer) => self.value(*pointer),
            Statement::Call {
                callee, arguments, ..
            } => {
                if let Callee::Indirect(e) = callee {
                    self.value(*e);
                }
                for e in arguments {
                    self.value(*e);
                }
                self.all_contents_matter();
            }
        }
    }

    /// Whether a statement can be left out.
    fn is_idle(&self, statement: &Statement) -> bool {
        let program = self.program;
        match statement {
            Statement::Assign { target, value } => {
                !self.registers[target.index()] && !self.traps[value.index()]
            }
            Statement::Store { address, value } => {
                let size = program.exprs.ty(*value).bytes(program.model);
                let object = plain_object(program, *address, size);
                let stays_alive = object.is_some_and(|o| {
                    let storage = &program.object(o).storage;
                    matches!(
                        storage,
                        Storage::Static {
                            constant: false,
                            ..
                        } | Storage::External
                    )
                });
                stays_alive && !self.is_read(*address, size) && !self.traps[value.index()]
            }
            _ => false,
        }
    }
}
