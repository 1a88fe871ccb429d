//! Facts that outlive a check: what a certified proof said of a function is told without the program
//! around it, and read into another problem as candidates.
//!
//! Told is what holds at a place in all cases, and the cases themselves as one disjunction where they are
//! few: together that is the proof again, if nothing that it rests on was changed. Read is what stands
//! at the same place of a copy of the same function; at places that nobody knew, what holds before them.
//!
//! Nothing that is read is believed. It goes to [`Knowledge::propose`], and Houdini drops whatever some
//! step can break. What would be unsound: to put it among the facts without that, for a store may be
//! damaged, and the function or those who call it may have been changed.

use super::Knowledge;
use crate::problem::blocks::Cutpoint;
use crate::problem::{Problem, Steps};
use prova_ir::passes::loops::Loops;
use prova_logic::{read_term, Op, Term, Terms};
use prova_task::lasting::{Copy, Naming};
use prova_task::{Invariant, Lasting, Prepared};
use rustc_hash::{FxHashMap, FxHashSet};

/// Facts with longer texts are not told.
const LONGEST: usize = 2_000;
/// More cases than these are not told as one fact.
const MOST_CASES: usize = 12;
/// Facts told of one place.
const MOST_HERE: usize = 120;
/// Facts told of one program.
const MOST: usize = 2_000;
/// Larger programs, in locations, have none.
const LOCATIONS: usize = 30_000;
/// Candidates that are passed on to a place where none were kept.
const MOST_PASSED_ON: usize = 40;

/// What invariants of a prepared program say of its functions.
pub fn told(prepared: &Prepared, terms: &Terms, invariants: &[Invariant]) -> Vec<Lasting> {
    if !prepared.is_one_procedure() || prepared.body().locations.len() > LOCATIONS {
        return Vec::new();
    }
    let naming = Naming::new(prepared);
    let places = naming.places();
    let errors: FxHashSet<_> = prepared.body().errors.iter().map(|e| e.location).collect();
    let mut found = Vec::new();
    for invariant in invariants {
        let Some((callers, place)) = places.get(invariant.location.index()) else {
            continue;
        };
        let Some(&(own, _)) = callers
            .first()
            .filter(|_| !errors.contains(&invariant.location))
        else {
            continue;
        };
        let mut names = FxHashMap::default();
        let mut texts = said(terms, &invariant.cases, &mut |variable| {
            let told = || naming.told(terms.name(variable), callers);
            names.entry(variable).or_insert_with(told).clone()
        });
        // What speaks of functions that have returned is seldom needed.
        texts.sort_by_cached_key(|text| (elsewhere(text), text.len()));
        texts.truncate(MOST_HERE);
        found.extend(texts.into_iter().map(|text| Lasting {
            function: prepared.original.procedure(own).c_name.clone(),
            place: place.clone(),
            text,
        }));
        if found.len() > MOST {
            break;
        }
    }
    found.sort();
    found.dedup();
    found
}

/// How many variables of other copies than the place's own and its callers a text speaks of: they are
/// written with the name of their function (`f#2:i.0`).
fn elsewhere(text: &str) -> usize {
    let names = text.split('|').skip(1).step_by(2);
    let owners = names.filter_map(|name| Some(name.split_once(':')?.0));
    owners.filter(|owner| owner.contains('#')).count()
}

/// What cases have in common, each by itself, and what is left of them as one text.
fn said(
    terms: &Terms,
    cases: &[Vec<Term>],
    names: &mut dyn FnMut(Term) -> Option<String>,
) -> Vec<String> {
    let Some((first, others)) = cases.split_first() else {
        return vec!["false".into()];
    };
    let common = |t: &Term| others.iter().all(|case| case.contains(t));
    let shared: Vec<Term> = first.iter().copied().filter(common).collect();
    let mut texts: Vec<String> = shared
        .iter()
        .filter_map(|&t| text(terms, t, names))
        .collect();
    if others.is_empty() || cases.len() > MOST_CASES {
        return texts;
    }
    let mut all = String::from("(or");
    for case in cases {
        all.push_str(" (and true");
        for &t in case.iter().filter(|t| !shared.contains(t)) {
            let Some(text) = text(terms, t, names) else {
                return texts;
            };
            all.push(' ');
            all.push_str(&text);
        }
        all.push(')');
        if all.len() > LONGEST {
            return texts;
        }
    }
    all.push(')');
    texts.push(all);
    texts
}

/// A term as text; `None` if it is too long, or speaks of what has no name elsewhere.
fn text(terms: &Terms, t: Term, names: &mut dyn FnMut(Term) -> Option<String>) -> Option<String> {
    let mut texts: FxHashMap<Term, String> = FxHashMap::default();
    for part in terms.post_order(&[t]) {
        let children = terms.children(part);
        let text = match terms.op(part) {
            Op::Var => match names(part)? {
                name if name.contains(['|', '\\']) => return None,
                name => format!("|{name}|"),
            },
            _ if children.is_empty() => terms.smtlib_head(part),
            _ => {
                let mut text = format!("({}", terms.smtlib_head(part));
                for child in children {
                    text.push(' ');
                    text.push_str(&texts[child]);
                }
                text.push(')');
                text
            }
        };
        if text.len() > LONGEST {
            return None;
        }
        texts.insert(part, text);
    }
    texts.remove(&t)
}

/// Proposes what facts say in a problem. Gives the number of candidates.
pub fn propose(
    problem: &Problem,
    steps: &Steps,
    terms: &mut Terms,
    known: &mut Knowledge,
    facts: &[Lasting],
) -> usize {
    let prepared = &problem.prepared;
    if prepared.body().locations.len() > LOCATIONS {
        return 0;
    }
    let mut by_function: FxHashMap<&str, Vec<&Lasting>> = FxHashMap::default();
    for fact in facts {
        by_function.entry(&fact.function).or_default().push(fact);
    }
    let naming = Naming::new(prepared);
    let places = naming.places();
    let mut scopes: FxHashMap<Copy, FxHashMap<String, Term>> = FxHashMap::default();
    let mut proposed: Vec<Vec<Term>> = vec![Vec::new(); steps.blocks.locations.len()];
    for cutpoint in steps.blocks.cutpoints() {
        let Some(location) = steps.blocks.locations[cutpoint.index()] else {
            continue;
        };
        let (callers, place) = &places[location.index()];
        let Some(&own) = callers.first() else {
            continue;
        };
        let name = prepared.original.procedure(own.0).c_name.as_str();
        let Some(facts) = by_function.get(name) else {
            continue;
        };
        let same = |f: &Lasting| (&f.place.what, f.place.number) == (&place.what, place.number);
        let mut here: Vec<&Lasting> = facts.iter().copied().filter(|f| same(f)).collect();
        if here.is_empty() && place.head.is_some() {
            // The loop may go on for another reason than it did.
            let head = |f: &&Lasting| f.place.head == place.head;
            here = facts.iter().copied().filter(head).collect();
        }
        if here.is_empty() {
            continue;
        }
        let scope = scopes
            .entry(own)
            .or_insert_with(|| scope(problem, terms, &naming, callers));
        for fact in here {
            let names = |name: &str| scope.get(name).copied();
            let read = read_term(terms, &fact.text, &names);
            let candidates = read.filter(|&t| terms.sort(t) == prova_logic::Sort::Bool);
            proposed[cutpoint.index()].extend(candidates);
        }
    }
    pass_on(problem, steps, &mut proposed);
    let mut count = 0;
    for (index, candidates) in proposed.into_iter().enumerate() {
        for candidate in candidates {
            known.propose(Cutpoint(index as u32), candidate);
            count += 1;
        }
    }
    count
}

/// What names mean, seen from a copy of a function.
fn scope(
    problem: &Problem,
    terms: &Terms,
    naming: &Naming,
    callers: &[Copy],
) -> FxHashMap<String, Term> {
    let program = &problem.prepared.program;
    let vars = &problem.encoding.vars;
    let objects = (0..program.objects.len()).map(|i| vars.base(prova_ir::ObjectId::new(i)));
    let functions = (0..program.procedures.len()).map(|i| vars.function(prova_ir::ProcId::new(i)));
    let all = vars.all().into_iter().chain(objects).chain(functions);
    let named = all.filter(|&v| terms.is_var(v));
    named
        .filter_map(|v| Some((naming.told(terms.name(v), callers)?, v)))
        .collect()
}

/// Where nothing is proposed, what holds before may hold as well.
fn pass_on(problem: &Problem, steps: &Steps, proposed: &mut [Vec<Term>]) {
    let unknown: Vec<bool> = proposed.iter().map(Vec::is_empty).collect();
    let incoming = steps.blocks.incoming();
    for location in Loops::of(problem.prepared.body()).order {
        let Some(cutpoint) = steps.blocks.cutpoint_of[location.index()] else {
            continue;
        };
        if !unknown[cutpoint.index()] {
            continue;
        }
        let mut before: Vec<Term> = Vec::new();
        for &block in &incoming[cutpoint.index()] {
            for &candidate in &proposed[steps.blocks.block(block).source.index()] {
                if before.len() < MOST_PASSED_ON && !before.contains(&candidate) {
                    before.push(candidate);
                }
            }
        }
        proposed[cutpoint.index()] = before;
    }
}
