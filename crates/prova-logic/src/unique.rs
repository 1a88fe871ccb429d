//! Finding terms again by their content: what makes sharing total.
//!
//! New terms are mostly made of recent ones, and a table spread by a hash would miss the cache at
//! every look. So a term is filed under its newest child: eight neighbouring terms share a block
//! of one cache line, which lists the terms whose newest child they are. The line is warm, for
//! the child was just used, and nothing moves when there are more terms. What a full block has no
//! room for, and what has no children, goes to an ordinary hash table.

use crate::term::Term;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Neighbouring terms per block, as a power of two.
const NEIGHBOURS: u32 = 3;
/// Terms a block has room for: what fills a cache line.
const ROOM: usize = 12;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Block {
    ids: [u32; ROOM],
    /// Eight bits of each term's hash, so that strangers are passed over here.
    tags: [u8; ROOM],
    len: u8,
}

const EMPTY: Block = Block {
    ids: [0; ROOM],
    tags: [0; ROOM],
    len: 0,
};

/// An entry of the table. With the hash beside the id, neither growing the table nor passing
/// over a stranger touches the nodes, whose memory is cold.
#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    id: u32,
}

/// The table's 64-bit hash from the 32 bits that are kept.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Ids of terms by content.
pub(crate) struct Unique {
    blocks: Vec<Block>,
    table: HashTable<Slot>,
}

/// Where a new term will be filed.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    Block(u32),
    Table,
}

impl Unique {
    pub(crate) fn new() -> Unique {
        Unique {
            blocks: Vec::new(),
            table: HashTable::new(),
        }
    }

    /// The term with this hash that `same` knows, or the place for it. Terms with children are
    /// asked for with the newest of them.
    #[inline]
    pub(crate) fn find(
        &self,
        newest: Option<Term>,
        hash: u32,
        same: impl Fn(u32) -> bool,
    ) -> Result<Term, Place> {
        if let Some(newest) = newest {
            let at = newest.0 >> NEIGHBOURS;
            let Some(block) = self.blocks.get(at as usize) else {
                return Err(Place::Block(at));
            };
            let tag = hash as u8;
            for i in 0..usize::from(block.len) {
                if block.tags[i] == tag && same(block.ids[i]) {
                    return Ok(Term(block.ids[i]));
                }
            }
            if usize::from(block.len) < ROOM {
                return Err(Place::Block(at));
            }
        }
        let found = self
            .table
            .find(spread(hash), |slot| slot.hash == hash && same(slot.id));
        found.map_or(Err(Place::Table), |slot| Ok(Term(slot.id)))
    }

    /// Files a term where `find` said.
    #[inline]
    pub(crate) fn insert(&mut self, place: Place, hash: u32, id: u32) {
        match place {
            Place::Block(at) => {
                let at = at as usize;
                if at >= self.blocks.len() {
                    self.blocks.resize(at + 1, EMPTY);
                }
                let block = &mut self.blocks[at];
                let len = usize::from(block.len);
                block.ids[len] = id;
                block.tags[len] = hash as u8;
                block.len += 1;
            }
            Place::Table => {
                self.table
                    .insert_unique(spread(hash), Slot { hash, id }, |slot| spread(slot.hash));
            }
        }
    }
}

/// The hash of a term's content.
#[inline]
pub(crate) fn hash_words(op: u8, sort: u16, words: &[Term]) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write_u32(u32::from(op) | u32::from(sort) << 8);
    for pair in words.chunks(2) {
        let high = pair.get(1).map_or(0, |t| t.0);
        hasher.write_u64(u64::from(pair[0].0) | u64::from(high) << 32);
    }
    let hash = hasher.finish();
    (hash ^ (hash >> 32)) as u32
}
