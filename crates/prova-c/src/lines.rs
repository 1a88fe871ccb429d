//! From byte offsets to the user's own lines: the text of a translation unit together with the
//! line markers (`# 12 "file.c"`, `#line 12 "file.c"`) that say where each of its lines came from.

use std::sync::Arc;

/// A place in a file as the user knows it. Line and column count from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<'a> {
    /// The file the line came from.
    pub file: &'a str,
    /// Line in that file.
    pub line: u32,
    /// Column in bytes, in the line after macro expansion.
    pub column: u32,
}

/// A replacement made before parsing. None of them adds or removes a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Where it starts in the text before.
    pub start: usize,
    /// Where it ends in the text before.
    pub end: usize,
    /// What stands there now.
    pub text: String,
}

/// How offsets in the edited text relate to the text before.
#[derive(Clone, Debug, Default)]
struct Shift {
    /// Start in the edited text.
    start: usize,
    /// End in the edited text.
    end: usize,
    /// Start in the text before.
    before: usize,
    /// Length in the text before.
    before_len: usize,
}

/// Says which line of which file an offset belongs to.
#[derive(Clone, Debug)]
pub struct Lines {
    /// Offsets of line starts in the text before edits.
    starts: Vec<usize>,
    /// Index of the first line, file, and that line's number, by increasing index.
    segments: Vec<(usize, u32, u32)>,
    files: Vec<String>,
    shifts: Vec<Shift>,
}

impl Lines {
    /// Reads the line markers of a preprocessed text. `name` stands for what has no marker.
    pub fn new(name: &str, text: &str) -> Self {
        let mut lines = Lines {
            starts: Vec::new(),
            segments: vec![(0, 0, 1)],
            files: vec![name.to_string()],
            shifts: Vec::new(),
        };
        let mut known = rustc_hash::FxHashMap::default();
        known.insert(name.to_string(), 0u32);
        let mut start = 0;
        for (index, line) in text.split_inclusive('\n').enumerate() {
            lines.starts.push(start);
            start += line.len();
            if let Some((number, file)) = parse_marker(line) {
                let file = match file {
                    None => lines.segments.last().map_or(0, |s| s.1),
                    Some(file) => *known.entry(file.clone()).or_insert_with(|| {
                        lines.files.push(file);
                        (lines.files.len() - 1) as u32
                    }),
                };
                lines.segments.push((index + 1, file, number));
            }
        }
        if lines.starts.is_empty() {
            lines.starts.push(0);
        }
        lines
    }

    /// Records edits, sorted and disjoint, after which offsets refer to the edited text.
    pub(crate) fn record_edits(&mut self, edits: &[Edit]) {
        let mut grown: isize = 0;
        for edit in edits {
            let start = edit.start.saturating_add_signed(grown);
            self.shifts.push(Shift {
                start,
                end: start + edit.text.len(),
                before: edit.start,
                before_len: edit.end - edit.start,
            });
            grown += edit.text.len() as isize - (edit.end - edit.start) as isize;
        }
    }

    /// The offset in the text before edits.
    pub fn original_offset(&self, offset: usize) -> usize {
        let after = self.shifts.partition_point(|s| s.start <= offset);
        let Some(shift) = after.checked_sub(1).map(|i| &self.shifts[i]) else {
            return offset;
        };
        if offset >= shift.end {
            shift.before + shift.before_len + (offset - shift.end)
        } else {
            shift.before + (offset - shift.start).min(shift.before_len.saturating_sub(1))
        }
    }

    /// File, line and column of an offset in the edited text.
    pub fn position(&self, offset: usize) -> Position<'_> {
        let offset = self.original_offset(offset);
        let index = self.line_index(offset);
        let segment = self.segments.partition_point(|s| s.0 <= index) - 1;
        let (first, file, number) = self.segments[segment];
        Position {
            file: &self.files[file as usize],
            line: number.saturating_add((index - first) as u32),
            column: (offset - self.starts[index]) as u32 + 1,
        }
    }

    /// Every file name, in the order in which the markers first name them; the first is the
    /// unit's own.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// Offset, in the text before edits, of the start of the line that holds `offset` (also
    /// before edits).
    pub(crate) fn line_start(&self, offset: usize) -> usize {
        self.starts[self.line_index(offset)]
    }

    fn line_index(&self, offset: usize) -> usize {
        self.starts.partition_point(|&s| s <= offset).max(1) - 1
    }
}

/// Reads `# 12 "file" …`, `#line 12 "file"` or `#line 12`.
fn parse_marker(line: &str) -> Option<(u32, Option<String>)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest[..digits].parse().ok()?;
    let rest = rest[digits..].trim();
    if rest.is_empty() {
        return Some((number, None));
    }
    let mut chars = rest.strip_prefix('"')?.chars();
    let mut name = String::new();
    loop {
        match chars.next()? {
            '"' => return Some((number, Some(name))),
            '\\' => name.push(chars.next()?),
            c => name.push(c),
        }
    }
}

/// The text of a translation unit and where its lines came from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name of the file that was given.
    pub name: String,
    /// The preprocessed text as it was parsed.
    pub text: Arc<str>,
    /// The preprocessed text before it was edited for the parser.
    pub before: Arc<str>,
    /// Lines and files.
    pub lines: Lines,
}

impl Source {
    /// A text that needs no edits.
    pub fn plain(name: &str, text: &str) -> Self {
        let text: Arc<str> = text.into();
        Source {
            name: name.to_string(),
            before: text.clone(),
            lines: Lines::new(name, &text),
            text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, what: &str) -> (String, u32, u32) {
        let lines = Lines::new("unit.c", text);
        let p = lines.position(text.find(what).unwrap());
        (p.file.to_string(), p.line, p.column)
    }

    #[test]
    fn markers_are_followed() {
        let text = "a\n# 10 \"b.h\" 1 3\nb1\n b2\n#line 7\nb3\n# 2 \"unit.c\" 2\nc\n#pragma x\nd";
        assert_eq!(at(text, "a"), ("unit.c".into(), 1, 1));
        assert_eq!(at(text, "b1"), ("b.h".into(), 10, 1));
        assert_eq!(at(text, "b2"), ("b.h".into(), 11, 2));
        assert_eq!(at(text, "b3"), ("b.h".into(), 7, 1));
        assert_eq!(at(text, "c\n"), ("unit.c".into(), 2, 1));

        assert_eq!(Lines::new("u", text).position(text.len() - 1).line, 4);
        assert_eq!(Lines::new("u", "").position(0).line, 1);
    }

    #[test]
    fn names_are_unescaped() {
        assert_eq!(
            parse_marker(r#"# 3 "a \"b\" \\c.c""#),
            Some((3, Some(r#"a "b" \c.c"#.into())))
        );
        assert_eq!(parse_marker("# 3 \"open"), None);
        assert_eq!(parse_marker("# 99999999999 \"x\""), None);
    }

    #[test]
    fn columns_are_those_before_edits() {
        let mut lines = Lines::new("u", "f() {}\ng() {}");
        let edit = |start: usize| Edit {
            start,
            end: start,
            text: "int ".into(),
        };
        lines.record_edits(&[edit(0), edit(7)]);
        let edited = "int f() {}\nint g() {}";
        let p = lines.position(edited.find('g').unwrap());
        assert_eq!((p.line, p.column), (2, 1));
        let p = lines.position(edited.rfind('{').unwrap());
        assert_eq!((p.line, p.column), (2, 5));
    }
}
