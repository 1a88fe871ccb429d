//! Follows an engine at work: explanations, progress on a terminal, graphs for the report.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use prova_engine::outcome::GraphView;
use prova_engine::{Observer, Statistics};

use super::look::Look;

/// Graphs that are kept: a slider has no use for more.
const MOST_GRAPHS: usize = 200;

/// Follows an engine.
pub struct Watch {
    explain: bool,
    draw: bool,
    graphs: Vec<GraphView>,
    /// Only on a terminal, never on a pipe.
    bar: Option<ProgressBar>,
}

impl Watch {
    /// Shows what was asked for.
    pub fn new(explain: bool, look: &Look) -> Self {
        let terminal = std::io::stderr().is_terminal() && !look.quiet && !explain;
        let bar = terminal.then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        Watch {
            explain,
            draw: look.report.is_some(),
            graphs: Vec::new(),
            bar,
        }
    }

    /// Clears the terminal; gives the graphs that were drawn.
    pub fn finish(self) -> Vec<GraphView> {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        self.graphs
    }
}

impl Observer for Watch {
    fn explain(&mut self, line: &str) {
        // Straight to standard error: a person follows it while the search goes on.
        let _ = writeln!(std::io::stderr(), "{line}");
    }

    fn explains(&self) -> bool {
        self.explain
    }

    fn progress(&mut self, s: &Statistics) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!(
                "iteration {}, {} tests, {} splits, {} states",
                s.iterations, s.tests, s.splits, s.forest_states
            ));
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
