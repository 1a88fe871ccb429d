//! The border of the program: pairs of a safe program and its twin with the error, each about
//! something that lies outside of the program's own text (`tests/programs/border`).
//!
//! * No verdict is wrong: a safe program is never violated, its twin never proved, whatever the
//!   engine and the data model.
//! * Where the first line names one verdict, that one is reached.
//! * gcc agrees with the first lines: the twin shows its error natively on the inputs in its head,
//!   the safe one does not (`native.rs`).
//!
//! An ordinary run takes every fourth pair with the default engine, every twelfth with gcc, and few
//! with the other engines and data models. `PROVA_ALL_PAIRS=1` takes all everywhere.

mod native;
mod programs;

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

use programs::{pairs, programs, Program, Verdict};

/// Whether everything is to be run.
fn all() -> bool {
    std::env::var_os("PROVA_ALL_PAIRS").is_some()
}

/// Both programs of each pair whose number leaves this remainder.
fn some(remainder: usize, divisor: usize) -> Vec<Program> {
    let pairs = pairs().into_iter().enumerate();
    let chosen = pairs.filter(|(number, _)| all() || number % divisor == remainder);
    chosen.flat_map(|(_, (safe, bug))| [safe, bug]).collect()
}

/// Does something with each program on all cores, and collects what is to be complained about.
fn each(
    programs: &[Program],
    complaint: impl Fn(&Program) -> Option<String> + Sync,
) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some(text) = complaint(program) {
                        found.lock().expect("no panic").push(text);
                    }
                }
            });
        }
    });
    let mut found = found.into_inner().expect("no panic");
    found.sort();
    found
}

/// What `prova check` says, and its output.
fn check(program: &Program, options: &[&str], bits: u32) -> (Verdict, String) {
    // Whoever may give up need not be waited for.
    let seconds = if program.may_be(Verdict::Unknown) {
        "5"
    } else {
        "60"
    };
    let output = Command::new(env!("CARGO_BIN_EXE_prova"))
        .args(["check", "--first", "--no-config", "--timeout", seconds])
        .args(["--property", &program.property, "--bits", &bits.to_string()])
        .args(options)
        .args(&program.options)
        .arg(&program.path)
        .output()
        .expect("the command runs");
    let verdict = match output.status.code() {
        Some(0) => Verdict::True,
        Some(1) => Verdict::False,
        Some(3) => Verdict::Unknown,
        _ => Verdict::None,
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (verdict, text)
}

/// The data models that a program is checked with.
type Bits = fn(&Program) -> Option<u32>;

/// The program's own data model, or the usual one.
const USUAL: Bits = |program| Some(program.bits.unwrap_or(64));

/// Runs programs; wrong verdicts are told first, then verdicts that are not the expected ones, if
/// these are asked for.
fn run(programs: &[Program], options: &[&str], bits: Bits, exact: bool) {
    let complaints = each(programs, |program| {
        let bits = bits(program)?;
        let (verdict, text) = check(program, options, bits);
        let opposite = if program.bug {
            Verdict::True
        } else {
            Verdict::False
        };
        let said = |assumption: &String| text.contains(&format!("assumed: {assumption}"));
        let what = if verdict == opposite && program.rests_on.as_ref().is_some_and(said) {
            return None;
        } else if verdict == opposite {
            "WRONG"
        } else if program.may_be(verdict) || (!exact && verdict != Verdict::None) {
            return None;
        } else {
            "not as expected"
        };
        let first: Vec<&str> = text.lines().take(4).collect();
        Some(format!(
            "{what}: {} ({options:?}, {bits} bits): {verdict:?}, where {:?} is expected: {first:?}",
            program.name, program.expected
        ))
    });
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn every_class_has_its_pairs() {
    let pairs = pairs();
    assert!(pairs.len() >= 150, "{} pairs", pairs.len());
    for (safe, bug) in pairs {
        assert!(safe.may_be(Verdict::True), "{}", safe.name);
        assert!(!bug.may_be(Verdict::True), "{}", bug.name);
        assert!(!safe.may_be(Verdict::False), "{}", safe.name);
        assert_eq!(safe.property, bug.property, "{}", safe.name);
        assert_eq!(safe.options, bug.options, "{}", safe.name);
        assert_eq!(safe.inputs, bug.inputs, "{}", safe.name);
        assert_eq!(safe.stdin, bug.stdin, "{}", safe.name);
    }
}

#[test]
fn no_verdict_is_wrong_and_those_that_are_promised_are_reached() {
    run(&some(3, 4), &[], USUAL, true);
}

#[test]
fn dash_is_never_wrong() {
    run(&some(0, 24), &["--engine", "dash"], USUAL, false);
}

#[test]
fn explicit_values_are_never_wrong() {
    run(&some(2, 24), &["--engine", "values"], USUAL, false);
}

#[test]
fn no_verdict_is_wrong_with_32_bits() {
    let other: Bits = |program| program.bits.is_none().then_some(32);
    run(&some(4, 24), &[], other, false);
    if all() {
        run(&some(4, 24), &["--engine", "dash"], other, false);
        run(&some(4, 24), &["--engine", "values"], other, false);
    }
}

/// Whoever does not want the native run does not get more violations for it.
#[test]
fn no_verdict_is_wrong_without_replay() {
    run(&some(5, 24), &["--no-replay"], USUAL, false);
}

/// Floats as wide as their types are an assumption where the compiler has other habits.
#[test]
fn the_width_of_floats_is_said_with_32_bits() {
    let programs = programs();
    let sums = programs.iter().find(|p| p.name == "math/width_of_sum");
    let (_, text) = check(sums.expect("the program"), &[], 32);
    assert!(
        text.contains("assumed:") && text.contains("-mfpmath=sse"),
        "{text}"
    );
}

#[test]
fn gcc_shows_each_error_and_no_other() {
    native::confirm(&some(1, 12), |p| p.bits.unwrap_or(64));
    let both: Vec<Program> = some(4, 24)
        .into_iter()
        .filter(|p| p.bits.is_none())
        .collect();
    native::confirm(&both, |_| 32);
}
