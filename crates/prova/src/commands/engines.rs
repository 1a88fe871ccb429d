//! `prova engines`: which algorithms there are, and where they come from.

use std::io::Write;

use clap::Args;
use prova_engine::registry::{AUTO, ENGINES};

use crate::output::Output;
use crate::status::Status;

/// Arguments of `prova engines`.
#[derive(Debug, Args)]
pub struct Arguments {}

/// Runs `prova engines`.
pub fn run(_: Arguments) -> anyhow::Result<Status> {
    let mut out = Output::new();
    writeln!(out, "{:<8} {}", AUTO.0, AUTO.1)?;
    for engine in ENGINES {
        writeln!(out, "{:<8} {}", engine.name, engine.about)?;
        writeln!(out, "{:<8} {}", "", engine.paper)?;
    }
    out.flush()?;
    Ok(Status::Fine)
}
