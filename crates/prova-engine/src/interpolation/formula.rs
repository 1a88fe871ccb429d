//! A path as a formula: every condition on it as a term over what is read on the way.
//!
//! Where it has a model, the model is a test. Where it has none, the unsatisfiable core names the
//! conditions that exclude each other, and everything else on the path may be forgotten.

use super::{Desk, Question};
use crate::engines::values::refine::shrink;
use crate::problem::walk::Walk;
use crate::testing::forest::Real;
use prova_exec::transfer::Access;
use prova_logic::{Answer, Limit, Term};
use rustc_hash::FxHashSet;

/// The conditions of a path that exclude each other.
#[derive(Clone, Debug, Default)]
pub struct Core {
    /// Those of what was given before the path.
    pub before: Vec<Term>,
    /// Those of each block, over the state before it and what it reads.
    pub guards: Vec<Vec<Term>>,
}

/// What became of a path.
pub enum Judged {
    /// It can be run.
    Real(Box<Real>),
    /// It cannot.
    Impossible(Core),
    /// The solver gave up, or only what memory looks like excludes the path.
    Undecided(String),
}

/// A condition with where it comes from: nowhere for what was given.
struct Condition {
    place: Option<usize>,
    term: Term,
    value: Term,
}

/// Whether a path can be run such that what shall hold behind it does not. The solver's core is made
/// smaller by checks within `shrinking`, if that is given.
pub fn judge(desk: &mut Desk, question: &Question, shrinking: Option<Limit>) -> Judged {
    let terms = &mut *desk.terms;
    let (encoding, steps) = (&desk.problem.encoding, desk.steps);
    let transitions = &steps.transitions;
    let given = |&term: &Term| Condition {
        place: None,
        term,
        value: term,
    };
    let mut conditions: Vec<Condition> = question.before.iter().map(given).collect();
    let (mut start, mut inputs, mut edges) = (Vec::new(), Vec::new(), Vec::new());
    let mut accesses: Vec<Access> = Vec::new();
    let mut walk = Walk::default();
    for (k, &block) in question.path.iter().enumerate() {
        let read = walk.enter(terms, transitions, block);
        match k {
            0 => start.extend(read),
            _ => inputs.extend(read),
        }
        let transfer = &transitions.get(block).transfer;
        for &guard in &transfer.guard {
            for term in terms.conjuncts(guard) {
                let value = walk.term(terms, term);
                let place = Some(k);
                conditions.push(Condition { place, term, value });
            }
        }
        for access in &transfer.accesses {
            let address = walk.term(terms, access.address);
            accesses.push(Access { address, ..*access });
        }
        walk.leave(terms, transitions, block);
        edges.extend(&steps.blocks.block(block).edges);
    }
    let after = walk.term(terms, question.after);
    let outside = terms.not(after);
    let core = |blamed: &dyn Fn(&Condition) -> bool| {
        let mut core = Core {
            before: Vec::new(),
            guards: vec![Vec::new(); question.path.len()],
        };
        for condition in conditions.iter().filter(|c| blamed(c)) {
            match condition.place {
                Some(k) => core.guards[k].push(condition.term),
                None => core.before.push(condition.term),
            }
        }
        Judged::Impossible(core)
    };
    // Any condition that is false by itself is reason enough; the last one is the most particular.
    let no = terms.fals();
    if outside == no {
        return core(&|_| false);
    }
    if let Some(at) = conditions.iter().rposition(|c| c.value == no) {
        let found = &conditions[at] as *const Condition;
        return core(&|c| std::ptr::eq(c, found));
    }
    let mut query: Vec<Term> = conditions.iter().map(|c| c.value).collect();
    query.push(outside);
    let apart = encoding.separation(terms, &accesses);
    let roots = [&query[..], &apart[..]].concat();
    let axioms = encoding.axioms(terms, &roots);
    let mut seen = FxHashSet::default();
    let assumptions: Vec<Term> = conditions
        .iter()
        .rev()
        .flat_map(|c| terms.conjuncts(c.value))
        .filter(|&t| terms.as_bool(t).is_none() && seen.insert(t))
        .collect();
    let solver = &mut *desk.solver;
    solver.push();
    for &t in axioms.iter().chain([&outside]) {
        solver.assert(terms, t);
    }
    let judged = match solver.check(terms, &assumptions) {
        Answer::Unknown(reason) => Judged::Undecided(reason.to_string()),
        Answer::Unsat => {
            let blamed = match shrinking {
                Some(limit) => shrink(terms, solver, limit),
                None => solver.core().into_iter().collect(),
            };
            core(&|c| terms.conjuncts(c.value).iter().any(|p| blamed.contains(p)))
        }
        Answer::Sat => {
            // A model that keeps accesses apart is a test.
            for &t in &apart {
                solver.assert(terms, t);
            }
            query.extend(&axioms);
            query.extend(&apart);
            match solver.check(terms, &assumptions) {
                Answer::Unsat => Judged::Undecided("only types keep it from being run".into()),
                Answer::Unknown(reason) => Judged::Undecided(reason.to_string()),
                Answer::Sat => match solver.model(terms, &terms.free_vars_of(&query)) {
                    Ok(model) => Judged::Real(Box::new(Real {
                        model,
                        query,
                        start,
                        inputs,
                        edges,
                    })),
                    Err(e) => Judged::Undecided(e.to_string()),
                },
            }
        }
    };
    solver.pop(1);
    judged
}
