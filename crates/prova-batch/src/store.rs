//! Runs and their checks in one SQLite file.
//!
//! A check is waiting, claimed by somebody, or done. A claim and an answer are one transaction each, so
//! that whoever is killed leaves a check that is waiting for all that matters: claims of processes that
//! are no longer there are void. An answer is taken from its claimant only, and once.
//!
//! **Seals.** Every answer has a digest of all its columns beside it. SQLite does not notice a byte that
//! was changed inside of a row, and a damaged page may show a row of another table; a row whose seal does
//! not fit is treated as if it was never written: the check is made again. A file that SQLite itself
//! refuses is put aside under another name, and a new one is begun. Both are said.
//!
//! | file | what it holds |
//! |---|---|
//! | [`open`] | opening, beginning and putting aside files |
//! | [`runs`] | a manifest begun once: its checks, looked at and mended |
//! | [`claims`] | who works on what, and the answer that is taken once |
//! | [`seals`] | whether a row is what was written |

mod claims;
mod open;
mod runs;
mod seals;

use crate::Error;
use rusqlite::Connection;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A store.
pub struct Store {
    pub(crate) connection: Connection,
    path: PathBuf,
    owner: String,
}

/// What is to be checked: one child process.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Job {
    /// The program's name in tables.
    pub program: String,
    /// The function that is checked; empty for `main`.
    pub entry: String,
    /// The property's or the rule's name.
    pub property: String,
    /// What `prova check` is told, except for what belongs to the batch.
    pub words: Vec<String>,
    /// The files among them, for those who check elsewhere.
    pub files: Vec<String>,
    /// Seconds.
    pub timeout: u64,
    /// Megabytes.
    pub memory: u64,
    /// Lines of the program's files.
    pub lines: u64,
    /// The verdict that somebody expects.
    pub expected: Option<String>,
}

impl Job {
    /// The check's name for people.
    pub fn name(&self) -> String {
        match self.entry.as_str() {
            "" => format!("{}: {}", self.program, self.property),
            entry => format!("{}, {entry}: {}", self.program, self.property),
        }
    }
}

/// A check that somebody claimed.
#[derive(Clone, Debug)]
pub struct Claimed {
    /// Its row.
    pub id: i64,
    /// What to do.
    pub job: Job,
    /// How often it was begun before.
    pub attempts: u32,
}

/// What came of a check.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finished {
    /// `proved`, `violated`, `bounded`, `unknown` or `error`.
    pub verdict: String,
    /// Why not, in a word.
    pub reason: String,
    /// What there is to say, in a line.
    pub message: String,
    /// Where.
    pub file: String,
    /// Where in it; zero if that is not known.
    pub line: u64,
    /// Wall-clock time.
    pub seconds: f64,
    /// Processor time, of everything the check started.
    pub cpu: f64,
    /// Peak memory in bytes.
    pub peak: u64,
    /// Iterations of the search.
    pub iterations: u64,
    /// How an earlier answer was used: empty, `checked`, `trusted` or `tests`.
    pub recalled: String,
    /// The whole answer.
    pub json: Value,
}

/// A check with its state and answer, as tables show it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    /// Its row.
    pub id: i64,
    /// Its number in the run.
    pub number: i64,
    /// What was asked.
    pub job: Job,
    /// 0 waiting, 1 claimed, 2 done.
    pub state: i64,
    /// The answer without its JSON, if it is done.
    pub answer: Option<Finished>,
}

/// A run: a manifest, begun once.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Its number.
    pub id: i64,
    /// The manifest's name.
    pub name: String,
    /// Of whom.
    pub version: String,
    /// When, in seconds since 1970.
    pub started: f64,
}

impl Store {
    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn fail(&self, error: rusqlite::Error) -> Error {
        wrong(&self.path, error)
    }

    /// Says that it is damaged.
    pub(crate) fn damaged(&self, what: &str) -> Error {
        Error::Damaged {
            path: self.path.display().to_string(),
            what: what.into(),
        }
    }
}

fn refused(path: &Path, what: String) -> Error {
    Error::Store {
        path: path.display().to_string(),
        what,
    }
}

/// What an error of SQLite means for the file.
fn wrong(path: &Path, error: rusqlite::Error) -> Error {
    let path_text = path.display().to_string();
    match Opening::from(error) {
        Opening::Foreign(what) => refused(path, what),
        Opening::Damaged(what) => Error::Damaged {
            path: path_text,
            what,
        },
    }
}

/// Why a file cannot be opened.
enum Opening {
    /// It is not ours to touch.
    Foreign(String),
    /// It was ours once.
    Damaged(String),
}

impl Opening {
    fn what(self) -> String {
        match self {
            Opening::Foreign(what) | Opening::Damaged(what) => what,
        }
    }
}

impl From<rusqlite::Error> for Opening {
    fn from(error: rusqlite::Error) -> Opening {
        use rusqlite::ErrorCode::*;
        match error.sqlite_error_code() {
            Some(
                CannotOpen | PermissionDenied | ReadOnly | DatabaseBusy | DatabaseLocked | DiskFull,
            ) => Opening::Foreign(error.to_string()),
            _ => Opening::Damaged(error.to_string()),
        }
    }
}
