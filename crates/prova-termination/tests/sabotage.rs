//! Rankings that are none: of every measure that is found, many damaged ones are made, each refuted by
//! a round that a test went through, or with a circle left out. None of them may be accepted, with
//! the claims of the good certificate or with others.

use prova_certify::certificate::Certificate;
use prova_certify::prepare::digest;
use prova_certify::{check, Limits};
use prova_engine::registry::{checker, Settings};
use prova_logic::SolverChoice;
use prova_rank::{weave, Extreme, Kind, Order, Part, Ranking, Tuple};
use prova_spec::{Check, Property};
use prova_task::prepare::prepare_again;
use prova_task::{Budget, Checker, Outcome, Silent, Task};
use prova_termination::shape::{circles, Circle};
use prova_termination::{forever, traces, Effort, Question};
use std::time::Duration;

const PROGRAMS: [&str; 9] = [
    "int f(void); int main(void) { int n = f(), i = 0; while (i < n) i++; return 0; }",
    "unsigned f(void); int main(void) { unsigned n = f(), m = 7; while (n > 0) { n--; m = f(); } return m; }",
    "int f(void); int main(void) { int x = f(), y = f(); while (x > 0 && y > 0) {
       if (f()) { x--; y = f(); } else y--; } return 0; }",
    "int f(void); int main(void) { int n = f(); for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) ; return 0; }",
    "int f(void); static int g(int n) { return n <= 0 ? 0 : 1 + g(n - 1); } int main(void) { return g(f()); }",
    "unsigned char f(void); int main(void) { unsigned char a = f(), b = 1; while (a != 0) { a = a / 2; b++; } return b; }",
    "int f(void); int x; int main(void) { int s = 0; x = f(); while (x > 3) { s = f(); x = x - 1; } return s; }",
    "int f(void); int main(void) { int a = 0, y = 0; (void)f; while (y >= 0) {
       if (a <= 20) y++; else y--; a++; } return 0; }",
    "int f(void); int main(void) { int q = f(), p = f(); while (q > 0 && p > 0) {
       if (q < p) { q--; p = f(); } else if (p < q) { p--; q = f(); } else break; } return 0; }",
];

fn task(source: &str) -> Task {
    let options = prova_c::Options::default();
    let unit = prova_c::parse_text("a.c", source, &options).expect("C");
    let mut program = prova_c::lower(vec![unit], &options)
        .expect("a program")
        .program;
    prova_spec::weave(&mut program, &Check::of(Property::Termination)).expect("woven");
    Task::new(program, 0)
}

fn accepted(task: &Task, ranking: &Ranking, passes: &[&'static str], claims: &str) -> bool {
    let mut woven = task.program.clone();
    if weave(&mut woven, ranking).is_err() {
        return false;
    }
    let names: Vec<String> = passes.iter().map(|p| (*p).to_owned()).collect();
    let Ok(prepared) = prova_certify::prepare::prepare(&woven, &names) else {
        return false;
    };
    let text = format!(
        "(prova-certificate 2)\n(passes {})\n(prepared \"{}\")\n{claims}",
        passes.join(" "),
        digest(&prepared)
    );
    let limits = Limits {
        query: Duration::from_secs(5),
        deadline: None,
        cancelled: &|| false,
        ask_all: false,
    };
    Certificate::parse(&text)
        .and_then(|certificate| check(&woven, &certificate, &[SolverChoice::Z3], &limits))
        .is_ok()
}

/// Parts like this one, and not: turned round, moved, of other places, read otherwise.
fn damaged(part: &Part, circle: &Circle) -> Vec<Part> {
    let mut all = vec![Part::default().plus(part, -1)];
    for constant in [-1, -7, -1000, -100_000] {
        let mut moved = part.clone();
        moved.constant += constant;
        all.push(moved);
    }
    if !part.others.is_empty() {
        all.extend(part.others.iter().cloned());
        all.push(Part {
            others: Vec::new(),
            ..part.clone()
        });
    }
    for i in 0..part.terms.len() {
        let mut turned = part.clone();
        turned.terms[i].0 = -turned.terms[i].0;
        all.push(turned);
        let mut less = part.clone();
        less.terms.remove(i);
        all.push(less);
        for kind in [Kind::Signed, Kind::Unsigned, Kind::Low] {
            let mut read = part.clone();
            read.terms[i].1.kind = kind;
            all.push(read);
        }
    }
    all.extend(circle.terms.iter().cloned());
    all.retain(|p| p != part);
    all.dedup();
    all
}

/// Tuples like this one, and not: of one damaged part, with parts left out, turned round, in another
/// order, with the greatest in the place of the least.
fn others(tuple: &Tuple, circle: &Circle) -> Vec<Tuple> {
    let of = |order, parts: Vec<Part>| Tuple { order, parts };
    let damaged = tuple.parts.iter().flat_map(|p| damaged(p, circle));
    let mut all: Vec<Tuple> = damaged
        .map(|part| of(Order::Lexicographic, vec![part]))
        .collect();
    let parts = &tuple.parts;
    let mut turned = parts.clone();
    turned.reverse();
    let mut exchanged = parts.clone();
    for part in &mut exchanged {
        part.extreme = match part.extreme {
            Extreme::Least => Extreme::Greatest,
            Extreme::Greatest => Extreme::Least,
        };
    }
    let order = Order::Lexicographic;
    all.extend([&turned, &exchanged].map(|p| of(order, p.clone())));
    for i in 0..parts.len() {
        let mut less = parts.clone();
        less.remove(i);
        all.push(of(order, less));
        for moved in [-5, -100] {
            let mut lower = parts.clone();
            lower[i].constant += moved;
            lower[i].others.iter_mut().for_each(|p| p.constant += moved);
            all.push(of(order, lower));
        }
    }
    all.retain(|t| t != tuple && !t.parts.is_empty());
    all
}

/// What it means that a tuple falls, once more.
fn falls(before: &[i128], now: &[i128]) -> bool {
    let Some(((a, before), (b, now))) = before.split_first().zip(now.split_first()) else {
        return false;
    };
    b < a && *a >= 0 || b <= a && falls(before, now)
}

#[test]
fn damaged_rankings_are_refused() {
    let engines = || -> Vec<Box<dyn Checker>> {
        let names = ["kind", "pdr", "lazy"].iter();
        let made = names.filter_map(|name| checker(name, &Settings::default()));
        made.collect()
    };
    let efforts = [Effort {
        engines: engines(),
        several: engines(),
        procedures: engines(),
        unwinding: Vec::new(),
    }];
    let mut refused = 0;
    for source in PROGRAMS {
        let task = task(source);
        let question = Question {
            task: &task,
            defined: None,
            overflow_ends: false,
            efforts: &efforts,
            may_run_forever: &[],
            only: None,
        };
        let budget = Budget::new(Some(Duration::from_secs(60)), None);
        let answer = prova_termination::check(question, &budget, &mut Silent);
        let Outcome::Proved(proof) = &answer.report.outcome else {
            panic!("{source}: {:?}", answer.report.outcome);
        };
        let claims = prova_engine::proof::certificate::claims(proof).expect("claims");
        assert!(
            accepted(&task, &answer.ranking, &proof.passes, &claims),
            "{source}"
        );
        let plain: Vec<Circle> = circles(&task.program);
        let code = forever::code(&task.program).expect("code");
        let tests = forever::tests(0);
        for (i, (subject, tuple)) in answer.ranking.measures.iter().enumerate() {
            // Without it, a circle is left out.
            let mut without = answer.ranking.clone();
            without.measures.remove(i);
            assert!(
                !accepted(&task, &without, &proof.passes, &claims),
                "{source}"
            );
            refused += 1;
            let circle = plain
                .iter()
                .find(|c| c.subject == *subject)
                .expect("a circle");
            for other in others(tuple, circle) {
                // A tuple that some round refutes.
                let mut probe = circle.clone();
                probe.terms.clone_from(&other.parts);
                let wrong = tests.iter().any(|test| {
                    let run = traces::run(&code, test, 2_000);
                    let rounds = traces::rounds(&run, &probe);
                    rounds.iter().any(|(a, b)| !falls(a, b))
                });
                if !wrong {
                    continue;
                }
                let mut ranking = answer.ranking.clone();
                ranking.measures[i].1 = other;
                let taken = accepted(&task, &ranking, &proof.passes, &claims);
                assert!(!taken, "{source}: {:?}", ranking.lines());
                refused += 1;
            }
        }
        // Without its claims, what needs them is no proof; and claims of nothing prove nothing.
        let prepared = prepare_again(&task.program, &proof.passes);
        // What calls itself is one procedure only where its calls are passed over.
        let passed_over = answer
            .ranking
            .lines()
            .iter()
            .any(|l| l.starts_with("returns"));
        assert!(prepared.is_ok() || !proof.contracts.is_empty() || passed_over);
        let empty = "(procedure main)";
        assert!(
            !accepted(&task, &answer.ranking, &proof.passes, empty),
            "{source}"
        );
        refused += 1;
    }
    assert!(refused >= 120, "{refused} damaged rankings");
}
