//! Work on a large stack. The parser and the lowering recurse as deep as the program nests; how
//! deep that may be is checked beforehand (see `nesting.rs`), and the stack reserved here
//! is large enough for anything that passes the check. Pages that are never touched cost nothing.

use std::cell::Cell;

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

#[cfg(test)]
mod tests {
    use super::*;

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
