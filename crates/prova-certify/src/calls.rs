//! What calls may change: global registers, memory classes, the top of the heap.

use crate::vocabulary::Vocabulary;
use crate::Failure;
use prova_exec::points_to::ClassId;
use prova_ir::{Callee, ProcId, RegId, Statement, Storage};
use std::collections::BTreeSet;

/// More cells than this are not written by one statement.
const CELLS: usize = 512;

/// What each procedure, with those it calls, may write.
pub struct Effects {
    /// Whether there are calls at all.
    pub calls: bool,
    each: Vec<Effect>,
}

#[derive(Clone, Default)]
struct Effect {
    registers: BTreeSet<RegId>,
    classes: BTreeSet<ClassId>,
    allocates: bool,
    /// Procedures that run in a call; itself among them if it recurses.
    callees: BTreeSet<ProcId>,
}

impl Effects {
    pub fn new(words: &Vocabulary) -> Result<Effects, Failure> {
        let program = words.program;
        let mut each = vec![Effect::default(); program.procedures.len()];
        for (effect, procedure) in each.iter_mut().zip(&program.procedures) {
            for edge in procedure.body.iter().flat_map(|b| &b.edges) {
                effect.add(words, &edge.statement)?;
            }
        }
        let calls = each.iter().any(|e| !e.callees.is_empty());
        while calls && spread(&mut each) {}
        for (i, effect) in each.iter().enumerate() {
            let id = ProcId::new(i);
            let framed = |o: &prova_ir::Object| o.storage == Storage::Frame(id);
            if effect.callees.contains(&id) && program.objects.iter().any(framed) {
                let name = &program.procedure(id).name;
                let message = format!("`{name}` recurses and has variables in memory");
                return Err(Failure::Unsupported(message));
            }
        }
        Ok(Effects { calls, each })
    }

    pub fn callees(&self, id: ProcId) -> impl Iterator<Item = ProcId> + '_ {
        self.each[id.index()].callees.iter().copied()
    }

    pub fn registers(&self, id: ProcId) -> impl Iterator<Item = RegId> + '_ {
        self.each[id.index()].registers.iter().copied()
    }

    pub fn classes(&self, id: ProcId) -> Vec<ClassId> {
        self.each[id.index()].classes.iter().copied().collect()
    }

    pub fn allocates(&self, id: ProcId) -> bool {
        self.each[id.index()].allocates
    }
}

impl Effect {
    fn add(&mut self, words: &Vocabulary, statement: &Statement) -> Result<(), Failure> {
        let global = |r: &RegId| words.program.register(*r).owner.is_none();
        let mut write = |r: Option<RegId>| self.registers.extend(r.filter(global));
        match statement {
            Statement::Assign { target, .. } | Statement::Nondet { target, .. } => {
                write(Some(*target));
            }
            Statement::Allocate { target, .. } => {
                write(Some(*target));
                self.allocates = true;
            }
            Statement::Store { address, .. } => {
                self.classes.insert(words.class_of(*address)?);
            }
            Statement::Copy { target, size, .. }
            | Statement::Havoc {
                address: target,
                size,
                ..
            } => {
                let cells = words.partition.cells(*target, *size, CELLS);
                let cells = cells.map_err(|e| Failure::Unsupported(e.to_string()))?;
                self.classes.extend(cells.iter().map(|c| c.class));
            }
            Statement::Enter(object) => {
                self.classes.extend(words.partition.object_classes(*object));
            }
            Statement::Call {
                callee: Callee::Direct(callee),
                result,
                ..
            } => {
                write(*result);
                self.callees.insert(*callee);
            }
            Statement::Call { .. } => {
                return Err(Failure::Unsupported("a call through a pointer".into()));
            }
            Statement::Skip
            | Statement::Assume(_)
            | Statement::Free(_)
            | Statement::Leave(_)
            | Statement::Marker(_)
            | Statement::Halt(_) => {}
        }
        Ok(())
    }
}

/// Adds to each procedure what its callees do; says whether that was anything.
fn spread(each: &mut [Effect]) -> bool {
    let size = |e: &Effect| e.registers.len() + e.classes.len() + e.callees.len();
    let mut grown = false;
    for i in 0..each.len() {
        for callee in each[i].callees.clone() {
            let below = each[callee.index()].clone();
            let effect = &mut each[i];
            let before = (size(effect), effect.allocates);
            effect.registers.extend(below.registers);
            effect.classes.extend(below.classes);
            effect.callees.extend(below.callees);
            effect.allocates |= below.allocates;
            grown |= before != (size(effect), effect.allocates);
        }
    }
    grown
}
