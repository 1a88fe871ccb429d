//! Who has turns in `auto`, in which order, and how long: data, not code.

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
pub const ENGINES: [&str; 4] = ["values", "dash", "tables", "classes"];
const VALUES: usize = 0;
const DASHES: usize = 1;
const TABLES: usize = 2;
const CLASSES: usize = 3;

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

/// DASH for as long as there is time.
const REST: Planned = Planned {
    engine: DASHES,
    quota: Quota::ALL,
};

/// A first look.
const FIRST: Planned = values(10_000, 150);

/// For programs that are one procedure.
pub const ONE_PROCEDURE: &[Planned] = &[
    FIRST,
    dash(60_000, 0, 500),
    values(150_000, 100),
    classes(150_000),
    dash(2_000_000, 20, 400),
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
