//! A search that does not come back is ended from outside: a solver may think about one question
//! for longer than anybody wants to wait. What is known is printed all the same.
//!
//! An engine polls its budget between questions, so it normally ends by itself, a little after
//! time is up or Ctrl-C was pressed. The watchdog gives it some grace and then speaks for it.
//! It never says anything but "unknown".

use std::fs::File;
use std::io::Write;
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use prova_engine::{Budget, Stop};

/// How long an engine may take to end after Ctrl-C.
const GRACE: Duration = Duration::from_secs(3);

/// What is said in the engine's place, and the exit code.
pub type Speak = dyn Fn(Stop, &mut dyn Write) -> i32 + Send;

/// Watches one search.
pub struct Watchdog {
    done: Arc<AtomicBool>,
}

impl Watchdog {
    /// Watches until it is dropped.
    pub fn start(budget: &Budget, speak: Box<Speak>) -> Watchdog {
        let done = Arc::new(AtomicBool::new(false));
        let cancelled = budget.cancel_handle();
        // Time limits are looked at between questions, and a question may take a share of it.
        let limit = budget
            .remaining()
            .map(|left| Instant::now() + left + GRACE + left / 5);
        let flag = Arc::clone(&done);
        let speak = Mutex::new(speak);
        std::thread::spawn(move || {
            let mut pressed: Option<Instant> = None;
            loop {
                std::thread::sleep(Duration::from_millis(50));
                if flag.load(Ordering::Acquire) {
                    return;
                }
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
                if flag.swap(true, Ordering::AcqRel) {
                    return;
                }
                let Ok(speak) = speak.lock() else { return };
                // The search holds the lock of standard output.
                let code = match std::io::stdout().as_fd().try_clone_to_owned() {
                    Ok(out) => speak(stop, &mut File::from(out)),
                    Err(_) => 3,
                };
                std::process::exit(code);
            }
        });
        Watchdog { done }
    }

    /// The search came back. If the watchdog already speaks, it goes on, and this never returns.
    pub fn stop(self) {
        if self.done.swap(true, Ordering::AcqRel) {
            loop {
                std::thread::park();
            }
        }
    }
}
