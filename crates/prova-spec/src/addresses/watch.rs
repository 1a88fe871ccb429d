//! Telling blocks apart at run time with two or three ghost registers: one block, any, is
//! *watched*. Its address is chosen when the program starts; what holds whatever the choice holds
//! of all blocks. So `p < q` is between different blocks exactly if for some choice one of them
//! lies below the watched block and the other does not, and a pointer is to a block that was freed
//! if it points into the watched one after that was freed.

use super::{message, Observation, Observations, Seen, PAIRS};
use crate::steps::{Check, Insertions, Step};
use prova_exec::layout::heap_size;
use prova_ir::passes::call_graph::call_graph;
use prova_ir::{
    BinaryOp, CastOp, EdgeId, Expr, ExprId, LocId, Object, ObjectId, Origin, Pinned, ProcId,
    Program, RegId, Register, Role, Span, Statement, Storage, Type, UNMODELLED,
};

struct Watch<'a> {
    program: &'a mut Program,
    /// The first byte of the watched block.
    start: RegId,
    /// The byte behind it; zero as long as it is not allocated.
    end: RegId,
    /// Whether it was freed, if that matters.
    freed: Option<RegId>,
    /// Whether the choice can be made when the program starts.
    chosen: bool,
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
    let graph = call_graph(program);
    let again = program
        .entry
        .is_none_or(|entry| graph.callees.iter().any(|c| c.contains(&entry)));
    let heap = number.then(|| heap_start(program));
    let mut watch = Watch {
        program,
        start,
        end,
        freed,
        chosen: !again,
        heap,
    };
    for p in 0..watch.program.procedures.len() {
        let Some(mut body) = watch.program.procedures[p].body.take() else {
            continue;
        };
        let procedure = ProcId::new(p);
        let mut insertions = Insertions::new(&body);
        for location in 0..body.locations.len() {
            let at = LocId::new(location);
            let seen = found.at(procedure, at).iter();
            // Objects with a name are aligned as C says.
            for observation in seen.filter(|o| !matches!(o.seen, Seen::Alignment(_))) {
                let check = watch.check(observation);
                insertions.before(at, check);
            }
        }
        if order || gone {
            for (i, edge) in body.edges.iter().enumerate() {
                watch.note(&mut insertions, EdgeId::new(i), &edge.statement, found);
            }
            if watch.program.entry == Some(procedure) {
                insertions.starting(Step::Do(Statement::Nondet {
                    target: start,
                    origin: Origin::Choice("the address of a block".into()),
                }));
            }
        }
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

/// The object that lies where the first block will.
fn heap_start(program: &mut Program) -> ObjectId {
    program.add_object(Object {
        name: Pinned::HeapStart.name().into(),
        c_name: String::new(),
        size: 0,
        align: 16,
        storage: Storage::Static {
            initial: Vec::new(),
            constant: false,
        },
        ctype: None,
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
            Seen::Order(..) | Seen::Equal(..) if !self.chosen => self.program.exprs.bool(false),
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
        let (at, base) = (self.number(e), self.number(base));
        let far = self.binary(BinaryOp::Sub, at, base);
        let size = self.int(size);
        self.binary(BinaryOp::ULe, far, size)
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
                let step = self.allocated(own, size);
                insertions.behind(edge, step);
            }
            Statement::Enter(object) if found.movable[object.index()] => {
                let base = self.program.exprs.add(Expr::Address(object));
                let size = self.int(self.program.object(object).size);
                let step = self.allocated(base, size);
                insertions.behind(edge, step);
            }
            Statement::Free(pointer) => {
                let Some(freed) = self.freed else { return };
                let (at, start) = (self.number(pointer), self.program.read(self.start));
                let this = self.binary(BinaryOp::Eq, at, start);
                let none = self.not_allocated();
                let there = self.program.exprs.not(none);
                let now = self.binary(BinaryOp::And, there, this);
                let before = self.program.read(freed);
                let value = self.binary(BinaryOp::Or, before, now);
                insertions.behind(
                    edge,
                    Step::Do(Statement::Assign {
                        target: freed,
                        value,
                    }),
                );
            }
            _ => {}
        }
    }

    fn allocated(&mut self, base: ExprId, size: ExprId) -> Step {
        let (at, start) = (self.number(base), self.program.read(self.start));
        let this = self.binary(BinaryOp::Eq, at, start);
        let behind = self.binary(BinaryOp::Add, start, size);
        let before = self.program.read(self.end);
        let value = self.program.exprs.add(Expr::Ite {
            cond: this,
            then: behind,
            otherwise: before,
        });
        Step::Do(Statement::Assign {
            target: self.end,
            value,
        })
    }
}
