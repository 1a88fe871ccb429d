//! What the checker sees without asking must be true. Random formulas are claimed in a certificate,
//! behind random cases; it may be accepted if, and only if, the z3 program calls the formula valid.

mod support;

use prova_certify::Failure;
use prova_engine::Task;
use prova_ir::Statement;
use prova_logic::SolverChoice;
use support::{ask_z3, installed, task, verdict};

/// Both branches are walked, and the first is never taken: nothing is assumed about `x` and `y`.
const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
    int main(void) {
      int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
      if ((x ^ y) != (y ^ x)) reach_error();
      return 0;
    }";

/// The sort of what random terms are: narrow, so that many formulas are valid.
const ARRAY: &str = "(Array (_ BitVec 3) (_ BitVec 3))";

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }

    /// A bit-vector of three bits.
    fn bits(&mut self, depth: u32) -> String {
        if depth == 0 {
            let number = format!("#b{:03b}", self.below(8));
            let low = self.pick(&["((_ extract 2 0) x)", "((_ extract 2 0) y)", &number]);
            return low.to_string();
        }
        let [a, b] = [(); 2].map(|()| self.bits(depth - 1));
        match self.below(8) {
            0..=2 => {
                let operator =
                    self.pick(&["bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor", "bvshl"]);
                format!("({operator} {a} {b})")
            }
            3 => format!("(bvadd {a} {b} #b{:03b})", self.below(8)),
            4 => format!("({} {a})", self.pick(&["bvnot", "bvneg"])),
            5 => format!("(ite {} {a} {b})", self.truth(depth - 1)),
            6 => {
                let (how, at) = (self.pick(&["zero_extend", "sign_extend"]), self.below(3));
                let wide = match self.below(2) {
                    0 => format!("((_ {how} 2) {a})"),
                    _ => format!("(concat {a} {b})"),
                };
                format!("((_ extract {} {at}) {wide})", at + 2)
            }
            _ => {
                let [c, d, e] = [(); 3].map(|()| self.bits(depth - 1));
                let memory = format!("(store ((as const {ARRAY}) {a}) {b} {c})");
                format!("(select (store {memory} {d} {e}) {})", self.pick(&[&b, &d]))
            }
        }
    }

    fn truth(&mut self, depth: u32) -> String {
        let d = depth.saturating_sub(1);
        match self.below(if depth == 0 { 2 } else { 5 }) {
            0 => format!("(= {} {})", self.bits(d), self.bits(d)),
            1 => {
                let relations =
                    ["bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge", "="];
                format!("({} {} {})", self.pick(&relations), self.bits(d), self.bits(d))
            }
            2 => format!("(not {})", self.truth(d)),
            3 => {
                let operator = self.pick(&["and", "or", "xor", "=>", "="]);
                format!("({operator} {} {})", self.truth(d), self.truth(d))
            }
            _ => format!("(ite {} {} {})", self.truth(d), self.truth(d), self.truth(d)),
        }
    }

    /// A case that fixes something, and a formula that has to hold in it, which may use that.
    fn claim(&mut self) -> (String, String) {
        let part = self.pick(&["((_ extract 2 0) x)", "((_ extract 2 0) y)", "x", "(bvadd x y)"]);
        let value = match part.starts_with("((") {
            true => self.bits(0),
            false => self.pick(&["y", "#x00000003", "(bvadd y #x00000005)"]).to_string(),
        };
        let case = format!("(= {part} {value})");
        let (a, depth) = (self.truth(2), 1 + self.below(2) as u32);
        let formula = match self.below(4) {
            0 => a,
            1 => format!("(=> {case} {a})"),
            2 => format!("(or {a} {} {})", self.truth(depth), self.truth(depth)),
            _ => format!("(or (not {a}) {})", a.replace("bvult", "bvule")),
        };
        (case, formula)
    }
}

/// The program, a certificate of it up to the claim at its entry, and the ends of the edge past
/// the error.
fn start() -> (Task, String, u32, u32) {
    let task = task("plain.c", PROGRAM, None).expect("a task");
    let prepared = prova_engine::prepare::prepare(&task.program).expect("it can be prepared");
    let body = prepared.body();
    let error = |edge: &&prova_ir::Edge| body.is_error(edge.target);
    // The branch that is taken begins where the one to the error does.
    let branches: Vec<_> =
        body.edges.iter().filter(|e| matches!(e.statement, Statement::Assume(_))).collect();
    let safe = branches.iter().find(|e| !error(e)).expect("a branch past the error");
    let (from, to, entry) = (safe.source.0, safe.target.0, body.entry.0);
    assert!(entry != from && from != to);
    let head = format!(
        "(prova-certificate 1)(passes {})(prepared \"{}\")(procedure main (at {entry} \"\" (case))",
        prova_engine::prepare::PASSES.join(" "),
        prova_certify::prepare::digest(&prepared.program)
    );
    (task, head, from, to)
}

#[test]
fn what_is_plain_to_see_is_true() {
    if !installed("z3") {
        eprintln!("the z3 program is not installed: nothing decides about formulas here");
        return;
    }
    let (task, head, from, to) = start();
    let mut random = Random(1);
    let count = if std::env::var_os("PROVA_LONG").is_some() { 20_000 } else { 500 };
    let claims: Vec<(String, String)> = (0..count).map(|_| random.claim()).collect();
    let constants = "(declare-fun x () (_ BitVec 32))(declare-fun y () (_ BitVec 32))";
    let asked = claims.iter().map(|c| format!("(push)(assert (not {}))(check-sat)(pop)\n", c.1));
    let truth = ask_z3(&format!("{constants}{}", asked.collect::<String>()));
    let truth: Vec<&str> = truth.lines().collect();
    assert_eq!(truth.len(), claims.len());
    let (mut valid, mut plain) = (0, 0);
    for ((case, formula), truth) in claims.iter().zip(truth) {
        let text = format!(
            "{head} (at {from} \"\" (case {case}) (case (not {case}))) (at {to} \"\" (case {formula})))"
        );
        match (verdict(&task, &text, &SolverChoice::Z3), truth) {
            (Ok(accepted), "unsat") => {
                valid += 1;
                // That one of the two cases holds is left to the solver.
                plain += usize::from(accepted.by[0].1 <= 1);
            }
            (Err(Failure::Refuted(_)), "sat") => {}
            (said, truth) => panic!("{said:?}, but z3 says {truth}: {case} then {formula}"),
        }
    }
    eprintln!("{valid} of {count} are valid, {plain} plain to see");
    assert!(valid * 5 >= count && plain * 20 >= count, "{valid}, {plain}");
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
