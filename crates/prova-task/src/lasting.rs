//! Facts that outlive a check: what held where, in words that another program understands.
//!
//! A fact belongs to a function, not to a program: its place is told by what the function does there, and
//! its variables by where they stand seen from that function ([`Naming`]). So it can be read into another
//! program with the same function, into the next version of it, and into a check of another property.
//! Nothing here is believed: whoever reads a fact has a candidate, which may be false where it is read.

use crate::prepare::Prepared;
use prova_ir::passes::loops::Loops;
use prova_ir::{Callee, Edge, Expr, ExprId, LocId, ProcId, Program, Statement, Storage};
use rustc_hash::{FxHashMap, FxHasher};
use std::fmt::Write;
use std::hash::Hasher;

/// A fact as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lasting {
    /// The C name of the function it is about.
    pub function: String,
    /// Where in it: see [`Place`].
    pub place: Place,
    /// What holds, as SMT-LIB text over the names of [`Naming`].
    pub text: String,
}

/// A place in a function, told so that edits elsewhere do not change it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// What is done there.
    pub what: String,
    /// Which of the places where that is done, from zero.
    pub number: u32,
    /// Which loop of the function begins there, from zero.
    pub head: Option<u32>,
}

/// A copy of a procedure in a program that was inlined: which procedure, and which copy, from one.
pub type Copy = (ProcId, u32);

/// What names of state variables are in a prepared program, seen from a copy of a function.
///
/// | written | means |
/// |---|---|
/// | `0:i.0` | the first variable `i` of the function itself, `1:i.0` that of its caller, and so on |
/// | `g:total.0` | a global variable |
/// | `f#2:i.0` | a variable of another copy of `f` |
/// | `e0:0:i.0` | what a loop was entered with in a variable |
/// | `&…`, `mem[…]`, `mem0[…]` | the address of such an object, memory named after it |
pub struct Naming<'p> {
    prepared: &'p Prepared,
    /// For the names of registers and of objects (with `&`) before inlining: owner, stem, number.
    known: FxHashMap<String, (Option<ProcId>, String, u32)>,
    /// For the names of registers that hold what loops were entered with: of which, and which of them.
    entered: FxHashMap<String, (String, u32)>,
}

impl<'p> Naming<'p> {
    /// The names of a program's parts.
    pub fn new(prepared: &'p Prepared) -> Naming<'p> {
        let mut known = FxHashMap::default();
        let mut numbers: FxHashMap<(Option<ProcId>, String), u32> = FxHashMap::default();
        let mut add = |name: String, c_name: &str, owner: Option<ProcId>| {
            let mark = if name.starts_with('&') { "&" } else { "" };
            let stem = match c_name {
                "" => stem(&name).to_string(),
                c_name => format!("{mark}{c_name}"),
            };
            let next = numbers.entry((owner, stem.clone())).or_default();
            known.insert(name, (owner, stem, *next));
            *next += 1;
        };
        let original = &prepared.original;
        for register in &original.registers {
            add(register.name.clone(), &register.c_name, register.owner);
        }
        for object in &original.objects {
            let owner = match object.storage {
                Storage::Frame(owner) => Some(owner),
                _ => None,
            };
            add(format!("&{}", object.name), &object.c_name, owner);
        }
        let mut entered = FxHashMap::default();
        let mut counts: FxHashMap<&str, u32> = FxHashMap::default();
        let program = &prepared.program;
        for entry in &prepared.entries {
            let of = program.register(entry.variable).name.as_str();
            let number = counts.entry(of).or_default();
            let kept = program.register(entry.kept).name.clone();
            entered.insert(kept, (of.to_string(), *number));
            *number += 1;
        }
        Naming {
            prepared,
            known,
            entered,
        }
    }

    /// What a state variable is called, seen from a copy with its callers, the copy itself first.
    pub fn told(&self, name: &str, callers: &[Copy]) -> Option<String> {
        if matches!(name, "heap[top]" | "&heap[]") || name.starts_with('&') && name.ends_with("()")
        {
            return Some(name.to_string());
        }
        for array in ["mem0[", "mem["] {
            let inside = name.strip_prefix(array).and_then(|n| n.strip_suffix(']'));
            if let Some(class) = inside {
                return Some(format!("{array}{}]", self.class(class, callers)?));
            }
        }
        if let Some((of, number)) = self.entered.get(name) {
            return Some(format!("e{number}:{}", self.told(of, callers)?));
        }
        let (base, copy) = self.base(name)?;
        let (owner, stem, number) = &self.known[base];
        let whose = match owner {
            None => "g".to_string(),
            Some(owner) => match callers.iter().position(|c| *c == (*owner, copy)) {
                Some(level) => level.to_string(),
                None => format!("{}#{copy}", self.prepared.original.procedure(*owner).c_name),
            },
        };
        Some(format!("{whose}:{stem}.{number}"))
    }

    /// The name before inlining, and of which copy it is: later ones append a number.
    fn base<'n>(&self, name: &'n str) -> Option<(&'n str, u32)> {
        if self.known.contains_key(name) {
            return Some((name, 1));
        }
        let (base, copy) = name.rsplit_once('#')?;
        let copy = copy.parse().ok()?;
        self.known.contains_key(base).then_some((base, copy))
    }

    /// A class of memory is named after the first thing in it, with an offset and a count.
    fn class(&self, class: &str, callers: &[Copy]) -> Option<String> {
        if class.starts_with('&') {
            return Some(class.to_string());
        }
        let (mark, name) = match class.strip_prefix('*') {
            Some(register) => ("*", register.to_string()),
            None => ("", format!("&{class}")),
        };
        let parts = name.char_indices().rev().filter(|(_, c)| ".'".contains(*c));
        let ends = std::iter::once(name.len()).chain(parts.map(|(i, _)| i));
        for end in ends {
            if self.base(&name[..end]).is_some() {
                let told = self.told(&name[..end], callers)?;
                return Some(format!("{mark}{told}{}", &name[end..]));
            }
        }
        // Classes that are named after what is in them (`kind_name`).
        Some(class.to_string())
    }

    /// The copies that every location belongs to, its own first, and its place in the function.
    pub fn places(&self) -> Vec<(Vec<Copy>, Place)> {
        let body = self.prepared.body();
        let (outgoing, loops) = (body.outgoing(), Loops::of(body));
        let mut numbers: FxHashMap<(Copy, String), u32> = FxHashMap::default();
        let mut heads: FxHashMap<Copy, u32> = FxHashMap::default();
        let locations = (0..body.locations.len()).map(LocId::new);
        let found = locations.map(|location| {
            let callers = self.prepared.instances_at(location);
            let Some(&own) = callers.first() else {
                return (callers, Place::default());
            };
            let edges = outgoing[location.index()].iter().map(|&e| body.edge(e));
            let what = self.done(edges, &callers);
            let next = |count: &mut u32| std::mem::replace(count, *count + 1);
            let number = next(numbers.entry((own, what.clone())).or_default());
            let head = loops.is_head(location);
            let head = head.then(|| next(heads.entry(own).or_default()));
            (callers, Place { what, number, head })
        });
        found.collect()
    }

    /// What edges do, seen from the copy that they belong to, as a short text.
    fn done<'e>(&self, edges: impl Iterator<Item = &'e Edge>, callers: &[Copy]) -> String {
        let program = &self.prepared.program;
        let mut text = String::new();
        for edge in edges {
            let mut statement = |word: &str, exprs: &[ExprId]| {
                text.push_str(word);
                for &e in exprs {
                    text.push(' ');
                    self.expression(program, e, callers, &mut text, 0);
                }
                text.push(';');
            };
            match &edge.statement {
                Statement::Assume(e) => statement("assume", &[*e]),
                Statement::Assign { value, .. } => statement("assign", &[*value]),
                Statement::Store { address, value } => statement("store", &[*address, *value]),
                Statement::Copy { target, source, .. } => statement("copy", &[*target, *source]),
                Statement::Call { callee, .. } => match callee {
                    Callee::Direct(p) => statement(&program.procedure(*p).c_name, &[]),
                    Callee::Indirect(e) => statement("call", &[*e]),
                },
                Statement::Allocate { size, .. } => statement("allocate", &[*size]),
                Statement::Free(e) => statement("free", &[*e]),
                Statement::Nondet { .. } => statement("input", &[]),
                Statement::Havoc { address, .. } => statement("havoc", &[*address]),
                Statement::Skip => statement("skip", &[]),
                Statement::Enter(_) => statement("enter", &[]),
                Statement::Leave(_) => statement("leave", &[]),
                Statement::Marker(_) => statement("marker", &[]),
                Statement::Halt(_) => statement("halt", &[]),
            }
        }
        // Two that are taken for one another cost a candidate that does not hold.
        let mut hash = FxHasher::default();
        hash.write(text.as_bytes());
        format!("{:016x}", hash.finish())
    }

    fn expression(
        &self,
        program: &Program,
        e: ExprId,
        callers: &[Copy],
        out: &mut String,
        depth: usize,
    ) {
        // What is longer tells no more.
        if depth > 12 || out.len() > 400 {
            out.push('…');
            return;
        }
        let name = |name: &str| self.told(name, callers).unwrap_or_default();
        let _ = match program.exprs.get(e) {
            Expr::Int { value, .. } => write!(out, "{value}"),
            Expr::Float { bits, .. } => write!(out, "f{bits}"),
            Expr::Pointer(address) => write!(out, "p{address}"),
            Expr::Reg(r) => write!(out, "{}", name(&program.register(r).name)),
            Expr::Address(o) => write!(out, "{}", name(&format!("&{}", program.object(o).name))),
            Expr::Function(p) => write!(out, "&{}()", program.procedure(p).c_name),
            Expr::Load { ty, .. } => write!(out, "load {ty:?}"),
            Expr::Unary { op, .. } => write!(out, "{op:?}"),
            Expr::Binary { op, .. } => write!(out, "{op:?}"),
            Expr::Cast { op, .. } => write!(out, "{op:?}"),
            Expr::Ite { .. } => write!(out, "ite"),
        };
        for child in program.exprs.children(e) {
            out.push('(');
            self.expression(program, child, callers, out, depth + 1);
            out.push(')');
        }
    }
}

/// A name without the number that made it another one than those before.
fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, number)) if number.bytes().all(|b| b.is_ascii_digit()) => stem,
        _ => name,
    }
}
