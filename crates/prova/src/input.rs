//! C files in, program out; says once what is odd and what is not modelled.

use prova_ir::Program;

use crate::arguments::Sources;
use crate::status::Rejected;

/// Reads and links the files.
pub fn load(sources: &Sources) -> Result<Program, Rejected> {
    let lowered = prova_c::load(&sources.files, &sources.options()).map_err(Rejected)?;
    lowered.warnings.iter().for_each(prova_c::Diagnostic::print);
    Ok(lowered.program)
}

/// Whether a function without a body has a meaning all the same.
pub fn is_modelled(_name: &str) -> bool {
    false
}
