//! Properties woven into small programs.

use prova_ir::text::{parse, print};
use prova_ir::*;
use prova_spec::*;

fn program(text: &str) -> Program {
    let program = parse(&format!("prova-ir 1 lp64\nfile 0 \"a.c\"\n{text}")).unwrap();
    assert_eq!(validate(&program), []);
    program
}

fn messages(program: &Program) -> Vec<String> {
    let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    bodies
        .flat_map(|b| &b.errors)
        .map(|e| e.message.clone())
        .collect()
}

const CALLS: &str = "object text : 6 align 1 constant = { 0: \"x > 0\\x00\" }
object other : 4 align 1 static = { 0: \"abc\\x00\" }
extern proc __assert_fail(af.a, af.f, af.l, af.n) noreturn {
  param af.a : ptr\n  param af.f : ptr\n  param af.l : i32\n  param af.n : ptr\n}
proc reach_error() {\n  entry L0 exit L1\n  L0 -> L1: call __assert_fail(null, null, 0:i32, null)\n}
extern proc error()
extern proc __VERIFIER_error() noreturn
proc main(p) {
  param p : ptr
  entry L0 exit L9
  L0 @3:1 -> L1: call __assert_fail(&text, &text, 3:i32, &text)
  L1 @4:1 -> L2: call reach_error()
  L2 @5:1 -> L3: call error()
  L3 @6:1 -> L4: call error([p]:i32)
  L4 @7:1 -> L5: call error(1:i32, 2:i32, p)
  L5 @8:1 -> L6: call __assert_fail(&text +p 4:i64, p, 3:i32, p)
  L6 @9:1 -> L7: call __assert_fail(&other, p, 3:i32, p)
  L7 @9:2 -> L9: call __VERIFIER_error()
}
entry main";

#[test]
fn calls_and_assertions_become_errors() {
    let mut p = program(CALLS);
    let report = weave_unreach_call(&mut p, &Spec::default());
    assert_eq!(
        messages(&p),
        [
            "assertion failed: \"x > 0\"",
            "call of reach_error()",
            "call of error()",
            "call of error()",
            "assertion failed: \"0\"",
            "assertion failed",
            "call of __VERIFIER_error()",
        ]
    );
    assert_eq!(report.sites.len(), 7);
    assert_eq!(report.sites[1].span.line, 4);
    let text = print(&p);
    assert!(
        text.contains("call error(1:i32, 2:i32, p)"),
        "glibc's error is no error: {text}"
    );
    assert!(
        text.contains(":= [p]:i32"),
        "the argument may trap first: {text}"
    );
    assert!(!text.contains("call reach_error"), "{text}");
    assert!(
        text.contains("call __assert_fail(null"),
        "a body of reach_error is ignored: {text}"
    );
    let body = p.procedures[4].body.as_ref().unwrap();
    assert!(body
        .errors
        .iter()
        .all(|e| body.outgoing()[e.location.index()].is_empty()));
    assert!(body.errors.iter().all(|e| e.property == "unreach-call"));
}

#[test]
fn kinds_of_errors_can_be_chosen() {
    let mut p = program(CALLS);
    let spec = Spec {
        assertions: false,
        ..Spec::default()
    };
    assert_eq!(weave_unreach_call(&mut p, &spec).sites.len(), 4);
    let mut p = program(CALLS);
    let spec = Spec {
        calls: false,
        ..Spec::default()
    };
    assert_eq!(weave_unreach_call(&mut p, &spec).sites.len(), 4);
}

#[test]
fn an_own_error_function_is_no_error() {
    let mut p = program(
        "proc error() {\n  entry L0 exit L0\n}\nproc __assert_fail() {\n  entry L0 exit L0\n}\n\
         proc main() {\n  entry L0 exit L2\n  L0 -> L1: call error()\n  L1 -> L2: call __assert_fail()\n}\nentry main",
    );
    assert_eq!(
        weave_unreach_call(&mut p, &Spec::default()),
        WeaveReport::default()
    );
}

#[test]
fn labels_are_errors_on_every_way_in() {
    let mut p = program(
        "proc f() {\n  temp b : i1\n  entry L0 exit L4\n  L0 -> L1: assume b\n  L0 -> L2: assume !b\n  \
         L1 -> L2: skip\n  L2 @7:1 label \"ERROR\" -> L3: skip\n  L3 -> L4: skip\n}\n\
         proc g() {\n  entry L0 exit L1\n  L0 label \"ERROR\" -> L1: skip\n}\n\
         proc h() {\n  entry L0 exit L1\n  L0 -> L1: skip\n  L1 label \"ERROR\"\n}\nentry f",
    );
    let spec = Spec {
        label: Some("ERROR".into()),
        ..Spec::default()
    };
    let report = weave_unreach_call(&mut p, &spec);
    assert_eq!((report.labels, report.sites.len()), (3, 3));
    let body = |i: usize| p.procedures[i].body.as_ref().unwrap();
    let error = body(0).errors[0].location;
    let into = body(0).edges.iter().filter(|e| e.target == error).count();
    assert_eq!((into, body(0).location(error).span.line), (2, 7));
    assert!(body(1).is_error(body(1).entry));
    assert!(body(2).is_error(body(2).edges[0].target));
}

#[test]
fn error_functions_are_found_through_pointers() {
    let mut p = program(
        "global hook : ptr = fn reach_error\nextern proc reach_error()\n\
         proc main() {\n  entry L0 exit L1\n  L0 -> L1: call [hook]()\n}\nentry main",
    );
    weave_unreach_call(&mut p, &Spec::default());
    prova_ir::passes::devirtualise::devirtualise(&mut p);
    let inlined = prova_ir::passes::inline::inline(&p, 100).unwrap();
    assert_eq!(messages(&inlined.program), ["call of reach_error()"]);
}

#[test]
fn any_function_can_be_the_entry() {
    let mut p = program(
        "ctype 0 = struct \"struct s\" 12 {}\nglobal x : i32 = 5:i32\nobject table : 8 align 8 static\n\
         object text : 2 align 1 constant = { 0: \"a\\x00\" }\nobject far : 4 align 4 external\n\
         extern proc gone()\nproc f(f.n, f.s, f.p) -> f.r {\n  param f.n : i32 c \"n\"\n  \
         param f.s : ptr c \"s\" ctype 0\n  param f.p : ptr c \"p\"\n  result f.r : i32\n  entry L0 exit L0\n}",
    );
    let gone = p.find_procedure("gone").unwrap();
    assert_eq!(
        make_entry(&mut p, gone),
        Err(EntryError::NoBody("gone".into()))
    );
    let f = p.find_procedure("f").unwrap();
    let entry = make_entry(&mut p, f).unwrap();
    assert_eq!(p.entry, Some(entry));
    let text = print(&p);
    for line in [
        "x := nondet entry",
        "havoc [&table], 8, entry",
        "havoc [&far], 4, entry",
        "entry.n := nondet entry",
        "enter entry.s",
        "havoc [&entry.s], 12, entry",
        "entry.p := nondet entry",
        "call f(entry.n, &entry.s, entry.p)",
    ] {
        assert!(text.contains(line), "{line} not in {text}");
    }
    assert!(!text.contains("havoc [&text]"), "{text}");
    assert!(parse(&text).unwrap().same_as(&p));
}
