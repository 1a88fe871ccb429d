//! `prova certify`: checks the certificate of a proof.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use prova_certify::certificate::Certificate;
use prova_certify::{check, Failure, Limits};
use prova_ir::{DataModel, World};
use prova_spec::Check;
use prova_task::Budget;

use super::check::certify::{assumptions, describe, model_name, solvers, source_digests, PATIENCE};
use super::check::invariant::Invariant;
use super::check::property::{named, read_rules, woven, Woven};
use super::check::termination;
use crate::arguments::Sources;
use crate::input;
use crate::output::Output;
use crate::status::{Rejected, Status};
use crate::watchdog::{self, Floor};
use crate::world::{lines, WorldArguments};

/// Larger certificates are not read.
const LARGEST: u64 = 256 << 20;

/// Arguments of `prova certify`.
#[derive(Debug, Args)]
#[command(
    override_usage = "prova certify [OPTIONS] [FILE]... <CERTIFICATE>",
    long_about = "Check the certificate of a proof. What the certificate says it assumes is taken, and printed; \
                  where an option says otherwise, the certificate is refused."
)]
pub struct Arguments {
    #[command(flatten)]
    sources: Sources,

    /// The rule in SLIC that the certificate is about.
    #[arg(long, value_name = "FILE")]
    slic: Vec<PathBuf>,

    #[command(flatten)]
    world: WorldArguments,

    /// Refuse a certificate for another function than this [default: what the certificate says].
    #[arg(long, value_name = "FUNCTION")]
    entry: Option<String>,

    /// Refuse a certificate of another property [default: what the certificate says].
    #[arg(long, value_name = "NAME|FILE")]
    property: Option<String>,

    /// Refuse a certificate that takes another label, or none, for an error.
    #[arg(long, value_name = "NAME")]
    error_label: Option<String>,

    /// The solvers, asked one after the other: cvc5, z3, a path, or `in-process`
    /// [default: cvc5 and z3 as far as they are installed].
    #[arg(long = "with", value_name = "SOLVER", value_delimiter = ',')]
    with: Vec<String>,

    /// Ask a solver about every condition, also the plain ones: then the checker's simplifier is
    /// not trusted, only the solver.
    #[arg(long)]
    ask_all: bool,

    /// Stop after this many seconds.
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,
}

/// Runs `prova certify`.
pub fn run(arguments: Arguments) -> anyhow::Result<Status> {
    let budget = Budget::new(arguments.timeout.map(Duration::from_secs), None);
    watchdog::interruptible(&budget);
    let speak = |(): &mut (), stop| watchdog::said_as_answer("not certified", stop);
    watchdog::guarded(&budget, (), speak, |floor| {
        certified(arguments, &budget, floor)
    })
}

fn certified(
    mut arguments: Arguments,
    budget: &Budget,
    floor: &Floor<()>,
) -> anyhow::Result<Status> {
    let Some(file) = arguments.sources.files.pop() else {
        return Err(Rejected::because("name the C files, then the certificate").into());
    };
    arguments.sources.settle()?;
    let text = read(&file)?;
    let wrong = |e: &Failure| Rejected::because(format!("{}: {e}", file.display()));
    let certificate = Certificate::parse(&text).map_err(|e| wrong(&e))?;
    let word = |keyword: &str| certificate.header(keyword).first().cloned();
    let mismatch = |what: String| Err(wrong(&Failure::Mismatch(what)).into());
    let said = word("model").unwrap_or_default();
    let models = [DataModel::Ilp32, DataModel::Lp64];
    let Some(model) = models.into_iter().find(|m| model_name(*m) == said) else {
        return mismatch(format!("there is no data model `{said}`"));
    };
    if let Some(wanted) = arguments.sources.model().filter(|m| *m != model) {
        let wanted = model_name(wanted);
        return mismatch(format!("it is for data model {said}, not for {wanted}"));
    }
    arguments.sources.set_model(model);
    let world = match world(&certificate) {
        Ok(world) => world,
        Err(why) => return mismatch(why),
    };
    if let Some((wanted, had)) = arguments.world.differs_from(&world) {
        return mismatch(format!("it was made with `{had}`, not with `{wanted}`"));
    }
    arguments.sources.world = world.clone();
    let (name, entry, label) = (word("property"), word("entry"), word("label"));
    let wanted = arguments.property.as_deref().map(named).transpose()?;
    let (wanted, of) = (wanted.map(|c| c.key()), arguments.entry.clone());
    for (what, wanted, said) in [
        ("property", &wanted, &name),
        ("entry", &of, &entry),
        ("error label", &arguments.error_label, &label),
    ] {
        if wanted.is_some() && wanted != said {
            let [wanted, said] = [wanted, said].map(|o| o.as_deref().unwrap_or("none"));
            return mismatch(format!("its {what} is {said}, not {wanted}"));
        }
    }
    let name = name.unwrap_or_default();
    let Some(mut property) = Check::of_key(&name) else {
        let message = format!("there is no property `{name}`");
        return Err(wrong(&Failure::Mismatch(message)).into());
    };
    property.calls.label = label;
    let watchers = read_rules(&arguments.slic)?;
    let program = input::load_watched(&arguments.sources, property.needs_operations(), watchers)?;
    let digests = source_digests(&arguments.sources)?;
    let digests: Vec<&String> = digests.iter().map(|d| &d.1).collect();
    // Each file has its name, for people, and its digest.
    let named = certificate
        .header("source")
        .chunks(2)
        .map(|pair| pair.last());
    if !named.eq(digests.into_iter().map(Some)) {
        let message = "it was made for other source files";
        return Err(wrong(&Failure::Mismatch(message.into())).into());
    }
    let Woven {
        program,
        mut assumed,
        ..
    } = woven(&program, &property, &entry, &world)?
        .map_err(|e| wrong(&Failure::Unsupported(e.to_string())))?;
    let mut program = program;
    for pair in certificate.header("assume").chunks(2) {
        let [keyword, value] = pair else { continue };
        if keyword == "invariant" {
            let Some((function, text)) = value.split_once(": ") else {
                return mismatch(format!("`{value}` is no invariant of a function"));
            };
            if entry.as_deref() != Some(function) {
                return mismatch(format!("its invariant is one of `{function}`"));
            }
            let shown = file.display().to_string();
            let compiled = Invariant::compile(&arguments.sources, function, text, &shown)?;
            let taken = compiled.assume(&mut program);
            assumed.push(taken.map_err(|e| wrong(&Failure::Mismatch(e)))?);
        }
    }
    let measures = certificate.header("measure");
    if termination::is_asked(&property) {
        let woven = termination::weave_measures(&mut program, measures);
        assumed.extend(woven.map_err(|e| wrong(&Failure::Mismatch(e)))?);
    } else if !measures.is_empty() {
        return mismatch("it has measures, and its property needs none".into());
    }
    // Read again from the program: nothing is taken on trust, and nothing may be hidden.
    let mut wanted = assumptions(&world, &assumed);
    let mut said: Vec<(&str, String)> = certificate
        .header("assume")
        .chunks(2)
        .map(|pair| (pair[0].as_str(), pair[1].clone()))
        .collect();
    wanted.sort();
    said.sort();
    if said != wanted {
        let of = |all: &[(&str, String)], others: &[(&str, String)]| {
            let other = all.iter().find(|a| !others.contains(a));
            other.map(|(keyword, value)| format!("{keyword} {value}"))
        };
        return mismatch(match (of(&said, &wanted), of(&wanted, &said)) {
            (Some(other), _) => format!("it assumes `{other}`, which this program does not need"),
            (None, missing) => format!(
                "it does not say that it assumes `{}`",
                missing.unwrap_or_default()
            ),
        });
    }

    let limits = Limits {
        query: PATIENCE,
        deadline: budget.remaining().map(|left| Instant::now() + left),
        cancelled: &|| budget.poll().is_some(),
        ask_all: arguments.ask_all,
    };
    let outcome = check(&program, &certificate, &solvers(&arguments.with), &limits);
    let mut held = floor.take();
    let mut out = Output::new();
    let status = match outcome {
        Ok(accepted) => {
            let entry = entry.as_deref().unwrap_or("main");
            match termination::is_asked(&property) {
                true => writeln!(out, "certified: every run of `{entry}` ends")?,
                false => writeln!(out, "certified: no run of `{entry}` breaks {name}")?,
            }
            writeln!(out, "  {}", describe(&accepted))?;
            for line in lines(&assumed) {
                writeln!(out, "  assumed: {line}")?;
            }
            Status::Fine
        }
        Err(failure) if failure.is_bad_input() => return Err(wrong(&failure).into()),
        Err(failure) => {
            match budget.poll().filter(|_| failure == Failure::Interrupted) {
                Some(stop) => writeln!(out, "not certified: {stop}")?,
                None => writeln!(out, "not certified: {failure}")?,
            }
            Status::Unknown
        }
    };
    out.flush()?;
    held.said = Some(status);
    Ok(status)
}

/// How a certificate says that the world is read.
fn world(certificate: &Certificate) -> Result<World, String> {
    const SAID: [&str; 3] = ["malloc", "volatile", "undefined"];
    const PERHAPS: [&str; 4] = ["addresses", "assembly", "blocks", "pointers"];
    let mut world = World::default();
    let mut missing: Vec<&str> = SAID.to_vec();
    for pair in certificate.header("assume").chunks(2) {
        let [keyword, value] = pair else {
            return Err("an assumption is a keyword and a value".into());
        };
        if SAID.iter().chain(&PERHAPS).any(|k| k == keyword) {
            world.choose(keyword, value)?;
            missing.retain(|k| k != keyword || value.contains('='));
        }
    }
    match missing.first() {
        Some(keyword) => Err(format!("it does not say what it assumes of `{keyword}`")),
        None => Ok(world),
    }
}

fn read(file: &PathBuf) -> Result<String, Rejected> {
    let failed = |e: String| Rejected::because(format!("{}: {e}", file.display()));
    let length = std::fs::metadata(file)
        .map_err(|e| failed(e.to_string()))?
        .len();
    if length > LARGEST {
        return Err(failed(format!(
            "more than {} MB are not read",
            LARGEST >> 20
        )));
    }
    let bytes = std::fs::read(file).map_err(|e| failed(e.to_string()))?;
    String::from_utf8(bytes).map_err(|_| failed("this is no text".to_string()))
}
