//! Is the path to an error real? If not: which variables show that it is not?
//!
//! The path is one conjunction over the inputs that are read on it. Where it is satisfiable, the
//! model is a test. Otherwise the unsatisfiable core names the branches that exclude each other,
//! and going back along the path from those tells the variables that carry the conflict.

use super::state::Precision;
use crate::problem::alias::{resolve, Known};
use crate::problem::blocks::{BlockId, Blocks};
use crate::problem::encoding::Encoding;
use crate::problem::transitions::Transitions;
use crate::problem::walk::Walk;
use crate::testing::forest::Real;
use prova_exec::state_vars::StateVar;
use prova_exec::transfer::Access;
use prova_ir::{RegId, Role, Span, Type};
use prova_logic::{Answer, Limit, Solver, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Checks that may be spent on a smaller core.
const MOST_CHECKS: usize = 100;
/// So many that the limit ends are enough: the core is a hard one.
const MOST_UNDECIDED: usize = 3;

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

impl Judgement {
    /// How many variables would have to be kept that are not.
    fn new_to(&self, precision: &Precision) -> usize {
        match self {
            Judgement::Spurious { variables, .. } => variables
                .iter()
                .filter(|v| !precision.values.contains(v))
                .count(),
            _ => 0,
        }
    }
}

/// A path from the start to be judged.
pub struct Suspect<'a> {
    /// Its blocks.
    pub path: &'a [BlockId],
    /// Whether the last one traps: then that is not asked of it.
    pub trapping: bool,
}

/// Who judges.
pub struct Judge {
    /// The solver that is asked about whole paths.
    pub solver: Box<dyn Solver>,
    /// The limit of checks that only make a reason smaller.
    pub shrinking: Limit,
    /// The last path that could not be run: it may come again, where more variables are kept and
    /// still do not show it.
    pub last: Option<Refuted>,
}

/// A path that cannot be run.
pub struct Refuted {
    path: Vec<BlockId>,
    trapping: bool,
    /// The conditions that exclude each other, with the blocks that have them.
    blamed: Vec<(usize, Term)>,
}

/// A condition on the path.
struct Guard {
    /// The block, and the condition as it has it.
    at: (usize, Term),
    /// The condition over the path's inputs.
    term: Term,
    /// Conditions before it that tell which addresses in it are the same.
    rests_on: Vec<usize>,
}

/// These conditions and those that they rest on, in the path's order.
fn blame(guards: &[Guard], these: impl IntoIterator<Item = usize>) -> Vec<(usize, Term)> {
    let mut blamed = vec![false; guards.len()];
    for i in these {
        blamed[i] = true;
    }
    // A condition rests on earlier ones only.
    for i in (0..guards.len()).rev() {
        if blamed[i] {
            guards[i].rests_on.iter().for_each(|&k| blamed[k] = true);
        }
    }
    let blamed = guards.iter().zip(blamed).filter(|(_, blamed)| *blamed);
    blamed.map(|(guard, _)| guard.at).collect()
}

/// Judges a path.
pub fn judge(
    encoding: &Encoding,
    terms: &mut Terms,
    transitions: &Transitions,
    blocks: &Blocks,
    suspect: Suspect,
    precision: &Precision,
    judge: &mut Judge,
) -> Judgement {
    let Suspect { path, trapping } = suspect;
    let mut walk = Walk::default();
    let mut guards: Vec<Guard> = Vec::new();
    let mut known: FxHashSet<Term> = FxHashSet::default();
    let mut origin: FxHashMap<Term, usize> = FxHashMap::default();
    let (mut start, mut inputs, mut edges) = (Vec::new(), Vec::new(), Vec::new());
    let mut accesses: Vec<Access> = Vec::new();
    let mut closed: Vec<usize> = Vec::new();
    for (k, &block) in path.iter().enumerate() {
        let read = walk.enter(terms, transitions, block);
        if k == 0 {
            start.extend(read);
        } else {
            inputs.extend(read);
        }
        let transfer = transitions.get(block).transfer.clone();
        let asked = if trapping && k + 1 == path.len() {
            &transfer.assumed
        } else {
            &transfer.guard
        };
        for &guard in asked {
            let t = walk.term(terms, guard);
            // What is read is what was written before, as far as the guards before this one tell
            // which addresses are the same.
            let resolved = resolve(terms, t, &mut Known(&known));
            for part in terms.conjuncts(t) {
                origin.entry(part).or_insert(guards.len());
                known.insert(part);
            }
            let rests_on = resolved.alpha.iter().filter_map(|a| origin.get(a));
            guards.push(Guard {
                at: (k, guard),
                term: resolved.term,
                rests_on: rests_on.copied().collect(),
            });
            if resolved.term == terms.fals() {
                // Go on: the rest of the path may hold more such places.
                closed.push(guards.len() - 1);
            }
        }
        for access in &transfer.accesses {
            let address = walk.term(terms, access.address);
            accesses.push(Access { address, ..*access });
        }
        walk.leave(terms, transitions, block);
        edges.extend(&blocks.block(block).edges);
    }
    // Each of these is reason enough: the one that takes the least to see.
    let reasons = closed
        .iter()
        .map(|&guard| blame(&guards, [guard]))
        .map(|blamed| spurious(terms, transitions, encoding, path, &blamed));
    if let Some(least) = reasons.min_by_key(|r| r.new_to(precision)) {
        return least;
    }
    let again = |last: &&Refuted| last.path == path && last.trapping == trapping;
    if let Some(last) = judge.last.as_ref().filter(again) {
        return spurious(terms, transitions, encoding, path, &last.blamed);
    }
    let mut asserted = encoding.separation(terms, &accesses);
    let mut query: Vec<Term> = guards.iter().map(|g| g.term).collect();
    query.extend(&asserted);
    let axioms = encoding.axioms(terms, &query);
    asserted.extend(axioms);
    let mut assumptions: Vec<Term> = Vec::new();
    let mut seen = FxHashSet::default();
    for guard in guards.iter().rev() {
        for c in terms.conjuncts(guard.term) {
            if terms.as_bool(c).is_none() && seen.insert(c) {
                assumptions.push(c);
            }
        }
    }
    let solver = &mut *judge.solver;
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
            let core = shrink(terms, solver, judge.shrinking);
            let in_core = guards.iter().enumerate().filter(|(_, guard)| {
                let parts = terms.conjuncts(guard.term);
                parts.iter().any(|c| core.contains(c))
            });
            let blamed = blame(&guards, in_core.map(|(i, _)| i));
            let judgement = spurious(terms, transitions, encoding, path, &blamed);
            let path = path.to_vec();
            judge.last = Some(Refuted {
                path,
                trapping,
                blamed,
            });
            judgement
        }
    };
    judge.solver.pop(1);
    judgement
}

/// A core of the last check, without what it can do without as far as a few more checks within a
/// limit tell.
pub fn shrink(terms: &mut Terms, solver: &mut dyn Solver, limit: Limit) -> FxHashSet<Term> {
    let mut core = solver.core();
    solver.set_limit(limit);
    let (mut at, mut undecided) = (0, 0);
    for _ in 0..MOST_CHECKS {
        if at == core.len() || undecided == MOST_UNDECIDED {
            break;
        }
        let mut fewer = core.clone();
        fewer.remove(at);
        match solver.check(terms, &fewer) {
            Answer::Unsat => {
                let left: FxHashSet<Term> = solver.core().into_iter().collect();
                // What stands before `at` is needed, and stays where it is.
                core.retain(|t| left.contains(t));
                at = at.min(core.len());
            }
            answer => {
                undecided += usize::from(answer != Answer::Sat);
                at += 1;
            }
        }
    }
    core.into_iter().collect()
}

fn spurious(
    terms: &Terms,
    transitions: &Transitions,
    encoding: &Encoding,
    path: &[BlockId],
    blamed: &[(usize, Term)],
) -> Judgement {
    Judgement::Spurious {
        variables: carriers(terms, transitions, encoding, path, blamed),
        blamed: blamed.iter().map(|b| b.1).collect(),
    }
}

/// Variables through which the blamed guards of a path depend on what came before.
pub fn carriers(
    terms: &Terms,
    transitions: &Transitions,
    encoding: &Encoding,
    path: &[BlockId],
    blamed: &[(usize, Term)],
) -> Vec<Term> {
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
