//! From solved nodes to memory classes.
//!
//! A field of a node that the program owns is a class. Fields of unknown nodes are put together
//! by scalar kind (see the module's assumptions): kinds are unified where one field was accessed
//! with several, and a group that holds a field of bytes is made of bytes.

use super::graph::{Graph, Kinds, Label, NodeId, Offset, Target};
use super::solve::Solver;
use super::{Class, ClassId, Grid, Partition, Place, Span};
use prova_ir::{Expr, ExprId, Program, Statement, Type};
use rustc_hash::FxHashMap;

/// Kinds are numbered by the bits of [`Kinds`].
const KINDS: usize = 64;
/// The kind of an access of one byte.
const BYTE: usize = 2;

struct KindGroups {
    parent: [usize; KINDS],
    bytes: [bool; KINDS],
    used: Kinds,
}

impl KindGroups {
    fn find(&self, mut kind: usize) -> usize {
        while self.parent[kind] != kind {
            kind = self.parent[kind];
        }
        kind
    }

    fn unite(&mut self, kinds: Kinds, bytes: bool) {
        self.used.0 |= kinds.0;
        let mut first: Option<(usize, u64)> = None;
        for (kind, size) in kinds.iter() {
            let root = self.find(kind);
            let (into, width) = *first.get_or_insert((root, size));
            let into = self.find(into);
            self.bytes[into] |= self.bytes[root] || bytes || width != size;
            self.parent[root] = into;
        }
    }
}

fn group_unknown(graph: &Graph) -> KindGroups {
    let mut groups = KindGroups {
        parent: std::array::from_fn(|i| i),
        bytes: [false; KINDS],
        used: Kinds::default(),
    };
    let unknown: Vec<NodeId> = (0..graph.len() as u32)
        .map(NodeId)
        .filter(|&n| graph.is_root(n) && graph.node(n).unknown)
        .collect();
    let kinds_of = |n: NodeId| {
        let fields = graph.node(n).fields.values();
        Kinds(fields.fold(0, |all, f| all | f.kinds.0))
    };
    let byte = Kinds(1 << BYTE);
    let with_bytes: Vec<NodeId> = unknown
        .iter()
        .copied()
        .filter(|&n| kinds_of(n).contains(byte))
        .collect();
    for &n in &unknown {
        for field in graph.node(n).fields.values() {
            groups.unite(field.kinds, field.bytes);
        }
        // The program's own object whose address went into unknown memory may come back from
        // there as a `char *` that flow did not connect with it.
        if graph.node(n).own && with_bytes.iter().any(|&other| other != n) {
            groups.unite(Kinds(kinds_of(n).0 | byte.0), kinds_of(n).0 != byte.0);
        }
    }
    groups
}

fn label(program: &Program, label: Label) -> String {
    match label {
        Label::Object(o) => program.object(o).name.clone(),
        Label::Block(n) => format!("heap{n}"),
        Label::Function(p) => format!("&{}", program.procedure(p).name),
        Label::Register(r) => format!("*{}", program.register(r).name),
        Label::None => "*".to_owned(),
    }
}

fn kind_name(kind: usize) -> String {
    let bits = kind / 2 * 8;
    if kind % 2 == 1 {
        "unknown.ptr".to_owned()
    } else {
        format!("unknown.i{bits}")
    }
}

/// Names the fields' classes and tabulates where every address leads.
pub(super) fn classes(mut solver: Solver) -> Partition {
    let program = solver.program;
    let mut partition = Partition::default();
    let groups = group_unknown(&solver.graph);
    let mut of_kind: FxHashMap<usize, ClassId> = FxHashMap::default();
    let mut names: FxHashMap<String, u32> = FxHashMap::default();
    let mut grids: FxHashMap<NodeId, u32> = FxHashMap::default();
    for id in (0..solver.graph.len() as u32).map(NodeId) {
        if !solver.graph.is_root(id) {
            continue;
        }
        let node = solver.graph.node(id);
        let mut grid = Grid {
            spans: Vec::new(),
            modulus: node.modulus,
            collapsed: node.collapsed,
        };
        for (&offset, field) in &node.fields {
            let group = field.kinds.iter().next().filter(|_| node.unknown);
            let class = match group {
                Some((kind, _)) => {
                    let root = groups.find(kind);
                    *of_kind.entry(root).or_insert_with(|| {
                        partition.classes.push(Class {
                            name: kind_name(root),
                            cell_bytes: if groups.bytes[root] {
                                1
                            } else {
                                (root / 2) as u32
                            },
                            cell_type: pure_pointer(&groups, root),
                            unknown: true,
                            static_only: false,
                        });
                        ClassId::new(partition.classes.len() - 1)
                    })
                }
                None => {
                    let mut name = label(program, node.label);
                    if offset != 0 || node.fields.len() > 1 {
                        name = format!("{name}.{offset}");
                    }
                    let count = names.entry(name.clone()).or_insert(0);
                    *count += 1;
                    if *count > 1 {
                        name = format!("{name}'{count}");
                    }
                    partition.classes.push(Class {
                        name,
                        cell_bytes: if field.bytes { 1 } else { field.size as u32 },
                        cell_type: if field.bytes { None } else { field.ty },
                        unknown: false,
                        static_only: node.own && !node.unset,
                    });
                    ClassId::new(partition.classes.len() - 1)
                }
            };
            grid.spans.push(Span {
                offset,
                size: field.size,
                class,
            });
        }
        grids.insert(id, partition.grids.len() as u32);
        partition.grids.push(grid);
    }
    let place = |solver: &mut Solver, target: Target| {
        let target = solver.graph.resolve(target);
        Place {
            grid: grids[&target.node],
            offset: match target.offset {
                Offset::Known(o) => Some(o),
                Offset::Unknown => None,
            },
        }
    };
    for object in solver.objects.clone() {
        let at = place(&mut solver, Target::start(object));
        partition.objects.push(at);
    }
    for address in addresses(program) {
        let target = solver.address(address);
        let at = place(&mut solver, target);
        partition.addresses.insert(address, at);
    }
    for pointer in called(program) {
        let callees = solver.callees(pointer);
        partition.callees.insert(pointer, callees);
    }
    partition
}

fn pure_pointer(groups: &KindGroups, root: usize) -> Option<Type> {
    let mut members = groups.used.iter().filter(|&(k, _)| groups.find(k) == root);
    (!groups.bytes[root] && members.all(|(k, _)| k % 2 == 1)).then_some(Type::Ptr)
}

fn statements(program: &Program) -> impl Iterator<Item = &Statement> {
    let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    bodies.flat_map(|b| b.edges.iter().map(|e| &e.statement))
}

fn called(program: &Program) -> Vec<ExprId> {
    let mut found: Vec<ExprId> = statements(program)
        .filter_map(|s| match s {
            Statement::Call {
                callee: prova_ir::Callee::Indirect(e),
                ..
            } => Some(*e),
            _ => None,
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Every expression that some statement uses as an address.
fn addresses(program: &Program) -> Vec<ExprId> {
    let mut seen = vec![false; program.exprs.len()];
    let mut used = vec![false; program.exprs.len()];
    let mut work: Vec<ExprId> = Vec::new();
    for statement in statements(program) {
        work.extend(statement.expressions());
        match statement {
            Statement::Store { address, .. } | Statement::Havoc { address, .. } => {
                used[address.index()] = true;
            }
            Statement::Copy { target, source, .. } => {
                used[target.index()] = true;
                used[source.index()] = true;
            }
            _ => {}
        }
    }
    while let Some(e) = work.pop() {
        if std::mem::replace(&mut seen[e.index()], true) {
            continue;
        }
        if let Expr::Load { address, .. } = program.exprs.get(e) {
            used[address.index()] = true;
        }
        work.extend(program.exprs.children(e));
    }
    (0..used.len())
        .filter(|&i| used[i])
        .map(ExprId::new)
        .collect()
}
