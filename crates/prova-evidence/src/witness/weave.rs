//! A witness woven into the program's text: invariants become assertions, waypoints steer.
//!
//! A violation's waypoints become a counter, `prova_segment`: where a waypoint of the current
//! segment is passed, the counter goes on (follow) or the run ends (avoid); an error counts only if
//! the counter stands at its end. An invariant becomes a test at its place; where it fails, its
//! number is noted and an error is called.
//!
//! Expressions of a witness go into the text only after a look at them: one expression, no
//! statement, nothing that changes anything, no function that is called.

use super::atlas::{Atlas, Misplaced};
use super::format::{InvariantAt, Segment, Waypoint, WaypointKind};
use super::syntax::LoopKind;
use super::vet::{checked, may_be_undefined};
use super::yaml::cut;
use crate::c_types::Scalar;
use crate::supply::allocation;
use crate::text::{pieces, Insertions, Piece};
use prova_ir::{Origin, Program, Statement};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The counter of segments passed.
pub const SEGMENT: &str = "prova_segment";
/// The number of the invariant that failed, from one.
pub const INVARIANT: &str = "prova_invariant";
/// What is called where an invariant fails; an error like any other, for compilers too.
pub const FAILS: &str = "prova_fails";
/// The function that decides whether a waypoint is taken for passed.
pub const CHOICE: &str = "prova_choice";

/// Why a witness cannot be woven in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeaveError {
    /// A place is none.
    #[error("line {said_at} of the witness: {misplaced}")]
    Misplaced {
        /// The line of the witness.
        said_at: usize,
        /// What is wrong with it.
        misplaced: Misplaced,
    },
    /// An expression is none, or does more than to say something.
    #[error("line {said_at} of the witness: `{}` {what}", cut(.expression))]
    Expression {
        /// The line of the witness.
        said_at: usize,
        /// The expression.
        expression: String,
        /// What is wrong with it.
        what: &'static str,
    },
}

/// The woven texts, one per source.
#[derive(Clone, Debug)]
pub struct Woven {
    /// The texts.
    pub texts: Vec<String>,
    /// Something could only be said approximately: what the woven program cannot do, the
    /// original perhaps can.
    pub approximate: bool,
    /// An expression that may be undefined for some states.
    pub partial: bool,
}

/// Page and offset of a waypoint, and its kind.
type Place = (usize, usize, WaypointKind);

struct Weaver<'a> {
    atlas: &'a Atlas,
    insertions: Vec<Insertions>,
    /// Definitions on top of each text.
    tops: Vec<String>,
    /// Where the waypoints of a violation are.
    places: Vec<Place>,
    approximate: bool,
    partial: bool,
}

/// Weaves a violation's segments in. `greedy`: a waypoint is passed whenever it can be; otherwise
/// it may also be left for a later visit. `gate`: calls of error functions count only behind all.
pub fn weave_violation(
    atlas: &Atlas,
    program: &Program,
    segments: &[Segment],
    greedy: bool,
    gate: bool,
) -> Result<Woven, WeaveError> {
    let mut weaver = Weaver::new(atlas);
    // Waypoints at one place take turns: one visit passes one of them at most.
    let mut places: BTreeMap<Place, Vec<(usize, &Waypoint)>> = BTreeMap::new();
    for (number, segment) in segments.iter().enumerate() {
        for waypoint in &segment.0 {
            let place = weaver.place(waypoint)?;
            places.entry(place).or_default().push((number, waypoint));
        }
    }
    weaver.places = places.keys().copied().collect();
    for (name, ((page, _, kind), waypoints)) in places.into_iter().enumerate() {
        weaver.waypoints(program, name, (page, kind), &waypoints, greedy)?;
    }
    if gate {
        weaver.gate(segments.len());
    }
    let choice = match greedy {
        true => "",
        false => "extern int prova_choice(void); ",
    };
    let declarations = format!("{choice}extern void prova_stop(void) __attribute__((noreturn)); ");
    Ok(weaver.finish(&declarations, SEGMENT))
}

/// Weaves invariants in as assertions. `named`: what is called where one fails keeps its name for
/// linkers, since calls of other error functions are no errors.
pub fn weave_invariants(
    atlas: &Atlas,
    invariants: &[InvariantAt],
    named: bool,
) -> Result<Woven, WeaveError> {
    let mut weaver = Weaver::new(atlas);
    for (i, invariant) in invariants.iter().enumerate() {
        weaver.invariant(i + 1, invariant)?;
    }
    let fails = match named {
        true => format!("extern void {FAILS}(void); "),
        false => format!("extern void {FAILS}(void) __asm__(\"reach_error\"); "),
    };
    Ok(weaver.finish(&fails, INVARIANT))
}

impl<'a> Weaver<'a> {
    fn new(atlas: &'a Atlas) -> Self {
        Weaver {
            atlas,
            insertions: vec![Insertions::default(); atlas.pages.len()],
            tops: vec![String::new(); atlas.pages.len()],
            places: Vec::new(),
            approximate: false,
            partial: false,
        }
    }

    fn finish(self, declarations: &str, counter: &str) -> Woven {
        let mut texts = Vec::new();
        for (i, page) in self.atlas.pages.iter().enumerate() {
            let storage = if i == 0 { "" } else { "extern " };
            // On a line of its own: the text may start with a line marker.
            texts.push(format!(
                "{storage}int {counter}; {declarations}{}\n{}",
                self.tops[i],
                self.insertions[i].apply(&page.positions.text)
            ));
        }
        Woven {
            texts,
            approximate: self.approximate,
            partial: self.partial,
        }
    }

    /// Where a waypoint's code goes.
    fn place(&self, waypoint: &Waypoint) -> Result<Place, WeaveError> {
        let location = &waypoint.location;
        let found = match waypoint.kind {
            WaypointKind::Assumption | WaypointKind::Target => {
                let (page, statement) = self.misplaced(waypoint, self.atlas.statement(location))?;
                (page, statement.range.start)
            }
            WaypointKind::Branching => {
                let (page, branching) = self.misplaced(waypoint, self.atlas.branching(location))?;
                (page, branching.keyword)
            }
            WaypointKind::FunctionEnter | WaypointKind::FunctionReturn => {
                let (page, call) = self.misplaced(waypoint, self.atlas.call(location))?;
                (page, call.close)
            }
        };
        Ok((found.0, found.1, waypoint.kind))
    }

    fn misplaced<T>(
        &self,
        waypoint: &Waypoint,
        found: Result<T, Misplaced>,
    ) -> Result<T, WeaveError> {
        found.map_err(|misplaced| WeaveError::Misplaced {
            said_at: waypoint.location.said_at,
            misplaced,
        })
    }

    /// What passing one of these waypoints does.
    fn step(
        &self,
        waypoints: &[(usize, &Waypoint)],
        greedy: bool,
        condition: impl Fn(&Waypoint) -> Result<String, WeaveError>,
    ) -> Result<String, WeaveError> {
        let mut code = String::new();
        let mut numbers: Vec<usize> = waypoints.iter().map(|w| w.0).collect();
        numbers.dedup();
        for (i, number) in numbers.iter().enumerate() {
            if i > 0 {
                code.push_str(" else ");
            }
            let _ = write!(code, "if ({SEGMENT} == {number}) {{");
            for (_, waypoint) in waypoints.iter().filter(|w| w.0 == *number) {
                let condition = condition(waypoint)?;
                let _ = match (waypoint.follow, greedy) {
                    (false, _) => write!(code, " if ({condition}) prova_stop();"),
                    (true, true) => write!(code, " if ({condition}) {SEGMENT} = {};", number + 1),
                    (true, false) => write!(
                        code,
                        " if ({condition}) {{ if ({CHOICE}()) {SEGMENT} = {}; }}",
                        number + 1
                    ),
                };
            }
            code.push_str(" }");
        }
        Ok(code)
    }

    fn waypoints(
        &mut self,
        program: &Program,
        name: usize,
        (page, kind): (usize, WaypointKind),
        waypoints: &[(usize, &Waypoint)],
        greedy: bool,
    ) -> Result<(), WeaveError> {
        let atlas = self.atlas;
        let first = waypoints[0].1;
        match kind {
            WaypointKind::Assumption | WaypointKind::Target => {
                // Reaching the target is decided, it is not left for later.
                let greedy = greedy || kind == WaypointKind::Target;
                let code = self.step(waypoints, greedy, |w| match &w.constraint {
                    Some(text) if kind == WaypointKind::Assumption => expression(w, text),
                    _ => Ok("1".into()),
                })?;
                self.note_partial(waypoints);
                let (_, statement) = self.misplaced(first, atlas.statement(&first.location))?;
                self.before(page, statement, &code);
            }
            WaypointKind::Branching => {
                let (_, branching) = self.misplaced(first, atlas.branching(&first.location))?;
                let code = self.step(waypoints, greedy, |w| way(w, branching.switch))?;
                let range = branching.condition.clone();
                let own = format!("prova_branch_{name}");
                if branching.switch {
                    // The value becomes a `long long`, whatever the labels are.
                    self.approximate = true;
                    let _ = write!(
                        self.tops[page],
                        "static long long {own}(long long prova_way) {{ {code} return prova_way; }} "
                    );
                    self.insertions[page].wrap(range.start, range.end, format!("{own}("), ")");
                } else {
                    let _ = write!(
                        self.tops[page],
                        "static int {own}(int prova_way) {{ {code} return prova_way; }} "
                    );
                    let (before, after) = match range.is_empty() {
                        true => (format!("{own}(1"), ")"),
                        false => (format!("{own}(("), ") != 0)"),
                    };
                    self.insertions[page].wrap(range.start, range.end, before, after);
                }
            }
            WaypointKind::FunctionEnter => {
                let (_, call) = self.misplaced(first, atlas.call(&first.location))?;
                let code = self.step(waypoints, greedy, |_| Ok("1".into()))?;
                let own = format!("prova_enter_{name}");
                let range = call.range.clone();
                // A function is entered when its arguments are known: what they pass comes first.
                let inside = |p: &&Place| p.0 == page && range.contains(&p.1) && p.1 != call.close;
                let body = match self.places.iter().find(inside) {
                    Some(_) => self.body_of(page, call),
                    None => None,
                };
                self.approximate |= body.is_none() && self.places.iter().any(|p| inside(&p));
                let code = match body {
                    Some(start) => {
                        let _ = write!(
                            self.tops[page],
                            "static int prova_at_{name}; static void prova_in_{name}(void) {{ \
                             if (prova_at_{name}) {{ prova_at_{name} = 0; {code} }} }} "
                        );
                        self.insertions[page].add(start, format!("prova_in_{name}(); "));
                        format!("prova_at_{name} = 1;")
                    }
                    None => code,
                };
                let _ = write!(self.tops[page], "static void {own}(void) {{ {code} }} ");
                self.insertions[page].wrap(range.start, range.end, format!("({own}(), "), ")");
            }
            WaypointKind::FunctionReturn => {
                let (_, call) = self.misplaced(first, atlas.call(&first.location))?;
                let code = self.step(waypoints, greedy, returned)?;
                let own = format!("prova_return_{name}");
                let result = call
                    .callee
                    .as_deref()
                    .and_then(|callee| result_of(program, callee));
                let range = call.range.clone();
                let constrained = waypoints.iter().any(|w| w.1.constraint.is_some());
                match result {
                    Some(scalar) => {
                        let ty = scalar.name();
                        let _ = write!(
                            self.tops[page],
                            "static {ty} {own}({ty} prova_result) {{ {code} return prova_result; }} "
                        );
                        self.insertions[page].wrap(range.start, range.end, format!("{own}("), ")");
                    }
                    None if !constrained => {
                        let _ = write!(self.tops[page], "static void {own}(void) {{ {code} }} ");
                        self.insertions[page].wrap(
                            range.start,
                            range.end,
                            "(",
                            format!(", {own}())"),
                        );
                    }
                    None => {
                        return Err(WeaveError::Expression {
                            said_at: first.location.said_at,
                            expression: first.constraint.clone().unwrap_or_default(),
                            what: "speaks of a result that is no number",
                        })
                    }
                }
            }
        }
        Ok(())
    }

    /// Where the statements of a called function start, if they are on the same page.
    fn body_of(&self, page: usize, call: &super::syntax::Call) -> Option<usize> {
        let callee = call.callee.as_ref()?;
        let statements = self.atlas.pages[page].syntax.statements.iter();
        let own = statements.filter(|s| s.function == *callee);
        let first = own.min_by_key(|s| s.range.start)?;
        first.in_block.then_some(first.range.start)
    }

    fn note_partial(&mut self, waypoints: &[(usize, &Waypoint)]) {
        for (_, waypoint) in waypoints {
            self.partial |= waypoint.constraint.as_deref().is_some_and(may_be_undefined);
        }
    }

    /// Puts code before a statement.
    fn before(&mut self, page: usize, statement: &super::syntax::Statement, code: &str) {
        let range = statement.range.clone();
        match statement.in_block {
            true => self.insertions[page].add(range.start, format!("{{ {code} }} ")),
            false => self.insertions[page].wrap(
                range.start,
                range.end,
                format!("{{ {{ {code} }} "),
                " }",
            ),
        }
    }

    /// Errors count only if all segments are behind.
    fn gate(&mut self, segments: usize) {
        for (page, insertions) in self.atlas.pages.iter().zip(&mut self.insertions) {
            for call in &page.syntax.calls {
                let error = call.callee.as_deref().is_some_and(is_error);
                if error {
                    insertions.wrap(call.range.start, call.range.end, "(prova_gate(), ", ")");
                }
            }
        }
        for top in &mut self.tops {
            let _ = write!(
                top,
                "static void prova_gate(void) {{ if ({SEGMENT} != {segments}) prova_stop(); }} "
            );
        }
    }

    fn invariant(&mut self, number: usize, invariant: &InvariantAt) -> Result<(), WeaveError> {
        let said_at = invariant.location.said_at;
        let value = checked(said_at, &invariant.value)?;
        self.partial |= may_be_undefined(&value);
        let code = format!("if (!({value})) {{ {INVARIANT} = {number}; {FAILS}(); }}");
        let misplaced = |misplaced| WeaveError::Misplaced { said_at, misplaced };
        if !invariant.of_loop {
            let (page, statement) = self
                .atlas
                .statement(&invariant.location)
                .map_err(misplaced)?;
            self.before(page, statement, &code);
            return Ok(());
        }
        let (page, looping) = self.atlas.looping(&invariant.location).map_err(misplaced)?;
        match looping.kind {
            LoopKind::Do => {
                // Before each round: at the start of the body.
                let body = looping.body.clone();
                self.insertions[page].wrap(body.start, body.end, format!("{{ {code} "), " }");
            }
            LoopKind::While | LoopKind::For => {
                // Before each look at the condition.
                let range = looping.condition.clone();
                let (before, after) = match range.is_empty() {
                    true => (format!("({{ {code} 1; }})"), ""),
                    false => (format!("({{ {code} 1; }}) && ("), ")"),
                };
                self.insertions[page].wrap(range.start, range.end, before, after);
            }
        }
        Ok(())
    }
}

/// Calls that are errors; those the program defines itself are none where that matters, and then
/// the gate is passed at the wrong place only.
fn is_error(name: &str) -> bool {
    matches!(
        name,
        "reach_error"
            | "__VERIFIER_error"
            | "error"
            | "__assert_fail"
            | "__assert"
            | "__assert_func"
    )
}

/// What a function returns, if that is a number or a pointer.
pub fn result_of(program: &Program, callee: &str) -> Option<Scalar> {
    let procedure = program.find_procedure(callee).map(|p| program.procedure(p));
    if let Some(result) = procedure.and_then(|p| p.result) {
        return Scalar::of_register(program, result);
    }
    if allocation(callee).is_some() {
        return Some(Scalar::Pointer);
    }
    // Inputs are statements of their own; no function is left of them.
    let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    let mut edges = bodies.flat_map(|b| &b.edges);
    edges.find_map(|edge| match &edge.statement {
        Statement::Nondet {
            target,
            origin: Origin::Input(name),
        } if name == callee => Scalar::of_register(program, *target),
        _ => None,
    })
}

/// The condition of an assumption.
fn expression(waypoint: &Waypoint, text: &str) -> Result<String, WeaveError> {
    checked(waypoint.location.said_at, text)
}

/// The condition of a branching, over `prova_way`.
fn way(waypoint: &Waypoint, switch: bool) -> Result<String, WeaveError> {
    let value = waypoint.constraint.as_deref().unwrap_or_default().trim();
    let number: Option<i64> = value.parse().ok();
    match (value, number) {
        ("true", _) if !switch => Ok("prova_way".into()),
        ("false", _) if !switch => Ok("!prova_way".into()),
        (_, Some(number)) if switch => Ok(format!("prova_way == {number}LL")),
        // Which labels there are is not looked at: any way is taken.
        ("default", _) if switch => Ok("1".into()),
        _ => Err(WeaveError::Expression {
            said_at: waypoint.location.said_at,
            expression: value.to_owned(),
            what: "is no way of this branching",
        }),
    }
}

/// The condition of a function's return, over `prova_result`.
fn returned(waypoint: &Waypoint) -> Result<String, WeaveError> {
    let Some(text) = &waypoint.constraint else {
        return Ok("1".into());
    };
    let replaced = text.replace("\\result", "prova_result");
    let checked = checked(waypoint.location.said_at, &replaced)?;
    let words = pieces(&checked, 0).all(|(_, _, piece)| match piece {
        Piece::Word(word) => {
            word == "prova_result" || word.starts_with(|c: char| c.is_ascii_digit())
        }
        Piece::Mark(_) => true,
    });
    match words {
        true => Ok(checked),
        false => Err(WeaveError::Expression {
            said_at: waypoint.location.said_at,
            expression: text.clone(),
            what: "compares a result with something that is no constant",
        }),
    }
}
