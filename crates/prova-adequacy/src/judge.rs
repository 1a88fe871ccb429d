//! The procedure with somebody's tests and somebody's predicates, and what came of it: what the tests
//! cover, what is missing, and whether they are enough.

use crate::carry::carried;
use crate::places::{label, locations, Key};
use crate::predicates::{Group, Where, Written};
use crate::probe::Read;
use prova_engine::engine::{Progress, Quota, Turn};
use prova_engine::engines::fabricate::abstraction::Predicates;
use prova_engine::engines::fabricate::procedure::{Checked, Procedure};
use prova_engine::engines::fabricate::states::{Abstract, By};
use prova_engine::knowledge::Knowledge;
use prova_engine::problem::blocks::{Blocks, Cutpoint};
use prova_engine::problem::names::Names;
use prova_engine::problem::{Problem, Steps};
use prova_engine::proof::conclude::proved;
use prova_engine::proof::inductive::{Cases, Inductive};
use prova_engine::Granularity;
use prova_exec::transfer::Composer;
use prova_exec::translate::Context;
use prova_exec::Given;
use prova_ir::{LocId, ProcId, Program, Span};
use prova_logic::{new_solver, SolverConfig, Sort, Term, Terms};
use prova_task::{Budget, Outcome as Verdict, Proof, Silent, Statistics, Task, Unknown};

/// A predicate that was compiled.
pub struct Compiled {
    /// As it was written.
    pub written: Written,
    /// Its expression in the program it was compiled with.
    pub read: Read,
}

/// Predicates of the user's: groups, and for each group its predicates.
pub struct Asked<'a> {
    /// The groups.
    pub groups: &'a [Group],
    /// The predicates of each group.
    pub compiled: &'a [Vec<Compiled>],
    /// The program they were compiled with.
    pub probes: &'a Program,
}

/// A place where states are abstracted.
#[derive(Clone, Debug)]
pub struct Judged {
    /// What it is called.
    pub name: String,
    /// Where it is.
    pub span: Span,
    /// The function it lies in, as written.
    pub procedure: ProcId,
    /// How to find it in the program as written.
    pub key: Key,
    /// The group that its predicates come from, if they are the user's.
    pub group: Option<usize>,
    /// The predicates in words.
    pub predicates: Vec<String>,
    /// Abstract states, and who covered each.
    pub states: Vec<(Abstract, By)>,
    /// What the tests cover, as C, where that is a range for each variable.
    pub tested: Option<String>,
    /// What is covered in the end, as C, where that is a range for each variable.
    pub invariant: Option<String>,
}

/// An abstract state that no test covers.
#[derive(Clone, Debug)]
pub struct Missing {
    /// The place, by its number.
    pub place: usize,
    /// The state.
    pub state: Abstract,
    /// A concrete one, in words, if it was fabricated itself.
    pub fabricated: Option<String>,
}

/// What came of it.
pub struct Outcome {
    /// The places.
    pub places: Vec<Judged>,
    /// What no test covers.
    pub missing: Vec<Missing>,
    /// States that were fabricated.
    pub fabricated: usize,
    /// All abstract states at places with predicates.
    pub count: usize,
    /// Questions to the solver.
    pub questions: u64,
    /// Whether the procedure ended with a set of states that is closed.
    pub closed: Result<(), Unknown>,
    /// An error that is possible: where, and a state before it.
    pub error: Option<(Span, String)>,
    /// The proof that what is covered holds in all runs, and that none reaches an error.
    pub proof: Option<Result<Box<Proof>, Unknown>>,
    /// Tests that fail, by number.
    pub failing: Option<u32>,
    /// Steps of each test, as a sign that it ran.
    pub tests: u32,
}

/// How the procedure is run.
pub struct Settings<'a> {
    /// The solver.
    pub solver: SolverConfig,
    /// Time, memory, cancellation.
    pub budget: &'a Budget,
    /// Whether it goes on behind an error that is possible.
    pub past_errors: bool,
}

/// Where groups ask, in the program that is analysed: location, group, and the key to find it again.
fn asked_at(problem: &Problem, asked: &Asked) -> Result<Vec<(LocId, usize, Key, String)>, String> {
    let (prepared, body) = (&problem.prepared, problem.prepared.body());
    let original = &prepared.original;
    let mut found = Vec::new();
    for (number, group) in asked.groups.iter().enumerate() {
        let procedure = original
            .find_procedure(&group.function)
            .filter(|p| original.procedure(*p).body.is_some())
            .ok_or_else(|| {
                format!(
                    "{}:1: there is no function `{}` with a body",
                    group.line, group.function
                )
            })?;
        let own = |at: LocId| {
            prepared
                .instance(at)
                .is_some_and(|(p, _)| original.procedure(p).c_name == group.function)
        };
        for place in &group.places {
            let (key, name) = match place {
                Where::Everywhere => {
                    let blocks = Blocks::new(body, Granularity::LoopFree);
                    let all = blocks.locations.iter().flatten().copied();
                    for at in all.filter(|l| own(*l) && !body.is_error(*l)) {
                        let span = body.location(at).span;
                        let name = format!("{}:{}", group.function, span.line);
                        found.push((at, number, Key::At(span), name));
                    }
                    continue;
                }
                Where::Label(name) => {
                    let span = label(original, procedure, name).ok_or_else(|| {
                        format!(
                            "{}:1: `{}` has no label `{name}`",
                            group.line, group.function
                        )
                    })?;
                    (Key::At(span), name.clone())
                }
                Where::Line(line) => (Key::Line(*line), format!("{}:{line}", group.function)),
            };
            let mut places = locations(body, key, &own);
            let mut key = key;
            // Passes may leave nothing at the very position: then wherever its line is entered.
            if let (true, Key::At(span)) = (places.is_empty(), key) {
                key = Key::Line(span.line);
                places = locations(body, key, &own);
            }
            if places.is_empty() {
                return Err(format!(
                    "{}:1: no run can stand at `{name}` of `{}`",
                    group.line, group.function
                ));
            }
            found.extend(places.into_iter().map(|at| (at, number, key, name.clone())));
        }
    }
    Ok(found)
}

/// A predicate as a term at a location of the program that is analysed.
fn term_at(
    problem: &Problem,
    terms: &mut Terms,
    asked: &Asked,
    compiled: &Compiled,
    at: LocId,
) -> Result<Term, String> {
    let prepared = &problem.prepared;
    let (procedure, copy) = prepared
        .instance(at)
        .ok_or_else(|| "the place is in no function".to_owned())?;
    let mut program = (*prepared.program).clone();
    let mut pool = program.exprs.clone();
    let value = carried(
        asked.probes,
        &compiled.read,
        &prepared.original,
        procedure,
        copy,
        &program,
        &mut pool,
    )?;
    program.exprs = pool;
    let own = problem.encoding.context();
    let context = Context {
        program: &program,
        ..own
    };
    let value = Composer::new(context)
        .value(terms, value)
        .map_err(|e| e.to_string())?;
    Ok(match terms.sort(value) {
        Sort::Bool => value,
        Sort::BitVec(width) => {
            let zero = terms.bv(0, width);
            let equal = terms.eq(value, zero);
            terms.not(equal)
        }
        _ => return Err("it is no number".into()),
    })
}

/// Runs the procedure. The inner error is about the predicates: it begins with line and column.
pub fn judge(
    problem: &Problem,
    task: &Task,
    tests: &[Given],
    asked: Option<&Asked>,
    settings: &Settings,
) -> Result<Result<Outcome, String>, Unknown> {
    let terms = &mut *problem.terms.borrow_mut();
    let at = match asked.map(|a| asked_at(problem, a)).transpose() {
        Ok(at) => at.unwrap_or_default(),
        Err(wrong) => return Ok(Err(wrong)),
    };
    let cuts: Vec<LocId> = at.iter().map(|a| a.0).collect();
    // Where nobody says what to ask, every branch is asked about; else few cutpoints are best.
    let granularity = match asked {
        None => Granularity::Basic,
        Some(_) => Granularity::LoopFree,
    };
    let blocks = Blocks::cut(problem.prepared.body(), granularity, &cuts);
    let mut procedure = Procedure::of_blocks(problem, terms, blocks)?;
    let mut places: Vec<Judged> = Vec::new();
    let mut cutpoints: Vec<Cutpoint> = Vec::new();
    match asked {
        None => {
            procedure.predicates = Predicates::of_branches(terms, &procedure.steps);
            for at in procedure.steps.blocks.cutpoints().skip(1) {
                let predicates = &procedure.predicates.at[at.index()];
                let Some(location) = procedure.steps.blocks.locations[at.index()] else {
                    continue;
                };
                if predicates.is_empty() || procedure.steps.blocks.errors.contains(&at) {
                    continue;
                }
                let names = Names {
                    prepared: &problem.prepared,
                    terms,
                };
                let span = problem.prepared.body().location(location).span;
                let (own, _) = problem
                    .prepared
                    .instance(location)
                    .unwrap_or((problem.prepared.entry(), 1));
                places.push(Judged {
                    name: names.place(span),
                    span,
                    procedure: own,
                    key: Key::At(span),
                    group: None,
                    predicates: predicates.iter().map(|p| names.predicate(*p)).collect(),
                    states: Vec::new(),
                    tested: None,
                    invariant: None,
                });
                cutpoints.push(at);
            }
        }
        Some(asked) => {
            for (location, group, key, name) in at {
                let Some(cutpoint) = procedure.steps.blocks.cutpoint_of[location.index()] else {
                    continue;
                };
                if cutpoints.contains(&cutpoint) {
                    let line = asked.groups[group].line;
                    return Ok(Err(format!(
                        "{line}:1: something is asked at `{name}` already"
                    )));
                }
                let mut texts = Vec::new();
                for compiled in &asked.compiled[group] {
                    let written = &compiled.written;
                    match term_at(problem, terms, asked, compiled, location) {
                        Ok(term) => procedure.predicates.at[cutpoint.index()].push(term),
                        Err(what) => {
                            return Ok(Err(format!("{}:{}: {what}", written.line, written.column)))
                        }
                    }
                    texts.push(written.text.clone());
                }
                let (own, _) = problem
                    .prepared
                    .instance(location)
                    .unwrap_or((problem.prepared.entry(), 1));
                places.push(Judged {
                    name,
                    span: problem.prepared.body().location(location).span,
                    procedure: own,
                    key,
                    group: Some(group),
                    predicates: texts,
                    states: Vec::new(),
                    tested: None,
                    invariant: None,
                });
                cutpoints.push(cutpoint);
            }
        }
    }
    let mut known = Knowledge::new(problem, task)?;
    run_tests(&mut known, tests, settings);
    let mut solver =
        new_solver(&settings.solver).map_err(|e| Unknown::CheckFailed(e.to_string()))?;
    let mut error = None;
    let closed = loop {
        procedure.absorb(terms, &known.forest);
        if error.is_none() {
            error = procedure.error().map(|at| possible(&procedure, terms, at));
        }
        if error.is_some() && !settings.past_errors {
            break Err(Unknown::Undecided {
                edges: 0,
                reason: "an error is possible".into(),
                span: None,
            });
        }
        solver.set_limit(prova_logic::Limit {
            resource: None,
            time: settings.budget.for_a_question(),
        });
        match procedure.check(terms, &mut *solver, settings.budget) {
            Ok(Checked::Fabricated) => {}
            Ok(Checked::Invariant) => break Ok(()),
            Err(unknown) => break Err(unknown),
        }
    };
    let mut missing = Vec::new();
    for (number, (place, at)) in places.iter_mut().zip(&cutpoints).enumerate() {
        for (state, by) in &procedure.covered.at[at.index()] {
            place.states.push((state.clone(), *by));
            if !matches!(by, By::Test(_) | By::Tests) {
                let own = procedure
                    .fabricated
                    .iter()
                    .find(|f| f.at == *at && f.state == *state);
                missing.push(Missing {
                    place: number,
                    state: state.clone(),
                    fabricated: own.map(|f| shown(&procedure, terms, *at, &f.model)),
                });
            }
        }
    }
    let count = places.iter().map(|p| p.states.len()).sum();
    let failing = known.forest.failing().map(|f| f.0);
    let wanted = closed.is_ok() && error.is_none() && failing.is_none();
    let mut shown = None;
    if wanted {
        let cases = procedure.cases(terms);
        shown = Some(proof(
            problem,
            &procedure.steps,
            cases,
            terms,
            &mut known,
            settings,
        ));
    }
    Ok(Ok(Outcome {
        places,
        missing,
        fabricated: procedure.fabricated.len(),
        count,
        questions: procedure.questions,
        proof: shown,
        closed,
        error,
        failing,
        tests: known.forest.count(),
    }))
}

/// Runs somebody's tests.
pub(crate) fn run_tests(known: &mut Knowledge, tests: &[Given], settings: &Settings) {
    for given in tests {
        let limits = prova_exec::Limits {
            steps: 1_000_000,
            ..prova_exec::Limits::default()
        };
        let (test, _) = given.onto(known.forest.code(), limits);
        let time = settings.budget.remaining();
        known.forest.add_as_it_is(test, time);
    }
}

/// What is covered as a proof, every step of it proved again.
pub(crate) fn proof<'p>(
    problem: &'p Problem,
    steps: &Steps,
    cases: Cases,
    terms: &mut Terms,
    known: &mut Knowledge<'p>,
    settings: &Settings,
) -> Result<Box<Proof>, Unknown> {
    let mut claim = Inductive::new(problem, steps, cases);
    let mut turn = Turn {
        terms,
        known,
        quota: Quota::ALL,
        budget: settings.budget,
        observer: &mut Silent,
    };
    let mut statistics = Statistics::default();
    let config = &settings.solver;
    let concluded = proved(problem, config, &mut turn, &mut claim, &mut statistics);
    match concluded {
        Progress::Done(verdict) => match verdict.outcome() {
            Verdict::Proved(proof) => Ok(proof),
            _ => Err(Unknown::TurnsOver),
        },
        Progress::Exhausted(unknown) => Err(unknown),
        Progress::Working => Err(Unknown::TurnsOver),
    }
}

/// The error that is possible: where, and the state that was fabricated last.
fn possible(procedure: &Procedure, terms: &Terms, at: Cutpoint) -> (Span, String) {
    let location = procedure.steps.blocks.locations[at.index()];
    let body = procedure.problem.prepared.body();
    let span = location.map_or(Span::NONE, |l| body.location(l).span);
    let state = procedure
        .fabricated
        .last()
        .map(|f| shown(procedure, terms, f.at, &f.model));
    (span, state.unwrap_or_default())
}

/// A state in words: the variables with names that predicates at the place speak of.
fn shown(procedure: &Procedure, terms: &Terms, at: Cutpoint, model: &prova_logic::Model) -> String {
    let spoken = terms.free_vars_of(&procedure.predicates.at[at.index()]);
    let mut parts = Vec::new();
    for variable in spoken {
        let meaning = procedure.problem.encoding.vars.meaning(variable);
        let Some(prova_exec::state_vars::StateVar::Register(register)) = meaning else {
            continue;
        };
        let register = procedure.problem.prepared.program.register(register);
        if register.c_name.is_empty() {
            continue;
        }
        let value = model.get(variable).and_then(|v| v.as_bits().cloned());
        let text = match value.and_then(|bits| bits.to_u128()) {
            None => "0".to_owned(),
            Some(bits) => match register.ty {
                prova_ir::Type::Int(width) if width < 128 => {
                    let shift = 128 - u32::from(width);
                    (((bits << shift) as i128) >> shift).to_string()
                }
                _ => format!("{bits:#x}"),
            },
        };
        parts.push(format!("{} = {text}", register.c_name));
    }
    parts.sort();
    parts.join(", ")
}
