//! The program unrolled: where a run can be after so many steps between heads, all paths at once.

use super::blocks::Cutpoint;
use super::step::{steps_from, Heads, Step};
use super::Steps;
use prova_logic::{Substitution, Term, Terms};
use std::collections::BTreeMap;

/// Where a run can be: the condition for it, and the values of what was written, over everything
/// that was read.
#[derive(Clone, Debug)]
pub struct Standing {
    /// When a run is there.
    pub condition: Term,
    /// State variables and their values.
    pub values: BTreeMap<Term, Term>,
}

/// All runs of one length.
pub struct Unrolling<'p> {
    steps: &'p Steps,
    heads: Heads,
    from: BTreeMap<Cutpoint, Vec<Step>>,
    now: BTreeMap<Cutpoint, Standing>,
    length: u64,
}

impl<'p> Unrolling<'p> {
    /// Before the program starts.
    pub fn new(terms: &mut Terms, steps: &'p Steps) -> Unrolling<'p> {
        let start = Standing {
            condition: terms.tru(),
            values: BTreeMap::new(),
        };
        Unrolling {
            steps,
            heads: Heads::of(&steps.blocks),
            from: BTreeMap::new(),
            now: [(Cutpoint::START, start)].into(),
            length: 0,
        }
    }

    /// Steps taken.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Where runs of this length can be.
    pub fn standing(&self) -> &BTreeMap<Cutpoint, Standing> {
        &self.now
    }

    /// When a run of this length stands at an error.
    pub fn error(&self, terms: &mut Terms) -> Term {
        let errors = self.steps.blocks.errors.iter();
        let reached = errors.filter_map(|e| self.now.get(e));
        let conditions: Vec<Term> = reached.map(|s| s.condition).collect();
        terms.or(&conditions)
    }

    /// Takes one more step. What is read on it is new each time.
    pub fn advance(&mut self, terms: &mut Terms) {
        let mut next: BTreeMap<Cutpoint, Vec<Standing>> = BTreeMap::new();
        for (at, standing) in std::mem::take(&mut self.now) {
            if self.steps.blocks.errors.contains(&at) {
                continue;
            }
            let steps = self
                .from
                .entry(at)
                .or_insert_with(|| steps_from(terms, self.steps, &self.heads, at));
            for step in steps {
                let pairs: Vec<(Term, Term)> =
                    standing.values.iter().map(|(&v, &t)| (v, t)).collect();
                let mut now = Substitution::from_pairs(terms, &pairs);
                let read = step.inputs.iter().map(|i| i.var);
                for variable in read.chain(step.choices.iter().copied()) {
                    let sort = terms.sort(variable);
                    let anew = terms.fresh("read", sort);
                    now.insert(terms, variable, anew);
                }
                let taken = terms.substitute(step.condition, &mut now);
                let condition = terms.and(&[standing.condition, taken]);
                if terms.as_bool(condition) == Some(false) {
                    continue;
                }
                let mut values = standing.values.clone();
                for &(variable, value) in &step.updates {
                    values.insert(variable, terms.substitute(value, &mut now));
                }
                let standing = Standing { condition, values };
                next.entry(step.target).or_default().push(standing);
            }
        }
        self.now = next
            .into_iter()
            .map(|(at, ways)| (at, together(terms, ways)))
            .collect();
        self.length += 1;
    }
}

/// Several ways to the same place, which no run takes two of.
fn together(terms: &mut Terms, ways: Vec<Standing>) -> Standing {
    let mut ways = ways.into_iter();
    let mut all = ways.next().expect("somebody arrives");
    for way in ways {
        let mut variables: Vec<Term> = all.values.keys().copied().collect();
        variables.extend(way.values.keys());
        for v in variables {
            let old = all.values.get(&v).copied().unwrap_or(v);
            let new = way.values.get(&v).copied().unwrap_or(v);
            if old != new {
                all.values.insert(v, terms.ite(way.condition, new, old));
            }
        }
        all.condition = terms.or(&[all.condition, way.condition]);
    }
    all
}
