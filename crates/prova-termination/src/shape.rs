//! The loops and circles of calls of a program, and terms that may measure them: what their guards
//! compare, and what they change.

use crate::choose::Cost;
use crate::linear::{cell, linear, slack};
use prova_ir::passes::call_graph::call_graph;
use prova_ir::{Body, CType, Edge, LocId, ProcId, Program, RegId, Span, Statement, Type, MEASURE};
use prova_rank::expression::Scope;
use prova_rank::valid::{is_valid, may_free};
use prova_rank::weave::walks;
use prova_rank::{components, Atom, Component, Extreme, Kind, Part, Place, Subject};

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
    /// What each of them costs.
    pub costs: Vec<Cost>,
}

/// Terms for one circle, without those that are put together from them.
const MOST_TERMS: usize = 120;
/// How many numbers are put together with factors, and the largest factor.
const COMBINED: (usize, i64) = (3, 3);
/// Guards of which the least or greatest is looked at.
const MOST_GUARDS: usize = 6;

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
            let inside = |e: &&Edge| component.contains(e.source);
            let edges: Vec<&Edge> = body.edges.iter().filter(inside).collect();
            let readable = |part: &Part| {
                part.atoms().all(|a| {
                    is_there(program, id, body, &frees, a, component.head)
                        && stays_in_its_block(program, id, &edges, a)
                })
            };
            let mut terms = loop_terms(program, body, &component);
            terms.retain(readable);
            let changed = changed(program, &edges);
            let is_changed = |atom: &&(i64, Atom)| {
                let cell = matches!(atom.1.place, Place::Cell { .. });
                cell || changed.iter().any(|c| c.place == atom.1.place)
            };
            let cost = |p: &Part| match p {
                _ if !p.others.is_empty() => Cost::Piecewise,
                _ if p.terms.iter().filter(is_changed).count() <= 1 => Cost::Plain,
                _ if p.terms.iter().all(|t| t.0.abs() == 1) => Cost::Linear,
                _ => Cost::Combined,
            };
            // What the user says is tried before anything else.
            let said = stated(program, &edges);
            let cost = |p: &Part| match said.contains(p) {
                true => Cost::Plain,
                false => cost(p),
            };
            found.push(Circle {
                costs: terms.iter().map(cost).collect(),
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
            let cost = |p: &Part| match p {
                _ if !p.others.is_empty() => Cost::Piecewise,
                _ if p.terms.len() == 1 => Cost::Plain,
                _ if p.terms.iter().all(|t| t.0.abs() == 1) => Cost::Linear,
                _ => Cost::Combined,
            };
            found.push(Circle {
                costs: terms.iter().map(cost).collect(),
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

/// Whether a circle is the loop that a label names: the one that begins behind the label, or else the
/// innermost one around it.
pub fn labelled(program: &Program, circles: &[Circle], circle: usize, label: &str) -> bool {
    let procedure = circles[circle].procedure;
    let Some(body) = &program.procedure(procedure).body else {
        return false;
    };
    let named = |l: &&LocId| body.location(**l).label.as_deref() == Some(label);
    let all: Vec<LocId> = (0..body.locations.len()).map(LocId::new).collect();
    let own = circles.iter().enumerate().filter_map(|(i, c)| {
        let component = c.component.as_ref().filter(|_| c.procedure == procedure)?;
        Some((i, component))
    });
    let own: Vec<(usize, &Component)> = own.collect();
    let outgoing = body.outgoing();
    let mut labels = all.iter().filter(named);
    labels.any(|&at| {
        let around = own.iter().filter(|(_, c)| c.contains(at));
        let around = around.max_by_key(|(_, c)| c.depth);
        let mut next = at;
        // A way without a choice from the label to a head.
        for _ in 0..20 {
            let begins = own.iter().find(|(_, c)| c.head == next);
            if let Some((i, _)) = begins.filter(|b| around.is_none_or(|a| a.1.depth <= b.1.depth)) {
                return *i == circle;
            }
            match outgoing[next.index()][..] {
                [only] => next = body.edge(only).target,
                _ => break,
            }
        }
        around.is_some_and(|(i, _)| *i == circle)
    })
}

/// Whether an atom is no address, or one of a pointer that a round moves inside its block only.
fn stays_in_its_block(program: &Program, id: ProcId, edges: &[&Edge], atom: &Atom) -> bool {
    let Place::Register(name) = &atom.place else {
        return true;
    };
    let Ok(register) = (Scope { procedure: id }).register(program, name) else {
        return false;
    };
    let pointer = program.register(register).ty == Type::Ptr;
    let walks = |e: &&Edge| walks(program, &e.statement, register);
    !pointer || atom.kind == Kind::Unsigned && edges.iter().all(walks)
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
    let whole = [1 << 32, 1 << 64].contains(&part.constant);
    let end = part.constant.unsigned_abs() >= (1 << 31) - 2 && !whole;
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
    let mut terms = stated(program, &edges);
    let changed = changed(program, &edges);
    // Who walks through a block comes to its end: a step outside is none. What lies there changes with
    // every step, and says little.
    let through = |part: &Part, pointer: &Atom| {
        part.atoms().any(|a| match (&a.place, &pointer.place) {
            (Place::Cell { base, object, .. }, Place::Register(name)) => !object && base == name,
            _ => false,
        })
    };
    let moves = |part: &Part| changed.iter().any(|p| through(part, p));
    let looked_at = |p: &&Atom| guards.iter().chain(&others).any(|part| through(part, p));
    for pointer in changed
        .iter()
        .filter(|a| is_pointer(program, a))
        .filter(looked_at)
    {
        add(&mut terms, Part::of(pointer.clone(), -1, 1 << 64));
        add(&mut terms, Part::of(pointer.clone(), 1, 0));
    }
    guards
        .iter()
        .filter(|g| !moves(g))
        .for_each(|g| add(&mut terms, g.clone()));
    guards
        .iter()
        .filter(|g| moves(g))
        .for_each(|g| add(&mut terms, g.clone()));
    let first = terms.clone();
    for part in &first {
        let mut more = part.clone();
        more.constant += 1;
        add(&mut terms, more);
    }
    others.iter().for_each(|g| add(&mut terms, g.clone()));
    // What the loop changes, by itself: up and down, signed and not.
    for atom in changed.iter().cloned() {
        for kind in kinds(program, &atom.place) {
            let own = Atom {
                kind,
                ..atom.clone()
            };
            add(&mut terms, Part::of(own.clone(), 1, 0));
            add(&mut terms, Part::of(own.clone(), -1, 0));
            // Who walks through a block comes to its end: a step outside is none.
            if kind == Kind::Unsigned && is_pointer(program, &own) {
                add(&mut terms, Part::of(own, -1, 1 << 64));
            }
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
    combine(&mut terms, &changed);
    piecewise(&mut terms, &first);
    terms
}

/// The measures that users gave: what registers of theirs are set to at the head. Nobody believes them.
fn stated(program: &Program, edges: &[&Edge]) -> Vec<Part> {
    let mut found = Vec::new();
    for edge in edges {
        let Statement::Assign { target, value } = edge.statement else {
            continue;
        };
        if program.register(target).name.starts_with(MEASURE) {
            for kind in [Kind::Signed, Kind::Unsigned] {
                if let Some(part) = linear(program, value, kind) {
                    add(&mut found, part);
                }
            }
        }
    }
    found
}

/// Both ways of reading a number, that of its type first.
pub(crate) fn kinds(program: &Program, place: &Place) -> [Kind; 2] {
    let unsigned = match place {
        Place::Register(name) => {
            let register = program.registers.iter().find(|r| r.name == *name);
            let ctype = register.and_then(|r| r.ctype);
            ctype.is_some_and(|t| matches!(program.ctypes.get(t), CType::Int { signed: false, .. }))
        }
        Place::Cell { .. } => false,
    };
    match unsigned {
        true => [Kind::Unsigned, Kind::Signed],
        false => [Kind::Signed, Kind::Unsigned],
    }
}

fn is_pointer(program: &Program, atom: &Atom) -> bool {
    let Place::Register(name) = &atom.place else {
        return false;
    };
    let mut all = program.registers.iter();
    all.any(|r| r.name == *name && r.ty == Type::Ptr)
}

/// Adds sums of few numbers with small factors.
fn combine(terms: &mut Vec<Part>, numbers: &[Atom]) {
    let (few, most) = COMBINED;
    let mut sums = vec![Part::default()];
    for atom in numbers.iter().take(few) {
        let more = sums.iter().flat_map(|sum| {
            let one = Part::of(atom.clone(), 1, 0);
            (-most..=most).map(move |factor| sum.plus(&one, factor))
        });
        sums = more.collect();
    }
    sums.retain(|s| s.terms.len() > 1 && !terms.contains(s));
    // Small factors first.
    sums.sort_by_key(|s| s.terms.iter().map(|t| t.0.abs()).sum::<i64>());
    terms.extend(sums);
}

/// Adds the least and the greatest of two guards.
fn piecewise(terms: &mut Vec<Part>, guards: &[Part]) {
    let guards = &guards[..guards.len().min(MOST_GUARDS)];
    for (i, a) in guards.iter().enumerate() {
        for b in &guards[i + 1..] {
            for extreme in [Extreme::Least, Extreme::Greatest] {
                terms.push(Part::extreme(extreme, &[a, b]));
            }
        }
    }
}

/// Registers and cells that a loop changes.
fn changed(program: &Program, edges: &[&Edge]) -> Vec<Atom> {
    let mut found: Vec<Atom> = Vec::new();
    let own = |r: RegId| !program.register(r).name.starts_with(MEASURE);
    let number = |r: RegId| own(r) && matches!(program.register(r).ty, Type::Int(8..=64));
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
            kinds(program, &place).map(|kind| {
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
    let signed = numbers.iter().flat_map(|p| p.terms.iter().map(|t| &t.1));
    let signed: Vec<Atom> = signed.filter(|a| a.kind == Kind::Signed).cloned().collect();
    combine(&mut terms, &signed);
    terms
}
