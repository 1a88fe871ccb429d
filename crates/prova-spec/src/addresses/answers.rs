//! What a look at addresses gives, where the user lets that be arbitrary (`--addresses arbitrary`).
//!
//! A comparison of addresses of different objects, of an address with a number, or arithmetic on an
//! address as a number gives *something*; which, no proof may rest on. So it is chosen anew each
//! time, which allows more than any machine does. It leaves out one thing: that a program puts a
//! pointer together from such answers again. That is the assumption.

use crate::steps::Step;
use prova_ir::{
    BinaryOp, Body, EdgeId, Expr, ExprId, ExprPool, Origin, ProcId, Program, Register, Role, Span,
    Statement,
};
use rustc_hash::FxHashMap;

/// The answers that are chosen before the edges of one location.
#[derive(Default)]
pub(crate) struct Answers {
    /// What shows an address; the answer, and where there is one that everybody knows.
    chosen: Vec<(ExprId, ExprId, ExprId)>,
}

impl Answers {
    /// Lets an expression give anything where what it looks at is not `fine`; the step that chooses,
    /// if it is not chosen already.
    pub fn choose(
        &mut self,
        program: &mut Program,
        procedure: ProcId,
        shown: ExprId,
        fine: ExprId,
    ) -> Option<Step> {
        if let Some(known) = self.chosen.iter_mut().find(|(e, ..)| *e == shown) {
            known.2 = program.exprs.binary(BinaryOp::And, known.2, fine);
            return None;
        }
        let name = program.fresh_register_name("prova.answer");
        let ty = program.exprs.ty(shown);
        let target = program.add_register(Register {
            name,
            c_name: String::new(),
            ty,
            ctype: None,
            owner: Some(procedure),
            role: Role::Temporary,
            initial: None,
            span: Span::NONE,
        });
        self.chosen.push((shown, program.read(target), fine));
        Some(Step::Do(Statement::Nondet {
            target,
            origin: Origin::Choice("what a look at addresses gives".into()),
        }))
    }

    /// Puts the answers into edges; gives what became of expressions.
    pub fn put_in(
        self,
        program: &mut Program,
        body: &mut Body,
        edges: &[EdgeId],
    ) -> FxHashMap<ExprId, ExprId> {
        if self.chosen.is_empty() {
            return FxHashMap::default();
        }
        let mut new = FxHashMap::default();
        for (shown, answer, fine) in self.chosen {
            new.insert(shown, (answer, fine));
        }
        let mut done = FxHashMap::default();
        for &edge in edges {
            let statement = &mut body.edges[edge.index()].statement;
            statement.map_expressions(|e| replaced(&mut program.exprs, e, &new, &mut done));
        }
        done
    }
}

fn replaced(
    pool: &mut ExprPool,
    e: ExprId,
    new: &FxHashMap<ExprId, (ExprId, ExprId)>,
    done: &mut FxHashMap<ExprId, ExprId>,
) -> ExprId {
    if let Some(&known) = done.get(&e) {
        return known;
    }
    let children: Vec<ExprId> = pool.children(e).collect();
    let mut parts = Vec::with_capacity(children.len());
    for child in children {
        parts.push(replaced(pool, child, new, done));
    }
    let mut parts = parts.into_iter();
    let mut result = e;
    if parts.len() > 0 {
        let expr = pool.get(e);
        result = pool.add(expr.map_children(|_| parts.next().expect("as many as there were")));
    }
    if let Some(&(answer, fine)) = new.get(&e) {
        result = pool.add(Expr::Ite {
            cond: fine,
            then: result,
            otherwise: answer,
        });
    }
    done.insert(e, result);
    result
}
