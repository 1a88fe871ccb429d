//! `prova conform`, `prova model` and `prova show --lts` as users see them: what is printed, and the
//! exit status.

mod common;

use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/conform")
}

/// Runs a command on files of the folder; what it printed, and its status.
fn run(words: &[&str]) -> (String, String, Option<i32>) {
    let files = |w: &&str| match w.contains('.') && !w.starts_with('-') && !w.contains('/') {
        true => folder().join(w).display().to_string(),
        false => w.to_string(),
    };
    let words: Vec<String> = words.iter().map(files).collect();
    let ran = common::prova(words.iter().map(String::as_str));
    (ran.stdout, ran.stderr, ran.code)
}

#[test]
fn verdicts_have_their_exit_status() {
    let (out, _, status) = run(&["conform", "figure6.c", "--spec", "figure6.lts"]);
    assert_eq!(status, Some(0), "{out}");
    assert!(out.starts_with("proc: conforms\n"), "{out}");
    assert!(
        out.contains("taken for granted, shown by nobody: do_a, do_b"),
        "{out}"
    );
    let (out, _, status) = run(&["conform", "device.c", "--spec", "device_leaky.lts"]);
    assert_eq!(status, Some(1), "{out}");
    assert!(out.contains("native run: open, read, return -1\n"), "{out}");
    assert!(out.contains("want = "), "{out}");
    let json = [
        "conform",
        "lock.c",
        "--spec",
        "lock_once.lts",
        "--format",
        "json",
    ];
    let (out, _, status) = run(&json);
    assert_eq!(status, Some(1), "{out}");
    assert!(out.contains("\"verdict\": \"does not conform\""), "{out}");
}

#[test]
fn what_cannot_be_read_has_a_place() {
    let own = tempfile::tempdir().expect("a folder");
    let machines = own.path().join("m.lts");
    let shown = machines.display().to_string();
    let cases = [
        ("machine M { s: a -> ; }", "m.lts:1:21"),
        ("machine M { s: ; }\ntarget int f(void) : N;", "m.lts:2:22"),
        (
            "machine M { s: return 0; }\ntarget int nobody(void) : M;",
            "m.lts:2:12",
        ),
        (
            "machine M { s: return void; }\ntarget int worker(void) : M;",
            "m.lts:2:27",
        ),
        (
            "machine M { s: return 0; }\nassume int more(void) { 1 : M; 1 : M; }\n\
             target int worker(void) : M;",
            "m.lts:2:12",
        ),
        (
            "machine M { s: return 0; }\nassume int more(void) { wrong : M; else : M; }\n\
             target int worker(void) : M;",
            "m.lts:2:25",
        ),
        ("", "m.lts:1:1"),
        ("machine M { }", "m.lts:1:9"),
        (
            "machine M { s: a -> t; }\ntarget int worker(void) : M;",
            "m.lts:1:21",
        ),
        ("machine M { s: ; s: ; }", "m.lts:1:18"),
        ("machine M { s: ; }\nmachine M { s: ; }", "m.lts:2:9"),
        (
            "machine M { s: return 99999999999999999999; }",
            "m.lts:1:23",
        ),
        (
            "machine M { s: N(a); }\ntarget int worker(void) : M;",
            "m.lts:1:16",
        ),
        (
            "machine P(x) { s: x -> s; }\nmachine M { s: P(a, b); }\n\
             target int worker(void) : M;",
            "m.lts:2:16",
        ),
        (
            "machine P(x) { s: x -> s; }\ntarget int worker(void) : P;",
            "m.lts:2:27",
        ),
        ("machine M { s: a -> s; \u{7f}", "m.lts:1:24"),
        ("machine M { s: a -> s; /* no end", "m.lts:1:24"),
        ("traget int worker(void) : M;", "m.lts:1:1"),
        (
            "machine M { s: return 0; }\ntarget int worker(void) : M;\n\
             target int worker(void) : M;",
            "m.lts:3:12",
        ),
        (
            "machine M { s: return 0; }\nlabel nowhere = a;\ntarget int worker(void) : M;",
            "m.lts:2:7",
        ),
    ];
    assert!(cases.len() >= 20);
    for (text, place) in cases {
        std::fs::write(&machines, text).expect("written");
        let (_, errors, status) = run(&["conform", "lock.c", "--spec", &shown]);
        assert_eq!(status, Some(2), "{text}: {errors}");
        assert!(errors.contains(place), "{text}: {errors}");
    }
}

#[test]
fn what_nobody_knows_is_unknown() {
    let own = tempfile::tempdir().expect("a folder");
    let (program, machines) = (own.path().join("p.c"), own.path().join("p.lts"));
    let text = "#include <unistd.h>\nvoid a(void);\n\
                int recursive(int n) { a(); return n > 0 ? recursive(n - 1) : 0; }\n\
                int unmodelled(void) { if (fork() == 0) a(); return 0; }\n";
    std::fs::write(&program, text).expect("written");
    for name in ["recursive(int n)", "unmodelled(void)"] {
        let text = format!(
            "machine A {{ s: a -> d; d: return void; }}\nassume void a(void) : A;\n\
             machine M {{ s: a -> s | return any; }}\ntarget int {name} : M;\n"
        );
        std::fs::write(&machines, text).expect("written");
        let (program, machines) = (
            program.display().to_string(),
            machines.display().to_string(),
        );
        let (out, _, status) = run(&["conform", &program, "--spec", &machines]);
        assert_eq!(status, Some(3), "{name}: {out}");
        assert!(out.contains(": unknown ("), "{out}");
    }
}

#[test]
fn a_procedure_has_a_machine_that_it_conforms_to() {
    let (out, errors, status) = run(&["model", "lock.c", "--spec", "lock_worker.lts"]);
    assert_eq!(status, Some(0), "{errors}");
    assert!(out.starts_with("machine Model {\n"), "{out}");
    assert!(
        errors.contains("shown to allow all that the procedure does"),
        "{errors}"
    );
    let slic = [
        "show",
        "--lts",
        "lock_worker.lts",
        "--machine",
        "Alternate",
        "--as",
        "slic",
    ];
    let (out, _, status) = run(&slic);
    assert_eq!(status, Some(0));
    assert!(out.contains("take.entry {"), "{out}");
}

#[test]
fn the_page_has_the_strategy_as_a_tree() {
    let own = tempfile::tempdir().expect("a folder");
    let page = own.path().join("page.html");
    let shown = page.display().to_string();
    let words = [
        "conform",
        "branch.c",
        "--spec",
        "branch_late_early.lts",
        "--report",
        &shown,
    ];
    let (out, _, status) = run(&words);
    assert_eq!(status, Some(1), "{out}");
    assert!(out.contains("has 2 answers; none helps"), "{out}");
    assert!(out.contains("has no answer: it allows left"), "{out}");
    let text = std::fs::read_to_string(&page).expect("a page");
    for wanted in [
        "does not conform",
        "may go to <code>l</code>, <code>r</code>; none of them helps",
        "if it answers by going to <code>l</code>",
        "has no answer: it allows left",
        "No single run shows it",
        "<svg",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
}

#[test]
fn without_native_runs_a_violation_is_suspected() {
    let words = [
        "conform",
        "device.c",
        "--spec",
        "device_leaky.lts",
        "--no-native",
    ];
    let (out, _, status) = run(&words);
    assert_eq!(status, Some(3), "{out}");
    assert!(out.contains("suspected: return -1 (at its end)"), "{out}");
}

#[test]
fn rules_and_machines_say_the_same() {
    let own = tempfile::tempdir().expect("a folder");
    let rule = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules/lock.slic");
    let rule = rule.display().to_string();
    let (machine, errors, status) = run(&["show", "--lts", &rule, "--as", "text"]);
    assert_eq!(status, Some(0), "{errors}");
    assert!(
        errors.contains("shown to allow all that the rule allows"),
        "{errors}"
    );
    let alternate = "machine lock {\n    s0: lock -> s1;\n    s1: unlock -> s0;\n}\n";
    assert_eq!(machine, alternate);

    // And back: the machine, as a rule, sees what the rule sees.
    let machines = own.path().join("locks.lts");
    std::fs::write(&machines, machine).expect("written");
    let machines = machines.display().to_string();
    let program = own.path().join("p.c");
    let shown = program.display().to_string();
    for (body, wanted) in [
        ("lock(); unlock(); lock(); unlock();", 0),
        ("lock(); unlock(); unlock();", 1),
    ] {
        let text = format!(
            "void lock(void) {{}}\nvoid unlock(void) {{}}\nint main(void) {{ {body} return 0; }}\n"
        );
        std::fs::write(&program, text).expect("written");
        let (out, errors, status) = run(&["check", &shown, "--slic", &machines]);
        assert_eq!(status, Some(wanted), "{body}: {out}{errors}");
    }
    let choice = "machine M { s: lock -> s | lock -> t; t: ; }";
    std::fs::write(&machines, choice).expect("written");
    let (_, errors, status) = run(&["check", &shown, "--slic", &machines]);
    assert_eq!(status, Some(2), "{errors}");
    assert!(errors.contains("not deterministic"), "{errors}");
}

#[test]
fn declarations_that_do_not_fit_have_a_place() {
    let own = tempfile::tempdir().expect("a folder");
    let machines = own.path().join("m.lts");
    let shown = machines.display().to_string();
    for declaration in [
        "target int worker(int x, int y) : M;",
        "target int take(void) : M;",
    ] {
        let text = format!("machine M {{ s: return any; }}\n{declaration}\n");
        std::fs::write(&machines, text).expect("written");
        let (_, errors, status) = run(&["conform", "lock.c", "--spec", &shown]);
        assert_eq!(status, Some(2), "{declaration}: {errors}");
        assert!(errors.contains("m.lts:2:12"), "{declaration}: {errors}");
    }
}

#[test]
fn a_routine_counts_as_shown_once_it_was() {
    let own = tempfile::tempdir().expect("a folder");
    let (program, machines) = (own.path().join("p.c"), own.path().join("p.lts"));
    let text = "void ping(void);\n\
                static int helper(int n) { return n > 0; }\n\
                int f(int n) { if (helper(n)) ping(); return 0; }\n";
    std::fs::write(&program, text).expect("written");
    // The second machine is that of a helper that never says yes.
    for (helper, here, nobody) in [
        ("s: return 0 | return 1;", "helper", "ping"),
        ("s: return 0;", "", "helper, ping"),
    ] {
        let text = format!(
            "machine Ping {{ s: ping -> d; d: return void; }}\nassume void ping(void) : Ping;\n\
             machine H {{ {helper} }}\nassume int helper(int n) : H;\ntarget int helper(int n) : H;\n\
             machine F {{ s: ping -> s | return 0; }}\ntarget int f(int n) : F;\n"
        );
        std::fs::write(&machines, text).expect("written");
        let (program, machines) = (
            program.display().to_string(),
            machines.display().to_string(),
        );
        let (out, errors, _) = run(&["conform", &program, "--spec", &machines]);
        let of_f = &out[out
            .find("f: conforms")
            .unwrap_or_else(|| panic!("{out}{errors}"))..];
        let line = |begin: &str| {
            let mut lines = of_f.lines();
            let line = lines.find_map(|l| l.trim().strip_prefix(begin));
            let mut names: Vec<&str> = line.unwrap_or("").split(", ").map(str::trim).collect();
            names.sort_unstable();
            names.join(", ")
        };
        assert_eq!(line("taken for granted, shown here:"), here, "{out}");
        assert_eq!(line("taken for granted, shown by nobody:"), nobody, "{out}");
    }
}
