//! A region graph as an observer sees it.

use super::graph::{GraphId, RegionId, Regions};
use crate::problem::blocks::Cutpoint;
use crate::problem::names::Names;
use prova_ir::Span;
use prova_task::{GraphView, RegionView};
use rustc_hash::FxHashMap;

/// Larger graphs are not looked at.
const MOST_REGIONS: usize = 400;

/// What is drawn.
pub struct Picture<'a> {
    /// The procedure it is about; empty if there is one only.
    pub title: String,
    /// The iteration that begins.
    pub iteration: u64,
    /// All regions.
    pub regions: &'a Regions,
    /// The graph.
    pub graph: GraphId,
    /// Its cutpoints, the start first.
    pub cutpoints: Vec<Cutpoint>,
    /// The step that is asked about.
    pub frontier: Option<(RegionId, RegionId)>,
    /// Words for terms.
    pub names: Names<'a>,
}

impl Picture<'_> {
    /// The graph, unless it is too large. `place` tells where cutpoints are, `states` how many
    /// states of tests a region holds, `goal` what must not be reached.
    pub fn view(
        &self,
        place: impl Fn(Cutpoint) -> Option<Span>,
        states: impl Fn(RegionId) -> usize,
        goal: impl Fn(Cutpoint) -> bool,
    ) -> Option<GraphView> {
        let cutpoints = self.cutpoints.iter();
        let alive: Vec<RegionId> = cutpoints
            .flat_map(|&c| self.regions.regions_at(self.graph, c))
            .collect();
        if alive.len() > MOST_REGIONS {
            return None;
        }
        let positions: FxHashMap<RegionId, u32> = alive.iter().copied().zip(0..).collect();
        let mut regions = Vec::new();
        let mut edges = Vec::new();
        for id in &alive {
            let region = self.regions.region(*id);
            regions.push(RegionView {
                span: place(region.cutpoint),
                facts: self.names.facts(&region.facts),
                states: states(*id),
                error: goal(region.cutpoint),
            });
            let targets = region.outgoing.iter().map(|e| e.target);
            let known = targets.filter_map(|t| positions.get(&t));
            edges.extend(known.map(|&t| (positions[id], t)));
        }
        edges.sort_unstable();
        edges.dedup();
        let position = |id| positions.get(&id).copied();
        Some(GraphView {
            title: self.title.clone(),
            iteration: self.iteration,
            regions,
            edges,
            frontier: self
                .frontier
                .and_then(|(a, b)| Some((position(a)?, position(b)?))),
        })
    }
}
