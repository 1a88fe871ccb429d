//! Files of machines that somebody mistyped: whatever is wrong, there is a message with a place, and
//! nothing falls over.

use prova_conform::lts::read::parse;
use prova_conform::lts::syntax::Role;
use prova_conform::plan::Plan;
use std::path::Path;

/// Reads a text as far as that goes without a program; the message, if there is one.
fn read(text: &str) -> Result<(), String> {
    let told = |e: Box<prova_c::Diagnostic>| {
        assert!(e.render(false).contains("bad.lts:"));
        e.to_string()
    };
    let file = parse("bad.lts", text).map_err(told)?;
    let targets = file.abstractions.iter().filter(|a| a.role == Role::Target);
    for target in targets {
        Plan::new(&file, Some(&target.name.text)).map_err(told)?;
    }
    Ok(())
}

/// The words of a text, as places.
fn words(text: &str) -> Vec<std::ops::Range<usize>> {
    let tokens = prova_c::tokens::tokenize(text).map(|t| t.tokens);
    let tokens = tokens.unwrap_or_default();
    tokens.iter().map(|t| t.range()).collect()
}

#[test]
fn every_slip_has_a_place() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/conform");
    let (mut tried, mut wrong) = (0, 0);
    for name in [
        "device_guarded.lts",
        "handshake_pieces.lts",
        "labels_order.lts",
        "branch_late_early.lts",
    ] {
        let text = std::fs::read_to_string(folder.join(name)).expect("a text");
        read(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let words = words(&text);
        assert!(words.len() > 20, "{name}");
        for (i, word) in words.iter().enumerate() {
            let (before, own, behind) =
                (&text[..word.start], &text[word.clone()], &text[word.end..]);
            let next = words.get(i + 1).map_or("", |w| &text[w.clone()]);
            let slips = [
                format!("{before}{behind}"),
                format!("{before}{own} {own}{behind}"),
                format!("{before}{next} {own}{behind}"),
                format!("{before}@{behind}"),
                format!("{before}-99999999999999999999{behind}"),
                format!("{before}return{behind}"),
                before.to_string(),
            ];
            for slip in slips {
                tried += 1;
                if let Err(message) = read(&slip) {
                    wrong += 1;
                    assert!(message.contains("bad.lts:"), "{message}\n{slip}");
                }
            }
        }
    }
    // Most slips are no machines any more.
    assert!(tried > 2_000 && wrong * 2 > tried, "{wrong} of {tried}");
}

#[test]
fn what_could_mean_two_things_is_refused() {
    let cases = [
        (
            "machine P(x, x) { s: x -> s; }",
            "bad.lts:1:14: there are two parameters `x`",
        ),
        (
            "machine P(x) { s: a -> x; x: ; }",
            "bad.lts:1:27: `x` is a parameter",
        ),
        ("machine M { s: ; }\nlabel L = tau;", "bad.lts:2:11: `tau`"),
        ("machine M { s: ; }\nhidden tau;", "bad.lts:2:8: `tau`"),
        (
            "machine M { s: return 0; }\nassume int f(int) : M;",
            "bad.lts:2:14: a parameter needs a type and a name",
        ),
        (
            "machine M { s: return 0; }\ntarget int f(void) { else : M; 1 : M; }",
            "bad.lts:2:32: `else` comes last",
        ),
    ];
    for (text, wanted) in cases {
        let message = read(text).expect_err(text);
        assert!(message.contains(wanted), "{text}: {message}");
    }
}
