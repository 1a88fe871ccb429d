//! The region graph as an observer sees it.

use super::Work;
use crate::problem::blocks::Cutpoint;
use crate::regions::graph::RegionId;
use prova_task::{GraphView, RegionView};
use rustc_hash::FxHashMap;

/// Larger graphs are not looked at.
const MOST_REGIONS: usize = 400;

impl Work<'_, '_> {
    /// Shows the graph and its frontier to an observer that wants to see it.
    pub(super) fn draw(&mut self, frontier: Option<(RegionId, RegionId)>) {
        if !self.observer.draws() || self.own.graph.len() > MOST_REGIONS {
            return;
        }
        let names = self.names();
        let mut cutpoints: Vec<Cutpoint> = (0..self.steps.blocks.locations.len())
            .map(|i| Cutpoint(i as u32))
            .collect();
        cutpoints.sort_by_key(|&c| self.span_of(c).is_some());
        let alive: Vec<RegionId> = cutpoints
            .iter()
            .flat_map(|&c| self.own.graph.regions_at(c))
            .collect();
        let positions: FxHashMap<RegionId, u32> = alive.iter().copied().zip(0..).collect();
        let mut regions = Vec::new();
        let mut edges = Vec::new();
        for id in &alive {
            let region = self.own.graph.region(*id);
            regions.push(RegionView {
                span: self.span_of(region.cutpoint),
                facts: names.facts(&region.facts),
                states: region.states.len(),
                error: self.steps.blocks.errors.contains(&region.cutpoint),
            });
            let targets = region.outgoing.iter().map(|e| e.target);
            let known = targets.filter_map(|t| positions.get(&t));
            edges.extend(known.map(|&t| (positions[id], t)));
        }
        edges.sort_unstable();
        edges.dedup();
        let view = GraphView {
            title: String::new(),
            iteration: self.own.statistics.iterations,
            regions,
            edges,
            frontier: frontier.and_then(|(a, b)| Some((*positions.get(&a)?, *positions.get(&b)?))),
        };
        self.observer.draw(view);
    }
}
