//! Input values from a file: one number per line, read as the program's types ask for.

use std::path::Path;
use std::sync::Arc;

use prova_exec::{run_plain, Code, Exhausted, Limits, RunEnd, Summary, Test, UsedInput};

use crate::status::Rejected;

/// A number as written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    /// An integer: its sign and magnitude.
    Integer(bool, u128),
    /// A floating number.
    Real(f64),
}

/// Runs the program on the inputs of a file.
pub fn run(code: &Arc<Code>, path: &Path, limits: Limits) -> Result<(Test, Summary), Rejected> {
    let shown = path.display();
    let bytes = std::fs::read(path)
        .map_err(|error| Rejected::because(format!("cannot read `{shown}`: {error}")))?;
    run_text(
        code,
        &shown.to_string(),
        &String::from_utf8_lossy(&bytes),
        limits,
    )
}

/// The same for a text that somebody read.
pub fn run_text(
    code: &Arc<Code>,
    shown: &str,
    text: &str,
    limits: Limits,
) -> Result<(Test, Summary), Rejected> {
    let numbers = parse(text).map_err(|m| Rejected::because(format!("{shown}:{m}")))?;
    let mut test = Test {
        exhausted: Exhausted::Stop,
        ..Test::zero()
    };
    test.values = numbers.iter().map(|(_, n)| as_integer(*n)).collect();
    // What a number means depends on the type the program asks for, which only a run shows: run
    // until all values are what their types make of them. Each round settles at least one more.
    for _ in 0..=numbers.len() {
        let summary = run_plain(code, &test, limits);
        let mut settled = true;
        for (i, used) in summary.inputs.iter().enumerate() {
            let Some(&(line, number)) = numbers.get(i) else {
                break;
            };
            let bits = convert(number, used)
                .map_err(|m| Rejected::because(format!("{shown}:{line}: {m}")))?;
            if bits != used.value {
                test.values[i] = bits;
                settled = false;
                break;
            }
        }
        if !settled {
            continue;
        }
        if summary.inputs.len() < numbers.len() && ended_by_itself(&summary.end) {
            let (line, _) = numbers[summary.inputs.len()];
            return Err(Rejected::because(format!(
                "{shown}:{line}: more inputs than the {} the program asks for",
                summary.inputs.len()
            )));
        }
        return Ok((test, summary));
    }
    Err(Rejected::because(format!(
        "{shown}: the inputs cannot be read as the program's types"
    )))
}

/// Whether the program would not have asked for more.
fn ended_by_itself(end: &RunEnd) -> bool {
    matches!(end, RunEnd::Returned(_) | RunEnd::Exited(_))
}

fn as_integer(number: Number) -> u128 {
    match number {
        Number::Integer(true, magnitude) => magnitude.wrapping_neg(),
        Number::Integer(false, magnitude) => magnitude,
        Number::Real(_) => 0,
    }
}

/// The bits of a number in the type that was asked for.
fn convert(number: Number, used: &UsedInput) -> Result<u128, String> {
    let width = u32::from(used.width);
    if used.float {
        let value = match number {
            Number::Integer(negative, magnitude) => {
                let value = magnitude as f64;
                if negative {
                    -value
                } else {
                    value
                }
            }
            Number::Real(value) => value,
        };
        return Ok(match width {
            32 => u128::from((value as f32).to_bits()),
            64 => u128::from(value.to_bits()),
            _ => {
                let from = u128::from(value.to_bits());
                prova_exec::arith::cast_wide(prova_ir::CastOp::FToF, 64, 80, from)
            }
        });
    }
    let Number::Integer(negative, magnitude) = number else {
        return Err("a whole number is asked for here".into());
    };
    let limit = if negative {
        1u128 << (width - 1)
    } else {
        u128::MAX >> (128 - width)
    };
    if magnitude > limit {
        return Err(format!("out of range for {width} bits"));
    }
    Ok(as_integer(number) & (u128::MAX >> (128 - width)))
}

/// Line numbers and numbers.
fn parse(text: &str) -> Result<Vec<(usize, Number)>, String> {
    let mut numbers = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let content = line.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let number = number(content)
            .ok_or_else(|| format!("{}: `{}` is not a number", i + 1, shortened(content)))?;
        numbers.push((i + 1, number));
    }
    Ok(numbers)
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

fn number(text: &str) -> Option<Number> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let hex = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"));
    let magnitude = match hex {
        Some(hex) if hex.starts_with(|c: char| c.is_ascii_hexdigit()) => {
            return u128::from_str_radix(hex, 16)
                .ok()
                .map(|m| Number::Integer(negative, m))
        }
        Some(_) => return None,
        None => digits
            .parse::<u128>()
            .ok()
            .filter(|_| !digits.starts_with('+')),
    };
    if let Some(magnitude) = magnitude {
        return Some(Number::Integer(negative, magnitude));
    }
    // A whole number too large for any type is none of ours.
    if digits.bytes().all(|c| c.is_ascii_digit()) {
        return None;
    }
    text.parse::<f64>().ok().map(Number::Real)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_write_them() {
        let text = "1\n-5 # five\n\n# nothing\n0xff\n1.5e3\n  +7\n";
        let expected = vec![
            (1, Number::Integer(false, 1)),
            (2, Number::Integer(true, 5)),
            (5, Number::Integer(false, 255)),
            (6, Number::Real(1500.0)),
            (7, Number::Integer(false, 7)),
        ];
        assert_eq!(parse(text), Ok(expected));
        for bad in [
            "x",
            "1 2",
            "0x",
            "--1",
            "1,5",
            "99999999999999999999999999999999999999999",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn ranges_allow_both_readings_of_the_bits() {
        let used = |width, float| UsedInput {
            step: 0,
            position: 0,
            width,
            pointer: false,
            float,
            value: 0,
            given: true,
        };
        assert_eq!(
            convert(Number::Integer(true, 128), &used(8, false)),
            Ok(0x80)
        );
        assert_eq!(
            convert(Number::Integer(false, 255), &used(8, false)),
            Ok(0xff)
        );
        assert!(convert(Number::Integer(true, 129), &used(8, false)).is_err());
        assert!(convert(Number::Integer(false, 256), &used(8, false)).is_err());
        assert!(convert(Number::Real(1.0), &used(8, false)).is_err());
        let two = u128::from(2f32.to_bits());
        assert_eq!(convert(Number::Integer(false, 2), &used(32, true)), Ok(two));
    }
}
