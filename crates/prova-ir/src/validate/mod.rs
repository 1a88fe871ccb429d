//! The rules every program obeys, checked. Passes run [`debug_validate`] on their results.
//!
//! **Numbers and names**
//! * ids are in range; positions name a file that exists;
//! * names of registers, of objects and of procedures are unique, each among themselves.
//!
//! **Declarations**
//! * a register has an initial value only if it is global: a constant of its type;
//! * an alignment is a power of two;
//! * parts of initial contents are constants, inside their object, in order, without overlap;
//! * parameters and result belong to their procedure; a variadic one has a last parameter that
//!   is a pointer;
//! * the program's entry has a body.
//!
//! A *constant* is `Int`, `Float`, `Pointer`, `Address` of a static object, `Function`, or
//! `PtrAdd` of one of the last three and an `Int`.
//!
//! **Graphs**
//! * the exit and error locations have no outgoing edge;
//! * another location without one is unreachable or reached only through a halt, a call of a
//!   `noreturn` procedure, or `assume false`;
//! * a location with two has `assume c` and `assume not c`; none has more.
//!
//! **Statements and expressions** ([`types`](self) has them per operator)
//! * operands have the types their operators ask for; what is stored or loaded has whole bytes;
//! * a procedure reads and writes its own and global registers only, and names no other
//!   procedure's frame objects;
//! * a direct call of a procedure with a body matches it: as many arguments as parameters, of
//!   their types, and a result of its type, or ignored. A call of one without a body and a call
//!   through a pointer may pass anything: C lets callers know less than there is to know.

mod types;

use crate::expr::{BinaryOp, Expr, UnaryOp};
use crate::ids::*;
use crate::program::*;
use crate::source::Span;
use rustc_hash::FxHashSet;
use std::fmt;

/// A rule that is broken, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// The place.
    pub place: Place,
}

/// What breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The program as a whole.
    Program,
    /// A register's declaration.
    Register(RegId),
    /// An object's declaration.
    Object(ObjectId),
    /// A procedure's declaration.
    Procedure(ProcId),
    /// A location.
    Location(ProcId, LocId),
    /// An edge.
    Edge(ProcId, EdgeId),
}

/// The rules; the module's documentation says them in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rule {
    /// Ids are in range.
    #[error("an id is out of range")]
    IdInRange,
    /// Positions name a file that exists.
    #[error("a position names no file")]
    FileExists,
    /// Names are unique.
    #[error("the name is taken")]
    NameUnique,
    /// Initial values are constants of the right type, of global registers.
    #[error("the initial value is no constant of the register's type, or the register is local")]
    InitialValue,
    /// Alignments are powers of two.
    #[error("the alignment is no power of two")]
    Alignment,
    /// Initial contents are constants, inside, in order, without overlap.
    #[error("initial contents are no constants, lie outside, overlap or are out of order")]
    InitialContents,
    /// Parameters and result belong to their procedure.
    #[error("a parameter or the result belongs to another procedure")]
    Signature,
    /// A variadic procedure has a last parameter that is a pointer.
    #[error("a variadic procedure's last parameter is no pointer")]
    Variadic,
    /// The program's entry has a body.
    #[error("the program's entry has no body")]
    EntryDefined,
    /// The exit and error locations have no outgoing edge.
    #[error("an exit or error location has an outgoing edge")]
    FinalLocation,
    /// Other locations go on.
    #[error("a location is a dead end without being an exit or an error")]
    DeadEnd,
    /// Two outgoing edges are `assume c` and `assume not c`; there are no more.
    #[error("the outgoing edges are no branch over one condition")]
    Branch,
    /// Operands have the types their operators ask for.
    #[error("an operand has the wrong type")]
    OperandType,
    /// Constants have no bits beyond their width.
    #[error("a constant has bits beyond its width")]
    ConstantWidth,
    /// Registers and frame objects are used in their own procedure only.
    #[error("a register or frame object of another procedure is used")]
    Ownership,
    /// Calls match their callees.
    #[error("the call does not match its callee")]
    CallMatches,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Program => f.write_str("program"),
            Place::Register(r) => write!(f, "{r:?}"),
            Place::Object(o) => write!(f, "{o:?}"),
            Place::Procedure(p) => write!(f, "{p:?}"),
            Place::Location(p, l) => write!(f, "{p:?} {l:?}"),
            Place::Edge(p, e) => write!(f, "{p:?} {e:?}"),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.rule)
    }
}

/// All broken rules; empty for a valid program.
pub fn validate(program: &Program) -> Vec<Violation> {
    let mut validator = Validator {
        program,
        found: Vec::new(),
        good: vec![None; program.exprs.len()],
    };
    validator.program();
    validator.found
}

/// In debug builds, panics with the broken rules if there are any: a bug in `pass`.
pub fn debug_validate(program: &Program, pass: &str) {
    if cfg!(debug_assertions) {
        let found = validate(program);
        if !found.is_empty() {
            let list: Vec<String> = found.iter().take(10).map(Violation::to_string).collect();
            panic!("{pass} left an invalid program:\n{}", list.join("\n"));
        }
    }
}

struct Validator<'a> {
    program: &'a Program,
    found: Vec<Violation>,
    /// Whether an expression with all its operands is well typed: each is looked at once.
    good: Vec<Option<Result<(), Rule>>>,
}

impl Validator<'_> {
    fn report(&mut self, rule: Rule, place: Place) {
        self.found.push(Violation { rule, place });
    }

    fn check(&mut self, holds: bool, rule: Rule, place: Place) -> bool {
        if !holds {
            self.report(rule, place);
        }
        holds
    }

    fn span(&mut self, span: Span, place: Place) {
        let exists = span.file.index() < self.program.files.len();
        self.check(!span.is_known() || exists, Rule::FileExists, place);
    }

    fn ctype(&mut self, ctype: Option<CTypeId>, place: Place) {
        let known = ctype.is_none_or(|c| c.index() < self.program.ctypes.len());
        self.check(known, Rule::IdInRange, place);
    }

    fn known_register(&self, id: RegId) -> bool {
        id.index() < self.program.registers.len()
    }

    fn program(&mut self) {
        let program = self.program;
        for marker in &program.markers {
            self.span(marker.span, Place::Program);
        }
        let mut names = FxHashSet::default();
        for (i, register) in program.registers.iter().enumerate() {
            let place = Place::Register(RegId::new(i));
            self.check(names.insert(&register.name), Rule::NameUnique, place);
            self.register(register, place);
        }
        names.clear();
        for (i, object) in program.objects.iter().enumerate() {
            let place = Place::Object(ObjectId::new(i));
            self.check(names.insert(&object.name), Rule::NameUnique, place);
            self.object(object, place);
        }
        names.clear();
        for (i, procedure) in program.procedures.iter().enumerate() {
            let id = ProcId::new(i);
            let place = Place::Procedure(id);
            self.check(names.insert(&procedure.name), Rule::NameUnique, place);
            self.procedure(id, procedure);
        }
        if let Some(entry) = program.entry {
            let procedure = program.procedures.get(entry.index());
            let defined = procedure.is_some_and(|p| p.body.is_some());
            self.check(defined, Rule::EntryDefined, Place::Program);
        }
    }

    fn register(&mut self, register: &Register, place: Place) {
        self.span(register.span, place);
        self.ctype(register.ctype, place);
        let owner_known = register
            .owner
            .is_none_or(|p| p.index() < self.program.procedures.len());
        self.check(owner_known, Rule::IdInRange, place);
        if let Some(initial) = register.initial {
            let good = register.owner.is_none()
                && self.is_constant(initial)
                && self.program.exprs.ty(initial) == register.ty;
            self.check(good, Rule::InitialValue, place);
        }
    }

    fn object(&mut self, object: &Object, place: Place) {
        self.span(object.span, place);
        self.ctype(object.ctype, place);
        self.check(object.align.is_power_of_two(), Rule::Alignment, place);
        match &object.storage {
            Storage::External => {}
            Storage::Frame(p) => {
                let known = p.index() < self.program.procedures.len();
                self.check(known, Rule::IdInRange, place);
            }
            Storage::Static { initial, .. } => {
                let mut end = 0;
                for (offset, part) in initial {
                    let size = match part {
                        Initial::Bytes(bytes) => Some(bytes.len() as u64),
                        Initial::Value(e) => self.is_constant(*e).then(|| {
                            let ty = self.program.exprs.ty(*e);
                            ty.bytes(self.program.model)
                        }),
                    };
                    let next = size.and_then(|s| offset.checked_add(s));
                    let good = next.is_some_and(|n| *offset >= end && n <= object.size);
                    self.check(good, Rule::InitialContents, place);
                    end = next.unwrap_or(end);
                }
            }
        }
    }

    fn is_constant(&mut self, id: ExprId) -> bool {
        if self.expr(id).is_err() {
            return false;
        }
        let pool = &self.program.exprs;
        let simple = |id| match pool.get(id) {
            Expr::Pointer(_) | Expr::Function(_) => true,
            Expr::Address(o) => !matches!(self.program.object(o).storage, Storage::Frame(_)),
            _ => false,
        };
        // An address may be kept in an integer of its width.
        let id = pool.kept_address(id);
        match pool.get(id) {
            Expr::Int { width, .. } => width % 8 == 0 || width == 1,
            Expr::Float { .. } => true,
            Expr::Binary {
                op: BinaryOp::PtrAdd,
                left,
                right,
            } => simple(left) && matches!(pool.get(right), Expr::Int { .. }),
            _ => simple(id),
        }
    }

    fn procedure(&mut self, id: ProcId, procedure: &Procedure) {
        let place = Place::Procedure(id);
        let program = self.program;
        self.span(procedure.span, place);
        self.ctype(procedure.ctype, place);
        for &r in procedure.parameters.iter().chain(&procedure.result) {
            if self.check(self.known_register(r), Rule::IdInRange, place) {
                let own = program.register(r).owner == Some(id);
                self.check(own, Rule::Signature, place);
            }
        }
        if procedure.variadic {
            let last = procedure
                .parameters
                .last()
                .filter(|r| self.known_register(**r));
            let pointer = last.is_some_and(|r| program.register(*r).ty == crate::Type::Ptr);
            self.check(pointer, Rule::Variadic, place);
        }
        if let Some(body) = &procedure.body {
            if self.ids_of(body, place) {
                self.graph(id, body);
                for (i, edge) in body.edges.iter().enumerate() {
                    self.statement(id, edge, Place::Edge(id, EdgeId::new(i)));
                }
            }
        }
    }

    fn ids_of(&mut self, body: &Body, place: Place) -> bool {
        let count = body.locations.len();
        let known = |l: LocId| l.index() < count;
        let good = known(body.entry)
            && known(body.exit)
            && body.errors.iter().all(|e| known(e.location))
            && body
                .edges
                .iter()
                .all(|e| known(e.source) && known(e.target));
        self.check(good, Rule::IdInRange, place)
    }

    fn graph(&mut self, id: ProcId, body: &Body) {
        let outgoing = body.outgoing();
        let mut is_final = vec![false; body.locations.len()];
        is_final[body.exit.index()] = true;
        for error in &body.errors {
            is_final[error.location.index()] = true;
        }
        for (i, location) in body.locations.iter().enumerate() {
            let place = Place::Location(id, LocId::new(i));
            self.span(location.span, place);
            let edges = &outgoing[i];
            self.check(!is_final[i] || edges.is_empty(), Rule::FinalLocation, place);
            let branch = match edges[..] {
                [] | [_] => true,
                [a, b] => self.is_branch(body.edge(a), body.edge(b)),
                _ => false,
            };
            self.check(branch, Rule::Branch, place);
        }
        let reached = crate::graph::reachable(body, &outgoing);
        for edge in &body.edges {
            let target = edge.target;
            let dead = outgoing[target.index()].is_empty() && !is_final[target.index()];
            if reached[edge.source.index()] && dead && !self.stops(&edge.statement) {
                self.report(Rule::DeadEnd, Place::Location(id, target));
            }
        }
        let entry = body.entry.index();
        let dead = outgoing[entry].is_empty() && !is_final[entry];
        self.check(!dead, Rule::DeadEnd, Place::Location(id, body.entry));
    }

    fn stops(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Halt(_) => true,
            Statement::Assume(c) if c.index() < self.program.exprs.len() => {
                self.program.exprs.get(*c) == Expr::Int { value: 0, width: 1 }
            }
            Statement::Call {
                callee: Callee::Direct(p),
                ..
            } => self
                .program
                .procedures
                .get(p.index())
                .is_some_and(|p| p.noreturn),
            _ => false,
        }
    }

    fn is_branch(&self, a: &Edge, b: &Edge) -> bool {
        let (Statement::Assume(a), Statement::Assume(b)) = (&a.statement, &b.statement) else {
            return false;
        };
        let pool = &self.program.exprs;
        if a.index().max(b.index()) >= pool.len() {
            return false;
        }
        let negates = |x: ExprId, y: ExprId| {
            pool.get(x)
                == Expr::Unary {
                    op: UnaryOp::Not,
                    arg: y,
                }
        };
        match (pool.get(*a), pool.get(*b)) {
            (Expr::Int { value: x, width: 1 }, Expr::Int { value: y, width: 1 }) => x != y,
            _ => negates(*a, *b) || negates(*b, *a),
        }
    }
}
