//! `prova doctor`: what is installed, what is missing, and how to get it.

use std::io::Write;
use std::process::{Command, Stdio};

use clap::Args;

use crate::output::Output;
use crate::status::Status;

/// Arguments of `prova doctor`.
#[derive(Debug, Args)]
pub struct Arguments {}

/// Something Prova uses.
struct Tool {
    /// The program.
    program: String,
    /// What asks it for its version.
    version: &'static [&'static str],
    /// What it is for.
    purpose: &'static str,
    /// What does not work without it.
    without: &'static str,
    /// The Debian package that has it.
    package: &'static str,
    /// Whether nothing works without it.
    needed: bool,
}

fn tools() -> Vec<Tool> {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    vec![
        Tool {
            program: compiler,
            version: &["--version"],
            purpose: "preprocesses C files, and compiles failing tests",
            without: "only .i files can be read, and violations are interpreted, not replayed",
            package: "gcc",
            needed: true,
        },
        Tool {
            program: "cvc5".into(),
            version: &["--version"],
            purpose: "certifies proofs, as a second opinion",
            without: "proofs are certified by Z3 alone",
            package: "cvc5",
            needed: false,
        },
        Tool {
            program: "z3".into(),
            version: &["--version"],
            purpose: "certifies proofs in a process of its own",
            without: "proofs are certified by the solver that is built in",
            package: "z3",
            needed: false,
        },
    ]
}

/// Runs `prova doctor`. Exit status 2 if something is missing that nothing works without.
pub fn run(_: Arguments) -> anyhow::Result<Status> {
    let mut out = Output::new();
    writeln!(out, "prova {}", env!("CARGO_PKG_VERSION"))?;
    let mut status = Status::Fine;
    let built_in = prova_logic::new_solver(&prova_logic::SolverConfig::default());
    match built_in {
        Ok(_) => writeln!(
            out,
            "ok       z3 (built in): decides what tests can do next"
        )?,
        Err(error) => {
            status = Status::BadInput;
            writeln!(out, "missing  z3 (built in): {error}")?;
        }
    }
    for tool in tools() {
        match version(&tool) {
            Some(version) => {
                writeln!(out, "ok       {}: {}", tool.program, tool.purpose)?;
                writeln!(out, "         {version}")?;
            }
            None => {
                writeln!(out, "missing  {}: {}", tool.program, tool.purpose)?;
                writeln!(out, "         without it {}", tool.without)?;
                writeln!(out, "         Debian: apt install {}", tool.package)?;
                if tool.needed {
                    status = Status::BadInput;
                }
            }
        }
    }
    if !compiles_for_32_bits() {
        writeln!(
            out,
            "missing  32-bit headers: --bits 32 reads .i files only"
        )?;
        writeln!(out, "         Debian: apt install gcc-multilib")?;
    }
    out.flush()?;
    Ok(status)
}

/// The first line a tool says about its version.
fn version(tool: &Tool) -> Option<String> {
    let output = Command::new(&tool.program)
        .args(tool.version)
        .stdin(Stdio::null())
        .output()
        .ok()
        .filter(|o| o.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().next().map(str::to_string)
}

fn compiles_for_32_bits() -> bool {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let child = Command::new(compiler)
        .args(["-m32", "-E", "-x", "c", "-include", "stdlib.h", "-"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    child.is_ok_and(|status| status.success())
}
