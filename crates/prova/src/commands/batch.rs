//! `prova batch`: many checks. What is to be checked comes from a manifest, every check is a child
//! process of this command, and the answers go into one store.

mod looking;
mod progress;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use anyhow::Context;
use clap::{Args, Subcommand};
use prova_batch::child::Children;
use prova_batch::cluster::Cluster;
use prova_batch::manifest::Manifest;
use prova_batch::policy::{read_baseline, today, Policy};
use prova_batch::schedule::{complete, Batch, Checks, Limits};
use prova_batch::store::Job;
use prova_batch::{begin, table, Error};

use crate::output::Output;
use crate::status::{Rejected, Status};
use std::io::Write;

/// The store, unless another is named.
const STORE: &str = "prova-batch.db";
/// The manifest, unless another is named.
const MANIFEST: &str = "prova-batch.toml";

/// Checks that are handed to a cluster at a time, at least.
const CLUSTER_JOBS: usize = 256;

/// Arguments of `prova batch`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Looking>,

    #[command(flatten)]
    work: Work,
}

/// What else can be done.
#[derive(Debug, Subcommand)]
enum Looking {
    /// Make a manifest from a folder, a compile_commands.json, or a competition's task files.
    Init(Init),
    /// Say which runs there are and how far they are.
    Status(looking::StatusArguments),
    /// Show checks, or one check with its whole answer.
    Show(looking::ShowArguments),
    /// Tables by program, property and verdict; differences to an earlier run; pages.
    Report(looking::ReportArguments),
    /// Write all results as CSV, JSON or SARIF, or as a baseline.
    Export(looking::ExportArguments),
}

/// Arguments of a batch that works.
#[derive(Debug, Args)]
struct Work {
    /// The manifest; or a folder, a C file, a compile_commands.json or a task file, as `init` takes
    /// them [default: prova-batch.toml].
    #[arg(value_name = "MANIFEST")]
    manifest: Option<PathBuf>,

    /// The file that holds all results [default: prova-batch.db beside the manifest].
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,

    /// Checks at a time.
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    jobs: usize,

    /// Megabytes for all checks together [default: four fifths of the machine's].
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,

    /// Seconds for each check, whatever the manifest says.
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,

    /// Make only checks whose name contains this; may be given several times.
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,

    /// Make a check of every function of every program.
    #[arg(long)]
    each_function: bool,

    /// Begin a new run, also where the last one is not done.
    #[arg(long)]
    anew: bool,

    /// Neither look for earlier answers nor offer earlier tests.
    #[arg(long)]
    no_recall: bool,

    /// Take earlier proofs of the same question without checking them again.
    #[arg(long)]
    trust_cache: bool,

    /// Ask again where an earlier answer to the same question is unknown.
    #[arg(long)]
    retry_unknown: bool,

    /// Fail only for what is not in this baseline.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Spread checks by Dask: the address of a scheduler, or `slurm`, `pbs` and the like.
    #[arg(long, value_name = "ADDRESS|slurm")]
    cluster: Option<String>,

    /// The Python that has the package `prova` and Dask.
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: String,

    /// The command that workers run [default: this one].
    #[arg(long, value_name = "PROGRAM")]
    worker_command: Option<String>,

    /// Say nothing meanwhile.
    #[arg(short, long)]
    quiet: bool,
}

/// Arguments of `prova batch init`.
#[derive(Debug, Args)]
struct Init {
    /// A folder, a compile_commands.json, a task file (.yml), a set of them (.set) or a C file.
    #[arg(value_name = "FROM")]
    from: PathBuf,

    /// Make a check of every function.
    #[arg(long)]
    each_function: bool,

    /// Properties of every check; may be given several times.
    #[arg(long, value_name = "NAME|FILE")]
    property: Vec<String>,

    /// Rules in SLIC; patterns are taken.
    #[arg(long, value_name = "FILE")]
    slic: Vec<String>,

    /// Where to write it [default: prova-batch.toml].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs `prova batch`.
pub fn run(arguments: Arguments) -> anyhow::Result<Status> {
    let done = match arguments.command {
        Some(Looking::Init(arguments)) => init(arguments),
        Some(Looking::Status(arguments)) => looking::status(arguments),
        Some(Looking::Show(arguments)) => looking::show(arguments),
        Some(Looking::Report(arguments)) => looking::report(arguments),
        Some(Looking::Export(arguments)) => looking::export(arguments),
        None => batch(arguments.work),
    };
    // What the user named wrongly is bad input; the rest is not.
    done.map_err(|error| match error.downcast_ref::<Error>() {
        Some(Error::Input(what)) => Rejected::because(what.clone()).into(),
        _ => error,
    })
}

fn init(arguments: Init) -> anyhow::Result<Status> {
    let path = arguments.output.unwrap_or_else(|| MANIFEST.into());
    let folder = folder_of(&path);
    if !arguments.from.exists() {
        let what = format!("there is no `{}`", arguments.from.display());
        return Err(Rejected::because(what).into());
    }
    let mut manifest = begin::manifest(&arguments.from, &folder, arguments.each_function)?;
    if !arguments.property.is_empty() {
        manifest.defaults.properties = Some(arguments.property);
    }
    if !arguments.slic.is_empty() {
        let absolute = |f: &String| std::path::absolute(f).map(|p| p.display().to_string());
        let rules = arguments
            .slic
            .iter()
            .map(absolute)
            .collect::<Result<_, _>>();
        manifest.defaults.rules = Some(rules.context("the rules")?);
    }
    std::fs::write(&path, manifest.text())
        .with_context(|| format!("cannot write {}", path.display()))?;
    let mut out = Output::new();
    let count = manifest.programs.len();
    writeln!(out, "{}: {count} program(s)", path.display())?;
    out.flush()?;
    Ok(Status::Fine)
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().map(PathBuf::from).unwrap_or_default()
}

/// Reads a manifest, or makes one of what is named instead.
fn read(path: &Path) -> anyhow::Result<(Manifest, PathBuf)> {
    let toml = path.extension().is_some_and(|e| e == "toml");
    if !toml && path.exists() {
        let manifest = begin::manifest(path, Path::new(""), false)?;
        return Ok((manifest, PathBuf::new()));
    }
    let text = std::fs::read_to_string(path).map_err(|e| {
        Rejected::because(format!(
            "cannot read the manifest `{}`: {e}",
            path.display()
        ))
    })?;
    let manifest = Manifest::parse(&text, &path.display().to_string())?;
    Ok((manifest, folder_of(path)))
}

fn batch(arguments: Work) -> anyhow::Result<Status> {
    let path = arguments
        .manifest
        .clone()
        .unwrap_or_else(|| MANIFEST.into());
    let (mut manifest, folder) = read(&path)?;
    if arguments.each_function {
        manifest.defaults.each_function = Some(true);
    }
    let command = std::env::current_exe().context("this command's own path")?;
    let functions = |words: &[String]| functions(&command, words);
    let mut jobs = manifest.jobs(&folder, &functions)?;
    jobs.retain(|job| wanted(job, &arguments.only));
    for job in &mut jobs {
        job.timeout = arguments.timeout.unwrap_or(job.timeout);
    }
    if jobs.is_empty() {
        return Err(Rejected::because("there is nothing to check").into());
    }
    if let Some((job, file)) = jobs
        .iter()
        .find_map(|job| Some((job, prova_batch::child::missing(job, None)?)))
    {
        let what = format!("`{}` needs `{file}`, which is not there", job.name());
        return Err(Rejected::because(what).into());
    }
    let policy = Policy {
        suppressions: manifest.suppress.clone(),
        baseline: baseline(arguments.baseline.as_deref())?,
        today: today(),
    };
    let at = arguments
        .store
        .clone()
        .unwrap_or_else(|| folder.join(STORE));
    let build = build(&command)?;
    let version = format!("{}+{build}", env!("CARGO_PKG_VERSION"));
    let name = path.display().to_string();
    let stopped = Arc::new(AtomicBool::new(false));
    let flag = stopped.clone();
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed)).context("signals")?;
    let mut limits = Limits {
        jobs: arguments.jobs,
        memory: arguments.memory.unwrap_or_else(machine_memory),
    };
    let words = child_words(&arguments, &at, &build)?;
    let checks: Box<dyn Checks> = match &arguments.cluster {
        Some(address) => {
            // Workers have limits of their own, and nothing of the store.
            limits = Limits {
                jobs: arguments.jobs.max(CLUSTER_JOBS),
                memory: 0,
            };
            let own = command.display().to_string();
            let command = arguments.worker_command.clone().unwrap_or(own);
            let stop = stopped.clone();
            Box::new(Cluster::connect(
                &arguments.python,
                address,
                &command,
                Vec::new(),
                stop,
            )?)
        }
        None => Box::new(Children {
            command: command.clone(),
            words,
            folder: None,
            stopped: stopped.clone(),
        }),
    };
    let batch = Batch {
        name: &name,
        version: &version,
        jobs: &jobs,
        anew: arguments.anew,
        limits,
        stopped: &stopped,
    };
    let mut watch = progress::Lines::new(arguments.quiet);
    let mut say = |what: String| eprintln!("prova: {what}");
    let done = complete(&at, &batch, &*checks, &mut watch, &mut say)?;
    watch.end();
    let mut out = Output::new();
    if !arguments.quiet {
        write!(out, "{}", table::by_verdict(&done.entries).text())?;
        let (made, run) = (done.made, done.run.id);
        writeln!(
            out,
            "{made} check(s) made here; run {run} in {}",
            at.display()
        )?;
    }
    out.flush()?;
    Ok(status_of(policy.status(&done.entries)))
}

/// What children are told about memory.
fn child_words(arguments: &Work, store: &Path, build: &str) -> anyhow::Result<Vec<String>> {
    if arguments.no_recall {
        return Ok(Vec::new());
    }
    let store = std::path::absolute(store).context("the store's path")?;
    let mut words = vec!["--recall".to_string(), store.display().to_string()];
    words.extend(["--build".to_string(), build.to_string()]);
    if arguments.trust_cache {
        words.push("--trust-cache".into());
    }
    if arguments.retry_unknown {
        words.push("--retry-unknown".into());
    }
    Ok(words)
}

fn wanted(job: &Job, only: &[String]) -> bool {
    only.is_empty() || only.iter().any(|text| job.name().contains(text))
}

/// How a policy's exit status is called.
fn status_of(code: u8) -> Status {
    match code {
        0 => Status::Fine,
        1 => Status::Violated,
        _ => Status::Unknown,
    }
}

fn baseline(path: Option<&Path>) -> anyhow::Result<std::collections::BTreeSet<String>> {
    let Some(path) = path else {
        return Ok(Default::default());
    };
    let wrong = |e: String| Rejected::because(format!("{}: {e}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
    Ok(read_baseline(&text).map_err(wrong)?)
}

/// What tells this build from others of its version: the digest of the command itself.
fn build(command: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(command).context("this command's own file")?;
    let mut digest = prova_batch::digest([bytes.as_slice()]);
    digest.truncate(16);
    Ok(digest)
}

/// The functions of a program, from a child process: the front end may fail on it.
fn functions(command: &Path, words: &[String]) -> Result<Vec<String>, String> {
    let output = Command::new(command)
        .args(["check", "--no-config", "--list-functions"])
        .args(words)
        .output()
        .map_err(|e| e.to_string())?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let error = said.lines().find(|l| l.starts_with("error"));
        return Err(error
            .unwrap_or("its functions cannot be listed")
            .to_string());
    }
    serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())
}

/// Four fifths of the machine's memory, in megabytes; zero, for no limit, if nobody tells.
fn machine_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find(|l| l.starts_with("MemTotal:"));
    let kilobytes = line.and_then(|l| l.split_whitespace().nth(1)?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024 * 4 / 5
}
