//! `prova check --slic`: messages about bad rules, and what is said about rules that break.

mod common;

use common::{prova, Run};
use std::path::Path;

const PROGRAM: &str = "\
extern int __VERIFIER_nondet_int(void);
struct lock { int word; };
void take(struct lock *lock);
int give(struct lock *lock);
static struct lock lock;
int main(void)
{
    take(&lock);
    if (__VERIFIER_nondet_int() == 5)
        take(&lock);
    return give(&lock);
}
";

/// Checks the program with these rules, each a name and a text.
fn check(rules: &[(&str, &str)], more: &[&str]) -> Run {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("program.c"), PROGRAM).expect("written");
    let mut arguments = vec!["check".to_owned(), path("program.c")];
    for (name, text) in rules {
        let file = path(&format!("{name}.slic"));
        std::fs::write(&file, text).expect("written");
        arguments.extend(["--slic".into(), file]);
    }
    arguments.extend(more.iter().map(|m| m.to_string()));
    let run = prova(arguments);
    let plain = |text: &str| text.replace(&format!("{}/", folder.path().display()), "");
    Run {
        code: run.code,
        stdout: plain(&run.stdout),
        stderr: plain(&run.stderr),
    }
}

/// A bad rule is refused with this message at this place.
fn refused(rule: &str, place: &str, message: &str) {
    let run = check(&[("rule", rule)], &[]);
    assert_eq!(run.code, Some(2), "{rule}\n{run:?}");
    assert!(run.stderr.contains(message), "{rule}\n{}", run.stderr);
    let place = format!("rule.slic:{place}");
    assert!(run.stderr.contains(&place), "{rule}\n{}", run.stderr);
    assert!(!run.stderr.contains("__prova"), "{rule}\n{}", run.stderr);
}

#[test]
fn bad_rules_are_refused_with_their_place() {
    for (rule, place, message) in [
        (
            "grab.entry { halt; }",
            "1:1",
            "the program has no function `grab`",
        ),
        (
            "optional grab;\ngrab.entry { halt; }",
            "2:1",
            "the program has none of the functions",
        ),
        (
            "take.entry {\n    if ($2) halt;\n}",
            "2:9",
            "has 1 parameter: there is no `$2`",
        ),
        (
            "take.exit { if ($return) halt; }",
            "1:17",
            "`take` returns nothing",
        ),
        (
            "give.entry { if ($return) halt; }",
            "1:18",
            "there is no `$return` before",
        ),
        ("take.entry { s = 1; }", "1:14", "`s` is not declared"),
        (
            "state { int s = 0; }\ntake.entry {\n    t = s;\n}",
            "3:5",
            "`t` is not declared",
        ),
        (
            "state { int s = 0; }\ntake.entry { s = ; }",
            "2:18",
            "syntax error",
        ),
        (
            "state { int s = 0; }\ntake.entry { s = *$1; }",
            "2:18",
            "not `struct lock`",
        ),
        (
            "state { int s = 0; }\ntake.entry { s = $1->depth; }",
            "2:22",
            "no member `depth`",
        ),
        (
            "state { int s = 0 }\ntake.entry { }",
            "1:19",
            "expected `;`",
        ),
        (
            "state { int s = 0; }\ntake.start { }",
            "2:6",
            "found `start`",
        ),
        ("take.entry { halt; ", "1:12", "has no `}`"),
        ("take.entry { abort \"x\" }", "1:20", "syntax error"),
        (
            "take.entry [guard $1] { halt; }",
            "1:19",
            "a guard needs a `watch`",
        ),
        (
            "watch take.entry.$1;\ntake.entry { halt; }",
            "1:7",
            "no handler is guarded",
        ),
        ("watch take.entry.lock;", "1:18", "found `lock`"),
        ("int x;", "1:5", "expected `.`"),
        ("#define X\n", "1:1", "not preprocessed"),
        ("", "1:1", "a rule needs a handler"),
        (
            "take.entry { give($1); }\ngive.entry { halt; }",
            "1:14",
            "which is watched",
        ),
    ] {
        refused(rule, place, message);
    }
}

#[test]
fn two_rules_need_two_names() {
    let run = prova(["check", "x.c", "--slic", "missing.slic"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("missing.slic"), "{}", run.stderr);
    let rule = "take.entry { halt; }";
    let run = check(&[("rule", rule), ("rule", rule)], &[]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("two rules"), "{}", run.stderr);
}

const LOCKING: &str = "\
state { int held = 0; }
watch take.entry.$1;
take.entry [guard $1] {
    if (held) abort \"taken \" \"twice\";
    held = 1;
}
give.return [guard $1] { if ($return == 0) held = 0; }
";

#[test]
fn a_violation_names_the_rule_the_message_and_the_call() {
    let run = check(&[("locking", LOCKING)], &["--format", "json"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let json: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(json["evidence"]["property"], "slic:locking");
    assert_eq!(json["evidence"]["message"], "taken twice");
    assert_eq!(json["evidence"]["at"]["line"], 10);
    let file = json["evidence"]["at"]["file"].as_str().expect("a file");
    assert!(Path::new(file).ends_with("program.c"));
    let run = check(&[("locking", LOCKING)], &["--format", "svcomp"]);
    assert_eq!(run.stdout.lines().last(), Some("FALSE(slic:locking)"));
}

#[test]
fn each_rule_and_property_has_a_verdict_of_its_own() {
    let never = "give.entry { if ($1 == 0) abort; }";
    let run = check(
        &[("locking", LOCKING), ("never", never)],
        &["--property", "no-overflow"],
    );
    assert_eq!(run.code, Some(1), "{run:?}");
    let said: Vec<&str> = run
        .stdout
        .lines()
        .filter(|l| l.contains("locking") || l.contains("never") || l.contains("no-overflow"))
        .collect();
    let joined = said.join("\n");
    assert!(joined.contains("slic:locking: violated"), "{}", run.stdout);
    assert!(joined.contains("slic:never: proved"), "{}", run.stdout);
    assert!(joined.contains("no-overflow: proved"), "{}", run.stdout);
}

#[test]
fn calls_that_no_handler_can_see_forbid_a_proof() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let program = "void take(void); int main(void) { void (*f)(void) = take; f(); f(); }";
    std::fs::write(path("p.c"), program).expect("written");
    let rule = "state { int n = 0; } take.entry { if (n) abort; n = 1; }";
    std::fs::write(path("rule.slic"), rule).expect("written");
    let run = prova(["check", &path("p.c"), "--slic", &path("rule.slic")]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.stdout.contains("by a pointer"), "{}", run.stdout);
    let rule = path("rule.slic");
    let both = ["--slic", &rule, "--property", "no-overflow"];
    let run = prova(["check", &path("p.c")].into_iter().chain(both));
    assert!(run.stdout.contains("no-overflow: proved"), "{run:?}");
    let program = "void take(void); void (*f)(void) = take; int main(void) { f(); f(); }";
    std::fs::write(path("p.c"), program).expect("written");
    let run = prova(["check", &path("p.c"), "--slic", &rule]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(
        run.stderr.contains("calls from there are not seen"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_certificate_is_checked_with_its_rule() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let program = "void take(void); int main(void) { take(); return 0; }";
    std::fs::write(path("p.c"), program).expect("written");
    let rule = "state { int n = 0; } take.entry { if (n) abort; n = 1; }";
    std::fs::write(path("once.slic"), rule).expect("written");
    let (program, rule, certificate) = (path("p.c"), path("once.slic"), path("p.certificate"));
    let run = prova([
        "check",
        &program,
        "--slic",
        &rule,
        "--certificate",
        &certificate,
    ]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let run = prova(["certify", &program, &certificate, "--slic", &rule]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let run = prova(["certify", &program, &certificate]);
    assert_ne!(run.code, Some(0), "{run:?}");
    assert!(run.stderr.contains("once"), "{run:?}");
}

/// Structures, results, old-style definitions, variadic functions, and state of all kinds.
#[test]
fn handlers_see_what_functions_are_given_and_give() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let program = "
struct pair { int a, b; };
struct pair make(struct pair p, int n) { struct pair q = p; q.a += n; p.a = 9; n = 8; return q; }
static int next(int n) { return n + 1; }
int old(a, b) int a; char b; { return a + b; }
int many(int n, ...);
int main(void)
{
    struct pair p = { 1, 2 }, q = make(p, 3);
    int i, r = next(q.a) + old(1, 'a');
    many(3, 4, 5);
    for (i = 0; i < 2; i++)
        r = next(i) > 1 ? next(i) : 0;
    return r;
}
";
    let rule = "
state {
    int calls = 0, list[3];
    struct { int x; } box;
    int (*function)(int) = 0;
    enum kind { First = 1, Second } kind = Second;
}
main.entry { if (calls || list[2] || function || kind != 2) abort \"start\"; }
make.entry { if ($1.a != 1 || $2 != 3) abort \"make\"; box.x = $1.b; list[1] = 7; kind = First; }
make.return { if ($return.a != 4 || $2 != 3 || box.x != $return.b || list[1] != 7) abort; }
next.call { calls++; }
next.exit { if ($return != $1 + 1) abort \"next\"; }
old.entry { if ($1 != 1 || $2 != 'a') abort \"old\"; }
many.entry { if ($1 != 3) abort \"many\"; }
main.exit { if (calls != 4 || kind != First) abort \"end\"; }
";
    std::fs::write(path("p.c"), program).expect("written");
    std::fs::write(path("rule.slic"), rule).expect("written");
    for bits in ["64", "32"] {
        let (file, rule) = (path("p.c"), path("rule.slic"));
        let run = prova(["check", &file, "--slic", &rule, "--bits", bits]);
        assert_eq!(run.code, Some(0), "{run:?}");
    }
    let broken = rule.replace("calls != 4", "calls != 3");
    std::fs::write(path("rule.slic"), broken).expect("written");
    let run = prova(["check", &path("p.c"), "--slic", &path("rule.slic")]);
    assert_eq!(run.code, Some(1), "{run:?}");
}

/// With `--entry` the program's variables are arbitrary, the rule's are not.
#[test]
fn state_starts_as_the_rule_says_whatever_the_entry() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let program = "void take(int *p); void give(int *p); int n;
int driver(int *p) { take(p); if (n > 3) n = 3; give(p); return 0; }";
    std::fs::write(path("p.c"), program).expect("written");
    let rule = "state { int held = 0; }
watch take.entry.$1; watch give.entry.$1;
take.entry [guard $1] { if (held) abort; held = 1; }
give.entry [guard $1] { if (!held) abort; held = 0; }";
    std::fs::write(path("rule.slic"), rule).expect("written");
    let (file, rule) = (path("p.c"), path("rule.slic"));
    let check = [
        "check", &file, "--slic", &rule, "--entry", "driver", "--engine", "dash",
    ];
    let run = prova(check);
    assert_eq!(run.code, Some(0), "{run:?}");
    let program = program.replace("n = 3", "give(p)");
    std::fs::write(&file, program).expect("written");
    let run = prova(check);
    assert_eq!(run.code, Some(1), "{run:?}");
}
