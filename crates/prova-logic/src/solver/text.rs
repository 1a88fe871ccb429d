//! A solver that is told SMT-LIB 2 as text, for whoever writes formulas without [`Terms`]: a
//! program over a pipe, or Z3 in this process.
//!
//! [`Terms`]: crate::Terms

use super::child::{Silence, SolverProcess};
use super::sexpr::Sexpr;
use super::{Answer, SolverChoice, SolverError, UnknownReason};
use std::collections::VecDeque;
use std::ffi::{CStr, CString};
use std::time::Duration;
use z3_sys::{
    Z3_context, Z3_del_config, Z3_del_context, Z3_eval_smtlib2_string, Z3_mk_config, Z3_mk_context,
    Z3_set_error_handler,
};

/// What a solver gets beyond its own time limit before it is left alone.
const GRACE: Duration = Duration::from_millis(700);

/// The parts of the time for one question that the solvers get in turn, if there are several. What
/// one does not decide soon, another often does at once.
const SHARES: [u32; 3] = [160, 8, 1];

/// The first line of a question that is about bits only, and stands alone.
const BITS: &str = "; QF_BV\n";

/// Puts questions to several solvers, each a text with one `(check-sat)` that leaves nothing
/// behind: to one after the other, what those before it could not decide, in rounds with more and
/// more time. Gives the last answer to each question, and the solver it is from; none to questions
/// for which there was no time. Ends early at the first *sat*.
pub fn decide_all(
    solvers: &[SolverChoice],
    questions: &[String],
    limit: impl Fn() -> Option<Duration>,
) -> Result<Vec<Option<(Answer, usize)>>, SolverError> {
    let mut found: Vec<Option<(Answer, usize)>> = vec![None; questions.len()];
    let mut open: Vec<usize> = (0..questions.len()).collect();
    let rounds = match questions {
        _ if solvers.len() == 1 => &SHARES[2..],
        // One question that is hard: whoever is asked needs time.
        [alone] if alone.starts_with(BITS) => &[2, 1],
        _ => &SHARES[..],
    };
    for share in rounds {
        for (number, solver) in solvers.iter().enumerate() {
            let texts = open.iter().map(|&i| questions[i].as_str());
            let texts: Vec<&str> = texts.collect();
            let answers = ask_all(solver, &texts, || limit().map(|time| time / *share))?;
            for (&i, answer) in open.iter().zip(answers) {
                found[i] = Some((answer, number));
            }
            let answer = |i: &usize| found[*i].as_ref().map(|f| &f.0);
            if open.iter().any(|i| answer(i) == Some(&Answer::Sat)) || limit().is_none() {
                return Ok(found);
            }
            open.retain(|i| answer(i) != Some(&Answer::Unsat));
        }
    }
    Ok(found)
}

/// Puts questions to a solver, each a text with one `(check-sat)` that leaves nothing behind.
/// They are written ahead of the answers; a solver that is too slow, or complains, is started
/// anew behind the question it failed on. Ends early, with fewer answers, at the first *sat* and
/// when `limit`, asked for the time that each question may take, gives none.
fn ask_all(
    choice: &SolverChoice,
    questions: &[&str],
    limit: impl Fn() -> Option<Duration>,
) -> Result<Vec<Answer>, SolverError> {
    let mut answers: Vec<Answer> = Vec::with_capacity(questions.len());
    while answers.len() < questions.len() {
        let Some(time) = limit() else { break };
        let rest = &questions[answers.len()..];
        let bits = matches!(rest, [alone] if alone.starts_with(BITS));
        let mut solver = TextSolver::start_for(choice, time, bits)?;
        rest.iter().for_each(|q| solver.send(q.to_string()));
        for _ in rest {
            let answer = solver.answer(time + GRACE);
            answers.push(answer.clone());
            match answer {
                Answer::Sat => return Ok(answers),
                Answer::Unsat | Answer::Unknown(UnknownReason::Incomplete(_)) => {}
                // What it says from now on may belong to no question.
                Answer::Unknown(_) => break,
            }
            if limit().is_none() {
                return Ok(answers);
            }
        }
    }
    Ok(answers)
}

/// A running solver. What was sent is answered in order, once per `(check-sat)`.
pub struct TextSolver(Kind);

enum Kind {
    Pipe(SolverProcess),
    Linked(Z3_context, VecDeque<String>),
}

impl TextSolver {
    /// Starts a solver that spends at most `limit` on each check.
    pub fn start(choice: &SolverChoice, limit: Duration) -> Result<TextSolver, SolverError> {
        TextSolver::start_for(choice, limit, false)
    }

    /// The same for one question, if it is about bits only.
    fn start_for(
        choice: &SolverChoice,
        limit: Duration,
        bits: bool,
    ) -> Result<TextSolver, SolverError> {
        let millis = limit.as_millis().max(1);
        let logic = if bits { "QF_BV" } else { "ALL" };
        match choice {
            SolverChoice::Pipe(program) => {
                let name = program.rsplit('/').next().unwrap_or(program);
                let arguments = match name {
                    n if n.starts_with("cvc5") && bits => {
                        format!("--lang=smt2 --bitblast=eager --tlimit-per={millis}")
                    }
                    n if n.starts_with("cvc5") => {
                        format!("--lang=smt2 --incremental --fp-exp --tlimit-per={millis}")
                    }
                    n if n.starts_with("bitwuzla") => "--lang smt2".to_string(),
                    n if n.starts_with("z3") => format!("-in -smt2 timeout={millis}"),
                    _ => String::new(),
                };
                let arguments: Vec<String> =
                    arguments.split_whitespace().map(String::from).collect();
                let mut process = SolverProcess::start(program, &arguments)?;
                process.send(format!("(set-logic {logic})\n"));
                Ok(TextSolver(Kind::Pipe(process)))
            }
            SolverChoice::Z3 => {
                let failed = || SolverError::Start {
                    command: "z3".into(),
                    reason: "no context".into(),
                };
                // SAFETY: the configuration is deleted once the context, which copies it, is made;
                // the context is deleted when the solver is dropped, and used by it alone.
                let context = unsafe {
                    let config = Z3_mk_config().ok_or_else(failed)?;
                    let context = Z3_mk_context(config);
                    Z3_del_config(config);
                    let context = context.ok_or_else(failed)?;
                    Z3_set_error_handler(context, None);
                    context
                };
                let first = format!("(set-option :timeout {millis})\n(set-logic {logic})\n");
                Ok(TextSolver(Kind::Linked(context, VecDeque::from([first]))))
            }
        }
    }

    /// Sends commands, with one `(check-sat)` at most.
    pub fn send(&mut self, text: String) {
        match &mut self.0 {
            Kind::Pipe(process) => process.send(text),
            Kind::Linked(_, waiting) => waiting.push_back(text),
        }
    }

    /// The next answer, if it comes in time. After an error the solver is of no use any more.
    pub fn answer(&mut self, within: Duration) -> Answer {
        let error = |what: String| Answer::Unknown(UnknownReason::Error(what));
        let said = match &mut self.0 {
            Kind::Pipe(process) => match process.receive(Some(within)) {
                Ok(Sexpr::Word(word)) => word,
                Ok(list) => return error(format!("{list:?}")),
                Err(Silence::Time) => return Answer::Unknown(UnknownReason::Time),
                Err(Silence::Broken(reason)) => return error(reason),
            },
            Kind::Linked(context, waiting) => loop {
                let Some(text) = waiting.pop_front() else {
                    return error("nothing was asked".into());
                };
                let said = evaluate(*context, text);
                if !said.is_empty() {
                    break said;
                }
            },
        };
        match said.as_str() {
            "sat" => Answer::Sat,
            "unsat" => Answer::Unsat,
            "unknown" => Answer::Unknown(UnknownReason::Incomplete("it does not say why".into())),
            "timeout" => Answer::Unknown(UnknownReason::Time),
            _ => error(said),
        }
    }
}

fn evaluate(context: Z3_context, text: String) -> String {
    let Ok(text) = CString::new(text) else {
        return "a NUL in a command".into();
    };
    // SAFETY: the text lives until the call returns; the answer is copied before the next call.
    unsafe {
        let said = Z3_eval_smtlib2_string(context, text.as_ptr());
        match said.is_null() {
            true => "no answer".into(),
            false => CStr::from_ptr(said).to_string_lossy().trim().to_string(),
        }
    }
}

impl Drop for TextSolver {
    fn drop(&mut self) {
        if let Kind::Linked(context, _) = self.0 {
            // SAFETY: nobody else holds the context.
            unsafe { Z3_del_context(context) }
        }
    }
}
