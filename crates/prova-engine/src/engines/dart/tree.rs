//! All paths of a program, as a proof.
//!
//! The prefixes of the paths that were run are a tree of blocks. Backwards through it, each node gets
//! the states that must not be there: those that take a block no run took, and those that take a block
//! to a state that must not be at the child. What is left is what holds at the node, without
//! quantifiers, and a case at its place; nodes that say the same are one case. Every step out of a case
//! leads into the case of a child, by construction; that no run begins outside is what having run all
//! paths showed. None of this is believed: [`crate::proof::inductive`] asks about every step.
//!
//! Places from which no error can be reached say nothing, so that branches without consequence do not
//! matter.

use crate::problem::blocks::{BlockId, Cutpoint};
use crate::problem::project::project;
use crate::problem::Steps;
use crate::proof::inductive::Cases;
use prova_exec::Run;
use prova_ir::EdgeId;
use prova_logic::{Term, Terms};
use std::collections::BTreeMap;

/// More prefixes than this make no proof that anybody would want to check.
const MOST_NODES: usize = 20_000;
/// The same for cases at one place.
const MOST_CASES: usize = 400;

/// A prefix.
struct Node {
    cutpoint: Cutpoint,
    children: BTreeMap<BlockId, usize>,
}

/// The prefixes of some runs; children stand behind their parents.
pub(super) struct Tree(Vec<Node>);

impl Tree {
    /// Before the program.
    pub(super) fn new() -> Tree {
        Tree(vec![Node {
            cutpoint: Cutpoint::START,
            children: BTreeMap::new(),
        }])
    }

    /// Adds the prefixes of a run; `false` if there are too many, or it left the blocks.
    pub(super) fn insert(&mut self, steps: &Steps, run: &Run) -> bool {
        let blocks = &steps.blocks;
        let outgoing = blocks.outgoing();
        let mut at = self.child(steps, 0, BlockId(0));
        let mut edges: Vec<EdgeId> = Vec::new();
        for (_, place) in run.path() {
            let Some(edge) = place.edge else { continue };
            edges.push(edge);
            let here = &outgoing[self.0[at].cutpoint.index()];
            if let Some(&block) = here.iter().find(|&&b| blocks.block(b).edges == edges) {
                at = self.child(steps, at, block);
                edges.clear();
            }
            if self.0.len() > MOST_NODES {
                return false;
            }
        }
        // A run may end inside a block, by an assumption; then no run passes it.
        let here = &outgoing[self.0[at].cutpoint.index()];
        edges.is_empty()
            || here
                .iter()
                .any(|&b| blocks.block(b).edges.starts_with(&edges))
    }

    fn child(&mut self, steps: &Steps, parent: usize, block: BlockId) -> usize {
        if let Some(&child) = self.0[parent].children.get(&block) {
            return child;
        }
        self.0.push(Node {
            cutpoint: steps.blocks.block(block).target,
            children: BTreeMap::new(),
        });
        let child = self.0.len() - 1;
        self.0[parent].children.insert(block, child);
        child
    }

    /// What holds at each cutpoint; `None` if that is too much. Where a block reads inputs,
    /// `impossible` is asked first whether conditions exclude each other, whatever is read: to
    /// project them one by one may forget that.
    pub(super) fn cases(
        &self,
        steps: &Steps,
        terms: &mut Terms,
        mut impossible: impl FnMut(&mut Terms, Vec<Term>) -> bool,
    ) -> Option<Cases> {
        let blocks = &steps.blocks;
        let outgoing = blocks.outgoing();
        let matters = matters(steps);
        let mut cases: Cases = vec![Vec::new(); blocks.locations.len()];
        for (index, case) in cases.iter_mut().enumerate() {
            if !matters[index] {
                case.push(Vec::new());
            }
        }
        let mut bad: Vec<Term> = vec![terms.fals(); self.0.len()];
        for (index, node) in self.0.iter().enumerate().rev() {
            if !matters[node.cutpoint.index()] {
                continue;
            }
            let mut ways: Vec<Term> = Vec::new();
            for &block in &outgoing[node.cutpoint.index()] {
                if matters[blocks.block(block).target.index()] {
                    let behind = node.children.get(&block).map(|&child| bad[child]);
                    ways.push(leads(terms, steps, block, behind, &mut impossible));
                }
            }
            bad[index] = terms.or(&ways);
            let holds = terms.not(bad[index]);
            let case = terms.conjuncts(holds);
            let here = &mut cases[node.cutpoint.index()];
            if !here.contains(&case) {
                here.push(case);
            }
            if here.len() > MOST_CASES {
                return None;
            }
        }
        Some(cases)
    }
}

/// The states that take a block to where `behind` holds, or to anywhere.
fn leads(
    terms: &mut Terms,
    steps: &Steps,
    block: BlockId,
    behind: Option<Term>,
    impossible: &mut dyn FnMut(&mut Terms, Vec<Term>) -> bool,
) -> Term {
    let facts: Vec<Term> = behind.into_iter().collect();
    if facts.contains(&terms.fals()) {
        return terms.fals();
    }
    let needed = steps.transitions.conjuncts(terms, block, &facts);
    let inputs = &steps.transitions.get(block).transfer.inputs;
    let inputs: Vec<Term> = inputs.iter().map(|i| i.var).collect();
    if !inputs.is_empty() && impossible(terms, needed.clone()) {
        return terms.fals();
    }
    let before = project(terms, &needed, &inputs);
    terms.and(&before)
}

/// The cutpoints from which an error can be reached, as far as the graph of the program tells.
fn matters(steps: &Steps) -> Vec<bool> {
    let blocks = &steps.blocks;
    let incoming = blocks.incoming();
    let mut found = vec![false; blocks.locations.len()];
    let mut work = blocks.errors.clone();
    for error in &work {
        found[error.index()] = true;
    }
    while let Some(at) = work.pop() {
        for &block in &incoming[at.index()] {
            let source = blocks.block(block).source;
            if !std::mem::replace(&mut found[source.index()], true) {
                work.push(source);
            }
        }
    }
    found
}
