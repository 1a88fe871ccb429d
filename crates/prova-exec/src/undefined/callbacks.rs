//! A function without a body may call what it gets hold of: functions that it is given, that lie in
//! memory it reaches, or that were stored there before. It may do so at once or in any later call,
//! so nothing is known of such a run from there on: it ends at a location of the property
//! [`UNMODELLED`].
//!
//! Where pointers lie in objects that are tracked, their values decide; where memory has no name,
//! what the points-to analysis says does.

use super::body::{Builder, Foreign, Gate};
use super::track::{All, Tracked};
use crate::points_to::reach::{Place, Reach};
use prova_ir::{BinaryOp, ErrorLocation, Expr, ExprId, ProcId, Statement, Type, UNMODELLED};

impl Builder<'_> {
    /// Ends runs in which an argument, or a variable of the library's, is a function.
    pub(super) fn end_at_given_functions(
        &mut self,
        reach: &Reach,
        gate: &Gate,
        foreign: &[Foreign],
    ) {
        let doors = gate.doors.iter().map(|d| (d.parameter, d.place));
        let variables = foreign.iter().filter_map(|f| Some((f.register, f.place?)));
        let pointers: Vec<_> = doors.chain(variables).collect();
        for (register, place) in pointers {
            let pointer = self.program.read(register);
            self.end_at(pointer, &self.callable(reach, place));
        }
    }

    /// Ends runs in which an object that is reached holds a function.
    pub(super) fn end_at_held_functions(&mut self, reach: &Reach, tracked: &Tracked) {
        for held in &tracked.held {
            let functions = self.callable(reach, held.to);
            if functions.is_empty() || held.size != self.program.model.pointer_bytes() {
                continue;
            }
            let address = self.program.exprs.offset(tracked.base, held.offset);
            let value = self.program.exprs.load(address, Type::Ptr);
            let target = self.temporary(Type::Ptr);
            self.step(Statement::Assign { target, value });
            let pointer = self.program.read(target);
            self.end_at(pointer, &functions);
        }
    }

    /// Ends runs in which functions may lie in memory that is reached and not tracked.
    pub(super) fn end_at_unseen_functions(
        &mut self,
        reach: &Reach,
        all: &All,
        gate: &Gate,
        foreign: &[Foreign],
    ) {
        let doors = gate.doors.iter().map(|d| (Some(d.parameter), d.place));
        let variables = foreign
            .iter()
            .filter_map(|f| Some((Some(f.register), f.place?)));
        let tracked = all.objects.iter().filter(|t| t.can_escape);
        let tracked = tracked.map(|t| (None, t.place));
        let mut starts: Vec<_> = doors.chain(variables).chain(tracked).collect();
        starts.sort_unstable();
        starts.dedup();
        for (register, start) in starts {
            let beyond = reach.closure([start]).into_iter();
            let functions: Vec<ProcId> = beyond
                .filter(|&place| self.is_unseen(reach, all, place))
                .flat_map(|place| reach.closure(reach.onward(place)))
                .flat_map(|place| self.callable(reach, place))
                .collect();
            let Some(&first) = functions.first() else {
                continue;
            };
            let cond = match register {
                Some(register) => {
                    let pointer = self.program.read(register);
                    self.not_null(pointer)
                }
                None => {
                    let of = |t: &&Tracked| t.can_escape && t.place == start;
                    let escaped = all.objects.iter().filter(of).map(|t| t.escaped);
                    let mut any = self.program.exprs.bool(false);
                    for escaped in escaped.collect::<Vec<_>>() {
                        let was = self.program.read(escaped);
                        any = self.program.exprs.binary(BinaryOp::Or, any, was);
                    }
                    any
                }
            };
            self.branch(cond, |b| b.end(first));
        }
    }

    /// Whether a place holds pointers whose values cannot be looked at.
    fn is_unseen(&self, reach: &Reach, all: &All, place: Place) -> bool {
        let contents = reach.contents(place);
        let here = || all.objects.iter().filter(|t| t.place == place);
        let tracked = here().filter(|t| !t.is_block).count();
        let odd = |t: &Tracked| {
            let plain = self.program.model.pointer_bytes();
            t.held.iter().any(|h| h.size != plain)
        };
        // Of blocks the latest is tracked only, of constant objects none.
        contents.unknown
            || !contents.blocks.is_empty()
            || contents.objects.len() > tracked
            || all.loose.contains(&place)
            || here().any(odd)
    }

    /// The functions in a place that a call of would be seen in the program.
    fn callable(&self, reach: &Reach, place: Place) -> Vec<ProcId> {
        let functions = reach.contents(place).functions.iter();
        let own = functions.filter(|f| self.program.procedure(**f).body.is_some());
        own.copied().collect()
    }

    /// Ends runs in which a pointer is one of these functions.
    fn end_at(&mut self, pointer: ExprId, functions: &[ProcId]) {
        for &function in functions {
            let address = self.program.exprs.add(Expr::Function(function));
            let same = self.program.exprs.binary(BinaryOp::Eq, pointer, address);
            self.branch(same, |b| b.end(function));
        }
    }

    /// Ends the run: from here on a function may be called back.
    fn end(&mut self, function: ProcId) {
        let callee = &self.program.procedure(function).c_name;
        let message = format!(
            "`{}`, which has no body and may call back `{callee}`",
            self.name
        );
        self.step(Statement::Skip);
        let location = self.at;
        self.body.errors.push(ErrorLocation {
            location,
            property: UNMODELLED.to_owned(),
            message,
        });
        // What comes behind is reached on the other branch only.
        self.at = self.body.add_location(self.span);
    }
}
