//! Work on a large stack. The parser and the lowering recurse as deep as the program nests; how
//! deep that may be is checked beforehand (see `nesting.rs`), and the stack reserved here
//! is large enough for anything that passes the check. Pages that are never touched cost nothing.

use std::cell::Cell;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// Bytes reserved. Parsing the deepest programs that are accepted takes less than 32 MB of it; the
/// rest is for whatever else recurses over them.
const STACK: usize = 1 << 30;

thread_local! {
    static LARGE: Cell<bool> = const { Cell::new(false) };
}

/// Runs `f` on a thread with a large stack, or right here when this is one already.
///
/// A panic inside goes on in the caller.
pub fn with_large_stack<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    if LARGE.get() {
        return f();
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("large-stack".into())
            .stack_size(STACK)
            .spawn_scoped(scope, || {
                LARGE.set(true);
                f()
            });
        match thread {
            Ok(thread) => match thread.join() {
                Ok(value) => value,
                Err(panic) => std::panic::resume_unwind(panic),
            },
            Err(error) => panic!("cannot start a thread with a large stack: {error}"),
        }
    })
}

/// Runs `f` on a large stack of its own and waits for it, but not longer than `limit`; `None`
/// when time is up. The thread is then left to itself: nothing can stop code that does not ask.
///
/// A panic inside goes on in the caller.
pub fn with_large_stack_for<T: Send + 'static>(
    limit: Duration,
    f: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    let thread = std::thread::Builder::new()
        .name("large-stack".into())
        .stack_size(STACK)
        .spawn(move || {
            LARGE.set(true);
            // Nobody listens any more when time was up.
            let _ = sender.send(f());
        });
    let thread = match thread {
        Ok(thread) => thread,
        Err(error) => panic!("cannot start a thread with a large stack: {error}"),
    };
    match receiver.recv_timeout(limit) {
        Ok(value) => Some(value),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => match thread.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(()) => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_ends() {
        let forever = || loop {
            std::thread::park();
        };
        assert_eq!(
            with_large_stack_for::<()>(Duration::from_millis(10), forever),
            None
        );
        assert_eq!(with_large_stack_for(Duration::MAX, || 3), Some(3));
    }

    #[test]
    fn nested_use_stays_on_the_same_thread() {
        with_large_stack(|| {
            let outer = std::thread::current().id();
            assert_eq!(with_large_stack(|| std::thread::current().id()), outer);
        });
    }

    #[test]
    fn panics_pass_through() {
        let caught = std::panic::catch_unwind(|| with_large_stack(|| panic!("inside")));
        assert_eq!(*caught.unwrap_err().downcast::<&str>().unwrap(), "inside");
    }
}
