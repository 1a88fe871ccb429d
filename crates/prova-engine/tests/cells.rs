//! Arrays by an arbitrary cell: programs with an unsafe twin, programs that would embarrass the pass, and
//! the pass held against the machine: whatever fails without ghosts fails with them.

mod support;

use prova_engine::registry::{checker, Settings};
use prova_exec::{run_plain, Code, Limits, RunEnd, Test};
use prova_task::prepare::prepare;
use std::sync::Arc;
use support::generate::Random;
use support::{check_with, task, verdict};

/// What following cells proves; the others are for other engines, or for a later day.
const PROVED: &[&str] = &[
    "add",
    "ascending",
    "asserted",
    "bytes",
    "chain",
    "clamp",
    "copy",
    "copy_twice",
    "even",
    "fill",
    "fill_down",
    "fill_heap",
    "fill_index",
    "fill_symbolic",
    "global",
    "keep",
    "maximum",
    "reverse",
    "search",
    "structures",
];

fn said(name: &str, source: &str) -> (String, u64) {
    let engine = checker("cells", &Settings::default()).expect("it is in the list");
    let report = check_with(&*engine, name, source, None, 60);
    (verdict(&report), report.statistics.iterations)
}

#[test]
fn programs_are_proved_and_their_twins_are_not() {
    let folder = "../../tests/programs/arrays";
    for name in PROVED {
        let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}.c")).expect(name);
        assert_eq!(said(name, &read(name)).0, "true", "{name}");
        let twin = format!("{name}_bug");
        assert_ne!(said(&twin, &read(&twin)).0, "true", "{twin}");
    }
}

/// An error that only a long run reaches: random tests are stopped long before it.
#[test]
fn errors_behind_long_loops_are_found() {
    let source = std::fs::read_to_string("../../tests/programs/arrays/far_bug.c").expect("far_bug");
    let engine = checker("fuzz", &Settings::default()).expect("it is in the list");
    let report = check_with(&*engine, "far_bug", &source, None, 60);
    assert_eq!(verdict(&report), "false");
}

/// The length of an array does not matter.
#[test]
fn longer_arrays_take_no_longer() {
    let fill = |length: &str| {
        let source = format!(
            "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);
            int main(void) {{ int n = {length}; if (n <= 0 || n > 1000000) return 0;
            int a[n]; for (int i = 0; i < n; i++) a[i] = 1;
            for (int i = 0; i < n; i++) if (a[i] != 1) reach_error(); return 0; }}"
        );
        said("fill", &source)
    };
    let first = fill("10");
    assert_eq!(first.0, "true");
    for length in ["1000", "1000000", "__VERIFIER_nondet_int()"] {
        assert_eq!(fill(length), first, "{length}");
    }
}

const HEAD: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);\nextern void *memcpy(void *, const void *, unsigned long);\n";

/// Each of these fails, by something that a ghost might overlook.
const WRONG: &[(&str, &str)] = &[
    (
        "a pointer into the array",
        "int a[9]; int main(void) { int *p = &a[4]; for (int i = 0; i < 9; i++) a[i] = 1;
         p[2] = 0; for (int i = 0; i < 9; i++) if (a[i] != 1) reach_error(); return 0; }",
    ),
    (
        "one byte of an element",
        "int a[9]; int main(void) { for (int i = 0; i < 9; i++) a[i] = 1;
         ((char *)a)[21] = 1; for (int i = 0; i < 9; i++) if (a[i] != 1) reach_error(); return 0; }",
    ),
    (
        "a structure is copied over another",
        "struct s { int x, y; } a[9]; int main(void) { struct s t = {0, 0};
         for (int i = 0; i < 9; i++) a[i].y = 1; a[5] = t;
         for (int i = 0; i < 9; i++) if (a[i].y != 1) reach_error(); return 0; }",
    ),
    (
        "memcpy",
        "int a[9], b[9]; int main(void) { for (int i = 0; i < 9; i++) a[i] = 1;
         memcpy(a + 3, b + 3, 2 * sizeof(int));
         for (int i = 0; i < 9; i++) if (a[i] != 1) reach_error(); return 0; }",
    ),
    (
        "contents that nobody wrote",
        "int main(void) { int a[9]; for (int i = 1; i < 9; i++) a[i] = 1;
         for (int i = 0; i < 9; i++) if (a[i] != 1) reach_error(); return 0; }",
    ),
    (
        "an array that lives again",
        "int main(void) { for (int k = 0; k < 3; k++) { int a[4];
         if (k) for (int i = 0; i < 4; i++) if (a[i] != 1) reach_error();
         for (int i = 0; i < 4; i++) a[i] = 1; } return 0; }",
    ),
    (
        "a function is given the address",
        "static void set(int *p, int i) { p[i] = 0; }
         int main(void) { int a[9]; for (int i = 0; i < 9; i++) a[i] = 1; set(a + 4, -2);
         for (int i = 0; i < 9; i++) if (a[i] != 1) reach_error(); return 0; }",
    ),
    (
        "another block",
        "int main(void) { int *a = malloc(16), *b = malloc(16); if (!a || !b) return 0;
         for (int i = 0; i < 4; i++) { a[i] = 1; b[i] = 0; }
         a = b; for (int i = 0; i < 4; i++) if (a[i] != 1) reach_error(); return 0; }",
    ),
    (
        "either of two arrays",
        "int a[4], b[4]; int main(void) { int *p = __VERIFIER_nondet_int() ? a : b;
         for (int i = 0; i < 4; i++) a[i] = 1; p[2] = 0;
         for (int i = 0; i < 4; i++) if (a[i] != 1) reach_error(); return 0; }",
    ),
    (
        "what an element says is an index",
        "int a[4], b[4]; int main(void) { for (int i = 0; i < 4; i++) { a[i] = 3 - i; b[i] = 1; }
         for (int i = 0; i < 4; i++) if (a[i] == 2) b[a[i]] = 0;
         for (int i = 0; i < 4; i++) if (b[i] != 1) reach_error(); return 0; }",
    ),
    (
        "a sum of all elements",
        "int a[4]; int main(void) { int s = 0; for (int i = 0; i < 4; i++) a[i] = 1;
         for (int i = 0; i < 4; i++) s += a[i]; if (s == 4) reach_error(); return 0; }",
    ),
    (
        "an error before any element is read",
        "int a[4]; int main(void) { for (int i = 0; i < 4; i++) { a[i] = 1;
         if (i == 3) reach_error(); } return 0; }",
    ),
    (
        "two elements of three",
        "int a[5]; int main(void) { for (int i = 0; i < 5; i++) a[i] = i;
         for (int i = 0; i < 3; i++) if (a[i] + a[i + 1] + a[i + 2] == 6) reach_error();
         return 0; }",
    ),
];

#[test]
fn what_a_ghost_might_overlook_is_not_proved() {
    for (what, body) in WRONG {
        let (verdict, _) = said("wrong", &format!("{HEAD}{body}"));
        assert_ne!(verdict, "true", "{what}");
    }
}

/// A random program about two arrays of four, which reads one input for each of three variables.
fn random_program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = format!(
        "{HEAD}int a[4], b[4]; struct s {{ int x, y; }} r[4];
        int main(void) {{ int x = __VERIFIER_nondet_int() & 3, y = __VERIFIER_nondet_int() & 3;
        int z = __VERIFIER_nondet_int() & 3; int *p = z ? a : b; int i;\n"
    );
    let index = |random: &mut Random| {
        let indices = ["x", "y", "z", "i & 3", "3 - x", "(x + y) & 3", "a[y] & 3"];
        indices[random.below(indices.len() as u64) as usize].to_string()
    };
    let array = |random: &mut Random| {
        let arrays = if random.one_in(3) {
            ["a", "b", "p"]
        } else {
            ["a", "b", "a"]
        };
        arrays[random.below(3) as usize]
    };
    for _ in 0..2 + random.below(3) {
        let bound = 1 + random.below(4);
        text.push_str(&format!("for (i = 0; i < {bound}; i++) {{\n"));
        for _ in 0..1 + random.below(3) {
            let (to, from) = (array(&mut random), array(&mut random));
            let (at, of) = (index(&mut random), index(&mut random));
            let n = random.below(4);
            text.push_str(&match random.below(6) {
                0 => format!("{to}[i] = {n};\n"),
                1 => format!("{to}[{at}] = {from}[{of}] + {n};\n"),
                2 => format!("if ({from}[{of}] == {n}) {to}[{at}] = i;\n"),
                3 => format!("r[{at}].x = {from}[{of}]; r[{of}].y = r[{at}].x + 1;\n"),
                4 => format!("r[i].y = {from}[{of}]; {to}[i] = r[i].y + r[{at}].x;\n"),
                _ => format!("y = ({from}[{of}] + y) & 3;\n"),
            });
        }
        text.push_str("}\n");
    }
    let (one, other) = (array(&mut random), array(&mut random));
    let (at, of) = (index(&mut random), index(&mut random));
    let n = random.below(4);
    text.push_str(&format!(
        "for (i = 0; i < 4; i++) if ({one}[{at}] == {other}[{of}] + {n}) reach_error();\n"
    ));
    text.push_str("return 0; }\n");
    text
}

/// A run that reaches an error does so with ghosts, for some positions: all of the arrays are written
/// before, or begin as zeros, so contents need not be guessed.
#[test]
fn what_fails_without_ghosts_fails_with_them() {
    let fails = |code: &Arc<Code>, values: &[u128]| {
        let test = Test::of_values(values.iter().copied());
        matches!(
            run_plain(code, &test, Limits::default()).end,
            RunEnd::ErrorReached(_)
        )
    };
    let (mut failing, mut followed) = (0, 0);
    for seed in 0..40 {
        let source = random_program(seed);
        let prepared = prepare(&task("random", &source, None).program).expect("one procedure");
        let plain = Code::new(Arc::clone(&prepared.program)).expect("code");
        for count in [1, 2] {
            let Ok((with, ghosts)) = prepared.with_cells(count) else {
                continue;
            };
            let code = Code::new(Arc::clone(&with.program)).expect("code");
            followed += 1;
            let contents = ghosts.contents.len() * count;
            for inputs in 0..64u128 {
                let inputs = [inputs & 3, inputs >> 2 & 3, inputs >> 4];
                if !fails(&plain, &inputs) {
                    continue;
                }
                failing += 1;
                // A position counts elements from the base of its array; where a pointer leads to
                // either of two, the other one may lie before it.
                let near = || (-20i128..20).map(|p| p as u128 & u128::from(u64::MAX));
                let tries = |positions: &[u128]| {
                    let zeros = std::iter::repeat_n(0, contents);
                    let start = positions.iter().copied().chain(zeros);
                    fails(&code, &start.chain(inputs).collect::<Vec<u128>>())
                };
                let found = match count {
                    1 => near().any(|p| tries(&[p])),
                    _ => near().any(|p| near().any(|q| tries(&[p, q]))),
                };
                assert!(
                    found,
                    "seed {seed}, {count} cells, inputs {inputs:?}\n{source}"
                );
            }
        }
    }
    assert!(
        failing > 300 && followed > 40,
        "{failing} runs, {followed} programs"
    );
}
