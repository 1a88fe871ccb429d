//! A count of the rounds of one loop, for a run that never ends: the error is that it comes round for
//! the n-th time. It says nothing by itself; whoever uses it has shown that the state comes again.

use crate::weave::TERMINATION;
use prova_ir::{
    BinaryOp, ErrorLocation, LocId, ProcId, Program, Register, Role, Span, Statement, Type,
};

/// The name of the register that counts, as far as it is fixed.
pub const COUNTER: &str = "prova.again";

/// Counts how often a location is passed; the n-th time is an error with this message.
pub fn count_rounds(program: &mut Program, id: ProcId, at: LocId, n: u64, message: &str) {
    let zero = program.exprs.int(0, 64);
    let name = program.fresh_register_name(COUNTER);
    let counter = program.add_register(Register {
        name,
        c_name: String::new(),
        ty: Type::Int(64),
        ctype: None,
        owner: None,
        role: Role::Global,
        initial: Some(zero),
        span: Span::NONE,
    });
    let value = program.read(counter);
    let pool = &mut program.exprs;
    let (one, most) = (pool.int(1, 64), pool.int(u128::from(n), 64));
    let next = pool.binary(BinaryOp::Add, value, one);
    let reached = pool.binary(BinaryOp::Eq, value, most);
    let not = pool.not(reached);
    let Some(body) = &mut program.procedures[id.index()].body else {
        return;
    };
    let span = body.location(at).span;
    let [before, counted, error] = [(); 3].map(|()| body.add_location(span));
    for edge in &mut body.edges {
        if edge.target == at {
            edge.target = before;
        }
    }
    if body.entry == at {
        body.entry = before;
    }
    let count = Statement::Assign {
        target: counter,
        value: next,
    };
    body.add_edge(before, counted, count, span);
    body.add_edge(counted, at, Statement::Assume(not), span);
    body.add_edge(counted, error, Statement::Assume(reached), span);
    body.errors.push(ErrorLocation {
        location: error,
        property: TERMINATION.to_owned(),
        message: message.to_owned(),
    });
    prova_ir::debug_validate(program, "count rounds");
}
