//! The memory accesses of statements, and what pointers are made of, for people and for checks.

use crate::property::{Check, Property};
use prova_ir::passes::call_graph::call_graph;
use prova_ir::{BinaryOp, CType, CTypeId, Expr, ExprId, ExprPool, Origin, Program, Statement};

/// An access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    /// Where.
    pub address: ExprId,
    /// How many bytes.
    pub size: u64,
    /// Whether it writes.
    pub write: bool,
}

/// The accesses of a statement, in an order in which each address can be evaluated once those
/// before it are fine.
pub(crate) fn accesses(program: &Program, statement: &Statement) -> Vec<Access> {
    let pool = &program.exprs;
    let model = program.model;
    let mut found = Vec::new();
    let mut loads = Vec::new();
    for root in statement.expressions() {
        for e in pool.subexpressions(root) {
            if let Expr::Load { address, ty } = pool.get(e) {
                if !loads.contains(&e) {
                    loads.push(e);
                    found.push(Access {
                        address,
                        size: ty.bytes(model),
                        write: false,
                    });
                }
            }
        }
    }
    match *statement {
        Statement::Store { address, value } => found.push(Access {
            address,
            size: pool.ty(value).bytes(model),
            write: true,
        }),
        Statement::Copy {
            target,
            source,
            size,
        } => {
            for (address, write) in [(source, false), (target, true)] {
                found.push(Access {
                    address,
                    size,
                    write,
                });
            }
        }
        // A function without a body writes where it may; a run in which it could not ends.
        Statement::Havoc {
            origin: Origin::Undefined(_),
            ..
        } => {}
        Statement::Havoc { address, size, .. } => found.push(Access {
            address,
            size,
            write: true,
        }),
        _ => {}
    }
    found
}

/// Whether a proof of this check says something only of runs whose accesses are valid: it does not ask for
/// that, and there is an access that cannot be seen to lie inside of an object with a name.
pub fn rests_on_accesses(program: &Program, check: &Check) -> bool {
    let Some(entry) = program.entry else {
        return false;
    };
    if check.properties.contains(&Property::ValidDeref) {
        return false;
    }
    let graph = call_graph(program);
    let mut reached = graph.reachable_from(entry);
    if reached.iter().any(|p| graph.calls_unknown[p.index()]) {
        return true;
    }
    reached.sort_unstable();
    let bodies = reached
        .iter()
        .filter_map(|p| program.procedure(*p).body.as_ref());
    bodies.flat_map(|b| &b.edges).any(|edge| {
        let accesses = accesses(program, &edge.statement);
        accesses.iter().any(|access| !is_plain(program, access))
    })
}

/// Whether an access is to constant places in an object that it names.
fn is_plain(program: &Program, access: &Access) -> bool {
    let (mut root, mut offset) = (access.address, 0u128);
    while let Expr::Binary {
        op: BinaryOp::PtrAdd,
        left,
        right,
    } = program.exprs.get(root)
    {
        let Some(by) = constant(&program.exprs, right) else {
            return false;
        };
        (root, offset) = (left, offset.saturating_add(by));
    }
    match program.exprs.get(root) {
        Expr::Address(object) => {
            offset.saturating_add(u128::from(access.size))
                <= u128::from(program.object(object).size)
        }
        _ => false,
    }
}

/// A pointer without what is added to it, and the sum of that.
pub(crate) fn split(pool: &mut ExprPool, mut pointer: ExprId) -> (ExprId, ExprId) {
    let width = pool.model().pointer_bits() as u16;
    let mut offset = pool.int(0, width);
    while let Expr::Binary {
        op: BinaryOp::PtrAdd,
        left,
        right,
    } = pool.get(pointer)
    {
        offset = add(pool, right, offset);
        pointer = left;
    }
    (pointer, offset)
}

/// A sum with constants folded.
pub(crate) fn add(pool: &mut ExprPool, a: ExprId, b: ExprId) -> ExprId {
    match (pool.get(a), pool.get(b)) {
        (Expr::Int { value: 0, .. }, _) => b,
        (_, Expr::Int { value: 0, .. }) => a,
        (Expr::Int { value: x, width }, Expr::Int { value: y, .. }) => {
            pool.int(x.wrapping_add(y), width)
        }
        _ => pool.binary(BinaryOp::Add, a, b),
    }
}

/// What a pointer's root is called, for people.
pub(crate) fn describe(program: &Program, pointer: ExprId) -> String {
    name_of(program, pointer, 4).map_or_else(|| "a pointer".into(), |n| format!("`{n}`"))
}

fn name_of(program: &Program, e: ExprId, depth: u32) -> Option<String> {
    let pool = &program.exprs;
    if depth == 0 {
        return None;
    }
    let named = |name: &str| (!name.is_empty()).then(|| name.to_owned());
    match pool.get(e) {
        Expr::Reg(r) => named(&program.register(r).c_name),
        Expr::Address(o) => match named(&program.object(o).c_name) {
            Some(name) => Some(name),
            None if program.object(o).name.starts_with("string") => Some("a string".into()),
            None => None,
        },
        Expr::Function(p) => named(&program.procedure(p).c_name),
        Expr::Pointer(0) => Some("NULL".into()),
        Expr::Load { address, .. } => {
            let (root, offset) = constant_split(pool, address)?;
            let base = name_of(program, root, depth - 1)?;
            match pool.get(root) {
                Expr::Address(o) => {
                    let ctype = program.object(o).ctype?;
                    Some(match field_at(program, ctype, offset) {
                        Some(field) => format!("{base}.{field}"),
                        None if offset == 0 => base,
                        None => return None,
                    })
                }
                _ => {
                    let pointee = match pool.get(root) {
                        Expr::Reg(r) => program.register(r).ctype,
                        _ => None,
                    };
                    let pointee = match pointee.map(|c| program.ctypes.get(c)) {
                        Some(CType::Pointer(to)) => Some(*to),
                        _ => None,
                    };
                    match pointee.and_then(|to| field_at(program, to, offset)) {
                        Some(field) => Some(format!("{base}->{field}")),
                        None if offset == 0 => Some(format!("*{base}")),
                        None => None,
                    }
                }
            }
        }
        Expr::Binary {
            op: BinaryOp::PtrAdd,
            left,
            ..
        } => name_of(program, left, depth - 1),
        _ => None,
    }
}

fn constant_split(pool: &ExprPool, pointer: ExprId) -> Option<(ExprId, u64)> {
    match pool.get(pointer) {
        Expr::Binary {
            op: BinaryOp::PtrAdd,
            left,
            right,
        } => match pool.get(right) {
            Expr::Int { value, .. } => Some((left, u64::try_from(value).ok()?)),
            _ => None,
        },
        _ => Some((pointer, 0)),
    }
}

fn field_at(program: &Program, ctype: CTypeId, offset: u64) -> Option<String> {
    match program.ctypes.get(ctype) {
        CType::Record { fields, .. } => fields
            .iter()
            .find(|f| f.offset == offset && !f.name.is_empty() && f.bits.is_none())
            .map(|f| f.name.clone()),
        _ => None,
    }
}

/// Whether an expression is an integer constant, and which.
pub(crate) fn constant(pool: &ExprPool, e: ExprId) -> Option<u128> {
    match pool.get(e) {
        Expr::Int { value, .. } => Some(value),
        _ => None,
    }
}
