//! Witnesses of other properties than unreachability: through a file and back, and from others.

mod support;

use prova_engine::Auto;
use prova_evidence::witness::format::read;
use prova_evidence::witness::validate::{Refused, Validation, Verdict};
use prova_evidence::witness::{correctness_witness, violation_witness};
use prova_evidence::{Options, Recording};
use prova_ir::{Undefined, World};
use prova_task::{Budget, Outcome, Silent};
use std::path::PathBuf;
use std::time::Duration;
use support::Case;

/// Functions without a body change nothing.
fn pure() -> World {
    World {
        undefined: Undefined::Pure,
        ..World::default()
    }
}

fn validate(case: &Case, text: &str) -> Result<Verdict, Refused> {
    let witness = read(text).map_err(|e| Refused::Format("witness".into(), e))?;
    let budget = Budget::new(Some(Duration::from_secs(30)), None);
    let validation = Validation {
        sources: &case.sources,
        entry: None,
        engine: &Auto::default(),
        budget: &budget,
        options: &Options::default(),
        world: &pure(),
        certify: &|_, _| Ok(()),
    };
    validation.run(&witness, &mut Silent)
}

/// The test programs of a property, with their expectations; some of them, or all if `PROVA_LONG`
/// is set.
fn programs(property: &str) -> Vec<PathBuf> {
    let root = std::env::current_dir()
        .expect("the package's folder")
        .join("../../tests/programs/properties");
    let entries = std::fs::read_dir(root.join(property)).expect("the folder is there");
    let mut found: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    found.sort();
    let step = match std::env::var_os("PROVA_LONG") {
        Some(_) => 1,
        None => 6,
    };
    found.into_iter().step_by(step).collect()
}

#[test]
fn verdicts_about_other_properties_survive_the_way_through_a_file() {
    let (mut violations, mut proofs, mut open) = (0, 0, Vec::new());
    for property in [
        "assert",
        "no-div-zero",
        "no-null-deref",
        "no-overflow",
        "no-shift-error",
        "valid-deref",
        "valid-free",
        "valid-memcleanup",
        "valid-memtrack",
    ] {
        for path in programs(property) {
            let text = std::fs::read_to_string(&path).expect("a text");
            let case = Case::of_property(&text, property);
            let witness = match case.check().outcome {
                Outcome::Violated(violation) => {
                    violations += 1;
                    let recording = Recording::of(&case.task, &violation, Duration::from_secs(10));
                    violation_witness(&recording.expect("a run"), &case.sources)
                }
                Outcome::Proved(proof) => {
                    proofs += 1;
                    correctness_witness(&case.task, &proof, &case.sources)
                }
                Outcome::Bounded(_) | Outcome::Unknown(_) => continue,
            };
            let witness = witness.expect("a witness").write();
            let verdict = validate(&case, &witness);
            match verdict {
                Ok(Verdict::Confirmed(_)) => {}
                Ok(Verdict::Unknown(why)) => open.push(format!("{}: {why}", path.display())),
                other => panic!("{}: {other:?}\n{witness}", path.display()),
            }
        }
    }
    eprintln!("{violations} violations, {proofs} proofs; not decided: {open:#?}");
    assert!(violations >= 9 && proofs >= 9, "{violations}, {proofs}");
    assert!(open.len() * 10 <= violations + proofs, "{open:#?}");
}

const ADDS: &str = "extern int __VERIFIER_nondet_int(void);\n\
int main(void)\n\
{\n\
    int x = __VERIFIER_nondet_int();\n\
    int y = 1;\n\
    if (x > 5)\n\
        y = x + 1;\n\
    else\n\
        y = x - 1;\n\
    return y;\n\
}\n";

/// A witness in the manner of other tools.
fn by_hand(case: &Case, kind: &str, content: &str) -> String {
    let path = &case.sources.files[0];
    let digest = prova_evidence::witness::metadata::digest(path).expect("a digest");
    format!(
        "- entry_type: {kind}\n  metadata:\n    format_version: '2.0'\n    \
         uuid: 00000000-0000-4000-8000-000000000000\n    creation_time: 2024-01-01T00:00:00+01:00\n    \
         producer: {{name: Other, version: 1.0}}\n    task:\n      \
         input_files: [program.c]\n      input_file_hashes:\n        program.c: {digest}\n      \
         specification: CHECK( init(main()), LTL(G ! overflow) )\n      \
         data_model: LP64\n      language: C\n  content:\n{content}"
    )
}

fn waypoint(kind: &str, constraint: &str, line: u32, column: u32) -> String {
    let constraint = match constraint {
        "" => String::new(),
        value => format!("constraint: {{value: '{value}', format: c_expression}}, "),
    };
    format!(
        "  - segment:\n    - waypoint: {{type: {kind}, action: follow, {constraint}location: \
         {{file_name: program.c, line: {line}, column: {column}}}}}\n"
    )
}

#[test]
fn overflows_that_other_tools_found_are_confirmed_or_not() {
    let case = Case::of_property(ADDS, "no-overflow");
    let way = |value: &str| waypoint("branching", value, 6, 5);
    let target = |line: u32| waypoint("target", "", line, 9);
    let verdict = |content: String| {
        let text = by_hand(&case, "violation_sequence", &content);
        validate(&case, &text).expect("it can be used")
    };
    for (content, expected) in [
        (target(7), "confirmed"),
        (way("true") + &target(7), "confirmed"),
        (way("false") + &target(9), "confirmed"),
        // The other way overflows somewhere else.
        (way("true") + &target(9), "unknown"),
        // On the way there and back there is no overflow.
        (way("true") + &way("false") + &target(7), "rejected"),
        (
            waypoint("assumption", "x == 3", 6, 5) + &target(7),
            "unknown",
        ),
        (
            waypoint("assumption", "x == 2147483647", 6, 5) + &target(7),
            "confirmed",
        ),
    ] {
        let said = verdict(content.clone());
        let word = match said {
            Verdict::Confirmed(_) => "confirmed",
            Verdict::Rejected(_) => "rejected",
            Verdict::Unknown(_) => "unknown",
        };
        assert_eq!(word, expected, "{said:?}\n{content}");
    }
    let text = by_hand(&case, "violation_sequence", &waypoint("target", "", 99, 1));
    let refused = validate(&case, &text).expect_err("there is no such line");
    assert!(refused.to_string().contains("lies outside"), "{refused}");
}

#[test]
fn proofs_of_other_properties_are_confirmed_or_rejected() {
    let invariant = |value: &str| {
        format!(
            "  - invariant: {{type: location_invariant, format: c_expression, value: '{value}', \
             location: {{file_name: program.c, line: 6, column: 5}}}}\n"
        )
    };
    let safe = ADDS.replace("x - 1", "x / 2").replace("x + 1", "x - 1");
    for (source, value, expected) in [
        (safe.as_str(), "y == 1", "confirmed"),
        (safe.as_str(), "y == 2", "rejected"),
        (ADDS, "y == 1", "rejected"),
        // What overflows is the invariant, not the program.
        (safe.as_str(), "x + 1 != 0 || y == 1", "unknown"),
    ] {
        let case = Case::of_property(source, "no-overflow");
        let text = by_hand(&case, "invariant_set", &invariant(value));
        let said = validate(&case, &text).expect("it can be used");
        let word = match said {
            Verdict::Confirmed(_) => "confirmed",
            Verdict::Rejected(_) => "rejected",
            Verdict::Unknown(_) => "unknown",
        };
        assert_eq!(word, expected, "{value}: {said:?}");
    }
}
