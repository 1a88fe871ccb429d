//! `prova model`: the machine that a procedure itself is.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use prova_c::Options;
use prova_conform::conform::{Question, Relation};
use prova_conform::document::{document, Keeps};
use prova_conform::lts::client::client;
use prova_conform::lts::read::parse;
use prova_conform::lts::syntax::File;
use prova_conform::lts::{draw, rule, Alphabet, Lts};
use prova_conform::search::Settings;
use prova_engine::Granularity;
use prova_evidence::Folder;
use prova_task::Budget;

use super::check::certify;
use super::conform::read;
use crate::arguments::Sources;
use crate::output::Output;
use crate::status::{Rejected, Status};
use crate::watchdog;
use crate::world::WorldArguments;

/// Arguments of `prova model`.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub sources: Sources,

    /// What routines show, and the procedure as a target (`.lts`).
    #[arg(long, value_name = "FILE")]
    spec: PathBuf,

    /// The procedure; the first target of the file unless told.
    #[arg(long, value_name = "FUNCTION")]
    target: Option<String>,

    /// How the machine is printed.
    #[arg(long = "as", value_enum, default_value_t = Shape::Text)]
    shape: Shape,

    #[command(flatten)]
    world: WorldArguments,

    /// Stop after this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    timeout: u64,
}

/// How machines are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Shape {
    /// As files of machines have them.
    Text,
    /// For Graphviz.
    Dot,
    /// A picture.
    Svg,
    /// As a rule in SLIC, if it is deterministic.
    Slic,
}

/// A machine in one of the shapes.
pub fn printed(
    lts: &Lts,
    alphabet: &Alphabet,
    name: &str,
    procedure: Option<&str>,
    shape: Shape,
) -> Result<String, Rejected> {
    Ok(match shape {
        Shape::Text => draw::text(lts, alphabet, name),
        Shape::Dot => draw::dot(lts, alphabet, name),
        Shape::Svg => draw::svg(lts, alphabet),
        Shape::Slic => rule::rule(lts, alphabet, procedure).map_err(Rejected::because)?,
    })
}

/// Runs `prova model`.
pub fn run(mut arguments: Arguments) -> anyhow::Result<Status> {
    arguments.sources.settle()?;
    arguments.sources.world = arguments.world.world(prova_ir::World::default());
    let budget = Budget::new(Some(Duration::from_secs(arguments.timeout)), None);
    let file = read(&arguments.spec)?;
    let asked = Asked {
        files: &arguments.sources.files,
        options: &arguments.sources.options(),
        world: &arguments.sources.world,
        file: &file,
        target: arguments.target.as_deref(),
        name: arguments.target.as_deref().unwrap_or("Model"),
        keeps: Keeps::Choices,
        of: "the procedure does",
    };
    print(&asked, arguments.shape, &budget)
}

/// Seconds that the machine of a rule may take.
const SECONDS: u64 = 60;

/// Prints the machine that a rule for an interface is.
pub fn of_rule(path: &Path, shape: Shape) -> anyhow::Result<Status> {
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|e| Rejected::because(format!("cannot read `{shown}`: {e}")))?;
    let rule = prova_spec::slic::parse(&shown, &text).map_err(Rejected::from)?;
    let (text, machines) = client(&rule);
    let own = Folder::new("prova-rule")?;
    let component = own.path().join("client.c");
    std::fs::write(&component, text)?;
    let file = parse("client.lts", &machines).map_err(|e| Rejected::from(*e))?;
    let asked = Asked {
        files: &[component],
        options: &Options::default(),
        world: &prova_ir::World::default(),
        file: &file,
        target: None,
        name: &rule.name,
        keeps: Keeps::Traces,
        of: "the rule allows",
    };
    let budget = Budget::new(Some(Duration::from_secs(SECONDS)), None);
    print(&asked, shape, &budget)
}

/// A machine that is asked for.
struct Asked<'a> {
    files: &'a [PathBuf],
    options: &'a Options,
    world: &'a prova_ir::World,
    file: &'a File,
    target: Option<&'a str>,
    name: &'a str,
    keeps: Keeps,
    of: &'a str,
}

fn print(asked: &Asked, shape: Shape, budget: &Budget) -> anyhow::Result<Status> {
    watchdog::interruptible(budget);
    let speak = |(): &mut (), stop| watchdog::said_plainly(stop);
    watchdog::guarded(budget, (), speak, |floor| {
        let own = Folder::new("prova-model")?;
        let question = Question {
            files: asked.files,
            options: asked.options,
            world: asked.world,
            file: asked.file,
            target: asked.target,
            relation: Relation::Simulation,
            settings: Settings::default(),
            granularity: Granularity::Basic,
            facts: false,
            solvers: certify::solvers(&[]),
            patience: certify::PATIENCE,
            folder: own.path(),
            keep: false,
            replay: Duration::from_secs(10),
            native: true,
        };
        let found = document(&question, asked.keeps, budget).map_err(Rejected)?;
        let mut held = floor.take();
        let mut out = Output::new();
        let status = match found {
            Err(why) => {
                eprintln!("prova: no machine: {why}");
                Status::Unknown
            }
            Ok(document) => {
                let (lts, alphabet) = (&document.lts, &document.alphabet);
                let text = printed(lts, alphabet, asked.name, None, shape)?;
                out.write_all(text.as_bytes())?;
                out.flush()?;
                match document.shown {
                    Ok(conditions) => {
                        let of = asked.of;
                        eprintln!(
                            "prova: shown to allow all that {of}, by {conditions} conditions"
                        );
                        Status::Fine
                    }
                    Err(why) => {
                        eprintln!("prova: not shown to allow all that {}: {why}", asked.of);
                        Status::Unknown
                    }
                }
            }
        };
        held.said = Some(status);
        Ok(status)
    })
}
