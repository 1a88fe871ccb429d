//! Sabotage: certificates and programs are damaged, one small change at a time. A damaged
//! certificate may only be accepted if its claims are still inductive, which is decided by a query
//! that shares nothing with the checker (`oracle`).

mod damage;
mod oracle;
#[path = "../support/mod.rs"]
mod support;

use damage::{damaged, edited, Kind};
use prova_certify::prepare::{digest, prepare};
use prova_certify::Failure;
use prova_logic::SolverChoice;
use prova_task::{Outcome, Proof, Task};
use std::collections::BTreeMap;
use support::recursive::{outcome, HEAD, RECURSIVE};
use support::{certificate, dash, file, installed, own_certificate, task, verdict};

/// Programs with proofs of different kinds: counters, protocols, memory, floats, functions.
const PROGRAMS: [&str; 13] = [
    "alias_struct.c",
    "bit_fields.c",
    "bound.c",
    "function_table.c",
    "goto_cleanup.c",
    "lock_loop.c",
    "nan_bits.c",
    "short_circuit.c",
    "signs.c",
    "struct_value.c",
    "figures/synergy_03_lock_loop.c",
    "figures/yorsh_02_null_pointer_fixed.c",
    "values/ring.c",
];

/// Of each kind of damage to a certificate so many are tried, evenly spread; all of them if
/// `PROVA_LONG` is set.
fn sample<T>(all: Vec<T>, most: usize) -> Vec<T> {
    let most = if std::env::var_os("PROVA_LONG").is_some() { all.len() } else { most };
    let count = all.len();
    let wanted = |i: &usize| count <= most || i * most / count != (i + 1) * most / count;
    all.into_iter().enumerate().filter(|(i, _)| wanted(i)).map(|(_, t)| t).collect()
}

#[derive(Default, Debug)]
struct Tally {
    tried: BTreeMap<Kind, usize>,
    refused: BTreeMap<Kind, usize>,
    /// Refused by the checker although they are inductive: allowed, but not expected.
    strict: usize,
}

impl Tally {
    fn mutant(&mut self, name: &str, kind: Kind, task: &Task, proof: &Proof, text: &str) {
        *self.tried.entry(kind).or_default() += 1;
        match verdict(task, text, &SolverChoice::Z3) {
            Ok(_) => {
                let truth = oracle::inductive(task, text, proof);
                assert!(truth.is_ok(), "{name}: accepted, but {truth:?}\n{text}");
            }
            Err(failure) => {
                let count = self.refused.entry(kind).or_default();
                *count += 1;
                let refuted = matches!(failure, Failure::Refuted(_));
                if refuted
                    && count.is_multiple_of(8)
                    && oracle::inductive(task, text, proof).is_ok()
                {
                    self.strict += 1;
                }
            }
        }
    }
}

#[test]
fn no_damaged_certificate_is_accepted_unless_it_is_inductive() {
    if !installed("z3") {
        eprintln!("the z3 program is not installed: nothing decides about mutants here");
        return;
    }
    let mut tally = Tally::default();
    for name in PROGRAMS {
        let source = std::fs::read_to_string(file(name)).expect("a text");
        let original = task(name, &source, None).expect("a task");
        // By DASH: whoever judges mutants here knows facts at places, and no unwinding.
        let proof = dash(&original, 30).unwrap_or_else(|| panic!("{name} is proved"));
        let text = own_certificate(&proof);
        assert!(verdict(&original, &text, &SolverChoice::Z3).is_ok(), "{name}");
        assert_eq!(oracle::inductive(&original, &text, &proof), Ok(()), "{name}\n{text}");

        let mut kinds: BTreeMap<Kind, Vec<String>> = BTreeMap::new();
        for (kind, text) in damaged(&text) {
            kinds.entry(kind).or_default().push(text);
        }
        for (kind, texts) in kinds {
            let most = if kind == Kind::DroppedLocation { 2 } else { 4 };
            for text in sample(texts, most) {
                tally.mutant(name, kind, &original, &proof, &text);
            }
        }
        for source in sample(edited(&source), 5) {
            let Some(other) = task(name, &source, None) else { continue };
            let passes: Vec<String> = proof.passes.iter().map(|p| p.to_string()).collect();
            let Ok(prepared) = prepare(&other.program, &passes) else { continue };
            let digest = digest(&prepared);
            if digest == prova_certify::prepare::digest(&proof.program) {
                continue;
            }
            let old = verdict(&other, &text, &SolverChoice::Z3);
            assert!(matches!(old, Err(Failure::Mismatch(_))), "{name}: {old:?}");
            let text = certificate(&proof, &digest);
            tally.mutant(name, Kind::OtherProgram, &other, &proof, &text);
        }
    }
    eprintln!("{tally:?}");
    let (tried, refused): (usize, usize) =
        (tally.tried.values().sum(), tally.refused.values().sum());
    assert!(tried >= 300, "only {tried} mutants");
    assert!(refused * 2 >= tried, "only {refused} of {tried} are refused");
    assert!(tally.strict == 0, "{} inductive ones are refused", tally.strict);
    // A location that is not needed to cut a loop says nothing that a path does not.
    for (kind, count) in tally.tried.iter().filter(|(k, _)| **k != Kind::DroppedLocation) {
        assert!(tally.refused.contains_key(kind), "none of {count} is refused: {kind:?}");
    }
}

/// The same for contracts of procedures that call themselves and one another.
#[test]
fn no_damaged_contract_is_accepted_unless_it_is_inductive() {
    if !installed("z3") {
        eprintln!("the z3 program is not installed: nothing decides about mutants here");
        return;
    }
    let mut tally = Tally::default();
    for (name, source) in RECURSIVE {
        let task = task(name, &format!("{HEAD}{source}"), None).expect("a task");
        let Outcome::Proved(proof) = outcome(&task, 60) else { panic!("{name} is proved") };
        let text = own_certificate(&proof);
        assert_eq!(oracle::inductive(&task, &text, &proof), Ok(()), "{name}\n{text}");
        let mut kinds: BTreeMap<Kind, Vec<String>> = BTreeMap::new();
        for (kind, text) in damaged(&text) {
            kinds.entry(kind).or_default().push(text);
        }
        for (kind, texts) in kinds {
            for text in sample(texts, 3) {
                tally.mutant(name, kind, &task, &proof, &text);
            }
        }
    }
    eprintln!("{tally:?}");
    let (tried, refused): (usize, usize) =
        (tally.tried.values().sum(), tally.refused.values().sum());
    assert!(tried >= 80 && refused * 2 >= tried, "{refused} of {tried} are refused");
}
