//! Who is asked about measures and states that come again, in which order, and how much each may do:
//! data, not code. Everything is counted in steps, rounds and the solver's own measure, never in seconds.

use prova_engine::engine::Quota;
use prova_engine::{registry, Accept, Settings};
use prova_task::{Budget, Checker, Observer, Outcome, Report, Task, Unknown};
use prova_termination::Effort;

/// Engines and what they may do.
type Plan = &'static [(&'static str, Quota)];

/// Rounds, each question within so much of the solver's own measure.
const fn rounds(iterations: u64, resource: u64) -> Quota {
    Quota {
        iterations,
        resource,
        ..Quota::ALL
    }
}

/// Steps of the program, or iterations that make so many: no fewer than `least`, no more than `most`.
const fn steps(steps: u64, least: u64, most: u64) -> Quota {
    Quota {
        steps,
        least_iterations: least,
        iterations: most,
        ..Quota::ALL
    }
}

/// The same, with so many questions about predicates at most.
const fn abstraction(all: u64, least: u64, most: u64, questions: u64) -> Quota {
    Quota {
        questions,
        ..steps(all, least, most)
    }
}

/// Who proves that the measure of one loop falls, the quick ones first. Induction over three steps finds
/// proofs that take a checker longer than most programs are worth: it comes behind the others.
const MEASURES: [Plan; 4] = [
    &[
        ("kind", rounds(1, 1_000_000)),
        ("pdr", steps(60_000, 10, 60)),
        ("dash", steps(20_000, 10, 40)),
        ("lazy", abstraction(2_000, 3, 6, 300)),
        ("kind", rounds(2, 2_000_000)),
    ],
    &[
        ("lazy", abstraction(30_000, 8, 20, 2_000)),
        ("pdr", steps(200_000, 20, 150)),
        ("kind", rounds(3, 8_000_000)),
        ("dash", steps(60_000, 20, 200)),
    ],
    &[
        ("lazy", abstraction(300_000, 60, 400, 20_000)),
        ("kind", rounds(8, 20_000_000)),
        ("dash", steps(1_000_000, 40, 400)),
        ("pdr", steps(1_000_000, 40, 400)),
    ],
    &[("auto", Quota::ALL)],
];
/// Who proves it where there are several loops, some perhaps inside of others: whoever unwinds follows
/// each of them as far as constants do before the first question, and comes last for that.
const SEVERAL: [Plan; 4] = [
    &[
        ("pdr", steps(60_000, 10, 60)),
        ("dash", steps(20_000, 10, 40)),
        ("lazy", abstraction(2_000, 3, 6, 300)),
        ("kind", rounds(2, 2_000_000)),
    ],
    &[
        ("pdr", steps(200_000, 20, 150)),
        ("lazy", abstraction(30_000, 8, 20, 2_000)),
        ("dash", steps(60_000, 20, 200)),
        ("kind", rounds(3, 8_000_000)),
    ],
    MEASURES[2],
    MEASURES[3],
];
/// Who proves it where procedures call themselves: those that go procedure by procedure.
const RECURSION: [Plan; 4] = [
    &[("dash", steps(60_000, 20, 100))],
    &[("dash", steps(200_000, 50, 300))],
    &[("dash", steps(1_000_000, 100, 1_000))],
    &[("auto", Quota::ALL)],
];
/// Who looks for runs that come back to where they were, and bounds short ones.
const UNWINDING: [Plan; 4] = [
    &[("bmc", rounds(2, 1_000_000))],
    &[("bmc", rounds(3, 4_000_000))],
    &[("bmc", rounds(6, 40_000_000))],
    &[("auto", Quota::ALL)],
];

/// The efforts with engines that were chosen: `auto` asks all of them, any other is asked alone.
pub fn efforts(chosen: &str, settings: &Settings) -> Vec<Effort> {
    if chosen != registry::AUTO.0 {
        let alone = || made(&[(chosen, settings.quota.unwrap_or(Quota::ALL))], settings);
        return vec![Effort {
            engines: alone(),
            several: alone(),
            procedures: alone(),
            unwinding: alone(),
        }];
    }
    let efforts = (0..MEASURES.len()).map(|i| Effort {
        engines: made(MEASURES[i], settings),
        several: made(SEVERAL[i], settings),
        procedures: made(RECURSION[i], settings),
        unwinding: made(UNWINDING[i], settings),
    });
    efforts.collect()
}

fn made(plan: &[(&str, Quota)], settings: &Settings) -> Vec<Box<dyn Checker>> {
    let engines = plan.iter().filter_map(|(name, quota)| {
        let settings = Settings {
            quota: Some(*quota),
            ..settings.clone()
        };
        let engine = registry::checker(name, &settings)?;
        Some(Box::new(Accepted(engine, settings.accept)) as Box<dyn Checker>)
    });
    engines.collect()
}

/// An engine whose proofs count only if the checker accepts them in half of the time that is left: a
/// proof that takes longer to check than to find must not keep others from finding another.
struct Accepted(Box<dyn Checker>, Accept);

impl Checker for Accepted {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn check(&self, task: &Task, budget: &Budget, observer: &mut dyn Observer) -> Report {
        let mut report = self.0.check(task, budget, observer);
        if let Outcome::Proved(proof) = &report.outcome {
            if let Err(why) = self.1.judge(task, proof, &budget.share(2)) {
                report.outcome = Outcome::Unknown(Unknown::Certificate(why));
            }
        }
        report
    }
}
