//! The states of a cutpoint, partitioned by a decision tree of predicates. Its leaves are regions.

use super::graph::RegionId;
use prova_logic::{Term, Terms};

enum Node {
    Leaf(RegionId),
    /// Children stand behind their parents.
    Split {
        predicate: Term,
        yes: usize,
        no: usize,
    },
}

/// Where a region stands that was cut out of the same states before another.
pub struct Beside {
    /// The region.
    pub region: RegionId,
    leaf: usize,
    outer: usize,
    inner: usize,
}

/// The tree of one cutpoint.
pub struct Tree(Vec<Node>);

impl Tree {
    /// One region holds all states.
    pub fn new(all: RegionId) -> Tree {
        Tree(vec![Node::Leaf(all)])
    }

    /// The regions.
    pub fn leaves(&self) -> impl Iterator<Item = RegionId> + '_ {
        self.0.iter().filter_map(|node| match node {
            Node::Leaf(id) => Some(*id),
            Node::Split { .. } => None,
        })
    }

    /// Whether there is more than one.
    pub fn is_split(&self) -> bool {
        self.0.len() > 1
    }

    /// The region that holds a state, by evaluating the predicates on the way down.
    pub fn locate(&self, mut holds: impl FnMut(Term) -> bool) -> RegionId {
        let mut at = 0;
        loop {
            match self.0[at] {
                Node::Leaf(id) => return id,
                Node::Split { predicate, yes, no } => at = if holds(predicate) { yes } else { no },
            }
        }
    }

    /// Splits a leaf, known by its position; gives the positions of the halves.
    pub fn split(
        &mut self,
        leaf: usize,
        predicate: Term,
        (yes, no): (RegionId, RegionId),
    ) -> (usize, usize) {
        let positions = (self.0.len(), self.0.len() + 1);
        self.0[leaf] = Node::Split {
            predicate,
            yes: positions.0,
            no: positions.1,
        };
        self.0.push(Node::Leaf(yes));
        self.0.push(Node::Leaf(no));
        positions
    }

    /// The region that was cut out of the same states just before these halves, if the halves are
    /// the youngest leaves: the tree says first whether a state is in it, and only then which half.
    pub fn beside(&self, (yes, no): (usize, usize)) -> Option<Beside> {
        if yes.max(no) + 1 != self.0.len() || yes.min(no) + 2 != self.0.len() {
            return None;
        }
        let parent = |f: &dyn Fn(usize, usize) -> bool| {
            let split = |n: &Node| matches!(*n, Node::Split { yes, no, .. } if f(yes, no));
            self.0.iter().position(split)
        };
        let inner = parent(&|y, n| (y, n) == (yes, no))?;
        let outer = parent(&|_, n| n == inner)?;
        let Node::Split { yes: leaf, .. } = self.0[outer] else {
            return None;
        };
        let Node::Leaf(region) = self.0[leaf] else {
            return None;
        };
        Some(Beside {
            region,
            leaf,
            outer,
            inner,
        })
    }

    /// Makes one region of the one beside the halves and the half where their predicate holds. The
    /// other half is `rest`. Gives the positions of both.
    pub fn join(
        &mut self,
        beside: &Beside,
        (joined, rest): (RegionId, RegionId),
        terms: &mut Terms,
    ) -> (usize, usize) {
        let Beside {
            leaf, outer, inner, ..
        } = *beside;
        let predicate = |at: usize| match self.0[at] {
            Node::Split { predicate, .. } => predicate,
            Node::Leaf(_) => unreachable!("both are splits"),
        };
        let predicate = terms.or2(predicate(outer), predicate(inner));
        self.0.truncate(self.0.len() - 2);
        self.0[outer] = Node::Split {
            predicate,
            yes: leaf,
            no: inner,
        };
        self.0[leaf] = Node::Leaf(joined);
        self.0[inner] = Node::Leaf(rest);
        (leaf, inner)
    }

    /// What holds in the chosen regions and in no other: a disjunction of conjunctions, as short as
    /// the tree makes it. No case is false, an empty one true.
    pub fn cases(&self, chosen: impl Fn(RegionId) -> bool, terms: &mut Terms) -> Vec<Vec<Term>> {
        let mut found: Vec<Vec<Vec<Term>>> = vec![Vec::new(); self.0.len()];
        let everything = vec![Vec::new()];
        for (i, node) in self.0.iter().enumerate().rev() {
            found[i] = match *node {
                Node::Leaf(id) if chosen(id) => everything.clone(),
                Node::Leaf(_) => Vec::new(),
                Node::Split { predicate, yes, no } => {
                    let mut inside = std::mem::take(&mut found[yes]);
                    let mut outside = std::mem::take(&mut found[no]);
                    let (all_inside, all_outside) = (inside == everything, outside == everything);
                    if all_inside && all_outside {
                        everything.clone()
                    } else {
                        // `p or (not p and q)` is `p or q`.
                        let negation = terms.not(predicate);
                        for case in inside.iter_mut().filter(|_| !all_outside) {
                            case.extend(terms.conjuncts(predicate));
                        }
                        for case in outside.iter_mut().filter(|_| !all_inside) {
                            case.extend(terms.conjuncts(negation));
                        }
                        inside.append(&mut outside);
                        inside
                    }
                }
            };
        }
        let mut all = found.swap_remove(0);
        for case in &mut all {
            case.sort_unstable();
            case.dedup();
        }
        all
    }
}
