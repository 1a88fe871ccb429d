//! What is the same program to a store of earlier answers, and what is not.

use prova_ir::text::parse;
use prova_task::identity::identity;

const COUNT: &str = "prova-ir 1 lp64
proc helper() {
  entry L0 exit L1
  L0 -> L1: skip
}
proc main() {
  local i : i32
  local j : i32
  entry L0 exit L7
  L0 -> L1: i := 0:i32
  L1 -> L2: j := 0:i32
  L2 -> L3: assume i <s 1000:i32
  L2 -> L5: assume !(i <s 1000:i32)
  L3 -> L4: i := i + 1:i32
  L4 -> L2: j := j + 2:i32
  L5 -> L6: assume j != 2000:i32
  L5 -> L7: assume !(j != 2000:i32)
  error L6 \"unreach-call\" \"the sum\"
}
entry main
";

fn text(program: &str) -> String {
    identity(&parse(program).unwrap_or_else(|e| panic!("{e:?}\n{program}"))).text
}

#[test]
fn names_positions_and_what_is_not_reached_do_not_count() {
    let same = [
        COUNT.replace("i := 0:i32", "i := 0:i32 @3:1"),
        COUNT.replace("\"the sum\"", "\"another message\""),
        COUNT.replace("  L0 -> L1: skip\n", "  L0 -> L2: skip\n  L2 -> L1: skip\n"),
        COUNT
            .replace("local j", "local sum")
            .replace("j :=", "sum :=")
            .replace("j +", "sum +")
            .replace("j !=", "sum !="),
        COUNT
            .replace("proc main()", "proc start()")
            .replace("entry main", "entry start"),
    ];
    for (number, other) in same.iter().enumerate() {
        assert_ne!(other, COUNT);
        assert_eq!(text(other), text(COUNT), "{number}");
    }
}

#[test]
fn what_a_program_does_counts() {
    let others = [
        COUNT.replace("1000:i32\n  L2 -> L5", "1001:i32\n  L2 -> L5"),
        COUNT.replace("j + 2:i32", "j - 2:i32"),
        COUNT.replace("<s", "<u"),
        COUNT
            .replace("error L6", "error L7")
            .replace("exit L7", "exit L6"),
        COUNT.replace("unreach-call", "no-overflow"),
        COUNT.replace("lp64", "ilp32"),
        COUNT.replace("j := 0:i32", "j := i"),
        COUNT.replace("L4 -> L2: j", "L4 -> L0: j"),
        COUNT.replace("entry main", "entry helper"),
    ];
    for (number, other) in others.iter().enumerate() {
        assert_ne!(other, COUNT);
        assert_ne!(text(other), text(COUNT), "{number}");
    }
}

#[test]
fn the_nth_place_is_the_nth_place() {
    let placed = |at: u32| COUNT.replace("j + 2:i32", &format!("j + 2:i32 @{at}:5"));
    let (one, two) = (placed(10), placed(20));
    let places = |text: &str| identity(&parse(text).expect("it parses")).positions;
    let number = places(&one)
        .iter()
        .position(|p| p.line == 10)
        .expect("a place");
    assert_eq!(places(&two)[number].line, 20);
}
