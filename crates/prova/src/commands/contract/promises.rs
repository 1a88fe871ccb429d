//! What a function ensures and assigns: guesses, each proved before it is printed.
//!
//! What is returned is compared with zero, with the numbers that the function returns as they stand in its text, and
//! with its parameters. What is assigned is at most what its pointers may lead to and the global variables that are
//! written in it or in what it calls; what is not needed of that is left out.

use std::collections::BTreeSet;

use prova_ir::passes::call_graph::call_graph;
use prova_ir::{CType, Expr, ProcId, Statement, Type};

use super::grammar::{Condition, Kind};
use super::trial::Result as Tried;
use super::{Contract, Search};

/// Numbers that a function returns, if they are so few.
const MOST_RESULTS: usize = 4;

/// The clause for what is assigned, as the front end takes it.
pub fn assigns(targets: &[String]) -> String {
    let each = targets
        .iter()
        .map(|t| match t.strip_prefix("prova_range(") {
            // `prova_range(p, n)`, in elements.
            Some(rest) => {
                let (p, n) = rest
                    .trim_end_matches(')')
                    .split_once(", ")
                    .unwrap_or((rest, "0"));
                format!("&(__prova_range(({p}), ({n}) * sizeof *({p})))")
            }
            None => format!("&({t})"),
        });
    format!(" __prova_assigns({});", each.collect::<Vec<_>>().join(", "))
}

impl Search<'_> {
    /// Finds what can be proved under what is required.
    pub fn promises(&self, contract: &mut Contract, function: ProcId) -> anyhow::Result<()> {
        self.assigned(contract, function)?;
        for guess in self.guesses(function) {
            // Whoever knows a number does not ask for its bounds.
            let (_, of) = guess.rsplit_once(' ').unwrap_or(("", &guess));
            let bound = guess.contains(">= ") || guess.contains("<= ");
            let number = of.parse::<i128>().is_ok();
            let mut said = contract.ensures.iter().filter(|e| e.contains(" == "));
            if bound && said.any(|e| number || e.ends_with(&format!(" == {of}"))) {
                continue;
            }
            contract.ensures.push(guess);
            let clauses = self.written(contract);
            if !matches!(self.trial.run(&clauses, 6, false)?, Tried::Proved) {
                contract.ensures.pop();
            }
        }
        Ok(())
    }

    fn assigned(&self, contract: &mut Contract, function: ProcId) -> anyhow::Result<()> {
        let mut targets: Vec<String> = Vec::new();
        for required in &contract.requires {
            if let Condition::Valid { pointer, .. } = &required.condition {
                let text = required.condition.text();
                targets.push(text.replace("prova_valid(", "prova_range("));
                debug_assert!(text.contains(pointer.as_str()));
            }
        }
        targets.extend(self.globals(function));
        let proved = |targets: Vec<String>, contract: &mut Contract| {
            contract.assigns = Some(targets);
            let tried = self.trial.run(&self.written(contract), 6, false)?;
            Ok::<bool, anyhow::Error>(matches!(tried, Tried::Proved))
        };
        if !proved(targets.clone(), contract)? {
            contract.assigns = None;
            return Ok(());
        }
        let mut at = 0;
        while at < targets.len() {
            let mut fewer = targets.clone();
            fewer.remove(at);
            match proved(fewer.clone(), contract)? {
                true => targets = fewer,
                false => at += 1,
            }
        }
        // What is not written has to be readable only.
        for required in &mut contract.requires {
            if let Condition::Valid { pointer, read, .. } = &mut required.condition {
                let start = format!("prova_range({pointer}, ");
                *read = !targets.iter().any(|t| t.starts_with(&start));
            }
        }
        contract.assigns = Some(targets);
        Ok(())
    }

    /// Global variables that are written by name.
    fn globals(&self, function: ProcId) -> Vec<String> {
        let program = self.program;
        let mut found = BTreeSet::new();
        for id in call_graph(program).reachable_from(function) {
            let body = program.procedure(id).body.as_ref();
            for edge in body.iter().flat_map(|b| &b.edges) {
                if let Some(register) = edge.statement.written_register() {
                    let register = program.register(register);
                    if register.owner.is_none() && !register.c_name.is_empty() {
                        found.insert(register.c_name.clone());
                    }
                }
                if let Statement::Store { address, .. } = edge.statement {
                    for e in program.exprs.subexpressions(address) {
                        if let Expr::Address(object) = program.exprs.get(e) {
                            let object = program.object(object);
                            let frame = matches!(object.storage, prova_ir::Storage::Frame(_));
                            if !frame && !object.c_name.is_empty() {
                                found.insert(object.c_name.clone());
                            }
                        }
                    }
                }
            }
        }
        found.into_iter().collect()
    }

    /// What may be ensured of what is returned, what says most first.
    fn guesses(&self, function: ProcId) -> Vec<String> {
        let program = self.program;
        let procedure = program.procedure(function);
        let Some(result) = procedure.result else {
            return Vec::new();
        };
        let ty = program.register(result).ty;
        let ctype = procedure.ctype.map(|t| program.ctypes.get(t));
        let ctype = match ctype {
            Some(CType::Function { result, .. }) => Some(program.ctypes.get(*result)),
            _ => None,
        };
        let signed = !matches!(ctype, Some(CType::Int { signed: false, .. } | CType::Bool));
        let mut found = Vec::new();
        match ty {
            Type::Ptr => {
                found.push("prova_result != 0".to_owned());
                for p in &self.parameters {
                    if matches!(p.kind, Kind::Pointer { .. }) {
                        found.push(format!("prova_result == {}", p.name));
                    }
                }
            }
            Type::Int(_) => {
                let returned = self.returned(function);
                if (1..=MOST_RESULTS).contains(&returned.len()) {
                    let each = returned.iter().map(|v| format!("prova_result == {v}"));
                    found.push(each.collect::<Vec<_>>().join(" || "));
                }
                for p in &self.parameters {
                    let Kind::Number { signed: own, .. } = p.kind else {
                        continue;
                    };
                    // Comparisons between signs say something else than they seem to.
                    if own == signed {
                        let name = &p.name;
                        found.push(format!("prova_result == {name}"));
                        found.push(format!("prova_result <= {name}"));
                        found.push(format!("prova_result >= {name}"));
                    }
                }
                if signed {
                    let least = returned.iter().next().copied().filter(|v| *v < 0);
                    found.extend(least.map(|v| format!("prova_result >= {v}")));
                    found.push("prova_result >= 0".to_owned());
                }
            }
            Type::Float(_) => {}
        }
        found
    }

    /// The numbers that a function returns as they stand in its text.
    fn returned(&self, function: ProcId) -> BTreeSet<i128> {
        let program = self.program;
        let procedure = program.procedure(function);
        let body = procedure.body.as_ref();
        let mut found = BTreeSet::new();
        for edge in body.iter().flat_map(|b| &b.edges) {
            if let Statement::Assign { target, value } = edge.statement {
                if Some(target) == procedure.result {
                    if let Expr::Int { value, width } = program.exprs.get(value) {
                        let shift = 128 - u32::from(width.clamp(1, 128));
                        found.insert(((value << shift) as i128) >> shift);
                    }
                }
            }
        }
        found
    }
}
