//! A column of (step, value) pairs, by increasing step, that takes few bytes and answers "what
//! was the value at step k" by binary search.
//!
//! Steps and values are kept as differences to their predecessor in variable-length bytes; every
//! [`BLOCK`] entries stands an absolute one. A counter in a loop costs two to three bytes per
//! write. A write that does not change the value is not kept.

/// Entries between two absolute ones.
const BLOCK: u32 = 64;

/// The first entry of a block.
#[derive(Clone, Copy, Debug)]
struct Start {
    value: u64,
    step: u32,
    /// Where the block's further entries begin.
    offset: u32,
}

/// The history of one register or memory word, or of the path.
#[derive(Clone, Debug, Default)]
pub struct Log {
    starts: Vec<Start>,
    bytes: Vec<u8>,
    last_value: u64,
    last_step: u32,
    in_block: u32,
}

impl Log {
    /// Appends a value that holds from `step` on. A second value at the same step replaces the
    /// first in lookups.
    #[inline(always)]
    pub fn push(&mut self, step: u32, value: u64) {
        if value == self.last_value && !self.starts.is_empty() {
            return;
        }
        self.append(step, value);
    }

    /// Appends also where the value repeats: for the path, where each entry is a place.
    #[inline(always)]
    pub fn append(&mut self, step: u32, value: u64) {
        if self.in_block == BLOCK || self.starts.is_empty() || self.bytes.len() > u32::MAX as usize
        {
            self.start_block(step, value);
            return;
        }
        let by = step - self.last_step;
        let change = value.wrapping_sub(self.last_value) as i64;
        let zigzag = ((change << 1) ^ (change >> 63)) as u64;
        if by < 0x80 && zigzag < 0x80 {
            self.bytes.extend_from_slice(&[by as u8, zigzag as u8]);
        } else {
            push_number(&mut self.bytes, u64::from(by));
            push_number(&mut self.bytes, zigzag);
        }
        self.in_block += 1;
        self.last_step = step;
        self.last_value = value;
    }

    #[cold]
    fn start_block(&mut self, step: u32, value: u64) {
        self.starts.push(Start { step, value, offset: self.bytes.len().min(u32::MAX as usize) as u32 });
        self.in_block = 0;
        self.last_step = step;
        self.last_value = value;
    }

    /// Whether nothing was ever written.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The value that holds at `step`, with the step it was written; `None` before the first.
    pub fn at(&self, step: u32) -> Option<(u32, u64)> {
        if step >= self.last_step && !self.starts.is_empty() {
            return Some((self.last_step, self.last_value));
        }
        let block = self.starts.partition_point(|s| s.step <= step).checked_sub(1)?;
        let mut found = (self.starts[block].step, self.starts[block].value);
        for entry in self.block(block) {
            if entry.0 > step {
                break;
            }
            found = entry;
        }
        Some(found)
    }

    /// The entries of a block behind its first.
    fn block(&self, block: usize) -> Entries<'_> {
        let start = self.starts[block];
        let end = self.starts.get(block + 1).map_or(self.bytes.len(), |s| s.offset as usize);
        Entries {
            bytes: &self.bytes[start.offset as usize..end],
            step: start.step,
            value: start.value,
        }
    }

    /// All entries in order.
    pub fn entries(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.starts.iter().enumerate().flat_map(|(i, start)| {
            std::iter::once((start.step, start.value)).chain(self.block(i))
        })
    }

    /// Bytes it takes.
    pub fn size(&self) -> usize {
        self.bytes.capacity() + self.starts.capacity() * std::mem::size_of::<Start>()
    }
}

struct Entries<'a> {
    bytes: &'a [u8],
    step: u32,
    value: u64,
}

impl Iterator for Entries<'_> {
    type Item = (u32, u64);

    fn next(&mut self) -> Option<(u32, u64)> {
        if self.bytes.is_empty() {
            return None;
        }
        let by = read_number(&mut self.bytes);
        let zigzag = read_number(&mut self.bytes);
        self.step += by as u32;
        let change = (zigzag >> 1) as i64 ^ -((zigzag & 1) as i64);
        self.value = self.value.wrapping_add(change as u64);
        Some((self.step, self.value))
    }
}

fn push_number(bytes: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        bytes.push(n as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
}

fn read_number(bytes: &mut &[u8]) -> u64 {
    let mut n = 0;
    let mut shift = 0;
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        n |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            break;
        }
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookups_agree_with_a_plain_list() {
        let mut log = Log::default();
        let mut plain: Vec<(u32, u64)> = Vec::new();
        let mut step = 0;
        for i in 0..2000u64 {
            step += crate::test::mix(1, i) as u32 % 300;
            let value = match i % 5 {
                0 => i,
                1 => u64::MAX - i,
                2 => 0,
                _ => crate::test::mix(2, i),
            };
            log.push(step, value);
            plain.push((step, value));
        }
        for k in 0..step + 10 {
            let expected = plain.iter().rev().find(|(s, _)| *s <= k).map(|&(_, v)| v);
            assert_eq!(log.at(k).map(|(_, v)| v), expected, "at {k}");
        }
    }

    #[test]
    fn a_counter_takes_few_bytes() {
        let mut log = Log::default();
        for i in 0..1_000_000u32 {
            log.push(5 * i, u64::from(i));
        }
        assert!(log.size() < 5_000_000, "{} bytes", log.size());
        assert_eq!(log.at(2_500_003), Some((2_500_000, 500_000)));
    }
}
