//! A Boolean program as text, as people teach it: a declaration for each predicate with what it
//! stands for, a label for each cutpoint, and a way out for each block.
//!
//! `choose(yes, no)` is true if `yes` is, else false if `no` is, else anything; `*` is anything.

use super::program::{Assignment, BooleanProgram, Cube, Cubes};
use crate::problem::blocks::{BlockId, Cutpoint};
use crate::problem::names::Names;
use crate::problem::{Problem, Steps};
use prova_logic::Terms;
use std::fmt::Write;

/// The program as text.
pub fn print(problem: &Problem, steps: &Steps, terms: &Terms, program: &BooleanProgram) -> String {
    let names = Names {
        prepared: &problem.prepared,
        terms,
    };
    let mut out = String::new();
    if program.predicates.is_empty() {
        out.push_str("// no predicates: control alone\n");
    }
    for (i, &predicate) in program.predicates.iter().enumerate() {
        let _ = writeln!(out, "decl b{i};  // {}", names.predicate(predicate));
    }
    if !program.enforce.is_empty() {
        let _ = writeln!(out, "enforce {};", negated(&program.enforce));
    }
    out.push_str("\nvoid main() begin\n");
    let outgoing = steps.blocks.outgoing();
    for cutpoint in steps.blocks.cutpoints() {
        let ways = &outgoing[cutpoint.index()];
        let _ = write!(out, "{}:", label(cutpoint));
        if let Some(location) = steps.blocks.locations[cutpoint.index()] {
            let span = problem.prepared.body().location(location).span;
            if span.is_known() {
                let _ = write!(out, "  // {}", names.place(span));
            }
        }
        out.push('\n');
        if steps.blocks.errors.contains(&cutpoint) {
            out.push_str("  assert(false);\n");
            continue;
        }
        if ways.is_empty() {
            out.push_str("  return;\n");
            continue;
        }
        if ways.len() > 1 {
            out.push_str("  if (*) then\n");
        }
        for (n, &block) in ways.iter().enumerate() {
            if n > 0 {
                out.push_str("  elsif (*) then\n");
            }
            let indent = if ways.len() > 1 { "    " } else { "  " };
            print_block(&mut out, program, block, indent);
            let target = label(steps.blocks.block(block).target);
            let _ = writeln!(out, "{indent}goto {target};");
        }
        if ways.len() > 1 {
            out.push_str("  fi\n");
        }
    }
    out.push_str("end\n");
    out
}

fn print_block(out: &mut String, program: &BooleanProgram, block: BlockId, indent: &str) {
    let block = &program.blocks[block.index()];
    if !block.excluded.is_empty() {
        let _ = writeln!(out, "{indent}assume({});", negated(&block.excluded));
    }
    if let Some(relation) = &block.relation {
        let touched = block.assignments.iter().any(|a| *a != Assignment::Keep);
        if touched {
            let lines = relation.iter().map(|(before, behind)| {
                let behind = behind.iter().map(|&(i, holds)| {
                    let value = if holds { "true" } else { "false" };
                    format!("b{i} := {value}")
                });
                let behind: Vec<String> = behind.collect();
                format!("{indent}  {} -> {}", cube(before), behind.join(", "))
            });
            let lines: Vec<String> = lines.collect();
            let _ = writeln!(out, "{indent}one of\n{};", lines.join("\n"));
        }
        return;
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for (i, assignment) in block.assignments.iter().enumerate() {
        if let Assignment::Choose { yes, no } = assignment {
            left.push(format!("b{i}"));
            right.push(chosen(yes, no));
        }
    }
    if !left.is_empty() {
        let _ = writeln!(out, "{indent}{} := {};", left.join(", "), right.join(", "));
    }
}

fn chosen(yes: &Cubes, no: &Cubes) -> String {
    let always = |cubes: &Cubes| cubes.iter().any(Vec::is_empty);
    match (yes.is_empty(), no.is_empty()) {
        _ if always(yes) => "true".into(),
        _ if always(no) => "false".into(),
        (true, true) => "*".into(),
        _ => format!("choose({}, {})", any(yes), any(no)),
    }
}

fn label(cutpoint: Cutpoint) -> String {
    match cutpoint {
        Cutpoint::START => "start".into(),
        Cutpoint(n) => format!("L{n}"),
    }
}

fn any(cubes: &Cubes) -> String {
    match &cubes[..] {
        [] => "false".into(),
        [one] => cube(one),
        _ => {
            let all: Vec<String> = cubes.iter().map(enclosed).collect();
            all.join(" | ")
        }
    }
}

fn negated(cubes: &Cubes) -> String {
    let negation = |c: &Cube| match c[..] {
        [] => "false".into(),
        [(i, true)] => format!("!b{i}"),
        [(i, false)] => format!("b{i}"),
        _ => format!("!({})", cube(c)),
    };
    let all: Vec<String> = cubes.iter().map(negation).collect();
    all.join(" & ")
}

fn enclosed(literals: &Cube) -> String {
    match literals.len() {
        0 | 1 => cube(literals),
        _ => format!("({})", cube(literals)),
    }
}

fn cube(literals: &Cube) -> String {
    if literals.is_empty() {
        return "true".into();
    }
    let literal = |&(i, holds): &(usize, bool)| match holds {
        true => format!("b{i}"),
        false => format!("!b{i}"),
    };
    let all: Vec<String> = literals.iter().map(literal).collect();
    all.join(" & ")
}
