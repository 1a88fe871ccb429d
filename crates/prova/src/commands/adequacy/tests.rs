//! Somebody's tests: files with a value a line, test cases of the competition's, folders of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use prova_exec::{Code, Exhausted, Given, Limits, Policy, Run, Test};

use crate::commands::run::inputs;
use crate::status::Rejected;

/// Random tests where none are given.
const RANDOM: u64 = 4;

/// Reads tests; a few of our own if none are named.
pub fn read(paths: &[PathBuf], code: &Arc<Code>, seed: u64) -> Result<Vec<Given>, Rejected> {
    let limits = Limits {
        steps: 10_000_000,
        time: Some(Duration::from_secs(5)),
        ..Limits::default()
    };
    if paths.is_empty() {
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
            text = values(&text);
        }
        let (test, _) = inputs::run_text(code, &shown, &text, limits)?;
        tests.push(Given::of(&Run::new(code, &test, limits)));
    }
    Ok(tests)
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
