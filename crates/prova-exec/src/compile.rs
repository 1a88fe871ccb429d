//! From graphs to flat code.

mod expressions;
mod statements;

use crate::code::*;
use prova_ir::{
    Body, EdgeId, Expr, ExprId, LocId, ObjectId, ProcId, Program, RegId, Statement, Storage, Type,
    UnaryOp,
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
}
