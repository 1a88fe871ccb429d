//! The competition's test format: `metadata.xml`, and a file per test with its inputs in order.

use super::Suite;
use crate::c_types::Scalar;
use crate::harness::REACHED;
use crate::recording::Returned;
use crate::supply::is_defined;
use crate::witness::graphml::escaped;
use crate::witness::metadata::{digest, now};
use crate::Sources;
use prova_ir::DataModel;
use std::fmt::Write;
use std::path::Path;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";

/// Writes the files into a folder of their own, `xml`.
pub fn write(suite: &Suite, sources: &Sources, folder: &Path) -> Result<(), String> {
    let folder = folder.join("xml");
    let said = |e: std::io::Error| format!("{}: {e}", folder.display());
    std::fs::create_dir_all(&folder).map_err(said)?;
    std::fs::write(folder.join("metadata.xml"), metadata(suite, sources)?).map_err(said)?;
    for (i, test) in suite.tests.iter().enumerate() {
        let name = format!("testcase-{}.xml", i + 1);
        let fails = test.status == Some(REACHED);
        let text = testcase(&test.recording.returned, fails);
        std::fs::write(folder.join(name), text).map_err(said)?;
    }
    Ok(())
}

fn metadata(suite: &Suite, sources: &Sources) -> Result<String, String> {
    let entry = suite.tests.first().and_then(|t| t.recording.entry.as_ref());
    let entry = entry.map_or("main", |e| e.function.as_str());
    let (file, hash) = match sources.files.first() {
        Some(path) => (sources.name(0), digest(path)?),
        None => Default::default(),
    };
    let branches = format!("COVER( init({entry}()), FQL(COVER EDGES(@DECISIONEDGE)) )");
    let mut text = format!(
        "{HEAD}<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata \
         1.1//EN\" \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n<test-metadata>\n"
    );
    for (key, value) in [
        ("sourcecodelang", "C"),
        ("producer", concat!("Prova ", env!("CARGO_PKG_VERSION"))),
        (
            "specification",
            suite.specification.as_deref().unwrap_or(&branches),
        ),
        ("programfile", &file),
        ("programhash", &hash),
        ("entryfunction", entry),
        (
            "architecture",
            match sources.options.model {
                DataModel::Ilp32 => "32bit",
                DataModel::Lp64 => "64bit",
            },
        ),
        ("creationtime", &now()),
    ] {
        let _ = writeln!(text, "  <{key}>{}</{key}>", escaped(value));
    }
    text.push_str("</test-metadata>\n");
    Ok(text)
}

fn testcase(inputs: &[Returned], fails: bool) -> String {
    let covers = if fails { " coversError=\"true\"" } else { "" };
    let mut text = format!(
        "{HEAD}<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \
         \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n<testcase{covers}>\n"
    );
    // The format knows inputs that functions of the program's own return, and nothing else.
    for input in inputs.iter().filter(|i| is_defined(&i.function)) {
        let _ = writeln!(
            text,
            "  <input type=\"{}\">{}</input>",
            input.scalar.name(),
            escaped(&value(input.scalar, input.bits))
        );
    }
    text.push_str("</testcase>\n");
    text
}

/// A value as the format takes it: a number, with enough digits.
fn value(scalar: Scalar, bits: u128) -> String {
    match scalar {
        Scalar::Pointer => format!("{bits:#x}"),
        _ => scalar.show(bits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_numbers() {
        let input = |scalar, bits| Returned {
            function: "f".into(),
            scalar,
            bits,
            span: prova_ir::Span::NONE,
            step: 0,
        };
        let int = Scalar::Int {
            bits: 32,
            signed: true,
        };
        let text = testcase(
            &[input(int, 0xffff_ffff), input(Scalar::Float(64), 0)],
            true,
        );
        assert!(text.contains("<testcase coversError=\"true\">"));
        assert!(text.contains("<input type=\"int\">-1</input>"));
        assert!(text.contains("<input type=\"double\">0.0</input>"));
    }
}
