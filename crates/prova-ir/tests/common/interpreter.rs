//! A small interpreter, the oracle for passes: integers and static objects only.

use prova_ir::fold::{eval_binary, eval_cast, eval_unary};
use prova_ir::*;
use std::collections::HashMap;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Error(String),
    Returned,
    Halted,
    AssumeFailed,
    Trap,
    Limit,
}

struct Frame {
    procedure: ProcId,
    at: LocId,
    registers: HashMap<RegId, u128>,
    /// Where the caller goes on, and what gets the result.
    back: Option<(LocId, Option<RegId>)>,
}

pub struct Machine<'a> {
    program: &'a Program,
    globals: HashMap<RegId, u128>,
    memory: HashMap<u128, u8>,
    inputs: Vec<u128>,
    pub used: usize,
    /// Whether uninitialised registers take inputs too.
    pub count_all: bool,
    pub undefined: Vec<String>,
}

fn base(object: ObjectId) -> u128 {
    0x1_0000 * (u128::from(object.0) + 1)
}

fn function(p: ProcId) -> u128 {
    0x4000_0000 + 16 * u128::from(p.0)
}

/// Runs a program on these inputs (zero when they are used up).
pub fn run(program: &Program, inputs: &[u128], limit: usize) -> End {
    Machine::new(program, inputs).run(limit)
}

impl<'a> Machine<'a> {
    pub fn new(program: &'a Program, inputs: &[u128]) -> Self {
        let mut machine = Machine {
            program,
            globals: HashMap::new(),
            memory: HashMap::new(),
            inputs: inputs.to_vec(),
            used: 0,
            count_all: false,
            undefined: Vec::new(),
        };
        for (i, r) in program.registers.iter().enumerate() {
            if let Some(e) = r.initial {
                let value = machine.eval(e, &HashMap::new()).unwrap();
                machine.globals.insert(RegId::new(i), value);
            }
        }
        for (i, o) in program.objects.iter().enumerate() {
            if let Storage::Static { initial, .. } = &o.storage {
                for (offset, part) in initial {
                    let at = base(ObjectId::new(i)) + u128::from(*offset);
                    match part {
                        Initial::Bytes(bytes) => {
                            for (k, b) in bytes.iter().enumerate() {
                                machine.memory.insert(at + k as u128, *b);
                            }
                        }
                        Initial::Value(e) => {
                            let value = machine.eval(*e, &HashMap::new()).unwrap();
                            let size = program.exprs.ty(*e).bytes(program.model);
                            machine.store(at, value, size);
                        }
                    }
                }
            }
        }
        machine
    }

    fn in_object(&self, address: u128, size: u64) -> bool {
        (0..self.program.objects.len()).any(|i| {
            let start = base(ObjectId::new(i));
            let end = start + u128::from(self.program.objects[i].size);
            address >= start && address + u128::from(size) <= end
        })
    }

    fn store(&mut self, at: u128, value: u128, size: u64) {
        for k in 0..size {
            self.memory
                .insert(at + u128::from(k), (value >> (8 * k)) as u8);
        }
    }

    fn bits(&self, e: ExprId) -> u16 {
        self.program.exprs.ty(e).bits(self.program.model) as u16
    }

    fn eval(&self, e: ExprId, locals: &HashMap<RegId, u128>) -> Option<u128> {
        let eval = |e| self.eval(e, locals);
        match self.program.exprs.get(e) {
            Expr::Int { value, .. } => Some(value),
            Expr::Float { bits, .. } => Some(bits),
            Expr::Pointer(a) => Some(u128::from(a)),
            Expr::Reg(r) => {
                let from = match self.program.register(r).owner {
                    None => &self.globals,
                    Some(_) => locals,
                };
                Some(from.get(&r).copied().unwrap_or(0))
            }
            Expr::Address(o) => Some(base(o)),
            Expr::Function(p) => Some(function(p)),
            Expr::Load { address, ty } => {
                let at = eval(address)?;
                let size = ty.bytes(self.program.model);
                self.in_object(at, size).then(|| {
                    let byte = |k| *self.memory.get(&(at + u128::from(k))).unwrap_or(&0);
                    (0..size).map(|k: u64| u128::from(byte(k)) << (8 * k)).sum()
                })
            }
            Expr::Unary { op, arg } => eval_unary(op, eval(arg)?, self.bits(arg)),
            Expr::Binary { op, left, right } => {
                eval_binary(op, eval(left)?, eval(right)?, self.bits(left))
            }
            Expr::Cast { op, arg, .. } => eval_cast(op, eval(arg)?, self.bits(arg), self.bits(e)),
            Expr::Ite {
                cond,
                then,
                otherwise,
            } => {
                let (c, t, o) = (eval(cond)?, eval(then)?, eval(otherwise)?);
                Some(if c != 0 { t } else { o })
            }
        }
    }

    fn write(&mut self, frame: &mut Frame, r: RegId, value: u128) {
        match self.program.register(r).owner {
            None => self.globals.insert(r, value),
            Some(_) => frame.registers.insert(r, value),
        };
    }

    pub fn run(&mut self, limit: usize) -> End {
        let program = self.program;
        let entry = program.entry.unwrap();
        let start = |p: ProcId| program.procedure(p).body.as_ref().unwrap().entry;
        let mut stack = vec![Frame {
            procedure: entry,
            at: start(entry),
            registers: HashMap::new(),
            back: None,
        }];
        let outgoing: Vec<_> = program
            .procedures
            .iter()
            .map(|p| p.body.as_ref().map(Body::outgoing).unwrap_or_default())
            .collect();
        for _ in 0..limit {
            let mut frame = stack.pop().unwrap();
            let procedure = program.procedure(frame.procedure);
            let body = procedure.body.as_ref().unwrap();
            if let Some(error) = body.errors.iter().find(|e| e.location == frame.at) {
                return End::Error(error.message.clone());
            }
            if frame.at == body.exit {
                let Some(mut caller) = stack.pop() else {
                    return End::Returned;
                };
                let (at, target) = frame.back.unwrap();
                caller.at = at;
                if let (Some(target), Some(result)) = (target, procedure.result) {
                    let value = frame.registers.get(&result).copied().unwrap_or(0);
                    self.write(&mut caller, target, value);
                }
                stack.push(caller);
                continue;
            }
            let edges = &outgoing[frame.procedure.index()][frame.at.index()];
            assert!(!edges.is_empty(), "stuck at {:?}", frame.at);
            let mut taken = None;
            for &e in edges {
                match &body.edge(e).statement {
                    Statement::Assume(c) => match self.eval(*c, &frame.registers) {
                        None => return End::Trap,
                        Some(0) => {}
                        Some(_) => taken = Some(e),
                    },
                    _ => taken = Some(e),
                }
            }
            let Some(edge) = taken.map(|e| body.edge(e)) else {
                return End::AssumeFailed;
            };
            let mut values = Vec::new();
            for e in edge.statement.expressions() {
                match self.eval(e, &frame.registers) {
                    Some(value) => values.push(value),
                    None => return End::Trap,
                }
            }
            frame.at = edge.target;
            let mut called = None;
            match &edge.statement {
                Statement::Skip | Statement::Assume(_) | Statement::Marker(_) => {}
                Statement::Enter(_) | Statement::Leave(_) => {}
                Statement::Assign { target, .. } => self.write(&mut frame, *target, values[0]),
                Statement::Nondet { target, origin } => {
                    let mut value = 0;
                    if let Origin::Undefined(name) = origin {
                        self.undefined.push(name.clone());
                    }
                    if self.count_all || *origin != Origin::Uninitialised {
                        value = self.inputs.get(self.used).copied().unwrap_or(0);
                        self.used += 1;
                    }
                    self.write(&mut frame, *target, value);
                }
                Statement::Store { value, .. } => {
                    let size = program.exprs.ty(*value).bytes(program.model);
                    if !self.in_object(values[0], size) {
                        return End::Trap;
                    }
                    self.store(values[0], values[1], size);
                }
                Statement::Call { result, callee, .. } => {
                    let (p, arguments) = match callee {
                        Callee::Direct(p) => (Some(*p), &values[..]),
                        Callee::Indirect(_) => {
                            let all = (0..program.procedures.len()).map(ProcId::new);
                            let mut fitting = all.filter(|p| function(*p) == values[0]);
                            (fitting.next(), &values[1..])
                        }
                    };
                    let Some(p) = p else { return End::Trap };
                    let callee = program.procedure(p);
                    if callee.parameters.len() != arguments.len() {
                        return End::Trap;
                    }
                    let pairs = callee
                        .parameters
                        .iter()
                        .copied()
                        .zip(arguments.iter().copied());
                    called = Some(Frame {
                        procedure: p,
                        at: start(p),
                        registers: pairs.collect(),
                        back: Some((frame.at, *result)),
                    });
                }
                Statement::Halt(Halt::Trap) => return End::Trap,
                Statement::Halt(_) => return End::Halted,
                other => panic!("the test machine does not run {other:?}"),
            }
            stack.push(frame);
            stack.extend(called);
            if stack.len() > 200 {
                return End::Limit;
            }
        }
        End::Limit
    }
}
