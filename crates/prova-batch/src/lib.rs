//! Many checks: what is to be checked, what came of it, and what is remembered.
//!
//! Nothing here verifies anything. A check is a child process of the `prova` command, which answers as
//! JSON; this crate says which checks there are, runs as many at a time as fit, keeps the answers in one
//! SQLite file, and makes tables and pages of them.
//!
//! | file | what it holds |
//! |---|---|
//! | [`manifest`] | programs × entries × properties × rules, as TOML |
//! | [`begin`] | manifests made from folders, compilation databases and task files |
//! | [`store`] | runs and checks in one SQLite file; whoever is killed leaves it whole |
//! | [`memory`] | answers by what was asked, tests and facts by what they are about; each sealed |
//! | [`schedule`] | who works on what, within a number of jobs and an amount of memory |
//! | [`child`] | one check as a child process |
//! | [`cluster`] | checks by way of Dask |
//! | [`policy`] | baselines and suppressions |
//! | [`table`], [`export`], [`page`] | what people and other tools look at |
//!
//! What would be unsound: to take a row for an answer whose seal is broken, or to keep two answers of one
//! check. The first is in [`store`] and [`memory`], the second in [`store::Store::finish`].

pub mod begin;
pub mod child;
pub mod cluster;
pub mod export;
pub mod manifest;
pub mod memory;
pub mod page;
pub mod policy;
pub mod schedule;
pub mod store;
pub mod table;

/// What goes wrong with batches.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The manifest, a task file or an argument cannot be used.
    #[error("{0}")]
    Input(String),
    /// The store cannot be read or written.
    #[error("the store {path}: {what}")]
    Store {
        /// Its path.
        path: String,
        /// What happened.
        what: String,
    },
    /// The store is not what was written.
    #[error("the store {path} is damaged: {what}")]
    Damaged {
        /// Its path.
        path: String,
        /// What is wrong.
        what: String,
    },
    /// A file or a process.
    #[error("{what}: {error}")]
    Io {
        /// What was tried.
        what: String,
        /// What came of it.
        error: std::io::Error,
    },
}

impl Error {
    pub(crate) fn input(what: impl Into<String>) -> Error {
        Error::Input(what.into())
    }

    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Error {
        let what = what.into();
        move |error| Error::Io { what, error }
    }
}

/// The SHA-256 digest of some parts, in hexadecimal. Where a part ends is part of it.
pub fn digest<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    use sha2::{Digest, Sha256};
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|b| format!("{b:02x}")).collect()
}

/// Seconds since 1970.
pub fn now() -> f64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0.0, |d| d.as_secs_f64())
}
