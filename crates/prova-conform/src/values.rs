//! The loop of [`mod@crate::search`] with explicit values in the place of predicates (Beyer and Löwe's
//! refinement of what is kept; Chaki, Clarke, Jha, Veith's game and strategies around it).
//!
//! Protocol code is steered by variables that only ever hold constants: the state of a record, the
//! kind of a packet, a flag. For a switch with a hundred cases the predicates are a hundred, and one
//! variable says the same. So the values that variables really take are followed first, by the
//! exploration of the engine `values`: all variables at first, and if that does not end, as few as
//! strategies that nobody can play ask for. What is found is closed under the component's steps, and
//! the game is played on it.
//!
//! What would be unsound: to play on states that are not closed, for then a challenge is missing. That
//! is not trusted either: the relation is a certificate like any other.

use crate::game::{Game, Strategy};
use crate::lts::Lts;
use crate::model::block_of;
use crate::model::closed::Closed;
use crate::model::frames::{Frames, Living};
use crate::model::masks::{Asked as AskedBits, Masks};
use crate::model::program::Component;
use crate::refine::validity::{judge, Judged};
use crate::relation::{certificate, Pair};
use crate::search::{actions, played, Effort, Found, Settings};
use prova_engine::engines::values::ask::Asked;
use prova_engine::engines::values::domain::{Kept, States, ValuesDomain};
use prova_engine::engines::values::refine::{
    self, carriers, sharpen, Judge, Judgement, Kin, Suspect,
};
use prova_engine::engines::values::slim::slim;
use prova_engine::engines::values::state::{Precision, State};
use prova_engine::problem::blocks::BlockId;
use prova_engine::problem::names::Names;
use prova_engine::reach::explore::{self, Exploration, Manner};
use prova_engine::reach::flow::Flow;
use prova_logic::{new_solver, Limit, Solver, SolverConfig, Term, Terms};
use prova_task::{Budget, Unknown};
use std::collections::{BTreeMap, BTreeSet};

/// Turns: which of the two searches, the one that keeps every variable or the one that keeps few, and the
/// block steps that it may have taken in all then.
const TURNS: [(usize, u64); 4] = [(0, 20_000), (1, 300_000), (0, 300_000), (1, 1_000_000)];
/// Steps of one exploration of the search that keeps few, at first: what runs away teaches what else to keep. Where
/// it teaches nothing, the next one may take twice as many.
const PART: u64 = 20_000;
/// Questions about states, in each of them.
const QUESTIONS: u64 = 20_000;
/// The deterministic limits of a question about a state, and about a path.
const STATE: u64 = 1_000_000;
const PATH: u64 = 40_000_000;
/// Steps between two looks at the clock.
const POLL: u64 = 64;

/// What is asked: a component, a specification that may stutter, how, and for how long.
pub struct Question<'a, 'p> {
    /// The component.
    pub component: &'a Component<'p>,
    /// The specification.
    pub specification: &'a Lts,
    /// How it is searched.
    pub settings: &'a Settings,
    /// For how long.
    pub budget: &'a Budget,
}

/// Searches by values. Nothing if these do not do. A relation has two certificates, a small one that
/// may say too little, and all of it.
pub fn by_values(
    question: &Question,
    terms: &mut Terms,
    effort: &mut Effort,
) -> Result<Option<(Found, Option<String>)>, Unknown> {
    let solver = |resource| {
        let limit = Limit {
            resource: Some(resource),
            time: question.budget.for_a_question(),
        };
        let config = SolverConfig {
            limit,
            ..SolverConfig::default()
        };
        new_solver(&config).map_err(|e| Unknown::Unsupported {
            what: format!("this solver: {e}"),
            span: None,
        })
    };
    let encoding = &question.component.problem.encoding;
    let everything = Precision::everything(&encoding.vars.all());
    let mut searches = Vec::new();
    // Where few variables are kept, few of their bits are.
    let few = Some(Masks::default());
    for (precision, masks) in [(everything, None), (Precision::default(), few)] {
        let mut search = Search {
            question,
            flow: Flow::new(&question.component.steps.blocks),
            frames: Frames::new(question.component),
            kin: Kin::new(encoding),
            asked: Asked::new(solver(STATE)?),
            judging: Judge {
                solver: solver(PATH)?,
                shrinking: Limit {
                    resource: Some(STATE),
                    time: question.budget.for_a_question(),
                },
                last: None,
            },
            whole: solver(PATH)?,
            kept: Kept::new(&question.component.steps, precision),
            part: match masks {
                Some(_) => PART,
                None => u64::MAX,
            },
            masks,
            most: 0,
            taken: 0,
            stuck: false,
        };
        search.judging.solver.set_minimal_cores(false);
        searches.push(search);
    }
    for (which, most) in TURNS {
        let search = &mut searches[which];
        if search.stuck {
            continue;
        }
        search.most = most;
        let found = search.advance(terms, effort)?;
        search.tell(terms, effort);
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// A search with one precision after another.
struct Search<'a, 'p> {
    question: &'a Question<'a, 'p>,
    flow: Flow,
    frames: Frames,
    kin: Kin,
    asked: Asked,
    judging: Judge,
    /// Who is asked about whole strategies.
    whole: Box<dyn Solver>,
    kept: Kept,
    /// Which bits of them, where not all are kept.
    masks: Option<Masks>,
    /// Steps of one exploration, at most.
    part: u64,
    most: u64,
    taken: u64,
    /// Whether more steps do not help.
    stuck: bool,
}

/// How an exploration ended.
enum Explored {
    /// There is a relation.
    Relation(Found, Option<String>),
    /// A strategy that some run plays.
    Strategy(Found),
    /// Nothing of the kind: these variables are to be kept, in these bits.
    Sharpen(Vec<Term>, AskedBits),
    /// Its steps are used up.
    Paused,
    /// Values do not do.
    Stuck,
}

impl<'a> Search<'a, '_> {
    /// Whether there are steps left for a longer exploration.
    fn longer(&mut self) -> bool {
        let more = self.part.saturating_mul(2);
        let left = self.taken.saturating_add(more) <= self.most;
        if left {
            self.part = more;
        }
        left
    }

    fn advance(
        &mut self,
        terms: &mut Terms,
        effort: &mut Effort,
    ) -> Result<Option<(Found, Option<String>)>, Unknown> {
        loop {
            effort.iterations += 1;
            if effort.iterations > self.question.settings.iterations {
                return Ok(None);
            }
            match self.explored(terms, effort)? {
                Explored::Relation(found, all) => return Ok(Some((found, all))),
                Explored::Strategy(found) => return Ok(Some((found, None))),
                Explored::Paused if self.longer() => {}
                Explored::Paused => return Ok(None),
                Explored::Stuck => {
                    self.stuck = true;
                    return Ok(None);
                }
                Explored::Sharpen(variables, bits) => {
                    let mut precision = std::mem::take(&mut self.kept.precision);
                    self.question.settings.explain(|| {
                        let names = Names {
                            prepared: &self.question.component.problem.prepared,
                            terms,
                        };
                        let mut new = variables.clone();
                        new.retain(|v| !precision.values.contains(v));
                        format!("       nobody plays it; new in play: {}", names.facts(&new))
                    });
                    if !self.sharpen(terms, &mut precision, &variables, &bits) {
                        self.stuck = true;
                        return Ok(None);
                    }
                    self.kept = Kept::new(&self.question.component.steps, precision);
                }
            }
        }
    }

    /// Follows the values that are kept, and plays on what comes of it.
    fn explored(&mut self, terms: &mut Terms, effort: &mut Effort) -> Result<Explored, Unknown> {
        let component = self.question.component;
        let budget = self.question.budget;
        let mut exploration = Exploration::new(&self.flow, Manner::SEARCH, State::default());
        let mut domain = Living {
            values: ValuesDomain {
                steps: &component.steps,
                kept: &mut self.kept,
                asked: &mut self.asked,
            },
            frames: &self.frames,
            masks: self.masks.as_mut(),
        };
        let most = self.part.min(self.most.saturating_sub(self.taken));
        let stop = |steps: u64, domain: &Living| {
            steps > most
                || domain.values.asked.cost > QUESTIONS
                || (steps.is_multiple_of(POLL) && budget.poll().is_some())
        };
        let found = exploration.go_on(terms, &self.flow, &mut domain, stop);
        self.taken += exploration.steps;
        effort.states = exploration.graph.count();
        effort.questions = self.asked.cost;
        self.question.settings.explain(|| {
            let precision = &self.kept.precision;
            format!(
                "{:>5}  {} values ({} in part) and {} relations kept: {} states after {} steps, {} questions: {}",
                effort.iterations,
                precision.values.len(),
                self.masks.as_ref().map_or(0, Masks::partial),
                precision.relations.len(),
                effort.states,
                exploration.steps,
                self.asked.cost,
                match found {
                    explore::Found::Closed => "closed",
                    explore::Found::Limit => "stopped",
                    explore::Found::Error(_) => "something that is not modelled",
                    explore::Found::Trapped(_) => "undefined behaviour",
                }
            )
        });
        self.question
            .settings
            .explain(|| self.crowded(terms, &exploration.graph));
        let ((node, block), trapping) = match found {
            explore::Found::Closed => return self.game(terms, &exploration.graph, true, effort),
            explore::Found::Limit => {
                return match budget.poll() {
                    Some(stop) => Err(Unknown::Stopped(stop)),
                    // What was not followed yet only lacks challenges: a strategy is one all the same.
                    None => self.game(terms, &exploration.graph, false, effort),
                };
            }
            explore::Found::Error(step) => (step, false),
            explore::Found::Trapped(step) => (step, true),
        };
        let mut path = exploration.graph.path(node);
        path.push(block);
        let edges = &component.steps.blocks.block(block).edges;
        let body = component.problem.prepared.body();
        let span = edges.last().map(|&e| body.edge(e).span);
        Ok(match self.judged(terms, &path, trapping) {
            Judgement::Spurious { variables, blamed } => {
                let bits = self.bits(terms, &path, &blamed);
                Explored::Sharpen(variables, bits)
            }
            Judgement::Undecided(_) => Explored::Stuck,
            Judgement::Real(_) if trapping => {
                return Err(Unknown::Undecided {
                    edges: 1,
                    reason: "a run meets undefined behaviour".into(),
                    span,
                })
            }
            Judgement::Real(_) => {
                let what = component.outside(block);
                return Err(Unknown::Unmodelled {
                    what: what.unwrap_or_else(|| "something".into()),
                    span,
                });
            }
        })
    }

    /// Where most states are, and what tells them apart, for people.
    fn crowded(&self, terms: &Terms, graph: &States) -> String {
        let component = self.question.component;
        let names = Names {
            prepared: &component.problem.prepared,
            terms,
        };
        let most = component
            .steps
            .blocks
            .cutpoints()
            .max_by_key(|&c| graph.at(c).len());
        let Some(most) = most else {
            return String::new();
        };
        let mut values: BTreeMap<Term, BTreeSet<Term>> = BTreeMap::new();
        for &node in graph.at(most) {
            for &(key, value) in &graph[node].state.entries {
                values.entry(key).or_default().insert(value);
            }
        }
        let mut told: Vec<(usize, String)> = values
            .iter()
            .filter(|(_, v)| v.len() > 1)
            .map(|(&k, v)| (v.len(), names.predicate(k)))
            .collect();
        told.sort_by(|a, b| b.cmp(a));
        let told: Vec<String> = told.iter().map(|(n, k)| format!("{k} ({n})")).collect();
        format!(
            "       {} of them at {}; values of {}",
            graph.at(most).len(),
            component.place(most),
            told.join(", ")
        )
    }

    /// Whether a path can be run.
    fn judged(&mut self, terms: &mut Terms, path: &[BlockId], trapping: bool) -> Judgement {
        let component = self.question.component;
        let limit = Limit {
            resource: Some(PATH),
            time: self.question.budget.for_a_question(),
        };
        self.judging.solver.reset();
        self.judging.solver.set_limit(limit);
        refine::judge(
            &component.problem.encoding,
            terms,
            &component.steps.transitions,
            &component.steps.blocks,
            Suspect { path, trapping },
            &self.kept.precision,
            &mut self.judging,
        )
    }

    /// Plays on a set of states. Unless it is closed, nothing but a strategy that some run plays comes of it.
    fn game(
        &mut self,
        terms: &mut Terms,
        graph: &States,
        closed_set: bool,
        effort: &mut Effort,
    ) -> Result<Explored, Unknown> {
        let (component, settings) = (self.question.component, self.question.settings);
        let closed = Closed::new(component, graph);
        let game = self.play(&closed)?;
        effort.states = closed.size();
        effort.positions = game.positions.len();
        if game.simulates() && !closed_set {
            return Ok(Explored::Paused);
        }
        if game.simulates() {
            let written = |terms: &Terms, pairs: Vec<Pair>| {
                certificate(component, terms, pairs).map_err(Unknown::Certificate)
            };
            let Ok(relation) = game.relation(&closed);
            let pairs = relation.len();
            let all = closed.pairs(terms, &relation);
            let all = written(terms, all)?;
            let small = slim(terms, &component.steps, &self.flow, graph, true);
            let small = Closed::new(component, &small);
            let again = self.play(&small)?;
            if !again.simulates() {
                let found = Found::Relation {
                    certificate: all,
                    pairs,
                };
                return Ok(Explored::Relation(found, None));
            }
            let Ok(relation) = again.relation(&small);
            let told = small.pairs(terms, &relation);
            let found = Found::Relation {
                certificate: written(terms, told)?,
                pairs: relation.len(),
            };
            return Ok(Explored::Relation(found, Some(all)));
        }
        let strategies = game.strategies(settings.trees);
        effort.count(&strategies);
        let mut spurious = None;
        for strategy in &strategies {
            self.whole.reset();
            match judge(component, terms, &mut *self.whole, strategy) {
                Judged::Valid(runs) => {
                    return Ok(Explored::Strategy(played(component, strategy, runs)?))
                }
                Judged::Spurious(core) if spurious.is_none() => spurious = Some((strategy, core)),
                Judged::Spurious(_) | Judged::Undecided(_) => {}
            }
            if let Some(stop) = self.question.budget.poll() {
                return Err(Unknown::Stopped(stop));
            }
        }
        // Where few are kept, what is not closed teaches, too.
        if !closed_set && self.masks.is_none() {
            return Ok(Explored::Paused);
        }
        let Some((strategy, core)) = spurious else {
            return Ok(match closed_set {
                true => Explored::Stuck,
                false => Explored::Paused,
            });
        };
        effort.spurious = actions(strategy);
        let (variables, bits) = self.blamed(terms, strategy, &core);
        Ok(Explored::Sharpen(variables, bits))
    }

    fn play(&self, closed: &Closed) -> Result<Game<'a>, Unknown> {
        let budget = self.question.budget;
        if let Some(stop) = budget.poll() {
            return Err(Unknown::Stopped(stop));
        }
        let Ok(game) = Game::play(closed, self.question.specification, &mut || None);
        Ok(game)
    }

    /// Variables that would have told that nobody plays a strategy.
    fn blamed(
        &mut self,
        terms: &mut Terms,
        strategy: &Strategy,
        core: &[(usize, Term)],
    ) -> (Vec<Term>, AskedBits) {
        let component = self.question.component;
        let (mut found, mut bits) = (Vec::new(), AskedBits::default());
        for &(node, _) in core {
            let nodes = strategy.path_to(node);
            let path: Vec<BlockId> = nodes
                .iter()
                .map(|&n| block_of(strategy.nodes[n].step))
                .collect();
            // Where one path is reason enough, whoever looks at single paths knows more of it.
            if let Judgement::Spurious { variables, blamed } = self.judged(terms, &path, false) {
                return (variables, self.bits(terms, &path, &blamed));
            }
            let position = |&(n, term): &(usize, Term)| {
                let at = nodes.iter().position(|&p| p == n)?;
                Some((at, term))
            };
            let blamed: Vec<(usize, Term)> = core.iter().filter_map(position).collect();
            let (transitions, encoding) =
                (&component.steps.transitions, &component.problem.encoding);
            found.extend(carriers(terms, transitions, encoding, &path, &blamed));
            bits.back(terms, transitions, encoding, &path, &blamed);
        }
        found.sort_unstable();
        found.dedup();
        (found, bits)
    }

    /// The bits that conditions of a path ask for, wherever on it they stand.
    fn bits(&self, terms: &Terms, path: &[BlockId], blamed: &[Term]) -> AskedBits {
        let component = self.question.component;
        let (transitions, encoding) = (&component.steps.transitions, &component.problem.encoding);
        let mut places = Vec::new();
        for (k, &block) in path.iter().enumerate() {
            let guards = transitions.guard(block).iter();
            let blamed = guards.filter(|g| blamed.contains(g));
            places.extend(blamed.map(|&g| (k, g)));
        }
        let mut bits = AskedBits::default();
        bits.back(terms, transitions, encoding, path, &places);
        bits
    }

    /// Keeps more: of these variables the bits that were asked for, then all of them, then how they are
    /// related. `false` if all of that is kept.
    fn sharpen(
        &mut self,
        terms: &Terms,
        precision: &mut Precision,
        variables: &[Term],
        bits: &AskedBits,
    ) -> bool {
        let known = variables.iter().all(|v| precision.values.contains(v));
        if let Some(masks) = &mut self.masks {
            let grew = masks.widen(terms, |v| precision.values.contains(&v), bits);
            if known && (grew || masks.whole(variables)) {
                return true;
            }
        }
        sharpen(precision, &self.kin, variables)
    }

    /// What was kept, for people.
    fn tell(&self, terms: &Terms, effort: &mut Effort) {
        let precision = &self.kept.precision;
        effort.conditions = precision.values.len() + precision.relations.len();
        let names = Names {
            prepared: &self.question.component.problem.prepared,
            terms,
        };
        let mut kept: Vec<Term> = precision.values.iter().copied().collect();
        kept.sort_unstable();
        let told = kept.iter().take(TOLD);
        effort.chosen = told
            .map(|&v| format!("the value of {}", names.predicate(v)))
            .collect();
    }
}

/// Variables that are named to people, at most.
const TOLD: usize = 40;
