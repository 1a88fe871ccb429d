//! The proof checked again, procedure by procedure: no verdict *proved* without this.
//!
//! The claim: a set of regions, the *closed* ones, none of them a goal, such that every step out
//! of one ends in one. For a call that means: for each region behind it that is not closed, a
//! graph was asked, whose goal contains what that region demands of the callee; and from the
//! closed region the callee is entered in closed regions of that graph only, as far as what
//! crosses the call allows. By induction over the steps of a run, whoever starts the program
//! stays in closed regions, and no activation entered in a closed region attains its graph's
//! goal. Recursion needs nothing more: the induction is over the whole run.
//!
//! Facts that were learned for all runs hold in all of it; they are checked on their own
//! (`learn.rs`), and a step past a call may use the callee's contract.
//!
//! Each step is put to a fresh solver, from facts and transitions alone; what the search did to
//! remove edges plays no part.

use super::goals::{behind_call, question};
use super::units::{Kind, Units};
use crate::problem::blocks::{BlockId, Cutpoint};
use crate::problem::encoding::Encoding;
use crate::problem::transitions::Transitions;
use crate::proof::recheck::{step_possible, Flaw};
use crate::regions::graph::Goal;
use crate::regions::graph::RegionId;
use crate::regions::graph::{GraphId, Regions};
use prova_logic::{Answer, Solver, Term, Terms};
use std::collections::BTreeSet;

/// A proof.
pub struct Closed {
    /// Regions that runs stay in.
    pub regions: BTreeSet<RegionId>,
    /// Solver calls it took.
    pub calls: u64,
}

/// Regions that the abstraction reaches from the start without a goal coming within reach.
fn closure(
    abstraction: &Regions,
    units: &Units,
    main: GraphId,
    can: &[bool],
) -> Result<BTreeSet<RegionId>, Flaw> {
    let mut work: Vec<RegionId> = abstraction.regions_at(main, Cutpoint::START).collect();
    let mut closed: BTreeSet<RegionId> = BTreeSet::new();
    while let Some(id) = work.pop() {
        if can[id.0 as usize] {
            return Err(Flaw::ErrorReachable);
        }
        if !closed.insert(id) {
            continue;
        }
        let region = abstraction.region(id);
        let harmless = |r: &RegionId| !can[r.0 as usize];
        work.extend(region.outgoing.iter().map(|e| e.target).filter(harmless));
        for link in &region.links {
            let procedure = abstraction.graph(link.graph).procedure;
            let entry = units.unit(procedure).entry;
            work.extend(abstraction.regions_at(link.graph, entry).filter(harmless));
        }
    }
    Ok(closed)
}

struct Checker<'c> {
    encoding: &'c Encoding,
    terms: &'c mut Terms,
    transitions: &'c Transitions,
    solver: &'c mut dyn Solver,
    stop: &'c mut dyn FnMut() -> bool,
    calls: u64,
}

impl Checker<'_> {
    /// No state with these facts takes the block into one of the targets.
    fn impossible(
        &mut self,
        facts: &[Term],
        block: BlockId,
        targets: &[Vec<Term>],
    ) -> Result<(), Flaw> {
        if targets.is_empty() {
            return Ok(());
        }
        if (self.stop)() {
            return Err(Flaw::Interrupted);
        }
        self.calls += 1;
        let answer = step_possible(
            self.encoding,
            self.terms,
            self.transitions,
            self.solver,
            facts,
            block,
            targets,
        );
        if answer == Answer::Unsat {
            return Ok(());
        }
        Err(Flaw::Step {
            block,
            answer: format!("{answer:?}"),
        })
    }
}

/// Checks that an abstraction whose start cannot reach its goal (`can`) is a proof.
#[allow(clippy::too_many_arguments)]
pub fn certify(
    encoding: &Encoding,
    abstraction: &Regions,
    terms: &mut Terms,
    transitions: &Transitions,
    units: &Units,
    main: GraphId,
    can: &[bool],
    solver: &mut dyn Solver,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Closed, Flaw> {
    let closed = closure(abstraction, units, main, can)?;
    let mut checker = Checker {
        encoding,
        terms,
        transitions,
        solver,
        stop,
        calls: 0,
    };
    for &id in &closed {
        let region = abstraction.region(id);
        let graph = abstraction.graph(region.graph);
        let unit = units.unit(graph.procedure);
        let facts = region.holds.clone();
        let outside = |cutpoint: Cutpoint| -> Vec<RegionId> {
            abstraction
                .regions_at(region.graph, cutpoint)
                .filter(|r| !closed.contains(r))
                .collect()
        };
        let told = |regions: &[RegionId]| -> Vec<Vec<Term>> {
            let facts = regions.iter().map(|&r| abstraction.region(r).facts.clone());
            facts.collect()
        };
        if region.cutpoint == Cutpoint::START {
            let targets = told(&outside(unit.entry));
            checker.impossible(&facts, units.start, &targets)?;
            continue;
        }
        if let Some(block) = graph
            .goal_block
            .filter(|_| Some(region.cutpoint) == unit.exit)
        {
            checker.impossible(&facts, block, &[Vec::new()])?;
        }
        for step in unit.steps_from(region.cutpoint) {
            let site = match step.kind {
                Kind::Local => {
                    let targets = told(&outside(step.target));
                    checker.impossible(&facts, step.block, &targets)?;
                    continue;
                }
                Kind::Fail(_) if graph.goal != Goal::Error => continue,
                Kind::Return(site) | Kind::Fail(site) => units.site(site),
            };
            let mut unasked = Vec::new();
            for target in outside(step.target) {
                let Some(link) = abstraction.link(id, step.block, target) else {
                    unasked.push(target);
                    continue;
                };
                let answering = abstraction.graph(link.graph);
                let ghosts = units.ghosts(link.bind);
                let there = &abstraction.region(target).facts;
                let terms = &mut *checker.terms;
                let (frame, contained) = match (&answering.goal, step.kind) {
                    (Goal::Exit(facts), Kind::Return(_)) => {
                        let effects = &units.effects[site.callee.index()];
                        let asked = question(terms, encoding, site, effects, there);
                        let said = behind_call(terms, encoding, site, facts, ghosts);
                        let all = said.iter().all(|f| there.binary_search(f).is_ok());
                        (asked.frame, all)
                    }
                    (Goal::Error, Kind::Fail(_)) => (Vec::new(), true),
                    _ => (Vec::new(), false),
                };
                let bound = ghosts.iter().map(|g| g.0);
                let fits = contained
                    && answering.procedure == site.callee
                    && answering
                        .ghosts
                        .iter()
                        .all(|&g| bound.clone().any(|b| b == g));
                if !fits {
                    let what = format!("graph {} does not answer a call", link.graph.0);
                    return Err(Flaw::Malformed(what));
                }
                let entry = units.unit(site.callee).entry;
                let entries: Vec<RegionId> = abstraction
                    .regions_at(link.graph, entry)
                    .filter(|r| !closed.contains(r))
                    .collect();
                let mut before = facts.clone();
                before.extend_from_slice(&frame);
                let entered = checker.impossible(&before, link.bind, &told(&entries));
                match entered {
                    // The callee's contract may have excluded the way past it.
                    Err(Flaw::Step { .. }) if matches!(step.kind, Kind::Return(_)) => {
                        unasked.push(target);
                    }
                    other => other?,
                }
            }
            checker.impossible(&facts, step.block, &told(&unasked))?;
        }
    }
    Ok(Closed {
        calls: checker.calls,
        regions: closed,
    })
}
