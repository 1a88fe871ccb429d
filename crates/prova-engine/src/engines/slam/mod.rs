//! SLAM: predicate abstraction with predicates for the whole program, model checking of the Boolean
//! program, and predicates from the paths that turn out not to exist (Ball, Rajamani, *The SLAM
//! Project: Debugging System Software via Static Analysis*, POPL 2002; *Automatically Validating
//! Temporal Safety Properties of Interfaces*, SPIN 2001).
//!
//! An iteration: the program is abstracted by the predicates so far ([`program`], the paper's C2bp);
//! the Boolean program's states are found with decision diagrams ([`bebop`]); if an error is among
//! them, the path to it is run or refuted, and where it is refuted forward symbolic execution gives
//! new predicates (Newton: Ball, Rajamani, *Generating Abstract Explanations of Spurious
//! Counterexamples in C Programs*, 2002). If nothing new comes of that the abstraction is made more
//! precise: Boolean instead of Cartesian. A predicate holds everywhere once it is found, so a program whose
//! control depends on few facts takes few iterations, and a loop that counts takes one a round.
//!
//! It works on the program as one procedure, all calls inlined: there are no summaries of
//! procedures here.
//!
//! | file | what it holds |
//! |---|---|
//! | [`program`] | the Boolean program of some predicates |
//! | [`bebop`] | what it reaches |
//! | [`mod@print`] | the Boolean program as text |
//! | this | the search |

pub mod bebop;
pub mod print;
pub mod program;

use crate::engine::{Engine, Progress, Quota, Search, Turn};
use crate::engines::lazy::domain::Abstraction;
use crate::engines::lazy::questions::Questions;
use crate::interpolation::along::{Backward, Forward};
use crate::interpolation::formula::Core;
use crate::interpolation::suspect::{Examined, Examiner};
use crate::interpolation::{lasting, Interpolate, Question};
use crate::knowledge::Knowledge;
use crate::problem::blocks::{BlockId, Granularity};
use crate::problem::names::Names;
use crate::problem::{Problem, Steps};
use crate::proof::conclude::{proved, violated};
use crate::proof::inductive::Inductive;
use crate::reach::flow::Flow;
use bebop::{Bebop, Reached};
use program::{Abstractor, BooleanProgram, Lists};
use prova_logic::{SolverConfig, Term, Terms};
use prova_task::prepare::{prepare_as, Form};
use prova_task::{Budget, Silent, Statistics, Stop, Task, Unknown};

/// Larger predicates are not taken, in nodes.
const LARGEST: usize = 200;

/// The engine and its parameters.
#[derive(Clone, Debug, Default)]
pub struct Slam {
    /// Its solver.
    pub solver: SolverConfig,
    /// What combinations of predicates are kept.
    pub abstraction: Abstraction,
}

impl Engine for Slam {
    fn name(&self) -> &'static str {
        "slam"
    }

    fn begin<'p>(
        &self,
        problem: &'p Problem,
        terms: &mut Terms,
    ) -> Result<Box<dyn Search<'p> + 'p>, Unknown> {
        Ok(Box::new(SlamSearch::new(self, problem, terms)?))
    }
}

/// A search, between its turns.
struct SlamSearch<'p> {
    engine: Slam,
    problem: &'p Problem,
    steps: &'p Steps,
    flow: Flow,
    examiner: Examiner<'p>,
    questions: Questions,
    predicates: Vec<Term>,
    lists: Lists,
    /// What combinations are kept now.
    abstraction: Abstraction,
    /// The last Boolean program.
    program: BooleanProgram,
    statistics: Statistics,
}

impl<'p> SlamSearch<'p> {
    fn new(
        engine: &Slam,
        problem: &'p Problem,
        terms: &mut Terms,
    ) -> Result<SlamSearch<'p>, Unknown> {
        let steps = problem.steps(terms)?;
        Ok(SlamSearch {
            engine: engine.clone(),
            problem,
            steps,
            flow: Flow::new(&steps.blocks),
            examiner: Examiner::new(problem, steps, &engine.solver)?,
            questions: Questions::default(),
            predicates: Vec::new(),
            lists: Lists::default(),
            abstraction: engine.abstraction,
            program: BooleanProgram::default(),
            statistics: Statistics {
                locations: problem.locations(),
                ..Statistics::default()
            },
        })
    }
}

impl<'p> Search<'p> for SlamSearch<'p> {
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        turn.known.begin(turn.budget);
        self.statistics.tests = turn.known.forest.count().into();
        if let Some(verdict) = violated(&turn.known.forest) {
            return verdict;
        }
        // Facts that hold in all runs are predicates that cost nothing to find.
        for cutpoint in self.steps.blocks.cutpoints() {
            for fact in turn.known.facts(cutpoint).to_vec() {
                self.add(turn.terms, fact.term);
            }
        }
        self.examiner.limit(turn.budget);
        let rounds = turn.quota.iterations_over(self.statistics.locations);
        let last_round = self.statistics.iterations.saturating_add(rounds);
        while self.statistics.iterations < last_round {
            let ended = self.abstracted(turn).or_else(|| self.checked(turn));
            if let Some(progress) = ended {
                return progress;
            }
        }
        Progress::Working
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

impl<'p> SlamSearch<'p> {
    /// Makes the Boolean program of the predicates so far.
    fn abstracted(&mut self, turn: &mut Turn<'_, 'p>) -> Option<Progress> {
        let budget = turn.budget;
        self.statistics.iterations += 1;
        let mut abstractor = Abstractor {
            problem: self.problem,
            steps: self.steps,
            solver: &mut *self.examiner.solver,
            questions: &mut self.questions,
            lists: &mut self.lists,
            abstraction: self.abstraction,
        };
        let stop = || budget.poll().is_some();
        let Some(program) = abstractor.abstracted(turn.terms, &self.predicates, stop) else {
            return Some(stopped(budget));
        };
        self.program = program;
        let asked = self.questions.count;
        self.statistics.set("predicate_questions", asked);
        let count = self.predicates.len() as u64;
        self.statistics.set("predicates", count);
        self.statistics.solver_time = self.examiner.solver.statistics().time;
        turn.observer.progress(&self.statistics);
        None
    }

    /// Checks the Boolean program, and refines it.
    fn checked(&mut self, turn: &mut Turn<'_, 'p>) -> Option<Progress> {
        let budget = turn.budget;
        let bebop = Bebop::new(&self.program, &self.flow);
        let path = match bebop.search(|| budget.poll().is_some()) {
            Reached::Stopped => return Some(stopped(budget)),
            Reached::Error(path) => path,
            Reached::Closed(reached) => {
                let mut cases = Vec::new();
                for states in &reached {
                    let t = bebop.term(turn.terms, &self.predicates, states);
                    cases.push(match turn.terms.as_bool(t) {
                        Some(false) => Vec::new(),
                        Some(true) => vec![Vec::new()],
                        None => vec![turn.terms.conjuncts(t)],
                    });
                }
                let mut claim = Inductive::new(self.problem, self.steps, cases);
                self.statistics.solver_time = self.examiner.solver.statistics().time;
                self.statistics.regions = reached.len() as u64;
                return Some(proved(
                    self.problem,
                    &self.engine.solver,
                    turn,
                    &mut claim,
                    &mut self.statistics,
                ));
            }
        };
        match self.examiner.examine(turn, &path, &mut self.statistics) {
            Examined::Ended(progress) => Some(progress),
            Examined::Impossible(core) => self.refine(turn, &path, &core),
        }
    }

    /// Newton: predicates from a path that cannot be run, or else more of those there are.
    fn refine(
        &mut self,
        turn: &mut Turn<'_, 'p>,
        path: &[BlockId],
        core: &Core,
    ) -> Option<Progress> {
        let before = self.predicates.len();
        let question = Question::impossible(turn.terms, path);
        // The conditions that exclude each other, then the values that do.
        for &condition in core.guards.iter().flatten() {
            self.add(turn.terms, condition);
        }
        let ways: [&mut dyn Interpolate; 2] = [&mut Forward::default(), &mut Backward];
        for way in ways {
            if self.predicates.len() > before {
                break;
            }
            let mut desk = self.examiner.desk(turn.terms);
            let sequence = way.propose(&mut desk, &question, core);
            // It need not hold: a predicate is a question that a program is asked.
            for t in sequence.into_iter().flatten().flatten() {
                self.add(turn.terms, t);
            }
        }
        self.explain(turn, path, before);
        if self.predicates.len() > before {
            self.statistics.splits += (self.predicates.len() - before) as u64;
            return None;
        }
        // What each predicate says by itself is not enough.
        let before = std::mem::replace(&mut self.abstraction, Abstraction::Boolean);
        (before == Abstraction::Boolean).then(|| {
            Progress::Exhausted(match turn.budget.poll() {
                Some(stop) => Unknown::Stopped(stop),
                None => Unknown::Undecided {
                    edges: 1,
                    reason: "predicates do not exclude a path that cannot be run".into(),
                    span: None,
                },
            })
        })
    }

    /// Adds a predicate, unless it or its negation is there.
    fn add(&mut self, terms: &mut Terms, t: Term) {
        let atom = match terms.op(t) {
            prova_logic::Op::Not => terms.children(t)[0],
            _ => t,
        };
        let fits = terms.as_bool(atom).is_none()
            && terms.size(atom) <= LARGEST
            && lasting(self.problem, terms, atom);
        if fits && !self.predicates.contains(&atom) {
            self.predicates.push(atom);
        }
    }

    fn explain(&self, turn: &mut Turn, path: &[BlockId], before: usize) {
        if !turn.observer.explains() {
            return;
        }
        let names = Names {
            prepared: &self.problem.prepared,
            terms: turn.terms,
        };
        let new = names.facts(&self.predicates[before..]);
        turn.observer.explain(&format!(
            "{:>5}  {before} predicates; a path of {} blocks cannot be run; new: {new}",
            self.statistics.iterations,
            path.len(),
        ));
    }
}

fn stopped(budget: &Budget) -> Progress {
    let stop = budget.poll().unwrap_or(Stop::Time);
    Progress::Exhausted(Unknown::Stopped(stop))
}

/// The last Boolean program of a search that goes on for at most so many iterations, as text, and
/// how many iterations it took.
pub fn boolean_program(
    engine: &Slam,
    task: &Task,
    granularity: Granularity,
    budget: &Budget,
    iterations: u64,
) -> Result<(String, u64), Unknown> {
    let problem = Problem::new(prepare_as(&task.program, Form::USUAL)?, granularity);
    let mut known = Knowledge::new(&problem, task)?;
    let mut terms = problem.terms.borrow_mut();
    let mut search = SlamSearch::new(engine, &problem, &mut terms)?;
    let mut turn = Turn {
        terms: &mut terms,
        known: &mut known,
        quota: Quota::ALL,
        budget,
        observer: &mut Silent,
    };
    turn.known.begin(budget);
    search.examiner.limit(budget);
    let mut text = String::new();
    while search.statistics.iterations < iterations && search.abstracted(&mut turn).is_none() {
        // A proof takes the terms with it: what is to be printed is printed before.
        text = print::print(&problem, search.steps, turn.terms, &search.program);
        if search.checked(&mut turn).is_some() {
            break;
        }
    }
    Ok((text, search.statistics.iterations))
}
