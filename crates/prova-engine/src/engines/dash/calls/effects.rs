//! Mod-sets: what a call of a procedure may write, and whether it may reach an error. Both are
//! transitive. A predicate over nothing of it crosses the call untouched.

use prova_exec::points_to::{ClassId, Partition};
use prova_exec::transfer::CELL_LIMIT;
use prova_ir::passes::call_graph::CallGraph;
use prova_ir::{Callee, ExprId, ProcId, Program, RegId, Statement};
use std::collections::BTreeSet;

/// What a call may do that its caller can see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Global registers it may write.
    pub registers: BTreeSet<RegId>,
    /// Memory classes it may write.
    pub classes: BTreeSet<ClassId>,
    /// Whether it may allocate.
    pub allocates: bool,
    /// Whether it may reach an error location.
    pub errs: bool,
}

impl Effects {
    fn join(&mut self, other: &Effects) -> bool {
        let before = (self.registers.len(), self.classes.len());
        let flags = (self.allocates, self.errs);
        self.registers.extend(&other.registers);
        self.classes.extend(&other.classes);
        self.allocates |= other.allocates;
        self.errs |= other.errs;
        before != (self.registers.len(), self.classes.len()) || flags != (self.allocates, self.errs)
    }
}

/// The effects of every procedure, by its id.
pub fn effects(program: &Program, partition: &Partition, graph: &CallGraph) -> Vec<Effects> {
    let mut all: Vec<Effects> = (0..program.procedures.len())
        .map(|p| own(program, partition, ProcId::new(p)))
        .collect();
    for component in &graph.components {
        loop {
            let mut grew = false;
            for p in component {
                for callee in &graph.callees[p.index()] {
                    let theirs = all[callee.index()].clone();
                    grew |= all[p.index()].join(&theirs);
                }
            }
            if !grew {
                break;
            }
        }
    }
    all
}

fn own(program: &Program, partition: &Partition, procedure: ProcId) -> Effects {
    let mut effects = Effects::default();
    let Some(body) = &program.procedure(procedure).body else {
        return effects;
    };
    effects.errs = !body.errors.is_empty();
    let everything = || (0..partition.classes().len()).map(ClassId::new);
    for edge in &body.edges {
        if let Some(register) = edge.statement.written_register() {
            if program.register(register).owner.is_none() {
                effects.registers.insert(register);
            }
        }
        let range = |effects: &mut Effects, address: ExprId, size: u64| match partition
            .cells(address, size, CELL_LIMIT)
        {
            Ok(cells) => effects.classes.extend(cells.iter().map(|c| c.class)),
            Err(_) => effects.classes.extend(everything()),
        };
        match edge.statement {
            Statement::Store { address, .. } => match partition.class_of(address) {
                Some(class) => {
                    effects.classes.insert(class);
                }
                None => effects.classes.extend(everything()),
            },
            Statement::Copy { target, size, .. } => range(&mut effects, target, size),
            Statement::Havoc { address, size, .. } => range(&mut effects, address, size),
            Statement::Enter(object) => {
                effects.classes.extend(partition.object_classes(object));
            }
            Statement::Allocate { .. } => effects.allocates = true,
            Statement::Call {
                callee: Callee::Indirect(_),
                ..
            } => {
                // None is left by then; were one, anything could happen.
                effects.classes.extend(everything());
                effects.allocates = true;
                effects.errs = true;
            }
            _ => {}
        }
    }
    effects
}
