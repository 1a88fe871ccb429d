//! Machines for people: text as it is read, Graphviz, and SVG in plain layers.

use super::{Action, ActionId, Alphabet, Lts, StateId, TAU};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A machine as a file of machines has it.
pub fn text(lts: &Lts, alphabet: &Alphabet, name: &str) -> String {
    let mut out = format!("machine {name} {{\n");
    let order = std::iter::once(lts.initial)
        .chain((0..lts.states.len() as StateId).filter(|&s| s != lts.initial));
    for state in order {
        let moves = &lts.moves[state as usize];
        let returned = |m: &(ActionId, StateId)| {
            m.1 != state || matches!(alphabet.action(m.0), Action::Return(_))
        };
        // Where only returns lead there is nothing to say.
        let is_stop = moves.is_empty() && state != lts.initial;
        if is_stop && lts.moves.iter().flatten().all(returned) {
            continue;
        }
        let moves: Vec<String> = moves
            .iter()
            .map(|&(action, to)| match alphabet.action(action) {
                Action::Return(_) => alphabet.action(action).to_string(),
                _ => format!("{} -> {}", alphabet.action(action), word(lts, to)),
            })
            .collect();
        let _ = writeln!(out, "    {}: {};", word(lts, state), moves.join(" | "));
    }
    out + "}\n"
}

/// The name of a state as one word.
fn word(lts: &Lts, state: StateId) -> String {
    let name = &lts.states[state as usize];
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    name.chars().map(plain).collect()
}

/// Moves with the same ends, with all that they show.
fn joined(lts: &Lts, alphabet: &Alphabet) -> BTreeMap<(StateId, StateId), Vec<String>> {
    let mut found: BTreeMap<(StateId, StateId), Vec<String>> = BTreeMap::new();
    for (from, moves) in lts.moves.iter().enumerate() {
        for &(action, to) in moves {
            let labels = found.entry((from as StateId, to)).or_default();
            labels.push(shown(alphabet, action));
        }
    }
    found
}

fn shown(alphabet: &Alphabet, action: ActionId) -> String {
    match action {
        TAU => "τ".to_string(),
        other => alphabet.action(other).to_string(),
    }
}

/// A machine for Graphviz.
pub fn dot(lts: &Lts, alphabet: &Alphabet, name: &str) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut out = format!("digraph {} {{\n  node [shape=ellipse];\n", quoted(name));
    let _ = writeln!(out, "  start [shape=point];\n  start -> s{};", lts.initial);
    for (number, state) in lts.states.iter().enumerate() {
        let _ = writeln!(out, "  s{number} [label={}];", quoted(state));
    }
    for ((from, to), labels) in joined(lts, alphabet) {
        let label = quoted(&labels.join(", "));
        let _ = writeln!(out, "  s{from} -> s{to} [label={label}];");
    }
    out + "}\n"
}

/// Width of a letter, height of a line, and room between layers.
const LETTER: f64 = 7.2;
const HEIGHT: f64 = 28.0;
const LAYER: f64 = 92.0;
const GAP: f64 = 60.0;

/// A machine as a picture: states in layers by how far they are from the start.
pub fn svg(lts: &Lts, alphabet: &Alphabet) -> String {
    let mut depth: Vec<Option<usize>> = vec![None; lts.states.len()];
    let reached = lts.reach(lts.initial, |_| true);
    depth[lts.initial as usize] = Some(0);
    for &state in &reached {
        let next = depth[state as usize].map_or(0, |d| d + 1);
        for &(_, to) in &lts.moves[state as usize] {
            depth[to as usize].get_or_insert(next);
        }
    }
    let width = |state: StateId| {
        let letters = lts.states[state as usize].chars().count();
        letters as f64 * LETTER + 24.0
    };
    let mut layers: BTreeMap<usize, f64> = BTreeMap::new();
    let mut places: BTreeMap<StateId, (f64, f64)> = BTreeMap::new();
    for &state in &reached {
        let layer = depth[state as usize].unwrap_or(0);
        let right = layers.entry(layer).or_insert(GAP / 2.0);
        places.insert(state, (*right, 20.0 + layer as f64 * LAYER));
        *right += width(state) + GAP;
    }
    let wide = layers.values().copied().fold(120.0, f64::max);
    let high = 40.0 + layers.len() as f64 * LAYER;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide:.0}\" height=\"{high:.0}\" \
         font-family=\"monospace\" font-size=\"12\">\n<defs><marker id=\"tip\" markerWidth=\"8\" \
         markerHeight=\"8\" refX=\"7\" refY=\"4\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\"/>\
         </marker></defs>\n"
    );
    for ((from, to), labels) in joined(lts, alphabet) {
        let (Some(&(x1, y1)), Some(&(x2, y2))) = (places.get(&from), places.get(&to)) else {
            continue;
        };
        let (x1, x2) = (x1 + width(from) / 2.0, x2 + width(to) / 2.0);
        let label = escaped(&labels.join(", "));
        let (path, x, y) = if from == to {
            let (right, middle) = (x1 + width(from) / 2.0, y1 + HEIGHT / 2.0);
            let (low, high) = (middle + 8.0, middle - 8.0);
            let far = right + 34.0;
            let path = format!("M{right},{high} C{far},{high} {far},{low} {right},{low}");
            (path, right + 8.0, middle - 12.0)
        } else if y2 > y1 {
            let (top, bottom) = (y1 + HEIGHT, y2);
            let path = format!("M{x1},{top} L{x2},{bottom}");
            (path, (x1 + x2) / 2.0 + 4.0, (top + bottom) / 2.0)
        } else {
            // Back, or beside: round the side.
            let side = x1.max(x2) + 60.0;
            let (a, b) = (y1 + HEIGHT / 2.0, y2 + HEIGHT / 2.0);
            let path = format!("M{x1},{a} C{side},{a} {side},{b} {x2},{b}");
            (path, side - 30.0, (a + b) / 2.0)
        };
        let _ = writeln!(
            out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"#567\" marker-end=\"url(#tip)\"/>\
             <text x=\"{x:.0}\" y=\"{y:.0}\" fill=\"#234\">{label}</text>"
        );
    }
    for (&state, &(x, y)) in &places {
        let (w, name) = (width(state), escaped(&lts.states[state as usize]));
        let edge = if state == lts.initial { 2.5 } else { 1.0 };
        let (cx, cy) = (x + w / 2.0, y + HEIGHT / 2.0 + 4.0);
        let _ = writeln!(
            out,
            "<rect x=\"{x:.0}\" y=\"{y:.0}\" width=\"{w:.0}\" height=\"{HEIGHT}\" rx=\"12\" \
             fill=\"#eef4fa\" stroke=\"#234\" stroke-width=\"{edge}\"/>\
             <text x=\"{cx:.0}\" y=\"{cy:.0}\" text-anchor=\"middle\">{name}</text>"
        );
    }
    out + "</svg>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lts::expand::machine;
    use crate::lts::read::parse;

    #[test]
    fn a_machine_that_is_printed_is_read_again() {
        let source = "machine M { s: a -> t | tau -> s; t: return -1 | b -> s; }";
        let file = parse("m.lts", source).expect("a file");
        let mut alphabet = Alphabet::default();
        let lts = machine(&file, &file.machines[0].name, &mut alphabet).expect("a machine");
        let again = parse("n.lts", &text(&lts, &alphabet, "M")).expect("a file");
        let same = machine(&again, &again.machines[0].name, &mut alphabet).expect("a machine");
        assert_eq!(lts, same);
        assert!(dot(&lts, &alphabet, "M").contains("s0 -> s1 [label=\"a\"]"));
        let picture = svg(&lts, &alphabet);
        assert!(picture.contains(">τ</text>") && picture.ends_with("</svg>\n"));
    }
}
