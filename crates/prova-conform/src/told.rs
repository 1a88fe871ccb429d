//! A strategy for people: at each node what the component does, how it came there, and why no answer
//! of the specification helps. The terminal shows it as lines, the page as a tree.

use crate::game::Strategy;
use crate::lts::{ActionId, Alphabet, Lts, StateId, TAU};
use crate::model::block_of;
use crate::model::program::{Component, OUTSIDE};
use prova_engine::problem::names::Names;
use prova_logic::Terms;
use std::fmt;

/// A challenge that people can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// How often the specification had a choice before.
    pub depth: usize,
    /// What the component shows.
    pub action: String,
    /// Where.
    pub place: String,
    /// Conditions of branches that it passed since it showed something, with their places.
    pub way: Vec<String>,
    /// Where the specification is.
    pub state: String,
    /// Where it may go by the same action; if there is nothing, it has lost.
    pub answers: Vec<String>,
    /// What it would have answered.
    pub allowed: Vec<String>,
}

/// Conditions that are told on the way to an action.
const CONDITIONS: usize = 8;

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} ({}): the specification", self.action, self.place)?;
        match self.answers.len() {
            0 if self.allowed.is_empty() => {
                write!(f, ", in `{}`, has no answer: it allows nothing", self.state)
            }
            0 => {
                let allowed = self.allowed.join(", ");
                write!(
                    f,
                    ", in `{}`, has no answer: it allows {allowed}",
                    self.state
                )
            }
            1 => write!(f, " is in `{}`", self.state),
            n => write!(f, ", in `{}`, has {n} answers; none helps", self.state),
        }
    }
}

/// The visible nodes of a strategy in the game with this specification, parents first.
pub fn told(
    component: &Component,
    terms: &Terms,
    alphabet: &Alphabet,
    played: &Lts,
    strategy: &Strategy,
) -> Vec<Told> {
    let names = Names {
        prepared: &component.problem.prepared,
        terms,
    };
    let shown = |action: ActionId| alphabet.action(action).to_string();
    let named = |state: StateId| {
        let name = played.states.get(state as usize);
        name.cloned().unwrap_or_default()
    };
    let mut found = Vec::new();
    let mut work: Vec<(usize, usize, Vec<String>)> = vec![(0, 0, Vec::new())];
    while let Some((number, depth, mut way)) = work.pop() {
        let node = &strategy.nodes[number];
        let block = block_of(node.step);
        let (source, action) = (component.steps.blocks.block(block).source, node.step.action);
        // Where there is one way only, nothing is decided.
        if component.outgoing[source.index()].len() > 1 {
            for &guard in component.steps.transitions.guard(block) {
                if terms.as_bool(guard).is_none() {
                    let condition = names.predicate(guard);
                    way.push(format!("{condition} at {}", component.place(source)));
                }
            }
        }
        let mut deeper = depth;
        if action != TAU && action != OUTSIDE {
            let here = node.position.specification;
            let mut answers: Vec<StateId> = played.successors(here, action).collect();
            answers.sort_unstable();
            answers.dedup();
            let others = played.moves[here as usize].iter().map(|m| m.0);
            let mut allowed: Vec<ActionId> = others.filter(|&a| a != TAU).collect();
            allowed.sort_unstable();
            allowed.dedup();
            let left = way.len().saturating_sub(CONDITIONS);
            found.push(Told {
                depth,
                action: shown(action),
                place: component.shown_at(block),
                way: way.split_off(left),
                state: named(here),
                answers: answers.into_iter().map(named).collect(),
                allowed: allowed.into_iter().map(shown).collect(),
            });
            way.clear();
            deeper += usize::from(node.children.len() > 1);
        }
        let children = node.children.iter().rev();
        work.extend(children.map(|&c| (c, deeper, way.clone())));
    }
    found
}
