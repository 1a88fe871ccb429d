//! `compile_commands.json`: what a build told the compiler about each file.
//!
//! Only what the preprocessor must know is taken (`-I`, `-D`, `-U`, `-include`, `-isystem`,
//! `-std` and their like), and `-m32`/`-m64`. Flags that change what the program means beyond
//! that, `-funsigned-char` for instance, are refused: a verdict would be about another program.
//!
//! The format: <https://clang.llvm.org/docs/JSONCompilationDatabase.html>.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use prova_c::FileOptions;
use prova_ir::DataModel;
use serde::Deserialize;

use super::paths::{identity, nearby, tidy};
use crate::status::Rejected;

/// An entry as it is written.
#[derive(Debug, Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// What the compiler was told about a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// For the preprocessor.
    pub options: FileOptions,
    /// The data model, if one was asked for.
    pub model: Option<DataModel>,
    /// Flags that change the meaning of the program, and are not understood.
    pub refused: Vec<String>,
}

/// A compilation database.
#[derive(Debug)]
pub struct Database {
    path: PathBuf,
    /// Files in the order of the database.
    files: Vec<PathBuf>,
    /// By the file's identity; several commands for one file in their order.
    flags: BTreeMap<PathBuf, Vec<Flags>>,
}

/// Options with a word of their own that the preprocessor needs; the word is a path.
const PATHS: [&str; 7] = [
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-imacros",
    "-isysroot",
    "--sysroot",
];

/// Options with a word of their own that nobody needs here.
const SKIPPED: [&str; 13] = [
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-x",
    "-L",
    "-l",
    "-arch",
    "-Xlinker",
    "-Xassembler",
    "-T",
    "-target",
    "-aux-info",
];

/// Options as they are that change what the preprocessor gives.
const PLAIN: [&str; 4] = ["-nostdinc", "-undef", "-pthread", "-ffreestanding"];

/// Options that change types or their layout.
const REFUSED: [&str; 12] = [
    "-funsigned-char",
    "-fno-signed-char",
    "-funsigned-bitfields",
    "-fsingle-precision-constant",
    "-malign-double",
    "-mlong-double-",
    "-fpack-struct",
    "-fshort-enums",
    "-fshort-wchar",
    "-fshort-double",
    "-mx32",
    "-fms-extensions",
];

impl Database {
    /// Reads a database; a folder stands for the `compile_commands.json` in it.
    pub fn read(path: &Path) -> Result<Self, Rejected> {
        let path = match path.is_dir() {
            true => path.join("compile_commands.json"),
            false => path.to_owned(),
        };
        let wrong = |why: String| Rejected::because(format!("{}: {why}", nearby(&path).display()));
        let text = std::fs::read_to_string(&path).map_err(|e| wrong(e.to_string()))?;
        let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|e| wrong(e.to_string()))?;
        let base = path.parent().unwrap_or(Path::new("")).to_owned();
        let mut database = Database {
            path: path.clone(),
            files: Vec::new(),
            flags: BTreeMap::new(),
        };
        for entry in entries {
            let folder = super::paths::absolute(&base.join(&entry.directory));
            let file = tidy(&folder.join(&entry.file));
            let words = match (entry.arguments, entry.command) {
                (Some(words), _) => words,
                (None, Some(line)) => shlex::split(&line).ok_or_else(|| {
                    wrong(format!(
                        "the command for `{}` cannot be split into words",
                        file.display()
                    ))
                })?,
                (None, None) => {
                    let why = "has neither `arguments` nor `command`";
                    return Err(wrong(format!("the entry for `{}` {why}", file.display())));
                }
            };
            let flags = Flags::of(words.get(1..).unwrap_or_default(), &folder);
            let known = database.flags.entry(identity(&file)).or_default();
            if known.is_empty() {
                database.files.push(nearby(&file));
            }
            if !known.contains(&flags) {
                known.push(flags);
            }
        }
        Ok(database)
    }

    /// Its C files.
    pub fn files(&self) -> Vec<PathBuf> {
        let c = |f: &&PathBuf| f.extension().is_some_and(|e| e == "c" || e == "i");
        self.files.iter().filter(c).cloned().collect()
    }

    /// Its name.
    pub fn name(&self) -> String {
        nearby(&self.path).display().to_string()
    }

    /// What the compiler was told about a file, and whether it was told other things, too.
    pub fn flags(&self, file: &Path) -> Option<(&Flags, bool)> {
        let all = self.flags.get(&identity(file))?;
        Some((all.first()?, all.len() > 1))
    }
}

impl Flags {
    /// Picks what counts from the words of a command, which was run in a folder.
    fn of(words: &[String], folder: &Path) -> Self {
        let mut flags = Flags::default();
        // `-Wp,-DX,-DY` hands words on to the preprocessor.
        let words: Vec<&str> = words
            .iter()
            .flat_map(|w| match w.strip_prefix("-Wp,") {
                Some(handed) => handed.split(',').collect(),
                None => vec![w.as_str()],
            })
            .collect();
        let mut rest = words.into_iter();
        let path = |text: &str| tidy(&folder.join(text));
        let shown = |text: &str| path(text).display().to_string();
        while let Some(word) = rest.next() {
            if let Some((option, joined)) = split(word, &["-I", "-D", "-U"]) {
                let value = match joined {
                    "" => rest.next().unwrap_or_default(),
                    joined => joined,
                };
                match option {
                    "-I" => flags.options.include_dirs.push(nearby(&path(value))),
                    _ => flags.options.words.push(format!("{option}{value}")),
                }
            } else if let Some((option, joined)) = split(word, &PATHS) {
                let value = match joined.strip_prefix('=').unwrap_or(joined) {
                    "" => rest.next().unwrap_or_default(),
                    joined => joined,
                };
                // A forced header is looked for like any other, but first where the command ran.
                let searched = matches!(option, "-include" | "-imacros") && !path(value).exists();
                let value = if searched { value.into() } else { shown(value) };
                match option {
                    "--sysroot" => flags.options.words.push(format!("--sysroot={value}")),
                    _ => flags.options.words.extend([option.to_string(), value]),
                }
            } else if let Some(std) = word
                .strip_prefix("-std=")
                .or_else(|| word.strip_prefix("--std="))
            {
                flags.options.std = Some(std.to_string());
            } else if word == "-ansi" {
                flags.options.std = Some("c90".into());
            } else if word == "-m32" {
                flags.model = Some(DataModel::Ilp32);
            } else if word == "-m64" {
                flags.model = Some(DataModel::Lp64);
            } else if PLAIN.contains(&word) {
                flags.options.words.push(word.to_string());
            } else if split(word, &REFUSED).is_some() || word.starts_with('@') {
                flags.refused.push(word.to_string());
            } else if SKIPPED.contains(&word) {
                rest.next();
            }
        }
        flags
    }
}

/// The option a word starts with, and what is joined to it.
fn split<'a, 'o>(word: &'a str, options: &[&'o str]) -> Option<(&'o str, &'a str)> {
    options
        .iter()
        .find_map(|&option| Some((option, word.strip_prefix(option)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(line: &str) -> Flags {
        let words = shlex::split(line).expect("words");
        Flags::of(&words, Path::new("/build"))
    }

    #[test]
    fn what_the_preprocessor_needs_is_taken_in_order() {
        let got = flags(
            "-I../include -I inc -DX=1 -U X '-DS=\"a b\"' -O2 -Wall -isystem /sys/inc -std=gnu99 \
             -o out.o -MD -MF out.d -c ../src/a.c -m32 -Wp,-DY -pthread",
        );
        assert_eq!(
            got.options.include_dirs,
            [PathBuf::from("/include"), "/build/inc".into()]
        );
        let words = [
            "-DX=1",
            "-UX",
            "-DS=\"a b\"",
            "-isystem",
            "/sys/inc",
            "-DY",
            "-pthread",
        ];
        assert_eq!(got.options.words, words);
        assert_eq!(got.options.std.as_deref(), Some("gnu99"));
        assert_eq!(got.model, Some(DataModel::Ilp32));
        assert_eq!(got.refused, Vec::<String>::new());
    }

    #[test]
    fn what_changes_the_program_is_refused() {
        assert_eq!(
            flags("-c a.c -fpack-struct=2 -funsigned-char").refused,
            ["-fpack-struct=2", "-funsigned-char"]
        );
    }

    #[test]
    fn forced_headers_are_found_like_others() {
        assert_eq!(
            flags("-include config.h -imacros").options.words,
            ["-include", "config.h", "-imacros", ""]
        );
    }
}
