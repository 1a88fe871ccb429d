//! `prova batch` as a user meets it: manifests, runs that resume, answers that are remembered, reports,
//! and the ways into it from elsewhere.

mod common;

use common::{prova, Run};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";
/// A loop whose proof says something about it.
const LOOP: &str = "int main(void) {\n  int n = __VERIFIER_nondet_int(), i = 0;\n  while (i < n && i < 1000000)\n    i++;\n  if (i < 0)\n    reach_error();\n  return 0;\n}\n";
const WRONG: &str = "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x > 3 && x < 5)\n    reach_error();\n  return 0;\n}\n";
const PARTS: &str = "int half(int x) { return x / 2; }\nint twice(int x) { return x + x; }\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a file");
    }

    /// `prova batch` in the folder.
    fn batch(&self, words: &[&str]) -> Run {
        run_in(self.0.path(), &[&["batch"], words].concat())
    }

    /// The checks of the last run, as exported.
    fn results(&self) -> Vec<Value> {
        let done = self.batch(&["export", "--json", "all.json"]);
        assert_eq!(done.code, Some(0), "{done:?}");
        let text = std::fs::read_to_string(self.path("all.json")).expect("it was written");
        let all: Value = serde_json::from_str(&text).expect("JSON");
        all["checks"].as_array().expect("a list").clone()
    }
}

fn run_in(folder: &Path, words: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_prova"))
        .args(words)
        .current_dir(folder)
        .env_remove("RUST_BACKTRACE")
        .output()
        .expect("it starts");
    Run {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn verdicts(results: &[Value]) -> Vec<&str> {
    results
        .iter()
        .map(|r| r["verdict"].as_str().unwrap_or("none"))
        .collect()
}

#[test]
fn a_batch_from_a_folder_to_its_reports() {
    let folder = Folder::new(&[
        ("loop.c", &format!("{HEAD}{LOOP}")),
        ("wrong.c", &format!("{HEAD}{WRONG}")),
        ("broken.c", "int main(void) { return }\n"),
    ]);
    let made = folder.batch(&["init", "."]);
    assert_eq!(made.code, Some(0), "{made:?}");
    let run = folder.batch(&["--timeout", "60", "--jobs", "2"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("3 check(s) made here"), "{run:?}");
    let results = folder.results();
    assert_eq!(verdicts(&results), ["error", "proved", "violated"]);
    assert_eq!(results[0]["reason"], "input");
    assert_eq!(results[2]["answer"]["evidence"]["at"]["line"], 6);
    assert!(results.iter().all(|r| r["answer"].get("memory").is_none()));

    // What people look at.
    let status = folder.batch(&["status"]);
    assert!(
        status.stdout.contains("run 1") && status.stdout.contains("3 done"),
        "{status:?}"
    );
    let shown = folder.batch(&["show", "wrong"]);
    assert!(
        shown.stdout.contains("\"violated\"") && shown.stdout.contains("wrong.c:6"),
        "{shown:?}"
    );
    let report = folder.batch(&["report"]);
    assert_eq!(report.code, Some(1));
    assert!(
        report.stdout.contains("By program") && report.stdout.contains("unreach-call"),
        "{report:?}"
    );
    let markdown = folder.batch(&["report", "--markdown"]).stdout;
    assert!(
        markdown.starts_with("### Prova: 3 checks, 1 error, 1 proved, 1 violated"),
        "{markdown}"
    );
    let pages = folder.batch(&["report", "--html", "pages"]);
    assert_eq!(pages.code, Some(1), "{pages:?}");
    let index = std::fs::read_to_string(folder.path("pages/index.html")).expect("a page");
    for number in 0..3 {
        assert!(index.contains(&format!("checks/{number}.html")), "{number}");
        assert!(folder.path(&format!("pages/checks/{number}.html")).exists());
    }
    let files = folder.batch(&[
        "export",
        "--csv",
        "all.csv",
        "--sarif",
        "all.sarif",
        "--baseline",
        "known.json",
    ]);
    assert_eq!(files.code, Some(0), "{files:?}");
    let csv = std::fs::read_to_string(folder.path("all.csv")).expect("a file");
    assert_eq!(csv.lines().count(), 4);
    let sarif: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path("all.sarif")).expect("a file"))
            .expect("JSON");
    let schema: Value = serde_json::from_str(include_str!("sarif.schema.json")).expect("a schema");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let wrong: Vec<String> = schema.iter_errors(&sarif).map(|e| e.to_string()).collect();
    assert_eq!(wrong, Vec::<String>::new());
    let levels: Vec<&str> = sarif["runs"][0]["results"]
        .as_array()
        .expect("results")
        .iter()
        .filter_map(|r| r["kind"].as_str())
        .collect();
    assert_eq!(levels, ["open", "pass", "fail"]);

    // What is known fails no build.
    let known = folder.batch(&["report", "--baseline", "known.json"]);
    assert_eq!(known.code, Some(0), "{known:?}");
    folder.write(
        "wrong.c",
        &format!(
            "{HEAD}{}",
            WRONG.replace(
                "    reach_error",
                "    // prova-suppress unreach-call: on purpose\n    reach_error"
            )
        ),
    );
    let run = folder.batch(&["--timeout", "60", "--only", "wrong"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let compared = folder.batch(&["report", "--against", "1"]);
    assert!(compared.stdout.contains("0 lost"), "{compared:?}");
}

/// Answers are recalled for what is the same question, and for nothing else.
#[test]
fn the_same_question_is_not_answered_twice() {
    let unused = "int unused(int x) { return x + 1; }\n";
    let folder = Folder::new(&[
        ("loop.c", &format!("{HEAD}{unused}{LOOP}")),
        ("wrong.c", &format!("{HEAD}{WRONG}")),
    ]);
    assert_eq!(folder.batch(&["init", "."]).code, Some(0));
    let first = folder.batch(&["--timeout", "60"]);
    assert_eq!(first.code, Some(1), "{first:?}");
    let before = folder.results();
    assert_eq!(verdicts(&before), ["proved", "violated"]);
    assert_eq!(before[0]["recalled"], "");
    let at = before[0]["answer"]["evidence"]["invariants"][0]["at"]["line"].clone();
    assert_eq!(at, 6, "{:#}", before[0]["answer"]);

    // A comment, moved lines, another function, other names: the same question, told at today's lines.
    let edited = format!(
        "// a comment\n\n{HEAD}{}{}",
        unused.replace("x + 1", "x * 7 + x"),
        LOOP.replace(" i ", " index ")
            .replace("i++", "index++")
            .replace("i =", "index =")
            .replace("(i", "(index")
    );
    folder.write("loop.c", &edited);
    folder.write("wrong.c", &format!("\n\n{HEAD}{WRONG}"));
    let second = folder.batch(&["--timeout", "60"]);
    assert_eq!(second.code, Some(1), "{second:?}");
    let now = folder.results();
    assert_eq!(verdicts(&now), ["proved", "violated"]);
    assert_eq!(now[0]["recalled"], "checked", "{second:?}");
    assert_eq!(
        now[0]["answer"]["evidence"]["invariants"][0]["at"]["line"],
        8
    );
    let facts = now[0]["answer"]["evidence"]["invariants"][0]["cases"].to_string();
    assert!(facts.contains("index"), "{facts}");
    assert_eq!(now[1]["answer"]["evidence"]["at"]["line"], 8);
    // Its test is run first, and nothing is searched for.
    assert_eq!(now[1]["answer"]["statistics"]["iterations"], 0);

    let trusting = folder.batch(&["--timeout", "60", "--trust-cache", "--only", "loop"]);
    assert_eq!(trusting.code, Some(0), "{trusting:?}");
    assert!(
        trusting.stderr.contains("recalled (trusted)"),
        "{trusting:?}"
    );

    // Another question: the error is reached now.
    folder.write("loop.c", &edited.replace("< 0)", "== 5)"));
    let third = folder.batch(&["--timeout", "60", "--trust-cache", "--only", "loop"]);
    assert_eq!(third.code, Some(1), "{third:?}");
    let results = folder.results();
    assert_eq!(verdicts(&results), ["violated"]);
    assert_eq!(results[0]["recalled"], "");
}

/// Facts outlive a check: the same batch after an edit, and another property of the same program.
#[test]
fn what_was_proved_helps_the_next_version() {
    let program = include_str!("../../../tests/programs/lasting/tally.c");
    let folder = Folder::new(&[("tally.c", program)]);
    folder.write(
        "batch.toml",
        "[[program]]\nfiles = [\"tally.c\"]\nproperties = [\"unreach-call\"]\noptions = [\"--engine\", \"dash\"]\n",
    );
    let count = |result: &Value, what: &str| {
        let counted = &result["answer"]["statistics"][what];
        counted
            .as_u64()
            .unwrap_or_else(|| panic!("{what}: {result:#}"))
    };
    let first = folder.batch(&["batch.toml", "--timeout", "120"]);
    assert_eq!(first.code, Some(0), "{first:?}");
    let before = folder.results();
    assert!(count(&before[0], "iterations") > 0);

    // One function is edited: no answer is recalled, and the proof is found without a search.
    let edited = program.replace(
        "  int a = count(n);\n",
        "  int a = count(n);\n  if (n == 12)\n    return 1;\n",
    );
    assert_ne!(edited, program);
    folder.write("tally.c", &edited);
    let second = folder.batch(&["batch.toml", "--timeout", "120"]);
    assert_eq!(second.code, Some(0), "{second:?}");
    let now = folder.results();
    assert_eq!(verdicts(&now), ["proved"]);
    assert_eq!(now[0]["recalled"], "", "{:#}", now[0]);
    assert!(count(&now[0], "facts_recalled") > 0);
    assert_eq!(count(&now[0], "iterations"), 0);
    let questions = |r: &Value| count(r, "solver_calls") + count(r, "learning_calls");
    assert!(questions(&now[0]) < questions(&before[0]), "{now:#?}");

    // An edit that makes what was proved false.
    folder.write("tally.c", &program.replace("note(1);", "note(2);"));
    let third = folder.batch(&["batch.toml", "--timeout", "120"]);
    assert_eq!(third.code, Some(1), "{third:?}");
    assert_eq!(verdicts(&folder.results()), ["violated"]);
}

#[test]
fn every_function_is_a_check() {
    let folder = Folder::new(&[("parts.c", PARTS)]);
    assert_eq!(
        folder
            .batch(&[
                "init",
                "parts.c",
                "--each-function",
                "--property",
                "no-overflow"
            ])
            .code,
        Some(0)
    );
    let run = folder.batch(&["--timeout", "60", "--jobs", "2"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let results = folder.results();
    let entries: Vec<&str> = results.iter().filter_map(|r| r["entry"].as_str()).collect();
    assert_eq!(entries, ["half", "twice"]);
    assert_eq!(verdicts(&results), ["proved", "violated"]);
}

#[test]
fn wrong_usage_is_said() {
    let folder = Folder::new(&[
        ("bad.toml", "[defaults]\nwhat = 3\n"),
        ("gone.toml", "[[program]]\nfiles = ['gone.c']\n"),
    ]);
    for (words, what) in [
        (vec!["bad.toml"], "no key `what`"),
        (vec!["gone.toml"], "gone.c"),
        (vec!["no-such.toml"], "no-such.toml"),
        (vec!["init", "nowhere"], "nowhere"),
        (vec!["status"], "there is no store"),
        (vec!["gone.toml", "--baseline", "none.json"], "gone.c"),
    ] {
        let run = folder.batch(&words);
        assert_eq!(run.code, Some(2), "{words:?}: {run:?}");
        assert!(run.stderr.contains(what), "{words:?}: {run:?}");
    }
}

#[test]
fn a_batch_that_is_killed_goes_on() {
    let mut files = Vec::new();
    for n in 0..10 {
        let text = format!(
            "{HEAD}{}",
            WRONG.replace("x > 3", &format!("x > {}", n % 4))
        );
        files.push((format!("p{n}.c"), text));
    }
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(n, t)| (n.as_str(), t.as_str()))
        .collect();
    let folder = Folder::new(&files);
    assert_eq!(folder.batch(&["init", "."]).code, Some(0));
    let done = || folder.batch(&["status"]).stdout.contains(": 10 done\n");
    for wait in [200, 600, 1000] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_prova"))
            .args(["batch", "--jobs", "2", "--quiet"])
            .current_dir(folder.0.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
        // A quick machine may be done: what is started then is another run.
        if done() {
            break;
        }
    }
    if !done() {
        let run = folder.batch(&["--jobs", "2"]);
        assert_eq!(run.code, Some(1), "{run:?}");
    }
    assert_eq!(verdicts(&folder.results()), ["violated"; 10]);
    let status = folder.batch(&["status"]);
    assert!(
        status.stdout.starts_with("run 1,") && !status.stdout.contains("run 2"),
        "{status:?}"
    );
}

/// A store that is no store any more costs time, and is said.
#[test]
fn a_damaged_store_is_put_aside() {
    let folder = Folder::new(&[("wrong.c", &format!("{HEAD}{WRONG}"))]);
    assert_eq!(folder.batch(&["init", "."]).code, Some(0));
    assert_eq!(folder.batch(&[]).code, Some(1));
    let store = folder.path("prova-batch.db");
    let mut bytes = std::fs::read(&store).expect("a store");
    let half = bytes.len() / 2;
    bytes.truncate(half);
    std::fs::write(&store, bytes).expect("it is cut");
    let run = folder.batch(&[]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(
        run.stderr.contains("damaged") && run.stderr.contains("put aside"),
        "{run:?}"
    );
    assert!(folder.path("prova-batch.db.damaged-1").exists());
    assert_eq!(verdicts(&folder.results()), ["violated"]);
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the repository")
}

/// The Python that has a module, if there is one: `PROVA_PYTHON`, or python3.
fn python_with(module: &str) -> Option<String> {
    let python = std::env::var("PROVA_PYTHON").unwrap_or_else(|_| "python3".into());
    let found = Command::new(&python)
        .args(["-c", &format!("import {module}")])
        .output();
    let found = found.is_ok_and(|o| o.status.success());
    if !found {
        eprintln!("skipped: {python} has no module `{module}`; PROVA_PYTHON names another Python");
    }
    found.then_some(python)
}

#[test]
fn the_python_package_gives_typed_results() {
    let Some(python) = python_with("unittest") else {
        return;
    };
    let run = Command::new(python)
        .args(["-m", "unittest", "discover", "-s", "python/tests"])
        .current_dir(root())
        .env("PYTHONPATH", root().join("python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PROVA", env!("CARGO_BIN_EXE_prova"))
        .output()
        .expect("it starts");
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
}

/// A real scheduler and two workers; one of them is killed in the middle.
#[test]
fn a_cluster_loses_a_worker_and_no_check() {
    let Some(python) = python_with("distributed") else {
        return;
    };
    let mut files = Vec::new();
    for n in 0..12 {
        let text = match n % 2 {
            0 => format!("{HEAD}{LOOP}").replace("1000000", &format!("{}", 1_000_000 + n)),
            _ => format!("{HEAD}{WRONG}"),
        };
        files.push((format!("p{n:02}.c"), text));
    }
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(n, t)| (n.as_str(), t.as_str()))
        .collect();
    let folder = Folder::new(&files);
    assert_eq!(folder.batch(&["init", "."]).code, Some(0));
    let information = folder.path("scheduler.json");
    let start = |module: &str, words: &[&str]| {
        Command::new(&python)
            .args(["-m", module])
            .args(words)
            .current_dir(folder.0.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts")
    };
    let shown = information.display().to_string();
    let mut scheduler = start(
        "distributed.cli.dask_scheduler",
        &[
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--scheduler-file",
            &shown,
        ],
    );
    let address = loop {
        std::thread::sleep(Duration::from_millis(100));
        let text = std::fs::read_to_string(&information).unwrap_or_default();
        if let Ok(told) = serde_json::from_str::<Value>(&text) {
            break told["address"].as_str().expect("an address").to_string();
        }
    };
    // Without a nanny nobody starts a killed worker again.
    let worker = || {
        start(
            "distributed.cli.dask_worker",
            &[&address, "--nthreads", "1", "--no-nanny", "--no-dashboard"],
        )
    };
    let mut workers = [worker(), worker()];
    let batch = Command::new(env!("CARGO_BIN_EXE_prova"))
        .args(["batch", "--cluster", &address, "--python", &python])
        .current_dir(folder.0.path())
        .env("PYTHONPATH", root().join("python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // Once something is done, and something is not, one of the workers dies.
    loop {
        std::thread::sleep(Duration::from_millis(50));
        if !folder.path("prova-batch.db").exists() {
            continue;
        }
        let status = folder.batch(&["status"]).stdout;
        let first = status.lines().next().unwrap_or_default();
        let done = first
            .split(": ")
            .nth(1)
            .and_then(|t| t.split(' ').next()?.parse::<u32>().ok());
        if done.is_some_and(|done| done >= 1) {
            break;
        }
    }
    workers[0].kill().expect("it is killed");
    let output = batch.wait_with_output().expect("it ends");
    for process in workers.iter_mut().chain([&mut scheduler]) {
        let _ = process.kill();
        let _ = process.wait();
    }
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let results = folder.results();
    assert_eq!(results.len(), 12);
    for (n, result) in results.iter().enumerate() {
        let wanted = if n % 2 == 0 { "proved" } else { "violated" };
        assert_eq!(result["verdict"], wanted, "{result:#}");
    }
    let lines = said.lines().filter(|l| l.starts_with('[')).count();
    assert_eq!(lines, 12, "each check is answered once: {said}");
}

/// The tool-info module passes BenchExec's own test, and a run through BenchExec's executor is understood.
#[test]
fn benchexec_understands_the_tool() {
    let Some(python) = python_with("benchexec") else {
        return;
    };
    let module = root().join("integrations/benchexec");
    let folder = Folder::new(&[
        ("wrong.c", &format!("{HEAD}{WRONG}")),
        (
            "out.txt",
            "  1 iterations, 2 tests, 0.1 s\nFALSE(unreach-call)\n",
        ),
    ]);
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_prova"), folder.path("prova")).expect("a link");
    let run = Command::new(&python)
        .args([
            "-m",
            "benchexec.test_tool_info",
            "prova_benchexec.tool",
            "--no-container",
            "--tool-directory",
            ".",
            "--tool-output",
            "out.txt",
        ])
        .current_dir(folder.0.path())
        .env("PYTHONPATH", &module)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&run.stdout) + String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}");
    assert!(
        said.contains("Prova") && said.contains("false(unreach-call)"),
        "{said}"
    );
    assert!(!said.contains("WARNING"), "{said}");
}

/// The commands in the workflow examples run, one after the other, in a project that has what they need.
#[test]
fn the_workflow_examples_run() {
    for example in [
        "integrations/github/prova.yml",
        "integrations/gitlab/prova.gitlab-ci.yml",
    ] {
        let text = std::fs::read_to_string(root().join(example)).expect("an example");
        let folder = Folder::new(&[("loop.c", &format!("{HEAD}{LOOP}"))]);
        let made = folder.batch(&["init", "."]);
        assert_eq!(made.code, Some(0), "{made:?}");
        // Lines of shell: those that belong to `run: |` or are items of a script.
        let commands: Vec<String> = text
            .lines()
            .map(|line| line.trim().trim_start_matches("- ").trim())
            .map(|line| {
                line.strip_prefix('"')
                    .and_then(|l| l.strip_suffix('"'))
                    .map_or(line.to_string(), |l| l.replace("\\\"", "\""))
            })
            .filter(|line| {
                line.starts_with("prova batch")
                    || line.starts_with("touch")
                    || line.starts_with("[ -s")
            })
            .collect();
        assert!(commands.len() >= 6, "{example}: {commands:?}");
        let bin = Path::new(env!("CARGO_BIN_EXE_prova"))
            .parent()
            .expect("a folder");
        let path = format!(
            "{}:{}",
            bin.display(),
            std::env::var("PATH").unwrap_or_default()
        );
        for command in &commands {
            let run = Command::new("sh")
                .args(["-c", command])
                .current_dir(folder.0.path())
                .env("PATH", &path)
                .env("GITHUB_STEP_SUMMARY", folder.path("summary.md"))
                .output()
                .expect("it starts");
            let said = String::from_utf8_lossy(&run.stderr);
            assert!(run.status.success(), "{example}: {command}: {said}");
        }
        assert!(folder.path("prova.sarif").exists());
        assert!(folder.path("prova-report/index.html").exists());
        if let Some(python) = python_with("yaml") {
            let script =
                "import sys, yaml; assert isinstance(yaml.safe_load(open(sys.argv[1])), dict)";
            let read = Command::new(python)
                .args(["-c", script])
                .arg(root().join(example))
                .output();
            assert!(
                read.is_ok_and(|o| o.status.success()),
                "{example} is no YAML"
            );
        }
    }
    assert_eq!(prova(["batch", "--help"]).code, Some(0));
}
