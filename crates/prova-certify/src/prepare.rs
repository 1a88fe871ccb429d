//! From the program that a property was woven into to the one that certificates speak of. The
//! passes are those of the intermediate language and of its memory; they are trusted.

use crate::Failure;
use prova_ir::passes::named::ALWAYS;
use prova_ir::Program;
use sha2::{Digest, Sha256};

/// The program after these passes, in their order. Every certificate begins with the same ones.
pub fn prepare(program: &Program, passes: &[String]) -> Result<Program, Failure> {
    if !passes.iter().take(ALWAYS.len()).eq(ALWAYS) {
        return Err(Failure::Mismatch(format!("the first passes must be {}", ALWAYS.join(", "))));
    }
    let mut program = program.clone();
    for pass in passes {
        prova_exec::passes::apply(&mut program, pass).map_err(Failure::Mismatch)?;
    }
    Ok(program)
}

/// The digest of a program's text form, without the names of its files: these depend on where
/// the files lie.
pub fn digest(program: &Program) -> String {
    let mut nameless = program.clone();
    nameless.files.iter_mut().for_each(|f| f.name.clear());
    digest_bytes(prova_ir::text::print(&nameless).as_bytes())
}

/// The SHA-256 digest of some bytes, in hexadecimal.
pub fn digest_bytes(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}
