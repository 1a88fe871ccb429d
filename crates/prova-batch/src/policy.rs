//! What fails a build: violations that are new. What is in the baseline or suppressed with a reason does
//! not, and is counted beside.
//!
//! A suppression stands in the manifest (`[[suppress]]`) or in the source, in a comment on the line of
//! the violation or on the one above it:
//!
//! ```c
//! /* prova-suppress unreach-call until 2031-01-31: the caller holds the lock */
//! ```
//!
//! One without a reason is no suppression, and one whose date has passed is none either.

use crate::store::{Entry, Finished, Job};
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};
use std::collections::BTreeSet;
use std::path::Path;

/// Something that is known and stays, for a reason.
#[derive(Clone, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Suppression {
    /// The program; any, if it is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The function; any, if it is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// The property or rule; any, if it is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// `FILE` or `FILE:LINE` of the violation; any, if it is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Why.
    pub reason: String,
    /// The last day on which it holds, as `YYYY-MM-DD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

impl Suppression {
    /// What is wrong with it, if anything is.
    pub fn check(&self) -> Result<(), String> {
        if self.reason.trim().is_empty() {
            return Err("a suppression needs a `reason`".into());
        }
        match &self.until {
            Some(until) if !is_date(until) => {
                Err(format!("`{until}` is no date: write it as 2031-01-31"))
            }
            _ => Ok(()),
        }
    }

    fn holds(&self, today: &str) -> bool {
        self.until.as_deref().is_none_or(|until| today <= until)
    }

    fn is_about(&self, job: &Job, answer: &Finished) -> bool {
        let same = |wanted: &Option<String>, is: &str| wanted.as_deref().is_none_or(|w| w == is);
        let place = format!("{}:{}", answer.file, answer.line);
        let at = self
            .at
            .as_deref()
            .is_none_or(|at| ends_in_path(&place, at) || ends_in_path(&answer.file, at));
        same(&self.program, &job.program)
            && same(&self.entry, &job.entry)
            && same(&self.property, &job.property)
            && at
    }
}

fn ends_in_path(path: &str, end: &str) -> bool {
    path == end || path.ends_with(&format!("/{end}"))
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let digits = |part: &&str, n| part.len() == n && part.bytes().all(|b| b.is_ascii_digit());
    let [year, month, day] = parts[..] else {
        return false;
    };
    let number = |part: &str| part.parse::<u32>().unwrap_or(0);
    digits(&year, 4)
        && digits(&month, 2)
        && digits(&day, 2)
        && (1..=12).contains(&number(month))
        && (1..=31).contains(&number(day))
}

/// Today as `YYYY-MM-DD` in universal time.
pub fn today() -> String {
    date(crate::now() as i64)
}

/// The day of a time in seconds since 1970 (after Hinnant, *chrono-Compatible Low-Level Date
/// Algorithms*).
pub fn date(seconds: i64) -> String {
    let days = seconds.div_euclid(86400) + 719_468;
    let era = days.div_euclid(146_097);
    let day = days.rem_euclid(146_097);
    let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365;
    let in_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * in_year + 2) / 153;
    let day = in_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// How a check's answer counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Proved, or what was expected.
    Fine,
    /// Violated, and nobody knew.
    New,
    /// Violated where a proof was expected, or proved where a violation was.
    Unexpected,
    /// Violated, as in the baseline.
    Known,
    /// Violated, and suppressed for a reason.
    Suppressed(String),
    /// Neither proved nor violated.
    Open,
}

/// What decides how answers count.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// The manifest's suppressions.
    pub suppressions: Vec<Suppression>,
    /// What was there before, as [`finding`] names it.
    pub baseline: BTreeSet<String>,
    /// The day.
    pub today: String,
}

impl Policy {
    /// How an answer counts.
    pub fn standing(&self, job: &Job, answer: &Finished) -> Standing {
        if let Some(expected) = &job.expected {
            match answer.verdict.as_str() {
                verdict if verdict == expected => return Standing::Fine,
                "proved" | "violated" => return Standing::Unexpected,
                _ => {}
            }
        }
        match answer.verdict.as_str() {
            "proved" => Standing::Fine,
            "violated" => {
                let reason = self.suppressed(job, answer);
                if let Some(reason) = reason {
                    Standing::Suppressed(reason)
                } else if self.baseline.contains(&finding(job, answer)) {
                    Standing::Known
                } else {
                    Standing::New
                }
            }
            _ if self.baseline.contains(&finding(job, answer)) => Standing::Known,
            _ => Standing::Open,
        }
    }

    fn suppressed(&self, job: &Job, answer: &Finished) -> Option<String> {
        let named = self
            .suppressions
            .iter()
            .find(|s| s.holds(&self.today) && s.is_about(job, answer));
        if let Some(named) = named {
            return Some(named.reason.clone());
        }
        let text = std::fs::read_to_string(Path::new(&answer.file)).ok()?;
        let here = in_source(&text, answer.line as usize, &job.property)?;
        here.holds(&self.today).then_some(here.reason)
    }

    /// The exit status of a run: 0 where nothing is new and nothing open, 1 where something is new, 3
    /// where something is open.
    pub fn status(&self, entries: &[Entry]) -> u8 {
        let mut status = 0;
        for entry in entries {
            let standing = match &entry.answer {
                Some(answer) => self.standing(&entry.job, answer),
                None => Standing::Open,
            };
            match standing {
                Standing::New | Standing::Unexpected => return 1,
                Standing::Open => status = 3,
                Standing::Fine | Standing::Known | Standing::Suppressed(_) => {}
            }
        }
        status
    }
}

/// The suppression in a source that is about a line.
pub fn in_source(text: &str, line: usize, property: &str) -> Option<Suppression> {
    let lines: Vec<&str> = text.lines().collect();
    // On the line itself, or on the one above.
    for number in [line, line.wrapping_sub(1)] {
        let Some(line) = number.checked_sub(1).and_then(|n| lines.get(n)) else {
            continue;
        };
        let Some((_, said)) = line.split_once("prova-suppress") else {
            continue;
        };
        let (head, reason) = said.split_once(':').unwrap_or((said, ""));
        let words: Vec<&str> = head.split_whitespace().collect();
        let (about, until) = match words[..] {
            [about] => (about, None),
            [about, "until", until] => (about, Some(until.to_string())),
            _ => continue,
        };
        let reason = reason.trim().trim_end_matches("*/").trim();
        let suppression = Suppression {
            property: Some(about.into()),
            reason: reason.into(),
            until,
            ..Suppression::default()
        };
        if about == property && suppression.check().is_ok() {
            return Some(suppression);
        }
    }
    None
}

/// What a finding is known by from run to run: not by its line, which moves.
pub fn finding(job: &Job, answer: &Finished) -> String {
    let message = match answer.verdict.as_str() {
        "violated" => answer.message.as_str(),
        _ => "",
    };
    format!("{} | {} | {message}", job.name(), answer.verdict)
}

/// The baseline of a run: everything that is not proved.
pub fn baseline(entries: &[Entry]) -> Value {
    let findings: BTreeSet<String> = entries
        .iter()
        .filter_map(|e| Some((&e.job, e.answer.as_ref()?)))
        .filter(|(_, answer)| answer.verdict != "proved")
        .map(|(job, answer)| finding(job, answer))
        .collect();
    json!({ "version": 1, "findings": findings })
}

/// Reads a baseline.
pub fn read_baseline(text: &str) -> Result<BTreeSet<String>, String> {
    let value: Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
    if value["version"] != 1 {
        return Err("this is no baseline of version 1".into());
    }
    let all = value["findings"].as_array().ok_or("it has no `findings`")?;
    Ok(all
        .iter()
        .filter_map(|f| f.as_str().map(str::to_string))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violated(line: u64) -> (Job, Finished) {
        let job = Job {
            program: "p".into(),
            property: "unreach-call".into(),
            ..Job::default()
        };
        let answer = Finished {
            verdict: "violated".into(),
            message: "an error is reached".into(),
            file: "/nowhere/x/a.c".into(),
            line,
            ..Finished::default()
        };
        (job, answer)
    }

    #[test]
    fn only_what_is_new_fails() {
        let (job, answer) = violated(3);
        let mut policy = Policy {
            today: "2026-05-05".into(),
            ..Policy::default()
        };
        assert_eq!(policy.standing(&job, &answer), Standing::New);
        policy.baseline.insert(finding(&job, &answer));
        let moved = Finished {
            line: 9,
            ..answer.clone()
        };
        assert_eq!(policy.standing(&job, &moved), Standing::Known);
        let other = Finished {
            message: "another".into(),
            ..answer.clone()
        };
        assert_eq!(policy.standing(&job, &other), Standing::New);
        policy.suppressions.push(Suppression {
            at: Some("a.c:3".into()),
            reason: "known".into(),
            until: Some("2026-05-05".into()),
            ..Suppression::default()
        });
        assert_eq!(
            policy.standing(&job, &answer),
            Standing::Suppressed("known".into())
        );
        policy.today = "2026-05-06".into();
        assert_eq!(policy.standing(&job, &answer), Standing::Known);
        let expected = Job {
            expected: Some("violated".into()),
            ..job.clone()
        };
        assert_eq!(policy.standing(&expected, &other), Standing::Fine);
        let open = Finished {
            verdict: "unknown".into(),
            ..answer
        };
        assert_eq!(policy.standing(&expected, &open), Standing::Open);
    }

    #[test]
    fn suppressions_in_sources_need_a_reason() {
        let text = "int x;\n// prova-suppress lock: known since v2\nf();\ng(); /* prova-suppress a until 2031-01-31: why */\nh(); // prova-suppress b\n";
        let reason = |line, property| in_source(text, line, property).map(|s| s.reason);
        assert_eq!(reason(3, "lock").as_deref(), Some("known since v2"));
        assert_eq!(reason(3, "other"), None);
        assert_eq!(reason(4, "a").as_deref(), Some("why"));
        assert_eq!(reason(5, "b"), None);
        assert_eq!(reason(1, "lock"), None);
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(951_782_400), "2000-02-29");
        assert_eq!(date(1_798_761_600), "2027-01-01");
        assert!(is_date("2031-01-31") && !is_date("2031-1-31") && !is_date("31.1.2031"));
    }
}
