//! A rule for an interface (SLIC, `docs/slic.md`) as a machine: what a client that keeps to it may do.
//!
//! The client is a C procedure that does the events of the rule in any order, as long as the rule
//! allows them, and never returns; the machine has the traces of this procedure
//! ([`crate::document`]), and it is shown that none is missing. So whatever C stands in a handler,
//! nothing is interpreted here.
//!
//! An entry of `f` is the action `f`, its return `f_return`. What the program would pass or get
//! (`$1`, `$return`) is arbitrary. A rule that watches objects is about one of them.

use prova_c::tokens::Kind;
use prova_spec::slic::syntax::{Event, EventHandler, Rule};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;

/// What stands before names of ours in the client.
const OWN: &str = "slic_";
/// The procedure's name.
pub const CLIENT: &str = "slic_client";

/// A client in C, and the file of machines that has it as its target.
pub fn client(rule: &Rule) -> (String, String) {
    let mut events: BTreeMap<String, Vec<&EventHandler>> = BTreeMap::new();
    for handler in &rule.handlers {
        for function in &handler.functions {
            let action = match handler.event {
                Event::Entry => function.text.clone(),
                Event::Exit => format!("{}_return", function.text),
            };
            events.entry(action).or_default().push(handler);
        }
    }
    let mut text = String::from("int __VERIFIER_nondet_int(void);\n");
    text.push_str("long __VERIFIER_nondet_long(void);\n");
    for action in events.keys() {
        let _ = writeln!(text, "void {OWN}act_{action}(void);");
    }
    let _ = writeln!(text, "void {CLIENT}(void) {{");
    for declaration in &rule.state {
        copy(&mut text, rule, declaration.range.clone(), "");
    }
    text.push_str("for (;;) {\nswitch (__VERIFIER_nondet_int()) {\n");
    for (number, (action, handlers)) in events.iter().enumerate() {
        let _ = writeln!(text, "case {number}: {{");
        let shows = format!("{OWN}act_{action}();");
        let used: BTreeSet<String> = handlers.iter().flat_map(|h| used(rule, h)).collect();
        for object in used {
            let _ = writeln!(text, "long {object} = __VERIFIER_nondet_long();");
        }
        for handler in handlers {
            copy(&mut text, rule, handler.body.clone(), &shows);
        }
        let _ = writeln!(text, "{shows}\nbreak; }}");
    }
    text.push_str("default: break;\n}\n}\n}\n");
    let mut machines = String::new();
    for action in events.keys() {
        let _ = writeln!(
            machines,
            "machine M_{action} {{ s: {action} -> d; d: return void; }}\n\
             assume void {OWN}act_{action}(void) : M_{action};"
        );
    }
    let _ = writeln!(
        machines,
        "machine Any {{ s: return any; }}\ntarget void {CLIENT}(void) : Any;"
    );
    (text, machines)
}

/// The name of what a program passes or gets.
fn object(word: &str) -> Option<String> {
    let name = word.strip_prefix('$')?;
    let known = name == "return" || name.parse::<u32>().is_ok();
    known.then(|| format!("{OWN}{name}"))
}

fn used(rule: &Rule, handler: &EventHandler) -> Vec<String> {
    let inside = rule.tokens.iter().map(|t| t.range());
    let inside = inside.filter(|r| handler.body.contains(&r.start));
    inside
        .filter_map(|r| object(&rule.source.before[r]))
        .collect()
}

/// A part of the rule at its own line: where it aborts, the client does not go on, for it would not
/// do that; where it halts, nothing comes behind what was done.
fn copy(text: &mut String, rule: &Rule, range: Range<usize>, shows: &str) {
    let source = &rule.source.before;
    let line = source[..range.start].matches('\n').count() + 1;
    let file = rule.source.name.replace(['"', '\\'], "_");
    let _ = writeln!(text, "# {line} \"{file}\"");
    let mut copied = range.start;
    let tokens: Vec<_> = rule.tokens.iter().collect();
    let word = |i: usize| tokens.get(i).map_or("", |t| &source[t.range()]);
    let (mut i, end) = (0, range.end);
    while i < tokens.len() {
        let here = tokens[i].range();
        if here.start < copied || here.start >= end || tokens[i].kind != Kind::Word {
            i += 1;
            continue;
        }
        let ends = |what: String, text: &mut String| {
            // All up to the semicolon stands for one statement.
            let last = (i..tokens.len()).find(|&j| word(j) == ";").unwrap_or(i);
            text.push_str(&source[copied..here.start]);
            text.push_str(&what);
            (last, tokens[last].range().end)
        };
        let (last, behind) = match word(i) {
            "abort" => ends("for (;;) ;".into(), text),
            "halt" => ends(format!("{{ {shows} for (;;) ; }}"), text),
            other => match object(other) {
                Some(name) => {
                    text.push_str(&source[copied..here.start]);
                    text.push_str(&name);
                    (i, here.end)
                }
                None => (i, copied),
            },
        };
        copied = behind;
        i = last + 1;
    }
    text.push_str(&source[copied..end]);
    text.push_str("\n# 1 \"client.c\"\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lts::read::parse;

    #[test]
    fn what_a_rule_forbids_the_client_does_not_do() {
        let text = "state { int held = 0; }\n\
                    take.entry { if (held) abort \"twice\"; held = $1 > 0; }\n\
                    take.return { if ($return == 3) halt; }";
        let rule = prova_spec::slic::parse("r.slic", text).expect("a rule");
        let (client, machines) = client(&rule);
        for wanted in [
            "int held = 0;",
            "if (held) for (;;) ; held = slic_1 > 0; }",
            "if (slic_return == 3) { slic_act_take_return(); for (;;) ; } }",
            "long slic_1 = __VERIFIER_nondet_long();",
        ] {
            assert!(client.contains(wanted), "{wanted}: {client}");
        }
        let file = parse("r.lts", &machines).expect("machines");
        assert_eq!(file.machines.len(), 3);
    }
}
