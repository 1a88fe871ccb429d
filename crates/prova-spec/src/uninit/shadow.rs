//! Objects in memory. One that is accessed by its name alone has a shadow of its size: a byte is
//! zero once the object's byte has a value. Others are all right if they are filled at once;
//! where they are not, the answer is left open.

use super::evaluated::{clean, fine, in_shadow, Wanted};
use crate::access::{accesses, split};
use crate::steps::{Check, Insertions, Step};
use prova_ir::{
    BinaryOp, Body, CType, CTypeId, EdgeId, Expr, ExprId, LocId, Object, ObjectId, Origin, ProcId,
    Program, Statement, Storage, UNMODELLED,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Larger objects are not followed.
const MOST_CELLS: u64 = 64;

/// A shadow, and the width of its cells in bytes.
#[derive(Clone, Copy)]
pub(super) struct Shadow {
    object: ObjectId,
    cell: u64,
}

/// The shadows of all objects that have one.
pub(super) fn shadows(program: &mut Program) -> BTreeMap<ObjectId, Shadow> {
    let mut cells: BTreeMap<ObjectId, u64> = BTreeMap::new();
    let mut seen: FxHashSet<ExprId> = FxHashSet::default();
    let mut elsewhere: FxHashSet<ObjectId> = FxHashSet::default();
    for p in 0..program.procedures.len() {
        let Some(body) = program.procedures[p].body.take() else {
            continue;
        };
        for edge in &body.edges {
            uses(program, &edge.statement, &mut seen, &mut elsewhere);
            if let Some(object) = changed_in_part(program, &edge.statement) {
                elsewhere.insert(object);
            }
            for access in accesses(program, &edge.statement) {
                let (root, offset) = split(&mut program.exprs, access.address);
                let Expr::Address(object) = program.exprs.get(root) else {
                    continue;
                };
                let mut width = 1 << access.size.trailing_zeros().min(3);
                if let Expr::Int { value, .. } = program.exprs.get(offset) {
                    width = width.min(1 << value.trailing_zeros().min(3));
                }
                let cell = cells.entry(object).or_insert(8);
                *cell = (*cell).min(width);
            }
        }
        program.procedures[p].body = Some(body);
    }
    let mut found = BTreeMap::new();
    for (object, cell) in cells {
        let like = program.object(object).clone();
        let cell = cell.min(1 << like.size.trailing_zeros().min(3));
        let followed = matches!(like.storage, Storage::Frame(_))
            && !has_bit_fields(program, like.ctype)
            && !elsewhere.contains(&object)
            && like.size > 0
            && like.size / cell <= MOST_CELLS;
        if followed {
            let id = ObjectId::new(program.objects.len());
            program.objects.push(Object {
                name: format!("{}.unset", like.name),
                c_name: String::new(),
                align: like.align.max(cell),
                ctype: None,
                ..like
            });
            found.insert(object, Shadow { object: id, cell });
        }
    }
    found
}

/// The object of which a statement reads what it writes, as stores to bit-fields do: those read
/// bits that need no value.
fn changed_in_part(program: &mut Program, statement: &Statement) -> Option<ObjectId> {
    let Statement::Store { address, value } = *statement else {
        return None;
    };
    let (root, _) = split(&mut program.exprs, address);
    let Expr::Address(object) = program.exprs.get(root) else {
        return None;
    };
    let pool = &program.exprs;
    let masks = |e: &ExprId| match pool.get(*e) {
        Expr::Binary {
            op: BinaryOp::And,
            left,
            right,
        } => [left, right]
            .into_iter()
            .any(|side| matches!(pool.get(side), Expr::Load { address: at, .. } if at == address)),
        _ => false,
    };
    pool.subexpressions(value)
        .iter()
        .any(masks)
        .then_some(object)
}

/// Whether a type has bit-fields somewhere.
fn has_bit_fields(program: &Program, ctype: Option<CTypeId>) -> bool {
    let mut work: Vec<CTypeId> = ctype.into_iter().collect();
    let mut seen: FxHashSet<CTypeId> = FxHashSet::default();
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        match program.ctypes.get(id) {
            CType::Array { element, .. } => work.push(*element),
            CType::Record { fields, .. } => {
                if fields.iter().any(|f| f.bits.is_some()) {
                    return true;
                }
                work.extend(fields.iter().map(|f| f.ctype));
            }
            _ => {}
        }
    }
    false
}

/// Notes the objects whose address a statement uses for anything but an access.
fn uses(
    program: &mut Program,
    statement: &Statement,
    seen: &mut FxHashSet<ExprId>,
    elsewhere: &mut FxHashSet<ObjectId>,
) {
    let mut places: Vec<ExprId> = Vec::new();
    let mut values: Vec<ExprId> = Vec::new();
    match *statement {
        Statement::Store { address, value } => {
            places.push(address);
            values.push(value);
        }
        Statement::Copy { target, source, .. } => places.extend([target, source]),
        Statement::Havoc { address, .. } => places.push(address),
        _ => values.extend(statement.expressions()),
    }
    loop {
        if let Some(place) = places.pop() {
            let (root, offset) = split(&mut program.exprs, place);
            values.push(offset);
            if !matches!(program.exprs.get(root), Expr::Address(_)) {
                values.push(root);
            }
            continue;
        }
        let Some(value) = values.pop() else { return };
        if !seen.insert(value) {
            continue;
        }
        match program.exprs.get(value) {
            Expr::Load { address, .. } => places.push(address),
            Expr::Address(object) => {
                elsewhere.insert(object);
            }
            _ => values.extend(program.exprs.children(value)),
        }
    }
}

/// The steps of one body.
pub(super) fn weave(
    program: &mut Program,
    p: ProcId,
    shadows: &BTreeMap<ObjectId, Shadow>,
    body: &Body,
    insertions: &mut Insertions,
) {
    let outgoing = body.outgoing();
    for (location, edges) in outgoing.iter().enumerate() {
        let mut done: FxHashMap<ObjectId, Vec<ExprId>> = FxHashMap::default();
        for &edge in edges {
            let statement = body.edge(edge).statement.clone();
            checks(program, shadows, &statement, |object, step, ok| {
                let known = done.entry(object).or_default();
                if !known.contains(&ok) {
                    known.push(ok);
                    insertions.before(LocId::new(location), step);
                }
            });
        }
    }
    for (e, edge) in body.edges.iter().enumerate() {
        let id = EdgeId::new(e);
        for step in follow(program, shadows, &edge.statement) {
            insertions.behind(id, step);
        }
        if is_open(program, shadows, body, &outgoing, id) {
            let message = match edge.statement {
                Statement::Enter(object) if !program.object(object).c_name.is_empty() => {
                    let name = &program.object(object).c_name;
                    format!("`{name}`, which is not filled at once and not followed")
                }
                _ => "a block without contents".to_owned(),
            };
            for step in super::left_open(program, p, message) {
                insertions.before(edge.source, step);
            }
        }
    }
}

/// Checks before a statement: what it reads of followed objects has values.
fn checks(
    program: &mut Program,
    shadows: &BTreeMap<ObjectId, Shadow>,
    statement: &Statement,
    mut put: impl FnMut(ObjectId, Step, ExprId),
) {
    let mut objects: Vec<ObjectId> = Vec::new();
    for access in accesses(program, statement) {
        let (root, _) = split(&mut program.exprs, access.address);
        if let Expr::Address(object) = program.exprs.get(root) {
            if shadows.contains_key(&object) && !access.write && !objects.contains(&object) {
                objects.push(object);
            }
        }
    }
    let yes = program.exprs.bool(true);
    for object in objects {
        let shadow = shadows[&object];
        let ok = fine(program, statement, Wanted::Object(object, shadow.object));
        if ok != yes {
            let name = program.object(object).c_name.clone();
            let message = format!("a part of `{name}` is read before it is given a value");
            put(object, super::broken(ok, message), ok);
        }
        // A structure may be copied in parts; where the copy is not followed, all must be there.
        let Statement::Copy {
            target,
            source,
            size,
        } = *statement
        else {
            continue;
        };
        let (from, _) = split(&mut program.exprs, source);
        let (to, _) = split(&mut program.exprs, target);
        let followed =
            matches!(program.exprs.get(to), Expr::Address(o) if shadows.contains_key(&o));
        if program.exprs.get(from) != Expr::Address(object) || followed {
            continue;
        }
        for i in 0..size / shadow.cell {
            let at = program.exprs.offset(source, i * shadow.cell);
            let ok = clean(program, shadow.object, at, shadow.cell);
            let step = Step::Check(Check {
                ok,
                property: UNMODELLED,
                message: "a copy of something that has no value in parts".into(),
            });
            put(object, step, ok);
        }
    }
}

/// What becomes of shadows behind a statement.
fn follow(
    program: &mut Program,
    shadows: &BTreeMap<ObjectId, Shadow>,
    statement: &Statement,
) -> Vec<Step> {
    let shadow_of = |program: &mut Program, address: ExprId| {
        let (root, _) = split(&mut program.exprs, address);
        match program.exprs.get(root) {
            Expr::Address(object) => shadows.get(&object).copied(),
            _ => None,
        }
    };
    match *statement {
        Statement::Enter(object) => {
            let Some(&shadow) = shadows.get(&object) else {
                return Vec::new();
            };
            let (size, base) = (
                program.object(object).size,
                program.exprs.add(Expr::Address(object)),
            );
            let mut steps = vec![Step::Do(Statement::Enter(shadow.object))];
            steps.extend(filled(program, shadow, base, size, u128::MAX));
            steps
        }
        Statement::Leave(object) => match shadows.get(&object) {
            Some(shadow) => vec![Step::Do(Statement::Leave(shadow.object))],
            None => Vec::new(),
        },
        Statement::Store { address, value } => {
            let bytes = program.exprs.ty(value).bytes(program.model);
            match shadow_of(program, address) {
                Some(shadow) => {
                    let address = in_shadow(program, shadow.object, address);
                    let value = program.exprs.int(0, (bytes * 8) as u16);
                    vec![Step::Do(Statement::Store { address, value })]
                }
                None => Vec::new(),
            }
        }
        Statement::Havoc {
            address,
            size,
            ref origin,
        } => match shadow_of(program, address) {
            Some(shadow) => {
                let value = match origin {
                    Origin::Uninitialised => u128::MAX,
                    _ => 0,
                };
                filled(program, shadow, address, size, value)
            }
            None => Vec::new(),
        },
        Statement::Copy {
            target,
            source,
            size,
        } => match (shadow_of(program, target), shadow_of(program, source)) {
            (Some(to), Some(from)) => {
                let target = in_shadow(program, to.object, target);
                let source = in_shadow(program, from.object, source);
                vec![Step::Do(Statement::Copy {
                    target,
                    source,
                    size,
                })]
            }
            (Some(to), None) => filled(program, to, target, size, 0),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Stores that fill a part of a shadow.
fn filled(
    program: &mut Program,
    shadow: Shadow,
    address: ExprId,
    size: u64,
    value: u128,
) -> Vec<Step> {
    let width = (shadow.cell * 8) as u16;
    let value = program.exprs.int(value & ((1 << width) - 1), width);
    let at = in_shadow(program, shadow.object, address);
    let mut steps = Vec::new();
    for i in 0..size / shadow.cell {
        let address = program.exprs.offset(at, i * shadow.cell);
        steps.push(Step::Do(Statement::Store { address, value }));
    }
    steps
}

/// Whether memory without contents starts here that is not followed and not filled at once.
fn is_open(
    program: &mut Program,
    shadows: &BTreeMap<ObjectId, Shadow>,
    body: &Body,
    outgoing: &[Vec<EdgeId>],
    edge: EdgeId,
) -> bool {
    let start = body.edge(edge);
    let (root, size) = match start.statement {
        Statement::Enter(object) if shadows.contains_key(&object) => return false,
        // What lowering makes to pass arguments behind `...`, it fills.
        Statement::Enter(object)
            if program.object(object).c_name.is_empty()
                && program.object(object).ctype.is_none() =>
        {
            return false
        }
        Statement::Enter(object) => {
            let size = program.object(object).size;
            (program.exprs.add(Expr::Address(object)), size)
        }
        Statement::Allocate { target, size, .. } => match program.exprs.get(size) {
            Expr::Int { value, .. } => (program.read(target), value as u64),
            _ => return true,
        },
        _ => return false,
    };
    let mut missing: FxHashSet<u64> = (0..size.min(1 << 16)).collect();
    if size > 1 << 16 {
        return true;
    }
    let mut at = start.target;
    for _ in 0..body.edges.len() {
        let [next] = outgoing[at.index()][..] else {
            break;
        };
        let edge = body.edge(next);
        if missing.is_empty() || changed_in_part(program, &edge.statement).is_some() {
            break;
        }
        let filled = match edge.statement {
            Statement::Store { address, value } => {
                let bytes = program.exprs.ty(value).bytes(program.model);
                Some((address, bytes, value))
            }
            Statement::Copy {
                target,
                source,
                size,
            } => Some((target, size, source)),
            _ => None,
        };
        let mentions = |program: &Program, e: ExprId| {
            let parts = program.exprs.subexpressions(e);
            parts.contains(&root)
        };
        let place = filled.map(|(address, bytes, value)| {
            let (base, offset) = split(&mut program.exprs, address);
            let own = base == root && !mentions(program, value);
            (own, program.exprs.get(offset), bytes)
        });
        match place {
            Some((true, Expr::Int { value, .. }, bytes)) => {
                for byte in value as u64..(value as u64).saturating_add(bytes) {
                    missing.remove(&byte);
                }
            }
            // Nothing else may have to do with it yet.
            _ => {
                let expressions = edge.statement.expressions();
                let written = edge.statement.written_register();
                let target = match program.exprs.get(root) {
                    Expr::Reg(reg) => Some(reg),
                    _ => None,
                };
                if expressions.into_iter().any(|e| mentions(program, e))
                    || (target.is_some() && written == target)
                {
                    break;
                }
            }
        }
        at = edge.target;
    }
    !missing.is_empty()
}
