//! csmith programs against the properties of arithmetic, and reads before writes. By construction they do nothing that C
//! leaves undefined, so no violation may be reported. Then one operation of each is made
//! undefined, and what is reported is held against gcc's sanitizer on the same inputs.
//!
//! A handful of seeds are tested here; `PROVA_SEEDS=FROM..TO` takes others
//! (`scripts/csmith-properties`).

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use prova_engine::Auto;
use prova_spec::{weave, Check, Property};
use prova_task::{check_modelled, Budget, Outcome, Silent, Task, Violation};

const INCLUDE: &str = "/usr/include/csmith";

/// A property, and what the sanitizer says where it is broken.
const PROPERTIES: [(&str, &[&str]); 3] = [
    (
        "no-overflow",
        &[
            "signed integer overflow",
            "negation of",
            "left shift of negative value",
            "cannot be represented in type",
        ],
    ),
    ("no-div-zero", &["division by zero"]),
    ("no-shift-error", &["shift exponent"]),
];

fn seeds(usual: Range<u32>) -> Range<u32> {
    let Ok(text) = std::env::var("PROVA_SEEDS") else {
        return usual;
    };
    let (from, to) = text.split_once("..").expect("FROM..TO");
    from.parse().expect("a number")..to.parse().expect("a number")
}

/// The program of a seed, or `None` where csmith is not installed.
fn program(seed: u32, folder: &Path) -> Option<String> {
    let made = Command::new("csmith")
        .args(["--seed", &seed.to_string()])
        .args(["--max-funcs", "2", "--max-block-depth", "2"])
        .args(["--max-block-size", "3", "--max-expr-complexity", "4"])
        .args(["--max-array-dim", "1", "--max-array-len-per-dim", "4"])
        .args(["--no-volatiles", "--no-checksum", "--no-argc"])
        .current_dir(folder)
        .output();
    match made {
        Ok(made) => Some(String::from_utf8(made.stdout).expect("text")),
        Err(_) => {
            eprintln!("SKIPPED: csmith is not installed");
            None
        }
    }
}

enum Said {
    Proved,
    Violated(Box<Violation>),
    Unknown(String),
}

fn verdict(path: &Path, property: &str) -> Said {
    let options = prova_c::Options {
        checks: true,
        include_dirs: vec![PathBuf::from(INCLUDE)],
        ..prova_c::Options::default()
    };
    let mut program = match prova_c::load(&[path], &options) {
        Ok(lowered) => lowered.program,
        Err(errors) => panic!("{}: {errors:?}", path.display()),
    };
    let property = Property::named(property).expect("a property");
    weave(&mut program, &Check::of(property)).expect("woven");
    let task = Task::new(program, 0);
    let budget = Budget::new(Some(Duration::from_secs(5)), None);
    match check_modelled(&Auto::default(), &task, &budget, &mut Silent).outcome {
        Outcome::Proved(_) => Said::Proved,
        Outcome::Violated(violation) => Said::Violated(violation),
        Outcome::Bounded(_) => Said::Unknown("bounded".into()),
        Outcome::Unknown(reason) => Said::Unknown(reason.to_string()),
    }
}

#[test]
fn programs_without_undefined_behaviour_have_no_violation() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.c");
    let (mut proved, mut unknown) = (0, 0);
    for seed in seeds(1..6) {
        let Some(text) = program(seed, folder.path()) else {
            return;
        };
        std::fs::write(&path, text).expect("written");
        for property in PROPERTIES
            .map(|p| p.0)
            .into_iter()
            .chain(["no-uninit-read"])
        {
            match verdict(&path, property) {
                Said::Proved => proved += 1,
                Said::Unknown(_) => unknown += 1,
                Said::Violated(v) => panic!("seed {seed}: {} at {}", v.message, v.span.line),
            }
        }
    }
    eprintln!("{proved} proved, {unknown} unknown");
    assert!(proved > 0);
}

/// The text with its `number`-th checked operation on signed numbers made a plain one that asks
/// for much.
fn unchecked(text: &str, number: usize) -> Option<String> {
    // `@` and `#` are the operands: what comes of it depends on them. `Z` is a variable that is
    // zero; of constants the sanitizer says nothing. Nor does it of operations whose result is
    // narrowed at once, so the result goes through a function.
    const OPERATORS: [(&str, &str); 8] = [
        ("add", "((int)(@) + (2147483647 - Z))"),
        ("sub", "((Z - 2147483647) - (int)(#))"),
        ("mul", "((int)(@) * (65537 + Z) * 32767)"),
        ("div", "((@) / ((#) & Z))"),
        ("mod", "((@) % ((#) & Z))"),
        ("lshift", "(1 << ((int)(#) + Z))"),
        ("rshift", "(1 >> ((int)(#) - 3 + Z))"),
        ("unary_minus", "(-((int)(@) | (Z - 2147483647 - 1)))"),
    ];
    let call = |(at, _): &(usize, &str)| {
        let name = &text[at + "safe_".len()..];
        let (operator, rest) = name.split_once("_func_").unwrap_or_default();
        let signed = rest.starts_with("int32") || rest.starts_with("int64");
        let known = OPERATORS.iter().find(|o| o.0 == operator);
        known.filter(|_| signed).map(|o| (*at, o.1))
    };
    let (at, operator) = text
        .match_indices("safe_")
        .filter_map(|m| call(&m))
        .nth(number)?;
    let open = at + text[at..].find('(')?;
    let (mut depth, mut comma, mut close) = (0, None, None);
    for (i, c) in text[open..].char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 1 => comma = Some(open + i),
            _ => {}
        }
        if depth == 0 {
            close = Some(open + i);
            break;
        }
    }
    let close = close?;
    let (left, right) = match comma {
        Some(comma) => (&text[open + 1..comma], &text[comma + 1..close]),
        None => (&text[open + 1..close], "0"),
    };
    let plain = operator.replace('Z', "prova_zero");
    let plain = plain.replace('#', right).replace('@', left);
    Some(format!(
        "static int prova_zero; static int prova_keep(int x) {{ return x; }}\n{}prova_keep{plain}{}",
        &text[..at],
        &text[close + 1..]
    ))
}

/// The text with an operation at the start of its first function that is undefined for some
/// inputs.
fn seeded(text: &str, kind: usize) -> String {
    const OPERATIONS: [&str; 8] = [
        "if (n > 5 && n < 9) prova_sink = n + (2147483647 - 6);",
        "if (n < -100) prova_sink = n - 2147483600;",
        "prova_sink = n / 3 * 1000;",
        "if (n < -2147483647) prova_sink = -n;",
        "prova_sink = 100 / (n % 7 + 3);",
        "prova_sink = 100 % (n - 12345);",
        "if (n > 30) prova_sink = 1 << (n % 40);",
        "if (n < 3 && n > -3) prova_sink = 1u >> (n + 1);",
    ];
    let operation = OPERATIONS[kind % OPERATIONS.len()];
    let start = text.rfind("func_1(void)\n{").expect("the first function");
    let body = start + text[start..].find('{').expect("its body") + 1;
    format!(
        "extern int __VERIFIER_nondet_int(void); static int prova_sink;\n{} \
         {{ int n = __VERIFIER_nondet_int(); {operation} }} {}",
        &text[..body],
        &text[body..]
    )
}

const DRIVER: &str = "
#include <stdlib.h>
int program(void);
static char **inputs;
int __VERIFIER_nondet_int(void) { return *inputs ? strtoll(*inputs++, 0, 10) : 0; }
int main(int count, char **text) { inputs = text + 1; program(); return 0; }
";

/// Compiles with the sanitizer; whether there are gcc and its sanitizers.
fn compiled(path: &Path) -> bool {
    let folder = path.parent().expect("a folder");
    std::fs::write(folder.join("driver.c"), DRIVER).expect("written");
    let gcc = |arguments: &[&str]| {
        Command::new("gcc")
            .args([
                "-std=gnu11",
                "-w",
                "-O0",
                "-fsanitize=undefined",
                "-I",
                INCLUDE,
            ])
            .args(arguments)
            .current_dir(folder)
            .status()
            .is_ok_and(|s| s.success())
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let done = gcc(&["-Dmain=program", "-c", "-o", "p.o", &name])
        && gcc(&["-o", "driver", "driver.c", "p.o"]);
    if !done {
        std::fs::write(folder.join("try.c"), "int main(void) { return 0; }").expect("written");
        assert!(
            !gcc(&["-o", "try", "try.c"]),
            "the program does not compile"
        );
        eprintln!("SKIPPED: no gcc with sanitizers");
    }
    done
}

/// What the sanitizer reports of the compiled program, with the lines.
fn sanitized(path: &Path, inputs: &[&str]) -> Vec<(u32, String)> {
    let folder = path.parent().expect("a folder");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let run = Command::new("timeout")
        .args(["10", "./driver"])
        .args(inputs)
        .current_dir(folder)
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&run.stderr).into_owned();
    let reports = text.lines().filter_map(|line| {
        let (place, message) = line.split_once(": runtime error: ")?;
        let number = place.strip_prefix(&*name)?.split(':').nth(1)?;
        Some((number.parse().ok()?, message.to_owned()))
    });
    reports.collect()
}

/// Holds what is said of a program against the sanitizer; whether a violation was confirmed.
fn compare(path: &Path, what: &str) -> Option<bool> {
    let mut confirmed = false;
    if !compiled(path) {
        return None;
    }
    for (property, shows) in PROPERTIES {
        let said = verdict(path, property);
        let inputs: Vec<String> = match &said {
            Said::Violated(v) => v.inputs.iter().map(|i| i.value.clone()).collect(),
            _ => vec!["7".into()],
        };
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        let reports = sanitized(path, &inputs);
        let of_property: Vec<&(u32, String)> = reports
            .iter()
            .filter(|(_, m)| shows.iter().any(|s| m.contains(s)))
            .collect();
        match said {
            Said::Violated(v) => {
                let seen = of_property.iter().any(|r| r.0 == v.span.line);
                let place = format!("{what}: {} at {}", v.message, v.span.line);
                assert!(seen, "{place}, not reported: {reports:?}");
                confirmed = true;
            }
            Said::Proved => {
                assert!(of_property.is_empty(), "{what}: proved, but {reports:?}");
            }
            Said::Unknown(reason) => eprintln!("{what}: {property} unknown: {reason}"),
        }
    }
    Some(confirmed)
}

#[test]
fn operations_made_undefined_are_reported_as_gcc_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.c");
    let mut confirmed = 0;
    let mut tried = 0;
    for seed in seeds(1..7) {
        let Some(text) = program(seed, folder.path()) else {
            return;
        };
        std::fs::write(&path, seeded(&text, seed as usize)).expect("written");
        match compare(&path, &format!("seed {seed}, operation {}", seed % 8)) {
            Some(true) => confirmed += 1,
            Some(false) => {}
            None => return,
        }
        tried += 1;
    }
    eprintln!("{confirmed} of {tried} confirmed");
    assert!(confirmed * 2 >= tried, "{confirmed} of {tried}");
}

#[test]
fn checks_left_out_are_reported_as_gcc_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.c");
    let (mut broken, mut tried) = (0, 0);
    for seed in seeds(14..18) {
        let Some(text) = program(seed, folder.path()) else {
            return;
        };
        let Some(text) = unchecked(&text, seed as usize % 3) else {
            continue;
        };
        std::fs::write(&path, text).expect("written");
        match compare(&path, &format!("seed {seed}")) {
            Some(true) => broken += 1,
            Some(false) => {}
            None => return,
        }
        tried += 1;
    }
    eprintln!("{broken} of {tried} broken");
    assert!(tried > 0);
}
