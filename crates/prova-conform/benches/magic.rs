//! The experiments of Chaki, Clarke, Jha, Veith, *An Iterative Framework for Simulation Conformance*,
//! §8, on the handshake server: Figure 12 (simulation against trace containment) and Figure 13 (one
//! to fifteen counterexamples at once), as tables and as pictures.
//!
//! `PROVA_CORPUS` names the folder that holds `ssh-simplified`; specifications are those of
//! `tests/programs/conform/ssh`, most of them deterministic, and those of its folder `scenarios`, all
//! of which decide early between two kinds of session. `PROVA_TREES` (such as `1,2,4`) restricts Figure 13, `PROVA_ONLY` the
//! specifications. Pictures go to `docs`,
//! or where `PROVA_PICTURES` says.

mod measure;

use measure::{draw, measure, Measured};
use std::path::{Path, PathBuf};

/// The server.
const SERVER: &str = "ssh-simplified/s3_srvr_1_true.cil.c";

/// Errors that were put in: a specification, a text and what stands for it.
const SEEDED: [(&str, &str, &str, &str); 4] = [
    (
        "09_client_authenticates",
        "the client's key is not read",
        "s__state = 8592;",
        "s__state = 8640;",
    ),
    (
        "02_finished_first",
        "opened before the server finished",
        "s__state = 8672;",
        "s__state = 3;",
    ),
    (
        "03_certificate_then_keys",
        "no certificate is sent",
        "s__state = 8512;",
        "s__state = 8528;",
    ),
    (
        "10_success_is_established",
        "success without a connection",
        "ret = -1;",
        "ret = 1;",
    ),
];

fn main() {
    if measure::is_one() {
        return;
    }
    let Some(corpus) = std::env::var_os("PROVA_CORPUS").map(PathBuf::from) else {
        println!("PROVA_CORPUS names no folder with the handshake server: nothing is measured");
        return;
    };
    let server = corpus.join(SERVER);
    if !server.is_file() {
        println!("there is no {}: nothing is measured", server.display());
        return;
    }
    let (plain, scenarios) = (specifications("ssh"), specifications("ssh/scenarios"));
    figure_12(&server, &plain, "plain");
    figure_12(&server, &scenarios, "scenarios");
    figure_13(&server, &scenarios);
    seeded(&server, &plain);
    seeded(&server, &scenarios);
}

fn specifications(folder: &str) -> Vec<PathBuf> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/conform");
    let only = std::env::var("PROVA_ONLY").unwrap_or_default();
    let entries = std::fs::read_dir(all.join(folder)).expect("specifications");
    let mut found: Vec<PathBuf> = entries
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "lts"))
        .filter(|p| p.display().to_string().contains(&only))
        .collect();
    found.sort();
    found
}

fn figure_12(server: &Path, specifications: &[PathBuf], family: &str) {
    println!("\nFigure 12: simulation and trace containment, {family}");
    println!(
        "{:<30} {:>9} {:>9} {:>6} {:>6}  verdicts",
        "", "sim s", "traces s", "it", "it"
    );
    let mut pairs = Vec::new();
    for path in specifications {
        let simulation = measure(server, path, "simulation", Some(4));
        let traces = measure(server, path, "traces", Some(4));
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        println!(
            "{name:<30} {:>9.2} {:>9.2} {:>6} {:>6}  {} / {}",
            simulation.seconds,
            traces.seconds,
            simulation.iterations,
            traces.iterations,
            simulation.verdict,
            traces.verdict
        );
        pairs.push((simulation, traces));
    }
    let time = geometric(pairs.iter().map(|(s, t)| t.seconds / s.seconds.max(0.01)));
    let iterations = geometric(pairs.iter().map(|(s, t)| t.iterations / s.iterations));
    println!(
        "traces against simulation, geometric means: time {time:.2}, iterations {iterations:.2}"
    );
    // Why: where strategies do not branch, one for simulation says no more than one for traces.
    let sum = |what: fn(&Measured) -> f64| pairs.iter().map(|p| what(&p.0)).sum::<f64>();
    println!(
        "simulation looked at {} strategies with {} leaves; {} of them branch",
        sum(|m| m.strategies[0]),
        sum(|m| m.strategies[2]),
        sum(|m| m.strategies[1])
    );
    let places: Vec<usize> = (1..=pairs.len()).collect();
    let of = |what: fn(&Measured) -> f64| -> [(&'static str, Vec<f64>); 2] {
        [
            ("simulation", pairs.iter().map(|p| what(&p.0)).collect()),
            ("traces", pairs.iter().map(|p| what(&p.1)).collect()),
        ]
    };
    draw(
        &format!("figure12-{family}-time.svg"),
        &format!("seconds by specification, {family}"),
        &places,
        &of(|m| m.seconds),
    );
    draw(
        &format!("figure12-{family}-iterations.svg"),
        &format!("iterations by specification, {family}"),
        &places,
        &of(|m| m.iterations),
    );
}

fn figure_13(server: &Path, specifications: &[PathBuf]) {
    let trees = std::env::var("PROVA_TREES").unwrap_or_default();
    let mut trees: Vec<usize> = trees.split(',').filter_map(|t| t.parse().ok()).collect();
    if trees.is_empty() {
        trees = (1..=15).collect();
    }
    println!("\nFigure 13: counterexamples at once, geometric means over the scenarios");
    println!(
        "{:>6} {:>9} {:>11} {:>7} {:>9} {:>11} {:>7}  conform",
        "trees", "sim s", "iterations", "MB", "traces s", "iterations", "MB"
    );
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); 6];
    for &count in &trees {
        // A mean over measurements that ended without a verdict would mean little.
        let mut conform = Vec::new();
        for (number, relation) in ["simulation", "traces"].iter().enumerate() {
            let measured: Vec<Measured> = specifications
                .iter()
                .map(|path| measure(server, path, relation, Some(count)))
                .collect();
            let all = measured.len();
            let those = measured.iter().filter(|m| m.verdict == "conforms").count();
            conform.push(format!("{those} of {all}"));
            let first = 3 * number;
            columns[first].push(geometric(measured.iter().map(|m| m.seconds)));
            columns[first + 1].push(geometric(measured.iter().map(|m| m.iterations)));
            columns[first + 2].push(geometric(measured.iter().map(|m| m.megabytes)));
        }
        let last: Vec<f64> = columns.iter().map(|c| c[c.len() - 1]).collect();
        println!(
            "{count:>6} {:>9.2} {:>11.2} {:>7.1} {:>9.2} {:>11.2} {:>7.1}  {}",
            last[0],
            last[1],
            last[2],
            last[3],
            last[4],
            last[5],
            conform.join(", ")
        );
    }
    for (number, name) in ["time", "iterations", "memory"].iter().enumerate() {
        let lines = [
            ("simulation", columns[number].clone()),
            ("traces", columns[number + 3].clone()),
        ];
        let title = format!("{name} by counterexamples at once, geometric means");
        draw(&format!("figure13-{name}.svg"), &title, &trees, &lines);
    }
}

fn seeded(server: &Path, specifications: &[PathBuf]) {
    println!("\nSeeded errors, by {}", folder_of(specifications));
    let text = std::fs::read_to_string(server).expect("the server");
    for (name, what, from, to) in SEEDED {
        let named = |p: &&PathBuf| p.file_stem().is_some_and(|s| s == name);
        let Some(path) = specifications.iter().find(named) else {
            continue;
        };
        let own = tempfile::tempdir().expect("a folder");
        let wrong = own.path().join("server.c");
        std::fs::write(&wrong, text.replacen(from, to, usize::MAX)).expect("written");
        let measured = measure(&wrong, path, "simulation", Some(4));
        println!(
            "{name:<30} {what}: {} ({:.2} s)",
            measured.verdict, measured.seconds
        );
    }
}

fn folder_of(specifications: &[PathBuf]) -> String {
    let folder = specifications.first().and_then(|p| p.parent());
    let name = folder.and_then(|f| f.file_name());
    name.unwrap_or_default().to_string_lossy().into_owned()
}

/// The geometric mean; measurements that failed are left out.
fn geometric(values: impl Iterator<Item = f64>) -> f64 {
    let logs = values.filter(|v| v.is_finite());
    let logs: Vec<f64> = logs.map(|v| v.max(0.01).ln()).collect();
    (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp()
}
