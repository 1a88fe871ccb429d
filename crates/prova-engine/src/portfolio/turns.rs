//! Who has turns in `auto`, in which order, and how long: data, not code.

use super::look::Look;
use crate::engine::Quota;

/// A turn of an engine, by its place among the engines of the portfolio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Whose turn it is.
    pub engine: usize,
    /// How much it may do.
    pub quota: Quota,
}

/// The engines that have turns.
pub const ENGINES: [&str; 7] = ["values", "dash", "tables", "classes", "bmc", "kind", "pdr"];
const VALUES: usize = 0;
const DASHES: usize = 1;
const TABLES: usize = 2;
const CLASSES: usize = 3;
const BMC: usize = 4;
const KIND: usize = 5;
const PDR: usize = 6;

const fn values(steps: u64, questions: u64) -> Planned {
    Planned {
        engine: VALUES,
        quota: Quota {
            steps,
            questions,
            ..Quota::ALL
        },
    }
}

/// As many iterations as make about this many steps, for an iteration costs more in a larger
/// program, but no fewer than `least` and no more than `most`.
const fn dash(steps: u64, least: u64, most: u64) -> Planned {
    Planned {
        engine: DASHES,
        quota: Quota {
            steps,
            least_iterations: least,
            iterations: most,
            ..Quota::ALL
        },
    }
}

const fn classes(steps: u64) -> Planned {
    Planned {
        engine: CLASSES,
        quota: Quota {
            steps,
            ..Quota::ALL
        },
    }
}

const fn tables(steps: u64, questions: u64) -> Planned {
    Planned {
        engine: TABLES,
        quota: Quota {
            steps,
            questions,
            ..Quota::ALL
        },
    }
}

/// Rounds of unwinding, each question within so much of the solver's own measure.
const fn bmc(rounds: u64, resource: u64) -> Planned {
    Planned {
        engine: BMC,
        quota: Quota {
            iterations: rounds,
            resource,
            ..Quota::ALL
        },
    }
}

const fn kind(rounds: u64, resource: u64) -> Planned {
    Planned {
        engine: KIND,
        quota: Quota {
            iterations: rounds,
            resource,
            ..Quota::ALL
        },
    }
}

/// As for DASH.
const fn pdr(steps: u64, least: u64, most: u64) -> Planned {
    Planned {
        engine: PDR,
        quota: Quota {
            steps,
            least_iterations: least,
            iterations: most,
            ..Quota::ALL
        },
    }
}

/// DASH for as long as there is time.
const REST: Planned = Planned {
    engine: DASHES,
    quota: Quota::ALL,
};

/// A first look.
const FIRST: Planned = values(10_000, 150);

/// Programs with more locations than this are not unwound, nor split again and again.
const LARGE: usize = 2_000;

/// The plan for a program that is one procedure.
pub fn plan(look: Look) -> &'static [Planned] {
    match look {
        Look { locations, .. } if locations > LARGE => LARGE_PROGRAM,
        Look { floats: true, .. } | Look { loops: false, .. } => ALL_PATHS_AT_ONCE,
        _ => ONE_PROCEDURE,
    }
}

/// For programs with loops.
const ONE_PROCEDURE: &[Planned] = &[
    FIRST,
    dash(60_000, 0, 500),
    kind(2, 4_000_000),
    values(150_000, 100),
    bmc(2, 10_000_000),
    classes(150_000),
    dash(2_000_000, 20, 400),
    kind(4, 20_000_000),
    values(4_000_000, u64::MAX),
    pdr(200_000, 20, 200),
    bmc(4, 100_000_000),
    classes(2_000_000),
    REST,
];

/// For programs without loops, or with arithmetic that is hard for paths one by one: floats.
const ALL_PATHS_AT_ONCE: &[Planned] = &[
    FIRST,
    bmc(2, 40_000_000),
    dash(60_000, 0, 500),
    values(150_000, 100),
    kind(3, 40_000_000),
    bmc(3, 400_000_000),
    dash(2_000_000, 20, 400),
    values(4_000_000, u64::MAX),
    bmc(4, 4_000_000_000),
    REST,
];

/// For large programs.
const LARGE_PROGRAM: &[Planned] = &[
    FIRST,
    dash(60_000, 0, 500),
    values(150_000, 100),
    classes(150_000),
    values(1_500_000, u64::MAX),
    dash(2_000_000, 20, 200),
    values(4_000_000, u64::MAX),
    classes(2_000_000),
    REST,
];

/// For programs that recurse: values follow them as if they never did it deeply, DASH goes
/// procedure by procedure.
pub const NOT_DEEP: &[Planned] = &[
    FIRST,
    tables(50_000, 150),
    dash(60_000, 20, 300),
    values(600_000, 100),
    dash(60_000, 20, 300),
    REST,
];

/// DASH alone.
pub const DASH: &[Planned] = &[REST];
