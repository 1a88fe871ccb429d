//! What the search asks the solver about states: whether one is possible, and whether a value in
//! it can only be one. The answers hold whatever is kept, so they last for the whole search.

use crate::engines::dash::SOLVER_LIFE;
use prova_logic::{Answer, Solver, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Conditions of this size, in nodes, are taken to be possible.
const PLAIN: usize = 12;

/// A question that the solver gives up on costs as much as so many.
const HARD: u64 = 50;

/// The questions so far, with their answers.
pub struct Asked {
    /// The solver; a question that it leaves open counts as *possible*.
    pub solver: Box<dyn Solver>,
    contradictions: FxHashMap<Vec<Term>, bool>,
    /// Those of them that the solver left open.
    open: Vec<Vec<Term>>,
    only: FxHashMap<(Term, Vec<Term>), Option<Term>>,
    /// What the questions cost, in easy ones.
    pub cost: u64,
}

impl Asked {
    /// Nothing was asked yet.
    pub fn new(solver: Box<dyn Solver>) -> Asked {
        Asked {
            solver,
            contradictions: FxHashMap::default(),
            open: Vec::new(),
            only: FxHashMap::default(),
            cost: 0,
        }
    }

    /// Whether the literals from `old` on contradict those before them or each other, by the
    /// solver; what it said is remembered. Only literals that share variables can.
    pub fn contradicts(&mut self, terms: &Terms, literals: &[Term], old: usize) -> bool {
        if old == literals.len() {
            return false;
        }
        let mut key: Vec<Term> = literals[old..].to_vec();
        let mut spoken: FxHashSet<Term> = terms.free_vars_of(&key).into_iter().collect();
        let mut silent: Vec<Term> = literals[..old].to_vec();
        loop {
            let before = silent.len();
            silent.retain(|&literal| {
                let variables = terms.free_vars(literal);
                let joins = variables.iter().any(|v| spoken.contains(v));
                if joins {
                    key.push(literal);
                    spoken.extend(variables);
                }
                !joins
            });
            if silent.len() == before {
                break;
            }
        }
        // A plain condition does not contradict itself.
        let plain = |t: Term| terms.size(t) <= PLAIN;
        if key.len() == 1 && plain(key[0]) {
            return false;
        }
        key.sort_unstable();
        if let Some(&known) = self.contradictions.get(&key) {
            return known;
        }
        if (self.contradictions.len() as u64 + 1).is_multiple_of(SOLVER_LIFE) {
            self.solver.reset();
        }
        self.solver.push();
        for &literal in &key {
            self.solver.assert(terms, literal);
        }
        let answer = self.solver.check(terms, &[]);
        self.solver.pop(1);
        self.cost += match answer {
            Answer::Unknown(_) => HARD,
            _ => 1,
        };
        if let Answer::Unknown(_) = answer {
            self.open.push(key.clone());
        }
        let contradiction = answer == Answer::Unsat;
        self.contradictions.insert(key, contradiction);
        contradiction
    }

    /// Forgets what the solver left open: it is given more room.
    pub fn ask_again(&mut self) {
        for key in std::mem::take(&mut self.open) {
            self.contradictions.remove(&key);
        }
    }

    /// Values that the literals leave one choice, as constants: what they are made of may not be
    /// known behind the step.
    pub fn settled(
        &mut self,
        terms: &mut Terms,
        mut values: Vec<(Term, Term)>,
        literals: &[Term],
    ) -> Vec<(Term, Term)> {
        let spoken: FxHashSet<Term> = terms.free_vars_of(literals).into_iter().collect();
        for (_, value) in &mut values {
            let scalar = matches!(terms.sort(*value), Sort::BitVec(width) if width <= 64);
            let compound = !terms.children(*value).is_empty();
            let constrained = terms.free_vars(*value).iter().any(|v| spoken.contains(v));
            if !scalar || !compound || !constrained {
                continue;
            }
            let key = (*value, literals.to_vec());
            let only = match self.only.get(&key) {
                Some(&known) => known,
                None => {
                    let only = only_value(terms, &mut *self.solver, *value, literals);
                    self.only.insert(key, only);
                    only
                }
            };
            *value = only.unwrap_or(*value);
        }
        values
    }
}

/// The one value that a term has where the literals hold, if there is one.
fn only_value(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    value: Term,
    literals: &[Term],
) -> Option<Term> {
    solver.reset();
    solver.push();
    for &literal in literals {
        solver.assert(terms, literal);
    }
    let mut only = None;
    if solver.check(terms, &[]) == Answer::Sat {
        let variables = terms.free_vars_of(&[literals, &[value]].concat());
        if let Ok(model) = solver.model(terms, &variables) {
            let constant = terms.eval(value, &model).as_u64();
            if let (Some(bits), Sort::BitVec(width)) = (constant, terms.sort(value)) {
                let constant = terms.bv(u128::from(bits), width);
                let other = terms.ne(value, constant);
                solver.assert(terms, other);
                only = (solver.check(terms, &[]) == Answer::Unsat).then_some(constant);
            }
        }
    }
    solver.pop(1);
    only
}
