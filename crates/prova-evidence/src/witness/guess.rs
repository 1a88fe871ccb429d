//! A first guess at a violation witness: if it says what each function returned, these values are a
//! test, and no search is needed to see whether it reaches the error.

use super::atlas::Atlas;
use super::format::{Segment, WaypointKind};
use super::weave::{result_of, CHOICE};
use crate::c_types::Scalar;
use crate::supply::allocation;
use prova_exec::{Code, Limits, Run, RunEnd, Test};
use prova_ir::{Origin, Program, Statement};
use std::collections::VecDeque;
use std::sync::Arc;

/// Times the values are laid beside what a run asks for.
const ROUNDS: usize = 32;
/// Steps of each run.
const STEPS: u64 = 20_000_000;

/// A run of the woven program with the values that the witness names, if it reaches the error.
pub fn guess(
    atlas: &Atlas,
    original: &Program,
    segments: &[Segment],
    code: &Arc<Code>,
) -> Option<Run> {
    let named: Vec<(String, u128)> = segments
        .iter()
        .filter_map(|segment| {
            let waypoint = segment.0.last()?;
            if waypoint.kind != WaypointKind::FunctionReturn {
                return None;
            }
            let (_, call) = atlas.call(&waypoint.location).ok()?;
            let callee = call.callee.clone()?;
            let scalar = result_of(original, &callee)?;
            let value = constant(waypoint.constraint.as_deref()?, scalar)?;
            // Of an allocation the program asks whether it fails.
            let value = match allocation(&callee) {
                Some(_) => u128::from(value == 0),
                None => value,
            };
            Some((callee, value))
        })
        .collect();
    let mut values: Vec<u128> = named.iter().map(|(_, v)| *v).collect();
    let limits = Limits {
        steps: STEPS,
        ..Limits::default()
    };
    for _ in 0..ROUNDS {
        let run = Run::new(code, &Test::of_values(values.iter().copied()), limits);
        if matches!(run.end, RunEnd::ErrorReached(_)) {
            return Some(run);
        }
        let mut left: VecDeque<&(String, u128)> = named.iter().collect();
        let mut aligned: Vec<u128> = run
            .inputs
            .iter()
            .map(|used| match (asked(&run, used.step), left.front()) {
                (Some(name), Some((function, value))) if name == function => {
                    left.pop_front();
                    *value
                }
                // A waypoint that can be passed is passed.
                (Some(CHOICE), _) => 1,
                _ => 0,
            })
            .collect();
        aligned.extend(left.iter().map(|(_, v)| *v));
        if aligned == values {
            return None;
        }
        values = aligned;
    }
    None
}

/// The function whose value a step asked for.
fn asked(run: &Run, step: u32) -> Option<&str> {
    let place = run.edge_at(step)?;
    let body = run.code.program.procedure(place.proc).body.as_ref()?;
    match &body.edge(place.edge?).statement {
        Statement::Nondet {
            origin: Origin::Input(name) | Origin::Undefined(name),
            ..
        } => Some(name),
        _ => None,
    }
}

/// The constant that `\result` is equal to, as bits.
fn constant(constraint: &str, scalar: Scalar) -> Option<u128> {
    let (left, right) = constraint.split_once("==")?;
    let text = match (left.trim(), right.trim()) {
        ("\\result", other) | (other, "\\result") => other,
        _ => return None,
    };
    match scalar {
        Scalar::Float(32) => Some(u128::from(text.parse::<f32>().ok()?.to_bits())),
        Scalar::Float(64) => Some(u128::from(text.parse::<f64>().ok()?.to_bits())),
        Scalar::Float(_) => None,
        Scalar::Bool | Scalar::Int { .. } | Scalar::Pointer => Some(integer(text)? as u128),
    }
}

/// An integer constant: decimal or hexadecimal, with a sign, parentheses, a suffix, or written as
/// the smallest one has to be.
fn integer(text: &str) -> Option<i128> {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        return integer(inner);
    }
    if let Some(rest) = text.strip_suffix("- 1").or_else(|| text.strip_suffix("-1")) {
        if !rest.trim().is_empty() {
            return Some(integer(rest)? - 1);
        }
    }
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest.trim()),
        None => (1, text),
    };
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = match digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
    {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(sign * value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_read() {
        for (text, value) in [
            ("5", 5),
            ("-3LL", -3),
            ("(-2147483647 - 1)", -2_147_483_648),
            ("0xffU", 255),
            ("-1", -1),
        ] {
            assert_eq!(integer(text), Some(value), "{text}");
        }
        assert_eq!(integer("x + 1"), None);
        let double = constant("\\result == 2.5", Scalar::Float(64));
        assert_eq!(double, Some(u128::from(2.5f64.to_bits())));
    }
}
