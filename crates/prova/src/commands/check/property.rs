//! What `prova check` is to check: `--property`, `--all`, property files; and the checks in turn,
//! each with a verdict of its own.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use prova_c::interpose::Watcher;
use prova_ir::{Assumption, Limit, Pointers, Program, Span, World};
use prova_spec::contracts;
use prova_spec::goals::Mark;
use prova_spec::{
    make_entry_with, parse_prp, slic, takes_pointers, weave, Check, Property, WeaveError,
};
use prova_task::border::{settle, Settled};
use prova_task::{Outcome, Report, Scope, Statistics, Unknown};
use serde_json::{json, Value};

use super::answer::Answer;
use super::Format;
use crate::project::file::File;
use crate::status::{Rejected, Status};

/// What to check.
#[derive(Debug, Args)]
pub struct PropertyArguments {
    /// What to check: a property's name, or a file in the competition's syntax (.prp). May be
    /// given several times; each has a verdict of its own. `unreach-call` unless told.
    #[arg(long, value_name = "NAME|FILE")]
    property: Vec<String>,

    /// Check this rule for an interface, written in SLIC, or a deterministic machine (`.lts`) as one;
    /// may be given several times.
    #[arg(long, value_name = "FILE")]
    slic: Vec<PathBuf>,

    /// Check every property, each with a verdict of its own.
    #[arg(long, conflicts_with = "property")]
    all: bool,

    /// Reaching this C label is an error of `unreach-call`, too.
    #[arg(long, value_name = "NAME")]
    error_label: Option<String>,
}

impl PropertyArguments {
    /// Whether there is more than one check.
    pub fn several(&self) -> bool {
        self.all || self.property.len() + self.slic.len() > 1
    }

    /// The code of the rules.
    pub fn watchers(&self) -> Result<Vec<Watcher>, Rejected> {
        read_rules(&self.slic)
    }

    /// Takes what the command line leaves open from the project's file.
    pub fn take(&mut self, project: &File) -> Result<(), Rejected> {
        let keys = &project.keys;
        if self.error_label.is_none() {
            self.error_label.clone_from(&keys.error_label);
        }
        if self.all || !self.property.is_empty() || !self.slic.is_empty() {
            return Ok(());
        }
        self.slic = keys.slic.iter().map(|rule| project.path(rule)).collect();
        for property in &keys.properties {
            let name = match property.get_ref().as_str() {
                "all" => {
                    self.all = true;
                    continue;
                }
                file if file.ends_with(".prp") => {
                    project.path(Path::new(file)).display().to_string()
                }
                name => name.to_string(),
            };
            named(&name).map_err(|e| project.wrong(property, e.to_string()))?;
            self.property.push(name);
        }
        Ok(())
    }

    /// The checks that are asked for, at least one.
    pub fn plan(&self) -> Result<Vec<Check>, Rejected> {
        let mut checks: Vec<Check> = if self.all {
            Property::EACH.into_iter().map(Check::of).collect()
        } else {
            self.property
                .iter()
                .map(|p| named(p))
                .collect::<Result<_, _>>()?
        };
        for watcher in self.watchers()? {
            if checks
                .iter()
                .any(|c| c.rule.as_deref() == Some(&watcher.name))
            {
                let message = format!("there are two rules with the name `{}`", watcher.name);
                return Err(Rejected::because(message));
            }
            checks.push(Check::of_rule(&watcher.name));
        }
        if checks.is_empty() {
            checks.push(Check::of(Property::UnreachCall));
        }
        if let Some(label) = &self.error_label {
            let target = checks
                .iter_mut()
                .find(|c| c.properties.contains(&Property::UnreachCall))
                .ok_or_else(|| {
                    Rejected::because("--error-label belongs to the property `unreach-call`")
                })?;
            target.calls.label = Some(label.clone());
        }
        Ok(checks)
    }
}

/// The code of the rules in these files.
pub fn read_rules(paths: &[PathBuf]) -> Result<Vec<Watcher>, Rejected> {
    paths.iter().map(|path| read_rule(path)).collect()
}

fn read_rule(path: &Path) -> Result<Watcher, Rejected> {
    let shown = path.display().to_string();
    if path.extension().is_some_and(|e| e == "lts") {
        let text = crate::commands::show::as_rule(path)?;
        let rule = slic::parse(&shown, &text)?;
        return Ok(slic::translate(&rule));
    }
    if path.extension().is_none_or(|e| e != "slic") {
        let message = format!("`{shown}` is no rule: its name does not end in `.slic` or `.lts`");
        return Err(Rejected::because(message));
    }
    let text = std::fs::read_to_string(path)
        .map_err(|e| Rejected::because(format!("cannot read `{shown}`: {e}")))?;
    let rule = slic::parse(&shown, &text)?;
    Ok(slic::translate(&rule))
}

/// The check that a name or a file stands for.
pub fn named(argument: &str) -> Result<Check, Rejected> {
    if let Some(property) = Property::named(argument) {
        return Ok(Check::of(property));
    }
    let path = Path::new(argument);
    if path.extension().is_none_or(|e| e != "prp") {
        return Err(Rejected::because(format!(
            "there is no property `{argument}`; there are {}, and files that end in .prp",
            Property::names().join(", ")
        )));
    }
    let text = std::fs::read_to_string(path)
        .map_err(|e| Rejected::because(format!("cannot read `{argument}`: {e}")))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    parse_prp(&name, &text).map_err(|e| Rejected::because(format!("{argument}: {e}")))
}

/// A program with a check woven in and its entry set.
pub struct Woven {
    /// The program.
    pub program: Program,
    /// What it rests on beside what its statements say.
    pub assumed: Vec<Assumption>,
    /// Where runs end because nothing is known of what comes.
    pub unmodelled: Vec<(String, Span)>,
    /// Places that goals of coverage may ask for.
    pub marks: Vec<Mark>,
}

/// Weaves a check in. The inner error is no fault of the user's.
pub fn woven(
    program: &Program,
    check: &Check,
    entry: &Option<String>,
    world: &World,
) -> Result<Result<Woven, WeaveError>, Rejected> {
    let mut program = program.clone();
    let named = entry.as_ref().or(check.entry.as_ref());
    let (mut required, mut passed) = (None, None);
    if let Some(name) = named {
        let procedure = program
            .find_procedure(name)
            .filter(|p| program.procedure(*p).body.is_some())
            .ok_or_else(|| {
                Rejected::because(format!("there is no function `{name}` with a body"))
            })?;
        // A function with a contract is called as its contract says.
        let under_contract = contracts::checked(&program, procedure);
        required = under_contract.map(|_| name.clone());
        // Which pointers may be null is for the contract to say, then.
        let pointers = match (world.pointers, under_contract) {
            (Pointers::Valid, Some(_)) => Pointers::Nullable,
            (pointers, _) => pointers,
        };
        passed = takes_pointers(&program, procedure).then_some(pointers);
        let procedure = under_contract.unwrap_or(procedure);
        let anywhere = prova_spec::Pointers::Anywhere;
        make_entry_with(&mut program, procedure, anywhere, pointers)
            .map_err(|e| Rejected::because(e.to_string()))?;
    }
    if program.entry.is_none() {
        return Err(Rejected::because(
            "there is no `main`; name a function with --entry",
        ));
    }
    let used = match check.modular {
        true => contracts::assume(&mut program),
        false => Vec::new(),
    };
    let about = |name: &str| check.calls.is_about(name);
    let Settled {
        mut assumed,
        unmodelled,
    } = settle(&mut program, world, &about);
    assumed.extend(named.map(|name| Assumption::Entry(name.clone())));
    assumed.extend(passed.map(Assumption::Pointers));
    assumed.extend(required.map(Assumption::Required));
    for name in used {
        // Bytes may be those of pointers.
        assumed.push(Assumption::Limit(Limit::Pointers(name.clone())));
        assumed.push(Assumption::Contract(name));
    }
    let check = &Check {
        ample: passed == Some(Pointers::Ample),
        ..check.clone()
    };
    assumed.extend(prova_spec::rests_on_accesses(&program, check).then_some(Assumption::Accesses));
    let report = match weave(&mut program, check) {
        Ok(report) => report,
        Err(error) => return Ok(Err(error)),
    };
    match &check.calls.label {
        Some(name) if report.labels == 0 => {
            Err(Rejected::because(format!("there is no label `{name}`")))
        }
        _ => Ok(Ok(Woven {
            program,
            assumed,
            unmodelled,
            marks: report.marks,
        })),
    }
}

/// What is reported of a check that could not be woven in.
pub fn not_woven(error: &WeaveError) -> Report {
    Report {
        outcome: Outcome::Unknown(Unknown::Unsupported {
            what: error.what.clone(),
            span: error.span,
        }),
        statistics: Statistics::default(),
        scope: Scope::default(),
    }
}

/// Prints what comes behind all reports: the competition's lines, or the one JSON object.
pub fn summary(
    out: &mut dyn Write,
    format: Format,
    answers: &[Answer],
    unproved: &[String],
) -> anyhow::Result<()> {
    match (format, answers) {
        (Format::Text, _) if unproved.is_empty() => {}
        (Format::Text, _) => {
            let names: Vec<String> = unproved.iter().map(|n| format!("`{n}`")).collect();
            writeln!(
                out,
                "contracts that this rests on and that nobody proved here: {}",
                names.join(", ")
            )?;
        }
        (Format::Svcomp, [only]) => {
            if let Some(assumed) = &only.assumed {
                writeln!(out, "{assumed}")?;
            }
            writeln!(out, "{}", only.line)?;
        }
        (Format::Svcomp, all) => {
            for answer in all {
                if let Some(assumed) = &answer.assumed {
                    writeln!(out, "{}: {assumed}", answer.name)?;
                }
            }
            for answer in all {
                writeln!(out, "{}: {}", answer.name, answer.line)?;
            }
        }
        (Format::Json, [only]) => {
            let mut object = json!(only.json);
            if !unproved.is_empty() {
                object["unproved_contracts"] = json!(unproved);
            }
            writeln!(out, "{object:#}")?;
        }
        (Format::Json, all) => {
            let checks: Vec<&Option<Value>> = all.iter().map(|a| &a.json).collect();
            let mut object = json!({ "version": 2, "checks": checks });
            if !unproved.is_empty() {
                object["unproved_contracts"] = json!(unproved);
            }
            writeln!(out, "{object:#}")?;
        }
    }
    Ok(())
}

/// The status of several checks: a violation outweighs all, no answer outweighs one that holds
/// within a bound, and that a proof.
pub fn combined(statuses: impl Iterator<Item = Status>) -> Status {
    statuses
        .max_by_key(|s| match s {
            Status::Fine => 0,
            Status::Bounded => 1,
            Status::Unknown => 2,
            Status::Violated => 3,
            Status::BadInput => 4,
        })
        .unwrap_or(Status::Fine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_violation_outweighs_the_rest() {
        use Status::*;
        assert_eq!(combined([Fine, Violated, Unknown].into_iter()), Violated);
        assert_eq!(combined([Fine, Unknown, Fine].into_iter()), Unknown);
        assert_eq!(combined([Fine, Fine].into_iter()), Fine);
    }
}
