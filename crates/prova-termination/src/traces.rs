//! What tests show of rounds and calls: what the terms of a circle were before one and behind it.

use crate::shape::Circle;
use prova_exec::{Code, Limits, Run, Test};
use prova_ir::{ObjectId, RegId, Type};
use prova_rank::{Atom, Extreme, Kind, Part, Place};
use std::cmp::Ordering;
use std::sync::Arc;

/// Rounds of one circle that are remembered of one run.
const MOST_ROUNDS: usize = 60;
/// Rounds of one run that are looked at beside those at its ends, and terms that are.
const MOST_LOOKED_AT: usize = 4_000;
const FIRST_TERMS: usize = 12;
/// Steps of a run that is looked at.
pub const STEPS: u64 = 60_000;

/// What the terms of a circle were before a round and behind it.
pub type Round = (Vec<i128>, Vec<i128>);

/// Runs a test, with its history.
pub fn run(code: &Arc<Code>, test: &Test, steps: u64) -> Run {
    let limits = Limits {
        steps,
        depth: 2_000,
        ..Limits::default()
    };
    Run::new(code, test, limits)
}

/// The rounds of a circle that a run goes through.
pub fn rounds(run: &Run, circle: &Circle) -> Vec<Round> {
    match &circle.component {
        Some(_) => of_loop(run, circle),
        None => of_calls(run, circle),
    }
}

fn of_loop(run: &Run, circle: &Circle) -> Vec<Round> {
    let Some(component) = &circle.component else {
        return Vec::new();
    };
    let terms = Terms::of(run, circle);
    let visits = run.visits(circle.procedure, component.head);
    // The first rounds, and the last ones: a loop that ends ends there. Between them, those in which
    // the first terms change otherwise than in any before.
    let half = MOST_ROUNDS / 2;
    let at_an_end = |i: usize| i < half || i + half >= visits.len();
    let mut changes: Vec<Vec<Ordering>> = Vec::new();
    let mut is_new = |i: usize, call: u32, from: u32, to: u32| {
        if i > MOST_LOOKED_AT {
            return false;
        }
        let before = terms.few(run, call, from);
        let now = terms.few(run, call, to);
        let change: Vec<Ordering> = now.iter().zip(&before).map(|(b, a)| b.cmp(a)).collect();
        let new = changes.len() < MOST_ROUNDS && !changes.contains(&change);
        if new {
            changes.push(change);
        }
        new
    };
    let mut found: Vec<Round> = Vec::new();
    for (i, pair) in visits.windows(2).enumerate() {
        let (from, to) = (pair[0], pair[1]);
        let call = run.activation_at(from);
        if run.activation_at(to) != call || !(is_new(i, call, from, to) || at_an_end(i)) {
            continue;
        }
        let stays = (from..to).all(|step| {
            let at = run.location_at(step);
            at.proc != circle.procedure
                || run.activation_at(step) != call
                || component.contains(at.location)
        });
        if stays {
            let round = (terms.at(run, call, from), terms.at(run, call, to));
            if !found.contains(&round) {
                found.push(round);
            }
        }
    }
    found
}

fn of_calls(run: &Run, circle: &Circle) -> Vec<Round> {
    let terms = Terms::of(run, circle);
    let calls = run.activations();
    let mut found: Vec<Round> = Vec::new();
    for (i, call) in calls.iter().enumerate().skip(1) {
        if call.proc != circle.procedure || found.len() >= MOST_ROUNDS {
            continue;
        }
        // The innermost call around it of the same procedure.
        let mut at = call.caller;
        while calls[at as usize].proc != circle.procedure && at != calls[at as usize].caller {
            at = calls[at as usize].caller;
        }
        let outer = &calls[at as usize];
        let inside = circle
            .procedures
            .contains(&calls[call.caller as usize].proc);
        if outer.proc == circle.procedure && inside {
            let before = terms.at(run, at, outer.start);
            let round = (before, terms.at(run, i as u32, call.start));
            if !found.contains(&round) {
                found.push(round);
            }
        }
    }
    found
}

/// The terms of a circle with their registers looked up.
struct Terms {
    terms: Vec<(Extreme, Vec<Linear>)>,
}

/// Factors with what they multiply, and what is added.
type Linear = (Vec<(i64, Source)>, i128);

struct Source {
    kind: Kind,
    bits: u32,
    from: From,
}

enum From {
    Register(RegId),
    Pointer(RegId, u64),
    Object(ObjectId, u64),
    Nothing,
}

impl Terms {
    fn of(run: &Run, circle: &Circle) -> Terms {
        let source = |atom: &Atom| source(run, circle, atom);
        let linear = |part: &Part| -> Linear {
            let terms = part.terms.iter().map(|(f, atom)| (*f, source(atom)));
            (terms.collect(), part.constant)
        };
        let term = |part: &Part| (part.extreme, part.linear().map(linear).collect());
        Terms {
            terms: circle.terms.iter().map(term).collect(),
        }
    }

    fn at(&self, run: &Run, call: u32, state: u32) -> Vec<i128> {
        self.values(run, call, state, self.terms.len())
    }

    /// The first terms.
    fn few(&self, run: &Run, call: u32, state: u32) -> Vec<i128> {
        self.values(run, call, state, FIRST_TERMS)
    }

    fn values(&self, run: &Run, call: u32, state: u32, most: usize) -> Vec<i128> {
        let value = |(terms, constant): &Linear| {
            let sum: i128 = terms
                .iter()
                .map(|(f, s)| i128::from(*f) * s.value(run, call, state))
                .sum();
            sum + constant
        };
        let part = |(extreme, all): &(Extreme, Vec<Linear>)| {
            let values = all.iter().map(value);
            let found = match extreme {
                Extreme::Least => values.min(),
                Extreme::Greatest => values.max(),
            };
            found.unwrap_or_default()
        };
        self.terms.iter().take(most).map(part).collect()
    }
}

fn source(run: &Run, circle: &Circle, atom: &Atom) -> Source {
    let program = &run.code.program;
    let register = |name: &String| {
        let own = |r: &prova_ir::Register| {
            r.name == *name && r.owner.is_none_or(|o| o == circle.procedure)
        };
        program.registers.iter().position(own).map(RegId::new)
    };
    let (from, bits) = match &atom.place {
        Place::Register(name) => match register(name) {
            Some(r) => {
                let bits = match program.register(r).ty {
                    Type::Int(w) => u32::from(w),
                    other => other.bits(program.model),
                };
                (From::Register(r), bits)
            }
            None => (From::Nothing, 64),
        },
        Place::Cell {
            base,
            object,
            offset,
            bits,
        } => {
            let from = match object {
                true => {
                    let found = program.objects.iter().position(|o| o.name == *base);
                    found.map(|o| From::Object(ObjectId::new(o), *offset))
                }
                false => register(base).map(|r| From::Pointer(r, *offset)),
            };
            (from.unwrap_or(From::Nothing), u32::from(*bits))
        }
    };
    Source {
        kind: atom.kind,
        bits,
        from,
    }
}

impl Source {
    fn value(&self, run: &Run, call: u32, state: u32) -> i128 {
        let register = |r: RegId| match run.code.program.register(r).owner {
            Some(_) => run.register_of(call, r, state),
            None => run.register_at(r, state),
        };
        let bytes = self.bits / 8;
        let bits = match self.from {
            From::Register(r) => register(r),
            From::Pointer(r, offset) => {
                run.memory_at((register(r) as u64).wrapping_add(offset), bytes, state)
            }
            From::Object(o, offset) => {
                run.memory_at(run.layout.objects[o.index()] + offset, bytes, state)
            }
            From::Nothing => 0,
        };
        let shift = 128 - self.bits.clamp(1, 128);
        match self.kind {
            Kind::Signed => ((bits << shift) as i128) >> shift,
            Kind::Unsigned => ((bits << shift) >> shift) as i128,
            Kind::Low => {
                let bits = (bits << shift) >> shift;
                (bits & bits.wrapping_neg()) as i128
            }
        }
    }
}
