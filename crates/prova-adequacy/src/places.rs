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
