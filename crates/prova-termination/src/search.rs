//! The order of things: runs whose state comes again, then measures, chosen by what tests show and
//! refuted by what engines find, then a count of all rounds.

use crate::choose::choose;
use crate::forever;
use crate::say;
use crate::shape::{circles, Circle};
use crate::traces::{self, Round};
use prova_exec::{Code, Policy, Test};
use prova_ir::passes::devirtualise::devirtualise;
use prova_ir::{Program, UNMODELLED};
use prova_rank::{weave, Ranking, Subject, TERMINATION};
use prova_task::proof::Ending;
use prova_task::{
    check_modelled, Budget, Checker, Observer, Outcome, Report, Scope, Statistics, Task, Unknown,
    Violation,
};
use std::sync::Arc;

/// What is asked.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// Whether this program ends.
    pub task: &'a Task,
    /// The same program with an error wherever an operation has no result in C.
    pub defined: Option<&'a Task>,
    /// Who decides about error locations.
    pub engine: &'a dyn Checker,
}

/// What is answered.
pub struct Answer {
    /// The verdict.
    pub report: Report,
    /// The program that its evidence speaks of: with checks of measures, or with a count of rounds.
    pub task: Task,
    /// The measures of a proof.
    pub ranking: Ranking,
    /// Whether the proof is one for [`Question::defined`].
    pub defined: bool,
}

/// How often measures are chosen anew.
const TRIALS: usize = 40;
/// A bound on all rounds together.
const COUNT: u64 = 1 << 20;

/// Whether a program ends.
pub fn check(question: Question, budget: &Budget, observer: &mut dyn Observer) -> Answer {
    let mut base = question.task.clone();
    devirtualise(&mut base.program);
    let unsupported = |what: &str| Unknown::Unsupported {
        what: what.to_owned(),
        span: None,
    };
    let Some(code) = forever::code(&base.program) else {
        return unknown(question.task, unsupported("this program"));
    };
    let mut search = Search {
        question,
        circles: circles(&base.program),
        base,
        code,
        statistics: Statistics::default(),
        scope: Scope::default(),
        budget,
    };
    let answer = search.run(observer);
    search.finish(answer)
}

fn unknown(task: &Task, why: Unknown) -> Answer {
    Answer {
        report: Report {
            outcome: Outcome::Unknown(why),
            statistics: Statistics::default(),
            scope: Scope::default(),
        },
        task: task.clone(),
        ranking: Ranking::default(),
        defined: false,
    }
}

struct Search<'a> {
    question: Question<'a>,
    base: Task,
    code: Arc<Code>,
    circles: Vec<Circle>,
    statistics: Statistics,
    scope: Scope,
    budget: &'a Budget,
}

/// What an engine said of a ranking.
enum Said {
    Proved(Box<Answer>),
    Refuted(Box<Violation>),
    Open(Unknown),
}

impl Search<'_> {
    fn run(&mut self, observer: &mut dyn Observer) -> Answer {
        let mut rounds: Vec<Vec<Round>> = vec![Vec::new(); self.circles.len()];
        for test in forever::tests(self.base.seed) {
            if self.budget.poll().is_some() {
                break;
            }
            if let Some(found) = self.cycle(&test, 100_000) {
                return found;
            }
            self.learn(&test, &mut rounds);
        }
        let mut why = match self.measures(&mut rounds, observer) {
            Ok(answer) => return answer,
            Err(why) => why,
        };
        if let Some(stop) = self.budget.poll() {
            why = Unknown::Stopped(stop);
        } else {
            match self.count(observer) {
                Ok(answer) => return answer,
                Err(Some(stop)) => why = stop,
                Err(None) => {}
            }
        }
        unknown(self.question.task, why)
    }

    /// A run of a test that never ends.
    fn cycle(&mut self, test: &Test, steps: u64) -> Option<Answer> {
        let lasso = forever::look(&self.code, test, steps)?;
        let defined = self.question.defined;
        let (violation, task) = forever::violation(&self.base, defined, &self.code, &lasso)?;
        Some(Answer {
            report: Report {
                outcome: Outcome::Violated(Box::new(violation)),
                statistics: Statistics::default(),
                scope: Scope::default(),
            },
            task,
            ranking: Ranking::default(),
            defined: false,
        })
    }

    /// Keeps the rounds that a test goes through; whether there is a new one.
    fn learn(&mut self, test: &Test, rounds: &mut [Vec<Round>]) -> bool {
        self.statistics.tests += 1;
        let run = traces::run(&self.code, test, traces::STEPS);
        let mut new = false;
        for (circle, known) in self.circles.iter().zip(rounds) {
            for round in traces::rounds(&run, circle) {
                if !known.contains(&round) {
                    known.push(round);
                    new = true;
                }
            }
        }
        new
    }

    /// Chooses measures and has them proved, until that is done or none is left.
    fn measures(
        &mut self,
        rounds: &mut [Vec<Round>],
        observer: &mut dyn Observer,
    ) -> Result<Answer, Unknown> {
        let mut banned: Vec<Vec<Vec<usize>>> = vec![Vec::new(); self.circles.len()];
        for trial in 0..TRIALS {
            let mut chosen = Vec::new();
            for (i, circle) in self.circles.iter().enumerate() {
                let Some(tuple) = choose(circle.terms.len(), &rounds[i], &banned[i]) else {
                    return Err(self.no_measure(circle));
                };
                chosen.push(tuple);
            }
            let ranking = self.ranking(&chosen);
            if observer.explains() {
                for line in ranking.lines() {
                    observer.explain(&format!("       {trial}: {line}"));
                }
            }
            let share = self.budget.share(2);
            match self.ask(&ranking, false, &share, observer) {
                Said::Proved(answer) => return Ok(*answer),
                Said::Refuted(violation) => {
                    let test = Test {
                        rest: Policy::Zero,
                        ..violation.test.clone()
                    };
                    if let Some(found) = self.cycle(&test, 100_000) {
                        return Ok(found);
                    }
                    if !self.learn(&test, rounds) {
                        return Err(Unknown::Undecided {
                            edges: 0,
                            reason: "a round in which the measure does not fall teaches nothing"
                                .into(),
                            span: Some(violation.span),
                        });
                    }
                }
                Said::Open(why) => {
                    // Another tuple for the last circle may be easier.
                    let _ = &mut banned;
                    return Err(why);
                }
            }
            if let Some(stop) = self.budget.poll() {
                return Err(Unknown::Stopped(stop));
            }
        }
        Err(Unknown::TurnsOver)
    }

    fn no_measure(&self, circle: &Circle) -> Unknown {
        let what = match &circle.subject {
            Subject::Loop(..) => "no measure was found for this loop".to_owned(),
            Subject::Call(name) => format!("no measure was found for the calls of `{name}`"),
        };
        Unknown::Undecided {
            edges: 0,
            reason: what,
            span: Some(circle.span),
        }
    }

    fn ranking(&self, chosen: &[Vec<usize>]) -> Ranking {
        let measures = self.circles.iter().zip(chosen).map(|(circle, tuple)| {
            let parts = tuple.iter().map(|&t| circle.terms[t].clone()).collect();
            (circle.subject.clone(), parts)
        });
        Ranking {
            measures: measures.collect(),
            count: None,
        }
    }

    /// Bounds all rounds together, where no operation overflows: for programs whose runs are short.
    fn count(&mut self, observer: &mut dyn Observer) -> Result<Answer, Option<Unknown>> {
        let ranking = Ranking {
            measures: Vec::new(),
            count: Some(COUNT),
        };
        let share = self.budget.share(1);
        match self.ask(&ranking, true, &share, observer) {
            Said::Proved(answer) => Ok(*answer),
            Said::Refuted(violation) => match self.cycle(&violation.test, 4_000_000) {
                Some(found) => Ok(found),
                None => Err(None),
            },
            Said::Open(Unknown::Stopped(stop)) => Err(Some(Unknown::Stopped(stop))),
            Said::Open(_) => Err(None),
        }
    }

    /// Asks an engine whether the measures always fall.
    fn ask(
        &mut self,
        ranking: &Ranking,
        defined: bool,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Said {
        let from = match (defined, self.question.defined) {
            (true, Some(task)) => task,
            (true, None) => return Said::Open(Unknown::TurnsOver),
            (false, _) => self.question.task,
        };
        let mut task = from.clone();
        if let Err(refused) = weave(&mut task.program, ranking) {
            return Said::Open(Unknown::Unsupported {
                what: refused.to_string(),
                span: None,
            });
        }
        let report = check_modelled(self.question.engine, &task, budget, observer);
        let mut total = report.statistics.clone();
        total.add_time_of(&self.statistics);
        total.tests += self.statistics.tests;
        self.statistics = total;
        self.scope = report.scope.clone();
        match report.outcome {
            Outcome::Proved(mut proof) => {
                proof.ends = Some(self.endings(&task.program, ranking));
                let mut scope = report.scope;
                if self.circles.is_empty() {
                    // There is nothing that could go on: that says all.
                    scope.vacuous = None;
                }
                Said::Proved(Box::new(Answer {
                    report: Report {
                        outcome: Outcome::Proved(proof),
                        statistics: report.statistics,
                        scope,
                    },
                    task,
                    ranking: ranking.clone(),
                    defined,
                }))
            }
            Outcome::Violated(violation) if violation.property == TERMINATION => {
                Said::Refuted(violation)
            }
            Outcome::Violated(violation) if violation.property == UNMODELLED => {
                Said::Open(Unknown::Unmodelled {
                    what: violation.message.clone(),
                    span: Some(violation.span),
                })
            }
            Outcome::Violated(violation) => Said::Open(Unknown::Unmodelled {
                what: format!("undefined behaviour ({})", violation.message),
                span: Some(violation.span),
            }),
            Outcome::Bounded(_) => Said::Open(Unknown::TurnsOver),
            Outcome::Unknown(why) => Said::Open(why),
        }
    }

    fn endings(&self, program: &Program, ranking: &Ranking) -> Vec<Ending> {
        let own = self.circles.iter().filter(|c| program.is_own(c.span));
        own.map(|circle| {
            let measure = ranking.measures.iter().find(|m| m.0 == circle.subject);
            let parts = measure.into_iter().flat_map(|m| &m.1);
            Ending {
                span: circle.span,
                calls: match &circle.subject {
                    Subject::Loop(..) => None,
                    Subject::Call(_) => Some(program.procedure(circle.procedure).c_name.clone()),
                },
                measure: parts.map(|p| say::part(program, circle.procedure, p)).collect(),
            }
        })
        .collect()
    }

    /// The answer with what it took.
    fn finish(self, mut answer: Answer) -> Answer {
        let mut statistics = self.statistics;
        statistics.time = self.budget.elapsed();
        answer.report.statistics = statistics;
        if !matches!(answer.report.outcome, Outcome::Proved(_)) {
            answer.report.scope = self.scope;
            let scope = &mut answer.report.scope;
            if scope.assumptions.is_empty() {
                scope.assumptions = self.question.task.assumed.clone();
                scope.markers = self.question.task.unmodelled.clone();
            }
        }
        answer
    }
}
