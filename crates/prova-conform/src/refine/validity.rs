//! Whether some run plays a strategy: the paper's `VerCon` (Figure 10), one conjunction for the
//! whole tree.
//!
//! The paper goes bottom-up by weakest preconditions; here the tree is walked top-down, with what is
//! read on the way given new names. Both make the same conjunction at the root. What a node reads is
//! read once for all that comes behind it, and branches below read for themselves: the component
//! plays on from *one* state whatever the specification answers.

use crate::game::Strategy;
use crate::model::block_of;
use crate::model::program::Component;
use prova_engine::problem::walk::Walk;
use prova_engine::testing::forest::Real;
use prova_exec::transfer::{Access, Input};
use prova_ir::EdgeId;
use prova_logic::{Answer, Limit, Solver, Term, Terms};
use rustc_hash::FxHashSet;

/// What became of a strategy.
pub enum Judged {
    /// It can be played: for each of its leaves the run that leads there.
    Valid(Vec<(usize, Real)>),
    /// It cannot: the conditions that exclude each other, with the nodes whose blocks demand them.
    Spurious(Vec<(usize, Term)>),
    /// Nobody knows.
    Undecided(String),
}

/// A condition that a node's block demands, as the program says it and over what was read.
struct Condition {
    node: usize,
    term: Term,
    value: Term,
}

/// The deterministic limit of the question.
const RESOURCE: u64 = 40_000_000;

/// Asks whether a run plays a strategy.
pub fn judge(
    component: &Component,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    strategy: &Strategy,
) -> Judged {
    let transitions = &component.steps.transitions;
    let mut conditions: Vec<Condition> = Vec::new();
    let mut accesses: Vec<Access> = Vec::new();
    // Where the walk stands behind each node, and what the node read.
    let mut stores: Vec<Option<Walk>> = Vec::with_capacity(strategy.nodes.len());
    let mut reads: Vec<Vec<Input>> = Vec::with_capacity(strategy.nodes.len());
    for (number, node) in strategy.nodes.iter().enumerate() {
        let mut walk = match node.parent {
            None => Walk::default(),
            // The last child takes what its siblings copied.
            Some(p) if strategy.nodes[p].children.last() == Some(&number) => {
                stores[p].take().unwrap_or_default()
            }
            Some(p) => stores[p].as_ref().map(Walk::fork).unwrap_or_default(),
        };
        let block = block_of(node.step);
        reads.push(walk.enter(terms, transitions, block));
        let transfer = &transitions.get(block).transfer;
        for &guard in &transfer.guard {
            for term in terms.conjuncts(guard) {
                let value = walk.term(terms, term);
                conditions.push(Condition {
                    node: number,
                    term,
                    value,
                });
            }
        }
        for access in &transfer.accesses {
            let address = walk.term(terms, access.address);
            accesses.push(Access { address, ..*access });
        }
        walk.leave(terms, transitions, block);
        stores.push(Some(walk));
    }
    let blamed = |is: &dyn Fn(&Condition) -> bool| {
        let all = conditions.iter().filter(|c| is(c));
        Judged::Spurious(all.map(|c| (c.node, c.term)).collect())
    };
    let no = terms.fals();
    if let Some(at) = conditions.iter().rposition(|c| c.value == no) {
        let (node, term) = (conditions[at].node, conditions[at].term);
        return Judged::Spurious(vec![(node, term)]);
    }
    let mut query: Vec<Term> = conditions.iter().map(|c| c.value).collect();
    let encoding = &component.problem.encoding;
    let apart = encoding.separation(terms, &accesses);
    let roots = [&query[..], &apart[..]].concat();
    let axioms = encoding.axioms(terms, &roots);
    let mut seen = FxHashSet::default();
    let assumptions: Vec<Term> = conditions
        .iter()
        .rev()
        .flat_map(|c| terms.conjuncts(c.value))
        .filter(|&t| terms.as_bool(t).is_none() && seen.insert(t))
        .collect();
    solver.set_limit(Limit {
        resource: Some(RESOURCE),
        time: None,
    });
    solver.set_minimal_cores(true);
    solver.push();
    for &t in &axioms {
        solver.assert(terms, t);
    }
    let judged = match solver.check(terms, &assumptions) {
        Answer::Unknown(why) => Judged::Undecided(why.to_string()),
        Answer::Unsat => {
            let core: FxHashSet<Term> = solver.core().into_iter().collect();
            blamed(&|c| terms.conjuncts(c.value).iter().any(|p| core.contains(p)))
        }
        Answer::Sat => {
            for &t in &apart {
                solver.assert(terms, t);
            }
            query.extend(&axioms);
            query.extend(&apart);
            match solver.check(terms, &assumptions) {
                Answer::Unsat => Judged::Undecided("only types keep it from being run".into()),
                Answer::Unknown(why) => Judged::Undecided(why.to_string()),
                Answer::Sat => match solver.model(terms, &terms.free_vars_of(&query)) {
                    Err(e) => Judged::Undecided(e.to_string()),
                    Ok(model) => {
                        let run = |leaf: usize| {
                            let path = strategy.path_to(leaf);
                            let edges: Vec<EdgeId> = path
                                .iter()
                                .flat_map(|&n| {
                                    let block = block_of(strategy.nodes[n].step);
                                    component.steps.blocks.block(block).edges.clone()
                                })
                                .collect();
                            let inputs = path[1..].iter().flat_map(|&n| reads[n].clone());
                            let real = Real {
                                model: model.clone(),
                                query: query.clone(),
                                start: reads[path[0]].clone(),
                                inputs: inputs.collect(),
                                edges,
                            };
                            (leaf, real)
                        };
                        Judged::Valid(strategy.leaves().map(run).collect())
                    }
                },
            }
        }
    };
    solver.pop(1);
    judged
}
