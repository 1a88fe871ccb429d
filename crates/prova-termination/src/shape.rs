//! The loops and circles of calls of a program, and terms that may measure them: what their guards
//! compare, and what they change.

use crate::linear::{cell, slack};
use prova_ir::passes::call_graph::call_graph;
use prova_ir::{Body, Edge, LocId, ProcId, Program, RegId, Span, Statement, Type};
use prova_rank::expression::Scope;
use prova_rank::valid::{is_valid, may_free};
use prova_rank::{components, Atom, Component, Kind, Part, Place, Subject};

/// Something that has to have a measure.
#[derive(Clone, Debug)]
pub struct Circle {
    /// What it is.
    pub subject: Subject,
    /// The procedure.
    pub procedure: ProcId,
    /// The loop, if it is one.
    pub component: Option<Component>,
    /// For calls: all procedures of the circle.
    pub procedures: Vec<ProcId>,
    /// Where it is.
    pub span: Span,
    /// What may measure it, what is likely first.
    pub terms: Vec<Part>,
    /// Which of them need no arithmetic: a round changes no more than one number of each.
    pub plain: Vec<bool>,
}

/// Terms for one circle.
const MOST_TERMS: usize = 120;

/// All circles of what a program may run.
pub fn circles(program: &Program) -> Vec<Circle> {
    let calls = call_graph(program);
    let Some(entry) = program.entry else {
        return Vec::new();
    };
    let frees = may_free(program, &calls);
    let mut found = Vec::new();
    for id in calls.reachable_from(entry) {
        let procedure = program.procedure(id);
        let Some(body) = &procedure.body else {
            continue;
        };
        let heads = heads(program, id, body, &frees);
        for component in components(body, &heads) {
            let readable = |part: &Part| {
                let mut atoms = part.terms.iter().map(|t| &t.1);
                atoms.all(|a| is_there(program, id, body, &frees, a, component.head))
            };
            let mut terms = loop_terms(program, body, &component);
            terms.retain(readable);
            let inside = |e: &&Edge| component.contains(e.source);
            let edges: Vec<&Edge> = body.edges.iter().filter(inside).collect();
            let changed = changed(program, &edges);
            let is_changed = |atom: &&(i64, Atom)| {
                let cell = matches!(atom.1.place, Place::Cell { .. });
                cell || changed.iter().any(|c| c.place == atom.1.place)
            };
            let plain = |p: &Part| p.terms.iter().filter(is_changed).count() <= 1;
            found.push(Circle {
                plain: terms.iter().map(plain).collect(),
                subject: Subject::Loop(procedure.name.clone(), component.head.0),
                procedure: id,
                span: place(program, body, &component),
                terms,
                component: Some(component),
                procedures: Vec::new(),
            });
        }
        if calls.recursive[id.index()] {
            let circle = calls.components.iter().find(|c| c.contains(&id));
            let terms = call_terms(program, id, body);
            found.push(Circle {
                plain: terms.iter().map(|p| p.terms.len() == 1).collect(),
                subject: Subject::Call(procedure.name.clone()),
                procedure: id,
                component: None,
                procedures: circle.cloned().unwrap_or_default(),
                span: procedure.span,
                terms,
            });
        }
    }
    found
}

/// Whether what an atom names can be read at a place.
fn is_there(
    program: &Program,
    id: ProcId,
    body: &Body,
    frees: &[bool],
    atom: &Atom,
    at: LocId,
) -> bool {
    match (Scope { procedure: id }).cell(program, atom) {
        Ok(Some(cell)) => is_valid(program, body, frees, cell, at),
        Ok(None) => true,
        Err(_) => false,
    }
}

/// Where loops are cut: where a walk comes to them first, unless their guards read memory that is
/// sure to be there only further on, and a cut there leaves no more of them.
fn heads(program: &Program, id: ProcId, body: &Body, frees: &[bool]) -> Vec<LocId> {
    let usual = components(body, &[]);
    let mut heads: Vec<LocId> = Vec::new();
    for component in &usual {
        let mut cells: Vec<Atom> = Vec::new();
        for part in guards(program, body, component).0 {
            let atoms = part.terms.into_iter().map(|t| t.1);
            cells.extend(atoms.filter(|a| matches!(a.place, Place::Cell { .. })));
        }
        let readable = |at: LocId| {
            let there = |a: &&Atom| is_there(program, id, body, frees, a, at);
            cells.iter().filter(there).count()
        };
        let best = readable(component.head);
        let mut head = component.head;
        if best < cells.len() {
            let others = component.locations.iter().filter(|l| readable(**l) > best);
            let mut others = others
                .map(|l| (cells.len() - readable(*l), *l))
                .collect::<Vec<_>>();
            others.sort_unstable();
            let cuts = |l: LocId| {
                let mut chosen = heads.clone();
                chosen.push(l);
                chosen.extend(usual.iter().skip(heads.len() + 1).map(|c| c.head));
                components(body, &chosen).len() == usual.len()
            };
            let found = others.into_iter().take(40).find(|(_, l)| cuts(*l));
            head = found.map_or(head, |f| f.1);
        }
        heads.push(head);
    }
    heads
}

/// Where people see a loop.
fn place(program: &Program, body: &Body, component: &Component) -> Span {
    let all = component.locations.iter().map(|l| body.location(*l).span);
    let own = all.filter(|s| program.is_own(*s));
    let head = body.location(component.head).span;
    match program.is_own(head) {
        true => head,
        false => own.min_by_key(|s| (s.line, s.column)).unwrap_or(head),
    }
}

/// Adds a term unless it is there or says nothing.
fn add(terms: &mut Vec<Part>, part: Part) {
    // A bound that is the end of a type is none: what runs there overflows.
    let end = part.constant.unsigned_abs() >= (1 << 31) - 2 && part.constant != 1 << 32;
    let large = end || part.terms.iter().any(|t| t.0.unsigned_abs() > 1 << 20);
    if !part.terms.is_empty() && !large && terms.len() < MOST_TERMS && !terms.contains(&part) {
        terms.push(part);
    }
}

fn negated(part: &Part) -> Part {
    Part::default().plus(part, -1)
}

/// What the guards of a loop say where they do not end it, and what its other conditions say.
fn guards(program: &Program, body: &Body, component: &Component) -> (Vec<Part>, Vec<Part>) {
    let edges = body.edges.iter().filter(|e| component.contains(e.source));
    let outgoing = body.outgoing();
    let leaves = |at: LocId| {
        let mut ways = outgoing[at.index()].iter();
        ways.any(|e| !component.contains(body.edge(*e).target))
    };
    let (mut guards, mut others) = (Vec::new(), Vec::new());
    for edge in edges {
        if let Statement::Assume(condition) = edge.statement {
            let stays = component.contains(edge.target);
            match stays && leaves(edge.source) {
                true => slack(program, condition, true, &mut guards),
                false => slack(program, condition, true, &mut others),
            }
        }
    }
    (guards, others)
}

fn loop_terms(program: &Program, body: &Body, component: &Component) -> Vec<Part> {
    let inside = |e: &&Edge| component.contains(e.source);
    let edges: Vec<&Edge> = body.edges.iter().filter(inside).collect();
    let (guards, others) = guards(program, body, component);
    let mut terms = Vec::new();
    guards.iter().for_each(|g| add(&mut terms, g.clone()));
    let first = terms.clone();
    for part in &first {
        let mut more = part.clone();
        more.constant += 1;
        add(&mut terms, more);
    }
    others.iter().for_each(|g| add(&mut terms, g.clone()));
    // What the loop changes, by itself: up and down, signed and not.
    let changed = changed(program, &edges);
    for atom in changed.iter().cloned() {
        for kind in [Kind::Signed, Kind::Unsigned] {
            let own = Atom {
                kind,
                ..atom.clone()
            };
            add(&mut terms, Part::of(own.clone(), 1, 0));
            add(&mut terms, Part::of(own, -1, 0));
        }
        // Bits that are shifted out; of a signed number that would be an overflow.
        let bits = |p: &Part| {
            p.terms
                .iter()
                .any(|t| t.1.place == atom.place && t.1.kind == Kind::Unsigned)
        };
        if !first.iter().any(bits) {
            continue;
        }
        let low = Part::of(
            Atom {
                kind: Kind::Low,
                ..atom
            },
            -1,
            1 << 32,
        );
        add(&mut terms, low);
    }
    // Sums and differences of two of these.
    let few = changed.iter().take(6);
    let few: Vec<Part> = few.map(|a| Part::of(a.clone(), 1, 0)).collect();
    for (i, a) in few.iter().enumerate() {
        for b in few.iter().skip(i + 1) {
            add(&mut terms, a.plus(b, 1));
            add(&mut terms, a.plus(b, -1));
            add(&mut terms, b.plus(a, -1));
        }
    }
    // Sums and differences of what guards compare.
    for (i, a) in first.iter().enumerate() {
        for b in first.iter().skip(i + 1) {
            add(&mut terms, a.plus(b, 1));
        }
    }
    for a in &first {
        add(&mut terms, negated(a));
    }
    for a in &others {
        add(&mut terms, negated(a));
    }
    terms
}

/// Registers and cells that a loop changes.
fn changed(program: &Program, edges: &[&Edge]) -> Vec<Atom> {
    let mut found: Vec<Atom> = Vec::new();
    let number = |r: RegId| matches!(program.register(r).ty, Type::Int(8..=64));
    for edge in edges {
        let part = match &edge.statement {
            Statement::Assign { target, .. } if number(*target) => {
                let place = Place::Register(program.register(*target).name.clone());
                let kind = Kind::Signed;
                Some(Part::of(Atom { kind, place }, 1, 0))
            }
            Statement::Assign { target, .. } if program.register(*target).ty == Type::Ptr => {
                let place = Place::Register(program.register(*target).name.clone());
                let kind = Kind::Unsigned;
                Some(Part::of(Atom { kind, place }, 1, 0))
            }
            Statement::Store { address, value } => {
                let ty = program.exprs.ty(*value);
                cell(program, *address, ty, Kind::Signed).map(|atom| Part::of(atom, 1, 0))
            }
            _ => None,
        };
        if let Some([(_, atom)]) = part.as_ref().map(|p| &p.terms[..]) {
            if !found.contains(atom) {
                found.push(atom.clone());
            }
        }
    }
    found
}

fn call_terms(program: &Program, id: ProcId, body: &Body) -> Vec<Part> {
    let parameters = &program.procedure(id).parameters;
    let own = |part: &Part| {
        let is = |name: &String| {
            parameters
                .iter()
                .any(|p| program.register(*p).name == *name)
        };
        let mut atoms = part.terms.iter().map(|t| &t.1.place);
        atoms.all(|place| matches!(place, Place::Register(name) if is(name)))
    };
    let number = |r: &&RegId| matches!(program.register(**r).ty, Type::Int(8..=64));
    let mut terms = Vec::new();
    let numbers: Vec<Part> = parameters
        .iter()
        .filter(number)
        .flat_map(|r| {
            let place = Place::Register(program.register(*r).name.clone());
            [Kind::Signed, Kind::Unsigned].map(|kind| {
                let place = place.clone();
                Part::of(Atom { kind, place }, 1, 0)
            })
        })
        .collect();
    let mut guards = Vec::new();
    for edge in &body.edges {
        if let Statement::Assume(condition) = edge.statement {
            slack(program, condition, true, &mut guards);
        }
    }
    for part in guards.iter().chain(&numbers).filter(|p| own(p)) {
        add(&mut terms, part.clone());
        let mut more = part.clone();
        more.constant += 1;
        add(&mut terms, more);
    }
    for (i, a) in numbers.iter().enumerate() {
        add(&mut terms, negated(a));
        for b in numbers.iter().skip(i + 1) {
            add(&mut terms, a.plus(b, 1));
            add(&mut terms, a.plus(b, -1));
            add(&mut terms, b.plus(a, -1));
        }
    }
    terms
}
