//! Parses every C file under the given folders and says which do not parse, and why.
//!
//! `cargo run --release -p prova-c --example parse_rate -- [--bits32] FOLDER…`

use std::path::{Path, PathBuf};
use std::time::Instant;

use prova_c::preprocess::Options;
use prova_ir::DataModel;

fn main() {
    let mut options = Options::default();
    let mut files = Vec::new();
    for argument in std::env::args().skip(1) {
        if argument == "--bits32" {
            options.model = DataModel::Ilp32;
        } else {
            collect(Path::new(&argument), &mut files);
        }
    }
    files.sort();
    let start = Instant::now();
    let mut failed = 0;
    for file in &files {
        let began = Instant::now();
        if let Err(diagnostic) = prova_c::parse_file(file, &options) {
            failed += 1;
            println!("{}: {}", file.display(), diagnostic.render(false));
        }
        if began.elapsed().as_secs_f64() > 1.0 {
            println!("{}: {:.1} s", file.display(), began.elapsed().as_secs_f64());
        }
    }
    println!(
        "{} of {} files parse; {:.1} s",
        files.len() - failed,
        files.len(),
        start.elapsed().as_secs_f64()
    );
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let Ok(entries) = std::fs::read_dir(path) else {
            return;
        };
        for entry in entries.flatten() {
            collect(&entry.path(), files);
        }
    } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
        files.push(path.to_path_buf());
    }
}
