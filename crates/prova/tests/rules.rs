//! The rules under `rules/`: each has programs under `tests/programs/slic` that obey it and that
//! break it, at the line marked `// bad`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use prova_engine::Auto;
use prova_spec::{slic, weave, Check};
use prova_task::{Budget, Checker, Outcome, Silent, Task};

fn root() -> PathBuf {
    std::env::current_dir()
        .expect("the package's folder")
        .join("../..")
}

/// Files with an ending, in order.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|e| e.expect("an entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == ending))
        .collect();
    found.sort();
    found
}

/// What is wrong with the answer about a program, if anything is.
fn complaint(rule: &slic::Rule, path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).expect("text");
    let (safe, open) = match text.lines().next() {
        Some("// expect: true") => (true, false),
        Some("// expect: false") => (false, false),
        Some(first) if first.starts_with("// expect: false or unknown: ") => (false, true),
        other => return Some(format!("no expectation in {other:?}")),
    };
    let bad = text.lines().position(|l| l.contains("// bad"));
    assert_eq!(safe, bad.is_none(), "{}", path.display());
    let options = prova_c::Options {
        watchers: vec![slic::translate(rule)],
        ..prova_c::Options::default()
    };
    let mut program = match prova_c::load(&[path], &options) {
        Ok(lowered) => lowered.program,
        Err(errors) => return Some(format!("{errors:?}")),
    };
    if let Err(error) = weave(&mut program, &Check::of_rule(&rule.name)) {
        return Some(error.to_string());
    }
    let task = Task::new(program, 0);
    let budget = Budget::new(Some(Duration::from_secs(60)), None);
    match Auto::default().check(&task, &budget, &mut Silent).outcome {
        Outcome::Proved(_) if safe => None,
        Outcome::Proved(_) => Some("proved, though it breaks the rule".into()),
        Outcome::Violated(v) => {
            let expected = bad.map(|l| l as u32 + 1);
            let property = format!("slic:{}", rule.name);
            let right = Some(v.span.line) == expected && v.property == property;
            (!right).then(|| format!("{} at line {}: {}", v.property, v.span.line, v.message))
        }
        // The program's first line says why, too.
        Outcome::Bounded(_) => Some("bounded".into()),
        Outcome::Unknown(_) if open => None,
        Outcome::Unknown(reason) => Some(format!("unknown: {reason}")),
    }
}

/// Checks every `of`-th rule from `first` on, so that several tests run at a time.
fn check(first: usize, of: usize) {
    let mut wrong = Vec::new();
    for file in files(&root().join("rules"), "slic")
        .iter()
        .skip(first)
        .step_by(of)
    {
        let text = std::fs::read_to_string(file).expect("text");
        let rule = slic::parse(&file.display().to_string(), &text)
            .unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let programs = files(&root().join("tests/programs/slic").join(&rule.name), "c");
        let good = |p: &&PathBuf| {
            let name = p.file_name().unwrap_or_default();
            name.to_string_lossy().starts_with("good")
        };
        let obeying = programs.iter().filter(good).count();
        let named = |name: &str| programs.iter().any(|p| p.ends_with(name));
        assert!(obeying >= 2, "{}", rule.name);
        assert!(
            named("bad_calls.c") && named("bad_alias.c"),
            "{}",
            rule.name
        );
        for program in &programs {
            if let Some(complaint) = complaint(&rule, program) {
                wrong.push(format!("{}: {complaint}", program.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn rules_hold_or_break_as_expected_1() {
    check(0, 2);
}

#[test]
fn rules_hold_or_break_as_expected_2() {
    check(1, 2);
}

#[test]
fn there_are_a_dozen_rules_and_each_is_described() {
    let rules = files(&root().join("rules"), "slic");
    assert!(rules.len() >= 12);
    let manual = std::fs::read_to_string(root().join("docs/slic.md")).expect("the manual");
    for rule in rules {
        let name = rule.file_stem().unwrap_or_default().to_string_lossy();
        assert!(manual.contains(&format!("`{name}`")), "{name}");
    }
}

/// Damaged rules are refused or understood; nothing else happens.
#[test]
fn damaged_rules_do_no_harm() {
    const BITS: [&str; 14] = [
        "{",
        "}",
        "(",
        ")",
        ";",
        "$",
        "$0",
        "$return",
        "[guard $1]",
        "\"",
        "abort",
        "state",
        "#",
        "é",
    ];
    let mut random = 12345u64;
    let mut next = |below: usize| {
        random = random
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (random >> 33) as usize % below.max(1)
    };
    let (mut taken, mut refused) = (0, 0);
    for file in files(&root().join("rules"), "slic") {
        let text = std::fs::read_to_string(&file).expect("text");
        let name = file.file_stem().unwrap_or_default();
        let folder = root().join("tests/programs/slic").join(name);
        let program = folder.join("bad_calls.c");
        for round in 0..60 {
            let mut damaged: Vec<char> = text.chars().collect();
            for _ in 0..=next(3) {
                let at = next(damaged.len());
                let end = (at + next(12)).min(damaged.len());
                match next(3) {
                    0 => drop(damaged.drain(at..end)),
                    1 => drop(damaged.splice(at..at, BITS[next(BITS.len())].chars())),
                    _ => drop(damaged.splice(at..end, BITS[next(BITS.len())].chars())),
                }
            }
            let damaged: String = damaged.into_iter().collect();
            let Ok(rule) = slic::parse("damaged.slic", &damaged) else {
                refused += 1;
                continue;
            };
            let watcher = slic::translate(&rule);
            if round % 20 != 0 {
                continue;
            }
            let options = prova_c::Options {
                watchers: vec![watcher],
                ..prova_c::Options::default()
            };
            match prova_c::load(&[&program], &options) {
                Ok(_) => taken += 1,
                Err(errors) => {
                    refused += 1;
                    let shown = errors[0].to_string();
                    assert!(!shown.is_empty());
                }
            }
        }
    }
    assert!(taken > 0 && refused > 0, "{taken} {refused}");
}
