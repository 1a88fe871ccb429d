//! The trees as SMT-LIB text, operator by operator: what Z3 compares simplified terms with.

use super::{variable, Ast, Fun};
use prova_logic::{Bits, FloatFormat, Script, Terms};

/// The tree as text. Only for trees without conversions that SMT-LIB leaves open.
pub fn smtlib(terms: &mut Terms, script: &mut Script, out: &mut String, ast: &Ast) -> String {
    let (fun, sort, children) = match ast {
        Ast::Var(index, sort) => {
            let v = variable(terms, *index, *sort);
            return script.declare(terms, v, out);
        }
        Ast::Base(n) => {
            let v = super::base(terms, *n);
            return script.declare(terms, v, out);
        }
        Ast::Bool(value) => return value.to_string(),
        Ast::Bits(value, width) => return Bits::new(*value, *width).smtlib(),
        Ast::Float(format, bits) => {
            let pattern = Bits::new(*bits, format.width()).smtlib();
            return format!(
                "((_ to_fp {} {}) {pattern})",
                format.exponent, format.significand
            );
        }
        Ast::App(fun, sort, children) => (*fun, *sort, children),
    };
    let c: Vec<String> = children
        .iter()
        .map(|x| smtlib(terms, script, out, x))
        .collect();
    let format = sort.format().unwrap_or(FloatFormat::F32);
    let to_fp = format!("to_fp {} {}", format.exponent, format.significand);
    let grow = || sort.width().unwrap() - children[0].sort().width().unwrap();
    let head = match fun {
        Fun::Not => "not".to_string(),
        Fun::And => "and".to_string(),
        Fun::Or => "or".to_string(),
        Fun::Implies => "=>".to_string(),
        Fun::Xor => "xor".to_string(),
        Fun::Eq => "=".to_string(),
        Fun::Distinct => "distinct".to_string(),
        Fun::Ite => "ite".to_string(),
        Fun::Add => "bvadd".to_string(),
        Fun::Sub => "bvsub".to_string(),
        Fun::Mul => "bvmul".to_string(),
        Fun::Neg => "bvneg".to_string(),
        Fun::Udiv => "bvudiv".to_string(),
        Fun::Sdiv => "bvsdiv".to_string(),
        Fun::Urem => "bvurem".to_string(),
        Fun::Srem => "bvsrem".to_string(),
        Fun::BvAnd => "bvand".to_string(),
        Fun::BvOr => "bvor".to_string(),
        Fun::BvXor => "bvxor".to_string(),
        Fun::BvNot => "bvnot".to_string(),
        Fun::Shl => "bvshl".to_string(),
        Fun::Lshr => "bvlshr".to_string(),
        Fun::Ashr => "bvashr".to_string(),
        Fun::Concat => "concat".to_string(),
        Fun::Extract(hi, lo) => format!("(_ extract {hi} {lo})"),
        Fun::Zext => format!("(_ zero_extend {})", grow()),
        Fun::Sext => format!("(_ sign_extend {})", grow()),
        Fun::Ult => "bvult".to_string(),
        Fun::Ule => "bvule".to_string(),
        Fun::Ugt => "bvugt".to_string(),
        Fun::Uge => "bvuge".to_string(),
        Fun::Slt => "bvslt".to_string(),
        Fun::Sle => "bvsle".to_string(),
        Fun::Sgt => "bvsgt".to_string(),
        Fun::Sge => "bvsge".to_string(),
        Fun::BoolToBv => {
            let width = sort.width().unwrap();
            let (one, zero) = (Bits::new(1, width).smtlib(), Bits::zero(width).smtlib());
            return format!("(ite {} {one} {zero})", c[0]);
        }
        Fun::Select => "select".to_string(),
        Fun::Store => "store".to_string(),
        Fun::ConstArray => format!("(as const {sort})"),
        Fun::Fadd => "fp.add RNE".to_string(),
        Fun::Fsub => "fp.sub RNE".to_string(),
        Fun::Fmul => "fp.mul RNE".to_string(),
        Fun::Fdiv => "fp.div RNE".to_string(),
        Fun::Fsqrt => "fp.sqrt RNE".to_string(),
        Fun::Fneg => "fp.neg".to_string(),
        Fun::Fabs => "fp.abs".to_string(),
        Fun::Fround(mode) => format!("fp.roundToIntegral {}", mode.smtlib()),
        Fun::Feq => "fp.eq".to_string(),
        Fun::Flt => "fp.lt".to_string(),
        Fun::Fle => "fp.leq".to_string(),
        Fun::IsNan => "fp.isNaN".to_string(),
        Fun::IsInf => "fp.isInfinite".to_string(),
        Fun::IsZero => "fp.isZero".to_string(),
        Fun::IsNeg => "fp.isNegative".to_string(),
        Fun::ToFloat | Fun::FromSigned => format!("(_ {to_fp}) RNE"),
        Fun::FromUnsigned => {
            format!(
                "(_ to_fp_unsigned {} {}) RNE",
                format.exponent, format.significand
            )
        }
        Fun::FromBits => format!("(_ {to_fp})"),
        Fun::ToSigned | Fun::ToUnsigned | Fun::ToBits => panic!("left open by SMT-LIB"),
    };
    format!("({head} {})", c.join(" "))
}

/// Whether [`smtlib`] can write the tree, and Z3 has a chance to decide it.
pub fn comparable(ast: &Ast) -> bool {
    !ast.contains(&|a| match a {
        Ast::App(fun, sort, _) => {
            let open = matches!(fun, Fun::ToSigned | Fun::ToUnsigned | Fun::ToBits);
            let hard = matches!(fun, Fun::Fmul | Fun::Fdiv | Fun::Fsqrt)
                || matches!(fun, Fun::Fadd | Fun::Fsub | Fun::ToFloat | Fun::Fround(_))
                || matches!(fun, Fun::FromSigned | Fun::FromUnsigned);
            let wide = sort.width().unwrap_or(0) > 16;
            let division = matches!(
                fun,
                Fun::Mul | Fun::Udiv | Fun::Sdiv | Fun::Urem | Fun::Srem
            );
            open || hard || wide && division
        }
        _ => false,
    })
}
