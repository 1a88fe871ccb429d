//! Property-directed reachability and the abstract interpretation alone, on programs like those of
//! their papers, each with a twin that is wrong; and on all of the test programs, where neither may
//! be.

mod support;

use prova_engine::registry::{checker, Settings};
use prova_engine::Sources;
use support::{check_with, verdict};

const HEAD: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);\nextern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
void check(int c) { if (!c) reach_error(); }\n";

fn said(engine: &str, name: &str, body: &str, seconds: u64) -> String {
    let settings = Settings::default();
    let engine = checker(engine, &settings).expect("it is in the list");
    let source = format!("{HEAD}int main(void) {{ {body} return 0; }}");
    verdict(&check_with(&*engine, name, &source, None, seconds))
}

/// Names, programs, and with what the wrong twin differs: a text and what takes its place.
type Pair = (&'static str, &'static str, (&'static str, &'static str));

/// What property-directed reachability decides, the abstract interpretation switched off: the
/// lemmas are its own.
const DIRECTED: &[Pair] = &[
    // Bradley, "SAT-Based Model Checking without Unrolling", section 2: both grow together.
    (
        "together",
        "int x = 1, y = 1; while (__VERIFIER_nondet_int()) { int t = x; x = x + y; y = t + y; }
         check(x == y);",
        ("t + y", "t - y"),
    ),
    // Lange, Neuhäußer, Noll: two places, a lemma at each.
    (
        "two_loops",
        "int x = 0, y = 50; while (x < 100) { x++; if (x > 50) y++; }
         while (x > 0) x--; check(x == 0);",
        ("check(x == 0)", "check(x == 1)"),
    ),
    // A flag that remembers the way.
    (
        "lock",
        "int locked = 0, old, new = 0; do { if (locked) reach_error(); locked = 1; old = new;
         if (__VERIFIER_nondet_int()) { locked = 0; new++; } } while (new != old);
         check(locked == 1);",
        ("locked = 0; new++", "new++"),
    ),
    // Welp, Kuehlmann, "QF_BV Model Checking with Property Directed Reachability": words that wrap.
    (
        "even",
        "unsigned x = 0; while (__VERIFIER_nondet_int()) x += 2; check(x % 2 == 0);",
        ("x += 2", "x += 3"),
    ),
    // What is read is no constant: a choice that suits every state.
    (
        "reads",
        "int most = 0; while (__VERIFIER_nondet_int()) { int x = __VERIFIER_nondet_int();
         if (x > most) most = x; } check(most >= 0);",
        ("x > most", "x < most"),
    ),
    // Memory: which cell is written is the state's to say.
    (
        "cells",
        "int a[4] = {1, 1, 1, 1}; int i = 0; while (__VERIFIER_nondet_int()) { a[i & 3] = 1; i++; }
         check(a[2] == 1);",
        ("a[i & 3] = 1", "a[i & 3] = i"),
    ),
    // A loop in a loop.
    (
        "nested",
        "int n = __VERIFIER_nondet_int(), i = 0, j; if (n < 0 || n > 1000) return 0;
         while (i < n) { j = 0; while (j < i) j++; check(j == i); i++; }",
        ("j < i", "j + 1 < i"),
    ),
];

#[test]
fn pdr_decides_what_its_papers_decide() {
    let mut wrong = Vec::new();
    for (name, body, (right, other)) in DIRECTED {
        for (body, safe) in [
            (body.to_string(), true),
            (body.replacen(right, other, 1), false),
        ] {
            let settings = Settings {
                sources: Sources::NONE,
                ..Settings::default()
            };
            let engine = checker("pdr", &settings).expect("it is in the list");
            let source = format!("{HEAD}int main(void) {{ {body} return 0; }}");
            let said = verdict(&check_with(&*engine, name, &source, None, 60));
            if said != safe.to_string() {
                wrong.push(format!("{name}, {safe}: {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What the abstract interpretation proves without a search.
const INTERPRETED: &[Pair] = &[
    (
        "sum",
        "int x = 0, y = 10; while (x < 10) { x++; y--; }
         if (x + y != 10) reach_error();",
        ("y--", "y -= 2"),
    ),
    // A sum that is kept while both sides move: no interval and no difference shows it.
    (
        "opposite",
        "int n = __VERIFIER_nondet_int(); if (n < 0 || n > 1000) return 0;
         int x = 0, y = n; while (y > 0) { x++; y--; } check(x <= 1000 && x >= 0);",
        ("x <= 1000", "x <= 999"),
    ),
    (
        "bits",
        "unsigned x = 0; while (__VERIFIER_nondet_int()) x += 4; check((x & 3) == 0);",
        ("x += 4", "x += 2"),
    ),
    (
        "tenths",
        "double x = 0.0; while (x < 1.0) x += 0.1; check(x < 1.2);",
        ("x < 1.2", "x < 1.0"),
    ),
    (
        "saturates",
        "float z = 42.f; while (__VERIFIER_nondet_int()) z = z + 1.f;
         check(z >= 42.f && z <= 1e8);",
        ("z + 1.f", "z - 1.f"),
    ),
    (
        "nan",
        "double x = __VERIFIER_nondet_double(); if (x >= 1. && x <= 2.) check(1. / x <= 1.);",
        ("x >= 1. && x <= 2.", "x <= 2."),
    ),
];

#[test]
fn the_abstract_interpretation_proves_without_a_search() {
    let mut wrong = Vec::new();
    for (name, body, (right, other)) in INTERPRETED {
        let first = said("ai", name, body, 60);
        if first != "true" {
            wrong.push(format!("{name}: {first}"));
        }
        let twin = said("ai", name, &body.replacen(right, other, 1), 60);
        if twin == "true" {
            wrong.push(format!("{name}, which is wrong: {twin}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Wrap-around: what an octagon over numbers without an end would prove, and words do not do.
#[test]
fn no_wrap_around_is_lost() {
    let programs = [
        "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
         unsigned s = (unsigned)x + (unsigned)y; if (x > 0 && y > 0) check((int)s > 0);",
        "unsigned x = __VERIFIER_nondet_uint(); unsigned y = x + 1; check(y > x);",
        "unsigned x = 0, y = 0; while (__VERIFIER_nondet_int()) { x += 1 << 30; y += 1 << 30; }
         check(x + y <= 0x80000000u + x);",
        "int x = __VERIFIER_nondet_int(); unsigned y = 0u - (unsigned)x; check((int)y != x || x == 0);",
        "unsigned char a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
         unsigned char s = a + b; check(s >= a);",
        "float x = 16777216.f; check(x + 1.f > x);",
        "double x = __VERIFIER_nondet_double(); check(x == x);",
        "double x = __VERIFIER_nondet_double(); if (!(x < 0.)) check(x >= 0.);",
        "float x = __VERIFIER_nondet_float(); if (x > 0.f) check(x / 2.f > 0.f);",
        "double z = 0.; if (__VERIFIER_nondet_int()) z = -z; check(1. / z > 0.);",
    ];
    for (number, body) in programs.iter().enumerate() {
        for engine in ["ai", "pdr"] {
            let said = said(engine, &format!("wraps{number}"), body, 20);
            assert_ne!(said, "true", "{engine}: {body}");
        }
    }
}

fn programs(folder: &str) -> Vec<(String, String)> {
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder of programs")
        .map(|e| e.expect("an entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy();
            let text = std::fs::read_to_string(path).expect("a text");
            (name.into_owned(), text)
        })
        .collect()
}

/// On the test programs neither engine may say the opposite of what is expected, and both leave
/// facts that hold.
#[test]
fn neither_is_wrong_on_the_test_programs() {
    let mut decided = [0, 0];
    for folder in ["../../tests/programs", "../../tests/programs/loops"] {
        for (name, source) in programs(folder) {
            let Some(first) = source.lines().next() else {
                continue;
            };
            let safe = match first {
                l if l.starts_with("// expect: true") => "true",
                l if l.starts_with("// expect: false") => "false",
                _ => continue,
            };
            for (engine, decided) in ["pdr", "ai"].iter().zip(&mut decided) {
                let engine = checker(engine, &Settings::default()).expect("it is in the list");
                let said = verdict(&check_with(&*engine, &name, &source, None, 4));
                let wrong = ["true", "false"].contains(&&*said) && said != safe;
                assert!(!wrong, "{name} with {}: {said}", engine.name());
                *decided += u32::from(said == safe);
            }
        }
    }
    assert!(decided[0] >= 30 && decided[1] >= 12, "{decided:?}");
}
