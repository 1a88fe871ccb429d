//! What a run covers: the marks it comes to, and the conditions that decide in it.

use prova_exec::Run;
use prova_ir::{EdgeId, ProcId, Program};
use prova_spec::goals::{mark_at, Mark, Target, What};
use rustc_hash::{FxHashMap, FxHashSet};

/// Reads runs of one program.
pub struct Meter {
    /// Marks by the edges that lead to them.
    by_edge: FxHashMap<(ProcId, EdgeId), u32>,
    /// Of marks that are branches of decisions: which condition, and its value.
    branch: Vec<Option<(u32, u32, bool)>>,
    program: std::sync::Arc<Program>,
}

impl Meter {
    /// For runs of a program, which bears these marks.
    pub fn new(program: &std::sync::Arc<Program>, marks: &[Mark]) -> Meter {
        let mut by_edge = FxHashMap::default();
        for (p, procedure) in program.procedures.iter().enumerate() {
            let Some(body) = &procedure.body else {
                continue;
            };
            for (e, edge) in body.edges.iter().enumerate() {
                if let Some(number) = mark_at(body, edge.target) {
                    by_edge.insert((ProcId::new(p), EdgeId::new(e)), number);
                }
            }
        }
        let branch = |mark: &Mark| match mark.what {
            What::Branch {
                holds,
                of: Some((decision, condition)),
            } => Some((decision, condition, holds)),
            _ => None,
        };
        Meter {
            by_edge,
            branch: marks.iter().map(branch).collect(),
            program: program.clone(),
        }
    }

    /// What a run covers.
    pub fn hits(&self, run: &Run) -> FxHashSet<Target> {
        let mut found = FxHashSet::default();
        let mut open: FxHashMap<(u32, u32), Vec<Option<bool>>> = FxHashMap::default();
        for (step, place) in run.path() {
            let Some(edge) = place.edge else { continue };
            let Some(&number) = self.by_edge.get(&(place.proc, edge)) else {
                continue;
            };
            found.insert(Target::Mark(number));
            let Some((d, condition, value)) = self.branch[number as usize] else {
                continue;
            };
            let decision = &self.program.decisions[d as usize];
            let key = (run.activation_at(step), d);
            let values = open
                .entry(key)
                .or_insert_with(|| vec![None; decision.conditions().len()]);
            if condition == 0 {
                values.fill(None);
            }
            values[condition as usize] = Some(value);
            if decision.next(values).is_some() {
                continue;
            }
            for (c, value) in values.iter().enumerate() {
                if let (Some(value), true) = (value, decision.decides(values, c)) {
                    found.insert(Target::Decides {
                        decision: d,
                        condition: c as u32,
                        value: *value,
                    });
                }
            }
        }
        found
    }
}
