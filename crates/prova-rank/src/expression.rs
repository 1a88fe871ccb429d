//! Measures as expressions of a program.
//!
//! What is compared is compared as plainly as it can be: what is the same before and behind a round
//! cancels, one number against another or against a constant needs no arithmetic at all, and what is
//! left is computed in a width in which nothing wraps.

use crate::measure::{Atom, Extreme, Kind, Part, Place};
use crate::valid::{Base, Cell};
use crate::weave::Refused;
use prova_ir::{BinaryOp, CastOp, Expr, ExprId, ProcId, Program, RegId, Type, UnaryOp};

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

/// A number: its bits, and whether they are read in two's complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Number {
    /// An integer of its own width.
    pub bits: ExprId,
    /// How it is read.
    pub signed: bool,
}

/// A linear term over numbers.
#[derive(Clone, Debug, Default)]
pub struct Sum {
    terms: Vec<(i128, Number)>,
    constant: i128,
}

/// What is said of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// It is less than zero.
    Negative,
    /// It is zero or less.
    NotPositive,
    /// It is zero or more.
    NotNegative,
}

/// The number that an atom is.
pub fn number(
    program: &mut Program,
    scope: Scope,
    atom: &Atom,
    values: Values,
) -> Result<Number, Refused> {
    let no_number = || Refused::NoNumber(atom.to_string());
    let bits = match scope.cell(program, atom)? {
        Some(cell) => {
            let base = match cell.base {
                Base::Register(register) => program.read(register),
                Base::Object(object) => program.exprs.add(Expr::Address(object)),
            };
            let address = program.exprs.offset(base, cell.offset);
            program
                .exprs
                .load(address, Type::Int(cell.bytes as u16 * 8))
        }
        None => {
            let Place::Register(name) = &atom.place else {
                return Err(no_number());
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
        Type::Int(8..=64) => bits,
        Type::Ptr if atom.kind == Kind::Unsigned => {
            let number = Type::Int(pool.model().pointer_bits() as u16);
            pool.cast(CastOp::PtrToInt, bits, number)
        }
        _ => return Err(no_number()),
    };
    Ok(match atom.kind {
        Kind::Signed => Number { bits, signed: true },
        Kind::Unsigned => Number {
            bits,
            signed: false,
        },
        Kind::Low => {
            let minus = pool.unary(UnaryOp::Neg, bits);
            let bits = pool.binary(BinaryOp::And, bits, minus);
            Number {
                bits,
                signed: false,
            }
        }
    })
}

impl Sum {
    /// A linear term whose atoms are these numbers.
    fn of(part: &Part, numbers: &impl Fn(&Atom) -> Number) -> Sum {
        let mut sum = Sum {
            terms: Vec::new(),
            constant: part.constant,
        };
        for (factor, atom) in &part.terms {
            sum.add(i128::from(*factor), numbers(atom));
        }
        sum
    }

    fn add(&mut self, factor: i128, number: Number) {
        match self.terms.iter_mut().find(|(_, n)| *n == number) {
            Some((known, _)) => *known += factor,
            None => self.terms.push((factor, number)),
        }
        self.terms.retain(|t| t.0 != 0);
    }

    /// What is left when another one is taken away.
    pub fn minus(&self, other: &Sum) -> Sum {
        let mut difference = self.clone();
        difference.constant -= other.constant;
        for &(factor, number) in &other.terms {
            difference.add(-factor, number);
        }
        difference
    }

    /// That it has a sign, as an expression.
    pub fn is(&self, program: &mut Program, sign: Sign) -> Result<ExprId, Refused> {
        if let Some(plain) = self.plainly(program, sign) {
            return Ok(plain);
        }
        let width = self.width(program)?;
        let pool = &mut program.exprs;
        // Pluses on one side, minuses on the other.
        let mut sides: [Option<ExprId>; 2] = [None, None];
        let constant = self.constant.unsigned_abs();
        let constant = (constant != 0).then(|| pool.int(constant, width));
        sides[usize::from(self.constant < 0)] = constant;
        for &(factor, number) in &self.terms {
            let extend = match number.signed {
                true => CastOp::SExt,
                false => CastOp::ZExt,
            };
            let mut value = pool.cast(extend, number.bits, Type::Int(width));
            if factor.unsigned_abs() != 1 {
                let by = pool.int(factor.unsigned_abs(), width);
                value = pool.binary(BinaryOp::Mul, value, by);
            }
            let side = &mut sides[usize::from(factor < 0)];
            *side = Some(match *side {
                None => value,
                Some(sum) => pool.binary(BinaryOp::Add, sum, value),
            });
        }
        let zero = pool.int(0, width);
        let [plus, minus] = sides.map(|s| s.unwrap_or(zero));
        Ok(match sign {
            Sign::Negative => pool.binary(BinaryOp::SLt, plus, minus),
            Sign::NotPositive => pool.binary(BinaryOp::SLe, plus, minus),
            Sign::NotNegative => pool.binary(BinaryOp::SLe, minus, plus),
        })
    }

    /// The width in which no part of the sum wraps.
    fn width(&self, program: &Program) -> Result<u16, Refused> {
        let large = || Refused::NoNumber("a sum of numbers that large".into());
        let mut most = self.constant.unsigned_abs();
        for &(factor, number) in &self.terms {
            let Type::Int(bits @ 8..=64) = program.exprs.ty(number.bits) else {
                return Err(large());
            };
            let values = factor.unsigned_abs().checked_mul(1 << bits);
            let sum = values.and_then(|v| most.checked_add(v));
            most = sum.filter(|s| *s < 1 << 120).ok_or_else(large)?;
        }
        // One bit for the sign, and up to whole bytes.
        let bits = 129 - most.leading_zeros();
        Ok((bits as u16).next_multiple_of(8))
    }

    /// One number against another, or against a constant.
    fn plainly(&self, program: &mut Program, sign: Sign) -> Option<ExprId> {
        let pool = &mut program.exprs;
        match self.terms[..] {
            [] => {
                let holds = match sign {
                    Sign::Negative => self.constant < 0,
                    Sign::NotPositive => self.constant <= 0,
                    Sign::NotNegative => self.constant >= 0,
                };
                Some(pool.bool(holds))
            }
            [(factor @ (1 | -1), number)] => {
                // number < bound, or number >= bound.
                let (below, bound) = match (factor, sign) {
                    (1, Sign::Negative) => (true, -self.constant),
                    (1, Sign::NotPositive) => (true, -self.constant + 1),
                    (1, Sign::NotNegative) => (false, -self.constant),
                    (_, Sign::Negative) => (false, self.constant + 1),
                    (_, Sign::NotPositive) => (false, self.constant),
                    (_, Sign::NotNegative) => (true, self.constant + 1),
                };
                let Type::Int(width) = pool.ty(number.bits) else {
                    return None;
                };
                let (least, most) = match number.signed {
                    true => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
                    false => (0, (1i128 << width) - 1),
                };
                if bound <= least {
                    return Some(pool.bool(!below));
                }
                if bound > most {
                    return Some(pool.bool(below));
                }
                let bound = pool.int(bound as u128, width);
                let (less, least) = match number.signed {
                    true => (BinaryOp::SLt, BinaryOp::SLe),
                    false => (BinaryOp::ULt, BinaryOp::ULe),
                };
                Some(match below {
                    true => pool.binary(less, number.bits, bound),
                    false => pool.binary(least, bound, number.bits),
                })
            }
            [(1, plus), (-1, minus)] | [(-1, minus), (1, plus)]
                if plus.signed == minus.signed && pool.ty(plus.bits) == pool.ty(minus.bits) =>
            {
                let (less, least) = match plus.signed {
                    true => (BinaryOp::SLt, BinaryOp::SLe),
                    false => (BinaryOp::ULt, BinaryOp::ULe),
                };
                let (plus, minus) = (plus.bits, minus.bits);
                Some(match (sign, self.constant) {
                    (Sign::Negative, 0) | (Sign::NotPositive, 1) => pool.binary(less, plus, minus),
                    (Sign::NotPositive, 0) | (Sign::Negative, -1) => {
                        pool.binary(least, plus, minus)
                    }
                    (Sign::NotNegative, 0) => pool.binary(least, minus, plus),
                    (Sign::NotNegative, -1) => pool.binary(less, minus, plus),
                    _ => return None,
                })
            }
            _ => None,
        }
    }
}

/// What a part of a measure is: the least or greatest of sums.
#[derive(Clone, Debug)]
pub struct Value {
    extreme: Extreme,
    sums: Vec<Sum>,
}

impl Value {
    /// A part of a measure whose atoms are these numbers.
    pub fn of(part: &Part, numbers: impl Fn(&Atom) -> Number) -> Value {
        Value {
            extreme: part.extreme,
            sums: part.linear().map(|p| Sum::of(p, &numbers)).collect(),
        }
    }

    /// That it is not negative.
    pub(crate) fn is_bounded(&self, program: &mut Program) -> Result<ExprId, Refused> {
        let each = self.sums.iter();
        let each = each.map(|sum| sum.is(program, Sign::NotNegative));
        let each = each.collect::<Result<Vec<_>, _>>()?;
        Ok(self.of_old(program, &each))
    }

    /// That the difference to what it was has a sign: whoever is compared is the least or greatest of
    /// its own, so one of the least ones is less, or all of the greatest ones are.
    fn changed(&self, program: &mut Program, old: &Value, sign: Sign) -> Result<ExprId, Refused> {
        let mut against = Vec::new();
        for theirs in &old.sums {
            let own = self.sums.iter();
            let own = own.map(|own| own.minus(theirs).is(program, sign));
            let own = own.collect::<Result<Vec<_>, _>>()?;
            let op = match self.extreme {
                Extreme::Least => BinaryOp::Or,
                Extreme::Greatest => BinaryOp::And,
            };
            against.push(joined(program, op, &own));
        }
        Ok(old.of_old(program, &against))
    }

    /// What holds above the least of its own holds above all, above the greatest above one.
    fn of_old(&self, program: &mut Program, each: &[ExprId]) -> ExprId {
        let op = match self.extreme {
            Extreme::Least => BinaryOp::And,
            Extreme::Greatest => BinaryOp::Or,
        };
        joined(program, op, each)
    }
}

fn joined(program: &mut Program, op: BinaryOp, each: &[ExprId]) -> ExprId {
    let mut each = each.iter().copied();
    let Some(first) = each.next() else {
        return program.exprs.bool(false);
    };
    each.fold(first, |all, one| program.exprs.binary(op, all, one))
}

/// That a tuple has fallen: some part was not negative and is less now, and none before it is more.
pub fn fallen(program: &mut Program, before: &[Value], now: &[Value]) -> Result<ExprId, Refused> {
    let mut fallen = program.exprs.bool(false);
    // From the last part to the first: this one has fallen, or it has not risen and a later one has.
    for (i, (old, new)) in before.iter().zip(now).enumerate().rev() {
        let less = new.changed(program, old, Sign::Negative)?;
        let bounded = old.is_bounded(program)?;
        let this = program.exprs.binary(BinaryOp::And, bounded, less);
        fallen = if i + 1 == before.len() {
            this
        } else {
            let kept = new.changed(program, old, Sign::NotPositive)?;
            let pool = &mut program.exprs;
            let later = pool.binary(BinaryOp::And, kept, fallen);
            pool.binary(BinaryOp::Or, this, later)
        };
    }
    Ok(fallen)
}
