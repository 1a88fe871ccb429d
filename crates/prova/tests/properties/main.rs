//! Every program under `tests/programs/properties`: the verdict its first line expects, at the
//! line marked `// bad`; and the same violations shown by gcc's sanitizers on the inputs found.

mod native;

use std::path::PathBuf;
use std::time::Duration;

use prova_engine::Auto;
use prova_spec::{weave, Check, Property};
use prova_task::{check_modelled, Budget, Outcome, Silent, Task, Violation};

/// A program and what is expected of it.
struct Case {
    path: PathBuf,
    name: String,
    safe: bool,
    /// The line that breaks the property.
    bad_line: Option<u32>,
    /// Whether the sanitizers are expected to see it.
    native: bool,
    /// Whether the answer may be left open.
    open: bool,
}

fn cases(property: &str) -> Vec<Case> {
    let root = std::env::current_dir()
        .expect("the package's folder")
        .join("../../tests/programs/properties");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(root.join(property))
        .expect("programs of this property")
        .map(|e| e.expect("an entry").path())
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("text");
            let first = text.lines().next().unwrap_or_default();
            let bad = text.lines().position(|l| l.contains("// bad"));
            Case {
                name: path.file_stem().unwrap().to_string_lossy().into_owned(),
                safe: match first.split("expect: ").nth(1).unwrap_or_default() {
                    "true" | "true or unknown" => true,
                    expected => {
                        assert!(expected.starts_with("false"), "{}", path.display());
                        false
                    }
                },
                bad_line: bad.map(|l| l as u32 + 1),
                native: !first.contains("not native"),
                open: first.contains("or unknown"),
                path,
            }
        })
        .collect()
}

/// The verdict on a case: `true`, `false` with the violation, or why there is none.
fn verdict(case: &Case, property: Property) -> (String, Option<Violation>) {
    // These programs are about the blocks that there are; `assumptions.rs` lets allocations fail.
    let options = prova_c::Options {
        checks: true,
        malloc: prova_c::Malloc::NeverFails,
        ..prova_c::Options::default()
    };
    let mut program = match prova_c::load(&[&case.path], &options) {
        Ok(lowered) => lowered.program,
        Err(errors) => panic!("{}: {errors:?}", case.name),
    };
    weave(&mut program, &Check::of(property)).expect("woven");
    let task = Task::new(program, 0);
    let budget = Budget::new(Some(Duration::from_secs(20)), None);
    let report = check_modelled(&Auto::default(), &task, &budget, &mut Silent);
    match report.outcome {
        Outcome::Proved(_) => ("true".into(), None),
        Outcome::Violated(violation) => ("false".into(), Some(*violation)),
        Outcome::Bounded(_) => ("bounded".into(), None),
        Outcome::Unknown(reason) => (format!("unknown: {reason}"), None),
    }
}

/// Checks all programs of a property; `shows` says which words of a sanitizer mean this property.
fn check(name: &str, shows: &[&str]) {
    let property = Property::named(name).expect("a property");
    let cases = cases(name);
    let safe = cases.iter().filter(|c| c.safe).count();
    assert!(safe >= 12 && cases.len() - safe >= 12, "too few programs");
    let mut wrong = Vec::new();
    let mut failing = Vec::new();
    for case in &cases {
        let (said, violation) = verdict(case, property);
        let expected = if case.safe { "true" } else { "false" };
        let open = case.open && said.starts_with("unknown");
        if said != expected && !open {
            wrong.push(format!("{}: {said}, not {expected}", case.name));
        }
        if let Some(violation) = violation {
            assert_eq!(violation.property, name, "{}", case.name);
            if Some(violation.span.line) != case.bad_line {
                let line = violation.span.line;
                wrong.push(format!("{}: {} at {line}", case.name, violation.message));
            }
            failing.push((case, violation));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    if !shows.is_empty() {
        native::confirm(&failing, shows);
    }
}

#[test]
fn overflow() {
    check(
        "no-overflow",
        &[
            "signed integer overflow",
            "cannot be represented in type",
            "left shift of negative value",
        ],
    );
}

#[test]
fn division_by_zero() {
    check("no-div-zero", &["division by zero", "FPE"]);
}

#[test]
fn shifts() {
    check("no-shift-error", &["shift exponent"]);
}

#[test]
fn assertions() {
    check("assert", &["Assertion `"]);
}

#[test]
fn null_pointers() {
    check("no-null-deref", &["null pointer"]);
}

#[test]
fn accesses() {
    check(
        "valid-deref",
        &["AddressSanitizer", "null pointer", "out of bounds"],
    );
}

#[test]
fn freeing() {
    check("valid-free", &["attempting free", "attempting double-free"]);
}

#[test]
fn tracked_blocks() {
    check("valid-memtrack", &["detected memory leaks"]);
}

#[test]
fn blocks_left_at_the_end() {
    check("valid-memcleanup", &["detected memory leaks"]);
}

#[test]
fn reads_before_writes() {
    // gcc has no sanitizer for this one.
    check("no-uninit-read", &[]);
}

/// Memory that is not followed leaves the answer open, unless it is filled at once.
#[test]
fn blocks_without_contents_are_not_taken_for_filled() {
    let folder = tempfile::tempdir().expect("a folder");
    for (text, expected) in [
        (
            "void f(int *p); int main(void) { int x; f(&x); return x; }",
            "unknown",
        ),
        (
            "void f(int *p); int main(void) { int x = 1; f(&x); return x; }",
            "true",
        ),
        (
            "#include <stdlib.h>\nint main(void) { int *p = malloc(4); return *p; }",
            "unknown",
        ),
        (
            "#include <stdlib.h>\nint main(void) { int *p = calloc(1, 4); return *p; }",
            "true",
        ),
        // A store to a bit-field reads the bits beside it, which need no value.
        (
            "struct s { int a : 3, b : 5; }; \
             int main(void) { struct s s; s.a = 1; return s.a; }",
            "unknown",
        ),
        (
            "struct s { int a : 3, b : 5; }; \
             int main(void) { struct s s = { 1, 2 }; s.a = 3; return s.b; }",
            "true",
        ),
        (
            "void f(int *p); int main(void) { int x, y; f(&x); return y; }",
            "false",
        ),
        (
            "int f(int n) { if (n) return 1; } int main(void) { return f(0); }",
            "unknown",
        ),
        (
            "int f(int n) { if (n) return 1; } int main(void) { return f(2); }",
            "true",
        ),
    ] {
        let path = folder.path().join("p.c");
        std::fs::write(&path, text).expect("written");
        let case = Case {
            path,
            name: text.into(),
            safe: true,
            bad_line: None,
            native: false,
            open: false,
        };
        let property = Property::named("no-uninit-read").expect("a property");
        let said = verdict(&case, property).0;
        assert!(said.starts_with(expected), "{text}: {said}");
    }
}
