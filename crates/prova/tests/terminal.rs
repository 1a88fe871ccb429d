//! What a person at a terminal sees while a search goes on, and what is left after Ctrl-C.
//!
//! `script` (util-linux) gives the command a terminal of its own.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// A search that takes long: a sum that nobody finds an invariant for.
const LONG: &str = "extern unsigned sensor(void);\nextern void reach_error(void);\n\
    int main(void) {\n  unsigned x = sensor(), y = 0, n = 0;\n  if (x > 60000)\n    return 0;\n\
      while (n < x) {\n    n++;\n    y += n ^ 5;\n  }\n  if (y == 77777)\n    reach_error();\n\
      return 0;\n}\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("long.c"), LONG).expect("written");
    folder
}

fn story(name: &str) -> PathBuf {
    std::env::current_dir()
        .expect("the package's folder")
        .join(format!("tests/stories/{name}.c"))
}

/// Runs `prova` on a terminal; gives what the terminal was sent, and the exit status.
fn on_a_terminal(folder: &Path, arguments: &str, environment: &[(&str, &str)]) -> Option<Output> {
    let line = format!("{} {arguments}", env!("CARGO_BIN_EXE_prova"));
    let output = Command::new("script")
        .args(["-q", "-e", "-c", &line, "/dev/null"])
        .current_dir(folder)
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .output();
    match output {
        Ok(output) => Some(output),
        Err(_) => {
            println!("skipped: there is no `script`");
            None
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn progress_is_shown_on_a_terminal_and_nowhere_else() {
    let folder = folder();
    let line = "check --engine dash --timeout 2 long.c";
    let Some(output) = on_a_terminal(folder.path(), line, &[]) else {
        return;
    };
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{shown}");
    for part in [
        "#3 long.c:",
        " tests · ",
        " regions · solver ",
        "% · depth ",
        " · error ",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    // The answer is what is left when the progress is gone.
    let left = shown.rsplit("\x1b[2K").next().unwrap_or(&shown);
    assert!(left.contains("unknown"), "{left}");
    assert!(!left.contains("regions · solver"), "{left}");
    let quiet = on_a_terminal(folder.path(), &format!("{line} -q"), &[]).expect("it ran before");
    let shown = text(&quiet.stdout);
    assert!(!shown.contains("regions"), "{shown}");
    assert_eq!(shown.trim_end().lines().count(), 1, "{shown}");
    // On a pipe there is nothing of it.
    let piped = Command::new(env!("CARGO_BIN_EXE_prova"))
        .args(line.split(' '))
        .current_dir(folder.path())
        .output()
        .expect("the command starts");
    assert_eq!(text(&piped.stderr), "");
    assert!(!text(&piped.stdout).contains('\x1b'));
}

#[test]
fn colours_are_for_terminals_whose_owners_want_them() {
    let file = story("loop").display().to_string();
    let line = format!("check {file}");
    let here = Path::new(".");
    let Some(output) = on_a_terminal(here, &line, &[]) else {
        return;
    };
    assert!(text(&output.stdout).contains("\x1b[1;31mviolated\x1b[0m"));
    let plain = on_a_terminal(here, &line, &[("NO_COLOR", "1")]).expect("it ran before");
    let shown = text(&plain.stdout);
    assert!(shown.contains("violated: call of"), "{shown}");
    let empty = on_a_terminal(here, &line, &[("NO_COLOR", "")]).expect("it ran before");
    assert!(text(&empty.stdout).contains("\x1b[1;31mviolated"));
}

#[test]
fn verbose_leaves_nothing_out() {
    let source = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
        int main(void) {\n  int s = 0;\n  for (int i = 0; i < 30; i++) {\n    \
        int x = __VERIFIER_nondet_int();\n    if (x != i * i % 7)\n      return 0;\n    s += x;\n  }\n  \
        reach_error();\n}\n";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("many.c"), source).expect("written");
    let run = |more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_prova"))
            .args(["check", "many.c"])
            .args(more)
            .current_dir(folder.path())
            .output()
            .expect("the command starts");
        assert_eq!(output.status.code(), Some(1));
        text(&output.stdout)
    };
    let (short, long) = (run(&[]), run(&["--verbose"]));
    assert!(
        short.contains(" 2, 4 and 10 more (--verbose lists all)"),
        "{short}"
    );
    let inputs = long
        .lines()
        .find(|l| l.contains("input __VERIFIER_nondet_int() = "));
    assert_eq!(inputs.map(|l| l.matches(", ").count()), Some(29), "{long}");
    assert!(
        !long.contains("left out") && !long.contains("--verbose"),
        "{long}"
    );
}

/// Starts a long search, lets it work, and interrupts it.
fn interrupted(folder: &Path, more: &[&str]) -> Told {
    interrupted_after(Duration::from_millis(1500), folder, more)
}

fn interrupted_after(after: Duration, folder: &Path, more: &[&str]) -> Told {
    let mut child: Child = Command::new(env!("CARGO_BIN_EXE_prova"))
        .args(["check", "--engine", "dash", "long.c"])
        .args(more)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    std::thread::sleep(after);
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.is_ok_and(|s| s.success()), "it is still at work");
    let status = child.wait().expect("it ends");
    let (mut out, mut err) = (String::new(), String::new());
    let pipes = (child.stdout.take(), child.stderr.take());
    pipes
        .0
        .expect("a pipe")
        .read_to_string(&mut out)
        .expect("text");
    pipes
        .1
        .expect("a pipe")
        .read_to_string(&mut err)
        .expect("text");
    (status.code(), out, err)
}

/// Exit status and what was printed.
type Told = (Option<i32>, String, String);

/// A machine that is very busy may leave a search no time to get anywhere, or no moment to end by itself, and
/// the watchdog says less: a few tries, each with more time.
fn interrupted_until(folder: &Path, options: &[&str], told: impl Fn(&Told) -> bool) -> Told {
    let mut after = Duration::from_millis(1500);
    let mut last = interrupted_after(after, folder, options);
    for _ in 0..4 {
        if told(&last) {
            break;
        }
        after *= 2;
        last = interrupted_after(after, folder, options);
    }
    last
}

#[test]
fn ctrl_c_ends_with_what_is_known() {
    let folder = folder();
    let told = |(_, out, _): &Told| out.contains("keeps being refined");
    let (code, out, err) = interrupted_until(folder.path(), &[], told);
    assert_eq!(code, Some(3), "{out}{err}");
    assert!(out.starts_with("unknown: interrupted"), "{out}");
    for part in [
        "keeps being refined: the loop at long.c:7:8 in `main`",
        "at last by ",
        "assumed: `sensor` has no body",
        "a body for `sensor`",
        " iterations, ",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert_eq!(err, "");
}

/// The signal arrives while the solver is at one question that takes it long, and is meant for
/// the search.
#[test]
fn ctrl_c_is_not_kept_by_the_solver() {
    let folder = tempfile::tempdir().expect("a folder");
    let factors = "extern unsigned long long sensor(void);\nextern void reach_error(void);\n\
        int main(void) {\n  unsigned long long x = sensor(), y = sensor();\n\
          if (x > 1 && y > 1 && x < 4294967296 && y < 4294967296 && x * y == 8539734250799242291ULL)\n\
            reach_error();\n  return 0;\n}\n";
    std::fs::write(folder.path().join("long.c"), factors).expect("written");
    let (code, out, err) = interrupted(folder.path(), &[]);
    assert_eq!(code, Some(3), "{out}{err}");
    assert!(out.starts_with("unknown: interrupted"), "{out}");
}

#[test]
fn ctrl_c_leaves_json_and_reports_behind() {
    let folder = folder();
    let formats = "--format json --sarif out.sarif --report out.html";
    let formats: Vec<&str> = formats.split(' ').collect();
    // Nothing is refined often before some time has gone.
    let told = |(_, out, _): &Told| !out.contains("\"refined\": []");
    let (code, out, _) = interrupted_until(folder.path(), &formats, told);
    assert_eq!(code, Some(3), "{out}");
    let value: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(value["verdict"], "unknown");
    assert_eq!(value["evidence"]["reason"], "interrupted");
    // Which place was refined most depends on when it was interrupted.
    let line = value["evidence"]["refined"][0]["at"]["line"].as_u64();
    assert!(line.is_some_and(|line| (4..=12).contains(&line)), "{out}");
    assert!(folder.path().join("out.sarif").is_file());
    assert!(folder.path().join("out.html").is_file());
}

#[test]
#[cfg(unix)]
fn a_solver_that_does_not_come_back_is_not_waited_for() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let solver = folder.path().join("silent");
    std::fs::write(&solver, "#!/bin/sh\nexec cat > /dev/null\n").expect("written");
    std::fs::set_permissions(&solver, PermissionsExt::from_mode(0o755)).expect("a program");
    let (code, out, _) = interrupted(folder.path(), &["--solver", "./silent"]);
    assert_eq!(code, Some(3), "{out}");
    assert!(out.starts_with("unknown: interrupted"), "{out}");
    let json = ["--solver", "./silent", "--format", "json"];
    let (code, out, _) = interrupted(folder.path(), &json);
    assert_eq!(code, Some(3), "{out}");
    let value: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(value["evidence"]["reason"], "interrupted");
}
