//! Several units become one program.

use crate::compact::compact;
use crate::diagnostic::Diagnostic;
use crate::lower::Lowerer;
use crate::models;
use crate::parse::{parse_file, Unit};
use crate::preprocess::Options;
use crate::scan::Names;
use crate::stack::with_large_stack;
use lang_c::visit::Visit;
use prova_ir::Program;
use std::collections::BTreeSet;
use std::path::Path;

/// A program, and what the user should know about it.
#[derive(Debug)]
pub struct Lowered {
    /// The program; its entry is `main`, if there is one.
    pub program: Program,
    /// Warnings in the order in which they were found.
    pub warnings: Vec<Diagnostic>,
    /// Library functions whose calls became statements.
    pub replaced: BTreeSet<String>,
}

/// Reads, parses, links and lowers C files.
///
/// # Errors
/// Everything that keeps the files from being a program, in order.
pub fn load<P: AsRef<Path>>(paths: &[P], options: &Options) -> Result<Lowered, Vec<Diagnostic>> {
    let mut units = Vec::with_capacity(paths.len());
    let mut errors = Vec::new();
    for path in paths {
        match parse_file(path.as_ref(), options) {
            Ok(unit) => units.push(unit),
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    lower(units, options)
}

/// Links and lowers parsed units.
///
/// # Errors
/// Everything that keeps the units from being a program, in order.
pub fn lower(mut units: Vec<Unit>, options: &Options) -> Result<Lowered, Vec<Diagnostic>> {
    with_large_stack(move || {
        crate::interpose::attach(&mut units, options)?;
        let own = units.len();
        let library = models::needed(&units, options).map_err(|error| vec![error])?;
        units.extend(library);
        lower_all(&units, own, options)
    })
}

fn lower_all<'a>(
    units: &'a [Unit],
    own: usize,
    options: &'a Options,
) -> Result<Lowered, Vec<Diagnostic>> {
    let mut lowerer = Lowerer::new(units, own, options.model);
    lowerer.checks = options.checks;
    lowerer.malloc = options.malloc;
    lowerer.small_blocks = options.small_blocks;
    lowerer.volatile = options.volatile;
    lowerer.assembly = options.assembly;
    lowerer.removed = &options.removed;
    lowerer.start = options.start.as_deref();
    for unit in units {
        let mut names = Names::default();
        names.visit_translation_unit(unit.ast());
        lowerer.taken.extend(names.taken);
    }
    let mut scopes: Vec<crate::lower::Scope<'_>> = Vec::with_capacity(units.len());
    for unit in 0..units.len() {
        lowerer.declare_unit(unit);
        scopes.push(lowerer.scopes.swap_remove(0));
    }
    if lowerer.errors.is_empty() {
        lowerer.link_symbols(&mut scopes);
        lowerer.find_endings();
    }
    if lowerer.errors.is_empty() {
        lowerer.resolve_watchers(&options.watchers, &scopes);
    }
    if lowerer.errors.is_empty() {
        lowerer.find_effects(&scopes);
        for (unit, scope) in scopes.into_iter().enumerate() {
            lowerer.lower_unit(unit, scope);
        }
        lowerer.check_left_out(&options.watchers);
    }
    if !lowerer.errors.is_empty() {
        return Err(lowerer.errors);
    }
    lowerer.size_unknown_externals();
    lowerer.finish_procedures();
    lowerer.uninterpreted_functions();
    lowerer.weave_start();
    lowerer.complete_ctypes();
    lowerer.program.entry = lowerer.first_function();
    if let (Some(start), None) = (&options.start, lowerer.program.entry) {
        let message = format!("there is no function `{start}` to start at");
        return Err(vec![Diagnostic::error(message, None)]);
    }
    // Models and inline functions that nothing calls are left out.
    let left_out: Vec<bool> = lowerer
        .functions
        .iter()
        .map(|f| f.helper || f.definition.is_some_and(|(unit, _)| unit >= own))
        .collect();
    let mut program = compact(lowerer.program, &|proc| !left_out[proc.index()]);
    program.reads_volatile = lowerer.reads_volatile;
    program.runs_assembly = lowerer.runs_assembly;
    prova_ir::validate::debug_validate(&program, "lowering");
    Ok(Lowered {
        program,
        warnings: lowerer.warnings,
        replaced: lowerer.replaced,
    })
}
