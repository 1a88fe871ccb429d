//! A filled table proved again, step by step, and told as contracts.
//!
//! The claim: whoever enters a procedure in the state of a row stays in the row's states, meets no
//! error, and returns in one of those at the exit. Steps of the procedure's own are proved as
//! everywhere. A call is entered in one of the rows it looks at, and from each of these, whatever
//! exit is taken, it comes back into states of its own row. By induction over the steps of a run
//! that is all; recursion needs nothing more.

use super::rows::{returned, Row, Table, World};
use super::Matter;
use crate::engines::dash::calls::units::{Kind, Units};
use crate::engines::values::prove::Prover;
use crate::engines::values::state::State;
use crate::problem::blocks::Cutpoint;
use crate::problem::transitions::Transitions;
use crate::problem::Problem;
use crate::proof::conclude::Claim;
use crate::proof::recheck::Flaw;
use crate::reach::graph::NodeId;
use prova_ir::Span;
use prova_logic::{Solver, Substitution, Term, Terms};
use prova_task::{Contract, Invariant, Reliance};

/// A table that claims to be a proof.
pub struct Filled<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The procedures.
    pub units: &'a Units,
    /// What steps do.
    pub transitions: &'a Transitions,
    /// What matters where.
    pub matter: &'a Matter,
    /// The table.
    pub table: &'a Table,
}

impl Claim for Filled<'_> {
    fn recheck(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<u64, Flaw> {
        let mut prover = Prover {
            encoding: &self.problem.encoding,
            transitions: self.transitions,
            solver: Some(solver),
            calls: 0,
        };
        let first = self.table.rows.first();
        let Some(first) = first else {
            return Err(Flaw::Malformed("there is no row".into()));
        };
        let begun = vec![first.entry().facts(terms)];
        let nothing = State::default();
        let mut anything = Substitution::new();
        let start = self.units.start;
        prover.leads(terms, &nothing, &mut anything, start, begun)?;
        for row in &self.table.rows {
            if stop() {
                return Err(Flaw::Interrupted);
            }
            self.row(terms, &mut prover, row)?;
        }
        Ok(prover.calls)
    }

    fn unmodelled(&self) -> Option<(String, Span)> {
        for row in &self.table.rows {
            let body = self.problem.prepared.body_of(row.procedure);
            let steps = self.units.unit(row.procedure).steps.iter();
            let taken = steps.filter(|s| row.states.taken.contains(&s.block));
            for &edge in taken.flat_map(|s| &s.edges) {
                let found = self.problem.prepared.marker_of(body.edge(edge));
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    fn says(&mut self, terms: &mut Terms) -> (Vec<Invariant>, Vec<Contract>) {
        let rows = self.table.rows.iter();
        (Vec::new(), rows.map(|r| self.contract(terms, r)).collect())
    }
}

impl Filled<'_> {
    /// Proves all steps of a row.
    fn row(&self, terms: &mut Terms, prover: &mut Prover, row: &Row) -> Result<(), Flaw> {
        let world = World {
            encoding: &self.problem.encoding,
            units: self.units,
            transitions: self.transitions,
            matter: self.matter,
        };
        let unit = self.units.unit(row.procedure);
        for id in row.states.ids() {
            let node = &row.states[id];
            if unit.blocks.errors.contains(&node.cutpoint) {
                return Err(Flaw::ErrorReachable);
            }
            if unit.exit == Some(node.cutpoint) && !row.exits.contains(&id) {
                return Err(Flaw::Malformed("an exit is missing".into()));
            }
            for step in unit.steps_from(node.cutpoint) {
                let led = row.states.successors((id, step.block)).unwrap_or_default();
                let mut targets: Vec<Vec<Term>> = Vec::new();
                for &to in led {
                    if row.states[to].cutpoint != step.target {
                        return Err(Flaw::Malformed("a step leads elsewhere".into()));
                    }
                    targets.push(row.states[to].state.facts(terms));
                }
                let state = &node.state;
                let mut values = state.substitution(terms);
                let site = match step.kind {
                    Kind::Local => {
                        prover.leads(terms, state, &mut values, step.block, targets)?;
                        continue;
                    }
                    Kind::Return(site) => site,
                    Kind::Fail(_) => continue,
                };
                let looks = row.looks.get(&(id, site)).map_or(&[][..], Vec::as_slice);
                let mut entered = Vec::new();
                for &look in looks {
                    let seen = &self.table.rows[look];
                    if seen.procedure != self.units.site(site).callee {
                        return Err(Flaw::Malformed("a call looks elsewhere".into()));
                    }
                    entered.push(seen.entry().facts(terms));
                }
                let bind = self.units.plain_bind(site);
                prover.leads(terms, state, &mut values, bind, entered)?;
                for &look in looks {
                    let seen = &self.table.rows[look];
                    for &exit in &seen.exits {
                        let left = &seen.states[exit].state;
                        let mut values = returned(terms, &world, state, site, left);
                        let targets = targets.clone();
                        prover.leads(terms, state, &mut values, step.block, targets)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// A row as a contract.
    fn contract(&self, terms: &mut Terms, row: &Row) -> Contract {
        let body = self.problem.prepared.body_of(row.procedure);
        let unit = self.units.unit(row.procedure);
        let mut invariants = Vec::new();
        for (index, location) in unit.blocks.locations.iter().enumerate() {
            let Some(location) = *location else { continue };
            let nodes: &[NodeId] = row.states.at(Cutpoint(index as u32));
            let facts = nodes.iter().map(|&n| row.states[n].state.facts(terms));
            let mut cases: Vec<Vec<Term>> = facts.collect();
            if cases.iter().any(Vec::is_empty) {
                cases = vec![Vec::new()];
            }
            invariants.push(Invariant {
                procedure: row.procedure,
                location,
                span: body.location(location).span,
                cases,
            });
        }
        if unit.exit.is_none() {
            invariants.push(Invariant {
                procedure: row.procedure,
                location: body.exit,
                span: body.location(body.exit).span,
                cases: Vec::new(),
            });
        }
        let mut calls: Vec<Reliance> = Vec::new();
        for (&(_, site), looks) in &row.looks {
            let edge = self.units.site(site).edge;
            calls.extend(looks.iter().map(|&contract| Reliance {
                edge,
                contract,
                ghosts: Vec::new(),
            }));
        }
        calls.sort_unstable();
        calls.dedup();
        Contract {
            procedure: row.procedure,
            partial: false,
            ghosts: Vec::new(),
            olds: Vec::new(),
            invariants,
            calls,
        }
    }
}
