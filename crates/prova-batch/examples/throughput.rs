//! What the store costs: `cargo run --release -p prova-batch --example throughput -- FILE CHECKS ANSWER` makes a
//! batch of checks whose answers are there at once (`ANSWER` is a file with one, as `prova check --format json`
//! prints it), and prints how long it took and how large the store became.

use prova_batch::child::finished;
use prova_batch::schedule::{complete, Batch, Checks, Limits, Silent};
use prova_batch::store::{Finished, Job};
use serde_json::Value;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

struct AtOnce(Value);

impl Checks for AtOnce {
    fn check(&self, _: &Job) -> Option<Finished> {
        Some(finished(self.0.clone()))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, count, answer] = &words[..] else {
        return Err("FILE CHECKS ANSWER".into());
    };
    let answer: Value = serde_json::from_str(&std::fs::read_to_string(answer)?)?;
    let jobs: Vec<Job> = (0..count.parse::<u64>()?)
        .map(|n| Job {
            program: format!("program-{}.c", n / 10),
            property: format!("property-{}", n % 10),
            words: vec![
                format!("/some/folder/program-{}.c", n / 10),
                "--bits".into(),
                "32".into(),
            ],
            files: vec![format!("/some/folder/program-{}.c", n / 10)],
            timeout: 60,
            memory: 100,
            lines: 100 + n % 900,
            ..Job::default()
        })
        .collect();
    let stopped = AtomicBool::new(false);
    let batch = Batch {
        name: "throughput",
        version: "0",
        jobs: &jobs,
        anew: false,
        limits: Limits { jobs: 4, memory: 0 },
        stopped: &stopped,
    };
    let start = Instant::now();
    let path = Path::new(file);
    let done = complete(path, &batch, &AtOnce(answer), &mut Silent, &mut |_| {})?;
    let seconds = start.elapsed().as_secs_f64();
    let bytes = std::fs::metadata(path)?.len();
    println!(
        "{} checks in {seconds:.1} s: {:.0} a second; {bytes} bytes, {} for each",
        done.made,
        done.made as f64 / seconds,
        bytes / done.made.max(1)
    );
    Ok(())
}
