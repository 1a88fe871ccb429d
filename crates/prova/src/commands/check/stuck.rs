//! Engines that do not come back, put through everything that `prova check` does: the watchdog says
//! in their place what is known, once, in the format that was asked for.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use clap::Parser;
use prova_task::{
    Budget, Checker, Observer, Outcome, Report, Scope, Statistics, Stop, Task, Unknown,
};
use serde_json::Value;

use super::{goals, last_word, Decision, Known, Output, Status};
use crate::arguments::{Arguments, Command};
use crate::input;
use crate::watchdog::{guarded_until, Floor};

const SOURCE: &str = "
extern void reach_error(void);
int main(void) { reach_error(); return 0; }
int other(int n) { if (n == 7) reach_error(); return n; }
";

/// What it says of itself before it is stuck.
fn half_way() -> Statistics {
    Statistics {
        iterations: 41,
        tests: 7,
        splits: 3,
        ..Statistics::default()
    }
}

/// It answers so many times that it has no answer, and is stuck then, and Ctrl-C is pressed.
struct Stuck {
    answers: AtomicUsize,
    cancel: Arc<AtomicBool>,
}

impl Checker for Stuck {
    fn name(&self) -> &'static str {
        "stuck"
    }

    fn check(&self, _: &Task, _: &Budget, observer: &mut dyn Observer) -> Report {
        observer.progress(&half_way());
        if self.answers.load(Ordering::Relaxed) == 0 {
            self.cancel.store(true, Ordering::Relaxed);
            loop {
                std::thread::park();
            }
        }
        self.answers.fetch_sub(1, Ordering::Relaxed);
        Report {
            outcome: Outcome::Unknown(Unknown::CheckFailed("half an answer".into())),
            statistics: Statistics::default(),
            scope: Scope::default(),
        }
    }
}

fn parsed(file: &Path, options: &[&str]) -> super::Arguments {
    let mut words = vec!["prova", "check"];
    words.extend(options);
    words.push(file.to_str().expect("a plain path"));
    let parsed = Arguments::try_parse_from(words).expect("arguments");
    match parsed.command {
        Command::Check(arguments) => *arguments,
        _ => panic!("another command"),
    }
}

/// The words of the watchdog, and what the process would end with, if the engine gets stuck after
/// so many answers.
fn spoken(file: &Path, options: &[&str], answers: usize) -> (String, Status) {
    let arguments = parsed(file, options);
    let (sender, receiver) = channel();
    // The thread is left to itself: what is stuck does not end.
    std::thread::spawn(move || {
        let checks = arguments.properties.plan().expect("properties");
        let goals = goals(&arguments, &checks);
        let program = input::load_library(&arguments.sources, false).expect("a program");
        let budget = Budget::unlimited();
        let progress = Mutex::default();
        let words = Mutex::new(Vec::new());
        let speak = |known: &mut Known, stop| {
            let mut out = words.lock().expect("whole");
            let said = last_word(
                &arguments, &goals, "stuck", known, &progress, stop, &mut *out,
            );
            said.expect("words")
        };
        let engine = Stuck {
            answers: AtomicUsize::new(answers),
            cancel: budget.cancel_handle(),
        };
        let work = |floor: &Floor<Known>| {
            let decision = Decision {
                invariants: &[],
                arguments: &arguments,
                goals: &goals,
                program: &program,
                budget: &budget,
                engine: &engine,
                settings: &prova_engine::Settings::default(),
                progress: &progress,
                floor,
            };
            let _ = decision.run(&mut Output::to(Box::new(std::io::sink())));
        };
        let known = Known::nothing(goals.len());
        let words = &words;
        // The sender goes with it: who ends twice is noticed.
        guarded_until(&budget, known, speak, work, move |status| {
            let words = words.lock().expect("whole").clone();
            let _ = sender.send((words, status));
        })
    });
    let (words, status) = receiver.recv().expect("an end");
    assert!(receiver.recv().is_err(), "it ends once");
    (String::from_utf8(words).expect("text"), status)
}

fn with_file(test: impl FnOnce(&Path, &Path)) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, SOURCE).expect("written");
    test(folder.path(), &file);
}

#[test]
fn what_is_known_of_a_stuck_search_is_said_in_every_format() {
    with_file(|folder, file| {
        let (text, status) = spoken(file, &[], 0);
        assert_eq!(status, Status::Unknown, "{text}");
        assert!(text.starts_with("unknown: interrupted\n"), "{text}");
        assert!(text.contains("  41 iterations, 7 tests, "), "{text}");
        let answers = text.lines().filter(|l| l.starts_with("unknown"));
        assert_eq!(answers.count(), 1, "{text}");

        let (text, status) = spoken(file, &["--quiet"], 0);
        assert_eq!(
            (text.as_str(), status),
            (
                "unknown: interrupted [unreach-call, main]\n",
                Status::Unknown
            )
        );

        let (text, _) = spoken(file, &["--format", "svcomp"], 0);
        assert_eq!(
            text.lines().next_back(),
            Some("UNKNOWN(interrupted)"),
            "{text}"
        );

        let (text, _) = spoken(file, &["--format", "json"], 0);
        let json: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(json["verdict"], "unknown");
        assert_eq!(json["evidence"]["reason"], "interrupted");
        assert_eq!(json["statistics"]["iterations"], 41);

        let [sarif, page] = ["log.sarif", "page.html"].map(|n| folder.join(n));
        let [s, p] = [&sarif, &page].map(|f| f.to_str().expect("a plain path"));
        spoken(file, &["--sarif", s, "--report", p], 0);
        let sarif = std::fs::read_to_string(sarif).expect("written");
        let sarif: Value = serde_json::from_str(&sarif).expect("JSON");
        assert!(sarif["runs"].is_array(), "{sarif}");
        let page = std::fs::read_to_string(page).expect("written");
        assert!(page.contains("interrupted"));
    });
}

#[test]
fn every_goal_has_an_answer() {
    with_file(|_, file| {
        let several = ["--entry", "main", "--entry", "other"];
        let several = [several.as_slice(), &["--format", "json"]].concat();
        let properties = ["--property", "unreach-call", "--property", "assert"];
        let all = [several.as_slice(), &properties].concat();
        let (text, status) = spoken(file, &all, 1);
        assert_eq!(status, Status::Unknown);
        let json: Value = serde_json::from_str(&text).expect("JSON");
        let checks = json["checks"].as_array().expect("checks");
        let reasons: Vec<&str> = checks
            .iter()
            .map(|c| c["evidence"]["reason"].as_str().expect("a reason"))
            .collect();
        let stopped = "interrupted";
        assert_eq!(reasons, ["check-failed", stopped, stopped, stopped]);
        let iterations = |i: usize| checks[i]["statistics"]["iterations"].as_u64();
        assert_eq!([1, 2, 3].map(iterations), [Some(41), Some(0), Some(0)]);
    });
}

/// It says the first time it sees a task that its time is up, and the second time something else.
struct Late(Mutex<Vec<u64>>);

impl Checker for Late {
    fn name(&self) -> &'static str {
        "late"
    }

    fn check(&self, _: &Task, budget: &Budget, _: &mut dyn Observer) -> Report {
        let mut seen = self.0.lock().expect("whole");
        seen.push(budget.remaining().map_or(0, |left| left.as_secs()));
        let outcome = match seen.len() {
            1 | 3 => Unknown::Stopped(Stop::Time),
            _ => Unknown::CheckFailed("an answer".into()),
        };
        Report {
            outcome: Outcome::Unknown(outcome),
            statistics: Statistics::default(),
            scope: Scope::default(),
        }
    }
}

/// Three goals: the first and the third say that their time is up. Nobody used any of it, so there is
/// more for the first one; the third had all there is.
#[test]
fn time_that_is_left_goes_to_those_that_ran_out_of_it() {
    with_file(|_, file| {
        let properties = ["unreach-call", "assert", "no-overflow"];
        let options: Vec<&str> = properties
            .iter()
            .flat_map(|p| ["--property", p])
            .chain(["--format", "json"])
            .collect();
        let arguments = parsed(file, &options);
        let checks = arguments.properties.plan().expect("properties");
        let goals = goals(&arguments, &checks);
        let program = input::load_library(&arguments.sources, true).expect("a program");
        let engine = Late(Mutex::default());
        let decision = Decision {
            invariants: &[],
            arguments: &arguments,
            goals: &goals,
            program: &program,
            budget: &Budget::new(Some(Duration::from_secs(60_000)), None),
            engine: &engine,
            settings: &prova_engine::Settings::default(),
            progress: &Mutex::default(),
            floor: &Floor::new(Known::nothing(goals.len())),
        };
        let status = decision.run(&mut Output::to(Box::new(std::io::sink())));
        assert_eq!(status.expect("answers"), Status::Unknown);
        let shares = engine.0.lock().expect("whole").clone();
        // A third, a half, and all of what is left; then all of it once more.
        let rounded: Vec<u64> = shares.iter().map(|s| (s + 5_000) / 10_000).collect();
        assert_eq!(rounded, [2, 3, 6, 6], "{shares:?}");
        let held = decision.floor.take();
        let answers = held.known.answers.iter().flatten();
        let lines: Vec<&str> = answers.map(|a| a.line.as_str()).collect();
        let (answered, late) = ("UNKNOWN(check-failed)", "UNKNOWN(timeout)");
        assert_eq!(lines, [answered, answered, late]);
    });
}
