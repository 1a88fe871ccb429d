//! What a proof says of functions, by what the store knows them: the digest of a function with all it
//! calls, and its name in these files.
//!
//! The first finds what was proved of the same function, in whatever program; the second what was proved of
//! an earlier version of it. Both are candidates only (`prova_engine::knowledge::lasting`): a function that
//! is taken for another costs questions, and never a verdict.

use std::collections::{BTreeMap, HashMap};

use prova_batch::digest;
use prova_batch::store::Store;
use prova_engine::knowledge::lasting;
use prova_ir::passes::call_graph::call_graph;
use prova_ir::{ProcId, Program};
use prova_task::identity::of_body;
use prova_task::lasting::Place;
use prova_task::prepare::prepare_again;
use prova_task::{Lasting, Outcome, Report, Task};
use serde_json::{json, Value};

/// Programs with more functions than these look for no facts.
const MOST_FUNCTIONS: usize = 3_000;
/// Candidates that a check begins with.
const MOST_CANDIDATES: usize = 4_000;

/// The names under which the store knows functions: by C name, the digest and the name.
pub struct Functions(BTreeMap<String, Vec<String>>);

impl Functions {
    /// The functions of a program that have a body.
    pub fn of(program: &Program, files: &[String]) -> Functions {
        let bodies = (0..program.procedures.len()).map(ProcId::new);
        let bodies: Vec<ProcId> = bodies
            .filter(|&p| program.procedure(p).body.is_some())
            .collect();
        if bodies.len() > MOST_FUNCTIONS {
            return Functions(BTreeMap::new());
        }
        let graph = call_graph(program);
        let own: HashMap<ProcId, String> = bodies
            .iter()
            .map(|&p| (p, digest([of_body(program, p).as_bytes()])))
            .collect();
        let named = bodies.iter().map(|&p| {
            let name = program.procedure(p).c_name.clone();
            let called = graph.reachable_from(p);
            let parts = called.iter().filter_map(|c| own.get(c));
            let parts = std::iter::once("facts of").chain(parts.map(String::as_str));
            let digested = digest(parts.map(str::as_bytes));
            let by_name = format!("{files:?} {name}");
            let by_name = digest(["facts named", &by_name].map(str::as_bytes));
            (name, vec![digested, by_name])
        });
        Functions(named.collect())
    }

    /// What a store has about them.
    pub fn candidates(&self, store: &Store) -> Vec<Lasting> {
        let mut found = Vec::new();
        for (function, about) in &self.0 {
            for kept in store.facts(about) {
                let facts = kept.as_array().into_iter().flatten();
                found.extend(facts.filter_map(|f| read(function, f)));
                if found.len() > MOST_CANDIDATES {
                    found.truncate(MOST_CANDIDATES);
                    return found;
                }
            }
        }
        found
    }

    /// What a certified proof leaves about them.
    pub fn learnt(&self, task: &Task, report: &Report) -> Vec<Value> {
        let Outcome::Proved(proof) = &report.outcome else {
            return Vec::new();
        };
        if !proof.contracts.is_empty() {
            return Vec::new();
        }
        let Ok(prepared) = prepare_again(&task.program, &proof.passes) else {
            return Vec::new();
        };
        let facts = lasting::told(&prepared, &proof.terms, &proof.invariants);
        let mut by_function: BTreeMap<&String, Vec<Value>> = BTreeMap::new();
        for fact in &facts {
            by_function
                .entry(&fact.function)
                .or_default()
                .push(told(fact));
        }
        let kept = by_function.into_iter().filter_map(|(function, facts)| {
            let about = self.0.get(function)?;
            Some(json!({ "about": about, "facts": facts }))
        });
        kept.collect()
    }
}

fn told(fact: &Lasting) -> Value {
    let Place { what, number, head } = &fact.place;
    json!([what, number, head, fact.text])
}

fn read(function: &str, fact: &Value) -> Option<Lasting> {
    let number = |v: &Value| v.as_u64().and_then(|n| u32::try_from(n).ok());
    Some(Lasting {
        function: function.to_string(),
        place: Place {
            what: fact[0].as_str()?.to_string(),
            number: number(&fact[1])?,
            head: number(&fact[2]),
        },
        text: fact[3].as_str()?.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_told_and_read() {
        let fact = Lasting {
            function: "f".into(),
            place: Place {
                what: "0011".into(),
                number: 2,
                head: None,
            },
            text: "(= |0:i.0| (_ bv0 32))".into(),
        };
        assert_eq!(read("f", &told(&fact)), Some(fact));
        assert_eq!(read("f", &json!(["a", -1, null, "true"])), None);
        assert_eq!(read("f", &json!({})), None);
    }
}
