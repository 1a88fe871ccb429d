//! What does not end by itself is ended from outside: a solver may think about one question, a
//! compiler about one file, for longer than anybody wants to wait. What is known is said all the
//! same, and always as "unknown".
//!
//! Whoever works polls its budget, and normally ends by itself a moment after time or memory are
//! used up or Ctrl-C was pressed. The watchdog gives it this moment, then takes the floor, kills
//! what the process started, says the last word and ends the process, without a look back: no
//! destructor runs, for a thread that is stuck may hold anything.
//!
//! Only who has the [`Floor`] prints answers, so two never speak at once. What is kept there is
//! what is known of the work so far; it is changed together with what is printed.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use prova_task::budget::resident_bytes;
use prova_task::{Budget, Stop};

use crate::children;
use crate::output::Output;
use crate::status::Status;

/// How long work may take to end by itself after time is up or Ctrl-C was pressed.
const GRACE: Duration = Duration::from_millis(250);

/// The same when memory is used up: more may be gone by then than there is.
const GRACE_FOR_MEMORY: Duration = Duration::from_millis(60);

/// How long the watchdog waits for whoever speaks.
const PATIENCE: Duration = Duration::from_millis(150);

/// How often the watchdog looks.
const PAUSE: Duration = Duration::from_millis(20);

/// What is known, and whether everything is said.
pub struct Held<K> {
    /// What is known.
    pub known: K,
    /// What the command ends with, once its last word is said.
    pub said: Option<Status>,
}

/// The right to speak.
pub struct Floor<K>(Mutex<Held<K>>);

impl<K> Floor<K> {
    /// Nobody has it yet.
    pub fn new(known: K) -> Floor<K> {
        Floor(Mutex::new(Held { known, said: None }))
    }

    /// Takes the floor, to print and to say what is known now. It must not be held for long.
    pub fn take(&self) -> MutexGuard<'_, Held<K>> {
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Takes it unless somebody speaks for too long, to a reader who does not read perhaps.
    fn take_soon(&self) -> Option<MutexGuard<'_, Held<K>>> {
        let start = Instant::now();
        loop {
            match self.0.try_lock() {
                Ok(held) => return Some(held),
                Err(TryLockError::Poisoned(held)) => return Some(held.into_inner()),
                Err(TryLockError::WouldBlock) if start.elapsed() > PATIENCE => return None,
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }
}

/// Works under watch. `speak` says what is known in the place of work that does not end.
pub fn guarded<K: Send, T>(
    budget: &Budget,
    known: K,
    speak: impl FnOnce(&mut K, Stop) -> Status + Send,
    work: impl FnOnce(&Floor<K>) -> T,
) -> T {
    let speak = |known: &mut K, stop| {
        // Before anything is said: whoever waits for a reader waits alone.
        children::kill_all();
        speak(known, stop)
    };
    guarded_until(budget, known, speak, work, |status| end(status))
}

/// Ends the process at once, with what it started.
pub fn end(status: Status) -> ! {
    children::kill_all();
    prova_evidence::remove_folders();
    status.end_now()
}

/// Works until it is done or interrupted, for commands that have no answer to say.
pub fn interruptibly<T>(work: impl FnOnce() -> T) -> T {
    let budget = Budget::unlimited();
    interruptible(&budget);
    guarded(&budget, (), |(), stop| said_plainly(stop), |_| work())
}

/// Says on standard error why there is no answer.
pub fn said_plainly(stop: Stop) -> Status {
    let _ = writeln!(std::io::stderr(), "prova: {stop}");
    Status::Unknown
}

/// Says why there is no answer where the answer would stand.
pub fn said_as_answer(answer: &str, stop: Stop) -> Status {
    if let Ok(mut out) = Output::past_the_lock() {
        let _ = writeln!(out, "{answer}: {stop}").and_then(|()| out.flush());
    }
    Status::Unknown
}

/// The same as [`guarded`]; the process is ended by `end`.
pub fn guarded_until<K: Send, T>(
    budget: &Budget,
    known: K,
    speak: impl FnOnce(&mut K, Stop) -> Status + Send,
    work: impl FnOnce(&Floor<K>) -> T,
    end: impl FnOnce(Status) + Send,
) -> T {
    let floor = Floor::new(known);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let dog = scope.spawn(|| {
            let Some(stop) = watch(budget, &done) else {
                return;
            };
            let held = floor.take_soon();
            if done.swap(true, Ordering::AcqRel) {
                return;
            }
            let status = match held {
                None => Status::Unknown,
                Some(mut held) => match held.said {
                    Some(status) => status,
                    None => {
                        let status = speak(&mut held.known, stop);
                        held.said = Some(status);
                        // It is held until the end, so that nobody else says anything.
                        std::mem::forget(held);
                        status
                    }
                },
            };
            end(status);
        });
        let released = Released(&done);
        let result = work(&floor);
        drop(released);
        dog.thread().unpark();
        result
    })
}

/// Looks until the work is done, or has not ended although it should have.
fn watch(budget: &Budget, done: &AtomicBool) -> Option<Stop> {
    let mut over: Option<Instant> = None;
    loop {
        std::thread::park_timeout(PAUSE);
        if done.load(Ordering::Acquire) {
            return None;
        }
        let Some(stop) = budget.poll().or_else(|| memory_of_all(budget)) else {
            over = None;
            continue;
        };
        let since = *over.get_or_insert_with(Instant::now);
        let grace = match stop {
            Stop::Memory => GRACE_FOR_MEMORY,
            Stop::Time | Stop::Cancelled => GRACE,
        };
        if since.elapsed() >= grace {
            return Some(stop);
        }
    }
}

/// Whether this process and what it started use too much together.
fn memory_of_all(budget: &Budget) -> Option<Stop> {
    let limit = budget.memory_limit()?;
    let all = resident_bytes()? + children::resident_bytes();
    (all > limit).then_some(Stop::Memory)
}

/// Calls the watchdog off, also when the work panics. If it speaks already, it ends the process,
/// and this waits for it.
struct Released<'a>(&'a AtomicBool);

impl Drop for Released<'_> {
    fn drop(&mut self) {
        if self.0.swap(true, Ordering::AcqRel) {
            loop {
                std::thread::park();
            }
        }
    }
}

/// Has Ctrl-C, and a request to terminate, stop whoever works with this budget. The second one
/// ends the process at once.
pub fn interruptible(budget: &Budget) {
    let cancel = budget.cancel_handle();
    // A second handler cannot be set in one process; then Ctrl-C simply ends it.
    let _ = ctrlc::set_handler(move || {
        if cancel.swap(true, Ordering::Relaxed) {
            children::kill_all();
            prova_evidence::remove_folders();
            Status::end_with(130);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{catch_unwind, AssertUnwindSafe};
    use std::sync::mpsc::{channel, Receiver};

    fn never(_: Status) {
        panic!("it is not ended from outside");
    }

    #[test]
    fn what_comes_back_is_passed_on() {
        let budget = Budget::new(Some(Duration::from_secs(600)), None);
        let speak = |_: &mut (), _| Status::Unknown;
        assert_eq!(guarded_until(&budget, (), speak, |_| 7, never), 7);
    }

    #[test]
    fn a_panic_is_not_held_up() {
        let budget = Budget::unlimited();
        let speak = |_: &mut (), _| Status::Unknown;
        let work = || guarded_until(&budget, (), speak, |_| panic!("at work"), never);
        assert!(catch_unwind(AssertUnwindSafe(work)).is_err());
    }

    /// Work that never ends, in a thread that is left alone: what was said in its place, and what
    /// the process would have ended with.
    fn stuck(
        budget: Budget,
        work: impl FnOnce(&Floor<Vec<&'static str>>) + Send + 'static,
    ) -> Receiver<(Option<Stop>, Vec<&'static str>, Status)> {
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let spoken = Mutex::new((None, Vec::new()));
            let speak = |known: &mut Vec<&'static str>, stop| {
                known.push("the last word");
                *spoken.lock().expect("whole") = (Some(stop), known.clone());
                Status::Unknown
            };
            let work = |floor: &Floor<_>| {
                work(floor);
                loop {
                    std::thread::park();
                }
            };
            let spoken = &spoken;
            // The sender goes with it: who ends twice is noticed.
            guarded_until(&budget, vec!["half"], speak, work, move |status| {
                let (stop, words) = spoken.lock().expect("whole").clone();
                let _ = sender.send((stop, words, status));
            })
        });
        receiver
    }

    #[test]
    fn work_that_never_ends_is_spoken_for_once_with_what_is_known() {
        let cancelled = Budget::unlimited();
        cancelled.cancel_handle().store(true, Ordering::Relaxed);
        for (budget, why) in [
            (Budget::new(Some(Duration::ZERO), None), Stop::Time),
            (Budget::new(None, Some(1)), Stop::Memory),
            (cancelled, Stop::Cancelled),
        ] {
            let ends = stuck(budget, |_| {});
            let (stop, words, status) = ends.recv().expect("an end");
            assert_eq!(stop, Some(why));
            assert_eq!(words, ["half", "the last word"]);
            assert_eq!(status, Status::Unknown);
            assert!(ends.recv().is_err(), "it ends once");
        }
    }

    #[test]
    fn nothing_is_added_to_the_last_word() {
        let budget = Budget::unlimited();
        let cancel = budget.cancel_handle();
        let ends = stuck(budget, move |floor| {
            floor.take().said = Some(Status::Violated);
            cancel.store(true, Ordering::Relaxed);
        });
        let (stop, words, status) = ends.recv().expect("an end");
        assert_eq!((stop, words), (None, Vec::new()));
        assert_eq!(status, Status::Violated);
    }

    #[test]
    fn who_speaks_for_ever_is_not_waited_for() {
        let budget = Budget::unlimited();
        let cancel = budget.cancel_handle();
        let ends = stuck(budget, move |floor| {
            std::mem::forget(floor.take());
            cancel.store(true, Ordering::Relaxed);
        });
        let (stop, words, status) = ends.recv().expect("an end");
        assert_eq!((stop, words), (None, Vec::new()));
        assert_eq!(status, Status::Unknown);
    }
}
