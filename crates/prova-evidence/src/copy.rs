//! Copies of the program's sources with a few insertions: contents of uninitialised variables at
//! their declarations, and error labels. Everything else stays as it is, lines included.
//!
//! Positions are those people see, which line markers may have moved: they are looked up in the
//! text, and the name has to stand there.

use crate::harness::{always_errors, Made};
use crate::recording::{Recording, Unset};
use crate::text::{is_word, pieces, Insertions, Piece};
use prova_c::lines::Lines;
use prova_ir::{Program, Span};

/// A copy of a source.
#[derive(Clone, Debug)]
pub struct Copy {
    /// Which source.
    pub index: usize,
    /// Its text, preprocessed.
    pub text: String,
    /// What differs from the original, for people.
    pub notes: Vec<String>,
}

/// Why no copy could be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CopyError {
    /// A source cannot be read.
    #[error("{0}")]
    Read(String),
    /// Nothing stands where something should.
    #[error("the declaration of `{0}` cannot be found in the source")]
    NotFound(String),
}

/// The copies that runs need besides the originals.
pub fn copies(made: &Made, recordings: &[&Recording]) -> Result<Vec<Copy>, CopyError> {
    let Some(recording) = recordings.first() else {
        return Ok(Vec::new());
    };
    let mut unset: Vec<&Unset> = Vec::new();
    for one in recordings.iter().flat_map(|r| r.unset_that_matter()) {
        if unset.iter().all(|u| u.span != one.span) {
            unset.push(one);
        }
    }
    let label = made.errors.and_then(|spec| spec.label.as_deref());
    let hidden = hidden_errors(made, recording)?;
    if unset.is_empty() && label.is_none() && hidden.is_empty() {
        return Ok(Vec::new());
    }
    let mut copies = Vec::new();
    let mut found = vec![false; unset.len()];
    for index in 0..made.sources.files.len() {
        let text = made.sources.text(index).map_err(CopyError::Read)?;
        let lines = Lines::new(&made.sources.name(index), &text);
        let mut insertions = Insertions::default();
        let mut notes = Vec::new();
        for (unset, found) in unset.iter().zip(&mut found) {
            let at = locate(&text, &lines, &recording.program, unset.span, &unset.name);
            if at.is_some_and(|at| is_initialised(&text, at)) {
                // What it held before is gone by the time anybody can look.
                *found = true;
                continue;
            }
            let end = at.and_then(|at| end_of_declaration(&text, at));
            let Some(end) = end else { continue };
            *found = true;
            let (line, column) = (unset.span.line, unset.span.column);
            let name = crate::harness::unset_name(&unset.name, line, column);
            insertions.add(
                end,
                format!(
                    " {{ extern void prova_uninitialised(const char *, void *, unsigned long); \
                     prova_uninitialised(\"{name}\", (void *)&{0}, sizeof {0}); }}",
                    unset.name
                ),
            );
            notes.push(format!(
                "`{}` is uninitialised at {}, and the error depends on its value: the copy sets it",
                unset.name,
                crate::place(&recording.program, unset.span)
            ));
        }
        if let Some(label) = label {
            let places = labels(&text, label);
            for &at in &places {
                insertions.add(
                    at,
                    format!(
                        " if (({{ extern int prova_error_reached(const char *); \
                         prova_error_reached(\"label `{label}` reached\"); }})) ; else"
                    ),
                );
            }
            if !places.is_empty() {
                notes.push(format!(
                    "the label `{label}` is the error: the copy says so"
                ));
            }
        }
        for (name, span) in &hidden {
            let at = locate(&text, &lines, &recording.program, *span, name);
            if let Some(body) = at.and_then(|at| body_after(&text, at)) {
                insertions.add(
                    body,
                    format!(
                        " {{ extern int prova_error_reached(const char *); \
                         prova_error_reached(\"call of {name}()\"); }}"
                    ),
                );
                notes.push(format!(
                    "`{name}` is static: the copy says when it is called"
                ));
            }
        }
        if !insertions.is_empty() {
            copies.push(Copy {
                index,
                text: insertions.apply(&text),
                notes,
            });
        }
    }
    match found.iter().position(|f| !f) {
        Some(missing) => Err(CopyError::NotFound(unset[missing].name.clone())),
        None => Ok(copies),
    }
}

/// Error functions that the program defines `static`, where no linker sees them.
fn hidden_errors(made: &Made, recording: &Recording) -> Result<Vec<(String, Span)>, CopyError> {
    let mut found = Vec::new();
    let mut texts: Vec<Option<(String, Lines)>> = vec![None; made.sources.files.len()];
    for name in made.errors.iter().flat_map(|spec| always_errors(spec)) {
        let defined = made
            .program
            .procedures
            .iter()
            .find(|p| p.c_name == name && p.body.is_some());
        let Some(procedure) = defined else { continue };
        for (index, slot) in texts.iter_mut().enumerate() {
            if slot.is_none() {
                let text = made.sources.text(index).map_err(CopyError::Read)?;
                let lines = Lines::new(&made.sources.name(index), &text);
                *slot = Some((text, lines));
            }
            let Some((text, lines)) = slot else { continue };
            let at = locate(text, lines, &recording.program, procedure.span, &name);
            if at.is_some_and(|at| is_static(text, at)) {
                found.push((name.clone(), procedure.span));
            }
        }
    }
    Ok(found)
}

/// The offset at which a name stands at a position people see.
pub fn locate(
    text: &str,
    lines: &Lines,
    program: &Program,
    span: Span,
    name: &str,
) -> Option<usize> {
    let file = program.files.get(span.file.index())?;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let column = (span.column as usize).checked_sub(1)?;
        if line
            .get(column..)
            .is_some_and(|l| starts_with_word(l, name))
        {
            let position = lines.position(start + column);
            if (position.file, position.line) == (file.name.as_str(), span.line) {
                return Some(start + column);
            }
        }
        start += line.len();
    }
    None
}

fn starts_with_word(text: &str, word: &str) -> bool {
    let mut rest = match text.strip_prefix(word) {
        Some(rest) => rest.chars(),
        None => return false,
    };
    !rest.next().is_some_and(is_word)
}

/// Behind the semicolon that ends the declaration of the name at an offset.
fn end_of_declaration(text: &str, at: usize) -> Option<usize> {
    let mut depth = 0i32;
    for (_, end, piece) in pieces(text, at) {
        match piece {
            Piece::Mark('(' | '[' | '{') => depth += 1,
            // Out of the parentheses that the name may stand in, as in `(*f)(int)`.
            Piece::Mark(')' | ']') => depth = (depth - 1).max(0),
            Piece::Mark('}') if depth == 0 => return None,
            Piece::Mark('}') => depth -= 1,
            Piece::Mark(';') if depth == 0 => return Some(end),
            _ => {}
        }
    }
    None
}

/// Whether the declaration of the name at an offset gives it a value: the whole of it, for what an
/// initialiser leaves out of an array or a structure is zero.
fn is_initialised(text: &str, at: usize) -> bool {
    let mut depth = 0i32;
    for (_, _, piece) in pieces(text, at) {
        match piece {
            Piece::Mark('(' | '[' | '{') => depth += 1,
            Piece::Mark(')' | ']') => depth = (depth - 1).max(0),
            Piece::Mark('=') if depth == 0 => return true,
            Piece::Mark(';' | ',' | '}') if depth == 0 => return false,
            _ => {}
        }
    }
    false
}

/// Behind the brace that opens the body of the function whose name is at an offset.
fn body_after(text: &str, at: usize) -> Option<usize> {
    for (_, end, piece) in pieces(text, at) {
        match piece {
            Piece::Mark('{') => return Some(end),
            Piece::Mark(';') => return None,
            _ => {}
        }
    }
    None
}

/// Whether the declaration that holds this offset says `static` before it.
fn is_static(text: &str, at: usize) -> bool {
    let start = text[..at].rfind([';', '}']).map_or(0, |i| i + 1);
    let mut words = pieces(&text[..at], start);
    words.any(|(_, _, piece)| piece == Piece::Word("static"))
}

/// Whether functions are `inline` and nothing else, so that in C99 and later no definition is
/// left for other functions to call: old code means it otherwise.
pub fn plain_inline(text: &str) -> bool {
    let mut words: Vec<&str> = Vec::new();
    let (mut plain, mut outside) = (false, false);
    for (_, _, piece) in pieces(text, 0) {
        match piece {
            Piece::Mark(';' | '{' | '}') => {
                if words.iter().any(|w| INLINE.contains(w)) {
                    outside |= words.contains(&"extern");
                    plain |= !words.contains(&"extern") && !words.contains(&"static");
                }
                words.clear();
            }
            Piece::Word(word) => words.push(word),
            Piece::Mark(_) => {}
        }
    }
    plain && !outside
}

const INLINE: [&str; 3] = ["inline", "__inline", "__inline__"];

/// Behind each occurrence of a label.
fn labels(text: &str, label: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut before = [Piece::Mark(';'), Piece::Mark(';')];
    for (_, end, piece) in pieces(text, 0) {
        let after_statement = matches!(
            before[0],
            Piece::Mark(';' | '{' | '}' | ':' | ')') | Piece::Word("else" | "do")
        );
        if piece == Piece::Mark(':') && before[1] == Piece::Word(label) && after_statement {
            found.push(end);
        }
        before = [before[1], piece];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_end_at_their_own_semicolon() {
        let text = "int x = f(\";\", ';') /* ; */, (*g)(int a); y;";
        let end = end_of_declaration(text, 4).expect("it ends");
        assert_eq!(&text[end..], " y;");
        let inner = text.find('g').expect("it is there");
        assert_eq!(end_of_declaration(text, inner), Some(end));
        assert_eq!(end_of_declaration("{ int x } ;", 6), None);
    }

    #[test]
    fn initialised_declarations_are_told_from_others() {
        let text = "int a[2] = { 1 }, b[n == 1], (*c)(int) = f; char d;";
        let at = |name: char| text.find(name).expect("it is there");
        assert!(is_initialised(text, 4));
        assert!(!is_initialised(text, at('b')));
        assert!(is_initialised(text, text.find("c)").expect("it is there")));
        assert!(!is_initialised(text, at('d')));
    }

    #[test]
    fn labels_are_told_from_other_colons() {
        let text = "switch (x) { case ERROR: y = a ? ERROR : b; } if (z) ERROR: f(); ERROR : ;";
        let found = labels(text, "ERROR");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(text[found[0]..].starts_with(" f()"));
    }

    #[test]
    fn inline_alone_is_told_from_its_relatives() {
        assert!(plain_inline(
            "int x; __inline void f(void) { } static inline int g(void);"
        ));
        assert!(!plain_inline(
            "inline int f(void) { } extern inline int f(void);"
        ));
        assert!(!plain_inline("static inline int g(void) { }"));
    }

    #[test]
    fn static_functions_are_found() {
        let text = "int a; static inline void f(void) {} void g(void) {}";
        assert!(is_static(text, text.find("f(").expect("f")));
        assert!(!is_static(text, text.find("g(").expect("g")));
    }
}
