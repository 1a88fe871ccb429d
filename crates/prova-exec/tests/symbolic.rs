//! Concrete and symbolic execution against each other, on small programs in the text form; the
//! test `agreement` does the same with C programs.

mod support;

use prova_exec::{Limits, Test};
use prova_ir::text;
use std::sync::Arc;
use support::{Another, Checked};

fn check(text: &str, test: &Test) -> Checked {
    let program = text::parse(&format!("prova-ir 1 lp64\nfile 0 \"t.c\"\n{text}")).expect("parses");
    support::check(&Arc::new(program), test, Limits::default()).expect("encodable")
}

fn check_all(text: &str) {
    let mut another = false;
    another |= check(text, &Test::zero()).another == Another::Agreed;
    for seed in 0..12 {
        another |= check(text, &Test::seeded(seed)).another == Another::Agreed;
    }
    assert!(another, "no path had a second test");
}

fn main_with(declarations: &str, body: &str) -> String {
    format!(
        "{declarations}
proc main() -> r {{
  result r : i32
  local x : i32
  local y : i32
  local i : i32
  local p : ptr
  local q : ptr
{body}
}}
entry main
"
    )
}

#[test]
fn a_deterministic_loop_leaves_no_constraint() {
    let text = main_with(
        "",
        "  entry L0 exit L9
  L0 -> L1: x := nondet input \"x\"
  L1 -> L2: i := 0:i32
  L2 -> L3: assume i <s 2000:i32
  L2 -> L4: assume !(i <s 2000:i32)
  L3 -> L2: i := i + 1:i32
  L4 -> L5: assume x == 7:i32
  L4 -> L6: assume !(x == 7:i32)
  L5 -> L9: r := 1:i32
  L6 -> L9: r := i",
    );
    let checked = check(&text, &Test::zero());
    assert_eq!(checked.constraints, 1);
    assert_eq!(checked.another, Another::Agreed);
    assert_eq!(check(&text, &Test::of_values([7])).constraints, 1);
}

#[test]
fn branches_on_inputs() {
    check_all(&main_with(
        "global g : i32",
        "  entry L0 exit L9
  L0 -> L1: x := nondet input \"x\"
  L1 -> L2: y := nondet input \"y\"
  L2 -> L3: assume x <s y
  L2 -> L4: assume !(x <s y)
  L3 -> L5: x := (x * 3:i32) + g
  L4 -> L5: x := x - (y >>s 2:i32)
  L5 -> L6: assume (x & 3:i32) == 1:i32
  L5 -> L7: assume !((x & 3:i32) == 1:i32)
  L6 -> L8: r := x ^ y
  L7 -> L8: r := ite(y <u x, x, neg(y))
  L8 -> L9: r := r %u 17:i32",
    ));
}

#[test]
fn arrays_with_an_arbitrary_index() {
    check_all(&main_with(
        "object a : 40 align 4 static = { 0: 3:i32, 8: 5:i32, 36: -1:i32 }",
        "  frame f : 16 align 4
  entry L0 exit L12
  L0 -> L1: enter f
  L1 -> L2: x := nondet input \"x\"
  L2 -> L3: x := x & 3:i32
  L3 -> L4: [&a +p (sext(x, i64) * 4:i64)] := x + 10:i32
  L4 -> L5: y := [&a +p 8:i64]:i32
  L5 -> L6: assume y <s 11:i32
  L5 -> L7: assume !(y <s 11:i32)
  L6 -> L8: [&f +p 4:i64] := y
  L7 -> L8: [&f +p (zext(x, i64) * 4:i64)] := 9:i32
  L8 -> L9: y := [&f +p 4:i64]:i32 + [&a +p (sext(x, i64) * 4:i64)]:i32
  L9 -> L10: assume y == 12:i32
  L9 -> L11: assume !(y == 12:i32)
  L10 -> L12: r := 1:i32
  L11 -> L12: r := [&a +p 36:i64]:i32",
    ));
}

#[test]
fn arbitrary_pointers_lead_to_the_unknown_zone() {
    check_all(&main_with(
        "global gp : ptr",
        "  entry L0 exit L9
  L0 -> L1: p := nondet input \"p\"
  L1 -> L2: assume p == null
  L1 -> L3: assume !(p == null)
  L2 -> L9: r := 0:i32
  L3 -> L4: x := [p]:i32
  L4 -> L5: [p +p 8:i64] := x + 1:i32
  L5 -> L6: q := [p +p 16:i64]:ptr
  L6 -> L7: assume q == null
  L6 -> L8: assume !(q == null)
  L7 -> L9: r := x
  L8 -> L9: r := [q +p 8:i64]:i32 + [p +p 8:i64]:i32",
    ));
}

#[test]
fn the_heap_and_bytes_of_wider_values() {
    check_all(&main_with(
        "",
        "  local n : i64
  local b : i8
  entry L0 exit L12
  L0 -> L1: n := nondet input \"n\"
  L1 -> L2: n := (n & 7:i64) + 4:i64
  L2 -> L3: p := alloc heap n
  L3 -> L4: q := alloc heap 8:i64
  L4 -> L5: x := nondet input \"x\"
  L5 -> L6: [p] := x
  L6 -> L7: [q] := 5:i32
  L7 -> L8: b := [p +p 1:i64]:i8
  L8 -> L9: assume b == 0x12:i8
  L8 -> L10: assume !(b == 0x12:i8)
  L9 -> L11: [p +p 3:i64] := b
  L10 -> L11: [p] := 0x77:i8
  L11 -> L12: r := [p]:i32 + [q]:i32",
    ));
}

#[test]
fn structures_are_copied_and_objects_entered_again() {
    check_all(&main_with(
        "object s : 16 align 8 static = { 0: 1:i32, 8: &s }",
        "  frame t : 16 align 8
  entry L0 exit L14
  L0 -> L1: i := 0:i32
  L1 -> L2: assume i <s 3:i32
  L1 -> L9: assume !(i <s 3:i32)
  L2 -> L3: enter t
  L3 -> L4: x := [&t]:i32
  L4 -> L5: assume x <s 5:i32
  L4 -> L6: assume !(x <s 5:i32)
  L5 -> L7: [&t] := i
  L6 -> L7: copy [&t] := [&s], 16
  L7 -> L8: copy [&s] := [&t], 16
  L8 -> L15: leave t
  L15 -> L1: i := i + 1:i32
  L9 -> L10: p := [&s +p 8:i64]:ptr
  L10 -> L11: assume p == &s
  L10 -> L12: assume !(p == &s)
  L11 -> L14: r := [p]:i32
  L12 -> L14: r := [&s]:i32",
    ));
}

#[test]
fn floats_and_wide_integers() {
    check_all(&main_with(
        "object m : 16 align 16 static",
        "  local d : f32
  local e : f32
  local w : i128
  entry L0 exit L9
  L0 -> L1: d := nondet input \"d\"
  L1 -> L2: x := nondet input \"x\"
  L2 -> L3: e := d +f 1.0:f32
  L3 -> L4: assume e <f 1.5:f32
  L3 -> L5: assume !(e <f 1.5:f32)
  L4 -> L6: [&m] := d
  L5 -> L6: [&m] := fneg(e)
  L6 -> L7: w := sext(x, i128) * 0x10000000000000001:i128
  L7 -> L8: x := trunc(w >>u 64:i128, i32)
  L8 -> L9: r := x + ftos([&m]:f32, i32)",
    ));
}

#[test]
fn calls_and_recursion() {
    check_all(
        "
proc count(n, p) -> c {
  param n : i32
  param p : ptr
  result c : i32
  frame t : 4 align 4
  entry L0 exit L9
  L0 -> L1: enter t
  L1 -> L2: [&t] := n
  L2 -> L3: assume n <=s 0:i32
  L2 -> L4: assume !(n <=s 0:i32)
  L3 -> L9: c := [p]:i32 + [&t]:i32
  L4 -> L9: c := call count(n - 1:i32, &t)
}
proc main() -> r {
  result r : i32
  local x : i32
  frame y : 4 align 4
  entry L0 exit L6
  L0 -> L1: x := nondet input \"x\"
  L1 -> L2: x := x & 3:i32
  L2 -> L3: enter y
  L3 -> L4: [&y] := x + 100:i32
  L4 -> L5: r := call count(x, &y)
  L5 -> L6: r := r + x
}
entry main
",
    );
}
