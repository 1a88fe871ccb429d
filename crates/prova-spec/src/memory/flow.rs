//! Where addresses of objects go: through registers, into memory, out of their activation.
//! Flow-insensitive, whole program; errs on the side of "it may".

use prova_ir::{
    BinaryOp, Callee, Expr, ExprId, Initial, LocId, ObjectId, ProcId, Program, RegId, Statement,
    Storage,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// What becomes of the addresses of objects.
pub(crate) struct Flow {
    /// The address may be a value in memory, or in an integer.
    pub in_memory: Vec<bool>,
    /// A pointer to the object may be used after its life has ended.
    pub outlives: Vec<bool>,
    /// The register may hold a pointer that arithmetic has moved by an amount that is not small.
    pub moved: Vec<bool>,
}

/// Constant distances up to this are small.
const SMALL: u128 = 1 << 12;

struct Graph {
    /// Registers that get what a register holds, directly.
    next: Vec<Vec<RegId>>,
    /// Registers that get an object's address, directly.
    of_object: Vec<Vec<RegId>>,
    /// Registers whose value goes into memory or an integer.
    stored: Vec<bool>,
    /// Objects whose address goes there directly.
    stored_object: Vec<bool>,
    /// Registers that get a value moved by arithmetic.
    moved: Vec<bool>,
}

impl Flow {
    /// Analyses a program. What goes into a call through a pointer counts as put into memory.
    pub fn new(program: &Program) -> Flow {
        let mut graph = Graph {
            next: vec![Vec::new(); program.registers.len()],
            of_object: vec![Vec::new(); program.objects.len()],
            stored: vec![false; program.registers.len()],
            stored_object: vec![false; program.objects.len()],
            moved: vec![false; program.registers.len()],
        };
        let mut scoped: FxHashMap<ObjectId, Vec<LocId>> = FxHashMap::default();
        for procedure in &program.procedures {
            for edge in procedure.body.iter().flat_map(|b| &b.edges) {
                graph.statement(program, &edge.statement);
                if let Statement::Leave(object) = edge.statement {
                    scoped.entry(object).or_default().push(edge.target);
                }
            }
        }
        for object in &program.objects {
            if let Storage::Static { initial, .. } = &object.storage {
                for (_, part) in initial {
                    if let Initial::Value(value) = part {
                        graph.store(program, *value);
                    }
                }
            }
        }
        graph.spread_moves();
        let mut in_memory = graph.stored_object.clone();
        let mut outlives = vec![false; program.objects.len()];
        for i in 0..program.objects.len() {
            let held = graph.reached(&graph.of_object[i]);
            in_memory[i] |= held.iter().any(|r| graph.stored[r.index()]);
            let Storage::Frame(owner) = program.objects[i].storage else {
                continue;
            };
            // What belongs to the entry lasts as long as the program, unless its block ends.
            let left = scoped.get(&ObjectId::new(i)).map_or(&[][..], Vec::as_slice);
            if Some(owner) == program.entry && left.is_empty() {
                continue;
            }
            outlives[i] = in_memory[i]
                || held.iter().any(|&r| {
                    let register = program.register(r);
                    register.owner.is_none()
                        || program.procedure(owner).result == Some(r)
                        || (register.owner == Some(owner) && is_read(program, owner, left, r))
                });
        }
        Flow {
            in_memory,
            outlives,
            moved: graph.moved,
        }
    }
}

/// Whether a register may be read behind one of some locations, before it is written.
fn is_read(program: &Program, procedure: ProcId, from: &[LocId], register: RegId) -> bool {
    let Some(body) = &program.procedure(procedure).body else {
        return false;
    };
    let mut open = from.to_vec();
    if open.is_empty() {
        return false;
    }
    let outgoing = body.outgoing();
    let mut seen = vec![false; body.locations.len()];
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut seen[at.index()], true) {
            continue;
        }
        for &next in &outgoing[at.index()] {
            let edge = body.edge(next);
            let reads = edge.statement.expressions().into_iter().any(|e| {
                let parts = program.exprs.subexpressions(e);
                parts
                    .into_iter()
                    .any(|p| program.exprs.get(p) == Expr::Reg(register))
            });
            if reads {
                return true;
            }
            if edge.statement.written_register() != Some(register) {
                open.push(edge.target);
            }
        }
    }
    false
}

impl Graph {
    fn statement(&mut self, program: &Program, statement: &Statement) {
        match statement {
            Statement::Assign { target, value } => self.assign(program, *target, *value),
            Statement::Store { value, .. } => self.store(program, *value),
            Statement::Call {
                result,
                callee: Callee::Direct(callee),
                arguments,
            } => self.call(program, *callee, arguments, *result),
            Statement::Call { arguments, .. } => {
                for &argument in arguments {
                    self.store(program, argument);
                }
            }
            _ => {}
        }
        // A pointer made an integer can come back from anywhere.
        for root in statement.expressions() {
            for e in program.exprs.subexpressions(root) {
                if let Expr::Cast {
                    op: prova_ir::CastOp::PtrToInt,
                    arg,
                    ..
                } = program.exprs.get(e)
                {
                    self.store(program, arg);
                }
            }
        }
    }

    fn call(
        &mut self,
        program: &Program,
        callee: ProcId,
        arguments: &[ExprId],
        result: Option<RegId>,
    ) {
        let procedure = program.procedure(callee);
        if procedure.body.is_none() {
            return;
        }
        for (&parameter, &argument) in procedure.parameters.iter().zip(arguments) {
            self.assign(program, parameter, argument);
        }
        if let (Some(from), Some(to)) = (procedure.result, result) {
            self.next[from.index()].push(to);
        }
    }

    fn assign(&mut self, program: &Program, target: RegId, value: ExprId) {
        let leaves = leaves(program, value);
        for leaf in leaves.found {
            match program.exprs.get(leaf) {
                Expr::Reg(r) => {
                    self.next[r.index()].push(target);
                    // `p = p + 1` in a loop goes far in small steps.
                    self.moved[target.index()] |= r == target && leaves.added;
                }
                Expr::Address(o) => self.of_object[o.index()].push(target),
                _ => {}
            }
        }
        self.moved[target.index()] |= leaves.far;
    }

    fn store(&mut self, program: &Program, value: ExprId) {
        for leaf in leaves(program, value).found {
            match program.exprs.get(leaf) {
                Expr::Reg(r) => self.stored[r.index()] = true,
                Expr::Address(o) => self.stored_object[o.index()] = true,
                _ => {}
            }
        }
    }

    fn spread_moves(&mut self) {
        let moved: Vec<RegId> = (0..self.moved.len())
            .filter(|&i| self.moved[i])
            .map(RegId::new)
            .collect();
        for r in self.reached(&moved) {
            self.moved[r.index()] = true;
        }
    }

    fn reached(&self, from: &[RegId]) -> Vec<RegId> {
        let mut seen: FxHashSet<RegId> = from.iter().copied().collect();
        let mut found: Vec<RegId> = from.to_vec();
        let mut next = 0;
        while let Some(&r) = found.get(next) {
            next += 1;
            for &to in &self.next[r.index()] {
                if seen.insert(to) {
                    found.push(to);
                }
            }
        }
        found
    }
}

/// The registers and addresses a value may be made of.
pub(crate) struct Leaves {
    /// Registers and object addresses.
    pub found: Vec<ExprId>,
    /// Whether anything is added on the way.
    pub added: bool,
    /// Whether something is added that is not small.
    pub far: bool,
}

/// The registers and addresses whose value is (part of) the value of an expression; what is
/// loaded is not followed.
pub(crate) fn leaves(program: &Program, value: ExprId) -> Leaves {
    let pool = &program.exprs;
    let mut leaves = Leaves {
        found: Vec::new(),
        added: false,
        far: false,
    };
    let mut seen: FxHashSet<ExprId> = FxHashSet::default();
    let mut work = vec![value];
    while let Some(e) = work.pop() {
        if !seen.insert(e) {
            continue;
        }
        match pool.get(e) {
            Expr::Reg(_) | Expr::Address(_) => leaves.found.push(e),
            Expr::Load { .. } => {}
            Expr::Binary { op, left, right } => {
                if op.is_comparison() {
                    continue;
                }
                work.push(left);
                if op == BinaryOp::PtrAdd {
                    leaves.added = true;
                    let bits = pool.model().pointer_bits();
                    leaves.far |= match pool.get(right) {
                        Expr::Int { value, .. } => value >= SMALL && value <= (1 << bits) - SMALL,
                        _ => true,
                    };
                } else {
                    work.push(right);
                }
            }
            _ => work.extend(pool.children(e)),
        }
    }
    leaves
}
