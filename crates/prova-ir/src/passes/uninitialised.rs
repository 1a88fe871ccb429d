//! Registers that are read before they are written hold arbitrary values: this pass says so with
//! statements, at the start of each procedure, so that every arbitrary value is an input that is
//! counted like the others. After it, no procedure reads what it did not write.

use crate::expr::Expr;
use crate::ids::{LocId, ProcId, RegId};
use crate::program::{Origin, Program, Statement};
use rustc_hash::{FxHashMap, FxHashSet};

/// Gives registers that may be read before they are written arbitrary values at the start of
/// their procedure; says how many there were. Parameters and global registers are no such.
pub fn uninitialised(program: &mut Program) -> usize {
    let mut count = 0;
    for i in 0..program.procedures.len() {
        let unset = read_before_written(program, ProcId::new(i));
        let Some(body) = &mut program.procedures[i].body else {
            continue;
        };
        count += unset.len();
        for &target in unset.iter().rev() {
            let old = body.entry;
            let span = body.location(old).span;
            body.entry = body.add_location(span);
            let origin = Origin::Uninitialised;
            let statement = Statement::Nondet { target, origin };
            body.add_edge(body.entry, old, statement, span);
        }
    }
    crate::debug_validate(program, "uninitialised");
    count
}

/// Registers of a procedure, parameters aside, that some path reads before it writes them:
/// those live at the entry. The result is read at the exit.
pub fn read_before_written(program: &Program, id: ProcId) -> Vec<RegId> {
    let procedure = program.procedure(id);
    let Some(body) = &procedure.body else {
        return Vec::new();
    };
    let own =
        |r: RegId| program.register(r).owner == Some(id) && !procedure.parameters.contains(&r);
    let incoming = body.incoming();
    let mut reads: FxHashMap<RegId, Vec<LocId>> = FxHashMap::default();
    let mut order: Vec<RegId> = Vec::new();
    let mut note = |r: RegId, at: LocId| {
        let places = reads.entry(r).or_default();
        if places.is_empty() {
            order.push(r);
        }
        places.push(at);
    };
    for edge in &body.edges {
        let mut seen = FxHashSet::default();
        for e in edge.statement.expressions() {
            for sub in program.exprs.subexpressions(e) {
                if let Expr::Reg(r) = program.exprs.get(sub) {
                    if own(r) && seen.insert(r) {
                        note(r, edge.source);
                    }
                }
            }
        }
    }
    if let Some(result) = procedure.result {
        note(result, body.exit);
    }
    order.sort_unstable();
    order
        .into_iter()
        .filter(|r| {
            // Backwards from the reads, along edges that do not write it.
            let mut seen = vec![false; body.locations.len()];
            let mut work = reads[r].clone();
            for l in &work {
                seen[l.index()] = true;
            }
            while let Some(l) = work.pop() {
                if l == body.entry {
                    return true;
                }
                for &e in &incoming[l.index()] {
                    let edge = body.edge(e);
                    if edge.statement.written_register() != Some(*r)
                        && !std::mem::replace(&mut seen[edge.source.index()], true)
                    {
                        work.push(edge.source);
                    }
                }
            }
            false
        })
        .collect()
}
