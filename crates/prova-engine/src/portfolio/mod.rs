//! Engines in turn: the cheap one first, within bounds, then the one that goes on.

use crate::engines::dash::Dash;
use crate::engines::values::Values;
use prova_task::budget::Budget;
use prova_task::prepare::{prepare_as, Form, Prepared};
use prova_task::*;

/// Explicit values and DASH by turns, then DASH alone.
#[derive(Clone, Debug, Default)]
pub struct Auto {
    /// The second engine, with its solver.
    pub dash: Dash,
}

/// A first look.
const FIRST: Turn = Turn::Values {
    whole: 10_000,
    questions: 150,
    steps: 6_000,
};

/// Turns that engines have before DASH goes on alone. Counted in steps, not in seconds: the same
/// input takes the same way every time.
const TURNS: [Turn; 5] = [
    FIRST,
    Turn::Dash {
        steps: 60_000,
        most: 500,
    },
    Turn::Values {
        whole: 150_000,
        questions: 100,
        steps: 60_000,
    },
    Turn::Dash {
        steps: u64::MAX,
        most: 400,
    },
    Turn::Values {
        whole: 4_000_000,
        questions: u64::MAX,
        steps: 2_000_000,
    },
];

/// Turns for programs that recurse, followed as if they never did it deeply.
const NOT_DEEP: [Turn; 2] = [
    FIRST,
    Turn::Values {
        whole: 150_000,
        questions: 100,
        steps: 600_000,
    },
];
/// About as many steps has the search by procedures after each of these.
const STEPS_BETWEEN: u64 = 60_000;

enum Turn {
    Values {
        whole: u64,
        questions: u64,
        steps: u64,
    },
    /// As many iterations as make about this many steps, for an iteration costs more in a larger
    /// program, but no more than `most`.
    Dash { steps: u64, most: u64 },
}

impl Checker for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn check(&self, task: &Task, budget: &Budget, observer: &mut dyn Observer) -> Report {
        let mut round = Round {
            dash: &self.dash,
            task,
            budget,
            observer,
            statistics: Statistics::default(),
            before: Statistics::default(),
        };
        let decided = round.decide();
        round.statistics.add_time_of(&round.before);
        Report::at_end(budget, round.statistics, decided)
    }
}

/// One check.
struct Round<'a> {
    dash: &'a Dash,
    task: &'a Task,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    /// Of the last turn.
    statistics: Statistics,
    /// The time of the turns before.
    before: Statistics,
}

impl Round<'_> {
    fn decide(&mut self) -> (Outcome, Scope) {
        match self.dash.prepare(&self.task.program) {
            Err(unknown) => (Outcome::Unknown(unknown), Scope::default()),
            Ok(prepared) if prepared.is_one_procedure() => {
                self.in_form(Form::USUAL, prepared, &TURNS, true)
            }
            Ok(prepared) => self.procedures(&prepared),
        }
    }

    /// Several procedures that call one another. They may never do it deeply: through a table of
    /// functions that holds others, say. Then one procedure stands for all.
    fn procedures(&mut self, prepared: &Prepared) -> (Outcome, Scope) {
        if self.dash.inline == Inline::Never {
            return self.last(prepared);
        }
        for turn in &NOT_DEEP {
            let Ok(one) = prepare_as(&self.task.program, Form::NOT_DEEP) else {
                break;
            };
            let decided = self.in_form(Form::NOT_DEEP, one, std::slice::from_ref(turn), false);
            match decided.0 {
                Outcome::Unknown(Unknown::Stopped(_)) => {}
                Outcome::Unknown(_) => break,
                _ => return decided,
            }
            let bodies = prepared.program.procedures.iter();
            let locations = bodies
                .filter_map(|p| p.body.as_ref())
                .map(|b| b.locations.len() as u64)
                .sum::<u64>();
            self.next_turn();
            let decided = Dash {
                iterations: Some((STEPS_BETWEEN / locations.max(1)).clamp(20, 300)),
                ..self.dash.clone()
            }
            .decide(
                self.task,
                prepared,
                self.budget,
                self.observer,
                &mut self.statistics,
            );
            match decided.0 {
                Outcome::Unknown(_) if self.budget.poll().is_none() => {}
                _ => return decided,
            }
        }
        self.last(prepared)
    }

    /// Lets the engines have these turns. What fails on a slice of the program may be no run of
    /// it, as what the slice left out ends it: then once more without slicing.
    fn in_form(
        &mut self,
        form: Form,
        prepared: Prepared,
        turns: &[Turn],
        to_the_end: bool,
    ) -> (Outcome, Scope) {
        let decided = self.turns(&prepared, turns, to_the_end);
        if !matches!(decided.0, Outcome::Unknown(Unknown::CheckFailed(_))) {
            return decided;
        }
        let whole = Form {
            sliced: false,
            ..form
        };
        match prepare_as(&self.task.program, whole) {
            Ok(whole) => self.turns(&whole, turns, to_the_end),
            Err(_) => decided,
        }
    }

    /// Lets the engines have their turns until one decides; then, `to_the_end`, DASH alone.
    fn turns(&mut self, prepared: &Prepared, turns: &[Turn], to_the_end: bool) -> (Outcome, Scope) {
        let mut tests = Vec::new();
        let mut last = None;
        for turn in turns.iter().map(Some).chain(to_the_end.then_some(None)) {
            let (outcome, mut scope) = match turn {
                Some(turn) => self.turn(prepared, turn),
                None => self.last(prepared),
            };
            tests.append(&mut scope.tests);
            let settled = match outcome {
                Outcome::Unknown(Unknown::CheckFailed(_)) => true,
                Outcome::Unknown(_) => self.budget.poll().is_some(),
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

    fn next_turn(&mut self) {
        let last = std::mem::take(&mut self.statistics);
        self.before.add_time_of(&last);
    }

    fn turn(&mut self, prepared: &Prepared, turn: &Turn) -> (Outcome, Scope) {
        self.next_turn();
        let (task, budget) = (self.task, self.budget);
        match *turn {
            Turn::Values {
                whole,
                questions,
                steps,
            } => Values {
                solver: self.dash.solver.clone(),
                whole: Some(whole),
                questions: Some(questions),
                steps: Some(steps),
            }
            .decide(task, prepared, budget, self.observer, &mut self.statistics),
            Turn::Dash { steps, most } => {
                let locations = prepared.body().locations.len().max(1) as u64;
                Dash {
                    iterations: Some((steps / locations).min(most)),
                    ..self.dash.clone()
                }
                .decide(
                    task,
                    prepared,
                    budget,
                    self.observer,
                    &mut self.statistics,
                )
            }
        }
    }

    /// DASH, for as long as there is time.
    fn last(&mut self, prepared: &Prepared) -> (Outcome, Scope) {
        self.next_turn();
        let (task, budget) = (self.task, self.budget);
        let statistics = &mut self.statistics;
        self.dash
            .decide(task, prepared, budget, self.observer, statistics)
    }
}
