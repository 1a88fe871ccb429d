//! Has an engine decide each goal, and prints what holds up: proofs are certified, violations
//! replayed. Time that one goal leaves goes to those that ran out of it.
//!
//! Each goal first gets its part of the time that is left. What is stopped by the limit is put off
//! and begins anew once all had their turn, if there is more time for it then than it had before.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use prova_exec::Given;
use prova_ir::Program;
use prova_spec::Check;
use prova_task::{Budget, Checker, Outcome, Report, Scope, Statistics, Stop, Task, Unknown};

use super::answer::{answer, Answer};
use super::invariant::Invariant;
use super::memory::{Learnt, Question, Recalled};
use super::{
    certify, clash, evidence, further, look, parallel, property, termination, vacuity, watch,
    Arguments,
};
use crate::output::Output;
use crate::status::{Rejected, Status};
use crate::watchdog::Floor;

/// One check of one entry.
pub struct Goal<'a> {
    pub entry: Option<&'a String>,
    pub check: &'a Check,
}

impl Goal<'_> {
    /// Its name where there are several.
    pub fn name(&self, arguments: &Arguments) -> String {
        match self.entry {
            Some(entry) if arguments.entry.len() > 1 => format!("{entry}, {}", self.check.name),
            _ => self.check.name.clone(),
        }
    }
}

/// Every check of every entry.
pub fn goals<'a>(arguments: &'a Arguments, checks: &'a [Check]) -> Vec<Goal<'a>> {
    let entries: Vec<Option<&String>> = match arguments.entry.as_slice() {
        [] => vec![None],
        named => named.iter().map(Some).collect(),
    };
    let of = |entry| checks.iter().map(move |check| Goal { entry, check });
    entries.into_iter().flat_map(of).collect()
}

/// What is known of the goals, for whoever speaks.
#[derive(Default)]
pub struct Known {
    /// What was said, by goal.
    pub answers: Vec<Option<Answer>>,
    /// What was stopped by the limit and may begin anew, by goal.
    put_off: Vec<Option<PutOff>>,
    /// What is worked on.
    current: Option<Current>,
    /// Files for other tools.
    files: look::Files,
}

impl Known {
    /// Nothing, of so many goals.
    pub fn nothing(goals: usize) -> Known {
        Known {
            answers: (0..goals).map(|_| None).collect(),
            put_off: (0..goals).map(|_| None).collect(),
            ..Known::default()
        }
    }
}

/// A goal that was stopped by the limit.
struct PutOff {
    task: Arc<Task>,
    statistics: Statistics,
    scope: Scope,
    /// The time it had.
    had: Duration,
}

impl PutOff {
    fn report(self) -> (Arc<Task>, Report) {
        let report = Report {
            outcome: Outcome::Unknown(Unknown::Stopped(Stop::Time)),
            statistics: self.statistics,
            scope: self.scope,
        };
        (self.task, report)
    }
}

/// The goal that is worked on.
struct Current {
    goal: usize,
    task: Arc<Task>,
    share: Budget,
    /// What is worth keeping if it is stopped.
    learnt: Option<Learnt>,
}

/// What all goals share.
pub struct Decision<'a> {
    pub arguments: &'a Arguments,
    pub goals: &'a [Goal<'a>],
    pub program: &'a Program,
    /// What is assumed where entries are called.
    pub invariants: &'a [(String, Invariant)],
    pub budget: &'a Budget,
    pub engine: &'a dyn Checker,
    /// What was chosen about engines.
    pub settings: &'a prova_engine::Settings,
    /// How far the engine is.
    pub progress: &'a Mutex<Statistics>,
    pub floor: &'a Floor<Known>,
}

impl Decision<'_> {
    /// Decides all goals; the status of all of them together.
    pub fn run(&self, out: &mut Output) -> anyhow::Result<Status> {
        let mut earlier = Vec::new();
        for goal in 0..self.goals.len() {
            let share = self.budget.share(self.goals.len() - goal);
            self.attempt(goal, share, &mut earlier, out)?;
        }
        loop {
            let open: Vec<(usize, Duration)> = {
                let held = self.floor.take();
                let put_off = held.known.put_off.iter().enumerate();
                put_off
                    .filter_map(|(goal, p)| Some((goal, p.as_ref()?.had)))
                    .collect()
            };
            let again = worth_while(&open, self.budget.remaining());
            if again.is_empty() {
                for (goal, _) in open {
                    self.give_up(goal, out)?;
                }
                break;
            }
            for (turn, goal) in again.iter().enumerate() {
                let share = self.budget.share(again.len() - turn);
                self.attempt(*goal, share, &mut earlier, out)?;
            }
        }
        let mut held = self.floor.take();
        held.known.files.write(&self.arguments.look)?;
        let answers: Vec<Answer> = held.known.answers.iter().flatten().cloned().collect();
        let unproved = self.unproved(&held.known.answers);
        property::summary(out, self.arguments.format, &answers, &unproved)?;
        out.flush()?;
        let status = property::combined(answers.iter().map(|a| a.status));
        held.said = Some(status);
        Ok(status)
    }

    /// The contracts that verdicts rest on and that none of the goals proves.
    fn unproved(&self, answers: &[Option<Answer>]) -> Vec<String> {
        let used = answers.iter().flatten().flat_map(|a| &a.contracts);
        let used: std::collections::BTreeSet<&String> = used.collect();
        let proves = |name: &String| {
            let own = self
                .goals
                .iter()
                .zip(answers)
                .filter(|(g, _)| g.entry == Some(name));
            let mut own = own.peekable();
            let any = own.peek().is_some();
            any && own.all(|(_, a)| a.as_ref().is_some_and(|a| a.status == Status::Fine))
        };
        let open = used.into_iter().filter(|name| !proves(name));
        open.cloned().collect()
    }

    /// The task of a goal; a report if there is none.
    fn task(&self, goal: usize, earlier: &[Given]) -> anyhow::Result<(Task, Option<Report>)> {
        let Goal { entry, check } = self.goals[goal];
        let seed = self.arguments.seed.unwrap_or(0);
        let world = &self.arguments.sources.world;
        Ok(
            match property::woven(self.program, check, &entry.cloned(), world)? {
                Ok(mut woven) => {
                    let own = self.invariants.iter().find(|i| Some(&i.0) == entry);
                    if let Some((_, invariant)) = own {
                        let assumed = invariant.assume(&mut woven.program);
                        woven.assumed.push(assumed.map_err(Rejected::because)?);
                    }
                    let task = Task {
                        earlier: earlier.to_vec(),
                        assumed: woven.assumed,
                        unmodelled: woven.unmodelled,
                        ..Task::new(woven.program, seed)
                    };
                    (task, None)
                }
                Err(error) => {
                    let task = Task::new(self.program.clone(), seed);
                    (task, Some(property::not_woven(&error)))
                }
            },
        )
    }

    /// Lets the engine decide one goal in its share of the time.
    fn attempt(
        &self,
        goal: usize,
        share: Budget,
        earlier: &mut Vec<Given>,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        let had = share.remaining();
        let before = self.floor.take().known.put_off[goal].take();
        let (mut task, report) = match before {
            Some(before) => {
                let mut task = Arc::unwrap_or_clone(before.task);
                task.earlier.clone_from(earlier);
                (task, None)
            }
            None => self.task(goal, earlier)?,
        };
        if let Some(report) = report {
            return self.say(goal, &task, report, None, &[], None, out);
        }
        let (program, asked) = (self.program, &self.goals[goal]);
        let name = self.engine.name();
        let question = Question::new(self.arguments, program, asked, name, &task);
        if let Some(question) = &question {
            if let Some(recalled) = question.recall(self.arguments, asked, &task, &share) {
                return self.say_recalled(goal, recalled);
            }
            // Those of the same function first: only so many are run.
            drop(task.earlier.splice(0..0, question.tests()));
            task.candidates = question.candidates();
        }
        let task = Arc::new(task);
        self.reset(Statistics::default());
        self.floor.take().known.current = Some(Current {
            goal,
            task: task.clone(),
            share: share.clone(),
            learnt: question.as_ref().map(|q| q.stopped(self.arguments)),
        });
        let Arguments { explain, look, .. } = self.arguments;
        let mut watch = watch::Watch::new(*explain, look, &task, self.progress);
        let Goal { entry, check } = self.goals[goal];
        let entry = entry.cloned();
        let world = &self.arguments.sources.world;
        let how = termination::How {
            settings: self.settings,
            overflow_ends: self.arguments.overflow_never,
            may_run_forever: &self.arguments.may_run_forever,
            only: None,
        };
        let asked = (self.program, check, &entry, world);
        let decided = match self.arguments.parallel && !termination::is_asked(check) {
            true => termination::Decided {
                report: parallel::decide(self.settings, &task, &share, &mut watch),
                task: task.clone(),
                measures: Vec::new(),
                key: check.key(),
            },
            false => termination::decide(self.engine, how, asked, &task, &share, &mut watch),
        };
        let (report, spoken) = (decided.report, decided.task);
        self.reset(report.statistics.clone());
        // The next property's search begins with the tests of this one.
        earlier.extend(report.scope.tests.iter().cloned());
        match &report.outcome {
            Outcome::Proved(_) => watch.phase("certifying the proof"),
            Outcome::Violated(_) => watch.phase("replaying the failing test"),
            Outcome::Bounded(_) | Outcome::Unknown(_) => {}
        }
        let subject = certify::Subject {
            sources: &self.arguments.sources,
            property: &decided.key,
            entry: &entry,
            label: &check.calls.label,
            measures: &decided.measures,
        };
        let certify = &self.arguments.certify;
        let (mut report, certified) = certify::gate(certify, &subject, &spoken, &share, report)?;
        if !termination::is_asked(check) {
            vacuity::decide(self.engine, &spoken, &share, &mut report);
        }
        if let (Some(entry), Outcome::Proved(_), Some(_)) =
            (&entry, &report.outcome, &report.scope.vacuous)
        {
            let clash = clash::told(self.program, entry, world, &share)?;
            report.scope.vacuous = clash.or(report.scope.vacuous);
        }
        let stopped = matches!(
            report.outcome,
            Outcome::Unknown(Unknown::Stopped(Stop::Time))
        );
        if let Some(had) = had.filter(|_| stopped) {
            watch.finish();
            let mut held = self.floor.take();
            held.known.current = None;
            held.known.put_off[goal] = Some(PutOff {
                task,
                statistics: report.statistics,
                scope: report.scope,
                had,
            });
            return Ok(());
        }
        let (report, evidence) = self.evidence(goal, &spoken, report, 1);
        let graphs = watch.finish();
        let learnt = question
            .map(|question| question.learnt(self.arguments, &spoken, &report, certified.as_ref()));
        let extra = Some((certified, evidence));
        let more = match &report.outcome {
            Outcome::Violated(first) if !self.arguments.first && !termination::is_asked(check) => {
                further::without(&spoken, first)
            }
            _ => None,
        };
        self.say(goal, &spoken, report, extra, &graphs, learnt, out)?;
        match more {
            Some(task) => self.go_on(goal, task, &share, earlier, out),
            None => Ok(()),
        }
    }

    /// Looks for violations at other places than those that were found, and says each as it comes.
    /// The first has been said: whoever has to speak for this from outside says no less.
    fn go_on(
        &self,
        goal: usize,
        mut task: Task,
        share: &Budget,
        earlier: &mut Vec<Given>,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        for number in 2..=further::MOST {
            let budget = share.at_most(further::PATIENCE.max(share.elapsed()));
            task.earlier.clone_from(earlier);
            let Arguments { explain, look, .. } = self.arguments;
            let mut watch = watch::Watch::new(*explain, look, &task, self.progress);
            watch.phase("looking for further violations");
            let report = prova_task::check_modelled(self.engine, &task, &budget, &mut watch);
            earlier.extend(report.scope.tests.iter().cloned());
            let found = matches!(report.outcome, Outcome::Violated(_));
            let said = found.then(|| self.evidence(goal, &task, report, number));
            watch.finish();
            // What is left is not called proved: runs that fail at the places before were left out.
            let Some((report, evidence)) = said else {
                break;
            };
            let Outcome::Violated(violation) = &report.outcome else {
                break;
            };
            let next = further::without(&task, violation);
            self.say_further(goal, &task, report, evidence, out)?;
            match next {
                Some(next) => task = next,
                None => break,
            }
        }
        Ok(())
    }

    fn reset(&self, statistics: Statistics) {
        *self.progress.lock().unwrap_or_else(|e| e.into_inner()) = statistics;
    }

    /// Confirms a violation, and writes the files that belong to an answer: the first of a goal, or
    /// which one behind it.
    fn evidence(
        &self,
        goal: usize,
        task: &Task,
        mut report: Report,
        number: usize,
    ) -> (Report, evidence::Evidence) {
        let check = self.goals[goal].check;
        let sources = prova_evidence::Sources {
            files: self.arguments.sources.files.clone(),
            options: self.arguments.sources.options(),
            calls: check.calls.clone(),
            properties: check.properties.iter().map(|p| p.name().into()).collect(),
        };
        let wanted = self.arguments.evidence.numbered(number);
        let evidence = evidence::gather(&wanted, &sources, task, &mut report);
        (report, evidence)
    }

    /// Says that the limit stopped a goal, for good.
    fn give_up(&self, goal: usize, out: &mut Output) -> anyhow::Result<()> {
        let Some(put_off) = self.floor.take().known.put_off[goal].take() else {
            return Ok(());
        };
        let (task, report) = put_off.report();
        let (report, evidence) = self.evidence(goal, &task, report, 1);
        let asked = &self.goals[goal];
        let question = Question::new(
            self.arguments,
            self.program,
            asked,
            self.engine.name(),
            &task,
        );
        let learnt = question.map(|q| q.learnt(self.arguments, &task, &report, None));
        self.say(
            goal,
            &task,
            report,
            Some((None, evidence)),
            &[],
            learnt,
            out,
        )
    }

    /// Says what was known before.
    fn say_recalled(&self, goal: usize, recalled: Recalled) -> anyhow::Result<()> {
        let reason = recalled.json["evidence"]["reason"].as_str();
        let answer = Answer {
            name: self.goals[goal].name(self.arguments),
            line: match (recalled.proved, reason) {
                (true, _) => "TRUE".into(),
                (false, reason) => format!("UNKNOWN({})", reason.unwrap_or_default()),
            },
            assumed: None,
            status: match recalled.proved {
                true => Status::Fine,
                false => Status::Unknown,
            },
            contracts: Vec::new(),
            json: Some(recalled.json),
        };
        self.floor.take().known.answers[goal] = Some(answer);
        Ok(())
    }

    /// Prints one more violation of a goal whose answer stands.
    fn say_further(
        &self,
        goal: usize,
        task: &Task,
        report: Report,
        evidence: evidence::Evidence,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        let name = &self.goals[goal].check.name;
        let made = look::made(&self.arguments.look, name, task, &report, &[]);
        let (mut text, engine) = (Vec::new(), self.engine.name());
        let extra = Some((None, evidence));
        let goal_of = &self.goals[goal];
        let found = answer(
            self.arguments,
            &mut text,
            task,
            goal_of,
            engine,
            report,
            extra,
        )?;
        let mut held = self.floor.take();
        out.write_all(&text)?;
        out.flush()?;
        held.known.files.take(made);
        if let Some(answer) = &mut held.known.answers[goal] {
            add_further(answer, found);
        }
        Ok(())
    }

    /// Prints an answer.
    #[allow(
        clippy::too_many_arguments,
        reason = "everything that belongs to an answer"
    )]
    fn say(
        &self,
        goal: usize,
        task: &Task,
        report: Report,
        extra: Option<(Option<certify::Certified>, evidence::Evidence)>,
        graphs: &[prova_task::GraphView],
        learnt: Option<Learnt>,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        let name = &self.goals[goal].check.name;
        // All that may take long is done before the floor is taken.
        let made = look::made(&self.arguments.look, name, task, &report, graphs);
        let mut text = Vec::new();
        let (goals, engine) = (self.goals, self.engine.name());
        let mut answer = answer(
            self.arguments,
            &mut text,
            task,
            &goals[goal],
            engine,
            report,
            extra,
        )?;
        if let (Some(json), Some(learnt)) = (&mut answer.json, learnt) {
            learnt.attach(json);
        }
        let mut held = self.floor.take();
        out.write_all(&text)?;
        out.flush()?;
        held.known.files.take(made);
        held.known.current = None;
        held.known.answers[goal] = Some(answer);
        Ok(())
    }
}

/// Adds a violation to the answer that stands.
fn add_further(answer: &mut Answer, found: Answer) {
    let (Some(json), Some(mut found)) = (&mut answer.json, found.json) else {
        return;
    };
    let one = serde_json::json!({
        "evidence": found["evidence"].take(),
        "replay": found["replay"].take(),
        "statistics": found["statistics"].take(),
    });
    match &mut json["further"] {
        serde_json::Value::Array(all) => all.push(one),
        none => *none = serde_json::json!([one]),
    }
}

/// The goals that begin anew, in their order: as many as get more time than they had.
fn worth_while(open: &[(usize, Duration)], left: Option<Duration>) -> Vec<usize> {
    let Some(left) = left else {
        return Vec::new();
    };
    // Those that had least need least to get further.
    let mut open = open.to_vec();
    open.sort_by_key(|(goal, had)| (*had, *goal));
    while let Some((_, most)) = open.last() {
        if left / open.len() as u32 > *most {
            break;
        }
        open.pop();
    }
    let mut again: Vec<usize> = open.into_iter().map(|(goal, _)| goal).collect();
    again.sort_unstable();
    again
}

/// Says in the place of work that does not end what is known of each goal.
pub fn last_word(
    arguments: &Arguments,
    goals: &[Goal],
    engine: &str,
    known: &mut Known,
    progress: &Mutex<Statistics>,
    stop: Stop,
    out: &mut dyn Write,
) -> anyhow::Result<Status> {
    let mut current = known.current.take();
    for (number, goal) in goals.iter().enumerate() {
        if known.answers[number].is_some() {
            continue;
        }
        let here = current.as_ref().filter(|c| c.goal == number);
        let (task, report) = match (known.put_off[number].take(), here) {
            (Some(put_off), _) => put_off.report(),
            (None, here) => {
                let mut statistics = Statistics::default();
                if let Some(current) = here {
                    // Whoever is stuck does not hold this for longer than it takes to copy it.
                    statistics = progress.lock().map(|p| p.clone()).unwrap_or_default();
                    statistics.time = current.share.elapsed();
                }
                statistics.peak_memory = prova_task::budget::peak_bytes().unwrap_or(0);
                let task = match here {
                    Some(current) => current.task.clone(),
                    None => Arc::new(Task::new(
                        Program::new(arguments.sources.options().model),
                        0,
                    )),
                };
                let outcome = Outcome::Unknown(Unknown::Stopped(stop));
                let scope = Scope::default();
                let report = Report {
                    outcome,
                    statistics,
                    scope,
                };
                (task, report)
            }
        };
        // Graphs are left out: to lay them out may take longer than anybody waits.
        let made = look::made(&arguments.look, &goal.check.name, &task, &report, &[]);
        known.files.take(made);
        let mut said = answer(arguments, out, &task, goal, engine, report, None)?;
        let here = current.as_mut().filter(|c| c.goal == number);
        if let (Some(json), Some(learnt)) = (&mut said.json, here.and_then(|c| c.learnt.take())) {
            learnt.attach(json);
        }
        known.answers[number] = Some(said);
    }
    let answers: Vec<Answer> = known.answers.iter().flatten().cloned().collect();
    property::summary(out, arguments.format, &answers, &[])?;
    out.flush()?;
    known.files.write(&arguments.look)?;
    Ok(property::combined(answers.iter().map(|a| a.status)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_begin_anew_if_they_get_more_than_they_had() {
        let open: Vec<(usize, Duration)> = [(0, 2), (2, 4), (5, 3)]
            .map(|(goal, had)| (goal, Duration::from_secs(had)))
            .to_vec();
        let again = |left: u64| worth_while(&open, Some(Duration::from_secs(left)));
        assert_eq!(again(13), [0, 2, 5]);
        assert_eq!(again(12), [0, 5]);
        assert_eq!(again(5), [0]);
        assert!(again(2).is_empty());
        assert!(worth_while(&open, None).is_empty());
    }
}
