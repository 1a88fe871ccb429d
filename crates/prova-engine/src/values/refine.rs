//! Is the path to an error real? If not: which variables show that it is not?
//!
//! The path is one conjunction over the inputs that are read on it. Where it is satisfiable, the
//! model is a test. Otherwise the unsatisfiable core names the branches that exclude each other,
//! and going back along the path from those tells the variables that carry the conflict.

use super::state::Precision;
use crate::dash::blocks::Blocks;
use crate::dash::encoding::Encoding;
use crate::dash::graph::BlockId;
use crate::dash::transitions::Transitions;
use prova_exec::state_vars::StateVar;
use prova_exec::transfer::{Access, Input};
use prova_ir::{EdgeId, RegId, Role, Span, Type};
use prova_logic::{Answer, Model, Solver, Substitution, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// A path to an error as inputs for the machine.
pub struct Real {
    /// Values of the inputs.
    pub model: Model,
    /// What it is a model of.
    pub query: Vec<Term>,
    /// Inputs of the program's start.
    pub start: Vec<Input>,
    /// Inputs behind it, in order.
    pub inputs: Vec<Input>,
    /// The path's edges.
    pub edges: Vec<EdgeId>,
}

/// What became of a path.
pub enum Judgement {
    /// It can be run.
    Real(Box<Real>),
    /// It cannot; these variables must be kept to see it.
    Spurious {
        /// The variables.
        variables: Vec<Term>,
        /// The conditions that exclude each other, as the blocks have them, for people.
        blamed: Vec<Term>,
    },
    /// The solver gave up.
    Undecided(String),
}

/// Judges a path from the start. Whether its last block traps is not asked if `trapping`.
pub fn judge(
    encoding: &Encoding,
    transitions: &mut Transitions,
    blocks: &Blocks,
    path: &[BlockId],
    trapping: bool,
    solver: &mut dyn Solver,
) -> Judgement {
    let mut store = Substitution::new();
    let mut guards: Vec<(usize, Term, Term)> = Vec::new();
    let (mut start, mut inputs, mut edges) = (Vec::new(), Vec::new(), Vec::new());
    let mut accesses: Vec<Access> = Vec::new();
    let mut closed: Vec<(usize, Term)> = Vec::new();
    for (k, &block) in path.iter().enumerate() {
        let transfer = transitions.get(block).transfer.clone();
        let terms = &mut transitions.terms;
        for input in &transfer.inputs {
            // Read anew each time round a loop.
            let sort = terms.sort(input.var);
            let var = terms.fresh("path", sort);
            store.insert(terms, input.var, var);
            let input = Input {
                var,
                ..input.clone()
            };
            if k == 0 {
                start.push(input);
            } else {
                inputs.push(input);
            }
        }
        let asked = if trapping && k + 1 == path.len() {
            &transfer.assumed
        } else {
            &transfer.guard
        };
        for &guard in asked {
            let t = terms.substitute(guard, &mut store);
            guards.push((k, guard, t));
            if t == terms.fals() {
                // Go on: the rest of the path may hold more such places.
                closed.push((k, guard));
            }
        }
        for access in &transfer.accesses {
            let address = terms.substitute(access.address, &mut store);
            accesses.push(Access { address, ..*access });
        }
        let values: Vec<(Term, Term)> = transfer
            .updates
            .iter()
            .map(|&(v, value)| (v, terms.substitute(value, &mut store)))
            .collect();
        for (variable, value) in values {
            store.insert(terms, variable, value);
        }
        edges.extend(&blocks.block(block).edges);
    }
    if !closed.is_empty() {
        return spurious(transitions, encoding, path, &closed);
    }
    let terms = &mut transitions.terms;
    let mut asserted = encoding.separation(terms, &accesses);
    let mut query: Vec<Term> = guards.iter().map(|g| g.2).collect();
    query.extend(&asserted);
    let axioms = encoding.axioms(terms, &query);
    asserted.extend(axioms);
    let mut assumptions: Vec<Term> = Vec::new();
    let mut seen = FxHashSet::default();
    for &(_, _, t) in guards.iter().rev() {
        for c in terms.conjuncts(t) {
            if terms.as_bool(c).is_none() && seen.insert(c) {
                assumptions.push(c);
            }
        }
    }
    solver.push();
    for &t in &asserted {
        solver.assert(terms, t);
    }
    let judgement = match solver.check(terms, &assumptions) {
        Answer::Unknown(reason) => Judgement::Undecided(reason.to_string()),
        Answer::Sat => {
            query.extend(&asserted);
            let variables = terms.free_vars_of(&query);
            match solver.model(terms, &variables) {
                Ok(model) => Judgement::Real(Box::new(Real {
                    model,
                    query,
                    start,
                    inputs,
                    edges,
                })),
                Err(e) => Judgement::Undecided(e.to_string()),
            }
        }
        Answer::Unsat => {
            let core: FxHashSet<Term> = solver.core().into_iter().collect();
            let blamed: Vec<(usize, Term)> = guards
                .iter()
                .filter(|g| terms.conjuncts(g.2).iter().any(|c| core.contains(c)))
                .map(|g| (g.0, g.1))
                .collect();
            spurious(transitions, encoding, path, &blamed)
        }
    };
    solver.pop(1);
    judgement
}

fn spurious(
    transitions: &Transitions,
    encoding: &Encoding,
    path: &[BlockId],
    blamed: &[(usize, Term)],
) -> Judgement {
    Judgement::Spurious {
        variables: carriers(transitions, encoding, path, blamed),
        blamed: blamed.iter().map(|b| b.1).collect(),
    }
}

/// Variables through which the blamed guards of a path depend on what came before.
fn carriers(
    transitions: &Transitions,
    encoding: &Encoding,
    path: &[BlockId],
    blamed: &[(usize, Term)],
) -> Vec<Term> {
    let terms = &transitions.terms;
    let mut all: FxHashSet<Term> = FxHashSet::default();
    let mut needed: FxHashSet<Term> = FxHashSet::default();
    for (k, &block) in path.iter().enumerate().rev() {
        let transition = transitions.get(block);
        let mut before: FxHashSet<Term> = FxHashSet::default();
        for &v in &needed {
            before.extend(terms.free_vars(transition.update(v)));
        }
        for (_, guard) in blamed.iter().filter(|b| b.0 == k) {
            before.extend(terms.free_vars(*guard));
        }
        before.retain(|&v| encoding.vars.meaning(v).is_some());
        all.extend(&before);
        needed = before;
    }
    let mut all: Vec<Term> = all.into_iter().collect();
    all.sort_unstable();
    all
}

/// Variables that stand for one variable of the source: inlining makes a copy for each call, and
/// what matters in one call mostly matters in the others.
pub struct Kin {
    family: FxHashMap<Term, usize>,
    members: Vec<Vec<Term>>,
}

impl Kin {
    /// Groups the registers of a prepared program.
    pub fn new(encoding: &Encoding) -> Kin {
        let program = &encoding.prepared.program;
        let mut numbers: FxHashMap<(Span, &str, Role, Type), usize> = FxHashMap::default();
        let mut kin = Kin {
            family: FxHashMap::default(),
            members: Vec::new(),
        };
        for (i, register) in program.registers.iter().enumerate() {
            if register.owner.is_none() || !register.span.is_known() {
                continue;
            }
            let key = (
                register.span,
                register.c_name.as_str(),
                register.role,
                register.ty,
            );
            let number = *numbers.entry(key).or_insert_with(|| {
                kin.members.push(Vec::new());
                kin.members.len() - 1
            });
            let variable = encoding.vars.variable(StateVar::Register(RegId::new(i)));
            kin.members[number].push(variable);
            kin.family.insert(variable, number);
        }
        kin
    }

    /// The variables and all that stand for the same.
    fn all_of(&self, variables: &[Term]) -> Vec<Term> {
        let mut all = variables.to_vec();
        for v in variables {
            if let Some(&number) = self.family.get(v) {
                all.extend(&self.members[number]);
            }
        }
        all
    }
}

/// Adds variables to a precision: their values first, their relations if those are kept already,
/// at last larger values. `false` if nothing was added.
pub fn sharpen(precision: &mut Precision, kin: &Kin, variables: &[Term]) -> bool {
    let variables = kin.all_of(variables);
    let before = precision.values.len();
    precision.values.extend(&variables);
    if precision.values.len() > before {
        return true;
    }
    let before = precision.relations.len();
    precision.relations.extend(&variables);
    precision.relations.len() > before || precision.grow()
}
