//! The sizes of blocks, for models that have to know them (`realloc`): calls of
//! `__prova_block_size` become reads of a table that every allocation writes, an entry for each 32
//! bytes of the heap. Programs that do not call it have no table.
//!
//! Where memory is checked, sizes are known anyway (`memory::fat`).

use crate::pinned::pinned;
use crate::steps::{Insertions, Step};
use prova_ir::{
    Allocation, BinaryOp, Callee, CastOp, EdgeId, Expr, ExprId, ObjectId, Pinned, ProcId, Program,
    RegId, Register, Role, Span, Statement,
};

/// The function whose result is the size of the block that its argument points to. Models declare
/// it; it has no body, and it is not for programs to call.
pub(crate) const BLOCK_SIZE: &str = "__prova_block_size";

/// Blocks start at least this far apart: 16 bytes, or a multiple of it, and 16 between.
const GRAIN: u128 = 32;

/// Whether a procedure stands for [`BLOCK_SIZE`].
pub(crate) fn is_block_size(program: &Program, procedure: ProcId) -> bool {
    let procedure = program.procedure(procedure);
    procedure.c_name == BLOCK_SIZE && procedure.body.is_none()
}

/// Gives calls of [`BLOCK_SIZE`] their meaning, in a program whose memory is not checked.
pub(crate) fn weave_sizes(program: &mut Program) {
    let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    let mut edges = bodies.flat_map(|b| &b.edges);
    if !edges.any(|e| asked(program, &e.statement).is_some()) {
        return;
    }
    let heap = pinned(program, Pinned::HeapStart);
    let table = pinned(program, Pinned::Table);
    for p in 0..program.procedures.len() {
        let Some(mut body) = program.procedures[p].body.take() else {
            continue;
        };
        let mut insertions = Insertions::new(&body);
        for i in 0..body.edges.len() {
            let statement = body.edges[i].statement.clone();
            if let Some((result, block)) = asked(program, &statement) {
                let address = entry(program, heap, table, block);
                let ty = program.model.pointer_int();
                let value = program.exprs.load(address, ty);
                body.edges[i].statement = Statement::Assign {
                    target: result,
                    value,
                };
                continue;
            }
            let Statement::Allocate {
                target,
                size,
                kind: Allocation::Heap,
            } = statement
            else {
                continue;
            };
            let block = program.read(target);
            let mut value = size;
            if program.exprs.subexpressions(size).contains(&block) {
                let kept = register(program, ProcId::new(p));
                insertions.before(
                    body.edges[i].source,
                    Step::Do(Statement::Assign {
                        target: kept,
                        value: size,
                    }),
                );
                value = program.read(kept);
            }
            let address = entry(program, heap, table, block);
            let step = Step::Do(Statement::Store { address, value });
            insertions.behind(EdgeId::new(i), step);
        }
        insertions.apply(&mut program.exprs, &mut body);
        program.procedures[p].body = Some(body);
    }
}

/// The result and the argument of a call of [`BLOCK_SIZE`].
fn asked(program: &Program, statement: &Statement) -> Option<(RegId, ExprId)> {
    match statement {
        Statement::Call {
            result: Some(result),
            callee: Callee::Direct(callee),
            arguments,
        } if is_block_size(program, *callee) => Some((*result, *arguments.first()?)),
        _ => None,
    }
}

/// The address of a block's entry: `table + (block - heap) / 32 * width`.
fn entry(program: &mut Program, heap: ObjectId, table: ObjectId, block: ExprId) -> ExprId {
    let (width, bytes) = (
        program.model.pointer_bits() as u16,
        program.model.pointer_bytes(),
    );
    let ty = program.model.pointer_int();
    let pool = &mut program.exprs;
    let heap = pool.add(Expr::Address(heap));
    let table = pool.add(Expr::Address(table));
    let block = pool.cast(CastOp::PtrToInt, block, ty);
    let heap = pool.cast(CastOp::PtrToInt, heap, ty);
    let far = pool.binary(BinaryOp::Sub, block, heap);
    let grain = pool.int(GRAIN, width);
    let number = pool.binary(BinaryOp::UDiv, far, grain);
    let bytes = pool.int(u128::from(bytes), width);
    let by = pool.binary(BinaryOp::Mul, number, bytes);
    pool.binary(BinaryOp::PtrAdd, table, by)
}

fn register(program: &mut Program, owner: ProcId) -> RegId {
    let name = program.fresh_register_name("prova.size");
    program.add_register(Register {
        name,
        c_name: String::new(),
        ty: program.model.pointer_int(),
        ctype: None,
        owner: Some(owner),
        role: Role::Temporary,
        initial: None,
        span: Span::NONE,
    })
}
