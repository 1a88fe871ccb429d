//! Whether programs end, from outside: the programs of the literature and some that would embarrass
//! us, each with the verdict that its first line expects; what is printed; certificates; cycles.

mod common;

use common::prova;
use std::path::{Path, PathBuf};

fn programs() -> Vec<PathBuf> {
    let folder = std::env::current_dir()
        .expect("the package's folder")
        .join("../../tests/programs/termination");
    let entries = std::fs::read_dir(folder).expect("programs");
    let mut all: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    all.sort();
    all
}

fn program(name: &str) -> PathBuf {
    let mut all = programs().into_iter();
    all.find(|p| p.ends_with(name)).expect("a program")
}

fn words(path: &Path, options: &[&str]) -> Vec<String> {
    let mut all = vec!["check".to_owned(), "--property=termination".to_owned()];
    all.extend(options.iter().map(|o| (*o).to_owned()));
    all.push(path.display().to_string());
    all
}

#[test]
fn every_program_gets_its_verdict() {
    let all = programs();
    assert!(all.len() >= 20);
    for path in all {
        let text = std::fs::read_to_string(&path).expect("text");
        let first = text.lines().next().unwrap_or_default();
        let expected = first.strip_prefix("// expect: ").expect("an expectation");
        let (verdict, measure) = expected.split_once(' ').unwrap_or((expected, ""));
        let time = match verdict {
            // Nothing is found however long it takes.
            "unknown" => "--timeout=3",
            // Effort is counted in steps: the clock is there for what hangs.
            _ => "--timeout=600",
        };
        let run = prova(words(&path, &[time]));
        let name = path.display();
        let code = match verdict {
            "true" => 0,
            "false" => 1,
            _ => 3,
        };
        assert_eq!(run.code, Some(code), "{name}: {}{}", run.stdout, run.stderr);
        if verdict == "true" {
            assert!(run.stdout.starts_with("proved: every run ends"), "{name}");
            let said = format!("`{measure}` falls in every");
            let named = measure.is_empty() || run.stdout.contains(&said);
            assert!(named, "{name}: {}", run.stdout);
        }
        if verdict == "false" {
            assert!(run.stdout.contains("and then the same again"), "{name}");
            assert!(run.stdout.contains("replayed: compiled"), "{name}");
        }
    }
}

#[test]
fn the_competition_is_answered_in_its_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("termination.prp");
    std::fs::write(&file, "CHECK( init(main()), LTL(F end) )\n").expect("written");
    let property = format!("--property={}", file.display());
    for (name, line) in [("up.c", "TRUE"), ("sticks_at_five.c", "FALSE(termination)")] {
        let path = program(name).display().to_string();
        let run = prova(["check", &property, "--format=svcomp", &path]);
        assert_eq!(run.stdout.lines().last(), Some(line), "{}", run.stderr);
    }
}

#[test]
fn machines_are_told_what_kind_of_measure_it_was() {
    for (name, kind) in [("down.c", "one variable"), ("up.c", "a sum or difference")] {
        let run = prova(words(&program(name), &["--format=json"]));
        let answer: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        let text = answer.to_string();
        assert!(
            text.contains(&format!("\"kind\":\"{kind}\"")),
            "{name}: {text}"
        );
    }
}

#[test]
fn certificates_are_checked_again_and_damaged_ones_are_not_accepted() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("up.cert");
    let option = format!("--certificate={}", file.display());
    let path = program("up.c");
    assert_eq!(prova(words(&path, &[&option])).code, Some(0));
    let source = path.display().to_string();
    let certified = prova(["certify", &source, &file.display().to_string()]);
    assert_eq!(certified.code, Some(0), "{}", certified.stderr);
    assert!(certified
        .stdout
        .starts_with("certified: every run of `main` ends"));
    let text = std::fs::read_to_string(&file).expect("a certificate");
    let line = text
        .lines()
        .find(|l| l.starts_with("(measure "))
        .expect("a measure");
    for damaged in [
        text.replace(&format!("{line}\n"), ""),
        text.replace(line, &line.replace("-1*", "1*")),
        text.replace(line, &line.replace("loop main", "loop other")),
        text.replace("(property \"termination\")", "(property \"unreach-call\")"),
    ] {
        assert_ne!(damaged, text);
        let other = folder.path().join("damaged.cert");
        std::fs::write(&other, damaged).expect("written");
        let refused = prova(["certify", &source, &other.display().to_string()]);
        assert_ne!(refused.code, Some(0), "{}", refused.stdout);
    }
}

#[test]
fn a_function_by_itself_may_be_asked_about() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("f.c");
    let text = "int f(unsigned char n) { int s = 0; while (n) { s += n; n--; } return s; }\n\
                void g(int n) { while (n != 3) ; }\n";
    std::fs::write(&file, text).expect("written");
    let path = file.display().to_string();
    let asked = ["check", "--property=termination", "--entry"];
    let ends = prova([&asked[..], &["f", &path]].concat());
    assert_eq!(ends.code, Some(0), "{}{}", ends.stdout, ends.stderr);
    let goes_on = prova([&asked[..], &["g", &path]].concat());
    assert_eq!(
        goes_on.code,
        Some(1),
        "{}{}",
        goes_on.stdout,
        goes_on.stderr
    );
}

#[test]
fn event_loops_may_run_for_ever_and_what_is_in_them_may_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("server.c");
    let text = "int get(void);\n\
                int main(void) {\n\
                  int sum = 0;\n\
                serve:\n\
                  for (;;) {\n\
                    int n = get();\n\
                    while (n > 0) n--;\n\
                    sum = n;\n\
                  }\n\
                }\n";
    std::fs::write(&file, text).expect("written");
    let path = file.display().to_string();
    let asked = ["check", "--property=termination", &path];
    assert_eq!(prova(asked).code, Some(1));
    let certificate = folder.path().join("server.cert").display().to_string();
    let label = "--may-run-forever=serve";
    let option = format!("--certificate={certificate}");
    let allowed = prova([&asked[..], &[label, &option]].concat());
    assert_eq!(
        allowed.code,
        Some(0),
        "{}{}",
        allowed.stdout,
        allowed.stderr
    );
    let said = "the loop of `main` at line";
    assert!(allowed.stdout.contains(said), "{}", allowed.stdout);
    let certified = prova(["certify", &path, &certificate]);
    assert_eq!(certified.code, Some(0), "{}", certified.stderr);
    assert!(certified.stdout.contains(said), "{}", certified.stdout);
    // Who leaves out what it assumes is refused.
    let text = std::fs::read_to_string(&certificate).expect("a certificate");
    let kept = text.lines().filter(|l| !l.starts_with("(assume forever"));
    let kept: Vec<&str> = kept.collect();
    assert!(kept.len() < text.lines().count(), "{text}");
    std::fs::write(&certificate, kept.join("\n")).expect("written");
    assert_eq!(prova(["certify", &path, &certificate]).code, Some(2));
    // The loop inside has no such label.
    let text = std::fs::read_to_string(&file).expect("text");
    std::fs::write(&file, text.replace("n--;", ";")).expect("written");
    let stuck = prova([&asked[..], &[label]].concat());
    assert_eq!(stuck.code, Some(1), "{}{}", stuck.stdout, stuck.stderr);
    let nowhere = prova([&asked[..], &["--may-run-forever=nowhere"]].concat());
    assert_eq!(nowhere.code, Some(2), "{}", nowhere.stdout);
}

#[test]
fn bounds_are_told_in_c() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bounds.c");
    let text = "int f(int n, int m) {\n\
                  int s = 0;\n\
                  for (int i = 0; i < n; i++) s ^= i;\n\
                  while (m > 3) m--;\n\
                  return s;\n\
                }\n";
    std::fs::write(&file, text).expect("written");
    let path = file.display().to_string();
    let run = prova(["bounds", &path, "--entry=f", "--timeout=30"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    let said = |line: usize| {
        lines
            .iter()
            .find(|l| l.contains(&format!("bounds.c:{line}:")))
    };
    assert!(
        said(3).is_some_and(|l| l.ends_with("at most `n` rounds")),
        "{}",
        run.stdout
    );
    assert!(
        said(4).is_some_and(|l| l.ends_with("at most `m - 3` rounds")),
        "{}",
        run.stdout
    );
    assert_eq!(run.code, Some(0));
}

#[test]
fn measures_stand_beside_loops_in_the_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let option = format!("--report={}", page.display());
    let run = prova(words(&program("up.c"), &[&option]));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let text = std::fs::read_to_string(&page).expect("a page");
    assert!(text.contains("every run ends"));
    assert!(text.contains("`n - i` falls in every round and stays above 0"));
}
