//! Under which condition evaluating a statement's expressions reads nothing without a value.
//! Lowering makes one expression of `a && b` and `c ? a : b` where nothing has effects: what C
//! does not evaluate does not count.

use crate::access::split;
use prova_ir::{BinaryOp, Expr, ExprId, ObjectId, Program, RegId, Statement, Type};
use rustc_hash::FxHashMap;

/// What is looked at.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    /// A register, and the condition that it has a value.
    Register(RegId, ExprId),
    /// An object and its shadow.
    Object(ObjectId, ObjectId),
}

/// The condition that a statement reads nothing of this without a value.
pub(super) fn fine(program: &mut Program, statement: &Statement, wanted: Wanted) -> ExprId {
    let mut memo: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    let mut all = program.exprs.bool(true);
    for root in statement.expressions() {
        // Children come before parents, so that no deep recursion is needed.
        let mut order = program.exprs.subexpressions(root);
        order.sort_unstable();
        for e in order {
            if !memo.contains_key(&e) {
                let ok = of_one(program, e, wanted, &memo);
                memo.insert(e, ok);
            }
        }
        all = both(program, all, memo[&root]);
    }
    all
}

fn both(program: &mut Program, a: ExprId, b: ExprId) -> ExprId {
    let yes = program.exprs.bool(true);
    match (a == yes, b == yes) {
        (true, _) => b,
        (_, true) => a,
        _ if a == b => a,
        _ => program.exprs.binary(BinaryOp::And, a, b),
    }
}

/// The same of one expression whose children are done.
fn of_one(
    program: &mut Program,
    e: ExprId,
    wanted: Wanted,
    memo: &FxHashMap<ExprId, ExprId>,
) -> ExprId {
    let yes = program.exprs.bool(true);
    let is_truth = |program: &Program, e: ExprId| program.exprs.ty(e) == Type::Int(1);
    match program.exprs.get(e) {
        Expr::Reg(reg) => match wanted {
            Wanted::Register(own, set) if own == reg => set,
            _ => yes,
        },
        Expr::Ite {
            cond,
            then,
            otherwise,
        } => {
            let (a, b) = (memo[&then], memo[&otherwise]);
            let chosen = match a == b {
                true => a,
                false => program.exprs.add(Expr::Ite {
                    cond,
                    then: a,
                    otherwise: b,
                }),
            };
            both(program, memo[&cond], chosen)
        }
        Expr::Binary {
            op: op @ (BinaryOp::And | BinaryOp::Or),
            left,
            right,
        } if is_truth(program, e) => {
            let second = memo[&right];
            let needed = if second == yes {
                yes
            } else {
                let skipped = match op {
                    BinaryOp::And => program.exprs.not(left),
                    _ => left,
                };
                program.exprs.binary(BinaryOp::Or, skipped, second)
            };
            both(program, memo[&left], needed)
        }
        Expr::Load { address, ty } => {
            let inner = memo[&address];
            match wanted {
                Wanted::Object(object, shadow) => {
                    let (root, _) = split(&mut program.exprs, address);
                    if program.exprs.get(root) != Expr::Address(object) {
                        return inner;
                    }
                    let clean = clean(program, shadow, address, ty.bytes(program.model));
                    both(program, inner, clean)
                }
                Wanted::Register(..) => inner,
            }
        }
        _ => {
            let children: Vec<ExprId> = program.exprs.children(e).collect();
            let mut all = yes;
            for child in children {
                all = both(program, all, memo[&child]);
            }
            all
        }
    }
}

/// The condition that the bytes of an object at an address have values.
pub(super) fn clean(
    program: &mut Program,
    shadow: ObjectId,
    address: ExprId,
    bytes: u64,
) -> ExprId {
    let at = in_shadow(program, shadow, address);
    let width = (bytes * 8) as u16;
    let value = program.exprs.load(at, Type::Int(width));
    let zero = program.exprs.int(0, width);
    program.exprs.binary(BinaryOp::Eq, value, zero)
}

/// The place in the shadow of a place in an object.
pub(super) fn in_shadow(program: &mut Program, shadow: ObjectId, address: ExprId) -> ExprId {
    let (_, offset) = split(&mut program.exprs, address);
    let base = program.exprs.add(Expr::Address(shadow));
    match program.exprs.get(offset) {
        Expr::Int { value: 0, .. } => base,
        _ => program.exprs.binary(BinaryOp::PtrAdd, base, offset),
    }
}
