//! The machine that a procedure itself is, over its actions: documentation that is true. The model
//! for all branch conditions is made, what is silent is left out, and what says nothing new; then the
//! procedure is shown to conform to what is left, as to any other machine.

use crate::conform::{accept, Question};
use crate::game::{Game, Implementation};
use crate::lts::reduce::reduce;
use crate::lts::subsets::subsets;
use crate::lts::{Alphabet, Lts};
use crate::model::images::Images;
use crate::model::predicates::Predicates;
use crate::model::program::{Component, OUTSIDE};
use crate::model::Model;
use crate::plan::Plan;
use crate::relation::{certificate, pairs};
use crate::session::{Loaded, Session};
use crate::unit::Purpose;
use prova_c::Diagnostic;
use prova_engine::problem::blocks::Cutpoint;
use prova_engine::problem::Problem;
use prova_logic::{SolverConfig, Terms};
use prova_task::prepare::{prepare_as, Form};
use prova_task::{Budget, Unknown};

/// A machine and its actions.
pub struct Document {
    /// The machine.
    pub lts: Lts,
    /// Its actions.
    pub alphabet: Alphabet,
    /// Conditions by which the procedure was shown to conform to it; else why it was not.
    pub shown: Result<usize, Unknown>,
}

/// What the machine keeps of the procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// When it decides: they simulate each other, as far as the model is precise.
    Choices,
    /// Only in which order actions come: the machine is deterministic.
    Traces,
}

/// States of a model that are looked at.
const STATES: usize = 20_000;

/// The machine of the target's procedure. What the file says that the target is to show does not
/// matter, only its declaration, what is assumed, and labels.
///
/// # Errors
/// What is wrong with the files.
pub fn document(
    question: &Question,
    keeps: Keeps,
    budget: &Budget,
) -> Result<Result<Document, Unknown>, Vec<Diagnostic>> {
    let plan = Plan::new(question.file, question.target).map_err(|e| vec![*e])?;
    let session = Session::new(
        question.files,
        question.options,
        question.world,
        question.folder,
        &plan,
    )?;
    let loaded = session.load(&plan, &Purpose::Model)?;
    Ok(made(question, keeps, plan, &loaded, budget))
}

fn made(
    question: &Question,
    keeps: Keeps,
    plan: Plan,
    loaded: &Loaded,
    budget: &Budget,
) -> Result<Document, Unknown> {
    let form = Form {
        sliced: false,
        recursive: false,
    };
    let problem = Problem::new(prepare_as(&loaded.program, form)?, question.granularity);
    let mut terms = problem.terms.borrow_mut();
    let component = Component::new(&problem, &mut terms, question.granularity)?;
    let mut images = Images::new(&SolverConfig::default(), budget)?;
    let all = all_conditions(&component, &mut terms);
    let none = Predicates::none(&component);
    let mut last = Unknown::TurnsOver;
    for predicates in [&all, &none] {
        let mut model = Model::new(&component, &mut terms, &mut images, predicates);
        let lts = match whole(&mut model, budget).and_then(|lts| small(&lts, keeps)) {
            Ok(lts) => lts,
            Err(why) => {
                last = why;
                continue;
            }
        };
        let closed = lts.stuttering();
        let mut stop = || budget.poll().map(Unknown::Stopped);
        let game = Game::play(&mut model, &closed, &mut stop)?;
        let relation = game.relation(&mut model)?;
        let pairs = pairs(&mut model, &relation);
        let text = certificate(&component, model.terms, pairs).map_err(Unknown::Certificate)?;
        let shown = accept(question, loaded, &lts, &text, budget).map(|a| a.conditions);
        return Ok(Document {
            lts,
            alphabet: plan.alphabet,
            shown,
        });
    }
    Err(last)
}

/// The machine, as small as what it keeps allows. A deterministic one simulates all that has no trace
/// beside its own, so the game and the certificate are the same for both.
fn small(lts: &Lts, keeps: Keeps) -> Result<Lts, Unknown> {
    let found = reduce(lts);
    if keeps == Keeps::Choices {
        return Ok(found);
    }
    let (found, _) = subsets(&found).ok_or_else(|| Unknown::Undecided {
        edges: 0,
        reason: "the deterministic machine has too many states".into(),
        span: None,
    })?;
    let mut found = reduce(&found);
    for (number, name) in found.states.iter_mut().enumerate() {
        *name = format!("s{number}");
    }
    Ok(found)
}

/// All conditions of branches, where they are asked.
fn all_conditions(component: &Component, terms: &mut Terms) -> Predicates {
    let mut predicates = Predicates::none(component);
    for number in 1..component.steps.blocks.locations.len() as u32 {
        let at = Cutpoint(number);
        for &block in &component.outgoing[at.index()] {
            for guard in component.steps.transitions.guard(block).to_vec() {
                predicates.add(component, terms, (at, guard));
            }
        }
    }
    predicates
}

/// The whole model as a machine.
fn whole(mut model: &mut Model, budget: &Budget) -> Result<Lts, Unknown> {
    let mut lts = Lts::default();
    let start = Implementation::initial(&mut model)?;
    lts.initial = start.first().copied().unwrap_or(0);
    let mut at = 0;
    while at < model.size() {
        if let Some(stop) = budget.poll() {
            return Err(Unknown::Stopped(stop));
        }
        if at > STATES {
            return Err(Unknown::Undecided {
                edges: 0,
                reason: format!("the model has more than {STATES} states"),
                span: None,
            });
        }
        for step in Implementation::steps(&mut model, at as u32)? {
            while lts.states.len() < model.size() {
                lts.state(format!("s{}", lts.states.len()));
            }
            if step.action == OUTSIDE {
                let what = model.component.outside(crate::model::block_of(step));
                return Err(Unknown::Unmodelled {
                    what: what.unwrap_or_default(),
                    span: None,
                });
            }
            lts.add(at as u32, step.action, step.target);
        }
        at += 1;
    }
    while lts.states.len() < model.size().max(1) {
        lts.state(format!("s{}", lts.states.len()));
    }
    Ok(lts)
}
