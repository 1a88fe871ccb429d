//! The inputs of a failing test as people want to read them: bytes of standard input as one string,
//! allocations as what became of them.

use crate::c_types::readable_literal;
use crate::supply::{allocation, FILE, OPENS, STANDARD_INPUT};
use prova_task::Input;

/// Bytes that are told as one string.
struct Text {
    /// Where it stands among the inputs.
    at: usize,
    bytes: Vec<u8>,
    ended: bool,
}

/// The inputs of a test for people.
pub fn told(inputs: &[Input]) -> Vec<Input> {
    let mut found: Vec<Input> = Vec::new();
    let (mut stdin, mut files) = (None, None);
    // What has no name is a choice of our own, not something that was given; nor is what a function
    // returns that ends without a value.
    let given = |i: &&Input| !i.name.is_empty() && i.name != "return (uninitialised)";
    for input in inputs.iter().filter(given) {
        let name = input.name.strip_suffix("()").unwrap_or(&input.name);
        let text = match name {
            STANDARD_INPUT => Some(("standard input", &mut stdin)),
            FILE => Some(("files", &mut files)),
            _ => None,
        };
        let Some((name, text)) = text else {
            let mut input = input.clone();
            if allocation(name).is_some() || name == OPENS {
                input.value = match input.value.as_str() {
                    "0" => "succeeds".into(),
                    _ => "fails".into(),
                };
            }
            found.push(input);
            continue;
        };
        let text = text.get_or_insert_with(|| {
            let at = found.len();
            found.push(Input {
                name: name.into(),
                ..input.clone()
            });
            Text {
                at,
                bytes: Vec::new(),
                ended: false,
            }
        });
        match input.value.parse::<i64>() {
            Ok(byte @ 0..=255) if !text.ended => text.bytes.push(byte as u8),
            // Standard input ends once; of files there may be another.
            _ => text.ended = name == "standard input",
        }
    }
    for text in [stdin, files].into_iter().flatten() {
        found[text.at].value = readable_literal(&text.bytes);
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
