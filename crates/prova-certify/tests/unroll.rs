//! Complete unwinding: proofs of `bmc` are accepted, and no order of places and no number of rounds
//! makes a proof of a program that fails.

mod support;

use prova_engine::registry::{checker, Settings};
use prova_ir::LocId;
use prova_logic::{SolverChoice, Terms};
use prova_task::prepare::{prepare, PASSES};
use prova_task::{Budget, Manner, Outcome, Proof, Silent, Task};
use std::time::Duration;
use support::{own_certificate, task, verdict, verdict_by};

const HEAD: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);\n";

/// Bodies of `main`, each with what makes it fail.
const PROGRAMS: [(&str, &str, &str); 6] = [
    ("int s = 0; for (int i = 0; i < 5; i++) s += i; if (s != 10) reach_error();", "< 5", "< 6"),
    (
        "int n = __VERIFIER_nondet_uchar() & 7, s = 0; for (int i = 0; i < n; i++) s += 2;
         if (s > 14) reach_error();",
        "> 14",
        "> 13",
    ),
    (
        "char a[4]; for (int i = 0; i < 4; i++) a[i] = __VERIFIER_nondet_uchar() & 3;
         int k = __VERIFIER_nondet_int() & 3; a[k] = 9; int s = 0;
         for (int i = 0; i < 4; i++) s += a[i]; if (s > 18) reach_error();",
        "> 18",
        "> 17",
    ),
    (
        "int i = 0, s = 0; while (i < 6) { if (__VERIFIER_nondet_int()) { i += 2; continue; }
           for (int k = 0; k < 2; k++) s++; i++; } if (s > 12) reach_error();",
        "> 12",
        "> 11",
    ),
    (
        "int x = __VERIFIER_nondet_uchar(), n = 0; while (x) { x &= x - 1; n++; }
         if (n > 8) reach_error();",
        "> 8",
        "> 7",
    ),
    (
        "int a[2] = {0, 0}, *p = a; if (__VERIFIER_nondet_int()) p = a + 1;
         for (int i = 0; i < 3; i++) { *p += 1; if (__VERIFIER_nondet_int()) p = a; }
         if (a[0] + a[1] > 3) reach_error();",
        "> 3",
        "> 2",
    ),
];

fn main_of(body: &str) -> Task {
    let source = format!("{HEAD}int main(void) {{ {body} return 0; }}");
    task("unroll.c", &source, None).expect("it is accepted")
}

fn outcome(task: &Task) -> Outcome {
    let engine = checker("bmc", &Settings::default()).expect("it is in the list");
    let budget = Budget::new(Some(Duration::from_secs(60)), None);
    engine.check(task, &budget, &mut Silent).outcome
}

fn proof(task: &Task) -> Proof {
    match outcome(task) {
        Outcome::Proved(proof) => *proof,
        other => panic!("{other:?}"),
    }
}

#[test]
fn complete_unwinding_is_accepted_and_too_few_rounds_are_not() {
    for (body, _, _) in PROGRAMS {
        let task = main_of(body);
        let proof = proof(&task);
        let Manner::Unwound { order, rounds } = proof.manner.clone() else {
            panic!("another kind of proof");
        };
        let text = own_certificate(&proof);
        for ask_all in [false, true] {
            let said = verdict_by(&task, &text, &SolverChoice::Z3, ask_all);
            assert!(said.is_ok(), "{body}: {said:?}\n{text}");
        }
        for left_out in 0..rounds.len() {
            let mut fewer = rounds.clone();
            fewer.remove(left_out);
            let manner = Manner::Unwound { order: order.clone(), rounds: fewer };
            let text = own_certificate(&with(&proof, manner));
            let said = verdict(&task, &text, &SolverChoice::Z3);
            assert!(said.is_err(), "{body}: accepted without all rounds\n{text}");
        }
        // More rounds are no lie, and another order is only slower or weaker.
        let more = rounds.iter().map(|&(l, n)| (l, n + 1)).collect();
        let text = own_certificate(&with(&proof, Manner::Unwound { order, rounds: more }));
        let said = verdict(&task, &text, &SolverChoice::Z3);
        assert!(said.is_ok(), "{body}: {said:?}\n{text}");
    }
}

fn with(proof: &Proof, manner: Manner) -> Proof {
    Proof {
        ends: None,
        program: proof.program.clone(),
        passes: proof.passes.clone(),
        terms: Terms::default(),
        invariants: Vec::new(),
        contracts: Vec::new(),
        manner,
    }
}

#[test]
fn no_order_and_no_rounds_prove_a_program_that_fails() {
    for (body, right, wrong) in PROGRAMS {
        let task = main_of(&body.replacen(right, wrong, 1));
        assert!(matches!(outcome(&task), Outcome::Violated(_)), "{body}");
        let prepared = prepare(&task.program).expect("it can be prepared");
        let count = prepared.body().locations.len();
        let forward: Vec<LocId> = (0..count).map(LocId::new).collect();
        let backward: Vec<LocId> = forward.iter().rev().copied().collect();
        let orders = [forward, backward, vec![LocId::new(0)]];
        for order in orders {
            for most in [0, 1, 3, 9] {
                let rounds = (0..count).map(|l| (LocId::new(l), most)).collect();
                let lie = Proof {
                    ends: None,
                    program: prepared.program.clone(),
                    passes: PASSES.to_vec(),
                    terms: Terms::default(),
                    invariants: Vec::new(),
                    contracts: Vec::new(),
                    manner: Manner::Unwound { order: order.clone(), rounds },
                };
                let text = own_certificate(&lie);
                for ask_all in [false, true] {
                    let said = verdict_by(&task, &text, &SolverChoice::Z3, ask_all);
                    assert!(said.is_err(), "{body}, {wrong}: accepted\n{text}");
                }
            }
        }
    }
}

/// What is asserted of one variable was so of the other a round before: three steps show it.
const THREE_STEPS: &str = "int x = 0, y = 0; while (__VERIFIER_nondet_int()) {
    int old = x; x = y; y = old; if (x > 0) reach_error(); }";

#[test]
fn induction_over_several_steps_is_accepted_and_over_fewer_is_not() {
    let task = main_of(THREE_STEPS);
    let engine = checker("kind", &Settings::default()).expect("it is in the list");
    let budget = Budget::new(Some(Duration::from_secs(60)), None);
    let Outcome::Proved(mut proof) = engine.check(&task, &budget, &mut Silent).outcome else {
        panic!("no proof");
    };
    // Facts would make it inductive at once.
    for invariant in &mut proof.invariants {
        invariant.cases = vec![Vec::new()];
    }
    for (steps, accepted) in [(0, false), (1, false), (2, false), (3, true)] {
        proof.manner = Manner::KInductive(steps);
        let said = verdict(&task, &own_certificate(&proof), &SolverChoice::Z3);
        assert_eq!(said.is_ok(), accepted, "{steps}: {said:?}");
    }
    // A lie that only the first steps can show.
    let task = main_of(
        "int i = 0; while (__VERIFIER_nondet_int()) { i = i < 3 ? i + 1 : 9;
         if (i == 3) reach_error(); }",
    );
    let prepared = prepare(&task.program).expect("it can be prepared");
    let span = prova_ir::Span::NONE;
    let claimed = (0..prepared.body().locations.len()).map(|l| prova_task::Invariant {
        procedure: prepared.entry(),
        location: LocId::new(l),
        span,
        cases: vec![Vec::new()],
    });
    for steps in [1, 2, 5, 9] {
        let lie = Proof {
            ends: None,
            program: prepared.program.clone(),
            passes: PASSES.to_vec(),
            terms: Terms::default(),
            invariants: claimed.clone().collect(),
            contracts: Vec::new(),
            manner: Manner::KInductive(steps),
        };
        let said = verdict(&task, &own_certificate(&lie), &SolverChoice::Z3);
        assert!(said.is_err(), "{steps} steps");
    }
}
