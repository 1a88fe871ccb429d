//! Contracts: what a function requires of its caller, what it ensures, what it may write.
//!
//! Clauses are calls of `__prova_requires`, `__prova_ensures` and `__prova_assigns` at the start of
//! a function's body; `prova.h` gives them their public names, and CBMC's clauses behind a
//! declarator are moved there (`clauses`). The body itself does not see them. Each function that
//! has any gets two procedures beside its own, with the same parameters:
//!
//! | procedure | what it does |
//! |---|---|
//! | `$checked$f` | assumes what is required, calls `f`, checks what is ensured: what `--entry f` runs |
//! | `$assumed$f` | checks what is required, gives what may be written arbitrary contents and the result an arbitrary value, assumes what is ensured: what `--modular` calls instead of `f` |
//!
//! `$assumed$f` exists only where there is an `assigns` clause: without one, nobody knows what the
//! function writes, and its body is what counts. Nor does it where pointers are written or returned: an
//! arbitrary one leads to no variable of the program's own, and the body's might. What would be unsound: a write of the body that the
//! clause does not cover; `prova-spec/contracts` checks each.
//!
//! A range that is required to be valid (`prova_valid(p, n)` of a parameter) is what the caller
//! passed, or a block of exactly that size: so accesses beyond it are found.

use super::*;
use crate::fixups::original_name;
use crate::scan::Names;
use lang_c::ast::*;
use lang_c::visit::{self, Visit};

/// What the names of procedures start with that check a contract.
pub const CHECKED: &str = "$checked$";
/// What the names of procedures start with that stand for a contract.
pub const ASSUMED: &str = "$assumed$";
/// What the names start with of functions that say which bytes may be written.
pub const MAY_WRITE: &str = "__prova_may_write";
/// The property that obligations of contracts belong to.
pub const PROPERTY: &str = "contract";

/// What a clause says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Requires,
    Ensures,
    Assigns,
}

/// A clause.
#[derive(Clone, Copy)]
struct Clause<'a> {
    kind: Kind,
    call: &'a Node<CallExpression>,
}

/// Which of the two procedures is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Checked,
    Assumed,
}

/// The name that a call calls.
pub(super) fn called(e: &Node<Expression>) -> Option<(&str, &Node<CallExpression>)> {
    match &e.node {
        Expression::Call(c) => match &c.node.callee.node {
            Expression::Identifier(name) => Some((name.node.name.as_str(), c)),
            _ => None,
        },
        _ => None,
    }
}

/// The clauses at the start of a function's body.
fn clauses(f: &FunctionDefinition) -> Vec<Clause<'_>> {
    let Statement::Compound(items) = &f.statement.node else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for item in items {
        let BlockItem::Statement(statement) = &item.node else {
            break;
        };
        let Statement::Expression(Some(e)) = &statement.node else {
            break;
        };
        let Some((name, call)) = called(e) else {
            break;
        };
        let kind = match name {
            "__prova_requires" => Kind::Requires,
            "__prova_ensures" => Kind::Ensures,
            "__prova_assigns" => Kind::Assigns,
            _ => break,
        };
        found.push(Clause { kind, call });
    }
    found
}

/// The values before the call that clauses speak of.
#[derive(Default)]
struct Olds<'a>(Vec<&'a Node<CallExpression>>);

impl<'a> Visit<'a> for Olds<'a> {
    fn visit_expression(&mut self, e: &'a Expression, span: &'a CSpan) {
        if let Expression::Call(c) = e {
            if let Expression::Identifier(name) = &c.node.callee.node {
                if name.node.name == "__prova_old" {
                    self.0.push(c);
                    return;
                }
            }
        }
        visit::visit_expression(self, e, span);
    }
}

impl<'a> Lowerer<'a> {
    /// Whether evaluating an expression changes anything.
    pub fn changes_something(&mut self, e: &'a Node<Expression>) -> bool {
        let effects = Effects::of(e);
        let writes = effects.memory || effects.anything || !effects.written.is_empty();
        writes || self.access(e).acts()
    }

    /// Notes where clauses may stand in a function.
    pub fn note_clauses(&mut self, f: &'a Node<FunctionDefinition>) {
        let unit = self.unit;
        let places = clauses(&f.node);
        self.clause_places
            .extend(places.iter().map(|c| (unit, c.call.span.start)));
    }

    /// Makes the procedures of a function's contract, if it has one.
    pub fn contract(&mut self, proc: ProcId, f: &'a Node<FunctionDefinition>) -> Result<()> {
        let clauses = clauses(&f.node);
        if clauses.is_empty() || self.unit >= self.first_model {
            return Ok(());
        }
        let ty = self.types.function(self.functions[proc.index()].ty);
        let ty = ty.expect("functions have function types");
        if self.types.record(ty.result.id).is_some() || ty.variadic {
            let what = "contracts of functions that return structures, or take any number of \
                        arguments, are not supported";
            return Err(self.error(clauses[0].call.span, what));
        }
        for clause in &clauses {
            let arguments = &clause.call.node.arguments;
            let one = clause.kind == Kind::Assigns || arguments.len() == 1;
            if !one {
                return Err(self.error(clause.call.span, "a clause says one condition"));
            }
            for e in arguments {
                if self.changes_something(e) {
                    let message = "a contract must not change anything";
                    return Err(self.error(e.span, message));
                }
            }
        }
        let plain = self.contract_side(proc, f, &clauses, Side::Checked)?;
        // Arbitrary pointers lead to none of the program's own variables; those of the body may.
        let plain = plain && !self.may_hold_pointer(ty.result.id);
        if plain && clauses.iter().any(|c| c.kind == Kind::Assigns) {
            self.contract_side(proc, f, &clauses, Side::Assumed)?;
        }
        Ok(())
    }

    /// Whether something of a type may hold a pointer.
    fn may_hold_pointer(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Ty::Pointer(_) => true,
            Ty::Array(of, _) => self.may_hold_pointer(of.id),
            Ty::Record(r) => {
                let fields = self.types.records[r.0 as usize].fields.clone();
                fields.is_none_or(|all| all.iter().any(|f| self.may_hold_pointer(f.ty.id)))
            }
            _ => false,
        }
    }

    /// One of the two procedures; says whether nothing that may be written may hold a pointer.
    fn contract_side(
        &mut self,
        proc: ProcId,
        f: &'a Node<FunctionDefinition>,
        clauses: &[Clause<'a>],
        side: Side,
    ) -> Result<bool> {
        let prefix = match side {
            Side::Checked => CHECKED,
            Side::Assumed => ASSUMED,
        };
        let (name, span) = {
            let own = self.program.procedure(proc);
            (original_name(&own.c_name).into_owned(), own.span)
        };
        let unique = self.unique_name(&format!("{prefix}{name}"));
        let ty = self.functions[proc.index()].ty;
        let made = ProcId::new(self.program.procedures.len());
        self.program.procedures.push(Procedure {
            name: unique,
            c_name: name.clone(),
            parameters: Vec::new(),
            result: None,
            variadic: false,
            noreturn: false,
            read_only: Vec::new(),
            ctype: None,
            span,
            body: None,
        });
        self.functions.push(Function {
            ty,
            definition: Some((self.unit, f)),
            weak: false,
            declared: self.functions[proc.index()].declared,
            helper: false,
            implicit: false,
            constructor: None,
            destructor: None,
        });
        self.new_frame();
        let mut names = Names::default();
        for clause in clauses {
            names.visit_call_expression(&clause.call.node, &clause.call.span);
        }
        self.frame.taken = names.taken;
        self.frame.passed = names.passed;
        self.frame.proc = Some(made);
        self.frame.evaluate_lengths = true;
        let declared = crate::scan::declared_name(&f.node.declarator.node);
        self.frame.name = &declared.expect("definitions have names").node.name;
        self.frame.here = span;
        let function = self
            .types
            .function(ty)
            .expect("functions have function types");
        self.frame.result_type = function.result;
        self.scopes.push(Scope::default());
        let outcome = self.contract_body(proc, made, f, clauses, side);
        self.scopes.truncate(1);
        self.olds.clear();
        let frame = self.new_frame();
        let plain = outcome?;
        let mut body = frame.body;
        let result = self.program.procedure(made).result;
        crate::tidy::tidy(&mut body, &self.program, result);
        self.program.procedures[made.index()].body = Some(body);
        Ok(plain)
    }

    fn contract_body(
        &mut self,
        proc: ProcId,
        made: ProcId,
        f: &'a Node<FunctionDefinition>,
        clauses: &[Clause<'a>],
        side: Side,
    ) -> Result<bool> {
        let ty = self.functions[proc.index()].ty;
        let ty = self
            .types
            .function(ty)
            .expect("functions have function types");
        let first = clauses[0].call.span;
        let (parameters, result) = self.signature(made, &ty, first)?;
        let procedure = &mut self.program.procedures[made.index()];
        procedure.parameters = parameters.clone();
        procedure.result = result;
        self.frame.result = result;
        self.bind_parameters(f, &parameters)?;
        let of = |kind: Kind| clauses.iter().filter(move |c| c.kind == kind);
        for clause in of(Kind::Requires) {
            let e = &clause.call.node.arguments[0];
            match side {
                Side::Checked => self.assume_required(e)?,
                Side::Assumed => {
                    let value = self.expr(e)?;
                    let holds = self.truth(value.expr);
                    let text = format!(
                        "`{}` is called without `{}`",
                        self.frame.name,
                        self.excerpt(e.span)
                    );
                    self.contract_check(holds, PROPERTY, text, e.span);
                }
            }
        }
        let mut olds = Olds::default();
        for clause in of(Kind::Ensures) {
            olds.visit_call_expression(&clause.call.node, &clause.call.span);
        }
        for old in olds.0 {
            let [e] = &old.node.arguments[..] else {
                return Err(self.error(old.span, "`prova_old` takes one expression"));
            };
            let mut value = self.expr(e)?;
            if self.types.record(value.ty).is_some() {
                return Err(self.error(e.span, "`prova_old` takes a number or a pointer"));
            }
            value.expr = self.keep(value.expr);
            self.olds.insert((self.unit, old.span.start), value);
        }
        let mut plain = true;
        for clause in of(Kind::Assigns) {
            for target in &clause.call.node.arguments {
                plain &= self.assigned(target, side)?;
            }
        }
        self.stand(first);
        match side {
            Side::Checked => {
                if of(Kind::Assigns).next().is_some() {
                    // Nothing but what was named before may be written from here on.
                    self.may_write_call(Vec::new(), first);
                }
                let arguments = parameters.iter().map(|&r| self.program.read(r)).collect();
                self.emit(Op::Call {
                    result,
                    callee: Callee::Direct(proc),
                    arguments,
                });
            }
            Side::Assumed => {
                if let Some(result) = result {
                    let what = format!("what `{}` returns, by its contract", self.frame.name);
                    self.emit(Op::Nondet {
                        target: result,
                        origin: Origin::Choice(what),
                    });
                }
            }
        }
        if let Some(result) = result {
            let var = self.new_variable(ty.result, Home::Register(result), first);
            self.bind("__prova_result", Symbol::Variable(var));
        }
        for clause in of(Kind::Ensures) {
            let e = &clause.call.node.arguments[0];
            let value = self.expr(e)?;
            let holds = self.truth(value.expr);
            match side {
                Side::Assumed => {
                    self.stand(e.span);
                    self.emit(Op::Assume(holds));
                }
                Side::Checked => {
                    let excerpt = self.excerpt(e.span);
                    let text = format!("`{}` does not ensure `{excerpt}`", self.frame.name);
                    self.contract_check(holds, PROPERTY, text, e.span);
                }
            }
        }
        let exit = self.frame.body.exit;
        self.jump(exit);
        Ok(plain)
    }

    /// Assumes a condition. What is said of parameters to be valid is made so.
    fn assume_required(&mut self, e: &'a Node<Expression>) -> Result<()> {
        if let Expression::BinaryOperator(b) = &e.node {
            if b.node.operator.node == BinaryOperator::LogicalAnd {
                self.assume_required(&b.node.lhs)?;
                return self.assume_required(&b.node.rhs);
            }
        }
        match called(e) {
            Some(("__prova_valid" | "__prova_valid_read", c)) => {
                if let [p, n] = &c.node.arguments[..] {
                    self.perhaps_block(p, n, false)?;
                }
            }
            Some(("__prova_some_block", c)) => {
                if let [p] = &c.node.arguments[..] {
                    self.some_block(p)?;
                }
                return Ok(());
            }
            Some(("__prova_fresh", c)) => {
                if let [p, n] = &c.node.arguments[..] {
                    if self.perhaps_block(p, n, true)? {
                        return Ok(());
                    }
                }
            }
            _ => {}
        }
        let value = self.expr(e)?;
        let holds = self.truth(value.expr);
        self.stand(e.span);
        self.emit(Op::Assume(holds));
        Ok(())
    }

    /// The pointer among the parameters that an expression is, with its name.
    fn pointer_parameter(&self, p: &'a Node<Expression>) -> Option<(&'a str, RegId)> {
        let mut p = p;
        while let Expression::Cast(c) = &p.node {
            p = &*c.node.expression;
        }
        let Expression::Identifier(name) = &p.node else {
            return None;
        };
        let Some(Symbol::Variable(var)) = self.lookup(&name.node.name) else {
            return None;
        };
        let Home::Register(register) = self.variables[var.0 as usize].home else {
            return None;
        };
        let parameter = self.program.register(register);
        let own = parameter.ty == Type::Ptr && parameter.owner == self.frame.proc;
        own.then_some((name.node.name.as_str(), register))
    }

    /// A parameter is null or a block of any size: the least that can be said of a pointer that is
    /// none to a structure. What is asked for is not printed by any header: `prova contract` tries with it
    /// what a function needs.
    fn some_block(&mut self, p: &'a Node<Expression>) -> Result<()> {
        let Some((name, register)) = self.pointer_parameter(p) else {
            return Ok(());
        };
        let null = Origin::Choice(format!("whether {name} is null"));
        let null = self.any_scalar("bool", null, p.span)?;
        let null = self.truth(null.expr);
        let size = Origin::Choice(format!("the size of {name}"));
        let size = self.any_scalar("size", size, p.span)?;
        let (nothing, block, end) = (
            self.new_location(),
            self.new_location(),
            self.new_location(),
        );
        self.branch(null, nothing, block);
        self.frame.at = nothing;
        let zero = self.zero(Type::Ptr);
        self.assign(register, zero);
        self.jump(end);
        self.frame.at = block;
        let most = self.largest_block();
        let fits = self.binary(BinaryOp::ULe, size.expr, most);
        self.emit(Op::Assume(fits));
        let value = self.allocate(size.expr, Allocation::Heap, p.span);
        self.assign(register, value.expr);
        self.jump(end);
        self.frame.at = end;
        Ok(())
    }

    /// A parameter is what the caller passed, or a block of so many bytes and no more; it is the
    /// latter if it `must` be. Says whether there is such a parameter.
    fn perhaps_block(
        &mut self,
        p: &'a Node<Expression>,
        n: &'a Node<Expression>,
        must: bool,
    ) -> Result<bool> {
        let Some((name, register)) = self.pointer_parameter(p) else {
            return Ok(false);
        };
        let size = self.expr(n)?;
        let ty = self.size_type();
        let size = self.convert(size, ty, n.span)?;
        let size = self.keep(size.expr);
        let origin = Origin::Choice(format!("whether `{name}` is a block"));
        let choice = self.any_scalar("bool", origin, p.span)?;
        let choice = match must {
            true => self.program.exprs.bool(true),
            false => self.truth(choice.expr),
        };
        let (block, end) = (self.new_location(), self.new_location());
        self.branch(choice, block, end);
        self.frame.at = block;
        // Larger blocks than there are have no pointer.
        let most = self.largest_block();
        let fits = self.binary(BinaryOp::ULe, size, most);
        self.emit(Op::Assume(fits));
        let value = self.allocate(size, Allocation::Heap, p.span);
        self.assign(register, value.expr);
        self.jump(end);
        self.frame.at = end;
        Ok(true)
    }

    /// Something that a function may write: `&(e)`, or a range; says whether it holds no pointers.
    fn assigned(&mut self, target: &'a Node<Expression>, side: Side) -> Result<bool> {
        let Expression::UnaryOperator(u) = &target.node else {
            return Err(self.error(target.span, "this cannot be written to"));
        };
        let inner = &*u.node.operand;
        let (start, size) = match called(inner) {
            Some(("__prova_range", c)) => {
                let [p, n] = &c.node.arguments[..] else {
                    return Err(self.error(c.span, "a range is a pointer and a number"));
                };
                let start = self.expr(p)?;
                let start = Value {
                    expr: self.keep(start.expr),
                    ..start
                };
                let size = self.expr(n)?;
                let ty = self.size_type();
                (start, self.convert(size, ty, n.span)?)
            }
            Some(("__prova_whole" | "__prova_from", _)) => {
                let what = "an object whose size is not said, in what a function assigns";
                self.mark(MarkerKind::Other(what.into()), target.span);
                return Ok(false);
            }
            _ => {
                let start = self.expr(target)?;
                let to = self.types.pointee(start.ty);
                let Some(to) = to else {
                    return Err(self.error(target.span, "this cannot be written to"));
                };
                let size = self.size_of(to.id, target.span)?;
                let bits = self.pointer_bits();
                let size = Value {
                    expr: self.int(u128::from(size), bits),
                    ty: self.size_type(),
                };
                (start, size)
            }
        };
        let to = self.types.pointee(start.ty);
        let plain = to.is_some_and(|to| !self.may_hold_pointer(to.id));
        let pointer = self.void_pointer();
        let start = self.convert(start, pointer, target.span)?;
        match side {
            Side::Checked => self.may_write_call(vec![start.expr, size.expr], target.span),
            Side::Assumed => {
                let what = format!("what `{}` writes, by its contract", self.frame.name);
                self.make_arbitrary(start, size, &what, target.span)?;
            }
        }
        Ok(plain)
    }

    /// Says that a range may be written; without one, that no others may.
    fn may_write_call(&mut self, arguments: Vec<ExprId>, span: CSpan) {
        let name = match arguments.is_empty() {
            true => "__prova_may_write_no_more",
            false => MAY_WRITE,
        };
        let (pointer, size, void) = (self.void_pointer(), self.size_type(), self.types.void());
        let types = match arguments.is_empty() {
            true => Vec::new(),
            false => vec![pointer, size],
        };
        let proc = match self.externals.get(name) {
            Some(Symbol::Function(proc)) => *proc,
            _ => self.function_of_ours(name, types, void, span),
        };
        self.stand(span);
        self.emit(Op::Call {
            result: None,
            callee: Callee::Direct(proc),
            arguments,
        });
    }

    /// An obligation of a contract: where it does not hold, it is broken.
    pub fn contract_check(&mut self, holds: ExprId, property: &str, message: String, span: CSpan) {
        // The words as the header has them.
        let message = message.replace("__prova_", "prova_");
        if matches!(fold::as_int(&self.program.exprs, holds), Some((1, _))) {
            return;
        }
        self.stand(span);
        let (next, error) = (self.new_location(), self.new_location());
        let not = self.program.exprs.not(holds);
        self.edge(Op::Assume(holds), next);
        self.edge(Op::Assume(not), error);
        self.frame.body.locations[error.index()].span = self.frame.here;
        self.frame.body.errors.push(ErrorLocation {
            location: error,
            property: property.to_owned(),
            message,
        });
        self.frame.at = next;
    }
}
