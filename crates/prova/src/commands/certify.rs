//! `prova certify`: checks the certificate of a proof.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use prova_certify::certificate::Certificate;
use prova_certify::{check, Failure, Limits};
use prova_ir::DataModel;
use prova_spec::Check;

use super::check::certify::{describe, solvers, source_digests, PATIENCE};
use super::check::property::{read_rules, woven, Undefined, Woven};
use crate::arguments::Sources;
use crate::input;
use crate::output::Output;
use crate::status::{Rejected, Status};

/// Larger certificates are not read.
const LARGEST: u64 = 256 << 20;

/// Arguments of `prova certify`.
#[derive(Debug, Args)]
#[command(override_usage = "prova certify [OPTIONS] [FILE]... <CERTIFICATE>")]
pub struct Arguments {
    #[command(flatten)]
    sources: Sources,

    /// The rule in SLIC that the certificate is about.
    #[arg(long, value_name = "FILE")]
    slic: Vec<PathBuf>,

    /// What functions without a body do besides returning an arbitrary value
    /// [default: what the certificate says]; a certificate that says otherwise is refused.
    #[arg(long, value_enum)]
    undefined: Option<Undefined>,

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
pub fn run(mut arguments: Arguments) -> anyhow::Result<Status> {
    let start = Instant::now();
    let Some(file) = arguments.sources.files.pop() else {
        return Err(Rejected::because("name the C files, then the certificate").into());
    };
    arguments.sources.settle()?;
    let text = read(&file)?;
    let wrong = |e: &Failure| Rejected::because(format!("{}: {e}", file.display()));
    let certificate = Certificate::parse(&text).map_err(|e| wrong(&e))?;
    let word = |keyword: &str| certificate.header(keyword).first().cloned();
    match word("model").as_deref() {
        Some("ilp32") => arguments.sources.set_model(DataModel::Ilp32),
        _ => arguments.sources.set_model(DataModel::Lp64),
    }
    let name = word("property").unwrap_or_default();
    let Some(mut property) = Check::of_key(&name) else {
        let message = format!("there is no property `{name}`");
        return Err(wrong(&Failure::Mismatch(message)).into());
    };
    property.calls.label = word("label");
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
    let entry = word("entry");
    // The first certificates did not say it.
    let said = word("undefined").unwrap_or_else(|| Undefined::Pure.name().into());
    let Ok(undefined) = Undefined::from_str(&said, false) else {
        let message = format!("functions without a body are read as `{said}`");
        return Err(wrong(&Failure::Mismatch(message)).into());
    };
    if let Some(wanted) = arguments.undefined.filter(|u| *u != undefined) {
        let message = format!(
            "it was made with `--undefined {said}`, not with `--undefined {}`",
            wanted.name()
        );
        return Err(wrong(&Failure::Mismatch(message)).into());
    }
    let Woven { program, assumed } = woven(&program, &property, &entry, undefined)?
        .map_err(|e| wrong(&Failure::Unsupported(e.to_string())))?;

    let cancelled = Arc::new(AtomicBool::new(false));
    let flag = cancelled.clone();
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
    let limits = Limits {
        query: PATIENCE,
        deadline: arguments.timeout.map(|s| start + Duration::from_secs(s)),
        cancelled: &|| cancelled.load(Ordering::Relaxed),
        ask_all: arguments.ask_all,
    };
    let mut out = Output::new();
    let status = match check(&program, &certificate, &solvers(&arguments.with), &limits) {
        Ok(accepted) => {
            let entry = entry.as_deref().unwrap_or("main");
            writeln!(out, "certified: no run of `{entry}` breaks {name}")?;
            writeln!(out, "  {}", describe(&accepted))?;
            for function in &accepted.undefined {
                let effect = match undefined {
                    Undefined::Havoc => "may write what it reaches",
                    Undefined::Pure => "changes nothing",
                };
                writeln!(
                    out,
                    "  assumed: `{function}` has no body; it returns an arbitrary value and {effect}"
                )?;
            }
            for assumption in &assumed {
                writeln!(out, "  assumed: {assumption}")?;
            }
            Status::Fine
        }
        Err(failure) if failure.is_bad_input() => return Err(wrong(&failure).into()),
        Err(failure) => {
            writeln!(out, "not certified: {failure}")?;
            Status::Unknown
        }
    };
    out.flush()?;
    Ok(status)
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
