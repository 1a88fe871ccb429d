//! Labelled transition systems (Chaki, Clarke, Jha, Veith, *An Iterative Framework for Simulation
//! Conformance*, §3): states, actions, moves, and a state without moves that every return leads to.
//!
//! | file | what it holds |
//! |---|---|
//! | [`syntax`], [`read`], [`expand`] | files with machines and abstractions of procedures |
//! | [`reduce`] | smaller machines that simulate and are simulated: documentation |
//! | [`subsets`] | the deterministic machine with the same traces |
//! | [`draw`] | text, and pictures: Graphviz and SVG |
//! | [`rule`] | deterministic machines as rules for interfaces |
//! | [`client`](mod@client) | rules for interfaces as machines |

pub mod client;
pub mod draw;
pub mod expand;
pub mod read;
pub mod reduce;
pub mod rule;
pub mod subsets;
pub mod syntax;

use std::collections::BTreeMap;

/// What a system shows when it moves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Nothing: τ.
    Tau,
    /// Something with a name.
    Basic(String),
    /// The procedure returns.
    Return(Value),
    /// The procedure was entered where the guard with this number holds. Nobody writes it: it lets
    /// several guarded machines be one.
    Enter(usize),
}

/// What a procedure returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// Nothing.
    Void,
    /// A number.
    Int(i128),
    /// A number that no machine names.
    Other,
    /// Whatever it is. Only what is specified says so; what happens is one of the others.
    Any,
}

impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Action::Tau => f.write_str("tau"),
            Action::Basic(name) => f.write_str(name),
            Action::Return(Value::Void) => f.write_str("return void"),
            Action::Return(Value::Int(n)) => write!(f, "return {n}"),
            Action::Return(Value::Other) => f.write_str("return other"),
            Action::Return(Value::Any) => f.write_str("return any"),
            Action::Enter(n) => write!(f, "entered where guard {} holds", n + 1),
        }
    }
}

/// The number of an action; zero is τ.
pub type ActionId = u32;
/// The number of a state.
pub type StateId = u32;

/// τ.
pub const TAU: ActionId = 0;

/// Actions by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alphabet {
    actions: Vec<Action>,
    numbers: BTreeMap<Action, ActionId>,
}

impl Default for Alphabet {
    fn default() -> Self {
        Alphabet {
            actions: vec![Action::Tau],
            numbers: BTreeMap::from([(Action::Tau, TAU)]),
        }
    }
}

impl Alphabet {
    /// The number of an action, a new one if there is none.
    pub fn number(&mut self, action: &Action) -> ActionId {
        if let Some(&known) = self.numbers.get(action) {
            return known;
        }
        let number = self.actions.len() as ActionId;
        self.actions.push(action.clone());
        self.numbers.insert(action.clone(), number);
        number
    }

    /// The number of an action, if it has one.
    pub fn find(&self, action: &Action) -> Option<ActionId> {
        self.numbers.get(action).copied()
    }

    /// An action by its number.
    pub fn action(&self, number: ActionId) -> &Action {
        &self.actions[number as usize]
    }

    /// All actions with their numbers.
    pub fn all(&self) -> impl Iterator<Item = (ActionId, &Action)> {
        self.actions
            .iter()
            .enumerate()
            .map(|(i, a)| (i as ActionId, a))
    }

    /// How many there are, τ included.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Whether there is none; there is always τ.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }
}

/// A labelled transition system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lts {
    /// Names of the states.
    pub states: Vec<String>,
    /// Where it starts.
    pub initial: StateId,
    /// Moves of each state: what is shown, and where it leads.
    pub moves: Vec<Vec<(ActionId, StateId)>>,
}

impl Lts {
    /// Adds a state.
    pub fn state(&mut self, name: impl Into<String>) -> StateId {
        self.states.push(name.into());
        self.moves.push(Vec::new());
        self.states.len() as StateId - 1
    }

    /// Adds a move, unless it is there.
    pub fn add(&mut self, from: StateId, action: ActionId, to: StateId) {
        let moves = &mut self.moves[from as usize];
        if !moves.contains(&(action, to)) {
            moves.push((action, to));
        }
    }

    /// The states that an action leads to.
    pub fn successors(
        &self,
        state: StateId,
        action: ActionId,
    ) -> impl Iterator<Item = StateId> + '_ {
        let moves = self.moves[state as usize].iter();
        moves.filter(move |m| m.0 == action).map(|m| m.1)
    }

    /// How many moves there are.
    pub fn size(&self) -> usize {
        self.moves.iter().map(Vec::len).sum()
    }

    /// The states that can be reached by moves with these actions.
    pub fn reach(&self, from: StateId, silent: impl Fn(ActionId) -> bool) -> Vec<StateId> {
        let mut seen = vec![false; self.states.len()];
        seen[from as usize] = true;
        let (mut found, mut at) = (vec![from], 0);
        while at < found.len() {
            for &(action, to) in &self.moves[found[at] as usize] {
                if silent(action) && !std::mem::replace(&mut seen[to as usize], true) {
                    found.push(to);
                }
            }
            at += 1;
        }
        found
    }

    /// What a specification may do: it can stay where it is whenever the implementation shows
    /// nothing (the paper's stuttering, §1), and take τ moves of its own before it answers, so that
    /// no answer depends on how many silent steps an implementation takes.
    ///
    /// It need not move in silence before it has to answer: what it could do behind a silent move
    /// it can do before it. So there is one response to τ, and strategies do not branch there.
    pub fn stuttering(&self) -> Lts {
        let mut closed = Lts {
            states: self.states.clone(),
            initial: self.initial,
            moves: vec![Vec::new(); self.states.len()],
        };
        for from in 0..self.states.len() as StateId {
            closed.add(from, TAU, from);
            for before in self.reach(from, |a| a == TAU) {
                for &(action, to) in &self.moves[before as usize] {
                    if action != TAU {
                        closed.add(from, action, to);
                    }
                }
            }
        }
        closed
    }

    /// Whether no state leaves open what an action leads to; τ leads on only to where it starts.
    pub fn is_deterministic(&self) -> bool {
        self.moves.iter().enumerate().all(|(from, moves)| {
            let loose = |&(action, to): &(ActionId, StateId)| {
                let other = moves.iter().any(|&(a, t)| a == action && t != to);
                other || (action == TAU && to as usize != from)
            };
            !moves.iter().any(loose)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_specification_may_move_silently_before_its_answer() {
        let mut alphabet = Alphabet::default();
        let a = alphabet.number(&Action::Basic("a".into()));
        let mut lts = Lts::default();
        let s: Vec<StateId> = (0..4).map(|i| lts.state(format!("s{i}"))).collect();
        lts.add(s[0], TAU, s[1]);
        lts.add(s[1], a, s[2]);
        lts.add(s[2], TAU, s[3]);
        let closed = lts.stuttering();
        let answers: Vec<StateId> = closed.successors(s[0], a).collect();
        assert_eq!(answers, [s[2]]);
        let stays: Vec<StateId> = closed.successors(s[0], TAU).collect();
        assert_eq!(stays, [s[0]]);
        assert!(!lts.is_deterministic());
    }
}
