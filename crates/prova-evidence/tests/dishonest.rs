//! Nothing an engine says is taken on trust: a violation without a test that really fails is never
//! confirmed, and neither is a test that was tampered with.

mod support;

use prova_evidence::{confirm, How as Confirmation, Options, Recording};
use prova_exec::Test;
use prova_ir::Span;
use prova_task::Violation;
use std::time::Duration;
use support::{programs, Case, How};

/// What an engine says that always answers `violated`, with inputs it made up.
fn made_up(test: Test) -> Violation {
    Violation {
        test,
        property: "unreach-call".into(),
        message: "made up".into(),
        span: Span::NONE,
        inputs: Vec::new(),
        path: Vec::new(),
        again: None,
    }
}

#[test]
fn an_engine_that_always_says_violated_is_never_believed() {
    let safe = programs("expect: true");
    assert!(safe.len() >= 10);
    for path in safe {
        let case = Case::of_files(vec![path.clone()], How::default());
        for test in [Test::zero(), Test::of_values([1, 2, 3])] {
            for native in [true, false] {
                let options = Options {
                    native,
                    time: Duration::from_millis(300),
                    ..Options::default()
                };
                let answer = confirm(&case.task, &case.sources, &made_up(test.clone()), &options);
                assert!(answer.is_err(), "{}: {answer:?}", path.display());
            }
        }
    }
}

/// Every violation of the test programs with one of its inputs changed: whatever is still
/// confirmed really reaches the error, natively.
#[test]
fn a_test_with_a_changed_input_is_confirmed_only_if_it_fails_too() {
    let (mut tried, mut refused) = (0, 0);
    for path in programs("expect: false") {
        let case = Case::of_files(vec![path.clone()], How::default());
        let prova_task::Outcome::Violated(violation) = case.check().outcome else {
            continue;
        };
        let count = violation.test.values.len();
        for index in 0..count.min(1) {
            for change in [1, u128::MAX, 1 << 31] {
                let mut test = violation.test.clone();
                test.values[index] = (test.values[index] ^ change) & 0xffff_ffff;
                tried += 1;
                let reaches = Recording::of_test(&case.task, &test, Duration::from_secs(5)).is_ok();
                match case.confirm(&made_up(test)) {
                    Ok(confirmed) => {
                        assert!(reaches, "{}: confirmed by luck", path.display());
                        assert_eq!(confirmed.how, Confirmation::Native);
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(tried >= 15, "only {tried} mutants");
    assert!(refused >= 5, "only {refused} of {tried} refused");
}

/// A harness whose values are changed by hand says so: status and message tell what happened.
#[test]
fn a_harness_with_other_values_does_not_claim_the_error() {
    let case = Case::of_text(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
         extern void __VERIFIER_assume(int);
         int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 5);
             if (x == 1234) reach_error(); return 0; }",
        How::default(),
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("harness.c");
    let options = Options {
        harness: Some(path.clone()),
        ..Options::default()
    };
    let violation = case.violation();
    let confirmed =
        confirm(&case.task, &case.sources, &violation, &options).expect("it is confirmed");
    if confirmed.how != Confirmation::Native {
        return;
    }
    let original = std::fs::read_to_string(&path).expect("the harness was kept");
    let run = |text: &str| {
        std::fs::write(&path, text).expect("written");
        let [build, run] = confirmed.repeat.as_slice() else {
            panic!("two lines repeat it, not {:?}", confirmed.repeat)
        };
        let script = format!("{build} && {run}");
        let output = std::process::Command::new("sh")
            .args(["-c", &script])
            .output()
            .expect("a shell");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), said)
    };
    let (status, said) = run(&original);
    assert_eq!(status, Some(99), "{said}");
    assert!(said.contains("prova: error reached: call of reach_error()"));
    for (value, expected, message) in [
        ("1235LL", 0, "= 1235"),
        ("3LL", 98, "an assumption does not hold"),
    ] {
        let (status, said) = run(&original.replace("1234LL", value));
        assert_eq!(status, Some(expected), "{said}");
        assert!(
            said.contains(message) && !said.contains("error reached"),
            "{said}"
        );
    }
    let fewer: String = original
        .lines()
        .filter(|l| !l.contains("1234LL"))
        .collect::<Vec<_>>()
        .join("\n");
    assert_eq!(run(&fewer).0, Some(96));
    let other = original.replace("{\"__VERIFIER_nondet_int\"", "{\"other\"");
    assert_eq!(run(&other).0, Some(97));
}
