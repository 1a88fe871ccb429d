//! Somebody's tests: files with a value a line, test cases of the competition's, folders of them, and
//! commands that print a test a line.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use prova_evidence::supply::{supply, Supply};
use prova_exec::{Code, Exhausted, Given, Limits, Policy, Run, RunEnd, Test};
use prova_ir::Statement;

use crate::commands::run::inputs;
use crate::status::Rejected;

/// Random tests where none are given.
const RANDOM: u64 = 4;

/// Reads tests; a few of our own if none are named.
pub fn read(
    paths: &[PathBuf],
    commands: &[String],
    code: &Arc<Code>,
    seed: u64,
) -> Result<Vec<Given>, Rejected> {
    let limits = Limits {
        steps: 10_000_000,
        time: Some(Duration::from_secs(5)),
        ..Limits::default()
    };
    if paths.is_empty() && commands.is_empty() {
        let random = (0..RANDOM).map(|i| Policy::SeededInputs(seed.wrapping_add(i)));
        let tests = std::iter::once(Policy::Zero).chain(random);
        let run = |rest| {
            let test = Test {
                rest,
                exhausted: Exhausted::Continue,
                ..Test::default()
            };
            let limits = Limits {
                steps: 5_000,
                ..limits
            };
            Given::of(&Run::new(code, &test, limits))
        };
        return Ok(tests.map(run).collect());
    }
    let mut files = Vec::new();
    for path in paths {
        collect(path, &mut files)?;
    }
    let mut tests = Vec::new();
    for file in files {
        let shown = file.display().to_string();
        let bytes = std::fs::read(&file)
            .map_err(|e| Rejected::because(format!("cannot read `{shown}`: {e}")))?;
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        if file.extension().is_some_and(|e| e == "xml") {
            text = with_unasked(code, &shown, values(&text), limits)?;
        }
        let (test, _) = inputs::run_text(code, &shown, &text, limits)?;
        tests.push(Given::of(&Run::new(code, &test, limits)));
    }
    for command in commands {
        for (number, line) in printed(command)?.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let shown = format!("test {} of `{command}`", number + 1);
            let values = line.split([' ', '\t', ',']).filter(|w| !w.is_empty());
            let text = values.collect::<Vec<_>>().join("\n");
            let (test, _) = inputs::run_text(code, &shown, &text, limits)?;
            tests.push(Given::of(&Run::new(code, &test, limits)));
        }
    }
    match tests.is_empty() {
        true => Err(Rejected::because("there is no test")),
        false => Ok(tests),
    }
}

/// The format knows what functions return, and nothing else: what a run asks for beside (a variable
/// without a value) is zero, or the end of a stream.
fn with_unasked(
    code: &Arc<Code>,
    shown: &str,
    text: String,
    limits: Limits,
) -> Result<String, Rejected> {
    let statements = code.program.procedures.iter();
    let mut statements = statements.flat_map(|p| p.body.iter().flat_map(|b| &b.edges));
    let unasked = statements.any(|e| match &e.statement {
        Statement::Nondet { origin, .. } => !is_returned(origin),
        _ => false,
    });
    if !unasked {
        return Ok(text);
    }
    let mut written = text.lines();
    let mut given: Vec<&str> = Vec::new();
    loop {
        let (_, summary) = inputs::run_text(code, shown, &given.join("\n"), limits)?;
        let next = match summary.end {
            RunEnd::InputsExhausted(at) => {
                let body = code.program.procedure(at.proc).body.as_ref();
                let mut edges = body.iter().flat_map(|b| &b.edges);
                edges.find_map(|e| match &e.statement {
                    Statement::Nondet { origin, .. } if e.source == at.location => Some(origin),
                    _ => None,
                })
            }
            // What is left over is told by whoever reads the whole.
            _ => None,
        };
        match next.map(supply) {
            Some(Supply::Defined | Supply::Wrapped) => match written.next() {
                Some(line) => given.push(line),
                None => break,
            },
            Some(Supply::StandardInput | Supply::File) => given.push("-1"),
            Some(_) => given.push("0"),
            None => break,
        }
    }
    given.extend(written);
    Ok(given.join("\n"))
}

fn is_returned(origin: &prova_ir::Origin) -> bool {
    matches!(supply(origin), Supply::Defined | Supply::Wrapped)
}

/// What a command prints, if it ends well.
fn printed(command: &str) -> Result<String, Rejected> {
    let failed = |why: String| Rejected::because(format!("the command `{command}` {why}"));
    let run = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| failed(format!("cannot be run: {e}")))?;
    match run.status.success() {
        true => Ok(String::from_utf8_lossy(&run.stdout).into_owned()),
        false => Err(failed(format!("ends with {}", run.status))),
    }
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Rejected> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let shown = path.display();
    let failed = |e: std::io::Error| Rejected::because(format!("cannot read `{shown}`: {e}"));
    let mut inside = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        inside.push(entry.map_err(failed)?.path());
    }
    inside.sort();
    // A suite of ours has its values in the competition's format, in a folder of its own.
    let xml = path.join("xml");
    if path.join("run.sh").is_file() && xml.is_dir() {
        return collect(&xml, files);
    }
    let before = files.len();
    for file in inside {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if file.is_file() && name != "metadata.xml" && !name.starts_with('.') {
            files.push(file);
        }
    }
    match files.len() > before {
        true => Ok(()),
        false => Err(Rejected::because(format!("there is no test in `{shown}`"))),
    }
}

/// The values of a test case in the competition's format, a line each.
fn values(text: &str) -> String {
    let inputs = text.split("<input").skip(1);
    let value = |part: &str| {
        let (_, behind) = part.split_once('>')?;
        let (value, _) = behind.split_once("</input>")?;
        Some(value.trim().to_owned())
    };
    let values: Vec<String> = inputs.filter_map(value).collect();
    values.join("\n")
}
