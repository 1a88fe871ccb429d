//! Small programs whose answer everybody sees: recursion with constants, tables, a million rounds.
//! The first line of each says the verdict; every proof is certified on the way.

mod common;

use common::prova;
use std::path::Path;

#[test]
fn what_everybody_sees_is_decided() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/small");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the programs")
        .map(|f| f.expect("a file").path())
        .collect();
    files.sort();
    assert!(files.len() >= 15);
    for file in files {
        let text = std::fs::read_to_string(&file).expect("readable");
        let expected = match text.lines().next() {
            Some("// expect: true") => Some(0),
            Some("// expect: false") => Some(1),
            other => panic!("there is no verdict in {other:?}"),
        };
        let run = prova(["check".as_ref(), file.as_os_str()]);
        assert_eq!(run.code, expected, "{}: {run:?}", file.display());
    }
}
