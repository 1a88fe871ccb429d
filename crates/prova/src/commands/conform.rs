//! `prova conform`: whether a procedure does what a state machine allows, and nothing else.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use prova_conform::conform::{conform, settle, Answer, Question, Relation, Verdict};
use prova_conform::lts::read::parse;
use prova_conform::lts::syntax::{File, Role};
use prova_conform::search::{Settings, States};
use prova_conform::shown::Shown;
use prova_engine::Granularity;
use prova_evidence::Folder;
use prova_task::{Budget, Unknown};
use serde_json::{json, Value};

use super::check::certify;
use crate::arguments::Sources;
use crate::output::Output;
use crate::status::{Rejected, Status};
use crate::watchdog;
use crate::world::WorldArguments;

/// Arguments of `prova conform`.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub sources: Sources,

    /// The machines: what is to be shown, and what is assumed (`.lts`).
    #[arg(long, value_name = "FILE")]
    spec: PathBuf,

    /// Show this target only; all of the file unless told.
    #[arg(long, value_name = "FUNCTION")]
    target: Option<String>,

    /// What it means to conform.
    #[arg(long, value_enum, default_value_t = RelationName::Simulation)]
    relation: RelationName,

    /// Counterexamples that are refined away at once.
    #[arg(long, value_name = "N", default_value_t = 4)]
    trees: usize,

    /// Never take more of them at once, however long it takes.
    #[arg(long)]
    steady: bool,

    /// Iterations of the refinement, at most.
    #[arg(long, value_name = "N", default_value_t = 400)]
    iterations: usize,

    /// How large the steps of the model are.
    #[arg(long, value_enum, default_value_t = Block::Basic)]
    block: Block,

    /// What states of the model are told apart by.
    #[arg(long, value_enum, default_value_t = StatesName::Both)]
    states: StatesName,

    /// Let facts that hold in all runs prune the model of predicates.
    #[arg(long)]
    facts: bool,

    /// Say on standard error how it goes: what is kept, what came of it, what nobody plays.
    #[arg(long)]
    explain: bool,

    #[command(flatten)]
    world: WorldArguments,

    /// Stop after this many seconds.
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,

    /// Stop when this much memory is in use.
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,

    /// Write the relation to this file, as its checker reads it.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,

    /// Keep the texts that are analysed and the harnesses of native runs in this folder.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,

    /// Compile and run nothing: a violation is then suspected, and the answer unknown.
    #[arg(long)]
    no_native: bool,

    /// Write a page with the answers: machines, strategies as trees, native runs.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// How the answer is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RelationName {
    /// The machine simulates the procedure.
    Simulation,
    /// The procedure has no trace that the machine does not have.
    Traces,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StatesName {
    /// Predicates, as the paper has it.
    Predicates,
    /// The values that variables really take.
    Values,
    /// Values first, and predicates where these do not do.
    Both,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Block {
    /// One statement.
    Statement,
    /// A straight line of statements.
    Basic,
    /// A path without a loop.
    LoopFree,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// One JSON object for each target.
    Json,
}

/// How long a native run may take.
const REPLAY: Duration = Duration::from_secs(10);

/// Reads a file of machines.
pub fn read(path: &Path) -> Result<File, Rejected> {
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|e| Rejected::because(format!("cannot read `{shown}`: {e}")))?;
    parse(&shown, &text).map_err(|e| (*e).into())
}

/// Runs `prova conform`.
pub fn run(mut arguments: Arguments) -> anyhow::Result<Status> {
    arguments.sources.settle()?;
    arguments.sources.world = arguments.world.world(prova_ir::World::default());
    let budget = Budget::new(
        arguments.timeout.map(Duration::from_secs),
        arguments.memory.map(|mb| mb.saturating_mul(1 << 20)),
    );
    watchdog::interruptible(&budget);
    let speak = |(): &mut (), stop| watchdog::said_plainly(stop);
    watchdog::guarded(&budget, (), speak, |floor| {
        let (text, status) = answered(&arguments, &budget)?;
        let mut held = floor.take();
        let mut out = Output::new();
        out.write_all(text.as_bytes())?;
        out.flush()?;
        held.said = Some(status);
        Ok(status)
    })
}

fn answered(arguments: &Arguments, budget: &Budget) -> anyhow::Result<(String, Status)> {
    let file = read(&arguments.spec)?;
    let targets = file.abstractions.iter().filter(|a| a.role == Role::Target);
    let names: Vec<&str> = match &arguments.target {
        Some(name) => vec![name],
        None => targets.map(|t| t.name.text.as_str()).collect(),
    };
    if names.is_empty() {
        let shown = arguments.spec.display();
        let message = format!("`{shown}` has no target: nothing is to be shown");
        return Err(Rejected::because(message).into());
    }
    let own = Folder::new("prova-conform")?;
    let folder = arguments.keep.clone().unwrap_or(own.path().to_owned());
    std::fs::create_dir_all(&folder)?;
    let options = arguments.sources.options();
    let (mut statuses, mut answers, mut seconds) = (Vec::new(), Vec::new(), Vec::new());
    for (number, name) in names.iter().enumerate() {
        let share = budget.share(names.len() - number);
        let question = Question {
            files: &arguments.sources.files,
            options: &options,
            world: &arguments.sources.world,
            file: &file,
            target: Some(name),
            relation: match arguments.relation {
                RelationName::Simulation => Relation::Simulation,
                RelationName::Traces => Relation::Traces,
            },
            settings: Settings {
                trees: arguments.trees,
                iterations: arguments.iterations,
                growing: !arguments.steady,
                states: match arguments.states {
                    StatesName::Predicates => States::Predicates,
                    StatesName::Values => States::Values,
                    StatesName::Both => States::Both,
                },
                told: arguments.explain.then_some(|line| eprintln!("{line}")),
            },
            granularity: match arguments.block {
                Block::Statement => Granularity::Statement,
                Block::Basic => Granularity::Basic,
                Block::LoopFree => Granularity::LoopFree,
            },
            facts: arguments.facts,
            solvers: certify::solvers(&[]),
            patience: certify::PATIENCE,
            folder: &folder,
            keep: arguments.keep.is_some(),
            replay: REPLAY,
            native: !arguments.no_native,
        };
        let answer = conform(&question, &share).map_err(Rejected)?;
        answer.warnings.iter().for_each(|w| w.print());
        if let (Some(path), Verdict::Conforms { certificate, .. }) =
            (&arguments.certificate, &answer.verdict)
        {
            std::fs::write(path, certificate)?;
        }
        statuses.push(status(&answer));
        seconds.push(share.elapsed().as_secs_f64());
        answers.push((name.to_string(), answer));
    }
    settle(&mut answers);
    let mut text = String::new();
    for ((name, answer), seconds) in answers.iter().zip(seconds) {
        match arguments.format {
            Format::Text => text += &told(name, answer, seconds),
            Format::Json => text += &format!("{:#}\n", as_json(name, answer, seconds)),
        }
    }
    if let Some(path) = &arguments.report {
        std::fs::write(path, prova_conform::page::page(&answers))?;
    }
    let status = super::check::property::combined(statuses.into_iter());
    Ok((text, status))
}

fn status(answer: &Answer) -> Status {
    match answer.verdict {
        Verdict::Conforms { .. } => Status::Fine,
        Verdict::Violates(_) => Status::Violated,
        Verdict::Unknown(_) => Status::Unknown,
    }
}

/// The answer for people.
fn told(name: &str, answer: &Answer, seconds: f64) -> String {
    let mut lines = Vec::new();
    match &answer.verdict {
        Verdict::Conforms {
            pairs, accepted, ..
        } => {
            lines.push(format!("{name}: conforms"));
            let described = certify::describe(accepted);
            lines.push(format!("  a relation of {pairs} pairs: {described}"));
        }
        Verdict::Violates(shown) => {
            lines.push(format!("{name}: does not conform"));
            lines.extend(violation(shown));
        }
        Verdict::Unknown(why) => {
            lines.push(format!("{name}: unknown ({why})"));
            lines.extend(tried(answer, why));
        }
    }
    let effort = &answer.effort;
    lines.push(format!(
        "  {} iterations, {} conditions, {} predicates, {} states, {:.2} s",
        effort.iterations, effort.conditions, effort.predicates, effort.states, seconds
    ));
    if !answer.routines.is_empty() {
        let routines = answer.routines.join(", ");
        lines.push(format!("  taken for granted, shown by nobody: {routines}"));
    }
    if !answer.shown.is_empty() {
        let shown = answer.shown.join(", ");
        lines.push(format!("  taken for granted, shown here: {shown}"));
    }
    for assumption in &answer.assumed {
        lines.push(format!("  assumes {assumption}"));
    }
    lines.push(String::new());
    lines.join("\n")
}

fn violation(shown: &Shown) -> Vec<String> {
    let mut lines = Vec::new();
    for node in &shown.tree {
        lines.push(format!("  {}{node}", "  ".repeat(node.depth)));
    }
    for (number, run) in shown.runs.iter().enumerate() {
        let number = match shown.runs.len() {
            1 => String::new(),
            _ => format!(" {}", number + 1),
        };
        lines.push(format!("  native run{number}: {}", run.actions.join(", ")));
        for input in &run.inputs {
            lines.push(format!("    {} = {}", input.name, input.value));
        }
        lines.extend(run.notes.iter().map(|n| format!("    note: {n}")));
        lines.extend(run.repeat.iter().map(|l| format!("    {l}")));
    }
    if shown.branching {
        let why = "no single run shows it: what is wrong is that all of them begin alike";
        lines.push(format!("  {why}"));
    }
    lines
}

fn tried(answer: &Answer, why: &Unknown) -> Vec<String> {
    let suspected = answer.effort.suspected.iter();
    let mut lines: Vec<String> = suspected
        .map(|n| format!("  suspected: {}{n}", "  ".repeat(n.depth)))
        .collect();
    if matches!(why, Unknown::Replay(_) | Unknown::Certificate(_)) {
        return lines;
    }
    for condition in &answer.effort.chosen {
        lines.push(format!("  tried: {condition}"));
    }
    if !answer.effort.spurious.is_empty() {
        let number = |a: &String| a.parse().ok();
        let actions = answer.effort.spurious.iter().filter_map(number);
        let actions: Vec<String> = actions
            .filter(|&a: &u32| (a as usize) < answer.alphabet.len())
            .map(|a| answer.alphabet.action(a).to_string())
            .collect();
        let shown = actions.join(", ");
        lines.push(format!("  a strategy that no run plays: {shown}"));
    }
    lines
}

/// The answer for machines.
fn as_json(name: &str, answer: &Answer, seconds: f64) -> Value {
    let effort = &answer.effort;
    let mut value = json!({
        "target": name,
        "iterations": effort.iterations,
        "conditions": effort.conditions,
        "predicates": effort.predicates,
        "states": effort.states,
        "positions": effort.positions,
        "questions": effort.questions,
        "strategies": effort.strategies,
        "branching": effort.branching,
        "seconds": seconds,
        "megabytes": prova_task::budget::peak_bytes().unwrap_or(0) >> 20,
        "unproved": answer.routines,
        "proved": answer.shown,
    });
    let more = match &answer.verdict {
        Verdict::Conforms { pairs, .. } => json!({ "verdict": "conforms", "pairs": pairs }),
        Verdict::Violates(shown) => json!({
            "verdict": "does not conform",
            "branching": shown.branching,
            "strategy": shown.tree.iter().map(|n| json!({
                "depth": n.depth, "action": n.action, "at": n.place, "way": n.way,
                "state": n.state, "answers": n.answers, "allowed": n.allowed,
            })).collect::<Vec<_>>(),
            "runs": shown.runs.iter().map(|r| json!({
                "actions": r.actions,
                "inputs": r.inputs.iter().map(|i| json!([i.name, i.value])).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
        }),
        Verdict::Unknown(why) => json!({
            "verdict": "unknown", "reason": why.keyword(), "why": why.to_string(),
        }),
    };
    if let (Some(value), Some(more)) = (value.as_object_mut(), more.as_object()) {
        value.extend(more.clone());
    }
    value
}
