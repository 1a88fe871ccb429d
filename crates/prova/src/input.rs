//! C files in, program out; says once what is odd and what is not modelled.

use prova_ir::Program;

use crate::arguments::Sources;
use crate::status::Rejected;

/// Reads and links the files.
pub fn load(sources: &Sources) -> Result<Program, Rejected> {
    let options = sources.options();
    for file in &sources.files {
        prova_c::parse_file(file, &options)?;
    }
    Err(Rejected::because(
        "this build reads C but cannot lower it yet",
    ))
}

/// Whether a function without a body has a meaning all the same.
pub fn is_modelled(_name: &str) -> bool {
    false
}
