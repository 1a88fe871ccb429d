//! Proofs procedure by procedure: contracts certify, recursion included; those of a program that
//! was edited so that it fails never do.

mod support;

use prova_certify::prepare::{digest, prepare};
use prova_certify::Failure;
use prova_logic::SolverChoice;
use prova_task::{Outcome, Proof, Task};
use support::recursive::{outcome, HEAD, RECURSIVE};
use support::{certificate, file, own_certificate, task, verdict};

fn proof(name: &str, source: &str) -> (Task, Proof) {
    let task = task(name, source, None).expect("a task");
    match outcome(&task, 30) {
        Outcome::Proved(proof) => (task, *proof),
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn recursive_proofs_are_accepted() {
    for (name, text) in RECURSIVE {
        let (task, proof) = proof(name, &format!("{HEAD}{text}"));
        assert!(!proof.contracts.is_empty(), "{name}");
        let text = own_certificate(&proof);
        let verdict = verdict(&task, &text, &SolverChoice::Z3);
        assert!(verdict.is_ok(), "{name}: {verdict:?}\n{text}");
    }
}

#[test]
fn proofs_without_inlining_are_accepted() {
    for name in [
        "alias_struct.c",
        "function_table.c",
        "goto_cleanup.c",
        "lock_loop.c",
        "never_returns.c",
        "struct_value.c",
        "figures/dash_06_increment_twice.c",
        "figures/survey_06_driver_lock.c",
    ] {
        let source = std::fs::read_to_string(file(name)).expect("a text");
        let (task, proof) = proof(name, &source);
        let text = own_certificate(&proof);
        let verdict = verdict(&task, &text, &SolverChoice::Z3);
        assert!(verdict.is_ok(), "{name}: {verdict:?}\n{text}");
    }
}

/// What makes the recursive programs fail.
const BROKEN: [(&str, &str, &str); 9] = [
    ("sum", "sum(n - 1) + 1", "sum(n - 1) + 2"),
    ("sum", "return 0; return sum", "return n == 0; return sum"),
    ("sum", "n < 0 ||", "n < -1 ||"),
    ("turns", "return 1;", "return 2;"),
    ("turns", "e != 0 && e", "e"),
    ("lock", "if (n > 0) work", "if (n == 7) lock(); if (n > 0) work"),
    ("out", "*out = 7", "*out = n < -5 ? 8 : 7"),
    ("out", "result != 7", "result == 7"),
    ("local", "*p = 3;", "*p = p == 0 ? 3 : 4;"),
];

/// The contracts of a program are held against the same program with a fault, of which a test is
/// known.
#[test]
fn contracts_of_a_program_are_not_accepted_if_it_is_broken() {
    for (name, original) in RECURSIVE {
        let (_, proof) = proof(name, &format!("{HEAD}{original}"));
        let passes: Vec<String> = proof.passes.iter().map(|p| p.to_string()).collect();
        for (_, from, to) in BROKEN.iter().filter(|b| b.0 == name) {
            let broken = original.replace(from, to);
            assert_ne!(broken, original, "{name}: {from}");
            let other = task(name, &format!("{HEAD}{broken}"), None).expect("a task");
            let found = outcome(&other, 30);
            assert!(matches!(found, Outcome::Violated(_)), "{name}: {to}: {found:?}");
            let prepared = prepare(&other.program, &passes).expect("it can be prepared");
            let text = certificate(&proof, &digest(&prepared));
            let said = verdict(&other, &text, &SolverChoice::Z3);
            assert!(said.is_err(), "{name}: accepted, but it fails\n{broken}\n{text}");
        }
    }
}

/// A pointer that a callee leaves or returns may point to what the program names.
#[test]
fn nothing_is_known_of_pointers_behind_a_call() {
    for text in [
        "int g; static int *get(void) { return &g; }
         int main(void) { int *p = get(); if (p == &g) reach_error(); return 0; }",
        "int g; int *p; static void set(void) { p = &g; }
         int main(void) { set(); if (p == &g) reach_error(); return 0; }",
        "int g; struct s { int *p; } s; static void set(void) { s.p = &g; }
         int main(void) { struct s *q = &s; set(); if (q->p == &g) reach_error(); return 0; }",
        "static int *same(int *p) { return p; }
         int main(void) { int g; if (same(&g) == &g) reach_error(); return 0; }",
    ] {
        let task = task("pointers", &format!("{HEAD}{text}"), None).expect("a task");
        assert!(matches!(outcome(&task, 30), Outcome::Violated(_)), "{text}");
        let passes = prova_task::prepare::procedures::PASSES;
        let names: Vec<String> = passes.iter().map(|p| p.to_string()).collect();
        let prepared = prepare(&task.program, &names).expect("it can be prepared");
        let main = prepared.procedure(prepared.entry.expect("an entry"));
        let body = main.body.as_ref().expect("a body");
        // True everywhere, and nothing said of the callee.
        let claims: String = (0..body.locations.len())
            .filter(|&i| !body.is_error(prova_ir::LocId::new(i)))
            .map(|i| format!("(at {i} \"\" (case))"))
            .collect();
        for claims in [claims, format!("(at {} \"\" (case))", body.entry.0)] {
            let text = format!(
                "(prova-certificate 2)(passes {})(prepared \"{}\")(procedure main {claims})",
                passes.join(" "),
                digest(&prepared)
            );
            let said = verdict(&task, &text, &SolverChoice::Z3);
            assert!(matches!(said, Err(Failure::Refuted(_))), "{said:?}\n{text}");
        }
    }
}
