//! SYNERGY's Figure 1 with the bound at a million: symbolic execution beside the concrete run.

use criterion::{criterion_group, criterion_main, Criterion};
use prova_exec::points_to::Partition;
use prova_exec::state_vars::StateVars;
use prova_exec::translate::Context;
use prova_exec::{run_plain, Code, Limits, Run, SymbolicRun, Test};
use prova_logic::Terms;
use std::hint::black_box;
use std::sync::Arc;

/// `void f(int y) { lock = 0; x = 0; do … while (x < bound); if (y > 17) error }`, after
/// "SYNERGY: a new algorithm for property checking", Figure 1.
const FIGURE: &str = "prova-ir 1 lp64
file 0 \"fig1.c\"
proc main() -> r {
  result r : i32
  local y : i32
  local i : i32
  local c : i32
  entry L0 exit L9
  L0 -> L1: y := nondet input \"y\"
  L1 -> L2: i := 0:i32
  L2 -> L3: c := 0:i32
  L3 -> L4: assume i <s 1000000:i32
  L3 -> L6: assume !(i <s 1000000:i32)
  L4 -> L5: c := c + i
  L5 -> L3: i := i + 1:i32
  L6 -> L7: assume y <=s 0:i32
  L6 -> L8: assume !(y <=s 0:i32)
  L7 -> L9: r := 1:i32
  L8 -> L9: r := c
}
entry main
";

fn on_processor() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ')
        .next()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0)
}

fn symbolic(c: &mut Criterion) {
    let program = Arc::new(prova_ir::text::parse(FIGURE).expect("parses"));
    let code = Code::new(Arc::clone(&program)).expect("compiles");
    let run = Run::new(&code, &Test::zero(), Limits::default());
    let partition = Partition::new(&program);
    let mut terms = Terms::new();
    let vars = StateVars::new(&mut terms, &program, &partition);
    let context = Context {
        program: &program,
        partition: &partition,
        vars: &vars,
    };
    let along = |terms: &mut Terms| {
        let mut symbolic = SymbolicRun::new(terms, context, &run).expect("encodable");
        symbolic.extend(terms, run.steps()).expect("encodable");
        assert_eq!(symbolic.constraints(run.steps()).len(), 1);
        symbolic.done()
    };
    let mut group = c.benchmark_group("symbolic");
    group.sample_size(10);
    group.bench_function("plain", |b| {
        b.iter(|| black_box(run_plain(&code, &Test::zero(), Limits::default()).steps))
    });
    group.bench_function("history", |b| {
        b.iter(|| black_box(Run::new(&code, &Test::zero(), Limits::default()).steps()))
    });
    group.bench_function("with terms", |b| b.iter(|| black_box(along(&mut terms))));
    group.finish();
    let mut times = [0; 3];
    for _ in 0..5 {
        let start = on_processor();
        black_box(run_plain(&code, &Test::zero(), Limits::default()).steps);
        let plain = on_processor();
        black_box(Run::new(&code, &Test::zero(), Limits::default()).steps());
        let history = on_processor();
        black_box(along(&mut terms));
        times[0] += plain - start;
        times[1] += history - plain;
        times[2] += on_processor() - history;
    }
    eprintln!(
        "processor time of one run: plain {:.1} ms, history {:.1} ms, with terms {:.1} ms",
        times[0] as f64 / 5e6,
        times[1] as f64 / 5e6,
        times[2] as f64 / 5e6
    );
}

criterion_group!(benches, symbolic);
criterion_main!(benches);
