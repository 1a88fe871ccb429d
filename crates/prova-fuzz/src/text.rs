//! Tests as files: the input values, one in a line, in the order in which they are asked for. Bytes
//! that somebody else made, a fuzzer's corpus for instance, are inputs of one byte each.

use crate::candidate::Candidate;

/// The first line of a file of ours.
const HEAD: &str = "# input values, in the order in which they are asked for";

/// A test as text.
pub fn write(candidate: &Candidate) -> String {
    let mut text = format!("{HEAD}\n");
    for value in &candidate.values {
        text.push_str(&format!("{value}\n"));
    }
    text
}

/// A test from a file: one of ours, or any bytes.
pub fn read(bytes: &[u8]) -> Candidate {
    let ours = std::str::from_utf8(bytes)
        .ok()
        .and_then(|text| text.strip_prefix(HEAD));
    let numbers = ours.map(|text| text.split_whitespace().map(str::parse).collect());
    let values = match numbers {
        Some(Ok(values)) => values,
        _ => bytes.iter().map(|&b| u128::from(b)).collect(),
    };
    Candidate {
        values,
        ..Candidate::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let candidate = Candidate {
            values: vec![1, u128::MAX, 0],
            ..Candidate::default()
        };
        assert_eq!(read(write(&candidate).as_bytes()), candidate);
    }

    #[test]
    fn any_bytes_are_a_test() {
        assert_eq!(read(b"GE\xff").values, [0x47, 0x45, 0xff]);
        assert_eq!(read(b"").values, []);
    }
}
