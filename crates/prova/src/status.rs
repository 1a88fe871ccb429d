//! What a run ends with. The exit codes of all commands are decided here.

use std::process::ExitCode;

use prova_c::{Diagnostic, Severity};

/// What a run ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(
    dead_code,
    reason = "`Violated` is an answer of commands that check properties"
)]
pub enum Status {
    /// Done, or proved.
    Fine,
    /// The property is violated, and the evidence was confirmed.
    Violated,
    /// The command line or the program cannot be used.
    BadInput,
    /// No answer.
    Unknown,
    /// No violation within so many rounds of some loops.
    Bounded,
}

impl Status {
    /// The exit code.
    pub fn exit_code(self) -> ExitCode {
        ExitCode::from(self.code())
    }

    /// The same as a number.
    pub fn code(self) -> u8 {
        match self {
            Status::Fine => 0,
            Status::Violated => 1,
            Status::BadInput => 2,
            Status::Unknown => 3,
            Status::Bounded => 4,
        }
    }

    /// Ends the process with it, at once: nothing is dropped, and no handler runs that a stuck thread
    /// could hold up.
    pub fn end_now(self) -> ! {
        Status::end_with(self.code().into())
    }

    /// The same with an exit code of its own.
    pub fn end_with(code: i32) -> ! {
        // SAFETY: `_exit` may be called from anywhere, and does not return.
        unsafe { libc::_exit(code) }
    }

    /// What an error means for the run.
    pub fn of_error(error: &anyhow::Error) -> Status {
        if error.is::<Rejected>() {
            Status::BadInput
        } else {
            Status::Unknown
        }
    }
}

/// The input cannot be used; at least one of the diagnostics is an error.
#[derive(Debug)]
pub struct Rejected(pub Vec<Diagnostic>);

impl Rejected {
    /// One message without a place.
    pub fn because(message: impl Into<String>) -> Self {
        Rejected(vec![Diagnostic::error(message, None)])
    }
}

impl From<Diagnostic> for Rejected {
    fn from(diagnostic: Diagnostic) -> Self {
        Rejected(vec![diagnostic])
    }
}

impl std::fmt::Display for Rejected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let errors = self.0.iter().filter(|d| d.severity == Severity::Error);
        for (i, diagnostic) in errors.enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Rejected {}

/// Says on standard error what went wrong.
pub fn report(error: &anyhow::Error) {
    match error.downcast_ref::<Rejected>() {
        Some(Rejected(diagnostics)) => diagnostics.iter().for_each(Diagnostic::print),
        None => Diagnostic::error(format!("{error:#}"), None).print(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_did_and_what_we_did_are_told_apart() {
        let rejected = anyhow::Error::from(Rejected::because("no such file"));
        assert_eq!(Status::of_error(&rejected), Status::BadInput);
        let other = anyhow::Error::from(std::io::Error::other("disk full"));
        assert_eq!(Status::of_error(&other), Status::Unknown);
        assert_eq!(rejected.to_string(), "no such file");
    }
}
