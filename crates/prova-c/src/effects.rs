//! What evaluating an expression may read and write, calls included: what `lower/order` asks where
//! C leaves the order open. Told from the syntax, and on the safe side:
//!
//! * variables by name, members by the member's name whatever the structure, everything else
//!   behind a pointer as one thing; a variable whose address is known somewhere is part of that;
//! * a function by what its body does, transitively; variables of its own activations do not count;
//! * a call through a pointer by what all functions do whose address is taken;
//! * the library by its models, except for what the table here says;
//! * a function that is not at hand may write whatever its caller can see of memory, but what two
//!   of them do is arbitrary in either order.

use lang_c::ast::*;
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use prova_ir::ProcId;
use rustc_hash::{FxHashMap, FxHashSet};

/// The visitor wants positions; nobody looks at them.
static NOWHERE: Span = Span { start: 0, end: 0 };

/// A set of small numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    fn insert(&mut self, i: u32) {
        let word = i as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (i % 64);
    }

    /// Whether two sets have something in common.
    pub fn meets(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Says whether anything is new.
    fn add(&mut self, other: &Bits) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut new = 0;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            new |= b & !*a;
            *a |= b;
        }
        new != 0
    }
}

/// Something that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key<'a> {
    /// A variable, by its number.
    Variable(u32),
    /// A static variable of a function.
    Static(ProcId, &'a str),
    /// A member of whatever structure.
    Member(&'a str),
    /// The state of the rules that are checked.
    Rules,
}

/// What is read, or what is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Touched {
    keys: Bits,
    /// Members among them, which lie in memory.
    members: bool,
    /// Behind a pointer.
    behind: bool,
    /// A variable that is defined nowhere.
    external: bool,
}

impl Touched {
    fn memory(&self) -> bool {
        self.members || self.behind
    }

    fn clashes(&self, other: &Touched) -> bool {
        self.keys.meets(&other.keys)
            || (self.behind && other.memory())
            || (other.behind && self.memory())
    }

    fn add(&mut self, other: &Touched) -> bool {
        let flags = |t: &Touched| (t.members, t.behind, t.external);
        let before = flags(self);
        self.members |= other.members;
        self.behind |= other.behind;
        self.external |= other.external;
        self.keys.add(&other.keys) | (flags(self) != before)
    }
}

/// What an evaluation does.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Access {
    reads: Touched,
    writes: Touched,
    /// Calls a function that is not at hand.
    open: bool,
    /// May end the program in a regular way.
    ends: bool,
    /// May be the error that is looked for.
    errs: bool,
    /// Scalar variables that it reads and writes itself, not in a function that it calls.
    own_reads: Bits,
    own_writes: Bits,
}

impl Access {
    /// Whether the order of two evaluations may matter.
    pub fn conflicts(&self, other: &Access) -> bool {
        let seen = |a: &Access, b: &Access| {
            let sees = |t: &Touched| t.memory() || t.external;
            a.open && (sees(&b.reads) || sees(&b.writes)) || a.ends && b.errs
        };
        self.writes.clashes(&other.reads)
            || self.writes.clashes(&other.writes)
            || other.writes.clashes(&self.reads)
            || seen(self, other)
            || seen(other, self)
    }

    /// Whether two evaluations change a scalar, or change it and read it, with nothing that says
    /// in which order: undefined (C11 6.5 §2).
    pub fn races(&self, other: &Access) -> bool {
        self.own_writes.meets(&other.own_reads)
            || self.own_writes.meets(&other.own_writes)
            || other.own_writes.meets(&self.own_reads)
    }

    /// Whether it changes anything.
    pub fn acts(&self) -> bool {
        let none = Touched::default();
        self.writes != none || self.open || self.ends || self.errs
    }

    /// Both.
    pub fn add(&mut self, other: &Access) {
        let _ = self.called(other);
        self.own_reads.add(&other.own_reads);
        self.own_writes.add(&other.own_writes);
    }

    /// What a function does that is called.
    fn called(&mut self, other: &Access) -> bool {
        let flags = |a: &Access| (a.open, a.ends, a.errs);
        let before = flags(self);
        self.open |= other.open;
        self.ends |= other.ends;
        self.errs |= other.errs;
        let read = self.reads.add(&other.reads);
        self.writes.add(&other.writes) | read | (flags(self) != before)
    }
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Named<'a> {
    /// A variable that others may touch, too.
    Variable {
        key: Key<'a>,
        array: bool,
        scalar: bool,
        /// Its address may be known.
        shared: bool,
        external: bool,
    },
    /// A variable of the activation at hand, which nobody else touches.
    Local { array: bool },
    /// A function, and whether the program defines it, or a model.
    Function {
        proc: ProcId,
        own: bool,
        modelled: bool,
    },
    /// Anything else.
    Other,
}

/// A function that is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Called {
    Direct(ProcId),
    Pointer,
}

/// What functions do.
#[derive(Debug, Default)]
pub(crate) struct Summaries<'a> {
    keys: FxHashMap<Key<'a>, u32>,
    functions: Vec<Access>,
    pointers: Access,
}

/// A function's own body, looked over.
pub(crate) struct Raw {
    access: Access,
    calls: Vec<Called>,
    taken: Vec<ProcId>,
}

impl<'a> Summaries<'a> {
    /// What a body does itself, and whom it calls.
    pub fn body(&mut self, node: &'a Node<Statement>, names: Names<'_, 'a>) -> Raw {
        let mut walk = Walk::new(&mut self.keys, names);
        walk.visit_statement(&node.node, &node.span);
        Raw {
            access: walk.access,
            calls: walk.calls.into_iter().collect(),
            taken: walk.taken,
        }
    }

    /// Functions whose address the first contents of variables hold.
    pub fn taken(&mut self, d: &'a Node<Declaration>, names: Names<'_, 'a>) -> Vec<ProcId> {
        let mut walk = Walk::new(&mut self.keys, names);
        walk.visit_declaration(&d.node, &d.span);
        walk.taken
    }

    /// Lets functions do what those do that they call. `watched` ones change the rules' state.
    pub fn close(
        &mut self,
        raw: Vec<Option<Raw>>,
        taken: impl IntoIterator<Item = ProcId>,
        watched: impl Fn(ProcId) -> bool,
    ) {
        let mut pointed: Vec<ProcId> = taken.into_iter().collect();
        let rules = self.key(Key::Rules);
        self.functions = vec![Access::default(); raw.len()];
        for (i, raw) in raw.iter().enumerate() {
            if let Some(raw) = raw {
                self.functions[i] = raw.access.clone();
                pointed.extend(&raw.taken);
            }
            if watched(ProcId::new(i)) {
                self.functions[i].writes.keys.insert(rules);
            }
        }
        pointed.sort_unstable();
        pointed.dedup();
        // A pointer may lead to a function that is not at hand.
        self.pointers.open = true;
        loop {
            let mut changed = false;
            for p in &pointed {
                changed |= self.pointers.called(&self.functions[p.index()]);
            }
            for (i, raw) in raw.iter().enumerate() {
                let Some(raw) = raw else { continue };
                let mut access = std::mem::take(&mut self.functions[i]);
                // What calls itself finds itself away, and would add nothing.
                for call in &raw.calls {
                    changed |= access.called(self.of(*call));
                }
                self.functions[i] = access;
            }
            if !changed {
                return;
            }
        }
    }

    fn of(&self, call: Called) -> &Access {
        match call {
            Called::Direct(p) => &self.functions[p.index()],
            Called::Pointer => &self.pointers,
        }
    }

    fn key(&mut self, key: Key<'a>) -> u32 {
        let next = self.keys.len() as u32;
        *self.keys.entry(key).or_insert(next)
    }

    /// What evaluating an expression does, calls included.
    pub fn expression(&mut self, e: &'a Node<Expression>, names: Names<'_, 'a>) -> Access {
        let mut walk = Walk::new(&mut self.keys, names);
        walk.read(&e.node);
        let (mut access, calls) = (walk.access, walk.calls);
        for call in calls {
            access.called(self.of(call));
        }
        access
    }

    /// What writing a place does, besides finding it.
    pub fn written(&mut self, e: &'a Node<Expression>, names: Names<'_, 'a>) -> Access {
        let mut walk = Walk::new(&mut self.keys, names);
        let base = walk.place(&e.node);
        walk.access = Access::default();
        walk.touch(base, Use::Write);
        walk.access
    }
}

/// Says what names stand for.
pub(crate) type Names<'n, 'a> = &'n dyn Fn(&'a str) -> Named<'a>;

#[derive(Clone, Copy, PartialEq)]
enum Use {
    Read,
    Write,
    Both,
}

/// A place, once its address is known.
#[derive(Clone, Copy)]
enum Base<'a> {
    Variable(Named<'a>, &'a str, Option<&'a str>),
    Element(Named<'a>),
    Member(&'a str),
    Behind,
    Nothing,
}

struct Walk<'w, 'a> {
    keys: &'w mut FxHashMap<Key<'a>, u32>,
    names: Names<'w, 'a>,
    access: Access,
    calls: FxHashSet<Called>,
    taken: Vec<ProcId>,
    /// Names that statement expressions declare.
    inner: FxHashMap<&'a str, bool>,
}

impl<'w, 'a> Walk<'w, 'a> {
    fn new(keys: &'w mut FxHashMap<Key<'a>, u32>, names: Names<'w, 'a>) -> Self {
        Walk {
            keys,
            names,
            access: Access::default(),
            calls: FxHashSet::default(),
            taken: Vec::new(),
            inner: FxHashMap::default(),
        }
    }

    fn named(&self, name: &'a str) -> Named<'a> {
        match self.inner.get(name) {
            Some(&array) => Named::Local { array },
            None => (self.names)(name),
        }
    }

    fn key(&mut self, key: Key<'a>) -> u32 {
        let next = self.keys.len() as u32;
        *self.keys.entry(key).or_insert(next)
    }

    fn each(&mut self, how: Use, mut f: impl FnMut(&mut Touched, &mut Bits)) {
        if how != Use::Write {
            f(&mut self.access.reads, &mut self.access.own_reads);
        }
        if how != Use::Read {
            f(&mut self.access.writes, &mut self.access.own_writes);
        }
    }

    fn touch(&mut self, base: Base<'a>, how: Use) {
        match base {
            Base::Nothing => {}
            Base::Behind => self.each(how, |t, _| t.behind = true),
            Base::Member(name) => {
                let key = self.key(Key::Member(name));
                self.each(how, |t, _| {
                    t.keys.insert(key);
                    t.members = true;
                });
            }
            Base::Variable(Named::Function { proc, .. }, ..) => self.taken.push(proc),
            Base::Variable(named, _, member) => {
                let Named::Variable {
                    key,
                    array,
                    scalar,
                    shared,
                    external,
                } = named
                else {
                    return;
                };
                if array && member.is_none() {
                    return;
                }
                let key = self.key(key);
                let member = member.map(|m| self.key(Key::Member(m)));
                self.each(how, |t, own| {
                    t.keys.insert(key);
                    t.external |= external;
                    if scalar {
                        own.insert(key);
                    }
                    match member {
                        Some(member) if shared => {
                            t.keys.insert(member);
                            t.members = true;
                        }
                        _ => t.behind |= shared,
                    }
                });
            }
            Base::Element(named) => {
                if let Named::Variable {
                    key,
                    shared,
                    external,
                    ..
                } = named
                {
                    let key = self.key(key);
                    self.each(how, |t, _| {
                        t.keys.insert(key);
                        t.external |= external;
                        t.behind |= shared;
                    });
                }
            }
        }
    }

    /// What it takes to find a place.
    fn place(&mut self, e: &'a Expression) -> Base<'a> {
        match e {
            Expression::Identifier(name) => {
                let text = name.node.name.as_str();
                Base::Variable(self.named(text), text, None)
            }
            Expression::Member(m) => {
                let member = m.node.identifier.node.name.as_str();
                if m.node.operator.node == MemberOperator::Indirect {
                    self.read(&m.node.expression.node);
                    return Base::Member(member);
                }
                match self.place(&m.node.expression.node) {
                    Base::Variable(named, name, _) => Base::Variable(named, name, Some(member)),
                    Base::Nothing => Base::Nothing,
                    _ => Base::Member(member),
                }
            }
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::Index => {
                self.read(&b.node.rhs.node);
                if let Expression::Identifier(name) = &b.node.lhs.node {
                    match self.named(&name.node.name) {
                        Named::Local { array: true } => return Base::Nothing,
                        named @ Named::Variable { array: true, .. } => return Base::Element(named),
                        _ => {}
                    }
                }
                self.read(&b.node.lhs.node);
                Base::Behind
            }
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Indirection => {
                self.read(&u.node.operand.node);
                Base::Behind
            }
            _ => {
                self.read(e);
                Base::Nothing
            }
        }
    }

    fn use_place(&mut self, e: &'a Expression, how: Use) {
        let base = self.place(e);
        self.touch(base, how);
    }

    fn read(&mut self, e: &'a Expression) {
        match e {
            Expression::Identifier(_) | Expression::Member(_) => self.use_place(e, Use::Read),
            Expression::UnaryOperator(u) => {
                use UnaryOperator::*;
                let operand = &u.node.operand.node;
                match u.node.operator.node {
                    PostIncrement | PostDecrement | PreIncrement | PreDecrement => {
                        self.use_place(operand, Use::Both);
                    }
                    Address => {
                        let base = self.place(operand);
                        if let Base::Variable(Named::Function { proc, .. }, ..) = base {
                            self.taken.push(proc);
                        }
                    }
                    Indirection => self.use_place(e, Use::Read),
                    _ => self.read(operand),
                }
            }
            Expression::BinaryOperator(b) => {
                use BinaryOperator::*;
                match b.node.operator.node {
                    Index => self.use_place(e, Use::Read),
                    Assign => {
                        self.use_place(&b.node.lhs.node, Use::Write);
                        self.read(&b.node.rhs.node);
                    }
                    AssignMultiply | AssignDivide | AssignModulo | AssignPlus | AssignMinus
                    | AssignShiftLeft | AssignShiftRight | AssignBitwiseAnd | AssignBitwiseXor
                    | AssignBitwiseOr => {
                        self.use_place(&b.node.lhs.node, Use::Both);
                        self.read(&b.node.rhs.node);
                    }
                    _ => {
                        self.read(&b.node.lhs.node);
                        self.read(&b.node.rhs.node);
                    }
                }
            }
            Expression::Call(c) => self.call(c),
            Expression::VaArg(v) => {
                self.use_place(&v.node.va_list.node, Use::Both);
                self.each(Use::Both, |t, _| t.behind = true);
            }
            Expression::SizeOfTy(_) | Expression::SizeOfVal(_) | Expression::AlignOf(_) => {}
            Expression::Statement(s) => {
                let mut declared = Declared::default();
                declared.visit_statement(&s.node, &s.span);
                let outer = self.inner.clone();
                self.inner
                    .extend(declared.names.iter().map(|(n, d)| (*n, d.array)));
                self.visit_statement(&s.node, &s.span);
                self.inner = outer;
            }
            other => visit::visit_expression(self, other, &NOWHERE),
        }
    }

    fn call(&mut self, c: &'a Node<CallExpression>) {
        for argument in &c.node.arguments {
            self.read(&argument.node);
        }
        let Expression::Identifier(name) = &c.node.callee.node else {
            // `(*f)(x)`: to read the function is to call it.
            self.read(&c.node.callee.node);
            self.calls.insert(Called::Pointer);
            return;
        };
        let name = name.node.name.as_str();
        match self.named(name) {
            Named::Function {
                proc, own: true, ..
            } => {
                self.calls.insert(Called::Direct(proc));
                self.access.errs |= is_error(name);
            }
            Named::Variable { .. } | Named::Local { .. } => {
                self.read(&c.node.callee.node);
                self.calls.insert(Called::Pointer);
            }
            named => {
                let watched = match named {
                    Named::Function { proc, .. } => Some(proc),
                    _ => None,
                };
                if !self.copies(name, &c.node.arguments) && !self.special(name) {
                    if let Named::Function {
                        modelled: false, ..
                    }
                    | Named::Other = named
                    {
                        let own = prova_library::kind(name) == prova_library::Kind::Own;
                        self.access.open |= own;
                    }
                    self.calls.extend(watched.map(Called::Direct));
                }
            }
        }
    }

    /// Copies into a variable of the activation's own: nobody else sees what is written.
    fn copies(&mut self, name: &str, arguments: &'a [Node<Expression>]) -> bool {
        let copy = matches!(
            prova_library::plain_name(name),
            "memcpy" | "memmove" | "memset"
        );
        let to = arguments.first().filter(|_| copy);
        if !to.is_some_and(|to| self.is_own(&to.node)) {
            return false;
        }
        let from = arguments.get(1).filter(|from| !self.is_own(&from.node));
        if from.is_some() {
            self.each(Use::Read, |t, _| t.behind = true);
        }
        true
    }

    /// Whether an expression is the address of a variable of the activation's own.
    fn is_own(&self, e: &'a Expression) -> bool {
        match e {
            Expression::Cast(cast) => self.is_own(&cast.node.expression.node),
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Address => {
                match &u.node.operand.node {
                    Expression::Identifier(name) => {
                        matches!(self.named(&name.node.name), Named::Local { .. })
                    }
                    _ => false,
                }
            }
            Expression::Identifier(name) => {
                matches!(self.named(&name.node.name), Named::Local { array: true })
            }
            _ => false,
        }
    }

    /// Functions of which more is known, or less to be said, than their models do.
    fn special(&mut self, name: &str) -> bool {
        if is_error(name) {
            self.access.errs = true;
            return true;
        }
        if name.starts_with("__VERIFIER_") || name.starts_with("__prova_") {
            return true;
        }
        if prova_library::is_question(name) {
            return true;
        }
        if name.starts_with("__atomic_") || name.starts_with("__sync_") {
            self.each(Use::Both, |t, _| t.behind = true);
            return true;
        }
        match prova_library::plain_name(name) {
            "malloc" | "calloc" | "alloca" | "abort" | "setjmp" | "_setjmp" | "sigsetjmp"
            | "__sigsetjmp" | "signal" => {}
            "exit" | "_exit" | "_Exit" | "quick_exit" => self.access.ends = true,
            "free" | "memcpy" | "memmove" | "memset" => {
                self.each(Use::Both, |t, _| t.behind = true);
            }
            "printf" | "fprintf" | "puts" | "fputs" | "putchar" | "putc" | "fputc" | "perror"
            | "fflush" | "vprintf" | "vfprintf" => {
                self.each(Use::Read, |t, _| t.behind = true);
            }
            _ if name.starts_with("__builtin_va_") => {
                self.each(Use::Both, |t, _| t.behind = true);
            }
            _ => return false,
        }
        true
    }
}

fn is_error(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error") || prova_library::ASSERTIONS.contains(&name)
}

impl<'a> Visit<'a> for Walk<'_, 'a> {
    fn visit_expression(&mut self, e: &'a Expression, span: &'a Span) {
        let _ = span;
        self.read(e);
    }
}

/// A name that a function declares.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Declaring {
    /// Whether it is an array, as far as the declarator says.
    pub array: bool,
    /// `static`.
    pub lasting: bool,
    /// `extern`: it is not the function's own.
    pub foreign: bool,
}

/// The names that a function declares, parameters included.
#[derive(Default)]
pub(crate) struct Declared<'a> {
    pub names: FxHashMap<&'a str, Declaring>,
}

impl<'a> Declared<'a> {
    fn declare(&mut self, d: &'a Declarator, mut how: Declaring, parameter: bool) {
        if let Some(name) = crate::scan::declared_name(d) {
            let first = d.derived.first().map(|d| &d.node);
            how.array = !parameter && matches!(first, Some(DerivedDeclarator::Array(_)));
            let known = self.names.entry(&name.node.name).or_insert(how);
            known.array &= how.array;
            known.lasting |= how.lasting;
            known.foreign |= how.foreign;
        }
    }
}

impl<'a> Visit<'a> for Declared<'a> {
    fn visit_declaration(&mut self, d: &'a Declaration, span: &'a Span) {
        let class = |class: StorageClassSpecifier| {
            d.specifiers.iter().any(
                |s| matches!(&s.node, DeclarationSpecifier::StorageClass(c) if c.node == class),
            )
        };
        let how = Declaring {
            array: false,
            lasting: class(StorageClassSpecifier::Static),
            foreign: class(StorageClassSpecifier::Extern),
        };
        for init in &d.declarators {
            self.declare(&init.node.declarator.node, how, false);
        }
        visit::visit_declaration(self, d, span);
    }

    fn visit_parameter_declaration(&mut self, p: &'a ParameterDeclaration, span: &'a Span) {
        if let Some(d) = &p.declarator {
            self.declare(&d.node, Declaring::default(), true);
        }
        visit::visit_parameter_declaration(self, p, span);
    }
}
