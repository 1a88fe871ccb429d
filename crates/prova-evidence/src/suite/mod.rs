//! The tests of a search as a regression suite: a harness with one file of values per test, a script
//! that builds and runs them all, and the competition's test format.
//!
//! | file | what it holds |
//! |---|---|
//! | [`coverage`] | lines and branches that tests reach |
//! | [`xml`] | the competition's format |
//!
//! Each test carries the exit status that it is expected to end with, as it ended by interpretation;
//! tests that end in undefined behaviour or at a limit are not part of a suite.

pub mod coverage;
pub mod xml;

use crate::build::{quoted, Build};
use crate::copy::{copies, plain_inline};
use crate::harness::{suite_harness, suite_test, Made, Sections, ASSUMED, EXHAUSTED, REACHED};
use crate::recording::{code, is_model, Recording, Returned};
use crate::shown::{shown, Shown};
use crate::supply::{supply, Supply};
use crate::{Scalar, Sources};
use coverage::{Coverage, Reached};
use prova_exec::{At, Code, Given, RunEnd};
use prova_ir::{Expr, Statement};
use prova_spec::Spec;
use prova_task::Task;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A test suite.
pub struct Suite {
    /// The tests, in order.
    pub tests: Vec<SuiteTest>,
    /// What they reach together.
    pub coverage: Coverage,
    /// Tests left out, because how they end is not decided by C.
    pub undefined: usize,
    /// What is to be covered, as the competition writes it; branches unless told.
    pub specification: Option<String>,
}

/// A test of a suite.
pub struct SuiteTest {
    /// Its run and what it was given.
    pub recording: Recording,
    /// The exit status it is expected to end with; `None` if C leaves it open.
    pub status: Option<i32>,
    /// How it ends, for people.
    pub ends: String,
    reached: Reached,
}

/// Time one test may run.
const TIME: Duration = Duration::from_secs(2);
/// Values that may be added to a test for what no function gives.
const UNASKED: usize = 64;

impl SuiteTest {
    /// A test that ends in a way that C describes; else its run.
    pub fn of(code: &Arc<Code>, given: &Given) -> Result<SuiteTest, Box<Recording>> {
        let recording = with_unasked(code, given);
        match status(&recording) {
            None => Err(Box::new(recording)),
            Some(status) => Ok(SuiteTest {
                ends: recording.run.end.describe(&recording.program),
                reached: Reached::of(&recording.run),
                recording,
                status,
            }),
        }
    }
}

impl Suite {
    /// The suite of these tests; `minimise` keeps those only that reach something new, and those
    /// that fail.
    pub fn new(task: &Task, given: &[Given], minimise: bool) -> Result<Suite, String> {
        let code = code(task).map_err(|e| e.to_string())?;
        let mut tests: Vec<SuiteTest> = Vec::new();
        let mut undefined = 0;
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for given in given {
            let tried = SuiteTest::of(&code, given);
            // What a run never asked for makes no difference.
            let run = match &tried {
                Ok(test) => &test.recording.run,
                Err(recording) => &recording.run,
            };
            if !seen.insert(format!("{:?}", Given::of(run))) {
                continue;
            }
            match tried {
                Ok(test) => tests.push(test),
                Err(_) => undefined += 1,
            }
        }
        if minimise {
            tests = minimised(tests);
        }
        let mut reached = Reached::default();
        for test in &tests {
            reached.add(&test.reached);
        }
        Ok(Suite {
            coverage: Coverage::of(&code.program, &reached),
            tests,
            undefined,
            specification: None,
        })
    }

    /// Writes the suite into a folder, which is made if it is not there.
    pub fn write(&self, task: &Task, sources: &Sources, folder: &Path) -> Result<(), String> {
        let said = |e: std::io::Error| format!("{}: {e}", folder.display());
        if !sources.options.per_file.is_empty() {
            return Err(crate::build::DIFFERENT.into());
        }
        std::fs::create_dir_all(folder).map_err(said)?;
        let put = |name: &str, text: &str| std::fs::write(folder.join(name), text).map_err(said);
        let recordings: Vec<&Recording> = self.tests.iter().map(|t| &t.recording).collect();
        let own: Vec<PathBuf> = (0..sources.files.len())
            .map(|i| sources.absolute(i))
            .collect();
        let errors = errors_of(sources);
        let mut made = Made {
            program: &task.program,
            sources,
            errors: errors.as_ref(),
            left: None,
            accesses: false,
            paths: &own,
            how: &[],
        };
        let copies = copies(&made, &recordings).map_err(|e| e.to_string())?;
        let mut paths = own.clone();
        for (n, copy) in copies.iter().enumerate() {
            let name = format!("copy{}.i", n + 1);
            put(&name, &copy.text)?;
            // Beside the harness, which includes it or is compiled with it.
            paths[copy.index] = PathBuf::from(name);
        }
        made.paths = &paths;
        let sections = Sections::of(recordings.iter().copied());
        for (i, test) in self.tests.iter().enumerate() {
            let values = suite_test(&made, &test.recording, sections);
            let text = format!("/* {}: {} */\n{values}", name(i), comment(&test.ends));
            put(&format!("{}.h", name(i)), &text)?;
            if let Some(bytes) = &test.recording.stdin {
                let path = folder.join(format!("{}.stdin", name(i)));
                std::fs::write(path, bytes).map_err(said)?;
            }
        }
        let how = ["./run.sh".to_owned()];
        made.how = &how;
        let harness = suite_harness(&made, &recordings);
        put("harness.c", &harness.text)?;
        let texts = sources.files.iter().map(std::fs::read);
        let old_inline = texts
            .filter_map(Result::ok)
            .any(|text| plain_inline(&String::from_utf8_lossy(&text)));
        let files = paths.iter().enumerate();
        let mut elsewhere = sources.clone();
        for dir in &mut elsewhere.options.include_dirs {
            *dir = std::path::absolute(&*dir).map_err(said)?;
        }
        let build = Build {
            sources: &elsewhere,
            harness: "harness.c".into(),
            files: files
                .filter(|(i, _)| Some(*i) != harness.includes)
                .map(|(i, p)| (i, p.clone()))
                .collect(),
            includes: harness.includes,
            wraps: harness.wraps.clone(),
            zeroed: sections.unset,
            old_inline,
            called: Vec::new(),
            sanitize: None,
            output: "$test.out".into(),
        };
        put("run.sh", &self.script(&build))?;
        executable(&folder.join("run.sh")).map_err(said)?;
        put("coverage.txt", &self.coverage.text(&task.program))?;
        xml::write(self, sources, folder)
    }

    /// The script that builds and runs all tests.
    fn script(&self, build: &Build) -> String {
        let words: Vec<String> = build
            .command()
            .iter()
            .map(|w| match w.to_string_lossy().as_ref() {
                "$test.out" => "\"$test.out\"".to_owned(),
                _ => quoted(w),
            })
            .collect();
        let mut script = String::from(
            "#!/bin/sh\n# Builds and runs every test; says which do not end as they should.\n\
             cd \"$(dirname \"$0\")\" || exit 2\nfailed=0\nrun() { # test, expected status\n  test=$1\n",
        );
        script.push_str(&format!(
            "  {} -DPROVA_TEST=\"\\\"$test.h\\\"\" || exit 2\n",
            words.join(" ")
        ));
        script.push_str(
            "  input=/dev/null; [ -f \"$test.stdin\" ] && input=$test.stdin\n  \
             ./\"$test.out\" >/dev/null 2>&1 <\"$input\"\n  status=$?\n  rm -f \"$test.out\"\n  \
             if [ \"$2\" != any ] && [ \"$status\" -ne \"$2\" ]; then\n    echo \"$test: status $status, not $2\"\n    \
             failed=$((failed + 1))\n  fi\n}\n",
        );
        for (i, test) in self.tests.iter().enumerate() {
            let status = test.status.map_or("any".into(), |s| s.to_string());
            script.push_str(&format!("run {} {status}\n", name(i)));
        }
        script.push_str(&format!(
            "echo \"{} tests, $failed failed\"\n[ \"$failed\" -eq 0 ]\n",
            self.tests.len()
        ));
        script
    }
}

/// What the suite's harness shows as errors.
fn errors_of(sources: &Sources) -> Option<Spec> {
    let properties = sources.properties.iter().map(String::as_str);
    let known = properties.map(|p| shown(p, &sources.calls));
    let first = known.filter_map(|s| match s {
        Shown::Harness(spec) => Some(spec),
        _ => None,
    });
    match sources.properties.is_empty() {
        true => Some(sources.calls.clone()),
        false => first.into_iter().next(),
    }
}

/// The name of a test.
pub fn name(index: usize) -> String {
    format!("test-{:04}", index + 1)
}

fn comment(text: &str) -> String {
    text.replace("*/", "* /")
}

fn executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
}

/// Runs a test. Where it has no value left for something that no function of the harness gives (an
/// uninitialised variable, what `printf` returns), that is zero, and the run goes on.
fn with_unasked(code: &Arc<Code>, given: &Given) -> Recording {
    let mut given = given.clone();
    let mut recording = Recording::of_given(code, &given, TIME);
    for _ in 0..UNASKED {
        let RunEnd::InputsExhausted(at) = recording.run.end else {
            break;
        };
        let body = recording.program.procedure(at.proc).body.as_ref();
        let mut edges = body.iter().flat_map(|b| &b.edges);
        let here = edges.find_map(|e| match &e.statement {
            Statement::Nondet { origin, .. } if e.source == at.location => Some(supply(origin)),
            _ => None,
        });
        match here {
            Some(Supply::Defined | Supply::Wrapped) => break,
            // There is no more of it.
            Some(Supply::StandardInput | Supply::File) => given.values.push(u128::from(u32::MAX)),
            _ => given.values.push(0),
        }
        recording = Recording::of_given(code, &given, TIME);
    }
    recording
}

/// How a native run should end, as a shell sees it: its exit status, or `None` inside if C leaves
/// that open. Nothing if the run is none that C describes.
fn status(recording: &Recording) -> Option<Option<i32>> {
    let bad = |r: &Returned| r.scalar == Scalar::Bool && r.bits > 1;
    if !recording.beyond.is_empty()
        || !recording.unwritten.is_empty()
        || recording.returned.iter().any(bad)
    {
        return None;
    }
    match &recording.run.end {
        RunEnd::Returned(_) if recording.entry.is_some() => Some(Some(0)),
        RunEnd::Returned(value) => Some(value.map(|v| (v & 0xff) as i32)),
        RunEnd::Exited(value) => Some(Some((value & 0xff) as i32)),
        RunEnd::Aborted(_) => Some(Some(128 + 6)),
        RunEnd::AssumeFailed(at) if is_about_the_world(recording, at) => None,
        RunEnd::AssumeFailed(_) => Some(Some(ASSUMED)),
        RunEnd::ErrorReached(_) => match shown(&recording.property, &Spec::default()) {
            Shown::Harness(_) => Some(Some(REACHED)),
            _ => None,
        },
        RunEnd::InputsExhausted(_) => Some(Some(EXHAUSTED)),
        _ => None,
    }
}

/// Whether an assumption is none of the program's but says what the world can give: a byte, a flag.
fn is_about_the_world(recording: &Recording, at: &At) -> bool {
    let program = &recording.program;
    let procedure = program.procedure(at.proc);
    if is_model(program, procedure.span) {
        return true;
    }
    let last = recording.run.inputs.last();
    let Some((_, Statement::Nondet { target, origin }, _)) =
        last.and_then(|used| recording.statement_at(used.step))
    else {
        return false;
    };
    let edges = procedure.body.iter().flat_map(|b| &b.edges);
    let mut assumed = edges.filter(|e| e.source == at.location);
    supply(origin) != Supply::Defined
        && assumed.any(|e| match &e.statement {
            Statement::Assume(condition) => {
                let parts = program.exprs.subexpressions(*condition);
                let mut parts = parts.into_iter().map(|p| program.exprs.get(p));
                parts.any(|p| p == Expr::Reg(*target))
            }
            _ => false,
        })
}

/// The tests that fail, and those that reach what none before them did; the ones that reach most
/// come first.
fn minimised(tests: Vec<SuiteTest>) -> Vec<SuiteTest> {
    let mut left: Vec<SuiteTest> = tests;
    let mut kept: Vec<SuiteTest> = Vec::new();
    let mut reached = Reached::default();
    loop {
        let best = left
            .iter()
            .enumerate()
            .map(|(i, t)| (t.reached.new_beside(&reached), std::cmp::Reverse(i)))
            .max();
        let Some((gain, std::cmp::Reverse(index))) = best else {
            break;
        };
        if gain == 0 {
            break;
        }
        let test = left.remove(index);
        reached.add(&test.reached);
        kept.push(test);
    }
    let fails = |t: &SuiteTest| t.status == Some(REACHED);
    if !kept.iter().any(fails) {
        kept.extend(left.into_iter().find(fails));
    }
    kept
}
