//! Before anybody's turn: what earlier checks proved of the same functions is proposed, judged by
//! induction over the steps of this program, and may be a proof already. If it is not, what was kept
//! is what every engine begins with.

use crate::engine::{Progress, Quota, Turn};
use crate::engines::ai::{claim_of_facts, open_block};
use crate::knowledge::{lasting, Knowledge, Request};
use crate::problem::Problem;
use crate::proof::conclude::{proved, violated};
use prova_logic::{new_solver, Limit, SolverConfig};
use prova_task::{Budget, Observer, Statistics, Task};

/// The deterministic limit of one question.
const RESOURCE: u64 = 2_000_000;
/// Questions that judging may take.
const QUESTIONS: u64 = 600;

/// Judges what earlier checks left. A verdict if that decides the problem, and what it took.
pub fn recall<'p>(
    problem: &'p Problem,
    known: &mut Knowledge<'p>,
    task: &Task,
    config: &SolverConfig,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Option<Progress>, Statistics) {
    let mut statistics = Statistics {
        locations: problem.locations(),
        ..Statistics::default()
    };
    if task.candidates.is_empty() {
        return (None, statistics);
    }
    let terms = &mut *problem.terms.borrow_mut();
    let Ok(steps) = problem.steps(terms) else {
        return (None, statistics);
    };
    known.begin(budget);
    statistics.tests = known.forest.count().into();
    if let Some(verdict) = violated(&known.forest) {
        return (Some(verdict), statistics);
    }
    let Ok(mut solver) = new_solver(config) else {
        return (None, statistics);
    };
    solver.set_limit(Limit {
        resource: Some(RESOURCE),
        time: budget.for_a_question(),
    });
    if lasting::propose(problem, steps, terms, known, &task.candidates) == 0 {
        return (None, statistics);
    }
    let mut questions = QUESTIONS;
    let request = Request {
        spoken: &[],
        path: None,
        solver: &mut *solver,
    };
    let learned = known.learn(terms, request, &mut [], || {
        questions = questions.saturating_sub(1);
        questions == 0 || budget.poll().is_some()
    });
    let Ok(learned) = learned else {
        return (None, statistics);
    };
    statistics.learning_calls = learned.kept.calls;
    statistics.candidates = learned.candidates;
    statistics.learned = known.count() as u64;
    statistics.set("facts_recalled", known.count() as u64);
    if observer.explains() {
        observer.explain(&format!(
            "       {} of {} facts of earlier checks hold here, too ({} queries)",
            known.count(),
            learned.candidates,
            learned.kept.calls
        ));
    }
    let open =
        known.count() == 0 || open_block(problem, steps, known, terms, &mut *solver).is_some();
    statistics.learning_calls += 1;
    statistics.solver_time = solver.statistics().time;
    if open || budget.poll().is_some() {
        return (None, statistics);
    }
    let mut claim = claim_of_facts(problem, steps, known, terms);
    let mut turn = Turn {
        terms,
        known,
        quota: Quota::ALL,
        budget,
        observer,
    };
    let concluded = proved(problem, config, &mut turn, &mut claim, &mut statistics);
    match concluded {
        // Others may find another proof; what is wrong with this one is not settled by it.
        Progress::Exhausted(_) => (None, statistics),
        done => (Some(done), statistics),
    }
}
