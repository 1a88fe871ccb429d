//! Property files as the software verification competition writes them: lines of
//! `CHECK( init(main()), LTL(G ! call(reach_error())) )`. All lines of a file are one check.

use crate::property::{Check, Property};
use crate::unreach::Spec;

/// Why a property file is not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct PrpError {
    /// The line, from one.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

/// Reads the text of a property file called `name`.
pub fn parse_prp(name: &str, text: &str) -> Result<Check, PrpError> {
    let mut properties: Vec<Property> = Vec::new();
    let mut calls = Spec {
        calls: false,
        assertions: false,
        ..Spec::default()
    };
    let mut entry: Option<String> = None;
    for (index, line) in text.lines().enumerate() {
        let error = |what: String| PrpError {
            line: index + 1,
            what,
        };
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
            continue;
        }
        let compact: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        let inner = compact
            .strip_prefix("CHECK(")
            .and_then(|l| l.strip_suffix(')'))
            .ok_or_else(|| error("`CHECK( init(main()), LTL(…) )` is expected".into()))?;
        let (start, formula) = inner
            .strip_prefix("init(")
            .and_then(|l| l.split_once("()),"))
            .ok_or_else(|| error("`init(FUNCTION())` is expected first".into()))?;
        if !is_name(start) {
            return Err(error(format!("`{start}` is no function name")));
        }
        match &entry {
            Some(other) if other != start => {
                return Err(error("all lines must start at the same function".into()));
            }
            _ => entry = Some(start.to_owned()),
        }
        let formula = formula
            .strip_prefix("LTL(")
            .and_then(|l| l.strip_suffix(')'))
            .ok_or_else(|| error("`LTL(FORMULA)` is expected".into()))?;
        let property = formula_of(formula, &mut calls).map_err(error)?;
        if !properties.contains(&property) {
            properties.push(property);
        }
    }
    if properties.is_empty() {
        return Err(PrpError {
            line: 1,
            what: "there is no CHECK in this file".into(),
        });
    }
    Ok(Check {
        name: name.to_owned(),
        properties,
        calls,
        entry: entry.filter(|e| e != "main"),
        rule: None,
        goals: None,
        modular: false,
        ample: false,
    })
}

fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// What a formula without its blanks means.
fn formula_of(formula: &str, calls: &mut Spec) -> Result<Property, String> {
    if formula == "Fend" {
        return Ok(Property::Termination);
    }
    let Some(always) = formula.strip_prefix('G') else {
        return Err(format!(
            "`LTL({formula})` is not supported: only `G …` formulas and `F end` are"
        ));
    };
    if let Some(function) = within(always, "!call(").and_then(|c| c.strip_suffix("()")) {
        if is_name(function) {
            calls.functions.push(function.to_owned());
            return Ok(Property::UnreachCall);
        }
    }
    if let Some(label) = within(always, "!label(").filter(|l| is_name(l)) {
        calls.label = Some(label.to_owned());
        return Ok(Property::UnreachCall);
    }
    match always {
        "assert" => Ok(Property::Assert),
        "!overflow" => Ok(Property::NoOverflow),
        "!division-by-zero" => Ok(Property::NoDivZero),
        other => Property::named(other)
            .filter(|p| {
                let others = [
                    Property::UnreachCall,
                    Property::Assert,
                    Property::Termination,
                ];
                !others.contains(p)
            })
            .ok_or_else(|| format!("`G {always}` is not supported")),
    }
}

fn within<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    text.strip_prefix(start)?.strip_suffix(')')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&'static str> {
        let check = parse_prp("p.prp", text).expect("a property");
        check.properties.iter().map(|p| p.name()).collect()
    }

    #[test]
    fn the_competitions_files_are_read() {
        let call = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
        let check = parse_prp("unreach-call.prp", call).expect("a property");
        assert_eq!(check.calls.functions, ["reach_error"]);
        assert!(!check.calls.assertions && check.entry.is_none());
        assert_eq!(names(call), ["unreach-call"]);
        let memory = "CHECK( init(main()), LTL(G valid-free) )
CHECK( init(main()), LTL(G valid-deref) )
CHECK( init(main()), LTL(G valid-memtrack) )\n";
        assert_eq!(
            names(memory),
            ["valid-free", "valid-deref", "valid-memtrack"]
        );
        assert_eq!(
            names("\n# a comment\nCHECK(init(main()),LTL(G ! overflow))"),
            ["no-overflow"]
        );
        assert_eq!(names("CHECK( init(main()), LTL(F end) )"), ["termination"]);
        assert_eq!(
            names("CHECK( init(main()), LTL(G valid-memcleanup) )"),
            ["valid-memcleanup"]
        );
    }

    #[test]
    fn another_function_can_be_the_start() {
        let check = parse_prp("p", "CHECK( init(run()), LTL(G ! overflow) )").expect("a property");
        assert_eq!(check.entry.as_deref(), Some("run"));
    }

    #[test]
    fn what_is_not_supported_is_said_with_its_line() {
        for (text, line, what) in [
            ("", 1, "no CHECK"),
            ("CHECK( init(main()), LTL(F begin) )", 1, "only `G"),
            (
                "\nCHECK( init(main()), LTL(G ! data-race) )",
                2,
                "G !data-race",
            ),
            (
                "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
                1,
                "CHECK(",
            ),
            ("CHECK( LTL(G ! overflow) )", 1, "init"),
            ("CHECK( init(main()), G ! overflow )", 1, "LTL"),
            (
                "CHECK( init(1x()), LTL(G ! overflow) )",
                1,
                "no function name",
            ),
            (
                "CHECK( init(f()), LTL(G ! overflow) )\nCHECK( init(g()), LTL(G ! overflow) )",
                2,
                "same function",
            ),
        ] {
            let error = parse_prp("p.prp", text).expect_err(text);
            assert_eq!(error.line, line, "{text}");
            assert!(error.what.contains(what), "{text}: {error}");
        }
    }
}
