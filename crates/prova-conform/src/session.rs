//! C files and a plan become programs: the text that shows its actions is written down beside copies
//! of the files where these need a change, and goes the way of every program.
//!
//! Two things are changed in a copy: behind a label that is an action, the action is called; and a
//! procedure that is known by an assumption loses its body, for what it may do is what its machine
//! does.

use crate::lts::syntax::Abstraction;
use crate::plan::Plan;
use crate::unit::{before, behind, is_main, Purpose, CALLER, OWN};
use prova_c::tokens::{tokenize, Kind};
use prova_c::{load, Diagnostic, Options};
use prova_ir::passes::call_graph::call_graph;
use prova_ir::{Assumption, Callee, ProcId, Program, RegId, Span, Statement, Undefined, World};
use prova_spec::{make_entry, Spec};
use prova_task::border::{settle, Settled};
use std::path::{Path, PathBuf};

/// What ends a run as an error in texts that are evidence.
pub fn errors() -> Spec {
    Spec {
        calls: false,
        assertions: false,
        label: None,
        functions: vec![format!("{OWN}wrong")],
    }
}

/// The component's files and how they are read.
pub struct Session<'s> {
    /// The files, as they were given.
    pub files: &'s [PathBuf],
    /// How the front end reads them.
    pub options: &'s Options,
    /// How the world outside is read.
    pub world: &'s World,
    /// Where texts of ours are written.
    pub folder: &'s Path,
    /// Which of the files has the procedure.
    main: usize,
    /// Files whose text is changed, with the changed text.
    changed: Vec<(usize, String)>,
}

/// A program with its entry, and what it rests on.
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// What every verdict on it rests on.
    pub assumed: Vec<Assumption>,
    /// Where runs end because nothing is known of what comes.
    pub unmodelled: Vec<(String, Span)>,
    /// The files it was read from.
    pub files: Vec<PathBuf>,
    /// How they were read.
    pub options: Options,
    /// What the front end warned of.
    pub warnings: Vec<Diagnostic>,
}

impl<'s> Session<'s> {
    /// Looks at the files: which of them has the procedure, and what has to be changed.
    ///
    /// # Errors
    /// Files that are no program, or that lack what the plan speaks of.
    pub fn new(
        files: &'s [PathBuf],
        options: &'s Options,
        world: &'s World,
        folder: &'s Path,
        plan: &Plan,
    ) -> Result<Session<'s>, Vec<Diagnostic>> {
        let lowered = load(files, options)?;
        let program = lowered.program;
        let error = |abstraction: &Abstraction, message: String| {
            vec![*plan.file.error(&abstraction.name.range, message)]
        };
        let defined = |name: &str| {
            let found = program.find_procedure(name)?;
            let procedure = program.procedure(found);
            procedure.body.as_ref()?;
            let shown = &program.files.get(procedure.span.file.index())?.name;
            let named = files.iter().position(|f| f.display().to_string() == *shown);
            // Line markers may say that a file is another one.
            let holds = |f: &PathBuf| {
                let text = std::fs::read(f).unwrap_or_default();
                without_body(&String::from_utf8_lossy(&text), name).is_ok()
            };
            named.or_else(|| files.iter().position(holds))
        };
        let target = plan.target;
        let Some(main) = defined(&target.name.text) else {
            let message = format!("there is no function `{}` with a body", target.name.text);
            return Err(error(target, message));
        };
        let mut session = Session {
            files,
            options,
            world,
            folder,
            main,
            changed: Vec::new(),
        };
        let unreadable = |what| error(target, what);
        session
            .change(main, |text| Ok(text.into()))
            .map_err(unreadable)?;
        for (abstraction, _) in &plan.assumed {
            let name = &abstraction.name.text;
            if let Some(file) = defined(name) {
                let writes = program
                    .find_procedure(name)
                    .is_some_and(|p| writes(&program, p));
                if writes {
                    let message = format!(
                        "`{name}` has a body that writes memory, so no machine says all it does; \
                         without the assumption its body is used"
                    );
                    return Err(error(abstraction, message));
                }
                session
                    .change(file, |text| without_body(text, name))
                    .map_err(|what| {
                        error(
                            abstraction,
                            format!("the body of `{name}` cannot be left out: {what}"),
                        )
                    })?;
            } else if program.find_procedure(name).is_none() {
                let message = format!("the program has no function `{name}`");
                return Err(error(abstraction, message));
            }
        }
        for (position, (label, action)) in plan.labels.iter().enumerate() {
            let call = match plan.hidden.contains(action) {
                true => String::new(),
                false => format!(" {OWN}act_{action}();"),
            };
            session
                .change(main, |text| behind_label(text, label, &call))
                .map_err(|what| {
                    let range = &plan.file.labels[position].0.range;
                    vec![*plan.file.error(range, what)]
                })?;
        }
        Ok(session)
    }

    /// How the world is read, where routines that may write do.
    fn world_with(&self, plan: &Plan) -> World {
        let mut world = self.world.clone();
        for (abstraction, _) in &plan.assumed {
            let name = &abstraction.name.text;
            let own = [
                (format!("{OWN}writes_{name}"), Undefined::Havoc),
                (format!("{OWN}any_{name}"), Undefined::Pure),
            ];
            world.undefined_of.extend(own);
        }
        world
    }

    fn change(
        &mut self,
        file: usize,
        change: impl FnOnce(&str) -> Result<String, String>,
    ) -> Result<(), String> {
        let at = match self.changed.iter().position(|c| c.0 == file) {
            Some(at) => at,
            None => {
                let text = std::fs::read(&self.files[file]).map_err(|e| e.to_string())?;
                let text = String::from_utf8_lossy(&text).into_owned();
                self.changed.push((file, text));
                self.changed.len() - 1
            }
        };
        self.changed[at].1 = change(&self.changed[at].1)?;
        Ok(())
    }

    /// The program for a purpose.
    ///
    /// # Errors
    /// What keeps the texts from being one: guards and declarations are the user's C.
    pub fn load(&self, plan: &Plan, purpose: &Purpose) -> Result<Loaded, Vec<Diagnostic>> {
        let written = |e: std::io::Error| {
            let message = format!("cannot write to `{}`: {e}", self.folder.display());
            vec![Diagnostic::error(message, None)]
        };
        let mut options = self.options.clone();
        let mut files = Vec::new();
        for (number, file) in self.files.iter().enumerate() {
            let absolute = std::path::absolute(file).unwrap_or_else(|_| file.clone());
            let shown = file.display().to_string().replace(['"', '\\'], "_");
            let changed = self.changed.iter().find(|c| c.0 == number);
            if changed.is_some() {
                options
                    .include_dirs
                    .extend(absolute.parent().map(PathBuf::from));
            }
            let text = changed.map(|(_, text)| format!("# 1 \"{shown}\"\n{text}"));
            let Some(mut text) = text else {
                files.push(file.clone());
                continue;
            };
            let mut path = self.folder.join(format!("part{number}.c"));
            if number == self.main {
                path = self.folder.join("conform.c");
                text = format!("{}{text}\n{}", before(plan), behind(plan, purpose));
            }
            std::fs::write(&path, text).map_err(written)?;
            files.push(path);
        }
        let lowered = load(&files, &options).map_err(|e| in_their_file(plan, e))?;
        let mut program = lowered.program;
        let guards = matches!(purpose, Purpose::Guards(_));
        let entry = (!is_main(plan) || guards).then_some(CALLER);
        if let Some(name) = entry {
            let caller = program
                .find_procedure(name)
                .ok_or_else(|| vec![Diagnostic::error(format!("`{name}` was not read"), None)])?;
            make_entry(&mut program, caller)
                .map_err(|e| vec![Diagnostic::error(e.to_string(), None)])?;
        }
        let spec = errors();
        let Settled {
            mut assumed,
            unmodelled,
        } = settle(&mut program, &self.world_with(plan), &|name| {
            spec.is_about(name)
        });
        assumed
            .retain(|a| !matches!(a, Assumption::Function { name, .. } if name.starts_with(OWN)));
        assumed.extend(entry.map(|_| Assumption::Entry(plan.target.name.text.clone())));
        Ok(Loaded {
            program,
            assumed,
            unmodelled,
            files,
            options,
            warnings: lowered.warnings,
        })
    }
}

/// Messages with places that people know: what does not fit into the text of ours (a call with too
/// few arguments) is wrong in the declaration of the target.
fn in_their_file(plan: &Plan, mut errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    for error in &mut errors {
        let place = error.place.as_ref();
        if place.is_some_and(|p| p.position().file.ends_with("conform.c")) {
            let name = &plan.target.name;
            let what = format!("the declaration of `{}` does not fit", name.text);
            error.message = format!("{what}: {}", error.message);
            error.place = Some(plan.file.place(&name.range));
        }
    }
    errors
}

/// Whether a procedure may change anything that its caller could see.
fn writes(program: &Program, procedure: ProcId) -> bool {
    let global = |r: RegId| program.register(r).owner.is_none();
    call_graph(program)
        .reachable_from(procedure)
        .into_iter()
        .any(|p| {
            let Some(body) = &program.procedure(p).body else {
                return true;
            };
            body.edges.iter().any(|edge| match &edge.statement {
                Statement::Store { .. }
                | Statement::Copy { .. }
                | Statement::Havoc { .. }
                | Statement::Free(_)
                | Statement::Marker(_)
                | Statement::Allocate { .. } => true,
                Statement::Call {
                    callee: Callee::Indirect(_),
                    ..
                } => true,
                other => other.written_register().is_some_and(global),
            })
        })
}

/// A text without the body of a function; its lines stay where they are.
fn without_body(text: &str, name: &str) -> Result<String, String> {
    let tokens = tokenize(text).map_err(|e| e.message)?.tokens;
    let word = |i: usize| tokens.get(i).map_or("", |t| &text[t.range()]);
    let mut depth = 0usize;
    let mut i = 0;
    while i < tokens.len() {
        match word(i) {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            w if depth == 0 && w == name && word(i + 1) == "(" => {
                let (mut parens, mut j) = (0usize, i + 1);
                loop {
                    match word(j) {
                        "(" => parens += 1,
                        ")" => parens -= 1,
                        "" => return Err("its parameters do not end".into()),
                        _ => {}
                    }
                    j += 1;
                    if parens == 0 {
                        break;
                    }
                }
                if word(j) == "{" {
                    let (mut braces, open) = (0usize, tokens[j].range().start);
                    loop {
                        match word(j) {
                            "{" => braces += 1,
                            "}" => braces -= 1,
                            "" => return Err("its body does not end".into()),
                            _ => {}
                        }
                        if braces == 0 {
                            break;
                        }
                        j += 1;
                    }
                    let end = tokens[j].range().end;
                    let lines = text[open..end].matches('\n').count();
                    let blank = "\n".repeat(lines);
                    return Ok(format!("{};{blank}{}", &text[..open], &text[end..]));
                }
            }
            _ => {}
        }
        i += 1;
    }
    Err("it does not stand in the file as a plain definition".into())
}

/// A text in which something is done behind each label with this name.
fn behind_label(text: &str, label: &str, call: &str) -> Result<String, String> {
    let tokens = tokenize(text).map_err(|e| e.message)?.tokens;
    let word = |i: usize| tokens.get(i).map_or("", |t| &text[t.range()]);
    let mut found = String::with_capacity(text.len() + 64);
    let (mut copied, mut count) = (0, 0);
    for i in 1..tokens.len() {
        let before = word(i - 1);
        let is_label = tokens[i].kind == Kind::Word
            && word(i) == label
            && word(i + 1) == ":"
            && !matches!(before, "case" | "?" | "goto");
        if is_label {
            let end = tokens[i + 1].range().end;
            found.push_str(&text[copied..end]);
            found.push_str(call);
            copied = end;
            count += 1;
        }
    }
    match count {
        0 => Err(format!("there is no label `{label}` in the file")),
        _ => Ok(found + &text[copied..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_left_out_where_they_stand() {
        let text = "int f(int x);\nint g() { return f(1); }\nint f(int x) {\n return x;\n}\nint h;";
        let found = without_body(text, "f").expect("found");
        let wanted = "int f(int x);\nint g() { return f(1); }\nint f(int x) ;\n\n\nint h;";
        assert_eq!(found, wanted);
        assert!(without_body("int f(int);", "f").is_err());
    }

    #[test]
    fn labels_call_their_actions() {
        let text = "void f(int x) { again: x--; if (x ? x : 0) goto again; }";
        let found = behind_label(text, "again", " a();").expect("found");
        assert!(found.contains("again: a(); x--"), "{found}");
        assert!(behind_label(text, "x", "").is_err(), "{found}");
    }
}
