//! ExtendFrontier: the one place that asks the solver (Beckman et al., *Proofs from Tests*,
//! §4.1, Figures 10 to 12).
//!
//! The question: along the path of a test up to the frontier, can the block be taken into the
//! target region? It is put over the state variables at the frontier, tied to the path by one
//! equality per variable, each an assumption of its own, as is each conjunct of the preimage;
//! the source region's facts are asserted.
//! The answer is then one of four things, without a second question:
//!
//! * satisfiable: the model is a new test;
//! * unsatisfiable without any tie to the path: the edge is impossible in itself;
//! * unsatisfiable: the conjuncts in the core give the split predicate WP_α;
//! * given up: the edge stays undecided.
//!
//! Path constraints that share no input with the tied variables cannot matter and are left out;
//! their inputs keep the values of the test, which satisfies them.

use super::refute::plain_core;
use crate::problem::alias::{resolve, AliasOracle, Known};
use crate::problem::blocks::BlockId;
use crate::problem::encoding::Encoding;
use crate::problem::project::project;
use crate::problem::transitions::Transitions;
use prova_exec::transfer::Access;
use prova_logic::{Answer, Model, Op, Solver, Substitution, Term, Terms};
use prova_task::Unknown;
use rustc_hash::{FxHashMap, FxHashSet};

/// The path of a test up to a state, as terms over its inputs.
pub struct Prefix {
    /// State variables to their values, for the variables that matter.
    pub values: Substitution,
    /// What the path demands of the inputs, with what it read resolved as far as it settles that.
    pub constraints: Vec<Term>,
    /// Accesses on the path to objects that the program does not name.
    pub accesses: Vec<Access>,
    known: FxHashSet<Term>,
}

impl Prefix {
    /// A path with these constraints, and these values of state variables.
    pub fn new(
        terms: &mut Terms,
        values: Substitution,
        constraints: Vec<Term>,
        accesses: Vec<Access>,
    ) -> Prefix {
        // What a test read is what it wrote before, as far as the path up to there tells which
        // addresses are the same: each constraint is resolved by those before it, so that all of them
        // together say what they said.
        let mut known = FxHashSet::default();
        let mut resolved = Vec::with_capacity(constraints.len());
        for &c in &constraints {
            let plain = resolve(terms, c, &mut Known(&known)).term;
            known.extend(terms.conjuncts(c));
            known.extend(terms.conjuncts(plain));
            if terms.op(plain) != Op::True {
                resolved.push(plain);
            }
        }
        Prefix {
            values,
            constraints: resolved,
            accesses,
            known,
        }
    }
}

impl AliasOracle for Prefix {
    fn settled(&mut self, terms: &mut Terms, equality: Term) -> Option<bool> {
        let value = terms.substitute(equality, &mut self.values);
        if let Some(decided) = terms.as_bool(value) {
            return Some(decided);
        }
        Known(&self.known).settled(terms, value)
    }
}

/// What came of the question.
pub enum Extension {
    /// A model of inputs that cross the frontier.
    Test {
        /// Values of the variables.
        model: Model,
        /// What it is a model of.
        query: Vec<Term>,
    },
    /// No state of the source region makes this step.
    Impossible,
    /// The region is to be split.
    Split(Refinement),
    /// The solver gave up, and why.
    Undecided(String),
}

/// A suitable predicate in the sense of Definition 1: no state of the source region outside it
/// steps to the target, and no state on the path is inside.
#[derive(Clone, Debug)]
pub struct Refinement {
    /// The predicate.
    pub predicate: Term,
    /// What holds where it holds.
    pub yes: Vec<Term>,
    /// What holds where it does not.
    pub no: Vec<Term>,
}

struct Conjunct {
    term: Term,
    alpha: Vec<Term>,
    assumption: Term,
    /// Belongs into the split predicate whether or not the core needs it.
    keep: bool,
}

/// A core of more conjuncts and ties than this is not asked of the solver where it is plain to see:
/// to make it minimal takes a check for each. Of smaller ones there are many, and the solver's
/// choice is the better.
const MANY: usize = 8;

/// A variable at the frontier, or what is read there, and its value on the path.
struct Tie {
    assumption: Term,
    equality: Term,
    variable: Term,
    value: Term,
}

/// Whether a value is the same in all runs: where objects lie is, too.
fn is_fixed(terms: &Terms, value: Term) -> bool {
    let variables = terms.free_vars(value);
    variables.iter().all(|&v| terms.object(v).is_some())
}

/// Asks whether the path can cross the frontier. `prefix` gives the path, with the values of the
/// variables that the question speaks of; `also` must hold before the step, besides what the
/// block and the target demand; `states` tells in which forest states of the region a term over the
/// state variables holds; `keep` are conjuncts that the split predicate has in any case; with `prefer_kept` it has few
/// others where the path refutes one of these by itself.
#[allow(clippy::too_many_arguments)]
pub fn extend(
    encoding: &Encoding,
    terms: &mut Terms,
    transitions: &Transitions,
    solver: &mut dyn Solver,
    source_facts: &[Term],
    block: BlockId,
    target_facts: &[Term],
    also: &[Term],
    prefix: impl FnOnce(&mut Terms, &[Term]) -> Result<Prefix, Unknown>,
    mut states: impl FnMut(&Terms, Term) -> Verdicts,
    keep: &[Term],
    prefer_kept: bool,
) -> Result<Extension, Unknown> {
    let mut raw = transitions.conjuncts(terms, block, target_facts);
    raw.extend(
        also.iter()
            .filter(|t| !raw.contains(t))
            .copied()
            .collect::<Vec<_>>(),
    );
    let mut kept: FxHashSet<Term> = FxHashSet::default();
    for &t in keep {
        kept.extend(terms.conjuncts(t));
    }
    let inputs: Vec<Term> = transitions
        .get(block)
        .transfer
        .inputs
        .iter()
        .map(|i| i.var)
        .collect();
    let block_accesses = transitions.get(block).transfer.accesses.clone();
    let mut variables = terms.free_vars_of(&raw);
    for access in &block_accesses {
        variables.extend(terms.free_vars(access.address));
    }
    variables.sort_unstable();
    variables.dedup();
    let prefix = &mut prefix(terms, &variables)?;
    let mut loads = Loads::default();
    let mut conjuncts = Vec::with_capacity(raw.len());
    for t in raw {
        let resolved = resolve(terms, t, prefix);
        for term in terms.conjuncts(resolved.term) {
            if terms.op(term) != Op::True {
                let assumption = loads.abstracted(terms, term);
                let keep = kept.contains(&t);
                conjuncts.push(Conjunct {
                    term,
                    alpha: resolved.alpha.clone(),
                    assumption,
                    keep,
                });
            }
        }
    }

    // Facts of the source region that speak of the same things, directly or through one another.
    let mut spoken: FxHashSet<Term> = FxHashSet::default();
    for c in &conjuncts {
        spoken.extend(terms.free_vars(c.assumption));
    }
    let mut tied: Vec<Term> = spoken
        .iter()
        .copied()
        .filter(|v| !inputs.contains(v))
        .collect();
    tied.sort_unstable();
    let mut facts = Vec::new();
    let mut silent: Vec<(Term, Vec<Term>)> = Vec::new();
    for &fact in source_facts {
        let abstracted = loads.abstracted(terms, fact);
        silent.push((abstracted, terms.free_vars(abstracted)));
    }
    loop {
        let before = silent.len();
        silent.retain(|(fact, vars)| {
            let joins = vars.iter().any(|v| spoken.contains(v));
            if joins {
                facts.push(*fact);
                spoken.extend(vars);
            }
            !joins
        });
        if silent.len() == before {
            break;
        }
    }

    // One tie to the path per variable.
    let mut ties: Vec<Tie> = Vec::with_capacity(tied.len());
    for v in tied {
        let original = loads.original(v);
        let value = terms.substitute(original, &mut prefix.values);
        // What was read on the path is what was written there, as far as the path tells which
        // addresses are the same. Its constraints speak of the same inputs, so they are asserted
        // wherever the question can change one of them.
        let value = resolve(terms, value, &mut Known(&prefix.known)).term;
        if value != v {
            let tie = terms.eq(v, value);
            ties.push(Tie {
                assumption: tie,
                equality: tie,
                variable: original,
                value,
            });
        }
    }
    // Those to values that vary along the path are of use together only: one assumption for all
    // of them leaves a smaller core to be made minimal.
    let varying: Vec<Term> = ties
        .iter()
        .filter(|t| !is_fixed(terms, t.value))
        .map(|t| t.equality)
        .collect();
    let together = terms.and(&varying);
    for tie in &mut ties {
        if !is_fixed(terms, tie.value) {
            tie.assumption = together;
        }
    }

    // What the path refutes without a solver: then it need only be asked whether the edge is
    // possible in itself, and nothing of the path has to be told for that.
    let refuted: Vec<usize> = if prefer_kept {
        (0..conjuncts.len())
            .filter(|&i| conjuncts[i].keep)
            .filter(|&i| {
                let value = terms.substitute(conjuncts[i].term, &mut prefix.values);
                terms.as_bool(value) == Some(false)
            })
            .collect()
    } else if conjuncts.len() + ties.len() > MANY {
        let along: Vec<Term> = conjuncts
            .iter()
            .map(|c| {
                let value = terms.substitute(c.term, &mut prefix.values);
                resolve(terms, value, &mut Known(&prefix.known)).term
            })
            .collect();
        let core = plain_core(terms, &along, &prefix.known).unwrap_or_default();
        let of_core: Vec<Term> = core.iter().map(|&i| conjuncts[i].assumption).collect();
        let spoken: FxHashSet<Term> = terms.free_vars_of(&of_core).into_iter().collect();
        let speaks = |t: &&Tie| spoken.contains(&loads.cell(t.variable));
        let size = core.len() + ties.iter().filter(speaks).count();
        if size > MANY {
            core
        } else {
            Vec::new()
        }
    } else {
        Vec::new()
    };

    // Where the values on the path refute a conjunct by themselves, its conditions need not be told.
    let mut values = Substitution::new();
    for tie in &ties {
        values.insert(terms, loads.cell(tie.variable), tie.value);
    }
    let by_values = conjuncts.iter().any(|c| {
        let value = terms.substitute(c.assumption, &mut values);
        terms.as_bool(value) == Some(false)
    });

    let mut asserted = Vec::new();
    let mut everything: Vec<Term> = Vec::new();
    if refuted.is_empty() {
        everything.extend(ties.iter().map(|t| t.equality));
    }
    if refuted.is_empty() && !by_values {
        // Unknown objects keep their types, those of the path and those of the block.
        let mut accesses = prefix.accesses.clone();
        for access in block_accesses {
            let address = terms.substitute(access.address, &mut prefix.values);
            accesses.push(Access { address, ..access });
        }
        let mut path = prefix.constraints.clone();
        path.extend(encoding.separation(terms, &accesses));
        asserted = relevant_constraints(terms, &path, &ties);
        everything.extend(&asserted);
    }
    everything.extend(conjuncts.iter().map(|c| c.assumption));
    everything.extend(&facts);
    asserted.extend(&facts);
    let axioms = encoding.axioms(terms, &everything);
    asserted.extend(axioms);

    solver.push();
    for &t in &asserted {
        solver.assert(terms, t);
    }
    let mut assumptions: Vec<Term> = match refuted.is_empty() {
        true => ties.iter().map(|t| t.assumption).collect(),
        false => Vec::new(),
    };
    assumptions.extend(conjuncts.iter().map(|c| c.assumption));
    let mut seen = FxHashSet::default();
    assumptions.retain(|&a| seen.insert(a));
    let answer = solver.check(terms, &assumptions);
    let extension = match answer {
        Answer::Sat if !refuted.is_empty() => {
            let core: Vec<&Conjunct> = refuted.iter().map(|&i| &conjuncts[i]).collect();
            let spoken = terms.free_vars_of(&core.iter().map(|c| c.assumption).collect::<Vec<_>>());
            let core_ties: Vec<(Term, Term)> = ties
                .iter()
                .filter(|t| spoken.iter().any(|&v| loads.original(v) == t.variable))
                .map(|t| (t.variable, t.value))
                .collect();
            refine(terms, &conjuncts, &core, &core_ties, &inputs, &mut states)
        }
        Answer::Sat => {
            everything.extend(&asserted);
            let variables = terms.free_vars_of(&everything);
            match solver.model(terms, &variables) {
                Ok(model) => Extension::Test {
                    model,
                    query: everything,
                },
                Err(error) => Extension::Undecided(error.to_string()),
            }
        }
        Answer::Unknown(reason) => Extension::Undecided(reason.to_string()),
        Answer::Unsat => {
            let core: FxHashSet<Term> = solver.core().into_iter().collect();
            let core_ties: Vec<(Term, Term)> = ties
                .iter()
                .filter(|t| core.contains(&t.assumption))
                .map(|t| (t.variable, t.value))
                .collect();
            let core_conjuncts: Vec<&Conjunct> = conjuncts
                .iter()
                .filter(|c| core.contains(&c.assumption))
                .collect();
            let settled_by_path = core_conjuncts.iter().any(|c| !c.alpha.is_empty());
            if core_ties.is_empty() && !settled_by_path {
                Extension::Impossible
            } else {
                refine(
                    terms,
                    &conjuncts,
                    &core_conjuncts,
                    &core_ties,
                    &inputs,
                    &mut states,
                )
            }
        }
    };
    solver.pop(1);
    Ok(extension)
}

/// Where a term holds among the forest states of the source region.
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    /// In the state at the end of the path.
    pub at_frontier: bool,
    /// In each of the region's states, in a fixed order.
    pub all: Vec<bool>,
}

/// RefinePred: the split predicate from the core. Conjuncts beyond the core are added back while
/// tests that took other paths fall on the side of the predicate: a half that tests have visited
/// has to be split again, and every combination of such halves with it.
fn refine(
    terms: &mut Terms,
    all: &[Conjunct],
    core: &[&Conjunct],
    ties: &[(Term, Term)],
    inputs: &[Term],
    states: &mut impl FnMut(&Terms, Term) -> Verdicts,
) -> Extension {
    let mut chosen: Vec<&Conjunct> = core.to_vec();
    chosen.extend(
        all.iter()
            .filter(|c| c.keep && !core.iter().any(|k| k.term == c.term)),
    );
    let mut inside: Vec<bool> = Vec::new();
    for c in &chosen {
        let verdicts = states(terms, c.term).all;
        if inside.is_empty() {
            inside = verdicts;
        } else {
            inside.iter_mut().zip(verdicts).for_each(|(i, v)| *i &= v);
        }
    }
    let mut rest: Vec<&Conjunct> = all
        .iter()
        .filter(|c| !chosen.iter().any(|k| k.term == c.term))
        .collect();
    rest.retain(|c| !inputs.iter().any(|&i| terms.mentions(c.term, i)));
    let judged: Vec<(&Conjunct, Vec<bool>)> = rest
        .into_iter()
        .map(|c| (c, states(terms, c.term).all))
        .collect();
    while inside.contains(&true) {
        let excludes = |v: &Vec<bool>| inside.iter().zip(v).filter(|(i, v)| **i && !**v).count();
        let Some((best, verdicts)) = judged.iter().rev().max_by_key(|(_, v)| excludes(v)) else {
            break;
        };
        if excludes(verdicts) == 0 {
            break;
        }
        inside.iter_mut().zip(verdicts).for_each(|(i, v)| *i &= *v);
        chosen.push(best);
    }

    let mut alpha: Vec<Term> = chosen
        .iter()
        .flat_map(|c| c.alpha.iter().copied())
        .collect();
    alpha.sort_unstable();
    alpha.dedup();
    let wp: Vec<Term> = chosen.iter().map(|c| c.term).collect();
    let projected = project(terms, &wp, inputs);
    let whole = terms.and(&projected);
    if !states(terms, whole).at_frontier {
        let negated = terms.not(whole);
        if alpha.is_empty() {
            return Extension::Split(Refinement {
                predicate: whole,
                yes: projected,
                no: vec![negated],
            });
        }
        let mut inside = alpha.clone();
        inside.push(negated);
        let outside = terms.and(&inside);
        let predicate = terms.not(outside);
        return Extension::Split(Refinement {
            predicate,
            yes: vec![predicate],
            no: inside,
        });
    }
    // The projection forgot what made the difference. The values at the frontier did too, where
    // they are constants: no state with these values makes the step.
    let mut no: Vec<Term> = core.iter().flat_map(|c| c.alpha.iter().copied()).collect();
    for &(variable, value) in ties {
        if !is_fixed(terms, value) {
            return Extension::Undecided(
                "no predicate without the block's own inputs was found".into(),
            );
        }
        no.push(terms.eq(variable, value));
    }
    let inside = terms.and(&no);
    let predicate = terms.not(inside);
    Extension::Split(Refinement {
        predicate,
        yes: vec![predicate],
        no,
    })
}

/// Path constraints connected to the ties through shared inputs.
fn relevant_constraints(terms: &Terms, constraints: &[Term], ties: &[Tie]) -> Vec<Term> {
    let mut reached: FxHashSet<Term> = FxHashSet::default();
    for tie in ties {
        reached.extend(terms.free_vars(tie.value));
    }
    let vars: Vec<Vec<Term>> = constraints.iter().map(|&c| terms.free_vars(c)).collect();
    let mut taken = vec![false; constraints.len()];
    loop {
        let mut grew = false;
        for i in 0..constraints.len() {
            if !taken[i] && vars[i].iter().any(|v| reached.contains(v)) {
                taken[i] = true;
                grew = true;
                reached.extend(&vars[i]);
            }
        }
        if !grew {
            break;
        }
    }
    constraints
        .iter()
        .zip(&taken)
        .filter(|(_, t)| **t)
        .map(|(c, _)| *c)
        .collect()
}

/// Reads of memory, each standing for itself: the solver sees a variable per distinct read, tied
/// to the path like any other, so that the core tells which reads matter.
#[derive(Default)]
struct Loads {
    cells: FxHashMap<Term, Term>,
    originals: FxHashMap<Term, Term>,
}

impl Loads {
    /// What stands for a read, or a variable for itself.
    fn cell(&self, original: Term) -> Term {
        self.cells.get(&original).copied().unwrap_or(original)
    }

    fn original(&self, variable: Term) -> Term {
        self.originals.get(&variable).copied().unwrap_or(variable)
    }

    fn abstracted(&mut self, terms: &mut Terms, root: Term) -> Term {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut stack = vec![(root, false)];
        while let Some((t, children_done)) = stack.pop() {
            if done.contains_key(&t) {
                continue;
            }
            if terms.op(t) == Op::Select {
                let cell = match self.cells.get(&t) {
                    Some(&cell) => cell,
                    None => {
                        let cell = terms.var(&format!("cell@{}", t.index()), terms.sort(t));
                        self.cells.insert(t, cell);
                        self.originals.insert(cell, t);
                        cell
                    }
                };
                done.insert(t, cell);
                continue;
            }
            if !children_done {
                stack.push((t, true));
                stack.extend(terms.children(t).iter().map(|&c| (c, false)));
                continue;
            }
            let children: Vec<Term> = terms.children(t).iter().map(|c| done[c]).collect();
            let new = if children == terms.children(t) {
                t
            } else {
                terms.rebuild(t, &children)
            };
            done.insert(t, new);
        }
        done[&root]
    }
}
