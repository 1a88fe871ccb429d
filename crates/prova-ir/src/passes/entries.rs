//! Keeps what a loop was entered with: each variable that a loop changes, and whose first value the
//! text does not fix, gets a register that holds its value from before, which the program itself never reads. Invariants may then speak of
//! both, `x - i == x@7`. Nothing else changes, so that any run of the one program is a run of the
//! other.

use super::inline::Inlined;
use super::loops::Loops;
use crate::expr::Expr;
use crate::ids::{LocId, ProcId, RegId};
use crate::program::{Program, Register, Role, Statement};
use crate::source::Span;
use crate::types::Type;
use rustc_hash::FxHashSet;

/// Variables kept per loop.
const MOST: usize = 8;
/// Larger procedures, in locations, are left alone.
const LOCATIONS: usize = 5_000;

/// A value that a loop was entered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The loop, by its head.
    pub head: LocId,
    /// The variable that the loop changes.
    pub variable: RegId,
    /// The register with its value at the entry.
    pub kept: RegId,
}

/// Adds the registers to the entry procedure. Locations keep their numbers; new ones come last.
pub fn entries(program: &mut Program) -> Vec<Entry> {
    let Some(id) = program.entry else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (head, inside, variables) in changed(program, id) {
        let Some(body) = &program.procedure(id).body else {
            return found;
        };
        let line = body.location(head).span.line;
        let chosen: Vec<(RegId, RegId)> = variables
            .into_iter()
            .map(|variable| (variable, keep(program, variable, line)))
            .collect();
        let values: Vec<_> = chosen.iter().map(|c| program.read(c.0)).collect();
        let Some(body) = &mut program.procedures[id.index()].body else {
            return found;
        };
        // No line of C stands for it.
        let span = Span::NONE;
        let first = body.add_location(span);
        for edge in &mut body.edges {
            if edge.target == head && inside.binary_search(&edge.source).is_err() {
                edge.target = first;
            }
        }
        if body.entry == head {
            body.entry = first;
        }
        let mut at = first;
        for (i, (&(variable, kept), &value)) in chosen.iter().zip(&values).enumerate() {
            let last = i + 1 == chosen.len();
            let next = if last { head } else { body.add_location(span) };
            let target = kept;
            body.add_edge(at, next, Statement::Assign { target, value }, span);
            at = next;
            found.push(Entry {
                head,
                variable,
                kept,
            });
        }
    }
    crate::debug_validate(program, "entries");
    found
}

impl Inlined {
    /// Keeps what loops were entered with.
    pub fn keep_entries(&mut self) -> Vec<Entry> {
        let entries = entries(&mut self.program);
        // For each there is one new location, before the loop.
        for head in entries.iter().map(|e| e.head.index()) {
            self.instance_of.push(self.instance_of[head]);
            self.origin.push(self.origin[head]);
        }
        entries
    }
}

/// Adds a register for the value of a variable, named after it and the line of the loop.
fn keep(program: &mut Program, variable: RegId, line: u32) -> RegId {
    let of = program.register(variable).clone();
    let mut name = format!("{}@{line}", of.name);
    if program.registers.iter().any(|r| r.name == name) {
        name = program.fresh_register_name(&name);
    }
    program.add_register(Register {
        name,
        c_name: String::new(),
        ctype: None,
        role: Role::Temporary,
        initial: None,
        ..of
    })
}

/// Loops with the variables they change whose first value the text does not fix.
fn changed(program: &Program, id: ProcId) -> Vec<(LocId, Vec<LocId>, Vec<RegId>)> {
    let body = program.procedure(id).body.as_ref();
    let Some(body) = body.filter(|b| b.locations.len() <= LOCATIONS) else {
        return Vec::new();
    };
    let loops = Loops::of(body);
    let irreducible: FxHashSet<LocId> = loops
        .irreducible_edges
        .iter()
        .map(|&e| body.edge(e).target)
        .collect();
    let mut found = Vec::new();
    for &head in loops.heads.iter().filter(|h| !irreducible.contains(h)) {
        let inside = loops.natural_loop(body, head);
        let within = |l: LocId| inside.binary_search(&l).is_ok();
        let (mut written, mut read) = (FxHashSet::default(), FxHashSet::default());
        for edge in body.edges.iter().filter(|e| within(e.source)) {
            let statement = &edge.statement;
            written.extend(statement.written_register().filter(|_| within(edge.target)));
            let parts = statement.expressions();
            for part in parts.flat_map(|e| program.exprs.subexpressions(e)) {
                if let Expr::Reg(register) = program.exprs.get(part) {
                    read.insert(register);
                }
            }
        }
        let open = |&r: &RegId| {
            let register = program.register(r);
            let number = matches!(register.ty, Type::Int(w) if w > 1) || register.ty == Type::Ptr;
            let own = register.owner == Some(id) && register.role != Role::Temporary;
            let outside = body.edges.iter().filter(|e| !within(e.source));
            let mut before = outside.filter(|e| e.statement.written_register() == Some(r));
            number && own && !before.all(|e| fixed(program, &e.statement))
        };
        let both = written.intersection(&read).copied();
        let mut variables: Vec<RegId> = both.filter(open).collect();
        variables.sort_unstable();
        variables.truncate(MOST);
        if !variables.is_empty() {
            found.push((head, inside, variables));
        }
    }
    found
}

/// Whether a statement gives its register a number.
fn fixed(program: &Program, statement: &Statement) -> bool {
    let number = |e| matches!(program.exprs.get(e), Expr::Int { .. } | Expr::Pointer(_));
    matches!(statement, Statement::Assign { value, .. } if number(*value))
}
