//! Interpolants from cvc5, place by place: between what a block makes of the interpolant before it
//! and what the rest of the path demands. For paths on which preconditions say too much and values
//! too little; it is a program of its own, so it costs more than the other ways.

use super::along::demands;
use super::formula::Core;
use super::{Desk, Interpolate, Question, Sequence};
use prova_logic::solver::interpolant;
use prova_logic::{Op, Sort, Substitution};
use std::time::Duration;

/// Longer paths are left to others.
const LONGEST: usize = 60;

/// The way: a program, and how long it may take for a place.
#[derive(Clone, Debug)]
pub struct Cvc5 {
    /// The program.
    pub program: String,
    /// Time for one place.
    pub time: Duration,
}

impl Default for Cvc5 {
    fn default() -> Self {
        Cvc5 {
            program: "cvc5".into(),
            time: Duration::from_secs(2),
        }
    }
}

impl Interpolate for Cvc5 {
    fn name(&self) -> &'static str {
        "cvc5"
    }

    fn propose(&mut self, desk: &mut Desk, question: &Question, core: &Core) -> Option<Sequence> {
        let n = question.path.len();
        if n > LONGEST {
            return None;
        }
        let demands = demands(desk, question, core)?;
        let terms = &mut *desk.terms;
        let mut sequence = vec![question.before.to_vec()];
        for k in 0..n.saturating_sub(1) {
            let demanded = terms.and(&demands[k + 1]);
            let goal = terms.not(demanded);
            if terms.as_bool(goal).is_some() {
                sequence.push(match terms.op(goal) {
                    Op::True => Vec::new(),
                    _ => vec![goal],
                });
                continue;
            }
            // The state behind the block has names of its own.
            let (mut given, mut behind) = (sequence[k].clone(), Substitution::new());
            let mut back = Substitution::new();
            given.extend(&core.guards[k]);
            let transition = desk.steps.transitions.get(question.path[k]);
            for variable in terms.free_vars(goal) {
                let sort = terms.sort(variable);
                if matches!(sort, Sort::Array { .. } | Sort::Float(_)) {
                    return None;
                }
                if terms.object(variable).is_some() {
                    continue;
                }
                let name = terms.fresh("behind", sort);
                behind.insert(terms, variable, name);
                back.insert(terms, name, variable);
                let value = transition.update(variable);
                given.push(terms.eq(name, value));
            }
            let goal = terms.substitute(goal, &mut behind);
            let found = interpolant(&self.program, terms, &given, goal, self.time)?;
            let found = terms.substitute(found, &mut back);
            let mut parts = terms.conjuncts(found);
            parts.retain(|&t| terms.op(t) != Op::True);
            sequence.push(parts);
        }
        sequence.push(vec![question.after]);
        Some(sequence)
    }
}
