//! Messages about the user's program, with the source line and a caret.

use std::fmt;
use std::io::IsTerminal;
use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::lines::{Position, Source};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The program cannot be used.
    Error,
    /// The program is used, but the user should know.
    Warning,
    /// Additional information.
    Note,
}

/// A part of a translation unit; cheap to clone.
#[derive(Clone)]
pub struct Place {
    /// The unit.
    pub source: Arc<Source>,
    /// Bytes of its text as parsed.
    pub range: Range<usize>,
}

impl Place {
    /// File, line and column of its first byte.
    pub fn position(&self) -> Position<'_> {
        self.source.lines.position(self.range.start)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let p = self.position();
        write!(f, "{}:{}:{}", p.file, p.line, p.column)
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Place({self})")
    }
}

/// A message about the program.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one line where possible; starts in lower case, without a full stop.
    pub message: String,
    /// Where.
    pub place: Option<Place>,
    /// What else helps, for instance the place of an earlier definition.
    pub notes: Vec<(String, Option<Place>)>,
}

impl Diagnostic {
    /// An error.
    pub fn error(message: impl Into<String>, place: impl Into<Option<Place>>) -> Self {
        Self::new(Severity::Error, message, place)
    }

    /// A warning.
    pub fn warning(message: impl Into<String>, place: impl Into<Option<Place>>) -> Self {
        Self::new(Severity::Warning, message, place)
    }

    /// A message of any severity.
    pub fn new(
        severity: Severity,
        message: impl Into<String>,
        place: impl Into<Option<Place>>,
    ) -> Self {
        Diagnostic {
            severity,
            message: message.into(),
            place: place.into(),
            notes: Vec::new(),
        }
    }

    /// Adds a note.
    pub fn with_note(
        mut self,
        message: impl Into<String>,
        place: impl Into<Option<Place>>,
    ) -> Self {
        self.notes.push((message.into(), place.into()));
        self
    }

    /// The message as it is shown to people: with excerpts, and with colours if asked for.
    pub fn render(&self, colours: bool) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let excerpt = self.place.as_ref().map(Excerpt::of);
        let notes: Vec<_> = self
            .notes
            .iter()
            .map(|(text, place)| (text.as_str(), place.as_ref().map(Excerpt::of)))
            .collect();

        let mut first = level
            .primary_title(self.message.as_str())
            .elements(excerpt.iter().map(Excerpt::snippet));
        let mut groups = Vec::new();
        for (text, excerpt) in &notes {
            match excerpt {
                None => first = first.element(Level::NOTE.message(*text)),
                Some(excerpt) => groups.push(
                    Level::NOTE
                        .secondary_title(*text)
                        .element(excerpt.snippet()),
                ),
            }
        }
        groups.insert(0, first);
        let renderer = if colours {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        renderer.render(&groups)
    }

    /// Prints it on standard error, in colour if that is a terminal and `NO_COLOR` is unset.
    pub fn print(&self) {
        let colours = std::io::stderr().is_terminal()
            && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        // Nothing sensible is left to do when standard error is closed.
        let _ = std::io::Write::write_all(
            &mut std::io::stderr().lock(),
            format!("{}\n", self.render(colours)).as_bytes(),
        );
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// One source line with the part that is meant.
struct Excerpt {
    file: String,
    line: u32,
    text: String,
    marked: Range<usize>,
}

/// Lines longer than this (machine-written code) are cut around the place.
const WIDEST: usize = 160;

impl Excerpt {
    fn of(place: &Place) -> Self {
        let source = &place.source;
        let position = place.position();
        let start = source.lines.original_offset(place.range.start);
        let end = source
            .lines
            .original_offset(place.range.end.max(place.range.start + 1));
        let line_start = source.lines.line_start(start);
        let line = source.before[line_start..].lines().next().unwrap_or("");
        let from = (start - line_start).min(line.len());
        let to = end.saturating_sub(line_start).clamp(from, line.len());
        let mut text = line.to_string();
        let mut marked = from..to;
        // The user's own line, before macros were expanded, where the place can be found in it.
        if let Some(own) = own_line(position.file, position.line) {
            let meant = line.get(marked.clone()).unwrap_or("");
            let by_column = own.get(marked.clone()) == Some(meant) && !meant.is_empty();
            if by_column {
                text = own;
            } else if let Some(at) = find_once(&own, meant) {
                marked = at..at + meant.len();
                text = own;
            } else if own.trim() == line.trim() {
                text = own;
                marked = from.min(text.len())..to.min(text.len());
            }
        }
        if text.len() > WIDEST {
            (text, marked) = cut(&text, marked);
        }
        while !text.is_char_boundary(marked.start) {
            marked.start -= 1;
        }
        while !text.is_char_boundary(marked.end) {
            marked.end += 1;
        }
        Excerpt {
            file: position.file.to_string(),
            line: position.line,
            text,
            marked,
        }
    }

    fn snippet(&self) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
        Snippet::source(self.text.as_str())
            .path(self.file.as_str())
            .line_start(self.line as usize)
            .annotation(AnnotationKind::Primary.span(self.marked.clone()))
    }
}

/// A line of a file, if it can be read. Large files are left alone: this is only decoration.
fn own_line(file: &str, line: u32) -> Option<String> {
    let size = std::fs::metadata(file).ok().filter(|m| m.is_file())?.len();
    if size > 4 << 20 {
        return None;
    }
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().nth((line as usize).checked_sub(1)?)?;
    Some(line.to_string())
}

/// Where `what` occurs, if it does so exactly once.
fn find_once(text: &str, what: &str) -> Option<usize> {
    if what.is_empty() {
        return None;
    }
    let first = text.find(what)?;
    (text.rfind(what) == Some(first)).then_some(first)
}

/// Cuts a long line around the marked part.
fn cut(text: &str, marked: Range<usize>) -> (String, Range<usize>) {
    let floor = |mut i: usize| {
        while !text.is_char_boundary(i) {
            i -= 1;
        }
        i
    };
    let from = floor(marked.start.saturating_sub(WIDEST / 2));
    let to = floor((from + WIDEST).min(text.len()));
    let front = if from > 0 { "…" } else { "" };
    let back = if to < text.len() { "…" } else { "" };
    let shift = |i: usize| (i.clamp(from, to) - from) + front.len();
    (
        format!("{front}{}{back}", &text[from..to]),
        shift(marked.start)..shift(marked.end),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str, what: &str) -> Place {
        let start = text.find(what).unwrap();
        Place {
            source: Arc::new(Source::plain("no-such-file.c", text)),
            range: start..start + what.len(),
        }
    }

    #[test]
    fn shows_file_line_column_and_caret() {
        let text = "int x;\nint x = y;\n";
        let shown = Diagnostic::error("`y` is not declared", place(text, "y;"))
            .with_note("declared here", place(text, "x;"))
            .with_note("in words", None)
            .render(false);
        assert!(shown.starts_with("error: `y` is not declared"), "{shown}");
        assert!(shown.contains("no-such-file.c:2:9"), "{shown}");
        assert!(shown.contains("int x = y;"), "{shown}");
        assert!(shown.contains("^^"), "{shown}");
        assert!(shown.contains("no-such-file.c:1:5"), "{shown}");
        assert!(shown.contains("in words"), "{shown}");
        assert!(!shown.contains('\u{1b}'), "{shown:?}");
    }

    #[test]
    fn cuts_long_lines_and_survives_odd_ranges() {
        let text = format!("{}é = 1;", "int a;".repeat(100));
        let shown = Diagnostic::warning("odd", place(&text, "é")).render(false);
        assert!(
            shown.contains('…') && shown.lines().all(|l| l.len() < 400),
            "{shown}"
        );
        let end = Place {
            source: Arc::new(Source::plain("x.c", "")),
            range: 5..9,
        };
        assert!(Diagnostic::error("at the end", end)
            .render(true)
            .contains("at the end"));
    }
}
