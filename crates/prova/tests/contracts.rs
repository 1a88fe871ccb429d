//! Contracts (`docs/contracts.md`): programs with the verdicts that their first lines allow, and
//! messages about contracts that make no sense.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn include() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include")
}

fn prova(arguments: &[&str], path: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_prova"))
        .args(["check", "--no-config", "--timeout", "30", "-I"])
        .arg(include())
        .args(arguments)
        .arg(path)
        .output()
        .expect("the command runs")
}

/// What comes behind a key in the first lines of a program.
fn head(text: &str, key: &str) -> Option<String> {
    let start = format!("// {key}: ");
    let mut values = text.lines().filter_map(|l| l.strip_prefix(&start));
    values.next().map(str::to_owned)
}

#[test]
fn contracts_are_kept_or_broken_as_expected() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/contracts");
    let entries = std::fs::read_dir(root).expect("programs");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    let mut complaints = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("text");
        let expected = head(&text, "expect").expect("an expectation");
        let options = head(&text, "options").unwrap_or_default();
        let options: Vec<&str> = options.split_whitespace().collect();
        let output = prova(&options, &path);
        let verdict = match output.status.code() {
            Some(0) => "true",
            Some(1) => "false",
            Some(3) => "unknown",
            _ => "none",
        };
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let said = said + &String::from_utf8_lossy(&output.stderr);
        let shown = head(&text, "shows").is_none_or(|shown| said.contains(&shown));
        if !shown || !expected.split(" or ").any(|e| e == verdict) {
            complaints.push(format!(
                "{}: {verdict}, not {expected}\n{said}",
                path.display()
            ));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn a_verdict_names_the_contracts_that_it_rests_on() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/contracts");
    let output = prova(&["--modular", "--entry", "twice"], &root.join("modular.c"));
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("calls of `step` do what its contract says"),
        "{said}"
    );
    assert!(
        said.contains("`twice` is called as its contract requires"),
        "{said}"
    );
}

#[test]
fn bad_contracts_are_shown_where_they_stand() {
    let folder = tempfile::tempdir().expect("a folder");
    for (what, text, line, message) in [
        (
            "a side effect",
            "int f(int x) {\n prova_requires(x++ > 0);\n return x; }",
            3,
            "a contract must not change anything",
        ),
        (
            "a name that is not there",
            "int f(int x) {\n prova_ensures(y > 0);\n int y = x; return y; }",
            3,
            "y",
        ),
        (
            "a clause behind statements",
            "int f(int x) {\n int y = x;\n prova_ensures(y > 0);\n return y; }",
            4,
            "`prova_ensures` stands at the start of a function's body",
        ),
        (
            "an invariant outside of a loop",
            "int f(int x) {\n prova_invariant(x > 0);\n return x; }",
            3,
            "`prova_invariant` stands at the start of a loop's body",
        ),
        (
            "old in what is required",
            "int f(int x) {\n prova_requires(prova_old(x) > 0);\n return x; }",
            3,
            "`prova_old` stands in what a function ensures",
        ),
        (
            "a quantifier without bounds",
            "int f(int x) {\n prova_requires(__prova_forall(i, i > 0));\n return x; }",
            3,
            "needs a variable, two bounds and a condition",
        ),
        (
            "something that cannot be written to",
            "int f(int x) {\n prova_assigns(x + 1);\n return x; }",
            3,
            "",
        ),
    ] {
        let path = folder.path().join("bad.c");
        std::fs::write(&path, format!("#include \"prova.h\"\n{text}\n")).expect("written");
        let output = prova(&["--entry", "f"], &path);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{what}: {said}");
        assert!(said.contains(&format!("bad.c:{line}:")), "{what}: {said}");
        assert!(said.contains(message), "{what}: {said}");
    }
}

#[test]
fn the_header_is_nothing_to_a_compiler() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/contracts");
    for name in ["find.c", "modular.c", "quantified.c"] {
        let output = Command::new("cc")
            .args(["-std=c99", "-Wall", "-Werror", "-pedantic", "-c", "-I"])
            .arg(include())
            .arg(root.join(name))
            .arg("-o")
            .arg(folder.path().join("out.o"))
            .output()
            .expect("a compiler");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {said}");
    }
}

#[test]
fn requirements_that_nobody_can_keep_are_told() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/contracts");
    let output = prova(&["--entry", "never"], &root.join("vacuous.c"));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("vacuously"), "{said}");
    // Those that clash are named, and the one that does not is not.
    assert!(said.contains("exclude each other"), "{said}");
    let clash = said
        .lines()
        .find(|l| l.contains("vacuously"))
        .unwrap_or_default();
    assert!(clash.matches(" at ").count() == 2, "{said}");
}

/// All that comes behind a key in the first lines of a program.
fn heads(text: &str, key: &str) -> Vec<String> {
    let start = format!("// {key}: ");
    let values = text.lines().filter_map(|l| l.strip_prefix(&start));
    values.map(str::to_owned).collect()
}

#[test]
fn contracts_are_proposed_and_proved() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/proposed");
    let entries = std::fs::read_dir(root).expect("programs");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    let mut complaints = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("text");
        let function = head(&text, "function").expect("a function");
        let output = Command::new(env!("CARGO_BIN_EXE_prova"))
            .args(["contract", &function, "--no-config", "--timeout", "60"])
            .arg(&path)
            .output()
            .expect("the command runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let said = said + &String::from_utf8_lossy(&output.stderr);
        let proved = head(&text, "proved").expect("whether it is proved");
        let statuses: &[i32] = match proved.as_str() {
            "yes" => &[0],
            // A question of time.
            "perhaps" => &[0, 3],
            _ => &[3],
        };
        let decided = output.status.code().is_some_and(|c| statuses.contains(&c));
        let missing = |has: &String| !said.contains(has.as_str());
        if !decided
            || heads(&text, "has").iter().any(missing)
            || heads(&text, "says").iter().any(missing)
            || !heads(&text, "lacks").iter().all(missing)
        {
            complaints.push(format!("{}\n{said}", path.display()));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// What is proposed is what `check` proves, once it is pasted.
#[test]
fn what_is_proposed_can_be_pasted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/proposed");
    let folder = tempfile::tempdir().expect("a folder");
    for (name, function) in [("share.c", "share"), ("set.c", "set")] {
        let text = std::fs::read_to_string(root.join(name)).expect("text");
        let output = Command::new(env!("CARGO_BIN_EXE_prova"))
            .args([
                "contract",
                function,
                "--no-config",
                "--timeout",
                "60",
                "--format",
                "json",
            ])
            .arg(root.join(name))
            .output()
            .expect("the command runs");
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(found["proved"], true, "{found}");
        let mut clauses = String::new();
        for required in found["requires"].as_array().expect("a list") {
            let condition = required["condition"].as_str().expect("a condition");
            clauses += &format!("    prova_requires({condition});\n");
        }
        let targets = found["assigns"].as_array().expect("a list").iter();
        let targets: Vec<&str> = targets.map(|t| t.as_str().expect("a target")).collect();
        clauses += &format!("    prova_assigns({});\n", targets.join(", "));
        let pasted = text.replacen("{\n", &format!("{{\n{clauses}"), 1);
        let path = folder.path().join(name);
        std::fs::write(&path, format!("#include \"prova.h\"\n{pasted}")).expect("written");
        for property in ["valid-deref", "unreach-call", "no-overflow"] {
            let output = prova(
                &[
                    "--blocks",
                    "small",
                    "--entry",
                    function,
                    "--property",
                    property,
                ],
                &path,
            );
            let said = String::from_utf8_lossy(&output.stdout);
            assert_eq!(output.status.code(), Some(0), "{pasted}\n{said}");
        }
    }
}

#[test]
fn contracts_that_nobody_proved_are_listed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/contracts");
    let path = root.join("modular.c");
    let line = "contracts that this rests on and that nobody proved here: `step`";
    let output = prova(&["--modular", "--entry", "twice"], &path);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains(line), "{said}");
    let output = prova(&["--modular"], &path);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!said.contains("nobody proved"), "{said}");
    let output = prova(
        &["--modular", "--entry", "twice", "--format", "json"],
        &path,
    );
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found["unproved_contracts"][0], "step", "{found}");
}

/// A length beside a pointer, in a structure that is cleared byte by byte, is no address where only casts
/// make numbers of pointers; a cast is still seen.
#[test]
fn numbers_beside_pointers_are_no_addresses() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("beside.c");
    let text = |limit: &str| {
        format!(
            "#include <assert.h>\n#include <stdlib.h>\nstruct buffer {{ char *at; size_t size; }};\n\
             void clear(unsigned char *p, size_t n) {{ for (size_t i = 0; i < n; i++) p[i] = 0; }}\n\
             int main(void) {{\n struct buffer b;\n clear((unsigned char *)&b, sizeof b);\n \
             b.at = malloc(8);\n size_t limit = {limit};\n int small = b.size < limit;\n \
             assert(small);\n __CPROVER_assume(b.at && __CPROVER_w_ok(b.at, 8));\n \
             free(b.at);\n return 0; }}\n"
        )
    };
    std::fs::write(&path, text("5")).expect("written");
    let output = prova(&["--addresses", "arbitrary"], &path);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("pointers become numbers by casts only"),
        "{said}"
    );
    // Where a block lies is anybody's guess.
    std::fs::write(&path, text("(size_t)b.at")).expect("written");
    let output = prova(&["--addresses", "arbitrary"], &path);
    assert_ne!(output.status.code(), Some(0));
}

/// The five functions of `examples/contracts`: a harness for each, and the contract that replaces it.
/// Both ways of asking agree wherever both have an answer; some are open, and none is violated.
#[test]
fn contracts_replace_harnesses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/contracts");
    let proved = [
        ("add_checked", "unreach-call"),
        ("add_checked", "valid-deref"),
        ("next_place", "unreach-call"),
        ("next_place", "valid-deref"),
        ("find_byte", "unreach-call"),
        ("skip", "unreach-call"),
    ];
    for (name, property) in proved {
        let harness = root.join(format!("{name}_harness.c"));
        let (path, entry) = (root.join("functions.c"), ["--entry", name]);
        for (options, path) in [(&[][..], &harness), (&entry[..], &path)] {
            let options = [&["--property", property][..], options].concat();
            let output = prova(&options, path);
            let said = String::from_utf8_lossy(&output.stdout);
            let open = name == "skip" && said.starts_with("unknown: every way on");
            assert!(
                output.status.code() == Some(0) || open,
                "{name}, {property}: {said}"
            );
        }
    }
}
