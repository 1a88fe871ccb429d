//! A column of (step, value) pairs, by increasing step, that takes few bytes and answers "what
//! was the value at step k" by binary search.
//!
//! Steps and values are kept as differences to their predecessor in as few bytes as they need; every
//! `BLOCK` entries stands an absolute one. A counter in a loop costs two to three bytes per
//! write. A write that does not change the value is not kept.

/// Entries between two absolute ones.
const BLOCK: u32 = 64;

/// A header (difference of steps above, bytes of the value's below), a long step, a value.
const LONGEST_ENTRY: usize = 1 + 4 + 8;

/// Differences of steps from here on do not fit the header.
const LONG_STEP: u32 = 15;

/// The first entry of a block.
#[derive(Clone, Copy, Debug)]
struct Start {
    value: u64,
    step: u32,
    /// Where the block's further entries begin. A run's memory limit keeps it below 4 GB.
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
        if self.in_block == BLOCK || self.starts.is_empty() {
            self.start_block(step, value);
            return;
        }
        let by = step - self.last_step;
        let change = value.wrapping_sub(self.last_value) as i64;
        let zigzag = ((change << 1) ^ (change >> 63)) as u64;
        let n = (71 - (zigzag | 1).leading_zeros()) / 8;
        let length = self.bytes.len();
        if self.bytes.capacity() - length < LONGEST_ENTRY {
            self.grow();
        }
        // SAFETY: there is room for the longest entry, and `length + used` bytes are written:
        // the header, four bytes of a long step, and eight of which `n` count.
        unsafe {
            let mut at = self.bytes.as_mut_ptr().add(length);
            let start = at;
            if by < LONG_STEP {
                *at = (by << 4 | n) as u8;
                at = at.add(1);
            } else {
                *at = (LONG_STEP << 4 | n) as u8;
                at.add(1)
                    .cast::<[u8; 4]>()
                    .write_unaligned(by.to_le_bytes());
                at = at.add(5);
            }
            at.cast::<[u8; 8]>().write_unaligned(zigzag.to_le_bytes());
            at = at.add(n as usize);
            let used = at.offset_from(start) as usize;
            self.bytes.set_len(length + used);
        }
        self.in_block += 1;
        self.last_step = step;
        self.last_value = value;
    }

    /// Small logs stay small: most memory words are written once or twice.
    #[cold]
    fn grow(&mut self) {
        let more = (self.bytes.len() / 2).clamp(2 * LONGEST_ENTRY, 1 << 24);
        self.bytes.reserve_exact(more);
    }

    #[cold]
    fn start_block(&mut self, step: u32, value: u64) {
        self.starts.push(Start {
            step,
            value,
            offset: self.bytes.len() as u32,
        });
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
        let block = self
            .starts
            .partition_point(|s| s.step <= step)
            .checked_sub(1)?;
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
        let end = self
            .starts
            .get(block + 1)
            .map_or(self.bytes.len(), |s| s.offset as usize);
        Entries {
            bytes: &self.bytes[start.offset as usize..end],
            step: start.step,
            value: start.value,
        }
    }

    /// All entries in order.
    pub fn entries(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.starts
            .iter()
            .enumerate()
            .flat_map(|(i, start)| std::iter::once((start.step, start.value)).chain(self.block(i)))
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
        let (&header, mut rest) = self.bytes.split_first()?;
        let mut by = u32::from(header >> 4);
        if by == LONG_STEP {
            let (long, behind) = rest.split_at(4);
            by = u32::from_le_bytes(long.try_into().unwrap_or_default());
            rest = behind;
        }
        let (low, rest) = rest.split_at(usize::from(header & 15));
        let mut bytes = [0; 8];
        bytes[..low.len()].copy_from_slice(low);
        let zigzag = u64::from_le_bytes(bytes);
        self.bytes = rest;
        self.step += by;
        let change = (zigzag >> 1) as i64 ^ -((zigzag & 1) as i64);
        self.value = self.value.wrapping_add(change as u64);
        Some((self.step, self.value))
    }
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
