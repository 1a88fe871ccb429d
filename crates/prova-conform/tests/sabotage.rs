//! Relations that were damaged: each is refused, or a second look says that it is a relation still.
//!
//! Damage is what somebody who lies would do: leave pairs out, swap states of the machine, drop facts,
//! turn them round, claim what holds elsewhere, or show another program or machine the certificate.

use prova_c::Options;
use prova_certify::{Failure, Limits};
use prova_conform::lts::read::parse;
use prova_conform::lts::subsets::subsets;
use prova_conform::lts::syntax::File;
use prova_conform::lts::Lts;
use prova_conform::model::images::Images;
use prova_conform::model::program::Component;
use prova_conform::plan::Plan;
use prova_conform::relation::with_sets;
use prova_conform::search::{search, Effort, Found, Settings};
use prova_conform::session::Session;
use prova_conform::unit::{Purpose, SHOWN};
use prova_engine::problem::Problem;
use prova_engine::Granularity;
use prova_ir::{Program, World};
use prova_logic::{SolverChoice, SolverConfig};
use prova_relation::{check, Specification};
use prova_task::prepare::{prepare_as, Form};
use prova_task::Budget;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A program, the machine it conforms to, and the certificate.
fn certified(name: &str) -> (Program, Lts, String) {
    certified_by(name, false)
}

/// The same by traces, if that is asked.
fn certified_by(name: &str, traces: bool) -> (Program, Lts, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/conform");
    let text = std::fs::read_to_string(folder.join(name)).expect("a text");
    let first = text.lines().next().unwrap_or_default();
    let component = first.trim_start_matches("//").trim().split(':').next();
    let file: File = parse(name, &text).unwrap_or_else(|e| panic!("{e}"));
    let plan = Plan::new(&file, None).unwrap_or_else(|e| panic!("{e}"));
    let own = tempfile::tempdir().expect("a folder");
    let (options, world) = (Options::default(), World::default());
    let files: [PathBuf; 1] = [folder.join(component.expect("a component"))];
    let session = Session::new(&files, &options, &world, own.path(), &plan).expect("a session");
    let loaded = session.load(&plan, &Purpose::Model).expect("a program");
    let form = Form {
        sliced: false,
        recursive: false,
    };
    let prepared = prepare_as(&loaded.program, form).expect("one procedure");
    let problem = Problem::new(prepared, Granularity::Basic);
    let mut terms = problem.terms.borrow_mut();
    let component = Component::new(&problem, &mut terms, Granularity::Basic).expect("a component");
    let budget = Budget::unlimited();
    let mut images = Images::new(&SolverConfig::default(), &budget).expect("z3");
    let (specification, sets) = match traces {
        true => subsets(&plan.specification).expect("small"),
        false => (plan.specification.clone(), Vec::new()),
    };
    let found = search(
        &component,
        &mut terms,
        &mut images,
        &specification.stuttering(),
        &Settings::default(),
        &budget,
        &mut Effort::default(),
    );
    let Ok(Found::Relation { certificate, .. }) = found else {
        panic!("{name} does not conform");
    };
    let certificate = match traces {
        true => with_sets(&certificate, &sets),
        false => certificate,
    };
    (loaded.program, plan.specification.clone(), certificate)
}

fn asked(program: &Program, lts: &Lts, certificate: &str) -> Result<(), Failure> {
    asked_by(program, lts, certificate, false)
}

fn asked_by(program: &Program, lts: &Lts, certificate: &str, traces: bool) -> Result<(), Failure> {
    let limits = Limits {
        query: Duration::from_secs(20),
        deadline: None,
        cancelled: &|| false,
        ask_all: false,
    };
    let machine = Specification {
        moves: &lts.moves,
        initial: lts.initial,
        shown: SHOWN,
        traces,
    };
    check(program, &machine, certificate, &[SolverChoice::Z3], &limits).map(|_| ())
}

/// Every place where a text stands, one after another.
fn each(text: &str, what: &str) -> Vec<usize> {
    text.match_indices(what).map(|(at, _)| at).collect()
}

/// The text without the list that begins at an offset.
fn without(text: &str, at: usize) -> String {
    let mut depth = 0;
    let end = text[at..].char_indices().find_map(|(i, c)| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        (depth == 0).then_some(at + i + 1)
    });
    let end = end.expect("a list ends");
    format!("{}{}", &text[..at], &text[end..])
}

const PROVED: [&str; 4] = [
    "figure6.lts",
    "lock_counting.lts",
    "branch_early_early.lts",
    "handshake_order.lts",
];

#[test]
fn pairs_that_are_left_out_are_missed() {
    let (mut tried, mut refused) = (0, 0);
    for name in PROVED {
        let (program, lts, certificate) = certified(name);
        asked(&program, &lts, &certificate).unwrap_or_else(|e| panic!("{name}: {e}"));
        for at in each(&certificate, "(case").into_iter().step_by(2) {
            let damaged = without(&certificate, at);
            tried += 1;
            refused += usize::from(asked(&program, &lts, &damaged).is_err());
        }
    }
    // Every pair of these relations can come up, so each is needed by whoever leads to it.
    assert!(tried > 40, "{tried}");
    assert_eq!(refused, tried);
}

#[test]
fn other_states_of_the_machine_are_refused() {
    let mut refused = 0;
    for name in PROVED {
        let (program, lts, certificate) = certified(name);
        for at in each(&certificate, "(state ").into_iter().step_by(3) {
            let number_at = at + "(state ".len();
            let digits = certificate[number_at..].find(|c: char| !c.is_ascii_digit());
            let end = number_at + digits.expect("something follows");
            let number: usize = certificate[number_at..end].parse().expect("a number");
            let other = (number + 1) % lts.states.len();
            let damaged = format!(
                "{}{other}{}",
                &certificate[..number_at],
                &certificate[end..]
            );
            // The last state of a run may be claimed to be anything: nothing follows it.
            refused += usize::from(asked(&program, &lts, &damaged).is_err());
        }
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn facts_that_are_turned_round_are_refused() {
    let (mut tried, mut refused) = (0, 0);
    for name in ["figure6.lts", "lock_counting.lts", "handshake_order.lts"] {
        let (program, lts, certificate) = certified(name);
        for at in each(&certificate, "(case (").into_iter().step_by(3) {
            let fact = at + "(case ".len();
            let rest = without(&certificate, fact);
            let length = certificate.len() - rest.len();
            let (before, own) = (&certificate[..fact], &certificate[fact..fact + length]);
            let damaged = format!("{before}(not {own}){}", &certificate[fact + length..]);
            tried += 1;
            refused += usize::from(asked(&program, &lts, &damaged).is_err());
        }
    }
    assert!(tried > 8 && refused == tried, "{refused} of {tried}");
}

#[test]
fn another_machine_or_program_is_refused() {
    let (program, lts, certificate) = certified("lock_counting.lts");
    // A machine without one of the moves.
    for state in 0..lts.moves.len() {
        for number in 0..lts.moves[state].len() {
            let mut less = lts.clone();
            less.moves[state].remove(number);
            assert!(asked(&program, &less, &certificate).is_err());
        }
    }
    let (other, ..) = certified("figure6.lts");
    let refused = asked(&other, &lts, &certificate);
    assert!(matches!(refused, Err(Failure::Mismatch(_))), "{refused:?}");
}

#[test]
fn sets_of_states_are_not_trusted() {
    let name = "branch_late_early_traces.lts";
    let (program, lts, certificate) = certified_by(name, true);
    asked_by(&program, &lts, &certificate, true).unwrap_or_else(|e| panic!("{e}"));
    // The machine decides early, so no single state answers: this is no simulation.
    assert!(asked(&program, &lts, &certificate).is_err());
    let sets: Vec<usize> = each(&certificate, "(set ");
    assert!(sets.len() > 2, "{certificate}");
    let (mut tried, mut refused) = (0, 0);
    for &at in &sets {
        let list = &certificate[at..at + certificate[at..].find(')').expect("an end")];
        for state in 0..lts.states.len() {
            let own = list["(set ".len()..].split(' ');
            if own.clone().any(|s| s == state.to_string()) {
                continue;
            }
            // Nobody gets there by what was shown, so a set with such a state answers nothing.
            let damaged = certificate.replacen(list, &format!("{list} {state}"), 1);
            tried += 1;
            refused += usize::from(asked_by(&program, &lts, &damaged, true).is_err());
        }
        let empty = certificate.replacen(list, "(set", 1);
        let failure = asked_by(&program, &lts, &empty, true);
        assert!(failure.is_err_and(|e| e.is_bad_input()));
    }
    assert!(tried > 8 && refused == tried, "{refused} of {tried}");
}

#[test]
fn what_is_no_certificate_has_a_reason() {
    let (program, lts, certificate) = certified("figure6.lts");
    let sliced = certificate.replace("simplify)", "simplify slice)");
    let unfounded = certificate.replacen("(prepared \"", "(prepared \"0", 1);
    let numbers = certificate.replacen("(state 0", "(state 99", 1);
    for damaged in [
        "",
        "(prova-relation 2)",
        "(prova-certificate 2)",
        &sliced,
        &unfounded,
        &numbers,
    ] {
        let refused = asked(&program, &lts, damaged);
        assert!(refused.is_err_and(|e| e.is_bad_input()), "{damaged}");
    }
    for at in (10..certificate.len()).step_by(301) {
        assert!(asked(&program, &lts, &certificate[..at]).is_err());
    }
}
