//! Every backend answers alike: sat, unsat, models, cores, scopes, limits, logs.

use prova_logic::solver::{LoggingSolver, PipeSolver, Z3Solver};
use prova_logic::*;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The backends there are. One that is not installed is skipped, loudly.
fn backends() -> Vec<Box<dyn Solver>> {
    let mut solvers: Vec<Box<dyn Solver>> = vec![Box::new(Z3Solver::new())];
    for name in ["cvc5", "z3-pipe", "bitwuzla"] {
        let config = SolverConfig {
            choice: SolverChoice::from(name),
            ..SolverConfig::default()
        };
        match new_solver(&config) {
            Ok(solver) => solvers.push(solver),
            Err(error) => eprintln!("*** SKIPPED: {name} is not tested here: {error} ***"),
        }
    }
    solvers
}

fn bv32(terms: &mut Terms, name: &str) -> Term {
    terms.var(name, Sort::BitVec(32))
}

#[test]
fn scopes_and_models() {
    for mut solver in backends() {
        let mut t = Terms::new();
        let (x, y) = (bv32(&mut t, "x"), bv32(&mut t, "y"));
        let product = t.mul(x, y);
        let target = t.bv(391, 32);
        let equal = t.eq(product, target);
        let one = t.bv(1, 32);
        let (x_large, y_large) = (t.ult(one, x), t.ult(one, y));
        let bound = t.bv(100, 32);
        let (x_small, y_small) = (t.ult(x, bound), t.ult(y, bound));
        for fact in [equal, x_large, y_large, x_small, y_small] {
            solver.assert(&t, fact);
        }
        assert_eq!(solver.check(&t, &[]), Answer::Sat, "{}", solver.name());
        let unrelated = t.var("unrelated", Sort::Bool);
        let model = solver.model(&t, &[x, y, unrelated]).unwrap();
        let mut factors = [
            model.get(x).unwrap().as_u64(),
            model.get(y).unwrap().as_u64(),
        ];
        factors.sort_unstable();
        assert_eq!(factors, [Some(17), Some(23)], "{}", solver.name());
        assert_eq!(model.get(unrelated).map(Value::sort), Some(Sort::Bool));
        solver.push();
        let same = t.eq(x, y);
        solver.assert(&t, same);
        assert_eq!(solver.check(&t, &[]), Answer::Unsat, "{}", solver.name());
        solver.push();
        assert_eq!(solver.check(&t, &[]), Answer::Unsat, "{}", solver.name());
        solver.pop(2);
        assert_eq!(solver.check(&t, &[]), Answer::Sat, "{}", solver.name());
        solver.reset();
        solver.assert(&t, same);
        assert_eq!(solver.check(&t, &[]), Answer::Sat, "{}", solver.name());
        let statistics = solver.statistics();
        assert_eq!(
            (statistics.queries, statistics.sat, statistics.unsat),
            (5, 3, 2)
        );
    }
}

#[test]
fn cores_are_small_and_sufficient() {
    for mut solver in backends() {
        let mut t = Terms::new();
        let x = bv32(&mut t, "x");
        let p = t.var("p", Sort::Bool);
        let not_p = t.not(p);
        let (five, nine) = (t.bv(5, 32), t.bv(9, 32));
        let below = t.slt(x, five);
        let above = t.slt(nine, x);
        let mut assumptions = vec![not_p, below, above];
        for i in 0..10 {
            let y = bv32(&mut t, &format!("y{i}"));
            assumptions.push(t.slt(y, nine));
        }
        assert_eq!(
            solver.check(&t, &assumptions),
            Answer::Unsat,
            "{}",
            solver.name()
        );
        let mut core = solver.core();
        core.sort_unstable();
        let mut expected = vec![below, above];
        expected.sort_unstable();
        assert_eq!(core, expected, "{}", solver.name());
        // The assumptions were for that check only.
        assert_eq!(solver.check(&t, &[below]), Answer::Sat, "{}", solver.name());
        assert_eq!(solver.core(), vec![]);
        solver.assert(&t, p);
        assert_eq!(
            solver.check(&t, &[below, not_p]),
            Answer::Unsat,
            "{}",
            solver.name()
        );
        assert_eq!(solver.core(), vec![not_p], "{}", solver.name());
        let fals = t.fals();
        assert_eq!(
            solver.check(&t, &[below, fals]),
            Answer::Unsat,
            "{}",
            solver.name()
        );
        assert_eq!(solver.core(), vec![fals], "{}", solver.name());
    }
}

#[test]
fn large_cores_stay_sufficient() {
    for mut solver in backends() {
        let mut t = Terms::new();
        // Forty that cannot all hold, and forty more that have nothing to do with it.
        let all: Vec<Term> = (0..80)
            .map(|i| t.var(&format!("b{i}"), Sort::Bool))
            .collect();
        let together = t.and(&all[..40]);
        let never = t.not(together);
        solver.assert(&t, never);
        assert_eq!(solver.check(&t, &all), Answer::Unsat, "{}", solver.name());
        for _ in 0..2 {
            let mut core = solver.core();
            core.sort_unstable();
            assert_eq!(core, all[..40], "{}", solver.name());
        }
    }
}

#[test]
fn arrays_and_floats_in_models() {
    for mut solver in backends() {
        let mut t = Terms::new();
        let memory = t.var(
            "memory",
            Sort::Array {
                index: 32,
                element: 8,
            },
        );
        let (i, j) = (bv32(&mut t, "i"), bv32(&mut t, "j"));
        let (at_i, at_j) = (t.select(memory, i), t.select(memory, j));
        let (seven, eight) = (t.bv(7, 8), t.bv(8, 8));
        let f = t.var("f", Sort::Float(FloatFormat::F32));
        let half = t.float_const(FloatFormat::F32, u128::from(0.5f32.to_bits()));
        let sum = t.fadd(f, half);
        let two = t.float_const(FloatFormat::F32, u128::from(2f32.to_bits()));
        let n = t.var("n", Sort::Float(FloatFormat::F64));
        let goal = [
            t.eq(at_i, seven),
            t.eq(at_j, eight),
            t.feq(sum, two),
            t.is_nan(n),
        ];
        let goal = t.and(&goal);
        solver.assert(&t, goal);
        assert_eq!(solver.check(&t, &[]), Answer::Sat, "{}", solver.name());
        let model = solver.model(&t, &[memory, i, j, f, n]).unwrap();
        assert!(t.holds(goal, &model), "{}: {model:?}", solver.name());
        let same = t.eq(i, j);
        assert_eq!(
            solver.check(&t, &[same]),
            Answer::Unsat,
            "{}",
            solver.name()
        );
    }
}

#[test]
fn bits_of_floats() {
    for mut solver in backends() {
        let mut t = Terms::new();
        let f = t.var("f", Sort::Float(FloatFormat::F32));
        let bits = t.float_to_bits(f);
        let back = t.bv(0xc020_0000, 32);
        let known = t.eq(bits, back);
        assert_eq!(solver.check(&t, &[known]), Answer::Sat, "{}", solver.name());
        let model = solver.model(&t, &[f]).unwrap();
        let expected = Value::Float(FloatFormat::F32, u128::from((-2.5f32).to_bits()));
        assert_eq!(model.get(f), Some(&expected));
        // A NaN's bits are the canonical ones, no others.
        let nan = t.is_nan(f);
        let canonical = t.bv(0x7fc0_0000, 32);
        let other = t.ne(bits, canonical);
        assert_eq!(
            solver.check(&t, &[nan, other]),
            Answer::Unsat,
            "{}",
            solver.name()
        );
        assert_eq!(solver.check(&t, &[nan]), Answer::Sat, "{}", solver.name());
        // Conversions to integers are total: out of range they give the least integer.
        let huge = t.float_const(FloatFormat::F32, u128::from(1e20f32.to_bits()));
        let large = t.fle(huge, f);
        let int = t.float_to_sbv(f, 32);
        let least = t.bv(1 << 31, 32);
        let differs = t.ne(int, least);
        assert_eq!(
            solver.check(&t, &[large, differs]),
            Answer::Unsat,
            "{}",
            solver.name()
        );
    }
}

/// Something no solver does quickly: two factors of a large product.
fn hard(t: &mut Terms) -> Term {
    let wide = |t: &mut Terms, name: &str| {
        let x = t.var(name, Sort::BitVec(64));
        t.zext(x, 128)
    };
    let (x, y) = (wide(t, "p"), wide(t, "q"));
    let product = t.mul(x, y);
    // The product of two primes close to 2^63.
    let target = t.bv(
        9_223_372_036_854_775_783u128 * 9_223_372_036_854_775_643u128,
        128,
    );
    let one = t.bv(1, 128);
    let parts = [t.eq(product, target), t.ult(one, x), t.ult(one, y)];
    t.and(&parts)
}

#[test]
fn limits_stop_a_query_and_leave_the_solver_usable() {
    for mut solver in backends() {
        let mut t = Terms::new();
        let p = t.var("flag", Sort::Bool);
        solver.assert(&t, p);
        let hard = hard(&mut t);
        solver.set_limit(Limit::time(Duration::from_millis(300)));
        let answer = solver.check(&t, &[hard]);
        assert_eq!(
            answer,
            Answer::Unknown(UnknownReason::Time),
            "{}",
            solver.name()
        );
        assert_eq!(solver.check(&t, &[]), Answer::Sat, "{}", solver.name());
        let not_p = t.not(p);
        assert_eq!(
            solver.check(&t, &[not_p]),
            Answer::Unsat,
            "{}",
            solver.name()
        );
        if !solver.name().contains("bitwuzla") {
            solver.set_limit(Limit::resource(20_000));
            let answer = solver.check(&t, &[hard]);
            assert_eq!(
                answer,
                Answer::Unknown(UnknownReason::Resource),
                "{}",
                solver.name()
            );
        }
        solver.set_limit(Limit::NONE);
        assert_eq!(solver.check(&t, &[]), Answer::Sat, "{}", solver.name());
    }
}

#[test]
fn the_resource_limit_is_deterministic() {
    let run = || {
        let mut t = Terms::new();
        let mut solver = Z3Solver::new();
        let (x, y) = (bv32(&mut t, "x"), bv32(&mut t, "y"));
        let product = t.mul(x, y);
        let target = t.bv(0x7fff_fff1, 32);
        let goal = t.eq(product, target);
        let mut answers = Vec::new();
        for limit in [1_000, 10_000, 100_000, 1_000_000] {
            solver.set_limit(Limit::resource(limit));
            answers.push(solver.check(&t, &[goal]));
        }
        answers
    };
    assert_eq!(run(), run());
}

#[test]
fn z3_can_be_interrupted() {
    let mut t = Terms::new();
    let hard = hard(&mut t);
    let mut solver = Z3Solver::new();
    let handle = solver.interrupt_handle();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        handle.interrupt();
    });
    assert_eq!(
        solver.check(&t, &[hard]),
        Answer::Unknown(UnknownReason::Interrupted)
    );
    thread.join().unwrap();
    assert_eq!(solver.check(&t, &[]), Answer::Sat);
}

#[test]
fn terms_of_another_arena_are_refused() {
    for mut solver in backends() {
        let (mut t, mut other) = (Terms::new(), Terms::new());
        let x = t.var("x", Sort::Bool);
        other.var("y", Sort::BitVec(8));
        let z = other.var("z", Sort::Bool);
        solver.assert(&t, x);
        solver.assert(&other, z);
        let answer = solver.check(&t, &[]);
        assert!(
            matches!(answer, Answer::Unknown(UnknownReason::Error(_))),
            "{}",
            solver.name()
        );
    }
}

#[test]
fn a_bad_command_is_a_clear_error() {
    for (command, expected) in [
        (
            "no-such-solver-anywhere",
            "cannot start solver `no-such-solver-anywhere`",
        ),
        ("true", "the process ended"),
    ] {
        match PipeSolver::new(command) {
            Ok(_) => panic!("{command} is no solver"),
            Err(error) => assert!(error.to_string().contains(expected), "{error}"),
        }
    }
}

#[cfg(unix)]
#[test]
fn a_dying_solver_is_an_unknown_and_is_started_again() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    // Says it is ready, then reads a query and dies.
    let script = "#!/bin/sh\nread a; read b; read c; read d; read e; echo ready; read f; \
                  echo 'out of luck' >&2; exit 3\n";
    let path = directory.path().join("dying");
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut solver = PipeSolver::new(path.to_str().unwrap()).unwrap();
    let mut t = Terms::new();
    let p = t.var("p", Sort::Bool);
    solver.assert(&t, p);
    for _ in 0..2 {
        match solver.check(&t, &[]) {
            Answer::Unknown(UnknownReason::Error(reason)) => {
                assert!(reason.contains("out of luck"), "{reason}");
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(solver.model(&t, &[p]).is_err());
}

/// What a solver program says to a file.
fn replay(program: &str, file: &Path) -> Option<String> {
    let output = Command::new(program).arg(file).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
}

#[test]
fn logged_queries_replay_with_the_same_answers() {
    let directory = tempfile::tempdir().unwrap();
    let mut t = Terms::new();
    let mut solver = LoggingSolver::new(Z3Solver::new(), directory.path()).unwrap();
    // Names that a solver would misread, deep terms, floats' bits, arrays.
    let odd = t.var("select", Sort::BitVec(32));
    let odder = t.var("a |strange\\ name", Sort::BitVec(32));
    let less = t.slt(odd, odder);
    solver.assert(&t, less);
    let mut answers = vec![solver.check(&t, &[])];
    let greater = t.slt(odder, odd);
    answers.push(solver.check(&t, &[greater]));
    solver.push();
    let f = t.var("f", Sort::Float(FloatFormat::F32));
    let bits = t.float_to_bits(f);
    let same = t.eq(bits, odd);
    solver.assert(&t, same);
    answers.push(solver.check(&t, &[]));
    solver.pop(1);
    let flags: Vec<Term> = (0..5)
        .map(|i| t.var(&format!("b{i}"), Sort::Bool))
        .collect();
    let mut chain = flags[0];
    for i in 0..200 {
        let either = t.or2(chain, flags[i % 5]);
        chain = t.and2(either, flags[(i + 2) % 5]);
    }
    let deep = t.ite(chain, odd, odder);
    let memory = t.var(
        "memory",
        Sort::Array {
            index: 32,
            element: 32,
        },
    );
    let written = t.store(memory, odder, deep);
    let read = t.select(written, odd);
    let goal = t.eq(read, deep);
    answers.push(solver.check(&t, &[goal]));
    assert!(solver.error().is_none());
    assert_eq!(answers.iter().filter(|a| **a == Answer::Unsat).count(), 1);
    for (i, answer) in answers.iter().enumerate() {
        let file = directory.path().join(format!("query-{:06}.smt2", i + 1));
        let text = std::fs::read_to_string(&file).unwrap();
        let expected = match answer {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(reason) => panic!("{reason}"),
        };
        assert!(text.contains(&format!("; answer: {expected}\n")));
        for program in ["z3", "cvc5"] {
            match replay(program, &file) {
                Some(found) => assert_eq!(found, expected, "{program} on query {}", i + 1),
                None => eprintln!("*** SKIPPED: {program} is not installed ***"),
            }
        }
    }
}
