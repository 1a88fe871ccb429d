//! `--assume-invariant`: a function is checked in states that satisfy an invariant of its module, as
//! `prova adequacy --module` finds and certifies it. It is an assumption: it is named beside the verdict
//! and stands in the certificate, and whoever checks that compiles it again.
//!
//! The invariant is C over the module's global variables and the function's parameters. Where it speaks
//! of the one object that a module's driver had for a type, the function's parameter of that type is
//! meant.

use prova_adequacy::{module, places, probe, Written};
use prova_c::Options;
use prova_ir::{Assumption, Callee, EdgeId, Expr, ExprId, ObjectId, Program, RegId, Statement};
use std::collections::HashMap;

use crate::arguments::Sources;
use crate::commands::adequacy::probes::Text;
use crate::status::Rejected;

/// An invariant that was compiled for a function.
pub struct Invariant {
    function: String,
    text: String,
    /// Where it was written.
    file: String,
    /// The program with the invariant as a function, and that function as an expression.
    program: Program,
    read: probe::Read,
}

/// The text of a file, on one line.
pub fn read(file: &std::path::Path) -> Result<String, Rejected> {
    let shown = file.display();
    let text = std::fs::read_to_string(file)
        .map_err(|e| Rejected::because(format!("cannot read `{shown}`: {e}")))?;
    let lines = text
        .lines()
        .map(|l| l.split('#').next().unwrap_or_default());
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    match words.is_empty() {
        true => Err(Rejected::because(format!(
            "{shown}:1:1: an expression is expected"
        ))),
        false => Ok(words.join(" ")),
    }
}

impl Invariant {
    /// Compiles an invariant for a function. Messages name `file`.
    pub fn compile(
        sources: &Sources,
        function: &str,
        text: &str,
        file: &str,
    ) -> Result<Invariant, Rejected> {
        let options = Options {
            checks: false,
            ..sources.options()
        };
        let wrong = |what: String| Rejected::because(format!("{file}:1:1: {what}"));
        let texts = Text::read(&sources.files)?;
        let program = texts.load(&options)?;
        let procedure = program
            .find_procedure(function)
            .filter(|p| program.procedure(*p).body.is_some())
            .ok_or_else(|| {
                Rejected::because(format!("there is no function `{function}` with a body"))
            })?;
        let meant = module::of_parameters(&program, procedure, text).map_err(wrong)?;
        let written = Written {
            text: meant,
            line: 1,
            column: 1,
        };
        let wrong = |what: String| Rejected::because(format!("{file}:1:1: {what}"));
        let appended = probe::text(&program, procedure, 0, &written, file).map_err(wrong)?;
        let span = program.procedure(procedure).span;
        let own = program.files.get(span.file.index());
        let own = own.and_then(|f| texts.named(&f.name)).unwrap_or(0);
        let mut with = texts.clone();
        with.append(own, &appended);
        let mut program = with.load(&options)?;
        let wrong = |what: String| Rejected::because(format!("{file}:1:1: {what}"));
        let read = probe::read(&mut program, 0).map_err(wrong)?;
        Ok(Invariant {
            function: function.to_owned(),
            text: text.to_owned(),
            file: file.to_owned(),
            program,
            read,
        })
    }

    /// Assumes it right before the function is called, in a program whose entry is the function's
    /// harness; what is assumed, for verdicts and certificates.
    pub fn assume(&self, program: &mut Program) -> Result<Assumption, String> {
        let wrong = || format!("`{}` is not called by its harness", self.function);
        let entry = program.entry.ok_or_else(wrong)?;
        let callee = program.find_procedure(&self.function).ok_or_else(wrong)?;
        let body = program.procedure(entry).body.as_ref().ok_or_else(wrong)?;
        let mut calls =
            body.edges
                .iter()
                .enumerate()
                .filter_map(|(n, edge)| match &edge.statement {
                    Statement::Call {
                        callee: Callee::Direct(own),
                        arguments,
                        ..
                    } if *own == callee => Some((EdgeId::new(n), arguments.clone())),
                    _ => None,
                });
        let (Some((call, arguments)), None) = (calls.next(), calls.next()) else {
            return Err(wrong());
        };
        drop(calls);
        let condition = self.carried(program, callee, &arguments)?;
        let condition = places::all_of(program, &[(condition, true)]);
        let body = program.procedures[entry.index()].body.as_mut();
        let body = body.ok_or_else(wrong)?;
        let (source, span) = (body.edge(call).source, body.edge(call).span);
        let next = body.add_location(span);
        body.edges[call.index()].source = next;
        body.add_edge(source, next, Statement::Assume(condition), span);
        prova_ir::debug_validate(program, "invariant");
        Ok(Assumption::Invariant {
            function: self.function.clone(),
            text: self.text.clone(),
        })
    }

    /// The expression over the arguments of the call and what is global.
    fn carried(
        &self,
        program: &mut Program,
        callee: prova_ir::ProcId,
        arguments: &[ExprId],
    ) -> Result<ExprId, String> {
        let from = &self.program;
        let named: HashMap<String, ExprId> = program
            .procedure(callee)
            .parameters
            .iter()
            .zip(arguments)
            .map(|(p, e)| (program.register(*p).c_name.clone(), *e))
            .collect();
        let mut done: HashMap<ExprId, ExprId> = HashMap::new();
        for id in from.exprs.subexpressions(self.read.value) {
            let expr = from.exprs.get(id);
            let missing = |what: &str| {
                let file = &self.file;
                format!("{file}:1:1: `{what}` is no parameter, and not global")
            };
            let made = match expr {
                Expr::Reg(register) => match self.read.parameters.get(&register) {
                    Some(name) => *named.get(name).ok_or_else(|| missing(name))?,
                    None => {
                        let own = from.register(register);
                        let same = |r: &prova_ir::Register| r.name == own.name && r.owner.is_none();
                        let found = program.registers.iter().position(same);
                        let found = found.ok_or_else(|| missing(&own.c_name))?;
                        program.read(RegId::new(found))
                    }
                },
                Expr::Address(object) => {
                    let own = from.object(object);
                    let found = program.objects.iter().position(|o| o.name == own.name);
                    let found = found.ok_or_else(|| missing(&own.c_name))?;
                    program.exprs.add(Expr::Address(ObjectId::new(found)))
                }
                Expr::Function(function) => {
                    let name = &from.procedure(function).c_name;
                    let found = program.find_procedure(name);
                    let found = found.ok_or_else(|| missing(name))?;
                    program.exprs.add(Expr::Function(found))
                }
                other => program.exprs.add(other.map_children(|c| done[&c])),
            };
            done.insert(id, made);
        }
        Ok(done[&self.read.value])
    }
}
