//! Panics are bugs of ours: they are caught, said to be so, and end as "unknown".

use std::io::Write;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Mutex;

use crate::status::Status;

/// The last panic's message and place.
static LAST: Mutex<Option<String>> = Mutex::new(None);

/// Runs a command. A panic inside is reported as an internal error.
pub fn guard(command: impl FnOnce() -> Status) -> Status {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if let Ok(mut last) = LAST.lock() {
            *last = Some(info.to_string());
        }
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|v| v != "0") {
            default(info);
        }
    }));
    // Nothing of the command's state is used after a panic.
    catch_unwind(AssertUnwindSafe(command)).unwrap_or_else(|_| {
        let said = LAST.lock().ok().and_then(|mut last| last.take());
        let said = said.unwrap_or_else(|| "no message".into());
        let _ = writeln!(
            std::io::stderr(),
            "internal error: {said}\n\
             This is a bug in Prova {}; there is no answer for this program.\n\
             Please report it with the command line and the program that shows it.",
            env!("CARGO_PKG_VERSION")
        );
        Status::Unknown
    })
}
