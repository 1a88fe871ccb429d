//! The side of the search that proves that every run ends: measures are chosen by what tests show, and
//! engines prove them or refute them by one more test; a count of all rounds is the last resort.

use crate::choose::{choose, enough};
use crate::reading::Reading;
use crate::search::{asked, no_measure, open, Answer, Effort, Search, COUNT, STEPS};
use crate::shape::Circle;
use prova_ir::passes::call_graph::call_graph;
use prova_ir::{Program, UNMODELLED};
use prova_rank::descend::BROKEN;
use prova_rank::weave::allowed;
use prova_rank::{weave, Order, Part, Ranking, Subject, Tuple, TERMINATION};
use prova_task::{Budget, Observer, Outcome, Report, Unknown, Violation};

/// How often something is promised about what procedures return.
const PROMISES: usize = 8;

/// What an engine said of a ranking.
enum Said {
    Proved(Box<Answer>),
    Refuted(Box<Violation>),
    Open(Unknown),
}

/// What a test says that refutes a measure.
enum Learned {
    /// It never ends.
    Forever(Box<Answer>),
    /// Rounds that nobody had seen.
    Rounds,
    /// Nothing, as its rounds cannot be seen where tests are run.
    Nothing(Unknown),
}

/// What engines may do, and who is told.
pub(crate) struct Turn<'t> {
    pub effort: &'t Effort,
    /// How often measures may be chosen anew.
    pub trials: usize,
    /// How often other measures are tried where nobody could decide.
    pub others: usize,
    pub budget: &'t Budget,
    pub observer: &'t mut dyn Observer,
}

impl Search<'_> {
    /// Chooses measures and has them proved, until that is done or none is left.
    pub(crate) fn measures(
        &mut self,
        reading: &mut Reading,
        turn: &mut Turn,
    ) -> Result<Answer, Unknown> {
        let circles = reading.circles.len();
        let mut banned: Vec<Vec<Vec<usize>>> = vec![Vec::new(); circles];
        let mut opened = vec![0; circles];
        let mut alone: Vec<Option<Vec<usize>>> = vec![None; circles];
        let (mut last, mut useless) = (None, 0);
        for trial in 0..turn.trials {
            if let Some(stop) = turn.budget.poll() {
                return Err(Unknown::Stopped(stop));
            }
            let chosen = match chosen(reading, &banned) {
                Ok(chosen) => chosen,
                Err(why) => return Err(last.unwrap_or(why)),
            };
            let ranking = reading.ranking(&chosen);
            if turn.observer.explains() {
                for line in ranking.lines() {
                    turn.observer.explain(&format!("       {trial}: {line}"));
                }
            }
            match self.ask(reading, &ranking, turn) {
                Said::Proved(answer) => {
                    if turn.observer.explains() {
                        for (circle, rounds) in reading.circles.iter().zip(&reading.rounds) {
                            let enough = enough(&circle.costs, rounds);
                            let line = format!("       fits the tests: {enough:?}");
                            turn.observer.explain(&line);
                        }
                    }
                    return Ok(*self.tighter(reading, turn, answer));
                }
                Said::Refuted(violation) => match self.refuted(reading, &violation) {
                    Learned::Forever(found) => return Ok(*found),
                    Learned::Rounds => {}
                    Learned::Nothing(why) => {
                        useless += 1;
                        if useless > turn.trials / 2 {
                            return Err(why);
                        }
                        ban(reading, &violation, &chosen, &mut banned);
                        last = Some(why);
                    }
                },
                Said::Open(why) => {
                    if turn.observer.explains() {
                        turn.observer.explain(&format!("       {trial}: {why}"));
                    }
                    // Other measures may be easier to prove; which ones are hard shows where each is
                    // asked about by itself.
                    let free: Vec<usize> = (0..circles).filter(|c| !reading.forever[*c]).collect();
                    let mut changed = false;
                    for &circle in &free {
                        if alone[circle].as_ref() == Some(&chosen[circle]) {
                            continue;
                        }
                        let said = match free.len() {
                            1 => Said::Open(why.clone()),
                            _ => self.ask(reading, &of_one(&ranking, reading, circle), turn),
                        };
                        match said {
                            Said::Proved(_) => alone[circle] = Some(chosen[circle].clone()),
                            Said::Refuted(violation) => {
                                changed = true;
                                match self.refuted(reading, &violation) {
                                    Learned::Forever(found) => return Ok(*found),
                                    Learned::Rounds => {}
                                    Learned::Nothing(_) => {
                                        banned[circle].push(chosen[circle].clone());
                                    }
                                }
                            }
                            Said::Open(_) if banned[circle].len() == turn.others => {
                                return Err(why)
                            }
                            Said::Open(_) => {
                                changed = true;
                                opened[circle] += 1;
                                banned[circle].push(chosen[circle].clone());
                            }
                        }
                        if let Some(stop) = turn.budget.poll() {
                            return Err(Unknown::Stopped(stop));
                        }
                    }
                    if !changed {
                        return Err(why);
                    }
                    last = Some(why);
                }
            }
        }
        Err(Unknown::TurnsOver)
    }

    /// Learns from a round in which a measure does not fall, unless it is one of a run that never ends.
    fn refuted(&mut self, reading: &mut Reading, violation: &Violation) -> Learned {
        if !reading.undefined_ends {
            if let Some(found) = self.cycle(&violation.test, STEPS) {
                return Learned::Forever(Box::new(found));
            }
        }
        let why = "a round in which the measure does not fall teaches nothing";
        match reading.learn(&violation.test) {
            true => Learned::Rounds,
            false => Learned::Nothing(open(why, Some(violation.span))),
        }
    }

    /// Where one loop is asked about, for a bound: the measure with one less, if that is one, too.
    fn tighter(&mut self, reading: &Reading, turn: &mut Turn, answer: Box<Answer>) -> Box<Answer> {
        let Some(only) = self.question.only else {
            return answer;
        };
        let subject = &reading.circles[only].subject;
        let mut ranking = answer.ranking.clone();
        let own = ranking.measures.iter_mut().find(|m| m.0 == *subject);
        let Some([part]) = own.map(|m| &mut m.1.parts[..]) else {
            return answer;
        };
        part.constant -= 1;
        part.others.iter_mut().for_each(|p| p.constant -= 1);
        match self.ask(reading, &ranking, turn) {
            Said::Proved(better) => better,
            _ => answer,
        }
    }

    /// Bounds all rounds together, where no operation overflows: for programs whose runs are short.
    pub(crate) fn count(&mut self, turn: &mut Turn) -> Result<Answer, Unknown> {
        let reading = self.question.defined;
        let reading = reading.and_then(|t| Reading::of(&self.question, t, false));
        let reading = reading.ok_or_else(|| open("there is no other reading", None))?;
        let allowed = reading.circles.iter().zip(&reading.forever);
        let allowed = allowed.filter(|c| *c.1).map(|(circle, _)| {
            let tuple = Tuple {
                order: Order::Forever,
                parts: Vec::new(),
            };
            (circle.subject.clone(), tuple)
        });
        let ranking = Ranking {
            measures: allowed.collect(),
            count: Some(COUNT),
            returns: Vec::new(),
            undefined_ends: false,
        };
        match self.ask(&reading, &ranking, turn) {
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

    /// Asks whether the measures always fall: first with calls that procedures make of themselves passed
    /// over, of which nothing is known, or what tests have shown; then with calls as they are.
    fn ask(&mut self, reading: &Reading, ranking: &Ranking, turn: &mut Turn) -> Said {
        if reading.returned.is_empty() || ranking.count.is_some() {
            return self.ask_as_it_is(reading, ranking, turn);
        }
        let all = reading.returned.iter();
        let promised: Vec<_> = all.map(|r| (r.name.clone(), r.promises())).collect();
        let nothing = promised.iter().map(|p| (p.0.clone(), Vec::new()));
        let mut way = Ranking {
            returns: nothing.collect(),
            ..ranking.clone()
        };
        for trial in 0..=PROMISES {
            if turn.observer.explains() {
                for line in way.lines().iter().filter(|l| l.starts_with("returns")) {
                    turn.observer.explain(&format!("       {line}"));
                }
            }
            let said = self.ask_as_it_is(reading, &way, turn);
            match said {
                Said::Proved(_) => return said,
                Said::Refuted(ref v) if reading.contradicts(&v.test, ranking) => return said,
                Said::Refuted(v) if v.message.starts_with(BROKEN) => {
                    let broken = |p: &Part| v.message == format!("{BROKEN}{p}");
                    for (_, parts) in &mut way.returns {
                        parts.retain(|p| !broken(p));
                    }
                }
                _ if trial == 0 && promised.iter().any(|p| !p.1.is_empty()) => {
                    way.returns.clone_from(&promised);
                }
                _ => break,
            }
            if let Some(stop) = turn.budget.poll() {
                return Said::Open(Unknown::Stopped(stop));
            }
        }
        self.ask_as_it_is(reading, ranking, turn)
    }

    /// Asks an engine whether the measures of a ranking always fall.
    fn ask_as_it_is(&mut self, reading: &Reading, ranking: &Ranking, turn: &mut Turn) -> Said {
        let mut task = reading.task.clone();
        if let Err(refused) = weave(&mut task.program, ranking) {
            return Said::Open(Unknown::Unsupported {
                what: refused.to_string(),
                span: None,
            });
        }
        let engines = match ranking.count {
            None if recurses(&task.program) => &turn.effort.procedures,
            None if reading.circles.len() > 1 => &turn.effort.several,
            None => &turn.effort.engines,
            Some(_) => &turn.effort.unwinding,
        };
        let report = asked(engines, &task, turn.budget, turn.observer);
        let mut total = report.statistics.clone();
        total.add_time_of(&self.statistics);
        total.tests += self.statistics.tests;
        self.statistics = total;
        self.scope = report.scope.clone();
        match report.outcome {
            Outcome::Proved(mut proof) => {
                proof.ends = Some(reading.endings(ranking));
                let mut scope = report.scope;
                let allowed = allowed(&task.program, ranking);
                scope.assumptions.extend(allowed.iter().cloned());
                task.assumed.extend(allowed);
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
                    closed: None,
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
}

/// A choice of terms for every circle that has to have a measure.
fn chosen(reading: &Reading, banned: &[Vec<Vec<usize>>]) -> Result<Vec<Vec<usize>>, Unknown> {
    let circles = reading.circles.iter().enumerate();
    let choice = circles.map(|(i, circle)| match reading.forever[i] {
        true => Ok(Vec::new()),
        false => {
            choose(&circle.costs, &reading.rounds[i], &banned[i]).ok_or_else(|| no_measure(circle))
        }
    });
    choice.collect()
}

/// Bans what a violation refutes: the measure of the loop it is in, or else all.
fn ban(
    reading: &Reading,
    violation: &Violation,
    chosen: &[Vec<usize>],
    banned: &mut [Vec<Vec<usize>>],
) {
    let refuted = |circle: &Circle| {
        let body = reading
            .base
            .program
            .procedure(circle.procedure)
            .body
            .as_ref();
        let head = circle.component.as_ref().zip(body);
        head.is_some_and(|(c, body)| body.location(c.head).span == violation.span)
    };
    let known = reading.circles.iter().any(refuted);
    for (i, circle) in reading.circles.iter().enumerate() {
        if !reading.forever[i] && (refuted(circle) || !known) {
            banned[i].push(chosen[i].clone());
        }
    }
}

/// The ranking that asks about one circle only, and about calls: stacks may not grow for ever.
fn of_one(ranking: &Ranking, reading: &Reading, circle: usize) -> Ranking {
    let mut one = ranking.clone();
    let subject = &reading.circles[circle].subject;
    let other = |s: &Subject| s != subject && matches!(s, Subject::Loop(..));
    for (_, tuple) in one.measures.iter_mut().filter(|m| other(&m.0)) {
        tuple.order = Order::Forever;
        tuple.parts.clear();
    }
    one
}

/// Whether procedures that may be run call themselves.
fn recurses(program: &Program) -> bool {
    let calls = call_graph(program);
    let reached = program.entry.map(|entry| calls.reachable_from(entry));
    let mut reached = reached.into_iter().flatten();
    reached.any(|p| calls.recursive[p.index()])
}
