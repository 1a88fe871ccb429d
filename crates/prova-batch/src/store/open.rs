//! Opening a store: the tables, whether everything can be read, and files that are put aside.
//!
//! What would be lost otherwise: a file of somebody else's is never moved, and one of ours that is damaged
//! is never used.

use super::{refused, Opening, Store};
use crate::Error;
use rusqlite::{Connection, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the tables are like. Files of another version are not read.
const VERSION: i64 = 2;
/// The version before: the same without facts, which are added.
const WITHOUT_FACTS: i64 = 1;
/// Marks our files ("prov").
const APPLICATION: i64 = 0x7072_6f76;

const TABLES: &str = "
CREATE TABLE runs (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, started REAL NOT NULL);
CREATE TABLE checks (
  id INTEGER PRIMARY KEY, run INTEGER NOT NULL, number INTEGER NOT NULL,
  job TEXT NOT NULL, job_seal TEXT NOT NULL,
  program TEXT NOT NULL, entry TEXT NOT NULL, property TEXT NOT NULL,
  state INTEGER NOT NULL DEFAULT 0, owner TEXT, attempts INTEGER NOT NULL DEFAULT 0,
  verdict TEXT, reason TEXT, message TEXT, file TEXT, line INTEGER,
  seconds REAL, cpu REAL, peak INTEGER, iterations INTEGER, recalled TEXT,
  seal TEXT, UNIQUE (run, number));
CREATE INDEX checks_open ON checks (run, state, number);
CREATE TABLE answers (id INTEGER PRIMARY KEY, json TEXT NOT NULL);
CREATE TABLE owners (owner TEXT PRIMARY KEY, seen REAL NOT NULL);
CREATE TABLE memory (
  key TEXT PRIMARY KEY, verdict TEXT NOT NULL, json TEXT NOT NULL, made REAL NOT NULL, seal TEXT NOT NULL);
CREATE TABLE tests (
  about TEXT NOT NULL, test TEXT NOT NULL, rank INTEGER NOT NULL, seal TEXT NOT NULL,
  PRIMARY KEY (about, test));
";
const FACTS: &str = "
CREATE TABLE facts (
  about TEXT NOT NULL, fact TEXT NOT NULL, rank INTEGER NOT NULL, seal TEXT NOT NULL,
  PRIMARY KEY (about, fact));
";

impl Store {
    /// Opens a store, or begins one. Says what was wrong with a file that had to be put aside.
    pub fn open(path: &Path) -> Result<(Store, Option<String>), Error> {
        match Store::attempt(path) {
            Ok(store) => Ok((store, None)),
            Err(Opening::Foreign(what)) => Err(refused(path, what)),
            Err(Opening::Damaged(what)) => {
                let aside = Store::put_aside(path)?;
                let store = Store::attempt(path).map_err(|e| refused(path, e.what()))?;
                let said = format!(
                    "the store {} is damaged ({what}); it was put aside as {}, and a new one is begun",
                    path.display(),
                    aside.display()
                );
                Ok((store, Some(said)))
            }
        }
    }

    /// Opens a store for reading what it remembers. `None` where that cannot be done.
    pub fn open_memory(path: &Path) -> Option<Store> {
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE;
        let connection = Connection::open_with_flags(path, flags).ok()?;
        connection.busy_timeout(Duration::from_secs(20)).ok()?;
        let version = |name| connection.pragma_query_value(None, name, |r| r.get::<_, i64>(0));
        let ours = version("user_version").ok()? == VERSION;
        ours.then(|| Store {
            connection,
            path: path.into(),
            owner: String::new(),
        })
    }

    fn attempt(path: &Path) -> Result<Store, Opening> {
        if !looks_like_ours(path) {
            return Err(Opening::Foreign("this is no store of ours".into()));
        }
        let connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(60))?;
        let number = |name| connection.pragma_query_value(None, name, |r| r.get::<_, i64>(0));
        let (application, version) = (number("application_id")?, number("user_version")?);
        if (application, version) != (0, 0) && application != APPLICATION {
            return Err(Opening::Damaged("its header".into()));
        }
        if application == APPLICATION && ![0, WITHOUT_FACTS, VERSION].contains(&version) {
            let what = format!("its tables are of version {version}, not {VERSION}");
            return Err(Opening::Damaged(what));
        }
        if application == 0 {
            // Before anything is written to a file beside: a store that was just begun has our mark.
            connection.pragma_update(None, "application_id", APPLICATION)?;
        }
        // Readers and one writer at a time do not wait for each other; every commit is on disk.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        let mut store = Store {
            connection,
            path: path.into(),
            owner: super::claims::owner(),
        };
        store.begin_tables()?;
        store.look()?;
        Ok(store)
    }

    /// Makes the tables, unless somebody else did.
    fn begin_tables(&mut self) -> Result<(), Opening> {
        let made = |c: &Connection| c.pragma_query_value(None, "user_version", |r| r.get(0));
        let version: i64 = made(&self.connection)?;
        if version == VERSION {
            return Ok(());
        }
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let version: i64 = made(&transaction)?;
        if version == 0 {
            if has_tables(&transaction)? {
                return Err(Opening::Damaged("its version is gone".into()));
            }
            transaction.execute_batch(TABLES)?;
        }
        if [0, WITHOUT_FACTS].contains(&version) {
            transaction.execute_batch(FACTS)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Whether everything in it can be read.
    fn look(&self) -> Result<(), Opening> {
        let said: String = self
            .connection
            .pragma_query_value(None, "integrity_check", |r| r.get(0))?;
        if said != "ok" {
            let first = said.lines().next().unwrap_or_default().to_string();
            return Err(Opening::Damaged(first));
        }
        // A column that is gone would be found much later.
        for query in [
            "SELECT id, name, version, started FROM runs LIMIT 1",
            "SELECT id, run, number, job, job_seal, state, owner, attempts, seal, recalled FROM checks LIMIT 1",
            "SELECT id, json FROM answers LIMIT 1",
            "SELECT owner, seen FROM owners LIMIT 1",
            "SELECT key, verdict, json, made, seal FROM memory LIMIT 1",
            "SELECT about, test, rank, seal FROM tests LIMIT 1",
            "SELECT about, fact, rank, seal FROM facts LIMIT 1",
        ] {
            self.connection.prepare(query)?;
        }
        Ok(())
    }

    /// Gives a damaged file, and what SQLite has beside it, another name.
    pub fn put_aside(path: &Path) -> Result<PathBuf, Error> {
        let named = |suffix: &str| {
            let mut name = path.as_os_str().to_owned();
            name.push(suffix);
            PathBuf::from(name)
        };
        let aside = (1..)
            .map(|n| named(&format!(".damaged-{n}")))
            .find(|p| !p.exists())
            .unwrap_or_else(|| named(".damaged"));
        std::fs::rename(path, &aside)
            .map_err(Error::io(format!("cannot put {} aside", path.display())))?;
        for suffix in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(named(suffix));
        }
        Ok(aside)
    }
}

/// Whether a file may be opened, and put aside if it is damaged: it is not there, it is empty, it has our
/// mark, or it has our tables somewhere.
fn looks_like_ours(path: &Path) -> bool {
    use std::io::Read;
    let Ok(file) = std::fs::File::open(path) else {
        return true;
    };
    let mut bytes = Vec::new();
    if file.take(1 << 20).read_to_end(&mut bytes).is_err() {
        return true;
    }
    let mark = (APPLICATION as u32).to_be_bytes();
    bytes.is_empty()
        || bytes.get(68..72) == Some(&mark[..])
        || bytes.windows(11).any(|w| w == b"checks_open")
}

fn has_tables(connection: &Connection) -> rusqlite::Result<bool> {
    let count: i64 = connection.query_row(
        "SELECT count(*) FROM sqlite_master WHERE name IN ('checks', 'answers', 'memory')",
        [],
        |r| r.get(0),
    )?;
    Ok(count > 0)
}
