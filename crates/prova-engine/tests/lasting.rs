//! Facts that outlive a check: what a proof said of functions is read into the next version of the
//! program, proved again, and saves iterations and questions there. Lies are never believed.

mod support;

use prova_engine::knowledge::lasting::told;
use prova_engine::Dash;
use prova_task::lasting::Place;
use prova_task::prepare::prepare_again;
use prova_task::{Budget, Checker, Lasting, Outcome, Report, Silent, Task};
use std::time::Duration;

fn source(name: &str) -> String {
    std::fs::read_to_string(format!("../../tests/programs/lasting/{name}.c")).expect("a program")
}

fn check(source: &str, candidates: &[Lasting]) -> (Task, Report) {
    let mut task = support::task("program.c", source, None);
    task.candidates = candidates.to_vec();
    let budget = Budget::new(Some(Duration::from_secs(300)), None);
    let report = Dash::default().check(&task, &budget, &mut Silent);
    (task, report)
}

/// What a proof leaves.
fn left(task: &Task, report: &Report) -> Vec<Lasting> {
    let Outcome::Proved(proof) = &report.outcome else {
        panic!("{}", support::verdict(report));
    };
    let prepared = prepare_again(&task.program, &proof.passes).expect("it was prepared before");
    told(&prepared, &proof.terms, &proof.invariants)
}

/// Iterations and questions.
fn took(report: &Report) -> (u64, u64) {
    let s = &report.statistics;
    (s.iterations, s.solver_calls + s.learning_calls)
}

/// Edits of one function each; the program stays right.
const EDITS: [(&str, &str, &str); 4] = [
    // Another function.
    (
        "tally",
        "static void note(int what) { total = total + what; }",
        "static int notes;\nstatic void note(int what) { total = total + what; notes = 1; }",
    ),
    // The function itself, before the loop: variables and places have other numbers then.
    (
        "tally",
        "  int n = __VERIFIER_nondet_int();\n",
        "  int m = __VERIFIER_nondet_int();\n  int n = __VERIFIER_nondet_int();\n  if (m > 7)\n    return 1;\n",
    ),
    (
        "ledger",
        "  audit(done);\n",
        "  audit(done);\n  if (done > 3)\n    audit(3);\n",
    ),
    (
        "turnstile",
        "    rounds = rounds + 1;\n",
        "    rounds = rounds + 1;\n    if (__VERIFIER_nondet_int() == 3)\n      coin();\n",
    ),
];

#[test]
fn an_edited_program_rests_on_what_was_proved_before() {
    let mut questions = (0, 0);
    for (name, from, to) in EDITS {
        let before = source(name);
        let edited = before.replace(from, to);
        assert_ne!(before, edited, "{name}");
        let (task, first) = check(&before, &[]);
        let facts = left(&task, &first);
        assert!(!facts.is_empty(), "{name}");
        let (_, without) = check(&edited, &[]);
        let (_, with) = check(&edited, &facts);
        assert_eq!(support::verdict(&without), "true", "{name}");
        assert_eq!(support::verdict(&with), "true", "{name}");
        let (without, with) = (took(&without), took(&with));
        println!(
            "{name}: {:?} before, {without:?} edited, {with:?} with facts",
            took(&first)
        );
        assert!(with.0 < without.0, "{name}: {with:?} {without:?}");
        questions = (questions.0 + without.1, questions.1 + with.1);
    }
    // Judging costs questions, too; together there are far fewer.
    assert!(2 * questions.1 < questions.0, "{questions:?}");
}

/// The same facts where an edit made them false: what is violated stays violated.
#[test]
fn facts_of_a_program_that_was_right_do_not_hide_what_is_wrong_now() {
    for (name, from, to) in [
        ("tally", "    s += 2;", "    s += 3;"),
        ("tally", "note(1);", "note(2);"),
        (
            "ledger",
            "book.debit + amount;",
            "book.debit + (amount == 3 ? 4 : amount);",
        ),
        ("turnstile", "  if (paid == 0)\n    locked = 1;\n", ""),
    ] {
        let before = source(name);
        let edited = before.replace(from, to);
        assert_ne!(before, edited, "{name}");
        let (task, first) = check(&before, &[]);
        let (_, now) = check(&edited, &left(&task, &first));
        assert_eq!(support::verdict(&now), "false", "{name}: {to}");
    }
}

/// Whatever is written into a store, a verdict is what it would be without.
#[test]
fn lies_are_not_believed() {
    let wrong = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
        int main(void) {\n  int n = __VERIFIER_nondet_int(), i = 0;\n  while (i < n) {\n    i++;\n    \
        if (i == 40) reach_error();\n  }\n  return 0;\n}\n";
    let right = wrong.replace("i == 40", "i < 0");
    for (source, verdict) in [(wrong, "false"), (right.as_str(), "true")] {
        let task = support::task("program.c", source, None);
        let prepared = prova_task::prepare::prepare(&task.program).expect("one procedure");
        let naming = prova_task::lasting::Naming::new(&prepared);
        let mut lies = Vec::new();
        for (_, place) in naming.places() {
            for text in [
                "false",
                "(bvslt |0:i.0| (_ bv7 32))",
                "(= |0:i.0| |0:n.0|)",
                "(= |0:i.0|",
                "(bvult |0:i.0| |0:nobody.0|)",
                "|0:i.0|",
            ] {
                lies.push(Lasting {
                    function: "main".into(),
                    place: place.clone(),
                    text: text.into(),
                });
            }
        }
        lies.push(Lasting {
            function: "main".into(),
            place: Place::default(),
            text: "false".into(),
        });
        let (_, report) = check(source, &lies);
        assert_eq!(support::verdict(&report), verdict);
    }
}
