//! Programs as deep as they may be: the parser's stack must hold, and so must dropping the tree.

use prova_c::{parse_text, preprocess::Options};

fn parses(text: String) -> bool {
    parse_text("deep.i", text, &Options::default()).is_ok()
}

#[test]
fn what_passes_the_depth_check_parses() {
    let brackets = 990;
    let long = 4_900;
    let f = |body: String| format!("int f(int x) {{ {body} }}");
    for (name, text) in [
        (
            "parentheses",
            f(format!(
                "return {}x{};",
                "(".repeat(brackets),
                ")".repeat(brackets)
            )),
        ),
        (
            "calls",
            f(format!(
                "return {}x{};",
                "f(".repeat(brackets),
                ")".repeat(brackets)
            )),
        ),
        (
            "indices",
            f(format!(
                "return {}x{};",
                "1[".repeat(brackets),
                "]".repeat(brackets)
            )),
        ),
        (
            "sums",
            f(format!(
                "return {}x{};",
                "(1+".repeat(brackets),
                ")".repeat(brackets)
            )),
        ),
        (
            "blocks",
            f(format!("{}{}", "{".repeat(brackets), "}".repeat(brackets))),
        ),
        (
            "loops",
            f(format!(
                "{};{}",
                "while (x) {".repeat(brackets),
                "}".repeat(brackets)
            )),
        ),
        (
            "braces",
            format!(
                "int a[] = {}0{};",
                "{".repeat(brackets),
                "}".repeat(brackets)
            ),
        ),
        (
            "structs",
            format!(
                "{}int a;{} x;",
                "struct {".repeat(brackets),
                "} m;".repeat(brackets - 1) + "}"
            ),
        ),
        (
            "statement expressions",
            f(format!(
                "return {}x;{};",
                "({".repeat(brackets / 2),
                "});".repeat(brackets / 2)
            )),
        ),
        ("prefixes", f(format!("return {} x;", "- ".repeat(long)))),
        ("terms", f(format!("return x{};", " + x".repeat(long)))),
        (
            "choices",
            f(format!("return {} x;", "x ? x : ".repeat(long))),
        ),
        ("assignments", f(format!("{} 1;", "x = ".repeat(long)))),
        ("casts", f(format!("return {} x;", "(int)".repeat(long)))),
        ("members", f(format!("return x{};", ".m".repeat(long)))),
        ("stars", format!("int {}p;", "*".repeat(long))),
        (
            "cases",
            f(format!("switch (x) {{ {} ; }}", "case 1: ".repeat(long))),
        ),
        ("labels", f(format!("{} ;", "l: ".repeat(long)))),
        (
            "else",
            f(format!("{} ;", "if (x) x = 1; else ".repeat(long / 2))),
        ),
        ("ifs", f(format!("{} ;", "if (x) ".repeat(long / 2)))),
        ("sizes", f(format!("return {} x;", "sizeof ".repeat(long)))),
    ] {
        assert!(parses(text), "{name}");
    }
}
