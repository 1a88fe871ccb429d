//! Building ten million terms with sharing: the arena's speed and its memory.
//!
//! The mix is what execution makes: sums with constants, comparisons, if-then-elses, reads and
//! writes of memory, over a few hundred variables, every subterm shared by later ones.

use criterion::{criterion_group, criterion_main, Criterion};
use prova_logic::{Sort, Term, Terms};
use std::time::{Duration, Instant};

const TERMS: usize = 10_000_000;

fn build(count: usize) -> Terms {
    let mut t = Terms::new();
    let mut pool: Vec<Term> = (0..256)
        .map(|i| t.var(&format!("x{i}"), Sort::BitVec(32)))
        .collect();
    let mut flags: Vec<Term> = (0..16)
        .map(|i| t.var(&format!("p{i}"), Sort::Bool))
        .collect();
    let memory = t.var(
        "m",
        Sort::Array {
            index: 32,
            element: 32,
        },
    );
    let mut memories = [memory; 16];
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = move |n: usize| {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    };
    while t.len() < count {
        let (a, b) = (pool[next(pool.len())], pool[next(pool.len())]);
        let c = flags[next(flags.len())];
        let slot = next(memories.len());
        let made = match next(10) {
            0 | 1 => t.add(a, b),
            2 => {
                let k = t.bv(next(1000) as u128, 32);
                t.add(a, k)
            }
            3 => t.bv_xor(a, b),
            4 => t.mul(a, b),
            5 => t.ite(c, a, b),
            6 => {
                memories[slot] = t.store(memories[slot], a, b);
                a
            }
            7 => t.select(memories[slot], a),
            8 => {
                let less = t.slt(a, b);
                let at = next(flags.len());
                flags[at] = less;
                t.bv_and(a, b)
            }
            _ => {
                let same = t.eq(a, b);
                let at = next(flags.len());
                flags[at] = t.and2(same, c);
                t.sub(a, b)
            }
        };
        let at = next(pool.len());
        pool[at] = made;
    }
    t
}

/// Peak resident memory in megabytes, where the system tells it.
fn peak_megabytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    line.split_whitespace()
        .nth(1)?
        .parse::<u64>()
        .ok()
        .map(|kb| kb / 1024)
}

fn ten_million(c: &mut Criterion) {
    let start = Instant::now();
    let terms = build(TERMS);
    let once = start.elapsed();
    println!(
        "{} terms in {once:.2?}, peak {:?} MB",
        terms.len(),
        peak_megabytes()
    );
    drop(terms);
    let mut group = c.benchmark_group("terms");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(10));
    group.bench_function("one_million_shared", |b| b.iter(|| build(TERMS / 10).len()));
    group.finish();
}

criterion_group!(benches, ten_million);
criterion_main!(benches);
