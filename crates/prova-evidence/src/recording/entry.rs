//! What an entry function, or `main`, was called with.

use super::{non_zero, Recording, Variable};
use crate::c_types::Scalar;
use prova_exec::transplant::Bytes;
use prova_exec::Given;
use prova_ir::{CType, Callee, Expr, ObjectId, RegId, Span, Statement, Storage, Type};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A function that was checked in place of `main`.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name.
    pub function: String,
    /// Where it is defined.
    pub span: Span,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// Globals that differ from what they are at the program's start.
    pub globals: Vec<Variable>,
    /// Global pointers to the program's own variables.
    pub pointers: Vec<(Variable, Place)>,
}

/// An argument of an entry function.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A number or pointer.
    Scalar(Scalar, u128),
    /// A structure: its C type, size and contents.
    Structure(String, u64, Bytes),
    /// A pointer to one of the program's own variables.
    Own(Place),
}

/// A place in a variable of the program.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable's name.
    pub name: String,
    /// Where it is defined.
    pub span: Span,
    /// How many bytes behind its first.
    pub offset: u64,
}

impl Recording {
    /// Whether `main` was given a negative `argc`, which it never is from outside.
    pub fn has_negative_count(&self) -> bool {
        let model = self.program.model;
        let count = self.arguments.first();
        count.is_some_and(|(scalar, bits)| bits >> (scalar.bits(model) - 1) & 1 == 1)
    }

    pub(super) fn read_entry(&mut self, given: &Given) {
        let program = Arc::clone(&self.program);
        let Some(start) = program.entry else { return };
        let procedure = program.procedure(start);
        if !procedure.c_name.is_empty() {
            for &parameter in &procedure.parameters {
                if let Some(scalar) = Scalar::of_register(&program, parameter) {
                    let value = self.run.register_at(parameter, 0);
                    self.arguments.push((scalar, value));
                }
            }
            return;
        }
        let call = procedure.body.iter().flat_map(|b| &b.edges);
        let Some((callee, arguments)) = call.filter_map(|e| called(&e.statement)).next_back()
        else {
            return;
        };
        // What it got is what its parameters hold when it starts.
        let started = (self.run.activations().iter()).position(|a| a.proc == callee);
        let started = started.map(|i| (i as u32, self.run.activations()[i].start));
        let callee = program.procedure(callee);
        let mut entry = Entry {
            function: callee.c_name.clone(),
            span: callee.span,
            arguments: Vec::new(),
            globals: Vec::new(),
            pointers: Vec::new(),
        };
        let mut scalars: BTreeMap<RegId, u128> = BTreeMap::new();
        for used in &self.run.inputs {
            if let Some((at, Statement::Nondet { target, .. }, _)) = self.statement_at(used.step) {
                if at.c_name.is_empty() {
                    scalars.insert(*target, used.value);
                }
            }
        }
        let mut memory: BTreeMap<ObjectId, Bytes> = BTreeMap::new();
        for (fill, bytes) in self.run.fills().iter().zip(&given.fills) {
            if let Some((at, Statement::Havoc { address, .. }, _)) = self.statement_at(fill.step) {
                if let (true, Expr::Address(object)) =
                    (at.c_name.is_empty(), program.exprs.get(*address))
                {
                    memory.insert(object, bytes.clone());
                }
            }
        }
        for (&target, &value) in &scalars {
            let register = program.register(target);
            let size = register.ty.bytes(program.model);
            let first = crate::simplify::initial_value(&program, &self.run, target);
            if register.owner.is_some() {
                continue;
            }
            let global = Variable {
                name: register.c_name.clone(),
                span: register.span,
                size,
                align: size.next_power_of_two(),
                bytes: non_zero(&value.to_le_bytes()[..size.min(16) as usize]),
            };
            let now = started.map_or(value, |(_, at)| self.run.register_at(target, at));
            match self.own_place(now).filter(|_| register.ty == Type::Ptr) {
                Some(place) => entry.pointers.push((global, place)),
                None if first != Some(value) => entry.globals.push(global),
                None => {}
            }
        }
        for (&id, bytes) in &memory {
            let object = program.object(id);
            let first = crate::simplify::initial_bytes(&program, &self.run, id);
            if !matches!(object.storage, Storage::Frame(_)) && first.as_ref() != Some(bytes) {
                entry.globals.push(Variable {
                    name: object.c_name.clone(),
                    span: object.span,
                    size: object.size,
                    align: object.align,
                    bytes: bytes.clone(),
                });
            }
        }
        let returns_structure = match callee.ctype.map(|c| program.ctypes.get(c)) {
            Some(CType::Function { result, .. }) => {
                matches!(program.ctypes.get(*result), CType::Record { .. })
            }
            _ => false,
        };
        let arguments = arguments.into_iter().zip(&callee.parameters);
        for (argument, &parameter) in arguments.skip(usize::from(returns_structure)) {
            let made = match program.exprs.get(argument) {
                Expr::Reg(r) => Scalar::of_register(&program, r)
                    .map(|s| Argument::Scalar(s, scalars.get(&r).copied().unwrap_or(0))),
                Expr::Address(o) => {
                    let object = program.object(o);
                    let ctype = object.ctype.map(|c| program.ctypes.get(c));
                    match ctype {
                        Some(CType::Record { name, size, .. }) => Some(Argument::Structure(
                            name.clone(),
                            *size,
                            memory.get(&o).cloned().unwrap_or_default(),
                        )),
                        _ => None,
                    }
                }
                // A pointer for which one of several was chosen.
                _ => started.and_then(|(call, at)| {
                    let value = self.run.register_of(call, parameter, at);
                    match self.own_place(value) {
                        Some(place) => Some(Argument::Own(place)),
                        None => Scalar::of_register(&program, parameter)
                            .map(|s| Argument::Scalar(s, value)),
                    }
                }),
            };
            match made {
                Some(argument) => entry.arguments.push(argument),
                None => self
                    .beyond
                    .push("an argument of the entry function cannot be told in plain C".into()),
            }
        }
        self.entry = Some(entry);
    }

    /// The variable with a name that an address lies in, or directly behind.
    fn own_place(&self, address: u128) -> Option<Place> {
        let objects = self.program.objects.iter().zip(&self.run.layout.objects);
        let mut found = objects.filter_map(|(object, &base)| {
            let offset = u64::try_from(address).ok()?.checked_sub(base)?;
            let named = !object.c_name.is_empty() && !matches!(object.storage, Storage::Frame(_));
            (named && offset <= object.size).then(|| Place {
                name: object.c_name.clone(),
                span: object.span,
                offset,
            })
        });
        found.next()
    }
}

fn called(statement: &Statement) -> Option<(prova_ir::ProcId, Vec<prova_ir::ExprId>)> {
    match statement {
        Statement::Call {
            callee: Callee::Direct(callee),
            arguments,
            ..
        } => Some((*callee, arguments.clone())),
        _ => None,
    }
}
