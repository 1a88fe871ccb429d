//! Engines that lie, put through everything that `prova check` does with an engine's answer:
//! nothing they say is printed as a verdict.

use std::cell::RefCell;
use std::io::Write;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use clap::Parser;
use prova_engine::Auto;
use prova_evidence::witness::correctness_witness;
use prova_evidence::witness::validate::{Validation, Verdict};
use prova_exec::Test;
use prova_ir::{DataModel, EdgeId, LocId, ProcId, Program, Span, World};
use prova_logic::{Sort, Term, Terms};
use prova_task::prepare::{prepare, procedures, PASSES};
use prova_task::{
    Budget, Checker, Invariant, Observer, Outcome, Proof, Report, Silent, Task, Violation,
};
use prova_task::{Contract, Manner, Reliance};

use super::certify::accepts;
use super::{goals, property, Check, Decision, Known, Output, Status};
use crate::arguments::{Arguments, Command};
use crate::input;
use crate::watchdog::Floor;

/// It fails for one input.
const FAILS: &str = "
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int twice(int n) { return n + n; }
int main(void) {
  int i = 0, n = __VERIFIER_nondet_int();
  while (i < 10) i++;
  if (twice(n) == 2468) reach_error();
  return 0;
}
";

/// It does not fail.
const SAFE: &str = "
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int i = 0, n = __VERIFIER_nondet_int();
  while (i < 10) i++;
  if (i != 10) reach_error();
  return n / 2;
}
";

/// It always says the same.
struct Liar<'a>(&'a dyn Fn(&Task) -> Outcome);

impl Checker for Liar<'_> {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn check(&self, task: &Task, _: &Budget, _: &mut dyn Observer) -> Report {
        Report {
            outcome: (self.0)(task),
            statistics: Default::default(),
            scope: Default::default(),
        }
    }
}

/// What is printed goes here.
#[derive(Clone, Default)]
struct Paper(Rc<RefCell<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What `prova check` prints and ends with if its engine is this one.
fn checked(file: &Path, options: &[&str], engine: &dyn Checker) -> (String, Status) {
    let mut words = vec!["prova", "check"];
    words.extend(options);
    words.push(file.to_str().expect("a plain path"));
    let parsed = Arguments::try_parse_from(words).expect("arguments");
    let Command::Check(arguments) = parsed.command else {
        panic!("another command");
    };
    let checks = arguments.properties.plan().expect("properties");
    let operations = checks.iter().any(Check::needs_operations);
    let program = input::load_library(&arguments.sources, operations).expect("a program");
    let paper = Paper::default();
    let mut out = Output::to(Box::new(paper.clone()));
    let goals = goals(&arguments, &checks);
    let decision = Decision {
        invariants: &[],
        arguments: &arguments,
        goals: &goals,
        program: &program,
        budget: &Budget::unlimited(),
        engine,
        settings: &prova_engine::Settings::default(),
        progress: &Default::default(),
        floor: &Floor::new(Known::nothing(goals.len())),
    };
    let status = decision.run(&mut out);
    drop(out);
    let text = String::from_utf8_lossy(&paper.0.borrow()).into_owned();
    (text, status.expect("an answer"))
}

/// Nothing of what this engine says is printed, whatever the format is.
fn never_believed(what: &str, source: &str, keyword: &str, lie: &dyn Fn(&Task) -> Outcome) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, source).expect("written");
    let certificate = folder.path().join("proof.cert");
    let witness = folder.path().join("witness.yml");
    let written = [
        "--certificate",
        certificate.to_str().expect("a path"),
        "--witness",
        witness.to_str().expect("a path"),
    ];
    let (text, status) = checked(&file, &written, &Liar(lie));
    assert_eq!(status, Status::Unknown, "{what}: {text}");
    assert!(text.starts_with("unknown"), "{what}: {text}");
    assert!(!certificate.exists() && !witness.exists(), "{what}");
    let (text, status) = checked(&file, &["--format", "svcomp"], &Liar(lie));
    assert_eq!(status, Status::Unknown, "{what}: {text}");
    let last = text.lines().next_back();
    let expected = format!("UNKNOWN({keyword})");
    assert_eq!(last, Some(expected.as_str()), "{what}: {text}");
    let (text, status) = checked(&file, &["--format", "json"], &Liar(lie));
    assert_eq!(status, Status::Unknown, "{what}: {text}");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["verdict"], "unknown", "{what}: {text}");
}

/// What is claimed at a location, if anything: cases. They are told whether it is the entry.
type Claims = dyn Fn(&mut Terms, bool) -> Option<Vec<Vec<Term>>>;

/// A proof with these claims at the locations of the prepared program.
fn claims(task: &Task, claim: &Claims) -> Proof {
    let prepared = prepare(&task.program).expect("it can be prepared");
    let body = prepared.body();
    let mut terms = Terms::default();
    let claimed = (0..body.locations.len()).filter_map(|i| {
        let location = LocId::new(i);
        Some(Invariant {
            procedure: prepared.entry(),
            location,
            span: Span::NONE,
            cases: claim(&mut terms, location == body.entry)?,
        })
    });
    Proof {
        program: prepared.program.clone(),
        passes: PASSES.to_vec(),
        invariants: claimed.collect(),
        contracts: Vec::new(),
        manner: Manner::Inductive,
        ends: None,
        terms,
    }
}

fn proved(proof: Proof) -> Outcome {
    Outcome::Proved(Box::new(proof))
}

#[test]
fn proofs_that_prove_nothing_are_never_believed() {
    let lies: [(&str, &Claims); 7] = [
        ("no claims", &|_, _| None),
        ("true at the entry", &|_, entry| {
            entry.then(|| vec![Vec::new()])
        }),
        ("true everywhere", &|_, _| Some(vec![Vec::new()])),
        ("false everywhere", &|_, _| Some(Vec::new())),
        ("false behind the entry", &|_, entry| {
            Some(vec![Vec::new(); usize::from(entry)])
        }),
        ("a variable that is not there", &|terms, _| {
            Some(vec![vec![terms.var("nobody", Sort::Bool)]])
        }),
        ("no truth value", &|terms, _| {
            Some(vec![vec![terms.bv(0, 64)]])
        }),
    ];
    for (what, lie) in lies {
        never_believed(what, FAILS, "certificate", &|task| {
            proved(claims(task, lie))
        });
        never_believed(what, FAILS, "certificate", &|task| {
            proved(Proof {
                passes: Vec::new(),
                ..claims(task, lie)
            })
        });
    }
}

/// The program that `check` would look at.
fn task_of(source: &str) -> Task {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, source).expect("written");
    let words = ["prova", "check", file.to_str().expect("a plain path")];
    let parsed = Arguments::try_parse_from(words).expect("arguments");
    let Command::Check(arguments) = parsed.command else {
        panic!("another command");
    };
    let check = &arguments.properties.plan().expect("properties")[0];
    let program = input::load_library(&arguments.sources, false).expect("a program");
    let woven = property::woven(&program, check, &None, &World::default());
    let woven = woven.expect("an entry").expect("it is woven in");
    Task::new(woven.program, 0)
}

#[test]
fn proofs_of_other_programs_are_never_believed() {
    let honest = || {
        let report = Auto::default().check(&task_of(SAFE), &Budget::new(None, None), &mut Silent);
        match report.outcome {
            Outcome::Proved(proof) => *proof,
            other => panic!("{other:?}"),
        }
    };
    never_believed("another proof", FAILS, "certificate", &|_| proved(honest()));
    never_believed("with this program's name", FAILS, "certificate", &|task| {
        let program = prepare(&task.program).expect("it can be prepared").program;
        proved(Proof {
            program,
            ..honest()
        })
    });
    never_believed("an empty program", FAILS, "certificate", &|_| {
        proved(Proof {
            program: Arc::new(Program::new(DataModel::Lp64)),
            ..honest()
        })
    });
}

/// Contracts that hold each other up by their bootstraps.
#[test]
fn contracts_that_prove_nothing_are_never_believed() {
    let lie = |task: &Task, exit: bool, calls: &dyn Fn(usize) -> Vec<usize>| {
        let prepared = procedures::prepare(&task.program).expect("it can be prepared");
        let program = prepared.program.clone();
        let with_bodies = |p: &ProcId| program.procedure(*p).body.is_some();
        let mut order = vec![prepared.entry()];
        let others = (0..program.procedures.len()).map(ProcId::new);
        order.extend(
            others
                .filter(with_bodies)
                .filter(|p| *p != prepared.entry()),
        );
        let contract = |(number, &procedure): (usize, &ProcId)| {
            let body = prepared.body_of(procedure);
            let claim = |i: usize| Invariant {
                procedure,
                location: LocId::new(i),
                span: Span::NONE,
                // What is called never returns, they say.
                cases: match exit && number > 0 && LocId::new(i) == body.exit {
                    true => Vec::new(),
                    false => vec![Vec::new()],
                },
            };
            let rests = |edge: EdgeId| {
                calls(number).into_iter().map(move |contract| Reliance {
                    edge,
                    contract,
                    ghosts: Vec::new(),
                })
            };
            let edges = (0..body.edges.len()).map(EdgeId::new);
            Contract {
                procedure,
                partial: false,
                ghosts: Vec::new(),
                olds: Vec::new(),
                invariants: (0..body.locations.len()).map(claim).collect(),
                calls: edges.flat_map(rests).collect(),
            }
        };
        proved(Proof {
            contracts: order.iter().enumerate().map(contract).collect(),
            program,
            passes: procedures::PASSES.to_vec(),
            terms: Terms::default(),
            invariants: Vec::new(),
            manner: Manner::Inductive,
            ends: None,
        })
    };
    for exit in [true, false] {
        for (what, calls) in [
            ("nothing", Vec::new()),
            ("the callee", vec![1]),
            ("itself", vec![0]),
            ("nobody", vec![77]),
        ] {
            never_believed(what, FAILS, "certificate", &|task| {
                lie(task, exit, &|_| calls.clone())
            });
        }
    }
}

fn violated(test: Test, property: &str) -> Outcome {
    Outcome::Violated(Box::new(Violation {
        test,
        property: property.into(),
        message: "made up".into(),
        span: Span::NONE,
        inputs: Vec::new(),
        path: Vec::new(),
        again: None,
    }))
}

#[test]
fn violations_that_do_not_happen_are_never_believed() {
    for source in [SAFE, FAILS] {
        for test in [Test::zero(), Test::of_values([1, 2, 3])] {
            for property in ["unreach-call", "no-overflow", "nonsense"] {
                never_believed(property, source, "replay", &|_| {
                    violated(test.clone(), property)
                });
            }
        }
    }
}

#[test]
fn a_violation_of_one_property_is_none_of_another() {
    for property in ["no-overflow", "assert", "nonsense", ""] {
        never_believed(property, FAILS, "replay", &|_| {
            violated(Test::of_values([1234]), property)
        });
    }
}

/// The same way does print what is so: it is not deaf.
#[test]
fn the_truth_is_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, FAILS).expect("written");
    let told = |_: &Task| violated(Test::of_values([1234]), "unreach-call");
    let (text, status) = checked(&file, &[], &Liar(&told));
    assert_eq!(status, Status::Violated, "{text}");
    std::fs::write(&file, SAFE).expect("written");
    let (text, status) = checked(&file, &[], &Auto::default());
    assert_eq!(status, Status::Fine, "{text}");
}

/// The same for `prova validate`: a proof that an engine makes up confirms no witness.
#[test]
fn validation_does_not_believe_engines() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, FAILS).expect("written");
    let sources = prova_evidence::Sources {
        files: vec![file],
        ..Default::default()
    };
    let lie = |task: &Task| claims(task, &|_, entry| Some(vec![Vec::new(); usize::from(entry)]));
    let task = task_of(FAILS);
    let witness = correctness_witness(&task, &lie(&task), &sources).expect("a witness");
    let budget = Budget::new(None, None);
    let validation = Validation {
        sources: &sources,
        entry: None,
        engine: &Liar(&|task| proved(lie(task))),
        budget: &budget,
        options: &Default::default(),
        world: &World::default(),
        certify: &|task, proof| accepts(task, proof, &budget),
    };
    let verdict = validation.run(&witness, &mut Silent).expect("it is read");
    assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
}
