//! What a program looks like, as far as it matters for who should have the first turns.

use prova_ir::passes::loops::Loops;
use prova_ir::{Statement, Type};
use prova_task::prepare::Prepared;

/// A program at a glance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Locations of the prepared program.
    pub locations: usize,
    /// Whether it has a loop.
    pub loops: bool,
    /// Whether it computes with floats.
    pub floats: bool,
    /// Whether anything comes from outside.
    pub inputs: bool,
}

impl Look {
    /// Looks at a program that is one procedure.
    pub fn at(prepared: &Prepared) -> Look {
        let body = prepared.body();
        let float = |statement: &Statement| {
            let written = statement.written_register();
            let ty = written.map(|r| prepared.program.register(r).ty);
            matches!(ty, Some(Type::Float(_)))
        };
        let reads = |statement: &Statement| {
            matches!(
                statement,
                Statement::Nondet { .. } | Statement::Havoc { .. } | Statement::Enter(_)
            )
        };
        let mut statements = body.edges.iter().map(|e| &e.statement);
        Look {
            locations: body.locations.len(),
            loops: !Loops::of(body).heads.is_empty(),
            floats: statements.clone().any(float),
            inputs: statements.any(reads),
        }
    }
}
