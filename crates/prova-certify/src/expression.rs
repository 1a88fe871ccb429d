//! Expressions of the program as formulas. A run that evaluates one goes on only where nothing
//! in it traps: divisors are not zero, addresses neither in the null page nor out of line. These
//! conditions join the path.

use crate::formula::template;
use crate::path::Path;
use crate::script::{Script, Term};
use crate::vocabulary::{sort_of, Vocabulary, NULL_PAGE};
use crate::Failure;
use prova_exec::points_to::ClassId;
use prova_ir::{BinaryOp, CastOp, DataModel, Expr, ExprId, FloatKind, Type, UnaryOp};
use rustc_hash::FxHashMap;

/// The value of an expression where a path stands.
pub fn value(
    script: &mut Script,
    words: &Vocabulary,
    path: &mut Path,
    expr: ExprId,
) -> Result<Term, Failure> {
    let pool = &words.program.exprs;
    let mut done: FxHashMap<ExprId, Term> = FxHashMap::default();
    let mut work = vec![expr];
    while let Some(&id) = work.last() {
        let waiting = work.len();
        if !done.contains_key(&id) {
            work.extend(pool.children(id).filter(|c| !done.contains_key(c)));
            if work.len() == waiting {
                let term = one(script, words, path, id, &done)?;
                done.insert(id, term);
            }
        }
        if work.len() == waiting {
            work.pop();
        }
    }
    Ok(done[&expr])
}

fn one(
    script: &mut Script,
    words: &Vocabulary,
    path: &mut Path,
    id: ExprId,
    done: &FxHashMap<ExprId, Term>,
) -> Result<Term, Failure> {
    let pool = &words.program.exprs;
    let model = words.program.model;
    Ok(match pool.get(id) {
        Expr::Int { value, width: 1 } => script.boolean(value != 0),
        Expr::Int { value, width } => script.bits(value, u32::from(width)),
        Expr::Float { kind, bits } => {
            let ty = Type::Float(kind);
            let bits = script.bits(bits, ty.bits(model));
            from_bits(script, bits, ty)?
        }
        Expr::Pointer(value) => script.bits(u128::from(value), model.pointer_bits()),
        Expr::Reg(register) => path.values.registers[register.index()],
        Expr::Address(object) => words.object(object),
        Expr::Function(procedure) => words.functions[procedure.index()],
        Expr::Load { address, ty } => {
            let class = words.class_of(address)?;
            let at = done[&address];
            valid_address(script, words, path, address, at, Some(class))?;
            let memory = path.values.memory[class.index()];
            let bits = read(script, words, class, memory, at, ty.bytes(model))?;
            from_bits(script, bits, ty)?
        }
        Expr::Unary { op, arg } => {
            let head = match op {
                UnaryOp::Not if pool.ty(arg).is_bool() => "not",
                UnaryOp::Not => "bvnot",
                UnaryOp::Neg if pool.ty(arg).is_bool() => return Ok(done[&arg]),
                UnaryOp::Neg => "bvneg",
                UnaryOp::FNeg => "fp.neg",
            };
            script.apply(head, &[done[&arg]])?
        }
        Expr::Binary { op, left, right } if pool.ty(left).is_bool() => {
            boolean(script, op, done[&left], done[&right])?
        }
        Expr::Binary { op, left, right } => {
            let (a, b) = (done[&left], done[&right]);
            if op.traps_on_zero() {
                let zero = script.bits(0, script.width(b));
                let zero = script.apply("=", &[b, zero])?;
                path.assume(script.not(zero)?);
            }
            binary(script, op, a, b)?
        }
        Expr::Cast { op, arg, to } => cast(script, op, done[&arg], pool.ty(arg), to, model)?,
        Expr::Ite {
            cond,
            then,
            otherwise,
        } => script.apply("ite", &[done[&cond], done[&then], done[&otherwise]])?,
    })
}

fn boolean(script: &mut Script, op: BinaryOp, a: Term, b: Term) -> Result<Term, Failure> {
    use BinaryOp::*;
    let (head, a) = match op {
        And | Mul => ("and", a),
        Or => ("or", a),
        Xor | Ne | Add | Sub => ("xor", a),
        Eq => ("=", a),
        ULt => ("and", script.not(a)?),
        ULe => ("=>", a),
        _ => return Err(Failure::Unsupported(format!("{op:?} of truth values"))),
    };
    Ok(script.apply(head, &[a, b])?)
}

fn binary(script: &mut Script, op: BinaryOp, a: Term, b: Term) -> Result<Term, Failure> {
    use BinaryOp::*;
    let head = match op {
        Add | PtrAdd => "bvadd",
        Sub => "bvsub",
        Mul => "bvmul",
        UDiv => "bvudiv",
        SDiv => "bvsdiv",
        URem => "bvurem",
        SRem => "bvsrem",
        And => "bvand",
        Or => "bvor",
        Xor => "bvxor",
        Shl => "bvshl",
        LShr => "bvlshr",
        AShr => "bvashr",
        Eq | Ne => "=",
        ULt => "bvult",
        ULe => "bvule",
        SLt => "bvslt",
        SLe => "bvsle",
        FEq | FNe => "fp.eq",
        FLt => "fp.lt",
        FLe => "fp.leq",
        FAdd => return template(script, "(fp.add RNE $0 $1)", &[a, b]),
        FSub => return template(script, "(fp.sub RNE $0 $1)", &[a, b]),
        FMul => return template(script, "(fp.mul RNE $0 $1)", &[a, b]),
        FDiv => return template(script, "(fp.div RNE $0 $1)", &[a, b]),
    };
    let holds = script.apply(head, &[a, b])?;
    Ok(if matches!(op, Ne | FNe) {
        script.not(holds)?
    } else {
        holds
    })
}

fn cast(
    script: &mut Script,
    op: CastOp,
    a: Term,
    from: Type,
    to: Type,
    model: DataModel,
) -> Result<Term, Failure> {
    let a = match from.is_bool() {
        true => template(script, "(ite $0 #b1 #b0)", &[a])?,
        false => a,
    };
    let (old, new) = (script.width(a), to.bits(model));
    let format = |ty: Type| match sort_of(ty, model) {
        crate::sort::Sort::Float(e, s) => format!("{e} {s}"),
        other => other.to_string(),
    };
    let with_mode = |head: &str| format!("((_ {head} {}) RNE $0)", format(to));
    match op {
        CastOp::PtrToInt | CastOp::IntToPtr => Ok(a),
        CastOp::ZExt => extend(script, "zero_extend", a, new),
        CastOp::SExt if new >= old => extend(script, "sign_extend", a, new),
        CastOp::SExt => Err(Failure::Unsupported("an extension to fewer bits".into())),
        CastOp::Trunc => from_bits(script, a, to),
        CastOp::SToF | CastOp::FToF => template(script, &with_mode("to_fp"), &[a]),
        CastOp::UToF => template(script, &with_mode("to_fp_unsigned"), &[a]),
        CastOp::FToS => {
            let through = match new {
                0..=32 => 32,
                33..=64 => 64,
                wider => wider,
            };
            let whole = to_integer(script, a, &format(from), through, true)?;
            low_bits(script, whole, new)
        }
        CastOp::FToU => to_unsigned(script, a, from, &format(from), new),
    }
}

/// A float towards zero as gcc converts it on x86: where it does not fit, only the top bit is set.
fn to_integer(
    script: &mut Script,
    a: Term,
    format: &str,
    width: u32,
    signed: bool,
) -> Result<Term, Failure> {
    if width > 127 {
        return Err(Failure::Unsupported(format!(
            "a float converted to {width} bits"
        )));
    }
    let top = script.bits(1 << (width - 1), width);
    // 2^(width-1) or 2^width as a float; an infinity where the format does not reach so far.
    let power = script.bits(1 << (width - u32::from(signed)), 128);
    let (low, kind) = match signed {
        true => ("(fp.neg ((_ to_fp_unsigned F) RNE $1))", "s"),
        false => ("(_ +zero F)", "u"),
    };
    let text = format!(
        "(ite (and (not (fp.isInfinite $0)) (fp.leq {low} (fp.roundToIntegral RTZ $0))
                   (fp.lt (fp.roundToIntegral RTZ $0) ((_ to_fp_unsigned F) RNE $1)))
              ((_ fp.to_{kind}bv {width}) RTZ $0) $2)"
    );
    template(script, &text.replace('F', format), &[a, power, top])
}

/// As gcc does on x86: below 32 bits through 32, below 64 through 64, 64 bits in two halves.
fn to_unsigned(
    script: &mut Script,
    a: Term,
    from: Type,
    format: &str,
    width: u32,
) -> Result<Term, Failure> {
    let through = match width {
        0..=31 => 32,
        32..=63 => 64,
        64 if from != Type::Float(FloatKind::X87) => {
            let top = script.bits(1 << 63, 64);
            let power = format!("((_ to_fp_unsigned {format}) RNE $0)");
            let power = template(script, &power, &[top])?;
            let rest = template(script, "(fp.sub RNE $0 $1)", &[a, power])?;
            let high = to_integer(script, rest, format, 64, true)?;
            let low = to_integer(script, a, format, 64, true)?;
            let text = "(ite (fp.leq $0 $1) (bvxor $2 $4) $3)";
            return template(script, text, &[power, a, high, low, top]);
        }
        wider => return to_integer(script, a, format, wider, false),
    };
    let whole = to_integer(script, a, format, through, true)?;
    low_bits(script, whole, width)
}

fn extend(script: &mut Script, how: &str, a: Term, width: u32) -> Result<Term, Failure> {
    let more = width.saturating_sub(script.width(a));
    match more {
        0 => Ok(a),
        _ => Ok(script.apply(&format!("(_ {how} {more})"), &[a])?),
    }
}

fn low_bits(script: &mut Script, a: Term, width: u32) -> Result<Term, Failure> {
    match script.width(a) == width {
        true => Ok(a),
        false => Ok(script.apply(&format!("(_ extract {} 0)", width - 1), &[a])?),
    }
}

/// The value of a type whose bytes are given.
pub fn from_bits(script: &mut Script, bits: Term, ty: Type) -> Result<Term, Failure> {
    let text = match ty {
        Type::BOOL => "(= ((_ extract 0 0) $0) #b1)",
        Type::Int(width) => return low_bits(script, bits, u32::from(width)),
        Type::Ptr => return Ok(bits),
        Type::Float(FloatKind::F32) => "((_ to_fp 8 24) $0)",
        Type::Float(FloatKind::F64) => "((_ to_fp 11 53) $0)",
        // The stored form has the integer bit written out: where it does not fit the exponent
        // the value is no number, but for denormals with it, which are normal.
        Type::Float(FloatKind::X87) => {
            "((_ to_fp 15 64)
               (ite (= ((_ extract 78 64) $0) (_ bv0 15))
                    (ite (= ((_ extract 63 63) $0) #b1)
                         (concat (bvor ((_ extract 79 64) $0) (_ bv1 16)) ((_ extract 62 0) $0))
                         (concat ((_ extract 79 64) $0) ((_ extract 62 0) $0)))
                    (ite (= ((_ extract 63 63) $0) #b1)
                         (concat ((_ extract 79 64) $0) ((_ extract 62 0) $0))
                         (concat (concat #b0 (_ bv32767 15)) (concat #b1 (_ bv0 62))))))"
        }
    };
    template(script, text, &[bits])
}

/// The bytes of a value of a type.
pub fn to_bits(script: &mut Script, a: Term, ty: Type, model: DataModel) -> Result<Term, Failure> {
    let whole = (ty.bytes(model) * 8) as u32;
    match ty {
        Type::BOOL => {
            let bit = template(script, "(ite $0 #b1 #b0)", &[a])?;
            extend(script, "zero_extend", bit, whole)
        }
        Type::Int(_) | Type::Ptr => extend(script, "zero_extend", a, whole),
        // What was just loaded is stored as it was, a NaN's bits included.
        Type::Float(FloatKind::F32 | FloatKind::F64) => match script.view(a) {
            ("(_ to_fp 8 24)" | "(_ to_fp 11 53)", [bits]) => Ok(*bits),
            _ => Ok(script.apply("fp.to_ieee_bv", &[a])?),
        },
        Type::Float(FloatKind::X87) => {
            let bits = script.apply("fp.to_ieee_bv", &[a])?;
            let text = "(concat ((_ extract 78 63) $0)
                (concat (ite (= ((_ extract 77 63) $0) (_ bv0 15)) #b0 #b1) ((_ extract 62 0) $0)))";
            template(script, text, &[bits])
        }
    }
}

/// A run goes on only behind a valid access: not in the null page, and in line with the cells of
/// its class. Of an address inside a named object nothing is assumed.
pub fn valid_address(
    script: &mut Script,
    words: &Vocabulary,
    path: &mut Path,
    address: ExprId,
    at: Term,
    class: Option<ClassId>,
) -> Result<(), Failure> {
    let mut root = address;
    while let Expr::Binary {
        op: BinaryOp::PtrAdd,
        left,
        ..
    } = words.program.exprs.get(root)
    {
        root = left;
    }
    if matches!(words.program.exprs.get(root), Expr::Address(_)) {
        return Ok(());
    }
    let low = script.bits(u128::from(NULL_PAGE), script.width(at));
    path.assume(script.apply("bvule", &[low, at])?);
    let cell = class.map_or(1, |c| words.cell_bytes(c));
    let align = cell.min(words.program.model.pointer_bytes());
    if align.is_power_of_two() && align > 1 {
        let bits = align.trailing_zeros();
        let rest = script.apply(&format!("(_ extract {} 0)", bits - 1), &[at])?;
        let none = script.bits(0, bits);
        path.assume(script.apply("=", &[rest, none])?);
    }
    Ok(())
}

/// The address so many bytes on.
pub fn offset(script: &mut Script, at: Term, by: u64) -> Result<Term, Failure> {
    match by {
        0 => Ok(at),
        _ => {
            let by = script.bits(u128::from(by), script.width(at));
            Ok(script.apply("bvadd", &[at, by])?)
        }
    }
}

/// Reads so many bytes; the cells of the class have that size, or one byte.
pub fn read(
    script: &mut Script,
    words: &Vocabulary,
    class: ClassId,
    memory: Term,
    at: Term,
    bytes: u64,
) -> Result<Term, Failure> {
    let mut whole = script.apply("select", &[memory, at])?;
    let cell = words.cell_bytes(class);
    if cell != bytes {
        if cell != 1 {
            return Err(Failure::Unsupported("a read of a part of a cell".into()));
        }
        for i in 1..bytes {
            let next = offset(script, at, i)?;
            let byte = script.apply("select", &[memory, next])?;
            whole = script.apply("concat", &[byte, whole])?;
        }
    }
    Ok(whole)
}

/// Writes whole bytes; the cells of the class have that size, or one byte.
pub fn write(
    script: &mut Script,
    words: &Vocabulary,
    class: ClassId,
    memory: Term,
    at: Term,
    bits: Term,
) -> Result<Term, Failure> {
    let bytes = u64::from(script.width(bits)) / 8;
    if words.cell_bytes(class) == bytes {
        return Ok(script.apply("store", &[memory, at, bits])?);
    }
    let mut memory = memory;
    for i in 0..bytes {
        let low = i * 8;
        let byte = script.apply(&format!("(_ extract {} {low})", low + 7), &[bits])?;
        let next = offset(script, at, i)?;
        memory = script.apply("store", &[memory, next, byte])?;
    }
    Ok(memory)
}
