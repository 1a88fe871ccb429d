//! Regions that no test has visited, joined.
//!
//! A place with n ways to trouble is cut n times, once for each way, and every place before it is
//! cut once for each of the n regions that came of it: n² cuts for n checks in a row. But regions
//! that were cut out of one another, and in which no test has been, differ in nothing that the
//! search has asked for. So they are made one, known by the disjunction of what cut them out, and
//! the next place is asked about all ways at once.
//!
//! What would be unsound: to forget an edge of one of the two, or to claim a fact that holds in one
//! of them only. The joined region has the edges of both and the facts that both have.

use super::graph::{same_way, sorted, Edge, Halves, Region, RegionId, Regions};
use prova_logic::{Op, Term, Terms};

impl Regions {
    /// After a split: joins the half where `cut_out` holds with the region that was cut out of the
    /// same states before, if no test has been in either, the solver gave up on no step into or out
    /// of them, and no call leads through them. Gives the region that stands for both.
    pub fn join(
        &mut self,
        halves: Halves,
        cut_out: &[Term],
        terms: &mut Terms,
    ) -> Option<RegionId> {
        let younger = self.region(halves.yes);
        let (graph, cutpoint) = (younger.graph.index(), younger.cutpoint.index());
        let tree = &self.graphs[graph].trees[cutpoint];
        let beside = tree.beside((younger.leaf, self.region(halves.no).leaf))?;
        let pair = [beside.region, halves.yes];
        if pair
            .iter()
            .any(|&r| self.is_visited(r) || self.stays_apart(r, pair))
        {
            return None;
        }

        let joined = RegionId(self.regions.len() as u32);
        let region = self.joined(pair, cut_out, terms);
        let mut changed = region.incoming.clone();
        self.regions.push(region);
        self.alive -= 1;
        let tree = &mut self.graphs[graph].trees[cutpoint];
        let (at, rest) = tree.join(&beside, (joined, halves.no), terms);
        self.regions[joined.index()].leaf = at;
        self.regions[halves.no.index()].leaf = rest;
        for old in pair {
            self.redirect(old, joined);
        }
        changed.push(joined);
        self.repair(changed);
        Some(joined)
    }

    /// The region for both, with the edges out of both.
    fn joined(&self, pair: [RegionId; 2], cut_out: &[Term], terms: &mut Terms) -> Region {
        let [a, b] = pair.map(|r| self.region(r));
        let shared = |of: &dyn Fn(&Region) -> &[Term]| -> Vec<Term> {
            let both = of(a).iter().filter(|f| of(b).binary_search(f).is_ok());
            both.copied().collect()
        };
        let mut facts = shared(&|r| &r.facts);
        let mut holds = shared(&|r| &r.holds);
        let only = |these: &[Term]| -> Vec<Term> {
            let own = these.iter().copied();
            own.filter(|f| facts.binary_search(f).is_err()).collect()
        };
        let first = terms.and(&only(&a.facts));
        // `p or (not p and q)` is `p or q`.
        let otherwise = terms.not(first);
        let mut second = only(cut_out);
        second.retain(|&f| f != otherwise);
        let second = terms.and(&second);
        let either = terms.or2(first, second);
        let mut cube = Vec::new();
        if terms.op(either) != Op::True {
            facts.push(either);
            holds.push(either);
            cube.push(either);
        }
        let mut outgoing: Vec<Edge> = a.outgoing.clone();
        let new = |e: &&Edge| !a.outgoing.iter().any(|other| same_way(e, other));
        outgoing.extend(b.outgoing.iter().filter(new));
        let mut incoming = [&a.incoming[..], &b.incoming].concat();
        incoming.sort_unstable();
        incoming.dedup();
        Region {
            facts: sorted(facts),
            holds: sorted(holds),
            cube,
            outgoing,
            incoming,
            distance: a.distance.min(b.distance),
            alive: true,
            ..a.emptied()
        }
    }

    /// Lets the edges of a region that is no more end at another, which has them already.
    fn redirect(&mut self, old: RegionId, new: RegionId) {
        let region = &mut self.regions[old.index()];
        region.alive = false;
        let gone = std::mem::replace(region, region.emptied());
        for edge in gone.outgoing {
            let back = &mut self.regions[edge.target.index()].incoming;
            if !back.contains(&new) {
                back.push(new);
            }
        }
        for source in gone.incoming {
            let edges = std::mem::take(&mut self.regions[source.index()].outgoing);
            let mut kept: Vec<Edge> = Vec::with_capacity(edges.len());
            for mut edge in edges {
                if edge.target == old {
                    edge.target = new;
                }
                if !kept.iter().any(|k| same_way(k, &edge)) {
                    kept.push(edge);
                }
            }
            self.regions[source.index()].outgoing = kept;
        }
    }

    /// Whether the solver gave up on a step into or out of the region, one stays in the pair, or a
    /// call leads through it.
    fn stays_apart(&self, id: RegionId, pair: [RegionId; 2]) -> bool {
        let region = self.region(id);
        let odd = |e: &Edge| e.undecided || e.entry.is_some();
        let into = region.incoming.iter().any(|&source| {
            let mut edges = self.region(source).outgoing.iter();
            pair.contains(&source) || edges.any(|e| e.target == id && odd(e))
        });
        into || !region.links.is_empty() || region.outgoing.iter().any(odd)
    }
}
