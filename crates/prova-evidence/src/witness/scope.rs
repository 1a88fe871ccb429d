//! Which variables are visible at a place, and what they are called there.

use super::atlas::Atlas;
use super::expression::Names;
use crate::c_types::Scalar;
use prova_ir::{CType, CTypeId, ProcId, Program, Role, Span, Storage};
use prova_task::prepare::Prepared;
use rustc_hash::FxHashMap;

/// The names visible at a place, for one copy of a procedure.
pub struct Scope<'a> {
    prepared: &'a Prepared,
    /// Names of registers after inlining, with names and types in C.
    registers: FxHashMap<String, (String, Scalar)>,
    /// Names of objects after inlining, with names and types in C.
    objects: FxHashMap<String, (String, CTypeId)>,
}

/// A variable of the source.
struct Declared<'a> {
    c_name: &'a str,
    span: Span,
    parameter: bool,
}

impl<'a> Scope<'a> {
    /// What is visible at a place of a procedure, in a copy of it.
    pub fn new(
        prepared: &'a Prepared,
        atlas: &Atlas,
        procedure: ProcId,
        copy: u32,
        place: (usize, usize),
    ) -> Scope<'a> {
        let original = &prepared.original;
        let mut scope = Scope {
            prepared,
            registers: FxHashMap::default(),
            objects: FxHashMap::default(),
        };
        let mut all: Vec<Declared> = Vec::new();
        for register in &original.registers {
            if register.owner.is_none() || register.owner == Some(procedure) {
                all.push(Declared {
                    c_name: &register.c_name,
                    span: register.span,
                    parameter: register.role == Role::Parameter,
                });
            }
        }
        for object in &original.objects {
            let own = match object.storage {
                Storage::Frame(p) => p == procedure,
                _ => true,
            };
            if own {
                all.push(Declared {
                    c_name: &object.c_name,
                    span: object.span,
                    parameter: false,
                });
            }
        }
        // The innermost of those with one name is the one that is meant.
        let mut meant: FxHashMap<&str, (usize, Span)> = FxHashMap::default();
        for declared in &all {
            if declared.c_name.is_empty() {
                continue;
            }
            if let Some(size) = visible(atlas, original, declared, place) {
                let best = meant
                    .entry(declared.c_name)
                    .or_insert((size, declared.span));
                if size < best.0 {
                    *best = (size, declared.span);
                }
            }
        }
        let is_meant = |c_name: &str, span: Span| meant.get(c_name).is_some_and(|m| m.1 == span);
        for register in &original.registers {
            let global = register.owner.is_none();
            if (global || register.owner == Some(procedure))
                && is_meant(&register.c_name, register.span)
                && matches!(register.role, Role::Local | Role::Parameter | Role::Global)
            {
                if let Some(scalar) = Scalar::of(original, register.ty, register.ctype) {
                    let name = copied(&register.name, if global { 1 } else { copy });
                    let named = (register.c_name.clone(), scalar);
                    scope.registers.insert(name, named);
                }
            }
        }
        for object in &original.objects {
            let frame = matches!(object.storage, Storage::Frame(_));
            let own = match object.storage {
                Storage::Frame(p) => p == procedure,
                _ => true,
            };
            if let (true, true, Some(ctype)) =
                (own, is_meant(&object.c_name, object.span), object.ctype)
            {
                let name = copied(&object.name, if frame { copy } else { 1 });
                let named = (object.c_name.clone(), ctype);
                scope.objects.insert(name, named);
            }
        }
        scope
    }
}

/// The name of a copy after inlining.
fn copied(name: &str, copy: u32) -> String {
    match copy {
        1 => name.to_owned(),
        n => format!("{name}#{n}"),
    }
}

/// The size of the scope a variable is declared in, if the place lies in it behind the
/// declaration; the whole file is the largest.
fn visible(
    atlas: &Atlas,
    program: &Program,
    declared: &Declared,
    (page, offset): (usize, usize),
) -> Option<usize> {
    if declared.parameter {
        // Inside the function, which the caller knows; only a file is larger.
        return Some(usize::MAX - 1);
    }
    let (at_page, at) = atlas.find(program, declared.span)?;
    if at_page != page || at >= offset {
        return None;
    }
    let scopes = atlas.pages[page].syntax.scopes.iter();
    let innermost = scopes.filter(|s| s.contains(&at)).min_by_key(|s| s.len());
    match innermost {
        Some(scope) => scope.contains(&offset).then_some(scope.len()),
        None => Some(usize::MAX),
    }
}

impl Names for Scope<'_> {
    fn variable(&self, name: &str) -> Option<(String, Scalar)> {
        self.registers.get(name).cloned()
    }

    fn cell(&self, object: &str, offset: u64, bytes: u32) -> Option<(String, Scalar)> {
        let (name, ctype) = self.objects.get(object)?;
        member(
            &self.prepared.original,
            name.clone(),
            *ctype,
            offset,
            u64::from(bytes),
            0,
        )
    }

    fn object(&self, object: &str) -> Option<String> {
        self.objects.get(object).map(|(name, _)| name.clone())
    }
}

/// The scalar that lies at an offset of something of a type, if it has so many bytes.
fn member(
    program: &Program,
    name: String,
    ctype: CTypeId,
    offset: u64,
    bytes: u64,
    depth: usize,
) -> Option<(String, Scalar)> {
    if depth > 16 {
        return None;
    }
    match program.ctypes.get(ctype) {
        CType::Bool => (offset == 0 && bytes == 1).then_some((name, Scalar::Bool)),
        CType::Int { bits, signed, .. } => {
            let scalar = Scalar::Int {
                bits: *bits,
                signed: *signed,
            };
            (offset == 0 && bytes * 8 == u64::from(*bits)).then_some((name, scalar))
        }
        CType::Pointer(_) => (offset == 0 && bytes == program.model.pointer_bytes())
            .then_some((name, Scalar::Pointer)),
        CType::Array { element, length } => {
            let size = size_of(program, *element, 0)?;
            let index = offset.checked_div(size)?;
            let inside = length.is_some_and(|l| index < l);
            inside.then(|| {
                let element_name = format!("{name}[{index}]");
                member(
                    program,
                    element_name,
                    *element,
                    offset % size,
                    bytes,
                    depth + 1,
                )
            })?
        }
        CType::Record { union, fields, .. } => {
            // Which member of a union is meant cannot be told.
            if *union {
                return None;
            }
            let field = fields
                .iter()
                .rev()
                .find(|f| f.offset <= offset && f.bits.is_none())?;
            if field.name.is_empty() {
                return None;
            }
            let own = format!("{name}.{}", field.name);
            member(
                program,
                own,
                field.ctype,
                offset - field.offset,
                bytes,
                depth + 1,
            )
        }
        CType::Float { .. } | CType::Void | CType::Function { .. } => None,
    }
}

fn size_of(program: &Program, ctype: CTypeId, depth: usize) -> Option<u64> {
    if depth > 16 {
        return None;
    }
    match program.ctypes.get(ctype) {
        CType::Bool => Some(1),
        CType::Int { bits, .. } => Some(u64::from(*bits) / 8),
        CType::Pointer(_) => Some(program.model.pointer_bytes()),
        CType::Record { size, .. } => Some(*size),
        CType::Array { element, length } => {
            size_of(program, *element, depth + 1)?.checked_mul((*length)?)
        }
        CType::Float { .. } | CType::Void | CType::Function { .. } => None,
    }
}
