//! C text, looked at word by word, and changed by insertions.

/// What is inserted, and where.
#[derive(Clone, Debug, Default)]
pub struct Insertions(Vec<Insertion>);

#[derive(Clone, Debug)]
struct Insertion {
    at: usize,
    /// Closing texts come before opening ones, inner before outer; opening ones outer first.
    order: (u8, isize, isize),
    text: String,
}

impl Insertions {
    /// Inserts a text at an offset, outside of everything that is wrapped from there on.
    pub fn add(&mut self, at: usize, text: impl Into<String>) {
        self.wrap(at, usize::MAX, text, "");
    }

    /// Inserts a text before a range and one behind it.
    pub fn wrap(
        &mut self,
        start: usize,
        end: usize,
        before: impl Into<String>,
        after: impl Into<String>,
    ) {
        let number = self.0.len() as isize;
        self.0.push(Insertion {
            at: start,
            order: (1, outer(end), number),
            text: before.into(),
        });
        if end != usize::MAX {
            self.0.push(Insertion {
                at: end,
                order: (0, -(start as isize), -number),
                text: after.into(),
            });
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text with all of them.
    pub fn apply(&self, text: &str) -> String {
        let mut sorted: Vec<&Insertion> = self.0.iter().collect();
        sorted.sort_by_key(|i| (i.at, i.order));
        let mut out = String::with_capacity(text.len() + 256);
        let mut from = 0;
        for insertion in sorted {
            let at = insertion.at.clamp(from, text.len());
            out.push_str(&text[from..at]);
            out.push_str(&insertion.text);
            from = at;
        }
        out.push_str(&text[from..]);
        out
    }
}

/// Sorts ranges that end later first.
fn outer(end: usize) -> isize {
    isize::try_from(end).map_or(isize::MIN, |e| -e)
}

/// Whether a character may be part of a word.
pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// A piece of C text: what matters for finding the end of things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// A word or number.
    Word(&'a str),
    /// Another character.
    Mark(char),
}

/// The words and punctuation marks from an offset on, with where they start and end. Comments,
/// literals and line markers are skipped; numbers count as words.
pub fn pieces(text: &str, from: usize) -> impl Iterator<Item = (usize, usize, Piece<'_>)> {
    let bytes = text.as_bytes();
    let mut at = from;
    std::iter::from_fn(move || loop {
        let start = at;
        let byte = *bytes.get(at)?;
        match byte {
            b'"' | b'\'' => {
                at += 1;
                while at < bytes.len() && bytes[at] != byte {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = text[at + 2..].find("*/").map_or(text.len(), |i| at + i + 4);
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = text[at..].find('\n').map_or(text.len(), |i| at + i);
            }
            b'#' => at = text[at..].find('\n').map_or(text.len(), |i| at + i),
            b if b.is_ascii_whitespace() => at += 1,
            _ => {
                let rest = &text[start..];
                let length: usize = rest
                    .chars()
                    .take_while(|&c| is_word(c))
                    .map(char::len_utf8)
                    .sum();
                if length > 0 {
                    at += length;
                    return Some((start, at, Piece::Word(&rest[..length])));
                }
                let mark = rest.chars().next()?;
                at += mark.len_utf8();
                return Some((start, at, Piece::Mark(mark)));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_ranges_nest() {
        let text = "f(g(x));";
        let mut insertions = Insertions::default();
        insertions.wrap(0, 7, "a(", ")");
        insertions.wrap(2, 6, "b(", ")");
        insertions.wrap(0, 7, "c(", ")");
        insertions.wrap(0, 8, "{ ", " }");
        insertions.add(0, "first; ");
        assert_eq!(insertions.apply(text), "first; { a(c(f(b(g(x))))); }");
    }
}
