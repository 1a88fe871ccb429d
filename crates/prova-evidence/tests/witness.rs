//! Witness files: what is written fits the schema and is confirmed when read back; what was
//! tampered with is not; what cannot be used is refused with a reason.

mod support;

use prova_engine::Auto;
use prova_evidence::witness::format::{read, Content, WaypointKind, Witness};
use prova_evidence::witness::validate::{Refused, Validation, Verdict};
use prova_evidence::witness::yaml::{self, Node, Value};
use prova_evidence::witness::{correctness_witness, graphml, violation_witness};
use prova_evidence::Options;
use prova_ir::{Undefined, World};
use prova_task::{Budget, Outcome, Silent};
use std::time::Duration;
use support::{programs, Case, How};

/// Functions without a body change nothing.
fn pure() -> World {
    World {
        undefined: Undefined::Pure,
        ..World::default()
    }
}

fn validate(case: &Case, text: &str) -> Result<Verdict, Refused> {
    let witness = read(text).map_err(|e| Refused::Format("witness".into(), e))?;
    run(case, &witness)
}

fn run(case: &Case, witness: &Witness) -> Result<Verdict, Refused> {
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
    validation.run(witness, &mut Silent)
}

/// The witness of whatever the engine finds, as text. What it finds happens again, natively.
fn witness_of(case: &Case) -> Option<String> {
    let witness = match case.check().outcome {
        Outcome::Violated(violation) => {
            let confirmed = case.replayed(&violation);
            violation_witness(&confirmed.recording, &case.sources)
        }
        Outcome::Proved(proof) => correctness_witness(&case.task, &proof, &case.sources),
        Outcome::Bounded(_) | Outcome::Unknown(_) => return None,
    };
    Some(witness.expect("a witness").write())
}

fn as_json(node: &Node) -> serde_json::Value {
    match &node.value {
        Value::Scalar(text, plain) => match text.parse::<u64>() {
            Ok(number) if *plain => number.into(),
            _ => text.clone().into(),
        },
        Value::Sequence(nodes) => nodes.iter().map(as_json).collect(),
        Value::Mapping(entries) => serde_json::Value::Object(
            entries
                .iter()
                .map(|(k, n)| (k.clone(), as_json(n)))
                .collect(),
        ),
    }
}

fn assert_valid(text: &str) {
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("schema/witness-2.0.json")).expect("a schema");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let instance = as_json(&yaml::read(text).expect("YAML"));
    let errors: Vec<String> = validator
        .iter_errors(&instance)
        .map(|e| format!("{e} at {}", e.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}\n{text}");
}

#[test]
fn violations_survive_the_way_through_a_file() {
    let mut count = 0;
    for path in programs("expect: false") {
        let case = Case::of_files(vec![path.clone()], How::default());
        let Some(text) = witness_of(&case) else {
            continue;
        };
        assert_valid(&text);
        let verdict = validate(&case, &text);
        assert!(
            matches!(verdict, Ok(Verdict::Confirmed(_))),
            "{}: {verdict:?}\n{text}",
            path.display()
        );
        count += 1;
    }
    assert!(count >= 10, "only {count}");
}

#[test]
fn proofs_survive_the_way_through_a_file() {
    let (mut count, mut invariants) = (0, 0);
    for path in programs("expect: true") {
        // Those that need long searches are tried where there is time.
        let name = path.to_string_lossy().into_owned();
        let slow = [
            "survey_09",
            "synergy_09",
            "floats",
            "division",
            "dash_0",
            "recursion",
            "parity",
        ];
        let long = std::env::var_os("PROVA_LONG").is_some();
        if !long && slow.iter().any(|s| name.contains(s)) {
            continue;
        }
        let case = Case::of_files(vec![path.clone()], How::default());
        let Some(text) = witness_of(&case) else {
            continue;
        };
        assert_valid(&text);
        invariants += text.matches("invariant:").count();
        let verdict = validate(&case, &text);
        assert!(
            matches!(verdict, Ok(Verdict::Confirmed(_))),
            "{}: {verdict:?}\n{text}",
            path.display()
        );
        count += 1;
    }
    assert!(count >= 10, "only {count}");
    assert!(invariants >= 10, "only {invariants} invariants");
}

const NARROW: &str = "extern int __VERIFIER_nondet_int(void);\n\
extern void reach_error(void);\n\
int main(void)\n\
{\n\
    int x = __VERIFIER_nondet_int();\n\
    if (x == 300)\n\
        reach_error();\n\
    return 0;\n\
}\n";

const COUNTER: &str = "extern void reach_error(void);\n\
extern int __VERIFIER_nondet_int(void);\n\
int main(void)\n\
{\n\
    int i = 0, n = 10;\n\
    while (i < n)\n\
        i++;\n\
    if (i != 10) reach_error();\n\
    return 0;\n\
}\n";

/// A witness in the manner of other tools, for a case of one file.
fn by_hand(case: &Case, kind: &str, content: &str) -> String {
    let path = &case.sources.files[0];
    let digest = prova_evidence::witness::metadata::digest(path).expect("a digest");
    format!(
        "- entry_type: {kind}\n  metadata:\n    format_version: '2.0'\n    \
         uuid: 00000000-0000-4000-8000-000000000000\n    creation_time: 2024-01-01T00:00:00+01:00\n    \
         producer: {{name: Other, version: 1.0, description: by hand}}\n    task:\n      \
         input_files: [program.c]\n      input_file_hashes:\n        program.c: {digest}\n      \
         specification: CHECK( init(main()), LTL(G ! call(reach_error())) )\n      \
         data_model: LP64\n      language: C\n  content:\n{content}"
    )
}

fn loop_invariant(value: &str) -> String {
    format!(
        "  - invariant:\n      type: loop_invariant\n      location: {{file_name: program.c, line: \
         6, column: 5, function: main}}\n      value: {value}\n      format: c_expression\n"
    )
}

#[test]
fn invariants_of_other_tools_are_confirmed_or_rejected() {
    let case = Case::of_text(COUNTER, How::default());
    for (value, right) in [
        ("i <= n && n == 10", true),
        ("'0 <= i'", true),
        ("i < n", false),
        ("'n == 11 || i == 3'", false),
        ("'(i & 1) == 0'", false),
    ] {
        let text = by_hand(&case, "invariant_set", &loop_invariant(value));
        let verdict = validate(&case, &text).expect("it can be used");
        match (right, &verdict) {
            (true, Verdict::Confirmed(_)) => {}
            (false, Verdict::Rejected(why)) => assert!(why.contains("does not hold"), "{why}"),
            _ => panic!("{value}: {verdict:?}"),
        }
    }
}

#[test]
fn an_invariant_that_may_be_undefined_confirms_nothing() {
    let case = Case::of_text(COUNTER, How::default());
    let text = by_hand(
        &case,
        "invariant_set",
        &loop_invariant("'i / (n - 10) == 0'"),
    );
    let verdict = validate(&case, &text).expect("it can be used");
    assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
}

#[test]
fn a_proof_of_a_program_that_fails_is_rejected() {
    let case = Case::of_text(NARROW, How::default());
    let text = by_hand(
        &case,
        "invariant_set",
        "  - invariant: {type: location_invariant, format: c_expression, value: '1', location: \
         {file_name: program.c, line: 6}}\n",
    );
    let verdict = validate(&case, &text).expect("it can be used");
    assert!(
        matches!(&verdict, Verdict::Rejected(why) if why.contains("property is violated")),
        "{verdict:?}"
    );
}

fn waypoint(kind: &str, action: &str, constraint: &str, line: u32, column: &str) -> String {
    let constraint = match constraint {
        "" => String::new(),
        value => format!("          constraint: {{value: '{value}'}}\n"),
    };
    format!(
        "      - waypoint:\n          type: {kind}\n          action: {action}\n{constraint}          \
         location: {{file_name: program.c, line: {line}{column}}}\n"
    )
}

#[test]
fn violations_of_other_tools_are_confirmed_or_rejected() {
    let case = Case::of_text(NARROW, How::default());
    let target = waypoint("target", "follow", "", 7, ", column: 9");
    let follow = |first: String| format!("  - segment:\n{first}  - segment:\n{target}");
    let alone = format!("  - segment:\n{target}");
    for (content, right) in [
        (alone.clone(), true),
        (
            follow(waypoint("assumption", "follow", "x == 300", 6, "")),
            true,
        ),
        (
            follow(waypoint("assumption", "follow", "x > 500", 6, "")),
            false,
        ),
        (
            follow(waypoint("branching", "follow", "true", 6, ", column: 5")),
            true,
        ),
        (
            follow(waypoint("branching", "follow", "false", 6, ", column: 5")),
            false,
        ),
        (
            follow(waypoint("function_enter", "follow", "", 5, ", column: 31")),
            true,
        ),
        (
            follow(waypoint(
                "function_return",
                "follow",
                "\\result == 300",
                5,
                ", column: 31",
            )),
            true,
        ),
        (
            follow(waypoint(
                "function_return",
                "follow",
                "\\result <= 299",
                5,
                ", column: 31",
            )),
            false,
        ),
        (
            follow(
                waypoint("assumption", "avoid", "x > 0", 6, "")
                    + &waypoint("branching", "follow", "true", 6, ""),
            ),
            false,
        ),
        (
            follow(
                waypoint("assumption", "avoid", "x < 0", 6, "")
                    + &waypoint("branching", "follow", "true", 6, ""),
            ),
            true,
        ),
    ] {
        let text = by_hand(&case, "violation_sequence", &content);
        let verdict = validate(&case, &text).expect("it can be used");
        match (right, &verdict) {
            (true, Verdict::Confirmed(_)) | (false, Verdict::Rejected(_)) => {}
            _ => panic!("{content}: {verdict:?}"),
        }
    }
}

#[test]
fn a_visit_may_be_left_for_a_later_one() {
    let text = "extern void reach_error(void);\n\
        int main(void)\n\
        {\n\
            int i = 0, hits = 0;\n\
            while (i < 3) {\n\
                i++;\n\
            }\n\
            if (i == 3) reach_error();\n\
        }\n";
    let case = Case::of_text(text, How::default());
    let body = waypoint("assumption", "follow", "i >= 0", 6, "");
    let later = waypoint("assumption", "follow", "i == 1", 6, "");
    let target = waypoint("target", "follow", "", 8, ", column: 13");
    let content = format!("  - segment:\n{body}  - segment:\n{later}  - segment:\n{target}");
    let witness = by_hand(&case, "violation_sequence", &content);
    let verdict = validate(&case, &witness).expect("it can be used");
    assert!(matches!(verdict, Verdict::Confirmed(_)), "{verdict:?}");
    let never = waypoint("assumption", "follow", "i == 0", 6, "");
    let content = format!("  - segment:\n{later}  - segment:\n{never}  - segment:\n{target}");
    let witness = by_hand(&case, "violation_sequence", &content);
    let verdict = validate(&case, &witness).expect("it can be used");
    assert!(matches!(verdict, Verdict::Rejected(_)), "{verdict:?}");
}

#[test]
fn tampered_witnesses_are_not_confirmed() {
    let case = Case::of_text(NARROW, How::default());
    let text = witness_of(&case).expect("a witness");
    assert!(matches!(validate(&case, &text), Ok(Verdict::Confirmed(_))));
    let mut witness = read(&text).expect("it is read");
    let Content::Violation(segments) = &mut witness.content else {
        panic!("a violation")
    };
    for segment in segments.iter_mut() {
        for waypoint in &mut segment.0 {
            match waypoint.kind {
                WaypointKind::FunctionReturn => waypoint.constraint = Some("\\result == 7".into()),
                WaypointKind::Branching => waypoint.constraint = Some("false".into()),
                _ => {}
            }
        }
    }
    let verdict = run(&case, &witness);
    assert!(matches!(verdict, Ok(Verdict::Rejected(_))), "{verdict:?}");
}

#[test]
fn positions_are_those_on_disk_whatever_line_markers_say() {
    let text = "extern int __VERIFIER_nondet_int(void);\n\
        extern void reach_error(void);\n\
        #line 70 \"driver.c\"\n\
        int main(void)\n\
        {\n\
        #line 12 \"other.c\"\n\
            if (__VERIFIER_nondet_int() == 9)\n\
                reach_error();\n\
            return 0;\n\
        }\n";
    let case = Case::of_text(text, How::default());
    let witness = witness_of(&case).expect("a witness");
    assert!(
        witness.contains("line: 7") && witness.contains("line: 8"),
        "{witness}"
    );
    assert!(!witness.contains("line: 12"), "{witness}");
    let verdict = validate(&case, &witness);
    assert!(matches!(verdict, Ok(Verdict::Confirmed(_))), "{verdict:?}");
}

#[test]
fn graphml_has_what_older_validators_need() {
    let case = Case::of_text(NARROW, How::default());
    let violation = case.violation();
    let confirmed = case.confirm(&violation).unwrap_or_else(|e| panic!("{e}"));
    let text = graphml::graphml(&confirmed.recording, &case.sources).expect("it is written");
    for part in [
        "<data key=\"witness-type\">violation_witness</data>",
        "<data key=\"architecture\">64bit</data>",
        "<data key=\"enterFunction\">main</data>",
        "<data key=\"assumption\">\\result == 300;</data>",
        "<data key=\"assumption.resultfunction\">__VERIFIER_nondet_int</data>",
        "<data key=\"violation\">true</data>",
        "<data key=\"startline\">7</data>",
    ] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
    assert_eq!(
        text.matches("<node").count(),
        text.matches("<edge").count() + 1
    );
}

#[test]
fn what_cannot_be_used_is_refused_with_a_reason() {
    let case = Case::of_text(COUNTER, How::default());
    let good = by_hand(&case, "invariant_set", &loop_invariant("i <= n"));
    assert!(matches!(validate(&case, &good), Ok(Verdict::Confirmed(_))));
    let digest = prova_evidence::witness::metadata::digest(&case.sources.files[0]).expect("one");
    let target = |line: u32| {
        format!(
            "  - segment:\n{}",
            waypoint("target", "follow", "", line, "")
        )
    };
    for (text, reason) in [
        (
            good.replace("'2.0'", "'3.0'"),
            "format version `3.0` is not known",
        ),
        (good.replace(&digest, &"0".repeat(64)), "about other files"),
        (good.replace("line: 6", "line: 60"), "lies outside"),
        (good.replace("column: 5", "column: 500"), "lies outside"),
        (good.replace("line: 6", "line: 9"), "no loop at line 9"),
        (good.replace("line: 6", "line: 0"), "no number"),
        (good.replace("line: 6", "line: many"), "no number"),
        (
            good.replace("value: i <= n", "value: i <= <"),
            "syntax error",
        ),
        (
            good.replace("value: i <= n", "value: 'i <= (n'"),
            "parentheses",
        ),
        (
            good.replace("value: i <= n", "value: 'i = n'"),
            "changes something",
        ),
        (
            good.replace("value: i <= n", "value: 'main() == 1'"),
            "calls a function",
        ),
        (
            good.replace("value: i <= n", "value: 'i); reach_error(); (i'"),
            "witness",
        ),
        (
            good.replace("value: i <= n", "value: hidden == 1"),
            "hidden",
        ),
        (good.replace("LP64", "ILP32"), "data model"),
        (good.replace("LP64", "LLP64"), "data model `LLP64`"),
        (
            good.replace("G ! call(reach_error())", "F end"),
            "another property",
        ),
        (
            good.replace("invariant_set", "ghost_set"),
            "entries `ghost_set`",
        ),
        (
            good.replace("loop_invariant", "data_invariant"),
            "not known",
        ),
        (
            good.replace("file_name: program.c", "file_name: other.c"),
            "none of the program's",
        ),
        (good.replace("producer:", "maker:"), "`producer` is missing"),
        (good.replace("metadata:\n", "metadata: &a\n"), "anchors"),
        (String::from("{{{"), "YAML"),
        (String::from("[]"), "no entry"),
        (
            by_hand(&case, "violation_sequence", &target(99)),
            "lies outside",
        ),
        (
            by_hand(
                &case,
                "violation_sequence",
                &format!(
                    "  - segment:\n{}",
                    waypoint("assumption", "follow", "1", 6, "")
                ),
            ),
            "ends at the target",
        ),
    ] {
        match validate(&case, &text) {
            Err(refused) => assert!(
                refused.to_string().contains(reason),
                "`{refused}` does not say `{reason}`"
            ),
            Ok(verdict) => panic!("{reason}: {verdict:?}"),
        }
    }
}
