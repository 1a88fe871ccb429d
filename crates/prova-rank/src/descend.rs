//! A procedure that calls itself, as one that does not: a call that will return is passed over, with
//! whatever it may have left, and a call that will not is a way back to the entry, with other arguments.
//!
//! Whoever asks for errors needs no more. A run that gets to one stands in calls that are not over, one
//! inside the other, and each of them was entered from the one around it: that is the way back to the
//! entry. All other calls are over, and what they left is among what is chosen freely. So the errors of
//! the program are errors of what is made here, though not all the other way round (Cook, Podelski,
//! Rybalchenko: *Summarization for Termination: No Return!*, FMSD 2009, have the same reduction). What
//! comes back to the entry never returns: nobody needs that it does.
//!
//! Of what is returned, terms over it and the parameters may be said not to be negative. Where the
//! procedure returns, that is checked as measures are; where a call is passed over, it is known. That is no
//! circle: the first return for which it is wrong comes behind others for which it is right.
//!
//! What would be unsound: a call that leaves something else than a result and global registers (memory
//! that it wrote, a block that it freed). A procedure that may do so is refused, with all that it calls.
//! So is one that leaves a pointer: an arbitrary pointer leads to no object of the program.

use crate::expression::{number, Scope, Value};
use crate::measure::{Part, Place};
use crate::weave::{Refused, TERMINATION};
use prova_ir::passes::call_graph::CallGraph;
use prova_ir::{
    BinaryOp, Body, Callee, ErrorLocation, ExprId, LocId, Origin, ProcId, Program, RegId, Register,
    Role, Span, Statement, Type,
};

/// What is said where a procedure returns something else than was promised, and which promise it was.
pub const BROKEN: &str = "what is returned is not as promised: ";

/// Replaces the calls that a procedure makes of itself.
pub fn descend(
    program: &mut Program,
    id: ProcId,
    calls: &CallGraph,
    promises: &[Part],
) -> Result<(), Refused> {
    let globals = leaves(program, id, calls)?;
    let procedure = program.procedure(id).clone();
    let (Some(mut body), parameters) = (procedure.body, procedure.parameters) else {
        return Ok(());
    };
    if procedure
        .result
        .is_some_and(|r| program.register(r).ty == Type::Ptr)
    {
        return Err(Refused::Calls(procedure.name));
    }
    for atom in promises.iter().flat_map(Part::atoms) {
        let Place::Register(name) = &atom.place else {
            return Err(Refused::NotThere(atom.to_string()));
        };
        let register = Scope { procedure: id }.register(program, name)?;
        if !parameters.contains(&register) && procedure.result != Some(register) {
            return Err(Refused::Unknown(name.clone()));
        }
    }
    // Registers that are no parameters hold anything when the procedure is entered.
    let all = (0..program.registers.len()).map(RegId::new);
    let own = |r: &RegId| program.register(*r).owner == Some(id) && !parameters.contains(r);
    let others: Vec<RegId> = all.filter(own).collect();
    let mut maker = Maker { program, id };
    let given: Vec<RegId> = maker.copies("prova.given", &parameters);
    let passed: Vec<RegId> = maker.copies("prova.passed", &parameters);
    let deep = maker.register("prova.deep", Type::Int(8));
    let pool = &mut maker.program.exprs;
    let (no, yes) = (pool.int(0, 8), pool.int(1, 8));

    // What the procedure was given is kept, and whether it was entered from outside.
    let first = body.entry;
    let mut path = Path::new(&mut body, Span::NONE);
    let top = path.at;
    for (&copy, &parameter) in given.iter().zip(&parameters) {
        let value = maker.program.read(parameter);
        path.assign(copy, value);
    }
    path.join(first);
    let mut path = Path::new(&mut body, Span::NONE);
    let entry = path.at;
    path.assign(deep, no);
    path.join(top);
    body.entry = entry;

    maker.returns(&mut body, (&given, procedure.result), &parameters, promises)?;
    maker.only_from_outside(&mut body, deep);

    // Calls: arguments are put aside, for both ways.
    for edge in 0..body.edges.len() {
        let Statement::Call {
            result,
            callee: Callee::Direct(callee),
            arguments,
        } = body.edges[edge].statement.clone()
        else {
            continue;
        };
        if callee != id {
            continue;
        }
        let (target, span) = (body.edges[edge].target, body.edges[edge].span);
        let mut path = Path::new(&mut body, span);
        let begin = path.at;
        for (&copy, &argument) in passed.iter().zip(&arguments) {
            path.assign(copy, argument);
        }
        let over = maker.register("prova.over", Type::Int(8));
        path.choose(over);
        let fork = path.at;
        let value = maker.program.read(over);
        let pool = &mut maker.program.exprs;
        let stays = pool.binary(BinaryOp::Eq, value, no);
        let returns = pool.not(stays);
        // It is over.
        path.assume(returns);
        let got = match procedure.result {
            Some(r) => {
                let ty = maker.program.register(r).ty;
                let got = maker.register("prova.got", ty);
                path.choose(got);
                Some(got)
            }
            None => None,
        };
        for &global in &globals {
            path.choose(global);
        }
        for promise in promises {
            let known = maker.promised(promise, &parameters, &passed, (procedure.result, got))?;
            path.assume(known);
        }
        if let (Some(result), Some(got)) = (result, got) {
            let value = maker.program.read(got);
            path.assign(result, value);
        }
        path.join(target);
        // It is not.
        let mut path = Path::from(&mut body, fork, span);
        path.assume(stays);
        for (&parameter, &copy) in parameters.iter().zip(&passed) {
            let value = maker.program.read(copy);
            path.assign(parameter, value);
        }
        for &register in &others {
            path.choose(register);
        }
        path.assign(deep, yes);
        path.join(top);
        body.edges[edge].statement = Statement::Skip;
        body.edges[edge].target = begin;
    }
    program.procedures[id.index()].body = Some(body);
    Ok(())
}

/// Global registers that a call may leave changed; refused if it may leave more than that.
fn leaves(program: &Program, id: ProcId, calls: &CallGraph) -> Result<Vec<RegId>, Refused> {
    let mut globals: Vec<RegId> = Vec::new();
    for p in calls.reachable_from(id) {
        let procedure = program.procedure(p);
        let refused = || Refused::Calls(procedure.name.clone());
        let body = procedure.body.as_ref().ok_or_else(refused)?;
        if calls.calls_unknown[p.index()] {
            return Err(refused());
        }
        for edge in &body.edges {
            let target = match &edge.statement {
                Statement::Skip
                | Statement::Assume(_)
                | Statement::Halt(_)
                | Statement::Marker(_) => None,
                Statement::Assign { target, .. } | Statement::Nondet { target, .. } => {
                    Some(*target)
                }
                Statement::Call { result, .. } => *result,
                Statement::Store { .. }
                | Statement::Copy { .. }
                | Statement::Havoc { .. }
                | Statement::Allocate { .. }
                | Statement::Free(_)
                | Statement::Enter(_)
                | Statement::Leave(_) => return Err(refused()),
            };
            let global = target.filter(|t| program.register(*t).owner.is_none());
            if global.is_some_and(|g| program.register(g).ty == Type::Ptr) {
                return Err(refused());
            }
            globals.extend(global.filter(|t| !globals.contains(t)));
        }
    }
    Ok(globals)
}

struct Maker<'p> {
    program: &'p mut Program,
    id: ProcId,
}

impl Maker<'_> {
    fn register(&mut self, name: &str, ty: Type) -> RegId {
        let name = self.program.fresh_register_name(name);
        self.program.add_register(Register {
            name,
            c_name: String::new(),
            ty,
            ctype: None,
            owner: Some(self.id),
            role: Role::Temporary,
            initial: None,
            span: Span::NONE,
        })
    }

    fn copies(&mut self, name: &str, of: &[RegId]) -> Vec<RegId> {
        let copy = |r: &RegId| {
            let ty = self.program.register(*r).ty;
            self.register(name, ty)
        };
        of.iter().map(copy).collect()
    }

    /// That a promise is kept, by values in the place of parameters and of what is returned.
    fn promised(
        &mut self,
        promise: &Part,
        parameters: &[RegId],
        values: &[RegId],
        (result, got): (Option<RegId>, Option<RegId>),
    ) -> Result<ExprId, Refused> {
        let mut numbers = Vec::new();
        for atom in promise.atoms() {
            let Place::Register(name) = &atom.place else {
                return Err(Refused::NotThere(atom.to_string()));
            };
            let scope = Scope { procedure: self.id };
            let register = scope.register(self.program, name)?;
            let position = parameters.iter().position(|p| *p == register);
            let read = match position {
                Some(position) => values[position],
                None => match got.filter(|_| result == Some(register)) {
                    Some(got) => got,
                    None => return Err(Refused::Unknown(name.clone())),
                },
            };
            let value = self.program.read(read);
            let number = number(self.program, scope, atom, &|_| Some(value))?;
            numbers.push((atom.clone(), number));
        }
        let find = |atom: &crate::measure::Atom| {
            let found = numbers.iter().find(|n| n.0 == *atom);
            found.expect("every atom was looked up").1
        };
        Value::of(promise, find).is_bounded(self.program)
    }

    /// Checks promises on every way to the exit.
    fn returns(
        &mut self,
        body: &mut Body,
        (given, result): (&[RegId], Option<RegId>),
        parameters: &[RegId],
        promises: &[Part],
    ) -> Result<(), Refused> {
        for promise in promises {
            let kept = self.promised(promise, parameters, given, (result, result))?;
            let broken = self.program.exprs.not(kept);
            let check = before_exit(body);
            let span = body.location(check).span;
            body.add_edge(check, body.exit, Statement::Assume(kept), span);
            let error = body.add_location(span);
            body.add_edge(check, error, Statement::Assume(broken), span);
            body.errors.push(ErrorLocation {
                location: error,
                property: TERMINATION.to_owned(),
                message: format!("{BROKEN}{promise}"),
            });
        }
        Ok(())
    }

    /// Lets nothing return that came back to the entry.
    fn only_from_outside(&mut self, body: &mut Body, deep: RegId) {
        let value = self.program.read(deep);
        let pool = &mut self.program.exprs;
        let zero = pool.int(0, 8);
        let outside = pool.binary(BinaryOp::Eq, value, zero);
        let check = before_exit(body);
        let span = body.location(check).span;
        body.add_edge(check, body.exit, Statement::Assume(outside), span);
    }
}

/// A place that every way to the exit leads to now, but for those that end the program.
fn before_exit(body: &mut Body) -> LocId {
    let exit = body.exit;
    let span = body.location(exit).span;
    let before = body.add_location(span);
    for edge in &mut body.edges {
        if edge.target == exit && !matches!(edge.statement, Statement::Halt(_)) {
            edge.target = before;
        }
    }
    before
}

/// A way that is laid step by step.
struct Path<'b> {
    body: &'b mut Body,
    at: LocId,
    span: Span,
}

impl<'b> Path<'b> {
    fn new(body: &'b mut Body, span: Span) -> Path<'b> {
        let at = body.add_location(span);
        Path { body, at, span }
    }

    fn from(body: &'b mut Body, at: LocId, span: Span) -> Path<'b> {
        Path { body, at, span }
    }

    fn step(&mut self, statement: Statement) {
        let next = self.body.add_location(self.span);
        self.body.add_edge(self.at, next, statement, self.span);
        self.at = next;
    }

    fn assign(&mut self, target: RegId, value: ExprId) {
        self.step(Statement::Assign { target, value });
    }

    fn choose(&mut self, target: RegId) {
        let origin = Origin::Choice("what a call left".into());
        self.step(Statement::Nondet { target, origin });
    }

    fn assume(&mut self, condition: ExprId) {
        self.step(Statement::Assume(condition));
    }

    fn join(self, target: LocId) {
        self.body
            .add_edge(self.at, target, Statement::Skip, self.span);
    }
}
