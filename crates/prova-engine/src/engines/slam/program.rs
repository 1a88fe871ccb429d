//! The Boolean program: a variable for each predicate, and what blocks do to them (Ball, Majumdar,
//! Millstein, Rajamani, *Automatic Predicate Abstraction of C Programs*, PLDI 2001).
//!
//! A block is taken unless a cube of predicates implies that it is not. Behind it a predicate is true
//! if a cube implies its weakest precondition, false if a cube implies that of its negation, and
//! anything (`*`) otherwise: that is `choose(yes, no)` of the paper, with cubes up to a length
//! (section 5.2), shorter ones first. With Boolean abstraction a block is the relation of all
//! combinations before and behind it instead.
//!
//! What would be unsound: a cube that does not imply what it stands for. So what a solver leaves open
//! is no cube.

use crate::engines::lazy::domain::Abstraction;
use crate::engines::lazy::questions::Questions;
use crate::problem::blocks::BlockId;
use crate::problem::{Problem, Steps};
use prova_logic::{Answer, Op, Solver, Term, Terms};
use rustc_hash::FxHashSet;

/// A predicate, by its number, and whether it holds.
pub type Literal = (usize, bool);
/// Literals that hold together.
pub type Cube = Vec<Literal>;
/// Any of these cubes.
pub type Cubes = Vec<Cube>;

/// Predicates that are looked at for one condition, at most.
const CONE: usize = 10;
/// Combinations of one block under Boolean abstraction, at most; then it is Cartesian.
const COMBINATIONS: usize = 300;

/// What becomes of a predicate on a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assignment {
    /// The block does not touch it.
    Keep,
    /// True, false, or anything.
    Choose {
        /// When it is true.
        yes: Cubes,
        /// When it is false.
        no: Cubes,
    },
}

/// A block over predicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BooleanBlock {
    /// When it cannot be taken.
    pub excluded: Cubes,
    /// What becomes of each predicate.
    pub assignments: Vec<Assignment>,
    /// Instead of the others: combinations before it, with what they become.
    pub relation: Option<Vec<(Cube, Cube)>>,
}

/// A program over predicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BooleanProgram {
    /// What its variables stand for.
    pub predicates: Vec<Term>,
    /// Its blocks.
    pub blocks: Vec<BooleanBlock>,
    /// Literals that no state has together.
    pub enforce: Cubes,
}

/// Who makes Boolean programs.
pub struct Abstractor<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// Its steps.
    pub steps: &'a Steps,
    /// A solver with a limit.
    pub solver: &'a mut dyn Solver,
    /// What was asked before.
    pub questions: &'a mut Questions,
    /// What combinations are kept.
    pub abstraction: Abstraction,
    /// The longest cubes.
    pub longest: usize,
}

impl Abstractor<'_> {
    /// The Boolean program of these predicates; `None` if told to stop.
    pub fn abstracted(
        &mut self,
        terms: &mut Terms,
        predicates: &[Term],
        mut stop: impl FnMut() -> bool,
    ) -> Option<BooleanProgram> {
        let mut blocks = Vec::new();
        for block in self.steps.blocks.ids() {
            if stop() {
                return None;
            }
            blocks.push(self.block(terms, predicates, block));
        }
        let mut enforce = Vec::new();
        for (i, &one) in predicates.iter().enumerate() {
            for (j, &other) in predicates.iter().enumerate().skip(i + 1) {
                let spoken = terms.free_vars(one);
                if !terms.free_vars(other).iter().any(|v| spoken.contains(v)) {
                    continue;
                }
                for (a, b) in [(true, true), (true, false), (false, true), (false, false)] {
                    let pair = [literal(terms, one, a), literal(terms, other, b)];
                    if !self.possible(terms, &[], &pair) {
                        enforce.push(vec![(i, a), (j, b)]);
                    }
                }
            }
        }
        Some(BooleanProgram {
            predicates: predicates.to_vec(),
            blocks,
            enforce,
        })
    }

    fn block(&mut self, terms: &mut Terms, predicates: &[Term], block: BlockId) -> BooleanBlock {
        let transitions = &self.steps.transitions;
        let mut guard = Vec::new();
        for &g in transitions.guard(block) {
            guard.extend(terms.conjuncts(g));
        }
        let mut excluded = Vec::new();
        for &condition in &guard {
            let negation = terms.not(condition);
            excluded.extend(self.cubes(terms, predicates, &[], negation));
        }
        shortest(&mut excluded);
        let mut assignments = Vec::new();
        for &predicate in predicates {
            let before = transitions.preimage(terms, block, predicate);
            if before == predicate {
                assignments.push(Assignment::Keep);
                continue;
            }
            let negation = terms.not(before);
            assignments.push(Assignment::Choose {
                yes: self.cubes(terms, predicates, &guard, before),
                no: self.cubes(terms, predicates, &guard, negation),
            });
        }
        let relation = match self.abstraction {
            Abstraction::Cartesian => None,
            Abstraction::Boolean => self.relation(terms, predicates, block, &guard, &assignments),
        };
        BooleanBlock {
            excluded,
            assignments,
            relation,
        }
    }

    /// The shortest cubes that imply a condition where a context holds, and are possible there.
    fn cubes(
        &mut self,
        terms: &mut Terms,
        predicates: &[Term],
        context: &[Term],
        condition: Term,
    ) -> Cubes {
        let outside = terms.not(condition);
        if terms.op(condition) == Op::False {
            return Vec::new();
        }
        if !self.possible(terms, context, &[outside]) {
            return vec![Vec::new()];
        }
        let cone = cone(terms, predicates, context, condition);
        let mut found: Cubes = Vec::new();
        let mut candidates: Cubes = vec![Vec::new()];
        for _ in 0..self.longest.min(cone.len()) {
            let mut longer = Vec::new();
            for cube in &candidates {
                let after = cube.last().map_or(0, |l| l.0 + 1);
                for &i in cone.iter().filter(|&&i| i >= after) {
                    for holds in [true, false] {
                        let mut cube = cube.clone();
                        cube.push((i, holds));
                        if found.iter().any(|f| f.iter().all(|l| cube.contains(l))) {
                            continue;
                        }
                        let mut all: Vec<Term> = context.to_vec();
                        let of = |&(i, holds): &Literal| literal(terms, predicates[i], holds);
                        all.extend(cube.iter().map(of));
                        if !self.possible(terms, &all, &[outside]) {
                            // What is never the case implies everything.
                            let last = all.len() - 1;
                            if self.possible(terms, &all[..last], &all[last..]) {
                                found.push(cube);
                            }
                        } else {
                            longer.push(cube);
                        }
                    }
                }
            }
            candidates = longer;
        }
        found
    }

    /// All combinations of what a block reads and writes, if they are not too many.
    fn relation(
        &mut self,
        terms: &mut Terms,
        predicates: &[Term],
        block: BlockId,
        guard: &[Term],
        assignments: &[Assignment],
    ) -> Option<Vec<(Cube, Cube)>> {
        let transitions = &self.steps.transitions;
        let touched = (0..predicates.len()).filter(|&i| assignments[i] != Assignment::Keep);
        let touched: Vec<usize> = touched.collect();
        let mut written = Vec::new();
        for &i in &touched {
            written.push(transitions.preimage(terms, block, predicates[i]));
        }
        let mut spoken = guard.to_vec();
        spoken.extend(&written);
        let all = terms.and(&spoken);
        let read = cone(terms, predicates, &[], all);
        let mut roots = spoken;
        roots.extend(read.iter().map(|&i| predicates[i]));
        let axioms = self.problem.encoding.axioms(terms, &roots);
        let variables = terms.free_vars_of(&roots);
        self.solver.push();
        for &t in guard.iter().chain(&axioms) {
            self.solver.assert(terms, t);
        }
        let mut found = Vec::new();
        let complete = loop {
            self.questions.count += 1;
            match self.solver.check(terms, &[]) {
                Answer::Unsat => break true,
                Answer::Unknown(_) => break false,
                Answer::Sat => {}
            }
            let Ok(model) = self.solver.model(terms, &variables) else {
                break false;
            };
            let holds = |t: Term| terms.eval(t, &model).as_bool() == Some(true);
            let before: Cube = read.iter().map(|&i| (i, holds(predicates[i]))).collect();
            let values = touched.iter().zip(&written);
            let behind: Cube = values.map(|(&i, &t)| (i, holds(t))).collect();
            let mut cube = Vec::new();
            for &(i, holds) in &before {
                cube.push(literal(terms, predicates[i], holds));
            }
            for (&t, &(_, holds)) in written.iter().zip(&behind) {
                cube.push(literal(terms, t, holds));
            }
            let cube = terms.and(&cube);
            let other = terms.not(cube);
            self.solver.assert(terms, other);
            found.push((before, behind));
            if found.len() > COMBINATIONS {
                break false;
            }
        };
        self.solver.pop(1);
        complete.then_some(found)
    }

    fn possible(&mut self, terms: &mut Terms, context: &[Term], conditions: &[Term]) -> bool {
        let encoding = &self.problem.encoding;
        self.questions
            .possible(encoding, terms, self.solver, context, conditions)
    }
}

fn literal(terms: &mut Terms, t: Term, holds: bool) -> Term {
    match holds {
        true => t,
        false => terms.not(t),
    }
}

/// The predicates that have to do with a condition: they share variables with it, or with one that
/// does; nearer ones first if there are too many. By number.
fn cone(terms: &Terms, predicates: &[Term], context: &[Term], condition: Term) -> Vec<usize> {
    let mut spoken: FxHashSet<Term> = terms.free_vars(condition).into_iter().collect();
    let mut found: Vec<usize> = Vec::new();
    loop {
        let mut new: Vec<Term> = Vec::new();
        let shares = |t: Term| terms.free_vars(t).iter().any(|v| spoken.contains(v));
        for (i, &predicate) in predicates.iter().enumerate() {
            if found.len() < CONE && !found.contains(&i) && shares(predicate) {
                found.push(i);
                new.extend(terms.free_vars(predicate));
            }
        }
        for &t in context.iter().filter(|&&t| shares(t)) {
            new.extend(terms.free_vars(t));
        }
        let before = spoken.len();
        spoken.extend(new);
        if spoken.len() == before {
            break;
        }
    }
    found.sort_unstable();
    found
}

/// Leaves cubes that no other is a part of.
fn shortest(cubes: &mut Cubes) {
    cubes.sort_by_key(Vec::len);
    let mut kept: Cubes = Vec::new();
    for cube in std::mem::take(cubes) {
        if !kept.iter().any(|k| k.iter().all(|l| cube.contains(l))) {
            kept.push(cube);
        }
    }
    *cubes = kept;
}
