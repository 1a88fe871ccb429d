//! States as classes of values, and their steps: ranges in, ranges out, cut into classes again.

use super::cuts::{Class, Cuts};
use crate::engines::values::domain::States;
use crate::engines::values::state::State;
use crate::problem::blocks::BlockId;
use crate::problem::live::Live;
use crate::problem::Steps;
use crate::reach::domain::{Domain, Index, Post};
use crate::reach::graph::{Graph, NodeId};
use prova_logic::ranges::Range;
use prova_logic::ranges::{width_of, Ranges};
use prova_logic::{Op, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Classes of one variable that are told apart behind one step.
const MOST_CLASSES: usize = 24;
/// States behind one step.
const MOST_STATES: usize = 64;

/// Variables with the classes they are in, sorted; others can be anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Classes(Vec<(Term, Class)>);

/// Which variables are kept, and how.
pub struct Kept {
    cuts: Cuts,
    /// Variables of which single values are kept.
    pub exact: FxHashSet<Term>,
    /// Those that matter at each cutpoint, sorted.
    at: Vec<Vec<Term>>,
}

impl Kept {
    /// Every variable that the program compares with constants, in classes.
    pub fn new(terms: &Terms, steps: &Steps) -> Kept {
        let cuts = Cuts::new(terms, &steps.transitions);
        let mut kept = Kept {
            cuts,
            exact: FxHashSet::default(),
            at: Vec::new(),
        };
        kept.choose(terms, steps);
        kept
    }

    /// Keeps single values of these variables from now on; says whether that is new.
    pub fn sharpen(&mut self, terms: &Terms, steps: &Steps, variables: &[Term]) -> bool {
        let before = self.exact.len();
        let scalar = |v: &Term| width_of(terms, *v).is_some();
        self.exact.extend(variables.iter().copied().filter(scalar));
        self.choose(terms, steps);
        self.exact.len() > before
    }

    fn choose(&mut self, terms: &Terms, steps: &Steps) {
        let (cuts, exact) = (&self.cuts, &self.exact);
        let followed = |v: &Term| {
            let known = exact.contains(v) || cuts.of(*v).is_some();
            known && width_of(terms, *v).is_some() && terms.object(*v).is_none()
        };
        let sorted = |live: &Live| {
            let mut all: Vec<Term> = live.iter().copied().filter(followed).collect();
            all.sort_unstable();
            all
        };
        self.at = steps.live.iter().map(sorted).collect();
    }

    /// The classes of a variable that a range meets; `None` if it is not worth following.
    fn classes(&self, variable: Term, range: &Range, arbitrary: bool) -> Option<Vec<Class>> {
        let (low, high) = range.signed();
        if low == high && self.exact.contains(&variable) {
            return Some(vec![(low, high)]);
        }
        let cut = self.cuts.of(variable)?;
        let classes = cut.classes((low, high), range.width(), MOST_CLASSES)?;
        // What comes from outside is told apart where it is asked for.
        let all = classes.len() == cut.at.len() + 1;
        (!all || !arbitrary).then_some(classes)
    }

    /// The states as facts, for a proof: values, and what the program's own comparisons say.
    pub fn states(&self, terms: &mut Terms, graph: &Graph<Classes, Found>) -> States {
        let mut states = Graph::new(graph.places().count());
        let mut numbers: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        let mut said: FxHashMap<(Term, Class), Vec<Term>> = FxHashMap::default();
        for node in graph.ids() {
            let mut state = State::default();
            for &(variable, class) in &graph[node].state.0 {
                if class.0 == class.1 {
                    let value = constant(terms, variable, class.0);
                    state.entries.push((variable, value));
                    continue;
                }
                let key = (variable, class);
                let facts = said
                    .entry(key)
                    .or_insert_with(|| self.said(terms, variable, class));
                state.literals.extend(facts.iter());
            }
            state.entries.sort_unstable();
            state.literals.sort_unstable();
            let cutpoint = graph[node].cutpoint;
            numbers.insert(node, states.add(cutpoint, state, None, State::covers));
        }
        for ((node, block), successors) in graph.steps() {
            for successor in successors {
                states.lead((numbers[&node], block), numbers[successor]);
            }
        }
        states.taken = graph.taken.clone();
        states
    }

    fn said(&self, terms: &mut Terms, variable: Term, class: Class) -> Vec<Term> {
        let mut ranges = Ranges::default();
        set(terms, &mut ranges, variable, class);
        let atoms = self.cuts.of(variable).map(|c| c.atoms.clone());
        let mut said = Vec::new();
        for atom in atoms.unwrap_or_default() {
            match ranges.eval(terms, atom).and_then(|r| r.value()) {
                Some(1) => said.push(atom),
                Some(_) => said.push(terms.not(atom)),
                None => {}
            }
        }
        said.sort_unstable();
        said.dedup();
        said
    }
}

fn constant(terms: &mut Terms, variable: Term, value: i128) -> Term {
    match terms.sort(variable) {
        Sort::Bool => terms.bool_const(value != 0),
        _ => terms.bv_signed(value, terms.width(variable)),
    }
}

fn set(terms: &Terms, ranges: &mut Ranges, variable: Term, class: Class) {
    let width = width_of(terms, variable);
    let range = width.and_then(|w| Range::between(class.0, class.1, w));
    if let Some(range) = range {
        ranges.set(variable, range);
    }
}

/// Classes as a domain.
pub struct ClassesDomain<'a> {
    /// The program's steps.
    pub steps: &'a Steps,
    /// What is kept.
    pub kept: &'a Kept,
}

impl Domain for ClassesDomain<'_> {
    type State = Classes;
    type Opened = Ranges;
    type Index = Found;

    fn initial(&mut self, _: &mut Terms) -> Classes {
        Classes::default()
    }

    fn open(&mut self, terms: &mut Terms, state: &Classes) -> Ranges {
        let mut ranges = Ranges::default();
        for &(variable, class) in &state.0 {
            set(terms, &mut ranges, variable, class);
        }
        ranges
    }

    fn covers(&mut self, _: &mut Terms, state: &Classes, other: &Classes) -> bool {
        state == other
    }

    fn post(
        &mut self,
        terms: &mut Terms,
        _: &Classes,
        ranges: &mut Ranges,
        block: BlockId,
    ) -> Post<Classes> {
        let transition = self.steps.transitions.get(block);
        let (guard, assumed) = (&transition.transfer.guard, &transition.transfer.assumed);
        let mut known = ranges.clone();
        let mut traps = false;
        // Twice: a condition may tell more once others are taken in.
        for _ in 0..2 {
            for g in guard {
                if known.assume(terms, *g, true) {
                    continue;
                }
                if assumed.contains(g) {
                    return Post::Impossible;
                }
                traps = true;
            }
        }
        if traps {
            return Post::Trap;
        }
        let target = self.steps.blocks.block(block).target;
        if self.steps.blocks.errors.contains(&target) {
            return Post::To(vec![Classes::default()]);
        }
        let mut memo = Default::default();
        let mut states: Vec<Vec<(Term, Class)>> = vec![Vec::new()];
        for &variable in &self.kept.at[target.index()] {
            let value = transition.update(variable);
            let Some(range) = known.eval_with(terms, value, &mut memo) else {
                continue;
            };
            let arbitrary = terms.op(value) == Op::Var;
            let Some(classes) = self.kept.classes(variable, &range, arbitrary) else {
                continue;
            };
            if states.len() * classes.len() > MOST_STATES {
                continue;
            }
            let single = classes.len() == 1;
            if single {
                states
                    .iter_mut()
                    .for_each(|s| s.push((variable, classes[0])));
                continue;
            }
            let split = |state: &Vec<(Term, Class)>| {
                let with = |&class: &Class| {
                    let mut state = state.clone();
                    state.push((variable, class));
                    state
                };
                classes.iter().map(with).collect::<Vec<_>>()
            };
            states = states.iter().flat_map(split).collect();
        }
        Post::To(states.into_iter().map(Classes).collect())
    }
}

/// Finds states that are the same.
#[derive(Clone, Debug, Default)]
pub struct Found(FxHashMap<Classes, NodeId>);

impl Index<Classes> for Found {
    fn add(&mut self, state: &Classes, node: NodeId, _: impl FnMut(NodeId) -> bool) -> NodeId {
        *self.0.entry(state.clone()).or_insert(node)
    }

    fn remove(&mut self, state: &Classes, node: NodeId) {
        if self.0.get(state) == Some(&node) {
            self.0.remove(state);
        }
    }
}
