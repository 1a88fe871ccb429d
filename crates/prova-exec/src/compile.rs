//! From graphs to flat code.

use crate::code::*;
use prova_ir::{
    BinaryOp, Body, Callee, CastOp, EdgeId, Expr, ExprId, Halt, LocId, ObjectId, ProcId, Program,
    RegId, Statement, Storage, Type, UnaryOp,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Code {
    /// Compiles a program.
    pub fn new(program: Arc<Program>) -> Result<Arc<Code>, CompileError> {
        let entry = program.entry.ok_or(CompileError::NoEntry)?;
        let procedure = program
            .procedures
            .get(entry.index())
            .ok_or(CompileError::NoEntry)?;
        if procedure.body.is_none() {
            return Err(CompileError::EntryUndefined(procedure.c_name.clone()));
        }
        let mut compiler = Compiler::new(&program, entry)?;
        for i in 0..program.procedures.len() {
            compiler.procedure(ProcId::new(i))?;
        }
        let Compiler {
            mut code,
            constants,
            ..
        } = compiler;
        code.constants = constants.0;
        // Constants lie behind everything else that is fixed.
        code.fixed = code.constants_from + code.constants.len() as u32;
        Ok(Arc::new(Code { program, ..code }))
    }
}

struct Compiler<'p> {
    program: &'p Program,
    code: Code,
    constants: (Vec<u64>, FxHashMap<u64, Slot>),
    /// Frame objects of the procedure at hand.
    frame_objects: FxHashMap<ObjectId, Slot>,
    current: ProcId,
    first_temporary: Slot,
    next_temporary: Slot,
    most_temporaries: Slot,
    /// Expressions already computed by the statement at hand.
    done: FxHashMap<ExprId, Slot>,
}

/// A location whose code is wanted, and the branch that leads there: its number, whether this is
/// the way where the condition holds, and the edge.
type Wanted = (LocId, Option<(usize, bool, EdgeId)>);

/// Width and shape of a type.
fn form(program: &Program, ty: Type) -> Result<(u8, Shape), CompileError> {
    let bits = ty.bits(program.model);
    let shape = match ty {
        Type::Int(_) => Shape::Bits,
        Type::Float(_) => Shape::Float,
        Type::Ptr => Shape::Pointer,
    };
    match u8::try_from(bits) {
        Ok(width) if (1..=128).contains(&width) => Ok((width, shape)),
        _ => Err(CompileError::TooWide(bits)),
    }
}

/// Slots a value of this width takes.
fn slots(width: u8) -> u32 {
    if width > 64 {
        2
    } else {
        1
    }
}

fn malformed<T>(what: impl Into<String>) -> Result<T, CompileError> {
    Err(CompileError::Malformed(what.into()))
}

impl<'p> Compiler<'p> {
    fn new(program: &'p Arc<Program>, entry: ProcId) -> Result<Self, CompileError> {
        let mut procs: Vec<ProcCode> = program
            .procedures
            .iter()
            .map(|_| ProcCode::default())
            .collect();
        let mut registers = Vec::with_capacity(program.registers.len());
        let mut globals = Vec::new();
        let mut fixed = (program.objects.len() + program.procedures.len()) as u32;
        for (i, register) in program.registers.iter().enumerate() {
            let (width, shape) = form(program, register.ty)?;
            let reg = RegId::new(i);
            let written = match register.owner {
                None => {
                    let slot = fixed | FIXED;
                    fixed += slots(width);
                    globals.push(Written {
                        reg,
                        slot,
                        width,
                        shape,
                    });
                    globals[globals.len() - 1]
                }
                Some(owner) => {
                    let Some(proc) = procs.get_mut(owner.index()) else {
                        return malformed(format!("owner of register `{}`", register.name));
                    };
                    let slot = proc.frame;
                    proc.frame += slots(width);
                    proc.registers = proc.frame;
                    proc.regs.push(reg);
                    Written {
                        reg,
                        slot,
                        width,
                        shape,
                    }
                }
            };
            registers.push(written);
        }
        for (i, object) in program.objects.iter().enumerate() {
            if let Storage::Frame(owner) = object.storage {
                let Some(proc) = procs.get_mut(owner.index()) else {
                    return malformed(format!("owner of object `{}`", object.name));
                };
                proc.objects.push((ObjectId::new(i), proc.frame));
                proc.frame += 1;
            }
        }
        let code = Code {
            program: Arc::clone(program),
            instrs: Vec::new(),
            wide: Vec::new(),
            slow: Vec::new(),
            branches: Vec::new(),
            procs,
            places: Vec::new(),
            constants: Vec::new(),
            constants_from: fixed,
            globals,
            fixed,
            registers,
            entry,
        };
        Ok(Self {
            program,
            code,
            constants: (Vec::new(), FxHashMap::default()),
            frame_objects: FxHashMap::default(),
            current: entry,
            first_temporary: 0,
            next_temporary: 0,
            most_temporaries: 0,
            done: FxHashMap::default(),
        })
    }

    fn emit(&mut self, instr: Instr) {
        self.code.instrs.push(instr);
    }

    fn here(&self) -> u32 {
        self.code.instrs.len() as u32
    }

    fn procedure(&mut self, id: ProcId) -> Result<(), CompileError> {
        let procedure = self.program.procedure(id);
        self.current = id;
        let parameters: Vec<Written> = procedure
            .parameters
            .iter()
            .map(|r| self.code.registers[r.index()])
            .collect();
        let result = procedure.result.map(|r| self.code.registers[r.index()]);
        let proc = &mut self.code.procs[id.index()];
        proc.parameters = parameters;
        proc.result = result;
        self.frame_objects = proc.objects.iter().copied().collect();
        self.first_temporary = proc.frame;
        self.next_temporary = proc.frame;
        self.most_temporaries = proc.frame;
        let Some(body) = &procedure.body else {
            return Ok(());
        };
        self.code.procs[id.index()].defined = true;
        self.body(id, body)?;
        self.code.procs[id.index()].frame = self.most_temporaries;
        Ok(())
    }

    fn body(&mut self, id: ProcId, body: &'p Body) -> Result<(), CompileError> {
        let outgoing = body.outgoing();
        let mut at: Vec<Option<(u32, u32)>> = vec![None; body.locations.len()];
        let mut jumps: Vec<(usize, LocId)> = Vec::new();
        // Locations whose code is wanted, with the branch edge that leads there: its position
        // comes right before those of the code behind it.
        let mut pending: Vec<Wanted> = vec![(body.entry, None)];
        while let Some((start, reached_by)) = pending.pop() {
            let known = at[start.index()];
            if let Some((table, yes, edge)) = reached_by {
                let position = self.code.places.len() as u32;
                self.place(id, edge, body);
                let (pc, next) = known.unwrap_or((self.here(), NO_POSITION));
                let target = Target { pc, position, next };
                let branch = &mut self.code.branches[table];
                *(if yes { &mut branch.yes } else { &mut branch.no }) = target;
            }
            if known.is_none() {
                self.chain(
                    id,
                    body,
                    &outgoing,
                    start,
                    &mut at,
                    &mut jumps,
                    &mut pending,
                )?;
            }
        }
        for (index, loc) in jumps {
            if let Some((pc, position)) = at[loc.index()] {
                self.code.instrs[index] = Instr::Jump { pc, position };
            }
        }
        let (pc, position) = at[body.entry.index()].unwrap_or_default();
        let proc = &mut self.code.procs[id.index()];
        proc.entry = pc;
        proc.entry_position = position;
        Ok(())
    }

    /// Emits code from a location on until it ends, branches or meets code already there.
    #[allow(clippy::too_many_arguments)]
    fn chain(
        &mut self,
        id: ProcId,
        body: &'p Body,
        outgoing: &[Vec<EdgeId>],
        mut here: LocId,
        at: &mut [Option<(u32, u32)>],
        jumps: &mut Vec<(usize, LocId)>,
        pending: &mut Vec<Wanted>,
    ) -> Result<(), CompileError> {
        loop {
            if at[here.index()].is_some() {
                jumps.push((self.code.instrs.len(), here));
                self.emit(Instr::Jump {
                    pc: 0,
                    position: NO_POSITION,
                });
                return Ok(());
            }
            let edges = &outgoing[here.index()];
            let position = self.code.places.len() as u32;
            let is_return = edges.is_empty() && here == body.exit && !body.is_error(here);
            let own = if edges.len() == 1 || is_return {
                position
            } else {
                NO_POSITION
            };
            at[here.index()] = Some((self.here(), own));
            match edges[..] {
                _ if body.is_error(here) => {
                    self.emit(Instr::Error { at: here });
                    return Ok(());
                }
                [] if is_return => {
                    self.code.procs[id.index()].return_position = position;
                    let place = Place {
                        proc: id,
                        edge: None,
                        source: here,
                        target: here,
                    };
                    self.code.places.push(place);
                    self.emit(Instr::Return);
                    return Ok(());
                }
                [] => {
                    self.emit(Instr::Stuck { at: here });
                    return Ok(());
                }
                [only] => {
                    let edge = body.edge(only);
                    self.place(id, only, body);
                    self.statement(id, only, &edge.statement)?;
                    here = edge.target;
                }
                [first, second] => {
                    let table = self.code.branches.len();
                    let (yes, no) = self.branch(body, first, second)?;
                    pending.push((body.edge(no).target, Some((table, false, no))));
                    pending.push((body.edge(yes).target, Some((table, true, yes))));
                    return Ok(());
                }
                _ => {
                    return malformed(format!(
                        "{} edges leave one location of `{}`",
                        edges.len(),
                        self.program.procedure(id).name
                    ))
                }
            }
        }
    }

    fn place(&mut self, id: ProcId, edge: EdgeId, body: &Body) {
        let e = body.edge(edge);
        self.code.places.push(Place {
            proc: id,
            edge: Some(edge),
            source: e.source,
            target: e.target,
        });
    }

    /// Emits a branch; gives the edges taken where its condition holds and where not.
    fn branch(
        &mut self,
        body: &'p Body,
        first: EdgeId,
        second: EdgeId,
    ) -> Result<(EdgeId, EdgeId), CompileError> {
        let (Statement::Assume(a), Statement::Assume(b)) =
            (&body.edge(first).statement, &body.edge(second).statement)
        else {
            return malformed("two edges leave a location and are not both assumptions");
        };
        let pool = &self.program.exprs;
        let negates = |x: ExprId, y: ExprId| match (pool.get(x), pool.get(y)) {
            (
                Expr::Unary {
                    op: UnaryOp::Not,
                    arg,
                },
                _,
            ) if arg == y => true,
            (Expr::Int { value: v, width: 1 }, Expr::Int { value: w, width: 1 }) => v != w,
            _ => false,
        };
        // (condition, edge where it holds, edge where it does not)
        let (condition, yes, no) = if negates(*b, *a) {
            (*a, first, second)
        } else if negates(*a, *b) {
            (*b, second, first)
        } else {
            return malformed("the two conditions of a branch are not negations of each other");
        };
        let table = self.code.branches.len();
        self.begin();
        match pool.get(condition) {
            Expr::Binary { op, left, right } if op.is_comparison() => {
                let (w, _) = form(self.program, pool.ty(left))?;
                if w <= 64 {
                    let slots = self.values(&[left, right])?;
                    self.emit(Instr::CompareBranch {
                        op,
                        w,
                        a: slots[0],
                        b: slots[1],
                        table: table as u32,
                    });
                } else {
                    let c = self.values(&[condition])?[0];
                    self.emit(Instr::Branch {
                        c,
                        table: table as u32,
                    });
                }
            }
            _ => {
                let c = self.values(&[condition])?[0];
                self.emit(Instr::Branch {
                    c,
                    table: table as u32,
                });
            }
        }
        self.code.branches.push(BranchTarget::default());
        Ok((yes, no))
    }

    fn begin(&mut self) {
        self.done.clear();
        self.next_temporary = self.first_temporary;
    }

    fn temporary(&mut self, width: u8) -> Slot {
        let slot = self.next_temporary;
        self.next_temporary += slots(width);
        self.most_temporaries = self.most_temporaries.max(self.next_temporary);
        slot
    }

    fn constant(&mut self, value: u128, width: u8) -> Slot {
        if width > 64 {
            // Two slots side by side.
            let slot = self.code.constants_from + self.constants.0.len() as u32;
            self.constants.0.push(value as u64);
            self.constants.0.push((value >> 64) as u64);
            return slot | FIXED;
        }
        let value = value as u64;
        let from = self.code.constants_from;
        let (list, index) = &mut self.constants;
        *index.entry(value).or_insert_with(|| {
            list.push(value);
            (from + list.len() as u32 - 1) | FIXED
        })
    }

    /// Slots with the values of these expressions.
    fn values(&mut self, roots: &[ExprId]) -> Result<Vec<Slot>, CompileError> {
        for &root in roots {
            for id in self.program.exprs.subexpressions(root) {
                self.value(id, None)?;
            }
        }
        Ok(roots.iter().map(|r| self.done[r]).collect())
    }

    /// Computes an expression into a slot of our choice. True if that needed no instruction of
    /// its own: the value then lies in the slot returned.
    fn value_into(&mut self, root: ExprId, d: Slot) -> Result<Slot, CompileError> {
        for id in self.program.exprs.subexpressions(root) {
            self.value(id, (id == root).then_some(d))?;
        }
        Ok(self.done[&root])
    }

    /// Emits code for one expression whose operands are there.
    fn value(&mut self, id: ExprId, into: Option<Slot>) -> Result<(), CompileError> {
        if self.done.contains_key(&id) {
            return Ok(());
        }
        let pool = &self.program.exprs;
        let (width, shape) = form(self.program, pool.ty(id))?;
        let simple = match pool.get(id) {
            Expr::Int { value, .. } | Expr::Float { bits: value, .. } => {
                Some(self.constant(value, width))
            }
            Expr::Pointer(value) => Some(self.constant(u128::from(value), width)),
            Expr::Reg(reg) => {
                let Some(written) = self.code.registers.get(reg.index()) else {
                    return malformed("a register that does not exist");
                };
                let owner = self.program.register(reg).owner;
                if owner.is_some_and(|o| o != self.current) {
                    return malformed(format!(
                        "`{}` used outside its procedure",
                        self.program.register(reg).name
                    ));
                }
                Some(written.slot)
            }
            Expr::Address(object) => Some(match self.program.object(object).storage {
                Storage::Frame(owner) if owner != self.current => {
                    return malformed(format!(
                        "`{}` used outside its procedure",
                        self.program.object(object).name
                    ))
                }
                Storage::Frame(_) => self.frame_objects[&object],
                _ => object.0 | FIXED,
            }),
            Expr::Function(proc) => Some((self.program.objects.len() as u32 + proc.0) | FIXED),
            _ => None,
        };
        if let Some(slot) = simple {
            self.done.insert(id, slot);
            return Ok(());
        }
        let d = into.unwrap_or_else(|| self.temporary(width));
        match pool.get(id) {
            Expr::Load { address, .. } => {
                let n = pool.ty(id).bytes(self.program.model) as u8;
                let (a, site) = (self.done[&address], address);
                if width > 64 {
                    self.wide(Wide::Load {
                        n,
                        shape,
                        d,
                        a,
                        site,
                    });
                } else {
                    self.emit(Instr::Load {
                        n,
                        shape,
                        d,
                        a,
                        site,
                    });
                }
            }
            Expr::Unary { op, arg } => {
                let a = self.done[&arg];
                if width > 64 {
                    self.wide(Wide::Unary { op, w: width, d, a });
                } else {
                    self.emit(Instr::Unary { op, w: width, d, a });
                }
            }
            Expr::Binary { op, left, right } => {
                let (w, _) = form(self.program, pool.ty(left))?;
                let (a, b) = (self.done[&left], self.done[&right]);
                self.binary(op, w, d, a, b);
            }
            Expr::Cast { op, arg, .. } => {
                let (from, from_shape) = form(self.program, pool.ty(arg))?;
                let a = self.done[&arg];
                if (from_shape, shape) == (Shape::Pointer, Shape::Bits) && from != width {
                    return malformed("a pointer converted to an integer of another width");
                }
                if from > 64 || width > 64 {
                    self.wide(Wide::Cast {
                        op,
                        from,
                        to: width,
                        d,
                        a,
                    });
                } else {
                    self.emit(match op {
                        CastOp::ZExt => Instr::ZExt {
                            from,
                            to: width,
                            d,
                            a,
                        },
                        CastOp::SExt => Instr::SExt {
                            from,
                            to: width,
                            d,
                            a,
                        },
                        _ => Instr::Cast {
                            op,
                            from,
                            to: width,
                            d,
                            a,
                        },
                    });
                }
            }
            Expr::Ite {
                cond,
                then,
                otherwise,
            } => {
                let (c, t, e) = (self.done[&cond], self.done[&then], self.done[&otherwise]);
                // The slot is written before it is read: it must not be one of the operands.
                let own = if into.is_some() {
                    self.temporary(width)
                } else {
                    d
                };
                if width > 64 {
                    self.wide(Wide::Move { d: own, a: e });
                    self.wide(Wide::Select {
                        w: width,
                        shape,
                        d: own,
                        c,
                        t,
                    });
                } else {
                    self.emit(Instr::Move { d: own, a: e });
                    self.emit(Instr::Select {
                        w: width,
                        shape,
                        d: own,
                        c,
                        t,
                    });
                }
                self.done.insert(id, own);
                return Ok(());
            }
            _ => {}
        }
        self.done.insert(id, d);
        Ok(())
    }

    fn wide(&mut self, wide: Wide) {
        self.code.wide.push(wide);
        self.emit(Instr::Wide(self.code.wide.len() as u32 - 1));
    }

    fn binary(&mut self, op: BinaryOp, w: u8, d: Slot, a: Slot, b: Slot) {
        if w > 64 {
            self.wide(Wide::Binary { op, w, d, a, b });
            return;
        }
        self.emit(match op {
            BinaryOp::Add | BinaryOp::PtrAdd => Instr::Add { w, d, a, b },
            BinaryOp::Sub => Instr::Sub { w, d, a, b },
            BinaryOp::Mul => Instr::Mul { w, d, a, b },
            BinaryOp::And => Instr::And { w, d, a, b },
            BinaryOp::Xor => Instr::Xor { w, d, a, b },
            BinaryOp::Eq => Instr::Eq { w, d, a, b },
            BinaryOp::Ne => Instr::Ne { w, d, a, b },
            BinaryOp::ULt => Instr::ULt { w, d, a, b },
            BinaryOp::SLt => Instr::SLt { w, d, a, b },
            BinaryOp::SLe => Instr::SLe { w, d, a, b },
            _ => Instr::Binary { op, w, d, a, b },
        });
    }

    /// Ends an edge whose last instruction wrote a register: one instruction does both, if there
    /// is one for it. No jump leads in between: an edge's code is entered at its start.
    fn end_write(&mut self, slot: Slot) {
        let both = match self.code.instrs.last() {
            Some(&Instr::Add { w, d, a, b }) => Some(Instr::AddEnd { w, d, a, b }),
            Some(&Instr::Sub { w, d, a, b }) => Some(Instr::SubEnd { w, d, a, b }),
            Some(&Instr::Mul { w, d, a, b }) => Some(Instr::MulEnd { w, d, a, b }),
            Some(&Instr::And { w, d, a, b }) => Some(Instr::AndEnd { w, d, a, b }),
            Some(&Instr::Xor { w, d, a, b }) => Some(Instr::XorEnd { w, d, a, b }),
            _ => None,
        };
        match (both, self.code.instrs.last_mut()) {
            (Some(both), Some(last)) => *last = both,
            _ => self.emit(Instr::Wrote { d: slot }),
        }
    }

    fn slow(&mut self, slow: Slow) {
        self.code.slow.push(slow);
        self.emit(Instr::Slow(self.code.slow.len() as u32 - 1));
    }

    fn written(&self, reg: RegId) -> Result<Written, CompileError> {
        let written = self.code.registers.get(reg.index()).copied();
        written.map_or_else(|| malformed("a register that does not exist"), Ok)
    }

    fn statement(
        &mut self,
        id: ProcId,
        edge: EdgeId,
        statement: &Statement,
    ) -> Result<(), CompileError> {
        self.begin();
        match statement {
            Statement::Skip => self.emit(Instr::Skip),
            Statement::Assign { target, value } => {
                let w = self.written(*target)?;
                let slot = self.value_into(*value, w.slot)?;
                match (slot == w.slot, w.width > 64) {
                    (true, false) => self.end_write(w.slot),
                    (false, false) => self.emit(Instr::Assign { d: w.slot, a: slot }),
                    (same, true) => {
                        if !same {
                            self.wide(Wide::Move { d: w.slot, a: slot });
                        }
                        self.emit(Instr::WroteWide { d: w.slot });
                    }
                }
            }
            Statement::Store { address, value } => {
                let ty = self.program.exprs.ty(*value);
                let (width, shape) = form(self.program, ty)?;
                let n = ty.bytes(self.program.model) as u8;
                let slots = self.values(&[*address, *value])?;
                let (a, v, site) = (slots[0], slots[1], *address);
                if width > 64 {
                    self.wide(Wide::Store {
                        n,
                        shape,
                        a,
                        v,
                        site,
                    });
                } else {
                    self.emit(Instr::Store {
                        n,
                        shape,
                        a,
                        v,
                        site,
                    });
                }
            }
            Statement::Copy {
                target,
                source,
                size,
            } => {
                let slots = self.values(&[*target, *source])?;
                self.slow(Slow::Copy {
                    target: (slots[0], *target),
                    source: (slots[1], *source),
                    size: *size,
                });
            }
            Statement::Assume(condition) => {
                let c = self.values(&[*condition])?[0];
                self.emit(Instr::Assume { c });
            }
            Statement::Call {
                result,
                callee,
                arguments,
            } => {
                let mut roots = arguments.clone();
                if let Callee::Indirect(e) = callee {
                    roots.push(*e);
                }
                let slots = self.values(&roots)?;
                let mut operands = Vec::with_capacity(arguments.len());
                for (&argument, &slot) in arguments.iter().zip(&slots) {
                    let (width, shape) = form(self.program, self.program.exprs.ty(argument))?;
                    operands.push(Operand { slot, width, shape });
                }
                let callee = match callee {
                    Callee::Direct(proc) => CallTarget::Direct(*proc),
                    Callee::Indirect(_) => CallTarget::Indirect(slots[arguments.len()]),
                };
                let result = result.map(|r| self.written(r)).transpose()?;
                let next = self.code.places.len() as u32;
                self.slow(Slow::Call {
                    callee,
                    arguments: operands,
                    result,
                    next,
                });
            }
            Statement::Nondet { target, .. } => {
                let target = self.written(*target)?;
                self.slow(Slow::Nondet {
                    target,
                    edge: (id, edge),
                });
            }
            Statement::Havoc { address, size, .. } => {
                let a = self.values(&[*address])?[0];
                self.slow(Slow::Havoc {
                    address: (a, *address),
                    size: *size,
                });
            }
            Statement::Allocate { target, size, kind } => {
                let size = self.values(&[*size])?[0];
                let target = self.written(*target)?;
                self.slow(Slow::Allocate {
                    size,
                    target,
                    kind: *kind,
                    edge: (id, edge),
                });
            }
            Statement::Free(address) => {
                let address = self.values(&[*address])?[0];
                self.slow(Slow::Free { address });
            }
            Statement::Enter(object) | Statement::Leave(object) => {
                let Some(&slot) = self.frame_objects.get(object) else {
                    return malformed("an object entered outside its procedure");
                };
                let object = *object;
                self.slow(if matches!(statement, Statement::Enter(_)) {
                    Slow::Enter { object, slot }
                } else {
                    Slow::Leave { object, slot }
                });
            }
            Statement::Marker(_) => self.slow(Slow::Marker),
            Statement::Halt(Halt::Exit(code)) => {
                let code = self.values(&[*code])?[0];
                self.slow(Slow::Exit { code });
            }
            Statement::Halt(Halt::Abort) => self.slow(Slow::Abort),
            Statement::Halt(Halt::Trap) => self.slow(Slow::Trap),
        }
        Ok(())
    }
}
