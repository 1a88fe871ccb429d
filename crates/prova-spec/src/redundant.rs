//! Drops checks whose condition is known to hold: it was checked or assumed before, on every way
//! here, and nothing it speaks of was written since (available expressions, as compilers have
//! them). Fewer branches for every engine; no verdict changes.

use prova_ir::{
    BinaryOp, Body, Callee, Edge, Expr, ExprId, ExprPool, LocId, ObjectId, Program, RegId,
    Statement, UnaryOp,
};
use rustc_hash::FxHashMap;

/// Bodies with more facts times locations than this are left alone.
const LARGEST: usize = 1 << 26;

/// A condition without negations, and whether it holds: `a != b` is `a == b` that does not.
type Key = (ExprId, bool);

/// What a condition depends on.
struct Fact {
    registers: Vec<RegId>,
    globals: bool,
    loads: Loads,
}

#[derive(PartialEq, Eq)]
enum Loads {
    None,
    /// Only from this object, whose address nothing else knows.
    Private(ObjectId),
    Any,
}

/// Drops redundant checks everywhere. `private` is an object that only ghost statements touch.
pub(crate) fn drop_redundant(program: &mut Program, private: Option<ObjectId>) {
    // A body is out while it is worked on, so this is asked first.
    let defined: Vec<bool> = program
        .procedures
        .iter()
        .map(|p| p.body.is_some())
        .collect();
    for p in 0..program.procedures.len() {
        let Some(mut body) = program.procedures[p].body.take() else {
            continue;
        };
        drop_in(program, &mut body, &defined, private);
        program.procedures[p].body = Some(body);
    }
}

fn drop_in(program: &mut Program, body: &mut Body, defined: &[bool], private: Option<ObjectId>) {
    let mut keys: Vec<Option<Key>> = Vec::with_capacity(body.edges.len());
    for edge in &body.edges {
        keys.push(match edge.statement {
            Statement::Assume(condition) => Some(key(&mut program.exprs, condition)),
            _ => None,
        });
    }
    let mut is_error = vec![false; body.locations.len()];
    for error in &body.errors {
        is_error[error.location.index()] = true;
    }
    let outgoing = body.outgoing();
    let mut facts: Vec<Fact> = Vec::new();
    let mut number: FxHashMap<Key, usize> = FxHashMap::default();
    // Where a check stands: its location and the edge that goes on.
    let mut checks: Vec<(LocId, usize)> = Vec::new();
    for (location, edges) in outgoing.iter().enumerate() {
        let [a, b] = edges[..] else { continue };
        let on = match (
            is_error[body.edge(a).target.index()],
            is_error[body.edge(b).target.index()],
        ) {
            (false, true) => a,
            (true, false) => b,
            _ => continue,
        };
        if let Some(key) = keys[on.index()] {
            checks.push((LocId::new(location), on.index()));
            number.entry(key).or_insert_with(|| {
                facts.push(fact(program, key.0, private));
                facts.len() - 1
            });
        }
    }
    let words = facts.len().div_ceil(64);
    if facts.is_empty() || words * body.locations.len() > LARGEST / 64 {
        return;
    }
    let effects: Vec<(Vec<u64>, Vec<u64>)> = body
        .edges
        .iter()
        .zip(&keys)
        .map(|(edge, key)| {
            let (memory, ghost, call) = writes(program, edge, defined, private);
            let mut kept = vec![u64::MAX; words];
            let mut gained = vec![0; words];
            let written = edge.statement.written_register();
            for (i, fact) in facts.iter().enumerate() {
                let lost = written.is_some_and(|r| fact.registers.contains(&r))
                    || (memory && fact.loads == Loads::Any)
                    || (ghost && fact.loads != Loads::None)
                    || (call && (fact.globals || fact.loads != Loads::None));
                if lost {
                    kept[i / 64] &= !(1 << (i % 64));
                }
            }
            if let Some(&fact) = key.as_ref().and_then(|k| number.get(k)) {
                gained[fact / 64] |= 1 << (fact % 64);
            }
            (kept, gained)
        })
        .collect();
    let known = solve(body, &effects, words);
    let mut gone = vec![false; body.edges.len()];
    for (location, on) in checks {
        let Some(&fact) = keys[on].as_ref().and_then(|k| number.get(k)) else {
            continue;
        };
        let word = known[words * location.index() + fact / 64];
        if word >> (fact % 64) & 1 == 1 {
            for &edge in &outgoing[location.index()] {
                gone[edge.index()] = edge.index() != on;
            }
            body.edges[on].statement = Statement::Skip;
        }
    }
    let mut index = 0;
    let mut unreached: Vec<LocId> = Vec::new();
    body.edges.retain(|edge| {
        index += 1;
        if gone[index - 1] {
            unreached.push(edge.target);
        }
        !gone[index - 1]
    });
    body.errors.retain(|e| !unreached.contains(&e.location));
}

fn fact(program: &Program, condition: ExprId, private: Option<ObjectId>) -> Fact {
    let mut fact = Fact {
        registers: Vec::new(),
        globals: false,
        loads: Loads::None,
    };
    for e in program.exprs.subexpressions(condition) {
        match program.exprs.get(e) {
            Expr::Reg(r) => {
                fact.registers.push(r);
                fact.globals |= program.register(r).owner.is_none();
            }
            Expr::Load { address, .. } => {
                let object = object_of(program, address);
                fact.loads = match (object, &fact.loads) {
                    (Some(o), Loads::None) if Some(o) == private => Loads::Private(o),
                    (Some(o), Loads::Private(p)) if o == *p => Loads::Private(o),
                    _ => Loads::Any,
                };
            }
            _ => {}
        }
    }
    fact
}

fn object_of(program: &Program, mut pointer: ExprId) -> Option<ObjectId> {
    loop {
        match program.exprs.get(pointer) {
            Expr::Address(o) => return Some(o),
            Expr::Binary {
                op: BinaryOp::PtrAdd,
                left,
                ..
            } => pointer = left,
            _ => return None,
        }
    }
}

/// Which facts hold at each location on every way there.
fn solve(body: &Body, effects: &[(Vec<u64>, Vec<u64>)], words: usize) -> Vec<u64> {
    let mut known = vec![u64::MAX; words * body.locations.len()];
    let entry = words * body.entry.index();
    known[entry..entry + words].fill(0);
    let mut changed = true;
    let mut out = vec![0; words];
    while changed {
        changed = false;
        for (edge, (kept, gained)) in body.edges.iter().zip(effects) {
            let source = words * edge.source.index();
            for (i, word) in out.iter_mut().enumerate() {
                *word = known[source + i] & kept[i] | gained[i];
            }
            if edge.target == body.entry {
                continue;
            }
            let target = words * edge.target.index();
            for (i, word) in out.iter().enumerate() {
                let before = known[target + i];
                known[target + i] &= word;
                changed |= known[target + i] != before;
            }
        }
    }
    known
}

/// Whether an edge writes memory, the private object, and whatever a call writes.
fn writes(
    program: &Program,
    edge: &Edge,
    defined: &[bool],
    private: Option<ObjectId>,
) -> (bool, bool, bool) {
    match &edge.statement {
        Statement::Store { address, .. } => match object_of(program, *address) {
            Some(o) if Some(o) == private => (false, true, false),
            _ => (true, false, false),
        },
        Statement::Copy { .. }
        | Statement::Havoc { .. }
        | Statement::Enter(_)
        | Statement::Leave(_)
        | Statement::Allocate { .. }
        | Statement::Free(_) => (true, false, false),
        // A function without a body changes nothing that a program can see.
        Statement::Call {
            callee: Callee::Direct(p),
            ..
        } => (false, false, defined[p.index()]),
        Statement::Call { .. } => (false, false, true),
        _ => (false, false, false),
    }
}

/// The same condition in one form.
fn key(pool: &mut ExprPool, condition: ExprId) -> Key {
    use BinaryOp::*;
    let (mut condition, mut holds) = (condition, true);
    while let Expr::Unary {
        op: UnaryOp::Not,
        arg,
    } = pool.get(condition)
    {
        (condition, holds) = (arg, !holds);
    }
    if let Expr::Binary { op, left, right } = pool.get(condition) {
        let turned = match op {
            Ne => Some((Eq, left, right)),
            ULe => Some((ULt, right, left)),
            SLe => Some((SLt, right, left)),
            _ => None,
        };
        if let Some((op, left, right)) = turned {
            return (pool.binary(op, left, right), !holds);
        }
    }
    (condition, holds)
}
