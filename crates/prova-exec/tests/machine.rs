//! Runs of small programs in the text form: how they end and what their history says.

use prova_exec::{run_plain, Code, Exhausted, Limits, Run, RunEnd, Test, Trap};
use prova_ir::{text, Program, RegId};
use std::sync::Arc;

fn code(text: &str) -> Arc<Code> {
    let program = text::parse(&format!("prova-ir 1 lp64\nfile 0 \"t.c\"\n{text}")).expect("parses");
    Code::new(Arc::new(program)).expect("compiles")
}

fn run(text: &str, test: &Test) -> Run {
    let code = code(text);
    let run = Run::new(&code, test, Limits::default());
    let plain = run_plain(&code, test, Limits::default());
    assert_eq!(run.end, plain.end);
    assert_eq!(run.steps(), plain.steps);
    assert_eq!(run.output, plain.output);
    check_history(&run);
    run
}

/// The path is connected, and lookups at random agree with it.
fn check_history(run: &Run) {
    let path: Vec<_> = run.path().collect();
    assert_eq!(path.len(), run.steps() as usize);
    for (step, place) in &path {
        assert_eq!(run.edge_at(*step), Some(*place));
        assert_eq!(run.location_at(*step).location, place.source);
    }
    for pair in path.windows(2) {
        let (a, b) = (pair[0].1, pair[1].1);
        if a.proc == b.proc && a.edge.is_some() {
            let calls = run.activation_at(pair[1].0) != run.activation_at(pair[0].0);
            assert!(calls || a.target == b.source, "{a:?} then {b:?}");
        }
    }
}

fn reg(program: &Program, name: &str) -> RegId {
    RegId::new(
        program
            .registers
            .iter()
            .position(|r| r.name == name)
            .expect("register"),
    )
}

const LOOP: &str = "
proc main() -> r {
  result r : i32
  local i : i32
  local s : i32
  entry L0 exit L6
  L0 -> L1: i := 0:i32
  L1 -> L2: s := 0:i32
  L2 -> L3: assume i <s 10:i32
  L2 -> L5: assume !(i <s 10:i32)
  L3 -> L4: s := s + i
  L4 -> L2: i := i + 1:i32
  L5 -> L6: r := s
}
entry main
";

#[test]
fn a_loop_and_its_history() {
    let run = run(LOOP, &Test::zero());
    assert_eq!(run.end, RunEnd::Returned(Some(45)));
    assert_eq!(run.steps(), 2 + 10 * 3 + 1 + 1);
    let program = &run.code.program;
    let (i, s) = (reg(program, "i"), reg(program, "s"));
    let heads = run.visits(run.code.entry(), prova_ir::LocId(2));
    assert_eq!(heads.len(), 11);
    for (k, &state) in heads.iter().enumerate() {
        assert_eq!(run.register_at(i, state), k as u128);
        assert_eq!(run.register_at(s, state), (0..k as u128).sum());
    }
    assert_eq!(run.location_at(run.steps()).location, prova_ir::LocId(6));
}

#[test]
fn recursion_has_a_frame_per_call() {
    let run = run(
        "
proc fact(n) -> f {
  param n : i32
  result f : i32
  temp t : i32
  entry L0 exit L9
  L0 -> L1: assume n <=s 1:i32
  L0 -> L2: assume !(n <=s 1:i32)
  L1 -> L9: f := 1:i32
  L2 -> L3: t := call fact(n - 1:i32)
  L3 -> L9: f := n * t
}
proc main() -> r {
  result r : i32
  entry L0 exit L1
  L0 -> L1: r := call fact(10:i32)
}
entry main
",
        &Test::zero(),
    );
    assert_eq!(run.end, RunEnd::Returned(Some(3_628_800)));
    assert_eq!(run.activations().len(), 11);
    let n = reg(&run.code.program, "n");
    for (id, activation) in run.activations().iter().enumerate().skip(1) {
        assert_eq!(run.register_at(n, activation.start), 11 - id as u128);
        assert_eq!(run.register_of(id as u32, n, run.steps()), 11 - id as u128);
    }
}

#[test]
fn frame_objects_of_recursive_calls_are_distinct() {
    let run = run(
        "
proc f(n, p) -> q {
  param n : i32
  param p : ptr
  result q : i32
  frame x : 4 align 4
  entry L0 exit L9
  L0 -> L1: enter x
  L1 -> L2: [&x] := n
  L2 -> L3: assume n == 0:i32
  L2 -> L4: assume !(n == 0:i32)
  L3 -> L9: q := [p]:i32 + [&x]:i32
  L4 -> L9: q := call f(n - 1:i32, &x)
}
proc main() -> r {
  result r : i32
  frame y : 4 align 4
  entry L0 exit L3
  L0 -> L1: enter y
  L1 -> L2: [&y] := 7:i32
  L2 -> L3: r := call f(5:i32, &y)
}
entry main
",
        &Test::zero(),
    );
    assert_eq!(run.end, RunEnd::Returned(Some(1)));
}

fn ends(body: &str, test: &Test) -> RunEnd {
    let text = format!(
        "
object a : 8 align 4 static = {{ 0: 5:i32 }}
object k : 4 align 4 constant = {{ 0: 5:i32 }}
extern proc unknown() -> u {{
  result u : i32
}}
proc main() -> r {{
  result r : i32
  local x : i32
  local p : ptr
  frame fr : 4 align 4
{body}
}}
entry main
"
    );
    run(&text, test).end
}

#[test]
fn traps_end_the_run() {
    let at = |body: &str| match ends(body, &Test::zero()) {
        RunEnd::Trap(trap, _) => trap,
        other => panic!("{other:?}"),
    };
    let head = "  entry L0 exit L9\n";
    assert_eq!(
        at(&format!("{head}  L0 -> L9: x := 1:i32 /s x")),
        Trap::DivisionByZero
    );
    assert_eq!(
        at(&format!("{head}  L0 -> L9: x := [p]:i32")),
        Trap::InvalidRead(0)
    );
    let end = at(&format!("{head}  L0 -> L9: x := [&a +p 6:i64]:i32"));
    assert!(matches!(end, Trap::InvalidRead(_)));
    assert!(matches!(
        at(&format!("{head}  L0 -> L9: [&k] := 1:i32")),
        Trap::WriteToConstant(_)
    ));
    assert!(matches!(
        at(&format!("{head}  L0 -> L9: [&fr] := 1:i32")),
        Trap::InvalidWrite(_)
    ));
    assert!(matches!(
        at(&format!("{head}  L0 -> L9: free &a")),
        Trap::BadFree(_)
    ));
    assert!(matches!(
        at(&format!("{head}  L0 -> L9: call [&a]()")),
        Trap::NoFunction(_)
    ));
    let twice = "  L0 -> L1: p := alloc heap 4:i64\n  L1 -> L2: free p\n  L2 -> L9: free p";
    assert!(matches!(at(&format!("{head}{twice}")), Trap::BadFree(_)));
    let after = "  L0 -> L1: p := alloc heap 4:i64\n  L1 -> L2: free p\n  L2 -> L9: [p] := x";
    assert!(matches!(
        at(&format!("{head}{after}")),
        Trap::InvalidWrite(_)
    ));
}

#[test]
fn limits_end_the_run() {
    let forever = code("proc main() {\n entry L0 exit L9\n L0 -> L0: skip\n}\nentry main\n");
    let limits = Limits {
        steps: 1000,
        ..Limits::default()
    };
    assert_eq!(
        run_plain(&forever, &Test::zero(), limits).end,
        RunEnd::StepLimit(1000)
    );
    let limits = Limits {
        time: Some(std::time::Duration::from_millis(20)),
        ..Limits::default()
    };
    assert_eq!(
        run_plain(&forever, &Test::zero(), limits).end,
        RunEnd::TimeLimit
    );

    let hungry = code(
        "proc main() {\n local p : ptr\n entry L0 exit L9\n L0 -> L1: p := alloc heap 4096:i64\n \
         L1 -> L0: [p] := 1:i32\n}\nentry main\n",
    );
    let limits = Limits {
        memory: 10 << 20,
        ..Limits::default()
    };
    assert_eq!(
        run_plain(&hungry, &Test::zero(), limits).end,
        RunEnd::MemoryLimit
    );

    let deep = code(
        "proc f() {\n entry L0 exit L1\n L0 -> L1: call f()\n}\nproc main() {\n entry L0 exit L1\n \
         L0 -> L1: call f()\n}\nentry main\n",
    );
    let end = run_plain(&deep, &Test::zero(), Limits::default()).end;
    assert!(matches!(end, RunEnd::StackOverflow(_)), "{end:?}");
    let history = Run::new(&deep, &Test::zero(), Limits::default());
    assert!(matches!(history.end, RunEnd::StackOverflow(_)));
}

#[test]
fn inputs_come_in_order_and_may_run_out() {
    let body = "
  entry L0 exit L9
  L0 -> L1: x := nondet input \"in\"
  L1 -> L2: r := nondet input \"in\"
  L2 -> L3: r := r - x
  L3 -> L4: x := call unknown()
  L4 -> L9: r := r + x";
    assert_eq!(
        ends(body, &Test::of_values([3, 10, 100])),
        RunEnd::Returned(Some(107))
    );
    assert_eq!(
        ends(body, &Test::of_values([3, 10])),
        RunEnd::Returned(Some(7))
    );
    let stop = Test {
        exhausted: Exhausted::Stop,
        ..Test::of_values([3, 10])
    };
    assert!(matches!(ends(body, &stop), RunEnd::InputsExhausted(_)));
    let a = ends(body, &Test::seeded(7));
    assert_eq!(a, ends(body, &Test::seeded(7)));
}

#[test]
fn wide_values_pass_through_registers_memory_and_calls() {
    let run = run(
        "
proc twice(v) -> d {
  param v : i128
  result d : i128
  entry L0 exit L1
  L0 -> L1: d := v * 2:i128
}
object m : 16 align 16 static
proc main() -> r {
  result r : i64
  local w : i128
  local c : i1
  entry L0 exit L9
  L0 -> L1: w := call twice(0x8000000000000001:i128)
  L1 -> L2: [&m] := w
  L2 -> L3: c := w <s [&m]:i128
  L3 -> L9: r := trunc([&m]:i128 >>u 64:i128, i64) + ite(c, 100:i64, 10:i64)
}
entry main
",
        &Test::zero(),
    );
    assert_eq!(run.end, RunEnd::Returned(Some(11)));
    let w = reg(&run.code.program, "w");
    assert_eq!(run.register_at(w, run.steps()), 0x1_0000_0000_0000_0002);
}

#[test]
fn memory_at_any_state() {
    let run = run(
        "
object a : 16 align 4 static = { 4: 5:i32 }
proc main() {
  entry L0 exit L4
  L0 -> L1: [&a] := 1:i32
  L1 -> L2: [&a +p 2:i64] := 0x1234:i32
  L2 -> L3: copy [&a +p 8:i64] := [&a], 8
  L3 -> L4: [&a] := 0:i64
}
entry main
",
        &Test::zero(),
    );
    let base = run.layout.objects[0];
    assert_eq!(run.memory_at(base, 8, 0), 5 << 32);
    assert_eq!(run.memory_at(base, 4, 1), 1);
    assert_eq!(run.memory_at(base, 8, 2), 0x1234_0001);
    assert_eq!(run.memory_at(base + 8, 8, 2), 0);
    assert_eq!(run.memory_at(base + 8, 8, 3), 0x1234_0001);
    assert_eq!(run.memory_at(base, 16, 4), 0x1234_0001 << 64);
    assert_eq!(run.memory_at(base + 6, 4, 4), 0x0001_0000);
}
