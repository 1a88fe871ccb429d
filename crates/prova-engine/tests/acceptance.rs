//! A proof ends `auto` only if whoever has to accept it does; one that is refused sends its engine home
//! and leaves the others as they were.

mod support;

use prova_engine::registry::checker;
use prova_engine::{Accept, Acceptance, Settings};
use prova_task::{Budget, Proof, Task};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use support::{check_with, verdict};

const COUNTS: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);
int main(void) { int i = 0, n = __VERIFIER_nondet_int();
  while (i < 10) i++;
  if (i != 10) reach_error(); return n; }";
const FAILS: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);
int main(void) { int i = 0, n = __VERIFIER_nondet_int();
  while (i < 10) i++;
  if (n == 123456 + i) reach_error(); return 0; }";

/// Refuses so many proofs, and counts those it was asked about.
struct Refuses {
    first: usize,
    asked: AtomicUsize,
}

impl Acceptance for Refuses {
    fn judge(&self, _: &Task, _: &Proof, _: &Budget) -> Result<(), String> {
        match self.asked.fetch_add(1, Ordering::Relaxed) < self.first {
            true => Err("not this one".into()),
            false => Ok(()),
        }
    }
}

fn ask(engine: &str, program: &str, first: usize, seconds: u64) -> (String, usize) {
    let judge = Arc::new(Refuses {
        first,
        asked: AtomicUsize::new(0),
    });
    let settings = Settings {
        accept: Accept(Some(judge.clone())),
        ..Settings::default()
    };
    let engine = checker(engine, &settings).expect("it is in the list");
    let said = verdict(&check_with(&*engine, "program.c", program, None, seconds));
    (said, judge.asked.load(Ordering::Relaxed))
}

#[test]
fn the_others_go_on_where_a_proof_is_refused() {
    assert_eq!(ask("auto", COUNTS, 0, 60), ("true".into(), 1));
    assert_eq!(ask("auto", COUNTS, 1, 60), ("true".into(), 2));
    assert_eq!(ask("auto", COUNTS, 2, 60), ("true".into(), 3));
}

#[test]
fn nothing_is_proved_if_all_proofs_are_refused() {
    let (said, asked) = ask("auto", COUNTS, usize::MAX, 5);
    assert!(said.starts_with("unknown"), "{said}");
    assert!(asked > 0);
}

#[test]
fn violations_are_nobodys_to_accept() {
    assert_eq!(ask("auto", FAILS, usize::MAX, 60), ("false".into(), 0));
}

#[test]
fn an_engine_alone_has_nobody_who_could_go_on() {
    assert_eq!(ask("values", COUNTS, usize::MAX, 60), ("true".into(), 0));
}
