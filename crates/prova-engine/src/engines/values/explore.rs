//! Reachability over abstract states: every step from every state that no other covers, until an
//! error is reached or nothing new is found. What is found then is closed under the program's
//! steps: a proof.

use super::ask::Asked;
use super::state::{abstracted, Cells, Precision, Reached, State};
use crate::problem::blocks::{BlockId, Cutpoint};
use crate::problem::Steps;
use prova_logic::{Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Conditions inside values that are told apart in one step.
const SPLITS: u32 = 4;

/// A state and how it was reached.
#[derive(Debug)]
pub struct Node {
    /// Where.
    pub cutpoint: Cutpoint,
    /// What is known.
    pub state: State,
    parent: Option<(u32, BlockId)>,
}

/// How an exploration ended.
#[derive(Debug)]
pub enum Found {
    /// These blocks lead to an error, as far as the states tell.
    Error(Vec<BlockId>),
    /// All states were found and none is an error.
    Closed,
    /// As before, but the last of these blocks cannot but trap in the state before it: what such
    /// a run does then is not known.
    Trapped(Vec<BlockId>),
    /// More steps than allowed.
    Limit,
}

/// One exploration.
pub struct Exploration {
    /// All states, covered ones aside.
    pub nodes: Vec<Node>,
    /// States by cutpoint.
    pub reached: Vec<Reached>,
    /// Block steps taken.
    pub steps: u64,
    /// The states that cover where a block leads from a state.
    pub successors: FxHashMap<(u32, BlockId), Vec<u32>>,
    /// Blocks that some state may take.
    pub taken: FxHashSet<BlockId>,
    cells: Cells,
    /// The variables kept at each cutpoint, in a fixed order.
    kept: Vec<Vec<Term>>,
    /// States whose steps have not been taken.
    queue: VecDeque<u32>,
    trapped: Option<(u32, BlockId)>,
}

impl Exploration {
    /// Stands at the start, with a precision.
    pub fn new(steps: &Steps, precision: &Precision) -> Exploration {
        let kept = |live: &FxHashSet<Term>| {
            let values = precision.values.iter().copied();
            let mut kept: Vec<Term> = values.filter(|v| live.contains(v)).collect();
            kept.sort_unstable();
            kept
        };
        let mut this = Exploration::empty(steps.blocks.locations.len());
        this.kept = steps.live.iter().map(kept).collect();
        this.nodes.push(Node {
            cutpoint: Cutpoint::START,
            state: State::default(),
            parent: None,
        });
        this.reached[Cutpoint::START.index()].add(&State::default(), 0);
        this.queue.push_back(0);
        this
    }

    fn empty(cutpoints: usize) -> Exploration {
        Exploration {
            nodes: Vec::new(),
            reached: (0..cutpoints).map(|_| Reached::default()).collect(),
            steps: 0,
            successors: FxHashMap::default(),
            taken: FxHashSet::default(),
            cells: Cells::default(),
            kept: Vec::new(),
            queue: VecDeque::new(),
            trapped: None,
        }
    }

    /// Goes on until something is found, or `stop` says so; then it may go on again.
    pub fn go_on(
        &mut self,
        terms: &mut Terms,
        steps: &Steps,
        outgoing: &[Vec<BlockId>],
        precision: &Precision,
        asked: &mut Asked,
        mut stop: impl FnMut(u64, u64) -> bool,
    ) -> Found {
        let this = self;
        let (transitions, blocks) = (&steps.transitions, &steps.blocks);
        while let Some(number) = this.queue.pop_front() {
            let here = this.nodes[number as usize].cutpoint;
            let mut substitution = this.nodes[number as usize].state.substitution(terms);
            for &block in &outgoing[here.index()] {
                this.steps += 1;
                if stop(this.steps, asked.cost) {
                    this.queue.push_front(number);
                    return Found::Limit;
                }
                let transfer = &transitions.get(block).transfer;
                let (guard, assumed) = (transfer.guard.clone(), transfer.assumed.clone());
                let mut literals = this.nodes[number as usize].state.literals.clone();
                let old = literals.len();
                let mut possible = true;
                let mut traps = false;
                for g in guard {
                    let t = terms.substitute(g, &mut substitution);
                    match terms.op(t) {
                        Op::True => continue,
                        Op::False if assumed.contains(&g) => possible = false,
                        Op::False => traps = true,
                        _ => {
                            for literal in terms.conjuncts(t) {
                                let negation = terms.not(literal);
                                possible &= !literals.contains(&negation);
                                if !literals.contains(&literal) {
                                    literals.push(literal);
                                }
                            }
                        }
                    }
                    if !possible {
                        break;
                    }
                }
                if !possible || asked.contradicts(terms, &literals, old) {
                    continue;
                }
                if traps {
                    this.trapped.get_or_insert((number, block));
                    continue;
                }
                this.taken.insert(block);
                let target = blocks.block(block).target;
                if blocks.errors.contains(&target) {
                    let path = this.path(number, block);
                    return Found::Error(path);
                }
                let transition = transitions.get(block);
                let values: Vec<(Term, Term)> = this.kept[target.index()]
                    .iter()
                    .map(|&v| (v, transition.update(v)))
                    .collect();
                let values: Vec<(Term, Term)> = values
                    .into_iter()
                    .map(|(v, value)| (v, terms.substitute(value, &mut substitution)))
                    .collect();
                // A value with a condition in it is two values, each where its condition holds.
                let known = literals.len();
                for (values, literals) in cases(terms, values, literals) {
                    if asked.contradicts(terms, &literals, known) {
                        continue;
                    }
                    let values = match precision.thorough() {
                        true => asked.settled(terms, values, &literals),
                        false => values,
                    };
                    let state = abstracted(terms, precision, &mut this.cells, &values, &literals);
                    let new = this.nodes.len() as u32;
                    let covering = this.reached[target.index()].add(&state, new);
                    let successors = this.successors.entry((number, block)).or_default();
                    if !successors.contains(&covering) {
                        successors.push(covering);
                    }
                    if covering == new {
                        this.nodes.push(Node {
                            cutpoint: target,
                            state,
                            parent: Some((number, block)),
                        });
                        this.queue.push_back(new);
                    }
                }
            }
        }
        match this.trapped {
            Some((number, block)) => Found::Trapped(this.path(number, block)),
            None => Found::Closed,
        }
    }

    /// The same graph with other states at its nodes; those that one covers become one.
    pub fn with_states(&self, cutpoints: usize, states: Vec<State>) -> Exploration {
        let mut this = Exploration::empty(cutpoints);
        this.steps = self.steps;
        this.taken = self.taken.clone();
        // Those that know least first: they cover the others.
        let mut order: Vec<usize> = (0..states.len()).collect();
        order.sort_by_key(|&n| states[n].entries.len() + states[n].literals.len());
        let mut renumbered = vec![0u32; states.len()];
        for n in order {
            let cutpoint = self.nodes[n].cutpoint;
            let new = this.nodes.len() as u32;
            let covering = this.reached[cutpoint.index()].add(&states[n], new);
            renumbered[n] = covering;
            if covering == new {
                this.nodes.push(Node {
                    cutpoint,
                    state: states[n].clone(),
                    parent: None,
                });
            }
        }
        let mut old: Vec<(&(u32, BlockId), &Vec<u32>)> = self.successors.iter().collect();
        old.sort_unstable_by_key(|e| e.0);
        for (&(number, block), successors) in old {
            let here = renumbered[number as usize];
            let slot = this.successors.entry((here, block)).or_default();
            for &successor in successors {
                let successor = renumbered[successor as usize];
                if !slot.contains(&successor) {
                    slot.push(successor);
                }
            }
        }
        this
    }

    /// The blocks from the start to a state and through one more.
    fn path(&self, number: u32, last: BlockId) -> Vec<BlockId> {
        let mut path = vec![last];
        let mut at = number;
        while let Some((parent, through)) = self.nodes[at as usize].parent {
            path.push(through);
            at = parent;
        }
        path.reverse();
        path
    }
}

/// New values of variables, and the literals under which they have them.
type Case = (Vec<(Term, Term)>, Vec<Term>);

/// Splits values that depend on a condition, at most [`SPLITS`] conditions deep.
fn cases(terms: &mut Terms, values: Vec<(Term, Term)>, literals: Vec<Term>) -> Vec<Case> {
    let mut done = Vec::new();
    let mut open = vec![(values, literals, 0)];
    while let Some((values, literals, depth)) = open.pop() {
        let choice = values
            .iter()
            .find(|(_, v)| terms.op(*v) == Op::Ite)
            .map(|&(_, v)| terms.children(v)[0]);
        let Some(condition) = choice.filter(|_| depth < SPLITS) else {
            done.push((values, literals));
            continue;
        };
        for (branch, literal) in [(1, condition), (2, terms.not(condition))] {
            let negation = terms.not(literal);
            if literals.contains(&negation) {
                continue;
            }
            let pick = |&(variable, value): &(Term, Term)| {
                let chosen = terms.op(value) == Op::Ite && terms.children(value)[0] == condition;
                (
                    variable,
                    if chosen {
                        terms.children(value)[branch]
                    } else {
                        value
                    },
                )
            };
            let values: Vec<(Term, Term)> = values.iter().map(pick).collect();
            let mut literals = literals.clone();
            for part in terms.conjuncts(literal) {
                if !literals.contains(&part) {
                    literals.push(part);
                }
            }
            open.push((values, literals, depth + 1));
        }
    }
    done
}
