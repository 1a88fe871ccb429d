//! The order of things: runs whose state comes again; measures, chosen by what tests show and refuted
//! by what engines find; a search by solvers for states that come again; the same measures where no
//! operation overflows; a count of all rounds.

use crate::choose::choose;
use crate::forever;
use crate::say;
use crate::shape::{circles, Circle};
use crate::traces::{self, Round};
use prova_exec::{Code, Test};
use prova_ir::passes::devirtualise::devirtualise;
use prova_ir::{Assumption, Program, Span, UNMODELLED};
use prova_rank::again::seek;
use prova_rank::weave::end_at_errors;
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
    /// Whether runs may be taken to be over where an operation overflows.
    pub overflow_ends: bool,
    /// Who decides about error locations: asked one after the other.
    pub engines: &'a [Box<dyn Checker>],
    /// Who is asked for runs that come back to where they were, and for short ones.
    pub unwinding: &'a [Box<dyn Checker>],
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
/// How often other measures are tried where nobody could decide.
const OTHERS: usize = 2;
/// A bound on all rounds together.
const COUNT: u64 = 1 << 20;
/// Steps of a run in which a state that comes again is looked for.
const STEPS: u64 = 100_000;

/// Whether a program ends.
pub fn check(question: Question, budget: &Budget, observer: &mut dyn Observer) -> Answer {
    let Some(plain) = Reading::of(question.task, false) else {
        let what = "this program".to_owned();
        return unknown(question.task, Unknown::Unsupported { what, span: None });
    };
    let mut search = Search {
        question,
        plain,
        statistics: Statistics::default(),
        scope: Scope::default(),
        budget,
    };
    let answer = search.run(observer);
    search.finish(answer)
}

fn unknown(task: &Task, why: Unknown) -> Answer {
    Answer {
        report: of(Outcome::Unknown(why)),
        task: task.clone(),
        ranking: Ranking::default(),
        defined: false,
    }
}

fn of(outcome: Outcome) -> Report {
    Report {
        outcome,
        statistics: Statistics::default(),
        scope: Scope::default(),
    }
}

fn open(reason: &str, span: Option<Span>) -> Unknown {
    Unknown::Undecided {
        edges: 0,
        reason: reason.to_owned(),
        span,
    }
}

/// A program, as it is read: operations wrap, or a run is over where they would.
struct Reading {
    /// What is woven into.
    task: Task,
    /// With all calls direct.
    base: Task,
    code: Arc<Code>,
    circles: Vec<Circle>,
    rounds: Vec<Vec<Round>>,
    undefined_ends: bool,
}

impl Reading {
    fn of(task: &Task, undefined_ends: bool) -> Option<Reading> {
        let mut base = task.clone();
        devirtualise(&mut base.program);
        if undefined_ends {
            end_at_errors(&mut base.program);
        }
        let circles = circles(&base.program);
        Some(Reading {
            code: forever::code(&base.program)?,
            task: task.clone(),
            base,
            rounds: vec![Vec::new(); circles.len()],
            circles,
            undefined_ends,
        })
    }

    /// Keeps the rounds that a test goes through; whether there is a new one.
    fn learn(&mut self, test: &Test) -> bool {
        let run = traces::run(&self.code, test, traces::STEPS);
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

    fn ranking(&self, chosen: &[Vec<usize>]) -> Ranking {
        let measures = self.circles.iter().zip(chosen).map(|(circle, tuple)| {
            let parts = tuple.iter().map(|&t| circle.terms[t].clone()).collect();
            (circle.subject.clone(), parts)
        });
        Ranking {
            measures: measures.collect(),
            count: None,
            undefined_ends: self.undefined_ends,
        }
    }

    fn endings(&self, ranking: &Ranking) -> Vec<Ending> {
        let program = &self.base.program;
        let own = self.circles.iter().filter(|c| program.is_own(c.span));
        own.map(|circle| ending(program, circle, ranking)).collect()
    }
}

fn ending(program: &Program, circle: &Circle, ranking: &Ranking) -> Ending {
    let measure = ranking.measures.iter().find(|m| m.0 == circle.subject);
    let parts = measure.into_iter().flat_map(|m| &m.1);
    Ending {
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

struct Search<'a> {
    question: Question<'a>,
    plain: Reading,
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
        let tests = forever::tests(self.plain.base.seed);
        for test in &tests {
            if self.budget.poll().is_some() {
                break;
            }
            if let Some(found) = self.cycle(test, STEPS) {
                return found;
            }
            self.statistics.tests += 1;
            self.plain.learn(test);
        }
        let mut why = open("nothing was tried", None);
        for stage in 0..4 {
            if let Some(stop) = self.budget.poll() {
                why = Unknown::Stopped(stop);
                break;
            }
            let share = self.budget.share([2, 3, 2, 1][stage]);
            let result = match stage {
                0 => self.wrapping(&share, observer),
                1 => self.seek(&share, observer),
                2 => self.ending(&tests, &share, observer),
                _ => self.count(&share, observer),
            };
            match result {
                Ok(answer) => return answer,
                Err(reason) => {
                    if observer.explains() {
                        observer.explain(&format!("       stage {stage}: {reason}"));
                    }
                    // The first reason says most.
                    if stage == 0 {
                        why = reason;
                    }
                }
            }
        }
        if let (Unknown::Stopped(_), Some(stop)) = (&why, self.budget.poll()) {
            why = Unknown::Stopped(stop);
        } else if let Unknown::Stopped(_) = why {
            why = Unknown::TurnsOver;
        }
        unknown(self.question.task, why)
    }

    /// A run of a test that never ends.
    fn cycle(&self, test: &Test, steps: u64) -> Option<Answer> {
        let lasso = forever::look(&self.plain.code, test, steps)?;
        let defined = self.question.defined;
        let (base, code) = (&self.plain.base, &self.plain.code);
        let (violation, task) = forever::violation(base, defined, code, &lasso)?;
        Some(Answer {
            report: of(Outcome::Violated(Box::new(violation))),
            task,
            ranking: Ranking::default(),
            defined: false,
        })
    }

    /// Measures for the program as machines run it.
    fn wrapping(
        &mut self,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Unknown> {
        let rounds = std::mem::take(&mut self.plain.rounds);
        let mut reading = Reading {
            task: self.plain.task.clone(),
            base: self.plain.base.clone(),
            code: Arc::clone(&self.plain.code),
            circles: self.plain.circles.clone(),
            rounds,
            undefined_ends: false,
        };
        self.measures(&mut reading, budget, observer)
    }

    /// Measures for runs in which no operation overflows.
    fn ending(
        &mut self,
        tests: &[Test],
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Unknown> {
        let task = self.question.defined;
        let task = task.filter(|_| self.question.overflow_ends);
        let reading = task.and_then(|task| Reading::of(task, true));
        let mut reading = reading.ok_or_else(|| open("there is no other reading", None))?;
        // Checks for overflows are no guards of the program.
        let plain = &self.plain.circles;
        let same = |(a, b): (&Circle, &Circle)| a.subject == b.subject;
        if plain.len() != reading.circles.len() || !plain.iter().zip(&reading.circles).all(same) {
            return Err(open("the loops are others where nothing overflows", None));
        }
        for (circle, own) in reading.circles.iter_mut().zip(plain) {
            circle.terms.clone_from(&own.terms);
            circle.plain.clone_from(&own.plain);
        }
        for test in tests {
            reading.learn(test);
        }
        let mut answer = self.measures(&mut reading, budget, observer)?;
        answer.defined = true;
        answer.task.assumed.push(Assumption::Overflow);
        answer.report.scope.assumptions.push(Assumption::Overflow);
        Ok(answer)
    }

    /// Chooses measures and has them proved, until that is done or none is left.
    fn measures(
        &mut self,
        reading: &mut Reading,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Unknown> {
        let mut banned: Vec<Vec<Vec<usize>>> = vec![Vec::new(); reading.circles.len()];
        let mut others = 0;
        let mut last = None;
        for trial in 0..TRIALS {
            let mut chosen = Vec::new();
            for (i, circle) in reading.circles.iter().enumerate() {
                match choose(&circle.plain, &reading.rounds[i], &banned[i]) {
                    Some(tuple) => chosen.push(tuple),
                    None => return Err(last.unwrap_or_else(|| no_measure(circle))),
                }
            }
            let ranking = reading.ranking(&chosen);
            if observer.explains() {
                for line in ranking.lines() {
                    observer.explain(&format!("       {trial}: {line}"));
                }
            }
            let share = budget.share(if others == 0 { 2 } else { OTHERS });
            match self.ask(reading, &ranking, &share, observer) {
                Said::Proved(answer) => return Ok(*answer),
                Said::Refuted(violation) => {
                    if !reading.undefined_ends {
                        if let Some(found) = self.cycle(&violation.test, STEPS) {
                            return Ok(found);
                        }
                    }
                    if !reading.learn(&violation.test) {
                        let why = "a round in which the measure does not fall teaches nothing";
                        return Err(open(why, Some(violation.span)));
                    }
                }
                Said::Open(why) => {
                    // Other measures may be easier to prove.
                    if observer.explains() {
                        observer.explain(&format!("       {trial}: {why}"));
                    }
                    others += 1;
                    if others > OTHERS || reading.circles.is_empty() {
                        return Err(why);
                    }
                    last = Some(why);
                    let circle = trial % reading.circles.len();
                    banned[circle].push(chosen[circle].clone());
                }
            }
            if let Some(stop) = budget.poll() {
                return Err(Unknown::Stopped(stop));
            }
        }
        Err(Unknown::TurnsOver)
    }

    /// Has an engine look for a loop that comes back to what its variables were.
    fn seek(&mut self, budget: &Budget, observer: &mut dyn Observer) -> Result<Answer, Unknown> {
        let mut task = self.plain.base.clone();
        let mut first = true;
        for circle in &self.plain.circles {
            if let Some(component) = &circle.component {
                seek(&mut task.program, circle.procedure, component);
                first = false;
            }
        }
        if first {
            return Err(open("there is no loop", None));
        }
        let report = asked(self.question.unwinding, &task, budget, observer);
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

    /// Bounds all rounds together, where no operation overflows: for programs whose runs are short.
    fn count(&mut self, budget: &Budget, observer: &mut dyn Observer) -> Result<Answer, Unknown> {
        let reading = self.question.defined.and_then(|t| Reading::of(t, false));
        let reading = reading.ok_or_else(|| open("there is no other reading", None))?;
        let ranking = Ranking {
            count: Some(COUNT),
            ..Ranking::default()
        };
        match self.ask(&reading, &ranking, budget, observer) {
            Said::Proved(mut answer) => {
                answer.defined = true;
                Ok(*answer)
            }
            Said::Refuted(violation) => {
                let found = self.cycle(&violation.test, 40 * STEPS);
                found.ok_or_else(|| open("there are many rounds", None))
            }
            Said::Open(why) => Err(why),
        }
    }

    /// Asks an engine whether the measures always fall.
    fn ask(
        &mut self,
        reading: &Reading,
        ranking: &Ranking,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Said {
        let mut task = reading.task.clone();
        if let Err(refused) = weave(&mut task.program, ranking) {
            return Said::Open(Unknown::Unsupported {
                what: refused.to_string(),
                span: None,
            });
        }
        let engines = match ranking.count {
            None => self.question.engines,
            Some(_) => self.question.unwinding,
        };
        let report = asked(engines, &task, budget, observer);
        let mut total = report.statistics.clone();
        total.add_time_of(&self.statistics);
        total.tests += self.statistics.tests;
        self.statistics = total;
        self.scope = report.scope.clone();
        match report.outcome {
            Outcome::Proved(mut proof) => {
                proof.ends = Some(reading.endings(ranking));
                let mut scope = report.scope;
                if reading.circles.is_empty() {
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
                    defined: false,
                }))
            }
            Outcome::Violated(v) if v.property == TERMINATION => Said::Refuted(v),
            Outcome::Violated(v) => Said::Open(Unknown::Unmodelled {
                what: match v.property == UNMODELLED {
                    true => v.message.clone(),
                    false => format!("undefined behaviour ({})", v.message),
                },
                span: Some(v.span),
            }),
            Outcome::Bounded(_) => Said::Open(Unknown::TurnsOver),
            Outcome::Unknown(why) => Said::Open(why),
        }
    }

    /// The answer with what it took.
    fn finish(self, mut answer: Answer) -> Answer {
        let mut statistics = self.statistics;
        statistics.time = self.budget.elapsed();
        answer.report.statistics = statistics;
        if !matches!(answer.report.outcome, Outcome::Proved(_)) {
            let scope = &mut answer.report.scope;
            *scope = self.scope;
            if scope.assumptions.is_empty() {
                scope.assumptions = self.question.task.assumed.clone();
                scope.markers = self.question.task.unmodelled.clone();
            }
        }
        answer
    }
}

/// What the first engine says that decides a task.
fn asked(
    engines: &[Box<dyn Checker>],
    task: &Task,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Report {
    let mut last: Option<Report> = None;
    for (i, engine) in engines.iter().enumerate() {
        let share = budget.share(engines.len() - i);
        let mut report = check_modelled(&**engine, task, &share, observer);
        if let Some(before) = &last {
            report.statistics.add_time_of(&before.statistics);
        }
        let open = matches!(report.outcome, Outcome::Unknown(_) | Outcome::Bounded(_));
        if !open || budget.poll().is_some() {
            return report;
        }
        last = Some(report);
    }
    last.unwrap_or_else(|| of(Outcome::Unknown(Unknown::TurnsOver)))
}

fn no_measure(circle: &Circle) -> Unknown {
    let what = match &circle.subject {
        Subject::Loop(..) => "no measure was found for this loop".to_owned(),
        Subject::Call(name) => format!("no measure was found for the calls of `{name}`"),
    };
    open(&what, Some(circle.span))
}
