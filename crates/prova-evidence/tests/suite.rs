//! Test suites: what a search ran is run again by a script that knows nothing of us, and ends as it
//! ended by interpretation.

mod support;

use prova_evidence::suite::Suite;
use support::{compiles, Case, How};

/// Writes a case's suite and runs its script; what the script says, and the suite.
fn suite(case: &Case, minimise: bool) -> (String, Suite) {
    let report = case.check();
    let suite = Suite::new(&case.task, &report.scope.tests, minimise).expect("a suite");
    let folder = tempfile::tempdir().expect("a folder");
    suite
        .write(&case.task, &case.sources, folder.path())
        .expect("it is written");
    let count = |suffix: &str| {
        let all = std::fs::read_dir(folder.path()).expect("a folder");
        all.filter(|e| {
            let name = e.as_ref().expect("an entry").file_name();
            name.to_string_lossy().ends_with(suffix)
        })
        .count()
    };
    assert_eq!(count(".h"), suite.tests.len());
    let xml = std::fs::read_dir(folder.path().join("xml")).expect("a folder");
    assert_eq!(xml.count(), suite.tests.len() + 1);
    if !compiles(case.sources.options.model) {
        return (String::from("0 failed"), suite);
    }
    let output = std::process::Command::new("sh")
        .arg(folder.path().join("run.sh"))
        .output()
        .expect("sh runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (said, suite)
}

const PROGRAM: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
    extern void __VERIFIER_assume(int); extern void abort(void); extern void exit(int);
    extern int ask(void); void *malloc(unsigned long);
    int main(void) {
        int x = __VERIFIER_nondet_int(), loose;
        __VERIFIER_assume(x > -1000);
        if (x == 5) abort();
        if (x == 6) exit(42);
        if (x == 7) return 300;
        int *p = malloc(8);
        if (x == 8 && p[1] == 77 && loose == 9) return 3;
        while (ask() > 10) x++;
        if (x == 4321) reach_error();
        return x & 3;
    }";

#[test]
fn tests_end_natively_as_they_ended_by_interpretation() {
    let case = Case::of_text(PROGRAM, How::default());
    let (said, suite) = suite(&case, false);
    assert!(said.contains(" 0 failed"), "{said}");
    let statuses: Vec<Option<i32>> = suite.tests.iter().map(|t| t.status).collect();
    assert!(statuses.contains(&Some(99)), "{statuses:?}");
    assert!(statuses.len() >= 4, "{statuses:?}");
    let (lines, all) = suite.coverage.line_counts();
    assert!(lines > 5 && lines <= all, "{}", suite.coverage.summary());
}

#[test]
fn fewer_tests_reach_as_much() {
    let case = Case::of_text(PROGRAM, How::default());
    let report = case.check();
    let all = Suite::new(&case.task, &report.scope.tests, false).expect("a suite");
    let few = Suite::new(&case.task, &report.scope.tests, true).expect("a suite");
    assert!(few.tests.len() < all.tests.len());
    assert_eq!(few.coverage, all.coverage);
    assert!(few.tests.iter().any(|t| t.status == Some(99)));
}

#[test]
fn entry_functions_have_suites_too() {
    let text = "extern void reach_error(void); static int mode = 1; struct pair { int a, b; };
        static int work(struct pair *p, int x) {
            if (mode == 3 && p && p->b == x) reach_error();
            return x; }
        int main(void) { return work(0, 1); }";
    let how = How {
        entry: Some("work"),
        ..How::default()
    };
    let (said, suite) = suite(&Case::of_text(text, how), false);
    assert!(said.contains(" 0 failed"), "{said}");
    assert!(suite.tests.iter().any(|t| t.status == Some(99)));
}
