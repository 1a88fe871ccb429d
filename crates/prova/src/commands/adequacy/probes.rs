//! The texts of a program's files, with something behind them: drivers of modules, and predicates as
//! functions. Line markers lead every message to where people wrote.

use std::path::{Path, PathBuf};

use prova_adequacy::judge::Compiled;
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

/// Compiles predicates: the program with them in it, and each as an expression.
pub fn compile(
    texts: &Text,
    options: &Options,
    program: &Program,
    groups: &[Group],
    file: &str,
) -> Result<(Program, Vec<Vec<Compiled>>), Rejected> {
    let mut with = texts.clone();
    let mut number = 0;
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
