//! Engines by turns: searches on shared problems, each with what is known of it, until one of them
//! decides.
//!
//! A plan is data: whose turn it is, and how much it may do. A program that recurses is two
//! problems: procedure by procedure for engines that take it so, and for the others as one procedure
//! that is followed as if it never went deep (a run that does ends in an error location of its own,
//! so that a proof is one for all depths).

pub mod accept;
pub mod exchange;
pub mod look;
pub mod other;
pub mod recall;
pub mod turns;

use crate::engine::{Engine, Progress, Quota, Search, Turn};
use crate::engines::dash::Dash;
use crate::engines::values::Values;
use crate::knowledge::{lasting, Knowledge};
use crate::problem::Problem;
use crate::registry::{self, Settings};
use exchange::{Note, Side};
use look::Look;
use prova_task::prepare::{prepare_as, procedures, Form, Prepared, Unprepared};
use prova_task::{
    Budget, Checker, Inline, Observer, Outcome, Proof, Report, Scope, Statistics, Task, Unknown,
};
use turns::{Planned, NOT_DEEP};

/// Engines by turns, as [`turns`] says.
#[derive(Clone, Debug, Default)]
pub struct Auto {
    /// What may be chosen about them.
    pub settings: Settings,
}

impl Checker for Auto {
    fn name(&self) -> &'static str {
        registry::AUTO.0
    }

    fn check(&self, task: &Task, budget: &Budget, observer: &mut dyn Observer) -> Report {
        let made = turns::ENGINES.map(|name| {
            registry::engine(name, &self.settings).expect("plans name engines of the registry")
        });
        let engines: Vec<&dyn Engine> = made.iter().map(|e| &**e).collect();
        let never = self.settings.inline == Inline::Never;
        Portfolio {
            engines: &engines,
            one: never.then_some(turns::DASH),
            several: match self.settings.side() {
                _ if never => turns::DASH,
                Side::First => NOT_DEEP,
                Side::Second => other::NOT_DEEP,
            },
            settings: &self.settings,
        }
        .check(task, budget, observer)
    }
}

/// An engine by itself.
pub fn alone(
    engine: &dyn Engine,
    settings: &Settings,
    task: &Task,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Report {
    let plan = [Planned {
        engine: 0,
        quota: settings.quota.unwrap_or(Quota::ALL),
    }];
    Portfolio {
        engines: &[engine],
        one: Some(&plan),
        several: &plan,
        settings,
    }
    .check(task, budget, observer)
}

/// Two engines, one behind the other: the first has one turn, the second as many as it likes, with
/// what the first left.
pub struct After<'e> {
    /// Who begins.
    pub first: &'e dyn Engine,
    /// How much it may do.
    pub quota: Quota,
    /// Who goes on.
    pub then: &'e dyn Engine,
    /// What may be chosen about them.
    pub settings: Settings,
}

impl Checker for After<'_> {
    fn name(&self) -> &'static str {
        self.then.name()
    }

    fn check(&self, task: &Task, budget: &Budget, observer: &mut dyn Observer) -> Report {
        let plan = [(0, self.quota), (1, Quota::ALL)];
        let plan = plan.map(|(engine, quota)| Planned { engine, quota });
        Portfolio {
            engines: &[self.first, self.then],
            one: Some(&plan),
            several: &plan,
            settings: &self.settings,
        }
        .check(task, budget, observer)
    }
}

impl Checker for Dash {
    fn name(&self) -> &'static str {
        Engine::name(self)
    }

    fn check(&self, task: &Task, budget: &Budget, observer: &mut dyn Observer) -> Report {
        let settings = Settings {
            granularity: self.granularity,
            inline: self.inline,
            sources: self.sources,
            ..Settings::default()
        };
        alone(self, &settings, task, budget, observer)
    }
}

impl Checker for Values {
    fn name(&self) -> &'static str {
        Engine::name(self)
    }

    fn check(&self, task: &Task, budget: &Budget, observer: &mut dyn Observer) -> Report {
        alone(self, &Settings::default(), task, budget, observer)
    }
}

/// Engines and the order of their turns.
struct Portfolio<'e> {
    engines: &'e [&'e dyn Engine],
    /// The plan for a program that is one procedure; if there is none, what it looks like decides.
    one: Option<&'e [Planned]>,
    /// The plan for one that recurses.
    several: &'e [Planned],
    settings: &'e Settings,
}

impl Portfolio<'_> {
    fn check(&self, task: &Task, budget: &Budget, observer: &mut dyn Observer) -> Report {
        let mut statistics = Statistics::default();
        let mut decided = self.decide(task, true, budget, observer, &mut statistics);
        // What fails on a slice of the program may be no run of it, as what the slice left out
        // ends it: then once more without slicing.
        if matches!(decided.0, Outcome::Unknown(Unknown::CheckFailed(_))) {
            let first = std::mem::take(&mut statistics);
            let again = self.decide(task, false, budget, observer, &mut statistics);
            statistics.add_time_of(&first);
            if !matches!(again.0, Outcome::Unknown(Unknown::Unsupported { .. })) {
                decided = again;
            }
        }
        Report::at_end(budget, statistics, decided)
    }

    /// The problems of a task: for engines of one procedure, and for those of several.
    fn problems(&self, task: &Task, sliced: bool) -> Result<Problems, Unknown> {
        let problem = |prepared: Prepared| {
            // Facts from tests speak of what loops were entered with.
            let entered = self.settings.sources.tests.then(|| prepared.with_entries());
            let prepared = entered.flatten().unwrap_or(prepared);
            Problem::new(prepared, self.settings.granularity)
        };
        let usual = Form {
            sliced,
            ..Form::USUAL
        };
        let recursive = match (self.settings.inline, prepare_as(&task.program, usual)) {
            (Inline::Always, Ok(prepared)) => {
                return Ok(Problems {
                    one: Ok(problem(prepared)),
                    several: None,
                })
            }
            (Inline::Always, Err(Unprepared::Recursion(_))) | (Inline::Never, _) => Form {
                sliced,
                ..Form::NOT_DEEP
            },
            (Inline::Always, Err(other)) => return Err(other.into()),
        };
        let one = match self.settings.inline {
            Inline::Always => prepare_as(&task.program, recursive),
            Inline::Never => Err(Unprepared::Other("several procedures".into())),
        };
        Ok(Problems {
            one: one.map(problem).map_err(Unknown::from),
            several: Some(Problem::new(
                procedures::prepare(&task.program)?,
                self.settings.granularity,
            )),
        })
    }

    fn decide(
        &self,
        task: &Task,
        sliced: bool,
        budget: &Budget,
        observer: &mut dyn Observer,
        statistics: &mut Statistics,
    ) -> (Outcome, Scope) {
        match self.problems(task, sliced) {
            Err(unknown) => (Outcome::Unknown(unknown), Scope::default()),
            Ok(problems) => self.take_turns(task, &problems, budget, observer, statistics),
        }
    }

    fn take_turns(
        &self,
        task: &Task,
        problems: &Problems,
        budget: &Budget,
        observer: &mut dyn Observer,
        statistics: &mut Statistics,
    ) -> (Outcome, Scope) {
        let mut one = Room::new(problems.one.as_ref().map_err(Clone::clone), task);
        let mut several = problems.several.as_ref().map(|p| Room::new(Ok(p), task));
        let plan = match several {
            None => self.one.unwrap_or_else(|| match &problems.one {
                Ok(problem) => {
                    let look = Look::at(&problem.prepared);
                    match self.settings.side() {
                        Side::First => turns::plan(look),
                        Side::Second => other::plan(look),
                    }
                }
                Err(_) => turns::DASH,
            }),
            Some(_) => self.several,
        };
        let (recalled, judging) = match (&one.problem, &mut one.known) {
            (Ok(problem), Ok(known)) => {
                let config = &self.settings.solver;
                recall::recall(problem, known, task, config, budget, observer)
            }
            _ => (None, Statistics::default()),
        };
        if let Some(Progress::Done(verdict)) = recalled {
            let outcome = verdict.outcome();
            if let Ok(outcome) = self.accepted(task, &one, "recall", outcome, budget, observer) {
                *statistics = judging;
                return (outcome, one.scope().unwrap_or_default());
            }
        }
        let mut searches: Vec<Running> = self.engines.iter().map(|_| Running::Waiting).collect();
        let mut last = Unknown::TurnsOver;
        let mut decided = None;
        let mut turn_of = None;
        for planned in plan {
            let engine = self.engines[planned.engine];
            let room = match &mut several {
                Some(room) if engine.takes_procedures() => room,
                _ => &mut one,
            };
            let running = &mut searches[planned.engine];
            if observer.explains() && turn_of.replace(planned.engine) != Some(planned.engine) {
                room.announce(engine.name(), running, observer);
            }
            room.take_in(self.settings, budget);
            let progress = room.advance(engine, running, planned.quota, budget, observer);
            // A proof takes the arena along, and there is nobody left to tell.
            if !matches!(progress, Progress::Done(_)) {
                room.post(self.settings);
            }
            match progress {
                Progress::Working => {}
                Progress::Exhausted(unknown) => {
                    *running = Running::Ended(running.statistics());
                    let settled = matches!(unknown, Unknown::CheckFailed(_));
                    last = unknown;
                    if settled || budget.poll().is_some() {
                        decided = Some((planned.engine, Outcome::Unknown(last.clone())));
                        break;
                    }
                }
                Progress::Done(verdict) => match verdict.outcome() {
                    // Others may say more than that.
                    Outcome::Bounded(_) if self.engines.len() > 1 => {
                        *running = Running::Ended(running.statistics());
                    }
                    outcome => {
                        let name = engine.name();
                        match self.accepted(task, room, name, outcome, budget, observer) {
                            Ok(outcome) => {
                                decided = Some((planned.engine, outcome));
                                break;
                            }
                            Err(unknown) => {
                                *running = Running::Ended(running.statistics());
                                last = unknown;
                            }
                        }
                    }
                },
            }
        }
        let stop = budget.poll().map(Unknown::Stopped);
        let (engine, outcome) = decided.unwrap_or_else(|| {
            let engine = plan.last().map_or(0, |p| p.engine);
            (engine, Outcome::Unknown(stop.unwrap_or(last)))
        });
        *statistics = searches[engine].statistics();
        statistics.add_time_of(&judging);
        statistics.counters.extend(judging.counters);
        for (other, search) in searches.iter().enumerate() {
            if other != engine {
                statistics.add_time_of(&search.statistics());
            }
        }
        let rooms = [Some(&one), several.as_ref()];
        let of_several = several.is_some() && self.engines[engine].takes_procedures();
        let scope = rooms[usize::from(of_several)].and_then(Room::scope);
        (outcome, scope.unwrap_or_default())
    }
}

impl Portfolio<'_> {
    /// An outcome that may end the search. A proof that is not accepted may not: its arena goes back
    /// to the others, who go on. An engine by itself has nobody who could.
    fn accepted(
        &self,
        task: &Task,
        room: &Room,
        name: &str,
        outcome: Outcome,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Unknown> {
        let proof = match outcome {
            Outcome::Proved(proof) if self.engines.len() > 1 => proof,
            other => return Ok(other),
        };
        let half = budget.share(2);
        let Err(why) = self.settings.accept.judge(task, &proof, &half) else {
            return Ok(Outcome::Proved(proof));
        };
        room.take_back(*proof);
        if observer.explains() {
            observer.explain(&format!("       {name}: its proof is not accepted: {why}"));
        }
        Err(Unknown::Certificate(why))
    }
}

/// The forms of a program that engines work on.
struct Problems {
    one: Result<Problem, Unknown>,
    several: Option<Problem>,
}

/// A problem and what is known of it.
struct Room<'p> {
    problem: Result<&'p Problem, Unknown>,
    known: Result<Knowledge<'p>, Unknown>,
    /// How much of a board was read, and how many tests and facts there were at the last post.
    read: usize,
    posted: (u32, usize),
}

/// A search, or what is left of it.
enum Running<'p> {
    Waiting,
    Search(Box<dyn Search<'p> + 'p>),
    Ended(Statistics),
}

impl Running<'_> {
    fn statistics(&self) -> Statistics {
        match self {
            Running::Waiting => Statistics::default(),
            Running::Search(search) => search.statistics().clone(),
            Running::Ended(statistics) => statistics.clone(),
        }
    }
}

impl<'p> Room<'p> {
    fn new(problem: Result<&'p Problem, Unknown>, task: &Task) -> Room<'p> {
        let known = problem.clone().and_then(|p| Knowledge::new(p, task));
        Room {
            problem,
            known,
            read: 0,
            posted: (0, 0),
        }
    }

    /// Runs the tests that somebody who works at the same time has left, and proposes the facts.
    fn take_in(&mut self, settings: &Settings, budget: &Budget) {
        let (Some(exchange), Ok(problem), Ok(known)) =
            (&settings.exchange, &self.problem, &mut self.known)
        else {
            return;
        };
        known.begin(budget);
        let mut facts = Vec::new();
        for note in exchange.news(&mut self.read) {
            match note {
                Note::Test(given) if known.forest.failing().is_none() => {
                    known.forest.add_given(&given, budget.remaining());
                }
                Note::Test(_) => {}
                Note::Fact(fact) => facts.push(fact),
            }
        }
        let terms = &mut *problem.terms.borrow_mut();
        if facts.is_empty() || !problem.prepared.is_one_procedure() {
            return;
        }
        if let Ok(steps) = problem.steps(terms) {
            lasting::propose(problem, steps, terms, known, &facts);
        }
    }

    /// Leaves new tests and facts for somebody who works at the same time.
    fn post(&mut self, settings: &Settings) {
        let (Some(exchange), Ok(problem), Ok(known)) =
            (&settings.exchange, &self.problem, &self.known)
        else {
            return;
        };
        let new = known.forest.tests_from(self.posted.0);
        new.into_iter()
            .for_each(|test| exchange.post(Note::Test(test)));
        let before = std::mem::replace(&mut self.posted, (known.forest.count(), known.count()));
        let terms = &mut *problem.terms.borrow_mut();
        if before.1 == known.count() || !problem.prepared.is_one_procedure() {
            return;
        }
        if let Ok(steps) = problem.steps(terms) {
            let here = |c| vec![known.facts(c).iter().map(|f| f.term).collect()];
            let cases = steps.blocks.cutpoints().map(here).collect();
            let invariants = steps.blocks.invariants(&problem.prepared, cases);
            let told = lasting::told(&problem.prepared, terms, &invariants);
            told.into_iter()
                .for_each(|fact| exchange.post(Note::Fact(fact)));
        }
    }

    fn advance(
        &mut self,
        engine: &dyn Engine,
        running: &mut Running<'p>,
        quota: Quota,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Progress {
        let (problem, known) = match (&self.problem, &mut self.known) {
            (Ok(problem), Ok(known)) => (*problem, known),
            (Err(unknown), _) => return Progress::Exhausted(unknown.clone()),
            (_, Err(unknown)) => return Progress::Exhausted(unknown.clone()),
        };
        let terms = &mut *problem.terms.borrow_mut();
        if let Running::Waiting = running {
            *running = match engine.begin(problem, terms) {
                Ok(search) => Running::Search(search),
                Err(unknown) => return Progress::Exhausted(unknown),
            };
        }
        let Running::Search(search) = running else {
            // What ended does not go on.
            return Progress::Working;
        };
        search.advance(&mut Turn {
            terms,
            known,
            quota,
            budget,
            observer,
        })
    }

    /// Takes back the arena that a proof went away with: the others go on with it.
    fn take_back(&self, proof: Proof) {
        if let Ok(problem) = &self.problem {
            *problem.terms.borrow_mut() = proof.terms;
        }
    }

    /// Says who takes over, and what there is for it.
    fn announce(&self, name: &str, running: &Running, observer: &mut dyn Observer) {
        if let (Ok(known), false) = (&self.known, matches!(running, Running::Ended(_))) {
            observer.explain(&format!(
                "       {name}: {} tests and {} facts are known",
                known.forest.count(),
                known.count()
            ));
        }
    }

    fn scope(&self) -> Option<Scope> {
        let (Ok(problem), Ok(known)) = (&self.problem, &self.known) else {
            return None;
        };
        let mut scope = problem.prepared.scope();
        known.forest.complete_scope(&mut scope, &problem.prepared);
        Some(scope)
    }
}
