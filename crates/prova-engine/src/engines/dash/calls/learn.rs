//! Invariants and contracts from tests: relations between values that hold in all states the
//! tests have been in at a cutpoint, entry values included, and of these the largest part that
//! every step preserves (`generalise/` does the same for one procedure).

use super::contracts::{Facts, Obligation, Place, Way};
use super::search::{CallSearch, Work};
use super::units::Kind;
use crate::engines::dash::QUERY_RESOURCE;
use crate::knowledge::houdini::broken_claims;
use crate::knowledge::prune::prune;
use crate::knowledge::sources::mine::{mine, Samples};
use crate::knowledge::sources::states::{collect, MOST_STATES, MOST_VARIABLES};
use crate::knowledge::MOST_CANDIDATES;
use crate::problem::blocks::Cutpoint;
use crate::problem::transitions::Exclusion;
use crate::proof::recheck::Flaw;
use crate::testing::forest::StateRef;
use prova_exec::state_vars::StateVar;
use prova_ir::ProcId;
use prova_logic::{new_solver, Limit, Op, Solver, Sort, Term, Terms, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Values of the entry that a procedure's facts may speak of.
const MOST_OLDS: usize = 12;
/// Programs with more cutpoints than this are not searched for invariants.
const MOST_CUTPOINTS: usize = 6000;
/// Solver calls that one search for invariants may take, besides two per iteration so far.
const CALLS: u64 = 150;

impl Work<'_, '_> {
    /// Looks for facts, and lets all graphs know them.
    pub(super) fn learn(&mut self) {
        self.own.patience *= 2;
        let cutpoints: usize = self.own.units.all().map(|u| u.blocks.locations.len()).sum();
        let Ok(mut solver) = new_solver(&self.own.dash.solver) else {
            return;
        };
        if cutpoints > MOST_CUTPOINTS {
            return;
        }
        solver.set_limit(Limit {
            resource: Some(QUERY_RESOURCE / 10),
            time: self.budget.remaining(),
        });
        let candidates = self.candidates();
        let before = self.own.statistics.learning_calls;
        let kept = self.keep_inductive(candidates, &mut *solver);
        self.own.statistics.solver_time += solver.statistics().time;
        let mut learned = 0;
        for (place, mut facts) in kept {
            prune(&*self.terms, &mut facts);
            learned += self.know(place, facts);
        }
        self.own.statistics.learned += learned;
        if learned == 0 {
            self.own.patience *= 2;
        } else {
            self.state_contracts();
        }
        if self.observer.explains() {
            let calls = self.own.statistics.learning_calls - before;
            self.tell(&format!(
                "learned {learned} facts from tests ({calls} queries)"
            ));
        }
    }

    /// Adds facts that hold at a place; says how many are new.
    fn know(&mut self, place: Place, facts: Vec<Term>) -> u64 {
        let known = self.own.facts.entry(place).or_default();
        let new: Vec<Term> = facts.into_iter().filter(|f| !known.contains(f)).collect();
        known.extend_from_slice(&new);
        // Graphs do not know old values.
        let olds = self.own.contracts.olds(place.0);
        let terms = &*self.terms;
        let plain: Vec<Term> = new
            .iter()
            .copied()
            .filter(|&f| !olds.iter().any(|o| terms.mentions(f, o.0)))
            .collect();
        if !plain.is_empty() {
            let mut oracle = Exclusion {
                terms: &mut *self.terms,
                transitions: &self.own.transitions,
            };
            let abstraction = &mut self.own.abstraction;
            abstraction.learn(place.0, place.1, &plain, &mut oracle);
        }
        new.len() as u64
    }

    /// What is known at a cutpoint, old values aside.
    pub(super) fn plainly_known(&self, place: Place) -> Vec<Term> {
        let olds = self.own.contracts.olds(place.0);
        let terms = &*self.terms;
        let facts = self.own.facts.get(&place).into_iter().flatten().copied();
        facts
            .filter(|&f| !olds.iter().any(|o| terms.mentions(f, o.0)))
            .collect()
    }

    /// Steps past calls are told what the contracts say.
    fn state_contracts(&mut self) {
        for at in 0..self.own.contracts.steps.len() {
            let step = self.own.contracts.steps[at];
            let Way::Past(site) = step.way else { continue };
            let callee = self.own.units.site(site).callee;
            let Some(exit) = self.own.units.unit(callee).exit else {
                continue;
            };
            let Some(contract) = self.own.facts.get(&(callee, exit)) else {
                continue;
            };
            let said = self.own.contracts.at_call(
                self.terms,
                &self.own.transitions,
                &self.own.units,
                self.encoding,
                site,
                contract,
            );
            if !said.is_empty() {
                self.own
                    .transitions
                    .strengthen(self.terms, step.block, &said);
                self.own.stated.insert(site);
            }
        }
        self.own.tried.clear();
    }

    /// Houdini over all procedures: drops what some step can break, until none can.
    fn keep_inductive(&mut self, mut facts: Facts, solver: &mut dyn Solver) -> Facts {
        let mut calls = CALLS + 2 * self.own.statistics.iterations;
        let asked = self.own.contracts.steps.iter().filter(|s| {
            let claimed = facts.get(&s.target).is_some_and(|f| !f.is_empty());
            claimed && !self.frames(s, &facts)
        });
        if asked.count() as u64 > calls {
            // There would be no answer in the end.
            return Facts::new();
        }
        let mut work: BTreeSet<usize> = (0..self.own.contracts.steps.len()).collect();
        while let Some(at) = work.pop_first() {
            let step = self.own.contracts.steps[at];
            while let Some(claimed) = facts.get(&step.target).filter(|f| !f.is_empty()) {
                let claims: Vec<(Term, Term)> = claimed
                    .clone()
                    .into_iter()
                    .map(|f| {
                        (
                            f,
                            self.own
                                .contracts
                                .before(self.terms, &self.own.transitions, &step, f),
                        )
                    })
                    .collect();
                let usable = self.own.contracts.usable(
                    self.terms,
                    &self.own.transitions,
                    &self.own.units,
                    self.encoding,
                    &facts,
                    &step,
                );
                let terms = &*self.terms;
                let open: Vec<(Term, Term)> = claims
                    .into_iter()
                    .filter(|&(_, p)| !usable.contains(&p) && terms.as_bool(p) != Some(true))
                    .collect();
                if open.is_empty() {
                    break;
                }
                calls = calls.saturating_sub(1);
                if calls == 0 || self.budget.poll().is_some() {
                    return Facts::new();
                }
                let broken = broken_claims(
                    self.encoding,
                    self.terms,
                    solver,
                    self.own.transitions.guard(step.block),
                    &usable,
                    &open,
                    &mut self.own.statistics.learning_calls,
                );
                if broken.claims.is_empty() {
                    break;
                }
                if let Some(left) = facts.get_mut(&step.target) {
                    left.retain(|f| !broken.claims.contains(f));
                }
                work.extend(self.own.contracts.affected(&self.own.units, step.target));
            }
        }
        facts
    }

    /// Whether a step certainly preserves all facts behind it: each is a fact before it, and speaks
    /// of nothing that the step writes.
    fn frames(&self, step: &Obligation, facts: &Facts) -> bool {
        let (Some(source), false) = (step.source, matches!(step.way, Way::Into(_))) else {
            return false;
        };
        let (Some(before), Some(behind)) = (facts.get(&source), facts.get(&step.target)) else {
            return false;
        };
        let terms = &*self.terms;
        let transition = self.own.transitions.get(step.block);
        let untouched = |f: Term| {
            let variables = terms.free_vars(f);
            variables.iter().all(|&v| transition.update(v) == v)
        };
        behind.iter().all(|f| before.contains(f) && untouched(*f))
    }

    /// Relations that hold in all states of the forest, by cutpoint.
    fn candidates(&mut self) -> Facts {
        let watched = self.watched();
        let constants = self.constants();
        let mut found = Facts::new();
        for (&procedure, variables) in &watched {
            let old_terms = self.old_terms(procedure, variables);
            let olds: Vec<(Term, Term)> = old_terms
                .into_iter()
                .map(|t| (self.own.contracts.old(self.terms, procedure, t), t))
                .collect();
            let unit = self.own.units.unit(procedure);
            for (index, location) in unit.blocks.locations.iter().enumerate() {
                let Some(location) = *location else { continue };
                let rows = self.rows(procedure, location, variables, &olds);
                if rows.is_empty() {
                    continue;
                }
                let samples = Samples {
                    variables: variables
                        .iter()
                        .copied()
                        .chain(olds.iter().map(|o| o.0))
                        .collect(),
                    rows,
                };
                let mut facts = mine(self.terms, &samples, &constants);
                facts.truncate(MOST_CANDIDATES);
                found.insert((procedure, Cutpoint(index as u32)), facts);
            }
        }
        found
    }

    /// Values in the states of a location, one row per state.
    fn rows(
        &self,
        procedure: ProcId,
        location: prova_ir::LocId,
        variables: &[Term],
        olds: &[(Term, Term)],
    ) -> Vec<Vec<u64>> {
        let terms = &*self.terms;
        let tests = self.own.statistics.tests as u32;
        let mut states: Vec<StateRef> = Vec::new();
        for test in 0..tests {
            let visits = self.known.forest.run(test).visits(procedure, location);
            // The first and the last visits stand for all.
            let ends = visits.iter().take(MOST_STATES);
            let skip = visits.len().saturating_sub(MOST_STATES).max(MOST_STATES);
            let steps = ends.chain(visits.iter().skip(skip));
            states.extend(steps.map(|&step| StateRef { test, step }));
        }
        let stride = states.len().div_ceil(MOST_STATES).max(1);
        let number = |state: StateRef, t: Term| match self.known.forest.evaluate(terms, state, t) {
            Value::Bool(b) => u64::from(b),
            other => other.as_u64().unwrap_or(0),
        };
        states
            .into_iter()
            .step_by(stride)
            .map(|state| {
                let run = self.known.forest.run(state.test);
                let activation = run.activations()[run.activation_at(state.step) as usize];
                let entry = StateRef {
                    test: state.test,
                    step: activation.start,
                };
                let now = variables.iter().map(|&v| number(state, v));
                now.chain(olds.iter().map(|&(_, of)| number(entry, of)))
                    .collect()
            })
            .collect()
    }

    /// Values at the entry that facts may speak of: parameters, and whatever callers share.
    fn old_terms(&self, procedure: ProcId, variables: &[Term]) -> Vec<Term> {
        let program = &self.encoding.prepared.program;
        let vars = &self.encoding.vars;
        let parameters = &program.procedure(procedure).parameters;
        let shared = |v: &Term| match vars.meaning(*v) {
            Some(StateVar::Register(r)) => {
                parameters.contains(&r) || program.register(r).owner.is_none()
            }
            _ => self.terms.op(*v) == Op::Select,
        };
        let own = variables.iter().copied().filter(shared);
        own.take(MOST_OLDS).collect()
    }

    /// What to watch in each procedure: what its regions speak of, what blocks compute that from
    /// or compare it with, what is passed for it and returned.
    fn watched(&self) -> BTreeMap<ProcId, Vec<Term>> {
        let terms = &*self.terms;
        let vars = &self.encoding.vars;
        let program = &self.encoding.prepared.program;
        let mut found: BTreeMap<ProcId, BTreeSet<Term>> = BTreeMap::new();
        for unit in self.own.units.all() {
            found.insert(unit.procedure, BTreeSet::new());
        }
        for graph in self.own.abstraction.graphs() {
            let record = self.own.abstraction.graph(graph);
            let unit = self.own.units.unit(record.procedure);
            let own = found.get_mut(&record.procedure).expect("all are there");
            for index in 0..unit.blocks.locations.len() {
                for region in self
                    .own
                    .abstraction
                    .regions_at(graph, Cutpoint(index as u32))
                {
                    collect(terms, &self.own.abstraction.region(region).facts, own);
                }
            }
        }
        let in_scope = |p: ProcId, t: Term| {
            terms.free_vars(t).iter().all(|&v| match vars.meaning(v) {
                Some(StateVar::Register(r)) => {
                    program.register(r).owner.is_none_or(|owner| owner == p)
                }
                Some(_) => true,
                None => vars.base_of(v).is_some(),
            })
        };
        for _ in 0..3 {
            let mut shared: BTreeSet<Term> = BTreeSet::new();
            for (&p, own) in &mut found {
                own.retain(|&t| in_scope(p, t));
                shared.extend(own.iter().copied().filter(|&t| {
                    let registers = terms.free_vars(t);
                    !registers.iter().any(|v| match vars.meaning(*v) {
                        Some(StateVar::Register(r)) => program.register(r).owner.is_some(),
                        _ => false,
                    })
                }));
            }
            let mut more = found.clone();
            let mut returned: Vec<(ProcId, Term)> = Vec::new();
            for unit in self.own.units.all() {
                let own = &found[&unit.procedure];
                let grown = more.get_mut(&unit.procedure).expect("all are there");
                // Shared values matter where the procedure or what it calls may write them.
                let effects = &self.own.units.effects[unit.procedure.index()];
                for &t in &shared {
                    let written = terms.free_vars(t).iter().any(|&v| match vars.meaning(v) {
                        Some(StateVar::Register(r)) => effects.registers.contains(&r),
                        Some(StateVar::Memory(c)) => effects.classes.contains(&c),
                        _ => false,
                    });
                    if written {
                        grown.insert(t);
                    }
                }
                for step in &unit.steps {
                    let transfer = &self.own.transitions.get(step.block).transfer;
                    for &guard in &transfer.assumed {
                        let mut here = BTreeSet::new();
                        collect(terms, &[guard], &mut here);
                        if !here.is_disjoint(own) {
                            grown.extend(here);
                        }
                    }
                    match step.kind {
                        Kind::Local => {
                            for &(variable, value) in &transfer.updates {
                                if own.contains(&variable) {
                                    collect(terms, &[value], grown);
                                }
                            }
                        }
                        Kind::Return(site) | Kind::Fail(site) => {
                            let site_record = self.own.units.site(site);
                            let callee = site_record.callee;
                            let theirs = &found[&callee];
                            let bind = self.own.units.plain_bind(site);
                            for &(variable, value) in
                                &self.own.transitions.get(bind).transfer.updates
                            {
                                if theirs.contains(&variable) {
                                    collect(terms, &[value], grown);
                                }
                            }
                            let received = site_record.result.map(|r| vars.register[r.index()]);
                            let result = program.procedure(callee).result;
                            if let (Some(received), Some(result)) = (received, result) {
                                if own.contains(&received) {
                                    returned.push((callee, vars.register[result.index()]));
                                }
                            }
                        }
                    }
                }
            }
            for (callee, result) in returned {
                more.get_mut(&callee).expect("all are there").insert(result);
            }
            found = more;
        }
        found
            .into_iter()
            .map(|(p, own)| {
                let own = own.into_iter().filter(|&t| in_scope(p, t));
                (p, own.take(MOST_VARIABLES).collect::<Vec<_>>())
            })
            .filter(|(_, own)| !own.is_empty())
            .collect()
    }

    /// Integer constants in conditions, and their neighbours: where bounds are sought.
    fn constants(&self) -> BTreeSet<u64> {
        let terms = &*self.terms;
        let mut found: BTreeSet<u64> = [0, 1].into_iter().collect();
        for step in self.own.units.all().flat_map(|u| &u.steps) {
            let guard = &self.own.transitions.get(step.block).transfer.assumed;
            for t in terms.post_order(guard) {
                if terms.op(t) == Op::BvConst && matches!(terms.sort(t), Sort::BitVec(_)) {
                    if let Some(value) = terms.as_u64(t) {
                        found.extend([value, value.wrapping_add(1), value.wrapping_sub(1)]);
                    }
                }
            }
        }
        found
    }
}

/// Checks that facts are preserved by every step.
pub(super) fn check_facts(
    search: &CallSearch,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    stop: &mut dyn FnMut() -> bool,
) -> Result<u64, Flaw> {
    let mut calls = 0;
    for (at, step) in search.contracts.steps.iter().enumerate() {
        let Some(claimed) = search.facts.get(&step.target).filter(|f| !f.is_empty()) else {
            continue;
        };
        if stop() {
            return Err(Flaw::Interrupted);
        }
        let claims: Vec<(Term, Term)> = claimed
            .iter()
            .map(|&f| {
                let before = search.contracts.before(terms, &search.transitions, step, f);
                (f, before)
            })
            .collect();
        let usable = search.contracts.usable(
            terms,
            &search.transitions,
            &search.units,
            search.encoding(),
            &search.facts,
            step,
        );
        let broken = broken_claims(
            search.encoding(),
            terms,
            solver,
            search.transitions.guard(step.block),
            &usable,
            &claims,
            &mut calls,
        );
        if !broken.claims.is_empty() {
            let what = format!("a learned fact is not preserved by step {at}");
            return Err(Flaw::Malformed(what));
        }
    }
    Ok(calls)
}
