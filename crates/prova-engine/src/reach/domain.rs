//! What an analysis says of itself: its states, what a block makes of them, when one covers
//! another, and how two become one.

use super::graph::NodeId;
use crate::problem::blocks::BlockId;
use prova_logic::Terms;

/// A forward analysis. Calls are resolved when the program is compiled: a domain costs no more
/// than a loop written for it.
pub trait Domain {
    /// What is known at a cutpoint.
    type State;

    /// What a state is turned into once, before all its steps are taken (a substitution, say).
    type Opened;

    /// Finds covering states; [`Scan`] if there is nothing faster.
    type Index: Index<Self::State>;

    /// Whether states at a cutpoint may become one. Then each that arrives is offered to those
    /// that are there, with [`join`](Self::join) or [`widen`](Self::widen).
    const JOINS: bool = false;

    /// What is known before the program starts.
    fn initial(&mut self, terms: &mut Terms) -> Self::State;

    /// Makes a state ready for its steps.
    fn open(&mut self, terms: &mut Terms, state: &Self::State) -> Self::Opened;

    /// The states behind a block. Whatever comes out of it is in one of them.
    fn post(
        &mut self,
        terms: &mut Terms,
        state: &Self::State,
        opened: &mut Self::Opened,
        block: BlockId,
    ) -> Post<Self::State>;

    /// Whether everything that the other state stands for is in this one.
    fn covers(&mut self, terms: &mut Terms, state: &Self::State, other: &Self::State) -> bool;

    /// A state that covers both.
    fn join(
        &mut self,
        _terms: &mut Terms,
        _old: &Self::State,
        _new: &Self::State,
    ) -> Merged<Self::State> {
        Merged::Apart
    }

    /// As [`join`](Self::join), such that every chain of them ends. The join itself will do where
    /// states can grow only so often.
    fn widen(
        &mut self,
        terms: &mut Terms,
        old: &Self::State,
        new: &Self::State,
    ) -> Merged<Self::State> {
        self.join(terms, old, new)
    }
}

/// What a block makes of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Post<S> {
    /// Nobody comes through.
    Impossible,
    /// Whoever takes it meets undefined behaviour: what happens then is not known.
    Trap,
    /// Who comes through is in one of these.
    To(Vec<S>),
}

/// What became of an old and a new state at a cutpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Merged<S> {
    /// They stay two.
    Apart,
    /// The old one holds the new one already.
    Covered,
    /// This one takes the place of the old one.
    Grown(S),
}

/// Finds, among the nodes at one cutpoint, one whose state covers another.
pub trait Index<S>: Default {
    /// Adds a node with its state unless a node that is there covers it; gives that one, and the
    /// node itself if it is new. `covers` tells whether a node's state covers this one.
    fn add(&mut self, state: &S, node: NodeId, covers: impl FnMut(NodeId) -> bool) -> NodeId;

    /// Takes a node out that was added with this state.
    fn remove(&mut self, state: &S, node: NodeId);
}

/// Asks one node after another.
#[derive(Clone, Debug, Default)]
pub struct Scan(Vec<NodeId>);

impl<S> Index<S> for Scan {
    fn add(&mut self, _state: &S, node: NodeId, mut covers: impl FnMut(NodeId) -> bool) -> NodeId {
        if let Some(&covering) = self.0.iter().find(|&&n| covers(n)) {
            return covering;
        }
        self.0.push(node);
        node
    }

    fn remove(&mut self, _state: &S, node: NodeId) {
        self.0.retain(|&n| n != node);
    }
}
