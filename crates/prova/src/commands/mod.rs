//! One file per command: its arguments and what it prints.

pub mod adequacy;
pub mod batch;
pub mod bounds;
pub mod certify;
pub mod check;
pub mod conform;
pub mod contract;
pub mod cover;
pub mod doctor;
pub mod engines;
pub mod explain;
pub mod generate;
pub mod import;
pub mod model;
pub mod run;
pub mod show;
pub mod validate;

use crate::arguments::{Arguments, Command};
use crate::status::Status;
use crate::watchdog::interruptibly;

/// Runs the command that was asked for.
pub fn run(arguments: Arguments) -> anyhow::Result<Status> {
    match arguments.command {
        Command::Adequacy(arguments) => adequacy::run(*arguments),
        Command::Batch(arguments) => batch::run(*arguments),
        Command::Bounds(arguments) => interruptibly(|| bounds::run(*arguments)),
        Command::Certify(arguments) => certify::run(arguments),
        Command::Check(arguments) => check::run(*arguments),
        Command::Fuzz(arguments) => check::fuzz(*arguments),
        Command::Completions(arguments) => generate::completions(arguments),
        Command::Conform(arguments) => conform::run(*arguments),
        Command::Contract(arguments) => interruptibly(|| contract::run(*arguments)),
        Command::Cover(arguments) => cover::run(*arguments),
        Command::Doctor(arguments) => interruptibly(|| doctor::run(arguments)),
        Command::Engines(arguments) => engines::run(arguments),
        Command::Explain(arguments) => interruptibly(|| explain::run(arguments)),
        Command::Import(arguments) => import::run(arguments),
        Command::Man(arguments) => generate::man(arguments),
        Command::Model(arguments) => model::run(arguments),
        Command::Run(arguments) => run::run(arguments),
        Command::Show(arguments) => interruptibly(|| show::run(arguments)),
        Command::Validate(arguments) => validate::run(arguments),
    }
}
