//! Functions as they are: what entries get, every place that fails, every function, whether a proof says
//! something, and allocators behind pointers.

mod common;

use common::{prova, Run};
use serde_json::Value;

/// A folder with a program.
struct Program {
    folder: tempfile::TempDir,
}

impl Program {
    fn new(text: &str) -> Program {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("program.c"), text).expect("written");
        Program { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn run(&self, command: &str, options: &[&str]) -> Run {
        let file = self.path("program.c");
        prova([command, &file].iter().chain(options))
    }

    fn check(&self, options: &[&str]) -> Run {
        self.run("check", options)
    }

    fn json(&self, options: &[&str]) -> Value {
        let run = self.check(&[&["--format", "json"], options].concat());
        serde_json::from_str(&run.stdout).expect("JSON")
    }
}

const POINTERS: &str = "struct node { struct node *next; int key; };
int key(const struct node *node) { return node->key; }
int careful(const struct node *node) { return node ? node->key : 0; }
int second(const struct node *node) { return node->next->key; }
int number(int n) { return n; }
";

#[test]
fn null_is_the_callers_fault_unless_told() {
    let program = Program::new(POINTERS);
    for (entry, pointers, code) in [
        ("key", "valid", 0),
        ("key", "nullable", 1),
        ("key", "arbitrary", 1),
        ("careful", "nullable", 0),
        ("careful", "arbitrary", 1),
        // A list ends somewhere.
        ("second", "valid", 1),
    ] {
        let options = ["--entry", entry, "--property", "valid-deref", "--first"];
        let run = program.check(&[&options[..], &["--pointers", pointers]].concat());
        assert_eq!(run.code, Some(code), "{entry} {pointers}: {run:?}");
        if pointers == "valid" {
            let usual = program.check(&options);
            assert_eq!(usual.code, Some(code), "{entry}: {usual:?}");
            let said = "assumed: no argument that points to objects is null";
            assert!(usual.stdout.contains(said), "{entry}: {usual:?}");
        }
    }
}

#[test]
fn every_format_says_what_pointers_are() {
    let program = Program::new(POINTERS);
    let (page, log) = (program.path("page.html"), program.path("log.sarif"));
    let asked = ["--entry", "key", "--property", "no-null-deref"];
    let files = ["--report", &page, "--sarif", &log];
    let value = program.json(&[&asked[..], &files].concat());
    let all = value["scope"]["assumptions"].as_array().expect("a list");
    let said = all.iter().find(|a| a["kind"] == "pointers").expect("said");
    assert_eq!(said["value"], "valid");
    assert_eq!(said["switch"], "--pointers nullable");
    let text = "no argument that points to objects is null";
    for file in [&page, &log] {
        let content = std::fs::read_to_string(file).expect("written");
        assert!(content.contains(text), "{file}");
    }
    let quiet = program.check(&[&asked[..], &["-q"]].concat());
    assert!(quiet.stdout.contains("pointers valid"), "{quiet:?}");
    assert!(quiet.stdout.contains("[no-null-deref, key]"), "{quiet:?}");
    // Who takes no pointer is told nothing of them.
    let other = program.check(&["--entry", "number", "--property", "no-null-deref"]);
    assert!(!other.stdout.contains("points to objects"), "{other:?}");
}

#[test]
fn certificates_say_what_pointers_are() {
    let program = Program::new(POINTERS);
    let file = program.path("proof.cert");
    let asked = [
        "--entry",
        "key",
        "--property",
        "no-null-deref",
        "--certificate",
        &file,
    ];
    let run = program.check(&asked);
    assert_eq!(run.code, Some(0), "{run:?}");
    let text = std::fs::read_to_string(&file).expect("written");
    assert!(text.contains("(assume pointers \"valid\")"), "{text}");
    let again = program.run("certify", &[&file]);
    assert_eq!(again.code, Some(0), "{again:?}");
    let refused = program.run("certify", &[&file, "--pointers", "nullable"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    // A proof for valid pointers is none for others, whatever its first lines say.
    let forged = text.replace("pointers \"valid\"", "pointers \"nullable\"");
    std::fs::write(&file, forged).expect("written");
    let refused = program.run("certify", &[&file]);
    assert_ne!(refused.code, Some(0), "{refused:?}");
}

const PLACES: &str = "extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int counts[4] = {0, 0, 0, 0};
    int i = __VERIFIER_nondet_int();
    if (i == 4)
        return counts[i];
    if (i == -1)
        counts[i] = 5;
    if (i == 3)
        counts[i] = 6;
    return 0;
}
";

#[test]
fn every_place_that_fails_is_reported() {
    let program = Program::new(PLACES);
    let (log, harness) = (program.path("log.sarif"), program.path("h.c"));
    let asked = ["--property", "valid-deref", "--timeout", "60"];
    let files = ["--sarif", &log, "--harness", &harness];
    let value = program.json(&[&asked[..], &files].concat());
    let mut lines = vec![value["evidence"]["at"]["line"].clone()];
    let further = value["further"].as_array().expect("others");
    lines.extend(further.iter().map(|f| f["evidence"]["at"]["line"].clone()));
    lines.sort_by_key(Value::as_u64);
    assert_eq!(lines, [7, 9].map(Value::from));
    for other in further {
        assert_eq!(other["replay"]["how"], "native", "{other}");
    }
    for file in [&harness, &program.path("h-2.c")] {
        assert!(std::path::Path::new(file).exists(), "{file}");
    }
    let text = std::fs::read_to_string(&log).expect("written");
    let log: Value = serde_json::from_str(&text).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert!(results.len() == 2 && results.iter().all(|r| r["kind"] == "fail"));
}

#[test]
fn the_first_is_enough_if_asked() {
    let program = Program::new(PLACES);
    let value = program.json(&["--property", "valid-deref", "--first"]);
    assert_eq!(value["verdict"], "violated");
    assert!(value.get("further").is_none(), "{value}");
    let run = program.check(&["--property", "valid-deref", "--format", "svcomp"]);
    let said = run.stdout.matches("FALSE(").count();
    assert_eq!((run.code, said), (Some(1), 1), "{run:?}");
    assert_eq!(run.stdout.matches("violated").count(), 1, "{run:?}");
    // One line for each, none of which says that something is proved.
    let run = program.check(&["--property", "valid-deref", "-q"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert_eq!(run.stdout.lines().count(), 2, "{run:?}");
    assert!(run.stdout.lines().all(|l| l.starts_with("violated: ")));
}

#[test]
fn every_function_may_be_an_entry() {
    let text = format!("{POINTERS}int main(void) {{ return number(1); }}\n");
    let program = Program::new(&text);
    for each in [&["--each-function"][..], &["--entry", "*", "-q"]] {
        let run = program.check(&[&["--property", "valid-deref"], each].concat());
        assert_eq!(run.code, Some(1), "{run:?}");
        let lines: Vec<&str> = run.stdout.lines().collect();
        assert_eq!(lines.len(), 4, "{run:?}");
        for (line, function) in lines.iter().zip(["key", "careful", "second", "number"]) {
            let named = format!("[valid-deref, {function}]");
            assert!(line.contains(&named), "{line}");
            let violated = function == "second";
            assert_eq!(line.starts_with("violated"), violated, "{line}");
        }
    }
    let none = Program::new("int main(void) { return 0; }").check(&["--each-function"]);
    assert_eq!(none.code, Some(2), "{none:?}");
}

#[test]
fn vacuity_is_decided() {
    let text = "extern void __VERIFIER_assume(int);
extern void reach_error(void);
void some(const char *in, char *out, unsigned length)
{
    __VERIFIER_assume(in && out && length == 4000000000u);
    if (length < 2)
        reach_error();
}
void none(unsigned length)
{
    __VERIFIER_assume(length < 2);
    __VERIFIER_assume(length > 5);
    if (length == 3)
        reach_error();
}
";
    let program = Program::new(text);
    for engine in ["auto", "bmc"] {
        let of = |entry: &str| program.json(&["--entry", entry, "--engine", engine]);
        let some = of("some");
        assert_eq!(some["verdict"], "proved", "{engine}: {some}");
        assert_eq!(some["scope"]["vacuous"], Value::Null, "{engine}: {some}");
        let none = of("none");
        assert_eq!(none["verdict"], "proved", "{engine}: {none}");
        assert_eq!(
            none["scope"]["vacuous"], "no run gets past the program's assumptions",
            "{engine}: {none}"
        );
    }
}

#[test]
fn allocators_are_called_through_pointers() {
    let text = "#include <stdlib.h>
#include <string.h>
struct hooks {
    void *(*allocate)(size_t);
    void *(*resize)(void *, size_t);
    void (*release)(void *);
};
static struct hooks hooks = {malloc, realloc, free};
static size_t (*length)(const char *) = strlen;
static void install(const struct hooks *own)
{
    if (own)
        hooks = *own;
}
int main(void)
{
    char *text, *more;
    install(NULL);
    text = hooks.allocate(LENGTH);
    if (!text)
        return 1;
    strcpy(text, \"abc\");
    text[length(text) - 1] = 'd';
    more = hooks.resize(text, 8);
    if (!more) {
        hooks.release(text);
        return 1;
    }
    more[7] = more[2];
    hooks.release(more);
    return 0;
}
";
    for (size, code) in [("4", 0), ("3", 1)] {
        let program = Program::new(&text.replace("LENGTH", size));
        let options = ["--property", "valid-deref", "--first", "--timeout", "60"];
        let run = program.check(&options);
        assert_eq!(run.code, Some(code), "{run:?}");
    }
}
