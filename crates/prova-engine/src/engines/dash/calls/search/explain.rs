//! What a search by procedures tells people as it goes.

use super::Work;
use crate::problem::blocks::Cutpoint;
use crate::problem::names::Names;
use crate::regions::graph::Goal;
use crate::regions::graph::RegionId;
use crate::regions::graph::{Edge, GraphId};
use prova_logic::Term;

impl Work<'_, '_> {
    pub(in crate::engines::dash::calls) fn tell(&mut self, what: &str) {
        self.tell_at(self.own.levels.len() - 1, what);
    }

    fn tell_at(&mut self, level: usize, what: &str) {
        let indent = "  ".repeat(level);
        let line = format!("{:>5}  {indent}{what}", self.own.statistics.iterations);
        self.observer.explain(&line);
    }

    pub(in crate::engines::dash::calls) fn names(&self) -> Names<'_> {
        Names {
            prepared: &self.encoding.prepared,
            terms: &*self.terms,
        }
    }

    /// A query of some level is worked on for the first time.
    pub(in crate::engines::dash::calls) fn tell_query(&mut self, level: usize) {
        let line = self.query_text(self.own.levels[level].graph);
        self.tell_at(level, &line);
    }

    fn query_text(&self, graph: GraphId) -> String {
        let graph = self.own.abstraction.graph(graph);
        let name = &self
            .encoding
            .prepared
            .program
            .procedure(graph.procedure)
            .c_name;
        match &graph.goal {
            Goal::Error => format!("query: can `{name}` end in an error?"),
            Goal::Exit(facts) if facts.is_empty() => format!("query: can `{name}` return?"),
            Goal::Exit(facts) => {
                format!(
                    "query: can `{name}` return with {}?",
                    self.names().facts(facts)
                )
            }
        }
    }

    pub(in crate::engines::dash::calls) fn edge_text(
        &self,
        region: RegionId,
        edge: &Edge,
    ) -> String {
        let names = self.names();
        let text = |id: RegionId| {
            let region = self.own.abstraction.region(id);
            let place = match self.span_of(region.graph, region.cutpoint) {
                Some(span) => names.place(span),
                None if region.cutpoint == Cutpoint::START => "start".to_string(),
                None => "goal".to_string(),
            };
            format!("{place} {}", names.facts(&region.facts))
        };
        match edge.entry {
            None => format!("{} -> {}", text(region), text(edge.target)),
            Some(entry) => format!("{} -> into {}", text(region), text(entry.region)),
        }
    }

    pub(in crate::engines::dash::calls) fn predicate_text(&self, t: Term) -> String {
        self.names().predicate(t)
    }
}
