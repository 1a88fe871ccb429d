//! Input that cannot be used: each gets a clear message on standard error and exit status 2;
//! nothing panics, nothing overflows the stack.

mod common;

use common::Run;

/// Runs `prova show` on a file with this name and contents.
fn show(name: &str, contents: impl AsRef<[u8]>) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    std::fs::write(&file, contents).unwrap();
    common::prova(["show".as_ref(), file.as_os_str()])
}

/// Checks that a run was refused with a message that holds all of these.
fn refused(run: Run, parts: &[&str]) {
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stdout.is_empty(), "{run:?}");
    assert!(run.stderr.starts_with("error: "), "{run:?}");
    assert!(!run.stderr.contains("panicked"), "{run:?}");
    assert!(!run.stderr.contains("internal error"), "{run:?}");
    for part in parts {
        assert!(run.stderr.contains(part), "no `{part}` in {run:?}");
    }
}

#[test]
fn no_such_file() {
    refused(
        common::prova(["show", "no/such/file.c"]),
        &["no/such/file.c", "no such file"],
    );
}

#[test]
fn a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let run = common::prova(["show".as_ref(), folder.path().as_os_str()]);
    refused(run, &["is a folder"]);
}

#[test]
fn something_that_is_no_file() {
    refused(
        common::prova(["show", "/dev/zero"]),
        &["is not a regular file"],
    );
}

#[test]
fn binary_rubbish() {
    let mut state = 12345u32;
    let rubbish: Vec<u8> = (0..100_000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .collect();
    refused(show("rubbish.i", &rubbish), &["rubbish.i:1:"]);
    refused(show("rubbish.c", &rubbish), &["rubbish.c"]);
    refused(
        show("program.i", b"\x7fELF\x02\x01\x01\0\0\0"),
        &["is this a C file?", "program.i:1:1"],
    );
}

#[test]
fn unterminated_comment() {
    refused(
        show("c.c", "int x; /* never\nclosed"),
        &["unterminated comment"],
    );
    refused(
        show("c.i", "int x; /* never\nclosed"),
        &["comment never ends", "c.i:1:8"],
    );
}

#[test]
fn unterminated_string() {
    for name in ["s.c", "s.i"] {
        let run = show(name, "int x;\nchar *s = \"never closed;\nint y;\n");
        refused(
            run,
            &[
                "not closed",
                &format!("{name}:2:11"),
                "char *s = \"never closed;",
            ],
        );
    }
}

#[test]
fn a_hundred_thousand_parentheses() {
    let deep = 100_000;
    let text = format!("int x = {}1{};", "(".repeat(deep), ")".repeat(deep));
    refused(show("p.c", text), &["p.c:1:", "nested more than"]);
}

#[test]
fn a_hundred_thousand_blocks() {
    let deep = 100_000;
    let text = format!("int main(void) {}{}", "{".repeat(deep), "}".repeat(deep));
    refused(show("b.c", text), &["b.c:1:", "nested more than"]);
}

#[test]
fn other_ways_to_be_deep() {
    let deep = 100_000;
    for (open, close) in [
        ("- ", ""),
        ("1 + ", ""),
        ("1 ? 1 : ", ""),
        ("main(", ")"),
        ("(int) ", ""),
        ("({ ", " })"),
    ] {
        let text = format!(
            "int main(void) {{ return {}1{}; }}",
            open.repeat(deep),
            close.repeat(deep)
        );
        refused(show("d.c", text), &["d.c:1:", "more than"]);
    }
    let text = format!("int main(void) {{ {} ; }}", "if (1) ; else ".repeat(deep));
    refused(show("e.c", text), &["more than"]);
    // Unbalanced, so that nothing ever closes.
    refused(show("u.c", "{(".repeat(deep)), &["more than"]);
}

#[test]
fn a_very_large_file() {
    let line = "static int f(int x) { return x + 1; }\n";
    let run = show("large.c", line.repeat((20 << 20) / line.len() + 1));
    refused(run, &["large.c", "too large", "20.0 MB"]);
}

#[test]
fn a_missing_header() {
    let run = show(
        "h.c",
        "#include \"no-such-header.h\"\nint main(void) { return 0; }\n",
    );
    refused(run, &["no-such-header.h", "h.c:1"]);
}

#[test]
fn syntax_errors_show_the_line() {
    let run = show(
        "e.c",
        "#define TWICE(x) x x\nint main(void) {\n  int a = TWICE(+ 1;\n}\n",
    );
    refused(run, &["e.c"]);
    let run = show("e.c", "int main(void) {\n  return 1 +;\n}\n");
    refused(
        run,
        &["e.c:2:13", "  return 1 +;", "^", "`;` cannot stand here"],
    );
    refused(
        show("e.c", "int main(void) { return 0;"),
        &["the end of the file"],
    );
}

#[test]
fn bad_usage() {
    for line in [
        &["show"][..],
        &["show", "x.c", "--bits", "16"],
        &["nonsense"],
        &["show", "x.c", "--dot", "--stats"],
        &["show", "x.c", "--max-source", "0"],
        &[],
    ] {
        let run = common::prova(line);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(!run.stderr.is_empty(), "{run:?}");
    }
}

#[test]
fn an_unusable_compiler() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.c");
    std::fs::write(&file, "int main(void) { return 0; }").unwrap();
    let run = common::prova_with(
        [("CC", "no-such-compiler")],
        ["show".as_ref(), file.as_os_str()],
    );
    refused(run, &["no-such-compiler", "CC"]);
}
