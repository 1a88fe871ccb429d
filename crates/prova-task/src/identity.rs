//! What a program is, apart from where it stands and how its parts are numbered: a text that is the same
//! for two programs if they differ in comments, in lines that moved, or in code that was sliced away.
//!
//! The text follows the program from its entry, and numbers registers, objects, procedures, types and
//! expressions as it meets them. What it never meets is not in it. Positions, C names, labels and
//! messages are left out: they are for people. What would be unsound is to leave out anything else, for a
//! store of earlier answers takes programs with one text for one program; so every match below names all
//! fields, and a new one does not compile before somebody decides.

use prova_ir::ctype::{CField, CType};
use prova_ir::{
    Body, CTypeId, Callee, Edge, ErrorLocation, Expr, ExprId, Halt, Initial, MarkerId, MarkerKind,
    Object, ObjectId, Origin, ProcId, Procedure, Program, RegId, Register, Span, Statement,
    Storage,
};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::fmt::Write;
use std::hash::Hash;

/// A program apart from positions and numbering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// What it is; the same for the same program.
    pub text: String,
    /// The positions in it, in the order of the text: the n-th of one program is the n-th of another
    /// with the same text.
    pub positions: Vec<Span>,
    /// The names of its registers, objects and procedures, in the order of the text.
    pub names: Names,
}

/// Names in the order in which a program's text meets them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Of registers.
    pub registers: Vec<String>,
    /// Of memory objects.
    pub objects: Vec<String>,
    /// Of procedures.
    pub procedures: Vec<String>,
}

/// What the program is that begins at its entry.
pub fn identity(program: &Program) -> Identity {
    from(program, program.entry)
}

/// What a procedure is, and all that it calls.
pub fn of_procedure(program: &Program, procedure: ProcId) -> Identity {
    from(program, Some(procedure))
}

/// What a procedure is by itself: procedures that it calls are called by their C names, and their bodies
/// are left out.
pub fn of_body(program: &Program, procedure: ProcId) -> String {
    let mut identity = walked(program, Some(procedure), false);
    let called = &identity.names.procedures;
    let _ = write!(identity.text, "names {called:?}");
    identity.text
}

fn from(program: &Program, entry: Option<ProcId>) -> Identity {
    walked(program, entry, true)
}

fn walked(program: &Program, entry: Option<ProcId>, inwards: bool) -> Identity {
    let mut walk = Walk {
        program,
        inwards,
        out: String::new(),
        positions: Vec::new(),
        registers: Numbers::default(),
        objects: Numbers::default(),
        procedures: Numbers::default(),
        types: Numbers::default(),
        exprs: FxHashMap::default(),
        bodies: VecDeque::new(),
        entered: Vec::new(),
        told: [0; 3],
    };
    let flags = (
        program.reads_volatile,
        program.runs_assembly,
        program.arbitrary_addresses,
    );
    let _ = writeln!(walk.out, "{:?} {flags:?}", program.model);
    if let Some(entry) = entry {
        let entry = walk.called(entry);
        let _ = writeln!(walk.out, "entry p{entry}");
    }
    walk.all();
    let names = Names {
        registers: walk.registers.map(|r| program.register(r).name.clone()),
        objects: walk.objects.map(|o| program.object(o).name.clone()),
        procedures: walk.procedures.map(|p| program.procedure(p).name.clone()),
    };
    Identity {
        text: walk.out,
        positions: walk.positions,
        names,
    }
}

/// Numbers in the order of asking.
struct Numbers<T> {
    number: FxHashMap<T, usize>,
    order: Vec<T>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Numbers {
            number: FxHashMap::default(),
            order: Vec::new(),
        }
    }
}

impl<T: Copy + Eq + Hash> Numbers<T> {
    fn of(&mut self, thing: T) -> usize {
        let next = self.order.len();
        let number = *self.number.entry(thing).or_insert(next);
        if number == next {
            self.order.push(thing);
        }
        number
    }

    fn map<U>(&self, f: impl FnMut(T) -> U) -> Vec<U> {
        self.order.iter().copied().map(f).collect()
    }
}

struct Walk<'a> {
    program: &'a Program,
    /// Whether bodies of what is called belong to it.
    inwards: bool,
    out: String,
    positions: Vec<Span>,
    registers: Numbers<RegId>,
    objects: Numbers<ObjectId>,
    procedures: Numbers<ProcId>,
    types: Numbers<CTypeId>,
    exprs: FxHashMap<ExprId, usize>,
    /// Procedures that are called and whose bodies are still to be told.
    bodies: VecDeque<ProcId>,
    entered: Vec<ProcId>,
    /// How many registers, objects and types were described.
    told: [usize; 3],
}

impl Walk<'_> {
    /// Tells everything that was met and what that leads to.
    fn all(&mut self) {
        loop {
            if let Some(id) = self.bodies.pop_front() {
                self.procedure(id);
            } else if let Some(&id) = self.registers.order.get(self.told[0]) {
                self.told[0] += 1;
                self.register(id);
            } else if let Some(&id) = self.objects.order.get(self.told[1]) {
                self.told[1] += 1;
                self.object(id);
            } else if let Some(&id) = self.types.order.get(self.told[2]) {
                self.told[2] += 1;
                self.ctype(id);
            } else {
                return;
            }
        }
    }

    fn called(&mut self, id: ProcId) -> usize {
        let belongs = self.inwards || self.entered.is_empty();
        if belongs && !self.entered.contains(&id) {
            self.entered.push(id);
            self.bodies.push_back(id);
        }
        self.procedures.of(id)
    }

    fn procedure(&mut self, id: ProcId) {
        let Procedure {
            name: _,
            c_name,
            parameters,
            result,
            variadic,
            noreturn,
            read_only,
            ctype,
            span,
            body,
        } = self.program.procedure(id);
        let number = self.procedures.of(id);
        let parameters: Vec<usize> = parameters.iter().map(|&r| self.registers.of(r)).collect();
        let result = result.map(|r| self.registers.of(r));
        let ctype = ctype.map(|c| self.types.of(c));
        self.positions.push(*span);
        let _ = writeln!(
            self.out,
            "procedure p{number} {parameters:?} {result:?} {variadic} {noreturn} {read_only:?} {ctype:?}"
        );
        match body {
            // Of a function without a body, nothing but its name tells what it is.
            None => {
                let _ = writeln!(self.out, "nowhere {c_name:?}");
            }
            Some(body) => self.body(body),
        }
    }

    fn body(&mut self, body: &Body) {
        let Body {
            locations,
            edges,
            entry,
            exit,
            errors,
        } = body;
        let _ = writeln!(self.out, "from {entry:?} to {exit:?}");
        for edge in edges {
            let Edge {
                source,
                target,
                statement,
                span,
            } = edge;
            self.positions.push(*span);
            let place = locations.get(source.index());
            self.positions.push(place.map_or(Span::NONE, |l| l.span));
            let text = self.statement(statement);
            let _ = writeln!(self.out, "{source:?} {target:?} {text}");
        }
        for error in errors {
            let ErrorLocation {
                location,
                property,
                message: _,
            } = error;
            let place = locations.get(location.index());
            self.positions.push(place.map_or(Span::NONE, |l| l.span));
            let _ = writeln!(self.out, "error {location:?} {property:?}");
        }
    }

    fn statement(&mut self, statement: &Statement) -> String {
        match statement {
            Statement::Skip => "skip".into(),
            Statement::Assign { target, value } => {
                let (target, value) = (self.registers.of(*target), self.expr(*value));
                format!("r{target} := e{value}")
            }
            Statement::Store { address, value } => {
                let (address, value) = (self.expr(*address), self.expr(*value));
                format!("store e{address} e{value}")
            }
            Statement::Copy {
                target,
                source,
                size,
            } => {
                let (target, source) = (self.expr(*target), self.expr(*source));
                format!("copy e{target} e{source} {size}")
            }
            Statement::Assume(e) => format!("assume e{}", self.expr(*e)),
            Statement::Call {
                result,
                callee,
                arguments,
            } => {
                let result = result.map(|r| self.registers.of(r));
                let callee = match callee {
                    Callee::Direct(p) => format!("p{}", self.called(*p)),
                    Callee::Indirect(e) => format!("*e{}", self.expr(*e)),
                };
                let arguments: Vec<usize> = arguments.iter().map(|e| self.expr(*e)).collect();
                format!("call {result:?} {callee} {arguments:?}")
            }
            Statement::Nondet { target, origin } => {
                format!(
                    "nondet r{} {}",
                    self.registers.of(*target),
                    self.origin(origin)
                )
            }
            Statement::Havoc {
                address,
                size,
                origin,
            } => {
                let address = self.expr(*address);
                format!("havoc e{address} {size} {}", self.origin(origin))
            }
            Statement::Allocate { target, size, kind } => {
                let (target, size) = (self.registers.of(*target), self.expr(*size));
                format!("allocate r{target} e{size} {kind:?}")
            }
            Statement::Free(e) => format!("free e{}", self.expr(*e)),
            Statement::Enter(o) => format!("enter o{}", self.objects.of(*o)),
            Statement::Leave(o) => format!("leave o{}", self.objects.of(*o)),
            Statement::Marker(m) => format!("marker {}", self.marker(*m)),
            Statement::Halt(Halt::Exit(e)) => format!("exit e{}", self.expr(*e)),
            Statement::Halt(Halt::Abort) => "abort".into(),
            Statement::Halt(Halt::Trap) => "trap".into(),
        }
    }

    fn marker(&self, id: MarkerId) -> String {
        match &self.program.markers[id.index()].kind {
            MarkerKind::Assembly => "assembly".into(),
            MarkerKind::Builtin(name) => format!("builtin {name:?}"),
            MarkerKind::Other(what) => format!("other {what:?}"),
        }
    }

    fn origin(&self, origin: &Origin) -> String {
        match origin {
            Origin::Unmodelled(marker) => format!("unmodelled {}", self.marker(*marker)),
            Origin::Input(_)
            | Origin::Choice(_)
            | Origin::Undefined(_)
            | Origin::Uninitialised
            | Origin::Entry => format!("{origin:?}"),
        }
    }

    /// The number of an expression; it and what it is made of are told before.
    fn expr(&mut self, id: ExprId) -> usize {
        let mut work = vec![id];
        while let Some(&next) = work.last() {
            if self.exprs.contains_key(&next) {
                work.pop();
                continue;
            }
            let children = self.program.exprs.children(next);
            let open: Vec<ExprId> = children
                .into_iter()
                .filter(|c| !self.exprs.contains_key(c))
                .collect();
            if !open.is_empty() {
                work.extend(open.into_iter().rev());
                continue;
            }
            let text = self.node(next);
            let number = self.exprs.len();
            let _ = writeln!(self.out, "e{number} = {text}");
            self.exprs.insert(next, number);
            work.pop();
        }
        self.exprs[&id]
    }

    fn node(&mut self, id: ExprId) -> String {
        let known = |walk: &Self, e: ExprId| walk.exprs[&e];
        match self.program.exprs.get(id) {
            Expr::Int { value, width } => format!("int {value} {width}"),
            Expr::Float { kind, bits } => format!("float {kind:?} {bits}"),
            Expr::Pointer(address) => format!("pointer {address}"),
            Expr::Reg(r) => format!("r{}", self.registers.of(r)),
            Expr::Address(o) => format!("&o{}", self.objects.of(o)),
            Expr::Function(p) => format!("&p{}", self.procedures.of(p)),
            Expr::Load { address, ty } => format!("load {} {ty:?}", known(self, address)),
            Expr::Unary { op, arg } => format!("{op:?} {}", known(self, arg)),
            Expr::Binary { op, left, right } => {
                format!("{op:?} {} {}", known(self, left), known(self, right))
            }
            Expr::Cast { op, arg, to } => format!("{op:?} {} {to:?}", known(self, arg)),
            Expr::Ite {
                cond,
                then,
                otherwise,
            } => {
                let [c, t, o] = [cond, then, otherwise].map(|e| known(self, e));
                format!("ite {c} {t} {o}")
            }
        }
    }

    fn register(&mut self, id: RegId) {
        let Register {
            name: _,
            c_name: _,
            ty,
            ctype,
            owner,
            role,
            initial,
            span,
        } = self.program.register(id);
        self.positions.push(*span);
        let initial = initial.map(|e| self.expr(e));
        let ctype = ctype.map(|c| self.types.of(c));
        let owner = owner.map(|p| self.procedures.of(p));
        let number = self.registers.of(id);
        let _ = writeln!(
            self.out,
            "register r{number} {ty:?} {role:?} {owner:?} {initial:?} {ctype:?}"
        );
    }

    fn object(&mut self, id: ObjectId) {
        let object = self.program.object(id);
        let Object {
            name: _,
            c_name: _,
            size,
            align,
            storage,
            ctype,
            span,
        } = object;
        self.positions.push(*span);
        let pinned = object.pinned();
        let storage = match storage {
            // Two such objects of other names are other objects of other files.
            Storage::External => format!("external {:?}", object.name),
            Storage::Frame(p) => format!("frame p{}", self.procedures.of(*p)),
            Storage::Static { initial, constant } => {
                let mut text = format!("static {constant}");
                for (offset, part) in initial {
                    match part {
                        Initial::Value(e) => {
                            let _ = write!(text, " {offset}: e{}", self.expr(*e));
                        }
                        Initial::Bytes(bytes) => {
                            let _ = write!(text, " {offset}: {bytes:?}");
                        }
                    }
                }
                text
            }
        };
        let ctype = ctype.map(|c| self.types.of(c));
        let number = self.objects.of(id);
        let _ = writeln!(
            self.out,
            "object o{number} {size} {align} {pinned:?} {ctype:?} {storage}"
        );
    }

    fn ctype(&mut self, id: CTypeId) {
        let text = match self.program.ctypes.get(id) {
            CType::Void => "void".into(),
            CType::Bool => "bool".into(),
            CType::Int {
                name: _,
                bits,
                signed,
            } => format!("int {bits} {signed}"),
            CType::Float { bits } => format!("float {bits}"),
            CType::Pointer(to) => format!("pointer t{}", self.types.of(*to)),
            CType::Array { element, length } => {
                format!("array t{} {length:?}", self.types.of(*element))
            }
            CType::Record {
                name: _,
                union,
                size,
                fields,
            } => {
                let mut text = format!("record {union} {size}");
                for field in fields {
                    let CField {
                        name: _,
                        offset,
                        bits,
                        ctype,
                    } = field;
                    let ctype = self.types.of(*ctype);
                    let _ = write!(text, " {offset} {bits:?} t{ctype}");
                }
                text
            }
            CType::Function {
                result,
                parameters,
                variadic,
            } => {
                let result = self.types.of(*result);
                let parameters: Vec<usize> = parameters.iter().map(|&c| self.types.of(c)).collect();
                format!("function t{result} {parameters:?} {variadic}")
            }
        };
        let number = self.types.of(id);
        let _ = writeln!(self.out, "type t{number} {text}");
    }
}
