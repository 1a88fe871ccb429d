//! Two searches at once (`--parallel`): each has a thread, a plan of its own and an arena of its own,
//! and the first answer counts. They leave each other tests, and nothing else.
//!
//! An answer counts as it does for one search: a proof ends a search only once the checker has
//! accepted its certificate, a violation once its test was run again. A search that panics is left out
//! and the other goes on. Who loses is told to stop, and may be in the middle of a question that nobody
//! can interrupt: it is left to itself, and ends with the process.

use std::io::Write;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{channel, Sender};
use std::sync::Arc;

use prova_engine::{registry, Exchange, Settings};
use prova_task::{
    check_modelled, Budget, Focus, Observer, Outcome, Report, Scope, Statistics, Task, Unknown,
};

/// Bytes of stack for each search: what the main thread of a process has, and more.
const STACK: usize = 64 << 20;

/// A search that can work on a thread of its own.
type Search = Box<dyn FnOnce(&Budget, &mut dyn Observer) -> Report + Send>;

/// Has both plans of `auto` decide a task at the same time.
pub fn decide(
    settings: &Settings,
    task: &Arc<Task>,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Report {
    let side = |exchange: Exchange| -> Search {
        let settings = Settings {
            exchange: Some(exchange),
            ..settings.clone()
        };
        let task = task.clone();
        Box::new(move |budget, observer| {
            let (name, _) = registry::AUTO;
            let engine = registry::checker(name, &settings).expect("it is in the registry");
            check_modelled(&*engine, &task, budget, observer)
        })
    };
    race(Exchange::pair().map(side).into(), budget, observer)
}

/// What a search says while it works.
enum Said {
    Explanation(String),
    Progress(Box<Statistics>),
    Focus(Focus),
    /// Its end; nothing where it panicked.
    End(Option<Box<Report>>),
}

/// Takes the first answer of several searches; if nobody has one, what the first of them says.
fn race(searches: Vec<Search>, budget: &Budget, observer: &mut dyn Observer) -> Report {
    let over = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = channel();
    for (number, search) in searches.into_iter().enumerate() {
        let mut speaker = Speaker {
            number,
            explains: observer.explains(),
            sender: sender.clone(),
        };
        let budget = budget.until(over.clone());
        // One that cannot be started is one that does not answer.
        let _ = std::thread::Builder::new()
            .name(format!("search-{}", number + 1))
            .stack_size(STACK)
            .spawn(move || {
                // Nothing of the search is used after a panic.
                let report = catch_unwind(AssertUnwindSafe(|| search(&budget, &mut speaker)));
                speaker.say(Said::End(report.ok().map(Box::new)));
            });
    }
    drop(sender);
    let mut undecided: Option<(usize, Box<Report>)> = None;
    // Progress is that of one search, as long as it works.
    let mut shown = 0;
    for (number, said) in receiver {
        match said {
            Said::Explanation(line) => observer.explain(&format!("{}| {line}", number + 1)),
            Said::Progress(statistics) if number == shown => observer.progress(&statistics),
            Said::Focus(focus) if number == shown => observer.focus(&focus),
            Said::Progress(_) | Said::Focus(_) => {}
            Said::End(Some(report)) => {
                if matches!(report.outcome, Outcome::Proved(_) | Outcome::Violated(_)) {
                    over.store(true, Ordering::Relaxed);
                    return *report;
                }
                shown = usize::from(number == 0);
                if undecided.as_ref().is_none_or(|(other, _)| number < *other) {
                    undecided = Some((number, report));
                }
            }
            Said::End(None) => {
                shown = usize::from(number == 0);
                let _ = writeln!(
                    std::io::stderr(),
                    "prova: one of two searches ended in an internal error"
                );
            }
        }
    }
    undecided.map_or_else(nobody, |(_, report)| *report)
}

/// The report of searches that all panicked.
fn nobody() -> Report {
    let why = "every search ended in an internal error".into();
    Report {
        outcome: Outcome::Unknown(Unknown::CheckFailed(why)),
        statistics: Statistics::default(),
        scope: Scope::default(),
    }
}

/// Passes on what a search says. Nobody listens any more when another one has answered.
struct Speaker {
    number: usize,
    explains: bool,
    sender: Sender<(usize, Said)>,
}

impl Speaker {
    fn say(&self, said: Said) {
        let _ = self.sender.send((self.number, said));
    }
}

impl Observer for Speaker {
    fn explain(&mut self, line: &str) {
        self.say(Said::Explanation(line.to_string()));
    }

    fn explains(&self) -> bool {
        self.explains
    }

    fn progress(&mut self, statistics: &Statistics) {
        self.say(Said::Progress(Box::new(statistics.clone())));
    }

    fn focus(&mut self, focus: &Focus) {
        self.say(Said::Focus(*focus));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prova_ir::{DataModel, Program};
    use prova_task::{Silent, Stop};

    fn unknown(unknown: Unknown) -> Report {
        Report {
            outcome: Outcome::Unknown(unknown),
            ..nobody()
        }
    }

    fn proved() -> Report {
        let program = Arc::new(Program::new(DataModel::Lp64));
        Report {
            outcome: Outcome::Proved(Box::new(prova_task::Proof {
                program,
                passes: Vec::new(),
                terms: Default::default(),
                invariants: Vec::new(),
                contracts: Vec::new(),
                manner: prova_task::Manner::Inductive,
                ends: None,
            })),
            ..nobody()
        }
    }

    /// Works until it is told to stop.
    fn waits() -> Search {
        Box::new(|budget, _| loop {
            if let Some(stop) = budget.poll() {
                return unknown(Unknown::Stopped(stop));
            }
            std::thread::yield_now();
        })
    }

    #[test]
    fn the_first_answer_ends_the_other_search() {
        let (told, heard) = channel();
        let loser: Search = Box::new(move |budget, observer| {
            let report = waits()(budget, observer);
            told.send(budget.poll()).expect("somebody waits for it");
            report
        });
        let won = race(
            vec![loser, Box::new(|_, _| proved())],
            &Budget::unlimited(),
            &mut Silent,
        );
        assert!(matches!(won.outcome, Outcome::Proved(_)));
        assert_eq!(heard.recv().expect("it ends"), Some(Stop::Cancelled));
    }

    #[test]
    fn a_search_that_dies_leaves_the_other() {
        for dead in [0, 1] {
            let dies: Search = Box::new(|_, _| panic!("killed"));
            let mut both: Vec<Search> = vec![Box::new(|_, _| proved())];
            both.insert(dead, dies);
            let report = race(both, &Budget::unlimited(), &mut Silent);
            assert!(matches!(report.outcome, Outcome::Proved(_)), "{dead}");
        }
    }

    #[test]
    fn nobody_who_gives_up_or_dies_decides_anything() {
        let gives_up: Search = Box::new(|_, _| unknown(Unknown::TurnsOver));
        let dies: Search = Box::new(|_, _| panic!("killed"));
        let report = race(vec![dies, gives_up], &Budget::unlimited(), &mut Silent);
        assert!(matches!(
            report.outcome,
            Outcome::Unknown(Unknown::TurnsOver)
        ));
        let dies = || -> Search { Box::new(|_, _| panic!("killed")) };
        let report = race(vec![dies(), dies()], &Budget::unlimited(), &mut Silent);
        assert!(matches!(
            report.outcome,
            Outcome::Unknown(Unknown::CheckFailed(_))
        ));
    }
}
