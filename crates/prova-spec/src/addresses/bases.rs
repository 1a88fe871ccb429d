//! Pointers of a body that were made from one pointer: where `end = p + n` came before, `p` and
//! `end` point into one object, whatever it is. Forward data flow; a base is named by the edge (or
//! parameter) that last brought a pointer in from outside of the registers.

use prova_ir::{
    BinaryOp, Body, CastOp, Expr, ExprId, LocId, ProcId, Program, RegId, Statement, Type,
};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Bodies with more registers times locations than this are not looked into.
const LARGEST: usize = 1 << 25;

/// What a register's value was made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Base {
    /// No way leads here yet.
    Unreached,
    /// Null: no object at all.
    Null,
    /// By its number: see [`Bases::new`].
    From(u32),
    /// Not known.
    Any,
}

impl Base {
    fn join(self, other: Base) -> Base {
        match (self, other) {
            (a, b) if a == b => a,
            (Base::Unreached | Base::Null, b) => b,
            (a, Base::Unreached | Base::Null) => a,
            _ => Base::Any,
        }
    }
}

/// The bases of a body's registers, by location.
pub(super) struct Bases {
    number: FxHashMap<RegId, usize>,
    at: Vec<Vec<Base>>,
    /// Numbers of objects begin here.
    objects: usize,
}

impl Bases {
    /// Numbers of bases: edges, then parameters, then objects.
    pub fn new(program: &Program, procedure: ProcId, body: &Body) -> Bases {
        let mut number = FxHashMap::default();
        let integer = program.model.pointer_int();
        for (i, register) in program.registers.iter().enumerate() {
            let holds = register.ty == Type::Ptr || register.ty == integer;
            if register.owner == Some(procedure) && holds {
                number.insert(RegId::new(i), number.len());
            }
        }
        if number.len().saturating_mul(body.locations.len()) > LARGEST {
            number.clear();
        }
        let parameters = &program.procedure(procedure).parameters;
        let mut bases = Bases {
            at: vec![vec![Base::Unreached; number.len()]; body.locations.len()],
            objects: body.edges.len() + parameters.len(),
            number,
        };
        let mut first = vec![Base::Any; bases.number.len()];
        for (i, parameter) in parameters.iter().enumerate() {
            if let Some(&n) = bases.number.get(parameter) {
                first[n] = Base::From((body.edges.len() + i) as u32);
            }
        }
        let mut known = vec![false; body.locations.len()];
        bases.at[body.entry.index()] = first;
        known[body.entry.index()] = true;
        let outgoing = body.outgoing();
        let mut work = VecDeque::from([body.entry]);
        while let Some(location) = work.pop_front() {
            for &id in &outgoing[location.index()] {
                let edge = body.edge(id);
                let mut state = bases.at[location.index()].clone();
                bases.step(program, &edge.statement, id.0, &mut state);
                let target = &mut bases.at[edge.target.index()];
                let mut changed = !std::mem::replace(&mut known[edge.target.index()], true);
                for (old, new) in target.iter_mut().zip(state) {
                    let joined = old.join(new);
                    changed |= joined != *old;
                    *old = joined;
                }
                if changed {
                    work.push_back(edge.target);
                }
            }
        }
        bases
    }

    fn step(&self, program: &Program, statement: &Statement, edge: u32, state: &mut [Base]) {
        let written = statement.written_register();
        let Some(&n) = written.and_then(|r| self.number.get(&r)) else {
            return;
        };
        let value = match statement {
            Statement::Assign { value, .. } => self.of(program, *value, state),
            _ => Base::Any,
        };
        state[n] = match value {
            Base::Any => {
                // What this edge brought in when it was last taken is something else.
                for base in state.iter_mut().filter(|b| **b == Base::From(edge)) {
                    *base = Base::Any;
                }
                Base::From(edge)
            }
            known => known,
        };
    }

    fn of(&self, program: &Program, e: ExprId, state: &[Base]) -> Base {
        let pool = &program.exprs;
        match pool.get(root(program, e)) {
            Expr::Reg(r) => match self.number.get(&r) {
                Some(&n) => state[n],
                None => Base::Any,
            },
            Expr::Pointer(0) | Expr::Int { value: 0, .. } => Base::Null,
            Expr::Address(o) => Base::From((self.objects + o.index()) as u32),
            Expr::Ite {
                then, otherwise, ..
            } => {
                let then = self.of(program, then, state);
                then.join(self.of(program, otherwise, state))
            }
            _ => Base::Any,
        }
    }

    /// Whether two expressions, evaluated at a location, are addresses in one object or null.
    pub fn same(&self, program: &Program, at: LocId, a: ExprId, b: ExprId) -> bool {
        if root(program, a) == root(program, b) {
            return true;
        }
        let state = &self.at[at.index()];
        match (self.of(program, a, state), self.of(program, b, state)) {
            (Base::Null, _) | (_, Base::Null) => true,
            (Base::From(x), Base::From(y)) => x == y,
            (Base::Unreached, _) | (_, Base::Unreached) => true,
            _ => false,
        }
    }
}

/// What an address is made from by adding to it and converting it.
pub(super) fn root(program: &Program, mut e: ExprId) -> ExprId {
    let pool = &program.exprs;
    loop {
        e = match pool.get(e) {
            Expr::Binary {
                op: BinaryOp::PtrAdd,
                left,
                ..
            } => left,
            Expr::Binary {
                op: BinaryOp::Add | BinaryOp::Sub,
                left,
                right,
            } if matches!(pool.get(right), Expr::Int { .. }) => left,
            Expr::Cast {
                op: CastOp::PtrToInt | CastOp::IntToPtr,
                arg,
                ..
            } => arg,
            _ => return e,
        };
    }
}
