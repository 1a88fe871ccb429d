//! The property `unreach-call`: certain calls, failed assertions and labels must not be reached.
//!
//! The edge of such a call leads to an error location of its own instead; traps of its arguments
//! stay before it. What counts:
//!
//! | what | condition |
//! |---|---|
//! | `reach_error`, `__VERIFIER_error` | always; a body, if there is one, is ignored |
//! | `error` | without a body, and not with the three arguments that glibc's takes |
//! | what `assert` calls when it fails (`__assert_fail` and its kin) | without a body |
//! | a label | if one is named |
//!
//! A function of these whose address is taken gets a body that is nothing but an error location,
//! so that calls through pointers are found too.

use crate::contracts::is_word;
use crate::goals::{Mark, GOAL_FUNCTION};
use crate::overlaps::APART;
use crate::sizes::BLOCK_SIZE;
use prova_ir::passes::devirtualise::address_taken;
use prova_ir::passes::externals::evaluate_arguments;
use prova_ir::{
    BinaryOp, Body, Callee, ErrorLocation, Expr, ExprId, Initial, LocId, ProcId, Program, Span,
    Statement, Storage,
};

/// The property's name, as the competition spells it.
pub const UNREACH_CALL: &str = "unreach-call";

/// What counts as an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Calls of `reach_error`, `__VERIFIER_error` and `error`.
    pub calls: bool,
    /// Failed assertions.
    pub assertions: bool,
    /// A C label, in any procedure.
    pub label: Option<String>,
    /// Calls of these functions, whatever they do; beside what `calls` names.
    pub functions: Vec<String>,
}

impl Default for Spec {
    /// Calls and assertions; no label.
    fn default() -> Self {
        Self {
            calls: true,
            assertions: true,
            label: None,
            functions: Vec::new(),
        }
    }
}

/// An error location that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorSite {
    /// The procedure it lies in.
    pub procedure: ProcId,
    /// The location.
    pub location: LocId,
    /// The call or label in the source.
    pub span: Span,
    /// What happens there, for people.
    pub message: String,
}

/// What was woven in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WeaveReport {
    /// The error locations, in the order of the program. If there is none, the property holds
    /// of itself: worth a word to the user.
    pub sites: Vec<ErrorSite>,
    /// Places that bear the named label.
    pub labels: usize,
    /// Places that goals of coverage may ask for, if the check is about them.
    pub marks: Vec<Mark>,
}

/// What a call of a function means.
#[derive(Clone, Copy)]
enum Meaning {
    Error,
    /// A failed assertion, and which argument is its text.
    Assertion(Option<usize>),
}

/// Functions whose call is the error, whatever they do: nothing inside them matters.
pub(crate) const ALWAYS_ERRORS: &[&str] = &["reach_error", "__VERIFIER_error"];

/// Functions that `assert` calls when it fails, and which argument has the asserted text.
const ASSERTIONS: &[(&str, Option<usize>)] = &[
    (prova_library::FAILED_ASSERTION, Some(0)),
    ("__assert_fail", Some(0)),
    ("__assert_perror_fail", None),
    ("__assert", Some(0)),
    ("_assert", Some(0)),
    ("__assert_c99", Some(0)),
    ("__assert_func", Some(3)),
    ("__assert_rtn", Some(3)),
];

/// Whether a function of this name, if it has no body, ends the program where it is called.
pub(crate) fn is_end_of_program(name: &str) -> bool {
    ALWAYS_ERRORS.contains(&name) || ASSERTIONS.iter().any(|a| a.0 == name)
}

impl Spec {
    /// Whether a call of a function of this name, if it has no body, may be an error: it ends the
    /// run, and nothing else is to be said of it.
    pub fn is_about(&self, name: &str) -> bool {
        let assertion = ASSERTIONS.iter().any(|a| a.0 == name);
        let ours = [BLOCK_SIZE, APART, GOAL_FUNCTION].contains(&name);
        let ours = ours || prova_library::ASKED.contains(&name) || is_word(name);
        self.always(name) || name == "error" || assertion || ours
    }

    fn always(&self, name: &str) -> bool {
        (self.calls && ALWAYS_ERRORS.contains(&name)) || self.functions.iter().any(|f| f == name)
    }

    fn meaning(&self, program: &Program, callee: ProcId, arguments: usize) -> Option<Meaning> {
        let procedure = program.procedure(callee);
        let name = procedure.c_name.as_str();
        let defined = procedure.body.is_some();
        if self.always(name) || (self.calls && name == "error" && !defined && arguments < 3) {
            return Some(Meaning::Error);
        }
        let assertion = ASSERTIONS.iter().find(|(n, _)| *n == name);
        match assertion {
            Some((_, text)) if self.assertions && !defined => Some(Meaning::Assertion(*text)),
            _ => None,
        }
    }
}

/// Makes what `spec` says into error locations.
pub fn weave_unreach_call(program: &mut Program, spec: &Spec) -> WeaveReport {
    weave_calls(program, spec, UNREACH_CALL)
}

/// Makes what `spec` says into error locations of a property.
pub(crate) fn weave_calls(program: &mut Program, spec: &Spec, property: &str) -> WeaveReport {
    let mut report = WeaveReport::default();
    let by_pointer: Vec<ProcId> = address_taken(program)
        .into_iter()
        .filter(|&p| {
            let parameters = program.procedure(p).parameters.len();
            spec.meaning(program, p, parameters).is_some()
        })
        .collect();
    // Decided before any body changes: a procedure's own body is out while it is rewritten.
    for p in 0..program.procedures.len() {
        let calls = error_calls(program, spec, p);
        let Some(mut body) = program.procedures[p].body.take() else {
            continue;
        };
        for (edge, message) in calls {
            evaluate_arguments(program, &mut body, ProcId::new(p), edge);
            let span = body.edges[edge].span;
            let location = body.add_location(span);
            body.edges[edge].target = location;
            body.edges[edge].statement = Statement::Skip;
            let mut errors = Errors {
                report: &mut report,
                property,
            };
            errors.add(&mut body, p, location, message);
        }
        if let Some(label) = &spec.label {
            let mut errors = Errors {
                report: &mut report,
                property,
            };
            weave_label(&mut errors, &mut body, p, label);
        }
        program.procedures[p].body = Some(body);
    }
    for p in by_pointer {
        let span = program.procedure(p).span;
        let mut body = Body {
            locations: Vec::new(),
            edges: Vec::new(),
            entry: LocId(0),
            exit: LocId(1),
            errors: Vec::new(),
        };
        let start = body.add_location(span);
        body.add_location(span);
        let message = format!("call of {}()", program.procedure(p).c_name);
        let mut errors = Errors {
            report: &mut report,
            property,
        };
        errors.add(&mut body, p.index(), start, message);
        program.procedures[p.index()].body = Some(body);
    }
    prova_ir::debug_validate(program, "weave_unreach_call");
    report
}

/// Collects the error locations of a property.
struct Errors<'a> {
    report: &'a mut WeaveReport,
    property: &'a str,
}

impl Errors<'_> {
    fn add(&mut self, body: &mut Body, procedure: usize, location: LocId, message: String) {
        self.report.sites.push(ErrorSite {
            procedure: ProcId::new(procedure),
            location,
            span: body.location(location).span,
            message: message.clone(),
        });
        body.errors.push(ErrorLocation {
            location,
            property: self.property.to_owned(),
            message,
        });
    }
}

/// The edges of a procedure that are errors, with what to say.
fn error_calls(program: &Program, spec: &Spec, p: usize) -> Vec<(usize, String)> {
    let edges = program.procedures[p].body.iter().flat_map(|b| &b.edges);
    let mut found = Vec::new();
    let name = program.procedures[p].c_name.as_str();
    if spec.always(name) {
        return found;
    }
    for (i, edge) in edges.enumerate() {
        if let Statement::Call {
            callee: Callee::Direct(callee),
            arguments,
            ..
        } = &edge.statement
        {
            let message = match spec.meaning(program, *callee, arguments.len()) {
                None => continue,
                Some(Meaning::Error) => {
                    format!("call of {}()", program.procedure(*callee).c_name)
                }
                Some(Meaning::Assertion(text)) => {
                    let argument = text.and_then(|n| arguments.get(n));
                    match argument.and_then(|e| string_at(program, *e)) {
                        Some(text) => format!("assertion failed: \"{text}\""),
                        None => "assertion failed".to_owned(),
                    }
                }
            };
            found.push((i, message));
        }
    }
    found
}

fn weave_label(errors: &mut Errors, body: &mut Body, p: usize, label: &str) {
    for i in 0..body.locations.len() {
        let location = LocId::new(i);
        if body.locations[i].label.as_deref() != Some(label) {
            continue;
        }
        errors.report.labels += 1;
        let span = body.locations[i].span;
        let error = body.add_location(span);
        for edge in &mut body.edges {
            if edge.target == location {
                edge.target = error;
            }
        }
        if body.entry == location {
            body.entry = error;
        }
        let message = format!("label `{label}` reached");
        errors.add(body, p, error, message);
    }
}

/// The zero-terminated string an address points to, if its bytes are in the program.
fn string_at(program: &Program, address: ExprId) -> Option<String> {
    let pool = &program.exprs;
    let (object, start) = match pool.get(address) {
        Expr::Address(o) => (o, 0),
        Expr::Binary {
            op: BinaryOp::PtrAdd,
            left,
            right,
        } => match (pool.get(left), pool.get(right)) {
            (Expr::Address(o), Expr::Int { value, .. }) => (o, usize::try_from(value).ok()?),
            _ => return None,
        },
        _ => return None,
    };
    let object = program.object(object);
    let Storage::Static {
        initial,
        constant: true,
    } = &object.storage
    else {
        return None;
    };
    let mut bytes = Vec::new();
    for (offset, part) in initial {
        let offset = usize::try_from(*offset).ok()?;
        if offset > (1 << 20) {
            return None;
        }
        bytes.resize(bytes.len().max(offset), 0);
        match part {
            Initial::Bytes(part) => bytes.extend(part),
            Initial::Value(e) => match pool.get(*e) {
                Expr::Int { value, width: 8 } => bytes.push(value as u8),
                _ => return None,
            },
        }
    }
    let text = bytes.get(start..)?;
    let end = text.iter().position(|&b| b == 0).unwrap_or(text.len());
    Some(String::from_utf8_lossy(&text[..end]).into_owned())
}
