//! One trial: a function is checked under clauses that somebody thought of, without a word of them on disk.

use std::sync::Arc;

use prova_engine::{registry, Settings};
use prova_exec::Given;
use prova_ir::Program;
use prova_spec::Check;
use prova_task::{Budget, Outcome, Report, Silent, Task, Violation};

use super::grammar::{Call, Kind, Parameter};
use crate::arguments::Sources;
use crate::commands::check::certify;
use crate::commands::check::property::{woven, Woven};
use crate::commands::check::termination::{self, How};
use crate::commands::check::vacuity;
use crate::input;
use crate::status::Rejected;

/// Who is asked, and for which part of the time that is left: failing runs are found soon or not at all, and
/// lazy abstraction is quick with lengths.
const TURNS: [(&str, usize); 3] = [("auto", 4), ("lazy", 2), ("auto", 1)];

/// What is tried.
pub struct Trial<'a> {
    pub sources: &'a Sources,
    pub function: &'a String,
    pub check: &'a Check,
    pub certify: &'a certify::Options,
    pub budget: &'a Budget,
}

/// What came of it.
pub enum Result {
    Proved,
    Violated(Box<Violation>, Vec<Given>),
    Open(String),
}

impl Trial<'_> {
    /// The program with clauses at the start of the function.
    fn program(&self, clauses: &str) -> std::result::Result<Program, Rejected> {
        let mut sources = self.sources.clone();
        sources.tried = vec![(self.function.clone(), clauses.to_owned())];
        input::load_quietly(&sources, true)
    }

    /// Checks the function; a proof counts once it is certified, where that is wanted.
    pub fn run(&self, clauses: &str, parts: usize, certified: bool) -> anyhow::Result<Result> {
        let share = self.budget.share(parts);
        let program = self.program(clauses)?;
        let entry = Some(self.function.clone());
        let world = &self.sources.world;
        let Woven {
            program: woven,
            assumed,
            unmodelled,
            ..
        } = match woven(&program, self.check, &entry, world)? {
            Ok(woven) => woven,
            Err(error) => return Ok(Result::Open(error.to_string())),
        };
        // Where nothing can go wrong a proof says nothing, and nothing has to be said.
        let bodies = woven.procedures.iter().filter_map(|p| p.body.as_ref());
        let fallible = bodies.into_iter().any(|b| !b.errors.is_empty());
        let task = Arc::new(Task {
            assumed,
            unmodelled,
            ..Task::new(woven, 0)
        });
        let mut said = Result::Open("there is no engine".into());
        for (name, parts) in TURNS {
            let part = share.share(parts);
            let question = (&program, &task, &part);
            said = self.ask(name, question, certified, fallible)?;
            if !matches!(said, Result::Open(_)) {
                break;
            }
        }
        Ok(said)
    }

    /// Asks one engine.
    fn ask(
        &self,
        name: &str,
        (program, task, share): (&Program, &Arc<Task>, &Budget),
        certified: bool,
        fallible: bool,
    ) -> anyhow::Result<Result> {
        let settings = Settings::default();
        let engine = registry::checker(name, &settings)
            .ok_or_else(|| Rejected::because(format!("there is no engine `{name}`")))?;
        let how = How {
            settings: &settings,
            overflow_ends: false,
            may_run_forever: &[],
            only: None,
        };
        let entry = Some(self.function.clone());
        let asked = (program, self.check, &entry, &self.sources.world);
        let decided = termination::decide(&*engine, how, asked, task, share, &mut Silent);
        let mut report: Report = decided.report;
        if certified {
            let subject = certify::Subject {
                sources: self.sources,
                property: &decided.key,
                entry: &entry,
                label: &None,
                measures: &decided.measures,
            };
            (report, _) = certify::gate(self.certify, &subject, &decided.task, share, report)?;
        }
        vacuity::decide(&*engine, &decided.task, share, &mut report);
        Ok(match report.outcome {
            Outcome::Proved(_) if fallible && report.scope.vacuous.is_some() => {
                Result::Open("nobody can keep to what is required".into())
            }
            Outcome::Proved(_) => Result::Proved,
            Outcome::Violated(violation) => Result::Violated(violation, report.scope.tests),
            Outcome::Bounded(_) => Result::Open("no proof for all numbers of rounds".into()),
            Outcome::Unknown(why) => Result::Open(why.to_string()),
        })
    }
}

/// The call that a test makes: values are asked for in the same order in every test, up to the call.
pub fn call(parameters: &[Parameter], names: &[String], values: &[u128]) -> Option<Call> {
    let asked = |name: &str| {
        let at = names.iter().position(|n| n == name)?;
        values.get(at).copied()
    };
    let mut call = Call::default();
    for parameter in parameters {
        let name = &parameter.name;
        match parameter.kind {
            Kind::Number { bits, signed } => {
                let value = asked(name)?;
                let shift = 128 - u32::from(bits.clamp(1, 127));
                let value = match signed {
                    true => ((value << shift) as i128) >> shift,
                    false => (value << shift >> shift) as i128,
                };
                call.numbers.insert(name.clone(), value);
            }
            Kind::Pointer { plain: true, .. } => {
                let null = asked(&is_null(name))? & 0xffff_ffff != 0;
                let size = asked(&size_of(name))?;
                call.bytes.insert(name.clone(), (!null).then_some(size));
            }
            Kind::Pointer { plain: false, .. } => {
                // As large as it is used, unless it is null.
                if let Some(value) = asked(name) {
                    let bytes = (value != 0).then_some(u128::MAX);
                    call.bytes.insert(name.clone(), bytes);
                }
            }
        }
    }
    Some(call)
}

/// What the front end calls the choices that it makes for pointers (`__prova_some_block`).
fn is_null(name: &str) -> String {
    format!("whether {name} is null")
}

fn size_of(name: &str) -> String {
    format!("the size of {name}")
}

/// The values of a failing call that matter, for people.
pub fn told(parameters: &[Parameter], call: &Call) -> String {
    let one = |p: &Parameter| {
        let name = &p.name;
        Some(match p.kind {
            Kind::Number { .. } => format!("{name} = {}", call.numbers.get(name)?),
            Kind::Pointer { .. } => match call.bytes.get(name)? {
                None => format!("{name} = NULL"),
                Some(u128::MAX) => return None,
                Some(bytes) => format!(
                    "{name} has {bytes} byte{}",
                    if *bytes == 1 { "" } else { "s" }
                ),
            },
        })
    };
    let all: Vec<String> = parameters.iter().filter_map(one).collect();
    all.join(", ")
}
