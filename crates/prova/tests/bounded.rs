//! The answer *bounded* from outside: exit status 4 and its own word in every format, never *proved*.

use serde_json::Value;
use std::process::{Command, Output};

const PROGRAM: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int i = 0;
    while (__VERIFIER_nondet_int())
        i = i < 1000 ? i + 1 : 0;
    if (i == 30)
        reach_error();
    return 0;
}
";

fn check(arguments: &[&str]) -> (Output, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("loop.c"), PROGRAM).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_prova"))
        .args(["check", "loop.c", "--engine", "bmc"])
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("the command runs");
    (output, folder)
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn it_says_which_loops_and_how_many_rounds() {
    for bound in ["9", "5=9", "loop.c:5=9", "main=9"] {
        let (output, _) = check(&["--bound", bound]);
        assert_eq!(output.status.code(), Some(4), "{bound}");
        let text = text(&output);
        let said = "bounded: no violation within 9 rounds of the loop at loop.c:5:12";
        assert!(text.starts_with(said), "{bound}: {text}");
        assert!(!text.contains("proved"), "{bound}: {text}");
    }
    let (output, _) = check(&["--bound", "40"]);
    assert_eq!(output.status.code(), Some(1));
    let (output, _) = check(&["--bound", "few"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn every_format_has_a_word_for_it() {
    let (output, _) = check(&["--bound", "3", "--format", "svcomp"]);
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(text(&output).lines().last(), Some("UNKNOWN(bounded)"));
    let (output, _) = check(&["--bound", "3", "--quiet"]);
    assert!(text(&output).starts_with("bounded: "), "{}", text(&output));
    let files = ["--sarif", "log.json", "--report", "page.html"];
    let (output, folder) = check(&[&["--bound", "3", "--format", "json"], &files[..]].concat());
    let json: Value = serde_json::from_str(&text(&output)).expect("JSON");
    assert_eq!(json["verdict"], "bounded");
    assert_eq!(json["evidence"]["loops"][0]["rounds"], 3);
    assert_eq!(json["evidence"]["loops"][0]["at"]["line"], 5);
    let schema = std::fs::read_to_string("../../docs/check.schema.json").expect("the schema");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    assert!(validator.is_valid(&json), "{json:#}");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    let log: Value = serde_json::from_str(&read("log.json")).expect("JSON");
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["kind"], "open");
    assert!(result["message"]["text"]
        .as_str()
        .expect("text")
        .contains("3 rounds"));
    let page = read("page.html");
    assert!(
        page.contains("bounded") && page.contains("3 rounds"),
        "no word of it"
    );
}
