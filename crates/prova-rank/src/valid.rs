//! Memory that can be read at a place: a measure may look at nothing else, for a run that reads where
//! nothing lies ends there, and would seem to be over.
//!
//! A cell of a static object is there always. Any other must have been accessed, or have come to
//! life, on every way to the place, with nothing behind it that could end its life or send the
//! pointer elsewhere.

use prova_ir::passes::call_graph::CallGraph;
use prova_ir::{
    BinaryOp, Body, Callee, Edge, Expr, ExprId, LocId, ObjectId, ProcId, Program, RegId, Statement,
    Storage, Type,
};

/// A cell of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// What it is named by.
    pub base: Base,
    /// Bytes behind it.
    pub offset: u64,
    /// Bytes of the cell.
    pub bytes: u64,
}

/// What a cell is named by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Base {
    /// A register that points there.
    Register(RegId),
    /// An object.
    Object(ObjectId),
}

/// The cell that an address and a size name, if they name one plainly.
pub fn cell_of(program: &Program, address: ExprId, bytes: u64) -> Option<Cell> {
    let pool = &program.exprs;
    let (base, offset) = match pool.get(address) {
        Expr::Binary {
            op: BinaryOp::PtrAdd,
            left,
            right,
        } => match pool.get(right) {
            Expr::Int { value, .. } => (left, u64::try_from(value).ok()?),
            _ => return None,
        },
        _ => (address, 0),
    };
    let base = match pool.get(base) {
        Expr::Reg(r) => Base::Register(r),
        Expr::Address(o) => Base::Object(o),
        _ => return None,
    };
    Some(Cell {
        base,
        offset,
        bytes,
    })
}

/// Which procedures may free memory, themselves or by what they call.
pub fn may_free(program: &Program, calls: &CallGraph) -> Vec<bool> {
    let mut found: Vec<bool> = program
        .procedures
        .iter()
        .map(|p| match &p.body {
            Some(body) => body
                .edges
                .iter()
                .any(|e| matches!(e.statement, Statement::Free(_))),
            None => !p.parameters.is_empty(),
        })
        .collect();
    // Callees come first.
    for component in &calls.components {
        let frees = |p: &ProcId| {
            let own = found[p.index()] || calls.calls_unknown[p.index()];
            own || calls.callees[p.index()].iter().any(|c| found[c.index()])
        };
        if component.iter().any(frees) {
            component.iter().for_each(|p| found[p.index()] = true);
        }
    }
    found
}

/// Whether a cell can be read whenever a run stands at a location of a procedure.
pub fn is_valid(
    program: &Program,
    body: &Body,
    frees: &[bool],
    cell: Cell,
    location: LocId,
) -> bool {
    let inside = |o: ObjectId| {
        let end = cell.offset.checked_add(cell.bytes);
        end.is_some_and(|end| end <= program.object(o).size)
    };
    if let Base::Object(object) = cell.base {
        if !inside(object) {
            return false;
        }
        if !matches!(program.object(object).storage, Storage::Frame(_)) {
            return true;
        }
    }
    let mut valid = vec![true; body.locations.len()];
    valid[body.entry.index()] = false;
    loop {
        let mut changed = false;
        for edge in &body.edges {
            let before = valid[edge.source.index()];
            let after = behind(program, frees, cell, edge, before);
            if !after && std::mem::replace(&mut valid[edge.target.index()], false) {
                changed = true;
            }
        }
        if !changed {
            return valid[location.index()];
        }
    }
}

/// Whether a cell can be read behind an edge.
fn behind(program: &Program, frees: &[bool], cell: Cell, edge: &Edge, before: bool) -> bool {
    let pointer = match cell.base {
        Base::Register(register) => Some(register),
        Base::Object(_) => None,
    };
    let statement = &edge.statement;
    let writes = |register: RegId| pointer == Some(register);
    match statement {
        Statement::Allocate { target, size, .. } if writes(*target) => {
            return match program.exprs.get(*size) {
                Expr::Int { value, .. } => value >= u128::from(cell.offset + cell.bytes),
                _ => false,
            };
        }
        Statement::Assign { target, .. }
        | Statement::Nondet { target, .. }
        | Statement::Allocate { target, .. }
            if writes(*target) =>
        {
            return false
        }
        Statement::Free(_) if pointer.is_some() => return false,
        Statement::Enter(object) if cell.base == Base::Object(*object) => return true,
        Statement::Leave(object) if cell.base == Base::Object(*object) => return false,
        Statement::Leave(_) if pointer.is_some() => return false,
        Statement::Call { result, callee, .. } => {
            if result.is_some_and(writes) {
                return false;
            }
            let free = match callee {
                Callee::Direct(p) => frees[p.index()],
                Callee::Indirect(_) => true,
            };
            if free && pointer.is_some() {
                return false;
            }
        }
        _ => {}
    }
    before || accesses(program, statement, cell)
}

/// Whether a statement reads or writes all of a cell.
fn accesses(program: &Program, statement: &Statement, cell: Cell) -> bool {
    let covers = |address: ExprId, ty: Type| {
        let found = cell_of(program, address, ty.bytes(program.model));
        found.is_some_and(|f| {
            f.base == cell.base
                && f.offset <= cell.offset
                && cell.offset + cell.bytes <= f.offset + f.bytes
        })
    };
    if let Statement::Store { address, value } = statement {
        if covers(*address, program.exprs.ty(*value)) {
            return true;
        }
    }
    let reads = |e: ExprId| {
        let parts = program.exprs.subexpressions(e).into_iter();
        parts.into_iter().any(|part| match program.exprs.get(part) {
            Expr::Load { address, ty } => covers(address, ty),
            _ => false,
        })
    };
    statement.expressions().any(reads)
}
