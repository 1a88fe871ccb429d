//! The one list of passes: what stands in several places agrees with it.

use prova_ir::passes::named::{apply, ALWAYS, ONE_PROCEDURE, PASSES, PROCEDURES};
use prova_ir::text::parse;

#[test]
fn lists_name_passes_that_there_are_and_begin_as_all_do() {
    for list in [ONE_PROCEDURE, PROCEDURES] {
        assert!(list.starts_with(ALWAYS));
        let known = |name: &&str| PASSES.iter().any(|pass| pass.name == *name);
        assert!(list.iter().all(known), "{list:?}");
    }
    let mut names: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), PASSES.len());
}

#[test]
fn passes_are_refused_that_there_are_not() {
    let text = "prova-ir 1 lp64\nproc main() {\n  entry L0 exit L0\n}\nentry main\n";
    let program = parse(text).expect("a program");
    for name in ["", "inline ", "nans", "Slice"] {
        assert!(apply(&mut program.clone(), name).is_err(), "`{name}`");
    }
    for name in ["inline", "slice", "externals"] {
        assert!(apply(&mut program.clone(), name).is_ok(), "`{name}`");
    }
}

/// People read the same table.
#[test]
fn the_documentation_agrees() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/certificates.md");
    let text = std::fs::read_to_string(path).expect("the documentation is there");
    let rows = text.lines().filter_map(|line| {
        let (name, what) = line.strip_prefix("| `")?.split_once("` | ")?;
        Some((name, what.strip_suffix(" |")?))
    });
    let rows: Vec<(&str, &str)> = rows.collect();
    let table: Vec<(&str, &str)> = PASSES.iter().map(|p| (p.name, p.what)).collect();
    assert_eq!(rows, table);
    for (what, list) in [("one procedure", ONE_PROCEDURE), ("procedures", PROCEDURES)] {
        let list = format!("(passes {})", list.join(" "));
        assert!(text.contains(&list), "{what}: {list}");
    }
}
