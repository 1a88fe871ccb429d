//! What `prova cover` prints.

use std::collections::BTreeMap;
use std::io::Write;

use prova_cover::{End, Kind, Session};
use prova_task::{Stop, Task};
use serde_json::json;

use crate::input::place;
use crate::output::Output;
use crate::status::Status;
use crate::world::lines;

/// How far the work is, for who speaks in its place.
#[derive(Default)]
pub struct Progress {
    counts: Vec<(Kind, [usize; 3])>,
}

impl Progress {
    /// How far a session is.
    pub fn of(session: &Session) -> Progress {
        Progress {
            counts: counts(session),
        }
    }

    /// Says what is known in the place of work that does not end.
    pub fn last_word(&mut self, stop: Stop) -> Status {
        if let Ok(mut out) = Output::past_the_lock() {
            let _ = table(&mut out, &self.counts);
            let _ = writeln!(out, "stopped: {stop}").and_then(|()| out.flush());
        }
        Status::Unknown
    }
}

fn counts(session: &Session) -> Vec<(Kind, [usize; 3])> {
    let mut found: BTreeMap<Kind, [usize; 3]> = BTreeMap::new();
    for (goal, end) in session.goals.iter().zip(&session.ends) {
        let counts = found.entry(goal.kind).or_default();
        counts[match end {
            End::Covered => 0,
            End::Impossible(_) => 1,
            End::Open(_) => 2,
        }] += 1;
    }
    found.into_iter().collect()
}

fn table(out: &mut dyn Write, counts: &[(Kind, [usize; 3])]) -> std::io::Result<()> {
    for (kind, [covered, impossible, open]) in counts {
        let all = covered + impossible + open;
        write!(out, "{:<11}{covered} of {all} covered", kind.word())?;
        if *impossible > 0 {
            write!(out, ", {impossible} impossible")?;
        }
        if *open > 0 {
            write!(out, ", {open} open")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Everything there is to say.
pub struct Said<'a> {
    pub session: &'a Session,
    pub task: &'a Task,
    pub chosen: &'a [(usize, Vec<usize>)],
    pub certified: &'a [String],
    pub nears: Vec<(usize, String)>,
    pub seconds: f64,
}

impl Said<'_> {
    /// How near tests came to a goal.
    pub fn near(&self, goal: usize) -> String {
        let found = self.nears.iter().find(|(g, _)| *g == goal);
        found.map_or(String::new(), |(_, near)| near.clone())
    }

    /// Tests of the suite that cover a goal.
    pub fn tests_of(&self, goal: usize) -> usize {
        let tests = self.chosen.iter();
        tests
            .filter(|(t, _)| self.session.tests[*t].goals.contains(&goal))
            .count()
    }

    /// A goal in a line.
    pub fn goal(&self, number: usize) -> String {
        let goal = &self.session.goals[number];
        let place = place(&self.task.program, goal.span).unwrap_or_default();
        match goal.kind {
            Kind::Line => format!("{place}: the line"),
            _ => format!("{place}: {}", goal.what),
        }
    }

    /// What a test is for, in a line.
    pub fn purpose(&self, goals: &[usize]) -> String {
        let rank = |g: &usize| match self.session.goals[*g].kind {
            Kind::Error => 0,
            Kind::Goal => 1,
            Kind::Mcdc => 2,
            Kind::Branch => 3,
            Kind::Condition => 4,
            Kind::Call => 5,
            Kind::Function => 6,
            Kind::Line => 7,
        };
        let first = goals.iter().min_by_key(|g| (rank(g), **g));
        match (first, goals.len()) {
            (None, _) => "nothing new".into(),
            (Some(first), 1) => self.goal(*first),
            (Some(first), n) => format!("{} and {} more", self.goal(*first), n - 1),
        }
    }

    /// For people.
    pub fn text(&self, out: &mut dyn Write, notes: &[String]) -> std::io::Result<()> {
        let session = self.session;
        table(out, &counts(session))?;
        for (number, end) in session.ends.iter().enumerate() {
            match end {
                End::Covered => {}
                End::Impossible(certificate) => writeln!(
                    out,
                    "impossible: {} (certificate {})",
                    self.goal(number),
                    certificate + 1
                )?,
                End::Open(why) => {
                    let near = self.near(number);
                    writeln!(out, "open: {}: {why}; {near}", self.goal(number))?;
                }
            }
        }
        for (number, line) in self.certified.iter().enumerate() {
            writeln!(out, "certificate {}: {line}", number + 1)?;
        }
        writeln!(
            out,
            "{} tests of {} that were run, {:.1} s",
            self.chosen.len(),
            session.ran,
            self.seconds
        )?;
        for (n, (test, goals)) in self.chosen.iter().enumerate() {
            let values = &session.tests[*test].given.values;
            let inputs = match values.len() {
                0 => "no inputs".into(),
                1 => "1 input".into(),
                n => format!("{n} inputs"),
            };
            writeln!(out, "  test {}, {inputs}: {}", n + 1, self.purpose(goals))?;
        }
        for line in lines(&self.task.assumed) {
            writeln!(out, "assumed: {line}")?;
        }
        for note in notes {
            writeln!(out, "{note}")?;
        }
        Ok(())
    }

    /// For machines.
    pub fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let session = self.session;
        let goals: Vec<_> = session
            .goals
            .iter()
            .enumerate()
            .map(|(number, goal)| {
                let mut value = json!({
                    "kind": goal.kind.word(),
                    "place": place(&self.task.program, goal.span),
                    "what": goal.what,
                });
                match &session.ends[number] {
                    End::Covered => {
                        value["end"] = json!("covered");
                        let tests = self.chosen.iter().enumerate();
                        value["tests"] = tests
                            .filter(|(_, (t, _))| session.tests[*t].goals.contains(&number))
                            .map(|(n, _)| n + 1)
                            .collect();
                    }
                    End::Impossible(certificate) => {
                        value["end"] = json!("impossible");
                        value["certificate"] = json!(certificate + 1);
                    }
                    End::Open(why) => {
                        value["end"] = json!("open");
                        value["why"] = json!(why);
                        value["near"] = json!(self.near(number));
                    }
                }
                value
            })
            .collect();
        let assumed: Vec<String> = lines(&self.task.assumed);
        let tests: Vec<_> = self
            .chosen
            .iter()
            .map(|(test, goals)| {
                let values = session.tests[*test].given.values.iter();
                json!({
                    "inputs": values.map(|v| v.to_string()).collect::<Vec<_>>(),
                    "for": self.purpose(goals),
                })
            })
            .collect();
        let all = json!({
            "version": 1,
            "goals": goals,
            "tests": tests,
            "certificates": self.certified,
            "assumed": assumed,
            "seconds": self.seconds,
        });
        writeln!(out, "{all:#}")?;
        Ok(())
    }
}
