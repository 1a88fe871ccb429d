//! Every program in `tests/programs` and `examples`: the verdict its first line expects, or none.
//! A wrong verdict fails the test; so does solving fewer than before.

mod support;

use prova_engine::Dash;
use support::{check_with, verdict};

#[test]
fn no_program_gets_a_wrong_verdict() {
    let root = "../../tests/programs";
    let mut paths: Vec<_> = std::fs::read_dir(root)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    paths.sort();
    let (mut solved, mut wrong) = (0, Vec::new());
    for path in paths {
        let source = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let first = source.lines().next().unwrap_or_default();
        let expected = first
            .split("expect:")
            .nth(1)
            .expect("the first line says what to expect");
        let expected = expected.split_whitespace().next().expect("a verdict");
        let said = verdict(&check_with(&Dash::default(), &name, &source, None, 6));
        println!("{name}: {said}");
        if said == expected || (expected == "unknown" && said.starts_with("unknown")) {
            solved += 1;
        } else if !said.starts_with("unknown") {
            wrong.push(format!("{name}: expected {expected}, got {said}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(solved >= 18, "only {solved} solved");
}

#[test]
fn tests_of_an_earlier_check_are_run_first() {
    let source = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
        int main(void) {\n  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();\n  \
        if (a == 1234567 && b == a - 7) reach_error();\n  return 0;\n}\n";
    let first = support::check("rare.c", source);
    assert_eq!(support::verdict(&first), "false");
    assert!(first.statistics.iterations > 0);
    let mut task = support::task("rare.c", source, None);
    task.earlier = first.scope.tests.clone();
    let budget = prova_task::Budget::new(None, None);
    let again = prova_task::Checker::check(
        &prova_engine::Dash::default(),
        &task,
        &budget,
        &mut prova_task::Silent,
    );
    assert_eq!(support::verdict(&again), "false");
    assert_eq!(again.statistics.iterations, 0);
}
