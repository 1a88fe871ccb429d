//! The loop (Chaki, Clarke, Jha, Veith, §3): make a model, play the game, look at strategies, refine.
//!
//! What comes out is no verdict yet: a relation has to be accepted by its checker, and a strategy has
//! to be seen in native runs ([`crate::conform`]).

use crate::game::{Game, Strategy};
use crate::lts::{ActionId, Lts};
use crate::model::images::Images;
use crate::model::predicates::Predicates;
use crate::model::program::{Component, OUTSIDE};
use crate::model::{block_of, Model};
use crate::refine::choose::{choose, Spurious};
use crate::refine::validity::{judge, Judged};
use crate::relation::certificate;
use prova_engine::problem::names::Names;
use prova_engine::testing::forest::Real;
use prova_logic::{new_solver, SolverConfig, Terms};
use prova_task::{Budget, Stop, Unknown};

/// How it is searched.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Strategies that are looked at in each iteration.
    pub trees: usize,
    /// Iterations, at most.
    pub iterations: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            trees: 4,
            iterations: 400,
        }
    }
}

/// What it took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Times a model was made and played against.
    pub iterations: usize,
    /// Conditions that were chosen.
    pub conditions: usize,
    /// Predicates that they became.
    pub predicates: usize,
    /// States of the last model.
    pub states: usize,
    /// Positions of the last game.
    pub positions: usize,
    /// Questions about steps.
    pub questions: u64,
    /// The conditions, for people.
    pub chosen: Vec<String>,
    /// The last strategy that nobody can play, for people.
    pub spurious: Vec<String>,
}

/// What was found.
pub enum Found {
    /// A relation, as a certificate, and how many pairs it has.
    Relation {
        /// The certificate.
        certificate: String,
        /// Pairs of states.
        pairs: usize,
    },
    /// A strategy that can be played, and for each leaf the run that leads there.
    Strategy(Strategy, Vec<(usize, Real)>),
}

/// Searches; the specification may stutter already.
pub fn search(
    component: &Component,
    terms: &mut Terms,
    images: &mut Images,
    specification: &Lts,
    settings: &Settings,
    budget: &Budget,
    effort: &mut Effort,
) -> Result<Found, Unknown> {
    let mut solver = new_solver(&SolverConfig::default()).map_err(|e| Unknown::Unsupported {
        what: format!("this solver: {e}"),
        span: None,
    })?;
    let mut predicates = Predicates::none(component);
    loop {
        effort.iterations += 1;
        tell(component, terms, &predicates, effort);
        let mut stop = || budget.poll().map(Unknown::Stopped);
        if let Some(unknown) = stop() {
            return Err(unknown);
        }
        if effort.iterations > settings.iterations {
            return Err(Unknown::TurnsOver);
        }
        let mut model = Model::new(component, terms, images, &predicates);
        let game = Game::play(&mut model, specification, &mut stop)?;
        effort.states = model.size();
        effort.positions = game.positions.len();
        if game.simulates() {
            let relation = game.relation(&mut model)?;
            let text = certificate(&mut model, &relation).map_err(Unknown::Certificate)?;
            effort.questions = images.questions;
            return Ok(Found::Relation {
                certificate: text,
                pairs: relation.len(),
            });
        }
        effort.questions = model.images.questions;
        let strategies = game.strategies(settings.trees.max(1));
        if strategies.is_empty() {
            return Err(undecided("every strategy is too large to be looked at"));
        }
        let mut spurious = Vec::new();
        let mut open = None;
        for strategy in &strategies {
            match judge(component, terms, &mut *solver, strategy) {
                Judged::Spurious(core) => spurious.push(Spurious { strategy, core }),
                Judged::Undecided(why) => open = Some(why),
                Judged::Valid(runs) => {
                    let outside = strategy.nodes.iter().find(|n| n.step.action == OUTSIDE);
                    if let Some(node) = outside {
                        let what = component.outside(block_of(node.step));
                        return Err(Unknown::Unmodelled {
                            what: what.unwrap_or_else(|| "something".into()),
                            span: None,
                        });
                    }
                    return Ok(Found::Strategy(strategy.clone(), runs));
                }
            }
        }
        if let Some(stop) = budget.poll() {
            return Err(Unknown::Stopped(stop));
        }
        let Some(first) = spurious.first() else {
            return Err(undecided(&open.unwrap_or_default()));
        };
        effort.spurious = first
            .strategy
            .nodes
            .iter()
            .filter(|n| n.step.action != crate::lts::TAU)
            .map(|n| n.step.action)
            .map(|a: ActionId| a.to_string())
            .collect();
        let more = choose(component, terms, images, &predicates, &spurious)?;
        match more {
            Some(more) if more != predicates => predicates = more,
            _ => return Err(undecided("no condition of the program stops the strategy")),
        }
    }
}

fn undecided(reason: &str) -> Unknown {
    Unknown::Undecided {
        edges: 0,
        reason: reason.to_string(),
        span: None,
    }
}

/// Whether a reason is that time or memory ran out.
pub fn is_stop(unknown: &Unknown) -> Option<Stop> {
    match unknown {
        Unknown::Stopped(stop) => Some(*stop),
        _ => None,
    }
}

fn tell(component: &Component, terms: &Terms, predicates: &Predicates, effort: &mut Effort) {
    effort.conditions = predicates.seeds.len();
    effort.predicates = predicates.count();
    let names = Names {
        prepared: &component.problem.prepared,
        terms,
    };
    let told = predicates.seeds.iter();
    effort.chosen = told
        .map(|&(at, t)| format!("{} at {}", names.predicate(t), component.place(at)))
        .collect();
}
