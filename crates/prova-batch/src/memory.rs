//! What is remembered beyond a run: answers by the digest of what was asked, tests and facts by the digest
//! of what they are about.
//!
//! An answer's key covers everything that can matter, and whoever recalls it checks its evidence again. A
//! test is only ever run: one that belongs to another version of a program costs a run and nothing else.
//! A fact is only ever a candidate: whoever reads one proves it before it is used. Rows are sealed like
//! those of [`store`](crate::store).

use crate::store::Store;
use crate::{digest, now};
use rusqlite::{params, OptionalExtension};
use serde_json::Value;

/// No more tests than these are kept about one thing.
pub const MOST_TESTS: usize = 24;
/// Facts of no more functions than these are kept of one check.
const MOST_FUNCTIONS: usize = 200;

impl Store {
    /// The answer that was given under a key.
    pub fn recall(&self, key: &str) -> Option<Value> {
        let row: (String, String, String) = self
            .connection
            .query_row(
                "SELECT verdict, json, seal FROM memory WHERE key = ?",
                [key],
                |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)),
            )
            .optional()
            .ok()??;
        let (verdict, json, seal) = row;
        (seal == memory_seal(key, &verdict, &json))
            .then(|| serde_json::from_str(&json).ok())
            .flatten()
    }

    /// Remembers an answer, in the place of an earlier one. One that decides is not replaced by one
    /// that does not.
    pub fn remember(&self, key: &str, verdict: &str, json: &Value) -> rusqlite::Result<()> {
        let decided = |v: &str| matches!(v, "proved" | "violated");
        let earlier = self.recall(key);
        let earlier = earlier.as_ref().and_then(|e| e["verdict"].as_str());
        if earlier.is_some_and(decided) && !decided(verdict) {
            return Ok(());
        }
        let json = json.to_string();
        let seal = memory_seal(key, verdict, &json);
        self.connection.execute(
            "INSERT OR REPLACE INTO memory (key, verdict, json, made, seal) VALUES (?, ?, ?, ?, ?)",
            params![key, verdict, json, now(), seal],
        )?;
        Ok(())
    }

    /// Tests that were kept about any of these things, those about the first of them first.
    pub fn tests(&self, about: &[String]) -> Vec<Value> {
        let mut found = self.kept(&TESTS, about);
        found.truncate(MOST_TESTS);
        found
    }

    /// Keeps tests about some things; the first ones are offered first. New ones come before old ones.
    pub fn keep_tests(&mut self, about: &[String], tests: &[Value]) -> rusqlite::Result<()> {
        self.put(&TESTS, &[(about.to_vec(), tests.to_vec())])
    }

    /// Facts that were kept about any of these things: what each proof left.
    pub fn facts(&self, about: &[String]) -> Vec<Value> {
        self.kept(&FACTS, about)
    }

    /// Keeps what a proof says about some things, each with its names, before what earlier proofs said.
    pub fn keep_facts(&mut self, facts: &[(Vec<String>, Vec<Value>)]) -> rusqlite::Result<()> {
        self.put(&FACTS, facts)
    }

    fn kept(&self, kind: &Kind, about: &[String]) -> Vec<Value> {
        let mut found: Vec<Value> = Vec::new();
        let query = format!(
            "SELECT {1}, seal FROM {0} WHERE about = ? ORDER BY rank, {1}",
            kind.table, kind.column
        );
        let Ok(mut statement) = self.connection.prepare(&query) else {
            return found;
        };
        for about in about {
            let mut read = || -> rusqlite::Result<Vec<(String, String)>> {
                let rows = statement.query_map([about], |r| Ok((r.get(0)?, r.get(1)?)))?;
                rows.collect()
            };
            for (text, seal) in read().unwrap_or_default() {
                let whole = seal == kind.seal(about, &text);
                let Some(value) = serde_json::from_str(&text).ok().filter(|_| whole) else {
                    continue;
                };
                if !found.contains(&value) {
                    found.push(value);
                }
            }
        }
        found
    }

    fn put(&mut self, kind: &Kind, all: &[(Vec<String>, Vec<Value>)]) -> rusqlite::Result<()> {
        let Kind { table, column, .. } = kind;
        let transaction = self.connection.transaction()?;
        let pairs = all
            .iter()
            .flat_map(|(about, values)| about.iter().map(move |a| (a, values)));
        for (about, values) in pairs {
            transaction.execute(
                &format!("UPDATE {table} SET rank = rank + ?2 WHERE about = ?1"),
                params![about, values.len() as i64],
            )?;
            for (rank, value) in values.iter().enumerate() {
                let text = value.to_string();
                transaction.execute(
                    &format!(
                        "INSERT OR REPLACE INTO {table} (about, {column}, rank, seal) VALUES (?, ?, ?, ?)"
                    ),
                    params![about, text, rank as i64, kind.seal(about, &text)],
                )?;
            }
            transaction.execute(
                &format!("DELETE FROM {table} WHERE about = ?1 AND rank >= ?2"),
                params![about, kind.most],
            )?;
        }
        transaction.commit()
    }
}

/// What is kept by what it is about.
struct Kind {
    table: &'static str,
    column: &'static str,
    /// No more than these about one thing.
    most: i64,
}

const TESTS: Kind = Kind {
    table: "tests",
    column: "test",
    most: 2 * MOST_TESTS as i64,
};

const FACTS: Kind = Kind {
    table: "facts",
    column: "fact",
    most: 3,
};

impl Kind {
    fn seal(&self, about: &str, text: &str) -> String {
        digest([self.column, about, text].map(str::as_bytes))
    }
}

fn memory_seal(key: &str, verdict: &str, json: &str) -> String {
    digest(["memory", key, verdict, json].map(str::as_bytes))
}

/// Keeps what a child process says it learnt (the member `memory` of its answer), and takes it out of
/// the answer: tables and pages do not need it.
pub fn keep(store: &mut Store, answer: &mut Value) -> rusqlite::Result<()> {
    let Some(learnt) = answer.as_object_mut().and_then(|o| o.remove("memory")) else {
        return Ok(());
    };
    let about: Vec<String> = texts(&learnt["about"]);
    if let Some(tests) = learnt["tests"].as_array().filter(|t| !t.is_empty()) {
        let most = tests.len().min(MOST_TESTS);
        store.keep_tests(&about, &tests[..most])?;
    }
    let facts = learnt["facts"].as_array().into_iter().flatten();
    let facts: Vec<(Vec<String>, Vec<Value>)> = facts
        .take(MOST_FUNCTIONS)
        .map(|f| (texts(&f["about"]), vec![f["facts"].clone()]))
        .collect();
    if !facts.is_empty() {
        store.keep_facts(&facts)?;
    }
    let (Some(key), Some(kept)) = (learnt["key"].as_str(), learnt.get("answer")) else {
        return Ok(());
    };
    let verdict = answer["verdict"].as_str().unwrap_or_default().to_string();
    if kept.is_object() {
        store.remember(key, &verdict, kept)?;
    }
    Ok(())
}

fn texts(value: &Value) -> Vec<String> {
    let all = value.as_array().into_iter().flatten();
    all.filter_map(|v| v.as_str().map(str::to_string)).collect()
}
