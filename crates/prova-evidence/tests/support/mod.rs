//! What the tests share: a program from text or from a file, checked, its violation confirmed.

#![allow(dead_code, reason = "each test file uses a part of it")]

use prova_engine::Auto;
use prova_evidence::{confirm, Confirmed, NotConfirmed, Options, Sources};
use prova_ir::DataModel;
use prova_spec::{make_entry, weave, weave_unreach_call, Check, Property, Spec};
use prova_task::{Budget, Checker, Outcome, Report, Silent, Task, Violation};
use std::path::PathBuf;
use std::time::Duration;

/// A program to check.
pub struct Case {
    pub sources: Sources,
    pub task: Task,
    _folder: Option<tempfile::TempDir>,
}

/// How a program is checked.
#[derive(Clone, Copy, Default)]
pub struct How<'a> {
    pub entry: Option<&'a str>,
    pub label: Option<&'a str>,
    pub model: DataModel,
}

impl Case {
    pub fn of_text(text: &str, how: How) -> Case {
        Case::of_texts(&[("program.c", text)], how)
    }

    /// A program whose errors are those of another property.
    pub fn of_property(text: &str, property: &str) -> Case {
        let mut case = Case::of_text("int main(void) { return 0; }", How::default());
        std::fs::write(&case.sources.files[0], text).expect("written");
        let check = Check::of(Property::named(property).expect("a property"));
        case.sources.options.checks = check.needs_operations();
        let lowered = prova_c::load(&case.sources.files, &case.sources.options);
        case.task.program = lowered.expect("the program is read").program;
        weave(&mut case.task.program, &check).expect("it is woven in");
        case.sources.properties = vec![property.to_owned()];
        case
    }

    pub fn of_texts(texts: &[(&str, &str)], how: How) -> Case {
        let folder = tempfile::tempdir().expect("a folder");
        let files = texts
            .iter()
            .map(|(name, text)| {
                let path = folder.path().join(name);
                std::fs::write(&path, text).expect("the file is written");
                path
            })
            .collect();
        let mut case = Case::of_files(files, how);
        case._folder = Some(folder);
        case
    }

    pub fn of_files(files: Vec<PathBuf>, how: How) -> Case {
        let options = prova_c::Options {
            model: how.model,
            ..Default::default()
        };
        let lowered = prova_c::load(&files, &options).expect("the program is read");
        let mut program = lowered.program;
        let spec = Spec {
            label: how.label.map(str::to_owned),
            ..Spec::default()
        };
        weave_unreach_call(&mut program, &spec);
        if let Some(entry) = how.entry {
            let entry = program.find_procedure(entry).expect("the entry is there");
            make_entry(&mut program, entry).expect("it can be an entry");
        }
        Case {
            sources: Sources {
                files,
                options,
                calls: spec,
                properties: Vec::new(),
            },
            task: Task::new(program, 0),
            _folder: None,
        }
    }

    pub fn check(&self) -> Report {
        let budget = Budget::new(Some(Duration::from_secs(60)), None);
        Auto::default().check(&self.task, &budget, &mut Silent)
    }

    pub fn violation(&self) -> Violation {
        match self.check().outcome {
            Outcome::Violated(violation) => *violation,
            other => panic!("no violation but {other:?}"),
        }
    }

    pub fn confirm(&self, violation: &Violation) -> Result<Confirmed, NotConfirmed> {
        confirm(&self.task, &self.sources, violation, &Options::default())
    }

    /// Finds a violation and replays it natively.
    pub fn replays(&self) -> Confirmed {
        self.replayed(&self.violation())
    }

    /// Replays a violation natively.
    pub fn replayed(&self, violation: &Violation) -> Confirmed {
        let confirmed = match self.confirm(violation) {
            Ok(confirmed) => confirmed,
            Err(e) => panic!("{e}\nours: {:#?}\nnative: {:#?}", e.ours, e.native),
        };
        if !compiles(self.sources.options.model) {
            eprintln!("no C compiler for this data model: only interpreted");
            return confirmed;
        }
        assert_eq!(confirmed.how, prova_evidence::How::Native, "{violation:?}");
        confirmed
    }
}

/// Whether the system's compiler makes programs for a data model.
pub fn compiles(model: DataModel) -> bool {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("probe.c");
    std::fs::write(&source, "int main(void) { return 0; }").expect("written");
    let words = prova_evidence::build::compiler();
    std::process::Command::new(&words[0])
        .args(&words[1..])
        .arg(prova_evidence::build::model_option(model))
        .arg("-o")
        .arg(folder.path().join("probe"))
        .arg(source)
        .status()
        .is_ok_and(|s| s.success())
}

/// The repository's test programs whose first line has these words.
pub fn programs(expectation: &str) -> Vec<PathBuf> {
    let root = std::env::current_dir()
        .expect("the package's folder")
        .join("../../tests/programs");
    let mut found = Vec::new();
    for folder in [root.clone(), root.join("figures")] {
        for entry in std::fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("an entry").path();
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let first = text.lines().next().unwrap_or_default();
            if first.contains(expectation) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
