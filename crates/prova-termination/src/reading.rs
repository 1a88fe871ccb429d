//! A program as it is read (operations wrap, or a run is over where they would), with its circles and
//! what tests have shown of them.

use crate::bound::bound;
use crate::choose::falls;
use crate::forever;
use crate::returned::{returned, Returned};
use crate::say;
use crate::search::Question;
use crate::shape::{circles, labelled, Circle};
use crate::traces::{self, Round};
use prova_exec::{Code, Test};
use prova_ir::passes::devirtualise::devirtualise;
use prova_ir::Program;
use prova_rank::weave::end_at_errors;
use prova_rank::{Order, Ranking, Subject, Tuple};
use prova_task::proof::Ending;
use prova_task::Task;
use std::sync::Arc;

/// A program, as it is read.
#[derive(Clone)]
pub struct Reading {
    /// What is woven into.
    pub task: Task,
    /// With all calls direct.
    pub base: Task,
    /// What is run.
    pub code: Arc<Code>,
    /// What has to have measures.
    pub circles: Vec<Circle>,
    /// What tests have shown of each circle.
    pub rounds: Vec<Vec<Round>>,
    /// Which circles may run for ever.
    pub forever: Vec<bool>,
    /// Whether runs are over where an operation overflows.
    pub undefined_ends: bool,
    /// What tests have shown of what procedures that call themselves return.
    pub returned: Vec<Returned>,
}

impl Reading {
    /// Reads a task in one of the two ways.
    pub fn of(question: &Question, task: &Task, undefined_ends: bool) -> Option<Reading> {
        let mut base = task.clone();
        devirtualise(&mut base.program);
        if undefined_ends {
            end_at_errors(&mut base.program);
        }
        let circles = circles(&base.program);
        let labels = question.may_run_forever;
        let forever = circles.iter().enumerate().map(|(i, circle)| {
            let is_loop = circle.component.is_some();
            let other = question.only.is_some_and(|only| only != i);
            is_loop && other
                || labels
                    .iter()
                    .any(|l| labelled(&base.program, &circles, i, l))
        });
        Some(Reading {
            forever: forever.collect(),
            code: forever::code(&base.program)?,
            task: task.clone(),
            rounds: vec![Vec::new(); circles.len()],
            returned: returned(&base.program, &circles),
            base,
            circles,
            undefined_ends,
        })
    }

    /// Keeps the rounds that a test goes through; whether there is a new one.
    pub fn learn(&mut self, test: &Test) -> bool {
        let run = traces::run(&self.code, test, traces::STEPS);
        for returned in &mut self.returned {
            returned.learn(&run);
        }
        let mut new = false;
        for (circle, known) in self.circles.iter().zip(&mut self.rounds) {
            for round in traces::rounds(&run, circle) {
                if !known.contains(&round) {
                    known.push(round);
                    new = true;
                }
            }
        }
        new
    }

    /// Whether a test goes through a round in which a measure does not fall.
    pub fn contradicts(&self, test: &Test, ranking: &Ranking) -> bool {
        let run = traces::run(&self.code, test, traces::STEPS);
        let mut circles = self.circles.iter();
        circles.any(|circle| {
            let measure = ranking.measures.iter().find(|m| m.0 == circle.subject);
            let parts = measure.map_or(&[][..], |m| &m.1.parts);
            let place = |part| circle.terms.iter().position(|t| t == part);
            let Some(tuple) = parts.iter().map(place).collect::<Option<Vec<_>>>() else {
                return false;
            };
            let rounds = traces::rounds(&run, circle);
            !tuple.is_empty() && rounds.iter().any(|round| !falls(&tuple, round))
        })
    }

    /// The ranking that chosen terms of the circles make.
    pub fn ranking(&self, chosen: &[Vec<usize>]) -> Ranking {
        let circles = self.circles.iter().zip(&self.forever).zip(chosen);
        let measures = circles.map(|((circle, forever), terms)| {
            let parts = terms.iter().map(|&t| circle.terms[t].clone());
            let tuple = Tuple {
                order: match forever {
                    true => Order::Forever,
                    false => Order::Lexicographic,
                },
                parts: parts.collect(),
            };
            (circle.subject.clone(), tuple)
        });
        Ranking {
            measures: measures.collect(),
            count: None,
            returns: Vec::new(),
            undefined_ends: self.undefined_ends,
        }
    }

    /// How the user's own circles end, for people.
    pub fn endings(&self, ranking: &Ranking) -> Vec<Ending> {
        let program = &self.base.program;
        let own = self.circles.iter().zip(&self.forever);
        let own = own.filter(|(c, forever)| program.is_own(c.span) && !**forever);
        own.map(|(circle, _)| ending(program, circle, ranking))
            .collect()
    }
}

fn ending(program: &Program, circle: &Circle, ranking: &Ranking) -> Ending {
    let measure = ranking.measures.iter().find(|m| m.0 == circle.subject);
    let parts = measure.into_iter().flat_map(|m| &m.1.parts);
    Ending {
        bound: measure.and_then(|m| bound(program, circle, &m.1)),
        span: circle.span,
        calls: match &circle.subject {
            Subject::Loop(..) => None,
            Subject::Call(_) => Some(program.procedure(circle.procedure).c_name.clone()),
        },
        measure: parts
            .map(|p| say::part(program, circle.procedure, p))
            .collect(),
    }
}
