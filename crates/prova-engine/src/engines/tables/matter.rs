//! Which variables matter where: at each cutpoint of a procedure, at its entry, behind its return.
//! What does not matter is not kept, so that states that differ in nothing else are one.

use crate::engines::dash::calls::units::{Kind, Unit, Units};
use crate::problem::encoding::Encoding;
use crate::problem::transitions::Transitions;
use prova_exec::state_vars::StateVar;
use prova_ir::passes::call_graph::call_graph;
use prova_ir::{ProcId, RegId};
use prova_logic::{Term, Terms};
use rustc_hash::FxHashSet;

/// The variables that matter, by procedure.
pub struct Matter {
    /// At the entry: parameters, and what is not the procedure's own and may be read or written.
    pub entry: Vec<Vec<Term>>,
    /// At each cutpoint.
    pub at: Vec<Vec<Vec<Term>>>,
}

impl Matter {
    /// What matters in a program.
    pub fn new(
        encoding: &Encoding,
        terms: &Terms,
        transitions: &Transitions,
        units: &Units,
    ) -> Matter {
        let program = &encoding.prepared.program;
        let count = program.procedures.len();
        let shared = |v: &Term| match encoding.vars.meaning(*v) {
            Some(StateVar::Register(r)) => program.register(r).owner.is_none(),
            Some(_) => true,
            None => false,
        };
        let mut own: Vec<FxHashSet<Term>> = vec![FxHashSet::default(); count];
        for unit in units.all() {
            let touched = &mut own[unit.procedure.index()];
            for step in &unit.steps {
                let transfer = &transitions.get(step.block).transfer;
                touched.extend(terms.free_vars_of(&transfer.guard));
                for &(variable, value) in &transfer.updates {
                    touched.insert(variable);
                    touched.extend(terms.free_vars(value));
                }
                if let Kind::Return(site) = step.kind {
                    let binding = &transitions.get(units.plain_bind(site)).transfer;
                    for &(_, value) in &binding.updates {
                        touched.extend(terms.free_vars(value));
                    }
                }
            }
            touched.retain(shared);
        }
        let graph = call_graph(program);
        let mut matter = Matter {
            entry: vec![Vec::new(); count],
            at: vec![Vec::new(); count],
        };
        let mut touched: Vec<FxHashSet<Term>> = vec![FxHashSet::default(); count];
        let register = |r: &RegId| encoding.vars.register[r.index()];
        for unit in units.all() {
            let procedure = unit.procedure;
            let mut all = FxHashSet::default();
            for callee in graph.reachable_from(procedure) {
                all.extend(&own[callee.index()]);
            }
            let parameters = program.procedure(procedure).parameters.iter();
            let mut entry: Vec<Term> = all.iter().copied().collect();
            entry.extend(parameters.map(register));
            entry.sort_unstable();
            matter.entry[procedure.index()] = entry;
            touched[procedure.index()] = all;
        }
        for unit in units.all() {
            let result = program.procedure(unit.procedure).result;
            let mut behind = touched[unit.procedure.index()].clone();
            behind.extend(result.iter().map(register));
            matter.at[unit.procedure.index()] =
                live(terms, transitions, units, unit, &behind, &matter.entry);
        }
        matter
    }

    /// At a cutpoint.
    pub fn at(&self, procedure: ProcId, cutpoint: usize) -> &[Term] {
        &self.at[procedure.index()][cutpoint]
    }
}

/// Variables whose value can decide a branch further on, or matters behind the return.
fn live(
    terms: &Terms,
    transitions: &Transitions,
    units: &Units,
    unit: &Unit,
    behind: &FxHashSet<Term>,
    entries: &[Vec<Term>],
) -> Vec<Vec<Term>> {
    let count = unit.blocks.locations.len() + 1;
    let mut live: Vec<FxHashSet<Term>> = vec![FxHashSet::default(); count];
    if let Some(exit) = unit.exit {
        live[exit.index()] = behind.clone();
    }
    loop {
        let mut grew = false;
        for step in unit.steps.iter().rev() {
            let transfer = &transitions.get(step.block).transfer;
            let mut here: FxHashSet<Term> =
                terms.free_vars_of(&transfer.guard).into_iter().collect();
            let after = &live[step.target.index()];
            let mut written: FxHashSet<Term> = FxHashSet::default();
            for &(variable, value) in &transfer.updates {
                written.insert(variable);
                if after.contains(&variable) {
                    here.extend(terms.free_vars(value));
                }
            }
            here.extend(after.difference(&written));
            if let Kind::Return(site) = step.kind {
                let binding = &transitions.get(units.plain_bind(site)).transfer;
                for &(_, value) in &binding.updates {
                    here.extend(terms.free_vars(value));
                }
                // A parameter that a recursion passes on as it is has no update.
                let callee = units.site(site).callee;
                here.extend(&entries[callee.index()]);
            }
            let known = &mut live[step.source.index()];
            let before = known.len();
            known.extend(here);
            grew |= known.len() > before;
        }
        if !grew {
            break;
        }
    }
    let sorted = |set: FxHashSet<Term>| {
        let mut all: Vec<Term> = set.into_iter().collect();
        all.sort_unstable();
        all
    };
    live.into_iter().map(sorted).collect()
}
