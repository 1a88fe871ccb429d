//! Counts that say how large a program is and what of it is not modelled.

use crate::ids::ProcId;
use crate::program::{Callee, Program, Statement};
use std::fmt;

/// Counts of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Procedures with a body.
    pub procedures: usize,
    /// Procedures that are only declared.
    pub declared: usize,
    /// Locations.
    pub locations: usize,
    /// Edges.
    pub edges: usize,
    /// Registers.
    pub registers: usize,
    /// Memory objects.
    pub objects: usize,
    /// Different expressions.
    pub expressions: usize,
    /// Error locations.
    pub errors: usize,
    /// Functions that are called, have no body and are no known library function: their C
    /// names, in the order of their declaration.
    pub unmodelled: Vec<String>,
    /// Things accepted but not modelled.
    pub markers: usize,
}

impl Stats {
    /// Counts; `known` says which functions without a body have a meaning all the same.
    pub fn of(program: &Program, known: &dyn Fn(&str) -> bool) -> Self {
        let mut stats = Stats {
            registers: program.registers.len(),
            objects: program.objects.len(),
            expressions: program.exprs.len(),
            markers: program.markers.len(),
            ..Stats::default()
        };
        let mut called = vec![false; program.procedures.len()];
        for procedure in &program.procedures {
            let Some(body) = &procedure.body else {
                stats.declared += 1;
                continue;
            };
            stats.procedures += 1;
            stats.locations += body.locations.len();
            stats.edges += body.edges.len();
            stats.errors += body.errors.len();
            for edge in &body.edges {
                if let Statement::Call {
                    callee: Callee::Direct(ProcId(p)),
                    ..
                } = edge.statement
                {
                    called[p as usize] = true;
                }
            }
        }
        for (procedure, called) in program.procedures.iter().zip(called) {
            if called && procedure.body.is_none() && !known(&procedure.c_name) {
                stats.unmodelled.push(procedure.c_name.clone());
            }
        }
        stats
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "procedures            {}", self.procedures)?;
        writeln!(f, "declared only         {}", self.declared)?;
        writeln!(f, "locations             {}", self.locations)?;
        writeln!(f, "edges                 {}", self.edges)?;
        writeln!(f, "registers             {}", self.registers)?;
        writeln!(f, "memory objects        {}", self.objects)?;
        writeln!(f, "expressions           {}", self.expressions)?;
        writeln!(f, "error locations       {}", self.errors)?;
        writeln!(f, "unmodelled functions  {}", self.unmodelled.len())?;
        for name in &self.unmodelled {
            writeln!(f, "  {name}")?;
        }
        writeln!(f, "markers               {}", self.markers)
    }
}
