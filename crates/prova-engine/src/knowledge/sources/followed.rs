//! Facts about followed cells: what the text stores in arrays or compares elements with, for the part
//! of the array that a loop has been through (`lo <= position < hi ==> fact of the content`). With the
//! position arbitrary, each is a fact of all cells (Flanagan and Qadeer, *Predicate Abstraction for
//! Software Verification*, POPL 2002, section 5; Bradley, Manna and Sipma, *What's Decidable About
//! Arrays?*, VMCAI 2006, for the shape of the guards).
//!
//! There are far more guards than can be asked about, and most of them say nothing: they never hold. So
//! a guard has to hold in some state of the tests, wherever tests have been; and of those that hold in
//! the very same states only the first few are tried.
//!
//! Ranges rest on how indices and bounds lie to each other ([`Ends`]): `j == i` and `i == 7 * j + 1` are
//! asked about before them. Nothing of all this is believed; a bad choice costs a proof.

use super::mine::mine;
use super::states::{constants, sample, states};
use super::{Generalise, View};
use crate::problem::blocks::Cutpoint;
use crate::testing::forest::StateRef;
use prova_exec::cells::Ghosts;
use prova_exec::state_vars::StateVar;
use prova_exec::translate::translate;
use prova_ir::ExprId;
use prova_logic::{Sort, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Candidates at a cutpoint.
const MOST: usize = crate::knowledge::MOST_CANDIDATES;
/// Guards that hold in the same states, of one fact.
const ALIKE: usize = 6;
/// States that are looked at: bits of a word.
const STATES: usize = 128;
/// Variables whose relations are looked for.
const RELATED: usize = 14;
/// Guards of one fact that are looked at.
const GUARDS: usize = 20_000;

/// Facts about followed cells.
pub struct Followed<'g> {
    /// The ghosts that follow them.
    pub ghosts: &'g Ghosts,
    /// Whether it is said that addresses lie behind the bases they are counted from.
    pub behind: bool,
}

/// How indices and bounds lie to each other.
pub struct Ends<'g> {
    /// The ghosts that know them.
    pub ghosts: &'g Ghosts,
}

/// A conjunction, and in which of the sampled states it holds: one bit for each.
#[derive(Clone)]
struct Sampled {
    parts: Vec<Term>,
    holds: u128,
}

impl Sampled {
    fn and(&self, other: &Sampled) -> Sampled {
        Sampled {
            parts: [&self.parts[..], &other.parts].concat(),
            holds: self.holds & other.holds,
        }
    }
}

/// The states of one cutpoint that tests have been in.
struct Rows(Vec<StateRef>);

impl Rows {
    fn at(view: &View, cutpoint: Cutpoint) -> Rows {
        let mut rows = states(view, cutpoint);
        rows.truncate(STATES);
        Rows(rows)
    }

    fn sampled(&self, view: &View, term: Term) -> Sampled {
        let mut holds = 0;
        for (i, &state) in self.0.iter().enumerate() {
            let value = view.forest.evaluate(view.terms, state, term);
            holds |= u128::from(value == Value::Bool(true)) << i;
        }
        Sampled {
            parts: vec![term],
            holds,
        }
    }

    /// All states.
    fn all(&self) -> u128 {
        match self.0.len() {
            STATES.. => u128::MAX,
            n => (1 << n) - 1,
        }
    }
}

impl Generalise for Ends<'_> {
    fn name(&self) -> &'static str {
        "cells"
    }

    fn candidates(&mut self, view: &mut View) -> Vec<Vec<Term>> {
        let ghosts = self.ghosts;
        let mut spoken = ends(view, ghosts);
        spoken.extend(translated(view, &ghosts.hints.facts));
        let conditions = translated(view, &ghosts.hints.conditions);
        let numbers = constants(view.terms, &view.steps.transitions);
        let vars = &view.problem.encoding.vars;
        let own = ghosts.contents.iter().flatten().chain(&ghosts.positions);
        let own: BTreeSet<Term> = own.map(|&r| vars.variable(StateVar::Register(r))).collect();
        let mut candidates = vec![Vec::new(); view.steps.blocks.locations.len()];
        for (index, slot) in candidates.iter_mut().enumerate().skip(1) {
            let cutpoint = Cutpoint(index as u32);
            let rows = Rows::at(view, cutpoint);
            if rows.0.is_empty() || view.steps.blocks.errors.contains(&cutpoint) {
                continue;
            }
            let said = lasting(view, index, &spoken);
            let variables = view.terms.free_vars_of(&said).into_iter();
            let number = |t: &Term| matches!(view.terms.sort(*t), Sort::BitVec(w) if w <= 64);
            let variables = variables.filter(|v| number(v) && !own.contains(v));
            let variables: Vec<Term> = variables
                .filter(|v| view.terms.object(*v).is_none())
                .take(RELATED)
                .collect();
            let samples = sample(view, cutpoint, &variables);
            *slot = mine(view.terms, &samples, &numbers);
            slot.extend(orders(view, &rows, &variables));
            for condition in lasting(view, index, &conditions) {
                let holds = rows.sampled(view, condition).holds;
                if holds == rows.all() {
                    slot.push(condition);
                } else if holds == 0 {
                    slot.push(view.terms.not(condition));
                }
            }
        }
        candidates
    }
}

/// Which variables were never larger than which, even those that had one value only.
fn orders(view: &mut View, rows: &Rows, variables: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    for &x in variables {
        for &y in variables {
            if x != y && view.terms.sort(x) == view.terms.sort(y) {
                let order = view.terms.sle(x, y);
                if rows.sampled(view, order).holds == rows.all() {
                    found.push(order);
                }
            }
        }
    }
    found
}

impl Generalise for Followed<'_> {
    fn name(&self) -> &'static str {
        "cells"
    }

    fn candidates(&mut self, view: &mut View) -> Vec<Vec<Term>> {
        let mut candidates = vec![Vec::new(); view.steps.blocks.locations.len()];
        let ghosts = self.ghosts;
        let facts = translated(view, &ghosts.hints.facts);
        let ends = ends(view, ghosts);
        let conditions = translated(view, &ghosts.hints.conditions);
        let behind = translated(view, &ghosts.behind);
        let relations = translated(view, &ghosts.hints.relations);
        for (index, slot) in candidates.iter_mut().enumerate().skip(1) {
            let cutpoint = Cutpoint(index as u32);
            if view.steps.blocks.errors.contains(&cutpoint) {
                continue;
            }
            let (facts, ends) = (lasting(view, index, &facts), lasting(view, index, &ends));
            let conditions = lasting(view, index, &conditions);
            if self.behind {
                *slot = lasting(view, index, &behind);
            }
            slot.extend(self.at(view, cutpoint, &facts, &ends, &conditions, &relations));
        }
        candidates
    }
}

/// Where ranges may end: at what indices say, and at what they are compared with.
fn ends(view: &mut View, ghosts: &Ghosts) -> Vec<Term> {
    let mut ends = translated(view, &ghosts.indices);
    for end in translated(view, &ghosts.hints.ends) {
        if !ends.contains(&end) {
            ends.push(end);
        }
    }
    ends
}

/// What speaks of nothing but variables that live at a cutpoint.
fn lasting(view: &View, index: usize, terms: &[Term]) -> Vec<Term> {
    let live = &view.steps.live[index];
    let lasting = |v: &Term| view.terms.object(*v).is_some() || live.contains(v);
    let lives = |t: &&Term| view.terms.free_vars(**t).iter().all(lasting);
    terms.iter().filter(lives).copied().collect()
}

/// What can be said of every state.
fn translated(view: &mut View, exprs: &[ExprId]) -> Vec<Term> {
    let encoding = &view.problem.encoding;
    let mut found = Vec::new();
    for &expr in exprs {
        let mut defined = Vec::new();
        let context = encoding.context();
        let term = translate(view.terms, context, expr, &encoding.vars, &mut defined);
        if let (Ok(term), true) = (term, defined.is_empty()) {
            if !found.contains(&term) {
                found.push(term);
            }
        }
    }
    found
}

impl Followed<'_> {
    fn at(
        &self,
        view: &mut View,
        cutpoint: Cutpoint,
        facts: &[Term],
        ends: &[Term],
        conditions: &[Term],
        relations: &[Term],
    ) -> Vec<Term> {
        let vars = &view.problem.encoding.vars;
        let variable = |r| vars.variable(StateVar::Register(r));
        let positions: Vec<Term> = self.ghosts.positions.iter().map(|&p| variable(p)).collect();
        let contents = self.ghosts.contents.iter();
        let of_position: Vec<BTreeSet<Term>> = (0..positions.len())
            .map(|p| contents.clone().map(|c| variable(c[p])).collect())
            .collect();
        let rows = Rows::at(view, cutpoint);
        let named = translated(view, &self.ghosts.indices);
        let mut found = in_address_space(view, &rows, ends, &named);
        // Where no test has been, conditions tell nothing apart.
        let mut sides: Vec<Sampled> = Vec::new();
        for &c in conditions.iter().filter(|_| !rows.0.is_empty()) {
            let not = view.terms.not(c);
            sides.extend([c, not].map(|t| rows.sampled(view, t)));
        }
        let yes = Sampled {
            parts: Vec::new(),
            holds: rows.all(),
        };
        let ranges: Vec<Ranges> = positions
            .iter()
            .map(|&p| Ranges::of(view, &rows, &yes, p, ends))
            .collect();
        let share = MOST.saturating_sub(found.len()) / facts.len().max(1);
        for &fact in facts {
            let said = view.terms.free_vars(fact);
            let about = |p: &usize| said.iter().any(|v| of_position[*p].contains(v));
            let about: Vec<usize> = (0..positions.len()).filter(about).collect();
            let Some(&first) = about.first() else {
                continue;
            };
            let holds = rows.sampled(view, fact).holds;
            let mut guards = Guards::new(&rows, holds);
            match about[..] {
                [p, q] => {
                    let terms = &mut *view.terms;
                    let order = [
                        terms.slt(positions[p], positions[q]),
                        terms.slt(positions[q], positions[p]),
                        terms.eq(positions[p], positions[q]),
                    ];
                    let order = order.into_iter().chain(relations.iter().copied());
                    let order: Vec<Sampled> = order.map(|t| rows.sampled(view, t)).collect();
                    for o in &order {
                        guards.add(0, o.clone());
                        for one in &ranges[p].one {
                            let both = o.and(one);
                            guards.add(0, both.clone());
                            ranges[q]
                                .one
                                .iter()
                                .for_each(|r| guards.add(1, both.and(r)));
                        }
                        ranges[q].one.iter().for_each(|r| guards.add(0, o.and(r)));
                    }
                }
                _ => {
                    let Ranges { one, two } = &ranges[first];
                    guards.add(0, yes.clone());
                    one.iter().for_each(|r| guards.add(0, r.clone()));
                    two.iter().for_each(|r| guards.add(1, r.clone()));
                    for side in &sides {
                        guards.add(2, side.clone());
                        one.iter().for_each(|r| guards.add(2, r.and(side)));
                    }
                }
            }
            for guard in guards.chosen(share.max(1)) {
                let guard = view.terms.and(&guard.parts);
                let no = view.terms.not(guard);
                found.push(view.terms.or(&[no, fact]));
            }
        }
        found.retain(|&t| view.terms.as_bool(t).is_none());
        found
    }
}

/// That indices stay in the space of addresses, so that equal addresses are equal positions.
fn in_address_space(view: &mut View, rows: &Rows, ends: &[Term], named: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    for &end in ends {
        if view.terms.as_u64(end).is_some() || !named.contains(&end) && !view.terms.is_var(end) {
            continue;
        }
        let width = view.terms.width(end);
        for bits in [2, 4] {
            let most = view.terms.bv(1 << (width - bits), width);
            found.push(view.terms.ult(end, most));
        }
        let zero = view.terms.bv(0, width);
        found.push(view.terms.sle(zero, end));
    }
    found.retain(|&t| rows.sampled(view, t).holds == rows.all());
    found
}

/// Ranges of one position.
struct Ranges {
    /// With one end.
    one: Vec<Sampled>,
    /// With two.
    two: Vec<Sampled>,
}

impl Ranges {
    fn of(view: &mut View, rows: &Rows, yes: &Sampled, position: Term, ends: &[Term]) -> Ranges {
        let mut below = Vec::new();
        let mut above = Vec::new();
        let mut one = Vec::new();
        for &end in ends {
            let fixed = view.terms.as_u64(end).is_some();
            let terms = &mut *view.terms;
            let four = [
                terms.slt(position, end),
                terms.sle(end, position),
                terms.sle(position, end),
                terms.slt(end, position),
            ];
            let four = four.map(|t| rows.sampled(view, t));
            below.push((end, fixed, four[0].clone()));
            above.extend([1, 3].map(|i| (end, fixed, four[i].clone())));
            // A range that holds always is none.
            let tells = |s: &Sampled| rows.0.is_empty() || s.holds != yes.holds;
            one.extend(four.into_iter().filter(tells));
        }
        let mut two = Vec::new();
        for (low, low_fixed, from) in &above {
            for (high, high_fixed, to) in &below {
                if low != high && !(*low_fixed && *high_fixed) {
                    two.push(from.and(to));
                }
            }
        }
        Ranges { one, two }
    }
}

/// Kinds of guards: ranges with one end, with two, and ranges under a condition.
const KINDS: usize = 3;

/// Guards of one fact that fit what tests saw, by kind.
struct Guards<'r> {
    rows: &'r Rows,
    fact: u128,
    found: [Vec<Sampled>; KINDS],
}

impl Guards<'_> {
    fn new(rows: &Rows, fact: u128) -> Guards<'_> {
        Guards {
            rows,
            fact,
            found: Default::default(),
        }
    }

    fn add(&mut self, kind: usize, guard: Sampled) {
        let tells = self.rows.0.is_empty() || guard.holds != 0;
        if tells && guard.holds & !self.fact == 0 && self.found[kind].len() < GUARDS {
            self.found[kind].push(guard);
        }
    }

    /// The most that tests allow first, and of those that are alike the simplest. Half of the room is
    /// for the simplest kind: others may be many by chance.
    fn chosen(mut self, most: usize) -> Vec<Sampled> {
        let unseen = self.rows.0.is_empty();
        let mut chosen = Vec::new();
        for (kind, found) in self.found.iter_mut().enumerate() {
            found.sort_by_key(|g| std::cmp::Reverse(g.holds.count_ones()));
            let mut alike: BTreeMap<u128, usize> = BTreeMap::new();
            found.retain(|g| {
                let count = alike.entry(g.holds).or_default();
                *count += 1;
                unseen || *count <= ALIKE
            });
            let room = match kind {
                0 => most.div_ceil(2),
                _ => most / 4,
            };
            let rest = found.split_off(room.min(found.len()));
            chosen.append(found);
            *found = rest;
        }
        chosen.extend(self.found.into_iter().flatten());
        chosen.truncate(most);
        chosen
    }
}
