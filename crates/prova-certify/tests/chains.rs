//! Certificates that are long, but not deep.

mod support;

use prova_ir::Statement;
use prova_logic::SolverChoice;
use prova_task::Task;
use support::{task, verdict};

/// Both branches are walked, and the first is never taken: nothing is assumed about `x` and `y`.
const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
    int main(void) {
      int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
      if ((x ^ y) != (y ^ x)) reach_error();
      return 0;
    }";

/// The program, a certificate of it up to the claim at its entry, and the ends of the edge past
/// the error.
fn start() -> (Task, String, u32, u32) {
    let task = task("plain.c", PROGRAM, None).expect("a task");
    let prepared = prova_task::prepare::prepare(&task.program).expect("it can be prepared");
    let body = prepared.body();
    let error = |edge: &&prova_ir::Edge| body.is_error(edge.target);
    // The branch that is taken begins where the one to the error does.
    let branches: Vec<_> =
        body.edges.iter().filter(|e| matches!(e.statement, Statement::Assume(_))).collect();
    let safe = branches.iter().find(|e| !error(e)).expect("a branch past the error");
    let (from, to, entry) = (safe.source.0, safe.target.0, body.entry.0);
    assert!(entry != from && from != to);
    let head = format!(
        "(prova-certificate 2)(passes {})(prepared \"{}\")(procedure main (at {entry} \"\" (case))",
        prova_task::prepare::PASSES.join(" "),
        prova_certify::prepare::digest(&prepared.program)
    );
    (task, head, from, to)
}

/// Chains that a certificate makes long, but not deep as text, do not overflow the stack.
#[test]
fn long_chains_are_read() {
    let (task, head, from, to) = start();
    let (count, array) = (20_000, "(Array (_ BitVec 32) (_ BitVec 32))");
    let mut chain =
        format!("(define $0 ((as const {array}) y)) (define $s0 x) (define $b0 (= x y))");
    for i in 0..count {
        let next = i + 1;
        chain += &format!("(define ${next} (store ${i} (_ bv{i} 32) x))");
        chain += &format!("(define $s{next} (bvadd $s{i} (_ bv1 32)))");
        chain += &format!("(define $b{next} (ite (= x (_ bv{i} 32)) $b{i} false))");
    }
    let sum = "x ".repeat(count);
    let claims = format!(
        "(= (select ${count} (_ bv{count} 32)) y) (= $s{count} (bvadd x (_ bv{count} 32)))
         (or (not $b{count}) (= (bvadd {sum}) (bvadd {sum} (_ bv0 32))))"
    );
    let text = format!("{head} {chain} (at {from} \"\" (case)) (at {to} \"\" (case {claims})))");
    let said = verdict(&task, &text, &SolverChoice::Z3);
    assert!(said.is_ok(), "{said:?}");
    let wrong = claims.replacen("y)", "x)", 1);
    let text = format!("{head} {chain} (at {from} \"\" (case)) (at {to} \"\" (case {wrong})))");
    let said = verdict(&task, &text, &SolverChoice::Z3);
    assert!(said.is_err(), "{said:?}");
}
