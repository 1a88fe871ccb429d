//! `bmc` and `kind`: violations that lie deep, loops that constants end without a question, answers
//! within a bound, induction over several steps, and random programs against all their runs.

mod support;

use prova_engine::engines::bmc::bounds::Bounds;
use prova_engine::registry::{checker, Settings};
use prova_task::{Outcome, Report};
use support::generate::program;
use support::{check_with, exhaustive, verdict};

const HEAD: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);\n";

fn said(engine: &str, bounds: &[&str], body: &str) -> Report {
    let bounds: Vec<String> = bounds.iter().map(|b| b.to_string()).collect();
    let settings = Settings {
        bounds: Bounds::parse(&bounds).expect("bounds"),
        ..Settings::default()
    };
    let engine = checker(engine, &settings).expect("it is in the list");
    let source = format!("{HEAD}int main(void) {{\n{body}\nreturn 0; }}");
    check_with(&*engine, "bmc.c", &source, None, 60)
}

#[test]
fn loops_that_constants_end_take_no_question() {
    let bodies = [
        "int s = 0; for (int i = 0; i < 100; i++) s += i; if (s != 4950) reach_error();",
        "int s = 0; for (int i = 0; i < 9; i++) for (int k = i; k < 9; k++) s++;
         if (s != 45) reach_error();",
        "int t[5] = {3, 1, 4, 1, 5}, s = 0; for (int i = 0; i < 5; i++) s += t[i];
         if (s != 14) reach_error();",
        "char b[8]; int i = 0; while (i < 8) { b[i] = (char)i; i += 1 + (i & 1); }
         if (b[5] != 5) reach_error();",
    ];
    for body in bodies {
        let report = said("bmc", &[], body);
        assert_eq!(verdict(&report), "true", "{body}");
        assert_eq!(report.statistics.solver_calls, 0, "{body}");
    }
}

#[test]
fn violations_that_lie_deep_are_found() {
    let bodies = [
        "int i = 0; while (__VERIFIER_nondet_int()) i++; if (i == 20) reach_error();",
        "unsigned char x = __VERIFIER_nondet_uchar(); int n = 0; while (x) { x &= x - 1; n++; }
         if (n == 8) reach_error();",
        "int a[6], k = __VERIFIER_nondet_int() & 7; for (int i = 0; i < 6; i++) a[i] = i * i;
         if (k < 6) { a[k] = 7; int s = 0; for (int i = 0; i < 6; i++) s += a[i];
         if (s == 37) reach_error(); }",
    ];
    for body in bodies {
        assert_eq!(verdict(&said("bmc", &[], body)), "false", "{body}");
    }
}

#[test]
fn what_is_not_exhausted_is_bounded_and_says_how_far() {
    let body = "int i = 0;
        while (__VERIFIER_nondet_int()) { if (i < 0) reach_error(); i = i < 100 ? i + 1 : 0; }
        while (__VERIFIER_nondet_int()) { if (i < 0) reach_error(); }";
    let report = said("bmc", &["5", "bmc.c:7=2"], body);
    let Outcome::Bounded(bounded) = &report.outcome else {
        panic!("{:?}", report.outcome);
    };
    let loops: Vec<(u32, u64)> = bounded
        .loops
        .iter()
        .map(|l| (l.span.line, l.rounds))
        .collect();
    assert_eq!(loops, [(6, 5), (7, 2)]);
    // A bound that is too small finds nothing, a larger one does.
    let body = "int i = 0; while (__VERIFIER_nondet_int()) i++; if (i == 7) reach_error();";
    for (bound, expected) in [("6", "bounded"), ("main=6", "bounded"), ("7", "false")] {
        assert_eq!(verdict(&said("bmc", &[bound], body)), expected, "{bound}");
    }
}

#[test]
fn loops_with_two_entries_and_jumps_are_followed() {
    let body = |last: u32| {
        format!(
            "int n = 0, x = __VERIFIER_nondet_int() & 1; if (x) goto inside;
             again: n++; if (n > 5) goto out;
             inside: n += 2; if (n < 9) goto again;
             out: if (n == {last}) reach_error();"
        )
    };
    // From `again`: 1 3 4 6 7. From `inside`: 2 3 5 6.
    assert_eq!(verdict(&said("bmc", &[], &body(6))), "false");
    assert_eq!(verdict(&said("bmc", &[], &body(7))), "false");
    assert_eq!(verdict(&said("bmc", &[], &body(8))), "true");
}

#[test]
fn induction_takes_as_many_steps_as_it_needs() {
    let rounds = "int x = 0, y = 0, z = __VERIFIER_nondet_int(); while (__VERIFIER_nondet_int()) {
        int old = x; x = y; y = z; z = old ^ z ^ z; if (x > 1000 && x < 0) reach_error(); }";
    assert_eq!(verdict(&said("kind", &[], rounds)), "true");
    let lock = "int locked = 0, n = 0; while (__VERIFIER_nondet_int()) { if (locked) reach_error();
        locked = 1; if (__VERIFIER_nondet_int()) { n++; } locked = 0; }";
    assert_eq!(verdict(&said("kind", &[], lock)), "true");
    let late = "int i = 0; while (__VERIFIER_nondet_int()) { i++; if (i == 4) reach_error(); }";
    assert_eq!(verdict(&said("kind", &[], late)), "false");
}

#[test]
fn random_programs_are_decided_as_their_runs_say() {
    let mut decided = 0;
    for seed in 0..60 {
        let generated = program(seed, false);
        let fails = exhaustive(&generated.source, generated.inputs);
        for name in ["bmc", "kind"] {
            let engine = checker(name, &Settings::default()).expect("it is in the list");
            let report = check_with(&*engine, "random.c", &generated.source, None, 5);
            let said = verdict(&report);
            assert!(
                said != fails.to_string(),
                "{name}, {seed}: {said}\n{}",
                generated.source
            );
            decided += usize::from(said == "true" || said == "false");
        }
    }
    assert!(decided > 90, "only {decided} of 120 were decided");
}

/// All programs below a folder that say what is expected of them, with whether they are safe.
fn programs(folder: &std::path::Path) -> Vec<(std::path::PathBuf, bool)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        if path.extension().is_some_and(|e| e == "c") {
            let text = std::fs::read_to_string(&path).expect("text");
            match text.lines().next() {
                Some("// expect: true") => found.push((path, true)),
                Some("// expect: false") => found.push((path, false)),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

#[test]
fn no_program_of_the_collection_is_decided_wrongly() {
    let root = std::path::Path::new("../../tests/programs");
    let folders = ["", "figures", "loops", "values"].map(|f| root.join(f));
    let options = prova_c::Options::default();
    let (mut decided, mut all) = (0, 0);
    for (path, safe) in folders.iter().flat_map(|f| programs(f)) {
        let Ok(lowered) = prova_c::load(&[&path], &options) else {
            continue;
        };
        let mut program = lowered.program;
        prova_spec::weave_unreach_call(&mut program, &prova_spec::Spec::default());
        let task = prova_task::Task::new(program, 0);
        for name in ["bmc", "kind"] {
            let settings = Settings {
                bounds: Bounds::parse(&["6".into()]).expect("a bound"),
                ..Settings::default()
            };
            let engine = checker(name, &settings).expect("it is in the list");
            // The bound ends most of them; the rest is for machines that are busy.
            let time = Some(std::time::Duration::from_secs(4));
            let budget = prova_task::Budget::new(time, None);
            let mut silent = prova_task::Silent;
            let report = prova_task::check_modelled(&*engine, &task, &budget, &mut silent);
            let said = verdict(&report);
            let wrong = (!safe).to_string();
            assert_ne!(said, wrong, "{name} of {}", path.display());
            decided += usize::from(said == safe.to_string());
            all += 1;
        }
    }
    assert!(all >= 80, "only {all} checks");
    assert!(decided * 3 >= all, "only {decided} of {all} are decided");
}
