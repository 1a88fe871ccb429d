//! Contracts of functions, as the front end lowers them (`prova_c::contract`): whose calls are
//! replaced by what a contract says, and what a function under its contract may write.
//!
//! **Calls.** [`assume`] lets every call of a function that says what it assigns become a call of
//! what its contract says, but the one that checks the contract itself. Calls through pointers keep
//! the body.
//!
//! **Writes.** Where a function's contract is checked, every write of it and of what it calls is
//! checked: it goes to what the contract names, to a variable of an activation, or to nothing that
//! was there before. What would be unsound: a write that is not looked at here, for then the contract
//! says less than the function does. So all statements that write are looked at, in all functions;
//! what the library writes, what is freed, and writes of functions that allocate and are not seen to
//! go where the contract says, are not modelled.

use crate::access::{accesses, describe, split};
use crate::steps::{Check, Insertions, Step};
use prova_c::contract::{ASSUMED, CHECKED, MAY_WRITE, PROPERTY};
use prova_ir::passes::call_graph::call_graph;
use prova_ir::passes::devirtualise::devirtualise;
use prova_ir::{
    BinaryOp, Callee, CastOp, EdgeId, Expr, ExprId, LocId, ObjectId, Origin, ProcId, Program,
    RegId, Register, Role, Span, Statement, Storage, UNMODELLED,
};

/// More variables of activations than this are not told apart.
const MOST_VARIABLES: usize = 16;

/// The procedure that checks the contract of a function, if it has one.
pub fn checked(program: &Program, function: ProcId) -> Option<ProcId> {
    belonging(program, function, CHECKED)
}

fn belonging(program: &Program, function: ProcId, prefix: &str) -> Option<ProcId> {
    let own = program.procedure(function);
    let of = |p: &prova_ir::Procedure| {
        p.name.starts_with(prefix) && p.c_name == own.c_name && p.span == own.span
    };
    program.procedures.iter().position(of).map(ProcId::new)
}

/// The functions that have a contract, by their C names.
pub fn functions(program: &Program) -> Vec<String> {
    let checked = program.procedures.iter();
    let checked = checked.filter(|p| p.name.starts_with(CHECKED));
    checked.map(|p| p.c_name.clone()).collect()
}

/// Lets calls of functions with contracts be what the contracts say; gives the names of those whose
/// contract is used, from the program's entry on.
pub fn assume(program: &mut Program) -> Vec<String> {
    let mut instead: Vec<Option<ProcId>> = vec![None; program.procedures.len()];
    for (p, procedure) in program.procedures.iter().enumerate() {
        let own = procedure.name.starts_with(CHECKED) || procedure.name.starts_with(ASSUMED);
        if !own && procedure.body.is_some() {
            instead[p] = belonging(program, ProcId::new(p), ASSUMED);
        }
    }
    for p in 0..program.procedures.len() {
        let checks = program.procedures[p].name.starts_with(CHECKED);
        let own = program.procedures[p].span;
        let spans: Vec<Span> = program.procedures.iter().map(|q| q.span).collect();
        let Some(body) = &mut program.procedures[p].body else {
            continue;
        };
        for edge in &mut body.edges {
            if let Statement::Call {
                callee: Callee::Direct(callee),
                ..
            } = &mut edge.statement
            {
                // The one call that is checked.
                if checks && spans[callee.index()] == own {
                    continue;
                }
                if let Some(other) = instead[callee.index()] {
                    *callee = other;
                }
            }
        }
    }
    let Some(entry) = program.entry else {
        return Vec::new();
    };
    let reached = call_graph(program).reachable_from(entry);
    let reached = reached.into_iter().map(|p| program.procedure(p));
    let used = reached.filter(|p| p.name.starts_with(ASSUMED));
    let mut names: Vec<String> = used.map(|p| p.c_name.clone()).collect();
    names.sort();
    names.dedup();
    names
}

/// Whether a name is one of the calls that say what may be written.
pub(crate) fn is_word(name: &str) -> bool {
    name.starts_with(MAY_WRITE)
}

/// Whether a run may free something, as far as graphs tell. Asked before memory is woven in, which
/// takes such statements out.
pub(crate) fn frees(program: &Program) -> bool {
    let asks = program.procedures.iter().any(|p| is_word(&p.c_name));
    let Some(entry) = program.entry.filter(|_| asks) else {
        return false;
    };
    let mut direct = program.clone();
    devirtualise(&mut direct);
    let reached = call_graph(&direct).reachable_from(entry);
    let bodies = reached.into_iter().map(|p| &direct.procedure(p).body);
    let mut edges = bodies.flatten().flat_map(|b| &b.edges);
    edges.any(|e| matches!(e.statement, Statement::Free(_)))
}

/// Gives calls that say what may be written their meaning. What `frees` blocks says more than a
/// contract can.
pub(crate) fn weave_writes(program: &mut Program, asked: bool, frees: bool) {
    let words: Vec<bool> = program
        .procedures
        .iter()
        .map(|p| p.body.is_none() && is_word(&p.c_name))
        .collect();
    if !words.contains(&true) {
        return;
    }
    let entry = program.entry;
    let reached = entry.map_or_else(Vec::new, |e| call_graph(program).reachable_from(e));
    let mut frame = None;
    for p in 0..program.procedures.len() {
        let Some(mut body) = program.procedures[p].body.take() else {
            continue;
        };
        let active = asked && reached.contains(&ProcId::new(p));
        let mut insertions = Insertions::new(&body);
        for i in 0..body.edges.len() {
            let statement = body.edges[i].statement.clone();
            let Statement::Call {
                callee: Callee::Direct(callee),
                arguments,
                ..
            } = &statement
            else {
                continue;
            };
            if words[callee.index()] {
                body.edges[i].statement = Statement::Skip;
                if !active {
                    continue;
                }
                if frees {
                    let check = Check {
                        ok: program.exprs.bool(false),
                        property: UNMODELLED,
                        message: "a function that says what it assigns, where blocks are freed"
                            .to_owned(),
                    };
                    insertions.behind(EdgeId::new(i), Step::Check(check));
                }
                let frame = frame.get_or_insert_with(|| Frame::new(program, ProcId::new(p)));
                for step in frame.word(program, arguments) {
                    insertions.behind(EdgeId::new(i), step);
                }
            } else if let (Some(frame), true) = (&frame, active) {
                if frame.wrapper == ProcId::new(p)
                    && program.procedure(*callee).span == program.procedures[p].span
                {
                    let off = frame.switch(program, false);
                    insertions.behind(EdgeId::new(i), off);
                }
            }
        }
        insertions.apply(&mut program.exprs, &mut body);
        program.procedures[p].body = Some(body);
    }
    if let Some(frame) = frame {
        frame.check_all(program);
    }
}

/// What the function that is checked may write.
struct Frame {
    wrapper: ProcId,
    /// Whether it runs.
    on: RegId,
    /// Where ranges begin, and how long they are.
    ranges: Vec<(RegId, RegId)>,
}

fn ghost(program: &mut Program, name: &str) -> RegId {
    let name = program.fresh_register_name(name);
    let width = program.model.pointer_bits() as u16;
    let zero = program.exprs.int(0, width);
    program.add_register(Register {
        name,
        c_name: String::new(),
        ty: program.model.pointer_int(),
        ctype: None,
        owner: None,
        role: Role::Global,
        initial: Some(zero),
        span: Span::NONE,
    })
}

impl Frame {
    fn new(program: &mut Program, wrapper: ProcId) -> Frame {
        Frame {
            wrapper,
            on: ghost(program, "prova.writes"),
            ranges: Vec::new(),
        }
    }

    fn switch(&self, program: &mut Program, on: bool) -> Step {
        let width = program.model.pointer_bits() as u16;
        Step::Do(Statement::Assign {
            target: self.on,
            value: program.exprs.int(u128::from(on), width),
        })
    }

    /// What a call says: a range, or that there are no more.
    fn word(&mut self, program: &mut Program, arguments: &[ExprId]) -> Vec<Step> {
        let [start, size] = arguments else {
            return vec![self.switch(program, true)];
        };
        let (from, length) = (
            ghost(program, "prova.writes.from"),
            ghost(program, "prova.writes.size"),
        );
        self.ranges.push((from, length));
        let ty = program.model.pointer_int();
        let value = program.exprs.cast(CastOp::PtrToInt, *start, ty);
        vec![
            Step::Do(Statement::Assign {
                target: from,
                value,
            }),
            Step::Do(Statement::Assign {
                target: length,
                value: *size,
            }),
        ]
    }

    fn check_all(&self, program: &mut Program) {
        // What is required to be valid may be a block, which is there before.
        let others = program.procedures.iter();
        let others = others.filter(|p| !p.name.starts_with(CHECKED));
        let bodies = others.filter_map(|p| p.body.as_ref());
        let allocates = bodies
            .flat_map(|b| &b.edges)
            .any(|e| matches!(e.statement, Statement::Allocate { .. }));
        let variables: Vec<ObjectId> = (0..program.objects.len())
            .map(ObjectId::new)
            .filter(|&o| self.is_variable(program, o))
            .collect();
        let exact = !allocates && variables.len() <= MOST_VARIABLES;
        let ghosts: Vec<RegId> = self.ranges.iter().flat_map(|r| [r.0, r.1]).collect();
        for p in 0..program.procedures.len() {
            let owner = &program.procedures[p];
            if Some(ProcId::new(p)) == program.entry || owner.name.starts_with(CHECKED) {
                continue;
            }
            let Some(mut body) = program.procedures[p].body.take() else {
                continue;
            };
            let mut insertions = Insertions::new(&body);
            for i in 0..body.edges.len() {
                let (at, statement) = (body.edges[i].source, body.edges[i].statement.clone());
                self.check(
                    program,
                    &mut insertions,
                    at,
                    &statement,
                    &variables,
                    exact,
                    &ghosts,
                );
            }
            insertions.apply(&mut program.exprs, &mut body);
            program.procedures[p].body = Some(body);
        }
    }

    /// Whether an object is a variable of an activation that the checked function begins.
    fn is_variable(&self, program: &Program, object: ObjectId) -> bool {
        match program.object(object).storage {
            Storage::Frame(owner) => owner != self.wrapper && Some(owner) != program.entry,
            _ => false,
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn check(
        &self,
        program: &mut Program,
        insertions: &mut Insertions,
        at: LocId,
        statement: &Statement,
        variables: &[ObjectId],
        exact: bool,
        ghosts: &[RegId],
    ) {
        if let Some(register) = statement.written_register() {
            let written = program.register(register);
            let own = written.owner.is_none() && !written.c_name.is_empty();
            if own && !ghosts.contains(&register) && register != self.on {
                let name = written.c_name.clone();
                let ok = self.off(program);
                let message = format!("a write of `{name}`, which the contract does not name");
                self.demand(insertions, at, ok, PROPERTY, message);
            }
        }
        if let Statement::Havoc {
            origin: Origin::Undefined(_),
            ..
        } = statement
        {
            let ok = self.off(program);
            let message = "a function with a contract calls one without a body that writes";
            self.demand(insertions, at, ok, UNMODELLED, message.to_owned());
        }
        for access in accesses(program, statement) {
            if !access.write {
                continue;
            }
            let (root, _) = split(&mut program.exprs, access.address);
            let mut property = if exact { PROPERTY } else { UNMODELLED };
            if let Expr::Address(object) = program.exprs.get(root) {
                let target = program.object(object);
                if target.pinned().is_some() || self.is_variable(program, object) {
                    continue;
                }
                property = match target.span.is_known() && !program.is_own(target.span) {
                    true => UNMODELLED,
                    false => PROPERTY,
                };
            }
            let mut ok = self.off(program);
            let width = program.model.pointer_bits() as u16;
            let size = program.exprs.int(u128::from(access.size), width);
            for &(from, length) in &self.ranges {
                let (from, length) = (program.read(from), program.read(length));
                let inside = inside(program, access.address, size, from, length);
                ok = program.exprs.binary(BinaryOp::Or, ok, inside);
            }
            if !matches!(program.exprs.get(root), Expr::Address(_)) {
                for &variable in variables.iter().take(MOST_VARIABLES) {
                    let ty = program.model.pointer_int();
                    let base = program.exprs.add(Expr::Address(variable));
                    let from = program.exprs.cast(CastOp::PtrToInt, base, ty);
                    let length = u128::from(program.object(variable).size);
                    let length = program.exprs.int(length, width);
                    let inside = inside(program, access.address, size, from, length);
                    ok = program.exprs.binary(BinaryOp::Or, ok, inside);
                }
            }
            let what = describe(program, root);
            let message = format!("a write through {what} that the contract does not name");
            self.demand(insertions, at, ok, property, message);
        }
    }

    /// Whether the checked function does not run.
    fn off(&self, program: &mut Program) -> ExprId {
        let width = program.model.pointer_bits() as u16;
        let (on, zero) = (program.read(self.on), program.exprs.int(0, width));
        program.exprs.binary(BinaryOp::Eq, on, zero)
    }

    fn demand(
        &self,
        insertions: &mut Insertions,
        at: LocId,
        ok: ExprId,
        property: &'static str,
        message: String,
    ) {
        insertions.before(
            at,
            Step::Check(Check {
                ok,
                property,
                message,
            }),
        );
    }
}

/// Whether `size` bytes from an address on lie in a range: `size <= length` and
/// `address - from <= length - size`.
fn inside(
    program: &mut Program,
    address: ExprId,
    size: ExprId,
    from: ExprId,
    length: ExprId,
) -> ExprId {
    let ty = program.model.pointer_int();
    let pool = &mut program.exprs;
    let address = pool.cast(CastOp::PtrToInt, address, ty);
    let far = pool.binary(BinaryOp::Sub, address, from);
    let room = pool.binary(BinaryOp::Sub, length, size);
    let fits = pool.binary(BinaryOp::ULe, size, length);
    let near = pool.binary(BinaryOp::ULe, far, room);
    pool.binary(BinaryOp::And, fits, near)
}
