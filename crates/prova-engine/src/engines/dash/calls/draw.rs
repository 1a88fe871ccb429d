//! The graph of the innermost query, for an observer that wants to see it.

use super::search::{Choice, Work};
use crate::problem::blocks::Cutpoint;
use crate::regions::draw::Picture;

impl Work<'_, '_> {
    /// Shows the graph of the innermost query and its frontier.
    pub(super) fn draw(&mut self) {
        if !self.observer.draws() {
            return;
        }
        let top = self.own.levels.len() - 1;
        let level = &self.own.levels[top];
        let procedure = self.own.abstraction.graph(level.graph).procedure;
        let unit = self.own.units.unit(procedure);
        let first = match level.call {
            None => Cutpoint::START,
            Some(_) => unit.entry,
        };
        let others = unit.blocks.cutpoints();
        let others = others.filter(|&c| c != first && c != Cutpoint::START && c != unit.goal);
        let view = Picture {
            title: self.own.program().procedure(procedure).c_name.clone(),
            iteration: self.own.statistics.iterations,
            regions: &self.own.abstraction,
            graph: level.graph,
            cutpoints: [first]
                .into_iter()
                .chain(others)
                .chain([unit.goal])
                .collect(),
            frontier: match self.choose(top) {
                Choice::Local(region, edge) | Choice::Call(region, edge) => {
                    Some((region, edge.target))
                }
                _ => None,
            },
            names: self.names(),
        }
        .view(
            |cutpoint| self.span_of(level.graph, cutpoint),
            |region| level.states_in(region).len(),
            |cutpoint| cutpoint == unit.goal,
        );
        if let Some(view) = view {
            self.observer.draw(view);
        }
    }
}
