//! Checks that measures fall, put into a program.
//!
//! A loop keeps what its measure was where its head is left; on every way back to the head the
//! measure must have fallen since, or there is an error. Nothing is asked of ways that come to the
//! head from outside. A procedure that may call itself keeps what its measure was when it was
//! entered, and every call from its circle of calls must be made with arguments whose measure is
//! less. What it means that a tuple falls is its [`Order`]'s business.

use crate::components::{components, Component};
use crate::descend::descend;
use crate::expression::{fallen, number, Number, Scope, Value};
use crate::measure::{Atom, Kind, Order, Part, Place, Ranking, Subject, Tuple};
use crate::valid::{is_valid, may_free, Base};
use prova_ir::passes::call_graph::{call_graph, CallGraph};
use prova_ir::passes::devirtualise::devirtualise;
use prova_ir::{
    Assumption, BinaryOp, Callee, EdgeId, ErrorLocation, Expr, ExprId, Halt, LocId, ProcId,
    Program, RegId, Register, Role, Span, Statement, Type, UNMODELLED,
};
use std::collections::BTreeMap;

/// The property's name, as the competition spells it.
pub const TERMINATION: &str = "termination";

/// Why a ranking is not one of a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// A loop without a measure.
    #[error("the loop of `{0}` at {1} has no measure")]
    Loop(String, u32),
    /// Procedures that call one another, without a measure.
    #[error("the calls of `{0}` have no measure")]
    Calls(String),
    /// A name that means nothing.
    #[error("there is no `{0}` that a measure could speak of")]
    Unknown(String),
    /// Something that is no number, or one that might wrap.
    #[error("`{0}` cannot be computed with")]
    NoNumber(String),
    /// Memory that may not be there.
    #[error("`{0}` may not be there to be read")]
    NotThere(String),
    /// Addresses that may be of different blocks.
    #[error("`{0}` may point to different blocks, whose order means nothing")]
    Addresses(String),
    /// Two measures for one thing, or tuples that cannot be compared.
    #[error("the measures of `{0}` do not go together")]
    Mixed(String),
    /// The program has no entry, or calls what nobody knows.
    #[error("the program cannot be looked at: {0}")]
    Program(String),
}

/// A check that was put in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// What it is about.
    pub subject: Subject,
    /// Where.
    pub span: Span,
}

/// Puts the checks of a ranking into a program, one for every loop and every circle of calls that a
/// run may get to. Says where they are; if one is missing, nothing is a proof and nothing is woven.
pub fn weave(program: &mut Program, ranking: &Ranking) -> Result<Vec<Site>, Refused> {
    let mut woven = program.clone();
    devirtualise(&mut woven);
    if ranking.undefined_ends {
        end_at_errors(&mut woven);
    }
    let calls = call_graph(&woven);
    let entry = woven
        .entry
        .ok_or_else(|| Refused::Program("it has no entry".into()))?;
    let reached = calls.reachable_from(entry);
    if reached.iter().any(|p| calls.calls_unknown[p.index()]) {
        return Err(Refused::Program("it calls through pointers".into()));
    }
    let mut weaver = Weaver {
        frees: may_free(&woven, &calls),
        program: woven,
        counter: None,
        count: ranking.count,
        sites: Vec::new(),
    };
    for &procedure in &reached {
        weaver.loops(procedure, ranking)?;
    }
    for component in &calls.components {
        let recursive = component.iter().any(|p| calls.recursive[p.index()]);
        if recursive && component.iter().any(|p| reached.contains(p)) {
            weaver.calls(component, &calls, ranking)?;
        }
    }
    // Once all checks are in.
    for (name, promises) in &ranking.returns {
        let all = weaver.program.procedures.iter();
        let id = all.clone().position(|p| p.name == *name).map(ProcId::new);
        let alone = |id: &ProcId| {
            let circle = calls.components.iter().find(|c| c.contains(id));
            calls.recursive[id.index()] && circle.is_some_and(|c| c.len() == 1)
        };
        let id = id.filter(alone).filter(|id| reached.contains(id));
        let id = id.ok_or_else(|| Refused::Unknown(name.clone()))?;
        descend(&mut weaver.program, id, &calls, promises)?;
    }
    prova_ir::debug_validate(&weaver.program, "weave measures");
    *program = weaver.program;
    Ok(weaver.sites)
}

/// What a ranking assumes of a program: which of its loops may run for ever.
pub fn allowed(program: &Program, ranking: &Ranking) -> Vec<Assumption> {
    let forever = ranking.measures.iter();
    let forever = forever.filter(|(_, tuple)| tuple.order == Order::Forever);
    let assumption = |(subject, _): &(Subject, Tuple)| {
        let Subject::Loop(name, head) = subject else {
            return None;
        };
        let procedure = program.procedures.iter().find(|p| p.name == *name)?;
        let location = procedure.body.as_ref()?.locations.get(*head as usize)?;
        let name = procedure.c_name.clone();
        Some(Assumption::Forever(name, location.span.line))
    };
    let mut all: Vec<Assumption> = forever.filter_map(assumption).collect();
    all.sort();
    all.dedup();
    all
}

/// Makes errors of other properties ends of a run. What is not modelled stays what it is.
pub fn end_at_errors(program: &mut Program) {
    for body in program
        .procedures
        .iter_mut()
        .filter_map(|p| p.body.as_mut())
    {
        let errors = std::mem::take(&mut body.errors);
        let own = |e: &ErrorLocation| e.property == TERMINATION || e.property == UNMODELLED;
        let (kept, ends): (Vec<_>, Vec<_>) = errors.into_iter().partition(own);
        body.errors = kept;
        for end in ends {
            let span = body.location(end.location).span;
            let halt = Statement::Halt(Halt::Abort);
            body.add_edge(end.location, body.exit, halt, span);
        }
    }
}

struct Weaver {
    program: Program,
    frees: Vec<bool>,
    /// The register that counts rounds, once it is there.
    counter: Option<RegId>,
    count: Option<u64>,
    sites: Vec<Site>,
}

impl Weaver {
    fn loops(&mut self, id: ProcId, ranking: &Ranking) -> Result<(), Refused> {
        let name = self.program.procedure(id).name.clone();
        let Some(body) = &self.program.procedure(id).body else {
            return Ok(());
        };
        let own = ranking
            .measures
            .iter()
            .filter_map(|(subject, parts)| match subject {
                Subject::Loop(procedure, head) if *procedure == name => Some((LocId(*head), parts)),
                _ => None,
            });
        let own: Vec<(LocId, &Tuple)> = own.collect();
        let heads: Vec<LocId> = own.iter().map(|o| o.0).collect();
        let found = components(body, &heads);
        // Before any edge is moved.
        let sources: Vec<LocId> = body.edges.iter().map(|e| e.source).collect();
        for component in &found {
            let span = self.span(id, component.head);
            match own.iter().find(|o| o.0 == component.head) {
                Some((_, tuple)) if tuple.order == Order::Forever => {}
                Some((_, tuple)) => self.measured(id, component, tuple, &sources)?,
                None if self.count.is_some() => self.counted(id, component, &sources),
                None => return Err(Refused::Loop(name, component.head.0)),
            }
            let subject = Subject::Loop(name.clone(), component.head.0);
            self.sites.push(Site { subject, span });
        }
        Ok(())
    }

    fn span(&self, id: ProcId, location: LocId) -> Span {
        let body = self.program.procedure(id).body.as_ref();
        body.map_or(Span::NONE, |b| b.location(location).span)
    }

    /// The loop of a component, with a measure.
    fn measured(
        &mut self,
        id: ProcId,
        component: &Component,
        tuple: &Tuple,
        sources: &[LocId],
    ) -> Result<(), Refused> {
        let scope = Scope { procedure: id };
        let parts = &tuple.parts;
        let mut terms = parts.iter().flat_map(Part::linear);
        if parts.is_empty() || terms.any(|p| p.terms.is_empty()) {
            return Err(Refused::NoNumber("a constant".into()));
        }
        self.readable(id, component, parts)?;
        let mut numbers: BTreeMap<Atom, (Number, Number)> = BTreeMap::new();
        let mut kept = Vec::new();
        for atom in parts.iter().flat_map(Part::atoms) {
            if numbers.contains_key(atom) {
                continue;
            }
            let now = number(&mut self.program, scope, atom, &|_| None)?;
            let mut before = now;
            // What a round leaves as it is need not be kept.
            if self.changes(id, component, atom)? {
                let Type::Int(width) = self.program.exprs.ty(now.bits) else {
                    return Err(Refused::NoNumber(atom.to_string()));
                };
                let name = format!("prova.was{}", kept.len());
                let old = self.register(&name, width, Some(id), None);
                kept.push((old, now.bits));
                before.bits = self.program.read(old);
            }
            numbers.insert(atom.clone(), (before, now));
        }
        let values = |which: fn(&(Number, Number)) -> Number| -> Vec<Value> {
            let value = |p: &Part| Value::of(p, |atom| which(&numbers[atom]));
            parts.iter().map(value).collect()
        };
        let (before, now) = (values(|n| n.0), values(|n| n.1));
        let falls = fallen(&mut self.program, &before, &now)?;
        let message = "the loop comes round and its measure has not fallen";
        self.around(id, component, sources, &kept, falls, message);
        Ok(())
    }

    /// Whether a round may change what an atom reads.
    fn changes(&self, id: ProcId, component: &Component, atom: &Atom) -> Result<bool, Refused> {
        let Place::Register(name) = &atom.place else {
            return Ok(true);
        };
        let program = &self.program;
        let register = Scope { procedure: id }.register(program, name)?;
        let global = program.register(register).owner.is_none();
        let Some(body) = &program.procedure(id).body else {
            return Ok(true);
        };
        let mut inside = body.edges.iter().filter(|e| component.contains(e.source));
        Ok(inside.any(|e| match &e.statement {
            Statement::Assign { target, .. }
            | Statement::Nondet { target, .. }
            | Statement::Allocate { target, .. } => *target == register,
            Statement::Call { result, .. } => global || *result == Some(register),
            _ => false,
        }))
    }

    /// The loop of a component, counted.
    fn counted(&mut self, id: ProcId, component: &Component, sources: &[LocId]) {
        let (step, few) = self.counting();
        let message = "there are more rounds than counted";
        self.around(id, component, sources, &[step], few, message);
    }

    /// One more round, and that there were not too many.
    fn counting(&mut self) -> ((RegId, ExprId), ExprId) {
        let counter = match self.counter {
            Some(counter) => counter,
            None => {
                let zero = self.program.exprs.int(0, 64);
                let counter = self.register("prova.rounds", 64, None, Some(zero));
                *self.counter.insert(counter)
            }
        };
        let value = self.program.read(counter);
        let pool = &mut self.program.exprs;
        let one = pool.int(1, 64);
        let most = pool.int(u128::from(self.count.unwrap_or(0)), 64);
        let next = pool.binary(BinaryOp::Add, value, one);
        let few = pool.binary(BinaryOp::ULe, value, most);
        ((counter, next), few)
    }

    /// Puts assignments behind the head of a component, and a check on every way back to it.
    fn around(
        &mut self,
        id: ProcId,
        component: &Component,
        sources: &[LocId],
        kept: &[(RegId, ExprId)],
        check: ExprId,
        message: &str,
    ) {
        let (kept, check) = self.armed(id, component, sources, kept, check);
        let not = self.program.exprs.not(check);
        let Some(body) = &mut self.program.procedures[id.index()].body else {
            return;
        };
        let head = component.head;
        let span = body.location(head).span;
        let leaving: Vec<EdgeId> = body.outgoing()[head.index()].clone();
        let mut at = head;
        for (target, value) in kept {
            let next = body.add_location(span);
            body.add_edge(at, next, Statement::Assign { target, value }, span);
            at = next;
        }
        for edge in leaving {
            body.edges[edge.index()].source = at;
        }
        let back = body.add_location(span);
        // Edges that were put in later are none of the program's; they lead to no head from inside.
        for (edge, source) in body.edges.iter_mut().zip(sources) {
            if edge.target == head && component.contains(*source) {
                edge.target = back;
            }
        }
        body.add_edge(back, head, Statement::Assume(check), span);
        let error = body.add_location(span);
        body.add_edge(back, error, Statement::Assume(not), span);
        body.errors.push(ErrorLocation {
            location: error,
            property: TERMINATION.to_owned(),
            message: message.to_owned(),
        });
    }

    /// A loop that may be entered elsewhere than at its head comes to the head from inside before
    /// anything was kept there: then a flag says whether there is something to compare with.
    fn armed(
        &mut self,
        id: ProcId,
        component: &Component,
        sources: &[LocId],
        kept: &[(RegId, ExprId)],
        check: ExprId,
    ) -> (Vec<(RegId, ExprId)>, ExprId) {
        let mut kept = kept.to_vec();
        let Some(body) = &self.program.procedure(id).body else {
            return (kept, check);
        };
        let inside = |l: LocId| component.contains(l) && l != component.head;
        // Where an edge of the program led before anything was woven in is where it leads now, unless
        // that was a head.
        let edges = body.edges.iter().zip(sources).enumerate();
        let entering = edges.filter(|(_, (e, s))| inside(e.target) && !component.contains(**s));
        let entering: Vec<usize> = entering.map(|(i, _)| i).collect();
        let (entry, first) = (body.entry, inside(body.entry));
        if entering.is_empty() && !first {
            return (kept, check);
        }
        let flag = self.register("prova.armed", 8, Some(id), None);
        let value = self.program.read(flag);
        let pool = &mut self.program.exprs;
        let (zero, one) = (pool.int(0, 8), pool.int(1, 8));
        let nothing = pool.binary(BinaryOp::Eq, value, zero);
        let check = pool.binary(BinaryOp::Or, nothing, check);
        kept.push((flag, one));
        if let Some(body) = &mut self.program.procedures[id.index()].body {
            let reset = |body: &mut prova_ir::Body, target: LocId, span: Span| {
                let before = body.add_location(span);
                let clear = Statement::Assign {
                    target: flag,
                    value: zero,
                };
                body.add_edge(before, target, clear, span);
                before
            };
            for edge in entering {
                let (target, span) = (body.edges[edge].target, body.edges[edge].span);
                body.edges[edge].target = reset(body, target, span);
            }
            if first {
                let span = body.location(entry).span;
                body.entry = reset(body, entry, span);
            }
        }
        (kept, check)
    }

    /// Whether all that a measure reads can be read at the head, and addresses stay in one block.
    fn readable(&self, id: ProcId, component: &Component, parts: &[Part]) -> Result<(), Refused> {
        let (program, scope) = (&self.program, Scope { procedure: id });
        let Some(body) = &program.procedure(id).body else {
            return Ok(());
        };
        for atom in parts.iter().flat_map(Part::atoms) {
            if let Some(cell) = scope.cell(program, atom)? {
                let frame = match cell.base {
                    Base::Object(o) => program.object(o).storage.clone(),
                    Base::Register(_) => prova_ir::Storage::External,
                };
                let other = matches!(frame, prova_ir::Storage::Frame(owner) if owner != id);
                if other || !is_valid(program, body, &self.frees, cell, component.head) {
                    return Err(Refused::NotThere(atom.to_string()));
                }
            }
            if let Place::Register(name) = &atom.place {
                let register = scope.register(program, name)?;
                let pointer = program.register(register).ty == Type::Ptr;
                let moves = |e: &&prova_ir::Edge| {
                    component.contains(e.source) && !walks(program, &e.statement, register)
                };
                if pointer && (atom.kind != Kind::Unsigned || body.edges.iter().any(|e| moves(&e)))
                {
                    return Err(Refused::Addresses(atom.to_string()));
                }
            }
        }
        Ok(())
    }

    /// The calls between procedures of one circle.
    fn calls(
        &mut self,
        circle: &[ProcId],
        calls: &CallGraph,
        ranking: &Ranking,
    ) -> Result<(), Refused> {
        let name = self.program.procedure(circle[0]).name.clone();
        let mut tuples: Vec<(ProcId, Tuple)> = Vec::new();
        for &p in circle {
            let own = &self.program.procedure(p).name;
            let mut all = ranking.measures.iter();
            let found = all.find(|(s, _)| matches!(s, Subject::Call(n) if n == own));
            tuples.extend(found.map(|(_, tuple)| (p, tuple.clone())));
        }
        if tuples.is_empty() && self.count.is_some() {
            for &p in circle {
                self.counted_calls(p, circle);
            }
            return Ok(());
        }
        // Loops may run for ever, stacks may not.
        let forever = |t: &(ProcId, Tuple)| t.1.order == Order::Forever;
        if tuples.len() < circle.len() || tuples.iter().any(forever) {
            return Err(Refused::Calls(name));
        }
        for (p, tuple) in &tuples {
            let first = &tuples[0].1;
            if tuple.parts.len() != first.parts.len() || tuple.order != first.order {
                return Err(Refused::Mixed(name));
            }
            for atom in tuple.parts.iter().flat_map(Part::atoms) {
                self.is_parameter(*p, atom)?;
            }
        }
        for (p, tuple) in &tuples {
            let parts = &tuple.parts;
            let scope = Scope { procedure: *p };
            let mut numbers: BTreeMap<Atom, Number> = BTreeMap::new();
            let mut kept = Vec::new();
            for atom in parts.iter().flat_map(Part::atoms) {
                let value = number(&mut self.program, scope, atom, &|_| None)?;
                let Type::Int(width) = self.program.exprs.ty(value.bits) else {
                    return Err(Refused::NoNumber(atom.to_string()));
                };
                if !numbers.contains_key(atom) {
                    let name = format!("prova.entered{}", kept.len());
                    let old = self.register(&name, width, Some(*p), None);
                    kept.push((old, value.bits));
                    let bits = self.program.read(old);
                    numbers.insert(atom.clone(), Number { bits, ..value });
                }
            }
            self.entering(*p, &kept);
            let before = parts.iter().map(|p| Value::of(p, |atom| numbers[atom]));
            let before: Vec<Value> = before.collect();
            for &callee in &calls.callees[p.index()] {
                if let Some((_, theirs)) = tuples.iter().find(|t| t.0 == callee) {
                    self.falling_calls(*p, callee, theirs, &before)?;
                }
            }
            let subject = Subject::Call(self.program.procedure(*p).name.clone());
            let span = self.program.procedure(*p).span;
            self.sites.push(Site { subject, span });
        }
        Ok(())
    }

    /// Measures of calls speak of parameters, and of nothing else: the caller knows these only.
    fn is_parameter(&self, id: ProcId, atom: &Atom) -> Result<(), Refused> {
        let scope = Scope { procedure: id };
        let Place::Register(name) = &atom.place else {
            return Err(Refused::NotThere(atom.to_string()));
        };
        let register = scope.register(&self.program, name)?;
        let number = matches!(self.program.register(register).ty, Type::Int(_));
        match number && self.program.procedure(id).parameters.contains(&register) {
            true => Ok(()),
            false => Err(Refused::Unknown(name.clone())),
        }
    }

    fn entering(&mut self, id: ProcId, kept: &[(RegId, ExprId)]) {
        let Some(body) = &mut self.program.procedures[id.index()].body else {
            return;
        };
        let span = body.location(body.entry).span;
        let first = body.add_location(span);
        let mut at = first;
        for &(target, value) in kept {
            let next = body.add_location(span);
            body.add_edge(at, next, Statement::Assign { target, value }, span);
            at = next;
        }
        let entry = body.entry;
        body.add_edge(at, entry, Statement::Skip, span);
        body.entry = first;
    }

    fn falling_calls(
        &mut self,
        id: ProcId,
        callee: ProcId,
        tuple: &Tuple,
        before: &[Value],
    ) -> Result<(), Refused> {
        let parts = &tuple.parts;
        for (edge, arguments) in self.calls_of(id, callee) {
            let parameters = self.program.procedure(callee).parameters.clone();
            let value = |register: RegId| {
                let position = parameters.iter().position(|p| *p == register)?;
                arguments.get(position).copied()
            };
            let scope = Scope { procedure: callee };
            let mut numbers: BTreeMap<Atom, Number> = BTreeMap::new();
            for atom in parts.iter().flat_map(Part::atoms) {
                let argument = number(&mut self.program, scope, atom, &value)?;
                numbers.insert(atom.clone(), argument);
            }
            let now = parts.iter().map(|p| Value::of(p, |atom| numbers[atom]));
            let now: Vec<Value> = now.collect();
            let falls = fallen(&mut self.program, before, &now)?;
            let message = "the call is made with a measure that has not fallen";
            self.before_edge(id, edge, &[], falls, message);
        }
        Ok(())
    }

    fn counted_calls(&mut self, id: ProcId, circle: &[ProcId]) {
        for &callee in circle {
            for (edge, _) in self.calls_of(id, callee) {
                let (step, few) = self.counting();
                let message = "there are more calls than counted";
                self.before_edge(id, edge, &[step], few, message);
            }
        }
        let subject = Subject::Call(self.program.procedure(id).name.clone());
        let span = self.program.procedure(id).span;
        self.sites.push(Site { subject, span });
    }

    fn calls_of(&self, id: ProcId, callee: ProcId) -> Vec<(EdgeId, Vec<ExprId>)> {
        let edges = self
            .program
            .procedure(id)
            .body
            .iter()
            .flat_map(|b| &b.edges);
        let calls = edges.enumerate().filter_map(|(i, e)| match &e.statement {
            Statement::Call {
                callee: Callee::Direct(p),
                arguments,
                ..
            } if *p == callee => Some((EdgeId::new(i), arguments.clone())),
            _ => None,
        });
        calls.collect()
    }

    /// Puts assignments and a check before an edge that is the only one of its source.
    fn before_edge(
        &mut self,
        id: ProcId,
        edge: EdgeId,
        kept: &[(RegId, ExprId)],
        check: ExprId,
        message: &str,
    ) {
        let not = self.program.exprs.not(check);
        let Some(body) = &mut self.program.procedures[id.index()].body else {
            return;
        };
        let (mut at, span) = (body.edge(edge).source, body.edge(edge).span);
        for &(target, value) in kept {
            let next = body.add_location(span);
            body.add_edge(at, next, Statement::Assign { target, value }, span);
            at = next;
        }
        let (next, error) = (body.add_location(span), body.add_location(span));
        body.add_edge(at, next, Statement::Assume(check), span);
        body.add_edge(at, error, Statement::Assume(not), span);
        body.edges[edge.index()].source = next;
        body.errors.push(ErrorLocation {
            location: error,
            property: TERMINATION.to_owned(),
            message: message.to_owned(),
        });
    }

    fn register(
        &mut self,
        name: &str,
        width: u16,
        owner: Option<ProcId>,
        initial: Option<ExprId>,
    ) -> RegId {
        let name = self.program.fresh_register_name(name);
        self.program.add_register(Register {
            name,
            c_name: String::new(),
            ty: Type::Int(width),
            ctype: None,
            owner,
            role: match owner {
                Some(_) => Role::Temporary,
                None => Role::Global,
            },
            initial,
            span: Span::NONE,
        })
    }
}

/// Whether a statement leaves a pointer where it is, or moves it inside the block it points to.
pub fn walks(program: &Program, statement: &Statement, pointer: RegId) -> bool {
    let pool = &program.exprs;
    match statement {
        Statement::Assign { target, value } if *target == pointer => match pool.get(*value) {
            Expr::Binary {
                op: BinaryOp::PtrAdd,
                left,
                ..
            } => pool.get(left) == Expr::Reg(pointer),
            _ => false,
        },
        Statement::Nondet { target, .. } | Statement::Allocate { target, .. } => *target != pointer,
        Statement::Call { result, .. } => *result != Some(pointer),
        _ => true,
    }
}
