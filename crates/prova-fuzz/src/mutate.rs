//! New tests from old ones: a few small changes at once, of values, of stretches of values, and of
//! bytes of memory.

use crate::campaign::Entry;
use crate::candidate::Candidate;
use fastrand::Rng;
use prova_exec::Code;
use prova_ir::{Expr, Initial, Storage};

/// Words of a program's text that are kept, and how long one may be.
const MOST_WORDS: usize = 256;
const LONGEST_WORD: usize = 32;
/// Values that a test has at the most.
const MOST_VALUES: usize = 4096;
/// Characters that formats are made of.
const MARKS: &[u8] = b"\0 \t\r\n,.:;/\\|=+-*<>()[]{}\"'#%&?!@0123456789azAZ_\x7f\x80\xff";

/// What a program's own text says about what it may be looking for.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// Strings.
    pub strings: Vec<Vec<u8>>,
    /// Numbers.
    pub numbers: Vec<u128>,
}

impl Words {
    /// Strings and numbers of a program, each once.
    pub fn of(code: &Code) -> Words {
        let program = &code.program;
        let mut words = Words::default();
        for object in &program.objects {
            if let Storage::Static { initial, .. } = &object.storage {
                for (_, part) in initial {
                    if let Initial::Bytes(bytes) = part {
                        let text = bytes.split(|&b| b == 0);
                        let text = text.filter(|t| (1..=LONGEST_WORD).contains(&t.len()));
                        words.strings.extend(text.map(<[u8]>::to_vec));
                    }
                }
            }
        }
        for body in program.procedures.iter().filter_map(|p| p.body.as_ref()) {
            for root in body.edges.iter().flat_map(|e| e.statement.expressions()) {
                for e in program.exprs.subexpressions(root) {
                    if let Expr::Int { value, .. } = program.exprs.get(e) {
                        words.numbers.push(value);
                    }
                }
            }
        }
        words.strings.sort_unstable();
        words.strings.dedup();
        words.strings.truncate(MOST_WORDS);
        words.numbers.sort_unstable();
        words.numbers.dedup();
        words.numbers.truncate(MOST_WORDS);
        words
    }
}

/// A new test from one, with another at hand.
pub fn mutate(parent: &Entry, other: &Entry, words: &Words, rng: &mut Rng) -> Candidate {
    let mut made = parent.candidate.clone();
    // What the run did not ask for does not matter; what it may ask for next does.
    made.values.truncate(parent.widths.len());
    for _ in 0..1 << rng.u32(0..4) {
        match (made.values.is_empty(), parent.filled.is_empty()) {
            (_, true) => change_values(&mut made, parent, other, words, rng),
            (true, false) => change_memory(&mut made, parent, words, rng),
            (false, false) if rng.bool() => change_memory(&mut made, parent, words, rng),
            (false, false) => change_values(&mut made, parent, other, words, rng),
        }
    }
    let more = match parent.exhausted {
        true => rng.usize(0..16),
        false => rng.usize(0..4),
    };
    for _ in 0..more {
        let width = parent.widths.last().copied().unwrap_or(32);
        let value = random_value(width, words, rng);
        made.values.push(value);
    }
    made.values.truncate(MOST_VALUES);
    made
}

fn random_value(width: u8, words: &Words, rng: &mut Rng) -> u128 {
    let number = |rng: &mut Rng| rng.choice(&words.numbers).copied().unwrap_or(0);
    match rng.u32(0..8) {
        0 => 0,
        1 if width == 8 => u128::from(MARKS[rng.usize(0..MARKS.len())]),
        1 | 2 => number(rng),
        3 => number(rng).wrapping_add(rng.u128(0..3)).wrapping_sub(1),
        4 => rng.u128(0..16),
        5 => (rng.u128(0..4)).wrapping_neg(),
        6 if width == 8 => u128::from(rng.u8(b' '..=b'~')),
        6 => u128::MAX >> 1 >> (128 - u32::from(width).clamp(1, 128)),
        _ => rng.u128(..),
    }
}

fn change_values(
    made: &mut Candidate,
    parent: &Entry,
    other: &Entry,
    words: &Words,
    rng: &mut Rng,
) {
    let values = &mut made.values;
    if values.is_empty() {
        values.push(random_value(32, words, rng));
        return;
    }
    let at = rng.usize(0..values.len());
    let width = parent.widths.get(at).copied().unwrap_or(32);
    match rng.u32(0..16) {
        0..=2 => values[at] = random_value(width, words, rng),
        3 | 4 => values[at] ^= 1 << rng.u32(0..u32::from(width).max(1)),
        5 => values[at] = values[at].wrapping_add(rng.u128(1..17)),
        6 => values[at] = values[at].wrapping_sub(rng.u128(1..17)),
        7 => values[at] = values[rng.usize(0..values.len())],
        8 => {
            let to = rng.usize(0..values.len());
            values.swap(at, to);
        }
        9 => {
            let end = (at + rng.usize(1..5)).min(values.len());
            values.drain(at..end);
        }
        10 => {
            let end = (at + rng.usize(1..9)).min(values.len());
            let again: Vec<u128> = values[at..end].to_vec();
            values.splice(at..at, again);
        }
        11 => {
            let value = random_value(width, words, rng);
            values.insert(at, value);
        }
        12 => {
            let end = (at + rng.usize(1..9)).min(values.len());
            let value = values[at];
            values[at..end].fill(value);
        }
        13 => {
            // The beginning of one, the end of another.
            let from = at.min(other.candidate.values.len());
            values.truncate(at);
            values.extend_from_slice(&other.candidate.values[from..]);
        }
        _ => {
            if let Some(word) = rng.choice(&words.strings) {
                for (i, &byte) in word.iter().enumerate() {
                    match values.get_mut(at + i) {
                        Some(value) => *value = u128::from(byte),
                        None => values.push(u128::from(byte)),
                    }
                }
            }
        }
    }
}

fn change_memory(made: &mut Candidate, parent: &Entry, words: &Words, rng: &mut Rng) {
    let Some(filled) = rng.choice(&parent.filled).copied() else {
        return;
    };
    let offset = rng.u64(0..filled.size);
    let mut set = |offset: u64, byte: u8| {
        if offset < filled.size {
            match filled.number {
                Some(number) => made.fresh.insert((number, offset), byte),
                None => made.contents.insert(filled.address + offset, byte),
            };
        }
    };
    match rng.u32(0..4) {
        0 => {
            for (i, &byte) in rng.choice(&words.strings).into_iter().flatten().enumerate() {
                set(offset + i as u64, byte);
            }
        }
        1 => {
            let value = random_value(32, words, rng).to_le_bytes();
            let size = 1 << rng.u32(0..4);
            for (i, &byte) in value[..size].iter().enumerate() {
                set(offset / size as u64 * size as u64 + i as u64, byte);
            }
        }
        _ => set(offset, random_value(8, words, rng) as u8),
    }
}
