//! What a verdict rests on: the switches, and that it is said in every format.

mod common;

use common::{prova, Run};
use serde_json::Value;
use std::path::{Path, PathBuf};

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

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, command: &str, options: &[&str]) -> Run {
        let file = self.path("program.c").display().to_string();
        prova([command, &file].iter().chain(options))
    }

    fn check(&self, options: &[&str]) -> Run {
        self.run("check", options)
    }

    fn json(&self, options: &[&str]) -> Value {
        let run = self.check(&[&["--format", "json"], options].concat());
        serde_json::from_str(&run.stdout).expect("JSON")
    }

    /// Proves it, and gives the file of the certificate.
    fn prove(&self, options: &[&str]) -> PathBuf {
        let file = self.path("proof.cert");
        let keep = ["--certificate", file.to_str().expect("a plain path")];
        let run = self.check(&[&keep, options].concat());
        assert_eq!(run.code, Some(0), "{run:?}");
        file
    }

    fn certify(&self, certificate: &Path, options: &[&str]) -> Run {
        let file = certificate.to_str().expect("a plain path");
        self.run("certify", &[&[file], options].concat())
    }
}

const ALLOCATES: &str = "#include <stdlib.h>
extern void reach_error(void);
int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        reach_error();
    free(p);
    return 0;
}
";

/// Safe in every world; has one of most things.
const OUTSIDE: &str = "#include <stdlib.h>
extern void reach_error(void);
extern int measure(int *);
extern int level;
int main(void)
{
    int *p = malloc(sizeof *p);
    int x = 1;
    if (!p)
        return 1;
    *p = 2;
    x = measure(&x) > level;
    if (x != 0 && x != 1)
        reach_error();
    free(p);
    return 0;
}
";

#[test]
fn allocations_may_fail_unless_told() {
    let program = Program::new(ALLOCATES);
    let run = program.check(&[]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(
        run.stdout.contains("assumed: allocations may fail\n"),
        "{run:?}"
    );
    let run = program.check(&["--malloc", "never-fails"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(
        run.stdout.contains("assumed: allocations never fail\n"),
        "{run:?}"
    );
    let run = program.check(&["--format", "svcomp"]);
    let last: Vec<&str> = run.stdout.lines().rev().take(2).collect();
    assert_eq!(last, ["TRUE", "assumed: malloc never-fails"], "{run:?}");
    let run = program.check(&["--format", "svcomp", "--malloc", "may-fail"]);
    let last: Vec<&str> = run.stdout.lines().rev().take(2).collect();
    assert_eq!(
        last,
        ["FALSE(unreach-call)", "assumed: malloc may-fail"],
        "{run:?}"
    );
}

#[test]
fn nothing_is_said_of_what_is_not_used() {
    let text = "#include <stdlib.h>
        extern void reach_error(void);
        extern int never(int *);
        extern int unused;
        int uses(void) { int *p = malloc(4); return never(p) + unused; }
        int main(void) { return 0; }";
    let run = Program::new(text).check(&[]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(!run.stdout.contains("assumed"), "{run:?}");
}

#[test]
fn what_ends_the_program_is_no_assumption() {
    let text = "#include <assert.h>
        #include <stdlib.h>
        extern int __VERIFIER_nondet_int(void);
        int main(void)
        {
            int x = __VERIFIER_nondet_int();
            if (x == 3) abort();
            if (x == 4) exit(1);
            assert(x != 3 && x != 4);
            return 0;
        }";
    for property in ["unreach-call", "no-overflow", "valid-deref"] {
        let run = Program::new(text).check(&["--property", property]);
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(!run.stdout.contains("assumed"), "{run:?}");
    }
}

#[test]
fn every_format_says_what_is_assumed() {
    let program = Program::new(OUTSIDE);
    let (page, log) = (program.path("page.html"), program.path("log.sarif"));
    let [page, log] = [page, log].map(|p| p.display().to_string());
    let run = program.check(&["--report", &page, "--sarif", &log]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let sentences = [
        "`measure` has no body; it returns an arbitrary value and may write what it reaches",
        "`level` is declared and defined nowhere; it holds arbitrary values at first",
        "allocations may fail",
    ];
    for sentence in sentences {
        assert!(
            run.stdout.contains(&format!("assumed: {sentence}")),
            "{run:?}"
        );
    }
    let page = std::fs::read_to_string(page).expect("a page");
    let log = std::fs::read_to_string(log).expect("a log");
    for sentence in sentences {
        assert!(
            page.contains(sentence) && log.contains(sentence),
            "{sentence}"
        );
    }
    let json = program.json(&[]);
    let all = json["scope"]["assumptions"].as_array().expect("a list");
    let said = |kind: &str| all.iter().find(|a| a["kind"] == kind).expect("it is there");
    assert_eq!(said("malloc")["value"], "may-fail");
    assert_eq!(said("malloc")["switch"], "--malloc never-fails");
    assert_eq!(said("function")["value"], "measure=havoc");
    assert_eq!(said("function")["switch"], "--undefined measure=pure");
    assert_eq!(said("variable")["value"], "level");
    let schema = std::fs::read_to_string("../../docs/check.schema.json").expect("the schema");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    assert!(validator.is_valid(&json), "{json:#}");
    let mut strange = json.clone();
    strange["scope"]["assumptions"][0]["kind"] = "weather".into();
    assert!(!validator.is_valid(&strange));
    let run = program.check(&["-q"]);
    assert!(
        run.stdout
            .contains("(assumed: malloc may-fail, function measure=havoc, variable level"),
        "{run:?}"
    );
    let run = program.check(&["--format", "svcomp", "-q"]);
    let above = run.stdout.lines().rev().nth(1).expect("a line above");
    assert_eq!(
        above,
        "assumed: malloc never-fails, addresses arbitrary, function measure=pure, variable level, accesses valid"
    );
}

#[test]
fn a_certificate_says_what_it_assumes_and_no_other_is_accepted() {
    let program = Program::new(OUTSIDE);
    let file = program.prove(&["--undefined", "measure=pure"]);
    let text = std::fs::read_to_string(&file).expect("a certificate");
    for line in [
        "(assume malloc \"may-fail\")",
        "(assume undefined \"havoc\")",
        "(assume undefined \"measure=pure\")",
        "(assume function \"measure=pure\")",
        "(assume variable \"level\")",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let run = program.certify(&file, &[]);
    assert_eq!(run.code, Some(0), "{run:?}");
    for line in [
        "assumed: `measure` has no body; it returns an arbitrary value and changes nothing",
        "assumed: allocations may fail",
        "assumed: `level` is declared and defined nowhere",
    ] {
        assert!(run.stdout.contains(line), "{run:?}");
    }
    let same = [
        "--bits",
        "64",
        "--malloc",
        "may-fail",
        "--undefined",
        "havoc,measure=pure",
    ];
    let same = [&same[..], &["--property", "unreach-call"]].concat();
    let run = program.certify(&file, &same);
    assert_eq!(run.code, Some(0), "{run:?}");
    for (options, message) in [
        (&["--bits", "32"][..], "for data model lp64, not for ilp32"),
        (
            &["--malloc", "never-fails"],
            "`--malloc may-fail`, not with `--malloc never-fails`",
        ),
        (
            &["--volatile", "plain"],
            "`--volatile arbitrary`, not with `--volatile plain`",
        ),
        (
            &["--undefined", "pure"],
            "`--undefined havoc`, not with `--undefined pure`",
        ),
        (
            &["--undefined", "measure=havoc"],
            "`--undefined measure=pure`, not with `--undefined measure=havoc`",
        ),
        (
            &["--undefined", "measure=forbidden"],
            "not with `--undefined measure=forbidden`",
        ),
        (&["--entry", "other"], "its entry is none, not other"),
        (
            &["--property", "no-overflow"],
            "its property is unreach-call, not no-overflow",
        ),
        (
            &["--error-label", "ERROR"],
            "its error label is none, not ERROR",
        ),
    ] {
        let run = program.certify(&file, options);
        assert_eq!(run.code, Some(2), "{options:?}: {run:?}");
        assert!(run.stderr.contains(message), "{message}: {run:?}");
    }
    let damaged = |from: &str, to: &str| {
        let text = text.replace(from, to);
        std::fs::write(program.path("damaged.cert"), text).expect("written");
        program.certify(&program.path("damaged.cert"), &[])
    };
    for (from, to, message) in [
        (
            "(assume malloc \"may-fail\")",
            "(assume malloc \"sometimes\")",
            "is not one of",
        ),
        (
            "(assume malloc \"may-fail\")",
            "",
            "does not say what it assumes of `malloc`",
        ),
        (
            "(assume malloc \"may-fail\")",
            "(assume malloc \"never-fails\")",
            "another program",
        ),
        (
            "(assume variable \"level\")",
            "",
            "does not say that it assumes `variable level`",
        ),
        (
            "(assume variable \"level\")",
            "(assume weather \"fine\")",
            "assumes `weather fine`",
        ),
        (
            "(assume variable \"level\")",
            "(assume variable)",
            "a keyword and a value",
        ),
        (
            "(assume undefined \"measure=pure\")",
            "",
            "assumes `function measure=pure`",
        ),
        ("(model lp64)", "(model lp65)", "no data model `lp65`"),
    ] {
        let run = damaged(from, to);
        assert_eq!(run.code, Some(2), "{to}: {run:?}");
        assert!(run.stderr.contains(message), "{message}: {run:?}");
    }
}

#[test]
fn a_certificate_for_32_bits_is_none_for_64() {
    let program = Program::new("int main(void) { return 0; }");
    let file = program.prove(&["--bits", "32"]);
    assert_eq!(program.certify(&file, &[]).code, Some(0));
    assert_eq!(program.certify(&file, &["--bits", "32"]).code, Some(0));
    let run = program.certify(&file, &["--bits", "64"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(
        run.stderr.contains("for data model ilp32, not for lp64"),
        "{run:?}"
    );
}

#[test]
fn one_function_may_be_read_by_itself() {
    let text = "extern void reach_error(void);
        extern void first(int *);
        extern void second(int *);
        int main(void) { int x = 0, y = 0; first(&x); second(&y); if (x) reach_error(); if (y) reach_error(); return 0; }";
    let program = Program::new(text);
    assert_eq!(program.check(&[]).code, Some(1));
    assert_eq!(program.check(&["--undefined", "pure"]).code, Some(0));
    let both = ["--undefined", "first=pure", "--undefined", "second=pure"];
    let run = program.check(&both);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(
        program
            .check(&["--undefined", "first=pure,second=havoc"])
            .code,
        Some(1)
    );
    let run = program.check(&["--undefined", "pure,second=havoc"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(
        run.stdout
            .contains("`first` has no body; it returns an arbitrary value and changes nothing"),
        "{run:?}"
    );
    let run = program.check(&["--undefined", "first=forbidden"]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(
        run.stdout.contains(
            "runs through `first`, which has no body and of which nothing may be assumed"
        ),
        "{run:?}"
    );
    assert!(
        run.stdout
            .contains("try: a body for `first`, or --undefined first=pure"),
        "{run:?}"
    );
    // The project's file may say it, and the command line has the last word.
    let file = program.path("prova.toml");
    std::fs::write(&file, "undefined = [\"first=pure\", \"second=pure\"]\n").expect("written");
    let config = ["--config", file.to_str().expect("a plain path")];
    assert_eq!(program.check(&config).code, Some(0));
    let told = [&config[..], &["--undefined", "first=havoc"]].concat();
    assert_eq!(program.check(&told).code, Some(1));
    std::fs::write(&file, "undefined = \"nothing\"\n").expect("written");
    let run = program.check(&config);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("prova.toml:1:13"), "{run:?}");
}

#[test]
fn only_functions_of_ones_own_may_be_guessed() {
    let text = "#include <pthread.h>
        #include <string.h>
        extern void reach_error(void);
        static int own(void) { return 0; }
        int main(void)
        {
            pthread_mutex_t m;
            if (pthread_mutex_lock(&m) || strlen(\"a\") != 1 || own())
                reach_error();
            return 0;
        }";
    let program = Program::new(text);
    let run = program.check(&[]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(
        run.stdout
            .contains("`pthread_mutex_lock`, a library function that is not modelled"),
        "{run:?}"
    );
    assert!(
        run.stdout.contains("try: a body for `pthread_mutex_lock`"),
        "{run:?}"
    );
    for (choice, message) in [
        (
            "pthread_mutex_lock=pure",
            "only functions of your own may be guessed",
        ),
        ("strlen=pure", "a library function, and modelled"),
        ("own=pure", "`own` has a body"),
        ("nobody=pure", "no function `nobody` is called"),
        ("own=maybe", "not one of `havoc`, `pure`, `forbidden`"),
    ] {
        for command in ["check", "run"] {
            let run = program.run(command, &["--undefined", choice]);
            assert_eq!(run.code, Some(2), "{choice}: {run:?}");
            assert!(run.stderr.contains(message), "{choice}: {run:?}");
        }
    }
}

#[test]
fn statistics_tell_the_kinds_of_functions() {
    let text = "#include <stdlib.h>
        #include <string.h>
        #include <pthread.h>
        extern int measure(int);
        int main(void)
        {
            char *p = malloc(4);
            pthread_t t;
            if (!p)
                abort();
            strcpy(p, \"ab\");
            pthread_join(t, 0);
            return measure((int)strlen(p));
        }";
    let run = Program::new(text).run("show", &["--stats"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let kinds = run.stdout.split("does not define\n").nth(1).expect("kinds");
    let wanted = "  modelled            4\n    abort\n    malloc\n    strcpy\n    strlen\n  \
                  known, not modelled 1\n    pthread_join\n  the user's own      1\n    measure\n";
    assert_eq!(kinds, wanted, "{run:?}");
}

#[test]
fn runs_have_the_same_border() {
    let program = Program::new(
        "#include <pthread.h>\nint main(void) { pthread_t t; return pthread_join(t, 0); }",
    );
    let run = program.run("run", &[]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(
        run.stderr
            .contains("`pthread_join`, a library function that is not modelled"),
        "{run:?}"
    );
    let program = Program::new(ALLOCATES);
    assert_eq!(program.run("run", &[]).code, Some(0));
    let file = program.path("values.txt");
    std::fs::write(&file, "1\n").expect("written");
    let fails = [
        "--malloc",
        "may-fail",
        "--inputs",
        file.to_str().expect("a plain path"),
    ];
    let run = program.run("run", &fails);
    assert_eq!(run.code, Some(1), "{run:?}");
}

#[test]
fn no_flag_makes_a_proof_of_what_is_not_certified() {
    let program = Program::new("int main(void) { return 0; }");
    let run = program.check(&["--no-certify"]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.stdout.contains("not certified, as asked"), "{run:?}");
    let json = program.json(&["--no-certify"]);
    assert_eq!(json["evidence"]["reason"], "certificate");
}

#[test]
fn narrow_floats_are_named_with_32_bits() {
    let text = "extern void reach_error(void);
        int main(void) { double x = 0.1, sum = x + 0.2; if (sum == 0.3) reach_error(); return 0; }";
    let program = Program::new(text);
    let run = program.check(&["--bits", "32"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(
        run.stdout
            .contains("assumed: floating-point numbers have the width of their types"),
        "{run:?}"
    );
    let run = program.check(&[]);
    assert!(!run.stdout.contains("assumed"), "{run:?}");
}

#[test]
fn names_like_the_competitions_are_no_inputs() {
    let text = "extern void reach_error(void);
        extern void __VERIFIER_fill(int *);
        int main(void) { int x = 0; __VERIFIER_fill(&x); if (x) reach_error(); return 0; }";
    let run = Program::new(text).check(&[]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(
        run.stdout
            .contains("assumed: `__VERIFIER_fill` has no body"),
        "{run:?}"
    );
    let text = "extern void reach_error(void);
        extern void __VERIFIER_nondet_memory(void *, unsigned long);
        int main(void) { int x = 0; __VERIFIER_nondet_memory(&x, sizeof x); if (x) reach_error(); return 0; }";
    let run = Program::new(text).check(&[]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(
        run.stdout
            .contains("`__VERIFIER_nondet_memory` with arguments"),
        "{run:?}"
    );
}
