//! The verification conditions: what has to hold for the claims of a certificate to be a proof.
//!
//! * **Initiation**: the start of the program satisfies the claim at its entry.
//! * **Consecution**: every path from a cutpoint to the next one leads from its claim to the
//!   claim there.
//! * **Safety**: no path leads from a cutpoint's claim to an error, nor through anything that is
//!   not modelled. (The claim at an error is *false*, whatever the certificate says.)
//! * Every loop passes a cutpoint, so that the paths between them are finite.
//! * **Calls**: at a call the claim at the callee's entry must hold; behind it what the callee
//!   may write is arbitrary, but the claim at its exit holds. In claims of a procedure `(old x)`
//!   is the value of `x` when it was entered. That recursion may rest on itself is induction on
//!   the length of runs.

use crate::calls::Effects;
use crate::path::{Path, Steps};
use crate::script::Term;
use crate::vocabulary::Values;
use crate::Failure;
use prova_ir::{Body, Callee, EdgeId, ExprId, LocId, ProcId, RegId, Statement};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// One of these holds.
pub type Cases = Vec<Vec<Term>>;

/// What is claimed of a procedure's locations.
pub type Claimed = BTreeMap<LocId, Cases>;

/// Edges walked in all; beyond, a certificate has too few cutpoints.
const EDGES: usize = 20_000_000;

/// A condition that a solver must refute: these cannot all hold.
pub struct Condition {
    pub assertions: Vec<Term>,
    pub step: Step,
}

/// The step that a condition is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The procedure.
    pub procedure: ProcId,
    /// Where the path begins; `None` for the start of the program.
    pub from: Option<LocId>,
    /// The last edge of the path.
    pub edge: Option<EdgeId>,
}

/// Makes the conditions.
pub struct Conditions<'a, 'b> {
    pub steps: &'b mut Steps<'a>,
    pub claims: &'b BTreeMap<ProcId, Claimed>,
    pub effects: &'b Effects,
    pub found: Vec<Condition>,
    /// Conditions in all, with those settled by looking.
    pub count: usize,
    walked: usize,
}

impl<'a, 'b> Conditions<'a, 'b> {
    pub fn new(
        steps: &'b mut Steps<'a>,
        claims: &'b BTreeMap<ProcId, Claimed>,
        effects: &'b Effects,
    ) -> Conditions<'a, 'b> {
        Conditions {
            steps,
            claims,
            effects,
            found: Vec::new(),
            count: 0,
            walked: 0,
        }
    }

    /// All conditions of the program.
    pub fn all(&mut self, entry: ProcId) -> Result<(), Failure> {
        let start = self.steps.start()?;
        let step = Step {
            procedure: entry,
            from: None,
            edge: None,
        };
        let (claimed, body) = self.procedure(entry)?;
        let old = start.values.clone();
        self.condition(step, &[Vec::new()], &start, &claimed[&body.entry], &old)?;
        let mut known = BTreeSet::from([entry]);
        let mut work = vec![entry];
        while let Some(procedure) = work.pop() {
            for callee in self.effects.callees(procedure) {
                if known.insert(callee) {
                    work.push(callee);
                }
            }
            self.walk(procedure)?;
        }
        Ok(())
    }

    /// The claims and the body of a procedure; the claims include one at its entry.
    fn procedure(&self, id: ProcId) -> Result<(&'b Claimed, &'a Body), Failure> {
        let program = self.steps.words.program;
        let procedure = program.procedure(id);
        let missing = |what: &str| Failure::Mismatch(format!("{what} of `{}`", procedure.name));
        let body = procedure
            .body
            .as_ref()
            .ok_or_else(|| missing("there is no body"))?;
        let claimed = self
            .claims
            .get(&id)
            .ok_or_else(|| missing("nothing is claimed"))?;
        if !claimed.contains_key(&body.entry) {
            return Err(missing("nothing is claimed at the entry"));
        }
        Ok((claimed, body))
    }

    fn walk(&mut self, procedure: ProcId) -> Result<(), Failure> {
        let (claimed, body) = self.procedure(procedure)?;
        let outgoing = body.outgoing();
        let repeated = loops(body, &outgoing, claimed).ok_or_else(|| {
            let name = &self.steps.words.program.procedure(procedure).name;
            Failure::Mismatch(format!("a loop of `{name}` has no cutpoint"))
        })?;
        for (&cutpoint, before) in claimed {
            if before.is_empty() {
                continue;
            }
            let mut work = vec![(cutpoint, Path::new(self.steps.words.now.clone()))];
            while let Some((at, path)) = work.pop() {
                for &edge in &outgoing[at.index()] {
                    self.walked += 1;
                    if self.walked > EDGES {
                        let message = "too many paths between cutpoints";
                        return Err(Failure::Unsupported(message.into()));
                    }
                    let step = Step {
                        procedure,
                        from: Some(cutpoint),
                        edge: Some(edge),
                    };
                    let mut path = path.clone();
                    let again = repeated[edge.index()] || self.effects.calls;
                    if !self.take(step, before, &mut path, body, again)? {
                        continue;
                    }
                    let target = body.edge(edge).target;
                    let old = self.steps.words.old.clone();
                    if body.is_error(target) {
                        self.condition(step, before, &path, &[], &old)?;
                    } else if let Some(after) = claimed.get(&target) {
                        self.condition(step, before, &path, after, &old)?;
                    } else {
                        work.push((target, path));
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes an edge; says whether the run goes on.
    fn take(
        &mut self,
        step: Step,
        before: &[Vec<Term>],
        path: &mut Path,
        body: &Body,
        again: bool,
    ) -> Result<bool, Failure> {
        let Some(edge) = step.edge else {
            return Ok(true);
        };
        match &body.edge(edge).statement {
            Statement::Marker(_) => {
                let old = self.steps.words.old.clone();
                self.condition(step, before, path, &[], &old)?;
                Ok(false)
            }
            Statement::Call {
                result,
                callee: Callee::Direct(callee),
                arguments,
            } => self.call(step, before, path, *result, *callee, arguments),
            other => self.steps.take(path, other, again),
        }
    }

    fn call(
        &mut self,
        step: Step,
        before: &[Vec<Term>],
        path: &mut Path,
        result: Option<RegId>,
        callee: ProcId,
        arguments: &[ExprId],
    ) -> Result<bool, Failure> {
        let program = self.steps.words.program;
        let (claimed, body) = self.procedure(callee)?;
        let mut entered = path.values.clone();
        for (&parameter, &argument) in program.procedure(callee).parameters.iter().zip(arguments) {
            entered.registers[parameter.index()] = self.steps.value(path, argument)?;
        }
        let own = |r: &usize| program.registers[*r].owner == Some(callee);
        let own: Vec<usize> = (0..program.registers.len()).filter(own).collect();
        let parameters = &program.procedure(callee).parameters;
        for &r in own
            .iter()
            .filter(|&&r| !parameters.contains(&RegId::new(r)))
        {
            let sort = self.steps.script.sort(entered.registers[r]);
            entered.registers[r] = self.steps.fresh(path, sort, false)?;
        }
        let mut arrival = path.clone();
        arrival.values = entered.clone();
        self.condition(step, before, &arrival, &claimed[&body.entry], &entered)?;

        for register in self.effects.registers(callee) {
            let sort = self
                .steps
                .script
                .sort(path.values.registers[register.index()]);
            path.values.registers[register.index()] = self.steps.fresh(path, sort, false)?;
        }
        self.steps.forget(path, &self.effects.classes(callee))?;
        if self.effects.allocates(callee) {
            let sort = self.steps.script.sort(path.values.heap_top);
            path.values.heap_top = self.steps.fresh(path, sort, false)?;
        }
        let mut left = path.values.clone();
        for &r in &own {
            let sort = self.steps.script.sort(left.registers[r]);
            left.registers[r] = self.steps.fresh(path, sort, false)?;
        }
        if let Some(after) = claimed.get(&body.exit) {
            let cases = self.instance(after, &left, &entered)?;
            let mut any = Vec::with_capacity(cases.len());
            for case in &cases {
                any.push(self.steps.script.junction("and", case)?);
            }
            path.assume(self.steps.script.junction("or", &any)?);
        }
        if let (Some(target), Some(value)) = (result, program.procedure(callee).result) {
            path.values.registers[target.index()] = left.registers[value.index()];
        }
        Ok(true)
    }

    /// Cases in other states: now, and at the entry of their procedure.
    fn instance(
        &mut self,
        cases: &[Vec<Term>],
        now: &Values,
        old: &Values,
    ) -> Result<Cases, Failure> {
        let steps = &mut self.steps;
        let mut by = steps.words.substitution(&steps.script, now, old);
        let mut found = Vec::with_capacity(cases.len());
        for case in cases {
            let mut conjuncts = Vec::with_capacity(case.len());
            for &conjunct in case {
                conjuncts.push(steps.script.substitute(conjunct, &mut by)?);
            }
            found.push(conjuncts);
        }
        Ok(found)
    }

    /// A path from `before` must lead into `after`.
    fn condition(
        &mut self,
        step: Step,
        before: &[Vec<Term>],
        path: &Path,
        after: &[Vec<Term>],
        old: &Values,
    ) -> Result<(), Failure> {
        self.count += 1;
        if after.iter().any(Vec::is_empty) {
            return Ok(());
        }
        let after = self.instance(after, &path.values, old)?;
        let script = &mut self.steps.script;
        let truth = script.boolean(true);
        let mut open = Vec::new();
        for case in before {
            let mut known: FxHashSet<Term> = path.assumed.iter().chain(case).copied().collect();
            known.insert(truth);
            let mut impossible = false;
            for &fact in path.assumed.iter().chain(case) {
                let negated = script.not(fact)?;
                impossible |= known.contains(&negated);
            }
            let holds = |target: &Vec<Term>| target.iter().all(|t| known.contains(t));
            if !impossible && !after.iter().any(holds) {
                open.push(case);
            }
        }
        let Some((first, rest)) = open.split_first() else {
            return Ok(());
        };
        let mut assertions = path.assumed.clone();
        // What all cases share is asserted once: solvers then see through it.
        let common: FxHashSet<Term> = first
            .iter()
            .copied()
            .filter(|fact| rest.iter().all(|case| case.contains(fact)))
            .collect();
        assertions.extend(first.iter().filter(|f| common.contains(f)));
        let mut any = Vec::with_capacity(open.len());
        for case in open {
            let own: Vec<Term> = case
                .iter()
                .copied()
                .filter(|f| !common.contains(f))
                .collect();
            any.push(script.junction("and", &own)?);
        }
        assertions.push(script.junction("or", &any)?);
        for case in &after {
            let whole = script.junction("and", case)?;
            assertions.push(script.not(whole)?);
        }
        self.found.push(Condition { assertions, step });
        Ok(())
    }
}

/// Which edges lie on loops; `None` if a loop passes no cutpoint.
fn loops(body: &Body, outgoing: &[Vec<EdgeId>], claimed: &Claimed) -> Option<Vec<bool>> {
    let all = components(body, outgoing, |_| false);
    let cut = components(body, outgoing, |at| claimed.contains_key(&at));
    let on_loop = |component: &[usize], edge: &prova_ir::Edge| {
        component[edge.source.index()] == component[edge.target.index()]
    };
    let uncut = |edge: &prova_ir::Edge| {
        let ends = [edge.source, edge.target];
        on_loop(&cut, edge) && !ends.iter().any(|e| claimed.contains_key(e))
    };
    let reached = prova_ir::graph::reachable(body, outgoing);
    let mut edges = body.edges.iter().filter(|e| reached[e.source.index()]);
    if edges.any(uncut) {
        return None;
    }
    Some(body.edges.iter().map(|e| on_loop(&all, e)).collect())
}

/// The strongly connected component of each location (Kosaraju's two searches), over edges
/// between locations that are not left out.
fn components(
    body: &Body,
    outgoing: &[Vec<EdgeId>],
    left_out: impl Fn(LocId) -> bool,
) -> Vec<usize> {
    let n = body.locations.len();
    let incoming = body.incoming();
    let next = |at: usize, back: bool| -> Vec<usize> {
        let edges = if back { &incoming[at] } else { &outgoing[at] };
        let other = |e: &EdgeId| {
            if back {
                body.edge(*e).source
            } else {
                body.edge(*e).target
            }
        };
        let skip = left_out(LocId::new(at));
        let targets = edges.iter().map(other).filter(|&t| !skip && !left_out(t));
        targets.map(LocId::index).collect()
    };
    let mut order = Vec::with_capacity(n);
    let mut seen = vec![false; n];
    for root in 0..n {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut stack = vec![(root, next(root, false))];
        while let Some((at, targets)) = stack.last_mut() {
            match targets.pop() {
                Some(target) if std::mem::replace(&mut seen[target], true) => {}
                Some(target) => stack.push((target, next(target, false))),
                None => {
                    order.push(*at);
                    stack.pop();
                }
            }
        }
    }
    let mut component = vec![usize::MAX; n];
    for (number, &root) in order.iter().rev().enumerate() {
        let mut stack = vec![root];
        while let Some(at) = stack.pop() {
            if component[at] == usize::MAX {
                component[at] = number;
                stack.extend(
                    next(at, true)
                        .into_iter()
                        .filter(|&p| component[p] == usize::MAX),
                );
            }
        }
    }
    component
}
