//! One budget for every engine: wall clock, memory, cancellation (`docs/architecture.md`).
//!
//! Engines poll it between steps and pass what is left to the solver, so that a time-out or an
//! interrupt ends with the best evidence so far and a clean exit.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Why an engine has to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The time is used up.
    Time,
    /// The memory is used up.
    Memory,
    /// Somebody asked to stop.
    Cancelled,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stop::Time => "time limit",
            Stop::Memory => "memory limit",
            Stop::Cancelled => "interrupted",
        })
    }
}

/// Limits for one check.
#[derive(Clone, Debug)]
pub struct Budget {
    start: Instant,
    time: Option<Duration>,
    memory: Option<u64>,
    cancelled: Arc<AtomicBool>,
    /// Set by whoever does not need the answer any more.
    needless: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// A budget that starts now. `memory` is in bytes of resident memory.
    pub fn new(time: Option<Duration>, memory: Option<u64>) -> Self {
        Self {
            start: Instant::now(),
            time,
            memory,
            cancelled: Arc::new(AtomicBool::new(false)),
            needless: None,
        }
    }

    /// No limit at all.
    pub fn unlimited() -> Self {
        Self::new(None, None)
    }

    /// A budget for the next of `left` checks: its part of the time that is left, and the same
    /// limit and cancellation for the rest.
    pub fn share(&self, left: usize) -> Budget {
        let parts = u32::try_from(left.max(1)).unwrap_or(u32::MAX);
        Budget {
            start: Instant::now(),
            time: self.remaining().map(|t| t / parts),
            ..self.clone()
        }
    }

    /// A budget of so much time from now, and no more than is left; the same limit and cancellation
    /// for the rest.
    pub fn at_most(&self, time: Duration) -> Budget {
        Budget {
            start: Instant::now(),
            time: Some(self.remaining().map_or(time, |left| left.min(time))),
            ..self.clone()
        }
    }

    /// The same budget for one of several who work at once; it stops also when `needless` is set.
    pub fn until(&self, needless: Arc<AtomicBool>) -> Budget {
        Budget {
            needless: Some(needless),
            ..self.clone()
        }
    }

    /// Setting this from anywhere stops the engine at its next poll.
    pub fn cancel_handle(&self) -> Arc<AtomicBool> {
        self.cancelled.clone()
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Time left, if there is a limit.
    pub fn remaining(&self) -> Option<Duration> {
        self.time.map(|t| t.saturating_sub(self.start.elapsed()))
    }

    /// Time for one question to a solver: what is left, rounded up by a sixteenth at most, so that
    /// the limit does not change at every question: some solvers have to be started anew for it.
    pub fn for_a_question(&self) -> Option<Duration> {
        self.remaining().map(rounded)
    }

    /// The most resident memory, in bytes, if there is a limit.
    pub fn memory_limit(&self) -> Option<u64> {
        self.memory
    }

    /// Why to stop now, if at all.
    pub fn poll(&self) -> Option<Stop> {
        let needless = self.needless.as_ref();
        if self.cancelled.load(Ordering::Relaxed)
            || needless.is_some_and(|n| n.load(Ordering::Relaxed))
        {
            return Some(Stop::Cancelled);
        }
        if self.remaining() == Some(Duration::ZERO) {
            return Some(Stop::Time);
        }
        match self.memory {
            Some(limit) if resident_bytes().is_some_and(|used| used > limit) => Some(Stop::Memory),
            _ => None,
        }
    }
}

/// Up to the next multiple of a sixteenth of the power of two below it, in milliseconds.
fn rounded(left: Duration) -> Duration {
    let millis = u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
    let power = millis.max(1).ilog2();
    let step = 1u64 << power.saturating_sub(4);
    let up = millis.max(1).checked_next_multiple_of(step);
    Duration::from_millis(up.unwrap_or(u64::MAX))
}

/// Resident memory of this process, where the system tells.
pub fn resident_bytes() -> Option<u64> {
    status_kilobytes("VmRSS:")
}

/// The largest resident memory of this process so far, where the system tells.
pub fn peak_bytes() -> Option<u64> {
    status_kilobytes("VmHWM:")
}

fn status_kilobytes(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with(key))?;
    line.split_whitespace()
        .nth(1)?
        .parse::<u64>()
        .ok()
        .map(|kb| kb * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_noticed() {
        assert_eq!(Budget::unlimited().poll(), None);
        assert_eq!(
            Budget::new(Some(Duration::ZERO), None).poll(),
            Some(Stop::Time)
        );
        assert_eq!(Budget::new(None, Some(1)).poll(), Some(Stop::Memory));
        let budget = Budget::unlimited();
        budget.cancel_handle().store(true, Ordering::Relaxed);
        assert_eq!(budget.poll(), Some(Stop::Cancelled));
    }

    #[test]
    fn one_of_several_can_be_stopped_alone() {
        let (all, over) = (Budget::unlimited(), Arc::new(AtomicBool::new(false)));
        let one = all.until(over.clone());
        assert_eq!(one.poll(), None);
        over.store(true, Ordering::Relaxed);
        assert_eq!(one.share(2).poll(), Some(Stop::Cancelled));
        assert_eq!(all.poll(), None);
        over.store(false, Ordering::Relaxed);
        all.cancel_handle().store(true, Ordering::Relaxed);
        assert_eq!(one.poll(), Some(Stop::Cancelled));
    }

    #[test]
    fn a_question_gets_what_is_left_and_little_more() {
        let mut last = Duration::ZERO;
        let mut different = 0;
        for millis in 0..20_000 {
            let left = Duration::from_millis(millis);
            let given = rounded(left);
            assert!(given >= left.max(Duration::from_millis(1)), "{left:?}");
            assert!(
                given <= left + left / 16 + Duration::from_millis(1),
                "{left:?}"
            );
            different += usize::from(given != last);
            last = given;
        }
        assert!(different < 200, "{different} limits in twenty seconds");
        assert!(rounded(Duration::MAX) > Duration::from_secs(1 << 40));
    }
}
