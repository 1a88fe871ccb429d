//! Small programs in the text form, and what passes and engines make of them: `tests/ir/*.ir`, each
//! with what is expected beside it.
//!
//! | comment on top of a file | what is done |
//! |---|---|
//! | `// passes: a b` | the passes are applied in turn, and the program is printed; may stand there several times |
//! | `// engines` | every engine says what it finds, and in how many iterations |
//!
//! `PROVA_BLESS=1` writes what is expected anew: look at the difference before you believe it.

use prova_engine::engine::Quota;
use prova_engine::registry::{checker, names, Settings};
use prova_ir::passes::{end_unmodelled, named, BlockGraph};
use prova_ir::text::{parse, print};
use prova_ir::{validate, Program};
use prova_task::{check_modelled, Budget, Checker, Inline, Outcome, Silent, Task};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

const FOLDER: &str = "../../tests/ir";

/// The engines of the registry, each with the name under which its line stands. Random testing has
/// nothing to end it but the clock, so it is left out.
fn engines() -> Vec<(&'static str, Box<dyn Checker>)> {
    let settings = Settings {
        quota: Some(FEW),
        ..Settings::default()
    };
    let names = names().filter(|n| *n != "random");
    let mut engines: Vec<_> = names
        .map(|n| (n, checker(n, &settings).expect("it is in the list")))
        .collect();
    let kept = Settings {
        inline: Inline::Never,
        ..settings
    };
    let kept = checker("dash", &kept).expect("it is in the list");
    engines.push(("dash, procedures", kept));
    engines
}

/// What an engine by itself may do: some of them go on for ever where their paper says so.
const FEW: Quota = Quota {
    steps: 20_000,
    least_iterations: 0,
    iterations: 30,
    questions: 1_000,
    ..Quota::ALL
};

/// A limit that none of these programs should meet; one that does is expected to say so.
const ENOUGH: Duration = Duration::from_secs(300);

fn files() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(FOLDER).expect("the folder is there");
    let paths = folder.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = paths
        .filter(|p| p.extension().is_some_and(|e| e == "ir"))
        .collect();
    files.sort();
    files
}

fn read(path: &Path) -> (String, Program) {
    let text = std::fs::read_to_string(path).expect("it can be read");
    let program = parse(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert_eq!(validate(&program), [], "{}", path.display());
    (text, program)
}

/// The lines of comments on top of a file.
fn comments(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map_while(|line| line.strip_prefix("// "))
}

/// Applies a pass: one with a name in certificates, or one of those that come before them.
fn apply(program: &mut Program, pass: &str) -> Result<Option<String>, String> {
    match pass {
        "unmodelled" => end_unmodelled(program, &|name| Some(format!("`{name}`"))),
        "blocks" => return Ok(Some(blocks(program))),
        _ => drop(prova_exec::passes::apply(program, pass)?),
    }
    assert_eq!(validate(program), [], "after `{pass}`");
    Ok(None)
}

/// Program text after passes, or why one of them is refused.
fn after(program: &Program, passes: &str) -> String {
    let mut program = program.clone();
    for pass in passes.split_whitespace() {
        match apply(&mut program, pass) {
            Ok(None) => {}
            Ok(Some(text)) => return text,
            Err(why) => return format!("refused: {why}\n"),
        }
    }
    print(&program)
}

/// The steps of each procedure, in each size.
fn blocks(program: &Program) -> String {
    let mut out = String::new();
    for (name, size) in [
        ("statement", prova_ir::passes::Granularity::Statement),
        ("basic", prova_ir::passes::Granularity::Basic),
        ("loop-free", prova_ir::passes::Granularity::LoopFree),
    ] {
        for procedure in &program.procedures {
            let Some(body) = &procedure.body else {
                continue;
            };
            let graph = BlockGraph::of(body, size);
            let _ = write!(out, "{name}, {}:", procedure.name);
            for block in &graph.edges {
                let (from, to) = (block.source.index(), block.target.index());
                let _ = write!(out, " L{from}->L{to}");
            }
            out.push('\n');
        }
    }
    out
}

/// What the engines say, a line each.
fn verdicts(program: &Program) -> String {
    let mut program = program.clone();
    end_unmodelled(&mut program, &|_| None);
    let task = Task::new(program, 0);
    let mut out = String::new();
    for (name, engine) in engines() {
        let budget = Budget::new(Some(ENOUGH), None);
        let report = check_modelled(&*engine, &task, &budget, &mut Silent);
        let verdict = match &report.outcome {
            Outcome::Proved(_) => match &report.scope.vacuous {
                Some(why) => format!("proved, vacuously ({why})"),
                None => "proved".into(),
            },
            Outcome::Violated(v) => {
                let inputs = v.inputs.iter().map(|i| format!("{} = {}", i.name, i.value));
                let inputs: Vec<String> = inputs.collect();
                match inputs.is_empty() {
                    true => format!("violated: {}", v.message),
                    false => format!("violated: {} ({})", v.message, inputs.join(", ")),
                }
            }
            Outcome::Bounded(_) => "bounded".into(),
            Outcome::Unknown(reason) => format!("unknown: {reason}"),
        };
        let iterations = report.statistics.iterations;
        let _ = writeln!(out, "{name}: {verdict}; {iterations} iterations");
    }
    out
}

/// What a file's comments ask for.
fn made(text: &str, program: &Program) -> String {
    let mut out = String::new();
    for comment in comments(text) {
        if let Some(passes) = comment.strip_prefix("passes: ") {
            let _ = write!(out, "=== {passes}\n{}", after(program, passes));
        } else if comment == "engines" {
            let _ = write!(out, "=== engines\n{}", verdicts(program));
        }
    }
    out
}

#[test]
fn programs_become_what_is_expected() {
    let bless = std::env::var_os("PROVA_BLESS").is_some();
    let mut wrong = Vec::new();
    for path in files() {
        let (text, program) = read(&path);
        let made = made(&text, &program);
        assert!(!made.is_empty(), "{} asks for nothing", path.display());
        let expected = path.with_extension("expected");
        if bless {
            std::fs::write(&expected, made).expect("written");
            continue;
        }
        let wanted = std::fs::read_to_string(&expected).unwrap_or_default();
        if wanted != made {
            wrong.push(format!("{}:\n{made}", path.display()));
        }
    }
    assert!(
        wrong.is_empty(),
        "PROVA_BLESS=1 writes what came instead of what is expected:\n{}",
        wrong.join("\n")
    );
}

/// What is expected belongs to a file, and every pass that has a name has one.
#[test]
fn every_pass_is_tried() {
    let texts: Vec<String> = files().iter().map(|path| read(path).0).collect();
    let tried = |pass: &str| {
        let lines = texts.iter().flat_map(|text| comments(text));
        let mut passes = lines.filter_map(|line| line.strip_prefix("passes: "));
        passes.any(|passes| passes.split_whitespace().next_back() == Some(pass))
    };
    for pass in named::PASSES {
        assert!(tried(pass.name), "no file ends with `{}`", pass.name);
    }
    for entry in std::fs::read_dir(FOLDER).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        assert!(path.with_extension("ir").exists(), "{}", path.display());
    }
}

/// Where engines answer they agree, and small programs are small for all of them.
#[test]
fn engines_agree() {
    for path in files() {
        let Ok(expected) = std::fs::read_to_string(path.with_extension("expected")) else {
            panic!("{} has nothing beside it", path.display());
        };
        let lines = expected.lines().skip_while(|l| *l != "=== engines").skip(1);
        let words = lines.filter_map(|l| l.split_once(": "));
        let words = words.filter_map(|(_, rest)| rest.split([':', ';', ',']).next());
        let mut answers: Vec<&str> = words
            .filter(|w| !["unknown", "bounded"].contains(w))
            .collect();
        answers.dedup();
        assert!(answers.len() <= 1, "{}: {answers:?}", path.display());
    }
}
