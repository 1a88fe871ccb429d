//! Violations happen again in a plain compiled program, whatever the run depends on.

mod support;

use prova_ir::DataModel;
use support::{Case, How};

const DECLARATIONS: &str = "
    extern void reach_error(void);
    extern int __VERIFIER_nondet_int(void);
    extern void __VERIFIER_assume(int);
";

fn replays(text: &str) -> prova_evidence::Confirmed {
    Case::of_text(&format!("{DECLARATIONS}{text}"), How::default()).replays()
}

fn entry_replays(entry: &str, text: &str) -> prova_evidence::Confirmed {
    let how = How {
        entry: Some(entry),
        ..How::default()
    };
    Case::of_text(&format!("{DECLARATIONS}{text}"), how).replays()
}

#[test]
fn values_of_all_types_arrive_as_they_were_recorded() {
    replays(
        "extern unsigned char a(void); extern short b(void); extern _Bool c(void);
         extern long long d(void); extern double e(void); extern float f(void);
         extern unsigned long g(void); extern char *h(void);
         int main(void) {
             if (a() == 200 && b() == -300 && c() && d() == -0x7000000000000000LL
                 && e() == 2.5 && f() == 0.25f && g() == 0xffffffffUL && !h())
                 reach_error();
         }",
    );
}

#[test]
fn thirty_two_bits_replay_with_their_own_sizes() {
    let how = How {
        model: DataModel::Ilp32,
        ..How::default()
    };
    let text = "int main(void) {
        long x = __VERIFIER_nondet_int();
        if (sizeof(long) == 4 && x * 2 < 0 && x > 0) reach_error(); }";
    Case::of_text(&format!("{DECLARATIONS}{text}"), how).replays();
}

#[test]
fn programs_that_define_their_error_function_replay() {
    let text = "extern void abort(void); extern int __VERIFIER_nondet_int(void);
        void reach_error() { abort(); }
        void __VERIFIER_assert(int cond) { if (!cond) { ERROR: reach_error(); abort(); } }
        int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(x != 77); return 0; }";
    Case::of_text(text, How::default()).replays();
    let hidden = text.replace("void reach_error", "static void reach_error");
    let confirmed = Case::of_text(&hidden, How::default()).replays();
    assert!(confirmed.notes[0].contains("`reach_error` is static"));
}

#[test]
fn failed_assertions_of_the_c_library_replay() {
    let text = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);
        int main(void) { int x = __VERIFIER_nondet_int(); assert(x < 100 || x > 200); }";
    Case::of_text(text, How::default()).replays();
}

#[test]
fn error_labels_replay() {
    let how = How {
        label: Some("FAIL"),
        ..How::default()
    };
    let text = "extern int __VERIFIER_nondet_int(void);
        int main(void) { int x = __VERIFIER_nondet_int(); if (x == 4) FAIL: x = 0; return x; }";
    let confirmed = Case::of_text(text, how).replays();
    assert!(confirmed.notes[0].contains("label `FAIL`"));
}

#[test]
fn uninitialised_variables_get_their_values_in_a_copy_and_it_is_said() {
    let confirmed = replays(
        "struct pair { int a, b; };
         static int twice(int k) { int (*f)(int), x[3]; struct pair p;
             if (k) return p.b == 5 && x[2] == 6; return p.b == 7; }
         int main(void) { if (twice(1) && twice(0)) reach_error(); }",
    );
    assert_eq!(confirmed.notes.len(), 2, "{:?}", confirmed.notes);
    assert!(confirmed
        .notes
        .iter()
        .any(|n| n.contains("`x` is uninitialised")));
    assert!(confirmed
        .notes
        .iter()
        .any(|n| n.contains("`p` is uninitialised")));
}

#[test]
fn uninitialised_variables_whose_value_does_not_matter_stay_as_they_are() {
    let confirmed = replays(
        "int main(void) { int x, y; if (__VERIFIER_nondet_int() == 3) y = x; else y = 1;
           if (y != 1 || x == y) reach_error(); return y; }",
    );
    assert!(confirmed.notes.is_empty(), "{:?}", confirmed.notes);
}

/// Where the system lets a process have a larger stack; else there is nothing to show.
#[test]
fn programs_that_need_a_larger_stack_get_it_and_it_is_said() {
    let limit = std::process::Command::new("sh")
        .args(["-c", "ulimit -Hs"])
        .output();
    let limit = limit.map_or(String::new(), |l| {
        String::from_utf8_lossy(&l.stdout).into_owned()
    });
    if limit.trim() != "unlimited" {
        println!("skipped: the largest stack has {} KB", limit.trim());
        return;
    }
    let confirmed = replays(
        "int main(void) { int x = __VERIFIER_nondet_int(); int large[10000000]; large[0] = x;
             if (large[0] == 3) reach_error(); return 0; }",
    );
    let said = |n: &String| n.contains("a larger stack than usual");
    assert!(confirmed.notes.iter().any(said), "{:?}", confirmed.notes);
}

#[test]
fn blocks_from_malloc_hold_what_was_recorded() {
    replays(
        "void *malloc(unsigned long);
         int main(void) { int *p = malloc(8), *q = malloc(8);
             if (p[1] == 11 && q[0] == 12) reach_error(); }",
    );
}

#[test]
fn undefined_functions_and_variables_are_supplied() {
    replays(
        "extern int level; extern int table[4]; extern int ask(int, char *); extern void tell(int);
         int main(void) { tell(3); int a = ask(1, \"x\"); ask(2, 0); tell(4);
             if (a == 5 && ask(3, 0) == 6 && level == 7 && table[2] == 8) reach_error(); }",
    );
}

#[test]
fn the_library_s_random_numbers_are_supplied() {
    replays(
        "int rand(void); int printf(const char *, ...);
         int main(void) { int x = rand(); printf(\"%d\", x); if (x == 123456) reach_error(); }",
    );
}

#[test]
fn arguments_of_main_are_supplied() {
    replays("int main(int argc, char **argv) { if (argc == 17 && !argv) reach_error(); }");
}

#[test]
fn unknown_objects_lie_where_pointers_say() {
    replays(
        "struct node { struct node *next; int value; };
         extern struct node *list(void);
         int main(void) { struct node *n = list();
             if (n && n->next && n->next != n && n->value == 3 && n->next->value == 4) {
                 n->value = 9;
                 if (n->value == 9 && n->next->value == 4) reach_error(); } }",
    );
}

#[test]
fn entry_functions_get_arguments_globals_and_memory() {
    let confirmed = entry_replays(
        "work",
        "struct box { int size; char *name; };
         static int limit = 5; int table[3] = {1, 2, 3}; int untouched = 6;
         static void work(struct box *b, unsigned char c, double d, struct box copy) {
             if (b && b->size == 12 && b->name && b->name[1] == 'x' && c == 250 && d == 1.5
                 && limit == 40 && table[1] == 50 && untouched == 6 && copy.size == 3)
                 reach_error(); }
         int main(void) { return 0; }",
    );
    assert!(confirmed.notes.is_empty(), "{:?}", confirmed.notes);
}

#[test]
fn entry_functions_in_other_files_get_globals_of_all() {
    let how = How {
        entry: Some("work"),
        ..How::default()
    };
    let first = "int shared = 1; int get(void) { return shared; }";
    let second = "extern void reach_error(void); int get(void); int own;
        void work(int x) { if (get() == 30 && own == 31 && x == 32) reach_error(); }";
    Case::of_texts(&[("first.c", first), ("second.c", second)], how).replays();
}

#[test]
fn several_files_replay_together() {
    let first = "extern void reach_error(void); int other(int);
        extern int __VERIFIER_nondet_int(void);
        int main(void) { if (other(__VERIFIER_nondet_int())) reach_error(); }";
    let second = "static int secret = 99; int other(int x) { return x == secret; }";
    Case::of_texts(&[("first.c", first), ("second.c", second)], How::default()).replays();
}

#[test]
fn inline_functions_of_old_code_are_linked() {
    replays(
        "__inline int same(int a, int b) { return a == b; }
         int main(void) { if (same(__VERIFIER_nondet_int(), 21)) reach_error(); }",
    );
}

#[test]
fn sanitizers_show_what_no_function_does() {
    for (property, text) in [
        (
            "no-overflow",
            "int x = __VERIFIER_nondet_int(); return x + 1;",
        ),
        ("no-div-zero", "return 100 / __VERIFIER_nondet_int();"),
        ("no-shift-error", "return 1u << __VERIFIER_nondet_int();"),
        (
            "valid-deref",
            "int a[4] = {0}; return a[__VERIFIER_nondet_int() & 7];",
        ),
    ] {
        let case = Case::of_property(
            &format!("{DECLARATIONS} int main(void) {{ {text} }}"),
            property,
        );
        let confirmed = case.replays();
        assert!(
            confirmed
                .notes
                .iter()
                .any(|n| n.contains("sanitizer reports")),
            "{property}: {confirmed:?}"
        );
    }
}

/// A compiler that is not told otherwise takes `x + 1 > x` for true, and adds nothing.
#[test]
fn an_overflow_that_the_compiler_could_do_without_is_shown() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int(); return x + 1 > x; }";
    Case::of_property(&format!("{DECLARATIONS}{text}"), "no-overflow").replays();
}

/// The compiler multiplies in eight bits here: no sanitizer sees it overflow. What it does not show
/// is no violation.
#[test]
fn what_a_sanitizer_does_not_see_is_not_confirmed() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int(); char c = x * 3; return c; }";
    let case = Case::of_property(&format!("{DECLARATIONS}{text}"), "no-overflow");
    match case.confirm(&case.violation()) {
        // Another compiler multiplies.
        Ok(confirmed) => assert_eq!(confirmed.how, prova_evidence::How::Native),
        Err(refuted) => {
            assert!(
                refuted.what.contains("does not show the error"),
                "{refuted}"
            );
            assert!(!refuted.ours.is_empty() && !refuted.native.is_empty());
        }
    }
}

#[test]
fn an_error_call_is_no_error_of_another_property() {
    let text =
        "int main(void) { reach_error(); int x = __VERIFIER_nondet_int(); return x / (x - 5); }";
    let case = Case::of_property(&format!("{DECLARATIONS}{text}"), "no-div-zero");
    let confirmed = case.replays();
    assert_eq!(confirmed.recording.property, "no-div-zero");
}
