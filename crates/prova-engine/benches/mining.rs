//! What it costs to learn invariants: candidates per second, Houdini's queries per loop head, and
//! the share of a search that goes into it, over the programs of `tests/programs/loops`.

use prova_engine::Dash;
use prova_engine::Sources;
use prova_ir::passes::loops::Loops;
use prova_ir::LocId;
use prova_task::{Budget, Checker, Outcome, Silent, Task};
use std::time::Duration;

fn main() {
    let folder = "../../tests/programs/loops";
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|e| e.expect("it can be read").path())
        .collect();
    paths.sort();
    println!("program          verdict  heads  candidates  queries  per head  candidates/s  share");
    for path in paths {
        let source = std::fs::read_to_string(&path).expect("text");
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let options = prova_c::Options::default();
        let unit = prova_c::parse_text(&name, &source, &options).expect("it parses");
        let mut program = prova_c::lower(vec![unit], &options)
            .expect("it lowers")
            .program;
        prova_spec::weave_unreach_call(&mut program, &prova_spec::Spec::default());
        let heads: usize = program
            .procedures
            .iter()
            .filter_map(|p| p.body.as_ref())
            .map(|body| {
                let loops = Loops::of(body);
                (0..body.locations.len())
                    .filter(|&l| loops.is_head(LocId::new(l)))
                    .count()
            })
            .sum();
        let task = Task::new(program, 0);
        let dash = Dash {
            sources: Sources::default(),
            ..Dash::default()
        };
        let budget = Budget::new(Some(Duration::from_secs(30)), None);
        let report = dash.check(&task, &budget, &mut Silent);
        let s = &report.statistics;
        let verdict = match report.outcome {
            Outcome::Proved(_) => "proved",
            Outcome::Violated(_) => "violated",
            Outcome::Bounded(_) => "bounded",
            Outcome::Unknown(_) => "unknown",
        };
        let seconds = s.learning_time.as_secs_f64();
        println!(
            "{name:16} {verdict:8} {heads:5}  {:10}  {:7}  {:8.1}  {:12.0}  {:4.0} %",
            s.candidates,
            s.learning_calls,
            s.learning_calls as f64 / heads.max(1) as f64,
            s.candidates as f64 / seconds.max(1e-6),
            100.0 * seconds / s.time.as_secs_f64().max(1e-6),
        );
    }
}
