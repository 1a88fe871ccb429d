//! A failing run as a story: the source lines that matter, what they changed, why branches were
//! taken, calls entered and left, loops folded.

use crate::expression::{is_ghost, Printer};
use crate::slice::{is_check, slice, Slice};
use crate::source::{file_name, Sources};
use crate::values::Names;
use prova_exec::undefined::stands_in;
use prova_exec::{Code, Limits, Run, RunEnd};
use prova_ir::{
    BinaryOp, Body, CType, CTypeId, EdgeId, Expr, ExprId, LocId, Program, RegId, Span, Statement,
    Type,
};
use prova_task::prepare::as_written;
use prova_task::{Task, Violation};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

/// A failing run, told.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Story {
    /// What happens, in order.
    pub events: Vec<Event>,
    /// How many steps the run took.
    pub steps: u32,
    /// Whether the beginning was left out.
    pub cut: bool,
}

/// Something that happens.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Event {
    /// A source line.
    Line(Line),
    /// A call begins.
    Enter {
        /// The function.
        function: String,
        /// Nested calls around it.
        depth: usize,
    },
    /// A call ends with a value that matters.
    Leave {
        /// The function.
        function: String,
        /// Nested calls around it.
        depth: usize,
        /// What it returned.
        value: String,
    },
    /// The same lines again and again.
    Repeat {
        /// How often, the first time included.
        times: usize,
        /// The first time.
        body: Vec<Event>,
        /// What changed in the last one.
        last: Vec<Change>,
    },
}

/// A source line that was passed.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Line {
    /// File.
    pub file: String,
    /// Line, from one.
    pub line: u32,
    /// Column, from one.
    pub column: u32,
    /// The line itself, without indentation.
    pub text: String,
    /// The function it is in.
    pub function: String,
    /// Nested calls around it.
    pub depth: usize,
    /// What it changed.
    pub changes: Vec<Change>,
    /// Conditions that held here.
    pub facts: Vec<Fact>,
    /// The violated condition, on the last line.
    pub failure: Option<String>,
    #[serde(skip)]
    edges: Vec<EdgeId>,
    #[serde(skip)]
    activation: u32,
}

/// A variable got a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Variable, as C names it.
    pub name: String,
    /// Value, as C prints it.
    pub value: String,
}

/// A condition that decided a branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// In the words of the source.
    pub condition: String,
    /// What the variables in it held, as far as the line has not told: `i = 3, n = 4`.
    pub values: String,
}

/// Runs the test of a violation once more, with history.
pub fn replay(task: &Task, violation: &Violation) -> Option<Run> {
    let program = as_written(&task.program);
    let code = Code::new(Arc::new(program)).ok()?;
    let limits = Limits {
        steps: 50_000_000,
        time: Some(Duration::from_secs(20)),
        memory: 1 << 30,
        ..Limits::default()
    };
    let run = Run::new(&code, &violation.test, limits);
    matches!(run.end, RunEnd::ErrorReached(_)).then_some(run)
}

/// Tells a failing run.
pub fn tell(run: &Run, violation: &Violation, sources: &Sources) -> Story {
    let names = Names::new(run);
    let slice = slice(run, &names);
    let mut teller = Teller {
        run,
        names: &names,
        sources,
        slice: &slice,
        depths: depths(run),
        in_model: in_model(run),
        events: Vec::new(),
    };
    for &step in &slice.steps {
        teller.step(step);
    }
    teller.fail(violation);
    Story {
        events: fold(teller.events),
        steps: run.steps(),
        cut: slice.cut,
    }
}

/// Nested calls around each call.
fn depths(run: &Run) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::new();
    for (i, activation) in run.activations().iter().enumerate() {
        let depth = match i {
            0 => 0,
            _ => depths.get(activation.caller as usize).map_or(0, |d| d + 1),
        };
        depths.push(depth);
    }
    depths
}

/// Whether each call is one of a model of the library's. What happens there is told as what the
/// line did that called it.
fn in_model(run: &Run) -> Vec<bool> {
    let program = &run.code.program;
    let models = |activation: &prova_exec::history::Activation| {
        let span = program.procedure(activation.proc).span;
        let file = program.files.get(span.file.index());
        span.is_known() && file.is_some_and(|f| f.is_library() && !f.is_rule())
    };
    run.activations().iter().map(models).collect()
}

struct Teller<'a> {
    run: &'a Run,
    names: &'a Names<'a>,
    sources: &'a Sources,
    slice: &'a Slice,
    depths: Vec<usize>,
    in_model: Vec<bool>,
    events: Vec<Event>,
}

impl Teller<'_> {
    fn program(&self) -> &Program {
        &self.run.code.program
    }

    fn step(&mut self, step: u32) {
        let run = self.run;
        let program = &*run.code.program;
        let Some(place) = run.edge_at(step) else {
            return;
        };
        let procedure = program.procedure(place.proc);
        let Some(body) = procedure.body.as_ref() else {
            return;
        };
        let activation = run.activation_at(step);
        let depth = self.depths.get(activation as usize).copied().unwrap_or(0);
        let in_model = self.in_model[activation as usize];
        let Some(id) = place.edge else {
            if stands_in(program, place.proc) || in_model {
                return;
            }
            if let Some(result) = procedure.result {
                let register = program.register(result);
                let bits = run.register_at(result, step);
                self.events.push(Event::Leave {
                    function: procedure.c_name.clone(),
                    depth: depth.saturating_sub(1),
                    value: self.names.value(register.ty, register.ctype, bits),
                });
            }
            return;
        };
        let edge = body.edge(id);
        if stands_in(program, place.proc) {
            // What a function without a body wrote belongs to the line that called it.
            let changes = self.written(&edge.statement, step);
            self.note(id, changes, None);
            return;
        }
        if in_model {
            let changes = match edge.statement {
                Statement::Store { .. } => self.changes(&edge.statement, step),
                _ => Vec::new(),
            };
            self.note(id, changes, None);
            self.enter(&edge.statement, step, depth);
            return;
        }
        let known = edge.span.is_known();
        if known {
            self.line(edge.span, activation, depth, &procedure.c_name);
        }
        let changes = self.changes(&edge.statement, step);
        let fact = match &edge.statement {
            Statement::Assume(e) => self.fact(*e, step, is_check(body, id)),
            _ => None,
        };
        self.note(id, changes, fact);
        self.enter(&edge.statement, step, depth);
    }

    fn printer(&self, state: u32) -> Printer<'_> {
        Printer {
            run: self.run,
            names: self.names,
            state,
            values: false,
        }
    }

    /// Whether the lines so far say of a name that it has a value, in the activation that is told now.
    fn is_told(&self, (name, value): &(String, String)) -> bool {
        let lines = self.events.iter().rev().filter_map(|event| match event {
            Event::Line(line) => Some(line),
            _ => None,
        });
        let mut lines = lines.take(TOLD);
        let Some(now) = lines.next() else {
            return false;
        };
        let said = format!("{name} = {value}");
        if now
            .facts
            .iter()
            .any(|f| f.values.split(", ").any(|v| v == said))
        {
            return true;
        }
        let here = lines.filter(|l| l.activation == now.activation);
        let mut changes = std::iter::once(now)
            .chain(here)
            .flat_map(|l| l.changes.iter().rev());
        changes
            .find(|c| c.name == *name)
            .is_some_and(|c| c.value == *value)
    }

    /// A condition that held, with the values that the line itself has not told. Checks of ours are
    /// no news: where one fails, the failure says so.
    fn fact(&self, e: ExprId, step: u32, check: bool) -> Option<Fact> {
        let printer = self.printer(step);
        if check || printer.is_ghostly(e) {
            return None;
        }
        let condition = printer.fact(e, true);
        // Whether an allocation succeeds stands among the inputs.
        if ALLOCATIONS.iter().any(|name| condition.contains(name)) {
            return None;
        }
        let mut parts = printer.parts(e);
        parts.retain(|p| !self.is_told(p));
        // `x == 3` says what x is.
        parts.retain(|(name, value)| condition != format!("{name} == {value}"));
        let values: Vec<String> = parts.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        Some(Fact {
            condition,
            values: values.join(", "),
        })
    }

    /// Tells that a function of the program's is entered, if a statement does that.
    fn enter(&mut self, statement: &Statement, step: u32, depth: usize) {
        if !matches!(statement, Statement::Call { .. }) {
            return;
        }
        let inside = self.run.activation_at(step + 1);
        let callee = self.run.activations()[inside as usize].proc;
        let told = !stands_in(self.program(), callee) && !self.in_model[inside as usize];
        if inside != self.run.activation_at(step) && told {
            let function = self.program().procedure(callee).c_name.clone();
            self.events.push(Event::Enter { function, depth });
        }
    }

    /// Adds what an edge did to the line that was begun last.
    fn note(&mut self, edge: EdgeId, changes: Vec<Change>, fact: Option<Fact>) {
        if let Some(Event::Line(line)) = self.events.last_mut() {
            line.edges.push(edge);
            for change in changes {
                line.changes.retain(|c| c.name != change.name);
                line.changes.push(change);
            }
            // Without a name in it a condition says nothing.
            let says = |f: &Fact| f.condition.contains(char::is_alphabetic);
            let new = fact.filter(says).filter(|f| !line.facts.contains(f));
            line.facts.extend(new);
        }
    }

    /// What a function without a body wrote, where it has a name.
    fn written(&self, statement: &Statement, step: u32) -> Vec<Change> {
        let (address, size) = match statement {
            Statement::Havoc { address, size, .. } => (*address, *size),
            Statement::Nondet { .. } => return self.changes(statement, step),
            _ => return Vec::new(),
        };
        let printer = Printer {
            run: self.run,
            names: self.names,
            state: step,
            values: false,
        };
        let at = printer.evaluate(address) as u64;
        let whole = [1, 2, 4, 8].contains(&size);
        let Some(name) = self.names.place(at, size) else {
            return Vec::new();
        };
        let value = match whole {
            true => {
                let bits = self.run.memory_at(at, size as u32, step + 1);
                self.names.value(Type::Int(8 * size as u16), None, bits)
            }
            false => "…".into(),
        };
        vec![Change { name, value }]
    }

    /// Begins a line unless it is the one that was begun last.
    fn line(&mut self, span: Span, activation: u32, depth: usize, function: &str) {
        let program = &*self.run.code.program;
        let file = file_name(program, span);
        if let Some(Event::Line(last)) = self.events.last() {
            if last.activation == activation && last.line == span.line && last.file == file {
                return;
            }
        }
        let text = self.sources.line(program, span).trim().to_string();
        self.events.push(Event::Line(Line {
            file: file.to_string(),
            line: span.line,
            column: span.column,
            text,
            function: function.to_string(),
            depth,
            activation,
            ..Line::default()
        }));
    }

    fn changes(&self, statement: &Statement, step: u32) -> Vec<Change> {
        let program = self.program();
        match statement {
            Statement::Store { address, value } => {
                let ty = program.exprs.ty(*value);
                let bytes = ty.bytes(program.model);
                let printer = Printer {
                    run: self.run,
                    names: self.names,
                    state: step,
                    values: false,
                };
                let at = printer.evaluate(*address) as u64;
                if printer.is_ghostly(*address) || program.model.ghost_zone().contains(&at) {
                    return Vec::new();
                }
                let typed = printer.typed(*address, bytes);
                let ctype = typed.as_ref().and_then(|t| t.1);
                let name = self.names.place(at, bytes).or(typed.map(|t| t.0));
                let name = name.unwrap_or_else(|| printer.lvalue(*address, bytes, 6));
                let bits = self.run.memory_at(at, bytes.min(16) as u32, step + 1);
                vec![Change {
                    name,
                    value: self.value(ty, ctype, bits, step + 1),
                }]
            }
            Statement::Call { .. } => {
                let inside = self.run.activation_at(step + 1);
                if inside == self.run.activation_at(step) {
                    return statement
                        .written_register()
                        .and_then(|r| self.register(r, step + 1))
                        .into_iter()
                        .collect();
                }
                let asked = self.slice.parameters.get(&step);
                let callee = self.run.activations()[inside as usize].proc;
                if stands_in(program, callee) || self.in_model[inside as usize] {
                    return Vec::new();
                }
                let callee = program.procedure(callee);
                let mattering = asked.into_iter().flatten();
                mattering
                    .filter_map(|&n| self.register(*callee.parameters.get(n)?, step + 1))
                    .collect()
            }
            _ => statement
                .written_register()
                .and_then(|r| self.register(r, step + 1))
                .into_iter()
                .collect(),
        }
    }

    fn register(&self, reg: RegId, state: u32) -> Option<Change> {
        let register = self.program().register(reg);
        if register.c_name.is_empty() || register.role == prova_ir::Role::Result {
            return None;
        }
        // Structures are passed by hidden pointers: nobody wrote those.
        if register.ty == Type::Ptr && !self.is_pointer(register.ctype) {
            return None;
        }
        let bits = self.run.register_at(reg, state);
        let mut value = self.value(register.ty, register.ctype, bits, state);
        // A parameter and the array that was passed may have one name.
        let name = &register.c_name;
        if value == *name || value.starts_with(&format!("{name} (")) {
            value = format!("&{name}[0]{}", &value[name.len()..]);
        }
        Some(Change {
            name: register.c_name.clone(),
            value,
        })
    }

    /// A value, and for a pointer to characters what they are.
    fn value(&self, ty: Type, ctype: Option<CTypeId>, bits: u128, state: u32) -> String {
        let told = self.names.value(ty, ctype, bits);
        let known = told.starts_with('"') || bits == 0;
        if ty != Type::Ptr || known || !self.names.is_text(ctype) {
            return told;
        }
        let at = bits as u64;
        let outside = self.program().model.unknown_zone().contains(&at);
        let room = match self.names.room(at) {
            Some(room) => room.min(TEXT),
            None if outside => TEXT,
            None => return told,
        };
        let byte = |i: u64| self.run.memory_at(at + i, 1, state) as u8;
        let bytes: Vec<u8> = (0..room).map(byte).take_while(|b| *b != 0).collect();
        // Long ones, and such as are nothing but numbers, are no text.
        let plain = bytes.iter().filter(|b| (b' '..=b'~').contains(b)).count();
        if bytes.is_empty() || bytes.len() as u64 == TEXT || 2 * plain < bytes.len() {
            return told;
        }
        format!("{told} ({})", crate::values::quoted(&bytes))
    }

    fn is_pointer(&self, ctype: Option<CTypeId>) -> bool {
        let ctype = ctype.map(|c| self.program().ctypes.get(c));
        matches!(
            ctype,
            Some(CType::Pointer(_) | CType::Array { .. } | CType::Function { .. })
        )
    }

    /// The last line: where it fails.
    fn fail(&mut self, violation: &Violation) {
        let mut activation = self.run.activation_at(self.run.steps());
        while activation > 0 && self.in_model[activation as usize] {
            activation = self.run.activations()[activation as usize].caller;
        }
        let depth = self.depths.get(activation as usize).copied().unwrap_or(0);
        let procedure = self.run.activations()[activation as usize].proc;
        let function = self.program().procedure(procedure).c_name.clone();
        if violation.span.is_known() {
            self.line(violation.span, activation, depth, &function);
        }
        let reason = self.reason().map(|mut reason| {
            // The message says how large it is.
            if let Some((front, _)) = reason.condition.split_once(", which has ") {
                if violation.message.contains("which has") {
                    reason.condition = front.to_string();
                }
            }
            reason
        });
        if let Some(Event::Line(line)) = self.events.last_mut() {
            line.failure = Some(violation.message.clone());
            let new = reason.into_iter().filter(|f| !line.facts.contains(f));
            let new: Vec<Fact> = new.collect();
            line.facts.extend(new);
        }
    }

    /// What can be said of a check that fails beside that it does: the values it is about, and where
    /// the bytes lie that should not be touched.
    fn reason(&self) -> Option<Fact> {
        let step = self.run.steps().checked_sub(1)?;
        let place = self.run.edge_at(step)?;
        let (id, program) = (place.edge?, self.program());
        let body = program.procedure(place.proc).body.as_ref()?;
        let Statement::Assume(condition) = body.edge(id).statement else {
            return None;
        };
        if !is_check(body, id) || self.in_model[self.run.activation_at(step) as usize] {
            return None;
        }
        let printer = self.printer(step);
        let mut parts = printer.parts(condition);
        let mut text = None;
        for (address, bytes) in accesses(program, body, place.source) {
            let at = printer.evaluate(address) as u64;
            for part in printer.parts(address) {
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
            let root = root(program, address);
            if printer.evaluate(root) == 0 {
                text = Some(format!("{} is NULL", printer.text(root)));
                break;
            }
            if text.is_none() {
                let name = printer.typed(address, bytes).map(|t| t.0);
                let name = name.unwrap_or_else(|| "what it points to".into());
                let outside = self.names.outside(at, bytes);
                text = outside.map(|outside| format!("{name} lies {outside}"));
            }
        }
        parts.retain(|p| !self.is_told(p));
        let values: Vec<String> = parts.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        match (text, values.join(", ")) {
            (Some(condition), values) => Some(Fact { condition, values }),
            (None, values) if values.is_empty() => None,
            (None, values) => Some(Fact {
                condition: values,
                values: String::new(),
            }),
        }
    }
}

/// What was told so many lines ago is told again.
const TOLD: usize = 12;

/// Choices that lowering makes for allocations.
const ALLOCATIONS: [&str; 4] = ["malloc()", "calloc()", "realloc()", "aligned_alloc()"];

/// Longer texts are not told.
const TEXT: u64 = 32;

/// A pointer without what is added to it.
fn root(program: &Program, mut address: ExprId) -> ExprId {
    while let Expr::Binary {
        op: BinaryOp::PtrAdd,
        left,
        ..
    } = program.exprs.get(address)
    {
        address = left;
    }
    address
}

/// What the statement reads and writes that a chain of checks from a place guards: addresses and bytes.
fn accesses(program: &Program, body: &Body, from: LocId) -> Vec<(ExprId, u64)> {
    let mut at = from;
    for _ in 0..48 {
        let ways = body
            .edges
            .iter()
            .enumerate()
            .filter(|(_, e)| e.source == at);
        let next = ways.into_iter().find(|(_, e)| !body.is_error(e.target));
        let Some((id, edge)) = next else { break };
        let ours = match &edge.statement {
            Statement::Skip => true,
            Statement::Assume(_) => is_check(body, EdgeId::new(id)),
            Statement::Assign { target, .. } => is_ghost(program, *target),
            _ => false,
        };
        if ours {
            at = edge.target;
            continue;
        }
        let mut found = Vec::new();
        match &edge.statement {
            Statement::Store { address, value } => {
                found.push((*address, program.exprs.ty(*value).bytes(program.model)));
            }
            Statement::Copy {
                target,
                source,
                size,
            } => {
                found.extend([(*target, *size), (*source, *size)]);
            }
            _ => {}
        }
        for root in edge.statement.expressions() {
            for part in program.exprs.subexpressions(root) {
                if let Expr::Load { address, ty } = program.exprs.get(part) {
                    found.push((address, ty.bytes(program.model)));
                }
            }
        }
        return found;
    }
    Vec::new()
}

/// The longest loop bodies, in events, that are folded: short ones first, so that inner loops are
/// folded before the loops around them.
const LONGEST: [usize; 4] = [4, 10, 24, 48];

/// Joins lines that repeat: at least three times in a row, innermost loops first.
pub fn fold(events: Vec<Event>) -> Vec<Event> {
    LONGEST.into_iter().fold(events, fold_once)
}

fn fold_once(events: Vec<Event>, longest: usize) -> Vec<Event> {
    let mut numbers: rustc_hash::FxHashMap<String, u32> = Default::default();
    let keys: Vec<u32> = events
        .iter()
        .map(|e| {
            let next = numbers.len() as u32;
            *numbers.entry(key(e)).or_insert(next)
        })
        .collect();
    let mut slots: Vec<Option<Event>> = events.into_iter().map(Some).collect();
    let mut folded = Vec::new();
    let mut at = 0;
    while at < keys.len() {
        let mut best = None;
        for period in 1..=longest.min((keys.len() - at) / 3) {
            let mut times = 1;
            while keys.len() >= at + (times + 1) * period
                && keys[at..at + period] == keys[at + times * period..at + (times + 1) * period]
            {
                times += 1;
            }
            if times >= 3 {
                best = Some((period, times));
                break;
            }
        }
        let Some((period, times)) = best else {
            folded.extend(slots[at].take());
            at += 1;
            continue;
        };
        let body: Vec<Event> = slots[at..at + period]
            .iter_mut()
            .filter_map(Option::take)
            .collect();
        let end = at + times * period;
        let mut last = Vec::new();
        for event in slots[end - period..end].iter().flatten() {
            final_changes(event, &mut last);
        }
        folded.push(Event::Repeat { times, body, last });
        at = end;
    }
    folded
}

fn final_changes(event: &Event, into: &mut Vec<Change>) {
    let changes = match event {
        Event::Line(line) => &line.changes,
        Event::Repeat { last, .. } => last,
        Event::Enter { .. } | Event::Leave { .. } => return,
    };
    for change in changes {
        into.retain(|c| c.name != change.name);
        into.push(change.clone());
    }
}

/// What makes two events the same but for their values.
fn key(event: &Event) -> String {
    match event {
        Event::Line(l) => format!(
            "{}|{}|{}|{:?}|{:?}",
            l.depth, l.file, l.line, l.edges, l.failure
        ),
        Event::Enter { function, depth } => format!("+{depth}|{function}"),
        Event::Leave {
            function, depth, ..
        } => format!("-{depth}|{function}"),
        Event::Repeat { body, .. } => {
            let keys: Vec<String> = body.iter().map(key).collect();
            format!("*{}", keys.join(";"))
        }
    }
}
