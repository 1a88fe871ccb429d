//! Who calls whom, and who recurses: strongly connected components by Tarjan's algorithm
//! (Depth-first search and linear graph algorithms, 1972), without recursion.

use crate::ids::ProcId;
use crate::program::{Callee, Program, Statement};

/// The direct calls of a program.
#[derive(Clone, Debug)]
pub struct CallGraph {
    /// Whom each procedure calls, each once, in the order of its edges.
    pub callees: Vec<Vec<ProcId>>,
    /// Procedures that call through pointers: what they call is not known here.
    pub calls_unknown: Vec<bool>,
    /// Strongly connected components, callees before callers.
    pub components: Vec<Vec<ProcId>>,
    /// Whether a procedure can call itself, directly or through others.
    pub recursive: Vec<bool>,
}

/// Builds the call graph.
pub fn call_graph(program: &Program) -> CallGraph {
    let count = program.procedures.len();
    let mut callees = vec![Vec::new(); count];
    let mut calls_unknown = vec![false; count];
    for (i, procedure) in program.procedures.iter().enumerate() {
        for edge in procedure.body.iter().flat_map(|b| &b.edges) {
            if let Statement::Call { callee, .. } = &edge.statement {
                match callee {
                    Callee::Direct(p) if callees[i].contains(p) => {}
                    Callee::Direct(p) => callees[i].push(*p),
                    Callee::Indirect(_) => calls_unknown[i] = true,
                }
            }
        }
    }
    let components = components(&callees);
    let mut recursive = vec![false; count];
    for component in &components {
        for &p in component {
            recursive[p.index()] = component.len() > 1 || callees[p.index()].contains(&p);
        }
    }
    CallGraph {
        callees,
        calls_unknown,
        components,
        recursive,
    }
}

impl CallGraph {
    /// The procedures that can run when `from` is called, `from` first, in the order found.
    pub fn reachable_from(&self, from: ProcId) -> Vec<ProcId> {
        let mut seen = vec![false; self.callees.len()];
        seen[from.index()] = true;
        let mut found = vec![from];
        let mut next = 0;
        while next < found.len() {
            for &callee in &self.callees[found[next].index()] {
                if !std::mem::replace(&mut seen[callee.index()], true) {
                    found.push(callee);
                }
            }
            next += 1;
        }
        found
    }
}

fn components(callees: &[Vec<ProcId>]) -> Vec<Vec<ProcId>> {
    const NEW: u32 = u32::MAX;
    let count = callees.len();
    let (mut order, mut low) = (vec![NEW; count], vec![0; count]);
    let mut on_stack = vec![false; count];
    let mut stack = Vec::new();
    let mut found = Vec::new();
    let mut clock = 0;
    for root in 0..count {
        if order[root] != NEW {
            continue;
        }
        // Each frame: a procedure, and how many of its callees were looked at.
        let mut frames = vec![(root, 0)];
        while let Some(frame) = frames.last_mut() {
            let v = frame.0;
            if frame.1 == 0 && order[v] == NEW {
                order[v] = clock;
                low[v] = clock;
                clock += 1;
                stack.push(v);
                on_stack[v] = true;
            }
            if let Some(w) = callees[v].get(frame.1).map(|w| w.index()) {
                frame.1 += 1;
                if order[w] == NEW {
                    frames.push((w, 0));
                } else if on_stack[w] {
                    low[v] = low[v].min(order[w]);
                }
                continue;
            }
            if low[v] == order[v] {
                let mut component = Vec::new();
                while let Some(w) = stack.pop() {
                    on_stack[w] = false;
                    component.push(ProcId::new(w));
                    if w == v {
                        break;
                    }
                }
                component.sort_unstable();
                found.push(component);
            }
            frames.pop();
            if let Some(&(parent, _)) = frames.last() {
                low[parent] = low[parent].min(low[v]);
            }
        }
    }
    found
}
