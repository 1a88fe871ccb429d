//! `prova cover`: every goal ends with a test, with a certified proof that there is none, or open.

mod certified;
mod gcov;
mod print;
mod suite;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use prova_cover::explore::explore;
use prova_cover::meter::Meter;
use prova_cover::minimise::minimise;
use prova_cover::near::near;
use prova_cover::page::{page, Shown};
use prova_cover::pursue::pursue;
use prova_cover::{goals, End, Session, Wanted};
use prova_engine::{registry, Settings};
use prova_evidence::recording::code;
use prova_ir::World;
use prova_spec::Check;
use prova_task::{Budget, Task};

use super::check::certify;
use super::check::property::{woven, Woven};
use crate::arguments::Sources;
use crate::input;
use crate::output::Output;
use crate::status::{Rejected, Status};
use crate::watchdog;
use crate::world::{check_names, competition, WorldArguments};
use certified::Certifying;

/// Arguments of `prova cover`.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub sources: Sources,

    /// Cover this function, called with arbitrary arguments and globals, instead of `main`.
    #[arg(long, value_name = "FUNCTION")]
    entry: Option<String>,

    /// What to cover: functions, lines, branches, conditions, mcdc, calls, goals (calls of
    /// `prova_goal()`), errors (calls of error functions), or all
    /// [default: functions,lines,branches,goals,errors].
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    goals: Vec<String>,

    /// What to cover, as a property file of the test competition says; the world is read as the
    /// competition reads it.
    #[arg(long, value_name = "FILE", conflicts_with = "goals")]
    property: Option<PathBuf>,

    /// Write a suite of tests into this folder: a harness, a script, and the competition's format.
    #[arg(long, value_name = "DIR")]
    suite: Option<PathBuf>,

    /// Write every test that was run into this folder, as a suite that was not made small.
    #[arg(long, value_name = "DIR")]
    every_test: Option<PathBuf>,

    /// Write the certificates of what is impossible into this folder.
    #[arg(long, value_name = "DIR")]
    certificates: Option<PathBuf>,

    /// Write a page with the source in colours.
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,

    /// Stop after this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    timeout: u64,

    /// Stop when this much memory is in use.
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,

    /// Seed for random tests.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Who decides goals that tests do not cover by themselves; `prova engines` tells what they are.
    #[arg(long, value_parser = PossibleValuesParser::new(registry::names()), default_value = registry::AUTO.0)]
    engine: String,

    /// Do not look for tests without a goal first: every goal is put to the engine.
    #[arg(long)]
    no_explore: bool,

    #[command(flatten)]
    world: WorldArguments,

    #[command(flatten)]
    certify: certify::Options,

    /// How the answer is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How the answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// One JSON object.
    Json,
}

/// Runs `prova cover`.
pub fn run(mut arguments: Arguments) -> anyhow::Result<Status> {
    arguments.sources.settle()?;
    let wanted = arguments.wanted()?;
    let default = match arguments.property {
        Some(_) => competition(),
        None => World::default(),
    };
    arguments.sources.world = arguments.world.world(default);
    let budget = Budget::new(
        Some(Duration::from_secs(arguments.timeout)),
        arguments.memory.map(|mb| mb.saturating_mul(1 << 20)),
    );
    watchdog::interruptible(&budget);
    let speak = |known: &mut print::Progress, stop| known.last_word(stop);
    let known = print::Progress::default();
    watchdog::guarded(&budget, known, speak, |floor| {
        let work = Work {
            arguments: &arguments,
            wanted: &wanted,
            budget: &budget,
            floor,
        };
        work.run()
    })
}

impl Arguments {
    fn wanted(&self) -> Result<Wanted, Rejected> {
        let Some(path) = &self.property else {
            return match self.goals.is_empty() {
                true => Ok(Wanted::default()),
                false => Wanted::of_words(&self.goals).map_err(Rejected::because),
            };
        };
        let shown = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|e| Rejected::because(format!("cannot read `{shown}`: {e}")))?;
        Wanted::of_file(&text).map_err(|e| Rejected::because(format!("{shown}: {e}")))
    }
}

struct Work<'a> {
    arguments: &'a Arguments,
    wanted: &'a Wanted,
    budget: &'a Budget,
    floor: &'a watchdog::Floor<print::Progress>,
}

impl Work<'_> {
    fn run(&self) -> anyhow::Result<Status> {
        let arguments = self.arguments;
        let sources = &arguments.sources;
        let program = input::load_library(sources, false)?;
        check_names(&program, &sources.world)?;
        let entry = arguments.entry.clone().or(self.wanted.entry.clone());
        let running = Check::of_goals(Vec::new());
        let Woven {
            program: marked,
            assumed,
            unmodelled,
            marks,
        } = woven(&program, &running, &entry, &sources.world)?
            .map_err(|e| Rejected::because(e.to_string()))?;
        let task = Task {
            assumed,
            unmodelled,
            ..Task::new(marked, arguments.seed)
        };
        let code = code(&task).map_err(|e| Rejected::because(e.to_string()))?;
        let meter = Meter::new(&code.program, &marks);
        let goals = goals(&task.program, &marks, &self.wanted.kinds);
        let mut session = Session::new(code, meter, goals);
        if arguments.every_test.is_some() {
            session.most_others = suite::MOST_OTHERS;
        }
        self.tell(&session);
        // What is left at the end is for the suite and the page.
        let left = self.budget.remaining().unwrap_or_default();
        let searching = self.budget.at_most(left * 19 / 20);
        if !arguments.no_explore {
            explore(&mut session, &task, &searching.share(4));
            self.tell(&session);
        }
        let settings = Settings::default();
        let engine = registry::checker(&arguments.engine, &settings).ok_or_else(|| {
            Rejected::because(format!("there is no engine `{}`", arguments.engine))
        })?;
        let quick = (arguments.engine == registry::AUTO.0)
            .then(|| registry::checker("dart", &settings))
            .flatten();
        let mut prover = Certifying {
            arguments,
            program: &program,
            entry: &entry,
            engine: &*engine,
            quick: quick.as_deref(),
            floor: self.floor,
            certified: Vec::new(),
        };
        let certificates = pursue(&mut session, &mut prover, &searching);
        let certified = prover.certified;
        let chosen = minimise(&session);
        let said = print::Said {
            session: &session,
            task: &task,
            chosen: &chosen,
            certified: &certified,
            nears: session
                .open()
                .into_iter()
                .map(|g| (g, near(&session, g)))
                .collect(),
            seconds: self.budget.elapsed().as_secs_f64(),
        };
        let mut notes = Vec::new();
        if let Some(folder) = &arguments.suite {
            notes.push(suite::write(self, folder, &task, &said)?);
        }
        if let Some(folder) = &arguments.every_test {
            notes.push(suite::write_all(self, folder, &task, &session)?);
        }
        if let Some(folder) = &arguments.certificates {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
            for (number, text) in certificates.iter().enumerate() {
                let file = folder.join(format!("impossible-{}.certificate", number + 1));
                std::fs::write(&file, text)
                    .with_context(|| format!("cannot write {}", file.display()))?;
            }
        }
        if let Some(file) = &arguments.page {
            let text = self.page(&said);
            std::fs::write(file, text)
                .with_context(|| format!("cannot write {}", file.display()))?;
        }
        let mut held = self.floor.take();
        let mut out = Output::new();
        match arguments.format {
            Format::Text => said.text(&mut out, &notes)?,
            Format::Json => said.json(&mut out)?,
        }
        out.flush()?;
        let status = match session.open().is_empty() {
            true => Status::Fine,
            false => Status::Unknown,
        };
        held.said = Some(status);
        Ok(status)
    }

    fn tell(&self, session: &Session) {
        self.floor.take().known = print::Progress::of(session);
    }

    fn page(&self, said: &print::Said) -> String {
        let program = &said.task.program;
        let mut texts = BTreeMap::new();
        for (number, file) in program.files.iter().enumerate() {
            let own = self
                .arguments
                .sources
                .files
                .iter()
                .find(|f| f.display().to_string() == file.name || f.ends_with(&file.name));
            let path = own.cloned().unwrap_or_else(|| PathBuf::from(&file.name));
            if let (false, Ok(text)) = (file.is_library(), std::fs::read(&path)) {
                let text = String::from_utf8_lossy(&text).into_owned();
                texts.insert(number as u32, text);
            }
        }
        let session = said.session;
        let shown: Vec<Shown> = session
            .goals
            .iter()
            .zip(&session.ends)
            .enumerate()
            .map(|(number, (goal, end))| Shown {
                goal,
                end,
                tests: said.tests_of(number),
                near: match end {
                    End::Open(_) => said.near(number),
                    _ => String::new(),
                },
            })
            .collect();
        page(program, &texts, &shown)
    }
}
