//! Proofs case by case: those of `states` are accepted, and none that leaves out a state that can be
//! reached.

mod support;

use prova_engine::registry::{checker, Settings};
use prova_logic::SolverChoice;
use prova_task::{Budget, Manner, Outcome, Silent, Task};
use std::time::Duration;
use support::{own_certificate, task, verdict, verdict_by};

const HEAD: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n";

/// Bodies of `main`, each with what makes it fail.
const PROGRAMS: [(&str, &str, &str); 3] = [
    (
        "int state = 0, open = 0;
         while (1) {
           int input = __VERIFIER_nondet_int();
           if (input != 1 && input != 2 && input != 3) return 0;
           if (state == 0 && input == 1) { state = 4; open = 1; }
           else if (state == 4 && input == 2) state = 7;
           else if (state == 7 && input == 3) { state = 0; open = 0; }
           else if (state == 7 && !open) reach_error();
         }",
        "open = 0; }",
        "open = 0; state = 7; }",
    ),
    (
        "unsigned char level = 3; int done = 0;
         while (!done) {
           int change = __VERIFIER_nondet_int();
           if (change > 10) { if (level < 6) level++; }
           else if (change < -10) { if (level > 0) level--; }
           else done = change == 7;
           if (level > 6) reach_error();
         }",
        "(level > 0)",
        "(level > 7 || level < 9)",
    ),
    (
        "int i = 0, odd = 0; while (i < 20) { i++; odd = !odd; }
         if (odd) reach_error();",
        "< 20",
        "< 21",
    ),
];

fn main_of(body: &str) -> Task {
    let source = format!("{HEAD}int main(void) {{ {body} return 0; }}");
    task("each.c", &source, None).expect("it is accepted")
}

fn outcome(task: &Task) -> Outcome {
    let engine = checker("states", &Settings::default()).expect("it is in the list");
    let budget = Budget::new(Some(Duration::from_secs(60)), None);
    engine.check(task, &budget, &mut Silent).outcome
}

#[test]
fn closed_sets_are_accepted_and_sets_with_a_hole_are_not() {
    for (body, _, _) in PROGRAMS {
        let task = main_of(body);
        let mut proof = match outcome(&task) {
            Outcome::Proved(proof) => *proof,
            other => panic!("{body}: {other:?}"),
        };
        assert_eq!(proof.manner, Manner::CaseByCase);
        let text = own_certificate(&proof);
        for ask_all in [false, true] {
            let said = verdict_by(&task, &text, &SolverChoice::Z3, ask_all);
            assert!(said.is_ok(), "{body}: {said:?}\n{text}");
        }
        for at in 0..proof.invariants.len() {
            for hole in 0..proof.invariants[at].cases.len() {
                let case = proof.invariants[at].cases.remove(hole);
                let text = own_certificate(&proof);
                let said = verdict(&task, &text, &SolverChoice::Z3);
                assert!(said.is_err(), "{body}: accepted with a hole\n{text}");
                proof.invariants[at].cases.insert(hole, case);
            }
        }
    }
}

#[test]
fn programs_that_fail_are_found() {
    for (body, right, wrong) in PROGRAMS {
        assert!(body.contains(right));
        let task = main_of(&body.replace(right, wrong));
        assert!(matches!(outcome(&task), Outcome::Violated(_)), "{body} with {wrong}");
    }
}
