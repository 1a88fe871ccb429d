//! The disjunctive step: all paths of a loop-free piece as one relation.
//!
//! The pieces lie between *heads*: the start, loop heads, errors and ends. Going through a piece in
//! topological order, every cutpoint has a condition under which it is reached and values for what
//! was written, over the state at the piece's beginning and what is read on the way; where paths
//! meet, values become if-then-elses. So a piece with thousands of paths is a term of its own size.
//!
//! What would be unsound: two ways out of a cutpoint that one state may both take, for then the
//! if-then-else loses one of them. Where guards do not plainly exclude each other, a fresh choice
//! decides.

use super::blocks::{BlockId, Blocks, Cutpoint};
use super::Steps;
use prova_exec::transfer::Input;
use prova_logic::{Sort, Substitution, Term, Terms};
use std::collections::BTreeMap;

/// What happens between two heads.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where it starts.
    pub source: Cutpoint,
    /// Where it ends.
    pub target: Cutpoint,
    /// When it is taken: over the state before it, its inputs and its choices.
    pub condition: Term,
    /// State variables and their new values, over the same.
    pub updates: Vec<(Term, Term)>,
    /// What is read.
    pub inputs: Vec<Input>,
    /// Which way was taken, where several could be.
    pub choices: Vec<Term>,
}

/// The heads of a program.
#[derive(Clone, Debug)]
pub struct Heads(Vec<bool>);

impl Heads {
    /// Finds them.
    pub fn of(blocks: &Blocks) -> Heads {
        let outgoing = blocks.outgoing();
        let mut head = vec![false; outgoing.len()];
        head[Cutpoint::START.index()] = true;
        for error in &blocks.errors {
            head[error.index()] = true;
        }
        // A loop is entered where a walk comes back to what it is inside of.
        let (mut inside, mut done) = (vec![false; head.len()], vec![false; head.len()]);
        let mut stack = vec![(Cutpoint::START, 0)];
        inside[Cutpoint::START.index()] = true;
        while let Some((at, next)) = stack.last_mut() {
            let at = *at;
            head[at.index()] |= outgoing[at.index()].is_empty();
            let Some(&block) = outgoing[at.index()].get(*next) else {
                inside[at.index()] = false;
                done[at.index()] = true;
                stack.pop();
                continue;
            };
            *next += 1;
            let target = blocks.block(block).target;
            if inside[target.index()] {
                head[target.index()] = true;
            } else if !done[target.index()] {
                inside[target.index()] = true;
                stack.push((target, 0));
            }
        }
        Heads(head)
    }

    /// Whether a cutpoint is one.
    pub fn contains(&self, cutpoint: Cutpoint) -> bool {
        self.0[cutpoint.index()]
    }
}

/// A way that arrives at a cutpoint.
struct Arrival {
    condition: Term,
    values: BTreeMap<Term, Term>,
}

/// The steps out of a head, one for each head that can be reached without passing another.
pub fn steps_from(terms: &mut Terms, steps: &Steps, heads: &Heads, source: Cutpoint) -> Vec<Step> {
    let outgoing = steps.blocks.outgoing();
    let mut arrivals: BTreeMap<Cutpoint, Vec<Arrival>> = BTreeMap::new();
    let (mut inputs, mut choices) = (Vec::new(), Vec::new());
    for at in order(steps, heads, &outgoing, source) {
        let here = match at == source {
            true => Arrival {
                condition: terms.tru(),
                values: BTreeMap::new(),
            },
            false => merged(terms, arrivals.remove(&at).unwrap_or_default()),
        };
        let pairs: Vec<(Term, Term)> = here.values.iter().map(|(&v, &t)| (v, t)).collect();
        let mut substitution = Substitution::from_pairs(terms, &pairs);
        let chosen = chosen(terms, steps, &outgoing[at.index()], &mut choices);
        for (&block, chosen) in outgoing[at.index()].iter().zip(chosen) {
            let transfer = &steps.transitions.get(block).transfer;
            inputs.extend(transfer.inputs.iter().cloned());
            let mut conjuncts = vec![here.condition, chosen];
            for &guard in &transfer.guard {
                conjuncts.push(terms.substitute(guard, &mut substitution));
            }
            let mut values = here.values.clone();
            for &(variable, value) in &transfer.updates {
                values.insert(variable, terms.substitute(value, &mut substitution));
            }
            let condition = terms.and(&conjuncts);
            if terms.as_bool(condition) == Some(false) {
                continue;
            }
            let target = steps.blocks.block(block).target;
            let arrival = Arrival { condition, values };
            arrivals.entry(target).or_default().push(arrival);
        }
    }
    let mut found = Vec::new();
    for (target, ways) in arrivals {
        let Arrival { condition, values } = merged(terms, ways);
        let updates: Vec<(Term, Term)> = values.into_iter().filter(|(v, t)| v != t).collect();
        found.push(Step {
            source,
            target,
            condition,
            updates,
            inputs: inputs.clone(),
            choices: choices.clone(),
        });
    }
    found
}

/// The cutpoints of a piece, each behind all that lead to it; heads are not passed.
fn order(
    steps: &Steps,
    heads: &Heads,
    outgoing: &[Vec<BlockId>],
    source: Cutpoint,
) -> Vec<Cutpoint> {
    let mut order = Vec::new();
    let mut seen = vec![false; outgoing.len()];
    seen[source.index()] = true;
    let mut stack = vec![(source, 0)];
    while let Some((at, next)) = stack.last_mut() {
        match outgoing[at.index()].get(*next) {
            Some(&block) => {
                *next += 1;
                let target = steps.blocks.block(block).target;
                let pass = !heads.contains(target);
                if pass && !std::mem::replace(&mut seen[target.index()], true) {
                    stack.push((target, 0));
                }
            }
            None => {
                order.push(*at);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

fn merged(terms: &mut Terms, ways: Vec<Arrival>) -> Arrival {
    let conditions: Vec<Term> = ways.iter().map(|w| w.condition).collect();
    let mut variables: Vec<Term> = ways.iter().flat_map(|w| w.values.keys().copied()).collect();
    variables.sort_unstable();
    variables.dedup();
    let mut values = BTreeMap::new();
    for variable in variables {
        let mut ways = ways.iter().rev();
        let of = |way: &Arrival| way.values.get(&variable).copied().unwrap_or(variable);
        let mut value = ways.next().map_or(variable, of);
        for way in ways {
            value = terms.ite(way.condition, of(way), value);
        }
        values.insert(variable, value);
    }
    Arrival {
        condition: terms.or(&conditions),
        values,
    }
}

/// A condition for each way out, so that no state takes two of them.
pub(super) fn chosen(
    terms: &mut Terms,
    steps: &Steps,
    ways: &[BlockId],
    choices: &mut Vec<Term>,
) -> Vec<Term> {
    let mut found = Vec::with_capacity(ways.len());
    let mut passed_over: Vec<Term> = Vec::new();
    for (i, &block) in ways.iter().enumerate() {
        let mut others = ways[i + 1..].iter();
        let free = others.any(|&other| !exclude(terms, steps, block, other));
        let mut conjuncts = passed_over.clone();
        if free {
            let choice = terms.fresh("choice", Sort::Bool);
            choices.push(choice);
            conjuncts.push(choice);
            passed_over.push(terms.not(choice));
        }
        found.push(terms.and(&conjuncts));
    }
    found
}

/// Whether it is plain that no state takes both blocks.
fn exclude(terms: &mut Terms, steps: &Steps, one: BlockId, other: BlockId) -> bool {
    let guard = |b: BlockId| &steps.transitions.get(b).transfer.guard;
    guard(one).iter().any(|&g| {
        let negation = terms.not(g);
        guard(other).contains(&negation)
    })
}
