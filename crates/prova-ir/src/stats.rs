//! Counts that say how large a program is and what of it is not modelled.

use crate::ids::ProcId;
use crate::program::{Callee, Program, Statement};
use std::collections::BTreeSet;
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
    /// Functions that are called and that the program does not define, by what is known of them:
    /// a title and their C names, in alphabetical order.
    pub outside: Vec<(String, BTreeSet<String>)>,
    /// Things accepted but not modelled.
    pub markers: usize,
}

impl Stats {
    /// Counts. `kinds` are the titles of what functions may be that the program does not define,
    /// and `kind` says by its C name which of them a function is.
    pub fn of(program: &Program, kinds: &[&str], kind: &dyn Fn(&str) -> usize) -> Self {
        let mut stats = Stats {
            registers: program.registers.len(),
            objects: program.objects.len(),
            expressions: program.exprs.len(),
            markers: program.markers.len(),
            outside: kinds
                .iter()
                .map(|k| (k.to_string(), BTreeSet::new()))
                .collect(),
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
            let name = &procedure.c_name;
            let own = !procedure.span.is_known() || program.is_own(procedure.span);
            let foreign = procedure.body.is_none() || !own;
            if called && foreign && !name.is_empty() {
                stats.outside[kind(name)].1.insert(name.clone());
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
        writeln!(f, "markers               {}", self.markers)?;
        writeln!(f, "functions that the program does not define")?;
        for (title, names) in &self.outside {
            writeln!(f, "  {title:<20}{}", names.len())?;
            for name in names {
                writeln!(f, "    {name}")?;
            }
        }
        Ok(())
    }
}
