//! Runs `prova check` over a folder of tasks with known verdicts, two at a time, and compares
//! with a recorded run:
//!
//! ```text
//! cargo run --release -p prova --example corpus -- FOLDER [--seconds N] [--jobs N]
//!     [--only TEXT] [--write FILE] [--compare FILE]
//! ```
//!
//! The folder has a `tasks.csv` with the columns category, file, property, expected and bits. A row
//! per task goes to `--write`; what differs from `--compare` is listed: verdicts lost and won, and
//! the ratio of the times of tasks that both runs solved. A wrong verdict makes the status 1.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::time::{Duration, Instant};

struct Settings {
    folder: PathBuf,
    seconds: u64,
    jobs: usize,
    only: String,
    write: Option<PathBuf>,
    compare: Option<PathBuf>,
}

#[derive(Clone)]
struct Task {
    category: String,
    file: String,
    expected: String,
    bits: String,
}

#[derive(Clone)]
struct Row {
    task: Task,
    verdict: String,
    seconds: f64,
}

fn settings() -> Result<Settings, String> {
    let mut arguments = std::env::args().skip(1);
    let mut settings = Settings {
        folder: PathBuf::new(),
        seconds: 60,
        jobs: 2,
        only: String::new(),
        write: None,
        compare: None,
    };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        let number = |text: String| text.parse().map_err(|_| format!("`{text}` is no number"));
        match argument.as_str() {
            "--seconds" => settings.seconds = number(value()?)?,
            "--jobs" => settings.jobs = number(value()?)?.max(1) as usize,
            "--only" => settings.only = value()?,
            "--write" => settings.write = Some(value()?.into()),
            "--compare" => settings.compare = Some(value()?.into()),
            folder => settings.folder = folder.into(),
        }
    }
    Ok(settings)
}

/// Rows of a table with a header, as maps from column to cell. Cells hold no commas.
fn table(path: &Path) -> Result<Vec<BTreeMap<String, String>>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let row = |line: &str| {
        let cells = line.split(',').map(str::to_string);
        header.iter().map(|h| h.to_string()).zip(cells).collect()
    };
    Ok(lines.map(row).collect())
}

fn run(prova: &Path, settings: &Settings, task: &Task) -> Row {
    let began = Instant::now();
    let child = Command::new(prova)
        .args(["check", "--format", "svcomp", "--property", "unreach-call"])
        .args([
            "--bits",
            &task.bits,
            "--timeout",
            &settings.seconds.to_string(),
        ])
        .arg(settings.folder.join(&task.file))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut verdict = "unknown".to_string();
    if let Ok(mut child) = child {
        let limit = Duration::from_secs(settings.seconds + 3);
        let ended = loop {
            match child.try_wait() {
                Ok(Some(_)) => break true,
                Ok(None) if began.elapsed() < limit => {
                    std::thread::sleep(Duration::from_millis(10));
                }
                _ => break false,
            }
        };
        if !ended {
            let _ = child.kill();
            let _ = child.wait();
        }
        let mut text = String::new();
        if let Some(mut out) = child.stdout.take() {
            let _ = out.read_to_string(&mut text);
        }
        let said = text.lines().last().unwrap_or_default();
        let seconds = began.elapsed().as_secs_f64();
        if ended && seconds <= settings.seconds as f64 + 1.0 {
            verdict = match said {
                "TRUE" => "true".into(),
                said if said.starts_with("FALSE") => "false".into(),
                said => said.to_lowercase(),
            };
        }
    }
    Row {
        task: task.clone(),
        verdict,
        seconds: began.elapsed().as_secs_f64(),
    }
}

fn solved(row: &Row) -> bool {
    row.verdict == row.task.expected
}

fn wrong(row: &Row) -> bool {
    matches!(row.verdict.as_str(), "true" | "false") && !solved(row)
}

fn compare(rows: &[Row], path: &Path) -> Result<(), String> {
    let mut ratios = Vec::new();
    for old in table(path)? {
        let Some(new) = rows.iter().find(|r| r.task.file == old["file"]) else {
            continue;
        };
        let was_solved = old["verdict"] == old["expected"];
        match (was_solved, solved(new)) {
            (true, false) => println!("lost {}: {}", new.task.file, new.verdict),
            (false, true) => println!("won  {}", new.task.file),
            (true, true) => {
                let before: f64 = old["seconds"].parse().unwrap_or(0.0);
                ratios.push(new.seconds.max(0.1) / before.max(0.1));
            }
            (false, false) => {}
        }
    }
    ratios.sort_by(f64::total_cmp);
    if let Some(middle) = ratios.get(ratios.len() / 2) {
        println!(
            "time per task, now to then: {middle:.2} in the middle of {}",
            ratios.len()
        );
    }
    Ok(())
}

fn main() -> ExitCode {
    match work() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn work() -> Result<ExitCode, String> {
    let settings = settings()?;
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let prova = own.parent().and_then(Path::parent).map(|p| p.join("prova"));
    let prova = prova.filter(|p| p.exists());
    let prova = prova.ok_or("build the command first: cargo build --release -p prova")?;
    let tasks: Vec<Task> = table(&settings.folder.join("tasks.csv"))?
        .into_iter()
        .filter(|t| t["property"] == "unreach-call" && t["file"].contains(&settings.only))
        .map(|t| Task {
            category: t["category"].clone(),
            file: t["file"].clone(),
            expected: t["expected"].clone(),
            bits: t["bits"].clone(),
        })
        .collect();
    let next = AtomicUsize::new(0);
    let rows: Mutex<Vec<(usize, Row)>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..settings.jobs {
            scope.spawn(|| loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(task) = tasks.get(index) else { break };
                let row = run(&prova, &settings, task);
                let sign = if wrong(&row) { "WRONG" } else { "" };
                println!(
                    "{:7.1} s  {:24} {} {sign}",
                    row.seconds, row.verdict, task.file
                );
                rows.lock().expect("nobody panics").push((index, row));
            });
        }
    });
    let mut rows = rows.into_inner().expect("nobody panics");
    rows.sort_by_key(|r| r.0);
    let rows: Vec<Row> = rows.into_iter().map(|r| r.1).collect();
    let mut totals: BTreeMap<&str, (usize, usize, usize, f64)> = BTreeMap::new();
    for row in &rows {
        for name in [row.task.category.as_str(), "~all"] {
            let total = totals.entry(name).or_default();
            total.0 += 1;
            total.1 += usize::from(solved(row));
            total.2 += usize::from(wrong(row));
            total.3 += row.seconds;
        }
    }
    println!(
        "\n{:24}{:>7}{:>8}{:>7}{:>9}",
        "category", "tasks", "solved", "wrong", "seconds"
    );
    for (name, (tasks, solved, wrong, seconds)) in totals {
        println!(
            "{:24}{tasks:7}{solved:8}{wrong:7}{seconds:9.0}",
            name.trim_start_matches('~')
        );
    }
    if let Some(path) = &settings.write {
        let mut text = String::from("category,file,expected,verdict,seconds\n");
        for r in &rows {
            let t = &r.task;
            let row = format!(
                "{},{},{},{},{:.1}\n",
                t.category, t.file, t.expected, r.verdict, r.seconds
            );
            text.push_str(&row);
        }
        std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    if let Some(path) = &settings.compare {
        compare(&rows, path)?;
    }
    Ok(ExitCode::from(u8::from(rows.iter().any(wrong))))
}
