//! Programs for tests: one with every construct, and random ones.
#![allow(dead_code)]

pub mod interpreter;

use prova_ir::*;

/// Every construct of the text form, as the printer writes it.
pub const SAMPLE: &str = r#"prova-ir 1 lp64
file 0 "lock.c"
file 1 "dir/\"odd\".h"
ctype 0 = int "int" 32 signed
ctype 1 = pointer 0
ctype 2 = struct "struct lock" 16 { "held" 0 : 0, "next" 8 : 3, "flag" 4 bits 3 2 : 0 }
ctype 3 = pointer 2
ctype 4 = array 0 10
ctype 5 = array 0 ?
ctype 6 = function 0 (1, 0, ...)
ctype 7 = union "union u" 0 {}
ctype 8 = void
ctype 9 = bool
ctype 10 = float 80
marker 0 assembly @1:7:1
marker 1 builtin "__builtin_odd"
marker 2 other "a thing"

global x : i32 = -5:i32 ctype 0 @3:5
global d : f64 = 0.5:f64
global p : ptr

object buf : 16 align 8 static = { 0: 1:i32, 4: "a\x00\"b", 8: &buf +p 4:i64 } ctype 4 @4:6
object 'x y' : 4 align 4 constant = { 0: "abc\x00" } c ""
object far : 8 align 8 external
object table : 16 align 8 static = { 0: fn g, 8: 0x10:ptr }

extern proc exit('free') noreturn {
  param 'free' : i32
}

proc main() -> main.result ctype 6 @5:1 {
  local y : i128
  result main.result : i32 c "main"
  temp t : ptr
  temp b : i1
  temp ld : f80
  temp fl : f32
  frame pair : 8 align 4
  entry L0 exit L9
  L0 @5:3 -> L1: x := (x + 1:i32) /s ite(b, x, -7:i32)
  L1 @1:6:3 label "again" -> L2: assume x <s 10:i32
  L1 -> L8: assume !(x <s 10:i32) @6:9
  L2 -> L3: [&pair +p 4:i64] := trunc(y, i32)
  L3 @9:1 -> L4: copy [&pair] := [t], 8 @none
  L4 -> L5: x := call g(t, x, null)
  L5 -> L6: call [[&table]:ptr](t)
  L6 -> L7: x := nondet input "__VERIFIER_nondet_int"
  L7 -> L10: havoc [t], 16, undefined "h"
  L10 -> L11: t := alloc heap 8:i64
  L11 -> L12: free t
  L12 -> L13: enter pair
  L13 -> L14: leave pair
  L14 -> L15: marker 1
  L15 -> L16: y := nondet unmodelled 0
  L16 -> L17: y := nondet uninitialised
  L17 -> L18: b := (d <f 1e300:f64) & ((ld ==f 0x3fff8000000000000000:f80) | (fl !=f -0.25:f32))
  L18 -> L19: y := (neg(y) >>s sext(x, i128)) ^ ~y
  L19 -> L20: d := fneg([t]:f64) *f stof(x, f64)
  L20 -> L21: b := ptrtoint(t, i64) <=u (zext(x, i64) %u 3:i64)
  L21 -> L22: t := alloc stack zext(x, i64)
  L22 -> L23: skip
  L23 -> L1: b := true
  L8 -> L24: halt exit 0:i32
  L9 @12:1
  L24
  L25
  error L25 "unreach-call" "call of \"reach_error\"()"
}

proc g(g.a, g.b, g.more) -> g.result variadic {
  param g.a : ptr c "a"
  param g.b : i32 c "b"
  param g.more : ptr c ""
  result g.result : i32
  entry L0 exit L2
  L0 -> L1: g.result := [g.a]:i32
  L1 -> L3: halt abort
  L2
  L3 -> L4: halt trap
  L4
}

extern proc reach_error() noreturn @1:1:1

extern proc __VERIFIER_nondet_int() -> r {
  result r : i32
}

entry main
"#;

/// A small generator of pseudo-random numbers: tests must not depend on another crate's.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e3779b97f4a7c15) ^ 0x1234_5678)
    }
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % limit
    }
}

fn register(name: String, ty: Type, owner: Option<ProcId>, role: Role) -> Register {
    Register {
        c_name: name.clone(),
        name,
        ty,
        ctype: None,
        owner,
        role,
        initial: None,
        span: Span::NONE,
    }
}

/// A valid program: a few procedures over `i32` registers, branches, loops, calls, memory.
pub fn random_program(seed: u64) -> Program {
    random_program_with(seed, true)
}

/// One without recursion if so asked.
pub fn random_program_with(seed: u64, recursion: bool) -> Program {
    let mut random = Random::new(seed);
    let mut program = Program::new(if seed.is_multiple_of(2) {
        DataModel::Lp64
    } else {
        DataModel::Ilp32
    });
    program.files.push(SourceFile { name: "r.c".into() });
    let procedures = 1 + random.below(4);
    let int = Type::Int(32);
    let globals: Vec<RegId> = (0..2)
        .map(|i| {
            let mut global = register(format!("g{i}"), int, None, Role::Global);
            global.initial = Some(program.exprs.int(i, 32));
            program.add_register(global)
        })
        .collect();
    let object = program.add_object(Object {
        name: "cell".into(),
        c_name: "cell".into(),
        size: 16,
        align: 4,
        storage: Storage::Static {
            initial: vec![(4, Initial::Bytes(vec![1, 2]))],
            constant: false,
        },
        ctype: None,
        span: Span::NONE,
    });
    let mut own = Vec::new();
    for p in 0..procedures {
        let id = ProcId::new(p);
        let named = |what: &str| format!("f{p}.{what}");
        let a = program.add_register(register(named("a"), int, Some(id), Role::Parameter));
        let r = program.add_register(register(named("r"), int, Some(id), Role::Result));
        let x = program.add_register(register(named("x"), int, Some(id), Role::Local));
        own.push([a, r, x]);
        program.procedures.push(Procedure {
            name: format!("f{p}"),
            c_name: format!("f{p}"),
            parameters: vec![a],
            result: Some(r),
            variadic: false,
            noreturn: false,
            read_only: Vec::new(),
            ctype: None,
            span: Span::NONE,
            body: None,
        });
    }
    for (p, own) in own.into_iter().enumerate() {
        let mut scope = globals.clone();
        scope.extend(own);
        let callees = if recursion { 0 } else { p + 1 };
        let body = random_body(&mut program, &mut random, &scope, object, (p, callees));
        program.procedures[p].body = Some(body);
    }
    program.entry = Some(ProcId(0));
    program
}

fn random_expr(program: &mut Program, random: &mut Random, scope: &[RegId], fuel: u32) -> ExprId {
    use BinaryOp::*;
    let pick = random.below(if fuel == 0 { 2 } else { 6 });
    match pick {
        0 => program.exprs.int(random.below(5) as u128, 32),
        1 => program.read(scope[random.below(scope.len())]),
        2 => {
            let arg = random_expr(program, random, scope, fuel - 1);
            program.exprs.unary(UnaryOp::Neg, arg)
        }
        3 => {
            let arg = random_expr(program, random, scope, fuel - 1);
            let narrow = program.exprs.cast(CastOp::Trunc, arg, Type::Int(8));
            program.exprs.cast(CastOp::SExt, narrow, Type::Int(32))
        }
        _ => {
            let ops = [Add, Sub, Mul, And, Or, Xor, Shl, LShr, AShr, SDiv, URem];
            let left = random_expr(program, random, scope, fuel - 1);
            let right = random_expr(program, random, scope, fuel - 1);
            program
                .exprs
                .binary(ops[random.below(ops.len())], left, right)
        }
    }
}

fn random_body(
    program: &mut Program,
    random: &mut Random,
    scope: &[RegId],
    object: ObjectId,
    (p, callees): (usize, usize),
) -> Body {
    let count = 3 + random.below(8);
    let mut body = Body {
        locations: Vec::new(),
        edges: Vec::new(),
        entry: LocId(0),
        exit: LocId::new(count),
        errors: Vec::new(),
    };
    for i in 0..=count {
        let span = Span {
            file: FileId(0),
            line: (p * 100 + i + 1) as u32,
            column: 1,
        };
        body.add_location(span);
    }
    if random.below(2) == 0 {
        let error = body.add_location(Span::NONE);
        body.errors.push(ErrorLocation {
            location: error,
            property: "unreach-call".into(),
            message: format!("error of f{p}"),
        });
    }
    let targets = body.locations.len();
    for i in 0..count {
        let source = LocId::new(i);
        let span = body.location(source).span;
        let next = LocId::new(if random.below(3) == 0 {
            random.below(targets)
        } else {
            i + 1
        });
        let value = random_expr(program, random, scope, 3);
        let target = scope[random.below(scope.len())];
        let cell = program.exprs.add(Expr::Address(object));
        let statement = match random.below(8) {
            0 => Statement::Skip,
            1 => Statement::Nondet {
                target,
                origin: Origin::Input("input".into()),
            },
            2 => Statement::Store {
                address: cell,
                value,
            },
            3 => {
                let value = program.exprs.load(cell, Type::Int(32));
                Statement::Assign { target, value }
            }
            4 if callees < program.procedures.len() => Statement::Call {
                result: Some(target),
                callee: Callee::Direct(ProcId::new(
                    callees + random.below(program.procedures.len() - callees),
                )),
                arguments: vec![value],
            },
            5 | 6 => {
                let bound = program.exprs.int(3, 32);
                let cond = program.exprs.binary(BinaryOp::SLt, value, bound);
                let not = program.exprs.not(cond);
                let other = LocId::new(random.below(targets));
                body.add_edge(source, other, Statement::Assume(not), span);
                Statement::Assume(cond)
            }
            _ => Statement::Assign { target, value },
        };
        body.add_edge(source, next, statement, span);
    }
    body
}
