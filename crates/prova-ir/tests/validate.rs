//! One broken program per rule, and none for valid ones.

mod common;

use common::{random_program, SAMPLE};
use prova_ir::text::parse;
use prova_ir::validate::{validate, Rule};

/// The rules a program with these declarations and this body line breaks.
fn broken(declarations: &str, lines: &str) -> Vec<Rule> {
    let text = format!(
        "prova-ir 1 lp64\n{declarations}\nextern proc ext(ext.a) {{\n  param ext.a : i32\n}}\n\
         proc callee(ca) -> cr {{\n  param ca : i32\n  result cr : i32\n  frame theirs : 4 align 4\n\
         entry L0 exit L0\n}}\n\
         proc f() {{\n  temp x : i32\n  temp b : i1\n  temp p : ptr\n  temp d : f64\n  temp w : i64\n\
         frame mine : 4 align 4\n  entry L0 exit L1\n{lines}\n}}\n"
    );
    let program = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    validate(&program).into_iter().map(|v| v.rule).collect()
}

fn statement(statement: &str) -> Vec<Rule> {
    broken("global g : i32 = 1:i32", &format!("L0 -> L1: {statement}"))
}

#[test]
fn valid_programs_break_no_rule() {
    for seed in 0..300 {
        assert_eq!(validate(&random_program(seed)), []);
    }
    let sample = SAMPLE.replace(
        "b := ptrtoint(t, i64) <=u (zext",
        "b := ptrtoint(t, i64) <=u (sext",
    );
    assert_eq!(validate(&parse(&sample).unwrap()), []);
}

#[test]
fn statements_have_their_types() {
    for good in [
        "x := x + g",
        "x := zext(b, i32)",
        "p := p +p w",
        "b := (p == null) & (d <f 1.0:f64)",
        "[p] := d",
        "x := call callee(x)",
        "call ext(d, d)",
        "p := call [p](d, x)",
        "p := alloc heap w",
        "halt exit x",
        "enter mine",
        "x := ite(b, x, 1:i32)",
        "b := b ^ (x <=s 3:i32)",
    ] {
        assert_eq!(statement(good), [], "{good}");
    }
    for (bad, rule) in [
        ("x := w", Rule::OperandType),
        ("x := x + 1:i64", Rule::OperandType),
        ("x := x << 1:i8", Rule::OperandType),
        ("p := p + p", Rule::OperandType),
        ("p := p +p x", Rule::OperandType),
        ("b := p <s p", Rule::OperandType),
        ("b := d == d", Rule::OperandType),
        ("x := trunc(x, i32)", Rule::OperandType),
        ("w := zext(w, i64)", Rule::OperandType),
        ("x := ptrtoint(p, i32)", Rule::OperandType),
        ("b := [p]:i1", Rule::OperandType),
        ("[p] := b", Rule::OperandType),
        ("[x] := x", Rule::OperandType),
        ("x := ite(x, x, x)", Rule::OperandType),
        ("d := neg(d)", Rule::OperandType),
        ("assume x", Rule::OperandType),
        ("x := alloc heap w", Rule::OperandType),
        ("free x", Rule::OperandType),
        ("halt exit w", Rule::OperandType),
        ("marker 0", Rule::IdInRange),
        ("x := nondet unmodelled 3", Rule::IdInRange),
        ("x := call callee(x, x)", Rule::CallMatches),
        ("x := call callee(w)", Rule::CallMatches),
        ("w := call callee(x)", Rule::CallMatches),
        ("ca := 1:i32", Rule::Ownership),
        ("x := ca", Rule::Ownership),
        ("p := &theirs", Rule::Ownership),
        ("enter theirs", Rule::Ownership),
    ] {
        assert_eq!(statement(bad), [rule], "{bad}");
    }
}

#[test]
fn graphs_have_their_shape() {
    let check = |lines: &str, rules: &[Rule]| assert_eq!(broken("", lines), rules, "{lines}");
    check("L0 -> L1: assume b\nL0 -> L1: assume !b", &[]);
    check("L0 -> L1: assume true\nL0 -> L1: assume false", &[]);
    check("L0 -> L1: assume b\nL0 -> L1: assume b", &[Rule::Branch]);
    check("L0 -> L1: assume b\nL0 -> L1: skip", &[Rule::Branch]);
    check("L0 -> L1: skip\nL1 -> L0: skip", &[Rule::FinalLocation]);
    check("L0 -> L2: skip", &[Rule::DeadEnd]);
    check("L0 -> L2: halt trap", &[]);
    check("L0 -> L2: assume false", &[]);
    check("L0 -> L2: skip\nerror L2 \"p\" \"m\"", &[]);
    check("L0 -> L1: skip\nL2 -> L3: skip", &[]);
}

#[test]
fn declarations_are_sound() {
    let check = |line: &str, rules: &[Rule]| {
        assert_eq!(broken(line, "L0 -> L1: skip"), rules, "{line}");
    };
    check(
        "object o : 8 align 4 static = { 0: 1:i32, 4: \"abcd\" }",
        &[],
    );
    check(
        "object o : 8 align 4 static = { 0: 1:i32, 3: 1:i8 }",
        &[Rule::InitialContents],
    );
    check(
        "object o : 8 align 4 static = { 0: 1:i32, 5: 1:i32 }",
        &[Rule::InitialContents],
    );
    check(
        "object o : 8 align 4 static = { 0: 1:i32 + 1:i32 }",
        &[Rule::InitialContents],
    );
    check(
        "object o : 8 align 8 static = { 0: &theirs }",
        &[Rule::InitialContents],
    );
    check("object o : 8 align 3 static", &[Rule::Alignment]);
    check("global x2 : i32 = 1:i64", &[Rule::InitialValue]);
    check("global x2 : i32 @4:1", &[Rule::FileExists]);
    check("object o : 8 align 8 static ctype 4", &[Rule::IdInRange]);
    check("extern proc v() variadic", &[Rule::Variadic]);
    check("extern proc v()\nentry v", &[Rule::EntryDefined]);
    check("extern proc v(ca)", &[Rule::Signature]);
}

#[test]
fn pictures_and_numbers() {
    let program = parse(SAMPLE).unwrap();
    let picture = prova_ir::dot::dot(&program, prova_ir::ProcId(2)).unwrap();
    assert!(
        picture.contains("L0 -> L1 [label=\"g.result := [g.a]:i32\"]"),
        "{picture}"
    );
    assert!(prova_ir::dot::dot(&program, prova_ir::ProcId(0)).is_none());
    let stats = prova_ir::Stats::of(&program, &["outside"], &|_| 0);
    assert_eq!(
        (
            stats.procedures,
            stats.declared,
            stats.markers,
            stats.errors
        ),
        (2, 3, 3, 1)
    );
    let names: Vec<&String> = stats.outside[0].1.iter().collect();
    assert_eq!((stats.outside.len(), names.len()), (1, 0), "{names:?}");
}
