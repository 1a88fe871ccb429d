//! What a block makes of a valuation: the valuations behind it that are *admissible* (§6).
//!
//! A precondition that is one of the facts, or the opposite of one, needs no solver; nor does a
//! branch on a condition that is a fact. What is left open is asked, model by model, under the
//! facts that share a variable with the question, directly or by others. The answers are kept by
//! what was asked, so that valuations which differ in what does not matter, and models for other
//! predicates, ask once. What is the same for all valuations (its plan) is kept by the predicates at
//! both ends: an iteration that adds predicates in one place plans anew in that place only.

use super::predicates::Predicates;
use super::program::Component;
use super::Valuation;
use prova_engine::problem::alias::{resolve, Known};
use prova_engine::problem::blocks::BlockId;
use prova_logic::{new_solver, Answer, Limit, Solver, SolverConfig, Term, Terms};
use prova_task::{Budget, Unknown};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// Valuations behind one block; beyond, the predicates are too many.
const MOST: usize = 2_048;

/// The deterministic limit of one question.
const RESOURCE: u64 = 20_000_000;

/// What was asked: a block, facts that matter, what its guard demands besides, and preconditions
/// whose truth is open.
type Asked = (BlockId, Vec<Term>, Vec<Term>, Vec<Term>);

/// What is the same for all valuations before a block, for some predicates.
#[derive(Default)]
struct Plan {
    /// Nobody ever takes the block.
    impossible: bool,
    /// Predicates that its guard demands or forbids.
    guard: Vec<(usize, bool)>,
    /// What it demands besides.
    open: Vec<Term>,
    /// What becomes of each predicate behind it.
    wanted: Vec<Seen>,
    /// Preconditions whose truth is open.
    questions: Vec<Term>,
    /// Predicates before it that have to do with what is open.
    related: Vec<usize>,
    /// Facts that have.
    proven: Vec<Term>,
    /// Answers, by the valuation of what is related.
    answers: FxHashMap<Vec<bool>, Vec<Vec<bool>>>,
}

/// What becomes of a predicate.
#[derive(Clone, Copy)]
enum Seen {
    /// It holds, or does not, whatever held before.
    Plain(bool),
    /// It is as a predicate before, or the opposite.
    Same(usize, bool),
    /// It is as the answer to a question, or the opposite.
    Open(usize, bool),
}

/// Plans for some predicates.
pub struct Plans<'m> {
    /// The predicates.
    pub predicates: &'m Predicates,
    by_block: Vec<Option<Shared>>,
}

/// A plan that models for several sets of predicates have in common.
type Shared = Rc<RefCell<Plan>>;

impl<'m> Plans<'m> {
    /// None yet.
    pub fn new(component: &Component, predicates: &'m Predicates) -> Plans<'m> {
        let blocks = component.steps.blocks.blocks.iter();
        Plans {
            predicates,
            by_block: blocks.map(|_| None).collect(),
        }
    }
}

/// Who knows what blocks do.
pub struct Images {
    solver: Box<dyn Solver>,
    known: FxHashMap<Asked, Vec<Vec<bool>>>,
    /// Lists of predicates by number.
    lists: FxHashMap<Rc<[Term]>, u32>,
    /// Plans by block and the predicates at its ends.
    plans: FxHashMap<(BlockId, u32, u32), Shared>,
    /// What holds at cutpoints in every run, as others proved; by cutpoint. Said before anything is
    /// asked, for plans rest on it.
    pub proven: Vec<Vec<Term>>,
    /// Questions that were asked.
    pub questions: u64,
    budget: Budget,
}

impl Images {
    /// Somebody with this solver.
    pub fn new(config: &SolverConfig, budget: &Budget) -> Result<Images, Unknown> {
        let mut solver = new_solver(config).map_err(|e| Unknown::Unsupported {
            what: format!("this solver: {e}"),
            span: None,
        })?;
        solver.set_minimal_cores(false);
        Ok(Images {
            solver,
            known: FxHashMap::default(),
            lists: FxHashMap::default(),
            plans: FxHashMap::default(),
            proven: Vec::new(),
            questions: 0,
            budget: budget.clone(),
        })
    }

    /// The valuations behind a block, from states with this valuation. None: the block cannot be
    /// taken.
    pub fn after(
        &mut self,
        component: &Component,
        terms: &mut Terms,
        plans: &mut Plans,
        block: BlockId,
        valuation: &[bool],
    ) -> Result<Vec<Valuation>, Unknown> {
        let shared = match &plans.by_block[block.index()] {
            Some(known) => known.clone(),
            None => {
                let made = self.shared(component, terms, plans.predicates, block);
                plans.by_block[block.index()] = Some(made.clone());
                made
            }
        };
        let plan = &mut *shared.borrow_mut();
        let passes = |&(at, holds): &(usize, bool)| valuation[at] == holds;
        if plan.impossible || !plan.guard.iter().all(passes) {
            return Ok(Vec::new());
        }
        let related: Vec<bool> = plan.related.iter().map(|&at| valuation[at]).collect();
        if !plan.answers.contains_key(&related) {
            let source = component.steps.blocks.block(block).source;
            let here = plans.predicates.at(source);
            let literal = |(&at, &holds): (&usize, &bool)| match holds {
                true => here[at],
                false => terms.not(here[at]),
            };
            let facts = plan.related.iter().zip(&related).map(literal);
            let facts: Vec<Term> = facts.chain(plan.proven.iter().copied()).collect();
            let answers = match plan.open.is_empty() && plan.questions.is_empty() {
                true => vec![Vec::new()],
                false => {
                    let (open, questions) = (plan.open.clone(), plan.questions.clone());
                    self.ask(component, terms, block, facts, open, questions)?
                }
            };
            plan.answers.insert(related.clone(), answers);
        }
        let whole = |answer: &Vec<bool>| -> Valuation {
            let value = |s: &Seen| match *s {
                Seen::Plain(value) => value,
                Seen::Same(at, same) => valuation[at] == same,
                Seen::Open(at, same) => answer[at] == same,
            };
            plan.wanted.iter().map(value).collect()
        };
        let mut found: Vec<Valuation> = plan.answers[&related].iter().map(whole).collect();
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The plan for a block, made if nobody has made it for these predicates.
    fn shared(
        &mut self,
        component: &Component,
        terms: &mut Terms,
        predicates: &Predicates,
        block: BlockId,
    ) -> Shared {
        let ends = component.steps.blocks.block(block);
        let key = (
            block,
            self.list(predicates.at(ends.source)),
            self.list(predicates.at(ends.target)),
        );
        if let Some(known) = self.plans.get(&key) {
            return known.clone();
        }
        let made = self.plan(component, terms, predicates, block);
        let made = Rc::new(RefCell::new(made));
        self.plans.insert(key, made.clone());
        made
    }

    fn list(&mut self, predicates: &[Term]) -> u32 {
        if let Some(&known) = self.lists.get(predicates) {
            return known;
        }
        let number = self.lists.len() as u32;
        self.lists.insert(predicates.into(), number);
        number
    }

    /// What is the same for all valuations before a block.
    fn plan(
        &self,
        component: &Component,
        terms: &mut Terms,
        predicates: &Predicates,
        block: BlockId,
    ) -> Plan {
        let steps = &component.steps;
        let ends = steps.blocks.block(block);
        let here = predicates.at(ends.source);
        let position: FxHashMap<Term, usize> = here.iter().copied().zip(0..).collect();
        let proven = self.proven.get(ends.source.index());
        let proven: FxHashSet<Term> = proven.into_iter().flatten().copied().collect();
        let mut plan = Plan::default();
        let mut held: FxHashSet<Term> = proven.clone();
        for &guard in steps.transitions.guard(block) {
            for part in terms.conjuncts(guard) {
                let opposite = terms.not(part);
                plan.impossible |= terms.as_bool(part) == Some(false) || proven.contains(&opposite);
                if terms.as_bool(part).is_some() || proven.contains(&part) {
                    continue;
                }
                held.insert(part);
                if let Some(&at) = position.get(&part) {
                    plan.guard.push((at, true));
                } else if let Some(&at) = position.get(&opposite) {
                    plan.guard.push((at, false));
                } else {
                    plan.open.push(part);
                }
            }
        }
        for &predicate in predicates.at(ends.target) {
            let before = steps.transitions.preimage(terms, block, predicate);
            let before = resolve(terms, before, &mut Known(&held)).term;
            let opposite = terms.not(before);
            plan.wanted
                .push(if let Some(value) = terms.as_bool(before) {
                    Seen::Plain(value)
                } else if held.contains(&before) {
                    Seen::Plain(true)
                } else if held.contains(&opposite) {
                    Seen::Plain(false)
                } else if let Some(&at) = position.get(&before) {
                    Seen::Same(at, true)
                } else if let Some(&at) = position.get(&opposite) {
                    Seen::Same(at, false)
                } else if let Some(at) = plan.questions.iter().position(|&q| q == before) {
                    Seen::Open(at, true)
                } else if let Some(at) = plan.questions.iter().position(|&q| q == opposite) {
                    Seen::Open(at, false)
                } else {
                    plan.questions.push(before);
                    Seen::Open(plan.questions.len() - 1, true)
                });
        }
        if !plan.open.is_empty() || !plan.questions.is_empty() {
            let extra: Vec<Term> = proven.into_iter().collect();
            let all: Vec<Term> = here.iter().chain(&extra).copied().collect();
            let related = related(terms, &all, &plan.open, &plan.questions);
            let known = related.iter().filter_map(|t| position.get(t)).copied();
            plan.related = known.collect();
            plan.related.sort_unstable();
            plan.proven = extra;
            plan.proven.retain(|t| related.contains(t));
            plan.proven.sort_unstable();
        }
        plan
    }

    fn ask(
        &mut self,
        component: &Component,
        terms: &mut Terms,
        block: BlockId,
        facts: Vec<Term>,
        open: Vec<Term>,
        questions: Vec<Term>,
    ) -> Result<Vec<Vec<bool>>, Unknown> {
        let key = (block, facts, open, questions);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let (facts, open, questions) = (&key.1, &key.2, &key.3);
        // Reads over writes are decided by what is known beside them, where it says which.
        let held: FxHashSet<Term> = facts.iter().chain(open).copied().collect();
        let asked: Vec<Term> = questions
            .iter()
            .map(|&q| resolve(terms, q, &mut Known(&held)).term)
            .collect();
        let questions = &asked;
        let encoding = &component.problem.encoding;
        let mut query: Vec<Term> = facts.iter().chain(open).copied().collect();
        let roots: Vec<Term> = query.iter().chain(questions).copied().collect();
        query.extend(encoding.axioms(terms, &roots));
        let variables = terms.free_vars_of(&[&query[..], questions].concat());
        let solver = &mut *self.solver;
        // As the solver counts: a limit in time would cost a thread for each question.
        solver.set_limit(Limit {
            resource: Some(RESOURCE),
            time: None,
        });
        solver.push();
        for &t in &query {
            solver.assert(terms, t);
        }
        let mut found = Vec::new();
        let outcome = loop {
            if let Some(stop) = self.budget.poll() {
                break Err(Unknown::Stopped(stop));
            }
            self.questions += 1;
            match solver.check(terms, &[]) {
                Answer::Unsat => break Ok(()),
                Answer::Unknown(why) => break Err(undecided(component, block, why.to_string())),
                Answer::Sat => {}
            }
            if questions.is_empty() {
                found.push(Vec::new());
                break Ok(());
            }
            let model = match solver.model(terms, &variables) {
                Ok(model) => model,
                Err(e) => break Err(undecided(component, block, e.to_string())),
            };
            let values: Vec<bool> = questions.iter().map(|&q| terms.holds(q, &model)).collect();
            let differs: Vec<Term> = questions
                .iter()
                .zip(&values)
                .map(|(&q, &v)| if v { terms.not(q) } else { q })
                .collect();
            let differs = terms.or(&differs);
            solver.assert(terms, differs);
            found.push(values);
            if found.len() > MOST {
                let why = "the predicates have too many valuations".to_string();
                break Err(undecided(component, block, why));
            }
        };
        solver.pop(1);
        outcome?;
        self.known.insert(key, found.clone());
        Ok(found)
    }
}

fn undecided(component: &Component, block: BlockId, reason: String) -> Unknown {
    let edges = &component.steps.blocks.block(block).edges;
    let body = component.problem.prepared.body();
    Unknown::Undecided {
        edges: 1,
        reason,
        span: edges.last().map(|&e| body.edge(e).span),
    }
}

/// The facts that share a variable with a question, directly or by others.
fn related(terms: &Terms, facts: &[Term], open: &[Term], questions: &[Term]) -> Vec<Term> {
    let roots: Vec<Term> = open.iter().chain(questions).copied().collect();
    let mut touched: FxHashSet<Term> = terms.free_vars_of(&roots).into_iter().collect();
    let mut left: Vec<(Term, Vec<Term>)> = facts.iter().map(|&f| (f, terms.free_vars(f))).collect();
    let mut found = Vec::new();
    loop {
        let before = found.len();
        left.retain(|(fact, variables)| {
            let related = variables.iter().any(|v| touched.contains(v));
            if related {
                found.push(*fact);
                touched.extend(variables.iter().copied());
            }
            !related
        });
        if found.len() == before {
            break;
        }
    }
    found.sort_unstable();
    found
}
