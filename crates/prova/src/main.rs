//! The `prova` command: arguments, printing, exit codes. No logic.
//!
//! | file | what it holds |
//! |---|---|
//! | `arguments.rs` | the command line as clap reads it, and what the commands share |
//! | `commands/` | one file per command |
//! | `input.rs` | C files in, program out; says what is not modelled |
//! | `project/` | `prova.toml` and `compile_commands.json` |
//! | `output.rs` | standard output that survives a reader who leaves |
//! | `status.rs` | what a run ends with, and the exit code for it |
//! | `failure.rs` | panics, turned into an honest answer |
//! | `watchdog.rs` | work that does not end, turned into an honest answer |
//! | `children.rs` | processes that this one started |

mod arguments;
mod children;
mod commands;
mod failure;
mod input;
mod output;
mod project;
mod status;
mod watchdog;
mod world;

use std::process::ExitCode;

use clap::Parser;

use arguments::Arguments;
use status::Status;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let status = failure::guard(|| match commands::run(arguments) {
        Ok(status) => status,
        Err(error) => {
            status::report(&error);
            Status::of_error(&error)
        }
    });
    status.exit_code()
}
