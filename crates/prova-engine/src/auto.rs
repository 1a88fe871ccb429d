//! Engines in turn: the cheap one first, within bounds, then the one that goes on.

use crate::budget::{self, Budget};
use crate::dash::Dash;
use crate::outcome::*;
use crate::prepare::prepare;
use crate::values::Values;

/// Explicit values for a bounded number of steps, then DASH.
#[derive(Clone, Debug, Default)]
pub struct Auto {
    /// The second engine, with its solver.
    pub dash: Dash,
}

/// Block steps that explicit values may take before DASH has its turn. Counted, not timed: the
/// same input takes the same way every time.
const STEPS: u64 = 400_000;

impl Engine for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn check(&self, task: &Task, budget: &Budget, observer: &mut dyn Observer) -> Report {
        let mut statistics = Statistics::default();
        let (outcome, scope) = match prepare(&task.program) {
            Err(unknown) => (Outcome::Unknown(unknown), Scope::default()),
            Ok(prepared) => {
                let values = Values {
                    solver: self.dash.solver.clone(),
                    steps: Some(STEPS),
                };
                let first = values.decide(task, &prepared, budget, observer, &mut statistics);
                if matches!(first.0, Outcome::Unknown(_)) && budget.poll().is_none() {
                    statistics = Statistics::default();
                    self.dash
                        .decide(task, &prepared, budget, observer, &mut statistics)
                } else {
                    first
                }
            }
        };
        statistics.time = budget.elapsed();
        statistics.peak_memory = budget::peak_bytes().unwrap_or(0);
        Report {
            outcome,
            statistics,
            scope,
        }
    }
}
