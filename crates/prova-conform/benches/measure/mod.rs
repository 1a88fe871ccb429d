//! One question in a process of its own, so that processor time and memory are its own; and pictures.

use prova_c::Options;
use prova_conform::conform::{conform, Question, Relation, Verdict};
use prova_conform::lts::read::parse;
use prova_conform::search::{Settings, States};
use prova_engine::Granularity;
use prova_ir::World;
use prova_logic::SolverChoice;
use prova_task::Budget;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A measurement; not every bench looks at all of it.
#[allow(dead_code)]
pub struct Measured {
    /// Seconds of processor time.
    pub seconds: f64,
    /// Iterations of the refinement.
    pub iterations: f64,
    /// The most memory that was in use.
    pub megabytes: f64,
    /// Strategies that were looked at, those of them that branch, and all their leaves.
    pub strategies: [f64; 3],
    /// What was said.
    pub verdict: String,
}

/// Seconds that a question may take.
const PATIENCE: u64 = 300;

/// Measures a component against a specification, by this program in another process; with so many
/// strategies at once, or with ever more. Values are followed first where none are asked for.
pub fn measure(
    component: &Path,
    specification: &Path,
    relation: &str,
    trees: Option<usize>,
) -> Measured {
    let output = Command::new(std::env::current_exe().expect("this program"))
        .arg("--one")
        .args([component, specification])
        .args([relation, &trees.map_or("growing".into(), |t| t.to_string())])
        .args(trees.is_none().then_some("values"))
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |i: usize| {
        let word = words.get(i).and_then(|w| w.parse().ok());
        word.unwrap_or(f64::NAN)
    };
    Measured {
        seconds: number(0),
        iterations: number(1),
        megabytes: number(2),
        strategies: [number(3), number(4), number(5)],
        verdict: words.get(6..).unwrap_or_default().join(" "),
    }
}

/// Whether this process is there for one measurement; then it is done.
pub fn is_one() -> bool {
    let arguments: Vec<String> = std::env::args().collect();
    let at = arguments.iter().position(|a| a == "--one");
    if let Some(at) = at {
        one(&arguments[at + 1..]);
    }
    at.is_some()
}

/// One measurement: a component, a specification, a relation, a number of trees.
fn one(arguments: &[String]) {
    let text = std::fs::read_to_string(&arguments[1]).expect("a specification");
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
            growing: arguments[3] == "growing",
            states: match arguments.get(4).map(String::as_str) {
                Some("values") => States::Both,
                _ => States::Predicates,
            },
            told: std::env::var_os("PROVA_EXPLAIN").map(|_| explain as fn(&str)),
        },
        granularity: Granularity::Basic,
        facts: false,
        solvers: vec![SolverChoice::Z3],
        patience: Duration::from_secs(40),
        folder: own.path(),
        keep: false,
        replay: Duration::from_secs(10),
        native: true,
    };
    let budget = Budget::new(Some(Duration::from_secs(PATIENCE)), None);
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
    let (seconds, effort) = (processor_seconds(), &answer.effort);
    println!(
        "{seconds:.2} {} {memory} {} {} {} {verdict}",
        effort.iterations, effort.strategies, effort.branching, effort.leaves
    );
}

/// `PROVA_EXPLAIN` tells how it goes.
fn explain(line: &str) {
    eprintln!("{line}");
}

/// Processor time of this process and of those it waited for, in hundredths of a second.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(4);
    let ticks = ticks.filter_map(|f| f.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// Where pictures go: `PROVA_PICTURES`, or the documentation's folder.
fn pictures() -> PathBuf {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    std::env::var_os("PROVA_PICTURES").map_or(docs, PathBuf::from)
}

/// Writes a picture: lines over `places`, from zero.
pub fn draw(name: &str, title: &str, places: &[usize], lines: &[(&str, Vec<f64>)]) {
    const COLOURS: [&str; 4] = ["#1b6ca8", "#c4472b", "#3a8a3a", "#7a4aa0"];
    const LEFT: f64 = 50.0;
    const RIGHT: f64 = 500.0;
    const TOP: f64 = 40.0;
    const BOTTOM: f64 = 260.0;
    let finite = lines.iter().flat_map(|l| &l.1).copied();
    let most = finite.filter(|v| v.is_finite()).fold(0.1, f64::max);
    let last = places.iter().copied().max().unwrap_or(1) as f64;
    let x = |place: usize| LEFT + place as f64 / last * (RIGHT - LEFT);
    let y = |value: f64| BOTTOM - value / most * (BOTTOM - TOP);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"300\" font-size=\"12\" \
         font-family=\"sans-serif\">\n<text x=\"{LEFT}\" y=\"20\">{title}</text>\n\
         <path d=\"M{LEFT},{TOP} V{BOTTOM} H{RIGHT}\" fill=\"none\" stroke=\"#888\"/>\n"
    );
    for part in 0..=4 {
        let value = most * f64::from(part) / 4.0;
        let _ = writeln!(
            out,
            "<text x=\"45\" y=\"{:.0}\" text-anchor=\"end\">{value:.1}</text>",
            y(value) + 4.0
        );
    }
    for &place in places {
        let _ = writeln!(
            out,
            "<text x=\"{:.0}\" y=\"278\" text-anchor=\"middle\">{place}</text>",
            x(place)
        );
    }
    for (number, (name, values)) in lines.iter().enumerate() {
        let points: Vec<String> = places
            .iter()
            .zip(values)
            .filter(|(_, v)| v.is_finite())
            .map(|(&p, &v)| format!("{:.0},{:.0}", x(p), y(v)))
            .collect();
        let colour = COLOURS[number % COLOURS.len()];
        let height = 46 + 18 * number;
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n\
             <text x=\"510\" y=\"{height}\" fill=\"{colour}\">{name}</text>",
            points.join(" ")
        );
    }
    out.push_str("</svg>\n");
    let path = pictures().join(name);
    if let Err(e) = std::fs::write(&path, out) {
        println!("{}: {e}", path.display());
    }
}
