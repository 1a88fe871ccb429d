//! A fixed set of programs with recorded verdicts and iterations: what was solved stays solved,
//! with no more than twice the work. Never by time. `PROVA_RECORD=1` writes the record again.

mod support;

use prova_engine::{Auto, Dash};
use prova_task::Checker;
use std::collections::BTreeMap;
use std::fmt::Write;
use support::{check_with, verdict};

const ROOT: &str = "../../tests";
const FOLDERS: [&str; 4] = [
    "programs",
    "programs/figures",
    "programs/loops",
    "programs/values",
];

/// The record: engine and program, then verdict and iterations.
fn record() -> BTreeMap<String, (String, u64)> {
    let text = std::fs::read_to_string(format!("{ROOT}/regression.csv")).unwrap();
    text.lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let key = format!("{},{}", cells[0], cells[1]);
            (key, (cells[2].to_string(), cells[3].parse().unwrap()))
        })
        .collect()
}

#[test]
fn nothing_that_was_solved_is_lost_or_takes_twice_the_work() {
    let writing = std::env::var_os("PROVA_RECORD").is_some();
    let record = if writing { BTreeMap::new() } else { record() };
    let mut new = String::from("engine,program,verdict,iterations\n");
    let (mut checked, mut worse) = (0, Vec::new());
    let engines: [&dyn Checker; 2] = [&Auto::default(), &Dash::default()];
    for folder in FOLDERS {
        let mut paths: Vec<_> = std::fs::read_dir(format!("{ROOT}/{folder}"))
            .unwrap()
            .map(|e| e.unwrap().path())
            .filter(|p| p.extension().is_some_and(|e| e == "c"))
            .collect();
        paths.sort();
        for path in paths {
            let name = format!("{folder}/{}", path.file_stem().unwrap().to_string_lossy());
            let source = std::fs::read_to_string(&path).unwrap();
            let entry = source.lines().find_map(|l| l.strip_prefix("// entry:"));
            for engine in engines {
                let key = format!("{},{name}", engine.name());
                // Only what was solved is tried again.
                if !writing && !record.contains_key(&key) {
                    continue;
                }
                let seconds = if writing { 4 } else { 60 };
                let report = check_with(engine, &name, &source, entry.map(str::trim), seconds);
                let (said, iterations) = (verdict(&report), report.statistics.iterations);
                if writing {
                    if !said.starts_with("unknown") {
                        writeln!(new, "{key},{said},{iterations}").unwrap();
                    }
                    continue;
                }
                checked += 1;
                let (expected, most) = &record[&key];
                if said != *expected || iterations > 2 * most + 10 {
                    worse.push(format!(
                        "{key}: {said} in {iterations}, it was {expected} in {most}"
                    ));
                }
            }
        }
    }
    if writing {
        std::fs::write(format!("{ROOT}/regression.csv"), new).unwrap();
        return;
    }
    assert_eq!(checked, record.len(), "a recorded program is gone");
    assert!(checked > 80, "only {checked}");
    assert!(worse.is_empty(), "{worse:#?}");
}
