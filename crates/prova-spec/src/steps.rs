//! Putting steps before and behind the edges of a body: assignments of ghost state, and checks
//! that branch to error locations.

use prova_ir::{Body, EdgeId, ErrorLocation, ExprId, ExprPool, LocId, Span, Statement};

/// Something that is put into a body.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A statement.
    Do(Statement),
    /// Where the condition does not hold, a property is broken.
    Check(Check),
}

/// A condition that must hold.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    /// The condition.
    pub ok: ExprId,
    /// The property.
    pub property: &'static str,
    /// What happened where it does not hold.
    pub message: String,
}

/// What is put into one body.
#[derive(Default)]
pub(crate) struct Insertions {
    /// Before whatever leaves a location, by location.
    before: Vec<Vec<Step>>,
    /// Behind an edge, by edge.
    behind: Vec<Vec<Step>>,
    /// Before the exit.
    leaving: Vec<Step>,
    /// When the program starts, before everything else.
    starting: Vec<Step>,
    /// When the procedure is entered.
    entering: Vec<Step>,
}

impl Insertions {
    /// Nothing yet, for a body.
    pub fn new(body: &Body) -> Self {
        Insertions {
            before: vec![Vec::new(); body.locations.len()],
            behind: vec![Vec::new(); body.edges.len()],
            leaving: Vec::new(),
            starting: Vec::new(),
            entering: Vec::new(),
        }
    }

    /// Puts a step before everything that leaves a location, behind earlier such steps.
    pub fn before(&mut self, location: LocId, step: Step) {
        self.before[location.index()].push(step);
    }

    /// Puts a step behind an edge.
    pub fn behind(&mut self, edge: EdgeId, step: Step) {
        self.behind[edge.index()].push(step);
    }

    /// Puts a step before the exit.
    pub fn leaving(&mut self, step: Step) {
        self.leaving.push(step);
    }

    /// Puts a step behind the entry.
    pub fn entering(&mut self, step: Step) {
        self.entering.push(step);
    }

    /// Puts a step behind the entry, before those of [`Insertions::entering`].
    pub fn starting(&mut self, step: Step) {
        self.starting.push(step);
    }

    /// Puts all steps in.
    pub fn apply(self, pool: &mut ExprPool, body: &mut Body) {
        let outgoing = body.outgoing();
        let edges = body.edges.len();
        for (edge, steps) in self.behind.into_iter().enumerate() {
            if steps.is_empty() {
                continue;
            }
            let (target, span) = (body.edges[edge].target, body.edges[edge].span);
            let start = body.add_location(span);
            body.edges[edge].target = start;
            let last = chain(pool, body, start, steps, span);
            body.add_edge(last, target, Statement::Skip, span);
        }
        if !self.leaving.is_empty() {
            let exit = body.exit;
            let span = body.location(exit).span;
            let start = body.add_location(span);
            for edge in &mut body.edges {
                if edge.target == exit {
                    edge.target = start;
                }
            }
            if body.entry == exit {
                body.entry = start;
            }
            let last = chain(pool, body, start, self.leaving, span);
            body.add_edge(last, exit, Statement::Skip, span);
        }
        let mut first = self.starting;
        first.extend(self.entering);
        if !first.is_empty() {
            let (entry, span) = (body.entry, body.location(body.entry).span);
            let start = body.add_location(span);
            let last = chain(pool, body, start, first, span);
            body.add_edge(last, entry, Statement::Skip, span);
            body.entry = start;
        }
        for (location, steps) in self.before.into_iter().enumerate() {
            let Some(&first) = outgoing[location].first().filter(|_| !steps.is_empty()) else {
                continue;
            };
            debug_assert!(first.index() < edges);
            let span = body.edge(first).span;
            let end = chain(pool, body, LocId::new(location), steps, span);
            for &edge in &outgoing[location] {
                body.edges[edge.index()].source = end;
            }
        }
    }
}

/// Steps one behind the other from a location that has no edges of its own (yet); gives where
/// they end.
fn chain(
    pool: &mut ExprPool,
    body: &mut Body,
    mut at: LocId,
    steps: Vec<Step>,
    span: Span,
) -> LocId {
    for step in steps {
        match step {
            Step::Do(statement) => {
                let next = body.add_location(span);
                body.add_edge(at, next, statement, span);
                at = next;
            }
            Step::Check(check) => at = branch(pool, body, at, check, span),
        }
    }
    at
}

/// A branch to an error location; gives where the other way leads.
fn branch(pool: &mut ExprPool, body: &mut Body, at: LocId, check: Check, span: Span) -> LocId {
    let next = body.add_location(span);
    let error = body.add_location(span);
    let not = pool.not(check.ok);
    body.add_edge(at, next, Statement::Assume(check.ok), span);
    body.add_edge(at, error, Statement::Assume(not), span);
    body.errors.push(ErrorLocation {
        location: error,
        property: check.property.to_owned(),
        message: check.message,
    });
    next
}
