//! Families of programs about n addresses that may be the same, or are known not to be. Each grows
//! in n only; a guard may be left out, and then an error can be reached.

use std::fmt::Write;

/// How the last question is put.
#[derive(Clone, Copy, Debug)]
pub enum Question {
    /// A condition of n parts, each looked at only if those before it do not hold.
    Either,
    /// A check for each.
    Each,
    /// Each may raise a flag, which is looked at in the end.
    Flag,
}

const HEAD: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n";

/// Asks whether one of the `cells` holds 1.
fn ask(text: &mut String, question: Question, cells: &[String]) {
    match question {
        Question::Either => {
            let parts: Vec<String> = cells.iter().map(|c| format!("{c} == 1")).collect();
            writeln!(text, "  if ({}) reach_error();", parts.join(" || ")).unwrap();
        }
        Question::Each => {
            for cell in cells {
                writeln!(text, "  if ({cell} == 1) reach_error();").unwrap();
            }
        }
        Question::Flag => {
            text.push_str("  int flag = 0;\n");
            for cell in cells {
                writeln!(text, "  if ({cell} == 1) flag = 1;").unwrap();
            }
            text.push_str("  if (flag) reach_error();\n");
        }
    }
    text.push_str("  return 0;\n}\n");
}

fn parameters(n: usize, kind: &str) -> String {
    (0..n).map(|i| format!(", {kind}p{i}")).collect()
}

/// Returns where one of the `addresses` is that of `q`, except for the one that is left out.
fn keep_apart(text: &mut String, addresses: &[String], left_out: Option<usize>) {
    for (i, address) in addresses.iter().enumerate() {
        if left_out != Some(i) {
            writeln!(text, "  if (q == {address}) return 0;").unwrap();
        }
    }
}

fn named(n: usize, name: impl Fn(usize) -> String) -> Vec<String> {
    (0..n).map(name).collect()
}

/// n arbitrary pointers are written with one value, and another that differs from all of them with
/// a second one: does one of the n hold that? The entry is `f`.
pub fn pointers(n: usize, question: Question, left_out: Option<usize>) -> String {
    let mut text = format!("{HEAD}int f(int *q{}) {{\n", parameters(n, "int *"));
    keep_apart(&mut text, &named(n, |i| format!("p{i}")), left_out);
    for i in 0..n {
        writeln!(text, "  *p{i} = 0;").unwrap();
    }
    text.push_str("  *q = 1;\n");
    ask(&mut text, question, &named(n, |i| format!("*p{i}")));
    text
}

/// The same through pointers to pointers. The entry is `f`.
pub fn handles(n: usize, left_out: Option<usize>) -> String {
    let mut text = format!("{HEAD}int f(int *q{}) {{\n", parameters(n, "int **"));
    keep_apart(&mut text, &named(n, |i| format!("*p{i}")), left_out);
    for i in 0..n {
        writeln!(text, "  **p{i} = 0;").unwrap();
    }
    text.push_str("  *q = 1;\n");
    ask(&mut text, Question::Each, &named(n, |i| format!("**p{i}")));
    text
}

/// The same with elements of an array. The entry is `main`.
pub fn elements(n: usize, left_out: Option<usize>) -> String {
    let mut text = format!("{HEAD}int m[1000];\nint main(void) {{\n");
    let mut index = |name: &str| {
        writeln!(text, "  int {name} = __VERIFIER_nondet_int();").unwrap();
        writeln!(text, "  if ({name} < 0 || {name} >= 1000) return 0;").unwrap();
    };
    index("q");
    (0..n).for_each(|i| index(&format!("p{i}")));
    keep_apart(&mut text, &named(n, |i| format!("p{i}")), left_out);
    for i in 0..n {
        writeln!(text, "  m[p{i}] = 0;").unwrap();
    }
    text.push_str("  m[q] = 1;\n");
    ask(&mut text, Question::Each, &named(n, |i| format!("m[p{i}]")));
    text
}

/// The values behind n + 1 pointers change places, as they compare; another pointer's value, which
/// differs from all of them, does not. The entry is `f`.
pub fn exchanges(n: usize, left_out: Option<usize>) -> String {
    let mut text = format!("{HEAD}int f(int *q{}) {{\n", parameters(n + 1, "int *"));
    keep_apart(&mut text, &named(n + 1, |i| format!("p{i}")), left_out);
    text.push_str("  int t;\n  *q = 7;\n");
    for (i, k) in (0..n).map(|i| (i, i + 1)) {
        let exchange = format!("t = *p{i}; *p{i} = *p{k}; *p{k} = t;");
        writeln!(text, "  if (*p{i} > *p{k}) {{ {exchange} }}").unwrap();
    }
    text.push_str("  if (*q != 7) reach_error();\n  return 0;\n}\n");
    text
}

/// n blocks of the heap with two fields, and one more: what is written to it is not in the others.
/// The entry is `main`. With `left_out`, that block is the last one, too.
pub fn blocks(n: usize, left_out: Option<usize>) -> String {
    let mut text = format!(
        "{HEAD}extern void *malloc(unsigned long);\nstruct pair {{ int a; int b; }};\nint main(void) {{\n"
    );
    let mut block = |name: &str| {
        writeln!(text, "  struct pair *{name} = malloc(sizeof *{name});").unwrap();
        writeln!(text, "  if (!{name}) return 0;").unwrap();
    };
    (0..n).for_each(|i| block(&format!("p{i}")));
    match left_out {
        None => block("q"),
        Some(i) => writeln!(text, "  struct pair *q = p{i};").unwrap(),
    }
    for i in 0..n {
        writeln!(text, "  p{i}->a = 0; p{i}->b = 1;").unwrap();
    }
    text.push_str("  q->a = 1;\n");
    ask(&mut text, Question::Each, &named(n, |i| format!("p{i}->a")));
    text
}
