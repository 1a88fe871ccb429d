//! What might be said of followed cells, from the text of the program: what is stored in arrays, what
//! their elements are compared with, and where the range ends that a loop has been through. Nothing of
//! it is believed by anybody.

use super::Weaver;
use prova_ir::{BinaryOp, CastOp, Expr, ExprId, RegId, Role, Statement, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Facts of each kind that are noted.
const MOST: usize = 80;
/// More numbers than this are not said to be all.
const FEW: usize = 4;
/// Larger expressions, in nodes, are left alone.
const LARGEST: usize = 30;
/// No array ends beyond this.
const FARTHEST: u128 = 1 << 26;

/// What might be said, as expressions without loads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// What might hold of contents somewhere in the array.
    pub facts: Vec<ExprId>,
    /// Where the part of the array may end where it holds: integers of pointer width.
    pub ends: Vec<ExprId>,
    /// Conditions without a cell.
    pub conditions: Vec<ExprId>,
    /// How one position may depend on another.
    pub relations: Vec<ExprId>,
}

impl Weaver<'_> {
    /// Collects hints from the statements, which have to be the program's own still.
    pub(super) fn hints(&mut self) -> Hints {
        let mut hints = Hints::default();
        let statements: Vec<Statement> = self
            .body()
            .edges
            .iter()
            .map(|e| e.statement.clone())
            .collect();
        let values = self.loaded(&statements);
        self.related(&statements, &mut hints);
        let mut numbers: BTreeMap<RegId, Vec<ExprId>> = BTreeMap::new();
        for statement in &statements {
            if let Statement::Store { address, value } = *statement {
                if let Some(array) = self.array_of(address) {
                    self.stored(array, address, value, &values, &mut hints);
                    if matches!(self.program.exprs.get(value), Expr::Int { .. }) {
                        for &content in &self.ghosts.contents[array] {
                            note(numbers.entry(content).or_default(), value);
                        }
                    }
                }
            }
            for root in statement.expressions() {
                for id in self.program.exprs.subexpressions(root) {
                    if let Expr::Binary { op, left, right } = self.program.exprs.get(id) {
                        if op.is_comparison() {
                            self.compared(id, left, right, &values, &mut hints);
                        }
                    }
                }
            }
        }
        for array in 0..self.arrays.len() {
            if self.may_hold_positions(array, &statements) {
                self.own_position(array, &mut hints);
            }
        }
        self.copied(&statements, &values, &mut hints);
        // One of the numbers that are stored.
        for (content, numbers) in numbers {
            if (2..=FEW).contains(&numbers.len()) {
                let content = self.program.read(content);
                let exprs = &mut self.program.exprs;
                let mut any = exprs.bool(false);
                for number in numbers {
                    let one = exprs.binary(BinaryOp::Eq, content, number);
                    any = exprs.binary(BinaryOp::Or, any, one);
                }
                note(&mut hints.facts, any);
            }
        }
        hints
    }

    /// Arrays that elements are copied between, however many lie between them: those between may be
    /// forgotten where the first and the last are compared.
    fn copied(
        &mut self,
        statements: &[Statement],
        values: &FxHashMap<RegId, ExprId>,
        hints: &mut Hints,
    ) {
        let count = self.arrays.len();
        let mut group: Vec<usize> = (0..count).collect();
        for statement in statements {
            let Statement::Store { address, value } = *statement else {
                continue;
            };
            let value = match self.program.exprs.get(value) {
                Expr::Reg(r) => values.get(&r).copied().unwrap_or(value),
                _ => value,
            };
            let Expr::Load { address: from, .. } = self.program.exprs.get(value) else {
                continue;
            };
            if let (Some(to), Some(from)) = (self.array_of(address), self.array_of(from)) {
                let (old, new) = (group[to], group[from]);
                group
                    .iter_mut()
                    .filter(|g| **g == old)
                    .for_each(|g| *g = new);
            }
        }
        for one in 0..count {
            for other in one + 1..count {
                let alike = self.arrays[one].ty == self.arrays[other].ty;
                if group[one] != group[other] || !alike {
                    continue;
                }
                for position in 0..self.ghosts.positions.len() {
                    let contents = [one, other].map(|a| self.ghosts.contents[a][position]);
                    let [left, right] = contents.map(|r| self.program.read(r));
                    let op = match self.arrays[one].ty {
                        Type::Float(_) => BinaryOp::FEq,
                        _ => BinaryOp::Eq,
                    };
                    let fact = self.program.exprs.binary(op, left, right);
                    note(&mut hints.facts, fact);
                }
            }
        }
    }

    /// Whether something is stored in an array that is no number, no element and no input.
    fn may_hold_positions(&self, array: usize, statements: &[Statement]) -> bool {
        let given = |r: RegId| {
            let mut written = statements
                .iter()
                .filter(|s| s.written_register() == Some(r));
            written.any(|s| matches!(s, Statement::Nondet { .. }))
        };
        statements.iter().any(|s| match *s {
            Statement::Store { address, value } if self.array_of(address) == Some(array) => {
                match self.program.exprs.get(value) {
                    Expr::Int { .. } => false,
                    Expr::Reg(r) => !given(r),
                    _ => self.loads(value).is_empty(),
                }
            }
            _ => false,
        })
    }

    /// Each cell may hold its own position.
    fn own_position(&mut self, array: usize, hints: &mut Hints) {
        for position in 0..self.ghosts.positions.len() {
            let content = self.ghosts.contents[array][position];
            let [content, at] =
                [content, self.ghosts.positions[position]].map(|r| self.program.read(r));
            let exprs = &mut self.program.exprs;
            let at = match (exprs.ty(content), exprs.ty(at)) {
                (Type::Int(narrow), Type::Int(wide)) if narrow < wide => {
                    exprs.cast(CastOp::Trunc, at, Type::Int(narrow))
                }
                (one, other) if one == other => at,
                _ => continue,
            };
            let fact = exprs.binary(BinaryOp::Eq, content, at);
            note(&mut hints.facts, fact);
        }
    }

    /// Positions that accesses name by the same register.
    fn related(&mut self, statements: &[Statement], hints: &mut Hints) {
        if self.ghosts.positions.len() < 2 {
            return;
        }
        let mut addresses = Vec::new();
        for statement in statements {
            let loads = statement.expressions().flat_map(|e| self.loads(e));
            let loads: Vec<ExprId> = loads.collect();
            addresses.extend(
                loads
                    .into_iter()
                    .filter_map(|l| match self.program.exprs.get(l) {
                        Expr::Load { address, .. } => Some(address),
                        _ => None,
                    }),
            );
            if let Statement::Store { address, .. } = *statement {
                addresses.extend(self.array_of(address).map(|_| address));
            }
        }
        let mut indices = Vec::new();
        for &address in &addresses {
            let array = self.array_of(address).expect("only these are collected");
            let index = self.arrays[array].index(self.program, address);
            if let Some(index) = index.filter(|&e| self.small(e)) {
                note(&mut indices, index);
            }
        }
        for (here, there) in [(0, 1), (1, 0)] {
            for &address in &addresses {
                let named = self.named(address, there);
                for &index in &indices {
                    let exprs = &mut self.program.exprs;
                    let mut done = named.clone();
                    let made = exprs.rewrite(index, &mut done, |e, expr, ty| e.add_typed(expr, ty));
                    if made != index && !named.contains_key(&index) {
                        let here = self.program.read(self.ghosts.positions[here]);
                        let fact = self.program.exprs.binary(BinaryOp::Eq, here, made);
                        note(&mut hints.relations, fact);
                    }
                }
            }
        }
    }

    /// Registers that are given a followed element once and nothing else.
    fn loaded(&self, statements: &[Statement]) -> FxHashMap<RegId, ExprId> {
        let mut values: FxHashMap<RegId, Option<ExprId>> = FxHashMap::default();
        for statement in statements {
            if let Some(register) = statement.written_register() {
                let value = match *statement {
                    Statement::Assign { value, .. } => Some(value),
                    _ => None,
                };
                let one = !values.contains_key(&register);
                values.insert(register, value.filter(|_| one));
            }
        }
        let of = |(register, value): (RegId, Option<ExprId>)| {
            let value = value.filter(|&v| !self.loads(v).is_empty())?;
            let own = self.program.register(register).role != Role::Global;
            own.then_some((register, value))
        };
        values.into_iter().filter_map(of).collect()
    }

    /// The followed loads in an expression.
    fn loads(&self, root: ExprId) -> Vec<ExprId> {
        let exprs = &self.program.exprs;
        let parts = exprs.subexpressions(root).into_iter();
        let followed = |e: &ExprId| matches!(exprs.get(*e), Expr::Load { address, .. } if self.array_of(address).is_some());
        parts.filter(followed).collect()
    }

    /// An expression with its loads made contents: all of one position, or the last load of the first
    /// position and those before it of the next ones; and with the registers that name the position
    /// replaced by it.
    fn abstracted(
        &mut self,
        root: ExprId,
        shift: usize,
        spread: bool,
        values: &FxHashMap<RegId, ExprId>,
        named: &FxHashMap<ExprId, ExprId>,
    ) -> Option<ExprId> {
        let count = self.ghosts.positions.len();
        let mut expanded = FxHashMap::default();
        let exprs = &mut self.program.exprs;
        let root = exprs.rewrite(root, &mut expanded, |exprs, expr, ty| match expr {
            Expr::Reg(r) => values.get(&r).copied().unwrap_or_else(|| exprs.reg(r, ty)),
            expr => exprs.add_typed(expr, ty),
        });
        if self.program.exprs.subexpressions(root).len() > LARGEST {
            return None;
        }
        let mut loads = self.loads(root);
        loads.reverse();
        let mut done: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        for (i, load) in loads.into_iter().enumerate() {
            let Expr::Load { address, .. } = self.program.exprs.get(load) else {
                return None;
            };
            let array = self.array_of(address)?;
            let position = if spread { (i + shift) % count } else { shift };
            let content = self.ghosts.contents[array][position];
            let content = self.program.read(content);
            done.insert(load, content);
        }
        for (&from, &to) in named {
            done.insert(from, to);
        }
        let exprs = &mut self.program.exprs;
        let made = exprs.rewrite(root, &mut done, |exprs, expr, ty| exprs.add_typed(expr, ty));
        let parts = self.program.exprs.subexpressions(made).into_iter();
        let mut parts = parts.map(|e| self.program.exprs.get(e));
        let partial = |e: Expr| matches!(e, Expr::Load { .. }) || self.may_trap(e);
        (!parts.any(partial)).then_some(made)
    }

    /// The register that alone names a position, and what of it the position is.
    fn named(&mut self, address: ExprId, position: usize) -> FxHashMap<ExprId, ExprId> {
        let mut named = FxHashMap::default();
        let Some(array) = self.array_of(address) else {
            return named;
        };
        let Some(index) = self.arrays[array].index(self.program, address) else {
            return named;
        };
        let position = self.program.read(self.ghosts.positions[position]);
        let exprs = &mut self.program.exprs;
        match exprs.get(index) {
            Expr::Reg(_) => drop(named.insert(index, position)),
            Expr::Cast {
                op: CastOp::SExt | CastOp::ZExt,
                arg,
                ..
            } => {
                let ty = exprs.ty(arg);
                let narrow = exprs.cast(CastOp::Trunc, position, ty);
                named.insert(index, position);
                named.insert(arg, narrow);
            }
            _ => {}
        }
        named
    }

    fn stored(
        &mut self,
        array: usize,
        address: ExprId,
        value: ExprId,
        values: &FxHashMap<RegId, ExprId>,
        hints: &mut Hints,
    ) {
        let count = self.ghosts.positions.len();
        for (position, from) in (0..count).flat_map(|p| (0..count).map(move |q| (p, q))) {
            for named in [FxHashMap::default(), self.named(address, position)] {
                let Some(value) = self.abstracted(value, from, false, values, &named) else {
                    continue;
                };
                let content = self.program.read(self.ghosts.contents[array][position]);
                let exprs = &mut self.program.exprs;
                let op = match exprs.ty(value) {
                    Type::Float(_) => BinaryOp::FEq,
                    _ => BinaryOp::Eq,
                };
                let fact = exprs.binary(op, content, value);
                note(&mut hints.facts, fact);
            }
        }
    }

    fn compared(
        &mut self,
        id: ExprId,
        left: ExprId,
        right: ExprId,
        values: &FxHashMap<RegId, ExprId>,
        hints: &mut Hints,
    ) {
        let mut read: Vec<ExprId> = self.loads(id);
        let registers = self.registers(id);
        let through = registers.iter().filter_map(|r| values.get(r)).copied();
        let through: Vec<ExprId> = through.collect();
        through.iter().for_each(|&v| read.extend(self.loads(v)));
        if read.is_empty() {
            for side in [left, right] {
                self.end(side, hints);
            }
            if self.small(id) {
                note(&mut hints.conditions, id);
            }
            return;
        }
        let count = self.ghosts.positions.len();
        let mut ways: Vec<(usize, bool)> = (0..count).map(|p| (p, false)).collect();
        if count > 1 && read.len() > 1 {
            ways.extend((0..count).map(|p| (p, true)));
        }
        for (position, spread) in ways {
            let mut renamings = vec![FxHashMap::default()];
            for &load in &read {
                if let Expr::Load { address, .. } = self.program.exprs.get(load) {
                    let named = self.named(address, position);
                    if !named.is_empty() && !renamings.contains(&named) {
                        renamings.push(named);
                    }
                }
            }
            for named in renamings {
                let Some(fact) = self.abstracted(id, position, spread, values, &named) else {
                    continue;
                };
                note(&mut hints.facts, fact);
                let negation = self.program.exprs.not(fact);
                note(&mut hints.facts, negation);
            }
        }
    }

    fn registers(&self, root: ExprId) -> FxHashSet<RegId> {
        let exprs = &self.program.exprs;
        let parts = exprs.subexpressions(root).into_iter();
        let register = |e: ExprId| match exprs.get(e) {
            Expr::Reg(r) => Some(r),
            _ => None,
        };
        parts.filter_map(register).collect()
    }

    /// Whether an expression is small and reads no memory.
    fn small(&self, root: ExprId) -> bool {
        let exprs = &self.program.exprs;
        let parts = exprs.subexpressions(root);
        let plain = |e: &ExprId| match exprs.get(*e) {
            Expr::Load { .. } => false,
            other => !self.may_trap(other),
        };
        parts.len() <= LARGEST && parts.iter().all(plain)
    }

    /// Whether an operation has no value somewhere: a division, but by a number that is not zero.
    fn may_trap(&self, expr: Expr) -> bool {
        match expr {
            Expr::Binary { op, right, .. } if op.traps_on_zero() => {
                !matches!(self.program.exprs.get(right), Expr::Int { value, .. } if value != 0)
            }
            _ => false,
        }
    }

    /// A number that a range may end with.
    fn end(&mut self, side: ExprId, hints: &mut Hints) {
        let bits = self.program.model.pointer_bits() as u16;
        let wide = match self.program.exprs.ty(side) {
            Type::Int(width) if width == bits => side,
            Type::Int(width) if (16..bits).contains(&width) => {
                let exprs = &mut self.program.exprs;
                exprs.cast(CastOp::SExt, side, Type::Int(bits))
            }
            _ => return,
        };
        let far = match self.program.exprs.get(side) {
            Expr::Int { value, width } => value > FARTHEST && value < (1 << width) - FARTHEST,
            _ => false,
        };
        if self.small(wide) && !far {
            note(&mut hints.ends, wide);
        }
    }
}

fn note(list: &mut Vec<ExprId>, expr: ExprId) {
    if list.len() < MOST && !list.contains(&expr) {
        list.push(expr);
    }
}
