//! Explicit states at the heads of loops (explicit-state model checking after Holzmann, *The Model
//! Checker SPIN*, 1997, on the program itself).
//!
//! Event loops with hundreds of conditions in a chain have few states where they begin anew, and
//! between two of them a run goes one way. So states are kept there only, and the program is run
//! from each: by ranges of the values of registers, which are single values nearly everywhere.
//! Inputs are split into the classes that the program tells apart. Memory, floats and addresses are
//! not followed: a branch on them goes both ways. Where single values are too many, those that lie in the
//! same classes are one state, a range for each register, which grows until nothing new arrives.
//!
//! A way to an error is a test, which the machine runs. When nothing new is found, the states are the
//! cases of an invariant whose proof is to run the program from each of them again
//! ([`prova_task::Manner::CaseByCase`]): the certificate is as small as the set of states.
//!
//! | file | what it holds |
//! |---|---|
//! | [`between`] | ranges of values, and what operators make of them |
//! | [`places`] | where states are kept, and what of them |
//! | [`explore`] | running the program from each of them |

pub mod between;
pub mod explore;
pub mod places;

use crate::engine::{Engine, Progress, Search, Turn};
use crate::problem::Problem;
use crate::proof::conclude::{proved, violated, Claim};
use crate::proof::recheck::Flaw;
use between::Between;
use explore::{Exploration, Met};
use places::Places;
use prova_exec::Test;
use prova_ir::{LocId, Span};
use prova_logic::{Solver, SolverConfig, Term, Terms};
use prova_task::{Contract, Invariant, Manner, Statistics, Unknown};

/// The engine and its parameters.
#[derive(Clone, Debug, Default)]
pub struct States {
    /// The solver that its claims would be asked of.
    pub solver: SolverConfig,
}

/// Edges that the first exploration follows.
const FIRST_EDGES: u64 = 8_000_000;
/// Edges that a proof may have to follow again.
const MOST_EDGES: u64 = 15_000_000;
/// Steps into several classes that were taken: a solver may have to be asked about each that a proof has.
const MOST_PARTED: u64 = 20_000;

/// Which exploration has its turn: values as they are, then classes of them, then as they are again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    First,
    Coarse,
    Last,
}

/// A search, between its turns.
struct StatesSearch<'p> {
    problem: &'p Problem,
    solver: SolverConfig,
    stage: Stage,
    exact: Exploration<'p>,
    coarse: Exploration<'p>,
    statistics: Statistics,
}

impl Engine for States {
    fn name(&self) -> &'static str {
        "states"
    }

    fn begin<'p>(
        &self,
        problem: &'p Problem,
        _: &mut Terms,
    ) -> Result<Box<dyn Search<'p> + 'p>, Unknown> {
        if !problem.prepared.is_one_procedure() {
            return Err(Unknown::Unsupported {
                what: "several procedures".into(),
                span: None,
            });
        }
        let begin = |coarse| {
            let places = Places::new(&problem.prepared.program, problem.prepared.body());
            Exploration::new(places, coarse)
        };
        Ok(Box::new(StatesSearch {
            problem,
            solver: self.solver.clone(),
            stage: Stage::First,
            exact: begin(false),
            coarse: begin(true),
            statistics: Statistics {
                locations: problem.locations(),
                ..Statistics::default()
            },
        }))
    }
}

impl<'p> Search<'p> for StatesSearch<'p> {
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        turn.known.begin(turn.budget);
        self.statistics.tests = turn.known.forest.count().into();
        if let Some(verdict) = violated(&turn.known.forest) {
            return verdict;
        }
        let mut left = turn.quota.steps;
        loop {
            let (exploration, most) = match self.stage {
                Stage::First => (&mut self.exact, FIRST_EDGES),
                Stage::Coarse => (&mut self.coarse, MOST_EDGES),
                Stage::Last => (&mut self.exact, u64::MAX),
            };
            let before = exploration.edges;
            let end = exploration.go_on(turn.budget, most.min(before.saturating_add(left)));
            left = left.saturating_sub(exploration.edges - before);
            let (edges, parted) = (exploration.edges, exploration.parted);
            let (number, coarse) = (exploration.last, exploration.coarse);
            self.tell(turn, &end);
            match end {
                Ok(()) if edges <= MOST_EDGES && parted <= MOST_PARTED => {
                    return self.conclude(turn);
                }
                Ok(()) if !coarse => return undecided("a proof would be too long".into(), None),
                Ok(()) => self.stage = Stage::Last,
                Err(Met::Error(inputs, at)) => match self.test(turn, number, inputs, at) {
                    Progress::Exhausted(_) if coarse => self.stage = Stage::Last,
                    progress => return progress,
                },
                Err(Met::Stopped) => {
                    let stop = turn.budget.poll().unwrap_or(prova_task::Stop::Time);
                    return Progress::Exhausted(Unknown::Stopped(stop));
                }
                Err(Met::Paused) if left == 0 => return Progress::Working,
                Err(Met::Foreign(what, span)) => return undecided(what.into(), Some(span)),
                Err(Met::Crowd | Met::Paused) if self.stage == Stage::Last => {
                    return undecided("there are too many states".into(), None);
                }
                Err(Met::Crowd | Met::Paused) => {
                    self.stage = match self.stage {
                        Stage::First => Stage::Coarse,
                        _ => Stage::Last,
                    };
                }
            }
        }
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

fn undecided(reason: String, span: Option<Span>) -> Progress {
    Progress::Exhausted(Unknown::Undecided {
        edges: 1,
        reason,
        span,
    })
}

impl<'p> StatesSearch<'p> {
    fn current(&self) -> &Exploration<'p> {
        match self.stage {
            Stage::Coarse => &self.coarse,
            _ => &self.exact,
        }
    }

    fn conclude(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        let mut statistics = std::mem::take(&mut self.statistics);
        let mut claim = Closed {
            problem: self.problem,
            explored: self.current(),
        };
        statistics.regions = claim.explored.nodes.len() as u64;
        let progress = proved(
            self.problem,
            &self.solver,
            turn,
            &mut claim,
            &mut statistics,
        );
        self.statistics = statistics;
        progress
    }

    /// Runs the test that a way to an error is.
    fn test(
        &mut self,
        turn: &mut Turn,
        mut number: usize,
        inputs: Vec<u128>,
        at: LocId,
    ) -> Progress {
        let mut parts = vec![inputs];
        let nodes = &self.current().nodes;
        while number > 0 {
            parts.push(nodes[number].inputs.to_vec());
            number = nodes[number].parent;
        }
        let values = parts.into_iter().rev().flatten().collect();
        let test = Test {
            values,
            ..Test::default()
        };
        let forest = &mut turn.known.forest;
        let number = forest.add(test, turn.budget.remaining());
        self.statistics.tests += 1;
        let span = self.problem.prepared.body().location(at).span;
        match violated(forest) {
            Some(verdict) => verdict,
            None => undecided(forest.why_not(number), Some(span)),
        }
    }

    fn tell(&mut self, turn: &mut Turn, end: &Result<(), Met>) {
        self.statistics.iterations += 1;
        let explored = self.current();
        let (states, edges) = (explored.nodes.len() as u64, explored.edges);
        let kind = if explored.coarse { "classes" } else { "values" };
        self.statistics.set("abstract_states", states);
        turn.observer.progress(&self.statistics);
        if !turn.observer.explains() {
            return;
        }
        let end = match end {
            Ok(()) => "no error",
            Err(Met::Error(..)) => "a way to an error",
            Err(Met::Crowd) => "too many ways",
            Err(Met::Foreign(what, _)) => what,
            Err(Met::Stopped | Met::Paused) => "stopped",
        };
        turn.observer.explain(&format!(
            "{:>5}  {states} states of {kind}, {edges} edges: {end}",
            self.statistics.iterations,
        ));
    }
}

/// A closed set of states that claims to be a proof.
struct Closed<'a, 'p> {
    problem: &'p Problem,
    explored: &'a Exploration<'p>,
}

impl Claim for Closed<'_, '_> {
    /// Nothing is asked: that each state leads to others of them was seen by running the program with
    /// the machine's own arithmetic. The checker does it again with formulas of its own.
    fn recheck(
        &mut self,
        _: &mut Terms,
        _: &mut dyn Solver,
        _: &mut dyn FnMut() -> bool,
    ) -> Result<u64, Flaw> {
        match self.explored.nodes.is_empty() {
            true => Err(Flaw::Malformed("nothing was run".into())),
            false => Ok(0),
        }
    }

    /// A way that comes to something unmodelled ends the search.
    fn unmodelled(&self) -> Option<(String, Span)> {
        None
    }

    fn manner(&self) -> Manner {
        Manner::CaseByCase
    }

    fn says(&mut self, terms: &mut Terms) -> (Vec<Invariant>, Vec<Contract>) {
        let places = &self.explored.places;
        let procedure = places.program.entry.expect("the program has an entry");
        let mut cases: Vec<Vec<Vec<Term>>> = vec![Vec::new(); places.kept.len()];
        for node in &self.explored.nodes {
            let kept = places.kept[node.at.index()].iter().flatten();
            let mut case = Vec::new();
            for (register, known) in kept.zip(&*node.state) {
                let ty = places.program.register(*register).ty;
                let variable = self.problem.encoding.vars.register[register.index()];
                said(terms, variable, *known, Between::all(ty), &mut case);
            }
            cases[node.at.index()].push(case);
        }
        let located = cases.into_iter().enumerate();
        let kept = located.filter(|(i, _)| places.kept[*i].is_some());
        let invariants = kept.map(|(i, cases)| Invariant {
            procedure,
            location: LocId::new(i),
            span: places.body.locations[i].span,
            cases,
        });
        (invariants.collect(), Vec::new())
    }
}

/// That a variable lies between two values, of all that it could have.
fn said(terms: &mut Terms, variable: Term, known: Between, all: Between, case: &mut Vec<Term>) {
    if known == all {
        return;
    }
    if terms.sort(variable) == prova_logic::Sort::Bool {
        let value = terms.bool_const(known.low != 0);
        case.push(terms.eq(variable, value));
        return;
    }
    let width = terms.width(variable);
    let [low, high] = [known.low, known.high].map(|v| terms.bv_signed(v.into(), width));
    if known.low == known.high {
        case.push(terms.eq(variable, low));
        return;
    }
    if known.low != all.low {
        case.push(terms.sle(low, variable));
    }
    if known.high != all.high {
        case.push(terms.sle(variable, high));
    }
}
