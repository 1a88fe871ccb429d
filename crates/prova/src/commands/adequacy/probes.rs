//! The texts of a program's files, with something behind them: drivers of modules, and predicates as
//! functions. Line markers lead every message to where people wrote.

use std::path::{Path, PathBuf};

use prova_adequacy::carry::carried;
use prova_adequacy::judge::Compiled;
use prova_adequacy::places::may_trap;
use prova_adequacy::probe;
use prova_adequacy::Group;
use prova_c::{Diagnostic, Options};
use prova_ir::Program;

use crate::status::Rejected;

/// Files and what stands in them now.
#[derive(Clone)]
pub struct Text {
    paths: Vec<PathBuf>,
    texts: Vec<String>,
}

impl Text {
    /// The files as they are.
    pub fn read(paths: &[PathBuf]) -> Result<Text, Rejected> {
        let mut texts = Vec::new();
        for path in paths {
            let shown = path.display();
            let bytes = std::fs::read(path)
                .map_err(|e| Rejected::because(format!("cannot read `{shown}`: {e}")))?;
            texts.push(String::from_utf8_lossy(&bytes).into_owned());
        }
        Ok(Text {
            paths: paths.to_vec(),
            texts,
        })
    }

    /// Puts something behind a file.
    pub fn append(&mut self, file: usize, text: &str) {
        self.texts[file].push_str(text);
    }

    /// What stands in a file now, with a line that says which file it is.
    pub fn marked(&self, file: usize) -> String {
        marked(&self.paths[file], &self.texts[file])
    }

    /// What stands in a file now.
    pub fn text(&self, file: usize) -> &str {
        &self.texts[file]
    }

    /// How many files there are.
    pub fn count(&self) -> usize {
        self.paths.len()
    }

    /// The name of a file.
    pub fn shown(&self, file: usize) -> String {
        self.paths[file].display().to_string()
    }

    /// Whether what is defined at a line of the first file is `static`.
    pub fn is_static(&self, line: u32) -> bool {
        let lines: Vec<&str> = self.texts[0].lines().collect();
        let own = (line as usize).saturating_sub(1);
        let before = own.checked_sub(1);
        let begins = |at: usize| {
            let text = lines.get(at).map_or("", |l| l.trim_start());
            text.starts_with("static ") || text == "static"
        };
        // The type may stand on a line of its own.
        let above = before.is_some_and(|b| begins(b) && !lines[b].contains([';', '}', '(', '=']));
        begins(own) || above
    }

    /// The file of this name.
    pub fn named(&self, name: &str) -> Option<usize> {
        let mut paths = self.paths.iter();
        paths.position(|p| p.display().to_string() == name || p.ends_with(name))
    }

    /// Reads the program.
    pub fn load(&self, options: &Options) -> Result<Program, Rejected> {
        let failed =
            |e: std::io::Error| Rejected::because(format!("a folder for the time being: {e}"));
        let folder = std::env::temp_dir().join(format!(
            "prova-text-{}-{:?}",
            std::process::id(),
            std::thread::current().id()
        ));
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let mut options = options.clone();
        let mut files = Vec::new();
        for (number, (path, text)) in self.paths.iter().zip(&self.texts).enumerate() {
            let extension = path.extension().unwrap_or_default().to_string_lossy();
            let file = folder.join(format!("text{number}.{extension}"));
            std::fs::write(&file, marked(path, text)).map_err(failed)?;
            let parent = path.parent().unwrap_or(Path::new(""));
            let parent = match parent.as_os_str().is_empty() {
                true => PathBuf::from("."),
                false => parent.to_owned(),
            };
            options.include_dirs.push(parent);
            files.push(file);
        }
        let lowered = prova_c::load(&files, &options);
        let _ = std::fs::remove_dir_all(&folder);
        Ok(lowered.map_err(Rejected)?.program)
    }
}

fn marked(path: &Path, text: &str) -> String {
    format!("# 1 \"{}\"\n{text}", path.display())
}

/// The text of a file of probes, with a line that leads to it.
pub fn functions(path: &Path) -> Result<String, Rejected> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|e| Rejected::because(format!("cannot read `{shown}`: {e}")))?;
    Ok(format!("\n{}\n", marked(path, &text)))
}

/// Compiles predicates: the program with them in it, and each as an expression. `functions`: C text of
/// probes that they may call.
pub fn compile(
    texts: &Text,
    options: &Options,
    program: &Program,
    groups: &[Group],
    file: &str,
    functions: Option<&str>,
) -> Result<(Program, Vec<Vec<Compiled>>), Rejected> {
    let mut with = texts.clone();
    let mut has_probes = vec![false; texts.count()];
    let mut number = 0;
    // What must hold for an access to be one is no part of a predicate.
    let options = &Options {
        checks: false,
        ..options.clone()
    };
    let rejected = |line: u32, column: u32, what: &str| {
        Rejected::from(Diagnostic::error(
            format!("{file}:{line}:{column}: {what}"),
            None,
        ))
    };
    for group in groups {
        let procedure = program
            .find_procedure(&group.function)
            .filter(|p| program.procedure(*p).body.is_some())
            .ok_or_else(|| {
                let what = format!("there is no function `{}` with a body", group.function);
                rejected(group.line, 1, &what)
            })?;
        let span = program.procedure(procedure).span;
        let own = program.files.get(span.file.index());
        let own = own.and_then(|f| texts.named(&f.name)).unwrap_or(0);
        if let (Some(functions), false) = (functions, has_probes[own]) {
            with.append(own, functions);
            has_probes[own] = true;
        }
        for written in &group.predicates {
            let text = probe::text(program, procedure, number, written, file)
                .map_err(|what| rejected(written.line, written.column, &what))?;
            with.append(own, &text);
            number += 1;
        }
    }
    let mut probes = with.load(options)?;
    let mut number = 0;
    let mut compiled = Vec::new();
    for group in groups {
        let mut own = Vec::new();
        for written in &group.predicates {
            let read = probe::read(&mut probes, number)
                .map_err(|what| rejected(written.line, written.column, &what))?;
            own.push(Compiled {
                written: written.clone(),
                read,
            });
            number += 1;
        }
        compiled.push(own);
    }
    Ok((probes, compiled))
}

/// The predicates of a function that can be evaluated in any state, and that call nothing.
pub fn harmless<'a>(
    texts: &Text,
    options: &Options,
    groups: &'a [Group],
    function: &str,
) -> Vec<&'a str> {
    let Ok(program) = texts.load(options) else {
        return Vec::new();
    };
    let Some(procedure) = program.find_procedure(function) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for group in groups.iter().filter(|g| g.function == function) {
        for written in &group.predicates {
            let alone = Group {
                predicates: vec![written.clone()],
                ..group.clone()
            };
            // Whatever is wrong with it is told when all of them are compiled.
            let compiled = compile(texts, options, &program, &[alone], "", None);
            let Ok((probes, compiled)) = compiled else {
                continue;
            };
            let mut with = program.clone();
            let mut pool = with.exprs.clone();
            let read = &compiled[0][0].read;
            let carried = carried(&probes, read, &program, procedure, 1, &program, &mut pool);
            let Ok(value) = carried else { continue };
            with.exprs = pool;
            if !may_trap(&with, procedure, value) && !calls(&written.text) {
                found.push(written.text.as_str());
            }
        }
    }
    found
}

/// Whether a name stands before an opening parenthesis.
fn calls(text: &str) -> bool {
    let before = |(at, _): (usize, &str)| {
        let name = text[..at].trim_end();
        name.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
    };
    text.match_indices('(').any(before)
}
