//! The plans of the second of two searches that work at once. They begin with those who have their
//! turns late in [`turns`](super::turns): who asks about invariants rather than about single paths.

use super::look::Look;
use super::turns::{
    bmc, classes, dash, fuzz, impact, kind, pdr, states, tables, values, Planned, LARGE, REST,
};

/// The plan for a program that is one procedure.
pub fn plan(look: Look) -> &'static [Planned] {
    match look {
        Look { locations, .. } if locations > LARGE => LARGE_PROGRAM,
        Look { floats: true, .. } | Look { loops: false, .. } => PATH_BY_PATH,
        _ => INVARIANTS,
    }
}

/// For programs with loops.
const INVARIANTS: &[Planned] = &[
    dash(60_000, 0, 60),
    kind(2, 4_000_000),
    impact(20_000, 0, 30),
    pdr(60_000, 0, 100),
    classes(150_000),
    kind(4, 20_000_000),
    values(600_000, u64::MAX),
    impact(200_000, 20, 200),
    pdr(600_000, 20, 400),
    states(10_000_000),
    bmc(4, 100_000_000),
    pdr(u64::MAX, 0, u64::MAX),
    REST,
];

/// For programs without loops, or with floats.
const PATH_BY_PATH: &[Planned] = &[
    dash(60_000, 0, 500),
    kind(3, 40_000_000),
    values(600_000, u64::MAX),
    fuzz(200_000_000),
    dash(2_000_000, 20, 400),
    bmc(4, 4_000_000_000),
    REST,
];

/// For large programs.
const LARGE_PROGRAM: &[Planned] = &[
    values(1_500_000, u64::MAX),
    classes(2_000_000),
    dash(2_000_000, 20, 200),
    fuzz(1_000_000_000),
    values(u64::MAX, u64::MAX),
    REST,
];

/// For programs that recurse.
pub const NOT_DEEP: &[Planned] = &[
    dash(60_000, 20, 300),
    tables(1_000_000, u64::MAX),
    values(600_000, u64::MAX),
    fuzz(200_000_000),
    REST,
];
