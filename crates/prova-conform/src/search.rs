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
use crate::relation::{certificate, pairs};
use crate::told::Told;
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
    /// Whether more strategies are looked at the longer it takes. The paper's own algorithm does not;
    /// a component with hundreds of conditions takes hundreds of iterations without.
    pub growing: bool,
    /// What states of the model are told apart by.
    pub states: States,
    /// Who is told how it goes, line by line.
    pub told: Option<fn(&str)>,
}

/// What states of the model are told apart by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum States {
    /// Predicates, as the paper has it.
    #[default]
    Predicates,
    /// The values that variables really take ([`mod@crate::values`]).
    Values,
    /// Values first, and predicates where these do not do.
    Both,
}

/// Iterations after which twice as many strategies are looked at, and how often that happens.
const PATIENCE: usize = 8;
const DOUBLINGS: usize = 4;

impl Settings {
    /// Tells how it goes, if somebody listens.
    pub fn explain(&self, line: impl FnOnce() -> String) {
        if let Some(told) = self.told {
            told(&line());
        }
    }

    /// Strategies that are looked at in an iteration.
    fn trees_at(&self, iteration: usize) -> usize {
        let doublings = match self.growing {
            true => (iteration / PATIENCE).min(DOUBLINGS),
            false => 0,
        };
        self.trees.max(1) << doublings
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            trees: 4,
            iterations: 400,
            growing: true,
            states: States::default(),
            told: None,
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
    /// Strategies that were looked at, over all iterations.
    pub strategies: usize,
    /// Those of them that branch: the specification had a choice, and none of its answers helped.
    pub branching: usize,
    /// The leaves of all of them.
    pub leaves: usize,
    /// The conditions, for people.
    pub chosen: Vec<String>,
    /// The last strategy that nobody can play, for people.
    pub spurious: Vec<String>,
    /// A strategy that a solver says can be played, where nothing may be run.
    pub suspected: Vec<Told>,
}

impl Effort {
    /// Counts strategies that are looked at.
    pub fn count(&mut self, strategies: &[Strategy]) {
        for strategy in strategies {
            let leaves = strategy.leaves().count();
            self.strategies += 1;
            self.branching += usize::from(leaves > 1);
            self.leaves += leaves;
        }
    }
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
    let mut predicates = Predicates::none(component);
    let asked = (component, specification, settings, budget);
    let found = refined(asked, terms, images, &mut predicates, effort);
    effort.conditions = predicates.seeds.len();
    effort.predicates = predicates.count();
    effort.chosen = told(component, terms, &predicates);
    found
}

/// What is searched, for what, how, and for how long.
type Asked<'a> = (&'a Component<'a>, &'a Lts, &'a Settings, &'a Budget);

fn refined(
    (component, specification, settings, budget): Asked,
    terms: &mut Terms,
    images: &mut Images,
    predicates: &mut Predicates,
    effort: &mut Effort,
) -> Result<Found, Unknown> {
    let mut solver = new_solver(&SolverConfig::default()).map_err(|e| Unknown::Unsupported {
        what: format!("this solver: {e}"),
        span: None,
    })?;
    loop {
        effort.iterations += 1;
        let mut stop = || budget.poll().map(Unknown::Stopped);
        if let Some(unknown) = stop() {
            return Err(unknown);
        }
        if effort.iterations > settings.iterations {
            return Err(Unknown::TurnsOver);
        }
        let mut model = Model::new(component, terms, images, predicates);
        let game = Game::play(&mut model, specification, &mut stop)?;
        effort.states = model.size();
        effort.positions = game.positions.len();
        if game.simulates() {
            let relation = game.relation(&mut model)?;
            let pairs = pairs(&mut model, &relation);
            let text = certificate(component, model.terms, pairs).map_err(Unknown::Certificate)?;
            effort.questions = images.questions;
            return Ok(Found::Relation {
                certificate: text,
                pairs: relation.len(),
            });
        }
        effort.questions = model.images.questions;
        let strategies = game.strategies(settings.trees_at(effort.iterations));
        settings.explain(|| {
            format!(
                "{:>5}  {} predicates: {} states, {} positions, {} questions, {} strategies",
                effort.iterations,
                predicates.count(),
                effort.states,
                effort.positions,
                images.questions,
                strategies.len()
            )
        });
        if strategies.is_empty() {
            return Err(undecided("every strategy is too large to be looked at"));
        }
        effort.count(&strategies);
        let mut spurious = Vec::new();
        let mut open = None;
        for strategy in &strategies {
            match judge(component, terms, &mut *solver, strategy) {
                Judged::Spurious(core) => spurious.push(Spurious { strategy, core }),
                Judged::Undecided(why) => open = Some(why),
                Judged::Valid(runs) => return played(component, strategy, runs),
            }
        }
        if let Some(stop) = budget.poll() {
            return Err(Unknown::Stopped(stop));
        }
        let Some(first) = spurious.first() else {
            return Err(undecided(&open.unwrap_or_default()));
        };
        effort.spurious = actions(first.strategy);
        settings.explain(|| {
            let names = Names {
                prepared: &component.problem.prepared,
                terms,
            };
            let conditions = first.core.iter().map(|&(_, t)| t).collect::<Vec<_>>();
            format!("       nobody plays it: {}", names.facts(&conditions))
        });
        let more = choose(component, terms, images, predicates, &spurious)?;
        match more {
            Some(more) if more != *predicates => *predicates = more,
            _ => return Err(undecided("no condition of the program stops the strategy")),
        }
    }
}

/// A strategy that some run plays, unless it is about something that is not modelled.
pub fn played(
    component: &Component,
    strategy: &Strategy,
    runs: Vec<(usize, Real)>,
) -> Result<Found, Unknown> {
    let outside = strategy.nodes.iter().find(|n| n.step.action == OUTSIDE);
    if let Some(node) = outside {
        let what = component.outside(block_of(node.step));
        return Err(Unknown::Unmodelled {
            what: what.unwrap_or_else(|| "something".into()),
            span: None,
        });
    }
    Ok(Found::Strategy(strategy.clone(), runs))
}

/// The actions of a strategy, by number, silence aside.
pub fn actions(strategy: &Strategy) -> Vec<String> {
    let nodes = strategy.nodes.iter();
    nodes
        .filter(|n| n.step.action != crate::lts::TAU)
        .map(|n| n.step.action)
        .map(|a: ActionId| a.to_string())
        .collect()
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

/// The conditions that were chosen, for people.
fn told(component: &Component, terms: &Terms, predicates: &Predicates) -> Vec<String> {
    let names = Names {
        prepared: &component.problem.prepared,
        terms,
    };
    let told = predicates.seeds.iter();
    told.map(|&(at, t)| format!("{} at {}", names.predicate(t), component.place(at)))
        .collect()
}
