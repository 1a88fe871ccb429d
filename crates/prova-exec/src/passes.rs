//! All passes by their names, as certificates list them: those of the intermediate language, and those
//! that have to know which accesses may touch the same memory.

use crate::cells::follow_cells;
use crate::nan_bits::separate_nan_bits;
use prova_ir::passes::{named, External};
use prova_ir::Program;

/// The passes that follow arbitrary cells, by how many of them.
pub const CELLS: [&str; 2] = ["cells", "cell-pairs"];

/// Applies a pass; names the functions without a body that it made arbitrary.
pub fn apply(program: &mut Program, name: &str) -> Result<Vec<External>, String> {
    if let Some(which) = CELLS.iter().position(|pass| *pass == name) {
        follow_cells(program, which + 1)?;
    } else if name == "nans" {
        separate_nan_bits(program);
    } else {
        return named::apply(program, name);
    }
    Ok(Vec::new())
}
