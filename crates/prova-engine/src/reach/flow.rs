//! Cutpoints and blocks as an exploration needs them: what leaves a cutpoint, where errors are, in
//! which order cutpoints are best visited, and where loops are entered.

use crate::problem::blocks::{BlockId, Blocks, Cutpoint};

/// The graph of cutpoints, with its order.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Blocks out of each cutpoint.
    pub outgoing: Vec<Vec<BlockId>>,
    /// Blocks into each cutpoint.
    pub incoming: Vec<Vec<BlockId>>,
    /// Cutpoints in reverse postorder: each after those before it, loops aside.
    pub order: Vec<Cutpoint>,
    ends: Vec<(Cutpoint, Cutpoint)>,
    errors: Vec<bool>,
    position: Vec<u32>,
    heads: Vec<bool>,
}

impl Flow {
    /// The flow of these blocks.
    pub fn new(blocks: &Blocks) -> Flow {
        let outgoing = blocks.outgoing();
        let (order, heads) = order(blocks, &outgoing);
        let mut position = vec![u32::MAX; outgoing.len()];
        for (i, cutpoint) in order.iter().enumerate() {
            position[cutpoint.index()] = i as u32;
        }
        let mut errors = vec![false; outgoing.len()];
        for cutpoint in &blocks.errors {
            errors[cutpoint.index()] = true;
        }
        Flow {
            outgoing,
            incoming: blocks.incoming(),
            order,
            ends: blocks.blocks.iter().map(|b| (b.source, b.target)).collect(),
            errors,
            position,
            heads,
        }
    }

    /// Where a block starts.
    pub fn source(&self, block: BlockId) -> Cutpoint {
        self.ends[block.index()].0
    }

    /// Where a block ends.
    pub fn target(&self, block: BlockId) -> Cutpoint {
        self.ends[block.index()].1
    }

    /// Whether a cutpoint must not be reached.
    pub fn is_error(&self, cutpoint: Cutpoint) -> bool {
        self.errors[cutpoint.index()]
    }

    /// Whether a loop is entered here. Every loop has such a cutpoint.
    pub fn is_head(&self, cutpoint: Cutpoint) -> bool {
        self.heads[cutpoint.index()]
    }

    /// The place of a cutpoint in [`Flow::order`].
    pub fn position(&self, cutpoint: Cutpoint) -> u32 {
        self.position[cutpoint.index()]
    }
}

/// Cutpoints in reverse postorder, and where cycles are entered: the targets of blocks back to a
/// cutpoint that the walk is still inside of.
fn order(blocks: &Blocks, outgoing: &[Vec<BlockId>]) -> (Vec<Cutpoint>, Vec<bool>) {
    #[derive(Clone, Copy)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; outgoing.len()];
    let mut heads = vec![false; outgoing.len()];
    let mut order = Vec::new();
    let mut stack = vec![(Cutpoint::START, 0)];
    marks[Cutpoint::START.index()] = Mark::Open;
    while let Some((at, next)) = stack.pop() {
        let Some(&id) = outgoing[at.index()].get(next) else {
            marks[at.index()] = Mark::Done;
            order.push(at);
            continue;
        };
        stack.push((at, next + 1));
        let target = blocks.block(id).target;
        match marks[target.index()] {
            Mark::New => {
                marks[target.index()] = Mark::Open;
                stack.push((target, 0));
            }
            Mark::Open => heads[target.index()] = true,
            Mark::Done => {}
        }
    }
    order.reverse();
    (order, heads)
}
