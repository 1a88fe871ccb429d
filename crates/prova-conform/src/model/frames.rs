//! Which objects live where. A procedure that was put in where it is called has its frame's objects to
//! itself, and behind the call their last contents lie about: ten calls that each remember what they
//! came to make as many states as there are combinations, and none of it can be read any more.
//!
//! To forget cells only adds states, so nothing here can make a model unsound.

use super::masks::Masks;
use super::program::Component;
use prova_engine::engines::values::domain::ValuesDomain;
use prova_engine::engines::values::state::{Reached, State};
use prova_engine::problem::blocks::BlockId;
use prova_engine::reach::domain::{Domain, Post};
use prova_ir::{ProcId, Span, Statement};
use prova_logic::{Op, Substitution, Term, Terms};
use rustc_hash::FxHashMap;

/// The calls that lead to a place, outermost first.
type Calls = Vec<(ProcId, Option<Span>)>;

/// The frames of a component.
pub struct Frames {
    /// The calls in which an object lives, by its address.
    lives_in: FxHashMap<Term, Calls>,
    /// The calls that lead to each cutpoint.
    at: Vec<Calls>,
}

impl Frames {
    /// The frames of a component.
    pub fn new(component: &Component) -> Frames {
        let problem = component.problem;
        let prepared = &problem.prepared;
        let mut lives_in = FxHashMap::default();
        for edge in &prepared.body().edges {
            if let Statement::Enter(object) = edge.statement {
                let base = problem.encoding.vars.base(object);
                lives_in.insert(base, prepared.call_path(edge.source));
            }
        }
        let locations = component.steps.blocks.locations.iter();
        let calls = |l: &Option<_>| l.map_or(Vec::new(), |l| prepared.call_path(l));
        Frames {
            lives_in,
            at: locations.map(calls).collect(),
        }
    }

    /// Forgets what lies in frames that are gone at a cutpoint.
    fn forget(&self, terms: &Terms, cutpoint: usize, state: &mut State) {
        let here = &self.at[cutpoint];
        let gone = |base: &Term| match self.lives_in.get(base) {
            Some(calls) => !within(here, calls),
            None => false,
        };
        state.entries.retain(|&(key, _)| {
            let cell = terms.op(key) == Op::Select;
            !cell || !terms.free_vars(terms.children(key)[1]).iter().any(gone)
        });
    }
}

/// Whether calls lead to a procedure that others end in, or further. The last of a list says which
/// procedure it is and not where it calls another.
fn within(here: &Calls, frame: &Calls) -> bool {
    let Some(((last, _), before)) = frame.split_last() else {
        return true;
    };
    here.starts_with(before) && here.get(before.len()).is_some_and(|(p, _)| p == last)
}

/// Explicit values, of what lives.
pub struct Living<'a> {
    /// The values.
    pub values: ValuesDomain<'a>,
    /// What lives where.
    pub frames: &'a Frames,
    /// Which bits are kept, where not all are.
    pub masks: Option<&'a mut Masks>,
}

impl Domain for Living<'_> {
    type State = State;
    type Opened = Substitution;
    type Index = Reached;

    fn initial(&mut self, terms: &mut Terms) -> State {
        self.values.initial(terms)
    }

    fn open(&mut self, terms: &mut Terms, state: &State) -> Substitution {
        self.values.open(terms, state)
    }

    fn covers(&mut self, terms: &mut Terms, state: &State, other: &State) -> bool {
        self.values.covers(terms, state, other)
    }

    fn post(
        &mut self,
        terms: &mut Terms,
        state: &State,
        opened: &mut Substitution,
        block: BlockId,
    ) -> Post<State> {
        let mut post = match &mut self.masks {
            Some(masks) => masks.post(&mut self.values, terms, state, opened, block),
            None => self.values.post(terms, state, opened, block),
        };
        let target = self.values.steps.blocks.block(block).target.index();
        if let Post::To(states) = &mut post {
            for state in states {
                self.frames.forget(terms, target, state);
            }
        }
        post
    }
}
