//! The verification conditions: what has to hold for the claims of a certificate to be a proof.
//!
//! * **Initiation**: the start of the program satisfies the claim at its entry.
//! * **Consecution**: every path from a cutpoint to the next one leads from its claim to the
//!   claim there. Every loop passes a cutpoint, so these paths are finite.
//! * **Safety**: no path leads from a cutpoint's claim to an error, nor through anything that is
//!   not modelled. (The claim at an error is *false*, whatever the certificate says.)
//! * **Calls**: behind a call, what the callee may write is arbitrary; but for each context that
//!   the call rests on, if the claim at the callee's entry held, the claim at its exit holds.
//!   Where the callee could fail, the entry claim of a context that speaks of errors must hold.
//!   That recursion may rest on itself is induction on the length of runs.
//! * With **k-induction** safety is asked of the last of k steps to cutpoints, and of the first k.

use crate::certificate::{Cases, Context};
use crate::machine::{Machine, State};
use crate::path::Path;
use crate::Failure;
use prova_formula::{Replacement, Term};
use prova_ir::passes::call_graph::{call_graph, CallGraph};
use prova_ir::{Callee, EdgeId, ExprId, LocId, ProcId, Statement};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Edges walked in all; beyond, a certificate has too few cutpoints.
const EDGES: usize = 20_000_000;

/// A condition that a solver must refute: these cannot all hold.
pub struct Condition {
    /// What cannot hold together.
    pub assertions: Vec<Term>,
    /// The step it is about, for people.
    pub step: String,
}

/// Constants of a procedure's run with their values.
type Ghosts = Vec<(Term, Term)>;

/// Makes the conditions.
pub struct Conditions<'a, 'b> {
    pub machine: &'b mut Machine<'a>,
    contexts: &'b [Context],
    graph: CallGraph,
    effects: FxHashMap<ProcId, (BTreeSet<usize>, bool)>,
    pub found: Vec<Condition>,
    /// Conditions in all, with those settled by looking.
    pub count: usize,
    walked: usize,
    pub cancelled: &'b dyn Fn() -> bool,
}

/// Where a path began: a context, cases of which one held, and its last edge but for the start.
pub struct From<'b> {
    pub context: &'b Context,
    pub cases: &'b [Vec<Term>],
    pub step: Option<(LocId, EdgeId)>,
}

pub fn mismatch<T>(message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Mismatch(message.into()))
}

impl<'a, 'b> Conditions<'a, 'b> {
    pub fn new(machine: &'b mut Machine<'a>, contexts: &'b [Context]) -> Conditions<'a, 'b> {
        let graph = call_graph(machine.program);
        let (effects, found, count, walked) = Default::default();
        Conditions { machine, contexts, graph, effects, found, count, walked, cancelled: &|| false }
    }

    /// All conditions. The first context is that of the program's entry.
    pub fn all(&mut self) -> Result<(), Failure> {
        let entry = self.machine.program.entry;
        let main = self.contexts.first().filter(|c| Some(c.procedure) == entry && !c.partial);
        let Some(context) = main else {
            return mismatch("the claims of the entry must come first");
        };
        if !context.order.is_empty() {
            return self.unroll(context);
        }
        let start = self.machine.start();
        let from = From { context, cases: &[Vec::new()], step: None };
        let entry = self.entry_in(context, &start.state, Vec::new())?.0;
        self.settle(&from, &start.assumed, &entry);
        let (mut known, mut work) = (BTreeSet::from([0]), vec![0]);
        while let Some(id) = work.pop() {
            // That a call rests on a context which is not there shows when the call is walked.
            let Some(context) = self.contexts.get(id) else { continue };
            self.walk(context)?;
            let used = context.calls.values().flatten();
            work.extend(used.map(|u| u.0).filter(|&c| known.insert(c)));
        }
        Ok(())
    }

    /// The claim at the entry of a context's procedure.
    fn entry(&self, context: &'b Context) -> Result<&'b Cases, Failure> {
        let procedure = self.machine.program.procedure(context.procedure);
        let claim = procedure.body.as_ref().and_then(|b| context.claims.get(&b.entry));
        let missing =
            || mismatch(format!("nothing is claimed at the entry of `{}`", procedure.name));
        claim.map_or_else(missing, Ok)
    }

    /// The same in a state, ghosts given values; with all constants of the run.
    fn entry_in(
        &mut self,
        context: &'b Context,
        state: &State,
        mut ghosts: Ghosts,
    ) -> Result<(Cases, Ghosts), Failure> {
        for &(old, value) in &context.olds {
            let mut by = self.moving_to(state, &ghosts);
            ghosts.push((old, self.machine.script.replaced(value, &mut by)));
        }
        let entry = self.entry(context)?;
        Ok((self.instance(entry, state, &ghosts), ghosts))
    }

    fn walk(&mut self, context: &'b Context) -> Result<(), Failure> {
        self.entry(context)?;
        let procedure = self.machine.program.procedure(context.procedure);
        let Some(body) = &procedure.body else { return Ok(()) };
        let outgoing = body.outgoing();
        let size = |cases: &Cases| if context.each { 1 } else { cases.len().max(1) };
        let parts = |(at, all): (&'b _, &'b Cases)| all.chunks(size(all)).map(move |c| (at, c));
        for (&location, cases) in context.claims.iter().flat_map(parts) {
            let known = if context.each { &cases[0][..] } else { &[] };
            let by = self.machine.script.ranges(known);
            let begin = Path::new(self.machine.script.given(known, &self.machine.now));
            let mut work = vec![(location, begin, 1)];
            while let Some((at, path, steps)) = work.pop() {
                for &edge in &outgoing[at.index()] {
                    if path.length > steps * body.locations.len() {
                        let name = &procedure.name;
                        return mismatch(format!("a loop of `{name}` passes no cutpoint"));
                    }
                    let from = From { context, cases, step: Some((location, edge)) };
                    let mut path = Path { length: path.length + 1, ..path.clone() };
                    let lives = self.take(&from, &mut path, &body.edge(edge).statement)?;
                    if !lives || context.each && self.machine.script.sift(&by, &mut path.assumed) {
                        continue;
                    }
                    let target = body.edge(edge).target;
                    let last = steps == context.induction;
                    match context.claims.get(&target) {
                        _ if body.is_error(target) && context.partial => {}
                        _ if body.is_error(target) && !last && location != body.entry => {}
                        _ if body.is_error(target) => self.condition(&from, &path, &[]),
                        None => work.push((target, path, steps)),
                        Some(after) => {
                            if steps == 1 {
                                self.condition(&from, &path, after);
                            }
                            if !last {
                                let holds = self.instance(after, &path.state, &[]);
                                path.assume(self.formula(&holds));
                                work.push((target, path, steps + 1));
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes a statement; says whether the run goes on.
    pub fn take(
        &mut self,
        from: &From<'b>,
        path: &mut Path,
        statement: &Statement,
    ) -> Result<bool, Failure> {
        self.walked += 1;
        match self.walked {
            n if n > EDGES => return mismatch("too many edges between its cutpoints"),
            n if n % 4096 == 0 && (self.cancelled)() => return Err(Failure::Interrupted),
            _ => {}
        }
        match statement {
            Statement::Marker(_) => {
                self.condition(from, path, &[]);
                return Ok(false);
            }
            Statement::Call { result, callee: Callee::Direct(callee), arguments } => {
                let value = self.call(from, path, *callee, arguments)?;
                if let Some(target) = result.map(|r| r.index()) {
                    let none = || path.anything(self.machine, target);
                    path.state[target] = value.unwrap_or_else(none);
                }
            }
            // Two activations at once would need two addresses.
            Statement::Enter(object) if self.graph.recursive[from.context.procedure.index()] => {
                let name = &self.machine.program.object(*object).name;
                self.machine.unsupported(format!("`{name}` in a recursion"));
            }
            other => return Ok(self.machine.take(path, other)),
        }
        Ok(true)
    }

    /// Takes a call; gives its result.
    fn call(
        &mut self,
        from: &From<'b>,
        path: &mut Path,
        callee: ProcId,
        arguments: &[ExprId],
    ) -> Result<Option<Term>, Failure> {
        let program = self.machine.program;
        let procedure = program.procedure(callee);
        let owned = |r: &usize| program.registers[*r].owner == Some(callee);
        let owned: Vec<usize> = (0..program.registers.len()).filter(owned).collect();
        let called = path.state.clone();
        let mut entered = called.clone();
        owned.iter().for_each(|&r| entered[r] = path.anything(self.machine, r));
        for (parameter, &argument) in procedure.parameters.iter().zip(arguments) {
            entered[parameter.index()] = self.machine.value(path, argument);
        }
        let assumed = path.assumed.clone();
        let (written, fails) = self.effects(callee)?;
        // Not `forget`: what a callee leaves in a pointer may point anywhere.
        for place in written {
            path.state[place] = path.anything(self.machine, place);
        }
        let mut left = path.state.clone();
        owned.iter().for_each(|&r| left[r] = path.anything(self.machine, r));

        let mut safe: Cases = Vec::new();
        let used = from.step.and_then(|(_, edge)| from.context.calls.get(&edge));
        for (id, values) in used.into_iter().flatten() {
            let sort = |t: &Term| self.machine.script.sort(*t);
            let fits = |c: &&Context| {
                c.procedure == callee && c.ghosts.iter().map(sort).eq(values.iter().map(sort))
            };
            let Some(context) = self.contexts.get(*id).filter(fits) else {
                let name = &procedure.name;
                return mismatch(format!("a call of `{name}` does not fit context {id}"));
            };
            let mut by = self.moving_to(&called, &[]);
            let values = values.iter().map(|&v| self.machine.script.replaced(v, &mut by));
            let ghosts = context.ghosts.iter().copied().zip(values).collect();
            let (held, ghosts) = self.entry_in(context, &entered, ghosts)?;
            let exit = procedure.body.as_ref().and_then(|b| context.claims.get(&b.exit));
            if let Some(exit) = exit {
                let holds = self.instance(exit, &left, &ghosts);
                let implication = [self.formula(&held), self.formula(&holds)];
                path.assume(self.machine.script.apply("=>", &implication));
            }
            safe.extend(held.into_iter().filter(|_| !context.partial));
        }
        if fails && !from.context.partial {
            self.settle(from, &assumed, &safe);
        }
        Ok(procedure.result.map(|r| left[r.index()]))
    }

    /// The parts of the state that a call may change, and whether it may end in an error.
    fn effects(&mut self, callee: ProcId) -> Result<(BTreeSet<usize>, bool), Failure> {
        if let Some(known) = self.effects.get(&callee) {
            return Ok(known.clone());
        }
        let (mut written, mut fails) = (BTreeSet::new(), false);
        for procedure in self.graph.reachable_from(callee) {
            let Some(body) = &self.machine.program.procedure(procedure).body else {
                return mismatch("a procedure without a body is called");
            };
            fails |= !body.errors.is_empty();
            for edge in &body.edges {
                match &edge.statement {
                    Statement::Call { result, .. } => written.extend(result.map(|r| r.index())),
                    Statement::Marker(_) => fails = true,
                    // What it changes shows when it is taken.
                    other => {
                        let mut path = Path::new(self.machine.now.clone());
                        self.machine.take(&mut path, other);
                        let parts = path.state.iter().zip(&self.machine.now).enumerate();
                        written.extend(parts.filter(|(_, (a, b))| a != b).map(|(i, _)| i));
                    }
                }
            }
        }
        // Registers that a procedure owns are no business of its callers.
        let registers = &self.machine.program.registers;
        written.retain(|&i| registers.get(i).is_none_or(|r| r.owner.is_none()));
        self.effects.insert(callee, (written.clone(), fails));
        Ok((written, fails))
    }

    /// What takes terms to another state, and gives ghosts values.
    fn moving_to(&self, state: &State, ghosts: &[(Term, Term)]) -> Replacement {
        let mut by = Replacement::default();
        let parts = self.machine.now.iter().copied().zip(state.iter().copied());
        for (constant, value) in parts.chain(ghosts.iter().copied()) {
            self.machine.script.replace(&mut by, constant, value);
        }
        by
    }

    /// Cases in another state, and with ghosts given values, but for those that are false there.
    fn instance(&mut self, cases: &[Vec<Term>], state: &State, ghosts: &[(Term, Term)]) -> Cases {
        let mut by = self.moving_to(state, ghosts);
        let (falsity, script) = (self.machine.script.boolean(false), &mut self.machine.script);
        let mut moved = |&t: &Term| Some(script.replaced(t, &mut by)).filter(|&now| now != falsity);
        cases.iter().filter_map(|case| case.iter().map(&mut moved).collect()).collect()
    }

    /// Cases as one formula.
    fn formula(&mut self, cases: &[Vec<Term>]) -> Term {
        let script = &mut self.machine.script;
        let all: Vec<Term> = cases.iter().map(|case| script.junction("and", case)).collect();
        script.junction("or", &all)
    }

    /// A path must lead into one of these cases.
    fn condition(&mut self, from: &From, path: &Path, after: &[Vec<Term>]) {
        let trivial = after.iter().any(Vec::is_empty);
        let after = if trivial { vec![Vec::new()] } else { self.instance(after, &path.state, &[]) };
        self.settle(from, &path.assumed, &after);
    }

    /// Under what is assumed one of these cases must follow. What is plain to see is not asked.
    fn settle(&mut self, from: &From, assumed: &[Term], after: &[Vec<Term>]) {
        let name = &self.machine.program.procedure(from.context.procedure).name;
        for case in from.cases {
            self.count += 1;
            let facts = [assumed, case].concat();
            let Some(assertions) = self.machine.script.refutation(&facts, after) else { continue };
            let step = match from.step {
                None => "the start of the program".to_string(),
                Some((at, edge)) => format!("edge {} from L{} of `{name}`", edge.0, at.0),
            };
            self.found.push(Condition { assertions, step });
        }
    }
}
