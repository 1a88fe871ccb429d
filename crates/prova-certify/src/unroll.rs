//! Programs of which every run is followed to its end: no claims, but how many rounds loops take.
//!
//! All runs that stand at a place are one joined path. The place that comes first in the order of the
//! certificate is left next. Which order and how many rounds it says does not matter for what is
//! proved: each run is followed until it ends, is plainly impossible, or has taken more rounds than
//! there are said to be. That no run does that or gets to an error is one question in the end.

use crate::certificate::Context;
use crate::conditions::{Condition, Conditions, From};
use crate::machine::Machine;
use crate::path::Path;
use crate::Failure;
use prova_formula::{Sort, Term};
use prova_ir::{Edge, Expr, LocId, Statement, UnaryOp};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::iter::successors;

impl<'b> Conditions<'_, 'b> {
    /// The conditions of a context without claims.
    pub fn unroll(&mut self, context: &'b Context) -> Result<(), Failure> {
        let program = self.machine.program;
        let Some(body) = &program.procedure(context.procedure).body else { return Ok(()) };
        let outgoing = body.outgoing();
        let turns = |l: LocId| *context.order.get(&l).unwrap_or(&(usize::MAX, usize::MAX));
        self.machine.script.expect_large_questions();
        const BEGIN: &[Vec<Term>] = &[Vec::new()];
        let from = From { context, cases: BEGIN, step: None };
        let falsity = self.machine.script.boolean(false);
        let (mut bad, mut rounds) = (Vec::new(), FxHashMap::default());
        let mut waiting = BTreeMap::from([((0, body.entry), vec![self.machine.start()])]);
        while let Some(((_, at), paths)) = waiting.pop_first() {
            let path = self.machine.join(paths);
            let round = rounds.entry(at).or_insert(0);
            *round += 1;
            if body.is_error(at) || *round > 1 + context.rounds.get(&at).copied().unwrap_or(0) {
                bad.push(self.machine.script.junction("and", &path.assumed));
                continue;
            }
            let edges: Vec<&Edge> = outgoing[at.index()].iter().map(|&e| body.edge(e)).collect();
            let ways = self.machine.apart(path, &edges);
            for (edge, mut way) in edges.into_iter().zip(ways) {
                let goes_on = self.take(&from, &mut way, &edge.statement)?;
                if !goes_on || way.assumed.contains(&falsity) {
                    continue;
                }
                let (first, back) = turns(edge.target);
                let turn = match (first, edge.target) <= (turns(at).0, at) {
                    true => back,
                    false => rounds.remove(&edge.target).map_or(first, |_| first),
                };
                waiting.entry((turn, edge.target)).or_default().push(way);
            }
        }
        self.count += 1;
        let bad = self.machine.script.junction("or", &bad);
        let step = "an error, or a loop that goes further".to_string();
        let asked = self.machine.script.refutation(&[bad], &[]);
        self.found.extend(asked.map(|assertions| Condition { assertions, step }));
        Ok(())
    }
}

impl Machine<'_> {
    /// A path for each edge: where they are not opposites, an arbitrary choice says which is taken.
    fn apart(&mut self, mut path: Path, edges: &[&Edge]) -> Vec<Path> {
        let exprs = &self.program.exprs;
        let negates = |a, b| exprs.get(a) == Expr::Unary { op: UnaryOp::Not, arg: b };
        let plain = match edges.iter().map(|e| &e.statement).collect::<Vec<_>>()[..] {
            [] | [_] => true,
            [&Statement::Assume(a), &Statement::Assume(b)] => negates(a, b) || negates(b, a),
            _ => false,
        };
        if plain {
            return vec![path; edges.len()];
        }
        let mut ways = Vec::new();
        for _ in 1..edges.len() {
            let choice = path.arbitrary(self, Sort::Bool, false);
            let mut way = path.clone();
            way.assume(choice);
            ways.push(way);
            path.assume(self.script.not(choice));
        }
        ways.push(path);
        ways
    }

    /// One path for several of which no run takes two. Those that parted last are joined first.
    fn join(&mut self, mut paths: Vec<Path>) -> Path {
        let shared = |a: &Path, b: &Path| {
            a.assumed.iter().zip(&b.assumed).take_while(|(x, y)| x == y).count()
        };
        while paths.len() > 1 {
            let pairs = (1..paths.len()).map(|j| (shared(&paths[j - 1], &paths[j]), j));
            let (common, j) = pairs.max().unwrap_or((0, 1));
            let (second, first) = (paths.remove(j), &mut paths[j - 1]);
            let parts = [&first.assumed[common..], &second.assumed[common..]];
            let [one, other] = parts.map(|p| self.script.junction("and", p));
            let short = first.assumed.len() <= second.assumed.len();
            let is_first = if short { one } else { self.script.not(other) };
            for (a, &b) in first.state.iter_mut().zip(&second.state) {
                *a = self.either(is_first, *a, b);
            }
            first.assumed.truncate(common);
            if self.script.not(one) != other && self.script.not(other) != one {
                first.assume(self.script.junction("or", &[one, other]));
            }
            first.taken = first.taken.max(second.taken);
        }
        paths.remove(0)
    }

    /// One value or another. Of memories that have parted, what was written to each is written to
    /// what both were before, where a run is the one that wrote it.
    fn either(&mut self, is_first: Term, a: Term, b: Term) -> Term {
        if a == b {
            return a;
        }
        let below = |m: &Term| match self.script.view(*m) {
            ("store", parts) => parts.first().copied(),
            _ => None,
        };
        let [ours, theirs] = [a, b].map(|m| successors(Some(m), below).collect::<Vec<Term>>());
        let known = FxHashSet::from_iter(&ours);
        let Some(&common) = theirs.iter().find(|m| known.contains(m)) else {
            return self.script.apply("ite", &[is_first, a, b]);
        };
        let mut memory = common;
        for (chain, is_ours) in [(ours, true), (theirs, false)] {
            let newer = chain.iter().position(|&m| m == common).unwrap_or(0);
            for &written in chain[..newer].iter().rev() {
                let &[_, at, value] = self.script.view(written).1 else { continue };
                let held = self.script.apply("select", &[memory, at]);
                let (yes, no) = if is_ours { (value, held) } else { (held, value) };
                let value = self.script.apply("ite", &[is_first, yes, no]);
                memory = self.script.apply("store", &[memory, at, value]);
            }
        }
        memory
    }
}
