//! Verdicts, and what they rest on. *Conforms* is said once `prova-relation` accepted the relation;
//! *does not conform* once native runs showed it ([`crate::shown`]); anything else is unknown.

use crate::facts::proven;
use crate::lts::subsets::subsets;
use crate::lts::syntax::{Abstraction, File, Role};
use crate::lts::{Alphabet, Lts};
use crate::model::images::Images;
use crate::model::program::Component;
use crate::plan::Plan;
use crate::relation::with_sets;
use crate::search::{search, Effort, Found, Settings, States};
use crate::session::{errors, Loaded, Session};
use crate::shown::{show, Shown};
use crate::told::told;
use crate::unit::{Purpose, SHOWN};
use crate::values::{self, by_values};
use prova_c::{Diagnostic, Options};
use prova_certify::{Accepted, Failure, Limits};
use prova_engine::problem::blocks::Granularity;
use prova_engine::problem::Problem;
use prova_engine::registry;
use prova_engine::testing::forest::Forest;
use prova_ir::{Assumption, World};
use prova_logic::{SolverChoice, SolverConfig};
use prova_relation::Specification;
use prova_spec::weave_unreach_call;
use prova_task::observer::Silent;
use prova_task::prepare::{prepare_as, Form};
use prova_task::{Budget, Outcome, Stop, Task, Unknown};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What it means to conform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Relation {
    /// The specification simulates the component.
    #[default]
    Simulation,
    /// The component has no trace that the specification does not have.
    Traces,
}

/// A question, with all that may be chosen.
pub struct Question<'q> {
    /// C files.
    pub files: &'q [PathBuf],
    /// How they are read.
    pub options: &'q Options,
    /// How the world outside is read.
    pub world: &'q World,
    /// Machines and abstractions.
    pub file: &'q File,
    /// Which target; the first if none is named.
    pub target: Option<&'q str>,
    /// What it means to conform.
    pub relation: Relation,
    /// How it is searched.
    pub settings: Settings,
    /// How large the steps of the model are.
    pub granularity: Granularity,
    /// Whether facts that others prove prune the model.
    pub facts: bool,
    /// Who certifies relations.
    pub solvers: Vec<SolverChoice>,
    /// How long a solver may think about one condition.
    pub patience: Duration,
    /// Where texts are written.
    pub folder: &'q Path,
    /// Whether these texts are kept, with harnesses beside them.
    pub keep: bool,
    /// How long a native run may take.
    pub replay: Duration,
    /// Whether there may be native runs. Without them no violation is shown: a strategy that can be
    /// played is told, and the answer is unknown.
    pub native: bool,
}

/// An answer.
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// What it took to find it.
    pub effort: Effort,
    /// What it rests on beside the assumed machines.
    pub assumed: Vec<Assumption>,
    /// Routines that are known by machines that nobody has shown: their names.
    pub routines: Vec<String>,
    /// Those that were shown beside it ([`settle`]).
    pub shown: Vec<String>,
    /// All actions by number.
    pub alphabet: Alphabet,
    /// The specification.
    pub specification: Lts,
    /// What the user should know.
    pub warnings: Vec<Diagnostic>,
}

/// What was found, with its evidence.
pub enum Verdict {
    /// It conforms.
    Conforms {
        /// The relation, as its checker reads it.
        certificate: String,
        /// Pairs in it.
        pairs: usize,
        /// How it was accepted.
        accepted: Accepted,
    },
    /// It does not.
    Violates(Box<Shown>),
    /// Neither was shown.
    Unknown(Unknown),
}

/// Answers a question.
///
/// # Errors
/// What is wrong with the files.
pub fn conform(question: &Question, budget: &Budget) -> Result<Answer, Vec<Diagnostic>> {
    let plan = Plan::new(question.file, question.target).map_err(|e| vec![*e])?;
    let session = Session::new(
        question.files,
        question.options,
        question.world,
        question.folder,
        &plan,
    )?;
    let mut warnings = plan.warnings.clone();
    let mut effort = Effort::default();
    let loaded = session.load(&plan, &Purpose::Model)?;
    warnings.extend(loaded.warnings.iter().cloned());
    let verdict = match guards(&plan, &session, budget)? {
        Some(unknown) => Verdict::Unknown(unknown),
        None => decide(question, &plan, &session, &loaded, budget, &mut effort)?,
    };
    let routines = plan.assumed.iter().map(|(a, _)| &a.name.text);
    Ok(Answer {
        verdict,
        effort,
        assumed: loaded.assumed,
        routines: routines.cloned().collect(),
        shown: Vec::new(),
        alphabet: plan.alphabet,
        specification: plan.specification,
        warnings,
    })
}

/// Marks routines whose own conformance was shown by one of these answers. To be a target is not enough.
pub fn settle(answers: &mut [(String, Answer)]) {
    let conform = |(_, a): &&(String, Answer)| matches!(a.verdict, Verdict::Conforms { .. });
    let names: Vec<String> = answers
        .iter()
        .filter(conform)
        .map(|a| a.0.clone())
        .collect();
    for (_, answer) in answers {
        let all = std::mem::take(&mut answer.routines);
        (answer.shown, answer.routines) = all.into_iter().partition(|r| names.contains(r));
    }
}

/// Looks whether guards exclude each other and, of assumptions, leave nothing out.
fn guards(
    plan: &Plan,
    session: &Session,
    budget: &Budget,
) -> Result<Option<Unknown>, Vec<Diagnostic>> {
    let assumed = plan.assumed.iter().map(|(a, _)| *a);
    let guarded = |a: &&Abstraction| {
        a.cases.len() > 1 || (a.role != Role::Target && a.cases[0].guard.is_some())
    };
    for abstraction in assumed.chain([plan.target]).filter(guarded) {
        let mut loaded = session.load(plan, &Purpose::Guards(abstraction))?;
        weave_unreach_call(&mut loaded.program, &errors());
        let task = Task::new(loaded.program, 0);
        let Some(engine) = registry::checker("bmc", &registry::Settings::default()) else {
            continue;
        };
        let report = engine.check(&task, budget, &mut Silent);
        match report.outcome {
            Outcome::Proved(_) => {}
            Outcome::Violated(violation) if violation.property != "unreach-call" => {
                return Ok(Some(open_guards(abstraction, &violation.message)));
            }
            Outcome::Violated(violation) => {
                let name = &abstraction.name.text;
                let message = format!("the guards of `{name}` leave something out or overlap");
                let inputs = prova_evidence::told::told(&violation.inputs);
                let values: Vec<String> = inputs
                    .iter()
                    .map(|i| format!("{} = {}", i.name, i.value))
                    .collect();
                let note = format!("not exactly one of them holds where {}", values.join(", "));
                let error = plan.file.error(&abstraction.name.range, message);
                return Err(vec![error.with_note(note, None)]);
            }
            Outcome::Bounded(_) => {
                return Ok(Some(open_guards(abstraction, "their loops have no end")))
            }
            Outcome::Unknown(why) => return Ok(Some(open_guards(abstraction, &why.to_string()))),
        }
    }
    Ok(None)
}

fn open_guards(abstraction: &Abstraction, why: &str) -> Unknown {
    let name = &abstraction.name.text;
    Unknown::Undecided {
        edges: 0,
        reason: format!("whether exactly one guard of `{name}` holds is not known: {why}"),
        span: None,
    }
}

fn decide(
    question: &Question,
    plan: &Plan,
    session: &Session,
    loaded: &Loaded,
    budget: &Budget,
    effort: &mut Effort,
) -> Result<Verdict, Vec<Diagnostic>> {
    let specification = match question.relation {
        Relation::Simulation => Some((plan.specification.clone(), Vec::new())),
        Relation::Traces => subsets(&plan.specification),
    };
    let Some((specification, sets)) = specification else {
        return Ok(Verdict::Unknown(Unknown::Unsupported {
            what: "traces of a machine with so many choices".into(),
            span: None,
        }));
    };
    let form = Form {
        sliced: false,
        recursive: false,
    };
    let prepared = match prepare_as(&loaded.program, form) {
        Ok(prepared) => prepared,
        Err(why) => return Ok(Verdict::Unknown(why.into())),
    };
    let problem = Problem::new(prepared, question.granularity);
    let mut terms = problem.terms.borrow_mut();
    let component = match Component::new(&problem, &mut terms, question.granularity) {
        Ok(component) => component,
        Err(why) => return Ok(Verdict::Unknown(why)),
    };
    let mut forest = match Forest::new(&problem.encoding) {
        Ok(forest) => forest,
        Err(why) => return Ok(Verdict::Unknown(why)),
    };
    let task = Task::new(loaded.program.clone(), 0);
    for test in forest.tests_to_begin_with(&task, RANDOM) {
        forest.add(test, budget.remaining());
    }
    let played = specification.stuttering();
    let sets = match question.relation {
        Relation::Simulation => None,
        Relation::Traces => Some(&sets[..]),
    };
    let accepted = |certificate: String, pairs: usize, forest: &Forest| {
        if let Some((trap, span)) = forest.dead_end() {
            return Err(Unknown::Undecided {
                edges: 0,
                reason: format!("no test gets past undefined behaviour ({trap})"),
                span: Some(span),
            });
        }
        let certificate = match sets {
            None => certificate,
            Some(sets) => with_sets(&certificate, sets),
        };
        let accepted = accept(question, loaded, &plan.specification, &certificate, budget)?;
        Ok(Verdict::Conforms {
            certificate,
            pairs,
            accepted,
        })
    };
    let mut strategy = None;
    if question.settings.states != States::Predicates {
        let asked = values::Question {
            component: &component,
            specification: &played,
            settings: &question.settings,
            budget,
        };
        match by_values(&asked, &mut terms, effort) {
            Err(why) => return Ok(Verdict::Unknown(why)),
            Ok(Some((Found::Strategy(found, runs), _))) => strategy = Some((found, runs)),
            Ok(Some((Found::Relation { certificate, pairs }, all))) => {
                // Should the small one say too little, all of it may do.
                for certificate in std::iter::once(certificate).chain(all) {
                    match accepted(certificate, pairs, &forest) {
                        Err(Unknown::Certificate(_)) => {}
                        Err(why) => return Ok(Verdict::Unknown(why)),
                        Ok(verdict) => return Ok(verdict),
                    }
                }
            }
            Ok(None) => {}
        }
        if strategy.is_none() && question.settings.states == States::Values {
            let reason = "the values of variables do not decide it".into();
            return Ok(Verdict::Unknown(Unknown::Undecided {
                edges: 0,
                reason,
                span: None,
            }));
        }
    }
    let (strategy, runs) = match strategy {
        Some(found) => found,
        None => {
            let mut images = match Images::new(&SolverConfig::default(), budget) {
                Ok(images) => images,
                Err(why) => return Ok(Verdict::Unknown(why)),
            };
            if question.facts {
                images.proven = proven(&component, &forest, &mut terms, budget);
            }
            let found = search(
                &component,
                &mut terms,
                &mut images,
                &played,
                &question.settings,
                budget,
                effort,
            );
            match found {
                Err(why) => return Ok(Verdict::Unknown(why)),
                Ok(Found::Strategy(strategy, runs)) => (strategy, runs),
                Ok(Found::Relation { certificate, pairs }) => {
                    let verdict = accepted(certificate, pairs, &forest);
                    return Ok(verdict.unwrap_or_else(Verdict::Unknown));
                }
            }
        }
    };
    let mut tests = Vec::new();
    for (leaf, real) in &runs {
        match forest.test_along(&mut terms, real) {
            Ok(test) => tests.push((*leaf, test)),
            Err(why) => return Ok(Verdict::Unknown(Unknown::Replay(why))),
        }
    }
    let tree = told(&component, &terms, &plan.alphabet, &played, &strategy);
    drop(terms);
    if !question.native {
        effort.suspected = tree;
        let why = "a strategy was found, and nothing may be run".to_string();
        return Ok(Verdict::Unknown(Unknown::Replay(why)));
    }
    let said = show(
        question, plan, session, &component, &strategy, tree, &tests, budget,
    )?;
    Ok(match said {
        Ok(shown) => Verdict::Violates(Box::new(shown)),
        Err(why) => Verdict::Unknown(why),
    })
}

/// Random tests that are run before anything else.
const RANDOM: u64 = 6;

/// Asks the checker.
pub(crate) fn accept(
    question: &Question,
    loaded: &Loaded,
    specification: &Lts,
    certificate: &str,
    budget: &Budget,
) -> Result<Accepted, Unknown> {
    let limits = Limits {
        query: question.patience,
        deadline: budget.remaining().map(|left| Instant::now() + left),
        cancelled: &|| budget.poll().is_some(),
        ask_all: false,
    };
    let machine = Specification {
        moves: &specification.moves,
        initial: specification.initial,
        shown: SHOWN,
        traces: question.relation == Relation::Traces,
    };
    let solvers = &question.solvers;
    prova_relation::check(&loaded.program, &machine, certificate, solvers, &limits).map_err(
        |failure| {
            let open = matches!(failure, Failure::Interrupted | Failure::Undecided(_));
            match (budget.poll(), failure) {
                (Some(stop), _) if open => Unknown::Stopped(stop),
                (None, Failure::Interrupted) => Unknown::Stopped(Stop::Time),
                (_, failure) => Unknown::Certificate(failure.to_string()),
            }
        },
    )
}
