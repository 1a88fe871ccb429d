//! A deterministic machine as a rule for an interface, in SLIC (`docs/slic.md`): an action is the
//! entry of a function with the action's name (`f_return`: the return of `f`), a return that of the
//! procedure whose machine it is.
//! `prova check --slic` then watches whole programs for what the machine says of one procedure.

use super::{Action, Alphabet, Lts, StateId, Value};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The rule; an error says why the machine is none.
pub fn rule(lts: &Lts, alphabet: &Alphabet, procedure: Option<&str>) -> Result<String, String> {
    if !lts.is_deterministic() {
        return Err("a rule has no choice: this machine is not deterministic".into());
    }
    let name = |state: StateId| {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let name: String = lts.states[state as usize].chars().map(plain).collect();
        format!("in_{name}")
    };
    let names: Vec<String> = (0..lts.states.len() as StateId).map(name).collect();
    let first = &names[lts.initial as usize];
    let mut out = format!(
        "state {{\n    enum {{ {} }} now = {first};\n}}\n",
        names.join(", ")
    );
    let mut events: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for (from, moves) in lts.moves.iter().enumerate() {
        for &(action, to) in moves {
            let from = &names[from];
            let (event, condition) = match (alphabet.action(action), procedure) {
                (Action::Basic(name), _) => (event(name), format!("now == {from}")),
                (Action::Return(value), Some(procedure)) => {
                    let returned = match value {
                        Value::Int(n) => format!(" && $return == {n}"),
                        Value::Void | Value::Any => String::new(),
                        Value::Other => {
                            return Err("`return other` has no word in a rule".into());
                        }
                    };
                    (
                        format!("{procedure}.return"),
                        format!("now == {from}{returned}"),
                    )
                }
                // Without a procedure nobody knows whose returns they are; τ stays.
                _ => continue,
            };
            let to = names[to as usize].clone();
            events.entry(event).or_default().push((condition, to));
        }
    }
    for (event, moves) in events {
        let _ = writeln!(out, "\n{event} {{");
        let mut word = "if";
        for (condition, to) in moves {
            let _ = writeln!(out, "    {word} ({condition}) now = {to};");
            word = "else if";
        }
        let _ = writeln!(out, "    else abort \"the machine does not allow it\";\n}}");
    }
    Ok(out)
}

/// The event that an action of a rule is: the return of `f` where it is `f_return`, as machines that were
/// made from rules say it, and an entry else.
fn event(action: &str) -> String {
    match action.strip_suffix("_return") {
        Some(function) if !function.is_empty() => format!("{function}.return"),
        _ => format!("{action}.entry"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lts::expand::machine;
    use crate::lts::read::parse;

    #[test]
    fn a_machine_becomes_a_rule_that_is_read() {
        let text = "machine M { free: lock -> held | return 0; held: unlock -> free; }";
        let file = parse("m.lts", text).expect("a file");
        let mut alphabet = Alphabet::default();
        let lts = machine(&file, &file.machines[0].name, &mut alphabet).expect("a machine");
        let found = rule(&lts, &alphabet, Some("work")).expect("a rule");
        assert!(found.contains("lock.entry {\n    if (now == in_free) now = in_held;\n"));
        assert!(found.contains("work.return {\n    if (now == in_free && $return == 0)"));
        prova_spec::slic::parse("m.slic", &found).unwrap_or_else(|e| panic!("{e}\n{found}"));
        let returns =
            "machine M { free: grab -> in; in: grab_return -> held; held: drop -> free; }";
        let file = parse("m.lts", returns).expect("a file");
        let lts = machine(&file, &file.machines[0].name, &mut alphabet).expect("a machine");
        let found = rule(&lts, &alphabet, None).expect("a rule");
        assert!(found.contains("grab.return {\n    if (now == in_in) now = in_held;\n"));
        assert!(!found.contains("grab_return"));
        let choice = "machine M { s: a -> s | a -> t; t: ; }";
        let file = parse("m.lts", choice).expect("a file");
        let lts = machine(&file, &file.machines[0].name, &mut alphabet).expect("a machine");
        assert!(rule(&lts, &alphabet, None).is_err());
    }
}
