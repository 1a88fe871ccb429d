//! What a block makes of a valuation: the valuations behind it that are *admissible* (§6).
//!
//! A precondition that is one of the facts, or the opposite of one, needs no solver; nor does a
//! branch on a condition that is a fact. What is left open is asked, model by model, under the
//! facts that share a variable with the question, directly or by others. The answers are kept by
//! what was asked, so that valuations which differ in what does not matter, and models for other
//! predicates, ask once.

use super::program::Component;
use super::Valuation;
use prova_engine::problem::alias::{resolve, Known};
use prova_engine::problem::blocks::BlockId;
use prova_logic::{new_solver, Answer, Limit, Solver, SolverConfig, Term, Terms};
use prova_task::{Budget, Unknown};
use rustc_hash::{FxHashMap, FxHashSet};

/// Valuations behind one block; beyond, the predicates are too many.
const MOST: usize = 2_048;

/// What was asked: a block, facts that matter, what its guard demands besides, and preconditions
/// whose truth is open.
type Asked = (BlockId, Vec<Term>, Vec<Term>, Vec<Term>);

/// Who knows what blocks do.
pub struct Images {
    solver: Box<dyn Solver>,
    known: FxHashMap<Asked, Vec<Vec<bool>>>,
    /// What holds at cutpoints in every run, as others proved; by cutpoint.
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
            proven: Vec::new(),
            questions: 0,
            budget: budget.clone(),
        })
    }

    /// The valuations of `wanted` behind a block, from states with these facts. None: the block
    /// cannot be taken.
    pub fn after(
        &mut self,
        component: &Component,
        terms: &mut Terms,
        block: BlockId,
        facts: &[Term],
        wanted: &[Term],
    ) -> Result<Vec<Valuation>, Unknown> {
        let steps = &component.steps;
        let source = steps.blocks.block(block).source;
        let proven = self.proven.get(source.index()).cloned();
        let mut held: FxHashSet<Term> = facts.iter().copied().collect();
        let extra: Vec<Term> = proven.unwrap_or_default();
        held.extend(&extra);
        let mut open: Vec<Term> = Vec::new();
        for &guard in steps.transitions.guard(block) {
            for part in terms.conjuncts(guard) {
                let opposite = terms.not(part);
                if terms.as_bool(part) == Some(false) || held.contains(&opposite) {
                    return Ok(Vec::new());
                }
                if terms.as_bool(part).is_none() && !held.contains(&part) {
                    open.push(part);
                }
            }
        }
        let mut with_guard = held.clone();
        with_guard.extend(&open);
        // What is plain to see of each predicate, or which open precondition it is.
        enum Seen {
            Plain(bool),
            Open(usize, bool),
        }
        let mut questions: Vec<Term> = Vec::new();
        let mut seen = Vec::with_capacity(wanted.len());
        for &predicate in wanted {
            let before = steps.transitions.preimage(terms, block, predicate);
            let before = resolve(terms, before, &mut Known(&with_guard)).term;
            let opposite = terms.not(before);
            seen.push(if let Some(value) = terms.as_bool(before) {
                Seen::Plain(value)
            } else if with_guard.contains(&before) {
                Seen::Plain(true)
            } else if with_guard.contains(&opposite) {
                Seen::Plain(false)
            } else if let Some(at) = questions.iter().position(|&q| q == before) {
                Seen::Open(at, true)
            } else if let Some(at) = questions.iter().position(|&q| q == opposite) {
                Seen::Open(at, false)
            } else {
                questions.push(before);
                Seen::Open(questions.len() - 1, true)
            });
        }
        let answers = match open.is_empty() && questions.is_empty() {
            true => vec![Vec::new()],
            false => {
                let all: Vec<Term> = facts.iter().chain(&extra).copied().collect();
                let related = related(terms, &all, &open, &questions);
                self.ask(component, terms, block, related, open, questions)?
            }
        };
        let whole = |answer: Vec<bool>| -> Valuation {
            let value = |s: &Seen| match *s {
                Seen::Plain(value) => value,
                Seen::Open(at, same) => answer[at] == same,
            };
            seen.iter().map(value).collect()
        };
        let mut found: Vec<Valuation> = answers.into_iter().map(whole).collect();
        found.sort_unstable();
        found.dedup();
        Ok(found)
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
        let encoding = &component.problem.encoding;
        let mut query: Vec<Term> = facts.iter().chain(open).copied().collect();
        let roots: Vec<Term> = query.iter().chain(questions).copied().collect();
        query.extend(encoding.axioms(terms, &roots));
        let variables = terms.free_vars_of(&[&query[..], questions].concat());
        let solver = &mut *self.solver;
        solver.set_limit(Limit {
            resource: None,
            time: self.budget.for_a_question(),
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
