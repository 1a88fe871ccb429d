//! A proof as a witness: what holds at loops and statements, as C expressions over the names that
//! are visible there.
//!
//! The engine's invariants are those of the program after inlining. A place in the source stands
//! for all copies of it, so only what is known of every copy is said, as a disjunction; and only
//! where a location of the program is exactly the place before a statement or before a loop's
//! condition.

use super::atlas::Atlas;
use super::expression::{condition, Names};
use super::format::{Content, InvariantAt, Witness};
use super::metadata::metadata_for;
use super::scope::Scope;
use crate::Sources;
use prova_ir::{LocId, ProcId, Span};
use prova_task::prepare::{prepare_again, Prepared};
use prova_task::{Invariant, Proof, Task};
use std::collections::{BTreeMap, BTreeSet};

/// Longer invariants are not written.
const LONGEST: usize = 6_000;

/// The witness of a proof.
pub fn correctness_witness(
    task: &Task,
    proof: &Proof,
    sources: &Sources,
) -> Result<Witness, String> {
    let entry = task.program.entry.map(|e| task.program.procedure(e));
    let name = entry.map_or("main", |e| &e.c_name);
    let invariants = match prepare_again(&task.program, &proof.passes) {
        Ok(prepared) if same_program(&prepared, proof) => {
            let atlas = Atlas::of(sources)?;
            places(&prepared, proof, &atlas)
        }
        // What was analysed is not what is prepared here; nothing is said then.
        _ => Vec::new(),
    };
    Ok(Witness {
        metadata: metadata_for(sources, name)?,
        content: Content::Correctness(invariants),
    })
}

/// Whether the proof speaks of the program prepared here.
fn same_program(prepared: &Prepared, proof: &Proof) -> bool {
    let (ours, theirs) = (&prepared.program, &proof.program);
    let body = theirs.procedure(prepared.entry()).body.as_ref();
    body == Some(prepared.body())
        && ours.registers == theirs.registers
        && ours.objects == theirs.objects
}

/// Where an invariant is said: page, offset of the statement or keyword, whether it is a loop's.
type Place = (usize, usize, bool);
/// Disjuncts, each a list of facts, by the copy of the place they are about.
type ByCopy = BTreeMap<u32, BTreeSet<Vec<String>>>;

fn places(prepared: &Prepared, proof: &Proof, atlas: &Atlas) -> Vec<InvariantAt> {
    let mut said: BTreeMap<(Place, ProcId), ByCopy> = BTreeMap::new();
    let firsts = first_locations(prepared);
    for invariant in &proof.invariants {
        let Some((procedure, copy)) = prepared.instance(invariant.location) else {
            continue;
        };
        if firsts.get(&(procedure, copy, invariant.span)) != Some(&Some(invariant.location)) {
            continue;
        }
        let Some((page, offset)) = atlas.find(&prepared.program, invariant.span) else {
            continue;
        };
        let Some((at, of_loop)) = place(atlas, page, offset) else {
            continue;
        };
        // Where calls were inlined, a location may be the caller's and the callee's at once.
        let Some((procedure, copy)) = owner(prepared, atlas, (page, at), (procedure, copy)) else {
            continue;
        };
        let scope = Scope::new(prepared, atlas, procedure, copy, (page, offset));
        let cases = cases(proof, invariant, &scope);
        let copies = said.entry(((page, at, of_loop), procedure)).or_default();
        copies.entry(copy).or_default().extend(cases);
    }
    let mut found = Vec::new();
    for (((page, at, of_loop), procedure), copies) in said {
        if copies.len() as u32 != prepared.copies(procedure) {
            continue;
        }
        let cases: BTreeSet<Vec<String>> = copies.into_values().flatten().collect();
        let Some(value) = disjunction(&cases) else {
            continue;
        };
        let function = &prepared.original.procedure(procedure).c_name;
        if let Some(location) = atlas.location(page, at, function) {
            found.push(InvariantAt {
                of_loop,
                location,
                value,
            });
        }
    }
    found
}

/// The procedure whose text a place is in, and which copy of it is meant, if that is certain.
fn owner(
    prepared: &Prepared,
    atlas: &Atlas,
    (page, offset): (usize, usize),
    known: (ProcId, u32),
) -> Option<(ProcId, u32)> {
    let function = &atlas.pages[page].enclosing(offset)?.function;
    if prepared.original.procedure(known.0).c_name == *function {
        return Some(known);
    }
    let procedure = prepared.original.find_procedure(function)?;
    (prepared.copies(procedure) == 1).then_some((procedure, 1))
}

/// For each copy of a procedure and each position, the one location there that is entered from
/// elsewhere; `None` if there are several.
fn first_locations(prepared: &Prepared) -> BTreeMap<(ProcId, u32, Span), Option<LocId>> {
    let body = prepared.body();
    let key = |l: LocId| {
        let (procedure, copy) = prepared.instance(l)?;
        Some((procedure, copy, body.location(l).span))
    };
    let mut found: BTreeMap<(ProcId, u32, Span), Option<LocId>> = BTreeMap::new();
    let entries = body.edges.iter().filter_map(|edge| {
        let (from, to) = (key(edge.source), key(edge.target)?);
        (from != Some(to)).then_some((to, edge.target))
    });
    let first = key(body.entry).map(|k| (k, body.entry));
    for (key, location) in first.into_iter().chain(entries) {
        let one = found.entry(key).or_insert(Some(location));
        if *one != Some(location) {
            *one = None;
        }
    }
    found
}

/// The loop or statement that an offset is the place before.
fn place(atlas: &Atlas, page: usize, offset: usize) -> Option<(usize, bool)> {
    let page = &atlas.pages[page];
    let text = &page.positions.text;
    use super::syntax::LoopKind::{For, While};
    let looping = page.syntax.loops.iter().find(|l| {
        let head = matches!(l.kind, While | For);
        let condition = &text[l.condition.clone()];
        let endless = matches!(condition.trim(), "" | "1");
        let body = text[l.body.clone()].trim_start_matches(['{', ' ', '\t', '\n', '\r']);
        let first = l.body.end - body.len();
        head && (l.condition.start == offset && !endless || endless && first == offset)
    });
    if let Some(found) = looping {
        return Some((found.keyword, true));
    }
    // Nothing happens between an `if` and its condition.
    let branchings = page.syntax.branchings.iter();
    let mut before = branchings.filter(|b| b.then.is_some() || b.switch);
    let starts = match before.find(|b| b.condition.start == offset) {
        Some(branching) => branching.keyword,
        None => offset,
    };
    let mut statements = page.syntax.statements.iter();
    let fitting = statements.find(|s| s.range.start == starts && s.in_block);
    let looping = page.syntax.loops.iter().any(|l| l.keyword == starts);
    fitting
        .filter(|_| !looping || starts == offset)
        .map(|s| (s.range.start, false))
}

/// The cases of an invariant, facts that cannot be said left out.
fn cases(proof: &Proof, invariant: &Invariant, names: &dyn Names) -> BTreeSet<Vec<String>> {
    invariant
        .cases
        .iter()
        .map(|facts| {
            let mut said: Vec<String> = facts
                .iter()
                .filter_map(|&f| condition(&proof.terms, names, f))
                .filter(|f| f != "1")
                .collect();
            said.sort();
            said.dedup();
            said
        })
        .collect()
}

/// The disjunction of cases, what all have in common taken out; nothing if it says nothing.
fn disjunction(cases: &BTreeSet<Vec<String>>) -> Option<String> {
    let Some(first) = cases.first() else {
        return Some("0".into());
    };
    let common: Vec<&String> = first
        .iter()
        .filter(|f| cases.iter().all(|c| c.contains(f)))
        .collect();
    let mut rest: Vec<Vec<&String>> = cases
        .iter()
        .map(|c| c.iter().filter(|f| !common.contains(f)).collect())
        .collect();
    if rest.iter().any(Vec::is_empty) {
        rest.clear();
    }
    let both = |facts: &[&String]| -> String {
        let facts: Vec<String> = facts.iter().map(|f| format!("({f})")).collect();
        facts.join(" && ")
    };
    let mut parts = Vec::new();
    if !common.is_empty() {
        parts.push(both(&common));
    }
    if !rest.is_empty() {
        let rest: Vec<String> = rest.iter().map(|c| format!("({})", both(c))).collect();
        parts.push(format!("({})", rest.join(" || ")));
    }
    let text = parts.join(" && ");
    (!text.is_empty() && text.len() <= LONGEST).then_some(text)
}
