//! What is made an error: a mark, or a condition that decides.
//!
//! Whether a condition decided its decision (masking MC/DC) depends on the other conditions of the
//! same evaluation. A register of the check's own collects them, from the first condition, which
//! overwrites what an evaluation before left; where an evaluation ends it is compared with the
//! evaluations in which the condition decides.

use super::{mark_at, Mark, What, GOAL, GOAL_FUNCTION, LABEL};
use prova_ir::{
    BinaryOp, Body, Callee, ErrorLocation, ExprId, Halt, LocId, ProcId, Program, RegId, Register,
    Role, Span, Statement, Type,
};
use std::collections::BTreeMap;

/// Something a run may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// It comes to a mark.
    Mark(u32),
    /// A condition has a value and decides.
    Decides {
        /// Which decision.
        decision: u32,
        /// Which of its conditions, from the left.
        condition: u32,
        /// Its value.
        value: bool,
    },
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Target::Mark(number) => write!(f, "m{number}"),
            Target::Decides {
                decision,
                condition,
                value,
            } => {
                let value = if *value { 't' } else { 'f' };
                write!(f, "d{decision}.{condition}{value}")
            }
        }
    }
}

impl std::str::FromStr for Target {
    type Err = ();

    fn from_str(text: &str) -> Result<Target, ()> {
        if let Some(number) = text.strip_prefix('m') {
            return number.parse().map(Target::Mark).map_err(drop);
        }
        let (decision, rest) = text
            .strip_prefix('d')
            .and_then(|t| t.split_once('.'))
            .ok_or(())?;
        let value = match rest.chars().last() {
            Some('t') => true,
            Some('f') => false,
            _ => return Err(()),
        };
        Ok(Target::Decides {
            decision: decision.parse().map_err(drop)?,
            condition: rest[..rest.len() - 1].parse().map_err(drop)?,
            value,
        })
    }
}

/// Conditions of a decision that fit into the register.
const MOST_CONDITIONS: usize = 30;

/// Makes targets of a marked program errors. What is an error otherwise ends the run; marks are taken
/// away. An error says what there is no such target.
pub(crate) fn weave_targets(
    program: &mut Program,
    marks: &[Mark],
    targets: &[Target],
) -> Result<(), String> {
    end_at_errors(program);
    let mut places = places(program);
    let mut decisions: BTreeMap<u32, Vec<(u32, bool)>> = BTreeMap::new();
    for target in targets {
        match *target {
            Target::Mark(number) if places.contains_key(&number) => {}
            Target::Mark(number) => return Err(format!("there is no mark {number}")),
            Target::Decides {
                decision,
                condition,
                value,
            } => decisions
                .entry(decision)
                .or_default()
                .push((condition, value)),
        }
    }
    for (decision, wanted) in decisions {
        watch(program, marks, &places, decision, &wanted)?;
    }
    for target in targets {
        if let Target::Mark(number) = target {
            let Some((procedure, location)) = places.remove(number) else {
                continue;
            };
            let message = format!("mark {number}");
            let body = program.procedures[procedure.index()].body.as_mut();
            make_error(body.expect("it was marked"), location, message);
        }
    }
    let bodies = program.procedures.iter_mut();
    for body in bodies.filter_map(|p| p.body.as_mut()) {
        for location in &mut body.locations {
            if location
                .label
                .as_ref()
                .is_some_and(|l| l.starts_with(LABEL))
            {
                location.label = None;
            }
        }
    }
    prova_ir::debug_validate(program, "weave_targets");
    Ok(())
}

/// Calls of the user's own goals do nothing else.
pub(crate) fn drop_goal_calls(program: &mut Program) {
    let named: Vec<bool> = program
        .procedures
        .iter()
        .map(|p| p.c_name == GOAL_FUNCTION)
        .collect();
    let bodies = program.procedures.iter_mut();
    for edge in bodies
        .filter_map(|p| p.body.as_mut())
        .flat_map(|b| &mut b.edges)
    {
        if let Statement::Call {
            result: None,
            callee: Callee::Direct(callee),
            ..
        } = edge.statement
        {
            if named[callee.index()] {
                edge.statement = Statement::Skip;
            }
        }
    }
}

/// Makes a location an error.
fn make_error(body: &mut Body, location: LocId, message: String) {
    body.edges.retain(|e| e.source != location);
    body.errors.push(ErrorLocation {
        location,
        property: GOAL.to_owned(),
        message,
    });
}

/// A run that comes to a call of an error function ends there, as it does outside.
fn end_at_errors(program: &mut Program) {
    for procedure in &mut program.procedures {
        let Some(body) = &mut procedure.body else {
            continue;
        };
        let (kept, ended): (Vec<_>, Vec<_>) = std::mem::take(&mut body.errors)
            .into_iter()
            .partition(|e| e.property == prova_ir::UNMODELLED);
        body.errors = kept;
        for error in ended {
            let span = body.location(error.location).span;
            let halt = Statement::Halt(Halt::Abort);
            body.add_edge(error.location, body.exit, halt, span);
        }
    }
}

/// Where each mark is.
fn places(program: &Program) -> BTreeMap<u32, (ProcId, LocId)> {
    let mut found = BTreeMap::new();
    for (p, procedure) in program.procedures.iter().enumerate() {
        let Some(body) = &procedure.body else {
            continue;
        };
        for at in (0..body.locations.len()).map(LocId::new) {
            if let Some(number) = mark_at(body, at) {
                found.insert(number, (ProcId::new(p), at));
            }
        }
    }
    found
}

/// The marks of a decision's branches, by condition and value, if all are there.
pub fn branches_of(marks: &[Mark], decision: u32, conditions: usize) -> Option<Vec<[u32; 2]>> {
    let mut found = vec![[None; 2]; conditions];
    for (number, mark) in marks.iter().enumerate() {
        if let What::Branch {
            holds,
            of: Some((d, c)),
        } = mark.what
        {
            if d == decision {
                found[c as usize][usize::from(holds)] = Some(number as u32);
            }
        }
    }
    let pair = |p: [Option<u32>; 2]| Some([p[0]?, p[1]?]);
    found.into_iter().map(pair).collect()
}

fn watch(
    program: &mut Program,
    marks: &[Mark],
    places: &BTreeMap<u32, (ProcId, LocId)>,
    decision: u32,
    wanted: &[(u32, bool)],
) -> Result<(), String> {
    let missing = || format!("there is no decision {decision} that could be watched");
    let tree = program
        .decisions
        .get(decision as usize)
        .cloned()
        .ok_or_else(missing)?;
    let count = tree.conditions().len();
    let branches = branches_of(marks, decision, count)
        .filter(|_| count <= MOST_CONDITIONS)
        .ok_or_else(missing)?;
    let place = |mark: u32| places.get(&mark).copied().ok_or_else(missing);
    let (procedure, _) = place(branches[0][0])?;
    let span = tree.span;
    let register = ghost(program, procedure, span);
    let code = |values: &[Option<bool>]| {
        let bits = values.iter().enumerate();
        bits.fold(0u128, |all, (i, value)| {
            all | value.map_or(0, |v| 1 << (2 * i + usize::from(v)))
        })
    };
    // By the branch that ends it: the evaluations in which something wanted happens.
    let mut ends: BTreeMap<(usize, bool), Vec<u128>> = BTreeMap::new();
    for values in tree.evaluations() {
        let happens = wanted.iter().any(|&(condition, value)| {
            let condition = condition as usize;
            values.get(condition) == Some(&Some(value)) && tree.decides(&values, condition)
        });
        let last = values.iter().rposition(Option::is_some);
        if let (true, Some(last)) = (happens, last) {
            let value = values[last] == Some(true);
            ends.entry((last, value)).or_default().push(code(&values));
        }
    }
    let mut body = program.procedures[procedure.index()]
        .body
        .take()
        .ok_or_else(missing)?;
    for (condition, pair) in branches.iter().enumerate() {
        for (value, &mark) in pair.iter().enumerate() {
            let (own, at) = place(mark)?;
            if own != procedure {
                return Err(missing());
            }
            let bit = 1u128 << (2 * condition + value);
            let kept = program.read(register);
            let new = program.exprs.int(bit, 64);
            let collected = match condition {
                0 => new,
                _ => program.exprs.binary(BinaryOp::Or, kept, new),
            };
            let check = ends
                .get(&(condition, value == 1))
                .map(|codes| one_of(program, kept, codes));
            insert(program, &mut body, at, (register, collected), check, span);
        }
    }
    program.procedures[procedure.index()].body = Some(body);
    Ok(())
}

fn ghost(program: &mut Program, procedure: ProcId, span: Span) -> RegId {
    let name = program.fresh_register_name("decision");
    program.add_register(Register {
        name,
        c_name: String::new(),
        ty: Type::Int(64),
        ctype: None,
        owner: Some(procedure),
        role: Role::Temporary,
        initial: None,
        span,
    })
}

/// That a value is one of these.
fn one_of(program: &mut Program, value: ExprId, codes: &[u128]) -> ExprId {
    let mut all: Option<ExprId> = None;
    for &code in codes {
        let code = program.exprs.int(code, 64);
        let equal = program.exprs.binary(BinaryOp::Eq, value, code);
        all = Some(match all {
            None => equal,
            Some(others) => program.exprs.binary(BinaryOp::Or, others, equal),
        });
    }
    all.unwrap_or_else(|| program.exprs.bool(false))
}

/// Collects at a mark, and checks if an evaluation may end there.
fn insert(
    program: &mut Program,
    body: &mut Body,
    at: LocId,
    (register, collected): (RegId, ExprId),
    check: Option<ExprId>,
    span: Span,
) {
    let next = body.add_location(span);
    for edge in body.edges.iter_mut().filter(|e| e.source == at) {
        edge.source = next;
    }
    let collect = Statement::Assign {
        target: register,
        value: collected,
    };
    let Some(bad) = check else {
        body.add_edge(at, next, collect, span);
        return;
    };
    let (asked, error) = (body.add_location(span), body.add_location(span));
    body.add_edge(at, asked, collect, span);
    let good = program.exprs.not(bad);
    body.add_edge(asked, error, Statement::Assume(bad), span);
    body.add_edge(asked, next, Statement::Assume(good), span);
    make_error(body, error, "a condition decides".to_owned());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_as_they_are_written() {
        for target in [
            Target::Mark(17),
            Target::Decides {
                decision: 3,
                condition: 12,
                value: false,
            },
        ] {
            assert_eq!(target.to_string().parse(), Ok(target));
        }
        for wrong in ["", "m", "mx", "d1", "d1.", "d1.2", "d.2t", "x1"] {
            assert_eq!(wrong.parse::<Target>(), Err(()), "{wrong}");
        }
    }
}
