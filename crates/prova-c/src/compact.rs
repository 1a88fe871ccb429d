//! Leaves out what the program does not need: expressions, registers, objects, functions and C
//! types that were made on the way and that nothing refers to.

use prova_ir::*;
use rustc_hash::FxHashMap;

/// Rebuilds the program with only what can be reached from its functions and globals.
pub(crate) fn compact(old: Program, keep_procedure: &dyn Fn(ProcId) -> bool) -> Program {
    let mut marks = Marks::new(&old);
    for (index, procedure) in old.procedures.iter().enumerate() {
        if procedure.body.is_some() && keep_procedure(ProcId::new(index)) {
            marks.procedure(ProcId::new(index));
        }
    }
    for (index, register) in old.registers.iter().enumerate() {
        if register.role == Role::Global && !register.c_name.is_empty() {
            marks.register(RegId::new(index));
        }
    }
    for (index, object) in old.objects.iter().enumerate() {
        if !object.c_name.is_empty() && matches!(object.storage, Storage::Static { .. }) {
            marks.object(ObjectId::new(index));
        }
    }
    marks.run();
    rebuild(&old, &marks)
}

struct Marks<'a> {
    old: &'a Program,
    exprs: Vec<bool>,
    registers: Vec<bool>,
    objects: Vec<bool>,
    procedures: Vec<bool>,
    todo: Vec<ProcId>,
}

impl<'a> Marks<'a> {
    fn new(old: &'a Program) -> Self {
        Marks {
            old,
            exprs: vec![false; old.exprs.len()],
            registers: vec![false; old.registers.len()],
            objects: vec![false; old.objects.len()],
            procedures: vec![false; old.procedures.len()],
            todo: Vec::new(),
        }
    }

    fn procedure(&mut self, id: ProcId) {
        if !std::mem::replace(&mut self.procedures[id.index()], true) {
            self.todo.push(id);
        }
    }

    fn register(&mut self, id: RegId) {
        if !std::mem::replace(&mut self.registers[id.index()], true) {
            if let Some(initial) = self.old.register(id).initial {
                self.expr(initial);
            }
        }
    }

    fn object(&mut self, id: ObjectId) {
        if std::mem::replace(&mut self.objects[id.index()], true) {
            return;
        }
        if let Storage::Static { initial, .. } = &self.old.object(id).storage {
            for (_, part) in initial {
                if let Initial::Value(value) = part {
                    self.expr(*value);
                }
            }
        }
    }

    fn expr(&mut self, id: ExprId) {
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            if std::mem::replace(&mut self.exprs[id.index()], true) {
                continue;
            }
            match self.old.exprs.get(id) {
                Expr::Reg(reg) => self.register(reg),
                Expr::Address(object) => self.object(object),
                Expr::Function(proc) => self.procedure(proc),
                _ => work.extend(self.old.exprs.children(id)),
            }
        }
    }

    fn run(&mut self) {
        while let Some(id) = self.todo.pop() {
            let procedure = self.old.procedure(id);
            for &reg in procedure.parameters.iter().chain(&procedure.result) {
                self.register(reg);
            }
            let Some(body) = &procedure.body else {
                continue;
            };
            for edge in &body.edges {
                for e in edge.statement.expressions() {
                    self.expr(e);
                }
                if let Some(reg) = edge.statement.written_register() {
                    self.register(reg);
                }
                match edge.statement {
                    Statement::Call {
                        callee: Callee::Direct(proc),
                        ..
                    } => self.procedure(proc),
                    Statement::Enter(object) | Statement::Leave(object) => self.object(object),
                    _ => {}
                }
            }
        }
    }
}

fn numbering(marks: &[bool]) -> Vec<u32> {
    let mut next = 0;
    marks
        .iter()
        .map(|&used| {
            let id = next;
            next += u32::from(used);
            id
        })
        .collect()
}

struct Maps {
    exprs: Vec<ExprId>,
    registers: Vec<u32>,
    objects: Vec<u32>,
    procedures: Vec<u32>,
}

fn rebuild(old: &Program, marks: &Marks<'_>) -> Program {
    let mut new = Program::new(old.model);
    new.internal.clone_from(&old.internal);
    new.decisions.clone_from(&old.decisions);
    let mut maps = Maps {
        exprs: vec![ExprId(u32::MAX); old.exprs.len()],
        registers: numbering(&marks.registers),
        objects: numbering(&marks.objects),
        procedures: numbering(&marks.procedures),
    };
    let mut ctypes = CTypeMap::default();
    for id in old.exprs.ids() {
        if !marks.exprs[id.index()] {
            continue;
        }
        let e = |id: ExprId| maps.exprs[id.index()];
        let expr = match old.exprs.get(id) {
            Expr::Reg(reg) => {
                let fresh = RegId(maps.registers[reg.index()]);
                maps.exprs[id.index()] = new.exprs.reg(fresh, old.register(reg).ty);
                continue;
            }
            Expr::Address(object) => Expr::Address(ObjectId(maps.objects[object.index()])),
            Expr::Function(proc) => Expr::Function(ProcId(maps.procedures[proc.index()])),
            Expr::Load { address, ty } => Expr::Load {
                address: e(address),
                ty,
            },
            Expr::Unary { op, arg } => Expr::Unary { op, arg: e(arg) },
            Expr::Binary { op, left, right } => Expr::Binary {
                op,
                left: e(left),
                right: e(right),
            },
            Expr::Cast { op, arg, to } => Expr::Cast {
                op,
                arg: e(arg),
                to,
            },
            Expr::Ite {
                cond,
                then,
                otherwise,
            } => Expr::Ite {
                cond: e(cond),
                then: e(then),
                otherwise: e(otherwise),
            },
            leaf => leaf,
        };
        maps.exprs[id.index()] = new.exprs.add(expr);
    }
    for (index, register) in old.registers.iter().enumerate() {
        if marks.registers[index] {
            let mut register = register.clone();
            register.owner = register.owner.map(|p| ProcId(maps.procedures[p.index()]));
            register.initial = register.initial.map(|e| maps.exprs[e.index()]);
            register.ctype = register.ctype.map(|c| ctypes.map(old, &mut new, c));
            new.registers.push(register);
        }
    }
    for (index, object) in old.objects.iter().enumerate() {
        if marks.objects[index] {
            let mut object = object.clone();
            object.ctype = object.ctype.map(|c| ctypes.map(old, &mut new, c));
            match &mut object.storage {
                Storage::Static { initial, .. } => {
                    for (_, part) in initial {
                        if let Initial::Value(value) = part {
                            *value = maps.exprs[value.index()];
                        }
                    }
                }
                Storage::Frame(proc) => *proc = ProcId(maps.procedures[proc.index()]),
                Storage::External => {}
            }
            new.objects.push(object);
        }
    }
    let mut markers: FxHashMap<MarkerId, MarkerId> = FxHashMap::default();
    for (index, procedure) in old.procedures.iter().enumerate() {
        if !marks.procedures[index] {
            continue;
        }
        let mut procedure = procedure.clone();
        let register = |r: RegId| RegId(maps.registers[r.index()]);
        procedure.parameters = procedure.parameters.into_iter().map(register).collect();
        procedure.result = procedure.result.map(register);
        procedure.ctype = procedure.ctype.map(|c| ctypes.map(old, &mut new, c));
        if let Some(body) = &mut procedure.body {
            for edge in &mut body.edges {
                remap(&mut edge.statement, &maps, &mut |m| {
                    *markers.entry(m).or_insert_with(|| {
                        new.markers.push(old.markers[m.index()].clone());
                        MarkerId::new(new.markers.len() - 1)
                    })
                });
            }
        }
        new.procedures.push(procedure);
    }
    compact_files(old, &mut new);
    new.entry = old
        .entry
        .filter(|p| marks.procedures[p.index()])
        .map(|p| ProcId(maps.procedures[p.index()]));
    new
}

/// Keeps only the files that a position names.
fn compact_files(old: &Program, new: &mut Program) {
    let mut used = vec![false; old.files.len()];
    every_span(new, &mut |span| used[span.file.index()] = true);
    if !used.contains(&true) {
        used.iter_mut().take(1).for_each(|u| *u = true);
    }
    let numbers = numbering(&used);
    every_span(new, &mut |span| {
        span.file = FileId(numbers[span.file.index()])
    });
    let kept = old.files.iter().zip(&used).filter(|(_, used)| **used);
    new.files = kept.map(|(file, _)| file.clone()).collect();
}

/// Visits every known position; unknown ones name the first file.
fn every_span(new: &mut Program, visit: &mut dyn FnMut(&mut Span)) {
    let mut visit = |span: &mut Span| {
        if span.is_known() {
            visit(span);
        } else {
            span.file = FileId(0);
        }
    };
    for procedure in &mut new.procedures {
        visit(&mut procedure.span);
        if let Some(body) = &mut procedure.body {
            body.locations.iter_mut().for_each(|l| visit(&mut l.span));
            body.edges.iter_mut().for_each(|e| visit(&mut e.span));
        }
    }
    new.registers.iter_mut().for_each(|r| visit(&mut r.span));
    new.objects.iter_mut().for_each(|o| visit(&mut o.span));
    new.markers.iter_mut().for_each(|m| visit(&mut m.span));
}

fn remap(statement: &mut Statement, maps: &Maps, marker: &mut dyn FnMut(MarkerId) -> MarkerId) {
    let expr = |e: &mut ExprId| *e = maps.exprs[e.index()];
    let register = |r: &mut RegId| *r = RegId(maps.registers[r.index()]);
    let object = |o: &mut ObjectId| *o = ObjectId(maps.objects[o.index()]);
    let mut source = |o: &mut Origin| {
        if let Origin::Unmodelled(m) = o {
            *m = marker(*m);
        }
    };
    match statement {
        Statement::Skip | Statement::Halt(Halt::Abort | Halt::Trap) => {}
        Statement::Assign { target, value } => {
            register(target);
            expr(value);
        }
        Statement::Store { address, value } => {
            expr(address);
            expr(value);
        }
        Statement::Copy { target, source, .. } => {
            expr(target);
            expr(source);
        }
        Statement::Assume(e) | Statement::Free(e) | Statement::Halt(Halt::Exit(e)) => expr(e),
        Statement::Call {
            result,
            callee,
            arguments,
        } => {
            if let Some(r) = result {
                register(r);
            }
            match callee {
                Callee::Direct(p) => *p = ProcId(maps.procedures[p.index()]),
                Callee::Indirect(e) => expr(e),
            }
            arguments.iter_mut().for_each(expr);
        }
        Statement::Nondet { target, origin } => {
            register(target);
            source(origin);
        }
        Statement::Havoc {
            address, origin, ..
        } => {
            expr(address);
            source(origin);
        }
        Statement::Allocate { target, size, .. } => {
            register(target);
            expr(size);
        }
        Statement::Enter(o) | Statement::Leave(o) => object(o),
        Statement::Marker(m) => *m = marker(*m),
    }
}

/// C types, moved on demand.
#[derive(Default)]
struct CTypeMap {
    known: FxHashMap<CTypeId, CTypeId>,
}

impl CTypeMap {
    fn map(&mut self, old: &Program, new: &mut Program, id: CTypeId) -> CTypeId {
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let fresh = new.ctypes.push(CType::Void);
        self.known.insert(id, fresh);
        let made = match old.ctypes.get(id).clone() {
            CType::Pointer(to) => CType::Pointer(self.map(old, new, to)),
            CType::Array { element, length } => CType::Array {
                element: self.map(old, new, element),
                length,
            },
            CType::Record {
                name,
                union,
                size,
                mut fields,
            } => {
                for field in &mut fields {
                    field.ctype = self.map(old, new, field.ctype);
                }
                CType::Record {
                    name,
                    union,
                    size,
                    fields,
                }
            }
            CType::Function {
                result,
                parameters,
                variadic,
            } => CType::Function {
                result: self.map(old, new, result),
                parameters: parameters
                    .into_iter()
                    .map(|p| self.map(old, new, p))
                    .collect(),
                variadic,
            },
            other => other,
        };
        new.ctypes.set(fresh, made);
        fresh
    }
}
