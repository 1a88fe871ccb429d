//! Abstract states: what is known of the state variables, as facts over themselves.
//!
//! A fact gives a variable, or a cell of memory at a fixed address, a value. Values are constants
//! (addresses of objects with an offset among them); for variables whose relations matter they may
//! also be terms over other state variables of the same state. Beside them a state has literals:
//! conditions over its variables that the path demanded. A state with fewer facts stands for more
//! states of the program, so one state covers another if its facts are among the other's.

use crate::reach::domain::Index;
use crate::reach::graph::NodeId;
use prova_logic::{Op, Sort, Substitution, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// Cells of one array that a state remembers.
const MOST_CELLS: usize = 128;
/// Values larger than this, in nodes, are forgotten at first.
const LARGEST_VALUE: usize = 24;
/// How much larger they may be where that did not do, and the end of it.
const GROWTH: usize = 10;
const LARGEST_OF_ALL: usize = 24_000;
/// Literals that a state remembers.
const MOST_LITERALS: usize = 16;

/// Which variables a search keeps, and how exactly.
#[derive(Clone, Debug)]
pub struct Precision {
    /// Variables whose constant values are kept.
    pub values: FxHashSet<Term>,
    /// Variables whose relations to other such variables are kept, too.
    pub relations: FxHashSet<Term>,
    /// The largest value that is kept, in nodes.
    largest: usize,
}

impl Default for Precision {
    fn default() -> Self {
        Precision {
            values: FxHashSet::default(),
            relations: FxHashSet::default(),
            largest: LARGEST_VALUE,
        }
    }
}

impl Precision {
    /// Keeps larger values from now on. `false` if they are large enough.
    pub fn grow(&mut self) -> bool {
        self.largest *= GROWTH;
        self.largest <= LARGEST_OF_ALL
    }

    /// Whether values that follow from conditions are worth a question.
    pub fn thorough(&self) -> bool {
        self.largest > LARGEST_VALUE
    }

    /// All of these variables' values.
    pub fn everything(variables: &[Term]) -> Precision {
        Precision {
            values: variables.iter().copied().collect(),
            ..Precision::default()
        }
    }
}

/// What is known in an abstract state. Both lists are sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    /// Variables and cells (`select array address`) with their values.
    pub entries: Vec<(Term, Term)>,
    /// Conditions over variables without an entry.
    pub literals: Vec<Term>,
}

/// Whether a term is a constant, or an object's address at a fixed offset.
pub fn ground(terms: &Terms, t: Term) -> bool {
    terms.is_const(t)
        || terms
            .free_vars(t)
            .iter()
            .all(|&v| terms.object(v).is_some())
}

impl State {
    /// The state's values as a substitution for the state variables. What is not known of an
    /// array is the array variable itself.
    pub fn substitution(&self, terms: &mut Terms) -> Substitution {
        let mut arrays: Vec<(Term, Term)> = Vec::new();
        let mut substitution = Substitution::new();
        for &(key, value) in &self.entries {
            if terms.op(key) == Op::Select {
                let (array, address) = (terms.children(key)[0], terms.children(key)[1]);
                match arrays.iter_mut().find(|(a, _)| *a == array) {
                    Some((_, chain)) => *chain = terms.store(*chain, address, value),
                    None => arrays.push((array, terms.store(array, address, value))),
                }
            } else {
                substitution.insert(terms, key, value);
            }
        }
        for (array, chain) in arrays {
            substitution.insert(terms, array, chain);
        }
        substitution
    }

    /// Whether all that is known here is known in the other one.
    pub fn covers(&self, other: &State) -> bool {
        let known = |e| other.entries.binary_search(e).is_ok();
        self.entries.iter().all(known) && self.literals.iter().all(|l| other.literals.contains(l))
    }

    /// The state as facts over the state variables.
    pub fn facts(&self, terms: &mut Terms) -> Vec<Term> {
        let mut facts: Vec<Term> = self
            .entries
            .iter()
            .map(|&(key, value)| terms.eq(key, value))
            .collect();
        facts.extend(&self.literals);
        facts.sort_unstable();
        facts.dedup();
        facts
    }
}

/// Names for cells of memory at fixed addresses of which nothing is known.
#[derive(Debug, Default)]
pub struct Cells {
    names: FxHashMap<Term, Term>,
    reads: Vec<(Term, Term)>,
}

impl Cells {
    /// The term with each read of an unknown cell replaced by the cell's name.
    fn named(&mut self, terms: &mut Terms, root: Term) -> Term {
        let array = |terms: &Terms, t: Term| matches!(terms.sort(t), Sort::Array { .. });
        if !terms.free_vars(root).iter().any(|&v| array(terms, v)) {
            return root;
        }
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for t in terms.post_order(&[root]) {
            let children = terms.children(t).to_vec();
            let read = terms.op(t) == Op::Select
                && terms.op(children[0]) == Op::Var
                && ground(terms, children[1]);
            let new = if read {
                match self.names.get(&t) {
                    Some(&name) => name,
                    None => {
                        let name = terms.var(&format!("cell@{}", t.index()), terms.sort(t));
                        self.names.insert(t, name);
                        self.reads.push((name, t));
                        name
                    }
                }
            } else {
                let replaced: Vec<Term> = children.iter().map(|c| done[c]).collect();
                if replaced == children {
                    t
                } else {
                    terms.rebuild(t, &replaced)
                }
            };
            done.insert(t, new);
        }
        done[&root]
    }
}

/// Makes the state behind a step. `values` are the new values of the variables that matter there,
/// over the state before and the step's inputs; `literals` are conditions over the same.
pub fn abstracted(
    terms: &mut Terms,
    precision: &Precision,
    names: &mut Cells,
    values: &[(Term, Term)],
    literals: &[Term],
) -> State {
    // Equations that settle a free variable are put into the values.
    let mut settled = Substitution::new();
    let mut left: Vec<Term> = Vec::new();
    for &literal in literals {
        let literal = names.named(terms, literal);
        match equation(terms, literal) {
            Some((variable, value)) if settled.get(variable).is_none() => {
                settled.insert(terms, variable, value);
            }
            _ => left.push(literal),
        }
    }
    let mut entries: Vec<(Term, Term)> = Vec::new();
    let mut open: Vec<(Term, Term)> = Vec::new();
    // Free variables of the step get a name among the variables behind it: the cell that still
    // holds the value, the first variable that is the free one, or one a constant away from it.
    let mut renamed = Substitution::new();
    let mut named: FxHashSet<Term> = FxHashSet::default();
    for &(variable, value) in values {
        if let Sort::Array { .. } = terms.sort(variable) {
            let written = cells(terms, names, &mut settled, variable, value, &mut entries);
            let Some(written) = written else { continue };
            for i in 0..names.reads.len() {
                let (name, read) = names.reads[i];
                if terms.children(read)[0] != variable {
                    continue;
                }
                let address = terms.children(read)[1];
                let kept = |a: &Term| terms.decide_eq(*a, address) == Some(false);
                if !written.iter().all(kept) {
                    continue;
                }
                if let Some(value) = settled.get(name) {
                    entries.push((read, value));
                } else if precision.relations.contains(&variable) {
                    named.insert(name);
                    renamed.insert(terms, name, read);
                }
            }
            continue;
        }
        let value = names.named(terms, value);
        let value = terms.substitute(value, &mut settled);
        if ground(terms, value) {
            entries.push((variable, value));
        } else if precision.relations.contains(&variable) {
            open.push((variable, value));
        }
    }
    let mut compound: Vec<(Term, Term)> = Vec::new();
    for (variable, value) in open {
        match symbol_and_offset(terms, value) {
            Some((symbol, negated, offset)) if !named.contains(&symbol) => {
                let back = match offset {
                    Some(c) => terms.sub(variable, c),
                    None => variable,
                };
                let back = if negated { terms.neg(back) } else { back };
                named.insert(symbol);
                renamed.insert(terms, symbol, back);
            }
            _ => compound.push((variable, value)),
        }
    }
    let nameable = |terms: &Terms, t: Term| {
        terms.size(t) <= precision.largest
            && terms
                .free_vars(t)
                .iter()
                .all(|v| named.contains(v) || terms.object(*v).is_some())
    };
    for (variable, value) in compound {
        if nameable(terms, value) {
            let value = terms.substitute(value, &mut renamed);
            entries.push((variable, value));
        }
    }
    let mut kept: Vec<Term> = Vec::new();
    for literal in left {
        let literal = terms.substitute(literal, &mut settled);
        if !terms.is_const(literal) && nameable(terms, literal) {
            kept.push(terms.substitute(literal, &mut renamed));
        }
    }
    kept.retain(|&l| terms.as_bool(l).is_none());
    kept.sort_unstable();
    kept.dedup();
    kept.truncate(MOST_LITERALS);
    entries.sort_unstable();
    State {
        entries,
        literals: kept,
    }
}

/// `variable = value` with a free variable that the value does not mention.
fn equation(terms: &Terms, literal: Term) -> Option<(Term, Term)> {
    match terms.op(literal) {
        Op::Eq => {
            let (a, b) = (terms.children(literal)[0], terms.children(literal)[1]);
            let free = |t: Term| terms.is_var(t) && terms.object(t).is_none();
            if free(a) && ground(terms, b) {
                Some((a, b))
            } else if free(b) && ground(terms, a) {
                Some((b, a))
            } else {
                None
            }
        }
        Op::Var => Some((literal, terms.tru())),
        Op::Not if terms.is_var(terms.children(literal)[0]) => {
            Some((terms.children(literal)[0], terms.fals()))
        }
        _ => None,
    }
}

/// A free variable, whether it is negated, and a constant added to that.
fn symbol_and_offset(terms: &Terms, t: Term) -> Option<(Term, bool, Option<Term>)> {
    let free = |t: Term| {
        let (negated, t) = match terms.op(t) {
            Op::Neg => (true, terms.children(t)[0]),
            _ => (false, t),
        };
        (terms.is_var(t) && terms.object(t).is_none()).then_some((t, negated))
    };
    if let Some((symbol, negated)) = free(t) {
        return Some((symbol, negated, None));
    }
    let &[a, b] = terms.children(t) else {
        return None;
    };
    let (symbol, constant) = match terms.op(t) {
        Op::Add if terms.is_const(b) => (free(a)?, b),
        Op::Add if terms.is_const(a) => (free(b)?, a),
        _ => return None,
    };
    Some((symbol.0, symbol.1, Some(constant)))
}

/// The cells of an array that are known: the latest writes at fixed addresses with fixed values,
/// down to the first write that may be anywhere. Gives all addresses written, if each is fixed
/// and what lies below them is the array as it was.
fn cells(
    terms: &mut Terms,
    names: &mut Cells,
    settled: &mut Substitution,
    array: Term,
    value: Term,
    entries: &mut Vec<(Term, Term)>,
) -> Option<Vec<Term>> {
    let mut at = value;
    let mut seen: Vec<Term> = Vec::new();
    while terms.op(at) == Op::Store && seen.len() < MOST_CELLS {
        let (below, address, content) = {
            let c = terms.children(at);
            (c[0], c[1], c[2])
        };
        if !ground(terms, address) {
            break;
        }
        let mut hidden = false;
        for &newer in &seen {
            match terms.decide_eq(newer, address) {
                Some(false) => {}
                Some(true) => hidden = true,
                None => return None,
            }
        }
        if !hidden {
            seen.push(address);
            let content = names.named(terms, content);
            let content = terms.substitute(content, settled);
            if ground(terms, content) {
                let key = terms.select(array, address);
                entries.push((key, content));
            }
        }
        at = below;
    }
    (at == array).then_some(seen)
}

/// The numbers of states by the values of some keys.
type ByValues = FxHashMap<Vec<Term>, NodeId>;

/// The states found at one cutpoint, by the keys they know: the values they were seen with.
#[derive(Debug, Default)]
pub struct Reached(Vec<(Vec<Term>, ByValues)>);

impl Index<State> for Reached {
    fn add(&mut self, state: &State, node: NodeId, _: impl FnMut(NodeId) -> bool) -> NodeId {
        let known = keyed(state);
        let values: Vec<Term> = known.iter().map(|e| e.1).collect();
        let mut own = None;
        for (slot, (keys, seen)) in self.0.iter().enumerate() {
            if keys.len() >= known.len() {
                // The same keys, or some that are not known here.
                let same =
                    keys.len() == known.len() && keys.iter().zip(&*known).all(|(k, e)| *k == e.0);
                if same {
                    own = Some(slot);
                    if let Some(&covering) = seen.get(&values) {
                        return covering;
                    }
                }
                continue;
            }
            let mut projection = Vec::with_capacity(keys.len());
            let mut rest = known.iter();
            let complete = keys.iter().all(|key| {
                rest.find(|(k, _)| k == key)
                    .map(|&(_, v)| projection.push(v))
                    .is_some()
            });
            if complete {
                if let Some(&covering) = seen.get(&projection) {
                    return covering;
                }
            }
        }
        let slot = own.unwrap_or_else(|| {
            let keys = known.iter().map(|e| e.0).collect();
            self.0.push((keys, FxHashMap::default()));
            self.0.len() - 1
        });
        self.0[slot].1.insert(values, node);
        node
    }

    fn remove(&mut self, state: &State, node: NodeId) {
        let (keys, values): (Vec<Term>, Vec<Term>) = keyed(state).iter().copied().unzip();
        for (_, seen) in self.0.iter_mut().filter(|(k, _)| *k == keys) {
            if seen.get(&values) == Some(&node) {
                seen.remove(&values);
            }
        }
    }
}

/// Everything that is known in a state by what it is about, in order.
fn keyed(state: &State) -> Cow<'_, [(Term, Term)]> {
    if state.literals.is_empty() {
        return Cow::Borrowed(&state.entries);
    }
    let mut all = state.entries.clone();
    all.extend(state.literals.iter().map(|&l| (l, l)));
    all.sort_unstable();
    Cow::Owned(all)
}
