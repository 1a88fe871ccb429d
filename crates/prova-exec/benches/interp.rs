//! Concrete execution of a tight loop: plain, and with history. `gcc -O0` on the same program is
//! timed beside it, so that the figures are ratios of one run.

use criterion::{criterion_group, criterion_main, Criterion};
use prova_exec::{run_plain, Code, Limits, Run, Test};
use std::hint::black_box;
use std::sync::Arc;

const ITERATIONS: u32 = 10_000_000;

fn tight_loop() -> Arc<Code> {
    let text = format!(
        "prova-ir 1 lp64
file 0 \"loop.c\"
proc main() -> r {{
  result r : i32
  local i : i32
  local a : i32
  local b : i32
  entry L0 exit L9
  L0 -> L1: i := 0:i32
  L1 -> L2: a := 0:i32
  L2 -> L3: b := 1:i32
  L3 -> L4: assume i <s {ITERATIONS}:i32
  L3 -> L8: assume !(i <s {ITERATIONS}:i32)
  L4 -> L5: a := a + i
  L5 -> L6: b := b ^ a
  L6 -> L7: a := a - (b & 7:i32)
  L7 -> L3: i := i + 1:i32
  L8 -> L9: r := a + b
}}
entry main
"
    );
    let program = prova_ir::text::parse(&text).expect("parses");
    Code::new(Arc::new(program)).expect("compiles")
}

fn gcc() -> Option<tempfile::TempDir> {
    let dir = tempfile::tempdir().ok()?;
    let source = dir.path().join("loop.c");
    let text = format!(
        "int main(void) {{ int i = 0, a = 0, b = 1;
         while (i < {ITERATIONS}) {{ a = a + i; b = b ^ a; a = a - (b & 7); i = i + 1; }}
         return (a + b) & 1; }}"
    );
    std::fs::write(&source, text).ok()?;
    let done = std::process::Command::new("gcc")
        .args(["-O0", "-fwrapv", "-o"])
        .arg(dir.path().join("loop"))
        .arg(&source)
        .status()
        .ok()?;
    done.success().then_some(dir)
}

fn interp(c: &mut Criterion) {
    let code = tight_loop();
    let mut group = c.benchmark_group("interp");
    group.sample_size(10);
    if let Some(dir) = gcc() {
        let program = dir.path().join("loop");
        group.bench_function("gcc -O0", |b| {
            b.iter(|| {
                std::process::Command::new(&program)
                    .status()
                    .map(|s| s.code())
            })
        });
    } else {
        eprintln!("gcc not found: no baseline");
    }
    group.bench_function("plain", |b| {
        b.iter(|| black_box(run_plain(&code, &Test::zero(), Limits::default()).steps))
    });
    group.bench_function("history", |b| {
        b.iter(|| {
            let run = Run::new(&code, &Test::zero(), Limits::default());
            assert!(run.size() < 1 << 30);
            black_box(run.size())
        })
    });
    group.finish();
    processor_time(&code);
}

/// Nanoseconds this thread has been on a processor: what counts on a machine that is shared.
fn on_processor() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ')
        .next()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0)
}

/// Clock ticks (of 10 ms) that finished children took.
fn children() -> u64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text
        .rsplit(") ")
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    fields.get(13).and_then(|n| n.parse().ok()).unwrap_or(0)
}

fn processor_time(code: &Arc<Code>) {
    let native = gcc().map(|dir| {
        let before = children();
        for _ in 0..20 {
            let _ = std::process::Command::new(dir.path().join("loop")).status();
        }
        (children() - before) as f64 * 10.0 / 20.0
    });
    let before = on_processor();
    black_box(run_plain(code, &Test::zero(), Limits::default()).steps);
    let plain = (on_processor() - before) as f64 / 1e6;
    let before = on_processor();
    let run = Run::new(code, &Test::zero(), Limits::default());
    let history = (on_processor() - before) as f64 / 1e6;
    eprintln!("processor time: plain {plain:.0} ms, history {history:.0} ms");
    eprintln!("history of {} steps: {} MB", run.steps(), run.size() >> 20);
    if let Some(native) = native {
        eprintln!(
            "gcc -O0 {native:.1} ms: plain {:.1} times, history {:.1} times slower",
            plain / native,
            history / native
        );
    }
}

criterion_group!(benches, interp);
criterion_main!(benches);
