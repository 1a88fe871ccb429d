//! Invariants and contracts that hold in every run, whatever the queries are about.
//!
//! A fact belongs to a cutpoint of a procedure and holds whenever an activation is there. It may
//! speak of the state at the activation's entry, through variables of its own (*old* values).
//! What holds at the exit, told by result, globals, memory and old values, is the procedure's
//! *contract*.
//!
//! Facts are right if each step preserves them: the program's start, blocks, the way into a
//! callee (where old values are the values), and the way past a call, where the contract of the
//! callee may be used. By induction over the steps of a run, recursion included. Everything that
//! searches for facts or checks them again goes through [`Contracts::steps`].

use super::units::{Kind, SiteId, Units};
use crate::problem::blocks::{BlockId, Cutpoint};
use crate::problem::encoding::Encoding;
use crate::problem::transitions::Transitions;
use prova_exec::state_vars::StateVar;
use prova_ir::ProcId;
use prova_logic::{Substitution, Term, Terms};
use std::collections::BTreeMap;

/// A cutpoint of a procedure.
pub type Place = (ProcId, Cutpoint);

/// Facts by cutpoint.
pub type Facts = BTreeMap<Place, Vec<Term>>;

/// A step that must preserve facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// The program's start.
    Start,
    /// A block.
    Block,
    /// From before a call into the callee.
    Into(SiteId),
    /// From before a call to behind it.
    Past(SiteId),
}

/// A step with its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Obligation {
    /// What kind of step it is.
    pub way: Way,
    /// Where it starts; the facts there may be used. `None` for the start.
    pub source: Option<Place>,
    /// Its transition.
    pub block: BlockId,
    /// Where it ends; the facts there must hold.
    pub target: Place,
}

/// Old values of procedures, and the steps between their cutpoints.
pub struct Contracts {
    /// By procedure: the variable of an old value, and what it is the value of.
    olds: BTreeMap<ProcId, Vec<(Term, Term)>>,
    /// All steps, in a fixed order.
    pub steps: Vec<Obligation>,
}

impl Contracts {
    /// The steps of a program, with no old values yet.
    pub fn new(
        units: &mut Units,
        terms: &mut Terms,
        transitions: &mut Transitions,
        entry: ProcId,
    ) -> Contracts {
        let mut steps = vec![Obligation {
            way: Way::Start,
            source: None,
            block: units.start,
            target: (entry, units.unit(entry).entry),
        }];
        let mut calls = Vec::new();
        for unit in units.all() {
            let place = |c| (unit.procedure, c);
            for step in &unit.steps {
                let way = match step.kind {
                    Kind::Local => Way::Block,
                    Kind::Return(site) => {
                        calls.push((site, place(step.source)));
                        Way::Past(site)
                    }
                    Kind::Fail(_) => continue,
                };
                steps.push(Obligation {
                    way,
                    source: Some(place(step.source)),
                    block: step.block,
                    target: place(step.target),
                });
            }
        }
        for (site, source) in calls {
            let callee = units.site(site).callee;
            let block = units.bind(terms, transitions, site, &[]);
            steps.push(Obligation {
                way: Way::Into(site),
                source: Some(source),
                block,
                target: (callee, units.unit(callee).entry),
            });
        }
        Contracts {
            olds: BTreeMap::new(),
            steps,
        }
    }

    /// The variable that stands for the value of a term at a procedure's entry.
    pub fn old(&mut self, terms: &mut Terms, procedure: ProcId, of: Term) -> Term {
        let olds = self.olds.entry(procedure).or_default();
        if let Some(&(var, _)) = olds.iter().find(|o| o.1 == of) {
            return var;
        }
        let name = format!("old.{}.{}", procedure.0, olds.len());
        let var = terms.var(&name, terms.sort(of));
        olds.push((var, of));
        var
    }

    /// A procedure's old values: variables and what they are the values of.
    pub fn olds(&self, procedure: ProcId) -> &[(Term, Term)] {
        self.olds.get(&procedure).map_or(&[], Vec::as_slice)
    }

    /// What must hold before a step for a fact to hold behind it.
    pub fn before(
        &self,
        terms: &mut Terms,
        transitions: &Transitions,
        step: &Obligation,
        fact: Term,
    ) -> Term {
        let mut fact = fact;
        if matches!(step.way, Way::Start | Way::Into(_)) {
            let olds = self.olds(step.target.0);
            let mut now = Substitution::from_pairs(terms, olds);
            fact = terms.substitute(fact, &mut now);
        }
        transitions.preimage(terms, step.block, fact)
    }

    /// What may be used before a step, its guards aside.
    pub fn usable(
        &self,
        terms: &mut Terms,
        transitions: &Transitions,
        units: &Units,
        encoding: &Encoding,
        facts: &Facts,
        step: &Obligation,
    ) -> Vec<Term> {
        let known = |place: Place| facts.get(&place).map_or(&[][..], Vec::as_slice);
        let mut usable = step.source.map(|s| known(s).to_vec()).unwrap_or_default();
        if let Way::Past(site) = step.way {
            let callee = units.site(site).callee;
            if let Some(exit) = units.unit(callee).exit {
                let contract = known((callee, exit));
                usable.extend(self.at_call(terms, transitions, units, encoding, site, contract));
            }
        }
        usable
    }

    /// What a callee's facts at its exit say of the state before a call and the values that its
    /// return leaves. Facts about the callee's own variables say nothing here.
    pub fn at_call(
        &self,
        terms: &mut Terms,
        transitions: &Transitions,
        units: &Units,
        encoding: &Encoding,
        site: SiteId,
        contract: &[Term],
    ) -> Vec<Term> {
        let (program, vars) = (&encoding.prepared.program, &encoding.vars);
        let record = units.site(site);
        let callee = record.callee;
        let crossing = units.return_block(site);
        let own_result = program.procedure(callee).result;
        let result = own_result.map(|r| vars.register[r.index()]);
        let mut map = Substitution::new();
        // What the return leaves.
        let updates = transitions.get(crossing).transfer.updates.clone();
        let received = record.result.map(|r| vars.register[r.index()]);
        for &(variable, value) in &updates {
            let shared = match vars.meaning(variable) {
                Some(StateVar::Register(r)) => program.register(r).owner.is_none(),
                _ => true,
            };
            if shared {
                map.insert(terms, variable, value);
            }
        }
        if let (Some(result), Some(received)) = (result, received) {
            let value = updates.iter().find(|u| u.0 == received).map(|u| u.1);
            if let Some(value) = value {
                map.insert(terms, result, value);
            }
        }
        // What was there at the entry.
        let bind = units.plain_bind(site);
        for &(old, of) in self.olds(callee) {
            let value = transitions.preimage(terms, bind, of);
            map.insert(terms, old, value);
        }
        // A global that receives the result has another value at the callee's exit.
        let visible = |terms: &Terms, fact: Term| {
            terms.free_vars(fact).iter().all(|&v| {
                if Some(v) == received && Some(v) != result {
                    return false;
                }
                Some(v) == result && received.is_some()
                    || self.olds(callee).iter().any(|o| o.0 == v)
                    || vars.base_of(v).is_some()
                    || match vars.meaning(v) {
                        Some(StateVar::Register(r)) => program.register(r).owner.is_none(),
                        Some(_) => true,
                        None => false,
                    }
            })
        };
        let mut said = Vec::new();
        for &fact in contract {
            if visible(terms, fact) {
                said.push(terms.substitute(fact, &mut map));
            }
        }
        said
    }

    /// Steps whose answer may change when facts of a place go away.
    pub fn affected(&self, units: &Units, place: Place) -> Vec<usize> {
        let is_exit = units.unit(place.0).exit == Some(place.1);
        (0..self.steps.len())
            .filter(|&i| {
                let step = &self.steps[i];
                step.source == Some(place)
                    || is_exit
                        && matches!(step.way, Way::Past(site) if units.site(site).callee == place.0)
            })
            .collect()
    }
}
