//! The library in C: models of functions that programs call but do not define. They are parsed
//! and linked only when needed, and lowered like any other code.

use crate::diagnostic::Diagnostic;
use crate::parse::{parse_text, Unit};
use crate::preprocess::Options;
use crate::scan::{declared_name, Names};
use lang_c::ast::ExternalDeclaration;
use lang_c::visit::Visit;
use prova_ir::DataModel;
use prova_library::MODELS;
use rustc_hash::FxHashSet;

/// The models a program needs: a parsed unit per group with a function that is mentioned and
/// not defined.
pub(crate) fn needed(units: &[Unit], options: &Options) -> Result<Vec<Unit>, Diagnostic> {
    let mut mentioned: FxHashSet<String> = FxHashSet::default();
    let mut defined: FxHashSet<String> = FxHashSet::default();
    for unit in units {
        look_over(unit, &mut mentioned, &mut defined);
    }
    // What a contract says is written holds anything behind a call, and how much that is may vary.
    if mentioned.contains("__prova_range") {
        mentioned.insert("__CPROVER_havoc_slice".to_owned());
    }
    let mut found: Vec<Unit> = Vec::new();
    let mut taken = vec![false; MODELS.len()];
    loop {
        let next = MODELS.iter().enumerate().find(|(index, group)| {
            !taken[*index]
                && group
                    .functions
                    .iter()
                    .chain(group.objects)
                    .any(|f| mentioned.contains(*f) && !defined.contains(*f))
        });
        let Some((index, group)) = next else {
            return Ok(found);
        };
        taken[index] = true;
        let head = match options.model {
            DataModel::Ilp32 => {
                "typedef unsigned int size_t; typedef int ssize_t; typedef long wchar_t; \
                 typedef long long intmax_t; typedef unsigned long long uintmax_t; "
            }
            DataModel::Lp64 => {
                "typedef unsigned long size_t; typedef long ssize_t; typedef int wchar_t; \
                 typedef long intmax_t; typedef unsigned long uintmax_t; "
            }
        };
        let unit = parse_text(group.name, format!("{head}{}", group.text), options)?;
        let mut own = FxHashSet::default();
        let mut uses = FxHashSet::default();
        look_over(&unit, &mut uses, &mut own);
        mentioned.extend(uses);
        found.push(unit);
    }
}

fn look_over(unit: &Unit, mentioned: &mut FxHashSet<String>, defined: &mut FxHashSet<String>) {
    let mut names = Names::default();
    names.visit_translation_unit(unit.ast());
    for name in names.mentioned {
        mentioned.insert(prova_library::plain_name(name).to_string());
        mentioned.insert(name.to_string());
    }
    for external in &unit.ast().0 {
        if let ExternalDeclaration::FunctionDefinition(f) = &external.node {
            if let Some(name) = declared_name(&f.node.declarator.node) {
                defined.insert(name.node.name.clone());
            }
        }
    }
}
