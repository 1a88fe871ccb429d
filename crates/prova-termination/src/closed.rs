//! Sets of states that are never left: runs that never end though no state comes again, for values
//! grow. A test that ran for long says which inputs to fix; engines show that no run with these ends, and
//! what they find for that is the set (`prova_rank::narrow`).
//!
//! The run that is shown has the same input in every round, so that a harness can give it for ever.

use crate::forever::{inputs, limits, lines, passes_a_marker};
use crate::shape::{circles, Circle};
use prova_exec::{Code, Exhausted, Policy, Run, RunEnd, Test};
use prova_ir::{LocId, ProcId, Span, Statement};
use prova_rank::narrow::narrow;
use prova_rank::rounds::count_rounds;
use prova_rank::TERMINATION;
use prova_task::outcome::Again;
use prova_task::{Task, Violation};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Tests that are looked at.
pub const TESTS: usize = 12;
/// Steps of a test that is long.
const STEPS: u64 = 8_000;
/// Rounds that are shown.
const ROUNDS: usize = 40;

/// A long run.
pub struct Long {
    run: Run,
    /// Inputs that are fixed.
    pub fixed: BTreeMap<(ProcId, String), u128>,
    /// Where rounds are counted, and how many there are.
    at: (ProcId, LocId, usize),
    span: Span,
    test: Test,
    again: (usize, usize),
}

/// A run of a test that goes on and on, with one input in all rounds of its loop.
pub fn look(task: &Task, code: &Arc<Code>, test: &Test) -> Option<Long> {
    let program = &code.program;
    if program.reads_volatile || !test.fresh.is_empty() {
        return None;
    }
    let run = Run::new(code, test, limits(STEPS));
    if !matches!(run.end, RunEnd::StepLimit(_)) || passes_a_marker(&run) {
        return None;
    }
    // The outermost loop that is gone round to the end.
    let half = (STEPS / 2) as u32;
    let circles = circles(&task.program);
    type Rank = (bool, usize, Option<u32>);
    let mut best: Option<(Rank, &Circle, LocId, &[u32])> = None;
    for circle in &circles {
        let Some(component) = &circle.component else {
            continue;
        };
        let visits = run.visits(circle.procedure, component.head);
        let late = visits.last().is_some_and(|v| *v > half) && visits.len() > ROUNDS;
        let entry = Some(circle.procedure) != task.program.entry;
        let rank = (entry, component.depth, visits.first().copied());
        if late && best.as_ref().is_none_or(|(r, ..)| rank < *r) {
            best = Some((rank, circle, component.head, visits));
        }
    }
    let (_, circle, head, visits) = best?;
    let (begin, last) = (visits[0], visits[ROUNDS - 1]);
    let mut fixed: BTreeMap<(ProcId, String), u128> = BTreeMap::new();
    let mut constant = None;
    for used in &run.inputs {
        let place = run.edge_at(used.step)?;
        let body = program.procedure(place.proc).body.as_ref()?;
        let Statement::Nondet { target, .. } = &body.edge(place.edge?).statement else {
            return None;
        };
        let key = (place.proc, program.register(*target).name.clone());
        if *fixed.entry(key).or_insert(used.value) != used.value {
            return None;
        }
        if used.step >= begin && *constant.get_or_insert(used.value) != used.value {
            return None;
        }
    }
    let used = |step: u32| run.inputs.iter().filter(|i| i.step < step).count();
    let (before, behind) = (used(begin), used(last));
    let values = run.inputs[..behind].iter().map(|i| i.value).collect();
    let shown = Test {
        values,
        rest: Policy::Zero,
        exhausted: Exhausted::Stop,
        ..test.clone()
    };
    let span = circle.span;
    let at = (circle.procedure, head, ROUNDS);
    let shown_run = Run::new(code, &shown, limits(u64::from(last)));
    Some(Long {
        run: shown_run,
        fixed,
        at,
        span,
        test: shown,
        again: (behind - usize::from(behind > before), behind),
    })
}

impl Long {
    /// The program with inputs fixed and its ends as errors, what C leaves undefined among them.
    pub fn narrowed(&self, defined: &Task) -> Option<Task> {
        let mut task = defined.clone();
        prova_ir::passes::devirtualise::devirtualise(&mut task.program);
        task.program = narrow(&task.program, &self.fixed).ok()?;
        Some(task)
    }

    /// The violation, and the program that it is one of.
    pub fn violation(&self, task: &Task) -> (Violation, Task) {
        let message =
            "this loop never ends: what holds at its head holds again after every round, \
                       and then the same again";
        let mut woven = task.clone();
        let (procedure, head, rounds) = self.at;
        count_rounds(&mut woven.program, procedure, head, rounds as u64, message);
        let violation = Violation {
            property: TERMINATION.to_owned(),
            message: message.to_owned(),
            span: self.span,
            inputs: inputs(&self.run),
            path: lines(&self.run),
            test: self.test.clone(),
            again: Some(Again {
                inputs: self.again,
                call: false,
                closed: true,
            }),
        };
        (violation, woven)
    }
}
