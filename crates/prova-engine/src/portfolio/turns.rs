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
pub const ENGINES: [&str; 12] = [
    "values", "dash", "tables", "classes", "bmc", "kind", "pdr", "fuzz", "states", "impact", "ai",
    "cells",
];
const VALUES: usize = 0;
const DASHES: usize = 1;
const TABLES: usize = 2;
const CLASSES: usize = 3;
const BMC: usize = 4;
const KIND: usize = 5;
const PDR: usize = 6;
const FUZZ: usize = 7;
const STATES: usize = 8;
const IMPACT: usize = 9;
const AI: usize = 10;
const CELLS: usize = 11;

pub(super) const fn values(steps: u64, questions: u64) -> Planned {
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
pub(super) const fn dash(steps: u64, least: u64, most: u64) -> Planned {
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

pub(super) const fn classes(steps: u64) -> Planned {
    Planned {
        engine: CLASSES,
        quota: Quota {
            steps,
            ..Quota::ALL
        },
    }
}

/// So many edges of the program, which cost little each.
pub(super) const fn states(edges: u64) -> Planned {
    Planned {
        engine: STATES,
        quota: Quota {
            steps: edges,
            ..Quota::ALL
        },
    }
}

pub(super) const fn tables(steps: u64, questions: u64) -> Planned {
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
pub(super) const fn bmc(rounds: u64, resource: u64) -> Planned {
    Planned {
        engine: BMC,
        quota: Quota {
            iterations: rounds,
            resource,
            ..Quota::ALL
        },
    }
}

pub(super) const fn kind(rounds: u64, resource: u64) -> Planned {
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
pub(super) const fn pdr(steps: u64, least: u64, most: u64) -> Planned {
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

/// As for DASH.
pub(super) const fn impact(steps: u64, least: u64, most: u64) -> Planned {
    Planned {
        engine: IMPACT,
        quota: Quota {
            steps,
            least_iterations: least,
            iterations: most,
            ..Quota::ALL
        },
    }
}

/// Runs of the program, this many steps altogether.
pub(super) const fn fuzz(steps: u64) -> Planned {
    Planned {
        engine: FUZZ,
        quota: Quota {
            steps,
            ..Quota::ALL
        },
    }
}

/// Facts of abstract interpretation, if they suffice.
const INTERPRET: Planned = Planned {
    engine: AI,
    quota: Quota::ALL,
};

/// Follows so many cells of arrays more; each source of facts may ask so many questions.
const fn cells(more: u64, questions: u64, resource: u64) -> Planned {
    Planned {
        engine: CELLS,
        quota: Quota {
            iterations: more,
            questions,
            resource,
            ..Quota::ALL
        },
    }
}

/// DASH for as long as there is time.
pub(super) const REST: Planned = Planned {
    engine: DASHES,
    quota: Quota::ALL,
};

/// A first look.
const FIRST: Planned = values(10_000, 150);

/// Programs with more locations than this are not unwound, nor split again and again.
pub(super) const LARGE: usize = 2_000;

/// The plan for a program that is one procedure.
pub fn plan(look: Look) -> &'static [Planned] {
    match look {
        Look { locations, .. } if locations > LARGE => LARGE_PROGRAM,
        Look { floats: true, .. } | Look { loops: false, .. } => ALL_PATHS_AT_ONCE,
        Look { arrays: true, .. } => ARRAYS,
        Look { events: true, .. } => EVENT_LOOP,
        _ => ONE_PROCEDURE,
    }
}

/// For programs with loops. Those that end after a few rounds are unwound first: a cheap question.
const ONE_PROCEDURE: &[Planned] = &[
    FIRST,
    fuzz(1_000_000),
    bmc(2, 500_000),
    bmc(1, 6_000_000),
    states(300_000),
    dash(60_000, 0, 120),
    kind(2, 4_000_000),
    impact(20_000, 0, 30),
    dash(60_000, 0, 380),
    values(150_000, 100),
    fuzz(20_000_000),
    bmc(2, 10_000_000),
    states(10_000_000),
    classes(150_000),
    dash(2_000_000, 20, 400),
    kind(4, 20_000_000),
    values(4_000_000, u64::MAX),
    fuzz(200_000_000),
    pdr(200_000, 20, 200),
    bmc(4, 100_000_000),
    classes(2_000_000),
    REST,
];

/// For programs with arrays that loops fill and read: cells of them are followed, and long runs made, before
/// anything is unwound. To unwind loops of a hundred thousand rounds takes seconds before anything is asked.
const ARRAYS: &[Planned] = &[
    FIRST,
    fuzz(1_000_000),
    INTERPRET,
    cells(1, 120, 400_000),
    fuzz(20_000_000),
    bmc(2, 500_000),
    bmc(1, 6_000_000),
    states(300_000),
    dash(60_000, 0, 500),
    kind(2, 4_000_000),
    values(150_000, 100),
    cells(2, u64::MAX, u64::MAX),
    bmc(2, 10_000_000),
    states(10_000_000),
    classes(150_000),
    dash(2_000_000, 20, 400),
    kind(4, 20_000_000),
    values(4_000_000, u64::MAX),
    fuzz(200_000_000),
    pdr(200_000, 20, 200),
    bmc(4, 100_000_000),
    classes(2_000_000),
    REST,
];

/// For programs without loops, or with arithmetic that is hard for paths one by one: floats.
const ALL_PATHS_AT_ONCE: &[Planned] = &[
    FIRST,
    fuzz(1_000_000),
    bmc(2, 40_000_000),
    dash(60_000, 0, 500),
    values(150_000, 100),
    fuzz(20_000_000),
    kind(3, 40_000_000),
    bmc(3, 400_000_000),
    dash(2_000_000, 20, 400),
    values(4_000_000, u64::MAX),
    bmc(4, 4_000_000_000),
    REST,
];

/// For loops that read inputs and go through long chains of conditions: to unwind such a loop costs
/// seconds for each round, while to run it from one state to the next costs microseconds.
const EVENT_LOOP: &[Planned] = &[
    FIRST,
    fuzz(1_000_000),
    states(15_000_000),
    dash(60_000, 0, 120),
    values(150_000, 100),
    fuzz(20_000_000),
    bmc(2, 500_000),
    bmc(1, 6_000_000),
    kind(2, 4_000_000),
    impact(20_000, 0, 30),
    dash(60_000, 0, 380),
    bmc(2, 10_000_000),
    classes(150_000),
    dash(2_000_000, 20, 400),
    kind(4, 20_000_000),
    values(4_000_000, u64::MAX),
    fuzz(200_000_000),
    pdr(200_000, 20, 200),
    bmc(4, 100_000_000),
    classes(2_000_000),
    REST,
];

/// For large programs.
const LARGE_PROGRAM: &[Planned] = &[
    FIRST,
    fuzz(1_000_000),
    states(15_000_000),
    dash(60_000, 0, 500),
    values(150_000, 100),
    fuzz(20_000_000),
    classes(150_000),
    values(1_500_000, u64::MAX),
    fuzz(200_000_000),
    dash(2_000_000, 20, 200),
    values(4_000_000, u64::MAX),
    classes(2_000_000),
    REST,
];

/// For programs that recurse: values follow them as if they never did it deeply, DASH goes
/// procedure by procedure.
pub const NOT_DEEP: &[Planned] = &[
    FIRST,
    fuzz(1_000_000),
    tables(50_000, 150),
    dash(60_000, 20, 300),
    fuzz(20_000_000),
    values(600_000, 100),
    dash(60_000, 20, 300),
    REST,
];

/// DASH alone.
pub const DASH: &[Planned] = &[REST];
