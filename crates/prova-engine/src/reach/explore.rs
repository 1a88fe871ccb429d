//! Exploration: every step of every state that no other covers, until an error is reached or
//! nothing new is found.
//!
//! The worklist holds parts of nodes: some of the blocks that leave a cutpoint. So an exploration
//! can be paused at any block, and single steps can be taken again after a refinement. Paused and
//! resumed it builds the graph that it would have built in one go.

use super::domain::{Domain, Index, Merged, Post};
use super::flow::Flow;
use super::graph::{Graph, NodeId, Step};
use crate::problem::blocks::Cutpoint;
use prova_logic::Terms;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

/// How to explore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// Which node comes next.
    pub order: Order,
    /// Whether reaching an error ends it; else errors are cutpoints like others.
    pub ends_at_errors: bool,
    /// Joins at a loop's head before the next one widens, for domains that join.
    pub patience: u32,
}

/// Which node comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The oldest: errors are reached on shortest paths.
    BreadthFirst,
    /// The first in reverse postorder: what joins there has mostly arrived.
    ReversePostorder,
}

impl Manner {
    /// Looks for an error, on a shortest path.
    pub const SEARCH: Manner = Manner {
        order: Order::BreadthFirst,
        ends_at_errors: true,
        patience: 0,
    };

    /// Goes for all that can be reached, widening after so many joins.
    pub const fn fixed_point(patience: u32) -> Manner {
        Manner {
            order: Order::ReversePostorder,
            ends_at_errors: false,
            patience,
        }
    }
}

/// How an exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// This step leads to an error, as far as the states tell. It is still to be taken: who goes on
    /// without a change finds it again.
    Error(Step),
    /// All states were found and none is an error.
    Closed,
    /// As before, but this step cannot but trap: what such a run does then is not known.
    Trapped(Step),
    /// Told to stop.
    Limit,
}

/// One exploration.
pub struct Exploration<S, I> {
    /// What was found so far.
    pub graph: Graph<S, I>,
    /// Block steps taken.
    pub steps: u64,
    manner: Manner,
    work: Work,
    /// The part that a pause interrupted.
    current: Option<Part>,
    traps: Vec<Step>,
    /// Joins, by node.
    joins: Vec<u32>,
}

impl<S, I: Index<S>> Exploration<S, I> {
    /// Stands at the start, with this state.
    pub fn new(flow: &Flow, manner: Manner, initial: S) -> Self {
        let mut this = Exploration {
            graph: Graph::new(flow.outgoing.len()),
            steps: 0,
            manner,
            work: Work::new(manner.order),
            current: None,
            traps: Vec::new(),
            joins: Vec::new(),
        };
        let start = this.graph.add(Cutpoint::START, initial, None, |_, _| false);
        this.enqueue(flow, start);
        this
    }

    /// Goes on until something is found, or `stop` says so, which is asked before each step with
    /// the number of steps; then it may go on again.
    pub fn go_on<D: Domain<State = S, Index = I>>(
        &mut self,
        terms: &mut Terms,
        flow: &Flow,
        domain: &mut D,
        mut stop: impl FnMut(u64, &D) -> bool,
    ) -> Found {
        while let Some(mut part) = self.current.take().or_else(|| self.work.next()) {
            let from = part.node;
            let Some(node) = self.graph.get(from) else {
                continue;
            };
            let here = node.cutpoint;
            let mut opened = domain.open(terms, &node.state);
            while let Some(position) = part.blocks.next() {
                let block = flow.outgoing[here.index()][position];
                let step = (from, block);
                // A step that was not taken to its end stays in the part.
                let paused = Part {
                    node: from,
                    blocks: position..part.blocks.end,
                };
                if stop(self.steps + 1, domain) {
                    self.current = Some(paused);
                    return Found::Limit;
                }
                self.steps += 1;
                let states = match domain.post(terms, &self.graph[from].state, &mut opened, block) {
                    Post::Impossible => continue,
                    Post::Trap => {
                        self.traps.push(step);
                        continue;
                    }
                    Post::To(states) => states,
                };
                self.graph.taken.insert(block);
                let ends = self.manner.ends_at_errors && flow.is_error(flow.target(block));
                if ends && !states.is_empty() {
                    self.current = Some(paused);
                    return Found::Error(step);
                }
                for state in states {
                    let grown = self.arrive(terms, flow, domain, step, state);
                    if grown == Some(from) {
                        opened = domain.open(terms, &self.graph[from].state);
                    }
                }
            }
        }
        match self.traps.first() {
            Some(&step) => Found::Trapped(step),
            None => Found::Closed,
        }
    }

    /// Takes in a state behind a step. Gives the node that grew, if one did.
    fn arrive<D: Domain<State = S, Index = I>>(
        &mut self,
        terms: &mut Terms,
        flow: &Flow,
        domain: &mut D,
        step: Step,
        state: S,
    ) -> Option<NodeId> {
        let target = flow.target(step.1);
        if D::JOINS {
            let head = flow.is_head(target);
            self.joins.resize(self.graph.next().index(), 0);
            for i in 0..self.graph.at(target).len() {
                let node = self.graph.at(target)[i];
                let old = &self.graph[node].state;
                let widens = head && self.joins[node.index()] >= self.manner.patience;
                let merged = match widens {
                    true => domain.widen(terms, old, &state),
                    false => domain.join(terms, old, &state),
                };
                if let Merged::Apart = merged {
                    continue;
                }
                self.joins[node.index()] += u32::from(head);
                self.graph.lead(step, node);
                let Merged::Grown(state) = merged else {
                    return None;
                };
                self.graph.restate(node, state);
                self.traps.retain(|t| t.0 != node);
                self.enqueue(flow, node);
                return Some(node);
            }
        }
        let new = self.graph.next();
        let covers = |old: &S, state: &S| domain.covers(terms, old, state);
        let node = self.graph.add(target, state, Some(step), covers);
        self.graph.lead(step, node);
        if node == new {
            self.enqueue(flow, node);
        }
        None
    }

    fn enqueue(&mut self, flow: &Flow, node: NodeId) {
        let cutpoint = self.graph[node].cutpoint;
        let blocks = 0..flow.outgoing[cutpoint.index()].len();
        self.work
            .add(flow.position(cutpoint), Part { node, blocks });
    }

    /// Takes away a node and all that was reached through it, and takes the steps that led there
    /// again when it goes on.
    pub fn cut(&mut self, flow: &Flow, node: NodeId) {
        let again = self.graph.cut(node);
        let graph = &self.graph;
        self.traps.retain(|t| graph.get(t.0).is_some());
        self.again(flow, again);
    }

    /// Gives a node a smaller state. The steps that led there are taken again: what the new state
    /// covers stays with the node, the rest becomes new nodes.
    pub fn restate(&mut self, flow: &Flow, node: NodeId, state: S) {
        assert!(self.graph[node].parent.is_some(), "the start stays");
        self.graph.restate(node, state);
        let again = self.graph.uncover(node);
        self.again(flow, again);
    }

    fn again(&mut self, flow: &Flow, steps: Vec<Step>) {
        for (node, block) in steps {
            let cutpoint = flow.source(block);
            let mut blocks = flow.outgoing[cutpoint.index()].iter();
            let position = blocks.position(|&b| b == block).expect("it leaves there");
            let blocks = position..position + 1;
            self.work
                .add(flow.position(cutpoint), Part { node, blocks });
        }
    }

    /// Computes every cutpoint again from those before it, for domains that keep one state a
    /// cutpoint: what widening gave away comes back. Each round's states hold all that can be
    /// reached, if those before it did.
    pub fn narrow<D: Domain<State = S, Index = I>>(
        &mut self,
        terms: &mut Terms,
        flow: &Flow,
        domain: &mut D,
    ) {
        'cutpoints: for &cutpoint in &flow.order {
            let &[node] = self.graph.at(cutpoint) else {
                continue;
            };
            let mut again: Option<S> = None;
            for &block in &flow.incoming[cutpoint.index()] {
                for &before in self.graph.at(flow.source(block)) {
                    let state = &self.graph[before].state;
                    let mut opened = domain.open(terms, state);
                    let Post::To(states) = domain.post(terms, state, &mut opened, block) else {
                        continue;
                    };
                    for state in states {
                        let Some(old) = again.take() else {
                            again = Some(state);
                            continue;
                        };
                        again = Some(match domain.join(terms, &old, &state) {
                            Merged::Grown(both) => both,
                            Merged::Covered => old,
                            Merged::Apart => continue 'cutpoints,
                        });
                    }
                }
            }
            if let Some(state) = again {
                self.graph.restate(node, state);
            }
        }
    }
}

/// Some of the blocks that leave a node's cutpoint.
#[derive(Clone, Debug)]
struct Part {
    node: NodeId,
    blocks: Range<usize>,
}

/// What is still to be done.
enum Work {
    Queue(VecDeque<Part>),
    /// By the cutpoint's place in the order.
    Sorted(BTreeMap<(u32, NodeId), Range<usize>>),
}

impl Work {
    fn new(order: Order) -> Work {
        match order {
            Order::BreadthFirst => Work::Queue(VecDeque::new()),
            Order::ReversePostorder => Work::Sorted(BTreeMap::new()),
        }
    }

    fn add(&mut self, position: u32, part: Part) {
        match self {
            Work::Queue(queue) => queue.push_back(part),
            Work::Sorted(map) => {
                let waiting = map
                    .entry((position, part.node))
                    .or_insert(part.blocks.clone());
                waiting.start = waiting.start.min(part.blocks.start);
                waiting.end = waiting.end.max(part.blocks.end);
            }
        }
    }

    fn next(&mut self) -> Option<Part> {
        match self {
            Work::Queue(queue) => queue.pop_front(),
            Work::Sorted(map) => map
                .pop_first()
                .map(|((_, node), blocks)| Part { node, blocks }),
        }
    }
}
