//! The abstract model of a component (Chaki, Clarke, Jha, Veith, §6): states are cutpoints of the
//! program with a valuation of the predicates there; a transition is there if it is *admissible*,
//! that is, if nobody can show that no concrete state takes it.
//!
//! | file | what it holds |
//! |---|---|
//! | [`program`] | the component prepared: cutpoints behind every action, blocks with their actions |
//! | [`predicates`] | which predicates belong to which cutpoint |
//! | [`closed`] | states with explicit values, where these do |
//! | [`frames`] | which objects live where |
//! | [`bits`], [`masks`] | words that are known in part: bit-fields |
//! | [`images`] | what a block makes of a valuation, by a solver where it is not plain to see |
//!
//! States of inlined machines are cutpoints like others, for assumed routines are procedures of the
//! program ([`crate::unit`]) and are inlined as such.

pub mod bits;
pub mod closed;
pub mod frames;
pub mod images;
pub mod masks;
pub mod predicates;
pub mod program;

use crate::game::{Implementation, Step};
use images::{Images, Plans};
use predicates::Predicates;
use program::Component;
use prova_engine::problem::blocks::{BlockId, Cutpoint};
use prova_logic::{Term, Terms};
use prova_task::Unknown;
use rustc_hash::FxHashMap;

/// Which predicates hold.
pub type Valuation = Box<[bool]>;

/// The model for some predicates; its states are made when somebody comes to them.
pub struct Model<'m, 'p> {
    /// The component.
    pub component: &'m Component<'p>,
    /// Its arena.
    pub terms: &'m mut Terms,
    /// Who knows what blocks do.
    pub images: &'m mut Images,
    /// The predicates.
    pub predicates: &'m Predicates,
    plans: Plans<'m>,
    states: Vec<(Cutpoint, Valuation)>,
    numbers: FxHashMap<(Cutpoint, Valuation), u32>,
    steps: Vec<Option<Vec<Step>>>,
}

impl<'m, 'p> Model<'m, 'p> {
    /// A model with these predicates.
    pub fn new(
        component: &'m Component<'p>,
        terms: &'m mut Terms,
        images: &'m mut Images,
        predicates: &'m Predicates,
    ) -> Model<'m, 'p> {
        Model {
            component,
            terms,
            images,
            predicates,
            plans: Plans::new(component, predicates),
            states: Vec::new(),
            numbers: FxHashMap::default(),
            steps: Vec::new(),
        }
    }

    /// A state by its number.
    pub fn state(&self, number: u32) -> (Cutpoint, &Valuation) {
        let (cutpoint, valuation) = &self.states[number as usize];
        (*cutpoint, valuation)
    }

    /// How many states somebody came to.
    pub fn size(&self) -> usize {
        self.states.len()
    }

    /// What holds in a state: each predicate, or that it does not.
    pub fn facts(&mut self, number: u32) -> Vec<Term> {
        let (cutpoint, valuation) = self.states[number as usize].clone();
        let predicates = self.predicates.at(cutpoint);
        literals(self.terms, predicates, &valuation)
    }

    fn number(&mut self, cutpoint: Cutpoint, valuation: Valuation) -> u32 {
        let next = self.states.len() as u32;
        let key = (cutpoint, valuation);
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        self.states.push(key.clone());
        self.steps.push(None);
        self.numbers.insert(key, next);
        next
    }
}

/// Each predicate, or that it does not hold.
pub fn literals(terms: &mut Terms, predicates: &[Term], valuation: &[bool]) -> Vec<Term> {
    let all = predicates.iter().zip(valuation);
    all.map(|(&p, &holds)| if holds { p } else { terms.not(p) })
        .collect()
}

impl Implementation for &mut Model<'_, '_> {
    type Error = Unknown;

    fn initial(&mut self) -> Result<Vec<u32>, Unknown> {
        Ok(vec![self.number(Cutpoint::START, Box::new([]))])
    }

    fn steps(&mut self, state: u32) -> Result<Vec<Step>, Unknown> {
        if let Some(known) = &self.steps[state as usize] {
            return Ok(known.clone());
        }
        let (cutpoint, valuation) = self.states[state as usize].clone();
        let mut found = Vec::new();
        for &block in &self.component.outgoing[cutpoint.index()] {
            let target = self.component.steps.blocks.block(block).target;
            let after = self.images.after(
                self.component,
                self.terms,
                &mut self.plans,
                block,
                &valuation,
            )?;
            for valuation in after {
                let target = self.number(target, valuation);
                found.push(Step {
                    action: self.component.action(block),
                    target,
                    via: block.0,
                });
            }
        }
        self.steps[state as usize] = Some(found.clone());
        Ok(found)
    }
}

/// The block of a step.
pub fn block_of(step: Step) -> BlockId {
    BlockId(step.via)
}
