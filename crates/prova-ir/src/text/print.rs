//! Printing of whole programs.

use super::print_expr::{Cuts, ExprPrinter};
use super::{escaped, quoted_name, register_name};
use crate::ctype::CType;
use crate::ids::{CTypeId, ExprId, LocId, ProcId};
use crate::program::*;
use crate::source::Span;
use crate::types::DataModel;
use std::fmt::Write;

/// The text form of a program.
pub fn print(program: &Program) -> String {
    let cuts = Cuts::new(program);
    let mut printer = Printer {
        exprs: ExprPrinter::new(program, &cuts),
        cuts: &cuts,
        out: String::new(),
        next_register: 0,
        next_object: 0,
    };
    printer.program();
    printer.out
}

struct Printer<'a> {
    exprs: ExprPrinter<'a>,
    cuts: &'a Cuts,
    out: String,
    /// The numbers the parser gives next if told nothing else.
    next_register: usize,
    next_object: usize,
}

impl Printer<'_> {
    fn program(&mut self) {
        let program = self.exprs.program;
        let model = match program.model {
            DataModel::Ilp32 => "ilp32",
            DataModel::Lp64 => "lp64",
        };
        let _ = writeln!(self.out, "prova-ir 1 {model}");
        for (i, file) in program.files.iter().enumerate() {
            let _ = writeln!(self.out, "file {i} \"{}\"", escaped(file.name.as_bytes()));
        }
        for (id, ctype) in program.ctypes.iter() {
            let _ = writeln!(self.out, "ctype {} = {}", id.0, ctype_text(ctype));
        }
        for (i, marker) in program.markers.iter().enumerate() {
            let _ = write!(self.out, "marker {i} ");
            match &marker.kind {
                MarkerKind::Assembly => self.out.push_str("assembly"),
                MarkerKind::Builtin(name) => {
                    let _ = write!(self.out, "builtin \"{}\"", escaped(name.as_bytes()));
                }
                MarkerKind::Other(what) => {
                    let _ = write!(self.out, "other \"{}\"", escaped(what.as_bytes()));
                }
            }
            self.position(marker.span, Span::NONE);
            self.out.push('\n');
        }
        if program.registers.iter().any(|r| r.owner.is_none()) {
            self.out.push('\n');
        }
        self.registers("", None);
        let frame_of = |o: &Object| match o.storage {
            Storage::Frame(p) => Some(p),
            _ => None,
        };
        if program.objects.iter().any(|o| frame_of(o).is_none()) {
            self.out.push('\n');
        }
        self.objects("", None);
        let mut owned_registers = vec![false; program.procedures.len()];
        for owner in program.registers.iter().filter_map(|r| r.owner) {
            if let Some(owned) = owned_registers.get_mut(owner.index()) {
                *owned = true;
            }
        }
        for owner in program.objects.iter().filter_map(frame_of) {
            if let Some(owned) = owned_registers.get_mut(owner.index()) {
                *owned = true;
            }
        }
        let by_owner = ByOwner::new(program);
        for (i, owned) in owned_registers.iter().enumerate() {
            self.procedure(ProcId::new(i), *owned, &by_owner);
        }
        if let Some(entry) = program.entry {
            let _ = writeln!(self.out, "\nentry {}", self.exprs.procedure(entry));
        }
    }

    fn position(&mut self, span: Span, usual: Span) {
        if span == usual {
        } else if span == Span::NONE {
            self.out.push_str(" @none");
        } else if span.file.0 == 0 {
            let _ = write!(self.out, " @{}:{}", span.line, span.column);
        } else {
            let (file, line, column) = (span.file.0, span.line, span.column);
            let _ = write!(self.out, " @{file}:{line}:{column}");
        }
    }

    fn c_name(&mut self, c_name: &str, usual: &str) {
        if c_name != usual {
            let _ = write!(self.out, " c \"{}\"", escaped(c_name.as_bytes()));
        }
    }

    fn ctype(&mut self, ctype: Option<CTypeId>) {
        if let Some(ctype) = ctype {
            let _ = write!(self.out, " ctype {}", ctype.0);
        }
    }

    fn registers(&mut self, indent: &str, among: Option<&[usize]>) {
        let program = self.exprs.program;
        let globals: Vec<usize>;
        let among = match among {
            Some(among) => among,
            None => {
                let all = 0..program.registers.len();
                globals = all
                    .filter(|&i| program.registers[i].owner.is_none())
                    .collect();
                &globals
            }
        };
        for &i in among {
            let r = &program.registers[i];
            let role = match r.role {
                Role::Global => "global",
                Role::Local => "local",
                Role::Parameter => "param",
                Role::Result => "result",
                Role::Temporary => "temp",
            };
            let _ = write!(self.out, "{indent}{role} {}", register_name(&r.name));
            if i != self.next_register {
                let _ = write!(self.out, " #{i}");
            }
            self.next_register = i + 1;
            let _ = write!(self.out, " : {}", r.ty);
            if let Some(initial) = r.initial {
                self.out.push_str(" = ");
                self.exprs.whole(&mut self.out, initial);
            }
            self.c_name(&r.c_name, usual_c_name(r.role, &r.name));
            self.ctype(r.ctype);
            self.position(r.span, Span::NONE);
            self.out.push('\n');
        }
    }

    fn objects(&mut self, indent: &str, among: Option<&[usize]>) {
        let program = self.exprs.program;
        let globals: Vec<usize>;
        let among = match among {
            Some(among) => among,
            None => {
                let frame = |o: &Object| matches!(o.storage, Storage::Frame(_));
                let all = 0..program.objects.len();
                globals = all.filter(|&i| !frame(&program.objects[i])).collect();
                &globals
            }
        };
        for &i in among {
            let o = &program.objects[i];
            let keyword = match o.storage {
                Storage::Frame(_) => "frame",
                _ => "object",
            };
            let _ = write!(self.out, "{indent}{keyword} {}", quoted_name(&o.name));
            if i != self.next_object {
                let _ = write!(self.out, " #{i}");
            }
            self.next_object = i + 1;
            let _ = write!(self.out, " : {} align {}", o.size, o.align);
            match &o.storage {
                Storage::Frame(_) => {}
                Storage::External => self.out.push_str(" external"),
                Storage::Static { initial, constant } => {
                    self.out
                        .push_str(if *constant { " constant" } else { " static" });
                    if !initial.is_empty() {
                        self.contents(initial);
                    }
                }
            }
            self.c_name(&o.c_name, &o.name);
            self.ctype(o.ctype);
            self.position(o.span, Span::NONE);
            self.out.push('\n');
        }
    }

    fn contents(&mut self, initial: &[(u64, Initial)]) {
        self.out.push_str(" = { ");
        for (i, (offset, part)) in initial.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            let _ = write!(self.out, "{comma}{offset}: ");
            match part {
                Initial::Value(e) => self.exprs.whole(&mut self.out, *e),
                Initial::Bytes(bytes) => {
                    let _ = write!(self.out, "\"{}\"", escaped(bytes));
                }
            }
        }
        self.out.push_str(" }");
    }

    fn procedure(&mut self, id: ProcId, owns: bool, by_owner: &ByOwner) {
        let program = self.exprs.program;
        let p = program.procedure(id);
        self.out.push('\n');
        if p.body.is_none() {
            self.out.push_str("extern ");
        }
        let _ = write!(self.out, "proc {}(", quoted_name(&p.name));
        for (i, parameter) in p.parameters.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            let _ = write!(self.out, "{comma}{}", self.exprs.register(*parameter));
        }
        self.out.push(')');
        if let Some(result) = p.result {
            let _ = write!(self.out, " -> {}", self.exprs.register(result));
        }
        if p.variadic {
            self.out.push_str(" variadic");
        }
        if p.noreturn {
            self.out.push_str(" noreturn");
        }
        if !p.read_only.is_empty() {
            let positions: Vec<String> = p.read_only.iter().map(u32::to_string).collect();
            let _ = write!(self.out, " reads({})", positions.join(" "));
        }
        self.c_name(&p.c_name, &p.name);
        self.ctype(p.ctype);
        self.position(p.span, Span::NONE);
        if p.body.is_none() && !owns {
            self.out.push('\n');
            return;
        }
        self.out.push_str(" {\n");
        self.registers("  ", Some(&by_owner.registers[id.index()]));
        self.objects("  ", Some(&by_owner.objects[id.index()]));
        if let Some(body) = &p.body {
            self.body(body);
        }
        self.out.push_str("}\n");
    }

    fn body(&mut self, body: &Body) {
        let _ = writeln!(self.out, "  entry {:?} exit {:?}", body.entry, body.exit);
        self.lets(body);
        let mut told = vec![false; body.locations.len()];
        for edge in &body.edges {
            let _ = write!(self.out, "  {:?}", edge.source);
            self.location(body, edge.source, &mut told);
            let _ = write!(self.out, " -> {:?}: ", edge.target);
            self.exprs.statement(&mut self.out, &edge.statement);
            let usual = body.locations.get(edge.source.index());
            self.position(edge.span, usual.map_or(Span::NONE, |l| l.span));
            self.out.push('\n');
        }
        for i in 0..body.locations.len() {
            if !told[i] {
                let _ = write!(self.out, "  L{i}");
                self.location(body, LocId::new(i), &mut told);
                self.out.push('\n');
            }
        }
        for error in &body.errors {
            let _ = writeln!(
                self.out,
                "  error {:?} \"{}\" \"{}\"",
                error.location,
                escaped(error.property.as_bytes()),
                escaped(error.message.as_bytes())
            );
        }
        self.exprs.lets.clear();
    }

    fn location(&mut self, body: &Body, id: LocId, told: &mut [bool]) {
        let Some(location) = body.locations.get(id.index()) else {
            return;
        };
        if std::mem::replace(&mut told[id.index()], true) {
            return;
        }
        self.position(location.span, Span::NONE);
        if let Some(label) = &location.label {
            let _ = write!(self.out, " label \"{}\"", escaped(label.as_bytes()));
        }
    }

    /// Names what is too large to be written in one piece, children first.
    fn lets(&mut self, body: &Body) {
        let pool = &self.exprs.program.exprs;
        let mut seen = rustc_hash::FxHashSet::default();
        let mut large: Vec<ExprId> = Vec::new();
        let mut work: Vec<ExprId> = body
            .edges
            .iter()
            .flat_map(|e| e.statement.expressions())
            .collect();
        while let Some(id) = work.pop() {
            if seen.insert(id) {
                work.extend(pool.children(id));
                if self.cuts.is_large(id) {
                    large.push(id);
                }
            }
        }
        large.sort_unstable();
        for (n, id) in large.into_iter().enumerate() {
            let _ = write!(self.out, "  let %{n} = ");
            self.exprs.definition(&mut self.out, id);
            self.out.push('\n');
            self.exprs.lets.insert(id, n);
        }
    }
}

/// The C name a declaration has unless it says otherwise.
pub(super) fn usual_c_name(role: Role, name: &str) -> &str {
    match role {
        Role::Temporary | Role::Result => "",
        _ => name,
    }
}

struct ByOwner {
    registers: Vec<Vec<usize>>,
    objects: Vec<Vec<usize>>,
}

impl ByOwner {
    fn new(program: &Program) -> Self {
        let mut registers = vec![Vec::new(); program.procedures.len()];
        let mut objects = registers.clone();
        for (i, r) in program.registers.iter().enumerate() {
            if let Some(list) = r.owner.and_then(|p| registers.get_mut(p.index())) {
                list.push(i);
            }
        }
        for (i, o) in program.objects.iter().enumerate() {
            if let Storage::Frame(p) = o.storage {
                if let Some(list) = objects.get_mut(p.index()) {
                    list.push(i);
                }
            }
        }
        Self { registers, objects }
    }
}

fn ctype_text(ctype: &CType) -> String {
    match ctype {
        CType::Void => "void".into(),
        CType::Bool => "bool".into(),
        CType::Int { name, bits, signed } => {
            let sign = if *signed { "signed" } else { "unsigned" };
            format!("int \"{}\" {bits} {sign}", escaped(name.as_bytes()))
        }
        CType::Float { bits } => format!("float {bits}"),
        CType::Pointer(to) => format!("pointer {}", to.0),
        CType::Array { element, length } => match length {
            Some(length) => format!("array {} {length}", element.0),
            None => format!("array {} ?", element.0),
        },
        CType::Record {
            name,
            union,
            size,
            fields,
        } => {
            let kind = if *union { "union" } else { "struct" };
            let mut text = format!("{kind} \"{}\" {size} {{", escaped(name.as_bytes()));
            for (i, field) in fields.iter().enumerate() {
                text.push_str(if i > 0 { ", " } else { " " });
                let name = escaped(field.name.as_bytes());
                let _ = write!(text, "\"{name}\" {}", field.offset);
                if let Some((first, width)) = field.bits {
                    let _ = write!(text, " bits {first} {width}");
                }
                let _ = write!(text, " : {}", field.ctype.0);
            }
            text.push_str(if fields.is_empty() { "}" } else { " }" });
            text
        }
        CType::Function {
            result,
            parameters,
            variadic,
        } => {
            let parts: Vec<String> = parameters
                .iter()
                .map(|p| p.0.to_string())
                .chain(variadic.then(|| "...".into()))
                .collect();
            format!("function {} ({})", result.0, parts.join(", "))
        }
    }
}
