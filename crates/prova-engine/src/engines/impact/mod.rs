//! IMPACT: an unwinding of the program whose labels come from interpolants and nothing else
//! (McMillan, *Lazy Abstraction with Interpolants*, CAV 2006).
//!
//! The program is unwound into a tree. Nodes begin with the label *true*. A path that gets to an
//! error is refuted or run; where it is refuted, interpolants make the labels along it stronger. A
//! node whose label implies that of an older one at the same place is covered by it and need not be
//! unwound; where the older one's label grows, it may be uncovered again. When every leaf is covered
//! or dead the labels are an invariant. No abstract post is ever computed.
//!
//! *Forced covering* (section 4.2 of the paper): a node that might be covered is made to be, if the
//! label of the older one follows on the path from where the two part.
//!
//! | file | what it holds |
//! |---|---|
//! | [`tree`] | nodes, labels, covering |
//! | this | the search |

pub mod tree;

use crate::engine::{Engine, Progress, Quota, Search, Turn};
use crate::interpolation::along::{Backward, Forward};
use crate::interpolation::formula::{judge, Judged};
use crate::interpolation::language::SmallLanguage;
use crate::interpolation::suspect::{Examined, Examiner};
use crate::interpolation::{leads, Question};
use crate::problem::blocks::{BlockId, Cutpoint};
use crate::problem::names::Names;
use crate::problem::{Problem, Steps};
use crate::proof::conclude::{proved, violated};
use crate::proof::inductive::{without_larger, Inductive};
use crate::reach::flow::Flow;
use prova_logic::{Answer, SolverConfig, Term, Terms};
use prova_task::{Statistics, Unknown};
use rustc_hash::FxHashMap;
use tree::{NodeId, Tree};

/// Older nodes that a node is forced under at most, before it is unwound.
const FORCED: usize = 2;
/// Questions after which the solver begins anew.
const SOLVER_LIFE: u64 = 256;

/// The engine and its parameters.
#[derive(Clone, Debug)]
pub struct Impact {
    /// Its solver.
    pub solver: SolverConfig,
    /// Whether nodes are made to be covered.
    pub forced_covering: bool,
}

impl Default for Impact {
    fn default() -> Self {
        Impact {
            solver: SolverConfig::default(),
            forced_covering: true,
        }
    }
}

impl Engine for Impact {
    fn name(&self) -> &'static str {
        "impact"
    }

    fn begin<'p>(
        &self,
        problem: &'p Problem,
        terms: &mut Terms,
    ) -> Result<Box<dyn Search<'p> + 'p>, Unknown> {
        let steps = problem.steps(terms)?;
        Ok(Box::new(ImpactSearch {
            engine: self.clone(),
            problem,
            steps,
            flow: Flow::new(&steps.blocks),
            examiner: Examiner::new(problem, steps, &self.solver)?,
            tree: Tree::new(steps.blocks.locations.len(), terms.fals()),
            next: vec![NodeId::ROOT],
            implied: FxHashMap::default(),
            expansions: 0,
            statistics: Statistics {
                locations: problem.locations(),
                ..Statistics::default()
            },
        }))
    }
}

/// A search, between its turns.
struct ImpactSearch<'p> {
    engine: Impact,
    problem: &'p Problem,
    steps: &'p Steps,
    flow: Flow,
    examiner: Examiner<'p>,
    tree: Tree,
    /// Nodes to be looked at next, the last first; others may be open, too.
    next: Vec<NodeId>,
    /// Whether a label implies another, as far as was asked.
    implied: FxHashMap<(Vec<Term>, Vec<Term>), bool>,
    expansions: u64,
    statistics: Statistics,
}

impl<'p> Search<'p> for ImpactSearch<'p> {
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        turn.known.begin(turn.budget);
        self.statistics.tests = turn.known.forest.count().into();
        if let Some(verdict) = violated(&turn.known.forest) {
            return verdict;
        }
        self.examiner.limit(turn.budget);
        let Quota { steps, .. } = turn.quota;
        let last = self.expansions.saturating_add(steps);
        let rounds = turn.quota.iterations_over(self.statistics.locations);
        let last_round = self.statistics.iterations.saturating_add(rounds);
        loop {
            if let Some(stop) = turn.budget.poll() {
                return Progress::Exhausted(Unknown::Stopped(stop));
            }
            if self.expansions >= last || self.statistics.iterations >= last_round {
                return Progress::Working;
            }
            let Some(node) = self.next.pop().or_else(|| self.tree.open()) else {
                return self.conclude(turn);
            };
            if self.tree.get(node).expanded || self.tree.is_settled(node) {
                continue;
            }
            if self.close(turn.terms, node) || self.force(turn, node) {
                continue;
            }
            if let Some(progress) = self.expand(turn, node) {
                return progress;
            }
            self.statistics.regions = self.tree.count() as u64;
            turn.observer.progress(&self.statistics);
        }
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

impl<'p> ImpactSearch<'p> {
    /// Takes the steps of a node. Paths to errors are refuted one by one.
    fn expand(&mut self, turn: &mut Turn<'_, 'p>, node: NodeId) -> Option<Progress> {
        let cutpoint = self.tree.get(node).cutpoint;
        let mut behind = Vec::new();
        for block in self.flow.outgoing[cutpoint.index()].clone() {
            self.expansions += 1;
            let target = self.flow.target(block);
            if self.excluded(turn.terms, node, block) {
                continue;
            }
            if !self.flow.is_error(target) {
                behind.push((block, target));
                continue;
            }
            if let Some(progress) = self.refine(turn, node, block) {
                return Some(progress);
            }
            if self.tree.is_settled(node) {
                return None;
            }
        }
        self.tree.expanded(node);
        for (block, target) in behind {
            let mut label: Vec<Term> = facts(turn, target);
            label.sort_unstable();
            let child = self.tree.add((node, block), target, label);
            self.next.push(child);
        }
        None
    }

    /// Whether the label of a node excludes a block.
    fn excluded(&mut self, terms: &mut Terms, node: NodeId, block: BlockId) -> bool {
        let label = &self.tree.get(node).label;
        let guard = self.steps.transitions.guard(block);
        let no = terms.fals();
        if guard.contains(&no) {
            return true;
        }
        let spoken = terms.free_vars_of(guard);
        if !terms.free_vars_of(label).iter().any(|v| spoken.contains(v)) {
            return false;
        }
        self.statistics.count("step_questions", 1);
        let mut desk = self.examiner.desk(terms);
        leads(&mut desk, label, block, &[no])
    }

    /// A path to an error: runs it, or makes the labels along it exclude it.
    fn refine(
        &mut self,
        turn: &mut Turn<'_, 'p>,
        node: NodeId,
        block: BlockId,
    ) -> Option<Progress> {
        self.statistics.iterations += 1;
        let mut path = self.tree.path(NodeId::ROOT, node);
        path.push(block);
        let core = match self.examiner.examine(turn, &path, &mut self.statistics) {
            Examined::Ended(progress) => return Some(progress),
            Examined::Impossible(core) => core,
        };
        let question = Question::impossible(turn.terms, &path);
        let sequence = self.examiner.interpolate(
            turn.terms,
            &question,
            &core,
            &mut [&mut SmallLanguage, &mut Backward, &mut Forward::default()],
        );
        let Some(sequence) = sequence else {
            return Some(Progress::Exhausted(match turn.budget.poll() {
                Some(stop) => Unknown::Stopped(stop),
                None => Unknown::Undecided {
                    edges: 1,
                    reason: "a path cannot be run, but nothing was found that holds along it"
                        .into(),
                    span: None,
                },
            }));
        };
        self.explain(turn, &path, &sequence);
        let lineage = self.tree.lineage(node);
        self.strengthen(turn.terms, &lineage, &sequence);
        // The first that is covered leaves all behind it to others.
        for &node in &lineage {
            if self.close(turn.terms, node) {
                break;
            }
        }
        None
    }

    /// Adds a sequence to the labels along nodes. Nodes that lose their cover are looked at again.
    fn strengthen(&mut self, terms: &mut Terms, nodes: &[NodeId], sequence: &[Vec<Term>]) {
        for (&node, facts) in nodes.iter().zip(sequence) {
            let Some(covered) = self.tree.strengthen(node, facts) else {
                continue;
            };
            self.statistics.splits += 1;
            for covered in covered {
                if self.tree.is_settled(covered) {
                    continue;
                }
                if !self.tree.is_settled(node) && self.implies(terms, covered, node) {
                    self.tree.cover(covered, node);
                } else {
                    self.next.push(covered);
                }
            }
        }
    }

    /// Covers a node by an older one, if one will do.
    fn close(&mut self, terms: &mut Terms, node: NodeId) -> bool {
        if self.tree.is_settled(node) {
            return true;
        }
        for older in self.older(node) {
            if self.implies(terms, node, older) {
                self.tree.cover(node, older);
                return true;
            }
        }
        false
    }

    /// Older nodes at the same place, the newest first. Places with one way in are passed over:
    /// whatever comes that way could be covered before.
    fn older(&self, node: NodeId) -> Vec<NodeId> {
        let cutpoint = self.tree.get(node).cutpoint;
        if self.flow.incoming[cutpoint.index()].len() < 2 {
            return Vec::new();
        }
        let here = self.tree.at(cutpoint).iter().rev();
        let older = here.filter(|&&n| n < node && !self.tree.is_settled(n));
        older.copied().collect()
    }

    /// Makes an older node cover one, if its label holds at the end of the path from where the two
    /// part.
    fn force(&mut self, turn: &mut Turn<'_, 'p>, node: NodeId) -> bool {
        if !self.engine.forced_covering {
            return false;
        }
        for older in self.older(node).into_iter().take(FORCED) {
            let fork = self.tree.fork(node, older);
            let path = self.tree.path(fork, node);
            let before = self.tree.get(fork).label.clone();
            let label = self.tree.get(older).label.clone();
            let question = Question {
                path: &path,
                before: &before,
                after: turn.terms.and(&label),
            };
            self.statistics.count("forced_questions", 1);
            let mut desk = self.examiner.desk(turn.terms);
            let Judged::Impossible(core) = judge(&mut desk, &question, None) else {
                continue;
            };
            let ways = &mut [&mut Backward as &mut dyn crate::interpolation::Interpolate];
            let sequence = self
                .examiner
                .interpolate(turn.terms, &question, &core, ways);
            let Some(sequence) = sequence else {
                continue;
            };
            let lineage = self.tree.lineage(node);
            let from = lineage.iter().position(|&n| n == fork).unwrap_or(0);
            self.strengthen(turn.terms, &lineage[from + 1..], &sequence[1..]);
            // On the way the older one may have been covered, or may have grown.
            if self.close(turn.terms, node) {
                self.statistics.count("forced_covers", 1);
                return true;
            }
        }
        false
    }

    /// Whether the label of one node implies that of another.
    fn implies(&mut self, terms: &mut Terms, node: NodeId, other: NodeId) -> bool {
        let (from, to) = (&self.tree.get(node).label, &self.tree.get(other).label);
        let open: Vec<Term> = to.iter().copied().filter(|t| !from.contains(t)).collect();
        if open.is_empty() {
            return true;
        }
        if from.is_empty() {
            return false;
        }
        let key = (from.clone(), open);
        if let Some(&known) = self.implied.get(&key) {
            return known;
        }
        let all = terms.and(&key.1);
        let mut asserted = key.0.clone();
        asserted.push(terms.not(all));
        let axioms = self.problem.encoding.axioms(terms, &asserted);
        asserted.extend(axioms);
        self.statistics.count("cover_questions", 1);
        let solver = &mut *self.examiner.solver;
        if (self.implied.len() as u64 + 1).is_multiple_of(SOLVER_LIFE) {
            solver.reset();
        }
        solver.push();
        for &t in &asserted {
            solver.assert(terms, t);
        }
        let implied = solver.check(terms, &[]) == Answer::Unsat;
        solver.pop(1);
        self.implied.insert(key, implied);
        implied
    }

    fn conclude(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        let mut cases = vec![Vec::new(); self.steps.blocks.locations.len()];
        for id in self.tree.standing() {
            let node = self.tree.get(id);
            let mut case = node.label.clone();
            case.extend(facts(turn, node.cutpoint));
            case.sort_unstable();
            case.dedup();
            cases[node.cutpoint.index()].push(case);
        }
        let cases = cases.into_iter().map(without_larger).collect();
        let mut claim = Inductive::new(self.problem, self.steps, cases);
        self.statistics.solver_time += self.examiner.solver.statistics().time;
        proved(
            self.problem,
            &self.engine.solver,
            turn,
            &mut claim,
            &mut self.statistics,
        )
    }

    fn explain(&self, turn: &mut Turn, path: &[BlockId], sequence: &[Vec<Term>]) {
        if !turn.observer.explains() {
            return;
        }
        turn.observer.explain(&format!(
            "{:>5}  {} nodes; a path of {} blocks cannot be run:",
            self.statistics.iterations,
            self.tree.count(),
            path.len(),
        ));
        let lines: Vec<String> = {
            let names = Names {
                prepared: &self.problem.prepared,
                terms: turn.terms,
            };
            let said = path.iter().zip(sequence).filter(|s| !s.1.is_empty());
            said.map(|(&block, facts)| {
                let at = self.flow.source(block).0;
                format!("       at {at}: {}", names.facts(facts))
            })
            .collect()
        };
        for line in lines {
            turn.observer.explain(&line);
        }
    }
}

/// What holds at a cutpoint in all runs.
fn facts(turn: &Turn, cutpoint: Cutpoint) -> Vec<Term> {
    let known = turn.known.facts(cutpoint);
    known.iter().map(|f| f.term).collect()
}
