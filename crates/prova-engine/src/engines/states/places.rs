//! Where states are kept, what is kept there, and how inputs are told apart.
//!
//! States are kept at the entry, at the heads of loops, and behind inputs that the program compares
//! with constants: there each class of values between two constants makes a state of its own. In
//! between the program is run, and mostly there is one way to go. Where there are too many, states
//! are kept at joins, too.

use super::between::{width_of, Between};
use prova_ir::passes::loops::Loops;
use prova_ir::{BinaryOp, Body, EdgeId, Expr, ExprId, LocId, Program, RegId, Statement};
use rustc_hash::FxHashMap;

/// Classes of an input that are told apart.
const MOST_CLASSES: usize = 64;

/// What does not change during a search.
pub struct Places<'p> {
    /// The program.
    pub program: &'p Program,
    /// Its only procedure.
    pub body: &'p Body,
    /// Edges by the location that they leave.
    pub outgoing: Vec<Vec<EdgeId>>,
    /// Errors, by location.
    pub error: Vec<bool>,
    /// The registers whose values are kept, at locations where states are.
    pub kept: Vec<Option<Vec<RegId>>>,
    /// The classes of an input, by register; none where it is not followed.
    pub classes: Vec<Vec<Between>>,
    live: Vec<Vec<u64>>,
}

impl<'p> Places<'p> {
    /// Looks at a program.
    pub fn new(program: &'p Program, body: &'p Body) -> Places<'p> {
        let count = body.locations.len();
        let mut this = Places {
            program,
            body,
            outgoing: body.outgoing(),
            error: (0..count).map(|i| body.is_error(LocId::new(i))).collect(),
            kept: vec![None; count],
            classes: classes(program, body),
            live: live(program, body),
        };
        this.keep(body.entry);
        for head in Loops::of(body).heads {
            this.keep(head);
        }
        for edge in &body.edges {
            if let Statement::Nondet { target, .. } = edge.statement {
                if this.splits(target, edge.target) {
                    this.keep(edge.target);
                }
            }
        }
        this
    }

    /// Whether an input of a register makes states of its own at a location.
    pub fn splits(&self, register: RegId, at: LocId) -> bool {
        self.classes[register.index()].len() > 1 && has(&self.live[at.index()], register)
    }

    /// The classes that a value of a register lies in: each as a whole. What the program compares with
    /// no constant is one class, truth values aside.
    pub fn rounded(&self, register: RegId, known: Between) -> Vec<Between> {
        let ty = self.program.register(register).ty;
        let classes = &self.classes[register.index()];
        if ty.is_bool() {
            return vec![known];
        }
        if classes.is_empty() {
            return vec![Between::all(ty)];
        }
        let meets = |c: &&Between| c.low <= known.high && known.low <= c.high;
        classes.iter().filter(meets).copied().collect()
    }

    /// Keeps states at joins, too.
    pub fn keep_joins(&mut self) {
        for (i, edges) in self.body.incoming().into_iter().enumerate() {
            if edges.len() > 1 {
                self.keep(LocId::new(i));
            }
        }
    }

    fn keep(&mut self, at: LocId) {
        let live = &self.live[at.index()];
        let followed =
            |r: &RegId| has(live, *r) && width_of(self.program.register(*r).ty).is_some();
        let registers = (0..self.program.registers.len()).map(RegId::new);
        self.kept[at.index()] = Some(registers.filter(followed).collect());
    }
}

fn has(set: &[u64], register: RegId) -> bool {
    set[register.index() / 64] >> (register.index() % 64) & 1 == 1
}

fn put(set: &mut [u64], register: RegId) {
    set[register.index() / 64] |= 1 << (register.index() % 64);
}

fn read(program: &Program, id: ExprId, found: &mut [u64]) {
    for part in program.exprs.subexpressions(id) {
        if let Expr::Reg(register) = program.exprs.get(part) {
            put(found, register);
        }
    }
}

/// The registers whose values can still decide a branch, by location. Memory is not followed: what
/// is written there decides nothing that is known.
fn live(program: &Program, body: &Body) -> Vec<Vec<u64>> {
    let words = program.registers.len().div_ceil(64);
    let incoming = body.incoming();
    let reads: Vec<Vec<u64>> = body
        .edges
        .iter()
        .map(|edge| {
            let mut found = vec![0; words];
            match edge.statement {
                Statement::Assume(value) | Statement::Assign { value, .. } => {
                    read(program, value, &mut found);
                }
                _ => {}
            }
            found
        })
        .collect();
    let mut live = vec![vec![0; words]; body.locations.len()];
    let mut work: Vec<usize> = (0..live.len()).collect();
    let mut waiting = vec![true; live.len()];
    while let Some(at) = work.pop() {
        waiting[at] = false;
        for &id in &incoming[at] {
            let edge = body.edge(id);
            let mut before = live[at].clone();
            let written = edge.statement.written_register();
            let needed = match (&edge.statement, written) {
                (Statement::Assign { .. }, Some(target)) => has(&before, target),
                _ => true,
            };
            if let Some(target) = written {
                before[target.index() / 64] &= !(1 << (target.index() % 64));
            }
            if needed {
                let reads = &reads[id.index()];
                before.iter_mut().zip(reads).for_each(|(b, r)| *b |= r);
            }
            let source = edge.source.index();
            let here = &mut live[source];
            let grown: Vec<u64> = here.iter().zip(&before).map(|(h, b)| h | b).collect();
            if grown != *here {
                *here = grown;
                if !std::mem::replace(&mut waiting[source], true) {
                    work.push(source);
                }
            }
        }
    }
    live
}

/// The classes of values that the program tells apart, by register: between two constants that the
/// register, or one that it is copied to, is compared with.
fn classes(program: &Program, body: &Body) -> Vec<Vec<Between>> {
    let pool = &program.exprs;
    let mut same: Vec<usize> = (0..program.registers.len()).collect();
    fn root(same: &mut [usize], mut at: usize) -> usize {
        while same[at] != at {
            same[at] = same[same[at]];
            at = same[at];
        }
        at
    }
    let register = |id: ExprId| match pool.get(id) {
        Expr::Reg(register) => Some(register),
        _ => None,
    };
    let mut conditions: Vec<ExprId> = Vec::new();
    for edge in &body.edges {
        match edge.statement {
            Statement::Assign { target, value } => {
                conditions.push(value);
                if let Some(source) = register(value) {
                    let (a, b) = (
                        root(&mut same, target.index()),
                        root(&mut same, source.index()),
                    );
                    same[a] = b;
                }
            }
            Statement::Assume(value) => conditions.push(value),
            _ => {}
        }
    }
    conditions.sort_unstable();
    conditions.dedup();
    let mut cuts: FxHashMap<usize, Vec<i64>> = FxHashMap::default();
    for part in conditions.iter().flat_map(|&c| pool.subexpressions(c)) {
        let Expr::Binary { op, left, right } = pool.get(part) else {
            continue;
        };
        let constant = |id: ExprId| match (pool.get(id), width_of(pool.ty(id))) {
            (Expr::Int { value, .. }, Some(width @ 2..)) => {
                Some(prova_exec::arith::signed(value as u64, width))
            }
            _ => None,
        };
        let (register, constant, on_left) = match (
            register(left),
            constant(right),
            register(right),
            constant(left),
        ) {
            (Some(register), Some(constant), ..) => (register, constant, true),
            (_, _, Some(register), Some(constant)) => (register, constant, false),
            _ => continue,
        };
        let next = constant.saturating_add(1);
        let found = cuts.entry(root(&mut same, register.index())).or_default();
        match op {
            BinaryOp::Eq | BinaryOp::Ne => found.extend([constant, next]),
            BinaryOp::SLt | BinaryOp::ULt => found.push(if on_left { constant } else { next }),
            BinaryOp::SLe | BinaryOp::ULe => found.push(if on_left { next } else { constant }),
            _ => {}
        }
        if matches!(op, BinaryOp::ULt | BinaryOp::ULe) {
            found.push(0);
        }
    }
    let mut of = |(i, r): (usize, &prova_ir::Register)| {
        let all = Between::all(r.ty);
        let Some(found) = cuts.get_mut(&root(&mut same, i)) else {
            return Vec::new();
        };
        found.sort_unstable();
        found.dedup();
        let inside = found.iter().filter(|&&c| all.low < c && c <= all.high);
        let mut classes = vec![all];
        for &cut in inside {
            let last = classes.last_mut().expect("there is one");
            last.high = cut - 1;
            classes.push(Between { low: cut, ..all });
        }
        match width_of(r.ty) {
            Some(2..) if classes.len() <= MOST_CLASSES => classes,
            _ => Vec::new(),
        }
    };
    program.registers.iter().enumerate().map(&mut of).collect()
}
