//! A campaign: tests that did something new are kept, the kept ones are changed, and whoever was
//! chosen rarely, or came near to an error, is chosen next. Counted in runs, and drawn from a seed:
//! the same campaign finds the same tests every time.

use crate::candidate::Candidate;
use crate::coverage::{distances, Covered, Filled, News, FAR};
use crate::mutate::{mutate, Words};
use crate::solve::solve;
use crate::target::Target;
use fastrand::Rng;
use prova_exec::{Code, RunEnd};
use prova_ir::UNMODELLED;
use std::collections::VecDeque;
use std::sync::Arc;

/// Steps of a run.
pub const STEPS: u64 = 20_000;
/// Tests that are kept.
const MOST_KEPT: usize = 4_000;

/// A test that is kept.
pub struct Entry {
    /// The test.
    pub candidate: Candidate,
    /// Widths of the inputs that its run asked for.
    pub widths: Vec<u8>,
    /// Memory that got arbitrary contents in its run.
    pub filled: Vec<Filled>,
    /// Whether it would have asked for more inputs.
    pub exhausted: bool,
    /// How near to an error it came.
    pub nearest: u32,
    chosen: u32,
}

/// A test that somebody may want.
#[derive(Clone, Debug)]
pub struct Find {
    /// The test.
    pub candidate: Candidate,
    /// How its run ended.
    pub end: RunEnd,
    /// What is new about it.
    pub news: News,
    /// Whether no test came nearer to an error.
    pub nearer: bool,
}

impl Find {
    /// Whether it reached an error of the program's own.
    pub fn fails(&self) -> bool {
        matches!(self.end, RunEnd::ErrorReached(_))
    }
}

/// A campaign on a program.
pub struct Campaign {
    code: Arc<Code>,
    target: Target<false>,
    comparing: Target<true>,
    words: Words,
    covered: Covered,
    corpus: Vec<Entry>,
    waiting: VecDeque<Candidate>,
    nearest: u32,
    rng: Rng,
    /// Runs so far.
    pub executions: u64,
    /// Edges taken in them.
    pub steps: u64,
}

impl Campaign {
    /// A campaign from a seed. It begins with a test of nothing.
    pub fn new(code: &Arc<Code>, seed: u64) -> Campaign {
        let distances = distances(code);
        Campaign {
            target: Target::new(code, &distances, STEPS),
            comparing: Target::new(code, &distances, STEPS),
            words: Words::of(code),
            covered: Covered::default(),
            corpus: Vec::new(),
            waiting: VecDeque::from([Candidate::default()]),
            nearest: FAR,
            rng: Rng::with_seed(seed),
            executions: 0,
            steps: 0,
            code: Arc::clone(code),
        }
    }

    /// Tests to begin with, or to go on with: they are run before others are made.
    pub fn offer(&mut self, tests: impl IntoIterator<Item = Candidate>) {
        self.waiting.extend(tests);
    }

    /// Pairs of jumps that some run took.
    pub fn pairs(&self) -> usize {
        self.covered.pairs
    }

    /// The tests that are kept.
    pub fn corpus(&self) -> &[Entry] {
        &self.corpus
    }

    /// Few of the kept tests that together do all that any of them did, the shortest first.
    pub fn few(&mut self) -> Vec<Candidate> {
        let mut tests: Vec<&Candidate> = self.corpus.iter().map(|e| &e.candidate).collect();
        tests.sort_by_key(|c| c.values.len() + c.contents.len() + c.fresh.len());
        let mut covered = Covered::default();
        let mut few = Vec::new();
        for candidate in tests {
            if covered.note(self.target.run(candidate).coverage) == News::Pair {
                few.push(candidate.clone());
            }
        }
        few
    }

    /// Runs about so many steps, and gives the tests that did something new. Ends early with one
    /// that fails, or when told.
    pub fn advance(&mut self, steps: u64, mut stop: impl FnMut() -> bool) -> Vec<Find> {
        let last = self.steps.saturating_add(steps);
        let mut finds = Vec::new();
        while self.steps < last {
            if self.executions.is_multiple_of(256) && stop() {
                break;
            }
            let candidate = match self.waiting.pop_front() {
                Some(waiting) => waiting,
                None => match self.next() {
                    Some(made) => made,
                    None => break,
                },
            };
            if let Some(find) = self.run(candidate) {
                let fails = find.fails();
                finds.push(find);
                if fails {
                    break;
                }
            }
        }
        finds
    }

    fn next(&mut self) -> Option<Candidate> {
        let pick = |rng: &mut Rng, n: usize| rng.usize(0..n);
        let n = self.corpus.len();
        if n == 0 {
            return None;
        }
        // Of a few, the one that was chosen least; now and then the one that came nearest.
        let few: Vec<usize> = (0..4).map(|_| pick(&mut self.rng, n)).collect();
        let corpus = &self.corpus;
        let chosen = match self.rng.u32(0..4) {
            0 => few.into_iter().min_by_key(|&i| corpus[i].nearest),
            _ => few.into_iter().min_by_key(|&i| corpus[i].chosen),
        };
        let (chosen, other) = (chosen?, pick(&mut self.rng, n));
        self.corpus[chosen].chosen += 1;
        let (parent, other) = (&self.corpus[chosen], &self.corpus[other]);
        Some(mutate(parent, other, &self.words, &mut self.rng))
    }

    fn run(&mut self, candidate: Candidate) -> Option<Find> {
        let ran = self.target.run(&candidate);
        self.executions += 1;
        // A run costs something even if it takes no step.
        self.steps += u64::from(ran.steps) + 16;
        let error = match ran.end {
            RunEnd::ErrorReached(at) => {
                let body = self.code.program.procedure(at.proc).body.as_ref();
                body.and_then(|b| b.error_at(at.location))
            }
            _ => None,
        };
        // What lies behind the border is nobody's find, and what cannot be run teaches nothing.
        let beyond = error.is_some_and(|e| e.property == UNMODELLED);
        if beyond || matches!(ran.end, RunEnd::Unsupported(_)) {
            return None;
        }
        let news = self.covered.note(ran.coverage);
        let nearer = ran.coverage.nearest < self.nearest;
        // Somebody has to be the first, even if its run does nothing but ask.
        let first = self.corpus.is_empty();
        if error.is_none() && news == News::Nothing && !nearer && !first {
            return None;
        }
        self.nearest = self.nearest.min(ran.coverage.nearest);
        let mut candidate = candidate;
        candidate.values.truncate(ran.inputs.len());
        let find = Find {
            candidate: candidate.clone(),
            end: ran.end.clone(),
            news,
            nearer,
        };
        if self.corpus.len() < MOST_KEPT {
            let entry = Entry {
                widths: ran.inputs.iter().map(|i| i.width).collect(),
                filled: ran.coverage.filled.clone(),
                exhausted: matches!(ran.end, RunEnd::InputsExhausted(_)),
                nearest: ran.coverage.nearest,
                chosen: 0,
                candidate,
            };
            let compared = self.comparing.run(&entry.candidate);
            self.steps += u64::from(compared.steps);
            self.waiting
                .extend(solve(&entry, &compared.coverage.compared));
            self.corpus.push(entry);
        }
        Some(find)
    }
}
