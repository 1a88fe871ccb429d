//! Lines and branches that tests reach, of the program's own files. A branch is one way out of a
//! condition; conditions that were put together (`&&`) count one by one.

use crate::recording::is_model;
use prova_exec::Run;
use prova_ir::{EdgeId, ProcId, Program, Statement};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Edges that a run took, at any time.
#[derive(Clone, Debug, Default)]
pub struct Reached(BTreeSet<(ProcId, EdgeId)>);

impl Reached {
    /// What a run took.
    pub fn of(run: &Run) -> Reached {
        let taken = run.path().filter_map(|(_, p)| Some((p.proc, p.edge?)));
        Reached(taken.collect())
    }

    /// Adds what another took.
    pub fn add(&mut self, other: &Reached) {
        self.0.extend(&other.0);
    }

    /// How much it has that the other has not.
    pub fn new_beside(&self, other: &Reached) -> usize {
        self.0.difference(&other.0).count()
    }
}

/// What tests reach.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Lines by file and number, and whether they were reached.
    pub lines: BTreeMap<(u32, u32), bool>,
    /// Branches by file, line and number, and whether they were taken.
    pub branches: BTreeMap<(u32, u32, u32), bool>,
}

impl Coverage {
    /// What of a program was reached.
    pub fn of(program: &Program, reached: &Reached) -> Coverage {
        let mut coverage = Coverage::default();
        for (p, procedure) in program.procedures.iter().enumerate() {
            let Some(body) = &procedure.body else {
                continue;
            };
            if procedure.c_name.is_empty() || is_model(program, procedure.span) {
                continue;
            }
            let outgoing = body.outgoing();
            for (i, edge) in body.edges.iter().enumerate() {
                let taken = reached.0.contains(&(ProcId::new(p), EdgeId::new(i)));
                let (file, line) = (edge.span.file.0, edge.span.line);
                if !edge.span.is_known() {
                    continue;
                }
                *coverage.lines.entry((file, line)).or_insert(false) |= taken;
                let condition = matches!(edge.statement, Statement::Assume(_))
                    && outgoing[edge.source.index()].len() > 1;
                if condition {
                    let on_line = coverage
                        .branches
                        .range((file, line, 0)..=(file, line, u32::MAX));
                    let number = on_line.count() as u32;
                    coverage.branches.insert((file, line, number), taken);
                }
            }
        }
        coverage
    }

    /// Lines reached, and lines there are.
    pub fn line_counts(&self) -> (usize, usize) {
        (
            self.lines.values().filter(|r| **r).count(),
            self.lines.len(),
        )
    }

    /// Branches taken, and branches there are.
    pub fn branch_counts(&self) -> (usize, usize) {
        let taken = self.branches.values().filter(|r| **r).count();
        (taken, self.branches.len())
    }

    /// In one line: `lines 12 of 15 (80.0 %), branches 7 of 10 (70.0 %)`.
    pub fn summary(&self) -> String {
        let part = |what: &str, (reached, all): (usize, usize)| {
            let percent = 100.0 * reached as f64 / all.max(1) as f64;
            format!("{what} {reached} of {all} ({percent:.1} %)")
        };
        format!(
            "{}, {}",
            part("lines", self.line_counts()),
            part("branches", self.branch_counts())
        )
    }

    /// The summary, and what was not reached.
    pub fn text(&self, program: &Program) -> String {
        let mut text = format!("{}\n", self.summary());
        let name = |file: u32| {
            let file = program.files.get(file as usize);
            file.map_or("?", |f| f.name.as_str())
        };
        for (&(file, line), _) in self.lines.iter().filter(|(_, r)| !**r) {
            let _ = writeln!(text, "line not reached: {}:{line}", name(file));
        }
        let mut open: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        for (&(file, line, _), _) in self.branches.iter().filter(|(_, r)| !**r) {
            *open.entry((file, line)).or_default() += 1;
        }
        for ((file, line), count) in open {
            let _ = writeln!(text, "branches not taken: {count} at {}:{line}", name(file));
        }
        text
    }
}
