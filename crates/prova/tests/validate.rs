//! `prova validate` from outside: a violation and a proof through files, and files that cannot be
//! used.

mod common;

use common::prova;
use std::path::Path;

const PROGRAM: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
    int main(void) {\n  int i = 0;\n  while (i < 10)\n    i++;\n\
    if (i == LIMIT) reach_error();\n  return 0;\n}\n";

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("written");
    path.display().to_string()
}

#[test]
fn verdicts_go_through_files_and_come_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let witness = folder.path().join("witness.yml").display().to_string();
    for (limit, status, expected) in [("10", 1, "confirmed"), ("11", 0, "confirmed")] {
        let program = write(folder.path(), "p.c", &PROGRAM.replace("LIMIT", limit));
        let output = prova(["check", &program, "--witness", &witness]);
        assert_eq!(output.code, Some(status), "{}", output.stderr);
        let output = prova(["validate", &program, &witness]);
        assert_eq!(output.code, Some(0), "{}", output.stderr);
        assert!(output.stdout.starts_with(expected), "{}", output.stdout);
    }
    // The witness of one program says nothing about another.
    let other = write(folder.path(), "q.c", &PROGRAM.replace("LIMIT", "12"));
    let output = prova(["validate", &other, &witness]);
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("other files"), "{}", output.stderr);
}

#[test]
fn files_that_cannot_be_used_end_with_two() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = write(folder.path(), "p.c", &PROGRAM.replace("LIMIT", "11"));
    let huge = folder.path().join("huge.yml");
    let file = std::fs::File::create(&huge).expect("made");
    file.set_len(100 << 20).expect("100 MB");
    let mut bomb = String::from("a0: &a0 [x]\n");
    for i in 1..40 {
        bomb += &format!("a{i}: &a{i} [*a{0}, *a{0}, *a{0}]\n", i - 1);
    }
    let deep = "[".repeat(1 << 20);
    for (name, text, said) in [
        ("bomb.yml", bomb.as_str(), "anchors"),
        ("deep.yml", &deep, "deep"),
        ("empty.yml", "", "nothing"),
        ("other.yml", "a: b\n", "sequence"),
        ("binary.yml", "\u{0}\u{1}", "YAML"),
    ] {
        let witness = write(folder.path(), name, text);
        let output = prova(["validate", &program, &witness]);
        assert_eq!(output.code, Some(2), "{name}");
        assert!(output.stderr.contains(said), "{name}: {}", output.stderr);
    }
    let huge = huge.display().to_string();
    for (witness, said) in [
        (huge.as_str(), "too large"),
        ("/nowhere.yml", "cannot read"),
    ] {
        let output = prova(["validate", &program, witness]);
        assert_eq!(output.code, Some(2), "{witness}");
        assert!(output.stderr.contains(said), "{}", output.stderr);
    }
    let output = prova(["validate", &program]);
    assert_eq!(output.code, Some(2));
}

#[test]
fn witnesses_that_were_tampered_with_end_with_two() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = write(folder.path(), "p.c", &PROGRAM.replace("LIMIT", "11"));
    let witness = folder.path().join("witness.yml").display().to_string();
    let output = prova(["check", &program, "--witness", &witness]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let good = std::fs::read_to_string(&witness).expect("a witness");
    let invariant = good.lines().find(|l| l.contains("value: ")).expect("one");
    let line = good.lines().find(|l| l.contains("line: ")).expect("one");
    let digest = good
        .lines()
        .find(|l| l.contains("p.c\": "))
        .and_then(|l| l.rsplit('"').nth(1))
        .expect("a digest");
    for (bad, said) in [
        (good.replace("\"2.0\"", "\"9.9\""), "version"),
        (good.replace(digest, &"0".repeat(64)), "other files"),
        (good.replace(line, "          line: 4000000000"), "outside"),
        (good.replace(line, "          line: -1"), "number"),
        (
            good.replace(invariant, "        value: \"i <=\""),
            "syntax error",
        ),
        (
            good.replace(invariant, "        value: \"(i = 0) == 0\""),
            "changes something",
        ),
        (
            good.replace("LTL(G ! call(reach_error()))", "LTL(F end)"),
            "another property",
        ),
    ] {
        assert_ne!(bad, good, "{said}");
        let file = write(folder.path(), "bad.yml", &bad);
        let output = prova(["validate", &program, &file]);
        assert_eq!(output.code, Some(2), "{said}: {}", output.stdout);
        assert!(output.stderr.contains(said), "{said}: {}", output.stderr);
    }
}

#[test]
fn witnesses_of_other_properties_come_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let witness = folder.path().join("witness.yml").display().to_string();
    let text = "extern int __VERIFIER_nondet_int(void);\n\
        int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x < LIMIT)\n    \
        return x + 1;\n  return 0;\n}\n";
    for (limit, status) in [("2147483647", 0), ("x + 1", 1)] {
        let program = write(folder.path(), "p.c", &text.replace("LIMIT", limit));
        let how = ["--property", "no-overflow", "--witness", &witness];
        let output = prova([&["check", &program][..], &how].concat());
        assert_eq!(output.code, Some(status), "{}", output.stderr);
        let output = prova(["validate", &program, &witness]);
        assert_eq!(output.code, Some(0), "{}{}", output.stdout, output.stderr);
        assert!(output.stdout.starts_with("confirmed"), "{}", output.stdout);
    }
}
