//! What is known of a value: the least and the greatest that it can be. Everything here gives room:
//! a result holds all that the machine could compute from values within its operands.

use prova_exec::arith;
use prova_ir::{BinaryOp, CastOp, Expr, ExprId, ExprPool, Type, UnaryOp};

/// The values from one to another, both included, in the signed reading; truth values are 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Between {
    /// The least.
    pub low: i64,
    /// The greatest.
    pub high: i64,
}

/// Anything: also what stands for values that are not followed (floats, addresses, wide integers).
pub const ANYTHING: Between = Between {
    low: i64::MIN,
    high: i64::MAX,
};
const EITHER: Between = Between { low: 0, high: 1 };

/// The width of values that are followed.
pub fn width_of(ty: Type) -> Option<u8> {
    match ty {
        Type::Int(width @ 1..=64) => Some(width as u8),
        _ => None,
    }
}

impl Between {
    /// One value.
    pub fn exactly(value: i64) -> Between {
        Between {
            low: value,
            high: value,
        }
    }

    /// One of the two truth values.
    fn truth(value: bool) -> Between {
        Between::exactly(value.into())
    }

    /// All values of a type.
    pub fn all(ty: Type) -> Between {
        match width_of(ty) {
            Some(1) => EITHER,
            Some(width) => Between {
                low: i64::MIN >> (64 - width),
                high: i64::MAX >> (64 - width),
            },
            None => ANYTHING,
        }
    }

    /// The value, if it can be only one.
    pub fn value(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    /// What lies in both.
    pub fn meet(self, other: Between) -> Between {
        Between {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        }
    }

    fn is_empty(self) -> bool {
        self.low > self.high
    }

    /// Whether it has all values of another.
    pub fn holds(self, other: Between) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// Wide enough for another: an end that has to move goes to that of a third.
    pub fn grown(self, other: Between, to: Between) -> Between {
        Between {
            low: if other.low < self.low {
                to.low
            } else {
                self.low
            },
            high: if other.high > self.high {
                to.high
            } else {
                self.high
            },
        }
    }

    /// From bounds that were computed without wrapping: all of the type, if they do not fit.
    fn fitting(ends: [i128; 2], ty: Type) -> Between {
        let all = Between::all(ty);
        match ends.map(i64::try_from) {
            [Ok(low), Ok(high)] if all.holds(Between { low, high }) => Between { low, high },
            _ => all,
        }
    }
}

fn bits(value: i64, width: u8) -> u64 {
    value as u64 & arith::mask(width)
}

fn reading(bits: u64, width: u8) -> i64 {
    match width {
        1 => (bits & 1) as i64,
        _ => arith::signed(bits, width),
    }
}

/// What expressions can be, given what registers can be.
pub struct Evaluation<'a> {
    /// All expressions.
    pub pool: &'a ExprPool,
    /// By register.
    pub registers: &'a [Between],
    /// Whether something was divided by what is zero for certain.
    pub traps: bool,
}

impl Evaluation<'_> {
    /// What an expression can be.
    pub fn of(&mut self, id: ExprId) -> Between {
        let ty = self.pool.ty(id);
        match self.pool.get(id) {
            Expr::Int { value, .. } => match width_of(ty) {
                Some(width) => Between::exactly(reading(value as u64, width)),
                None => ANYTHING,
            },
            Expr::Reg(register) => self.registers[register.index()],
            Expr::Unary { op, arg } => self.unary(op, arg, ty),
            Expr::Binary { op, left, right } => self.binary(op, left, right, ty),
            Expr::Cast { op, arg, to } => self.cast(op, arg, to),
            Expr::Ite {
                cond,
                then,
                otherwise,
            } => match self.of(cond).value() {
                Some(0) => self.of(otherwise),
                Some(_) => self.of(then),
                None => {
                    let (a, b) = (self.of(then), self.of(otherwise));
                    Between {
                        low: a.low.min(b.low),
                        high: a.high.max(b.high),
                    }
                }
            },
            _ => Between::all(ty),
        }
    }

    fn unary(&mut self, op: UnaryOp, arg: ExprId, ty: Type) -> Between {
        let a = self.of(arg);
        match (op, width_of(ty)) {
            (UnaryOp::Not, Some(1)) => Between {
                low: 1 - a.high,
                high: 1 - a.low,
            },
            (UnaryOp::Not, Some(_)) => Between {
                low: !a.high,
                high: !a.low,
            },
            (UnaryOp::Neg, Some(1)) => a,
            (UnaryOp::Neg, Some(width)) => match a.value() {
                Some(value) => Between::exactly(reading(bits(value.wrapping_neg(), width), width)),
                None => Between::fitting([-i128::from(a.high), -i128::from(a.low)], ty),
            },
            _ => Between::all(ty),
        }
    }

    fn cast(&mut self, op: CastOp, arg: ExprId, to: Type) -> Between {
        let (a, from) = (self.of(arg), width_of(self.pool.ty(arg)));
        let (Some(from), Some(width)) = (from, width_of(to)) else {
            return Between::all(to);
        };
        match op {
            CastOp::ZExt if a.low >= 0 => a,
            CastOp::ZExt => match a.value() {
                Some(value) => Between::exactly(bits(value, from) as i64),
                None => Between {
                    low: 0,
                    high: arith::mask(from) as i64,
                },
            },
            CastOp::SExt if from == 1 => Between {
                low: -a.high,
                high: -a.low,
            },
            CastOp::SExt => a,
            CastOp::Trunc => match a.value() {
                Some(value) => Between::exactly(reading(bits(value, from), width)),
                None if Between::all(to).holds(a) => a,
                None => Between::all(to),
            },
            _ => Between::all(to),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, ty: Type) -> Between {
        use BinaryOp::*;
        let operands = self.pool.ty(left);
        let Some(width) = width_of(operands) else {
            return Between::all(ty);
        };
        let (a, b) = (self.of(left), self.of(right));
        if op.traps_on_zero() && b == Between::exactly(0) {
            self.traps = true;
            return Between::all(ty);
        }
        if width == 1 {
            return match op {
                And => Between {
                    low: a.low & b.low,
                    high: a.high & b.high,
                },
                Or => Between {
                    low: a.low | b.low,
                    high: a.high | b.high,
                },
                Eq | Ne => equality(op, a, b),
                _ => EITHER,
            };
        }
        if op.is_comparison() {
            return match op {
                Eq | Ne => equality(op, a, b),
                SLt => below(a, b, 0),
                SLe => below(a, b, 1),
                ULt | ULe => {
                    let more = i64::from(op == ULe);
                    match (a.low >= 0, a.high < 0, b.low >= 0, b.high < 0) {
                        (true, _, true, _) | (_, true, _, true) => below(a, b, more),
                        (true, _, _, true) => Between::truth(true),
                        (_, true, true, _) => Between::truth(false),
                        _ => EITHER,
                    }
                }
                _ => EITHER,
            };
        }
        if let (Some(x), Some(y)) = (a.value(), b.value()) {
            return match op {
                FAdd | FSub | FMul | FDiv | PtrAdd => Between::all(ty),
                _ => {
                    let result = arith::binary(op, width, bits(x, width), bits(y, width));
                    Between::exactly(reading(result, width))
                }
            };
        }
        let [al, ah, bl, bh] = [a.low, a.high, b.low, b.high].map(i128::from);
        match op {
            Add => Between::fitting([al + bl, ah + bh], ty),
            Sub => Between::fitting([al - bh, ah - bl], ty),
            Mul => {
                let products = [al * bl, al * bh, ah * bl, ah * bh];
                let least = products.into_iter().min().unwrap_or(0);
                let most = products.into_iter().max().unwrap_or(0);
                Between::fitting([least, most], ty)
            }
            SDiv | UDiv if bl == bh && (op == SDiv || (al >= 0 && bl > 0)) => {
                let (x, y) = (al / bl, ah / bl);
                Between::fitting([x.min(y), x.max(y)], ty)
            }
            SRem | URem if bl == bh && (op == SRem || (al >= 0 && bl > 0)) => {
                let most = bl.abs() - 1;
                match al > -most - 1 && ah < most + 1 {
                    true => a,
                    false => {
                        let low = if al >= 0 { 0 } else { al.max(-most) };
                        let high = if ah <= 0 { 0 } else { ah.min(most) };
                        Between::fitting([low, high], ty)
                    }
                }
            }
            And if b.low >= 0 => Between {
                low: 0,
                high: if a.low >= 0 {
                    a.high.min(b.high)
                } else {
                    b.high
                },
            },
            _ => Between::all(ty),
        }
    }
}

fn equality(op: BinaryOp, a: Between, b: Between) -> Between {
    let equal = op == BinaryOp::Eq;
    match (a.value(), b.value()) {
        _ if a.meet(b).is_empty() => Between::truth(!equal),
        (Some(_), Some(_)) => Between::truth(equal),
        _ => EITHER,
    }
}

/// Whether `a < b + more`.
fn below(a: Between, b: Between, more: i64) -> Between {
    let [al, ah, bl, bh] = [a.low, a.high, b.low, b.high].map(i128::from);
    let more = i128::from(more);
    if ah < bl + more {
        Between::truth(true)
    } else if al >= bh + more {
        Between::truth(false)
    } else {
        EITHER
    }
}

/// Takes in that a condition holds, or that it does not. `false` if that is seen to be impossible.
pub fn assume(pool: &ExprPool, registers: &mut [Between], id: ExprId, holds: bool) -> bool {
    use BinaryOp::*;
    match pool.get(id) {
        Expr::Reg(register) => {
            let known = &mut registers[register.index()];
            *known = known.meet(Between::truth(holds));
            !known.is_empty()
        }
        Expr::Unary {
            op: UnaryOp::Not,
            arg,
        } if pool.ty(id).is_bool() => assume(pool, registers, arg, !holds),
        Expr::Binary {
            op: op @ (And | Or),
            left,
            right,
        } if pool.ty(id).is_bool() && (op == And) == holds => {
            assume(pool, registers, left, holds) && assume(pool, registers, right, holds)
        }
        Expr::Binary {
            op: op @ (Eq | Ne | SLt | SLe),
            left,
            right,
        } if width_of(pool.ty(left)).is_some_and(|w| w > 1) => {
            let mut sides = Evaluation {
                pool,
                registers,
                traps: false,
            };
            let (a, b) = (sides.of(left), sides.of(right));
            let (x, y) = narrowed(op, holds, a, b);
            if x.is_empty() || y.is_empty() {
                return false;
            }
            for (side, known) in [(left, x), (right, y)] {
                if let Expr::Reg(register) = pool.get(side) {
                    registers[register.index()] = known;
                }
            }
            true
        }
        _ => true,
    }
}

/// What two sides of a comparison can be where it holds, or where it does not.
fn narrowed(op: BinaryOp, holds: bool, a: Between, b: Between) -> (Between, Between) {
    use BinaryOp::*;
    match (op, holds) {
        (Eq, true) | (Ne, false) => (a.meet(b), a.meet(b)),
        (Eq, false) | (Ne, true) => (without(a, b), without(b, a)),
        (SLt, true) => at_most(a, b, 1),
        (SLe, true) => at_most(a, b, 0),
        // Not `a < b`: `b <= a`.
        (SLt, false) => swapped(at_most(b, a, 0)),
        _ => swapped(at_most(b, a, 1)),
    }
}

fn swapped((a, b): (Between, Between)) -> (Between, Between) {
    (b, a)
}

/// Both sides where `a + less <= b`.
fn at_most(a: Between, b: Between, less: i64) -> (Between, Between) {
    let mut both = (a, b);
    both.0.high = a.high.min(b.high.saturating_sub(less));
    both.1.low = b.low.max(a.low.saturating_add(less));
    both
}

/// The one without the other, where that is a single value at its end.
fn without(mut a: Between, b: Between) -> Between {
    if let Some(value) = b.value() {
        if a == b {
            return Between { low: 1, high: 0 };
        }
        a.low += i64::from(a.low == value);
        a.high -= i64::from(a.high == value);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use prova_ir::{DataModel, RegId};

    /// For every operator, what is computed from ranges holds what the machine computes from each
    /// value in them; and what a condition leaves of the ranges holds all values for which it is so.
    #[test]
    fn ranges_hold_what_the_machine_computes() {
        use BinaryOp::*;
        let ty = Type::Int(4);
        let mut pool = ExprPool::new(DataModel::Ilp32);
        let [x, y] = [0, 1].map(|r| pool.reg(RegId::new(r), ty));
        let ends = [-8, -7, -3, -1, 0, 1, 2, 5, 7];
        let ranges = |ends: [i64; 9]| {
            let pairs = ends.into_iter().flat_map(move |l| ends.map(|h| (l, h)));
            pairs.filter(|(l, h)| l <= h).collect::<Vec<_>>()
        };
        for op in [
            Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, Eq, Ne, ULt, ULe,
            SLt, SLe,
        ] {
            let both = pool.add(Expr::Binary {
                op,
                left: x,
                right: y,
            });
            let wide = match op.is_comparison() {
                true => both,
                false => pool.add(Expr::Cast {
                    op: CastOp::ZExt,
                    arg: both,
                    to: Type::Int(8),
                }),
            };
            for (low, high) in ranges(ends) {
                for (least, most) in ranges(ends) {
                    let known = [
                        Between { low, high },
                        Between {
                            low: least,
                            high: most,
                        },
                    ];
                    let mut evaluation = Evaluation {
                        pool: &pool,
                        registers: &known,
                        traps: false,
                    };
                    let (found, extended) = (evaluation.of(both), evaluation.of(wide));
                    let mut left = [known, known];
                    let possible = [true, false].map(|holds| {
                        op.is_comparison()
                            && assume(&pool, &mut left[usize::from(!holds)], both, holds)
                    });
                    for a in low..=high {
                        for b in (least..=most).filter(|&b| b != 0 || !op.traps_on_zero()) {
                            let result = arith::binary(op, 4, bits(a, 4), bits(b, 4));
                            let width = if op.is_comparison() { 1 } else { 4 };
                            let value = Between::exactly(reading(result, width));
                            assert!(
                                found.holds(value),
                                "{op:?} of {known:?}: {found:?}, {a} {b}"
                            );
                            if !op.is_comparison() {
                                let value = Between::exactly(result as i64);
                                assert!(extended.holds(value), "{op:?} of {known:?}, {a} {b}");
                                continue;
                            }
                            let side = usize::from(result == 0);
                            assert!(possible[side], "{op:?} of {known:?}: {a} {b}");
                            let held = left[side];
                            let values = [a, b].map(Between::exactly);
                            assert!(held[0].holds(values[0]) && held[1].holds(values[1]));
                        }
                    }
                }
            }
        }
    }
}
