//! Without the simplifier: every condition is put to a solver, and the verdicts are the same.

#[path = "sabotage/damage.rs"]
#[allow(dead_code)]
mod damage;
mod support;

use prova_certify::Failure;
use prova_logic::SolverChoice;
use prova_task::{Outcome, Task};
use support::recursive::{outcome, HEAD, RECURSIVE};
use support::{dash, file, own_certificate, task, verdict_by};

/// Counters, protocols, memory, floats, functions.
const PROGRAMS: [&str; 9] = [
    "alias_struct.c",
    "bit_fields.c",
    "bound.c",
    "function_table.c",
    "lock_loop.c",
    "nan_bits.c",
    "signs.c",
    "struct_value.c",
    "figures/yorsh_02_null_pointer_fixed.c",
];

/// Certificates of programs as wholes and by contracts. By DASH: a proof by complete unwinding is one
/// condition about the whole program, which no solver wants to see before it is simplified.
fn certificates() -> Vec<(&'static str, Task, String)> {
    let whole = PROGRAMS.iter().map(|&name| {
        let source = std::fs::read_to_string(file(name)).expect("a text");
        let task = task(name, &source, None).expect("a task");
        let text = own_certificate(&dash(&task, 30).expect("a proof"));
        (name, task, text)
    });
    let contracts = RECURSIVE.iter().map(|&(name, text)| {
        let task = task(name, &format!("{HEAD}{text}"), None).expect("a task");
        let Outcome::Proved(proof) = outcome(&task, 30) else { panic!("{name} is proved") };
        (name, task, own_certificate(&proof))
    });
    whole.chain(contracts).collect()
}

#[test]
fn every_condition_is_asked_and_verdicts_are_the_same() {
    let (mut plain, mut refused) = (0, 0);
    for (name, task, text) in certificates() {
        let [looked, asked] = [false, true].map(|all| {
            let verdict = verdict_by(&task, &text, &SolverChoice::Z3, all);
            verdict.unwrap_or_else(|e| panic!("{name}: {e}\n{text}"))
        });
        // Case by case, a path that is plainly impossible is not followed where that may be seen.
        match text.contains("(each)") {
            true => assert!(asked.conditions >= looked.conditions, "{name}"),
            false => assert_eq!(asked.conditions, looked.conditions, "{name}"),
        }
        assert_eq!(asked.by[0].1, asked.conditions, "{name}");
        plain += looked.conditions - looked.by[0].1;

        let all = damage::damaged(&text);
        for (kind, text) in all.iter().step_by(all.len() / 6 + 1) {
            let [looked, asked] =
                [false, true].map(|all| verdict_by(&task, text, &SolverChoice::Z3, all));
            assert_eq!(asked.is_ok(), looked.is_ok(), "{name}: {kind:?}: {asked:?}\n{text}");
            assert!(!matches!(asked, Err(Failure::Undecided(_))), "{name}: {asked:?}");
            refused += usize::from(matches!(asked, Err(Failure::Refuted(_))));
        }
    }
    eprintln!("{plain} conditions were plain to see, {refused} damaged certificates refuted");
    assert!(plain >= 100 && refused >= 20, "{plain}, {refused}");
}
