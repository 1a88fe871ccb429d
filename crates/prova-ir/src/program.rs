//! Program, procedures and what their edges do.

use crate::ctype::CTypes;
use crate::decision::Decision;
use crate::expr::ExprPool;
use crate::ids::*;
use crate::source::{SourceFile, Span};
use crate::types::{DataModel, Type};
use std::collections::BTreeSet;

/// A whole program: one or several C files, linked.
#[derive(Clone, Debug)]
pub struct Program {
    /// Data model it was lowered for.
    pub model: DataModel,
    /// Source files; positions refer to them.
    pub files: Vec<SourceFile>,
    /// C types, for people.
    pub ctypes: CTypes,
    /// Registers of all procedures, and global ones.
    pub registers: Vec<Register>,
    /// Memory objects that have a name: globals, literals, frame objects.
    pub objects: Vec<Object>,
    /// Procedures, with and without a body.
    pub procedures: Vec<Procedure>,
    /// All expressions.
    pub exprs: ExprPool,
    /// What was accepted but is not modelled.
    pub markers: Vec<Marker>,
    /// Where execution starts, `main` unless told otherwise; `None` for a library.
    pub entry: Option<ProcId>,
    /// Names of global registers and static objects with internal linkage or none: no other file can
    /// name them. Known of C programs only; the text form does not tell.
    pub internal: BTreeSet<String>,
    /// Whether it reads something `volatile`: where that is plain memory, nothing else tells.
    pub reads_volatile: bool,
    /// Whether it has inline assembly that is taken to change its outputs only.
    pub runs_assembly: bool,
    /// Whether what it asks about addresses has an arbitrary answer.
    pub arbitrary_addresses: bool,
    /// The conditions of `if`, loops and `?:` as they were written. Known of C programs only.
    pub decisions: Vec<Decision>,
}

/// A scalar variable whose address is never taken, a parameter, or a temporary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// Name unique in the program, as the text form prints it; the C name with a suffix where
    /// several variables share it.
    pub name: String,
    /// The name in the source; empty for a temporary.
    pub c_name: String,
    /// Type of its value.
    pub ty: Type,
    /// Type as written in C; `None` for a temporary.
    pub ctype: Option<CTypeId>,
    /// The procedure it belongs to (one instance per activation); `None` for a global.
    pub owner: Option<ProcId>,
    /// What it is for.
    pub role: Role,
    /// For a global: the constant it starts with, or `None` for an arbitrary value.
    pub initial: Option<ExprId>,
    /// Declaration.
    pub span: Span,
}

/// What a register is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A global variable.
    Global,
    /// A local variable.
    Local,
    /// A parameter.
    Parameter,
    /// Holds the result when the exit is reached.
    Result,
    /// Made by lowering.
    Temporary,
}

/// A memory object with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Name unique in the program.
    pub name: String,
    /// The name in the source; empty for literals and temporaries.
    pub c_name: String,
    /// Bytes; zero is allowed.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// Where it lives and what it holds at first.
    pub storage: Storage,
    /// Type as written in C.
    pub ctype: Option<CTypeId>,
    /// Declaration.
    pub span: Span,
}

/// An object of a check, not of the program, whose place is fixed. It is known by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pinned {
    /// Nothing but the address of the first block that is allocated.
    HeapStart,
    /// A table that only ghost statements access, at [`DataModel::ghost_zone`].
    Table,
}

impl Pinned {
    /// The name of the object.
    pub fn name(self) -> &'static str {
        match self {
            Pinned::HeapStart => "prova.heap",
            Pinned::Table => "prova.extent",
        }
    }
}

impl Object {
    /// Whether and where its place is fixed.
    pub fn pinned(&self) -> Option<Pinned> {
        [Pinned::HeapStart, Pinned::Table]
            .into_iter()
            .find(|p| p.name() == self.name)
    }
}

/// Where an object lives and what it holds at first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Static storage: zero except for these parts, which do not overlap.
    Static {
        /// Offset and content, by increasing offset.
        initial: Vec<(u64, Initial)>,
        /// A string literal or a `const` object: storing there traps.
        constant: bool,
    },
    /// Declared `extern` and defined nowhere: arbitrary contents.
    External,
    /// One instance per activation of the procedure, from [`Statement::Enter`] to
    /// [`Statement::Leave`] or the end of the activation; arbitrary contents at first.
    Frame(ProcId),
}

/// A part of a static object's first contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    /// A constant: `Int`, `Float`, `Pointer`, `Address`, `Function`, or `PtrAdd` of one of the
    /// last three and an integer constant; or such an address as an integer (`PtrToInt`).
    Value(ExprId),
    /// Raw bytes, as from a string literal.
    Bytes(Vec<u8>),
}

/// A procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Procedure {
    /// Name unique in the program.
    pub name: String,
    /// The name in the source.
    pub c_name: String,
    /// Parameters. A structure is passed as a pointer to a copy that the caller made; one that
    /// is returned, as a first parameter that points to where it goes; the arguments behind a
    /// `...`, as a last parameter that points to them (see [`Procedure::variadic`]).
    pub parameters: Vec<RegId>,
    /// Holds the result when the exit is reached; `None` for `void`.
    pub result: Option<RegId>,
    /// Whether the last parameter points to the arguments behind `...`: each in a slot of its
    /// own, promoted, in order; a slot has 8 bytes on LP64 and 4 on ILP32, larger values take
    /// as many slots as they need.
    pub variadic: bool,
    /// Declared `noreturn`.
    pub noreturn: bool,
    /// For a function without a body: the positions of parameters that are declared as pointers
    /// to `const`, increasing. Nothing is written through them.
    pub read_only: Vec<u32>,
    /// Function type as written in C.
    pub ctype: Option<CTypeId>,
    /// Definition, or first declaration.
    pub span: Span,
    /// `None` for a function that is declared and called but not defined.
    pub body: Option<Body>,
}

/// The graph of a procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// Locations.
    pub locations: Vec<Location>,
    /// Edges.
    pub edges: Vec<Edge>,
    /// Where it starts.
    pub entry: LocId,
    /// Where it returns.
    pub exit: LocId,
    /// Locations that must not be reached.
    pub errors: Vec<ErrorLocation>,
}

/// A point between two statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The source position execution stands at: that of the statement about to run.
    pub span: Span,
    /// A C label here, if any.
    pub label: Option<String>,
}

/// The property of error locations that are none: what happens there is not modelled, and no
/// verdict may depend on it.
pub const UNMODELLED: &str = "unmodelled";

/// The same where only `valid-deref` depends on what happens; for other properties it is nothing.
pub const UNMODELLED_DEREF: &str = "unmodelled-deref";

/// How the message of an access ends that goes beyond what is known of a caller's object.
pub const BEYOND_TYPE: &str = "to more than its type says that a caller passes";

/// The property of what users say of loops: invariants and measures. It belongs to every check of
/// what runs do, and what is said is a candidate for whoever looks for invariants.
pub const LOOP_CONTRACT: &str = "loop-contract";

/// What the names of registers start with that keep the measure which a user gave to a loop, from
/// the last time that its head was passed.
pub const MEASURE: &str = "prova.measure";

/// An error location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorLocation {
    /// The location; it has no outgoing edge.
    pub location: LocId,
    /// The property it breaks, as the competition spells it: `unreach-call`.
    pub property: String,
    /// What happened, for people.
    pub message: String,
}

/// A statement between two locations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it starts.
    pub source: LocId,
    /// Where it ends.
    pub target: LocId,
    /// What it does.
    pub statement: Statement,
    /// The C it came from.
    pub span: Span,
}

/// What an edge does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Nothing.
    Skip,
    /// Writes a register.
    Assign {
        /// Register.
        target: RegId,
        /// Value of the register's type.
        value: ExprId,
    },
    /// Writes memory (little-endian).
    Store {
        /// Where.
        address: ExprId,
        /// What; its type says how many bytes.
        value: ExprId,
    },
    /// Copies bytes between ranges that are disjoint or the same: a structure assignment.
    Copy {
        /// Where to.
        target: ExprId,
        /// Where from.
        source: ExprId,
        /// How many bytes.
        size: u64,
    },
    /// Passes where the truth value holds; no run continues where it does not.
    Assume(ExprId),
    /// Calls a procedure.
    Call {
        /// Receives the result.
        result: Option<RegId>,
        /// What is called.
        callee: Callee,
        /// Arguments, matching the callee's parameters.
        arguments: Vec<ExprId>,
    },
    /// Gives a register an arbitrary value of its type.
    Nondet {
        /// Register.
        target: RegId,
        /// Why the value is arbitrary.
        origin: Origin,
    },
    /// Gives memory arbitrary contents.
    Havoc {
        /// Where.
        address: ExprId,
        /// How many bytes.
        size: u64,
        /// Why.
        origin: Origin,
    },
    /// Allocates an object of a run-time size with arbitrary contents, aligned to 16 bytes.
    /// It never fails; a null result is a branch of the library model.
    Allocate {
        /// Receives the address.
        target: RegId,
        /// Bytes, an integer of pointer width.
        size: ExprId,
        /// Which lifetime it has.
        kind: Allocation,
    },
    /// Ends the life of a heap block; null does nothing, any other pointer traps.
    Free(ExprId),
    /// Starts the life of a frame object: its contents are arbitrary. One that is alive already
    /// (a jump back over its declaration) starts anew.
    Enter(ObjectId),
    /// Ends the life of a frame object; nothing happens if it is not alive.
    Leave(ObjectId),
    /// Something that is accepted but not modelled happens here. Execution goes on as if it did
    /// nothing (outputs are separate `Nondet` edges), and no proof may rest on it.
    Marker(MarkerId),
    /// Ends the program.
    Halt(Halt),
}

/// What a call calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    /// A known procedure.
    Direct(ProcId),
    /// Through a pointer; traps where that is no function's address.
    Indirect(ExprId),
}

/// The lifetime of allocated memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Allocation {
    /// Until freed.
    Heap,
    /// Until the activation ends (`alloca`, variable-length arrays).
    Stack,
}

/// How a program ends other than by returning from its entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Halt {
    /// `exit` with this status, an `int`.
    Exit(ExprId),
    /// `abort`, or a trap the compiler put in.
    Abort,
    /// A trap like those of expressions: undefined behaviour that a pass made explicit, such as
    /// an indirect call of something that is no function. The run ends; nothing is violated.
    Trap,
}

/// Why a value is arbitrary.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A call of `__VERIFIER_nondet_…` or of a library function that reads the world; its name.
    Input(String),
    /// C leaves it open and the implementation chooses: an order of evaluation, the sign that
    /// `memcmp` returns. Nobody supplies it: a native run makes a choice of its own.
    Choice(String),
    /// What a function without a body returned; its name.
    Undefined(String),
    /// A variable read before it is written.
    Uninitialised,
    /// An output of inline assembly or of a builtin that is not modelled.
    Unmodelled(MarkerId),
    /// An argument or global at the entry of a checked function.
    Entry,
}

/// A place where something was accepted but is not modelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// What it is.
    pub kind: MarkerKind,
    /// Where it stands.
    pub span: Span,
}

/// Kinds of things accepted but not modelled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MarkerKind {
    /// Inline assembly.
    Assembly,
    /// A builtin function; its name.
    Builtin(String),
    /// Anything else, in words.
    Other(String),
}

impl std::fmt::Display for MarkerKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MarkerKind::Assembly => f.write_str("inline assembly"),
            MarkerKind::Builtin(name) => write!(f, "builtin `{name}`"),
            MarkerKind::Other(what) => f.write_str(what),
        }
    }
}

impl Program {
    /// An empty program.
    pub fn new(model: DataModel) -> Self {
        Self {
            model,
            files: Vec::new(),
            ctypes: CTypes::default(),
            registers: Vec::new(),
            objects: Vec::new(),
            procedures: Vec::new(),
            exprs: ExprPool::new(model),
            markers: Vec::new(),
            entry: None,
            internal: BTreeSet::new(),
            reads_volatile: false,
            runs_assembly: false,
            arbitrary_addresses: false,
            decisions: Vec::new(),
        }
    }

    /// The register with this id.
    pub fn register(&self, id: RegId) -> &Register {
        &self.registers[id.index()]
    }

    /// The object with this id.
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.index()]
    }

    /// Whether a position lies in one of the user's files.
    pub fn is_own(&self, span: Span) -> bool {
        let file = self.files.get(span.file.index());
        span.is_known() && file.is_some_and(|f| !f.is_library())
    }

    /// The procedure with this id.
    pub fn procedure(&self, id: ProcId) -> &Procedure {
        &self.procedures[id.index()]
    }

    /// The first procedure with this name in the source, one with a body if there is one.
    pub fn find_procedure(&self, c_name: &str) -> Option<ProcId> {
        let named = || (0..self.procedures.len()).filter(|&i| self.procedures[i].c_name == c_name);
        named()
            .find(|&i| self.procedures[i].body.is_some())
            .or_else(|| named().next())
            .map(ProcId::new)
    }

    /// Adds a register.
    pub fn add_register(&mut self, register: Register) -> RegId {
        self.registers.push(register);
        RegId::new(self.registers.len() - 1)
    }

    /// Adds an object.
    pub fn add_object(&mut self, object: Object) -> ObjectId {
        self.objects.push(object);
        ObjectId::new(self.objects.len() - 1)
    }

    /// A name that no register has: `base`, or `base` with a number.
    pub fn fresh_register_name(&self, base: &str) -> String {
        let mut number = self.registers.len();
        loop {
            let name = format!("{base}#{number}");
            if self.registers.iter().all(|r| r.name != name) {
                return name;
            }
            number += 1;
        }
    }

    /// The expression that reads a register.
    pub fn read(&mut self, reg: RegId) -> ExprId {
        let ty = self.registers[reg.index()].ty;
        self.exprs.reg(reg, ty)
    }
}

impl Body {
    /// The edge with this id.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    /// The location with this id.
    pub fn location(&self, id: LocId) -> &Location {
        &self.locations[id.index()]
    }

    /// Adds a location.
    pub fn add_location(&mut self, span: Span) -> LocId {
        self.locations.push(Location { span, label: None });
        LocId::new(self.locations.len() - 1)
    }

    /// Adds an edge.
    pub fn add_edge(
        &mut self,
        source: LocId,
        target: LocId,
        statement: Statement,
        span: Span,
    ) -> EdgeId {
        self.edges.push(Edge {
            source,
            target,
            statement,
            span,
        });
        EdgeId::new(self.edges.len() - 1)
    }

    /// Outgoing edges per location, in the order in which they were added.
    pub fn outgoing(&self) -> Vec<Vec<EdgeId>> {
        let mut found = vec![Vec::new(); self.locations.len()];
        for (i, edge) in self.edges.iter().enumerate() {
            found[edge.source.index()].push(EdgeId::new(i));
        }
        found
    }

    /// Incoming edges per location.
    pub fn incoming(&self) -> Vec<Vec<EdgeId>> {
        let mut found = vec![Vec::new(); self.locations.len()];
        for (i, edge) in self.edges.iter().enumerate() {
            found[edge.target.index()].push(EdgeId::new(i));
        }
        found
    }

    /// Whether this is an error location.
    pub fn is_error(&self, location: LocId) -> bool {
        self.error_at(location).is_some()
    }

    /// The error that a location is, if it is one.
    pub fn error_at(&self, location: LocId) -> Option<&ErrorLocation> {
        self.errors.iter().find(|e| e.location == location)
    }
}
