//! Checks certificates of conformance.
//!
//! A certificate is a relation between states of a program and states of a machine: at locations of
//! the program, for states of the machine, what holds. It is a *simulation* (Milner; Chaki, Clarke,
//! Jha, Veith, *An Iterative Framework for Simulation Conformance*, §4) if
//!
//! * the start of the program is related to the start of the machine;
//! * behind a path on which nothing is shown, the program is related to the same state of the
//!   machine, or to one that it reaches in silence;
//! * behind an action it is related to a state that the machine reaches by that action, silent moves
//!   around it allowed;
//! * no path leads to an error location or through something that is not modelled.
//!
//! What the machine answers may depend on the state behind the action and on nothing that comes
//! later: so a location behind an action has to be one where something is claimed. What would be
//! unsound is to let a path go on there.
//!
//! **Traces.** Where it is asked that the program has no trace which the machine does not have, a claim
//! may be about a *set* of states: all of them are reached by some way of showing what was shown. Behind
//! an action a set is claimed that lies within what the states before it reach by the action. So what
//! was shown always leads somewhere, for no set is empty, and nobody has to trust a deterministic
//! machine that somebody built. What would be unsound is to let sets answer where simulation is asked:
//! a simulation has to keep to one of its states.
//!
//! The conditions are made here; what statements do is `prova-certify`'s ([`Machine::take`]), and
//! nothing is shared with whoever found the relation. Which edge of a program is which action is
//! told by an assignment to one variable ([`Specification::shown`]).

mod read;

use prova_certify::machine::Machine;
use prova_certify::path::Path;
use prova_certify::prepare::{digest, prepare};
use prova_certify::{decide, Accepted, Condition, Failure, Limits};
use prova_exec::points_to::Partition;
use prova_formula::{Replacement, Script, Term};
use prova_ir::{Body, Edge, Expr, LocId, Program, Statement};
use prova_logic::SolverChoice;
use read::{Claims, Relation};
use std::collections::BTreeSet;

/// What certificates begin with.
pub const FORMAT: &str = "prova-relation";
/// The version this checker reads.
pub const VERSION: &str = "1";

/// The passes that a program is prepared by; what cannot matter for an error matters here, so
/// nothing is sliced away.
pub const PASSES: [&str; 6] =
    ["devirtualise", "externals", "uninitialised", "nans", "inline", "simplify"];

/// Edges that are walked in all.
const EDGES: usize = 5_000_000;

/// A machine as it was written, and how a program shows actions.
pub struct Specification<'a> {
    /// Moves of each state: actions by number, zero for silence, and where they lead.
    pub moves: &'a [Vec<(u32, u32)>],
    /// Where it starts.
    pub initial: u32,
    /// The variable that actions are assigned to, by its name in C.
    pub shown: &'a str,
    /// Whether traces are compared, and not moves: then claims may be about sets of states.
    pub traces: bool,
}

impl Specification<'_> {
    fn silently(&self, from: BTreeSet<u32>) -> BTreeSet<u32> {
        let (mut found, mut work) = (from.clone(), Vec::from_iter(from));
        while let Some(state) = work.pop() {
            let silent = self.moves[state as usize].iter().filter(|m| m.0 == 0);
            work.extend(silent.map(|m| m.1).filter(|to| found.insert(*to)));
        }
        found
    }

    /// The states that answer an action, from one of these.
    fn answers(&self, states: &BTreeSet<u32>, action: u32) -> BTreeSet<u32> {
        let before = self.silently(states.clone());
        let moves = before.iter().flat_map(|&s| &self.moves[s as usize]);
        let behind = moves.filter(|m| m.0 == action && action != 0).map(|m| m.1);
        self.silently(behind.collect())
    }
}

/// Checks a certificate against a program and a machine.
pub fn check(
    program: &Program,
    specification: &Specification,
    certificate: &str,
    solvers: &[SolverChoice],
    limits: &Limits,
) -> Result<Accepted, Failure> {
    let read = Relation::parse(certificate)?;
    if read.passes != PASSES {
        return Err(Failure::Mismatch(format!("the passes must be {}", PASSES.join(", "))));
    }
    let program = prepare(program, &read.passes)?;
    if read.prepared != digest(&program) {
        return Err(Failure::Mismatch("it is about another program".into()));
    }
    let partition = Partition::new(&program);
    let mut machine = Machine::new(&program, &partition, Script::new(!limits.ask_all));
    let entry = program.entry.and_then(|p| program.procedure(p).body.as_ref());
    let body = entry.ok_or_else(|| Failure::Mismatch("there is no entry".into()))?;
    let (sets, claims) = read.claims(&mut machine, body, specification.moves.len())?;
    if !specification.traces && sets.iter().any(|set| set.len() != 1) {
        return Err(Failure::Mismatch("a simulation speaks of single states".into()));
    }
    let found = Vec::new();
    let mut conditions = Conditions { machine, specification, sets, claims, found, count: 0 };
    conditions.all(body)?;
    let Conditions { machine, found, count, .. } = conditions;
    decide(machine.script, count, found, solvers, limits)
}

struct Conditions<'a, 's> {
    machine: Machine<'a>,
    specification: &'s Specification<'s>,
    sets: Vec<BTreeSet<u32>>,
    claims: Claims,
    found: Vec<Condition>,
    count: usize,
}

impl Conditions<'_, '_> {
    fn all(&mut self, body: &Body) -> Result<(), Failure> {
        let start = self.machine.start();
        let first = self.specification.silently(BTreeSet::from([self.specification.initial]));
        let Some(after) = self.cases(body.entry, &first) else {
            return Err(Failure::Mismatch("nothing is claimed at the entry".into()));
        };
        self.settle(&[Vec::new()], &start, &after, "the start of the program".into());
        let outgoing = body.outgoing();
        let mut walked = 0;
        let places: Vec<(LocId, u32)> = self
            .claims
            .iter()
            .flat_map(|(&at, states)| states.keys().map(move |&state| (at, state)))
            .collect();
        for (location, state) in places {
            let held = self.claims[&location][&state].clone();
            let own = self.sets[state as usize].clone();
            let mut work = vec![(location, Path::new(self.machine.now.clone()))];
            while let Some((at, path)) = work.pop() {
                for &edge in &outgoing[at.index()] {
                    walked += 1;
                    if path.length > body.locations.len() || walked > EDGES {
                        return Err(Failure::Mismatch("a loop passes no cutpoint".into()));
                    }
                    let (mut path, edge) = (path.clone(), body.edge(edge));
                    path.length += 1;
                    let step = format!("L{} to L{}, state {state}", location.0, edge.target.0);
                    match &edge.statement {
                        // Nothing is known of what comes.
                        Statement::Marker(_) => {
                            self.settle(&held, &path, &[], step);
                            continue;
                        }
                        Statement::Call { .. } => {
                            return Err(Failure::Unsupported("a call".into()));
                        }
                        statement => {
                            if !self.machine.take(&mut path, statement) {
                                continue;
                            }
                        }
                    }
                    if body.is_error(edge.target) {
                        self.settle(&held, &path, &[], step);
                        continue;
                    }
                    let action = self.action(edge)?;
                    let answers = match action {
                        None => self.specification.silently(own.clone()),
                        Some(action) => self.specification.answers(&own, action),
                    };
                    match self.cases(edge.target, &answers) {
                        Some(after) => self.settle(&held, &path, &after, step),
                        None if action.is_some() => {
                            let what = format!("nothing is claimed at L{}", edge.target.0);
                            return Err(Failure::Mismatch(format!("{what}, behind an action")));
                        }
                        None => work.push((edge.target, path)),
                    }
                }
            }
        }
        Ok(())
    }

    /// The action that an edge shows.
    fn action(&self, edge: &Edge) -> Result<Option<u32>, Failure> {
        let program = self.machine.program;
        let Some(target) = edge.statement.written_register() else { return Ok(None) };
        if program.register(target).c_name != self.specification.shown {
            return Ok(None);
        }
        match edge.statement {
            // Before the program starts, the variable holds anything.
            Statement::Nondet { .. } => Ok(None),
            Statement::Assign { value, .. } => match program.exprs.get(value) {
                Expr::Int { value, .. } => Ok(Some(value as u32)),
                _ => Err(Failure::Unsupported("an action without a number".into())),
            },
            _ => Err(Failure::Unsupported("an action that is no assignment".into())),
        }
    }

    /// What is claimed at a location within these states; nothing if it is no cutpoint.
    fn cases(&self, at: LocId, states: &BTreeSet<u32>) -> Option<Vec<Vec<Term>>> {
        let within = |set: &u32| self.sets[*set as usize].is_subset(states);
        let claims = self.claims.get(&at)?.iter();
        let cases = claims.filter(|(set, _)| within(set)).flat_map(|(_, cases)| cases);
        Some(cases.cloned().collect())
    }

    /// From each of these cases the path must lead into one of the others.
    fn settle(&mut self, held: &[Vec<Term>], path: &Path, after: &[Vec<Term>], step: String) {
        let script = &mut self.machine.script;
        let mut by = Replacement::default();
        for (&constant, &value) in self.machine.now.iter().zip(&path.state) {
            script.replace(&mut by, constant, value);
        }
        let mut moved = Vec::with_capacity(after.len());
        for case in after {
            moved.push(case.iter().map(|&t| script.replaced(t, &mut by)).collect::<Vec<Term>>());
        }
        for case in held {
            self.count += 1;
            let facts = [&path.assumed[..], case].concat();
            if let Some(assertions) = script.refutation(&facts, &moved) {
                self.found.push(Condition { assertions, step: step.clone() });
            }
        }
    }
}
