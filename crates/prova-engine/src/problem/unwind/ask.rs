//! One question about all paths: to a solver that makes bits of it where that is possible, and to the
//! usual one where it is not.

use super::arrays::flat;
use crate::problem::encoding::Encoding;
use prova_logic::{
    new_solver, Answer, Limit, Model, Op, Solver, SolverChoice, SolverConfig, Sort, Term, Terms,
    UnknownReason, Z3Solver,
};
use std::time::Duration;

/// Questions of at most so many terms are put to the usual solver first, for so much.
const SMALL: usize = 1_000;
const SHORT: u64 = 1_000_000;

/// What came of a question.
pub enum Found {
    /// It can be, and this is how.
    Model(Model),
    /// It cannot be.
    Never,
    /// Nobody knows.
    Open(String),
}

/// Who asks, and what it took.
pub struct Asker<'p> {
    encoding: &'p Encoding,
    config: SolverConfig,
    /// Questions asked.
    pub questions: u64,
    /// Time that answers took.
    pub time: Duration,
}

impl<'p> Asker<'p> {
    /// Asks a solver.
    pub fn new(encoding: &'p Encoding, config: SolverConfig) -> Asker<'p> {
        Asker {
            encoding,
            config,
            questions: 0,
            time: Duration::ZERO,
        }
    }

    /// Whether one of these conditions can hold.
    pub fn any(&mut self, terms: &mut Terms, conditions: &[Term], limit: Limit) -> Found {
        let goal = terms.or(conditions);
        match terms.as_bool(goal) {
            Some(false) => return Found::Never,
            Some(true) => return Found::Model(Model::new()),
            None => {}
        }
        let mut asserted = self.encoding.axioms(terms, &[goal]);
        asserted.push(goal);
        let flat = flat(terms, &asserted);
        let formulas = flat.as_ref().map_or(&asserted, |f| &f.asserted).clone();
        self.questions += 1;
        // Multiplications of few variables are easier as a whole than as bits: a short look first.
        let size = terms.post_order(&formulas).len();
        let mut shapes = vec![(flat.is_some(), limit)];
        if flat.is_some() && size <= SMALL {
            let short = Limit {
                resource: Some(SHORT),
                ..limit
            };
            shapes.insert(0, (false, short));
        }
        let mut solver = None;
        let mut answer = Answer::Unknown(UnknownReason::Resource);
        for (as_bits, limit) in shapes {
            let mut next = match self.solver(terms, &formulas, as_bits) {
                Ok(solver) => solver,
                Err(error) => return Found::Open(error),
            };
            next.set_limit(limit);
            for &t in &formulas {
                next.assert(terms, t);
            }
            answer = next.check(terms, &[]);
            self.time += next.statistics().time;
            solver = Some(next);
            if matches!(answer, Answer::Sat | Answer::Unsat) {
                break;
            }
        }
        let Some(mut solver) = solver else {
            return Found::Open("nobody was asked".into());
        };
        match answer {
            Answer::Unsat => Found::Never,
            Answer::Unknown(UnknownReason::Error(why)) => Found::Open(why),
            Answer::Unknown(why) => Found::Open(why.to_string()),
            Answer::Sat => {
                let variables = terms.free_vars_of(&formulas);
                match solver.model(terms, &variables) {
                    Err(error) => Found::Open(error.to_string()),
                    Ok(model) => Found::Model(match &flat {
                        Some(flat) => flat.with_arrays(terms, model),
                        None => model,
                    }),
                }
            }
        }
    }

    fn solver(
        &self,
        terms: &Terms,
        formulas: &[Term],
        as_bits: bool,
    ) -> Result<Box<dyn Solver>, String> {
        let plain = self.config.choice == SolverChoice::Z3 && self.config.log.is_none();
        if plain && as_bits {
            let floats = terms
                .post_order(formulas)
                .into_iter()
                .any(|t| matches!(terms.sort(t), Sort::Float(_)) || terms.op(t) == Op::FloatToBits);
            let tactic = if floats { "qffpbv" } else { "qfbv" };
            if let Some(solver) = Z3Solver::with_tactic(tactic) {
                return Ok(Box::new(solver));
            }
        }
        new_solver(&self.config).map_err(|e| e.to_string())
    }
}
