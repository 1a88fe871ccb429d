//! What can be seen of a store: runs, checks, tables, pages, files for other tools.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use prova_batch::policy::{self, today, Policy};
use prova_batch::store::{Entry, Run, Store};
use prova_batch::{export as files, page, table};

use super::{baseline, read, status_of, MANIFEST, STORE};
use crate::output::Output;
use crate::status::{Rejected, Status};

/// Which run of which store.
#[derive(Debug, Args)]
pub struct Of {
    /// The store.
    #[arg(long, value_name = "FILE", default_value = STORE)]
    store: PathBuf,

    /// The run, by its number [default: the last one].
    #[arg(long, value_name = "N")]
    run: Option<i64>,
}

/// How answers count.
#[derive(Debug, Args)]
pub struct Counting {
    /// The manifest whose suppressions count [default: prova-batch.toml, if it is there].
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,

    /// What is in this baseline is not new.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
}

impl Of {
    fn open(&self) -> anyhow::Result<(Store, Run)> {
        if !self.store.exists() {
            let what = format!("there is no store `{}`", self.store.display());
            return Err(Rejected::because(what).into());
        }
        let (store, damaged) = Store::open(&self.store)?;
        if let Some(damaged) = damaged {
            eprintln!("prova: {damaged}");
        }
        let mut runs = store.runs()?;
        let found = match self.run {
            Some(id) => runs.into_iter().find(|r| r.id == id),
            None => runs.pop(),
        };
        let run = found.ok_or_else(|| Rejected::because("there is no such run"))?;
        Ok((store, run))
    }
}

impl Counting {
    fn policy(&self) -> anyhow::Result<Policy> {
        let there = PathBuf::from(MANIFEST);
        let path = self.manifest.clone().or(Some(there).filter(|p| p.exists()));
        let manifest = path.map(|p| read(&p)).transpose()?;
        Ok(Policy {
            suppressions: manifest.map(|m| m.0.suppress).unwrap_or_default(),
            baseline: baseline(self.baseline.as_deref())?,
            today: today(),
        })
    }
}

/// Arguments of `prova batch status`.
#[derive(Debug, Args)]
pub struct StatusArguments {
    #[command(flatten)]
    of: Of,
}

/// Runs `prova batch status`.
pub fn status(arguments: StatusArguments) -> anyhow::Result<Status> {
    let (store, run) = arguments.of.open()?;
    let mut out = Output::new();
    for other in store.runs()? {
        let [waiting, running, done] = store.counts(other.id)?;
        let day = policy::date(other.started as i64);
        let name = &other.name;
        write!(out, "run {}, {day}, {name}: {done} done", other.id)?;
        if waiting + running > 0 {
            write!(out, ", {running} running, {waiting} waiting")?;
        }
        writeln!(out)?;
    }
    let entries = store.entries(run.id)?;
    write!(out, "{}", table::by_verdict(&entries).text())?;
    let running: Vec<&Entry> = entries.iter().filter(|e| e.state == 1).collect();
    for entry in running {
        writeln!(out, "running: {}", entry.job.name())?;
    }
    out.flush()?;
    Ok(Status::Fine)
}

/// Arguments of `prova batch show`.
#[derive(Debug, Args)]
pub struct ShowArguments {
    /// Checks whose name, verdict or reason contains all of these.
    #[arg(value_name = "TEXT")]
    words: Vec<String>,

    #[command(flatten)]
    of: Of,
}

/// Runs `prova batch show`.
pub fn show(arguments: ShowArguments) -> anyhow::Result<Status> {
    let (store, run) = arguments.of.open()?;
    let entries = store.entries(run.id)?;
    let matches = |entry: &&Entry| {
        let answer = entry.answer.clone().unwrap_or_default();
        let text = format!("{} {} {}", entry.job.name(), answer.verdict, answer.reason);
        arguments
            .words
            .iter()
            .all(|word| text.contains(word.as_str()))
    };
    let found: Vec<&Entry> = entries.iter().filter(matches).collect();
    let mut out = Output::new();
    if let [only] = found[..] {
        if let Some(answer) = store.answer(only.id)? {
            writeln!(out, "{answer:#}")?;
        }
    }
    write!(out, "{}", table::checks(found).text())?;
    out.flush()?;
    Ok(Status::Fine)
}

/// Arguments of `prova batch report`.
#[derive(Debug, Args)]
pub struct ReportArguments {
    #[command(flatten)]
    of: Of,

    #[command(flatten)]
    counting: Counting,

    /// What differs from this earlier run.
    #[arg(long, value_name = "N")]
    against: Option<i64>,

    /// A summary the size of a comment, as Markdown.
    #[arg(long, conflicts_with = "html")]
    markdown: bool,

    /// A page for all and a page for each check, into this folder.
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,
}

/// Runs `prova batch report`. Its exit status is that of the run it reports on.
pub fn report(arguments: ReportArguments) -> anyhow::Result<Status> {
    let (store, run) = arguments.of.open()?;
    let entries = store.entries(run.id)?;
    let policy = arguments.counting.policy()?;
    let differences = match arguments.against {
        Some(earlier) if store.runs()?.iter().any(|r| r.id == earlier) => {
            Some(table::differences(&store.entries(earlier)?, &entries))
        }
        Some(earlier) => {
            return Err(Rejected::because(format!("there is no run {earlier}")).into());
        }
        None => None,
    };
    let mut out = Output::new();
    if arguments.markdown {
        write!(
            out,
            "{}",
            table::markdown(&entries, &policy, differences.as_ref())
        )?;
    } else if let Some(folder) = &arguments.html {
        let whole = |entry: &Entry| store.answer(entry.id).ok().flatten();
        page::write(folder, &run, &entries, &policy, &whole)?;
        writeln!(out, "{}", folder.join("index.html").display())?;
    } else {
        for made in [
            table::by_program(&entries),
            table::by_property(&entries),
            table::by_verdict(&entries),
        ] {
            writeln!(out, "{}", made.text())?;
        }
        if let Some(differences) = differences {
            write!(out, "{}", differences.text())?;
        }
    }
    out.flush()?;
    Ok(status_of(policy.status(&entries)))
}

/// Arguments of `prova batch export`.
#[derive(Debug, Args)]
pub struct ExportArguments {
    #[command(flatten)]
    of: Of,

    /// The manifest whose suppressions count [default: prova-batch.toml, if it is there].
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,

    /// A line for each check.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// One object with all answers.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// SARIF 2.1.0 of all.
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,

    /// What is not proved, for `--baseline`.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
}

/// Runs `prova batch export`.
pub fn export(arguments: ExportArguments) -> anyhow::Result<Status> {
    let (store, run) = arguments.of.open()?;
    let entries = store.entries(run.id)?;
    let counting = Counting {
        manifest: arguments.manifest,
        baseline: None,
    };
    let policy = counting.policy()?;
    let whole = |entry: &Entry| store.answer(entry.id).ok().flatten();
    let mut written = 0;
    let mut write_to = |path: &Option<PathBuf>, text: &dyn Fn() -> String| {
        let Some(path) = path else {
            return Ok(());
        };
        written += 1;
        std::fs::write(path, text()).with_context(|| format!("cannot write {}", path.display()))
    };
    write_to(&arguments.csv, &|| files::csv(&entries))?;
    write_to(&arguments.json, &|| {
        format!("{:#}\n", files::json(&entries, &whole))
    })?;
    let version = env!("CARGO_PKG_VERSION");
    write_to(&arguments.sarif, &|| {
        format!("{:#}\n", files::sarif(&entries, &policy, version))
    })?;
    write_to(&arguments.baseline, &|| {
        format!("{:#}\n", policy::baseline(&entries))
    })?;
    if written == 0 {
        let what = "say what to write: --csv, --json, --sarif or --baseline";
        return Err(Rejected::because(what).into());
    }
    Ok(Status::Fine)
}
