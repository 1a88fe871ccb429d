//! `prova model`: the machine that a procedure itself is.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use prova_conform::conform::{Question, Relation};
use prova_conform::document::document;
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
    watchdog::interruptible(&budget);
    let speak = |(): &mut (), stop| watchdog::said_plainly(stop);
    watchdog::guarded(&budget, (), speak, |floor| {
        let file = read(&arguments.spec)?;
        let own = Folder::new("prova-model")?;
        let question = Question {
            files: &arguments.sources.files,
            options: &arguments.sources.options(),
            world: &arguments.sources.world,
            file: &file,
            target: arguments.target.as_deref(),
            relation: Relation::Simulation,
            settings: Settings::default(),
            granularity: Granularity::Basic,
            facts: false,
            solvers: certify::solvers(&[]),
            patience: certify::PATIENCE,
            folder: own.path(),
            keep: false,
            replay: Duration::from_secs(10),
        };
        let found = document(&question, &budget).map_err(Rejected)?;
        let mut held = floor.take();
        let mut out = Output::new();
        let status = match found {
            Err(why) => {
                eprintln!("prova: no machine: {why}");
                Status::Unknown
            }
            Ok(document) => {
                let (lts, alphabet) = (&document.lts, &document.alphabet);
                let name = arguments.target.as_deref().unwrap_or("Model");
                let text = printed(lts, alphabet, name, None, arguments.shape)?;
                out.write_all(text.as_bytes())?;
                out.flush()?;
                match document.shown {
                    Ok(conditions) => {
                        eprintln!("prova: shown to be what the procedure does, by {conditions} conditions");
                        Status::Fine
                    }
                    Err(why) => {
                        eprintln!("prova: not shown to be what the procedure does: {why}");
                        Status::Unknown
                    }
                }
            }
        };
        held.said = Some(status);
        Ok(status)
    })
}
