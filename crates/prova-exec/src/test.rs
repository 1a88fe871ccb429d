//! A test: everything a run depends on besides the program. Input values in the order in which
//! they are asked for, contents of memory nobody has written, where objects lie, and what to do
//! where none of these says anything.

use crate::layout::Layout;
use prova_ir::{DataModel, RegId};
use std::collections::BTreeMap;

/// Everything a run depends on besides the program.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Test {
    /// Values of the executed `Nondet` statements, and results of functions without a body, in
    /// order; as many low bits as the type has are used.
    pub values: Vec<u128>,
    /// First values of registers that start arbitrary (globals without an initial value, and
    /// registers of the entry procedure that nothing writes first).
    pub registers: BTreeMap<RegId, u128>,
    /// First contents of memory that starts arbitrary, byte by byte.
    pub contents: BTreeMap<u64, u8>,
    /// Contents given by the n-th executed `Havoc`, or `Enter` of an object entered before:
    /// (n, offset) to byte. Both kinds are counted together, from zero.
    pub fresh: BTreeMap<(u32, u64), u8>,
    /// Where objects lie; `None` for [`Layout::sequential`].
    pub layout: Option<Layout>,
    /// What is used where nothing is given.
    pub rest: Policy,
    /// What happens when `values` is used up.
    pub exhausted: Exhausted,
}

/// Where values come from that the test does not give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Policy {
    /// Zero.
    #[default]
    Zero,
    /// Pseudo-random from this seed, the same in every run.
    Seeded(u64),
    /// Inputs pseudo-random from this seed; memory that nobody wrote is zero, so that pointers in
    /// it are null.
    SeededInputs(u64),
}

/// What happens when a test has no further input values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Exhausted {
    /// The policy gives them.
    #[default]
    Continue,
    /// The run ends with [`RunEnd::InputsExhausted`](crate::RunEnd::InputsExhausted).
    Stop,
}

impl Test {
    /// A test in which everything arbitrary is zero.
    pub fn zero() -> Self {
        Self::default()
    }

    /// A test in which everything arbitrary is drawn from a seed.
    pub fn seeded(seed: u64) -> Self {
        Self {
            rest: Policy::Seeded(seed),
            ..Self::default()
        }
    }

    /// A test with these input values, zero for everything else.
    pub fn of_values(values: impl IntoIterator<Item = u128>) -> Self {
        Self {
            values: values.into_iter().collect(),
            ..Self::default()
        }
    }
}

/// A number that looks random and depends on nothing but its arguments (splitmix64).
pub(crate) fn mix(seed: u64, what: u64) -> u64 {
    let mut z = seed
        ^ what
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add(0x1234_5678_9abc_def1);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Policy {
    /// An input of this many bits; `n` says which. Small values and limits come up often, since
    /// they are the ones programs branch on.
    pub(crate) fn input(self, n: u64, width: u32) -> u128 {
        let (Policy::Seeded(seed) | Policy::SeededInputs(seed)) = self else {
            return 0;
        };
        let (a, b) = (mix(seed, 3 * n), mix(seed, 3 * n + 1));
        let wide = u128::from(a) | u128::from(b) << 64;
        let value = match mix(seed, 3 * n + 2) % 8 {
            0..=2 => wide % 17,
            3 => (wide % 9).wrapping_neg(),
            4 => wide % 257,
            5 => u128::MAX >> 1 >> (128 - width),
            _ => wide,
        };
        if width >= 128 {
            value
        } else {
            value & ((1 << width) - 1)
        }
    }

    /// An arbitrary pointer: null or somewhere in the zone.
    pub(crate) fn pointer(self, n: u64, zone: std::ops::Range<u64>) -> u64 {
        let (Policy::Seeded(seed) | Policy::SeededInputs(seed)) = self else {
            return 0;
        };
        let r = mix(seed, 7 * n + 5);
        if r.is_multiple_of(4) {
            0
        } else {
            zone.start + (r >> 8) % 64 * 0x1000
        }
    }

    /// The byte at an address nobody wrote; `generation` tells apart contents given anew.
    ///
    /// A pointer read from there must be null or point to the unknown zone, and nobody knows here
    /// what will be read: so every aligned word is one or the other.
    pub(crate) fn byte(self, generation: u32, address: u64, model: DataModel) -> u8 {
        let Policy::Seeded(seed) = self else { return 0 };
        let seed = seed ^ u64::from(generation).wrapping_mul(0xa076_1d64_78bd_642f);
        let bytes = model.pointer_bytes();
        let random = mix(seed, address / bytes);
        let word = match (random >> 60, model) {
            (0..=3, _) => 0,
            // Small numbers in the lower half come up often.
            (4..=9, DataModel::Lp64) => 0x6000_0000_0000 + (random >> 8) % 17,
            (_, DataModel::Lp64) => 0x6000_0000_0000 + random % 0xfff_ffff_ffff,
            (_, DataModel::Ilp32) => 0xb000_0000 + random % 0x2fff_ffff,
        };
        (word >> (8 * (address % bytes))) as u8
    }
}
