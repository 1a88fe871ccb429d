//! Places of the source in a program, as written and as analysed; and questions about them: whether a
//! run comes to a place in a state that satisfies something.

use prova_ir::{
    Body, ErrorLocation, Expr, ExprId, LocId, ProcId, Program, Span, Statement, UnaryOp,
};

/// The property of questions.
pub const STATE: &str = "abstract-state";

/// A place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// Where something stands.
    At(Span),
    /// Where a line is entered.
    Line(u32),
}

/// The locations of a body where a place is come to, among those that `counts` lets pass.
pub fn locations(body: &Body, key: Key, counts: &dyn Fn(LocId) -> bool) -> Vec<LocId> {
    let incoming = body.incoming();
    let same = |span: Span| match key {
        Key::At(own) => span == own,
        Key::Line(line) => span.line == line,
    };
    let outgoing = body.outgoing();
    let mut found = Vec::new();
    for at in (0..body.locations.len()).map(LocId::new) {
        // Where it stands is told by what runs next: locations that were joined have the other's.
        let here = outgoing[at.index()].first().map(|e| body.edge(*e).span);
        let stands = here.is_some_and(same) || same(body.location(at).span);
        if !stands || !counts(at) {
            continue;
        }
        let before = &incoming[at.index()];
        let inside = |e: &prova_ir::EdgeId| same(body.edge(*e).span);
        if at == body.entry || !before.iter().all(inside) {
            found.push(at);
        }
    }
    found
}

/// The location of a label in a function, by its position.
pub fn label(program: &Program, procedure: ProcId, name: &str) -> Option<Span> {
    let body = program.procedure(procedure).body.as_ref()?;
    let named = |l: &&prova_ir::Location| l.label.as_deref() == Some(name);
    body.locations.iter().find(named).map(|l| l.span)
}

/// Makes coming to locations of a function in a state that satisfies something an error.
pub fn woven(
    program: &mut Program,
    procedure: ProcId,
    locations: &[LocId],
    condition: ExprId,
    message: &str,
) {
    let not = program.exprs.not(condition);
    let Some(body) = &mut program.procedures[procedure.index()].body else {
        return;
    };
    for &at in locations {
        let span = body.location(at).span;
        let (next, error) = (body.add_location(span), body.add_location(span));
        let mut at = at;
        let ends = !body.edges.iter().any(|e| e.source == at);
        if ends {
            // Nothing may leave it: the question is asked right before.
            let before = body.add_location(span);
            for edge in body.edges.iter_mut().filter(|e| e.target == at) {
                edge.target = before;
            }
            body.add_edge(next, at, Statement::Skip, span);
            at = before;
        }
        for edge in body.edges.iter_mut().filter(|e| e.source == at) {
            edge.source = next;
        }
        body.add_edge(at, error, Statement::Assume(condition), span);
        body.add_edge(at, next, Statement::Assume(not), span);
        body.errors.push(ErrorLocation {
            location: error,
            property: STATE.to_owned(),
            message: message.to_owned(),
        });
    }
    prova_ir::debug_validate(program, "state");
}

/// Whether looking at a state may be undefined: a division by zero, or a read of anything but the
/// function's own parameters and of what lives for as long as the program.
pub fn may_trap(program: &Program, procedure: ProcId, e: ExprId) -> bool {
    let pool = &program.exprs;
    let parameters = &program.procedure(procedure).parameters;
    let lives = |object: prova_ir::ObjectId, offset: u128, bytes: u64| {
        let object = program.object(object);
        let own = match object.storage {
            prova_ir::Storage::Static { .. } | prova_ir::Storage::External => true,
            prova_ir::Storage::Frame(p) => {
                let named = |r: &prova_ir::RegId| program.register(*r).c_name == object.c_name;
                p == procedure && !object.c_name.is_empty() && parameters.iter().any(named)
            }
        };
        own && offset + u128::from(bytes) <= u128::from(object.size)
    };
    pool.subexpressions(e)
        .into_iter()
        .any(|part| match pool.get(part) {
            Expr::Load { address, ty } => {
                let bytes = ty.bytes(program.model);
                !match pool.get(address) {
                    Expr::Address(object) => lives(object, 0, bytes),
                    Expr::Binary {
                        op: prova_ir::BinaryOp::PtrAdd,
                        left,
                        right,
                    } => match (pool.get(left), pool.get(right)) {
                        (Expr::Address(object), Expr::Int { value, .. }) => {
                            lives(object, value, bytes)
                        }
                        _ => false,
                    },
                    _ => false,
                }
            }
            Expr::Binary { op, .. } => op.traps_on_zero(),
            _ => false,
        })
}

/// Ends runs at errors that are not asked about.
pub fn without_errors(program: &mut Program) {
    for procedure in &mut program.procedures {
        let Some(body) = &mut procedure.body else {
            continue;
        };
        let (kept, ended): (Vec<_>, Vec<_>) = std::mem::take(&mut body.errors)
            .into_iter()
            .partition(|e| e.property == prova_ir::UNMODELLED);
        body.errors = kept;
        for error in ended {
            let span = body.location(error.location).span;
            let halt = Statement::Halt(prova_ir::Halt::Abort);
            body.add_edge(error.location, body.exit, halt, span);
        }
    }
}

/// All of some conditions, each an integer that has to be other than zero or zero.
pub fn all_of(program: &mut Program, parts: &[(ExprId, bool)]) -> ExprId {
    let mut all: Option<ExprId> = None;
    for &(value, holds) in parts {
        let truth = is_set(program, value);
        let part = match holds {
            true => truth,
            false => program.exprs.not(truth),
        };
        all = Some(match all {
            None => part,
            Some(others) => program.exprs.binary(prova_ir::BinaryOp::And, others, part),
        });
    }
    all.unwrap_or_else(|| program.exprs.bool(true))
}

/// That an integer is other than zero, as plainly as it can be said.
fn is_set(program: &mut Program, value: ExprId) -> ExprId {
    let pool = &mut program.exprs;
    // `c ? 1 : 0` is `c`.
    if let Expr::Ite {
        cond,
        then,
        otherwise,
    } = pool.get(value)
    {
        let number = |id: ExprId| match pool.get(id) {
            Expr::Int { value, .. } => Some(value),
            _ => None,
        };
        match (number(then), number(otherwise)) {
            (Some(1), Some(0)) => return cond,
            (Some(0), Some(1)) => return pool.unary(UnaryOp::Not, cond),
            _ => {}
        }
    }
    let prova_ir::Type::Int(width) = pool.ty(value) else {
        return pool.bool(true);
    };
    let zero = pool.int(0, width);
    pool.binary(prova_ir::BinaryOp::Ne, value, zero)
}
