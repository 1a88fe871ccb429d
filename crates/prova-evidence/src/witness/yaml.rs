//! YAML in and out, as little of it as witnesses need: mappings, sequences, scalars, each with its
//! line. What could make a small file large is refused: anchors and aliases, tags, deep nesting,
//! more than one document.

use saphyr_parser::{Event, Parser, ScalarStyle};
use std::fmt::Write;

/// Larger files are refused.
pub const LARGEST: u64 = 16 << 20;
/// Deeper nesting is refused.
const DEEPEST: usize = 32;

/// A node with its line, which counts from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub value: Value,
    /// Where it starts; zero if it was not read.
    pub line: usize,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A scalar; whether it stood without quotes, so that it may be a number.
    Scalar(String, bool),
    /// A sequence.
    Sequence(Vec<Node>),
    /// A mapping, in order.
    Mapping(Vec<(String, Node)>),
}

/// Why a text is not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct YamlError {
    /// The line, from one.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

fn error<T>(line: usize, what: impl Into<String>) -> Result<T, YamlError> {
    let what = what.into();
    Err(YamlError { line, what })
}

/// An open collection: what it has so far, and the key that waits for its value.
enum Open {
    Sequence(Vec<Node>, usize),
    Mapping(Vec<(String, Node)>, Option<String>, usize),
}

/// Reads a text with one document.
pub fn read(text: &str) -> Result<Node, YamlError> {
    let mut open: Vec<Open> = Vec::new();
    let mut root: Option<Node> = None;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|e| YamlError {
            line: e.marker().line(),
            what: format!("not YAML: {}", e.info()),
        })?;
        let line = span.start.line();
        let done = match event {
            Event::Alias(_) => return error(line, "aliases are not taken"),
            Event::Scalar(_, _, anchor, _)
            | Event::SequenceStart(anchor, _)
            | Event::MappingStart(anchor, _)
                if anchor != 0 =>
            {
                return error(line, "anchors are not taken")
            }
            Event::Scalar(_, _, _, Some(_))
            | Event::SequenceStart(_, Some(_))
            | Event::MappingStart(_, Some(_)) => return error(line, "tags are not taken"),
            Event::Scalar(text, style, ..) => Node {
                value: Value::Scalar(text.into_owned(), style == ScalarStyle::Plain),
                line,
            },
            Event::SequenceStart(..) => {
                open.push(Open::Sequence(Vec::new(), line));
                if open.len() > DEEPEST {
                    return error(line, "nested too deeply");
                }
                continue;
            }
            Event::MappingStart(..) => {
                open.push(Open::Mapping(Vec::new(), None, line));
                if open.len() > DEEPEST {
                    return error(line, "nested too deeply");
                }
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(Open::Sequence(nodes, line)) => Node {
                    value: Value::Sequence(nodes),
                    line,
                },
                Some(Open::Mapping(entries, _, line)) => Node {
                    value: Value::Mapping(entries),
                    line,
                },
                None => return error(line, "something ends that did not start"),
            },
            Event::DocumentStart(_) if root.is_some() => {
                return error(line, "there is more than one document")
            }
            _ => continue,
        };
        match open.last_mut() {
            None => root = Some(done),
            Some(Open::Sequence(nodes, _)) => nodes.push(done),
            Some(Open::Mapping(entries, waiting, _)) => match waiting.take() {
                Some(key) => entries.push((key, done)),
                None => match done.value {
                    Value::Scalar(key, _) if entries.iter().all(|(k, _)| *k != key) => {
                        *waiting = Some(key);
                    }
                    Value::Scalar(key, _) => {
                        return error(done.line, format!("`{key}` is there twice"))
                    }
                    _ => return error(done.line, "a key must be a word"),
                },
            },
        }
    }
    root.ok_or(YamlError {
        line: 1,
        what: "there is nothing in it".into(),
    })
}

impl Node {
    /// A scalar that is written in quotes.
    pub fn text(text: impl Into<String>) -> Node {
        Node {
            value: Value::Scalar(text.into(), false),
            line: 0,
        }
    }

    /// A number.
    pub fn number(number: u32) -> Node {
        Node {
            value: Value::Scalar(number.to_string(), true),
            line: 0,
        }
    }

    /// A sequence.
    pub fn sequence(nodes: impl IntoIterator<Item = Node>) -> Node {
        Node {
            value: Value::Sequence(nodes.into_iter().collect()),
            line: 0,
        }
    }

    /// A mapping.
    pub fn mapping<K: Into<String>>(entries: impl IntoIterator<Item = (K, Node)>) -> Node {
        let entries = entries.into_iter().map(|(k, n)| (k.into(), n)).collect();
        Node {
            value: Value::Mapping(entries),
            line: 0,
        }
    }

    /// What a mapping has under a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Mapping(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, n)| n),
            _ => None,
        }
    }

    /// What a mapping must have under a key.
    pub fn need(&self, key: &str) -> Result<&Node, YamlError> {
        match &self.value {
            Value::Mapping(_) => match self.get(key) {
                Some(node) => Ok(node),
                None => error(self.line, format!("`{key}` is missing")),
            },
            _ => error(self.line, format!("a mapping with `{key}` is expected")),
        }
    }

    /// A scalar's text.
    pub fn as_text(&self) -> Result<&str, YamlError> {
        match &self.value {
            Value::Scalar(text, _) => Ok(text),
            _ => error(self.line, "a text is expected"),
        }
    }

    /// A positive number.
    pub fn as_number(&self) -> Result<u32, YamlError> {
        match &self.value {
            Value::Scalar(text, _) => match text.parse() {
                Ok(number) if number > 0 => Ok(number),
                _ => error(
                    self.line,
                    format!("`{}` is no number that counts from one", cut(text)),
                ),
            },
            _ => error(self.line, "a number is expected"),
        }
    }

    /// A sequence's nodes.
    pub fn as_sequence(&self) -> Result<&[Node], YamlError> {
        match &self.value {
            Value::Sequence(nodes) => Ok(nodes),
            _ => error(self.line, "a sequence is expected"),
        }
    }

    /// The text of a node.
    pub fn write(&self) -> String {
        let mut text = String::new();
        self.write_into(&mut text, 0, false);
        text
    }

    /// `inline`: the first line is already indented, behind a `-`.
    fn write_into(&self, out: &mut String, indent: usize, inline: bool) {
        let pad = |out: &mut String, first: bool| {
            if !first || !inline {
                out.push_str(&" ".repeat(indent));
            }
        };
        match &self.value {
            Value::Scalar(..) => {
                pad(out, true);
                let _ = writeln!(out, "{}", self.scalar());
            }
            Value::Sequence(nodes) => {
                for (i, node) in nodes.iter().enumerate() {
                    pad(out, i == 0);
                    out.push_str("- ");
                    node.write_into(out, indent + 2, true);
                }
            }
            Value::Mapping(entries) => {
                for (i, (key, node)) in entries.iter().enumerate() {
                    pad(out, i == 0);
                    let key = match key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                        true => key.clone(),
                        false => quoted(key),
                    };
                    match &node.value {
                        Value::Scalar(..) => {
                            let _ = writeln!(out, "{key}: {}", node.scalar());
                        }
                        Value::Sequence(nodes) if nodes.is_empty() => {
                            let _ = writeln!(out, "{key}: []");
                        }
                        _ => {
                            let _ = writeln!(out, "{key}:");
                            node.write_into(out, indent + 2, false);
                        }
                    }
                }
            }
        }
    }

    fn scalar(&self) -> String {
        match &self.value {
            Value::Scalar(text, true) => text.clone(),
            Value::Scalar(text, false) => quoted(text),
            _ => String::new(),
        }
    }
}

/// The beginning of a text, for messages.
pub fn cut(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 || c == '\u{7f}' => {
                let _ = write!(out, "\\x{:02x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let node = Node::sequence([
            Node::mapping([
                ("value", Node::text("*p == \"x\\n\" && a: b # c\n\t\u{1}é")),
                ("line", Node::number(7)),
                (
                    "inner",
                    Node::mapping([("path/a b.c", Node::sequence([Node::text("-")]))]),
                ),
                ("empty", Node::sequence([])),
            ]),
            Node::sequence([Node::number(1), Node::mapping([("k", Node::text(""))])]),
        ]);
        let text = node.write();
        let again = read(&text).expect("it is YAML");
        assert_eq!(again.write(), text);
        let first = &again.as_sequence().expect("a sequence")[0];
        assert_eq!(
            first.need("value").and_then(|v| v.as_text().map(str::len)),
            Ok("*p == \"x\\n\" && a: b # c\n\t\u{1}é".len())
        );
    }

    #[test]
    fn what_makes_small_files_large_is_refused() {
        for (text, what) in [
            ("a: &x [1, 2]\nb: *x", "anchors"),
            ("b: *x", "anchor"),
            ("a: !!str b", "tags"),
            ("a: 1\n---\nb: 2", "more than one"),
            ("a: 1\na: 2", "twice"),
            ("", "nothing"),
            ("[", "YAML"),
            ("a: [b", "YAML"),
        ] {
            let found = read(text).expect_err(text);
            assert!(found.to_string().contains(what), "{text}: {found}");
        }
        let deep = "[".repeat(100_000);
        assert!(read(&deep).is_err());
    }
}
