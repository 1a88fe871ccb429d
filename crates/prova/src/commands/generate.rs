//! `prova completions` and `prova man`: made from the same declaration that parses arguments.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::output::Output;
use crate::status::Status;

/// Arguments of `prova completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell to make them for.
    shell: Shell,
}

/// Arguments of `prova man`.
#[derive(Debug, Args)]
pub struct Man {
    /// The folder they are written to.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Runs `prova completions`.
pub fn completions(arguments: Completions) -> anyhow::Result<Status> {
    let mut out = Output::new();
    let mut command = crate::arguments::Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "prova", &mut out);
    std::io::Write::flush(&mut out)?;
    Ok(Status::Fine)
}

/// Runs `prova man`.
pub fn man(arguments: Man) -> anyhow::Result<Status> {
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder)
        .and_then(|()| {
            let command = crate::arguments::Arguments::command();
            clap_mangen::generate_to(command, folder)
        })
        .with_context(|| format!("cannot write man pages to {}", folder.display()))?;
    Ok(Status::Fine)
}
