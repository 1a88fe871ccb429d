//! How `prova check` says that a violation happened again: compiled, maybe with a copy of the
//! source. Without a native run that shows it there is none, whatever the flags.

mod common;

use common::{prova, prova_with};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const PROGRAM: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  long x = __VERIFIER_nondet_int();
  if (x * 2 == 2468) reach_error();
  return 0;
}
";

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("written");
    path.display().to_string()
}

/// A compiler that does this before it is one.
fn compiler(folder: &Path, first: &str) -> String {
    let path = write(
        folder,
        "cc",
        &format!("#!/bin/sh\n{first}\nexec gcc \"$@\"\n"),
    );
    let permissions = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, permissions).expect("it can be run");
    path
}

/// The story of a test that was not run natively: no violation, but the test and the reason.
fn is_not_run(run: &common::Run, why: &str) {
    assert_eq!(run.code, Some(3), "{run:?}");
    let said = format!("a test fails by interpretation; it was not run natively: {why}");
    assert!(run.stdout.contains(&said), "{run:?}");
    assert!(
        run.stdout.contains("__VERIFIER_nondet_int() = 1234"),
        "{run:?}"
    );
}

#[test]
fn no_flag_makes_a_violation() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = write(folder.path(), "p.c", PROGRAM);
    let run = prova(["check", "--no-replay", &program]);
    is_not_run(&run, "a native run was not wanted");
    let run = prova(["check", "--no-replay", "--format", "svcomp", &program]);
    assert!(run.stdout.ends_with("UNKNOWN(replay)\n"), "{run:?}");
    let run = prova(["check", "--no-replay", "--format", "json", &program]);
    assert!(run.stdout.contains("\"verdict\": \"unknown\""), "{run:?}");
    let run = prova(["check", "--no-replay", "-q", &program]);
    assert_eq!(run.code, Some(3), "{run:?}");
}

#[test]
fn without_a_compiler_there_is_no_violation() {
    let folder = tempfile::tempdir().expect("a folder");
    // Nothing is left to preprocess.
    let program = write(folder.path(), "p.i", PROGRAM);
    let run = prova_with([("CC", "/nowhere/cc")], ["check", &program]);
    is_not_run(&run, "there is no C compiler");
}

#[test]
fn without_a_compiler_for_32_bits_there_is_no_violation() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = write(folder.path(), "p.i", PROGRAM);
    let refuses = "for word in \"$@\"; do if [ \"$word\" = -m32 ]; then exit 1; fi; done";
    let cc = compiler(folder.path(), refuses);
    let run = prova_with([("CC", &cc)], ["check", "--bits", "32", &program]);
    is_not_run(&run, "the C compiler cannot make 32-bit programs");
    let run = prova_with([("CC", &cc)], ["check", &program]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("replayed: compiled"), "{run:?}");
}

/// A failing allocation is part of the test, and is told in words.
#[test]
fn a_failing_allocation_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "void *malloc(unsigned long); extern void reach_error(void);\n\
        int main(void) { int *p = malloc(4), *q = malloc(4); if (p && !q) reach_error(); }\n";
    let program = write(folder.path(), "p.c", text);
    let run = prova(["check", &program]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("replayed: compiled"), "{run:?}");
    assert!(run.stdout.contains("malloc() = succeeds"), "{run:?}");
    assert!(run.stdout.contains("malloc() = fails"), "{run:?}");
}

/// What a stranger's program would do is not done, and is said.
#[test]
fn a_program_that_means_harm_does_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let treasure = write(folder.path(), "treasure", "gold");
    let text = PROGRAM.replace(
        "  if (x",
        &format!(
            "#ifdef NATIVE\n  extern int system(const char *), unlink(const char *);\n  \
             unlink(\"{treasure}\"); system(\"rm {treasure}\");\n#endif\n  if (x"
        ),
    );
    let program = write(folder.path(), "p.c", &text);
    // Only the compiler that builds the replay sees what it does.
    let sees = "for word in \"$@\"; do case \"$word\" in *harness.c) exec gcc -DNATIVE \"$@\";; esac; done";
    let cc = compiler(folder.path(), sees);
    let run = prova_with([("CC", &cc)], ["check", &program]);
    assert_eq!(
        std::fs::read_to_string(&treasure).expect("it is there"),
        "gold"
    );
    assert_eq!(run.code, Some(1), "{run:?}");
    for tried in ["remove a file", "start another process"] {
        let said = format!("note: the program tried to {tried}");
        assert!(run.stdout.contains(&said), "{tried}: {run:?}");
    }
}

#[test]
fn programs_of_32_bits_are_compiled_as_such() {
    let folder = tempfile::tempdir().expect("a folder");
    let wraps = PROGRAM.replace("x * 2 == 2468", "sizeof x == 4 && x > 0 && x * 2 < 0");
    let program = write(folder.path(), "p.c", &wraps);
    let run = prova(["check", "--bits", "32", &program]);
    match run.stdout.contains("package gcc-multilib") {
        true => eprintln!("there is no gcc-multilib: nothing to show"),
        false => {
            assert_eq!(run.code, Some(1), "{run:?}");
            assert!(run.stdout.contains("replayed: compiled"), "{run:?}");
        }
    }
    assert_eq!(prova(["check", &program]).code, Some(0));
}

#[test]
fn an_initialiser_that_was_added_is_mentioned() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "extern void reach_error(void);\n\
        int main(void) { int x; if (x == 1234) reach_error(); return 0; }\n";
    let program = write(folder.path(), "p.c", text);
    let harness = folder.path().join("harness.c").display().to_string();
    let run = prova(["check", &program, "--harness", &harness]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("replayed: compiled"), "{run:?}");
    assert!(run.stdout.contains("`x` is uninitialised"), "{run:?}");
    // The source stays as it is; the copy lies beside the harness.
    assert_eq!(
        std::fs::read_to_string(&program).expect("it is there"),
        text
    );
    let copy = std::fs::read_to_string(folder.path().join("harness.copy1.i"));
    assert!(copy.expect("a copy").contains("int x;"), "{run:?}");
}

/// A native run that does not reach the error is no violation, and both traces are told.
#[test]
fn what_does_not_replay_is_unknown() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = write(folder.path(), "p.i", PROGRAM);
    // This compiler makes another program.
    let other = write(folder.path(), "other.c", "int main(void) { return 0; }\n");
    let cc = compiler(
        folder.path(),
        &format!("exec gcc -o \"$PWD/replay\" {other}"),
    );
    let run = prova_with([("CC", &cc)], ["check", &program]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.stdout.starts_with("unknown"), "{run:?}");
    assert!(run.stdout.contains("does not show the error"), "{run:?}");
    assert!(run.stdout.contains("our run:"), "{run:?}");
    let run = prova_with([("CC", &cc)], ["check", "--format", "svcomp", &program]);
    assert!(run.stdout.ends_with("UNKNOWN(replay)\n"), "{run:?}");
}
