//! What a program can learn of where objects lie.
//!
//! The machine places blocks one behind the other and never uses an address twice; C promises
//! neither, and the allocator of a real machine does otherwise. So no verdict may rest on it.
//! Named objects are no trouble: their bases are symbols, of which a proof knows only that they
//! are aligned and apart. For whatever is *allocated* (blocks of the heap, `alloca`,
//! variable-length arrays, locals of functions that are active more than once) this pass finds
//! where a program looks at the address as a number, and makes that unmodelled where it is
//! reached:
//!
//! | what is seen | fine where |
//! |---|---|
//! | `p < q`, `p - q` | both point into one block |
//! | `p == q` | neither block was freed; no two string literals that a linker may merge |
//! | an address as an integer | it comes back, or is compared with what no address is, or shows its alignment |
//!
//! | file | what it holds |
//! |---|---|
//! | `seen` | expressions that show an address, and what they show |
//! | `answers` | what they give where the user lets it be arbitrary |
//! | `blocks` | which expressions may be addresses of something allocated |
//! | `casts` | which integers may be addresses, where only casts make them so |
//! | `bases` | pointers of a body that were made from one pointer |
//! | `literals` | string literals that may share their bytes |
//! | `watch` | the ghost state that tells blocks apart at run time, where memory is not checked |
//!
//! Where memory safety is checked, slots tell blocks apart (`memory::seen`).
//!
//! What a machine is known for, and may be used: no object lies in the first page, nor at or above
//! [`prova_ir::DataModel::address_end`]; blocks of the heap are aligned to 16 bytes.
//!
//! What would be unsound: to take an expression for harmless that is not. So what is not listed in
//! `seen` as harmless counts as a look at the number. Not followed are models of the library (they
//! are ours, and compare pointers to do what they say), nor the bytes of pointers in memory that
//! models work on.

mod answers;
mod bases;
mod blocks;
mod casts;
mod literals;
mod seen;
mod watch;

pub(crate) use answers::Answers;
pub(crate) use literals::is_constant;
pub(crate) use seen::{message, Observation, Observations, Seen, PAIRS};

use prova_ir::{CastOp, Expr, ExprId, Program, Type};

/// Puts the checks into a program whose memory is not checked.
pub(crate) fn weave_addresses(program: &mut Program) {
    if !may_look(program) {
        return;
    }
    let found = Observations::of(program);
    if !found.is_empty() {
        watch::weave(program, &found);
    }
}

/// Whether a program compares pointers with others than null, or makes numbers of them.
fn may_look(program: &Program) -> bool {
    let pool = &program.exprs;
    let variable = |e: ExprId| pool.ty(e) == Type::Ptr && !matches!(pool.get(e), Expr::Pointer(_));
    pool.ids().any(|e| match pool.get(e) {
        Expr::Cast {
            op: CastOp::PtrToInt,
            ..
        } => true,
        Expr::Binary { op, left, right } => op.is_comparison() && variable(left) && variable(right),
        // Perhaps a part of one.
        Expr::Load { ty, .. } => ty.bits(pool.model()) < pool.model().pointer_bits(),
        _ => false,
    })
}
