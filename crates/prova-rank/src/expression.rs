//! Measures as expressions of a program, wide enough that nothing wraps.

use crate::measure::{Atom, Kind, Part, Place};
use crate::valid::{Base, Cell};
use crate::weave::Refused;
use prova_ir::{BinaryOp, CastOp, Expr, ExprId, ProcId, Program, RegId, Type, UnaryOp};

/// Factors and constants are no larger than this, and a part has no more terms than [`TERMS`]: with
/// values of half the width, nothing wraps.
const LARGEST: i64 = 1 << 24;
const TERMS: usize = 16;

/// Where the atoms of a measure are looked up.
#[derive(Clone, Copy)]
pub struct Scope {
    /// The procedure whose registers they name, beside the global ones.
    pub procedure: ProcId,
}

impl Scope {
    /// The register with a name.
    pub fn register(self, program: &Program, name: &str) -> Result<RegId, Refused> {
        let own = |owner: Option<ProcId>| owner.is_none_or(|o| o == self.procedure);
        let mut all = program.registers.iter();
        let found = all.position(|r| r.name == name && own(r.owner));
        let unknown = || Refused::Unknown(name.to_owned());
        found.map(RegId::new).ok_or_else(unknown)
    }

    /// The cell that an atom names, if it names one.
    pub fn cell(self, program: &Program, atom: &Atom) -> Result<Option<Cell>, Refused> {
        let Place::Cell {
            base,
            object,
            offset,
            bits,
        } = &atom.place
        else {
            return Ok(None);
        };
        let unknown = || Refused::Unknown(base.clone());
        if *bits == 0 || bits % 8 != 0 || *bits > 64 || *offset > 1 << 40 {
            return Err(unknown());
        }
        let base = match object {
            true => {
                let found = program.objects.iter().position(|o| o.name == *base);
                Base::Object(prova_ir::ObjectId::new(found.ok_or_else(unknown)?))
            }
            false => {
                let register = self.register(program, base)?;
                if program.register(register).ty != Type::Ptr {
                    return Err(unknown());
                }
                Base::Register(register)
            }
        };
        Ok(Some(Cell {
            base,
            offset: *offset,
            bytes: u64::from(*bits / 8),
        }))
    }
}

/// What a measure is read from: registers as they are, or values that stand for them.
pub type Values<'a> = &'a dyn Fn(RegId) -> Option<ExprId>;

/// The width in which the parts of several measures that are compared are computed: numbers of half
/// of it, times the largest factor, as often as there may be terms, are far from its end.
pub fn width(program: &Program, scope: Scope, parts: &[Part]) -> Result<u16, Refused> {
    let mut widest = 0;
    for part in parts {
        let large = |n: i64| !(-LARGEST..=LARGEST).contains(&n);
        let factors = part.terms.iter().any(|t| large(t.0));
        let floor = part.floor.is_some_and(large);
        // A constant may be as large as an `int` is, and a little more.
        let constant = part.constant.unsigned_abs() > 1 << 33;
        if part.terms.is_empty() || part.terms.len() > TERMS || factors || floor || constant {
            return Err(Refused::NoNumber(part.to_string()));
        }
        for (_, atom) in &part.terms {
            let bits = match scope.cell(program, atom)? {
                Some(cell) => cell.bytes as u32 * 8,
                None => {
                    let Place::Register(name) = &atom.place else {
                        continue;
                    };
                    let register = scope.register(program, name)?;
                    match program.register(register).ty {
                        Type::Int(bits) => u32::from(bits),
                        Type::Ptr if atom.kind == Kind::Unsigned => program.model.pointer_bits(),
                        _ => return Err(Refused::NoNumber(atom.to_string())),
                    }
                }
            };
            widest = widest.max(bits);
        }
    }
    match widest {
        0..=32 => Ok(64),
        33..=64 => Ok(128),
        _ => Err(Refused::NoNumber("a number of more than 64 bits".into())),
    }
}

/// A part of a measure, as an expression of this width.
pub fn part(
    program: &mut Program,
    scope: Scope,
    part: &Part,
    width: u16,
    values: Values,
) -> Result<ExprId, Refused> {
    let mut sum: Option<ExprId> = None;
    for (factor, atom) in &part.terms {
        let mut value = self::atom(program, scope, atom, width, values)?;
        let pool = &mut program.exprs;
        let minus = *factor < 0;
        if factor.unsigned_abs() != 1 {
            let by = pool.int(u128::from(factor.unsigned_abs()), width);
            value = pool.binary(BinaryOp::Mul, value, by);
        }
        sum = Some(match (sum, minus) {
            (None, false) => value,
            (None, true) => pool.unary(UnaryOp::Neg, value),
            (Some(sum), false) => pool.binary(BinaryOp::Add, sum, value),
            (Some(sum), true) => pool.binary(BinaryOp::Sub, sum, value),
        });
    }
    let pool = &mut program.exprs;
    let mut sum = sum.ok_or_else(|| Refused::NoNumber(part.to_string()))?;
    if part.constant != 0 {
        let constant = pool.int(i128::from(part.constant) as u128, width);
        sum = pool.binary(BinaryOp::Add, sum, constant);
    }
    if let Some(floor) = part.floor {
        let floor = pool.int(i128::from(floor) as u128, width);
        let cond = pool.binary(BinaryOp::SLt, sum, floor);
        sum = pool.add(Expr::Ite {
            cond,
            then: floor,
            otherwise: sum,
        });
    }
    Ok(sum)
}

fn atom(
    program: &mut Program,
    scope: Scope,
    atom: &Atom,
    width: u16,
    values: Values,
) -> Result<ExprId, Refused> {
    let bits = match scope.cell(program, atom)? {
        Some(cell) => {
            let base = match cell.base {
                Base::Register(register) => program.read(register),
                Base::Object(object) => program.exprs.add(Expr::Address(object)),
            };
            let address = program.exprs.offset(base, cell.offset);
            program.exprs.load(address, Type::Int(cell.bytes as u16 * 8))
        }
        None => {
            let Place::Register(name) = &atom.place else {
                return Err(Refused::NoNumber(atom.to_string()));
            };
            let register = scope.register(program, name)?;
            match values(register) {
                Some(value) => value,
                None => program.read(register),
            }
        }
    };
    let pool = &mut program.exprs;
    let bits = match pool.ty(bits) {
        Type::Int(_) => bits,
        Type::Ptr => {
            let number = Type::Int(pool.model().pointer_bits() as u16);
            pool.cast(CastOp::PtrToInt, bits, number)
        }
        Type::Float(_) => return Err(Refused::NoNumber(atom.to_string())),
    };
    let to = Type::Int(width);
    Ok(match atom.kind {
        Kind::Signed => pool.cast(CastOp::SExt, bits, to),
        Kind::Unsigned => pool.cast(CastOp::ZExt, bits, to),
        Kind::Low => {
            let minus = pool.unary(UnaryOp::Neg, bits);
            let low = pool.binary(BinaryOp::And, bits, minus);
            pool.cast(CastOp::ZExt, low, to)
        }
    })
}

/// That a tuple has fallen: some part was not negative and is less now, and none before it is more.
pub fn fallen(program: &mut Program, before: &[ExprId], now: &[ExprId], width: u16) -> ExprId {
    let pool = &mut program.exprs;
    let zero = pool.int(0, width);
    let mut fallen = pool.bool(false);
    // From the last part to the first: this one has fallen, or it has not risen and a later one has.
    for (i, (&old, &new)) in before.iter().zip(now).enumerate().rev() {
        let less = pool.binary(BinaryOp::SLt, new, old);
        let bounded = pool.binary(BinaryOp::SLe, zero, old);
        let this = pool.binary(BinaryOp::And, bounded, less);
        fallen = if i + 1 == before.len() {
            this
        } else {
            let kept = pool.binary(BinaryOp::SLe, new, old);
            let later = pool.binary(BinaryOp::And, kept, fallen);
            pool.binary(BinaryOp::Or, this, later)
        };
    }
    fallen
}
