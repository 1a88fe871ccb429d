//! All paths at once: an unrolled program reaches its error after as many rounds as runs need, and
//! not before; a safe one never does.

mod support;

use prova_engine::problem::blocks::Granularity;
use prova_engine::problem::unroll::Unrolling;
use prova_engine::problem::Problem;
use prova_logic::{new_solver, Answer, SolverConfig};
use prova_task::prepare::prepare;
use support::task;

/// Lengths at which an error is possible, up to a bound.
fn lengths(source: &str, most: u64) -> Vec<u64> {
    let task = task("unroll.c", source, None);
    let prepared = prepare(&task.program).expect("one procedure");
    let problem = Problem::new(prepared, Granularity::Basic);
    let terms = &mut *problem.terms.borrow_mut();
    let steps = problem.steps(terms).expect("it encodes");
    let mut unrolling = Unrolling::new(terms, steps);
    let mut solver = new_solver(&SolverConfig::default()).expect("a solver");
    let mut found = Vec::new();
    while unrolling.length() < most {
        unrolling.advance(terms);
        let error = unrolling.error(terms);
        let mut asserted = problem.encoding.axioms(terms, &[error]);
        asserted.push(error);
        solver.push();
        for &t in &asserted {
            solver.assert(terms, t);
        }
        if solver.check(terms, &[]) == Answer::Sat {
            found.push(unrolling.length());
        }
        solver.pop(1);
    }
    found
}

const HEAD: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n";

#[test]
fn many_paths_are_one_step() {
    // 2^12 paths; one of them fails.
    let mut body = String::from("int main(void) { int n = 0;");
    for _ in 0..12 {
        body.push_str("if (__VERIFIER_nondet_int()) n++; else n += 2;");
    }
    let fails = format!("{HEAD}{body} if (n == 13) reach_error(); return 0; }}");
    assert_eq!(lengths(&fails, 3), [1]);
    let safe = format!("{HEAD}{body} if (n == 25) reach_error(); return 0; }}");
    assert_eq!(lengths(&safe, 3), []);
}

#[test]
fn a_loop_takes_a_step_for_each_round() {
    let source = format!(
        "{HEAD}int main(void) {{ int i = 0; while (__VERIFIER_nondet_int()) i++;
         if (i == 3) reach_error(); return 0; }}"
    );
    // To the loop, three rounds, and out of it.
    assert_eq!(lengths(&source, 7), [5]);
}

#[test]
fn memory_and_branches_are_followed_together() {
    let source = |last: &str| {
        format!(
            "{HEAD}int main(void) {{ int a[2] = {{0, 0}}; int i = __VERIFIER_nondet_int();
             if (i < 0 || i > 1) return 0;
             if (__VERIFIER_nondet_int()) a[i] = 1; else a[1 - i] = 2;
             if ({last}) reach_error(); return 0; }}"
        )
    };
    assert_eq!(lengths(&source("a[0] == 2"), 2), [1]);
    assert_eq!(lengths(&source("a[0] == 1 && a[1] == 2"), 2), []);
}
