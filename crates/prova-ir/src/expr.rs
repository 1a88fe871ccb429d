//! Expressions: no side effects, every conversion explicit, kept once in a pool.
//!
//! The pool hash-conses: equal expressions have equal ids, and children come before their
//! parents, so that a pass over all expressions is a pass over a vector.

use crate::ids::{ExprId, ObjectId, ProcId, RegId};
use crate::types::{DataModel, FloatKind, Type};
use hashbrown::HashTable;
use std::hash::{BuildHasher, BuildHasherDefault};

/// An expression. Operand types are stated per operator; the validator enforces them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// An integer constant; `value` has no bits beyond `width`.
    Int {
        /// The bits.
        value: u128,
        /// Their number.
        width: u16,
    },
    /// A float constant by its stored bits.
    Float {
        /// Format.
        kind: FloatKind,
        /// 32, 64 or 80 bits.
        bits: u128,
    },
    /// A constant address, the null pointer among them.
    Pointer(u64),
    /// The value of a register.
    Reg(RegId),
    /// The address of an object's first byte.
    Address(ObjectId),
    /// The address of a function.
    Function(ProcId),
    /// The value in memory at an address (little-endian).
    Load {
        /// Where.
        address: ExprId,
        /// What; never a truth value.
        ty: Type,
    },
    /// A unary operation.
    Unary {
        /// Operator.
        op: UnaryOp,
        /// Operand.
        arg: ExprId,
    },
    /// A binary operation.
    Binary {
        /// Operator.
        op: BinaryOp,
        /// Left operand.
        left: ExprId,
        /// Right operand.
        right: ExprId,
    },
    /// A conversion.
    Cast {
        /// Kind of conversion.
        op: CastOp,
        /// Operand.
        arg: ExprId,
        /// Resulting type.
        to: Type,
    },
    /// `then` or `otherwise`; both are evaluated.
    Ite {
        /// A truth value.
        cond: ExprId,
        /// Value where it holds.
        then: ExprId,
        /// Value where it does not; same type.
        otherwise: ExprId,
    },
}

impl Expr {
    /// The same operation on other operands.
    pub fn map_children(self, mut f: impl FnMut(ExprId) -> ExprId) -> Expr {
        match self {
            Expr::Load { address, ty } => Expr::Load {
                address: f(address),
                ty,
            },
            Expr::Unary { op, arg } => Expr::Unary { op, arg: f(arg) },
            Expr::Binary { op, left, right } => Expr::Binary {
                op,
                left: f(left),
                right: f(right),
            },
            Expr::Cast { op, arg, to } => Expr::Cast {
                op,
                arg: f(arg),
                to,
            },
            Expr::Ite {
                cond,
                then,
                otherwise,
            } => Expr::Ite {
                cond: f(cond),
                then: f(then),
                otherwise: f(otherwise),
            },
            Expr::Int { .. }
            | Expr::Float { .. }
            | Expr::Pointer(_)
            | Expr::Reg(_)
            | Expr::Address(_)
            | Expr::Function(_) => self,
        }
    }
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnaryOp {
    /// Two's complement negation of an integer.
    Neg,
    /// Bitwise complement of an integer; negation of a truth value.
    Not,
    /// Sign flip of a float.
    FNeg,
}

/// Binary operators. Operands have one type, except for shifts (left operand gives the type,
/// right has the same width) and [`BinaryOp::PtrAdd`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BinaryOp {
    /// Integer sum, wrapping.
    Add,
    /// Integer difference, wrapping.
    Sub,
    /// Integer product, wrapping.
    Mul,
    /// Unsigned quotient; traps on zero.
    UDiv,
    /// Signed quotient towards zero; traps on zero, wraps on overflow.
    SDiv,
    /// Unsigned remainder; traps on zero.
    URem,
    /// Signed remainder, sign of the dividend; traps on zero.
    SRem,
    /// Bitwise and; conjunction of truth values.
    And,
    /// Bitwise or; disjunction of truth values.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Left shift; zero when the amount is the width or more.
    Shl,
    /// Logical right shift; zero when the amount is the width or more.
    LShr,
    /// Arithmetic right shift; the sign everywhere when the amount is the width or more.
    AShr,
    /// Equality of integers, truth values or pointers.
    Eq,
    /// Inequality of integers, truth values or pointers.
    Ne,
    /// Unsigned less-than; also pointers.
    ULt,
    /// Unsigned less-or-equal; also pointers.
    ULe,
    /// Signed less-than.
    SLt,
    /// Signed less-or-equal.
    SLe,
    /// Pointer plus a byte offset of pointer width.
    PtrAdd,
    /// Float sum, round to nearest even (as all float arithmetic).
    FAdd,
    /// Float difference.
    FSub,
    /// Float product.
    FMul,
    /// Float quotient.
    FDiv,
    /// IEEE equality.
    FEq,
    /// Negated IEEE equality.
    FNe,
    /// IEEE less-than; false on NaN.
    FLt,
    /// IEEE less-or-equal; false on NaN.
    FLe,
}

impl BinaryOp {
    /// Whether the result is a truth value.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(
            self,
            Eq | Ne | ULt | ULe | SLt | SLe | FEq | FNe | FLt | FLe
        )
    }

    /// Whether a zero right operand traps.
    pub fn traps_on_zero(self) -> bool {
        use BinaryOp::*;
        matches!(self, UDiv | SDiv | URem | SRem)
    }
}

/// Conversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CastOp {
    /// Integer to a wider integer, zeros above.
    ZExt,
    /// Integer to a wider integer, copies of the sign above.
    SExt,
    /// Integer to a narrower integer.
    Trunc,
    /// Signed integer to float, rounding to nearest even.
    SToF,
    /// Unsigned integer to float, rounding to nearest even.
    UToF,
    /// Float to signed integer, towards zero; out of range as x86 does: the minimum.
    FToS,
    /// Float to unsigned integer, towards zero; what x86 code computes when out of range.
    FToU,
    /// Float to float.
    FToF,
    /// Pointer to an integer of the same width.
    PtrToInt,
    /// Integer of pointer width to pointer.
    IntToPtr,
}

/// All expressions of a program.
#[derive(Clone)]
pub struct ExprPool {
    model: DataModel,
    exprs: Vec<Expr>,
    types: Vec<Type>,
    index: HashTable<u32>,
}

type Hasher = BuildHasherDefault<rustc_hash::FxHasher>;

fn hash(expr: &Expr) -> u64 {
    Hasher::default().hash_one(expr)
}

impl ExprPool {
    /// An empty pool.
    pub fn new(model: DataModel) -> Self {
        Self {
            model,
            exprs: Vec::new(),
            types: Vec::new(),
            index: HashTable::new(),
        }
    }

    /// The data model its addresses have.
    pub fn model(&self) -> DataModel {
        self.model
    }

    /// The expression with this id.
    pub fn get(&self, id: ExprId) -> Expr {
        self.exprs[id.index()]
    }

    /// The type of the expression's value.
    pub fn ty(&self, id: ExprId) -> Type {
        self.types[id.index()]
    }

    /// How many expressions there are.
    pub fn len(&self) -> usize {
        self.exprs.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.exprs.is_empty()
    }

    /// All ids, children before parents.
    pub fn ids(&self) -> impl Iterator<Item = ExprId> {
        (0..self.exprs.len()).map(ExprId::new)
    }

    /// The value of a register of type `ty`.
    pub fn reg(&mut self, reg: RegId, ty: Type) -> ExprId {
        self.insert(Expr::Reg(reg), ty)
    }

    /// Adds any expression but [`Expr::Reg`], whose type only the register table knows: see
    /// [`ExprPool::reg`].
    ///
    /// # Panics
    /// If given `Expr::Reg`.
    pub fn add(&mut self, expr: Expr) -> ExprId {
        let ty = match expr {
            Expr::Int { width, .. } => Type::Int(width),
            Expr::Float { kind, .. } => Type::Float(kind),
            Expr::Pointer(_) | Expr::Address(_) | Expr::Function(_) => Type::Ptr,
            Expr::Reg(_) => panic!("registers are added with their type"),
            Expr::Load { ty, .. } => ty,
            Expr::Unary { arg, .. } => self.ty(arg),
            Expr::Binary { op, left, .. } => {
                if op.is_comparison() {
                    Type::BOOL
                } else {
                    self.ty(left)
                }
            }
            Expr::Cast { to, .. } => to,
            Expr::Ite { then, .. } => self.ty(then),
        };
        self.insert(expr, ty)
    }

    fn insert(&mut self, expr: Expr, ty: Type) -> ExprId {
        let exprs = &self.exprs;
        let h = hash(&expr);
        if let Some(&found) = self.index.find(h, |&i| exprs[i as usize] == expr) {
            return ExprId(found);
        }
        let id = ExprId::new(self.exprs.len());
        self.exprs.push(expr);
        self.types.push(ty);
        let exprs = &self.exprs;
        self.index
            .insert_unique(h, id.0, |&i| hash(&exprs[i as usize]));
        id
    }

    /// An integer constant; bits beyond `width` are cut off.
    pub fn int(&mut self, value: u128, width: u16) -> ExprId {
        let value = if width >= 128 {
            value
        } else {
            value & ((1 << width) - 1)
        };
        self.add(Expr::Int { value, width })
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> ExprId {
        self.int(u128::from(value), 1)
    }

    /// A unary operation, as written.
    pub fn unary(&mut self, op: UnaryOp, arg: ExprId) -> ExprId {
        self.add(Expr::Unary { op, arg })
    }

    /// A binary operation, as written.
    pub fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        self.add(Expr::Binary { op, left, right })
    }

    /// The address that an integer was made of, or the expression itself.
    pub fn kept_address(&self, id: ExprId) -> ExprId {
        match self.get(id) {
            Expr::Cast {
                op: CastOp::PtrToInt,
                arg,
                ..
            } => arg,
            _ => id,
        }
    }

    /// A conversion, as written.
    pub fn cast(&mut self, op: CastOp, arg: ExprId, to: Type) -> ExprId {
        self.add(Expr::Cast { op, arg, to })
    }

    /// A load.
    pub fn load(&mut self, address: ExprId, ty: Type) -> ExprId {
        self.add(Expr::Load { address, ty })
    }

    /// The negation of a truth value; undoes an outer negation.
    pub fn not(&mut self, cond: ExprId) -> ExprId {
        match self.get(cond) {
            Expr::Unary {
                op: UnaryOp::Not,
                arg,
            } => arg,
            Expr::Int { value, width: 1 } => self.int(1 - value, 1),
            _ => self.unary(UnaryOp::Not, cond),
        }
    }

    /// A pointer `bytes` beyond `base`; `base` itself when that is zero.
    pub fn offset(&mut self, base: ExprId, bytes: u64) -> ExprId {
        if bytes == 0 {
            return base;
        }
        let bits = self.model.pointer_bits() as u16;
        let by = self.int(u128::from(bytes), bits);
        self.binary(BinaryOp::PtrAdd, base, by)
    }

    /// The operands, in order.
    pub fn children(&self, id: ExprId) -> impl Iterator<Item = ExprId> {
        let (a, b, c) = match self.get(id) {
            Expr::Load { address: a, .. }
            | Expr::Unary { arg: a, .. }
            | Expr::Cast { arg: a, .. } => (Some(a), None, None),
            Expr::Binary { left, right, .. } => (Some(left), Some(right), None),
            Expr::Ite {
                cond,
                then,
                otherwise,
            } => (Some(cond), Some(then), Some(otherwise)),
            _ => (None, None, None),
        };
        [a, b, c].into_iter().flatten()
    }

    /// The same expression in another pool, its leaves (registers, objects, constants) replaced
    /// by leaves of the same type; `copies` remembers what went over before.
    pub fn copy_into(
        &self,
        root: ExprId,
        other: &mut ExprPool,
        copies: &mut rustc_hash::FxHashMap<ExprId, ExprId>,
        leaf: impl Fn(Expr) -> Expr,
    ) -> ExprId {
        let mut work = vec![root];
        while let Some(&id) = work.last() {
            let waiting = work.len();
            if !copies.contains_key(&id) {
                work.extend(self.children(id).filter(|c| !copies.contains_key(c)));
                if work.len() == waiting {
                    let expr = leaf(self.get(id)).map_children(|c| copies[&c]);
                    copies.insert(id, other.insert(expr, self.ty(id)));
                }
            }
            if work.len() == waiting {
                work.pop();
            }
        }
        copies[&root]
    }

    /// Rebuilds an expression from its leaves up. `step` gets each expression with its operands
    /// already rebuilt and the type it had, and says what takes its place; `done` remembers.
    pub fn rewrite(
        &mut self,
        root: ExprId,
        done: &mut rustc_hash::FxHashMap<ExprId, ExprId>,
        mut step: impl FnMut(&mut ExprPool, Expr, Type) -> ExprId,
    ) -> ExprId {
        let mut work = vec![root];
        while let Some(&id) = work.last() {
            let waiting = work.len();
            if !done.contains_key(&id) {
                work.extend(self.children(id).filter(|c| !done.contains_key(c)));
                if work.len() == waiting {
                    let expr = self.get(id).map_children(|c| done[&c]);
                    let ty = self.ty(id);
                    let new = step(self, expr, ty);
                    done.insert(id, new);
                }
            }
            if work.len() == waiting {
                work.pop();
            }
        }
        done[&root]
    }

    /// Adds any expression; `ty` is used for a register, whose type only its table knows.
    pub fn add_typed(&mut self, expr: Expr, ty: Type) -> ExprId {
        match expr {
            Expr::Reg(reg) => self.reg(reg, ty),
            _ => self.add(expr),
        }
    }

    /// Every expression below `root`, `root` included, each once, children before parents.
    pub fn subexpressions(&self, root: ExprId) -> Vec<ExprId> {
        let mut found = vec![root];
        let mut next = 0;
        let mut seen = rustc_hash::FxHashSet::default();
        seen.insert(root);
        while next < found.len() {
            let id = found[next];
            next += 1;
            found.extend(self.children(id).filter(|&c| seen.insert(c)));
        }
        found.sort_unstable();
        found
    }
}

impl PartialEq for ExprPool {
    /// Same expressions under the same ids.
    fn eq(&self, other: &Self) -> bool {
        self.model == other.model && self.exprs == other.exprs && self.types == other.types
    }
}

impl Eq for ExprPool {}

impl std::fmt::Debug for ExprPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.exprs.iter().zip(&self.types))
            .finish()
    }
}
