//! Expressions of the program as formulas. A run that evaluates one goes on only where nothing
//! in it traps: divisors are not zero, addresses not in the null page. These conditions join the
//! path. What is too intricate to say (the bytes of a `long double`, a float that does not fit
//! its integer) is arbitrary, which is always sound.

use crate::machine::{sort_of, Machine};
use crate::path::Path;
use prova_exec::points_to::ClassId;
use prova_formula::{Sort, Term, NULL_PAGE};
use prova_ir::{BinaryOp, CastOp, Expr, ExprId, FloatKind, Type, UnaryOp};
use rustc_hash::FxHashMap;

impl Machine<'_> {
    /// The value of an expression where a path stands.
    pub fn value(&mut self, path: &mut Path, expr: ExprId) -> Term {
        let pool = &self.program.exprs;
        let mut done: FxHashMap<ExprId, Term> = FxHashMap::default();
        for id in pool.subexpressions(expr) {
            let term = self.one(path, pool.get(id), &|e| (done[&e], pool.ty(e)));
            done.insert(id, term);
        }
        done[&expr]
    }

    /// The value of an expression, given those of its parts, with their types.
    fn one(&mut self, path: &mut Path, expr: Expr, part: &dyn Fn(ExprId) -> (Term, Type)) -> Term {
        let model = self.program.model;
        match expr {
            Expr::Int { value, width: 1 } => self.script.boolean(value != 0),
            Expr::Int { value, width } => self.script.bits(value, u32::from(width)),
            Expr::Float { kind, bits } => {
                let bits = self.script.bits(bits, Type::Float(kind).bits(model));
                self.typed(path, bits, Type::Float(kind))
            }
            Expr::Pointer(value) => self.script.bits(value.into(), model.pointer_bits()),
            Expr::Reg(register) => path.state[register.index()],
            Expr::Address(object) => self.addresses[object.index()],
            Expr::Function(procedure) => {
                self.addresses[self.program.objects.len() + procedure.index()]
            }
            Expr::Load { address, ty } => {
                let at = part(address).0;
                self.valid(path, at);
                let Some(class) = self.class_of(address) else { return at };
                let bits = self.read(path, class, at, ty.bytes(model));
                self.typed(path, bits, ty)
            }
            Expr::Unary { op, arg } => match (op, part(arg)) {
                (UnaryOp::Not, (a, Type::BOOL)) => self.script.not(a),
                (UnaryOp::Neg, (a, Type::BOOL)) => a,
                (UnaryOp::Not, (a, _)) => self.script.apply("bvnot", &[a]),
                (UnaryOp::Neg, (a, _)) => self.script.apply("bvneg", &[a]),
                (UnaryOp::FNeg, (a, _)) => self.script.apply("fp.neg", &[a]),
            },
            Expr::Binary { op, left, right } => {
                let ((a, ty), (b, _)) = (part(left), part(right));
                if op.traps_on_zero() {
                    let zero = self.script.bits(0, self.script.width(b));
                    path.assume(self.script.say("(not (= $0 $1))", &[b, zero]));
                }
                let text = self.operators.entry((op, ty.is_bool())).or_insert_with_key(operator);
                self.script.say(text, &[a, b])
            }
            Expr::Cast { op, arg, to } => self.cast(path, op, part(arg), to),
            Expr::Ite { cond, then, otherwise } => {
                self.script.apply("ite", &[part(cond).0, part(then).0, part(otherwise).0])
            }
        }
    }

    fn cast(&mut self, path: &mut Path, op: CastOp, (a, from): (Term, Type), to: Type) -> Term {
        let model = self.program.model;
        let a = if from.is_bool() { self.script.say("(ite $0 #b1 #b0)", &[a]) } else { a };
        let format = |ty: Type| to_float(sort_of(ty, model));
        let width = to.bits(model);
        match op {
            CastOp::PtrToInt | CastOp::IntToPtr => a,
            CastOp::ZExt => self.extend("zero_extend", a, width),
            CastOp::SExt => self.extend("sign_extend", a, width),
            CastOp::Trunc => self.typed(path, a, to),
            CastOp::SToF | CastOp::FToF => {
                self.script.say(&format!("({} RNE $0)", format(to)), &[a])
            }
            CastOp::UToF => {
                let how = format(to).replace("to_fp", "to_fp_unsigned");
                self.script.say(&format!("({how} RNE $0)"), &[a])
            }
            CastOp::FToS | CastOp::FToU => {
                let other = path.arbitrary(self, Sort::Bits(width), false);
                let (sign, kind) = if op == CastOp::FToS { (1, 's') } else { (0, 'u') };
                let limit = 1u128.checked_shl(width - sign).unwrap_or(0);
                let ends = [limit * u128::from(sign), limit];
                let [low, high] = ends.map(|n| self.script.bits(n, 129));
                let text = format!(
                    "(ite (and (fp.leq (fp.neg (F RNE $1)) (fp.roundToIntegral RTZ $0))
                               (fp.lt (fp.roundToIntegral RTZ $0) (F RNE $2)))
                          ((_ fp.to_{kind}bv {width}) RTZ $0) $3)"
                );
                self.script.say(&text.replace('F', &format(from)), &[a, low, high, other])
            }
        }
    }

    fn extend(&mut self, how: &str, a: Term, width: u32) -> Term {
        match width.checked_sub(self.script.width(a)) {
            Some(0) => a,
            Some(more) => self.script.apply(&format!("(_ {how} {more})"), &[a]),
            None => self.unsupported("an extension to fewer bits"),
        }
    }

    /// The value of a type whose bytes are given.
    fn typed(&mut self, path: &mut Path, bits: Term, ty: Type) -> Term {
        match ty {
            Type::BOOL => self.script.say("(= ((_ extract 0 0) $0) #b1)", &[bits]),
            Type::Int(width) if u32::from(width) == self.script.width(bits) => bits,
            Type::Int(width) => self.script.apply(&format!("(_ extract {} 0)", width - 1), &[bits]),
            Type::Ptr => bits,
            Type::Float(FloatKind::X87) => path.arbitrary(self, Sort::Float(15, 64), false),
            Type::Float(_) => {
                self.script.apply(&to_float(sort_of(ty, self.program.model)), &[bits])
            }
        }
    }

    /// The bytes of a value of a type.
    pub fn untyped(&mut self, path: &mut Path, a: Term, ty: Type) -> Term {
        let whole = (ty.bytes(self.program.model) * 8) as u32;
        match ty {
            Type::BOOL => {
                let bit = self.script.say("(ite $0 #b1 #b0)", &[a]);
                self.extend("zero_extend", bit, whole)
            }
            Type::Int(_) | Type::Ptr => self.extend("zero_extend", a, whole),
            Type::Float(FloatKind::X87) => path.arbitrary(self, Sort::Bits(whole), false),
            // What was just loaded is stored as it was, a NaN's bits included.
            Type::Float(_) => match self.script.view(a) {
                (head, [bits]) if head.starts_with("(_ to_fp ") => *bits,
                _ => self.script.apply("fp.to_ieee_bv", &[a]),
            },
        }
    }

    /// A run goes on only behind a valid access.
    pub fn valid(&mut self, path: &mut Path, at: Term) {
        let low = self.script.bits(NULL_PAGE.into(), self.script.width(at));
        path.assume(self.script.apply("bvule", &[low, at]));
    }

    /// The address so many bytes on.
    pub fn offset(&mut self, at: Term, by: u64) -> Term {
        let more = self.script.bits(by.into(), self.script.width(at));
        match by {
            0 => at,
            _ => self.script.apply("bvadd", &[at, more]),
        }
    }

    /// The bits of the `i`th byte.
    pub fn byte(&mut self, bits: Term, i: u64) -> Term {
        self.script.apply(&format!("(_ extract {} {})", i * 8 + 7, i * 8), &[bits])
    }

    /// Bytes put together, the lowest first.
    pub fn whole(&mut self, bytes: &[Term]) -> Term {
        let joined = bytes.iter().copied().reduce(|low, b| self.script.apply("concat", &[b, low]));
        joined.unwrap_or_else(|| self.unsupported("an empty cell"))
    }

    /// Reads so many bytes; the cells of the class have that size, or one byte.
    pub fn read(&mut self, path: &Path, class: ClassId, at: Term, bytes: u64) -> Term {
        let memory = path.state[self.memory(class)];
        match u64::from(self.partition.class(class).cell_bytes) {
            cell if cell == bytes => self.script.apply("select", &[memory, at]),
            1 => {
                let places: Vec<Term> = (0..bytes).map(|i| self.offset(at, i)).collect();
                let cells = places.iter().map(|&at| self.script.apply("select", &[memory, at]));
                let cells: Vec<Term> = cells.collect();
                self.whole(&cells)
            }
            _ => self.unsupported("a part of a cell"),
        }
    }

    /// Writes whole bytes; the cells of the class have that size, or one byte.
    pub fn write(&mut self, path: &mut Path, class: ClassId, at: Term, bits: Term) {
        let (place, bytes) = (self.memory(class), self.script.width(bits) / 8);
        if self.partition.class(class).cell_bytes == bytes {
            path.state[place] = self.script.apply("store", &[path.state[place], at, bits]);
            return;
        }
        for i in 0..u64::from(bytes) {
            let (at, byte) = (self.offset(at, i), self.byte(bits, i));
            path.state[place] = self.script.apply("store", &[path.state[place], at, byte]);
        }
    }
}

/// The operator that makes a float of this sort.
fn to_float(sort: Sort) -> String {
    sort.to_string().replace("FloatingPoint", "to_fp")
}

/// An operator on truth values or on others, in SMT-LIB, which spells most as we do: `UDiv` is
/// `bvudiv`.
fn operator(&(op, truth): &(BinaryOp, bool)) -> String {
    use BinaryOp::*;
    let name = format!("{op:?}").to_lowercase();
    let operator = match op {
        Eq | Ne => "=".into(),
        PtrAdd => "bvadd".into(),
        FEq | FNe => "fp.eq".into(),
        FLt => "fp.lt".into(),
        FLe => "fp.leq".into(),
        FAdd | FSub | FMul | FDiv => format!("fp.{} RNE", &name[1..]),
        // What is no operator on truth values the sort checker refuses.
        _ if truth => name,
        _ => format!("bv{name}"),
    };
    match op {
        Ne | FNe => format!("(not ({operator} $0 $1))"),
        _ => format!("({operator} $0 $1)"),
    }
}
