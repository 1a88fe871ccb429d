//! From the program that a property was woven into to the one that certificates speak of. The
//! passes are those of the intermediate language; they are trusted.

use crate::Failure;
use prova_exec::separate_nan_bits;
use prova_ir::passes::activations::{allocate_frames, forget_uncalled, trap_returns};
use prova_ir::passes::devirtualise::devirtualise;
use prova_ir::passes::externals::externals;
use prova_ir::passes::inline::inline;
use prova_ir::passes::simplify_graph::{simplify_graph, Labels};
use prova_ir::passes::slice::{slice, SliceOptions};
use prova_ir::passes::uninitialised::uninitialised;
use prova_ir::{Program, Statement};
use sha2::{Digest, Sha256};

/// Programs with more locations are not inlined.
const LOCATIONS: usize = 2_000_000;

/// A prepared program.
pub struct Prepared {
    /// The program.
    pub program: Program,
    /// Functions without a body: assumed to return an arbitrary value and to change nothing.
    pub undefined: Vec<String>,
}

/// Every certificate begins with these: without them a program means less than it says.
const ALWAYS: [&str; 4] = ["devirtualise", "externals", "uninitialised", "nans"];

/// Applies passes by their names, in order. Each keeps which errors can be reached.
pub fn prepare(program: &Program, passes: &[String]) -> Result<Prepared, Failure> {
    if !passes.iter().take(ALWAYS.len()).eq(&ALWAYS) {
        return Err(Failure::Mismatch(format!("the first passes must be {}", ALWAYS.join(", "))));
    }
    let mut program = program.clone();
    let mut undefined = Vec::new();
    for pass in passes {
        match pass.as_str() {
            "devirtualise" => drop(devirtualise(&mut program)),
            "externals" => {
                undefined.extend(externals(&mut program, &|_| false).into_iter().map(|e| e.name));
            }
            "uninitialised" => drop(uninitialised(&mut program)),
            "nans" => drop(separate_nan_bits(&mut program)),
            "inline" => {
                let inlined = inline(&program, LOCATIONS);
                program = inlined.map_err(|e| Failure::Unsupported(e.to_string()))?.program;
            }
            "uncalled" => forget_uncalled(&mut program),
            "noreturn" => trap_returns(&mut program),
            "frames" => allocate_frames(&mut program),
            "simplify" => drop(simplify_graph(&mut program, Labels::Drop)),
            "slice" if !calls(&program) => drop(slice(&mut program, SliceOptions::default())),
            _ => return Err(Failure::Mismatch(format!("there is no pass `{pass}` for this"))),
        }
    }
    Ok(Prepared { program, undefined })
}

/// Whether any procedure calls another.
pub fn calls(program: &Program) -> bool {
    let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    let mut edges = bodies.flat_map(|b| &b.edges);
    edges.any(|e| matches!(e.statement, Statement::Call { .. }))
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
