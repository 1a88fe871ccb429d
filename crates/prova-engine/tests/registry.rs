//! Every engine of the registry on a few programs: none may be wrong, and each does what its line
//! says. A new engine is in here by being in the list.

mod support;

use prova_engine::registry::{checker, names, Settings};
use support::{check_with, verdict};

const BOUND: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x > 0 && x < 10) x = 5;
  if (x == 7) reach_error(); return 0; }";
const EASY: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(); int y = __VERIFIER_nondet_int();
  if ((x & 1) && (y & 1)) reach_error(); return 0; }";
const RECURSES: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);
int f(int n) { if (n <= 0) return 0; return f(n - 1); }
int main(void) { if (f(__VERIFIER_nondet_int() & 3) != 0) reach_error(); return 0; }";

#[test]
fn no_engine_is_wrong() {
    for name in names() {
        let engine = checker(name, &Settings::default()).expect("it is in the list");
        for (program, safe) in [(BOUND, true), (EASY, false), (RECURSES, true)] {
            let said = verdict(&check_with(&*engine, "program.c", program, None, 3));
            assert!(said != (!safe).to_string(), "{name}: {said} of {program}");
        }
    }
}

/// Who need not find what is easy to find, and why.
const MAY_GIVE_UP: [(&str, &str); 2] = [
    ("cells", "its tests are none of the program: it only proves"),
    (
        "states",
        "it follows ranges of values, and a bit of a value is no range",
    ),
];

#[test]
fn every_engine_finds_what_is_easy_to_find() {
    for name in names().filter(|n| !MAY_GIVE_UP.iter().any(|(who, _)| who == n)) {
        let engine = checker(name, &Settings::default()).expect("it is in the list");
        let report = check_with(&*engine, "easy.c", EASY, None, 30);
        assert_eq!(verdict(&report), "false", "{name}");
        assert!(report.statistics.tests > 0, "{name}");
    }
}

#[test]
fn random_tests_prove_nothing() {
    let engine = checker("random", &Settings::default()).expect("it is in the list");
    let said = verdict(&check_with(&*engine, "bound.c", BOUND, None, 1));
    assert!(said.starts_with("unknown"), "{said}");
}
