//! One file per command: its arguments and what it prints.

pub mod show;

use crate::arguments::{Arguments, Command};
use crate::status::Status;

/// Runs the command that was asked for.
pub fn run(arguments: Arguments) -> anyhow::Result<Status> {
    match arguments.command {
        Command::Show(arguments) => show::run(arguments),
    }
}
