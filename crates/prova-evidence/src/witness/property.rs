//! Witnesses of other properties than unreachability: what they are about, and errors that count
//! only behind the waypoints.
//!
//! An error that is no call has no place in the text where a gate could stand. So the program is
//! woven first, and the gate is put before its error locations: whoever gets there with the counter
//! of segments elsewhere ends. The target is not counted; the error has to lie in its statement.

use super::weave::SEGMENT;
use prova_exec::{Run, RunEnd};
use prova_ir::{BinaryOp, Expr, ExprId, Program, RegId, Span, Statement, UNMODELLED};
use prova_spec::{parse_prp, Check, Property};

/// What a specification means; `None` if it is unreachability.
pub fn check_of(specification: &str) -> Result<Option<Check>, String> {
    let compact: String = specification.split_whitespace().collect();
    if compact.contains("LTL(G!call(") {
        return Ok(None);
    }
    let lines = specification.replace("CHECK", "\nCHECK");
    let check = parse_prp("witness", &lines).map_err(|e| e.what)?;
    // What ends, and what tests cover, no invariants show.
    if check.properties.contains(&Property::Termination) || check.goals.is_some() {
        return Err("another property than witnesses are read for".into());
    }
    Ok(Some(check))
}

/// Lets errors count only where so many segments are behind.
pub fn gate(program: &mut Program, segments: usize) -> Result<(), String> {
    let counter = counter(program).ok_or("the counter of segments is lost")?;
    let width = match program.exprs.ty(counter) {
        prova_ir::Type::Int(width) => width,
        _ => return Err("the counter of segments is no number".into()),
    };
    let all = program.exprs.int(segments as u128, width);
    let behind = program.exprs.binary(BinaryOp::Eq, counter, all);
    for procedure in &mut program.procedures {
        let Some(body) = &mut procedure.body else {
            continue;
        };
        // What is not modelled is not modelled anywhere.
        let errors = body.errors.iter().filter(|e| e.property != UNMODELLED);
        for error in errors.map(|e| e.location).collect::<Vec<_>>() {
            let span = body.location(error).span;
            let before = body.add_location(span);
            for edge in body.edges.iter_mut().filter(|e| e.target == error) {
                edge.target = before;
            }
            if body.entry == error {
                body.entry = before;
            }
            body.add_edge(before, error, Statement::Assume(behind), span);
        }
    }
    prova_ir::debug_validate(program, "gate");
    Ok(())
}

/// The counter's value, as an expression.
fn counter(program: &mut Program) -> Option<ExprId> {
    let own = |r: &prova_ir::Register| r.c_name == SEGMENT && r.owner.is_none();
    if let Some(at) = program.registers.iter().position(own) {
        return Some(program.read(RegId::new(at)));
    }
    let object = program.objects.iter().position(|o| o.c_name == SEGMENT)?;
    let address = Expr::Address(prova_ir::ObjectId::new(object));
    let address = program.exprs.add(address);
    Some(program.exprs.load(address, prova_ir::Type::Int(32)))
}

/// The error that a run reached: its property, its message and where it is.
pub fn error_of(program: &Program, run: &Run) -> Option<(String, String, Span)> {
    let RunEnd::ErrorReached(at) = run.end else {
        return None;
    };
    let body = program.procedure(at.proc).body.as_ref()?;
    let error = body.errors.iter().find(|e| e.location == at.location)?;
    let span = body.location(at.location).span;
    Some((error.property.clone(), error.message.clone(), span))
}

/// Whether errors of a property happen where a statement is.
pub fn has_a_place(property: &str) -> bool {
    !matches!(property, "valid-memtrack" | "valid-memcleanup")
}
