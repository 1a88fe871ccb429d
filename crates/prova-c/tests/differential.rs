//! Programs run by gcc's code and by ours on the machine: they must print and return the same.

use prova_c::{load, Options};
use prova_exec::{run_plain, Code, Limits, RunEnd, Test};
use prova_ir::DataModel;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

fn programs() -> Vec<PathBuf> {
    let folder = std::env::current_dir()
        .expect("the package's folder")
        .join("tests/semantics");
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    found.sort();
    found
}

/// Output and status of gcc's code; `None` where this gcc cannot compile for the model.
fn native(source: &Path, flag: &str, folder: &Path) -> Option<(Vec<u8>, i32)> {
    let program = folder.join("program");
    let built = Command::new("gcc")
        .args([flag, "-w", "-fwrapv", "-O0", "-o"])
        .arg(&program)
        .arg(source)
        .output()
        .ok()?;
    if !built.status.success() {
        return None;
    }
    let run = Command::new(&program).output().ok()?;
    Some((run.stdout, run.status.code()?))
}

fn compare(model: DataModel, flag: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mut compared = 0;
    for source in programs() {
        let Some((output, status)) = native(&source, flag, folder.path()) else {
            eprintln!("SKIPPED: gcc {flag} does not compile {}", source.display());
            continue;
        };
        let options = Options {
            model,
            volatile: prova_c::Volatile::Plain,
            ..Options::default()
        };
        let lowered = match load(&[&source], &options) {
            Ok(lowered) => lowered,
            Err(errors) => panic!("{}", errors[0].render(false)),
        };
        let code = Code::new(Arc::new(lowered.program)).unwrap();
        let summary = run_plain(&code, &Test::zero(), Limits::default());
        assert_eq!(
            String::from_utf8_lossy(&summary.output),
            String::from_utf8_lossy(&output),
            "{} prints something else",
            source.display()
        );
        match summary.end {
            RunEnd::Returned(Some(value)) => assert_eq!(value as i32 & 0xff, status),
            RunEnd::Exited(value) => assert_eq!(value as i32 & 0xff, status),
            other => panic!("{} ended with {other:?}", source.display()),
        }
        compared += 1;
    }
    eprintln!("{compared} programs compared for {model:?}");
}

#[test]
fn programs_do_what_gcc_makes_them_do_on_lp64() {
    compare(DataModel::Lp64, "-m64");
}

#[test]
fn programs_do_what_gcc_makes_them_do_on_ilp32() {
    compare(DataModel::Ilp32, "-m32");
}
