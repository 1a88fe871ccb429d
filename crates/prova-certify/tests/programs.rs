//! Every proof of the test programs is accepted, by each solver; none of what fails ever is.

mod support;

use prova_certify::Failure;
use prova_logic::SolverChoice;
use support::{auto, certificate, dash, file, installed, own_certificate, task, verdict};

fn sources(expected: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for folder in ["", "figures", "values"] {
        for entry in std::fs::read_dir(file(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|e| e != "c") {
                continue;
            }
            let source = std::fs::read_to_string(&path).expect("a text");
            if source.starts_with(&format!("// expect: {expected}")) {
                let name = path.file_name().expect("a name").to_string_lossy().into_owned();
                found.push((name, source));
            }
        }
    }
    found.sort();
    found
}

/// Long proofs: these only if `PROVA_LONG` is set.
const SLOW: [&str; 4] = ["division.c", "floats.c", "list.c", "strings.c"];

#[test]
fn proofs_are_accepted_by_each_solver() {
    let mut solvers = vec![SolverChoice::Z3];
    for name in ["z3", "cvc5"] {
        match installed(name) {
            true => solvers.push(SolverChoice::Pipe(name.into())),
            false => eprintln!("{name} is not installed: proofs are not certified with it here"),
        }
    }
    let long = std::env::var_os("PROVA_LONG").is_some();
    let mut count = 0;
    for (name, source) in sources("true") {
        if !long && SLOW.contains(&&name[..]) {
            continue;
        }
        let Some(task) = task(&name, &source, None) else { continue };
        let Some(proof) = auto(&task, 10).filter(|p| !p.passes.is_empty()) else {
            eprintln!("{name}: no proof");
            continue;
        };
        let text = own_certificate(&proof);
        let mut accepted = 0;
        for solver in &solvers {
            match verdict(&task, &text, solver) {
                Ok(_) => accepted += 1,
                // Not every solver decides the steps of these; one has to.
                Err(Failure::Undecided(why)) if SLOW.contains(&&name[..]) => {
                    eprintln!("{name} with {solver:?}: {why}");
                }
                other => panic!("{name} with {solver:?}: {other:?}\n{text}"),
            }
        }
        assert!(accepted > 0, "{name}: no solver accepts it");
        count += 1;
    }
    assert!(count >= 20, "only {count} proofs");
}

#[test]
fn an_entry_with_arbitrary_arguments_is_certified() {
    let source = std::fs::read_to_string(file("figures/dash_03_alias.c")).expect("a text");
    let task = task("alias.c", &source, Some("alias")).expect("a task");
    let proof = auto(&task, 20).expect("a proof");
    let verdict = verdict(&task, &own_certificate(&proof), &SolverChoice::Z3);
    assert!(verdict.is_ok(), "{verdict:?}");
}

/// After DASH Figure 5: a pointer checked against many others, which are then written. No solver
/// decides in time what is plain to see, that stores of one value are read as that value.
#[test]
fn many_pointers_that_may_be_equal_are_certified() {
    let all = |text: &dyn Fn(usize) -> String| (0..32).map(text).collect::<String>();
    let source = format!(
        "extern void reach_error(void);
         void foo(int *p{}) {{ {} {} *p = 1; if (0{}) reach_error(); }}",
        all(&|i| format!(", int *p{i}")),
        all(&|i| format!("if (p == p{i}) return; ")),
        all(&|i| format!("*p{i} = 0; ")),
        all(&|i| format!(" | (*p{i} == 1)")),
    );
    let task = task("pointers.c", &source, Some("foo")).expect("a task");
    let proof = dash(&task, 60).expect("a proof");
    let accepted = verdict(&task, &own_certificate(&proof), &SolverChoice::Z3);
    eprintln!("{accepted:?}");
    assert!(accepted.is_ok(), "{accepted:?}");
}

/// Claims that are true everywhere, as an engine would make them that calls everything safe.
#[test]
fn nothing_is_proved_of_a_program_that_fails() {
    let mut count = 0;
    for (name, source) in sources("false") {
        let Some(task) = task(&name, &source, None) else { continue };
        let Ok(prepared) = prova_task::prepare::prepare(&task.program) else { continue };
        let digest = prova_certify::prepare::digest(&prepared.program);
        for claim in ["(case)", ""] {
            let claims: String = (0..prepared.body().locations.len())
                .map(|i| match prova_ir::LocId::new(i) == prepared.body().entry {
                    true => format!("(at {i} \"\" (case))"),
                    false => format!("(at {i} \"\" {claim})"),
                })
                .collect();
            let main = &prepared.program.procedure(prepared.entry()).name;
            let passes = prova_task::prepare::PASSES.join(" ");
            let text = format!(
                "(prova-certificate 2)(passes {passes})(prepared \"{digest}\")(procedure {main} {claims})"
            );
            let verdict = verdict(&task, &text, &SolverChoice::Z3);
            assert!(matches!(verdict, Err(Failure::Refuted(_))), "{name}: {verdict:?}");
            count += 1;
        }
    }
    assert!(count >= 10, "only {count} programs");
}

#[test]
fn a_loop_without_a_cutpoint_is_no_proof() {
    let source = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
        int main(void) { int x = 0; while (__VERIFIER_nondet_int()) x = 1 - x;
        if (x > 1) reach_error(); return 0; }";
    let task = task("loop.c", source, None).expect("a task");
    let proof = auto(&task, 20).expect("a proof");
    let text = own_certificate(&proof);
    assert!(verdict(&task, &text, &SolverChoice::Z3).is_ok());
    let entry = proof.program.entry.expect("an entry");
    let body = proof.program.procedure(entry).body.as_ref().expect("a body");
    let kept = proof.invariants.iter().filter(|i| i.location == body.entry).cloned().collect();
    let bare = prova_task::Proof { invariants: kept, ..proof };
    let verdict = verdict(&task, &own_certificate(&bare), &SolverChoice::Z3);
    let Err(Failure::Mismatch(message)) = verdict else { panic!("{verdict:?}") };
    assert!(message.contains("passes no cutpoint"), "{message}");
}

#[test]
fn another_program_is_not_meant() {
    let source = std::fs::read_to_string(file("bound.c")).expect("a text");
    let task = task("bound.c", &source, None).expect("a task");
    let proof = auto(&task, 20).expect("a proof");
    let verdict = verdict(&task, &certificate(&proof, "0123"), &SolverChoice::Z3);
    assert!(verdict.is_err_and(|f| f.is_bad_input()));
}

/// Objects that cannot all be there at once are no reason to believe anything.
#[test]
fn nothing_is_proved_of_objects_that_do_not_fit() {
    let source = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
        char big[0x70000000], more[0x70000000];
        int main(void) {
          unsigned sum = (unsigned)big + (unsigned)more;
          if (sum != (unsigned)__VERIFIER_nondet_int()) reach_error();
          return big[1];
        }";
    let model = prova_ir::DataModel::Ilp32;
    let options = prova_c::Options { model, ..prova_c::Options::default() };
    let unit = prova_c::parse_text("big.c", source, &options).expect("it parses");
    let mut program = prova_c::lower(vec![unit], &options).expect("it is read").program;
    prova_spec::weave_unreach_call(&mut program, &prova_spec::Spec::default());
    let task = prova_task::Task::new(program, 0);
    let prepared = prova_task::prepare::prepare(&task.program).expect("it can be prepared");
    let text = format!(
        "(prova-certificate 2)(passes {})(prepared \"{}\")(procedure main (at {} \"\" (case)))",
        prova_task::prepare::PASSES.join(" "),
        prova_certify::prepare::digest(&prepared.program),
        prepared.body().entry.0
    );
    let verdict = verdict(&task, &text, &SolverChoice::Z3);
    assert!(matches!(verdict, Err(Failure::Unsupported(_))), "{verdict:?}");
}

/// The same for all properties, with calls inlined and with procedures kept.
#[test]
fn nothing_is_proved_of_a_program_that_violates_a_property() {
    let step = if std::env::var_os("PROVA_LONG").is_some() { 1 } else { 3 };
    let mut count = 0;
    for folder in std::fs::read_dir(file("properties")).expect("a folder") {
        let folder = folder.expect("an entry").path();
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let property = prova_spec::Property::named(&name).expect("a property");
        let check = prova_spec::Check::of(property);
        let options =
            prova_c::Options { checks: check.needs_operations(), ..prova_c::Options::default() };
        let entries = std::fs::read_dir(&folder).expect("a folder");
        let mut paths: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
        paths.sort();
        let fails = |path: &std::path::PathBuf| {
            let text = std::fs::read_to_string(path).expect("a text");
            text.starts_with("// expect: false")
        };
        for path in paths.into_iter().filter(fails).step_by(step) {
            let Ok(lowered) = prova_c::load(std::slice::from_ref(&path), &options) else {
                continue;
            };
            let mut program = lowered.program;
            prova_spec::weave(&mut program, &check).expect("it is woven in");
            let task = prova_task::Task::new(program, 0);
            for passes in [prova_task::prepare::PASSES, prova_task::prepare::procedures::PASSES] {
                let names: Vec<String> = passes.iter().map(|p| p.to_string()).collect();
                let prepared = prova_certify::prepare::prepare(&task.program, &names);
                let Ok(prepared) = prepared else { continue };
                let main = prepared.procedure(prepared.entry.expect("an entry"));
                let body = main.body.as_ref().expect("a body");
                let claims: String =
                    (0..body.locations.len()).map(|i| format!("(at {i} \"\" (case))")).collect();
                for claims in [claims, format!("(at {} \"\" (case))", body.entry.0)] {
                    let text = format!(
                        "(prova-certificate 2)(passes {})(prepared \"{}\")(procedure |{}| {claims})",
                        passes.join(" "),
                        prova_certify::prepare::digest(&prepared),
                        main.name
                    );
                    let verdict = verdict(&task, &text, &SolverChoice::Z3);
                    assert!(verdict.is_err(), "{}: {verdict:?}", path.display());
                    count += 1;
                }
            }
        }
    }
    assert!(count >= 100, "only {count}");
}
