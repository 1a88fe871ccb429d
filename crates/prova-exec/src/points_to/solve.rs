//! The constraints of a program, applied over and over until nothing changes.
//!
//! Each pass goes through all statements in order and evaluates their expressions bottom-up to
//! targets. Pointers get a node at once; integers only when a pointer flows into them, which is
//! what makes a second pass necessary. Unification makes passes few: two or three as a rule.

use super::graph::{Graph, Kinds, Label, NodeId, Offset, Target};
use super::stride::linear;
use prova_ir::{
    BinaryOp, Callee, CastOp, Expr, ExprId, Initial, ObjectId, Origin, ProcId, Program, RegId,
    Statement, Storage, Type, UnaryOp,
};
use rustc_hash::FxHashMap;

/// After this many passes integers get nodes at once too, so that chains of copies cannot make
/// the number of passes grow with the program.
const LAZY_PASSES: u32 = 8;

pub(super) struct Solver<'p> {
    pub(super) program: &'p Program,
    pub(super) graph: Graph,
    pub(super) registers: Vec<Option<Target>>,
    /// Targets of expressions, by the last evaluation.
    pub(super) exprs: Vec<Option<Target>>,
    /// Nodes made for expressions whose operands have none.
    bound: FxHashMap<ExprId, Target>,
    pub(super) objects: Vec<NodeId>,
    functions: Vec<Option<NodeId>>,
    pub(super) blocks: FxHashMap<(ProcId, usize), NodeId>,
    eager: bool,
    /// Pointers that only others read count, too: those that objects hold at first.
    whole: bool,
}

impl<'p> Solver<'p> {
    /// What accesses of the program itself may touch.
    pub(super) fn solve(program: &'p Program) -> Self {
        Solver::run(program, false)
    }

    /// The same, with pointers in objects that the program itself never reads: somebody else may
    /// follow them.
    pub(super) fn solve_whole(program: &'p Program) -> Self {
        Solver::run(program, true)
    }

    fn run(program: &'p Program, whole: bool) -> Self {
        let mut solver = Solver {
            program,
            graph: Graph::default(),
            registers: vec![None; program.registers.len()],
            exprs: vec![None; program.exprs.len()],
            bound: FxHashMap::default(),
            objects: Vec::new(),
            functions: vec![None; program.procedures.len()],
            blocks: FxHashMap::default(),
            eager: false,
            whole,
        };
        solver.declare();
        let work = solver.work();
        let mut passes = 0;
        loop {
            let before = solver.graph.changes;
            solver.pass(&work);
            if solver.graph.changes == before {
                return solver;
            }
            passes += 1;
            solver.eager = passes >= LAZY_PASSES;
        }
    }

    fn declare(&mut self) {
        for i in 0..self.program.objects.len() {
            let id = ObjectId::new(i);
            let node = self.graph.fresh(Label::Object(id));
            let storage = &self.program.object(id).storage;
            self.graph.update(node, |n| {
                n.own = true;
                n.arbitrary |= matches!(storage, Storage::External);
                n.unset |= !matches!(storage, Storage::Static { .. });
            });
            self.objects.push(node);
        }
    }

    /// Every statement with the expressions it evaluates, children first.
    fn work(&self) -> Vec<(ProcId, usize, Vec<ExprId>)> {
        let mut work = Vec::new();
        for (p, procedure) in self.program.procedures.iter().enumerate() {
            let Some(body) = &procedure.body else {
                continue;
            };
            for (e, edge) in body.edges.iter().enumerate() {
                let mut exprs = Vec::new();
                for root in edge.statement.expressions() {
                    exprs.extend(self.program.exprs.subexpressions(root));
                }
                work.push((ProcId::new(p), e, exprs));
            }
        }
        work
    }

    fn pass(&mut self, work: &[(ProcId, usize, Vec<ExprId>)]) {
        self.starts();
        for (procedure, edge, exprs) in work {
            for &e in exprs {
                self.evaluate(e);
            }
            let body = self.program.procedure(*procedure).body.as_ref();
            if let Some(body) = body {
                self.statement(*procedure, *edge, &body.edges[*edge].statement);
            }
        }
        self.spread_unknown();
    }

    /// What holds before the first statement: initial values, arguments of the entry.
    fn starts(&mut self) {
        let program = self.program;
        for (i, register) in program.registers.iter().enumerate() {
            if register.owner.is_some() {
                continue;
            }
            match register.initial {
                Some(value) => {
                    let target = self.constant(value);
                    self.flow(RegId::new(i), target);
                }
                None => self.arbitrary(RegId::new(i)),
            }
        }
        let entered: Vec<ProcId> = match program.entry {
            Some(entry) => vec![entry],
            None => (0..program.procedures.len()).map(ProcId::new).collect(),
        };
        for entry in entered {
            for &parameter in &program.procedure(entry).parameters {
                self.arbitrary(parameter);
            }
        }
        for (object, &node) in program.objects.iter().zip(&self.objects.clone()) {
            let Storage::Static { initial, .. } = &object.storage else {
                continue;
            };
            for (offset, part) in initial {
                let Initial::Value(value) = part else {
                    continue;
                };
                let Some(target) = self.constant(*value) else {
                    continue;
                };
                let size = program.exprs.ty(*value).bytes(program.model);
                let place = Target::start(node).shift(*offset as i64);
                if self.whole {
                    let kinds = Kinds::of(size, true);
                    self.graph
                        .access(place, size, kinds, Some(Type::Ptr), false);
                }
                for field in self.fields_in(place, size) {
                    self.graph.hold(field, target);
                }
            }
        }
    }

    fn constant(&mut self, value: ExprId) -> Option<Target> {
        for e in self.program.exprs.subexpressions(value) {
            self.evaluate(e);
        }
        self.exprs[value.index()]
    }

    /// The fields that overlap `size` bytes from a place.
    fn fields_in(&mut self, place: Target, size: u64) -> Vec<(NodeId, i64)> {
        let place = self.graph.resolve(place);
        let node = self.graph.node(place.node);
        let start = match place.offset {
            Offset::Known(o) if !node.collapsed && node.modulus == 0 => o,
            Offset::Known(o) if !node.collapsed && o as u64 + size <= node.modulus => o,
            _ => return node.fields.keys().map(|&k| (place.node, k)).collect(),
        };
        let end = start.saturating_add_unsigned(size);
        let first = self.graph.field_at(place.node, start).unwrap_or(start);
        let range = node.fields.range(first..end.max(first));
        range.map(|(&k, _)| (place.node, k)).collect()
    }

    /// An arbitrary value in a register: a pointer may go into the unknown zone.
    fn arbitrary(&mut self, register: RegId) {
        if self.program.register(register).ty == Type::Ptr {
            let target = self.pointer_register(register);
            self.graph.update(target.node, |n| n.unknown = true);
        }
    }

    fn pointer_register(&mut self, register: RegId) -> Target {
        match self.registers[register.index()] {
            Some(target) => target,
            None => {
                let node = self.graph.fresh(Label::Register(register));
                *self.registers[register.index()].insert(Target::start(node))
            }
        }
    }

    fn flow(&mut self, register: RegId, value: Option<Target>) {
        let Some(value) = value else { return };
        let value = self.graph.resolve(value);
        match &mut self.registers[register.index()] {
            slot @ None => {
                *slot = Some(value);
                self.graph.changes += 1;
            }
            Some(old) => {
                let old_target = *old;
                if value.offset == Offset::Unknown && old.offset != Offset::Unknown {
                    *old = old.anywhere();
                    self.graph.changes += 1;
                }
                self.graph.unify(old_target, value);
            }
        }
    }

    fn join(&mut self, a: Option<Target>, b: Option<Target>) -> Option<Target> {
        match (a, b) {
            (Some(a), Some(b)) => {
                self.graph.unify(a, b);
                let (a, b) = (self.graph.resolve(a), self.graph.resolve(b));
                Some(if b.offset == Offset::Unknown { b } else { a })
            }
            (a, b) => a.or(b),
        }
    }

    /// The target of an address; one is made where the expression has none.
    pub(super) fn address(&mut self, e: ExprId) -> Target {
        match self.exprs[e.index()] {
            Some(target) => target,
            None => self.bind(e, false),
        }
    }

    fn bind(&mut self, e: ExprId, unknown: bool) -> Target {
        let target = match self.bound.get(&e) {
            Some(&target) => target,
            None => {
                let node = self.graph.fresh(Label::None);
                let target = Target::start(node);
                self.bound.insert(e, target);
                target
            }
        };
        if unknown {
            self.graph.update(target.node, |n| n.unknown = true);
        }
        target
    }

    fn evaluate(&mut self, e: ExprId) {
        let mut target = self.target(e);
        if let Some(&bound) = self.bound.get(&e) {
            target = self.join(Some(bound), target);
        }
        self.exprs[e.index()] = target;
    }

    fn target(&mut self, e: ExprId) -> Option<Target> {
        let pool = &self.program.exprs;
        match pool.get(e) {
            Expr::Int { .. } | Expr::Float { .. } | Expr::Pointer(0) => None,
            Expr::Pointer(_) => Some(self.bind(e, true)),
            Expr::Reg(r) => match pool.ty(e) {
                Type::BOOL => None,
                Type::Ptr => Some(self.pointer_register(r)),
                _ if self.eager => Some(self.pointer_register(r)),
                _ => self.registers[r.index()],
            },
            Expr::Address(o) => Some(Target::start(self.objects[o.index()])),
            Expr::Function(p) => {
                let node = match self.functions[p.index()] {
                    Some(node) => node,
                    None => {
                        let node = self.graph.fresh(Label::Function(p));
                        self.graph.update(node, |n| n.functions.push(p));
                        *self.functions[p.index()].insert(node)
                    }
                };
                Some(Target::start(node))
            }
            Expr::Load { address, ty } => self.load(address, ty),
            Expr::Unary {
                op: UnaryOp::Not,
                arg,
            } if !pool.ty(e).is_bool() => self.exprs[arg.index()].map(Target::anywhere),
            Expr::Unary { .. } => None,
            Expr::Binary { op, left, right } => self.binary(e, op, left, right),
            Expr::Cast { op, arg, .. } => match op {
                CastOp::IntToPtr => match self.exprs[arg.index()] {
                    None if matches!(pool.get(arg), Expr::Int { value: 0, .. }) => None,
                    None => Some(self.bind(e, true)),
                    found => found,
                },
                CastOp::ZExt | CastOp::SExt | CastOp::Trunc | CastOp::PtrToInt => {
                    self.exprs[arg.index()]
                }
                CastOp::SToF | CastOp::UToF | CastOp::FToS | CastOp::FToU | CastOp::FToF => None,
            },
            Expr::Ite {
                then, otherwise, ..
            } => self.join(self.exprs[then.index()], self.exprs[otherwise.index()]),
        }
    }

    fn load(&mut self, address: ExprId, ty: Type) -> Option<Target> {
        let field = self.touch(address, ty);
        match self.graph.content(field) {
            None if ty == Type::Ptr || self.eager => {
                let target = Target::start(self.graph.fresh(Label::None));
                self.graph.hold(field, target);
                Some(target)
            }
            found => found,
        }
    }

    /// Notes an access of a scalar.
    fn touch(&mut self, address: ExprId, ty: Type) -> (NodeId, i64) {
        let target = self.address(address);
        let size = ty.bytes(self.program.model);
        let kinds = Kinds::of(size, ty == Type::Ptr);
        self.graph.access(target, size, kinds, Some(ty), false)
    }

    fn binary(&mut self, e: ExprId, op: BinaryOp, left: ExprId, right: ExprId) -> Option<Target> {
        use BinaryOp::*;
        let pool = &self.program.exprs;
        let (l, r) = (self.exprs[left.index()], self.exprs[right.index()]);
        match op {
            PtrAdd => {
                let (constant, stride) = linear(pool, right);
                // Null plus something, unless `left` turns out to carry a target later.
                let base = match l {
                    Some(base) => base,
                    None if stride == 0 => return None,
                    None => return Some(self.bind(e, true)),
                };
                if stride != 0 {
                    self.graph.fold(base.node, stride);
                }
                Some(base.shift(constant))
            }
            Add | Sub if r.is_none() => {
                let (constant, stride) = linear(pool, right);
                let by = if op == Add {
                    constant
                } else {
                    constant.wrapping_neg()
                };
                l.map(|t| {
                    if stride == 0 {
                        t.shift(by)
                    } else {
                        t.anywhere()
                    }
                })
            }
            // A difference of addresses is a distance.
            Sub => None,
            Add if l.is_none() => {
                let (constant, stride) = linear(pool, left);
                r.map(|t| {
                    if stride == 0 {
                        t.shift(constant)
                    } else {
                        t.anywhere()
                    }
                })
            }
            Add | And | Or | Xor if !pool.ty(e).is_bool() => {
                let (l, r) = (l.map(Target::anywhere), r.map(Target::anywhere));
                self.join(l, r)
            }
            Shl | LShr | AShr => l.map(Target::anywhere),
            _ => None,
        }
    }

    fn statement(&mut self, procedure: ProcId, edge: usize, statement: &Statement) {
        match statement {
            Statement::Assign { target, value } => {
                self.flow(*target, self.exprs[value.index()]);
            }
            Statement::Store { address, value } => {
                let field = self.touch(*address, self.program.exprs.ty(*value));
                if let Some(target) = self.exprs[value.index()] {
                    self.graph.hold(field, target);
                }
            }
            Statement::Copy {
                target,
                source,
                size,
            } => {
                let (target, source) = (self.address(*target), self.address(*source));
                self.copy(target, source, *size);
            }
            Statement::Call {
                result,
                callee,
                arguments,
            } => match callee {
                Callee::Direct(callee) => self.call(*callee, arguments, *result),
                Callee::Indirect(pointer) => {
                    for callee in self.callees(*pointer) {
                        self.call(callee, arguments, *result);
                    }
                }
            },
            Statement::Nondet { target, origin } => {
                if *origin != Origin::Uninitialised {
                    self.arbitrary(*target);
                }
            }
            Statement::Havoc {
                address,
                size,
                origin,
            } => {
                let place = self.address(*address);
                self.align_ends(place, *size);
                if *origin != Origin::Uninitialised {
                    for field in self.fields_in(place, *size) {
                        if let Some(content) = self.graph.content(field) {
                            self.graph.update(content.node, |n| n.unknown = true);
                        }
                    }
                }
            }
            Statement::Allocate { target, .. } => {
                let number = self.blocks.len() as u32;
                let node = match self.blocks.get(&(procedure, edge)) {
                    Some(&node) => node,
                    None => {
                        let node = self.graph.fresh(Label::Block(number));
                        self.blocks.insert((procedure, edge), node);
                        node
                    }
                };
                self.graph.update(node, |n| {
                    n.own = true;
                    n.unset = true;
                });
                self.flow(*target, Some(Target::start(node)));
            }
            Statement::Skip
            | Statement::Assume(_)
            | Statement::Free(_)
            | Statement::Enter(_)
            | Statement::Leave(_)
            | Statement::Marker(_)
            | Statement::Halt(_) => {}
        }
    }

    fn call(&mut self, callee: ProcId, arguments: &[ExprId], result: Option<RegId>) {
        let procedure = self.program.procedure(callee);
        for (&parameter, &argument) in procedure.parameters.iter().zip(arguments) {
            self.flow(parameter, self.exprs[argument.index()]);
        }
        let Some(result) = result else { return };
        match (&procedure.body, procedure.result) {
            (Some(_), Some(from)) => {
                let value = match self.program.register(from).ty {
                    Type::Ptr => Some(self.pointer_register(from)),
                    _ => self.registers[from.index()],
                };
                self.flow(result, value);
            }
            _ => self.arbitrary(result),
        }
    }

    /// The functions a pointer may point to.
    pub(super) fn callees(&mut self, pointer: ExprId) -> Vec<ProcId> {
        let target = self.address(pointer);
        let root = self.graph.root(target.node);
        let mut found = self.graph.node(root).functions.clone();
        if self.graph.node(root).unknown {
            // Read from memory that an arbitrary pointer reaches: any that was stored there.
            for node in self.functions.clone().into_iter().flatten() {
                let node = self.graph.root(node);
                if self.graph.node(node).unknown {
                    found.extend_from_slice(&self.graph.node(node).functions);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// A cell that a range cuts in two is made of bytes.
    fn align_ends(&mut self, place: Target, size: u64) {
        let resolved = self.graph.resolve(place);
        let Offset::Known(start) = resolved.offset else {
            self.graph.collapse(place.node);
            return;
        };
        let node = self.graph.node(resolved.node);
        if node.collapsed || size == 0 {
            return;
        }
        if node.modulus > 0 {
            let whole = start == 0 && size.is_multiple_of(node.modulus);
            let inside = start as u64 + size <= node.modulus;
            if !whole && !inside {
                // Starts or ends within an element: cut at both ends, modulo the stride.
                let end = (start as u64 + size) % node.modulus;
                self.cut(resolved.node, start);
                self.cut(resolved.node, end as i64);
                return;
            }
        }
        self.cut(resolved.node, start);
        self.cut(resolved.node, start.saturating_add_unsigned(size));
    }

    /// No cell of this representative may extend over the boundary before `offset`.
    fn cut(&mut self, root: NodeId, offset: i64) {
        let root = self.graph.root(root);
        let Some(before) = offset.checked_sub(1) else {
            return;
        };
        let Some(key) = self.graph.field_at(root, before) else {
            return;
        };
        let field = &self.graph.node(root).fields[&key];
        if key.saturating_add_unsigned(field.size) > offset && !field.bytes {
            let (size, kinds, ty) = (field.size, field.kinds, field.ty);
            let place = Target {
                node: root,
                offset: Offset::Known(key),
            };
            self.graph.access(place, size, kinds, ty, true);
        }
    }

    /// Both ranges get the same cells, and what those hold is unified.
    fn copy(&mut self, target: Target, source: Target, size: u64) {
        self.align_ends(target, size);
        self.align_ends(source, size);
        let (t, s) = (self.graph.resolve(target), self.graph.resolve(source));
        let (Offset::Known(to), Offset::Known(from)) = (t.offset, s.offset) else {
            self.graph.unify(target, source);
            return;
        };
        let fits = |graph: &Graph, at: Target, start: i64| {
            let node = graph.node(at.node);
            !node.collapsed
                && (node.modulus == 0 || start as u64 + size <= node.modulus)
                && start.checked_add_unsigned(size).is_some()
        };
        if !fits(&self.graph, t, to) || !fits(&self.graph, s, from) {
            self.graph.unify(target, source);
            return;
        }
        self.mirror(source, target, size);
        self.mirror(target, source, size);
    }

    /// Gives `target` the cells that `source` has.
    fn mirror(&mut self, source: Target, target: Target, size: u64) {
        let s = self.graph.resolve(source);
        let Offset::Known(from) = s.offset else {
            return;
        };
        let end = from.saturating_add_unsigned(size);
        for field in self.fields_in(source, size) {
            let Some(f) = self.graph.node(field.0).fields.get(&field.1) else {
                continue; // unified away meanwhile; the next pass sees it
            };
            let low = field.1.max(from);
            let high = field.1.saturating_add_unsigned(f.size).min(end);
            if low >= high {
                continue;
            }
            let (kinds, ty, bytes, content) = (f.kinds, f.ty, f.bytes, f.content);
            let place = target.shift(low - from);
            let copy = self
                .graph
                .access(place, low.abs_diff(high), kinds, ty, bytes);
            if let Some(content) = content {
                self.graph.hold(copy, content);
            }
        }
    }

    /// Whatever pointers held in unknown memory point to can be reached from there.
    fn spread_unknown(&mut self) {
        let mut work: Vec<NodeId> = (0..self.graph.len() as u32)
            .map(NodeId)
            .filter(|&n| {
                self.graph.is_root(n) && {
                    let node = self.graph.node(n);
                    node.unknown || node.arbitrary
                }
            })
            .collect();
        while let Some(node) = work.pop() {
            let contents: Vec<Target> = self
                .graph
                .node(node)
                .fields
                .values()
                .filter_map(|f| f.content)
                .collect();
            for content in contents {
                let root = self.graph.root(content.node);
                if !self.graph.node(root).unknown {
                    self.graph.update(root, |n| n.unknown = true);
                    work.push(root);
                }
            }
        }
    }
}
