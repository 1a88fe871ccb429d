//! Interpolants of the short paths of small programs: each way's sequences hold step by step, begin
//! with nothing and end with *false*; a sequence that does not hold is handed to nobody.

mod support;

use prova_engine::interpolation::along::{Backward, Forward};
use prova_engine::interpolation::cvc5::Cvc5;
use prova_engine::interpolation::formula::{judge, Core, Judged};
use prova_engine::interpolation::language::SmallLanguage;
use prova_engine::interpolation::{
    interpolate, is_interpolant, lasting, Desk, Interpolate, Question, Sequence,
};
use prova_engine::problem::blocks::{BlockId, Cutpoint};
use prova_engine::problem::{Problem, Steps};
use prova_engine::Granularity;
use prova_logic::{new_solver, SolverConfig};
use prova_task::prepare::{prepare_as, Form};

/// The longest paths that are looked at.
const LONGEST: usize = 14;
/// Paths that are looked at.
const MOST: usize = 40;

const LOCK: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);
int main(void) { int lock = 0, before = 0, now = 1;
  do { if (lock != 0) reach_error(); lock = 1; before = now;
    if (__VERIFIER_nondet_int()) { lock = 0; now++; } } while (now != before);
  if (lock != 1) reach_error(); return 0; }";
const BETWEEN: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);
int main(void) { int n = __VERIFIER_nondet_int(), i = 0; if (n < 0) return 0;
  while (i < n) i++;
  if (i != n) reach_error(); return 0; }";
const MEMORY: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);
int main(void) { int a[2] = {0, 0}, *p = &a[0]; if (__VERIFIER_nondet_int()) p = &a[1];
  *p = 3; if (a[0] == 3 && a[1] == 3) reach_error(); return 0; }";

/// Paths from the start to errors, the short ones first.
fn paths(steps: &Steps) -> Vec<Vec<BlockId>> {
    let outgoing = steps.blocks.outgoing();
    let mut found = Vec::new();
    let mut ring: Vec<(Cutpoint, Vec<BlockId>)> = vec![(Cutpoint::START, Vec::new())];
    for _ in 0..LONGEST {
        let mut next = Vec::new();
        for (at, path) in ring {
            for &block in &outgoing[at.index()] {
                let target = steps.blocks.block(block).target;
                let path = [&path[..], &[block]].concat();
                match steps.blocks.errors.contains(&target) {
                    true => found.push(path),
                    false => next.push((target, path)),
                }
            }
        }
        ring = next;
    }
    found.truncate(MOST);
    found
}

/// Says of every place that nothing is known, and of the end that it is not reached.
struct Liar;

impl Interpolate for Liar {
    fn name(&self) -> &'static str {
        "lies"
    }

    fn propose(&mut self, desk: &mut Desk, question: &Question, _: &Core) -> Option<Sequence> {
        let mut sequence = vec![Vec::new(); question.path.len()];
        sequence.push(vec![desk.terms.fals()]);
        Some(sequence)
    }
}

#[test]
fn sequences_hold_step_by_step() {
    // Projection of what is read forgets that `n` differs from `i`: going back is not enough there.
    for (source, least, plain) in [(LOCK, 4, true), (BETWEEN, 3, false), (MEMORY, 1, true)] {
        let task = support::task("path.c", source, None);
        let prepared = prepare_as(&task.program, Form::USUAL).expect("it is one procedure");
        let problem = Problem::new(prepared, Granularity::Basic);
        let mut terms = problem.terms.borrow_mut();
        let steps = problem.steps(&mut terms).expect("it can be encoded");
        let mut solver = new_solver(&SolverConfig::default()).expect("z3 is there");
        let (mut impossible, mut small, mut back) = (0, 0, 0);
        for path in paths(steps) {
            let question = Question::impossible(&terms, &path);
            let mut desk = Desk {
                problem: &problem,
                steps,
                terms: &mut terms,
                solver: &mut *solver,
            };
            let Judged::Impossible(core) = judge(&mut desk, &question, None) else {
                panic!("no error of these programs can be reached");
            };
            impossible += 1;
            let ask = |desk: &mut Desk, way: Box<dyn Interpolate>| {
                let found = interpolate(desk, &question, &core, &mut [way])?;
                assert!(is_interpolant(desk, &question, &found));
                assert_eq!(found.first(), Some(&Vec::new()));
                assert_eq!(found.last(), Some(&vec![desk.terms.fals()]));
                for &t in found.iter().flatten() {
                    assert!(lasting(desk.problem, desk.terms, t));
                }
                Some(found)
            };
            small += usize::from(ask(&mut desk, Box::new(SmallLanguage)).is_some());
            back += usize::from(ask(&mut desk, Box::new(Backward)).is_some());
            ask(&mut desk, Box::new(Forward { relates: true }));
            let lies = ask(&mut desk, Box::new(Liar));
            // Only a last step that is impossible by itself makes it true.
            let last = question.path.last().expect("paths are not empty");
            let alone = steps.transitions.guard(*last).contains(&desk.terms.fals());
            assert!(lies.is_none() || alone);
        }
        assert!(impossible >= least, "{impossible} of {source}");
        assert_eq!(small, impossible, "{source}");
        assert!(back == impossible || !plain, "{back} of {source}");
    }
}

#[test]
fn cvc5_is_no_exception() {
    let task = support::task("between.c", BETWEEN, None);
    let prepared = prepare_as(&task.program, Form::USUAL).expect("it is one procedure");
    let problem = Problem::new(prepared, Granularity::Basic);
    let mut terms = problem.terms.borrow_mut();
    let steps = problem.steps(&mut terms).expect("it can be encoded");
    let mut solver = new_solver(&SolverConfig::default()).expect("z3 is there");
    let path = paths(steps)
        .into_iter()
        .next()
        .expect("an error can be aimed at");
    let question = Question::impossible(&terms, &path);
    let mut desk = Desk {
        problem: &problem,
        steps,
        terms: &mut terms,
        solver: &mut *solver,
    };
    let Judged::Impossible(core) = judge(&mut desk, &question, None) else {
        panic!("no error of this program can be reached");
    };
    // It may not be installed: then there is nothing, and nothing is wrong.
    let found = interpolate(
        &mut desk,
        &question,
        &core,
        &mut [Box::new(Cvc5::default())],
    );
    if let Some(found) = found {
        assert!(is_interpolant(&mut desk, &question, &found));
    }
    let nobody = Cvc5 {
        program: "/nowhere/cvc5".into(),
        ..Cvc5::default()
    };
    let found = interpolate(&mut desk, &question, &core, &mut [Box::new(nobody)]);
    assert!(found.is_none());
}
