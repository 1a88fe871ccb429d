//! Looks over the syntax before anything is lowered: whose address is taken (the others can live
//! in registers), which names are mentioned (the library models to link), and what an operand
//! may change (so that values read before it must be kept).

use lang_c::ast::*;
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use rustc_hash::FxHashSet;

/// Names of a piece of syntax.
#[derive(Default)]
pub struct Names<'a> {
    /// Variables whose address is taken.
    pub taken: FxHashSet<&'a str>,
    /// Every name used in an expression.
    pub mentioned: FxHashSet<&'a str>,
    /// Names whose value is used for more than one of its elements, or its size.
    pub passed: FxHashSet<&'a str>,
}

impl<'a> Visit<'a> for Names<'a> {
    fn visit_expression(&mut self, e: &'a Expression, span: &'a Span) {
        match e {
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Address => {
                let mut inner = &u.node.operand.node;
                // `&v[i][j]` lets the address of `v` out as well.
                while let Expression::BinaryOperator(b) = inner {
                    inner = &b.node.lhs.node;
                }
                if let Expression::Identifier(name) = inner {
                    self.passed.insert(&name.node.name);
                }
                if let Expression::Identifier(name) = &u.node.operand.node {
                    self.taken.insert(&name.node.name);
                }
            }
            Expression::Identifier(name) => {
                self.mentioned.insert(&name.node.name);
                self.passed.insert(&name.node.name);
            }
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::Index => {
                if let Expression::Identifier(name) = &b.node.lhs.node {
                    self.mentioned.insert(&name.node.name);
                    return self.visit_expression(&b.node.rhs.node, &b.node.rhs.span);
                }
            }
            Expression::SizeOfVal(s) => {
                if let Expression::Identifier(name) = &s.node.0.node {
                    self.mentioned.insert(&name.node.name);
                    return;
                }
            }
            _ => {}
        }
        visit::visit_expression(self, e, span);
    }

    fn visit_declaration(&mut self, d: &'a Declaration, span: &'a Span) {
        let of_all = d.specifiers.iter().filter_map(|s| match &s.node {
            DeclarationSpecifier::Extension(list) => Some(list),
            _ => None,
        });
        let of_all = of_all.flatten().any(needs_address);
        let register = |s: &Node<DeclarationSpecifier>| match &s.node {
            DeclarationSpecifier::StorageClass(c) => c.node == StorageClassSpecifier::Register,
            _ => false,
        };
        if d.specifiers.iter().any(register) {
            return visit::visit_declaration(self, d, span);
        }
        for declarator in d.declarators.iter().map(|i| &i.node.declarator.node) {
            if of_all || declarator.extensions.iter().any(needs_address) {
                let name = declared_name(declarator);
                self.taken.extend(name.map(|n| n.node.name.as_str()));
            }
        }
        visit::visit_declaration(self, d, span);
    }

    fn visit_extension(&mut self, e: &'a Extension, span: &'a Span) {
        if let Extension::AsmLabel(label) = e {
            let target = label.node.first().map(|s| s.trim_matches('"'));
            self.taken.extend(target);
        }
        visit::visit_extension(self, e, span);
    }

    fn visit_attribute(&mut self, a: &'a Attribute, span: &'a Span) {
        if a.name.node.trim_matches('_') == "alias" {
            if let Some(Expression::StringLiteral(text)) = a.arguments.first().map(|e| &e.node) {
                let target = text.node.first().map(|s| s.trim_matches('"'));
                self.taken.extend(target);
            }
        }
        visit::visit_attribute(self, a, span);
    }
}

/// Whether a variable with this attribute has to have an address: somebody else is given it, or
/// has another name for it.
fn needs_address(e: &Node<Extension>) -> bool {
    match &e.node {
        Extension::Attribute(a) => {
            matches!(a.name.node.trim_matches('_'), "cleanup" | "alias" | "weak")
        }
        Extension::AsmLabel(_) => true,
        _ => false,
    }
}

/// What evaluating an operand may change.
#[derive(Default)]
pub struct Effects<'a> {
    /// Calls a function: global registers and memory may change.
    pub calls: bool,
    /// Writes memory directly.
    pub memory: bool,
    /// Anything at all may change.
    pub anything: bool,
    /// Variables written by name.
    pub written: Vec<&'a str>,
}

impl<'a> Effects<'a> {
    /// The effects of an expression.
    pub fn of(e: &'a Node<Expression>) -> Self {
        let mut effects = Effects::default();
        effects.visit_expression(&e.node, &e.span);
        effects
    }

    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        !self.calls && !self.memory && !self.anything && self.written.is_empty()
    }

    fn write(&mut self, target: &'a Expression) {
        match target {
            Expression::Identifier(name) => self.written.push(&name.node.name),
            _ => self.memory = true,
        }
    }
}

fn is_assignment(op: &BinaryOperator) -> bool {
    use BinaryOperator::*;
    matches!(
        op,
        Assign
            | AssignMultiply
            | AssignDivide
            | AssignModulo
            | AssignPlus
            | AssignMinus
            | AssignShiftLeft
            | AssignShiftRight
            | AssignBitwiseAnd
            | AssignBitwiseXor
            | AssignBitwiseOr
    )
}

impl<'a> Visit<'a> for Effects<'a> {
    fn visit_expression(&mut self, e: &'a Expression, span: &'a Span) {
        if self.anything {
            return;
        }
        match e {
            Expression::Call(_) => self.calls = true,
            Expression::VaArg(_) | Expression::Statement(_) => self.anything = true,
            Expression::UnaryOperator(u) => {
                use UnaryOperator::*;
                if matches!(
                    u.node.operator.node,
                    PostIncrement | PostDecrement | PreIncrement | PreDecrement
                ) {
                    self.write(&u.node.operand.node);
                }
            }
            Expression::BinaryOperator(b) if is_assignment(&b.node.operator.node) => {
                self.write(&b.node.lhs.node);
            }
            Expression::SizeOfTy(_) | Expression::AlignOf(_) => return,
            _ => {}
        }
        visit::visit_expression(self, e, span);
    }
}

/// The name a declarator declares.
pub fn declared_name(d: &Declarator) -> Option<&Node<Identifier>> {
    match &d.kind.node {
        DeclaratorKind::Abstract => None,
        DeclaratorKind::Identifier(name) => Some(name),
        DeclaratorKind::Declarator(inner) => declared_name(&inner.node),
    }
}
