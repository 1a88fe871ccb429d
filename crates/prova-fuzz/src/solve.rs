//! New tests from comparisons. Where a run compared a word with another, and one of the two is what
//! an input held, the input is given the other one, and its neighbours. So magic numbers, lengths
//! and keywords are met without a solver.

use crate::campaign::Entry;
use crate::candidate::Candidate;
use rustc_hash::FxHashSet;

/// Tests that a run may give.
const MOST: usize = 400;
/// Places at which one word is looked for.
const MOST_PLACES: usize = 6;

fn masked(value: u128, width: u8) -> u128 {
    value & (u128::MAX >> (128 - u32::from(width).clamp(1, 128)))
}

/// Whether a word of `width` bits may come from an input: as it is, or extended either way.
fn comes_from(word: u64, width: u8, value: u128, of: u8) -> bool {
    let value = masked(value, of);
    let zero = value as u64;
    let sign = match of {
        0 | 64.. => zero,
        of => ((value << (128 - u32::from(of))) as i128 >> (128 - u32::from(of))) as u64,
    };
    let mask = u64::MAX >> (64 - u32::from(width).clamp(1, 64));
    word == zero & mask || word == sign & mask
}

/// Tests in which an input, or several bytes one behind the other, is what it was compared with.
pub fn solve(entry: &Entry, compared: &[(u8, u64, u64)]) -> Vec<Candidate> {
    let mut asked = FxHashSet::default();
    let mut found = Vec::new();
    for &(width, a, b) in compared {
        if !asked.insert((width, a, b)) {
            continue;
        }
        for (from, to) in [(a, b), (b, a)] {
            // A truth value is compared everywhere.
            if width < 2 {
                continue;
            }
            replace_values(entry, width, from, to, &mut found);
            replace_bytes(entry, width, from, to, &mut found);
            if found.len() >= MOST {
                found.truncate(MOST);
                return found;
            }
        }
    }
    found
}

fn replace_values(entry: &Entry, width: u8, from: u64, to: u64, found: &mut Vec<Candidate>) {
    let values = entry.candidate.values.iter().zip(&entry.widths).enumerate();
    let places = values.filter(|(_, (&v, &of))| comes_from(from, width, v, of));
    for (i, (_, &of)) in places.take(MOST_PLACES) {
        for near in [to, to.wrapping_add(1), to.wrapping_sub(1)] {
            let mut made = entry.candidate.clone();
            made.values[i] = masked(near as i64 as i128 as u128, of);
            found.push(made);
        }
    }
}

/// Bytes of values, and of memory, that make up the word, the lowest first.
fn replace_bytes(entry: &Entry, width: u8, from: u64, to: u64, found: &mut Vec<Candidate>) {
    let size = usize::from(width / 8);
    if !matches!(size, 1 | 2 | 4 | 8) {
        return;
    }
    let (from, to) = (from.to_le_bytes(), to.to_le_bytes());
    if size > 1 {
        let widths = entry.widths.windows(size);
        let windows = entry.candidate.values.windows(size).zip(widths).enumerate();
        let places = windows.filter(|(_, (values, widths))| {
            let mut bytes = values.iter().zip(*widths).zip(&from);
            bytes.all(|((&v, &of), &b)| of == 8 && v as u8 == b)
        });
        for (i, _) in places.take(MOST_PLACES) {
            let mut made = entry.candidate.clone();
            for (k, &byte) in to[..size].iter().enumerate() {
                made.values[i + k] = u128::from(byte);
            }
            found.push(made);
        }
    }
    for filled in &entry.filled {
        let byte = |offset: u64| match filled.number {
            Some(number) => entry.candidate.fresh.get(&(number, offset)),
            None => entry.candidate.contents.get(&(filled.address + offset)),
        };
        let held = |offset: u64| byte(offset).copied().unwrap_or(0);
        let last = (filled.size + 1).saturating_sub(size as u64);
        let places = (0..last)
            .filter(|&at| (0..size).all(|k| held(at + k as u64) == from[k]))
            .take(MOST_PLACES);
        for at in places {
            let mut made = entry.candidate.clone();
            for (k, &b) in to[..size].iter().enumerate() {
                let offset = at + k as u64;
                match filled.number {
                    Some(number) => made.fresh.insert((number, offset), b),
                    None => made.contents.insert(filled.address + offset, b),
                };
            }
            found.push(made);
        }
    }
}
