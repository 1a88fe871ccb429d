//! The `printf` language: parsing a format and formatting one value.

/// A piece of a format.
pub(crate) enum Piece<'a> {
    /// Copied as it is.
    Text(&'a [u8]),
    /// Replaced by an argument.
    Spec(Spec),
}

/// A width or precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Count {
    /// In the format.
    Fixed(usize),
    /// `*`.
    Argument,
}

/// A conversion specification.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spec {
    pub(crate) left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    pub(crate) width: Option<Count>,
    pub(crate) precision: Option<Count>,
    /// Bytes: 1 `hh`, 2 `h`, 0 none, 8 `ll`, 255 `l`/`z`/`t`: as wide as a pointer.
    length: u8,
    pub(crate) long_double: bool,
    pub(crate) conversion: u8,
}

/// Widest field or precision honoured; more would only waste memory.
const WIDEST: usize = 1 << 20;

fn number(format: &[u8], i: &mut usize) -> usize {
    let mut n = 0usize;
    while let Some(digit) = format.get(*i).filter(|c| c.is_ascii_digit()) {
        n = (n * 10 + usize::from(digit - b'0')).min(WIDEST);
        *i += 1;
    }
    n
}

/// Splits a format.
pub(crate) fn parse(format: &[u8]) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut i = 0;
    while i < format.len() {
        let start = i;
        while i < format.len() && format[i] != b'%' {
            i += 1;
        }
        if i > start {
            pieces.push(Piece::Text(&format[start..i]));
        }
        if i >= format.len() {
            break;
        }
        let percent = i;
        i += 1;
        let mut spec = Spec::default();
        while let Some(&flag) = format.get(i) {
            match flag {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                b'0' => spec.zero = true,
                _ => break,
            }
            i += 1;
        }
        if format.get(i) == Some(&b'*') {
            spec.width = Some(Count::Argument);
            i += 1;
        } else if format.get(i).is_some_and(u8::is_ascii_digit) {
            spec.width = Some(Count::Fixed(number(format, &mut i)));
        }
        if format.get(i) == Some(&b'.') {
            i += 1;
            if format.get(i) == Some(&b'*') {
                spec.precision = Some(Count::Argument);
                i += 1;
            } else {
                spec.precision = Some(Count::Fixed(number(format, &mut i)));
            }
        }
        while let Some(&c) = format.get(i) {
            match c {
                b'h' => spec.length = if spec.length == 2 { 1 } else { 2 },
                b'l' => spec.length = if spec.length == 255 { 8 } else { 255 },
                b'z' | b't' => spec.length = 255,
                b'j' | b'q' => spec.length = 8,
                b'L' => spec.long_double = true,
                _ => break,
            }
            i += 1;
        }
        match format.get(i) {
            Some(&c) if b"diouxXcspnfFeEgGaA%".contains(&c) => {
                spec.conversion = c;
                i += 1;
                pieces.push(Piece::Spec(spec));
            }
            // Not a specification: C leaves it undefined; print it as it stands.
            _ => pieces.push(Piece::Text(&format[percent..i])),
        }
    }
    pieces
}

impl Spec {
    pub(crate) fn precision(&self) -> Option<usize> {
        match self.precision {
            Some(Count::Fixed(n)) => Some(n),
            _ => None,
        }
    }

    fn field(&self) -> usize {
        match self.width {
            Some(Count::Fixed(n)) => n.min(WIDEST),
            _ => 0,
        }
    }

    /// Bytes of the integer it prints.
    pub(crate) fn integer_bytes(&self, pointer: u64) -> u64 {
        match self.length {
            255 => pointer,
            0 => 4,
            n => u64::from(n),
        }
    }

    /// Puts text into its field.
    pub(crate) fn pad(&self, text: &[u8], out: &mut Vec<u8>) {
        self.sign_and_digits(b"", text, false, out);
    }

    fn sign_and_digits(&self, sign: &[u8], digits: &[u8], zeros: bool, out: &mut Vec<u8>) {
        let missing = self.field().saturating_sub(sign.len() + digits.len());
        let fill = |out: &mut Vec<u8>, c| out.extend(std::iter::repeat_n(c, missing));
        if !self.left && !zeros {
            fill(out, b' ');
        }
        out.extend_from_slice(sign);
        if !self.left && zeros {
            fill(out, b'0');
        }
        out.extend_from_slice(digits);
        if self.left {
            fill(out, b' ');
        }
    }

    fn sign(&self, negative: bool) -> &'static [u8] {
        match (negative, self.plus, self.space) {
            (true, _, _) => b"-",
            (false, true, _) => b"+",
            (false, false, true) => b" ",
            _ => b"",
        }
    }

    /// Formats an integer of so many bytes.
    pub(crate) fn integer(&self, value: u64, bytes: u64, out: &mut Vec<u8>) {
        let width = (bytes * 8) as u8;
        let value = value & crate::arith::mask(width);
        let (sign, mut digits): (&[u8], String) = match self.conversion {
            b'd' | b'i' => {
                let v = crate::arith::signed(value, width);
                (self.sign(v < 0), v.unsigned_abs().to_string())
            }
            b'u' => (b"", value.to_string()),
            b'o' => (b"", format!("{value:o}")),
            b'x' => (
                if self.alternate && value != 0 {
                    b"0x"
                } else {
                    b""
                },
                format!("{value:x}"),
            ),
            _ => (
                if self.alternate && value != 0 {
                    b"0X"
                } else {
                    b""
                },
                format!("{value:X}"),
            ),
        };
        if let Some(precision) = self.precision() {
            if precision == 0 && value == 0 {
                digits.clear();
            }
            if digits.len() < precision {
                digits.insert_str(0, &"0".repeat(precision - digits.len()));
            }
        }
        if self.conversion == b'o' && self.alternate && !digits.starts_with('0') {
            digits.insert(0, '0');
        }
        let zeros = self.zero && self.precision.is_none();
        self.sign_and_digits(sign, digits.as_bytes(), zeros, out);
    }

    /// Formats an address as glibc does.
    pub(crate) fn pointer(&self, value: u64, out: &mut Vec<u8>) {
        let text = if value == 0 {
            "(nil)".into()
        } else {
            format!("{value:#x}")
        };
        self.pad(text.as_bytes(), out);
    }

    /// Formats a floating number.
    pub(crate) fn float(&self, x: f64, out: &mut Vec<u8>) {
        let upper = self.conversion.is_ascii_uppercase();
        let sign = self.sign(x.is_sign_negative());
        let magnitude = x.abs();
        if !x.is_finite() {
            let text: &[u8] = match (x.is_nan(), upper) {
                (true, false) => b"nan",
                (true, true) => b"NAN",
                (false, false) => b"inf",
                (false, true) => b"INF",
            };
            self.sign_and_digits(sign, text, false, out);
            return;
        }
        let precision = self.precision();
        let mut text = match self.conversion.to_ascii_lowercase() {
            b'f' => self.point(format!("{:.*}", precision.unwrap_or(6), magnitude)),
            b'e' => self.scientific(magnitude, precision.unwrap_or(6)),
            b'g' => self.general(magnitude, precision.unwrap_or(6).max(1)),
            _ => hexadecimal(magnitude, precision, self.alternate),
        };
        if upper {
            text.make_ascii_uppercase();
        }
        self.sign_and_digits(sign, text.as_bytes(), self.zero, out);
    }

    fn point(&self, mut text: String) -> String {
        if self.alternate && !text.contains('.') {
            text.push('.');
        }
        text
    }

    fn scientific(&self, x: f64, precision: usize) -> String {
        let text = format!("{x:.precision$e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let mantissa = self.point(mantissa.to_string());
        let exponent: i32 = exponent.parse().unwrap_or(0);
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{mantissa}e{sign}{:02}", exponent.abs())
    }

    fn general(&self, x: f64, precision: usize) -> String {
        let rounded = format!("{:.*e}", precision - 1, x);
        let exponent: i64 = rounded
            .split_once('e')
            .and_then(|(_, e)| e.parse().ok())
            .unwrap_or(0);
        let plain = exponent >= -4 && exponent < precision as i64;
        let mut text = if plain {
            format!("{:.*}", (precision as i64 - 1 - exponent) as usize, x)
        } else {
            self.scientific(x, precision - 1)
        };
        if self.alternate {
            return self.point(text);
        }
        let end = text.find('e').unwrap_or(text.len());
        if text[..end].contains('.') {
            let kept = text[..end]
                .trim_end_matches('0')
                .trim_end_matches('.')
                .len();
            text.replace_range(kept..end, "");
        }
        text
    }
}

/// `%a`, as glibc normalises it.
fn hexadecimal(x: f64, precision: Option<usize>, alternate: bool) -> String {
    let bits = x.to_bits();
    let mut fraction = bits & ((1 << 52) - 1);
    let biased = (bits >> 52) & 0x7ff;
    let (mut lead, exponent) = match (biased, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        _ => (1, biased as i64 - 1023),
    };
    let mut digits = 13;
    if let Some(precision) = precision.filter(|&p| p < 13) {
        let shift = 4 * (13 - precision) as u32;
        let whole = (lead << 52) | fraction;
        let rest = whole & ((1 << shift) - 1);
        let half = 1u64 << (shift - 1);
        let mut kept = whole >> shift;
        if rest > half || (rest == half && kept & 1 == 1) {
            kept += 1;
        }
        lead = kept >> (4 * precision);
        fraction = kept & ((1u64 << (4 * precision)) - 1);
        digits = precision;
    }
    let mut text = format!("{fraction:0digits$x}");
    match precision {
        None => text.truncate(text.trim_end_matches('0').len()),
        Some(0) => text.clear(),
        Some(p) => text.extend(std::iter::repeat_n('0', p.saturating_sub(13))),
    }
    let point = if text.is_empty() && !alternate {
        ""
    } else {
        "."
    };
    format!("0x{lead}{point}{text}p{exponent:+}")
}
