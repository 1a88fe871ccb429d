//! Tests that were kept, and what they cover.

use crate::goal::Goal;
use crate::meter::Meter;
use prova_evidence::suite::SuiteTest;
use prova_exec::{Code, Given, Limits, Policy, Run, RunEnd, Test};
use prova_spec::goals::Target;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::time::Duration;

/// Steps of a run, and time: long loops are worth waiting for, as long as they end.
const LONG: (u64, Duration) = (4_000_000, Duration::from_millis(1500));
/// The same for programs whose runs often do not end.
const SHORT: (u64, Duration) = (200_000, Duration::from_millis(300));
/// Runs that do not end, before no run is waited for.
const MOST_ENDLESS: usize = 3;
/// Inputs that a test gets beyond those it was made for.
const MORE: usize = 24;

/// How a goal ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Tests cover it.
    Covered,
    /// Nothing can: the number of the certificate.
    Impossible(usize),
    /// Neither is known; why.
    Open(String),
}

/// A test that was kept.
pub struct Kept {
    /// What it is given.
    pub given: Given,
    /// The goals it covers.
    pub goals: FxHashSet<usize>,
    /// Everything it covers.
    pub hits: FxHashSet<Target>,
}

/// Goals and the tests for them.
pub struct Session {
    /// The program that tests run on, as written.
    pub code: Arc<Code>,
    /// The goals.
    pub goals: Vec<Goal>,
    /// How each ended, so far.
    pub ends: Vec<End>,
    /// Tests that cover something that no test before them did.
    pub tests: Vec<Kept>,
    /// Tests that cover nothing new, as far as they are wanted: their runs end, and need nothing but
    /// inputs.
    pub others: Vec<Given>,
    /// How many of them are wanted.
    pub most_others: usize,
    /// Marks that some run came to, whether or not a suite can have it.
    pub seen: FxHashSet<Target>,
    /// Tests that were run.
    pub ran: usize,
    /// Tests that cannot be part of a suite, and why the last one cannot.
    pub refused: (usize, String),
    meter: Meter,
    known: FxHashSet<u64>,
    by_target: FxHashMap<Target, Vec<usize>>,
    /// Runs that did not end.
    endless: usize,
    /// Whether random runs are cut short.
    cut: bool,
}

impl Session {
    /// No test yet.
    pub fn new(code: Arc<Code>, meter: Meter, goals: Vec<Goal>) -> Session {
        let mut by_target: FxHashMap<Target, Vec<usize>> = FxHashMap::default();
        for (number, goal) in goals.iter().enumerate() {
            for target in &goal.targets {
                by_target.entry(*target).or_default().push(number);
            }
        }
        Session {
            ends: vec![End::Open("nobody worked on it".into()); goals.len()],
            code,
            goals,
            tests: Vec::new(),
            others: Vec::new(),
            most_others: 0,
            seen: FxHashSet::default(),
            ran: 0,
            refused: Default::default(),
            meter,
            known: FxHashSet::default(),
            by_target,
            endless: 0,
            cut: false,
        }
    }

    /// Goals that are open.
    pub fn open(&self) -> Vec<usize> {
        let open = |g: &usize| matches!(self.ends[*g], End::Open(_));
        (0..self.goals.len()).filter(open).collect()
    }

    /// Goals of these targets.
    pub fn goals_of<'a>(
        &'a self,
        targets: &'a FxHashSet<Target>,
    ) -> impl Iterator<Item = usize> + 'a {
        let known = targets.iter().filter_map(|t| self.by_target.get(t));
        known.flatten().copied()
    }

    /// Runs a test, and longer ones where it asks for more; keeps those that cover something new.
    /// Whether there was one.
    pub fn offer(&mut self, given: &Given) -> bool {
        let mut new = self.offer_one(given);
        let (_, run) = given.onto(&self.code, self.limits());
        if matches!(run.end, RunEnd::InputsExhausted(_)) {
            let last = given.values.last().copied().unwrap_or(0);
            for more in [0, last, 1] {
                let mut longer = given.clone();
                longer.values.extend(std::iter::repeat_n(more, MORE));
                new |= self.offer_one(&longer);
            }
        }
        new
    }

    fn offer_one(&mut self, given: &Given) -> bool {
        use std::hash::{Hash, Hasher};
        let mut hasher = rustc_hash::FxHasher::default();
        format!("{given:?}").hash(&mut hasher);
        if !self.known.insert(hasher.finish()) {
            return false;
        }
        self.ran += 1;
        let (_, run) = given.onto(&self.code, self.limits());
        let hits = self.meter.hits(&run);
        self.seen.extend(hits.iter().copied());
        let goals: FxHashSet<usize> = self.goals_of(&hits).collect();
        let new = |g: &usize| matches!(self.ends[*g], End::Open(_));
        if !goals.iter().any(new) {
            if self.others.len() < self.most_others {
                if let Ok(test) = SuiteTest::of(&self.code, given) {
                    self.others.push(Given::of(&test.recording.run));
                }
            }
            return false;
        }
        if matches!(run.end, RunEnd::StepLimit(_) | RunEnd::TimeLimit) {
            self.endless += 1;
            self.refuse("the run does not end");
            return false;
        }
        let given = &self.plainer(given, &hits);
        let test = match SuiteTest::of(&self.code, given) {
            Ok(test) => test,
            Err(recording) => {
                let why = recording.run.end.describe(&recording.program);
                let why = match recording.beyond.first() {
                    Some(beyond) => beyond.clone(),
                    None => why,
                };
                self.refuse(&why);
                return false;
            }
        };
        let run = &test.recording.run;
        let hits = self.meter.hits(run);
        let goals: FxHashSet<usize> = self.goals_of(&hits).collect();
        let new: Vec<usize> = goals
            .iter()
            .copied()
            .filter(|g| matches!(self.ends[*g], End::Open(_)))
            .collect();
        if new.is_empty() {
            return false;
        }
        for goal in new {
            self.ends[goal] = End::Covered;
        }
        let given = Given::of(run);
        self.tests.push(Kept { given, goals, hits });
        true
    }

    /// The test without contents of memory that make no difference to what it covers: nobody has to
    /// supply them then.
    fn plainer(&self, given: &Given, hits: &FxHashSet<Target>) -> Given {
        const TRIED: usize = 24;
        let same = |given: &Given| {
            let (_, run) = given.onto(&self.code, self.limits());
            self.meter.hits(&run) == *hits
        };
        let mut plain = given.clone();
        for fill in &mut plain.fills {
            fill.clear();
        }
        if plain == *given || same(&plain) {
            return plain;
        }
        let mut kept = given.clone();
        let filled = (0..given.fills.len()).filter(|f| !given.fills[*f].is_empty());
        for fill in filled.take(TRIED) {
            let mut fewer = kept.clone();
            fewer.fills[fill].clear();
            if same(&fewer) {
                kept = fewer;
            }
        }
        kept
    }

    fn refuse(&mut self, why: &str) {
        self.refused.0 += 1;
        why.clone_into(&mut self.refused.1);
    }

    /// Runs a test from a seed.
    pub fn offer_seed(&mut self, seed: Option<u64>, memory: bool) -> bool {
        let rest = match (seed, memory) {
            (None, _) => Policy::Zero,
            (Some(seed), false) => Policy::SeededInputs(seed),
            (Some(seed), true) => Policy::Seeded(seed),
        };
        let test = Test {
            rest,
            ..Test::default()
        };
        // What runs without an end reads inputs without an end: a part of them makes a test that ends.
        let steps = match self.cut {
            true => 20_000,
            false => LONG.0,
        };
        let limits = Limits {
            steps,
            ..self.limits()
        };
        let run = Run::new(&self.code, &test, limits);
        let cut = matches!(run.end, RunEnd::StepLimit(_) | RunEnd::TimeLimit);
        if cut && !self.cut {
            self.cut = true;
            return self.offer_seed(seed, memory);
        }
        self.offer_one(&Given::of(&run))
    }

    fn limits(&self) -> Limits {
        let (steps, time) = match self.endless > MOST_ENDLESS {
            true => SHORT,
            false => LONG,
        };
        Limits {
            steps,
            time: Some(time),
            ..Limits::default()
        }
    }
}
