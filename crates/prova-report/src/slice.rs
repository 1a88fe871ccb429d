//! The steps of a failing run that matter: a dynamic slice, backwards from the error over what
//! each step read and over the branches that led to it (Korel and Laski, 1988).

use crate::expression::Printer;
use crate::values::Names;
use prova_exec::Run;
use prova_ir::{Body, Edge, EdgeId, Expr, ExprId, LocId, ProcId, RegId, Statement};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, BinaryHeap};

/// Steps that matter, at most; what lies before is then left out.
const MOST: usize = 200_000;

/// Branches looked at to find the one that a step depends on.
const FURTHEST: usize = 100_000;

/// A slice of a run.
#[derive(Debug, Default)]
pub struct Slice {
    /// The steps that matter, in order.
    pub steps: Vec<u32>,
    /// For calls: which parameters matter.
    pub parameters: FxHashMap<u32, BTreeSet<usize>>,
    /// Whether something was left out because there was too much of it.
    pub cut: bool,
}

/// The slice of a run from its end.
pub fn slice(run: &Run, names: &Names) -> Slice {
    let mut slicer = Slicer {
        run,
        names,
        dependences: FxHashMap::default(),
        branches: branches(run),
        wanted: FxHashSet::default(),
        work: BinaryHeap::new(),
        slice: Slice::default(),
    };
    let end = run.steps();
    slicer.control(
        end,
        run.location_at(end).proc,
        run.location_at(end).location,
    );
    if let Some(last) = end.checked_sub(1) {
        // What the failing statement itself computed with.
        slicer.want(last);
    }
    while let Some(step) = slicer.work.pop() {
        slicer.slice.steps.push(step);
        if slicer.slice.steps.len() >= MOST {
            slicer.slice.cut = true;
            break;
        }
        slicer.step(step);
    }
    slicer.slice.steps.reverse();
    slicer.slice
}

/// Per call, its branches: steps and places.
fn branches(run: &Run) -> FxHashMap<u32, Vec<(u32, LocId)>> {
    let program = &*run.code.program;
    let mut found: FxHashMap<u32, Vec<(u32, LocId)>> = FxHashMap::default();
    for (step, place) in run.path() {
        let Some(body) = program.procedure(place.proc).body.as_ref() else {
            continue;
        };
        let assumes =
            |e| matches!(body.edge(e).statement, Statement::Assume(_)) && !is_check(body, e);
        if place.edge.is_some_and(assumes) {
            let branches = found.entry(run.activation_at(step)).or_default();
            branches.push((step, place.source));
        }
    }
    found
}

struct Slicer<'a> {
    run: &'a Run,
    names: &'a Names<'a>,
    dependences: FxHashMap<ProcId, Vec<Vec<LocId>>>,
    branches: FxHashMap<u32, Vec<(u32, LocId)>>,
    wanted: FxHashSet<u32>,
    work: BinaryHeap<u32>,
    slice: Slice,
}

impl Slicer<'_> {
    fn want(&mut self, step: u32) {
        if self.wanted.insert(step) {
            self.work.push(step);
        }
    }

    fn step(&mut self, step: u32) {
        let run = self.run;
        let program = &*run.code.program;
        let Some(place) = run.edge_at(step) else {
            return;
        };
        let procedure = program.procedure(place.proc);
        let Some(body) = procedure.body.as_ref() else {
            return;
        };
        self.control(step, place.proc, place.source);
        let Some(edge) = place.edge else {
            if let Some(result) = procedure.result {
                self.register(result, step);
            }
            return;
        };
        match &body.edge(edge).statement {
            Statement::Assign { value, .. } | Statement::Assume(value) => self.uses(*value, step),
            Statement::Store { address, value } => {
                self.uses(*address, step);
                self.uses(*value, step);
            }
            Statement::Copy {
                target,
                source,
                size,
            } => {
                self.uses(*target, step);
                self.uses(*source, step);
                let at = self.at(step).evaluate(*source) as u64;
                self.memory(at, *size, step);
            }
            Statement::Call { arguments, .. } => {
                // A call without a body reads all its arguments; else those that were asked for.
                let asked = self.slice.parameters.get(&step).cloned();
                for (i, argument) in arguments.iter().enumerate() {
                    if asked.as_ref().is_some_and(|a| a.contains(&i)) {
                        self.uses(*argument, step);
                    }
                }
            }
            Statement::Allocate { size, .. } => self.uses(*size, step),
            Statement::Free(pointer) => self.uses(*pointer, step),
            _ => {}
        }
    }

    fn at(&self, step: u32) -> Printer<'_> {
        Printer {
            run: self.run,
            names: self.names,
            state: step,
            values: true,
        }
    }

    /// Everything an expression reads.
    fn uses(&mut self, e: ExprId, step: u32) {
        let exprs = &self.run.code.program.exprs;
        for part in exprs.subexpressions(e) {
            match exprs.get(part) {
                Expr::Reg(reg) => self.register(reg, step),
                Expr::Load { address, ty } => {
                    let at = self.at(step).evaluate(address) as u64;
                    self.memory(at, ty.bytes(self.run.code.program.model), step);
                }
                _ => {}
            }
        }
    }

    fn register(&mut self, reg: RegId, state: u32) {
        let Some((written, _)) = self.run.register_written(reg, state) else {
            return;
        };
        let Some(step) = written.checked_sub(1) else {
            return;
        };
        let program = &*self.run.code.program;
        if let Some(owner) = program.register(reg).owner {
            let parameters = &program.procedure(owner).parameters;
            let called = self.run.activation_at(step) != self.run.activation_at(step + 1);
            if let (true, Some(n)) = (called, parameters.iter().position(|&p| p == reg)) {
                self.slice.parameters.entry(step).or_default().insert(n);
            }
        }
        self.want(step);
    }

    /// The step that gave a part of memory its contents.
    fn memory(&mut self, address: u64, bytes: u64, state: u32) {
        let mut state = state;
        for _ in 0..FURTHEST {
            let written = self
                .run
                .memory_written(address, bytes.min(1 << 16) as u32, state);
            let Some(step) = written.checked_sub(1) else {
                return;
            };
            if self.touches(step, address, bytes) {
                return self.want(step);
            }
            // The log knows words only: a neighbour was written.
            state = step;
        }
    }

    fn touches(&self, step: u32, address: u64, bytes: u64) -> bool {
        let program = &*self.run.code.program;
        let statement = self.run.edge_at(step).and_then(|place| {
            let body = program.procedure(place.proc).body.as_ref()?;
            Some(&body.edge(place.edge?).statement)
        });
        let (target, size) = match statement {
            Some(Statement::Store { address, value }) => {
                (*address, program.exprs.ty(*value).bytes(program.model))
            }
            Some(Statement::Copy { target, size, .. }) => (*target, *size),
            Some(Statement::Havoc { address, size, .. }) => (*address, *size),
            Some(Statement::Enter(object)) => {
                let start = self.run.layout.object(*object);
                return start < address + bytes && address < start + program.object(*object).size;
            }
            _ => return true,
        };
        let start = self.at(step).evaluate(target) as u64;
        start < address.saturating_add(bytes) && address < start.saturating_add(size)
    }

    /// The branch, or the call, without which a location would not have been passed.
    fn control(&mut self, state: u32, procedure: ProcId, location: LocId) {
        let activation = self.run.activation_at(state);
        let program = &*self.run.code.program;
        let dependences = self.dependences.entry(procedure).or_insert_with(|| {
            program
                .procedure(procedure)
                .body
                .as_ref()
                .map_or_else(Vec::new, control_dependences)
        });
        let on = dependences
            .get(location.index())
            .map_or(&[][..], Vec::as_slice);
        let found = self.branches.get(&activation).and_then(|branches| {
            let before = branches.partition_point(|b| b.0 < state);
            let mut behind = branches[..before].iter().rev().take(FURTHEST);
            behind.find(|b| on.contains(&b.1)).map(|b| b.0)
        });
        let step = found.or_else(|| {
            let start = self.run.activations().get(activation as usize)?.start;
            start.checked_sub(1)
        });
        if let Some(step) = step {
            self.want(step);
        }
    }
}

/// Whether an edge leads from a check that was woven in to its failure. Calls of `reach_error` and labels
/// are the program's own.
fn fails_check(body: &Body, edge: &Edge) -> bool {
    let error = body.error_at(edge.target);
    let woven = error.is_some_and(|e| e.property != "unreach-call");
    woven && matches!(edge.statement, Statement::Assume(_))
}

/// Whether an edge is a way out of a check that was woven in: its condition, or its failure.
pub(crate) fn is_check(body: &Body, edge: EdgeId) -> bool {
    let source = body.edge(edge).source;
    let mut ways = body.edges.iter().filter(|e| e.source == source);
    ways.any(|e| fails_check(body, e))
}

/// Per location, the branches that decide whether it is passed (Ferrante, Ottenstein and Warren,
/// 1987): from post-dominators, found by the iteration of Cooper, Harvey and Kennedy.
pub fn control_dependences(body: &Body) -> Vec<Vec<LocId>> {
    let count = body.locations.len();
    let end = count;
    let mut successors: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
    // Where a check of ours may fail, the program does not branch: what comes behind does not depend on
    // it but on what the program asked before.
    for edge in body.edges.iter().filter(|e| !fails_check(body, e)) {
        successors[edge.source.index()].push(edge.target.index());
    }
    for next in successors.iter_mut().take(count).filter(|s| s.is_empty()) {
        next.push(end);
    }
    let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
    for (from, next) in successors.iter().enumerate() {
        for &to in next {
            predecessors[to].push(from);
        }
    }
    // Post-order of the reversed graph from the end.
    let mut order = Vec::new();
    let mut rank = vec![usize::MAX; count + 1];
    let mut seen = vec![false; count + 1];
    let mut stack = vec![(end, 0)];
    seen[end] = true;
    while let Some((node, next)) = stack.last_mut() {
        match predecessors[*node].get(*next) {
            Some(&p) => {
                *next += 1;
                if !std::mem::replace(&mut seen[p], true) {
                    stack.push((p, 0));
                }
            }
            None => {
                rank[*node] = order.len();
                order.push(*node);
                stack.pop();
            }
        }
    }
    let mut above: Vec<Option<usize>> = vec![None; count + 1];
    above[end] = Some(end);
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().rev().filter(|&&n| n != end) {
            let mut new: Option<usize> = None;
            for &s in successors[node].iter().filter(|&&s| above[s].is_some()) {
                new = Some(match new {
                    None => s,
                    Some(mut a) => {
                        let mut b = s;
                        while a != b {
                            while rank[a] < rank[b] {
                                a = above[a].unwrap_or(end);
                            }
                            while rank[b] < rank[a] {
                                b = above[b].unwrap_or(end);
                            }
                        }
                        a
                    }
                });
            }
            if new.is_some() && above[node] != new {
                above[node] = new;
                changed = true;
            }
        }
    }
    let mut found = vec![Vec::new(); count];
    for branch in (0..count).filter(|&b| successors[b].len() > 1) {
        for &to in &successors[branch] {
            let mut at = to;
            while at != end && Some(at) != above[branch] {
                let list: &mut Vec<LocId> = &mut found[at];
                if !list.contains(&LocId::new(branch)) {
                    list.push(LocId::new(branch));
                }
                match above[at] {
                    Some(next) if next != at => at = next,
                    _ => break,
                }
            }
        }
    }
    found
}
