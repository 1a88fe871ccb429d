//! `prova import`: a project's file from what another tool was told.
//!
//! CBMC's proofs are folders with a makefile that sets a handful of variables and includes a common
//! part (the "starter kit"). `make` knows best what they come to, so it is asked: the makefile is
//! read and a target of ours prints the variables; nothing is built. What has no equivalent is said.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use clap::{Args, ValueEnum};

use crate::output::Output;
use crate::project::paths::{absolute, tidy};
use crate::status::{Rejected, Status};
use std::io::Write;

/// Arguments of `prova import`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The tool that the folder was written for.
    #[arg(value_enum)]
    tool: Tool,

    /// The folder of the proof.
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Where the project's file goes; `-` prints it [default: prova.toml in the folder].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Tools whose folders can be read.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Tool {
    /// CBMC's starter kit.
    Cbmc,
}

/// The variables that matter.
const VARIABLES: &[&str] = &[
    "PROOF_SOURCES",
    "PROJECT_SOURCES",
    "INCLUDES",
    "DEFINES",
    "HARNESS_ENTRY",
    "UNWINDSET",
    "CPROVER_LIBRARY_UNWINDSET",
    "REMOVE_FUNCTION_BODY",
    "RESTRICT_FUNCTION_POINTER",
    "NONDET_STATIC",
    "CHECK_FUNCTION_CONTRACTS",
    "USE_FUNCTION_CONTRACTS",
    "APPLY_LOOP_CONTRACTS",
    "CBMC_FLAG_MALLOC_MAY_FAIL",
];

/// Variables that say something which is not taken over.
const LEFT_OUT: &[&str] = &[
    "RESTRICT_FUNCTION_POINTER",
    "NONDET_STATIC",
    "CHECK_FUNCTION_CONTRACTS",
    "USE_FUNCTION_CONTRACTS",
    "APPLY_LOOP_CONTRACTS",
];

/// Runs `prova import`.
pub fn run(arguments: Arguments) -> anyhow::Result<Status> {
    let Tool::Cbmc = arguments.tool;
    let folder = absolute(&arguments.folder);
    let variables = ask_make(&folder)?;
    let target = match &arguments.output {
        Some(path) if path.as_os_str() == "-" => None,
        Some(path) => Some(absolute(path)),
        None => Some(folder.join("prova.toml")),
    };
    let home = target.as_deref().and_then(Path::parent);
    let home = home.map_or_else(|| absolute(Path::new(".")), Path::to_owned);
    let text = project(&variables, &folder, &home)?;
    let mut out = Output::new();
    match &target {
        None => write!(out, "{text}")?,
        Some(path) => {
            std::fs::write(path, &text).map_err(|e| {
                Rejected::because(format!("`{}` cannot be written: {e}", path.display()))
            })?;
            writeln!(out, "{} is written", path.display())?;
        }
    }
    for name in LEFT_OUT {
        let value = variables.get(*name).map_or("", String::as_str);
        if !value.is_empty() {
            eprintln!("prova: `{name} = {value}` is not taken over");
        }
    }
    Ok(Status::Fine)
}

/// What the folder's makefile sets.
fn ask_make(folder: &Path) -> Result<BTreeMap<String, String>, Rejected> {
    if !folder.join("Makefile").is_file() {
        let shown = folder.display();
        return Err(Rejected::because(format!(
            "there is no Makefile in `{shown}`"
        )));
    }
    // A rule that comes before the makefile; its lines are read when it is run.
    let mut rule = String::from("prova-print-variables:\n");
    for name in VARIABLES {
        rule += &format!("\t$(info prova:{name}=$({name}))\n");
    }
    rule += "\t@true\n";
    let output = Command::new("make")
        .args(["-s", "--no-print-directory", "-f", "Makefile", "-C"])
        .arg(folder)
        .arg(format!("--eval={rule}"))
        .arg("prova-print-variables")
        .stdin(Stdio::null())
        .output()
        .map_err(|e| Rejected::because(format!("`make` cannot be run: {e}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().next().unwrap_or("nothing");
        return Err(Rejected::because(format!(
            "`make` cannot read the makefile in `{}`; it says: {said}",
            folder.display()
        )));
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let lines = said.lines().filter_map(|l| l.strip_prefix("prova:"));
    let pairs = lines.filter_map(|l| l.split_once('='));
    let pairs = pairs.map(|(name, value)| (name.to_owned(), value.trim().to_owned()));
    Ok(pairs.collect())
}

/// The project's file.
fn project(
    variables: &BTreeMap<String, String>,
    folder: &Path,
    home: &Path,
) -> Result<String, Rejected> {
    let value = |name: &str| variables.get(name).map_or("", String::as_str);
    let words = |name: &str| {
        shlex::split(value(name)).ok_or_else(|| {
            Rejected::because(format!("`{name}` is not written as a shell reads it"))
        })
    };
    let place = |path: &str| relative(home, &tidy(&folder.join(path)));
    let proof = words("PROOF_SOURCES")?;
    let of_project = words("PROJECT_SOURCES")?;
    let mut sources: Vec<String> = Vec::new();
    for source in proof.iter().chain(&of_project) {
        let path = place(source);
        if !sources.contains(&path) {
            sources.push(path);
        }
    }
    if sources.is_empty() {
        return Err(Rejected::because(format!(
            "the makefile in `{}` names no sources",
            folder.display()
        )));
    }
    let includes = words("INCLUDES")?;
    let includes = includes.iter().filter_map(|w| w.strip_prefix("-I"));
    let includes: Vec<String> = includes.map(place).collect();
    let defines = words("DEFINES")?;
    let defines = defines.iter().filter_map(|w| w.strip_prefix("-D"));
    let defines: Vec<String> = defines.map(str::to_owned).collect();
    let mut text = String::from("# Made by `prova import cbmc` from the makefile of a proof.\n");
    text += &list("sources", &sources);
    text += &list("include", &includes);
    text += &list("defines", &defines);
    let entry = value("HARNESS_ENTRY");
    if !entry.is_empty() {
        text += &format!("start = {}\n", quoted(entry));
    }
    text += "# What CBMC checks by default, as far as there is a property for it.\n";
    let properties = [
        "unreach-call",
        "valid-deref",
        "valid-free",
        "no-overflow",
        "no-div-zero",
        "no-shift-error",
    ];
    text += &list("properties", &properties.map(str::to_owned));
    text += "# To CBMC, a function without a body returns something and does nothing.\n";
    text += "undefined = \"pure\"\n";
    text += "# Larger blocks would be beyond what memory safety is modelled for.\n";
    text += "blocks = \"small\"\n";
    text += "# To CBMC, the address of an object is a number like any other.\n";
    text += "addresses = \"arbitrary\"\n";
    text += "# CBMC reads little of inline assembly; here its outputs hold anything.\n";
    text += "assembly = \"outputs\"\n";
    let never = value("CBMC_FLAG_MALLOC_MAY_FAIL").contains("--no-malloc-may-fail");
    text += &format!(
        "malloc = \"{}\"\n",
        if never { "never-fails" } else { "may-fail" }
    );
    let removed = words("REMOVE_FUNCTION_BODY")?;
    let mut bounds: BTreeMap<String, u64> = BTreeMap::new();
    for name in ["UNWINDSET", "CPROVER_LIBRARY_UNWINDSET"] {
        for word in words(name)?.iter().flat_map(|w| w.split(',')) {
            if let Some((function, rounds)) = bound(word) {
                let most = bounds.entry(function).or_default();
                *most = rounds.max(*most);
            }
        }
    }
    if !bounds.is_empty() {
        text += "\n[search]\n# How far CBMC unwinds the loops of functions.\n";
        let each = bounds.iter().map(|(f, n)| format!("{f}={n}"));
        text += &list("bound", &each.collect::<Vec<_>>());
    }
    if !removed.is_empty() {
        text += "\n# Definitions that the makefile takes out of the project's files.\n";
        text += "[remove-bodies]\n";
        for source in &of_project {
            text += &format!("{} = {}\n", quoted(&place(source)), array(&removed));
        }
    }
    Ok(text)
}

/// `f.0:4`: loop 0 of a function, and one more than its rounds.
fn bound(word: &str) -> Option<(String, u64)> {
    let (at, rounds) = word.rsplit_once(':')?;
    let (function, _) = at.rsplit_once('.')?;
    let local = function.strip_prefix("__CPROVER_file_local_");
    let function = match local {
        // The name of the file ends where the function's begins; only files end like this.
        Some(rest) => [".c", ".h", ".inl"]
            .iter()
            .filter_map(|end| {
                let end = end.replace('.', "_") + "_";
                let at = rest.find(&end)?;
                Some(&rest[at + end.len()..])
            })
            .next()?,
        None => function,
    };
    Some((function.to_owned(), rounds.parse().ok()?))
}

fn quoted(text: &str) -> String {
    // Strings of TOML have the escapes of JSON.
    serde_json::Value::String(text.to_owned()).to_string()
}

fn array(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|i| quoted(i)).collect();
    format!("[{}]", items.join(", "))
}

fn list(key: &str, items: &[String]) -> String {
    match items.len() {
        0 => String::new(),
        1 => format!("{key} = {}\n", array(items)),
        _ => {
            let lines: Vec<String> = items
                .iter()
                .map(|i| format!("  {},\n", quoted(i)))
                .collect();
            format!("{key} = [\n{}]\n", lines.concat())
        }
    }
}

/// A path as seen from a folder; both are absolute.
fn relative(from: &Path, to: &Path) -> String {
    let (a, b): (Vec<Component>, Vec<Component>) =
        (from.components().collect(), to.components().collect());
    let shared = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let mut path = PathBuf::new();
    for _ in shared..a.len() {
        path.push("..");
    }
    for part in &b[shared..] {
        path.push(part);
    }
    if path.as_os_str().is_empty() {
        path.push(".");
    }
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_name_functions() {
        assert_eq!(bound("f.0:4"), Some(("f".into(), 4)));
        let local = "__CPROVER_file_local_queue_c_s_sift_up.1:3";
        assert_eq!(bound(local), Some(("s_sift_up".into(), 3)));
        assert_eq!(bound("f"), None);
    }

    #[test]
    fn paths_start_from_the_file() {
        let seen = |from: &str, to: &str| relative(Path::new(from), Path::new(to));
        assert_eq!(seen("/a/b", "/a/c/d.c"), "../c/d.c");
        assert_eq!(seen("/a", "/a/d.c"), "d.c");
        assert_eq!(seen("/a", "/a"), ".");
    }
}
