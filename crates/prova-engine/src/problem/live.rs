//! Which state variables still matter where.

use crate::problem::blocks::{BlockId, Blocks};
use crate::problem::transitions::Transitions;
use prova_logic::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Variables that matter at a cutpoint; cutpoints with the same ones share them.
pub type Live = Rc<FxHashSet<Term>>;

/// What a block reads: always, and for each variable that it writes and that matters behind it.
struct Reads {
    always: Vec<u32>,
    writes: Vec<(u32, Vec<u32>)>,
}

/// A set of variables by their numbers.
type Bits = Vec<u64>;

fn has(bits: &Bits, number: u32) -> bool {
    bits[number as usize / 64] >> (number % 64) & 1 == 1
}

fn put(bits: &mut Bits, number: u32) {
    bits[number as usize / 64] |= 1 << (number % 64);
}

/// Variables whose value can still decide a branch, by cutpoint.
///
/// Programs have a hundred thousand cutpoints and thousands of variables: sets are bits, and
/// cutpoints are looked at after those behind them.
pub fn live(terms: &Terms, transitions: &Transitions, blocks: &Blocks) -> Vec<Live> {
    let mut numbers: FxHashMap<Term, u32> = FxHashMap::default();
    let mut names: Vec<Term> = Vec::new();
    let mut number = |t: Term| {
        *numbers.entry(t).or_insert_with(|| {
            names.push(t);
            names.len() as u32 - 1
        })
    };
    let mut reads: Vec<Reads> = Vec::with_capacity(blocks.blocks.len());
    for id in blocks.ids() {
        let transfer = &transitions.get(id).transfer;
        let always = terms.free_vars_of(&transfer.guard).into_iter();
        let always = always.map(&mut number).collect();
        let mut writes = Vec::with_capacity(transfer.updates.len());
        for &(variable, value) in &transfer.updates {
            let values = terms
                .free_vars(value)
                .into_iter()
                .map(&mut number)
                .collect();
            writes.push((number(variable), values));
        }
        reads.push(Reads { always, writes });
    }
    let words = names.len().div_ceil(64);
    let (outgoing, incoming) = (blocks.outgoing(), blocks.incoming());
    let mut live: Vec<Bits> = vec![vec![0; words]; outgoing.len()];
    let mut waiting = vec![true; outgoing.len()];
    let order = postorder(blocks, &outgoing);
    let mut behind: Bits = Vec::new();
    loop {
        let mut grew = false;
        for &at in &order {
            if !std::mem::replace(&mut waiting[at], false) {
                continue;
            }
            let mut here = live[at].clone();
            for &id in &outgoing[at] {
                let after = &live[blocks.block(id).target.index()];
                let Reads { always, writes } = &reads[id.index()];
                behind.clone_from(after);
                for &(variable, _) in writes {
                    behind[variable as usize / 64] &= !(1 << (variable % 64));
                }
                for (_, values) in writes.iter().filter(|w| has(after, w.0)) {
                    values.iter().for_each(|&v| put(&mut behind, v));
                }
                always.iter().for_each(|&v| put(&mut behind, v));
                here.iter_mut().zip(&behind).for_each(|(a, b)| *a |= b);
            }
            if here != live[at] {
                live[at] = here;
                grew = true;
                for &id in &incoming[at] {
                    waiting[blocks.block(id).source.index()] = true;
                }
            }
        }
        if !grew {
            break;
        }
    }
    let mut shared: FxHashMap<Bits, Live> = FxHashMap::default();
    let set = |bits: Bits| {
        let names = names.iter().enumerate();
        let told = |bits: &Bits| {
            let live = names.filter(|(i, _)| has(bits, *i as u32));
            Rc::new(live.map(|(_, &t)| t).collect())
        };
        if let Some(known) = shared.get(&bits) {
            return Rc::clone(known);
        }
        let made = told(&bits);
        shared.insert(bits, Rc::clone(&made));
        made
    };
    live.into_iter().map(set).collect()
}

/// Cutpoints, each after those that its blocks lead to, loops aside.
fn postorder(blocks: &Blocks, outgoing: &[Vec<BlockId>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(outgoing.len());
    let mut seen = vec![false; outgoing.len()];
    for root in 0..outgoing.len() {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some((at, next)) = stack.last_mut() {
            match outgoing[*at].get(*next) {
                Some(&id) => {
                    *next += 1;
                    let target = blocks.block(id).target.index();
                    if !std::mem::replace(&mut seen[target], true) {
                        stack.push((target, 0));
                    }
                }
                None => {
                    order.push(*at);
                    stack.pop();
                }
            }
        }
    }
    order
}
