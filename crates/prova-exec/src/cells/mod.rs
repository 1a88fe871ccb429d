//! Follows a few arbitrary cells of arrays: a program in, the same program with ghosts beside it out,
//! so that what engines for scalars find of one arbitrary cell holds of all (after Monniaux and
//! Gonnord, *Cell Morphing: From Array Programs to Array-Free Horn Clauses*, SAS 2016; the arbitrary
//! index that stands for all is Flanagan and Qadeer's, *Predicate Abstraction for Software
//! Verification*, POPL 2002).
//!
//! `count` *positions* are chosen arbitrarily before anything else happens. For every memory class
//! that is accessed like an array there is a *content* by position: what memory holds at
//! `base + stride * position + first`. The numbers of an array are a choice of the text alone
//! (`arrays.rs`); any choice would be right.
//!
//! | of the program | becomes |
//! |---|---|
//! | a load at `e` | `e` is the followed cell ? its content : the load |
//! | a store of `v` at `e` | before it: content := `e` is the followed cell ? `v` : content |
//! | the base register gets a value; a copy, a havoc, the life of an object, an allocation that may lie there | content := arbitrary |
//! | a load at `e` that is always evaluated | besides: `met` := `e` is the followed cell, or is none that a position can name |
//! | an edge to an error location | assume that all positions were met: the last load by the first, the one before it by the second … |
//!
//! # Why a proof carries over
//!
//! Let a run of the program reach an error. Choose for the first position the one that its last
//! counted load names, for the second the one of the load before it, and so on (any, where there is
//! none or no position names it). Choose for every arbitrary content what memory holds at that cell in
//! that run. By induction over its steps the program with ghosts takes the same ones, with the same
//! memory and the same registers: each content is what memory holds at its cell. That is so because
//!
//! * accesses of one class either name the same cell or touch no common byte, and accesses of other
//!   classes touch none of it (the promise of [`Partition`], which the encoding rests on as well);
//!   so a class is followed only if all of its accesses have one type;
//! * every statement that writes memory in another way than a store, and every one that moves the
//!   cell, makes the content arbitrary.
//!
//! So all positions are met where the error is reached, and the error is reached with ghosts too.
//! Hence no error with ghosts means none without. The other direction does not hold: contents may be
//! chosen that memory does not have. **Tests of the result are no tests of the program.**
//!
//! What would be unsound: a statement that writes memory and is not in the table; a type whose
//! arbitrary values are not all values (pointers, so these are not followed); a ghost that can trap
//! or block where the program does neither (ghosts are assignments of total expressions; the only
//! assumption stands before error locations); a choice that makes loads meet cells which no position
//! names.

mod arrays;
mod hints;

use crate::points_to::{ClassId, Partition};
use arrays::{arrays, Array};
pub use hints::Hints;
use prova_ir::{
    BinaryOp, Body, CastOp, EdgeId, Expr, ExprId, LocId, ObjectId, Origin, ProcId, Program, RegId,
    Register, Role, Span, Statement, Storage, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Cells of one statement that are looked at.
const CELLS: usize = 1 << 16;

/// The ghosts of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ghosts {
    /// The arbitrary positions, by number.
    pub positions: Vec<RegId>,
    /// What followed cells hold: for each array one by position.
    pub contents: Vec<Vec<RegId>>,
    /// The positions that accesses name, as integers of pointer width; without loads.
    pub indices: Vec<ExprId>,
    /// That what they name lies behind the array's base: so it is where no address wraps around.
    pub behind: Vec<ExprId>,
    /// What might be said of them.
    pub hints: Hints,
    /// For every new location, in order, an old one that it stands beside.
    pub beside: Vec<LocId>,
}

/// Adds ghosts for so many arbitrary positions to the entry, which has to be without calls. Locations
/// and edges keep their numbers; new ones come last. An error says why nothing is followed.
pub fn follow_cells(program: &mut Program, count: usize) -> Result<Ghosts, String> {
    // Contents behind a copy are forgotten below. Random programs with copies, held against the machine,
    // were not all explained by that, perhaps because nobody told the run what was forgotten: until a
    // test settles it, none of them is followed.
    let copies = |s: &Statement| matches!(s, Statement::Copy { .. });
    let mut bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    if bodies.any(|b| b.edges.iter().any(|e| copies(&e.statement))) {
        return Err("a copy of memory, which cells are not followed through".into());
    }
    let entry = program.entry.ok_or("a program without an entry")?;
    let body = program.procedure(entry).body.as_ref();
    let body = body.ok_or("an entry without a body")?;
    if body
        .edges
        .iter()
        .any(|e| matches!(e.statement, Statement::Call { .. }))
    {
        return Err("following cells is for programs without calls".into());
    }
    if body.is_error(body.entry) {
        return Err("the program begins with an error".into());
    }
    let partition = Partition::new(program);
    let found = arrays(program, entry, &partition);
    if found.is_empty() {
        return Err("there are no arrays in loops".into());
    }
    let mut weaver = Weaver::new(program, entry, count, partition, found);
    weaver.weave();
    let ghosts = weaver.ghosts;
    prova_ir::debug_validate(program, "cells");
    Ok(ghosts)
}

struct Weaver<'p> {
    program: &'p mut Program,
    entry: ProcId,
    partition: Partition,
    arrays: Vec<Array>,
    by_class: FxHashMap<ClassId, usize>,
    ghosts: Ghosts,
    /// Whether the load so many loads ago named the position, by position.
    met: Vec<Vec<RegId>>,
    /// One less than the number of positions: a mask.
    last: u128,
    /// Expressions with their loads replaced.
    replaced: FxHashMap<ExprId, ExprId>,
}

/// A cell that an access names.
struct Cell {
    array: usize,
    /// Bytes from the base.
    distance: ExprId,
    /// The position, where the text gives it.
    index: Option<ExprId>,
}

impl<'p> Weaver<'p> {
    fn new(
        program: &'p mut Program,
        entry: ProcId,
        count: usize,
        partition: Partition,
        arrays: Vec<Array>,
    ) -> Weaver<'p> {
        let bits = program.model.pointer_bits();
        let word = Type::Int(bits as u16);
        let widest = arrays.iter().map(|a| a.stride.next_power_of_two());
        // Positions are no negative numbers, however they are read.
        let widest = widest.max().unwrap_or(1).max(2);
        let last = (1u128 << bits) / u128::from(widest) - 1;
        let mut register = |name: &str, ty| {
            let name = program.fresh_register_name(name);
            program.add_register(Register {
                name,
                c_name: String::new(),
                ty,
                ctype: None,
                owner: Some(entry),
                role: Role::Temporary,
                initial: None,
                span: Span::NONE,
            })
        };
        let positions = (0..count).map(|_| register("position", word)).collect();
        let contents = arrays.iter();
        let contents = contents.map(|a| (0..count).map(|_| register("content", a.ty)).collect());
        let contents = contents.collect();
        let met = (0..count).map(|t| (0..=t).map(|_| register("met", Type::BOOL)).collect());
        let met = met.collect();
        let by_class = arrays
            .iter()
            .enumerate()
            .map(|(i, a)| (a.class, i))
            .collect();
        Weaver {
            program,
            entry,
            partition,
            arrays,
            by_class,
            ghosts: Ghosts {
                positions,
                contents,
                indices: Vec::new(),
                behind: Vec::new(),
                hints: Hints::default(),
                beside: Vec::new(),
            },
            met,
            last,
            replaced: FxHashMap::default(),
        }
    }

    fn body(&mut self) -> &mut Body {
        let body = &mut self.program.procedures[self.entry.index()].body;
        body.as_mut().expect("the entry has a body")
    }

    fn weave(&mut self) {
        self.ghosts.hints = self.hints();
        let edges = self.body().edges.len();
        for edge in (0..edges).map(EdgeId::new) {
            self.edge(edge);
        }
        self.errors();
        self.start();
    }

    /// Puts statements before and behind that of an edge.
    fn edge(&mut self, id: EdgeId) {
        let statement = self.body().edge(id).statement.clone();
        let (mut before, mut behind) = (Vec::new(), Vec::new());
        let mut reads = Vec::new();
        for read in self.certain_loads(&statement) {
            self.read(read, &mut reads);
        }
        // A branch stays the first thing that happens at its place.
        match statement {
            Statement::Assume(_) => behind.extend(reads),
            _ => before.extend(reads),
        }
        self.written(&statement, &mut before, &mut behind);
        let mut changed = statement;
        changed.map_expressions(|e| self.replace(e));
        let span = self.body().edge(id).span;
        let (source, target) = {
            let edge = self.body().edge(id);
            (edge.source, edge.target)
        };
        let mut at = source;
        for ghost in before {
            let next = self.beside(source, span);
            self.body().add_edge(at, next, ghost, span);
            at = next;
        }
        let mut end = target;
        for ghost in behind.into_iter().rev() {
            let previous = self.beside(source, span);
            self.body().add_edge(previous, end, ghost, span);
            end = previous;
        }
        let edge = &mut self.body().edges[id.index()];
        edge.source = at;
        edge.target = end;
        edge.statement = changed;
    }

    fn beside(&mut self, old: LocId, span: Span) -> LocId {
        self.ghosts.beside.push(old);
        self.body().add_location(span)
    }

    /// The followed loads that a statement evaluates whatever conditions within it say.
    fn certain_loads(&self, statement: &Statement) -> Vec<ExprId> {
        let exprs = &self.program.exprs;
        let mut work: Vec<ExprId> = statement.expressions().collect();
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            match exprs.get(id) {
                Expr::Ite { cond, .. } => work.push(cond),
                expr => {
                    work.extend(exprs.children(id));
                    if matches!(expr, Expr::Load { address, .. } if self.array_of(address).is_some())
                    {
                        found.push(id);
                    }
                }
            }
        }
        found.sort_unstable();
        found
    }

    fn array_of(&self, address: ExprId) -> Option<usize> {
        let class = self.partition.class_of(address)?;
        self.by_class.get(&class).copied()
    }

    /// The cell at an address of the program as it was.
    fn cell(&mut self, address: ExprId) -> Option<Cell> {
        let array = self.array_of(address)?;
        let index = self.arrays[array].index(self.program, address);
        let index = index.map(|e| {
            let parts = self.program.exprs.subexpressions(e).into_iter();
            let mut parts = parts.map(|e| self.program.exprs.get(e));
            if !parts.any(|e| matches!(e, Expr::Load { .. })) && !self.ghosts.indices.contains(&e) {
                self.ghosts.indices.push(e);
                self.inside(array, address);
            }
            self.replace(e)
        });
        let distance = self.arrays[array].distance(self.program, address);
        if index.is_none() {
            self.elsewhere(array, address, distance);
        }
        let distance = self.replace(distance);
        Some(Cell {
            array,
            distance,
            index,
        })
    }

    /// Notes that an address may lie behind the base, as it does where nothing wraps around.
    fn inside(&mut self, array: usize, address: ExprId) {
        let distance = self.arrays[array].distance(self.program, address);
        let word = self.program.exprs.ty(distance);
        let base = self.arrays[array].base;
        let exprs = &mut self.program.exprs;
        let base = exprs.cast(CastOp::PtrToInt, base, word);
        let at = exprs.binary(BinaryOp::Add, base, distance);
        let behind = exprs.binary(BinaryOp::ULe, base, at);
        self.ghosts.behind.push(behind);
    }

    /// Notes what may hold of an address that another register is the root of: it is the base, or a
    /// pointer on its way through the array.
    fn elsewhere(&mut self, array: usize, address: ExprId, distance: ExprId) {
        let Array {
            base,
            stride,
            first,
            ..
        } = self.arrays[array];
        let parts = self.program.exprs.subexpressions(distance).into_iter();
        let mut parts = parts.map(|e| self.program.exprs.get(e));
        if parts.any(|e| matches!(e, Expr::Load { .. })) || !stride.is_power_of_two() {
            return;
        }
        let word = self.program.exprs.ty(distance);
        let bits = self.program.model.pointer_bits() as u16;
        let root = arrays::root(&self.program.exprs, address);
        let exprs = &mut self.program.exprs;
        let [start, at] = [base, root].map(|p| exprs.cast(CastOp::PtrToInt, p, word));
        let [log, first, low, zero] = [u64::from(stride.trailing_zeros()), first, stride - 1, 0]
            .map(|n| exprs.int(n.into(), bits));
        let from_first = exprs.binary(BinaryOp::Sub, distance, first);
        let index = exprs.binary(BinaryOp::LShr, from_first, log);
        let rest = exprs.binary(BinaryOp::And, from_first, low);
        let facts = [
            exprs.binary(BinaryOp::Eq, at, start),
            exprs.binary(BinaryOp::ULe, start, at),
            exprs.binary(BinaryOp::Eq, rest, zero),
        ];
        if !self.ghosts.indices.contains(&index) {
            self.ghosts.indices.push(index);
            self.ghosts.behind.extend(facts);
        }
    }

    /// Whether a cell is the followed one of a position.
    fn is_followed(&mut self, cell: &Cell, position: usize) -> ExprId {
        let at = self.followed_distance(cell.array, position);
        let exprs = &mut self.program.exprs;
        exprs.binary(BinaryOp::Eq, cell.distance, at)
    }

    /// How far the followed cell lies from the base.
    fn followed_distance(&mut self, array: usize, position: usize) -> ExprId {
        let position = self.program.read(self.ghosts.positions[position]);
        let bits = self.program.model.pointer_bits() as u16;
        let (stride, first) = (self.arrays[array].stride, self.arrays[array].first);
        let exprs = &mut self.program.exprs;
        let [stride, first] = [stride, first].map(|n| exprs.int(n.into(), bits));
        let scaled = exprs.binary(BinaryOp::Mul, position, stride);
        exprs.binary(BinaryOp::Add, scaled, first)
    }

    /// Whether no position names a cell; `None` where one always does.
    fn nameless(&mut self, cell: &Cell) -> Option<ExprId> {
        let bits = self.program.model.pointer_bits() as u16;
        let Array { stride, first, .. } = self.arrays[cell.array];
        let exprs = &mut self.program.exprs;
        let last = exprs.int(self.last, bits);
        let fills = stride.is_power_of_two() && (self.last + 1) * u128::from(stride) == 1 << bits;
        if let Some(index) = cell.index {
            return (!fills).then(|| exprs.binary(BinaryOp::ULt, last, index));
        }
        let [by, first] = [stride, first].map(|n| exprs.int(n.into(), bits));
        let from_first = exprs.binary(BinaryOp::Sub, cell.distance, first);
        let rest = exprs.binary(BinaryOp::URem, from_first, by);
        let zero = exprs.int(0, bits);
        let between = exprs.binary(BinaryOp::Ne, rest, zero);
        let index = exprs.binary(BinaryOp::UDiv, from_first, by);
        let beyond = exprs.binary(BinaryOp::ULt, last, index);
        Some(exprs.binary(BinaryOp::Or, between, beyond))
    }

    /// Replaces loads by contents where they name a followed cell.
    fn replace(&mut self, root: ExprId) -> ExprId {
        let mut order = self.program.exprs.subexpressions(root);
        order.retain(|e| !self.replaced.contains_key(e));
        for id in order {
            let expr = self.program.exprs.get(id);
            let ty = self.program.exprs.ty(id);
            let mapped = expr.map_children(|c| self.replaced[&c]);
            let mut new = self.program.exprs.add_typed(mapped, ty);
            if let Expr::Load { address, .. } = expr {
                if let Some(cell) = self.cell(address) {
                    for position in (0..self.ghosts.positions.len()).rev() {
                        let cond = self.is_followed(&cell, position);
                        let content = self.ghosts.contents[cell.array][position];
                        let then = self.program.read(content);
                        let otherwise = new;
                        let exprs = &mut self.program.exprs;
                        new = exprs.add(Expr::Ite {
                            cond,
                            then,
                            otherwise,
                        });
                    }
                }
            }
            self.replaced.insert(id, new);
        }
        self.replaced[&root]
    }

    /// Notes which positions a load names.
    fn read(&mut self, load: ExprId, out: &mut Vec<Statement>) {
        let Expr::Load { address, .. } = self.program.exprs.get(load) else {
            return;
        };
        let Some(cell) = self.cell(address) else {
            return;
        };
        let nameless = self.nameless(&cell);
        for position in 0..self.ghosts.positions.len() {
            let met = self.met[position].clone();
            for pair in met.windows(2).rev() {
                let value = self.program.read(pair[0]);
                out.push(Statement::Assign {
                    target: pair[1],
                    value,
                });
            }
            let mut value = self.is_followed(&cell, position);
            if let Some(nameless) = nameless {
                value = self.program.exprs.binary(BinaryOp::Or, value, nameless);
            }
            out.push(Statement::Assign {
                target: met[0],
                value,
            });
        }
    }

    /// What a statement does to contents: the ghosts before it and behind it.
    fn written(
        &mut self,
        statement: &Statement,
        before: &mut Vec<Statement>,
        behind: &mut Vec<Statement>,
    ) {
        match *statement {
            Statement::Store { address, value } => {
                let Some(cell) = self.cell(address) else {
                    return;
                };
                let value = self.replace(value);
                for position in 0..self.ghosts.positions.len() {
                    let cond = self.is_followed(&cell, position);
                    let target = self.ghosts.contents[cell.array][position];
                    let otherwise = self.program.read(target);
                    let value = self.program.exprs.add(Expr::Ite {
                        cond,
                        then: value,
                        otherwise,
                    });
                    before.push(Statement::Assign { target, value });
                }
            }
            Statement::Copy { target, size, .. } => self.forget_range(target, size, behind),
            Statement::Havoc { address, size, .. } => self.forget_range(address, size, behind),
            Statement::Enter(object) => self.forget_object(object, behind),
            Statement::Allocate { target, size, .. } => {
                let size = self.replace(size);
                self.allocated(target, size, before, behind);
            }
            _ => {}
        }
        if let Some(written) = statement.written_register() {
            let moved = |a: &Array| self.program.exprs.get(a.base) == Expr::Reg(written);
            let moved: Vec<usize> = (0..self.arrays.len())
                .filter(|&a| moved(&self.arrays[a]))
                .collect();
            moved.into_iter().for_each(|a| self.forget(a, behind));
        }
    }

    fn forget(&self, array: usize, out: &mut Vec<Statement>) {
        out.extend(self.ghosts.contents[array].iter().map(|&c| arbitrary(c)));
    }

    fn forget_range(&self, address: ExprId, size: u64, out: &mut Vec<Statement>) {
        let cells = self.partition.cells(address, size, CELLS);
        let touched = |a: &Array| match &cells {
            Ok(cells) => cells.iter().any(|c| c.class == a.class),
            Err(_) => true,
        };
        let touched = (0..self.arrays.len()).filter(|&a| touched(&self.arrays[a]));
        touched.for_each(|a| self.forget(a, out));
    }

    fn forget_object(&self, object: ObjectId, out: &mut Vec<Statement>) {
        let size = self.program.object(object).size;
        let cells = self.partition.object_cells(object, size, CELLS);
        let touched = |a: &Array| match &cells {
            Ok(cells) => cells.iter().any(|c| c.class == a.class),
            Err(_) => true,
        };
        let touched = (0..self.arrays.len()).filter(|&a| touched(&self.arrays[a]));
        touched.for_each(|a| self.forget(a, out));
    }

    /// What lies in a new block is arbitrary. Its size is kept where the block's own address may
    /// replace what it is computed from.
    fn allocated(
        &mut self,
        block: RegId,
        size: ExprId,
        before: &mut Vec<Statement>,
        behind: &mut Vec<Statement>,
    ) {
        let bits = self.program.model.pointer_bits() as u16;
        let word = Type::Int(bits);
        let kept = self.temporary("size", word);
        before.push(Statement::Assign {
            target: kept,
            value: size,
        });
        for array in 0..self.arrays.len() {
            let Array { base, .. } = self.arrays[array];
            if matches!(self.program.exprs.get(base), Expr::Address(_)) {
                continue;
            }
            if self.program.exprs.get(base) == Expr::Reg(block) {
                // Forgotten as its base moves.
                continue;
            }
            for position in 0..self.ghosts.positions.len() {
                let far = self.followed_distance(array, position);
                let (start, size) = (self.program.read(block), self.program.read(kept));
                let exprs = &mut self.program.exprs;
                let [base, start] = [base, start].map(|p| exprs.cast(CastOp::PtrToInt, p, word));
                let at = exprs.binary(BinaryOp::Add, base, far);
                let inside = exprs.binary(BinaryOp::Sub, at, start);
                let cond = exprs.binary(BinaryOp::ULt, inside, size);
                let content = self.ghosts.contents[array][position];
                let any = self.temporary("any", self.arrays[array].ty);
                let (then, otherwise) = (self.program.read(any), self.program.read(content));
                let value = self.program.exprs.add(Expr::Ite {
                    cond,
                    then,
                    otherwise,
                });
                behind.push(arbitrary(any));
                behind.push(Statement::Assign {
                    target: content,
                    value,
                });
            }
        }
    }

    fn temporary(&mut self, name: &str, ty: Type) -> RegId {
        let name = self.program.fresh_register_name(name);
        self.program.add_register(Register {
            name,
            c_name: String::new(),
            ty,
            ctype: None,
            owner: Some(self.entry),
            role: Role::Temporary,
            initial: None,
            span: Span::NONE,
        })
    }

    /// Errors count only where all positions were met.
    fn errors(&mut self) {
        let mut all = self.program.exprs.bool(true);
        for met in self.met.clone() {
            let last = self
                .program
                .read(*met.last().expect("one for each load ago"));
            all = self.program.exprs.binary(BinaryOp::And, all, last);
        }
        let errors = self.body().errors.clone();
        let errors: std::collections::BTreeSet<LocId> = errors.iter().map(|e| e.location).collect();
        for error in errors {
            let span = self.body().location(error).span;
            let before = self.beside(error, span);
            for edge in &mut self.body().edges {
                if edge.target == error {
                    edge.target = before;
                }
            }
            self.body()
                .add_edge(before, error, Statement::Assume(all), span);
        }
    }

    /// Chooses positions and first contents.
    fn start(&mut self) {
        let bits = self.program.model.pointer_bits() as u16;
        let mut first = Vec::new();
        for position in self.ghosts.positions.clone() {
            let any = self.program.read(position);
            let exprs = &mut self.program.exprs;
            let last = exprs.int(self.last, bits);
            let value = exprs.binary(BinaryOp::And, any, last);
            first.push(arbitrary(position));
            first.push(Statement::Assign {
                target: position,
                value,
            });
        }
        for array in 0..self.arrays.len() {
            self.forget(array, &mut first);
            let Some(size) = self.zeros(array) else {
                continue;
            };
            for position in 0..self.ghosts.positions.len() {
                let far = self.followed_distance(array, position);
                let target = self.ghosts.contents[array][position];
                let ty = self.arrays[array].ty;
                let Type::Int(width) = ty else { continue };
                let otherwise = self.program.read(target);
                let exprs = &mut self.program.exprs;
                let last = exprs.int(size.into(), bits);
                let cond = exprs.binary(BinaryOp::ULe, far, last);
                let then = exprs.int(0, width);
                let value = exprs.add(Expr::Ite {
                    cond,
                    then,
                    otherwise,
                });
                first.push(Statement::Assign { target, value });
            }
        }
        let yes = self.program.exprs.bool(true);
        first.extend(
            self.met
                .iter()
                .flatten()
                .map(|&target| Statement::Assign { target, value: yes }),
        );
        let entry = self.body().entry;
        let mut at = entry;
        for (i, ghost) in first.into_iter().rev().enumerate() {
            let previous = self.beside(entry, Span::NONE);
            let target = if i == 0 { entry } else { at };
            self.body().add_edge(previous, target, ghost, Span::NONE);
            at = previous;
        }
        self.body().entry = at;
    }

    /// The last distance at which an array that begins as zeros has a whole cell.
    fn zeros(&self, array: usize) -> Option<u64> {
        let Array { base, ty, .. } = self.arrays[array];
        let Expr::Address(object) = self.program.exprs.get(base) else {
            return None;
        };
        let object = self.program.object(object);
        let zero = matches!(&object.storage, Storage::Static { initial, .. } if initial.is_empty());
        let bytes = ty.bytes(self.program.model);
        (zero && object.pinned().is_none()).then(|| object.size.checked_sub(bytes))?
    }
}

/// Any value at all: contents are never pointers.
fn arbitrary(target: RegId) -> Statement {
    Statement::Nondet {
        target,
        origin: Origin::Uninitialised,
    }
}
