//! The procedure of Figure 3 (Yorsh, Ball, Sagiv: *Testing, Abstraction, Theorem Proving: Better
//! Together!*): execute, abstract, check that what is covered is invariant, and where it is not,
//! fabricate a state behind it and go on from there.
//!
//! What its sections 4 and 5 say of practice is here, too: states are kept at cutpoints only (4.2), a
//! check concerns one block and is repeated only if something changed before it, tests are abstracted
//! while they are looked at (4.3), and a run from a fabricated state goes on while it covers something
//! new (5.3). Where the solver gives up (4.4 A and B), a state is fabricated that is merely not covered,
//! and where there is none either (C), whatever there may be behind the block counts as covered: the
//! result is sound and may be less precise.

use super::abstraction::Predicates;
use super::states::{Abstract, By, Covered};
use crate::problem::blocks::{BlockId, Blocks, Cutpoint, Granularity};
use crate::problem::live::live;
use crate::problem::{Problem, Steps};
use crate::proof::inductive::Cases;
use crate::testing::forest::Forest;
use prova_logic::{Answer, Model, Solver, Term, Terms, Value};
use prova_task::{Budget, Unknown};

/// Steps of a run from a fabricated state that cover nothing new, one after another.
const IDLE: usize = 12;
/// Steps of such a run.
const STEPS: usize = 400;

/// A state that nobody ran into.
#[derive(Clone, Debug)]
pub struct Fabricated {
    /// The cutpoint it is at.
    pub at: Cutpoint,
    /// What the predicates say there.
    pub state: Abstract,
    /// The values of the variables that matter.
    pub model: Model,
    /// The block that leads to it from what is covered; none where the solver gave up on that.
    pub block: Option<BlockId>,
}

/// What came of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// What is covered is invariant.
    Invariant,
    /// A state was fabricated and run.
    Fabricated,
}

/// The procedure between two of its rounds.
pub struct Procedure<'p> {
    /// The problem.
    pub problem: &'p Problem,
    /// Its steps, between few cutpoints.
    pub steps: Steps,
    /// What is asked of states.
    pub predicates: Predicates,
    /// What is covered.
    pub covered: Covered,
    /// States that were fabricated.
    pub fabricated: Vec<Fabricated>,
    /// Questions to the solver.
    pub questions: u64,
    /// What holds in all runs, by cutpoint: states outside of it are none.
    pub facts: Vec<Vec<Term>>,
    /// Blocks that are to be checked: what is covered before them has changed.
    open: Vec<bool>,
    /// Tests that were looked at.
    seen: u32,
}

impl<'p> Procedure<'p> {
    /// Nothing is covered, and nothing asked.
    pub fn new(
        problem: &'p Problem,
        terms: &mut Terms,
        granularity: Granularity,
    ) -> Result<Procedure<'p>, Unknown> {
        let blocks = Blocks::new(problem.prepared.body(), granularity);
        Procedure::of_blocks(problem, terms, blocks)
    }

    /// The same for cutpoints of somebody's choice.
    pub fn of_blocks(
        problem: &'p Problem,
        terms: &mut Terms,
        blocks: Blocks,
    ) -> Result<Procedure<'p>, Unknown> {
        let transitions = problem.encoding.transitions(terms, &blocks)?;
        let component = blocks.components();
        let cutpoints = blocks.locations.len();
        let open = vec![true; blocks.blocks.len()];
        Ok(Procedure {
            problem,
            steps: Steps {
                live: live(terms, &transitions, &blocks),
                in_loop: blocks.in_loops(&component),
                component,
                blocks,
                transitions,
            },
            predicates: Predicates::none(cutpoints),
            covered: Covered::new(cutpoints),
            fabricated: Vec::new(),
            questions: 0,
            facts: vec![Vec::new(); cutpoints],
            open,
            seen: 0,
        })
    }

    /// Abstracts the states of tests that were not looked at yet.
    pub fn absorb(&mut self, terms: &Terms, forest: &Forest) {
        while self.seen < forest.count() {
            let test = self.seen;
            self.seen += 1;
            for (cutpoint, states) in forest.states_of(test, &self.steps.blocks) {
                for state in states {
                    let predicates = self.predicates.at[cutpoint.index()].iter();
                    let values = predicates.map(|&p| Some(forest.holds(terms, state, p)));
                    let values: Abstract = values.collect();
                    self.cover(cutpoint, values, By::Test(test));
                }
            }
        }
    }

    fn cover(&mut self, at: Cutpoint, state: Abstract, by: By) -> bool {
        let new = self.covered.add(at, state, by);
        if new {
            for (id, block) in self.steps.blocks.blocks.iter().enumerate() {
                self.open[id] |= block.source == at;
            }
        }
        new
    }

    /// Whether an error is covered.
    pub fn error(&self) -> Option<Cutpoint> {
        let errors = self.steps.blocks.errors.iter().copied();
        let mut covered = errors.filter(|e| !self.covered.at[e.index()].is_empty());
        covered.next()
    }

    /// Checks blocks until one leads out of what is covered, and fabricates a state there.
    pub fn check(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<Checked, Unknown> {
        let ids: Vec<BlockId> = self.steps.blocks.ids().collect();
        for id in ids {
            if !self.open[id.index()] {
                continue;
            }
            if let Some(stop) = budget.poll() {
                return Err(Unknown::Stopped(stop));
            }
            let block = self.steps.blocks.block(id);
            let (source, target) = (block.source, block.target);
            if self.covered.at[source.index()].is_empty() {
                self.open[id.index()] = false;
                continue;
            }
            match self.leads_out(terms, solver, id) {
                Found::Nothing => self.open[id.index()] = false,
                Found::State(before) => {
                    let after = self.after(terms, id, &before);
                    self.fabricate(terms, target, after, Some(id));
                    return Ok(Checked::Fabricated);
                }
                Found::Unclear => {
                    if let Some(model) = self.uncovered(terms, solver, target) {
                        self.fabricate(terms, target, model, None);
                        return Ok(Checked::Fabricated);
                    }
                    let any = vec![None; self.predicates.at[target.index()].len()];
                    self.cover(target, any, By::Nobody);
                }
            }
        }
        Ok(Checked::Invariant)
    }

    /// A state among what is covered that steps through a block to what is not: (8).
    fn leads_out(&mut self, terms: &mut Terms, solver: &mut dyn Solver, id: BlockId) -> Found {
        let block = self.steps.blocks.block(id).clone();
        let at = |c: Cutpoint| &self.predicates.at[c.index()];
        let before = self.covered.gamma(terms, block.source, at(block.source));
        let arrived = self.covered.gamma(terms, block.target, at(block.target));
        let outside = terms.not(arrived);
        if terms.as_bool(outside) == Some(false) {
            return Found::Nothing;
        }
        let mut asked = vec![before];
        asked.extend(self.facts[block.source.index()].iter().copied());
        asked.extend(self.steps.transitions.guard(id).iter().copied());
        let step = self.steps.transitions.preimage(terms, id, outside);
        asked.push(step);
        self.ask(terms, solver, asked)
    }

    /// A state that is not covered, whether or not anything leads there: section 4.4.
    fn uncovered(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        at: Cutpoint,
    ) -> Option<Model> {
        let arrived = self
            .covered
            .gamma(terms, at, &self.predicates.at[at.index()]);
        let outside = terms.not(arrived);
        match self.ask(terms, solver, vec![outside]) {
            Found::State(model) => Some(model),
            Found::Nothing | Found::Unclear => None,
        }
    }

    pub(super) fn ask(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        asked: Vec<Term>,
    ) -> Found {
        let spoken: Vec<Term> = self.predicates.at.iter().flatten().copied().collect();
        let roots = [&asked[..], &spoken[..]].concat();
        let axioms = self.problem.encoding.axioms(terms, &roots);
        self.questions += 1;
        solver.push();
        for &t in asked.iter().chain(&axioms) {
            solver.assert(terms, t);
        }
        let answer = solver.check(terms, &[]);
        let all = [&asked[..], &axioms[..]].concat();
        let found = match answer {
            Answer::Unsat => Found::Nothing,
            Answer::Unknown(_) => Found::Unclear,
            Answer::Sat => match solver.model(terms, &terms.free_vars_of(&all)) {
                Ok(model) => {
                    let holds = |t: &Term| terms.eval(*t, &model).as_bool() == Some(true);
                    match asked.iter().all(holds) {
                        true => Found::State(model),
                        false => Found::Unclear,
                    }
                }
                Err(_) => Found::Unclear,
            },
        };
        solver.pop(1);
        found
    }

    /// The state behind a block, from a model of the state before it and of what it reads.
    pub(super) fn after(&self, terms: &Terms, id: BlockId, before: &Model) -> Model {
        let mut after = before.clone();
        for &(variable, value) in &self.steps.transitions.get(id).transfer.updates {
            after.insert(variable, terms.eval(value, before));
        }
        after
    }

    /// What the predicates say of a state.
    fn alpha(&self, terms: &Terms, at: Cutpoint, model: &Model) -> Abstract {
        let predicates = self.predicates.at[at.index()].iter();
        let holds = |p: &Term| Some(terms.eval(*p, model).as_bool() == Some(true));
        predicates.map(holds).collect()
    }

    /// Takes a state for covered, and runs on from it.
    fn fabricate(&mut self, terms: &Terms, at: Cutpoint, model: Model, block: Option<BlockId>) {
        let number = self.fabricated.len();
        let state = self.alpha(terms, at, &model);
        self.cover(at, state.clone(), By::Fabricated(number));
        self.fabricated.push(Fabricated {
            at,
            state,
            model: model.clone(),
            block,
        });
        self.execute(terms, at, model, number);
    }

    fn execute(&mut self, terms: &Terms, mut at: Cutpoint, mut model: Model, number: usize) {
        let outgoing = self.steps.blocks.outgoing();
        let mut idle = 0;
        for round in 0..STEPS {
            let ways = &outgoing[at.index()];
            let Some((id, given)) = self.taken(terms, ways, &model, round) else {
                return;
            };
            model = self.after(terms, id, &given);
            at = self.steps.blocks.block(id).target;
            let state = self.alpha(terms, at, &model);
            match self.cover(at, state, By::Fabricated(number)) {
                true => idle = 0,
                false => idle += 1,
            }
            if idle > IDLE {
                return;
            }
        }
    }

    /// A block that a state takes, for some of the inputs that are tried.
    pub(super) fn taken(
        &self,
        terms: &Terms,
        ways: &[BlockId],
        model: &Model,
        round: usize,
    ) -> Option<(BlockId, Model)> {
        const TRIED: [u128; 5] = [0, 1, u128::MAX, 2, 100];
        for turn in 0..TRIED.len() {
            let value = TRIED[(turn + round) % TRIED.len()];
            for &id in ways {
                let transition = self.steps.transitions.get(id);
                let mut given = model.clone();
                for input in &transition.transfer.inputs {
                    if let prova_logic::Sort::BitVec(width) = terms.sort(input.var) {
                        let value = if width >= 128 {
                            value
                        } else {
                            value & ((1 << width) - 1)
                        };
                        given.insert(input.var, Value::bv(value, width));
                    }
                }
                let holds = |t: &Term| terms.eval(*t, &given).as_bool() == Some(true);
                if transition.transfer.guard.iter().all(holds) {
                    return Some((id, given));
                }
            }
        }
        None
    }

    /// What is covered as cases, for a claim.
    pub fn cases(&self, terms: &mut Terms) -> Cases {
        let cutpoints: Vec<Cutpoint> = self.steps.blocks.cutpoints().collect();
        let mut cases = Vec::new();
        for at in cutpoints {
            let mut here = self
                .covered
                .cases(terms, at, &self.predicates.at[at.index()]);
            if !here.is_empty() && !self.facts[at.index()].is_empty() {
                for case in &mut here {
                    case.extend(self.facts[at.index()].iter().copied());
                    case.sort_unstable();
                    case.dedup();
                }
            }
            cases.push(here);
        }
        cases
    }
}

/// What a question came to.
pub(super) enum Found {
    Nothing,
    State(Model),
    Unclear,
}
