//! Programs that parse but make no sense: a clear message with its place, and exit status 2.

mod common;

use common::Run;

/// Runs `prova show` on files with these contents, named `1.c`, `2.c`, and so on.
fn show(files: &[&str], options: &[&str]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let mut line = vec!["show".to_string()];
    for (i, contents) in files.iter().enumerate() {
        let file = folder.path().join(format!("{}.c", i + 1));
        std::fs::write(&file, contents).unwrap();
        line.push(file.display().to_string());
    }
    line.extend(options.iter().map(|o| o.to_string()));
    common::prova(line)
}

fn refused(run: Run, parts: &[&str]) {
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stdout.is_empty(), "{run:?}");
    assert!(run.stderr.contains("error: "), "{run:?}");
    assert!(!run.stderr.contains("internal error"), "{run:?}");
    for part in parts {
        assert!(run.stderr.contains(part), "no `{part}` in {run:?}");
    }
}

#[test]
fn an_empty_file() {
    refused(show(&[""], &[]), &["no `main`"]);
}

#[test]
fn a_missing_main() {
    refused(
        show(&["int f(void) { return 1; }"], &[]),
        &["no `main`", "1.c"],
    );
    refused(show(&["int main(void);"], &[]), &["no `main`"]);
    let library = show(&["int f(void) { return 1; }"], &["--library"]);
    assert_eq!(library.code, Some(0), "{library:?}");
    assert!(library.stdout.contains('f'), "{library:?}");
}

#[test]
fn a_recursive_structure() {
    let text = "struct s { int a; struct s inner; };\nint main(void) { struct s x; return x.a; }";
    refused(show(&[text], &[]), &["1.c:1:"]);
    let text = "struct t; struct s { struct t t; }; struct t { struct s s; };\nint main(void) { return 0; }";
    refused(show(&[text], &[]), &["1.c:1:"]);
}

#[test]
fn a_redefinition_shows_both_places() {
    let text =
        "int f(void) { return 1; }\nint f(void) { return 2; }\nint main(void) { return f(); }";
    refused(show(&[text], &[]), &["1.c:1:", "1.c:2:", "`f`"]);
}

#[test]
fn conflicting_files_show_both_places() {
    let run = show(
        &[
            "int f(void) { return 1; } int main(void) { return 0; }",
            "\nint f(void) { return 2; }",
        ],
        &[],
    );
    refused(run, &["1.c:1:", "2.c:2:", "`f`"]);
    let run = show(
        &["int x = 1; int main(void) { return x; }", "int x = 2;"],
        &[],
    );
    refused(run, &["1.c:1:", "2.c:1:", "`x`"]);
}

#[test]
fn types_that_differ_between_files_show_both_places() {
    refused(
        show(&["int x; int main(void) { return x; }", "char *x;"], &[]),
        &["different types", "1.c:1", "2.c:1"],
    );
}

#[test]
fn an_unknown_name() {
    let run = show(&["int main(void) {\n  return nowhere;\n}"], &[]);
    refused(run, &["1.c:2:10", "nowhere", "^"]);
}

#[test]
fn complex_numbers() {
    let run = show(
        &["int main(void) { double _Complex z = 1; return (int)z; }"],
        &[],
    );
    refused(run, &["1.c:1:", "omplex"]);
}

#[test]
fn static_names_stay_apart() {
    let run = show(
        &[
            "static int x = 1; static int f(void) { return x; } int g(void); int main(void) { return f() + g(); }",
            "static int x = 2; static int f(void) { return x; } int g(void) { return f(); }",
        ],
        &["--stats"],
    );
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("procedures            4"), "{run:?}");
}

#[test]
fn what_is_not_modelled_is_listed_once() {
    let run = show(
        &["int main(void) {\n  asm volatile(\"nop\");\n  return 0;\n}"],
        &[],
    );
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(
        run.stderr.matches("1.c:2:3: inline assembly").count(),
        1,
        "{run:?}"
    );
}

#[test]
fn graphs_and_counts() {
    let text = "int f(int x) { return x ? 1 : 2; } int main(void) { return f(3); }";
    let run = show(&[text], &["--dot", "f"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.starts_with("digraph"), "{run:?}");
    let entry = show(&[text], &["--dot"]);
    assert!(
        entry.stdout.starts_with("digraph") && entry.stdout != run.stdout,
        "{entry:?}"
    );
    refused(show(&[text], &["--dot", "g"]), &["no procedure `g`"]);
    let stats = show(&[text], &["--stats", "--bits", "32"]);
    assert!(
        stats.stdout.contains("procedures            2"),
        "{stats:?}"
    );
}

#[test]
fn a_reader_who_leaves_changes_nothing() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.c");
    let mut text = String::from("int main(void) { return 0; }\n");
    for i in 0..3_000 {
        text += &format!("int f{i}(int x) {{ if (x > {i}) x = x * 2; return x; }}\n");
    }
    std::fs::write(&file, text).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_prova"))
        .arg("show")
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
