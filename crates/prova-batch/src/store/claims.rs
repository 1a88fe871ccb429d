//! Who works on what. A claim names its process, so that claims of processes that are gone are void; an
//! answer is taken from its claimant, and once.
//!
//! What would be wrong: two answers of one check, or a claim that nobody holds and nobody may take.

use super::seals::{answer_seal, job_seal};
use super::{wrong, Claimed, Finished, Job, Store};
use crate::{now, Error};
use rusqlite::{params, OptionalExtension, TransactionBehavior};

/// A claimant on another machine that was not heard of for so many seconds is gone.
const SILENCE: f64 = 90.0;

impl Store {
    pub(super) fn void_claims(&mut self, run: i64) -> Result<usize, Error> {
        let path = self.path.clone();
        let mut read = || -> rusqlite::Result<usize> {
            let transaction = self
                .connection
                .transaction_with_behavior(TransactionBehavior::Immediate)?;
            let claims: Vec<(i64, Option<String>)> = {
                let mut statement = transaction
                    .prepare("SELECT id, owner FROM checks WHERE run = ? AND state = 1")?;
                let rows = statement.query_map([run], |r| Ok((r.get(0)?, r.get(1)?)))?;
                rows.collect::<Result<_, _>>()?
            };
            let mut void = 0;
            for (id, owner) in claims {
                let seen: Option<f64> = transaction
                    .query_row("SELECT seen FROM owners WHERE owner = ?", [&owner], |r| {
                        r.get(0)
                    })
                    .optional()?;
                if !owner.is_some_and(|o| is_there(&o, seen)) {
                    void += transaction.execute(
                        "UPDATE checks SET state = 0, owner = NULL WHERE id = ? AND state = 1",
                        [id],
                    )?;
                }
            }
            transaction.commit()?;
            Ok(void)
        };
        read().map_err(|e| wrong(&path, e))
    }

    /// Says that this process is there; claims of those who are silent for long are void.
    pub fn sign_of_life(&self) -> Result<(), Error> {
        self.connection
            .execute(
                "INSERT INTO owners (owner, seen) VALUES (?1, ?2)
                 ON CONFLICT (owner) DO UPDATE SET seen = ?2",
                params![self.owner, now()],
            )
            .map(|_| ())
            .map_err(|e| self.fail(e))
    }

    /// The next check that waits. `fits` says whether there is room for it now.
    pub fn claim(
        &mut self,
        run: i64,
        fits: &dyn Fn(&Job) -> bool,
    ) -> Result<Option<Claimed>, Error> {
        let path = self.path.clone();
        let owner = self.owner.clone();
        let mut work = || -> rusqlite::Result<Option<Claimed>> {
            let transaction = self
                .connection
                .transaction_with_behavior(TransactionBehavior::Immediate)?;
            let found = {
                let mut statement = transaction.prepare(
                    "SELECT id, number, job, job_seal, attempts FROM checks
                     WHERE run = ? AND state = 0 ORDER BY number LIMIT 64",
                )?;
                let mut rows = statement.query([run])?;
                let mut found = None;
                while let Some(row) = rows.next()? {
                    let (number, text): (i64, String) = (row.get(1)?, row.get(2)?);
                    let whole = job_seal(run, number, &text) == row.get::<_, String>(3)?;
                    let Some(job) = serde_json::from_str::<Job>(&text).ok().filter(|_| whole)
                    else {
                        continue;
                    };
                    if fits(&job) {
                        found = Some(Claimed {
                            id: row.get(0)?,
                            job,
                            attempts: row.get(4)?,
                        });
                        break;
                    }
                }
                found
            };
            if let Some(claimed) = &found {
                transaction.execute(
                    "UPDATE checks SET state = 1, owner = ?, attempts = attempts + 1 WHERE id = ?",
                    params![owner, claimed.id],
                )?;
            }
            transaction.commit()?;
            Ok(found)
        };
        work().map_err(|e| wrong(&path, e))
    }

    /// Takes an answer, if this process has the claim. Says whether it was taken: an answer that comes
    /// late, or twice, is not.
    pub fn finish(&mut self, id: i64, answer: &Finished) -> Result<bool, Error> {
        let path = self.path.clone();
        let owner = self.owner.clone();
        let json = answer.json.to_string();
        let mut work = || -> rusqlite::Result<bool> {
            let transaction = self
                .connection
                .transaction_with_behavior(TransactionBehavior::Immediate)?;
            let seal = {
                let (run, number, job): (i64, i64, String) = transaction.query_row(
                    "SELECT run, number, job FROM checks WHERE id = ?",
                    [id],
                    |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)),
                )?;
                answer_seal(run, number, &job, answer, &json)
            };
            let taken = transaction.execute(
                "UPDATE checks SET state = 2, owner = NULL, verdict = ?, reason = ?, message = ?, file = ?,
                   line = ?, seconds = ?, cpu = ?, peak = ?, iterations = ?, recalled = ?, seal = ?
                 WHERE id = ? AND state = 1 AND owner = ?",
                params![
                    answer.verdict,
                    answer.reason,
                    answer.message,
                    answer.file,
                    answer.line as i64,
                    answer.seconds,
                    answer.cpu,
                    answer.peak as i64,
                    answer.iterations as i64,
                    answer.recalled,
                    seal,
                    id,
                    owner
                ],
            )?;
            if taken == 1 {
                transaction.execute(
                    "INSERT OR REPLACE INTO answers (id, json) VALUES (?, ?)",
                    params![id, json],
                )?;
            }
            transaction.commit()?;
            Ok(taken == 1)
        };
        work().map_err(|e| wrong(&path, e))
    }

    /// Gives a claim back.
    pub fn give_back(&mut self, id: i64) -> Result<(), Error> {
        self.connection
            .execute(
                "UPDATE checks SET state = 0, owner = NULL, attempts = attempts - 1
                 WHERE id = ? AND state = 1 AND owner = ?",
                params![id, self.owner],
            )
            .map(|_| ())
            .map_err(|e| self.fail(e))
    }
}

/// This process among all that ever were: machine, number, and when it began.
pub(super) fn owner() -> String {
    let process = std::process::id();
    let began = began(process).unwrap_or_default();
    format!("{} {process} {began} {}", machine(), now())
}

fn machine() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    format!("{}/{}", name.trim(), boot.trim()).replace(' ', "_")
}

/// When a process began, in the kernel's own measure.
fn began(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name is in parentheses, and may have some of its own.
    let behind = text.rsplit_once(')')?.1;
    let mut words = behind.split_whitespace();
    // A process that ended and was not waited for holds no claim.
    if matches!(words.next()?, "Z" | "X") {
        return None;
    }
    words.nth(18)?.parse().ok()
}

/// Whether whoever has a claim is still there.
fn is_there(owner: &str, seen: Option<f64>) -> bool {
    let words: Vec<&str> = owner.split(' ').collect();
    let [on, process, at, _] = words[..] else {
        return false;
    };
    if on != machine() {
        return seen.is_some_and(|seen| now() - seen < SILENCE);
    }
    let process = process.parse().ok();
    process.and_then(began).is_some_and(|b| b.to_string() == at)
}
