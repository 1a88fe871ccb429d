//! What a batch says meanwhile: a line for each answer, and on a terminal a line that says what runs and
//! how long it will take.

use std::io::{IsTerminal, Write};

use prova_batch::schedule::{Progress, Watch};
use prova_batch::store::{Finished, Job};

/// Lines on standard error.
pub struct Lines {
    quiet: bool,
    terminal: bool,
    drawn: bool,
}

impl Lines {
    /// For people, unless they want none.
    pub fn new(quiet: bool) -> Lines {
        Lines {
            quiet,
            terminal: std::io::stderr().is_terminal(),
            drawn: false,
        }
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            eprint!("\r\x1b[K");
        }
    }

    /// Nothing more is said.
    pub fn end(&mut self) {
        self.clear();
    }
}

impl Watch for Lines {
    fn answered(&mut self, job: &Job, answer: &Finished, progress: &Progress) {
        if self.quiet {
            return;
        }
        self.clear();
        let mut line = format!(
            "[{}/{}] {} {}",
            progress.done,
            progress.all,
            answer.verdict,
            job.name()
        );
        if !answer.reason.is_empty() {
            line.push_str(&format!(" ({})", answer.reason));
        }
        line.push_str(&format!(", {:.1} s", answer.seconds));
        if !answer.recalled.is_empty() {
            line.push_str(&format!(", recalled ({})", answer.recalled));
        }
        eprintln!("{line}");
    }

    fn tick(&mut self, progress: &Progress) {
        if self.quiet || !self.terminal {
            return;
        }
        self.clear();
        eprint!("{}", line(progress));
        let _ = std::io::stderr().flush();
        self.drawn = true;
    }
}

/// What runs, and how long it will take.
fn line(progress: &Progress) -> String {
    let mut running: Vec<String> = progress
        .running
        .iter()
        .take(2)
        .map(|(name, seconds)| format!("{name} ({seconds:.0} s)"))
        .collect();
    if progress.running.len() > 2 {
        running.push(format!("{} more", progress.running.len() - 2));
    }
    let left = match progress.left {
        Some(seconds) => format!(", about {} left", duration(seconds)),
        None => String::new(),
    };
    let mut text = format!(
        "{}/{}{left}: {}",
        progress.done,
        progress.all,
        running.join(", ")
    );
    if let Some((end, _)) = text.char_indices().nth(100) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// As people say it.
fn duration(seconds: f64) -> String {
    match seconds as u64 {
        s @ 0..=99 => format!("{s} s"),
        s @ 100..=5999 => format!("{} min", s / 60),
        s => format!("{} h {} min", s / 3600, s % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_runs_and_how_long() {
        let progress = Progress {
            all: 340,
            done: 120,
            running: vec![
                ("a: p".into(), 12.3),
                ("b: q".into(), 3.0),
                ("c".into(), 1.0),
            ],
            left: Some(840.0),
            ..Progress::default()
        };
        let wanted = "120/340, about 14 min left: a: p (12 s), b: q (3 s), 1 more";
        assert_eq!(line(&progress), wanted);
        assert_eq!(duration(8000.0), "2 h 13 min");
    }
}
