//! The procedure of Figure 3 with intervals in the place of predicates: at each cutpoint a range for
//! each integer variable that matters there. The lattice has long chains, so a bound that has been
//! moved a few times is widened (the remark behind Theorem 3.3), to the next number that the program
//! itself compares with, and where there is none, to the end of the type.
//!
//! Tests are joined as they are; only what is fabricated widens. The result is invariant whatever
//! the widening did, for the check of a block does not know of it.

use super::procedure::{Checked, Fabricated, Found, Procedure};
use crate::problem::blocks::{BlockId, Cutpoint};
use crate::proof::inductive::Cases;
use crate::testing::forest::Forest;
use prova_exec::state_vars::StateVar;
use prova_ir::{CType, RegId, Role};
use prova_logic::{Model, Op, Solver, Term, Terms, Value};
use prova_task::{Budget, Unknown};
use std::collections::BTreeSet;

/// How often fabricated states move a bound before it is widened.
const PATIENCE: u32 = 2;
/// Steps of a run from a fabricated state that cover nothing new, and steps of such a run.
const IDLE: usize = 12;
const STEPS: usize = 400;

/// An integer variable that matters at a cutpoint.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// Its register.
    pub register: RegId,
    /// As a term.
    pub term: Term,
    /// Bits.
    pub bits: u32,
    /// Whether C reads it as signed.
    pub signed: bool,
}

/// A range of numbers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least.
    pub low: i128,
    /// The greatest.
    pub high: i128,
}

impl Interval {
    fn of(value: i128) -> Interval {
        Interval {
            low: value,
            high: value,
        }
    }

    fn join(&mut self, value: i128) -> bool {
        let before = *self;
        self.low = self.low.min(value);
        self.high = self.high.max(value);
        *self != before
    }
}

impl Variable {
    /// All numbers of its type.
    pub fn all(&self) -> Interval {
        match self.signed {
            true => Interval {
                low: -(1 << (self.bits - 1)),
                high: (1 << (self.bits - 1)) - 1,
            },
            false => Interval {
                low: 0,
                high: (1 << self.bits) - 1,
            },
        }
    }

    /// The number that a value is.
    fn number(&self, value: &Value) -> i128 {
        let bits = value.as_bits().and_then(|b| b.to_u128()).unwrap_or(0);
        number(bits, self.bits, self.signed)
    }

    fn constant(&self, terms: &mut Terms, value: i128) -> Term {
        let mask = (1u128 << self.bits) - 1;
        terms.bv(value as u128 & mask, self.bits)
    }
}

fn number(bits: u128, width: u32, signed: bool) -> i128 {
    let bits = bits as i128;
    match signed && bits >> (width - 1) & 1 == 1 {
        true => bits - (1 << width),
        false => bits,
    }
}

/// The procedure with intervals, between two of its rounds.
pub struct Intervals<'p> {
    /// Its steps and questions; nothing is covered in it.
    pub procedure: Procedure<'p>,
    /// The variables at each cutpoint.
    pub variables: Vec<Vec<Variable>>,
    /// What is covered by tests and fabricated states; none where nothing gets.
    pub covered: Vec<Option<Vec<Interval>>>,
    /// What is covered by tests.
    pub tested: Vec<Option<Vec<Interval>>>,
    /// How often each bound was moved by fabricated states.
    moved: Vec<Vec<[u32; 2]>>,
    /// Where widening stops.
    thresholds: BTreeSet<i128>,
    open: Vec<bool>,
    seen: u32,
}

impl<'p> Intervals<'p> {
    /// Nothing is covered but the start.
    pub fn new(terms: &Terms, procedure: Procedure<'p>) -> Intervals<'p> {
        let steps = &procedure.steps;
        let program = &procedure.problem.prepared.program;
        let vars = &procedure.problem.encoding.vars;
        let mut variables = Vec::new();
        for at in steps.blocks.cutpoints() {
            let mut here = Vec::new();
            for &term in steps.live[at.index()].iter() {
                let Some(StateVar::Register(register)) = vars.meaning(term) else {
                    continue;
                };
                let own = program.register(register);
                let ctype = own.ctype.map(|c| program.ctypes.get(c));
                let Some(CType::Int { bits, signed, .. }) = ctype else {
                    continue;
                };
                let named = !matches!(own.role, Role::Temporary | Role::Result);
                let plain = own.ty == prova_ir::Type::Int(*bits) && *bits <= 64;
                if named && plain && !own.c_name.is_empty() {
                    here.push(Variable {
                        register,
                        term,
                        bits: u32::from(*bits),
                        signed: *signed,
                    });
                }
            }
            here.sort_by_key(|v| v.register);
            let ends = at == Cutpoint::START || steps.blocks.errors.contains(&at);
            variables.push(if ends { Vec::new() } else { here });
        }
        let count = variables.len();
        let mut covered = vec![None; count];
        covered[Cutpoint::START.index()] = Some(Vec::new());
        Intervals {
            thresholds: thresholds(terms, &procedure),
            moved: variables.iter().map(|v| vec![[0; 2]; v.len()]).collect(),
            open: vec![true; steps.blocks.blocks.len()],
            tested: vec![None; count],
            covered,
            variables,
            procedure,
            seen: 0,
        }
    }

    /// Joins the states of tests that were not looked at yet.
    pub fn absorb(&mut self, terms: &Terms, forest: &Forest) {
        while self.seen < forest.count() {
            let test = self.seen;
            self.seen += 1;
            for (at, states) in forest.states_of(test, &self.procedure.steps.blocks) {
                for state in states {
                    let values: Vec<i128> = self.variables[at.index()]
                        .iter()
                        .map(|v| v.number(&forest.evaluate(terms, state, v.term)))
                        .collect();
                    join(&mut self.tested[at.index()], &values);
                    if join(&mut self.covered[at.index()], &values) {
                        self.reopen(at);
                    }
                }
            }
        }
    }

    fn reopen(&mut self, at: Cutpoint) {
        for (id, block) in self.procedure.steps.blocks.blocks.iter().enumerate() {
            self.open[id] |= block.source == at;
        }
    }

    /// Whether an error is covered.
    pub fn error(&self) -> Option<Cutpoint> {
        let errors = self.procedure.steps.blocks.errors.iter().copied();
        let mut covered = errors.filter(|e| self.covered[e.index()].is_some());
        covered.next()
    }

    /// Checks blocks until one leads out of what is covered, and fabricates a state there.
    pub fn check(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<Checked, Unknown> {
        let ids: Vec<BlockId> = self.procedure.steps.blocks.ids().collect();
        for id in ids {
            if !self.open[id.index()] {
                continue;
            }
            if let Some(stop) = budget.poll() {
                return Err(Unknown::Stopped(stop));
            }
            let block = self.procedure.steps.blocks.block(id);
            let (source, target) = (block.source, block.target);
            if self.covered[source.index()].is_none() {
                self.open[id.index()] = false;
                continue;
            }
            match self.leads_out(terms, solver, id) {
                Found::Nothing => self.open[id.index()] = false,
                Found::State(before) => {
                    let after = self.procedure.after(terms, id, &before);
                    self.fabricate(terms, target, after, id);
                    return Ok(Checked::Fabricated);
                }
                Found::Unclear => {
                    // Whatever there may be behind the block counts as covered.
                    let all = self.variables[target.index()].iter().map(Variable::all);
                    let all: Vec<Interval> = all.collect();
                    if self.covered[target.index()].as_ref() != Some(&all) {
                        self.covered[target.index()] = Some(all);
                        self.reopen(target);
                        return Ok(Checked::Fabricated);
                    }
                    self.open[id.index()] = false;
                }
            }
        }
        Ok(Checked::Invariant)
    }

    fn leads_out(&mut self, terms: &mut Terms, solver: &mut dyn Solver, id: BlockId) -> Found {
        let block = self.procedure.steps.blocks.block(id).clone();
        let mut asked = self.gamma(terms, block.source).unwrap_or_default();
        let outside = match self.gamma(terms, block.target) {
            None => terms.bool_const(true),
            Some(parts) => {
                let inside = terms.and(&parts);
                terms.not(inside)
            }
        };
        if terms.as_bool(outside) == Some(false) {
            return Found::Nothing;
        }
        let steps = &self.procedure.steps;
        asked.extend(steps.transitions.guard(id).iter().copied());
        let step = steps.transitions.preimage(terms, id, outside);
        asked.push(step);
        self.procedure.ask(terms, solver, asked)
    }

    /// That a state lies in what is covered at a cutpoint; none where nothing does.
    fn gamma(&self, terms: &mut Terms, at: Cutpoint) -> Option<Vec<Term>> {
        let intervals = self.covered[at.index()].as_ref()?;
        let mut parts = Vec::new();
        for (variable, interval) in self.variables[at.index()].iter().zip(intervals) {
            let all = variable.all();
            if interval.low > all.low {
                let low = variable.constant(terms, interval.low);
                parts.push(match variable.signed {
                    true => terms.sle(low, variable.term),
                    false => terms.ule(low, variable.term),
                });
            }
            if interval.high < all.high {
                let high = variable.constant(terms, interval.high);
                parts.push(match variable.signed {
                    true => terms.sle(variable.term, high),
                    false => terms.ule(variable.term, high),
                });
            }
        }
        Some(parts)
    }

    fn values(&self, terms: &Terms, at: Cutpoint, model: &Model) -> Vec<i128> {
        let variables = self.variables[at.index()].iter();
        let value = |v: &Variable| v.number(&terms.eval(v.term, model));
        variables.map(value).collect()
    }

    /// Takes a state for covered, widens where bounds keep moving, and runs on from it.
    fn fabricate(&mut self, terms: &Terms, at: Cutpoint, model: Model, block: BlockId) {
        let values = self.values(terms, at, &model);
        let widened = match &mut self.covered[at.index()] {
            none @ None => {
                *none = Some(values.iter().map(|v| Interval::of(*v)).collect());
                true
            }
            Some(intervals) => {
                let mut moved = false;
                let variables = self.variables[at.index()].iter();
                let counts = self.moved[at.index()].iter_mut();
                for (((interval, value), variable), count) in
                    intervals.iter_mut().zip(&values).zip(variables).zip(counts)
                {
                    if *value < interval.low {
                        count[0] += 1;
                        interval.low = *value;
                        if count[0] > PATIENCE {
                            let below = self.thresholds.range(..=*value).next_back().copied();
                            let least = variable.all().low;
                            interval.low = below.filter(|b| *b >= least).unwrap_or(least);
                        }
                        moved = true;
                    }
                    if *value > interval.high {
                        count[1] += 1;
                        interval.high = *value;
                        if count[1] > PATIENCE {
                            let above = self.thresholds.range(*value..).next().copied();
                            let most = variable.all().high;
                            interval.high = above.filter(|a| *a <= most).unwrap_or(most);
                        }
                        moved = true;
                    }
                }
                moved
            }
        };
        if !widened {
            // The solver and the evaluation disagree: nothing is concluded from either.
            let all = self.variables[at.index()].iter().map(Variable::all);
            self.covered[at.index()] = Some(all.collect());
        }
        self.reopen(at);
        self.procedure.fabricated.push(Fabricated {
            at,
            state: Vec::new(),
            model: model.clone(),
            block: Some(block),
        });
        self.execute(terms, at, model);
    }

    /// Runs on while that covers something new.
    fn execute(&mut self, terms: &Terms, mut at: Cutpoint, mut model: Model) {
        let outgoing = self.procedure.steps.blocks.outgoing();
        let mut idle = 0;
        for round in 0..STEPS {
            let ways = &outgoing[at.index()];
            let Some((id, given)) = self.procedure.taken(terms, ways, &model, round) else {
                return;
            };
            model = self.procedure.after(terms, id, &given);
            at = self.procedure.steps.blocks.block(id).target;
            let values = self.values(terms, at, &model);
            match join(&mut self.covered[at.index()], &values) {
                true => {
                    self.reopen(at);
                    idle = 0;
                }
                false => idle += 1,
            }
            if idle > IDLE {
                return;
            }
        }
    }

    /// What is covered as cases, for a claim.
    pub fn cases(&self, terms: &mut Terms) -> Cases {
        let cutpoints: Vec<Cutpoint> = self.procedure.steps.blocks.cutpoints().collect();
        let mut cases = Vec::new();
        for at in cutpoints {
            cases.push(match self.gamma(terms, at) {
                None => Vec::new(),
                Some(mut parts) => {
                    parts.sort_unstable();
                    parts.dedup();
                    vec![parts]
                }
            });
        }
        cases
    }
}

/// Joins a state; whether it was outside.
fn join(covered: &mut Option<Vec<Interval>>, values: &[i128]) -> bool {
    match covered {
        none @ None => {
            *none = Some(values.iter().map(|v| Interval::of(*v)).collect());
            true
        }
        Some(intervals) => {
            let mut moved = false;
            for (interval, value) in intervals.iter_mut().zip(values) {
                moved |= interval.join(*value);
            }
            moved
        }
    }
}

/// The numbers that the program compares with, and their neighbours.
fn thresholds(terms: &Terms, procedure: &Procedure) -> BTreeSet<i128> {
    let mut found = BTreeSet::from([-1, 0, 1]);
    let mut seen = rustc_hash::FxHashSet::default();
    let mut work: Vec<Term> = Vec::new();
    for id in procedure.steps.blocks.ids() {
        let transfer = &procedure.steps.transitions.get(id).transfer;
        work.extend(transfer.guard.iter().copied());
        work.extend(transfer.updates.iter().map(|u| u.1));
    }
    while let Some(t) = work.pop() {
        if !seen.insert(t) {
            continue;
        }
        if terms.op(t) == Op::BvConst {
            let width = terms.width(t);
            let bits = terms.as_bits(t).and_then(|b| b.to_u128());
            if let (Some(bits), 2..=64) = (bits, width) {
                for signed in [true, false] {
                    let value = number(bits, width, signed);
                    found.extend([value - 1, value, value + 1]);
                }
            }
        }
        work.extend(terms.children(t).iter().copied());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_their_types_say() {
        assert_eq!(number(0xff, 8, true), -1);
        assert_eq!(number(0xff, 8, false), 255);
        assert_eq!(number(1 << 63, 64, true), i128::from(i64::MIN));
    }

    #[test]
    fn a_state_inside_moves_nothing() {
        let mut covered = None;
        assert!(join(&mut covered, &[3, -1]));
        assert!(join(&mut covered, &[5, -1]));
        assert!(!join(&mut covered, &[4, -1]));
        let wanted = vec![Interval { low: 3, high: 5 }, Interval::of(-1)];
        assert_eq!(covered, Some(wanted));
    }
}
