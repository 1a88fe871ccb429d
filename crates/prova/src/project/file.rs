//! `prova.toml`: what a project consists of and what is to be checked. Every message about it
//! names the place.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use prova_c::lines::Source;
use prova_c::{Diagnostic, Place};
use serde::Deserialize;
use toml::Spanned;

use super::paths::{nearby, tidy};
use crate::status::Rejected;

/// The name that is looked for.
pub const NAME: &str = "prova.toml";

/// The file's keys.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Keys {
    /// C files; `*`, `?` and `**` stand for any names.
    pub sources: Vec<Spanned<String>>,
    /// Folders with headers.
    pub include: Vec<PathBuf>,
    /// Macros.
    pub defines: Defines,
    /// The language standard.
    pub std: Option<String>,
    /// The data model, 32 or 64.
    pub bits: Option<Spanned<u64>>,
    /// A compilation database, or its folder.
    pub compile_commands: Option<PathBuf>,
    /// The function that runs start at, as they would at `main`.
    pub start: Option<String>,
    /// Definitions that do not count: names of functions, by file.
    pub remove_bodies: BTreeMap<String, Vec<String>>,
    /// Functions to check instead of `main`, one after the other.
    pub entries: Vec<String>,
    /// What to check.
    pub properties: Vec<Spanned<String>>,
    /// Rules for interfaces, in SLIC.
    pub slic: Vec<PathBuf>,
    /// A label that counts as an error.
    pub error_label: Option<String>,
    /// Whether allocations may fail.
    pub malloc: Option<Spanned<String>>,
    /// What `volatile` objects hold.
    pub volatile: Option<Spanned<String>>,
    /// What a program learns that asks about addresses.
    pub addresses: Option<Spanned<String>>,
    /// What inline assembly does.
    pub assembly: Option<Spanned<String>>,
    /// How large blocks may be.
    pub blocks: Option<Spanned<String>>,
    /// What entries get as pointers.
    pub pointers: Option<Spanned<String>>,
    /// What functions without a body do.
    pub undefined: Option<Spanned<Words>>,
    /// When to stop.
    pub budget: Budget,
    /// How to search.
    pub search: Search,
    /// Files to write.
    pub output: OutputFiles,
}

/// Macros: `["NAME", "NAME=VALUE"]`, or a table of names and values.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a list of macros or a table of their values"
)]
pub enum Defines {
    /// As on the command line.
    List(Vec<String>),
    /// By name.
    Table(BTreeMap<String, Value>),
}

impl Default for Defines {
    fn default() -> Self {
        Defines::List(Vec::new())
    }
}

/// One text, or several.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a text or a list of texts")]
pub enum Words {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

impl Words {
    /// All of them.
    pub fn words(&self) -> &[String] {
        match self {
            Words::One(word) => std::slice::from_ref(word),
            Words::Several(words) => words,
        }
    }
}

/// The value of a macro.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a number, a text or true")]
pub enum Value {
    /// Defined, without a value; `false` leaves it alone.
    Flag(bool),
    /// A number.
    Number(i64),
    /// Any text.
    Text(String),
}

/// When to stop.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Budget {
    /// Seconds.
    pub timeout: Option<u64>,
    /// MB.
    pub memory: Option<u64>,
    /// Largest preprocessed file, in MB.
    pub max_source: Option<Spanned<u64>>,
}

/// How to search.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Search {
    /// The algorithm.
    pub engine: Option<Spanned<String>>,
    /// How large steps are.
    pub block: Option<Spanned<String>>,
    /// Which calls are inlined.
    pub inline: Option<Spanned<String>>,
    /// The solver.
    pub solver: Option<String>,
    /// How far loops are followed.
    pub bound: Vec<String>,
    /// For random tests.
    pub seed: Option<u64>,
}

/// Files to write.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct OutputFiles {
    /// For a browser.
    pub report: Option<PathBuf>,
    /// For code-scanning sites.
    pub sarif: Option<PathBuf>,
}

/// A project's file, read.
#[derive(Debug)]
pub struct File {
    /// Its path as people see it.
    pub path: PathBuf,
    /// The folder that its paths start from.
    folder: PathBuf,
    /// What it says.
    pub keys: Keys,
    source: Arc<Source>,
}

impl File {
    /// The nearest project's file, from the current folder upwards.
    pub fn find() -> Option<PathBuf> {
        let here = std::env::current_dir().ok()?;
        let found = here.ancestors().find(|f| f.join(NAME).is_file())?;
        Some(found.join(NAME))
    }

    /// Reads a project's file.
    pub fn read(path: &Path) -> Result<Self, Rejected> {
        let name = nearby(path);
        let text = std::fs::read_to_string(path)
            .map_err(|e| Rejected::because(format!("cannot read `{}`: {e}", name.display())))?;
        // A comment must not be taken for a line marker of the C preprocessor.
        let lines = text.split_inclusive('\n').map(|line| {
            let comment = line.trim_start().starts_with('#');
            let at = line.find('#').filter(|_| comment);
            at.map_or(line.to_string(), |_| line.replacen('#', " ", 1))
        });
        let source = Source::plain(&name.display().to_string(), &lines.collect::<String>());
        let source = Arc::new(source);
        let keys = toml::from_str(&text).map_err(|e| {
            let range = e.span().unwrap_or(0..0);
            let source = Arc::clone(&source);
            let message = e.message().split('\n').collect::<Vec<_>>().join(", ");
            Rejected::from(Diagnostic::error(message, Place { source, range }))
        })?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(File {
            path: name,
            folder,
            keys,
            source,
        })
    }

    /// A path in it, as seen from the current folder.
    pub fn path(&self, path: &Path) -> PathBuf {
        nearby(&self.folder.join(path))
    }

    /// Its sources, patterns replaced by the files they stand for, in alphabetical order.
    pub fn sources(&self) -> Result<Vec<PathBuf>, Rejected> {
        let mut files: Vec<PathBuf> = Vec::new();
        for source in &self.keys.sources {
            let text = source.get_ref();
            if !text.contains(['*', '?', '[']) {
                let path = self.path(Path::new(text));
                if !path.is_file() {
                    return Err(self.wrong(source, format!("there is no file `{text}`")));
                }
                files.push(path);
                continue;
            }
            let folder = glob::Pattern::escape(&self.folder.display().to_string());
            let pattern = Path::new(&folder).join(text);
            let found = glob::glob(&pattern.display().to_string())
                .map_err(|e| self.wrong(source, format!("`{text}` is no pattern: {}", e.msg)))?;
            let before = files.len();
            files.extend(found.flatten().map(|f| nearby(&tidy(&f))));
            if files.len() == before {
                return Err(self.wrong(source, format!("`{text}` stands for no file")));
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        files.retain(|f| seen.insert(f.clone()));
        Ok(files)
    }

    /// Its macros, as on the command line.
    pub fn defines(&self) -> Vec<String> {
        match &self.keys.defines {
            Defines::List(list) => list.clone(),
            Defines::Table(table) => table
                .iter()
                .filter_map(|(name, value)| match value {
                    Value::Flag(true) => Some(name.clone()),
                    Value::Flag(false) => None,
                    Value::Number(n) => Some(format!("{name}={n}")),
                    Value::Text(text) => Some(format!("{name}={text}")),
                })
                .collect(),
        }
    }

    /// A message about a value.
    pub fn wrong<T>(&self, value: &Spanned<T>, message: impl Into<String>) -> Rejected {
        let source = Arc::clone(&self.source);
        let range = value.span();
        Diagnostic::error(message, Place { source, range }).into()
    }

    /// One of a few words.
    pub fn word<T: clap::ValueEnum>(
        &self,
        value: &Option<Spanned<String>>,
    ) -> Result<Option<T>, Rejected> {
        let variants = T::value_variants().iter();
        let known: Vec<_> = variants.filter_map(|v| v.to_possible_value()).collect();
        let names = known.iter().map(|v| v.get_name());
        let word = self.one_of(value, names)?;
        Ok(word.and_then(|w| T::from_str(&w, false).ok()))
    }

    /// A word that is one of these.
    pub fn one_of<'n>(
        &self,
        value: &Option<Spanned<String>>,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<Option<String>, Rejected> {
        let Some(word) = value else { return Ok(None) };
        let names: Vec<&str> = names.collect();
        if names.contains(&word.get_ref().as_str()) {
            return Ok(Some(word.get_ref().clone()));
        }
        let names: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
        let message = format!("`{}` is not one of {}", word.get_ref(), names.join(", "));
        Err(self.wrong(word, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(NAME);
        std::fs::write(&path, text).expect("written");
        let error = File::read(&path).expect_err("it is wrong").to_string();
        let shown = folder.path().display().to_string();
        error.replace(&format!("{shown}/"), "")
    }

    #[test]
    fn messages_name_the_place() {
        assert_eq!(
            message("bits = 64\nsource = [\"a.c\"]\n")
                .split(", expected")
                .next(),
            Some("prova.toml:2:1: unknown field `source`")
        );
        assert_eq!(
            message("# 7 \"x\"\n[budget]\ntimeout = \"long\"\n"),
            "prova.toml:3:11: invalid type: string \"long\", expected u64"
        );
        assert!(message("sources = [\n").starts_with("prova.toml:"));
        assert!(message("sources = \"a.c\"\n").starts_with("prova.toml:1:11: "));
        assert!(message("[budget]\nhours = 1\n").starts_with("prova.toml:2:1: unknown field"));
        assert_eq!(
            message("defines = 1\n"),
            "prova.toml:1:11: expected a list of macros or a table of their values"
        );
    }
}
