//! Checks certificates of proofs.
//!
//! A certificate claims what holds at the cutpoints of a program. This crate reads it with a
//! parser of its own, makes the verification conditions from the program with a generator of its
//! own, and has them refuted by a solver, another than the engines' where one is installed. It
//! shares no code with the engines, nor with the terms and the simplifier they use: a bug there
//! must show here. It is small, so that it can be read in an afternoon:
//!
//! | file | what it holds |
//! |---|---|
//! | [`certificate`] | the format: header, definitions, claims |
//! | `sexpr` | the reader below it |
//! | [`prepare`] | from the woven program to the one the certificate speaks of |
//! | `sort`, `script` | sort-checked, hash-consed formulas in SMT-LIB 2 |
//! | `vocabulary` | the state as constants, and what is assumed of memory |
//! | `formula` | terms of a certificate |
//! | `expression`, `path`, `start` | what the program does, as formulas |
//! | `conditions`, `calls` | what has to hold: initiation, consecution, safety, calls |
//! | [`solver`] | who says that it does |
//!
//! What is trusted besides: the front end, the passes that prepare a program, the points-to
//! analysis that splits memory, and the solver. `docs/certificates.md` tells why each is.

mod calls;
pub mod certificate;
mod conditions;
mod expression;
mod formula;
mod path;
pub mod prepare;
mod script;
mod sexpr;
pub mod solver;
mod sort;
mod start;
mod vocabulary;

use certificate::Certificate;
use conditions::{Claimed, Condition, Conditions, Step};
use prova_exec::points_to::Partition;
use prova_ir::{LocId, ProcId, Program};
use solver::{Answer, Limits, Solver};
use std::collections::BTreeMap;

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It is not written as certificates are, or speaks of what is not there.
    #[error("line {line}, column {column}: {message}")]
    Malformed {
        /// Counted from one.
        line: u32,
        /// Counted from one.
        column: u32,
        /// What is wrong there.
        message: String,
    },
    /// It is about another program, or leaves out what it must say.
    #[error("{0}")]
    Mismatch(String),
    /// A condition does not hold.
    #[error("the claims are no proof: {0}")]
    Refuted(String),
    /// A condition could not be decided.
    #[error("not decided: {0}")]
    Undecided(String),
    /// The program does something that the checker cannot encode.
    #[error("cannot encode {0}")]
    Unsupported(String),
    /// No solver could be asked.
    #[error("{0}")]
    NoSolver(String),
    /// There was no time left.
    #[error("interrupted")]
    Interrupted,
}

impl Failure {
    fn at_start(message: &str) -> Failure {
        Failure::Malformed {
            line: 1,
            column: 1,
            message: message.into(),
        }
    }

    /// Whether the certificate itself, rather than what it claims, is to blame.
    pub fn is_bad_input(&self) -> bool {
        matches!(self, Failure::Malformed { .. } | Failure::Mismatch(_))
    }
}

impl From<script::IllSorted> for Failure {
    fn from(error: script::IllSorted) -> Failure {
        Failure::Unsupported(error.to_string())
    }
}

/// A proof that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// Conditions in all.
    pub conditions: usize,
    /// How many of them each solver was needed for; the rest are plain to see.
    pub by: Vec<(String, usize)>,
    /// Functions without a body: assumed to return an arbitrary value and to change nothing.
    pub undefined: Vec<String>,
}

/// Checks a certificate against a program that the property is woven into. Solvers are asked in
/// the order given, each what the ones before it could not decide.
pub fn check(
    program: &Program,
    certificate: &Certificate,
    solvers: &[Solver],
    limits: &Limits,
) -> Result<Accepted, Failure> {
    let model = match program.model {
        prova_ir::DataModel::Ilp32 => "ilp32",
        prova_ir::DataModel::Lp64 => "lp64",
    };
    let header = &certificate.header;
    if header.model != model {
        let message = format!("it is about the data model {}, not {model}", header.model);
        return Err(Failure::Mismatch(message));
    }
    let prepared = prepare::prepare(program, &header.passes)?;
    if prepare::digest(&prepared.program) != header.prepared {
        return Err(Failure::Mismatch("it is about another program".into()));
    }
    let program = &prepared.program;
    let entry = program
        .entry
        .ok_or(Failure::Mismatch("there is no entry".into()))?;
    let partition = Partition::new(program);
    let mut script = script::Script::default();
    let words = vocabulary::Vocabulary::new(&mut script, program, &partition)?;
    let effects = calls::Effects::new(&words)?;
    let claims = claims(&mut script, &words, certificate)?;
    let mut steps = path::Steps {
        words,
        script,
        supply: path::Supply::default(),
    };
    let mut conditions = Conditions::new(&mut steps, &claims, &effects);
    conditions.all(entry)?;
    let (count, found) = (conditions.count, conditions.found);
    let by = discharge(program, &mut steps.script, &found, solvers, limits)?;
    Ok(Accepted {
        conditions: count,
        by,
        undefined: prepared.undefined,
    })
}

/// Reads the terms of all claims.
fn claims(
    script: &mut script::Script,
    words: &vocabulary::Vocabulary,
    certificate: &Certificate,
) -> Result<BTreeMap<ProcId, Claimed>, Failure> {
    let program = words.program;
    let mut found: BTreeMap<ProcId, Claimed> = BTreeMap::new();
    let truth = script.boolean(true);
    let falsity = script.boolean(false);
    for claims in &certificate.procedures {
        let named = program
            .procedures
            .iter()
            .position(|p| p.name == claims.name);
        let id = named
            .map(ProcId::new)
            .ok_or_else(|| claims.at.wrong("there is no such procedure"))?;
        let mut scope = words.scope(id);
        for (name, term) in &certificate.definitions {
            // A definition may speak of another procedure's variables.
            match formula::term(script, &scope, term) {
                Ok(term) => scope.definitions.insert(name.clone(), term),
                Err(error) if certificate.procedures.len() == 1 => return Err(error),
                Err(_) => None,
            };
        }
        let locations = program
            .procedure(id)
            .body
            .as_ref()
            .map_or(0, |b| b.locations.len());
        let mut cutpoints = Claimed::new();
        for claim in &claims.cutpoints {
            if claim.location >= locations {
                return Err(claim.at.wrong("there is no such location"));
            }
            let mut cases = Vec::with_capacity(claim.cases.len());
            for case in &claim.cases {
                let mut conjuncts = Vec::with_capacity(case.len());
                for conjunct in case {
                    conjuncts.push(formula::formula(script, &scope, conjunct)?);
                }
                conjuncts.retain(|&c| c != truth);
                if !conjuncts.contains(&falsity) {
                    cases.push(conjuncts);
                }
            }
            if cutpoints
                .insert(LocId::new(claim.location), cases)
                .is_some()
            {
                return Err(claim.at.wrong("this location has a claim already"));
            }
        }
        if found.insert(id, cutpoints).is_some() {
            return Err(claims.at.wrong("this procedure has claims already"));
        }
    }
    Ok(found)
}

/// Has every condition refuted by one of the solvers.
fn discharge(
    program: &Program,
    script: &mut script::Script,
    conditions: &[Condition],
    solvers: &[Solver],
    limits: &Limits,
) -> Result<Vec<(String, usize)>, Failure> {
    let mut open: Vec<&Condition> = conditions.iter().collect();
    let mut by = Vec::new();
    let mut reason = "no solver".to_string();
    for (i, solver) in solvers.iter().enumerate() {
        if open.is_empty() {
            break;
        }
        // Others can still be asked: no need to wait long.
        let share = if i + 1 < solvers.len() { 8 } else { 1 };
        let limits = &Limits {
            query: limits.query / share,
            ..*limits
        };
        let queries: Vec<&[script::Term]> = open.iter().map(|c| &c.assertions[..]).collect();
        let answers = solver.answer(script, &queries, limits)?;
        let mut left = Vec::new();
        for (condition, answer) in open.iter().zip(&answers) {
            match answer {
                Answer::Unsat => {}
                Answer::Sat => {
                    let place = describe(program, condition.step);
                    return Err(Failure::Refuted(format!("{place} ({solver} says so)")));
                }
                Answer::Unknown(why) => {
                    reason = format!("{solver}: {why}");
                    left.push(*condition);
                }
            }
        }
        by.push((solver.to_string(), open.len() - left.len()));
        open = left;
    }
    match open.first() {
        None => Ok(by),
        Some(condition) => {
            let place = describe(program, condition.step);
            Err(Failure::Undecided(format!("{place} ({reason})")))
        }
    }
}

/// A step for people.
fn describe(program: &Program, step: Step) -> String {
    let body = program.procedure(step.procedure).body.as_ref();
    let place = |location: LocId| {
        let number = location.0;
        let span = body
            .map(|b| b.location(location).span)
            .filter(|s| s.is_known());
        let file = span.and_then(|s| program.files.get(s.file.index()));
        match (span, file) {
            (Some(s), Some(file)) => format!("L{number} ({}:{}:{})", file.name, s.line, s.column),
            _ => format!("L{number}"),
        }
    };
    let target = step.edge.and_then(|e| body.map(|b| b.edge(e).target));
    match (step.from, target) {
        (Some(from), Some(target)) => format!("the step from {} to {}", place(from), place(target)),
        _ => "the start of the program".to_string(),
    }
}
