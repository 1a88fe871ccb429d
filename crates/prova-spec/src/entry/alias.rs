//! Which of a program's own variables a pointer may lead to that a caller passed: any that the
//! caller can name or got the address of, if the function looks at it and the types agree (C11 6.5
//! §7); through a pointer to characters, any at all.
//!
//! Pointers that lie in memory of the caller's lead to the caller's objects only: that is an
//! assumption, and said beside the verdict.

use prova_ir::passes::call_graph::call_graph;
use prova_ir::{
    BinaryOp, CType, CTypeId, DataModel, Expr, ExprId, ObjectId, ProcId, Program, RegId, Statement,
    Storage, Type,
};
use rustc_hash::FxHashSet;

/// Types nested deeper are not looked into.
const DEPTH: u32 = 8;
/// A variable may hold at most so many pointers; of more it is assumed that they lead elsewhere.
pub(super) const MOST: usize = 24;

/// A variable that code looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    Register(RegId),
    Object(ObjectId),
}

/// Places in a variable, from its first byte: `offset + i * stride` for `i < count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Places {
    pub offset: u64,
    pub stride: u64,
    pub count: u64,
}

/// What code looks at.
pub(super) struct Looked {
    registers: FxHashSet<RegId>,
    objects: FxHashSet<ObjectId>,
    /// Objects whose address is used for more than an access, by any code.
    exposed: FxHashSet<ObjectId>,
}

/// What the code behind a call may look at.
pub(super) fn looked_at(program: &Program, callee: ProcId) -> Looked {
    let graph = call_graph(program);
    let mut reached = graph.reachable_from(callee);
    if reached.iter().any(|p| graph.calls_unknown[p.index()]) {
        reached = (0..program.procedures.len()).map(ProcId::new).collect();
    }
    let mut looked = Looked {
        registers: FxHashSet::default(),
        objects: FxHashSet::default(),
        exposed: FxHashSet::default(),
    };
    for (p, procedure) in program.procedures.iter().enumerate() {
        let looks = reached.contains(&ProcId::new(p));
        for edge in procedure.body.iter().flat_map(|b| &b.edges) {
            let written = edge.statement.written_register();
            looked.registers.extend(written.filter(|_| looks));
            for root in edge.statement.expressions() {
                for e in program.exprs.subexpressions(root) {
                    match program.exprs.get(e) {
                        Expr::Reg(r) if looks => drop(looked.registers.insert(r)),
                        Expr::Address(o) if looks => drop(looked.objects.insert(o)),
                        _ => {}
                    }
                }
            }
            expose(program, &edge.statement, &mut looked.exposed);
        }
    }
    for object in &program.objects {
        if let Storage::Static { initial, .. } = &object.storage {
            for (_, part) in initial {
                if let prova_ir::Initial::Value(value) = part {
                    value_of(program, *value, &mut looked.exposed);
                }
            }
        }
    }
    looked
}

impl Looked {
    /// The global registers and the objects with static storage that are looked at, visible to a
    /// caller or not.
    pub fn globals(&self, program: &Program) -> Vec<Variable> {
        let registers = program.registers.iter().enumerate();
        let registers = registers.filter(|(i, r)| {
            r.owner.is_none() && !r.c_name.is_empty() && self.registers.contains(&RegId::new(*i))
        });
        let objects = program.objects.iter().enumerate();
        let objects = objects.filter(|(i, o)| {
            let written = match o.storage {
                Storage::Static { constant, .. } => !constant,
                Storage::External => true,
                Storage::Frame(_) => false,
            };
            written && self.objects.contains(&ObjectId::new(*i))
        });
        let registers = registers.filter(|(_, r)| !super::in_rule(program, r.span));
        let objects = objects.filter(|(_, o)| !super::in_rule(program, o.span));
        let registers = registers.map(|(i, _)| Variable::Register(RegId::new(i)));
        let objects = objects.map(|(i, _)| Variable::Object(ObjectId::new(i)));
        registers.chain(objects).collect()
    }
}

/// The variables among them whose address a caller may have.
pub(super) fn variables(program: &Program, looked: &Looked) -> Vec<Variable> {
    let Looked {
        registers,
        objects,
        exposed,
    } = looked;
    let mut found = Vec::new();
    for (i, register) in program.registers.iter().enumerate() {
        let id = RegId::new(i);
        let global = register.owner.is_none() && !register.c_name.is_empty();
        let visible = !program.internal.contains(&register.name);
        if global && visible && registers.contains(&id) && !super::in_rule(program, register.span) {
            found.push(Variable::Register(id));
        }
    }
    for (i, object) in program.objects.iter().enumerate() {
        let id = ObjectId::new(i);
        let global = match object.storage {
            Storage::Static { constant, .. } => !constant,
            Storage::External => true,
            Storage::Frame(_) => false,
        };
        let visible = !program.internal.contains(&object.name) || exposed.contains(&id);
        let named = !object.c_name.is_empty() && !super::in_rule(program, object.span);
        if global && named && visible && objects.contains(&id) {
            found.push(Variable::Object(id));
        }
    }
    found
}

/// Notes objects whose address a statement uses for more than an access.
fn expose(program: &Program, statement: &Statement, exposed: &mut FxHashSet<ObjectId>) {
    match statement {
        Statement::Store { address, value } => {
            place_of(program, *address, exposed);
            value_of(program, *value, exposed);
        }
        Statement::Copy { target, source, .. } => {
            place_of(program, *target, exposed);
            place_of(program, *source, exposed);
        }
        Statement::Havoc { address, .. } => place_of(program, *address, exposed),
        _ => {
            for root in statement.expressions() {
                value_of(program, root, exposed);
            }
        }
    }
}

fn value_of(program: &Program, e: ExprId, exposed: &mut FxHashSet<ObjectId>) {
    match program.exprs.get(e) {
        Expr::Address(object) => drop(exposed.insert(object)),
        Expr::Load { address, .. } => place_of(program, address, exposed),
        _ => {
            for child in program.exprs.children(e).collect::<Vec<_>>() {
                value_of(program, child, exposed);
            }
        }
    }
}

fn place_of(program: &Program, e: ExprId, exposed: &mut FxHashSet<ObjectId>) {
    match program.exprs.get(e) {
        Expr::Address(_) => {}
        Expr::Binary {
            op: BinaryOp::PtrAdd,
            left,
            right,
        } => {
            place_of(program, left, exposed);
            value_of(program, right, exposed);
        }
        _ => value_of(program, e, exposed),
    }
}

/// Where in a variable of a type a pointer to another type may point.
pub(super) fn places(
    program: &Program,
    pointee: CTypeId,
    size: u64,
    ctype: Option<CTypeId>,
) -> Vec<Places> {
    let anywhere = vec![Places {
        offset: 0,
        stride: 1,
        count: size,
    }];
    let (Some(ctype), false) = (ctype, is_any(program, pointee)) else {
        return anywhere;
    };
    let mut found = Vec::new();
    inside(program, pointee, ctype, 0, DEPTH, &mut found);
    found
}

/// Whether a pointer to this type may lead to anything.
pub(super) fn is_any(program: &Program, ctype: CTypeId) -> bool {
    matches!(
        program.ctypes.get(ctype),
        CType::Void | CType::Int { bits: 8, .. }
    )
}

fn inside(
    program: &Program,
    wanted: CTypeId,
    ctype: CTypeId,
    at: u64,
    depth: u32,
    found: &mut Vec<Places>,
) {
    if depth == 0 {
        return;
    }
    if agree(program, wanted, ctype) {
        found.push(Places {
            offset: at,
            stride: 1,
            count: 1,
        });
    }
    match program.ctypes.get(ctype) {
        CType::Array { element, length } => {
            let Some(stride) = size_of(program, *element) else {
                return;
            };
            let mut within = Vec::new();
            inside(program, wanted, *element, at, depth - 1, &mut within);
            for place in within {
                let count = length.unwrap_or(1);
                match place.count {
                    1 => found.push(Places {
                        stride,
                        count,
                        ..place
                    }),
                    // Of arrays of arrays, any row is the first or another.
                    _ if stride % place.stride.max(1) == 0
                        && place.count * place.stride == stride =>
                    {
                        found.push(Places {
                            count: place.count * count,
                            ..place
                        });
                    }
                    _ => found.extend((0..count.min(MOST as u64 + 1)).map(|i| Places {
                        offset: place.offset + i * stride,
                        ..place
                    })),
                }
            }
        }
        CType::Record { fields, .. } => {
            for field in fields.iter().filter(|f| f.bits.is_none()) {
                inside(
                    program,
                    wanted,
                    field.ctype,
                    at + field.offset,
                    depth - 1,
                    found,
                );
            }
        }
        _ => {}
    }
}

/// Whether an object of one type may be accessed as the other.
fn agree(program: &Program, a: CTypeId, b: CTypeId) -> bool {
    if a == b {
        return true;
    }
    match (program.ctypes.get(a), program.ctypes.get(b)) {
        (
            CType::Int {
                name: p, bits: x, ..
            },
            CType::Int {
                name: q, bits: y, ..
            },
        ) => x == y && one_rank(p, q),
        (CType::Float { bits: x }, CType::Float { bits: y }) => x == y,
        (CType::Bool, CType::Bool) | (CType::Pointer(_), CType::Pointer(_)) => true,
        (
            CType::Record {
                name: x, size: m, ..
            },
            CType::Record {
                name: y, size: n, ..
            },
        ) => x == y && m == n,
        (
            CType::Array {
                element: x,
                length: m,
            },
            CType::Array {
                element: y,
                length: n,
            },
        ) => (m == n || m.is_none() || n.is_none()) && agree(program, *x, *y),
        _ => false,
    }
}

/// Whether integer types of these names may be one type but for its sign: `int` and `long` are two
/// even where they have as many bits; what a `typedef` or an `enum` stands for is not known here.
fn one_rank(a: &str, b: &str) -> bool {
    let rank = |name: &str| {
        let plain = name.trim_start_matches("unsigned ");
        let plain = plain.trim_start_matches("signed ");
        ["short", "int", "long", "long long"]
            .into_iter()
            .position(|base| base == plain || plain.strip_suffix(" int") == Some(base))
    };
    match (rank(a), rank(b)) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    }
}

/// The size of a type, if it is complete.
pub(crate) fn size_of(program: &Program, ctype: CTypeId) -> Option<u64> {
    Some(match program.ctypes.get(ctype) {
        CType::Bool => 1,
        CType::Int { bits, .. } => u64::from(*bits) / 8,
        CType::Float { bits: 80 } => match program.model {
            DataModel::Ilp32 => 12,
            DataModel::Lp64 => 16,
        },
        CType::Float { bits } => u64::from(*bits) / 8,
        CType::Pointer(_) => program.model.pointer_bytes(),
        CType::Array { element, length } => size_of(program, *element)? * (*length)?,
        CType::Record { size, .. } => *size,
        CType::Void | CType::Function { .. } => return None,
    })
}

/// The type that a parameter points to, if it is a pointer to objects.
pub(crate) fn pointee(program: &Program, register: RegId) -> Option<CTypeId> {
    let register = program.register(register);
    match program.ctypes.get(register.ctype?) {
        CType::Pointer(to) if register.ty == Type::Ptr => match program.ctypes.get(*to) {
            CType::Function { .. } => None,
            _ => Some(*to),
        },
        _ => None,
    }
}

/// Where pointers to objects lie in a variable of a type, and what they point to; `None` if there
/// are too many.
pub(crate) fn pointers_in(program: &Program, ctype: CTypeId) -> Option<Vec<(u64, CTypeId)>> {
    let mut found = Vec::new();
    pointers_at(program, ctype, 0, DEPTH, &mut found)?;
    Some(found)
}

fn pointers_at(
    program: &Program,
    ctype: CTypeId,
    at: u64,
    depth: u32,
    found: &mut Vec<(u64, CTypeId)>,
) -> Option<()> {
    if depth == 0 || found.len() > MOST {
        return None;
    }
    match program.ctypes.get(ctype) {
        CType::Pointer(to) => match program.ctypes.get(*to) {
            CType::Function { .. } => {}
            _ => found.push((at, *to)),
        },
        CType::Array { element, length } => {
            let mut within = Vec::new();
            pointers_at(program, *element, 0, depth - 1, &mut within)?;
            if within.is_empty() {
                return Some(());
            }
            let stride = size_of(program, *element)?;
            for i in 0..(*length)? {
                found.extend(within.iter().map(|(o, to)| (at + i * stride + o, *to)));
                if found.len() > MOST {
                    return None;
                }
            }
        }
        CType::Record { fields, union, .. } => {
            for field in fields.iter().filter(|f| f.bits.is_none()) {
                pointers_at(program, field.ctype, at + field.offset, depth - 1, found)?;
            }
            // Members of a union lie over one another.
            if *union && found.len() > 1 {
                return None;
            }
        }
        _ => {}
    }
    Some(())
}
