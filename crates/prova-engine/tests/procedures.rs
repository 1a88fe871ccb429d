//! Programs checked procedure by procedure: what is found, and how many questions it takes.

mod support;

use prova_engine::Dash;
use prova_task::{Budget, Checker, Inline, Observer, Report};
use std::time::Duration;
use support::{check_with, task, verdict};

fn modular() -> Dash {
    Dash {
        inline: Inline::Never,
        ..Dash::default()
    }
}

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nextern void __VERIFIER_assume(int);\n";

fn check(source: &str) -> Report {
    check_with(&modular(), "p.c", &format!("{HEAD}{source}"), None, 90)
}

/// A safe program and the same with a change that breaks it.
fn both(source: &str, from: &str, to: &str) {
    assert!(source.contains(from));
    assert_eq!(verdict(&check(source)), "true", "{source}");
    let broken = source.replace(from, to);
    assert_eq!(verdict(&check(&broken)), "false", "{broken}");
}

#[derive(Default)]
struct Listen(Vec<String>);

impl Observer for Listen {
    fn explain(&mut self, line: &str) {
        self.0.push(line.to_string());
    }

    fn explains(&self) -> bool {
        true
    }
}

#[test]
fn figure_6_finds_the_predicates_of_the_paper() {
    let source = include_str!("../../../tests/programs/figures/dash_06_increment_twice.c");
    let mut listen = Listen::default();
    let budget = Budget::new(Some(Duration::from_secs(60)), None);
    let report = modular().check(&task("inc.c", source, None), &budget, &mut listen);
    assert_eq!(verdict(&report), "true");
    let told = listen.0.join("\n");
    // b != x + 2 before the error, what that means at the second call's entry, and at the first.
    for split in [
        "split by x != b - 2",
        "split by return != ghost.0:(_ BitVec 32) + 2",
        "split by value != ghost.0:(_ BitVec 32) + 1",
        "split by x != a - 1",
        "split by value != ghost.0:(_ BitVec 32)\n",
    ] {
        assert!(format!("{told}\n").contains(split), "{split}\n{told}");
    }
    // Queries are told indented.
    assert!(told.contains("    query: can `inc` return with"), "{told}");
    assert_eq!(report.statistics.counter("queries"), 2);
    assert_eq!(report.statistics.solver_calls, report.statistics.iterations);
}

#[test]
fn globals_changed_three_calls_deep() {
    both(
        "int state;
         static void third(int v) { state = state + v; }
         static void second(int v) { third(v); third(v); }
         static void first(int v) { if (v > 0) second(v); }
         int main(void) {
           int n = __VERIFIER_nondet_int();
           __VERIFIER_assume(n > 0 && n < 1000);
           first(n);
           if (state != n + n) reach_error();
           return 0;
         }",
        "state + v",
        "state - v",
    );
}

#[test]
fn out_parameters() {
    both(
        "static int divide(int a, int b, int *quotient, int *rest) {
           if (b == 0) return -1;
           *quotient = a / b;
           *rest = a - *quotient * b;
           return 0;
         }
         int main(void) {
           int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), q = 7, r = 7;
           __VERIFIER_assume(a >= 0 && a < 16 && b >= 0 && b < 16);
           if (divide(a, b, &q, &r) == 0) { if (b == 0) reach_error(); }
           else if (q != 7 || r != 7) reach_error();
           return 0;
         }",
        "if (b == 0) return -1;",
        "if (b == 0) { *rest = 1; return -1; }",
    );
}

#[test]
fn swap_with_and_without_aliasing() {
    both(
        "static void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; }
         int main(void) {
           int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
           int x = a, y = b;
           swap(&x, &y);
           if (x != b || y != a) reach_error();
           swap(&x, &x);
           if (x != b) reach_error();
           return 0;
         }",
        "*p = *q; *q = t;",
        "*p = *p + *q; *q = *p - *q; *p = *p - *q;",
    );
}

#[test]
fn callbacks_in_a_table() {
    both(
        "struct device { int (*open)(int); int (*close)(int); };
         static int up(int v) { return v + 1; }
         static int down(int v) { return v - 1; }
         static int same(int v) { return v; }
         static struct device device;
         static void install(int i) {
           if (i) { device.open = up; device.close = down; }
           else { device.open = same; device.close = same; }
         }
         int main(void) {
           int i = __VERIFIER_nondet_int(), v = __VERIFIER_nondet_int();
           install(i);
           if (device.close(device.open(v)) != v) reach_error();
           return 0;
         }",
        "return v; }",
        "return v + (v == 77); }",
    );
}

#[test]
fn recursion_bottoms_out() {
    both(
        "static int even(unsigned n);
         static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
         static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
         int main(void) {
           unsigned n = __VERIFIER_nondet_int();
           __VERIFIER_assume(n < 6);
           int e = even(n), o = odd(n);
           if (e == o) reach_error();
           return 0;
         }",
        "n == 0 ? 0 :",
        "n == 0 || n == 5 ? 1 :",
    );
}

#[test]
fn recursion_that_never_attains_needs_no_bound() {
    both(
        "int depth;
         static void down(int n) { if (n > 0) { depth = depth | 2; down(n - 1); } }
         int main(void) {
           int n = __VERIFIER_nondet_int();
           down(n);
           if (depth & 1) reach_error();
           return 0;
         }",
        "depth | 2",
        "depth + (n == 9)",
    );
}

#[test]
fn errors_inside_callees() {
    both(
        "int locked;
         static void lock(void) { if (locked) reach_error(); locked = 1; }
         static void unlock(void) { if (!locked) reach_error(); locked = 0; }
         static void work(int n) { lock(); if (n) { unlock(); lock(); } unlock(); }
         int main(void) {
           while (__VERIFIER_nondet_int()) work(__VERIFIER_nondet_int());
           return 0;
         }",
        "unlock(); lock(); }",
        "unlock(); }",
    );
}

/// A procedure called from many places with the same few contexts.
fn many_sites(count: usize) -> String {
    let mut text = String::from(
        "int lock;
         static void acquire(void) { if (lock) reach_error(); lock = 1; }
         static void release(void) { if (!lock) reach_error(); lock = 0; }
         int main(void) {\n",
    );
    for i in 0..count {
        text.push_str(&format!(
            "  acquire(); if (__VERIFIER_nondet_int() == {i}) {{ release(); acquire(); }} release();\n"
        ));
    }
    text.push_str("  return 0;\n}\n");
    text
}

#[test]
fn a_procedure_called_from_100_sites_is_asked_a_few_times() {
    let few = check(&many_sites(5));
    assert_eq!(verdict(&few), "true");
    let many = check(&many_sites(25));
    assert_eq!(verdict(&many), "true");
    assert_eq!(
        many.statistics.counter("queries"),
        few.statistics.counter("queries"),
        "100 calls ask no more than 20 do"
    );
    assert_eq!(
        many.statistics.counter("graphs"),
        few.statistics.counter("graphs")
    );
    let without = Dash {
        without_summaries: true,
        ..modular()
    };
    let source = format!("{HEAD}{}", many_sites(2));
    let asked = check_with(&without, "p.c", &source, None, 20);
    assert_eq!(verdict(&asked), "true");
    assert!(asked.statistics.counter("queries") > few.statistics.counter("queries"));
}

#[test]
fn procedures_that_do_not_return() {
    both(
        "extern void abort(void);
         static _Noreturn void die(void) { abort(); }
         static int checked(int v) { if (v < 0) die(); return v; }
         int main(void) {
           int v = checked(__VERIFIER_nondet_int());
           if (v < 0) reach_error();
           return 0;
         }",
        "if (v < 0) die();",
        "if (v < -1) die();",
    );
}

#[test]
fn variadic_callees() {
    both(
        "static int first(int n, ...) {
           __builtin_va_list l; __builtin_va_start(l, n);
           int v = __builtin_va_arg(l, int); __builtin_va_end(l);
           return n > 0 ? v : 0;
         }
         int main(void) {
           int v = __VERIFIER_nondet_int();
           if (first(1, v) != v) reach_error();
           if (first(0, v) != 0) reach_error();
           return 0;
         }",
        "n > 0 ? v",
        "n > 0 ? v & 0xffff",
    );
}
