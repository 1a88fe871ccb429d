//! Where frame objects end: with their block, also where a jump leaves it. Kept only where memory
//! is checked (`Options::checks`); elsewhere objects live as long as their function.
//!
//! What a statement expression `({ … })` declares lives to the end of the block around it: its
//! value may be read from there.

use super::*;

impl<'a> Lowerer<'a> {
    /// A frame object comes into scope.
    pub fn opened(&mut self, object: ObjectId) {
        if self.checks {
            self.frame.open.push(object);
        }
    }

    /// Runs the statements of a block and ends what they declare.
    pub fn block(&mut self, run: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let mark = self.frame.open.len();
        self.scoped(run)?;
        self.leave_from(mark);
        self.frame.open.truncate(mark);
        Ok(())
    }

    /// Ends everything that came into scope since there were `mark` objects.
    pub fn leave_from(&mut self, mark: usize) {
        for i in (mark..self.frame.open.len()).rev() {
            self.emit(Op::Leave(self.frame.open[i]));
        }
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
            let left: Vec<ObjectId> = open
                .into_iter()
                .filter(|o| !stays.contains(o))
                .rev()
                .collect();
            if left.is_empty() {
                continue;
            }
            let (target, span) = {
                let edge = &self.frame.body.edges[edge];
                (edge.target, edge.span)
            };
            let mut at = self.frame.body.add_location(span);
            self.frame.body.edges[edge].target = at;
            for object in left {
                let next = self.frame.body.add_location(span);
                self.frame.body.add_edge(at, next, Op::Leave(object), span);
                at = next;
            }
            self.frame.body.add_edge(at, target, Op::Skip, span);
        }
    }
}
