//! One file per command: its arguments and what it prints.

pub mod certify;
pub mod check;
pub mod run;
pub mod show;

use crate::arguments::{Arguments, Command};
use crate::status::Status;

/// Runs the command that was asked for.
pub fn run(arguments: Arguments) -> anyhow::Result<Status> {
    match arguments.command {
        Command::Certify(arguments) => certify::run(arguments),
        Command::Check(arguments) => check::run(*arguments),
        Command::Run(arguments) => run::run(arguments),
        Command::Show(arguments) => show::run(arguments),
    }
}
