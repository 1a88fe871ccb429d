//! What to tell people who get no answer: where the search kept working, and what to try.

use crate::facts::plain;
use crate::source::{file_name, place};
use prova_ir::passes::loops::Loops;
use prova_ir::{Assumption, Callee, Procedure, Program, Span, Statement};
use prova_library::{kind, Kind};
use prova_task::{Outcome, Report, Unknown};

/// A place that kept being refined.
#[derive(Clone, Debug)]
pub struct Busy {
    /// Where.
    pub span: Span,
    /// `the loop at a.c:9:3 in main`.
    pub what: String,
    /// Whether that is a loop.
    pub is_loop: bool,
    /// How often it was split.
    pub splits: u32,
    /// The last predicate there, in C as far as it goes.
    pub last: String,
}

/// Places split less often are not worth a word.
const FEWEST: u32 = 3;

/// Where an undecided search kept working, most often first.
pub fn busy(program: &Program, report: &Report) -> Vec<Busy> {
    if !matches!(report.outcome, Outcome::Unknown(_)) {
        return Vec::new();
    }
    let refined = report.statistics.refined.iter();
    let mut busy: Vec<Busy> = refined
        .filter(|r| r.splits >= FEWEST)
        .map(|r| (r, whereabouts(program, r.span)))
        .map(|(r, what)| Busy {
            span: r.span,
            is_loop: what.starts_with("the loop"),
            what,
            splits: r.splits,
            last: plain(program, &r.last),
        })
        .collect();
    // A loop is what keeps a search going; what lies around it is only split along with it.
    let most = busy.iter().map(|b| b.splits).max().unwrap_or(0);
    busy.sort_by_key(|b| !(b.is_loop && 2 * b.splits >= most));
    busy
}

/// A place in words: a loop, a call or a line, with its function.
fn whereabouts(program: &Program, span: Span) -> String {
    let at = place(program, span);
    let mut what = format!("the code at {at}");
    for procedure in &program.procedures {
        let Some(body) = &procedure.body else {
            continue;
        };
        let here = |l: &prova_ir::LocId| body.location(*l).span == span;
        let own = body.locations.iter().any(|l| l.span == span);
        if !own {
            continue;
        }
        let function = &procedure.c_name;
        if Loops::of(body).heads.iter().any(here) {
            return format!("the loop at {at} in `{function}`");
        }
        let callee = body.edges.iter().find_map(|e| match &e.statement {
            Statement::Call {
                callee: Callee::Direct(p),
                ..
            } if here(&e.source) => Some(&program.procedure(*p).c_name),
            _ => None,
        });
        what = match callee {
            Some(callee) => format!("the call of `{callee}` at {at} in `{function}`"),
            None => format!("the code at {at} in `{function}`"),
        };
    }
    what
}

/// Where loops of the program's own begin, in the code that can be run.
fn own_loops(program: &Program) -> Vec<Span> {
    let calls = prova_ir::passes::call_graph::call_graph(program);
    let Some(entry) = program.entry else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for p in calls.reachable_from(entry) {
        let Some(body) = &program.procedure(p).body else {
            continue;
        };
        let heads = Loops::of(body).heads;
        let spans = heads.iter().map(|&head| body.location(head).span);
        found.extend(spans.filter(|s| program.is_own(*s) && s.is_known()));
    }
    found.sort_unstable();
    found
}

/// What a person can do about something that is not modelled: that depends on whose it is.
fn for_unmodelled(program: &Program, reason: &Unknown) -> String {
    let Unknown::Unmodelled { what, .. } = reason else {
        return "a smaller entry (--entry FUNCTION) that avoids it".into();
    };
    if what.ends_with(prova_ir::BEYOND_TYPE) {
        return "a contract that says how much there is (prova_requires(prova_valid(p, n)); `prova contract \
                FUNCTION` proposes one), or --pointers ample, which assumes that there is enough"
            .into();
    }
    let named = |p: &&Procedure| what.starts_with(&format!("`{}`", p.c_name));
    let mut functions = program.procedures.iter().filter(|p| !p.c_name.is_empty());
    let Some(function) = functions.find(named) else {
        return "a smaller entry (--entry FUNCTION) that avoids it, or other code in its place"
            .into();
    };
    let name = &function.c_name;
    match kind(name) {
        Kind::Own => format!(
            "a body for `{name}`, or --undefined {name}=pure if it returns a value and does nothing else"
        ),
        Kind::Known => format!(
            "a body for `{name}` that says what it does, in a file of its own: it is a library function without a model"
        ),
        Kind::Modelled => format!("a call of `{name}` by its name"),
    }
}

/// What a person can do about an unknown.
pub fn hints(program: &Program, reason: &Unknown, report: &Report) -> Vec<String> {
    let mut hints: Vec<String> = Vec::new();
    match reason.keyword() {
        "timeout" => hints.push(
            "more time (--timeout), or another engine (--engine dash, --engine values)".into(),
        ),
        "memory" => hints.push("more memory (--memory), or another engine".into()),
        "unsupported" => hints.push("a smaller entry (--entry FUNCTION) that avoids it".into()),
        "unmodelled" => hints.push(for_unmodelled(program, reason)),
        "undecided" => hints.push("another solver (--solver cvc5), or another engine".into()),
        "replay" => {
            hints.push("the harness (--harness FILE), to see what the native run does".into())
        }
        "certificate" => {
            hints.push("more time, or another certifying solver (--certify-with)".into())
        }
        _ => {}
    }
    let busy = busy(program, report);
    if let Some(first) = busy.first() {
        let line = first.span.line;
        hints.push(match first.is_loop {
            true => format!("a smaller bound for the loop in line {line}, or an `assume` before it that says what you know"),
            false => format!("an `assume` before line {line} that says what you know"),
        });
        hints.push("--explain, to see each refinement".into());
    }
    let ran_on = busy.iter().find(|b| b.is_loop).map(|b| b.span);
    let ran_on = ran_on.or_else(|| own_loops(program).first().copied());
    if let ("timeout" | "memory", Some(span)) = (reason.keyword(), ran_on) {
        let (file, line) = (file_name(program, span), span.line);
        hints.push(format!(
            "--engine bmc --bound {file}:{line}=4, to know at least what happens in 4 rounds of that loop"
        ));
    }
    let entry = report.scope.assumptions.iter().find_map(|a| match a {
        Assumption::Entry(name) => Some(name),
        _ => None,
    });
    if let ("timeout" | "memory" | "undecided", Some(name)) = (reason.keyword(), entry) {
        hints.push(format!(
            "a precondition of `{name}`: __CPROVER_requires(…) behind its parameters, or a function that assumes it and calls `{name}`"
        ));
    }
    let open = report.scope.assumptions.iter().filter_map(|a| match a {
        Assumption::Function { name, .. } => Some(format!("`{name}`")),
        _ => None,
    });
    let names: Vec<String> = open.take(4).collect();
    if !names.is_empty() {
        hints.push(format!(
            "a body for {}: what is not defined may return anything",
            names.join(", ")
        ));
    }
    hints
}
