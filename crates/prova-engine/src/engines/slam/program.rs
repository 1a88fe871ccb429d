//! The Boolean program: a variable for each predicate, and what blocks do to them (Ball, Majumdar,
//! Millstein, Rajamani, *Automatic Predicate Abstraction of C Programs*, PLDI 2001).
//!
//! A block is taken unless a cube of predicates implies that it is not. Behind it a predicate is true
//! if a cube implies its weakest precondition, false if a cube implies that of its negation, and
//! anything (`*`) otherwise: that is `choose(yes, no)` of the paper. With Boolean abstraction a block
//! is the relation of all combinations before and behind it instead.
//!
//! The paper asks of one cube after another whether it implies a condition (section 5.2), up to three
//! literals. Here the solver lists the combinations of predicates with which the condition can hold,
//! and those with which it cannot: predicates that exclude each other, as the values of a counter do,
//! have few. Cubes are read off the two lists.
//!
//! What would be unsound: a combination that is missing in a list. So if a list is not complete there
//! is no cube.

use crate::engines::lazy::domain::Abstraction;
use crate::engines::lazy::questions::Questions;
use crate::problem::blocks::BlockId;
use crate::problem::{Problem, Steps};
use prova_logic::{Answer, Solver, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// A predicate, by its number, and whether it holds.
pub type Literal = (usize, bool);
/// Literals that hold together.
pub type Cube = Vec<Literal>;
/// Any of these cubes.
pub type Cubes = Vec<Cube>;

/// Predicates that are looked at for one condition, at most.
const CONE: usize = 24;
/// And if they have too many combinations.
const SMALL_CONE: usize = 6;
/// Combinations in one list.
const COMBINATIONS: usize = 100;

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
    /// Lists that were made before.
    pub lists: &'a mut Lists,
    /// What combinations are kept.
    pub abstraction: Abstraction,
}

/// Which of some terms hold.
type Combination = Vec<bool>;

/// All combinations of terms with which conditions can hold, as far as was asked; none where they
/// are too many.
pub type Lists = FxHashMap<(Vec<Term>, Vec<Term>), Option<Vec<Combination>>>;

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
            excluded.extend(self.excluded(terms, predicates, &[condition]));
        }
        if guard.len() > 1 {
            excluded.extend(self.excluded(terms, predicates, &guard));
        }
        shortest(&mut excluded);
        let mut assignments = Vec::new();
        for &predicate in predicates {
            let before = transitions.preimage(terms, block, predicate);
            if before == predicate {
                assignments.push(Assignment::Keep);
                continue;
            }
            let (yes, no) = self.chosen(terms, predicates, &guard, before);
            assignments.push(Assignment::Choose { yes, no });
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

    /// Cubes that imply a condition where a context holds, and cubes that imply its negation.
    fn chosen(
        &mut self,
        terms: &mut Terms,
        predicates: &[Term],
        context: &[Term],
        condition: Term,
    ) -> (Cubes, Cubes) {
        match terms.as_bool(condition) {
            Some(true) => return (vec![Vec::new()], Vec::new()),
            Some(false) => return (Vec::new(), vec![Vec::new()]),
            None => {}
        }
        let mut with = context.to_vec();
        with.push(condition);
        let mut without = context.to_vec();
        without.push(terms.not(condition));
        for most in [CONE, SMALL_CONE] {
            let cone = cone(terms, predicates, context, condition, most);
            let of: Vec<Term> = cone.iter().map(|&i| predicates[i]).collect();
            let Some(holds) = self.combinations(terms, &with, &of) else {
                continue;
            };
            let Some(fails) = self.combinations(terms, &without, &of) else {
                continue;
            };
            let only = |these: &[Combination], others: &[Combination]| {
                let only = these.iter().filter(|c| !others.contains(c));
                cubes(&cone, &only.cloned().collect::<Vec<_>>(), others)
            };
            return (only(&holds, &fails), only(&fails, &holds));
        }
        (Vec::new(), Vec::new())
    }

    /// Cubes with which conditions cannot hold.
    fn excluded(&mut self, terms: &mut Terms, predicates: &[Term], conditions: &[Term]) -> Cubes {
        let all = terms.and(conditions);
        match terms.as_bool(all) {
            Some(true) => return Vec::new(),
            Some(false) => return vec![Vec::new()],
            None => {}
        }
        for most in [CONE, SMALL_CONE] {
            let cone = cone(terms, predicates, &[], all, most);
            let of: Vec<Term> = cone.iter().map(|&i| predicates[i]).collect();
            let Some(any) = self.combinations(terms, &[], &of) else {
                continue;
            };
            let Some(holds) = self.combinations(terms, conditions, &of) else {
                continue;
            };
            let out = any.into_iter().filter(|c| !holds.contains(c));
            return cubes(&cone, &out.collect::<Vec<_>>(), &holds);
        }
        Vec::new()
    }

    /// All combinations of terms with which conditions can hold; none if the solver gives up, or they
    /// are too many.
    fn combinations(
        &mut self,
        terms: &mut Terms,
        conditions: &[Term],
        of: &[Term],
    ) -> Option<Vec<Combination>> {
        let key = (conditions.to_vec(), of.to_vec());
        if let Some(known) = self.lists.get(&key) {
            return known.clone();
        }
        let roots = [conditions, of].concat();
        let axioms = self.problem.encoding.axioms(terms, &roots);
        let variables = terms.free_vars_of(&roots);
        self.solver.reset();
        self.solver.push();
        for &t in conditions.iter().chain(&axioms) {
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
            let holds = |&t: &Term| terms.eval(t, &model).as_bool() == Some(true);
            let combination: Combination = of.iter().map(holds).collect();
            let literals = of.iter().zip(&combination);
            let literals: Vec<Term> = literals.map(|(&t, &h)| literal(terms, t, h)).collect();
            let cube = terms.and(&literals);
            // A model that is not what it says would be found again and again.
            if found.contains(&combination) || found.len() >= COMBINATIONS {
                break false;
            }
            found.push(combination);
            let other = terms.not(cube);
            self.solver.assert(terms, other);
        };
        self.solver.pop(1);
        let list = complete.then_some(found);
        self.lists.insert(key, list.clone());
        list
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
        let read = cone(terms, predicates, &[], all, CONE);
        let mut of: Vec<Term> = read.iter().map(|&i| predicates[i]).collect();
        of.extend(&written);
        let found = self.combinations(terms, guard, &of)?;
        let pair = |combination: Combination| {
            let (before, behind) = combination.split_at(read.len());
            let cube = |at: &[usize], holds: &[bool]| {
                at.iter().copied().zip(holds.iter().copied()).collect()
            };
            (cube(&read, before), cube(&touched, behind))
        };
        Some(found.into_iter().map(pair).collect())
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
/// does; nearer ones if there are too many. By number.
fn cone(
    terms: &Terms,
    predicates: &[Term],
    context: &[Term],
    condition: Term,
    most: usize,
) -> Vec<usize> {
    let mut spoken: FxHashSet<Term> = terms.free_vars(condition).into_iter().collect();
    let mut found: Vec<usize> = Vec::new();
    loop {
        let mut new: Vec<Term> = Vec::new();
        let shares = |t: Term| terms.free_vars(t).iter().any(|v| spoken.contains(v));
        for (i, &predicate) in predicates.iter().enumerate() {
            if found.len() < most && !found.contains(&i) && shares(predicate) {
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

/// Short cubes over numbered predicates that hold of all of some combinations, and of none of others.
/// What is in neither list cannot be, and may be covered or not.
fn cubes(numbers: &[usize], these: &[Combination], others: &[Combination]) -> Cubes {
    let mut found: Cubes = Vec::new();
    let holds = |cube: &[(usize, bool)], of: &Combination| cube.iter().all(|&(k, h)| of[k] == h);
    let mut made: Vec<Vec<(usize, bool)>> = Vec::new();
    for combination in these {
        if made.iter().any(|cube| holds(cube, combination)) {
            continue;
        }
        let mut cube: Vec<(usize, bool)> = combination.iter().copied().enumerate().collect();
        // What does not hold says less than what does.
        let order = cube.clone().into_iter();
        let (positive, negative): (Vec<_>, Vec<_>) = order.partition(|l| l.1);
        for literal in negative.into_iter().chain(positive) {
            let fewer: Vec<_> = cube.iter().copied().filter(|l| *l != literal).collect();
            if !others.iter().any(|other| holds(&fewer, other)) {
                cube = fewer;
            }
        }
        found.push(cube.iter().map(|&(k, h)| (numbers[k], h)).collect());
        made.push(cube);
    }
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
