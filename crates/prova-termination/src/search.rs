//! The order of things: runs whose state comes again; measures, chosen by what tests show and refuted
//! by what engines find; sets of states that are never left; a search by solvers for states that come
//! again; the same measures where no operation overflows; a count of all rounds.
//!
//! Each of these has its turn with little effort first, and then again with more. Effort is counted in
//! steps, rounds and the solver's own measure, so that the same program takes the same way however
//! loaded a machine is; the clock ends the whole and divides nothing.

use crate::forever;
use crate::measures::Turn;
use crate::reading::Reading;
use crate::shape::Circle;
use prova_exec::Test;
use prova_ir::{Assumption, Span};
use prova_rank::{Ranking, Subject};
use prova_task::proof::Proof;
use prova_task::{
    check_modelled, Budget, Checker, Observer, Outcome, Report, Scope, Statistics, Task, Unknown,
};

/// What is asked.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// Whether this program ends.
    pub task: &'a Task,
    /// The same program with an error wherever an operation has no result in C.
    pub defined: Option<&'a Task>,
    /// Whether runs may be taken to be over where an operation overflows.
    pub overflow_ends: bool,
    /// Who is asked, the least effort first.
    pub efforts: &'a [Effort],
    /// Labels of loops that may run for ever.
    pub may_run_forever: &'a [String],
    /// Only this loop is asked about, by its place in [`crate::shape::circles`]: the others may run for
    /// ever.
    pub only: Option<usize>,
}

/// Engines that do no more than they were told to: asked one after the other.
pub struct Effort {
    /// Who decides about error locations.
    pub engines: Vec<Box<dyn Checker>>,
    /// Who does where there are several loops.
    pub several: Vec<Box<dyn Checker>>,
    /// Who does where procedures call themselves.
    pub procedures: Vec<Box<dyn Checker>>,
    /// Who is asked for runs that come back to where they were, and for short ones.
    pub unwinding: Vec<Box<dyn Checker>>,
}

/// What is answered.
pub struct Answer {
    /// The verdict.
    pub report: Report,
    /// The program that its evidence speaks of: with checks of measures, or with a count of rounds.
    pub task: Task,
    /// The measures of a proof.
    pub ranking: Ranking,
    /// Whether the proof is one for [`Question::defined`].
    pub defined: bool,
    /// For a run that never ends without coming back to where it was: the program whose ends are
    /// errors, and the proof that there are none. Nothing is shown before that is certified.
    pub closed: Option<(Task, Box<Proof>)>,
}

/// A bound on all rounds together.
pub(crate) const COUNT: u64 = 1 << 20;
/// Steps of a run in which a state that comes again is looked for.
pub(crate) const STEPS: u64 = 100_000;

/// By effort: how often measures are chosen anew (some programs have none in one reading, and every
/// choice is refuted there), and how often others are tried where nobody could decide.
const PATIENCE: [(usize, usize); 3] = [(6, 1), (15, 2), (40, 2)];

/// Whether a program ends.
pub fn check(question: Question, budget: &Budget, observer: &mut dyn Observer) -> Answer {
    let Some(plain) = Reading::of(&question, question.task, false) else {
        let what = "this program".to_owned();
        return unknown(question.task, Unknown::Unsupported { what, span: None });
    };
    let mut search = Search {
        question,
        tests: forever::tests(plain.base.seed),
        plain,
        other: None,
        statistics: Statistics::default(),
        scope: Scope::default(),
        budget,
        wraps_for_ever: false,
    };
    let answer = search.run(observer);
    search.finish(answer)
}

fn unknown(task: &Task, why: Unknown) -> Answer {
    Answer {
        report: of(Outcome::Unknown(why)),
        task: task.clone(),
        ranking: Ranking::default(),
        defined: false,
        closed: None,
    }
}

pub(crate) fn of(outcome: Outcome) -> Report {
    Report {
        outcome,
        statistics: Statistics::default(),
        scope: Scope::default(),
    }
}

pub(crate) fn open(reason: &str, span: Option<Span>) -> Unknown {
    Unknown::Undecided {
        edges: 0,
        reason: reason.to_owned(),
        span,
    }
}

/// A search that goes on.
pub(crate) struct Search<'a> {
    pub question: Question<'a>,
    /// Tests to begin with.
    pub tests: Vec<Test>,
    /// The program as machines run it.
    pub plain: Reading,
    /// The program whose runs are over where an operation overflows, once somebody wants it.
    other: Option<Reading>,
    pub statistics: Statistics,
    pub scope: Scope,
    budget: &'a Budget,
    /// Whether a run was seen that never ends, with an operation that overflows on its way. It is no
    /// violation; but nobody should be told that there is none.
    pub wraps_for_ever: bool,
}

/// What has a turn in every effort, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Measures for the program as machines run it.
    Wrapping,
    /// Sets of states that are never left.
    Closed,
    /// States that come again, which solvers look for.
    Seek,
    /// Measures where no operation overflows.
    Ending,
    /// A count of all rounds.
    Count,
}

const STAGES: [Stage; 5] = [
    Stage::Wrapping,
    Stage::Closed,
    Stage::Seek,
    Stage::Ending,
    Stage::Count,
];

impl Search<'_> {
    fn run(&mut self, observer: &mut dyn Observer) -> Answer {
        for test in self.tests.clone() {
            if self.budget.poll().is_some() {
                break;
            }
            if let Some(found) = self.cycle(&test, STEPS) {
                return found;
            }
            self.statistics.tests += 1;
            self.plain.learn(&test);
        }
        let mut why = open("nothing was tried", None);
        let only_one = self.question.efforts.len() == 1;
        let efforts = self.question.efforts.iter().enumerate();
        let turns = efforts.flat_map(|(i, effort)| STAGES.map(|stage| (i, effort, stage)));
        // Numbers of rounds say less than measures: these have been tried before.
        let turns = turns.filter(|(i, _, stage)| *stage != Stage::Count || *i > 0 || only_one);
        for (i, effort, stage) in turns {
            if let Some(stop) = self.budget.poll() {
                // What the first one said is more than that.
                if (i, stage) == (0, Stage::Wrapping) {
                    why = Unknown::Stopped(stop);
                }
                break;
            }
            let budget = self.budget;
            let (trials, others) = match only_one {
                true => PATIENCE[PATIENCE.len() - 1],
                false => PATIENCE[i.min(PATIENCE.len() - 1)],
            };
            let mut turn = Turn {
                effort,
                trials,
                others,
                budget,
                observer: &mut *observer,
            };
            let result = match stage {
                Stage::Wrapping => self.wrapping(&mut turn),
                Stage::Closed => self.closed(effort, others + 1, budget, turn.observer),
                Stage::Seek => self.seek(effort, budget, turn.observer),
                Stage::Ending => self.ending(&mut turn),
                Stage::Count => self.count(&mut turn),
            };
            match result {
                Ok(answer) => return answer,
                Err(reason) => {
                    if observer.explains() {
                        observer.explain(&format!("       {i}, {stage:?}: {reason}"));
                    }
                    // Where measures fail says most.
                    let stopped = matches!(reason, Unknown::Stopped(_));
                    if stage == Stage::Wrapping && (i == 0 || !stopped) {
                        why = reason;
                    }
                }
            }
        }
        if let (Unknown::Stopped(_) | Unknown::TurnsOver, Some(stop)) = (&why, self.budget.poll()) {
            why = Unknown::Stopped(stop);
        }
        unknown(self.question.task, why)
    }

    /// Measures for the program as machines run it.
    fn wrapping(&mut self, turn: &mut Turn) -> Result<Answer, Unknown> {
        let mut reading = self.plain.clone();
        let result = self.measures(&mut reading, turn);
        self.plain.rounds = reading.rounds;
        result
    }

    /// Measures for runs in which no operation overflows.
    fn ending(&mut self, turn: &mut Turn) -> Result<Answer, Unknown> {
        if self.wraps_for_ever {
            let nobody = "there are runs that go on for ever once an operation overflows";
            return Err(open(nobody, None));
        }
        let mut reading = match self.other.take() {
            Some(reading) => reading,
            None => self.where_nothing_overflows()?,
        };
        let result = self.measures(&mut reading, turn);
        self.other = Some(reading);
        let mut answer = result?;
        answer.defined = true;
        answer.task.assumed.push(Assumption::Overflow);
        answer.report.scope.assumptions.push(Assumption::Overflow);
        Ok(answer)
    }

    /// The other reading, with what tests show of it.
    fn where_nothing_overflows(&self) -> Result<Reading, Unknown> {
        let task = self.question.defined;
        let task = task.filter(|_| self.question.overflow_ends);
        let reading = task.and_then(|task| Reading::of(&self.question, task, true));
        let mut reading = reading.ok_or_else(|| open("there is no other reading", None))?;
        // Checks for overflows are no guards of the program.
        let plain = &self.plain.circles;
        let same = |(a, b): (&Circle, &Circle)| a.subject == b.subject;
        if plain.len() != reading.circles.len() || !plain.iter().zip(&reading.circles).all(same) {
            return Err(open("the loops are others where nothing overflows", None));
        }
        for (circle, own) in reading.circles.iter_mut().zip(plain) {
            circle.terms.clone_from(&own.terms);
            circle.costs.clone_from(&own.costs);
        }
        for test in &self.tests {
            reading.learn(test);
        }
        Ok(reading)
    }

    /// The answer with what it took.
    fn finish(self, mut answer: Answer) -> Answer {
        let mut statistics = self.statistics;
        statistics.time = self.budget.elapsed();
        answer.report.statistics = statistics;
        if !matches!(answer.report.outcome, Outcome::Proved(_)) {
            let scope = &mut answer.report.scope;
            *scope = self.scope;
            if scope.assumptions.is_empty() {
                scope.assumptions = self.question.task.assumed.clone();
                scope.markers = self.question.task.unmodelled.clone();
            }
        }
        answer
    }
}

/// What the first engine says that decides a task.
pub(crate) fn asked(
    engines: &[Box<dyn Checker>],
    task: &Task,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Report {
    let mut last: Option<Report> = None;
    for engine in engines {
        let mut report = check_modelled(&**engine, task, budget, observer);
        if let Some(before) = &last {
            report.statistics.add_time_of(&before.statistics);
        }
        let open = matches!(report.outcome, Outcome::Unknown(_) | Outcome::Bounded(_));
        if !open || budget.poll().is_some() {
            return report;
        }
        last = Some(report);
    }
    last.unwrap_or_else(|| of(Outcome::Unknown(Unknown::TurnsOver)))
}

/// That a circle has no measure.
pub(crate) fn no_measure(circle: &Circle) -> Unknown {
    let what = match &circle.subject {
        Subject::Loop(..) => "no measure was found for this loop".to_owned(),
        Subject::Call(name) => format!("no measure was found for the calls of `{name}`"),
    };
    open(&what, Some(circle.span))
}
