//! Pointers about which everything is known without ghost registers: those that one statement
//! makes, from things that do not change afterwards. `a = malloc(4 * n)` with an `n` that keeps
//! its value gives `a` the size `4 * n` wherever it is used, and an engine need not find out that
//! a ghost register equals it.

use super::fat::Fat;
use super::Weaver;
use crate::access::split;
use prova_ir::{Body, EdgeId, Expr, ExprId, LocId, RegId, Role, Statement, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// Chains of copies longer than this end in ghost registers.
const ROUNDS: usize = 4;

/// Where the registers of a body are written.
pub(super) struct Writes {
    by: FxHashMap<RegId, Vec<EdgeId>>,
    outgoing: Vec<Vec<EdgeId>>,
}

impl Writes {
    fn new(body: &Body) -> Writes {
        let mut by: FxHashMap<RegId, Vec<EdgeId>> = FxHashMap::default();
        for (i, edge) in body.edges.iter().enumerate() {
            if let Some(register) = edge.statement.written_register() {
                by.entry(register).or_default().push(EdgeId::new(i));
            }
        }
        Writes {
            by,
            outgoing: body.outgoing(),
        }
    }

    fn of(&self, register: RegId) -> &[EdgeId] {
        self.by.get(&register).map_or(&[], Vec::as_slice)
    }

    /// The edges that can be taken after an edge.
    fn after(&self, body: &Body, edge: EdgeId) -> FxHashSet<EdgeId> {
        let mut seen: FxHashSet<LocId> = FxHashSet::default();
        let mut found = FxHashSet::default();
        let mut work = vec![body.edge(edge).target];
        while let Some(at) = work.pop() {
            if !seen.insert(at) {
                continue;
            }
            for &next in &self.outgoing[at.index()] {
                found.insert(next);
                work.push(body.edge(next).target);
            }
        }
        found
    }
}

impl Weaver<'_> {
    /// Finds the pointers of a body that are known.
    pub(super) fn find_known(&mut self, body: &Body) {
        let writes = Writes::new(body);
        let mut candidates: Vec<(RegId, EdgeId)> = Vec::new();
        for (i, edge) in body.edges.iter().enumerate() {
            let edge_id = EdgeId::new(i);
            let target = match edge.statement {
                Statement::Assign { target, .. } | Statement::Allocate { target, .. } => target,
                _ => continue,
            };
            let register = self.program.register(target);
            // A parameter has a value before anything is written to it.
            let local = register.owner.is_some()
                && register.role != Role::Parameter
                && register.ty == Type::Ptr;
            if local && writes.of(target) == [edge_id] {
                candidates.push((target, edge_id));
            }
        }
        for _ in 0..ROUNDS {
            let before = self.known.len();
            for &(register, edge) in &candidates {
                if !self.known.contains_key(&register) {
                    self.try_known(body, &writes, register, edge);
                }
            }
            if self.known.len() == before {
                break;
            }
        }
    }

    fn try_known(&mut self, body: &Body, writes: &Writes, register: RegId, edge: EdgeId) {
        let fat = match body.edge(edge).statement {
            Statement::Allocate { size, .. } => {
                // The slot is a number that the allocation leaves in a register.
                let slot = self.ghost(register).slot;
                self.slots.insert(slot, register);
                Fat {
                    offset: self.int(0),
                    size,
                    slot: self.program.read(slot),
                }
            }
            Statement::Assign { value, .. } => {
                if !self.is_plain(value) {
                    return;
                }
                self.fat(value)
            }
            _ => return,
        };
        let after = writes.after(body, edge);
        for part in [fat.offset, fat.size, fat.slot] {
            for e in self.program.exprs.subexpressions(part) {
                match self.program.exprs.get(e) {
                    Expr::Load { .. } => return,
                    Expr::Reg(r) => {
                        // It is written where the block is allocated.
                        let r = self.slots.get(&r).copied().unwrap_or(r);
                        let global = self.program.register(r).owner.is_none();
                        let again = writes.of(r).iter().any(|w| after.contains(w));
                        if global || (r != register && again) {
                            return;
                        }
                    }
                    _ => {}
                }
            }
        }
        self.known.insert(register, fat);
    }

    /// Whether a pointer is made of addresses and known pointers only.
    fn is_plain(&mut self, value: ExprId) -> bool {
        let (root, _) = split(&mut self.program.exprs, value);
        match self.program.exprs.get(root) {
            Expr::Address(_) => true,
            Expr::Reg(r) => self.known.contains_key(&r),
            _ => false,
        }
    }
}
