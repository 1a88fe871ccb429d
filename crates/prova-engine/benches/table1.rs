//! Table 1 of Gulavani, Henzinger, Kannan, Nori, Rajamani: *SYNERGY: A New Algorithm for Property
//! Checking*, on programs of our own after its descriptions (`tests/programs/synergy`), and what
//! Beckman et al., *Proofs from Tests*, claim of DASH against SYNERGY. `docs/synergy.md` keeps what
//! came out.
//!
//! Every engine gets the whole program, without a slice, and no facts from others; work is counted in
//! iterations and questions to the solver. Words behind `--` narrow it down: the name of a program,
//! `aliases` for the second table alone, `statement` or `loop-free` for another size of steps.

#[path = "../tests/support/mod.rs"]
mod support;

use prova_engine::{Granularity, Settings, Sources};
use std::fmt::Write;
use support::turn::{turn, Ended};

/// Iterations after which an engine is said not to end.
const ITERATIONS: u64 = 100;
/// A fuse, in seconds: for engines whose iterations grow.
const SECONDS: u64 = 30;

const ENGINES: [&str; 4] = ["synergy", "slam", "lee-yannakakis", "dash"];

/// The paper's iterations of SYNERGY, SLAM and Lee and Yannakakis; none where it did not end.
const PAPER: [[Option<u32>; 3]; 20] = [
    [Some(9), Some(4), None],
    [Some(6), Some(4), None],
    [Some(5), Some(13), None],
    [Some(2), Some(12), Some(22)],
    [Some(2), Some(1), None],
    [Some(1), Some(1), Some(1)],
    [Some(6), Some(4), Some(6)],
    [Some(2), Some(2), None],
    [Some(3), Some(1), Some(3)],
    [Some(3), Some(1), Some(3)],
    [Some(2), Some(13), None],
    [Some(7), Some(13), None],
    [Some(12), Some(2), Some(12)],
    [Some(1), Some(12), None],
    [Some(3), None, Some(3)],
    [Some(3), None, None],
    [Some(2), None, None],
    [Some(24), None, None],
    [Some(24), None, None],
    [Some(22), None, None],
];

fn run(name: &str, settings: &Settings, source: &str, entry: Option<&str>) -> Option<Ended> {
    turn(name, settings, (source, entry), ITERATIONS, SECONDS)
}

/// The paper's algorithm; with generalisation if it does not end without, which is said, too.
fn as_printed(name: &str, granularity: Granularity, source: &str) -> Option<(Ended, bool)> {
    let plain = Settings {
        granularity,
        sources: Sources {
            core: true,
            branch: true,
            ..Sources::NONE
        },
        ..Settings::default()
    };
    let ended = run(name, &plain, source, None)?;
    if ended.safe.is_some() || !["synergy", "dash"].contains(&name) {
        return Some((ended, false));
    }
    let general = Settings {
        sources: Sources::default(),
        ..plain
    };
    let again = run(name, &general, source, None)?;
    Some(match again.safe {
        Some(_) => (again, true),
        None => (ended, false),
    })
}

fn cell(ended: &Option<(Ended, bool)>) -> String {
    match ended {
        None => "–".into(),
        Some((ended, _)) if ended.safe.is_none() => {
            let counted = ended.statistics.iterations >= ITERATIONS;
            if counted { "*" } else { "* t" }.into()
        }
        Some((Ended { statistics, .. }, generalised)) => format!(
            "{} / {}{}",
            statistics.iterations,
            statistics.solver_calls,
            if *generalised { " g" } else { "" }
        ),
    }
}

fn first_table(granularity: Granularity, only: Option<&str>) {
    println!("iterations / questions; * does not end in {ITERATIONS} iterations, * t in {SECONDS} s; g with generalisation; in brackets the paper's iterations\n");
    println!("| program | verdict | synergy | slam | lee-yannakakis | dash |");
    println!("|---|---|---|---|---|---|");
    for (number, paper) in PAPER.iter().enumerate() {
        let name = format!("test{:02}", number + 1);
        if only.is_some_and(|only| only != name) {
            continue;
        }
        let path = format!("../../tests/programs/synergy/{name}.c");
        let source = std::fs::read_to_string(path).expect("the program is there");
        let expected = source.starts_with("// expect: true");
        let mut row = format!("| {name} | {expected} |");
        for (column, engine) in ENGINES.iter().enumerate() {
            let ended = as_printed(engine, granularity, &source);
            let verdict = ended.as_ref().and_then(|e| e.0.safe);
            assert!(verdict.is_none_or(|v| v == expected), "{engine} on {name}");
            write!(row, " {}", cell(&ended)).expect("text");
            if let Some(paper) = paper.get(column) {
                let paper = paper.map_or("*".into(), |n| n.to_string());
                write!(row, " ({paper})").expect("text");
            }
            row.push_str(" |");
        }
        println!("{row}");
    }
}

/// After DASH, Figure 5: a pointer checked against n others, then all are written.
fn alias_family(n: usize) -> String {
    let mut text = String::from("extern void reach_error(void);\nvoid foo(int *p");
    for i in 0..n {
        write!(text, ", int *p{i}").expect("text");
    }
    text.push_str(") {\n");
    for i in 0..n {
        writeln!(text, "  if (p == p{i}) return;").expect("text");
    }
    for i in 0..n {
        writeln!(text, "  *p{i} = 0;").expect("text");
    }
    text.push_str("  *p = 1;\n  if (0");
    for i in 0..n {
        write!(text, " | (*p{i} == 1)").expect("text");
    }
    text.push_str(") reach_error();\n}\n");
    text
}

fn second_table(granularity: Granularity) {
    println!("\n| pointers | engine | iterations | questions | largest predicate, in nodes | address pairs left open |");
    println!("|---|---|---|---|---|---|");
    for n in 1..=6 {
        for name in ["synergy", "dash"] {
            let settings = Settings {
                granularity,
                sources: Sources {
                    core: true,
                    branch: true,
                    ..Sources::NONE
                },
                ..Settings::default()
            };
            let source = alias_family(n);
            let Some(ended) = run(name, &settings, &source, Some("foo")) else {
                continue;
            };
            let s = &ended.statistics;
            let open = match name {
                "synergy" => s.counter("open_addresses").to_string(),
                _ => "–".into(),
            };
            println!(
                "| {n} | {name} | {}{} | {} | {} | {open} |",
                s.iterations,
                if ended.safe.is_none() { " *" } else { "" },
                s.solver_calls,
                s.counter("largest_predicate"),
            );
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let given = |name: &str| arguments.iter().any(|a| a == name);
    let granularity = match (given("statement"), given("loop-free")) {
        (true, _) => Granularity::Statement,
        (_, true) => Granularity::LoopFree,
        _ => Granularity::Basic,
    };
    let only = arguments.iter().find(|a| a.starts_with("test"));
    if !given("aliases") {
        first_table(granularity, only.map(String::as_str));
    }
    if only.is_none() {
        second_table(granularity);
    }
}
