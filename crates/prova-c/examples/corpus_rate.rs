//! Lowers and validates every `*.c` and `*.i` below the folders given, and prints the rate and
//! the reason of each failure. `--bits 64` for LP64 (32 otherwise).
//!
//! `cargo run --release -p prova-c --example corpus_rate -- FOLDER…`

use prova_c::{load, Options};
use prova_ir::DataModel;
use std::path::{Path, PathBuf};

fn collect(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let Ok(entries) = std::fs::read_dir(path) else {
            return;
        };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        paths.sort();
        for path in paths {
            collect(&path, found);
        }
    } else if matches!(path.extension().and_then(|e| e.to_str()), Some("c" | "i")) {
        found.push(path.to_path_buf());
    }
}

fn main() {
    let mut options = Options {
        model: DataModel::Ilp32,
        ..Options::default()
    };
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1);
    let mut warnings = false;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bits" => {
                if arguments.next().as_deref() == Some("64") {
                    options.model = DataModel::Lp64;
                }
            }
            "--warnings" => warnings = true,
            "-I" => options
                .include_dirs
                .extend(arguments.next().map(PathBuf::from)),
            _ => collect(Path::new(&argument), &mut files),
        }
    }
    let mut good = 0;
    for file in &files {
        match load(&[file], &options) {
            Ok(lowered) => {
                let violations = prova_ir::validate::validate(&lowered.program);
                match violations.first() {
                    None => good += 1,
                    Some(v) => println!("{}: not valid: {v}", file.display()),
                }
                if warnings {
                    for warning in &lowered.warnings {
                        println!("{warning}");
                    }
                }
            }
            Err(errors) => match errors.first() {
                Some(error) => println!("{}: {error}", file.display()),
                None => println!("{}: no reason", file.display()),
            },
        }
    }
    let rate = 100.0 * f64::from(good) / files.len().max(1) as f64;
    println!("{good} of {} lower and validate: {rate:.2} %", files.len());
}
