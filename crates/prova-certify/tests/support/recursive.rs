//! Recursive programs, and what DASH makes of them procedure by procedure.

use prova_engine::Dash;
use prova_task::{Budget, Checker, Inline, Outcome, Silent, Task};
use std::time::Duration;

/// What all of them begin with.
pub const HEAD: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void __VERIFIER_assume(int);
";

/// Recursive programs: by itself, by turns, through pointers, with globals, with errors below.
pub const RECURSIVE: [(&str, &str); 5] = [
    (
        "sum",
        "static int sum(int n) { if (n <= 0) return 0; return sum(n - 1) + 1; }
         int main(void) {
           int n = __VERIFIER_nondet_int();
           if (n < 0 || n > 10) return 0;
           if (sum(n) != n) reach_error();
           return 0;
         }",
    ),
    (
        "turns",
        "static int odd(unsigned n);
         static int even(unsigned n) { if (n == 0) return 1; return odd(n - 1); }
         static int odd(unsigned n) { if (n == 0) return 0; return even(n - 1); }
         int main(void) {
           unsigned n = (unsigned)__VERIFIER_nondet_int();
           int e = even(n);
           if (e != 0 && e != 1) reach_error();
           return 0;
         }",
    ),
    (
        "lock",
        "int held;
         static void lock(void) { if (held) reach_error(); held = 1; }
         static void unlock(void) { if (!held) reach_error(); held = 0; }
         static void work(int n) {
           lock();
           unlock();
           if (n > 0) work(n - 1);
         }
         int main(void) { work(__VERIFIER_nondet_int()); return 0; }",
    ),
    (
        "out",
        "static void down(int n, int *out) {
           if (n <= 0) { *out = 7; return; }
           down(n - 1, out);
         }
         int main(void) {
           int result = 0;
           down(__VERIFIER_nondet_int(), &result);
           if (result != 7) reach_error();
           return 0;
         }",
    ),
    (
        "local",
        "static void set(int *p) { *p = 3; }
         static int walk(int n) {
           int own;
           set(&own);
           if (own != 3) reach_error();
           if (n > 0) walk(n - 1);
           return 0;
         }
         int main(void) { return walk(__VERIFIER_nondet_int()); }",
    ),
];

/// What comes of a task without inlining.
pub fn outcome(task: &Task, seconds: u64) -> Outcome {
    let engine = Dash { inline: Inline::Never, ..Dash::default() };
    let budget = Budget::new(Some(Duration::from_secs(seconds)), None);
    engine.check(task, &budget, &mut Silent).outcome
}
