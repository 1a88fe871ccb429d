//! Printing a program and parsing it back gives the same program.

mod common;

use common::{random_program, SAMPLE};
use prova_ir::text::{parse, print};
use prova_ir::{BinaryOp, Expr, Program, Statement, Type};

fn round_trip(program: &Program) -> String {
    let text = print(program);
    let back = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert!(
        program.same_as(&back),
        "not the same program:\n{text}\n{}",
        print(&back)
    );
    assert_eq!(print(&back), text);
    text
}

#[test]
fn every_construct_comes_back() {
    let program = parse(SAMPLE).unwrap();
    round_trip(&program);
    assert_eq!(program.procedures.len(), 5);
    assert_eq!(program.entry, Some(prova_ir::ProcId(1)));
    assert_eq!(program.objects[1].name, "x y");
}

#[test]
fn printing_is_what_people_write() {
    let program = parse(SAMPLE).unwrap();
    let text = print(&program);
    for line in SAMPLE
        .lines()
        .map(str::trim_end)
        .filter(|l| !l.contains("//"))
    {
        assert!(
            text.lines().any(|l| l == line),
            "not printed as written: {line}\n{text}"
        );
    }
}

#[test]
fn deep_and_shared_expressions_do_not_explode() {
    let mut program = parse(
        "prova-ir 1 lp64\nproc f(x) {\n  param x : i32\n  entry L0 exit L1\n  L0 -> L1: x := x\n}\n",
    )
    .unwrap();
    let x = program.exprs.reg(prova_ir::RegId(0), Type::Int(32));
    let mut deep = x;
    let mut shared = x;
    for i in 0..100_000u128 {
        let k = program.exprs.int(i, 32);
        deep = program.exprs.binary(BinaryOp::Add, deep, k);
    }
    for _ in 0..200 {
        shared = program.exprs.binary(BinaryOp::Mul, shared, shared);
    }
    let both = program.exprs.binary(BinaryOp::Sub, deep, shared);
    let body = program.procedures[0].body.as_mut().unwrap();
    if let Statement::Assign { value, .. } = &mut body.edges[0].statement {
        *value = both;
    }
    let text = round_trip(&program);
    assert!(text.len() < 3_000_000);
}

#[test]
fn random_programs_come_back() {
    for seed in 0..300 {
        round_trip(&random_program(seed));
    }
}

#[test]
fn float_constants_keep_their_bits() {
    let mut program = parse(
        "prova-ir 1 ilp32\nproc f() {\n  temp x : f64\n  entry L0 exit L1\n  L0 -> L1: x := 0.0:f64\n}\n",
    )
    .unwrap();
    let awkward = [
        0.0f64,
        -0.0,
        1.5,
        0.1,
        1e300,
        5e-324,
        -1e-7,
        1e16,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    for value in awkward {
        let bits = u128::from(value.to_bits());
        let kind = prova_ir::FloatKind::F64;
        let constant = program.exprs.add(Expr::Float { kind, bits });
        let body = program.procedures[0].body.as_mut().unwrap();
        body.edges[0].statement = Statement::Assign {
            target: prova_ir::RegId(0),
            value: constant,
        };
        round_trip(&program);
    }
}

#[test]
fn errors_say_where() {
    let check = |text: &str, line, column, words: &str| {
        let e = parse(text).unwrap_err();
        assert!(e.message.contains(words), "{e}");
        assert_eq!((e.line, e.column), (line, column), "{e}");
    };
    check("", 1, 1, "`prova`");
    check("prova-ir 2 lp64", 1, 12, "version");
    check("prova-ir 1 lp64\nglobal x : i0", 2, 12, "a type");
    check("prova-ir 1 lp64\nglobal x : i8 = 300:i8", 2, 17, "no value");
    check(
        "prova-ir 1 lp64\nglobal x : i8\nglobal x : i8",
        3,
        8,
        "second register",
    );
    let in_body = |line: &str| {
        format!("prova-ir 1 lp64\nproc f() {{\n  temp x : i32\n  entry L0 exit L1\n  {line}\n}}")
    };
    check(&in_body("L0 -> L1: x := y"), 5, 18, "no register");
    check(&in_body("L0 -> L1: x := x + x + x"), 5, 24, "parentheses");
    check(&in_body("L0 -> L1: call g()"), 5, 18, "no procedure");
    check(&in_body("L0 -> L99999999: skip"), 5, 9, "too large");
    check(&in_body("L0 -> L1: \"open"), 5, 13, "not closed");
    let deep = format!(
        "L0 -> L1: x := {}x{}",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    let e = parse(&in_body(&deep)).unwrap_err();
    assert!(e.message.contains("deeply"), "{e}");
    let deep = format!("L0 -> L1: x := {}x", "~".repeat(100_000));
    assert!(parse(&in_body(&deep))
        .unwrap_err()
        .message
        .contains("deeply"));
}

#[test]
fn rubbish_never_panics() {
    let mut state = 7u64;
    let mut next = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize
    };
    for _ in 0..2000 {
        let mut text = SAMPLE.as_bytes().to_vec();
        for _ in 0..1 + next() % 4 {
            let at = next() % text.len().max(1);
            match next() % 3 {
                _ if text.is_empty() => {}
                0 => text[at] = (next() % 128) as u8,
                1 => {
                    text.remove(at);
                }
                _ => text.truncate(at.max(1)),
            }
        }
        if let Ok(text) = String::from_utf8(text) {
            let _ = parse(&text);
        }
    }
}
