//! What functions without a body wrote, told without addresses: each place is a pointer that such a
//! function was given, or found behind one, and a distance from it. A native run has other
//! addresses, but the same pointers.

use super::Recording;
use prova_exec::transplant::Bytes;
use prova_exec::undefined::{is_choice, stands_in};
use prova_exec::Given;
use prova_ir::{BinaryOp, Expr, ExprId, Origin, ProcId, Program, Statement, Type};
use std::collections::BTreeMap;

/// A call of a function without a body that may write.
#[derive(Clone, Debug)]
pub struct Called {
    /// Its name.
    pub function: String,
    /// What it found and wrote, in order.
    pub effects: Vec<Effect>,
}

/// A step of such a call. Pointers that were found have numbers, from zero, over all calls.
#[derive(Clone, Debug)]
pub enum Effect {
    /// The next pointer is this argument.
    Argument(usize),
    /// The next pointer lies so far from where another one leads.
    Load(usize, i64),
    /// Bytes are written so far from where a pointer leads.
    Write(usize, i64, u64, Bytes),
}

/// An object as far as a body knows it.
struct Extent {
    base: u64,
    size: u64,
}

impl Extent {
    fn holds(&self, address: u64) -> bool {
        address.wrapping_sub(self.base) < self.size
    }
}

impl Recording {
    /// Whether the harness has to write for functions without a body.
    pub fn writes(&self) -> bool {
        writers(&self.program).next().is_some()
    }

    pub(super) fn read_effects(&mut self, given: &Given) {
        let program = self.program.clone();
        let mut known: Vec<u64> = Vec::new();
        let mut lost: Vec<String> = Vec::new();
        let mut fills = self.run.fills().iter().zip(&given.fills).peekable();
        for call in self.run.activations() {
            if !stands_in(&program, call.proc) {
                continue;
            }
            let procedure = program.procedure(call.proc);
            let name = procedure.c_name.clone();
            if !crate::supply::is_defined(&name) {
                continue;
            }
            let sizes = sizes(&program, call.proc);
            let mut effects = Vec::new();
            for (i, &parameter) in procedure.parameters.iter().enumerate() {
                let value = self.run.register_at(parameter, call.start) as u64;
                if program.register(parameter).ty == Type::Ptr && value != 0 {
                    effects.push(Effect::Argument(i));
                    known.push(value);
                }
            }
            let last = call.last.min(self.run.steps());
            for step in call.start..last {
                let Some((_, statement, _)) = self.statement_at(step) else {
                    continue;
                };
                let address = match statement {
                    Statement::Assign { target, value } => match program.exprs.get(*value) {
                        Expr::Load { address, .. } => Some((address, Some(*target))),
                        _ => None,
                    },
                    Statement::Havoc {
                        address,
                        origin: Origin::Undefined(_),
                        ..
                    } => Some((*address, None)),
                    Statement::Nondet {
                        target,
                        origin: Origin::Entry,
                    } => {
                        let now = self.run.register_at(*target, step + 1);
                        if self.run.register_at(*target, step) != now {
                            let variable = &program.register(*target).c_name;
                            lost.push(format!("`{name}` changes `{variable}`"));
                        }
                        None
                    }
                    _ => None,
                };
                let Some((address, loaded)) = address else {
                    continue;
                };
                let (base, offset) = split(&program, address);
                let Some(start) = self.base_at(base, step) else {
                    continue; // What it chose, and nobody sees.
                };
                let extent = Extent {
                    base: start,
                    size: sizes.get(&base).copied().unwrap_or(0),
                };
                let at = start.wrapping_add(offset);
                let from = known.iter().rposition(|&v| extent.holds(v));
                let fill = match loaded {
                    None => {
                        while fills.next_if(|(f, _)| f.step < step).is_some() {}
                        fills.next_if(|(f, _)| f.step == step)
                    }
                    Some(_) => None,
                };
                let Some(from) = from else {
                    if loaded.is_none() {
                        lost.push(format!(
                            "`{name}` writes where none of its arguments leads to directly"
                        ));
                    }
                    continue;
                };
                let distance = at.wrapping_sub(known[from]) as i64;
                if let Some(target) = loaded {
                    let value = self.run.register_at(target, step + 1) as u64;
                    effects.push(Effect::Load(from, distance));
                    known.push(value);
                } else if let Some((fill, bytes)) = fill {
                    effects.push(Effect::Write(from, distance, fill.size, bytes.clone()));
                }
            }
            self.called.push(Called {
                function: name,
                effects,
            });
        }
        lost.dedup();
        self.unwritten = lost;
    }

    /// The address of what a body knows at a step; `None` for its own choices.
    fn base_at(&self, base: ExprId, step: u32) -> Option<u64> {
        match self.program.exprs.get(base) {
            Expr::Reg(r) => Some(self.run.register_at(r, step) as u64),
            Expr::Address(o) if is_choice(self.program.object(o)) => None,
            Expr::Address(o) => Some(self.run.layout.objects[o.index()]),
            _ => None,
        }
    }
}

/// The procedures that stand for functions without a body.
pub fn writers(program: &Program) -> impl Iterator<Item = ProcId> + '_ {
    let all = (0..program.procedures.len()).map(ProcId::new);
    all.filter(|&p| stands_in(program, p))
}

/// An address as what a body knows, and a distance.
fn split(program: &Program, address: ExprId) -> (ExprId, u64) {
    match program.exprs.get(address) {
        Expr::Binary {
            op: BinaryOp::PtrAdd,
            left,
            right,
        } => match program.exprs.get(right) {
            Expr::Int { value, .. } => (left, value as u64),
            _ => (address, 0),
        },
        _ => (address, 0),
    }
}

/// How large what a body knows is, by what it writes there and by where it looks.
fn sizes(program: &Program, procedure: ProcId) -> BTreeMap<ExprId, u64> {
    let mut found: BTreeMap<ExprId, u64> = BTreeMap::new();
    let mut note = |base: ExprId, end: u64| {
        let size = found.entry(base).or_default();
        *size = end.max(*size);
    };
    let edges = program.procedure(procedure).body.iter();
    for edge in edges.flat_map(|b| &b.edges) {
        for root in edge.statement.expressions() {
            for e in program.exprs.subexpressions(root) {
                // A distance from a base that is compared with a size.
                let Expr::Binary {
                    op: BinaryOp::ULt,
                    left,
                    right,
                } = program.exprs.get(e)
                else {
                    continue;
                };
                let (
                    Expr::Binary {
                        op: BinaryOp::Sub,
                        right: from,
                        ..
                    },
                    Expr::Int { value, .. },
                ) = (program.exprs.get(left), program.exprs.get(right))
                else {
                    continue;
                };
                if let Expr::Cast { arg, .. } = program.exprs.get(from) {
                    note(arg, value as u64);
                }
            }
        }
        if let Statement::Havoc { address, size, .. } = &edge.statement {
            let (base, offset) = split(program, *address);
            note(base, offset + size);
        }
    }
    found
}
