//! Whether conditions can hold together: asked once, and of what matters to them alone.

use crate::problem::encoding::Encoding;
use prova_logic::{Answer, Op, Solver, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Questions after which the solver begins anew.
const SOLVER_LIFE: u64 = 256;

/// The questions so far, with their answers.
#[derive(Debug, Default)]
pub struct Questions {
    answers: FxHashMap<Vec<Term>, bool>,
    /// How many the solver was asked.
    pub count: u64,
}

impl Questions {
    /// Whether conditions can hold beside a context, of which only what shares variables with them
    /// is asked: the rest is taken to be possible. So is what the solver leaves open.
    pub fn possible(
        &mut self,
        encoding: &Encoding,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        context: &[Term],
        conditions: &[Term],
    ) -> bool {
        let mut key = conditions.to_vec();
        let mut spoken: FxHashSet<Term> = terms.free_vars_of(&key).into_iter().collect();
        let mut silent: Vec<Term> = context.to_vec();
        loop {
            let before = silent.len();
            silent.retain(|&t| {
                let variables = terms.free_vars(t);
                let joins = variables.iter().any(|v| spoken.contains(v));
                if joins {
                    key.push(t);
                    spoken.extend(variables);
                }
                !joins
            });
            if silent.len() == before {
                break;
            }
        }
        key.retain(|&t| terms.op(t) != Op::True);
        key.sort_unstable();
        key.dedup();
        if key.contains(&terms.fals()) {
            return false;
        }
        let mut parts = key.iter();
        if parts.any(|&t| key.binary_search(&terms.not(t)).is_ok()) {
            return false;
        }
        if let Some(&known) = self.answers.get(&key) {
            return known;
        }
        let axioms = encoding.axioms(terms, &key);
        self.count += 1;
        if self.count.is_multiple_of(SOLVER_LIFE) {
            solver.reset();
        }
        solver.push();
        for &t in key.iter().chain(&axioms) {
            solver.assert(terms, t);
        }
        let possible = solver.check(terms, &[]) != Answer::Unsat;
        solver.pop(1);
        self.answers.insert(key, possible);
        possible
    }
}
