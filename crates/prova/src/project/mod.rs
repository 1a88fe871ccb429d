//! A project on disk: which files it has and how they are read, so that `prova check` alone is
//! enough. What the command line says wins over the project's file, and that over a compilation
//! database.
//!
//! | file | what it holds |
//! |---|---|
//! | `file.rs` | `prova.toml`: its keys, where it is looked for, messages with places |
//! | `database.rs` | `compile_commands.json`: what a build told the compiler about each file |
//! | `paths.rs` | paths as people write them |

pub mod database;
pub mod file;
pub mod paths;

use std::path::PathBuf;

use clap::Args;

/// Where the project's description is.
#[derive(Clone, Debug, Args, Default)]
pub struct ProjectArguments {
    /// The project's file; else a prova.toml is looked for here and in the folders above.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,

    /// Do not look for a prova.toml.
    #[arg(long)]
    pub no_config: bool,

    /// Take include paths, macros and the like from a compile_commands.json, or the folder it is
    /// in; without FILE, all C files it names.
    #[arg(long, value_name = "FILE|DIR")]
    pub compile_commands: Option<PathBuf>,
}
