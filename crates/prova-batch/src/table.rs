//! Tables of a run: by program, by property, by verdict, and what differs from an earlier run.

use crate::policy::{Policy, Standing};
use crate::store::{Entry, Finished};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A table; the first column is text, the others are mostly numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// Names of the columns.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    fn new(title: &str, head: &[&str]) -> Table {
        Table {
            title: title.into(),
            head: head.iter().map(|h| h.to_string()).collect(),
            rows: Vec::new(),
        }
    }

    /// For a terminal.
    pub fn text(&self) -> String {
        let columns = self.head.len();
        let width = |c: usize| {
            let cells = std::iter::once(&self.head).chain(&self.rows);
            cells.map(|r| r[c].chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut out = format!("{}\n", self.title);
        for row in std::iter::once(&self.head).chain(&self.rows) {
            let cells: Vec<String> = row
                .iter()
                .zip(&widths)
                .enumerate()
                .map(|(c, (cell, &w))| match c {
                    0 => format!("{cell:<w$}"),
                    _ => format!("{cell:>w$}"),
                })
                .collect();
            let _ = writeln!(out, "  {}", cells.join("  ").trim_end());
        }
        out
    }

    /// As Markdown.
    pub fn markdown(&self) -> String {
        let clean = |cell: &String| cell.replace('|', "\\|").replace('\n', " ");
        let line = |row: &[String]| {
            let cells: Vec<String> = row.iter().map(clean).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut out = format!("**{}**\n\n{}|", self.title, line(&self.head));
        out.push_str(&"---|".repeat(self.head.len()));
        out.push('\n');
        self.rows.iter().for_each(|r| out.push_str(&line(r)));
        out
    }
}

const VERDICTS: [&str; 5] = ["proved", "violated", "bounded", "unknown", "error"];

#[derive(Default)]
struct Sum {
    verdicts: BTreeMap<String, u64>,
    checks: u64,
    recalled: u64,
    timeouts: u64,
    iterations: u64,
    seconds: f64,
    cpu: f64,
    lines: u64,
}

impl Sum {
    fn add(&mut self, entry: &Entry) {
        self.checks += 1;
        self.lines = self.lines.max(entry.job.lines);
        let Some(answer) = &entry.answer else {
            return;
        };
        *self.verdicts.entry(answer.verdict.clone()).or_default() += 1;
        self.recalled += u64::from(!answer.recalled.is_empty());
        self.timeouts += u64::from(answer.reason == "timeout");
        self.iterations += answer.iterations;
        self.seconds += answer.seconds;
        self.cpu += answer.cpu;
    }

    fn row(&self, name: &str) -> Vec<String> {
        let mut row = vec![
            name.to_string(),
            self.lines.to_string(),
            self.checks.to_string(),
        ];
        row.extend(VERDICTS.map(|v| self.verdicts.get(v).copied().unwrap_or(0).to_string()));
        row.extend([
            self.timeouts.to_string(),
            self.recalled.to_string(),
            self.iterations.to_string(),
            format!("{:.1}", self.cpu),
            format!("{:.1}", self.seconds),
        ]);
        row
    }
}

fn summed<'a>(
    title: &str,
    what: &str,
    entries: &'a [Entry],
    name: impl Fn(&'a Entry) -> &'a str,
) -> Table {
    let mut head = vec![what, "lines", "checks"];
    head.extend(VERDICTS);
    head.extend(["time-outs", "recalled", "iterations", "CPU s", "s"]);
    let mut table = Table::new(title, &head);
    let mut sums: BTreeMap<&str, Sum> = BTreeMap::new();
    let mut all = Sum::default();
    for entry in entries {
        sums.entry(name(entry)).or_default().add(entry);
        all.add(entry);
    }
    all.lines = match what {
        "program" => sums.values().map(|s| s.lines).sum(),
        _ => 0,
    };
    table.rows = sums.iter().map(|(name, sum)| sum.row(name)).collect();
    table.rows.push(all.row("all"));
    table
}

/// A row for each program.
pub fn by_program(entries: &[Entry]) -> Table {
    summed("By program", "program", entries, |e| &e.job.program)
}

/// A row for each property or rule.
pub fn by_property(entries: &[Entry]) -> Table {
    summed("By property", "property", entries, |e| &e.job.property)
}

/// A row for each verdict with its reason.
pub fn by_verdict(entries: &[Entry]) -> Table {
    let mut counts: BTreeMap<(String, String), (u64, f64)> = BTreeMap::new();
    for entry in entries {
        let (key, seconds) = match &entry.answer {
            Some(a) => ((a.verdict.clone(), a.reason.clone()), a.seconds),
            None => (("not done".into(), String::new()), 0.0),
        };
        let sum = counts.entry(key).or_default();
        sum.0 += 1;
        sum.1 += seconds;
    }
    let mut table = Table::new("By verdict", &["verdict", "reason", "checks", "s"]);
    for ((verdict, reason), (count, seconds)) in counts {
        table.rows.push(vec![
            verdict,
            reason,
            count.to_string(),
            format!("{seconds:.1}"),
        ]);
    }
    table
}

/// A row for each check.
pub fn checks<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Table {
    let head = ["check", "verdict", "why", "where", "iterations", "s"];
    let mut table = Table::new("Checks", &head);
    for entry in entries {
        let none = Finished::default();
        let answer = entry.answer.as_ref().unwrap_or(&none);
        let state = match entry.state {
            0 => "waiting",
            1 => "running",
            _ => answer.verdict.as_str(),
        };
        table.rows.push(vec![
            entry.job.name(),
            state.into(),
            answer.reason.clone(),
            place(answer),
            answer.iterations.to_string(),
            format!("{:.1}", answer.seconds),
        ]);
    }
    table
}

/// Where an answer is about, as people write it.
pub fn place(answer: &Finished) -> String {
    match answer.line {
        0 => answer.file.clone(),
        line => format!("{}:{line}", answer.file),
    }
}

/// What differs between two runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Differences {
    /// Decided now, not before.
    pub won: Vec<String>,
    /// Decided before, not now.
    pub lost: Vec<String>,
    /// Decided otherwise.
    pub changed: Vec<String>,
    /// At least twice as long, and a second longer.
    pub slower: Vec<(String, f64, f64)>,
    /// At most half as long, and a second shorter.
    pub faster: Vec<(String, f64, f64)>,
    /// Only in the later one.
    pub added: usize,
    /// Only in the earlier one.
    pub removed: usize,
    /// Seconds of all checks that are in both, before and now.
    pub seconds: (f64, f64),
}

/// Compares a run with an earlier one, check by check.
pub fn differences(earlier: &[Entry], later: &[Entry]) -> Differences {
    let named = |entries: &'_ [Entry]| -> BTreeMap<String, Finished> {
        let done = entries
            .iter()
            .filter_map(|e| Some((e.job.name(), e.answer.clone()?)));
        done.collect()
    };
    let (before, now) = (named(earlier), named(later));
    let mut found = Differences {
        removed: before.keys().filter(|n| !now.contains_key(*n)).count(),
        ..Differences::default()
    };
    let decided = |a: &Finished| matches!(a.verdict.as_str(), "proved" | "violated");
    for (name, answer) in &now {
        let Some(old) = before.get(name) else {
            found.added += 1;
            continue;
        };
        found.seconds.0 += old.seconds;
        found.seconds.1 += answer.seconds;
        let what = format!("{name}: {} before, {} now", old.verdict, answer.verdict);
        match (decided(old), decided(answer)) {
            (false, true) => found.won.push(what),
            (true, false) => found.lost.push(what),
            (true, true) if old.verdict != answer.verdict => found.changed.push(what),
            _ => {}
        }
        let times = (name.clone(), old.seconds, answer.seconds);
        if answer.seconds > 2.0 * old.seconds && answer.seconds > old.seconds + 1.0 {
            found.slower.push(times);
        } else if old.seconds > 2.0 * answer.seconds && old.seconds > answer.seconds + 1.0 {
            found.faster.push(times);
        }
    }
    found
}

impl Differences {
    /// For a terminal.
    pub fn text(&self) -> String {
        let mut out = format!(
            "Against the earlier run: {} won, {} lost, {} changed, {} slower, {} faster, {} added, {} gone; {:.1} s before, {:.1} s now\n",
            self.won.len(),
            self.lost.len(),
            self.changed.len(),
            self.slower.len(),
            self.faster.len(),
            self.added,
            self.removed,
            self.seconds.0,
            self.seconds.1
        );
        let lists = [
            ("won", &self.won),
            ("lost", &self.lost),
            ("changed", &self.changed),
        ];
        for (what, names) in lists {
            for name in names {
                let _ = writeln!(out, "  {what}: {name}");
            }
        }
        for (name, old, new) in &self.slower {
            let _ = writeln!(out, "  slower: {name}: {old:.1} s before, {new:.1} s now");
        }
        out
    }
}

/// A summary the size of a comment.
pub fn markdown(entries: &[Entry], policy: &Policy, differences: Option<&Differences>) -> String {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let (mut fresh, mut open, mut known) = (Vec::new(), 0, 0);
    for entry in entries {
        let Some(answer) = &entry.answer else {
            open += 1;
            continue;
        };
        *counts.entry(answer.verdict.as_str()).or_default() += 1;
        match policy.standing(&entry.job, answer) {
            Standing::New | Standing::Unexpected => fresh.push((entry, answer)),
            Standing::Known | Standing::Suppressed(_) => known += 1,
            Standing::Open => open += 1,
            Standing::Fine => {}
        }
    }
    let said: Vec<String> = counts.iter().map(|(v, n)| format!("{n} {v}")).collect();
    let mut out = format!(
        "### Prova: {} checks, {}\n\n",
        entries.len(),
        said.join(", ")
    );
    let _ = writeln!(
        out,
        "{} new, {known} known or suppressed, {open} open.\n",
        fresh.len()
    );
    if !fresh.is_empty() {
        let mut table = Table::new("New", &["check", "verdict", "what", "where"]);
        for (entry, answer) in fresh.iter().take(20) {
            table.rows.push(vec![
                entry.job.name(),
                answer.verdict.clone(),
                answer.message.clone(),
                place(answer),
            ]);
        }
        if fresh.len() > 20 {
            let more = format!("and {} more", fresh.len() - 20);
            table
                .rows
                .push(vec![more, String::new(), String::new(), String::new()]);
        }
        out.push_str(&table.markdown());
        out.push('\n');
    }
    if let Some(differences) = differences {
        let _ = writeln!(
            out,
            "{}",
            differences.text().lines().next().unwrap_or_default()
        );
        out.push('\n');
    }
    let mut table = by_program(entries);
    if table.rows.len() > 30 {
        let last = table.rows.pop();
        table.rows.truncate(0);
        table.rows.extend(last);
    }
    out.push_str("<details><summary>Table</summary>\n\n");
    out.push_str(&table.markdown());
    out.push_str("\n</details>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Job;

    fn entry(name: &str, verdict: &str, seconds: f64) -> Entry {
        Entry {
            state: 2,
            job: Job {
                program: name.into(),
                property: "p".into(),
                ..Job::default()
            },
            answer: Some(Finished {
                verdict: verdict.into(),
                seconds,
                ..Finished::default()
            }),
            ..Entry::default()
        }
    }

    #[test]
    fn runs_are_compared_check_by_check() {
        let before = [
            entry("a", "proved", 1.0),
            entry("b", "unknown", 9.0),
            entry("c", "proved", 1.0),
            entry("d", "violated", 1.0),
            entry("gone", "proved", 1.0),
        ];
        let now = [
            entry("a", "proved", 3.0),
            entry("b", "proved", 2.0),
            entry("c", "unknown", 1.5),
            entry("d", "proved", 1.0),
            entry("new", "proved", 1.0),
        ];
        let found = differences(&before, &now);
        assert_eq!(found.won, ["b: p: unknown before, proved now"]);
        assert_eq!(found.lost, ["c: p: proved before, unknown now"]);
        assert_eq!(found.changed, ["d: p: violated before, proved now"]);
        assert_eq!(found.slower.len(), 1);
        assert_eq!(found.faster.len(), 1);
        assert_eq!((found.added, found.removed), (1, 1));
        assert_eq!(found.seconds, (12.0, 7.5));
    }

    #[test]
    fn tables_have_a_row_for_all() {
        let entries = [entry("a", "proved", 1.0), entry("b", "violated", 2.0)];
        let table = by_program(&entries);
        assert_eq!(table.rows.len(), 3);
        assert_eq!(table.rows[2][..5], ["all", "0", "2", "1", "1"]);
        assert!(table
            .markdown()
            .lines()
            .all(|l| l.is_empty() || l.starts_with(['|', '*'])));
        let text = markdown(&entries, &Policy::default(), None);
        assert!(
            text.starts_with("### Prova: 2 checks, 1 proved, 1 violated"),
            "{text}"
        );
        assert!(
            text.contains("1 new, 0 known or suppressed, 0 open"),
            "{text}"
        );
    }
}
