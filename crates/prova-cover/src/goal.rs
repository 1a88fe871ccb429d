//! What is to be covered. A goal asks for one of some targets: a line for a mark wherever it is
//! entered, the outcome of a decision for any branch that settles it, a condition in MC/DC for an
//! evaluation in which it decides.

use prova_ir::{Program, Span};
use prova_spec::goals::{branches_of, is_single, Mark, Target, What};
use std::collections::{BTreeMap, BTreeSet};

/// Kinds of goals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A function is entered.
    Function,
    /// A line is begun.
    Line,
    /// A decision comes out one way; a case of a `switch` is taken or not.
    Branch,
    /// A condition of a decision with several has a value.
    Condition,
    /// A condition has a value and decides its decision (masking MC/DC).
    Mcdc,
    /// A function calls another.
    Call,
    /// A call of `prova_goal()`.
    Goal,
    /// A call of an error function.
    Error,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 8] = [
        Kind::Function,
        Kind::Line,
        Kind::Branch,
        Kind::Condition,
        Kind::Mcdc,
        Kind::Call,
        Kind::Goal,
        Kind::Error,
    ];

    /// Its word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Function => "functions",
            Kind::Line => "lines",
            Kind::Branch => "branches",
            Kind::Condition => "conditions",
            Kind::Mcdc => "mcdc",
            Kind::Call => "calls",
            Kind::Goal => "goals",
            Kind::Error => "errors",
        }
    }
}

/// Something to be covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// What kind of goal it is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
    /// What it asks for: one of these.
    pub targets: Vec<Target>,
    /// What it is, for people: `condition holds`.
    pub what: String,
}

/// The goals of some kinds.
pub fn goals(program: &Program, marks: &[Mark], kinds: &[Kind]) -> Vec<Goal> {
    let mut maker = Maker {
        program,
        marks,
        goals: Vec::new(),
    };
    maker.begun();
    maker.branches();
    let mut goals = maker.goals;
    goals.retain(|g| kinds.contains(&g.kind));
    goals.sort_by(|a, b| (a.kind, a.span, &a.targets).cmp(&(b.kind, b.span, &b.targets)));
    goals
}

struct Maker<'a> {
    program: &'a Program,
    marks: &'a [Mark],
    goals: Vec<Goal>,
}

impl Maker<'_> {
    fn add(&mut self, kind: Kind, span: Span, targets: Vec<Target>, what: impl Into<String>) {
        self.goals.push(Goal {
            kind,
            span,
            targets,
            what: what.into(),
        });
    }

    /// What begins at marks.
    fn begun(&mut self) {
        let mut lines: BTreeMap<(u32, u32), (Span, Vec<Target>)> = BTreeMap::new();
        let mut calls: BTreeMap<(String, String), (Span, Vec<Target>)> = BTreeMap::new();
        for (number, mark) in self.marks.iter().enumerate() {
            let What::Begins(begins) = &mark.what else {
                continue;
            };
            let target = Target::Mark(number as u32);
            let procedure = self.program.procedure(mark.procedure);
            if begins.function {
                let what = format!("`{}` is entered", procedure.c_name);
                self.add(Kind::Function, procedure.span, vec![target], what);
                // The line of a function's name is one of its lines, as gcov counts.
                let key = (procedure.span.file.0, procedure.span.line);
                let line = lines.entry(key).or_insert((procedure.span, Vec::new()));
                line.1.push(target);
            }
            if begins.line {
                let key = (mark.span.file.0, mark.span.line);
                let line = lines.entry(key).or_insert((mark.span, Vec::new()));
                line.1.push(target);
            }
            if begins.goal {
                self.add(Kind::Goal, mark.span, vec![target], "the goal is reached");
            }
            if let Some(name) = &begins.error {
                let what = format!("`{name}` is called");
                self.add(Kind::Error, mark.span, vec![target], what);
            }
            if let Some(name) = &begins.call {
                let key = (procedure.c_name.clone(), name.clone());
                let call = calls.entry(key).or_insert((mark.span, Vec::new()));
                call.1.push(target);
            }
        }
        for (span, targets) in lines.into_values() {
            self.add(Kind::Line, span, targets, "the line is reached");
        }
        for ((from, to), (span, targets)) in calls {
            let what = match to.as_str() {
                "*" => format!("`{from}` calls through a pointer"),
                _ => format!("`{from}` calls `{to}`"),
            };
            self.add(Kind::Call, span, targets, what);
        }
    }

    fn branches(&mut self) {
        let mut done: BTreeSet<u32> = BTreeSet::new();
        for d in 0..self.program.decisions.len() as u32 {
            self.decision(d, &mut done);
        }
        for (number, mark) in self.marks.iter().enumerate() {
            let number = number as u32;
            if let (What::Branch { holds, .. }, false) = (&mark.what, done.contains(&number)) {
                let what = match holds {
                    true => "the condition holds",
                    false => "the condition does not hold",
                };
                let target = vec![Target::Mark(number)];
                self.add(Kind::Branch, mark.span, target, what);
            }
        }
    }

    /// The goals of a decision whose branches are all in the graph. Where some are not (a condition
    /// is constant, or two stand at one position), its branches are goals one by one.
    fn decision(&mut self, d: u32, done: &mut BTreeSet<u32>) {
        let decision = &self.program.decisions[d as usize];
        let spans = decision.conditions();
        let Some(branches) = branches_of(self.marks, d, spans.len()) else {
            return;
        };
        let mut outcomes: [BTreeSet<Target>; 2] = Default::default();
        for values in decision.evaluations() {
            let Some(last) = values.iter().rposition(Option::is_some) else {
                continue;
            };
            let outcome = decision.value(&|i| values[i]) == Some(true);
            let mark = branches[last][usize::from(values[last] == Some(true))];
            outcomes[usize::from(outcome)].insert(Target::Mark(mark));
        }
        let single = is_single(&decision.tree);
        let span = decision.span;
        done.extend(branches.iter().flatten());
        for (outcome, targets) in outcomes.into_iter().enumerate().rev() {
            let what = match outcome {
                1 => "the condition holds",
                _ => "the condition does not hold",
            };
            self.add(Kind::Branch, span, targets.into_iter().collect(), what);
        }
        for (c, pair) in branches.iter().enumerate() {
            for value in [true, false] {
                let own = Target::Mark(pair[usize::from(value)]);
                let word = if value { "true" } else { "false" };
                if !single {
                    let what = format!("condition {} is {word}", c + 1);
                    self.add(Kind::Condition, spans[c], vec![own], what);
                }
                let decides = Target::Decides {
                    decision: d,
                    condition: c as u32,
                    value,
                };
                let target = if single { own } else { decides };
                let what = format!("condition {} is {word} and decides", c + 1);
                self.add(Kind::Mcdc, spans[c], vec![target], what);
            }
        }
    }
}
