//! Calls of oneself as loops: what holds of a program whose calls are passed over holds of the program.
//! Each case says whether there is a proof; where there must be none, the program (or the promise) is wrong.

use prova_engine::registry::{checker, Settings};
use prova_rank::{weave, Ranking};
use prova_spec::{Check, Property};
use prova_task::{Budget, Outcome, Silent, Task};
use std::time::Duration;

/// Whether what is promised and measured can be woven in, and is proved.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    Proved,
    NotProved,
    Refused,
}

/// The ranking's lines, with the numbers of the heads of `main`'s loops in the place of `HEAD`.
fn said(source: &str, lines: &[&str]) -> Said {
    let options = prova_c::Options::default();
    let unit = prova_c::parse_text("a.c", source, &options).expect("C");
    let lowered = prova_c::lower(vec![unit], &options);
    let mut program = lowered.expect("a program").program;
    prova_spec::weave(&mut program, &Check::of(Property::Termination)).expect("woven");
    let mut heads = prova_termination::shape::circles(&program)
        .into_iter()
        .filter_map(|c| Some(c.component?.head.0));
    let head = heads.next_back().unwrap_or_default().to_string();
    let result = program.procedures.iter().find(|p| p.c_name == "f");
    let result = result.and_then(|p| p.result);
    let result = result.map_or(String::new(), |r| program.register(r).name.clone());
    let lines: Vec<String> = lines
        .iter()
        .map(|l| l.replace("HEAD", &head).replace("RESULT", &result))
        .collect();
    let ranking = Ranking::parse(lines.iter().map(String::as_str)).expect("a ranking");
    if weave(&mut program, &ranking).is_err() {
        return Said::Refused;
    }
    let task = Task::new(program, 0);
    let budget = Budget::new(Some(Duration::from_secs(20)), None);
    let proves = |name: &&str| {
        let engine = checker(name, &Settings::default()).expect("an engine");
        let budget = budget.share(2);
        matches!(
            engine.check(&task, &budget, &mut Silent).outcome,
            Outcome::Proved(_)
        )
    };
    match ["lazy", "pdr"].iter().any(proves) {
        true => Said::Proved,
        false => Said::NotProved,
    }
}

const MCCARTHY: &str =
    "int in(void); static int f(int n) { return n > 100 ? n - 10 : f(f(n + 11)); }
    int main(void) { int n = in(); if (n < 0 || n > 1000) return 0; return f(n); }";

#[test]
fn what_inner_calls_return_has_to_be_promised() {
    let measure = "call f : -1*s:n +100";
    let promise = "returns f : 1*s:RESULT -1*s:n +10";
    assert_eq!(said(MCCARTHY, &[measure, promise]), Said::Proved);
    assert_eq!(said(MCCARTHY, &[measure, "returns f :"]), Said::NotProved);
}

#[test]
fn promises_that_are_not_kept_are_no_proof() {
    let measure = "call f : -1*s:n +100";
    for promise in [
        "returns f : 1*s:RESULT -1*s:n +9",
        "returns f : 1*s:RESULT -1*s:n +10 ; 1*s:RESULT -92",
        "returns f : -1*s:RESULT +91 ; 1*s:RESULT -1*s:n +10",
    ] {
        assert_eq!(
            said(MCCARTHY, &[measure, promise]),
            Said::NotProved,
            "{promise}"
        );
    }
    // Right for all calls that are not deep.
    let deep = "int in(void); static int f(int n) { return n <= 0 ? 0 : f(n - 1) + 1; }
        int main(void) { int n = in(), x = 9; if (n < 0 || n > 100000) return 0;
          int d = f(n); while (d > 40000 && x > 0) if (d < 0) x--; return 0; }";
    let lines = ["call f : 1*s:n +0", "loop main HEAD : 1*s:x +0"];
    for promise in ["returns f : -1*s:RESULT +1000", "returns f :"] {
        let lines = [lines[0], lines[1], promise];
        assert_eq!(said(deep, &lines), Said::NotProved, "{promise}");
    }
}

#[test]
fn measures_of_calls_that_do_not_fall_are_no_proof() {
    let rises = "int in(void); static int f(int n) { return n == 0 ? 0 : f(n + 1); }
        int main(void) { return f(in()); }";
    assert_eq!(
        said(rises, &["call f : 1*s:n +0", "returns f :"]),
        Said::NotProved
    );
    // It falls in calls from outside, and not in calls from calls.
    let later =
        "int in(void); static int f(int n) { return n == 50 ? f(50) : n > 0 ? f(n - 1) : 0; }
        int main(void) { int n = in(); if (n < 60) return 0; return f(n); }";
    assert_eq!(
        said(later, &["call f : 1*s:n +0", "returns f :"]),
        Said::NotProved
    );
}

#[test]
fn what_calls_leave_is_not_forgotten() {
    // The loop ends only if nothing was counted.
    let counted =
        "int in(void); int g; static void f(int n) { if (n > 0) { g = g + 1; f(n - 1); } }
        int main(void) { int x = 5; g = 0; f(3); while (x > 0) if (g == 1) x--; return 0; }";
    let lines = [
        "call f : 1*s:n +0",
        "loop main HEAD : 1*s:x +0",
        "returns f :",
    ];
    assert_eq!(said(counted, &lines), Said::NotProved);
    let written =
        "int in(void); static void f(int n, int *p) { if (n > 0) { *p = n; f(n - 1, p); } }
        int main(void) { int x = 5; f(3, &x); while (x > 0) x--; return 0; }";
    assert_eq!(said(written, &lines), Said::Refused);
    let mutual =
        "int in(void); static int g(int n); static int f(int n) { return n <= 0 ? 0 : g(n - 1); }
        static int g(int n) { return n <= 0 ? 0 : f(n - 1); } int main(void) { return f(in()); }";
    let lines = ["call f : 1*s:n +0", "call g : 1*s:n +0", "returns f :"];
    assert_eq!(said(mutual, &lines), Said::Refused);
}

#[test]
fn calls_from_calls_do_not_return_to_the_outside() {
    // Two is returned, though a call inside returned seven.
    let seven = "int in(void); static int f(int n) { if (n <= 0) return 7; f(n - 1); return n; }
        int main(void) { int x = in(), r = f(2); while (r == 7 && x > 0) if (r == 2) x--; return 0; }";
    let lines = [
        "call f : 1*s:n +0",
        "loop main HEAD : 1*s:x +0",
        "returns f :",
    ];
    assert_eq!(said(seven, &lines), Said::Proved);
}
