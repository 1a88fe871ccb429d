//! Words of other verifiers (`docs/other-tools.md`): for each a program that holds because of what
//! the word means, and one that does not, or of which nothing is known.

use std::path::Path;
use std::process::Command;

/// A word, declarations, and the bodies of two harnesses: what holds, and what does not.
struct Word {
    name: &'static str,
    head: &'static str,
    holds: &'static str,
    fails: &'static str,
    /// Verdicts of the second one: an error, or that it is not known.
    verdict: &'static str,
}

const fn word(
    name: &'static str,
    head: &'static str,
    holds: &'static str,
    fails: &'static str,
    verdict: &'static str,
) -> Word {
    Word {
        name,
        head,
        holds,
        fails,
        verdict,
    }
}

const WORDS: &[Word] = &[
    word(
        "__CPROVER_assume",
        "int nondet_int(void);",
        "int x = nondet_int(); __CPROVER_assume(x > 3); assert(x != 0);",
        "int x = nondet_int(); __CPROVER_assume(x > 3); assert(x != 9);",
        "violated",
    ),
    word(
        "__CPROVER_assert",
        "",
        "int x = 1; __CPROVER_assert(x == 1, \"one\");",
        "int x = 1; __CPROVER_assert(x == 2, \"two\");",
        "violated",
    ),
    word(
        "__CPROVER_precondition",
        "",
        "int x = 1; __CPROVER_precondition(x == 1, \"one\");",
        "int x = 1; __CPROVER_precondition(x == 2, \"two\");",
        "violated",
    ),
    word(
        "nondet_…",
        "unsigned char nondet_uchar(void); _Bool nondet_bool(void);",
        "unsigned char c = nondet_uchar(); assert(c < 256); assert(nondet_bool() <= 1);",
        "unsigned char c = nondet_uchar(); assert(c < 255);",
        "violated",
    ),
    word(
        "__CPROVER_r_ok",
        "",
        "char *p = malloc(4); if (p) { assert(__CPROVER_r_ok(p, 4)); assert(!__CPROVER_r_ok(p, 5)); \
         assert(__CPROVER_r_ok(p + 4, 0)); assert(!__CPROVER_r_ok(p + 1, 4)); } \
         assert(!__CPROVER_r_ok((char *)0, 0));",
        "char *p = malloc(4); assert(__CPROVER_r_ok(p, 4));",
        "violated",
    ),
    word(
        "__CPROVER_w_ok",
        "static const int fixed = 3; static int open;",
        "assert(__CPROVER_w_ok(&open, sizeof open)); assert(!__CPROVER_w_ok(&fixed, sizeof fixed)); \
         assert(__CPROVER_r_ok(&fixed, sizeof fixed));",
        "assert(__CPROVER_w_ok(&fixed, sizeof fixed));",
        "unknown violated",
    ),
    word(
        "__CPROVER_rw_ok",
        "",
        "int a[3]; assert(__CPROVER_rw_ok(a, 12)); assert(!__CPROVER_rw_ok(a, 13)); \
         assert(__CPROVER_rw_ok(&a[2]));",
        "int *p = malloc(4); free(p); assert(p == 0 || __CPROVER_rw_ok(p, 4));",
        "unknown violated",
    ),
    word(
        "__CPROVER_same_object",
        "",
        "char a[4], b[4]; char *p = a + 1; assert(__CPROVER_same_object(a, p)); \
         assert(!__CPROVER_same_object(a, b));",
        "char a[4], b[4]; assert(__CPROVER_same_object(a, b));",
        "unknown violated",
    ),
    word(
        "__CPROVER_POINTER_OBJECT",
        "",
        "char a[4], b[4]; char *p = a + 1; \
         assert(__CPROVER_POINTER_OBJECT(a) == __CPROVER_POINTER_OBJECT(p)); \
         assert(__CPROVER_POINTER_OBJECT(a) != __CPROVER_POINTER_OBJECT(b));",
        // A number has no meaning by itself.
        "char a[4]; assert(__CPROVER_POINTER_OBJECT(a) > 7);",
        "unknown",
    ),
    word(
        "__CPROVER_POINTER_OFFSET",
        "",
        "char a[4]; assert(__CPROVER_POINTER_OFFSET(a + 3) == 3);",
        "char a[4]; assert(__CPROVER_POINTER_OFFSET(a + 3) == 2);",
        "unknown violated",
    ),
    word(
        "__CPROVER_OBJECT_SIZE",
        "",
        "char *p = malloc(9); assert(p == 0 || __CPROVER_OBJECT_SIZE(p + 1) == 9);",
        "char *p = malloc(9); assert(p == 0 || __CPROVER_OBJECT_SIZE(p + 1) == 8);",
        "unknown violated",
    ),
    word(
        "__CPROVER_havoc_object",
        "",
        "int a[2] = {1, 2}; int b = 3; __CPROVER_havoc_object(&a[1]); assert(b == 3);",
        "int a[2] = {1, 2}; __CPROVER_havoc_object(&a[1]); assert(a[0] == 1);",
        "unknown violated",
    ),
    word(
        "__CPROVER_havoc_slice",
        "",
        "int a[2] = {1, 2}; __CPROVER_havoc_slice(&a[1], sizeof(int)); assert(a[0] == 1);",
        "int a[2] = {1, 2}; __CPROVER_havoc_slice(&a[1], sizeof(int)); assert(a[1] == 2);",
        "unknown violated",
    ),
    word(
        "__CPROVER_overflow_plus",
        "#include <limits.h>\n",
        "assert(__CPROVER_overflow_plus(INT_MAX, 1)); assert(!__CPROVER_overflow_plus(INT_MAX, 0)); \
         assert(__CPROVER_overflow_plus(UINT_MAX, 1u)); assert(!__CPROVER_overflow_plus(1l, INT_MAX));",
        "assert(__CPROVER_overflow_plus(1, 2));",
        "violated",
    ),
    word(
        "__CPROVER_overflow_minus",
        "#include <limits.h>\n",
        "assert(__CPROVER_overflow_minus(0u, 1u)); assert(!__CPROVER_overflow_minus(0, 1)); \
         assert(__CPROVER_overflow_minus(INT_MIN, 1));",
        "assert(__CPROVER_overflow_minus(2, 1));",
        "violated",
    ),
    word(
        "__CPROVER_overflow_mult",
        "",
        "assert(__CPROVER_overflow_mult(1ul << 40, 1ul << 40)); assert(!__CPROVER_overflow_mult(3, 4));",
        "assert(__CPROVER_overflow_mult(3, 4));",
        "violated",
    ),
    word(
        "__CPROVER_overflow_unary_minus",
        "#include <limits.h>\n",
        "assert(__CPROVER_overflow_unary_minus(INT_MIN)); assert(!__CPROVER_overflow_unary_minus(1));",
        "assert(__CPROVER_overflow_unary_minus(1));",
        "unknown violated",
    ),
    word(
        "__CPROVER_uninterpreted_…",
        "int __CPROVER_uninterpreted_f(int); int nondet_int(void);",
        "int x = nondet_int(), y = nondet_int(); \
         int a = __CPROVER_uninterpreted_f(x), b = __CPROVER_uninterpreted_f(y); \
         assert(x != y || a == b);",
        "int a = __CPROVER_uninterpreted_f(1), b = __CPROVER_uninterpreted_f(2); assert(a == b);",
        "unknown violated",
    ),
    word(
        "__CPROVER_forall",
        "",
        "int a[3] = {1, 2, 3}; \
         assert(__CPROVER_forall { int i; (0 <= i && i < 3) ==> a[i] > 0 });",
        "int a[3] = {1, 0, 3}; \
         assert(__CPROVER_forall { int i; (0 <= i && i < 3) ==> a[i] > 0 });",
        "unknown violated",
    ),
    word(
        "__CPROVER_exists",
        "",
        "int a[3] = {1, 0, 3}; assert(__CPROVER_exists { int i; (0 <= i && i < 3) && a[i] == 0 });",
        "int a[3] = {1, 2, 3}; assert(__CPROVER_exists { int i; (0 <= i && i < 3) && a[i] == 0 });",
        "unknown violated",
    ),
    word(
        "__CPROVER_loop_invariant",
        "",
        "int i = 0; while (i < 10) __CPROVER_assigns(i) __CPROVER_loop_invariant(0 <= i && i <= 10) \
         __CPROVER_decreases(10 - i) { i++; } assert(i == 10);",
        "int i = 0; while (i < 10) __CPROVER_loop_invariant(i < 10) { i++; }",
        "violated",
    ),
    word(
        "__CPROVER_decreases",
        "",
        "int i = 9; do __CPROVER_decreases(i) { i--; } while (i > 0); assert(i == 0);",
        "for (int i = 0; i < 9; i++) __CPROVER_decreases(i) { }",
        "violated",
    ),
    word(
        "a word that nobody knows",
        "",
        "int x = 1; assert(x == 1);",
        "int x = __CPROVER_frobnicate(1); assert(x == 1);",
        "unknown",
    ),
    word(
        "klee_make_symbolic",
        "",
        "int x, y = 2; klee_make_symbolic(&x, sizeof x, \"x\"); assert(y == 2);",
        "int x = 1; klee_make_symbolic(&x, sizeof x, \"x\"); assert(x == 1);",
        "unknown violated",
    ),
    word(
        "klee_assume",
        "int nondet_int(void);",
        "int x = nondet_int(); klee_assume(x == 3); klee_assert(x == 3);",
        "int x = nondet_int(); klee_assume(x >= 3); klee_assert(x == 3);",
        "violated",
    ),
    word(
        "klee_assert",
        "",
        "int x = 3; klee_assert(x == 3);",
        "int x = 3; klee_assert(x == 4);",
        "violated",
    ),
    word(
        "klee_range",
        "",
        "int x = klee_range(2, 5, \"x\"); assert(x >= 2 && x < 5);",
        "int x = klee_range(2, 5, \"x\"); assert(x < 4);",
        "unknown violated",
    ),
];

fn check(folder: &Path, text: &str) -> (&'static str, String) {
    let path = folder.join("program.c");
    std::fs::write(&path, text).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_prova"))
        .args(["check", "--no-config", "--timeout", "20"])
        .arg(&path)
        .output()
        .expect("the command runs");
    let verdict = match output.status.code() {
        Some(0) => "proved",
        Some(1) => "violated",
        Some(3) => "unknown",
        _ => "none",
    };
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (verdict, said + &String::from_utf8_lossy(&output.stderr))
}

#[test]
fn words_mean_what_they_mean_elsewhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut complaints = Vec::new();
    for word in WORDS {
        for (body, verdicts) in [(word.holds, "proved"), (word.fails, word.verdict)] {
            let text = format!(
                "#include <assert.h>\n#include <stdlib.h>\n{}\nvoid word_harness(void)\n{{\n    {body}\n}}\n",
                word.head
            );
            let (verdict, said) = check(folder.path(), &text);
            if !verdicts.split(' ').any(|v| v == verdict) {
                complaints.push(format!(
                    "{}: {verdict}, not {verdicts}, of\n{text}{said}",
                    word.name
                ));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

#[test]
fn a_word_that_is_not_understood_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "void f_harness(void) { if (__CPROVER_frobnicate(1)) __CPROVER_assert(0, \"no\"); }";
    let (verdict, said) = check(folder.path(), text);
    assert_eq!(verdict, "unknown", "{said}");
    assert!(said.contains("`__CPROVER_frobnicate`"), "{said}");
}

#[test]
fn static_functions_are_called_by_the_name_of_their_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let queue = folder.path().join("queue.c");
    std::fs::write(
        &queue,
        "static int s_next(int x) { return x + 1; }\nint use(int x) { return s_next(x); }\n",
    )
    .expect("written");
    let run = |harness: &str| {
        let path = folder.path().join("harness.c");
        std::fs::write(&path, harness).expect("written");
        let output = Command::new(env!("CARGO_BIN_EXE_prova"))
            .args(["check", "--no-config", "--timeout", "20"])
            .args([&path, &queue])
            .output()
            .expect("the command runs");
        output.status.code()
    };
    let named = "#include <assert.h>\nint __CPROVER_file_local_queue_c_s_next(int);\n\
                 void harness(void) { assert(__CPROVER_file_local_queue_c_s_next(1) == 2); }\n";
    assert_eq!(run(named), Some(0));
    // One that is defined under that name takes its place.
    let replaced = "#include <assert.h>\nint use(int);\n\
                    int __CPROVER_file_local_queue_c_s_next(int x) { return 7; }\n\
                    void harness(void) { assert(use(1) == 7); }\n";
    assert_eq!(run(replaced), Some(0));
}

#[test]
fn the_folder_of_a_proof_becomes_a_project() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    std::fs::create_dir_all(root.join("proofs/push")).expect("a folder");
    std::fs::create_dir_all(root.join("include")).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(root.join(name), text).expect("written");
    write(
        "proofs/Makefile.common",
        "ROOT = $(abspath ../..)\nINCLUDES += -I$(ROOT)/include\nDEFINES += -DCBMC=1\n",
    );
    write(
        "proofs/push/Makefile",
        "HARNESS_ENTRY = push_harness\nPROOF_SOURCES += $(abspath .)/push_harness.c\n\
         PROJECT_SOURCES += $(ROOT)/queue.c\nDEFINES += -DMOST=4\nUNWINDSET += push.0:5\n\
         REMOVE_FUNCTION_BODY += note\ninclude ../Makefile.common\n",
    );
    write("include/queue.h", "int push(int); void note(void);\n");
    write(
        "queue.c",
        "#include \"queue.h\"\nint push(int x) { int n = 0; while (n < x) n++; note(); return n; }\n\
         void note(void) { __CPROVER_assert(0, \"not in this proof\"); }\n",
    );
    write(
        "proofs/push/push_harness.c",
        "#include \"queue.h\"\nint nondet_int(void);\nvoid other_harness(void) {}\n\
         void push_harness(void) { int x = nondet_int(); __CPROVER_assume(0 <= x && x <= MOST);\n\
         __CPROVER_assert(push(x) == x, \"counted\"); }\n",
    );
    let prova = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_prova"))
            .current_dir(root.join("proofs/push"))
            .args(arguments)
            .output()
            .expect("the command runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        (
            output.status.code(),
            said + &String::from_utf8_lossy(&output.stderr),
        )
    };
    let (status, said) = prova(&["import", "cbmc", "."]);
    assert_eq!(status, Some(0), "{said}");
    let made = std::fs::read_to_string(root.join("proofs/push/prova.toml")).expect("a file");
    for line in [
        "start = \"push_harness\"",
        "\"../../queue.c\"",
        "bound = [\"push=5\"]",
        "\"MOST=4\"",
        "undefined = \"pure\"",
    ] {
        assert!(made.contains(line), "{line} is not in\n{made}");
    }
    let (status, said) = prova(&["check", "--property", "unreach-call", "--timeout", "20"]);
    assert_eq!(status, Some(0), "{said}");
    let (status, said) = prova(&["import", "cbmc", "nowhere"]);
    assert_eq!(status, Some(2), "{said}");
}
