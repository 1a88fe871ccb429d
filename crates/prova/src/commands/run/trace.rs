//! The trace of a run: each source line passed, with the values it changed.

use std::collections::BTreeMap;
use std::io::{self, Write};

use prova_exec::Run;
use prova_ir::{Expr, ExprId, FileId, Program, RegId, Span, Statement, Type};

/// Prints the trace.
pub fn print(run: &Run, out: &mut impl Write) -> io::Result<()> {
    let program = &*run.code.program;
    let mut sources = Sources::default();
    let mut line: Option<Span> = None;
    let mut call = 0;
    let mut changes: Vec<String> = Vec::new();
    for (step, place) in run.path() {
        let Some(body) = program.procedure(place.proc).body.as_ref() else {
            continue;
        };
        let (span, statement) = match place.edge {
            Some(edge) => (body.edge(edge).span, Some(&body.edge(edge).statement)),
            None => (body.location(place.source).span, None),
        };
        let active = run.activation_at(step);
        let same =
            active == call && line.is_some_and(|l| (l.file, l.line) == (span.file, span.line));
        if span.is_known() && !same {
            call = active;
            flush(program, &mut sources, line, &mut changes, out)?;
            line = Some(span);
        }
        if let Some(change) = statement.and_then(|s| change(run, s, step)) {
            changes.push(change);
        }
    }
    flush(program, &mut sources, line, &mut changes, out)
}

fn flush(
    program: &Program,
    sources: &mut Sources,
    line: Option<Span>,
    changes: &mut Vec<String>,
    out: &mut impl Write,
) -> io::Result<()> {
    let Some(span) = line else { return Ok(()) };
    let name = program
        .files
        .get(span.file.index())
        .map_or("?", |f| f.name.as_str());
    let text = sources.line(program, span);
    write!(out, "{name}:{}: {}", span.line, text.trim())?;
    if !changes.is_empty() {
        write!(out, "    // {}", changes.join(", "))?;
        changes.clear();
    }
    writeln!(out)
}

/// What a statement changed, in the program's own names.
fn change(run: &Run, statement: &Statement, step: u32) -> Option<String> {
    let program = &*run.code.program;
    match statement {
        Statement::Store { address, value } => {
            let ty = program.exprs.ty(*value);
            let (name, at) = stored(run, *address)?;
            let bits = run.memory_at(at, ty.bytes(program.model) as u32, step + 1);
            Some(format!("{name} = {}", value_text(program, ty, bits)))
        }
        // A call's result comes when the callee returns, unless it has no body.
        Statement::Call { .. } if run.activation_at(step) != run.activation_at(step + 1) => None,
        _ => register_change(run, statement.written_register()?, step),
    }
}

fn register_change(run: &Run, reg: RegId, step: u32) -> Option<String> {
    let program = &*run.code.program;
    let register = program.register(reg);
    if register.c_name.is_empty() {
        return None;
    }
    let value = run.register_at(reg, step + 1);
    Some(format!(
        "{} = {}",
        register.c_name,
        value_text(program, register.ty, value)
    ))
}

/// The name and address of a store to a place with a name.
fn stored(run: &Run, address: ExprId) -> Option<(String, u64)> {
    let program = &*run.code.program;
    let mut offset = 0u64;
    let mut e = address;
    loop {
        match program.exprs.get(e) {
            Expr::Address(object) => {
                let o = program.object(object);
                let name = if o.c_name.is_empty() {
                    &o.name
                } else {
                    &o.c_name
                };
                let base = run.layout.object(object);
                let name = if offset == 0 {
                    name.clone()
                } else {
                    format!("{name}[+{offset}]")
                };
                return Some((name, base.wrapping_add(offset)));
            }
            Expr::Binary {
                op: prova_ir::BinaryOp::PtrAdd,
                left,
                right,
            } => {
                let Expr::Int { value, .. } = program.exprs.get(right) else {
                    return None;
                };
                offset = offset.wrapping_add(value as u64);
                e = left;
            }
            _ => return None,
        }
    }
}

fn value_text(program: &Program, ty: Type, bits: u128) -> String {
    match ty {
        Type::BOOL => (bits != 0).to_string(),
        Type::Int(width) => prova_exec::arith::signed_wide(bits, width.min(128) as u8).to_string(),
        Type::Float(_) => match ty.bits(program.model) {
            32 => f32::from_bits(bits as u32).to_string(),
            64 => f64::from_bits(bits as u64).to_string(),
            _ => {
                let double =
                    prova_exec::arith::cast_wide(prova_ir::CastOp::FToF, 80, 64, bits) as u64;
                f64::from_bits(double).to_string()
            }
        },
        Type::Ptr if bits == 0 => "null".into(),
        Type::Ptr => format!("{bits:#x}"),
    }
}

/// Source files, read once.
#[derive(Default)]
struct Sources(BTreeMap<FileId, Vec<String>>);

impl Sources {
    fn line(&mut self, program: &Program, span: Span) -> &str {
        let lines = self.0.entry(span.file).or_insert_with(|| {
            let name = program
                .files
                .get(span.file.index())
                .map_or("", |f| f.name.as_str());
            let bytes = std::fs::read(name).unwrap_or_default();
            String::from_utf8_lossy(&bytes)
                .lines()
                .map(str::to_string)
                .collect()
        });
        lines.get(span.line as usize - 1).map_or("", String::as_str)
    }
}
