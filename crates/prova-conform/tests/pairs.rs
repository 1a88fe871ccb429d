//! Components and machines with known answers: `tests/programs/conform`. The first line of each
//! machine's file names the component and what is expected.

use prova_c::Options;
use prova_conform::conform::{conform, Answer, Question, Relation, Verdict};
use prova_conform::lts::read::parse;
use prova_conform::lts::syntax::Role;
use prova_conform::search::{Settings, States};
use prova_engine::Granularity;
use prova_ir::World;
use prova_logic::SolverChoice;
use prova_task::Budget;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/conform")
}

/// Answers for all targets of a file, all of which have to be the same.
fn answer(path: &Path, relation: Relation, granularity: Granularity) -> (String, Vec<Answer>) {
    answer_by(path, relation, granularity, States::Predicates)
}

/// The same, with states told apart by predicates or by values.
fn answer_by(
    path: &Path,
    relation: Relation,
    granularity: Granularity,
    states: States,
) -> (String, Vec<Answer>) {
    let text = std::fs::read_to_string(path).expect("a text");
    let first = text.lines().next().unwrap_or_default();
    let first = first.trim_start_matches("//").trim();
    let (component, _) = first
        .split_once(": ")
        .expect("a component and what is expected");
    let file = parse(&path.display().to_string(), &text).unwrap_or_else(|e| panic!("{e}"));
    let files = [path.with_file_name(component)];
    let own = tempfile::tempdir().expect("a folder");
    let targets = file.abstractions.iter().filter(|a| a.role == Role::Target);
    let mut answers = Vec::new();
    for target in targets {
        let question = Question {
            files: &files,
            options: &Options::default(),
            world: &World::default(),
            file: &file,
            target: Some(&target.name.text),
            relation,
            settings: Settings {
                states,
                ..Settings::default()
            },
            granularity,
            facts: false,
            solvers: vec![SolverChoice::Z3],
            patience: Duration::from_secs(20),
            folder: own.path(),
            keep: false,
            replay: Duration::from_secs(10),
            native: true,
        };
        let budget = Budget::new(Some(Duration::from_secs(120)), None);
        let answer = conform(&question, &budget);
        answers.push(answer.unwrap_or_else(|e| panic!("{}: {e:?}", path.display())));
    }
    let said: Vec<String> = answers.iter().map(|a| said(&a.verdict)).collect();
    let different = said.iter().find(|s| **s != "conforms").cloned();
    (different.unwrap_or("conforms".into()), answers)
}

fn said(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Conforms { .. } => "conforms".into(),
        Verdict::Violates(_) => "does not conform".into(),
        Verdict::Unknown(why) => format!("unknown ({why})"),
    }
}

#[test]
fn every_pair_is_decided_as_expected() {
    decided_by(States::Predicates);
}

#[test]
fn values_before_predicates_decide_the_same() {
    decided_by(States::Both);
}

/// What values alone say is what is expected, wherever they say something; and they say something of most.
#[test]
fn values_alone_are_never_wrong() {
    let (mut decided, mut open) = (0, 0);
    for (path, expected, relation) in pairs() {
        let (found, _) = answer_by(&path, relation, Granularity::Basic, States::Values);
        if found.starts_with("unknown") {
            open += 1;
            continue;
        }
        decided += 1;
        assert!(found.starts_with(&expected), "{}: {found}", path.display());
    }
    assert!(decided > open, "{decided} decided, {open} open");
}

/// The files of machines, with what is expected of each.
fn pairs() -> Vec<(PathBuf, String, Relation)> {
    let entries = std::fs::read_dir(folder()).expect("a folder");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|e| e == "lts"));
    let expected = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a text");
        let first = text.lines().next().unwrap_or_default();
        let (_, expected) = first.split_once(": ").expect("an expectation");
        match expected.strip_suffix(" by traces") {
            Some(expected) => (path, expected.to_string(), Relation::Traces),
            None => (path, expected.to_string(), Relation::Simulation),
        }
    };
    paths.into_iter().map(expected).collect()
}

fn decided_by(states: States) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (path, expected, relation) in pairs() {
        let (found, _) = answer_by(&path, relation, Granularity::Basic, states);
        count += 1;
        if !found.starts_with(&expected) {
            wrong.push(format!("{}: {found}, not {expected}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 40, "{count} pairs");
}

#[test]
fn a_late_choice_is_seen_in_two_runs_that_begin_alike() {
    let path = folder().join("branch_late_early.lts");
    let (_, answers) = answer(&path, Relation::Simulation, Granularity::Basic);
    let Verdict::Violates(shown) = &answers[0].verdict else {
        panic!("{}", said(&answers[0].verdict));
    };
    assert!(shown.branching);
    let mut runs: Vec<Vec<String>> = shown.runs.iter().map(|r| r.actions.clone()).collect();
    runs.sort();
    assert_eq!(runs, [["start", "left"], ["start", "right"]]);
}
