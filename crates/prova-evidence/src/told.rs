//! The inputs of a failing test as people want to read them: bytes of standard input as one string,
//! allocations as what became of them.

use crate::c_types::readable_literal;
use crate::supply::{allocation, STANDARD_INPUT};
use prova_engine::outcome::Input;

/// The inputs of a test for people.
pub fn told(inputs: &[Input]) -> Vec<Input> {
    let mut found: Vec<Input> = Vec::new();
    let mut stdin: Option<(usize, Vec<u8>, bool)> = None;
    for input in inputs {
        let name = input.name.strip_suffix("()").unwrap_or(&input.name);
        if name == STANDARD_INPUT {
            let at = found.len();
            let (_, bytes, ended) = stdin.get_or_insert_with(|| {
                found.push(Input {
                    name: "standard input".into(),
                    ..input.clone()
                });
                (at, Vec::new(), false)
            });
            match input.value.parse::<i64>() {
                Ok(byte @ 0..=255) if !*ended => bytes.push(byte as u8),
                _ => *ended = true,
            }
            continue;
        }
        let mut input = input.clone();
        if allocation(name).is_some() {
            input.value = match input.value.as_str() {
                "0" => "succeeds".into(),
                _ => "fails".into(),
            };
        }
        found.push(input);
    }
    if let Some((at, bytes, _)) = stdin {
        found[at].value = readable_literal(&bytes);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_input_is_one_string() {
        let input = |name: &str, value: &str| Input {
            name: name.into(),
            value: value.into(),
            span: prova_ir::Span::NONE,
        };
        let given = [
            input("malloc()", "1"),
            input("stdin()", "49"),
            input("rand()", "7"),
            input("stdin()", "10"),
            input("stdin()", "-1"),
            input("stdin()", "-1"),
        ];
        let told = told(&given);
        let told: Vec<(&str, &str)> = told.iter().map(|i| (&*i.name, &*i.value)).collect();
        let expected = [
            ("malloc()", "fails"),
            ("standard input", "\"1\\n\""),
            ("rand()", "7"),
        ];
        assert_eq!(told, expected);
    }
}
