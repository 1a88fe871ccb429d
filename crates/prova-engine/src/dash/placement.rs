//! Between object bases in terms and addresses in a layout.

use prova_exec::state_vars::StateVars;
use prova_exec::{Layout, LayoutError};
use prova_ir::{ObjectId, ProcId, Program};
use prova_logic::Term;
use rustc_hash::FxHashMap;

/// What a base stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Placed {
    Object(usize),
    Function(usize),
    Heap,
}

/// The bases of a program.
pub struct Bases {
    meaning: FxHashMap<Term, Placed>,
}

impl Bases {
    /// All bases of a program.
    pub fn new(program: &Program, vars: &StateVars) -> Bases {
        let mut meaning = FxHashMap::default();
        for i in 0..program.objects.len() {
            meaning.insert(vars.base(ObjectId::new(i)), Placed::Object(i));
        }
        for i in 0..program.procedures.len() {
            meaning.insert(vars.function(ProcId::new(i)), Placed::Function(i));
        }
        meaning.insert(vars.heap(), Placed::Heap);
        Bases { meaning }
    }

    /// Where a layout puts a base.
    pub fn address(&self, layout: &Layout, base: Term) -> Option<u64> {
        Some(match self.meaning.get(&base)? {
            Placed::Object(i) => layout.objects[*i],
            Placed::Function(i) => layout.functions[*i],
            Placed::Heap => layout.heap,
        })
    }

    /// The usual layout with some bases moved, if nothing overlaps then.
    pub fn layout_with(&self, program: &Program, usual: &Layout, chosen: &[(Term, u64)]) -> Result<Layout, LayoutError> {
        let mut layout = usual.clone();
        for &(base, address) in chosen {
            match self.meaning.get(&base) {
                Some(Placed::Object(i)) => layout.objects[*i] = address,
                Some(Placed::Function(i)) => layout.functions[*i] = address,
                Some(Placed::Heap) => layout.heap = address,
                None => {}
            }
        }
        layout.check(program)?;
        Ok(layout)
    }
}
