//! Where blocks end, also where a jump leaves them: frame objects end with their block, and
//! `__attribute__((cleanup(f)))` calls `f`. The ends of objects are kept only where memory is
//! checked (`Options::checks`); elsewhere objects live as long as their function.
//!
//! A statement expression `({ … })` is a block, too; its value is known before the block ends.

use super::*;
use lang_c::ast::Identifier;

/// What happens to something in scope when its block is left.
#[derive(Clone, Debug)]
pub(crate) struct Ending {
    /// Unlike all others of the function.
    number: u32,
    /// How many blocks are around it.
    depth: u32,
    /// A call, or the end of a frame object.
    op: Op,
}

impl Ending {
    fn is_call(&self) -> bool {
        matches!(self.op, Op::Call { .. })
    }
}

/// In the order in which they happen: block by block from within, in each the calls before the
/// ends of the objects that they may look at.
fn in_order(mut endings: Vec<Ending>) -> Vec<Ending> {
    endings.sort_by_key(|e| {
        let depth = std::cmp::Reverse(e.depth);
        (depth, !e.is_call(), std::cmp::Reverse(e.number))
    });
    endings
}

impl<'a> Lowerer<'a> {
    /// A frame object comes into scope.
    pub fn opened(&mut self, object: ObjectId) {
        if self.checks {
            self.at_end(Op::Leave(object));
        }
    }

    /// A variable-length array comes into scope. Its memory is kept to the end of the function; if
    /// it ends before, with its block, and others may know its address, that is not modelled.
    pub fn opened_array(&mut self, name: &str, ty: QType, span: CSpan) {
        let element = self.types.array(ty.id).map(|(element, _)| element.id);
        let rows = element.is_some_and(|e| self.types.array(e).is_some());
        let known = rows || self.frame.passed.contains(name);
        if self.checks && self.frame.depth > 1 && known {
            let what = "the end of a variable-length array whose address is known elsewhere";
            let id = self.new_marker(MarkerKind::Other(what.into()), span);
            self.at_end(Op::Marker(id));
        }
    }

    fn at_end(&mut self, op: Op) {
        self.frame.endings += 1;
        self.frame.open.push(Ending {
            number: self.frame.endings,
            depth: self.frame.depth,
            op,
        });
    }

    /// `__attribute__((cleanup(name)))` of a variable at `address`.
    pub fn cleaned_up(
        &mut self,
        name: &str,
        address: ExprId,
        variable: &'a Node<Identifier>,
    ) -> Result<()> {
        let Some(&Symbol::Function(proc)) = self.lookup(name) else {
            let message = format!("`{name}` cleans up but is not a declared function");
            return Err(self.error(variable.span, message));
        };
        let ty = self.types.function(self.functions[proc.index()].ty);
        let ty = ty.expect("functions have function types");
        let takes_one = ty.prototype && !ty.variadic && ty.parameters.len() == 1;
        let record = self.types.record(ty.result.id).is_some();
        if !takes_one || record || !self.types.is_pointer(ty.parameters[0].id) {
            let message = format!("`{name}` cleans up but does not take just a pointer");
            return Err(self.error(variable.span, message));
        }
        let result = match self.types.is_void(ty.result.id) {
            true => None,
            false => {
                let ir = self.ir_type(ty.result.id, variable.span)?;
                Some(self.temporary(ir))
            }
        };
        self.at_end(Op::Call {
            result,
            callee: Callee::Direct(proc),
            arguments: vec![address],
        });
        Ok(())
    }

    /// Runs the statements of a block and ends what they declare.
    pub fn block(&mut self, run: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let mark = self.frame.open.len();
        self.frame.depth += 1;
        let result = self.scoped(run);
        self.frame.depth -= 1;
        result?;
        self.leave_from(mark);
        self.frame.open.truncate(mark);
        Ok(())
    }

    /// Runs a statement expression and ends what it declares.
    pub fn inner_block(&mut self, run: impl FnOnce(&mut Self) -> Result<Value>) -> Result<Value> {
        let mark = self.frame.open.len();
        self.frame.depth += 1;
        // It may stand in one of several ways through an expression.
        self.frame.texts.clear();
        let result = self.scoped(run);
        self.frame.texts.clear();
        self.frame.depth -= 1;
        let mut value = result?;
        if self.frame.open.len() > mark {
            value = self.settled(value)?;
            self.leave_from(mark);
            self.frame.open.truncate(mark);
        }
        Ok(value)
    }

    /// A value that nothing can change any more.
    pub fn settled(&mut self, value: Value) -> Result<Value> {
        if self.types.is_void(value.ty) {
            return Ok(value);
        }
        if self.types.record(value.ty).is_none() {
            let expr = self.keep(value.expr);
            return Ok(Value { expr, ..value });
        }
        let size = self.size_of(value.ty, CSpan::none())?;
        let align = self.align_of(value.ty);
        let object = self.temporary_object(size, align, Some(value.ty));
        let target = self.address(object);
        self.copy_block(target, value.expr, size, false);
        Ok(Value {
            expr: target,
            ..value
        })
    }

    /// Ends everything that came into scope since there were `mark` endings.
    pub fn leave_from(&mut self, mark: usize) {
        let left = in_order(self.frame.open[mark..].to_vec());
        left.into_iter().for_each(|e| self.emit(e.op));
    }

    /// Whether a block that is open calls a function at its end.
    pub fn has_cleanups(&self) -> bool {
        self.frame.open.iter().any(Ending::is_call)
    }

    /// Makes the calls that a `return` makes; objects end with the activation.
    pub fn leave_function(&mut self) {
        let mut left = self.frame.open.clone();
        let Some(first) = left.iter().position(Ending::is_call) else {
            return;
        };
        // What ends behind the last call ends with the activation anyway.
        let depth = left[first..].iter().filter(|e| e.is_call());
        let depth = depth.map(|e| e.depth).min().unwrap_or(0);
        left.retain(|e| e.is_call() || e.depth > depth);
        in_order(left).into_iter().for_each(|e| self.emit(e.op));
    }

    /// A jump to a label; what it leaves is known once the label is.
    pub fn goto(&mut self, name: &'a str, target: LocId) {
        let edge = self.frame.body.edges.len();
        self.jump(target);
        if !self.frame.open.is_empty() {
            self.frame.gotos.push((edge, name, self.frame.open.clone()));
        }
        self.frame.at = self.new_location();
    }

    /// Ends what jumps to labels leave.
    pub fn finish_gotos(&mut self) {
        for (edge, name, open) in std::mem::take(&mut self.frame.gotos) {
            let stays = &self.frame.labels[name].open;
            let mut left = open;
            left.retain(|e| stays.iter().all(|s| s.number != e.number));
            if left.is_empty() {
                continue;
            }
            let (target, span) = {
                let edge = &self.frame.body.edges[edge];
                (edge.target, edge.span)
            };
            let mut at = self.frame.body.add_location(span);
            self.frame.body.edges[edge].target = at;
            for ending in in_order(left) {
                let next = self.frame.body.add_location(span);
                self.frame.body.add_edge(at, next, ending.op, span);
                at = next;
            }
            self.frame.body.add_edge(at, target, Op::Skip, span);
        }
    }
}
