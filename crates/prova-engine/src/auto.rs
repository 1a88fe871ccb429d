//! Engines in turn: the cheap one first, within bounds, then the one that goes on.

use crate::budget::Budget;
use crate::dash::Dash;
use crate::outcome::*;
use crate::prepare::{prepare_with, Prepared};
use crate::values::Values;

/// Explicit values and DASH by turns, then DASH alone.
#[derive(Clone, Debug, Default)]
pub struct Auto {
    /// The second engine, with its solver.
    pub dash: Dash,
}

/// Turns that engines have before DASH goes on alone. Counted in steps, not in seconds: the same
/// input takes the same way every time.
const TURNS: [Turn; 5] = [
    Turn::Values {
        whole: 10_000,
        steps: 6_000,
    },
    Turn::Dash {
        steps: 60_000,
        most: 500,
    },
    Turn::Values {
        whole: 150_000,
        steps: 60_000,
    },
    Turn::Dash {
        steps: u64::MAX,
        most: 400,
    },
    Turn::Values {
        whole: 4_000_000,
        steps: 2_000_000,
    },
];

enum Turn {
    Values {
        whole: u64,
        steps: u64,
    },
    /// As many iterations as make about this many steps, for an iteration costs more in a larger
    /// program, but no more than `most`.
    Dash {
        steps: u64,
        most: u64,
    },
}

impl Engine for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn check(&self, task: &Task, budget: &Budget, observer: &mut dyn Observer) -> Report {
        let mut statistics = Statistics::default();
        let decided = match self.dash.prepare(&task.program) {
            Err(unknown) => (Outcome::Unknown(unknown), Scope::default()),
            // Explicit values are for one procedure.
            Ok(prepared) if !prepared.is_one_procedure() => {
                self.dash
                    .decide(task, &prepared, budget, observer, &mut statistics)
            }
            Ok(prepared) => {
                let decided = self.turns(task, &prepared, budget, observer, &mut statistics);
                match decided.0 {
                    // Maybe a run of the slice that is none of the program: what the slice left
                    // out ends it.
                    Outcome::Unknown(Unknown::CheckFailed(_)) => {
                        match prepare_with(&task.program, false) {
                            Ok(whole) => {
                                self.turns(task, &whole, budget, observer, &mut statistics)
                            }
                            Err(_) => decided,
                        }
                    }
                    _ => decided,
                }
            }
        };
        Report::at_end(budget, statistics, decided)
    }
}

impl Auto {
    /// Lets the engines have their turns until one decides.
    fn turns(
        &self,
        task: &Task,
        prepared: &Prepared,
        budget: &Budget,
        observer: &mut dyn Observer,
        statistics: &mut Statistics,
    ) -> (Outcome, Scope) {
        let locations = prepared.body().locations.len().max(1) as u64;
        let mut tests = Vec::new();
        let mut last = None;
        for turn in TURNS.into_iter().map(Some).chain([None]) {
            *statistics = Statistics::default();
            let (outcome, mut scope) = match turn {
                Some(Turn::Values { whole, steps }) => Values {
                    solver: self.dash.solver.clone(),
                    whole: Some(whole),
                    steps: Some(steps),
                }
                .decide(task, prepared, budget, observer, statistics),
                Some(Turn::Dash { steps, most }) => Dash {
                    iterations: Some((steps / locations).min(most)),
                    ..self.dash.clone()
                }
                .decide(task, prepared, budget, observer, statistics),
                None => self
                    .dash
                    .decide(task, prepared, budget, observer, statistics),
            };
            tests.append(&mut scope.tests);
            let settled = match outcome {
                Outcome::Unknown(Unknown::CheckFailed(_)) => true,
                Outcome::Unknown(_) => budget.poll().is_some(),
                _ => true,
            };
            last = Some((outcome, scope));
            if settled {
                break;
            }
        }
        let (outcome, mut scope) = last.expect("there are turns");
        scope.tests = tests;
        (outcome, scope)
    }
}
