//! What pointers may lead to, object by object: who may be reached from a parameter, and where in
//! an object the pointers lie that lead on.

use super::graph::{NodeId, Offset, Target};
use super::solve::Solver;
use prova_ir::{ExprId, ObjectId, ProcId, Program, RegId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Memory that the analysis does not tell apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place(u32);

impl Place {
    /// Its position among all of them.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A range of bytes of an object that may hold pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// Where it starts.
    pub offset: u64,
    /// Its size.
    pub size: u64,
    /// What the pointers lead to.
    pub to: Place,
}

/// What lies in a place.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// Objects with a name.
    pub objects: Vec<ObjectId>,
    /// Allocations: procedure, and the position of the edge in it.
    pub blocks: Vec<(ProcId, usize)>,
    /// Whether objects that nobody declared may lie there.
    pub unknown: bool,
    /// Functions.
    pub functions: Vec<ProcId>,
    /// Where pointers may lie, by offset in the place, with their size.
    fields: Vec<(i64, u64, Place)>,
    modulus: u64,
    collapsed: bool,
}

/// What pointers of a program may lead to.
#[derive(Clone, Debug)]
pub struct Reach {
    places: Vec<Contents>,
    registers: Vec<Option<Place>>,
    expressions: Vec<Option<Place>>,
    objects: Vec<(Place, i64)>,
    blocks: FxHashMap<(ProcId, usize), (Place, i64)>,
}

impl Reach {
    /// Analyses a program.
    pub fn new(program: &Program) -> Reach {
        let mut solver = Solver::solve_whole(program);
        let mut numbers: FxHashMap<NodeId, Place> = FxHashMap::default();
        let mut roots = Vec::new();
        for id in (0..solver.graph.len() as u32).map(NodeId) {
            if solver.graph.is_root(id) {
                numbers.insert(id, Place(roots.len() as u32));
                roots.push(id);
            }
        }
        let at = |solver: &mut Solver, target: Target| {
            let target = solver.graph.resolve(target);
            let offset = match target.offset {
                Offset::Known(offset) => offset,
                Offset::Unknown => 0,
            };
            (numbers[&target.node], offset)
        };
        let mut places = Vec::with_capacity(roots.len());
        for &root in &roots {
            let node = solver.graph.node(root);
            let mut place = Contents {
                unknown: node.unknown,
                functions: node.functions.clone(),
                modulus: node.modulus,
                collapsed: node.collapsed,
                ..Contents::default()
            };
            let held: Vec<(i64, u64, Target)> = node
                .fields
                .iter()
                .filter_map(|(&offset, f)| Some((offset, f.size, f.content?)))
                .collect();
            for (offset, size, content) in held {
                let to = at(&mut solver, content).0;
                place.fields.push((offset, size, to));
            }
            places.push(place);
        }
        let mut objects = Vec::new();
        for (i, node) in solver.objects.clone().into_iter().enumerate() {
            let (place, offset) = at(&mut solver, Target::start(node));
            places[place.index()].objects.push(ObjectId::new(i));
            objects.push((place, offset));
        }
        let mut sites: Vec<((ProcId, usize), NodeId)> =
            solver.blocks.iter().map(|(&k, &n)| (k, n)).collect();
        sites.sort_unstable_by_key(|s| s.0);
        let mut blocks = FxHashMap::default();
        for (site, node) in sites {
            let (place, offset) = at(&mut solver, Target::start(node));
            places[place.index()].blocks.push(site);
            blocks.insert(site, (place, offset));
        }
        let mut registers = Vec::new();
        for target in solver.registers.clone() {
            registers.push(target.map(|t| at(&mut solver, t).0));
        }
        let mut expressions = Vec::new();
        for target in solver.exprs.clone() {
            expressions.push(target.map(|t| at(&mut solver, t).0));
        }
        Reach {
            places,
            registers,
            expressions,
            objects,
            blocks,
        }
    }

    /// Where a register's pointers lead; `None` if nothing flows into it.
    pub fn of_register(&self, register: RegId) -> Option<Place> {
        self.registers[register.index()]
    }

    /// Where the value of an expression leads, if it is an address or carries one, be it as an
    /// integer; `None` if it does not, or if no statement evaluates it.
    pub fn of_expression(&self, e: ExprId) -> Option<Place> {
        *self.expressions.get(e.index())?
    }

    /// All places.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        (0..self.places.len() as u32).map(Place)
    }

    /// Where an object lies.
    pub fn of_object(&self, object: ObjectId) -> Place {
        self.objects[object.index()].0
    }

    /// What lies in a place.
    pub fn contents(&self, place: Place) -> &Contents {
        &self.places[place.index()]
    }

    /// Where pointers held in a place lead.
    pub fn onward(&self, place: Place) -> impl Iterator<Item = Place> + '_ {
        self.contents(place).fields.iter().map(|f| f.2)
    }

    /// The places that pointers lead to from some places, in any number of steps, with these.
    pub fn closure(&self, starts: impl IntoIterator<Item = Place>) -> BTreeSet<Place> {
        let mut open: Vec<Place> = starts.into_iter().collect();
        let mut found = BTreeSet::new();
        while let Some(place) = open.pop() {
            if found.insert(place) {
                open.extend(self.onward(place));
            }
        }
        found
    }

    /// Where the pointers of an object lie, by increasing offset; `None` if there are more than
    /// `limit`.
    pub fn held_by_object(&self, object: ObjectId, size: u64, limit: usize) -> Option<Vec<Held>> {
        self.held(self.objects[object.index()], size, limit)
    }

    /// The same for a block.
    pub fn held_by_block(
        &self,
        site: (ProcId, usize),
        size: u64,
        limit: usize,
    ) -> Option<Vec<Held>> {
        self.held(*self.blocks.get(&site)?, size, limit)
    }

    fn held(&self, (place, start): (Place, i64), size: u64, limit: usize) -> Option<Vec<Held>> {
        let contents = self.contents(place);
        let mut found = Vec::new();
        let mut add = |offset: i128, length: u64, to: Place| {
            let (low, high) = (
                offset.max(0),
                (offset + i128::from(length)).min(i128::from(size)),
            );
            if low < high {
                found.push(Held {
                    offset: low as u64,
                    size: (high - low) as u64,
                    to,
                });
            }
            found.len() <= limit
        };
        for &(offset, length, to) in &contents.fields {
            let fits = if contents.collapsed {
                add(0, size, to)
            } else if contents.modulus == 0 {
                add(i128::from(offset) - i128::from(start), length, to)
            } else {
                let period = i128::from(contents.modulus);
                let mut at = (i128::from(offset) - i128::from(start)).rem_euclid(period) - period;
                let mut fits = true;
                while fits && at < i128::from(size) {
                    fits = add(at, length, to);
                    at += period;
                }
                fits
            };
            if !fits {
                return None;
            }
        }
        found.sort_by_key(|h| h.offset);
        Some(found)
    }
}
