//! Whether claims are inductive, decided without a line of the checker: transitions as the
//! engines see them, the certificate's own text for the claims, the state behind a path put in
//! with `let`, and the z3 program.

use crate::damage::{read, Tree};
use prova_engine::dash::encoding::Encoding;
use prova_engine::prepare::prepare;
use prova_engine::Task;
use prova_exec::transfer::{Composer, Transfer};
use prova_ir::{LocId, ObjectId, Statement};
use prova_logic::{Term, Terms};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

/// Paths that are looked at.
const PATHS: usize = 5_000;

/// Whether the claims of a certificate hold at the start, are kept by every path, and keep errors
/// away. An error says what could not be shown.
pub fn inductive(task: &Task, certificate: &str) -> Result<(), String> {
    let prepared = prepare(&task.program).map_err(|e| format!("{e:?}"))?;
    let claims = Claims::new(certificate);
    let mut terms = Terms::default();
    let encoding = Encoding::new(&mut terms, &prepared);
    let body = prepared.body();
    let outgoing = body.outgoing();
    let mut questions = Vec::new();

    let (start, _) = encoding.start(&mut terms).map_err(|e| e.to_string())?;
    let entry = claims.at.get(&body.entry).ok_or("nothing is claimed at the entry")?;
    questions.push(question(&mut terms, &encoding, "true", &start, &claims.text(entry)));
    for (&from, cases) in &claims.at {
        let before = claims.text(cases);
        let mut work = vec![(from, Vec::new())];
        while let Some((at, path)) = work.pop() {
            for &edge in &outgoing[at.index()] {
                let mut path = path.clone();
                path.push(edge);
                if path.len() > body.locations.len() || questions.len() > PATHS {
                    return Err("a loop without a claim, or too many paths".into());
                }
                let target = body.edge(edge).target;
                let fails = body.is_error(target)
                    || matches!(body.edge(edge).statement, Statement::Marker(_));
                let after = match claims.at.get(&target) {
                    _ if fails => "false".to_string(),
                    Some(cases) => claims.text(cases),
                    None => {
                        work.push((target, path));
                        continue;
                    }
                };
                let mut store = Composer::new(encoding.context());
                let mut steps = path
                    .iter()
                    .filter(|&&e| !matches!(body.edge(e).statement, Statement::Marker(_)));
                steps
                    .try_for_each(|&e| encoding.apply(&mut terms, &mut store, e, "oracle"))
                    .map_err(|e| e.to_string())?;
                if store.halted().is_some() {
                    continue;
                }
                let transfer = store.finish();
                questions.push(question(&mut terms, &encoding, &before, &transfer, &after));
            }
        }
    }
    let declarations: String = terms
        .variables()
        .map(|v| format!("(declare-fun {} () {})\n", terms.smtlib(v.term), terms.sort(v.term)))
        .collect();
    let answers = ask(&format!("{declarations}{}", questions.concat()));
    match answers.lines().all(|a| a == "unsat") && answers.lines().count() == questions.len() {
        true => Ok(()),
        false => Err(answers),
    }
}

/// From the claim before a path, can it lead out of the claim behind it?
fn question(
    terms: &mut Terms,
    encoding: &Encoding,
    before: &str,
    path: &Transfer,
    after: &str,
) -> String {
    let mut all: Vec<Term> = path.guard.iter().chain(&path.assumed).copied().collect();
    all.extend(encoding.separation(terms, &path.accesses));
    // What is known of memory, wherever the claims may speak of it.
    let updates = path.updates.iter().map(|u| u.1);
    let objects = (0..encoding.prepared.program.objects.len()).map(ObjectId::new);
    let bases = objects.map(|o| encoding.vars.base(o)).chain([encoding.vars.heap()]);
    let roots: Vec<Term> = all.iter().copied().chain(updates).chain(bases).collect();
    all.extend(encoding.axioms(terms, &roots));
    let asserted: String = all.iter().map(|&t| format!("(assert {})\n", terms.smtlib(t))).collect();
    let before = in_state(terms, &[], before);
    let behind = in_state(terms, &path.updates, after);
    format!("(push)\n(assert {before})\n{asserted}(assert (not {behind}))\n(check-sat)\n(pop)\n")
}

/// A claim in a state: what it calls the variables stands for their values there.
fn in_state(terms: &Terms, updates: &[(Term, Term)], claim: &str) -> String {
    let value = |v: Term| updates.iter().find(|u| u.0 == v).map_or(v, |u| u.1);
    let one = |v: &prova_logic::Variable| format!("(|{}| {})", v.name, terms.smtlib(value(v.term)));
    let bindings: String = terms.variables().map(one).collect();
    format!("(let ({bindings}) {claim})")
}

/// The claims of a certificate's only procedure, as text.
struct Claims {
    definitions: Vec<(String, String)>,
    at: BTreeMap<LocId, Vec<Tree>>,
}

impl Claims {
    fn new(certificate: &str) -> Claims {
        let mut found = Claims { definitions: Vec::new(), at: BTreeMap::new() };
        let all = read(certificate);
        for item in all.iter().filter(|t| t.is("procedure")).flat_map(|t| t.items()) {
            match (item.head(), item.items()) {
                ("define", [_, name, value]) => {
                    found.definitions.push((name.to_string(), value.to_string()));
                }
                ("at", [_, location, _, cases @ ..]) => {
                    let number: u32 = location.to_string().parse().expect("a number");
                    found.at.insert(LocId(number), cases.to_vec());
                }
                _ => {}
            }
        }
        found
    }

    fn text(&self, cases: &[Tree]) -> String {
        let case = |case: &Tree| {
            let conjuncts: Vec<String> = case.items()[1..].iter().map(Tree::to_string).collect();
            format!("(and true {})", conjuncts.join(" "))
        };
        let cases: Vec<String> = cases.iter().map(case).collect();
        let mut text = format!("(or false {})", cases.join(" "));
        for (name, value) in self.definitions.iter().rev() {
            text = format!("(let (({name} {value})) {text})");
        }
        text
    }
}

/// What z3 says to a script.
fn ask(script: &str) -> String {
    let mut child = Command::new("z3")
        .args(["-in", "-t:20000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 runs");
    let mut input = child.stdin.take().expect("it listens");
    let script = script.to_string();
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = child.wait_with_output().expect("z3 ends");
    let _ = writer.join();
    String::from_utf8_lossy(&output.stdout).into_owned()
}
