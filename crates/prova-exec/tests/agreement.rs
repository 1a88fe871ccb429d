//! Concrete and symbolic execution against each other, on C: every program in `tests/programs`
//! for both data models, and random programs. See `support` for what is compared.
//!
//! `PROVA_LONG=1` draws many more random programs and inputs.

#[path = "../../prova-engine/tests/support/generate.rs"]
#[allow(dead_code)]
mod generate;
mod support;
#[path = "support/typed.rs"]
mod typed;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use prova_exec::{Limits, Test};
use prova_ir::{DataModel, Program};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use support::{Another, Checked};

const LIMITS: Limits = Limits {
    steps: 1_200,
    time: Some(Duration::from_secs(20)),
    memory: 256 << 20,
    depth: 1_000,
    output: 1 << 16,
};

fn long() -> bool {
    std::env::var("PROVA_LONG").is_ok_and(|v| v != "0")
}

fn lower(name: &str, source: &str, model: DataModel) -> Result<Arc<Program>, String> {
    let options = prova_c::Options {
        model,
        ..prova_c::Options::default()
    };
    let unit = prova_c::parse_text(name, source, &options).map_err(|e| e.to_string())?;
    let lowered = prova_c::lower(vec![unit], &options).map_err(|e| format!("{e:?}"))?;
    Ok(prepared(lowered.program, source))
}

/// With its error woven in, as engines see it.
fn prepared(mut program: Program, source: &str) -> Arc<Program> {
    prova_spec::weave_unreach_call(&mut program, &prova_spec::Spec::default());
    if let Some(entry) = source.split("// entry:").nth(1) {
        let entry = entry.split_whitespace().next().unwrap_or_default();
        let procedure = program.find_procedure(entry).expect("the entry exists");
        prova_spec::make_entry(&mut program, procedure).expect("an entry");
    }
    prova_exec::separate_nan_bits(&mut program);
    Arc::new(program)
}

/// What came of many paths.
#[derive(Default)]
struct Tally {
    paths: usize,
    agreed: usize,
    other_start: usize,
    constraints: usize,
    undecided: usize,
    out_of_bounds: usize,
    skipped: BTreeMap<String, String>,
}

impl Tally {
    fn add(&mut self, name: &str, checked: Result<Checked, String>) {
        match checked {
            Ok(checked) => {
                self.paths += 1;
                self.constraints += checked.constraints;
                match checked.another {
                    Another::Agreed => self.agreed += 1,
                    Another::OtherStart => self.other_start += 1,
                    Another::None => {}
                    Another::Undecided => self.undecided += 1,
                    Another::OutOfBounds => self.out_of_bounds += 1,
                }
            }
            Err(reason) => {
                self.skipped.insert(name.into(), reason);
            }
        }
    }

    fn print(&self) {
        for (name, reason) in &self.skipped {
            println!("{name} skipped: {reason}");
        }
        println!(
            "{} paths, {} of them taken by a test with other inputs, {} with another start, {} \
             constraints; {} undecided, {} out of bounds, {} programs skipped",
            self.paths,
            self.agreed,
            self.other_start,
            self.constraints,
            self.undecided,
            self.out_of_bounds,
            self.skipped.len()
        );
    }
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "c") {
            found.push(path);
        }
    }
}

#[test]
fn programs_agree() {
    let root = std::env::current_dir()
        .expect("the package's folder")
        .join("../../tests/programs");
    let mut paths = Vec::new();
    sources(&root, &mut paths);
    // Entries without `main`, and programs that are not modelled, have a test of their own.
    // Programs about termination need not end, and what they compute grows with every round.
    let apart = [
        "proposed",
        "border",
        "termination",
        "adequacy",
        "conform",
        "contracts",
    ]
    .map(|folder| root.join(folder));
    paths.retain(|path| !apart.iter().any(|folder| path.starts_with(folder)));
    paths.sort();
    assert!(paths.len() >= 40, "{} programs", paths.len());
    let mut tally = Tally::default();
    for path in &paths {
        let source = std::fs::read_to_string(path).expect("readable");
        let name = path.strip_prefix(&root).unwrap_or(path).display();
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let name = format!("{name} ({model:?})");
            println!("{name}");
            let options = prova_c::Options {
                model,
                ..prova_c::Options::default()
            };
            let program = match prova_c::load(&[path], &options) {
                Ok(lowered) => prepared(lowered.program, &source),
                Err(reason) => {
                    tally.add(&name, Err(format!("{reason:?}")));
                    continue;
                }
            };
            let seeds = match model {
                _ if long() => 40,
                DataModel::Lp64 => 2,
                DataModel::Ilp32 => 1,
            };
            for test in (0..seeds).map(Test::seeded).chain([Test::zero()]) {
                tally.add(&name, support::check(&program, &test, LIMITS));
            }
        }
    }
    tally.print();
    // Headers for 32 bits need not be there.
    assert!(tally.skipped.len() <= 2, "{:#?}", tally.skipped);
    assert!(tally.agreed * 3 >= tally.paths, "few second tests");
}

/// Draws seeds, makes programs of them and compares. A failure names the seed.
fn random_programs<I: Strategy>(
    (few, many): (u32, u32),
    inputs: I,
    source: impl Fn(I::Value) -> (String, u64, DataModel),
) -> Tally {
    let tally = RefCell::new(Tally::default());
    let mut runner = TestRunner::new(ProptestConfig {
        cases: if long() { many } else { few },
        // A smaller seed is no smaller program.
        max_shrink_iters: 0,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let outcome = runner.run(&inputs, |input| {
        let (source, seed, model) = source(input);
        let program = lower("random.c", &source, model).expect("a program");
        for test in [Test::zero(), Test::seeded(seed), Test::seeded(seed ^ 1)] {
            let checked = support::check(&program, &test, LIMITS);
            let name = format!("{seed} {model:?}");
            tally.borrow_mut().add(&name, checked);
        }
        Ok(())
    });
    let tally = tally.into_inner();
    tally.print();
    if let Err(error) = outcome {
        panic!("{error}");
    }
    tally
}

#[test]
fn small_random_programs_agree() {
    let inputs = (any::<u64>(), any::<bool>());
    let tally = random_programs((24, 4_000), inputs, |(seed, procedures)| {
        let source = generate::program(seed, procedures).source;
        (source, seed, DataModel::Lp64)
    });
    assert!(tally.skipped.is_empty());
    assert!(tally.agreed * 2 >= tally.paths, "few second tests");
}

#[test]
fn typed_random_programs_agree() {
    let inputs = (any::<u64>(), any::<bool>(), any::<bool>());
    let tally = random_programs((24, 4_000), inputs, |(seed, entry, wide)| {
        let model = if wide {
            DataModel::Lp64
        } else {
            DataModel::Ilp32
        };
        (typed::program(seed, entry, wide), seed, model)
    });
    // Paths that branch on what `printf` returned.
    assert!(tally.skipped.len() * 20 <= tally.paths, "many skipped");
    let rare = tally.undecided + tally.out_of_bounds;
    assert!(rare * 4 <= tally.paths, "many without an answer");
    assert!(tally.agreed * 2 >= tally.paths, "few second tests");
}
