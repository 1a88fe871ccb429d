//! A decorator that writes every query as a file any solver can replay.

use super::{Answer, Limit, Solver, SolverError, Statistics};
use crate::print::Script;
use crate::term::Term;
use crate::terms::Terms;
use crate::value::Model;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Passes everything on to another solver and writes `query-000001.smt2`, … into a directory:
/// declarations, assertions, the assumptions asserted like the rest, and the answer as status.
pub struct LoggingSolver<S> {
    inner: S,
    directory: PathBuf,
    assertions: Vec<Vec<Term>>,
    written: u64,
    error: Option<SolverError>,
}

impl<S: Solver> LoggingSolver<S> {
    /// Logs into the directory, which is made if need be.
    pub fn new(inner: S, directory: &Path) -> Result<LoggingSolver<S>, SolverError> {
        std::fs::create_dir_all(directory).map_err(|e| log_error(directory, &e))?;
        let directory = directory.to_path_buf();
        Ok(LoggingSolver {
            inner,
            directory,
            assertions: vec![vec![]],
            written: 0,
            error: None,
        })
    }

    /// The first failure to write a file, if there was one. Answers do not depend on it.
    pub fn error(&self) -> Option<&SolverError> {
        self.error.as_ref()
    }

    fn write(&mut self, terms: &Terms, assumptions: &[Term], answer: &Answer) {
        let status = match answer {
            Answer::Sat => "sat".to_string(),
            Answer::Unsat => "unsat".to_string(),
            Answer::Unknown(reason) => format!("unknown\n; because: {reason}").replace("\r", " "),
        };
        let mut text = format!("; solver: {}\n; answer: {status}\n", self.inner.name());
        text.push_str("(set-logic ALL)\n");
        let status = match answer {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        let _ = writeln!(text, "(set-info :status {status})");
        let mut script = Script::new();
        for &assertion in self.assertions.iter().flatten() {
            script.assert(terms, assertion, &mut text);
        }
        if !assumptions.is_empty() {
            text.push_str("; assumptions:\n");
        }
        for &assumption in assumptions {
            script.assert(terms, assumption, &mut text);
        }
        text.push_str("(check-sat)\n");
        self.written += 1;
        // Several solvers may log into one directory: the next free number is taken.
        let outcome = loop {
            let path = self
                .directory
                .join(format!("query-{:06}.smt2", self.written));
            match std::fs::OpenOptions::new()
                .write(true)
                .create_new(true)
                .open(&path)
            {
                Ok(mut file) => break std::io::Write::write_all(&mut file, text.as_bytes()),
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => self.written += 1,
                Err(e) => break Err(e),
            }
        };
        if let Err(error) = outcome {
            self.error.get_or_insert(log_error(&self.directory, &error));
        }
    }
}

fn log_error(directory: &Path, error: &std::io::Error) -> SolverError {
    SolverError::Log {
        directory: directory.display().to_string(),
        reason: error.to_string(),
    }
}

impl<S: Solver> Solver for LoggingSolver<S> {
    fn push(&mut self) {
        self.assertions.push(Vec::new());
        self.inner.push();
    }

    fn pop(&mut self, n: usize) {
        let open = self.assertions.len();
        self.assertions.truncate(open.saturating_sub(n).max(1));
        self.inner.pop(n);
    }

    fn assert(&mut self, terms: &Terms, t: Term) {
        if let Some(scope) = self.assertions.last_mut() {
            scope.push(t);
        }
        self.inner.assert(terms, t);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        let answer = self.inner.check(terms, assumptions);
        self.write(terms, assumptions, &answer);
        answer
    }

    fn model(&mut self, terms: &Terms, variables: &[Term]) -> Result<Model, SolverError> {
        self.inner.model(terms, variables)
    }

    fn core(&mut self) -> Vec<Term> {
        self.inner.core()
    }

    fn set_minimal_cores(&mut self, minimal: bool) {
        self.inner.set_minimal_cores(minimal);
    }

    fn set_limit(&mut self, limit: Limit) {
        self.inner.set_limit(limit);
    }

    fn statistics(&self) -> Statistics {
        self.inner.statistics()
    }

    fn reset(&mut self) {
        self.assertions = vec![Vec::new()];
        self.inner.reset();
    }

    fn name(&self) -> String {
        self.inner.name()
    }
}
