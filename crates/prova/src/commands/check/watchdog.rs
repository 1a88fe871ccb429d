//! A search that does not come back is ended from outside: a solver may think about one question
//! for longer than anybody wants to wait. What is known is printed all the same.
//!
//! An engine polls its budget between questions, so it normally ends by itself, a little after
//! time is up or Ctrl-C was pressed. The watchdog gives it some grace and then speaks for it.
//! It never says anything but "unknown".

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use prova_task::{Budget, Stop};

/// How long an engine may take to end after Ctrl-C.
const GRACE: Duration = Duration::from_secs(3);

/// How often the watchdog looks.
const PAUSE: Duration = Duration::from_millis(50);

/// Searches under watch. `speak` says what is known in the engine's place, and gives the exit
/// code; the process ends then.
pub fn guarded<T>(
    budget: &Budget,
    speak: impl FnOnce(Stop) -> i32 + Send,
    search: impl FnOnce() -> T,
) -> T {
    let cancelled = budget.cancel_handle();
    // Time limits are looked at between questions, and a question may take a share of the time.
    let left = budget.remaining();
    let limit = left.map(|left| Instant::now() + left + GRACE + left / 5);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let dog = scope.spawn(|| {
            let mut pressed: Option<Instant> = None;
            while !done.load(Ordering::Acquire) {
                std::thread::park_timeout(PAUSE);
                let now = Instant::now();
                if cancelled.load(Ordering::Relaxed) {
                    pressed.get_or_insert(now);
                }
                let stop = match (pressed, limit) {
                    (Some(at), _) if now > at + GRACE => Stop::Cancelled,
                    (_, Some(limit)) if now > limit => Stop::Time,
                    _ => continue,
                };
                // Only one of the two speaks.
                if !done.swap(true, Ordering::AcqRel) {
                    std::process::exit(speak(stop));
                }
            }
        });
        let found = {
            let _released = Released(&done);
            search()
        };
        if done.swap(true, Ordering::AcqRel) {
            // The watchdog speaks already, and ends the process.
            loop {
                std::thread::park();
            }
        }
        dog.thread().unpark();
        found
    })
}

/// Calls the watchdog off when a search panics; otherwise it would be waited for.
struct Released<'a>(&'a AtomicBool);

impl Drop for Released<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{catch_unwind, AssertUnwindSafe};

    #[test]
    fn what_comes_back_is_passed_on() {
        let budget = Budget::new(Some(Duration::from_secs(600)), None);
        assert_eq!(guarded(&budget, |_| 3, || 7), 7);
    }

    #[test]
    fn a_panic_is_not_held_up() {
        let budget = Budget::unlimited();
        let search = || guarded(&budget, |_| 3, || panic!("in the search"));
        assert!(catch_unwind(AssertUnwindSafe(search)).is_err());
    }
}
