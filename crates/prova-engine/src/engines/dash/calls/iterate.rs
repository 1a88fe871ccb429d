//! One iteration: a question at the frontier of a query, and what its answer changes.

use super::queries::{prefix, Level, Placed};
use super::search::{Next, Work};
use crate::engine::Progress;
use crate::engines::dash::extend::{extend, Extension, Prefix, Refinement, Verdicts};
use crate::engines::dash::{QUERY_RESOURCE, SOLVER_LIFE, WITNESSES};
use crate::problem::blocks::BlockId;
use crate::problem::transitions::Exclusion;
use crate::proof::conclude::violated;
use crate::proof::recheck::step_possible;
use crate::regions::graph::RegionId;
use crate::regions::graph::{Cut, Dropped, Edge};
use crate::testing::forest::spread;
use crate::testing::forest::Crossing;
use prova_logic::{new_solver, Limit, Substitution, Term};

/// A step that is asked about.
struct Asked<'s> {
    /// The level whose states it starts from.
    level: usize,
    source: RegionId,
    edge: &'s Edge,
    /// The block that is taken: the step's own, or the call's binding.
    block: BlockId,
    /// Where it leads.
    target: RegionId,
    /// What must hold before it, besides.
    also: &'s [Term],
    /// What kind of step it is.
    way: Way,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// A step of the procedure.
    Step,
    /// Into a callee.
    Into,
    /// Past a call, by its contract. A test that this suggests need not get there.
    Past,
}

impl Asked<'_> {
    /// What goes away if nobody makes the step.
    fn dropped(&self) -> Dropped {
        match self.way {
            Way::Past => Dropped::Step(self.edge.block, self.edge.target),
            Way::Step | Way::Into => Dropped::Edge(*self.edge),
        }
    }
}

impl<'p> Work<'_, 'p> {
    /// Asks about a step of the level's own procedure.
    pub(super) fn cross(&mut self, top: usize, source: RegionId, edge: Edge) -> Next {
        self.note_work(top);
        self.put(&Asked {
            level: top,
            source,
            edge: &edge,
            block: edge.block,
            target: edge.target,
            also: &[],
            way: Way::Step,
        })
    }

    /// Asks whether a callee's contract allows the way past a call.
    pub(super) fn pass(&mut self, top: usize, source: RegionId, edge: Edge) -> Next {
        self.note_work(top);
        self.own.tried.insert((source, edge.block, edge.target));
        self.put(&Asked {
            level: top,
            source,
            edge: &edge,
            block: edge.block,
            target: edge.target,
            also: &[],
            way: Way::Past,
        })
    }

    /// Asks whether the call of the level at `top` can enter another region of the callee.
    pub(super) fn enter(&mut self, top: usize, edge: Edge) -> Next {
        let call = self.own.levels[top]
            .call
            .clone()
            .expect("it is about a call");
        let entry = edge.entry.expect("it enters the callee");
        self.note_work(top - 1);
        self.put(&Asked {
            level: top - 1,
            source: call.source,
            edge: &edge,
            block: entry.bind,
            target: entry.region,
            also: &call.frame,
            way: Way::Into,
        })
    }

    fn note_work(&mut self, top: usize) {
        self.own.statistics.iterations += 1;
        for level in &mut self.own.levels {
            level.spent += 1;
        }
        for at in 1..=top {
            if !std::mem::replace(&mut self.own.levels[at].worked, true) {
                self.own.statistics.count("queries", 1);
                if self.observer.explains() {
                    self.tell_query(at);
                }
            }
        }
    }

    fn put(&mut self, asked: &Asked) -> Next {
        let source_facts = self.own.abstraction.region(asked.source).holds.clone();
        let target_facts = self.own.abstraction.region(asked.target).facts.clone();
        let states = self.own.levels[asked.level]
            .states_in(asked.source)
            .to_vec();
        let state = self.nearest_state(asked, &states, &target_facts);
        if self.own.statistics.iterations.is_multiple_of(SOLVER_LIFE) {
            self.own.solver.reset();
        }
        self.own.solver.set_limit(Limit {
            resource: Some(QUERY_RESOURCE),
            time: self.budget.for_a_question(),
        });
        let before = self.own.solver.statistics();
        let keep = self.belonging(asked);
        let witnesses = spread(&states, WITNESSES);
        let (forest, levels) = (&mut self.known.forest, &mut self.own.levels);
        let (units, abstraction) = (&self.own.units, &self.own.abstraction);
        let graph = levels[asked.level].graph;
        let ghosts = &abstraction.graph(graph).ghosts;
        // Path and evaluation both want the forest; they take turns.
        let shared = std::cell::RefCell::new((forest, levels));
        let extension = extend(
            self.encoding,
            self.terms,
            &self.own.transitions,
            &mut *self.own.solver,
            &source_facts,
            asked.block,
            &target_facts,
            asked.also,
            |terms, variables| match state {
                Some(placed) => {
                    let (forest, levels) = &mut *shared.borrow_mut();
                    let at = asked.level;
                    prefix(
                        levels,
                        at,
                        forest,
                        terms,
                        units,
                        abstraction,
                        placed,
                        variables,
                    )
                }
                None => Ok(Prefix::new(
                    terms,
                    Substitution::new(),
                    Vec::new(),
                    Vec::new(),
                )),
            },
            |terms, t| {
                let (forest, levels) = &*shared.borrow();
                let level: &Level = &levels[asked.level];
                let holds = |placed: &Placed| {
                    let member = &level.members[placed.member as usize];
                    let value = forest.evaluate_with(terms, placed.state, t, |v| {
                        let at = ghosts.iter().position(|&g| g == v)?;
                        member.ghosts.get(at).cloned()
                    });
                    value.as_bool() == Some(true)
                };
                Verdicts {
                    at_frontier: state.as_ref().is_some_and(holds),
                    all: witnesses.iter().map(holds).collect(),
                }
            },
            &keep,
            true,
        );
        let extension = match extension {
            Ok(extension) => extension,
            Err(unknown) => return Next::Done(Progress::Exhausted(unknown)),
        };
        self.own.statistics.solver_calls += self.own.solver.statistics().queries - before.queries;
        self.own.statistics.solver_time += self.own.solver.statistics().time - before.time;
        match extension {
            Extension::Test { model, query } => {
                let (inputs, edges) = if asked.way != Way::Step {
                    (Vec::new(), Vec::new())
                } else {
                    let step = self.own.units.step(asked.block);
                    (
                        self.own
                            .transitions
                            .get(asked.block)
                            .transfer
                            .inputs
                            .clone(),
                        step.map(|s| s.edges.clone()).unwrap_or_default(),
                    )
                };
                let crossing = Crossing {
                    model: &model,
                    query: &query,
                    edges: &edges,
                    inputs: &inputs,
                };
                let made = self.known.forest.test_from_model(
                    &*self.terms,
                    state.map(|p| p.state),
                    &crossing,
                );
                match made {
                    Ok(test) => {
                        let number = self.add_test(test);
                        if self.observer.explains() {
                            let story = self.known.forest.story(number);
                            self.explain(asked, &format!("test {story}"));
                        }
                        if let Some(outcome) = violated(&self.known.forest) {
                            return Next::Done(outcome);
                        }
                        let level = asked.level + usize::from(asked.way == Way::Into);
                        if asked.way != Way::Past && !self.own.levels[level].visits(asked.target) {
                            let reason = self.known.forest.why_not(number);
                            self.give_up(asked.level, asked.source, asked.edge, reason);
                        }
                    }
                    Err(_) if asked.way == Way::Past => {}
                    Err(reason) => {
                        self.give_up(asked.level, asked.source, asked.edge, reason);
                    }
                }
            }
            Extension::Impossible => {
                self.debug_check(&source_facts, asked, &target_facts);
                self.own.abstraction.remove(asked.source, asked.dropped());
                self.own.statistics.count("removed_edges", 1);
                if self.observer.explains() {
                    self.explain(
                        asked,
                        "impossible from the whole region: the step is removed",
                    );
                }
            }
            Extension::Split(refinement) => self.split(asked, state, refinement, &target_facts),
            Extension::Undecided(_) if asked.way == Way::Past => {}
            Extension::Undecided(reason) => {
                self.give_up(asked.level, asked.source, asked.edge, reason);
            }
        }
        Next::Go
    }

    fn split(
        &mut self,
        asked: &Asked,
        state: Option<Placed>,
        refinement: Refinement,
        target_facts: &[Term],
    ) {
        let Some(state) = state else {
            let reason = "the start cannot be split".into();
            self.give_up(asked.level, asked.source, asked.edge, reason);
            return;
        };
        let own = self
            .view()
            .holds(&self.own.levels[asked.level], state, refinement.predicate);
        if own {
            if asked.way == Way::Past {
                return;
            }
            let reason = "the refinement does not exclude the test's own state".into();
            self.give_up(asked.level, asked.source, asked.edge, reason);
            return;
        }
        let mut facts = self.own.abstraction.region(asked.source).holds.clone();
        facts.extend_from_slice(&refinement.no);
        self.debug_check(&facts, asked, target_facts);
        let size = self.terms.size(refinement.predicate) as u64;
        self.own.statistics.splits += 1;
        self.own.statistics.count("predicate_nodes", size);
        self.own.statistics.at_least("largest_predicate", size);
        if self.observer.explains() {
            let text = self.predicate_text(refinement.predicate);
            self.explain(asked, &format!("no test can: split by {text}"));
        }
        let graph = self.own.abstraction.region(asked.source).graph;
        let mut oracle = Exclusion {
            terms: &mut *self.terms,
            transitions: &self.own.transitions,
        };
        let cut = Cut {
            predicate: refinement.predicate,
            yes: &refinement.yes,
            no: &refinement.no,
            dropped: Some(asked.dropped()),
        };
        let abstraction = &mut self.own.abstraction;
        let halves = abstraction.split(asked.source, &cut, |_| true, &mut oracle);
        let mut levels = std::mem::take(&mut self.own.levels);
        let view = self.view();
        for level in levels.iter_mut().filter(|l| l.graph == graph) {
            view.divide(
                level,
                asked.source,
                refinement.predicate,
                halves.yes,
                halves.no,
            );
        }
        self.own.levels = levels;
        let place = {
            let region = self.own.abstraction.region(halves.yes);
            (self.own.abstraction.graph(graph).procedure, region.cutpoint)
        };
        let span = self.span_of(graph, place.1);
        self.own.splits.add(span, refinement.predicate);
        let count = self.own.split_counts.entry(place).or_default();
        *count += 1;
        if *count >= self.own.patience && self.own.dash.sources.tests {
            self.learn();
        }
    }

    /// The state that lacks least of what the step needs; the first among equals.
    fn nearest_state(
        &mut self,
        asked: &Asked,
        states: &[Placed],
        target_facts: &[Term],
    ) -> Option<Placed> {
        if states.len() < 2 {
            return states.first().copied();
        }
        let mut needed = self
            .own
            .transitions
            .conjuncts(self.terms, asked.block, target_facts);
        needed.extend_from_slice(asked.also);
        let inputs = &self.own.transitions.get(asked.block).transfer.inputs;
        let terms = &*self.terms;
        let decided: Vec<Term> = needed
            .into_iter()
            .filter(|&t| !inputs.iter().any(|i| terms.mentions(t, i.var)))
            .collect();
        let view = self.view();
        let level = &self.own.levels[asked.level];
        let missing = |p: Placed| {
            decided
                .iter()
                .filter(|&&t| !view.holds(level, p, t))
                .count()
        };
        spread(states, WITNESSES)
            .into_iter()
            .min_by_key(|&p| missing(p))
    }

    /// Conjuncts that belong into a split predicate beside the core: see `dash/choose.rs`.
    fn belonging(&mut self, asked: &Asked) -> Vec<Term> {
        let cube = self.own.abstraction.region(asked.target).cube.clone();
        let mut keep: Vec<Term> = Vec::new();
        for &fact in &cube {
            keep.push(self.own.transitions.preimage(self.terms, asked.block, fact));
        }
        if asked.way == Way::Past {
            return keep;
        }
        if asked.way == Way::Into {
            let behind = &self.own.abstraction.region(asked.edge.target).cube;
            keep.extend(asked.also.iter().filter(|f| behind.contains(f)));
            return keep;
        }
        let region = self.own.abstraction.region(asked.source);
        let (here, there) = (
            region.cutpoint,
            self.own.abstraction.region(asked.target).cutpoint,
        );
        let procedure = self.own.abstraction.graph(region.graph).procedure;
        let unit = self.own.units.unit(procedure);
        let component =
            |c: crate::problem::blocks::Cutpoint| unit.component.get(c.index()).copied();
        let beside_error = unit
            .steps_from(here)
            .any(|s| s.block != asked.block && unit.blocks.errors.contains(&s.target));
        if beside_error {
            return keep;
        }
        let leaves_loop = component(here) != component(there);
        let siblings: Vec<Edge> = region
            .outgoing
            .iter()
            .copied()
            .filter(|e| e.block != asked.block)
            .collect();
        for sibling in siblings {
            let target = self.own.abstraction.region(sibling.target);
            let stays = component(target.cutpoint) == component(here);
            if leaves_loop && stays || sibling.target == asked.target {
                return keep;
            }
            if self.own.abstraction.distance(sibling.target).is_some() && !target.cube.is_empty() {
                let other = target.cube.clone();
                if other.iter().all(|&f| {
                    let preimage = self.own.transitions.preimage(self.terms, sibling.block, f);
                    keep.contains(&preimage)
                }) {
                    return keep;
                }
            }
        }
        let facts = &self.own.abstraction.region(asked.source).holds;
        let guard = &self.own.transitions.get(asked.block).transfer.assumed;
        let repeated = &self.own.units.unit(procedure).repeated;
        let wanted = |g: &&Term| facts.binary_search(g).is_err() && repeated.contains(g);
        keep.extend(guard.iter().filter(wanted));
        keep
    }

    fn debug_check(&mut self, facts: &[Term], asked: &Asked, target: &[Term]) {
        if !cfg!(debug_assertions) {
            return;
        }
        let checker = self
            .own
            .checker
            .get_or_insert_with(|| new_solver(&self.own.dash.solver).expect("it was made before"));
        checker.set_limit(Limit {
            resource: Some(QUERY_RESOURCE / 40),
            time: self.budget.for_a_question(),
        });
        let mut facts = facts.to_vec();
        facts.extend_from_slice(asked.also);
        let answer = step_possible(
            self.encoding,
            self.terms,
            &self.own.transitions,
            &mut **checker,
            &facts,
            asked.block,
            &[target.to_vec()],
        );
        assert!(
            answer != prova_logic::Answer::Sat,
            "Definition 1 (2): a transition is left from the half without the predicate"
        );
    }

    fn explain(&mut self, asked: &Asked, what: &str) {
        let frontier = self.edge_text(asked.source, asked.edge);
        self.tell(&format!("{frontier}: {what}"));
    }
}
