//! The checker is to be read in an afternoon: comments and all it has at most 1,500 lines.

#[test]
fn the_checker_stays_small() {
    let folder = std::env::current_dir().expect("the package's folder").join("src");
    let files = std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path());
    let texts = files.map(|file| std::fs::read_to_string(file).expect("a text, and no folder"));
    let lines: usize = texts.map(|text| text.lines().count()).sum();
    assert!(lines <= 1500, "{lines} lines");
}
