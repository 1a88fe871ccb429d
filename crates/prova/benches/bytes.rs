//! Programs that read bytes: how long each question takes, and how many tests a second fuzzing runs,
//! beside libFuzzer on the same programs in the same run (`clang`, where it is installed).
//!
//! `PROVA_SECONDS` is the limit of a question (60). The programs are those of `tests/programs/bytes`,
//! whose first line says what is expected.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Fuzzed by both.
const FUZZED: [&str; 2] = ["http.c", "url.c"];
/// How long, in seconds.
const FUZZING: u64 = 5;

/// Hands libFuzzer's bytes to the program, one for each input.
const DRIVER: &str = r#"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
static const uint8_t *next, *end;
static uint8_t byte(void) { return next < end ? *next++ : 0; }
char __VERIFIER_nondet_char(void) { return (char)byte(); }
unsigned char __VERIFIER_nondet_uchar(void) { return byte(); }
int __VERIFIER_nondet_int(void) { int v = 0; for (int i = 0; i < 4; i++) v = v << 8 | byte(); return v; }
void reach_error(void) { abort(); }
int prova_main(void);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    next = data;
    end = data + size;
    prova_main();
    return 0;
}
"#;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/bytes");
    let seconds = std::env::var("PROVA_SECONDS").unwrap_or_else(|_| "60".into());
    let mut files: Vec<PathBuf> = std::fs::read_dir(&root)
        .expect("the programs are there")
        .map(|e| e.expect("it can be read").path())
        .collect();
    files.sort();
    println!("| program | property | answer | seconds |\n|---|---|---|---|");
    for path in &files {
        let text = std::fs::read_to_string(path).expect("it can be read");
        let head = text.lines().next().unwrap_or_default();
        let Some(questions) = head.strip_prefix("// bytes: ") else {
            continue;
        };
        for question in questions.split(", ") {
            let property = question.split(' ').next().unwrap_or_default();
            let started = Instant::now();
            let output = Command::new(env!("CARGO_BIN_EXE_prova"))
                .args(["check", "-q", "--no-config", "--timeout", &seconds])
                .args(["--property", property])
                .arg(path)
                .output()
                .expect("the command runs");
            let time = started.elapsed().as_secs_f64();
            let answer = match output.status.code() {
                Some(0) => "proved",
                Some(1) => "violated",
                Some(4) => "bounded",
                _ => "unknown",
            };
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            println!("| {name} | {property} | {answer} | {time:.1} |");
        }
    }
    println!("\n| program | executions a second | libFuzzer | ratio |\n|---|---|---|---|");
    for name in FUZZED {
        let path = root.join(name);
        let own = executions(&path);
        match libfuzzer(&path) {
            Some(other) => {
                let ratio = own as f64 / other as f64;
                println!("| {name} | {own} | {other} | {ratio:.2} |");
            }
            None => println!("| {name} | {own} | not there | |"),
        }
    }
}

/// Tests a second of a campaign that finds nothing.
fn executions(path: &Path) -> u64 {
    let output = Command::new(env!("CARGO_BIN_EXE_prova"))
        .args(["fuzz", "--no-config", "--format", "json", "--timeout"])
        .arg(FUZZING.to_string())
        .arg(path)
        .output()
        .expect("the command runs");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let tests = find(&answer, "tests").unwrap_or(0);
    tests / FUZZING
}

/// The first number of this name, however deep.
fn find(value: &serde_json::Value, name: &str) -> Option<u64> {
    match value {
        serde_json::Value::Object(fields) => {
            let here = fields.get(name).and_then(serde_json::Value::as_u64);
            here.or_else(|| fields.values().find_map(|v| find(v, name)))
        }
        serde_json::Value::Array(parts) => parts.iter().find_map(|v| find(v, name)),
        _ => None,
    }
}

fn libfuzzer(path: &Path) -> Option<u64> {
    let folder = tempfile::tempdir().ok()?;
    let driver = folder.path().join("driver.c");
    std::fs::write(&driver, DRIVER).ok()?;
    let binary = folder.path().join("fuzzer");
    let built = Command::new("clang")
        .args(["-O1", "-w", "-fsanitize=fuzzer", "-Dmain=prova_main", "-o"])
        .arg(&binary)
        .arg(path)
        .arg(&driver)
        .output()
        .ok()?;
    if !built.status.success() {
        return None;
    }
    let ran = Command::new(&binary)
        .current_dir(folder.path())
        .args(["-print_final_stats=1", "-max_len=64"])
        .arg(format!("-max_total_time={FUZZING}"))
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&ran.stderr);
    let line = text
        .lines()
        .find_map(|l| l.strip_prefix("stat::average_exec_per_sec:"));
    line?.trim().parse().ok()
}
