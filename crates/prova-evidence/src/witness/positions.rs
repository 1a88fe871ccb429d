//! Lines and columns of the file as it lies on disk, which is what witnesses speak of.
//!
//! The front end follows line markers (`#line 12 "driver.c"`), since people want to see the file
//! the code came from. Witnesses do not: their lines are those of the file that was given. So the
//! file is preprocessed a second time with its markers blanked out, and the two texts are laid side
//! by side, word by word.

use crate::folder::Folder;
use crate::text::{pieces, Piece};
use crate::Sources;
use prova_c::lines::Lines;
use std::path::Path;

/// The preprocessed text of a file, with the positions of its words on disk.
#[derive(Clone, Debug)]
pub struct Positions {
    /// The text.
    pub text: String,
    /// Start of each word or mark in the text, by increasing offset, with its line and column on
    /// disk; line zero for what comes from another file.
    words: Vec<(usize, u32, u32)>,
    /// The lines on disk.
    raw: Vec<String>,
}

/// Whether a line is a line marker.
fn is_marker(line: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix('#') else {
        return false;
    };
    let rest = rest.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    rest.starts_with(|c: char| c.is_ascii_digit())
}

/// The text with its line markers blanked out.
fn without_markers(text: &str) -> String {
    text.split_inclusive('\n')
        .map(|line| match is_marker(line) {
            true if line.ends_with('\n') => "\n",
            true => "",
            false => line,
        })
        .collect()
}

impl Positions {
    /// Reads a file.
    pub fn of(sources: &Sources, index: usize) -> Result<Positions, String> {
        let path = &sources.files[index];
        let text = sources.text(index)?;
        let raw = std::fs::read(path).map_err(|e| e.to_string())?;
        let raw = String::from_utf8_lossy(&raw).into_owned();
        let plain = without_markers(&raw);
        let (other, name) = if path.extension().is_some_and(|e| e == "i") {
            (plain, sources.name(index))
        } else {
            preprocessed(sources, path, &plain)?
        };
        let lines = Lines::new(&name, &other);
        let own = |offset: usize| {
            let position = lines.position(offset);
            match position.file == name {
                true => (position.line, position.column),
                false => (0, 0),
            }
        };
        let mut words = Vec::new();
        let mut others = pieces(&other, 0);
        for (start, _, piece) in pieces(&text, 0) {
            match others.next() {
                // Numbers may come from `__LINE__`.
                Some((at, _, twin)) if twin == piece || number(twin) && number(piece) => {
                    let (line, column) = own(at);
                    words.push((start, line, column));
                }
                _ => return Err(format!("`{}` reads differently each time", path.display())),
            }
        }
        Ok(Positions {
            text,
            words,
            raw: raw.lines().map(str::to_owned).collect(),
        })
    }

    /// Line and column on disk of the word that starts at an offset of the text.
    pub fn at(&self, offset: usize) -> Option<(u32, u32)> {
        let found = self.words.binary_search_by_key(&offset, |w| w.0).ok()?;
        let (_, line, column) = self.words[found];
        (line > 0).then_some((line, column))
    }

    /// As [`Positions::at`], without the column where macros have moved it.
    pub fn certain(&self, offset: usize) -> Option<(u32, Option<u32>)> {
        let (line, column) = self.at(offset)?;
        let raw = self.raw.get(line as usize - 1)?;
        let there = raw.get(column as usize - 1..).unwrap_or_default();
        let same = match (pieces(there, 0).next(), pieces(&self.text, offset).next()) {
            (Some((0, _, a)), Some((_, _, b))) => a == b,
            _ => false,
        };
        Some((line, same.then_some(column)))
    }

    /// Whether a position lies in the file.
    pub fn contains(&self, line: u32, column: Option<u32>) -> bool {
        match self.raw.get((line as usize).wrapping_sub(1)) {
            Some(raw) => column.is_none_or(|c| c >= 1 && c as usize <= raw.len() + 1),
            None => false,
        }
    }
}

fn number(piece: Piece) -> bool {
    matches!(piece, Piece::Word(w) if w.starts_with(|c: char| c.is_ascii_digit()))
}

/// Preprocesses a text as if it stood in a file; also says how the result calls that file.
fn preprocessed(sources: &Sources, path: &Path, text: &str) -> Result<(String, String), String> {
    let folder = Folder::new("prova-witness").map_err(|e| e.to_string())?;
    let copy = folder.path().join("unit.c");
    std::fs::write(&copy, text).map_err(|e| e.to_string())?;
    let mut options = sources.options.of_file(path).into_owned();
    let beside = path.parent().unwrap_or(Path::new("."));
    let beside = match beside.as_os_str().is_empty() {
        true => Path::new("."),
        false => beside,
    };
    options.include_dirs.insert(0, beside.to_owned());
    let text = prova_c::preprocess::read(&copy, &options).map_err(|e| e.to_string())?;
    Ok((text, copy.display().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, text: &str) -> Positions {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        let sources = Sources {
            files: vec![path],
            ..Sources::default()
        };
        Positions::of(&sources, 0).expect("it is read")
    }

    #[test]
    fn line_markers_do_not_move_positions() {
        let text = "int a;\n#line 70 \"other.c\"\nint b;\n# 5 \"third.c\"\n  int c;\n";
        for name in ["marked.c", "marked.i"] {
            let positions = of(name, text);
            let at = |what: &str| positions.at(positions.text.find(what).expect(what));
            assert_eq!(at("a;"), Some((1, 5)), "{name}");
            assert_eq!(at("b;"), Some((3, 5)), "{name}");
            assert_eq!(at("int c"), Some((5, 3)), "{name}");
            assert!(positions.contains(5, Some(9)) && !positions.contains(6, None));
            assert!(!positions.contains(1, Some(9)));
        }
    }

    #[test]
    fn headers_are_other_files() {
        let positions = of(
            "header.c",
            "#include <stddef.h>\n#define TWO 2\nsize_t n = TWO;\n",
        );
        let at = |what: &str| positions.at(positions.text.find(what).expect(what));
        assert_eq!(at("size_t n"), Some((3, 1)));
        assert_eq!(at("typedef"), None);
        let semicolon = positions.text.rfind(';').expect("it is there");
        assert_eq!(positions.certain(semicolon), Some((3, None)));
    }
}
