//! Runs that come back to a state they were in: a stem, and a cycle that can be gone through for
//! ever, if it is given the same each time.
//!
//! A call that begins in the state in which one around it began, that is not over yet, is the same
//! thing with a stack that grows.

use crate::code::Code;
use crate::domain::Concrete;
use crate::end::{At, RunEnd};
use crate::machine::state::Snapshot;
use crate::machine::{Limits, Machine};
use crate::test::{Exhausted, Policy, Test};
use prova_ir::RegId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A run that never ends: from `first` on, what happens up to `again` happens again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// What the run is given up to `again`; nothing else, everything that it does not say is zero.
    pub test: Test,
    /// The step at which the state is there for the first time.
    pub first: u32,
    /// The step at which it is there again.
    pub again: u32,
    /// How many inputs there are before `first`, and before `again`.
    pub inputs: (usize, usize),
    /// Where.
    pub at: At,
    /// Whether it is not the state that comes again, but the call of a procedure that is still
    /// active, with nothing different but the stack.
    pub call: bool,
}

/// Looks for one in a run of a test, over so many states at most; `without` are global registers that
/// make no difference to the program. An error says how the run ended.
pub fn search(
    code: &Arc<Code>,
    test: &Test,
    limits: Limits,
    states: usize,
    without: &[RegId],
) -> Result<Lasso, RunEnd> {
    let domain = Concrete::<false>::default();
    let mut machine = Machine::new(Arc::clone(code), domain, test.clone(), limits);
    let mut seen: FxHashMap<u64, u32> = FxHashMap::default();
    let mut calls: Vec<(usize, u64, u32)> = Vec::new();
    let mut left = states;
    loop {
        let (pc, depth, step) = (machine.next_instruction(), machine.depth(), machine.step());
        if machine.run_until(step + 1) || left == 0 {
            return Err(machine.end.unwrap_or(RunEnd::StepLimit(u64::from(step))));
        }
        calls.retain(|c| c.0 <= machine.depth());
        let step = machine.step();
        let earlier = if machine.depth() > depth && machine.stands_at_entry() {
            left -= 1;
            let digest = machine.snapshot_of_call(without).digest();
            let same = calls.iter().rev().find(|c| c.1 == digest).map(|c| c.2);
            calls.push((machine.depth(), digest, step));
            same.map(|first| (first, true))
        } else if machine.depth() == depth && machine.next_instruction() <= pc {
            left -= 1;
            let digest = machine.snapshot(without).digest();
            seen.insert(digest, step).map(|first| (first, false))
        } else {
            None
        };
        if let Some((first, call)) = earlier {
            let given = explicit(test, &machine);
            if let Some(lasso) = confirm(code, &given, limits, (first, step), call, without) {
                return Ok(lasso);
            }
        }
    }
}

/// The test that gives a run what it was given so far.
fn explicit(test: &Test, machine: &Machine<Concrete<false>>) -> Test {
    Test {
        values: machine.inputs.iter().map(|i| i.value).collect(),
        rest: Policy::Zero,
        exhausted: Exhausted::Stop,
        ..test.clone()
    }
}

/// Whether a run of a test is in the same state at two steps.
pub fn confirm(
    code: &Arc<Code>,
    test: &Test,
    limits: Limits,
    (first, again): (u32, u32),
    call: bool,
    without: &[RegId],
) -> Option<Lasso> {
    if first >= again || test.rest != Policy::Zero {
        return None;
    }
    let domain = Concrete::<false>::default();
    let mut machine = Machine::new(Arc::clone(code), domain, test.clone(), limits);
    let state = |machine: &Machine<Concrete<false>>| -> Snapshot {
        match call {
            true => machine.snapshot_of_call(without),
            false => machine.snapshot(without),
        }
    };
    if machine.run_until(first) {
        return None;
    }
    let (before, depth) = (state(&machine), machine.depth());
    let (used, refills) = (machine.inputs_used(), machine.refills());
    // What is given later to the same places would be given to other rounds.
    if test.fresh.keys().any(|(number, _)| *number >= refills) {
        return None;
    }
    while machine.step() < again {
        if machine.run_until(machine.step() + 1) || call && machine.depth() < depth {
            return None;
        }
    }
    let deeper = !call || machine.depth() > depth && machine.stands_at_entry();
    (deeper && state(&machine) == before && machine.unknown_calls.is_empty()).then(|| Lasso {
        test: test.clone(),
        first,
        again,
        inputs: (used, machine.inputs_used()),
        at: machine.stands(),
        call,
    })
}
