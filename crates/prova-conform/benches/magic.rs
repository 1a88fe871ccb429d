//! The experiments of Chaki, Clarke, Jha, Veith, *An Iterative Framework for Simulation Conformance*,
//! §8, on the handshake server: Figure 12 (simulation against trace containment) and Figure 13 (one
//! to fifteen counterexamples at once), as tables and as pictures.
//!
//! `PROVA_CORPUS` names the folder that holds `ssh-simplified`; specifications are those of
//! `tests/programs/conform/ssh`. `PROVA_TREES` (such as `1,2,4`) restricts Figure 13, `PROVA_ONLY` the
//! specifications. Every measurement is a process of its own: processor time and memory are its own.

use prova_c::Options;
use prova_conform::conform::{conform, Question, Relation, Verdict};
use prova_conform::lts::read::parse;
use prova_conform::search::Settings;
use prova_engine::Granularity;
use prova_ir::World;
use prova_logic::SolverChoice;
use prova_task::Budget;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

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
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == "--one") {
        one(&arguments[at + 1..]);
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
    let specifications = specifications();
    let output = PathBuf::from(std::env::var_os("PROVA_PICTURES").unwrap_or(".".into()));
    figure_12(&server, &specifications, &output);
    figure_13(&server, &specifications, &output);
    seeded(&server, &specifications);
}

fn specifications() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/conform/ssh");
    let only = std::env::var("PROVA_ONLY").unwrap_or_default();
    let entries = std::fs::read_dir(folder).expect("specifications");
    let mut found: Vec<PathBuf> = entries
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "lts"))
        .filter(|p| p.display().to_string().contains(&only))
        .collect();
    found.sort();
    found
}

/// A measurement: processor seconds, iterations, megabytes, verdict.
struct Measured {
    seconds: f64,
    iterations: f64,
    megabytes: f64,
    verdict: String,
}

/// Measures in a process of its own.
fn measure(server: &Path, specification: &Path, relation: &str, trees: usize) -> Measured {
    let output = Command::new(std::env::current_exe().expect("this program"))
        .arg("--one")
        .args([server, specification])
        .args([relation, &trees.to_string()])
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |i: usize| {
        words
            .get(i)
            .and_then(|w| w.parse().ok())
            .unwrap_or(f64::NAN)
    };
    Measured {
        seconds: number(0),
        iterations: number(1),
        megabytes: number(2),
        verdict: words.get(3..).unwrap_or_default().join(" "),
    }
}

/// One measurement: the server, a specification, a relation, a number of trees.
fn one(arguments: &[String]) {
    let path = PathBuf::from(&arguments[1]);
    let text = std::fs::read_to_string(&path).expect("a specification");
    let file = parse(&arguments[1], &text).unwrap_or_else(|e| panic!("{e}"));
    let own = tempfile::tempdir().expect("a folder");
    let question = Question {
        files: &[PathBuf::from(&arguments[0])],
        options: &Options::default(),
        world: &World::default(),
        file: &file,
        target: None,
        relation: match arguments[2].as_str() {
            "traces" => Relation::Traces,
            _ => Relation::Simulation,
        },
        settings: Settings {
            trees: arguments[3].parse().unwrap_or(4),
            iterations: 1_000,
        },
        granularity: Granularity::Basic,
        facts: false,
        solvers: vec![SolverChoice::Z3],
        patience: Duration::from_secs(40),
        folder: own.path(),
        keep: false,
        replay: Duration::from_secs(10),
    };
    let budget = Budget::new(Some(Duration::from_secs(300)), None);
    let answer = conform(&question, &budget).unwrap_or_else(|e| panic!("{e:?}"));
    let verdict = match answer.verdict {
        Verdict::Conforms { .. } => "conforms".to_string(),
        Verdict::Violates(shown) => {
            let actions = shown.runs.first().map(|r| r.actions.join(", "));
            format!("does not conform: {}", actions.unwrap_or_default())
        }
        Verdict::Unknown(why) => format!("unknown: {why}"),
    };
    let memory = prova_task::budget::peak_bytes().unwrap_or(0) >> 20;
    let seconds = processor_seconds();
    println!(
        "{seconds:.2} {} {memory} {verdict}",
        answer.effort.iterations
    );
}

/// Processor time of this process, in ticks of a hundredth of a second.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    let ticks: Vec<f64> = fields
        .skip(11)
        .take(2)
        .filter_map(|f| f.parse().ok())
        .collect();
    ticks.iter().sum::<f64>() / 100.0
}

fn geometric(values: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = values.map(|v| v.max(0.01).ln()).collect();
    (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp()
}

fn figure_12(server: &Path, specifications: &[PathBuf], output: &Path) {
    println!("Figure 12: simulation and trace containment");
    println!(
        "{:<30} {:>9} {:>9} {:>6} {:>6}  verdicts",
        "", "sim s", "traces s", "it", "it"
    );
    let mut pairs = Vec::new();
    for path in specifications {
        let simulation = measure(server, path, "simulation", 4);
        let traces = measure(server, path, "traces", 4);
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
    let lines = [
        ("simulation", pairs.iter().map(|p| p.0.seconds).collect()),
        ("traces", pairs.iter().map(|p| p.1.seconds).collect()),
    ];
    write(
        output,
        "figure12-time.svg",
        &picture("seconds by specification", &lines),
    );
    let lines = [
        ("simulation", pairs.iter().map(|p| p.0.iterations).collect()),
        ("traces", pairs.iter().map(|p| p.1.iterations).collect()),
    ];
    write(
        output,
        "figure12-iterations.svg",
        &picture("iterations by specification", &lines),
    );
}

fn figure_13(server: &Path, specifications: &[PathBuf], output: &Path) {
    let trees = std::env::var("PROVA_TREES").unwrap_or_default();
    let mut trees: Vec<usize> = trees.split(',').filter_map(|t| t.parse().ok()).collect();
    if trees.is_empty() {
        trees = (1..=15).collect();
    }
    println!("\nFigure 13: counterexamples at once, geometric means");
    println!(
        "{:>6} {:>9} {:>11} {:>7}",
        "trees", "seconds", "iterations", "MB"
    );
    let (mut seconds, mut iterations, mut megabytes) = (Vec::new(), Vec::new(), Vec::new());
    for &count in &trees {
        let measured: Vec<Measured> = specifications
            .iter()
            .map(|path| measure(server, path, "simulation", count))
            .collect();
        seconds.push(geometric(measured.iter().map(|m| m.seconds)));
        iterations.push(geometric(measured.iter().map(|m| m.iterations)));
        megabytes.push(geometric(measured.iter().map(|m| m.megabytes)));
        let last = seconds.len() - 1;
        println!(
            "{count:>6} {:>9.2} {:>11.2} {:>7.1}",
            seconds[last], iterations[last], megabytes[last]
        );
    }
    for (name, values) in [
        ("time", seconds),
        ("iterations", iterations),
        ("memory", megabytes),
    ] {
        let lines = [("simulation", values)];
        let title = format!("{name} by counterexamples at once");
        write(
            output,
            &format!("figure13-{name}.svg"),
            &picture(&title, &lines),
        );
    }
}

fn seeded(server: &Path, specifications: &[PathBuf]) {
    println!("\nSeeded errors");
    let text = std::fs::read_to_string(server).expect("the server");
    for (name, what, from, to) in SEEDED {
        let named = |p: &&PathBuf| p.file_stem().is_some_and(|s| s == name);
        let Some(path) = specifications.iter().find(named) else {
            continue;
        };
        let own = tempfile::tempdir().expect("a folder");
        let wrong = own.path().join("server.c");
        std::fs::write(&wrong, text.replacen(from, to, usize::MAX)).expect("written");
        let measured = measure(&wrong, path, "simulation", 4);
        println!(
            "{name:<30} {what}: {} ({:.2} s)",
            measured.verdict, measured.seconds
        );
    }
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    if let Err(e) = std::fs::write(&path, text) {
        println!("{}: {e}", path.display());
    }
}

/// Lines over 1, 2, 3, …
fn picture(title: &str, lines: &[(&str, Vec<f64>)]) -> String {
    const COLOURS: [&str; 2] = ["#1b6ca8", "#c4472b"];
    let most = lines.iter().flat_map(|l| &l.1).copied().fold(0.1, f64::max);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"520\" height=\"300\" font-size=\"12\" \
         font-family=\"sans-serif\"><text x=\"20\" y=\"18\">{title}; largest {most:.1}</text>\n"
    );
    for (number, (name, values)) in lines.iter().enumerate() {
        let step = 460.0 / values.len().max(2) as f64;
        let place = |(i, v): (usize, &f64)| {
            format!(
                "{:.0},{:.0}",
                30.0 + i as f64 * step,
                270.0 - v / most * 230.0
            )
        };
        let points: Vec<String> = values.iter().enumerate().map(place).collect();
        let (colour, y) = (COLOURS[number % 2], 36 + 16 * number);
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <text x=\"400\" y=\"{y}\" fill=\"{colour}\">{name}</text>",
            points.join(" ")
        );
    }
    out + "</svg>\n"
}
