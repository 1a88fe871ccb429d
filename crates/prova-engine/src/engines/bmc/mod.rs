//! Bounded model checking: the program unwound, and one question about all of its paths (Clarke,
//! Kroening, Lerda: A Tool for Checking ANSI-C Programs, TACAS 2004).
//!
//! A violation is a test, which the machine runs. If there is none, it is asked whether some run
//! takes a loop further than it was followed. If none does, everything was looked at: that is a
//! proof, with the rounds of each loop as its certificate. Otherwise loops that go on are followed
//! further, up to the bound that somebody chose; and if they still go on, the answer is *bounded*: no
//! violation within so many rounds, and never *proved*.
//!
//! Loops whose end constants decide are followed to it, whatever the bound is.

pub mod bounds;
pub mod claim;

use crate::engine::{Engine, Progress, Quota, Search, Turn};
use crate::problem::blocks::Cutpoint;
use crate::problem::unwind::ask::{Asker, Found};
use crate::problem::unwind::{Limits, Stopped, Unwinding, Unwound};
use crate::problem::{Problem, Steps};
use crate::proof::conclude::{bounded, proved, violated};
use crate::testing::forest::Real;
use bounds::Bounds;
use claim::Unrolled;
use prova_ir::Span;
use prova_logic::{Limit, Model, SolverConfig, Term, Terms};
use prova_task::outcome::{Bounded, BoundedLoop};
use prova_task::{Budget, Statistics, Unknown};
use std::collections::BTreeMap;

/// Rounds after which a loop would have ended by itself, if constants end it; and places visited to
/// find that out.
const SURVEYED: u64 = 300;
const SURVEY: u64 = 20_000;
/// Rounds that a loop without a bound is followed at first, in small programs and in others, and how
/// much further each time.
const FIRST_IF_SMALL: u64 = 10;
const SMALL: usize = 3_000;
const FIRST: u64 = 3;
const FURTHER: u64 = 4;
/// Rounds that a loop without a bound is followed at most.
const MOST: u64 = 4_000;
/// Places visited in one unwinding at most.
const VISITS: u64 = 400_000;

/// The engine and its parameters.
#[derive(Clone, Debug, Default)]
pub struct Bmc {
    /// Its solver.
    pub solver: SolverConfig,
    /// How far loops are followed.
    pub bounds: Bounds,
}

/// A search, which others can begin with.
pub struct BmcSearch<'p> {
    problem: &'p Problem,
    steps: &'p Steps,
    config: SolverConfig,
    bounds: Bounds,
    /// The program, for as far as it was unwound.
    pub unwinding: Unwinding<'p>,
    /// Who asks.
    pub asker: Asker<'p>,
    /// How far each loop is followed; none are known before the survey.
    rounds: Option<BTreeMap<Cutpoint, u64>>,
    /// What is known to hold so far.
    last: Option<Bounded>,
    /// What it took.
    pub statistics: Statistics,
}

/// What came of one unwinding.
pub enum Looked {
    /// There is an answer, or none to be had.
    Ended(Progress),
    /// No error, but these loops go further than so many rounds.
    Further(BTreeMap<Cutpoint, u64>),
}

impl Engine for Bmc {
    fn name(&self) -> &'static str {
        "bmc"
    }

    fn begin<'p>(
        &self,
        problem: &'p Problem,
        terms: &mut Terms,
    ) -> Result<Box<dyn Search<'p> + 'p>, Unknown> {
        Ok(Box::new(self.search(problem, terms)?))
    }
}

impl Bmc {
    /// Begins a search.
    pub fn search<'p>(
        &self,
        problem: &'p Problem,
        terms: &mut Terms,
    ) -> Result<BmcSearch<'p>, Unknown> {
        let steps = problem.steps(terms)?;
        Ok(BmcSearch {
            problem,
            steps,
            config: self.solver.clone(),
            bounds: self.bounds.clone(),
            unwinding: Unwinding::new(terms, problem, steps),
            asker: Asker::new(&problem.encoding, self.solver.clone()),
            rounds: None,
            last: None,
            statistics: Statistics {
                locations: problem.locations(),
                ..Statistics::default()
            },
        })
    }
}

impl<'p> Search<'p> for BmcSearch<'p> {
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        turn.known.begin(turn.budget);
        self.statistics.tests = turn.known.forest.count().into();
        if let Some(verdict) = violated(&turn.known.forest) {
            return verdict;
        }
        let quota = turn.quota.iterations.max(turn.quota.least_iterations);
        let last = self.statistics.iterations.saturating_add(quota);
        while self.statistics.iterations < last {
            self.statistics.iterations += 1;
            let progress = self.round(turn);
            turn.observer.progress(&self.statistics);
            if let Some(progress) = progress {
                return progress;
            }
        }
        Progress::Working
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

impl<'p> BmcSearch<'p> {
    /// Where a loop begins.
    fn span(&self, head: Cutpoint) -> Span {
        let location = self.steps.blocks.locations[head.index()];
        let body = self.problem.prepared.body();
        location.map_or(Span::NONE, |l| body.location(l).span)
    }

    /// Unwinds the program once more, and asks. `None` if it has to be unwound further.
    fn round(&mut self, turn: &mut Turn<'_, 'p>) -> Option<Progress> {
        let heads = self.steps.blocks.cutpoints();
        let heads = heads.filter(|&c| self.unwinding.order.is_head(c));
        let chosen: BTreeMap<Cutpoint, Option<u64>> = heads
            .map(|c| (c, self.bounds.at(&self.problem.prepared, self.span(c))))
            .collect();
        let going = match self.look(turn, &|head| chosen[&head]) {
            Looked::Ended(progress) => return Some(progress),
            Looked::Further(going) => going,
        };
        let mut loops: Vec<BoundedLoop> = going
            .iter()
            .map(|(&head, &rounds)| BoundedLoop {
                span: self.span(head),
                rounds,
            })
            .collect();
        loops.sort_unstable();
        // A loop that was inlined several times is one loop for its author: the least counts.
        loops.dedup_by_key(|l| l.span);
        self.last = Some(Bounded { loops });
        let free = |head: &Cutpoint| chosen[head].is_none();
        let mut again = false;
        for (head, rounds) in going.into_iter().filter(|(head, _)| free(head)) {
            if rounds < MOST {
                let known = self.rounds.get_or_insert_with(BTreeMap::new);
                known.insert(head, rounds.max(FIRST) * FURTHER);
                again = true;
            }
        }
        (!again).then(|| self.conclude())
    }

    /// Unwinds the program, each loop for the rounds that are given or those it was found to need so
    /// far, and asks.
    pub fn look(
        &mut self,
        turn: &mut Turn<'_, 'p>,
        chosen: &dyn Fn(Cutpoint) -> Option<u64>,
    ) -> Looked {
        let looked = self.look_at(turn, chosen);
        self.statistics.solver_calls = self.asker.questions;
        self.statistics.solver_time = self.asker.time;
        match looked {
            Ok(going) => Looked::Further(going),
            Err(progress) => Looked::Ended(progress),
        }
    }

    /// Unwinds the program without a question, to see which loops constants end. These are followed
    /// as far as they go from now on, others for few rounds at first.
    fn survey(&mut self, turn: &mut Turn<'_, 'p>) -> BTreeMap<Cutpoint, u64> {
        let budget = turn.budget;
        let heads = self.steps.blocks.cutpoints();
        let heads: Vec<Cutpoint> = heads.filter(|&c| self.unwinding.order.is_head(c)).collect();
        let mut try_with = |unwinding: &mut Unwinding<'p>, rounds: &BTreeMap<Cutpoint, u64>| {
            let limits = Limits {
                rounds: &|head| rounds[&head],
                visits: SURVEY,
                stop: &mut || budget.poll().is_some(),
            };
            unwinding.unwind(turn.terms, limits)
        };
        let all = |n: u64| heads.iter().map(|&h| (h, n)).collect::<BTreeMap<_, _>>();
        let mut rounds = all(FIRST);
        // Loops that go on are followed less and less far, until the program is followed at all.
        for far in [SURVEYED, 40] {
            let mut so_far = all(far);
            for _ in 0..3 {
                match try_with(&mut self.unwinding, &so_far) {
                    Err(_) => break,
                    Ok(unwound) => {
                        let before = so_far.clone();
                        for (head, _, _) in &unwound.further {
                            so_far.insert(*head, FIRST_IF_SMALL);
                        }
                        if so_far == before {
                            let small = unwound.visits.len() <= SMALL;
                            let going_on = so_far.values_mut().filter(|n| **n <= FIRST_IF_SMALL);
                            if !small {
                                going_on.for_each(|n| *n = FIRST);
                            }
                            self.rounds = Some(so_far.clone());
                            return so_far;
                        }
                    }
                }
            }
        }
        rounds.values_mut().for_each(|n| *n = FIRST);
        self.rounds = Some(rounds.clone());
        rounds
    }

    fn look_at(
        &mut self,
        turn: &mut Turn<'_, 'p>,
        chosen: &dyn Fn(Cutpoint) -> Option<u64>,
    ) -> Result<BTreeMap<Cutpoint, u64>, Progress> {
        let budget = turn.budget;
        let rounds = match self.rounds.clone() {
            Some(rounds) => rounds,
            None => self.survey(turn),
        };
        let known = self.last.is_some();
        let unwound = self.unwinding.unwind(
            turn.terms,
            Limits {
                rounds: &|head| {
                    let first = || rounds.get(&head).copied().unwrap_or(FIRST);
                    chosen(head).unwrap_or_else(first)
                },
                visits: VISITS,
                stop: &mut || budget.poll().is_some() || known && is_late(budget),
            },
        );
        let unwound = unwound.map_err(|stopped| self.end(turn, stopped))?;
        self.statistics.set("visits", unwound.visits.len() as u64);
        self.statistics.set("terms", turn.terms.len() as u64);
        if turn.observer.explains() {
            turn.observer.explain(&format!(
                "{:>5}  {} places, {} errors and {} loops that may go further",
                self.statistics.iterations,
                unwound.visits.len(),
                unwound.errors.len(),
                unwound.further.len(),
            ));
        }
        let errors: Vec<Term> = unwound.errors.iter().map(|e| e.1).collect();
        // Where all may be over, one question is enough to know it.
        let further = unwound.further.iter().map(|f| f.2);
        let all: Vec<Term> = errors.iter().copied().chain(further).collect();
        if all.len() > errors.len() && unwound.unmodelled.is_empty() && self.last.is_none() {
            match self.asker.any(turn.terms, &all, self.limit(turn)) {
                Found::Never => return Err(self.proved(turn, &unwound)),
                Found::Model(model) if errors.iter().any(|&e| turn.terms.holds(e, &model)) => {
                    return Err(self.test(turn, &unwound, model, &errors));
                }
                _ => {}
            }
        }
        match self.asker.any(turn.terms, &errors, self.limit(turn)) {
            Found::Open(reason) => return Err(self.open(turn, reason)),
            Found::Model(model) => return Err(self.test(turn, &unwound, model, &errors)),
            Found::Never => {}
        }
        // What a marker does is not known, so nothing is known of what lies behind it.
        for ((what, span), when) in &unwound.unmodelled {
            match self.asker.any(turn.terms, &[*when], self.limit(turn)) {
                Found::Never => {}
                Found::Open(reason) => return Err(self.open(turn, reason)),
                Found::Model(_) => {
                    return Err(Progress::Exhausted(Unknown::Unmodelled {
                        what: what.clone(),
                        span: Some(*span),
                    }))
                }
            }
        }
        let going = self.going_further(turn, &unwound);
        let going = going.map_err(|reason| self.open(turn, reason))?;
        if !going.is_empty() {
            return Ok(going);
        }
        Err(self.proved(turn, &unwound))
    }

    /// Concludes that every run was followed to its end.
    fn proved(&mut self, turn: &mut Turn<'_, 'p>, unwound: &Unwound) -> Progress {
        let order = &self.unwinding.order;
        let mut claim = Unrolled::new(self.problem, self.steps, order, unwound);
        let (problem, statistics) = (self.problem, &mut self.statistics);
        proved(problem, &self.config, turn, &mut claim, statistics)
    }

    /// The loops that runs take further than they were followed, with the rounds that were.
    fn going_further(
        &mut self,
        turn: &mut Turn<'_, 'p>,
        unwound: &Unwound,
    ) -> Result<BTreeMap<Cutpoint, u64>, String> {
        let mut going: BTreeMap<Cutpoint, u64> = BTreeMap::new();
        loop {
            let open = unwound.further.iter();
            let open: Vec<&(Cutpoint, u64, Term)> =
                open.filter(|f| !going.contains_key(&f.0)).collect();
            let conditions: Vec<Term> = open.iter().map(|f| f.2).collect();
            let limit = self.limit(turn);
            match self.asker.any(turn.terms, &conditions, limit) {
                Found::Never => return Ok(going),
                Found::Open(reason) => return Err(reason),
                Found::Model(model) => {
                    let before = going.len();
                    for (head, rounds, when) in open {
                        if turn.terms.holds(*when, &model) {
                            let least = going.entry(*head).or_insert(*rounds);
                            *least = (*least).min(*rounds);
                        }
                    }
                    if going.len() == before {
                        return Err("a model that is none".into());
                    }
                }
            }
        }
    }

    /// A model as a test, and what the machine makes of it.
    fn test(
        &mut self,
        turn: &mut Turn<'_, 'p>,
        unwound: &Unwound,
        model: Model,
        errors: &[Term],
    ) -> Progress {
        let taken = unwound.path(turn.terms, &model);
        let edges = taken.blocks.iter();
        let edges = edges.flat_map(|&b| self.steps.blocks.block(b).edges.iter().copied());
        let real = Real {
            query: errors
                .iter()
                .copied()
                .filter(|&e| turn.terms.holds(e, &model))
                .collect(),
            model,
            start: taken.start,
            inputs: taken.inputs,
            edges: edges.collect(),
        };
        let undecided = |reason: String| {
            Progress::Exhausted(Unknown::Undecided {
                edges: 1,
                reason,
                span: None,
            })
        };
        let forest = &mut turn.known.forest;
        let test = match forest.test_along(turn.terms, &real) {
            Ok(test) => test,
            Err(reason) => return undecided(reason),
        };
        let number = forest.add(test, turn.budget.remaining());
        self.statistics.tests += 1;
        violated(forest).unwrap_or_else(|| undecided(forest.why_not(number)))
    }

    /// What can be said when the solver gives up.
    fn open(&mut self, turn: &Turn<'_, 'p>, reason: String) -> Progress {
        // Another turn may have more room for the same question.
        if turn.quota.resource != Quota::ALL.resource && turn.budget.poll().is_none() {
            return Progress::Working;
        }
        if self.last.is_some() {
            return self.conclude();
        }
        Progress::Exhausted(match turn.budget.poll() {
            Some(stop) => Unknown::Stopped(stop),
            None => Unknown::Undecided {
                edges: 1,
                reason,
                span: None,
            },
        })
    }

    /// What can be said when there is too much to unwind.
    fn end(&mut self, turn: &Turn<'_, 'p>, stopped: Stopped) -> Progress {
        match stopped {
            Stopped::Asked => self.open(turn, "stopped".into()),
            Stopped::Visits if self.last.is_some() => self.conclude(),
            Stopped::Visits => Progress::Exhausted(Unknown::Undecided {
                edges: 1,
                reason: format!("more than {VISITS} places to visit"),
                span: None,
            }),
        }
    }

    /// The limit of a question: time to say what is known is kept.
    fn limit(&self, turn: &Turn<'_, 'p>) -> Limit {
        turn.quota.limit(match self.last {
            None => turn.budget.for_a_question(),
            Some(_) => turn.budget.remaining().map(|left| left * 3 / 4),
        })
    }

    fn conclude(&mut self) -> Progress {
        let last = self.last.take().expect("something is known");
        Progress::Done(bounded(last))
    }
}

/// Whether what is left of the time is little beside what was used.
fn is_late(budget: &Budget) -> bool {
    budget
        .remaining()
        .is_some_and(|left| left < budget.elapsed() / 8)
}
