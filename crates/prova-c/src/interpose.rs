//! Code that watches a program: C functions that are compiled with it and called before and
//! after calls of its functions. Rules in SLIC become such code; what it means is not known here.
//!
//! A watcher's text joins the unit that declares most of the functions it watches, so that it
//! may speak of the types of that unit. Its functions take no parameters in the text: `$1`, `$2`,
//! … and `$return` are bound to what the watched function is given and gives.

use crate::diagnostic::{Diagnostic, Place};
use crate::fixups::original_name;
use crate::lines::{Edit, Source};
use crate::parse::{parse_edited, Unit};
use crate::preprocess::Options;
use crate::scan::declared_name;
use lang_c::ast::{DeclaratorKind, ExternalDeclaration};
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::Arc;

/// The function that ends the run as an error; its argument, if any, is the message.
pub const ABORT: &str = "__prova_rule_abort";
/// The function that ends the run.
pub const HALT: &str = "__prova_rule_halt";
/// The function that decides arbitrarily: whether this is the object to watch.
pub const CHOOSE: &str = "__prova_rule_choose";
/// The function whose value is arbitrary: the number or address of the object to watch.
pub const OBJECT: &str = "__prova_rule_object";
/// The function that says whether what the watched function returns is made by it, and is not an
/// arbitrary value.
pub const FRESH: &str = "__prova_rule_fresh";
/// The function that says that no more objects can be told apart.
pub const FULL: &str = "__prova_rule_full";
/// What the names of a watcher's functions start with, its own name and a `$` behind it.
pub const FUNCTIONS: &str = "$rule$";
/// What the properties of watchers start with, their name behind it.
pub const PROPERTY: &str = "slic:";

/// Code that watches.
#[derive(Clone, Debug)]
pub struct Watcher {
    /// Its name: letters, digits and underscores.
    pub name: String,
    /// C text: state, and a function per handler.
    pub text: String,
    /// Replacements in the text; positions in messages are those before them.
    pub edits: Vec<Edit>,
    /// Where the text came from, for messages about handlers.
    pub source: Arc<Source>,
    /// What is called when.
    pub handlers: Vec<Handler>,
}

/// A function that is called when another one is.
#[derive(Clone, Debug)]
pub struct Handler {
    /// The function that is watched.
    pub function: String,
    /// When it is called.
    pub when: When,
    /// The function that is called; its name in the text.
    pub procedure: String,
    /// The watched function's name in the source.
    pub place: Range<usize>,
    /// Whether the program need not declare the function.
    pub optional: bool,
    /// `$1` and the like that the handler speaks of, with their places in the source.
    pub uses: Vec<(String, Range<usize>)>,
}

/// When a handler is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Before the function does anything.
    Before,
    /// When it returns.
    After,
}

impl Watcher {
    /// A place in its source.
    pub fn place(&self, range: &Range<usize>) -> Place {
        Place {
            source: self.source.clone(),
            range: range.clone(),
        }
    }
}

/// Puts the text of each watcher into a unit.
pub(crate) fn attach(units: &mut [Unit], options: &Options) -> Result<(), Vec<Diagnostic>> {
    if options.watchers.is_empty() || units.is_empty() {
        return Ok(());
    }
    let declared: Vec<FxHashSet<String>> = units.iter().map(functions_of).collect();
    let mut names: Vec<&String> = declared.iter().flatten().collect();
    names.sort();
    let reserved = |name: &&&String| original_name(name).starts_with(FUNCTIONS);
    if let Some(name) = names.iter().find(reserved) {
        let message = format!("the name `{}` belongs to rules", original_name(name));
        let source = units[0].source.clone();
        let place = Place {
            source,
            range: 0..0,
        };
        return Err(vec![Diagnostic::error(message, place)]);
    }
    let mut joined: Vec<Vec<&Watcher>> = vec![Vec::new(); units.len()];
    for watcher in &options.watchers {
        let known = |names: &FxHashSet<String>| {
            let handlers = watcher.handlers.iter();
            handlers.filter(|h| names.contains(&h.function)).count()
        };
        let counts = declared.iter().map(known);
        let best = counts.enumerate().max_by_key(|&(i, n)| (n, usize::MAX - i));
        joined[best.map_or(0, |b| b.0)].push(watcher);
    }
    let mut errors = Vec::new();
    for (unit, watchers) in units.iter_mut().zip(joined) {
        if watchers.is_empty() {
            continue;
        }
        let mut text = unit.source.before.to_string();
        let mut edits = Vec::new();
        for watcher in watchers {
            text.push('\n');
            let by = text.len();
            text.push_str(&watcher.text);
            edits.extend(watcher.edits.iter().map(|e| Edit {
                start: e.start + by,
                end: e.end + by,
                text: e.text.clone(),
            }));
        }
        match parse_edited(unit.name(), text, edits) {
            Ok(parsed) => *unit = parsed,
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

/// The functions that a unit declares or defines.
fn functions_of(unit: &Unit) -> FxHashSet<String> {
    let mut found = FxHashSet::default();
    for external in &unit.ast().0 {
        match &external.node {
            ExternalDeclaration::FunctionDefinition(f) => {
                let name = declared_name(&f.node.declarator.node);
                found.extend(name.map(|n| n.node.name.clone()));
            }
            ExternalDeclaration::Declaration(d) => {
                for init in &d.node.declarators {
                    let declarator = &init.node.declarator.node;
                    if let DeclaratorKind::Identifier(name) = &declarator.kind.node {
                        found.insert(name.node.name.clone());
                    }
                }
            }
            ExternalDeclaration::StaticAssert(_) => {}
        }
    }
    found
}
