//! The manifest: programs × entries × properties × rules, as TOML, and the jobs it stands for.
//!
//! `[defaults]` says what holds for every program that does not say otherwise; each `[[program]]` names
//! files and whatever is special about it; `[[suppress]]` names what is known and why it stays. Paths
//! start from the manifest's folder.

use crate::policy::Suppression;
use crate::store::Job;
use crate::Error;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Seconds for a check unless somebody says otherwise.
pub const TIMEOUT: u64 = 60;
/// Megabytes for a check unless somebody says otherwise.
pub const MEMORY: u64 = 2000;

/// A manifest.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Manifest {
    /// What programs have that do not say otherwise.
    pub defaults: Options,
    /// The programs.
    #[serde(rename = "program")]
    pub programs: Vec<Program>,
    /// What is known, and why it stays.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suppress: Vec<Suppression>,
}

/// A program: files that are linked.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Program {
    /// Its name in tables; the first file's, unless told.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// C files; `*`, `?` and `**` stand for any names.
    pub files: Vec<String>,
    /// What is expected, by property: `proved` or `violated`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub expected: BTreeMap<String, String>,
    /// What is special about it.
    #[serde(flatten)]
    pub options: Options,
}

/// How a program is checked. What is `None` is taken from the defaults.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Options {
    /// Functions, each a check of its own; none for `main`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<Vec<String>>,
    /// Every function of the program's own files is a check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub each_function: Option<bool>,
    /// Properties: names, or files that end in .prp.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub properties: Option<Vec<String>>,
    /// Rules in SLIC; patterns as in `files`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<String>>,
    /// 32 or 64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bits: Option<u64>,
    /// Seconds for each check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<u64>,
    /// Megabytes for each check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Folders with headers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include: Option<Vec<String>>,
    /// Macros.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub defines: Option<Vec<String>>,
    /// A compilation database, or its folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compile_commands: Option<String>,
    /// Anything else that `prova check` is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
}

const KEYS: [&str; 11] = [
    "entries",
    "each-function",
    "properties",
    "rules",
    "bits",
    "timeout",
    "memory",
    "include",
    "defines",
    "compile-commands",
    "options",
];

/// Who knows the functions of a program: its own files' functions with a body, by the words that
/// `prova check` would be told of the program.
pub type Functions<'a> = dyn Fn(&[String]) -> Result<Vec<String>, String> + 'a;

impl Manifest {
    /// Reads a manifest; messages name the place.
    pub fn parse(text: &str, name: &str) -> Result<Manifest, Error> {
        let manifest: Manifest =
            toml::from_str(text).map_err(|e| Error::input(format!("{name}: {e}")))?;
        // Keys of a flattened table are not checked by serde.
        let table: toml::Table = toml::from_str(text).map_err(|e| Error::input(e.to_string()))?;
        let of = |value: &toml::Value, more: &[&str], what: &str| {
            let unknown = value.as_table().and_then(|t| {
                t.keys()
                    .find(|k| !KEYS.contains(&k.as_str()) && !more.contains(&k.as_str()))
            });
            unknown.map_or(Ok(()), |key| {
                Err(Error::input(format!(
                    "{name}: there is no key `{key}` in {what}"
                )))
            })
        };
        if let Some(defaults) = table.get("defaults") {
            of(defaults, &[], "[defaults]")?;
        }
        let programs = table.get("program").and_then(|p| p.as_array());
        for program in programs.into_iter().flatten() {
            of(program, &["name", "files", "expected"], "[[program]]")?;
        }
        for suppression in &manifest.suppress {
            suppression
                .check()
                .map_err(|e| Error::input(format!("{name}: {e}")))?;
        }
        Ok(manifest)
    }

    /// Its text.
    pub fn text(&self) -> String {
        toml_text(self)
    }

    /// The jobs it stands for, in order. Paths in it start from `folder`.
    pub fn jobs(&self, folder: &Path, functions: &Functions) -> Result<Vec<Job>, Error> {
        let mut jobs = Vec::new();
        for program in &self.programs {
            self.program(program, folder, functions, &mut jobs)?;
        }
        let mut names = std::collections::BTreeSet::new();
        for job in &jobs {
            if !names.insert(job.name()) {
                let name = job.name();
                return Err(Error::input(format!("two checks are called `{name}`")));
            }
        }
        Ok(jobs)
    }

    fn program(
        &self,
        program: &Program,
        folder: &Path,
        functions: &Functions,
        jobs: &mut Vec<Job>,
    ) -> Result<(), Error> {
        let options = program.options.or(&self.defaults);
        let files = found(folder, &program.files)?;
        let Some(first) = files.first() else {
            return Err(Error::input(format!(
                "the program `{}` has no files",
                program.name
            )));
        };
        let name = match program.name.as_str() {
            "" => Path::new(first)
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            name => name.to_string(),
        };
        let common = options.words(folder, &files);
        let mut entries = options.entries.clone().unwrap_or_default();
        if options.each_function == Some(true) {
            let all = functions(&common).map_err(|e| Error::input(format!("{name}: {e}")))?;
            entries.extend(all.into_iter().filter(|f| !program_has(&options, f)));
        }
        if entries.is_empty() {
            entries.push(String::new());
        }
        let rules = found(folder, options.rules.as_deref().unwrap_or_default())?;
        let mut properties = options.properties.clone().unwrap_or_default();
        if properties.is_empty() && rules.is_empty() {
            properties.push("unreach-call".into());
        }
        let lines = files.iter().map(|f| lines_of(Path::new(f))).sum();
        for entry in &entries {
            let mut asked: Vec<(String, [String; 2], Option<String>)> = Vec::new();
            for property in &properties {
                let is_file = property.ends_with(".prp");
                let value = if is_file {
                    joined(folder, property)
                } else {
                    property.clone()
                };
                let file = is_file.then(|| value.clone());
                asked.push((stem(property), ["--property".into(), value], file));
            }
            for rule in &rules {
                asked.push((
                    stem(rule),
                    ["--slic".into(), rule.clone()],
                    Some(rule.clone()),
                ));
            }
            for (property, words, file) in asked {
                let mut all = common.clone();
                all.extend(words);
                if !entry.is_empty() {
                    all.extend(["--entry".to_string(), entry.clone()]);
                }
                jobs.push(Job {
                    program: name.clone(),
                    entry: entry.clone(),
                    expected: program.expected.get(&property).cloned(),
                    property,
                    words: all,
                    files: files.iter().cloned().chain(file).collect(),
                    timeout: options.timeout.unwrap_or(TIMEOUT),
                    memory: options.memory.unwrap_or(MEMORY),
                    lines,
                });
            }
        }
        Ok(())
    }
}

fn program_has(options: &Options, function: &str) -> bool {
    let named = options.entries.as_deref().unwrap_or_default();
    named.iter().any(|e| e == function)
}

impl Options {
    fn or(&self, defaults: &Options) -> Options {
        let Options {
            entries,
            each_function,
            properties,
            rules,
            bits,
            timeout,
            memory,
            include,
            defines,
            compile_commands,
            options,
        } = self.clone();
        let d = defaults.clone();
        Options {
            entries: entries.or(d.entries),
            each_function: each_function.or(d.each_function),
            properties: properties.or(d.properties),
            rules: rules.or(d.rules),
            bits: bits.or(d.bits),
            timeout: timeout.or(d.timeout),
            memory: memory.or(d.memory),
            include: include.or(d.include),
            defines: defines.or(d.defines),
            compile_commands: compile_commands.or(d.compile_commands),
            options: options.or(d.options),
        }
    }

    /// What `prova check` is told of a program.
    fn words(&self, folder: &Path, files: &[String]) -> Vec<String> {
        let mut words = files.to_vec();
        if let Some(bits) = self.bits {
            words.extend(["--bits".into(), bits.to_string()]);
        }
        for include in self.include.iter().flatten() {
            words.extend(["-I".into(), joined(folder, include)]);
        }
        for define in self.defines.iter().flatten() {
            words.extend(["-D".into(), define.clone()]);
        }
        if let Some(database) = &self.compile_commands {
            words.extend(["--compile-commands".into(), joined(folder, database)]);
        }
        words.extend(self.options.iter().flatten().cloned());
        words
    }
}

/// A path in a manifest, as children see it.
fn joined(folder: &Path, path: &str) -> String {
    folder.join(path).display().to_string()
}

fn stem(path: &str) -> String {
    let path = Path::new(path);
    match path.extension().is_some_and(|e| e == "prp" || e == "slic") {
        true => path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        false => path.display().to_string(),
    }
}

/// The files that names and patterns stand for, in order.
fn found(folder: &Path, patterns: &[String]) -> Result<Vec<String>, Error> {
    let mut files = Vec::new();
    for pattern in patterns {
        if !pattern.contains(['*', '?', '[']) {
            files.push(joined(folder, pattern));
            continue;
        }
        let escaped = PathBuf::from(glob::Pattern::escape(&folder.display().to_string()));
        let paths = glob::glob(&escaped.join(pattern).display().to_string())
            .map_err(|e| Error::input(format!("`{pattern}` is no pattern: {}", e.msg)))?;
        let before = files.len();
        files.extend(paths.flatten().map(|p| p.display().to_string()));
        if files.len() == before {
            return Err(Error::input(format!("`{pattern}` stands for no file")));
        }
    }
    Ok(files)
}

fn lines_of(path: &Path) -> u64 {
    let bytes = std::fs::read(path).unwrap_or_default();
    bytes.iter().filter(|b| **b == b'\n').count() as u64
}

/// TOML without a crate for writing it: JSON's texts and lists are TOML's.
fn toml_text(manifest: &Manifest) -> String {
    use serde_json::Value;
    let mut out = String::new();
    let table = |out: &mut String, value: Value| {
        for (key, value) in value.as_object().into_iter().flatten() {
            match value {
                Value::Object(inner) if inner.is_empty() => {}
                Value::Object(inner) => {
                    let pairs: Vec<String> = inner
                        .iter()
                        .map(|(k, v)| format!("{} = {v}", Value::String(k.clone())))
                        .collect();
                    out.push_str(&format!("{key} = {{ {} }}\n", pairs.join(", ")));
                }
                Value::Array(parts) => {
                    let parts: Vec<String> = parts.iter().map(Value::to_string).collect();
                    out.push_str(&format!("{key} = [{}]\n", parts.join(", ")));
                }
                Value::Null => {}
                other => out.push_str(&format!("{key} = {other}\n")),
            }
        }
    };
    let json = |value: serde_json::Result<Value>| value.unwrap_or_default();
    out.push_str("# What `prova batch` checks. `prova batch --help` and docs/batch.md say more.\n");
    out.push_str("\n[defaults]\n");
    table(&mut out, json(serde_json::to_value(&manifest.defaults)));
    for program in &manifest.programs {
        out.push_str("\n[[program]]\n");
        table(&mut out, json(serde_json::to_value(program)));
    }
    for suppression in &manifest.suppress {
        out.push_str("\n[[suppress]]\n");
        table(&mut out, json(serde_json::to_value(suppression)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
        [defaults]
        timeout = 10
        properties = ["unreach-call", "no-overflow"]

        [[program]]
        name = "one"
        files = ["a b.c"]
        entries = ["f", "g"]
        bits = 32

        [[program]]
        files = ["two.c"]
        rules = ["lock.slic"]
        timeout = 20
        expected = { unreach-call = "proved" }
    "#;

    #[test]
    fn a_manifest_is_programs_times_entries_times_properties() {
        let manifest = Manifest::parse(TEXT, "m").expect("it is right");
        let jobs = manifest
            .jobs(Path::new("x"), &|_| Ok(vec![]))
            .expect("jobs");
        let names: Vec<String> = jobs.iter().map(Job::name).collect();
        assert_eq!(
            names,
            [
                "one, f: unreach-call",
                "one, f: no-overflow",
                "one, g: unreach-call",
                "one, g: no-overflow",
                "two: unreach-call",
                "two: no-overflow",
                "two: lock"
            ]
        );
        assert_eq!(jobs[0].words[..3], ["x/a b.c", "--bits", "32"]);
        assert_eq!((jobs[0].timeout, jobs[4].timeout), (10, 20));
        assert_eq!(jobs[4].expected.as_deref(), Some("proved"));
        assert_eq!(jobs[6].words, ["x/two.c", "--slic", "x/lock.slic"]);
    }

    #[test]
    fn what_is_written_is_read_again() {
        let manifest = Manifest::parse(TEXT, "m").expect("it is right");
        let again = Manifest::parse(&manifest.text(), "m").expect("it is right");
        let jobs = |m: &Manifest| m.jobs(Path::new(""), &|_| Ok(vec![])).expect("jobs");
        assert_eq!(jobs(&manifest), jobs(&again));
    }

    #[test]
    fn wrong_manifests_say_where() {
        for (text, what) in [
            ("[defaults]\ntime = 3", "no key `time` in [defaults]"),
            (
                "[[program]]\nfile = ['a.c']",
                "no key `file` in [[program]]",
            ),
            ("[[suppress]]\nprogram = 'x'", "reason"),
        ] {
            let error = Manifest::parse(text, "m").expect_err(text).to_string();
            assert!(error.contains(what), "{error}");
        }
        let empty = Manifest::parse("[[program]]\nname = 'x'", "m").expect("it parses");
        assert!(empty.jobs(Path::new(""), &|_| Ok(vec![])).is_err());
    }
}
