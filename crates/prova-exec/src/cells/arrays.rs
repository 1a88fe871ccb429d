//! Which memory classes are accessed like arrays, and where their positions lie. Everything here is a
//! choice: whatever is chosen, [`super`] is right, but only a good choice leads to proofs.

use crate::points_to::{ClassId, Partition};
use prova_ir::passes::activations::edges_on_cycles;
use prova_ir::{BinaryOp, CastOp, Expr, ExprId, ExprPool, ProcId, Program, RegId, Statement, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Arrays that are followed.
const MOST: usize = 12;

/// A class that is followed: its cells lie at `base + stride * position + first`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Array {
    pub class: ClassId,
    /// The type of all its accesses.
    pub ty: Type,
    /// An object, or a register.
    pub base: ExprId,
    pub stride: u64,
    pub first: u64,
}

/// An address taken apart: a root, and a sum of products in bytes.
struct Shape {
    root: ExprId,
    parts: Vec<(i128, ExprId)>,
    constant: i128,
}

fn shape(exprs: &ExprPool, address: ExprId) -> Shape {
    let mut shape = Shape {
        root: address,
        parts: Vec::new(),
        constant: 0,
    };
    while let Expr::Binary {
        op: BinaryOp::PtrAdd,
        left,
        right,
    } = exprs.get(shape.root)
    {
        shape.add(exprs, right, 1, 0);
        shape.root = left;
    }
    shape
}

/// What an address is counted from.
pub(super) fn root(exprs: &ExprPool, address: ExprId) -> ExprId {
    shape(exprs, address).root
}

/// Products larger than this are not taken apart.
const LARGEST: i128 = 1 << 40;
/// Sums deeper than this are not taken apart.
const DEEPEST: u32 = 16;

impl Shape {
    fn add(&mut self, exprs: &ExprPool, id: ExprId, by: i128, depth: u32) {
        let number = |e| match exprs.get(e) {
            Expr::Int { value, width } => Some(signed(value, width)),
            _ => None,
        };
        if let Some(n) = number(id) {
            self.constant += by * n;
            return;
        }
        let small = |n: i128| n.abs() <= LARGEST && (by * n).abs() <= LARGEST;
        if let (Expr::Binary { op, left, right }, true) = (exprs.get(id), depth < DEEPEST) {
            match (op, number(left), number(right)) {
                (BinaryOp::Add, ..) => {
                    self.add(exprs, left, by, depth + 1);
                    return self.add(exprs, right, by, depth + 1);
                }
                (BinaryOp::Sub, ..) => {
                    self.add(exprs, left, by, depth + 1);
                    return self.add(exprs, right, -by, depth + 1);
                }
                (BinaryOp::Mul, Some(n), _) if small(n) => {
                    return self.add(exprs, right, by * n, depth + 1);
                }
                (BinaryOp::Mul, _, Some(n)) if small(n) => {
                    return self.add(exprs, left, by * n, depth + 1);
                }
                _ => {}
            }
        }
        self.parts.push((by, id));
    }
}

fn signed(value: u128, width: u16) -> i128 {
    match width {
        0 | 128.. => value as i128,
        width => ((value << (128 - width)) as i128) >> (128 - width),
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}

/// What is known of the accesses of a class.
#[derive(Default)]
struct Accesses {
    addresses: Vec<ExprId>,
    /// Whether one of them lies in a loop and is not always the same.
    varies: bool,
}

/// The classes of a procedure that are accessed like arrays, in loops.
pub(super) fn arrays(program: &Program, entry: ProcId, partition: &Partition) -> Vec<Array> {
    let Some(body) = &program.procedure(entry).body else {
        return Vec::new();
    };
    let exprs = &program.exprs;
    let cycles = edges_on_cycles(body);
    let mut in_loops: FxHashSet<RegId> = FxHashSet::default();
    let mut definitions: FxHashMap<RegId, Vec<ExprId>> = FxHashMap::default();
    for (edge, &cycle) in body.edges.iter().zip(&cycles) {
        let written = edge.statement.written_register();
        in_loops.extend(written.filter(|_| cycle));
        if let Statement::Assign { target, value } = edge.statement {
            definitions.entry(target).or_default().push(value);
        }
    }
    let mut classes: BTreeMap<ClassId, Accesses> = BTreeMap::new();
    let mut seen = FxHashSet::default();
    for (edge, &cycle) in body.edges.iter().zip(&cycles) {
        let mut addresses: Vec<ExprId> = Vec::new();
        for root in edge.statement.expressions() {
            addresses.extend(exprs.subexpressions(root).into_iter().filter_map(|e| {
                match exprs.get(e) {
                    Expr::Load { address, .. } => Some(address),
                    _ => None,
                }
            }));
        }
        if let Statement::Store { address, .. } = edge.statement {
            addresses.push(address);
        }
        for address in addresses {
            let Some(class) = partition.class_of(address) else {
                continue;
            };
            let here = classes.entry(class).or_default();
            let registers = exprs.subexpressions(address).into_iter();
            let mut registers = registers.filter_map(|e| match exprs.get(e) {
                Expr::Reg(r) => Some(r),
                _ => None,
            });
            here.varies |= cycle && registers.any(|r| in_loops.contains(&r));
            if seen.insert(address) {
                here.addresses.push(address);
            }
        }
    }
    let arrays = classes.into_iter().filter_map(|(class, accesses)| {
        let of = partition.class(class);
        let ty = of
            .cell_type
            .filter(|ty| !matches!(*ty, Type::Ptr | Type::BOOL))?;
        let fits = ty.bytes(program.model) == u64::from(of.cell_bytes);
        if !accesses.varies || of.unknown || !fits {
            return None;
        }
        let base = base(program, &accesses.addresses, &in_loops, &definitions)?;
        Some(array(program, class, ty, base, &accesses.addresses))
    });
    arrays.take(MOST).collect()
}

/// Where positions are counted from: an object or a register that addresses are made from, one that
/// loops leave alone if there is any.
fn base(
    program: &Program,
    addresses: &[ExprId],
    in_loops: &FxHashSet<RegId>,
    definitions: &FxHashMap<RegId, Vec<ExprId>>,
) -> Option<ExprId> {
    let exprs = &program.exprs;
    let mut count: BTreeMap<ExprId, usize> = BTreeMap::new();
    let mut work: Vec<(ExprId, usize)> = addresses
        .iter()
        .map(|&a| (shape(exprs, a).root, 1))
        .collect();
    while let Some((root, weight)) = work.pop() {
        let known = count.contains_key(&root);
        *count.entry(root).or_default() += weight;
        if let (Expr::Reg(register), false) = (exprs.get(root), known) {
            let values = definitions.get(&register).into_iter().flatten();
            work.extend(values.map(|&v| (shape(exprs, v).root, 0)));
        }
    }
    let rank = |(root, count): (ExprId, usize)| {
        let (fixed, object) = match exprs.get(root) {
            Expr::Address(object) if program.object(object).pinned().is_some() => return None,
            Expr::Address(_) => (true, true),
            Expr::Reg(r) => (!in_loops.contains(&r), false),
            _ => return None,
        };
        Some((fixed, object, count, std::cmp::Reverse(root)))
    };
    let best = count.into_iter().filter_map(rank).max();
    best.map(|(.., root)| root.0)
}

fn array(program: &Program, class: ClassId, ty: Type, base: ExprId, addresses: &[ExprId]) -> Array {
    let exprs = &program.exprs;
    let bytes = ty.bytes(program.model).max(1);
    let shapes: Vec<Shape> = addresses.iter().map(|&a| shape(exprs, a)).collect();
    let direct = || shapes.iter().filter(|s| s.root == base);
    let constants = || direct().map(|s| s.constant);
    let least = constants().next().unwrap_or(0);
    let steps = direct().flat_map(|s| s.parts.iter().map(|p| p.0));
    let apart = constants().map(|c| c - least);
    let stride = steps.chain(apart).fold(0, |g, n| {
        gcd(g, u64::try_from(n.unsigned_abs()).unwrap_or(1))
    });
    let stride = match stride {
        0 => bytes,
        n if n % bytes == 0 => n,
        _ => bytes,
    };
    let first = least.rem_euclid(i128::from(stride)) as u64;
    Array {
        class,
        ty,
        base,
        stride,
        first,
    }
}

impl Array {
    /// The position that an address names, if its text gives it.
    pub fn index(&self, program: &mut Program, address: ExprId) -> Option<ExprId> {
        let shape = shape(&program.exprs, address);
        let stride = i128::from(self.stride);
        let rest = shape.constant - i128::from(self.first);
        let divides = |n: i128| n % stride == 0;
        if shape.root != self.base || !divides(rest) || !shape.parts.iter().all(|p| divides(p.0)) {
            return None;
        }
        let bits = program.model.pointer_bits() as u16;
        let exprs = &mut program.exprs;
        let mut sum = exprs.int((rest / stride) as u128, bits);
        for (by, part) in shape.parts {
            if exprs.ty(part) != Type::Int(bits) {
                return None;
            }
            let product = match by / stride {
                1 => part,
                n => {
                    let n = exprs.int(n as u128, bits);
                    exprs.binary(BinaryOp::Mul, part, n)
                }
            };
            sum = match exprs.get(sum) {
                Expr::Int { value: 0, .. } => product,
                _ => exprs.binary(BinaryOp::Add, product, sum),
            };
        }
        Some(sum)
    }

    /// How many bytes lie between the base and an address.
    pub fn distance(&self, program: &mut Program, address: ExprId) -> ExprId {
        let bits = program.model.pointer_bits() as u16;
        let exprs = &mut program.exprs;
        let (mut at, mut sum) = (address, None);
        while let Expr::Binary {
            op: BinaryOp::PtrAdd,
            left,
            right,
        } = exprs.get(at)
        {
            sum = Some(match sum {
                None => right,
                Some(sum) => exprs.binary(BinaryOp::Add, right, sum),
            });
            at = left;
        }
        if at == self.base {
            return sum.unwrap_or_else(|| exprs.int(0, bits));
        }
        let [at, base] = [at, self.base].map(|p| exprs.cast(CastOp::PtrToInt, p, Type::Int(bits)));
        let apart = exprs.binary(BinaryOp::Sub, at, base);
        match sum {
            None => apart,
            Some(sum) => exprs.binary(BinaryOp::Add, apart, sum),
        }
    }
}
