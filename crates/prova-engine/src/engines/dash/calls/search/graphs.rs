//! The region graph that answers a question to a callee: one that is there already, or a new one.

use super::Work;
use crate::engines::dash::calls::goals::Question;
use crate::engines::dash::calls::queries::{Call, Level};
use crate::engines::dash::calls::units::{Kind, SiteId};
use crate::problem::blocks::{BlockId, Cutpoint};
use crate::problem::transitions::Exclusion;
use crate::regions::graph::Goal;
use crate::regions::graph::RegionId;
use crate::regions::graph::{GraphId, Link, Plan};
use prova_exec::transfer::Transfer;
use prova_ir::ProcId;
use prova_logic::Term;

impl Work<'_, '_> {
    pub(super) fn ask(
        &mut self,
        source: RegionId,
        block: BlockId,
        target: RegionId,
        site: SiteId,
        graph: GraphId,
        asked: &Question,
    ) {
        let ghosts = asked.ghosts_among(&self.own.abstraction.graph(graph).ghosts);
        let bind = self
            .own
            .units
            .bind(self.terms, &mut self.own.transitions, site, &ghosts);
        let procedure = self.own.abstraction.graph(graph).procedure;
        let entry = self.own.units.unit(procedure).entry;
        let link = Link {
            block,
            target,
            graph,
            bind,
        };
        let mut oracle = Exclusion {
            terms: &mut *self.terms,
            transitions: &self.own.transitions,
        };
        let abstraction = &mut self.own.abstraction;
        abstraction.ask(source, link, entry, &mut oracle);
    }

    /// The summary to try first: one with a weaker goal that already excludes what the tests do
    /// here, or the one for this very goal.
    pub(super) fn graph_for(
        &mut self,
        top: usize,
        source: RegionId,
        site: SiteId,
        asked: &Question,
    ) -> GraphId {
        let callee = self.own.units.site(site).callee;
        if self.own.dash.without_summaries {
            return self.exact_graph(site, asked);
        }
        if let Some(&known) = self.own.graphs.get(&(callee, asked.goal.clone())) {
            return known;
        }
        let weaker: Vec<GraphId> = self
            .own
            .abstraction
            .graphs()
            .filter(|&g| {
                let graph = self.own.abstraction.graph(g);
                graph.procedure == callee && graph.goal.contains(&asked.goal)
            })
            .collect();
        for graph in weaker {
            let ghosts = asked.ghosts_among(&self.own.abstraction.graph(graph).ghosts);
            let bind = self
                .own
                .units
                .bind(self.terms, &mut self.own.transitions, site, &ghosts);
            let call = Call {
                source,
                block: BlockId(0),
                target: source,
                bind,
                site,
                frame: asked.frame.clone(),
            };
            let mut level = Level::new(graph, Some(call));
            self.view()
                .add_calls(&self.own.levels[top], &mut level, None);
            let dead = |r: &RegionId| self.own.abstraction.distance(*r).is_none();
            if !level.members.is_empty() && level.states.keys().all(dead) {
                return graph;
            }
        }
        self.exact_graph(site, asked)
    }

    pub(super) fn exact_graph(&mut self, site: SiteId, asked: &Question) -> GraphId {
        let callee = self.own.units.site(site).callee;
        let key = (callee, asked.goal.clone());
        if !self.own.dash.without_summaries {
            if let Some(&known) = self.own.graphs.get(&key) {
                return known;
            }
        }
        let ghosts = asked.ghosts.iter().map(|g| g.0).collect();
        let graph = self.make_graph(callee, asked.goal.clone(), ghosts, false);
        self.own.graphs.insert(key, graph);
        graph
    }

    pub(super) fn make_graph(
        &mut self,
        procedure: ProcId,
        goal: Goal,
        ghosts: Vec<Term>,
        main: bool,
    ) -> GraphId {
        let unit = self.own.units.unit(procedure);
        let mut steps: Vec<(Cutpoint, BlockId, Cutpoint)> = Vec::new();
        if main {
            steps.push((Cutpoint::START, self.own.units.start, unit.entry));
        }
        for step in &unit.steps {
            if goal == Goal::Error || !matches!(step.kind, Kind::Fail(_)) {
                steps.push((step.source, step.block, step.target));
            }
        }
        let mut goals: &[Cutpoint] = &[];
        let mut goal_block = None;
        match &goal {
            Goal::Error => goals = &unit.blocks.errors,
            Goal::Exit(facts) => {
                if let Some(exit) = unit.exit {
                    let block = self.own.transitions.push(
                        self.terms,
                        Transfer {
                            guard: facts.clone(),
                            assumed: facts.clone(),
                            ..Transfer::default()
                        },
                    );
                    steps.push((exit, block, unit.goal));
                    goal_block = Some(block);
                }
            }
        }
        self.own.statistics.count("graphs", 1);
        let known = (0..unit.blocks.locations.len())
            .map(|i| self.plainly_known((procedure, Cutpoint(i as u32))))
            .collect();
        self.own.abstraction.add(Plan {
            known,
            procedure,
            goal,
            ghosts,
            cutpoints: unit.blocks.locations.len() + 1,
            apart: true,
            goals,
            goal_block,
            steps,
        })
    }
}
