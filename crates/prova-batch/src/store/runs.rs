//! Runs and their checks: begun, looked at, and mended where a row is not what was written.

use super::seals::{answer_seal, job_seal, job_text};
use super::{wrong, Entry, Finished, Job, Run, Store};
use crate::{now, Error};
use rusqlite::{params, Connection, OptionalExtension, Row, TransactionBehavior};
use serde_json::Value;

impl Store {
    /// A run of these checks: the last one of this name and version with the same checks if it is not
    /// done, else a new one. With `anew`, a new one in any case. Says whether it goes on.
    pub fn run(
        &mut self,
        name: &str,
        version: &str,
        jobs: &[Job],
        anew: bool,
    ) -> Result<(Run, bool), Error> {
        let path = self.path.clone();
        let fail = |e: rusqlite::Error| wrong(&path, e);
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(fail)?;
        let texts: Vec<String> = jobs.iter().map(job_text).collect();
        let last: Option<i64> = transaction
            .query_row(
                "SELECT max(id) FROM runs WHERE name = ? AND version = ?",
                [name, version],
                |r| r.get(0),
            )
            .optional()
            .map_err(fail)?
            .flatten();
        if let Some(last) = last.filter(|_| !anew) {
            let mut statement = transaction
                .prepare("SELECT job, state FROM checks WHERE run = ? ORDER BY number")
                .map_err(fail)?;
            let rows = statement
                .query_map([last], |r| {
                    Ok((r.get::<_, String>(0)?, r.get::<_, i64>(1)?))
                })
                .map_err(fail)?;
            let rows: Vec<(String, i64)> = rows.collect::<Result<_, _>>().map_err(fail)?;
            let same = rows.iter().map(|r| &r.0).eq(texts.iter());
            let open = rows.iter().any(|r| r.1 != 2);
            drop(statement);
            if same && open {
                let run = one_run(&transaction, last).map_err(fail)?;
                transaction.commit().map_err(fail)?;
                if let Some(run) = run {
                    return Ok((run, true));
                }
                return Err(Error::Damaged {
                    path: path.display().to_string(),
                    what: "a run is gone".into(),
                });
            }
        }
        let started = now();
        transaction
            .execute(
                "INSERT INTO runs (name, version, started) VALUES (?, ?, ?)",
                params![name, version, started],
            )
            .map_err(fail)?;
        let id = transaction.last_insert_rowid();
        for (number, (job, text)) in jobs.iter().zip(&texts).enumerate() {
            transaction
                .execute(
                    "INSERT INTO checks (run, number, job, job_seal, program, entry, property)
                     VALUES (?, ?, ?, ?, ?, ?, ?)",
                    params![
                        id,
                        number as i64,
                        text,
                        job_seal(id, number as i64, text),
                        job.program,
                        job.entry,
                        job.property
                    ],
                )
                .map_err(fail)?;
        }
        transaction.commit().map_err(fail)?;
        let run = Run {
            id,
            name: name.into(),
            version: version.into(),
            started,
        };
        Ok((run, false))
    }

    /// All runs, the first one first.
    pub fn runs(&self) -> Result<Vec<Run>, Error> {
        let read = || -> rusqlite::Result<Vec<Run>> {
            let mut statement = self
                .connection
                .prepare("SELECT id, name, version, started FROM runs ORDER BY id")?;
            let rows = statement.query_map([], run_of)?;
            rows.collect()
        };
        read().map_err(|e| self.fail(e))
    }

    /// Makes checks of a run wait again whose claimants are gone, or whose answers are not what was
    /// written. Gives how many there were of each.
    pub fn mend(&mut self, run: i64, jobs: &[Job]) -> Result<(usize, usize), Error> {
        let gone = self.void_claims(run)?;
        let asked = self.asked(run)?;
        let mut broken = Vec::new();
        for (entry, asked) in self.entries(run)?.into_iter().zip(asked) {
            // What is to be done is known: a job that is not what it was is written again.
            let wanted = jobs.get(entry.number as usize).map(job_text);
            let other = wanted.is_some_and(|text| {
                let seal = job_seal(run, entry.number, &text);
                asked != (text, seal)
            });
            if other || (entry.state == 2 && !self.is_whole(&entry)?) {
                broken.push((entry.id, entry.number));
            }
        }
        let path = self.path.clone();
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate);
        let fail = |e: rusqlite::Error| wrong(&path, e);
        let transaction = transaction.map_err(fail)?;
        for (id, number) in &broken {
            transaction
                .execute(
                    "UPDATE checks SET state = 0, owner = NULL, verdict = NULL, seal = NULL WHERE id = ?",
                    [id],
                )
                .map_err(fail)?;
            if let Some(job) = jobs.get(*number as usize) {
                let text = job_text(job);
                transaction
                    .execute(
                        "UPDATE checks SET job = ?, job_seal = ?, program = ?, entry = ?, property = ? WHERE id = ?",
                        params![text, job_seal(run, *number, &text), job.program, job.entry, job.property, id],
                    )
                    .map_err(fail)?;
            }
            transaction
                .execute("DELETE FROM answers WHERE id = ?", [id])
                .map_err(fail)?;
        }
        // A row that is gone is written again, too.
        let mut lost = 0;
        for (number, job) in jobs.iter().enumerate() {
            let text = job_text(job);
            let number = number as i64;
            lost += transaction
                .execute(
                    "INSERT OR IGNORE INTO checks (run, number, job, job_seal, program, entry, property)
                     VALUES (?, ?, ?, ?, ?, ?, ?)",
                    params![run, number, text, job_seal(run, number, &text), job.program, job.entry, job.property],
                )
                .map_err(fail)?;
        }
        transaction.commit().map_err(fail)?;
        Ok((gone, broken.len() + lost))
    }

    /// What the rows of a run ask for, with their seals, in order.
    fn asked(&self, run: i64) -> Result<Vec<(String, String)>, Error> {
        let read = || -> rusqlite::Result<Vec<(String, String)>> {
            let mut statement = self
                .connection
                .prepare("SELECT job, job_seal FROM checks WHERE run = ? ORDER BY number")?;
            let rows = statement.query_map([run], |r| Ok((column(r, 0), column(r, 1))))?;
            rows.collect()
        };
        read().map_err(|e| self.fail(e))
    }

    /// How many checks of a run wait, are claimed, are done.
    pub fn counts(&self, run: i64) -> Result<[u64; 3], Error> {
        let read = || -> rusqlite::Result<[u64; 3]> {
            let mut statement = self
                .connection
                .prepare("SELECT state, count(*) FROM checks WHERE run = ? GROUP BY state")?;
            let mut counts = [0; 3];
            let mut rows = statement.query([run])?;
            while let Some(row) = rows.next()? {
                let state: i64 = row.get(0)?;
                if let Some(count) = counts.get_mut(state as usize) {
                    *count = row.get::<_, i64>(1)? as u64;
                }
            }
            Ok(counts)
        };
        read().map_err(|e| self.fail(e))
    }

    /// The checks of a run without their whole answers, in order. A row that cannot be read at all is
    /// one that waits.
    pub fn entries(&self, run: i64) -> Result<Vec<Entry>, Error> {
        let read = || -> rusqlite::Result<Vec<Entry>> {
            let mut statement = self.connection.prepare(
                "SELECT id, number, job, state, verdict, reason, message, file, line, seconds, cpu, peak,
                        iterations, recalled
                 FROM checks WHERE run = ? ORDER BY number",
            )?;
            let mut rows = statement.query([run])?;
            let mut entries = Vec::new();
            while let Some(row) = rows.next()? {
                entries.push(entry_of(row)?);
            }
            Ok(entries)
        };
        read().map_err(|e| self.fail(e))
    }

    /// The whole answer of a check.
    pub fn answer(&self, id: i64) -> Result<Option<Value>, Error> {
        let text: Option<String> = self
            .connection
            .query_row("SELECT json FROM answers WHERE id = ?", [id], |r| r.get(0))
            .optional()
            .map_err(|e| self.fail(e))?;
        Ok(text.and_then(|t| serde_json::from_str(&t).ok()))
    }

    /// Whether an answer is what was written.
    fn is_whole(&self, entry: &Entry) -> Result<bool, Error> {
        let read = || -> rusqlite::Result<Option<Written>> {
            self.connection
                .query_row(
                    "SELECT run, job, seal, (SELECT json FROM answers WHERE answers.id = checks.id)
                     FROM checks WHERE id = ?",
                    [entry.id],
                    |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?)),
                )
                .optional()
        };
        // A column of another type is damage, too.
        let Ok(Some((run, job, Some(seal), json))) = read() else {
            return Ok(false);
        };
        let Some(answer) = &entry.answer else {
            return Ok(false);
        };
        Ok(answer_seal(run, entry.number, &job, answer, &json) == seal)
    }
}

/// Run, job, seal and answer of a row, as they were written.
type Written = (i64, String, Option<String>, String);

fn run_of(row: &Row) -> rusqlite::Result<Run> {
    Ok(Run {
        id: row.get(0)?,
        name: row.get(1)?,
        version: row.get(2)?,
        started: row.get(3)?,
    })
}

fn one_run(connection: &Connection, id: i64) -> rusqlite::Result<Option<Run>> {
    let query = "SELECT id, name, version, started FROM runs WHERE id = ?";
    connection.query_row(query, [id], run_of).optional()
}

/// A column, or what stands for nothing where it has another type.
fn column<T: rusqlite::types::FromSql + Default>(row: &Row, index: usize) -> T {
    row.get::<_, Option<T>>(index)
        .ok()
        .flatten()
        .unwrap_or_default()
}

fn entry_of(row: &Row) -> rusqlite::Result<Entry> {
    let text: String = column(row, 2);
    let state: i64 = column(row, 3);
    let answer = (state == 2).then(|| Finished {
        verdict: column(row, 4),
        reason: column(row, 5),
        message: column(row, 6),
        file: column(row, 7),
        line: column::<i64>(row, 8) as u64,
        seconds: column(row, 9),
        cpu: column(row, 10),
        peak: column::<i64>(row, 11) as u64,
        iterations: column::<i64>(row, 12) as u64,
        recalled: column(row, 13),
        json: Value::Null,
    });
    Ok(Entry {
        id: row.get(0)?,
        number: column(row, 1),
        job: serde_json::from_str(&text).unwrap_or_default(),
        state,
        answer,
    })
}
