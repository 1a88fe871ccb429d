//! The one way to conclude: a [`Verdict`] is made here and nowhere else. *Proved* is said once every
//! step was proved again by a solver that knows nothing of the search, nothing unmodelled lies in
//! the way, and something gets past every place where tests were stopped by undefined behaviour. *Violated* is said once the test ran,
//! and ran again on the program before anything was inlined or sliced.

use super::recheck::Flaw;
use crate::engine::{Progress, Turn};
use crate::problem::Problem;
use crate::testing::forest::Forest;
use prova_ir::Span;
use prova_logic::{new_solver, Limit, Solver, SolverConfig, Terms};
use prova_task::outcome::Bounded;
use prova_task::{Contract, Invariant, Manner, Outcome, Proof, Statistics, Stop, Unknown};

/// An answer with evidence that was checked.
pub struct Verdict(Outcome);

impl Verdict {
    /// The answer.
    pub fn outcome(self) -> Outcome {
        self.0
    }
}

/// A set of states that claims to be closed under the program's steps, without an error in it.
pub trait Claim {
    /// Proves every step again. Gives the number of questions.
    fn recheck(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<u64, Flaw>;

    /// Something unmodelled on a step that the claimed states may take.
    fn unmodelled(&self) -> Option<(String, Span)>;

    /// Why what it says is a proof.
    fn manner(&self) -> Manner {
        Manner::Inductive
    }

    /// What holds where; and in procedures that were not inlined.
    fn says(&mut self, terms: &mut Terms) -> (Vec<Invariant>, Vec<Contract>);
}

/// Concludes that no run reaches an error, if the claim holds.
pub fn proved(
    problem: &Problem,
    config: &SolverConfig,
    turn: &mut Turn,
    claim: &mut dyn Claim,
    statistics: &mut Statistics,
) -> Progress {
    match prove(problem, config, turn, claim, statistics) {
        Ok(verdict) => Progress::Done(verdict),
        Err(unknown) => Progress::Exhausted(unknown),
    }
}

fn prove(
    problem: &Problem,
    config: &SolverConfig,
    turn: &mut Turn,
    claim: &mut dyn Claim,
    statistics: &mut Statistics,
) -> Result<Verdict, Unknown> {
    let budget = turn.budget;
    let stopped = || Unknown::Stopped(budget.poll().unwrap_or(Stop::Time));
    let failed = |e: prova_logic::SolverError| Unknown::CheckFailed(e.to_string());
    let mut fresh = new_solver(config).map_err(failed)?;
    fresh.set_limit(Limit {
        resource: None,
        time: budget.for_a_question(),
    });
    let mut stop = || budget.poll().is_some();
    let checked = claim.recheck(turn.terms, &mut *fresh, &mut stop);
    statistics.solver_time += fresh.statistics().time;
    statistics.certify_calls = checked.map_err(|flaw| match flaw {
        Flaw::Interrupted => stopped(),
        flaw if budget.poll().is_some() => {
            drop(flaw);
            stopped()
        }
        flaw => Unknown::CheckFailed(flaw.to_string()),
    })?;
    // What a marker does is not known: nothing behind it is proved.
    if let Some((what, span)) = claim.unmodelled() {
        return Err(Unknown::Unmodelled {
            what,
            span: Some(span),
        });
    }
    if let Some((trap, span)) = turn.known.forest.dead_end() {
        return Err(Unknown::Undecided {
            edges: 1,
            reason: format!("no test gets past undefined behaviour ({trap})"),
            span: Some(span),
        });
    }
    let (invariants, contracts) = claim.says(turn.terms);
    Ok(Verdict(Outcome::Proved(Box::new(Proof {
        program: problem.prepared.program.clone(),
        passes: problem.prepared.passes.clone(),
        terms: std::mem::take(turn.terms),
        invariants,
        contracts,
        manner: claim.manner(),
        ends: None,
    }))))
}

/// Concludes that no run reaches an error that takes some loops for no more than so many rounds. It
/// is no proof, so nobody is asked to check it; what it says has to be said of every such answer.
pub fn bounded(bounded: Bounded) -> Verdict {
    Verdict(Outcome::Bounded(bounded))
}

/// Concludes that a run reaches an error, if a test of the forest did and does so again on the
/// program as it was written.
pub fn violated(forest: &Forest) -> Option<Progress> {
    let (number, span) = forest.failing()?;
    Some(match forest.judge(number, span) {
        Ok(violation) => Progress::Done(Verdict(Outcome::Violated(Box::new(violation)))),
        Err(unknown) => Progress::Exhausted(unknown),
    })
}
