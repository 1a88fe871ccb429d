//! Which expressions may be addresses of something that is allocated, by the points-to analysis.

use super::literals::{literals, Literal};
use crate::memory::Flow;
use prova_exec::points_to::reach::{Contents, Place, Reach};
use prova_ir::passes::activations::{called_once, on_cycle};
use prova_ir::passes::call_graph::call_graph;
use prova_ir::passes::devirtualise::devirtualise;
use prova_ir::{EdgeId, ExprId, ObjectId, ProcId, Program, RegId, Statement, Storage};

/// Frame objects that are allocated where a procedure runs more than once may be this large and
/// larger; see `prova_ir::passes::activations`.
const ANY_SIZE: u64 = 256;

/// Where addresses of blocks may be.
pub(super) struct Blocks {
    reach: Reach,
    /// How many registers there were.
    registers: usize,
    /// Frame objects that an engine may allocate.
    movable: Vec<bool>,
    /// Whether a block may lie in a place, by place.
    has_block: Vec<bool>,
    /// Whether blocks may be reached through memory that is not known.
    in_unknown: bool,
    once: Vec<bool>,
    /// Whether blocks of a place may be freed, by place.
    freed: Vec<bool>,
    freed_unknown: bool,
    /// String literals, by place.
    literals: Vec<Vec<Literal>>,
    /// Frame objects that may be gone while there are pointers to them.
    mortal: Vec<bool>,
    /// Whether memory that models work on holds pointers to a place, by place.
    models: Vec<bool>,
    /// Which procedures may run, if that is known.
    pub reached: Option<Vec<bool>>,
}

impl Blocks {
    pub fn new(program: &Program) -> Blocks {
        let mut direct = program.clone();
        devirtualise(&mut direct);
        let graph = call_graph(&direct);
        // What no run enters mixes up nothing.
        let reached = program.entry.map(|entry| {
            let mut reached = vec![false; program.procedures.len()];
            let all = graph.reachable_from(entry);
            all.into_iter().for_each(|p| reached[p.index()] = true);
            reached
        });
        let reach = match &reached {
            Some(reached) => {
                let mut entered = program.clone();
                for (procedure, _) in entered.procedures.iter_mut().zip(reached).filter(|p| !p.1) {
                    procedure.body = None;
                }
                Reach::new(&entered)
            }
            None => Reach::new(program),
        };
        let once = called_once(&direct);
        let movable: Vec<bool> = program
            .objects
            .iter()
            .map(|o| match o.storage {
                Storage::Frame(owner) => {
                    graph.recursive[owner.index()] || (o.size > ANY_SIZE && !once[owner.index()])
                }
                _ => false,
            })
            .collect();
        let allocated = |contents: &Contents| {
            !contents.blocks.is_empty() || contents.objects.iter().any(|o| movable[o.index()])
        };
        let has_block: Vec<bool> = reach
            .places()
            .map(|place| allocated(reach.contents(place)))
            .collect();
        let in_unknown = reach
            .places()
            .any(|place| reach.contents(place).unknown && has_block[place.index()]);
        let mut freed = vec![false; has_block.len()];
        let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
        for edge in bodies.flat_map(|b| &b.edges) {
            if let Statement::Free(pointer) = edge.statement {
                if let Some(place) = reach.of_expression(pointer) {
                    freed[place.index()] = true;
                }
            }
        }
        let freed_unknown = reach
            .places()
            .any(|place| freed[place.index()] && reach.contents(place).unknown);
        let literals = reach
            .places()
            .map(|place| literals(program, &reach.contents(place).objects))
            .collect();
        let mut models = vec![false; has_block.len()];
        for procedure in &program.procedures {
            let own = !procedure.span.is_known() || program.is_own(procedure.span);
            for &parameter in procedure.parameters.iter().filter(|_| !own) {
                if let Some(place) = reach.of_register(parameter) {
                    reach.onward(place).for_each(|p| models[p.index()] = true);
                }
            }
        }
        Blocks {
            reach,
            registers: program.registers.len(),
            movable,
            has_block,
            in_unknown,
            once,
            freed,
            freed_unknown,
            literals,
            mortal: Flow::new(program).outlives,
            models,
            reached,
        }
    }

    /// Whether the address of a frame object may be kept where later activations find it.
    pub fn is_kept(&self, program: &Program, object: ObjectId) -> bool {
        if !self.mortal[object.index()] {
            return false;
        }
        let place = self.reach.of_object(object);
        let registers = program.registers.iter().enumerate();
        let in_register = registers
            .filter(|(_, r)| r.owner.is_none())
            .any(|(i, _)| self.reach.of_register(RegId::new(i)) == Some(place));
        let objects = program.objects.iter().enumerate();
        let in_object = objects
            .filter(|(_, o)| !matches!(o.storage, Storage::Frame(_)))
            .any(|(i, _)| {
                let holder = self.reach.of_object(ObjectId::new(i));
                let found = self.reach.onward(holder).any(|p| p == place);
                found
            });
        in_register || in_object
    }

    /// Whether a frame object may be gone while there are pointers to it.
    pub fn is_mortal(&self, object: ObjectId) -> bool {
        self.mortal[object.index()]
    }

    /// Whether an object is allocated by some engine.
    pub fn is_movable(&self, object: ObjectId) -> bool {
        self.movable[object.index()]
    }

    /// Whether what an expression points to is also pointed to from memory that models work on.
    pub fn in_models(&self, e: ExprId) -> bool {
        let place = self.reach.of_expression(e);
        place.is_some_and(|p| self.models[p.index()])
    }

    /// Whether the value of an expression may be the address of a block, be it as an integer.
    pub fn may_be(&self, e: ExprId) -> bool {
        self.reach
            .of_expression(e)
            .is_some_and(|place| self.holds(place))
    }

    /// Whether the value of an expression may be an address of an object at all.
    pub fn leads_somewhere(&self, e: ExprId) -> bool {
        let place = self.reach.of_expression(e);
        place.is_some_and(|p| self.holds(p) || !self.reach.contents(p).objects.is_empty())
    }

    fn holds(&self, place: Place) -> bool {
        let unknown = self.reach.contents(place).unknown;
        self.has_block[place.index()] || (unknown && self.in_unknown)
    }

    /// Whether a register may hold the address of a block.
    pub fn in_register(&self, register: RegId) -> bool {
        let place = self.reach.of_register(register);
        place.is_some_and(|p| self.holds(p))
    }

    /// Whether an object may hold the address of a block.
    pub fn in_object(&self, object: ObjectId) -> bool {
        let place = self.reach.of_object(object);
        let found = self.reach.onward(place).any(|p| self.holds(p));
        found
    }

    /// The one object that a pointer leads to unless it is null, if it can lead to no other.
    pub fn only_object(&self, e: ExprId) -> Option<ObjectId> {
        let contents = self.reach.contents(self.reach.of_expression(e)?);
        match contents.objects[..] {
            [object] if is_named(contents) && contents.functions.is_empty() => Some(object),
            _ => None,
        }
    }

    fn register(&self, register: RegId) -> Option<Place> {
        match register.index() < self.registers {
            true => self.reach.of_register(register),
            false => None,
        }
    }

    /// Whether two pointers lead to different objects, whatever they are.
    pub fn apart(&self, a: ExprId, b: ExprId) -> bool {
        let places = (self.reach.of_expression(a), self.reach.of_expression(b));
        let (Some(a), Some(b)) = places else {
            return false;
        };
        let known = |place: Place| !self.reach.contents(place).unknown;
        a != b && (known(a) || known(b))
    }

    /// Whether a register leads only to objects that are never gone.
    pub fn lasts(&self, register: RegId) -> bool {
        // Registers that weaving made are not known.
        let Some(place) = self.register(register) else {
            return false;
        };
        let contents = self.reach.contents(place);
        is_named(contents) && !contents.objects.iter().any(|o| self.is_mortal(*o))
    }

    /// The objects with a name that an expression may point to.
    pub fn objects(&self, e: ExprId) -> &[ObjectId] {
        match self.reach.of_expression(e) {
            Some(place) => &self.reach.contents(place).objects,
            None => &[],
        }
    }

    /// The string literals that an expression may point to.
    pub fn literals(&self, e: ExprId) -> &[Literal] {
        match self.reach.of_expression(e) {
            Some(place) => &self.literals[place.index()],
            None => &[],
        }
    }

    /// Whether two expressions can only be addresses in one and the same block.
    pub fn one_block(&self, program: &Program, a: ExprId, b: ExprId) -> bool {
        let (a, b) = (self.reach.of_expression(a), self.reach.of_expression(b));
        let (Some(a), Some(b)) = (a, b) else {
            return false;
        };
        let contents = self.reach.contents(a);
        match contents.blocks[..] {
            [site] => {
                let alone = contents.objects.is_empty() && !contents.unknown;
                a == b && alone && self.runs_once(program, site)
            }
            _ => false,
        }
    }

    /// Whether a block may be freed while an expression still is its address.
    pub fn may_dangle(&self, e: ExprId) -> bool {
        let Some(place) = self.reach.of_expression(e) else {
            return false;
        };
        let unknown = self.reach.contents(place).unknown;
        let objects = &self.reach.contents(place).objects;
        let frame = |o: &ObjectId| self.movable[o.index()] && self.mortal[o.index()];
        self.freed[place.index()] || (unknown && self.freed_unknown) || objects.iter().any(frame)
    }

    fn runs_once(&self, program: &Program, (procedure, edge): (ProcId, usize)) -> bool {
        let Some(body) = &program.procedure(procedure).body else {
            return false;
        };
        self.once[procedure.index()] && !on_cycle(body, &body.outgoing(), EdgeId::new(edge))
    }
}

/// Whether nothing lies in a place but objects with a name.
fn is_named(contents: &Contents) -> bool {
    contents.blocks.is_empty() && !contents.unknown
}
