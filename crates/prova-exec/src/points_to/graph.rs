//! Equivalence classes of objects, with fields by byte offset.
//!
//! A union-find whose links carry a displacement: byte `x` of a node is byte `x + delta` of its
//! parent. A node that is unified with itself at a displacement is *folded*: its offsets count
//! modulo the displacement, as the elements of an array do. A node whose accesses fit no grid
//! is *collapsed*: one field, made of bytes, that stands for all of it.

use prova_ir::{ObjectId, ProcId, RegId, Type};
use std::collections::BTreeMap;

/// A node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct NodeId(pub(super) u32);

impl NodeId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where in a node a pointer points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Offset {
    Known(i64),
    Unknown,
}

/// What a pointer points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Target {
    pub(super) node: NodeId,
    pub(super) offset: Offset,
}

impl Target {
    pub(super) fn start(node: NodeId) -> Target {
        Target {
            node,
            offset: Offset::Known(0),
        }
    }

    /// The same node, nothing known about where.
    pub(super) fn anywhere(self) -> Target {
        Target {
            node: self.node,
            offset: Offset::Unknown,
        }
    }

    pub(super) fn shift(self, by: i64) -> Target {
        let offset = match self.offset {
            Offset::Known(o) => o.checked_add(by).map_or(Offset::Unknown, Offset::Known),
            Offset::Unknown => Offset::Unknown,
        };
        Target { offset, ..self }
    }
}

/// The scalar kinds (size and whether it is a pointer) a field was accessed with, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Kinds(pub(super) u64);

impl Kinds {
    /// One kind. Scalars have at most 16 bytes.
    pub(super) fn of(size: u64, pointer: bool) -> Kinds {
        Kinds(1 << (size.min(31) * 2 + u64::from(pointer)))
    }

    pub(super) fn contains(self, other: Kinds) -> bool {
        self.0 & other.0 == other.0
    }

    /// The kinds one by one: index, and size in bytes.
    pub(super) fn iter(self) -> impl Iterator<Item = (usize, u64)> {
        (0..64)
            .filter(move |i| self.0 >> i & 1 == 1)
            .map(|i| (i as usize, i / 2))
    }
}

/// A range of bytes that is accessed as one cell, or (`bytes`) as bytes.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) size: u64,
    pub(super) bytes: bool,
    pub(super) kinds: Kinds,
    /// The type of all accesses, while they agree.
    pub(super) ty: Option<Type>,
    /// What pointers (or parts of pointers) held here point to.
    pub(super) content: Option<Target>,
}

/// What a node was first made for; names its classes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Label {
    Object(ObjectId),
    /// An allocation, by its number.
    Block(u32),
    Function(ProcId),
    Register(RegId),
    None,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    parent: NodeId,
    delta: i64,
    pub(super) fields: BTreeMap<i64, Field>,
    /// Offsets count modulo this; zero for a node that is not folded.
    pub(super) modulus: u64,
    pub(super) collapsed: bool,
    /// May lie in the unknown zone, or be reached through pointers held there.
    pub(super) unknown: bool,
    /// May be an object of the program or a block it allocated.
    pub(super) own: bool,
    /// Holds arbitrary pointers from the start.
    pub(super) arbitrary: bool,
    /// May be an object that is not static: its contents are arbitrary at first.
    pub(super) unset: bool,
    pub(super) functions: Vec<ProcId>,
    pub(super) label: Label,
}

/// All nodes.
#[derive(Default, Debug)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    pending: Vec<(Target, Target)>,
    /// Counts everything that changed, so that a pass can see whether it did anything.
    pub(super) changes: u64,
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Graph {
    pub(super) fn fresh(&mut self, label: Label) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node {
            parent: id,
            delta: 0,
            fields: BTreeMap::new(),
            modulus: 0,
            collapsed: false,
            unknown: false,
            own: false,
            arbitrary: false,
            unset: false,
            functions: Vec::new(),
            label,
        });
        self.changes += 1;
        id
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, root: NodeId) -> &Node {
        &self.nodes[root.index()]
    }

    pub(super) fn is_root(&self, id: NodeId) -> bool {
        self.nodes[id.index()].parent == id
    }

    /// The representative of a node and where the node's first byte lies in it.
    fn find(&mut self, id: NodeId) -> (NodeId, i64) {
        let mut path = Vec::new();
        let mut at = id;
        while self.nodes[at.index()].parent != at {
            path.push(at);
            at = self.nodes[at.index()].parent;
        }
        let mut delta = 0i64;
        for &step in path.iter().rev() {
            let node = &mut self.nodes[step.index()];
            delta = delta.wrapping_add(node.delta);
            node.parent = at;
            node.delta = delta;
        }
        (at, delta)
    }

    pub(super) fn root(&mut self, id: NodeId) -> NodeId {
        self.find(id).0
    }

    /// The target in terms of the representative, the offset normalised.
    pub(super) fn resolve(&mut self, target: Target) -> Target {
        let (root, delta) = self.find(target.node);
        let node = &self.nodes[root.index()];
        let offset = match target.offset {
            _ if node.collapsed => Offset::Known(0),
            Offset::Known(o) => match o.checked_add(delta) {
                Some(o) if node.modulus > 0 => Offset::Known(o.rem_euclid(node.modulus as i64)),
                Some(o) => Offset::Known(o),
                None => Offset::Unknown,
            },
            Offset::Unknown => Offset::Unknown,
        };
        Target { node: root, offset }
    }

    /// Sets flags of a node.
    pub(super) fn update(&mut self, id: NodeId, change: impl Fn(&mut Node)) {
        let root = self.root(id);
        let node = &mut self.nodes[root.index()];
        let before = (node.unknown, node.own, node.arbitrary, node.functions.len());
        change(node);
        if before != (node.unknown, node.own, node.arbitrary, node.functions.len()) {
            self.changes += 1;
        }
    }

    /// Makes both the same place.
    pub(super) fn unify(&mut self, a: Target, b: Target) {
        self.pending.push((a, b));
        self.drain();
    }

    fn drain(&mut self) {
        while let Some((a, b)) = self.pending.pop() {
            let (a, b) = (self.resolve(a), self.resolve(b));
            match (a.offset, b.offset) {
                (Offset::Known(x), Offset::Known(y)) if a.node == b.node => {
                    if x != y {
                        self.fold_root(a.node, x.abs_diff(y));
                    }
                }
                _ if a.node == b.node => {}
                (Offset::Known(x), Offset::Known(y)) => match x.checked_sub(y) {
                    Some(shift) => self.merge(a.node, b.node, shift),
                    None => self.merge_blindly(a.node, b.node),
                },
                _ => self.merge_blindly(a.node, b.node),
            }
        }
    }

    fn merge_blindly(&mut self, a: NodeId, b: NodeId) {
        self.collapse_root(a);
        self.merge(a, b, 0);
    }

    /// Byte `x` of `b` becomes byte `x + shift` of `a`. Both are representatives.
    fn merge(&mut self, a: NodeId, b: NodeId, shift: i64) {
        let (into, from, shift) =
            if self.nodes[b.index()].fields.len() > self.nodes[a.index()].fields.len() {
                (b, a, shift.wrapping_neg())
            } else {
                (a, b, shift)
            };
        self.changes += 1;
        let gone = &mut self.nodes[from.index()];
        gone.parent = into;
        gone.delta = shift;
        let fields = std::mem::take(&mut gone.fields);
        let functions = std::mem::take(&mut gone.functions);
        let (modulus, collapsed) = (gone.modulus, gone.collapsed);
        let (unknown, own, arbitrary) = (gone.unknown, gone.own, gone.arbitrary);
        let (unset, label) = (gone.unset, gone.label);
        let node = &mut self.nodes[into.index()];
        node.unknown |= unknown;
        node.own |= own;
        node.arbitrary |= arbitrary;
        node.unset |= unset;
        node.label = node.label.min(label);
        for f in functions {
            if !node.functions.contains(&f) {
                node.functions.push(f);
            }
        }
        if collapsed {
            self.collapse_root(into);
        }
        if modulus > 0 {
            self.fold_root(into, modulus);
        }
        for (offset, field) in fields {
            match offset.checked_add(shift) {
                Some(offset) => self.insert(into, offset, field),
                None => {
                    self.collapse_root(into);
                    self.insert(into, 0, field)
                }
            };
        }
    }

    /// Offsets of this node count modulo `stride` (and whatever it was folded by before).
    pub(super) fn fold(&mut self, id: NodeId, stride: u64) {
        let root = self.root(id);
        self.fold_root(root, stride);
        self.drain();
    }

    fn fold_root(&mut self, root: NodeId, stride: u64) {
        let node = &mut self.nodes[root.index()];
        let modulus = gcd(node.modulus, stride);
        if node.collapsed || modulus == node.modulus {
            return;
        }
        self.changes += 1;
        if modulus > i64::MAX as u64 {
            self.collapse_root(root);
            return;
        }
        node.modulus = modulus;
        for (offset, field) in std::mem::take(&mut node.fields) {
            self.insert(root, offset, field);
        }
    }

    /// One field of bytes for all of it.
    pub(super) fn collapse(&mut self, id: NodeId) {
        let root = self.root(id);
        self.collapse_root(root);
        self.drain();
    }

    fn collapse_root(&mut self, root: NodeId) {
        let node = &mut self.nodes[root.index()];
        if node.collapsed {
            return;
        }
        self.changes += 1;
        node.collapsed = true;
        node.modulus = 0;
        for (_, field) in std::mem::take(&mut node.fields) {
            self.insert(root, 0, field);
        }
    }

    /// Adds a field to a representative, merging it with those it overlaps.
    fn insert(&mut self, root: NodeId, offset: i64, mut field: Field) -> i64 {
        let node = &mut self.nodes[root.index()];
        let mut at = offset;
        if !node.collapsed && node.modulus > 0 {
            at = offset.rem_euclid(node.modulus as i64);
            if at as u64 + field.size > node.modulus {
                self.collapse_root(root);
            }
        }
        let node = &mut self.nodes[root.index()];
        if node.collapsed {
            at = 0;
            field.size = 1;
            field.bytes = true;
        }
        let Some(end) = at.checked_add_unsigned(field.size) else {
            self.collapse_root(root);
            return self.insert(root, 0, field);
        };
        // The fields are disjoint, so only the last that starts before can reach in from below.
        let below = node.fields.range(..at).next_back();
        let first = match below {
            Some((&start, f)) if start.saturating_add_unsigned(f.size) > at => start,
            _ => at,
        };
        let overlapping: Vec<i64> = node.fields.range(first..end).map(|(&o, _)| o).collect();
        if let [only] = overlapping[..] {
            let old = node.fields.get_mut(&only).expect("a key just seen");
            if only <= at && only.saturating_add_unsigned(old.size) >= end {
                // Inside what is there already: the usual case.
                let exact = only == at && old.size == field.size;
                let before = (old.bytes, old.kinds, old.ty, old.content.is_some());
                old.bytes |= field.bytes || !exact;
                Self::absorb(&mut self.pending, old, field);
                if before != (old.bytes, old.kinds, old.ty, old.content.is_some()) {
                    self.changes += 1;
                }
                return only;
            }
        }
        self.changes += 1;
        let (mut low, mut high) = (at, end);
        if !overlapping.is_empty() {
            field.bytes = true;
        }
        for key in overlapping {
            let old = node.fields.remove(&key).expect("a key just seen");
            low = low.min(key);
            high = high.max(key.saturating_add_unsigned(old.size));
            Self::absorb(&mut self.pending, &mut field, old);
        }
        field.size = low.abs_diff(high);
        node.fields.insert(low, field);
        low
    }

    fn absorb(pending: &mut Vec<(Target, Target)>, into: &mut Field, from: Field) {
        into.kinds.0 |= from.kinds.0;
        if into.ty != from.ty {
            into.ty = None;
        }
        match (into.content, from.content) {
            (Some(a), Some(b)) if a != b => {
                pending.push((a, b));
                if b.offset == Offset::Unknown {
                    into.content = Some(a.anywhere());
                }
            }
            (None, Some(b)) => into.content = Some(b),
            _ => {}
        }
    }

    /// Notes an access and gives the field it touches: representative and key.
    pub(super) fn access(
        &mut self,
        target: Target,
        size: u64,
        kinds: Kinds,
        ty: Option<Type>,
        bytes: bool,
    ) -> (NodeId, i64) {
        let target = self.resolve(target);
        let offset = match target.offset {
            Offset::Known(o) => o,
            Offset::Unknown => {
                self.collapse_root(target.node);
                0
            }
        };
        let field = Field {
            size: size.max(1),
            bytes,
            kinds,
            ty,
            content: None,
        };
        let key = self.insert(target.node, offset, field);
        if self.pending.is_empty() {
            return (target.node, key);
        }
        // Unifying contents may move this very field: find it again.
        self.drain();
        let again = self.resolve(target);
        let offset = match again.offset {
            Offset::Known(o) => o,
            Offset::Unknown => 0,
        };
        let key = self.field_at(again.node, offset).unwrap_or(offset);
        (again.node, key)
    }

    /// The field of a representative that holds this (normalised) byte.
    pub(super) fn field_at(&self, root: NodeId, offset: i64) -> Option<i64> {
        let (&key, field) = self.nodes[root.index()]
            .fields
            .range(..=offset)
            .next_back()?;
        (key.saturating_add_unsigned(field.size) > offset).then_some(key)
    }

    /// What the field's pointers point to.
    pub(super) fn content(&mut self, field: (NodeId, i64)) -> Option<Target> {
        self.nodes[field.0.index()].fields.get(&field.1)?.content
    }

    /// Pointers to `target` may be held in this field.
    pub(super) fn hold(&mut self, field: (NodeId, i64), target: Target) {
        let target = self.resolve(target);
        let Some(held) = self.nodes[field.0.index()].fields.get_mut(&field.1) else {
            return;
        };
        match held.content {
            None => {
                held.content = Some(target);
                self.changes += 1;
            }
            Some(old) => {
                if target.offset == Offset::Unknown && old.offset != Offset::Unknown {
                    held.content = Some(old.anywhere());
                    self.changes += 1;
                }
                self.unify(old, target);
            }
        }
    }
}
