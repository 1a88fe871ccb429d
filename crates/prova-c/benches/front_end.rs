//! How fast C comes in: a synthetic program of about 900 KB, and with `PROVA_CORPUS` set to a C
//! file (or a folder that holds `floppy2_safe.i.cil.c`) that one, too.

use std::fmt::Write;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{criterion_group, criterion_main, Criterion, Throughput};
use prova_c::{lower, parse_text, preprocess, Options};

/// Driver-like code: structures, pointers, loops, switches, calls.
fn synthetic(bytes: usize) -> String {
    let mut text = String::from("extern int nondet(void);\n");
    for i in 0.. {
        if text.len() > bytes {
            break;
        }
        let _ = write!(
            text,
            "struct request{i} {{ int kind; unsigned flags : 3; struct request{i} *next; char name[16]; }};\n\
             static int handle{i}(struct request{i} *request, int depth) {{\n\
             \x20 int result = request->kind * 3 + {i};\n\
             \x20 switch (request->kind) {{\n\
             \x20 case 0: result = -1; break;\n\
             \x20 case 1: if (depth > 10 && request->next != 0) {{ result += request->next->flags; }} break;\n\
             \x20 default: while (result > 0) {{ result--; request->name[result & 15] = (char)(result >> 2); }}\n\
             \x20 }}\n\
             \x20 for (int i = 0; i < depth; i++) {{ result ^= nondet() ? i << 1 : ~i; }}\n\
             \x20 return result;\n}}\n"
        );
    }
    text + "int main(void) { struct request0 r = { 1 }; return handle0(&r, 2); }\n"
}

/// The file that `PROVA_CORPUS` names or holds.
fn corpus() -> Option<PathBuf> {
    fn search(path: &Path) -> Option<PathBuf> {
        if path.is_file() {
            return path
                .ends_with("floppy2_safe.i.cil.c")
                .then(|| path.to_path_buf());
        }
        let mut entries: Vec<_> = std::fs::read_dir(path).ok()?.flatten().collect();
        entries.sort_by_key(|e| e.path());
        entries.iter().find_map(|e| search(&e.path()))
    }
    let given = PathBuf::from(std::env::var_os("PROVA_CORPUS")?);
    if given.is_file() {
        return Some(given);
    }
    search(&given)
}

fn front_end(c: &mut Criterion) {
    let options = Options::default();
    let mut group = c.benchmark_group("front end");
    group.sample_size(10);
    let mut measure = |name: &str, text: String| {
        group.throughput(Throughput::Bytes(text.len() as u64));
        let parse = || parse_text("bench.i", text.as_str(), &options);
        group.bench_function(format!("parse {name}"), |b| {
            b.iter(|| black_box(parse().is_ok()));
        });
        group.bench_function(format!("parse and lower {name}"), |b| {
            b.iter(|| black_box(parse().is_ok_and(|unit| lower(vec![unit], &options).is_ok())));
        });
    };
    measure("synthetic", synthetic(900_000));
    if let Some(path) = corpus() {
        match preprocess::read(&path, &options) {
            Ok(text) => measure("driver", text),
            Err(diagnostic) => diagnostic.print(),
        }
    }
    group.finish();
}

criterion_group!(benches, front_end);
criterion_main!(benches);
