//! Limits hold whatever a solver or a compiler does: here they never answer. The answer is
//! "unknown" with its reason, and nothing that was started stays behind.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const FAILS: &str = "
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n * 3 == 1234567) reach_error();
  return 0;
}
";

const SAFE: &str = "
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if ((n * n & 3) == 3) reach_error();
  return 0;
}
";

/// A folder with a program and a tool that never answers.
struct Place {
    folder: tempfile::TempDir,
    file: PathBuf,
    stuck: PathBuf,
}

impl Place {
    /// The tool is stuck where `when`, a shell condition over its arguments, holds; else it is cc.
    fn new(source: &str, when: &str) -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("program.c");
        std::fs::write(&file, source).expect("written");
        let stuck = folder.path().join("stuck");
        let started = folder.path().join("started");
        let script = format!(
            "#!/bin/sh\nif {when}; then\n  echo $$ > '{0}.new' && mv '{0}.new' '{0}'\n  \
             sleep 100000 &\n  wait\nfi\nexec cc \"$@\"\n",
            started.display()
        );
        std::fs::write(&stuck, script).expect("written");
        std::fs::set_permissions(&stuck, std::fs::Permissions::from_mode(0o755)).expect("allowed");
        std::fs::create_dir(folder.path().join("tmp")).expect("a folder");
        Place {
            folder,
            file,
            stuck,
        }
    }

    fn stuck(&self) -> &str {
        self.stuck.to_str().expect("a plain path")
    }

    fn prova(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_prova"));
        command.args(arguments).arg(&self.file);
        command.env("TMPDIR", self.folder.path().join("tmp"));
        command
    }

    /// The process of the tool, once it is there.
    fn started(&self) -> String {
        loop {
            match std::fs::read_to_string(self.folder.path().join("started")) {
                Ok(process) => return process.trim().to_owned(),
                Err(_) => std::thread::sleep(Duration::from_millis(10)),
            }
        }
    }

    /// Nothing is left of the tool or of folders for the time being.
    fn is_clean(&self) {
        let process = self.started();
        // What was killed may not have been waited for yet; what was not killed is there for ever.
        let gone = (0..1000).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            is_gone(&process)
        });
        assert!(gone, "{process} is still there");
        let tmp = std::fs::read_dir(self.folder.path().join("tmp")).expect("a folder");
        let left: Vec<PathBuf> = tmp.flatten().map(|e| e.path()).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

fn is_gone(process: &str) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(process).join("stat"));
    stat.map_or(true, |text| {
        let state = text
            .rsplit_once(") ")
            .map(|(_, rest)| rest.starts_with('Z'));
        state.unwrap_or(true)
    })
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// It ends with status 3, and its first or last line says why.
fn unknown(output: &Output, line: &str) {
    let text = text(output);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{text}\n{errors}");
    let said = text.lines().chain(errors.lines()).any(|l| l == line);
    assert!(said, "no `{line}` in {text}\n{errors}");
}

#[test]
fn a_solver_that_never_answers() {
    let place = Place::new(FAILS, "true");
    let solver = ["check", "--engine", "dash", "--solver", place.stuck()];
    let limits = ["--timeout", "1", "--format", "svcomp"];
    let arguments = [solver.as_slice(), &limits].concat();
    let output = place.prova(&arguments).output().expect("it runs");
    unknown(&output, "UNKNOWN(timeout)");
    place.is_clean();
}

#[test]
fn a_checker_that_never_answers() {
    let place = Place::new(SAFE, "true");
    let arguments = ["check", "--timeout", "2", "--certify-with", place.stuck()];
    let output = place.prova(&arguments).output().expect("it runs");
    unknown(&output, "unknown: time limit");
    place.is_clean();
}

#[test]
fn a_preprocessor_that_never_ends() {
    let place = Place::new(FAILS, "true");
    for (arguments, line) in [
        (["check", "--timeout", "1"], "unknown: time limit"),
        (["run", "--max-time", "1"], "prova: time limit"),
    ] {
        let mut command = place.prova(&arguments);
        let output = command.env("CC", place.stuck()).output().expect("it runs");
        unknown(&output, line);
        place.is_clean();
    }
}

#[test]
fn a_compiler_that_never_ends_keeps_no_violation_up() {
    let place = Place::new(FAILS, "[ \"$1\" != -E ]");
    let mut command = place.prova(&["check", "--timeout", "5"]);
    let output = command.env("CC", place.stuck()).output().expect("it runs");
    unknown(&output, "unknown: time limit");
    place.is_clean();
}

/// Ctrl-C, in several phases.
#[test]
fn interrupts_end_every_phase() {
    let replaying = "[ \"$1\" != -E ]";
    for (source, when, arguments, line) in [
        (FAILS, "true", vec!["check"], "unknown: interrupted"),
        (FAILS, replaying, vec!["check"], "unknown: interrupted"),
        (FAILS, "true", vec!["run"], "prova: interrupted"),
        (FAILS, "true", vec!["show"], "prova: interrupted"),
    ] {
        let place = Place::new(source, when);
        let mut command = place.prova(&arguments);
        command.env("CC", place.stuck());
        let pipes = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = pipes.spawn().expect("it runs");
        place.started();
        let process = child.id().to_string();
        let killed = Command::new("kill").args(["-INT", &process]).status();
        assert!(killed.expect("kill runs").success());
        unknown(&child.wait_with_output().expect("it ends"), line);
        place.is_clean();
    }
}
