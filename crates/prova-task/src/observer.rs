//! What an engine tells while it works, and to whom.

use crate::effort::Focus;
use crate::statistics::Statistics;
use prova_ir::Span;

/// What happens while an engine works.
pub trait Observer {
    /// One line a person can follow; called only if [`Observer::explains`].
    fn explain(&mut self, line: &str);

    /// Whether explanations are wanted.
    fn explains(&self) -> bool {
        false
    }

    /// How far it is; called once per iteration.
    fn progress(&mut self, _: &Statistics) {}

    /// Where it is; called once per iteration, before [`Observer::progress`].
    fn focus(&mut self, _: &Focus) {}

    /// Whether region graphs are wanted.
    fn draws(&self) -> bool {
        false
    }

    /// The region graph before an iteration; called only if [`Observer::draws`].
    fn draw(&mut self, _: GraphView) {}
}

/// A region graph for people to look at.
#[derive(Clone, Debug)]
pub struct GraphView {
    /// The procedure it is about; empty if there is one only.
    pub title: String,
    /// The iteration that begins.
    pub iteration: u64,
    /// Regions; the first is the start.
    pub regions: Vec<RegionView>,
    /// Steps, as positions of regions.
    pub edges: Vec<(u32, u32)>,
    /// The step that is asked about.
    pub frontier: Option<(u32, u32)>,
}

/// A region for people to look at.
#[derive(Clone, Debug)]
pub struct RegionView {
    /// Its place in the source; `None` for the start.
    pub span: Option<Span>,
    /// What holds in it.
    pub facts: String,
    /// States of tests in it.
    pub states: usize,
    /// Whether it is an error.
    pub error: bool,
}

/// An observer that looks away.
pub struct Silent;

impl Observer for Silent {
    fn explain(&mut self, _: &str) {}
}
