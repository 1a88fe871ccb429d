//! Goals of coverage, as places of a program. Every place that a goal may ask for is *marked*: it
//! gets a location of its own with a label that no C program can write, so that it is found again
//! after passes that number locations anew. A run that comes to a marked location has been there; a
//! *target* is a marked location that is made an error, and whoever decides errors decides it.
//!
//! | file | what it holds |
//! |---|---|
//! | `mod.rs` | which places are marked |
//! | `target` | what is made an error, and how it is written in a certificate |
//!
//! Marks depend on the program and nothing else: a certificate names targets by the numbers of marks,
//! and whoever checks it marks the program again. What would be unsound: to leave out a place where a
//! line, a function or a branch begins, for its goal would be proved impossible by the others alone.
//! So a line has a mark wherever it is entered, and a branch on its own edge.

mod target;

pub use target::{branches_of, Target};
pub(crate) use target::{drop_goal_calls, weave_targets};

use prova_ir::{
    Body, Callee, EdgeId, Junction, LocId, Origin, ProcId, Program, Span, Statement, UNMODELLED,
};
use std::collections::{BTreeMap, BTreeSet};

/// The property of targets.
pub const GOAL: &str = "goal";
/// The function whose calls are goals of the user's own.
pub const GOAL_FUNCTION: &str = "prova_goal";
/// How labels of marks begin.
const LABEL: &str = "mark:";

/// A place that was marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The procedure it lies in.
    pub procedure: ProcId,
    /// Where it is in the source.
    pub span: Span,
    /// What a run does that comes there.
    pub what: What,
}

/// What a run does that comes to a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// It begins something.
    Begins(Begins),
    /// It takes a branch: where its condition begins, and whether it holds.
    Branch {
        /// Whether the condition holds.
        holds: bool,
        /// Which decision it is part of, and as which of its conditions from the left.
        of: Option<(u32, u32)>,
    },
}

/// What begins at a mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Begins {
    /// The function.
    pub function: bool,
    /// A line, which is that of the mark.
    pub line: bool,
    /// A call of an error function; its name.
    pub error: Option<String>,
    /// A call of [`GOAL_FUNCTION`].
    pub goal: bool,
    /// A call of a function of the user's own; its name.
    pub call: Option<String>,
}

impl Begins {
    fn anything(&self) -> bool {
        *self != Begins::default()
    }
}

/// Marks a program; the marks in order.
pub fn mark(program: &mut Program) -> Vec<Mark> {
    let mut marks = Vec::new();
    let decisions = Conditions::new(program);
    for p in 0..program.procedures.len() {
        let procedure = &program.procedures[p];
        if procedure.c_name.is_empty() || !program.is_own(procedure.span) {
            continue;
        }
        let Some(mut body) = program.procedures[p].body.take() else {
            continue;
        };
        mark_body(program, ProcId::new(p), &mut body, &decisions, &mut marks);
        program.procedures[p].body = Some(body);
    }
    prova_ir::debug_validate(program, "mark");
    marks
}

/// The number of the mark at a location.
pub fn mark_at(body: &Body, location: LocId) -> Option<u32> {
    let label = body.location(location).label.as_deref()?;
    label.strip_prefix(LABEL)?.parse().ok()
}

/// Conditions of decisions by their position, where that is one condition's only.
struct Conditions(BTreeMap<Span, Option<(u32, u32)>>);

impl Conditions {
    fn new(program: &Program) -> Conditions {
        let mut found = BTreeMap::new();
        for (d, decision) in program.decisions.iter().enumerate() {
            for (c, span) in decision.conditions().into_iter().enumerate() {
                let of = (d as u32, c as u32);
                found
                    .entry(span)
                    .and_modify(|known| *known = None)
                    .or_insert(Some(of));
            }
        }
        Conditions(found)
    }

    fn at(&self, span: Span) -> Option<(u32, u32)> {
        self.0.get(&span).copied().flatten()
    }
}

fn mark_body(
    program: &Program,
    procedure: ProcId,
    body: &mut Body,
    conditions: &Conditions,
    marks: &mut Vec<Mark>,
) {
    let (outgoing, incoming) = (body.outgoing(), body.incoming());
    let locations = body.locations.len();
    let mut seen: BTreeSet<Span> = BTreeSet::new();
    for at in 0..locations {
        let at = LocId::new(at);
        let edges = &outgoing[at.index()];
        let Some(&first) = edges.first() else {
            continue;
        };
        let span = body.edge(first).span;
        let branches = edges.len() == 2;
        if branches {
            let own = edges.iter().all(|&e| program.is_own(body.edge(e).span));
            // Branches that the front end or a border made have no condition in the source.
            let chosen = incoming[at.index()].iter().any(|&e| chooses(body, e));
            let known = own && !chosen && !leads_nowhere(body, edges);
            for (n, &edge) in edges.iter().enumerate().filter(|_| known) {
                let span = body.edge(edge).span;
                let of = conditions.at(span).filter(|_| seen.insert(span) || n == 1);
                let what = What::Branch { holds: n == 0, of };
                behind(body, edge, number(marks));
                marks.push(Mark {
                    procedure,
                    span,
                    what,
                });
            }
        }
        let begins = begins(program, body, at, first, &incoming);
        if begins.anything() {
            before(body, at, edges, number(marks));
            marks.push(Mark {
                procedure,
                span: if span.is_known() {
                    span
                } else {
                    program.procedure(procedure).span
                },
                what: What::Begins(begins),
            });
        }
    }
}

fn number(marks: &[Mark]) -> String {
    format!("{LABEL}{}", marks.len())
}

/// Whether an edge lets the implementation choose: the branch behind it is none of the program's.
fn chooses(body: &Body, edge: EdgeId) -> bool {
    let statement = &body.edge(edge).statement;
    matches!(
        statement,
        Statement::Nondet {
            origin: Origin::Choice(_),
            ..
        }
    )
}

/// Whether a branch only leads to a place where nothing is known: it is none of the program's.
fn leads_nowhere(body: &Body, edges: &[EdgeId]) -> bool {
    let mut targets = edges.iter().map(|&e| body.edge(e).target);
    targets.any(|t| body.error_at(t).is_some_and(|e| e.property == UNMODELLED))
}

/// What begins at a location.
fn begins(
    program: &Program,
    body: &Body,
    at: LocId,
    first: EdgeId,
    incoming: &[Vec<EdgeId>],
) -> Begins {
    let edge = body.edge(first);
    let mut begins = Begins {
        function: at == body.entry,
        ..Begins::default()
    };
    let place = |span: Span| (span.file, span.line);
    if program.is_own(edge.span) {
        let before = &incoming[at.index()];
        let inside = |e: &EdgeId| place(body.edge(*e).span) == place(edge.span);
        begins.line = at == body.entry || before.is_empty() || !before.iter().all(inside);
    }
    if let Statement::Call { callee, .. } = &edge.statement {
        let name = match callee {
            Callee::Direct(callee) => program.procedure(*callee).c_name.clone(),
            Callee::Indirect(_) => "*".to_owned(),
        };
        let own = match callee {
            Callee::Direct(callee) => program.is_own(program.procedure(*callee).span),
            Callee::Indirect(_) => true,
        };
        if name == GOAL_FUNCTION {
            begins.goal = true;
        } else if crate::unreach::ALWAYS_ERRORS.contains(&name.as_str()) {
            begins.error = Some(name);
        } else if own && program.is_own(edge.span) {
            begins.call = Some(name);
        }
    }
    begins
}

/// Puts a marked location before everything that leaves a location.
fn before(body: &mut Body, at: LocId, edges: &[EdgeId], label: String) {
    let span = body.edge(edges[0]).span;
    let (mark, next) = (body.add_location(span), body.add_location(span));
    body.locations[mark.index()].label = Some(label);
    for &edge in edges {
        body.edges[edge.index()].source = next;
    }
    body.add_edge(at, mark, Statement::Skip, span);
    body.add_edge(mark, next, Statement::Skip, span);
}

/// Puts a marked location behind an edge.
fn behind(body: &mut Body, edge: EdgeId, label: String) {
    let span = body.edge(edge).span;
    let mark = body.add_location(span);
    body.locations[mark.index()].label = Some(label);
    let target = std::mem::replace(&mut body.edges[edge.index()].target, mark);
    body.add_edge(mark, target, Statement::Skip, span);
}

/// Whether a decision is as simple as a condition.
pub fn is_single(tree: &Junction) -> bool {
    match tree {
        Junction::Condition(_) => true,
        Junction::Not(inner) => is_single(inner),
        Junction::And(_) | Junction::Or(_) => false,
    }
}
