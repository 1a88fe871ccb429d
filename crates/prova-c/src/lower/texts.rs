//! Variables that hold the address of a string literal where they are used. Programs that went
//! through a tool say `f = "%d\n"; printf(f, n);`, and so do people who name their formats: a format
//! that is known this way costs no more than one that stands in the call.
//!
//! Followed within straight code only: whatever may be entered from elsewhere, or left on one of
//! several ways, begins with nothing known (`stmt.rs`). A variable in a register of the function's
//! own is written by assignments and by nothing else.

use super::format::literal_of;
use super::*;
use lang_c::ast::*;
use lang_c::visit::{self, Visit};

impl<'a> Lowerer<'a> {
    /// The characters that an expression points to, where it is a literal or is known to lead to one.
    pub fn text_of(&self, e: &Node<Expression>) -> Option<Vec<u8>> {
        match &e.node {
            Expression::Cast(c) if is_pointer_cast(&c.node) => self.text_of(&c.node.expression),
            Expression::Identifier(name) => {
                let register = self.own_pointer(&name.node.name)?;
                self.frame.texts.get(&register).cloned()
            }
            _ => literal_of(e),
        }
    }

    /// The register of a local variable that is a pointer.
    fn own_pointer(&self, name: &str) -> Option<RegId> {
        let Some(Symbol::Variable(var)) = self.lookup(name) else {
            return None;
        };
        let variable = &self.variables[var.0 as usize];
        let Home::Register(register) = variable.home else {
            return None;
        };
        let own = self.program.register(register).owner.is_some();
        let pointer = self.types.is_pointer(variable.ty.id) && !variable.ty.volatile;
        (own && pointer).then_some(register)
    }

    /// An expression that is a statement, and what it tells of texts.
    pub fn effect_on_texts(&mut self, e: &'a Node<Expression>) -> Result<()> {
        let target = match &e.node {
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::Assign => {
                if assigns(&b.node.lhs) || assigns(&b.node.rhs) {
                    self.frame.texts.clear();
                }
                Some((&b.node.lhs.node, &*b.node.rhs))
            }
            _ => {
                if assigns(e) {
                    self.frame.texts.clear();
                }
                None
            }
        };
        self.effect(e)?;
        if let Some((Expression::Identifier(name), value)) = target {
            self.now_holds(&name.node.name, value);
        }
        Ok(())
    }

    /// A declaration, and what it tells of texts.
    pub fn declaration_of_texts(&mut self, d: &'a Node<Declaration>) -> Result<()> {
        let mut look = Assigns(false);
        look.visit_declaration(&d.node, &d.span);
        if look.0 {
            self.frame.texts.clear();
        }
        self.local_declaration(d)?;
        for init in &d.node.declarators {
            let name = crate::scan::declared_name(&init.node.declarator.node);
            let value = init.node.initializer.as_ref().map(|i| &i.node);
            if let (Some(name), Some(Initializer::Expression(value))) = (name, value) {
                self.now_holds(&name.node.name, value);
            }
        }
        Ok(())
    }

    fn now_holds(&mut self, name: &str, value: &Node<Expression>) {
        let text = self.text_of(value);
        if let Some(register) = self.own_pointer(name) {
            match text {
                Some(text) => self.frame.texts.insert(register, text),
                None => self.frame.texts.remove(&register),
            };
        }
    }
}

fn is_pointer_cast(cast: &CastExpression) -> bool {
    let declarator = cast.type_name.node.declarator.as_ref();
    let outermost = declarator.and_then(|d| d.node.derived.last());
    outermost.is_some_and(|d| matches!(d.node, DerivedDeclarator::Pointer(_)))
}

/// Whether an expression may write a variable other than by being called.
fn assigns(e: &Node<Expression>) -> bool {
    let mut look = Assigns(false);
    look.visit_expression(&e.node, &e.span);
    look.0
}

struct Assigns(bool);

impl<'ast> Visit<'ast> for Assigns {
    fn visit_binary_operator(&mut self, op: &'ast BinaryOperator, _: &'ast CSpan) {
        use BinaryOperator::*;
        self.0 |= matches!(
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
        );
    }

    fn visit_unary_operator(&mut self, op: &'ast UnaryOperator, _: &'ast CSpan) {
        use UnaryOperator::*;
        self.0 |= matches!(
            op,
            PostIncrement | PostDecrement | PreIncrement | PreDecrement
        );
    }

    fn visit_expression(&mut self, e: &'ast Expression, span: &'ast CSpan) {
        self.0 |= matches!(e, Expression::Statement(_));
        visit::visit_expression(self, e, span);
    }
}
