//! Whether a model with some predicates can play a strategy: the paper's `CanPlay` (Figure 11). From
//! a state with a valuation the node's challenge must lead somewhere from where all that comes
//! behind it can be played, whatever the specification answers.
//!
//! Only the part of the model is made that the strategy passes.

use crate::game::Strategy;
use crate::model::images::{Images, Plans};
use crate::model::predicates::Predicates;
use crate::model::program::Component;
use crate::model::{block_of, Valuation};
use prova_logic::Terms;
use prova_task::Unknown;
use rustc_hash::FxHashMap;

/// Whether the model with these predicates can play the strategy.
pub fn can_play(
    component: &Component,
    terms: &mut Terms,
    images: &mut Images,
    predicates: &Predicates,
    strategy: &Strategy,
) -> Result<bool, Unknown> {
    let mut player = Player {
        component,
        terms,
        images,
        plans: Plans::new(component, predicates),
        strategy,
        known: FxHashMap::default(),
    };
    player.plays()
}

struct Player<'a, 'p> {
    component: &'a Component<'p>,
    terms: &'a mut Terms,
    images: &'a mut Images,
    plans: Plans<'a>,
    strategy: &'a Strategy,
    known: FxHashMap<(usize, Valuation), bool>,
}

/// A question on the stack: a node with a valuation, the valuations behind it, and how many of
/// these were refuted.
struct Frame {
    node: usize,
    before: Valuation,
    after: Vec<Valuation>,
    tried: usize,
    child: usize,
}

impl Player<'_, '_> {
    /// By a stack of its own, since strategies may be long.
    fn plays(&mut self) -> Result<bool, Unknown> {
        let mut stack = vec![self.frame(0, Box::new([]))?];
        loop {
            let frame = stack.last_mut().expect("not empty");
            let children = &self.strategy.nodes[frame.node].children;
            let verdict = if frame.tried >= frame.after.len() {
                Some(false)
            } else if frame.child >= children.len() {
                Some(true)
            } else {
                let next = (children[frame.child], frame.after[frame.tried].clone());
                match self.known.get(&next) {
                    Some(true) => {
                        frame.child += 1;
                        None
                    }
                    Some(false) => {
                        frame.tried += 1;
                        frame.child = 0;
                        None
                    }
                    None => {
                        let deeper = self.frame(next.0, next.1)?;
                        stack.push(deeper);
                        None
                    }
                }
            };
            if let Some(verdict) = verdict {
                let done = stack.pop().expect("not empty");
                self.known.insert((done.node, done.before), verdict);
                if stack.is_empty() {
                    return Ok(verdict);
                }
            }
        }
    }

    fn frame(&mut self, node: usize, before: Valuation) -> Result<Frame, Unknown> {
        let block = block_of(self.strategy.nodes[node].step);
        let (images, plans) = (&mut *self.images, &mut self.plans);
        let after = images.after(self.component, self.terms, plans, block, &before)?;
        Ok(Frame {
            node,
            before,
            after,
            tried: 0,
            child: 0,
        })
    }
}
