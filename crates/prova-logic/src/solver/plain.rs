//! A solver that is not asked what ranges of floats show.
//!
//! Solvers turn floats into bits and bits into clauses; that a product of numbers between 0 and 10
//! is below 101 may take them minutes. So a question that speaks of floats is first put to
//! [`crate::ranges::impossible`], and a few values are tried; only what that leaves open goes to
//! the solver.

use super::{Answer, Limit, Solver, SolverError, Statistics};
use crate::ranges::{impossible, witness};
use crate::sort::Sort;
use crate::term::Term;
use crate::terms::Terms;
use crate::value::{Model, Value};
use rustc_hash::FxHashSet;
use std::time::Instant;

/// Larger questions, in subterms, are not looked at.
const MOST: usize = 4_000;
/// Cores are made smaller up to this size: each literal takes a look of its own.
const SMALL_CORE: usize = 32;

/// What is plain.
enum Plain {
    /// These assumptions cannot hold.
    Impossible(Vec<Term>),
    /// All holds with these values.
    Witness(Model),
}

/// A solver, and what is plain before it is asked.
pub struct PlainSolver {
    solver: Box<dyn Solver>,
    scopes: Vec<Vec<Term>>,
    /// The arena of all terms; `None` inside if they were of several, and then nothing is plain.
    arena: Option<Option<u64>>,
    /// Terms that are known to hold floats, and such that do not.
    with: FxHashSet<Term>,
    without: FxHashSet<Term>,
    /// What the last check found by itself.
    found: Option<Plain>,
    statistics: Statistics,
}

impl PlainSolver {
    /// Looks before this one is asked.
    pub fn new(solver: Box<dyn Solver>) -> PlainSolver {
        PlainSolver {
            solver,
            scopes: vec![Vec::new()],
            arena: None,
            with: FxHashSet::default(),
            without: FxHashSet::default(),
            found: None,
            statistics: Statistics::default(),
        }
    }

    /// Whether all terms so far, and these, are of one arena.
    fn same_arena(&mut self, terms: &Terms) -> bool {
        let arena = self.arena.get_or_insert(Some(terms.arena()));
        if *arena != Some(terms.arena()) {
            *arena = None;
        }
        arena.is_some()
    }

    fn speaks_of_floats(&mut self, terms: &Terms, t: Term) -> bool {
        if self.with.contains(&t) || self.without.contains(&t) {
            return self.with.contains(&t);
        }
        let floats = |&t: &Term| matches!(terms.sort(t), Sort::Float(_));
        let found = terms.post_order(&[t]).iter().any(floats);
        match found {
            true => self.with.insert(t),
            false => self.without.insert(t),
        };
        found
    }

    /// Whether it is plain that all that is asserted and assumed cannot hold, or can.
    fn plain(&mut self, terms: &Terms, assumptions: &[Term]) -> Option<Plain> {
        if !self.same_arena(terms) {
            return None;
        }
        let mut asserted: Vec<Term> = self.scopes.iter().flatten().copied().collect();
        let count = asserted.len();
        asserted.extend(assumptions);
        let floats = asserted
            .clone()
            .into_iter()
            .filter(|&t| self.speaks_of_floats(terms, t))
            .count();
        if floats == 0 || terms.post_order(&asserted).len() > MOST {
            return None;
        }
        if !impossible(terms, &asserted) {
            return witness(terms, &asserted).map(Plain::Witness);
        }
        let mut core: Vec<Term> = asserted.split_off(count);
        let mut at = 0;
        while at < core.len() && core.len() <= SMALL_CORE {
            let mut fewer = core.clone();
            fewer.remove(at);
            let all = [&asserted[..], &fewer].concat();
            match impossible(terms, &all) {
                true => core = fewer,
                false => at += 1,
            }
        }
        core.sort_unstable();
        core.dedup();
        Some(Plain::Impossible(core))
    }
}

impl Solver for PlainSolver {
    fn push(&mut self) {
        self.scopes.push(Vec::new());
        self.solver.push();
    }

    fn pop(&mut self, n: usize) {
        let left = self.scopes.len().saturating_sub(n).max(1);
        self.scopes.truncate(left);
        self.solver.pop(n);
    }

    fn assert(&mut self, terms: &Terms, t: Term) {
        self.same_arena(terms);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(t);
        }
        self.solver.assert(terms, t);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        let start = Instant::now();
        self.found = self.plain(terms, assumptions);
        let answer = match self.found {
            Some(Plain::Impossible(_)) => Answer::Unsat,
            Some(Plain::Witness(_)) => Answer::Sat,
            None => {
                self.statistics.time += start.elapsed();
                return self.solver.check(terms, assumptions);
            }
        };
        self.statistics.record(&answer, start.elapsed());
        answer
    }

    fn model(&mut self, terms: &Terms, variables: &[Term]) -> Result<Model, SolverError> {
        let mut model = match &self.found {
            None => return self.solver.model(terms, variables),
            Some(Plain::Witness(model)) => model.clone(),
            Some(Plain::Impossible(_)) => {
                return Err(SolverError::NoModel("the last answer was unsat".into()))
            }
        };
        for &v in variables {
            if model.get(v).is_none() {
                model.insert(v, Value::zero(terms.sort(v)));
            }
        }
        Ok(model)
    }

    fn core(&mut self) -> Vec<Term> {
        match &self.found {
            Some(Plain::Impossible(core)) => core.clone(),
            Some(Plain::Witness(_)) => Vec::new(),
            None => self.solver.core(),
        }
    }

    fn set_minimal_cores(&mut self, minimal: bool) {
        self.solver.set_minimal_cores(minimal);
    }

    fn set_limit(&mut self, limit: Limit) {
        self.solver.set_limit(limit);
    }

    fn statistics(&self) -> Statistics {
        let (own, asked) = (self.statistics, self.solver.statistics());
        Statistics {
            queries: own.queries + asked.queries,
            sat: own.sat + asked.sat,
            unsat: own.unsat + asked.unsat,
            unknown: own.unknown + asked.unknown,
            time: own.time + asked.time,
        }
    }

    fn reset(&mut self) {
        self.scopes = vec![Vec::new()];
        self.arena = None;
        self.with.clear();
        self.without.clear();
        self.found = None;
        self.solver.reset();
    }

    fn name(&self) -> String {
        self.solver.name()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Z3Solver;
    use crate::sort::FloatFormat;

    #[test]
    fn what_is_plain_is_not_asked_and_what_is_not_is() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::Float(FloatFormat::F64));
        let number =
            |terms: &mut Terms, n: f64| terms.float_const(FloatFormat::F64, n.to_bits().into());
        let (zero, ten, most) = (
            number(&mut terms, 0.0),
            number(&mut terms, 10.0),
            number(&mut terms, 101.0),
        );
        let inside = [terms.fle(zero, x), terms.fle(x, ten)];
        let square = terms.fmul(x, x);
        let above = terms.flt(most, square);
        let mut solver = PlainSolver::new(Box::new(Z3Solver::new()));
        solver.push();
        solver.assert(&terms, inside[0]);
        let extra = terms.flt(zero, x);
        let answer = solver.check(&terms, &[extra, inside[1], above]);
        assert_eq!(answer, Answer::Unsat);
        let mut wanted = vec![inside[1], above];
        wanted.sort_unstable();
        assert_eq!(solver.core(), wanted, "and not the one that is not needed");
        assert!(solver.model(&terms, &[x]).is_err());
        assert_eq!(solver.solver.statistics().queries, 0);
        assert_eq!(solver.check(&terms, &[extra, inside[1]]), Answer::Sat);
        let model = solver.model(&terms, &[x]).expect("a model");
        assert!(terms.holds(inside[1], &model));
        solver.pop(1);
        assert_eq!(solver.statistics().queries, 2);
    }
}
