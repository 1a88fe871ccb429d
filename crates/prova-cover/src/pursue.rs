//! The goals that are left. They are made errors all together: a test that reaches one may cover
//! many, and one proof may show that all of them are impossible. Where neither is found in time, the
//! goals are halved, and each part has twice the time in the next round. Before that, whoever is quick at
//! tests has a turn for all of them.
//!
//! Goals that only lie behind others of the same part cost nothing: whoever proves that the first one
//! is impossible has proved it of them.

use crate::session::{End, Session};
use prova_exec::Given;
use prova_spec::goals::Target;
use prova_task::Budget;
use rustc_hash::FxHashSet;
use std::time::Duration;

/// What came of an attempt.
pub enum Answer {
    /// A test reaches one of the targets; all tests that were run, that one first.
    Reached(Vec<Given>),
    /// No run does any of them; the certificate, which was accepted.
    Impossible(String),
    /// Neither is known.
    Open {
        /// Why.
        why: String,
        /// Whether more time may help.
        again: bool,
        /// The tests that were run.
        tests: Vec<Given>,
    },
}

/// Whoever decides whether a run does any of some things.
pub trait Prover {
    /// Decides it within a budget, beginning with some tests.
    fn decide(&mut self, targets: &[Target], earlier: &[Given], budget: &Budget) -> Answer;

    /// The same by whoever is quick at tests, if somebody is.
    fn try_quickly(
        &mut self,
        targets: &[Target],
        earlier: &[Given],
        budget: &Budget,
    ) -> Option<Answer>;

    /// Somebody may want to know how far it is.
    fn told(&mut self, session: &Session);
}

/// Time of the first attempts.
const FIRST: Duration = Duration::from_secs(3);
/// Tests that an attempt begins with.
const EARLIER: usize = 20;

/// Goals that are decided together.
struct Part {
    goals: Vec<usize>,
    /// Whether it was tried for as long as it makes sense.
    done: bool,
}

/// Decides what is open, as far as the budget goes. Gives the certificates of what is impossible.
pub fn pursue(session: &mut Session, prover: &mut dyn Prover, budget: &Budget) -> Vec<String> {
    let mut certificates = Vec::new();
    // Proofs can wait for as long as tests keep coming, though not for ever.
    let most = budget.remaining().map(|left| left / 2);
    loop {
        let open = session.open();
        let before = open.len();
        let all = Part {
            goals: open,
            done: false,
        };
        let quick = budget.share(4);
        attempt(session, prover, all, &quick, true, &mut certificates);
        prover.told(session);
        let little_left = match (budget.remaining(), most) {
            (Some(left), Some(most)) => left <= most,
            _ => true,
        };
        if session.open().len() == before || little_left || budget.poll().is_some() {
            break;
        }
    }
    let mut parts = vec![Part {
        goals: session.open(),
        done: false,
    }];
    let mut time = FIRST;
    while parts.iter().any(|p| !p.done) && budget.poll().is_none() {
        let mut next = Vec::new();
        let count = parts.len();
        for (turn, part) in std::mem::take(&mut parts).into_iter().enumerate() {
            if part.done || budget.poll().is_some() {
                next.push(part);
                continue;
            }
            let fair = budget.share(count - turn);
            let time = fair.remaining().map_or(time, |left| left.min(time));
            let share = budget.at_most(time);
            let left = attempt(session, prover, part, &share, false, &mut certificates);
            prover.told(session);
            next.extend(left);
        }
        next.retain(|p| !p.goals.is_empty());
        parts = next;
        time = time.saturating_mul(2);
    }
    certificates
}

/// Works on one part until it is decided or the share is used up; what is left of it.
fn attempt(
    session: &mut Session,
    prover: &mut dyn Prover,
    mut part: Part,
    share: &Budget,
    quickly: bool,
    certificates: &mut Vec<String>,
) -> Vec<Part> {
    loop {
        let open = |g: &usize| matches!(session.ends[*g], End::Open(_));
        part.goals.retain(open);
        if part.goals.is_empty() {
            return Vec::new();
        }
        let mut targets: Vec<Target> = part
            .goals
            .iter()
            .flat_map(|g| session.goals[*g].targets.iter().copied())
            .collect();
        targets.sort_unstable();
        targets.dedup();
        let earlier: Vec<Given> = session
            .tests
            .iter()
            .rev()
            .take(EARLIER)
            .map(|t| t.given.clone())
            .collect();
        let answer = match quickly {
            true => match prover.try_quickly(&targets, &earlier, share) {
                Some(answer) => answer,
                None => return vec![part],
            },
            false => prover.decide(&targets, &earlier, share),
        };
        match answer {
            Answer::Impossible(certificate) => {
                certificates.push(certificate);
                let number = certificates.len() - 1;
                // Whatever asks for nothing else is impossible, too.
                let proved: FxHashSet<Target> = targets.iter().copied().collect();
                let all: Vec<usize> = session.goals_of(&proved).collect();
                for goal in all {
                    let wholly = session.goals[goal]
                        .targets
                        .iter()
                        .all(|t| proved.contains(t));
                    if wholly && matches!(session.ends[goal], End::Open(_)) {
                        session.ends[goal] = End::Impossible(number);
                    }
                }
                return Vec::new();
            }
            Answer::Reached(tests) => {
                let before = session.seen.clone();
                let mut new = false;
                for given in &tests {
                    new |= session.offer(given);
                }
                if new {
                    continue;
                }
                // A run got there, and no suite can have it: the goals that it is about are put
                // aside, for they would be found again and again.
                let there: FxHashSet<Target> = targets
                    .iter()
                    .filter(|t| session.seen.contains(t))
                    .copied()
                    .collect();
                let why = match session.seen.len() > before.len() || !there.is_empty() {
                    true => format!(
                        "tests come here, but none that a suite can have ({})",
                        session.refused.1
                    ),
                    false => "a test comes here that does not when it is run again".to_owned(),
                };
                let aside: Vec<usize> = match there.is_empty() {
                    true => part.goals.clone(),
                    false => session.goals_of(&there).collect(),
                };
                part.goals.retain(|g| !aside.contains(g));
                for goal in aside {
                    if matches!(session.ends[goal], End::Open(_)) {
                        session.ends[goal] = End::Open(why.clone());
                    }
                }
            }
            Answer::Open { why, again, tests } => {
                for given in &tests {
                    session.offer(given);
                }
                part.goals
                    .retain(|g| matches!(session.ends[*g], End::Open(_)));
                for goal in &part.goals {
                    session.ends[*goal] = End::Open(why.clone());
                }
                if part.goals.len() < 2 {
                    part.done = !again;
                    return vec![part];
                }
                let half = part.goals.split_off(part.goals.len() / 2);
                let other = Part {
                    goals: half,
                    done: false,
                };
                return vec![part, other];
            }
        }
    }
}
