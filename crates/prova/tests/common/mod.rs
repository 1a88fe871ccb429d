//! Runs the command as a user would. Each test program uses a part of this.
#![allow(dead_code)]

use std::ffi::OsStr;
use std::process::Command;

/// What a run came to.
#[derive(Debug)]
pub struct Run {
    /// Exit status; `None` after a signal.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// Runs `prova` with these arguments.
pub fn prova(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Run {
    prova_with([], arguments)
}

/// The same in a changed environment.
pub fn prova_with<const N: usize>(
    environment: [(&str, &str); N],
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_prova"))
        .args(arguments)
        .env_remove("RUST_BACKTRACE")
        .envs(environment)
        .output()
        .expect("the command starts");
    Run {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
