//! Engines in turn: the cheap one first, within bounds, then the one that goes on.

use crate::budget::{self, Budget};
use crate::dash::Dash;
use crate::outcome::*;
use crate::values::Values;

/// Explicit values and DASH by turns, then DASH alone.
#[derive(Clone, Debug, Default)]
pub struct Auto {
    /// The second engine, with its solver.
    pub dash: Dash,
}

/// Turns that engines have before DASH goes on alone. Counted in steps, not in seconds: the same
/// input takes the same way every time.
const TURNS: [Turn; 3] = [
    Turn::Values {
        whole: 150_000,
        steps: 60_000,
    },
    Turn::Dash { iterations: 400 },
    Turn::Values {
        whole: 4_000_000,
        steps: 2_000_000,
    },
];

enum Turn {
    Values { whole: u64, steps: u64 },
    Dash { iterations: u64 },
}

impl Engine for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn check(&self, task: &Task, budget: &Budget, observer: &mut dyn Observer) -> Report {
        let mut statistics = Statistics::default();
        let (outcome, scope) =
            match self.dash.prepare(&task.program) {
                Err(unknown) => (Outcome::Unknown(unknown), Scope::default()),
                // Explicit values are for one procedure.
                Ok(prepared) if !prepared.is_one_procedure() => {
                    self.dash
                        .decide(task, &prepared, budget, observer, &mut statistics)
                }
                Ok(prepared) => {
                    let mut best = None;
                    for turn in TURNS {
                        statistics = Statistics::default();
                        let (outcome, scope) =
                            match turn {
                                Turn::Values { whole, steps } => Values {
                                    solver: self.dash.solver.clone(),
                                    whole: Some(whole),
                                    steps: Some(steps),
                                }
                                .decide(task, &prepared, budget, observer, &mut statistics),
                                Turn::Dash { iterations } => Dash {
                                    iterations: Some(iterations),
                                    ..self.dash.clone()
                                }
                                .decide(task, &prepared, budget, observer, &mut statistics),
                            };
                        if !matches!(outcome, Outcome::Unknown(_)) || budget.poll().is_some() {
                            best = Some((outcome, scope));
                            break;
                        }
                    }
                    match best {
                        Some(best) => best,
                        None => {
                            statistics = Statistics::default();
                            self.dash
                                .decide(task, &prepared, budget, observer, &mut statistics)
                        }
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
