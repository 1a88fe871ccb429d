//! `prova adequacy`: the examples of Yorsh, Ball and Sagiv, "Testing, Abstraction, Theorem Proving:
//! Better Together!", with what the paper says of them; suites that miss one state; and input that is
//! refused where it is wrong.

mod common;

use common::{prova, Run};
use std::path::{Path, PathBuf};

fn programs() -> PathBuf {
    std::env::current_dir()
        .expect("the package's folder")
        .join("../../tests/programs/adequacy")
}

fn adequacy(words: &[&str]) -> Run {
    let folder = programs();
    let mut all: Vec<String> = vec!["adequacy".into(), "--timeout".into(), "60".into()];
    for word in words {
        let file = folder.join(word);
        // Files of the folder are named by themselves.
        let named = word.contains('.') && file.exists() || *word == "foo_tests";
        all.push(match named {
            true => file.display().to_string(),
            false => (*word).to_owned(),
        });
    }
    prova(all)
}

/// Figure 2: the procedure `foo`, three tests that miss its error, and two predicates.
fn foo(program: &str, predicates: &str) -> Run {
    adequacy(&[
        program,
        "--entry",
        "foo",
        "--property",
        "no-null-deref",
        "--tests",
        "foo_tests",
        "--predicates",
        predicates,
    ])
}

/// The part of the output about a place.
fn place<'a>(run: &'a Run, name: &str) -> &'a str {
    let start = run.stdout.find(&format!("{name} ("));
    let text = &run.stdout[start.unwrap_or_else(|| panic!("{name}: {}", run.stdout))..];
    let end = text[1..].find("\n").and_then(|first| {
        let rest = &text[first + 2..];
        let next = rest.lines().position(|l| !l.starts_with(' '))?;
        let lines: usize = rest.lines().take(next).map(|l| l.len() + 1).sum();
        Some(first + 2 + lines)
    });
    &text[..end.unwrap_or(text.len())]
}

#[test]
fn a_bug_is_found_by_fabrication() {
    let run = foo("foo.c", "foo.predicates");
    // The state (D, 4, 0, NULL) of section 2.2.1, and that it is real: foo(3, 0).
    let at = place(&run, "D");
    assert!(at.contains("missing: x < 5 && px == 0"), "{at}");
    assert!(at.contains("a test gets there: x = 3"), "{at}");
    assert!(
        run.stdout.contains("an error is possible at"),
        "{}",
        run.stdout
    );
    assert_ne!(run.code, Some(0));
}

#[test]
fn a_proof_is_found_with_states_that_no_run_reaches() {
    let run = foo("fixed_foo.c", "foo.predicates");
    // Section 2.2.2: (E,t,f) and (F,f,f) are needed and unreachable, (H,f,f) is reachable by x = 3 only.
    for (name, state, answer) in [
        ("E", "x < 5 && !(px == 0)", "no run gets there (certified)"),
        (
            "F",
            "!(x < 5) && !(px == 0)",
            "no run gets there (certified)",
        ),
        ("H", "!(x < 5) && !(px == 0)", "a test gets there: x = 3"),
    ] {
        let at = place(&run, name);
        let missing = at.split("missing: ").nth(1).unwrap_or_default();
        assert!(missing.starts_with(state), "{name}: {at}");
        assert!(missing.contains(answer), "{name}: {at}");
    }
    assert!(
        run.stdout.contains("15 abstract states, 3 missing"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("none reaches an error\ncertified: "),
        "{}",
        run.stdout
    );
}

#[test]
fn an_abstraction_that_is_too_coarse_gives_a_false_error() {
    let run = foo("fixed_foo.c", "coarse.predicates");
    // Section 2.2.3: (G,t,t) from the fabricated state (F,4,0,NULL); what the paper cannot say is that
    // no run gets there.
    assert!(
        run.stdout.contains("an error is possible"),
        "{}",
        run.stdout
    );
    let at = place(&run, "G");
    assert!(at.contains("missing: x < 10 && px == 0"), "{at}");
    assert!(at.contains("no run gets there (certified)"), "{at}");
    assert_eq!(run.code, Some(3), "{}", run.stdout);
}

#[test]
fn the_bounded_stack_fails_and_is_proved_once_it_is_fixed() {
    let words = [
        "--module",
        "stack.c",
        "--init",
        "stack_new",
        "--predicates",
        "stack.predicates",
        "--no-answers",
    ];
    let wrong = adequacy(&words);
    assert!(
        wrong.stdout.contains("an error is possible"),
        "{}",
        wrong.stdout
    );
    assert!(
        wrong.stdout.contains("invariant, not proved"),
        "{}",
        wrong.stdout
    );
    let folder = tempfile::tempdir().expect("a folder");
    let driver = folder.path().join("driver.c").display().to_string();
    let certificate = folder.path().join("proof").display().to_string();
    let more = [
        "-DFIXED",
        "--driver",
        &driver,
        "--certificate",
        &certificate,
    ];
    let fixed = adequacy(&[&words[..], &more].concat());
    // Empty, partially full and full, as section 5.1 says.
    let invariant = fixed.stdout.split("\ninvariant: ").nth(1);
    let invariant = invariant.unwrap_or_else(|| panic!("{}{}", fixed.stdout, fixed.stderr));
    assert_eq!(
        invariant.matches("max >= 1 && max <= 8)").count(),
        3,
        "{invariant}"
    );
    let again = prova(["certify", &driver, "-DFIXED", &certificate]);
    assert_eq!(again.code, Some(0), "{}{}", again.stdout, again.stderr);
}

#[test]
fn a_ring_keeps_its_invariant() {
    let run = adequacy(&[
        "--module",
        "ring.c",
        "--init",
        "ring_init",
        "--predicates",
        "ring.predicates",
    ]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("\ninvariant: ("), "{}", run.stdout);
    // In every case of it the first index is one of the ring's.
    let cases = run.stdout.matches("(prova_object_struct_ring.first < 4 &&");
    assert_eq!(cases.count(), 3, "{}", run.stdout);
    let assumed = "assumed: pointers to its type lead to one object";
    assert!(run.stdout.contains(assumed), "{}", run.stdout);
}

#[test]
fn the_engine_proves_and_never_lies() {
    let folder = programs().join("..");
    for (name, codes) in [
        ("lock_loop.c", [0, 3]),
        ("lock_loop_bug.c", [1, 3]),
        ("off_by_one.c", [1, 3]),
        ("narrow.c", [1, 3]),
        ("short_circuit.c", [0, 3]),
        ("callbacks_bug.c", [1, 3]),
    ] {
        let file = folder.join(name).display().to_string();
        let run = prova(["check", &file, "--engine", "fabricate", "--timeout", "20"]);
        let code = run.code.unwrap_or(-1);
        assert!(codes.contains(&code), "{name}: {code}: {}", run.stdout);
    }
    let lock = folder.join("../../examples/lock.c").display().to_string();
    let run = prova(["check", &lock, "--engine", "fabricate", "--timeout", "20"]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
}

#[test]
fn the_bakery_keeps_processes_apart_without_refinement() {
    let run = adequacy(&[
        "bakery.c",
        "--predicates",
        "bakery.predicates",
        "--no-answers",
    ]);
    // Two fabrications, as in section 5.2: (C,A,t) and what follows from it.
    assert!(
        run.stdout.contains("2 missing, 2 fabricated"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("none reaches an error\ncertified: "),
        "{}",
        run.stdout
    );
}

#[test]
fn many_rounds_are_skipped_where_they_cover_nothing_new() {
    let run = adequacy(&[
        "hybrid.c",
        "--predicates",
        "hybrid.predicates",
        "--no-answers",
    ]);
    // Figure 6: one state with n = 500 is fabricated, and the error is next to it.
    assert!(run.stdout.contains("fabricated: n = 500"), "{}", run.stdout);
    assert!(
        run.stdout.contains("1 missing, 1 fabricated"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("an error is possible"),
        "{}",
        run.stdout
    );
}

/// A machine with some states: which one follows which, for inputs 1, 2 and 3.
struct Machine {
    next: Vec<[usize; 3]>,
}

impl Machine {
    /// A machine from a seed. The last state has a way to it, and none away from it.
    fn random(seed: u64) -> Machine {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut draw = |n: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) as usize % n
        };
        let count = 3 + draw(3);
        let mut next: Vec<[usize; 3]> = (0..count - 1)
            .map(|_| [draw(count - 1), draw(count - 1), draw(count - 1)])
            .collect();
        next.push([count - 1; 3]);
        // From a state that is reached: the last way out of the first one that leads there.
        let from = draw(count - 1);
        let reached = Machine { next: next.clone() }.words();
        let from = if reached[from].is_some() { from } else { 0 };
        next[from][2] = count - 1;
        Machine { next }
    }

    /// Inputs that lead to each state, if any do, by breadth-first search.
    fn words(&self) -> Vec<Option<Vec<usize>>> {
        let mut found: Vec<Option<Vec<usize>>> = vec![None; self.next.len()];
        found[0] = Some(Vec::new());
        let mut work = std::collections::VecDeque::from([0]);
        while let Some(at) = work.pop_front() {
            for (input, &to) in self.next[at].iter().enumerate() {
                if found[to].is_none() {
                    let mut word = found[at].clone().expect("it was reached");
                    word.push(input + 1);
                    found[to] = Some(word);
                    work.push_back(to);
                }
            }
        }
        found
    }

    fn text(&self) -> String {
        let mut text = String::from(
            "extern int __VERIFIER_nondet_int(void);\nint main(void)\n{\n    int s = 0;\n    while (1) {\n\
             head:   ;\n        int c = __VERIFIER_nondet_int();\n        if (c == 0)\n            return 0;\n",
        );
        for (at, next) in self.next.iter().enumerate() {
            text += &format!(
                "        {}if (s == {at})\n            s = c == 1 ? {} : c == 2 ? {} : {};\n",
                if at > 0 { "else " } else { "" },
                next[0],
                next[1],
                next[2]
            );
        }
        text + "    }\n}\n"
    }
}

/// Fifty small programs whose abstract states are counted here: a suite that reaches all of them is
/// adequate, and one that misses one is told which.
#[test]
fn a_suite_that_misses_one_state_is_told_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |path: &Path, text: &str| std::fs::write(path, text).expect("written");
    for seed in 0..50 {
        let machine = Machine::random(seed + 1);
        let here = folder.path().join(format!("m{seed}"));
        let tests = here.join("tests");
        std::fs::create_dir_all(&tests).expect("a folder");
        let count = machine.next.len();
        let states: Vec<String> = (0..count).map(|s| format!("s == {s}")).collect();
        let (program, predicates) = (here.join("m.c"), here.join("m.predicates"));
        write(&program, &machine.text());
        write(&predicates, &format!("main:head: {}\n", states.join("; ")));
        let last = tests.join(format!("{}.txt", count - 1));
        for (state, word) in machine.words().into_iter().enumerate() {
            if let Some(word) = word {
                let lines: Vec<String> = word.iter().map(|w| w.to_string()).collect();
                let all = [lines, vec!["0".into()]].concat();
                write(&tests.join(format!("{state}.txt")), &all.join("\n"));
            }
        }
        let words = [
            "adequacy".as_ref(),
            program.as_os_str(),
            "--tests".as_ref(),
            tests.as_os_str(),
            "--predicates".as_ref(),
            predicates.as_os_str(),
        ];
        let reached = machine.words().iter().flatten().count();
        let all = prova(words);
        let shown = format!("{}\n{}{}", machine.text(), all.stdout, all.stderr);
        assert_eq!(all.code, Some(0), "seed {seed}: {shown}");
        let said = format!("{reached} abstract states, 0 missing, 0 fabricated");
        assert!(all.stdout.contains(&said), "seed {seed}: {shown}");
        // Nothing leads away from the last state, so the others never pass it.
        std::fs::remove_file(&last).expect("it is reached");
        let fewer = prova(words);
        let shown = format!("{}\n{}{}", machine.text(), fewer.stdout, fewer.stderr);
        assert_eq!(fewer.code, Some(1), "seed {seed}: {shown}");
        assert_eq!(
            fewer.stdout.matches("missing: ").count(),
            1,
            "seed {seed}: {shown}"
        );
        let state = format!("&& s == {}\n", count - 1);
        let missing = fewer.stdout.split("missing: ").nth(1).unwrap_or_default();
        assert!(missing.contains(&state), "seed {seed}: {shown}");
        assert!(
            missing.contains("a test gets there"),
            "seed {seed}: {shown}"
        );
    }
}

#[test]
fn what_is_wrong_is_said_where_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    for (text, said) in [
        ("foo: x < nothing\n", "wrong.predicates:1:10"),
        ("# one\nfoo:   x = 5\n", "wrong.predicates:2:8"),
        ("foo: bar(x)\n", "wrong.predicates:1:6"),
        ("foo: x <\n", "wrong.predicates:1"),
        ("foo: 1) || (x\n", "wrong.predicates:1"),
        ("foo: 1) ? 1 : 0, (x\n", "wrong.predicates:1"),
        ("foo: (x // y\n", "wrong.predicates:1:6"),
        (
            "nobody: x < 5\n",
            "wrong.predicates:1:1: there is no function `nobody`",
        ),
        (
            "foo:Z: x < 5\n",
            "wrong.predicates:1:1: `foo` has no label `Z`",
        ),
        ("foo x < 5\n", "wrong.predicates:1:1: "),
    ] {
        std::fs::write(at("wrong.predicates"), text).expect("written");
        let run = adequacy(&[
            "foo.c",
            "--entry",
            "foo",
            "--predicates",
            &at("wrong.predicates"),
        ]);
        assert_eq!(run.code, Some(2), "{text}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(said), "{text}: {}", run.stderr);
    }
    // Tests that do not fit the program.
    for (text, said) in [
        ("1\n2\n3\n", "test.txt:3: more inputs"),
        ("1\nx\n", "test.txt:2: "),
    ] {
        std::fs::write(at("test.txt"), text).expect("written");
        let run = adequacy(&["foo.c", "--entry", "foo", "--tests", &at("test.txt")]);
        assert_eq!(run.code, Some(2), "{text}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(said), "{text}: {}", run.stderr);
    }
    let run = adequacy(&["--module", "stack.c", "--init", "nobody"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
}

const COUNTS: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int i = 0, n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100)
        return 0;
    while (i < n)
        i++;
    if (i > 100)
        reach_error();
    return 0;
}
";

#[test]
fn ranges_are_widened_until_they_are_closed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("counts.c");
    std::fs::write(&file, COUNTS).expect("written");
    let page = folder.path().join("page.html");
    let run = adequacy(&[
        &file.display().to_string(),
        "--intervals",
        "--tests-from",
        "echo 0; echo 3",
        "--page",
        &page.display().to_string(),
    ]);
    let shown = format!("{}{}", run.stdout, run.stderr);
    // Two tests end after at most three rounds; what is closed is what the program's own numbers say.
    assert!(
        shown.contains("covered by tests: i >= 0 && i <= 3 && n >= 0 && n <= 3"),
        "{shown}"
    );
    assert!(
        shown.contains("closed: i >= 0 && i <= 100 && n >= 0 && n <= 100"),
        "{shown}"
    );
    assert!(shown.contains("missing: n > 3\n"), "{shown}");
    assert!(shown.contains("a test gets there"), "{shown}");
    assert!(
        shown.contains("none reaches an error\ncertified: "),
        "{shown}"
    );
    assert_eq!(run.code, Some(1), "{shown}");
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.contains("while (i &lt; n)"), "{page}");
    assert!(page.contains("closed: i &gt;= 0"), "{page}");
}

#[test]
fn tests_may_come_from_a_command() {
    let with = |command: &str| {
        adequacy(&[
            "foo.c",
            "--entry",
            "foo",
            "--no-answers",
            "--tests-from",
            command,
        ])
    };
    let run = with("echo 2 0; echo 6,0");
    assert!(run.stdout.contains("covered by test 2"), "{}", run.stdout);
    for (command, said) in [
        (
            "echo 1 2; echo 1 2 3",
            "test 2 of `echo 1 2; echo 1 2 3`:3: more inputs",
        ),
        ("echo many", "test 1 of `echo many`:1: "),
        ("exit 3", "the command `exit 3` ends with"),
        ("true", "there is no test"),
    ] {
        let run = with(command);
        assert_eq!(run.code, Some(2), "{command}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(said), "{command}: {}", run.stderr);
    }
}

#[test]
fn predicates_may_call_probes_that_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let probes = "static int small(int n)
{
    int limit = 5;
    if (n < limit)
        return 1;
    return 0;
}
static int below(int n) { return small(n) && n < 4; }
int calls;
static int counted(int n) { calls++; return n; }
static int stored(int *p) { *p = 1; return 1; }
static int rounds(int n) { while (n > 0) n--; return n; }
static int again(int n) { return n ? again(n - 1) : 0; }
static int unset(int n) { int m; if (n) m = 1; return m; }
extern int elsewhere(int);
";
    std::fs::write(at("probes.c"), probes).expect("written");
    let with = |predicate: &str| {
        std::fs::write(at("p.predicates"), format!("foo:F: {predicate}\n")).expect("written");
        adequacy(&[
            "fixed_foo.c",
            "--entry",
            "foo",
            "--tests",
            "foo_tests",
            "--predicates",
            &at("p.predicates"),
            "--probes",
            &at("probes.c"),
        ])
    };
    let run = with("small(x); below(x)");
    assert!(
        run.stdout
            .contains("covered by test 1: small(x) && below(x)"),
        "{}{}",
        run.stdout,
        run.stderr
    );
    // The other way around is no state at all.
    assert!(
        !run.stdout.contains("!(small(x)) && below(x)"),
        "{}",
        run.stdout
    );
    for (predicate, said) in [
        ("counted(x)", "probes.c:10:"),
        ("stored(px)", "probes.c:11:"),
        ("rounds(x)", "the probe `rounds` is refused at"),
        ("again(x)", "`again` calls itself"),
        ("unset(x)", "it reads `m`, which has no value"),
        ("elsewhere(x)", "`elsewhere`, which has no body"),
        ("small(x, 1)", "p.predicates:1:"),
        ("small(px) + nothing", "p.predicates:1:"),
    ] {
        let run = with(predicate);
        assert_eq!(
            run.code,
            Some(2),
            "{predicate}: {}{}",
            run.stdout,
            run.stderr
        );
        assert!(run.stderr.contains(said), "{predicate}: {}", run.stderr);
        assert!(
            run.stderr.contains("p.predicates:1:"),
            "{predicate}: {}",
            run.stderr
        );
    }
}

#[test]
fn an_invariant_that_is_assumed_stops_the_flood() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let stack = programs().join("stack.c").display().to_string();
    let ring = programs().join("ring.c").display().to_string();
    // From any state at all, the stack may be one that its functions never make.
    let any = prova([
        "check",
        &stack,
        "-DFIXED",
        "--entry",
        "push",
        "--timeout",
        "60",
    ]);
    assert_eq!(any.code, Some(1), "{}{}", any.stdout, any.stderr);
    let found = adequacy(&[
        "--module",
        "stack.c",
        "--init",
        "stack_new",
        "--predicates",
        "stack.predicates",
        "--no-answers",
        "-DFIXED",
        "--invariant",
        &at("stack.invariant"),
    ]);
    let text = std::fs::read_to_string(at("stack.invariant"));
    let text = text.unwrap_or_else(|_| panic!("{}{}", found.stdout, found.stderr));
    assert!(text.contains("max >= 1 && max <= 8"), "{text}");
    let assuming = |file: &str, entry: &str, invariant: &str| {
        let words = [
            "check",
            file,
            "-DFIXED",
            "--entry",
            entry,
            "--timeout",
            "60",
        ];
        let more = [
            "--assume-invariant",
            invariant,
            "--certificate",
            &at("proof"),
        ];
        prova(words.iter().chain(&more))
    };
    let run = assuming(&stack, "push", &at("stack.invariant"));
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    let said = "assumed: where `push` is called, the invariant `(!(size < 0)";
    assert!(run.stdout.contains(said), "{}", run.stdout);
    // The certificate says so, and holds for nothing less.
    let again = prova(["certify", &stack, "-DFIXED", &at("proof")]);
    assert_eq!(again.code, Some(0), "{}{}", again.stdout, again.stderr);
    assert!(again.stdout.contains("the invariant `"), "{}", again.stdout);
    let certificate = std::fs::read_to_string(at("proof")).expect("a certificate");
    let without: Vec<&str> = certificate
        .lines()
        .filter(|l| !l.starts_with("(assume invariant"))
        .collect();
    assert!(
        without.len() + 1 == certificate.lines().count(),
        "{certificate}"
    );
    std::fs::write(at("proof"), without.join("\n")).expect("written");
    let again = prova(["certify", &stack, "-DFIXED", &at("proof")]);
    assert_eq!(again.code, Some(2), "{}{}", again.stdout, again.stderr);
    // Where the driver had one object, the function has a parameter.
    let first = "prova_object_struct_ring.first < 4 && prova_object_struct_ring.used <= 4";
    std::fs::write(at("ring.invariant"), first).expect("written");
    let run = assuming(&ring, "ring_put", &at("ring.invariant"));
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    // An invariant that is too weak leaves what it leaves.
    std::fs::write(at("weak.invariant"), "ring->first < 4\n").expect("written");
    let run = assuming(&ring, "ring_put", &at("weak.invariant"));
    assert_eq!(run.code, Some(1), "{}{}", run.stdout, run.stderr);
    for (wrong, said) in [
        ("ring->nothing < 4", "wrong.invariant:1"),
        ("value++ < 4", "wrong.invariant:1"),
        ("end < 4", "`end` is no parameter"),
        ("ring->first <", "wrong.invariant:1"),
        (
            "prova_object_int == 1",
            "wrong.invariant:1:1: `ring_put` has no parameter",
        ),
        (
            "# nothing",
            "wrong.invariant:1:1: an expression is expected",
        ),
    ] {
        std::fs::write(at("wrong.invariant"), wrong).expect("written");
        let run = assuming(&ring, "ring_put", &at("wrong.invariant"));
        assert_eq!(run.code, Some(2), "{wrong}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(said), "{wrong}: {}", run.stderr);
    }
}

#[test]
fn a_module_goes_on_with_what_a_function_returns() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let text = "struct counter { int n; };
static struct counter only, other;
struct counter *make(void) { only.n = 0; return &only; }
struct counter *moved(struct counter *c) { other.n = c->n; return &other; }
int count(struct counter *c) { return c->n; }
";
    std::fs::write(at("counter.c"), text).expect("written");
    adequacy(&[
        "--module",
        &at("counter.c"),
        "--init",
        "make",
        "--no-answers",
        "--driver",
        &at("driver.c"),
    ]);
    let driver = std::fs::read_to_string(at("driver.c")).expect("a driver");
    let moved = "prova_made = moved(prova_made); if (!prova_made) return 0;";
    assert!(driver.contains(moved), "{driver}");
    assert!(driver.contains(": count(prova_made); break;"), "{driver}");
}
