//! What the tests share: C text in, proof and certificate out.
#![allow(dead_code)]

pub mod recursive;

use prova_certify::certificate::Certificate;
use prova_certify::prepare::digest;
use prova_certify::{check, Accepted, Failure, Limits};
use prova_engine::{Auto, Dash};
use prova_logic::SolverChoice;
use prova_task::{Budget, Checker, Outcome, Proof, Silent, Task};
use std::path::PathBuf;
use std::time::Duration;

/// A program of the test suite.
pub fn file(name: &str) -> PathBuf {
    std::env::current_dir().expect("the package's folder").join("../../tests/programs").join(name)
}

/// C text with reachability of `reach_error` woven in, from `main` or an entry with arbitrary
/// arguments; `None` if it is not accepted.
pub fn task(name: &str, source: &str, entry: Option<&str>) -> Option<Task> {
    let options = prova_c::Options::default();
    let unit = prova_c::parse_text(name, source, &options).ok()?;
    let mut program = prova_c::lower(vec![unit], &options).ok()?.program;
    prova_spec::weave_unreach_call(&mut program, &prova_spec::Spec::default());
    if let Some(entry) = entry {
        let procedure = program.find_procedure(entry)?;
        prova_spec::make_entry(&mut program, procedure).ok()?;
    }
    program.entry?;
    Some(Task::new(program, 0))
}

/// The proof of a task by DASH alone, if there is one within some seconds.
pub fn dash(task: &Task, seconds: u64) -> Option<Proof> {
    proof(&Dash::default(), task, seconds)
}

/// The proof of a task as `check` finds it.
pub fn auto(task: &Task, seconds: u64) -> Option<Proof> {
    proof(&Auto::default(), task, seconds)
}

fn proof(engine: &dyn Checker, task: &Task, seconds: u64) -> Option<Proof> {
    let budget = Budget::new(Some(Duration::from_secs(seconds)), None);
    match engine.check(task, &budget, &mut Silent).outcome {
        Outcome::Proved(proof) => Some(*proof),
        _ => None,
    }
}

/// The certificate of a proof, about the prepared program with this digest.
pub fn certificate(proof: &Proof, prepared: &str) -> String {
    let claims = prova_engine::proof::certificate::claims(proof).expect("claims can be written");
    let passes = proof.passes.join(" ");
    format!("(prova-certificate 2)\n(passes {passes})\n(prepared \"{prepared}\")\n{claims}")
}

/// The certificate of a proof, about its own program.
pub fn own_certificate(proof: &Proof) -> String {
    certificate(proof, &digest(&proof.program))
}

/// What the checker says.
pub fn verdict(task: &Task, text: &str, solver: &SolverChoice) -> Result<Accepted, Failure> {
    verdict_by(task, text, solver, false)
}

/// The same, with every condition put to the solver if so wished.
pub fn verdict_by(
    task: &Task,
    text: &str,
    solver: &SolverChoice,
    ask_all: bool,
) -> Result<Accepted, Failure> {
    let query = Duration::from_secs(20);
    let limits = Limits { query, deadline: None, cancelled: &|| false, ask_all };
    let certificate = Certificate::parse(text)?;
    check(&task.program, &certificate, std::slice::from_ref(solver), &limits)
}

/// Whether a program can be run.
pub fn installed(name: &str) -> bool {
    std::process::Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success())
}

/// What z3 says to a script.
pub fn ask_z3(script: &str) -> String {
    let mut child = std::process::Command::new("z3")
        .args(["-in", "-t:20000"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("z3 runs");
    let mut input = child.stdin.take().expect("it listens");
    let script = script.to_string();
    let writer =
        std::thread::spawn(move || std::io::Write::write_all(&mut input, script.as_bytes()));
    let output = child.wait_with_output().expect("z3 ends");
    let _ = writer.join();
    String::from_utf8_lossy(&output.stdout).into_owned()
}
