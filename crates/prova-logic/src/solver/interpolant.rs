//! Interpolants by a solver that finds them itself: cvc5's `get-interpolant`, over a pipe.
//!
//! What comes back is read as a term over the variables that were sent ([`super::reader`]). What
//! cannot be read is no answer. Nothing is believed of an answer: who asks has to check it.

use super::child::SolverProcess;
use super::reader::Reader;
use crate::sort::Sort;
use crate::term::Term;
use crate::terms::Terms;
use crate::Script;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::time::Duration;

/// A term between what is given and a goal that follows from it, over variables of both: whoever
/// satisfies all of `given` satisfies it, and whoever satisfies it satisfies `goal`. `None` if the
/// program is not there, takes longer, or says something that cannot be read.
pub fn interpolant(
    program: &str,
    terms: &mut Terms,
    given: &[Term],
    goal: Term,
    time: Duration,
) -> Option<Term> {
    let mut out = String::from("(set-option :produce-interpolants true)\n(set-logic ALL)\n");
    let mut script = Script::new();
    for &t in given {
        script.assert(terms, t, &mut out);
    }
    let goal_text = script.term(terms, goal, &mut out);
    let _ = writeln!(out, "(get-interpolant I {goal_text})");
    let mut names: FxHashMap<String, Term> = FxHashMap::default();
    for variable in terms.free_vars_of(&[given, &[goal]].concat()) {
        let symbol = script.symbol_of(variable)?.trim_matches('|');
        names.insert(symbol.to_string(), variable);
    }
    let millis = time.as_millis().max(1);
    let arguments = ["--lang=smt2".into(), format!("--tlimit={millis}")];
    let mut process = SolverProcess::start(program, &arguments).ok()?;
    process.send(out);
    let answer = process.receive(Some(time)).ok()?;
    match answer.list()? {
        [head, _, _, _, body] if head.word() == Some("define-fun") => {
            let names = |name: &str| names.get(name).copied();
            let t = Reader::new(terms, &names).term(body)?;
            (terms.sort(t) == Sort::Bool).then_some(t)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cvc5_interpolates_if_it_is_there() {
        let mut terms = Terms::new();
        let word = Sort::BitVec(32);
        let [i, n, x] = ["i", "n", "x"].map(|name| terms.var(name, word));
        let zero = terms.bv(0, 32);
        let given = [terms.eq(i, zero), terms.eq(n, x), terms.slt(zero, x)];
        let goal = terms.sle(i, n);
        let time = Duration::from_secs(20);
        let Some(found) = interpolant("cvc5", &mut terms, &given, goal, time) else {
            return;
        };
        let spoken = terms.free_vars(found);
        assert!(!spoken.contains(&x), "{}", terms.display(found));
        let mut solver = crate::new_solver(&crate::SolverConfig::default()).expect("z3");
        let outside = terms.not(found);
        let all: Vec<Term> = given.into_iter().chain([outside]).collect();
        assert_eq!(solver.check(&terms, &all), crate::Answer::Unsat);
        let beyond = terms.not(goal);
        assert_eq!(solver.check(&terms, &[found, beyond]), crate::Answer::Unsat);
    }

    #[test]
    fn a_program_that_is_not_there_gives_nothing() {
        let mut terms = Terms::new();
        let goal = terms.tru();
        let time = Duration::from_millis(10);
        assert!(interpolant("/nowhere/cvc5", &mut terms, &[], goal, time).is_none());
    }
}
