//! Printed terms, told in C's own signs: `x[0:0]` is `(x & 1)`, `a <u 7` is `a < 7u`, `(u32)` is
//! `(unsigned)`. What C has no sign for stays as it is.

/// Conversions as terms print them, and as C does.
const TYPES: [(&str, &str); 8] = [
    ("(u8)", "(unsigned char)"),
    ("(u16)", "(unsigned short)"),
    ("(u32)", "(unsigned)"),
    ("(u64)", "(unsigned long)"),
    ("(i8)", "(signed char)"),
    ("(i16)", "(short)"),
    ("(i32)", "(int)"),
    ("(i64)", "(long)"),
];

/// Signs of unsigned operations.
const UNSIGNED: [&str; 7] = ["<u", "<=u", ">u", ">=u", "/u", "%u", ">>u"];

/// A printed term in C's signs. `unsigned` knows the variables that are so by declaration.
pub fn c_text(text: &str, unsigned: &dyn Fn(&str) -> bool) -> String {
    let mut text = bits(text);
    for (ours, theirs) in TYPES {
        text = text.replace(ours, theirs);
    }
    for sign in UNSIGNED {
        let plain = sign.trim_end_matches('u');
        let mut told = String::new();
        let mut rest = text.as_str();
        while let Some(at) = rest.find(&format!(" {sign} ")) {
            let left = &rest[..at];
            let right = &rest[at + sign.len() + 2..];
            let left_word = &left[left.trim_end_matches(is_name).len()..];
            let right_word = &right[..right.len() - right.trim_start_matches(is_name).len()];
            // Addresses are unsigned anyway.
            let operand = left.rsplit(['|', '(']).next().unwrap_or(left);
            let operand = operand.rsplit("&& ").next().unwrap_or(operand);
            let known = operand.contains('&')
                || right.starts_with('&')
                || unsigned(left_word)
                || unsigned(right_word);
            let literal = !right_word.is_empty() && right_word.bytes().all(|b| b.is_ascii_digit());
            told += &format!("{left} {plain} ");
            rest = right;
            if known {
                continue;
            }
            if literal {
                told += &format!("{right_word}u");
                rest = &right[right_word.len()..];
            } else {
                told += "(unsigned) ";
            }
        }
        text = told + rest;
    }
    text
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '#')
}

/// Bits `x[hi:lo]` as shifts and masks.
fn bits(text: &str) -> String {
    let mut told = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        let Some((length, high, low)) = range(&rest[at..]) else {
            told += &rest[..=at];
            rest = &rest[at + 1..];
            continue;
        };
        told += &rest[..at];
        rest = &rest[at + length..];
        let start = operand(&told);
        let operand = told.split_off(start);
        let mask = u128::MAX >> (127 - (high - low).min(127));
        let mask = match mask {
            0..=9 => mask.to_string(),
            wide => format!("0x{wide:x}"),
        };
        told += &match low {
            0 => format!("({operand} & {mask})"),
            low => format!("({operand} >> {low} & {mask})"),
        };
    }
    told + rest
}

/// The bounds in `[hi:lo]` at the beginning of a text, and its length.
fn range(text: &str) -> Option<(usize, u32, u32)> {
    let end = text.find(']')?;
    let (high, low) = text[1..end].split_once(':')?;
    let (high, low) = (high.parse().ok()?, low.parse().ok()?);
    (low <= high).then_some((end + 1, high, low))
}

/// Where the operand at the end of a text begins.
fn operand(text: &str) -> usize {
    let mut depth = 0;
    for (i, c) in text.char_indices().rev() {
        match c {
            ')' | ']' => depth += 1,
            '(' | '[' if depth > 0 => depth -= 1,
            c if depth > 0 || c.is_alphanumeric() || "_.#*>-".contains(c) => {}
            c => return i + c.len_utf8(),
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::c_text;

    #[test]
    fn signs_are_those_of_c() {
        for (printed, expected) in [
            ("x[0:0] == 0", "(x & 1) == 0"),
            ("y + x.1[7:4] < 3", "y + (x.1 >> 4 & 0xf) < 3"),
            ("(a + b)[0:0] != 0", "((a + b) & 1) != 0"),
            ("i <u 10 && n >=u i", "i < 10u && n >= (unsigned) i"),
            ("&heap[] + 8 >u 4095", "&heap[] + 8 > 4095"),
            ("size <u 3 || size <u n", "size < 3 || size < n"),
            ("(u32)x == 3", "(unsigned)x == 3"),
            ("a[3] == 1", "a[3] == 1"),
        ] {
            assert_eq!(c_text(printed, &|name| name == "size"), expected);
        }
    }
}
