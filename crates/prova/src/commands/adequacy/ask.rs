//! Whether missing states are real: each is put to an engine as an error at its place. A test has to
//! reach it when it is run again; a proof counts once the checker has accepted its certificate.

use std::path::Path;

use anyhow::Context;
use prova_adequacy::carry::carried;
use prova_adequacy::judge::{Asked, Outcome as Judgement};
use prova_adequacy::places::{all_of, locations, may_trap, without_errors, woven};
use prova_engine::{registry, Settings};
use prova_exec::Given;
use prova_task::{check_modelled, Budget, Outcome, Silent, Task};

use super::Arguments;
use crate::commands::check::certify::accepts;

/// The answer about one missing state.
#[derive(Debug)]
pub enum Answer {
    /// A test reaches it: its inputs.
    Test(Vec<(String, String)>, Vec<u128>),
    /// Nothing does, and the checker accepted the proof.
    Impossible,
    /// Neither is known.
    Open(String),
}

/// What asking needs.
pub struct Asker<'a> {
    pub arguments: &'a Arguments,
    pub task: &'a Task,
    pub asked: Option<&'a Asked<'a>>,
    pub outcome: &'a Judgement,
    pub tests: &'a [Given],
}

impl Asker<'_> {
    /// Answers for all missing states, in their order.
    pub fn answers(&self, budget: &Budget) -> anyhow::Result<Vec<Answer>> {
        let count = self.outcome.missing.len();
        let mut answers = Vec::new();
        for number in 0..count {
            let share = budget.share((count - number) + 1);
            answers.push(self.answer(number, &share));
        }
        Ok(answers)
    }

    fn answer(&self, number: usize, budget: &Budget) -> Answer {
        let open = |why: &str| Answer::Open(why.to_owned());
        let missing = &self.outcome.missing[number];
        let place = &self.outcome.places[missing.place];
        let (Some(asked), Some(group)) = (self.asked, place.group) else {
            return open("nobody asks about states of default predicates");
        };
        let mut task = self.task.clone();
        task.earlier = self.tests.to_vec();
        without_errors(&mut task.program);
        let original = task.program.clone();
        let mut parts = Vec::new();
        for (compiled, value) in asked.compiled[group].iter().zip(&missing.state) {
            let Some(value) = value else { continue };
            let mut pool = task.program.exprs.clone();
            let carried = carried(
                asked.probes,
                &compiled.read,
                &original,
                place.procedure,
                1,
                &original,
                &mut pool,
            );
            match carried {
                Err(why) => return Answer::Open(why),
                Ok(e) => {
                    task.program.exprs = pool;
                    parts.push((e, *value));
                }
            }
        }
        let condition = all_of(&mut task.program, &parts);
        let traps = may_trap(&task.program, place.procedure, condition);
        let body = task.program.procedure(place.procedure).body.clone();
        let Some(body) = body else {
            return open("the place is in no function");
        };
        let at = locations(&body, place.key, &|_| true);
        if at.is_empty() {
            return open("the place was not found in the program as written");
        }
        woven(
            &mut task.program,
            place.procedure,
            &at,
            condition,
            &place.name,
        );
        let Some(engine) = registry::checker(&self.arguments.engine, &Settings::default()) else {
            return open("there is no such engine");
        };
        let report = check_modelled(&*engine, &task, budget, &mut Silent);
        match report.outcome {
            Outcome::Violated(violation) => {
                let values = violation.inputs.iter();
                let told = values.map(|i| (i.name.clone(), i.value.clone())).collect();
                Answer::Test(told, violation.test.values.clone())
            }
            Outcome::Proved(_) if traps => {
                open("to look at the state may be undefined, so that nothing is proved")
            }
            Outcome::Proved(proof) => match accepts(&task, &proof, budget) {
                Ok(()) => Answer::Impossible,
                Err(why) => Answer::Open(format!("the proof was not certified: {why}")),
            },
            Outcome::Bounded(_) => open("only so many rounds were looked at"),
            Outcome::Unknown(unknown) => Answer::Open(unknown.to_string()),
        }
    }
}

/// Writes the tests that were found, a value a line.
pub fn offer(folder: &Path, answers: &[Answer]) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut number = 0;
    for answer in answers {
        if let Answer::Test(_, values) = answer {
            number += 1;
            let lines: Vec<String> = values.iter().map(|v| v.to_string()).collect();
            let file = folder.join(format!("missing-{number}.txt"));
            std::fs::write(&file, lines.join("\n") + "\n")
                .with_context(|| format!("cannot write {}", file.display()))?;
        }
    }
    Ok(())
}
