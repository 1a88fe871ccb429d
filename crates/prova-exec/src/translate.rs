//! Expressions to terms, over any environment: the state variables, or a symbolic store.
//!
//! Besides the value, translation gives the conditions under which evaluating the expression
//! does not trap, as far as they can be said without a layout: divisors are not zero, addresses
//! not in the null page. What is not said (an index past the end of its object) over-approximates
//! the runs that go on, never the other way round.

pub mod cells;

use crate::points_to::{ClassId, Partition};
use crate::state_vars::{float_format, StateVars, NULL_PAGE};
use crate::transfer::{unknown_access, Access};
use prova_ir::{
    BinaryOp, CastOp, DataModel, Expr, ExprId, FloatKind, Program, RegId, Type, UnaryOp,
};
use prova_logic::{float, FloatFormat, Op, RoundingMode, Term, Terms};
use rustc_hash::FxHashMap;

/// Where registers and memory have their values.
pub trait Env {
    /// The value of a register.
    fn register(&self, register: RegId) -> Term;
    /// The cells of a class.
    fn memory(&self, class: ClassId) -> Term;
    /// Changes whenever any of the values does; translations are remembered while it does not.
    fn generation(&self) -> u64;
}

/// The identity: every part of the state is its own variable.
impl Env for StateVars {
    fn register(&self, register: RegId) -> Term {
        self.register[register.index()]
    }

    fn memory(&self, class: ClassId) -> Term {
        self.memory[class.index()]
    }

    fn generation(&self) -> u64 {
        0
    }
}

/// What cannot be encoded as terms, and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unencodable {
    /// An operator on types it is not defined for; the validator would have refused it.
    #[error("{0} is not defined for {1:?}")]
    BadOperand(&'static str, Type),
    /// The expression was not part of the program when its memory was analysed.
    #[error("expression {0:?} is no address of the analysed program")]
    UnknownAddress(ExprId),
    /// The sides of a copy do not have the same cells.
    #[error("the two sides of a copy do not have the same cells")]
    CellsDiffer,
    /// Too many memory cells at once.
    #[error("{what} touches more than {limit} memory cells")]
    TooLarge {
        /// What does.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// Terms know one NaN, memory many: where bits of a float are seen as something else, storing
    /// a NaN has to be a case of its own; see [`crate::nan_bits`].
    #[error("a float that may be a NaN is stored where its bits can be seen")]
    NanBits,
    /// What a function returned that prints or formats.
    #[error("the path depends on what a library function returned that is not modelled")]
    Library,
    /// Calls are crossed by summaries or inlined, not encoded.
    #[error("calls are not encoded as one step")]
    Call,
}

/// What translation needs to know of the program.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its memory classes.
    pub partition: &'a Partition,
    /// Its state variables.
    pub vars: &'a StateVars,
}

/// Translates expressions and remembers what it did, while the environment stays the same.
#[derive(Clone, Default)]
pub struct Translator {
    memo: FxHashMap<ExprId, Term>,
    generation: Option<u64>,
    accesses: Vec<Access>,
}

/// Translates one expression; conditions go to `defined`.
pub fn translate(
    terms: &mut Terms,
    context: Context,
    expr: ExprId,
    env: &impl Env,
    defined: &mut Vec<Term>,
) -> Result<Term, Unencodable> {
    Translator::default().translate(terms, context, expr, env, defined)
}

impl Translator {
    /// Translates an expression. A condition is given when the part it belongs to is first
    /// translated in a generation: collect all of them in one place.
    pub fn translate(
        &mut self,
        terms: &mut Terms,
        context: Context,
        expr: ExprId,
        env: &impl Env,
        defined: &mut Vec<Term>,
    ) -> Result<Term, Unencodable> {
        if self.generation != Some(env.generation()) {
            self.memo.clear();
            self.generation = Some(env.generation());
        }
        let pool = &context.program.exprs;
        let mut work = vec![expr];
        while let Some(&id) = work.last() {
            if self.memo.contains_key(&id) {
                work.pop();
                continue;
            }
            let waiting = work.len();
            work.extend(pool.children(id).filter(|c| !self.memo.contains_key(c)));
            if work.len() == waiting {
                let term = self.step(terms, context, id, env, defined)?;
                if let Expr::Load { address, .. } = pool.get(id) {
                    let class = context.partition.class_of(address);
                    let class = class.ok_or(Unencodable::UnknownAddress(address))?;
                    let at = self.memo[&address];
                    self.accesses
                        .extend(unknown_access(terms, context, at, class));
                }
                self.memo.insert(id, term);
                work.pop();
            }
        }
        Ok(self.memo[&expr])
    }

    /// Accesses to objects that the program does not name, so far.
    pub fn accesses(&self) -> impl Iterator<Item = Access> + '_ {
        self.accesses.iter().copied()
    }

    fn step(
        &self,
        terms: &mut Terms,
        context: Context,
        id: ExprId,
        env: &impl Env,
        defined: &mut Vec<Term>,
    ) -> Result<Term, Unencodable> {
        let pool = &context.program.exprs;
        let model = context.program.model;
        let done = |e: ExprId| self.memo[&e];
        Ok(match pool.get(id) {
            Expr::Int { value, width: 1 } => terms.bool_const(value != 0),
            Expr::Int { value, width } => terms.bv(value, u32::from(width)),
            Expr::Float { kind, bits } => {
                let bits = match kind {
                    FloatKind::X87 => float::x87_from_storage(bits),
                    _ => bits,
                };
                terms.float_const(float_format(kind), bits)
            }
            Expr::Pointer(value) => terms.bv(u128::from(value), model.pointer_bits()),
            Expr::Reg(r) => env.register(r),
            Expr::Address(o) => context.vars.base(o),
            Expr::Function(p) => context.vars.function(p),
            Expr::Load { address, ty } => {
                let class = context.partition.class_of(address);
                let class = class.ok_or(Unencodable::UnknownAddress(address))?;
                let at = done(address);
                valid_address(terms, at, alignment(context, class), defined);
                let bits = cells::read(terms, env.memory(class), at, ty.bytes(model));
                cells::from_bits(terms, bits, ty)
            }
            Expr::Unary { op, arg } => {
                let a = done(arg);
                match op {
                    UnaryOp::Not if pool.ty(arg).is_bool() => terms.not(a),
                    UnaryOp::Not => terms.bv_not(a),
                    UnaryOp::Neg if pool.ty(arg).is_bool() => a,
                    UnaryOp::Neg => terms.neg(a),
                    UnaryOp::FNeg => terms.fneg(a),
                }
            }
            Expr::Binary { op, left, right } => {
                let (a, b) = (done(left), done(right));
                if pool.ty(left).is_bool() {
                    boolean(terms, op, a, b)?
                } else {
                    binary(terms, op, a, b, defined)
                }
            }
            Expr::Cast { op, arg, to } => cast(terms, op, done(arg), pool.ty(arg), to)?,
            Expr::Ite {
                cond,
                then,
                otherwise,
            } => terms.ite(done(cond), done(then), done(otherwise)),
        })
    }
}

/// The alignment that accesses of a class have in objects the program does not name: their cells
/// lie on a grid. Its own objects may have fields anywhere, if they are packed.
pub fn alignment(context: Context, class: ClassId) -> u64 {
    let class = context.partition.class(class);
    match class.unknown {
        true => u64::from(class.cell_bytes).min(context.program.model.pointer_bytes()),
        false => 1,
    }
}

/// The data model with addresses like this one.
fn model_of(terms: &Terms, address: Term) -> DataModel {
    match terms.width(address) {
        64 => DataModel::Lp64,
        _ => DataModel::Ilp32,
    }
}

/// Whether a constant is the start of the ghost table or lies in it.
fn is_ghost(terms: &Terms, address: Term) -> bool {
    let at = terms.as_u64(address);
    at.is_some_and(|at| model_of(terms, address).ghost_zone().contains(&at))
}

/// Adds the conditions that an address is not in the null page, and in the unknown zone is aligned,
/// unless that is plain to see.
pub fn valid_address(terms: &mut Terms, address: Term, align: u64, defined: &mut Vec<Term>) {
    // A sum is `((m1 + m2) + …) + c`: look for a base among its parts.
    let mut at = address;
    loop {
        if terms.object(at).is_some() {
            return;
        }
        if terms.op(at) != Op::Add {
            break;
        }
        let children = terms.children(at);
        let (left, right) = (children[0], children[1]);
        if terms.object(right).is_some() || is_ghost(terms, right) {
            return;
        }
        at = left;
    }
    let limit = terms.bv(u128::from(NULL_PAGE), terms.width(address));
    let valid = terms.ule(limit, address);
    if valid != terms.tru() && !defined.contains(&valid) {
        defined.push(valid);
    }
    if align.is_power_of_two() && align > 1 {
        let bits = align.trailing_zeros();
        let low = terms.extract(address, bits - 1, 0);
        let zero = terms.bv(0, bits);
        let aligned = terms.eq(low, zero);
        // The program's own objects lie below the unknown zone or above the ghost table behind it.
        let model = model_of(terms, address);
        let ends = [model.unknown_zone().start, model.ghost_zone().end];
        let ends = ends.map(|n| terms.bv(u128::from(n), terms.width(address)));
        let (below, above) = (terms.ult(address, ends[0]), terms.ule(ends[1], address));
        let aligned = terms.or(&[below, above, aligned]);
        if aligned != terms.tru() && !defined.contains(&aligned) {
            defined.push(aligned);
        }
    }
}

pub(crate) fn boolean(
    terms: &mut Terms,
    op: BinaryOp,
    a: Term,
    b: Term,
) -> Result<Term, Unencodable> {
    Ok(match op {
        BinaryOp::And | BinaryOp::Mul => terms.and2(a, b),
        BinaryOp::Or => terms.or2(a, b),
        BinaryOp::Xor | BinaryOp::Ne | BinaryOp::Add | BinaryOp::Sub => terms.xor(a, b),
        BinaryOp::Eq => terms.iff(a, b),
        BinaryOp::ULt => {
            let not = terms.not(a);
            terms.and2(not, b)
        }
        BinaryOp::ULe => terms.implies(a, b),
        _ => return Err(Unencodable::BadOperand("this operator", Type::BOOL)),
    })
}

pub(crate) fn binary(
    terms: &mut Terms,
    op: BinaryOp,
    a: Term,
    b: Term,
    defined: &mut Vec<Term>,
) -> Term {
    use BinaryOp::*;
    if op.traps_on_zero() {
        let zero = terms.bv(0, terms.width(b));
        let nonzero = terms.ne(b, zero);
        if nonzero != terms.tru() && !defined.contains(&nonzero) {
            defined.push(nonzero);
        }
    }
    match op {
        Add | PtrAdd => terms.add(a, b),
        Sub => terms.sub(a, b),
        Mul => terms.mul(a, b),
        UDiv => terms.udiv(a, b),
        SDiv => terms.sdiv(a, b),
        URem => terms.urem(a, b),
        SRem => terms.srem(a, b),
        And => terms.bv_and(a, b),
        Or => terms.bv_or(a, b),
        Xor => terms.bv_xor(a, b),
        Shl => terms.shl(a, b),
        LShr => terms.lshr(a, b),
        AShr => terms.ashr(a, b),
        Eq => terms.eq(a, b),
        Ne => terms.ne(a, b),
        ULt => terms.ult(a, b),
        ULe => terms.ule(a, b),
        SLt => terms.slt(a, b),
        SLe => terms.sle(a, b),
        FAdd => terms.fadd(a, b),
        FSub => terms.fsub(a, b),
        FMul => terms.fmul(a, b),
        FDiv => terms.fdiv(a, b),
        FEq => terms.feq(a, b),
        FNe => {
            let same = terms.feq(a, b);
            terms.not(same)
        }
        FLt => terms.flt(a, b),
        FLe => terms.fle(a, b),
    }
}

pub(crate) fn cast(
    terms: &mut Terms,
    op: CastOp,
    a: Term,
    from: Type,
    to: Type,
) -> Result<Term, Unencodable> {
    let bad = |ty| Unencodable::BadOperand("this conversion", ty);
    let width = match to {
        Type::Int(w) => Some(u32::from(w)),
        _ => None,
    };
    Ok(match op {
        CastOp::PtrToInt | CastOp::IntToPtr => a,
        CastOp::ZExt if from.is_bool() => terms.bool_to_bv(a, width.ok_or(bad(to))?),
        CastOp::SExt if from.is_bool() => {
            let bit = terms.bool_to_bv(a, 1);
            terms.sext(bit, width.ok_or(bad(to))?)
        }
        CastOp::ZExt => terms.zext(a, width.ok_or(bad(to))?),
        CastOp::SExt => terms.sext(a, width.ok_or(bad(to))?),
        CastOp::Trunc => cells::from_bits(terms, a, to),
        CastOp::SToF | CastOp::UToF => {
            let Type::Float(kind) = to else {
                return Err(bad(to));
            };
            let a = if from.is_bool() {
                terms.bool_to_bv(a, 1)
            } else {
                a
            };
            match op {
                CastOp::SToF => terms.sbv_to_float(a, float_format(kind)),
                _ => terms.ubv_to_float(a, float_format(kind)),
            }
        }
        CastOp::FToF => match to {
            Type::Float(kind) => terms.float_to_float(a, float_format(kind)),
            _ => return Err(bad(to)),
        },
        CastOp::FToS => float_to_signed(terms, a, width.ok_or(bad(to))?),
        CastOp::FToU => float_to_unsigned(terms, a, width.ok_or(bad(to))?),
    })
}

/// As gcc does on x86: narrow targets go through 32 bits, wider ones through 64.
fn float_to_signed(terms: &mut Terms, a: Term, width: u32) -> Term {
    let through = match width {
        0..=32 => 32,
        33..=64 => 64,
        wider => wider,
    };
    let converted = terms.float_to_sbv(a, through);
    terms.extract(converted, width - 1, 0)
}

/// As gcc does on x86: below 32 bits through 32, below 64 through 64, 64 bits in two halves.
fn float_to_unsigned(terms: &mut Terms, a: Term, width: u32) -> Term {
    let through = match width {
        0..=31 => 32,
        32..=63 => 64,
        64 if terms.format(a) != FloatFormat::X87 => {
            let format = terms.format(a);
            let power = float::from_unsigned(format, RoundingMode::NearestTiesToEven, 1 << 63);
            let power = terms.float_const(format, power);
            let large = terms.fle(power, a);
            let rest = terms.fsub(a, power);
            let high = terms.float_to_sbv(rest, 64);
            let top = terms.bv(1 << 63, 64);
            let high = terms.bv_xor(high, top);
            let low = terms.float_to_sbv(a, 64);
            return terms.ite(large, high, low);
        }
        wider => return terms.float_to_ubv(a, wider),
    };
    let converted = terms.float_to_sbv(a, through);
    terms.extract(converted, width - 1, 0)
}
