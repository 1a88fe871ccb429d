//! Orders of evaluation: where C leaves one open and it matters, all are there, gcc's among them;
//! where it does not matter there is no choice; and what is undefined is marked.

use prova_c::{lower, parse_text, Options};
use prova_exec::{run_plain, Code, Limits, RunEnd, Test};
use prova_ir::{Origin, Program, Statement};
use std::collections::BTreeSet;
use std::process::Command;
use std::sync::Arc;

fn program(text: &str) -> Program {
    let options = Options::default();
    let unit = parse_text("order.c", text, &options).expect("it parses");
    match lower(vec![unit], &options) {
        Ok(lowered) => lowered.program,
        Err(errors) => panic!("{}", errors[0].render(false)),
    }
}

fn count(program: &Program, wanted: impl Fn(&Statement) -> bool) -> usize {
    let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    let edges = bodies.flat_map(|b| &b.edges);
    edges.filter(|e| wanted(&e.statement)).count()
}

fn choices(program: &Program) -> usize {
    count(program, |s| {
        matches!(s, Statement::Nondet { origin: Origin::Choice(what), .. }
            if what == "the order of evaluation")
    })
}

fn markers(program: &Program) -> usize {
    count(program, |s| matches!(s, Statement::Marker(_)))
}

/// What `main` returns, for each way to choose.
fn results(program: Program) -> BTreeSet<i32> {
    let code = Code::new(Arc::new(program)).unwrap();
    let mut found = BTreeSet::new();
    for bits in 0..64u32 {
        let values = (0..6).map(|i| u128::from(bits >> i & 1));
        let summary = run_plain(&code, &Test::of_values(values), Limits::default());
        match summary.end {
            RunEnd::Returned(Some(value)) => found.insert(value as i32 & 0xff),
            other => panic!("ended with {other:?}"),
        };
    }
    found
}

fn native(text: &str, level: &str) -> i32 {
    let folder = tempfile::tempdir().unwrap();
    let (source, binary) = (folder.path().join("a.c"), folder.path().join("a"));
    std::fs::write(&source, text).unwrap();
    let built = Command::new("gcc")
        .args(["-w", level, "-o"])
        .args([&binary, &source])
        .status()
        .unwrap();
    assert!(built.success(), "{text}");
    Command::new(&binary).status().unwrap().code().unwrap()
}

const HEAD: &str = "int g = 1; int *at = &g; struct s { int a, b; } s; int v[4]; int n;
    int next(void) { return ++n; }
    int set(int x) { g = x; return x; }
    int through(int *p) { *p += 2; return *p; }
    int member(struct s *p) { p->a += 3; return p->a; }
    int local(void) { static int kept; kept += 1; return kept; }
    int pure(int x) { return x < 1 ? 0 : x + pure(x - 1); }
    int minus(int a, int b) { return a - b; }
    int three(int a, int b, int c) { return a + 4 * b + 16 * c; }\n";

/// Conflicts: how many results there are.
const OPEN: &[(&str, usize)] = &[
    ("return next() - 2 * next() + 4;", 2),
    ("return minus(10 * next(), next());", 2),
    ("return three(next(), next(), next());", 6),
    ("return g + set(5);", 2),
    ("return set(5) + g * 2;", 2),
    ("g += set(5); return g;", 2),
    ("return minus(9 * local(), local());", 2),
    ("v[n] = next(); return v[0] * 10 + v[1];", 2),
    ("return v[next()] + 3 * n;", 2),
    ("return *at + 2 * set(4);", 2),
    ("return through(&g) + 5 * g;", 2),
    ("return s.a + 2 * member(&s);", 2),
    ("int x = 1; return x + 3 * through(&x);", 2),
    (
        "int a[2] = {next(), 3 * next()}; return a[0] * 8 + a[1];",
        2,
    ),
    ("struct s t = {next(), next()}; return t.a * 8 + t.b;", 2),
    (
        "int (*f)(int, int) = minus; return f(10 * next(), next());",
        2,
    ),
    ("return 2 * next() + ({ int z = next(); z * 5; });", 2),
    ("return (next() + 1) * ((next() + 2) * 3);", 2),
    ("return minus(g, ({ set(3); 0; }));", 2),
];

#[test]
fn conflicting_effects_come_in_each_order() {
    for (body, ways) in OPEN {
        let text = format!("{HEAD}int main(void) {{ {body} }}\n");
        let program = program(&text);
        assert!(choices(&program) > 0, "{body}");
        assert_eq!(markers(&program), 0, "{body}");
        let found = results(program);
        assert_eq!(found.len(), *ways, "{body}: {found:?}");
        for level in ["-O0", "-O2"] {
            let gcc = native(&text, level);
            assert!(
                found.contains(&gcc),
                "{body}: gcc gives {gcc}, not one of {found:?}"
            );
        }
    }
}

#[test]
fn what_does_not_conflict_is_evaluated_once() {
    for body in [
        "return pure(3) + pure(4) * g;",
        "int x = 3, y = 4; return x++ + y--;",
        "int i = 0; v[i++] = 5; return v[i - 1];",
        "char b[4], *d = b, *e = \"abc\"; while ((*d++ = *e++)) ; return b[0];",
        "return next() && next() ? next() : 0;",
        "return (next(), next());",
        "int x = 1; x = x + next(); return x;",
        "g = set(3) + 1; return g;",
        "int x = 2; return pure(x) + x;",
        "struct s *p = &s; p->b = member(p); return p->b;",
        "return sizeof(next()) + g + sizeof(set(2));",
        "int x = __builtin_expect(next(), 1); return x;",
    ] {
        let program = program(&format!("{HEAD}int main(void) {{ {body} }}\n"));
        assert_eq!(choices(&program), 0, "{body}");
        assert_eq!(markers(&program), 0, "{body}");
    }
}

#[test]
fn what_has_no_order_at_all_is_marked() {
    for body in [
        "int i = 0; i = i++ + 1; return i;",
        "int i = 0; return minus(i++, i);",
        "int i = 0; v[i] = i++; return v[0];",
        "int i = 1; i += i++; return i;",
        "int i = 1; return ++i + ++i;",
        "return next() + 2 * next() + 3 * next() + 4 * next();",
        "return minus(next(), minus(next(), next())) + next();",
    ] {
        let program = program(&format!("{HEAD}int main(void) {{ {body} }}\n"));
        assert!(markers(&program) > 0, "{body}");
    }
}
