//! From a file or a preprocessed text to a syntax tree.

use std::mem::ManuallyDrop;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use lang_c::ast::TranslationUnit;
use lang_c::driver::{parse_preprocessed, Config, Flavor, SyntaxError};
use lang_c::span::Span;

use crate::diagnostic::{Diagnostic, Place};
use crate::lines::{Edit, Lines, Source};
use crate::preprocess::{self, Options};
use crate::stack::{with_large_stack, with_large_stack_for};
use crate::tokens::{tokenize, NotC};
use crate::{fixups, nesting};

/// A parsed translation unit.
///
/// Names in the tree may be encoded (see [`fixups::original_name`]) and reserved names may stand
/// for what the parser does not know (see [`fixups`]). Work that recurses over the tree belongs
/// inside [`with_large_stack`].
#[derive(Debug)]
pub struct Unit {
    /// Name, text and lines.
    pub source: Arc<Source>,
    /// The syntax tree.
    ast: ManuallyDrop<TranslationUnit>,
    /// An upper bound of the tree's depth.
    pub depth: u32,
}

/// Trees up to this depth are dropped on whatever stack we are on.
const SHALLOW: u32 = 500;

impl Drop for Unit {
    fn drop(&mut self) {
        // SAFETY: the field is private, taken here only, and never used afterwards.
        let ast = unsafe { ManuallyDrop::take(&mut self.ast) };
        if self.depth > SHALLOW {
            with_large_stack(move || drop(ast));
        }
    }
}

impl Unit {
    /// The syntax tree. Its spans are byte ranges of [`Unit::text`].
    pub fn ast(&self) -> &TranslationUnit {
        &self.ast
    }

    /// The name of the file that was given.
    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// The text that was parsed.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// Lines and files.
    pub fn lines(&self) -> &Lines {
        &self.source.lines
    }

    /// The place of a node of the tree.
    pub fn place(&self, span: Span) -> Place {
        let length = self.source.text.len();
        let (start, end) = if span.is_none() {
            (0, 0)
        } else {
            (span.start, span.end)
        };
        Place {
            source: self.source.clone(),
            range: start.min(length)..end.min(length),
        }
    }
}

/// Reads, preprocesses and parses a file.
pub fn parse_file(path: &Path, options: &Options) -> Result<Unit, Diagnostic> {
    let text = preprocess::read(path, options)?;
    let inserted = crate::inserted::edits(&text, &options.contracts);
    parse_edited(&path.to_string_lossy(), text, inserted)
}

/// Parses a text that is already preprocessed.
pub fn parse_text(
    name: &str,
    text: impl Into<String>,
    _options: &Options,
) -> Result<Unit, Diagnostic> {
    parse_edited(name, text.into(), Vec::new())
}

/// Parses a text with replacements of single tokens that nothing else edits.
pub(crate) fn parse_edited(
    name: &str,
    before: String,
    more: Vec<Edit>,
) -> Result<Unit, Diagnostic> {
    let mut lines = Lines::new(name, &before);
    let checked = tokenize(&before)
        .and_then(|tokens| Ok((nesting::depth(&before, &tokens.tokens)?, tokens)))
        .and_then(|(depth, tokens)| Ok((depth, fixups::edits(&before, &tokens)?)));
    let (depth, edits) = match checked {
        Ok(found) => found,
        Err(NotC { message, range }) => {
            let source = Arc::new(Source::plain(name, &before));
            return Err(Diagnostic::error(message, Place { source, range }));
        }
    };
    let mut edits = edits;
    if !more.is_empty() {
        // Where both would replace something, the caller knows better.
        edits.retain(|e| !more.iter().any(|m| e.start < m.end && m.start < e.end));
        edits.extend(more);
        edits.sort_by_key(|e| e.start);
        let mut end = 0;
        edits.retain(|e| {
            let apart = e.start >= end;
            end = end.max(e.end);
            apart
        });
    }
    let edited = fixups::apply(&before, &edits);
    lines.record_edits(&edits);
    let config = Config {
        cpp_command: String::new(),
        cpp_options: Vec::new(),
        flavor: Flavor::GnuC11,
    };
    // The parser backtracks; a few contrived texts take it exponential time.
    let limit = Duration::from_secs(120 + edited.len() as u64 / 20_000);
    let parsed = with_large_stack_for(limit, move || parse_preprocessed(&config, edited));
    let source = |text: String| {
        Arc::new(Source {
            name: name.to_string(),
            text: text.into(),
            before: before.into(),
            lines,
        })
    };
    let Some(parsed) = parsed else {
        let message = format!(
            "`{name}` is not parsed after {} s; giving up",
            limit.as_secs()
        );
        return Err(Diagnostic::error(message, None));
    };
    match parsed {
        Ok(parse) => Ok(Unit {
            source: source(parse.source),
            ast: ManuallyDrop::new(parse.unit),
            depth,
        }),
        Err(error) => {
            let SyntaxError {
                source: text,
                offset,
                mut expected,
                ..
            } = error;
            expected.remove("");
            let mut expected: Vec<_> = expected.into_iter().collect();
            expected.sort_unstable();
            let found = found_at(&text, offset);
            let mut message = format!("syntax error: {found} cannot stand here");
            if (1..=4).contains(&expected.len()) {
                let list: Vec<_> = expected.iter().map(|e| format!("`{e}`")).collect();
                message += &format!("; expected {}", list.join(" or "));
            }
            let end = offset + token_length(&text[offset..]);
            Err(Diagnostic::error(
                message,
                Place {
                    source: source(text),
                    range: offset..end,
                },
            ))
        }
    }
}

/// What stands at an offset, in words.
fn found_at(text: &str, offset: usize) -> String {
    let rest = &text[offset..];
    match token_length(rest) {
        0 => "the end of the file".into(),
        length => format!("`{}`", fixups::original_name(&rest[..length])),
    }
}

fn token_length(rest: &str) -> usize {
    let word = rest
        .bytes()
        .take_while(|b| b.is_ascii_alphanumeric() || *b == b'_')
        .count();
    if word > 0 {
        return word;
    }
    rest.chars().next().map_or(0, char::len_utf8)
}
