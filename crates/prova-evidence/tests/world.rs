//! What the world gives to a program reaches its native run by the way it comes in reality; what a
//! native run does not show is no violation.

mod support;

use prova_evidence::{confirm, How as Shown, Options};
use prova_ir::{Origin, Statement};
use support::{Case, How};

const DECLARATIONS: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
    typedef __SIZE_TYPE__ size; void *malloc(size); void *calloc(size, size); void free(void *);
    char *strdup(const char *); void exit(int); void abort(void); void _exit(int);
    extern int *__errno_location(void);
";

fn replays(text: &str) -> prova_evidence::Confirmed {
    Case::of_text(&format!("{DECLARATIONS}{text}"), How::default()).replays()
}

/// A program that our front end and the compiler read differently: `READ` is an input for us and
/// a function of the library in reality, as if there were a model of it.
fn as_modelled(text: &str, name: &str, real: &str) -> Case {
    let mut case = Case::of_text("int main(void) { return 0; }", How::default());
    std::fs::write(&case.sources.files[0], text).expect("written");
    case.sources.options.defines = vec!["READ=__VERIFIER_nondet_int".into()];
    let lowered = prova_c::load(&case.sources.files, &case.sources.options);
    let mut program = lowered.expect("the program is read").program;
    prova_spec::weave_unreach_call(&mut program, &case.sources.calls);
    let bodies = program
        .procedures
        .iter_mut()
        .filter_map(|p| p.body.as_mut());
    for edge in bodies.flat_map(|b| &mut b.edges) {
        if let Statement::Nondet {
            origin: Origin::Input(asked),
            ..
        } = &mut edge.statement
        {
            *asked = name.to_owned();
        }
    }
    case.task.program = program;
    case.sources.options.defines = vec![format!("READ={real}"), "NATIVE".into()];
    case
}

#[test]
fn allocations_that_failed_fail_again() {
    replays("int main(void) { int *p = malloc(4); if (!p) reach_error(); free(p); }");
    replays(
        "int main(void) { int *p = malloc(4), *q = malloc(8), *r = calloc(3, 4);
             if (p && !q && r && r[1] == 0) reach_error(); }",
    );
    let text = "int main(void) { char *a = strdup(\"x\"); if (!a) return 0; char *b = strdup(a);
        #ifdef NATIVE
            if (*__errno_location() != 12) return 0;
        #endif
            if (!b) reach_error(); }";
    let mut case = Case::of_text(&format!("{DECLARATIONS}{text}"), How::default());
    case.sources.options.defines.push("NATIVE".into());
    case.replays();
}

#[test]
fn blocks_that_did_not_fail_hold_what_was_recorded() {
    replays(
        "int main(void) { int *c = calloc(2, 4), *p = malloc(8), *q = malloc(8);
             if (c && !p && q && q[1] == 77 && c[1] == 0) reach_error(); }",
    );
}

#[test]
fn standard_input_comes_through_a_pipe() {
    let text = "extern void reach_error(void); int READ(void);
        int main(void) { int a = READ(), b = READ(), c = READ(), d = READ();
            if (a == '1' && b == '\"' && c == '\\n' && d == -1) reach_error(); return 0; }";
    let case = as_modelled(text, "stdin", "getchar");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("harness.c");
    let options = Options {
        harness: Some(path.clone()),
        ..Options::default()
    };
    let confirmed = confirm(&case.task, &case.sources, &case.violation(), &options);
    let confirmed = confirmed.unwrap_or_else(|e| panic!("{e:?}"));
    assert_eq!(confirmed.how, Shown::Native);
    assert_eq!(confirmed.recording.stdin.as_deref(), Some(&b"1\"\n"[..]));
    let harness = std::fs::read_to_string(path).expect("it was kept");
    let run = &confirmed.repeat[1];
    assert!(run.starts_with(r#"printf '1"\n' | "#), "{run}");
    assert!(harness.contains(r#"Standard input: "1\"\n""#), "{harness}");
    assert!(harness.contains(run.as_str()), "{harness}");
    // The library's own function reads it.
    assert!(!harness.contains("__asm__(\"getchar\")"), "{harness}");
    let script = format!("{} && {run}", confirmed.repeat[0]);
    let shell = std::process::Command::new("sh")
        .args(["-c", &script])
        .output();
    assert_eq!(shell.expect("sh runs").status.code(), Some(99));
}

/// The program reads more than our run did: there is no more, and nobody waits.
#[test]
fn standard_input_ends() {
    let text = "extern void reach_error(void); int READ(void);
        int main(void) { if (READ() == 'x') {
        #ifdef NATIVE
            while (READ() >= 0) { }
        #endif
            reach_error(); } return 0; }";
    as_modelled(text, "stdin", "getchar").replays();
}

#[test]
fn what_library_functions_return_is_supplied_in_their_place() {
    let text = "extern void reach_error(void); int READ(void); 
        int main(void) { int a = READ(), b = READ(); if (a == 5 && b == 70000) reach_error(); return 0; }";
    as_modelled(text, "getpid", "getpid").replays();
}

/// A function of the library is never defined by a harness, even if nobody knows what it returns.
#[test]
fn the_library_runs_for_real() {
    let text = "extern void reach_error(void); extern int READ(int); int own(void);
        int main(void) { int x = own();
        #ifdef NATIVE
            if (READ('7') == 0) return 0;
        #endif
            if (x == 3) reach_error(); return 0; }";
    as_modelled(text, "own", "isdigit").replays();
}

#[test]
fn choices_are_the_native_run_s_own() {
    let text = "extern void reach_error(void); int READ(void);
        int main(void) { if (READ() == 7) reach_error(); return 0; }";
    let mut case = as_modelled(text, "rand", "rand");
    let bodies = case
        .task
        .program
        .procedures
        .iter_mut()
        .filter_map(|p| p.body.as_mut());
    for edge in bodies.flat_map(|b| &mut b.edges) {
        if let Statement::Nondet { origin, .. } = &mut edge.statement {
            *origin = Origin::Choice("what it returns".into());
        }
    }
    let refuted = case
        .confirm(&case.violation())
        .expect_err("another choice is made");
    assert!(
        refuted.what.contains("does not show the error"),
        "{refuted}"
    );
}

#[test]
fn what_the_sandbox_refuses_is_said() {
    let text = "extern void reach_error(void); int READ(void); int fork(void);
        int main(void) { int x = READ();
        #ifdef NATIVE
            if (fork() == 0) for (;;);
        #endif
            if (x == 3) reach_error(); return 0; }";
    let confirmed = as_modelled(text, "rand", "rand").replays();
    let said = "the program tried to start another process, which the sandbox does not allow";
    assert!(confirmed.notes.contains(&said.to_owned()), "{confirmed:?}");
    let text = text.replace("for (;;);", "for (;;); return 0;");
    let case = as_modelled(&text, "rand", "rand");
    let refuted = case
        .confirm(&case.violation())
        .expect_err("it does not get there");
    assert!(
        refuted.what.contains("it tried to start another process"),
        "{refuted}"
    );
    assert!(refuted.native.contains(&said.to_owned()), "{refuted:?}");
}

#[test]
fn without_a_native_run_there_is_no_violation() {
    let case = Case::of_text(
        &format!(
            "{DECLARATIONS} int main(void) {{ if (__VERIFIER_nondet_int() == 3) reach_error(); }}"
        ),
        How::default(),
    );
    let options = Options {
        native: false,
        ..Options::default()
    };
    let refuted = confirm(&case.task, &case.sources, &case.violation(), &options);
    let refuted = refuted.expect_err("nothing was run");
    assert!(refuted
        .what
        .starts_with("a test fails by interpretation; it was not run natively"));
    assert!(
        refuted.ours.iter().any(|l| l.contains("= 3")),
        "{:?}",
        refuted.ours
    );
}

/// What no compiled program shows is said to be interpreted.
#[test]
fn a_property_that_nothing_shows_is_interpreted_and_it_is_said() {
    let text = format!("{DECLARATIONS} int main(void) {{ int x; if (x) return 1; return 0; }}");
    let case = Case::of_property(&text, "no-uninit-read");
    let confirmed = case.confirm(&case.violation()).expect("it is confirmed");
    let Shown::Interpretation(why) = confirmed.how else {
        panic!("what showed it?")
    };
    assert!(why.contains("no compiled program shows"), "{why}");
}

fn property(text: &str, property: &str) -> Case {
    Case::of_property(&format!("{DECLARATIONS}{text}"), property)
}

#[test]
fn blocks_that_are_left_are_shown() {
    for text in [
        "int main(void) { malloc(4); return 0; }",
        "int main(void) { char *p = strdup(\"ab\"); return p != 0; }",
        "static int *p; int main(void) { p = malloc(4); return 0; }",
        "static int *p; int main(void) { p = calloc(1, 4); if (__VERIFIER_nondet_int() == 5) exit(1); free(p); return 0; }",
        "int main(void) { int *p = malloc(4), *q = malloc(4); free(q); return 0; }",
    ] {
        property(text, "valid-memcleanup").replays();
    }
}

#[test]
fn blocks_that_nothing_leads_to_are_shown() {
    property("int main(void) { malloc(4); return 0; }", "valid-memtrack").replays();
    property(
        "static int *p; int main(void) { p = malloc(4); p = 0; return 0; }",
        "valid-memtrack",
    )
    .replays();
}

/// Where the program ends in the midst of calls, what their variables lead to is not lost.
#[test]
fn blocks_at_an_end_in_the_midst_are_looked_for_on_the_stack() {
    let text = "int *keep; int main(void) { int *p = malloc(4);
        #ifdef NATIVE
            abort();
        #endif
            return 0; }";
    for (ends, shown) in [
        ("abort();", false),
        ("exit(0);", false),
        ("p = 0; abort();", true),
    ] {
        let mut case = property(&text.replace("abort();", ends), "valid-memtrack");
        let violation = case.violation();
        case.sources.options.defines.push("NATIVE".into());
        let answer = case.confirm(&violation);
        assert_eq!(answer.is_ok(), shown, "{ends}: {answer:?}");
    }
}

/// The library's function writes where no sanitizer looks; the bytes may be zeros.
#[test]
fn what_fgets_writes_is_looked_at() {
    let text = "#include <stdio.h>
        int main(void) { char line[8]; return fgets(line, 9, stdin) != 0; }";
    Case::of_property(text, "valid-deref").replays();
}

/// A violation that an engine made up: everything is freed, or something leads to the block.
#[test]
fn blocks_that_are_freed_or_reachable_are_no_leaks() {
    let leaks = "static int *p; int main(void) { p = malloc(4); if (p) *p = 1;
        #ifdef NATIVE
            FREE
        #endif
            return 0; }";
    for (name, free) in [("valid-memcleanup", "free(p);"), ("valid-memtrack", "")] {
        let text = leaks.replace("FREE", free).replace(
            "return 0",
            match name {
                "valid-memtrack" => {
                    "
        #ifndef NATIVE
            p = 0;
        #endif
            return 0"
                }
                _ => "return 0",
            },
        );
        let mut case = property(&text, name);
        let violation = case.violation();
        case.sources.options.defines.push("NATIVE".into());
        let refuted = case.confirm(&violation).expect_err(name);
        assert!(
            refuted.what.contains("does not show the error"),
            "{refuted}"
        );
    }
}

#[test]
fn accesses_outside_of_objects_are_shown() {
    for text in [
        "struct pair { int a[2]; int b; } s; int main(void) { return s.a[__VERIFIER_nondet_int() & 3]; }",
        "int main(void) { int *p; { int inner = 3; p = &inner; } return *p; }",
        "static int *f(void) { int x = 1; int *volatile p = &x; return p; } int main(void) { return *f(); }",
        "int main(void) { char *p = malloc(3); if (p) { int c = p[3]; free(p); return c; } return 0; }",
        "int main(void) { char *p = malloc(3); if (p) { free(p); return *p; } return 0; }",
        "int main(void) { int *p = malloc(4); return *p; }",
    ] {
        property(text, "valid-deref").replays();
    }
    for text in [
        "int main(void) { int x; free(&x); return 0; }",
        "int main(void) { char *p = malloc(3); if (p) free(p + 1); return 0; }",
        "int main(void) { char *p = malloc(3); free(p); if (p) free(p); return 0; }",
    ] {
        property(text, "valid-free").replays();
    }
}
