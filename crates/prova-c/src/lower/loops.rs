//! What users say of loops: invariants and measures.
//!
//! `prova_invariant` and `prova_decreases` stand at the start of a loop's body and are looked at wherever the
//! loop's condition is about to be. Where one does not hold is an error of [`prova_ir::LOOP_CONTRACT`], in every check of what
//! runs do: so a proof may rest on it, and none does that was not checked. An engine takes what is said
//! as a candidate first (`prova-engine/knowledge/sources/stated`). A measure is kept in a register
//! whose name says so ([`prova_ir::MEASURE`]), where the search for rankings finds it
//! (`prova-termination/shape`).

use super::contract::called;
use super::*;
use lang_c::ast::*;
use prova_ir::{LOOP_CONTRACT, MEASURE};

impl<'a> Lowerer<'a> {
    /// The invariants and measures at the start of a loop's body, which hold whenever its condition
    /// is about to be looked at. Execution stands there.
    pub fn loop_clauses(&mut self, body: &'a Node<Statement>) -> Result<Vec<LoopClause<'a>>> {
        let mut found = Vec::new();
        let Statement::Compound(items) = &body.node else {
            return Ok(found);
        };
        for item in items {
            let BlockItem::Statement(statement) = &item.node else {
                break;
            };
            let Statement::Expression(Some(e)) = &statement.node else {
                break;
            };
            let Some((name, call)) = called(e) else {
                break;
            };
            let measure = match name {
                "__prova_invariant" => false,
                "__prova_decreases" => true,
                _ => break,
            };
            let [e] = &call.node.arguments[..] else {
                return Err(self.error(call.span, "a clause says one condition"));
            };
            if self.changes_something(e) {
                return Err(self.error(e.span, "a contract must not change anything"));
            }
            self.clause_places.insert((self.unit, call.span.start));
            let before = match measure {
                false => None,
                true => {
                    let (value, _) = self.aside(|s| s.expr(e))?;
                    let Some(kind) = self.types.integer(value.ty) else {
                        return Err(self.error(e.span, "a measure is an integer"));
                    };
                    let register = self.temporary(Type::Int(self.int_bits(kind)));
                    let started = self.temporary(Type::Int(8));
                    for (own, bits) in [(register, self.int_bits(kind)), (started, 8)] {
                        let name = self.unique_name(MEASURE);
                        self.program.registers[own.index()].name = name;
                        let zero = self.int(0, bits);
                        self.assign(own, zero);
                    }
                    Some((register, started))
                }
            };
            found.push(LoopClause { e, before });
        }
        Ok(found)
    }

    /// Checks invariants and measures at the head of a loop.
    pub fn check_loop_clauses(&mut self, clauses: &[LoopClause<'a>]) -> Result<()> {
        for clause in clauses {
            let e = clause.e;
            let value = self.expr(e)?;
            let Some((before, started)) = clause.before else {
                let holds = self.truth(value.expr);
                let text = format!("the invariant `{}` does not hold", self.excerpt(e.span));
                self.contract_check(holds, LOOP_CONTRACT, text, e.span);
                continue;
            };
            let kind = self.types.integer(value.ty).unwrap_or(IntKind::Int);
            // Nothing between here and where it is kept changes it.
            let now = value.expr;
            let (old, zero) = (self.program.read(before), self.int(0, self.int_bits(kind)));
            let (less, none) = match kind.signed() {
                true => (BinaryOp::SLt, self.binary(BinaryOp::SLe, zero, old)),
                false => (BinaryOp::ULt, self.program.exprs.bool(true)),
            };
            let fell = self.binary(less, now, old);
            let fell = self.binary(BinaryOp::And, fell, none);
            let flag = self.program.read(started);
            let none = self.int(0, 8);
            let first = self.binary(BinaryOp::Eq, flag, none);
            let holds = self.binary(BinaryOp::Or, first, fell);
            let text = format!("the measure `{}` does not decrease", self.excerpt(e.span));
            self.contract_check(holds, LOOP_CONTRACT, text, e.span);
            self.assign(before, now);
            let one = self.int(1, 8);
            self.assign(started, one);
        }
        Ok(())
    }
}

/// An invariant of a loop, or a measure with where its last value is and whether there is one.
pub(crate) struct LoopClause<'a> {
    e: &'a Node<Expression>,
    before: Option<(RegId, RegId)>,
}
