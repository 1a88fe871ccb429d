//! Telling blocks apart at run time with two or three ghost registers: one block, any, is
//! *watched*. Which one is a choice, made where blocks are allocated; what holds whatever the choice
//! holds of all blocks. So `p < q` is between different blocks exactly if for some choice one of them
//! lies below the watched block and the other does not, and a pointer is to a block that was freed
//! if it points into the watched one after that was freed.

use super::answers::Answers;
use super::bases::root;
use super::{message, Observation, Observations, Seen, PAIRS};
use crate::pinned::pinned;
use crate::steps::{Check, Insertions, Step};
use prova_exec::layout::heap_size;
use prova_ir::{
    BinaryOp, Body, CastOp, EdgeId, Expr, ExprId, LocId, ObjectId, Origin, Pinned, ProcId, Program,
    RegId, Register, Role, Span, Statement, Storage, Type, UNMODELLED,
};
use rustc_hash::FxHashMap;

struct Watch<'a> {
    program: &'a mut Program,
    /// The first byte of the watched block.
    start: RegId,
    /// The byte behind it; zero as long as it is not allocated.
    end: RegId,
    /// Whether it was freed, if that matters.
    freed: Option<RegId>,
    /// The choice.
    chosen: RegId,
    /// Local variables: whether they are there, and where they lay last.
    alive: FxHashMap<ObjectId, (RegId, RegId)>,
    heap: Option<ObjectId>,
}

/// Puts checks and ghost state into a program.
pub(super) fn weave(program: &mut Program, found: &Observations) {
    let any = |of: fn(&Seen) -> bool| found.all().any(|o| of(&o.seen));
    let order = any(|s| matches!(s, Seen::Order(..)));
    let gone = any(|s| matches!(s, Seen::Equal(..)));
    let number = any(|s| matches!(s, Seen::Number(_)));
    let ty = program.model.pointer_int();
    let start = ghost(program, "watched", ty);
    let end = ghost(program, "watched.end", ty);
    let freed = gone.then(|| ghost(program, "watched.freed", Type::BOOL));
    let chosen = ghost(program, "watch", Type::BOOL);
    let mut alive = FxHashMap::default();
    for object in found.all().flat_map(|o| match &o.seen {
        Seen::Frames(_, _, objects) => &objects[..],
        _ => &[],
    }) {
        if !alive.contains_key(object) {
            let name = format!("alive.{}", program.object(*object).name);
            let register = ghost(program, &name, Type::BOOL);
            if found.kept[object.index()] {
                // A later activation's variable need not lie where this one lay, so that what is
                // gone once never counts as alive again.
                let yes = program.exprs.bool(true);
                program.registers[register.index()].initial = Some(yes);
            }
            let name = format!("at.{}", program.object(*object).name);
            let at = ghost(program, &name, ty);
            alive.insert(*object, (register, at));
        }
    }
    let heap = number.then(|| pinned(program, Pinned::HeapStart));
    let mut watch = Watch {
        program,
        start,
        end,
        freed,
        chosen,
        alive,
        heap,
    };
    for p in 0..watch.program.procedures.len() {
        let Some(mut body) = watch.program.procedures[p].body.take() else {
            continue;
        };
        let procedure = ProcId::new(p);
        let mut insertions = Insertions::new(&body);
        let outgoing = body.outgoing();
        for (location, edges) in outgoing.iter().enumerate() {
            let at = LocId::new(location);
            let seen = found.at(procedure, at).iter();
            let mut answers = Answers::default();
            // Objects with a name are aligned as C says.
            for observation in seen.filter(|o| !matches!(o.seen, Seen::Alignment(_))) {
                match observation.answer {
                    Some(shown) if watch.program.arbitrary_addresses => {
                        let fine = watch.is_fine(&observation.seen);
                        let step = answers.choose(watch.program, procedure, shown, fine);
                        step.into_iter().for_each(|s| insertions.before(at, s));
                    }
                    _ => {
                        let check = watch.check(observation);
                        insertions.before(at, check);
                    }
                }
            }
            answers.put_in(watch.program, &mut body, edges);
        }
        if order || gone {
            for (i, edge) in body.edges.iter().enumerate() {
                watch.note(&mut insertions, EdgeId::new(i), &edge.statement, found);
            }
        }
        watch.lives(&mut insertions, procedure, &body, found);
        insertions.apply(&mut watch.program.exprs, &mut body);
        watch.program.procedures[p].body = Some(body);
    }
}

fn ghost(program: &mut Program, name: &str, ty: Type) -> RegId {
    let Type::Int(width) = ty else {
        unreachable!("ghost registers hold numbers");
    };
    let zero = program.exprs.int(0, width);
    let name = program.fresh_register_name(&format!("prova.{name}"));
    program.add_register(Register {
        name,
        c_name: String::new(),
        ty,
        ctype: None,
        owner: None,
        role: Role::Global,
        initial: Some(zero),
        span: Span::NONE,
    })
}

impl Watch<'_> {
    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.program.exprs.binary(op, a, b)
    }

    fn int(&mut self, value: u64) -> ExprId {
        let width = self.program.model.pointer_bits() as u16;
        self.program.exprs.int(u128::from(value), width)
    }

    fn is_narrow(&self, e: ExprId) -> bool {
        let model = self.program.model;
        self.program.exprs.ty(e).bits(model) < model.pointer_bits()
    }

    /// An address as an integer of a pointer's width.
    fn number(&mut self, e: ExprId) -> ExprId {
        let ty = self.program.model.pointer_int();
        match self.program.exprs.ty(e) {
            Type::Ptr => self.program.exprs.cast(CastOp::PtrToInt, e, ty),
            own if own == ty => e,
            _ => self.program.exprs.cast(CastOp::Trunc, e, ty),
        }
    }

    fn check(&mut self, observation: &Observation) -> Step {
        let mut ok = self.is_fine(&observation.seen);
        for &(condition, holds) in observation.guard.iter().rev() {
            let other = match holds {
                true => self.program.exprs.not(condition),
                false => condition,
            };
            ok = self.binary(BinaryOp::Or, other, ok);
        }
        Step::Check(Check {
            ok,
            property: UNMODELLED,
            message: message(&observation.seen),
        })
    }

    fn is_fine(&mut self, seen: &Seen) -> ExprId {
        match *seen {
            Seen::Order(a, b) => {
                let (a, b) = (self.number(a), self.number(b));
                let start = self.program.read(self.start);
                let below = [a, b].map(|side| self.binary(BinaryOp::ULt, side, start));
                let same = self.binary(BinaryOp::Eq, below[0], below[1]);
                let none = self.not_allocated();
                self.binary(BinaryOp::Or, none, same)
            }
            Seen::Equal(a, b) => {
                let Some(freed) = self.freed else {
                    return self.program.exprs.bool(false);
                };
                let inside = [a, b].map(|side| self.is_watched(side));
                let either = self.binary(BinaryOp::Or, inside[0], inside[1]);
                let freed = self.program.read(freed);
                let bad = self.binary(BinaryOp::And, freed, either);
                self.program.exprs.not(bad)
            }
            Seen::Frames(a, b, ref objects) => {
                let mut ok = self.program.exprs.bool(true);
                for &object in objects {
                    let Some(&(alive, at)) = self.alive.get(&object) else {
                        return self.program.exprs.bool(false);
                    };
                    let base = self.program.read(at);
                    let size = self.program.object(object).size;
                    let mut other = self.program.exprs.bool(true);
                    for side in [a, b] {
                        // What is named here is there.
                        let named = self.program.exprs.get(root(self.program, side));
                        if !matches!(named, Expr::Address(_)) {
                            let inside = self.is_within(side, base, size);
                            let not = self.program.exprs.not(inside);
                            other = self.binary(BinaryOp::And, other, not);
                        }
                    }
                    // What was never there left no address behind; numbers near zero are none.
                    let zero = self.int(0);
                    let never = self.binary(BinaryOp::Eq, base, zero);
                    let other = self.binary(BinaryOp::Or, never, other);
                    let alive = self.program.read(alive);
                    let fine = self.binary(BinaryOp::Or, alive, other);
                    ok = self.binary(BinaryOp::And, ok, fine);
                }
                ok
            }
            Seen::Literals(_, _, ref pairs) if pairs.len() > PAIRS => {
                self.program.exprs.bool(false)
            }
            Seen::Literals(a, b, ref pairs) => {
                let mut ok = self.program.exprs.bool(true);
                for &(x, y) in pairs {
                    let (first, second) = (self.is_in(a, x), self.is_in(b, y));
                    let both = self.binary(BinaryOp::And, first, second);
                    let not = self.program.exprs.not(both);
                    ok = self.binary(BinaryOp::And, ok, not);
                }
                ok
            }
            Seen::Alignment(_) => self.program.exprs.bool(true),
            // A part of an address tells nobody of what.
            Seen::Number(e) if self.is_narrow(e) => self.program.exprs.bool(false),
            Seen::Number(e) => {
                let Some(heap) = self.heap else {
                    return self.program.exprs.bool(false);
                };
                let heap = self.program.exprs.add(Expr::Address(heap));
                let (at, heap) = (self.number(e), self.number(heap));
                let far = self.binary(BinaryOp::Sub, at, heap);
                let size = self.int(heap_size(self.program.model));
                self.binary(BinaryOp::ULe, size, far)
            }
        }
    }

    fn not_allocated(&mut self) -> ExprId {
        let (end, zero) = (self.program.read(self.end), self.int(0));
        self.binary(BinaryOp::Eq, end, zero)
    }

    /// Whether an address lies in the watched block or right behind it.
    fn is_watched(&mut self, e: ExprId) -> ExprId {
        let at = self.number(e);
        let (start, end) = (self.program.read(self.start), self.program.read(self.end));
        let above = self.binary(BinaryOp::ULe, start, at);
        let below = self.binary(BinaryOp::ULe, at, end);
        self.binary(BinaryOp::And, above, below)
    }

    /// Whether an address lies in an object or right behind it.
    fn is_in(&mut self, e: ExprId, object: ObjectId) -> ExprId {
        let size = self.program.object(object).size;
        let base = self.program.exprs.add(Expr::Address(object));
        let base = self.number(base);
        self.is_within(e, base, size)
    }

    /// Whether an address lies in a range or right behind it.
    fn is_within(&mut self, e: ExprId, base: ExprId, size: u64) -> ExprId {
        let at = self.number(e);
        let far = self.binary(BinaryOp::Sub, at, base);
        let size = self.int(size);
        self.binary(BinaryOp::ULe, far, size)
    }

    /// Local variables come and go.
    fn lives(
        &mut self,
        insertions: &mut Insertions,
        procedure: ProcId,
        body: &Body,
        found: &Observations,
    ) {
        let becomes = |watch: &mut Self, object: &ObjectId, there: bool| {
            let &(target, _) = watch.alive.get(object)?;
            let value = watch.program.exprs.bool(there);
            Some(Step::Do(Statement::Assign { target, value }))
        };
        for (i, edge) in body.edges.iter().enumerate() {
            let edge_id = EdgeId::new(i);
            let step = match &edge.statement {
                Statement::Enter(object) => {
                    if let Some(&(_, target)) = self.alive.get(object) {
                        let base = self.program.exprs.add(Expr::Address(*object));
                        let value = self.number(base);
                        insertions.behind(edge_id, Step::Do(Statement::Assign { target, value }));
                    }
                    match found.kept[object.index()] {
                        true => None,
                        false => becomes(self, object, true),
                    }
                }
                Statement::Leave(object) => becomes(self, object, false),
                _ => None,
            };
            if let Some(step) = step {
                insertions.behind(edge_id, step);
            }
        }
        let mut own: Vec<ObjectId> = self.alive.keys().copied().collect();
        own.retain(|&o| self.program.object(o).storage == Storage::Frame(procedure));
        own.sort_unstable();
        for object in own {
            if let Some(step) = becomes(self, &object, false) {
                insertions.leaving(step);
            }
        }
        if self.freed.is_none() {
            return;
        }
        for i in 0..self.program.objects.len() {
            let own = self.program.objects[i].storage == Storage::Frame(procedure);
            if own && found.movable[i] {
                let base = self.program.exprs.add(Expr::Address(ObjectId::new(i)));
                let step = self.gone(base);
                insertions.leaving(step);
            }
        }
    }

    /// If it is the watched block that ends, it is gone.
    fn gone(&mut self, pointer: ExprId) -> Step {
        let target = self.freed.unwrap_or(self.chosen);
        let (at, start) = (self.number(pointer), self.program.read(self.start));
        let this = self.binary(BinaryOp::Eq, at, start);
        let none = self.not_allocated();
        let there = self.program.exprs.not(none);
        let now = self.binary(BinaryOp::And, there, this);
        let before = self.program.read(target);
        let value = self.binary(BinaryOp::Or, before, now);
        Step::Do(Statement::Assign { target, value })
    }

    /// The watched block is allocated or freed.
    fn note(
        &mut self,
        insertions: &mut Insertions,
        edge: EdgeId,
        statement: &Statement,
        found: &Observations,
    ) {
        match *statement {
            Statement::Allocate { target, size, .. } => {
                let own = self.program.read(target);
                let parts = self.program.exprs.subexpressions(size);
                let size = match parts.contains(&own) {
                    // It is computed from what the register held before.
                    true => self.int(0),
                    false => size,
                };
                self.allocated(insertions, edge, own, size);
            }
            Statement::Enter(object) if found.movable[object.index()] => {
                let base = self.program.exprs.add(Expr::Address(object));
                let size = self.int(self.program.object(object).size);
                self.allocated(insertions, edge, base, size);
            }
            Statement::Free(pointer) if self.freed.is_some() => {
                let step = self.gone(pointer);
                insertions.behind(edge, step);
            }
            Statement::Leave(object) if self.freed.is_some() && found.movable[object.index()] => {
                let base = self.program.exprs.add(Expr::Address(object));
                let step = self.gone(base);
                insertions.behind(edge, step);
            }
            _ => {}
        }
    }

    fn allocated(&mut self, insertions: &mut Insertions, edge: EdgeId, base: ExprId, size: ExprId) {
        insertions.behind(
            edge,
            Step::Do(Statement::Nondet {
                target: self.chosen,
                origin: Origin::Choice("which block is watched".into()),
            }),
        );
        let none = self.not_allocated();
        let chosen = self.program.read(self.chosen);
        let now = self.binary(BinaryOp::And, none, chosen);
        let start = self.number(base);
        let end = self.binary(BinaryOp::Add, start, size);
        // The end comes last: it says whether there is one.
        for (target, value) in [(self.start, start), (self.end, end)] {
            let before = self.program.read(target);
            let value = self.program.exprs.add(Expr::Ite {
                cond: now,
                then: value,
                otherwise: before,
            });
            insertions.behind(edge, Step::Do(Statement::Assign { target, value }));
        }
    }
}
