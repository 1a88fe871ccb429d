//! The side of the search that looks for runs that never end: a state that comes again in a test, one
//! that engines are asked for, and sets of states that are never left.

use crate::closed;
use crate::forever;
use crate::search::{asked, of, open, Answer, Effort, Search, STEPS};
use prova_exec::{Lasso, Test};
use prova_rank::again::seek;
use prova_rank::Ranking;
use prova_task::{Budget, Observer, Outcome, Unknown};
use std::collections::BTreeMap;

impl Search<'_> {
    /// A run of a test that never ends.
    pub(crate) fn cycle(&mut self, test: &Test, steps: u64) -> Option<Answer> {
        let lasso = forever::look(&self.plain.code, test, steps)?;
        let defined = self.question.defined;
        let (base, code) = (&self.plain.base, &self.plain.code);
        if self.may_go_on(&lasso) {
            return None;
        }
        if forever::overflows(defined, &lasso) {
            // A stack that grows for ever ends on every machine.
            self.wraps_for_ever |= !lasso.call;
            return None;
        }
        let (violation, task) = forever::violation(base, code, &lasso)?;
        Some(Answer {
            report: of(Outcome::Violated(Box::new(violation))),
            task,
            ranking: Ranking::default(),
            defined: false,
            closed: None,
        })
    }

    /// Whether a cycle goes round in a loop that may run for ever.
    fn may_go_on(&self, lasso: &Lasso) -> bool {
        let circles = self.plain.circles.iter().zip(&self.plain.forever);
        let mut heads = circles.filter(|c| *c.1).filter_map(|(circle, _)| {
            let component = circle.component.as_ref()?;
            Some((circle.procedure, component.head))
        });
        heads.any(|(procedure, head)| forever::passes(&self.plain.code, lasso, procedure, head))
    }

    /// Runs that never end without coming back to where they were: of a test that was long, inputs are
    /// fixed, and engines are asked whether what is left can end; of so many tests at most.
    pub(crate) fn closed(
        &mut self,
        effort: &Effort,
        most: usize,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Unknown> {
        let nothing = || open("no set of states was found that is never left", None);
        let defined = self.question.defined.ok_or_else(nothing)?;
        if self.plain.forever.contains(&true) {
            return Err(nothing());
        }
        let mut tried: Vec<BTreeMap<_, _>> = Vec::new();
        for test in self.tests.iter().take(closed::TESTS) {
            let Some(found) = closed::look(&self.plain.base, &self.plain.code, test) else {
                continue;
            };
            if tried.contains(&found.fixed) {
                continue;
            }
            let Some(task) = found.narrowed(defined) else {
                continue;
            };
            tried.push(found.fixed.clone());
            if observer.explains() {
                let n = found.fixed.len();
                observer.explain(&format!("       a long run, {n} inputs fixed"));
            }
            let report = asked(&effort.engines, &task, budget, observer);
            self.statistics.add_time_of(&report.statistics);
            if let Outcome::Proved(proof) = report.outcome {
                let (violation, woven) = found.violation(&self.plain.base);
                return Ok(Answer {
                    report: of(Outcome::Violated(Box::new(violation))),
                    task: woven,
                    ranking: Ranking::default(),
                    defined: false,
                    closed: Some((task, proof)),
                });
            }
            if tried.len() == most || budget.poll().is_some() {
                break;
            }
        }
        Err(nothing())
    }

    /// Has an engine look for a loop that comes back to what its variables were.
    pub(crate) fn seek(
        &mut self,
        effort: &Effort,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Unknown> {
        let mut task = self.plain.base.clone();
        let mut first = true;
        for (circle, forever) in self.plain.circles.iter().zip(&self.plain.forever) {
            if let Some(component) = circle.component.as_ref().filter(|_| !forever) {
                seek(&mut task.program, circle.procedure, component);
                first = false;
            }
        }
        if first {
            return Err(open("there is no loop", None));
        }
        let report = asked(&effort.unwinding, &task, budget, observer);
        self.statistics.add_time_of(&report.statistics);
        let Outcome::Violated(violation) = report.outcome else {
            return Err(open(
                "no loop was found that comes back to where it was",
                None,
            ));
        };
        let nothing = || {
            open(
                "a loop comes back to where it was, but memory has changed",
                None,
            )
        };
        let code = forever::code(&task.program).ok_or_else(nothing)?;
        let test = forever::without_choices(&code, &violation.test);
        self.cycle(&test, STEPS).ok_or_else(nothing)
    }
}
