//! Where C leaves the order of evaluation open (C11 6.5 §3, 6.5.2.2 §10, 6.7.9 §23): operands of
//! most operators, arguments of a call, items of an initialiser.
//!
//! Elsewhere in the lowering operands go from left to right. Before that, the *atoms* of the
//! operands are looked at here: calls, assignments, and reads of what may change, as far as
//! nothing says in which order they come. Where the order of some of them may matter, they are
//! evaluated first, in each possible order, by an arbitrary choice of the implementation; the
//! lowering then finds their values in place of the expressions. What has no conflicts is lowered
//! as if this file did not exist.
//!
//! More than three atoms that conflict are not modelled, and neither is what is undefined: a
//! scalar that is changed and used with nothing in between.

use super::lvalue::{LPlace, Location};
use super::*;
use crate::effects::{Access, Declared, Key, Named, Raw, Summaries};
use lang_c::ast::*;
use lang_c::visit::Visit;

/// Conflicts inside of conflicts, up to here: each makes several copies of the code.
const DEEPEST: u32 = 2;

/// The orders of two and of three.
const ORDERS: [&[&[usize]]; 2] = [
    &[&[0, 1], &[1, 0]],
    &[
        &[0, 1, 2],
        &[0, 2, 1],
        &[1, 0, 2],
        &[1, 2, 0],
        &[2, 0, 1],
        &[2, 1, 0],
    ],
];

/// Atoms whose values are known, until their expression is lowered.
#[must_use]
pub(crate) struct Settled {
    keys: Vec<usize>,
    blocked: bool,
}

/// An operand: a value, or a place that is written when all values are known.
#[derive(Clone, Copy)]
pub(crate) enum Operand<'a> {
    Value(&'a Node<Expression>),
    Place(&'a Node<Expression>),
}

/// What is known of orders.
#[derive(Default)]
pub(crate) struct Orders<'a> {
    summaries: Summaries<'a>,
    /// Static variables in functions.
    statics: FxHashMap<ProcId, FxHashSet<&'a str>>,
    /// Values of atoms by the address of their node.
    values: FxHashMap<usize, Value>,
    /// Conflicts around the current place.
    depth: u32,
    /// The order does not matter any more: nothing behind this is known.
    blocked: u32,
}

fn key(e: &Node<Expression>) -> usize {
    std::ptr::from_ref(e) as usize
}

/// The parts of an operand whose order may matter.
fn atoms<'a>(operand: Operand<'a>, out: &mut Vec<&'a Node<Expression>>) {
    use BinaryOperator as B;
    use UnaryOperator as U;
    let (e, value) = match operand {
        Operand::Value(e) => (e, true),
        Operand::Place(e) => (e, false),
    };
    match &e.node {
        Expression::Constant(_)
        | Expression::StringLiteral(_)
        | Expression::SizeOfTy(_)
        | Expression::SizeOfVal(_)
        | Expression::AlignOf(_)
        | Expression::OffsetOf(_) => {}
        Expression::Identifier(_) if !value => {}
        Expression::Member(m) if !value => {
            let inner = &m.node.expression;
            atoms(
                match m.node.operator.node {
                    MemberOperator::Direct => Operand::Place(inner),
                    MemberOperator::Indirect => Operand::Value(inner),
                },
                out,
            );
        }
        Expression::BinaryOperator(b) => match b.node.operator.node {
            B::Index if !value => {
                atoms(Operand::Value(&b.node.lhs), out);
                atoms(Operand::Value(&b.node.rhs), out);
            }
            B::Multiply
            | B::Divide
            | B::Modulo
            | B::Plus
            | B::Minus
            | B::ShiftLeft
            | B::ShiftRight
            | B::Less
            | B::Greater
            | B::LessOrEqual
            | B::GreaterOrEqual
            | B::Equals
            | B::NotEquals
            | B::BitwiseAnd
            | B::BitwiseXor
            | B::BitwiseOr => {
                atoms(Operand::Value(&b.node.lhs), out);
                atoms(Operand::Value(&b.node.rhs), out);
            }
            _ => out.push(e),
        },
        Expression::UnaryOperator(u) => {
            let operand = &u.node.operand;
            match u.node.operator.node {
                U::Address => atoms(Operand::Place(operand), out),
                U::Indirection if !value => atoms(Operand::Value(operand), out),
                U::Plus | U::Minus | U::Complement | U::Negate => {
                    atoms(Operand::Value(operand), out);
                }
                _ => out.push(e),
            }
        }
        Expression::Cast(c) => atoms(Operand::Value(&c.node.expression), out),
        _ => out.push(e),
    }
}

/// Whether an atom may do something at all.
fn is_active(e: &Node<Expression>) -> bool {
    let effects = Effects::of(e);
    !effects.is_none()
}

/// Labels and static variables cannot be there twice.
#[derive(Default)]
struct Single(bool);

impl<'a> Visit<'a> for Single {
    fn visit_label(&mut self, label: &'a Label, _: &'a CSpan) {
        self.0 |= matches!(label, Label::Identifier(_));
    }

    fn visit_storage_class_specifier(&mut self, class: &'a StorageClassSpecifier, _: &'a CSpan) {
        self.0 |= *class == StorageClassSpecifier::Static;
    }
}

impl<'a> Lowerer<'a> {
    /// Finds out what functions do. Comes before bodies are lowered.
    pub fn find_effects(&mut self, scopes: &[Scope<'a>]) {
        let mut summaries = Summaries::default();
        let mut statics = FxHashMap::default();
        let mut raw: Vec<Option<Raw>> = Vec::with_capacity(self.functions.len());
        for index in 0..self.functions.len() {
            let proc = ProcId::new(index);
            raw.push(self.functions[index].definition.map(|(unit, f)| {
                let mut declared = Declared::default();
                declared.visit_function_definition(&f.node, &f.span);
                let lasting = declared.names.iter().filter(|(_, d)| d.lasting);
                let lasting: FxHashSet<&str> = lasting.map(|(n, _)| *n).collect();
                if !lasting.is_empty() {
                    statics.insert(proc, lasting);
                }
                let names = |name: &'a str| self.global_name(&scopes[unit], proc, &declared, name);
                summaries.body(&f.node.statement, &names)
            }));
        }
        let mut taken = Vec::new();
        let units = self.units;
        for (unit, scope) in units.iter().zip(scopes) {
            for external in &unit.ast().0 {
                if let ExternalDeclaration::Declaration(d) = &external.node {
                    let names = |name: &'a str| match scope.names.get(name) {
                        Some(Symbol::Function(p)) => self.function_name(*p),
                        _ => Named::Other,
                    };
                    taken.extend(summaries.taken(d, &names));
                }
            }
        }
        summaries.close(raw, taken, |p| self.observers.contains_key(&p));
        self.orders.summaries = summaries;
        self.orders.statics = statics;
    }

    fn function_name(&self, proc: ProcId) -> Named<'a> {
        Named::Function {
            proc,
            own: self.defined_by_user(proc),
            modelled: self.functions[proc.index()].definition.is_some(),
        }
    }

    fn variable_name(&self, var: VarId, key: Key<'a>) -> Named<'a> {
        let variable = &self.variables[var.0 as usize];
        Named::Variable {
            key,
            array: self.types.array(variable.ty.id).is_some(),
            scalar: self.types.is_scalar(variable.ty.id),
            shared: !matches!(variable.home, Home::Register(_)),
            external: variable.external,
        }
    }

    /// What a name in the body of a function is to others.
    fn global_name(
        &self,
        scope: &Scope<'a>,
        proc: ProcId,
        declared: &Declared<'a>,
        name: &'a str,
    ) -> Named<'a> {
        let local = declared.names.get(name).filter(|d| !d.foreign);
        if let Some(d) = local.filter(|d| d.lasting) {
            return Named::Variable {
                key: Key::Static(proc, name),
                array: d.array,
                scalar: false,
                shared: true,
                external: false,
            };
        }
        match (scope.names.get(name), local) {
            // A name that is hidden in some block, and not in others.
            (Some(Symbol::Variable(var)), local) => {
                let mut named = self.variable_name(*var, Key::Variable(var.0));
                if let (Named::Variable { array, .. }, Some(d)) = (&mut named, local) {
                    *array &= d.array;
                }
                named
            }
            (_, Some(d)) => Named::Local { array: d.array },
            (Some(Symbol::Function(p)), None) => self.function_name(*p),
            (_, None) => match self.externals.get(name) {
                Some(Symbol::Function(p)) => self.function_name(*p),
                Some(Symbol::Variable(var)) => self.variable_name(*var, Key::Variable(var.0)),
                _ => Named::Other,
            },
        }
    }

    /// What a name is in the function at hand.
    fn own_name(&self, name: &'a str) -> Named<'a> {
        match self.lookup(name) {
            Some(Symbol::Variable(var)) => {
                let lasting = self.frame.proc.and_then(|p| {
                    let names = self.orders.statics.get(&p)?;
                    names.contains(name).then_some(Key::Static(p, name))
                });
                self.variable_name(*var, lasting.unwrap_or(Key::Variable(var.0)))
            }
            Some(Symbol::Function(p)) => self.function_name(*p),
            Some(_) => Named::Other,
            None => match self.externals.get(name) {
                Some(Symbol::Function(p)) => self.function_name(*p),
                _ => Named::Other,
            },
        }
    }

    pub fn access(&mut self, e: &'a Node<Expression>) -> Access {
        let mut summaries = std::mem::take(&mut self.orders.summaries);
        let names = |name: &'a str| self.own_name(name);
        let access = summaries.expression(e, &names);
        self.orders.summaries = summaries;
        access
    }

    fn written(&mut self, e: &'a Node<Expression>) -> Access {
        let mut summaries = std::mem::take(&mut self.orders.summaries);
        let names = |name: &'a str| self.own_name(name);
        let access = summaries.written(e, &names);
        self.orders.summaries = summaries;
        access
    }

    /// The value of an atom that was evaluated before.
    pub fn settled_value(&self, e: &Node<Expression>) -> Option<Value> {
        if self.orders.values.is_empty() {
            return None;
        }
        self.orders.values.get(&key(e)).copied()
    }

    /// Evaluates what has to be evaluated in each order before the operands are lowered one after
    /// the other.
    pub fn in_any_order(&mut self, operands: &[Operand<'a>], span: CSpan) -> Result<Settled> {
        let mut settled = Settled {
            keys: Vec::new(),
            blocked: false,
        };
        if self.orders.blocked > 0 || self.unchecked > 0 || self.frame.proc.is_none() {
            return Ok(settled);
        }
        let mut found = Vec::new();
        for operand in operands {
            atoms(*operand, &mut found);
        }
        found.retain(|e| self.settled_value(e).is_none());
        if found.len() < 2 || !found.iter().any(|e| is_active(e)) {
            return Ok(settled);
        }
        let accesses: Vec<Access> = found.iter().map(|e| self.access(e)).collect();
        let mut all = accesses[0].clone();
        let mut any = false;
        for access in &accesses[1..] {
            any |= all.conflicts(access) || all.races(access);
            all.add(access);
        }
        if !any {
            return Ok(settled);
        }
        let meets = |i: usize, f: &dyn Fn(&Access, &Access) -> bool| {
            let others = accesses.iter().enumerate().filter(|(j, _)| *j != i);
            others.map(|(_, a)| a).any(|a| f(&accesses[i], a))
        };
        if (0..found.len()).any(|i| meets(i, &Access::races)) {
            let what = "a variable that is changed and used in no order that C fixes";
            self.block_order(what, span, &mut settled);
            return Ok(settled);
        }
        let chosen: Vec<&'a Node<Expression>> = (0..found.len())
            .filter(|&i| meets(i, &Access::conflicts))
            .map(|i| found[i])
            .collect();
        let mut single = Single::default();
        for e in &chosen {
            single.visit_expression(&e.node, &e.span);
        }
        let deep = self.splits(&chosen);
        let orders = ORDERS.get(chosen.len().wrapping_sub(2));
        match orders {
            Some(orders) if !single.0 && !deep && self.orders.depth < DEEPEST => {
                self.orders.depth += 1;
                let result = self.evaluate_in_orders(&chosen, orders, span);
                self.orders.depth -= 1;
                result?;
                settled.keys = chosen.iter().map(|e| key(e)).collect();
            }
            _ => {
                let what = crate::OPEN_ORDER;
                self.block_order(what, span, &mut settled);
            }
        }
        Ok(settled)
    }

    /// Whether a call and what its arguments do both conflict with another atom: that one may
    /// come between them.
    fn splits(&mut self, chosen: &[&'a Node<Expression>]) -> bool {
        for (i, e) in chosen.iter().enumerate() {
            let Expression::Call(c) = &e.node else {
                continue;
            };
            let mut inside = Access::default();
            for argument in &c.node.arguments {
                let access = self.access(argument);
                inside.add(&access);
            }
            if !inside.acts() {
                continue;
            }
            for (j, other) in chosen.iter().enumerate() {
                if i != j && inside.conflicts(&self.access(other)) {
                    return true;
                }
            }
        }
        false
    }

    fn block_order(&mut self, what: &str, span: CSpan, settled: &mut Settled) {
        self.stand(span);
        self.mark(MarkerKind::Other(what.into()), span);
        self.orders.blocked += 1;
        settled.blocked = true;
    }

    fn evaluate_in_orders(
        &mut self,
        chosen: &[&'a Node<Expression>],
        orders: &[&[usize]],
        span: CSpan,
    ) -> Result<()> {
        let mut places: Vec<Option<(RegId, TypeId)>> = vec![None; chosen.len()];
        let end = self.new_location();
        for (index, order) in orders.iter().enumerate() {
            let next = self.new_location();
            self.stand(span);
            if index + 1 < orders.len() {
                let this = self.new_location();
                let taken = self.choice("the order of evaluation");
                self.branch(taken, next, this);
                self.frame.at = this;
            }
            for &i in *order {
                let value = self.expr(chosen[i])?;
                if self.types.is_void(value.ty) {
                    continue;
                }
                let value = self.settled(value)?;
                let ty = self.program.exprs.ty(value.expr);
                let (reg, _) = match places[i] {
                    Some(place) => place,
                    None => {
                        let place = (self.temporary(ty), value.ty);
                        places[i] = Some(place);
                        place
                    }
                };
                self.assign(reg, value.expr);
            }
            self.jump(end);
            self.frame.at = next;
        }
        self.frame.at = end;
        for (e, place) in chosen.iter().zip(places) {
            let value = match place {
                Some((reg, ty)) => Value {
                    expr: self.program.read(reg),
                    ty,
                },
                None => self.void_value(),
            };
            self.orders.values.insert(key(e), value);
        }
        Ok(())
    }

    /// The operands have been lowered.
    pub fn ordered_done(&mut self, settled: Settled) {
        for key in settled.keys {
            self.orders.values.remove(&key);
        }
        if settled.blocked {
            self.orders.blocked -= 1;
        }
    }

    /// `i = i++`: a variable that is assigned must not be changed by the value's own evaluation.
    pub fn check_assigned(
        &mut self,
        place: &'a Node<Expression>,
        value: &'a Node<Expression>,
        span: CSpan,
    ) {
        if !matches!(place.node, Expression::Identifier(_)) || self.orders.blocked > 0 {
            return;
        }
        let mut changes = Changes::default();
        changes.visit_expression(&value.node, &value.span);
        if changes.0.is_empty() || self.unchecked > 0 || self.frame.proc.is_none() {
            return;
        }
        let target = self.written(place);
        for e in changes.0 {
            let other = self.written(e);
            if target.races(&other) {
                let what = "a variable that is assigned and changed in no order that C fixes";
                self.stand(span);
                self.mark(MarkerKind::Other(what.into()), span);
                return;
            }
        }
    }

    /// The operands of `x += f()`: where that matters, `x` is read before `f` is called, or after.
    pub fn compound_operands(
        &mut self,
        b: &'a Node<BinaryOperatorExpression>,
    ) -> Result<(LPlace, Value, Value)> {
        let (place, value) = (&*b.node.lhs, &*b.node.rhs);
        let quiet = self.orders.blocked > 0 || self.unchecked > 0 || self.frame.proc.is_none();
        if quiet || !(is_active(value) || is_active(place)) {
            return self.compound_in_order(b, false);
        }
        self.check_assigned(place, value, b.span);
        let (first, second) = (self.access(place), self.access(value));
        let mut single = Single::default();
        single.visit_binary_operator_expression(&b.node, &b.span);
        let what = match (first.races(&second), first.conflicts(&second)) {
            (true, _) => "a variable that is changed and used in no order that C fixes",
            (_, false) => return self.compound_in_order(b, false),
            _ if !single.0 && self.orders.depth < DEEPEST => {
                self.orders.depth += 1;
                let result = self.compound_in_both_orders(b);
                self.orders.depth -= 1;
                return result;
            }
            _ => crate::OPEN_ORDER,
        };
        self.stand(b.span);
        self.mark(MarkerKind::Other(what.into()), b.span);
        self.compound_in_order(b, false)
    }

    /// The right operand first, as gcc and clang have it unless told otherwise.
    fn compound_in_order(
        &mut self,
        b: &'a Node<BinaryOperatorExpression>,
        left_first: bool,
    ) -> Result<(LPlace, Value, Value)> {
        if left_first {
            let place = self.lvalue(&b.node.lhs)?;
            let place = match place.at {
                Location::Memory(address) => LPlace {
                    at: Location::Memory(self.keep(address)),
                    ..place
                },
                Location::Bits(address, bits) => LPlace {
                    at: Location::Bits(self.keep(address), bits),
                    ..place
                },
                Location::Register(_) => place,
            };
            let mut left = self.read_place(place, b.node.lhs.span)?;
            left.expr = self.keep(left.expr);
            let right = self.expr(&b.node.rhs)?;
            return Ok((place, left, right));
        }
        let effects = Effects::of(&b.node.lhs);
        let mut right = self.expr(&b.node.rhs)?;
        right.expr = self.keep_from(right.expr, &effects);
        let place = self.lvalue(&b.node.lhs)?;
        let left = self.read_place(place, b.node.lhs.span)?;
        Ok((place, left, right))
    }

    fn compound_in_both_orders(
        &mut self,
        b: &'a Node<BinaryOperatorExpression>,
    ) -> Result<(LPlace, Value, Value)> {
        self.stand(b.span);
        let (other, end) = (self.new_location(), self.new_location());
        let this = self.new_location();
        let taken = self.choice("the order of evaluation");
        self.branch(taken, other, this);
        self.frame.at = this;
        let (mut place, mut left, mut right) = self.compound_in_order(b, false)?;
        let address = match &mut place.at {
            Location::Memory(address) | Location::Bits(address, _) => Some(address),
            Location::Register(_) => None,
        };
        let mut parts: Vec<&mut ExprId> = vec![&mut left.expr, &mut right.expr];
        parts.extend(address);
        let mut registers = Vec::new();
        for part in parts {
            let ty = self.program.exprs.ty(*part);
            let reg = self.temporary(ty);
            self.assign(reg, *part);
            *part = self.program.read(reg);
            registers.push(reg);
        }
        self.jump(end);
        self.frame.at = other;
        let (at, a, c) = self.compound_in_order(b, true)?;
        let address = match at.at {
            Location::Memory(address) | Location::Bits(address, _) => Some(address),
            Location::Register(_) => None,
        };
        let values = [Some(a.expr), Some(c.expr), address];
        for (&reg, value) in registers.iter().zip(values.into_iter().flatten()) {
            self.assign(reg, value);
        }
        self.jump(end);
        self.frame.at = end;
        Ok((place, left, right))
    }
}

/// Places that an expression changes before its value is all there is: not what a call, a comma or
/// a condition closes off.
#[derive(Default)]
struct Changes<'a>(Vec<&'a Node<Expression>>);

impl<'a> Visit<'a> for Changes<'a> {
    fn visit_expression(&mut self, e: &'a Expression, span: &'a CSpan) {
        use UnaryOperator::*;
        match e {
            Expression::UnaryOperator(u)
                if matches!(
                    u.node.operator.node,
                    PostIncrement | PostDecrement | PreIncrement | PreDecrement
                ) =>
            {
                self.0.push(&u.node.operand);
            }
            Expression::Comma(list) => {
                if let Some(last) = list.last() {
                    self.visit_expression(&last.node, &last.span);
                }
                return;
            }
            Expression::Conditional(c) => {
                for arm in [&c.node.then_expression, &c.node.else_expression] {
                    self.visit_expression(&arm.node, &arm.span);
                }
                return;
            }
            Expression::BinaryOperator(b)
                if matches!(
                    b.node.operator.node,
                    BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr
                ) =>
            {
                let right = &b.node.rhs;
                self.visit_expression(&right.node, &right.span);
                return;
            }
            Expression::Call(_)
            | Expression::Statement(_)
            | Expression::SizeOfVal(_)
            | Expression::SizeOfTy(_)
            | Expression::VaArg(_) => return,
            _ => {}
        }
        lang_c::visit::visit_expression(self, e, span);
    }
}
