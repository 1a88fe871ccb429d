//! The steps of abstract states. [`crate::reach`] takes them, every step from every state that no
//! other covers, until an error is reached or nothing new is found. What is found then is closed
//! under the program's steps: a proof.

use super::ask::Asked;
use super::state::{abstracted, Cells, Precision, Reached, State};
use crate::problem::blocks::BlockId;
use crate::problem::live::Live;
use crate::problem::transitions::Transition;
use crate::problem::Steps;
use crate::reach::domain::{Domain, Post};
use crate::reach::graph::Graph;
use prova_logic::{Op, Substitution, Term, Terms};

/// Conditions inside values that are told apart in one step.
const SPLITS: u32 = 4;

/// The states that were found.
pub type States = Graph<State, Reached>;

/// What is kept of the program's states.
pub struct Kept {
    /// Which variables.
    pub precision: Precision,
    /// Those that matter at each cutpoint, in a fixed order.
    at: Vec<Vec<Term>>,
    cells: Cells,
}

impl Kept {
    /// What a precision keeps.
    pub fn new(steps: &Steps, precision: Precision) -> Kept {
        let kept = |live: &Live| {
            let values = precision.values.iter().copied();
            let mut kept: Vec<Term> = values.filter(|v| live.contains(v)).collect();
            kept.sort_unstable();
            kept
        };
        Kept {
            at: steps.live.iter().map(kept).collect(),
            precision,
            cells: Cells::default(),
        }
    }
}

/// Explicit values as a domain. States stay apart; one covers another if it knows less.
pub struct ValuesDomain<'a> {
    /// The program's steps.
    pub steps: &'a Steps,
    /// What is kept.
    pub kept: &'a mut Kept,
    /// Who knows what is possible.
    pub asked: &'a mut Asked,
}

impl Domain for ValuesDomain<'_> {
    type State = State;
    type Opened = Substitution;
    type Index = Reached;

    fn initial(&mut self, _: &mut Terms) -> State {
        State::default()
    }

    fn open(&mut self, terms: &mut Terms, state: &State) -> Substitution {
        state.substitution(terms)
    }

    fn covers(&mut self, _: &mut Terms, state: &State, other: &State) -> bool {
        state.covers(other)
    }

    fn post(
        &mut self,
        terms: &mut Terms,
        state: &State,
        substitution: &mut Substitution,
        block: BlockId,
    ) -> Post<State> {
        let blocks = &self.steps.blocks;
        let target = blocks.block(block).target;
        let Kept {
            precision,
            at,
            cells,
        } = &mut *self.kept;
        let transition = self.steps.transitions.get(block);
        let wanted = match blocks.errors.contains(&target) {
            true => None,
            false => Some(at[target.index()].as_slice()),
        };
        let mut through = Through {
            precision,
            cells,
            asked: self.asked,
        };
        through.post(terms, transition, wanted, state, substitution)
    }
}

/// What a step from state to state needs beside them.
pub struct Through<'a> {
    /// What is kept.
    pub precision: &'a Precision,
    /// Names of cells of which nothing is known.
    pub cells: &'a mut Cells,
    /// Who knows what is possible.
    pub asked: &'a mut Asked,
}

impl Through<'_> {
    /// The states behind a transition, with the values of the variables that are wanted there. If
    /// none are, that somebody arrives is enough.
    pub fn post(
        &mut self,
        terms: &mut Terms,
        transition: &Transition,
        wanted: Option<&[Term]>,
        state: &State,
        substitution: &mut Substitution,
    ) -> Post<State> {
        let (guard, assumed) = (&transition.transfer.guard, &transition.transfer.assumed);
        let mut literals = state.literals.clone();
        let old = literals.len();
        let (mut possible, mut traps) = (true, false);
        for g in guard {
            let t = terms.substitute(*g, substitution);
            match terms.op(t) {
                Op::True => continue,
                Op::False if assumed.contains(g) => possible = false,
                Op::False => traps = true,
                _ => {
                    for literal in terms.conjuncts(t) {
                        let negation = terms.not(literal);
                        possible &= !literals.contains(&negation);
                        if !literals.contains(&literal) {
                            literals.push(literal);
                        }
                    }
                }
            }
            if !possible {
                break;
            }
        }
        if !possible || self.asked.contradicts(terms, &literals, old) {
            return Post::Impossible;
        }
        if traps {
            return Post::Trap;
        }
        let Some(wanted) = wanted else {
            return Post::To(vec![State::default()]);
        };
        let mut values: Vec<(Term, Term)> = Vec::new();
        for &v in wanted {
            values.push((v, terms.substitute(transition.update(v), substitution)));
        }
        // A value with a condition in it is two values, each where its condition holds.
        let known = literals.len();
        let mut states = Vec::new();
        for (values, literals) in cases(terms, values, literals) {
            if self.asked.contradicts(terms, &literals, known) {
                continue;
            }
            let values = match self.precision.thorough() {
                true => self.asked.settled(terms, values, &literals),
                false => values,
            };
            states.push(abstracted(
                terms,
                self.precision,
                self.cells,
                &values,
                &literals,
            ));
        }
        Post::To(states)
    }
}

/// New values of variables, and the literals under which they have them.
type Case = (Vec<(Term, Term)>, Vec<Term>);

/// Splits values that depend on a condition, at most [`SPLITS`] conditions deep.
fn cases(terms: &mut Terms, values: Vec<(Term, Term)>, literals: Vec<Term>) -> Vec<Case> {
    let mut done = Vec::new();
    let mut open = vec![(values, literals, 0)];
    while let Some((values, literals, depth)) = open.pop() {
        let choice = values
            .iter()
            .find(|(_, v)| terms.op(*v) == Op::Ite)
            .map(|&(_, v)| terms.children(v)[0]);
        let Some(condition) = choice.filter(|_| depth < SPLITS) else {
            done.push((values, literals));
            continue;
        };
        for (branch, literal) in [(1, condition), (2, terms.not(condition))] {
            let negation = terms.not(literal);
            if literals.contains(&negation) {
                continue;
            }
            let pick = |&(variable, value): &(Term, Term)| {
                let chosen = terms.op(value) == Op::Ite && terms.children(value)[0] == condition;
                (
                    variable,
                    if chosen {
                        terms.children(value)[branch]
                    } else {
                        value
                    },
                )
            };
            let values: Vec<(Term, Term)> = values.iter().map(pick).collect();
            let mut literals = literals.clone();
            for part in terms.conjuncts(literal) {
                if !literals.contains(&part) {
                    literals.push(part);
                }
            }
            open.push((values, literals, depth + 1));
        }
    }
    done
}
