//! The region graph of the query that is worked on, as an observer sees it.

use super::search::{Choice, Work};
use crate::problem::blocks::Cutpoint;
use crate::regions::graph::RegionId;
use prova_task::{GraphView, RegionView};
use rustc_hash::FxHashMap;

/// Larger graphs are not looked at.
const MOST_REGIONS: usize = 400;

impl Work<'_, '_> {
    /// Shows the graph of the innermost query and its frontier to an observer that wants it.
    pub(super) fn draw(&mut self) {
        if !self.observer.draws() {
            return;
        }
        let top = self.own.levels.len() - 1;
        let level = &self.own.levels[top];
        let graph = self.own.abstraction.graph(level.graph);
        let unit = self.own.units.unit(graph.procedure);
        let first = match level.call {
            None => Cutpoint::START,
            Some(_) => unit.entry,
        };
        let mut cutpoints: Vec<Cutpoint> = (0..unit.blocks.locations.len())
            .map(|i| Cutpoint(i as u32))
            .filter(|&c| c != first && c != Cutpoint::START)
            .collect();
        cutpoints.insert(0, first);
        if !cutpoints.contains(&unit.goal) {
            cutpoints.push(unit.goal);
        }
        let alive: Vec<RegionId> = cutpoints
            .iter()
            .flat_map(|&c| self.own.abstraction.regions_at(level.graph, c))
            .collect();
        if alive.len() > MOST_REGIONS {
            return;
        }
        let names = self.names();
        let positions: FxHashMap<RegionId, u32> = alive.iter().copied().zip(0..).collect();
        let mut regions = Vec::new();
        let mut edges = Vec::new();
        for id in &alive {
            let region = self.own.abstraction.region(*id);
            regions.push(RegionView {
                span: self.span_of(level.graph, region.cutpoint),
                facts: names.facts(&region.facts),
                states: level.states.get(id).map_or(0, Vec::len),
                error: region.cutpoint == unit.goal,
            });
            let targets = region.outgoing.iter().map(|e| e.target);
            let known = targets.filter_map(|t| positions.get(&t));
            edges.extend(known.map(|&t| (positions[id], t)));
        }
        edges.sort_unstable();
        edges.dedup();
        let frontier = match self.choose(top) {
            Choice::Local(region, edge) | Choice::Call(region, edge) => Some((region, edge.target)),
            _ => None,
        };
        let procedure = self.encoding.prepared.program.procedure(graph.procedure);
        let view = GraphView {
            title: procedure.c_name.clone(),
            iteration: self.own.statistics.iterations,
            regions,
            edges,
            frontier: frontier.and_then(|(a, b)| Some((*positions.get(&a)?, *positions.get(&b)?))),
        };
        self.observer.draw(view);
    }
}
