//! Any solver that speaks SMT-LIB 2 over a pipe: cvc5, bitwuzla, z3.
//!
//! What is asserted is kept as text, scope by scope. If the process dies or must be killed, a
//! new one is told everything again before the next check.

use super::child::{Silence, SolverProcess};
use super::sexpr::Sexpr;
use super::{values, Answer, Limit, Solver, SolverError, Statistics, UnknownReason};
use crate::print::Script;
use crate::term::Term;
use crate::terms::Terms;
use crate::value::{Model, Value};
use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// Time to start up, and to answer anything but a check.
const PATIENCE: Duration = Duration::from_secs(20);
/// What a solver with a time limit of its own gets beyond it before it is killed.
const GRACE: Duration = Duration::from_millis(500);

/// Which program it is, for its options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flavour {
    Cvc5,
    Bitwuzla,
    Z3,
    Other,
}

/// A solver process spoken to in SMT-LIB 2.
pub struct PipeSolver {
    program: String,
    flavour: Flavour,
    process: Option<SolverProcess>,
    /// What the process was told, by scope.
    told: Vec<String>,
    /// What it will be told before the next check.
    pending: String,
    script: Script,
    arena: Option<u64>,
    error: Option<String>,
    assumptions: Vec<Term>,
    /// The scope of the last check's indicators is open.
    indicators_open: bool,
    limit: Limit,
    statistics: Statistics,
    last: Option<Answer>,
}

impl PipeSolver {
    /// Starts a solver by its name or path. Fails if it does not run or does not answer.
    pub fn new(program: &str) -> Result<PipeSolver, SolverError> {
        let name = Path::new(program)
            .file_name()
            .and_then(|n| n.to_str())
            .unwrap_or(program);
        let flavour = match name {
            _ if name.starts_with("cvc5") => Flavour::Cvc5,
            _ if name.starts_with("bitwuzla") => Flavour::Bitwuzla,
            _ if name.starts_with("z3") => Flavour::Z3,
            _ => Flavour::Other,
        };
        let mut solver = PipeSolver {
            program: program.to_string(),
            flavour,
            process: None,
            told: vec![String::new()],
            pending: String::new(),
            script: Script::new(),
            arena: None,
            error: None,
            assumptions: Vec::new(),
            indicators_open: false,
            limit: Limit::NONE,
            statistics: Statistics::default(),
            last: None,
        };
        solver.process = Some(solver.start()?);
        Ok(solver)
    }

    fn arguments(&self) -> Vec<String> {
        let millis = self.limit.time.map(|t| t.as_millis().max(1));
        let mut arguments = Vec::new();
        match self.flavour {
            Flavour::Cvc5 => {
                let fixed = [
                    "--lang=smt2",
                    "--incremental",
                    "--fp-exp",
                    "--minimal-unsat-cores",
                ];
                arguments.extend(fixed.map(String::from));
                arguments.extend(self.limit.resource.map(|r| format!("--rlimit-per={r}")));
                arguments.extend(millis.map(|t| format!("--tlimit-per={t}")));
            }
            Flavour::Bitwuzla => {
                arguments.extend(["--lang", "smt2"].map(String::from));
                arguments.extend(
                    millis
                        .into_iter()
                        .flat_map(|t| ["-T".to_string(), t.to_string()]),
                );
            }
            Flavour::Z3 => {
                arguments.extend(["-in", "-smt2"].map(String::from));
                arguments.extend(self.limit.resource.map(|r| format!("rlimit={r}")));
                arguments.extend(millis.map(|t| format!("timeout={t}")));
            }
            Flavour::Other => {}
        }
        arguments
    }

    /// A new process that has read the options and said so.
    fn start(&self) -> Result<SolverProcess, SolverError> {
        let failed = |reason| SolverError::Start {
            command: self.program.clone(),
            reason,
        };
        let mut process = SolverProcess::start(&self.program, &self.arguments())?;
        process.send(
            "(set-option :print-success false)\n(set-option :produce-models true)\n\
             (set-option :produce-unsat-assumptions true)\n(set-logic ALL)\n(echo \"ready\")\n"
                .to_string(),
        );
        match process.receive(Some(PATIENCE)) {
            Ok(Sexpr::Word(word)) if word == "ready" => Ok(process),
            Ok(other) => Err(failed(format!("it answers {other:?} to its options"))),
            Err(Silence::Time) => Err(failed("it does not answer in SMT-LIB 2".to_string())),
            Err(Silence::Broken(reason)) => Err(failed(reason)),
        }
    }

    /// The process, told everything that is to hold.
    fn ready(&mut self) -> Result<&mut SolverProcess, String> {
        if self.process.is_none() {
            let mut process = self.start().map_err(|error| error.to_string())?;
            process.send(self.told.join("(push 1)\n"));
            self.process = Some(process);
        }
        let pending = std::mem::take(&mut self.pending);
        let process = self.process.as_mut().ok_or("no process")?;
        process.send(pending);
        Ok(process)
    }

    /// Adds commands to the innermost scope.
    fn tell(&mut self, text: &str) {
        if let Some(scope) = self.told.last_mut() {
            scope.push_str(text);
        }
        // A process to come is told from the record.
        if self.process.is_some() {
            self.pending.push_str(text);
        }
    }

    fn open_scope(&mut self) {
        self.script.push();
        self.told.push(String::new());
        if self.process.is_some() {
            self.pending.push_str("(push 1)\n");
        }
    }

    fn close_scope(&mut self) {
        if self.told.len() > 1 {
            self.script.pop();
            self.told.pop();
            if self.process.is_some() {
                self.pending.push_str("(pop 1)\n");
            }
        }
    }

    fn close_indicators(&mut self) {
        if std::mem::take(&mut self.indicators_open) {
            self.close_scope();
        }
        self.last = None;
    }

    fn kill(&mut self) {
        self.process = None;
        self.pending.clear();
    }

    /// Whether the terms are of the arena that all are of.
    fn same_arena(&mut self, terms: &Terms) -> bool {
        let same = *self.arena.get_or_insert(terms.arena()) == terms.arena();
        if !same {
            self.error = Some("a solver was given terms of two arenas".to_string());
        }
        same
    }

    fn run(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        self.close_indicators();
        self.same_arena(terms);
        if let Some(error) = &self.error {
            return Answer::Unknown(UnknownReason::Error(error.clone()));
        }
        self.assumptions = assumptions.to_vec();
        let mut question = "(check-sat)\n".to_string();
        if !assumptions.is_empty() {
            self.open_scope();
            self.indicators_open = true;
            let mut text = String::new();
            question = "(check-sat-assuming (".to_string();
            for (i, &assumption) in assumptions.iter().enumerate() {
                let expression = self.script.term(terms, assumption, &mut text);
                let _ = writeln!(text, "(declare-fun $a{i} () Bool)");
                let _ = writeln!(text, "(assert (=> $a{i} {expression}))");
                let _ = write!(question, " $a{i}");
            }
            question.push_str("))\n");
            self.tell(&text);
        }
        let patience = self.limit.time.map(|t| t + GRACE);
        let answer = match self.ready() {
            Err(error) => return Answer::Unknown(UnknownReason::Error(error)),
            Ok(process) => {
                process.send(question);
                process.receive(patience)
            }
        };
        match answer {
            Ok(Sexpr::Word(word)) if word == "sat" => Answer::Sat,
            Ok(Sexpr::Word(word)) if word == "unsat" => Answer::Unsat,
            Ok(Sexpr::Word(word)) if word == "unknown" => Answer::Unknown(self.reason()),
            Ok(Sexpr::Word(word)) if word == "timeout" => Answer::Unknown(UnknownReason::Time),
            Ok(other) => {
                self.kill();
                Answer::Unknown(UnknownReason::Error(message(&other)))
            }
            Err(Silence::Time) => {
                self.kill();
                Answer::Unknown(UnknownReason::Time)
            }
            Err(Silence::Broken(reason)) => {
                self.kill();
                Answer::Unknown(UnknownReason::Error(reason))
            }
        }
    }

    fn ask(&mut self, question: &str) -> Result<Sexpr, String> {
        let process = self.process.as_mut().ok_or("the solver has gone")?;
        process.send(question.to_string());
        match process.receive(Some(PATIENCE)) {
            Ok(answer) => Ok(answer),
            Err(silence) => {
                self.kill();
                Err(match silence {
                    Silence::Time => "the solver does not answer".to_string(),
                    Silence::Broken(reason) => reason,
                })
            }
        }
    }

    fn reason(&mut self) -> UnknownReason {
        let reason = match self.ask("(get-info :reason-unknown)\n") {
            Ok(answer) => message(&answer).to_lowercase(),
            Err(error) => return UnknownReason::Error(error),
        };
        if reason.contains("resource") {
            UnknownReason::Resource
        } else if reason.contains("timeout") {
            UnknownReason::Time
        } else if reason.contains("cancel") || reason.contains("interrupted") {
            match self.limit.resource {
                Some(_) => UnknownReason::Resource,
                None => UnknownReason::Time,
            }
        } else {
            UnknownReason::Incomplete(reason)
        }
    }
}

/// An answer as a message: an error's own words, or all words.
fn message(answer: &Sexpr) -> String {
    let mut words = Vec::new();
    let mut stack = vec![answer];
    while let Some(top) = stack.pop() {
        match top {
            Sexpr::Word(word) => words.push(word.as_str()),
            Sexpr::List(items) => stack.extend(items.iter().rev()),
        }
    }
    words.join(" ")
}

impl Solver for PipeSolver {
    fn push(&mut self) {
        self.close_indicators();
        self.open_scope();
    }

    fn pop(&mut self, n: usize) {
        self.close_indicators();
        for _ in 0..n {
            self.close_scope();
        }
    }

    fn assert(&mut self, terms: &Terms, t: Term) {
        self.close_indicators();
        if self.same_arena(terms) {
            let mut text = String::new();
            self.script.assert(terms, t, &mut text);
            self.tell(&text);
        }
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        let start = Instant::now();
        let answer = self.run(terms, assumptions);
        self.statistics.record(&answer, start.elapsed());
        self.last = Some(answer.clone());
        answer
    }

    fn model(&mut self, terms: &Terms, variables: &[Term]) -> Result<Model, SolverError> {
        if self.last != Some(Answer::Sat) {
            return Err(SolverError::NoModel(
                "the last answer was not sat".to_string(),
            ));
        }
        let mut model = Model::new();
        let mut asked = Vec::new();
        let mut question = "(get-value (".to_string();
        for &variable in variables {
            match self.script.symbol_of(variable) {
                Some(symbol) => {
                    let _ = write!(question, " {symbol}");
                    asked.push(variable);
                }
                // Never mentioned to the solver: any value will do.
                None => model.insert(variable, Value::zero(terms.sort(variable))),
            }
        }
        if asked.is_empty() {
            return Ok(model);
        }
        question.push_str("))\n");
        let answer = self.ask(&question).map_err(SolverError::NoModel)?;
        let strange = || SolverError::NoModel(format!("strange values: {}", message(&answer)));
        let pairs = answer
            .list()
            .filter(|p| p.len() == asked.len())
            .ok_or_else(strange)?;
        for (&variable, pair) in asked.iter().zip(pairs) {
            let [_, text] = pair.list().ok_or_else(strange)? else {
                return Err(strange());
            };
            let value = values::read(text, terms.sort(variable)).ok_or_else(strange)?;
            model.insert(variable, value);
        }
        Ok(model)
    }

    fn core(&mut self) -> Vec<Term> {
        if self.last != Some(Answer::Unsat) || self.assumptions.is_empty() {
            return Vec::new();
        }
        let all = self.assumptions.clone();
        let mut core = Vec::new();
        let Ok(Sexpr::List(names)) = self.ask("(get-unsat-assumptions)\n") else {
            return all;
        };
        for name in &names {
            let index = name
                .word()
                .and_then(|w| w.strip_prefix("$a"))
                .and_then(|n| n.parse().ok());
            match index.and_then(|n: usize| all.get(n)) {
                Some(&assumption) => core.push(assumption),
                // Not understood: all assumptions are a core, too.
                None => return all,
            }
        }
        core.sort_unstable();
        core.dedup();
        core
    }

    // Cores are what the solver gives.
    fn set_minimal_cores(&mut self, _: bool) {}

    fn set_limit(&mut self, limit: Limit) {
        if self.limit != limit {
            // Limits are options of the process: the next one will have them.
            self.limit = limit;
            self.close_indicators();
            self.kill();
        }
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }

    fn reset(&mut self) {
        self.kill();
        self.told = vec![String::new()];
        self.script = Script::new();
        self.indicators_open = false;
        self.error = None;
        self.arena = None;
        self.last = None;
    }

    fn name(&self) -> String {
        format!("{} over a pipe", self.program)
    }
}
