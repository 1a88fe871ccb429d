//! Objects that functions without a body may reach: whether each was reached, and where it lies
//! while it lives.
//!
//! A variable of a function has an address of its own in each activation, and a heap block has one
//! from each allocation; a register holds the latest.

use super::body::{Foreign, Gate};
use crate::points_to::reach::{Held, Place, Reach};
use prova_ir::passes::call_graph::call_graph;
use prova_ir::passes::devirtualise::devirtualise;
use prova_ir::{
    Allocation, BinaryOp, Body, Expr, ExprId, Limit, ObjectId, ProcId, Program, RegId, Register,
    Role, Span, Statement, Storage, Type,
};
use std::collections::BTreeSet;

/// More objects than this are not tracked in one program.
const MOST: usize = 48;
/// Larger ones are not, either.
const LARGEST: u64 = 1 << 16;
/// An object with more pointers than this changes as a whole or not at all.
const MOST_POINTERS: usize = 64;
/// Rounds in which pointers are followed where they may lead in circles.
const ROUNDS: usize = 4;

/// An object that may be reached.
pub(super) struct Tracked {
    pub(super) place: Place,
    pub(super) size: u64,
    /// Its address; null while it does not live.
    pub(super) base: ExprId,
    /// Whether the address may be null.
    pub(super) comes_and_goes: bool,
    /// A truth value: it was reached, and lives.
    pub(super) escaped: RegId,
    /// Where its pointers lie.
    pub(super) held: Vec<Held>,
    /// Whether it can be reached otherwise than through pointers to `const`.
    pub(super) can_escape: bool,
    /// Whether it is a block of the heap.
    pub(super) is_block: bool,
}

/// All of them.
pub(super) struct All {
    /// In an order in which pointers lead on, where they do not lead in circles.
    pub(super) objects: Vec<Tracked>,
    /// How often pointers are followed in that order.
    pub(super) rounds: usize,
    /// Places with objects that are not tracked, or not all the time.
    pub(super) loose: BTreeSet<Place>,
}

impl All {
    /// Whether something that is tracked lies there.
    pub(super) fn leads_on(&self, place: Place) -> bool {
        self.objects.iter().any(|t| t.place == place)
    }
}

enum What {
    Object(ObjectId),
    Block(ProcId, usize),
}

pub(super) fn track(
    program: &mut Program,
    reach: &Reach,
    gates: &[Gate],
    foreign: &[Foreign],
    assumed: &mut BTreeSet<Limit>,
) -> All {
    let external = |o: ObjectId| program.object(o).storage == Storage::External;
    let library = (0..program.objects.len()).map(ObjectId::new);
    let library = library.filter(|&o| external(o)).map(|o| reach.of_object(o));
    let library = library.chain(foreign.iter().filter_map(|f| f.place));
    let library: BTreeSet<Place> = library.collect();
    let starts = gates.iter().flat_map(|g| g.doors.iter().map(|d| d.place));
    let starts = starts.chain(library.iter().copied());
    let (places, circles) = order(reach, starts.collect());
    let doors = gates.iter().flat_map(|g| &g.doors);
    let beyond = doors.flat_map(|d| {
        let own = d.written.then_some(d.place);
        own.into_iter().chain(reach.onward(d.place))
    });
    let beyond = beyond.chain(library.iter().copied());
    let free: BTreeSet<Place> = order(reach, beyond.collect()).0.into_iter().collect();
    let mut objects = Vec::new();
    let mut watched = Vec::new();
    let mut loose = BTreeSet::new();
    let recursive = {
        let mut direct = program.clone();
        devirtualise(&mut direct);
        call_graph(&direct).recursive
    };
    for place in places {
        let contents = reach.contents(place);
        let named = contents.objects.iter().map(|&o| What::Object(o));
        let blocks = contents.blocks.iter().map(|&(p, e)| What::Block(p, e));
        for what in named.chain(blocks) {
            let Some((size, name, owner)) = describe(program, &what) else {
                continue;
            };
            if size == 0 {
                continue;
            }
            if size > LARGEST || objects.len() == MOST {
                loose.insert(place);
                assumed.insert(Limit::Untracked(name));
                continue;
            }
            if owner.is_some_and(|p| recursive[p.index()]) {
                loose.insert(place);
                assumed.insert(Limit::Earlier(name.clone()));
            }
            let held = match what {
                What::Object(o) => reach.held_by_object(o, size, MOST_POINTERS),
                What::Block(p, e) => reach.held_by_block((p, e), size, MOST_POINTERS),
            };
            let held = held.unwrap_or_else(|| {
                assumed.insert(Limit::ManyPointers(name.clone()));
                loose.insert(place);
                vec![Held {
                    offset: 0,
                    size,
                    to: place,
                }]
            });
            let fixed = match what {
                What::Object(o) if !matches!(program.object(o).storage, Storage::Frame(_)) => {
                    Some(program.exprs.add(Expr::Address(o)))
                }
                _ => None,
            };
            let own = matches!(what, What::Object(o)
                if program.object(o).storage == Storage::External);
            let is_block = matches!(what, What::Block(..));
            let first = program.exprs.bool(own);
            let escaped = ghost(program, "reached", Type::BOOL, first);
            let base = fixed.unwrap_or_else(|| {
                let null = program.exprs.add(Expr::Pointer(0));
                let register = ghost(program, "place", Type::Ptr, null);
                watched.push((what, register, escaped));
                program.read(register)
            });
            objects.push(Tracked {
                place,
                size,
                base,
                comes_and_goes: fixed.is_none(),
                escaped,
                held,
                can_escape: free.contains(&place),
                is_block,
            });
        }
    }
    watch(program, &watched);
    let rounds = match circles {
        true => objects.len().clamp(1, ROUNDS),
        false => 1,
    };
    if rounds < objects.len() && circles {
        assumed.insert(Limit::Circles(rounds));
    }
    All {
        objects,
        rounds,
        loose,
    }
}

/// Size, name and owner of what can be written.
fn describe(program: &Program, what: &What) -> Option<(u64, String, Option<ProcId>)> {
    match *what {
        What::Object(o) => {
            let object = program.object(o);
            let owner = match object.storage {
                Storage::Static { constant: true, .. } => return None,
                Storage::Frame(p) => Some(p),
                _ => None,
            };
            let name = match object.c_name.is_empty() {
                true => "an object without a name".to_string(),
                false => format!("`{}`", object.c_name),
            };
            Some((object.size, name, owner))
        }
        What::Block(p, e) => {
            let body = program.procedure(p).body.as_ref()?;
            let Statement::Allocate { size, .. } = body.edges[e].statement else {
                return None;
            };
            let Expr::Int { value, .. } = program.exprs.get(size) else {
                return None;
            };
            let line = body.edges[e].span.line;
            Some((
                u64::try_from(value).ok()?,
                format!("what line {line} allocates"),
                None,
            ))
        }
    }
}

fn ghost(program: &mut Program, what: &str, ty: Type, initial: ExprId) -> RegId {
    let name = program.fresh_register_name(&format!("undefined.{what}"));
    program.add_register(Register {
        name,
        c_name: String::new(),
        ty,
        ctype: None,
        owner: None,
        role: Role::Global,
        initial: Some(initial),
        span: Span::NONE,
    })
}

/// Places that are reached from some, those that lead on before those they lead to; and whether
/// some lead in circles.
fn order(reach: &Reach, starts: BTreeSet<Place>) -> (Vec<Place>, bool) {
    let mut state: rustc_hash::FxHashMap<Place, bool> = Default::default();
    let (mut done, mut circles) = (Vec::new(), false);
    for start in starts {
        if state.contains_key(&start) {
            continue;
        }
        state.insert(start, false);
        let mut stack = vec![(start, reach.onward(start).collect::<Vec<_>>())];
        while let Some((place, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(next) => match state.get(&next) {
                    Some(finished) => circles |= !finished,
                    None => {
                        state.insert(next, false);
                        stack.push((next, reach.onward(next).collect()));
                    }
                },
                None => {
                    state.insert(*place, true);
                    done.push(*place);
                    stack.pop();
                }
            }
        }
    }
    done.reverse();
    (done, circles)
}

/// Keeps the registers of what comes and goes.
fn watch(program: &mut Program, watched: &[(What, RegId, RegId)]) {
    let no = program.exprs.bool(false);
    let null = program.exprs.add(Expr::Pointer(0));
    let gone = |&(_, place, escaped): &(What, RegId, RegId)| {
        [
            Statement::Assign {
                target: place,
                value: null,
            },
            Statement::Assign {
                target: escaped,
                value: no,
            },
        ]
    };
    for p in 0..program.procedures.len() {
        let id = ProcId::new(p);
        let Some(mut body) = program.procedures[p].body.take() else {
            continue;
        };
        let mut at_exit = Vec::new();
        for i in 0..body.edges.len() {
            for entry @ (what, place, escaped) in watched {
                let comes = |value| {
                    vec![
                        Statement::Assign {
                            target: *place,
                            value,
                        },
                        Statement::Assign {
                            target: *escaped,
                            value: no,
                        },
                    ]
                };
                match (&body.edges[i].statement, what) {
                    (Statement::Enter(o), What::Object(own)) if o == own => {
                        let address = program.exprs.add(Expr::Address(*own));
                        behind(&mut body, i, comes(address));
                        if !at_exit.iter().any(|(o, _)| *o == *escaped) {
                            at_exit.push((*escaped, gone(entry)));
                        }
                    }
                    (Statement::Leave(o), What::Object(own)) if o == own => {
                        behind(&mut body, i, gone(entry).to_vec());
                    }
                    (Statement::Allocate { target, kind, .. }, What::Block(q, e))
                        if (id, i) == (*q, *e) =>
                    {
                        let (kind, target) = (*kind, *target);
                        let address = program.read(target);
                        behind(&mut body, i, comes(address));
                        if kind == Allocation::Stack {
                            at_exit.push((*escaped, gone(entry)));
                        }
                    }
                    (Statement::Free(freed), What::Block(..)) => {
                        let freed = *freed;
                        let (base, was) = (program.read(*place), program.read(*escaped));
                        let pool = &mut program.exprs;
                        let other = pool.binary(BinaryOp::Ne, freed, base);
                        let still = pool.binary(BinaryOp::And, was, other);
                        let kept = pool.add(Expr::Ite {
                            cond: other,
                            then: base,
                            otherwise: null,
                        });
                        before(
                            &mut body,
                            i,
                            vec![
                                Statement::Assign {
                                    target: *escaped,
                                    value: still,
                                },
                                Statement::Assign {
                                    target: *place,
                                    value: kept,
                                },
                            ],
                        );
                    }
                    _ => {}
                }
            }
        }
        for (_, statements) in at_exit {
            let mut at = body.exit;
            let span = body.location(at).span;
            for statement in statements {
                let next = body.add_location(span);
                body.add_edge(at, next, statement, span);
                at = next;
            }
            body.exit = at;
        }
        program.procedures[p].body = Some(body);
    }
}

/// Puts statements behind an edge.
fn behind(body: &mut Body, edge: usize, statements: Vec<Statement>) {
    let (span, target) = (body.edges[edge].span, body.edges[edge].target);
    let mut at = body.add_location(span);
    body.edges[edge].target = at;
    let last = statements.len() - 1;
    for (i, statement) in statements.into_iter().enumerate() {
        let next = match i == last {
            true => target,
            false => body.add_location(span),
        };
        body.add_edge(at, next, statement, span);
        at = next;
    }
}

/// Puts statements before an edge.
fn before(body: &mut Body, edge: usize, statements: Vec<Statement>) {
    let (span, mut at) = (body.edges[edge].span, body.edges[edge].source);
    for statement in statements {
        let next = body.add_location(span);
        body.add_edge(at, next, statement, span);
        at = next;
    }
    body.edges[edge].source = at;
}
