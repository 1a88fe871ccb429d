//! Follows an engine at work: explanations, progress on a terminal, graphs for the report, and
//! what is known so far.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use prova_task::GraphView;
use prova_task::{Focus, Observer, Statistics, Task};

use super::look::Look;

/// Graphs that are kept: a slider has no use for more.
const MOST_GRAPHS: usize = 200;

/// Follows an engine.
pub struct Watch<'a> {
    explain: bool,
    draw: bool,
    graphs: Vec<GraphView>,
    /// Only on a terminal, never on a pipe.
    bar: Option<ProgressBar>,
    task: &'a Task,
    focus: Focus,
    /// The smallest distance to the error so far.
    nearest: Option<u32>,
    /// What is known, for whoever ends the search from outside.
    known: &'a Mutex<Statistics>,
}

impl<'a> Watch<'a> {
    /// Shows what was asked for.
    pub fn new(explain: bool, look: &Look, task: &'a Task, known: &'a Mutex<Statistics>) -> Self {
        let terminal = std::io::stderr().is_terminal() && !look.quiet && !explain;
        let bar = terminal.then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
                bar.set_style(style);
            }
            bar.set_message("running tests");
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        Watch {
            explain,
            draw: look.report.is_some(),
            graphs: Vec::new(),
            bar,
            task,
            focus: Focus::default(),
            nearest: None,
            known,
        }
    }

    /// Says what is done after the search.
    pub fn phase(&self, what: &'static str) {
        if let Some(bar) = &self.bar {
            bar.set_message(what);
        }
    }

    /// Clears the terminal; gives the graphs that were drawn.
    pub fn finish(self) -> Vec<GraphView> {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        self.graphs
    }

    /// How far the search is, in one line.
    fn line(&self, s: &Statistics) -> String {
        let focus = &self.focus;
        let mut parts = vec![format!("#{}", s.iterations)];
        if let Some(span) = focus.span {
            let files = &self.task.program.files;
            let name = files
                .get(span.file.index())
                .map_or("?", |f| f.name.as_str());
            let short = name.rsplit('/').next().unwrap_or(name);
            parts[0] += &format!(" {short}:{}", span.line);
        }
        parts.push(format!("{} tests", s.tests));
        if focus.regions > 0 {
            parts.push(format!("{} regions", focus.regions));
        }
        if let Some(bar) = &self.bar {
            let share = focus.solving.as_secs_f64() / bar.elapsed().as_secs_f64().max(0.001);
            parts.push(format!("solver {:.0}%", (100.0 * share).min(100.0)));
        }
        if let Some(nearest) = self.nearest {
            let distance = focus.distance;
            parts.push(format!("depth {}", focus.depth));
            parts.push(format!("error {distance} away, {nearest} at best"));
        }
        if focus.queries > 0 {
            parts.push(format!("{} queries deep", focus.queries));
        }
        parts.join(" · ")
    }
}

impl Observer for Watch<'_> {
    fn explain(&mut self, line: &str) {
        // Straight to standard error: a person follows it while the search goes on.
        let _ = writeln!(std::io::stderr(), "{line}");
    }

    fn explains(&self) -> bool {
        self.explain
    }

    fn focus(&mut self, focus: &Focus) {
        self.focus = *focus;
        if focus.regions > 0 {
            let nearest = self.nearest.unwrap_or(u32::MAX);
            self.nearest = Some(nearest.min(focus.distance));
        }
    }

    fn progress(&mut self, s: &Statistics) {
        if let Some(bar) = &self.bar {
            bar.set_message(self.line(s));
        }
        if let Ok(mut known) = self.known.lock() {
            known.clone_from(s);
            known.regions = self.focus.regions;
            known.solver_time = self.focus.solving;
        }
    }

    fn draws(&self) -> bool {
        self.draw
    }

    fn draw(&mut self, graph: GraphView) {
        if self.graphs.len() >= MOST_GRAPHS {
            // The last one is always the newest.
            self.graphs.pop();
        }
        self.graphs.push(graph);
    }
}
