//! Lowering: the state it keeps, and the small operations everything else is built from.
//!
//! | file | what it lowers |
//! |---|---|
//! | `declare` | specifiers and declarators, to types |
//! | `record` | structures, unions, enumerations |
//! | `global`, `function` | file-scope declarations; linking; whole functions |
//! | `symbols`, `start` | weak names and aliases; what runs before and after `main` |
//! | `local` | declarations in blocks |
//! | `init`, `overridden`, `contents` | initialisers, what later ones take back, and what they put into memory |
//! | `stmt`, `switch`, `scope` | statements; where objects end with their blocks |
//! | `expr`, `conditional`, `operator`, `convert`, `lvalue` | expressions |
//! | `volatile` | what changes by itself |
//! | `order` | orders of evaluation that C leaves open |
//! | `call`, `variadic` | calls |
//! | `builtin`, `numeric`, `atomic`, `library`, `assembly` | what looks like a call |
//! | `model` | what only models of the library may say |
//! | `words`, `contract`, `loops`, `predicates` | what other verifiers say; contracts of functions and of loops, and what they say of memory |
//! | `format`, `scan_format` | formatting and scanning functions with a literal format |
//! | `check` | what C asks of operations, as branches to errors |
//! | `observe` | handlers around calls |
//! | `emit` | edges and temporaries |

pub(crate) mod assembly;
pub(crate) mod atomic;
pub(crate) mod builtin;
pub(crate) mod call;
pub(crate) mod check;
pub(crate) mod conditional;
pub(crate) mod contents;
pub mod contract;
pub(crate) mod convert;
pub(crate) mod declare;
pub(crate) mod emit;
pub(crate) mod expr;
pub(crate) mod format;
pub(crate) mod function;
pub(crate) mod global;
pub(crate) mod init;
pub(crate) mod library;
pub(crate) mod local;
pub(crate) mod loops;
pub(crate) mod lvalue;
pub(crate) mod model;
pub(crate) mod numeric;
pub(crate) mod observe;
pub(crate) mod operator;
pub(crate) mod order;
pub(crate) mod overridden;
pub(crate) mod predicates;
pub(crate) mod record;
pub(crate) mod scan_format;
pub(crate) mod scope;
pub(crate) mod start;
pub(crate) mod stmt;
pub(crate) mod switch;
pub(crate) mod symbols;
pub(crate) mod texts;
pub(crate) mod variadic;
pub(crate) mod volatile;
pub(crate) mod words;

use crate::diagnostic::{Diagnostic, Place};
use crate::parse::Unit;
use crate::scan::Effects;
use crate::types::{IntKind, Length, QType, Ty, TypeId, Types};
use crate::{fold, layout};
use indexmap::IndexMap;
use lang_c::ast::FunctionDefinition;
use lang_c::span::{Node, Span as CSpan};
use lang_c::visit::Visit;
use prova_ir::{
    Allocation, BinaryOp, Body, CType, CTypeId, Callee, CastOp, DataModel, Decision, ErrorLocation,
    Expr, ExprId, FileId, FloatKind, Halt, Initial, Junction, LocId, Marker, MarkerId, MarkerKind,
    Object, ObjectId, Origin, ProcId, Procedure, Program, RegId, Register, Role, SourceFile, Span,
    Statement as Op, Storage, Type, UnaryOp,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Either a result or the error that stops the declaration or function at hand.
pub(crate) type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Symbol {
    /// A type name.
    Typedef(QType),
    /// An enumeration constant.
    Enumerator(i128, TypeId),
    /// A variable.
    Variable(VarId),
    /// A function.
    Function(ProcId),
}

/// A tag.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tag {
    Record(crate::types::RecordId),
    Enum(crate::types::EnumId),
}

/// A block's names.
#[derive(Default)]
pub(crate) struct Scope<'a> {
    pub names: FxHashMap<&'a str, Symbol>,
    pub tags: FxHashMap<&'a str, Tag>,
}

/// A variable of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct VarId(pub u32);

/// Where a variable's value is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Home {
    /// In a register.
    Register(RegId),
    /// In an object.
    Object(ObjectId),
    /// At the address a register holds: structure parameters, variable-length arrays.
    Behind(RegId),
}

/// A variable.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub ty: QType,
    pub home: Home,
    /// Whether it has an initialiser, and where.
    pub defined: Option<(usize, CSpan)>,
    /// Whether it is only declared `extern` so far.
    pub external: bool,
    /// Where it was declared first.
    pub declared: (usize, CSpan),
}

/// A function.
pub(crate) struct Function<'a> {
    pub ty: TypeId,
    pub definition: Option<(usize, &'a Node<FunctionDefinition>)>,
    /// An `inline` definition that only serves where no other exists.
    pub weak: bool,
    pub declared: (usize, CSpan),
    /// `static inline`: of no interest unless used.
    pub helper: bool,
    /// Called without a declaration.
    pub implicit: bool,
    /// Runs before `main`, or after it; with which priority.
    pub constructor: Option<u64>,
    pub destructor: Option<u64>,
}

/// A scalar, or the address of a structure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value {
    pub expr: ExprId,
    pub ty: TypeId,
}

/// A label of the function at hand.
pub(crate) struct LabelInfo {
    pub location: LocId,
    /// What ends with the blocks around it.
    pub open: Vec<scope::Ending>,
    pub defined: bool,
    pub mentioned: CSpan,
}

/// The function being lowered.
pub(crate) struct Frame<'a> {
    pub proc: Option<ProcId>,
    pub body: Body,
    pub at: LocId,
    /// Position of what is being lowered.
    pub here: Span,
    pub result_type: QType,
    pub result: Option<RegId>,
    /// Points to where a structure result goes.
    pub hidden: Option<RegId>,
    /// Points to the arguments behind `...`.
    pub tail: Option<RegId>,
    pub labels: IndexMap<&'a str, LabelInfo>,
    /// Labels whose address is taken, in order: label `i` has address `i + 1`.
    pub label_addresses: Vec<&'a str>,
    /// Where computed gotos dispatch; made when first needed.
    pub dispatch: Option<(LocId, RegId)>,
    /// Where to, and how many endings are in scope there.
    pub breaks: Vec<(LocId, usize)>,
    pub continues: Vec<(LocId, usize)>,
    /// What ends with the blocks around the current place (`scope`).
    pub open: Vec<scope::Ending>,
    /// How many endings there were so far.
    pub endings: u32,
    /// How many blocks are open.
    pub depth: u32,
    /// Jumps to labels: the edge, the label, the endings in scope before it.
    pub gotos: Vec<(usize, &'a str, Vec<scope::Ending>)>,
    pub switches: Vec<switch::Cases>,
    pub taken: FxHashSet<&'a str>,
    /// Names that are used for more than an element or a size.
    pub passed: FxHashSet<&'a str>,
    /// Variables that hold the address of a literal (`texts`).
    pub texts: FxHashMap<RegId, Vec<u8>>,
    pub name: &'a str,
    /// Array lengths that are not constant are evaluated (in bodies) or forgotten (prototypes).
    pub evaluate_lengths: bool,
}

impl Frame<'_> {
    fn new(void: TypeId) -> Self {
        let mut body = Body {
            locations: Vec::new(),
            edges: Vec::new(),
            entry: LocId(0),
            exit: LocId(1),
            errors: Vec::new(),
        };
        body.entry = body.add_location(Span::NONE);
        body.exit = body.add_location(Span::NONE);
        Frame {
            proc: None,
            at: body.entry,
            body,
            here: Span::NONE,
            result_type: void.into(),
            result: None,
            hidden: None,
            tail: None,
            labels: IndexMap::new(),
            label_addresses: Vec::new(),
            dispatch: None,
            breaks: Vec::new(),
            continues: Vec::new(),
            open: Vec::new(),
            endings: 0,
            depth: 0,
            gotos: Vec::new(),
            switches: Vec::new(),
            taken: FxHashSet::default(),
            passed: FxHashSet::default(),
            texts: FxHashMap::default(),
            name: "",
            evaluate_lengths: false,
        }
    }
}

/// The whole lowering.
pub(crate) struct Lowerer<'a> {
    pub program: Program,
    pub types: Types,
    pub model: DataModel,
    pub units: &'a [Unit],
    pub unit: usize,
    pub scopes: Vec<Scope<'a>>,
    pub externals: FxHashMap<&'a str, Symbol>,
    pub variables: Vec<Variable>,
    pub functions: Vec<Function<'a>>,
    pub frame: Frame<'a>,
    /// Names whose address is taken anywhere.
    pub taken: FxHashSet<&'a str>,
    /// Units from here on are library models.
    pub first_model: usize,
    pub errors: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
    pub warned: FxHashSet<String>,
    pub ctypes: FxHashMap<TypeId, CTypeId>,
    pub literals: FxHashMap<(Vec<u8>, u64), ObjectId>,
    pub fills: FxHashMap<(u8, u64), ObjectId>,
    pub unique: FxHashMap<String, u32>,
    pub files: FxHashMap<String, FileId>,
    pub va_list: QType,
    /// Functions that are watched, and their handlers.
    pub observers: FxHashMap<ProcId, observe::Handlers>,
    /// Handlers and what each is for.
    pub handlers: FxHashMap<ProcId, observe::Purpose>,
    /// Handlers of functions that the program does not have.
    pub left_out: Vec<ProcId>,
    /// Whether operations that C restricts get error locations.
    pub checks: bool,
    /// Something `volatile` is read.
    pub reads_volatile: bool,
    pub assembly: crate::preprocess::Assembly,
    pub runs_assembly: bool,
    /// Library functions whose calls became statements.
    pub replaced: std::collections::BTreeSet<String>,
    /// Whether allocations may fail.
    pub malloc: crate::preprocess::Malloc,
    /// Whether allocations of more than 128 MB fail.
    pub small_blocks: bool,
    /// What a read of something `volatile` gives.
    pub volatile: crate::preprocess::Volatile,
    /// The next index may be one past the end: its element's address is taken.
    pub one_past: bool,
    /// Constant expressions that are being evaluated: nothing is checked in them.
    pub unchecked: u32,
    /// Orders of evaluation that C leaves open.
    pub orders: order::Orders<'a>,
    /// Weak symbols and aliases.
    pub linkage: symbols::Linkage,
    /// The procedure that runs what comes at the end, if anything does.
    pub leave: Option<ProcId>,
    /// What is not modelled and comes before `main`.
    pub at_start: Option<(usize, CSpan, MarkerKind)>,
    /// Whether the program asks streams whether they failed.
    pub asks_for_failures: bool,
    /// Where clauses of contracts stand that may stand there: unit and offset.
    pub clause_places: FxHashSet<(usize, usize)>,
    /// Values before a call that clauses speak of, by unit and offset.
    pub olds: FxHashMap<(usize, usize), Value>,
    /// The function that runs start at, if not `main`.
    pub start: Option<&'a str>,
    /// Functions whose definition in a file does not count.
    pub removed: &'a [(std::path::PathBuf, String)],
}

/// Whether a unit mentions what tells that output failed. Where none does, nobody sees it but in
/// what the function itself returns.
fn asks_for_failures(unit: &Unit) -> bool {
    let mut names = crate::scan::Names::default();
    names.visit_translation_unit(unit.ast());
    let asks = ["ferror", "ferror_unlocked"];
    asks.iter().any(|name| names.mentioned.contains(name))
}

impl<'a> Lowerer<'a> {
    pub fn new(units: &'a [Unit], first_model: usize, model: DataModel) -> Self {
        let mut types = Types::default();
        let void = types.void();
        let mut lowerer = Lowerer {
            program: Program::new(model),
            frame: Frame::new(void),
            va_list: void.into(),
            types,
            model,
            units,
            unit: 0,
            scopes: Vec::new(),
            externals: FxHashMap::default(),
            variables: Vec::new(),
            functions: Vec::new(),
            taken: FxHashSet::default(),
            first_model,
            errors: Vec::new(),
            warnings: Vec::new(),
            warned: FxHashSet::default(),
            ctypes: FxHashMap::default(),
            literals: FxHashMap::default(),
            fills: FxHashMap::default(),
            unique: FxHashMap::default(),
            files: FxHashMap::default(),
            observers: FxHashMap::default(),
            handlers: FxHashMap::default(),
            left_out: Vec::new(),
            checks: false,
            reads_volatile: false,
            assembly: crate::preprocess::Assembly::default(),
            runs_assembly: false,
            replaced: Default::default(),
            malloc: crate::preprocess::Malloc::default(),
            small_blocks: false,
            volatile: crate::preprocess::Volatile::default(),
            unchecked: 0,
            one_past: false,
            orders: order::Orders::default(),
            linkage: symbols::Linkage::default(),
            leave: None,
            at_start: None,
            asks_for_failures: units[..first_model].iter().any(asks_for_failures),
            clause_places: FxHashSet::default(),
            olds: FxHashMap::default(),
            start: None,
            removed: &[],
        };
        lowerer.va_list = lowerer.make_va_list();
        for unit in units {
            lowerer.file(unit.name());
        }
        lowerer
    }

    // ----- messages -----

    pub fn place(&self, unit: usize, span: CSpan) -> Option<Place> {
        if span.is_none() {
            return None;
        }
        Some(Place {
            source: self.units[unit].source.clone(),
            range: span.start..span.end,
        })
    }

    /// An error at a place of the current unit.
    pub fn error(&self, span: CSpan, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(message, self.place(self.unit, span)))
    }

    /// A warning, said once per message text; library models are silent.
    pub fn warn(&mut self, span: CSpan, message: impl Into<String>) {
        let message = message.into();
        if self.unit < self.first_model && self.warned.insert(message.clone()) {
            let place = self.place(self.unit, span);
            self.warnings.push(Diagnostic::warning(message, place));
        }
    }

    /// The program's position for a place of the current unit.
    pub fn span(&mut self, span: CSpan) -> Span {
        if span.is_none() {
            return Span::NONE;
        }
        let units = self.units;
        let position = units[self.unit].source.lines.position(span.start);
        Span {
            file: self.file(position.file),
            line: position.line,
            column: position.column,
        }
    }

    fn file(&mut self, name: &str) -> FileId {
        if let Some(&file) = self.files.get(name) {
            return file;
        }
        let file = FileId::new(self.program.files.len());
        let name = name.to_string();
        self.program.files.push(SourceFile { name: name.clone() });
        self.files.insert(name, file);
        file
    }

    /// From now on, edges come from here.
    pub fn stand(&mut self, span: CSpan) {
        if !span.is_none() {
            self.frame.here = self.span(span);
        }
    }

    // ----- names -----

    /// A name nothing else in the program has.
    pub fn unique_name(&mut self, base: &str) -> String {
        match self.unique.get_mut(base) {
            None => {
                self.unique.insert(base.to_string(), 0);
                base.to_string()
            }
            Some(count) => {
                *count += 1;
                format!("{base}.{count}")
            }
        }
    }

    pub fn lookup(&self, name: &str) -> Option<&Symbol> {
        self.scopes.iter().rev().find_map(|s| s.names.get(name))
    }

    pub fn bind(&mut self, name: &'a str, symbol: Symbol) {
        let scope = self.scopes.last_mut().expect("a scope is open");
        scope.names.insert(name, symbol);
    }

    pub fn scoped<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.scopes.push(Scope::default());
        let result = run(self);
        self.scopes.pop();
        result
    }

    // ----- types -----

    pub fn int_type(&mut self) -> TypeId {
        self.types.int(IntKind::Int)
    }

    pub fn size_type(&mut self) -> TypeId {
        self.types.int(match self.model {
            DataModel::Ilp32 => IntKind::UInt,
            DataModel::Lp64 => IntKind::ULong,
        })
    }

    pub fn difference_type(&mut self) -> TypeId {
        self.types.int(match self.model {
            DataModel::Ilp32 => IntKind::Int,
            DataModel::Lp64 => IntKind::Long,
        })
    }

    pub fn pointer_bits(&self) -> u16 {
        self.model.pointer_bits() as u16
    }

    pub fn size_of(&self, ty: TypeId, span: CSpan) -> Result<u64> {
        layout::size_of(&self.types, self.model, ty).ok_or_else(|| {
            self.error(
                span,
                format!(
                    "the type `{}` is incomplete here",
                    self.types.show(ty.into())
                ),
            )
        })
    }

    pub fn align_of(&self, ty: TypeId) -> u64 {
        layout::align_of(&self.types, self.model, ty)
    }

    pub fn int_bits(&self, kind: IntKind) -> u16 {
        layout::int_bits(self.model, kind)
    }

    /// The type of values of a scalar type.
    pub fn ir_type(&self, ty: TypeId, span: CSpan) -> Result<Type> {
        if let Some(kind) = self.types.integer(ty) {
            return Ok(Type::Int(self.int_bits(kind)));
        }
        match self.types.get(ty) {
            Ty::Float(kind) => Ok(Type::Float(*kind)),
            Ty::Pointer(_) => Ok(Type::Ptr),
            Ty::Opaque { name, .. } => Err(self.error(span, format!("`{name}` is not supported"))),
            _ => Err(self.error(
                span,
                format!(
                    "a number or a pointer is needed here, not `{}`",
                    self.types.show(ty.into())
                ),
            )),
        }
    }

    /// The size of a type as an expression of pointer width, which for variable-length arrays
    /// is computed at run time.
    pub fn size_expr(&mut self, ty: TypeId, span: CSpan) -> Result<ExprId> {
        let bits = self.pointer_bits();
        if !self.types.is_variable(ty) {
            let size = self.size_of(ty, span)?;
            return Ok(self.program.exprs.int(u128::from(size), bits));
        }
        let Some((element, length)) = self.types.array(ty) else {
            return Err(self.error(span, "this type has no size"));
        };
        let one = self.size_expr(element.id, span)?;
        let count = match length {
            Length::Known(n) => self.program.exprs.int(u128::from(n), bits),
            Length::Variable(reg) => self.program.read(reg),
            Length::Unknown => return Err(self.error(span, "this array has no known length")),
        };
        Ok(self.binary(BinaryOp::Mul, count, one))
    }

    // ----- expressions -----

    pub fn int(&mut self, value: u128, width: u16) -> ExprId {
        self.program.exprs.int(value, width)
    }

    pub fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        fold::binary(&mut self.program.exprs, op, left, right)
    }

    pub fn unary(&mut self, op: UnaryOp, arg: ExprId) -> ExprId {
        fold::unary(&mut self.program.exprs, op, arg)
    }

    pub fn cast(&mut self, op: CastOp, arg: ExprId, to: Type) -> ExprId {
        fold::cast(&mut self.program.exprs, op, arg, to)
    }

    pub fn truth(&mut self, value: ExprId) -> ExprId {
        fold::truth(&mut self.program.exprs, value)
    }

    pub fn offset(&mut self, base: ExprId, bytes: u64) -> ExprId {
        let bits = self.pointer_bits();
        let by = self.int(u128::from(bytes), bits);
        self.binary(BinaryOp::PtrAdd, base, by)
    }

    pub fn load(&mut self, address: ExprId, ty: Type) -> ExprId {
        self.program.exprs.load(address, ty)
    }

    pub fn address(&mut self, object: ObjectId) -> ExprId {
        self.program.exprs.add(Expr::Address(object))
    }

    /// The `int` a truth value is in C.
    pub fn truth_value(&mut self, cond: ExprId) -> Value {
        let expr = self.cast(CastOp::ZExt, cond, Type::Int(32));
        Value {
            expr,
            ty: self.int_type(),
        }
    }

    pub fn int_value(&mut self, value: i128) -> Value {
        Value {
            expr: self.int(value as u128, 32),
            ty: self.int_type(),
        }
    }

    pub fn void_value(&mut self) -> Value {
        Value {
            expr: self.int(0, 32),
            ty: self.types.void(),
        }
    }

    // ----- constants -----

    /// The value of an integer constant expression.
    pub fn constant(&mut self, e: &'a Node<lang_c::ast::Expression>) -> Result<(i128, TypeId)> {
        let (value, clean) = self.unchecked_aside(|s| s.expr(e))?;
        let kind = self.types.integer(value.ty);
        match (fold::as_int(&self.program.exprs, value.expr), kind) {
            (Some((bits, width)), Some(kind)) if clean => {
                let value_is = if kind.signed() {
                    fold::signed(bits, width)
                } else {
                    bits as i128
                };
                Ok((value_is, value.ty))
            }
            _ => Err(self.error(e.span, "this is not an integer constant expression")),
        }
    }

    /// Starts a fresh frame and returns the old one.
    pub fn new_frame(&mut self) -> Frame<'a> {
        let void = self.types.void();
        std::mem::replace(&mut self.frame, Frame::new(void))
    }
}
