//! Loops: each source of facts alone and all together, on programs that come with an unsafe twin.
//! Wrong verdicts fail; so does a program that a source used to prove. What Houdini keeps is
//! proved again here, step by step, by a solver of its own.

mod support;

use prova_engine::knowledge::sources::{
    intervals::Facts, path::Path, states::Tests, Generalise, Sources,
};
use prova_engine::knowledge::{Knowledge, Request};
use prova_engine::problem::blocks::{BlockId, Granularity};
use prova_engine::problem::Problem;
use prova_engine::proof::recheck::step_possible;
use prova_engine::regions::graph::Regions;
use prova_engine::Dash;
use prova_logic::{new_solver, Answer, SolverConfig};
use prova_task::prepare::prepare;
use prova_task::Budget;
use support::{check_with, task, verdict};

/// Iterations after which a search is called off: counted, so that a slow machine says the same.
const ITERATIONS: u64 = 400;
/// And for sources that are not expected to decide.
const FEW: u64 = 25;

const PATH: &[&str] = &["array", "stride", "wrap"];
const TESTS: &[&str] = &[
    "array",
    "opposite",
    "sentinel",
    "stride",
    "there_and_back",
    "triangle",
    "two_ends",
    "walk",
];
const AI: &[&str] = &["array", "gcd", "queue", "sentinel", "stride", "triangle"];

fn programs() -> Vec<(String, String, bool)> {
    let folder = "../../tests/programs/loops";
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    paths.sort();
    assert!(paths.len() >= 32);
    paths
        .iter()
        .map(|path| {
            let source = std::fs::read_to_string(path).unwrap();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let safe = source.starts_with("// expect: true");
            assert_eq!(safe, !name.ends_with("_bug"), "{name}");
            (name, source, safe)
        })
        .collect()
}

fn said(sources: Sources, name: &str, source: &str, iterations: u64) -> String {
    let engine = Dash {
        sources,
        iterations: Some(iterations),
        ..Dash::default()
    };
    verdict(&check_with(&engine, name, source, None, 60))
}

#[test]
fn all_sources_together_decide_every_program() {
    let mut wrong = Vec::new();
    for (name, source, safe) in programs() {
        let said = said(Sources::default(), &name, &source, ITERATIONS);
        if said != safe.to_string() {
            wrong.push(format!("{name}: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What each source proves without the others, but for the core, which all have.
#[test]
fn each_source_alone_proves_what_it_is_for() {
    let core = Sources {
        core: true,
        branch: true,
        ..Sources::NONE
    };
    let alone: [(&str, Sources, &[&str]); 3] = [
        ("path", Sources { path: true, ..core }, PATH),
        (
            "tests",
            Sources {
                tests: true,
                ..core
            },
            TESTS,
        ),
        ("ai", Sources { ai: true, ..core }, AI),
    ];
    let programs = programs();
    for (source_name, sources, proves) in alone {
        for (name, source, safe) in programs.iter().filter(|p| p.2) {
            assert!(safe);
            if proves.contains(&name.as_str()) {
                let said = said(sources, name, source, ITERATIONS);
                assert_eq!(said, "true", "{name} with {source_name}");
            }
        }
    }
}

/// Unsafe twins stay unsafe whatever is switched on; weak sources may not decide them.
#[test]
fn no_source_proves_an_unsafe_twin() {
    for (name, source, safe) in programs() {
        let sources = Sources {
            tests: true,
            ..Sources::NONE
        };
        for sources in [
            sources,
            Sources {
                ai: true,
                ..Sources::NONE
            },
        ] {
            let said = said(sources, &name, &source, FEW);
            assert!(said != (!safe).to_string(), "{name}: {said}");
        }
    }
}

/// Facts that are kept hold after the start and are preserved by every block.
#[test]
fn whatever_is_kept_is_inductive() {
    let mut facts_in_all = 0;
    for (name, source, _) in programs() {
        let task = task(&name, &source, None);
        let prepared = prepare(&task.program).expect("one procedure");
        let prepared = prepared.with_entries().unwrap_or(prepared);
        let problem = Problem::new(prepared, Granularity::Basic);
        let terms = &mut *problem.terms.borrow_mut();
        let steps = problem.steps(terms).expect("it encodes");
        let mut known = Knowledge::new(&problem, &task).expect("it runs");
        known.begin(&Budget::unlimited());
        let path = Regions::of(problem.prepared.entry(), &steps.blocks).shortest_path();
        let config = SolverConfig::default();
        let mut solver = new_solver(&config).expect("a solver");
        let request = Request {
            spoken: &[],
            path: path.as_deref(),
            solver: &mut *solver,
        };
        let sources: &mut [&mut dyn Generalise] = &mut [&mut Path, &mut Tests, &mut Facts];
        let mut calls = 400;
        let learned = known.learn(terms, request, sources, || {
            calls -= 1;
            calls == 0
        });
        let learned = learned.expect("it encodes");
        assert!(learned.candidates > 0, "{name}");
        let mut fresh = new_solver(&config).expect("a solver");
        for (index, block) in steps.blocks.blocks.iter().enumerate() {
            let before = &learned.kept.invariants[block.source.index()];
            for &fact in &learned.kept.invariants[block.target.index()] {
                facts_in_all += 1;
                let broken = terms.not(fact);
                let answer = step_possible(
                    &problem.encoding,
                    terms,
                    &steps.transitions,
                    &mut *fresh,
                    before,
                    BlockId(index as u32),
                    &[vec![broken]],
                );
                assert_eq!(answer, Answer::Unsat, "{name}: block {index}");
            }
        }
    }
    assert!(facts_in_all > 100, "only {facts_in_all} facts");
}
