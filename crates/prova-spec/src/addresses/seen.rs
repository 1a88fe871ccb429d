//! Expressions that show where something allocated lies.
//!
//! An expression is *an address* if it is a pointer, or an integer that the points-to analysis says
//! an address may have flown into. These leave it an address that nobody has looked at: adding
//! to it what is none, setting and clearing its lowest four bits, converting it to the width of a
//! pointer or more. What is looked at: its order, equality and distance to another address; and its
//! number, by whatever else computes with it.

use super::bases::{root, Bases};
use super::blocks::Blocks;
use super::casts::Casts;
use super::literals::{is_constant, merged};
use prova_ir::{
    BinaryOp, Body, CastOp, EdgeId, Expr, ExprId, LocId, ObjectId, ProcId, Program, RegId,
    Statement, Storage, Type, UnaryOp,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Blocks of the heap are aligned to this.
const ALIGNED: u128 = 16;
/// More pairs of literals than this are not told apart.
pub(crate) const PAIRS: usize = 8;

/// What is seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// The order or the distance of two addresses.
    Order(ExprId, ExprId),
    /// Whether two addresses are equal, where one may be of a block that is gone.
    Equal(ExprId, ExprId),
    /// Whether two addresses are equal, where one may be of a local variable that is gone: these.
    Frames(ExprId, ExprId, Vec<ObjectId>),
    /// Whether two addresses are equal that may point to literals with the same bytes.
    Literals(ExprId, ExprId, Vec<(ObjectId, ObjectId)>),
    /// How an address is aligned. Matters where objects are aligned better than C says.
    Alignment(ExprId),
    /// An address as a number.
    Number(ExprId),
}

/// What is said of something that is seen.
pub(crate) fn message(seen: &Seen) -> String {
    match seen {
        Seen::Order(..) => "the order or distance of addresses of different objects",
        Seen::Equal(..) => "whether an address is used again after its block was freed",
        Seen::Frames(..) => "whether an address is used again after its variable is gone",
        Seen::Literals(..) => "whether string literals that are equal are one object",
        Seen::Alignment(_) => "how an object is aligned",
        Seen::Number(_) => "the address of a block, used as a number",
    }
    .to_owned()
}

/// Something that is seen where the guard holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Observation {
    /// Conditions and whether they hold.
    pub guard: Vec<(ExprId, bool)>,
    /// What is seen.
    pub seen: Seen,
    /// The operation that shows it by what it gives.
    pub answer: Option<ExprId>,
}

/// Everything that a program looks at.
#[derive(Default)]
pub(crate) struct Observations {
    at: BTreeMap<(ProcId, LocId), Vec<Observation>>,
    /// Frame objects whose address outlasts their activation in a global variable.
    pub kept: Vec<bool>,
    /// Global registers that may hold addresses of blocks, by their numbers, and objects that may.
    registers: Vec<bool>,
    objects: Vec<bool>,
    /// Constant objects that the targets of writes may point to.
    constants: FxHashMap<ExprId, Vec<ObjectId>>,
    /// Where pointers lead.
    blocks: Option<Blocks>,
    /// Frame objects that an engine may allocate.
    pub movable: Vec<bool>,
}

impl Observations {
    /// Looks at the user's part of a program.
    pub fn of(program: &Program) -> Observations {
        let blocks = Blocks::new(program);
        let mut found = Observations {
            movable: program.objects.iter().map(|_| false).collect(),
            ..Observations::default()
        };
        for i in 0..program.objects.len() {
            found.movable[i] = blocks.is_movable(ObjectId::new(i));
            found.kept.push(blocks.is_kept(program, ObjectId::new(i)));
        }
        // Who lets answers be arbitrary says, too, how pointers become numbers.
        let reached = blocks.reached.as_deref();
        let casts = program
            .arbitrary_addresses
            .then(|| Casts::new(program, reached));
        let registers = (0..program.registers.len()).map(RegId::new);
        found.registers = registers.map(|r| blocks.in_register(r)).collect();
        let objects = (0..program.objects.len()).map(ObjectId::new);
        found.objects = objects.map(|o| blocks.in_object(o)).collect();
        for (p, procedure) in program.procedures.iter().enumerate() {
            let own = !procedure.span.is_known() || program.is_own(procedure.span);
            let Some(body) = &procedure.body else {
                continue;
            };
            for edge in &body.edges {
                found.note_constants(program, &blocks, &edge.statement);
            }
            if !own {
                continue;
            }
            let procedure = ProcId::new(p);
            let mut looker = Looker {
                program,
                blocks: &blocks,
                casts: casts.as_ref(),
                procedure,
                body,
                bases: None,
                at: body.entry,
                guard: Vec::new(),
                answer: None,
                found: Vec::new(),
            };
            for (location, edges) in body.outgoing().iter().enumerate() {
                looker.at = LocId::new(location);
                looker.location(edges);
                let seen = std::mem::take(&mut looker.found);
                if !seen.is_empty() {
                    found.at.insert((procedure, LocId::new(location)), seen);
                }
            }
        }
        found.blocks = Some(blocks);
        found
    }

    /// Where statements may write, or functions that are called.
    fn note_constants(&mut self, program: &Program, blocks: &Blocks, statement: &Statement) {
        let pointers = match statement {
            Statement::Store { address, .. } | Statement::Havoc { address, .. } => vec![*address],
            Statement::Copy { target, .. } => vec![*target],
            Statement::Call { arguments, .. } => arguments.clone(),
            _ => return,
        };
        for pointer in pointers {
            let objects = blocks.objects(pointer).iter().copied();
            let constants: Vec<ObjectId> = objects.filter(|&o| is_constant(program, o)).collect();
            if !constants.is_empty() {
                self.constants.insert(pointer, constants);
            }
        }
    }

    /// Whether a register may hold the address of a block.
    pub fn in_register(&self, register: RegId) -> bool {
        let known = self.registers.get(register.index());
        known.copied().unwrap_or(true)
    }

    /// Whether an object may hold the address of a block.
    pub fn in_object(&self, object: ObjectId) -> bool {
        self.objects.get(object.index()).copied().unwrap_or(true)
    }

    /// The object that a pointer from memory leads to unless it is null, if there is only one.
    pub fn only_object(&self, pointer: ExprId) -> Option<ObjectId> {
        self.blocks.as_ref()?.only_object(pointer)
    }

    /// Whether two pointers lead to different objects, whatever they are.
    pub fn apart(&self, a: ExprId, b: ExprId) -> bool {
        self.blocks.as_ref().is_some_and(|known| known.apart(a, b))
    }

    /// Whether a register leads only to objects that are never gone.
    pub fn lasts(&self, register: RegId) -> bool {
        let known = self.blocks.as_ref();
        known.is_some_and(|known| known.lasts(register))
    }

    /// The constant objects that a pointer may point to which is written through.
    pub fn constants(&self, pointer: ExprId) -> Vec<ObjectId> {
        self.constants.get(&pointer).cloned().unwrap_or_default()
    }

    /// Whether nothing is seen.
    pub fn is_empty(&self) -> bool {
        self.at.is_empty()
    }

    /// What is seen before the edges of a location.
    pub fn at(&self, procedure: ProcId, location: LocId) -> &[Observation] {
        self.at
            .get(&(procedure, location))
            .map_or(&[], Vec::as_slice)
    }

    /// All of it.
    pub fn all(&self) -> impl Iterator<Item = &Observation> {
        self.at.values().flatten()
    }
}

struct Looker<'a> {
    program: &'a Program,
    blocks: &'a Blocks,
    /// Which numbers may be addresses, if only casts make them so.
    casts: Option<&'a Casts>,
    procedure: ProcId,
    body: &'a Body,
    /// Made where they are needed.
    bases: Option<Bases>,
    at: LocId,
    guard: Vec<(ExprId, bool)>,
    answer: Option<ExprId>,
    found: Vec<Observation>,
}

impl Looker<'_> {
    fn location(&mut self, edges: &[EdgeId]) {
        for &edge in edges {
            let statement = &self.body.edge(edge).statement;
            for root in statement.expressions() {
                match (statement, self.program.exprs.get(root)) {
                    // Bytes that are copied are not looked at.
                    (Statement::Store { value, .. }, Expr::Load { address, .. })
                        if *value == root =>
                    {
                        self.look(address);
                    }
                    _ => self.look(root),
                }
            }
            match *statement {
                Statement::Allocate { size, .. } => self.number(size),
                Statement::Halt(prova_ir::Halt::Exit(code)) => self.number(code),
                _ => {}
            }
        }
    }

    /// Whether an expression reads a part of an address from memory. Memory that models of the
    /// library work on is not followed: they copy bytes of everything.
    fn is_part(&self, e: ExprId) -> bool {
        let pool = &self.program.exprs;
        if !self.may_be_made(e) {
            return false;
        }
        match pool.ty(e) {
            Type::Int(width) if u32::from(width) < pool.model().pointer_bits() => {
                self.blocks.may_be(e) && !self.blocks.in_models(e)
            }
            _ => false,
        }
    }

    fn see(&mut self, seen: Seen) {
        let observation = Observation {
            guard: self.guard.clone(),
            seen,
            answer: self.answer,
        };
        if !self.found.contains(&observation) {
            self.found.push(observation);
        }
    }

    /// Whether an expression is a pointer, or a number that may have been made from one.
    fn may_be_made(&self, e: ExprId) -> bool {
        let pointer = self.program.exprs.ty(e) == Type::Ptr;
        pointer || self.casts.is_none_or(|casts| casts.made(self.program, e))
    }

    /// Whether an expression may be the address of something allocated.
    fn is_address(&self, e: ExprId) -> bool {
        let pool = &self.program.exprs;
        if self.low_bits(e) || !self.may_be_made(e) || !self.blocks.may_be(e) {
            return false;
        }
        if let Expr::Address(object) = pool.get(root(self.program, e)) {
            return self.blocks.is_movable(object);
        }
        match pool.ty(e) {
            Type::Ptr => true,
            // Its bytes, one by one, are not followed.
            Type::Int(width) => u32::from(width) >= pool.model().pointer_bits(),
            Type::Float(_) => false,
        }
    }

    /// Whether an expression is an address at all, of something allocated or not.
    fn is_some_address(&self, e: ExprId) -> bool {
        let pool = &self.program.exprs;
        match pool.ty(e) {
            Type::Ptr => !matches!(pool.get(e), Expr::Pointer(_)),
            Type::Int(width) => {
                let wide = u32::from(width) >= pool.model().pointer_bits();
                let wide = wide && !self.low_bits(e) && self.may_be_made(e);
                wide && self.blocks.leads_somewhere(e)
            }
            Type::Float(_) => false,
        }
    }

    /// Whether an expression is but the lowest bits of something: its alignment.
    fn low_bits(&self, e: ExprId) -> bool {
        let pool = &self.program.exprs;
        match pool.get(e) {
            Expr::Binary {
                op: BinaryOp::And,
                left,
                right,
            } => self.is_small(left) || self.is_small(right),
            Expr::Binary {
                op: BinaryOp::URem,
                right,
                ..
            } => matches!(pool.get(right), Expr::Int { value, .. } if is_alignment(value)),
            Expr::Cast {
                op: CastOp::ZExt | CastOp::SExt | CastOp::Trunc,
                arg,
                ..
            } => self.low_bits(arg),
            _ => false,
        }
    }

    /// The alignment of an address shows, if it is one.
    fn aligned(&mut self, e: ExprId) {
        if self.may_be_made(e) && self.blocks.leads_somewhere(e) {
            self.see(Seen::Alignment(e));
        }
    }

    fn number(&mut self, e: ExprId) {
        if self.is_address(e) {
            self.see(Seen::Number(e));
        }
    }

    fn look(&mut self, e: ExprId) {
        let pool = &self.program.exprs;
        match pool.get(e) {
            Expr::Int { .. }
            | Expr::Float { .. }
            | Expr::Pointer(_)
            | Expr::Reg(_)
            | Expr::Address(_)
            | Expr::Function(_) => {}
            Expr::Load { address, .. } => {
                self.look(address);
                if self.is_part(e) {
                    self.see(Seen::Number(e));
                }
            }
            Expr::Unary { op, arg } => {
                self.look(arg);
                if op != UnaryOp::Not || !pool.ty(arg).is_bool() {
                    self.answer = Some(e);
                    self.number(arg);
                    self.answer = None;
                }
            }
            Expr::Binary { op, left, right } => {
                self.look(left);
                // What C does not evaluate shows nothing.
                let skipped = match op {
                    BinaryOp::And if pool.ty(e).is_bool() => Some(true),
                    BinaryOp::Or if pool.ty(e).is_bool() => Some(false),
                    _ => None,
                };
                if let Some(holds) = skipped {
                    self.guarded(left, holds, right);
                    return;
                }
                self.look(right);
                // What an address is added to stays one; how far it is moved may be anything.
                self.answer = Some(if op == BinaryOp::PtrAdd { right } else { e });
                self.binary(op, left, right);
                self.answer = None;
            }
            Expr::Cast { op, arg, to } => {
                self.look(arg);
                let narrow = match (op, to) {
                    (CastOp::Trunc, Type::Int(width)) => {
                        u32::from(width) < pool.model().pointer_bits()
                    }
                    (CastOp::SToF | CastOp::UToF, _) => true,
                    _ => false,
                };
                if narrow {
                    self.answer = (op == CastOp::Trunc).then_some(e);
                    self.number(arg);
                    self.answer = None;
                }
            }
            Expr::Ite {
                cond,
                then,
                otherwise,
            } => {
                self.look(cond);
                self.guarded(cond, true, then);
                self.guarded(cond, false, otherwise);
            }
        }
    }

    fn guarded(&mut self, condition: ExprId, holds: bool, e: ExprId) {
        self.guard.push((condition, holds));
        self.look(e);
        self.guard.pop();
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) {
        use BinaryOp::*;
        match op {
            ULt | ULe | SLt | SLe => self.ordered(op, left, right),
            Eq | Ne => self.equal(left, right),
            Sub => match (self.is_some_address(left), self.is_some_address(right)) {
                (true, true) => self.order(left, right),
                (false, true) => self.number(right),
                _ => {}
            },
            Add if self.is_address(left) && self.is_address(right) => {
                self.number(left);
                self.number(right);
            }
            Add => {}
            PtrAdd => {
                let nothing = matches!(self.program.exprs.get(left), Expr::Pointer(_));
                if !nothing {
                    self.number(right);
                }
            }
            And | Or | Xor => {
                for (side, other) in [(left, right), (right, left)] {
                    if !self.keeps_address(op, other) {
                        self.number(side);
                    } else if op == And && self.is_small(other) {
                        self.aligned(side);
                    }
                }
            }
            URem if matches!(self.program.exprs.get(right), Expr::Int { value, .. } if is_alignment(value)) =>
            {
                self.aligned(left);
            }
            _ => {
                self.number(left);
                self.number(right);
            }
        }
    }

    fn is_small(&self, e: ExprId) -> bool {
        matches!(self.program.exprs.get(e), Expr::Int { value, .. } if value < ALIGNED)
    }

    /// Whether combining an address with this only touches its lowest bits, or shows only those.
    fn keeps_address(&self, op: BinaryOp, with: ExprId) -> bool {
        let pool = &self.program.exprs;
        let Expr::Int { value, width } = pool.get(with) else {
            return false;
        };
        let all = u128::MAX >> (128 - u32::from(width));
        value < ALIGNED || (op == BinaryOp::And && (all ^ value) < ALIGNED)
    }

    fn ordered(&mut self, op: BinaryOp, left: ExprId, right: ExprId) {
        let both = self.is_some_address(left) && self.is_some_address(right);
        if both {
            self.order(left, right);
            return;
        }
        let signed = matches!(op, BinaryOp::SLt | BinaryOp::SLe);
        for (side, other) in [(left, right), (right, left)] {
            let free = !signed || self.program.exprs.model().pointer_bits() == 64;
            if !(free && self.is_no_address(other)) {
                self.number(side);
            }
        }
    }

    /// Whether an expression is a constant at or beyond the ends of all addresses.
    fn is_no_address(&self, e: ExprId) -> bool {
        let pool = &self.program.exprs;
        let value = match pool.get(e) {
            Expr::Pointer(value) => u128::from(value),
            Expr::Int { value, .. } => value,
            Expr::Cast {
                op: CastOp::IntToPtr | CastOp::PtrToInt,
                arg,
                ..
            } => return self.is_no_address(arg),
            _ => return false,
        };
        value <= 0x1000 || value >= u128::from(pool.model().address_end())
    }

    fn order(&mut self, left: ExprId, right: ExprId) {
        let allocated = self.is_address(left) || self.is_address(right);
        if allocated && !self.same_block(left, right) {
            self.see(Seen::Order(left, right));
        }
    }

    fn same_block(&mut self, left: ExprId, right: ExprId) -> bool {
        let (a, b) = (root(self.program, left), root(self.program, right));
        if a == b || self.blocks.one_block(self.program, a, b) {
            return true;
        }
        let bases = self
            .bases
            .get_or_insert_with(|| Bases::new(self.program, self.procedure, self.body));
        bases.same(self.program, self.at, left, right)
    }

    /// The local variables that an expression may point to.
    fn frame_objects(&self, e: ExprId) -> Vec<ObjectId> {
        let frame = |o: ObjectId| matches!(self.program.object(o).storage, Storage::Frame(_));
        if let Expr::Address(object) = self.program.exprs.get(root(self.program, e)) {
            return Vec::from_iter(Some(object).filter(|&o| frame(o)));
        }
        let objects = self.blocks.objects(e).iter().copied();
        objects.filter(|&o| frame(o)).collect()
    }

    fn equal(&mut self, left: ExprId, right: ExprId) {
        if self.is_no_address(left) || self.is_no_address(right) {
            return;
        }
        match (self.is_some_address(left), self.is_some_address(right)) {
            (true, true) => {
                // An address is used again for another block only.
                let blocks = self.is_address(left) && self.is_address(right);
                let may = |e| self.blocks.may_dangle(e);
                if blocks && (may(left) || may(right)) && !self.same_block(left, right) {
                    self.see(Seen::Equal(left, right));
                }
                let (a, b) = (self.frame_objects(left), self.frame_objects(right));
                if !a.is_empty() && !b.is_empty() && !self.same_block(left, right) {
                    let mut mortal: Vec<ObjectId> = a.into_iter().chain(b).collect();
                    mortal.retain(|&o| self.blocks.is_mortal(o) && !self.blocks.is_movable(o));
                    mortal.sort_unstable();
                    mortal.dedup();
                    if !mortal.is_empty() {
                        self.see(Seen::Frames(left, right, mortal));
                    }
                }
                let (a, b) = (self.blocks.literals(left), self.blocks.literals(right));
                let pairs = merged(a, b, PAIRS + 1);
                if !pairs.is_empty() && !self.same_block(left, right) {
                    self.see(Seen::Literals(left, right, pairs));
                }
            }
            (true, false) => self.number(left),
            (false, true) => self.number(right),
            (false, false) => {}
        }
    }
}

/// Whether a remainder by this shows nothing but alignment.
fn is_alignment(value: u128) -> bool {
    value.is_power_of_two() && value <= ALIGNED
}
