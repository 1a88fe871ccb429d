//! Manifests made from what is there: a folder of C files, a compilation database, a competition's task
//! files.

use crate::manifest::{Manifest, Options, Program};
use crate::Error;
use saphyr_parser::{Event, Parser};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Makes a manifest. Paths in it start from `folder`, where it will stand.
pub fn manifest(from: &Path, folder: &Path, each_function: bool) -> Result<Manifest, Error> {
    let mut manifest = Manifest {
        defaults: Options {
            timeout: Some(crate::manifest::TIMEOUT),
            memory: Some(crate::manifest::MEMORY),
            each_function: each_function.then_some(true),
            ..Options::default()
        },
        ..Manifest::default()
    };
    if from.is_file() {
        match from.extension().and_then(|e| e.to_str()) {
            Some("json") => database(from, folder, &mut manifest)?,
            Some("yml") => manifest.programs.extend(task(from, folder)?),
            Some("set") => {
                for path in set(from)? {
                    manifest.programs.extend(task(&path, folder)?);
                }
            }
            Some("c" | "i") => manifest.programs.push(file(from, folder)),
            _ => {
                return Err(Error::input(format!(
                    "`{}` is nothing to begin with",
                    from.display()
                )))
            }
        }
    } else {
        let found = below(from)?;
        let (tasks, files): (Vec<&PathBuf>, Vec<&PathBuf>) = found
            .iter()
            .partition(|p| p.extension().is_some_and(|e| e == "yml"));
        for path in &tasks {
            manifest.programs.extend(task(path, folder)?);
        }
        // Where there are task files, they say what the programs are.
        if manifest.programs.is_empty() {
            manifest
                .programs
                .extend(files.iter().map(|p| file(p, folder)));
        }
    }
    if manifest.programs.is_empty() {
        return Err(Error::input(format!(
            "there are no C files in `{}`",
            from.display()
        )));
    }
    unique(&mut manifest.programs);
    Ok(manifest)
}

/// C files and task files below a folder, in order.
fn below(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = || Error::io(format!("cannot read {}", folder.display()));
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed())? {
        entries.push(entry.map_err(failed())?.path());
    }
    entries.sort();
    for path in entries {
        let hidden = path
            .file_name()
            .is_some_and(|n| n.to_string_lossy().starts_with('.'));
        if path.is_dir() && !path.is_symlink() && !hidden {
            found.extend(below(&path)?);
        } else if path
            .extension()
            .is_some_and(|e| e == "c" || e == "i" || e == "yml")
        {
            found.push(path);
        }
    }
    Ok(found)
}

/// A path as it is written into a manifest that stands in a folder.
fn seen_from(path: &Path, folder: &Path) -> String {
    let absolute = |p: &Path| {
        let here = p.as_os_str().is_empty();
        let p = if here { Path::new(".") } else { p };
        std::path::absolute(p).unwrap_or_else(|_| p.into())
    };
    let (path, folder) = (absolute(path), absolute(folder));
    match path.strip_prefix(&folder) {
        Ok(below) => below.display().to_string(),
        Err(_) => path.display().to_string(),
    }
}

fn file(path: &Path, folder: &Path) -> Program {
    Program {
        name: seen_from(path, folder),
        files: vec![seen_from(path, folder)],
        ..Program::default()
    }
}

/// Gives programs of one name numbers.
fn unique(programs: &mut [Program]) {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for program in programs {
        let count = seen.entry(program.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            program.name = format!("{} ({count})", program.name);
        }
    }
}

/// Every C file of a compilation database is a program, with the flags it has there.
fn database(path: &Path, folder: &Path, manifest: &mut Manifest) -> Result<(), Error> {
    let wrong = |what: String| Error::input(format!("{}: {what}", path.display()));
    let text = std::fs::read_to_string(path).map_err(Error::io(path.display().to_string()))?;
    let entries: Vec<Value> = serde_json::from_str(&text).map_err(|e| wrong(e.to_string()))?;
    let base = path.parent().unwrap_or(Path::new(""));
    let mut seen = std::collections::BTreeSet::new();
    for entry in entries {
        let (Some(at), Some(name)) = (entry["directory"].as_str(), entry["file"].as_str()) else {
            return Err(wrong("an entry names no `directory` or no `file`".into()));
        };
        let source = base.join(at).join(name);
        if source.extension().is_some_and(|e| e == "c" || e == "i") && seen.insert(source.clone()) {
            manifest.programs.push(Program {
                name: seen_from(&source, folder),
                files: vec![seen_from(&source, folder)],
                ..Program::default()
            });
        }
    }
    // Files of a project have no `main` each.
    manifest.defaults.each_function = Some(true);
    manifest.defaults.compile_commands = Some(seen_from(path, folder));
    Ok(())
}

/// The task files that a set names, by pattern, a line each.
fn set(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let text = std::fs::read_to_string(path).map_err(Error::io(path.display().to_string()))?;
    let base = path.parent().unwrap_or(Path::new(""));
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let escaped = glob::Pattern::escape(&base.display().to_string());
        let pattern = Path::new(&escaped).join(line).display().to_string();
        let paths = glob::glob(&pattern)
            .map_err(|e| Error::input(format!("{}: `{line}`: {}", path.display(), e.msg)))?;
        found.extend(paths.flatten());
    }
    Ok(found)
}

/// The program of a task file (format 2 of the competition), with what is expected of it. `None` where
/// it has no property that can be checked.
pub fn task(path: &Path, folder: &Path) -> Result<Option<Program>, Error> {
    let wrong = |what: &str| Error::input(format!("{}: {what}", path.display()));
    let text = std::fs::read_to_string(path).map_err(Error::io(path.display().to_string()))?;
    let Node::Map(task) = yaml(&text).map_err(|e| wrong(&e))? else {
        return Ok(None);
    };
    // Other files end in .yml, too.
    if !task.contains_key("input_files") || !task.contains_key("properties") {
        return Ok(None);
    }
    let base = path.parent().unwrap_or(Path::new(""));
    let files: Vec<String> = match &task["input_files"] {
        Node::Text(one) => vec![one.clone()],
        Node::List(all) => all.iter().filter_map(Node::text).collect(),
        Node::Map(_) => return Err(wrong("`input_files` is no file or list of files")),
    };
    let options = task.get("options");
    let option = |name: &str| match options {
        Some(Node::Map(all)) => all.get(name).and_then(Node::text),
        _ => None,
    };
    if option("language").is_some_and(|l| l != "C") {
        return Ok(None);
    }
    let bits = option("data_model").map(|model| if model == "LP64" { 64 } else { 32 });
    let Node::List(all) = &task["properties"] else {
        return Err(wrong("`properties` is no list"));
    };
    let (mut properties, mut expected) = (Vec::new(), BTreeMap::new());
    for property in all {
        let Node::Map(property) = property else {
            continue;
        };
        let Some(name) = property.get("property_file").and_then(Node::text) else {
            continue;
        };
        // Goals of coverage are no properties.
        if name.contains("coverage") {
            continue;
        }
        let file = base.join(&name);
        let stem = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let verdict = property.get("expected_verdict").and_then(Node::text);
        let verdict = verdict.and_then(|v| match v.as_str() {
            "true" => Some("proved"),
            "false" => Some("violated"),
            _ => None,
        });
        if let Some(verdict) = verdict {
            expected.insert(stem, verdict.to_string());
        }
        properties.push(seen_from(&file, folder));
    }
    if properties.is_empty() {
        return Ok(None);
    }
    Ok(Some(Program {
        name: seen_from(&path.with_extension(""), folder),
        files: files
            .iter()
            .map(|f| seen_from(&base.join(f), folder))
            .collect(),
        expected,
        options: Options {
            properties: Some(properties),
            bits,
            // What the competition's programs rest on.
            options: Some(
                [
                    "--malloc",
                    "never-fails",
                    "--volatile",
                    "plain",
                    "--undefined",
                    "pure",
                    "--addresses",
                    "arbitrary",
                    "--assembly",
                    "outputs",
                ]
                .map(String::from)
                .to_vec(),
            ),
            ..Options::default()
        },
    }))
}

/// What a task file is made of.
#[derive(Debug)]
enum Node {
    Text(String),
    List(Vec<Node>),
    Map(BTreeMap<String, Node>),
}

impl Node {
    fn text(&self) -> Option<String> {
        match self {
            Node::Text(text) => Some(text.clone()),
            _ => None,
        }
    }
}

/// Reads YAML as far as task files use it: no aliases, and nothing nests deeply.
fn yaml(text: &str) -> Result<Node, String> {
    let mut stack: Vec<(Node, Option<String>)> = Vec::new();
    let mut root = None;
    for event in Parser::new_from_str(text) {
        let (event, _) = event.map_err(|e| e.to_string())?;
        let done = match event {
            Event::Scalar(value, ..) => Node::Text(value.into_owned()),
            Event::SequenceStart(..) => {
                stack.push((Node::List(Vec::new()), None));
                continue;
            }
            Event::MappingStart(..) => {
                stack.push((Node::Map(BTreeMap::new()), None));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match stack.pop() {
                Some((node, _)) => node,
                None => return Err("it ends before it begins".into()),
            },
            Event::Alias(_) => return Err("aliases are not read".into()),
            _ => continue,
        };
        if stack.len() > 16 {
            return Err("it nests too deeply".into());
        }
        match stack.last_mut() {
            None => root = root.or(Some(done)),
            Some((Node::List(all), _)) => all.push(done),
            Some((Node::Map(all), key)) => match (key.take(), done) {
                (Some(key), value) => {
                    all.insert(key, value);
                }
                (None, Node::Text(text)) => *key = Some(text),
                (None, _) => return Err("a key is no text".into()),
            },
            Some((Node::Text(_), _)) => return Err("a text holds nothing".into()),
        }
    }
    root.ok_or_else(|| "it is empty".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn task_files_become_programs() {
        let folder = tempfile::tempdir().expect("a folder");
        let task = "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: ../p/unreach-call.prp\n    expected_verdict: false\n  - property_file: ../p/coverage-branches.prp\noptions:\n  language: C\n  data_model: LP64\n";
        std::fs::write(folder.path().join("a.yml"), task).expect("a file");
        std::fs::write(folder.path().join("a.c"), "").expect("a file");
        std::fs::write(folder.path().join("other.yml"), "on: push\n").expect("a file");
        let made = manifest(folder.path(), folder.path(), false).expect("a manifest");
        assert_eq!(made.programs.len(), 1);
        let program = &made.programs[0];
        assert_eq!(
            (program.name.as_str(), program.options.bits),
            ("a", Some(64))
        );
        assert_eq!(program.files, ["a.c"]);
        assert_eq!(program.expected["unreach-call"], "violated");
        assert_eq!(program.options.properties.as_ref().map(Vec::len), Some(1));
        assert!(
            Manifest::parse(&made.text(), "m").is_ok(),
            "{}",
            made.text()
        );
    }

    #[test]
    fn compilation_databases_become_programs() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("compile_commands.json");
        let text = r#"[{"directory": ".", "file": "x.c", "command": "cc -c x.c"}, {"directory": ".", "file": "y.cc", "command": "c++ y.cc"}]"#;
        std::fs::write(&path, text).expect("a file");
        let made = manifest(&path, folder.path(), false).expect("a manifest");
        assert_eq!(made.programs.len(), 1);
        assert_eq!(made.defaults.each_function, Some(true));
        assert!(manifest(&folder.path().join("no"), folder.path(), false).is_err());
        assert_eq!(seen_from(Path::new("./a/b.c"), Path::new("")), "a/b.c");
        assert_eq!(seen_from(Path::new("/x/b.c"), Path::new("/y")), "/x/b.c");
    }
}
