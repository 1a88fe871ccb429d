//! Certificates of the engines' families about aliasing are accepted.

#[path = "../../prova-engine/tests/support/aliasing.rs"]
#[allow(dead_code)]
mod aliasing;
mod support;

use aliasing::{blocks, elements, exchanges, handles, pointers, Question};
use prova_logic::SolverChoice;
use support::{dash, own_certificate, task, verdict};

/// The block that writes n elements of an array is one condition, and takes the checker's solver
/// long for more than eight; why there are no more than eight handles, the engine's test says.
#[test]
fn proofs_about_many_addresses_are_accepted() {
    for n in [4, 16] {
        for (name, entry, source) in [
            ("either.c", Some("f"), pointers(n, Question::Either, None)),
            ("each.c", Some("f"), pointers(n, Question::Each, None)),
            ("flag.c", Some("f"), pointers(n, Question::Flag, None)),
            ("handles.c", Some("f"), handles(n.min(8), None)),
            ("elements.c", None, elements(n.min(8), None)),
            ("exchanges.c", Some("f"), exchanges(n, None)),
            ("blocks.c", None, blocks(n, None)),
        ] {
            let task = task(name, &source, entry).expect("a task");
            let proof = dash(&task, 120).unwrap_or_else(|| panic!("{name} is proved"));
            let text = own_certificate(&proof);
            let said = verdict(&task, &text, &SolverChoice::Z3);
            assert!(said.is_ok(), "{name}, n = {n}: {said:?}");
        }
    }
}
