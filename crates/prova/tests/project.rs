//! Projects: `prova.toml` and `compile_commands.json`, as a user's folders have them.

mod common;

use std::path::Path;
use std::process::Command;

use common::Run;

/// A folder with files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("written");
    }
    folder
}

/// Runs `prova` in a folder.
fn prova_in(folder: &Path, arguments: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_prova"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the command starts");
    Run {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Two files, a header and a macro that decide what happens.
const MAIN: &str = "#include \"limit.h\"\nextern int over(int);\nextern void reach_error(void);\n\
                    extern int __VERIFIER_nondet_int(void);\n\
                    int main(void) {\n  int x = __VERIFIER_nondet_int();\n\
                      if (x < LIMIT && over(x))\n    reach_error();\n  return 0;\n}\n";
const OVER: &str = "int over(int x) { return x > THRESHOLD; }\n";
const HEADER: &str = "#define LIMIT 100\n";

const FILES: [(&str, &str); 3] = [
    ("src/main.c", MAIN),
    ("src/over.c", OVER),
    ("include/limit.h", HEADER),
];

fn project(toml: &str) -> tempfile::TempDir {
    let mut files = FILES.to_vec();
    files.push(("prova.toml", toml));
    folder(&files)
}

#[test]
fn a_project_is_checked_without_naming_files() {
    let safe = project(
        "sources = [\"src/*.c\"]\ninclude = [\"include\"]\ndefines = { THRESHOLD = 100 }\n",
    );
    let out = prova_in(safe.path(), &["check"]);
    assert_eq!(out.code, Some(0), "{}{}", out.stdout, out.stderr);
    assert!(out.stderr.contains("settings from prova.toml"));
    // From below, too; and the command line wins.
    let below = safe.path().join("src");
    assert_eq!(prova_in(&below, &["check", "-q"]).code, Some(0));
    let out = prova_in(&below, &["check", "-q", "-DTHRESHOLD=7"]);
    assert_eq!(out.code, Some(1), "{}{}", out.stdout, out.stderr);
    assert!(out.stdout.contains("main.c:8:5"), "{}", out.stdout);
    // Somewhere else, by name.
    let file = safe.path().join("prova.toml").display().to_string();
    let elsewhere = folder(&[]);
    let out = prova_in(elsewhere.path(), &["check", "-q", "--config", &file]);
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    // And not at all.
    let out = prova_in(safe.path(), &["check", "--no-config"]);
    assert_eq!(out.code, Some(2));
    assert!(out.stderr.contains("no FILE is given"), "{}", out.stderr);
    // The other commands know it, too.
    assert_eq!(prova_in(safe.path(), &["show", "--stats"]).code, Some(0));
    assert_eq!(prova_in(safe.path(), &["run"]).code, Some(0));
}

#[test]
fn the_file_says_what_is_checked_and_how() {
    let text = "int up(int x) { return x + 1; }\nint down(int x) { return x > 0 ? x - 1 : 0; }\n";
    let toml = "sources = [\"a.c\"]\nentries = [\"up\", \"down\"]\nproperties = [\"no-overflow\"]\n\
                bits = 32\n[search]\nengine = \"dash\"\nseed = 3\n[output]\nsarif = \"out.sarif\"\n";
    let made = folder(&[("a.c", text), ("prova.toml", toml)]);
    let out = prova_in(made.path(), &["check", "--format", "svcomp", "-q"]);
    assert_eq!(out.code, Some(1), "{}{}", out.stdout, out.stderr);
    let verdicts = out.stdout.lines().filter(|l| !l.contains(": assumed: "));
    let lines: Vec<&str> = verdicts.collect();
    let last = &lines[lines.len() - 2..];
    assert_eq!(
        last,
        [
            "up, no-overflow: FALSE(no-overflow)",
            "down, no-overflow: TRUE"
        ]
    );
    assert!(made.path().join("out.sarif").is_file());
    let out = prova_in(made.path(), &["check", "-q", "--entry", "down"]);
    assert_eq!(out.code, Some(0), "{}", out.stdout);
    let out = prova_in(
        made.path(),
        &["check", "--entry", "down", "--format", "json"],
    );
    let value: serde_json::Value = serde_json::from_str(&out.stdout).expect("JSON");
    assert_eq!(value["entry"], "down");
    assert_eq!(value["engine"], "dash");
}

#[test]
fn what_is_wrong_is_shown_where_it_stands() {
    for (toml, place, message) in [
        ("sources = [\"src/none.c\"]\n", "1:12", "there is no file"),
        ("sources = [\"*.cc\"]\n", "1:12", "stands for no file"),
        ("sources = \"src/over.c\"\n", "1:11", "expected a sequence"),
        ("bits = 16\n", "1:8", "`bits` is 32 or 64"),
        ("timeout = 3\n", "1:1", "unknown field `timeout`"),
        ("std = gnu11\n", "1:7", ""),
        (
            "sources = [\"src/over.c\"]\nproperties = [\"no-bugs\"]\n",
            "2:15",
            "there is no property `no-bugs`",
        ),
        (
            "sources = [\"src/over.c\"]\n[search]\nengine = \"fast\"\n",
            "3:10",
            "`fast` is not one of `auto`, `dash`, `values`",
        ),
        ("[budget]\ntimeout = -1\n", "2:11", "-1"),
    ] {
        let made = project(toml);
        let out = prova_in(made.path(), &["check"]);
        assert_eq!(out.code, Some(2), "{toml}{}{}", out.stdout, out.stderr);
        let place = format!("prova.toml:{place}");
        assert!(out.stderr.contains(&place), "{toml}{}", out.stderr);
        assert!(out.stderr.contains(message), "{toml}{}", out.stderr);
    }
    let out = prova_in(folder(&[]).path(), &["check", "--config", "none.toml"]);
    assert_eq!(out.code, Some(2));
    assert!(
        out.stderr.contains("cannot read `none.toml`"),
        "{}",
        out.stderr
    );
}

/// A database with these flags for the two files.
fn database(main: &str, over: &str) -> String {
    format!(
        "[{{\"directory\": \"build\", \"file\": \"../src/main.c\", \"command\": \"cc {main} -c ../src/main.c\"}},\n\
          {{\"directory\": \"build\", \"file\": \"../src/over.c\", \"arguments\": [{over}]}}]\n"
    )
}

#[test]
fn a_compilation_database_says_how_files_are_read() {
    let text = database(
        "-I../include -O2 -o main.o",
        "\"cc\", \"-DTHRESHOLD=100\", \"-c\", \"../src/over.c\"",
    );
    let mut files = FILES.to_vec();
    files.push(("compile_commands.json", &text));
    files.push(("build/none", ""));
    let made = folder(&files);
    // The folder or the file; all files, or one.
    for name in [".", "compile_commands.json"] {
        let out = prova_in(made.path(), &["check", "-q", "--compile-commands", name]);
        assert_eq!(out.code, Some(0), "{}{}", out.stdout, out.stderr);
    }
    // The command line wins over macros. Files with different flags are compiled one by one.
    let line = ["check", "--compile-commands", ".", "-DTHRESHOLD=5"];
    let out = prova_in(made.path(), &line);
    assert_eq!(out.code, Some(1), "{}{}", out.stdout, out.stderr);
    assert!(out.stdout.contains("replayed: compiled"), "{}", out.stdout);
    let out = prova_in(
        made.path(),
        &["show", "--library", "--compile-commands", ".", "src/over.c"],
    );
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    assert!(out.stdout.contains("100"), "{}", out.stdout);
    // Through the project's file.
    std::fs::write(
        made.path().join("prova.toml"),
        "compile-commands = \"compile_commands.json\"\n",
    )
    .expect("written");
    let out = prova_in(&made.path().join("src"), &["check", "-q"]);
    assert_eq!(out.code, Some(0), "{}{}", out.stdout, out.stderr);
}

#[test]
fn the_same_flags_for_all_are_replayed_natively() {
    let flags = "-isystem ../include -DTHRESHOLD=1 -UTHRESHOLD -DTHRESHOLD=50 -std=gnu99";
    let words: Vec<String> = flags.split(' ').map(|w| format!("\"{w}\"")).collect();
    let text = database(flags, &format!("\"cc\", {}", words.join(", ")));
    let mut files = FILES.to_vec();
    files.push(("compile_commands.json", &text));
    let made = folder(&files);
    let out = prova_in(made.path(), &["check", "--compile-commands", "."]);
    assert_eq!(out.code, Some(1), "{}{}", out.stdout, out.stderr);
    assert!(out.stdout.contains("replayed: compiled"), "{}", out.stdout);
}

#[test]
fn a_database_that_cannot_be_used_says_why() {
    for (text, message) in [
        ("[{\"directory\": \".\"}]", "missing field `file`"),
        ("[", "EOF"),
        ("[]", "names no C file"),
        (
            "[{\"directory\": \".\", \"file\": \"src/over.c\"}]",
            "neither `arguments` nor `command`",
        ),
        (
            "[{\"directory\": \".\", \"file\": \"src/over.c\", \"command\": \"cc -funsigned-char -c src/over.c\"}]",
            "`-funsigned-char`",
        ),
        (
            "[{\"directory\": \".\", \"file\": \"src/over.c\", \"command\": \"cc 'unfinished\"}]",
            "cannot be split",
        ),
    ] {
        let mut files = FILES.to_vec();
        files.push(("compile_commands.json", text));
        let made = folder(&files);
        let out = prova_in(made.path(), &["check", "--compile-commands", "."]);
        assert_eq!(out.code, Some(2), "{text}\n{}", out.stderr);
        assert!(out.stderr.contains(message), "{text}\n{}", out.stderr);
    }
}

#[test]
fn the_example_project_is_proved() {
    let root = std::env::current_dir()
        .expect("the package's folder")
        .join("../../examples/project");
    let out = prova_in(&root, &["check"]);
    assert_eq!(out.code, Some(0), "{}{}", out.stdout, out.stderr);
    assert!(out.stdout.contains("valid-deref: proved"), "{}", out.stdout);
}
