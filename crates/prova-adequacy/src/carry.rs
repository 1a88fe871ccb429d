//! Expressions of one program in another that has the same variables: what names mean is looked up by
//! name, for ids mean nothing there.

use crate::probe::{variables, Own, Read};
use prova_ir::{Expr, ExprId, ExprPool, ObjectId, ProcId, Program, RegId, Storage};
use rustc_hash::FxHashMap;

/// Puts a probe's expression into a pool of another program, where it speaks of the variables of one
/// copy of a function. `original` is the program before anything was inlined, and `to` the one whose
/// pool it is. The expression is an integer.
pub fn carried(
    from: &Program,
    read: &Read,
    original: &Program,
    procedure: ProcId,
    copy: u32,
    to: &Program,
    pool: &mut ExprPool,
) -> Result<ExprId, String> {
    let own = variables(original, procedure);
    let lookup = Lookup::new(to);
    let mut failed = None;
    let mut done: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    for id in from.exprs.subexpressions(read.value) {
        let expr = from.exprs.get(id);
        let made = match expr {
            Expr::Reg(register) => match read.parameters.get(&register) {
                Some(name) => variable(
                    original,
                    &own,
                    name,
                    copy,
                    &lookup,
                    to,
                    pool,
                    from.exprs.ty(id),
                ),
                None => lookup
                    .register(&from.register(register).name, 1)
                    .map(|r| pool.reg(r, to.register(r).ty)),
            },
            Expr::Address(object) => lookup
                .object(&from.object(object).name, 1)
                .map(|o| pool.add(Expr::Address(o))),
            Expr::Function(function) => to
                .find_procedure(&from.procedure(function).c_name)
                .map(|p| pool.add(Expr::Function(p))),
            other => Some(pool.add(other.map_children(|c| done[&c]))),
        };
        match made {
            Some(made) => drop(done.insert(id, made)),
            None => {
                failed = Some(match expr {
                    Expr::Reg(r) => from.register(r).c_name.clone(),
                    Expr::Address(o) => from.object(o).c_name.clone(),
                    _ => "something".into(),
                });
                break;
            }
        }
    }
    match failed {
        Some(name) => Err(format!("`{name}` is not in the program that is analysed")),
        None => Ok(done[&read.value]),
    }
}

#[allow(clippy::too_many_arguments)]
fn variable(
    original: &Program,
    own: &FxHashMap<String, Option<Own>>,
    name: &str,
    copy: u32,
    lookup: &Lookup,
    to: &Program,
    pool: &mut ExprPool,
    ty: prova_ir::Type,
) -> Option<ExprId> {
    match own.get(name).copied().flatten()? {
        Own::Register(r) => {
            let register = lookup.register(&original.register(r).name, copy)?;
            Some(pool.reg(register, to.register(register).ty))
        }
        Own::Object(o) => {
            let object = original.object(o);
            let frame = matches!(object.storage, Storage::Frame(_));
            let there = lookup.object(&object.name, if frame { copy } else { 1 })?;
            let address = pool.add(Expr::Address(there));
            let array = object.ctype.is_some_and(|c| {
                matches!(
                    original.ctypes.get(c),
                    prova_ir::CType::Array { .. } | prova_ir::CType::Record { .. }
                )
            });
            Some(match array {
                true => address,
                false => pool.load(address, ty),
            })
        }
    }
}

/// Registers and objects by name.
struct Lookup {
    registers: FxHashMap<String, RegId>,
    objects: FxHashMap<String, ObjectId>,
}

impl Lookup {
    fn new(program: &Program) -> Lookup {
        let registers = program.registers.iter().enumerate();
        let objects = program.objects.iter().enumerate();
        Lookup {
            registers: registers
                .map(|(i, r)| (r.name.clone(), RegId::new(i)))
                .collect(),
            objects: objects
                .map(|(i, o)| (o.name.clone(), ObjectId::new(i)))
                .collect(),
        }
    }

    /// The register of a copy: inlining numbers them from two.
    fn register(&self, name: &str, copy: u32) -> Option<RegId> {
        self.registers.get(&copied(name, copy)).copied()
    }

    fn object(&self, name: &str, copy: u32) -> Option<ObjectId> {
        self.objects.get(&copied(name, copy)).copied()
    }
}

fn copied(name: &str, copy: u32) -> String {
    match copy {
        1 => name.to_owned(),
        n => format!("{name}#{n}"),
    }
}
