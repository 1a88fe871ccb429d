//! The component as a program of one procedure: every action ends a block, so that whoever answers
//! an action knows the state behind it and nothing of what comes.

use super::predicates::atoms;
use crate::lts::{ActionId, TAU};
use crate::unit::SHOWN;
use prova_engine::problem::blocks::{BlockId, Blocks, Cutpoint, Granularity};
use prova_engine::problem::live::live;
use prova_engine::problem::{Problem, Steps};
use prova_ir::{Body, Edge, Expr, LocId, Program, Span, Statement, UNMODELLED};
use prova_logic::{Term, Terms};
use prova_task::{Prepared, Unknown};
use rustc_hash::FxHashMap;

/// What is shown where nothing is modelled. No specification answers it: that it cannot happen is
/// part of every proof, and if it happens there is no verdict.
pub const OUTSIDE: ActionId = ActionId::MAX;

/// A component, ready to be abstracted.
pub struct Component<'p> {
    /// The problem it is.
    pub problem: &'p Problem,
    /// Cutpoints and blocks.
    pub steps: Steps,
    /// What each block shows.
    actions: Vec<ActionId>,
    /// Blocks out of each cutpoint.
    pub outgoing: Vec<Vec<BlockId>>,
    /// Blocks into each cutpoint.
    pub incoming: Vec<Vec<BlockId>>,
    /// Where each condition of a branch is asked.
    pub asked: FxHashMap<Term, Vec<Cutpoint>>,
}

impl<'p> Component<'p> {
    /// Cuts a prepared program.
    pub fn new(
        problem: &'p Problem,
        terms: &mut Terms,
        granularity: Granularity,
    ) -> Result<Component<'p>, Unknown> {
        let prepared = &problem.prepared;
        let body = prepared.body();
        let shown = |edge: &Edge| shown(&prepared.program, edge);
        let behind: Vec<LocId> = body
            .edges
            .iter()
            .filter(|e| shown(e).is_some())
            .map(|e| e.target)
            .collect();
        let blocks = Blocks::cut(body, granularity, &behind);
        let transitions = problem.encoding.transitions(terms, &blocks)?;
        let actions = blocks
            .blocks
            .iter()
            .map(|block| {
                let marked = block.edges.iter().any(|&e| prepared.marker_on(e).is_some());
                if marked || is_outside(body, blocks.locations[block.target.index()]) {
                    return OUTSIDE;
                }
                let last = block.edges.last().map(|&e| body.edge(e));
                last.and_then(shown).unwrap_or(TAU)
            })
            .collect();
        let component = blocks.components();
        let steps = Steps {
            live: live(terms, &transitions, &blocks),
            in_loop: blocks.in_loops(&component),
            component,
            blocks,
            transitions,
        };
        let mut asked: FxHashMap<Term, Vec<Cutpoint>> = FxHashMap::default();
        for (block, transition) in steps.transitions.all() {
            let source = steps.blocks.block(block).source;
            for &guard in &transition.transfer.guard {
                for atom in atoms(terms, guard) {
                    asked.entry(atom).or_default().push(source);
                }
            }
        }
        for places in asked.values_mut() {
            places.sort_unstable();
            places.dedup();
        }
        Ok(Component {
            problem,
            asked,
            outgoing: steps.blocks.outgoing(),
            incoming: steps.blocks.incoming(),
            steps,
            actions,
        })
    }

    /// What a block shows.
    pub fn action(&self, block: BlockId) -> ActionId {
        self.actions[block.index()]
    }

    /// What is not modelled on a block, if anything.
    pub fn outside(&self, block: BlockId) -> Option<String> {
        let prepared: &Prepared = &self.problem.prepared;
        let block = self.steps.blocks.block(block);
        let mut edges = block.edges.iter();
        let marker = edges.find_map(|&e| prepared.marker_on(e)).map(|m| m.0);
        let location = self.steps.blocks.locations[block.target.index()];
        let error = location.and_then(|l| prepared.body().error_at(l));
        marker.or(error.map(|e| e.message.clone()))
    }

    /// Where a block shows its action, for people: the component's own call that led there.
    pub fn shown_at(&self, block: BlockId) -> String {
        let prepared = &self.problem.prepared;
        let (program, body) = (&prepared.program, prepared.body());
        let Some(&edge) = self.steps.blocks.block(block).edges.last() else {
            return "the start".into();
        };
        let own = |span: &Span| {
            let file = program.files.get(span.file.index());
            let ours = file.is_some_and(|f| f.name.ends_with("conform.c"));
            program.is_own(*span) && !ours
        };
        let source = body.edge(edge).source;
        let calls = prepared.call_path(source);
        let call = calls.iter().rev().find_map(|c| c.1.filter(own));
        // What only leads to the call was simplified away: then the place is that of the call.
        let here = Some(body.location(source).span).filter(own);
        let call = here.or(call);
        match call {
            Some(span) => prova_evidence::place(program, span),
            None => "at its end".into(),
        }
    }

    /// Where a cutpoint is, for people.
    pub fn place(&self, cutpoint: Cutpoint) -> String {
        let Some(location) = self.steps.blocks.locations[cutpoint.index()] else {
            return "the start".into();
        };
        let prepared = &self.problem.prepared;
        let span = prepared.body().location(location).span;
        prova_evidence::place(&prepared.program, span)
    }
}

/// Whether nothing is known of what happens at a location.
fn is_outside(body: &Body, location: Option<LocId>) -> bool {
    let error = location.and_then(|l| body.error_at(l));
    error.is_some_and(|e| e.property == UNMODELLED)
}

/// The action that an edge shows, if it is one.
pub fn shown(program: &Program, edge: &Edge) -> Option<ActionId> {
    let Statement::Assign { target, value } = edge.statement else {
        return None;
    };
    if program.register(target).c_name != SHOWN {
        return None;
    }
    match program.exprs.get(value) {
        Expr::Int { value, .. } => Some(value as ActionId),
        _ => None,
    }
}
