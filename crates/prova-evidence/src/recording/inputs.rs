//! Which values a run was given, by whom, and in which order.

use super::{is_model, non_zero, Recording, Returned};
use crate::c_types::Scalar;
use crate::supply::{allocation, supply, Supply};
use prova_ir::{Origin, RegId, Role, Span, Statement};

/// A call of a library function that has a model.
pub(super) struct LibraryCall {
    activation: u32,
    /// Its name.
    pub function: String,
    span: Span,
}

impl Recording {
    /// The call of a library function that a step is part of: it may be deep in the model.
    pub(super) fn library_call(&self, step: u32) -> Option<LibraryCall> {
        let calls = self.run.activations();
        let mut at = self.run.activation_at(step);
        let mut outermost = None;
        loop {
            let call = calls.get(at as usize)?;
            let procedure = self.program.procedure(call.proc);
            if !is_model(&self.program, procedure.span) {
                break;
            }
            outermost = Some((at, procedure));
            if call.caller == at {
                break;
            }
            at = call.caller;
        }
        let (activation, procedure) = outermost?;
        Some(LibraryCall {
            activation,
            function: procedure.c_name.clone(),
            span: self
                .call_of_activation(activation)
                .unwrap_or(procedure.span),
        })
    }

    /// The stream that a call opens in which this step lies: what the call returns.
    fn opened(&self, step: u32) -> Option<u128> {
        let call = self
            .run
            .activations()
            .get(self.run.activation_at(step) as usize)?;
        let result = self.program.procedure(call.proc).result?;
        let returns = call.last <= self.run.steps();
        returns.then(|| self.run.register_at(result, call.last))
    }

    /// The stream that a byte is read from: the first argument of the function that asks for it.
    fn read_from(&self, step: u32) -> Option<u128> {
        let call = self
            .run
            .activations()
            .get(self.run.activation_at(step) as usize)?;
        let first = self.program.procedure(call.proc).parameters.first()?;
        Some(self.run.register_at(*first, call.start))
    }

    pub(super) fn read_inputs(&mut self) {
        let mut returned: Vec<Returned> = Vec::new();
        let mut unset: Vec<(RegId, u128)> = Vec::new();
        let mut beyond = Vec::new();
        let mut stdin: Option<Vec<u8>> = None;
        let mut stdin_ended = false;
        let mut files: Vec<(Option<u128>, Vec<u8>)> = Vec::new();
        // The allocation that the last flag belongs to: its model may ask more than once.
        let mut allocating: Option<u32> = None;
        for used in &self.run.inputs {
            let Some((_, statement, span)) = self.statement_at(used.step) else {
                continue;
            };
            let Statement::Nondet { target, origin } = statement else {
                continue;
            };
            let register = self.program.register(*target);
            let library = self.library_call(used.step);
            let span = library.as_ref().map_or(span, |l| l.span);
            let (name, ctype) = match (origin, &library) {
                // The model asks as anybody may, on behalf of the library's function.
                (Origin::Input(name), Some(library)) if name.starts_with("__VERIFIER_") => {
                    (library.function.clone(), register.ctype)
                }
                (Origin::Input(name), _) => (name.clone(), register.ctype),
                (Origin::Undefined(name), _) => {
                    let declared = self.program.find_procedure(name);
                    let result = declared.and_then(|p| self.program.procedure(p).result);
                    (
                        name.clone(),
                        result.and_then(|r| self.program.register(r).ctype),
                    )
                }
                (Origin::Uninitialised, _) => {
                    unset.push((*target, used.value));
                    continue;
                }
                (Origin::Entry | Origin::Unmodelled(_) | Origin::Choice(_), _) => continue,
            };
            let origin = match origin {
                Origin::Input(_) => &Origin::Input(name.clone()),
                other => other,
            };
            let mut name = name;
            match supply(origin) {
                Supply::Own => continue,
                Supply::StandardInput => {
                    let bytes = stdin.get_or_insert_default();
                    match used.value as i32 {
                        byte @ 0..=255 if !stdin_ended => bytes.push(byte as u8),
                        _ => stdin_ended = true,
                    }
                    continue;
                }
                Supply::Fails => {
                    if let Some(library) = library {
                        if allocation(&library.function).is_none() {
                            // The real function allocates as it likes.
                            if used.value != 0 {
                                let function = &library.function;
                                beyond.push(format!("`{function}` finds no memory"));
                            }
                            continue;
                        }
                        if allocating.replace(library.activation) == Some(library.activation) {
                            if let Some(last) = returned.last_mut() {
                                last.bits |= used.value;
                                continue;
                            }
                        }
                        name = library.function;
                    }
                }
                Supply::Opens => {
                    if used.value == 0 {
                        files.push((self.opened(used.step), Vec::new()));
                    }
                }
                Supply::File => {
                    let from = self.read_from(used.step);
                    let file = files.iter_mut().rev().find(|(stream, _)| *stream == from);
                    match (file, used.value as i32) {
                        (Some((_, bytes)), byte @ 0..=255) => bytes.push(byte as u8),
                        (Some(_), _) => {}
                        (None, _) => beyond.push("a file is read that was not opened".into()),
                    }
                    continue;
                }
                Supply::Defined | Supply::Wrapped => {}
            }
            match Scalar::of(&self.program, register.ty, ctype) {
                Some(scalar) => returned.push(Returned {
                    function: name,
                    scalar,
                    bits: used.value,
                    span,
                    step: used.step,
                }),
                None => beyond.push(format!("what `{name}` returns has no type in plain C")),
            }
        }
        self.stdin = stdin;
        self.files = files.into_iter().map(|(_, bytes)| bytes).collect();
        self.returned = returned;
        self.beyond.extend(beyond);
        for (target, value) in unset {
            let register = self.program.register(target);
            if register.role != Role::Local || register.c_name.is_empty() {
                if value != 0 {
                    self.beyond.push(
                        "a function ends without a `return`, and the caller uses its value".into(),
                    );
                }
                continue;
            }
            let (name, span) = (register.c_name.clone(), register.span);
            let size = register.ty.bytes(self.program.model);
            let bytes = non_zero(&value.to_le_bytes()[..size.min(16) as usize]);
            self.note_unset(name, span, size, bytes);
        }
    }
}
