//! The procedure with intervals: which values of integer variables the tests cover at each cutpoint,
//! which ones a closed set of states needs, and what lies between, as questions in C.

use crate::judge::{proof, run_tests, Judged, Missing, Outcome, Settings};
use crate::places::{label, locations, Key};
use crate::predicates::{Group, Where, Written};
use crate::probe::{variables, Own};
use prova_engine::engines::fabricate::intervals::{Interval, Intervals, Variable};
use prova_engine::engines::fabricate::procedure::{Checked, Procedure};
use prova_engine::engines::fabricate::states::By;
use prova_engine::knowledge::Knowledge;
use prova_engine::problem::blocks::{Blocks, Cutpoint};
use prova_engine::problem::names::Names;
use prova_engine::problem::Problem;
use prova_engine::Granularity;
use prova_exec::Given;
use prova_ir::{LocId, ProcId, Program, Span};
use prova_logic::{new_solver, Terms};
use prova_task::{Task, Unknown};

/// Runs the procedure. The groups are the questions: values at a place that no test has, one
/// predicate each. `head`: a label of the entry's that is a place of its own.
pub fn judge(
    problem: &Problem,
    task: &Task,
    tests: &[Given],
    head: Option<(ProcId, &str)>,
    settings: &Settings,
) -> Result<(Outcome, Vec<Group>), Unknown> {
    let terms = &mut *problem.terms.borrow_mut();
    let prepared = &problem.prepared;
    let body = prepared.body();
    let mut cuts: Vec<LocId> = Vec::new();
    if let Some((procedure, name)) = head {
        if let Some(span) = label(&prepared.original, procedure, name) {
            cuts = locations(body, Key::At(span), &|_| true);
        }
    }
    let blocks = Blocks::cut(body, Granularity::LoopFree, &cuts);
    let procedure = Procedure::of_blocks(problem, terms, blocks)?;
    let mut intervals = Intervals::new(terms, procedure);
    let mut known = Knowledge::new(problem, task)?;
    run_tests(&mut known, tests, settings);
    let mut solver =
        new_solver(&settings.solver).map_err(|e| Unknown::CheckFailed(e.to_string()))?;
    let mut error = None;
    let closed = loop {
        intervals.absorb(terms, &known.forest);
        if let Some(at) = intervals.error() {
            let location = intervals.procedure.steps.blocks.locations[at.index()];
            let span = location.map_or(Span::NONE, |l| body.location(l).span);
            error = Some((span, String::new()));
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
        match intervals.check(terms, &mut *solver, settings.budget) {
            Ok(Checked::Fabricated) => {}
            Ok(Checked::Invariant) => break Ok(()),
            Err(unknown) => break Err(unknown),
        }
    };
    let (mut places, mut groups, mut missing) = (Vec::new(), Vec::new(), Vec::new());
    let cutpoints: Vec<Cutpoint> = intervals.procedure.steps.blocks.cutpoints().collect();
    for at in cutpoints.into_iter().skip(1) {
        let Some(location) = intervals.procedure.steps.blocks.locations[at.index()] else {
            continue;
        };
        let here = Here::new(problem, terms, &intervals, at, location);
        if here.variables.is_empty() {
            continue;
        }
        let number = places.len();
        let mut place = here.judged(cuts.contains(&location), head.map(|h| h.1));
        let questions = here.questions();
        for (nth, text) in questions.iter().enumerate() {
            let mut state = vec![None; questions.len()];
            state[nth] = Some(true);
            place.states.push((
                state.clone(),
                By::Fabricated(intervals.procedure.fabricated.len()),
            ));
            missing.push(Missing {
                place: number,
                state,
                fabricated: None,
            });
            place.predicates.push(text.clone());
        }
        if !questions.is_empty() {
            place.group = Some(groups.len());
            groups.push(Group {
                function: prepared.original.procedure(place.procedure).c_name.clone(),
                places: vec![Where::Line(place.span.line)],
                predicates: questions
                    .into_iter()
                    .map(|text| Written {
                        text,
                        line: 1,
                        column: 1,
                    })
                    .collect(),
                line: 1,
            });
        }
        places.push(place);
    }
    let failing = known.forest.failing().map(|f| f.0);
    let wanted = closed.is_ok() && error.is_none() && failing.is_none();
    let mut shown = None;
    if wanted {
        let cases = intervals.cases(terms);
        let steps = &intervals.procedure.steps;
        shown = Some(proof(problem, steps, cases, terms, &mut known, settings));
    }
    let outcome = Outcome {
        count: places.len(),
        places,
        missing,
        fabricated: intervals.procedure.fabricated.len(),
        questions: intervals.procedure.questions,
        proof: shown,
        closed,
        error,
        failing,
        tests: known.forest.count(),
    };
    Ok((outcome, groups))
}

/// The variables that have a C name at a cutpoint, with what tests cover and what is covered.
struct Here {
    place: String,
    span: Span,
    procedure: ProcId,
    variables: Vec<Ranged>,
}

/// A variable by its C name, with what tests cover of it, and what is covered.
type Ranged = (String, Variable, Option<Interval>, Interval);

impl Here {
    fn new(
        problem: &Problem,
        terms: &Terms,
        intervals: &Intervals,
        at: Cutpoint,
        location: LocId,
    ) -> Here {
        let prepared = &problem.prepared;
        let span = prepared.body().location(location).span;
        let entry = (prepared.entry(), 1);
        let (procedure, copy) = prepared.instance(location).unwrap_or(entry);
        let original = &prepared.original;
        let own = variables(original, procedure);
        let mut found = Vec::new();
        let covered = intervals.covered[at.index()].iter().flatten();
        for (nth, (variable, covered)) in intervals.variables[at.index()]
            .iter()
            .zip(covered)
            .enumerate()
        {
            let register = prepared.program.register(variable.register);
            let name = &register.c_name;
            let here = match own.get(name) {
                // Of the copies of a function, the variable of this one.
                Some(Some(Own::Register(r))) => {
                    let base = &original.register(*r).name;
                    register.name == *base && copy == 1 || register.name == format!("{base}#{copy}")
                }
                Some(_) => false,
                None => is_global(original, name, &register.name),
            };
            if here {
                let tested = intervals.tested[at.index()].as_ref().map(|t| t[nth]);
                found.push((name.clone(), *variable, tested, *covered));
            }
        }
        let names = Names { prepared, terms };
        Here {
            place: names.place(span),
            span,
            procedure,
            variables: found,
        }
    }

    fn judged(&self, head: bool, label: Option<&str>) -> Judged {
        let text = |range: &dyn Fn(&Ranged) -> Option<Interval>| {
            let parts = self.variables.iter();
            let parts: Vec<String> = parts
                .filter_map(|v| Some(within(&v.0, &v.1, range(v)?)))
                .flatten()
                .collect();
            match parts.is_empty() {
                true => "1".to_owned(),
                false => parts.join(" && "),
            }
        };
        let reached = self.variables.iter().any(|v| v.2.is_some());
        Judged {
            name: match label.filter(|_| head) {
                Some(label) => label.to_owned(),
                None => self.place.clone(),
            },
            span: self.span,
            procedure: self.procedure,
            key: Key::At(self.span),
            group: None,
            predicates: Vec::new(),
            states: Vec::new(),
            tested: reached.then(|| text(&|v| v.2)),
            invariant: Some(text(&|v| Some(v.3))),
        }
    }

    /// Values that are needed and that no test has.
    fn questions(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (name, variable, tested, covered) in &self.variables {
            let Some(tested) = tested else {
                continue;
            };
            if covered.low < tested.low {
                found.push(format!("{name} < {}", literal(variable, tested.low)));
            }
            if covered.high > tested.high {
                found.push(format!("{name} > {}", literal(variable, tested.high)));
            }
        }
        if found.is_empty() && self.variables.iter().all(|v| v.2.is_none()) {
            // No test gets here at all.
            found.push("1".to_owned());
        }
        found
    }
}

/// Whether a name means the global variable of this register.
fn is_global(program: &Program, c_name: &str, name: &str) -> bool {
    let mut all = program.registers.iter().filter(|r| r.owner.is_none());
    let own = all.any(|r| r.name == name && r.c_name == c_name);
    let many = program
        .registers
        .iter()
        .filter(|r| r.owner.is_none() && r.c_name == c_name);
    own && many.count() == 1
}

/// That a variable is in a range, as C.
fn within(name: &str, variable: &Variable, range: Interval) -> Vec<String> {
    let all = variable.all();
    if range.low == range.high {
        return vec![format!("{name} == {}", literal(variable, range.low))];
    }
    let mut parts = Vec::new();
    if range.low > all.low {
        parts.push(format!("{name} >= {}", literal(variable, range.low)));
    }
    if range.high < all.high {
        parts.push(format!("{name} <= {}", literal(variable, range.high)));
    }
    parts
}

/// A number as a C constant that a variable may be compared with.
fn literal(variable: &Variable, value: i128) -> String {
    let suffix = match (variable.signed, variable.bits) {
        (true, 64) => "LL",
        (false, 64) => "ULL",
        (false, 32) => "u",
        _ => "",
    };
    match variable.signed && value == variable.all().low && variable.bits >= 32 {
        // C has no literal for the least number.
        true => format!("({}{suffix} - 1)", value + 1),
        false => format!("{value}{suffix}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_c() {
        let term = Terms::default().bv(0, 8);
        let variable = |bits, signed| Variable {
            register: prova_ir::RegId::new(0),
            term,
            bits,
            signed,
        };
        let int = variable(32, true);
        let range = |low, high| Interval { low, high };
        assert_eq!(within("i", &int, range(0, 7)), ["i >= 0", "i <= 7"]);
        assert_eq!(within("i", &int, range(3, 3)), ["i == 3"]);
        assert_eq!(within("i", &int, int.all()), Vec::<String>::new());
        assert_eq!(literal(&int, i128::from(i32::MIN)), "(-2147483647 - 1)");
        assert_eq!(literal(&variable(64, false), 5), "5ULL");
    }
}
